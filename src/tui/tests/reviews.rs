//! Reviewing a plan in Changes, by key strings.

use ratatui::buffer::Cell;

use crate::jobs::data::{FailureKind, Job, JobEvent, JobId, Loaded, Outcome, PlanTask};
use crate::registry::Address;
use crate::rules::plan::{Answer, FileState, Verb};
use crate::tui::base::theme::Role;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::fake_plan::{FakePlan, failure};
use crate::tui::tests::{drawn, press, screen, started, tell, world};

/// A console that shows this plan.
pub(super) fn looking(fake: &mut FakePlan, columns: u16, rows: u16) -> Model {
    looking_at(world::normal(), fake, columns, rows)
}

/// [`looking`] with another registry.
pub(super) fn looking_at(loaded: Loaded, fake: &mut FakePlan, columns: u16, rows: u16) -> Model {
    let mut model = started(loaded, columns, rows);
    // The job that the end of reading started was not answered yet.
    let read: Vec<JobId> =
        model.desk.board.running(|job| matches!(job, Job::Plan(_))).map(|job| job.id).into_iter().collect();
    for id in read {
        fake.answer_one(&mut model, id, &Job::Plan(PlanTask::Show));
    }
    let effects = press(&mut model, "2");
    fake.answer(&mut model, effects);
    see(fake, &mut model);
    model
}

/// Draws a frame, so that its changes count as looked at.
pub(super) fn see(fake: &mut FakePlan, model: &mut Model) {
    let effects = update(model, Msg::Drawn);
    fake.answer(model, effects);
}

/// Presses keys and answers the jobs that they start.
pub(super) fn go(fake: &mut FakePlan, model: &mut Model, keys: &str) {
    for key in keys.split(' ') {
        let effects = press(model, key);
        fake.answer(model, effects);
        see(fake, model);
    }
}

pub(super) fn last_message(model: &Model) -> &str {
    model.message.as_ref().map_or("", |message| message.text.as_str())
}

fn at(model: &Model) -> (String, Option<String>) {
    let (changes, planning) = (&model.views.changes, &model.desk.planning);
    let file = changes.file(planning).map(|file| file.address.to_string()).unwrap_or_default();
    (file, changes.piece(planning).map(|piece| piece.part.name().to_owned()))
}

#[test]
fn a_version_is_seen_by_its_lines_and_approved_after_that() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    assert!(screen(&model).contains("2 Changes 4"));
    assert_eq!(at(&model), ("cloudposse/components/aws".into(), None));
    go(&mut fake, &mut model, ")");
    assert_eq!(at(&model), ("auth0/auth0".into(), None));
    assert_eq!(fake.find("auth0/auth0").seen(), 0, "no key led to a version");
    go(&mut fake, &mut model, "j");
    assert_eq!(fake.find("auth0/auth0").seen(), 1, "its summary was on the screen");
    go(&mut fake, &mut model, "<space>");
    assert_eq!(last_message(&model), "approved 1.58.0; u takes it back");
    assert_eq!(fake.find("auth0/auth0").state, FileState::Approved);
    go(&mut fake, &mut model, "u k <space>");
    assert_eq!(last_message(&model), "approved auth0/auth0; u takes it back");
    assert_eq!(fake.find("auth0/auth0").state, FileState::Approved);
    go(&mut fake, &mut model, "u");
    assert_eq!(fake.find("auth0/auth0").state, FileState::Open);
    go(&mut fake, &mut model, ") )");
    assert_eq!(at(&model).0, "newrelic/newrelic");
    assert_eq!(fake.find("newrelic/newrelic").seen(), 0);
    go(&mut fake, &mut model, "j");
    assert_eq!(fake.find("newrelic/newrelic").seen(), 1, "the second version is below the window");
    go(&mut fake, &mut model, "k <space>");
    assert_eq!(
        last_message(&model),
        "Space: newrelic/newrelic: 1 version left to look at before it can be approved; j shows what is left"
    );
    assert_eq!(fake.find("newrelic/newrelic").state, FileState::Open);
    go(&mut fake, &mut model, "] ctrl-d ctrl-d ctrl-d");
    assert_eq!(fake.find("newrelic/newrelic").seen(), 2);
    go(&mut fake, &mut model, "<tab> g g ) ) ) <space>");
    assert_eq!(fake.find("newrelic/newrelic").state, FileState::Approved);
    go(&mut fake, &mut model, "j X");
    assert_eq!(last_message(&model), "rejected 3.70.1: left out of what would be sent; u takes it back");
    let file = fake.find("newrelic/newrelic");
    assert_eq!(
        (file.pieces[0].mark.answer, file.pieces[1].mark.answer),
        (Answer::Rejected, Answer::Approved)
    );
    assert!(screen(&model).contains("own bump writes it, without 1 rejected change"));
}

#[test]
fn what_no_frame_showed_was_not_looked_at() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) )");
    assert_eq!(fake.find("newrelic/newrelic").seen(), 0);
    // Keys that come faster than frames: to the end of the lines and back.
    for key in "<enter> ctrl-d ctrl-d ctrl-d g g <tab> g g ) ) ) <space>".split(' ') {
        let effects = press(&mut model, key);
        fake.answer(&mut model, effects);
    }
    assert_eq!(
        last_message(&model),
        "Space: newrelic/newrelic: 2 versions left to look at before it can be approved; j shows what is left"
    );
    see(&mut fake, &mut model);
    assert_eq!(fake.find("newrelic/newrelic").seen(), 1, "Enter led to the one that is on the screen");
    go(&mut fake, &mut model, "<enter> z R g g");
    for _ in 0..12 {
        go(&mut fake, &mut model, "ctrl-d");
    }
    assert_eq!(fake.find("newrelic/newrelic").seen(), 2);
}

#[test]
fn a_fold_that_hides_a_difference_is_never_approved() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) ) j <enter> z R G g g");
    for _ in 0..12 {
        go(&mut fake, &mut model, "ctrl-d");
    }
    assert_eq!(fake.find("newrelic/newrelic").seen(), 2);
    go(&mut fake, &mut model, "z M <tab> <space>");
    assert!(
        last_message(&model).starts_with("Space: a fold hides 2 targets unlike the others"),
        "{}",
        last_message(&model)
    );
    assert_eq!(fake.find("newrelic/newrelic").state, FileState::Open);
    go(&mut fake, &mut model, "z R <tab> <space>");
    assert_ne!(fake.find("newrelic/newrelic").pieces[0].mark.answer, Answer::Open);
}

#[test]
fn what_would_change_indexed_versions_is_held() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) <space>");
    assert!(
        last_message(&model).starts_with("Space: coralogix/coralogix: held: indexed versions are immutable"),
        "{}",
        last_message(&model)
    );
    let text = screen(&model);
    assert!(text.contains("MUTATES") && text.contains("held"));
    go(&mut fake, &mut model, "j X");
    assert!(matches!(fake.find("coralogix/coralogix").state, FileState::Nothing(_)));
    go(&mut fake, &mut model, "<enter> n");
    assert!(last_message(&model).contains("nothing is searched for"));
}

/// Rejected changes leave the figures: the sums are of the changes that are left.
#[test]
fn figures_are_of_what_is_left_after_a_rejection() {
    for (columns, rows) in [(60, 20), (120, 40), (200, 50)] {
        let mut fake = FakePlan::normal();
        let mut model = looking(&mut fake, columns, rows);
        let row = |model: &Model| {
            let text = screen(model);
            let lines: Vec<&str> = text.lines().map(|line| line.split('|').next().unwrap()).collect();
            let line = lines
                .iter()
                .find(|line| line.contains("newrelic/newrelic ") && !line.starts_with('-'))
                .unwrap();
            line.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        go(&mut fake, &mut model, ") ) ) j");
        let seen = u8::from(columns >= 120);
        assert_eq!(row(&model), format!("o newrelic/newrelic +2 versions {seen}/2 seen"));
        go(&mut fake, &mut model, "X");
        let some = row(&model);
        assert!(some.starts_with("o newrelic/newrelic +1 version "), "{some}");
        assert!(screen(&model).contains("rejected"), "{}", screen(&model));
        if columns == 200 {
            assert!(screen(&model).contains("+ ADDITIVE  +1 version  +6 targets"), "{}", screen(&model));
        }
        go(&mut fake, &mut model, "j X");
        assert_eq!(row(&model), "x newrelic/newrelic NOOP rejected");
        go(&mut fake, &mut model, "<tab>");
        let text = screen(&model);
        assert!(!text.contains("12 targets") && !text.contains("+12t"), "{text}");
        if columns >= 120 {
            assert!(text.contains("= NOOP  +0 versions  0 changed  0 removed  40 unchanged"), "{text}");
            assert!(
                text.contains("every change was rejected: the file stays as it is and is not sent"),
                "{text}"
            );
        }
    }
}

/// The row under the cursor is highlighted in the pane that has the keys, and in no other.
#[test]
fn the_highlight_stands_in_the_pane_that_has_the_keys() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) ) j");
    let columns = |model: &Model| {
        let (buffer, cursor) = (drawn(model), model.paint().style(Role::Cursor));
        let is_lit = |cell: &Cell| match cursor.bg {
            Some(ground) => cell.bg == ground,
            None => cell.modifier.contains(cursor.add_modifier),
        };
        let cells = buffer.area.positions().filter(|at| is_lit(&buffer[*at]));
        cells.map(|at| at.x).collect::<Vec<u16>>()
    };
    let wall = screen(&model).lines().find_map(|line| line.find('|')).unwrap() as u16;
    for (keys, in_files) in [("j", true), ("<tab>", false), ("j", false), ("<tab>", true)] {
        go(&mut fake, &mut model, keys);
        let lit = columns(&model);
        assert!(!lit.is_empty() && lit.iter().all(|x| (*x < wall) == in_files), "{keys}: {lit:?}");
    }
}

/// The screen names the subject of an approval before the key is pressed: the change under the cursor, or the
/// file.
#[test]
fn the_message_names_what_space_approves() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) ) j <enter> z R g g");
    for _ in 0..20 {
        go(&mut fake, &mut model, "ctrl-d");
    }
    let next = |fake: &FakePlan, model: &Model| {
        model.views.changes.next_step(&model.desk, &fake.find("newrelic/newrelic"), &model.paint())
    };
    let answers = |fake: &FakePlan| {
        let file = fake.find("newrelic/newrelic");
        file.pieces.iter().map(|piece| piece.mark.answer).collect::<Vec<_>>()
    };
    let told = fake.find("newrelic/newrelic").next_step();
    assert_eq!(told, "seen: approve or reject it");
    go(&mut fake, &mut model, "<tab> g g ) ) )");
    assert_eq!(at(&model), ("newrelic/newrelic".into(), None));
    assert_eq!(next(&fake, &model), "seen; Space approves it");
    go(&mut fake, &mut model, "j");
    assert_eq!(next(&fake, &model), "seen; Space approves 3.70.1 alone");
    go(&mut fake, &mut model, "<space>");
    assert_eq!(last_message(&model), "approved 3.70.1; u takes it back");
    assert_eq!(answers(&fake), [Answer::Approved, Answer::Open]);
    assert_eq!(at(&model).1.as_deref(), Some("3.70.1"), "the cursor stays");
    assert_eq!(next(&fake, &model), "seen; Space on the line of the file approves it");
    go(&mut fake, &mut model, "u k <space>");
    assert_eq!(last_message(&model), "approved newrelic/newrelic; u takes it back");
    assert_eq!(answers(&fake), [Answer::Approved, Answer::Approved]);
}

#[test]
fn long_values_are_shown_whole_before_above_after() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) <enter>");
    for _ in 0..12 {
        if model.views.changes.review.as_ref().unwrap().pane.path().ends_with("shasum") {
            break;
        }
        go(&mut fake, &mut model, "j");
    }
    go(&mut fake, &mut model, "<enter>");
    assert!(matches!(model.popup, Some(Popup::Value(_))));
    let text = screen(&model);
    assert!(text.contains("[-aa-]0") && text.contains("{+bb+}0"), "{text}");
    go(&mut fake, &mut model, "j k <esc>");
    assert!(model.popup.is_none());
}

#[test]
fn searches_count_what_folds_hide() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) ) <tab> / l i n u x _ 3 8 6");
    assert_eq!(model.context(), Context::Search);
    assert!(screen(&model).contains("in 3 folds"), "{}", screen(&model));
    go(&mut fake, &mut model, "<enter>");
    let pane = &model.views.changes.review.as_ref().unwrap().pane;
    assert!(
        last_message(&model).starts_with("hit 1 of ") && pane.path().contains("linux_386"),
        "{}",
        last_message(&model)
    );
    go(&mut fake, &mut model, "z R / <enter> n N");
    assert!(!last_message(&model).contains("fold"), "{}", last_message(&model));
    go(&mut fake, &mut model, "<esc> <esc>");
    assert_eq!((model.screen, model.context()), (ViewId::Changes, Context::View(ViewId::Changes)));
}

#[test]
fn notes_are_typed_and_kept() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 80, 24);
    go(&mut fake, &mut model, "j c o k ! <enter>");
    assert_eq!(fake.find("cloudposse/components/aws").pieces[0].mark.note, "ok!");
    go(&mut fake, &mut model, "c x <esc>");
    assert_eq!(fake.find("cloudposse/components/aws").pieces[0].mark.note, "ok!");
    go(&mut fake, &mut model, "c ctrl-u <enter>");
    assert_eq!(fake.find("cloudposse/components/aws").pieces[0].mark.note, "");
}

/// A note on a file goes to each of its changes, as the command writes it; a note that replaces others says
/// so.
#[test]
fn a_note_on_a_file_is_one_on_each_of_its_changes() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) ) c w a i t");
    assert!(screen(&model).contains("newrelic/newrelic, all 2 changes"), "{}", screen(&model));
    assert!(fake.find("newrelic/newrelic").pieces.iter().all(|piece| piece.mark.note.is_empty()));
    go(&mut fake, &mut model, "<enter>");
    assert_eq!(last_message(&model), "the note is kept");
    assert!(fake.find("newrelic/newrelic").pieces.iter().all(|piece| piece.mark.note == "wait"));
    go(&mut fake, &mut model, "j c ! <enter> k c");
    assert!(screen(&model).contains("it replaces the notes that they have"), "{}", screen(&model));
    let approved = fake.files.iter().flat_map(|(_, marks)| marks.values());
    assert!(approved.into_iter().all(|mark| mark.answer == Answer::Open));
}

/// Hints name only keys that have an effect.
#[test]
fn no_hint_names_a_key_that_would_be_refused() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    let hints = |model: &Model| screen(model).lines().last().unwrap_or_default().to_owned();
    go(&mut fake, &mut model, ") ) )");
    assert!(!hints(&model).contains("Space approve") && hints(&model).contains("X reject"));
    go(&mut fake, &mut model, "( ( j");
    assert!(hints(&model).contains("Space approve") && !hints(&model).contains("u take back"));
    go(&mut fake, &mut model, "<space>");
    assert!(!hints(&model).contains("Space approve") && hints(&model).contains("u take back"));
}

/// An approved file names the next step.
#[test]
fn an_approved_file_says_what_comes_next() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 200, 50);
    go(&mut fake, &mut model, ") j k <space>");
    let text = screen(&model);
    assert!(text.contains("1 of 4 files approved"), "{text}");
    let next = fake.find("auth0/auth0").next_step();
    assert_eq!(next, "`bumpdesk pr open` sends it, or `bumpdesk bump auth0/auth0` writes the file");
    let next = "P makes the pull request of the plan ready";

    // The smallest window shows it too, once, and beside the lines the command is not cut.
    for (columns, rows) in [(60, 20), (80, 24)] {
        let mut fake = FakePlan::normal();
        let mut model = looking(&mut fake, columns, rows);
        go(&mut fake, &mut model, ") <tab>");
        for _ in 0..8 {
            go(&mut fake, &mut model, "ctrl-d");
        }
        go(&mut fake, &mut model, "<tab> g g ) <space>");
        let flat = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(flat(&model).matches(next).count(), 1, "{}", screen(&model));
        go(&mut fake, &mut model, "<tab>");
        let in_lines = "P makes the pull request of the plan ready; nothing is left to review";
        assert!(flat(&model).contains(in_lines), "{}", screen(&model));
    }
}

#[test]
fn taking_out_and_building_again_ask_first() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    assert!(press(&mut model, "-").is_empty());
    assert_eq!(model.context(), Context::Ask);
    assert!(press(&mut model, "<enter> j <esc>").is_empty());
    assert!(press(&mut model, "-").is_empty());
    go(&mut fake, &mut model, "y");
    assert_eq!((fake.files.len(), last_message(&model)), (3, "removed from the plan"));
    assert_eq!(at(&model).0, "auth0/auth0");
    assert!(press(&mut model, "r").is_empty());
    let effects = press(&mut model, "y");
    assert!(matches!(&effects[..], [Effect::Start(_, Job::Plan(PlanTask::Add(_)))]));
    assert!(press(&mut model, "R").is_empty(), "one build at a time");
    fake.answer(&mut model, effects);
    assert!(press(&mut model, "R").is_empty());
    let effects = press(&mut model, "y");
    assert!(matches!(&effects[..], [Effect::Start(_, Job::Plan(PlanTask::Rebuild { .. }))]));
    fake.answer(&mut model, effects);
    assert!(last_message(&model).starts_with("the plan was built again"));
}

#[test]
fn a_in_the_inventory_adds_the_selection_and_reports_the_result() {
    let mut fake = FakePlan::default();
    let mut model = looking(&mut fake, 120, 40);
    assert!(screen(&model).contains("The plan is empty."));
    press(&mut model, "1 / n e w r e l i c / <enter>");
    let effects = press(&mut model, "a");
    let [Effect::Start(_, Job::Plan(PlanTask::Add(add)))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(add.addresses(), [Address::parse("newrelic/newrelic").unwrap()]);
    assert!(press(&mut model, "a").is_empty());
    assert!(last_message(&model).contains("files of the plan are being built"));
    fake.answer(&mut model, effects);
    assert!(
        last_message(&model).starts_with("newrelic/newrelic is in the plan: ADDITIVE, 1 version left"),
        "{}",
        last_message(&model)
    );
    assert!(press(&mut model, "<esc> A a").is_empty(), "more than one is asked about");
    let effects = press(&mut model, "y");
    assert!(last_message(&model).starts_with("adding 22 entries to the plan"), "{}", last_message(&model));
    fake.answer(&mut model, effects);
    assert!(last_message(&model).starts_with("added 22 of 22; the plan has"), "{}", last_message(&model));
    assert!(screen(&model).contains("2 Changes 22"));
}

#[test]
fn views_keep_their_state() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") ) ) <enter> ] ]");
    let line = model.views.changes.review.as_ref().unwrap().pane.line();
    press(&mut model, "1 j j");
    let chosen = model.subject().cloned();
    press(&mut model, "<enter> 8 2");
    assert_eq!(at(&model).0, "newrelic/newrelic");
    assert_eq!(model.views.changes.review.as_ref().unwrap().pane.line(), line);
    // Esc leads back to what was seen of the Inventory, `1` to its list from everywhere.
    press(&mut model, "<esc> <esc>");
    assert_eq!((model.screen, model.subject().cloned()), (ViewId::Entry, chosen.clone()));
    for keys in ["1", "d 8 1", "<enter> 8 1", "<enter> d 2 1", "8 1 <esc>"] {
        press(&mut model, keys);
        assert_eq!((model.screen, model.subject().cloned()), (ViewId::Inventory, chosen.clone()), "{keys}");
    }
    press(&mut model, "2 <esc> <esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

#[test]
fn decisions_during_a_build_wait_for_its_end() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, "j");
    let built = press(&mut model, "R y");
    assert_eq!(built.len(), 1);
    assert!(press(&mut model, "<space>").is_empty(), "one job at a time writes the plan");
    fake.answer(&mut model, built);
    assert_eq!(fake.find("cloudposse/components/aws").state, FileState::Approved);
}

#[test]
fn a_second_console_looks_and_keeps_nothing() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    let effects = press(&mut model, ") j");
    fake.answer(&mut model, effects);
    let marks = update(&mut model, Msg::Drawn);
    let [Effect::Start(id, Job::Plan(PlanTask::Mark(said_marks))), Effect::Frame] = &marks[..] else {
        panic!("{marks:?}")
    };
    assert!(said_marks.iter().all(|mark| mark.verb == Verb::See));
    let refused = failure(FailureKind::Conflict, "another bumpdesk holds the state");
    let effects = tell(&mut model, *id, JobEvent::Ended(Outcome::Failed(refused)));
    assert!(last_message(&model).starts_with("what you look at is not kept: another bumpdesk"));
    fake.answer(&mut model, effects);
    let effects = press(&mut model, ") j");
    fake.answer(&mut model, effects);
    let effects = update(&mut model, Msg::Drawn);
    let started: Vec<_> = effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Start(_, Job::Plan(PlanTask::Mark(_)))))
        .collect();
    assert!(started.is_empty(), "{started:?}");
}

#[test]
fn side_by_side_is_a_layout_for_wide_screens() {
    let unified = |columns| {
        let mut fake = FakePlan::normal();
        let mut model = looking(&mut fake, columns, 40);
        go(&mut fake, &mut model, ") ) <enter> t");
        (fake, model)
    };
    let (mut fake, mut model) = unified(200);
    go(&mut fake, &mut model, "t");
    assert!(screen(&model).contains("structure"));
    let (mut fake, mut model) = unified(120);
    assert!(
        last_message(&model).contains("side by side needs "),
        "never a half-width in silence: {}",
        last_message(&model)
    );
    // The pane has the columns once it has the view alone.
    go(&mut fake, &mut model, "t Z t");
    assert!(!last_message(&model).contains("side by side needs "), "{}", last_message(&model));
    assert!(screen(&model).contains("side by side"), "{}", screen(&model));
}

/// Plain words and an order, as in every table. No key acts on a file that the filter hides.
#[test]
fn files_are_filtered_and_sorted_and_hidden_ones_are_left_alone() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    let files = |model: &Model| -> Vec<String> {
        let planning = &model.desk.planning;
        planning.shown().iter().map(|at| planning.files()[*at].address.to_string()).collect()
    };
    let all = files(&model);
    assert_eq!(at(&model).0, all[0]);
    go(&mut fake, &mut model, "/ n e w r");
    assert_eq!(model.context(), Context::Filter);
    assert!(screen(&model).contains("filter> newr"), "{}", screen(&model));
    assert_eq!(files(&model), ["newrelic/newrelic"]);
    assert_eq!(at(&model).0, "newrelic/newrelic", "the first one that is shown");
    go(&mut fake, &mut model, "<enter> j");
    assert!(screen(&model).contains("1-3 of 3") || screen(&model).contains("3 of 9"), "{}", screen(&model));
    assert!(screen(&model).contains("3.70.1"), "{}", screen(&model));
    go(&mut fake, &mut model, ")");
    assert_eq!(last_message(&model), "no more files in this direction");
    // A word that nothing has: there is nothing to approve, to reject or to take out.
    go(&mut fake, &mut model, "/ z z z <enter>");
    assert!(files(&model).is_empty());
    let before: Vec<_> = all.iter().map(|address| fake.find(address).pieces).collect();
    for key in ["<space>", "X", "u", "c", "-"] {
        go(&mut fake, &mut model, key);
        assert!(model.popup.is_none(), "{key}: {}", screen(&model));
    }
    let after: Vec<_> = all.iter().map(|address| fake.find(address).pieces).collect();
    assert_eq!(before, after);
    assert!(screen(&model).contains("the filter hides every row; Esc clears it"), "{}", screen(&model));
    go(&mut fake, &mut model, "esc");
    assert_eq!(files(&model), all);
    // By state; an answer moves no row.
    go(&mut fake, &mut model, "s s");
    assert_eq!(last_message(&model), "sorted by: state, held ones first");
    let sorted = files(&model);
    assert_eq!(sorted[0], "coralogix/coralogix");
    go(&mut fake, &mut model, "g g G j");
    assert_eq!(at(&model), ("newrelic/newrelic".into(), Some("3.70.1".into())));
    go(&mut fake, &mut model, "X");
    assert_eq!(files(&model), sorted);
    // In the lines the same key searches them.
    go(&mut fake, &mut model, "<tab> /");
    assert_eq!(model.context(), Context::Search);
    go(&mut fake, &mut model, "esc esc");
    let heads = screen(&model).lines().position(|line| line.contains("CHANGE")).unwrap();
    let x = screen(&model).lines().nth(heads).unwrap().find("FILES").unwrap();
    update(&mut model, Msg::Mouse(Mouse::Click(x as u16, heads as u16)));
    assert_eq!(files(&model), all);
}
