//! The rules that every row of the table keeps, what a key file may say, and what the palette finds.

use std::collections::BTreeMap;

use super::action::Action;
use super::bindings::Sequence;
use super::*;
use crate::desk::ability::{Ability, NextStep};
use crate::tui::keymap::ViewId;
use crate::tui::keymap::chord::Chord;
use crate::tui::shell::availability;
use crate::tui::shell::model::Model;
use crate::tui::tests::{press, started, world};

fn model() -> Model {
    started(world::normal(), 120, 40)
}

#[test]
fn every_action_has_a_key_a_label_and_a_section() {
    let mut names = Vec::new();
    for action in table::TABLE {
        let name = action.name;
        assert!(!names.contains(&name), "{name} stands twice");
        names.push(name);
        assert!(
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
            "{name} is no kebab case"
        );
        assert!(action.places().next().is_some(), "{name}");
        for place in action.places() {
            assert!(!place.contexts.is_empty() && !place.keys.is_empty(), "{name} has a place without keys");
            assert!(!place.label.is_empty(), "{name}");
            assert!(place.line.is_none_or(|line| line.starts_with("bumpdesk ")), "{name}: {:?}", place.line);
            let is_own = |row: &&Action| row.places().any(|other| other.command == place.command);
            assert_eq!(table::TABLE.iter().filter(is_own).count(), 1, "{name}: two rows for one command");
            for key in place.keys {
                assert!(Chord::sequence(key).is_some(), "{name}: `{key}`");
            }
        }
        let contexts: Vec<Context> = action.contexts().collect();
        for context in &contexts {
            assert_eq!(contexts.iter().filter(|other| *other == context).count(), 1, "{name} in {context:?}");
        }
    }
}

/// The actions that the palette finds.
fn actions<'a>(model: &'a Model, view: Context, typed: &str) -> Vec<Hit<'a>> {
    let found = search(&model.keys.bindings, &|command| availability::check(model, command), view, typed);
    let action = |found| if let Found::Action(hit) = found { Some(hit) } else { None };
    found.into_iter().filter_map(action).collect()
}

/// Whatever is typed, the palette has an entry for every action: in its own view to be run, elsewhere with its place.
#[test]
fn every_action_has_a_palette_entry() {
    let model = model();
    for action in table::TABLE {
        for view in Context::ALL.into_iter().filter(|context| !context.is_overlay()) {
            let hits = actions(&model, view, action.name);
            let hit = hits.iter().find(|hit| hit.bound.action.name == action.name);
            let hit = hit.unwrap_or_else(|| panic!("`{}` is not found from {view:?}", action.name));
            assert!(hit.barred.is_some() || action.place_in(view).is_some(), "{}", action.name);
        }
    }
}

/// A sentence names the key of a step alone where it is bound, and else with its place.
#[test]
fn a_step_is_named_by_its_place() {
    let bindings = Bindings::default();
    let steps: [(ViewId, NextStep, Option<&str>); 12] = [
        (ViewId::Changes, Ability::Add.into(), Some("a in the Inventory")),
        (ViewId::Inventory, Ability::Add.into(), Some("a")),
        (ViewId::Entry, Ability::Survey.into(), Some("r")),
        (ViewId::Diff, Ability::Survey.into(), Some("r in the Inventory")),
        (ViewId::Jobs, Ability::Resume.into(), Some("r on the pull request")),
        (ViewId::Stranded, Ability::ShowJobs.into(), Some("8")),
        (ViewId::Pull, Ability::ShowJobs.into(), Some("Esc")),
        (ViewId::Pull, Ability::ShowPull.into(), None),
        (ViewId::Inventory, Ability::CancelVerification.there(), Some("x there")),
        (ViewId::Verify, Ability::CancelVerification.there(), Some("x")),
        (ViewId::Inventory, Ability::Clone.into(), Some("`bumpdesk clone`")),
        (ViewId::Inventory, Ability::CancelAll.into(), None),
    ];
    for (view, step, wanted) in steps {
        let named = next_step::key(&bindings, Context::View(view), &step);
        assert_eq!(named.as_deref(), wanted, "{step:?} in {view:?}");
    }
}

fn keys_of(bindings: &Bindings, context: Context) -> Vec<(Sequence, &'static str)> {
    let one =
        |bound: &Bound| bound.keys.iter().map(|keys| (keys.clone(), bound.action.name)).collect::<Vec<_>>();
    bindings.within(context).flat_map(one).collect()
}

#[test]
fn no_key_has_two_meanings_in_a_context_and_none_begins_another() {
    let bindings = Bindings::default();
    for context in Context::ALL {
        let all = keys_of(&bindings, context);
        assert!(!all.is_empty(), "{context:?} has no keys");
        for (place, (keys, name)) in all.iter().enumerate() {
            for (other, second) in &all[place + 1..] {
                let clash = keys.starts_with(other) || other.starts_with(keys);
                assert!(!clash, "{context:?}: {name} and {second} share {keys:?}");
            }
        }
    }
}

#[test]
fn the_same_key_means_the_same_in_every_view() {
    let bindings = Bindings::default();
    let mut meanings: BTreeMap<String, &str> = BTreeMap::new();
    for context in Context::ALL.into_iter().filter(|context| !context.is_overlay()) {
        for (keys, name) in keys_of(&bindings, context) {
            let known = meanings.insert(shown(&keys), name);
            assert!(known.is_none_or(|known| known == name), "{keys:?} means {known:?} and {name}");
        }
    }
}

#[test]
fn letters_are_typed_where_there_is_a_field_and_numbers_are_kept_for_views() {
    let bindings = Bindings::default();
    for context in Context::ALL {
        for (keys, name) in keys_of(&bindings, context) {
            assert!(!context.has_field() || keys[0].typed().is_none(), "{context:?}: {name} takes a letter");
            let text = shown(&keys);
            assert!(!["Backspace", "Delete", "Insert"].contains(&text.as_str()), "{name}");
            if !context.is_overlay() && text.parse::<u8>().is_ok() {
                assert!(name.starts_with("show-"), "{name} takes the number of a view");
            }
        }
        assert_eq!(Context::from_name(context.name()), Some(context));
    }
}

#[test]
fn every_number_of_a_view_shows_it() {
    for row in VIEWS.iter().filter(|row| !row.id.keys().is_empty()) {
        let shows = |action: &Action| action.places().any(|place| place.command == Command::Show(row.id));
        assert!(table::TABLE.iter().any(shows), "no action shows {}", row.name);
    }
}

#[test]
fn every_field_has_the_keys_of_all_fields() {
    for name in ["clear-field", "drop-word"] {
        let action = table::named(name).expect(name);
        for context in Context::ALL {
            assert_eq!(action.place_in(context).is_some(), context.has_field(), "{name} in {context:?}");
        }
    }
}

/// Each reason is a sentence that can stand alone after the key.
#[test]
fn what_is_not_possible_says_why() {
    let mut model = model();
    for (keys, wanted) in [
        ("x", "x: no survey is running"),
        ("esc", "Esc: nothing to step back from; q leaves the program"),
        ("R R", "R: a survey is running; x cancels it"),
        ("r", "r: a survey is running; x cancels it"),
        ("x x", "x: the survey is already stopping"),
        ("R", "R: the survey is stopping"),
        ("/ z z z <enter> d", "d: the filter hides every row; Esc clears it"),
        ("y a", "y a: the filter hides every row; Esc clears it"),
        ("<esc> <enter> j", "j: the entry is still being read"),
        ("d j", "j: the rebuild is still being built"),
        ("ctrl-x", "Ctrl-x does nothing here; ? lists the keys, : finds actions"),
    ] {
        press(&mut model, keys);
        assert_eq!(model.message.as_ref().map(|message| message.text.as_str()), Some(wanted), "{keys}");
    }
    let mut small = started(world::normal(), 60, 20);
    press(&mut small, "p");
    assert!(small.message.unwrap().text.contains("too small for a preview"));
}

fn read(text: &str) -> Result<Bindings, Vec<String>> {
    file::read(text)
        .map(|(bindings, _)| bindings)
        .map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect())
}

fn first(bindings: &Bindings, context: Context, name: &str) -> String {
    bindings.first(context, table::named(name).unwrap().places().next().unwrap().command)
}

#[test]
fn a_key_file_replaces_keys() {
    let text = "[anywhere]\nhelp = [\"F1\", \"?\"]\nredraw = \"Z\"\n\n[inventory]\nsort = \"S\"\nfilter = [\"ctrl-f\", \"/\"]\n\
                invert = []\nback = \"backtick\"\n";
    let text = text.replace("backtick", "`");
    let bindings = read(&text).unwrap();
    let shown = |context, name: &str| {
        let bound = bindings.within(context).find(|bound| bound.action.name == name).unwrap();
        bound.shown()
    };
    assert_eq!(shown(Context::View(ViewId::Diff), "help"), "F1, ?");
    assert_eq!(shown(Context::View(ViewId::Inventory), "sort"), "S");
    assert_eq!(shown(Context::View(ViewId::Inventory), "filter"), "Ctrl-f, /");
    assert_eq!(shown(Context::View(ViewId::Inventory), "invert"), "");
    assert_eq!(shown(Context::View(ViewId::Inventory), "back"), "`, Esc", "Esc keeps its meaning");
    assert_eq!(shown(Context::View(ViewId::Entry), "back"), "Esc");
    assert_eq!(shown(Context::View(ViewId::Entry), "redraw"), "Z");
    assert_eq!(shown(Context::Filter, "redraw"), "Ctrl-l", "letters are typed there");
    assert_eq!(first(&bindings, Context::View(ViewId::Inventory), "sort"), "S");
    assert_eq!(first(&bindings, Context::View(ViewId::Inventory), "invert"), ":invert");
    assert!(read("").is_ok());
}

#[test]
fn keys_may_change_places_and_the_closer_table_wins() {
    let bindings =
        read("[anywhere]\nquit = \"Q\"\n[diff]\nquit = \"ctrl-q\"\nfold = \"w\"\nwrap = \"z a\"\n").unwrap();
    assert_eq!(first(&bindings, Context::View(ViewId::Entry), "quit"), "Q");
    assert_eq!(first(&bindings, Context::View(ViewId::Diff), "quit"), "Ctrl-q");
    assert_eq!(
        (
            first(&bindings, Context::View(ViewId::Diff), "fold"),
            first(&bindings, Context::View(ViewId::Diff), "wrap")
        ),
        ("w".into(), "z a".into())
    );
}

/// `old-keys.toml` has the tables of fields that are forms now. Its keys apply in every form: of two tables that give a key to an
/// action the first one in the alphabet, and no key of the file is a mistake because forms have keys of their own by now.
#[test]
fn a_key_file_from_before_forms_keeps_working() {
    let old = include_str!("old-keys.toml");
    let bindings = read(old).unwrap();
    let form = |bindings: &Bindings, name: &str| {
        let bound = bindings.within(Context::Form).find(|bound| bound.action.name == name).unwrap();
        bound.shown()
    };
    for (name, keys) in [
        ("accept", "Ctrl-s"),
        ("close", "Ctrl-g, Esc"),
        ("drop-word", "Down"),
        ("redraw", "Ctrl-r"),
        ("clear-field", "Ctrl-x"),
        ("next-field", "Tab"),
        // The file gives its key to something else.
        ("next-line", ""),
        ("previous-line", "Up"),
    ] {
        assert_eq!(form(&bindings, name), keys, "{name}");
    }
    let fill = bindings.within(Context::NewBackfill).find(|bound| bound.action.name == "accept").unwrap();
    assert_eq!(fill.shown(), "Ctrl-s");
    // The table of forms wins.
    let bindings = read(&format!("{old}\n[form]\naccept = \"ctrl-y\"\n")).unwrap();
    assert_eq!(form(&bindings, "accept"), "Ctrl-y");
    // A mistake in an older table is one.
    let found = read("[note]\nsort = \"S\"\naccept = \"x\"\n").unwrap_err();
    assert!(found[0].starts_with("2:1: `sort` does nothing in `[form]`"), "{found:?}");
    assert!(found[1].contains("letters are typed"), "{found:?}");
    // A key of one's own takes it from the action that had it.
    let bindings = read("[form]\naccept = \"ctrl-u\"\n").unwrap();
    assert_eq!([form(&bindings, "accept"), form(&bindings, "clear-field")], ["Ctrl-u", ""]);
}

/// A key file, and how each of its mistakes begins.
const MISTAKES: &[(&str, &[&str])] = &[
    (
        "[inventry]\nsort = \"S\"\n[diff]\nfolds = \"w\"\n",
        &[
            "1:2: there is no place `[inventry]` for keys; Write `[inventory]` instead.",
            "4:1: there is no action `folds`; Write `fold` instead.",
        ],
    ),
    ("sort = \"S\"\n", &["1:1: `sort` is not in a table; Write it below `[anywhere]`"]),
    (
        "[inventory]\nwrap = \"w\"\n",
        &[
            "2:1: `wrap` does nothing in `[inventory]`; Write it below `[diff]`, `[changes]`, `[review-diff]`, `[jobs]` or",
        ],
    ),
    ("[entry]\nxyzzyxyzzy = \"w\"\n", &["2:1: there is no action `xyzzyxyzzy`; `bumpdesk keys` lists"]),
    ("[inventory]\nsort = 3\n", &["2:8: keys are text, not integer; Write `\"g g\"`"]),
    ("[inventory]\nsort = [\"S\", 3]\n", &["2:14: keys are text, not integer"]),
    ("[inventory]\nsort = \"entre\"\n", &["2:8: there is no key `entre`; Write `enter` instead."]),
    (
        "[inventory]\nsort = \"ctrl-pgdwn\"\n",
        &["2:8: there is no key `ctrl-pgdwn`; Write `ctrl-pgdn` instead."],
    ),
    (
        "[inventory]\nsort = \"gs\"\n",
        &["2:8: there is no key `gs`; Write keys that are pressed one after the other apart: `g s`."],
    ),
    ("[inventory]\nsort = \"\"\n", &["2:8: the name of the key is empty"]),
    ("[inventory]\nsort = \"a b c d\"\n", &["2:8: `a b c d` is longer than 3 keys"]),
    ("[inventory]\nsort = \"alt-s\"\n", &["2:8: `alt-s`: only `ctrl-` can come before a key"]),
    (
        "[inventory]\nsort = \"shift-s\"\n",
        &["2:8: `shift-s` is not how a capital is written; Write `S` instead."],
    ),
    ("[inventory]\nsort = \"ctrl-i\"\n", &["2:8: `ctrl-i`: terminals send the same for `tab`"]),
    ("[inventory]\nsort = \"backspace\"\n", &["2:8: `backspace` edits text"]),
    ("[inventory]\nsort = \"esc\"\n", &["2:8: `Esc` always steps back or gets out; it cannot mean `sort`"]),
    ("[inventory]\nsort = \"3\"\n", &["2:8: `3` is kept for a view"]),
    (
        "[inventory]\nbuild = \"d\"\nsort = \"d\"\n",
        &["3:8: `d` is the key of `build` in `[inventory]` already; Take another key, or give `build`"],
    ),
    ("[inventory]\ntop = \"g g\"\nsort = \"g\"\n", &["3:8: `g` begins `g g` of `top` in `[inventory]`"]),
    (
        "[inventory]\nbuild = \"d\"\nsort = \"d d\"\n",
        &["3:8: `d d` begins with `d`, the key of `build` in `[inventory]`"],
    ),
    ("[inventory]\nsort = [\"S\", \"S\"]\n", &["2:14: `S` and `S` of the same action"]),
    ("[filter]\nclear-field = \"u\"\n", &["2:15: in `[filter]` letters are typed; they cannot be keys"]),
    ("[inventory]\nsort = \"S\"\nsort = \"T\"\n", &["3:1: duplicate key"]),
    ("[inventory\n", &["1:11: "]),
];

/// A key file that worked keeps working when an action gets a key that the file has given to another one.
#[test]
fn a_key_of_ones_own_takes_it_from_the_table_and_is_noted() {
    let (bindings, notes) =
        file::read("[anywhere]\nsurvey-this = \"Z\"\n[inventory]\nsort = \"g\"\n").expect("it is right");
    let shown = |context, name: &str| {
        bindings.within(context).find(|bound| bound.action.name == name).expect("it is there").shown()
    };
    let inventory = Context::View(ViewId::Inventory);
    assert_eq!([shown(inventory, "survey-this"), shown(inventory, "zoom")], ["Z", ""]);
    assert_eq!(
        [shown(inventory, "sort"), shown(inventory, "top")],
        ["g", "Home"],
        "`g g` could not be pressed"
    );
    // The table's own key stays in a place that the file does not name.
    assert_eq!(shown(Context::View(ViewId::Verify), "zoom"), "Z");
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "2:15: `Z` is your key of `survey-this`, so `Z` is not a key of `zoom` in `[inventory]`, `[entry]`, `[changes]`, `[pull]`, \
             `[reviews]`, `[backfill]`, `[stranded]`, `[jobs]`; Give `zoom` another key there, or take another one for yours.",
            "4:8: `g` is your key of `sort`, so `g g` is not a key of `top` in `[inventory]`; Give `top` another key there, or take \
             another one for yours.",
        ]
    );
}

#[test]
fn all_mistakes_are_reported_with_place_and_remedy() {
    for (text, wanted) in MISTAKES {
        let found = read(text).unwrap_err();
        assert_eq!(found.len(), wanted.len(), "{text}: {found:#?}");
        for (found, wanted) in found.iter().zip(*wanted) {
            assert!(found.starts_with(wanted), "{text}: {found}");
        }
    }
}

#[test]
fn a_file_with_a_mistake_leaves_the_tables_own_keys_whole() {
    let file = |text: Result<&str, &str>| KeysFile {
        path: "keys.toml".into(),
        text: text.map(Into::into).map_err(Into::into),
    };
    let keyboard = Keyboard::read(Some(&file(Ok("[inventory]\nsort = \"S\"\nfilter = \"nonsense\"\n"))));
    assert_eq!(keyboard.mistakes.len(), 1);
    assert_eq!(first(&keyboard.bindings, Context::View(ViewId::Inventory), "sort"), "s");
    let keyboard = Keyboard::read(Some(&file(Err("permission denied"))));
    assert_eq!(keyboard.mistakes[0].to_string(), "the key file cannot be read: permission denied");
    let (rows, mistakes, _) = keys(Some(&file(Ok("[diff]\nhelp = \"F1\"\n"))));
    assert!(mistakes.is_empty());
    let help: Vec<_> = rows.iter().filter(|row| row.name == "help").collect();
    assert_eq!(
        (help[0].place.as_str(), help[0].keys.as_slice()),
        (
            "Inventory, one entry, Changes, the pull request, Reviews, the difference of a pull request, Verify, Backfill, Stranded, Jobs",
            &["?".to_owned()][..]
        )
    );
    assert_eq!(
        (help[1].place.as_str(), help[1].keys.as_slice()),
        ("the proposed rebuild", &["F1".to_owned()][..])
    );
}

#[test]
fn the_palette_finds_by_key_name_and_meaning() {
    let model = model();
    let names = |view, typed: &str| -> Vec<&str> {
        actions(&model, view, typed).iter().map(|hit| hit.bound.action.name).collect()
    };
    for (view, typed, wanted) in [
        (Context::View(ViewId::Diff), "]", "next-hunk"),
        (Context::View(ViewId::Inventory), "]", "next-hunk"),
        (Context::View(ViewId::Inventory), "gg", "top"),
        (Context::View(ViewId::Inventory), "g g", "top"),
        (Context::View(ViewId::Inventory), "G", "bottom"),
        (Context::View(ViewId::Inventory), "CTRL-D", "half-down"),
        (Context::View(ViewId::Inventory), "survey shown", "survey-shown"),
        (Context::View(ViewId::Inventory), "srvshn", "survey-shown"),
        (Context::View(ViewId::Inventory), "clipboard", ""),
        (Context::View(ViewId::Inventory), "upstream URL", "copy-url"),
        (Context::View(ViewId::Inventory), "quit", "quit"),
    ] {
        assert_eq!(names(view, typed).first().copied().unwrap_or_default(), wanted, "{typed}");
    }
    let all = names(Context::View(ViewId::Inventory), "");
    assert!(all.contains(&"survey-shown") && !all.contains(&"wrap"), "without a word: only what counts here");
    let hits = actions(&model, Context::View(ViewId::Inventory), "wrap");
    let hit = hits.iter().find(|hit| hit.bound.action.name == "wrap").unwrap();
    assert_eq!(hit.barred.as_deref(), Some("only in the proposed rebuild"));
}

/// Results with a word that begins with the text come before results that have it inside a word, commands included.
#[test]
fn the_palette_takes_the_beginning_of_a_word_first() {
    let model = model();
    let view = Context::View(ViewId::Inventory);
    let found = search(&model.keys.bindings, &|command| availability::check(&model, command), view, "lock");
    let name = |found: &Found<'_>| match found {
        Found::Action(hit) => hit.bound.action.name,
        Found::Command(command) => command.name(),
        Found::Question(_) => "triage",
    };
    let names: Vec<&str> = found.iter().map(name).collect();
    assert_eq!(names[..3], ["lock", "lock", "block"]);
}

proptest::proptest! {
    /// Whatever a file says, it is read without a panic, and what is taken from it has no clash and a way out.
    #[test]
    fn any_text_is_read_whole_or_refused(
        places in proptest::collection::vec(("(anywhere|inventory|diff|entry|filter|x)", "(sort|quit|back|fold|top|help|y)", "[a-zG:?1]( [a-z])?|esc|ctrl-[a-z]|f[0-9]|\\PC{0,6}"), 0..5),
        noise in "\\PC{0,40}|",
    ) {
        use std::fmt::Write;
        let mut text = String::new();
        for (place, action, key) in &places {
            let _ = writeln!(text, "[{place}]\n{action} = {key:?}");
        }
        let _ = file::read(&format!("{text}{noise}"));
        let _ = file::read(&noise);
        if let Ok((bindings, _)) = file::read(&text) {
            for context in Context::ALL {
                let all = keys_of(&bindings, context);
                for (place, (keys, name)) in all.iter().enumerate() {
                    for (other, second) in &all[place + 1..] {
                        let clash = keys.starts_with(other) || other.starts_with(keys);
                        proptest::prop_assert!(!clash, "{:?}: {} and {}\n{}", context, name, second, text);
                    }
                }
                let out = all.iter().any(|(keys, _)| shown(keys) == "Esc");
                proptest::prop_assert!(out, "{:?} has no Esc\n{}", context, text);
            }
        }
    }
}
