//! The two lines on top: which view, which registry, which mode. Clock times only, so an idle console has nothing to draw.

use ratatui::buffer::Buffer;

use crate::rules::amount::{clock, counted};
use crate::tui::layout::{Area, Class};
use crate::tui::model::{Facts, Model, Registry, Screen};
use crate::tui::theme::Role;
use crate::tui::views;
use crate::tui::views::Tab;
use crate::tui::widgets::strip::{Paint, Strip, ground, lay};

/// Draws the header. Views that are not built yet are not shown; their numbers stay reserved.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, area: Area, buffer: &mut Buffer) {
    ground(buffer, area, paint.style(Role::Bar));
    let class = model.size.class();
    let mut first = Strip::new(paint, area.width);
    first.gap(1);
    if class == Class::Wide {
        first.put(Role::Title, "bumpdesk").gap(2);
    }
    tabs(model, &mut first, class);
    if let Some(place) = place(model) {
        first.gap(1).put(Role::Bar, place);
    }
    let (name, facts) = match &model.registry {
        Registry::Loaded(facts) => (format!("{} {}", facts.name, facts.revision), Some(facts)),
        Registry::Missing => ("no registry".into(), None),
        _ => (model.options.registry_hint.clone().unwrap_or_default(), None),
    };
    let short = facts.map(|facts| facts.revision.clone()).unwrap_or_default();
    let name = if name.chars().count() + 1 < first.room() { name } else { short };
    first.right(Role::Bar, &format!("{name} "));
    let mut second = Strip::new(paint, area.width);
    second.gap(1).put(Role::Tab, "READ-ONLY");
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

/// The views: with names and counts where there is room, else by their numbers.
fn tabs(model: &Model, strip: &mut Strip<'_>, class: Class) {
    let tabs = views::tabs(model);
    let named = |tab: &Tab| match tab.count {
        0 => tab.name.to_owned(),
        count => format!("{}({count})", tab.name),
    };
    if class == Class::Narrow
        && let Some(tab) = tabs.iter().find(|tab| tab.is_open)
    {
        strip.put(Role::Title, &named(tab)).gap(2);
    }
    for (place, tab) in tabs.iter().enumerate() {
        let number = tab.number.to_string();
        let text = match class {
            Class::Wide => format!("{number} {}", named(tab)),
            Class::Medium if tab.is_open => format!("{number} {}", named(tab)),
            _ => number,
        };
        strip.gap(usize::from(place > 0));
        if tab.is_open {
            strip.put(Role::Tab, &format!("[{text}]"));
        } else {
            strip.put(Role::Bar, &text);
        }
    }
}

/// Which screen stands on the view.
fn place(model: &Model) -> Option<&'static str> {
    match model.screen {
        Screen::Inventory | Screen::Changes | Screen::Verify | Screen::Jobs => None,
        Screen::Entry => Some("> entry"),
        Screen::Diff => Some("> proposed rebuild"),
    }
}

/// What is wrong with the key file: it stays for as long as it is so.
fn keys_notice(model: &Model, class: Class) -> Option<String> {
    let count = model.keys.mistakes.len() as u64;
    let mistakes = counted(count, "mistake");
    (count > 0).then(|| match class {
        Class::Wide => {
            format!("keys.toml has {mistakes}: usual keys count; `bumpdesk config check` tells them")
        }
        Class::Medium => format!("keys.toml has {mistakes}: usual keys count"),
        _ => format!("keys.toml: {mistakes}"),
    })
}

/// What is wrong with themes of the user's own, as long as nothing is with the keys.
fn themes_notice(model: &Model, class: Class) -> Option<String> {
    let count = model.options.themes.problems.len() as u64;
    let mistakes = counted(count, "mistake");
    (count > 0).then(|| match class {
        Class::Wide => format!("your themes have {mistakes}; `bumpdesk config check` tells them"),
        _ => format!("themes: {mistakes}"),
    })
}

fn parts(model: &Model, facts: Option<&Facts>, class: Class) -> Vec<String> {
    let Some(facts) = facts else { return Vec::new() };
    let mut parts = Vec::new();
    let clock = |at| clock(at, model.now);
    let tally = &model.inventory.list.tally;
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
