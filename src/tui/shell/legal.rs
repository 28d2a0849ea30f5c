//! When an action can be done, and why not, in plain words that name the way out.
//!
//! The reasons stand on the message line after the key, and in the palette beside the action. Keys in them are those
//! that are bound now.

use std::path::PathBuf;

use crate::desk::intent::{Cancel, Intent, Meant, Steered};
use crate::desk::launch::FillHow;
use crate::desk::reviews::Standing;
use crate::desk::run::End;
use crate::desk::sending::Write;
use crate::desk::telling::{Message, backfill, review, stranded};
use crate::jobs::data::{BackfillTask, Job, ReviewPlan};
use crate::rules::amount::counted;
use crate::rules::edit::Edit;
use crate::rules::order::Group;
use crate::rules::plan::Verb;
use crate::tui::keymap::{Command, Context, Need, Reason, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::{machines, past, publishing, reviewing, stranding, triaging, verifying, work};
use crate::tui::views::pull::Pull;

type Legality = Result<(), Reason>;

fn no<T>(reason: impl Into<Reason>) -> Result<T, Reason> {
    Err(reason.into())
}

/// Whether what an action needs is there, or why not.
pub(crate) fn meets(model: &Model, need: Need) -> Legality {
    match need {
        Need::Nothing => Ok(()),
        Need::Add => can_add(model),
        Need::Waiting => can_clear_errors(model),
        Need::Block => can_block(model),
        Need::Ignore => can_ignore(model),
        Need::Message => can_message(model),
        Need::Cancel => can_cancel(model),
        Need::Folds => can_fold(model),
        Need::Jumps => can_jump_back(model),
        Need::Mark => can_mark(model),
        Need::Narrow => can_narrow(model),
        Need::Reload => can_reload(model),
        Need::Search => can_search(model),
        Need::Viewer => can_show(model),
        Need::Steer => can_steer(model),
        Need::Back => can_step_back(model),
        Need::Survey => can_survey(model),
        Need::SurveyShown => can_survey_shown(model),
        Need::Verify => can_verify(model),
        Need::Backfill => can_backfill(model),
        Need::Dispatch => can_dispatch(model),
        Need::Done => has_done(model),
        Need::Lines => has_lines(model),
        Need::Next => has_next(model),
        Need::Panes => has_panes(model),
        Need::Plan => has_plan(model),
        Need::Publish => can_publish(model),
        Need::Judge => can_judge(model),
        Need::WriteOut => may(model, &Intent::WriteOut(PathBuf::new())),
        Need::Arm => can_arm(model),
        Need::Disarm => may(model, &Intent::Disarm),
        Need::Reject => can_answer(model, Verb::Reject),
        Need::TakeBack => can_answer(model, Verb::Reopen),
        Need::Preview => has_preview(model),
        Need::Rows => has_rows(model),
        Need::Subject => has_subject(model),
        Need::Line => has_line(model),
        Need::Told => was_told(model),
        Need::Registry => is_loaded(model),
    }
}

/// The registry is read.
fn is_loaded(model: &Model) -> Legality {
    told(model, model.desk.ready())
}

/// A reason of the desk, with the keys of its ways on.
fn told<T>(model: &Model, said: Result<T, Message>) -> Result<T, Reason> {
    said.map_err(|why| model.told(&why).into())
}

fn may(model: &Model, intent: &Intent) -> Legality {
    told(model, model.desk.may(intent))
}

/// There is something to move over.
fn has_rows(model: &Model) -> Legality {
    is_loaded(model)?;
    if model.has_rows() {
        return Ok(());
    }
    match model.screen {
        ViewId::Inventory if model.desk.list.verdicts.is_empty() => no("the registry has no entries"),
        ViewId::Inventory => {
            no(format!("the filter hides every row; {} clears it", model.key(Command::Back)))
        }
        ViewId::Entry if model.desk.board.opening().is_some() => no("the entry is still being read"),
        ViewId::Entry => no("the entry has no versions to move over"),
        ViewId::Diff if model.desk.board.opening().is_some() => no("the rebuild is still being built"),
        ViewId::Diff => no("there is nothing to show: the rebuild changes nothing, or it failed"),
        ViewId::Changes => has_plan(model),
        ViewId::Pull => told(model, publishing::standing(model).map_or(Ok(()), Err)),
        ViewId::Reviews => no(model.told(&review::none(&model.desk))),
        ViewId::Verify => nothing_verified(model),
        ViewId::Backfill => nothing_filled(model),
        ViewId::Stranded => no(model.told(&stranded::none(&model.desk))),
        ViewId::Jobs if model.desk.history.has_hidden() => {
            no(format!("finished jobs are hidden; {} shows them again", model.key(Command::ClearDone)))
        }
        ViewId::Jobs => {
            let inventory = Context::View(ViewId::Inventory);
            let key = model.keys.bindings.first(inventory, Command::SurveyShown);
            no(format!("no job has run yet; {key} in the Inventory surveys"))
        }
    }
}

/// Why Verify has no rows.
fn nothing_verified(model: &Model) -> Legality {
    let verify = &model.views.verify;
    match &model.desk.run {
        Some(run) if verify.shows.only_bad && !run.rows.is_empty() => {
            no(format!("no row is bad; {} shows all", model.key(Command::OnlyErrors)))
        }
        Some(run) => match run.end {
            None => no("what to verify is still being read"),
            Some(End::Done { .. }) => no("the last verification had nothing to verify"),
            Some(End::Cancelled) => no("the last verification was stopped before it had rows"),
            Some(End::Failed(_)) => no("the last verification failed before it had rows"),
        },
        None => no(format!(
            "nothing has been verified yet; {} in the Inventory verifies an entry",
            model.keys.bindings.first(Context::View(ViewId::Inventory), Command::Verify)
        )),
    }
}

/// Why Backfill has no rows.
fn nothing_filled(model: &Model) -> Legality {
    let is_empty = model.desk.filling.as_ref().is_none_or(|filling| filling.rows.is_empty());
    if is_empty {
        return no(model.told(&backfill::none(&model.desk)));
    }
    no(format!("no row is bad; {} shows all", model.key(Command::OnlyErrors)))
}

/// Something can be verified, and nothing else is.
fn can_verify(model: &Model) -> Legality {
    is_loaded(model)?;
    match (model.screen, verifying::intent(model)) {
        (ViewId::Reviews, _) => can_review(model, true),
        (ViewId::Verify, _) if model.desk.run.is_none() => nothing_verified(model),
        (_, Some(intent)) => may(model, &intent),
        (ViewId::Entry | ViewId::Backfill, None) => has_rows(model),
        (_, None) => has_subject(model),
    }
}

/// Something is lacking in what is meant, and nothing else is filled in.
fn can_backfill(model: &Model) -> Legality {
    if model.screen == ViewId::Backfill {
        is_loaded(model)?;
        return told(model, model.desk.may_begin_backfill());
    }
    has_marks_or_subject(model)?;
    let (meant, how) = (work::meant(model), FillHow::default());
    may(model, &Intent::Backfill { meant, hidden: 0, how })
}

/// What is lacking in what is meant can be filled in on GitHub's machines.
fn can_dispatch(model: &Model) -> Legality {
    has_marks_or_subject(model)?;
    let plan = told(model, model.desk.dispatching(&work::meant(model), 1))?;
    may(model, &Intent::PrepareRun(plan))
}

/// A verification runs here, or a backfill, and is not about to end.
fn can_steer(model: &Model) -> Legality {
    if model.screen == ViewId::Backfill {
        return may(model, &Intent::Workers(Steered::Backfill, 1));
    }
    may(model, &Intent::StopAtBad(true))
}

/// There are rows, or lines of a log, of which some can be shown alone.
fn can_narrow(model: &Model) -> Legality {
    if model.screen == ViewId::Backfill {
        shows_table(model)?;
        let is_empty = model.desk.filling.as_ref().is_none_or(|filling| filling.rows.is_empty());
        return if is_empty { nothing_filled(model) } else { Ok(()) };
    }
    if model.screen != ViewId::Verify {
        return Ok(());
    }
    shows_table(model)?;
    let is_empty = model.desk.run.as_ref().is_none_or(|run| run.rows.is_empty());
    if is_empty { nothing_verified(model) } else { Ok(()) }
}

/// Verify, or Backfill, shows its table and not the details.
fn shows_table(model: &Model) -> Legality {
    let is_whole = match model.screen {
        ViewId::Backfill => model.views.backfill.is_whole,
        _ => model.views.verify.is_whole,
    };
    if !is_whole {
        return Ok(());
    }
    no(format!("the details are shown; {} goes back to the table", model.key(Command::Back)))
}

/// Rows can be marked, what is shown approved, or a verification paused.
fn can_mark(model: &Model) -> Legality {
    match model.screen {
        ViewId::Verify | ViewId::Backfill => can_steer(model),
        ViewId::Changes => can_approve(model),
        ViewId::Jobs => can_pause_here(model),
        _ => has_rows(model),
    }
}

/// The job under the cursor is a verification or a backfill that can be paused, or resumed.
fn can_pause_here(model: &Model) -> Legality {
    has_rows(model)?;
    match model.views.jobs.running_here(&model.desk) {
        Some(job) if matches!(job.job, Job::Verify(_)) => can_steer(model),
        Some(job) if matches!(job.job, Job::Backfill(BackfillTask::Run(_))) => {
            may(model, &Intent::Workers(Steered::Backfill, 1))
        }
        _ => no("only a verification or a backfill that is running here can be paused"),
    }
}

/// It was looked at, and no fold hides a difference of it at this moment.
fn can_approve(model: &Model) -> Legality {
    let hidden = model.views.changes.hidden_differences(&model.desk.planning);
    if hidden > 0 {
        let what = format!("{} unlike the others", counted(hidden, "target"));
        let key = model.key(Command::OpenFolds);
        return no(format!("a fold hides {what}; {key} opens all folds"));
    }
    can_answer(model, Verb::Approve)
}

/// The pull request can be made ready, or shown where it is; on it, its digits can be typed.
fn can_publish(model: &Model) -> Legality {
    if model.screen != ViewId::Pull {
        // What an earlier run left is there without a plan too.
        let is_left = model.desk.pull.is_earlier() || model.desk.pull.waiting() > 0;
        return if is_left { is_loaded(model) } else { has_plan(model) };
    }
    if model.desk.pull.has_next(&model.desk.board) {
        return Ok(());
    }
    match Pull::write(&model.desk) {
        Some(write) => told(model, model.desk.may_confirm(write).map(drop)),
        None => told(model, publishing::standing(model).map_or(Ok(()), Err)),
    }
}

/// A verdict on the pull request under the cursor can be made ready.
fn can_judge(model: &Model) -> Legality {
    has_rows(model)?;
    match reviewing::verdict(model, "comment") {
        Some(Ok(plan)) => may(model, &Intent::PrepareVerdict(plan)),
        Some(Err(why)) => no(why),
        None => Ok(()),
    }
}

/// Writing can be armed, or armed again.
fn can_arm(model: &Model) -> Legality {
    is_loaded(model)?;
    told(model, model.desk.writing_allowed())
}

/// Something can be said about the change under the cursor, or about the file.
fn can_answer(model: &Model, verb: Verb) -> Legality {
    if model.screen == ViewId::Stranded {
        has_rows(model)?;
        return may(model, &stranding::taking_back(model)?);
    }
    if model.screen == ViewId::Pull {
        return match (Pull::write(&model.desk), model.desk.pull.failure.is_some()) {
            (Some(write @ Write::Undo), false) => told(model, model.desk.may_confirm(write).map(drop)),
            _ => may(model, &Intent::LookAtUndo),
        };
    }
    has_plan(model)?;
    match model.views.changes.says(&model.desk.planning, verb) {
        Some(mark) => may(model, &Intent::Say(vec![mark])),
        None => Ok(()),
    }
}

/// Lines of a difference are seen.
fn has_lines(model: &Model) -> Legality {
    if model.screen != ViewId::Changes {
        return has_rows(model);
    }
    has_plan(model)?;
    if model.views.changes.has_lines(&model.desk.planning) {
        return Ok(());
    }
    no("the lines of this file are not here yet")
}

fn has_plan(model: &Model) -> Legality {
    told(model, model.desk.has_plan())
}

fn can_add(model: &Model) -> Legality {
    if model.screen == ViewId::Jobs {
        has_rows(model)?;
        return may(model, &machines::merging(model)?);
    }
    has_marks_or_subject(model)?;
    may(model, &Intent::add(work::meant(model), 0))
}

fn can_clear_errors(model: &Model) -> Legality {
    has_subject(model)?;
    if model.screen == ViewId::Stranded {
        return may(model, &stranding::clearing(model)?);
    }
    let Some(address) = model.subject() else { return Ok(()) };
    let clearing = model.desk.clearing(address).and_then(|intent| model.desk.may(&intent));
    told(model, clearing)
}

fn can_block(model: &Model) -> Legality {
    has_subject(model)?;
    if model.screen == ViewId::Stranded {
        let of = stranding::by_entry(model);
        for (address, versions) in &of {
            for version in versions {
                told(model, model.desk.blockable(address, Some(version)))?;
            }
        }
        let edit = |(address, versions)| (address, Edit::Block(versions, String::new()));
        return may(model, &Intent::Edit(of.into_iter().map(edit).collect()));
    }
    let Some(address) = model.subject() else { return Ok(()) };
    let version = told(model, model.desk.blockable(address, model.version()))?;
    may(model, &Intent::edit(address.clone(), Edit::Block(vec![version], String::new())))
}

/// What is meant is not ignored yet.
fn can_ignore(model: &Model) -> Legality {
    has_rows(model)?;
    stranding::ignorable(model).map(drop)
}

/// The author of what is meant can be asked.
fn can_message(model: &Model) -> Legality {
    has_rows(model)?;
    stranding::draft(model).map(drop)
}

fn can_search(model: &Model) -> Legality {
    match model.screen {
        ViewId::Inventory | ViewId::Jobs => is_loaded(model),
        _ => has_lines(model),
    }
}

/// There is a next one: a row of the list, a bad one of a verification, or a hit of the search.
fn has_next(model: &Model) -> Legality {
    match model.screen {
        ViewId::Inventory | ViewId::Stranded => return has_rows(model),
        ViewId::Verify | ViewId::Backfill => return has_bad(model),
        _ => {}
    }
    if model.search().is_some_and(|search| !search.text().is_empty()) {
        return Ok(());
    }
    no(format!("nothing is searched for; {} begins a search", model.key(Command::Filter)))
}

/// Rows are bad.
fn has_bad(model: &Model) -> Legality {
    shows_table(model)?;
    if model.screen == ViewId::Backfill {
        return match &model.desk.filling {
            Some(filling) if filling.bad() > 0 => Ok(()),
            Some(filling) if !filling.rows.is_empty() => no("no target is bad"),
            _ => nothing_filled(model),
        };
    }
    match &model.desk.run {
        Some(run) if run.groups.bad() > 0 => Ok(()),
        Some(run) if !run.rows.is_empty() => no("no target is bad"),
        _ => nothing_verified(model),
    }
}

fn has_panes(model: &Model) -> Legality {
    match model.screen {
        ViewId::Jobs => is_loaded(model),
        ViewId::Inventory => {
            has_rows(model)?;
            has_preview(model)?;
            if model.desk.list.no_preview {
                return no(format!("the preview is hidden; {} shows it", model.key(Command::Preview)));
            }
            Ok(())
        }
        ViewId::Verify | ViewId::Backfill | ViewId::Pull | ViewId::Reviews | ViewId::Stranded => {
            has_rows(model)
        }
        _ => has_plan(model),
    }
}

fn has_done(model: &Model) -> Legality {
    if model.desk.history.has_done() || model.desk.history.has_hidden() {
        return Ok(());
    }
    no("no job is finished")
}

/// An entry is meant, or what has a page of its own.
fn has_subject(model: &Model) -> Legality {
    if model.has_subject() || model.screen == ViewId::Reviews && model.has_rows() {
        return Ok(());
    }
    has_rows(model)?;
    if model.screen == ViewId::Jobs {
        return machines::page(model).map(drop);
    }
    no("no entry is selected")
}

/// Something that a command line does too.
fn has_line(model: &Model) -> Legality {
    if model.screen == ViewId::Pull {
        return if model.shows_run() { is_loaded(model) } else { has_plan(model) };
    }
    if model.screen != ViewId::Jobs {
        return has_subject(model);
    }
    has_rows(model)?;
    past::line(model).map_or_else(no, |_| Ok(()))
}

/// The screen tells something of which a copy can be made.
fn was_told(model: &Model) -> Legality {
    if let Some(Popup::Triage(_)) = model.popup {
        return triaging::answered(model);
    }
    match model.screen {
        ViewId::Changes => has_plan(model),
        ViewId::Verify if model.desk.run.as_ref().is_some_and(|run| !run.rows.is_empty()) => Ok(()),
        ViewId::Verify => nothing_verified(model),
        ViewId::Backfill => has_rows(model),
        ViewId::Reviews => {
            has_rows(model)?;
            match model.views.reviews.selected(&model.desk) {
                Some((_, Standing::Waiting)) => {
                    no(format!("it was not reviewed yet; {} reviews it", model.key(Command::SurveyThis)))
                }
                _ => Ok(()),
            }
        }
        ViewId::Pull if model.desk.pull.prepared.is_some() => Ok(()),
        ViewId::Pull => told(model, publishing::standing(model).map_or(Ok(()), Err)),
        _ => has_subject(model),
    }
}

/// A file can be shown with another program.
fn can_show(model: &Model) -> Legality {
    if model.screen == ViewId::Pull {
        return can_prepare(model);
    }
    has_subject(model)?;
    if model.options.has_viewer {
        return Ok(());
    }
    no("no program that shows a file was found; set EDITOR and PAGER and start again")
}

/// There are folds.
fn can_fold(model: &Model) -> Legality {
    has_rows(model)?;
    if model.screen == ViewId::Inventory && model.desk.list.group == Group::None {
        return no(format!("the list is not grouped; {} groups it", model.key(Command::Sort)));
    }
    let verify = &model.views.verify;
    if model.screen == ViewId::Verify {
        shows_table(model)?;
        if model.desk.run.as_ref().is_some_and(|run| !verify.shows.can_fold(&run.groups)) {
            return no("each target has its own line: no two of one version have the same result");
        }
    }
    Ok(())
}

fn can_jump_back(model: &Model) -> Legality {
    if model.views.inventory.jumps.is_empty() {
        return no("there is no place to go back to");
    }
    Ok(())
}

fn has_marks_or_subject(model: &Model) -> Legality {
    let marks = model.screen == ViewId::Inventory && model.desk.list.mark_count() > 0;
    if marks { Ok(()) } else { has_subject(model) }
}

fn can_survey(model: &Model) -> Legality {
    match model.screen {
        ViewId::Changes => may(model, &Intent::rebuild()),
        ViewId::Pull => match Pull::write(&model.desk) {
            Some(write @ Write::Resume) => told(model, model.desk.may_confirm(write).map(drop)),
            Some(Write::Undo) => Ok(()),
            _ => can_prepare(model),
        },
        ViewId::Reviews => can_review(model, false),
        ViewId::Backfill => may(model, &Intent::BackfillAgain),
        ViewId::Jobs => {
            has_rows(model)?;
            past::again(model).map_or_else(|| no("no job is selected"), |intent| may(model, &intent))
        }
        _ => {
            has_marks_or_subject(model)?;
            may(model, &Intent::survey(work::meant(model)))
        }
    }
}

fn can_prepare(model: &Model) -> Legality {
    may(model, &Intent::prepare(model.desk.pull.asked.clone()))
}

/// The pull request under the cursor can be reviewed.
fn can_review(model: &Model, hashes: bool) -> Legality {
    has_rows(model)?;
    let number = model.views.reviews.selected(&model.desk).map(|(pull, _)| pull.number);
    number.map_or(Ok(()), |number| may(model, &Intent::Review(ReviewPlan { number, hashes })))
}

fn can_survey_shown(model: &Model) -> Legality {
    if model.screen == ViewId::Reviews {
        return may(model, &Intent::ListReviews);
    }
    if model.screen == ViewId::Jobs {
        return may(model, &Intent::FollowRun(None));
    }
    if model.screen == ViewId::Changes {
        return can_survey(model);
    }
    has_rows(model)?;
    if model.screen == ViewId::Stranded {
        return may(model, &Intent::survey(Meant::Everything));
    }
    may(model, &Intent::survey(Meant::Shown))
}

fn can_cancel(model: &Model) -> Legality {
    match model.screen {
        ViewId::Jobs => {
            has_rows(model)?;
            match model.views.jobs.running_here(&model.desk) {
                Some(job) => may(model, &Intent::Cancel(Cancel::This(job.id))),
                None => no("this job is not running here"),
            }
        }
        ViewId::Verify => may(model, &Intent::Cancel(Cancel::Verification)),
        ViewId::Backfill => may(model, &Intent::Cancel(Cancel::Backfill)),
        ViewId::Pull => may(model, &Intent::Cancel(Cancel::Pull)),
        ViewId::Reviews => may(model, &Intent::Cancel(Cancel::Review)),
        _ => may(model, &Intent::Cancel(Cancel::Survey)),
    }
}

fn can_reload(model: &Model) -> Legality {
    may(model, &Intent::Reload)
}

fn has_preview(model: &Model) -> Legality {
    is_loaded(model)?;
    if model.has_preview() {
        return Ok(());
    }
    no("the window is too small for a preview: it takes 70 columns and 24 rows")
}

fn can_step_back(model: &Model) -> Legality {
    if model.can_step_back() {
        return Ok(());
    }
    no(format!("nothing to step back from; {} leaves the program", model.key(Command::Quit)))
}
