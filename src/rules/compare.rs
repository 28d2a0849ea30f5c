//! Two values one below the other, so that a reader sees which characters differ.
//!
//! Every character takes one column, because [`visible`] leaves no other. Equal parts give way to the window, differing
//! characters never do.

use crate::rules::plain_text::visible;

/// A narrower window has no room for a cut on both sides of a difference.
const LEAST: usize = 5;

/// Two rows of equal width, and a row with a caret below each column that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Aligned {
    pub(crate) rows: [String; 2],
    pub(crate) carets: String,
}

/// A column; `None` stands for the other row's inserted character.
type Column = [Option<char>; 2];

/// Places one value below the other in at most `width` columns. Long equal parts are replaced by `cut`, where that saves a row.
/// Values whose differences alone need more room continue in further rows of about the same width.
pub(crate) fn align(values: [&str; 2], width: usize, cut: &str) -> Vec<Aligned> {
    let columns = columns(values);
    let width = width.max(LEAST);
    let elided = elided(&columns, width, cut);
    // Nothing is cut out where that saves no row.
    let saves = elided.len() <= width || elided.len().div_ceil(width) < columns.len().div_ceil(width);
    let shown = if saves { elided } else { columns };
    let rows = shown.len().div_ceil(width).max(1);
    shown.chunks(shown.len().div_ceil(rows).max(1)).map(aligned).collect()
}

fn columns(values: [&str; 2]) -> Vec<Column> {
    let [a, b] = values.map(|value| visible(value).chars().collect::<Vec<char>>());
    if a.len() == b.len() {
        return a.into_iter().zip(b).map(|(a, b)| [Some(a), Some(b)]).collect();
    }
    // Something was inserted: what stands before and behind it is aligned.
    let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[before..], &b[before..]);
    let behind = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let middle = a.len().max(b.len()) - before - behind;
    let at = |value: &[char], column: usize| {
        let end = value.len() - behind;
        match column {
            _ if column < before + middle => value[..end].get(column).copied(),
            _ => value.get(end + column - before - middle).copied(),
        }
    };
    (0..before + middle + behind).map(|column| [at(&a, column), at(&b, column)]).collect()
}

fn is_equal(column: Column) -> bool {
    column[0] == column[1]
}

/// The columns with the longest ends of the equal parts that fit.
fn elided(columns: &[Column], width: usize, cut: &str) -> Vec<Column> {
    let parts: Vec<&[Column]> = columns.chunk_by(|a, b| is_equal(*a) == is_equal(*b)).collect();
    let cut: Vec<Column> = cut.chars().map(|c| [Some(c), Some(c)]).collect();
    let most = |kept: usize| 2 * kept + cut.len();
    let is_cut = |part: &[Column], kept: usize| {
        part.first().is_some_and(|column| is_equal(*column)) && part.len() > most(kept)
    };
    let used = |kept: usize| -> usize {
        parts.iter().map(|part| if is_cut(part, kept) { most(kept) } else { part.len() }).sum()
    };
    let (mut kept, mut too_many) = (0, columns.len() + 1);
    while too_many - kept > 1 {
        let middle = usize::midpoint(kept, too_many);
        if used(middle) <= width { kept = middle } else { too_many = middle }
    }
    let shown = |part: &[Column]| {
        if !is_cut(part, kept) {
            return part.to_vec();
        }
        [&part[..kept], &cut, &part[part.len() - kept..]].concat()
    };
    parts.into_iter().flat_map(shown).collect()
}

fn aligned(columns: &[Column]) -> Aligned {
    let row = |side: usize| columns.iter().map(|column| column[side].unwrap_or(' ')).collect();
    let carets: String = columns.iter().map(|column| if is_equal(*column) { ' ' } else { '^' }).collect();
    Aligned { rows: [row(0), row(1)], carets: carets.trim_end().to_owned() }
}

impl Aligned {
    /// The parts of one row, and true for each that differs.
    pub(crate) fn parts(&self, side: usize) -> Vec<(bool, String)> {
        let marks = self.carets.chars().chain(std::iter::repeat(' '));
        let marked: Vec<(char, bool)> = self.rows[side].chars().zip(marks.map(|mark| mark == '^')).collect();
        let parts = marked.chunk_by(|a, b| a.1 == b.1);
        parts.map(|part| (part[0].1, part.iter().map(|one| one.0).collect())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: [&str; 2], width: usize) -> Vec<[String; 3]> {
        let all = align(values, width, "…").into_iter();
        all.map(|Aligned { rows: [above, below], carets }| [above, below, carets]).collect()
    }

    #[test]
    fn differing_characters_stand_below_each_other() {
        for (values, width, wanted) in [
            (["abc", "abc"], 20, &[["abc", "abc", ""]][..]),
            (["abc", "axc"], 20, &[["abc", "axc", " ^"]]),
            (["1.32.0", "1.3.0"], 20, &[["1.32.0", "1.3 .0", "   ^"]]),
            (["1.3.0", "1.32.0"], 20, &[["1.3 .0", "1.32.0", "   ^"]]),
            (["aab", "ab"], 20, &[["aab", "a b", " ^"]]),
            (["", "ab"], 20, &[["  ", "ab", "^^"]]),
            (["", ""], 20, &[]),
            // All of it differs: it continues below, in rows of the same width.
            (["abcdefgh", "ijklmnop"], 5, &[["abcd", "ijkl", "^^^^"], ["efgh", "mnop", "^^^^"]]),
            // Nothing is cut out where that saves no row: here one digit is the same by chance.
            (["abcdefgh", "ijkdmnop"], 6, &[["abcd", "ijkd", "^^^"], ["efgh", "mnop", "^^^^"]]),
            // The ends of the equal parts stay.
            (["0123456789", "012345678x"], 8, &[["012…6789", "012…678x", "       ^"]]),
            (["0123456789", "x123456789"], 6, &[["012…89", "x12…89", "^"]]),
            (["0123456789ab", "x123456789ay"], 5, &[["01…ab", "x1…ay", "^   ^"]]),
            // Text from outside is shown as what it is, and takes the cells that it seems to take.
            (["a\u{7248}b", "a\u{202e}b"], 20, &[["a\\u{7248}b", "a\\u{202e}b", "    ^^^^"]]),
            (["a\u{1b}[2J", "a[2J"], 20, &[["a\\u{1b}[2J", "a      [2J", " ^^^^^^"]]),
            // Letters that look the same differ.
            (["acme", "\u{430}cme"], 20, &[["acme", "\u{430}cme", "^"]]),
        ] {
            assert_eq!(rows(values, width), wanted, "{values:?}");
        }
    }

    #[test]
    fn the_parts_of_a_row_are_its_text() {
        let [one] = &align(["1.32.0", "1.33.0"], 20, "..")[..] else { panic!("one row") };
        let part = |differs: bool, text: &str| (differs, text.to_owned());
        assert_eq!(one.parts(1), [part(false, "1.3"), part(true, "3"), part(false, ".0")]);
    }

    /// No width hides a character that differs, and no row is wider than the window.
    #[test]
    fn no_window_is_too_narrow_for_a_difference() {
        let honest: String = (0..64).map(|n| char::from(b'a' + n % 26)).collect();
        for place in 0..64 {
            let mut other: Vec<char> = honest.chars().collect();
            other[place] = '#';
            let other: String = other.into_iter().collect();
            for (width, cut) in (1..80).flat_map(|width| [(width, ".."), (width, "…")]) {
                let all = align([&honest, &other], width, cut);
                let parts = all.iter().flat_map(|one| one.parts(1));
                let marked: String = parts.filter(|part| part.0).map(|part| part.1).collect();
                assert_eq!(marked, "#", "{place} in {width}");
                let is_inside = |one: &Aligned| one.rows[0].chars().count() <= width.max(LEAST);
                assert!(all.iter().all(is_inside), "{place} in {width}: {all:?}");
            }
        }
    }
}
