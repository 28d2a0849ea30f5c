//! What the console asks to be verified, how it steers that, and what the answers change. Only ever reads: the one thing that
//! is written is the report.
//!
//! One verification runs at a time: two would share the same few downloads and the screen.

use std::collections::HashSet;

use crate::desk::board::Running;
use crate::jobs::{Job, JobId, MOST_WORKERS, Outcome, Summary, VerifyNews, VerifyPlan, Wanted};
use crate::registry::{Address, Kind};
use crate::rules::amount::{counted, grouped};
use crate::rules::plain_text::shell_word;
use crate::rules::verify::{Listed, State, Zip};
use crate::tui::keymap::Command;
use crate::tui::model::{Model, Popup, Screen, Tone};
use crate::tui::msg::Effect;
use crate::tui::screens::verify;
use crate::tui::screens::verify::{End, Run};
use crate::tui::widgets::ask::{Ask, Then};
use crate::tui::work::start;
use crate::tui::{heard, views};

/// More targets than this are asked about first.
const MANY_TARGETS: u64 = 200;
/// So many whose size nobody knows are asked about first: about one version of a provider is begun without a question.
const MANY_UNKNOWN: u64 = 20;
/// Entries that a command line names.
const MOST_NAMED: usize = 20;

/// What stopping means, while it lasts.
const STOPPING: &str = "stopping: what is finished stays in the report";

/// What is meant, and how much it is.
struct Meant {
    wanted: Vec<Wanted>,
    what: String,
    versions: u64,
    targets: u64,
    /// Targets whose size is not stored.
    unknown: u64,
    /// Marked modules, which have nothing to verify.
    modules: usize,
    hidden: usize,
}

/// Verifies what is meant; asks first if it is much. In Verify itself: the last one again.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    if model.screen == Screen::Verify {
        return again(model);
    }
    model.inventory.take_range();
    let meant = if model.screen == Screen::Entry { version(model) } else { entries(model) };
    let meant = match meant {
        Some(meant) if meant.targets > 0 => meant,
        Some(meant) => {
            model.reply(format!("nothing to verify: {} has no targets in the registry", meant.what));
            return Vec::new();
        }
        None if model.screen == Screen::Entry => {
            model.reply("nothing to verify: nothing is stored of this version");
            return Vec::new();
        }
        None => {
            model.reply("nothing to verify: modules have no archives, and nothing else was meant");
            return Vec::new();
        }
    };
    let plan = VerifyPlan::new(meant.wanted.clone());
    if meant.targets <= MANY_TARGETS && meant.unknown <= MANY_UNKNOWN {
        let text = format!("verifying {}: {}; it only reads", meant.what, amount(&meant));
        let effects = begin(model, plan, meant.what);
        model.reply(text);
        return effects;
    }
    let mut says = vec![format!("{}: {}.", meant.what, amount(&meant))];
    if meant.unknown > 0 {
        let of = if meant.unknown == meant.targets { "all".into() } else { grouped(meant.unknown) };
        says.push(format!("The size of {of} of them is not known before."));
    }
    if meant.modules > 0 {
        let modules = counted(meant.modules, "module");
        says.push(format!("{modules} left out: they have no archives."));
    }
    if meant.hidden > 0 {
        says.push(format!("{} of them hidden by the filter or a folded group.", grouped(meant.hidden)));
    }
    says.push(
        "Each archive is downloaded and hashed. It only reads; what is finished is kept in a report.".into(),
    );
    if model.screen == Screen::Inventory {
        let (open, key) = (model.key(Command::Open), model.key(Command::Verify));
        says.push(format!("For one version alone: {open} opens the entry, {key} there verifies a version."));
    }
    let then = Then::Verify(plan, meant.what);
    model.popup = Some(Popup::Ask(Ask { title: "Verify all of it?".into(), says, yes: "verify", then }));
    Vec::new()
}

/// `8 versions, 112 targets`.
fn amount(meant: &Meant) -> String {
    let (versions, targets) = (counted(meant.versions, "version"), counted(meant.targets, "target"));
    format!("{versions}, {targets}")
}

/// The version under the cursor of an opened entry.
fn version(model: &Model) -> Option<Meant> {
    let entry = model.entry.as_ref()?;
    let row = entry.rows.get(entry.cursor).filter(|row| row.indexed)?;
    let targets = u64::from(row.targets?);
    Some(Meant {
        wanted: vec![Wanted { address: entry.address.clone(), version: Some(row.version.clone()) }],
        what: format!("{} {}", entry.address, row.version),
        versions: 1,
        targets,
        unknown: targets - u64::from(row.hashed.unwrap_or(0)).min(targets),
        modules: 0,
        hidden: 0,
    })
}

/// The marked entries of the Inventory, or the one that is meant.
fn entries(model: &Model) -> Option<Meant> {
    let marked = if model.screen == Screen::Inventory { model.inventory.list.marked() } else { Vec::new() };
    let hidden = if marked.is_empty() { 0 } else { model.inventory.hidden_marks() };
    let all: Vec<Address> =
        if marked.is_empty() { model.subject().cloned().into_iter().collect() } else { marked };
    let (addresses, others): (Vec<Address>, Vec<Address>) =
        all.into_iter().partition(|address| address.kind() == Kind::Provider);
    let what = match &addresses[..] {
        [] => return None,
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} and {} marked", rest.len()),
    };
    let set: HashSet<&Address> = addresses.iter().collect();
    let rows = model.inventory.list.catalog.rows.iter().filter(|row| set.contains(&row.address));
    let mut meant = Meant {
        wanted: Vec::new(),
        what,
        versions: 0,
        targets: 0,
        unknown: 0,
        modules: others.len(),
        hidden,
    };
    for row in rows {
        meant.versions += u64::from(row.shape.version_count);
        meant.targets += u64::from(row.shape.target_count);
        meant.unknown += u64::from(row.shape.unhashed_targets);
    }
    meant.wanted = addresses.into_iter().map(|address| Wanted { address, version: None }).collect();
    Some(meant)
}

/// Begins a verification and shows it. Nothing happens while another one runs.
pub(super) fn begin(model: &mut Model, plan: VerifyPlan, what: String) -> Vec<Effect> {
    if model.board.verifying().is_some() {
        return Vec::new();
    }
    let mut effects = vec![start(model, Job::Verify(plan.clone()))];
    if let [Effect::Start(id, _)] = effects[..] {
        let since = model.now;
        model.views.verify.take(Run::new(id, plan, what, since));
    }
    effects.extend(views::show_verify(model));
    effects
}

/// The last verification again: what is finished is not downloaded twice if it was stopped.
pub(super) fn again(model: &mut Model) -> Vec<Effect> {
    let Some(run) = model.views.verify.run.as_ref().filter(|run| !run.is_running()) else {
        return Vec::new();
    };
    let (plan, what, is_cut) = (run.plan.clone(), run.what.clone(), run.end != Some(End::Done));
    let effects = begin(model, plan, what);
    model.reply(if is_cut {
        "going on: what is finished is not downloaded again"
    } else {
        "verifying it again"
    });
    effects
}

/// Takes what a verification says.
pub(super) fn take(model: &mut Model, id: JobId, news: VerifyNews) {
    if model.views.verify.run.as_ref().is_some_and(|run| run.job == id) {
        let page = verify::page(model.size);
        model.views.verify.hear(news, page);
    }
}

/// Takes the end of a verification.
pub(super) fn end(model: &mut Model, job: &Running, outcome: Outcome) {
    let page = verify::page(model.size);
    let (end, summary) = match outcome {
        Outcome::Done(summary) => (End::Done, summary),
        Outcome::Cancelled(summary) => (End::Cancelled, summary),
        Outcome::Failed(failure) => (End::Failed(failure), Summary::default()),
    };
    if let Some(run) = model.views.verify.run.as_mut().filter(|run| run.job == job.id) {
        run.number = job.number;
        model.views.verify.close(end.clone(), page);
    }
    let Some(run) = &model.views.verify.run else { return };
    let key = model.key(Command::Verify);
    let show = match model.screen {
        Screen::Verify => String::new(),
        _ => format!("; {} shows it", model.key(Command::ShowVerify)),
    };
    let found = found(run);
    let (tone, text) = match end {
        End::Done if run.order.bad() > 0 => (Tone::Warning, format!("verified {}: {found}{show}", run.what)),
        End::Done => (Tone::Notice, format!("verified {}: {found}{show}", run.what)),
        End::Cancelled => {
            let (over, all) = (grouped(run.over()), grouped(run.rows.len()));
            (
                Tone::Warning,
                format!("stopped at {over} of {all} targets; in Verify {key} goes on with the rest"),
            )
        }
        End::Failed(failure) => (Tone::Error, failure.sentence()),
    };
    model.say(tone, heard::with_limits(text, &summary));
}

/// `66 OK, 1 MISMATCH, 2 SKIPPED`: what was found, the bad first.
pub(crate) fn found(run: &Run) -> String {
    let states = [
        State::Mismatch,
        State::Missing,
        State::Error,
        State::Ok,
        State::Skipped,
        State::Cancelled,
        State::Queued,
    ];
    let counts = states.into_iter().filter(|state| run.order.count(*state) > 0);
    let parts: Vec<String> =
        counts.map(|state| format!("{} {}", grouped(run.order.count(state)), state.word())).collect();
    if parts.is_empty() { "no targets".into() } else { parts.join(", ") }
}

/// Asks the verification to stop.
pub(super) fn cancel(model: &mut Model) -> Vec<Effect> {
    let Some(id) = model.views.verify.running().map(|run| run.job) else { return Vec::new() };
    let Some(job) = model.board.find(id).filter(|job| !job.cancelling) else { return Vec::new() };
    job.cancelling = true;
    model.reply(STOPPING);
    vec![Effect::Cancel(id)]
}

/// Begins nothing new, or goes on.
pub(super) fn pause(model: &mut Model) -> Vec<Effect> {
    let key = model.key(Command::Mark);
    let Some(run) = model.views.verify.run.as_mut().filter(|run| run.is_running()) else { return Vec::new() };
    run.steer.is_paused = !run.steer.is_paused;
    let effect = Effect::Steer(run.job, run.steer);
    let says = if run.steer.is_paused {
        format!("paused: what is under way ends, nothing new is begun; {key} goes on")
    } else {
        "going on".into()
    };
    model.reply(says);
    vec![effect]
}

/// Stops at the next bad row, or goes on through all of them.
pub(super) fn stop_at_bad(model: &mut Model) -> Vec<Effect> {
    let key = model.key(Command::StopAtBad);
    let Some(run) = model.views.verify.run.as_mut().filter(|run| run.is_running()) else { return Vec::new() };
    let stops = !run.stops_at_bad();
    run.steer.stops_at_bad = Some(stops);
    let effect = Effect::Steer(run.job, run.steer);
    model.reply(if stops {
        format!("it stops at the next bad row; {key} lets it go on")
    } else {
        "it goes on through bad rows".into()
    });
    vec![effect]
}

/// More downloads at once, or fewer.
pub(super) fn work_more(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(run) = model.views.verify.run.as_mut().filter(|run| run.is_running()) else { return Vec::new() };
    let now = run.steer.workers.unwrap_or(run.plan.workers);
    let to = now.saturating_add_signed(by).clamp(1, MOST_WORKERS);
    run.steer.workers = Some(to);
    let effect = Effect::Steer(run.job, run.steer);
    let limit = match to {
        _ if to != now => "",
        1 => ", the fewest",
        _ => ", the most",
    };
    model.reply(format!("{} at once{limit}", counted(to, "download")));
    vec![effect]
}

/// Copies something of the row under the cursor.
pub(super) fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(row) = model.views.verify.row().cloned() else { return Vec::new() };
    let (what, text) = match command {
        Command::CopyUrl => ("", row.url.clone()),
        Command::CopyHash => match (&row.zip, &row.listed) {
            (Zip::Hashed(computed), _) => ("the zip's checksum today, ", computed.sha256.clone()),
            (_, Listed::Sum { sum }) => ("the checksum that SHA256SUMS lists today, ", sum.clone()),
            _ => ("the stored checksum, ", row.stored.shasum.clone()),
        },
        Command::CopyLine => {
            let one = shell_word(&format!("{}@{}", row.address, row.version));
            ("", format!("bumpdesk verify {one} --targets {}", shell_word(&row.target)))
        }
        _ => ("", row.address.to_string()),
    };
    model.reply(format!("copying {what}{text}"));
    vec![Effect::Copy(text)]
}

/// Copies where the report is, which is written as rows finish.
pub(super) fn copy_report(model: &mut Model) -> Vec<Effect> {
    let report = model.views.verify.run.as_ref().and_then(|run| run.report.clone());
    let Some(report) = report else { return Vec::new() };
    model.reply(format!("copying the path of the report, {report}"));
    vec![Effect::Copy(report)]
}

/// The command line that asks the same; `None` if that would be too long to read.
pub(crate) fn line(plan: &VerifyPlan) -> Option<String> {
    if plan.wanted.len() > MOST_NAMED {
        return None;
    }
    let name = |wanted: &Wanted| match &wanted.version {
        Some(version) => shell_word(&format!("{}@{version}", wanted.address)),
        None => shell_word(&wanted.address.to_string()),
    };
    let names: Vec<String> = plan.wanted.iter().map(name).collect();
    Some(format!("bumpdesk verify {}", names.join(" ")))
}

/// What stands in the last line of Verify while there is no message.
pub(super) fn standing(model: &Model) -> (Tone, String) {
    let Some(run) = &model.views.verify.run else { return (Tone::Reply, String::new()) };
    let bad = run.order.bad();
    let again = model.key(Command::Verify);
    let rows = counted(bad, "bad row");
    let bad_tone = if bad > 0 { Tone::Warning } else { Tone::Notice };
    match &run.end {
        None if model.board.verifying().is_some_and(|job| job.cancelling) => (Tone::Warning, STOPPING.into()),
        None if run.steer.is_paused => {
            (Tone::Warning, format!("paused; {} goes on", model.key(Command::Mark)))
        }
        None if bad > 0 && run.stops_at_bad() => {
            (Tone::Warning, format!("{rows} found; it stops at the next"))
        }
        None if bad > 0 => {
            let key = model.key(Command::StopAtBad);
            (Tone::Warning, format!("{rows} found; the run goes on; {key} stops at the next"))
        }
        None => (Tone::Notice, run.meter.slowed.clone().unwrap_or_default()),
        Some(End::Done) => (bad_tone, format!("done: {}", found(run))),
        Some(End::Cancelled) => (
            Tone::Warning,
            format!("stopped: what is finished is in the report; {again} goes on with the rest"),
        ),
        Some(End::Failed(failure)) => (Tone::Error, failure.sentence()),
    }
}
