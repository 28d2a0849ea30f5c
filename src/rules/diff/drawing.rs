//! The pen of the line view: puts lines and blocks down in order, and finds the lines that differ between two short pieces.
//! Knows nothing of versions and targets.

use std::num::NonZero;
use std::ops::Range;
use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff};

use crate::rules::diff::outline::Outline;
use crate::rules::diff::{Block, BlockKind, Line, LineMark};

/// Two pieces that still differ after this are shown as removed and added.
const PIECE_TIME: Duration = Duration::from_millis(50);
/// Lines kept on either side of a change, and the shortest run of equal lines that is worth a fold.
pub(crate) const CONTEXT_LINES: usize = 3;
const SHORTEST_FOLD: usize = 4;

pub(super) struct Drawing<'a> {
    pub(super) old: &'a Outline<'a>,
    pub(super) new: &'a Outline<'a>,
    pub(super) lines: Vec<Line>,
    pub(super) blocks: Vec<Block>,
    inside: u32,
}

/// What a block is to be.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    pub(super) kind: BlockKind,
    pub(super) title: String,
    pub(super) path: String,
    pub(super) folded: bool,
    pub(super) odd: bool,
}

impl<'a> Drawing<'a> {
    /// Begins with the block of the whole file.
    pub(super) fn new(old: &'a Outline<'a>, new: &'a Outline<'a>) -> Self {
        let file = Block {
            kind: BlockKind::File,
            parent: 0,
            first: 0,
            end: 0,
            title: String::new(),
            path: String::new(),
            folded: false,
            odd: false,
            mark: LineMark::Same,
            grid: None,
        };
        Self { old, new, lines: Vec::with_capacity(new.len() + 64), blocks: vec![file], inside: 0 }
    }

    pub(super) fn open(&mut self, heading: Heading) {
        let Heading { kind, title, path, folded, odd } = heading;
        let first = self.lines.len() as u32;
        let block = Block {
            kind,
            parent: self.inside,
            first,
            end: first,
            title,
            path,
            folded,
            odd,
            mark: LineMark::Same,
            grid: None,
        };
        self.inside = self.blocks.len() as u32;
        self.blocks.push(block);
    }

    /// Ends the innermost block. One without lines goes: nothing could ever be shown of it.
    pub(super) fn close(&mut self) {
        let at = self.inside as usize;
        let end = self.lines.len();
        let is_last = at + 1 == self.blocks.len();
        let block = &mut self.blocks[at];
        self.inside = block.parent;
        block.end = end as u32;
        let lines = &self.lines[block.first as usize..end];
        match lines.split_first() {
            None if at > 0 && is_last => {
                self.blocks.pop();
            }
            None => {}
            Some((first, rest)) => {
                let mark = first.mark;
                block.mark = if rest.iter().all(|line| line.mark == mark) { mark } else { LineMark::Same };
            }
        }
    }

    /// The first line of the innermost block.
    pub(super) fn first_line(&self) -> usize {
        self.blocks[self.inside as usize].first as usize
    }

    /// Puts down what became of some lines: the equal ones, the removed, the added.
    pub(super) fn piece(&mut self, old: Range<usize>, new: Range<usize>) {
        if old.len() == new.len() && self.old.lines(&old) == self.new.lines(&new) {
            return self.put_same(old.start, new);
        }
        let equal = |(old, new): &(usize, usize)| self.old.line(*old) == self.new.line(*new);
        let start = old.clone().zip(new.clone()).take_while(equal).count();
        let (old_rest, new_rest) = (old.start + start..old.end, new.start + start..new.end);
        let end = old_rest.clone().rev().zip(new_rest.clone().rev()).take_while(equal).count();
        self.put_same(old.start, new.start..new.start + start);
        self.middle(old_rest.start..old_rest.end - end, new_rest.start..new_rest.end - end);
        self.put_same(old.end - end, new.end - end..new.end);
    }

    fn middle(&mut self, old: Range<usize>, new: Range<usize>) {
        if old.is_empty() || new.is_empty() || (old.len() == 1 && new.len() == 1) {
            self.put(LineMark::Removed, old);
            return self.put(LineMark::Added, new);
        }
        let before: Vec<&str> = old.clone().map(|line| self.old.line(line)).collect();
        let after: Vec<&str> = new.clone().map(|line| self.new.line(line)).collect();
        let diff = TextDiff::configure()
            .algorithm(Algorithm::Myers)
            .timeout(PIECE_TIME)
            .diff_slices(&before, &after);
        for change in diff.iter_all_changes() {
            let old_at = change.old_index().map(|at| old.start + at);
            let new_at = change.new_index().map(|at| new.start + at);
            match (change.tag(), old_at, new_at) {
                (ChangeTag::Equal, Some(old), Some(new)) => self.put_same(old, new..new + 1),
                (ChangeTag::Delete, Some(old), _) => self.put(LineMark::Removed, old..old + 1),
                (ChangeTag::Insert, _, Some(new)) => self.put(LineMark::Added, new..new + 1),
                _ => {}
            }
        }
    }

    /// Lines of the new file that stand in the old one from this line on.
    fn put_same(&mut self, old: usize, new: Range<usize>) {
        self.put_beside(LineMark::Same, new, NonZero::new(old as u32 + 1));
    }

    fn put(&mut self, mark: LineMark, lines: Range<usize>) {
        self.put_beside(mark, lines, None);
    }

    fn put_beside(&mut self, mark: LineMark, lines: Range<usize>, mut before: Option<NonZero<u32>>) {
        let side = if mark == LineMark::Removed { self.old } else { self.new };
        self.lines.reserve(lines.len());
        for line in lines {
            let (start, end) = side.span(line);
            let number = line as u32 + 1;
            self.lines.push(Line { mark, number, before, start, end, block: self.inside });
            before = before.and_then(|before| before.checked_add(1));
        }
    }

    /// Folds long runs of equal lines of the innermost block, from a line on, that no other block holds.
    pub(super) fn fold_equal_runs(&mut self, from: usize) {
        let end = self.lines.len();
        let mut at = from;
        while at < end {
            let equal = |line: &Line| line.mark == LineMark::Same && line.block == self.inside;
            let length = self.lines[at..].iter().take_while(|line| equal(line)).count();
            let first = if at == from { at } else { at + CONTEXT_LINES };
            let last = if at + length == end { end } else { (at + length).saturating_sub(CONTEXT_LINES) };
            if last >= first + SHORTEST_FOLD && length < end - from {
                self.fold(first, last);
            }
            at += length.max(1);
        }
    }

    fn fold(&mut self, first: usize, end: usize) {
        let id = self.blocks.len() as u32;
        for line in &mut self.lines[first..end] {
            line.block = id;
        }
        let path = self.blocks[self.inside as usize].path.clone();
        self.blocks.push(Block {
            kind: BlockKind::Other,
            parent: self.inside,
            first: first as u32,
            end: end as u32,
            title: format!("{} unchanged lines", end - first),
            path,
            folded: true,
            odd: false,
            mark: LineMark::Same,
            grid: None,
        });
    }
}
