//! The list with filters and groups, the text about a row, and the actions of the palette.

use std::sync::Arc;

use jiff::SignedDuration;
use ratatui::style::Modifier;

use crate::rules::{Source, Status};
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Msg;
use crate::tui::shell::update::update;
use crate::tui::tests::{drawn, press, screen, started, world};

fn subject(model: &Model) -> String {
    model.subject().map(ToString::to_string).unwrap_or_default()
}

fn last_message(model: &Model) -> String {
    model.message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

/// With a filter that is typed and still open.
fn typed(model: &mut Model, text: &str) {
    press(model, "/ ctrl-u");
    for letter in text.chars() {
        let key = if letter == ' ' { "space".to_owned() } else { letter.to_string() };
        press(model, &key);
    }
}

/// The lines of a screen, one behind the other, without walls and what stands behind them.
fn left(model: &Model) -> String {
    let text = screen(model);
    let lines = text.lines().map(|line| line.split('|').next().unwrap_or_default().trim());
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_filter_that_finds_nothing_offers_a_better_one() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = started(world::normal(), columns, rows);
        for (text, wanted) in [
            ("drift", "no address contains `drift`; `status:drift` finds 2 rows"),
            ("ns:hashi", "no row matches `ns:hashi`; `ns:hashi*` finds 2 rows"),
            ("keys", "no address contains `keys`, and none matches `status:keys`"),
            ("newrelic ns:hashicorp", "each term by itself finds rows, but no row matches all of them"),
        ] {
            typed(&mut model, text);
            let seen = left(&model);
            assert!(seen.contains(wanted), "{columns}x{rows} {text}\n{seen}");
            press(&mut model, "esc");
        }
    }
}

#[test]
fn an_unknown_status_names_all_words_of_the_screen_and_none_is_cut() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let mut model = started(world::normal(), columns, rows);
        typed(&mut model, "status:bogus");
        let seen = left(&model);
        let words: Vec<String> = Status::words().map(|status| status.word().to_lowercase()).collect();
        assert!(seen.contains(&words.join(", ")), "{columns}x{rows}\n{}", screen(&model));
        assert!(!seen.contains("repo-gone"), "{seen}");
    }
}

/// A term that says nothing lets all rows through, and then one key marks them all.
#[test]
fn a_filter_with_a_mistake_is_not_kept() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = started(world::normal(), columns, rows);
        for (text, why) in [
            ("status:blocked", "no status `blocked`; did you mean `has:blocked`?"),
            ("newrelic zzz:foo", "no field `zzz:`; known: status level kind ns"),
        ] {
            typed(&mut model, text);
            press(&mut model, "enter");
            assert_eq!(model.context(), Context::Filter, "{text}");
            assert!(
                last_message(&model).starts_with("not kept: ") && last_message(&model).contains(why),
                "{}",
                last_message(&model)
            );
            assert!(left(&model).contains("not kept: "), "{}", screen(&model));
            press(&mut model, "esc");
            assert_eq!((model.desk.list.filter.as_str(), model.desk.list.history.len()), ("", 0));
        }
    }
}

/// Figures that add up no more let nobody believe that they do: what is fine goes first.
#[test]
fn what_finds_no_room_in_the_title_is_what_matters_least() {
    let mut model = started(world::normal(), 69, 50);
    let title = screen(&model).lines().find(|line| line.contains("need attention")).unwrap().to_owned();
    assert!(title.contains("10 need attention, 5 can wait, 1 not checked"), "{title}");
    for columns in (40..70).rev() {
        for marks in ["", "A"] {
            model = started(world::normal(), columns, 40);
            if !marks.is_empty() {
                press(&mut model, marks);
            }
            let text = screen(&model);
            let title = text.lines().find(|line| line.contains("entries") || line.contains("attention"));
            let has = |word: &str| title.is_some_and(|title| title.contains(word));
            assert!(!has(" OK") || (has(" can wait") && has("need attention")), "{columns} {title:?}");
            assert!(!has(" can wait") || has("need attention"), "{columns} {title:?}");
        }
    }
}

#[test]
fn tab_completes_terms_values_and_namespaces() {
    let mut model = started(world::normal(), 120, 40);
    for (text, wanted, told) in [
        ("dri", "status:drift", ""),
        ("stat", "status:", ""),
        ("!status:gh", "!status:ghost", ""),
        ("aws ns:outs", "aws ns:outscale", ""),
        ("ns:newrelic|hashi", "ns:newrelic|hashicorp", ""),
        ("newrelic/n", "newrelic/newrelic", "newrelic/newrelic  newrelic/newrelic-cli"),
        ("kind:", "kind:", "provider  module"),
        ("why:x", "why:x", "Tab knows nothing that fits here"),
    ] {
        typed(&mut model, text);
        press(&mut model, "tab");
        assert_eq!(
            (model.desk.list.filter.as_str(), last_message(&model).as_str()),
            (wanted, told),
            "{text}"
        );
        assert_eq!(model.context(), Context::Filter);
        press(&mut model, "esc");
    }
    typed(&mut model, "status:dr");
    press(&mut model, "tab <enter>");
    assert_eq!((model.desk.list.shown.len(), model.desk.list.filter.as_str()), (2, "status:drift"));
}

#[test]
fn a_typed_address_selects_its_row() {
    let mut model = started(world::normal(), 120, 40);
    // The longer address stands above it in this order, and under the cursor.
    press(&mut model, "s o");
    typed(&mut model, "newrelic-cli");
    press(&mut model, "<enter> j esc");
    assert_eq!(subject(&model), "newrelic/newrelic-cli");
    typed(&mut model, "newrelic/newrelic");
    assert_eq!((subject(&model).as_str(), model.desk.list.shown.len()), ("newrelic/newrelic", 2));
    press(&mut model, "esc");
    assert_eq!(subject(&model), "newrelic/newrelic-cli", "the place before comes back");
    typed(&mut model, "newrelic/newrelic");
    press(&mut model, "<enter> <enter>");
    assert_eq!((model.screen, subject(&model).as_str()), (ViewId::Entry, "newrelic/newrelic"));
    press(&mut model, "esc esc");
    assert_eq!((subject(&model).as_str(), model.desk.list.filter.as_str()), ("newrelic/newrelic", ""));
}

#[test]
fn pasted_addresses_are_shown_alone() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "/");
    update(&mut model, Msg::Paste("hashicorp/aws\r\n- `newrelic/newrelic`, gone/away\n".into()));
    assert_eq!(
        (model.desk.list.shown.len(), last_message(&model).as_str()),
        (2, "3 entries pasted; 2 rows shown")
    );
    let many: Vec<String> = (0..200).map(|at| format!("some-longer-namespace/name-{at}")).collect();
    press(&mut model, "ctrl-u");
    update(&mut model, Msg::Paste(format!("{} juju/juju", many.join("\n"))));
    assert_eq!(model.desk.list.shown.len(), 1, "no address is cut off");
}

#[test]
fn a_long_filter_gets_the_room_of_the_order_and_says_that_its_start_is_hidden() {
    let mut model = started(world::normal(), 120, 40);
    let field = |model: &Model| {
        let text = screen(model);
        text.lines().find(|line| line.contains("filter>")).unwrap_or_default().to_owned()
    };
    assert!(field(&model).contains("sort: level"));
    typed(&mut model, "why:aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd");
    assert!(field(&model).contains("why:aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"), "{}", field(&model));
    let long = format!("why:{}", "abcdefghij".repeat(9));
    typed(&mut model, &long);
    assert!(field(&model).contains(&long) && !field(&model).contains("sort:"), "{}", field(&model));
    typed(&mut model, &long.repeat(2));
    assert!(field(&model).contains("filter> <"), "{}", field(&model));
}

#[test]
fn groups_say_how_many_of_their_rows_need_attention_and_n_finds_them_folded() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "s S z M g g");
    let text = screen(&model);
    assert!(text.contains("[+] DRIFT  2 rows, 2 need attention"), "{text}");
    assert!(
        text.contains("[+] OK  6 rows ") && text.contains("[+] GONE  1 row, 1 needs attention"),
        "{text}"
    );
    press(&mut model, "n");
    assert!(last_message(&model).contains("that need attention"), "{}", last_message(&model));
    let first = model.views.inventory.cursor;
    press(&mut model, "n");
    assert_eq!(model.views.inventory.cursor, first + 1);
}

/// The text beside the list about the group under the cursor: its criterion, its rows, and the key that folds or opens it.
#[test]
fn a_group_says_what_it_holds_and_which_key_opens_it() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "s S z M g g");
    let beside = |model: &Model| {
        let screen = screen(model);
        let lines = screen.lines().filter_map(|line| Some(line.rsplit_once('|')?.1.trim().to_owned()));
        lines.take(3).collect::<Vec<_>>()
    };
    assert_eq!(beside(&model), ["status GONE", "1 row shown, 1 needs attention", "folded; z a opens it"]);
    press(&mut model, "j z a");
    let [title, shown, fold] = &beside(&model)[..] else { panic!("{}", screen(&model)) };
    assert!(
        title.starts_with("status ") && shown.contains(" shown, ") && fold == "z a folds it",
        "{title} {shown} {fold}"
    );
}

/// The lines of the preview at the side.
fn beside(model: &Model) -> String {
    let text = screen(model);
    let sides = text.lines().filter_map(|line| line.split_once('|')).map(|(_, side)| side.trim());
    sides.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_preview_takes_the_keys_and_gives_them_back() {
    let mut model = started(world::normal(), 120, 30);
    typed(&mut model, "newrelic/newrelic");
    press(&mut model, "<enter>");
    let (at, before) = (model.views.inventory.cursor, beside(&model));
    press(&mut model, "tab j j");
    assert_eq!(model.views.inventory.cursor, at);
    assert_ne!(beside(&model), before, "its lines move");
    press(&mut model, "G");
    let end = beside(&model);
    press(&mut model, "j J k");
    assert_ne!(beside(&model), end, "nothing is scrolled past the end");
    press(&mut model, "g g");
    assert_eq!(beside(&model), before);
    press(&mut model, "esc j");
    assert_eq!(
        (model.views.inventory.cursor, model.desk.list.filter.as_str()),
        (at + 1, "newrelic/newrelic")
    );
    press(&mut model, "p tab");
    assert_eq!(last_message(&model), "Tab: the preview is hidden; p shows it");
    let mut small = started(world::normal(), 60, 20);
    press(&mut small, "tab");
    assert!(last_message(&small).contains("too small for a preview"));
}

#[test]
fn a_preview_says_where_it_was_cut_and_the_rest_can_be_read() {
    let mut loaded = world::normal();
    let at = loaded.verdicts.iter().position(|verdict| verdict.status == Status::RepoGone).unwrap();
    loaded.verdicts[at].because.text = "a reason ".repeat(60);
    let mut model = started(loaded, 80, 24);
    typed(&mut model, "oldcorp/widgets");
    press(&mut model, "<enter>");
    let text = screen(&model);
    assert!(text.contains("a reason ...") || text.contains("a ..."), "{text}");
    assert!(text.contains("more lines (J)"), "{text}");
    press(&mut model, "tab G");
    assert!(screen(&model).contains("to depth `versions`"), "{}", screen(&model));
}

#[test]
fn the_preview_says_what_the_age_is_of_and_what_can_be_done() {
    let mut model = started(world::normal(), 200, 50);
    typed(&mut model, "newrelic/newrelic");
    press(&mut model, "<enter>");
    // A sentence is wrapped.
    let words = |model: &Model| beside(model).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = words(&model);
    for wanted in [
        "highest 3.69.0; upstream has 3.70.1",
        "age the oldest missing version came out 6 hours ago; no bump has added it",
        "checked 11:59Z, to depth `versions`",
        "^ BEHIND - not indexed yet",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}\n{text}"));
    let order = ["BEHIND - not", "why ", "next d ", "what ", "impact ", "repo "].map(place);
    assert!(order.is_sorted(), "{order:?}\n{text}");
    assert!(!text.contains("copy the address"), "the footer names the keys: {text}");
    press(&mut model, "j");
    assert!(words(&model).contains("newest indexed 24 hours ago"), "{}", beside(&model));
}

/// While files are read nobody knows what to do: no advice stands beside a row, whatever its file will say.
#[test]
fn a_row_that_is_being_read_says_so_and_advises_nothing() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (200, 50)] {
        let mut loaded = world::unchecked();
        for verdict in &mut loaded.verdicts {
            verdict.because.source = Source::Pending;
            verdict.because.text = "its data file is still being read".into();
        }
        let mut model = started(loaded, columns, rows);
        for _ in 0..3 {
            let text = screen(&model);
            assert!(text.contains("being read"), "{text}");
            for advice in ["repair", "y p", "none checked yet.", "survey it", "you can"] {
                assert!(!text.contains(advice), "{columns}x{rows} {advice}\n{text}");
            }
            press(&mut model, "j");
        }
    }
}

#[test]
fn before_the_first_survey_the_list_says_what_the_files_say() {
    let mut loaded = world::unchecked();
    let rows = &mut Arc::make_mut(&mut loaded.catalog).rows;
    for row in rows.iter_mut() {
        row.shape.discovered = Some(world::now() - SignedDuration::from_hours(30));
        (row.shape.target_count, row.shape.unhashed_targets, row.lint) = (14, 3, Some(2));
    }
    let all = rows.len();
    let model = started(loaded, 200, 50);
    let text = screen(&model);
    let begins = format!(
        "{all} entries, none checked yet. R checks all (less than a minute with your token), r this one."
    );
    for wanted in [&*begins, "1.0.0     lint: 2 findings; no h1 or size: 3 of 14"] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    assert!(!text.contains("? UNKNOWN   P") && !left(&model).contains("UNKNOWN"), "{text}");
    // Upstream is not known, so its version gives way to the facts of the file.
    assert!(text.contains("STATUS  K  ADDRESS") && !text.contains("\u{2192}"), "{text}");
    // A narrow window has room for the keys, not for the time.
    let text = screen(&started(world::unchecked(), 80, 24));
    assert!(text.contains("none checked yet. R checks all, r this one."), "{text}");
    // The figures of one that was checked are worth more.
    assert!(!screen(&started(world::normal(), 120, 40)).contains("none checked yet"));
}

#[test]
fn the_palette_begins_with_what_one_comes_for_and_leads_on_from_nothing() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, ":");
    let text = screen(&model);
    let place = |words: &str| text.lines().position(|line| line.contains(words));
    assert!(place("Look closer").unwrap() < place("> Enter").unwrap(), "{text}");
    assert_eq!(place("down one row"), None, "motions stand at the end");
    press(&mut model, "l o c k");
    assert!(
        screen(&model).contains("print the lock file block of a provider's version"),
        "{}",
        screen(&model)
    );
    press(&mut model, "<enter>");
    assert!(last_message(&model).starts_with("copying bumpdesk lock "), "{}", last_message(&model));
    press(&mut model, ": x y z z y");
    let text = screen(&model);
    for wanted in ["has the words `xyzzy`", "Ctrl-u empties the field", "`bumpdesk help` lists the commands"]
    {
        assert!(text.contains(wanted), "{text}");
    }
    press(&mut model, "esc ?");
    let text = screen(&model);
    let place = |words: &str| text.lines().position(|line| line.contains(words));
    assert!(place("Look closer").unwrap() < place("Mark and decide").unwrap(), "{text}");
}

/// The columns keep their places, whatever a filter lets through.
#[test]
fn a_filter_moves_no_column() {
    let heads = |model: &Model| {
        let text = screen(model);
        let line = text.lines().find(|line| line.contains("STATUS")).unwrap_or_default();
        line.split('|').next().unwrap_or_default().trim_end().to_owned()
    };
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let mut model = started(world::normal(), columns, rows);
        let before = heads(&model);
        assert!(before.contains(" K ") || columns == 60, "{before}");
        for text in ["zzzz", "kind:module", "newrelic"] {
            typed(&mut model, text);
            assert_eq!(heads(&model), before, "{text} at {columns}x{rows}");
            press(&mut model, "esc");
        }
    }
}

/// The words of a filter are underlined in the addresses, and nothing else is.
#[test]
fn a_filter_marks_what_it_finds_in_the_addresses() {
    let marked = |model: &Model| -> Vec<String> {
        let buffer = drawn(model);
        let list = model.seen().expect("a view").list(&model.desk, &model.paint());
        let of_row = |y| {
            let cells = (list.x..list.right()).map(|x| &buffer[(x, y)]);
            let found = cells.filter(|cell| cell.modifier.contains(Modifier::UNDERLINED));
            found.map(ratatui::buffer::Cell::symbol).collect::<String>()
        };
        (list.y..list.bottom()).map(of_row).filter(|row| !row.is_empty()).collect()
    };
    for (columns, rows) in [(120, 40), (60, 20)] {
        let mut model = started(world::normal(), columns, rows);
        assert_eq!(marked(&model), [""; 0]);
        for (text, wanted, count) in [
            ("NewRelic", "newrelicnewrelic", 2),
            ("hashicorp !aws", "hashicorp", 1),
            ("=juju/juju", "juju/juju", 1),
            ("ns:coder", "codercoder", 1),
            ("status:drift", "", 0),
        ] {
            typed(&mut model, text);
            let found = marked(&model);
            assert_eq!(found.len(), count, "{text}: {found:?}");
            assert!(found.iter().all(|row| row == wanted), "{text}: {found:?}");
            press(&mut model, "esc");
        }
    }
}

/// A narrow window without a preview says how a survey is begun, and no preview repeats that an entry was never checked.
#[test]
fn before_the_first_survey_every_size_says_how_to_begin_one() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let mut model = started(world::unchecked(), columns, rows);
        model.message = None;
        let text = screen(&model);
        assert!(text.contains("22 entries, none checked yet. R checks all"), "{columns}x{rows}\n{text}");
        for repeated in ["why     not checked yet", "you can survey it"] {
            assert!(!text.contains(repeated), "{columns}x{rows}\n{text}");
        }
    }
}

/// The preview of another entry begins at its top, whichever way the cursor got there.
#[test]
fn a_preview_begins_at_its_top() {
    let mut model = started(world::normal(), 80, 24);
    typed(&mut model, "newrelic");
    press(&mut model, "<enter> g g J J");
    let scroll = |model: &Model| model.views.inventory.preview_scroll;
    assert_eq!(scroll(&model), 2);
    typed(&mut model, "juju");
    assert_eq!((scroll(&model), subject(&model)), (0, "juju/juju".into()));
}
