//! The abilities of a maintainer, one row each: labels, words and command lines.
//!
//! A face names an ability by its own key, word or command line, and so does a next step in a sentence of the desk. Nothing
//! here names another part of the desk.

mod table;

pub(crate) use table::Ability;

use crate::registry::Address;

/// The weight of an ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AbilityKind {
    Ordinary,
    /// It takes something away that somebody made. Hints name it last.
    Destroys,
    /// It stops a job. Hints name it last, and a window that is too small to show the job may do it.
    Cancels,
}

/// The thing that an ability is about, which must be there first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    /// The registry is read.
    Registry,
    /// Rows to choose from.
    Rows,
    /// An entry under the cursor.
    Entry,
    /// Selected entries: the marked ones, or the one under the cursor.
    Entries,
    /// A plan with files.
    Plan,
}

/// A line of the help of line mode.
#[derive(Debug)]
pub(crate) struct Phrase {
    /// `plan add N`; words in capitals are filled in.
    pub(crate) form: &'static str,
    pub(crate) does: &'static str,
}

impl Phrase {
    /// The first word: `plan` in `plan add N`.
    pub(crate) fn name(&self) -> &'static str {
        self.form.split(' ').next().unwrap_or(self.form)
    }
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct AbilityRow {
    pub(crate) ability: Ability,
    /// Its effect, for key lists and the palette. A place in the table of keys may have a label of its own.
    pub(crate) does: &'static str,
    pub(crate) kind: AbilityKind,
    pub(crate) needs: Needs,
    /// Its key opens a field. Letters that follow it are meant for the field, even if it does not open.
    pub(crate) opens_field: bool,
    /// The way to write it in line mode, in the order of the help. `None` if another phrase stands for it, or none does.
    pub(crate) phrase: Option<Phrase>,
    /// Its words in sentences of line mode, if they are not those of its phrase.
    pub(crate) line: Option<&'static str>,
    /// The command line that does the same, with `ADDRESS`, `NUMBER`, `DIGITS` or `Q`; `None` if only the screen does it.
    pub(crate) command: Option<&'static str>,
    /// The command line that takes it as a next step, with `ADDRESS` or `NUMBER` for its subject. `None` if no command can:
    /// a command ends with its job, and reads the registry by itself.
    pub(crate) next_command: Option<&'static str>,
}

impl Ability {
    pub(crate) const fn row(self) -> &'static AbilityRow {
        &table::TABLE[self as usize]
    }

    /// All abilities, in the order of the help of line mode.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        table::TABLE.iter().map(|row| row.ability)
    }

    /// The step to this ability at the place that the step before it shows.
    pub(crate) fn there(self) -> NextStep {
        NextStep { ability: self, subject: Subject::There }
    }

    /// The step to this ability with an entry as its subject.
    pub(crate) fn entry(self, address: Address) -> NextStep {
        NextStep { ability: self, subject: Subject::Entry(address) }
    }

    /// The step to this ability with a pull request or a run as its subject.
    pub(crate) fn number(self, number: u64) -> NextStep {
        NextStep { ability: self, subject: Subject::Number(number) }
    }
}

/// Something that can be done next, as a sentence of the desk names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NextStep {
    pub(crate) ability: Ability,
    subject: Subject,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    None,
    /// The job that the step before shows.
    There,
    Entry(Address),
    /// A pull request or a run.
    Number(u64),
}

impl From<Ability> for NextStep {
    fn from(ability: Ability) -> Self {
        Self { ability, subject: Subject::None }
    }
}

impl NextStep {
    /// Returns true if the step before it leads to its place.
    pub(crate) fn is_there(&self) -> bool {
        self.subject == Subject::There
    }

    /// The words of the step in line mode.
    pub(crate) fn line(&self) -> Option<&'static str> {
        let row = self.ability.row();
        row.line.or(row.phrase.as_ref().map(|phrase| phrase.form))
    }

    /// The command line of the step; `None` if no command takes it.
    pub(crate) fn command_line(&self) -> Option<String> {
        let line = self.ability.row().next_command?;
        Some(match &self.subject {
            Subject::None | Subject::There => line.to_owned(),
            Subject::Entry(address) => line.replace("ADDRESS", &address.to_string()),
            Subject::Number(number) => line.replace("NUMBER", &number.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_names_the_subject_of_its_step() {
        let line = |step: NextStep| step.command_line().unwrap_or_default();
        assert_eq!(line(Ability::Add.into()), "bumpdesk plan add ADDRESS");
        assert_eq!(line(Ability::Add.entry(Address::provider("a", "b"))), "bumpdesk plan add a/b");
        assert_eq!(line(Ability::MergeRun.number(7)), "bumpdesk backfill merge --run 7");
        assert_eq!(line(Ability::Leave.into()), "");
    }
}
