//! Which lines the table of Verify has: one for each group of rows, and below those that are open one for each of their rows.

use std::collections::HashSet;

use crate::desk::folding::{Group, GroupId, Groups};

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Line<'a> {
    /// A row that stands alone, by its place in the list that the job began with.
    Row(usize),
    /// Rows that say the same.
    Head(&'a Group),
    /// One of them, below their head.
    Inside(usize),
}

impl Line<'_> {
    /// The row that it is.
    pub(crate) fn place(self) -> Option<usize> {
        match self {
            Self::Row(place) | Self::Inside(place) => Some(place),
            Self::Head(_) => None,
        }
    }
}

/// What is shown of the groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shows {
    pub(crate) only_bad: bool,
    /// Groups are open unless they were closed.
    are_open: bool,
    /// Those that were opened or closed one by one.
    turned: HashSet<GroupId>,
}

impl Shows {
    /// Of another verification: its groups are others.
    pub(crate) fn anew(&self) -> Self {
        Self { only_bad: self.only_bad, ..Self::default() }
    }

    /// Whether a group shows its rows.
    pub(crate) fn is_open(&self, group: &Group) -> bool {
        self.are_open != self.turned.contains(&group.id)
    }

    pub(crate) fn turn(&mut self, id: GroupId) {
        if !self.turned.remove(&id) {
            self.turned.insert(id);
        }
    }

    pub(crate) fn turn_all(&mut self, are_open: bool) {
        self.are_open = are_open;
        self.turned.clear();
    }

    fn groups<'a>(&self, groups: &'a Groups) -> impl Iterator<Item = &'a Group> {
        let only_bad = self.only_bad;
        groups.all().take_while(move |group| !only_bad || groups.is_bad(group))
    }

    /// Whether rows say the same, so that there is something to open or to close.
    pub(crate) fn can_fold(&self, groups: &Groups) -> bool {
        self.groups(groups).any(|group| group.places.len() > 1)
    }

    /// Lines of a group.
    fn height(&self, group: &Group) -> usize {
        let rows = group.places.len();
        if rows > 1 && self.is_open(group) { rows + 1 } else { 1 }
    }

    pub(crate) fn line_count(&self, groups: &Groups) -> usize {
        self.groups(groups).map(|group| self.height(group)).sum()
    }

    /// The first lines of the groups of bad rows.
    pub(crate) fn bad_lines(&self, groups: &Groups) -> Vec<usize> {
        let mut behind = 0;
        let mut lines = Vec::new();
        for group in groups.all_bad() {
            lines.push(behind);
            behind += self.height(group);
        }
        lines
    }

    /// What stands in a line.
    pub(crate) fn line<'a>(&self, number: usize, groups: &'a Groups) -> Option<Line<'a>> {
        let mut rest = number;
        for group in self.groups(groups) {
            let height = self.height(group);
            if rest < height {
                return Some(match (rest, group.places.len()) {
                    (0, 1) => Line::Row(group.first()),
                    (0, _) => Line::Head(group),
                    (inside, _) => Line::Inside(group.places[inside - 1]),
                });
            }
            rest -= height;
        }
        None
    }

    /// The first line of a group, if it is shown.
    pub(crate) fn line_of_group(&self, id: GroupId, groups: &Groups) -> Option<usize> {
        let mut before = 0;
        for group in self.groups(groups) {
            if group.id == id {
                return Some(before);
            }
            before += self.height(group);
        }
        None
    }

    /// The line of a row: its own, or that of the group that has it folded; `None` if it is not shown.
    pub(crate) fn line_of(&self, place: usize, groups: &Groups) -> Option<usize> {
        let group = groups.around(place)?;
        let first = self.line_of_group(group.id, groups)?;
        let is_apart = self.height(group) > 1;
        let inside = group.places.binary_search(&place).ok().filter(|_| is_apart);
        Some(first + inside.map_or(0, |inside| inside + 1))
    }
}
