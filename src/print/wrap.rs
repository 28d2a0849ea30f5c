//! Prose that is wider than the terminal: broken between words, with the rest below where the text began.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// A part of a line as it will be seen, and its colour.
pub(super) type Piece<'a, C> = (Cow<'a, str>, Option<C>);

/// The lines of a text in so many columns; all but the first begin with `hang` blanks. A word that is wider than what is left
/// of a line is broken.
pub(super) fn wrapped<'a, C: Copy>(
    pieces: &[Piece<'a, C>],
    hang: usize,
    columns: usize,
) -> Vec<Vec<Piece<'a, C>>> {
    let text: String = pieces.iter().map(|(text, _)| &**text).collect();
    // Less than this is no column for prose: the terminal breaks the line.
    if columns < hang + 16 {
        return vec![pieces.to_vec()];
    }
    let blanks = || (" ".repeat(hang).into(), None);
    let ranges = ranges(&text, hang, columns);
    let mut lines: Vec<Vec<Piece<'a, C>>> = ranges.iter().map(|range| cut(pieces, range)).collect();
    for line in lines.iter_mut().skip(1) {
        line.insert(0, blanks());
    }
    lines
}

/// The bytes of the text on each line. Blanks at a break are on none.
fn ranges(text: &str, hang: usize, columns: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut start, mut cells, mut blank) = (0, 0, None);
    for (at, letter) in text.char_indices() {
        cells += letter.width().unwrap_or(0);
        // The indent of the first line is no place for a break.
        if letter == ' ' && text[start..at].ends_with(|before| before != ' ') && (start > 0 || at >= hang) {
            blank = Some(at);
        }
        if cells > columns && letter != ' ' {
            let end = blank.take().unwrap_or(at);
            lines.push(start..end);
            start = end + text[end..].len() - text[end..].trim_start_matches(' ').len();
            cells = hang + text[start..at].chars().filter_map(UnicodeWidthChar::width).sum::<usize>();
            cells += letter.width().unwrap_or(0);
        }
    }
    lines.push(start..text.len());
    lines
}

/// The part of the pieces that a range of their text is.
fn cut<'a, C: Copy>(pieces: &[Piece<'a, C>], range: &Range<usize>) -> Vec<Piece<'a, C>> {
    let mut at = 0;
    let mut parts = Vec::new();
    for (text, color) in pieces {
        let (first, last) = (range.start.max(at), range.end.min(at + text.len()));
        if first < last {
            parts.push((text[first - at..last - at].to_owned().into(), *color));
        }
        at += text.len();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::output::Color;

    fn shown(pieces: &[Piece<'_, Color>], hang: usize, columns: usize) -> Vec<String> {
        let lines = wrapped(pieces, hang, columns);
        lines.iter().map(|line| line.iter().map(|(text, _)| &**text).collect()).collect()
    }

    #[test]
    fn prose_goes_on_below_its_label() {
        let pieces = [
            ("why       ".into(), None),
            ("the tags could not be ".into(), Some(Color::Red)),
            ("read".into(), None),
        ];
        assert_eq!(shown(&pieces, 10, 80), ["why       the tags could not be read"]);
        assert_eq!(shown(&pieces, 10, 26), ["why       the tags could", "          not be read"]);
        // Two words keep their colour, the last has none.
        let second = wrapped(&pieces, 10, 26).remove(1);
        assert_eq!(
            second.iter().map(|(_, color)| *color).collect::<Vec<_>>(),
            [None, Some(Color::Red), None]
        );
        let long = [("why       ".into(), None), ("x".repeat(40).into(), None)];
        assert_eq!(
            shown(&long, 10, 30),
            [format!("why       {}", "x".repeat(20)), format!("          {}", "x".repeat(20))]
        );
        assert_eq!(shown(&pieces, 10, 20), ["why       the tags could not be read"]);
    }

    #[test]
    fn no_line_is_wider_and_no_word_is_lost() {
        let text = "status   X one two-three  four \u{e9}\u{4e2d}\u{4e2d} five ".repeat(7);
        for columns in 30..90 {
            let lines = shown(&[(text.as_str().into(), None)], 9, columns);
            for line in &lines {
                assert!(
                    unicode_width::UnicodeWidthStr::width(line.trim_end()) <= columns,
                    "{line} {columns}"
                );
            }
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&lines.join(" ")), words(&text), "{columns}");
        }
    }
}
