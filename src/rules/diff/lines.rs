//! The difference as the real lines of the file, with blocks that can fold.

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineMark {
    Same,
    Added,
    Removed,
}

/// One line of the file. Line numbers are those of the pull request: the new file's, or the old file's for removed lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub mark: LineMark,
    pub number: u32,
    /// Byte range in [`Lines::old_text`] (removed lines) or [`Lines::new_text`]; without the line end.
    pub start: u32,
    pub end: u32,
    /// The innermost block that holds the line.
    pub block: u32,
}

/// A foldable run of lines: a version, a target, a run of unchanged versions. Blocks nest; block 0 is the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// The block around it; 0 for the outermost.
    pub parent: u32,
    /// First line, and the line behind the last.
    pub first: u32,
    pub end: u32,
    /// What stands in its place when it is folded: `version 3.70.1 (14 targets)`.
    pub title: String,
    /// JSON path of the block: `versions[1] 3.70.0 > targets[2] linux_amd64`.
    pub path: String,
    /// Folded unless opened.
    pub folded: bool,
    /// It hides a target whose host, path pattern, key set or file-name pattern differs from its siblings'.
    pub odd: bool,
    /// What its lines are: all of one mark, or `Same` for a mixture.
    pub mark: LineMark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
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

/// The line view of a difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub old_text: String,
    pub new_text: String,
    pub lines: Vec<Line>,
    pub blocks: Vec<Block>,
}

impl Lines {
    pub fn text(&self, line: &Line) -> &str {
        let text = if line.mark == LineMark::Removed { &self.old_text } else { &self.new_text };
        &text[line.start as usize..line.end as usize]
    }
}
