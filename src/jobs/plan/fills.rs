//! Puts the results of a backfill into the plan. Nothing is built from upstream here, since the backfill read it a moment ago.

use std::collections::{BTreeMap, HashSet};

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, JobEvent};
use crate::jobs::plan::build::stay;
use crate::jobs::plan::show;
use crate::jobs::plan::stored::StoredPlan;
use crate::jobs::session::Session;
use crate::registry::Address;
use crate::registry::version::trim_v;
use crate::rules::amount::counted;
use crate::rules::backfill::Fill;
use crate::rules::edit::{Edit, Subject};
use crate::rules::plan::{Kept, Remark, made_with};
use crate::rules::{Finding, Mode, Severity, warning};

/// Checks that this process may change the plan.
pub(in crate::jobs) fn check_writable(env: &Env, session: &Session) -> Result<(), Failure> {
    StoredPlan::new(env, session).check_writable()
}

/// Puts files into the plan, in addition to what an earlier backfill put there; returns the number of files. A file that is
/// planned otherwise stays as it is. Fills of versions that have drifted since then are removed from what an earlier backfill planned.
pub(in crate::jobs) fn put_fills(
    env: &Env,
    session: &Session,
    context: &Context,
    files: Vec<(Address, Vec<Fill>)>,
    drifted: &HashSet<(&Address, &str)>,
) -> Result<u64, Failure> {
    let mut files: BTreeMap<Address, Vec<Fill>> = files.into_iter().collect();
    for (address, _) in drifted {
        files.entry((*address).clone()).or_default();
    }
    let mut count = 0;
    for (address, fills) in files {
        count += u64::from(put(env, session, context, &address, fills, drifted)?);
    }
    let (events, _) = show(env, session)?;
    for event in events {
        context.send(event);
    }
    Ok(count)
}

fn put(
    env: &Env,
    session: &Session,
    context: &Context,
    address: &Address,
    mut fills: Vec<Fill>,
    drifted: &HashSet<(&Address, &str)>,
) -> Result<bool, Failure> {
    let note = |text: String| context.send(JobEvent::Note(text));
    let Some(row) = session.catalog.find(address) else {
        note(format!("`{address}` is not planned: it is not in the registry any more"));
        return Ok(false);
    };
    let old = match session.reading(row) {
        Ok(old) => old,
        Err(why) => {
            note(format!("`{address}` is not planned: {why}"));
            return Ok(false);
        }
    };
    let stored = StoredPlan::new(env, session);
    // From the reading of the marks to their writing nobody else changes them.
    let _turn = env.plan_turn();
    let earlier = stored.kept(address)?;
    let mut withdrawn = 0;
    match earlier.as_ref().map(|(kept, _)| &kept.mode) {
        None => {}
        Some(Mode::Edit(Edit::Fill(before))) => {
            let is_new = |one: &&Fill| {
                !fills.iter().any(|new| (&new.version, &new.target) == (&one.version, &one.target))
            };
            let has_drifted = |one: &Fill| drifted.contains(&(address, trim_v(&one.version)));
            let (out, stay): (Vec<Fill>, Vec<Fill>) =
                before.iter().filter(is_new).cloned().partition(has_drifted);
            if let Some(first) = out.first() {
                note(format!(
                    "`{address}`: {} that were planned leave the plan, such as {} {}: an archive of the version is another one by now",
                    counted(out.len(), "target"),
                    first.version,
                    first.target
                ));
            }
            withdrawn = out.len();
            fills.extend(stay);
        }
        Some(_) if fills.is_empty() => return Ok(false),
        Some(mode) => {
            note(format!(
                "`{address}` is not planned: the plan has it already ({}); send or drop that first, then the same command puts it there without a download",
                mode.words()
            ));
            return Ok(false);
        }
    }
    let edit = Edit::Fill(fills);
    let subject = Subject {
        address,
        document: &old.document,
        entry: &old.entry,
        facts: &crate::registry::Facts::default(),
        blacklist: &session.blacklist,
        twins: std::slice::from_ref(address),
        is_served: &|address| warning::is_served(&session.catalog, address),
        features: env.features,
        now: env.now(),
    };
    let edited = edit.apply(subject);
    let is_error = |finding: &&Finding| finding.severity == Severity::Error;
    for finding in edited.findings.iter().filter(is_error) {
        let version = finding.version.as_deref().unwrap_or_default();
        note(format!("`{address}` {version} {}", finding.text));
    }
    let bytes = edited.document.print();
    if bytes == old.bytes {
        if withdrawn > 0 {
            stored.drop_files(&[address.to_string()])?;
        }
        return Ok(false);
    }
    let kept = Kept {
        address: address.clone(),
        mode: Mode::Edit(edit),
        revision: session.revision.clone(),
        built_at: env.now(),
        made_with: made_with(env.features),
        base: old.bytes,
        proposed: bytes,
        blocks: Vec::new(),
        remarks: edited.findings.iter().filter(|finding| !is_error(finding)).map(Remark::from).collect(),
    };
    let marks = stay(&stored, context, &kept, earlier.as_ref())?;
    stored.save(&kept, &marks)?;
    Ok(true)
}
