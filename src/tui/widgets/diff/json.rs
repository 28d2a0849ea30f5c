//! The parts of a line of JSON, for their colours. It reads what a line shows, which may be cut, and never fails.

use std::ops::Range;

use crate::tui::base::theme::Role;

/// A part of a text, with its role.
pub(super) type Part = (Role, Range<usize>);

/// The number of lines in which the URL before another one of the same version stands: those of a target, and its neighbours.
pub(super) const URL_LINES: u32 = 12;

/// The parts of a line of something new: keys, texts, numbers and the rest. `shared` bytes of its URL are those of the URL before it.
pub(super) fn parts(line: &str, shared: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let end = match first {
            '"' => text_end(line, at),
            _ => run_end(line, at, |letter| is_bare(letter) == is_bare(first) && letter != '"'),
        };
        match first {
            '"' if line[end..].trim_start().starts_with(':') => parts.push((Role::JsonKey, at..end)),
            '"' => {
                // The cut of a long text ends what is shared.
                let visible =
                    line[at..end].find(['…', '\n']).or_else(|| line[at..end].find("..")).unwrap_or(end - at);
                let common = if shared > 0 { (shared + 1).min(visible) } else { 0 };
                // The text was cleaned since it was measured.
                let common = (0..=common).rev().find(|end| line.is_char_boundary(at + end)).unwrap_or(0);
                parts.push((Role::Dim, at..at + common));
                parts.push((Role::Added, at + common..end));
            }
            _ if is_bare(first) => parts.push((Role::JsonNumber, at..end)),
            _ => parts.push((Role::Dim, at..end)),
        }
        at = end;
    }
    parts.retain(|(_, part)| !part.is_empty());
    parts
}

/// Returns true for the letters of numbers, `true`, `false` and `null`.
fn is_bare(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '+' | '.')
}

/// The byte behind a run of letters.
fn run_end(line: &str, at: usize, is_of_it: impl Fn(char) -> bool) -> usize {
    line[at..].find(|letter| !is_of_it(letter)).map_or(line.len(), |length| at + length)
}

/// The byte behind a text in quotes; the end of the line if its quote is missing.
fn text_end(line: &str, at: usize) -> usize {
    let mut is_escaped = false;
    let closing = line[at + 1..].find(|letter| {
        let closes = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        closes
    });
    closing.map_or(line.len(), |length| at + 1 + length + 1)
}

/// The URL of a line such as `"download_url": "https://…",`.
pub(super) fn url(line: &str) -> Option<&str> {
    let (key, value) = line.split_once("\": \"")?;
    key.ends_with("_url").then(|| value.split('"').next())?
}

/// The number of bytes that both begin with, up to a slash.
pub(super) fn shared(before: &str, url: &str) -> usize {
    let common = before.bytes().zip(url.bytes()).take_while(|(one, other)| one == other).count();
    url.as_bytes()[..common].iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, shared: usize) -> Vec<(Role, &str)> {
        parts(line, shared).into_iter().map(|(role, part)| (role, &line[part])).collect()
    }

    #[test]
    fn keys_texts_and_numbers_are_parts() {
        assert_eq!(
            shown(r#"    "size": 21437902,"#, 0),
            [
                (Role::Dim, "    "),
                (Role::JsonKey, r#""size""#),
                (Role::Dim, ": "),
                (Role::JsonNumber, "21437902"),
                (Role::Dim, ","),
            ]
        );
        assert_eq!(shown(r#""os": "li\"nux""#, 0)[2], (Role::Added, r#""li\"nux""#));
        assert_eq!(shown("null", 0), [(Role::JsonNumber, "null")]);
        assert_eq!(shown(r#"  "5.0""#, 0)[1], (Role::Added, r#""5.0""#), "a text in a list");
    }

    /// The host of a URL is dim only where it is that of the URL before.
    #[test]
    fn the_shared_part_of_a_url_is_dim() {
        let before = "https://github.com/o/r/releases/download/v1/a.zip";
        for (url, dim) in [
            (
                "https://github.com/o/r/releases/download/v1/b.zip",
                "https://github.com/o/r/releases/download/v1/",
            ),
            ("https://github.com.evil.example/o/r", "https://"),
            ("https://mirror.example/o/r", "https://"),
            ("ftp://x", ""),
        ] {
            assert_eq!(&url[..shared(before, url)], dim);
        }
        let line = r#""download_url": "https://github.com/o/b.zip","#;
        assert_eq!(url(line), Some("https://github.com/o/b.zip"));
        assert_eq!(shown(line, 21)[2..4], [(Role::Dim, "\"https://github.com/o/"), (Role::Added, "b.zip\"")]);
        let cut = r#""download_url": "https://git…b.zip","#;
        assert_eq!(shown(cut, 21)[2..4], [(Role::Dim, "\"https://git"), (Role::Added, "…b.zip\"")]);
        assert_eq!(url(r#""filename": "a_url""#), None);
    }

    proptest::proptest! {
        /// Whatever a line shows, its parts are the whole of it, in order.
        #[test]
        fn parts_are_the_whole_line(line in "\\PC{0,60}", shared in 0usize..80) {
            let found: String = parts(&line, shared).into_iter().map(|(_, part)| line[part].to_owned()).collect();
            proptest::prop_assert_eq!(found, line);
        }
    }
}
