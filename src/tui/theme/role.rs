//! What colours mean. Screens name roles, themes give them styles, and nobody else names a colour.

use crate::rules::Status;

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Everything without a meaning of its own; its background is the screen's.
    Text,
    /// Less important text: labels, units, unchanged lines.
    Dim,
    /// The name of what a pane shows, and column heads.
    Title,
    /// The header's two lines.
    Bar,
    /// The view that is open, in the header.
    Tab,
    /// Lines between panes.
    Rule,
    /// The row under the cursor.
    Cursor,
    /// The sign of a marked row.
    Mark,
    /// A key to press.
    Key,
    /// What is being typed.
    Prompt,
    Notice,
    Warning,
    Error,
    /// UNKNOWN.
    Unknown,
    /// GONE.
    Lost,
    /// MOVED, GHOST, PARTIAL.
    Changed,
    /// DRIFT.
    Wrong,
    /// BACKOFF, SHADOWED, KEYS.
    Waits,
    /// STRANDED.
    Stuck,
    /// MISSED.
    Missed,
    /// BEHIND, PENDING.
    Late,
    /// NOHASH.
    Gap,
    /// OK.
    Fine,
    Added,
    Removed,
    /// A fold's line.
    Fold,
    /// Where the cursor is in the document.
    Path,
    /// The surface of an overlay.
    Popup,
}

impl Role {
    pub(crate) const ALL: [Self; 28] = [
        Self::Text,
        Self::Dim,
        Self::Title,
        Self::Bar,
        Self::Tab,
        Self::Rule,
        Self::Cursor,
        Self::Mark,
        Self::Key,
        Self::Prompt,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Unknown,
        Self::Lost,
        Self::Changed,
        Self::Wrong,
        Self::Waits,
        Self::Stuck,
        Self::Missed,
        Self::Late,
        Self::Gap,
        Self::Fine,
        Self::Added,
        Self::Removed,
        Self::Fold,
        Self::Path,
        Self::Popup,
    ];

    /// The name in a theme file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Dim => "dim",
            Self::Title => "title",
            Self::Bar => "bar",
            Self::Tab => "tab",
            Self::Rule => "rule",
            Self::Cursor => "cursor",
            Self::Mark => "mark",
            Self::Key => "key",
            Self::Prompt => "prompt",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Unknown => "unknown",
            Self::Lost => "lost",
            Self::Changed => "changed",
            Self::Wrong => "wrong",
            Self::Waits => "waits",
            Self::Stuck => "stuck",
            Self::Missed => "missed",
            Self::Late => "late",
            Self::Gap => "gap",
            Self::Fine => "fine",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Fold => "fold",
            Self::Path => "path",
            Self::Popup => "popup",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    pub(crate) fn of(status: Status) -> Self {
        match status {
            Status::Unknown => Self::Unknown,
            Status::RepoGone => Self::Lost,
            Status::Moved | Status::GoneUpstream | Status::Partial => Self::Changed,
            Status::Drifted => Self::Wrong,
            Status::RetryWait
            | Status::Shadowed
            | Status::KeyMismatch
            | Status::KeyExpired
            | Status::Unsigned => Self::Waits,
            Status::Stranded => Self::Stuck,
            Status::MissedOldLine => Self::Missed,
            Status::Behind | Status::Pending => Self::Late,
            Status::H1Missing => Self::Gap,
            Status::Current => Self::Fine,
        }
    }
}
