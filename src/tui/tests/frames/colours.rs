//! Colours: what each theme makes of every role, once; and that screens say roles, on grounds on which they can be read.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::{Color, Style};

use super::bars::CASES;
use super::{Frames, VIEWS, after, changes, diff, entry, inventory, jobs, keep, pressed, verify};
use crate::rules::Status;
use crate::settings::{ColorDepth, ThemeText};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::theme::tests::grounds;
use crate::tui::base::theme::{Role, Theme, Themes};
use crate::tui::shell::model::Model;
use crate::tui::tests::keys::with_keys;
use crate::tui::tests::others::listed;
use crate::tui::tests::{drawn, started, text, world};

fn colour(colour: Color) -> String {
    match colour {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::Indexed(index) => index.to_string(),
        named => named.to_string(),
    }
}

/// A style in words: `#d8dee6 on #14171c, bold`.
fn words(style: Style) -> String {
    let ink = style.fg.map(colour);
    let paper = style.bg.map(|paper| format!("on {}", colour(paper)));
    let colours: Vec<String> = ink.into_iter().chain(paper).collect();
    let attributes = style.add_modifier.iter_names().map(|(name, _)| name.to_lowercase());
    let parts = (!colours.is_empty()).then(|| colours.join(" ")).into_iter().chain(attributes);
    parts.collect::<Vec<_>>().join(", ")
}

fn name(theme: &str) -> String {
    format!("theme-{theme}")
}

pub(super) fn names() -> impl Iterator<Item = String> {
    Themes::default().names().map(name).collect::<Vec<_>>().into_iter()
}

#[test]
fn style_sheets() {
    let depths = [ColorDepth::True, ColorDepth::Indexed, ColorDepth::Sixteen, ColorDepth::None];
    let sets = depths.map(|depth| Themes::new(&[], depth));
    for theme in sets[0].names() {
        let themes: Vec<Theme> = sets.iter().map(|themes| themes.find(theme).unwrap()).collect();
        let mut sheet = format!(
            "{:<8}  {:<34}{:<24}{:<28}without colours\n",
            "role", "all colours", "256 colours", "16 colours"
        );
        for role in Role::ALL {
            let [all, indexed, sixteen, none] = [0, 1, 2, 3].map(|at| words(themes[at].style(role)));
            let line = format!("{:<8}  {all:<34}{indexed:<24}{sixteen:<28}{none}", role.name());
            writeln!(sheet, "{}", line.trim_end()).unwrap();
        }
        keep(&name(theme), &sheet);
    }
}

/// A theme in which every colour belongs to one role only.
fn telling() -> Theme {
    let mut text = String::from("[roles]\n");
    for role in Role::ALL {
        let ink = format!("fg = \"#0000{:02x}\"", role as u8);
        let paper = format!("bg = \"#0100{:02x}\"", role as u8);
        let parts = match role {
            Role::Cursor => paper,
            Role::Text | Role::Bar | Role::Tab | Role::Popup => format!("{ink}, {paper}"),
            _ => ink,
        };
        writeln!(text, "{} = {{ {parts} }}", role.name()).unwrap();
    }
    let theme = ThemeText { name: "telling".into(), path: "/telling.toml".into(), text: Ok(text) };
    let themes = Themes::new(&[theme], ColorDepth::True);
    assert_eq!(themes.problems, [""; 0]);
    themes.find("telling").unwrap()
}

/// Which roles a cell's ink and ground have.
fn roles(ink: Color, paper: Color) -> Option<(Role, Role)> {
    let role = |colour: Color, kind: u8| match colour {
        Color::Rgb(found, 0, place) if found == kind => Role::ALL.get(usize::from(place)).copied(),
        _ => None,
    };
    role(ink, 0).zip(role(paper, 1))
}

/// The cells of a model's frame with their roles: the ink's and the ground's.
fn cells(name: &str, mut model: Model) -> (Buffer, HashMap<Position, (Role, Role)>) {
    model.theme = telling();
    let buffer = drawn(&model);
    let told = |place: Position| {
        let cell = &buffer[place];
        assert!(cell.modifier.is_empty(), "{name}, {place}: {:?} is no theme's", cell.modifier);
        let found = roles(cell.fg, cell.bg);
        (place, found.unwrap_or_else(|| panic!("{name}, {place}: {:?} on {:?}", cell.fg, cell.bg)))
    };
    let cells = buffer.area.positions().map(told).collect();
    (buffer, cells)
}

/// Together with the contrast of these pairs in every theme: whatever is on a screen can be read.
#[test]
fn every_cell_is_a_role_on_a_ground_that_its_contrast_is_measured_on() {
    let mut seen = BTreeSet::new();
    let told = CASES.iter().map(|(name, make)| ((*name).to_owned(), make(120, 40)));
    for (name, model) in VIEWS.iter().flat_map(|frames| frames.models()).chain(told) {
        for (place, (ink, ground)) in cells(&name, model).1 {
            assert!(grounds(ink).contains(&ground), "{name}, {place}: {ink:?} stands on {ground:?}");
            seen.extend([ink, ground]);
        }
    }
    let unseen: Vec<Role> = Role::ALL.into_iter().filter(|role| !seen.contains(role)).collect();
    assert_eq!(unseen, [], "no frame shows them");
}

/// The role of words on a screen: of their first place, and all in one.
fn role_of(name: &str, model: Model, words: &str) -> Role {
    let (buffer, cells) = cells(name, model);
    let lines = text(&buffer, buffer.area);
    let mut lines = lines.lines().enumerate();
    let found = lines.find_map(|(y, line)| line.find(words).map(|x| (x as u16, y as u16)));
    let (x, y) = found.unwrap_or_else(|| panic!("{name}: no `{words}`"));
    let places = (x..x + words.len() as u16).map(|x| Position { x, y });
    let inks: BTreeSet<Role> =
        places.filter(|at| buffer[*at].symbol() != " ").map(|at| cells[&at].0).collect();
    assert_eq!(inks.len(), 1, "{name}, `{words}`: {inks:?}");
    inks.into_iter().next().unwrap()
}

#[test]
fn words_have_the_colour_of_what_they_mean() {
    let normal = |frames: &Frames| frames.normal.1(120, 40);
    let jobs = || normal(&jobs::FRAMES);
    let held = || changes::reviewing(120, 40, ") )");
    let cases = vec![
        ("what this console may do", "READ-ONLY", Role::Title, normal(&inventory::FRAMES)),
        ("the program", "bumpdesk", Role::Title, normal(&inventory::FRAMES)),
        ("the registry", "main@f00f6d5", Role::Bar, normal(&inventory::FRAMES)),
        ("a marked row", "*", Role::Mark, normal(&inventory::FRAMES)),
        ("a column", "ADDRESS", Role::Title, normal(&inventory::FRAMES)),
        ("a key", "j/k", Role::Key, normal(&entry::FRAMES)),
        ("what a key does", "move", Role::Text, normal(&entry::FRAMES)),
        ("an open field", "filter>", Role::Key, pressed(120, 40, "/ z e d")),
        ("what is typed", "zz", Role::Prompt, pressed(120, 40, "/ z z")),
        ("a failure", "reading the registry failed", Role::Error, inventory::failed(120, 40)),
        ("advice", "Name a checkout", Role::Notice, inventory::failed(120, 40)),
        ("a mistake", "keys.toml has", Role::Warning, with_keys("x = 1", 120, 40)),
        ("where the cursor is", "version 3.70.1", Role::Path, normal(&diff::FRAMES)),
        ("a harmless rebuild", "+ ADDITIVE", Role::Fine, normal(&diff::FRAMES)),
        ("a new text", "\"linux\"", Role::Added, normal(&diff::FRAMES)),
        ("a new field", "\"os\"", Role::JsonKey, normal(&diff::FRAMES)),
        ("a line that goes", "null", Role::Removed, after(normal(&diff::FRAMES), "G")),
        ("a fold", "204 unchanged versions", Role::Fold, after(normal(&diff::FRAMES), "G")),
        ("a platform that is listed", ". listed, not hashed", Role::Dim, normal(&diff::FRAMES)),
        ("a finding", "warning", Role::Warning, normal(&diff::FRAMES)),
        ("a rebuild that alters", "! MUTATES", Role::Act, held()),
        ("the old sum", "03c464f", Role::Removed, held()),
        ("what differs in the new sum", "bb", Role::Differs, held()),
        ("a checksum that differs", "X MISMATCH", Role::Act, normal(&verify::FRAMES)),
        ("a fine target", "v OK", Role::Fine, normal(&verify::FRAMES)),
        ("a job that failed", "X FAILED", Role::Error, jobs()),
        ("an error in the log", "ERROR", Role::Error, jobs()),
        ("a box's name", "Leave?", Role::Title, after(jobs(), "q")),
        ("a box's text", "These jobs are running", Role::Text, after(jobs(), "q")),
    ];
    let mut wrong = Vec::new();
    for (name, words, role, model) in cases {
        let found = role_of(name, model, words);
        if found != role {
            wrong.push(format!("{name}: `{words}` has {found:?}, not {role:?}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
    let all = || started(world::normal(), 120, 40);
    // The list has no row with the status KEYS or UNUSABLE.
    for status in Status::words().filter(|status| !["KEYS", "UNUSABLE"].contains(&status.word())) {
        let words = format!("{} {}", Glyphs::Ascii.status(status), status.word());
        let verdicts = all().desk.list.verdicts;
        let verdict = verdicts.iter().find(|one| one.status.word() == status.word() && !one.is_unasked());
        let level = verdict.expect("a row with this status").level();
        assert_eq!(role_of("a status", all(), &words), Role::of(level), "{words}");
    }
}

/// Makes the model of a view.
type Start = fn() -> Model;

/// Exactly one pane has the keys, and it can be told from the others.
#[test]
fn the_pane_with_the_keys_has_the_accent() {
    let accents = |name: &str, model: Model| {
        let (_, cells) = cells(name, model);
        let accented = cells.into_iter().filter(|(_, (ink, _))| *ink == Role::Accent).map(|(place, _)| place);
        accented.collect::<BTreeSet<Position>>()
    };
    for frames in VIEWS {
        let found = accents(frames.view, frames.normal.1(120, 40));
        let lines: BTreeSet<u16> = found.iter().map(|place| place.y).collect();
        assert_eq!(lines.len(), 1, "{}: {found:?}", frames.view);
    }
    let views: [(&str, Start); 4] = [
        ("Inventory", || started(world::normal(), 120, 40)),
        ("Changes", || changes::reviewing(120, 40, "j")),
        ("Reviews", || listed(120, 40)),
        ("Jobs", || jobs::FRAMES.normal.1(120, 40)),
    ];
    for (name, make) in views {
        let (before, after) = (accents(name, make()), accents(name, after(make(), "<tab>")));
        assert!(!before.is_empty() && !after.is_empty(), "{name}");
        assert!(before.is_disjoint(&after), "{name}: {before:?} {after:?}");
    }
}
