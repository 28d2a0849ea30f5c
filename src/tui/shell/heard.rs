//! What the events of jobs change in the model. Events of unknown ids are dropped.

use crate::desk::board::Running;
use crate::desk::intent::{Intent, Meant};
use crate::desk::{Header, Registry, history};
use crate::jobs::{
    Confirmed, Failure, Gate, Job, JobEvent, JobId, Judgement, Loaded, OpenPlan, Opened, Outcome, Summary,
};
use crate::rules::amount::counted;
use crate::tui::keymap::{Command, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{keeping, look, past, planning, verifying, work};
use crate::tui::widgets::message::Tone;
use std::sync::Arc;

/// Takes what a job says.
pub(crate) fn happen(model: &mut Model, id: JobId, event: JobEvent) -> Vec<Effect> {
    let Some(job) = model.desk.board.find(id) else { return Vec::new() };
    match event {
        JobEvent::Numbered(number) => job.number = Some(number),
        JobEvent::Progress(progress) => {
            job.progress = Some(progress);
            return past::follow(model);
        }
        JobEvent::Note(text) => model.say(Tone::Notice, text),
        JobEvent::Loaded(loaded) => take_registry(model, Arc::unwrap_or_clone(loaded)),
        JobEvent::Confirmed(confirmed) => take_header(model, confirmed),
        JobEvent::Judged(batch) => {
            history::keep_failed(job, &batch);
            take_verdicts(model, batch);
        }
        JobEvent::Opened(opened) => take_opened(model, &opened),
        JobEvent::Read(address, bytes) => {
            if let Some((_, viewer)) = model.views.showing.take_if(|(showing, _)| *showing == id) {
                return vec![look::file(viewer, &address, bytes)];
            }
        }
        JobEvent::Recalled(memory) => {
            let page = model.inventory_page();
            model.views.inventory.recall(&mut model.desk.list, memory, page);
        }
        JobEvent::Planned(plan) => return planning::take_plan(model, plan),
        JobEvent::PlannedFile(file) => return planning::take_file(model, &file),
        JobEvent::PlanOpened(opened) => planning::take_opened(model, &opened),
        JobEvent::LogRead(lines) => past::take_log(model, lines),
        JobEvent::PastJobs(list) => past::take_journal(model, list),
        JobEvent::Verify(news) => verifying::take(model, id, news),
        // Nothing here starts the jobs that say these.
        JobEvent::Applied(_) | JobEvent::Found(..) | JobEvent::Inquired(_) | JobEvent::Lock(_) => {}
        JobEvent::Ended(outcome) => return end(model, id, outcome),
    }
    Vec::new()
}

fn take_registry(model: &mut Model, loaded: Loaded) {
    model.desk.registry = Registry::Loaded(Header {
        name: model.desk.name.clone().unwrap_or_else(|| loaded.name.clone()),
        revision: loaded.revision.clone(),
        last_bump: loaded.last_bump,
        has_token: loaded.has_token,
        keeps: loaded.keeps,
    });
    let notices = loaded.notices.join("; ");
    let page = model.inventory_page();
    let lost = model.views.inventory.load(&mut model.desk.list, loaded, page) as u64;
    if lost > 0 && notices.is_empty() {
        let marks = counted(lost, "mark");
        model.say(Tone::Notice, format!("{marks} dropped: the entries are gone from the registry"));
    } else if !notices.is_empty() {
        model.say(Tone::Warning, notices);
    } else if model.desk.list.tally.newest.is_none() && !model.desk.list.verdicts.is_empty() {
        let (all, one) = (model.key(Command::SurveyShown), model.key(Command::SurveyThis));
        let text =
            format!("nothing is checked yet: {all} surveys the rows shown, {one} the one under the cursor");
        model.say(Tone::Notice, text);
    }
}

/// The list stands; only the header was not known yet.
fn take_header(model: &mut Model, confirmed: Confirmed) {
    if let Registry::Loaded(facts) = &mut model.desk.registry {
        facts.revision = confirmed.revision;
        facts.last_bump = confirmed.last_bump;
    }
    if !confirmed.notices.is_empty() {
        model.say(Tone::Warning, confirmed.notices.join("; "));
    }
}

fn take_verdicts(model: &mut Model, batch: Vec<Judgement>) {
    if let Some(entry) = &mut model.views.entry {
        for judgement in &batch {
            entry.judge(judgement);
        }
    }
    model.views.inventory.judge(&mut model.desk.list, batch);
}

fn take_opened(model: &mut Model, opened: &Arc<Opened>) {
    // What was read for one entry is news for the list too.
    let judgement = Judgement { address: opened.address.clone(), verdict: opened.verdict.clone() };
    model.views.inventory.judge(&mut model.desk.list, vec![judgement]);
    if let Some(entry) = model.views.entry.as_mut().filter(|entry| entry.address == opened.address) {
        entry.fill(opened);
    }
    if let Some(diff) = model.views.diff.as_mut().filter(|diff| diff.address == opened.address) {
        diff.fill(Arc::clone(opened));
    }
    model.settle(ViewId::Entry);
    model.settle(ViewId::Diff);
}

fn end(model: &mut Model, id: JobId, outcome: Outcome) -> Vec<Effect> {
    let Some(job) = model.desk.board.end(id) else { return Vec::new() };
    let mut effects = past::keep_end(model, &job, &outcome);
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
        Job::Recall | Job::Remember(_) => {
            keeping::ended(model, &job, &outcome);
            loud_end(model, &job, outcome)
        }
        Job::Verify(_) => {
            verifying::end(model, &job, outcome);
            Vec::new()
        }
        _ => loud_end(model, &job, outcome),
    });
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
                (Job::Survey(_), _) => model.say(tone(&summary), sentence("survey done", &summary)),
                (Job::Load, Some(depth)) => {
                    let meant = Meant::Everything;
                    let first = Intent::Survey { meant, depth, max_age: None, gate: Gate::Tags };
                    return work::act(model, first);
                }
                (_, later) => model.options.survey = later,
            }
            finish_survey(model, job)
        }
        Outcome::Cancelled(summary) => {
            match job.job {
                Job::Survey(_) => {
                    model.say(Tone::Warning, sentence("survey cancelled, kept what it found", &summary));
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
fn sentence(what: &str, summary: &Summary) -> String {
    let link = if summary.gaps() > 0 { "," } else { ":" };
    summary.limited(format!("{what}{link} {}", summary.words().join(", ")))
}

fn fail(model: &mut Model, job: &Running, failure: Failure) {
    model.say(Tone::Error, failure.sentence());
    match &job.job {
        Job::Load if !model.is_loaded() => model.desk.registry = Registry::Failed(failure),
        Job::Open(OpenPlan { address, .. }) => {
            if let Some(diff) = model.views.diff.as_mut().filter(|diff| diff.address == *address) {
                diff.failure = Some(failure.clone());
            }
            if let Some(entry) = model.views.entry.as_mut().filter(|entry| entry.address == *address) {
                entry.failure = Some(failure);
            }
        }
        _ => {}
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
