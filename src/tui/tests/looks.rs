//! The look of the console, and its behaviour in the terminal: themes, glyphs, mouse, paste, other programs.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use crate::desk::telling::Glyph;
use crate::jobs::data::{Job, JobEvent};
use crate::rules::Status;
use crate::settings::{ColorDepth, Ground, ThemeText};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Size;
use crate::tui::base::theme::{Role, Themes};
use crate::tui::keymap::ViewId;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::draw::view;
use crate::tui::shell::model::{Model, Options};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::outside::{Page, PageText, ProgramReply, Viewer};
use crate::tui::shell::update::update;
use crate::tui::tests::reviews::last_message;
use crate::tui::tests::{answer, options, press, screen, started, world};
use crate::tui::widgets::message::Tone;

fn follower(themes: Themes) -> Model {
    Model::new(Options { themes, follow: true, ..options(120, 40) })
}

/// The cell under the real cursor, and its background and modifiers.
fn cursor(model: &Model) -> (Position, Color, Modifier) {
    let mut terminal = Terminal::new(TestBackend::new(model.size.columns, model.size.rows)).unwrap();
    terminal.draw(|frame| view(model, frame)).unwrap();
    let place = terminal.get_cursor_position().unwrap();
    let cell = &terminal.backend().buffer()[place];
    (place, cell.bg, cell.modifier)
}

#[test]
fn the_theme_goes_with_the_background_until_one_is_chosen() {
    let mut model = follower(Themes::default());
    assert_eq!(model.theme.name, "dark");
    for (ground, name) in [(Ground::Light, "light"), (Ground::Dark, "dark"), (Ground::Light, "light")] {
        assert!(update(&mut model, Msg::Ground(ground)).is_empty());
        assert_eq!(model.theme.name, name);
    }
    press(&mut model, "T");
    assert_eq!(model.theme.name, "high-contrast");
    update(&mut model, Msg::Ground(Ground::Dark));
    assert_eq!(model.theme.name, "high-contrast", "a choice stays");
    let named = Options { theme: Some("paper".into()), ..options(120, 40) };
    let mut model = Model::new(named);
    update(&mut model, Msg::Ground(Ground::Dark));
    assert_eq!(model.theme.name, "paper");
    let light = Options { ground: Ground::Light, ..options(120, 40) };
    assert_eq!(Model::new(light).theme.name, "light");
}

#[test]
fn all_themes_are_cycled_through_and_a_wrong_one_is_reported() {
    let mine =
        ThemeText { name: "mine".into(), path: "/c/mine.toml".into(), text: Ok("[roles]\nkye = {}".into()) };
    let themes = Themes::new(&[mine], ColorDepth::True);
    let model = Model::new(Options { themes, theme: Some("mine".into()), ..options(120, 40) });
    assert_eq!(model.theme.name, "dark", "the program's own stays");
    let message = model.message.as_ref().expect("a notice");
    assert_eq!(message.tone, Tone::Warning);
    assert!(
        message.text.contains("`/c/mine.toml:2:1`: there is no role `kye`; write `key`"),
        "{}",
        message.text
    );
    let mut model = follower(Themes::default());
    let count = model.options.themes.names().count();
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..count {
        press(&mut model, "T");
        seen.push(model.theme.name.clone());
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!((seen.len(), model.theme.name.as_str()), (count, "dark"));
    let mut model = follower(Themes::new(&[], ColorDepth::None));
    press(&mut model, "T");
    assert!(model.message.as_ref().is_some_and(|message| message.text.contains("colours are off")));
}

/// In every theme and at every colour depth the row under the cursor stands out, and the real cursor is on
/// it.
#[test]
fn the_selected_row_is_seen_in_every_theme() {
    for depth in [ColorDepth::True, ColorDepth::Indexed, ColorDepth::Sixteen, ColorDepth::None] {
        let mut model = started(world::normal(), 120, 40);
        model.options.themes = Themes::new(&[], depth);
        for _ in model.options.themes.names().map(str::to_owned).collect::<Vec<_>>() {
            press(&mut model, "T g g");
            let (first, paper, modifier) = cursor(&model);
            press(&mut model, "j");
            let (second, ..) = cursor(&model);
            assert_eq!((second.x, second.y), (first.x, first.y + 1));
            let text = model.theme.style(Role::Text);
            let marked = Some(paper) != text.bg || modifier.contains(Modifier::REVERSED);
            assert!(marked, "{} with {depth:?}: {paper:?} {modifier:?}", model.theme.name);
        }
    }
}

/// Emoji that some terminals draw in two cells and in colours, although their width in the Unicode tables is
/// 1.
const EMOJI: &str = "©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌨⏏⏭⏮⏯⏱⏲⏸⏹⏺Ⓜ▪▫▶◀◻◼☀☁☂☃☄☎☑☘☝☠☢☣☦☪☮☯☸☹☺♀♂♟♠♣♥♦♨♻♾⚒⚔⚕⚖⚗⚙⚛⚜⚠⚧⚰⚱⛈⛏⛑⛓⛩⛰⛱⛴⛷⛸⛹✂✈✉✌✍✏✒✔✖✝✡✳✴❄❇❣❤➡⤴⤵⬅⬆⬇〰〽㊗㊙";

#[test]
fn every_glyph_takes_one_cell_everywhere() {
    for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
        let frame = glyphs.frame();
        let corners = [frame.top_left, frame.top_right, frame.bottom_left, frame.bottom_right];
        let sides =
            [frame.vertical_left, frame.vertical_right, frame.horizontal_top, frame.horizontal_bottom];
        let lines =
            [glyphs.rule(), glyphs.wall()].into_iter().chain(corners).chain(sides).chain(glyphs.bar());
        let hidden = glyphs.hidden().to_string();
        let Glyph(dot, ascii) = Glyph::BETWEEN;
        let signs = [glyphs.cursor(), glyphs.pick(dot, ascii), &hidden].into_iter();
        let all: Vec<&str> = signs.chain(Status::all().map(|status| glyphs.status(status))).collect();
        for sign in all.iter().copied().chain(lines.clone()) {
            assert_eq!((sign.chars().count(), sign.width()), (1, 1), "{sign}");
            assert!(!EMOJI.contains(sign), "{sign}");
            assert!(
                glyphs == Glyphs::Unicode || (sign.is_ascii() && !sign.starts_with(char::is_control)),
                "{sign}"
            );
        }
        // East Asian terminals draw lines in one cell despite the tables; other signs must be unambiguous.
        for sign in all {
            assert_eq!(sign.width_cjk(), 1, "{sign}");
        }
        for line in lines {
            assert!(glyphs == Glyphs::Ascii || ('─'..='╿').contains(&line.chars().next().unwrap()), "{line}");
        }
    }
}

/// A screen with ASCII glyphs has no other characters, as long as the registry's own texts are ASCII.
#[test]
fn the_ascii_set_is_complete() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 12)] {
        let mut model = started(world::normal(), columns, rows);
        let mut seen = screen(&model);
        for keys in ["?", "esc", "s", "esc", "g", "esc", "R", "x", "/ b", "esc"] {
            press(&mut model, keys);
            seen.push_str(&screen(&model));
        }
        let effects = press(&mut model, "d");
        seen.push_str(&screen(&model));
        let address = model.subject().unwrap().to_string();
        answer(&mut model, &effects, world::opened(&address));
        seen.push_str(&screen(&model));
        assert_eq!(seen.chars().find(|letter| !letter.is_ascii()), None, "{columns}x{rows}");
    }
}

/// `screen` returns no styles: the words alone must carry the meaning.
#[test]
fn gates_and_classes_are_words() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 12)] {
        let mut model = started(world::normal(), columns, rows);
        assert!(screen(&model).contains("READ-ONLY"), "{columns}x{rows}");
        let effects = press(&mut model, "d");
        let address = model.subject().unwrap().to_string();
        answer(&mut model, &effects, world::opened(&address));
        let text = screen(&model);
        assert!(text.contains("READ-ONLY") && text.contains("+ ADDITIVE"), "{columns}x{rows}\n{text}");
        press(&mut model, "1 R q");
        let text = screen(&model);
        assert!(text.contains("Leave?") && text.contains("stop and leave"), "{columns}x{rows}\n{text}");
    }
}

#[test]
fn the_mouse_is_on_until_f2() {
    let mut model = started(world::normal(), 120, 40);
    assert!(model.options.mouse);
    let (top, ..) = cursor(&model);
    update(&mut model, Msg::Mouse(Mouse::WheelDown(5, top.y)));
    assert_eq!(model.views.inventory.cursor, 3);
    update(&mut model, Msg::Mouse(Mouse::WheelUp(5, top.y)));
    assert_eq!(model.views.inventory.cursor, 0);
    update(&mut model, Msg::Mouse(Mouse::Click(5, top.y + 4)));
    assert_eq!((model.views.inventory.cursor, cursor(&model).0.y), (4, top.y + 4));
    for (column, row) in [(5, 0), (0, 39), (119, top.y + 1), (500, 500)] {
        update(&mut model, Msg::Mouse(Mouse::Click(column, row)));
        assert_eq!(model.views.inventory.cursor, 4, "{column},{row} is no row");
    }
    press(&mut model, "?");
    update(&mut model, Msg::Mouse(Mouse::Click(5, top.y)));
    press(&mut model, "esc");
    assert_eq!(model.views.inventory.cursor, 4, "what is under an overlay is not clicked");
    let effects = press(&mut model, "enter");
    let address = model.subject().unwrap().to_string();
    answer(&mut model, &effects, world::opened(&address));
    let (first, ..) = cursor(&model);
    update(&mut model, Msg::Mouse(Mouse::Click(first.x + 3, first.y + 1)));
    assert_eq!(cursor(&model).0.y, first.y + 1);
    let effects = press(&mut model, "esc d");
    answer(&mut model, &effects, world::opened(&address));
    press(&mut model, "g g");
    let (first, ..) = cursor(&model);
    update(&mut model, Msg::Mouse(Mouse::Click(first.x, first.y + 5)));
    assert_eq!(cursor(&model).0.y, first.y + 5);
    assert_eq!(press(&mut model, "f2"), [Effect::Mouse(false)]);
    assert_eq!(press(&mut model, "f2"), [Effect::Mouse(true)]);
}

/// The screen without its footer, where hints and messages stand.
fn body(model: &Model) -> String {
    let text = screen(model);
    let lines: Vec<&str> = text.lines().collect();
    lines[..usize::from(model.size.rows) - 2].join("\n")
}

#[test]
fn a_paste_is_text_in_a_field_and_nothing_elsewhere() {
    let mut model = started(world::normal(), 120, 40);
    for place in ["ctrl-c", "s", "esc"] {
        press(&mut model, place);
        let before = (model.screen, model.context(), body(&model));
        assert!(update(&mut model, Msg::Paste("q\rj/R".into())).is_empty());
        let after = (model.screen, model.context(), body(&model));
        assert_eq!(after, before, "after {place}");
        assert_eq!(last_message(&model), "a pasted text was dropped: no field is open");
    }
    press(&mut model, "/");
    assert!(update(&mut model, Msg::Paste("ns:aws\nq".into())).is_empty());
    assert_eq!(model.desk.list.filter, "ns:aws q");
}

fn with_viewer() -> Model {
    let mut model = started(world::normal(), 120, 40);
    model.options.has_viewer = true;
    model
}

#[test]
fn files_are_looked_at_outside() {
    let mut model = started(world::normal(), 120, 40);
    assert!(press(&mut model, "e").is_empty(), "without a program it is refused");
    assert!(model.message.as_ref().is_some_and(|message| message.text.contains("EDITOR")));
    let mut model = with_viewer();
    let address = model.subject().unwrap().clone();
    let whole =
        |viewer| Page { viewer, path: address.path(), text: PageText::Whole(b"{}".as_slice().into()) };
    let started = press(&mut model, "e");
    assert!(press(&mut model, "e").is_empty(), "once is enough");
    let [Effect::Start(id, Job::Read(asked))] = &started[..] else { panic!("{started:?}") };
    assert_eq!(*asked, address);
    let read = JobEvent::Read(address.clone(), b"{}".as_slice().into());
    assert_eq!(update(&mut model, Msg::Job(*id, read)), [Effect::Show(whole(Viewer::Editor))]);
    assert_eq!(model.screen, ViewId::Inventory);
    super::done(&mut model, *id);
    let opened = world::opened(&address.to_string());
    let effects = press(&mut model, "d");
    answer(&mut model, &effects, opened.clone());
    let lines = opened.lines.clone().expect("there are lines");
    let patch = Page { viewer: Viewer::Pager, path: address.path(), text: PageText::Patch(lines) };
    assert_eq!(press(&mut model, "|"), [Effect::Show(patch)]);
    update(
        &mut model,
        Msg::ProgramReplied(ProgramReply::new(Tone::Error, "`vi` was killed by signal 9".into())),
    );
    assert!(screen(&model).contains("`vi` was killed by signal 9"));
}

#[test]
fn a_size_of_nothing_is_survived() {
    let mut model = started(world::normal(), 120, 40);
    update(&mut model, Msg::Resize(Size::new(0, 0)));
    press(&mut model, "j G k d esc ? esc");
    update(&mut model, Msg::Mouse(Mouse::Click(0, 0)));
    update(&mut model, Msg::Resize(Size::new(120, 40)));
    assert!(screen(&model).contains("READ-ONLY"));
}
