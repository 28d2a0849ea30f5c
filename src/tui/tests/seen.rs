//! Seen means seen: what a reader has to do, and what has to stand on the screen, before a change can be approved.

use crate::jobs::data::{Job, PlanTask};
use crate::rules::plan::{Answer, FileState, PlannedFile, Verb};
use crate::tui::base::layout::Size;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::reviews::{go, last_message, looking, see};
use crate::tui::tests::{press, screen};

const SIZES: [(u16, u16); 4] = [(200, 50), (120, 40), (80, 24), (60, 20)];

fn seen(fake: &FakePlan) -> usize {
    fake.files.iter().flat_map(|(_, marks)| marks.values()).filter(|mark| mark.seen).count()
}

fn only_file(fake: &FakePlan) -> PlannedFile {
    fake.find("acme/eleven")
}

/// Opening a view shows its changes, and says nothing about who looked at them.
#[test]
fn opening_views_sees_nothing() {
    for (columns, rows) in SIZES {
        for (mut fake, what) in [(FakePlan::normal(), "normal"), (FakePlan::eleven(3, ""), "eleven")] {
            let mut model = looking(&mut fake, columns, rows);
            for key in ["1", "2", "3", "2", "4", "5", "6", "7", "8", "9", "2", "2", "1", "2"] {
                let mut effects = press(&mut model, key);
                // A frame before the lines are there, and several after it.
                for _ in 0..3 {
                    effects.extend(update(&mut model, Msg::Drawn));
                    let marks =
                        |effect: &Effect| matches!(effect, Effect::Start(_, Job::Plan(PlanTask::Mark(_))));
                    assert!(!effects.iter().any(marks), "{what} {key} at {columns}x{rows}: {effects:?}");
                    fake.answer(&mut model, std::mem::take(&mut effects));
                }
            }
            go(&mut fake, &mut model, "<space>");
            assert!(last_message(&model).contains("left to look at"), "{}", last_message(&model));
            assert_eq!(seen(&fake), 0, "{what} at {columns}x{rows}");
        }
    }
}

/// A run of alike targets is a fold, and no target beside those in it.
#[test]
fn folded_targets_are_counted_once() {
    let mut fake = FakePlan::eleven(1, "");
    let mut model = looking(&mut fake, 120, 40);
    for (keys, wanted) in [("j", "10 targets like"), ("<tab> z M", "11 targets like")] {
        go(&mut fake, &mut model, keys);
        assert!(screen(&model).contains(wanted), "{keys}: {}", screen(&model));
    }
}

/// A key or a click that leads to a version, and a frame after it. What changes without a hand leads nowhere.
#[test]
fn a_hand_leads_to_a_version_and_nothing_else_does() {
    let sees = |keys: &str, more: &dyn Fn(&mut FakePlan, &mut Model)| {
        let mut fake = FakePlan::eleven(2, "");
        let mut model = looking(&mut fake, 120, 40);
        if !keys.is_empty() {
            go(&mut fake, &mut model, keys);
        }
        more(&mut fake, &mut model);
        see(&mut fake, &mut model);
        seen(&fake)
    };
    let nothing = |_: &mut FakePlan, _: &mut Model| {};
    for (keys, count) in [
        ("j", 1),
        ("j j", 2),
        ("G", 0),
        ("<enter>", 1),
        ("<tab>", 1),
        ("<tab> ]", 2),
        // Layout, folds and files lead to no version.
        ("t", 0),
        ("z M", 0),
        (") (", 0),
        ("? <esc>", 0),
        ("8 2", 0),
        // A filter leads to files.
        ("/ 5 . 1 . 0", 0),
        ("/ 5 . 1 . 0 <enter>", 0),
        // A search leads to its hit with Enter.
        ("<tab> / 5 . 0 . 0", 1),
        ("<tab> / 5 . 0 . 0 <enter>", 2),
    ] {
        assert_eq!(sees(keys, &nothing), count, "{keys}");
    }
    let resize = |_: &mut FakePlan, model: &mut Model| {
        update(model, Msg::Resize(Size::new(200, 60)));
    };
    assert_eq!(sees("", &resize), 0, "another size shows more");
    assert_eq!(sees("j", &resize), 1, "a version that no key led to is not seen");
    let rebuild = |fake: &mut FakePlan, model: &mut Model| {
        let effects = press(model, "R y");
        fake.answer(model, effects);
    };
    assert_eq!(sees("", &rebuild), 0, "a new plan under the cursor");
    let click = |fake: &mut FakePlan, model: &mut Model| {
        let is_row = |line: &str| line.split('|').next().is_some_and(|tree| tree.contains("5.1.0 "));
        let row = screen(model).lines().position(is_row).unwrap() as u16;
        let effects = update(model, Msg::Mouse(Mouse::Click(4, row)));
        fake.answer(model, effects);
    };
    assert_eq!(sees("", &click), 1, "a click leads to a version");
}

/// A foreign address among eleven is not approved before its lines were there, whatever the size of the window.
#[test]
fn one_foreign_address_among_eleven_has_to_be_read() {
    for (columns, rows) in SIZES {
        let mut fake = FakePlan::eleven(1, "linux_arm");
        let mut model = looking(&mut fake, columns, rows);
        let place = format!("{columns}x{rows}");
        go(&mut fake, &mut model, "<tab>");
        let is_shown = |model: &Model| screen(model).contains("linux_arm.zip");
        let mut was_shown = is_shown(&model);
        let mut refusals = Vec::new();
        for _ in 0..12 {
            if seen(&fake) > 0 {
                break;
            }
            go(&mut fake, &mut model, "<space>");
            refusals.push(last_message(&model).to_owned());
            assert_eq!(only_file(&fake).state, FileState::Open, "{place}");
            go(&mut fake, &mut model, "ctrl-d");
            was_shown |= is_shown(&model);
            assert!(seen(&fake) == 0 || was_shown, "{place}\n{}", screen(&model));
        }
        assert!(was_shown && seen(&fake) == 1, "{place}: {refusals:?}\n{}", screen(&model));
        if columns < 200 {
            let last = refusals.last().expect("a refusal");
            assert_eq!(
                last, "Space: 5.0.0: the lines of linux_arm were not shown; Ctrl-d shows what is left",
                "{place}"
            );
        }
        go(&mut fake, &mut model, "<tab> <space>");
        assert_eq!(only_file(&fake).state, FileState::Approved, "{place}");
    }
}

/// A fold that hides the lines of such a platform is named with the key that opens it.
#[test]
fn a_refusal_names_the_platforms_and_the_way_to_their_lines() {
    let mut fake = FakePlan::eleven(1, "linux_arm");
    let mut model = looking(&mut fake, 60, 20);
    go(&mut fake, &mut model, "<tab> z M <space>");
    assert!(
        last_message(&model).starts_with("Space: a fold hides 1 target unlike the others"),
        "{}",
        last_message(&model)
    );
    // A window in which the summary does not fit.
    let mut model = looking(&mut fake, 60, 14);
    go(&mut fake, &mut model, "<tab> <space>");
    assert_eq!(
        last_message(&model),
        "Space: 5.0.0: its summary was not shown to the end; Ctrl-d shows what is left"
    );
    go(&mut fake, &mut model, "ctrl-d ctrl-d ctrl-d ctrl-d ctrl-d ctrl-d <space>");
    assert!(
        last_message(&model).contains("the lines of linux_arm were not shown"),
        "{}",
        last_message(&model)
    );
}

/// Keys for a plan of fifty versions without surprises: two for each.
#[test]
fn fifty_uniform_versions_take_two_keys_each() {
    for ((columns, rows), first, next) in
        [((200, 50), "j", "j"), ((120, 40), "j", "j"), ((80, 24), "<tab>", "]"), ((60, 20), "<tab>", "]")]
    {
        let mut fake = FakePlan::eleven(50, "");
        let mut model = looking(&mut fake, columns, rows);
        let mut keys = 0;
        for version in 0..50 {
            for key in [if version == 0 { first } else { next }, "<space>"] {
                go(&mut fake, &mut model, key);
                keys += 1;
            }
            let pieces = only_file(&fake).pieces;
            let approved = pieces.iter().filter(|piece| piece.mark.answer == Answer::Approved).count();
            assert_eq!(
                approved,
                version + 1,
                "{columns}x{rows}: {}\n{}",
                last_message(&model),
                screen(&model)
            );
        }
        assert_eq!((keys, only_file(&fake).state), (100, FileState::Approved));
    }
}

/// Space stays where it is: held down, it approves one version.
#[test]
fn a_held_space_approves_one_version() {
    let mut fake = FakePlan::eleven(3, "");
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, "j <space> <space> <space> <space>");
    let answers: Vec<Answer> = only_file(&fake).pieces.iter().map(|piece| piece.mark.answer).collect();
    assert_eq!(answers, [Answer::Approved, Answer::Open, Answer::Open]);
    assert!(last_message(&model).contains("already approved"), "{}", last_message(&model));
}

/// Keys that come faster than frames pass over versions that were never on the screen.
#[test]
fn versions_that_keys_ran_over_are_not_seen() {
    let mut fake = FakePlan::eleven(9, "");
    let mut model = looking(&mut fake, 120, 40);
    let mut marks = Vec::new();
    for _ in 0..9 {
        for effect in press(&mut model, "j") {
            if let Effect::Start(_, Job::Plan(PlanTask::Mark(new))) = &effect {
                marks.extend(new.clone());
            }
        }
    }
    assert!(marks.iter().all(|mark| mark.verb != Verb::See), "{marks:?}");
    see(&mut fake, &mut model);
    assert_eq!(seen(&fake), 1, "the last one was on the screen");
}

/// The summary stands below the tree where there is no room beside it, so that two keys are enough at every size.
#[test]
fn a_version_is_seen_and_approved_in_the_tree_at_every_size() {
    for (columns, rows) in SIZES {
        let mut fake = FakePlan::eleven(1, "");
        let mut model = looking(&mut fake, columns, rows);
        let first = screen(&model);
        assert!(first.contains("listed, not hashed"), "{columns}x{rows}\n{first}");
        assert_eq!(seen(&fake), 0);
        go(&mut fake, &mut model, "j");
        assert_eq!(seen(&fake), 1, "{columns}x{rows}\n{}", screen(&model));
        go(&mut fake, &mut model, "<space>");
        assert_eq!(only_file(&fake).state, FileState::Approved, "{columns}x{rows}");
    }
}
