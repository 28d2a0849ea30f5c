//! What colours mean. Screens name roles, themes give them styles, and nobody else names a colour.

use crate::desk::telling::Tone;
use crate::rules::Level;
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
        /// The name and the rule of the pane that has the keys.
        Accent = "accent",
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
        /// Users are hit now: the level `act`, and whatever else is lost or wrong.
        Act = "act",
        /// A person should decide: the level `look`.
        Look = "look",
        /// It cures itself or is not over yet: the level `wait`.
        Wait = "wait",
        /// Nothing is wrong: the level `fine`.
        Fine = "fine",
        Added = "added",
        Removed = "removed",
        /// The characters in which a changed line differs from the line before it.
        Differs = "differs",
        /// The name of a field in lines of something new.
        JsonKey = "json-key",
        /// A number there, and `true`, `false` and `null`.
        JsonNumber = "json-number",
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
            Tone::Late => Self::Wait,
            Tone::Warning => Self::Warning,
            Tone::Error => Self::Error,
            Tone::Wrong | Tone::Lost => Self::Act,
            Tone::Of(level) => Self::of(level),
        }
    }

    /// The only colour of an entry: words tell its statuses apart.
    pub(crate) fn of(level: Level) -> Self {
        match level {
            Level::Act => Self::Act,
            Level::Look => Self::Look,
            Level::Wait => Self::Wait,
            Level::Fine => Self::Fine,
        }
    }

    /// The meaning of a name of an older theme file. Nine roles of single statuses became three.
    pub(super) fn replaced(name: &str) -> Option<NamedRole> {
        Some(match name {
            "wrong" => NamedRole::Is(Self::Act),
            "waits" => NamedRole::Is(Self::Look),
            "late" => NamedRole::Is(Self::Wait),
            "unknown" | "lost" | "changed" | "stuck" | "missed" | "gap" => NamedRole::Gone,
            _ => return None,
        })
    }
}

/// The role that a theme file names.
pub(super) enum NamedRole {
    Is(Role),
    /// The name has no meaning any more.
    Gone,
}
