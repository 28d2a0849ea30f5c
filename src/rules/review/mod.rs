//! A pull request of another author, checked against upstream: its claims about each file, beside the versions made again.
//!
//! Nothing in it is trusted: not its text, not its diff, not its block of evidence. Sources that could not be read are unknown,
//! and never count as equal. Pure; `jobs::review` reads both sides.

mod around;
mod blacklist;
mod bound;
mod clock;
mod difference;
mod evidence;
mod file;
mod ground;
mod key;
mod lines;
mod markdown;
mod mismatch;
mod opinion;
mod point;
mod since;
#[cfg(test)]
mod tests;
pub(crate) mod tree;
mod warnings;

use jiff::Timestamp;
use serde::Serialize;

use crate::rules::plain_text::visible;
use crate::settings::words;

#[cfg(test)]
pub(crate) use around::AroundCheck;
pub(crate) use around::{
    LooksLike, Maker, OtherPull, Owner, Predicted, PullCommit, PullContext, Signature, SignedVersions,
    Signing, Standing, known, owners, reads_like,
};
pub(crate) use blacklist::kept_out;
pub(crate) use bound::{MOST_FILE_BYTES, MOST_SMALL_BYTES};
pub(crate) use clock::TOLERATED;

pub(crate) use difference::{Against, Difference, FileDifferences, PullDifferences, has_room, left_out};
pub(crate) use evidence::{Digests, EVIDENCE_BLOCK, SideDigests};
pub(crate) use file::{BLACKLISTED, Claim, Derived, Judged};
pub(crate) use ground::{ChangedPath, FOLDER, Ground, Leaf};
pub(crate) use key::{KeyClaim, replaced};
pub(crate) use lines::OtherLine;
pub(crate) use markdown::LONGEST as LONGEST_MARKDOWN;
pub(crate) use mismatch::Mismatch;

pub(crate) use opinion::{Opinion, OwnVerdict, Remark};
pub(crate) use point::{Point, Reason, Statement};
pub(crate) use tree::{ListedFile, Tree};

words! {
    /// The result for a file and for all of them. Each outweighs those before it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Result: [word] {
        /// Byte for byte what upstream gives, its archives hashed.
        Same = "SAME",
        /// Equal to upstream by the checksums that upstream lists: no archive was read.
        NotHashed = "SAME, NOT HASHED",
        /// A warning changes, which cannot be compared with upstream. All versions in the file match upstream.
        PersonDecides = "A PERSON DECIDES",
        /// Something could not be read.
        Unknown = "UNKNOWN",
        /// Upstream gives something else, or the registry has changed since then, or the evidence is about something else.
        Differs = "DIFFERS",
        /// The registry's policy does not let it happen for what upstream gives alone.
        Refused = "REFUSED",
    }
}

impl Result {
    /// The word in a column, which has no room for a phrase.
    pub(crate) const fn column_word(self) -> &'static str {
        match self {
            Self::NotHashed => "NOT HASHED",
            Self::PersonDecides => "TO DECIDE",
            _ => self.word(),
        }
    }

    /// The meaning of the word, for the console, the manual and Markdown.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Same => "everything it adds is what upstream gives; every archive of a provider was hashed",
            Self::NotHashed => "it matches the checksums that upstream lists; no archive was read",
            Self::PersonDecides => "a warning changes, which upstream cannot confirm: a person decides",
            Self::Unknown => "something could not be read, so it is not known to be fine",
            Self::Differs => "something in it does not match; each difference is named",
            Self::Refused => "policy: it removes or changes something indexed, or people must decide",
        }
    }
}

/// One path of a pull request, as it was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ReviewedFile {
    pub(crate) path: String,
    pub(crate) result: Result,
    /// Versions that it adds or changes, as stored.
    pub(crate) versions: Vec<String>,
    /// The reasons for the word, each with its place.
    pub(crate) points: Vec<Point>,
    /// The points that are about one value, and the value from upstream.
    pub(crate) mismatches: Vec<Mismatch>,
    /// The parts beside the mismatches that were compared and are as upstream gives them: sentences.
    #[serde(skip)]
    pub(crate) equal: Vec<String>,
    /// The lines that differ from upstream, if all sources were read.
    pub(crate) lines: Vec<OtherLine>,
    /// True if the file has versions whose archives were not hashed.
    #[serde(skip)]
    pub(crate) lacks_hashes: bool,
}

/// A pull request that waits, as the list of them has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenPull {
    pub(crate) number: u64,
    pub(crate) title: String,
    /// The author's login.
    pub(crate) author: String,
    pub(crate) opened: Timestamp,
    /// The time of the last news, of any kind.
    pub(crate) updated: Timestamp,
    pub(crate) draft: bool,
    /// The URL of its page.
    pub(crate) url: String,
    /// The commit at its tip.
    pub(crate) head: String,
    /// The branch that it is for.
    pub(crate) base: String,
}

/// A pull request, made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Review {
    /// With the commit that was looked at.
    #[serde(flatten)]
    pub(crate) pull: OpenPull,
    /// The newest commit that it has in common with the branch that it is for.
    pub(crate) merge_base: String,
    pub(crate) result: Result,
    pub(crate) files: Vec<ReviewedFile>,
    /// Notes for the reader that decide nothing: sentences.
    pub(crate) notes: Vec<String>,
    /// `None`: it was not asked for.
    pub(crate) around: Option<PullContext>,
    /// The id of the branch's topmost folder that it was held against; empty where it was held against none.
    #[serde(skip)]
    pub(crate) stands_on: String,
}

impl OpenPull {
    /// Returns true if the other is the same change: the same commit, for the same branch.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        (&self.head, &self.base) == (&other.head, &other.base)
    }
}

impl ReviewedFile {
    /// One whose content is not what decides.
    pub(crate) fn of(path: &str, result: Result, points: Vec<Point>) -> Self {
        let mut file = Self {
            path: path.to_owned(),
            result,
            versions: Vec::new(),
            points: Vec::new(),
            mismatches: Vec::new(),
            equal: Vec::new(),
            lines: Vec::new(),
            lacks_hashes: false,
        };
        file.found(Judged::new(result, points));
        file
    }

    pub(crate) fn found(&mut self, Judged { word, points, mismatches, equal }: Judged) {
        (self.result, self.points) = (word, bound::bounded(points));
        (self.mismatches, self.equal) = (mismatches, equal);
        self.drop_cut_mismatches();
    }

    /// The points as a reader sees them: those that say the same of several platforms or versions are one.
    pub(crate) fn reasons(&self) -> Vec<Reason<'_>> {
        let one_version = match &self.versions[..] {
            [one] => Some(one.as_str()),
            _ => None,
        };
        point::reasons(&self.points, &self.mismatches, one_version)
    }

    /// Drops the mismatches whose points were cut or left out.
    fn drop_cut_mismatches(&mut self) {
        let points = &self.points;
        self.mismatches.retain(|one| points.get(one.point).is_some_and(|point| *point == one.sentence()));
    }
}

impl Review {
    /// One of which not even the commits could be read, and why.
    pub(crate) fn unread(pull: OpenPull, why: String) -> Self {
        Self {
            pull,
            merge_base: String::new(),
            result: Result::Unknown,
            files: Vec::new(),
            notes: vec![why],
            around: None,
            stands_on: String::new(),
        }
    }

    /// Replaces the result of a file that rests on a part of the branch that has changed, or may have.
    pub(crate) fn no_longer(&mut self, at: usize, why: String) {
        let file = &mut self.files[at];
        if file.result < Result::Unknown {
            file.found(Judged::new(Result::Unknown, vec![why.into()]));
            self.result = self.result.max(Result::Unknown);
        }
    }

    /// Returns true if, by its paths, nothing in it is the registry's data, keys or blacklist.
    pub(crate) fn is_elsewhere(&self) -> bool {
        !self.files.is_empty() && !self.files.iter().any(|file| ground::is_data(&file.path))
    }

    /// Returns true if the review lacks only the hashes of archives.
    pub(crate) fn waits_for_hashes(&self) -> bool {
        let is_open = self.result == Result::PersonDecides && self.files.iter().any(|file| file.lacks_hashes);
        self.result == Result::NotHashed || is_open
    }

    /// A sentence if it submits a key of an owner to whom the author does not visibly belong.
    pub(crate) fn unseen_key_owner(&self) -> Option<String> {
        let of_keys = self.files.iter().map(|file| &*file.path).filter(|path| path.starts_with("keys/"));
        self.unseen_owner(of_keys)
    }

    /// A note for a change that a person decides about: it says whether the author belongs to the owners of the
    /// entries.
    pub(crate) fn author_of_warnings(&self) -> String {
        let decides = |file: &&ReviewedFile| file.result == Result::PersonDecides;
        let paths = || self.files.iter().filter(decides).map(|file| &*file.path);
        self.unseen_owner(paths()).unwrap_or_else(|| {
            format!("{} belongs to the owner, {}", visible(&self.pull.author), owners(paths()).join(", "))
        })
    }

    /// An owner of these files to whom the author does not visibly belong.
    fn unseen_owner<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Option<String> {
        let author = visible(&self.pull.author);
        let reason = |login: &String| {
            let known = self.around.iter().flat_map(|around| &around.owners);
            let owner = known.into_iter().find(|owner| owner.login.eq_ignore_ascii_case(login));
            match owner.map_or(Standing::Unknown, |owner| owner.author_is) {
                Standing::SameAccount | Standing::PublicMember => None,
                Standing::NotVisible => Some(format!("{author} is not visible as one of {login}")),
                Standing::Unknown => Some(format!("whether {author} is one of {login} is not known")),
            }
        };
        owners(paths).iter().find_map(reason)
    }

    /// The first reason of the first file that decides the result, and the number of all other reasons.
    pub(crate) fn first_reason(&self) -> Option<(&ReviewedFile, Reason<'_>, usize)> {
        let mut decides = self.files.iter().filter(|file| file.result == self.result);
        let (file, reason) = decides.find_map(|file| Some((file, file.reasons().into_iter().next()?)))?;
        let all: usize = self.files.iter().map(|file| file.reasons().len()).sum();
        Some((file, reason, all - 1))
    }

    /// The names that the author's login, or the maker of a commit, reads like and is not. An author is compared with the
    /// owners of the files before anything around the pull request was read.
    pub(crate) fn look_alikes(&self) -> Vec<LooksLike> {
        match &self.around {
            Some(around) if !around.reads_like.is_empty() => around.reads_like.clone(),
            _ => {
                let owners = owners(self.files.iter().map(|file| &*file.path));
                reads_like(&self.pull.author, owners.iter().map(String::as_str))
            }
        }
    }

    /// Cuts the points and notes to their limits.
    fn bounded(mut self) -> Self {
        bound::bounded_in_all(self.files.iter_mut().map(|file| &mut file.points));
        self.files.iter_mut().for_each(ReviewedFile::drop_cut_mismatches);
        Self { notes: bound::bounded_notes(self.notes), ..self }
    }

    /// Sets the word for the whole to that of its worst file; without files it is unknown.
    pub(crate) fn judged(mut self) -> Self {
        self.result = self.files.iter().map(|file| file.result).max().unwrap_or(Result::Unknown);
        self
    }
}
