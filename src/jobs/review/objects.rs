//! Trees and bytes by the ids that git gives them: out of the registry's checkout where it has them, from GitHub otherwise. Each is
//! held against its id, so that it is all the same where it came from.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::jobs::Env;
use crate::jobs::session::Session;
use crate::registry::{BLACKLIST, Blacklist, object_id};
use crate::remote::{Comparison, Error};
use crate::rules::review::{Leaf, ListedFile, Tree, tree};

/// What one run has read. Pull requests stand on few commits, so most of their folders are asked for once.
pub(super) struct Objects<'e> {
    pub(super) env: &'e Arc<Env>,
    session: &'e Arc<Session>,
    trees: Mutex<HashMap<String, Arc<OnceCell<Tree>>>>,
}

impl<'e> Objects<'e> {
    pub(super) fn new(env: &'e Arc<Env>, session: &'e Arc<Session>) -> Self {
        Self { env, session, trees: Mutex::default() }
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
            if tree.id() == id { Ok(tree) } else { Err(other("the lines of a folder")) }
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
        let mut folder = self.tree(root).await?;
        for above in tree::folders_above(path) {
            let Some(id) = folder.folder(tree::split(above).1) else { return Ok(None) };
            folder = self.tree(id).await?;
        }
        Ok(folder.lines.remove(tree::split(path).1))
    }

    /// The blacklist below a branch's topmost folder; without a file it is empty.
    pub(super) async fn blacklist(&self, root: &str, branch: &str) -> Result<Option<Blacklist>, Error> {
        let Some(leaf) = self.leaf(root, BLACKLIST).await? else { return Ok(Some(Blacklist::default())) };
        let bytes = self.blob(&leaf, BLACKLIST, branch).await?;
        Blacklist::parse(&bytes).map(Some).map_err(|why| Error::Protocol(why.to_string()))
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
    pub(super) async fn blob(&self, leaf: &Leaf, path: &str, commit: &str) -> Result<Vec<u8>, Error> {
        let is_it = |bytes: &[u8]| hex::encode(object_id("blob", bytes)) == leaf.id;
        let (id, at) = (leaf.id.clone(), path.to_owned());
        let kept = self.kept(move |session| {
            let now = session.checkout.read(&at).ok();
            now.filter(|bytes| hex::encode(object_id("blob", bytes)) == id)
                .or_else(|| session.checkout.git_bytes("blob", &id))
        });
        if let Some(bytes) = kept.await.filter(|bytes| is_it(bytes)) {
            return Ok(bytes);
        }
        let (remote, repository) = (&self.env.remote, &self.env.repository);
        match remote.file_at(repository, path, commit).await? {
            Some(bytes) if is_it(&bytes) => return Ok(bytes.into()),
            _ => {}
        }
        match remote.blob(repository, &leaf.id).await? {
            Some(bytes) if is_it(&bytes) => Ok(bytes.into()),
            Some(_) => Err(other("the bytes of a file")),
            None => Err(Error::Protocol("what the tree names is not there".to_owned())),
        }
    }

    async fn kept(&self, read: impl FnOnce(&Session) -> Option<Vec<u8>> + Send + 'static) -> Option<Vec<u8>> {
        let session = Arc::clone(self.session);
        let read = tokio::task::spawn_blocking(move || read(&session)).await;
        read.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }
}

fn other(what: &str) -> Error {
    Error::Protocol(format!("{what} are not those that their id names"))
}
