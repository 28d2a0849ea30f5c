//! Reviews a pull request of the registry: what it claims, by the trees and the bytes of its commits, beside the same versions made
//! again from upstream on its merge base. Looks alone, and believes nothing that the pull request says of itself.

mod around;
mod keys;
mod list;
mod objects;
mod reading;
mod signatures;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{Failure, FailureKind, JobEvent, ReviewPlan, Stop, Summary, Unit};
use crate::jobs::fan::fan;
use crate::jobs::propose::{Again, Remade, derive, predict, submit_again};
use crate::jobs::publish::{failed, own_verdicts, with_cause};
use crate::jobs::pulls::missing;
use crate::jobs::session::Session;
use crate::jobs::survey::Gather;
use crate::registry::version::trim_v;
use crate::registry::{Address, Blacklist, Facts, Kind, short_id};
use crate::remote::{Comparison, Error, PullRead};
use crate::rules::plain_text::visible;
use crate::rules::review::{
    BLACKLISTED, Claim, Derived, Digests, FileDifferences, Judged, Point, Predicted, PullContext,
    PullDifferences, Result as Word, Review, ReviewedFile, has_room, left_out, tree,
};
use crate::rules::sending::Prediction;
use crate::rules::twins::{self, Twin};
use crate::rules::{Depth, Finding, submission, tag_version, warning};
use crate::settings::Features;

use keys::Wanted;
use objects::{MOST_BYTES, MOST_LISTED_BYTES, Objects, Room};
use reading::{Claims, Read, changed, moved, read};

pub(crate) use list::list;

/// The depth of a review.
#[derive(Clone, Copy, Debug)]
struct How {
    /// Every archive is downloaded and hashed.
    hashes: bool,
    /// True if the result of the required check is predicted too, as for a review that is opened alone.
    predicts: bool,
}

/// The branch that the registry is served from (`registry.md`).
const SERVED: &str = "main";
/// Merges in one pull request that are looked at, each with a request.
const MOST_JOINS: usize = 8;
/// Pull requests that are read at the same time, or made again.
const AT_ONCE: usize = 8;

/// The most versions of a provider whose checksums are read again to predict the required check. It bounds the wait for a look.
const MOST_READ: usize = 100;
/// The bytes of all files that are no data files; their lines are shown, and nothing rests on them.
const MOST_BESIDE_BYTES: u64 = 4 << 20;

/// Opens the registry as it is now, for all reviews of a run.
async fn ready(env: &Arc<Env>, context: &Context) -> Result<Arc<Session>, Failure> {
    let session = env.reload().await?;
    session.tell_notices(env, context);
    context.send(JobEvent::OwnVerdicts(own_verdicts(env)));
    match &session.blacklist_error {
        Some(error) => Err(Failure::new(FailureKind::Data, "reviewing pull requests")
            .cause(error.clone())
            .hint("Fix the file first: it says which versions are kept out.")),
        None => Ok(session),
    }
}

pub(crate) async fn review(env: &Arc<Env>, context: &Context, plan: ReviewPlan) -> Result<Summary, Stop> {
    let before = env.remote.counts().total();
    let end = reviewed(env, context, plan).await.map(|(review, files, summary)| {
        context.send(JobEvent::Differences(Arc::new(PullDifferences::new(&review, files))));
        context.send(JobEvent::Reviewed(Arc::new(review)));
        summary
    });
    env.counted(&before, with_cause(env, end).await)
}

/// Reviews a pull request, with both differences of its files, for the review job and for one that submits a verdict.
pub(crate) async fn reviewed(
    env: &Arc<Env>,
    context: &Context,
    plan: ReviewPlan,
) -> Result<(Review, Vec<FileDifferences>, Summary), Stop> {
    let session = ready(env, context).await?;
    let pull = match context.run(env.remote.whole_pull(&env.repository, plan.number)).await? {
        Err(Error::NotFound { .. }) => return Err(missing(env, plan.number, "review").into()),
        read => read.map_err(|error| failed(env, &error))?,
    };
    let mut judged = None;
    let how = How { hashes: plan.hashes, predicts: true };
    let pulls = [pull];
    judge(env, context, &session, how, &pulls, |_, review| judged = Some(review)).await?;
    let (mut review, files) = judged.ok_or(Cancelled)?.map_err(|error| failed(env, &error))?;
    around::read(env, context, &mut review).await?;
    // What is merged is in it.
    if pulls[0].merged.is_none() {
        context.run(Box::pin(still_stands(env, &session, &mut review))).await?;
    }
    let summary = Summary { unit: Unit::File, entries: review.files.len() as u64, ..Summary::default() };
    Ok((review, files, summary))
}

/// Archives take minutes, and the registry's automation commits every quarter of an hour: what a review rests on is looked at again
/// at its end.
async fn still_stands(env: &Arc<Env>, session: &Arc<Session>, review: &mut Review) {
    if review.stands_on.is_empty() {
        return;
    }
    let objects = &Objects::new(env, session, Room::new(MOST_BYTES, "what its branch has by now"));
    let (then, branch) = (review.stands_on.clone(), visible(&review.pull.base).into_owned());
    let now = objects.root(&review.pull.base).await;
    for at in 0..review.files.len() {
        let moved = match &now {
            Ok(now) if *now == then => return,
            Ok(now) => moved(objects, [&then, now], &review.files[at].path).await,
            Err(error) => Err(error.clone()),
        };
        match moved {
            Ok(None) => {}
            Ok(Some(path)) => review
                .no_longer(at, format!("`{branch}` has another `{path}` since it was read: review it again")),
            Err(error) => {
                let why = error.cause();
                review.no_longer(at, format!("what `{branch}` has by now could not be read: {why}"));
            }
        }
    }
}

/// A pull request whose claims are read: what is judged already, and the claims on the files that are not.
struct Claimed<'p> {
    pull: &'p PullRead,
    review: Review,
    /// By the place of the file.
    claims: Vec<(usize, Claims)>,
    /// The blacklist of its branch now, and the proposed one.
    blacklists: [Blacklist; 2],
    digests: Digests,
    /// One for each file, if they are wanted.
    differences: Vec<FileDifferences>,
}

impl Claimed<'_> {
    fn entries(&self) -> impl Iterator<Item = (&Address, &Claim)> {
        self.claims.iter().filter_map(|(_, claim)| match claim {
            Claims::Entry(address, claim) => Some((address, &**claim)),
            Claims::Key(_) => None,
        })
    }

    fn keys(&self) -> impl Iterator<Item = Wanted<'_>> {
        self.claims.iter().filter_map(|(_, claim)| match claim {
            Claims::Entry(..) => None,
            Claims::Key(claim) => {
                Some(Wanted { root: &self.review.stands_on, branch: &self.review.pull.base, claim })
            }
        })
    }
}

/// Makes pull requests again, and passes on each as it is judged. The error is that of a source that all of them need; a source
/// of one file is that file's finding.
async fn judge(
    env: &Arc<Env>,
    context: &Context,
    session: &Arc<Session>,
    how: How,
    pulls: &[PullRead],
    mut done: impl FnMut(&PullRead, Result<(Review, Vec<FileDifferences>), Error>),
) -> Result<(), Cancelled> {
    let mut waiting: Vec<Claimed<'_>> = Vec::new();
    let of = if how.predicts { "what it changes" } else { "what all that are open change" };
    let objects = &Objects::new(env, session, Room::new(MOST_BYTES, of));
    let read = |pull| async move { (pull, Box::pin(claimed(env, objects, how, pull)).await) };
    fan(context, pulls, AT_ONCE, read, |(pull, read)| match read {
        Ok(Claimed { mut review, claims, digests, differences, .. }) if claims.is_empty() => {
            review.around = how.predicts.then(PullContext::default);
            let review = review.judged().evidenced(pull.body.as_deref(), &digests, made_by(env));
            done(pull, Ok((review, differences)));
        }
        Ok(claimed) => waiting.push(claimed),
        Err(error) => done(pull, Err(error)),
    })
    .await?;
    if waiting.is_empty() {
        return Ok(());
    }
    let signed =
        Box::pin(keys::signed(objects, context, how, waiting.iter().flat_map(Claimed::keys))).await?;
    let addresses = || waiting.iter().flat_map(Claimed::entries).map(|(address, _)| address);
    let session = session.with_new(addresses().cloned());
    let places: BTreeSet<usize> = addresses().filter_map(|address| session.catalog.place(address)).collect();
    let mut discovered: HashMap<Address, HashSet<String>> = HashMap::new();
    for (address, claim) in waiting.iter().flat_map(Claimed::entries) {
        let versions = claim.discovered().map(|(version, _)| trim_v(version).to_owned());
        discovered.entry(address.clone()).or_default().extend(versions);
    }
    let gather =
        Gather::new(env, &session, context, Depth::Versions, Duration::ZERO).with_claimed(&discovered);
    let (facts, gathered) = gather.facts(&places.into_iter().collect::<Vec<_>>()).await;
    if gathered.cancelled {
        return Err(Cancelled);
    }
    let upstream = Upstream { objects, session: &session, facts, signed };
    let derive = |claimed| derived(env, how, &upstream, claimed);
    fan(context, waiting, AT_ONCE, derive, |(pull, review, lines)| done(pull, Ok((review, lines)))).await
}

/// The commits of a pull request, and what each path that they have differently is.
async fn claimed<'p>(
    env: &Arc<Env>,
    objects: &Objects<'_>,
    how: How,
    pull: &'p PullRead,
) -> Result<Claimed<'p>, Error> {
    let own = if how.predicts {
        Room::new(MOST_BYTES, "what it changes")
    } else {
        Room::new(MOST_LISTED_BYTES, "what it changes, read in a list,")
    };
    let of = &pull.listing;
    let unread = |merge_base: String, why: String| {
        let review = Review { merge_base, ..Review::unread(of.clone(), why) };
        let (blacklists, digests) = (Default::default(), Digests::new());
        Ok(Claimed { pull, review, claims: Vec::new(), blacklists, digests, differences: Vec::new() })
    };
    let compared = match env.remote.compare(&env.repository, (&of.base, &of.head)).await {
        Err(Error::NotFound { status }) => {
            let (head, base) = (short_id(&of.head), visible(&of.base));
            let why = format!(
                "its head {head} and `{base}` have no commit in common, or GitHub has one of them no longer (HTTP {status})"
            );
            return unread(String::new(), why);
        }
        compared => compared?,
    };
    let differing = async {
        meets_once(env, &compared).await?;
        let sides = objects.roots(&compared, &of.head).await?;
        let paths = changed(|id| async move { objects.tree(&id).await }, sides).await?;
        for path in &paths {
            let rooms = [&own, &objects.room];
            rooms
                .into_iter()
                .try_for_each(|room| room.take_path(&path.path))
                .map_err(|why| env.remote.unreadable(why))?;
        }
        Ok(paths)
    };
    let paths = match differing.await {
        // A limit, which is the same the next time.
        Err(Error::Protocol(why)) => {
            return unread(compared.merge_base, why.into());
        }
        paths => paths?,
    };
    let merge_base = compared.merge_base;
    let root = match compared.first_tree {
        Some(root) => root,
        None => objects.root(&of.base).await?,
    };
    let by_now = objects.blacklist(&root, &of.base).await?;
    let (mut files, mut claims, mut blacklist, mut digests) = (Vec::new(), Vec::new(), None, Digests::new());
    let mut differences = Vec::new();
    let beside = Room::new(MOST_BESIDE_BYTES, "what it changes beside data files");
    for path in paths {
        let has_room = has_room(&differences);
        let lines_room = (how.predicts && has_room).then_some(&beside);
        let Read { file, claim, blacklist: listed, digests: sides, differences: lines } =
            read(objects, &path, (&merge_base, &root), (pull, &own, lines_room)).await;
        if how.predicts {
            let why = match file.points.first() {
                _ if !has_room => left_out(),
                Some(point) => point.to_string(),
                None => "its lines were not read".to_owned(),
            };
            differences.push(lines.unwrap_or_else(|| FileDifferences::without(&file.path, &why)));
        }
        claims.extend(claim.map(|claim| (files.len(), claim)));
        blacklist = blacklist.or(listed);
        digests.extend(sides.map(|sides| (path.path.clone(), sides)));
        files.push(file);
    }
    twins(&mut files, &mut claims);
    let (result, around) = (Word::Unknown, None);
    let notes: Vec<String> = (of.base != SERVED)
        .then(|| {
            format!(
                "it is for the branch `{}`, and the registry is served from `{SERVED}`",
                visible(&of.base)
            )
        })
        .into_iter()
        .collect();
    let review = Review { pull: of.clone(), merge_base, result, files, notes, around, stands_on: root };
    let would_be = blacklist.unwrap_or_else(|| by_now.clone());
    Ok(Claimed { pull, review, claims, blacklists: [by_now, would_be], digests, differences })
}

/// The registry's form takes a repository once, and a key; each of two would be held against a registry without the other.
fn twins(files: &mut [ReviewedFile], claims: &mut Vec<(usize, Claims)>) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    claims.retain(|(at, claim)| {
        let one = match claim {
            Claims::Entry(_, claim) if !claim.is_new() => return true,
            Claims::Entry(address, _) => address.repository().key(),
            // By whom it speaks for: the folder that it is in.
            Claims::Key(claim) => {
                format!("{}:{}", tree::split(&files[*at].path).0, claim.key().fingerprint())
            }
        };
        let first = *seen.entry(one).or_insert(*at);
        if first == *at {
            return true;
        }
        let what = if matches!(claim, Claims::Key(_)) { "key" } else { "repository" };
        let text = format!("it brings the same {what} in {} too", files[first].path);
        let point = Point::new(text, format!("brings the same {what} twice"));
        files[*at].found(Judged::new(Word::Refused, vec![point]));
        false
    });
}

/// That its commits have one newest commit in common with its branch. With two, what differs is not what merging it does: it can
/// take what came between them back, as `git merge-base --all` shows, which GitHub does not tell.
async fn meets_once(env: &Env, compared: &Comparison) -> Result<(), Error> {
    if !compared.has_all_commits {
        return Err(Error::unreadable("it has more commits than GitHub lists"));
    }
    if compared.joins.len() > MOST_JOINS {
        let why = format!("it takes the registry's branch in more than {MOST_JOINS} times");
        return Err(env.remote.unreadable(why));
    }
    for join in &compared.joins {
        if !env.remote.compare(&env.repository, (join, &compared.merge_base)).await?.is_ahead {
            let why = "its branch meets the registry's in more than one place, so that merging it does more than its difference says";
            return Err(Error::unreadable(why));
        }
    }
    Ok(())
}

/// The version and the features of this program, for the evidence.
fn made_by(env: &Env) -> (&'static str, Features) {
    (env!("CARGO_PKG_VERSION"), env.features)
}

/// The data that claims are checked against.
struct Upstream<'a> {
    objects: &'a Objects<'a>,
    /// With the entries that are claimed to be new.
    session: &'a Session,
    /// By the places in it.
    facts: HashMap<usize, Arc<Facts>>,
    signed: keys::Signed,
}

/// Makes what is claimed again, and judges each file by it.
async fn derived<'p>(
    env: &Arc<Env>,
    how: How,
    upstream: &Upstream<'_>,
    claimed: Claimed<'p>,
) -> (&'p PullRead, Review, Vec<FileDifferences>) {
    let Claimed { pull, mut review, claims, blacklists: [by_now, would_be], digests, mut differences } =
        claimed;
    let (mut predicted, mut signed) = (Vec::new(), Vec::new());
    for (at, claim) in claims {
        let file = &mut review.files[at];
        let (address, claim) = match claim {
            Claims::Entry(address, claim) => (address, claim),
            Claims::Key(claim) => {
                review.notes.extend(claim.clock_note().map(|note| format!("{}: {note}", file.path)));
                file.found(upstream.signed.judge(
                    env,
                    Wanted { root: &review.stands_on, branch: &review.pull.base, claim: &claim },
                ));
                continue;
            }
        };
        let session = upstream.session;
        let facts = session.catalog.place(&address).and_then(|place| upstream.facts.get(&place));
        let facts = facts.cloned().unwrap_or_default();
        let (derived, mut warnings) =
            made(env, session, (how.hashes, review.pull.opened, &by_now), (&address, &claim), &facts).await;
        let (base, head) = (claim.base().0, claim.head().0);
        warnings.extend(twins::of_change(address.kind(), base, head).iter().map(Twin::finding));
        let notes = warnings.iter().filter_map(|warning| {
            let version = warning.version.as_ref()?;
            Some(visible(&format!("{address}: {version}: {}", warning.text)).into_owned())
        });
        review.notes.extend(notes);
        if has_room(&differences)
            && let Some(lines) = differences.get_mut(at)
        {
            (lines.change, lines.upstream) = (Ok(claim.change()), claim.against_upstream(&derived));
        }
        file.found(claim.judge(&derived, review.pull.opened));
        file.lacks_hashes = claim.has_archives() && !derived.hashed;
        if matches!(file.result, Word::Differs | Word::Refused) {
            file.lines = claim.lines(&derived);
        }
        let mut notes = claim.notes(&address, facts.tags.known(), &would_be);
        notes.extend(claim.clock_notes(&derived.published, review.pull.opened));
        review.notes.extend(notes.into_iter().map(|note| format!("{address}: {note}")));
        if how.predicts {
            let (branch, most) =
                ((&*review.stands_on, &*review.pull.base), if how.hashes { usize::MAX } else { MOST_READ });
            signed.extend(
                signatures::read(env, upstream.objects, branch, (&address, &claim, &derived), most).await,
            );
            let versions = claim.versions();
            let touched: Vec<&str> = versions.iter().map(String::as_str).collect();
            let row = session.catalog.find(&address).expect("it was selected");
            let many = claim.entry().as_provider().map_or(0, |entry| entry.versions.len());
            let prediction = if many > MOST_READ && !how.hashes {
                let why = format!("all of its {many} versions would be read again; --hash does that");
                Prediction::Unknown(why)
            } else {
                predict(env, session, row, (&facts, false), claim.head(), (&touched, None)).await
            };
            predicted.push(Predicted::new(&file.path, &prediction));
        }
    }
    review.around = how.predicts.then(|| PullContext { predicted, signed, ..PullContext::default() });
    (pull, review.judged().evidenced(pull.body.as_deref(), &digests, made_by(env)), differences)
}

async fn made(
    env: &Arc<Env>,
    session: &Session,
    (hashes, opened, blacklist): (bool, Timestamp, &Blacklist),
    (address, claim): (&Address, &Claim),
    facts: &Facts,
) -> (Derived, Vec<Finding>) {
    let row = session.catalog.find(address).expect("it was selected");
    let versions = claim.versions();
    let (mut published, mut undated) = (BTreeMap::new(), Vec::new());
    for (tag, release) in &facts.releases {
        let at = release.info.known().and_then(|info| info.published_at);
        let Some(version) = tag_version(tag) else { continue };
        if let Some(at) = at {
            published.insert(version.to_owned(), at);
        }
    }
    // What a new entry leaves out came later, or the form would have it. What has no checksums cannot be indexed, whenever it came; that
    // the API shows no release is not that there is none; and of a module's tag nobody says when it came.
    let tags = facts.tags.known().filter(|_| claim.is_new());
    for tag in tags.into_iter().flat_map(|tags| &tags.list) {
        let Some(version) = tag_version(&tag.name).filter(|version| !claim.has(version)) else { continue };
        let has_none = facts.releases.get(&tag.name).is_some_and(|release| release.sums.is_absent());
        let is_known =
            has_none || published.contains_key(version) || blacklist.find(address, version).is_some();
        if !is_known {
            let stored = if address.kind() == Kind::Module { &*tag.name } else { version };
            undated.push(stored.to_owned());
        }
    }
    if address.kind() == Kind::Provider {
        let discovered = claim.discovered().map(|(version, _)| version);
        undated.extend(discovered.filter(|one| !published.contains_key(trim_v(one))).map(str::to_owned));
    }
    let registered = claim.registered.as_ref();
    let again = Again { claimed: claim.entry(), facts, reads_archives: hashes, registered };
    let Remade { document, mut findings, warnings } = if claim.is_new() {
        // What came later the form could not know.
        let is_later = |version: &str| {
            !claim.has(version) && published.get(trim_v(version)).is_none_or(|at| *at > opened)
        };
        let mut made = submit_again(env, session, row, again, &is_later).await;
        let misnamed = submission::is_named_so(address).err();
        made.findings.extend(misnamed.map(|why| Finding::error("rejected-name", why)));
        made
    } else {
        derive(env, session, row, claim.base(), (&versions, again)).await
    };
    let listed = |version: &String| {
        let entry = blacklist.find(address, version)?;
        Some(Finding::error(BLACKLISTED, format!("it is on the blacklist: {}", entry.reason)).on(version))
    };
    findings.extend(versions.iter().filter_map(listed));
    let is_served = |address: &Address| warning::is_served(&session.catalog, address);
    let texts = claim.entry().as_provider().map(|entry| entry.warnings.as_slice()).unwrap_or_default();
    let named = texts.iter().flat_map(|text| warning::named(text, address, &is_served)).collect();
    (Derived { document, findings, published, undated, hashed: hashes, named }, warnings)
}
