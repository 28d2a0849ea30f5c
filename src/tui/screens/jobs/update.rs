//! What keys do to Jobs. Jobs are started and stopped in `tui::past`.

use crate::rules::amount::grouped;
use crate::tui::keymap::Command;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::screens::jobs::log;
use crate::tui::screens::jobs::parts::parts;
use crate::tui::screens::jobs::state::{place, rows, selected};
use crate::tui::widgets::search;
use crate::tui::widgets::search::{Search, Typed};
use crate::tui::{past, views};

const SIDEWAYS: usize = 8;

/// Whether this view does something of its own for a command.
pub(crate) fn is_own(command: Command) -> bool {
    command.motion(1).is_some()
        || matches!(
            command,
            Command::SurveyThis
                | Command::CancelJob
                | Command::ClearDone
                | Command::OnlyErrors
                | Command::Filter
                | Command::NextWanting
                | Command::PreviousWanting
                | Command::Wrap
                | Command::Left
                | Command::Right
                | Command::OtherPane
                | Command::OtherDown
                | Command::OtherUp
                | Command::Open
                | Command::Back
        )
}

/// Does what a key says.
pub(crate) fn act(model: &mut Model, command: Command) -> Vec<Effect> {
    let jobs = &mut model.views.jobs;
    match command {
        Command::SurveyThis => return past::run_again(model),
        Command::CancelJob => return past::cancel(model),
        Command::ClearDone => clear(model),
        Command::OnlyErrors => {
            jobs.only_errors = !jobs.only_errors;
            jobs.back = 0;
            let text =
                if jobs.only_errors { "errors, warnings and failed requests alone" } else { "every line" };
            model.reply(text);
            find(model);
        }
        Command::Filter => jobs.search.open(),
        Command::NextWanting | Command::PreviousWanting => to_hit(model, command == Command::NextWanting),
        Command::Wrap => {
            jobs.wrap = !jobs.wrap;
            jobs.left = 0;
        }
        Command::Left => jobs.left = jobs.left.saturating_sub(SIDEWAYS),
        Command::Right if !jobs.wrap => jobs.left = (jobs.left + SIDEWAYS).min(4096),
        Command::OtherPane => jobs.in_log = !jobs.in_log,
        Command::Open => jobs.in_log = true,
        Command::Back => return step_back(model),
        Command::OtherDown | Command::OtherUp => {
            let by = if command == Command::OtherDown { 1 } else { -1 };
            if jobs.in_log { step_row(model, by) } else { step_log(model, by) }
        }
        command => {
            let (in_log, parts) = (jobs.in_log, parts(model.size));
            let page = usize::from(if in_log { parts.log.height } else { parts.list.height });
            if let Some(by) = command.motion(page) {
                if in_log { step_log(model, by) } else { step_row(model, by) }
            }
        }
    }
    settle(model);
    Vec::new()
}

fn step_row(model: &mut Model, by: isize) {
    let rows = rows(model);
    let here = place(model, &rows);
    let to = here.saturating_add_signed(by).min(rows.len().saturating_sub(1));
    model.views.jobs.at = rows.get(to).map(|row| row.key);
    if to != here {
        model.views.jobs.back = 0;
        find(model);
    }
}

/// Puts the cursor on the row that stands so many lines below the first one.
pub(crate) fn point_at(model: &mut Model, below: usize) {
    let rows = rows(model);
    if let Some(row) = rows.get(model.views.jobs.top + below) {
        model.views.jobs.at = Some(row.key);
        model.views.jobs.in_log = false;
        settle(model);
    }
}

/// Scrolls the log; its end is followed again once that is reached.
fn step_log(model: &mut Model, by: isize) {
    let back = &mut model.views.jobs.back;
    *back = back.saturating_add_signed(by.saturating_neg());
}

/// Keeps cursor and windows inside what there is.
pub(crate) fn settle(model: &mut Model) {
    let rows = rows(model);
    let parts = parts(model.size);
    let at = place(model, &rows);
    let page = usize::from(parts.list.height).max(1);
    let lines = log::shown(model, rows.get(at)).len();
    let most = lines.saturating_sub(usize::from(parts.log.height).max(1));
    let jobs = &mut model.views.jobs;
    jobs.top = jobs.top.min(rows.len().saturating_sub(page)).min(at).max((at + 1).saturating_sub(page));
    jobs.back = jobs.back.min(most);
}

fn clear(model: &mut Model) {
    let jobs = &mut model.views.jobs;
    jobs.history.cleared = Some(model.now);
    jobs.at = None;
    model.reply("jobs that are over are hidden; `bumpdesk jobs` lists them");
}

/// Out of the search, then out of the log, then to the Inventory.
fn step_back(model: &mut Model) -> Vec<Effect> {
    let jobs = &mut model.views.jobs;
    if !jobs.search.text().is_empty() {
        jobs.search = Search::default();
    } else if jobs.in_log {
        jobs.in_log = false;
    } else {
        return views::go_home(model);
    }
    Vec::new()
}

/// Looks for what is searched for among the lines that are shown.
fn find(model: &mut Model) {
    let row = selected(model);
    let wanted = model.views.jobs.search.text().to_owned();
    let hits: Vec<u32> = log::shown(model, row.as_ref())
        .iter()
        .enumerate()
        .filter_map(|(at, line)| search::has(&line.text, &wanted).then_some(at as u32))
        .collect();
    let search = &mut model.views.jobs.search;
    search.told = match hits.len() {
        0 => "not found".into(),
        count => format!("{} found", grouped(count)),
    };
    search.hits = hits;
}

/// Takes what was typed into the search field; gives what there is to say.
pub(crate) fn typed(model: &mut Model, typed: Typed) -> Option<String> {
    if typed == Typed::Nothing || model.views.jobs.search.text().is_empty() {
        return None;
    }
    find(model);
    if typed == Typed::Kept {
        model.views.jobs.in_log = true;
        // The newest lines are looked at first.
        to_hit(model, false);
        settle(model);
    }
    None
}

/// To another hit: it stands in the middle of the window where there are lines enough.
fn to_hit(model: &mut Model, forward: bool) {
    let row = selected(model);
    let lines = log::shown(model, row.as_ref()).len();
    let half = usize::from(parts(model.size).log.height) / 2;
    let jobs = &mut model.views.jobs;
    let place = jobs.search_at.unwrap_or(lines as u32);
    let Some(hit) = jobs.search.next(place, forward) else {
        let text = format!("`{}` is not found", jobs.search.text());
        return model.reply(text);
    };
    jobs.search_at = Some(hit);
    jobs.back = lines.saturating_sub(hit as usize + 1).saturating_sub(half);
    let number = jobs.search.hits.partition_point(|at| *at <= hit);
    let text = format!("hit {number} of {}", jobs.search.told);
    model.reply(text);
}
