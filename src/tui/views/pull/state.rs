//! What the screen of a pull request holds: the cursor, which of its two lists has it, and the digits as far as they are typed.

use crate::desk::Desk;
use crate::desk::sending::{Sent, Stage, Write};
use crate::jobs::data::Prepared;
use crate::rules::sending::{Request, Step};
use crate::tui::widgets::field::Field;

/// The field for the digits is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    pub(crate) write: Write,
    pub(crate) field: Field,
}

/// The view's state.
#[derive(Debug, Default)]
pub(crate) struct Pull {
    /// The requests are asked for instead of the gates.
    pub(crate) in_requests: bool,
    pub(crate) at: usize,
    pub(crate) top: usize,
    pub(crate) digits: Option<Digits>,
}

/// What the lists are made of.
pub(super) struct Shown<'a> {
    pub(super) prepared: Option<&'a Prepared>,
    pub(super) sent: Option<&'a Sent>,
    /// Answers are waited for.
    pub(super) is_running: bool,
}

impl<'a> Shown<'a> {
    pub(super) fn of(desk: &'a Desk) -> Self {
        let sent = match desk.pull.stage(&desk.board) {
            Stage::Sending(sent) => sent,
            Stage::Stopped(sent) | Stage::Undo(sent) | Stage::Done(sent) | Stage::Undone(sent) => Some(sent),
            Stage::Nothing | Stage::Preparing | Stage::Failed(_) | Stage::Ready(_) => None,
        };
        let is_running = desk.board.sending().is_some();
        Self { prepared: desk.pull.prepared.as_deref(), sent, is_running }
    }

    /// Every request; with how it stands once something was sent.
    pub(super) fn requests(&self) -> Vec<(&'a Request, Option<&'a Step>)> {
        match (self.sent, self.prepared) {
            (Some(sent), _) => {
                sent.course.sending.requests.iter().zip(sent.course.steps.iter().map(Some)).collect()
            }
            (None, Some(prepared)) => {
                prepared.sending.requests.iter().map(|request| (request, None)).collect()
            }
            (None, None) => Vec::new(),
        }
    }

    pub(super) fn gates(&self) -> usize {
        self.prepared.map_or(0, |prepared| prepared.gates.len())
    }
}

impl Pull {
    /// The cursor is in the requests: they were asked for, or are being sent.
    pub(super) fn lists_requests(&self, shown: &Shown<'_>) -> bool {
        // What was sent is what one looks for then; the gates are one key away.
        self.in_requests != shown.sent.is_some()
    }

    pub(super) fn rows(&self, shown: &Shown<'_>) -> usize {
        if self.lists_requests(shown) { shown.requests().len() } else { shown.gates() }
    }

    /// It was made ready: the cursor is on what stands in its way.
    pub(crate) fn show_first_failure(&mut self, desk: &Desk) {
        let failed = desk.pull.prepared.as_ref().and_then(|prepared| prepared.failing().next());
        (self.at, self.in_requests) = (failed.map_or(0, |(number, _)| number - 1), false);
    }

    /// What digits would confirm now: `None` where nothing is to be confirmed.
    pub(crate) fn write(desk: &Desk) -> Option<Write> {
        match desk.pull.stage(&desk.board) {
            Stage::Ready(_) => Some(Write::Open),
            Stage::Stopped(_) => Some(Write::Resume),
            Stage::Undo(_) => Some(Write::Undo),
            _ => None,
        }
    }
}
