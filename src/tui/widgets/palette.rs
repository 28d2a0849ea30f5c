//! The palette `:`: every action by name, key or effect; Enter runs the one under the cursor.
//!
//! ```text
//! +- Command: Inventory ---------------------------------+
//! | : surv                                               |
//! | > R      survey all rows that the filter shows       |
//! |   x      cancel the running ..    no survey runs     |
//! | same as: bumpdesk survey --filter Q                  |
//! +------------------------------------------------------+
//! ```
//!
//! A line with an address, a URL or an issue asks why that is not available: its triage comes first.
//!
//! Actions that cannot run now stand there too, dimmed and with the reason. They are never run. Below them
//! stand the actions that only the command line has. An empty palette groups the actions by their purpose.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::rules::plain_text::{shell_word, visible};
use crate::rules::triage::asked;
use crate::tui::base::layout::{Area, Size};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::{
    Bindings, Check, Command, CommandOnly, Context, Found, Hit, Subject, line_about, search,
};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::popup;
use crate::tui::widgets::strip::{Cut, Paint, Strip, ground, lay};

/// The command that asks why something is not available.
const TRIAGE: &str = "triage";

/// Stands behind an action that cannot run now, if there is no room for the reason.
const NOT_NOW: &str = "not now";

/// The state of the palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    /// The view whose actions it offers.
    pub(crate) view: Context,
    pub(crate) field: Field,
    /// The place of the cursor among the found actions.
    pub(crate) at: usize,
}

impl Palette {
    pub(crate) fn new(view: Context) -> Self {
        Self { view, field: Field::default(), at: 0 }
    }
}

/// The outcome of a key in the palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The palette stays open in this state.
    Stays(Palette),
    Closed,
    Run(Command),
    /// Copy the command line of an action that only a command has.
    Copy(&'static CommandOnly),
    /// Look up why the subject of this line is not available.
    Ask(String),
    /// The palette stays open; this is the reason why nothing ran.
    Barred(String),
}

/// Runs the command of a key.
pub(crate) fn act(
    paint: &Paint<'_>,
    check: Check<'_>,
    subject: Option<Subject<'_>>,
    mut palette: Palette,
    command: Command,
) -> Outcome {
    let found = found(paint.bindings, check, subject, &palette);
    let last = found.len().saturating_sub(1);
    let page = usize::from(parts(paint.size).list.height).max(1);
    match command {
        Command::NextLine => palette.at = (palette.at + 1).min(last),
        Command::PreviousLine => palette.at = palette.at.saturating_sub(1),
        Command::NextPage => palette.at = (palette.at + page).min(last),
        Command::PreviousPage => palette.at = palette.at.saturating_sub(page),
        Command::ClearField => palette = Palette::new(palette.view),
        Command::DropWord => {
            palette.field.drop_word();
            palette.at = 0;
        }
        Command::Accept => return accept(found.get(palette.at)),
        _ => return Outcome::Closed,
    }
    Outcome::Stays(palette)
}

/// All actions that match the typed text.
fn found<'a>(
    bindings: &'a Bindings,
    check: Check<'_>,
    subject: Option<Subject<'_>>,
    palette: &Palette,
) -> Vec<Found<'a>> {
    let typed = palette.field.text();
    let question = asked(typed).map(str::to_owned).or_else(|| {
        // The word alone asks about the entry that keys act on.
        let Subject { address, version } = subject.filter(|_| typed.trim() == TRIAGE)?;
        Some(version.map_or_else(|| address.to_string(), |version| format!("{address}@{version}")))
    });
    let question = question.map(Found::Question);
    question.into_iter().chain(search(bindings, check, palette.view, typed)).collect()
}

fn accept(found: Option<&Found<'_>>) -> Outcome {
    match found {
        Some(Found::Question(line)) => Outcome::Ask(line.clone()),
        None => Outcome::Barred("no action has these words; change what is typed".into()),
        Some(Found::Command(command)) => Outcome::Copy(command),
        Some(Found::Action(Hit { barred: Some(why), bound })) => {
            Outcome::Barred(format!("{}: {why}", bound.action.name))
        }
        Some(Found::Action(hit)) => Outcome::Run(hit.bound.place.command),
    }
}

/// The effect of Enter on the row under the cursor, in a word; `None` if it has none.
pub(crate) fn takes(
    bindings: &Bindings,
    check: Check<'_>,
    subject: Option<Subject<'_>>,
    palette: &Palette,
) -> Option<&'static str> {
    match accept(found(bindings, check, subject, palette).get(palette.at)) {
        Outcome::Run(_) => Some("run"),
        Outcome::Ask(_) => Some("look it up"),
        Outcome::Copy(_) => Some("copy"),
        Outcome::Barred(_) | Outcome::Stays(_) | Outcome::Closed => None,
    }
}

struct Parts {
    whole: Area,
    field: Area,
    list: Area,
    /// The details of the row under the cursor.
    about: Area,
}

fn parts(size: Size) -> Parts {
    // The view below the palette stays in sight where there is room.
    let rows = size.rows.saturating_sub(4).min((size.rows * 2 / 3).max(22)).max(size.rows.min(8));
    let whole = layout::popup(size, layout::broad(size, 96), rows);
    let inner = popup::inside(whole);
    let about_rows = inner.height.saturating_sub(2).min(if size.rows < 20 { 1 } else { 3 });
    let field = Area { height: inner.height.min(1), ..inner };
    let list = inner.height.saturating_sub(field.height + about_rows);
    Parts {
        whole,
        field,
        list: Area { y: field.bottom(), height: list, ..inner },
        about: Area { y: field.bottom() + list, height: about_rows, ..inner },
    }
}

/// Draws the palette, and returns the place of the text cursor.
pub(crate) fn view(
    paint: &Paint<'_>,
    check: Check<'_>,
    subject: Option<Subject<'_>>,
    palette: &Palette,
    buffer: &mut Buffer,
) -> Position {
    let parts = parts(paint.size);
    let typed = palette.field.text();
    let found = found(paint.bindings, check, subject, palette);
    let count = found.len();
    let at = palette.at.min(count.saturating_sub(1));
    let title = format!("Command: {}{}", palette.view.title(), share(at, count, parts.list.height));
    popup::view(paint, parts.whole, &title, &[], buffer);
    let (line, column) = prompt(paint, &palette.field, parts.field.width);
    lay(buffer, parts.field, &[line]);
    let keys = if paint.size.columns < 70 { 8 } else { 14 };
    let width = parts.list.width;
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut here = 0;
    let mut section = None;
    for (row, one) in found.iter().enumerate() {
        // Search results keep the order of their rank.
        if let Found::Action(hit) = one
            && typed.trim().is_empty()
        {
            let group = hit.bound.action.section;
            if section.replace(group) != Some(group) {
                lines.push(paint.line(width, Role::Title, group.title()));
            }
        }
        if row == at {
            here = lines.len();
        }
        lines.push(match one {
            Found::Action(hit) => entry(paint, hit, row == at, keys, width),
            Found::Command(command) => command_entry(paint, command, row == at, keys, width),
            Found::Question(line) => {
                let mut strip = Strip::new(paint, width);
                strip.cell(Role::Key, if row == at { paint.glyphs.cursor() } else { "" }, 2, Cut::End);
                strip
                    .cell(Role::Key, TRIAGE, keys, Cut::End)
                    .gap(1)
                    .put(Role::Text, &format!("look up {}", visible(line)))
                    .line()
            }
        });
    }
    if lines.is_empty() {
        lines.extend(nothing(paint, palette, width));
    }
    let top = layout::first_visible(0, here, usize::from(parts.list.height), lines.len());
    lay(buffer, parts.list, &lines[top..]);
    if count > 0 && parts.list.height > 0 {
        let row = Area { y: parts.list.y + (here - top) as u16, height: 1, ..parts.list };
        ground(buffer, row.intersection(parts.list), paint.style(Role::Cursor));
    }
    let (role, words) = about(subject, found.get(at));
    let cells = parts.about.width;
    let mut lines = match cut_label(found.get(at), usize::from(width).saturating_sub(2 + keys + 1)) {
        Some(label) if parts.about.height > 1 => paint.wrapped(cells, Role::Text, label),
        _ => Vec::new(),
    };
    match usize::from(parts.about.height).saturating_sub(lines.len()) {
        // One line says where it was cut.
        0 | 1 => lines.push(paint.line(cells, role, &words)),
        _ => lines.extend(paint.wrapped(cells, role, &words)),
    }
    lay(buffer, parts.about, &lines);
    Position::new(parts.field.x + column, parts.field.y)
}

/// ` 3 of 12`, if not all rows are visible.
fn share(at: usize, all: usize, rows: u16) -> String {
    if all > usize::from(rows) { format!(", {} of {all}", at + 1) } else { String::new() }
}

fn prompt(paint: &Paint<'_>, field: &Field, width: u16) -> (Line<'static>, u16) {
    let mut strip = Strip::new(paint, width);
    strip.put(Role::Key, ":").gap(1);
    let seen = field.seen(paint.glyphs, strip.room());
    let column = (usize::from(width) - strip.room() + seen.cursor) as u16;
    strip.put(Role::Prompt, &seen.text);
    if field.text().is_empty() {
        strip.put(Role::Dim, " type a name, a key, what it should do, or an address");
    }
    (strip.line(), column.min(width.saturating_sub(1)))
}

fn entry(paint: &Paint<'_>, hit: &Hit<'_>, here: bool, keys: usize, width: u16) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    let (key, words) = if hit.barred.is_some() { (Role::Dim, Role::Dim) } else { (Role::Key, Role::Text) };
    strip.cell(Role::Key, if here { paint.glyphs.cursor() } else { "" }, 2, Cut::End);
    strip.cell(key, &hit.bound.shown(), keys, Cut::End).gap(1);
    match &hit.barred {
        None => strip
            .put(words, head(hit.bound.place.label, strip.room()))
            .gap(2)
            .right(Role::Dim, hit.bound.action.name),
        Some(why) => {
            // A reason is shown whole, or below the list while the cursor is on the row.
            let label = text::width(hit.bound.place.label);
            let reason = if label + 2 + text::width(why) <= strip.room() { why } else { NOT_NOW };
            let room = strip.room().saturating_sub(2 + text::width(reason));
            let label = head(hit.bound.place.label, room);
            strip
                .cell(words, label, room.min(text::width(label)), Cut::End)
                .gap(1)
                .right(Role::Warning, reason)
        }
    };
    strip.line()
}

/// The effect of an action, without its qualification if the room is short: the whole label stands below the
/// list.
fn head(label: &str, room: usize) -> &str {
    if text::width(label) <= room {
        return label;
    }
    label.split([',', ':', ';', '(']).next().unwrap_or(label).trim_end()
}

/// The row of an action that only a command has.
fn command_entry(
    paint: &Paint<'_>,
    other: &CommandOnly,
    here: bool,
    keys: usize,
    width: u16,
) -> Line<'static> {
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if here { paint.glyphs.cursor() } else { "" }, 2, Cut::End);
    let name = if text::width(other.name()) <= keys { other.name() } else { "command" };
    strip.cell(Role::Dim, name, keys, Cut::End).gap(1).put(Role::Dim, other.does).line()
}

/// Advice for a text that matches nothing.
fn nothing(paint: &Paint<'_>, palette: &Palette, width: u16) -> Vec<Line<'static>> {
    let key = |context, command| paint.bindings.first(context, command);
    let clear = key(Context::Palette, Command::ClearField);
    let close = key(Context::Palette, Command::Close);
    let help = key(palette.view, Command::Help);
    let sentences = [
        format!("No action and no command has the words `{}`.", palette.field.text().trim()),
        format!("{clear} empties the field; one short word finds most, and a key finds its action."),
        format!("{close}, then {help} lists the keys of this view; `bumpdesk help` lists the commands."),
    ];
    sentences.iter().flat_map(|text| paint.wrapped(width, Role::Text, text)).collect()
}

/// The effect of the row under the cursor, if the row has no room for all of it.
fn cut_label<'a>(found: Option<&Found<'a>>, room: usize) -> Option<&'a str> {
    let (label, room) = match found? {
        Found::Question(_) => return None,
        Found::Command(command) => (command.does, room),
        Found::Action(hit) if hit.barred.is_some() => {
            (hit.bound.place.label, room.saturating_sub(2 + NOT_NOW.len()))
        }
        Found::Action(hit) => (hit.bound.place.label, room),
    };
    (text::width(label) > room).then_some(label)
}

/// The whole reason, or the equivalent command line.
fn about(subject: Option<Subject<'_>>, found: Option<&Found<'_>>) -> (Role, String) {
    let hit = match found {
        None => return (Role::Warning, "nothing was found".into()),
        Some(Found::Command(command)) => {
            return (Role::Dim, format!("only as a command: {}", line_about(command.line, subject)));
        }
        Some(Found::Question(line)) => {
            return (
                Role::Dim,
                format!(
                    "says why it is not available; same as: bumpdesk triage {}",
                    shell_word(&visible(line))
                ),
            );
        }
        Some(Found::Action(hit)) => hit,
    };
    if let Some(why) = &hit.barred {
        return (Role::Warning, format!("not now: {why}"));
    }
    let Some(line) = hit.bound.place.line else {
        return (Role::Dim, hit.bound.place.label.into());
    };
    (Role::Dim, format!("same as: {}", line_about(line, subject)))
}
