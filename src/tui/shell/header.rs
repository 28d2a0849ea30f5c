//! The two lines on top: which view, which registry, which mode. Clock times only, so an idle console has nothing to draw.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::telling::arming;
use crate::desk::{Header, Registry};
use crate::rules::amount::{clock, counted};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{VIEWS, ViewId, ViewRow};
use crate::tui::shell::model::Model;
use crate::tui::widgets::strip::{Paint, Strip, ground, lay};

/// Draws the header. Views that are not built yet are not shown; their numbers stay reserved.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, area: Area, buffer: &mut Buffer) {
    ground(buffer, area, paint.style(Role::Bar));
    let class = model.size.class();
    let (mut first, _) = tabs(model, paint, area.width);
    if let Some(place) = model.inside() {
        first.gap(1).put(Role::Bar, place);
    }
    let (name, facts) = match &model.desk.registry {
        Registry::Loaded(facts) => (format!("{} {}", facts.name, facts.revision), Some(facts)),
        Registry::Missing => ("no registry".into(), None),
        _ => (model.options.registry_hint.clone().unwrap_or_default(), None),
    };
    let short = facts.map(|facts| facts.revision.clone()).unwrap_or_default();
    let name = if name.chars().count() + 1 < first.room() { name } else { short };
    first.right(Role::Bar, &format!("{name} "));
    let mut second = Strip::new(paint, area.width);
    let (mode, tone) = arming::mode(&model.desk.arming, model.now);
    let role = if model.desk.arming.armed().is_some() { Role::meant(tone) } else { Role::Tab };
    second.gap(1).put(role, &mode);
    if let Some(notice) = keys_notice(model, class).or_else(|| themes_notice(model, class)) {
        second.gap(2).put(Role::Warning, &notice);
    }
    // For as long as it is so: the message that gave the reason goes with the next key.
    if facts.is_some_and(|facts| !facts.keeps) {
        second.gap(2).put(Role::Warning, "nothing is kept");
    }
    for part in parts(model, facts, class) {
        if part.chars().count() + 2 <= second.room() {
            second.gap(2).put(Role::Bar, &part);
        }
    }
    lay(buffer, area, &[first.line(), second.line()]);
}

/// The view whose tab stands in a cell.
pub(crate) fn view_at(model: &Model, cell: Position) -> Option<ViewId> {
    let paint = model.paint();
    let (_, places) = tabs(model, &paint, model.size.columns);
    let here = |(place, _): &(Range<usize>, ViewId)| cell.y == 0 && place.contains(&usize::from(cell.x));
    places.into_iter().find(here).map(|(_, id)| id)
}

/// Letters of the names of the views that are not open, from what is best to what always fits.
const LETTERS: [usize; 4] = [usize::MAX, 4, 3, 0];

/// The start of the first line: the views with their names, as far as there is room; and where each stands. The one that is
/// open has its whole name.
fn tabs<'a>(model: &Model, paint: &'a Paint<'a>, width: u16) -> (Strip<'a>, Vec<(Range<usize>, ViewId)>) {
    let mut strip = Strip::new(paint, width);
    strip.gap(1);
    if model.size.class() == Class::Wide {
        strip.put(Role::Title, "bumpdesk").gap(2);
    }
    let is_open = |row: &ViewRow| row.id == model.tab();
    let count = |row: &ViewRow| match model.views.get(row.id).map_or(0, |view| view.count(&model.desk)) {
        0 => String::new(),
        count => format!("({count})"),
    };
    let tab = |row: &'static ViewRow, letters: usize| {
        let number = *row.id.keys().first()?;
        let name = text::start(row.title, letters);
        Some((
            row.id,
            match letters {
                _ if is_open(row) => (Role::Tab, format!("[{number} {}{}]", row.title, count(row))),
                0 => (Role::Bar, number.to_owned()),
                _ => (Role::Bar, format!("{number} {name}{}", count(row))),
            },
        ))
    };
    let inside = model.inside().map_or(0, |place| text::width(place) + 1);
    let all = |letters| VIEWS.iter().filter_map(move |row| tab(row, letters));
    let cells = |letters: usize| all(letters).map(|(_, (_, tab))| text::width(&tab) + 1).sum::<usize>();
    let fits = |letters: &usize| cells(*letters) + inside <= strip.room() + 1;
    let letters = LETTERS.into_iter().find(fits).unwrap_or_default();
    let mut places = Vec::new();
    for (place, (id, (role, tab))) in all(letters).enumerate() {
        strip.gap(usize::from(place > 0));
        let from = usize::from(width) - strip.room();
        strip.put(role, &tab);
        places.push((from..usize::from(width) - strip.room(), id));
    }
    (strip, places)
}

/// What is wrong with the key file: it stays for as long as it is so.
fn keys_notice(model: &Model, class: Class) -> Option<String> {
    let count = model.keys.mistakes.len() as u64;
    let mistakes = counted(count, "mistake");
    (count > 0).then(|| match class {
        Class::Wide => {
            format!("keys.toml has {mistakes}: defaults apply; `bumpdesk config check` lists them")
        }
        Class::Medium => format!("keys.toml has {mistakes}: defaults apply"),
        _ => format!("keys.toml: {mistakes}"),
    })
}

/// What is wrong with themes of the user's own, as long as nothing is with the keys.
fn themes_notice(model: &Model, class: Class) -> Option<String> {
    let count = model.options.themes.problems.len() as u64;
    let mistakes = counted(count, "mistake");
    (count > 0).then(|| match class {
        Class::Wide => format!("your themes have {mistakes}; `bumpdesk config check` lists them"),
        _ => format!("themes: {mistakes}"),
    })
}

fn parts(model: &Model, facts: Option<&Header>, class: Class) -> Vec<String> {
    let Some(facts) = facts else { return Vec::new() };
    let mut parts = Vec::new();
    let clock = |at| clock(at, model.now);
    let tally = &model.desk.list.tally;
    match (tally.oldest, tally.newest) {
        (Some(old), Some(new)) if class == Class::Wide && clock(old) != clock(new) => {
            parts.push(format!("checked {} (oldest {})", clock(new), clock(old)));
        }
        (_, Some(new)) => parts.push(format!("checked {}", clock(new))),
        _ => parts.push("never checked".into()),
    }
    if let Some(at) = facts.last_bump {
        parts.push(format!("last bump {}", clock(at)));
    }
    if !facts.has_token {
        parts.push(if class == Class::Wide { "no token: slower, no GraphQL" } else { "no token" }.into());
    }
    parts
}
