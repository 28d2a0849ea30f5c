//! Draws the model. Pure: it takes `&Model`, changes nothing, and every size is legal.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::Registry;
use crate::desk::ability::Ability;
use crate::jobs::data::Failure;
use crate::tui::base::layout;
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::theme::Role;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::{availability, footer, header};
use crate::tui::views::inventory;
use crate::tui::widgets::diff::value_view;
use crate::tui::widgets::strip::{Paint, Strip, ground, lay};
use crate::tui::widgets::{answer, ask, card, form, help, palette, popup, progress, which_key};

/// Draws one frame.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let paint = model.paint();
    let whole = frame.area();
    let buffer = frame.buffer_mut();
    ground(buffer, whole, paint.style(Role::Text));
    let cursor = if model.size.class() == Class::Tiny {
        lay(buffer, whole, &tiny(model, &paint, whole.width));
        None
    } else {
        screen(model, &paint, buffer)
    };
    if let Some(cursor) = cursor.filter(|cursor| whole.contains(*cursor)) {
        frame.set_cursor_position(cursor);
    }
}

/// The job, or what to do about the size; in as many lines as there are.
fn tiny(model: &Model, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    match model.desk.board.survey().or_else(|| model.desk.board.verifying()) {
        Some(job) => vec![progress::line(paint, job, width)],
        None => paint.wrapped(
            width,
            Role::Text,
            "needs 40x12: make the window larger, or q quits; `bumpdesk list` needs no window",
        ),
    }
}

fn screen(model: &Model, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let frame = layout::frame(model.size);
    header::view(model, paint, frame.header, buffer);
    let cursor = match &model.desk.registry {
        Registry::Loaded(_) => model.seen().and_then(|view| view.draw(&model.desk, paint, buffer)),
        Registry::Missing => plain(paint, frame.body, &first_run(paint, frame.body.width), buffer),
        Registry::Loading => plain(paint, frame.body, &loading(model, paint, frame.body.width), buffer),
        Registry::Failed(failure) => {
            plain(paint, frame.body, &failed(model, paint, failure, frame.body.width), buffer)
        }
    };
    // Header and footer keep their colours: they say what is armed, and which keys apply.
    if model.popup.is_some() {
        popup::dim(paint, frame.body, buffer);
    }
    // A long message lies over the last lines of the view.
    footer::view(model, paint, &frame, buffer);
    let cursor = match &model.popup {
        Some(over) => overlay(model, paint, over, buffer),
        None => cursor,
    };
    which_key::view(
        paint,
        &|command| availability::check(model, command),
        model.context(),
        &model.keys.pending,
        buffer,
    );
    cursor
}

/// Lines in the body, two cells in, one down where there is room.
fn plain(_: &Paint<'_>, body: Area, lines: &[Line<'_>], buffer: &mut Buffer) -> Option<Position> {
    let down = 1.min(body.height.saturating_sub(lines.len() as u16));
    let area = Area {
        x: body.x + 2.min(body.width),
        y: body.y + down,
        width: body.width.saturating_sub(4),
        height: body.height - down,
    };
    lay(buffer, area, lines);
    None
}

fn first_run(paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let width = width.saturating_sub(4);
    let mut lines = paint.wrapped(width, Role::Title, "No registry was found here or in a parent folder.");
    lines.push(Line::default());
    lines.extend(paint.wrapped(
        width,
        Role::Text,
        "bumpdesk reads a checkout of the registry's repository. Leave with q, then one of:",
    ));
    for (command, label) in [
        ("bumpdesk demo", "a small invented registry with every status in it; no network, no token"),
        ("bumpdesk clone", "fetches the OpenTofu registry with git, about 500 MB"),
        ("bumpdesk --registry PATH", "a checkout, a bare clone or a plain folder you have"),
    ] {
        lines.push(Line::default());
        lines.push(paint.line(width, Role::Key, &format!("  {command}")));
        lines.extend(paint.wrapped(width.saturating_sub(4), Role::Dim, label).into_iter().map(|mut line| {
            line.spans.insert(0, ratatui::text::Span::raw("    "));
            line
        }));
    }
    lines
}

fn loading(model: &Model, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let width = width.saturating_sub(4);
    let name = model.options.registry_hint.clone().unwrap_or_default();
    let mut lines = vec![paint.line(width, Role::Title, &format!("Reading {name}")), Line::default()];
    if let Some(job) = model.desk.board.loading() {
        lines.push(progress::line(paint, job, width));
    } else {
        let text = format!("reading was stopped; {} reads again", model.key(Ability::Reload));
        lines.push(paint.line(width, Role::Text, &text));
    }
    lines
}

fn failed(model: &Model, paint: &Paint<'_>, failure: &Failure, width: u16) -> Vec<Line<'static>> {
    let width = width.saturating_sub(4);
    let mut lines = paint.wrapped(width, Role::Error, &format!("{} failed", failure.doing));
    lines.push(Line::default());
    for cause in &failure.causes {
        lines.extend(paint.wrapped(width, Role::Text, cause));
    }
    if let Some(hint) = &failure.hint {
        lines.push(Line::default());
        lines.extend(paint.wrapped(width, Role::Notice, &model.in_keys(hint)));
    }
    lines.push(Line::default());
    let (again, leave) = (model.key(Ability::Reload), model.key(Ability::Leave));
    lines.push(Strip::new(paint, width).key(&again, "reads it again").gap(3).key(&leave, "leaves").line());
    lines
}

fn overlay(model: &Model, paint: &Paint<'_>, over: &Popup, buffer: &mut Buffer) -> Option<Position> {
    let check = |command| availability::check(model, command);
    match over {
        Popup::Help(page) => Some(help::view(paint, page, buffer)),
        Popup::Palette(found) => Some(palette::view(paint, &check, model.subject_of_lines(), found, buffer)),
        Popup::Sort(at) => Some(model.seen()?.sort_menu(&model.desk).view(paint, *at, buffer)),
        Popup::Views(list) => Some(inventory::draw_views(paint, list, buffer)),
        Popup::DropView(question) => {
            inventory::draw_drop_view(paint, question, buffer);
            None
        }
        Popup::Leave => {
            ask::leave(paint, &model.desk.leaving(), buffer);
            None
        }
        Popup::Ask(question) => {
            ask::view(paint, question, buffer);
            None
        }
        Popup::Form(card) => {
            let values = card.values();
            let notes = model.desk.form_notes(&card.form, &values, model.now);
            let preview = model.desk.form_preview(&card.form.subject, &values);
            Some(form::view(paint, card, (&notes, &preview), buffer))
        }
        Popup::Triage(from) => {
            if let Some(lookup) = &model.desk.triage {
                answer::view(paint, lookup, *from, buffer);
            }
            None
        }
        Popup::Text(text) => {
            card::view(paint, text, buffer);
            None
        }
        Popup::Value(card) => {
            value_view(paint, model.size, card, buffer);
            None
        }
    }
}
