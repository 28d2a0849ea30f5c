//! The plan as jobs: files are added, looked at, answered, built again and dropped. Writes the state database and never a data
//! file. A task that changes the plan ends with the new plan; marks end with the files that they are about.

mod build;
mod fills;
mod stored;

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, PlanMark, PlanOpened, PlanTask, Stop, Summary};
use crate::jobs::session::Session;
use crate::registry::Address;
use crate::rules::amount;
use crate::rules::plan::{Kept, Mark, Marks, PieceId, Plan, PlannedFile, Refusal, Which};

pub(in crate::jobs) use fills::{check_writable, put_fills};
pub(in crate::jobs) use stored::StoredPlan;

/// The events of a quick task, and its figures.
type Report = (Vec<JobEvent>, Summary);

pub(crate) async fn plan(env: &Arc<Env>, context: &Context, task: PlanTask) -> Result<Summary, Stop> {
    match task {
        PlanTask::Add(add) => build::add(env, context, add).await,
        PlanTask::Rebuild { max_age } => build::rebuild(env, context, max_age).await,
        quick => Ok(quickly(env, context, quick).await?),
    }
}

/// Opens the registry, which most likely is open, and does what needs no server.
async fn quickly(env: &Arc<Env>, context: &Context, task: PlanTask) -> Result<Summary, Failure> {
    let session = env.session().await?;
    session.tell_notices(env, context);
    let env = Arc::clone(env);
    let done = tokio::task::spawn_blocking(move || match task {
        PlanTask::Open(address) => open(&env, &session, &address),
        PlanTask::Mark(marks) => mark(&env, &session, &marks),
        PlanTask::Drop(addresses) => drop_files(&env, &session, &addresses),
        PlanTask::Show | PlanTask::Add(_) | PlanTask::Rebuild { .. } => show(&env, &session),
    });
    let done = done.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let (events, summary) = done?;
    for event in events {
        context.send(event);
    }
    Ok(summary)
}

/// Sends the plan; files that cannot be read are reported and kept.
fn show(env: &Env, session: &Session) -> Result<Report, Failure> {
    let (plan, unreadable) = StoredPlan::new(env, session).plan()?;
    let summary = Summary { entries: plan.files.len() as u64, ..Summary::default() };
    let mut events: Vec<JobEvent> = unreadable.into_iter().map(JobEvent::Note).collect();
    events.push(JobEvent::Planned(Arc::new(plan)));
    Ok((events, summary))
}

/// Reads the plan for a task that continues with it. Sends a note for each file that cannot be read.
fn read(env: &Env, session: &Session, context: &Context) -> Result<Plan, Failure> {
    let (plan, unreadable) = StoredPlan::new(env, session).plan()?;
    for why in unreadable {
        context.send(JobEvent::Note(why));
    }
    Ok(plan)
}

fn open(env: &Env, session: &Session, address: &Address) -> Result<Report, Failure> {
    let stored = StoredPlan::new(env, session);
    let (kept, marks) = stored.kept(address)?.ok_or_else(|| not_planned(address))?;
    let file = stored.read(&kept, &marks).map_err(|why| broken(address, why))?;
    let lines = Arc::new(stored.lines(&file, &kept).map_err(|why| broken(address, why))?);
    let summary = Summary { entries: 1, ..Summary::default() };
    Ok((vec![JobEvent::PlanOpened(Arc::new(PlanOpened { file, lines }))], summary))
}

/// Costs what the files cost that are named, however many the plan has.
fn mark(env: &Env, session: &Session, words: &[PlanMark]) -> Result<Report, Failure> {
    let _turn = env.plan_turn();
    let stored = StoredPlan::new(env, session);
    let (mut refused, mut changes, mut notes, mut files) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut addresses: Vec<&Address> = words.iter().map(|one| &one.address).collect();
    addresses.sort();
    addresses.dedup();
    for address in addresses {
        let words: Vec<&PlanMark> = words.iter().filter(|one| one.address == *address).collect();
        let Some((kept, marks)) = stored.kept(address)? else {
            if words.iter().all(|one| matches!(one.which, Which::Piece(_))) {
                notes.push(gone(address, words.len()));
                continue;
            }
            return Err(not_planned(address));
        };
        let marked = mark_file(&stored, &kept, marks, &words).map_err(|why| broken(address, why))?;
        changes.extend(marked.changes.into_iter().map(|(id, mark)| (address.clone(), id, mark)));
        refused.extend(marked.refused.into_iter().map(|refusal| (address, refusal)));
        if marked.lost > 0 {
            notes.push(gone(address, marked.lost));
        }
        files.push(marked.file);
    }
    if !refused.is_empty() {
        return Err(refusal(&refused));
    }
    if !changes.is_empty() {
        stored.save_marks(&changes)?;
    }
    if !notes.is_empty() {
        // The plan is not what was thought: all of it is said.
        let (events, summary) = show(env, session)?;
        return Ok((notes.into_iter().map(JobEvent::Note).chain(events).collect(), summary));
    }
    let summary = Summary { entries: files.len() as u64, ..Summary::default() };
    Ok((files.into_iter().map(|file| JobEvent::PlannedFile(Arc::new(file))).collect(), summary))
}

/// The result of marks on one file.
struct Marked {
    /// As it is with the new marks.
    file: PlannedFile,
    changes: Vec<(PieceId, Mark)>,
    refused: Vec<Refusal>,
    /// Words about what is in the plan no more.
    lost: usize,
}

fn mark_file(
    stored: &StoredPlan<'_>,
    kept: &Kept,
    mut marks: Marks,
    words: &[&PlanMark],
) -> Result<Marked, String> {
    let file = stored.read(kept, &marks)?;
    let mut marked = Marked { file, changes: Vec::new(), refused: Vec::new(), lost: 0 };
    let mut is_old = false;
    for one in words {
        // Whether a whole file may be approved depends on what would be left of it.
        if is_old && one.which == Which::Whole {
            marked.file = stored.read(kept, &marks)?;
            is_old = false;
        }
        match marked.file.answer(&one.which, &one.verb) {
            Ok(new) => {
                is_old |= !new.is_empty();
                marked.file.mark(&new);
                marked.changes.extend(new.iter().cloned());
                marks.extend(new);
            }
            // What a screen showed a moment ago may be built anew by now; the other marks still mean something.
            Err(Refusal::NoSuchChange { .. }) if matches!(one.which, Which::Piece(_)) => marked.lost += 1,
            Err(refusal) => marked.refused.push(refusal),
        }
    }
    if is_old {
        marked.file = stored.read(kept, &marks)?;
    }
    Ok(marked)
}

/// Marks of single contents that were left out, since nothing in the plan is so any more.
fn gone(address: &Address, count: usize) -> String {
    let (marks, were) = (amount::counted(count, "mark"), if count == 1 { "was" } else { "were" });
    format!(
        "`{address}` changed in the meantime: {marks} {were} about what is no longer in the plan, and left out"
    )
}

fn drop_files(env: &Env, session: &Session, addresses: &[Address]) -> Result<Report, Failure> {
    let _turn = env.plan_turn();
    let stored = StoredPlan::new(env, session);
    let planned = stored.addresses()?;
    if let Some(unknown) = addresses.iter().find(|address| !planned.contains(&address.to_string())) {
        return Err(not_planned(unknown));
    }
    let dropped = match addresses {
        [] => planned,
        named => named.iter().map(ToString::to_string).collect(),
    };
    stored.drop_files(&dropped)?;
    let (events, summary) = show(env, session)?;
    Ok((events, Summary { applied: dropped.len() as u64, ..summary }))
}

/// All refusals as one failure: nothing was done.
fn refusal(refused: &[(&Address, Refusal)]) -> Failure {
    let is_unknown = |refusal: &Refusal| matches!(refusal, Refusal::NoSuchChange { .. });
    let unseen = refused.iter().find(|(_, refusal)| matches!(refusal, Refusal::NotSeen { .. }));
    let kind = if refused.iter().all(|(_, refusal)| is_unknown(refusal)) {
        FailureKind::Usage
    } else {
        FailureKind::Conflict
    };
    Failure {
        kind,
        doing: "marking the plan; nothing was changed".into(),
        causes: refused.iter().map(|(address, refusal)| format!("{address}: {}", refusal.text())).collect(),
        hint: unseen.map(|(address, _)| {
            format!("Look at it first: `bumpdesk plan show {address}` prints it in full.")
        }),
    }
}

fn not_planned(address: &Address) -> Failure {
    Failure::new(FailureKind::Usage, format!("looking for `{address}` in the plan"))
        .cause("it is not in the plan")
        .hint(format!("Add it with `bumpdesk plan add {address}`, or see `bumpdesk plan show`."))
}

fn broken(address: &Address, why: String) -> Failure {
    Failure::new(FailureKind::Data, format!("reading the plan of {address}"))
        .cause(why)
        .hint(format!("Drop it with `bumpdesk plan drop {address}`, then add it again."))
}
