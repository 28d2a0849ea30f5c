//! The field for the digits that confirm a sending, and the form of what is made ready.

use crate::desk::form;
use crate::desk::intent::Intent;
use crate::rules::sending::{ActionsPlan, Purpose};
use crate::tui::keymap::Command;
use crate::tui::keymap::chord::{Chord, Key};
use crate::tui::views::pull::state::{Digits, Pull};
use crate::tui::views::{ActionContext, ViewRequest};

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
            (Command::OtherDown, _) => self.down += self.page(context),
            (Command::OtherUp, _) => self.down = self.down.saturating_sub(self.page(context)),
            _ => (self.digits, self.has_left) = (None, true),
        }
    }

    /// Lines of a page: the keys that scroll beside the digits are those of pages.
    fn page(&self, context: &ActionContext<'_>) -> usize {
        let height = self.parts(context.desk, &context.paint).facts.height;
        usize::from(height).saturating_sub(1).max(1)
    }
}

/// Opens the form of the details, of the verdict, or of the number of machines.
pub(super) fn edit(context: &mut ActionContext<'_>) {
    let form = match &context.desk.pull.purpose {
        Purpose::Pull(plan) => form::pull::form(plan),
        Purpose::Verdict(plan) => form::verdict::form(context.desk, plan),
        Purpose::Actions(ActionsPlan::Dispatch { shares, .. }) => form::machines::form(None, "", *shares),
        Purpose::Actions(ActionsPlan::Rerun { .. }) => {
            return context
                .reply("what failed is run again as it was: nothing of that can be asked for otherwise");
        }
    };
    context.request(ViewRequest::Form(form));
}

/// Returns true if the key may be one of the digits that confirm a sending.
pub(super) fn is_digit(chord: Chord) -> bool {
    !chord.ctrl && matches!(chord.key, Key::Char(c) if c.is_ascii_hexdigit())
}
