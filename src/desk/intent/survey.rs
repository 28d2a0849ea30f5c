//! Surveys entries: asks upstream, and judges.

use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;

use crate::desk::ability::Ability;
use crate::desk::intent::{EntrySelection, Intent, Prompt, Step};
use crate::desk::telling::{Message, refuse};
use crate::desk::{Desk, Registry};
use crate::jobs::data::{Gate, Job, MAX_AGE, Scope, SurveyPlan};
use crate::registry::Address;
use crate::rules::amount::{Form, counted, length, since};
use crate::rules::{Depth, Verdict};

/// Surveys that read more rows than this ask for confirmation.
const MANY_ROWS: usize = 200;

impl Intent {
    pub(crate) fn survey(selection: EntrySelection) -> Self {
        Self::Survey { selection, depth: Depth::Versions, max_age: None, gate: Gate::Tags }
    }
}

impl Desk {
    pub(super) fn survey(
        &self,
        selection: &EntrySelection,
        depth: Depth,
        max_age: Option<Duration>,
        gate: Gate,
    ) -> Result<Step, Message> {
        let scope = self.scope(selection)?;
        self.no_survey()?;
        // Named entries are read as they are now; a long list continues where the last survey ended.
        let is_named = matches!(selection, EntrySelection::These(_) | EntrySelection::Marked);
        let max_age = max_age.unwrap_or(if is_named { Duration::ZERO } else { MAX_AGE });
        Ok(Step::Start(Job::Survey(SurveyPlan::new(scope, depth, max_age, gate))))
    }

    pub(super) fn no_survey(&self) -> Result<(), Message> {
        match self.board.survey() {
            None => Ok(()),
            Some(job) if job.cancelling => refuse("the survey is stopping"),
            Some(_) => refuse(Message::of("a survey is running").step(Ability::CancelSurvey, "cancels it")),
        }
    }

    /// The question before a survey of many rows. A row that was checked recently is not read again, and does not count.
    pub(super) fn survey_prompt(&self, plan: &SurveyPlan, now: Timestamp) -> Option<Prompt> {
        let named: Option<HashSet<&Address>> = match &plan.scope {
            Scope::Addresses(addresses) => Some(addresses.iter().collect()),
            Scope::Everything | Scope::Prefix(_) => None,
        };
        let is_in_scope = |address: &Address| match &named {
            Some(named) => named.contains(address),
            None => plan.scope.has(address),
        };
        let is_due = |verdict: &Verdict| {
            verdict.depth < Some(plan.depth)
                || verdict.checked_at.is_none_or(|at| since(at, now) >= plan.max_age)
        };
        let rows = self.list.catalog.rows.iter().zip(&self.list.verdicts);
        let due = rows.filter(|(row, verdict)| is_in_scope(&row.address) && is_due(verdict));
        let due: Vec<&Address> = due.map(|(row, _)| &row.address).collect();
        if due.len() <= MANY_ROWS {
            return None;
        }
        let repositories: HashSet<String> = due.iter().map(|address| address.repository().url()).collect();
        let requests = repositories.len();
        let mut says = vec![format!(
            "{}: at least {}, one for each repository, and more where something is new.",
            counted(due.len(), "row"),
            counted(requests, "request")
        )];
        if let Registry::Loaded(header) = &self.registry
            && let Some((rate, least)) = header.git_per_second.zip(header.least_time(requests))
        {
            let least = length(least, Form::Spoken);
            says.push(format!("At {rate} requests a second that takes {least} or more."));
        }
        says.push("It only reads; cancelled, it keeps what it found.".into());
        Some(("Survey all of it?", says, "survey"))
    }
}
