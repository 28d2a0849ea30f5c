//! Git objects. Those of upstream repositories follow from the repository and a tag's name alone, so that real git gives
//! them the same ids: every such commit has the empty tree, and none has a parent.

use std::collections::BTreeMap;

use bytes::Bytes;
use sha1::{Digest, Sha1};

use crate::world::{Oid, Repository, Tag};

const WHO: &str = "Demo World <demo@example.invalid> 1577836800 +0000";

/// The id of the tree without entries.
pub(crate) const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// A git object before it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) kind: Kind,
    pub(crate) content: Bytes,
}

/// What an object is, by its number in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit = 1,
    Tree = 2,
    Blob = 3,
    Tag = 4,
}

impl Kind {
    /// git's and the API's word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }
}

impl Object {
    /// The commit that a name points to; `variant` makes it another one.
    pub(crate) fn commit(seed: u64, name: &str, variant: &str) -> Self {
        Self::new(
            Kind::Commit,
            format!("tree {EMPTY_TREE}\nauthor {WHO}\ncommitter {WHO}\n\n{seed} {name} {variant}\n"),
        )
    }

    /// The object of an annotated tag.
    pub(crate) fn tag(commit: &Oid, name: &str) -> Self {
        Self::new(
            Kind::Tag,
            format!("object {}\ntype commit\ntag {name}\ntagger {WHO}\n\n{name}\n", hex::encode(commit)),
        )
    }

    /// The tree without entries.
    pub(crate) fn empty_tree() -> Self {
        Self::new(Kind::Tree, Bytes::new())
    }

    /// The objects of a tag, or none if the world was told its id rather than made it.
    pub(crate) fn of_tag(seed: u64, tag: &Tag) -> Vec<Self> {
        for variant in ["", "retagged"] {
            let commit = Self::commit(seed, &tag.name, variant);
            let object = Self::tag(&commit.oid(), &tag.name);
            if tag.oid == commit.oid() {
                return vec![commit];
            }
            if tag.oid == object.oid() {
                return vec![commit, object];
            }
        }
        Vec::new()
    }

    /// All that a repository holds, by id, without the tags whose id the world was told.
    pub(crate) fn all_of(repository: &Repository) -> BTreeMap<Oid, Self> {
        if repository.empty {
            return BTreeMap::new();
        }
        let main = [Self::empty_tree(), Self::commit(repository.seed, "HEAD", "")];
        let tags = repository.tags.iter().flat_map(|tag| Self::of_tag(repository.seed, tag));
        main.into_iter().chain(tags).map(|object| (object.oid(), object)).collect()
    }

    pub(crate) fn new(kind: Kind, content: impl Into<Bytes>) -> Self {
        Self { kind, content: content.into() }
    }

    /// Head and contents, as git hashes and stores them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{} {}\0", self.kind.name(), self.content.len()).into_bytes();
        bytes.extend(&self.content);
        bytes
    }

    pub(crate) fn oid(&self) -> Oid {
        Sha1::digest(self.bytes()).into()
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
