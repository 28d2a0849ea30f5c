//! What was said about a change, and what may be said next.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rules::plan::file::held_by;
use crate::rules::plan::{FileState, Part, Piece, PieceId, PlannedFile, Standing};
use crate::settings::words;

/// The marks of one file's changes; those without one are not in it.
pub(crate) type Marks = BTreeMap<PieceId, Mark>;

/// What was said about one change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// It was on a screen, or printed in full.
    #[serde(default)]
    pub seen: bool,
    #[serde(default)]
    pub(crate) answer: Answer,
    /// For oneself and for the text of a pull request; empty if there is none.
    #[serde(default)]
    pub note: String,
}

words! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Answer: [word] {
        #[default]
        Open = "open",
        Approved = "approved",
        Rejected = "rejected",
    }
}

/// What somebody says about changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    See,
    Approve,
    Reject,
    /// Takes an approval or a rejection back.
    Reopen,
    /// An empty text takes the note away.
    Note(String),
}

/// Which changes of a file are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    Whole,
    /// A version by its name, or `rest`.
    Version(String),
    /// One content: what changed meanwhile is not meant.
    Piece(PieceId),
}

/// Why something cannot be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The plan has no such change; these are the ones it has.
    NoSuchChange { which: String, known: Vec<String> },
    /// So many changes were not looked at.
    NotSeen { text: String },
    /// It must not be sent, and why.
    Held { reason: String },
}

impl Refusal {
    /// One sentence, lower case, without a full stop.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::NoSuchChange { which, known } => {
                let known = known.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
                format!("the plan has no change of `{which}`; it has {known}")
            }
            Self::NotSeen { text } => text.clone(),
            Self::Held { reason } => format!("held: {reason}"),
        }
    }
}

/// The longest note that is kept, in characters.
pub(crate) const LONGEST_NOTE: usize = 2_000;

impl PlannedFile {
    /// The marks that saying something leads to: only those that change.
    ///
    /// # Errors
    /// There is no such change; or it is to be approved and was not looked at, or may not be sent.
    pub(crate) fn answer(&self, which: &Which, verb: &Verb) -> Result<Vec<(PieceId, Mark)>, Refusal> {
        let meant: Vec<&Piece> = match which {
            Which::Whole => self.pieces.iter().collect(),
            Which::Version(name) => self.named(name),
            Which::Piece(id) => self.pieces.iter().filter(|piece| piece.id == *id).collect(),
        };
        if meant.is_empty() && *which != Which::Whole {
            return Err(self.no_such(which));
        }
        let meant = match (verb, which) {
            // Approving a file does not take rejections back.
            (Verb::Approve, Which::Whole) => {
                meant.into_iter().filter(|piece| piece.mark.answer != Answer::Rejected).collect()
            }
            _ => meant,
        };
        if *verb == Verb::Approve {
            self.check_approval(which, &meant)?;
        }
        let said = meant.into_iter().map(|piece| (piece, said(&piece.mark, verb)));
        let changed = said.filter(|(piece, mark)| piece.mark != *mark);
        Ok(changed.map(|(piece, mark)| (piece.id.clone(), mark)).collect())
    }

    /// Takes over what [`Self::answer`] led to. State, class and outcome stay those of before: they come with the next reading.
    pub(crate) fn mark(&mut self, new: &[(PieceId, Mark)]) {
        for piece in &mut self.pieces {
            if let Some((_, mark)) = new.iter().find(|(id, _)| *id == piece.id) {
                piece.mark = mark.clone();
            }
        }
    }

    fn check_approval(&self, which: &Which, meant: &[&Piece]) -> Result<(), Refusal> {
        let refuse = |reason: &str| Err(Refusal::Held { reason: reason.to_owned() });
        if self.standing != Standing::Current {
            return refuse(self.standing.text());
        }
        match &self.state {
            FileState::Held(reason) if *which == Which::Whole => return refuse(reason),
            FileState::Nothing(reason) if *which == Which::Whole => return refuse(reason),
            _ => {}
        }
        if let Some(reason) = meant.iter().find_map(|piece| held_by(&self.mode, piece.class, &[piece])) {
            return refuse(reason);
        }
        let unseen: Vec<&Piece> = meant.iter().copied().filter(|piece| !piece.mark.seen).collect();
        match left_words(&unseen) {
            Some(left) => {
                Err(Refusal::NotSeen { text: format!("{left} left to look at before it can be approved") })
            }
            None => Ok(()),
        }
    }

    /// The changes of a version. A `v` before the number is heard over, as people write it, but where a file has both forms
    /// each has its own name.
    fn named(&self, name: &str) -> Vec<&Piece> {
        let exact: Vec<&Piece> = self.pieces.iter().filter(|piece| piece.part.name() == name).collect();
        if !exact.is_empty() {
            return exact;
        }
        let bare = |name: &str| name.strip_prefix('v').unwrap_or(name).to_owned();
        self.pieces.iter().filter(|piece| bare(piece.part.name()) == bare(name)).collect()
    }

    fn no_such(&self, which: &Which) -> Refusal {
        let known = self.pieces.iter().map(|piece| piece.part.name().to_owned()).collect();
        let which = match which {
            Which::Whole => self.address.to_string(),
            Which::Version(name) => name.clone(),
            Which::Piece(id) => id.0.get(..8).unwrap_or(&id.0).to_owned(),
        };
        Refusal::NoSuchChange { which, known }
    }
}

/// `2 versions and the rest of the file`; `None` for none at all.
pub(super) fn left_words(pieces: &[&Piece]) -> Option<String> {
    let has = |part: Part| pieces.iter().any(|piece| piece.part == part);
    let versions = pieces.iter().filter(|piece| matches!(piece.part, Part::Version(_))).count();
    let count = match versions {
        0 => None,
        1 => Some("1 version".to_owned()),
        many => Some(format!("{many} versions")),
    };
    let rest = has(Part::Rest).then(|| "the rest of the file".to_owned());
    let blacklist = has(Part::Blacklist).then(|| "the blacklist".to_owned());
    let key = has(Part::Key).then(|| "the key".to_owned());
    let left: Vec<String> = count.into_iter().chain(rest).chain(blacklist).chain(key).collect();
    (!left.is_empty()).then(|| left.join(" and "))
}

fn said(mark: &Mark, verb: &Verb) -> Mark {
    let mark = mark.clone();
    match verb {
        Verb::See => Mark { seen: true, ..mark },
        Verb::Approve => Mark { answer: Answer::Approved, ..mark },
        Verb::Reject => Mark { answer: Answer::Rejected, ..mark },
        Verb::Reopen => Mark { answer: Answer::Open, ..mark },
        Verb::Note(text) => Mark { note: text.trim().chars().take(LONGEST_NOTE).collect(), ..mark },
    }
}
