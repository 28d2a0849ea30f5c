//! What keys on Backfill do outside of it: the backfill is steered, stopped and continued, and what it found is copied. Its end is told.

use crate::desk::filling::{command_line, words};
use crate::desk::intent::{Answer, Cancel, Intent, Meant, Steered};
use crate::desk::launch::Slot;
use crate::desk::run::End;
use crate::desk::telling::backfill;
use crate::jobs::data::{BackfillTask, Outcome, Summary};
use crate::registry::Kind;
use crate::rules::amount::counted;
use crate::rules::backfill::Became;
use crate::rules::plain_text::shell_word;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Command, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::shell::work;
use crate::tui::views::backfill::{Choice, Form};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::message::Tone;

/// What a key on the view means for the backfill, or for what is under the cursor.
pub(crate) fn steer(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::Mark => pause(model),
        Command::CancelJob => cancel(model),
        Command::SurveyThis => again(model),
        Command::MoreWorkers => work_more(model, 1),
        Command::FewerWorkers => work_more(model, -1),
        _ => copy(model, command),
    }
}

/// Asks what is to be filled in, and how: the form of the view, with what it would cost.
pub(crate) fn ask(model: &mut Model) -> Vec<Effect> {
    let choices = choices(model);
    let form = Form::new(choices, model.screen);
    model.go_to(ViewId::Backfill);
    model.views.backfill.form = Some(form);
    count(model)
}

/// What can be meant from here: what is pointed at first.
fn choices(model: &mut Model) -> Vec<Choice> {
    let is_list = model.screen == ViewId::Inventory;
    let (meant, hidden) = work::take_meant(model);
    let list = &model.desk.list;
    let mut choices = Vec::new();
    let marked = || Choice {
        meant: Meant::Marked,
        name: counted(list.mark_count(), "marked entry"),
        words: Some("--marked".to_owned()),
        hidden,
    };
    match meant {
        Meant::Marked => choices.push(marked()),
        Meant::These(these) => {
            choices.extend(these.first().filter(|one| one.kind() == Kind::Provider).map(|one| Choice {
                name: one.to_string(),
                words: Some(shell_word(&one.to_string())),
                meant: Meant::These(these.clone()),
                hidden: 0,
            }));
            if list.mark_count() > 0 {
                choices.push(marked());
            }
        }
        _ => {}
    }
    if is_list && list.shown.len() < list.verdicts.len() {
        choices.push(Choice {
            meant: Meant::Shown,
            name: format!("what the filter shows, {}", counted(list.shown.len(), "entry")),
            words: Some(format!("--filter {}", shell_word(list.filter.trim()))),
            hidden: 0,
        });
    }
    choices.push(Choice {
        meant: Meant::Everything,
        name: "every provider".to_owned(),
        words: Some("--all".to_owned()),
        hidden: 0,
    });
    choices
}

/// Counts what it would cost, as it stands there, unless that is counted.
fn count(model: &mut Model) -> Vec<Effect> {
    let Some(form) = &mut model.views.backfill.form else { return Vec::new() };
    let Some(choice) = form.choice().cloned() else { return Vec::new() };
    let how = match form.read() {
        Ok(how) => how,
        Err(error) => {
            form.error = Some(error);
            return Vec::new();
        }
    };
    if form.counted.is_some() {
        return Vec::new();
    }
    let words = match (choice.words, &how.versions) {
        (Some(words), None) => Some(words),
        (_, versions) => {
            let selection = model.desk.selection(&choice.meant, versions.as_deref());
            selection.ok().and_then(|selection| words(&selection))
        }
    };
    let at = if how.versions.is_some() { Slot::Versions } else { Slot::What };
    match model.desk.act(Intent::EstimateBackfill { meant: choice.meant, how }, model.now) {
        Answer::Started(begun) => {
            if let Some(form) = &mut model.views.backfill.form {
                form.counted = begun.start.first().map(|(job, _)| (*job, words));
            }
            work::begin(model, begun)
        }
        Answer::Asked(_) => Vec::new(),
        Answer::Refused(why) => {
            let why = model.told(&why);
            if let Some(form) = &mut model.views.backfill.form {
                form.error = Some((at, why));
            }
            Vec::new()
        }
    }
}

/// Changes the text of the field under the cursor.
pub(crate) fn edit(model: &mut Model, change: impl FnOnce(&mut Field)) {
    if let Some(form) = &mut model.views.backfill.form {
        form.edit(change);
    }
}

/// Takes a key as a letter of the field, or as the next choice.
pub(crate) fn type_key(model: &mut Model, chord: Chord) -> Vec<Effect> {
    let is_chosen = model.views.backfill.form.as_mut().is_some_and(|form| form.take(chord));
    if is_chosen { count(model) } else { Vec::new() }
}

/// What the form is told besides letters.
pub(crate) fn form(model: &mut Model, command: Command) -> Vec<Effect> {
    let by = match command {
        Command::NextLine => 1,
        Command::PreviousLine => -1,
        Command::Accept => return begin_asked(model),
        Command::ClearField => {
            edit(model, Field::clear);
            return Vec::new();
        }
        Command::DropWord => {
            edit(model, Field::drop_word);
            return Vec::new();
        }
        _ => {
            leave(model);
            return Vec::new();
        }
    };
    let effects = count(model);
    if let Some(form) = &mut model.views.backfill.form {
        form.step(by);
    }
    effects
}

/// Begins what stands in the form, after a question.
fn begin_asked(model: &mut Model) -> Vec<Effect> {
    let Some(form) = &mut model.views.backfill.form else { return Vec::new() };
    let Some(Choice { meant, hidden, .. }) = form.choice().cloned() else { return Vec::new() };
    match form.read() {
        Ok(how) => work::act(model, Intent::Backfill { meant, hidden, how }),
        Err((at, why)) => {
            (form.at, form.error) = (at, Some((at, why)));
            Vec::new()
        }
    }
}

/// Back to where one was; nothing begins.
pub(crate) fn leave(model: &mut Model) {
    if let Some(form) = model.views.backfill.form.take() {
        model.leave_for(form.from);
    }
}

/// What is left of it, or could not be read.
fn again(model: &mut Model) -> Vec<Effect> {
    let effects = work::act(model, Intent::BackfillAgain);
    if !effects.is_empty() {
        model.reply("continuing: what is finished is not downloaded again");
    }
    effects
}

fn cancel(model: &mut Model) -> Vec<Effect> {
    let effects = work::act(model, Intent::Cancel(Cancel::Backfill));
    if !effects.is_empty() {
        model.reply(backfill::STOPPING);
    }
    effects
}

fn pause(model: &mut Model) -> Vec<Effect> {
    let Some(filling) = &model.desk.filling else { return Vec::new() };
    let is_paused = !filling.steer.is_paused;
    work::pause(model, Steered::Backfill, is_paused)
}

fn work_more(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(filling) = &model.desk.filling else { return Vec::new() };
    let now = filling.steer.workers.unwrap_or(filling.asked.limits.workers);
    work::work_more(model, Steered::Backfill, now, by)
}

/// Copies something of the row under the cursor, or of the whole backfill.
fn copy(model: &mut Model, command: Command) -> Vec<Effect> {
    let filling = model.desk.filling.as_ref();
    let Some((filling, row)) = filling.zip(model.views.backfill.row(filling)) else { return Vec::new() };
    let (what, text) = match command {
        Command::CopyUrl => ("", row.item.url.clone()),
        Command::CopyHash => match &row.became {
            Became::Drifted { sha256 } => ("the checksum of upstream's archive, ", sha256.clone()),
            Became::Filled { h1, .. } => ("the h1 that was computed, ", h1.clone()),
            _ => ("the stored checksum, ", row.item.shasum.clone()),
        },
        Command::CopyPath => {
            let Some(journal) = filling.journal.clone() else {
                model.reply("nothing of it is kept yet");
                return Vec::new();
            };
            ("the path of what is kept, ", journal)
        }
        Command::CopyLine => {
            let Some(line) = command_line(&filling.asked) else {
                model.reply("it is about too many entries for one command line");
                return Vec::new();
            };
            ("", line)
        }
        _ => ("", row.item.address.to_string()),
    };
    model.reply(format!("copying {what}{text}"));
    vec![Effect::Copy(text)]
}

/// What stands in the last line of Backfill while there is no message.
pub(crate) fn standing(model: &Model) -> (Tone, String) {
    let Some(filling) = &model.desk.filling else { return (Tone::Reply, String::new()) };
    let is_stopping = model.desk.board.filling().is_some_and(|job| job.cancelling);
    let text = model.told(&backfill::standing(filling, is_stopping));
    let tone = match &filling.end {
        Some(End::Failed(_)) => Tone::Error,
        Some(End::Done { has_gaps: false }) if filling.bad() == 0 && filling.stopped.is_none() => {
            Tone::Notice
        }
        None if filling.bad() == 0 && !is_stopping && !filling.steer.is_paused => Tone::Notice,
        _ => Tone::Warning,
    };
    (tone, text)
}

/// Tells how a backfill ended.
pub(crate) fn end(model: &mut Model, task: &BackfillTask, outcome: Outcome) -> Vec<Effect> {
    let summary = match outcome {
        Outcome::Done(summary) | Outcome::Cancelled(summary) => summary,
        Outcome::Failed(failure) => {
            model.say(Tone::Error, model.in_keys(&failure.sentence()));
            return Vec::new();
        }
    };
    if let (BackfillTask::Run(_), Some(filling)) = (task, &model.desk.filling) {
        let told = model.told(&backfill::ended(filling));
        let show = match model.screen {
            ViewId::Backfill => String::new(),
            _ => format!("; {} shows it", model.key(Command::Show(ViewId::Backfill))),
        };
        let is_whole = summary.gaps() == 0 && filling.bad() == 0 && filling.stopped.is_none();
        let tone = if is_whole && filling.end == Some(End::Done { has_gaps: false }) {
            Tone::Notice
        } else {
            Tone::Warning
        };
        // Its limit is in the sentence already.
        let summary = Summary { limits: Vec::new(), ..summary };
        let text = if model.screen == ViewId::Backfill { told } else { format!("backfill {told}{show}") };
        model.say(tone, summary.limited(text));
    }
    Vec::new()
}
