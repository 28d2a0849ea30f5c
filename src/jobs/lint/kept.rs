//! The number of findings that each file had when lint last looked. A cache file lists them by path and by the name of the
//! bytes, so that an edited file counts as never looked at. The findings of another build are not used.

use std::collections::HashMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::jobs::Env;
use crate::jobs::session::Session;
use crate::registry::Row;
use crate::store::{CacheFormat, Error};

const FORMAT: CacheFormat = CacheFormat { magic: b"bumpdesk lints\n\0", number: 1 };
/// The beginning and the end of the names of these files.
pub(crate) const FILE_NAMES: (&str, &str) = ("lint-", ".bin");
/// The name of this build: of its sources and its locked crates.
const BUILD: &str = env!("BUMPDESK_BUILD");

/// A file as lint saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Looked {
    pub(super) path: String,
    pub(super) blob: Box<str>,
    pub(super) findings: u32,
}

/// Tells the rows what lint found in them.
pub(crate) fn recall(env: &Env, root: &Path, rows: &mut [Row]) {
    let known = read(env, root);
    if known.is_empty() {
        return;
    }
    let known: HashMap<&str, &Looked> = known.iter().map(|looked| (looked.path.as_str(), looked)).collect();
    for row in rows {
        let looked = known.get(row.path().as_str()).filter(|looked| looked.blob == row.blob);
        row.lint = looked.map(|looked| looked.findings);
    }
}

/// Keeps what was looked at now, and of the rest what is still in the registry.
pub(super) fn keep(env: &Env, session: &Session, looked: Vec<Looked>) -> Result<(), Error> {
    let root = session.checkout.root();
    let mut known: HashMap<String, Looked> =
        read(env, root).into_iter().map(|looked| (looked.path.clone(), looked)).collect();
    known.extend(looked.into_iter().map(|looked| (looked.path.clone(), looked)));
    let kept: Vec<Looked> = session.catalog.rows.iter().filter_map(|row| known.remove(&row.path())).collect();
    let payload = postcard::to_stdvec(&(BUILD, kept)).expect("texts and numbers are postcard");
    FORMAT.write(&env.cache_file(root, FILE_NAMES, ""), &payload)
}

fn read(env: &Env, root: &Path) -> Vec<Looked> {
    let file = FORMAT.read(&env.cache_file(root, FILE_NAMES, ""));
    let read: Option<(&str, Vec<Looked>)> = postcard::from_bytes(file.payload()).ok();
    read.filter(|(build, _)| *build == BUILD).map(|(_, looked)| looked).unwrap_or_default()
}
