//! Text on its way to a cell: cleaned, measured, cut. Every text that came from outside passes [`clean`].
//!
//! Nothing here knows a screen. Widths are terminal cells by the Unicode tables; a cut never splits a wide character.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::rules::plain_text::is_plain;
use crate::tui::base::glyphs::Glyphs;

/// The arrow between the old and the new value of something that changed, such as a moved tag.
const ARROW: char = '→';

/// Replaces everything that is not plain (`rules::plain_text`: controls, bidi, zero-width and wide characters) by one visible
/// mark a character, so that columns keep their places. With plain glyphs the arrow in our own sentences becomes `>`.
pub(crate) fn clean(text: &str, glyphs: Glyphs) -> Cow<'_, str> {
    let is_kept = |c: char| is_plain(c) && (c != ARROW || glyphs == Glyphs::Unicode);
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let drawn = |c: char| match c {
        ARROW => glyphs.pick(ARROW, '>'),
        c if is_plain(c) => c,
        _ => glyphs.hidden(),
    };
    Cow::Owned(text.chars().map(drawn).collect())
}

/// Cells that the text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The longest start of the text that fits into `cells`.
pub(crate) fn start(text: &str, cells: usize) -> &str {
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
pub(crate) fn ending(text: &str, cells: usize) -> &str {
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
pub(crate) fn skip(text: &str, cells: usize) -> &str {
    &text[start(text, cells).len()..]
}

/// The sign of a text that was cut in its middle.
fn gap(glyphs: Glyphs) -> &'static str {
    glyphs.pick("…", "..")
}

/// Cuts in the middle: `terraform-sho…ter/shoreline`. For addresses, URLs and hashes.
pub(crate) fn elide_middle(text: &str, cells: usize, glyphs: Glyphs) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells < 6 {
        return elide_end(text, cells, glyphs);
    }
    let room = cells - width(gap(glyphs));
    let (head, tail) = (room - room / 2, room / 2);
    // Dots beside the cut would read as a part of it: `bea...6.1`.
    let (start, end) = (start(text, head).trim_end_matches('.'), ending(text, tail).trim_start_matches('.'));
    Cow::Owned(format!("{start}{}{end}", gap(glyphs)))
}

/// Cuts at the end: `3.2.4-alpha…`. For versions and sentences.
pub(crate) fn elide_end(text: &str, cells: usize, glyphs: Glyphs) -> Cow<'_, str> {
    if width(text) <= cells {
        return Cow::Borrowed(text);
    }
    if cells == 0 {
        return Cow::Borrowed("");
    }
    Cow::Owned(format!("{}{}", start(text, cells - 1), glyphs.pick("…", ">")))
}

/// A hash in short: its first 8 and last 5 digits.
pub(crate) fn short_hash(hash: &str, glyphs: Glyphs) -> String {
    if width(hash) <= 15 {
        return hash.to_owned();
    }
    format!("{}{}{}", start(hash, 8), gap(glyphs), ending(hash, 5))
}

/// Breaks a text at blanks into lines of at most `cells`; longer words are cut where they must.
pub(crate) fn wrap(text: &str, cells: usize) -> Vec<String> {
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
            // A path or a name is broken behind a slash or a hyphen, where that leaves no line nearly empty.
            let at = ['/', '-'].iter().find_map(|sign| head.rfind(*sign).filter(|at| *at >= head.len() / 3));
            let head = at.map_or(head, |at| &head[..=at]);
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
        for (glyphs, [zip, address, version, hash]) in [
            (Glyphs::Ascii, ["beaco..zip", "terraform..shoreline", "3.2.4-alpha>", "b6f7add0..38194"]),
            (Glyphs::Unicode, ["beaco…1.zip", "terraform-…shoreline", "3.2.4-alpha…", "b6f7add0…38194"]),
        ] {
            assert_eq!(elide_middle("beacon_1.6.1.zip", 11, glyphs), zip);
            assert_eq!(elide_middle(long, 20, glyphs), address);
            assert_eq!(elide_end("3.2.4-alpha.1", 12, glyphs), version);
            assert_eq!(short_hash("b6f7add03c464f43ac538c938194", glyphs), hash);
            for text in [long, "日本語のとても長い名前", "", "a"] {
                for cells in 0..30 {
                    assert!(width(&elide_middle(text, cells, glyphs)) <= cells, "{text} {cells}");
                    assert!(width(&elide_end(text, cells, glyphs)) <= cells, "{text} {cells}");
                }
            }
        }
    }

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("acme/terraform-aws-rocket", 12), ["acme/", "terraform-", "aws-rocket"]);
        assert_eq!(wrap("a/bcdefghijkl", 6), ["a/bcde", "fghijk", "l"], "no line is nearly empty");
    }
}
