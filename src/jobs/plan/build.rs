//! Builds what is planned: once when it is added, and again when the registry or upstream moved on.

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, PlanAdd, Scope, Stop, Summary};
use crate::jobs::fan::fan;
use crate::jobs::judging::judge_row;
use crate::jobs::plan::read;
use crate::jobs::plan::stored::StoredPlan;
use crate::jobs::propose::{Proposed, propose};
use crate::jobs::session::Session;
use crate::jobs::survey::{Gather, Gathered, finish};
use crate::registry::version::trim_v;
use crate::registry::{Address, Document, Facts, Row};
use crate::rules::edit::Edit;
use crate::rules::plan::{Kept, Marks, Remark, Standing, carry_over, made_with};
use crate::rules::signature::KEY_FILE_BYTES_MAX;
use crate::rules::submission::{self, NewKey};
use crate::rules::{Depth, Finding, Mode, Proposal, Severity, amount, warning};
use crate::store::read_small;

/// Entries built at once.
const AT_ONCE: usize = 8;

/// An entry to be built.
struct Wanted {
    address: Address,
    mode: Mode,
    earlier: Option<(Kept, Marks)>,
}

pub(super) async fn add(env: &Arc<Env>, context: &Context, mut add: PlanAdd) -> Result<Summary, Stop> {
    for (address, mode) in &mut add.files {
        if let Some(Edit::Key(key)) = mode.edit() {
            *mode = Mode::Edit(Edit::Key(read_key(env, address, key)?));
        }
    }
    let session = env.reload().await?;
    let new = add.files.iter().filter(|(_, mode)| mode.is_submission());
    let session = session.with_new(new.map(|(address, _)| address.clone()));
    session.tell_notices(env, context);
    let stored = StoredPlan::new(env, &session);
    stored.check_writable()?;
    let mut wanted = Vec::with_capacity(add.files.len());
    for (address, mode) in add.files {
        let earlier = stored.kept(&address)?;
        wanted.push(Wanted { address, mode, earlier });
    }
    build(env, &session, context, wanted, add.max_age).await
}

/// Reads a key that is to be submitted, as the form reads it.
fn read_key(env: &Env, address: &Address, key: &NewKey) -> Result<NewKey, Failure> {
    let NewKey::File { path, for_all } = key else { return Ok(key.clone()) };
    let fail = |kind: FailureKind, cause: String| {
        Failure::new(kind, format!("submitting a key for {}; nothing was planned", key.owner(address)))
            .cause(cause)
            .hint("Name a file with the armored public key that signs the releases, and no other.")
    };
    let text = read_small(path, KEY_FILE_BYTES_MAX as u64)
        .map_err(|error| fail(FailureKind::Data, error.to_string()))?;
    NewKey::read(address, *for_all, &text, env.now()).map_err(|why| fail(FailureKind::Conflict, why))
}

pub(super) async fn rebuild(env: &Arc<Env>, context: &Context, max_age: Duration) -> Result<Summary, Stop> {
    let session = env.reload().await?;
    session.tell_notices(env, context);
    let stored = StoredPlan::new(env, &session);
    stored.check_writable()?;
    let mut wanted = Vec::new();
    let files = read(env, &session, context)?.files;
    let new = files.iter().filter(|file| file.mode.is_submission()).map(|file| file.address.clone());
    let session = session.with_new(new);
    let stored = StoredPlan::new(env, &session);
    for file in files {
        if file.standing == Standing::Stale {
            context.send(JobEvent::Note(format!(
                "`{}` changed in the registry since it was planned; it is built on {} now",
                file.path,
                if session.revision.is_empty() { "the file as it is" } else { &session.revision }
            )));
        }
        if session.catalog.find(&file.address).is_none() {
            context.send(JobEvent::Note(format!(
                "`{}` is not in the registry any more: it stays in the plan and is held",
                file.address
            )));
            continue;
        }
        let earlier = stored.kept(&file.address)?;
        wanted.push(Wanted { address: file.address, mode: file.mode, earlier });
    }
    build(env, &session, context, wanted, max_age).await
}

async fn build(
    env: &Arc<Env>,
    session: &Arc<Session>,
    context: &Context,
    wanted: Vec<Wanted>,
    max_age: Duration,
) -> Result<Summary, Stop> {
    let mut addresses: Vec<Address> = wanted.iter().map(|wanted| wanted.address.clone()).collect();
    // What a key would change is told of every provider that it speaks for.
    let keys: Vec<&NewKey> = wanted.iter().filter_map(|wanted| wanted.mode.edit()?.key()).collect();
    let covered = session.catalog.rows.iter().map(|row| &row.address);
    addresses.extend(covered.filter(|address| keys.iter().any(|key| key.covers(address))).cloned());
    let has_key = !keys.is_empty();
    let places = session.select(&Scope::Addresses(addresses))?;
    let mut known: Vec<(usize, Arc<Facts>)> = Vec::new();
    let gather = if has_key {
        Gather::new(env, session, context, Depth::Sums, max_age).with_signatures()
    } else {
        Gather::new(env, session, context, Depth::Versions, max_age)
    };
    let mut gathered = gather
        .run(&places, |work, _| {
            let facts = Arc::new(work.stored.facts.clone());
            known.extend(work.places.iter().map(|place| (*place, Arc::clone(&facts))));
        })
        .await;
    if !gathered.cancelled && gathered.failure.is_none() {
        // What counts is what comes of the proposals: they tell of broken files and of what was not read themselves.
        (gathered.summary.failed, gathered.summary.broken) = (0, 0);
        let ended = build_all(env, session, context, &wanted, known, &mut gathered).await?;
        gathered.cancelled = !ended;
    }
    context.send(JobEvent::Planned(Arc::new(read(env, session, context)?)));
    finish(env, gathered)
}

/// The result for one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BuildResult {
    Planned,
    /// Planned, but one of its versions could not be read upstream.
    PlannedInPart,
    /// There is nothing to propose.
    Nothing,
    /// Upstream could not be read.
    Unread,
}

/// Builds every entry and keeps it at once, so that a run that is cut off has lost nothing; false if it was cancelled.
async fn build_all(
    env: &Arc<Env>,
    session: &Arc<Session>,
    context: &Context,
    wanted: &[Wanted],
    known: Vec<(usize, Arc<Facts>)>,
    gathered: &mut Gathered,
) -> Result<bool, Failure> {
    let rows = &session.catalog.rows;
    let work = |(place, facts): (usize, Arc<Facts>)| async move {
        let row: &Row = &rows[place];
        let wanted = wanted.iter().find(|wanted| wanted.address == row.address)?;
        Some((wanted, row, propose(env, session, row, &facts, &wanted.mode).await, facts))
    };
    let stored = StoredPlan::new(env, session);
    let (mut lost, mut left) = (None, known.len() as u64);
    let ended = fan(context, known, AT_ONCE, work, |built| {
        left -= 1;
        let Some((wanted, row, proposed, facts)) = built else { return };
        let proposed = match proposed {
            Ok(proposed) => proposed,
            // One broken file is that entry's trouble; the others are still planned.
            Err(failure) => {
                gathered.summary.broken += 1;
                context.send(JobEvent::Note(format!("{}: {}", failure.doing, failure.causes.join("; "))));
                return;
            }
        };
        let why = || judge_row(env, session, row, Some(&facts), Depth::Versions).because.text;
        match keep(env, session, &stored, context, wanted, proposed, &why) {
            Ok(result @ (BuildResult::Planned | BuildResult::PlannedInPart | BuildResult::Unread)) => {
                let (is_planned, is_read) = (result != BuildResult::Unread, result == BuildResult::Planned);
                let summary = &mut gathered.summary;
                summary.applied += u64::from(is_planned);
                summary.failed = (summary.failed + u64::from(!is_read)).min(summary.entries);
            }
            Ok(BuildResult::Nothing) => {}
            Err(failure) => lost = Some(failure),
        }
    })
    .await;
    gathered.summary.leave(left);
    match (lost, gathered.summary.applied) {
        (None, _) => Ok(ended.is_ok()),
        (Some(failure), 0) => Err(failure),
        // Each is kept by itself, all or nothing.
        (Some(failure), kept) => {
            let entries = amount::counted(wanted.len(), "entry");
            let text = format!("{} of {entries} were added to the plan.", amount::grouped(kept));
            let hint = failure.hint.iter().cloned().chain([text]).collect::<Vec<_>>().join(" ");
            Err(failure.hint(hint))
        }
    }
}

/// Puts one proposal into the plan. Marks of changes that are as they were stay, and times of the earlier build with them.
fn keep(
    env: &Env,
    session: &Session,
    stored: &StoredPlan<'_>,
    context: &Context,
    wanted: &Wanted,
    proposed: Proposed,
    why: &dyn Fn() -> String,
) -> Result<BuildResult, Failure> {
    let Proposed { proposal, old, mut new, blocks, judged, .. } = proposed;
    if let Some(judgement) = judged {
        context.send(JobEvent::Judged(vec![judgement]));
    }
    let address = &wanted.address;
    let earlier = wanted.earlier.as_ref();
    let is_unread = proposal.findings.iter().any(|finding| finding.leaves_unknown().is_some());
    if let Some(refused) = refused(&proposal) {
        if earlier.is_some_and(|(kept, _)| kept.mode == wanted.mode) {
            let why = || refused.causes.join("; ");
            return leave_out(stored, context, address, true, is_unread, &why);
        }
        return Err(refused);
    }
    for finding in &proposal.findings {
        context.send(JobEvent::Found(proposal.path.clone(), finding.clone()));
    }
    if let Some(earlier) = earlier.and_then(|(kept, _)| Document::parse(&kept.proposed).ok()) {
        // It was read before, and perhaps approved: one failure upstream takes that from nobody.
        if would_lose(&proposal.findings, &earlier, &new) {
            return leave_out(stored, context, address, true, true, why);
        }
        new = carry_over(&old.document, &earlier, &new);
    }
    let (base, bytes) = (old.bytes, wanted.mode.bytes(&new));
    let has_key = wanted.mode.edit().is_some_and(|edit| edit.key().is_some());
    if base == bytes && blocks.is_empty() && !has_key {
        return leave_out(stored, context, address, earlier.is_some(), is_unread, why);
    }
    let kept = Kept {
        address: address.clone(),
        mode: wanted.mode.clone(),
        revision: session.revision.clone(),
        built_at: env.now(),
        made_with: made_with(env.features),
        base,
        proposed: bytes,
        blocks,
        remarks: proposal.findings.iter().map(Remark::from).collect(),
    };
    // Building takes long: what was said of the file meanwhile counts.
    let _turn = env.plan_turn();
    let latest = stored.kept(address)?;
    if earlier.is_some() && latest.is_none() {
        context.send(JobEvent::Note(format!(
            "`{address}` was dropped in the meantime and stays out of the plan"
        )));
        return Ok(BuildResult::Nothing);
    }
    if let Some((replaced, _)) = latest.as_ref().filter(|(replaced, _)| replaced.mode != kept.mode) {
        context.send(JobEvent::Note(format!(
            "`{address}`: this replaces a planned change that {}",
            replaced.mode.sentence()
        )));
    }
    let marks = stay(stored, context, &kept, latest.as_ref())?;
    stored.save(&kept, &marks)?;
    Ok(if is_unread { BuildResult::PlannedInPart } else { BuildResult::Planned })
}

/// The reason why an edit is not made: an edit is made in full or not at all. A rebuild leaves out versions and reports them.
fn refused(proposal: &Proposal) -> Option<Failure> {
    proposal.mode.edit()?;
    let errors: Vec<&Finding> =
        proposal.findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    let first = errors.first()?;
    let is_unread = errors.iter().any(|finding| finding.leaves_unknown().is_some());
    let (kind, hint) = if is_unread {
        (FailureKind::Network, "Do the same again once that can be read.".to_owned())
    } else {
        let about = first.version.as_ref().map(|version| format!(" of {version}")).unwrap_or_default();
        let is_submitted = matches!(proposal.mode.edit(), Some(Edit::Submit | Edit::Key(_)));
        let hint = if first.rule == warning::RULE {
            warning::REMEDY.to_owned()
        } else if is_submitted {
            submission::remedy(&proposal.address, first)
        } else {
            format!("Run `bumpdesk show {}`, which says what is known{about}.", proposal.address)
        };
        (FailureKind::Conflict, hint)
    };
    let line = |finding: &&Finding| {
        let version = finding.version.as_ref().map(|version| format!("{version}: ")).unwrap_or_default();
        format!("{version}{}", finding.text)
    };
    Some(Failure {
        kind,
        doing: format!(
            "{} {}; nothing was planned",
            if proposal.mode.is_submission() { "submitting" } else { "editing" },
            proposal.address
        ),
        causes: errors.iter().map(line).collect(),
        hint: Some(hint),
    })
}

/// Tells of an entry that has nothing to propose; it leaves the plan only if that is known.
fn leave_out(
    stored: &StoredPlan<'_>,
    context: &Context,
    address: &Address,
    is_planned: bool,
    is_unread: bool,
    why: &dyn Fn() -> String,
) -> Result<BuildResult, Failure> {
    let text = match (is_unread, is_planned) {
        (true, true) => {
            format!("`{address}` stays as it was planned: upstream could not be read in full this time")
        }
        (true, false) => format!("`{address}` is not planned: upstream could not be read"),
        (false, true) => format!("`{address}` leaves the plan, nothing would change: {}", why()),
        (false, false) => format!("`{address}` is not planned, nothing would change: {}", why()),
    };
    context.send(JobEvent::Note(text));
    if is_planned && !is_unread {
        stored.drop_files(&[address.to_string()])?;
    }
    Ok(if is_unread { BuildResult::Unread } else { BuildResult::Nothing })
}

/// Returns true if the earlier build has something that this one lacks only because upstream could not be read.
fn would_lose(findings: &[Finding], earlier: &Document, new: &Document) -> bool {
    let has = |document: &Document, wanted: &str| {
        document.versions().iter().any(|version| trim_v(version.version_name()) == trim_v(wanted))
    };
    findings.iter().filter(|finding| finding.leaves_unknown().is_some()).any(|finding| {
        match &finding.version {
            Some(version) => has(earlier, version) && !has(new, version),
            None => true,
        }
    })
}

/// The earlier marks that still mean something; says how many changes are to be looked at again.
pub(super) fn stay(
    stored: &StoredPlan<'_>,
    context: &Context,
    kept: &Kept,
    earlier: Option<&(Kept, Marks)>,
) -> Result<Marks, Failure> {
    let Some((_, marks)) = earlier else { return Ok(Marks::new()) };
    let file = stored.read(kept, marks).map_err(|why| {
        Failure::new(FailureKind::Internal, format!("planning {}", kept.address)).cause(why)
    })?;
    let ids: Vec<_> = file.pieces.iter().map(|piece| &piece.id).collect();
    let stay: Marks = marks
        .iter()
        .filter(|(id, _)| ids.contains(id))
        .map(|(id, mark)| (id.clone(), mark.clone()))
        .collect();
    let lost = marks.len() - stay.len();
    if lost > 0 {
        let (number, has) = (amount::counted(lost, "change"), if lost == 1 { "is" } else { "are" });
        context.send(JobEvent::Note(format!(
            "`{}`: {number} that you marked {has} no longer the same, so those marks are gone",
            kept.address
        )));
    }
    Ok(stay)
}
