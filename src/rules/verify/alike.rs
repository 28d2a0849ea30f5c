//! Which rows are told as one.

use crate::registry::Address;
use crate::rules::verify::{Answer, Answers, Case, Row, State, Zip};

/// What rows have in common that are told as one: whose they are, what was found, and why. Rows that differ in any of it are
/// told apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Alike {
    /// Address and version. `None` for what could not be read: one cause outside says nothing of single versions.
    of: Option<(Address, String)>,
    state: State,
    answers: Answers,
    case: Case,
    reasons: Vec<String>,
}

impl Row {
    /// Rows of which this is equal can be told as one.
    pub(crate) fn alike(&self) -> Alike {
        let state = self.state();
        Alike {
            of: (state != State::Error).then(|| (self.address.clone(), self.version.clone())),
            state,
            answers: self.news(),
            case: self.case(),
            reasons: self.reasons(),
        }
    }

    /// The answers without those that say nothing more once the archive is hashed: that another archive has by chance the stored
    /// size, and what GitHub keeps of the archive that came.
    fn news(&self) -> Answers {
        let mut answers = self.answers();
        if !matches!(self.zip, Zip::Hashed(_)) {
            return answers;
        }
        if answers.zh_zip == Answer::Differ {
            answers.size = Answer::NotDone;
        }
        let contradicts = matches!(
            (answers.zh_zip, answers.digest),
            (Answer::Same, Answer::Differ) | (Answer::Differ, Answer::Same)
        );
        if !contradicts {
            answers.digest = Answer::NotDone;
        }
        answers
    }
}
