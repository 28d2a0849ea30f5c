//! Prepares writes to GitHub and sends them: a pull request of the plan, a verdict on a pull request of another author
//! (`verdict`), or a run on GitHub's machines (`actions`). The files of a pull request are built again from upstream on the
//! registry's real base, and checked against the nine gates.
//!
//! Preparing only reads: its result is a [`Sending`], and nothing is sent at that point. The base is the head of the default
//! branch as the API has it, with its blacklist and its keys, since a checkout may be old or changed.

mod actions;
mod base;
mod blacklist;
mod hashes;
mod journal;
mod send;
mod verdict;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{
    Failure, FailureKind, JobEvent, PlannedPull, Prepared, Scope, Stop, Subject, Summary, TRIES_SERVERS,
};
use crate::jobs::plan::StoredPlan;
use crate::jobs::propose::{Proposed, predict, propose_on};
use crate::jobs::publish::base::Base;
use crate::jobs::session::{Reading, Session};
use crate::jobs::survey::{Gather, finish, stop};
use crate::registry::{Address, Entry, Facts, ProviderEntry, Repository};
use crate::remote::{Error, ListedPull};
use crate::rules::client::refusal;
use crate::rules::diff::Lines;
use crate::rules::edit::{Edit, twins};
use crate::rules::plain_text::{shell_word, visible};
use crate::rules::plan::{
    Answer, FileState, Kept, Marks, Part, Piece, Plan, PlannedFile, Remark, carry_over,
};
use crate::rules::policy::Permit;
use crate::rules::review::TOLERATED;
use crate::rules::sending::{
    Author, BranchRead, CommittedFile, Competitor, Course, Evidence, Gate, HashesRead, Limits, Otherwise,
    Patch, Prediction, PullPlan, PullText, Purpose, Reason, Sending, SentFile, SentVersion, branch_of,
    versions_of,
};
use crate::rules::submission::NewKey;
use crate::rules::watch::TWO_APPROVALS;
use crate::rules::{Depth, Finding, Mode, diff, go_form, lint, warning};
use crate::settings::Features;

pub(crate) use hashes::vouched;
pub(crate) use journal::{forget_taken_back, half_done, own_verdicts};
pub(crate) use send::send;

pub(crate) async fn prepare(env: &Arc<Env>, context: &Context, purpose: Purpose) -> Result<Summary, Stop> {
    let before = env.remote.counts().total();
    let end = prepared(env, context, &purpose, None).await.map(|(prepared, summary)| {
        context.send(JobEvent::Prepared(Arc::new(prepared)));
        summary
    });
    env.counted(&before, with_cause(env, end).await)
}

/// Prepares the write, without sending it. `half_done`: the sending that was cut off and is continued.
async fn prepared(
    env: &Arc<Env>,
    context: &Context,
    purpose: &Purpose,
    half_done: Option<&Course>,
) -> Result<(Prepared, Summary), Stop> {
    match purpose {
        Purpose::Pull(plan) => Box::pin(planned(env, context, plan, half_done)).await,
        Purpose::Verdict(plan) => Box::pin(verdict::prepared(env, context, plan)).await,
        Purpose::Actions(plan) => {
            let before = |digest: &str| journal::dispatched_before(env, digest, half_done);
            Box::pin(actions::prepared(env, context, plan, before)).await
        }
    }
}

/// The stored versions of the files that a plan would send.
type KeptFiles = HashMap<Address, (Kept, Marks)>;

/// One planned file, built again.
struct Rebuilt {
    address: Address,
    base: Vec<u8>,
    /// As it is with the marks that still mean something.
    file: PlannedFile,
    outcome: Vec<u8>,
    entry: Entry,
    differences: String,
    facts: Arc<Facts>,
    /// It differs on the base from what it was planned on.
    moved: bool,
    /// Why it is not what was planned, or would not stay so.
    otherwise: Option<Otherwise>,
    prediction: Prediction,
}

/// A pull request of the plan.
async fn planned(
    env: &Arc<Env>,
    context: &Context,
    pull: &PullPlan,
    half_done: Option<&Course>,
) -> Result<(Prepared, Summary), Stop> {
    let session = env.reload().await?;
    session.tell_notices(env, context);
    let kept = read_plan(env, &session, context, (pull, half_done))?;
    let new = kept.iter().filter(|(_, (kept, _))| kept.mode.is_submission());
    let session = session.with_new(new.map(|(address, _)| address.clone()));
    let addresses: Vec<Address> = kept.keys().cloned().collect();
    let places = session.select(&Scope::Addresses(addresses))?;
    let upstream = |error: Error| failed(env, &error);
    let owner = env.remote.owner().await.map_err(upstream)?;
    let base = Base::read(env, &session).await?;
    let gather = Gather::new(env, &session, context, Depth::Versions, Duration::ZERO);
    let (mut facts, gathered) = gather.facts(&places).await;
    if gathered.cancelled || gathered.failure.is_some() {
        return Err(stop(env, gathered));
    }
    let cancelled = |_: Cancelled| Stop::Cancelled(gathered.summary.clone());
    let mut rebuilt = Vec::with_capacity(places.len());
    for place in places {
        let row = &session.catalog.rows[place];
        let (Some(facts), Some((kept, marks))) = (facts.remove(&place), kept.get(&row.address)) else {
            return Err(trouble(&row.path(), "upstream was not asked about it".to_owned()).into());
        };
        let file = context.run(rebuild(env, &session, &base, (place, kept, marks), facts)).await;
        rebuilt.push(file.map_err(cancelled)??);
    }
    let ready = context.run(ready(env, &session, &base, &owner, (pull, half_done), rebuilt)).await;
    Ok((ready.map_err(cancelled)??, finish(env, gathered)?))
}

/// Reads the stored files that the named plan would send. It reads them once, so that exactly what was named is built.
fn read_plan(
    env: &Env,
    session: &Session,
    context: &Context,
    (pull, half_done): (&PullPlan, Option<&Course>),
) -> Result<KeptFiles, Failure> {
    let stored = StoredPlan::new(env, session);
    let (listed, unreadable) = stored.plan()?;
    for why in unreadable {
        context.send(JobEvent::Note(why));
    }
    let doing = "making the pull request ready";
    let (mut kept_files, mut files) = (KeptFiles::new(), Vec::new());
    for listed in listed.files {
        // Who has dropped it meanwhile has made another plan of it.
        let Some((kept, marks)) = stored.kept(&listed.address)? else { continue };
        // What is in the plan besides is of no concern to what was cut off; that its files are the same is looked at after all.
        let is_besides = |course: &Course| kept.blocks.is_empty() && !course.sending.commits(&listed.path);
        if half_done.is_some_and(is_besides) {
            continue;
        }
        let file = stored.read(&kept, &marks).map_err(|why| trouble(&listed.path, why))?;
        if file.may_be_sent() {
            kept_files.insert(file.address.clone(), (kept, marks));
        } else {
            context.send(JobEvent::Note(format!("`{}` is not in it: {}", file.address, file.next_step())));
        }
        files.push(file);
    }
    let name = Plan::new(files).name();
    if name.is_empty() {
        return Err(Failure::new(FailureKind::Conflict, doing)
            .cause("nothing of the plan would be sent")
            .hint("Run `bumpdesk plan show`: it says what each file waits for."));
    }
    if name != pull.plan && half_done.is_none() {
        return Err(Failure::new(FailureKind::Conflict, doing)
            .cause(format!("the plan is {name} now, not {}: it changed since", pull.plan))
            .hint(format!("Look at it with `bumpdesk plan show`, then name it: `--plan {name}`.")));
    }
    if let Some(letter) = pull.letter {
        kept_files.retain(|address, (kept, _)| sent_with(session, address, &kept.mode) == letter);
        if kept_files.is_empty() {
            return Err(Failure::new(FailureKind::Usage, doing)
                .cause(format!("no file of the plan is sent with the letter `{letter}`"))
                .hint("Name the letter that the namespaces begin with; what is removed from hashicorp and opentofu goes with `h`."));
        }
    }
    Ok(kept_files)
}

/// The letter that a file is sent with. Blacklist entries of an edit apply to all entries of a repository, so those are sent
/// together, with the letter of the first.
fn sent_with(session: &Session, address: &Address, mode: &Mode) -> char {
    match mode {
        Mode::Edit(Edit::Remove(..) | Edit::Block(..)) => {
            let twins = twins(address, &|twin| session.catalog.find(twin).is_some());
            twins.first().map_or_else(|| address.shard(), Address::shard)
        }
        _ => address.shard(),
    }
}

/// Builds one file on the base, as upstream is now.
async fn rebuild(
    env: &Arc<Env>,
    session: &Session,
    base: &Base,
    (place, kept, marks): (usize, &Kept, &Marks),
    facts: Arc<Facts>,
) -> Result<Rebuilt, Failure> {
    let row = &session.catalog.rows[place];
    let old = if kept.mode.is_submission() {
        base.is_without(env, &row.path()).await?;
        session.reading(row).map_err(|error| trouble(&row.path(), error))?
    } else {
        let bytes = base.file(env, &row.path()).await?;
        let (document, entry) =
            Entry::read(row.kind(), &bytes).map_err(|error| trouble(&row.path(), error))?;
        Reading { bytes, document, entry }
    };
    let bytes = old.bytes.clone();
    let Proposed { proposal, old, new, blocks, .. } =
        propose_on(env, session, row, old, &facts, &kept.mode).await?;
    let unread = proposal.findings.iter().find(|finding| finding.is_obstacle());
    // A deleted file has no timestamps.
    let new = if kept.proposed.is_empty() {
        new
    } else {
        let earlier = Entry::read(row.kind(), &kept.proposed).map_err(|error| trouble(&row.path(), error))?;
        carry_over(&old.document, &earlier.0, &new)
    };
    let proposed = kept.mode.bytes(&new);
    let again = Kept {
        base: bytes.clone(),
        proposed,
        blocks,
        // A plan from an older bumpdesk has no warnings, and upstream may have changed since then.
        remarks: proposal.findings.iter().map(Remark::from).collect(),
        ..kept.clone()
    };
    let read = |kept: &Kept| {
        PlannedFile::read(kept, marks, Some(&kept.base), env.features)
            .map_err(|error| trouble(&row.path(), error))
    };
    let (planned, file) = (read(kept)?, read(&again)?);
    let moved = bytes != kept.base;
    // On another base the file is another one; what was approved are its changes, and all of them are to be there again.
    let has_again = |wanted: &Piece| {
        file.pieces.iter().any(|piece| piece.id == wanted.id && piece.mark.answer == wanted.mark.answer)
    };
    let is_same = if moved {
        file.state == planned.state && planned.pieces.iter().all(has_again)
    } else {
        file.outcome_digest == planned.outcome_digest && file.blocks() == planned.blocks()
    };
    let outcome = file.outcome(&again, env.features).map_err(|error| trouble(&row.path(), error))?;
    let is_deleted = outcome.is_empty();
    let (new, entry) = if is_deleted {
        Entry::new_file(row.kind())
    } else {
        Entry::read(row.kind(), &outcome).map_err(|error| trouble(&row.path(), error))?
    };
    let is_sent = outcome != bytes;
    // What was left out of the plan, and is left out again, changes nothing of what is sent.
    let otherwise = match unread.filter(|finding| !is_same || finding.version.is_none()) {
        Some(finding) => Some(Otherwise::of(format!("{}: {}", row.address, finding.text), moved)),
        None if is_sent && !is_deleted && !go_form::is_kept(row.kind(), env.features, &new) => {
            Some(Otherwise::rewritten(&row.address))
        }
        None if is_same => None,
        None => Some(Otherwise::of(format!("{}: upstream gives another result now", row.address), moved)),
    };
    let difference = diff::compare(row.kind(), &old.document, &new);
    let lines = Lines::of(row.kind(), (&old.document, bytes.clone()), (&new, outcome.clone()), &difference);
    let touched: Vec<String> = versions_of(&file, &entry).into_iter().map(|sent| sent.version).collect();
    let touched: Vec<&str> = touched.iter().map(String::as_str).collect();
    // The check looks at files that change.
    let prediction = if is_deleted {
        Prediction::Fails(vec![Reason::Deleted])
    } else if is_sent {
        let touched = (&*touched, kept.mode.edit());
        predict(env, session, row, (&facts, true), (&new, &entry), touched).await
    } else {
        Prediction::Passes
    };
    Ok(Rebuilt {
        address: row.address.clone(),
        base: bytes,
        differences: lines.unified(&row.path(), diff::CONTEXT_LINES),
        file,
        outcome,
        entry,
        facts,
        moved,
        otherwise,
        prediction,
    })
}

/// Holds everything against the gates, and writes the requests.
async fn ready(
    env: &Arc<Env>,
    session: &Session,
    base: &Base,
    author: &Author,
    (pull, half_done): (&PullPlan, Option<&Course>),
    mut rebuilt: Vec<Rebuilt>,
) -> Result<Prepared, Failure> {
    rebuilt.sort_by(|a, b| a.file.path.cmp(&b.file.path));
    let mut files = Vec::with_capacity(rebuilt.len());
    let mut read = HashesRead::default();
    for one in &rebuilt {
        let mut versions = versions_of(&one.file, &one.entry);
        hashes::check(env, session, base, one, (&mut versions, &mut read)).await?;
        files.push(SentFile {
            address: one.address.clone(),
            path: one.file.path.clone(),
            base_digest: one.file.base_digest.clone(),
            outcome_digest: one.file.outcome_digest.clone(),
            versions,
            prediction: one.prediction.clone(),
            repeat: repeat(one, env.features),
            edit: one.file.mode.edit().cloned(),
        });
    }
    // Of what is sent, on the base that it is sent on: a checkout may be older.
    let sent = Plan::new(rebuilt.iter().map(|one| one.file.clone()).collect());
    let digest = sent.digest().unwrap_or_default();
    let listed = blacklist::change(base, &rebuilt)?;
    let sent_list = listed.as_ref().map(|listed| &listed.sent);
    let program = (env!("CARGO_PKG_VERSION"), env.features);
    let evidence = Evidence::new(program, (&digest, &base.at), &files, sent_list);
    let permits: Vec<&Permit> =
        files.iter().filter_map(|file| file.edit.as_ref().and_then(Edit::permit)).collect();
    let mut issues = pull.fixes.clone();
    issues.extend(permits.iter().map(|permit| permit.issue()));
    issues.sort_unstable();
    issues.dedup();
    let needs_two = (!permits.is_empty()).then(|| TWO_APPROVALS.to_owned());
    let is_asked = needs_two.as_ref().is_some_and(|label| pull.labels.contains(label));
    let text = PullText {
        draft: pull.draft || !permits.is_empty(),
        labels: pull.labels.iter().cloned().chain(needs_two.filter(|_| !is_asked)).collect(),
        reviewers: pull.reviewers.clone(),
        ..PullText::of(&files, &evidence, &base.branch, author, &issues)
    };
    let mut differences: Vec<String> = rebuilt.iter().map(|one| one.differences.clone()).collect();
    let mut committed: Vec<CommittedFile> = rebuilt
        .iter()
        .filter(|one| one.outcome != one.base)
        .map(|one| CommittedFile { path: one.file.path.clone(), bytes: one.outcome.clone() })
        .collect();
    if let Some(listed) = listed {
        differences.push(listed.difference);
        committed.push(listed.file);
    }
    for key in rebuilt.iter().filter_map(|one| one.file.key().and_then(NewKey::file)) {
        base.is_without(env, &key.path).await?;
        differences.push(Lines::of_new(key.text.clone()).unified(&key.path, diff::CONTEXT_LINES));
        committed.push(CommittedFile { path: key.path, bytes: key.text });
    }
    let limits = Limits {
        files: committed.len(),
        patch_bytes: differences.iter().map(String::len).sum(),
        contents_bytes: committed.iter().map(|file| file.bytes.len()).sum(),
        title_characters: text.title.chars().count(),
        body_characters: text.body.chars().count(),
    };
    let mut by_letter: BTreeMap<char, usize> = BTreeMap::new();
    for one in &rebuilt {
        *by_letter.entry(sent_with(session, &one.address, &one.file.mode)).or_default() += 1;
    }
    let branch = branch_of(&digest);
    let repository = &base.hosted.repository;
    let home = if pull.fork { Repository::new(&author.login, &repository.name) } else { repository.clone() };
    let (branch_read, open, competitors) =
        competing(env, base, (&home, &branch, half_done), &committed).await?;
    let bump = env.remote.bump(repository, &base.branch).await.map_err(|error| failed(env, &error))?;
    let planned: Vec<&PlannedFile> = rebuilt.iter().map(|one| &one.file).collect();
    // Use GitHub's clock, because reviewers compare with it too.
    let ahead = env.ahead_of_github().unwrap_or_default();
    let now = env.now().checked_sub(ahead).unwrap_or_else(|_| env.now());
    let findings: Vec<(String, Finding)> =
        rebuilt.iter().flat_map(|one| validated(session, one, now)).collect();
    let otherwise: Vec<Otherwise> = rebuilt.iter().filter_map(|one| one.otherwise.clone()).collect();
    let moved = rebuilt.iter().filter(|one| one.moved).count();
    let filled_of = |one: &Rebuilt| match one.file.mode.edit() {
        Some(Edit::Fill(targets)) => targets.len(),
        _ => 0,
    };
    let filled = rebuilt.iter().map(filled_of).sum();
    let full_name = format!("{}/{}", repository.owner, repository.name);
    let gates = vec![
        Gate::write_access(&author.login, &full_name, base.hosted.may_push, pull.fork),
        base.gate(env, files.len(), moved).await?,
        Gate::competing(&branch, &branch_read, open, &competitors, bump),
        Gate::rebuilt(files.len(), (moved, filled), &otherwise),
        Gate::additive(&planned),
        Gate::hashes(&read),
        Gate::seen(&planned),
        Gate::validator(&files, &findings, pull.acknowledged_drift),
        Gate::size(limits, &by_letter),
    ];
    let patch =
        Patch::of((&base.at, &author.person(), env.now()), (&text.title, &text.message), &differences);
    let sending = Sending::of_pull(
        (&author.login, &env.servers),
        (repository, &base.branch, &base.at),
        (&home, &branch),
        &text,
        committed,
    );
    let base = (base.branch.clone(), base.at.clone());
    let planned = PlannedPull { plan: pull.plan.clone(), base, files, text, patch };
    Ok(Prepared { subject: Subject::Plan(Box::new(planned)), gates, digest: sending.digest(), sending })
}

/// The command that writes the same bytes: all that was found, at the moment that stands in it, in the format of today.
fn repeat(one: &Rebuilt, features: Features) -> Option<String> {
    if let Some(edit) = one.file.mode.edit() {
        return Some(edit.command(&one.address));
    }
    let is_whole = one.file.mode == Mode::Add
        && features == Features::default()
        && one.file.pieces.iter().all(|piece| piece.part.name() != Part::REST)
        && one.file.pieces.iter().all(|piece| piece.mark.answer != Answer::Rejected)
        && one.file.state == FileState::Approved;
    let added = versions_of(&one.file, &one.entry);
    let is_added = |version: &str| added.iter().any(|one| one.version == version);
    let of_provider = one.entry.as_provider().into_iter().flat_map(|entry| &entry.versions);
    let of_module = one.entry.as_module().into_iter().flat_map(|entry| &entry.versions);
    let times = of_provider
        .map(|one| (&one.version, one.discovered))
        .chain(of_module.map(|one| (&one.version, one.discovered)));
    let mut times: Vec<_> = times.filter(|(version, _)| is_added(version)).map(|(_, at)| at).collect();
    times.dedup();
    match times[..] {
        [Some(at)] if is_whole => {
            Some(format!("bumpdesk bump {} --now {at}", shell_word(&visible(&one.address.to_string()))))
        }
        _ => None,
    }
}

/// The findings of the repository's own checks, and of ours, in the proposed file that are not in the current file.
fn validated(session: &Session, one: &Rebuilt, now: Timestamp) -> Vec<(String, Finding)> {
    if one.outcome.is_empty() {
        return Vec::new();
    }
    let kind = one.address.kind();
    let check = |bytes: &[u8]| match Entry::read(kind, bytes) {
        Ok((document, entry)) => {
            let is_served = |address: &Address| warning::is_served(&session.catalog, address);
            lint::lint_entry(&one.address, &document, &entry, &is_served)
        }
        Err(error) => vec![lint::broken(&error)],
    };
    // What is not there yet has nothing wrong.
    let before = if one.base.is_empty() { Vec::new() } else { check(&one.base) };
    let claims = versions_of(&one.file, &one.entry);
    let discovered = |version: &SentVersion| match &one.entry {
        Entry::Provider(entry) => entry.versions[version.place].discovered,
        Entry::Module(entry) => entry.versions[version.place].discovered,
    };
    // A review tolerates the same difference.
    let ahead = claims.iter().filter(|one| discovered(one).is_some_and(|at| at > now + TOLERATED));
    let ahead = ahead.map(|version| {
        let text = "it was discovered in the future, by GitHub's clock: set this machine's clock, and build the plan again";
        Finding::error("discovered-ahead", text).on(&*version.version)
    });
    // A refusal is not new either if it only affects fewer platforms than before.
    let old = ProviderEntry::parse(&one.base).map(|entry| refusal::of_entry(&entry)).unwrap_or_default();
    let mut narrowed = one.entry.as_provider().map(refusal::of_entry).unwrap_or_default();
    narrowed.retain(|now| old.iter().any(|old| old.covers(now)));
    let is_narrowed = |finding: &Finding| {
        narrowed.iter().any(|now| now.version == finding.version && now.text() == finding.text)
    };
    let is_new = |finding: &Finding| !before.contains(finding) && !is_narrowed(finding);
    let new = check(&one.outcome).into_iter().filter(is_new).chain(ahead);
    new.chain(refused(one)).map(|finding| (one.file.path.clone(), finding)).collect()
}

/// The findings about what clients would refuse: added versions, and a list of versions that they cannot read at all.
fn refused(one: &Rebuilt) -> Vec<Finding> {
    let Some(after) = one.entry.as_provider() else { return Vec::new() };
    let before = ProviderEntry::parse(&one.base).unwrap_or_default();
    let unreadable = refusal::of_list(after.versions.iter().map(|version| version.version.as_str()));
    let unreadable = unreadable.map(|refusal| Finding::note(refusal::RULE, refusal.text()));
    refusal::of_change(&before, after).into_iter().chain(unreadable).collect()
}

/// The plan's own branch on GitHub, and open pull requests that change its files.
async fn competing(
    env: &Arc<Env>,
    base: &Base,
    (home, branch, half_done): (&Repository, &str, Option<&Course>),
    files: &[CommittedFile],
) -> Result<(BranchRead, usize, Vec<Competitor>), Failure> {
    let (remote, repository): (_, &Repository) = (&env.remote, &base.hosted.repository);
    let upstream = |error: Error| failed(env, &error);
    let tip = remote.tip(home, branch).await.map_err(upstream)?;
    let is_taken = tip.is_some_and(|tip| !half_done.is_some_and(|course| course.left_branch_at(&tip)));
    let was = remote.pull_of(repository, &home.owner, branch).await.map_err(upstream)?;
    let open = remote.open_pulls(repository).await.map_err(upstream)?;
    // A branch of that name in whatever fork brings the same.
    let same = open.iter().find(|pull| pull.branch == branch);
    let named = |pull: &ListedPull| (pull.number, pull.author.clone());
    let read = if is_taken || same.is_some() {
        // Whoever continues it knows its name.
        let ours = if half_done.is_none() { journal::half_done_on(env, home, branch) } else { None };
        BranchRead::Taken { pull: same.or(was.as_ref()).map(named), ours }
    } else {
        BranchRead::Free { was: was.as_ref().map(named) }
    };
    let mut competitors = Vec::new();
    for pull in &open {
        let paths = remote.changed_paths(repository, pull.number).await.map_err(upstream)?;
        let ours: Vec<Option<String>> = match paths {
            Some(paths) => paths
                .into_iter()
                .filter(|path| files.iter().any(|file| file.path == *path))
                .map(Some)
                .collect(),
            None => vec![None],
        };
        competitors.extend(ours.into_iter().map(|path| Competitor {
            number: pull.number,
            author: pull.author.clone(),
            path,
        }));
    }
    Ok((read, open.len(), competitors))
}

fn trouble(path: &str, cause: String) -> Failure {
    Failure::new(FailureKind::Data, format!("building `{path}` on the registry's branch"))
        .cause(cause)
        .hint("Fix the file there first, or drop the entry from the plan.")
}

const CHECK: &str = "Check `endpoints.repository`";

/// The failure where GitHub did not answer: nothing is known then, and nothing is sent.
pub(super) fn failed(env: &Env, error: &Error) -> Failure {
    let (kind, hint) = match error {
        Error::NoToken | Error::Unauthorized { .. } => (
            FailureKind::Auth,
            "Set GH_TOKEN to a token that may read the repository, then do the same again.".to_owned(),
        ),
        Error::RateLimited { .. } => (FailureKind::RateLimited, "Wait, then do the same again.".to_owned()),
        Error::NotFound { .. } => (
            FailureKind::Config,
            format!("{CHECK}: `{}/{}` is what was asked about.", env.repository.owner, env.repository.name),
        ),
        Error::Transport(_) | Error::TimedOut { .. } | Error::Down(_) => {
            (FailureKind::Network, format!("Check the network, then do the same again; {TRIES_SERVERS}."))
        }
        _ => (FailureKind::Network, "Do the same again.".to_owned()),
    };
    Failure::new(kind, ASKING).cause(error.to_string()).hint(hint)
}

const ASKING: &str = "asking GitHub about the registry's repository";

/// Finds the cause of a 404. If the repository itself answers, `endpoints.repository` is right, and something in the
/// repository is gone.
pub(super) async fn with_cause(env: &Env, end: Result<Summary, Stop>) -> Result<Summary, Stop> {
    let failure = match end {
        Err(Stop::Failed(failure)) if failure.kind == FailureKind::Config && failure.doing == ASKING => {
            failure
        }
        end => return end,
    };
    let Ok(hosted) = env.remote.hosted(&env.repository).await else { return Err(failure.into()) };
    let Repository { owner, name } = &hosted.repository;
    // Keep the hint about an interrupted sending.
    let hint = failure.hint.filter(|hint| !hint.starts_with(CHECK));
    let hint = hint.unwrap_or_else(|| "Do the same again; if it stays so, look for it on GitHub.".to_owned());
    let failure = Failure::new(FailureKind::Network, ASKING).causes(failure.causes).cause(format!(
        "`{owner}/{name}` is there: a branch, a commit or a pull request of it is gone, or was not found for a moment"
    ));
    Err(failure.hint(hint).into())
}
