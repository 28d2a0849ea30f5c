//! Verify: what its job tells becomes rows that stay under the cursor, and keys steer the job.

pub(super) mod made;
mod steering;

use crate::desk::intent::Intent;
use crate::jobs::{Job, JobEvent, JobId, Meter, Outcome, Summary, VerifyNews, Wanted};
use crate::registry::Address;
use crate::rules::verify::{Row, State, Stored, Zip};
use crate::settings::ColorDepth;
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Size;
use crate::tui::base::theme::Themes;
use crate::tui::keymap::ViewId;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::frames::entry::with_entry;
use crate::tui::tests::{press, screen, started, tell, world};

pub(super) use made::said;

use made::{
    NEW, OLD, TARGETS, asked, begun, empty, failed, fine, hear, huge, listed, queued, reuploaded, running,
    say, stopped,
};

type Make = fn(u16, u16) -> Model;

#[test]
fn it_can_be_read_without_colours_and_in_every_theme() {
    for depth in [ColorDepth::True, ColorDepth::None] {
        let mut model = running(120, 40);
        model.options.themes = Themes::new(&[], depth);
        model.options.glyphs = Glyphs::Unicode;
        for _ in 0..model.options.themes.names().count() {
            press(&mut model, "T");
            let text = screen(&model);
            for word in [
                "X MISMATCH",
                "0 MISSING",
                "~ HASHING",
                "~ FETCHING",
                "- QUEUED",
                "? SKIPPED",
                "v OK",
                "differ",
                "gone",
            ] {
                assert!(text.contains(word), "{word}\n{text}");
            }
        }
    }
}

/// The row under the cursor and the line of the screen that it stands on.
fn cursor(model: &Model) -> (Option<usize>, usize) {
    let (verify, run) = (&model.views.verify, model.desk.run.as_ref());
    (verify.place(run), verify.cursor(run) - verify.top)
}

#[test]
fn bad_rows_come_to_the_top_and_the_cursor_stays_on_its_row() {
    let list: Vec<Row> = (0..60).map(|at| queued("a/b", &format!("1.{at}.0"), "linux_amd64")).collect();
    let (mut model, id) = begun(80, 24, list.clone());
    // A cursor that was not moved stays on the first line: the worst row.
    say(&mut model, id, 9, reuploaded(&list[9]));
    assert_eq!(cursor(&model), (Some(9), 0));
    press(&mut model, "ctrl-d ctrl-d j");
    let before = cursor(&model);
    for place in [40, 3, 50] {
        say(&mut model, id, place, reuploaded(&list[place]));
        assert_eq!(cursor(&model), before, "row {place} is bad now");
    }
    // Its own end takes it away to the fine rows; the cursor goes with it.
    let own = before.0.unwrap();
    say(&mut model, id, own, fine(&list[own]));
    assert_eq!(cursor(&model).0, Some(own));
    press(&mut model, "g g");
    assert_eq!(cursor(&model), (Some(3), 0));
    // What is bad already stays so while its archive is on its way.
    say(&mut model, id, 20, listed(&list[20], NEW));
    hear(&mut model, id, VerifyNews::Active(20, State::Fetching, 5));
    let run = model.desk.run.as_ref().unwrap();
    assert_eq!((run.state(20), run.doing(20)), (State::Mismatch, Some((State::Fetching, 5))));
    assert_eq!((run.order.bad(), run.over()), (5, 5), "four are bad and over, one is fine");
}

#[test]
fn a_row_that_is_read_stays_whatever_comes_to_the_top() {
    for keys in ["<enter>", "J", "<enter> j k"] {
        let list: Vec<Row> = (0..5).map(|at| queued("a/b", &format!("1.{at}.0"), "linux_amd64")).collect();
        let (mut model, id) = begun(80, 24, list.clone());
        press(&mut model, keys);
        say(&mut model, id, 3, reuploaded(&list[3]));
        assert_eq!(model.views.verify.place(model.desk.run.as_ref()), Some(0), "{keys}");
        assert_eq!(press(&mut model, "y h"), [Effect::Copy(OLD.into())], "{keys}");
    }
}

#[test]
fn fine_rows_fold_and_only_bad_ones_can_be_shown() {
    let mut model = huge(120, 40);
    let text = screen(&model);
    assert!(text.contains("... 4,990 more OK rows folded (z R shows them)"), "{text}");
    press(&mut model, "G <enter>");
    assert_eq!(model.views.verify.line_count(model.desk.run.as_ref()), 5_000, "Enter on the fold opens it");
    press(&mut model, "G");
    assert_eq!(cursor(&model).0, Some(4_999));
    press(&mut model, "z M");
    assert_eq!(
        (cursor(&model).0, model.views.verify.line_count(model.desk.run.as_ref())),
        (Some(4_999), 2 + 8 + 1 + 1),
        "its row is kept"
    );
    press(&mut model, "!");
    assert_eq!(model.views.verify.line_count(model.desk.run.as_ref()), 2);
    press(&mut model, "! z a G");
    assert_eq!(cursor(&model).0, Some(4_999));
    let (mut model, _) = begun(80, 24, vec![queued("a/b", "1.0.0", "linux_amd64")]);
    press(&mut model, "! j");
    assert_eq!(model.message.as_ref().unwrap().text, "j: no row is bad; ! shows all");
    assert!(screen(&model).contains("no row is bad; ! shows all rows"));
}

/// What is refused says why, and is not hinted.
#[test]
fn keys_that_do_nothing_are_refused() {
    let failed_then_bad = |columns, rows| {
        let mut model = failed(columns, rows);
        model.views.verify.only_bad = true;
        model
    };
    let none_read = |columns, rows| {
        let (mut model, id) = asked(columns, rows);
        tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
        model
    };
    let done_empty = |columns, rows| {
        let (mut model, id) = begun(columns, rows, Vec::new());
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
        model
    };
    let stopping = |columns, rows| {
        let mut model = running(columns, rows);
        press(&mut model, "x");
        model
    };
    let cases: [(Make, &str, &str, &str); 9] = [
        (empty, "!", "only bad", "!: nothing was verified yet; V in the Inventory verifies an entry"),
        (failed_then_bad, "!", "only bad", "!: the last verification failed before it had rows"),
        (none_read, "j", "only bad", "j: the last verification was stopped before it had rows"),
        (done_empty, "j", "only bad", "j: the last verification had nothing to verify"),
        (running, "z a", "fold", "z a: too few rows are OK to fold them"),
        (stopping, "space", "pause", "Space: it is stopping already"),
        (stopping, ">", "workers", ">: it is stopping already"),
        (stopping, "<", "workers", "<: it is stopping already"),
        (stopping, "x", "cancel", "x: it is stopping already"),
    ];
    for (make, keys, hint, wanted) in cases {
        let mut model = make(200, 40);
        let text = screen(&model);
        let hints = text.lines().last().unwrap();
        assert!(!hints.contains(hint), "{keys}: {hints}");
        assert!(press(&mut model, keys).is_empty(), "{keys}");
        assert_eq!(model.message.as_ref().unwrap().text, wanted);
    }
    let mut model = huge(120, 40);
    press(&mut model, "! z R");
    assert_eq!(model.message.as_ref().unwrap().text, "z R: bad rows alone are shown; ! shows all");
}

#[test]
fn much_is_asked_about_first_and_one_version_is_not() {
    let mut model = started(world::normal(), 120, 40);
    assert!(press(&mut model, "/ n e w r e l i c <enter> V").is_empty());
    let Some(Popup::Ask(ask)) = &model.popup else { panic!("no question") };
    assert!(ask.says[0].contains("204 versions, 2,856 targets"), "{:?}", ask.says);
    assert!(matches!(ask.intent, Intent::Verify { .. } | Intent::VerifyMarked { .. }));
    assert!(press(&mut model, "n").is_empty() && model.screen == ViewId::Inventory);
    let effects = press(&mut model, "V y");
    let [Effect::Start(_, Job::Verify(plan))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(plan.wanted, [Wanted { address: Address::provider("newrelic", "newrelic"), version: None }]);
    assert_eq!(model.screen, ViewId::Verify);
    // From an opened entry: the version under the cursor; one that is not indexed has nothing to compare with.
    let mut model = with_entry(120, 40);
    assert!(press(&mut model, "V").is_empty());
    assert_eq!(
        model.message.as_ref().unwrap().text,
        "V: 3.70.1 of newrelic/newrelic is not indexed: nothing is stored to compare with"
    );
    let place = model.views.entry.as_ref().unwrap().rows.iter().position(|row| row.indexed).unwrap();
    for _ in 0..place {
        press(&mut model, "j");
    }
    let effects = press(&mut model, "V");
    let [Effect::Start(_, Job::Verify(plan))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(plan.wanted[0].version.as_deref(), Some("3.69.2"));
    assert!(model.message.as_ref().unwrap().text.contains("1 version, 14 targets"), "{:?}", model.message);
    assert_eq!(press(&mut model, "esc"), []);
    assert_eq!(model.screen, ViewId::Entry, "back to where it was asked");
    press(&mut model, "V");
    let text = &model.message.as_ref().unwrap().text;
    assert_eq!(text, "V: one verification at a time, and one runs; 4 shows it, x there stops it");
}

#[test]
fn the_way_back_from_verify_ends() {
    let mut model = running(120, 40);
    press(&mut model, "1");
    let first = model.subject().cloned();
    press(&mut model, "j 4 ctrl-o");
    assert_eq!(model.screen, ViewId::Inventory);
    assert_ne!(model.subject().cloned(), first);
    press(&mut model, "ctrl-o");
    assert_eq!(model.screen, ViewId::Verify);
    press(&mut model, "ctrl-o");
    assert_eq!((model.screen, model.subject().cloned()), (ViewId::Inventory, first));
    assert!(model.views.inventory.jumps.is_empty());
}

#[test]
fn it_runs_in_jobs_and_leaving_asks() {
    let mut model = running(160, 40);
    assert!(press(&mut model, "q").is_empty());
    assert!(screen(&model).contains("verify newrelic/newrelic"), "{}", screen(&model));
    press(&mut model, "n 8");
    let text = screen(&model);
    assert!(
        text.contains("RUNNING") && text.contains("same as: bumpdesk verify newrelic/newrelic"),
        "{text}"
    );
    let mut model = stopped(120, 40);
    press(&mut model, "8");
    assert!(screen(&model).contains("CANCELLED"));
    // As much as it was, it is asked about again.
    assert!(press(&mut model, "r").is_empty());
    let effects = press(&mut model, "y");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Start(_, Job::Verify(_)))), "{effects:?}");
    assert_eq!(model.screen, ViewId::Verify);
}

#[test]
fn what_a_row_has_can_be_copied() {
    let mut model = running(120, 40);
    let url = "https://github.com/coralogix/terraform-provider-coralogix/releases/download/v3.14.1/terraform-provider-coralogix_3.14.1_linux_amd64.zip";
    for (keys, wanted) in [
        ("y a", "coralogix/coralogix"),
        ("y h", NEW),
        ("y u", url),
        ("y c", "bumpdesk verify coralogix/coralogix@3.14.1 --targets linux_amd64"),
    ] {
        assert_eq!(press(&mut model, keys), [Effect::Copy(wanted.into())], "{keys}");
    }
}

#[test]
fn a_size_is_not_cut_while_it_grows() {
    let row = queued("a/b", "1.0.0", "linux_amd64");
    let stored = Stored { size_bytes: 271_000_000, ..row.stored.clone() };
    let (mut model, id) = begun(120, 40, vec![Row { stored, ..row }]);
    hear(&mut model, id, VerifyNews::Active(0, State::Fetching, 112_100_000));
    assert!(screen(&model).contains(" 112.1/271.0 "), "{}", screen(&model));
}

/// Bad by its checksums alone, and of a size that nobody knows.
fn unsized_bad(row: &Row) -> Row {
    let stored = Stored { size_bytes: 0, ..row.stored.clone() };
    listed(&Row { stored, ..row.clone() }, NEW)
}

/// Whatever a job says, nothing panics, and the cursor stays inside.
#[test]
fn any_news_is_survived() {
    let list: Vec<Row> = (0..30).map(|at| queued("a/b", "1.0.0", TARGETS[at % 7])).collect();
    let (mut model, id) = begun(80, 24, list.clone());
    let mut seed = 11_u64;
    let mut next = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    let keys =
        ["j", "k", "G", "g g", "ctrl-d", "z R", "z M", "!", "<enter>", "J", "K", "space", "<", "4", "z a"];
    for _ in 0..3_000 {
        let place = next(33);
        let row = list.get(place).unwrap_or(&list[0]);
        match next(9) {
            0 => say(&mut model, id, place, fine(row)),
            1 => say(&mut model, id, place, reuploaded(row)),
            2 => say(
                &mut model,
                id,
                place,
                Row { zip: Zip::Failed { why: "\u{1b}[31m".into() }, ..row.clone() },
            ),
            3 => hear(&mut model, id, VerifyNews::Active(place, State::Hashing, u64::MAX)),
            4 => hear(&mut model, id, VerifyNews::Active(place, State::Queued, 0)),
            5 => say(&mut model, id, place, unsized_bad(row)),
            6 => hear(&mut model, JobId(999), VerifyNews::Meter(Meter::default())),
            7 => {
                update(&mut model, Msg::Resize(Size::new(next(130) as u16, next(45) as u16)));
            }
            _ => {
                press(&mut model, keys[next(keys.len())]);
            }
        }
        let verify = &model.views.verify;
        let run = model.desk.run.as_ref().unwrap();
        let is_open = |at: usize| match run.state(at) {
            State::Queued | State::Fetching | State::Hashing | State::Cancelled => true,
            state => state.is_bad() && run.rows[at].zip == Zip::NotDone,
        };
        assert_eq!(run.rows.len() - run.over(), (0..run.rows.len()).filter(|at| is_open(*at)).count());
        assert_eq!(run.unknown(), run.rows.iter().filter(|row| row.size_bytes().is_none()).count());
        let run = Some(run);
        assert!(verify.line_count(run) == 0 || verify.line(run, verify.cursor(run)).is_some());
        assert!(verify.top <= verify.cursor(run), "{} {}", verify.top, verify.cursor(run));
    }
    let _ = screen(&model);
}
