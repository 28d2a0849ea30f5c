//! What the console asks of GitHub's machines: to start a backfill, to put together what one found, and the log of a job.

use crate::desk::history::{JobKey, JobRow};
use crate::desk::intent::Intent;
use crate::desk::machines::JobLog;
use crate::desk::telling;
use crate::desk::telling::backfill::in_plan;
use crate::desk::telling::machines::{SHARES, log_lines, log_title, next, read_shares, short};
use crate::jobs::data::{JobId, Summary};
use crate::rules::actions::{Ending, RunState};
use crate::rules::amount::counted;
use crate::rules::sending::{ActionsPlan, Purpose};
use crate::tui::keymap::{Command, Context, Reason, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::widgets::card::TextCard;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::line_card::LineCard;
use crate::tui::widgets::message::Tone;

/// Machines that are proposed.
const FEW: &str = "2";
const NO_RUN: &str = "this job follows no run on GitHub's machines";

/// Asks over how many machines a backfill of what is meant is shared out.
pub(crate) fn ask_shares(model: &mut Model) {
    let (_, hidden) = work::take_meant(model);
    let marked = counted(model.desk.list.mark_count(), "marked entry");
    let of = telling::hidden(hidden).map(|hidden| format!("{marked}, {hidden} ")).unwrap_or_default();
    ask(model, &of, FEW);
}

fn ask(model: &mut Model, of: &str, machines: &str) {
    let about = format!("{of}{}", SHARES.about);
    let card = LineCard::new(&SHARES, about, Field::of_at_most(machines, 3));
    model.popup = Some(Popup::Line(Context::Shares, card));
}

/// Asks for another number of what is made ready already.
pub(crate) fn ask_again(model: &mut Model) {
    let shares = match &model.desk.pull.asked {
        Purpose::Actions(ActionsPlan::Dispatch { shares, .. }) => Some(shares.to_string()),
        _ => None,
    };
    match shares {
        Some(shares) => ask(model, "", &shares),
        None => model.reply("what failed is run again as it was: nothing of that can be asked for otherwise"),
    }
}

/// What was written into that field: of what is made ready, or of what is meant.
pub(crate) fn dispatching(model: &Model, text: &str) -> Result<Intent, String> {
    let shares = read_shares(text)?;
    let plan = match &model.desk.pull.asked {
        Purpose::Actions(ActionsPlan::Dispatch { selection, .. }) if model.screen == ViewId::Pull => {
            Ok(ActionsPlan::Dispatch { selection: selection.clone(), shares })
        }
        _ => model.desk.dispatching(&work::selection(model), shares),
    };
    plan.map(Intent::PrepareRun).map_err(|why| model.told(&why))
}

/// What puts together what the run under the cursor found.
pub(crate) fn merging(model: &Model) -> Result<Intent, Reason> {
    match model.views.jobs.run(&model.desk) {
        Some(run) => Ok(Intent::MergeRun(run.shown.run.id)),
        None => Err(NO_RUN.into()),
    }
}

/// The page of the run under the cursor.
pub(crate) fn page(model: &Model) -> Result<String, Reason> {
    let Some(run) = model.views.jobs.run(&model.desk) else { return Err(NO_RUN.into()) };
    let run = &run.shown.run;
    run.page().ok_or_else(|| format!("GitHub names no page of run {} that is its own", run.id).into())
}

/// Opens it in the browser, or copies its URL.
pub(crate) fn browse(model: &mut Model) -> Vec<Effect> {
    page(model).map_or_else(|_| Vec::new(), |url| work::open_url(model, url))
}

pub(crate) fn merge(model: &mut Model) -> Vec<Effect> {
    match merging(model) {
        Ok(intent) => work::act(model, intent),
        Err(_) => Vec::new(),
    }
}

/// The log that was asked for is there.
pub(crate) fn show_log(model: &mut Model, log: &JobLog, is_asked: bool) {
    if is_asked && model.screen == ViewId::Jobs && model.popup.is_none() {
        model.popup = Some(Popup::Text(TextCard::new(log_title(log), log_lines(log))));
    }
    model.settle(ViewId::Jobs);
}

/// A run that was followed is over.
pub(crate) fn is_over(model: &mut Model, id: JobId) {
    let rows = model.desk.job_rows();
    let is_it = |row: &&JobRow<'_>| row.key == JobKey::Here(id);
    let Some(run) = rows.iter().find(is_it).and_then(|row| model.desk.machines.of(row)) else { return };
    let is_fine = run.shown.run.state == RunState::Ended(Ending::Success);
    let next = next(&run.shown).map(|message| model.told(&message));
    let text = [Some(short(&run.shown)), next].into_iter().flatten().collect::<Vec<_>>().join("; ");
    model.say(if is_fine { Tone::Notice } else { Tone::Warning }, text);
}

/// What it found was put together: `put together: 1 file in the plan now; 2 shows it; 12 targets`.
pub(crate) fn merged(model: &mut Model, summary: &Summary) {
    let changes = model.key(Command::Show(ViewId::Changes));
    let shows = if summary.applied > 0 { format!("; {changes} shows it") } else { String::new() };
    let is_whole = summary.gaps() == 0 && summary.findings == 0;
    let bad = match &model.desk.machines.bad[..] {
        [] => String::new(),
        [one] => format!("; {one}"),
        [first, others @ ..] => format!("; {first} (and {} more)", others.len()),
    };
    let text =
        format!("put together: {}{shows}{bad}; {}", in_plan(summary.applied), summary.words().join(", "));
    model.say(if is_whole { Tone::Notice } else { Tone::Warning }, summary.limited(text));
}
