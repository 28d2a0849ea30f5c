//! Controls of the running backfill, the texts to copy, the status line, and the message at its end.

use crate::desk::ability::Ability;
use crate::desk::filling::command_line;
use crate::desk::intent::{Cancel, Intent};
use crate::desk::run::End;
use crate::desk::telling::backfill;
use crate::jobs::data::{BackfillTask, Outcome};
use crate::rules::backfill::FillResult;
use crate::tui::keymap::{Command, next_step};
use crate::tui::views::backfill::state::Backfill;
use crate::tui::views::{ActionContext, View, ViewContext, ViewRequest};
use crate::tui::widgets::message::Tone;

/// Asks the backfill to stop.
pub(super) fn cancel(context: &mut ActionContext<'_>) {
    context.request(ViewRequest::ActAndSay(Intent::Cancel(Cancel::Backfill), backfill::STOPPING.to_owned()));
}

/// Continues with the targets that are left, or could not be read.
pub(super) fn again(context: &mut ActionContext<'_>) {
    let says = "continuing: what is finished is not downloaded again".to_owned();
    context.request(ViewRequest::ActAndSay(Intent::BackfillAgain, says));
}

/// Copies something of the row under the cursor, or of the whole backfill.
pub(super) fn copy(view: &Backfill, context: &mut ActionContext<'_>, command: Command) {
    let filling = context.desk.filling.as_ref();
    let Some((filling, row)) = filling.zip(view.row(filling)) else { return };
    let (words, text) = match command {
        Command::CopyUrl => ("", row.item.url.clone()),
        Command::CopyHash => match &row.result {
            FillResult::Drifted { sha256 } => ("the checksum of upstream's archive, ", sha256.clone()),
            FillResult::Filled { h1, .. } => ("the h1 that was computed, ", h1.clone()),
            _ => ("the stored checksum, ", row.item.shasum.clone()),
        },
        Command::Do(Ability::CopyPath) => {
            let Some(journal) = filling.journal.clone() else {
                return context.reply("nothing of it is kept yet");
            };
            ("the path of what is kept, ", journal)
        }
        Command::CopyLine => {
            let Some(line) = command_line(&filling.run) else {
                return context.reply("it is about too many entries for one command line");
            };
            ("", line)
        }
        _ => ("", row.item.address.to_string()),
    };
    context.copy(words, text);
}

/// The last line while there is no message.
pub(super) fn status(view: &Backfill, context: &ViewContext<'_>) -> (Tone, String) {
    let desk = context.desk;
    let Some(filling) = &desk.filling else { return (Tone::Reply, String::new()) };
    let is_stopping = desk.board.filling().is_some_and(|job| job.cancelling);
    let text = view.text_of(&context.paint, &backfill::standing(filling, is_stopping));
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

/// Reports how a backfill ended. The sentence has its limits already.
pub(super) fn report_end(
    view: &Backfill,
    context: &mut ActionContext<'_>,
    task: &BackfillTask,
    outcome: &Outcome,
) {
    let summary = match outcome {
        Outcome::Done(summary) | Outcome::Cancelled(summary) => summary,
        Outcome::Failed(failure) => return context.fail(failure),
    };
    let (BackfillTask::Run(_), Some(filling)) = (task, &context.desk.filling) else { return };
    let text = view.text_of(&context.paint, &backfill::ended(filling));
    let is_whole = summary.gaps() == 0 && filling.bad() == 0 && filling.stopped.is_none();
    let is_done = is_whole && filling.end == Some(End::Done { has_gaps: false });
    let tone = if is_done { Tone::Notice } else { Tone::Warning };
    let text = if context.is_seen {
        text
    } else {
        format!("backfill {text}; {} shows it", context.paint.key(next_step::SHOW_BACKFILL))
    };
    context.report(tone, text);
}
