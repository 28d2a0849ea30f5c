//! The two differences of a reviewed pull request, line by line: what it changes, and where it is not what upstream gives.

use std::sync::Arc;

use crate::rules::amount;
use crate::rules::diff::Lines;
use crate::rules::review::Review;
use crate::settings::words;

/// The text of all files together, both sides of both differences; the registry's largest file has 2.5 MB.
const MOST_BYTES: usize = 16 << 20;

words! {
    /// The side that the file of a pull request is held against.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub(crate) enum Against: [word] {
        /// The file before the pull request.
        #[default]
        Base = "base",
        /// The file rebuilt from upstream.
        Upstream = "upstream",
    }
}

impl Against {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Base => Self::Upstream,
            Self::Upstream => Self::Base,
        }
    }
}

/// The lines of one difference, or the reason why there are none.
pub(crate) type Difference = Result<Arc<Lines>, String>;

/// Both differences of one file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileDifferences {
    pub(crate) path: String,
    pub(crate) change: Difference,
    pub(crate) upstream: Difference,
}

/// Both differences of all files of one pull request.
#[derive(Clone, Debug, PartialEq)]
pub struct PullDifferences {
    pub(crate) number: u64,
    /// The commit that was reviewed.
    pub(crate) head: String,
    pub(crate) files: Vec<FileDifferences>,
}

impl FileDifferences {
    /// A file without lines, for this reason.
    pub(crate) fn without(path: &str, why: &str) -> Self {
        let none = || Err(why.to_owned());
        Self { path: path.to_owned(), change: none(), upstream: none() }
    }

    pub(crate) fn against(&self, side: Against) -> &Difference {
        match side {
            Against::Base => &self.change,
            Against::Upstream => &self.upstream,
        }
    }
}

impl PullDifferences {
    /// Keeps the first lines, up to the limit for all of them.
    pub(crate) fn new(review: &Review, mut files: Vec<FileDifferences>) -> Self {
        let mut left = MOST_BYTES;
        for lines in files.iter_mut().flat_map(|file| [&mut file.change, &mut file.upstream]) {
            match left.checked_sub(bytes(lines)) {
                Some(rest) => left = rest,
                None => *lines = Err(left_out()),
            }
        }
        Self { number: review.pull.number, head: review.pull.head.clone(), files }
    }
}

/// Returns true while the lines of these files are below the limit, so that no more are laid out beyond it.
pub(crate) fn has_room(files: &[FileDifferences]) -> bool {
    files.iter().map(|file| bytes(&file.change) + bytes(&file.upstream)).sum::<usize>() < MOST_BYTES
}

/// The reason for a file beyond the limit.
pub(crate) fn left_out() -> String {
    format!("left out: the lines of all files have more than {}", amount::bytes(MOST_BYTES as u64))
}

fn bytes(lines: &Difference) -> usize {
    lines.as_ref().map_or(0, |lines| lines.old_text.len() + lines.new_text.len())
}
