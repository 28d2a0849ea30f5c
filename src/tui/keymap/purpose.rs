//! What actions are for: the groups in which lists of keys and the palette show them, what one comes for first.

use crate::tui::keymap::Command;

/// What an action is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
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

impl Purpose {
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

impl Command {
    pub(crate) fn purpose(self) -> Purpose {
        match self {
            Self::Open | Self::Entry(_) => Purpose::Look,
            Self::Add
            | Self::ClearErrors
            | Self::Block
            | Self::Ignore
            | Self::Message
            | Self::Verify
            | Self::Backfill
            | Self::Dispatch
            | Self::SurveyThis
            | Self::SurveyShown
            | Self::Reload
            | Self::Publish
            | Self::Judge
            | Self::WriteOut
            | Self::Arm
            | Self::Disarm => Purpose::Act,
            Self::Mark
            | Self::MarkShown
            | Self::Invert
            | Self::Range
            | Self::Reject
            | Self::TakeBack
            | Self::Note
            | Self::Drop => Purpose::Decide,
            Self::CancelJob | Self::MoreWorkers | Self::FewerWorkers | Self::StopAtBad | Self::ClearDone => {
                Purpose::Steer
            }
            Self::Filter
            | Self::Sort
            | Self::SaveView
            | Self::Views
            | Self::NextWanting
            | Self::PreviousWanting
            | Self::JumpBack
            | Self::OnlyErrors => Purpose::Find,
            Self::Browse
            | Self::Edit
            | Self::Page
            | Self::CopyAddress
            | Self::CopyUrl
            | Self::CopyPath
            | Self::CopyLine
            | Self::CopyHash
            | Self::CopyMarkdown
            | Self::CopyJson => Purpose::Copy,
            Self::NextHunk
            | Self::PreviousHunk
            | Self::NextFile
            | Self::PreviousFile
            | Self::MoreContext
            | Self::LessContext
            | Self::Fold
            | Self::OpenFolds
            | Self::CloseFolds
            | Self::Layout
            | Self::Left
            | Self::Right
            | Self::Wrap
            | Self::Preview
            | Self::OtherPane
            | Self::OtherDown
            | Self::OtherUp => Purpose::Read,
            Self::Back
            | Self::Show(_)
            | Self::Palette
            | Self::Help
            | Self::Theme
            | Self::Quit
            | Self::Mouse
            | Self::Redraw
            | Self::Suspend
            | Self::Interrupt => Purpose::Program,
            Self::Down
            | Self::Up
            | Self::Top
            | Self::Bottom
            | Self::HalfDown
            | Self::HalfUp
            | Self::PageDown
            | Self::PageUp => Purpose::Move,
            Self::Accept
            | Self::Close
            | Self::Complete
            | Self::NextLine
            | Self::PreviousLine
            | Self::NextPage
            | Self::PreviousPage
            | Self::ClearField
            | Self::DropWord
            | Self::SortStatus
            | Self::SortNewest
            | Self::SortOldest
            | Self::SortAddress
            | Self::SortBehind
            | Self::GroupNone
            | Self::GroupStatus
            | Self::GroupNamespace
            | Self::GroupKind
            | Self::DropView => Purpose::Field,
        }
    }
}
