//! Verification: what is stored against what upstream serves today, target by target, while it happens. Only ever reads.
//!
//! `question` lists the rows that are asked about, `version` reads checksums, signature and release of each version, `run`
//! downloads and hashes, and `report` keeps every finished row at once, so that the same question goes on after a kill.

mod archive;
mod dates;
mod learned;
mod question;
mod releases;
mod report;
mod run;
mod tags;
mod version;

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{JobEvent, Stop, Summary, Unit, VerifyNews, VerifyPlan};
use crate::jobs::survey::limits;
use crate::rules::amount::counted;
use crate::rules::verify::{Row, State, Tally, Zip};

pub(super) use report::REPORT_NAMES;

use question::Question;
use report::{Ended, Kept};

pub(crate) async fn verify(env: &Arc<Env>, context: &Context, plan: VerifyPlan) -> Result<Summary, Stop> {
    verified(env, context, &plan).await.map(|(_, summary)| summary)
}

/// Verifies, and returns the rows as well, for a job that continues with them.
pub(crate) async fn verified(
    env: &Arc<Env>,
    context: &Context,
    plan: &VerifyPlan,
) -> Result<(Vec<Row>, Summary), Stop> {
    let session = env.session().await?;
    session.tell_notices(env, context);
    let sent_before = env.remote.counts().total().sent;
    let mut question = Question::ask(&session, plan)?;
    let mut kept = Kept::open(env, plan, &session)?;
    if let Some(note) = kept.note() {
        context.send(JobEvent::Note(note));
    }
    let earlier = kept.take_over(&mut question, plan.keeps_for, env.now());
    context.send(JobEvent::Verify(VerifyNews::Begun {
        rows: Arc::new(question.rows.clone()),
        report: kept.path(),
        kept: earlier,
    }));
    let (rows, ended) = run::run(env, &session, context, plan, question, &mut kept).await;
    let tally = Tally::of(&rows);
    kept.end(&tally, ended, env.now())?;
    if let Some(failure) = kept.lost() {
        return Err(failure.into());
    }
    let mut summary = summary(env, &rows, &tally, sent_before);
    match ended {
        Ended::Cancelled => return Err(Stop::Cancelled(summary)),
        Ended::AtBad => {
            // What was left was to be left.
            let left = std::mem::take(&mut summary.unreached);
            summary.failed -= left;
            let were = if left == 1 { "was" } else { "were" };
            let left = counted(left, "target");
            summary
                .limits
                .push(format!("stopped at the first bad target, as asked: {left} {were} not reached"));
        }
        Ended::Done | Ended::ReportLost => {}
    }
    Ok((rows, summary))
}

fn summary(env: &Env, rows: &[Row], tally: &Tally, sent_before: u64) -> Summary {
    let mut limits = limits(env);
    if tally.skipped > 0 {
        limits.push(format!("{} of {} archives were left out; each says why", tally.skipped, tally.targets));
    }
    // A package whose h1 is another once it is installed has two in the lock files of its users, as good as it may be otherwise.
    let has_two = |row: &&Row| {
        let two = matches!(&row.zip, Zip::Hashed(computed) if computed.h1_installed.is_some());
        two && row.state() == State::Ok
    };
    let two_forms = rows.iter().filter(has_two).count() as u64;
    Summary {
        entries: rows.len() as u64,
        unit: Unit::Target,
        requests: env.remote.counts().total().sent.saturating_sub(sent_before),
        failed: tally.error + tally.left + tally.cancelled,
        unreached: tally.left + tally.cancelled,
        tag_unread: tally.tag_unread,
        findings: tally.mismatch + tally.bad_signature + tally.missing + two_forms,
        limits,
        ..Summary::default()
    }
}
