//! Deeper looks: the releases of missing and of claimed versions always, those of indexed versions at depth `sums`.

use std::collections::{HashMap, VecDeque};

use futures_util::future::join_all;

use crate::jobs::Env;
use crate::jobs::context::Cancelled;
use crate::jobs::data::Phase;
use crate::jobs::fan::fan;
use crate::jobs::survey::gather::{Gather, Keeper, Work};
use crate::jobs::survey::meter::Meter;
use crate::registry::version::{self, trim_v};
use crate::registry::{Kind, Observed, Protocols, ReleaseFacts, ReleaseInfo, Repository, Served, Sums};
use crate::remote::{Release, observed};
use crate::rules::anatomy::{self, Names, believed, vouched};
use crate::rules::signature::is_signature;
use crate::rules::{Depth, holding, indexed_tag, missing_tags};

/// Repositories probed at once; the lanes bound the requests.
const AT_ONCE: usize = 64;
/// Releases looked at before anything else is asked.
const SLICE: usize = 300;
/// Missing versions of one repository that are looked at in one run; who tags thousands is looked at over several.
pub(crate) const MOST_MISSING: usize = 1_000;
/// Releases asked for in one call of the API adapter, which cuts it into queries.
const API_CHUNK: usize = 100;

/// One release to be looked at.
#[derive(Clone, Debug)]
struct Look {
    tag: String,
    /// The stored URL of an indexed version's sums; `None` for a missing or a claimed version, whose names are tried.
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

/// The number of releases of a repository that are to be looked at.
pub(super) fn due(gather: &Gather<'_>, work: &Work) -> usize {
    if work.gated { 0 } else { looks(gather, work).len() }
}

/// The releases of a repository that are to be looked at and are not fresh.
fn looks(gather: &Gather<'_>, work: &Work) -> Vec<Look> {
    let facts = &work.stored.facts;
    let Some(tags) = facts.tags.known() else { return Vec::new() };
    let mut looks: Vec<Look> = Vec::new();
    for row in work.places.iter().map(|place| gather.row(*place)).filter(|row| row.kind() == Kind::Provider) {
        let has_keys =
            gather.depth == Depth::Sums && (gather.signatures || gather.session.has_keys(&row.address));
        let session = gather.session;
        let is_left_out = |tag: &str| {
            let now = gather.env.now().into();
            session.blacklist.find(&row.address, tag).is_some()
                // What is left out of the status costs no request.
                || holding(&session.decisions, &row.address, tag, now).is_some()
        };
        let missing = missing_tags(row.kind(), row.shape.version_list(), tags).into_iter();
        let claimed = tags.list.iter().filter(|tag| gather.is_claimed(&row.address, &tag.name));
        for tag in missing.filter(|tag| !is_left_out(&tag.name)).chain(claimed) {
            let signature = if has_keys { Wanted::Beside } else { Wanted::No };
            looks.push(Look { tag: tag.name.to_string(), url: None, signature });
        }
        if gather.depth == Depth::Sums {
            let Ok(entry) = gather.session.entry(row) else { continue };
            let versions = entry.as_provider().map(|entry| entry.versions.clone()).unwrap_or_default();
            let read =
                versions.into_iter().filter(|version| gather.reads_sums(&row.address, &version.version));
            looks.extend(read.filter_map(|version| {
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
    looks.retain(|look| match facts.releases.get(look.tag.as_str()) {
        None => true,
        Some(release) => {
            let has_info = !gather.env.remote.has_token() || gather.is_fresh(&release.info);
            let signature = facts.signatures.get(look.tag.as_str());
            !(has_info && look.has_files(gather, release) && look.has_signature(gather, release, signature))
        }
    });
    // The newest first: of too many the rest waits for the next run.
    looks.sort_by(|a, b| version::compare(&b.tag, &a.tag));
    let mut places = MOST_MISSING;
    looks.retain(|look| {
        let is_missing = look.url.is_none();
        let has_place = !is_missing || places > 0;
        places -= usize::from(is_missing && has_place);
        has_place
    });
    looks
}

impl Look {
    /// Returns true if sums and manifest need not be read again.
    fn has_files(&self, gather: &Gather<'_>, release: &ReleaseFacts) -> bool {
        let needs_manifest = self.url.is_none() && release.sums.known().is_some();
        gather.is_fresh(&release.sums) && (!needs_manifest || gather.is_fresh(&release.manifest))
    }

    fn has_signature(
        &self,
        gather: &Gather<'_>,
        release: &ReleaseFacts,
        signature: Option<&Observed<Box<[u8]>>>,
    ) -> bool {
        self.signature == Wanted::No
            || release.sums.known().is_none()
            || signature.is_some_and(|signature| gather.is_fresh(signature))
    }
}

/// Looks at everything that is due, and hands each repository on; `done` says whether it is known now how it stands.
pub(super) async fn probe_all(
    gather: &Gather<'_>,
    works: Vec<Work>,
    mut meter: Meter,
    keeper: &mut Keeper<'_>,
    mut done: impl FnMut(&Work) -> bool,
) -> Result<(), Cancelled> {
    meter.next(if gather.depth == Depth::Sums { Phase::Sums } else { Phase::Probing });
    // The looks of a work are listed when its turn comes, unless an earlier slice had no room for them.
    let mut waiting: VecDeque<(Work, Option<Vec<Look>>)> =
        works.into_iter().map(|work| (work, None)).collect();
    while !waiting.is_empty() {
        // A slice is read to its end and kept before the next one is asked about: a kill loses one slice.
        let (mut slice, mut later, mut places) = (Vec::new(), Vec::new(), SLICE);
        while places > 0 {
            let Some((work, looks)) = waiting.pop_front() else { break };
            let mut looks = looks.unwrap_or_else(|| self::looks(gather, &work));
            later = looks.split_off(looks.len().min(places));
            places -= looks.len();
            slice.push((work, looks));
        }
        let last = slice.last().map(|(work, _)| work.repository.key());
        read_infos(gather, &mut slice).await?;
        let read = |(work, looks)| probe(gather, work, looks);
        fan(gather.context, slice, AT_ONCE, read, |work| {
            keeper.keep(&work, &gather.rows(&work));
            if !later.is_empty() && Some(work.repository.key()) == last {
                waiting.push_front((work, Some(std::mem::take(&mut later))));
                return;
            }
            let is_known = done(&work);
            gather.context.progress(meter.count(!is_known, &gather.env.remote));
        })
        .await?;
        keeper.flush();
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
        let signed = work.stored.facts.signatures.get(look.tag.as_str()).cloned();
        let (repository, name) = (&work.repository, name.as_str());
        async move {
            let has_files = look.has_files(gather, &before);
            // The two go together: a signature of yesterday says nothing about the sums of today.
            let signed = signed.filter(|_| has_files);
            let facts = match &look.url {
                _ if has_files => believed_again(before, repository, name, &look),
                Some(url) => read_stored(gather.env, url, before).await,
                None => read_release(gather.env, repository, name, &look.tag, before.info).await,
            };
            let signature = match signed {
                Some(signed) if look.has_signature(gather, &facts, Some(&signed)) => signed,
                _ => read_signature(gather.env, &look.signature, &facts).await,
            };
            (look.tag, (facts, signature))
        }
    });
    let found: HashMap<String, Read> = join_all(reads).await.into_iter().collect();
    for (tag, (facts, signature)) in found {
        if signature == Observed::Unasked {
            work.stored.facts.signatures.remove(tag.as_str());
        } else {
            work.stored.facts.signatures.insert(tag.as_str().into(), signature);
        }
        work.stored.facts.releases.insert(tag.into(), facts);
    }
    work.was_read = true;
    work
}

/// Combines the facts that were read before with the API's answer of now, which may list files that were not found.
fn believed_again(before: ReleaseFacts, repository: &Repository, name: &str, look: &Look) -> ReleaseFacts {
    let ReleaseFacts { info, sums, manifest } = before;
    if let Some(url) = &look.url {
        return ReleaseFacts { sums: believed(sums, &info, &[file_of(url)]), info, manifest };
    }
    let names = Names::new(repository, name, &look.tag);
    let sums = believed(sums, &info, &names.files("SHA256SUMS"));
    let manifest = believed(manifest, &info, &names.files("manifest.json"));
    ReleaseFacts { info, sums, manifest }
}

async fn read_stored(env: &Env, url: &str, before: ReleaseFacts) -> ReleaseFacts {
    let sums = observed(env.remote.sums_at(url).await, env.now());
    let sums = vouched(sums, &before.info, lists_nothing);
    ReleaseFacts { sums: believed(sums, &before.info, &[file_of(url)]), ..before }
}

fn lists_nothing(sums: &Sums) -> bool {
    !anatomy::parse_sums(&sums.text).iter().any(|(_, sum)| anatomy::is_sum(sum))
}

/// The name of a release's file, out of its URL.
fn file_of(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or(url)
}

async fn read_signature(env: &Env, wanted: &Wanted, release: &ReleaseFacts) -> Observed<Box<[u8]>> {
    let Some(sums) = release.sums.known() else { return Observed::Unasked };
    let url = match wanted {
        Wanted::No => return Observed::Unasked,
        Wanted::Beside => format!("{}.sig", sums.url),
        Wanted::At(url) => url.clone(),
    };
    let read = env.remote.small_file(&url).await;
    let read = read.map(|bytes| Served::new(bytes.to_vec().into_boxed_slice(), &url, &bytes));
    let read = vouched(observed(read, env.now()), &release.info, |bytes| !is_signature(bytes));
    believed(read, &release.info, &[file_of(&url)])
}

/// Reads sums and manifest of one tag's release, the way the registry's tool names them. What the API has already told
/// saves the questions whose answer it implies, and says which 404 is none.
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
    let sums = vouched(sums, &info, lists_nothing);
    let sums = believed(sums, &info, &names.files("SHA256SUMS"));
    let manifest = match &sums {
        Observed::Known { .. } => {
            let manifest = observed(env.remote.manifest(release).await, env.now());
            let manifest = vouched(manifest, &info, |protocols| *protocols == Protocols::Invalid);
            believed(manifest, &info, &names.files("manifest.json"))
        }
        _ => Observed::Unasked,
    };
    ReleaseFacts { info, sums, manifest }
}

/// Only a release that was listed implies it. That the API knows no release may as well mean that it shows us none.
fn has_no_sums(info: &Observed<ReleaseInfo>, names: &Names) -> bool {
    match info {
        Observed::Known { value, .. } => {
            let expected = names.files("SHA256SUMS");
            !value.truncated
                && !value.assets.iter().any(|asset| expected.iter().any(|name| **name == *asset.name))
        }
        Observed::Absent { .. } | Observed::Unasked | Observed::Unknown { .. } => false,
    }
}
