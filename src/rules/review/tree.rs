//! Folders as git keeps them: each named by what it holds, so that who knows the name knows all of it.

use std::collections::BTreeMap;

use crate::registry::object_id;
use crate::rules::review::ground::{FOLDER, Leaf, PLAIN};

/// What lies in one folder, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) lines: BTreeMap<String, Leaf>,
}

/// A file that differs between two commits, as GitHub lists it: without its mode, and cut short where there are many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    pub(crate) path: String,
    /// The path that it had: its own where it is removed.
    pub(crate) left: Option<String>,
    /// The id of its bytes; `None` where it is removed.
    pub(crate) id: Option<String>,
}

impl ListedFile {
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        [Some(&*self.path), self.left.as_deref()].into_iter().flatten()
    }
}

impl Tree {
    /// Reads a tree object: `<mode> <name>\0<20 bytes of id>` a line. `None` for anything else.
    pub(crate) fn read(mut bytes: &[u8]) -> Option<Self> {
        let mut lines = BTreeMap::new();
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| *byte == 0)?;
            let (mode, name) = std::str::from_utf8(&bytes[..end]).ok()?.split_once(' ')?;
            let id = hex::encode(bytes.get(end + 1..end + 21)?);
            lines.insert(name.to_owned(), Leaf { mode: u32::from_str_radix(mode, 8).ok()?, id });
            bytes = &bytes[end + 21..];
        }
        Some(Self { lines })
    }

    /// The id that git gives to a folder which holds exactly this.
    pub(crate) fn id(&self) -> String {
        let mut lines: Vec<(&String, &Leaf)> = self.lines.iter().collect();
        // git sorts a folder as if its name ended in a slash.
        lines.sort_by_cached_key(|(name, leaf)| {
            format!("{name}{}", if leaf.mode == FOLDER { "/" } else { "" }).into_bytes()
        });
        let mut bytes = Vec::new();
        for (name, leaf) in lines {
            bytes.extend(format!("{:o} {name}\0", leaf.mode).as_bytes());
            bytes.extend(hex::decode(&leaf.id).unwrap_or_default());
        }
        hex::encode(object_id("tree", &bytes))
    }

    /// The id of a folder in it.
    pub(crate) fn folder(&self, name: &str) -> Option<&str> {
        self.lines.get(name).filter(|leaf| leaf.mode == FOLDER).map(|leaf| &*leaf.id)
    }
}

/// The folders of a path, each by its own path: `a` and `a/b` of `a/b/c`.
pub(crate) fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// The folder that something is in, and its name there.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// What becomes of folders, each by its path and the root by none, once the listed files are in them. They hold all folders above
/// each file; one that is not there yet is empty. A file keeps its mode, and a new one is plain: where that is not so, the ids are
/// not those of the commit.
pub(crate) fn with(mut folders: BTreeMap<String, Tree>, files: &[ListedFile]) -> Vec<Tree> {
    for file in files {
        let old = file.left.as_deref().and_then(|path| {
            let (folder, name) = split(path);
            folders.get_mut(folder)?.lines.remove(name)
        });
        let (folder, name) = split(&file.path);
        if let (Some(id), Some(folder)) = (file.id.clone(), folders.get_mut(folder)) {
            let mode = old.as_ref().or_else(|| folder.lines.get(name)).map_or(PLAIN, |leaf| leaf.mode);
            folder.lines.insert(name.to_owned(), Leaf { mode, id });
        }
    }
    let mut made = Vec::new();
    // A folder comes after those that it is in.
    while let Some((path, tree)) = folders.pop_last() {
        let (above, name) = split(&path);
        if let Some(above) = folders.get_mut(above).filter(|_| !path.is_empty()) {
            if tree.lines.is_empty() {
                above.lines.remove(name);
            } else {
                above.lines.insert(name.to_owned(), Leaf { mode: FOLDER, id: tree.id() });
            }
        }
        made.push(tree);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, left: Option<&str>, id: Option<&str>) -> ListedFile {
        ListedFile { path: path.into(), left: left.map(Into::into), id: id.map(|digit| digit.repeat(40)) }
    }

    fn root(files: &[ListedFile], folders: &[&str]) -> String {
        let empty = std::iter::once("").chain(folders.iter().copied());
        with(empty.map(|path| (path.to_owned(), Tree::default())).collect(), files).last().unwrap().id()
    }

    #[test]
    fn ids_are_those_of_git() {
        // `git hash-object -t tree /dev/null`, and `git mktree` of a plain file `x` of forty ones in `a`, beside `a.b` of forty twos.
        assert_eq!(Tree::default().id(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
        let made = root(&[file("a/x", None, Some("1")), file("a.b", None, Some("2"))], &["a"]);
        assert_eq!(made, "f97b85380c31a443f154fe3fe275f465ab5052fe");
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let mut bytes = b"100644 a.b\0".to_vec();
        bytes.extend([0x22; 20]);
        bytes.extend(b"40000 a\0");
        bytes.extend([0x11; 20]);
        let tree = Tree::read(&bytes).unwrap();
        assert_eq!(tree.id(), hex::encode(object_id("tree", &bytes)));
        assert_eq!(tree.folder("a"), Some(&*"1".repeat(40)));
        assert_eq!(tree.folder("a.b"), None);
        assert_eq!(Tree::read(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn files_move_and_go() {
        let one = root(&[file("a/x", None, Some("1"))], &["a"]);
        let moved = [file("b/x", None, Some("1")), file("a/x", Some("b/x"), Some("1"))];
        assert_eq!(root(&moved, &["a", "b"]), one);
        let gone =
            [file("a/x", None, Some("1")), file("b/x", None, Some("2")), file("b/x", Some("b/x"), None)];
        assert_eq!(root(&gone, &["a", "b"]), one);
        assert_ne!(root(&gone[..2], &["a", "b"]), one);
    }
}
