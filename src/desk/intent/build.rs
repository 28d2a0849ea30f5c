//! Builds files of the plan: adds the rebuild of entries, or builds the whole plan again.

use std::time::Duration;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::intent::{EntrySelection, Intent, Prompt, Step};
use crate::desk::telling::{self, Message, refuse};
use crate::jobs::data::{Job, MAX_AGE, PlanAdd, PlanTask};
use crate::rules::Mode;
use crate::rules::amount::counted;

const STAYS: &str = "Changes that stay the same keep their marks; others are looked at again.";

impl Intent {
    pub(crate) fn add(selection: EntrySelection, hidden: usize) -> Self {
        Self::Add { selection, hidden, mode: None, max_age: MAX_AGE }
    }

    pub(crate) fn rebuild() -> Self {
        Self::Rebuild { max_age: MAX_AGE }
    }
}

impl Desk {
    /// Adds entries to the plan. A file that is built again keeps its mode.
    pub(super) fn add(
        &self,
        selection: &EntrySelection,
        mode: Option<&Mode>,
        max_age: Duration,
    ) -> Result<Step, Message> {
        let addresses = self.entries(selection)?;
        self.no_building()?;
        let planned = match &addresses[..] {
            [one] => self.planning.find(one).map(|file| &file.mode),
            _ => None,
        };
        let mode = mode.or(planned).cloned().unwrap_or(Mode::Add);
        let files = addresses.into_iter().map(|address| (address, mode.clone())).collect();
        Ok(Step::Start(Job::Plan(PlanTask::Add(PlanAdd { files, max_age }))))
    }

    pub(super) fn rebuild(&self, max_age: Duration) -> Result<Step, Message> {
        self.has_files()?;
        self.no_building()?;
        Ok(Step::Start(Job::Plan(PlanTask::Rebuild { max_age })))
    }

    /// Refuses while files of the plan are being built, because one job at a time builds.
    pub(super) fn no_building(&self) -> Result<(), Message> {
        match self.board.building() {
            None => Ok(()),
            Some(_) => refuse(
                Message::of("files of the plan are being built").step(Ability::CancelBuild, "cancels that"),
            ),
        }
    }

    /// The question before entries are added. One entry that is not planned yet is added without a question.
    pub(super) fn add_prompt(&self, add: &PlanAdd, hidden: usize, is_again: bool) -> Option<Prompt> {
        if let ([(one, _)], 0) = (&add.files[..], hidden) {
            return self.planning.find(one).map(|_| {
                let says = vec![
                    format!("{one} is built again on the registry and upstream as they are now."),
                    STAYS.into(),
                ];
                ("Build again?", says, "build it")
            });
        }
        let count = counted(add.files.len(), if is_again { "entry" } else { "marked entry" });
        let mut says =
            vec![format!("{count}: upstream is read and a file built for each. No data file is written.")];
        says.extend(telling::hidden(hidden));
        Some(("Add to the plan?", says, "add"))
    }

    pub(super) fn rebuild_prompt(&self) -> Prompt {
        let count = counted(self.planning.files().len(), "file");
        let says = vec![
            format!("All of the plan, {count}, is built again on the registry and upstream as they are now."),
            STAYS.into(),
        ];
        ("Build the plan again?", says, "build all")
    }
}
