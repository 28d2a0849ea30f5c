//! What a path of the registry's repository is, and what a pull request may put there.

use crate::registry::{Address, BLACKLIST, keys::KeyScope};
use crate::rules::plain_text::visible;
use crate::rules::review::Point;

/// A folder's mode in a tree of git.
pub(crate) const FOLDER: u32 = 0o40_000;
/// A plain file's mode in a tree of git; anything else is no data file.
pub(super) const PLAIN: u32 = 0o100_644;

/// A file as a tree names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// As git writes it in octal: `100644` plain, `100755` executable, `120000` symbolic link, `160000` another repository.
    pub(crate) mode: u32,
    /// Of its bytes.
    pub(crate) id: String,
}

impl Leaf {
    /// Whether its bytes are those of a file, executable or not.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.mode, PLAIN | 0o100_755)
    }
}

/// A path that two commits have differently; one that is moved is two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedPath {
    pub(crate) path: String,
    pub(crate) before: Option<Leaf>,
    pub(crate) after: Option<Leaf>,
}

/// What stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Entry(Address),
    Key,
    Blacklist,
    /// Nothing that the registry serves, or nothing that its tools find there: why.
    Elsewhere(Point),
}

impl Ground {
    pub(crate) fn of(path: &str) -> Self {
        if path == BLACKLIST {
            return Self::Blacklist;
        }
        let shown = visible(path);
        // The registry reads paths in whatever case; what its tools write is one way, and letters that look like others are
        // another address.
        let other_way = || {
            let text = format!("`{shown}` is not written as the registry's tools write a path");
            Self::Elsewhere(Point::new(text, format!("odd path {shown}")))
        };
        match (KeyScope::of(path), Address::from_path(path)) {
            (Some(_), _) if !is_written_by_tools(path) => other_way(),
            (Some(_), _) => Self::Key,
            (_, Some(address)) if address.path() != path || !is_written_by_tools(path) => other_way(),
            (_, Some(address)) => Self::Entry(address),
            (None, None) => {
                let text = format!("`{shown}` is not a file of an entry, a key or the blacklist");
                Self::Elsewhere(Point::new(text, format!("changes {}", folder(&shown))))
            }
        }
    }
}

/// Whether the registry's tools read there: its data, keys and blacklist, whatever a file is called.
pub(super) fn is_data(path: &str) -> bool {
    let folder = path.split('/').next().unwrap_or_default().to_ascii_lowercase();
    path == BLACKLIST || ["providers", "modules", "keys"].contains(&&*folder)
}

/// The first two folders of a path, which say what is changed: `.github/workflows`; the path itself where it has fewer.
fn folder(path: &str) -> &str {
    let mut ends = path.match_indices('/').map(|(at, _)| at);
    ends.nth(1).map_or(path, |end| &path[..end])
}

/// Lower case, digits, and what repositories may have besides.
fn is_written_by_tools(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "/-_.".contains(c))
}

impl ChangedPath {
    /// What is wrong with the way in which the file is there, whatever is in it.
    pub(crate) fn oddity(&self) -> Option<&'static str> {
        match self.after.as_ref()?.mode {
            PLAIN => None,
            0o100_755 => Some("is executable, and a data file is not"),
            0o120_000 => Some("is a symbolic link, and a data file is not"),
            0o160_000 => Some("is another repository, and a data file is not"),
            _ => Some("is of a kind that a data file is not"),
        }
    }
}
