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

/// The groups that are open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shows {
    /// Groups are open unless they were closed.
    are_open: bool,
    /// Those that were opened or closed one by one.
    turned: HashSet<GroupId>,
}

impl Shows {
    /// Returns true if a group shows its rows.
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

    /// Each group has one line. Then no line needs a look at the groups before it.
    fn is_flat(&self) -> bool {
        !self.are_open && self.turned.is_empty()
    }

    fn groups(groups: &Groups) -> impl Iterator<Item = &Group> {
        (0..groups.shown_count()).filter_map(|at| groups.shown_at(at))
    }

    /// Returns true if a group of several rows is shown.
    pub(crate) fn can_fold(groups: &Groups) -> bool {
        Self::groups(groups).any(|group| group.places.len() > 1)
    }

    /// Lines of a group.
    fn height(&self, group: &Group) -> usize {
        let rows = group.places.len();
        if rows > 1 && self.is_open(group) { rows + 1 } else { 1 }
    }

    pub(crate) fn line_count(&self, groups: &Groups) -> usize {
        if self.is_flat() {
            return groups.shown_count();
        }
        Self::groups(groups).map(|group| self.height(group)).sum()
    }

    /// The first lines of the groups of bad rows.
    pub(crate) fn bad_lines(&self, groups: &Groups) -> Vec<usize> {
        let mut behind = 0;
        let mut lines = Vec::new();
        for group in Self::groups(groups) {
            if group.is_bad() {
                lines.push(behind);
            }
            behind += self.height(group);
        }
        lines
    }

    pub(crate) fn line<'a>(&self, number: usize, groups: &'a Groups) -> Option<Line<'a>> {
        self.lines(number, groups).next()
    }

    /// The lines from this one on.
    pub(crate) fn lines<'a>(&self, from: usize, groups: &'a Groups) -> impl Iterator<Item = Line<'a>> {
        let (mut first, mut inside) = (from, 0);
        if !self.is_flat() {
            (first, inside) = (0, from);
            while let Some(group) = groups.shown_at(first)
                && inside >= self.height(group)
            {
                (first, inside) = (first + 1, inside - self.height(group));
            }
        }
        let of_group = |group: &'a Group| {
            (0..self.height(group)).map(move |inside| match (inside, group.places.len()) {
                (0, 1) => Line::Row(group.first()),
                (0, _) => Line::Head(group),
                (inside, _) => Line::Inside(group.places[inside - 1]),
            })
        };
        (first..groups.shown_count()).filter_map(|at| groups.shown_at(at)).flat_map(of_group).skip(inside)
    }

    /// The first line of a group, by its index.
    fn first_line(&self, index: usize, groups: &Groups) -> usize {
        if self.is_flat() {
            return index;
        }
        Self::groups(groups).take(index).map(|group| self.height(group)).sum()
    }

    /// The first line of a group, if it is shown; `place` is that of one of its rows.
    pub(crate) fn line_of_group(&self, id: GroupId, place: usize, groups: &Groups) -> Option<usize> {
        let is_it = |at: &usize| groups.shown_at(*at).is_some_and(|group| group.id == id);
        let near = groups.shown_around(place).filter(is_it);
        let index = near.or_else(|| (0..groups.shown_count()).find(is_it))?;
        Some(self.first_line(index, groups))
    }

    /// The line of a row: its own, or that of the group that has it folded; `None` if it is not shown.
    pub(crate) fn line_of(&self, place: usize, groups: &Groups) -> Option<usize> {
        let index = groups.shown_around(place)?;
        let group = groups.shown_at(index)?;
        let is_apart = self.height(group) > 1;
        let inside = group.places.binary_search(&place).ok().filter(|_| is_apart);
        Some(self.first_line(index, groups) + inside.map_or(0, |inside| inside + 1))
    }
}
