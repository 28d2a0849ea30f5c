//! Mistakes in what people write: where they stand in a text, and what was probably meant.
//!
//! Reads no file and knows no format; readers of configuration, keys and themes and the command line call it.

use strsim::osa_distance;

/// The known word that is fewest edits away, if it is near enough to be what was meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: String = word.chars().take(128).collect();
    let length = word.chars().count();
    let limit = (length / 3).clamp(1, 4);
    known
        .into_iter()
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (osa_distance(&word, candidate), candidate))
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Line and column of a byte of a text, both from 1, the column in characters.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The number of edits between two names of files: letters put in, left out or changed, or two neighbours swapped. Only their
/// first 256 characters count.
pub(crate) fn edits(a: &str, b: &str) -> usize {
    let start = |name: &str| name.chars().take(256).collect::<String>();
    osa_distance(&start(a), &start(b))
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
