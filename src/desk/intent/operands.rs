//! The intent of an ability, made of the things that a face points at.

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::intent::{Cancel, EntrySelection, Intent};
use crate::desk::launch::FillHow;
use crate::desk::sending::Write;
use crate::desk::telling::Message;
use crate::jobs::data::{PlanMark, ReviewPlan, TriagePlan, WatchPlan};
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::plan::{Verb, Which};
use crate::rules::sending::ActionsPlan;

/// The things that a face points at: rows, a number, a line that was typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operands<'a> {
    /// The selected entries.
    pub(crate) selection: EntrySelection,
    /// The one entry that is pointed at.
    pub(crate) address: Option<&'a Address>,
    pub(crate) version: Option<&'a str>,
    /// A pull request, a run on GitHub's machines, or a number of machines.
    pub(crate) number: Option<u64>,
    /// A change of the plan.
    pub(crate) change: Option<(Address, Which)>,
    /// The line of a field, or the rest of a line.
    pub(crate) text: &'a str,
}

impl Desk {
    /// Returns the intent of an ability for these operands, or why there is none. `None` if nothing that it is about is pointed
    /// at, or if only a face can make the intent or does it all by itself.
    pub(crate) fn intent_of(&self, ability: Ability, on: &Operands<'_>) -> Option<Result<Intent, Message>> {
        let entry = || on.address.cloned();
        let selection = || on.selection.clone();
        let text = || on.text.to_owned();
        let mark = |verb| {
            let (address, which) = on.change.clone()?;
            Some(Intent::Say(vec![PlanMark { address, which, verb }]))
        };
        Some(Ok(match ability {
            Ability::Look => Intent::look(entry()?),
            Ability::Build => Intent::build(entry()?),
            Ability::Survey => Intent::survey(selection()),
            Ability::SurveyShown => Intent::survey(EntrySelection::Shown),
            Ability::CancelSurvey => Intent::Cancel(Cancel::Survey),
            Ability::Verify if on.selection == EntrySelection::Marked => Intent::VerifyMarked { hidden: 0 },
            Ability::Verify => Intent::verify(entry()?, on.version.map(str::to_owned), None),
            Ability::VerifyRest => Intent::VerifyAgain,
            Ability::CancelVerification => Intent::Cancel(Cancel::Verification),
            Ability::Backfill => {
                Intent::Backfill { selection: selection(), hidden: 0, how: FillHow::default() }
            }
            Ability::BackfillRest => Intent::BackfillAgain,
            Ability::CancelBackfill => Intent::Cancel(Cancel::Backfill),
            Ability::Dispatch => {
                let shares = on.number.map_or(1, |shares| usize::try_from(shares).unwrap_or(usize::MAX));
                return Some(self.dispatching(&on.selection, shares).map(Intent::prepare));
            }
            Ability::FollowRun => Intent::FollowRun(on.number),
            Ability::RerunRun => Intent::prepare(ActionsPlan::Rerun { run: on.number? }),
            Ability::MergeRun => Intent::MergeRun(on.number?),
            Ability::Reload => Intent::Reload,
            Ability::Add => Intent::add(selection(), 0),
            Ability::ClearErrors => return Some(self.clearing(on.address?)),
            Ability::Block => {
                let address = on.address?;
                let block = |version| Intent::edit(address.clone(), Edit::Block(vec![version], text()));
                return Some(self.blockable(address, on.version).map(block));
            }
            Ability::RebuildFile => Intent::add(EntrySelection::These(vec![entry()?]), 0),
            Ability::RebuildPlan => Intent::rebuild(),
            Ability::DropFile => Intent::Drop(vec![entry()?]),
            Ability::Approve => mark(Verb::Approve)?,
            Ability::Reject => mark(Verb::Reject)?,
            Ability::Reopen => mark(Verb::Reopen)?,
            Ability::Note => mark(Verb::Note(text()))?,
            Ability::Watch => Intent::Watch(WatchPlan { number: on.number, once: on.number.is_none() }),
            Ability::ListReviews => Intent::ListReviews,
            Ability::Review => Intent::Review(ReviewPlan { number: on.number?, hashes: false }),
            Ability::HashReview => Intent::Review(ReviewPlan { number: on.number?, hashes: true }),
            Ability::CancelReview => Intent::Cancel(Cancel::Review),
            Ability::ShowStranded => Intent::ListStranded,
            Ability::Triage => Intent::Triage(TriagePlan::of(on.text)),
            Ability::Recheck | Ability::EditPull => Intent::prepare(self.pull.purpose.clone()),
            Ability::Arm => Intent::Arm(text()),
            Ability::Disarm => Intent::Disarm,
            Ability::WriteOut => Intent::WriteOut(on.text.into()),
            Ability::TypeDigits => Intent::Confirm(Write::Open, text()),
            Ability::Resume => Intent::Confirm(Write::Resume, text()),
            Ability::Undo if on.text.is_empty() => Intent::LookAtUndo,
            Ability::Undo => Intent::Confirm(Write::Undo, text()),
            Ability::CancelPull => Intent::Cancel(Cancel::Pull),
            Ability::CancelAll => Intent::Cancel(Cancel::All),
            Ability::Leave => Intent::Leave,
            // A face takes these apart, or does them by itself. A face that does neither is silent: a test of line mode finds
            // that, and none of the console does.
            #[rustfmt::skip]
            Ability::DeleteView | Ability::Views | Ability::Browse | Ability::CopyPath | Ability::SurveyBoard
            | Ability::ReadRunLogs | Ability::PauseVerification | Ability::PauseBackfill | Ability::PauseJob
            | Ability::MoreWorkers | Ability::FewerWorkers | Ability::StopAtBad | Ability::ShowVerification
            | Ability::ShowBackfill | Ability::Warn | Ability::Remove | Ability::Submit | Ability::ShowPlan
            | Ability::ShowFile | Ability::CancelBuild | Ability::Judge | Ability::Ignore | Ability::Unignore
            | Ability::DraftMessage | Ability::ShowPull | Ability::NextPull | Ability::ShowGate
            | Ability::ShowJobs | Ability::RunAgain | Ability::CancelJob | Ability::Clone => return None,
        }))
    }
}
