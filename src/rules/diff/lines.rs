//! The difference as the real lines of the file, with blocks that can fold.

use std::collections::HashSet;
use std::num::NonZero;
use std::ops::Range;

use crate::registry::{Document, Kind};
use crate::rules::diff::build::{build, build_text};
use crate::rules::diff::{Diff, PlatformGrid, compare};

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineMark {
    Same,
    Added,
    Removed,
}

/// One line of the file. Line numbers are those of the pull request: the new file's, or the old file's for removed lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub(crate) mark: LineMark,
    pub(crate) number: u32,
    /// Of an unchanged line: its number in the old file, which is another one below the first change.
    pub(crate) before: Option<NonZero<u32>>,
    /// Byte range in [`Lines::old_text`] (removed lines) or [`Lines::new_text`]; without the line end.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The innermost block that holds the line.
    pub(crate) block: u32,
}

/// A foldable run of lines: a version, a target, a run of unchanged versions. Blocks nest; block 0 is the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub(crate) kind: BlockKind,
    /// The block around it; 0 for the outermost.
    pub(crate) parent: u32,
    /// First line, and the line behind the last.
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// What stands in its place when it is folded: `version 3.70.1 (14 targets)`.
    pub(crate) title: String,
    /// JSON path of the block: `versions[1] 3.70.0 > targets[2] linux_amd64`.
    pub(crate) path: String,
    /// Folded unless opened.
    pub(crate) folded: bool,
    /// It hides a target whose host, path pattern, key set or file-name pattern differs from its siblings'.
    pub(crate) odd: bool,
    /// What its lines are: all of one mark, or `Same` for a mixture.
    pub(crate) mark: LineMark,
    /// The platforms of a changed version of a provider.
    pub(crate) grid: Option<Box<PlatformGrid>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BlockKind {
    File,
    /// A version that is added, removed, changed or moved.
    Version,
    /// A target of such a version.
    Target,
    /// Versions that stay as they are, next to each other.
    Unchanged,
    /// Anything else: `warnings`, `versions_errors`.
    Other,
}

/// A document with the bytes that it prints.
pub(crate) type Printed<'a> = (&'a Document, Vec<u8>);

/// The line view of a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub old_text: String,
    pub new_text: String,
    pub lines: Vec<Line>,
    pub blocks: Vec<Block>,
    /// Where a second file begins, which is sent with the first.
    pub(super) second: Option<Second>,
}

/// A second file behind the first one of a line view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Second {
    pub(super) path: String,
    /// Bytes of both texts that are the first file's.
    pub(super) old_from: usize,
    pub(super) new_from: usize,
    first_line: u32,
}

/// One line of the screen: a line of the file, or what stands for a folded block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    /// Index into [`Lines::lines`].
    Line(u32),
    /// Index into [`Lines::blocks`].
    Fold(u32),
}

/// One line of the summary above a version, out of those that it has in a pane of this width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SummaryPart {
    pub(crate) block: u32,
    pub(crate) part: u16,
    pub(crate) parts: u16,
    pub(crate) width: u16,
}

impl Lines {
    /// Lays a difference out as lines. `diff` is what [`crate::rules::diff::compare`] says of the same documents.
    pub fn build(kind: Kind, old: &Document, new: &Document, diff: &Diff) -> Self {
        build(kind, (old, old.print()), (new, new.print()), diff)
    }

    /// The same of documents whose bytes are at hand: printing a large one takes longer than comparing two.
    pub(crate) fn of(kind: Kind, old: Printed<'_>, new: Printed<'_>, diff: &Diff) -> Self {
        build(kind, old, new, diff)
    }

    pub(crate) fn has_changes(&self) -> bool {
        self.lines.iter().any(|line| line.mark != LineMark::Same)
    }

    /// The lines of a text of any form.
    pub(crate) fn of_text(old: Vec<u8>, new: Vec<u8>) -> Self {
        build_text(old, new)
    }

    /// The lines of `versions_blacklist.json`, before and after.
    pub(crate) fn of_blacklist(old_bytes: &[u8], new_bytes: Vec<u8>) -> Result<Self, String> {
        let parse = |bytes: &[u8]| Document::parse(bytes).map_err(|error| error.to_string());
        let old = parse(if old_bytes.is_empty() { b"{}" } else { old_bytes })?;
        let new = parse(&new_bytes)?;
        // It has no versions: its lists are fields like any others.
        let diff = compare(Kind::Module, &old, &new);
        Ok(build(Kind::Module, (&old, old_bytes.to_vec()), (&new, new_bytes), &diff))
    }

    /// The lines of a new file that is not a data file.
    pub(crate) fn of_new(bytes: Vec<u8>) -> Self {
        let none = Document::empty();
        let diff = compare(Kind::Module, &none, &none);
        build(Kind::Module, (&none, Vec::new()), (&none, bytes), &diff)
    }

    /// The same with a second file behind it, in a block of its own.
    pub(crate) fn and(mut self, path: &str, other: Self) -> Self {
        let first_line = self.lines.len() as u32;
        let first_block = self.blocks.len() as u32;
        let second = Second {
            path: path.to_owned(),
            old_from: self.old_text.len(),
            new_from: self.new_text.len(),
            first_line,
        };
        for mut line in other.lines {
            let from = if line.mark == LineMark::Removed { second.old_from } else { second.new_from } as u32;
            (line.start, line.end, line.block) =
                (line.start + from, line.end + from, line.block + first_block);
            self.lines.push(line);
        }
        for (at, mut block) in other.blocks.into_iter().enumerate() {
            (block.first, block.end) = (block.first + first_line, block.end + first_line);
            if at == 0 {
                (block.kind, block.parent) = (BlockKind::Other, 0);
                (block.title, block.path) = (path.to_owned(), path.to_owned());
            } else {
                block.parent += first_block;
            }
            self.blocks.push(block);
        }
        if let Some(whole) = self.blocks.first_mut() {
            whole.end = self.lines.len() as u32;
        }
        self.old_text.push_str(&other.old_text);
        self.new_text.push_str(&other.new_text);
        self.second = Some(second);
        self
    }

    /// The lines of the second file; behind the last line where there is none.
    pub(crate) fn second(&self) -> Range<u32> {
        let end = self.lines.len() as u32;
        self.second.as_ref().map_or(end, |second| second.first_line)..end
    }

    pub(crate) fn text(&self, line: &Line) -> &str {
        let text = if line.mark == LineMark::Removed { &self.old_text } else { &self.new_text };
        &text[line.start as usize..line.end as usize]
    }

    /// Whether a block is folded, when these blocks were toggled by hand.
    pub(crate) fn is_folded(&self, block: u32, toggled: &HashSet<u32>) -> bool {
        let folded = self.blocks.get(block as usize).is_some_and(|block| block.folded);
        folded != toggled.contains(&block)
    }

    /// The rows to show: every line outside folded blocks, and one row for each folded block that no other one hides.
    pub(crate) fn visible(&self, toggled: &HashSet<u32>) -> Vec<Row> {
        let mut rows = Vec::new();
        // Blocks stand in the order of their first lines, outer ones first.
        let mut starts = self.blocks.iter().enumerate().peekable();
        let mut at = 0u32;
        while (at as usize) < self.lines.len() {
            let mut fold = None;
            while let Some((id, block)) = starts.next_if(|(_, block)| block.first <= at) {
                if fold.is_none() && block.first == at && block.end > at && self.is_folded(id as u32, toggled)
                {
                    fold = Some((id as u32, block.end));
                }
            }
            let (row, next) = match fold {
                Some((id, end)) => (Row::Fold(id), end),
                None => (Row::Line(at), at + 1),
            };
            rows.push(row);
            at = next;
        }
        rows
    }

    /// The first line of each change, rising: an added, removed or moved version is one change, as is every run of
    /// changed lines elsewhere. Commas and format changes inside unchanged versions are none.
    pub(crate) fn hunks(&self) -> Vec<u32> {
        let mut hunks = Vec::new();
        let mut in_run = false;
        let mut whole_until = 0;
        // Per block: the outermost version that is one change as a whole, or a run of unchanged ones.
        let owners = self.owners();
        for (at, line) in self.lines.iter().enumerate() {
            let at = at as u32;
            if at < whole_until {
                continue;
            }
            match owners[line.block as usize] {
                Owner::Whole(block) => {
                    hunks.push(at);
                    whole_until = self.blocks[block as usize].end;
                    in_run = false;
                }
                Owner::Quiet => in_run = false,
                Owner::Lines => {
                    let changed = line.mark != LineMark::Same;
                    if changed && !in_run {
                        hunks.push(at);
                    }
                    in_run = changed;
                }
            }
        }
        hunks
    }

    fn owners(&self) -> Vec<Owner> {
        let mut owners: Vec<Owner> = Vec::with_capacity(self.blocks.len());
        for (id, block) in self.blocks.iter().enumerate() {
            let outer = owners.get(block.parent as usize).copied().unwrap_or(Owner::Lines);
            let is_moved = || {
                self.lines[block.first as usize..block.end as usize].iter().all(|l| l.mark == LineMark::Same)
            };
            owners.push(match (outer, block.kind) {
                (Owner::Lines, BlockKind::Unchanged) => Owner::Quiet,
                (Owner::Lines, BlockKind::Version) if block.mark != LineMark::Same || is_moved() => {
                    Owner::Whole(id as u32)
                }
                (outer, _) => outer,
            });
        }
        owners
    }

    /// The row that shows a line, itself or in a fold; the last one before it if the line is out of range.
    #[cfg(test)]
    pub(crate) fn row_at(&self, rows: &[Row], line: u32) -> usize {
        rows.partition_point(|row| self.first_line(*row) <= line).saturating_sub(1)
    }

    /// The line that a row begins with.
    #[cfg(test)]
    pub(crate) fn first_line(&self, row: Row) -> u32 {
        match row {
            Row::Line(line) => line,
            Row::Fold(block) => self.blocks.get(block as usize).map_or(0, |block| block.first),
        }
    }
}

/// How the lines of a block count as changes.
#[derive(Clone, Copy)]
enum Owner {
    /// All of them are one change: this block.
    Whole(u32),
    /// They are none.
    Quiet,
    /// Every run of changed lines is one.
    Lines,
}
