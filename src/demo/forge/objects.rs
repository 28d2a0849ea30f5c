//! The git objects of a repository and its forks, which share them, as on GitHub: blobs, trees and commits by id.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bytes::Bytes;
use jiff::Timestamp;

use crate::object::{Kind, Object};
use crate::world::Oid;

/// A plain file's mode.
pub(crate) const PLAIN: u32 = 0o100_644;
const FOLDER: u32 = 0o40_000;

/// All objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    all: BTreeMap<Oid, Object>,
}

/// A file as a tree names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// As git writes it in octal: `100644` plain, `100755` executable, `120000` symbolic link.
    pub(crate) mode: u32,
    pub(crate) blob: Oid,
}

/// Path to file of a whole tree, folders left out.
pub(crate) type Files = BTreeMap<String, Leaf>;

/// One line of a tree, folders included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    pub(crate) name: String,
    pub(crate) mode: u32,
    pub(crate) oid: Oid,
}

impl TreeEntry {
    pub(crate) fn is_folder(&self) -> bool {
        self.mode == FOLDER
    }
}

/// Who made a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) email: String,
}

/// A commit, read or to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) tree: Oid,
    pub(crate) parents: Vec<Oid>,
    pub(crate) author: Person,
    pub(crate) committer: Person,
    pub(crate) at: Timestamp,
    /// ASCII-armored, of the commit without it.
    pub(crate) signature: Option<String>,
    pub(crate) message: String,
}

impl Commit {
    /// Its bytes without the signature, which is what is signed.
    pub(crate) fn payload(&self) -> String {
        self.text(false)
    }

    fn text(&self, signed: bool) -> String {
        let mut text = format!("tree {}\n", hex::encode(self.tree));
        for parent in &self.parents {
            let _ = writeln!(text, "parent {}", hex::encode(parent));
        }
        for (role, person) in [("author", &self.author), ("committer", &self.committer)] {
            let _ = writeln!(text, "{role} {} <{}> {} +0000", person.name, person.email, self.at.as_second());
        }
        if let Some(signature) = self.signature.as_ref().filter(|_| signed) {
            // A continued header: further lines begin with a space (gitformat-signature).
            let _ = writeln!(text, "gpgsig {}", signature.trim_end().replace('\n', "\n "));
        }
        text.push('\n');
        text.push_str(&self.message);
        text
    }

    fn read(content: &[u8]) -> Option<Self> {
        let (head, message) = std::str::from_utf8(content).ok()?.split_once("\n\n")?;
        let (mut tree, mut parents, mut people, mut signature) = (None, Vec::new(), Vec::new(), None);
        for line in head.split('\n') {
            let (word, rest) = line.split_once(' ')?;
            match word {
                "tree" => tree = read_oid(rest),
                "parent" => parents.push(read_oid(rest)?),
                "author" | "committer" => people.push(read_person(rest)?),
                "gpgsig" => signature = Some(rest.to_owned()),
                "" => {
                    let text: &mut String = signature.as_mut()?;
                    text.push('\n');
                    text.push_str(rest);
                }
                _ => return None,
            }
        }
        let (committer, at) = people.pop()?;
        let (author, _) = people.pop()?;
        Some(Self { tree: tree?, parents, author, committer, at, signature, message: message.to_owned() })
    }
}

/// An object id from its forty digits.
pub(crate) fn read_oid(text: &str) -> Option<Oid> {
    let mut oid = Oid::default();
    hex::decode_to_slice(text, &mut oid).is_ok().then_some(oid)
}

fn read_person(text: &str) -> Option<(Person, Timestamp)> {
    let (name, rest) = text.split_once(" <")?;
    let (email, rest) = rest.split_once("> ")?;
    let at = Timestamp::from_second(rest.split(' ').next()?.parse().ok()?).ok()?;
    Some((Person { name: name.to_owned(), email: email.to_owned() }, at))
}

impl Objects {
    /// Each of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Object> {
        self.all.values()
    }

    fn put(&mut self, object: Object) -> Oid {
        let oid = object.oid();
        self.all.insert(oid, object);
        oid
    }

    /// Stores a file's bytes.
    pub(crate) fn put_blob(&mut self, content: Bytes) -> Oid {
        self.put(Object::new(Kind::Blob, content))
    }

    /// Stores a plain file.
    pub(crate) fn plain(&mut self, content: Bytes) -> Leaf {
        Leaf { mode: PLAIN, blob: self.put_blob(content) }
    }

    /// Stores the trees of these files, and gives back the topmost.
    pub(crate) fn put_tree(&mut self, files: &Files) -> Oid {
        let paths: Vec<(&str, Leaf)> = files.iter().map(|(path, leaf)| (path.as_str(), *leaf)).collect();
        self.put_folder(&paths)
    }

    fn put_folder(&mut self, files: &[(&str, Leaf)]) -> Oid {
        let mut folders: BTreeMap<&str, Vec<(&str, Leaf)>> = BTreeMap::new();
        let mut entries = Vec::new();
        for (path, leaf) in files {
            match path.split_once('/') {
                Some((folder, rest)) => folders.entry(folder).or_default().push((rest, *leaf)),
                None => {
                    entries.push(TreeEntry { name: (*path).to_owned(), mode: leaf.mode, oid: leaf.blob });
                }
            }
        }
        for (name, inside) in folders {
            let oid = self.put_folder(&inside);
            entries.push(TreeEntry { name: name.to_owned(), mode: FOLDER, oid });
        }
        // git sorts a folder as if its name ended in a slash.
        let place = |entry: &TreeEntry| {
            let end = if entry.is_folder() { "/" } else { "" };
            format!("{}{end}", entry.name)
        };
        entries.sort_by_cached_key(place);
        let mut content = Vec::new();
        for entry in entries {
            content.extend(format!("{:o} {}\0", entry.mode, entry.name).as_bytes());
            content.extend(entry.oid);
        }
        self.put(Object::new(Kind::Tree, content))
    }

    pub(crate) fn put_commit(&mut self, commit: &Commit) -> Oid {
        self.put(Object::new(Kind::Commit, commit.text(true)))
    }

    /// A file's bytes.
    pub(crate) fn blob(&self, oid: &Oid) -> Option<&Bytes> {
        self.all.get(oid).filter(|object| object.kind == Kind::Blob).map(|object| &object.content)
    }

    pub(crate) fn commit(&self, oid: &Oid) -> Option<Commit> {
        let object = self.all.get(oid).filter(|object| object.kind == Kind::Commit)?;
        Commit::read(&object.content)
    }

    /// The lines of one tree, in git's order.
    pub(crate) fn tree(&self, oid: &Oid) -> Option<Vec<TreeEntry>> {
        let object = self.all.get(oid).filter(|object| object.kind == Kind::Tree)?;
        let mut entries = Vec::new();
        let mut rest = &object.content[..];
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == 0)?;
            let (mode, name) = std::str::from_utf8(&rest[..end]).ok()?.split_once(' ')?;
            let oid = rest.get(end + 1..end + 21)?.try_into().ok()?;
            entries.push(TreeEntry { name: name.to_owned(), mode: u32::from_str_radix(mode, 8).ok()?, oid });
            rest = &rest[end + 21..];
        }
        Some(entries)
    }

    /// All files of a commit.
    pub(crate) fn files(&self, commit: &Oid) -> Files {
        let mut files = Files::new();
        if let Some(commit) = self.commit(commit) {
            self.collect(&commit.tree, "", &mut |path, entry| {
                if !entry.is_folder() {
                    files.insert(path, Leaf { mode: entry.mode, blob: entry.oid });
                }
            });
        }
        files
    }

    /// Visits every line of a tree and of the trees in it, each folder before what is in it.
    pub(crate) fn collect(&self, tree: &Oid, above: &str, visit: &mut dyn FnMut(String, &TreeEntry)) {
        for entry in self.tree(tree).unwrap_or_default() {
            let path = format!("{above}{}", entry.name);
            visit(path.clone(), &entry);
            if entry.is_folder() {
                self.collect(&entry.oid, &format!("{path}/"), visit);
            }
        }
    }

    /// A commit and all before it, each before its parents where the history is one line.
    pub(crate) fn history(&self, from: Oid) -> Vec<Oid> {
        let mut seen = BTreeSet::new();
        let mut line = Vec::new();
        let mut waiting = std::collections::VecDeque::from([from]);
        while let Some(oid) = waiting.pop_front() {
            if seen.insert(oid)
                && let Some(commit) = self.commit(&oid)
            {
                line.push(oid);
                waiting.extend(commit.parents);
            }
        }
        line
    }

    /// The nearest commit that both come from, and that no other one of those comes from.
    pub(crate) fn merge_base(&self, one: Oid, other: Oid) -> Option<Oid> {
        let before: BTreeSet<Oid> = self.history(one).into_iter().collect();
        let common: Vec<Oid> = self.history(other).into_iter().filter(|oid| before.contains(oid)).collect();
        let parents: BTreeSet<Oid> =
            common.iter().filter_map(|oid| self.commit(oid)).flat_map(|commit| commit.parents).collect();
        common.into_iter().find(|oid| !parents.contains(oid))
    }

    /// Everything that these objects need.
    pub(crate) fn reachable(&self, wanted: impl IntoIterator<Item = Oid>) -> BTreeMap<Oid, &Object> {
        let mut found = BTreeMap::new();
        let mut waiting: Vec<Oid> = wanted.into_iter().collect();
        while let Some(oid) = waiting.pop() {
            let Some(object) = self.all.get(&oid).filter(|_| !found.contains_key(&oid)) else { continue };
            found.insert(oid, object);
            match object.kind {
                Kind::Commit => {
                    waiting.extend(
                        self.commit(&oid).into_iter().flat_map(|it| [vec![it.tree], it.parents].concat()),
                    );
                }
                Kind::Tree => waiting.extend(self.tree(&oid).into_iter().flatten().map(|entry| entry.oid)),
                Kind::Blob | Kind::Tag => {}
            }
        }
        found
    }
}
