//! Keys that pull requests hand in: what is on file beside each on its branch by now, and what upstream signed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::propose::key_previews;
use crate::jobs::review::How;
use crate::jobs::review::objects::Objects;
use crate::jobs::session::Session;
use crate::jobs::survey::Gather;
use crate::registry::keys::KeyFile;
use crate::registry::{Address, Facts, ProviderAddress, keys};
use crate::remote::Error;
use crate::rules::Depth;
use crate::rules::review::{FOLDER, Judged, KeyClaim, Leaf, MOST_FILE_BYTES, Point, Result as Word, tree};
use crate::rules::signature::KeyRing;

/// Versions whose signatures a list reads for one key: a review of it alone reads all.
const MOST_LISTED: u32 = 100;

/// A key, and the branch that it is for: its name, and its topmost folder as it is by now.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) root: &'a str,
    pub(super) branch: &'a str,
    pub(super) claim: &'a KeyClaim,
}

/// The keys and providers of each namespace that keys would speak for, with checksums and signatures.
pub(super) struct Signed {
    /// By the branch's topmost folder and the namespace; or why they could not be read.
    parts: HashMap<(String, String), Result<Part, String>>,
    most: u32,
}

struct Part {
    session: Session,
    /// By the places in it.
    facts: HashMap<usize, Arc<Facts>>,
}

fn places(session: &Session, claim: &KeyClaim) -> impl Iterator<Item = usize> {
    let rows = session.catalog.rows.iter().enumerate();
    rows.filter(|(_, row)| claim.key().covers(&row.address)).map(|(place, _)| place)
}

fn versions(session: &Session, claim: &KeyClaim) -> u32 {
    places(session, claim).map(|place| session.catalog.rows[place].shape.version_count).sum()
}

pub(super) async fn signed(
    objects: &Objects<'_>,
    context: &Context,
    how: How,
    wanted: impl Iterator<Item = Wanted<'_>>,
) -> Result<Signed, Cancelled> {
    // Who looks at one alone waits for it.
    let most = if how.predicts { u32::MAX } else { MOST_LISTED };
    let mut by_part: BTreeMap<(String, String), Vec<Wanted<'_>>> = BTreeMap::new();
    for one in wanted {
        by_part.entry((one.root.to_owned(), one.claim.namespace().to_owned())).or_default().push(one);
    }
    let mut parts = HashMap::new();
    for ((root, namespace), claims) in by_part {
        let on_branch = on_branch(objects, (&root, claims[0].branch), &namespace);
        let session = match context.run(on_branch).await? {
            Ok(session) => session,
            Err(error) => {
                let why = error.cause();
                let why = format!("the keys and providers of {namespace} by now could not be read: {why}");
                parts.insert((root, namespace), Err(why));
                continue;
            }
        };
        let read = claims.iter().map(|one| one.claim).filter(|claim| versions(&session, claim) <= most);
        let places: BTreeSet<usize> = read.flat_map(|claim| places(&session, claim)).collect();
        let gather =
            Gather::new(objects.env, &session, context, Depth::Sums, Duration::ZERO).with_signatures();
        let (facts, gathered) = gather.facts(&places.into_iter().collect::<Vec<_>>()).await;
        if gathered.cancelled {
            return Err(Cancelled);
        }
        parts.insert((root, namespace), Ok(Part { session, facts }));
    }
    Ok(Signed { parts, most })
}

/// The folders of the keys of a namespace and of the providers that they speak for.
pub(super) fn spoken_for(namespace: &str) -> Vec<String> {
    let providers = |namespace: &str| tree::split(&Address::provider(namespace, "x").path()).0.to_owned();
    let hashicorp = (namespace == "opentofu").then(|| providers("hashicorp"));
    [keys::folder_of(namespace), providers(namespace)].into_iter().chain(hashicorp).collect()
}

/// The keys and providers of a namespace as its branch has them by now, whatever the checkout has.
async fn on_branch(
    objects: &Objects<'_>,
    (root, branch): (&str, &str),
    namespace: &str,
) -> Result<Session, Error> {
    let mut read = BTreeMap::new();
    for folder in spoken_for(namespace) {
        for (path, leaf) in listed(objects, root, &folder).await? {
            let bytes = bytes(objects, branch, (&path, &leaf)).await?;
            read.insert(path, bytes);
        }
    }
    Ok(objects.session.of_files(read))
}

/// The files in a folder; in one of keys also those of each provider.
async fn listed(objects: &Objects<'_>, root: &str, folder: &str) -> Result<Vec<(String, Leaf)>, Error> {
    let mut files: Vec<(String, Leaf)> = Vec::new();
    let Some(all) = objects.folder(root, folder).await? else { return Ok(files) };
    for (name, leaf) in all.lines {
        let path = format!("{folder}/{name}");
        if leaf.mode != FOLDER {
            files.push((path, leaf));
        } else if path.starts_with("keys/") {
            // Of one provider; folders below are not entered.
            let own = objects.tree(&leaf.id).await?.lines.into_iter();
            files.extend(
                own.filter(|(_, leaf)| leaf.mode != FOLDER)
                    .map(|(name, leaf)| (format!("{path}/{name}"), leaf)),
            );
        }
    }
    Ok(files)
}

async fn bytes(objects: &Objects<'_>, branch: &str, (path, leaf): (&str, &Leaf)) -> Result<Vec<u8>, Error> {
    if !leaf.is_file() {
        return Err(objects.env.remote.unreadable(format!("`{path}` is not a plain file")));
    }
    objects.blob(leaf, (path, branch), MOST_FILE_BYTES).await
}

/// The keys that speak for a provider on its branch by now.
pub(super) async fn ring(
    objects: &Objects<'_>,
    (root, branch): (&str, &str),
    provider: &ProviderAddress,
) -> Result<KeyRing, Error> {
    let all: BTreeMap<String, Leaf> =
        listed(objects, root, &keys::folder(provider)).await?.into_iter().collect();
    let mut files = Vec::new();
    for path in keys::speaking_for(provider, all.keys().map(String::as_str)) {
        let text = bytes(objects, branch, (path, &all[path])).await?;
        files.push(KeyFile { path: path.to_owned(), text });
    }
    Ok(KeyRing::read(&files))
}

impl Signed {
    pub(super) fn judge(&self, env: &Env, wanted: Wanted<'_>) -> Judged {
        let unknown = |why| Judged::new(Word::Unknown, vec![Point::new(why, "signatures unreadable")]);
        let claim = wanted.claim;
        let part = self.parts.get(&(wanted.root.to_owned(), claim.namespace().to_owned()));
        let Part { session, facts } = match part {
            Some(Ok(part)) => part,
            Some(Err(why)) => return unknown(why.clone()),
            None => return unknown("the keys on file were not read".to_owned()),
        };
        let many = versions(session, claim);
        if many > self.most {
            return unknown(format!("the signatures of {many} versions are read when it is reviewed alone"));
        }
        let facts_of = |place: usize| facts.get(&place).cloned().unwrap_or_default();
        let previews = key_previews(env, session, claim.key(), |row| {
            session.catalog.place(&row.address).map(facts_of).as_deref().cloned().unwrap_or_default()
        });
        let previews = match previews {
            Ok(previews) => previews,
            Err(unread) => return unknown(unread.text),
        };
        let first = places(session, claim).next().map(|place| &session.catalog.rows[place].address);
        match first.map_or(Ok(Vec::new()), |address| session.key_files(address)) {
            Ok(on_file) => claim.judge(on_file, &previews, env.now()),
            Err(why) => unknown(why),
        }
    }
}
