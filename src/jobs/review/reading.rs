//! Reads what a pull request claims: the trees of two commits, and the bytes of the paths that they have differently. A diff of
//! GitHub's is not believed: it is cut short and leaves out modes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::jobs::review::keys::spoken_for;
use crate::jobs::review::objects::{Objects, Room};
use crate::registry::keys::{KeyScope, folder};
use crate::registry::{Address, BLACKLIST, Blacklist, Entry, digest};
use crate::remote::{Error, PullRead};
use crate::rules::amount::counted;
use crate::rules::diff::Lines;
use crate::rules::review::{
    ChangedPath, Claim, FOLDER, FileDifferences, Ground, Judged, KeyClaim, Leaf, MOST_FILE_BYTES,
    MOST_SMALL_BYTES, Point, Result as Word, ReviewedFile, SideDigests, Tree, kept_out, replaced,
};
use crate::rules::submission;

/// More paths than any pull request of the registry has; of folders no more are entered.
const MOST_PATHS: usize = 3_001;

/// A changed path, and its claim if that can be made again.
pub(super) struct Read {
    pub(super) file: ReviewedFile,
    pub(super) claim: Option<Claims>,
    /// As it would be, where this is the blacklist and can be read.
    pub(super) blacklist: Option<Blacklist>,
    /// The digests of both sides, where they were read.
    pub(super) digests: Option<SideDigests>,
    /// Both differences of a file that is not compared by its content, if they are wanted.
    pub(super) differences: Option<FileDifferences>,
}

/// The claim of a file.
pub(super) enum Claims {
    Entry(Address, Box<Claim>),
    Key(KeyClaim),
}

/// The paths that two trees have differently. Folders with the same id hold the same, and are not entered.
/// `read`: a folder by its id.
pub(super) async fn changed<R: Future<Output = Result<Tree, Error>>>(
    read: impl Fn(String) -> R,
    [base, head]: [String; 2],
) -> Result<Vec<ChangedPath>, Error> {
    let mut all = Vec::new();
    let mut folders = vec![(String::new(), Some(base), Some(head))];
    let mut entered = 0;
    let list = async |id: Option<String>| match id {
        Some(id) => read(id).await,
        None => Ok(Tree::default()),
    };
    while let Some((above, before, after)) = folders.pop() {
        // Folders that hold nothing but each other, many times over, have no path to count.
        entered += 1;
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
            if all.len() > MOST_PATHS {
                return Err(Error::unreadable("it changes more than 3001 paths"));
            }
            if entered + folders.len() > MOST_PATHS {
                return Err(Error::unreadable("it changes more than 3001 folders"));
            }
        }
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}

/// The content that is lost when a pull request deletes a file, and the file's digests, if the file can be read.
async fn deleted(
    objects: &Objects<'_>,
    changed: &ChangedPath,
    (base, room): (&str, &Room),
) -> (Vec<Point>, Option<(SideDigests, Vec<u8>)>) {
    let text = "the file is removed, and what is in it is indexed";
    let mut points = vec![Point::new(text, "removes an indexed file")];
    let (Some(leaf), Ground::Entry(address)) = (&changed.before, Ground::of(&changed.path)) else {
        return (points, None);
    };
    let read = async {
        [room, &objects.room].into_iter().try_for_each(|room| room.take(0))?;
        let read = objects.blob(leaf, (&changed.path, base), MOST_FILE_BYTES).await;
        let bytes = read.map_err(|why| why.to_string())?;
        [room, &objects.room].into_iter().try_for_each(|room| room.take(bytes.len()))?;
        Ok::<_, String>(bytes)
    };
    let bytes = match read.await {
        Ok(bytes) => bytes,
        Err(why) => {
            points.push(format!("what is lost with it could not be read: {why}").into());
            return (points, None);
        }
    };
    match Entry::read(address.kind(), &bytes) {
        Ok((_, entry)) => {
            let provider = entry.as_provider().into_iter().flat_map(|entry| &entry.versions);
            let targets: usize = provider.map(|version| version.targets.len()).sum();
            let targets =
                if targets == 0 { String::new() } else { format!(" with {}", counted(targets, "target")) };
            let versions = counted(entry.versions().len(), "version");
            points.push(format!("lost with it: {versions}{targets}").into());
            let text = "stop working, and no bump adds it again";
            points.push(format!("lock files and configurations that name {address} {text}").into());
        }
        Err(_) => points.push("it cannot be read as a data file".into()),
    }
    let digests = SideDigests { base: digest(&bytes), outcome: digest(&[]), content: Some(digest(&[])) };
    (points, Some((digests, bytes)))
}

/// Reads both sides of a path, and the file that is there now. `base`: the commit that the pull request began at; `now`: the
/// topmost folder of its branch now; `room`: its own; `beside`: the room for files that are no data files, if the differences
/// are shown.
pub(super) async fn read(
    objects: &Objects<'_>,
    changed: &ChangedPath,
    (base, now): (&str, &str),
    (pull, room, beside): (&PullRead, &Room, Option<&Room>),
) -> Read {
    let path = &changed.path;
    let done = |word, points| Read {
        file: ReviewedFile::of(path, word, points),
        claim: None,
        blacklist: None,
        digests: None,
        differences: None,
    };
    let lines = |before: Option<&[u8]>, after: Option<&[u8]>, why: &str| {
        let side = |bytes: Option<&[u8]>| bytes.unwrap_or_default().to_vec();
        let change = || Ok(Arc::new(Lines::of_text(side(before), side(after))));
        beside.is_some().then(|| FileDifferences { change: change(), ..FileDifferences::without(path, why) })
    };
    let one = |word: Word, point: Point| done(word, vec![point]);
    let ground = match Ground::of(path) {
        Ground::Elsewhere(why) => {
            let differences = match beside {
                Some(beside) => Some(of_text(objects, changed, (base, &pull.listing.head), beside).await),
                None => None,
            };
            return Read { differences, ..one(Word::Refused, why) };
        }
        ground => ground,
    };
    if matches!(ground, Ground::Entry(_)) && changed.after.is_none() {
        let (points, read) = deleted(objects, changed, (base, room)).await;
        let differences =
            read.as_ref().and_then(|(_, bytes)| lines(Some(bytes), None, "the file is removed"));
        return Read { digests: read.map(|read| read.0), differences, ..done(Word::Refused, points) };
    }
    if let Some(oddity) = changed.oddity() {
        return one(Word::Refused, oddity.into());
    }
    let most_bytes = if matches!(ground, Ground::Entry(_)) { MOST_FILE_BYTES } else { MOST_SMALL_BYTES };
    let mut sides = [None, None];
    let leaves = [("before it", &changed.before, base), ("at its head", &changed.after, &*pull.listing.head)];
    for (side, (when, leaf, at)) in leaves.into_iter().enumerate() {
        let Some(leaf) = leaf else { continue };
        let taken = |bytes: usize| [room, &objects.room].into_iter().try_for_each(|room| room.take(bytes));
        let read = async {
            taken(0)?;
            let bytes = objects.blob(leaf, (path, at), most_bytes).await.map_err(|error| error.cause())?;
            taken(bytes.len())?;
            Ok::<_, String>(bytes)
        };
        match read.await {
            Ok(bytes) => sides[side] = Some(bytes),
            Err(why) => {
                let text = format!("its bytes {when} could not be read: {why}");
                return one(Word::Unknown, Point::new(text, "file unreadable"));
            }
        }
    }
    let [before, after] = sides.each_ref().map(Option::as_deref);
    let [base, outcome] = [before, after].map(|side| digest(side.unwrap_or_default()));
    let digests = SideDigests { base, outcome, content: None };
    let claim = match (ground, before) {
        (Ground::Entry(address), _) => match Claim::read(address.kind(), before, after.unwrap_or_default()) {
            Ok(mut claim) => {
                // What is merged is in it. One that is closed can be opened again, until this is sent.
                if pull.merged.is_none() {
                    match by_now(objects, changed, now, &pull.listing.base).await {
                        Ok(None) => {}
                        Ok(Some(now)) => claim.stands_on(now.as_deref()),
                        Err(why) => claim.unread_by_now(&why.cause()),
                    }
                }
                if claim.is_new() {
                    match registered(objects, now, &address).await {
                        Ok(other) => claim.registered = other,
                        Err(why) => claim.unread_by_now(&why.cause()),
                    }
                }
                Ok(Claims::Entry(address, Box::new(claim)))
            }
            Err(Judged { word, points, .. }) => Err((word, points)),
        },
        (Ground::Key, Some(before)) => Err((Word::Refused, vec![replaced(path, before, after)])),
        (Ground::Key, None) => {
            let opened = pull.listing.opened;
            let claim = KeyClaim::read(path, after.unwrap_or_default(), opened, objects.env.now());
            claim
                .map(Claims::Key)
                .map_err(|why| (Word::Refused, vec![Point::new(why, "not a key the form takes")]))
        }
        (Ground::Blacklist | Ground::Elsewhere(_), _) => {
            let blacklist =
                after.map_or_else(|| Some(Blacklist::default()), |after| Blacklist::parse(after).ok());
            return Read {
                blacklist,
                digests: Some(digests),
                differences: lines(before, after, "upstream has no blacklist"),
                ..done(Word::Refused, kept_out(before, after))
            };
        }
    };
    match claim {
        Ok(claim) => {
            let file = ReviewedFile::of(path, Word::Unknown, Vec::new());
            let (versions, content) = match &claim {
                Claims::Entry(_, claim) => (claim.versions(), Some(claim.content_digest())),
                Claims::Key(_) => (Vec::new(), None),
            };
            let differences = match &claim {
                Claims::Entry(..) => None,
                Claims::Key(_) => lines(before, after, "a key is not made from upstream"),
            };
            Read {
                differences,
                file: ReviewedFile { versions, ..file },
                claim: Some(claim),
                blacklist: None,
                digests: Some(SideDigests { content, ..digests }),
            }
        }
        Err((word, points)) => Read {
            digests: Some(digests),
            differences: lines(before, after, "it cannot be rebuilt from upstream"),
            ..done(word, points)
        },
    }
}

/// The lines of a file that is no data file. Nothing rests on them, so they have a room of their own.
async fn of_text(
    objects: &Objects<'_>,
    changed: &ChangedPath,
    (base, head): (&str, &str),
    room: &Room,
) -> FileDifferences {
    let path = &changed.path;
    let mut sides = [Vec::new(), Vec::new()];
    for (side, (leaf, at)) in [(&changed.before, base), (&changed.after, head)].into_iter().enumerate() {
        let Some(leaf) = leaf else { continue };
        if !leaf.is_file() {
            return FileDifferences::without(path, "it is a link or another repository, which has no lines");
        }
        let read = async {
            room.take(0)?;
            let bytes =
                objects.blob(leaf, (path, at), MOST_SMALL_BYTES).await.map_err(|error| error.cause())?;
            room.take(bytes.len())?;
            Ok::<_, String>(bytes)
        };
        match read.await {
            Ok(bytes) if bytes.contains(&0) || str::from_utf8(&bytes).is_err() => {
                return FileDifferences::without(path, "it is not text, so it has no lines");
            }
            Ok(bytes) => sides[side] = bytes,
            Err(why) => {
                return FileDifferences::without(path, &format!("its lines could not be read: {why}"));
            }
        }
    }
    let [before, after] = sides;
    let change = Ok(Arc::new(Lines::of_text(before, after)));
    FileDifferences { change, ..FileDifferences::without(path, "upstream has no such file") }
}

/// The current bytes of a path, or none if there is no such file; `None`: unchanged since the pull request began.
async fn by_now(
    objects: &Objects<'_>,
    changed: &ChangedPath,
    root: &str,
    branch: &str,
) -> Result<Option<Option<Vec<u8>>>, Error> {
    let leaf = objects.leaf(root, &changed.path).await?;
    if leaf == changed.before {
        return Ok(None);
    }
    let Some(leaf) = leaf else { return Ok(Some(None)) };
    Ok(Some(Some(objects.blob(&leaf, (&changed.path, branch), MOST_FILE_BYTES).await?)))
}

/// A path that the review of another one rests on, and that two topmost folders of its branch have differently.
pub(super) async fn moved(
    objects: &Objects<'_>,
    roots: [&str; 2],
    path: &str,
) -> Result<Option<String>, Error> {
    let rests_on = match Ground::of(path) {
        Ground::Entry(address) => {
            let keys = if let Address::Provider(provider) = &address { Some(folder(provider)) } else { None };
            let twins = submission::same_repository(&address);
            twins.iter().map(Address::path).chain([path.to_owned()]).chain(keys).collect()
        }
        Ground::Key => KeyScope::of(path).map_or_else(Vec::new, |scope| spoken_for(scope.namespace)),
        Ground::Blacklist | Ground::Elsewhere(_) => vec![path.to_owned()],
    };
    for path in rests_on.into_iter().chain([BLACKLIST.to_owned()]) {
        let [then, now] = roots;
        if objects.leaf(then, &path).await? != objects.leaf(now, &path).await? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Another entry that the registry now has for the same repository.
async fn registered(objects: &Objects<'_>, root: &str, address: &Address) -> Result<Option<Address>, Error> {
    for other in submission::same_repository(address) {
        if objects.leaf(root, &other.path()).await?.is_some() {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten folders in each of ten, and so on: a few lines of git make folders without end that hold no file.
    #[tokio::test]
    async fn folders_that_hold_each_other_have_an_end() {
        let name = |depth: usize| format!("{depth:040}");
        let folder = |of: String| Leaf { mode: FOLDER, id: of };
        let read = |id: String| async move {
            let depth: usize = id.parse().unwrap();
            let inside = (0..10).filter(|_| depth < 5).map(|n| (n.to_string(), folder(name(depth + 1))));
            // The merge base has nothing.
            Ok(Tree { lines: inside.filter(|_| depth > 0).collect() })
        };
        let read = changed(read, [name(0), name(1)]).await;
        assert!(
            matches!(&read, Err(Error::Protocol(why)) if **why == *"it changes more than 3001 folders"),
            "{read:?}"
        );
    }
}
