//! The places of the parts of Jobs: the rows at the top, the log below.

use crate::desk::Desk;
use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size, Window};
use crate::tui::views::jobs::machines;
use crate::tui::views::jobs::state::{Jobs, Pane};

/// Rows that the list keeps free for new jobs, so that the log seldom moves.
const FEWEST: u16 = 4;

/// The parts of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) title: Area,
    pub(crate) heads: Area,
    pub(crate) list: Area,
    pub(crate) rule: Area,
    /// The details of the job under the cursor.
    pub(crate) about: Area,
    /// The rule above the jobs of a run on GitHub's machines; below it the jobs, and the rule above the log.
    pub(crate) head: Area,
    pub(crate) machines: Area,
    pub(crate) floor: Area,
    pub(crate) log: Area,
}

/// The fewest lines of the log that are worth a rule.
const LOG: u16 = 3;

/// The current places. If a run and the log do not both fit, the log is visible once it has the keys.
pub(super) fn parts_of(jobs: &Jobs, desk: &Desk, window: Window) -> Parts {
    let rows = desk.job_rows().len();
    if window.divider.is_zoomed {
        return alone(window.size, jobs.pane);
    }
    let parts = parts(window, rows, jobs.run(desk).map_or(0, machines::lines));
    if jobs.pane == Pane::Log && parts.log.is_empty() { self::parts(window, rows, 0) } else { parts }
}

/// The pane with the keys alone.
fn alone(size: Size, pane: Pane) -> Parts {
    let mut rest = layout::frame(size).body;
    let rule = layout::cut_top(&mut rest, 1);
    match pane {
        Pane::Rows => {
            let heads = layout::cut_top(&mut rest, u16::from(size.class() != Class::Narrow));
            Parts { title: rule, heads, list: rest, ..Parts::default() }
        }
        Pane::Run => Parts { head: rule, machines: rest, ..Parts::default() },
        Pane::Log => Parts { rule, log: rest, ..Parts::default() },
    }
}

/// `jobs` is the number of rows of the list, which takes what they need up to its share. `machines` is the
/// number of lines of the run under the cursor; 0 without one. The log has the rest.
fn parts(window: Window, jobs: usize, machines: usize) -> Parts {
    let size = window.size;
    let mut rest = layout::frame(size).body;
    let class = size.class();
    let title = layout::cut_top(&mut rest, 1);
    let heads = layout::cut_top(&mut rest, u16::from(class != Class::Narrow));
    let share = if class == Class::Wide { 40 } else { 45 };
    let most = (rest.height * share / 100).max(2);
    let rows = u16::try_from(jobs).unwrap_or(most).clamp(FEWEST.min(most), most);
    let rows = rest.height - window.second(rest.height.saturating_sub(rows), rest.height, FEWEST);
    let list = layout::cut_top(&mut rest, rows);
    let rule = layout::cut_top(&mut rest, 1);
    let about = layout::cut_top(
        &mut rest,
        match class {
            Class::Wide if machines == 0 => 4,
            Class::Wide | Class::Medium => 3,
            _ if size.rows >= 18 => 4,
            _ => 0,
        },
    );
    let wanted = u16::try_from(machines).unwrap_or(u16::MAX);
    let head = layout::cut_top(&mut rest, u16::from(wanted > 0));
    let has_log = wanted == 0 || rest.height > LOG + 1 + wanted.min(LOG);
    let most = if has_log { rest.height.saturating_sub(LOG + 1) } else { rest.height };
    let machines = layout::cut_top(&mut rest, wanted.min(most));
    let floor = layout::cut_top(&mut rest, u16::from(wanted > 0 && has_log));
    let log = if has_log { rest } else { Area { height: 0, ..rest } };
    Parts { title, heads, list, rule, about, head, machines, floor, log }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_inside_and_never_overlap() {
        for window in layout::windows() {
            let ordinary =
                [(0, 0), (200, 0), (0, 9), (200, 60)].map(|(jobs, machines)| parts(window, jobs, machines));
            let zoomed = [Pane::Rows, Pane::Run, Pane::Log].map(|pane| alone(window.size, pane));
            for p in ordinary.into_iter().chain(zoomed) {
                let all = [p.title, p.heads, p.list, p.rule, p.about, p.head, p.machines, p.floor, p.log];
                layout::assert_apart(layout::frame(window.size).body, &all);
            }
        }
    }
}
