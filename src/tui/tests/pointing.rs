//! What the mouse does: every cell that names something does it.

use ratatui::layout::Position;

use crate::rules::Level;
use crate::rules::amount::grouped;
use crate::rules::order::Sort;
use crate::rules::sending::GateName;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::frames::entry::with_entry;
use crate::tui::tests::pulls::ready;
use crate::tui::tests::{later, press, screen, started, world};

/// Where a text stands; the cell of its second letter.
fn place(model: &Model, words: &str) -> Position {
    let text = screen(model);
    let found = text.lines().enumerate().find_map(|(y, line)| Some((y, line.find(words)?)));
    let (y, x) = found.unwrap_or_else(|| panic!("`{words}` is not seen\n{text}"));
    Position::new(x as u16 + 1, y as u16)
}

fn click(model: &mut Model, words: &str) -> Vec<Effect> {
    let cell = place(model, words);
    update(model, Msg::Mouse(Mouse::Click(cell.x, cell.y)))
}

#[test]
fn tabs_and_hints_are_clicked() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = started(world::normal(), columns, rows);
        let tab = if columns == 120 { "8 Jobs" } else { " 8" };
        click(&mut model, tab);
        assert_eq!(model.screen, ViewId::Jobs, "{columns}x{rows}");
        click(&mut model, if columns == 120 { "1 Inv" } else { " 1" });
        assert_eq!(model.screen, ViewId::Inventory);
        click(&mut model, "? help");
        assert!(matches!(model.popup, Some(Popup::Help(_))));
        click(&mut model, "Esc close");
        assert!(model.popup.is_none());
        click(&mut model, "/ filter");
        assert_eq!(model.context(), Context::Filter);
        click(&mut model, "Esc clear filter");
        assert_eq!(model.context(), Context::View(ViewId::Inventory));
    }
    let mut model = with_entry(200, 50);
    click(&mut model, "y copy");
    assert!(screen(&model).contains("y then"));
    press(&mut model, "esc");
    press(&mut model, "esc");
    press(&mut model, "s");
    let before = model.screen;
    click(&mut model, "8 Jobs");
    assert_eq!(model.screen, before, "what is under an overlay is not clicked");
}

/// The gates that share a line get rows of their own first, and the cursor stays on its gate.
#[test]
fn a_head_above_gates_that_share_a_line_is_clicked() {
    let mut model = ready(120, 40, Some(GateName::Seen));
    press(&mut model, "k");
    click(&mut model, "STATE");
    let text = screen(&model);
    assert!(text.contains("1-9 of 9") && text.contains(">1 write access"), "{text}");
    let line = |words: &str| text.lines().position(|line| line.contains(words));
    assert!(line("7 every change") < line("1 write access"), "worst first\n{text}");
}

#[test]
fn a_level_and_a_column_head_are_clicked() {
    let mut model = started(world::normal(), 120, 40);
    for level in Level::ALL {
        let count = model.desk.list.tally.of_level(level);
        let part = format!("{} {} #", grouped(count), level.name());
        click(&mut model, &part);
        let list = &model.desk.list;
        assert_eq!(
            (list.filter.as_str(), list.shown.len()),
            (&*format!("level:{}", level.name()), count as usize)
        );
        assert!(list.shown.iter().all(|at| list.verdicts[*at as usize].level() == level));
        click(&mut model, &part);
        assert_eq!(model.desk.list.filter, "");
    }
    for (head, sort) in [
        ("ADDRESS", Sort::Address),
        ("VERSIONS", Sort::Behind),
        ("AGE", Sort::Newest),
        ("AGE", Sort::Oldest),
        ("AGE", Sort::Newest),
        ("STATUS", Sort::Status),
        ("STATUS", Sort::StatusReversed),
        ("STATUS", Sort::Status),
        ("ADDRESS", Sort::Address),
        ("ADDRESS", Sort::AddressReversed),
    ] {
        click(&mut model, head);
        assert_eq!(model.desk.list.sort, sort, "{head}");
    }
}

#[test]
fn two_clicks_on_a_row_open_it() {
    let mut model = started(world::normal(), 120, 40);
    let row = place(&model, "coder/coder");
    let again = Msg::Mouse(Mouse::Click(row.x, row.y));
    update(&mut model, again.clone());
    later(&mut model, 900);
    update(&mut model, again.clone());
    assert_eq!(model.screen, ViewId::Inventory, "two clicks apart only select");
    later(&mut model, 200);
    update(&mut model, again);
    assert_eq!(model.screen, ViewId::Entry);
    assert_eq!(model.subject().unwrap().to_string(), "coder/coder");
}

#[test]
fn the_wheel_scrolls_what_it_stands_over() {
    let mut model = started(world::normal(), 120, 30);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter> esc");
    let cursor = model.views.inventory.cursor;
    let side = place(&model, "provider");
    update(&mut model, Msg::Mouse(Mouse::WheelDown(side.x, side.y)));
    assert_eq!((model.views.inventory.cursor, model.views.inventory.preview_scroll), (cursor, 3));
    update(&mut model, Msg::Mouse(Mouse::WheelUp(side.x, side.y)));
    assert_eq!(model.views.inventory.preview_scroll, 0);
    update(&mut model, Msg::Mouse(Mouse::WheelUp(9, side.y + 9)));
    assert_ne!(model.views.inventory.cursor, cursor);
}
