//! The places where keys count: views, and what stands above them.

/// Where keys go: a view, or the overlay or field above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    Inventory,
    Entry,
    Diff,
    /// The filter field.
    Filter,
    Help,
    Palette,
    Sort,
    /// The list of views.
    Views,
    /// The name of a view that is being saved.
    NameView,
    /// The question before a view is deleted.
    DropView,
    /// The question before leaving with a survey running.
    Leave,
}

impl Context {
    pub const ALL: [Self; 11] = [
        Self::Inventory,
        Self::Entry,
        Self::Diff,
        Self::Filter,
        Self::Help,
        Self::Palette,
        Self::Sort,
        Self::Views,
        Self::NameView,
        Self::DropView,
        Self::Leave,
    ];

    /// Its table in the key file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inventory => "inventory",
            Self::Entry => "entry",
            Self::Diff => "diff",
            Self::Filter => "filter",
            Self::Help => "help",
            Self::Palette => "palette",
            Self::Sort => "sort",
            Self::Views => "views",
            Self::NameView => "name-view",
            Self::DropView => "drop-view",
            Self::Leave => "leave",
        }
    }

    /// What it is called on the screen.
    pub fn title(self) -> &'static str {
        match self {
            Self::Inventory => "Inventory",
            Self::Entry => "one entry",
            Self::Diff => "the proposed rebuild",
            Self::Filter => "the filter",
            Self::Help => "the help page",
            Self::Palette => "the palette",
            Self::Sort => "the sort menu",
            Self::Views => "the list of views",
            Self::NameView => "the name of a view",
            Self::DropView => "deleting a view",
            Self::Leave => "the question before leaving",
        }
    }

    /// Overlays list their own keys; what they bind is theirs alone.
    pub fn is_overlay(self) -> bool {
        !matches!(self, Self::Inventory | Self::Entry | Self::Diff)
    }

    /// Whether letters are typed into a field here.
    pub fn has_field(self) -> bool {
        matches!(self, Self::Filter | Self::Help | Self::Palette | Self::NameView)
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }
}
