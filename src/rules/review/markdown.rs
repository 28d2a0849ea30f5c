//! A review as Markdown: for a verdict on GitHub, an issue, a chat. What is from others is in code type, where it has no effect.

use crate::rules::markdown::{cell, code, put};
use crate::rules::review::{Reason, Result as Word, Review, ReviewedFile};

/// Characters of it: with what a maintainer adds it stays below what GitHub takes.
pub(crate) const LONGEST: usize = 40_000;

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

    /// What its word says, and no more than was looked at.
    fn meaning(&self) -> String {
        let has = |folder: &str| self.files.iter().any(|file| file.path.starts_with(folder));
        let entries = match self.result {
            Word::Same if has("providers/") => {
                "byte for byte what upstream gives; every archive of these versions was downloaded and hashed"
            }
            Word::Same if has("modules/") => "byte for byte what upstream gives; modules have no archives",
            Word::Same => "",
            Word::PersonDecides if self.waits_for_hashes() => {
                "a warning changes, which upstream cannot confirm: a person decides. The versions match the checksums that upstream lists; no archive was read"
            }
            Word::PersonDecides if self.files.iter().any(|file| !file.versions.is_empty()) => {
                "a warning changes, which upstream cannot confirm: a person decides. The versions are byte for byte what upstream gives"
            }
            Word::PersonDecides => "a warning changes, which upstream cannot confirm: a person decides",
            word => word.meaning(),
        };
        let entries = sentence(entries);
        let is_good = matches!(self.result, Word::Same | Word::PersonDecides | Word::NotHashed);
        let keys = if is_good && has("keys/") { SIGNS } else { "" };
        format!("{entries} {keys}").trim().to_owned()
    }
}

/// A capital and a full stop.
fn sentence(text: &str) -> String {
    let Some(first) = text.chars().next() else { return String::new() };
    format!("{}{}.", first.to_uppercase(), &text[first.len_utf8()..])
}

const SIGNS: &str = "Each key is as the registry's form writes it, signs what is indexed, and stops no version from installing.";

fn row(file: &ReviewedFile) -> String {
    let versions: Vec<String> = file.versions.iter().map(|version| cell(version)).collect();
    format!("| {} | {} | {} |", file.result.word(), cell(&file.path), versions.join(", "))
}

fn points(file: &ReviewedFile) -> Vec<String> {
    let sentence = |reason: &Reason<'_>| format!("- {}: {}", code(&file.path), code(&reason.sentence()));
    file.reasons().iter().map(sentence).collect()
}
