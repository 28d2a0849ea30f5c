//! The state of the screen of a pull request: the cursor, the list that has it, and the digits as far as they
//! are typed.

use crate::desk::Desk;
use crate::desk::sending::{GateStanding, Sent, Stage, Write};
use crate::desk::table::TableOrder;
use crate::desk::telling::{Sign, pull};
use crate::jobs::data::Prepared;
use crate::rules::sending::{Gate, GateState, Request, Step};
use crate::settings::words;
use crate::tui::widgets::field::Field;
use crate::tui::widgets::search::Search;
use crate::tui::widgets::table::TableWindow;

words! {
    /// The orders of the gates.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) enum GateSort: [ALL, label] {
        #[default]
        Checked = "as they are checked",
        Worst = "worst first",
    }
}

/// The open field for the digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    pub(crate) write: Write,
    pub(crate) field: Field,
}

/// The state of the view.
#[derive(Debug, Default)]
pub(crate) struct Pull {
    /// Swaps the list between gates and requests.
    pub(crate) in_requests: bool,
    pub(crate) at: usize,
    pub(crate) top: usize,
    /// Lines of the facts above their window.
    pub(super) down: usize,
    /// Gates that all pass are listed one by one.
    pub(super) is_unfolded: bool,
    /// The gates that are shown, and their filter. Neither changes what the gates say.
    pub(super) order: TableOrder<GateSort>,
    pub(super) filter: Search,
    pub(crate) digits: Option<Digits>,
    /// The field for the digits was left, and does not open by itself again.
    pub(super) has_left: bool,
}

/// The data behind the lists.
pub(super) struct Shown<'a> {
    pub(super) prepared: Option<&'a Prepared>,
    pub(super) gates: Vec<Gate>,
    pub(super) standing: GateStanding,
    pub(super) sent: Option<&'a Sent>,
    /// True while a sending job runs.
    pub(super) is_running: bool,
    /// True once all of it was sent.
    pub(super) is_done: bool,
}

impl<'a> Shown<'a> {
    pub(super) fn of(desk: &'a Desk) -> Self {
        let sent = match desk.pull.stage(&desk.board) {
            Stage::Sending(sent) => sent,
            Stage::Stopped(sent) | Stage::Undo(sent) | Stage::Done(sent) | Stage::Undone(sent) => Some(sent),
            Stage::Nothing | Stage::Preparing | Stage::Failed(_) | Stage::Ready(_) => None,
        };
        let is_running = desk.board.sending().is_some();
        let is_done = matches!(desk.pull.stage(&desk.board), Stage::Done(_));
        let (gates, standing) = (pull::gates(desk), desk.gate_standing());
        Self { prepared: desk.pull.prepared.as_deref(), gates, standing, sent, is_running, is_done }
    }

    /// Every request, with its step once a sending exists.
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

    pub(super) fn gates(&self) -> &[Gate] {
        &self.gates
    }
}

impl Pull {
    /// Returns true if the cursor is in the requests. A sending shows its requests first, a preparation its
    /// gates.
    pub(super) fn lists_requests(&self, shown: &Shown<'_>) -> bool {
        // A sending is about its requests; the gates are one key away.
        self.in_requests != shown.sent.is_some()
    }

    /// The signs and the text of the line that stands for all gates; `None` if each has a row.
    pub(super) fn folded(&self, shown: &Shown<'_>) -> Option<(Vec<Sign>, String)> {
        if self.is_unfolded || shown.standing != GateStanding::Found {
            return None;
        }
        pull::gates_line(&shown.gates, shown.is_done)
    }

    /// The number of gates that pass and share one line below the rows; 0 if each has a row, or all are folded.
    pub(super) fn passing(&self, shown: &Shown<'_>) -> usize {
        if self.is_unfolded || shown.standing != GateStanding::Found || self.folded(shown).is_some() {
            return 0;
        }
        shown.gates().iter().filter(|gate| gate.state == GateState::Pass).count()
    }

    /// The gates of the table, each with its number. Those that share a line are left out.
    pub(super) fn gates<'s>(&self, shown: &'s Shown<'_>) -> Vec<(usize, &'s Gate)> {
        let leaves_out = self.passing(shown) > 0;
        let numbered = |at: &usize| Some((at + 1, shown.gates().get(*at)?));
        let all = self.order.shown().iter().filter_map(numbered);
        all.filter(|(_, gate)| !(leaves_out && gate.state == GateState::Pass)).collect()
    }

    /// The lines of the gates: one if they are folded, else one for each, those that the filter hides among them, and one for those
    /// that share a line. So a filter moves nothing else.
    pub(super) fn gate_lines(&self, shown: &Shown<'_>) -> usize {
        match (self.folded(shown), self.passing(shown)) {
            (Some(_), _) => 1,
            (None, 0) => shown.gates().len(),
            (None, passing) => shown.gates().len() - passing + 1,
        }
    }

    /// Gives each gate a row of its own. The cursor stays on its gate.
    pub(super) fn unfold(&mut self, shown: &Shown<'_>) {
        let number = self.gate(shown).map(|(number, _)| number);
        self.is_unfolded = true;
        self.go_to(shown, number);
    }

    /// Puts the cursor on a gate by its number, or on the first one.
    fn go_to(&mut self, shown: &Shown<'_>, number: Option<usize>) {
        let place = number.and_then(|number| self.gates(shown).iter().position(|(at, _)| *at == number));
        self.at = place.unwrap_or(0);
    }

    pub(super) fn rows(&self, shown: &Shown<'_>) -> usize {
        match self.lists_requests(shown) {
            true => shown.requests().len(),
            false if self.folded(shown).is_some() => 1,
            false => self.gates(shown).len(),
        }
    }

    /// Filters and sorts the gates. The cursor stays on its gate while that is shown.
    pub(super) fn arrange(&mut self, gates: &[Gate]) {
        let at = self.order.shown().get(self.at).copied();
        self.filter.text().clone_into(&mut self.order.filter);
        let compare = |sort, a: usize, b: usize| match sort {
            GateSort::Checked => a.cmp(&b),
            GateSort::Worst => gates[b].state.cmp(&gates[a].state),
        };
        self.order.arrange(0..gates.len(), compare, |at| pull::gate_words(at + 1, &gates[at]));
        self.at = self.order.shown().iter().position(|shown| Some(*shown) == at).unwrap_or(0);
    }

    /// The gate under the cursor, with its number; `None` if all gates are one line, or the requests have the cursor.
    pub(super) fn gate<'s>(&self, shown: &'s Shown<'_>) -> Option<(usize, &'s Gate)> {
        if self.lists_requests(shown) || self.folded(shown).is_some() {
            return None;
        }
        self.gates(shown).get(self.at).copied()
    }

    /// The rows of the list that has the keys, and the window over them.
    pub(super) fn window(&self, shown: &Shown<'_>) -> TableWindow {
        let is_focused = self.digits.is_none();
        TableWindow { count: self.rows(shown), cursor: self.at, top: self.top, is_focused }
    }

    /// Puts the cursor on the first failing gate of a new preparation.
    pub(crate) fn show_first_failure(&mut self, desk: &Desk) {
        // A filter of before could hide the gate that fails now.
        self.filter = Search::default();
        self.arrange(desk.pull.prepared.as_deref().map_or(&[], |prepared| &prepared.gates));
        (self.in_requests, self.is_unfolded, self.has_left, self.down) = (false, false, false, 0);
        let failed = desk.pull.prepared.as_ref().and_then(|prepared| prepared.failing().next());
        self.go_to(&Shown::of(desk), failed.map(|(number, _)| number));
    }

    /// The write that the digits would confirm now; `None` if there is nothing to confirm.
    pub(crate) fn write(desk: &Desk) -> Option<Write> {
        match desk.pull.stage(&desk.board) {
            Stage::Ready(_) => Some(Write::Open),
            Stage::Stopped(_) => Some(Write::Resume),
            Stage::Undo(_) => Some(Write::Undo),
            _ => None,
        }
    }
}
