//! The fields of the pull request: the digits that confirm a sending, and the lines for the options and for
//! the name of the file.

use crate::desk::intent::Intent;
use crate::desk::telling::machines::{SHARES, read_shares};
use crate::desk::telling::written;
use crate::desk::{asking, form};
use crate::rules::sending::{ActionsPlan, Purpose};
use crate::tui::keymap::chord::{Chord, Key};
use crate::tui::keymap::{Command, Context};
use crate::tui::views::pull::state::{Digits, Pull};
use crate::tui::views::{ActionContext, ViewContext, ViewRequest};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::line_card::LineCard;

impl Pull {
    /// Runs a command of the field for the digits.
    pub(super) fn act_on_digits(&mut self, context: &mut ActionContext<'_>, command: Command) {
        match (command, &mut self.digits) {
            (Command::ClearField, Some(digits)) => digits.field.clear(),
            (Command::DropWord, Some(digits)) => digits.field.drop_word(),
            // Sends what is shown, if these are its digits; else nothing happens, and they stay.
            (Command::Accept, Some(Digits { write, field })) => {
                let intent = Intent::Confirm(*write, field.text().to_owned());
                context.request(ViewRequest::Act(intent));
            }
            _ => self.digits = None,
        }
    }
}

/// Opens the field for the options, the verdict, or the number of machines.
pub(super) fn ask_for(context: &mut ActionContext<'_>) {
    let purpose = &context.desk.pull.purpose;
    let (field, card) = if let Purpose::Actions(ActionsPlan::Dispatch { shares, .. }) = purpose {
        let field = Field::of_at_most(&shares.to_string(), 3);
        (Context::Shares, LineCard::new(&SHARES, SHARES.about.to_owned(), field))
    } else if let Purpose::Verdict(plan) = purpose {
        let form = form::verdict::form(context.desk, plan);
        return context.request(ViewRequest::Form(form));
    } else if let Some((prompt, words)) = asking::options(purpose) {
        (Context::AskFor, LineCard::new(prompt, prompt.about.to_owned(), Field::of(&words)))
    } else {
        return context
            .reply("what failed is run again as it was: nothing of that can be asked for otherwise");
    };
    context.request(ViewRequest::Line(field, card));
}

/// Opens the field for the name of the file.
pub(super) fn ask_file(context: &mut ActionContext<'_>) {
    let name = context.desk.pull.prepared.as_deref().map(written::file_name).unwrap_or_default();
    let card = LineCard::new(&written::FILE, written::FILE.about.to_owned(), Field::of(&name));
    context.request(ViewRequest::Line(Context::NameFile, card));
}

/// Parses a line that was typed into one of the fields.
pub(super) fn read_line(
    context: &ViewContext<'_>,
    field: Context,
    text: &str,
) -> Option<Result<Intent, String>> {
    match (field, &context.desk.pull.purpose) {
        (Context::AskFor, purpose) => Some(asking::read_options(purpose, text).map(Intent::prepare)),
        (Context::Shares, Purpose::Actions(ActionsPlan::Dispatch { selection, .. })) => {
            let plan = |shares| ActionsPlan::Dispatch { selection: selection.clone(), shares };
            Some(read_shares(text).map(|shares| Intent::prepare(plan(shares))))
        }
        _ => None,
    }
}

/// Returns true if the key may be one of the digits that confirm a sending.
pub(super) fn is_digit(chord: Chord) -> bool {
    !chord.ctrl && matches!(chord.key, Key::Char(c) if c.is_ascii_hexdigit())
}
