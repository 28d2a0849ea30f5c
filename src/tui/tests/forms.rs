//! Forms: the keys of their fields, pasted texts, what is kept, and what stands behind them.

use jiff::SignedDuration;

use crate::jobs::data::Job;
use crate::rules::amount;
use crate::rules::review::Opinion;
use crate::rules::sending::{Purpose, VerdictPlan};
use crate::tui::base::theme::Role;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::others::states::listed;
use crate::tui::tests::reviews::last_message;
use crate::tui::tests::{drawn, press, pulls, screen, stranded};
use crate::tui::widgets::popup;

/// The verdict that a key makes ready.
fn verdict(effects: &[Effect]) -> &VerdictPlan {
    match effects {
        [Effect::Start(_, Job::Prepare(Purpose::Verdict(plan)))] => plan,
        _ => panic!("{effects:?}"),
    }
}

/// The form of a verdict on the pull request that differs.
fn judging(columns: u16, rows: u16) -> Model {
    let mut model = listed(columns, rows);
    press(&mut model, "Y");
    assert_eq!(model.context(), Context::Form);
    model
}

/// The keys of one read.
fn read_at_once(model: &mut Model, keys: &str) -> Vec<Effect> {
    update(model, Msg::Keys(keys.split(' ').map(|key| Chord::parse(key).expect("a key")).collect()))
}

#[test]
fn keys_fill_in_every_field() {
    let mut model = judging(120, 40);
    // A choice that is not possible is skipped, both ways and round the end.
    press(&mut model, "<space>");
    assert!(screen(&model).contains("(*) comment"), "{}", screen(&model));
    press(&mut model, "<space>");
    assert!(screen(&model).contains("(*) request changes"), "{}", screen(&model));
    press(&mut model, "<left>");
    assert!(screen(&model).contains("(*) comment"), "{}", screen(&model));
    press(&mut model, "up up up");
    assert!(screen(&model).contains("(*) request changes"), "{}", screen(&model));
    // Down leads through the list into the text, where Enter begins a line.
    press(&mut model, "down down");
    assert!(screen(&model).contains("Enter new line"), "{}", screen(&model));
    press(&mut model, "o n e <enter> t w o up x down y");
    let effects = press(&mut model, "shift-tab up <tab> <tab> <space> <enter>");
    let plan = verdict(&effects);
    assert_eq!((plan.opinion, plan.text.as_str()), (Opinion::RequestChanges, "onex\ntwoy"));
    assert!(!plan.line_comments && plan.number == 15);
    assert_eq!(model.popup, None);
}

/// The first of possible verdicts is chosen, and the reason of the others is beside them.
#[test]
fn what_is_not_possible_is_grey_with_the_reason() {
    let mut model = judging(100, 40);
    let text = screen(&model);
    let reason = text.lines().find(|line| line.contains("only SAME can be approved; the result is DIFFERS"));
    assert!(reason.is_some_and(|line| !line.contains("approve ")), "it has a line of its own: {text}");
    let buffer = drawn(&model);
    let (y, line) = text.lines().enumerate().find(|(_, line)| line.contains(" -  approve")).expect("a line");
    let x = line.find("-  approve").expect("a column") as u16;
    assert_eq!(buffer[(x, y as u16)].fg, model.theme.style(Role::Dim).fg.expect("a colour"));
    press(&mut model, "<esc> G Y");
    assert!(screen(&model).contains("(*) approve"), "{}", screen(&model));
    assert_eq!(verdict(&press(&mut model, "<enter>")).opinion, Opinion::Approve);
}

/// The text to be posted stands at the right from 110 columns, and below in a narrower window.
#[test]
fn a_verdict_shows_what_is_posted() {
    for (columns, rows) in [(120, 40), (109, 40), (80, 30)] {
        let mut model = judging(columns, rows);
        press(&mut model, "<tab> m y <space> w o r d s");
        let text = screen(&model);
        let find = |wanted: &str| text.lines().position(|line| line.contains(wanted));
        let (field, title) = (find("your words").expect("a field"), find("What is posted").expect("a title"));
        assert_eq!(title < field, columns >= 110, "{columns}x{rows}: {text}");
        let posted = text.lines().skip(title).filter(|line| line.contains("my words")).count();
        assert!(posted > usize::from(columns >= 110), "{columns}x{rows}: {text}");
    }
    assert!(!screen(&judging(120, 40)).contains("What is posted, lines"), "all of it fits");
    let mut model = judging(80, 24);
    let top = screen(&model);
    assert!(top.contains("What is posted, lines 1-"), "{top}");
    press(&mut model, "pgdn");
    assert_ne!(screen(&model), top, "it scrolls");
}

/// Nothing that is pasted accepts a form, leaves it or moves in it.
#[test]
fn a_pasted_text_goes_into_the_field_and_confirms_nothing() {
    let mut model = judging(120, 40);
    let before = model.popup.clone();
    for effects in [
        update(&mut model, Msg::Paste("comment\nY".into())),
        read_at_once(&mut model, "a b c <enter> <space> d"),
    ] {
        assert!(effects.is_empty(), "{effects:?}");
        assert_eq!(model.popup, before);
        assert!(last_message(&model).starts_with("a pasted text was dropped"), "{}", last_message(&model));
    }
    press(&mut model, "<tab>");
    assert!(update(&mut model, Msg::Paste("one\r\ntwo\n".into())).is_empty());
    assert!(read_at_once(&mut model, "t h r e e <enter> <tab> y <enter>").is_empty());
    assert_eq!(model.context(), Context::Form);
    let effects = press(&mut model, "<tab> <enter>");
    assert_eq!(verdict(&effects).text, "one\ntwo\nthree\n y");
}

/// A text of several lines is not lost by Esc.
#[test]
fn a_text_that_was_left_is_there_again() {
    let mut model = judging(80, 24);
    press(&mut model, "down <tab> w h y <esc>");
    assert_eq!((model.popup.clone(), model.context()), (None, Context::View(ViewId::Reviews)));
    // Another pull request has a form of its own.
    press(&mut model, "j Y");
    assert!(!screen(&model).contains("why"), "{}", screen(&model));
    press(&mut model, "<esc> k Y");
    assert!(screen(&model).contains("your words") && screen(&model).contains("why"), "{}", screen(&model));
    let effects = press(&mut model, "<enter>");
    assert_eq!((verdict(&effects).opinion, verdict(&effects).text.as_str()), (Opinion::Comment, "why"));
    press(&mut model, "3 g g Y");
    assert!(!screen(&model).contains("why"), "what was taken is not left");
}

/// A box stands out in every theme: what is behind it is dim, rules as faint as ever, and its border can be seen.
#[test]
fn a_box_has_a_border_on_a_dimmed_ground() {
    let mut model = judging(120, 40);
    for name in model.options.themes.names().map(str::to_owned).collect::<Vec<_>>() {
        model.theme = model.options.themes.find(&name).expect("a theme");
        let (text, buffer) = (screen(&model), drawn(&model));
        let (y, line) =
            text.lines().enumerate().find(|(_, line)| line.contains("+- Your verdict")).expect("a box");
        let x = line.find("+- Your verdict").expect("a corner") as u16;
        let (dim, rule) = (model.theme.style(Role::Dim), model.theme.style(Role::Rule));
        press(&mut model, "<esc>");
        let before = drawn(&model);
        press(&mut model, "Y");
        let corner = &buffer[(x, y as u16)];
        assert_eq!(Some(corner.fg), model.theme.style(popup::BORDER).fg.or(Some(corner.fg)), "{name}");
        for place in buffer.area.positions().filter(|place| (2..y as u16).contains(&place.y)) {
            let cell = &buffer[place];
            let ink = if Some(before[place].fg) == rule.fg { rule } else { dim };
            assert_eq!(Some(cell.fg), ink.fg.or(Some(cell.fg)), "{name} {place}");
            assert!(!cell.modifier.contains(ratatui::style::Modifier::BOLD), "{name} {place}");
        }
    }
}

/// A day or a length of time is shown as the day that it means, and a mistake stands under its own field.
#[test]
fn a_version_is_ignored_until_a_day_for_a_reason() {
    for (columns, rows) in [(120, 40), (60, 20)] {
        let mut model = stranded::normal(columns, rows);
        press(&mut model, "i");
        let text = screen(&model);
        let below = |label: &str, help: &str| {
            let place = |words: &str| text.lines().position(|line| line.contains(words)).expect(words);
            place(help) == place(label) + 1
        };
        assert!(
            below("until [", "such as 2027-01-01, or +30d"),
            "the help stands below its own field: {text}"
        );
        assert!(rows < 24 || below("why   [", "the reason, in one line"), "{text}");
        press(&mut model, "+ 3 0 d");
        let until = model.now.checked_add(SignedDuration::from_hours(30 * 24)).expect("a time");
        let wanted = format!("until {}", amount::minute(until));
        assert!(screen(&model).contains(&wanted), "{wanted}: {}", screen(&model));
        assert!(press(&mut model, "<enter>").is_empty());
        let text = screen(&model);
        let place = |words: &str| text.lines().position(|line| line.contains(words)).expect(words);
        assert_eq!(place("a reason is one line"), place("why   [") + 1, "{text}");
        // The cursor is in the field that is wrong.
        let effects = press(&mut model, "n e v e r <enter>");
        assert!(matches!(&effects[..], [Effect::Start(_, Job::Decide(_))]), "{effects:?}");
        assert_eq!(model.popup, None);
    }
}

/// A field shows where it is typed, a text of several lines takes the free rows, and a narrow window leaves no strip beside a box.
#[test]
fn a_field_has_a_visible_extent() {
    let mut model = stranded::normal(80, 24);
    press(&mut model, "i + 3 0 d");
    let text = screen(&model);
    let boxed = text.lines().find(|line| line.contains("until [+30d")).expect("a field");
    assert!(boxed.trim_end().ends_with("] |") && boxed.len() == 80, "{text}");
    for (columns, rows, wanted) in [(120, 40, 8), (80, 24, 2), (60, 20, 1)] {
        let text = screen(&judging(columns, rows));
        let from = text.lines().position(|line| line.contains("your words")).expect("a field");
        let area = text.lines().skip(from).take_while(|line| !line.contains("line comments")).count();
        assert!(area >= wanted, "{columns}x{rows}: {area} rows: {text}");
        assert!(text.lines().skip(from).take(area).all(|line| line.matches('|').count() >= 4), "{text}");
    }
}

/// A review without a line that differs has no comments beside lines to choose.
#[test]
fn line_comments_are_offered_where_a_line_differs() {
    let mut model = judging(100, 40);
    assert!(screen(&model).contains("line comments [x]"), "{}", screen(&model));
    press(&mut model, "<esc> G Y");
    assert!(!screen(&model).contains("line comments"), "{}", screen(&model));
    assert!(verdict(&press(&mut model, "<enter>")).line_comments, "a line makes the same plan");
}

/// Every detail of a pull request is a field, and the last one can be seen in the smallest window.
#[test]
fn the_details_of_a_pull_request_are_fields() {
    for (columns, rows) in [(120, 40), (40, 12)] {
        let mut model = pulls::ready(columns, rows, None);
        press(&mut model, "e <space> <tab>");
        update(&mut model, Msg::Paste("manual-bump \"good first issue\"".into()));
        press(&mut model, "<tab> a n n <tab> # 7 <tab> <space>");
        assert!(screen(&model).contains("[x] send it from"), "{}", screen(&model));
        press(&mut model, "<tab>");
        assert!(screen(&model).contains("[ ] changed archives"), "{}", screen(&model));
        let effects = press(&mut model, "<space> <enter>");
        let [Effect::Start(_, Job::Prepare(purpose))] = &effects[..] else { panic!("{effects:?}") };
        let plan = purpose.pull();
        assert_eq!((plan.draft, plan.fork, plan.acknowledged_drift), (false, true, true));
        assert_eq!(
            (plan.labels.join("|"), plan.reviewers, plan.fixes),
            ("manual-bump|good first issue".to_owned(), vec!["ann".to_owned()], vec![7],)
        );
    }
}

/// Ctrl-o gives a text of several lines to the editor. What comes back is in the field, and a failure leaves it as it was.
#[test]
fn a_text_is_written_in_an_editor() {
    let mut model = judging(120, 40);
    press(&mut model, "<tab> o n e");
    assert_eq!(press(&mut model, "ctrl-o"), []);
    assert!(last_message(&model).contains("no editor was found"), "{}", last_message(&model));
    model.options.has_editor = true;
    assert_eq!(press(&mut model, "ctrl-o"), [Effect::EditText("one".into())]);
    assert_eq!(update(&mut model, Msg::Edited(Ok("two\n\nthree".into()))), []);
    let long = "x".repeat(30_000);
    for (text, why) in
        [(Err("`ed` failed with code 7".to_owned()), "code 7"), (Ok(long), "20,000 are the most")]
    {
        assert_eq!(update(&mut model, Msg::Edited(text)), []);
        let message = last_message(&model);
        assert!(message.starts_with("the text stays as it was: ") && message.contains(why), "{message}");
    }
    press(&mut model, "<tab>");
    assert_eq!(press(&mut model, "ctrl-o"), [], "this field has no text");
    assert_eq!(verdict(&press(&mut model, "<enter>")).text, "two\n\nthree");
    assert_eq!(update(&mut model, Msg::Edited(Ok("late".into()))), []);
    assert!(last_message(&model).contains("is not open any more"), "{}", last_message(&model));
}
