//! The places where keys count: views, and what stands above them.

/// Where keys go: a view, or the overlay or field above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Context {
    Inventory,
    Entry,
    Diff,
    Changes,
    Verify,
    Jobs,
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

impl Context {
    pub(crate) const ALL: [Self; 18] = [
        Self::Inventory,
        Self::Entry,
        Self::Diff,
        Self::Changes,
        Self::Verify,
        Self::Jobs,
        Self::Filter,
        Self::Search,
        Self::Note,
        Self::Help,
        Self::Palette,
        Self::Sort,
        Self::Views,
        Self::NameView,
        Self::DropView,
        Self::Leave,
        Self::Ask,
        Self::Value,
    ];

    /// Its table in the key file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Inventory => "inventory",
            Self::Entry => "entry",
            Self::Diff => "diff",
            Self::Changes => "changes",
            Self::Verify => "verify",
            Self::Jobs => "jobs",
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
            Self::Inventory => "Inventory",
            Self::Entry => "one entry",
            Self::Diff => "the proposed rebuild",
            Self::Changes => "Changes",
            Self::Verify => "Verify",
            Self::Jobs => "Jobs",
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
        !matches!(
            self,
            Self::Inventory | Self::Entry | Self::Diff | Self::Changes | Self::Verify | Self::Jobs
        )
    }

    /// Whether letters are typed into a field here.
    pub(crate) fn has_field(self) -> bool {
        matches!(self, Self::Filter | Self::Search | Self::Note | Self::Help | Self::Palette | Self::NameView)
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }
}
