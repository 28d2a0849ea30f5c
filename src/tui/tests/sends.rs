//! The requests that may go to GitHub, and when: by Enter in the field, with all digits of the last frame
//! typed into it, on a console whose header says that it is armed, and without a failing gate. Every other
//! sending is a fault.

use crate::jobs::data::{Job, SendTask};
use crate::rules::sending::GateState;
use crate::tui::base::layout;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Command, Context, Meaning};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::{availability, footer};
use crate::tui::tests::screen;

/// The digits on a screen.
pub(super) fn digits_on(screen: &str) -> Option<String> {
    let rest = screen.split_once("he digits ").map(|(_, rest)| rest)?;
    let digits: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    (digits.len() == 6).then_some(digits)
}

/// The state before a message, as an observer of the screen knows it.
#[expect(clippy::struct_excessive_bools, reason = "what is seen, one by one")]
pub(super) struct Confirmed {
    is_enter: bool,
    is_field: bool,
    typed: String,
    shown: Option<String>,
    is_armed: bool,
    fails: bool,
}

impl Confirmed {
    pub(super) fn of(model: &Model, msg: &Msg, shown: Option<&str>) -> Self {
        let bindings = &model.keys.bindings;
        let is_enter = match msg {
            Msg::Key(chord) => {
                let meaning = bindings.lookup(
                    &|command| availability::check(model, command),
                    model.context(),
                    &[*chord],
                );
                meaning == Meaning::Does(Command::Accept)
            }
            Msg::Mouse(Mouse::Click(column, row)) => {
                let hints = footer::hints_that_fit(model);
                let here = |hint: &&footer::Shown<'_>| hint.cells.contains(&usize::from(*column));
                let is_on = layout::frame(model.size).hints.contains((*column, *row).into());
                is_on
                    && hints.iter().find(here).is_some_and(|hint| hint.bound.place.command == Command::Accept)
            }
            _ => false,
        };
        let gates = model.desk.pull.prepared.as_ref().map_or(&[][..], |prepared| &prepared.gates);
        Self {
            is_enter,
            is_field: model.context() == Context::Digits,
            typed: model
                .views
                .pull
                .digits
                .as_ref()
                .map(|open| open.field.text().to_owned())
                .unwrap_or_default(),
            shown: shown.map(str::to_owned),
            is_armed: model.size.columns > 0 && screen(model).contains("ARMED until"),
            fails: gates.iter().any(|gate| gate.state == GateState::Fail),
        }
    }

    /// Returns the fault of a sending without consent.
    pub(super) fn fault(&self, effects: &[Effect]) -> Option<String> {
        effects.iter().find_map(|effect| match effect {
            Effect::Start(_, Job::Send(task)) => {
                self.against(task).map(|why| format!("sent {why}: {task:?}"))
            }
            _ => None,
        })
    }

    fn against(&self, task: &SendTask) -> Option<&'static str> {
        let digits = match task {
            SendTask::LookAtUndo { .. } => return None,
            SendTask::Open { digits, .. } | SendTask::Resume { digits } | SendTask::Undo { digits, .. } => {
                digits
            }
        };
        [
            (!self.is_field, "without the field"),
            (!self.is_enter, "without Enter"),
            (self.typed.trim() != digits, "though these digits were not typed"),
            (self.shown.as_ref() != Some(digits), "though it was not drawn"),
            (!self.is_armed, "though it is not armed"),
            (self.fails && matches!(task, SendTask::Open { .. }), "though a gate fails"),
        ]
        .into_iter()
        .find_map(|(is_so, what)| is_so.then_some(what))
    }
}
