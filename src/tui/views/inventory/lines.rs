//! The lines of the list: rows, and the heads of groups above theirs. A folded group is its head alone.

use std::collections::BTreeSet;

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Which head of [`Lines::heads`].
    Head(u32),
    /// Which row of the catalog.
    Row(u32),
}

/// The head of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// The group's number, which outlives filters and sorting.
    pub(crate) rank: u32,
    /// Its first row: the title is made of it.
    pub(crate) first: u32,
    /// Its rows that the filter lets through, and those of them that need attention.
    pub(crate) count: u32,
    pub(crate) wanting: u32,
    pub(crate) folded: bool,
}

/// All lines that the filter lets through.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) list: Vec<Line>,
    pub(crate) heads: Vec<Head>,
}

/// What stands on a line, so that it is found again among other lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Row(u32),
    Group(u32),
}

impl Lines {
    /// Rows in their order, with heads where `ranks` (one a row of the catalog, or none) change. `title` names the group of
    /// a row; it is asked only if something is folded. `wants` says whether a row needs attention.
    pub(super) fn build(
        &mut self,
        shown: &[u32],
        ranks: &[u32],
        folded: &BTreeSet<String>,
        title: impl Fn(u32) -> String,
        wants: impl Fn(u32) -> bool,
    ) {
        self.list.clear();
        self.heads.clear();
        if ranks.is_empty() {
            self.list.extend(shown.iter().map(|at| Line::Row(*at)));
            return;
        }
        for at in shown {
            let rank = ranks[*at as usize];
            if self.heads.last().is_none_or(|head| head.rank != rank) {
                let is_folded = !folded.is_empty() && folded.contains(&title(*at));
                self.list.push(Line::Head(self.heads.len() as u32));
                self.heads.push(Head { rank, first: *at, count: 0, wanting: 0, folded: is_folded });
            }
            if let Some(head) = self.heads.last_mut() {
                head.count += 1;
                head.wanting += u32::from(wants(*at));
                if !head.folded {
                    self.list.push(Line::Row(*at));
                }
            }
        }
    }

    pub(super) fn anchor(&self, place: usize) -> Option<Anchor> {
        Some(match *self.list.get(place)? {
            Line::Row(at) => Anchor::Row(at),
            Line::Head(head) => Anchor::Group(self.heads.get(head as usize)?.rank),
        })
    }

    /// Where it stands now; a row of a folded group stands on its head.
    pub(super) fn find(&self, anchor: Anchor, ranks: &[u32]) -> Option<usize> {
        match anchor {
            Anchor::Row(at) => {
                let row = self.list.iter().position(|line| *line == Line::Row(at));
                row.or_else(|| {
                    let head = self.head_place(*ranks.get(at as usize)?)?;
                    matches!(self.list[head], Line::Head(head) if self.heads[head as usize].folded)
                        .then_some(head)
                })
            }
            Anchor::Group(rank) => self.head_place(rank),
        }
    }

    fn head_place(&self, rank: u32) -> Option<usize> {
        let head = self.heads.iter().position(|head| head.rank == rank)? as u32;
        self.list.iter().position(|line| *line == Line::Head(head))
    }

    /// The line of the head that a line stands under, or is.
    pub(super) fn place_of_head(&self, place: usize) -> Option<usize> {
        self.list.get(..=place)?.iter().rposition(|line| matches!(line, Line::Head(_)))
    }

    /// The head that a line stands under, or is.
    pub(super) fn head_of(&self, place: usize) -> Option<&Head> {
        let Line::Head(head) = *self.list.get(self.place_of_head(place)?)? else { return None };
        self.heads.get(head as usize)
    }

    /// The rows that stand as lines of their own.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> {
        self.list.iter().filter_map(|line| match line {
            Line::Row(at) => Some(*at),
            Line::Head(_) => None,
        })
    }

    /// Rows that are hidden in folded groups.
    pub(super) fn folded_rows(&self) -> usize {
        self.heads.iter().filter(|head| head.folded).map(|head| head.count as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_stand_above_their_rows_and_folds_hide_them() {
        let ranks = [7, 9, 7, 9, 4];
        let mut lines = Lines::default();
        let title = |at: u32| ranks[at as usize].to_string();
        lines.build(&[4, 0, 2, 1, 3], &ranks, &["7".to_owned()].into(), title, |at| at != 0);
        let wanted = [Line::Head(0), Line::Row(4), Line::Head(1), Line::Head(2), Line::Row(1), Line::Row(3)];
        assert_eq!(lines.list, wanted);
        assert_eq!((lines.heads[1].count, lines.folded_rows()), (2, 2));
        assert_eq!(lines.heads.iter().map(|head| head.wanting).collect::<Vec<_>>(), [1, 1, 2]);
        assert_eq!(lines.find(Anchor::Row(2), &ranks), Some(2), "its head stands for it");
        assert_eq!(lines.find(Anchor::Row(3), &ranks), Some(5));
        assert_eq!(lines.find(Anchor::Group(4), &ranks), Some(0));
        assert_eq!(lines.anchor(3), Some(Anchor::Group(9)));
        assert_eq!(lines.head_of(5).map(|head| head.rank), Some(9));
        assert_eq!(lines.rows().collect::<Vec<_>>(), [4, 1, 3]);
        lines.build(&[3], &[], &BTreeSet::new(), title, |_| true);
        assert_eq!((lines.list.len(), lines.find(Anchor::Row(1), &[])), (1, None));
        assert_eq!(lines.head_of(0), None);
    }
}
