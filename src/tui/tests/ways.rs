//! Ways on and words of the views Entry and Jobs, the palette and the message line.

use ratatui::layout::Position;

use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, JobId, Judgement, Outcome, PlanTask, Summary};
use crate::rules::plain_text::is_plain;
use crate::rules::{Status, VersionMark, VersionState};
use crate::tui::base::layout::Size;
use crate::tui::keymap::ViewId;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::shell::{availability, footer, header};
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::frames::entry::with_entry;
use crate::tui::tests::reviews::{go, last_message, looking};
use crate::tui::tests::verify::made::running;
use crate::tui::tests::{
    answer, later, options, others, press, pulls, records, screen, started, tell, verify, world,
};
use crate::tui::views::View;
use crate::tui::widgets::message::Tone;

/// The text to the right of the vertical rule.
fn right(model: &Model) -> String {
    let screen = screen(model);
    let beside =
        screen.lines().filter_map(|line| line.rsplit_once('|')).map(|(_, right)| right.trim().to_owned());
    beside.collect::<Vec<_>>().join("\n")
}

/// Esc says what it steps back from.
#[test]
fn stepping_back_says_from_what() {
    let mut model = started(world::normal(), 200, 50);
    let hints = |model: &Model| screen(model).lines().last().unwrap().to_owned();
    assert!(!hints(&model).contains("Esc"), "{}", hints(&model));
    press(&mut model, "/ o <enter>");
    assert!(hints(&model).contains("Esc clear filter"), "{}", hints(&model));
    press(&mut model, "<space>");
    assert!(hints(&model).contains("Esc clear marks"), "{}", hints(&model));
    press(&mut model, "v");
    assert!(hints(&model).contains("Esc leave range"), "{}", hints(&model));
    press(&mut model, "<enter>");
    assert!(hints(&model).contains("Esc back"), "{}", hints(&model));
}

#[test]
fn the_version_under_the_cursor_stands_below_the_list_with_its_platforms() {
    let mut model = with_entry(120, 40);
    let version = |model: &Model| screen(model).rsplit_once("\n- ").unwrap().1.to_owned();
    let first = version(&model);
    assert!(first.starts_with("3.70.1 -"), "{first}");
    assert_eq!(first.matches("why     complete upstream").count(), 1, "{first}");
    assert!(!first.contains("listed with h1"), "nothing is stored of it: {first}");
    press(&mut model, "j j");
    let third = version(&model);
    assert!(third.starts_with("3.69.2 -") && third.contains("14 targets, h1 and size for all"), "{third}");
    assert!(third.contains("h listed with h1") && third.contains("linux"), "{third}");
    // An indexed version has the targets of its file, whatever upstream has; its release is named without them.
    let entry = model.views.entry.as_mut().unwrap();
    let mut verdict = entry.verdict.clone().unwrap();
    let state = VersionState {
        version: "3.69.2".into(),
        mark: VersionMark::Is(Status::Partial),
        targets: Some(1),
        tag: Some("v3.69.2".into()),
        ..verdict.versions[0].clone()
    };
    verdict.versions.push(state);
    entry.judge(&verdict);
    let partial = version(&model);
    assert!(
        partial.contains("release tag v3.69.2;") || partial.contains("release tag v3.69.2 "),
        "{partial}"
    );
    assert_eq!(partial.matches(" target").count(), 1, "{partial}");
    // Where there is no room beside the list, the last line says it.
    update(&mut model, Msg::Resize(Size::new(80, 24)));
    press(&mut model, "g g");
    assert!(screen(&model).contains("3.70.1: complete upstream"), "{}", screen(&model));
}

#[test]
fn versions_with_the_same_reason_share_it() {
    let mut loaded = world::normal();
    let of = |at: usize| loaded.verdicts[at].versions.len() > 1;
    let at = (0..loaded.verdicts.len()).find(|at| of(*at)).unwrap();
    let verdict = &mut loaded.verdicts[at];
    for version in &mut verdict.versions {
        version.mark = VersionMark::Is(Status::Behind);
        version.reason = "the very same reason".into();
    }
    let mut model = started(loaded, 120, 40);
    press(&mut model, "/ n e w r e l i c <enter> g g");
    let text = screen(&model);
    assert_eq!(text.matches("the very same reason").count(), 1, "{text}");
}

/// A verification that was paused is shown as such, and is resumed where it is seen.
#[test]
fn a_paused_verification_is_paused_in_jobs_and_resumed_there() {
    let mut model = crate::tui::tests::verify::made::running(120, 40);
    let [Effect::Steer(_, steer)] = press(&mut model, "<space>")[..] else { panic!("not paused") };
    assert!(steer.is_paused);
    press(&mut model, "8");
    let text = screen(&model);
    assert!(text.contains("= PAUSED") && !text.contains("~ RUNNING"), "{text}");
    assert!(text.contains("Space resume"), "{text}");
    model.message = None;
    let text = screen(&model);
    let last = text.lines().nth(38).unwrap_or_default();
    assert!(last.contains("verifying") && last.contains("paused") && !text.contains("downloading"), "{text}");
    let [Effect::Steer(_, steer)] = press(&mut model, "<space>")[..] else { panic!("not resumed") };
    assert!(!steer.is_paused);
    assert!(screen(&model).contains("~ RUNNING"), "{}", screen(&model));
}

#[test]
fn the_card_is_copied_as_markdown_with_outside_text_in_code() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter>");
    let [Effect::Copy(card)] = &press(&mut model, "y m")[..] else { panic!("nothing is copied") };
    assert!(card.starts_with("### `newrelic/newrelic` (provider): BEHIND\n"), "{card}");
    for part in [
        "- **what**: ",
        "- **you can**: ",
        "- **repository**: `https://github.com/newrelic/",
        "- **version**: BEHIND `3.70.1: ",
    ] {
        assert!(card.contains(part), "no `{part}`: {card}");
    }
    let mut model = started(world::hostile(), 120, 40);
    let [Effect::Copy(card)] = &press(&mut model, "y m")[..] else { panic!("nothing is copied") };
    assert!(card.chars().all(|c| c == '\n' || !c.is_control()), "{card:?}");
}

/// Checks the two copied forms of a screen: the first words of the Markdown, and the first object of the JSON.
#[track_caller]
fn copies(model: &mut Model, head: &str, kind: &str) {
    let [Effect::Copy(text)] = &press(model, "y m")[..] else {
        panic!("nothing is copied: {}", screen(model))
    };
    assert!(text.starts_with(head), "{text}");
    assert!(text.chars().count() < 65_536 && text.chars().all(|c| c == '\n' || is_plain(c)), "{text:?}");
    let outside: String = text.split('`').step_by(2).collect();
    assert!(!outside.contains("<img") && !outside.contains('@'), "{text}");
    let [Effect::Copy(json)] = &press(model, "y j")[..] else {
        panic!("nothing is copied: {}", screen(model))
    };
    let objects: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    assert!(objects[0]["v"] == 1 && objects[0]["type"] == kind, "{json}");
}

#[test]
fn each_screen_copies_what_it_tells() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter>");
    copies(&mut model, "### `newrelic/newrelic` (provider): BEHIND\n", "verdict");
    let effects = press(&mut model, "<enter>");
    answer(&mut model, &effects, world::opened("newrelic/newrelic"));
    copies(&mut model, "### `newrelic/newrelic` (provider): BEHIND\n", "entry");
    copies(&mut pulls::planned(120, 40), "### `plan ", "planned");
    copies(&mut pulls::ready(120, 40, None), "### Pull request of plan ", "gate");
    copies(&mut verify::made::running(120, 40), "### Verification of `", "target");
    copies(&mut others::listed(120, 40), "**", "review");
}

/// Where nothing was told yet, that is said, and nothing is copied.
#[test]
fn content_that_is_not_there_yet_is_not_copied() {
    for (keys, why) in [
        ("2 y m", "the plan is still being read"),
        ("4 y m", "nothing has been verified yet"),
        ("4 y j", "nothing has been verified yet"),
    ] {
        let mut model = started(world::normal(), 120, 40);
        assert_eq!(press(&mut model, keys), [], "{keys}");
        assert!(screen(&model).contains(why), "{keys}: {}", screen(&model));
    }
}

#[test]
fn what_the_command_line_alone_does_is_found_and_copied() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter> : l o c k");
    assert!(
        screen(&model).contains("only as a command: bumpdesk lock newrelic/newrelic@3.69.0"),
        "{}",
        screen(&model)
    );
    assert_eq!(press(&mut model, "<enter>"), [Effect::Copy("bumpdesk lock newrelic/newrelic@3.69.0".into())]);
    let effects = press(&mut model, "<enter>");
    answer(&mut model, &effects, world::opened("newrelic/newrelic"));
    let entry = model.views.entry.as_ref().expect("an entry is open");
    let indexed: Vec<usize> = (0..entry.rows.len()).filter(|at| entry.rows[*at].indexed).collect();
    let older = entry.rows[indexed[1]].version.clone();
    let downs = "j ".repeat(indexed[1] - entry.cursor);
    let copied = press(&mut model, &format!("{downs}: l o c k <enter>"));
    let line = format!("bumpdesk lock newrelic/newrelic@{older}");
    assert_eq!(copied, [Effect::Copy(line)], "the version under the cursor");
    // Modules are not locked: the line names none.
    let mut model = started(world::normal(), 120, 40);
    let copied = press(&mut model, "/ k i n d : m o d u l e <enter> : l o c k <enter>");
    assert_eq!(copied, [Effect::Copy("bumpdesk lock ADDRESS@VERSION".into())]);
    press(&mut model, ": i s s u e");
    assert!(screen(&model).contains("copy the entry as Markdown"), "{}", screen(&model));
}

/// Case 12 of the second trial.
#[test]
fn the_number_of_a_view_that_does_not_exist_does_nothing() {
    let mut model = started(world::normal(), 80, 24);
    let before = screen(&model);
    assert_eq!((press(&mut model, "7"), screen(&model)), (Vec::new(), before));
    assert!(press(&mut model, "?").is_empty() && !screen(&model).contains("not built"), "{}", screen(&model));
}

/// Two lines are what most messages need on a small screen: the second takes the place of a rule, and of nothing to be read.
#[test]
fn the_second_line_of_a_message_lies_over_a_rule_alone() {
    for (columns, rows) in [(60, 20), (80, 24)] {
        let reviewed = |keys: &str| {
            let mut fake = FakePlan::normal();
            let mut model = looking(&mut fake, columns, rows);
            if !keys.is_empty() {
                press(&mut model, keys);
            }
            model
        };
        let places = [
            ("Inventory", started(world::normal(), columns, rows)),
            ("entry", with_entry(columns, rows)),
            ("files", reviewed("")),
            ("lines", reviewed("<tab>")),
        ];
        for (place, mut model) in places {
            let shown = |model: &mut Model, text: String| {
                model.say(Tone::Notice, text);
                screen(model).lines().map(str::to_owned).collect::<Vec<_>>()
            };
            let short = shown(&mut model, "one".into());
            let long = shown(&mut model, "word ".repeat(usize::from(columns) / 4));
            let last = short.iter().rposition(|line| line.trim() == "one").expect("the message");
            assert_eq!(short[..last - 1], long[..last - 1], "{place} at {columns}x{rows}");
            let is_rule = short[last - 1].starts_with("------");
            assert!(
                is_rule && long[last - 1].starts_with(" word"),
                "{place} at {columns}x{rows}: {short:#?}"
            );
        }
    }
}

/// From the files to their lines, through the lines to their end, and once more where keys went over some of them. So does
/// the refusal of a key that came too early.
#[test]
fn what_to_look_at_says_which_key_shows_it() {
    for (columns, rows) in [(60, 20), (80, 24), (120, 20)] {
        let mut fake = FakePlan::normal();
        let mut model = looking(&mut fake, columns, rows);
        go(&mut fake, &mut model, ") ) )");
        for (keys, key, leads) in [
            ("", "j", "shows the next change"),
            ("<tab>", "Ctrl-d", "scrolls to the end"),
            ("G", "g g, Ctrl-d", "starts over"),
        ] {
            if !keys.is_empty() {
                go(&mut fake, &mut model, keys);
            }
            let file = fake.find("newrelic/newrelic");
            let next = model.views.changes.next_step(&model.desk, &file, &model.paint());
            assert!(next.starts_with(&format!("{key} {leads}; ")), "{next}");
            if columns < 120 {
                let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(flat.contains(&format!("{key} {leads}; 2 versions left to look at")), "{flat}");
                assert!(flat.contains("X reject"), "{flat}");
            }
            press(&mut model, "<space>");
            assert!(
                last_message(&model).ends_with(&format!("; {key} shows what is left")),
                "{}",
                last_message(&model)
            );
            later(&mut model, 9_000);
        }
        go(&mut fake, &mut model, "g g");
        for _ in 0..40 {
            go(&mut fake, &mut model, "ctrl-d");
        }
        assert_eq!(fake.find("newrelic/newrelic").left_to_see(), 0, "{}", screen(&model));
    }
}

#[test]
fn the_preview_names_the_newest_versions_and_no_job_begins() {
    let mut loaded = world::normal();
    let rows = &mut std::sync::Arc::make_mut(&mut loaded.catalog).rows;
    let row = rows.iter_mut().find(|row| row.address.to_string() == "newrelic/newrelic").unwrap();
    row.shape.versions = "3.69.0\n3.68.2\n3.68.1\n3.68.0\n3.67.0\n3.66.0".into();
    row.shape.version_count = 6;
    row.shape.discovered = Some("2026-09-18T06:00:00Z".parse().unwrap());
    let mut model = started(loaded, 120, 40);
    let effects = press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter>");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Start(..))), "{effects:?}");
    let right = right(&model).split_whitespace().collect::<Vec<_>>().join(" ");
    let names = "indexed 3.69.0, 3.68.2, 3.68.1, 3.68.0, 3.67.0 and 1 more (6 versions, 2,856 targets)";
    assert!(right.contains(names), "{right}");
}

#[test]
fn a_long_message_is_whole_and_goes_with_the_next_key() {
    let mut model = started(world::normal(), 60, 20);
    let text = "survey done: 61 entries, 3 of 61 not checked in full (2 not read upstream, 1 broken file), and the way out is here";
    model.say(Tone::Warning, text);
    let shown = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown(&model).contains(text), "{}", screen(&model));
    press(&mut model, "j");
    assert!(shown(&model).contains(text), "it was not there long enough to be read");
    later(&mut model, 4_000);
    press(&mut model, "j");
    assert!(!shown(&model).contains("survey done"), "{}", screen(&model));
}

#[test]
fn a_notice_goes_with_the_view_that_it_was_read_in_and_a_warning_stays() {
    let mut model = started(world::normal(), 120, 40);
    for (tone, stays) in [(Tone::Notice, false), (Tone::Warning, true)] {
        press(&mut model, "1");
        model.say(tone, "2 shows it");
        later(&mut model, 900);
        press(&mut model, "j");
        assert_eq!(last_message(&model), "2 shows it");
        press(&mut model, "2");
        assert_eq!(last_message(&model) == "2 shows it", stays);
    }
}

/// On the list and among the jobs a survey's last word is whole; beside all else it is one line that says where it stands.
#[test]
fn a_survey_s_end_is_short_where_it_is_not_about_what_is_seen() {
    let mut model = started(world::unchecked(), 60, 20);
    let effects = press(&mut model, "R");
    let Some(Effect::Start(id, Job::Survey(_))) = effects.last() else { panic!("{effects:?}") };
    let summary = Summary { entries: 61, failed: 2, broken: 1, requests: 570, ..Summary::default() };
    tell(&mut model, *id, JobEvent::Ended(Outcome::Done(summary)));
    let whole = "survey done, 3 of 61 not checked in full (2 not read upstream, 1 broken file), 570 requests";
    let short = "\n survey done, 3 of 61 not checked in full; 8 shows it\n";
    for (keys, is_whole) in [("1", true), ("2", false), ("8", true), ("4", false), ("1", true), ("?", false)]
    {
        press(&mut model, keys);
        let text = screen(&model);
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(flat.contains(whole), is_whole, "{keys}: {text}");
        assert_eq!(text.contains(short), !is_whole, "{keys}: {text}");
    }
}

/// An entry with so many versions, each with this reason.
fn with_reasons(columns: u16, rows: u16, reason: impl Fn(usize) -> String) -> Model {
    let mut model = with_entry(columns, rows);
    let entry = model.views.entry.as_mut().unwrap();
    let verdict = entry.verdict.as_mut().unwrap();
    for at in 0..40 {
        let mut state = verdict.versions[0].clone();
        (state.version, state.reason) = (format!("9.0.{at}"), reason(at));
        verdict.versions.push(state);
    }
    let verdict = verdict.clone();
    entry.judge(&verdict);
    model.settle(crate::tui::keymap::ViewId::Entry);
    model
}

/// The lines of the list beside the wall.
fn left(model: &Model) -> String {
    let screen = screen(model);
    let lines: Vec<&str> = screen.lines().filter_map(|line| Some(line.split_once(" |")?.0)).collect();
    lines.join("\n")
}

/// A reason has one line in the list, where a cut one has a sign, and is whole below the list. The cursor stays in sight,
/// paging skips no row, and each line is the row's that a click on it chooses.
#[test]
fn a_reason_of_a_version_is_cut_in_its_row_and_whole_below() {
    let long = |at: usize| {
        format!("{at} was uploaded 2 h 19 min after it was indexed; 11 of 11 stored checksums differ")
    };
    let mut model = with_reasons(200, 50, long);
    let words = |model: &Model| left(model).split_whitespace().collect::<Vec<_>>().join(" ");
    let at = |model: &Model| model.views.entry.as_ref().map(|entry| entry.cursor).unwrap();
    press(&mut model, "g g");
    let count = model.views.entry.as_ref().unwrap().rows.len();
    let mut before = at(&model);
    while before + 1 < count {
        let text = left(&model);
        assert_eq!(text.lines().filter(|line| line.starts_with('>')).count(), 1, "{text}");
        let cut = text.lines().filter(|line| line.contains(" ^ BEHIND ") && line.contains("was uploaded"));
        assert!(cut.clone().all(|line| line.trim_end().ends_with('>')), "{text}");
        let seen = text.lines().filter(|line| line.contains(" ^ BEHIND ") || line.contains("   indexed  "));
        let seen = seen.count();
        press(&mut model, "<pgdn>");
        let cursor = at(&model);
        assert!(cursor > before && cursor - before <= seen, "from {before} to {cursor} of {seen}: {text}");
        before = cursor;
    }
    press(&mut model, "G");
    let rows = left(&model).lines().filter(|line| line.contains("   indexed  ")).count();
    assert!(rows > 20, "no row is empty: {}", left(&model));
    press(&mut model, "g g");
    let lines: Vec<String> = screen(&model).lines().map(str::to_owned).collect();
    let second = lines.iter().position(|line| line.contains("9.0.1 ")).unwrap();
    assert!(lines[second + 1].contains("9.0."), "{lines:#?}");
    update(&mut model, Msg::Mouse(Mouse::Click(3, second as u16)));
    let entry = model.views.entry.as_ref().unwrap();
    assert_eq!(entry.rows[entry.cursor].version, "9.0.1");
    assert!(words(&model).contains(&long(1)), "below the list: {}", screen(&model));
}

/// A sentence that the end of a pane breaks off has a mark, and the rule below names the key.
#[test]
fn a_story_that_is_broken_off_is_marked() {
    let model = with_entry(60, 20);
    let paint = model.paint();
    let story = crate::tui::widgets::story::labelled(&paint, "why", "one two three four five six", 20);
    let seen = |height| {
        let lines = crate::tui::widgets::story::seen(&paint, &story, 0, (20, height));
        lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(seen(9), [" why     one two", "         three four", "         five six"]);
    assert_eq!(seen(2), [" why     one two", "         three ..."]);
    let mut model = with_reasons(60, 20, |at| at.to_string());
    let is_marked = |model: &Model| {
        let text = screen(model);
        let lines: Vec<&str> = text.lines().collect();
        assert!(text.contains("(J) -"), "{text}");
        let rule = lines.iter().rposition(|line| line.starts_with("------")).expect("the rule");
        lines[rule - 1].ends_with(" ...")
    };
    let marked = (12..20).filter(|rows| {
        update(&mut model, Msg::Resize(Size::new(60, *rows)));
        is_marked(&model)
    });
    assert!(marked.count() > 0, "{}", screen(&model));
}

/// Where there is no preview the last line says why the row has its status; no overlay has it below it.
#[test]
fn a_small_list_names_its_columns_and_says_why() {
    let mut model = started(world::normal(), 60, 20);
    press(&mut model, "/ n e w r e l i c <enter>");
    model.message = None;
    let why = model.desk.list.verdict_of(model.subject().unwrap()).unwrap().because.text.clone();
    let flat = |model: &Model| screen(model).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat(&model).contains("STATUS ADDRESS LACKS AGE"), "{}", screen(&model));
    assert!(flat(&model).contains(&why), "{}", screen(&model));
    press(&mut model, "?");
    assert!(!flat(&model).contains(&why), "{}", screen(&model));
    let mut model = started(world::normal(), 80, 24);
    press(&mut model, "/ n e w r e l i c <enter> p");
    model.message = None;
    assert!(screen(&model).lines().nth(22).unwrap().contains(&why[..20]), "{}", screen(&model));
}

/// A small page of help cuts no key and no word, and a small palette no sentence in the middle that has an end before.
#[test]
fn small_overlays_cut_nothing_that_matters() {
    let mut model = started(world::normal(), 60, 20);
    press(&mut model, "?");
    let mut page = String::new();
    for _ in 0..40 {
        page.push_str(&screen(&model));
        press(&mut model, "<pgdn>");
    }
    for (word, _) in model.views.inventory.legend().iter().filter(|(word, _)| *word != "VIEWS") {
        assert!(page.contains(word), "{word}");
    }
    let is_cut = |line: &str| {
        let mut signs = line.chars().zip(line.chars().skip(1)).zip(line.chars().skip(2));
        signs.any(|((before, sign), after)| before.is_alphanumeric() && sign == '>' && after == ' ')
    };
    let inside = page.lines().filter(|line| line.starts_with('|') && !line.contains("search>"));
    assert_eq!(inside.filter(|line| is_cut(line)).collect::<Vec<_>>(), Vec::<&str>::new());
    press(&mut model, "<esc> :");
    let text = screen(&model);
    assert!(text.lines().any(|line| line.contains("  a        add this entry to the plan  ")), "{text}");
}

/// Case 12 of the second trial: the tabs of a window never move, whatever is open and whatever is counted.
#[test]
fn tabs_stand_where_they_stood() {
    let starts = |model: &Model| -> Vec<Option<ViewId>> {
        (0..model.size.columns).map(|x| header::view_at(model, Position::new(x, 0))).collect()
    };
    let first_line = |model: &Model| screen(model).lines().next().unwrap().trim_end().to_owned();
    for (columns, shows) in [
        (70, " 1 Inv 2 Chg 3 Rev"),
        (80, "[1 Inv] 2 Chg     3 Rev     4 Ver     5 Fill     6 Str     8 Jobs"),
        (110, "[1 Inventory] 2 Changes     3 Reviews     4 Verify     5 Backfill     6 Stranded     8 Jobs"),
        (120, " bumpdesk  [1 Inventory] 2 Changes     3 Reviews"),
        (200, " bumpdesk  [1 Inventory] 2 Changes     3 Reviews"),
    ] {
        let fresh = started(world::normal(), columns, 40);
        assert!(columns == 70 || first_line(&fresh).starts_with(shows), "{}", first_line(&fresh));
        let mut fake = FakePlan::normal();
        let planned = looking(&mut fake, columns, 40);
        assert!(first_line(&planned).contains(" 4]"), "{}", first_line(&planned));
        let mut entry = with_entry(columns, 40);
        let opened = starts(&entry);
        press(&mut entry, "8");
        let models = [planned, records::busy(columns, 40), running(columns, 40)];
        for other in models.iter().map(starts).chain([opened, starts(&entry)]) {
            assert_eq!(other, starts(&fresh), "at {columns}");
        }
    }
}

#[test]
fn the_smallest_window_says_the_way_out() {
    let mut model = started(world::normal(), 38, 10);
    model.message = None;
    let shown = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("needs 40x12") && shown.contains("q quits"), "{shown}");
}

/// The theme that was chosen by key is there at the next start, unless the settings name one.
#[test]
fn a_theme_that_was_chosen_by_key_is_kept() {
    let mut model = started(world::normal(), 80, 24);
    let recall = model.desk.board.running(|job| *job == Job::Recall).map(|job| job.id).unwrap();
    tell(&mut model, recall, JobEvent::Recalled(std::collections::BTreeMap::new()));
    tell(&mut model, recall, JobEvent::Ended(Outcome::Done(Summary::default())));
    press(&mut model, "T");
    assert!(last_message(&model).ends_with("also at the next start"), "{}", last_message(&model));
    let chosen = model.theme.name.clone();
    let effects = update(&mut model, Msg::Keep { leaving: false });
    let [Effect::Start(_, Job::Remember(memory))] = &effects[..] else { panic!("{effects:?}") };
    for (named, wanted) in [(None, chosen.clone()), (Some("mono".to_owned()), "mono".to_owned())] {
        let mut next = Model::new(crate::tui::Options { theme: named, ..options(80, 24) });
        next.begin();
        tell(&mut next, JobId(1 << 33), JobEvent::Recalled(memory.clone()));
        assert_eq!(next.theme.name, wanted);
    }
}

/// An entry whose check failed is not called checked.
#[test]
fn a_failed_look_is_not_checked() {
    let mut loaded = world::unchecked();
    loaded.verdicts[0].checked_at = Some(world::now());
    let model = started(loaded, 120, 40);
    assert!(screen(&model).contains("never checked"), "{}", screen(&model));
}

/// Offline: the host and the way on are told, the survey is over, and nothing is called checked.
#[test]
fn an_unreachable_host_stops_the_survey_and_checks_nothing() {
    for (columns, rows) in [(120, 40), (80, 24)] {
        let mut model = started(world::unchecked(), columns, rows);
        let effects = press(&mut model, "R");
        let Some(Effect::Start(id, Job::Survey(_))) = effects.last() else { panic!("{effects:?}") };
        let id = *id;
        let judged = model.desk.list.catalog.rows.iter().map(|row| {
            let mut verdict = world::verdict(Status::Unknown, "1.0.0", "?", None);
            verdict.because.text =
                "the tags could not be read: no answer: not asked after too many failures".into();
            verdict.because.at = Some(world::now());
            Judgement { address: row.address.clone(), verdict }
        });
        let judged = judged.collect();
        tell(&mut model, id, JobEvent::Judged(judged));
        let failure = Failure::new(FailureKind::Network, "reading upstream")
            .cause("github.com cannot be reached: the host or its name service does not answer")
            .hint(format!("Check the network{}.", crate::jobs::data::ASKS_AGAIN));
        tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
        let text = screen(&model);
        assert!(text.contains("never checked") && !text.contains(" OK "), "{text}");
        assert!(
            last_message(&model).starts_with("github.com cannot be reached: the host or its name service"),
            "{}",
            last_message(&model)
        );
        assert!(last_message(&model).ends_with("R tries again"), "{}", last_message(&model));
        assert!(model.desk.board.running(|job| matches!(job, Job::Survey(_))).is_none());
        press(&mut model, "8");
        let text = screen(&model);
        assert!(text.contains("FAILED") && !text.contains("RUNNING"), "{text}");
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("r runs again what is missing") && !flat.contains("same command"), "{text}");
    }
}

/// A key is named, not a command that nobody typed.
#[test]
fn a_survey_that_read_nothing_names_the_key_that_asks_again() {
    let mut model = started(world::normal(), 120, 40);
    let [Effect::Start(id, Job::Survey(_))] = press(&mut model, "R")[..] else { panic!("not started") };
    let limits = vec![format!("nothing could be read; `x` tries{}", crate::jobs::data::ASKS_AGAIN)];
    let summary = Summary { entries: 3, failed: 3, requests: 9, limits, ..Summary::default() };
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
    assert!(
        last_message(&model).ends_with("`x` tries, and r in Jobs asks again"),
        "{}",
        last_message(&model)
    );
}

/// Why nothing happened, and the keys that ask anyway.
#[test]
fn a_survey_of_freshly_checked_rows_says_that_it_sent_no_requests() {
    let mut model = started(world::normal(), 60, 20);
    for (entries, wanted) in [
        (
            3,
            "survey done, nothing was asked: 3 entries were checked in the last 15 minutes; r asks all the same, A r all shown",
        ),
        (
            1,
            "survey done, nothing was asked: 1 entry was checked in the last 15 minutes; r asks all the same",
        ),
    ] {
        let [Effect::Start(id, Job::Survey(_))] = press(&mut model, "R")[..] else { panic!("not started") };
        let summary = Summary { entries, fresh: entries, ..Summary::default() };
        tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
        assert_eq!(last_message(&model), wanted);
        let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(wanted), "{}", screen(&model));
    }
    let [Effect::Start(_, Job::Survey(plan))] = &press(&mut model, "A r")[..] else { panic!("not started") };
    assert!(plan.max_age.is_zero(), "{plan:?}");
}

/// Nobody knows what would change of a file that cannot be read: the message names it, the place and what to do.
#[test]
fn a_broken_file_is_not_added_and_says_where_it_is_broken() {
    use crate::registry::{Address, Blacklist, Kind, Shape};
    use crate::rules::{Case, Depth, judge};
    let mut loaded = world::normal();
    let address = Address::parse("newrelic/newrelic").unwrap();
    let at = loaded.catalog.rows.iter().position(|row| row.address == address).unwrap();
    let shape = Shape::parse(Kind::Provider, b"{\n  \"versions\": [\n");
    loaded.verdicts[at] = judge(&Case {
        address: &address,
        shape: &shape,
        entry: None,
        facts: None,
        keys: None,
        blacklist: &Blacklist::default(),
        decisions: &[],
        features: crate::settings::Features::default(),
        depth: Depth::Versions,
        now: world::now().into(),
    });
    std::sync::Arc::make_mut(&mut loaded.catalog).rows[at].shape = shape;
    let mut model = started(loaded, 120, 40);
    press(&mut model, "/ = n e w r e l i c / n e w r e l i c <enter> g g");
    let effects = press(&mut model, "a");
    let [Effect::Start(id, Job::Plan(PlanTask::Add(add)))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(add.addresses(), [address]);
    let summary = Summary { entries: 1, broken: 1, ..Summary::default() };
    tell(&mut model, *id, JobEvent::Planned(std::sync::Arc::default()));
    assert!(tell(&mut model, *id, JobEvent::Ended(Outcome::Done(summary))).is_empty());
    let told = last_message(&model);
    for part in
        ["newrelic/newrelic was not added", "`providers/n/newrelic/newrelic.json`", " at 3:0", "fix the file"]
    {
        assert!(told.contains(part), "no `{part}` in {told}");
    }
    assert!(
        model.desk.planning.plan.as_ref().is_some_and(crate::rules::plan::Plan::is_empty)
            && model.desk.board.is_empty()
    );
}

/// Plain words and an order, as in every table. The cursor stays on its version while that is shown.
#[test]
fn versions_are_filtered_and_sorted() {
    let mut model = with_entry(120, 40);
    let at = |model: &Model| {
        let entry = model.views.entry.as_ref().unwrap();
        (entry.selected().map(|row| row.version.clone()).unwrap_or_default(), entry.cursor)
    };
    assert_eq!(at(&model), ("3.70.1".into(), 0));
    press(&mut model, "/ 3 . 5");
    assert!(screen(&model).contains("filter> 3.5"), "{}", screen(&model));
    assert!(screen(&model).contains("of 33, 206 in all"), "{}", screen(&model));
    assert!(left(&model).lines().all(|line| !line.contains("3.70.1")), "{}", screen(&model));
    press(&mut model, "9 <enter> j");
    assert_eq!(at(&model), ("3.59.1".into(), 1));
    assert!(screen(&model).contains("3 of 206"), "{}", screen(&model));
    press(&mut model, "s n");
    assert_eq!(at(&model).0, "3.59.1");
    assert_eq!(last_message(&model), "sorted by: last discovered");
    press(&mut model, "esc");
    assert_eq!(model.screen, ViewId::Entry, "Esc takes the filter off first");
    assert_eq!(at(&model).0, "3.59.1");
    assert!(screen(&model).contains("last discovered"), "{}", screen(&model));
    press(&mut model, "/ z z z <enter> j");
    assert_eq!(last_message(&model), "j: the filter hides every row; Esc clears it");
    assert_eq!(at(&model).0, "");
    assert!(screen(&model).contains("the filter hides every row"), "{}", screen(&model));
    // Nothing under the cursor: nothing is verified.
    let effects = press(&mut model, "V");
    assert!(effects.is_empty() && model.popup.is_none(), "{effects:?}");
    press(&mut model, "esc s <enter> g g");
    assert_eq!(at(&model), ("3.70.1".into(), 0), "the first order is that of the file");
    // The heads sort too.
    let lines: Vec<String> = screen(&model).lines().map(str::to_owned).collect();
    let heads = lines.iter().position(|line| line.contains("TARGETS")).unwrap();
    let x = lines[heads].find("VERSION").unwrap();
    for first in ["3.70.1", "3.2.0"] {
        update(&mut model, Msg::Mouse(Mouse::Click(x as u16, heads as u16)));
        press(&mut model, "g g");
        assert_eq!(at(&model).0, first);
    }
}

/// A narrow window has room for numbers alone: the name of the current view follows all of them, and moves none.
#[test]
fn the_numbers_of_a_narrow_window_stand_where_they_stood() {
    let first_line = |model: &Model| screen(model).lines().next().unwrap().trim_end().to_owned();
    let mut model = started(world::normal(), 60, 20);
    assert!(first_line(&model).starts_with("[1] 2  3  4  5  6  8  Inventory  "), "{}", first_line(&model));
    let starts = |model: &Model| -> Vec<Option<ViewId>> {
        (0..60).map(|x| header::view_at(model, Position::new(x, 0))).collect()
    };
    let before = starts(&model);
    for (key, wanted) in [("2", " 1 [2] 3  4  5  6  8  Changes"), ("8", " 1  2  3  4  5  6 [8] Jobs")] {
        press(&mut model, key);
        assert!(first_line(&model).starts_with(wanted), "{}", first_line(&model));
        assert_eq!(starts(&model), before);
    }
}

/// The name of the registry moves to the second line where the tabs leave no room for it.
#[test]
fn every_header_names_the_registry() {
    for columns in [200, 140, 120, 110, 80, 70, 60] {
        let model = started(world::normal(), columns, 40);
        let text = screen(&model);
        let header: String = text.lines().take(2).collect::<Vec<_>>().join(" ");
        for wanted in ["registry", "main@"] {
            assert_eq!(header.matches(wanted).count(), 1, "{columns}: {header}");
        }
    }
}

/// Checks that the footer has the keys that the next step names; returns their number.
fn named_in_footer(model: &Model) -> usize {
    let named = model.seen().unwrap().named_steps(&model.question_context());
    let hints = footer::hints_that_fit(model);
    for command in named.iter().filter(|command| availability::check(model, **command).is_ok()) {
        let is_shown = hints.iter().any(|hint| hint.bound.place.takes(*command));
        assert!(is_shown, "{command:?}\n{}", screen(model));
    }
    named.len()
}

/// The footer has the keys that the next step names, whatever else it leaves out.
#[test]
fn keys_that_the_next_step_names_are_in_the_footer() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20)] {
        for loaded in [world::normal(), world::unchecked()] {
            let count = loaded.verdicts.len();
            let mut model = started(loaded, columns, rows);
            for _ in 0..count {
                let mut named = named_in_footer(&model);
                press(&mut model, "<enter>");
                named += named_in_footer(&model);
                assert!(named > 0 || screen(&model).contains("next"), "{}", screen(&model));
                press(&mut model, "<esc> j");
            }
        }
        let mut fake = FakePlan::normal();
        let mut model = looking(&mut fake, columns, rows);
        for keys in ["j", "<space>"] {
            assert_eq!(named_in_footer(&model), 1, "{}", screen(&model));
            go(&mut fake, &mut model, keys);
        }
    }
}

/// The Inventory hints at the keys of its tasks; one that saves the view stands there while the view has no name.
#[test]
fn the_inventory_hints_at_its_tasks() {
    let mut model = started(world::normal(), 200, 50);
    let hints = |model: &Model| screen(model).lines().last().unwrap().to_owned();
    for wanted in ["V verify", "s sort", "/ filter", "R survey shown"] {
        assert!(hints(&model).contains(wanted), "{wanted}: {}", hints(&model));
    }
    assert!(!hints(&model).contains("f save view"), "{}", hints(&model));
    press(&mut model, "/ o <enter>");
    assert!(hints(&model).contains("f save view"), "{}", hints(&model));
}

/// One word for Esc: it clears the filter, or goes back to the filter before.
#[test]
fn esc_says_what_becomes_of_a_filter() {
    let mut model = started(world::normal(), 120, 40);
    let hints = |model: &Model| screen(model).lines().last().unwrap().to_owned();
    press(&mut model, "/ z z z z");
    assert!(hints(&model).contains("Esc clear filter"), "{}", hints(&model));
    assert!(screen(&model).contains("No row passes the filter; Esc clears it."), "{}", screen(&model));
    press(&mut model, "<esc> / a w s <enter> / z");
    assert!(hints(&model).contains("Esc old filter"), "{}", hints(&model));
    let wanted = "No row passes the filter; Esc goes back to `aws`.";
    assert!(screen(&model).contains(wanted), "{}", screen(&model));
    press(&mut model, "<esc>");
    assert!(screen(&model).contains("filter> aws"), "{}", screen(&model));
}

/// Orders without a key of their own are aligned with those that have one.
#[test]
fn the_choices_of_a_sort_menu_are_aligned() {
    let mut model = with_entry(120, 40);
    press(&mut model, "s");
    let text = screen(&model);
    let columns: Vec<usize> = text.lines().filter_map(|line| line.find("sort: ")).collect();
    assert_eq!(columns.len(), 6, "{text}");
    assert!(columns.iter().all(|column| *column == columns[0]), "{text}");
}
