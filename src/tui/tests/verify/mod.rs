//! Verify: the events of its job become rows that stay under the cursor, and keys control the job.

pub(super) mod made;
mod steering;

use crate::desk::intent::Intent;
use crate::jobs::data::{Job, JobEvent, JobId, Meter, Outcome, Phase, Progress, Summary, VerifyNews, Wanted};
use crate::registry::Address;
use crate::rules::verify::{Listed, Row, SignatureSays, State, Stored, Zip};
use crate::settings::ColorDepth;
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Size;
use crate::tui::base::theme::Themes;
use crate::tui::keymap::ViewId;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::frames::entry::with_entry;
use crate::tui::tests::{press, screen, started, tell, world};

pub(super) use made::all_events;

use made::{
    NEW, OLD, TARGETS, beginning, begun, empty, failed, fine, hear, huge, listed, question, queued,
    reuploaded, running, say, stopped,
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
                "⊗ MISMATCH",
                "∅ MISSING",
                "~ HASHING",
                "~ FETCHING",
                "- QUEUED",
                "? SKIPPED",
                "✓ OK",
                "differ",
                "gone",
            ] {
                assert!(text.contains(word), "{word}\n{text}");
            }
        }
    }
}

/// The row under the cursor, and its line on the screen.
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
    // A bad row stays bad while its archive is being downloaded.
    say(&mut model, id, 20, listed(&list[20], NEW));
    hear(&mut model, id, VerifyNews::Active(20, State::Fetching, 5));
    let run = model.desk.run.as_ref().unwrap();
    assert_eq!((run.state(20), run.doing(20)), (State::Mismatch, Some((State::Fetching, 5))));
    assert_eq!((run.groups.bad(), run.over()), (5, 5), "four are bad and over, one is fine");
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

/// The screen as one line of words.
fn words(model: &Model) -> String {
    screen(model).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn lines(model: &Model) -> usize {
    model.views.verify.line_count(model.desk.run.as_ref())
}

/// Two versions of seven targets: all targets of the first were re-uploaded, and two of the second.
fn again(columns: u16, rows: u16) -> (Model, JobId) {
    let list = question();
    let (mut model, id) = begun(columns, rows, list.clone());
    for (place, row) in list.iter().enumerate().take(14) {
        let row = if place < 7 || place % 5 == 0 { reuploaded(row) } else { fine(row) };
        say(&mut model, id, place, row);
    }
    (model, id)
}

/// No target differs, and still there is something to do: the row and the last line say what.
#[test]
fn archives_that_are_not_indexed_are_not_nothing_to_do() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let list: Vec<Row> = TARGETS[..2].iter().map(|target| queued("a/b", "1.0.0", target)).collect();
        let (mut model, id) = begun(columns, rows, list.clone());
        for (place, row) in list.iter().enumerate() {
            let not_indexed = vec!["darwin_arm64".to_owned(), "freebsd_386".to_owned()];
            say(&mut model, id, place, Row { not_indexed, ..fine(row) });
        }
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
        let text = words(&model);
        assert!(
            text.contains(
                "next: 2 archives of a/b 1.0.0 are not indexed: ask for a policy decision: adding targets changes an \
                 indexed version"
            ),
            "{columns}x{rows}: {text}"
        );
        assert!(!text.contains("nothing has to be done"), "{columns}x{rows}: {text}");
        model.message = None;
        let text = words(&model);
        assert!(
            text.contains("2 archives of a/b 1.0.0 are not indexed"),
            "it stays: {columns}x{rows}: {text}"
        );
        assert!(text.contains("not indexed: 2 archives"), "the row says it: {columns}x{rows}: {text}");
    }
}

/// The details get the rows that the table does not need, once the run is over.
#[test]
fn the_details_have_the_rows_that_the_table_does_not_need() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let list: Vec<Row> = TARGETS.iter().map(|target| queued("a/b", "1.0.0", target)).collect();
        let (mut model, id) = begun(columns, rows, list.clone());
        for (place, row) in list.iter().enumerate() {
            say(&mut model, id, place, reuploaded(row));
        }
        let parts = |model: &Model| model.views.verify.parts(model.desk.run.as_ref(), model.paint().window());
        let before = parts(&model);
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
        assert_eq!(parts(&model).list.height, 1);
        assert_eq!(parts(&model).detail.height, before.detail.height + before.list.height - 1);
        model.message = None;
        let text = screen(&model);
        assert!((columns < 120 || !text.contains("(J)")) && text.contains("you can"), "{text}");
        // Opened, the table has its rows again.
        press(&mut model, "<enter>");
        assert_eq!(parts(&model).list.height, before.list.height.min(8), "{columns}x{rows}");
    }
}

#[test]
fn whose_fault_it_is_stands_in_the_last_line() {
    let list: Vec<Row> = TARGETS[..2].iter().map(|target| queued("a/b", "1.0.0", target)).collect();
    let (mut model, id) = begun(120, 40, list.clone());
    for (place, row) in list.iter().enumerate() {
        say(&mut model, id, place, reuploaded(row));
    }
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    let text = words(&model);
    assert!(
        text.contains(
            "re-uploaded by the author after it was indexed; next: ask the author to release a \
             new version (2 targets)"
        ),
        "{text}"
    );
}

#[test]
fn targets_of_a_version_that_say_the_same_are_one_line_that_opens() {
    let (mut model, id) = again(120, 40);
    let text = screen(&model);
    let bad: Vec<&str> = text.lines().filter(|line| line.contains("X MISMATCH ")).collect();
    assert_eq!(bad.len(), 2 + 1, "two lines, and the pane below: {text}");
    assert!(bad[0].contains("newrelic/newrelic") && bad[0].contains(" 3.70.0 "), "{text}");
    assert!(bad[0].contains(" 7 targets ") && bad[0].ends_with("re-uploaded"), "{text}");
    assert!(
        bad[1].contains(" 3.70.1 ") && bad[1].contains(" 1 target") | bad[1].contains(" darwin_arm64 "),
        "{text}"
    );
    assert!(text.contains(" 1-6 of 6 "), "{text}");
    // The facts that they share stand below, with a grid of their platforms and both checksums of each.
    assert!(text.contains(" X MISMATCH"), "{text}");
    press(&mut model, "<tab>");
    let whole = screen(&model);
    assert!(whole.contains("platform          stored shasum     upstream today"), "{whole}");
    assert!(whole.contains("linux_amd64       a774f443..0355e   b6f7add0..fdcbe"), "{whole}");
    press(&mut model, "<tab>");
    assert!(text.contains("indexed 2026-09-07 10:15Z - 22 h 45 min - uploaded 2026-09-08 09:00Z"), "{text}");
    assert!(text.contains("you can           ask the author to release a new version"), "{text}");

    press(&mut model, "<enter>");
    assert_eq!((lines(&model), cursor(&model).0), (6 + 7, None));
    press(&mut model, "j j");
    assert_eq!(cursor(&model).0, Some(1));
    // A row with another result leaves the group; the cursor stays on its row.
    say(&mut model, id, 0, fine(&question()[0]));
    assert_eq!((cursor(&model).0, lines(&model)), (Some(1), 7 + 6));
    press(&mut model, "z a");
    assert_eq!((cursor(&model).0, lines(&model)), (None, 7), "closed, with the cursor on its line");
    press(&mut model, "z R");
    assert_eq!(lines(&model), 7 + 6 + 6);
    press(&mut model, "z M");
    assert_eq!(lines(&model), 7, "bad ones too");
}

#[test]
fn the_next_bad_line_is_a_key_away() {
    let (mut model, _) = again(120, 40);
    press(&mut model, "z R g g n");
    assert_eq!(cursor(&model).0, Some(10), "over the seven of the first version");
    press(&mut model, "n");
    assert_eq!((cursor(&model).0, model.views.verify.cursor(model.desk.run.as_ref())), (None, 0));
    press(&mut model, "N");
    assert_eq!(cursor(&model).0, Some(10));
    let (mut model, _) = begun(120, 40, question());
    press(&mut model, "n");
    assert_eq!(model.message.as_ref().unwrap().text, "n: no target is bad");
}

/// A text that the rows of a group share can be copied; a text of each row cannot.
#[test]
fn a_group_is_copied_as_one_command() {
    let (mut model, _) = again(120, 40);
    assert_eq!(press(&mut model, "y a"), [Effect::Copy("newrelic/newrelic".into())]);
    let targets = "darwin_amd64,darwin_arm64,freebsd_arm,linux_amd64,linux_arm64,windows_386,windows_amd64";
    let command = format!("bumpdesk verify newrelic/newrelic@3.70.0 --targets {targets}");
    assert_eq!(press(&mut model, "y c"), [Effect::Copy(command)]);
    assert!(press(&mut model, "y h").is_empty());
    assert_eq!(
        model.message.as_ref().unwrap().text,
        "7 targets are folded here, each with its own; Enter opens them"
    );
}

/// A row that is shown in full stays, even when a group takes it in. Its view offers no keys of the table.
#[test]
fn a_row_that_is_read_whole_stays_when_its_like_come() {
    let list = question();
    let (mut model, id) = begun(120, 40, list.clone());
    hear(&mut model, id, VerifyNews::Active(2, State::Fetching, 5));
    press(&mut model, "<enter>");
    let text = screen(&model);
    assert!(
        model.views.verify.is_expanded
            && text.contains("- newrelic/newrelic 3.70.0 darwin_amd64 -")
            && text.contains(" ~ FETCHING"),
        "{text}"
    );
    let hints = text.lines().last().unwrap();
    assert!(
        hints.contains("Tab to the table")
            && !hints.contains("Enter")
            && !hints.contains("only bad")
            && !hints.contains("fold"),
        "{hints}"
    );
    for place in [0, 1, 2] {
        say(&mut model, id, place, reuploaded(&list[place]));
    }
    assert!(model.views.verify.is_expanded);
    let text = screen(&model);
    assert!(
        text.contains("- newrelic/newrelic 3.70.0 darwin_amd64 -") && text.contains(" X MISMATCH"),
        "{text}"
    );
    for key in ["!", "z M", "n"] {
        press(&mut model, key);
        let said = format!("{key}: the details are shown; Esc goes back to the table");
        assert_eq!(model.message.as_ref().unwrap().text, said);
    }
    press(&mut model, "<esc>");
    assert_eq!(cursor(&model), (None, 0), "on the line that has it");
}

/// Verify and Jobs show the same figures, although rows arrive one by one and progress only now and then.
#[test]
fn jobs_counts_what_verify_counts() {
    let list = question();
    let (mut model, id) = begun(120, 40, list.clone());
    let progress = |phase, total| Progress {
        phase,
        done: 0,
        total,
        failed: 0,
        requests: 9,
        rate: 0.0,
        left: None,
        waiting: None,
    };
    tell(&mut model, id, JobEvent::Progress(progress(Phase::Hashing, 1)));
    say(&mut model, id, 0, reuploaded(&list[0]));
    say(&mut model, id, 1, reuploaded(&list[1]));
    // Archives come after all checksums.
    for (place, row) in list.iter().enumerate().skip(2) {
        say(&mut model, id, place, listed(row, OLD));
    }
    let counts = format!("2/{}", list.len());
    assert!(screen(&model).contains(&counts), "{}", screen(&model));
    press(&mut model, "8");
    assert!(screen(&model).contains(&counts), "{}", screen(&model));
}

/// A verification that found nothing bad says what it did not check, and calls nothing fine that it did not look at.
#[test]
fn a_fine_run_says_what_was_not_checked() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let end = |change: &dyn Fn(usize, &Row) -> Row| {
            let list: Vec<Row> = TARGETS.iter().map(|target| queued("a/b", "1.0.0", target)).collect();
            let (mut model, id) = begun(columns, rows, list.clone());
            for (place, row) in list.iter().enumerate() {
                say(&mut model, id, place, change(place, row));
            }
            tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
            words(&model)
        };
        let text = end(&|_, row| fine(row));
        assert!(text.contains(" checked: SHA256SUMS, signature, archive, h1, size"), "{text}");
        assert!(!text.contains("not checked") && text.contains("nothing has to be done"), "{text}");
        let text = end(&|_, row| Row { signature: SignatureSays::NoKeys, ..fine(row) });
        assert!(text.contains(" not checked: signature (no key on file)"), "{text}");
        assert!(text.contains("nothing that was checked differs from what is stored"), "{text}");
        let text = end(&|place, row| {
            let zip = Zip::Skipped { why: "271 MiB, over the limit".into() };
            if place == 0 { Row { zip, ..listed(row, OLD) } } else { fine(row) }
        });
        assert!(text.contains(" not checked: archive of 1 target (not read)"), "{text}");
        assert!(text.contains("nothing bad was found in what was checked"), "{text}");
    }
}

/// After the end the footer begins with what is done next: the targets, all about them, the report. To verify again comes last.
#[test]
fn after_the_end_the_details_and_the_report_come_first() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let text = screen(&huge(columns, rows));
        let hints = text.lines().last().unwrap();
        assert!(hints.starts_with(" Tab details "), "{hints}");
        assert!(columns < 80 || hints.contains("ym copy report"), "{hints}");
        assert!(hints.contains("q quit"), "{hints}");
        let again = hints.find("V again");
        assert!(again.is_none_or(|again| Some(again) > hints.find("/ filter")), "{hints}");
    }
}

/// Rows of one version have the grid of its platforms in every window that has room for it, with the next step below.
#[test]
fn a_grid_of_platforms_stands_in_every_window() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let list: Vec<Row> = TARGETS.iter().map(|target| queued("a/b", "1.0.0", target)).collect();
        let (mut model, id) = begun(columns, rows, list.clone());
        for (place, row) in list.iter().enumerate() {
            say(&mut model, id, place, reuploaded(row));
        }
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
        let text = screen(&model);
        assert!(text.contains("386") && text.contains("\n   windows  X"), "{text}");
        assert!(text.contains(" X MISMATCH"), "{text}");
        assert!(text.contains("ask the author to release a new version"), "{text}");
    }
}

/// A run with gaps has the same word in both views.
#[test]
fn a_run_with_gaps_has_one_word_in_verify_and_jobs() {
    for (tag_unread, verify, jobs) in [(1, "   done, gaps   ", "DONE, GAPS"), (0, "   done   ", "DONE ")] {
        let list = question();
        let (mut model, id) = begun(120, 40, list);
        let summary = Summary { entries: 1, tag_unread, ..Summary::default() };
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
        assert!(screen(&model).contains(verify), "{}", screen(&model));
        press(&mut model, "8");
        assert!(screen(&model).contains(jobs), "{}", screen(&model));
    }
}

/// The details of a job name every possible next step, in the smallest window too.
#[test]
fn a_run_with_gaps_and_findings_can_be_run_again_and_seen() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let list = question();
        let (mut model, id) = begun(columns, rows, list.clone());
        say(&mut model, id, 0, reuploaded(&list[0]));
        let summary = Summary { entries: 1, tag_unread: 1, ..Summary::default() };
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
        press(&mut model, "8");
        let words = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("r runs again what is missing; 4 shows what was found"), "{}", screen(&model));
    }
}

/// The end of a run is reported over the rule below the details, and none of its hints is cut.
#[test]
fn the_status_of_a_run_covers_no_details_and_is_whole() {
    let mut model = running(60, 20);
    assert!(words(&model).contains("the run continues; S stops at the next"), "{}", screen(&model));
    let details = |model: &Model| screen(model).contains("stored a774f443..0355e, upstream b6f7add0..fdcbe");
    assert!(details(&model), "{}", screen(&model));
    let id = model.desk.run.as_ref().unwrap().job;
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    assert!(words(&model).contains("Tab shows what to do about each bad line"), "{}", screen(&model));
    assert!(details(&model), "{}", screen(&model));
}

/// Details without room in a small window are one key away, for a group of targets too.
#[test]
fn the_details_have_the_whole_screen_and_a_hint_in_every_window() {
    for (columns, rows) in [(200, 50), (120, 40), (80, 24), (60, 20)] {
        let list = question();
        let (mut model, id) = begun(columns, rows, list.clone());
        for place in [0, 1, 2] {
            say(&mut model, id, place, reuploaded(&list[place]));
        }
        let hints = |model: &Model| screen(model).lines().last().unwrap().to_owned();
        assert!(
            hints(&model).contains("Enter open") && hints(&model).contains("Tab details"),
            "{}",
            hints(&model)
        );
        press(&mut model, "<tab>");
        let text = screen(&model);
        assert!(
            text.contains("- newrelic/newrelic 3.70.0, 3 targets -") && text.contains("X MISMATCH"),
            "{text}"
        );
        assert!(text.contains("ask the author to release a new version"), "{text}");
        assert!(hints(&model).contains("Tab to the table"), "{text}");
        press(&mut model, "<tab>");
        assert!(!model.views.verify.is_expanded && cursor(&model).1 == 0);
        press(&mut model, "<enter>");
        assert!(hints(&model).contains("Enter close"), "{}", hints(&model));
    }
}

/// A target that fails only by its signature says so, and shows the keys instead of equal checksums.
#[test]
fn a_bad_signature_shows_its_keys() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let list: Vec<Row> =
            TARGETS.iter().map(|target| queued("brambleworks/ropewalk", "1.0.0", target)).collect();
        let (mut model, id) = begun(columns, rows, list.clone());
        let signature = SignatureSays::OtherKey {
            signed_by: vec!["164BC5F80110900A".into()],
            on_file: vec!["F9083BAF71BAD54B".into()],
        };
        for (place, row) in list.iter().enumerate() {
            say(&mut model, id, place, Row { signature: signature.clone(), ..fine(row) });
        }
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
        let text = screen(&model);
        assert!(text.contains("k BAD SIG ") && !text.contains("upstream a774"), "{text}");
        assert!(columns < 120 || text.contains("brambleworks/ropewalk"), "the namespace stays: {text}");
        assert!(
            columns < 70 || text.matches(" BAD ").count() >= 2,
            "as the state, and as the answer: {text}"
        );
        assert!(text.contains("164BC5F80110900A"), "{text}");
        assert!(columns < 70 || text.contains("F9083BAF71BAD54B"), "{text}");
        let said = &model.message.as_ref().unwrap().text;
        assert!(said.ends_with("next: ask the author for the key that signed it (7 targets)"), "{said}");
    }
}

/// One host name that is not found takes one line for all versions.
#[test]
fn one_reason_is_shown_once_with_its_count() {
    let list: Vec<Row> =
        (0..40).map(|at| queued("a/b", &format!("1.{}.0", at / 4), TARGETS[at % 4])).collect();
    let (mut model, id) = begun(80, 24, list.clone());
    let why = "no answer: no such name";
    for (place, row) in list.iter().enumerate() {
        let zip = Zip::Failed { why: why.into() };
        say(&mut model, id, place, Row { listed: Listed::Unread { why: why.into() }, zip, ..row.clone() });
    }
    let text = screen(&model);
    assert_eq!((lines(&model), text.matches(why).count()), (1, 1), "{text}");
    assert!(text.contains("X ERROR    a/b") && text.contains("40 targets"), "{text}");
}

#[test]
fn only_bad_ones_can_be_shown() {
    let mut model = huge(120, 40);
    assert_eq!(lines(&model), 2 + 358, "two that are bad, and one line a version");
    assert!(screen(&model).contains(" of 360 "), "{}", screen(&model));
    press(&mut model, "!");
    assert_eq!(lines(&model), 2);
    assert!(screen(&model).contains(" only bad rows  1-2 of 2 "));
    press(&mut model, "! z R G");
    assert_eq!(cursor(&model).0, Some(4_999));
    press(&mut model, "z M");
    assert_eq!((cursor(&model).0, lines(&model)), (None, 360), "on the line that has its row");
    let (mut model, _) = begun(80, 24, vec![queued("a/b", "1.0.0", "linux_amd64")]);
    press(&mut model, "! j");
    assert_eq!(model.message.as_ref().unwrap().text, "j: no row is bad; ! shows all rows");
    assert!(screen(&model).contains("no row is bad; ! shows all rows"));
}

/// A group shows the targets that have the words; one target alone stands without its group.
#[test]
fn plain_words_filter_the_targets_until_esc() {
    let (mut model, id) = again(120, 40);
    assert_eq!(lines(&model), 6);
    press(&mut model, "/ a m d 6 4");
    let text = screen(&model);
    assert!(text.contains("filter> amd64"), "{text}");
    assert!(text.contains(" + 3 targets") && text.contains(" 8 of 17 targets"), "{text}");
    press(&mut model, "ctrl-u w i n d o w s _ a m d 6 4 <space> m i s m a t c h <enter>");
    let text = screen(&model);
    assert!(!text.contains("targets  ") && text.contains(">X MISMATCH"), "{text}");
    // A target that stops having the words is hidden at once.
    let place = model.views.verify.place(model.desk.run.as_ref()).unwrap();
    let (shown, row) = (lines(&model), question()[place].clone());
    say(&mut model, id, place, fine(&row));
    assert_eq!(lines(&model), shown - 1);
    press(&mut model, "/ z <enter> j");
    assert_eq!(model.message.as_ref().unwrap().text, "j: the filter hides every row; Esc clears it");
    press(&mut model, "n");
    assert_eq!(model.message.as_ref().unwrap().text, "the filter hides every bad target; Esc clears it");
    press(&mut model, "<esc>");
    assert_eq!((lines(&model), model.screen), (7, ViewId::Verify));
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

#[test]
fn the_order_is_chosen_in_a_menu_or_by_a_click_on_a_head() {
    let first = |model: &Model| model.views.verify.first(model.desk.run.as_ref());
    let mut model = running(120, 40);
    assert_eq!(first(&model), Some(14), "the worst");
    press(&mut model, "s j <enter> g g");
    assert_eq!(first(&model), Some(0));
    assert!(screen(&model).contains(" address  1-9 of 9 "), "{}", screen(&model));
    press(&mut model, "n");
    assert_eq!(first(&model), Some(14));
    press(&mut model, "s j <enter> g g");
    assert_eq!(first(&model), Some(16));
    assert!(screen(&model).contains(" address, reversed  1-9 of 9 "), "{}", screen(&model));
    let text = screen(&model);
    let (y, x) = text.lines().enumerate().find_map(|(y, line)| Some((y, line.find("STATE ")?))).unwrap();
    update(&mut model, Msg::Mouse(Mouse::Click(x as u16 + 1, y as u16)));
    press(&mut model, "g g");
    assert_eq!(first(&model), Some(14));
}

/// A line of a group has a sign, and its targets stand below it, indented.
#[test]
fn a_group_is_opened_and_closed_in_its_line() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        let mut model = made::open(columns, rows);
        let text = screen(&model);
        let open =
            text.lines().position(|line| line.contains("- 7 targets")).unwrap_or_else(|| panic!("{text}"));
        assert!(text.lines().nth(open + 1).unwrap().contains(&format!("3.70.1   {}", TARGETS[0])), "{text}");
        press(&mut model, "<enter>");
        assert!(screen(&model).contains("+ 7 targets"), "{}", screen(&model));
    }
}

/// Each of the two phases has its own figures, and each target is counted once, even if it was stopped.
#[test]
fn the_counts_add_up_in_both_phases() {
    let list: Vec<Row> =
        (0..40).map(|at| queued("a/b", &format!("1.{}.0", at / 4), TARGETS[at % 4])).collect();
    let (mut model, id) = begun(120, 40, list.clone());
    for (place, row) in list.iter().enumerate().take(16) {
        say(&mut model, id, place, listed(row, if place < 6 { NEW } else { OLD }));
    }
    let text = screen(&model);
    assert!(text.contains(" 40 targets of 10 versions: 6 bad, 0 ok, 34 undecided"), "{text}");
    assert!(text.contains(" checksums ") && text.contains(" 4/10 versions"), "{text}");
    for (place, row) in list.iter().enumerate().skip(16) {
        say(&mut model, id, place, listed(row, OLD));
    }
    let text = screen(&model);
    assert!(text.contains(" archives ") && text.contains(" 0/40 "), "{text}");
    press(&mut model, "x");
    for place in 0..list.len() {
        let was = Row::clone(&model.desk.run.as_ref().unwrap().rows[place]);
        say(&mut model, id, place, Row { zip: Zip::Cancelled, ..was });
    }
    tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    let text = screen(&model);
    assert!(text.contains(" 40 targets of 10 versions: 6 bad, 0 ok, 34 stopped"), "{text}");
    assert!(text.contains(" checked: SHA256SUMS, signature   not checked: archive (not read)"), "{text}");
    assert!(
        text.contains(
            "stopped at 0 of 40 archives; what is finished stays in the report; V verifies the rest"
        ),
        "{text}"
    );
}

/// A refused key gives the reason, and is not among the hints.
#[test]
fn keys_that_do_nothing_are_refused() {
    let failed_then_bad = |columns, rows| {
        let mut model = failed(columns, rows);
        model.desk.run.as_mut().unwrap().show_only_bad(true);
        model
    };
    let none_read = |columns, rows| {
        let (mut model, id) = beginning(columns, rows);
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
    let single = |columns, rows| begun(columns, rows, vec![queued("a/b", "1.0.0", "linux_amd64")]).0;
    let cases: [(Make, &str, &str, &str); 9] = [
        (empty, "!", "only bad", "!: nothing has been verified yet; V in the Inventory verifies an entry"),
        (failed_then_bad, "!", "only bad", "!: the last verification failed before it had rows"),
        (none_read, "j", "only bad", "j: the last verification was stopped before it had rows"),
        (done_empty, "j", "only bad", "j: the last verification had nothing to verify"),
        (
            single,
            "z a",
            "fold",
            "z a: each target has its own line: no two of one version have the same result",
        ),
        (stopping, "space", "pause", "Space: it is already stopping"),
        (stopping, ">", "workers", ">: it is already stopping"),
        (stopping, "<", "workers", "<: it is already stopping"),
        (stopping, "x", "cancel", "x: it is already stopping"),
    ];
    for (make, keys, hint, wanted) in cases {
        let mut model = make(200, 40);
        let text = screen(&model);
        let hints = text.lines().last().unwrap();
        assert!(!hints.contains(hint), "{keys}: {hints}");
        assert!(press(&mut model, keys).is_empty(), "{keys}");
        assert_eq!(model.message.as_ref().unwrap().text, wanted);
    }
}

#[test]
fn a_large_verification_needs_a_yes_and_one_version_does_not() {
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
    // In an opened entry it is the version under the cursor; a version that is not indexed cannot be
    // compared.
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
    assert_eq!(text, "V: one verification at a time, and one is running; 4 shows it, x there stops it");
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
    assert!(model.jumps.is_empty());
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

/// A row that is bad only by its checksums, and of unknown size.
fn unsized_bad(row: &Row) -> Row {
    let stored = Stored { size_bytes: 0, ..row.stored.clone() };
    listed(&Row { stored, ..row.clone() }, NEW)
}

/// Any order of events is survived without a panic, and the cursor stays inside the table.
#[test]
fn any_news_is_survived() {
    let list: Vec<Row> = (0..30).map(|at| queued("a/b", "1.0.0", TARGETS[at % 7])).collect();
    let (mut model, id) = begun(80, 24, list.clone());
    let mut seed = 11_u64;
    let mut next = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    let keys = [
        "j", "k", "G", "g g", "ctrl-d", "z R", "z M", "!", "<enter>", "J", "K", "space", "<", "4", "z a",
        "n", "N",
    ];
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
        let open = run.rows.iter().filter(|row| matches!(row.zip, Zip::NotDone | Zip::Cancelled)).count();
        assert_eq!(run.rows.len() - run.over(), open);
        let counts = [State::Ok, State::Skipped, State::Cancelled].map(|state| run.groups.count(state));
        let all = run.groups.bad() + counts.iter().sum::<usize>() + run.undecided();
        assert_eq!(all, run.rows.len(), "each is counted once");
        assert_eq!(run.sums(), (usize::from(run.rows[0].listed != Listed::NotAsked), 1));
        assert_eq!(run.unknown(), run.rows.iter().filter(|row| row.size_bytes().is_none()).count());
        let run = Some(run);
        assert!(verify.line_count(run) == 0 || verify.line(run, verify.cursor(run)).is_some());
        assert!(verify.top <= verify.cursor(run), "{} {}", verify.top, verify.cursor(run));
    }
    let _ = screen(&model);
}
