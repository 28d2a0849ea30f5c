//! What the console asks about the pull request of the plan, and about arming; and what the answers change.

use crate::desk::arming::LONGEST_REASON;
use crate::desk::asking;
use crate::desk::intent::{Answer, Intent};
use crate::desk::sending::Stage;
use crate::desk::telling::{Asked, Message, arming, pull, written};
use crate::jobs::data::{Job, NewFile, Outcome, SendTask, WatchPlan};
use crate::rules::sending::Purpose;
use crate::tui::base::layout::Class;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Command, Context, Typing, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;
use crate::tui::shell::{machines, reviewing, stranding, work};
use crate::tui::views::pull::Digits;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::line_card::LineCard;
use crate::tui::widgets::message::Tone;

/// Shows the pull request of the plan; made ready if it is not, or is that of an earlier plan.
pub(crate) fn open(model: &mut Model) -> Vec<Effect> {
    model.desk.show_next();
    let desk = &model.desk;
    let plan = desk.planning.plan.as_ref().map(crate::rules::plan::Plan::name);
    let is_same = plan == Some(desk.pull.asked.of());
    let is_to_do = match desk.pull.stage(&desk.board) {
        Stage::Nothing | Stage::Failed(_) => true,
        Stage::Preparing | Stage::Ready(_) | Stage::Done(_) | Stage::Undone(_) => !is_same,
        Stage::Sending(_) | Stage::Stopped(_) | Stage::Undo(_) => false,
    };
    let effects = if is_to_do {
        let intent = Intent::PreparePull(desk.pull.asked.pull());
        if model.desk.may(&intent).is_err() {
            // Why not is said where one is.
            return work::act(model, intent);
        }
        work::act(model, intent)
    } else {
        Vec::new()
    };
    model.go_to(ViewId::Pull);
    model.settle(ViewId::Pull);
    effects
}

/// What is on the screen of it was seen, if there was room for it; whether that is news.
pub(crate) fn look(model: &mut Model) -> Vec<Effect> {
    let is_covered = model.popup.is_some() || model.size.class() == Class::Tiny || !model.is_loaded();
    if is_covered || !model.desk.pull.is_seen() {
        return Vec::new();
    }
    vec![Effect::Frame]
}

/// Where it stands, in one sentence.
pub(crate) fn standing(model: &Model) -> Option<Message> {
    pull::standing(&model.desk).into_iter().next()
}

/// The same for the last line: where something happened, the view itself says it.
pub(crate) fn standing_line(model: &Model) -> String {
    if model.views.pull.digits.is_some() {
        return pull::TYPING.to_owned();
    }
    let is_ready = matches!(model.desk.pull.stage(&model.desk.board), Stage::Ready(_));
    let message = standing(model).filter(|_| is_ready);
    message.map(|message| model.told(&message)).unwrap_or_default()
}

/// Copies the command line that shows the same.
pub(crate) fn copy_line(model: &mut Model) -> Vec<Effect> {
    let line = asking::command_line(&model.desk.pull.asked);
    work::copy_text(model, line)
}

/// Asks for a line about the pull request.
fn ask(model: &mut Model, context: Context, asked: &Asked, field: Field) {
    model.popup = Some(Popup::Line(context, LineCard::new(asked, asked.about.to_owned(), field)));
}

/// Asks why writing is to be allowed.
pub(crate) fn ask_reason(model: &mut Model) {
    ask(model, Context::Arm, &arming::REASON, Field::of_at_most("", LONGEST_REASON));
}

/// Asks how the pull request is opened, or for the verdict.
pub(crate) fn ask_for(model: &mut Model) {
    let (asked, words) = match &model.desk.pull.asked {
        Purpose::Pull(plan) => (&asking::OPENING, asking::words(plan)),
        Purpose::Verdict(plan) => (&asking::VERDICT, asking::verdict_words(plan)),
        Purpose::Actions(_) => return machines::ask_again(model),
    };
    ask(model, Context::AskFor, asked, Field::of(&words));
}

/// Asks for a verdict on the pull request under the cursor.
pub(crate) fn ask_verdict(model: &mut Model) {
    ask(model, Context::AskFor, &asking::VERDICT, Field::default());
}

/// Asks for the name of the file that it is written to.
pub(crate) fn ask_file(model: &mut Model) {
    let name = model.desk.pull.prepared.as_deref().map(written::file_name).unwrap_or_default();
    ask(model, Context::NameFile, &written::FILE, Field::of(&name));
}

/// What the field of such a line is told besides letters.
pub(crate) fn line(model: &mut Model, command: Command) -> Vec<Effect> {
    let Some(Popup::Line(context, mut card)) = model.popup.take() else { return Vec::new() };
    match command {
        Command::Accept if card.waits.is_none() => return take_line(model, context, card),
        Command::ClearField => card.field.clear(),
        Command::DropWord => card.field.drop_word(),
        Command::Accept => {}
        _ => return Vec::new(),
    }
    model.popup = Some(Popup::Line(context, card));
    Vec::new()
}

/// Does what was written: arms, makes the pull request ready in another way, or writes it to a file. What was not taken stays to
/// be mended, and what is answered for later stays until then.
fn take_line(model: &mut Model, context: Context, card: LineCard) -> Vec<Effect> {
    let text = card.field.text().to_owned();
    let (intent, waits) = match context {
        Context::Arm => (Ok(Intent::Arm(text)), Some(arming::READING)),
        Context::Ignore => (stranding::ignoring(model, &text), None),
        Context::Shares => (machines::dispatching(model, &text), None),
        Context::NameFile => (Ok(Intent::WriteOut(text.trim().into())), Some(written::WRITING)),
        _ => match reviewing::verdict(model, &text) {
            Some(verdict) => (verdict.map(Intent::PrepareVerdict), None),
            None => (asking::read(&text).map(Intent::PreparePull), None),
        },
    };
    let refused = match intent.map(|intent| model.desk.act(intent, model.now)) {
        Ok(Answer::Started(begun)) => {
            model.popup =
                waits.map(|waits| Popup::Line(context, LineCard { waits: Some(waits), error: None, ..card }));
            let effects = work::begin(model, begun);
            if model.screen == ViewId::Reviews && context == Context::AskFor || context == Context::Shares {
                model.go_to(ViewId::Pull);
            }
            model.settle(ViewId::Pull);
            return effects;
        }
        Ok(Answer::Refused(why)) => Some(model.told(&why)),
        Ok(Answer::Asked(_)) => None,
        Err(why) => Some(why),
    };
    model.popup = Some(Popup::Line(context, LineCard { error: refused, ..card }));
    Vec::new()
}

/// The line that is waited for, if it is of this kind.
fn waiting(model: &mut Model, wanted: Context) -> Option<&mut LineCard> {
    match &mut model.popup {
        Some(Popup::Line(context, card)) if *context == wanted && card.waits.is_some() => Some(card),
        _ => None,
    }
}

/// It was not done: the line can be written again.
fn refuse_line(card: &mut LineCard, why: String) {
    card.waits = None;
    card.error = Some(why);
}

/// What the field for the digits is told besides letters.
pub(crate) fn digits(model: &mut Model, command: Command) -> Vec<Effect> {
    match command {
        Command::ClearField => edit_digits(model, Field::clear),
        Command::DropWord => edit_digits(model, Field::drop_word),
        Command::Accept => return confirm(model),
        _ => model.views.pull.digits = None,
    }
    Vec::new()
}

/// Sends what is shown, if these are its digits; else nothing happens, and they stay.
fn confirm(model: &mut Model) -> Vec<Effect> {
    let Some(Digits { write, field }) = &model.views.pull.digits else { return Vec::new() };
    let effects = work::act(model, Intent::Confirm(*write, field.text().to_owned()));
    if !effects.is_empty() {
        model.views.pull.digits = None;
        model.settle(ViewId::Pull);
    }
    effects
}

pub(crate) fn edit_digits(model: &mut Model, change: impl FnOnce(&mut Field)) {
    if let Some(digits) = &mut model.views.pull.digits {
        change(&mut digits.field);
    }
}

/// A digit was typed, and the field is not open: nothing that follows it means anything.
pub(crate) fn digit(model: &mut Model, chord: Chord) {
    let key = model.key(Command::Publish);
    let lead = format!("{chord} does nothing here: {key} opens the field for the digits");
    model.reply(format!("{lead}; letters do nothing until Esc or a pause"));
    model.keys.begin_typing(Typing::IntoNothing, model.uptime);
}

/// It was made ready.
pub(crate) fn prepared(model: &mut Model, disarmed: bool) {
    model.views.pull.show_first_failure(&model.desk);
    model.settle(ViewId::Pull);
    if disarmed {
        model.say(Tone::Warning, arming::OTHER_ACCOUNT);
    }
}

/// Writing is armed, or not.
pub(crate) fn armed(model: &mut Model, answer: Result<(), Message>) {
    match (answer, model.desk.arming.armed()) {
        (Ok(()), Some(armed)) => {
            let told = arming::armed(armed, model.now);
            if waiting(model, Context::Arm).is_some() {
                model.popup = None;
            }
            model.reply(told);
            model.settle(ViewId::Pull);
        }
        (Ok(()), None) => {}
        (Err(why), _) => {
            let told = model.told(&why);
            match waiting(model, Context::Arm) {
                Some(card) => refuse_line(card, told),
                None => model.say(Tone::Error, told),
            }
        }
    }
}

/// The console only reads again.
pub(crate) fn end_arming(model: &mut Model) {
    if model.desk.arming.end() {
        model.say(Tone::Warning, arming::DISARMED);
        model.settle(ViewId::Pull);
    }
}

/// A job about it is over.
pub(crate) fn end(model: &mut Model, job: &Job, outcome: Outcome) -> Vec<Effect> {
    model.settle(ViewId::Pull);
    let effects = follow(model, job, &outcome);
    match (job, outcome) {
        (Job::Inquire, outcome) => {
            if let Some(card) = waiting(model, Context::Arm) {
                refuse_line(card, arming::NOT_ASKED.to_owned());
            }
            if let Outcome::Failed(failure) = outcome {
                model.say(Tone::Error, model.in_keys(&failure.sentence()));
            }
        }
        (Job::WriteOut(file), outcome) => write_ended(model, file, &outcome),
        // On its own screen all of it is told.
        _ if model.screen == ViewId::Pull => {}
        (_, Outcome::Failed(failure)) => model.say(Tone::Error, model.in_keys(&failure.sentence())),
        (Job::Send(_), Outcome::Done(_)) => {
            if let Some(message) = standing(model) {
                let told = model.told(&message);
                model.say(Tone::Notice, told);
            }
        }
        _ => {}
    }
    effects
}

/// What would be sent was written to a file, or was not.
fn write_ended(model: &mut Model, file: &NewFile, outcome: &Outcome) {
    let why =
        if let Outcome::Failed(failure) = outcome { Some(model.in_keys(&failure.sentence())) } else { None };
    match (waiting(model, Context::NameFile), why) {
        (Some(card), Some(why)) => refuse_line(card, why),
        (None, Some(why)) => model.say(Tone::Error, why),
        (_, None) => {
            model.popup.take_if(|popup| matches!(popup, Popup::Line(Context::NameFile, _)));
            if let Some(prepared) = &model.desk.pull.prepared {
                let told = written::written(&file.path, prepared);
                model.say(Tone::Notice, told);
            }
        }
    }
}

/// One that was opened is followed, until it is merged and the bump after it was seen; and so is a run that was started.
fn follow(model: &mut Model, job: &Job, outcome: &Outcome) -> Vec<Effect> {
    let is_sent = matches!(job, Job::Send(SendTask::Open { .. } | SendTask::Resume { .. }));
    let started = match model.desk.pull.stage(&model.desk.board) {
        // Where GitHub does not say which run it made, the newest one may be another.
        Stage::Done(sent) if is_sent && sent.course.starts() => sent.course.run(),
        _ => None,
    };
    if let Some(run) = started.filter(|_| matches!(outcome, Outcome::Done(_))) {
        let intent = Intent::FollowRun(Some(run));
        return if model.desk.may(&intent).is_ok() { work::act(model, intent) } else { Vec::new() };
    }
    let number = match model.desk.pull.stage(&model.desk.board) {
        Stage::Done(sent) if is_sent && matches!(outcome, Outcome::Done(_)) => sent.course.pull(),
        _ => None,
    };
    if number.is_none() || model.desk.board.watching().is_some() {
        return Vec::new();
    }
    vec![work::start(model, Job::Watch(WatchPlan { number, once: false }))]
}
