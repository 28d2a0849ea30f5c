//! The palette asks why something is not available, and the answer stands above the view.

use std::sync::Arc;

use super::reviews::last_message;
use super::{press, screen, started, tell, world};
use crate::desk::triage::Lookup;
use crate::jobs::data::{
    Failure, FailureKind, Job, JobEvent, JobId, OpenPlan, Outcome, Summary, TriageAnswer, TriagePlan, Triaged,
};
use crate::registry::Address;
use crate::rules::Status;
use crate::rules::triage::{Action, Answer, Rung, Standing, Step, Triage};
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;

const LINE: &str = "newrelic/newrelic@3.70.1";

fn type_line(model: &mut Model, line: &str) {
    press(model, ":");
    update(model, Msg::Paste(line.to_owned()));
    model.keys.swallows = false;
}

fn step(rung: Rung, answer: Answer, evidence: &str) -> Step {
    Step { rung, answer, evidence: evidence.to_owned(), at: None }
}

fn answer(address: Address, is_whole: bool) -> Triage {
    let asked = |answer| if is_whole { answer } else { Answer::NotChecked };
    let read = |evidence: &'static str| if is_whole { evidence } else { "nobody asked" };
    Triage {
        typed: LINE.to_owned(),
        address,
        version: Some("3.70.1".to_owned()),
        issue: None,
        standing: is_whole.then_some(Standing::Is(Status::Behind)),
        cause: if is_whole {
            "complete upstream for 6 hours, and not indexed".to_owned()
        } else {
            String::new()
        },
        answered: is_whole.then_some(Rung::Upstream),
        steps: vec![
            step(Rung::Dataset, Answer::No, "the file has 204 versions, and 3.70.1 is none of them"),
            step(Rung::Served, asked(Answer::No), read("the API lists 204 versions")),
            step(Rung::Blocked, Answer::No, "the blacklist does not name it"),
            step(
                Rung::Upstream,
                asked(Answer::Yes),
                read("14 targets, their checksums and a signature are there"),
            ),
        ],
        action: Action {
            text: "add it".to_owned(),
            command: is_whole.then(|| "bumpdesk plan add newrelic/newrelic".to_owned()),
        },
        near: Vec::new(),
        notes: Vec::new(),
        is_partly_unread: false,
    }
}

fn say(model: &mut Model, id: JobId, answer: TriageAnswer) {
    tell(model, id, JobEvent::Triaged(Arc::new(Triaged { line: 0, answer })));
}

/// A line of triage in the palette, before any answer.
fn begin_lookup(columns: u16, rows: u16, line: &str) -> (Model, JobId) {
    let mut model = started(world::normal(), columns, rows);
    type_line(&mut model, line);
    let effects = press(&mut model, "<enter>");
    let [Effect::Start(id, Job::Triage(plan))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(*plan, TriagePlan::of(line));
    assert_eq!(model.context(), Context::Triage);
    (model, *id)
}

/// The first answer, from the registry's own files.
pub(in crate::tui::tests) fn first(columns: u16, rows: u16) -> Model {
    let (mut model, id) = begin_lookup(columns, rows, LINE);
    say(&mut model, id, TriageAnswer::First(answer(Address::provider("newrelic", "newrelic"), false)));
    model
}

/// The complete answer.
pub(in crate::tui::tests) fn whole(columns: u16, rows: u16) -> Model {
    let (mut model, id) = begin_lookup(columns, rows, LINE);
    say(&mut model, id, TriageAnswer::First(answer(Address::provider("newrelic", "newrelic"), false)));
    say(&mut model, id, TriageAnswer::Whole(answer(Address::provider("newrelic", "newrelic"), true)));
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    model
}

/// A malformed address gets its explanation from the answer, as with the command.
#[test]
fn a_word_with_a_version_behind_it_is_looked_up_though_it_is_not_an_address() {
    begin_lookup(80, 24, "foo@");
    begin_lookup(80, 24, "foo@1.0.0");
}

#[test]
fn a_line_that_is_an_address_is_looked_up() {
    let mut model = first(120, 40);
    assert!(screen(&model).contains("upstream is being read"), "{}", screen(&model));
    assert!(press(&mut model, "y m").is_empty());
    assert!(last_message(&model).contains("upstream is still being read"), "{}", last_message(&model));
    let mut model = whole(120, 40);
    let shown = screen(&model);
    for text in [
        "BEHIND",
        "3.70.1 is none of them",
        "bumpdesk plan add newrelic/newrelic",
        "step 4, complete upstream? yes",
    ] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
    assert!(!shown.contains("being read"), "what came first is replaced: {shown}");
    let effects = press(&mut model, "y m");
    let [Effect::Copy(text)] = &effects[..] else { panic!("{effects:?}") };
    assert!(
        text.starts_with("Thank you for the report. `newrelic/newrelic` `3.70.1` is **BEHIND**"),
        "{text}"
    );
    let effects = press(&mut model, "y j");
    let [Effect::Copy(text)] = &effects[..] else { panic!("{effects:?}") };
    assert!(text.starts_with(r#"{"v":1,"type":"triage","typed":"newrelic/newrelic@3.70.1""#), "{text}");
    let effects = press(&mut model, "<enter>");
    assert!(
        matches!(&effects[..], [Effect::Start(_, Job::Open(OpenPlan { address, .. }))] if address.name() == "newrelic"),
        "{effects:?}"
    );
    assert_eq!(model.screen, ViewId::Entry);
}

#[test]
fn what_is_still_read_is_left_with_its_answer() {
    for keys in ["<esc>", "q", "<ctrl-c>"] {
        let (mut model, id) = begin_lookup(80, 24, LINE);
        assert_eq!(press(&mut model, keys), [Effect::Cancel(id)], "{keys}");
        assert!(model.popup.is_none());
        // A late answer opens nothing.
        say(&mut model, id, TriageAnswer::Whole(answer(Address::provider("newrelic", "newrelic"), true)));
        assert!(model.popup.is_none());
    }
    let mut model = whole(80, 24);
    assert_eq!(press(&mut model, "<esc>"), [], "nothing runs any more");
}

#[test]
fn lines_without_an_answer_say_so() {
    let why = "`x/y/z/w/v` is nothing that can be looked up: write namespace/name";
    let (mut model, id) = begin_lookup(80, 24, "x/y/z/w/v");
    say(&mut model, id, TriageAnswer::NotUnderstood { typed: "x/y/z/w/v".to_owned(), why: why.to_owned() });
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    assert!(screen(&model).contains("is nothing that can be looked up"), "{}", screen(&model));
    assert!(press(&mut model, "<enter> y m").is_empty());
    assert!(last_message(&model).contains("there is no answer to copy"), "{}", last_message(&model));
    let (mut model, id) = begin_lookup(80, 24, "acme/nothing");
    say(&mut model, id, TriageAnswer::Whole(answer(Address::provider("acme", "nothing"), true)));
    assert!(press(&mut model, "<enter>").is_empty());
    assert!(last_message(&model).contains("the registry has no acme/nothing"), "{}", last_message(&model));
    let (mut model, id) = begin_lookup(80, 24, "#5550");
    let failure = Failure::new(FailureKind::Network, "opening the registry").cause("the disk is gone");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    assert!(screen(&model).contains("the disk is gone"), "{}", screen(&model));
    // The answer from the files stays, and the screen does not say that reading goes on.
    let mut model = first(80, 24);
    let id = model.desk.triage.as_ref().and_then(Lookup::running).expect("it runs");
    let failure = Failure::new(FailureKind::Usage, "reading upstream").cause("the token was refused");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    let shown = screen(&model);
    assert!(shown.contains("upstream was not read") && !shown.contains("being read"), "{shown}");
    assert!(shown.contains("the token was refused"), "{shown}");
}

#[test]
fn the_palette_tells_questions_from_actions() {
    let mut model = started(world::normal(), 120, 40);
    for (line, is_question) in [
        ("newrelic/newrelic", true),
        ("https://github.com/newrelic/terraform-provider-newrelic/releases/tag/v3.70.1", true),
        ("#5550", true),
        ("triage rocket", true),
        // The word alone asks about the row under the cursor.
        ("triage", true),
        ("/", false),
        ("survey", false),
        ("y m", false),
    ] {
        type_line(&mut model, line);
        let shown = screen(&model);
        assert_eq!(shown.contains("why it is not available"), is_question, "{line}\n{shown}");
        press(&mut model, "<esc>");
    }
    type_line(&mut model, "a/\u{202e}b@\u{9b}1");
    assert!(!screen(&model).contains(['\u{202e}', '\u{9b}']));
}
