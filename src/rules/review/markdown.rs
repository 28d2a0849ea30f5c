//! A review as Markdown: for a verdict on GitHub, an issue, a chat. What is from others is in code type, where it has no effect.

use crate::rules::markdown::{cell, code, put};
use crate::rules::review::{Reason, Result as Word, Review, ReviewedFile};

/// Characters of it: with what a maintainer adds it stays below what GitHub takes.
pub(crate) const LONGEST: usize = 40_000;

/// Longer values, in characters, stay in their sentence, which is bounded. URLs and hashes are shorter.
const LONGEST_VALUE: usize = 200;

impl Review {
    /// What it rests on. The same review is the same text, whenever it is made.
    pub(crate) fn markdown(&self) -> String {
        let program = env!("CARGO_PKG_VERSION");
        let mut text = format!(
            "**{}**: {}\n\nbumpdesk {program} rebuilt the files of #{} by {} from upstream and compared them: {} on {}.\n",
            self.result.word(),
            self.meaning(),
            self.pull.number,
            code(&self.pull.author),
            code(&self.pull.head),
            code(&self.merge_base),
        );
        // What decides stands first: the end may be left out.
        let mut files: Vec<&ReviewedFile> = self.files.iter().collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.result));
        let rows = files.iter().copied().map(row);
        let head = "\n| result | file | versions |\n|---|---|---|\n";
        put(&mut text, head, rows, LONGEST * 2 / 3, "file");
        let points: Vec<String> = files.into_iter().flat_map(points).collect();
        put(&mut text, "\n", points.into_iter(), LONGEST * 5 / 6, "point");
        let notes: Vec<String> = self.notes.iter().map(|note| format!("- {}", code(note))).collect();
        // Without points the only reason is among the notes.
        let head = if self.files.iter().all(|file| file.points.is_empty()) { "\n" } else { "\nAlso:\n\n" };
        put(&mut text, head, notes.into_iter(), LONGEST, "note");
        text
    }

    /// The meaning of its word, as far as it was looked at: sentences.
    fn meaning(&self) -> String {
        let entries = sentence(self.meaning_of_entries());
        let keys = if self.has_good_keys() { sentence(KEYS_ARE_GOOD) } else { String::new() };
        format!("{entries} {keys}").trim().to_owned()
    }

    /// The meaning of its word, without a capital and a full stop at its ends.
    pub(crate) fn short_meaning(&self) -> &'static str {
        match self.meaning_of_entries() {
            "" => self.result.meaning(),
            entries => entries,
        }
    }

    fn has(&self, folder: &str) -> bool {
        self.files.iter().any(|file| file.path.starts_with(folder))
    }

    fn has_good_keys(&self) -> bool {
        matches!(self.result, Word::Same | Word::PersonDecides | Word::NotHashed) && self.has("keys/")
    }

    /// The meaning of its word for the entries; empty if it adds keys only.
    fn meaning_of_entries(&self) -> &'static str {
        match self.result {
            Word::Same if self.has("providers/") => {
                "byte for byte what upstream gives; every archive of these versions was downloaded and hashed"
            }
            Word::Same if self.has("modules/") => {
                "byte for byte what upstream gives; modules have no archives"
            }
            Word::Same => "",
            Word::PersonDecides if self.waits_for_hashes() => {
                "a warning changes, which upstream cannot confirm: a person decides. The versions match the checksums that upstream lists; no archive was read"
            }
            Word::PersonDecides if self.files.iter().any(|file| !file.versions.is_empty()) => {
                "a warning changes, which upstream cannot confirm: a person decides. The versions are byte for byte what upstream gives"
            }
            Word::PersonDecides => "a warning changes, which upstream cannot confirm: a person decides",
            word => word.meaning(),
        }
    }
}

/// A capital and a full stop.
fn sentence(text: &str) -> String {
    let Some(first) = text.chars().next() else { return String::new() };
    format!("{}{}.", first.to_uppercase(), &text[first.len_utf8()..])
}

const KEYS_ARE_GOOD: &str = "each key is as the registry's form writes it, signs what is indexed, and stops no version from installing";

fn row(file: &ReviewedFile) -> String {
    let versions: Vec<String> = file.versions.iter().map(|version| cell(version)).collect();
    format!("| {} | {} | {} |", file.result.word(), cell(&file.path), versions.join(", "))
}

fn points(file: &ReviewedFile) -> Vec<String> {
    file.reasons().iter().map(|reason| point(&file.path, reason)).collect()
}

/// A sentence, or two short values that differ below each other.
fn point(path: &str, reason: &Reason<'_>) -> String {
    let is_short = |value: &&str| value.chars().count() <= LONGEST_VALUE;
    let compared = reason.mismatch.and_then(|mismatch| Some((mismatch, mismatch.values()?)));
    let compared = compared.filter(|(_, values)| values.iter().all(is_short));
    let Some((mismatch, [claimed, upstream])) = compared else {
        return format!("- {}: {}", code(path), code(&reason.sentence()));
    };
    let place = format!("{} {}", mismatch.place(), mismatch.field);
    let side = |name: &str, value: &str| format!("  - {}", code(&format!("{name:<12} {value}")));
    let sides = [side("pull request", claimed), side("upstream", upstream)];
    format!("- {}: {} differs\n{}", code(path), code(&place), sides.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::review::Mismatch;

    fn mismatch(field: &str, claimed: &str, upstream: &str) -> Mismatch {
        Mismatch {
            point: 0,
            version: Some("1.9.0".into()),
            platform: Some("linux_amd64".into()),
            field: field.into(),
            claimed: Some(format!("{claimed:?}")),
            upstream: Some(format!("{upstream:?}")),
        }
    }

    #[test]
    fn two_values_that_differ_stand_below_each_other() {
        let text = |mismatch: Mismatch| {
            let point = crate::rules::review::Point::differs(&mismatch);
            let file = ReviewedFile {
                mismatches: vec![mismatch],
                ..ReviewedFile::of("providers/a/acme/rocket.json", Word::Differs, vec![point])
            };
            points(&file).concat()
        };
        assert_eq!(
            text(mismatch("shasum", "a0", "a8")),
            "- `providers/a/acme/rocket.json`: `1.9.0 linux_amd64 shasum` differs\n  - `pull request a0`\n  - `upstream     a8`"
        );
        // Nothing in them has an effect.
        let hostile = text(mismatch("shasum", "@all `x`", "a8"));
        assert!(hostile.contains("  - `` pull request @all `x` ``"), "{hostile}");
        // A value without end is not repeated.
        let long = text(mismatch("download_url", &"a".repeat(5_000), "a8"));
        assert!(long.lines().count() == 1 && long.contains("download_url is"), "{long}");
    }
}
