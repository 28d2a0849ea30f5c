//! Our Markdown: text from others in it is shown as it is and without any effect, and none is longer than GitHub takes.

use std::fmt::Write;

use crate::rules::amount::counted;
use crate::rules::plain_text::visible;

/// Characters of a page of ours: GitHub takes 65,536 in an issue or a comment, and whoever posts it may write something around it.
pub(crate) const LONGEST: usize = 60_000;

/// Characters that are left for what says how much was left out.
const ENOUGH: usize = 200;

/// Code type, around whatever back ticks stand in the text: no mention, link, image, markup or fence of others takes effect
/// in it. A table ends its cells at pipes even there.
pub(crate) fn code(text: &str) -> String {
    let text = visible(text);
    // Two back ticks with nothing between them would open a code that ends inside the next one.
    let text = if text.is_empty() { " " } else { &*text };
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Code type for the cell of a table.
pub(crate) fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Lines below their head, as many as there is room for: text up to `most` characters. What does not fit is counted.
pub(crate) fn put(
    text: &mut String,
    head: &str,
    lines: impl ExactSizeIterator<Item = String>,
    most: usize,
    noun: &'static str,
) {
    let most = most.saturating_sub(ENOUGH);
    let (count, mut written, mut length) = (lines.len(), 0, text.chars().count() + head.chars().count());
    let mut rows = String::new();
    for line in lines {
        length += line.chars().count() + 1;
        if length > most {
            break;
        }
        rows.push_str(&line);
        rows.push('\n');
        written += 1;
    }
    if written > 0 {
        text.push_str(head);
        text.push_str(&rows);
    }
    if written < count {
        let _ = writeln!(text, "\nAnd {}, left out here.", counted(count - written, &format!("more {noun}")));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Texts that each try to leave their code, or to have an effect in it.
    pub(crate) const HOSTILE: [&str; 8] =
        ["", "`@x", "@x`", "|", "a|`@x", "a\\|@x", "a\n# @x", "<!-- <img src=x> [x](y)"];

    /// What of a page is in no code, as GitHub reads it (GFM 6.3, and 4.10: a table ends its cells at pipes before anything else).
    pub(crate) fn outside(page: &str) -> String {
        let (mut outside, mut in_fence) = (String::new(), false);
        for line in page.lines() {
            let is_edge = line.starts_with("```");
            in_fence ^= is_edge;
            if is_edge || in_fence {
                continue;
            }
            // A pipe with a backslash before it ends nothing.
            let parts = if line.starts_with('|') { line.replace("\\|", "\u{0}") } else { line.to_owned() };
            for part in parts.split(|c| line.starts_with('|') && c == '|') {
                let mut rest = part;
                while let Some(at) = rest.find('`') {
                    let ticks = rest[at..].len() - rest[at..].trim_start_matches('`').len();
                    let behind = &rest[at + ticks..];
                    let end = behind.match_indices('`').map(|(from, _)| from).find(|from| {
                        let run = behind[*from..].len() - behind[*from..].trim_start_matches('`').len();
                        run == ticks && !behind[..*from].ends_with('`')
                    });
                    outside.push_str(&rest[..at]);
                    if let Some(end) = end {
                        rest = &behind[end + ticks..];
                    } else {
                        outside.push_str(&rest[at..at + ticks]);
                        rest = behind;
                    }
                }
                outside.push_str(rest);
                outside.push('\n');
            }
        }
        outside
    }

    /// That all texts of others on a page are in code.
    #[track_caller]
    pub(crate) fn is_inert(page: &str) {
        let outside = outside(page);
        for bad in ["@", "`", "<", "](", "\n# @x"] {
            assert!(!outside.contains(bad), "{bad} in {outside:?} of {page}");
        }
    }

    #[test]
    fn what_is_in_no_code_is_found() {
        for (page, left) in [
            ("a `b` c", "a  c"),
            ("``, `@x`", "``, "),
            ("`` ` ``, ` `", ", "),
            ("`` ``` ``` ``x", "x"),
            ("`a", "`a"),
            ("| `a\\|b` |", "  "),
            ("| `a|@x` |", " `a@x` "),
            ("```sh\n@x\n```\ny", "y"),
        ] {
            assert_eq!(outside(page).replace('\n', ""), left, "{page}");
        }
        let all: Vec<String> = HOSTILE.iter().map(|text| code(text)).collect();
        is_inert(&all.join(", "));
        let cells: Vec<String> = HOSTILE.iter().map(|text| cell(text)).collect();
        is_inert(&format!("| {} |", cells.join(", ")));
    }

    #[test]
    fn no_text_leaves_its_code() {
        for (text, shown) in [
            ("1.2.0", "`1.2.0`"),
            ("@everybody", "`@everybody`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("```\n# big", "```` ```\\n# big ````"),
            ("<img src=x>", "`<img src=x>`"),
            ("", "` `"),
        ] {
            assert_eq!(code(text), shown);
        }
        assert_eq!(cell("a|b"), "`a\\|b`");
    }
}
