//! The places where keys count: views, and what stands above them.

use crate::tui::keymap::view_id::{VIEWS, ViewId};

/// Makes the contexts: the views, and what stands above them by a row each, so that a new one cannot miss the list, its table
/// in the key file or what it is called on the screen.
macro_rules! contexts {
    ($($(#[$of_variant:meta])* $variant:ident = $name:literal, $title:literal,)+) => {
        /// Where keys go: a view, or the overlay or field above it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Context {
            View(ViewId),
            $($(#[$of_variant])* $variant,)+
        }

        const ABOVE: [Context; [$($name),+].len()] = [$(Context::$variant),+];

        impl Context {
            /// Its table in the key file.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    Self::View(id) => id.row().name,
                    $(Self::$variant => $name,)+
                }
            }

            /// What it is called on the screen.
            pub(crate) fn title(self) -> &'static str {
                match self {
                    Self::View(id) => id.row().title,
                    $(Self::$variant => $title,)+
                }
            }
        }
    };
}

contexts! {
    /// The filter field.
    Filter = "filter", "the filter",
    /// The search field of a pane.
    Search = "search", "a search",
    /// A form: its fields, one after the other.
    Form = "form", "a form",
    /// What is filled in, and how.
    NewBackfill = "new-backfill", "a new backfill",
    /// The digits that confirm a sending.
    Digits = "digits", "the digits",
    Help = "help", "the help page",
    Palette = "palette", "the palette",
    Sort = "sort", "the sort menu",
    /// The list of views.
    Views = "views", "the list of views",
    /// The question before a view is deleted.
    DropView = "drop-view", "deleting a view",
    /// The question before leaving with a job running.
    Leave = "leave", "the question before leaving",
    /// Any other question.
    Ask = "ask", "a question",
    /// The answer to a line that asks why a version is not available.
    Triage = "triage", "the answer of a triage",
    /// A long value whole.
    Value = "value", "a value",
}

impl Context {
    /// All views.
    pub(crate) const VIEWS: [Self; VIEWS.len()] = {
        let mut all = [Self::Value; VIEWS.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = Self::View(VIEWS[at].id);
            at += 1;
        }
        all
    };

    /// All of them, the views first.
    pub(crate) const ALL: [Self; VIEWS.len() + ABOVE.len()] = {
        let mut all = [Self::Value; VIEWS.len() + ABOVE.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = if at < VIEWS.len() { Self::VIEWS[at] } else { ABOVE[at - VIEWS.len()] };
            at += 1;
        }
        all
    };

    /// Overlays list their own keys; what they bind is theirs alone.
    pub(crate) fn is_overlay(self) -> bool {
        !matches!(self, Self::View(_))
    }

    /// Whether letters are typed into a field here.
    pub(crate) fn has_field(self) -> bool {
        let in_a_view = matches!(self, Self::Filter | Self::Search | Self::Digits | Self::NewBackfill);
        in_a_view || matches!(self, Self::Form | Self::Help | Self::Palette)
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }
}
