//! The plan: proposed rebuilds that wait for review, what was said about each of their changes, and what of it may be sent.
//!
//! Marks belong to the content of a change, so a rebuild that did not alter a version keeps its marks and one that did loses
//! them. Nothing may be approved that was not looked at, and nothing here ever writes a data file. Called by `jobs`, drawn by
//! the faces.

mod file;
mod mark;
mod outcome;
mod piece;
mod remark;
mod sight;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt::Write;

use crate::registry::{Address, digest};
use crate::rules::proposal::Class;
use crate::rules::submission::NewKey;

pub(crate) use file::{FileState, Kept, PlannedFile, Standing, made_with};
pub(crate) use mark::{Answer, LONGEST_NOTE, Mark, Marks, Refusal};
pub use mark::{Verb, Which};
pub(crate) use outcome::{carry_over, content_digest};
pub use piece::PieceId;
pub(crate) use piece::{Part, Piece};
pub(crate) use remark::Remark;
pub(crate) use sight::{Arrivals, Sight, Unseen};

/// Digits of the digest that are shown and typed.
const SHORT: usize = 6;

/// All planned files, by path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub(crate) files: Vec<PlannedFile>,
    /// Addresses, as they were kept, of files that are planned and cannot be read.
    pub(crate) unreadable: Vec<String>,
}

/// How many of something there are, for headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) files: usize,
    pub(crate) approved: usize,
    pub(crate) held: usize,
    /// Changes that nobody has looked at, in files that may still be sent.
    pub(crate) unseen: usize,
}

/// What is digested begins with it.
const FORMAT: &str = "bumpdesk plan 2\n";

fn lines_of(parts: [&str; 3]) -> String {
    parts.join("\n") + "\n"
}

/// The digest of a plan that puts nothing on the blacklist and no key on file: [`Plan::digest`] of path, base and content of each
/// file, by their paths.
pub(crate) fn digest_of_files<'a>(files: impl IntoIterator<Item = [&'a str; 3]>) -> String {
    digest((FORMAT.to_owned() + &files.into_iter().map(lines_of).collect::<String>()).as_bytes())
}

impl Plan {
    pub(crate) fn new(mut files: Vec<PlannedFile>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, unreadable: Vec::new() }
    }

    /// Takes a file as it is now, in place of what is known of it.
    pub(crate) fn put(&mut self, file: PlannedFile) {
        match self.files.binary_search_by(|known| known.path.cmp(&file.path)) {
            Ok(at) => self.files[at] = file,
            Err(at) => self.files.insert(at, file),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn find(&self, address: &Address) -> Option<&PlannedFile> {
        self.files.iter().find(|file| file.address == *address)
    }

    /// The revision that the files were built on, `main@f00f6d5`; all of them where files were added on different ones.
    pub(crate) fn base(&self) -> String {
        let mut bases: Vec<&str> = self.files.iter().map(|file| file.revision.as_str()).collect();
        bases.sort_unstable();
        bases.dedup();
        bases.join(", ")
    }

    /// SHA-256 over all that would be sent, hex: path, base and content of every file that is neither held nor without
    /// effect. It stays the same when the same plan is built again, whoever builds it, and whenever: clock readings are left
    /// out. `None` if nothing would be sent.
    pub(crate) fn digest(&self) -> Option<String> {
        let mut text = String::from(FORMAT);
        for file in self.files.iter().filter(|file| file.may_be_sent()) {
            text.push_str(&lines_of([&file.path, &file.base_digest, &file.content_digest]));
            // No path begins so.
            if !file.blocks().is_empty() {
                let blocks = serde_json::to_string(file.blocks()).expect("plain structs of texts are JSON");
                let _ = writeln!(text, "blacklist {}", digest(blocks.as_bytes()));
            }
            if let Some(key) = file.key().and_then(NewKey::file) {
                let _ = writeln!(text, "key {}", digest(&key.text));
            }
        }
        (text.len() > FORMAT.len()).then(|| digest(text.as_bytes()))
    }

    /// The first digits of [`Self::digest`], which name the plan; empty if nothing would be sent.
    pub(crate) fn name(&self) -> String {
        self.digest().map(|digest| digest[..SHORT].to_owned()).unwrap_or_default()
    }

    /// How many files are of each class, without empty ones, in the order in which they ask for attention.
    pub(crate) fn class_counts(&self) -> Vec<(Class, usize)> {
        let classes =
            [Class::Removes, Class::Mutates, Class::Twins, Class::Additive, Class::Reorders, Class::Noop];
        let count = |class: Class| self.files.iter().filter(|file| file.class == class).count();
        classes.into_iter().map(|class| (class, count(class))).filter(|(_, count)| *count > 0).collect()
    }

    pub(crate) fn tally(&self) -> Tally {
        let count = |wanted: fn(&PlannedFile) -> bool| self.files.iter().filter(|file| wanted(file)).count();
        Tally {
            files: self.files.len(),
            approved: count(|file| file.state == FileState::Approved),
            held: count(|file| matches!(file.state, FileState::Held(_))),
            unseen: self.files.iter().filter(|file| file.may_be_sent()).map(PlannedFile::left_to_see).sum(),
        }
    }

    /// Whether everything that would be sent is approved, and there is something.
    pub(crate) fn is_approved(&self) -> bool {
        let mut sent = self.files.iter().filter(|file| file.may_be_sent()).peekable();
        sent.peek().is_some() && sent.all(|file| file.state == FileState::Approved)
    }
}
