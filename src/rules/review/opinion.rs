//! What a maintainer says of somebody else's pull request, on the whole and on its lines.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::settings::words;

words! {
    /// By GitHub's words for it (`github.md#pull-requests`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub(crate) enum Opinion: [ALL, word] {
        Approve = "APPROVE",
        RequestChanges = "REQUEST_CHANGES",
        Comment = "COMMENT",
    }
}

/// A review that this maintainer submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnVerdict {
    /// The number of the pull request.
    pub(crate) pull: u64,
    pub(crate) opinion: Opinion,
    /// The commit that it is about.
    pub(crate) commit: String,
    pub(crate) at: Timestamp,
}

/// What is said beside one line of the file as it would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remark {
    pub(crate) path: String,
    /// From 1.
    pub(crate) line: u64,
    /// Markdown.
    pub(crate) body: String,
}

impl Opinion {
    /// What it does to a pull request, as the beginning of a sentence whose end is its number.
    pub(crate) fn doing(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::RequestChanges => "request changes on",
            Self::Comment => "comment on",
        }
    }

    /// The effect on the pull request, as a word in a list: `approved`.
    pub(crate) fn effect(self) -> &'static str {
        match self {
            Self::Approve => "approved",
            Self::RequestChanges => "changes requested",
            Self::Comment => "commented on",
        }
    }

    /// What it is called once it is there.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Approve => "approval",
            Self::RequestChanges => "request for changes",
            Self::Comment => "comment",
        }
    }

    /// The flag of the command that says it.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Self::Approve => "--approve",
            Self::RequestChanges => "--request-changes",
            Self::Comment => "--comment",
        }
    }

    /// Whether a review in a list of GitHub's says this. One that was dismissed does not say what it said; `is_since`: it was
    /// submitted no earlier than what is looked for, and so is that.
    pub(crate) fn is_said_by(self, state: &str, is_since: bool) -> bool {
        let own = match self {
            Self::Approve => "APPROVED",
            Self::RequestChanges => "CHANGES_REQUESTED",
            Self::Comment => "COMMENTED",
        };
        state == own || state == "DISMISSED" && is_since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A head that went and came back has its earlier approval dismissed: that is not the one that is sent now.
    #[test]
    fn what_was_dismissed_before_says_nothing_now() {
        let said = |state, is_since| Opinion::Approve.is_said_by(state, is_since);
        assert_eq!(
            [said("APPROVED", false), said("DISMISSED", true), said("DISMISSED", false)],
            [true, true, false]
        );
        assert!(!said("COMMENTED", true));
    }
}
