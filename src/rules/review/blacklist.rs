//! What a pull request makes of the blacklist, entry by entry.

use crate::registry::{BLACKLIST, Blacklist};
use crate::rules::plain_text::visible;
use crate::rules::review::Point;

/// Sentences of what is put on it and taken off it. `None`: there is no file, which is one without an entry.
pub(crate) fn kept_out(before: Option<&[u8]>, after: Option<&[u8]>) -> Vec<Point> {
    let read = |bytes: Option<&[u8]>| bytes.map_or_else(|| Ok(Blacklist::default()), Blacklist::parse);
    let mut points = Vec::new();
    match (read(before), read(after)) {
        (Ok(before), Ok(after)) => {
            for entry in after.entries() {
                let subject = visible(&entry.subject()).into_owned();
                let reason = visible(&entry.reason);
                match before.entries().find(|known| known.is_same(entry)) {
                    None => points.push(Point::new(
                        format!("{subject} is put on the blacklist: {reason}"),
                        format!("blacklists {subject}"),
                    )),
                    Some(known) if known.reason != entry.reason => {
                        points.push(Point::new(
                            format!("the reason of {subject} was {}, and becomes {reason}", visible(&known.reason)),
                            "a blacklist reason changes",
                        ));
                    }
                    Some(_) => {}
                }
            }
            let is_gone = |entry: &&_| !after.entries().any(|kept| kept.is_same(entry));
            points.extend(before.entries().filter(is_gone).map(|entry| {
                let subject = visible(&entry.subject()).into_owned();
                Point::new(
                    format!("{subject} is taken off the blacklist, so that a bump may add it"),
                    format!("unblocks {subject}"),
                )
            }));
            if points.is_empty() {
                points.push("it is written in another way, and keeps out the same".into());
            }
        }
        (_, Err(why)) => points.push(Point::new(
            format!(
                "it cannot be read, and the registry's tool may stop on it or keep out something else: line {}, column {}: {}",
                why.line,
                why.column,
                visible(&why.text)
            ),
            "the blacklist cannot be read",
        )),
        (Err(_), Ok(_)) => {
            let text = format!("{BLACKLIST} could not be read before, and what changes is not known");
            points.push(Point::new(text, "the old blacklist is unreadable"));
        }
    }
    points.push("two maintainers decide on the blacklist".into());
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_that_changes_is_named() {
        let before =
            br#"{"providers":[{"namespace":"acme","name":"rocket","version":"1.0.0","reason":"broken"}]}"#;
        let module = br#"{"modules":[{"namespace":"acme","name":"vpc","target_system":"aws","version":"2.0.0","reason":"by\u001b[2J mistake"}]}"#;
        let other =
            br#"{"providers":[{"namespace":"acme","name":"rocket","version":"1.0.0","reason":"withdrawn"}]}"#;
        let spaced =
            br#"{ "providers":[{"namespace":"acme","name":"rocket","version":"1.0.0","reason":"broken"}]}"#;
        for (before, after, wanted) in [
            (None::<&[u8]>, Some(&before[..]), &["acme/rocket 1.0.0 is put on the blacklist: broken"][..]),
            (
                Some(before),
                None,
                &["acme/rocket 1.0.0 is taken off the blacklist, so that a bump may add it"],
            ),
            (
                Some(before),
                Some(module),
                &["acme/vpc/aws 2.0.0 is put on", "acme/rocket 1.0.0 is taken off the blacklist"],
            ),
            (
                Some(before),
                Some(other),
                &["the reason of acme/rocket 1.0.0 was broken, and becomes withdrawn"],
            ),
            (Some(before), Some(spaced), &["it is written in another way, and keeps out the same"]),
            (
                Some(before),
                Some(b"{\n  \"providers\": 3\n}"),
                &[
                    "it cannot be read, and the registry's tool may stop on it or keep out something else: line 2",
                ],
            ),
        ] {
            let points = kept_out(before, after);
            assert_eq!(points.len(), wanted.len() + 1, "{points:?}");
            for wanted in wanted {
                assert!(points.iter().any(|point| point.starts_with(wanted)), "{wanted}: {points:?}");
            }
            assert!(!points.iter().any(|point| point.contains('\u{1b}')), "{points:?}");
        }
    }
}
