//! Mistakes in what people write: where they stand in a text, and what was probably meant.
//!
//! Reads no file and knows no format; readers of configuration, keys and themes and the command line call it.

/// The known word that is fewest edits away, if it is near enough to be what was meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(128).collect();
    let limit = (word.len() / 3).clamp(1, 4);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let most = best.map_or(limit, |(edits, _)| edits.saturating_sub(1));
        if candidate.chars().count().abs_diff(word.len()) > most {
            continue;
        }
        let edits = distance(&word, candidate);
        if edits <= most && best.is_none_or(|(fewest, _)| edits < fewest) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Line and column of a byte of a text, both from 1, the column in characters.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// How many edits lie between two names of files; only their first 256 characters count.
pub(crate) fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(256).collect();
    let b: String = b.chars().take(256).collect();
    distance(&a, &b)
}

/// Edits between two words: letters put in, left out, changed, or two neighbours swapped.
fn distance(word: &[char], other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in word.iter().enumerate() {
        let mut next = Vec::with_capacity(other.len() + 1);
        next.push(row + 1);
        for (column, wanted) in other.iter().enumerate() {
            let mut edits = last[column] + usize::from(letter != wanted);
            edits = edits.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && word[row - 1] == *wanted {
                edits = edits.min(before[column - 1] + 1);
            }
            next.push(edits);
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or(word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_and_survive_odd_offsets() {
        for (at, wanted) in [(0, (1, 1)), (3, (1, 3)), (4, (2, 1)), (6, (2, 3)), (2, (2, 3)), (99, (2, 3))] {
            assert_eq!(place("aü\nbc", at), wanted, "{at}");
        }
    }

    #[test]
    fn the_nearest_word_is_found() {
        let known = ["hashicorp/aws", "hashicorp/awscc", "newrelic/newrelic", "api", "web"];
        let cases = [
            ("hashicorp/asw", Some("hashicorp/aws")),
            ("hashicrop/aws", Some("hashicorp/aws")),
            ("newrelic/newrelik", Some("newrelic/newrelic")),
            ("aip", Some("api")),
            ("nothing/like-it", None),
            ("", None),
        ];
        for (word, wanted) in cases {
            assert_eq!(nearest(word, known), wanted, "{word}");
        }
    }
}
