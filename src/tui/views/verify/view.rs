//! Draws Verify.
//!
//! ```text
//! Verify  newrelic/newrelic 3.70.0   job 41   started 12:04Z   only reads
//! 112 targets of 8 versions: 1 bad, 66 ok, 45 undecided
//! archives  [######....] 69/112  1.31/2.26 GB  18.4 MB/s  50s-70s left  6 workers
//! ------------------------------------------------------- 1-18 of 88 ---
//!  STATE       ADDRESS    VERSION  TARGET        SIZE  SHA256SUMS  ARCHIVE  H1  SIGNED  NOTE
//! >X MISMATCH  ...                 + 11 targets
//! ----------------------------------------------------------------------
//! what the rows under the cursor say
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line as Drawn;

use crate::desk::Desk;
use crate::desk::ability::Ability;
use crate::desk::run::{End, Run};
use crate::desk::telling::verification;
use crate::rules::amount::{counted, grouped};
use crate::rules::diff::PlatformTable;
use crate::rules::verify::{Row, State};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::{Command, next_step};
use crate::tui::views::verify::detail::Details;
use crate::tui::views::verify::parts::Parts;
use crate::tui::views::verify::state::Verify;
use crate::tui::views::verify::table::{Columns, lines};
use crate::tui::views::verify::{detail, gauges};
use crate::tui::widgets::strip::{Paint, Strip, lay};
use crate::tui::widgets::{story, table};

/// The height from which the pane below the table shows all facts.
const WHOLE: u16 = 9;
/// The width from which the text below the table has two columns.
const TWO_COLUMNS: u16 = 180;

/// Draws the view, and returns the cell of the cursor.
pub(super) fn view(verify: &Verify, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let parts = verify.parts(desk.run.as_ref(), paint.window());
    let Some(run) = &desk.run else {
        let title = paint.named_rule(parts.title.width, true, &[], "Verify");
        lay(buffer, parts.title, &[title]);
        words(paint, layout::frame(paint.size).body, &nothing(paint), buffer);
        return None;
    };
    if verify.is_expanded {
        return Some(whole(verify, paint, run, buffer));
    }
    let typed = title(verify, desk, paint, run, &parts, buffer);
    if run.rows.is_empty() {
        words(paint, layout::frame(paint.size).body, &without_rows(paint, run), buffer);
        return None;
    }
    lay(buffer, parts.gauges, &gauges::lines(paint, run, parts.gauges));
    let Columns { indexes, shown: columns, places } =
        Columns::of(run.shape, run.rows.len(), paint.size.class(), parts.heads.width);
    lay(buffer, parts.heads, &[table::heads(paint, &columns, &places, parts.heads.width)]);
    lay(buffer, parts.floor, &[paint.rule(parts.floor.width)]);
    let lines = lines(verify, run, parts.list.height);
    let cell = |line: usize, column: usize| lines[line - verify.top].cell(indexes[column]);
    let window = verify.window(run);
    let cursor = table::rows(paint, (&columns, &places), window, cell, parts.list, buffer);
    if window.count == 0 {
        let text = no_row(verify, |command| paint.key(command));
        lay(buffer, parts.list, &[paint.line(parts.list.width, Role::Dim, &format!(" {text}"))]);
    }
    below(verify, paint, run, &parts, buffer);
    typed.or(cursor)
}

/// The name of the run, or the filter in its place; and the visible lines. Returns the cell of the text cursor while the filter is
/// typed.
fn title(
    verify: &Verify,
    desk: &Desk,
    paint: &Paint<'_>,
    run: &Run,
    parts: &Parts,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (area, window) = (parts.title, verify.window(run));
    let seen = table::seen(paint, window, parts.list.height);
    if verify.filter.typing || !run.filter().is_empty() {
        let found = format!("{} of {}", grouped(run.shown_rows()), counted(run.rows.len(), "target"));
        let is_cut = window.count > usize::from(parts.list.height);
        let tail = if is_cut { format!("{seen}, {found}") } else { found };
        return table::filter(paint, &verify.filter, &tail, area, buffer);
    }
    let only_bad = if run.order.only_bad { "only bad rows" } else { "" };
    let place: &[&str] = if run.rows.is_empty() { &[] } else { &[only_bad, &run.order.label(), &seen] };
    lay(buffer, area, &[gauges::title(desk, paint, run, place, area.width)]);
    None
}

/// Explains why no row is shown, and names the key that shows some.
pub(super) fn no_row(verify: &Verify, key: impl Fn(Command) -> String) -> String {
    if verify.filter.text().is_empty() {
        return format!("no row is bad; {} shows all rows", key(Command::OnlyErrors));
    }
    table::all_hidden(&key(Command::Back))
}

/// Sentences two lines below the top.
fn words(paint: &Paint<'_>, body: Area, sentences: &[(Role, String)], buffer: &mut Buffer) {
    let area = Area {
        x: body.x + 2.min(body.width),
        y: body.y + 2.min(body.height),
        width: body.width.saturating_sub(4),
        height: body.height.saturating_sub(2),
    };
    let mut lines: Vec<Drawn<'static>> = Vec::new();
    for (role, text) in sentences {
        lines.extend(paint.wrapped(area.width, *role, text));
    }
    lay(buffer, area, &lines);
}

fn nothing(paint: &Paint<'_>) -> Vec<(Role, String)> {
    let list = paint.key(Ability::Verify);
    let entry = next_step::in_entry(paint.bindings, Ability::Verify);
    vec![
        (Role::Text, "Nothing has been verified yet.".into()),
        (
            Role::Text,
            format!("{list} in the Inventory verifies an entry or the marked ones, {entry} in an opened entry one version."),
        ),
        (
            Role::Dim,
            "Every archive is downloaded and hashed, and compared with what the registry stores. It only reads.".into(),
        ),
    ]
}

fn without_rows(paint: &Paint<'_>, run: &Run) -> Vec<(Role, String)> {
    match &run.end {
        None => vec![(Role::Text, "Reading what is stored ...".into())],
        Some(End::Failed(failure)) => {
            let mut sentences = vec![(Role::Error, format!("{} failed", failure.doing))];
            sentences.extend(failure.causes.iter().map(|cause| (Role::Text, cause.clone())));
            sentences.extend(failure.hint.iter().map(|hint| (Role::Notice, story::in_keys(paint, hint))));
            sentences
        }
        Some(End::Done { .. }) => vec![(Role::Text, "There was nothing to verify.".into())],
        Some(End::Cancelled) => {
            let text = format!("Stopped before it began; {} begins again.", paint.key(Ability::VerifyRest));
            vec![(Role::Text, text)]
        }
    }
}

/// Draws the details of the rows under the cursor, and the path of the report.
fn below(verify: &Verify, paint: &Paint<'_>, run: &Run, parts: &Parts, buffer: &mut Buffer) {
    let columns = columns_of(parts.detail);
    let lines = under_cursor(verify, paint, run, columns[0]);
    let room: usize = columns.iter().map(|column| usize::from(column.height)).sum();
    let (from, hidden) = layout::scrolled(verify.from, room, lines.len());
    let mut rest = &lines[from..];
    for column in columns {
        let (first, others) = rest.split_at(rest.len().min(usize::from(column.height)));
        lay(buffer, column, first);
        rest = others;
    }
    lay(buffer, parts.rule, &[subject_rule(verify, paint, run, (false, hidden), parts.rule.width)]);
    let report = run.report.as_deref().map(|path| {
        let how = if run.is_running() { "written as rows finish" } else { "written" };
        let mut strip = Strip::new(paint, parts.report.width);
        let how = format!(", {how}");
        strip.gap(1).put(Role::Dim, "report  ");
        let room = strip.room().saturating_sub(text::width(&how) + 1);
        strip.put(Role::Text, &text::elide_middle(path, room, paint.glyphs)).put(Role::Dim, &how).line()
    });
    lay(buffer, parts.report, &[report.unwrap_or_default()]);
}

/// The pane below the table, in two columns if its sentences would leave half of a wide window empty.
fn columns_of(pane: Area) -> Vec<Area> {
    if pane.width < TWO_COLUMNS {
        return vec![pane];
    }
    let width = pane.width / 2;
    vec![Area { width: width - 1, ..pane }, Area { x: pane.x + width, width: pane.width - width, ..pane }]
}

/// All lines of the pane below the table.
fn under_cursor(verify: &Verify, paint: &Paint<'_>, run: &Run, area: Area) -> Vec<Drawn<'static>> {
    if area.height >= WHOLE && paint.size.class() != Class::Narrow {
        return all_of_it(verify, paint, run, area.width);
    }
    let rows = verify.rows(Some(run));
    let place = verify.first(Some(run)).filter(|_| rows.len() > 1);
    let grid = place.and_then(|place| platforms(run, place, &rows));
    let state = place.map_or(State::Queued, |place| run.state(place));
    detail::short(paint, &Details { rows, state, grid, is_expanded: false }, area.width, area.height)
}

/// All facts about the row or group under the cursor.
fn all_of_it(verify: &Verify, paint: &Paint<'_>, run: &Run, width: u16) -> Vec<Drawn<'static>> {
    let Some(place) = verify.first(Some(run)) else { return Vec::new() };
    let rows = verify.rows(Some(run));
    let grid = if rows.len() > 1 { platforms(run, place, &rows) } else { None };
    let details = Details { rows, state: run.state(place), grid, is_expanded: verify.is_expanded };
    detail::whole(paint, &details, width)
}

/// The platforms of the version of these rows, those of other results among them; `None` if they are of several versions.
fn platforms(run: &Run, place: usize, rows: &[&Row]) -> Option<PlatformTable> {
    let first = run.rows.get(place)?;
    let is_of_it = |row: &Row| row.version == first.version && row.address == first.address;
    if !rows.iter().all(|row| is_of_it(row)) {
        return None;
    }
    // The rows of a version stand together.
    let from = run.rows[..place].iter().rposition(|row| !is_of_it(row)).map_or(0, |at| at + 1);
    let of_version = run.rows[from..].iter().zip(from..).take_while(|(row, _)| is_of_it(row));
    let marks = of_version.map(|(row, at)| {
        let platform = row.target.split_once('_').unwrap_or((&row.target, ""));
        (platform, verification::mark(run.state(at)))
    });
    PlatformTable::of_marks(&marks.collect::<Vec<_>>())
}

/// The rule that names the subject of the details.
fn subject_rule(
    verify: &Verify,
    paint: &Paint<'_>,
    run: &Run,
    (has_keys, hidden): (bool, usize),
    width: u16,
) -> Drawn<'static> {
    let rows = verify.rows(Some(run));
    let subject = if rows.is_empty() { "Details".to_owned() } else { detail::title(&rows) };
    let more = paint.hidden(hidden);
    let room = usize::from(width).saturating_sub(text::width(&more) + 6);
    let subject = text::elide_middle(&text::clean(&subject, paint.glyphs), room, paint.glyphs).into_owned();
    paint.named_rule(width, has_keys, &[&more], &subject)
}

/// The number of lines by which the details can be scrolled.
pub(super) fn most_scrolled(verify: &Verify, run: Option<&Run>, paint: &Paint<'_>) -> usize {
    let Some(run) = run else { return 0 };
    if verify.is_expanded {
        let body = layout::frame(paint.size).body;
        let lines = all_of_it(verify, paint, run, paint.size.columns);
        return lines.len().saturating_sub(usize::from(body.height.saturating_sub(1)));
    }
    let columns = columns_of(verify.parts(Some(run), paint.window()).detail);
    let room: usize = columns.iter().map(|column| usize::from(column.height)).sum();
    under_cursor(verify, paint, run, columns[0]).len().saturating_sub(room)
}

/// Draws the details on the whole view.
fn whole(verify: &Verify, paint: &Paint<'_>, run: &Run, buffer: &mut Buffer) -> Position {
    let mut body = layout::frame(paint.size).body;
    let rule = layout::cut_top(&mut body, 1);
    let lines = all_of_it(verify, paint, run, paint.size.columns);
    let (from, hidden) = layout::scrolled(verify.from, usize::from(body.height), lines.len());
    lay(buffer, body, &lines[from..]);
    lay(buffer, rule, &[subject_rule(verify, paint, run, (true, hidden), rule.width)]);
    Position::new(body.x, body.y)
}
