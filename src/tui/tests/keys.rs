//! The palette, the which-key box, the searched help page, and keys of one's own.

use crate::tui::keymap::{Context, KeysFile, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::frames::SIZES;
use crate::tui::tests::{load, options, press, screen, started, world};

fn model() -> Model {
    started(world::normal(), 120, 40)
}

/// A console with a key file of this text.
pub(super) fn with_keys(text: &str, columns: u16, rows: u16) -> Model {
    let mut options = options(columns, rows);
    options.keys_file = Some(KeysFile { path: "~/.config/bumpdesk/keys.toml".into(), text: Ok(text.into()) });
    let mut model = Model::new(options);
    let effects = model.begin();
    let [Effect::Start(id, _), Effect::Start(..)] = effects[..] else { panic!("{effects:?}") };
    load(&mut model, id, world::normal());
    model
}

fn last_message(model: &Model) -> &str {
    model.message.as_ref().map_or("", |message| message.text.as_str())
}

#[test]
fn the_palette_runs_what_it_finds() {
    let mut model = model();
    press(&mut model, ": s u r v e y - s h");
    assert_eq!(model.context(), Context::Palette);
    assert!(matches!(press(&mut model, "<enter>")[..], [Effect::Start(..)]));
    assert_eq!(model.popup, None);
    press(&mut model, ": ] <enter>");
    assert_eq!(last_message(&model), "next-hunk: only in the proposed rebuild");
    assert_eq!(model.context(), Context::Palette, "it stays, to be changed");
    press(&mut model, "ctrl-u r e l o a d <enter>");
    assert_eq!(last_message(&model), "reload: a survey is running; x cancels it");
    assert!(press(&mut model, "ctrl-u q u i t up <enter>").is_empty());
    assert_eq!(model.popup, Some(Popup::Leave));
    press(&mut model, "<esc> : h e l p <enter>");
    assert_eq!(model.context(), Context::Help);
    press(&mut model, "<esc> : <esc>");
    assert_eq!((model.popup.clone(), model.screen), (None, ViewId::Inventory));
    press(&mut model, ": z z z z <enter>");
    assert!(last_message(&model).contains("no action"));
    update(&mut model, Msg::Paste("\nquit".into()));
    press(&mut model, "ctrl-w ctrl-c");
    assert_eq!(model.popup, None);
}

/// A hint says what Enter would do with the row under the cursor.
#[test]
fn the_palette_says_whether_it_runs_or_copies() {
    let mut model = started(world::normal(), 80, 24);
    let hints = |model: &Model| screen(model).lines().last().unwrap().to_owned();
    press(&mut model, ": t h e m e");
    assert!(hints(&model).contains("Enter run"), "{}", hints(&model));
    press(&mut model, "<esc> : l o c k");
    assert!(hints(&model).contains("Enter copy"), "{}", hints(&model));
    // No survey runs, and nothing has these words.
    for typed in [": c a n c e l", ": q q q q"] {
        press(&mut model, "<esc>");
        press(&mut model, typed);
        assert!(!hints(&model).contains("Enter"), "{}", hints(&model));
    }
}

#[test]
fn the_palette_moves_and_starts_anew_with_each_text() {
    let mut model = model();
    let at = |model: &Model| match &model.popup {
        Some(Popup::Palette(palette)) => palette.at,
        other => panic!("{other:?}"),
    };
    press(&mut model, ": down down up pgdn");
    assert!(at(&model) > 5);
    press(&mut model, "left");
    assert!(at(&model) > 5, "moving in the field is no other text");
    press(&mut model, "d");
    assert_eq!(at(&model), 0);
    press(&mut model, "ctrl-u pgdn pgdn pgdn pgdn pgdn pgdn down");
    let last = at(&model);
    press(&mut model, "down");
    assert_eq!(at(&model), last);
    press(&mut model, "pgup pgup pgup pgup pgup pgup pgup");
    assert_eq!(at(&model), 0);
}

/// At 40x12 there are still a field, some actions with their keys, and the reason of a barred one.
#[test]
fn the_palette_is_of_use_at_every_size_of_the_design() {
    for (columns, rows) in SIZES {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, ": c a n c e l");
        let text = screen(&model);
        for wanted in [": cancel", "x ", "not now: no survey is running"] {
            assert!(text.contains(wanted), "{columns}x{rows}: no `{wanted}` in\n{text}");
        }
        press(&mut model, "ctrl-u");
        let text = screen(&model);
        assert!(text.contains("survey-shown") || columns < 80, "{columns}x{rows}\n{text}");
        assert!(text.contains("Enter  ") && text.contains("Look closer"), "{columns}x{rows}\n{text}");
    }
}

#[test]
fn a_begun_sequence_shows_what_may_follow() {
    let mut model = model();
    press(&mut model, "y");
    let text = screen(&model);
    for wanted in ["y then", "a  copy the address", "u  copy the upstream URL", "Esc or another key"] {
        assert!(text.contains(wanted), "no `{wanted}` in\n{text}");
    }
    press(&mut model, "esc");
    assert!(!screen(&model).contains("y then") && last_message(&model).is_empty());
    let cursor = model.views.inventory.cursor;
    press(&mut model, "y j");
    assert_eq!(
        (model.views.inventory.cursor, model.keys.pending.len()),
        (cursor, 0),
        "it only closes the box"
    );
    press(&mut model, "/ z z z z <enter> y");
    assert!(screen(&model).contains("copy the address: the filter hides every row"), "{}", screen(&model));
}

#[test]
fn help_is_searched_by_typing_and_scrolls() {
    let mut model = model();
    press(&mut model, "? R");
    let text = screen(&model);
    assert!(text.contains("search> R") && text.contains("survey all rows") && !text.contains("down one row"));
    press(&mut model, "ctrl-u g h o s t");
    let text = screen(&model);
    assert!(text.contains("GHOST") && !text.contains("MOVED  "), "{text}");
    press(&mut model, "ctrl-w n o s u c h w o r d");
    let text = screen(&model);
    assert!(
        text.contains("nothing here has these words; Ctrl-u empties the field; Esc, then : finds actions"),
        "{text}"
    );
    press(&mut model, "ctrl-u");
    let first = screen(&model);
    press(&mut model, "down down");
    assert!(screen(&model) != first);
    press(&mut model, "pgdn pgdn pgdn pgdn pgdn pgdn");
    assert!(screen(&model).contains("OK (versions)"), "{}", screen(&model));
    press(&mut model, "esc");
    assert_eq!(model.popup, None);
}

#[test]
fn keys_of_ones_own_are_used_and_shown() {
    let mut model = with_keys(
        "[anywhere]\nquit = \"Q\"\nhelp = \"F1\"\ncancel-job = \"ctrl-x\"\nsurvey-this = \"Z\"\n[inventory]\nsurvey-shown = \"g r\"\nopen = \"O\"\n",
        120,
        40,
    );
    assert!(model.keys.mistakes.is_empty());
    press(&mut model, "G");
    let text = screen(&model);
    for wanted in ["F1 help", "Q quit", "gr survey shown", "O open", "Z surveys it; g r"] {
        assert!(text.contains(wanted), "no `{wanted}` in\n{text}");
    }
    assert!(press(&mut model, "q").is_empty());
    assert_eq!(last_message(&model), "q does nothing here; F1 lists the keys, : finds actions");
    press(&mut model, "g");
    assert!(screen(&model).contains("r  survey all rows that the filter shows"));
    assert!(matches!(press(&mut model, "r")[..], [Effect::Start(..)]));
    press(&mut model, "g r");
    assert_eq!(last_message(&model), "g r: a survey is running; Ctrl-x cancels it");
    press(&mut model, "f1 Q");
    assert!(screen(&model).contains("| Q "), "{}", screen(&model));
    press(&mut model, "esc : s u r v e y - s h o w n");
    assert!(screen(&model).contains("g r "));
    press(&mut model, "esc");
    assert!(matches!(press(&mut model, "ctrl-x")[..], [Effect::Cancel(_)]));
}

/// The notice stays whatever is pressed, and the usual keys work.
#[test]
fn a_faulty_key_file_is_reported_until_it_is_fixed() {
    for (columns, rows) in SIZES {
        let mut model = with_keys("[inventory]\nsort = \"S\"\nfilters = \"f\"\n", columns, rows);
        for keys in ["j", "?", "esc", "s"] {
            press(&mut model, keys);
            assert!(screen(&model).contains("keys.toml"), "{columns}x{rows} {keys}\n{}", screen(&model));
        }
        assert_eq!(model.context(), Context::Sort, "the file's other keys do not count either");
    }
    let text = screen(&with_keys("[inventory]\nfilters = \"f\"\n", 120, 40));
    assert!(text.contains("keys.toml has 1 mistake: defaults apply; `bumpdesk config check` lists them"));
}
