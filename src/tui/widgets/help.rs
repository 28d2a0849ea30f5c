//! The `?` page of a view, made from the key table. Below the keys stand the terms of the filter and the
//! meaning of every status. Typed text narrows the page.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::ability::Ability;
use crate::rules::Status;
use crate::rules::filter::terms;
use crate::tui::base::layout::{Area, Size};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::{Command, Context, VIEWS};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::legend::Legend;
use crate::tui::widgets::strip::{Cut, Paint, Strip, lay};
use crate::tui::widgets::{legend, popup};

/// Cells of the keys and words on the left.
fn keys(width: u16) -> usize {
    if width < 70 { 12 } else { 16 }
}

/// The state of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HelpPage {
    /// The view whose keys it lists.
    pub(crate) view: Context,
    /// The meaning of that view's columns and figures.
    legend: Legend,
    pub(crate) field: Field,
    /// Lines that are scrolled away at the top.
    pub(crate) from: usize,
}

impl HelpPage {
    pub(crate) fn new(view: Context, legend: Legend) -> Self {
        Self { view, legend, field: Field::default(), from: 0 }
    }
}

/// Runs the command of a key; `None` closes the page.
pub(crate) fn act(paint: &Paint<'_>, mut page: HelpPage, command: Command) -> Option<HelpPage> {
    let list = parts(paint.size).list;
    let rows = usize::from(list.height).max(1);
    match command {
        Command::NextLine => page.from += 1,
        Command::PreviousLine => page.from = page.from.saturating_sub(1),
        Command::NextPage => page.from += rows,
        Command::PreviousPage => page.from = page.from.saturating_sub(rows),
        Command::ClearField => page = HelpPage::new(page.view, page.legend),
        Command::DropWord => {
            page.field.drop_word();
            page.from = 0;
        }
        _ => return None,
    }
    let most = lines(paint, &page, list.width).len().saturating_sub(rows);
    page.from = page.from.min(most);
    Some(page)
}

struct Parts {
    whole: Area,
    field: Area,
    list: Area,
}

fn parts(size: Size) -> Parts {
    let whole = layout::help(size);
    let inner = popup::inside(whole);
    let field = Area { height: inner.height.min(1), ..inner };
    Parts { whole, field, list: Area { y: field.bottom(), height: inner.height - field.height, ..inner } }
}

/// Draws the page, and returns the place of the text cursor.
pub(crate) fn view(paint: &Paint<'_>, page: &HelpPage, buffer: &mut Buffer) -> Position {
    let parts = parts(paint.size);
    let lines = lines(paint, page, parts.list.width);
    let from = page.from.min(lines.len());
    let to = (from + usize::from(parts.list.height)).min(lines.len());
    let part = if to - from < lines.len() {
        format!(", {}-{to} of {}", from + 1, lines.len())
    } else {
        String::new()
    };
    popup::view(paint, parts.whole, &format!("Help: {}{part}", page.view.title()), &[], buffer);
    let mut strip = Strip::new(paint, parts.field.width);
    strip.put(Role::Key, "search>").gap(1);
    let seen = page.field.seen(paint.glyphs, strip.room());
    let column = (usize::from(parts.field.width) - strip.room() + seen.cursor) as u16;
    strip.put(Role::Prompt, &seen.text);
    if page.field.text().is_empty() {
        strip.put(Role::Dim, " type a key, a column, a word or a status");
    }
    lay(buffer, parts.field, &[strip.line()]);
    lay(buffer, parts.list, &lines[from..]);
    Position::new(parts.field.x + column.min(parts.field.width.saturating_sub(1)), parts.field.y)
}

/// One entry of the page.
struct Item {
    role: Role,
    left: String,
    right: String,
}

impl Item {
    fn key(left: impl Into<String>, right: impl Into<String>) -> Self {
        Self { role: Role::Key, left: left.into(), right: right.into() }
    }

    /// Returns true if the item has every typed word.
    fn has(&self, typed: &str) -> bool {
        let text = format!("{} {}", self.left, self.right).to_lowercase();
        typed.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }

    /// Returns true if the typed text is the item's key; case matters.
    fn is_key(&self, typed: &str) -> bool {
        !typed.trim().is_empty() && self.left.split(", ").any(|key| key == typed.trim())
    }
}

/// All lines of the page that match the typed text.
fn lines(paint: &Paint<'_>, page: &HelpPage, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let typed = page.field.text();
    let sections = sections(paint, page);
    let by_key = sections.iter().any(|(_, items)| items.iter().any(|item| item.is_key(typed)));
    let fits = |item: &&Item| if by_key { item.is_key(typed) } else { item.has(typed) };
    for (title, items) in &sections {
        let mut fitting = items.iter().filter(fits).peekable();
        if fitting.peek().is_none() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(paint.line(width, Role::Title, title));
        for item in fitting {
            entry(paint, &mut lines, width, item);
        }
    }
    if lines.is_empty() {
        let clear = paint.bindings.first(Context::Help, Command::ClearField);
        let close = paint.bindings.first(Context::Help, Command::Close);
        let palette = paint.key(Command::Palette);
        let text = format!(
            "nothing here has these words; {clear} empties the field; {close}, then {palette} finds actions and commands of all \
             views"
        );
        lines.extend(paint.wrapped(width, Role::Warning, &text));
    }
    lines
}

/// The meaning of a view's columns and figures, with the current keys.
fn legend(paint: &Paint<'_>, legend: Legend) -> Vec<Item> {
    let key = |context, command| paint.bindings.first(context, command);
    let views = VIEWS
        .iter()
        .filter(|row| !row.id.keys().is_empty())
        .map(|row| key(Context::View(row.id), Command::Show(row.id)));
    let views = views.collect::<Vec<_>>().join(" ");
    let again = paint.key(Ability::RunAgain);
    let filled = |text: &str| text.replace(legend::VIEWS, &views).replace(legend::AGAIN, &again);
    let item =
        |(left, right): &(&str, &str)| Item { role: Role::Title, left: filled(left), right: filled(right) };
    legend.iter().map(item).collect()
}

fn sections(paint: &Paint<'_>, page: &HelpPage) -> Vec<(&'static str, Vec<Item>)> {
    let mut sections: Vec<(&'static str, Vec<Item>)> = Vec::new();
    for bound in paint.bindings.within(page.view).filter(|bound| !bound.keys.is_empty()) {
        let title = bound.action.section.title();
        let item = Item::key(bound.shown(), bound.place.label);
        match sections.last_mut().filter(|(last, _)| *last == title) {
            Some((_, items)) => items.push(item),
            None => sections.push((title, vec![item])),
        }
    }
    let status = |status: Status| Item {
        role: Role::of(status.row().level),
        left: format!("{} {}", paint.glyphs.status(status), status.word()),
        right: status.row().means.into(),
    };
    let depth = "OK (versions): every upstream version is indexed; checksums were not compared";
    let depth = Item { role: Role::Fine, left: String::new(), right: depth.into() };
    sections.extend([
        ("What the columns and figures say", legend(paint, page.legend)),
        ("Filter", terms().into_iter().map(|(term, says)| Item::key(term, says)).collect()),
        ("Status, the gravest first", Status::words().map(status).chain([depth]).collect()),
    ]);
    sections
}

/// Lays out an item beside its key or word, or below it if the key is too long.
fn entry(paint: &Paint<'_>, lines: &mut Vec<Line<'static>>, width: u16, item: &Item) {
    let keys = keys(width);
    let room = usize::from(width).saturating_sub(keys + 1).max(1);
    let mut left = item.left.as_str();
    if text::width(left) > keys {
        lines.push(paint.line(width, item.role, std::mem::take(&mut left)));
    }
    for part in text::wrap(&item.right, room) {
        let mut strip = Strip::new(paint, width);
        strip.cell(item.role, std::mem::take(&mut left), keys, Cut::End).gap(1).put(Role::Text, &part);
        lines.push(strip.line());
    }
}
