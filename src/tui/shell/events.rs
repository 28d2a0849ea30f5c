//! The events of jobs: the desk takes them, the views follow, and the last line reports.

use std::collections::BTreeSet;

use crate::desk::ability::Ability;
use crate::desk::board::Running;
use crate::desk::hear::{Changed, Ended};
use crate::desk::intent::{EntrySelection, Intent};
use crate::desk::telling::job::{unasked, unreachable};
use crate::desk::telling::list::none_checked;
use crate::desk::telling::{arming, pull};
use crate::jobs::data::{ASKS_AGAIN, Failure, Gate, Job, JobEvent, JobId, Outcome, Summary, SurveyPlan};
use crate::rules::amount::counted;
use crate::tui::keymap::{Command, Context, HOME, next_step};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{editor, forms, keeping, planning, requests, work};
use crate::tui::widgets::message::Tone;

/// Takes what a job says.
pub(crate) fn happen(model: &mut Model, id: JobId, event: JobEvent) -> Vec<Effect> {
    let mut effects =
        requests::with_each_view(model, |view, context| view.before_news(context.desk, &context.paint));
    let changed = model.desk.hear(id, event, model.now);
    if let Changed::Ended(_) = changed {
        // Before a view starts a job that follows: the question was about the one that is over.
        planning::close_question(model, id);
    }
    effects.extend(requests::with_each_view(model, |view, context| view.on(context, id, &changed)));
    match changed {
        Changed::Note(text) => {
            let text = model.in_keys(&text);
            model.say(Tone::Notice, text);
        }
        Changed::Registry { notices, lost } => tell_registry(model, &notices_text(model, notices), lost),
        Changed::Header { notices } => {
            let text = notices_text(model, notices);
            if !text.is_empty() {
                model.say(Tone::Warning, text);
            }
        }
        Changed::Read(address, bytes) => {
            if let Some((_, viewer)) = model.views.showing.take_if(|(showing, _)| *showing == id) {
                effects.push(editor::file(viewer, &address, bytes));
            }
        }
        Changed::Memory => {
            model.recall_theme();
            note_keys(model);
        }
        Changed::Prepared { disarmed: true } => model.say(Tone::Warning, arming::OTHER_ACCOUNT),
        Changed::Armed(answer) => forms::armed(model, answer),
        Changed::Ended(ended) => effects.extend(end(model, *ended)),
        // Views show the rest.
        _ => {}
    }
    effects
}

/// Compares what the key file takes from other actions with the last run.
fn note_keys(model: &mut Model) {
    let notes: BTreeSet<String> = model.keys.taken.iter().map(|note| note.text.clone()).collect();
    let list = &mut model.desk.list;
    model.keys.has_new_notes = !notes.is_subset(&list.key_notes);
    if notes != list.key_notes {
        list.key_notes = notes;
        list.keeping.touch();
    }
}

/// The registry's notices, and what an earlier run left half-done.
fn notices_text(model: &Model, mut notices: Vec<String>) -> String {
    notices.extend(pull::earlier(&model.desk).map(|message| model.text_of(&message)));
    notices.join("; ")
}

fn tell_registry(model: &mut Model, notices: &str, lost: usize) {
    if lost > 0 && notices.is_empty() {
        let marks = counted(lost, "mark");
        model.say(Tone::Notice, format!("{marks} dropped: the entries are gone from the registry"));
    } else if !notices.is_empty() {
        model.say(Tone::Warning, notices);
    } else if none_checked(&model.desk, |ability| model.key(ability)).is_some()
        // The list may come twice at a start, and what a key was answered meanwhile says more.
        && model.message.as_ref().is_none_or(|message| message.tone != Tone::Reply)
    {
        let (all, one) = (model.key(Ability::SurveyShown), model.key(Ability::Survey));
        let rows = counted(model.desk.list.verdicts.len(), "row");
        let text = format!("nothing is checked yet: {one} checks this row, {all} all {rows}");
        model.say(Tone::Notice, text);
    }
}

fn end(model: &mut Model, ended: Ended) -> Vec<Effect> {
    let Ended { running: job, outcome, words, .. } = ended;
    match &job.job {
        Job::Plan(task) => return planning::end(model, task, outcome),
        Job::ListJobs { .. } | Job::ReadLog(_) => {
            if let Outcome::Failed(failure) = outcome {
                model.fail(&failure);
            }
            return planning::flush(model);
        }
        Job::Load => {
            let mut effects = loud_end(model, &job, outcome);
            effects.extend(planning::read(model));
            return effects;
        }
        Job::Remember(_) => {
            let outcome = match &words {
                Some(words) => keeping::ended(model, outcome, words),
                None => outcome,
            };
            return loud_end(model, &job, outcome);
        }
        Job::Inquire => forms::end_inquiry(model, &outcome),
        // Nobody asked for the activity. Views report the others; the answer of a triage stands above the screen.
        Job::Activity(_)
        | Job::Prepare(_)
        | Job::WriteOut(_)
        | Job::Send(_)
        | Job::Verify(_)
        | Job::Backfill(_)
        | Job::Triage(_)
        | Job::Decide(_) => {}
        _ => return loud_end(model, &job, outcome),
    }
    Vec::new()
}

fn loud_end(model: &mut Model, job: &Running, outcome: Outcome) -> Vec<Effect> {
    match outcome {
        Outcome::Failed(failure) => fail(model, job, &failure),
        Outcome::Done(summary) => match (&job.job, model.options.survey.take()) {
            (Job::Survey(plan), _) if summary.is_all_fresh() => say_unasked(model, plan, &summary),
            (Job::Survey(_), _) => say_survey(model, tone(&summary), "survey done", "", &summary),
            (Job::Load, Some(depth)) => {
                let selection = EntrySelection::Everything;
                let first = Intent::Survey { selection, depth, max_age: None, gate: Gate::Tags };
                // Asked for on the command line.
                return work::agree(model, &first);
            }
            (_, later) => model.options.survey = later,
        },
        Outcome::Cancelled(summary) => match job.job {
            Job::Survey(_) => {
                say_survey(model, Tone::Warning, "survey cancelled", ", kept what it found", &summary);
            }
            Job::Load if !model.is_loaded() => {
                let text = format!("reading was stopped; {} reads again", model.key(Ability::Reload));
                model.say(Tone::Warning, text);
            }
            _ => {}
        },
    }
    Vec::new()
}

fn tone(summary: &Summary) -> Tone {
    if summary.gaps() > 0 { Tone::Warning } else { Tone::Notice }
}

/// `survey done, 3 of 60 not checked in full (2 not read upstream, 1 broken file), 78 requests; no token: …`: the news first.
/// Aside: `survey done, 3 of 60 not checked in full; 8 shows it`.
fn say_survey(model: &mut Model, tone: Tone, what: &str, kept: &str, summary: &Summary) {
    let link = if summary.gaps() > 0 { "," } else { ":" };
    let whole = summary.limited(format!("{what}{kept}{link} {}", summary.words().join(", ")));
    let retry = model.key(Ability::RunAgain);
    let whole = whole.replace(ASKS_AGAIN, &format!(", and {retry} in Jobs asks again"));
    let gaps = summary.gaps_counted().map(|gaps| format!(", {gaps}")).unwrap_or_default();
    let jobs = model.key(next_step::SHOW_JOBS);
    model.say_of_list(tone, whole, format!("{what}{gaps}; {jobs} shows it"));
}

/// `survey done, nothing was asked: 3 entries were checked in the last 15 minutes; r asks all the same, A r all shown`.
fn say_unasked(model: &mut Model, plan: &SurveyPlan, summary: &Summary) {
    let Some(message) = unasked(plan, summary) else { return };
    let at = |command| model.keys.bindings.first(Context::View(HOME), command);
    let (all, this) = (at(Command::MarkShown), at(Ability::Survey.into()));
    let more = if summary.entries > 1 { format!(", {all} {this} all shown") } else { String::new() };
    let text = format!("survey done, {}{more}", model.text_of(&message));
    model.say(Tone::Notice, text);
}

fn fail(model: &mut Model, job: &Running, failure: &Failure) {
    let why = match &job.job {
        Job::Survey(plan) => unreachable(plan, failure),
        _ => None,
    };
    let text = why.map_or_else(|| model.in_keys(&failure.sentence()), |message| model.text_of(&message));
    model.say(Tone::Error, text);
}
