//! Git objects that follow from a repository and a tag's name alone, so that real git gives them the same ids.
//!
//! Every commit has the empty tree; nothing is ever checked out.

use sha1::{Digest, Sha1};

use crate::demo::world::Oid;

const WHO: &str = "Demo World <demo@example.invalid> 1577836800 +0000";

/// The id of the tree without entries.
pub(crate) const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// A git object before it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    /// Head and contents, as git hashes and stores them.
    pub(crate) bytes: Vec<u8>,
}

impl Object {
    /// The commit that a name points to; `variant` makes it another one.
    pub(crate) fn commit(seed: u64, name: &str, variant: &str) -> Self {
        Self::new(
            "commit",
            &format!("tree {EMPTY_TREE}\nauthor {WHO}\ncommitter {WHO}\n\n{seed} {name} {variant}\n"),
        )
    }

    /// The object of an annotated tag.
    pub(crate) fn tag(commit: &Oid, name: &str) -> Self {
        Self::new(
            "tag",
            &format!("object {}\ntype commit\ntag {name}\ntagger {WHO}\n\n{name}\n", hex::encode(commit)),
        )
    }

    /// The tree without entries.
    pub(crate) fn empty_tree() -> Self {
        Self::new("tree", "")
    }

    fn new(kind: &str, text: &str) -> Self {
        Self { bytes: format!("{kind} {}\0{text}", text.len()).into_bytes() }
    }

    pub(crate) fn oid(&self) -> Oid {
        Sha1::digest(&self.bytes).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_tree_has_its_known_id() {
        assert_eq!(hex::encode(Object::empty_tree().oid()), EMPTY_TREE);
    }
}
