//! Where what stands in Jobs: the rows above, the log beneath.

use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class, Size};

/// Rows of the list that are there for jobs to come, so that the log seldom moves.
const FEWEST: u16 = 4;

/// The parts of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) title: Area,
    pub(crate) heads: Area,
    pub(crate) list: Area,
    pub(crate) rule: Area,
    /// What the job under the cursor is, and how it stands.
    pub(crate) about: Area,
    pub(crate) log: Area,
}

/// `jobs`: how many rows the list has. It takes what they need, up to a share; the log has the rest.
pub(crate) fn parts(size: Size, jobs: usize) -> Parts {
    let mut rest = layout::frame(size).body;
    let class = size.class();
    let title = layout::cut_top(&mut rest, 1);
    let heads = layout::cut_top(&mut rest, if class == Class::Narrow { 0 } else { 2 });
    let share = if class == Class::Wide { 40 } else { 45 };
    let most = (rest.height * share / 100).max(2);
    let rows = u16::try_from(jobs).unwrap_or(most).clamp(FEWEST.min(most), most);
    let list = layout::cut_top(&mut rest, rows);
    let rule = layout::cut_top(&mut rest, 1);
    let about = layout::cut_top(
        &mut rest,
        match class {
            Class::Wide => 4,
            Class::Medium => 3,
            _ if size.rows >= 18 => 4,
            _ => 0,
        },
    );
    Parts { title, heads, list, rule, about, log: rest }
}
