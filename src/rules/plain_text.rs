//! Text from outside, made fit for a terminal: nothing that moves the cursor, changes direction or takes another width
//! than one cell gets through. All faces pass addresses, tags, titles, paths and errors through [`visible`].
//!
//! What is replaced stays readable as what it is (`\u{1b}`), so that a strange tag can be seen to be strange.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

use crate::rules::amount::counted;

/// Whether a character may reach a terminal as it is: one cell wide, no control, no direction mark, nothing invisible.
pub(crate) fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~') || !is_hidden(c) && c.width() == Some(1)
}

/// Whether a terminal obeys a character, or shows nothing of it.
pub(crate) fn is_hidden(c: char) -> bool {
    match c {
        // Soft hyphen, line and paragraph separator, annotation marks, Hangul fillers: they have a width by the tables, and
        // are unseen or obeyed by terminals.
        '\u{ad}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' => true,
        _ => c.width().is_none_or(|cells| cells == 0),
    }
}

/// The text with every character that is not [`is_plain`] written as a mark: `\n`, `\t`, `\u{202e}`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(|c| !is_plain(c)) else { return Cow::Borrowed(text) };
    let mut plain = String::with_capacity(text.len() + 16);
    plain.push_str(&text[..first]);
    for c in text[first..].chars() {
        match c {
            '\n' => plain.push_str("\\n"),
            '\r' => plain.push_str("\\r"),
            '\t' => plain.push_str("\\t"),
            _ if is_plain(c) => plain.push(c),
            _ => {
                let _ = write!(plain, "{}", c.escape_unicode());
            }
        }
    }
    Cow::Owned(plain)
}

/// The first `most` characters of a text, and the number of those left out: `abc… (5,242,877 more characters)`.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let more = counted(text[end..].chars().count(), "more character");
            Cow::Owned(format!("{}… ({more})", &text[..end]))
        }
    }
}

/// A text as one word of a POSIX shell's command line: as it is where that is safe, else in single quotes.
pub(crate) fn shell_word(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "-._/@:=+,%".contains(c);
    if !text.is_empty() && text.chars().all(safe) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let cases = [
            ("hashicorp/aws", "hashicorp/aws"),
            ("größe ✓ ⊗", "größe ✓ ⊗"),
            ("v1\u{1b}[2J", "v1\\u{1b}[2J"),
            ("a\nb\tc\rd\0", "a\\nb\\tc\\rd\\u{0}"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("v\u{202e}0.1", "v\\u{202e}0.1"),
            ("\u{2066}x\u{2069}\u{61c}\u{200e}", "\\u{2066}x\\u{2069}\\u{61c}\\u{200e}"),
            ("a\u{200b}b\u{feff}c\u{ad}", "a\\u{200b}b\\u{feff}c\\u{ad}"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("e\u{301}", "e\\u{301}"),
            ("版1", "\\u{7248}1"),
            ("\u{e0041}\u{fe0f}\u{3164}", "\\u{e0041}\\u{fe0f}\\u{3164}"),
        ];
        for (text, wanted) in cases {
            assert_eq!(visible(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_says_how_much_was_cut() {
        for (text, most, wanted) in [
            ("", 3, String::new()),
            ("abc", 3, "abc".to_owned()),
            ("abcd", 3, "abc… (1 more character)".to_owned()),
            ("äöüß", 2, "äö… (2 more characters)".to_owned()),
            (&*"x".repeat(5 << 20), 3, "xxx… (5,242,877 more characters)".to_owned()),
        ] {
            assert_eq!(shortened(text, most), wanted);
        }
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(visible("v1.2.3"), Cow::Borrowed(_)));
    }

    proptest::proptest! {
        #[test]
        fn every_cell_is_one_wide(text in "\\PC*|.*") {
            let plain = visible(&text);
            proptest::prop_assert!(plain.chars().all(is_plain));
            proptest::prop_assert_eq!(visible(&plain), &*plain);
        }
    }

    #[test]
    fn a_word_for_the_shell_is_one_word() {
        let cases = [
            ("acme/rocket", "acme/rocket"),
            ("", "''"),
            ("x/$(touch it)", "'x/$(touch it)'"),
            ("it's; a", "'it'\\''s; a'"),
        ];
        for (text, wanted) in cases {
            assert_eq!(shell_word(text), wanted);
        }
    }
}
