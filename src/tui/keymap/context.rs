//! The places where keys count: views, and what stands above them.

use crate::tui::keymap::view_id::{VIEWS, ViewId};

/// Where keys go: a view, or the overlay or field above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Context {
    View(ViewId),
    /// The filter field.
    Filter,
    /// The search field of a pane.
    Search,
    /// The field of a note.
    Note,
    Help,
    Palette,
    Sort,
    /// The list of views.
    Views,
    /// The name of a view that is being saved.
    NameView,
    /// The question before a view is deleted.
    DropView,
    /// The question before leaving with a job running.
    Leave,
    /// Any other question.
    Ask,
    /// A long value whole.
    Value,
}

/// What stands above a view.
const ABOVE: [Context; 12] = [
    Context::Filter,
    Context::Search,
    Context::Note,
    Context::Help,
    Context::Palette,
    Context::Sort,
    Context::Views,
    Context::NameView,
    Context::DropView,
    Context::Leave,
    Context::Ask,
    Context::Value,
];

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

    /// Its table in the key file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::View(id) => id.row().name,
            Self::Filter => "filter",
            Self::Search => "search",
            Self::Note => "note",
            Self::Help => "help",
            Self::Palette => "palette",
            Self::Sort => "sort",
            Self::Views => "views",
            Self::NameView => "name-view",
            Self::DropView => "drop-view",
            Self::Leave => "leave",
            Self::Ask => "ask",
            Self::Value => "value",
        }
    }

    /// What it is called on the screen.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::View(id) => id.row().title,
            Self::Filter => "the filter",
            Self::Search => "a search",
            Self::Note => "a note",
            Self::Help => "the help page",
            Self::Palette => "the palette",
            Self::Sort => "the sort menu",
            Self::Views => "the list of views",
            Self::NameView => "the name of a view",
            Self::DropView => "deleting a view",
            Self::Leave => "the question before leaving",
            Self::Ask => "a question",
            Self::Value => "a value",
        }
    }

    /// Overlays list their own keys; what they bind is theirs alone.
    pub(crate) fn is_overlay(self) -> bool {
        !matches!(self, Self::View(_))
    }

    /// Whether letters are typed into a field here.
    pub(crate) fn has_field(self) -> bool {
        matches!(self, Self::Filter | Self::Search | Self::Note | Self::Help | Self::Palette | Self::NameView)
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }
}
