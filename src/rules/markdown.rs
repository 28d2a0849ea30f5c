//! Text from others inside our Markdown: shown as it is, and without any effect.

use crate::rules::plain_text::visible;

/// Code type, around whatever back ticks stand in the text: no mention, link, image, markup or fence of others takes effect
/// in it. A table ends its cells at pipes even there.
pub(crate) fn code(text: &str) -> String {
    let text = visible(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Code type for the cell of a table.
pub(crate) fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
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
        ] {
            assert_eq!(code(text), shown);
        }
        assert_eq!(cell("a|b"), "`a\\|b`");
    }
}
