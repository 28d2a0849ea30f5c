//! Deeper looks: the releases of missing versions always, those of indexed versions at depth `sums`.

use std::collections::HashMap;

use futures_util::future::join_all;

use crate::jobs::context::Cancelled;
use crate::jobs::fan::fan;
use crate::jobs::survey::gather::{Gather, Work};
use crate::jobs::survey::meter::Meter;
use crate::jobs::{Env, Phase};
use crate::registry::version::trim_v;
use crate::registry::{Kind, Observed, ReleaseFacts, ReleaseInfo, Repository, Why};
use crate::remote::{Release, observed};
use crate::rules::anatomy::Names;
use crate::rules::{Depth, indexed_tag, missing_tags};

/// Repositories probed at once; the lanes bound the requests.
const AT_ONCE: usize = 64;
/// Releases looked at before anything else is asked; at least one repository.
const SLICE: usize = 300;
/// Releases asked for in one call of the API adapter, which cuts it into queries.
const API_CHUNK: usize = 100;

/// One release to be looked at.
#[derive(Clone, Debug)]
struct Look {
    tag: String,
    /// The stored URL of an indexed version's sums; `None` for a missing version, whose names are tried.
    url: Option<String>,
    /// Where keys are on file, the signature is read too.
    signature: Wanted,
}

/// A release as it was read, and its signature.
type Read = (ReleaseFacts, Observed<Box<[u8]>>);

/// Which signature is read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    No,
    /// Beside the sums, wherever those are found.
    Beside,
    At(String),
}

/// Whether a repository needs a deeper look at all.
pub(super) fn is_due(gather: &Gather<'_>, work: &Work) -> bool {
    !work.gated && !looks(gather, work).is_empty()
}

/// What of a repository is to be looked at and not fresh.
fn looks(gather: &Gather<'_>, work: &Work) -> Vec<Look> {
    let facts = &work.stored.facts;
    let Some(tags) = facts.tags.known() else { return Vec::new() };
    let mut looks: Vec<Look> = Vec::new();
    for row in work.places.iter().map(|place| gather.row(*place)).filter(|row| row.kind() == Kind::Provider) {
        let has_keys =
            gather.depth == Depth::Sums && (gather.signatures || gather.session.has_keys(&row.address));
        for tag in missing_tags(row.kind(), row.shape.version_list(), tags) {
            let is_blocked = gather.session.blacklist.find(&row.address, &tag.name).is_some();
            if !is_blocked {
                let signature = if has_keys { Wanted::Beside } else { Wanted::No };
                looks.push(Look { tag: tag.name.to_string(), url: None, signature });
            }
        }
        if gather.depth == Depth::Sums {
            let Ok(entry) = gather.session.entry(row) else { continue };
            let versions = entry.as_provider().map(|entry| entry.versions.clone()).unwrap_or_default();
            looks.extend(versions.into_iter().filter_map(|version| {
                let tag = indexed_tag(&version)?;
                let signature = match version.shasums_signature_url {
                    _ if !has_keys => Wanted::No,
                    url if url.is_empty() => Wanted::Beside,
                    url => Wanted::At(url),
                };
                Some(Look { tag, url: Some(version.shasums_url), signature })
            }));
        }
    }
    looks.sort_by(|a, b| a.tag.cmp(&b.tag));
    looks.dedup_by(|a, b| a.tag == b.tag);
    looks.retain(|look| {
        let release = facts.releases.get(look.tag.as_str());
        let signature = facts.signatures.get(look.tag.as_str());
        !release.is_some_and(|release| {
            let is_signed = look.signature == Wanted::No
                || release.sums.known().is_none()
                || signature.is_some_and(|signature| gather.is_fresh(signature));
            gather.is_fresh(&release.sums)
                && is_signed
                && (look.url.is_some()
                    || release.manifest != Observed::Unasked
                    || release.sums.known().is_none())
        })
    });
    looks
}

/// Looks at everything that is due, and hands each repository on.
pub(super) async fn probe_all(
    gather: &Gather<'_>,
    works: Vec<Work>,
    mut done: impl FnMut(&Work),
) -> Result<(), Cancelled> {
    let phase = if gather.depth == Depth::Sums { Phase::Sums } else { Phase::Probing };
    let mut meter = Meter::new(phase, works.len(), gather.env.remote.counts().total().sent);
    let mut waiting = works.into_iter().peekable();
    while waiting.peek().is_some() {
        // A slice is read to its end and kept before the next one is asked about: a kill loses one slice.
        let (mut slice, mut wanted) = (Vec::new(), 0);
        while wanted < SLICE {
            let Some(work) = waiting.next() else { break };
            let looks = looks(gather, &work);
            wanted += looks.len();
            slice.push((work, looks));
        }
        read_infos(gather, &mut slice).await?;
        let read = |(work, looks)| probe(gather, work, looks);
        fan(gather.context, slice, AT_ONCE, read, |work| {
            gather.context.progress(meter.count(work.unread > 0, &gather.env.remote));
            done(&work);
        })
        .await?;
    }
    Ok(())
}

/// Asks the releases API about all of them in batches, where there is a token.
async fn read_infos(gather: &Gather<'_>, works: &mut [(Work, Vec<Look>)]) -> Result<(), Cancelled> {
    // An answer of an earlier survey may be older than the release: it must imply nothing today.
    for (work, looks) in works.iter_mut() {
        for look in looks {
            if let Some(release) = work.stored.facts.releases.get_mut(look.tag.as_str())
                && !gather.is_fresh(&release.info)
            {
                release.info = Observed::Unasked;
            }
        }
    }
    if !gather.env.remote.has_token() {
        return Ok(());
    }
    let mut items: Vec<(usize, Repository, String)> = Vec::new();
    for (place, (work, looks)) in works.iter().enumerate() {
        for look in looks {
            items.push((place, work.repository.clone(), look.tag.clone()));
        }
    }
    let chunks: Vec<Vec<(usize, Repository, String)>> = items.chunks(API_CHUNK).map(<[_]>::to_vec).collect();
    let mut found: Vec<(usize, String, Observed<ReleaseInfo>)> = Vec::new();
    let ask = |chunk: Vec<(usize, Repository, String)>| async move {
        let wanted: Vec<(Repository, String)> =
            chunk.iter().map(|(_, repository, tag)| (repository.clone(), tag.clone())).collect();
        let answers = gather.env.remote.release_batch(&wanted).await;
        let now = gather.env.now();
        let stamped = answers.into_iter().map(|answer| observed(answer, now));
        chunk.into_iter().zip(stamped).map(|((place, _, tag), info)| (place, tag, info)).collect::<Vec<_>>()
    };
    fan(gather.context, chunks, 3, ask, |answers| found.extend(answers)).await?;
    for (place, tag, info) in found {
        works[place].0.stored.facts.releases.entry(tag.into()).or_default().info = info;
    }
    Ok(())
}

async fn probe(gather: &Gather<'_>, mut work: Work, looks: Vec<Look>) -> Work {
    let name = work
        .places
        .iter()
        .map(|place| gather.row(*place))
        .find(|row| row.kind() == Kind::Provider)
        .map(|row| row.address.name().to_owned())
        .unwrap_or_default();
    let reads = looks.into_iter().map(|look| {
        let before = work.stored.facts.releases.get(look.tag.as_str()).cloned().unwrap_or_default();
        let (repository, name) = (&work.repository, name.as_str());
        async move {
            let facts = match &look.url {
                Some(url) => read_stored(gather.env, url, before).await,
                None => read_release(gather.env, repository, name, &look.tag, before.info).await,
            };
            // The two go together: a signature of yesterday says nothing about the sums of today.
            let signature = read_signature(gather.env, &look.signature, &facts).await;
            (look.tag, (facts, signature))
        }
    });
    let found: HashMap<String, Read> = join_all(reads).await.into_iter().collect();
    for (tag, (facts, signature)) in found {
        // That a document is too long is known by now, and a finding.
        let failed = |why: Option<&Why>| why.is_some_and(|why| !matches!(why, Why::TooLarge { .. }));
        let is_unread = failed(facts.sums.why()) || failed(signature.why());
        work.unread += u32::from(is_unread);
        if signature == Observed::Unasked {
            work.stored.facts.signatures.remove(tag.as_str());
        } else {
            work.stored.facts.signatures.insert(tag.as_str().into(), signature);
        }
        work.stored.facts.releases.insert(tag.into(), facts);
    }
    work.asked = true;
    work
}

async fn read_stored(env: &Env, url: &str, before: ReleaseFacts) -> ReleaseFacts {
    let sums = env.remote.sums_at(url).await;
    ReleaseFacts { sums: observed(sums, env.now()), ..before }
}

async fn read_signature(env: &Env, wanted: &Wanted, release: &ReleaseFacts) -> Observed<Box<[u8]>> {
    let Some(sums) = release.sums.known() else { return Observed::Unasked };
    let url = match wanted {
        Wanted::No => return Observed::Unasked,
        Wanted::Beside => format!("{}.sig", sums.url),
        Wanted::At(url) => url.clone(),
    };
    let read = env.remote.small_file(&url).await;
    observed(read.map(|bytes| bytes.to_vec().into_boxed_slice()), env.now())
}

/// Reads sums and manifest of one tag's release, the way the registry's tool names them. What the API has already told
/// saves the questions whose answer it implies.
pub(crate) async fn read_release(
    env: &Env,
    repository: &Repository,
    name: &str,
    tag: &str,
    info: Observed<ReleaseInfo>,
) -> ReleaseFacts {
    let names = Names::new(repository, name, tag);
    if has_no_sums(&info, &names) {
        let sums = Observed::Absent { at: env.now(), status: 404 };
        return ReleaseFacts { info, sums, manifest: Observed::Unasked };
    }
    let release = Release { repository, tag, name, version: trim_v(tag) };
    let sums = observed(env.remote.sums(release).await, env.now());
    let manifest = match &sums {
        Observed::Known { .. } => observed(env.remote.manifest(release).await, env.now()),
        _ => Observed::Unasked,
    };
    ReleaseFacts { info, sums, manifest }
}

/// Only a release that was listed implies it. That the API knows no release may as well mean that it shows us none.
fn has_no_sums(info: &Observed<ReleaseInfo>, names: &Names) -> bool {
    match info {
        Observed::Known { value, .. } => {
            let expected = [names.file("SHA256SUMS"), names.file_with_v("SHA256SUMS")];
            !value.truncated
                && !value.assets.iter().any(|asset| expected.iter().any(|name| **name == *asset.name))
        }
        Observed::Absent { .. } | Observed::Unasked | Observed::Unknown { .. } => false,
    }
}
