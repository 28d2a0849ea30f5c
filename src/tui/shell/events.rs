//! What the events of jobs show in the console: the desk takes them, the views keep their cursors where they were, and the last
//! line tells.

use std::sync::Arc;

use crate::desk::board::Running;
use crate::desk::hear::{Changed, Ended};
use crate::desk::intent::{Intent, Meant};
use crate::desk::telling::job::{unasked, unreachable};
use crate::desk::telling::pull;
use crate::jobs::data::{
    ASKS_AGAIN, ActionsTask, Failure, Gate, Job, JobEvent, JobId, OpenPlan, Opened, Outcome, Summary,
    SurveyPlan,
};
use crate::rules::amount::counted;
use crate::tui::keymap::{Command, Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{
    filling, keeping, look, machines, past, planning, publishing, stranding, verifying, work,
};
use crate::tui::views::backfill::Backfill;
use crate::tui::widgets::message::Tone;

/// Takes what a job says.
pub(crate) fn happen(model: &mut Model, id: JobId, event: JobEvent) -> Vec<Effect> {
    let inventory = model.views.inventory.held(&model.desk.list);
    let changes = model.views.changes.held(&model.desk.planning);
    let below = model.views.verify.below(model.desk.run.as_ref());
    let below_in_backfill = model.views.backfill.below(model.desk.filling.as_ref());
    let page = model.inventory_page();
    match model.desk.hear(id, event, model.now) {
        // Nothing here asks for a reply.
        Changed::Nothing
        | Changed::Estimated
        | Changed::Found(..)
        | Changed::Replied(_)
        | Changed::Triaged(_) => {}
        Changed::Stranded => stranding::read(model),
        Changed::RunLog { log, is_asked } => machines::show_log(model, &log, is_asked),
        Changed::Reviews | Changed::Reviewed(_) => model.settle(ViewId::Reviews),
        Changed::Progress(_) => return past::follow(model),
        Changed::Note(text) => {
            let text = model.in_keys(&text);
            model.say(Tone::Notice, text);
        }
        Changed::Registry { notices, lost } => {
            model.views.inventory.loaded(&mut model.desk.list, inventory, page);
            tell_registry(model, &told_notices(model, notices), lost);
        }
        Changed::Header { notices } => {
            let told = told_notices(model, notices);
            if !told.is_empty() {
                model.say(Tone::Warning, told);
            }
        }
        Changed::Verdicts { are_listed } => take_verdicts(model, are_listed),
        Changed::Opened(opened) => take_opened(model, &opened),
        Changed::Read(address, bytes) => {
            if let Some((_, viewer)) = model.views.showing.take_if(|(showing, _)| *showing == id) {
                return vec![look::file(viewer, &address, bytes)];
            }
        }
        Changed::Memory => {
            model.views.inventory.recalled(&mut model.desk.list, page);
            model.recall_theme();
        }
        Changed::Plan | Changed::PlannedFile => {
            model.views.changes.renew(&model.desk.planning, changes);
            model.settle(ViewId::Changes);
            return if model.screen == ViewId::Changes { planning::open_file(model) } else { Vec::new() };
        }
        Changed::PlanOpened { opened, is_old } => {
            model.views.changes.renew(&model.desk.planning, changes);
            model.views.changes.fill(&opened, is_old);
            model.settle(ViewId::Changes);
        }
        Changed::Prepared { disarmed } => publishing::prepared(model, disarmed),
        Changed::Sending => model.settle(ViewId::Pull),
        Changed::Armed(answer) => publishing::armed(model, answer),
        Changed::Log(lines) => past::take_log(model, lines),
        Changed::Journal | Changed::Run(_) => model.settle(ViewId::Jobs),
        Changed::Verification(_) => hold_run(model, below),
        Changed::Backfill(_) => hold_filling(model, below_in_backfill),
        Changed::Ended(ended) => {
            hold_run(model, below);
            hold_filling(model, below_in_backfill);
            return end(model, *ended);
        }
    }
    Vec::new()
}

/// The cursor's line of a verification stays where it is on the screen.
fn hold_run(model: &mut Model, below: usize) {
    let run = model.desk.run.as_ref();
    let page = model.views.verify.page(run, model.size);
    model.views.verify.hold(run, below, page);
}

/// The same of a backfill.
fn hold_filling(model: &mut Model, below: usize) {
    let filling = model.desk.filling.as_ref();
    let page = Backfill::page(filling, model.size);
    model.views.backfill.hold(filling, below, page);
}

/// The registry's notices, and what an earlier run left half-done.
fn told_notices(model: &Model, mut notices: Vec<String>) -> String {
    notices.extend(pull::earlier(&model.desk).map(|message| model.told(&message)));
    notices.join("; ")
}

fn tell_registry(model: &mut Model, notices: &str, lost: usize) {
    if lost > 0 && notices.is_empty() {
        let marks = counted(lost, "mark");
        model.say(Tone::Notice, format!("{marks} dropped: the entries are gone from the registry"));
    } else if !notices.is_empty() {
        model.say(Tone::Warning, notices);
    } else if model.desk.list.tally.newest.is_none()
        && !model.desk.list.verdicts.is_empty()
        // The list may come twice at a start, and what a key was answered meanwhile says more.
        && model.message.as_ref().is_none_or(|message| message.tone != Tone::Reply)
    {
        let (all, one) = (model.key(Command::SurveyShown), model.key(Command::SurveyThis));
        let rows = counted(model.desk.list.verdicts.len(), "row");
        let text = format!("nothing is checked yet: {one} checks this row, {all} all {rows}");
        model.say(Tone::Notice, text);
    }
}

fn take_verdicts(model: &mut Model, are_listed: bool) {
    if are_listed {
        model.views.inventory.judged();
    }
    if let Some(entry) = &mut model.views.entry
        && let Some(verdict) = model.desk.list.verdict_of(&entry.address)
    {
        entry.judge(verdict);
    }
    model.settle(ViewId::Entry);
}

fn take_opened(model: &mut Model, opened: &Arc<Opened>) {
    model.views.inventory.judged();
    if let Some(entry) = model.views.entry.as_mut().filter(|entry| entry.address == opened.address) {
        entry.fill(opened);
    }
    if let Some(diff) = model.views.diff.as_mut().filter(|diff| diff.address == opened.address) {
        diff.fill(Arc::clone(opened));
    }
    model.settle(ViewId::Entry);
    model.settle(ViewId::Diff);
}

fn end(model: &mut Model, ended: Ended) -> Vec<Effect> {
    let Ended { running: job, outcome, is_listed, words } = ended;
    planning::close_question(model, job.id);
    let mut effects = if is_listed && model.screen == ViewId::Jobs { past::read(model) } else { Vec::new() };
    effects.extend(match &job.job {
        Job::Plan(task) => planning::end(model, task, outcome),
        Job::ListJobs { .. } | Job::ReadLog(_) => {
            if let Outcome::Failed(failure) = outcome {
                planning::say_failure(model, &failure);
            }
            planning::flush(model)
        }
        Job::Load => {
            let mut effects = loud_end(model, &job, outcome);
            effects.extend(planning::read(model));
            effects
        }
        Job::Remember(_) => {
            let outcome = match &words {
                Some(words) => keeping::ended(model, outcome, words),
                None => outcome,
            };
            loud_end(model, &job, outcome)
        }
        Job::Verify(_) => {
            verifying::end(model, outcome);
            Vec::new()
        }
        Job::Backfill(task) => filling::end(model, task, outcome),
        Job::Inquire | Job::Prepare(_) | Job::WriteOut(_) | Job::Send(_) => {
            publishing::end(model, &job.job, outcome)
        }
        // Its answer stands above the screen.
        Job::Triage(_) => Vec::new(),
        Job::Decide(task) => stranding::decided(model, task, outcome),
        Job::Actions(ActionsTask::Look { .. }) if matches!(outcome, Outcome::Done(_)) => {
            machines::is_over(model, job.id);
            Vec::new()
        }
        _ => loud_end(model, &job, outcome),
    });
    effects.extend(stranding::follow(model, &job.job));
    effects
}

fn loud_end(model: &mut Model, job: &Running, outcome: Outcome) -> Vec<Effect> {
    match outcome {
        Outcome::Failed(failure) => {
            fail(model, job, failure);
            finish_survey(model, job)
        }
        Outcome::Done(summary) => {
            match (&job.job, model.options.survey.take()) {
                (Job::Survey(plan), _) if summary.asked_nobody() => say_unasked(model, plan, &summary),
                (Job::Survey(_), _) => say_survey(model, tone(&summary), "survey done", "", &summary),
                (Job::Actions(ActionsTask::Merge { .. }), later) => {
                    model.options.survey = later;
                    machines::merged(model, &summary);
                }
                (Job::Load, Some(depth)) => {
                    let meant = Meant::Everything;
                    let first = Intent::Survey { meant, depth, max_age: None, gate: Gate::Tags };
                    // Asked for on the command line.
                    return work::agree(model, &first);
                }
                (_, later) => model.options.survey = later,
            }
            finish_survey(model, job)
        }
        Outcome::Cancelled(summary) => {
            match job.job {
                Job::Survey(_) => {
                    say_survey(model, Tone::Warning, "survey cancelled", ", kept what it found", &summary);
                }
                Job::Load if !model.is_loaded() => {
                    let text = format!("reading was stopped; {} reads again", model.key(Command::Reload));
                    model.say(Tone::Warning, text);
                }
                _ => {}
            }
            finish_survey(model, job)
        }
    }
}

fn tone(summary: &Summary) -> Tone {
    if summary.gaps() > 0 { Tone::Warning } else { Tone::Notice }
}

/// `survey done, 3 of 60 not checked in full (2 not read upstream, 1 broken file), 78 requests; no token: …`: the news first.
/// Aside: `survey done, 3 of 60 not checked in full; 8 shows it`.
fn say_survey(model: &mut Model, tone: Tone, what: &str, kept: &str, summary: &Summary) {
    let link = if summary.gaps() > 0 { "," } else { ":" };
    let whole = summary.limited(format!("{what}{kept}{link} {}", summary.words().join(", ")));
    let retry = model.keys.bindings.first(Context::View(ViewId::Jobs), Command::SurveyThis);
    let whole = whole.replace(ASKS_AGAIN, &format!(", and {retry} in Jobs asks again"));
    let gaps = summary.gaps_counted().map(|gaps| format!(", {gaps}")).unwrap_or_default();
    let jobs = model.key(Command::Show(ViewId::Jobs));
    model.say_of_list(tone, whole, format!("{what}{gaps}; {jobs} shows it"));
}

/// `survey done, nothing was asked: 3 entries were checked in the last 15 minutes; r asks all the same, A r all shown`.
fn say_unasked(model: &mut Model, plan: &SurveyPlan, summary: &Summary) {
    let Some(message) = unasked(plan, summary) else { return };
    let at = |command| model.keys.bindings.first(Context::View(ViewId::Inventory), command);
    let (all, this) = (at(Command::MarkShown), at(Command::SurveyThis));
    let more = if summary.entries > 1 { format!(", {all} {this} all shown") } else { String::new() };
    let text = format!("survey done, {}{more}", model.told(&message));
    model.say(Tone::Notice, text);
}

fn fail(model: &mut Model, job: &Running, failure: Failure) {
    let why = match &job.job {
        Job::Survey(plan) => unreachable(plan, &failure),
        _ => None,
    };
    let text = why.map_or_else(|| model.in_keys(&failure.sentence()), |message| model.told(&message));
    model.say(Tone::Error, text);
    let Job::Open(OpenPlan { address, .. }) = &job.job else { return };
    if let Some(diff) = model.views.diff.as_mut().filter(|diff| diff.address == *address) {
        diff.failure = Some(failure.clone());
    }
    if let Some(entry) = model.views.entry.as_mut().filter(|entry| entry.address == *address) {
        entry.failure = Some(failure);
    }
}

/// After a survey the rows are sorted anew, and an open entry is read again.
fn finish_survey(model: &mut Model, job: &Running) -> Vec<Effect> {
    if !matches!(job.job, Job::Survey(_)) {
        return Vec::new();
    }
    let page = model.inventory_page();
    model.views.inventory.arrange(&mut model.desk.list, page);
    match (&model.views.entry, model.screen) {
        (Some(entry), ViewId::Entry) => {
            let address = entry.address.clone();
            work::act(model, Intent::look(address))
        }
        _ => Vec::new(),
    }
}
