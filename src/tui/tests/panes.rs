//! The panes of a view: the divider between them, the zoom, and what is remembered of both.

use super::frames::changes::reviewing;
use super::others::listed;
use super::records::busy;
use super::reviews::last_message;
use super::verify::made::running;
use super::{press, screen, started, tell, world};
use crate::jobs::data::{Job, JobEvent, JobId};
use crate::tui::base::layout::Area;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;

/// Makes the model of a view in a window of so many columns and rows.
type Make = fn(u16, u16) -> Model;

fn list(model: &Model) -> Area {
    model.seen().expect("a view").list(&model.desk, &model.paint())
}

/// Cells of the list in the direction in which the divider moves.
fn extent(model: &Model) -> (u16, u16) {
    let area = list(model);
    (area.width, area.height)
}

#[test]
fn the_divider_moves_between_the_panes_and_each_keeps_some_room() {
    let views: [(&str, Make); 5] = [
        ("Inventory", |columns, rows| started(world::normal(), columns, rows)),
        ("Reviews", listed),
        ("Jobs", busy),
        ("Verify", running),
        ("Changes", |columns, rows| reviewing(columns.max(110), rows.max(30), "j")),
    ];
    for (name, make) in views {
        for (columns, rows) in [(120, 40), (200, 50), (80, 24)] {
            let mut model = make(columns, rows);
            let before = extent(&model);
            press(&mut model, ". .");
            let wider = extent(&model);
            // The keys of Changes move over the lines, which are the second pane.
            let [small, large] = if name == "Changes" { [wider, before] } else { [before, wider] };
            assert!(large.0 > small.0 || large.1 > small.1, "{name} {columns}x{rows}: {before:?} {wider:?}");
            press(&mut model, ", ,");
            assert_eq!(extent(&model), before, "{name} {columns}x{rows}");
            press(&mut model, &[","; 20].join(" "));
            assert_eq!(last_message(&model), "the divider goes no further");
            let least = extent(&model);
            assert!(least.0 > 0 && least.1 > 0, "{name} {columns}x{rows}\n{}", screen(&model));
            press(&mut model, &["."; 40].join(" "));
            let most = extent(&model);
            assert!(most != least && most.0 > 0 && most.1 > 0, "{name} {columns}x{rows}");
            assert!(list(&model).right() <= columns.max(110), "{name}");
        }
    }
}

#[test]
fn zoom_gives_one_pane_the_view_and_gives_it_back() {
    let mut model = started(world::normal(), 120, 40);
    let before = screen(&model);
    press(&mut model, "Z");
    assert_eq!(list(&model).width, 120);
    press(&mut model, ",");
    assert_eq!(last_message(&model), ",: one pane has the whole view; Z shows both");
    press(&mut model, "Z");
    model.message = None;
    assert_eq!(screen(&model).lines().next(), before.lines().next());
    assert_eq!(list(&model).width, 76);
    // The lines of a change, which have the keys, get the columns of the tree.
    let mut model = reviewing(120, 40, "<tab>");
    assert!(model.views.changes.in_lines());
    press(&mut model, "Z");
    assert!(!screen(&model).contains("FILES"), "{}", screen(&model));
    press(&mut model, "<tab>");
    assert!(screen(&model).contains("FILES") && !screen(&model).contains("change 1/"), "{}", screen(&model));
}

/// The preview scrolls beside the list and has no zoom of its own; a list that is zoomed has no preview to go to.
#[test]
fn the_preview_is_not_zoomed_away_while_it_is_read() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "<tab>");
    let before = screen(&model);
    press(&mut model, "Z");
    assert_eq!(last_message(&model), "Z: Esc goes back to the list, which can have the whole view");
    model.message = None;
    assert_eq!(list(&model).width, 76, "{before}");
    press(&mut model, "<esc>");
    press(&mut model, "Z");
    for key in ["<tab>", "p"] {
        press(&mut model, key);
        let name = if key == "p" { "p" } else { "Tab" };
        assert_eq!(last_message(&model), format!("{name}: the list has the whole view; Z shows both"));
    }
}

/// A view of one pane says so.
#[test]
fn a_view_of_one_pane_has_no_divider() {
    let mut model = started(world::normal(), 60, 20);
    for key in [",", ".", "Z"] {
        press(&mut model, key);
        assert_eq!(last_message(&model), format!("{key}: there is no divider here"));
    }
}

#[test]
fn the_divider_and_the_zoom_are_there_at_the_next_start() {
    let mut model = listed(120, 40);
    let recall = model.desk.board.running(|job| *job == Job::Recall).map(|job| job.id).expect("it runs");
    tell(&mut model, recall, JobEvent::Recalled(std::collections::BTreeMap::new()));
    press(&mut model, ". . .");
    let moved = extent(&model);
    press(&mut model, "1 Z");
    let effects = update(&mut model, Msg::Keep { leaving: false });
    let [Effect::Start(_, Job::Remember(memory))] = &effects[..] else { panic!("{effects:?}") };
    let mut next = listed(120, 40);
    tell(&mut next, JobId(1 << 33), JobEvent::Recalled(memory.clone()));
    assert_eq!(extent(&next), moved);
    press(&mut next, "1");
    assert_eq!(list(&next).width, 120);
}

/// A key that a new action took stays the user's own, and the first start says so.
#[test]
fn keys_that_the_file_takes_from_others_are_noted_at_the_first_start() {
    let mut first = super::keys::with_keys("[inventory]\nsort = \"Z\"\n", 120, 40);
    press(&mut first, "Z");
    assert!(matches!(first.popup, Some(crate::tui::shell::model::Popup::Sort(_))));
    press(&mut first, "<esc>");
    tell(&mut first, JobId(1 << 33), JobEvent::Recalled(std::collections::BTreeMap::new()));
    let note = "keys.toml takes 1 key from other actions; `bumpdesk config check` names them";
    assert!(screen(&first).contains(note), "{}", screen(&first));
    let effects = update(&mut first, Msg::Keep { leaving: false });
    let [Effect::Start(_, Job::Remember(memory))] = &effects[..] else { panic!("{effects:?}") };
    let mut second = super::keys::with_keys("[inventory]\nsort = \"Z\"\n", 120, 40);
    tell(&mut second, JobId(1 << 33), JobEvent::Recalled(memory.clone()));
    assert!(!screen(&second).contains("keys.toml"), "{}", screen(&second));
}
