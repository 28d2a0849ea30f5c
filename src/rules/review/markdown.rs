//! A review as Markdown: for a verdict on GitHub, an issue, a chat. What is from others is in code type, where it has no effect.

use crate::rules::markdown::{cell, code, put};
use crate::rules::review::{Result as Word, Review, ReviewedFile};

/// Characters of it: with what a maintainer adds it stays below what GitHub takes.
pub(crate) const LONGEST: usize = 40_000;

impl Review {
    /// What it rests on. The same review is the same text, whenever it is made.
    pub(crate) fn markdown(&self) -> String {
        let program = env!("CARGO_PKG_VERSION");
        let mut text = format!(
            "**{}**: pull request #{} of {} at {}, made again from upstream on {} with bumpdesk {program}.\n\n{}\n",
            self.result.word(),
            self.pull.number,
            code(&self.pull.author),
            code(&self.pull.head),
            code(&self.merge_base),
            self.meaning(),
        );
        // What decides stands first: the end may be left out.
        let mut files: Vec<&ReviewedFile> = self.files.iter().collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.result));
        let rows = files.iter().copied().map(row);
        let head = "\n| result | file | versions |\n|---|---|---|\n";
        put(&mut text, head, rows, LONGEST * 2 / 3, "file");
        // The only reason may be among them.
        let notes: Vec<String> = self.notes.iter().map(|note| format!("- {}", code(note))).collect();
        put(&mut text, "\n", notes.into_iter(), LONGEST * 5 / 6, "note");
        let points: Vec<String> = files.into_iter().flat_map(points).collect();
        put(&mut text, "\n", points.into_iter(), LONGEST, "point");
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
                "a warning changes, which upstream cannot confirm: a person decides. The versions are the same by the checksums that upstream lists; no archive was read"
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
    file.points.iter().map(|point| format!("- {}: {}", code(&file.path), code(point))).collect()
}
