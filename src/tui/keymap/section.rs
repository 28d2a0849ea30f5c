//! The groups in which lists of keys and the palette show actions, in the order of use.

/// A group of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Look,
    Act,
    Decide,
    Steer,
    Find,
    Copy,
    Read,
    Program,
    Move,
    Field,
}

impl Section {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Look => "Look closer",
            Self::Act => "Survey, verify, plan",
            Self::Decide => "Mark and decide",
            Self::Steer => "While something runs",
            Self::Find => "Find",
            Self::Copy => "Copy, and open elsewhere",
            Self::Read => "Lines, folds and panes",
            Self::Program => "Views and the program",
            Self::Move => "Move",
            Self::Field => "In this box",
        }
    }
}
