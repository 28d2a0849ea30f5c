//! The two lines on top: which view, which registry, which mode. Clock times only, so an idle console has nothing to draw.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use crate::desk::telling::arming;
use crate::desk::{Header, Registry};
use crate::rules::amount::{clock, counted, grouped};
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::keymap::{HOME, VIEWS, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::widgets::progress;
use crate::tui::widgets::strip::{Paint, Strip, ground, lay};

/// Draws the header. Views that are not built yet are not shown; their numbers stay reserved.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, area: Area, buffer: &mut Buffer) {
    ground(buffer, area, paint.style(Role::Bar));
    let class = model.size.class();
    let (mut first, _) = tabs(model, paint, area.width);
    let (name, facts) = match &model.desk.registry {
        Registry::Loaded(facts) => (format!("{} {}", facts.name, facts.revision), Some(facts)),
        Registry::Missing => ("no registry".into(), None),
        _ => (model.options.registry_hint.clone().unwrap_or_default(), None),
    };
    let has_room = |text: &str| text::width(text) + 1 < first.room();
    // A name that has no room in the first line stands in the second.
    let (name, registry) = match facts {
        Some(facts) if !has_room(&name) && has_room(&facts.revision) => {
            (facts.revision.clone(), Some(facts.name.clone()))
        }
        Some(_) if !has_room(&name) => (String::new(), Some(name)),
        _ => (name, None),
    };
    first.right(Role::Bar, &format!("{name} "));
    let mut second = Strip::new(paint, area.width);
    let (mode, tone) = arming::mode(&model.desk.arming, model.now);
    let role = if model.desk.arming.armed().is_some() { Role::meant(tone) } else { Role::Title };
    second.gap(1).put(role, &mode);
    if class == Class::Wide && facts.is_some() && !model.desk.may_write {
        second.gap(1).put(Role::Bar, arming::HOW_TO_WRITE);
    }
    if let Some(place) = model.inside() {
        second.gap(2).put(Role::Bar, &format!("{} {place}", model.tab().row().title));
    }
    if let Some(notice) = keys_notice(model, class).or_else(|| themes_notice(model, class)) {
        second.gap(2).put(Role::Warning, &notice);
    }
    // For as long as it is so: the message that gave the reason goes with the next key.
    if facts.is_some_and(|facts| !facts.keeps) {
        second.gap(2).put(Role::Warning, "nothing is saved when you quit");
    }
    let job = model.desk.board.foremost();
    let for_job = job.map_or(0, |job| progress::brief(job).len() + 3);
    let mut free = second.room().saturating_sub(for_job);
    let mut parts = parts(model, facts, registry, class);
    // The least important ones without room are left out; the others stand in their order.
    parts.sort_by_key(|part| part.rank);
    parts.retain(|part| {
        let cells = text::width(&part.text) + 2;
        let fits = cells <= free;
        free -= if fits { cells } else { 0 };
        fits
    });
    parts.sort_by_key(|part| part.place);
    for part in parts {
        second.gap(2).put(Role::Bar, &part.text);
    }
    if let Some(job) = job {
        progress::put_right(&mut second, paint, job);
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

/// The length of the names of the tabs, by the width of the window.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TabNames {
    Full,
    Short,
    /// None: the name of the current view follows the numbers.
    Numbers,
}

impl TabNames {
    fn of(width: u16) -> Self {
        match width {
            110.. => Self::Full,
            70.. => Self::Short,
            _ => Self::Numbers,
        }
    }
}

/// Cells that each tab keeps for its count, so that the tabs after it stay where they are.
const COUNT_CELLS: usize = 3;

/// The start of the first line: the views that have a number, and the cells of each. A tab never moves while one works in a
/// window of one size.
fn tabs<'a>(model: &Model, paint: &'a Paint<'a>, width: u16) -> (Strip<'a>, Vec<(Range<usize>, ViewId)>) {
    let mut strip = Strip::new(paint, width);
    if width >= 120 {
        strip.gap(1).put(Role::Title, "bumpdesk").gap(2);
    }
    let names = TabNames::of(width);
    let mut places = Vec::new();
    let mut closes_next = false;
    for row in &VIEWS {
        let Some(number) = row.id.keys().first() else { continue };
        let is_current = row.id == model.tab();
        let name = match names {
            TabNames::Full => row.title,
            TabNames::Short => row.short,
            TabNames::Numbers => "",
        };
        let has_count = row.id != HOME && names != TabNames::Numbers;
        let count = if has_count { count(model, row.id) } else { String::new() };
        let words: Vec<&str> = [*number, name, &count].into_iter().filter(|word| !word.is_empty()).collect();
        let words = words.join(" ");
        let reserved = match names {
            TabNames::Numbers => words.len() + 1,
            _ if has_count => 2 + name.len() + 1 + COUNT_CELLS,
            _ => 2 + name.len() + 1,
        };
        let from = usize::from(width) - strip.room();
        // The brackets of the current tab stand in blanks: behind it, if need be, in the one before the next tab.
        match (is_current, closes_next) {
            (true, _) => strip.put(Role::Tab, "["),
            (false, true) => strip.put(Role::Tab, "]"),
            (false, false) => strip.gap(1),
        };
        strip.put(if is_current { Role::Tab } else { Role::Bar }, &words);
        let blanks = reserved - words.len();
        closes_next = is_current && blanks == 0;
        if is_current && blanks > 0 {
            strip.put(Role::Tab, "]").gap(blanks - 1);
        } else {
            strip.gap(blanks);
        }
        places.push((from..usize::from(width) - strip.room(), row.id));
    }
    if closes_next {
        strip.put(Role::Tab, "]");
    }
    if names == TabNames::Numbers {
        strip.gap(1).put(Role::Tab, model.tab().row().title);
        let count = if model.tab() == HOME { String::new() } else { count(model, model.tab()) };
        if !count.is_empty() {
            strip.gap(1).put(Role::Tab, &count);
        }
    }
    (strip, places)
}

/// The number of items in a view, in at most three cells.
fn count(model: &Model, id: ViewId) -> String {
    model.views.get(id).map_or_else(String::new, |view| short_count(view.count(&model.desk)))
}

/// A count in at most three cells: `7`, `999`, `27k`, `.6M`. Empty for none.
fn short_count(count: usize) -> String {
    match count {
        0 => String::new(),
        1..1_000 => count.to_string(),
        1_000..100_000 => format!("{}k", count / 1_000),
        100_000..1_000_000 => format!(".{}M", count / 100_000),
        _ => format!("{}M", (count / 1_000_000).min(99)),
    }
}

/// What is wrong with the key file: it stays for as long as it is so.
fn keys_notice(model: &Model, class: Class) -> Option<String> {
    let count = model.keys.mistakes.len() as u64;
    let mistakes = counted(count, "mistake");
    if count == 0 && model.keys.has_new_notes {
        return Some(taken_keys(model.keys.taken.len(), class));
    }
    (count > 0).then(|| match class {
        Class::Wide => {
            format!("keys.toml has {mistakes}: defaults apply; `bumpdesk config check` lists them")
        }
        Class::Medium => format!("keys.toml has {mistakes}: defaults apply"),
        _ => format!("keys.toml: {mistakes}"),
    })
}

/// Keys of the key file that other actions had, in the first run in which it is so.
fn taken_keys(count: usize, class: Class) -> String {
    let keys = counted(count, "key");
    match class {
        Class::Wide => {
            format!("keys.toml takes {keys} from other actions; `bumpdesk config check` names them")
        }
        _ => format!("keys.toml takes {keys}: `bumpdesk config check`"),
    }
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

/// One fact of the second line. The lowest rank stays longest.
struct HeaderPart {
    place: u8,
    rank: u8,
    text: String,
}

/// The registry, the account, the rest of the API's limit, the last bump and the last check. Clock times and counts stand still while
/// nothing runs.
fn parts(model: &Model, facts: Option<&Header>, registry: Option<String>, class: Class) -> Vec<HeaderPart> {
    let Some(facts) = facts else { return Vec::new() };
    let clock = |at| clock(at, model.now);
    let tally = &model.desk.list.tally;
    let checked = match (tally.oldest, tally.newest) {
        (Some(old), Some(new)) if class == Class::Wide && clock(old) != clock(new) => {
            format!("checked {} (oldest {})", clock(new), clock(old))
        }
        (_, Some(new)) => format!("checked {}", clock(new)),
        _ => "never checked".into(),
    };
    let no_token = if class == Class::Wide { "no GitHub token: slower checks" } else { "no token" };
    let account = if facts.has_token { model.desk.account.clone() } else { Some(no_token.into()) };
    let left = model.desk.api_limit.as_ref();
    let left = left.map(|limit| format!("API {}/{}", grouped(limit.remaining), grouped(limit.limit)));
    let parts = [
        (1, registry),
        (2, account),
        (4, left),
        (0, facts.last_bump.map(|at| format!("last bump {}", clock(at)))),
        (3, Some(checked)),
    ];
    let part =
        |(place, (rank, text)): (u8, (u8, Option<String>))| Some(HeaderPart { place, rank, text: text? });
    (0..).zip(parts).filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::short_count;

    #[test]
    fn a_count_has_three_cells_at_most() {
        let counts = [0, 7, 43, 999, 1_000, 4_000, 27_449, 99_999, 100_000, 597_935, 1_000_000, usize::MAX];
        let shown = ["", "7", "43", "999", "1k", "4k", "27k", "99k", ".1M", ".5M", "1M", "99M"];
        assert_eq!(counts.map(short_count), shown);
    }
}
