//! Text on its way to a cell: cleaned, measured, cut. Every text that came from outside passes [`clean`].
//!
//! Nothing here knows a screen. Widths are terminal cells by the Unicode tables; a cut never splits a wide character.

pub(super) use crate::rules::plain_text::grouped;
use std::borrow::Cow;

use jiff::Timestamp;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::rules::plain_text::is_plain;
use crate::tui::glyphs::Glyphs;

/// Replaces everything that is not plain (`rules::plain_text`: controls, bidi, zero-width and wide characters) by one visible
/// mark a character, so that columns keep their places.
pub(super) fn clean(text: &str, glyphs: Glyphs) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mark = glyphs.hidden();
    Cow::Owned(text.chars().map(|c| if is_plain(c) { c } else { mark }).collect())
}

/// Cells that the text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The longest start of the text that fits into `cells`.
pub(super) fn start(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > cells {
            return &text[..at];
        }
    }
    text
}

/// The longest end of the text that fits into `cells`.
pub(super) fn ending(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices().rev() {
        used += c.width().unwrap_or(0);
        if used > cells {
            return &text[at + c.len_utf8()..];
        }
    }
    text
}

/// The text without its first `cells` cells.
pub(super) fn skip(text: &str, cells: usize) -> &str {
    &text[start(text, cells).len()..]
}

/// Cuts in the middle: `terraform-sho..ter/shoreline`. For addresses, URLs and hashes.
pub(super) fn elide_middle(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells < 6 {
        return elide_end(text, cells);
    }
    let tail = (cells - 2) / 2;
    let head = cells - 2 - tail;
    Cow::Owned(format!("{}..{}", start(text, head), ending(text, tail)))
}

/// Cuts at the end: `3.2.4-alpha>`. For versions and sentences.
pub(super) fn elide_end(text: &str, cells: usize) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells == 0 {
        return Cow::Borrowed("");
    }
    Cow::Owned(format!("{}>", start(text, cells - 1)))
}

/// A hash in short: its first 8 and last 5 digits.
pub(super) fn short_hash(hash: &str) -> String {
    if width(hash) <= 15 { hash.to_owned() } else { format!("{}..{}", start(hash, 8), ending(hash, 5)) }
}

/// Breaks a text at blanks into lines of at most `cells`; longer words are cut where they must.
pub(super) fn wrap(text: &str, cells: usize) -> Vec<String> {
    let cells = cells.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word = word;
        if !line.is_empty() && width(&line) + 1 + width(word) > cells {
            lines.push(std::mem::take(&mut line));
        }
        while width(word) > cells {
            let head = start(word, cells);
            if head.is_empty() {
                break;
            }
            lines.push(head.to_owned());
            word = &word[head.len()..];
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// A number and its noun: `1 version`, `2,856 targets`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// How long ago, for lists: `now`, `12m`, `6h`, `30d`, `4y`; `-` if nobody knows.
pub(super) fn age(at: Option<Timestamp>, now: Timestamp) -> String {
    let Some(at) = at else { return "-".into() };
    let minutes = (now.as_second() - at.as_second()).max(0) / 60;
    match minutes {
        0 => "now".into(),
        1..60 => format!("{minutes}m"),
        60..2880 => format!("{}h", minutes / 60),
        2880..1_440_000 => format!("{}d", minutes / 1440),
        _ => format!("{}y", minutes / 525_600),
    }
}

/// A clock time in UTC, with the date unless it is today: `12:05Z`, `2026-09-22 12:05Z`.
pub(super) fn clock(at: Timestamp, now: Timestamp) -> String {
    let today = at.strftime("%Y-%m-%d").to_string() == now.strftime("%Y-%m-%d").to_string();
    if today { at.strftime("%H:%MZ").to_string() } else { at.strftime("%Y-%m-%d %H:%MZ").to_string() }
}

/// A time span in words, for time left: `45s`, `7m`, `2h 10m`.
pub(super) fn span(seconds: u64) -> String {
    match seconds {
        0..90 => format!("{seconds}s"),
        90..5400 => format!("{}m", seconds.div_ceil(60)),
        _ => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_or_hides_text_passes() {
        for c in ('\0'..' ').chain('\u{7f}'..'\u{a0}').chain([
            '\u{202a}',
            '\u{202e}',
            '\u{2066}',
            '\u{2069}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{61c}',
            '\u{2060}',
            '\u{feff}',
            '\u{2028}',
            '\u{2029}',
            '\u{e0041}',
            '\u{fe0f}',
            '\u{301}',
            '日',
        ]) {
            let text = format!("a{c}b");
            assert_eq!(clean(&text, Glyphs::Unicode), "a⋅b", "{c:?}");
            assert_eq!(clean(&text, Glyphs::Ascii), "a?b", "{c:?}");
        }
        for text in ["plain", "grün", "✓ ⊗ … ⋅"] {
            assert_eq!(clean(text, Glyphs::Unicode), text);
        }
    }

    #[test]
    fn cuts_fit_and_keep_both_ends() {
        let long = "terraform-shoreline-cluster/shoreline";
        assert_eq!(elide_middle(long, 20), "terraform..shoreline");
        assert_eq!(elide_end("3.2.4-alpha.1", 12), "3.2.4-alpha>");
        assert_eq!(short_hash("b6f7add03c464f43ac538c938194"), "b6f7add0..38194");
        for text in [long, "日本語のとても長い名前", "", "a"] {
            for cells in 0..30 {
                assert!(width(&elide_middle(text, cells)) <= cells, "{text} {cells}");
                assert!(width(&elide_end(text, cells)) <= cells, "{text} {cells}");
            }
        }
    }

    #[test]
    fn wrapping_numbers_and_times() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(
            (grouped(27_463), grouped(999), grouped(1_000_000)),
            ("27,463".into(), "999".into(), "1,000,000".into())
        );
        let now: Timestamp = "2026-09-22T12:05:00Z".parse().unwrap();
        let cases = [
            ("2026-09-22T12:04:30Z", "now", "12:04Z"),
            ("2026-09-22T11:30:00Z", "35m", "11:30Z"),
            ("2026-09-21T12:05:00Z", "24h", "2026-09-21 12:05Z"),
            ("2026-08-23T12:05:00Z", "30d", "2026-08-23 12:05Z"),
            ("2020-08-23T12:05:00Z", "6y", "2020-08-23 12:05Z"),
        ];
        for (at, short, long) in cases {
            let at: Timestamp = at.parse().unwrap();
            assert_eq!((age(Some(at), now).as_str(), clock(at, now).as_str()), (short, long));
        }
        assert_eq!(age(None, now), "-");
        assert_eq!((span(45), span(400), span(7800)), ("45s".into(), "7m".into(), "2h 10m".into()));
    }
}
