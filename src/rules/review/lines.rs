//! Where a file as it would be is otherwise than upstream gives it, line by line: what remarks stand beside.

use serde::Serialize;
use similar::{Algorithm, DiffOp, TextDiff};

/// Places of one file that are named, and lines of upstream at one place.
const MOST: (usize, usize) = (20, 3);
/// From the first line that differs to the last: where it is more, the first is named alone. It is a number and not a time, so
/// that the same review is the same text.
const MOST_COMPARED: usize = 4_000;

/// A line of the file as it would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct OtherLine {
    /// From 1.
    pub(crate) line: u64,
    /// What upstream gives there, without the spaces around it; nothing where it gives nothing.
    pub(crate) given: Vec<String>,
}

/// The first line of each place at which they differ. What is missing altogether stands beside no line.
pub(super) fn otherwise(made: &[u8], claimed: &[u8]) -> Vec<OtherLine> {
    let (made, claimed) = (String::from_utf8_lossy(made), String::from_utf8_lossy(claimed));
    let made: Vec<&str> = made.split_inclusive('\n').collect();
    let claimed: Vec<&str> = claimed.split_inclusive('\n').collect();
    let alike = made.iter().zip(&claimed).take_while(|(a, b)| a == b).count();
    let (made, claimed) = (&made[alike..], &claimed[alike..]);
    let behind = made.iter().rev().zip(claimed.iter().rev()).take_while(|(a, b)| a == b).count();
    let (made, claimed) = (&made[..made.len() - behind], &claimed[..claimed.len() - behind]);
    let given = |from: usize, count: usize| {
        let lines = made.iter().skip(from).take(count.min(MOST.1));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let at = |index: usize, given: Vec<String>| OtherLine { line: (alike + index) as u64 + 1, given };
    if claimed.is_empty() {
        return Vec::new();
    }
    if made.len().max(claimed.len()) > MOST_COMPARED {
        return vec![at(0, given(0, 1))];
    }
    let difference = TextDiff::configure().algorithm(Algorithm::Myers).diff_slices(made, claimed);
    let other = |op: &DiffOp| match *op {
        DiffOp::Insert { new_index, .. } => Some(at(new_index, Vec::new())),
        DiffOp::Replace { old_index, old_len, new_index, .. } => {
            Some(at(new_index, given(old_index, old_len)))
        }
        DiffOp::Equal { .. } | DiffOp::Delete { .. } => None,
    };
    difference.ops().iter().filter_map(other).take(MOST.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_named_by_its_first_line() {
        let of = |made: &str, claimed: &str| {
            let lines = otherwise(made.as_bytes(), claimed.as_bytes());
            lines.into_iter().map(|one| (one.line, one.given.join(" "))).collect::<Vec<_>>()
        };
        let told = |line: u64, given: &str| (line, given.to_owned());
        assert_eq!(of("a\nb\n", "a\nb\n"), []);
        assert_eq!(of("a\n b\nc\n", "a\nx\nc\n"), [told(2, "b")]);
        assert_eq!(of("a\nc\n", "a\nx\ny\nc\n"), [told(2, "")]);
        assert_eq!(of("a\nb\nc\n", "a\nc\n"), [], "what is missing has no line");
        assert_eq!(of("a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\n"), [told(1, "a"), told(5, "e")]);
        let long = |from: usize| {
            let lines: Vec<String> = (from..from + 9_000).map(|line| format!("{line}\n")).collect();
            lines.concat()
        };
        assert_eq!(of(&long(0), &long(50_000)), [told(1, "0")]);
    }
}
