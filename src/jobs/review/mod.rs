//! Reviews a pull request of the registry: what it claims, by the trees and the bytes of its commits, beside the same versions made
//! again from upstream on its merge base. Looks alone, and believes nothing that the pull request says of itself.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::jobs::context::Context;
use crate::jobs::propose::derive;
use crate::jobs::publish::failed;
use crate::jobs::pulls::missing;
use crate::jobs::session::Session;
use crate::jobs::survey::Gather;
use crate::jobs::{Env, Failure, FailureKind, JobEvent, Outcome, Scope, Summary, Unit};
use crate::registry::version::trim_v;
use crate::registry::{Address, Facts};
use crate::remote::{Error, PullRead};
use crate::rules::review::{
    BLACKLISTED, ChangedPath, Claim, Derived, Ground, Leaf, Result as Word, Review, ReviewedFile,
};
use crate::rules::{Depth, Finding, tag_version};
use crate::settings::Feature;

/// Which, and how closely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewPlan {
    pub(crate) number: u64,
    /// Every archive is downloaded and hashed.
    pub(crate) hashes: bool,
}

/// A folder's mode in a tree.
const FOLDER: u32 = 0o40_000;
/// More paths than any pull request of the registry has.
const MOST_PATHS: usize = 3_001;

pub(crate) async fn review(env: &Arc<Env>, context: &Context, plan: ReviewPlan) -> Outcome {
    match reviewed(env, context, plan).await {
        Ok(outcome) => outcome,
        Err(failure) => Outcome::Failed(failure),
    }
}

/// What one path is, and what is claimed of it if it is an entry.
struct Read {
    file: ReviewedFile,
    claim: Option<(Address, Claim)>,
}

async fn reviewed(env: &Arc<Env>, context: &Context, plan: ReviewPlan) -> Result<Outcome, Failure> {
    let stopped = || Ok(Outcome::Cancelled(Summary::default()));
    let upstream = |error: Error| failed(env, &error);
    let (remote, repository) = (&env.remote, &env.repository);
    let Ok(pull) = context.run(remote.whole_pull(repository, plan.number)).await else { return stopped() };
    let pull = match pull {
        Err(Error::NotFound { .. }) => return Err(missing(env, plan.number)),
        read => read.map_err(upstream)?,
    };
    let Ok(between) = context.run(remote.compare(repository, (&pull.base, &pull.head))).await else {
        return stopped();
    };
    let merge_base = between.map_err(upstream)?.merge_base;
    let mut review = Review {
        number: pull.number,
        title: pull.title.clone(),
        author: pull.author.clone(),
        opened: pull.opened,
        head: pull.head.clone(),
        merge_base: merge_base.clone(),
        result: Word::Unknown,
        files: Vec::new(),
        notes: Vec::new(),
    };
    let Ok(changed) = context.run(changed(env, &merge_base, &pull.head)).await else { return stopped() };
    let mut claims = Vec::new();
    for path in changed.map_err(upstream)? {
        let Ok(read) = context.run(read(env, &path, &merge_base, &pull.head)).await else {
            return stopped();
        };
        let Read { file, claim } = read;
        claims.extend(claim.map(|claim| (review.files.len(), claim)));
        review.files.push(file);
    }
    let outcome = derived(env, context, (plan, &pull), claims, &mut review).await?;
    review.judge();
    if matches!(outcome, Outcome::Done(_)) {
        context.send(JobEvent::Reviewed(Arc::new(review)));
    }
    Ok(outcome)
}

/// The paths that two commits have differently. Folders with the same id hold the same, and are not entered.
async fn changed(env: &Arc<Env>, base: &str, head: &str) -> Result<Vec<ChangedPath>, Error> {
    let mut all = Vec::new();
    let mut folders = vec![(String::new(), Some(base.to_owned()), Some(head.to_owned()))];
    while let Some((above, before, after)) = folders.pop() {
        let list = |id: Option<String>| async move {
            match id {
                Some(id) => env.remote.tree(&env.repository, &id).await,
                None => Ok(Vec::new()),
            }
        };
        let (before, after) = (list(before).await?, list(after).await?);
        let mut lines: BTreeMap<String, [Option<Leaf>; 2]> = BTreeMap::new();
        for (side, tree) in [before, after].into_iter().enumerate() {
            for (name, leaf) in tree {
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
async fn read(env: &Arc<Env>, changed: &ChangedPath, base: &str, head: &str) -> Read {
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
    if changed.before.is_none() {
        let why = "it is a new entry, and what the submission form would put into it was not made again";
        return done(Word::Unknown, why.to_owned());
    }
    let mut sides = Vec::new();
    for (side, at) in [("before it", base), ("at its head", head)] {
        let why = match env.remote.file_at(&env.repository, path, at).await {
            Ok(Some(bytes)) => {
                sides.push(bytes);
                continue;
            }
            Ok(None) => "what the tree names is not there".to_owned(),
            Err(error) => error.to_string(),
        };
        return done(Word::Unknown, format!("its bytes {side} could not be read: {why}"));
    }
    match Claim::read(address.kind(), &sides[0], &sides[1]) {
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

/// Makes the claimed versions again, and judges each file by them.
async fn derived(
    env: &Arc<Env>,
    context: &Context,
    (plan, pull): (ReviewPlan, &PullRead),
    claims: Vec<(usize, (Address, Claim))>,
    review: &mut Review,
) -> Result<Outcome, Failure> {
    let session = env.reload().await?;
    session.tell_notices(env, context);
    if let Some(error) = &session.blacklist_error {
        return Err(Failure::new(FailureKind::Data, format!("reviewing pull request #{}", plan.number))
            .cause(error.clone())
            .hint("Fix the file first: it says which versions are kept out."));
    }
    let addresses: Vec<Address> = claims.iter().map(|(_, (address, _))| address.clone()).collect();
    let session = session.with_new(addresses.iter().cloned());
    let places = session.select(&Scope::Addresses(addresses))?;
    let gather = Gather::new(env, &session, context, Depth::Versions, Duration::ZERO);
    let (facts, gathered) = gather.facts(&places).await;
    if gathered.cancelled {
        return Ok(Outcome::Cancelled(gathered.summary));
    }
    let of_address: HashMap<&Address, usize> =
        places.iter().map(|place| (&session.catalog.rows[*place].address, *place)).collect();
    for (at, (address, claim)) in claims {
        let facts = of_address.get(&address).and_then(|place| facts.get(place).cloned()).unwrap_or_default();
        let run = context.run(made(env, &session, plan, (&address, &claim), &facts)).await;
        let Ok(derived) = run else { return Ok(Outcome::Cancelled(gathered.summary)) };
        let judged = claim.judge(&derived, pull.opened);
        let file = &mut review.files[at];
        (file.result, file.points) = (judged.word, judged.points);
    }
    let summary = Summary { unit: Unit::File, entries: review.files.len() as u64, ..Summary::default() };
    Ok(Outcome::Done(summary))
}

async fn made(
    env: &Arc<Env>,
    session: &Session,
    plan: ReviewPlan,
    (address, claim): (&Address, &Claim),
    facts: &Facts,
) -> Derived {
    let row = session.catalog.find(address).expect("it was selected");
    let versions = claim.versions();
    let known = (!plan.hashes).then_some(claim.entry());
    let (document, mut findings) = derive(env, session, row, claim.base(), (facts, &versions, known)).await;
    let mut published = BTreeMap::new();
    for (tag, release) in &facts.releases {
        let at = release.info.known().and_then(|info| info.published_at);
        if let (Some(version), Some(at)) = (tag_version(tag), at) {
            published.insert(trim_v(version).to_owned(), at);
        }
    }
    let listed = |version: &String| {
        let entry = session.blacklist.find(address, version)?;
        Some(Finding::error(BLACKLISTED, format!("it is on the blacklist: {}", entry.reason)).on(version))
    };
    findings.extend(versions.iter().filter_map(listed));
    // Archives are read for their h1: a format without it needs none.
    let hashed = plan.hashes && env.features.has(Feature::TargetHashes);
    Derived { document, findings, published, hashed }
}
