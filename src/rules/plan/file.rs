//! One planned file: its proposal piece by piece, and what would be sent of it.

use jiff::Timestamp;
use serde::Serialize;

use crate::registry::{Address, BLACKLIST, Blacklist, BlacklistEntry, Document, digest};
use crate::rules::diff;
use crate::rules::diff::{ChangeKind, Diff, Lines};
use crate::rules::edit::Edit;
use crate::rules::plan::mark::left_words;
use crate::rules::plan::outcome::{Left, content_digest, leave_out};
use crate::rules::plan::piece::pieces;
use crate::rules::plan::{Answer, Marks, Part, Piece, Remark};
use crate::rules::proposal::{Class, Mode};
use crate::rules::submission::NewKey;
use crate::rules::twins::{self, Twin};
use crate::settings::{Feature, Features};

/// What is kept of a planned file between runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) address: Address,
    pub(crate) mode: Mode,
    /// What it was built on: `main@f00f6d5`.
    pub(crate) revision: String,
    pub(crate) built_at: Timestamp,
    /// The program that built it, and its features: [`made_with`].
    pub(crate) made_with: String,
    /// The file's bytes that it was built on.
    pub(crate) base: Vec<u8>,
    /// What the registry's own process would write.
    pub(crate) proposed: Vec<u8>,
    /// What is put on the blacklist beside it.
    pub(crate) blocks: Vec<BlacklistEntry>,
    pub(crate) remarks: Vec<Remark>,
}

impl Kept {
    /// The key that is put on file beside it.
    pub(crate) fn key(&self) -> Option<&NewKey> {
        self.mode.edit().and_then(Edit::key)
    }

    /// The reason why the file can only be approved or rejected as a whole.
    fn inseparable(&self) -> Option<&'static str> {
        match () {
            () if self.base.is_empty() => Some(NEW_WHOLE),
            () if self.proposed.is_empty() => Some(GONE_WHOLE),
            () => None,
        }
    }

    /// The bytes that would be sent; empty if the file is deleted.
    fn bytes(&self, outcome: &Document, pieces: &[Piece]) -> Vec<u8> {
        let is_rejected = |piece: &Piece| piece.mark.answer == Answer::Rejected;
        let is_deleted = self.proposed.is_empty() && !pieces.iter().any(is_rejected);
        if is_deleted { Vec::new() } else { outcome.print() }
    }

    /// The file before and after.
    fn documents(&self) -> Result<(Document, Document), String> {
        let parse = |bytes: &[u8]| Document::parse_or_new(bytes).map_err(|error| error.to_string());
        Ok((parse(&self.base)?, parse(&self.proposed)?))
    }
}

const NEW_WHOLE: &str = "a new entry comes with all that upstream has, and the next bump would add the rest: approve all of it, or reject all of it";
const GONE_WHOLE: &str = "the file is deleted with all that is in it: approve all of it, or reject all of it";

/// This program with its features, as a plan notes who built it: `0.1.0 target-hashes module-commits`.
pub(crate) fn made_with(features: Features) -> String {
    let on = Feature::ALL.into_iter().filter(|feature| features.has(*feature)).map(Feature::name);
    std::iter::once(env!("CARGO_PKG_VERSION")).chain(on).collect::<Vec<_>>().join(" ")
}

/// Why nothing of a plan is sent that another program built, or this one with other features: both may write other bytes.
const MADE_OTHERWISE: &str =
    "another version of bumpdesk built this, or one with other features; rebuild the plan or drop it";

/// How the file in the registry stands to the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// It is the base.
    Current,
    /// It was changed since.
    Stale,
    /// It is not there any more, or cannot be read.
    Lost,
}

impl Standing {
    /// Why nothing may be approved; empty for a current file.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Current => "",
            Self::Stale => "the file in the registry changed since this was built; rebuild the plan",
            Self::Lost => {
                "the file is not in the registry any more, or cannot be read; rebuild the plan or drop it"
            }
        }
    }
}

/// What becomes of a planned file. The texts are sentences without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// It cannot be sent, and why.
    Held(String),
    /// There is nothing to send, and why.
    Nothing(String),
    /// Something of it is still to be looked at or answered.
    Open,
    /// All of it is approved, but for what was rejected.
    Approved,
}

impl FileState {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Held(_) => "HELD",
            Self::Nothing(_) => "NOTHING LEFT",
            Self::Open => "TO REVIEW",
            Self::Approved => "APPROVED",
        }
    }

    /// Why it is so; empty where the word says it all.
    pub(crate) fn reason(&self) -> &str {
        match self {
            Self::Held(reason) | Self::Nothing(reason) => reason,
            Self::Open | Self::Approved => "",
        }
    }
}

/// A planned file as it is shown. Made anew from what is kept whenever a mark changes.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedFile {
    pub address: Address,
    /// Below the registry's root.
    pub(crate) path: String,
    pub(crate) mode: Mode,
    pub(crate) revision: String,
    pub(crate) built_at: Timestamp,
    /// SHA-256 of the bytes that it was built on, hex.
    pub(crate) base_digest: String,
    /// The whole proposal, rejected versions included.
    pub(crate) diff: Diff,
    /// Its changes, in the order of the file.
    pub pieces: Vec<Piece>,
    pub(crate) remarks: Vec<Remark>,
    /// The twins that the whole proposal creates.
    twins: Vec<Twin>,
    pub(crate) standing: Standing,
    pub state: FileState,
    /// What the file would do without its rejected versions.
    pub(crate) left: Diff,
    pub(crate) class: Class,
    /// SHA-256 of what would be sent, hex: the proposal without its rejected versions.
    pub(crate) outcome_digest: String,
    /// The same without the clock readings of what is added: whoever builds it has this one.
    pub(crate) content_digest: String,
}

/// Why what changes a file in this way is held, with these changes of it; an edit may make what it is for.
pub(super) fn held_by(mode: &Mode, class: Class, changes: &[&Piece]) -> Option<&'static str> {
    let is_bad = |piece: &&&Piece| matches!(piece.class, Class::Mutates | Class::Removes);
    let mut bad = changes.iter().filter(is_bad).peekable();
    if bad.peek().is_some() && bad.all(|piece| is_meant(mode, piece)) {
        return None;
    }
    match class {
        Class::Mutates => Some(
            "indexed versions are immutable, and one would change; reject it, or settle it by the registry's policy",
        ),
        Class::Removes => Some(
            "an indexed version or target would disappear, and that needs the registry's policy; build the file without removals",
        ),
        Class::Noop | Class::Additive | Class::Reorders | Class::Twins => None,
    }
}

/// What would be put on the blacklist: all of it, or nothing where it was rejected.
fn blocks_of(pieces: &[Piece]) -> &[BlacklistEntry] {
    let is_sent = |piece: &&Piece| piece.mark.answer != Answer::Rejected && !piece.blocks.is_empty();
    pieces.iter().find(is_sent).map_or(&[], |piece| &piece.blocks)
}

/// Whether a key would be put on file.
fn adds_key(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| piece.part == Part::Key && piece.mark.answer != Answer::Rejected)
}

/// Whether an edit is made for this very change.
fn is_meant(mode: &Mode, piece: &Piece) -> bool {
    match (mode.edit(), &piece.part) {
        // A warning beside others changes the list of them.
        (Some(Edit::Warn(_) | Edit::RemoveEntry(_)), Part::Rest) => true,
        (Some(edit), Part::Version(version)) => piece.change == ChangeKind::Removed && edit.removes(version),
        _ => false,
    }
}

impl PlannedFile {
    /// Reads what was kept. `now` are the file's bytes as they lie in the registry at this moment, if they can be read.
    ///
    /// # Errors
    /// The kept bytes are no data file (any more).
    pub(crate) fn read(
        kept: &Kept,
        marks: &Marks,
        now: Option<&[u8]>,
        features: Features,
    ) -> Result<Self, String> {
        let (base, proposed) = kept.documents()?;
        let (kind, path) = (kept.address.kind(), kept.address.path());
        let diff = diff::compare(kind, &base, &proposed);
        let pieces = pieces(&path, kind, (&base, &proposed), &diff, &kept.blocks, kept.key(), marks);
        let standing = match now {
            None => Standing::Lost,
            Some(bytes) if bytes == kept.base => Standing::Current,
            Some(_) => Standing::Stale,
        };
        let left = leave_out(kind, (&base, &proposed, kept.inseparable()), &diff, &pieces, features);
        let (outcome, content, left, state) = match left {
            Left::Document(document) => {
                let left = diff::compare(kind, &base, &document);
                let state = state_of(standing, &kept.mode, left.class, &pieces);
                let bytes = kept.bytes(&document, &pieces);
                let content =
                    if bytes.is_empty() { digest(&bytes) } else { content_digest(&base, &document) };
                (bytes, content, left, state)
            }
            Left::Inseparable(reason) => {
                let bytes = kept.proposed.clone();
                (bytes.clone(), digest(&bytes), diff.clone(), FileState::Held(reason.to_owned()))
            }
        };
        let is_ours = kept.made_with == made_with(features);
        let state = if is_ours { state } else { FileState::Held(MADE_OTHERWISE.to_owned()) };
        let class = match left.class {
            // The blacklist is added to, or the keys.
            Class::Noop if !blocks_of(&pieces).is_empty() || adds_key(&pieces) => Class::Additive,
            class => class,
        };
        Ok(Self {
            address: kept.address.clone(),
            path,
            mode: kept.mode.clone(),
            revision: kept.revision.clone(),
            built_at: kept.built_at,
            base_digest: digest(&kept.base),
            diff,
            pieces,
            twins: twins::of_change(kind, &base, &proposed),
            remarks: kept.remarks.clone(),
            standing,
            state,
            class,
            left,
            outcome_digest: digest(&outcome),
            content_digest: content,
        })
    }

    /// What would be sent: the proposal without its rejected versions.
    ///
    /// # Errors
    /// The kept bytes are no data file (any more).
    pub(crate) fn outcome(&self, kept: &Kept, features: Features) -> Result<Vec<u8>, String> {
        let (base, proposed) = kept.documents()?;
        let kind = self.address.kind();
        Ok(
            match leave_out(kind, (&base, &proposed, kept.inseparable()), &self.diff, &self.pieces, features)
            {
                Left::Document(document) => kept.bytes(&document, &self.pieces),
                Left::Inseparable(_) => kept.proposed.clone(),
            },
        )
    }

    /// What would be put on the blacklist.
    pub(crate) fn blocks(&self) -> &[BlacklistEntry] {
        blocks_of(&self.pieces)
    }

    /// The key that would be put on file.
    pub(crate) fn key(&self) -> Option<&NewKey> {
        self.mode.edit().and_then(Edit::key).filter(|_| adds_key(&self.pieces))
    }

    /// The proposal as lines, rejected versions included; behind it the blacklist, where it is changed, or the key. `blacklist`: its bytes as it
    /// is; `None` where there is none.
    ///
    /// # Errors
    /// The kept bytes are no data file (any more), or the blacklist cannot be added to.
    pub(crate) fn lines(&self, kept: &Kept, blacklist: Option<&[u8]>) -> Result<Lines, String> {
        let (old, new) = kept.documents()?;
        let (base, proposed) = (kept.base.clone(), kept.proposed.clone());
        let lines = Lines::of(self.address.kind(), (&old, base), (&new, proposed), &self.diff);
        if let Some(file) = kept.key().and_then(NewKey::file) {
            return Ok(lines.and(&file.path, Lines::of_new(file.text)));
        }
        if kept.blocks.is_empty() {
            return Ok(lines);
        }
        let new = Blacklist::with(blacklist, &kept.blocks)?;
        Ok(lines.and(BLACKLIST, Lines::of_blacklist(blacklist.unwrap_or_default(), new)?))
    }

    /// The versions to send that clients cannot tell from others, including those with the same content.
    pub(crate) fn twins(&self) -> Vec<&Twin> {
        let is_sent = |twin: &&Twin| {
            self.pieces
                .iter()
                .any(|piece| piece.part.name() == twin.added && piece.mark.answer != Answer::Rejected)
        };
        self.twins.iter().filter(is_sent).collect()
    }

    /// Why what it does to indexed versions may not be sent; an edit may do what it is made for.
    pub(crate) fn forbidden(&self) -> Option<&'static str> {
        let is_rejected = |piece: &&Piece| piece.mark.answer == Answer::Rejected;
        let stays: Vec<&Piece> = self.pieces.iter().filter(|piece| !is_rejected(piece)).collect();
        held_by(&self.mode, self.class, &stays)
    }

    /// Whether it is among what would be sent.
    pub(crate) fn may_be_sent(&self) -> bool {
        matches!(self.state, FileState::Open | FileState::Approved)
    }

    /// Changes that nobody has looked at; rejected ones need no look.
    pub(crate) fn left_to_see(&self) -> usize {
        self.unseen().len()
    }

    /// Changes that are left out of what would be sent.
    pub(crate) fn rejected(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.mark.answer == Answer::Rejected).count()
    }

    pub(crate) fn seen(&self) -> usize {
        self.pieces.iter().filter(|piece| piece.mark.seen).count()
    }

    /// `1 version left to look at`; `None` where there is none.
    pub(crate) fn left_words(&self) -> Option<String> {
        left_words(&self.unseen()).map(|left| format!("{left} left to look at"))
    }

    /// What is to be done next, in words: `1 version left to look at before it can be approved`.
    pub(crate) fn next_step(&self) -> String {
        match (&self.state, self.left_words()) {
            (FileState::Held(reason), _) => format!("held: {reason}"),
            (FileState::Nothing(reason), _) => reason.clone(),
            (FileState::Approved, _) => self.after_review(),
            (FileState::Open, Some(left)) => {
                format!("{left} before it can be approved")
            }
            (FileState::Open, None) => "seen: approve or reject it".to_owned(),
        }
    }

    /// The way on from an approved file. A bump would write what was rejected as well.
    fn after_review(&self) -> String {
        let is_whole = self.pieces.iter().all(|piece| piece.mark.answer == Answer::Approved);
        match self.mode.name() {
            "add" if is_whole => {
                format!("`bumpdesk pr open` sends it, or `bumpdesk bump {}` writes the file", self.address)
            }
            _ => "`bumpdesk pr open` sends it".to_owned(),
        }
    }

    fn unseen(&self) -> Vec<&Piece> {
        let waits = |piece: &&Piece| !piece.mark.seen && piece.mark.answer != Answer::Rejected;
        self.pieces.iter().filter(waits).collect()
    }
}

fn state_of(standing: Standing, mode: &Mode, class: Class, pieces: &[Piece]) -> FileState {
    if standing != Standing::Current {
        return FileState::Held(standing.text().to_owned());
    }
    let is_rejected = |piece: &Piece| piece.mark.answer == Answer::Rejected;
    let stays: Vec<&Piece> = pieces.iter().filter(|piece| !is_rejected(piece)).collect();
    if let Some(reason) = held_by(mode, class, &stays) {
        return FileState::Held(reason.to_owned());
    }
    if class == Class::Noop && blocks_of(pieces).is_empty() && !adds_key(pieces) {
        let all = !pieces.is_empty() && pieces.iter().all(is_rejected);
        let reason = if all {
            "every change was rejected: the file stays as it is and is not sent"
        } else {
            "the registry already says the same: there is nothing to send"
        };
        return FileState::Nothing(reason.to_owned());
    }
    let is_done =
        |piece: &Piece| is_rejected(piece) || (piece.mark.answer == Answer::Approved && piece.mark.seen);
    if pieces.iter().all(is_done) { FileState::Approved } else { FileState::Open }
}
