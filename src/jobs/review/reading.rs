//! Reads what a pull request claims: the trees of two commits, and the bytes of the paths that they have differently. A diff of
//! GitHub's is not believed: it is cut short and leaves out modes.

use std::collections::BTreeMap;

use crate::jobs::review::objects::Objects;
use crate::registry::Address;
use crate::remote::Error;
use crate::rules::review::{ChangedPath, Claim, FOLDER, Ground, Leaf, Result as Word, ReviewedFile, Tree};

/// More paths than any pull request of the registry has.
const MOST_PATHS: usize = 3_001;

/// What one path is, and what is claimed of it if it is an entry.
pub(super) struct Read {
    pub(super) file: ReviewedFile,
    pub(super) claim: Option<(Address, Claim)>,
}

/// The paths that two trees have differently. Folders with the same id hold the same, and are not entered.
pub(super) async fn changed(
    objects: &Objects<'_>,
    [base, head]: [String; 2],
) -> Result<Vec<ChangedPath>, Error> {
    let mut all = Vec::new();
    let mut folders = vec![(String::new(), Some(base), Some(head))];
    while let Some((above, before, after)) = folders.pop() {
        let list = |id: Option<String>| async move {
            match id {
                Some(id) => objects.tree(&id).await,
                None => Ok(Tree::default()),
            }
        };
        let (before, after) = (list(before).await?, list(after).await?);
        let mut lines: BTreeMap<String, [Option<Leaf>; 2]> = BTreeMap::new();
        for (side, tree) in [before, after].into_iter().enumerate() {
            for (name, leaf) in tree.lines {
                lines.entry(name).or_default()[side] = Some(leaf);
            }
        }
        for (name, [before, after]) in lines.into_iter().filter(|(_, [before, after])| before != after) {
            let path = if above.is_empty() { name } else { format!("{above}/{name}") };
            let folder = |leaf: &Option<Leaf>| leaf.as_ref().filter(|leaf| leaf.mode == FOLDER).cloned();
            let of_folder = (folder(&before), folder(&after));
            if of_folder != (None, None) {
                let id = |leaf: Option<Leaf>| leaf.map(|leaf| leaf.id);
                folders.push((path.clone(), id(of_folder.0), id(of_folder.1)));
            }
            let file = |leaf: Option<Leaf>| leaf.filter(|leaf| leaf.mode != FOLDER);
            let (before, after) = (file(before), file(after));
            if (&before, &after) != (&None, &None) {
                all.push(ChangedPath { path, before, after });
            }
            if all.len() + folders.len() > MOST_PATHS {
                return Err(Error::Protocol(format!("it changes more than {MOST_PATHS} paths")));
            }
        }
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}

/// Reads both sides of a path.
pub(super) async fn read(objects: &Objects<'_>, changed: &ChangedPath, base: &str, head: &str) -> Read {
    let path = &changed.path;
    let done =
        |word: Word, point: String| Read { file: ReviewedFile::of(path, word, vec![point]), claim: None };
    let address = match Ground::of(path) {
        Ground::Entry(address) => address,
        Ground::Key => {
            return done(Word::Refused, "a key comes, goes or changes, and people decide that".into());
        }
        Ground::Blacklist => {
            return done(Word::Refused, "the blacklist changes, and two maintainers decide that".into());
        }
        Ground::Elsewhere(why) => return done(Word::Refused, why),
    };
    if changed.after.is_none() {
        return done(Word::Refused, "the file is removed, and what is in it is indexed".into());
    }
    if let Some(oddity) = changed.oddity() {
        return done(Word::Refused, oddity.to_owned());
    }
    let mut sides = [None, None];
    let told = [("before it", &changed.before, base), ("at its head", &changed.after, head)];
    for (side, (told, leaf, at)) in told.into_iter().enumerate() {
        let Some(leaf) = leaf else { continue };
        match objects.blob(leaf, path, at).await {
            Ok(bytes) => sides[side] = Some(bytes),
            Err(why) => {
                return done(Word::Unknown, format!("its bytes {told} could not be read: {why}"));
            }
        }
    }
    let [before, after] = sides;
    match Claim::read(address.kind(), before.as_deref(), &after.unwrap_or_default()) {
        Ok(claim) => {
            let file = ReviewedFile {
                versions: claim.versions(),
                ..ReviewedFile::of(path, Word::Unknown, Vec::new())
            };
            Read { file, claim: Some((address, claim)) }
        }
        Err(why) => done(Word::Differs, why),
    }
}
