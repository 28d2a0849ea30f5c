//! Trees and bytes by the ids that git gives them: out of the registry's checkout where it has them, from GitHub otherwise. Each is
//! held against its id, so that it is all the same where it came from.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::jobs::Env;
use crate::jobs::session::Session;
use crate::registry::{BLACKLIST, Blacklist, object_id};
use crate::remote::{Comparison, Error};
use crate::rules::amount;
use crate::rules::review::{Leaf, ListedFile, MOST_FILE_BYTES, Tree, tree};

/// What one run takes in of pull requests, in bytes; of it a list leaves the more for the others.
pub(super) const MOST_BYTES: u64 = 128 << 20;
pub(super) const MOST_LISTED_BYTES: u64 = 32 << 20;
/// What a line of a folder takes beside its name, or a path that is changed.
const LINE_BYTES: usize = 256;

/// What may still be taken in of something that strangers make as large as they like.
#[derive(Debug)]
pub(super) struct Room {
    most: u64,
    left: AtomicU64,
    /// What has no more room than this.
    of: &'static str,
}

impl Room {
    pub(super) fn new(most: u64, of: &'static str) -> Self {
        Self { most, left: AtomicU64::new(most), of }
    }

    /// Once something had no room nothing has, so that it does not depend on the order which of them are small.
    ///
    /// # Errors
    /// The limit.
    pub(super) fn take(&self, bytes: usize) -> Result<(), String> {
        let less = |left: u64| Some(left.saturating_sub(bytes as u64));
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or_default();
        if left > bytes as u64 {
            return Ok(());
        }
        Err(format!("{} has more than {}", self.of, amount::limit(self.most)))
    }

    pub(super) fn take_path(&self, path: &str) -> Result<(), String> {
        self.take(path.len() + LINE_BYTES)
    }
}

/// What one run has read. Pull requests stand on few commits, so most of their folders are asked for once.
pub(super) struct Objects<'e> {
    pub(super) env: &'e Arc<Env>,
    pub(super) session: &'e Arc<Session>,
    pub(super) room: Room,
    trees: Mutex<HashMap<String, Arc<OnceCell<Tree>>>>,
}

impl<'e> Objects<'e> {
    pub(super) fn new(env: &'e Arc<Env>, session: &'e Arc<Session>, room: Room) -> Self {
        Self { env, session, room, trees: Mutex::default() }
    }

    fn cell(&self, id: &str) -> Arc<OnceCell<Tree>> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(trees.entry(id.to_owned()).or_default())
    }

    /// A folder, by its id.
    pub(super) async fn tree(&self, id: &str) -> Result<Tree, Error> {
        let read = async {
            let kept = id.to_owned();
            let kept = self.kept(move |session| session.checkout.git_bytes("tree", &kept)).await;
            if let Some(tree) = kept.and_then(|bytes| Tree::read(&bytes)).filter(|tree| tree.id() == id) {
                return Ok(tree);
            }
            let tree = self.env.remote.tree(&self.env.repository, id).await?;
            let is_room = tree.lines.keys().try_for_each(|name| self.room.take_path(name));
            is_room.map_err(|why| self.env.remote.unreadable(why))?;
            if tree.id() == id {
                Ok(tree)
            } else {
                Err(Error::unreadable("the lines of a folder are not those that their id names"))
            }
        };
        self.cell(id).get_or_try_init(|| read).await.cloned()
    }

    /// The ids of the topmost folders of the merge base and of the head.
    ///
    /// The head's folders are worked out from the files that GitHub lists as changed. That list is cut short and has no modes, but
    /// an id is of what a folder holds: where it came out wrong, nobody asks for it, and the head's own folders are read.
    pub(super) async fn roots(&self, compared: &Comparison, head: &str) -> Result<[String; 2], Error> {
        let [base, at_head] = compared.trees.clone();
        let base = match base {
            Some(base) => base,
            None => self.root(&compared.merge_base).await?,
        };
        let Some(at_head) = at_head else { return Ok([base, self.root(head).await?]) };
        if let Some(files) = &compared.files {
            for tree in tree::with(self.above(&base, files).await?, files) {
                // One that is there already is the same.
                let _known = self.cell(&tree.id()).set(tree);
            }
        }
        Ok([base, at_head])
    }

    /// What lies at a path below a folder.
    pub(super) async fn leaf(&self, root: &str, path: &str) -> Result<Option<Leaf>, Error> {
        let (above, name) = tree::split(path);
        let folder = self.folder(root, above).await?;
        Ok(folder.and_then(|mut folder| folder.lines.remove(name)))
    }

    /// What lies in the folder of that path.
    pub(super) async fn folder(&self, root: &str, path: &str) -> Result<Option<Tree>, Error> {
        let mut folder = self.tree(root).await?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let Some(id) = folder.folder(name) else { return Ok(None) };
            folder = self.tree(id).await?;
        }
        Ok(Some(folder))
    }

    /// The blacklist below a branch's topmost folder; without a file it is empty.
    pub(super) async fn blacklist(&self, root: &str, branch: &str) -> Result<Blacklist, Error> {
        let Some(leaf) = self.leaf(root, BLACKLIST).await? else { return Ok(Blacklist::default()) };
        let bytes = self.blob(&leaf, (BLACKLIST, branch), MOST_FILE_BYTES).await?;
        Blacklist::parse(&bytes).map_err(|why| self.env.remote.unreadable(why.to_string()))
    }

    pub(super) async fn root(&self, commit: &str) -> Result<String, Error> {
        Ok(self.env.remote.tree(&self.env.repository, commit).await?.id())
    }

    /// All folders above these files, as they are below that root.
    async fn above(&self, root: &str, files: &[ListedFile]) -> Result<BTreeMap<String, Tree>, Error> {
        let mut folders = BTreeMap::from([(String::new(), self.tree(root).await?)]);
        for path in files.iter().flat_map(ListedFile::paths).flat_map(tree::folders_above) {
            if !folders.contains_key(path) {
                let (above, name) = tree::split(path);
                let tree = match folders[above].folder(name) {
                    Some(id) => self.tree(id).await?,
                    None => Tree::default(),
                };
                folders.insert(path.to_owned(), tree);
            }
        }
        Ok(folders)
    }

    /// The bytes of a file that lies there at a commit.
    ///
    /// # Errors
    /// `TooLarge` where it has more bytes than that.
    pub(super) async fn blob(
        &self,
        leaf: &Leaf,
        (path, commit): (&str, &str),
        most_bytes: u64,
    ) -> Result<Vec<u8>, Error> {
        let is_it = |bytes: &[u8]| hex::encode(object_id("blob", bytes)) == leaf.id;
        let (id, at) = (leaf.id.clone(), path.to_owned());
        let kept = self.kept(move |session| {
            let now = session.checkout.read(&at).ok();
            now.filter(|bytes| hex::encode(object_id("blob", bytes)) == id)
                .or_else(|| session.checkout.git_bytes("blob", &id))
        });
        if let Some(bytes) = kept.await.filter(|bytes| is_it(bytes)) {
            let is_small = (bytes.len() as u64) < most_bytes;
            return if is_small { Ok(bytes) } else { Err(Error::TooLarge { limit_bytes: most_bytes }) };
        }
        let (remote, repository) = (&self.env.remote, &self.env.repository);
        match remote.file_within(repository, (path, commit), most_bytes).await? {
            Some(bytes) if is_it(&bytes) => return Ok(bytes.into()),
            _ => {}
        }
        match remote.blob_within(repository, &leaf.id, most_bytes).await? {
            Some(bytes) if is_it(&bytes) => Ok(bytes.into()),
            Some(_) => Err(Error::unreadable("the bytes of a file are not those that their id names")),
            None => Err(Error::unreadable("what the tree names is not there")),
        }
    }

    async fn kept(&self, read: impl FnOnce(&Session) -> Option<Vec<u8>> + Send + 'static) -> Option<Vec<u8>> {
        let session = Arc::clone(self.session);
        let read = tokio::task::spawn_blocking(move || read(&session)).await;
        read.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes after something that had no room has none either, however small.
    #[test]
    fn what_has_no_room_names_the_limit() {
        let room = Room::new(1 << 20, "it");
        assert_eq!((room.take(1 << 19), room.take_path("x")), (Ok(()), Ok(())));
        let limit = Err("it has more than 1 MiB".to_owned());
        assert_eq!(room.take(1 << 19), limit);
        assert_eq!((room.take(1), room.take(0)), (limit.clone(), limit));
    }
}
