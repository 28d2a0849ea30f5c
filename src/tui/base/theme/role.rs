//! What colours mean. Screens name roles, themes give them styles, and nobody else names a colour.

use crate::desk::telling::Tone;
use crate::rules::{Status, StatusGroup};
use crate::settings::words;

words! {
    /// What a colour means.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Role: [ALL, name, from_name] {
        /// Everything without a meaning of its own; its background is the screen's.
        Text = "text",
        /// Less important text: labels, units, unchanged lines.
        Dim = "dim",
        /// The name of what a pane shows, and column heads.
        Title = "title",
        /// The header's two lines.
        Bar = "bar",
        /// The view that is open, in the header.
        Tab = "tab",
        /// Lines between panes.
        Rule = "rule",
        /// The row under the cursor.
        Cursor = "cursor",
        /// The sign of a marked row.
        Mark = "mark",
        /// A key to press.
        Key = "key",
        /// What is being typed.
        Prompt = "prompt",
        Notice = "notice",
        Warning = "warning",
        Error = "error",
        /// UNKNOWN.
        Unknown = "unknown",
        /// GONE.
        Lost = "lost",
        /// MOVED, GHOST, PARTIAL.
        Changed = "changed",
        /// DRIFT.
        Wrong = "wrong",
        /// BACKOFF, SHADOWED, KEYS.
        Waits = "waits",
        /// STRANDED.
        Stuck = "stuck",
        /// MISSED.
        Missed = "missed",
        /// BEHIND, PENDING.
        Late = "late",
        /// NOHASH.
        Gap = "gap",
        /// OK.
        Fine = "fine",
        Added = "added",
        Removed = "removed",
        /// A fold's line.
        Fold = "fold",
        /// Where the cursor is in the document.
        Path = "path",
        /// The surface of an overlay.
        Popup = "popup",
    }
}

impl Role {
    /// What the desk means by it.
    pub(crate) fn meant(tone: Tone) -> Self {
        match tone {
            Tone::Plain => Self::Text,
            Tone::Quiet => Self::Dim,
            Tone::Fine => Self::Fine,
            Tone::Notice => Self::Notice,
            Tone::Late => Self::Late,
            Tone::Warning => Self::Warning,
            Tone::Error => Self::Error,
            Tone::Wrong => Self::Wrong,
            Tone::Lost => Self::Lost,
            Tone::Of(status) => Self::of(status),
        }
    }

    pub(crate) fn of(status: Status) -> Self {
        match status.row().group {
            StatusGroup::Unknown => Self::Unknown,
            StatusGroup::Lost => Self::Lost,
            StatusGroup::Changed => Self::Changed,
            StatusGroup::Wrong => Self::Wrong,
            StatusGroup::Waits => Self::Waits,
            StatusGroup::Stuck => Self::Stuck,
            StatusGroup::Missed => Self::Missed,
            StatusGroup::Late => Self::Late,
            StatusGroup::Gap => Self::Gap,
            StatusGroup::Fine => Self::Fine,
        }
    }
}
