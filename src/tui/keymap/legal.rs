//! When an action can be done, and why not, in plain words that name the way out.
//!
//! The reasons stand on the message line after the key, and in the palette beside the action. Keys in them are those
//! that are bound now.

use crate::registry::Kind;
use crate::rules::order::Group;
use crate::tui::keymap::{Command, Context, Reason};
use crate::tui::model::{Model, Registry, Screen};
use crate::tui::past;
use crate::tui::screens::jobs;
use crate::tui::screens::verify::End;

type Verdict = Result<(), Reason>;

fn no<T>(reason: impl Into<Reason>) -> Result<T, Reason> {
    Err(reason.into())
}

/// The registry is read.
pub(super) fn is_loaded(model: &Model) -> Verdict {
    match &model.registry {
        Registry::Loaded(_) => Ok(()),
        Registry::Missing => {
            no(format!("no registry is open; {} leaves, `bumpdesk clone` gets one", model.key(Command::Quit)))
        }
        Registry::Loading if model.board.loading().is_none() => {
            no(format!("the registry was not read; {} reads it", model.key(Command::Reload)))
        }
        Registry::Loading => no("the registry is still being read"),
        Registry::Failed(_) => {
            no(format!("the registry could not be read; {} tries again", model.key(Command::Reload)))
        }
    }
}

/// There is something to move over.
pub(super) fn has_rows(model: &Model) -> Verdict {
    is_loaded(model)?;
    if model.has_rows() {
        return Ok(());
    }
    match model.screen {
        Screen::Inventory if model.inventory.list.verdicts.is_empty() => no("the registry has no entries"),
        Screen::Inventory => {
            no(format!("the filter hides every row; {} clears it", model.key(Command::Back)))
        }
        Screen::Entry if model.board.opening().is_some() => no("the entry is still being read"),
        Screen::Entry => no("the entry has no versions to move over"),
        Screen::Diff if model.board.opening().is_some() => no("the rebuild is still being built"),
        Screen::Diff => no("there is nothing to show: the rebuild changes nothing, or it failed"),
        Screen::Changes => has_plan(model),
        Screen::Verify => nothing_verified(model),
        Screen::Jobs => no("no job ran yet; R in the Inventory surveys"),
    }
}

/// Why Verify has no rows.
fn nothing_verified(model: &Model) -> Verdict {
    let verify = &model.views.verify;
    match &verify.run {
        Some(run) if verify.only_bad && !run.rows.is_empty() => {
            no(format!("no row is bad; {} shows all", model.key(Command::OnlyErrors)))
        }
        Some(run) => match run.end {
            None => no("what is to be verified is still being read"),
            Some(End::Done) => no("the last verification had nothing to verify"),
            Some(End::Cancelled) => no("the last verification was stopped before it had rows"),
            Some(End::Failed(_)) => no("the last verification failed before it had rows"),
        },
        None => no(format!(
            "nothing was verified yet; {} in the Inventory verifies an entry",
            model.keys.bindings.first(Context::Inventory, Command::Verify)
        )),
    }
}

/// Something can be verified, and nothing else is.
pub(super) fn can_verify(model: &Model) -> Verdict {
    is_loaded(model)?;
    if let Some(job) = model.board.verifying() {
        let (show, stop) =
            (model.key(Command::ShowVerify), model.keys.bindings.first(Context::Verify, Command::CancelJob));
        return match (job.cancelling, model.screen) {
            (true, _) => no("the verification is stopping"),
            (_, Screen::Verify) => no(format!("one verification at a time; {stop} stops this one")),
            _ => no(format!(
                "one verification at a time, and one runs: {show} shows it, {stop} there stops it"
            )),
        };
    }
    match model.screen {
        Screen::Verify if model.views.verify.run.is_none() => nothing_verified(model),
        Screen::Verify => Ok(()),
        Screen::Inventory if model.inventory.list.mark_count() > 0 => Ok(()),
        _ => {
            has_subject(model)?;
            if model.subject().is_some_and(|address| address.kind() == Kind::Module) {
                return no("a module has no archives, checksums or signatures to verify");
            }
            let Some(entry) = model.entry.as_ref().filter(|_| model.screen == Screen::Entry) else {
                return Ok(());
            };
            match entry.rows.get(entry.cursor) {
                Some(row) if row.indexed => Ok(()),
                Some(row) => no(format!("{} is not indexed: nothing is stored to compare with", row.version)),
                None => has_rows(model),
            }
        }
    }
}

/// A verification runs here, and is not about to end.
pub(super) fn can_steer(model: &Model) -> Verdict {
    if model.views.verify.running().is_none() {
        return no("no verification runs");
    }
    let stopping = model.board.verifying().is_some_and(|job| job.cancelling);
    if stopping { no("it is stopping already") } else { Ok(()) }
}

/// There are rows, or lines of a log, of which some can be shown alone.
pub(super) fn can_narrow(model: &Model) -> Verdict {
    let is_empty = model.views.verify.run.as_ref().is_none_or(|run| run.rows.is_empty());
    if model.screen == Screen::Verify && is_empty { nothing_verified(model) } else { Ok(()) }
}

/// Rows can be marked, or a verification paused.
pub(super) fn can_mark(model: &Model) -> Verdict {
    if model.screen == Screen::Verify { can_steer(model) } else { has_rows(model) }
}

/// Lines of a difference are seen.
pub(super) fn has_lines(model: &Model) -> Verdict {
    if model.screen != Screen::Changes {
        return has_rows(model);
    }
    has_plan(model)?;
    if model.views.changes.has_lines() {
        return Ok(());
    }
    no("the lines of this file are not here yet")
}

pub(super) fn has_plan(model: &Model) -> Verdict {
    is_loaded(model)?;
    let changes = &model.views.changes;
    match &changes.planned.plan {
        Some(plan) if !plan.is_empty() => Ok(()),
        Some(_) => no(format!(
            "the plan is empty; {} in the Inventory adds an entry",
            model.keys.bindings.first(Context::Inventory, Command::Add)
        )),
        None if changes.planned.failure.is_some() => no("the plan could not be read"),
        None => no("the plan is still being read"),
    }
}

/// One plan job at a time builds.
fn no_building(model: &Model) -> Verdict {
    match model.board.building() {
        None => Ok(()),
        Some(_) => no("files of the plan are being built; wait, or cancel that in Jobs"),
    }
}

pub(super) fn can_add(model: &Model) -> Verdict {
    has_marks_or_subject(model)?;
    no_building(model)
}

pub(super) fn can_search(model: &Model) -> Verdict {
    match model.screen {
        Screen::Inventory | Screen::Jobs => is_loaded(model),
        _ => has_lines(model),
    }
}

/// There is a next one: a row of the list, or a hit of the search.
pub(super) fn has_next(model: &Model) -> Verdict {
    if model.screen == Screen::Inventory {
        return has_rows(model);
    }
    if model.search().is_some_and(|search| !search.text().is_empty()) {
        return Ok(());
    }
    no(format!("nothing is searched for; {} begins a search", model.key(Command::Filter)))
}

pub(super) fn has_panes(model: &Model) -> Verdict {
    if model.screen == Screen::Jobs { is_loaded(model) } else { has_plan(model) }
}

pub(super) fn has_done(model: &Model) -> Verdict {
    if model.views.jobs.history.has_done() {
        return Ok(());
    }
    no("no job that is over is shown")
}

/// An entry is meant.
pub(super) fn has_subject(model: &Model) -> Verdict {
    if model.has_subject() {
        return Ok(());
    }
    has_rows(model)?;
    no("no entry is selected")
}

/// A file can be shown with another program.
pub(super) fn can_show(model: &Model) -> Verdict {
    has_subject(model)?;
    if model.options.outside.has_viewer() {
        return Ok(());
    }
    no("no program that shows a file was found; set EDITOR and PAGER and start again")
}

/// There are folds.
pub(super) fn can_fold(model: &Model) -> Verdict {
    has_rows(model)?;
    if model.screen == Screen::Inventory && model.inventory.list.group == Group::None {
        return no(format!("the list is not grouped; {} groups it", model.key(Command::Sort)));
    }
    let verify = &model.views.verify;
    if model.screen == Screen::Verify
        && verify.run.as_ref().is_some_and(|run| !run.order.can_fold(verify.shows()))
    {
        return if verify.only_bad {
            no(format!("bad rows alone are shown; {} shows all", model.key(Command::OnlyErrors)))
        } else {
            no("too few rows are OK to fold them")
        };
    }
    Ok(())
}

pub(super) fn can_jump_back(model: &Model) -> Verdict {
    if model.inventory.jumps.is_empty() {
        return no("there is no place to go back to");
    }
    Ok(())
}

fn no_survey(model: &Model) -> Verdict {
    match model.board.survey() {
        None => Ok(()),
        Some(job) if job.cancelling => no("the survey is stopping"),
        Some(_) => no(format!("a survey runs; {} cancels it", model.key(Command::CancelJob))),
    }
}

fn has_marks_or_subject(model: &Model) -> Verdict {
    let marks = model.screen == Screen::Inventory && model.inventory.list.mark_count() > 0;
    if marks { Ok(()) } else { has_subject(model) }
}

pub(super) fn can_survey(model: &Model) -> Verdict {
    match model.screen {
        Screen::Changes => {
            has_plan(model)?;
            no_building(model)
        }
        Screen::Jobs => {
            has_rows(model)?;
            past::again(model).map(drop).map_err(Into::into)
        }
        _ => {
            has_marks_or_subject(model)?;
            no_survey(model)
        }
    }
}

pub(super) fn can_survey_shown(model: &Model) -> Verdict {
    if model.screen == Screen::Changes {
        return can_survey(model);
    }
    has_rows(model)?;
    no_survey(model)
}

pub(super) fn can_cancel(model: &Model) -> Verdict {
    if model.screen == Screen::Jobs {
        has_rows(model)?;
        return match jobs::running_here(model) {
            Some(job) if job.cancelling => no("it is stopping already"),
            Some(_) => Ok(()),
            None => no("this job does not run here"),
        };
    }
    if model.screen == Screen::Verify {
        return can_steer(model);
    }
    match model.board.survey() {
        Some(job) if job.cancelling => no("the survey is stopping already"),
        Some(_) => Ok(()),
        None => no("no survey runs"),
    }
}

pub(super) fn can_reload(model: &Model) -> Verdict {
    if model.registry == Registry::Missing {
        return is_loaded(model);
    }
    if model.board.loading().is_some() {
        return no("the registry is being read already");
    }
    no_survey(model)
}

pub(super) fn has_preview(model: &Model) -> Verdict {
    is_loaded(model)?;
    if model.has_preview() {
        return Ok(());
    }
    no("the window is too small for a preview: it takes 70 columns and 24 rows")
}

pub(super) fn can_step_back(model: &Model) -> Verdict {
    if model.can_step_back() {
        return Ok(());
    }
    no(format!("nothing to step back from; {} leaves the program", model.key(Command::Quit)))
}
