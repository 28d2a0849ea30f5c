//! The change that a backfill makes of a file: h1 and size of single targets, where the registry's own writer puts them. Every other byte
//! stays.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::registry::version::trim_v;
use crate::registry::{Document, Json, Key};

/// What is known of one archive by its checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fill {
    /// As stored.
    pub(crate) version: String,
    /// `linux_amd64`.
    pub(crate) target: String,
    pub(crate) shasum: String,
    pub(crate) h1: String,
    /// In bytes.
    pub(crate) size: u64,
}

/// Something that was not filled in, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotFilled {
    pub(crate) version: String,
    pub(crate) why: String,
}

/// Whether a text has the form of an h1: whether it is that of its archive nobody can tell from it.
pub(crate) fn is_h1(text: &str) -> bool {
    text.strip_prefix("h1:").and_then(|sum| STANDARD.decode(sum).ok()).is_some_and(|sum| sum.len() == 32)
}

/// Fills in what is empty; what is there already and the same is no news.
pub(crate) fn fill(document: &Document, fills: &[Fill]) -> (Document, Vec<NotFilled>) {
    let mut root = document.root().clone();
    let mut left = Vec::new();
    for fill in fills {
        if let Err(why) = fill.put_into(&mut root) {
            left.push(NotFilled { version: fill.version.clone(), why: format!("{}: {why}", fill.target) });
        }
    }
    if root == *document.root() {
        return (document.clone(), left);
    }
    if !document.prints_from_tree() {
        let why = "its spacing is not that of the registry's own writer, so more than h1 and size would change: put the file into that form first";
        let not = |fill: &Fill| NotFilled { version: fill.version.clone(), why: why.to_owned() };
        return (document.clone(), fills.iter().take(1).map(not).collect());
    }
    (document.with_root(root), left)
}

impl Fill {
    fn put_into(&self, root: &mut Json) -> Result<(), &'static str> {
        let versions = root.field_mut("versions").and_then(Json::items_mut);
        let is_it = |json: &&mut Json| trim_v(text(json, "version")) == trim_v(&self.version);
        let targets = versions.into_iter().flatten().filter(is_it);
        let targets = targets.filter_map(|json| json.field_mut("targets")?.items_mut()).flatten();
        let is_it = |json: &&mut Json| format!("{}_{}", text(json, "os"), text(json, "arch")) == self.target;
        let mut why = "it is not in the file any more";
        let mut is_there = false;
        for target in targets.filter(is_it) {
            if text(target, "shasum") != self.shasum {
                why = "the file has another checksum of it by now";
                continue;
            }
            is_there = true;
            self.put(target)?;
        }
        if is_there { Ok(()) } else { Err(why) }
    }

    fn put(&self, target: &mut Json) -> Result<(), &'static str> {
        let (h1, size) = (text(target, "h1"), target.field("size").and_then(as_u64).unwrap_or_default());
        if !h1.is_empty() && h1 != self.h1 {
            return Err("another h1 is stored");
        }
        if size > 0 && size != self.size {
            return Err("another size is stored");
        }
        set(target, "h1", "shasum", Json::string(&self.h1));
        set(target, "size", "h1", Json::number(self.size));
        Ok(())
    }
}

/// Sets a field, or puts it behind another one.
fn set(target: &mut Json, name: &'static str, behind: &str, value: Json) {
    if let Some(field) = target.field_mut(name) {
        *field = value;
        return;
    }
    let Json::Object(fields) = target else { return };
    let at = fields.iter().rposition(|(key, _)| key == behind).map_or(fields.len(), |at| at + 1);
    fields.insert(at, (Key::Borrowed(name), value));
}

fn text<'a>(json: &'a Json, key: &str) -> &'a str {
    json.field(key).and_then(Json::as_str).unwrap_or_default()
}

fn as_u64(json: &Json) -> Option<u64> {
    match json {
        Json::Number(number) => number.as_u64(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(version: &str, target: &str, shasum: &str) -> Fill {
        Fill {
            version: version.into(),
            target: target.into(),
            shasum: shasum.into(),
            h1: "h1:new=".into(),
            size: 42,
        }
    }

    fn target(arch: &str, shasum: &str, rest: &str) -> String {
        format!(
            "        {{\n          \"os\": \"linux\",\n          \"arch\": \"{arch}\",\n          \"filename\": \"f\",\n          \
             \"download_url\": \"u\",\n          \"shasum\": \"{shasum}\"{rest}\n        }}"
        )
    }

    fn file(targets: &[String], tail: &str) -> String {
        format!(
            "{{\n  \"versions\": [\n    {{\n      \"version\": \"1.0.0\",\n      \"targets\": [\n{}\n      ]\n    }}\n  ],\n  \"mine\": \"\\u003c\"\n}}{tail}",
            targets.join(",\n")
        )
    }

    const EMPTY: &str = ",\n          \"h1\": \"\",\n          \"size\": 0";
    const FULL: &str = ",\n          \"h1\": \"h1:new=\",\n          \"size\": 42";

    fn filled(text: &str, fills: &[Fill]) -> (String, Vec<String>) {
        let (document, left) = fill(&Document::parse(text.as_bytes()).unwrap(), fills);
        (String::from_utf8(document.print()).unwrap(), left.into_iter().map(|left| left.why).collect())
    }

    #[test]
    fn only_h1_and_size_of_that_target_change() {
        // The fields are empty, or are not there; the file ends as it ended; other targets stay, whatever they lack.
        for tail in ["", "\n"] {
            for (rest, behind) in [(EMPTY, ""), ("", ""), ("", ",\n          \"note\": 1")] {
                let before = [target("amd64", "a", &format!("{rest}{behind}")), target("arm64", "b", rest)];
                let after = [target("amd64", "a", &format!("{FULL}{behind}")), target("arm64", "b", rest)];
                let (text, left) = filled(&file(&before, tail), &[one("1.0.0", "linux_amd64", "a")]);
                assert_eq!((text.as_str(), left.len()), (file(&after, tail).as_str(), 0));
                let again = filled(&text, &[one("1.0.0", "linux_amd64", "a")]);
                assert_eq!(again, (text, Vec::new()), "a second time changes nothing");
            }
        }
    }

    #[test]
    fn what_is_not_the_same_archive_stays_as_it_is() {
        let other_h1 = ",\n          \"h1\": \"h1:old=\",\n          \"size\": 0";
        let other_size = ",\n          \"h1\": \"\",\n          \"size\": 43";
        for (rest, fill, wanted) in [
            (
                EMPTY,
                one("1.0.0", "linux_amd64", "b"),
                "linux_amd64: the file has another checksum of it by now",
            ),
            (EMPTY, one("1.0.0", "linux_arm", "a"), "linux_arm: it is not in the file any more"),
            (EMPTY, one("1.0.1", "linux_amd64", "a"), "linux_amd64: it is not in the file any more"),
            (other_h1, one("1.0.0", "linux_amd64", "a"), "linux_amd64: another h1 is stored"),
            (other_size, one("1.0.0", "linux_amd64", "a"), "linux_amd64: another size is stored"),
        ] {
            let text = file(&[target("amd64", "a", rest)], "");
            assert_eq!(filled(&text, &[fill]), (text.clone(), vec![wanted.to_owned()]));
        }
        // Odd spacing would come out otherwise.
        let odd = file(&[target("amd64", "a", EMPTY)], "").replace(": ", ":");
        let (text, left) = filled(&odd, &[one("1.0.0", "linux_amd64", "a")]);
        assert!(text == odd && left[0].contains("spacing"), "{left:?}");
    }

    #[test]
    fn a_version_that_is_there_twice_is_filled_twice() {
        let text = file(&[target("amd64", "a", EMPTY)], "");
        let (from, to) = (text.find("    {\n      \"version\"").unwrap(), text.find("\n  ],").unwrap());
        let twice = format!("{},\n{}", &text[..to], &text[from..]);
        let (after, left) = filled(&twice, &[one("1.0.0", "linux_amd64", "a")]);
        assert_eq!((after, left.len()), (twice.replace(EMPTY, FULL), 0));
    }
}
