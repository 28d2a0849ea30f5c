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
mod tests {
    use super::*;

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
