//! Backfill: its screen before, during and after a run, and the effect of its keys.

use std::sync::Arc;
use std::time::Duration;

use super::reviews::last_message;
use super::{press, screen, started, tell, world};
use crate::desk::filling::tests::row;
use crate::desk::intent::{Answer, EntrySelection, Intent};
use crate::desk::launch::{FillHow, Slot};
use crate::jobs::data::{
    BackfillNews, BackfillOutput, BackfillPart, BackfillRun, BackfillTask, Estimated, Failure, FailureKind,
    Job, JobEvent, JobId, Meter, Outcome, Summary,
};
use crate::registry::Address;
use crate::rules::backfill::{Estimate, FillResult, Row, Selection};
use crate::tui::keymap::ViewId;
use crate::tui::keymap::mouse::Mouse;
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::shell::work;

const NEW: &str = "b6f7add03c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe";
const TARGETS: [&str; 5] = ["darwin_arm64", "linux_amd64", "linux_arm64", "windows_386", "windows_amd64"];

fn filled(row: &Row) -> Row {
    Row { result: FillResult::Filled { h1: "h1:Qm4vk1=".into(), size: 21_437_902 }, ..row.clone() }
}

fn row_with(row: &Row, result: FillResult) -> Row {
    Row { result, ..row.clone() }
}

/// A console whose backfill has just started, and its job.
pub(in crate::tui::tests) fn beginning(columns: u16, rows: u16) -> (Model, JobId) {
    let mut model = started(lacking(), columns, rows);
    let selection = EntrySelection::These(vec![Address::provider("newrelic", "newrelic")]);
    let answer =
        model.desk.act(Intent::Backfill { selection, hidden: 0, how: FillHow::default() }, model.now);
    let Answer::Question(question) = answer else { panic!("{answer:?}") };
    let effects = work::agree(&mut model, &question.intent);
    let [Effect::Start(id, Job::Backfill(BackfillTask::Run(_)))] = effects[..] else { panic!("{effects:?}") };
    assert_eq!(model.screen, ViewId::Backfill);
    (model, id)
}

/// The usual registry with one provider whose hashes are missing.
fn lacking() -> crate::jobs::data::Loaded {
    let mut loaded = world::normal();
    let rows = &mut Arc::make_mut(&mut loaded.catalog).rows;
    let row = rows.iter_mut().find(|row| row.address.to_string() == "newrelic/newrelic").unwrap();
    row.shape.unhashed_targets = 25;
    row.shape.versions = "3.70.1\n3.70.0\n3.69.0\n3.68.0\n3.67.0".into();
    loaded
}

fn hear(model: &mut Model, id: JobId, news: BackfillNews) {
    assert!(tell(model, id, JobEvent::Backfill(news)).is_empty());
}

fn say(model: &mut Model, id: JobId, place: usize, row: Row) {
    hear(model, id, BackfillNews::Row(place, Arc::new(row)));
}

fn question() -> Vec<Row> {
    ["3.70.1", "3.70.0", "3.69.0", "3.68.0", "3.67.0"]
        .iter()
        .flat_map(|version| TARGETS.map(|target| row("newrelic/newrelic", version, target)))
        .collect()
}

fn begun(columns: u16, rows: u16, list: Vec<Row>, kept: usize) -> (Model, JobId) {
    let (mut model, id) = beginning(columns, rows);
    let journal = "/home/ada/.local/state/bumpdesk/backfill/7c1e9a.jsonl".to_owned();
    hear(&mut model, id, BackfillNews::Begun { rows: Arc::new(list), plan: "p".into(), journal, kept });
    tell(&mut model, id, JobEvent::Numbered(41));
    (model, id)
}

/// The middle of a run, with a row of each kind.
fn in_the_middle(columns: u16, rows: u16) -> (Model, JobId) {
    let list = question();
    let (mut model, id) = begun(columns, rows, list.clone(), 0);
    for (place, row) in list.iter().enumerate().take(12) {
        say(&mut model, id, place, filled(row));
    }
    say(&mut model, id, 6, row_with(&list[6], FillResult::Drifted { sha256: NEW.into() }));
    say(&mut model, id, 12, row_with(&list[12], FillResult::Gone));
    say(&mut model, id, 13, row_with(&list[13], FillResult::TooLarge { limit: 268_435_456 }));
    say(
        &mut model,
        id,
        14,
        row_with(&list[14], FillResult::Failed { why: "the connection was lost".into() }),
    );
    hear(&mut model, id, BackfillNews::Active(15, 12_100_000));
    hear(&mut model, id, BackfillNews::Active(16, 2_000_000));
    let meter = Meter {
        read_bytes: 289_000_000,
        total_bytes: 512_000_000,
        bytes_per_s: 18_400_000.0,
        left: Some((Duration::from_secs(10), Duration::from_secs(14))),
        workers: 3,
        most_workers: 6,
        slowed: Some("3 of 6 workers, since github.com asked to slow down 2 times".into()),
        ..Meter::default()
    };
    hear(&mut model, id, BackfillNews::Meter(meter));
    model.message = None;
    (model, id)
}

pub(in crate::tui::tests) fn running(columns: u16, rows: u16) -> Model {
    in_the_middle(columns, rows).0
}

pub(in crate::tui::tests) fn empty(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    press(&mut model, "5");
    model
}

pub(in crate::tui::tests) fn failed(columns: u16, rows: u16) -> Model {
    let (mut model, id) = beginning(columns, rows);
    let failure = Failure::new(FailureKind::Data, "opening the registry").cause("`~/registry` is gone");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    model.message = None;
    model
}

/// A finished run of 20,000 targets of 40 providers, some of them bad.
pub(in crate::tui::tests) fn huge(columns: u16, rows: u16) -> Model {
    let list = (0..20_000).map(|at| {
        let (provider, version) = (at / 500, at / 5 % 100);
        let row = row(&format!("hashicorp/provider-{provider}"), &format!("5.{version}.0"), TARGETS[at % 5]);
        match at % 4_321 {
            77 => row_with(&row, FillResult::Drifted { sha256: NEW.into() }),
            1_078 => row_with(&row, FillResult::Failed { why: "HTTP 500".into() }),
            _ => filled(&row),
        }
    });
    let (mut model, id) = begun(columns, rows, list.collect(), 20_000);
    hear(&mut model, id, BackfillNews::Planned(40));
    let summary = Summary { failed: 5, applied: 40, ..Summary::default() };
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
    model.message = None;
    model
}

/// A filter that is being typed.
pub(in crate::tui::tests) fn filtered(columns: u16, rows: u16) -> Model {
    let mut model = huge(columns, rows);
    press(&mut model, "/ l i n u x");
    model
}

/// A finished run without bad rows.
pub(in crate::tui::tests) fn over(columns: u16, rows: u16) -> Model {
    let list = question();
    let (mut model, id) = begun(columns, rows, list.clone(), 7);
    for (place, row) in list.iter().enumerate() {
        say(&mut model, id, place, filled(row));
    }
    hear(&mut model, id, BackfillNews::Planned(1));
    let summary = Summary { entries: 25, applied: 1, ..Summary::default() };
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
    model
}

pub(in crate::tui::tests) fn whole(columns: u16, rows: u16) -> Model {
    let mut model = running(columns, rows);
    press(&mut model, "<enter>");
    model
}

/// The form of a new backfill, opened on the entry with missing hashes, and the job of its estimate.
fn opened(columns: u16, rows: u16) -> (Model, JobId) {
    let mut model = started(lacking(), columns, rows);
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter>");
    let effects = press(&mut model, "b");
    let [Effect::Start(id, Job::Backfill(BackfillTask::Estimate { .. }))] = effects[..] else {
        panic!("{effects:?}")
    };
    (model, id)
}

fn estimated(selection: Selection) -> Estimated {
    let estimate = Estimate {
        providers: 1,
        versions: 5,
        targets: 25,
        bytes: 512_000_000,
        known: 3,
        seconds: (16, 120),
        ..Estimate::default()
    };
    Estimated {
        selection,
        estimate,
        base: "f00f6d5a774f443f7fff5988e72cddbfcfa5bcf3".into(),
        digest: NEW.into(),
        shares: Vec::new(),
        broken: 0,
    }
}

/// [`opened`] with the finished estimate.
pub(in crate::tui::tests) fn form(columns: u16, rows: u16) -> Model {
    let (mut model, id) = opened(columns, rows);
    let selection = model.desk.estimate.as_ref().unwrap().selection.clone();
    hear(&mut model, id, BackfillNews::Estimated(Arc::new(estimated(selection))));
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    model.message = None;
    model
}

/// The form with patches as output, and a value that cannot be parsed.
pub(in crate::tui::tests) fn form_wrong(columns: u16, rows: u16) -> Model {
    let mut model = form(columns, rows);
    press(&mut model, "<shift-tab> <space> <up> ctrl-u x <tab>");
    model
}

fn at(model: &Model) -> String {
    model.views.backfill.row(model.desk.filling.as_ref()).map(|row| row.item.name()).unwrap_or_default()
}

#[test]
fn what_is_bad_stands_on_top_with_its_reason() {
    let (mut model, id) = in_the_middle(120, 40);
    let shown = screen(&model);
    for text in [
        "[5 Backfill 4]",
        "newrelic/newrelic   into the plan   job 41",
        "15/25  drifted 1  cannot 2  failed 1  held 4  filled 7  left 10",
        "18.4 MB/s  10s-14s left  3 of 6 workers",
        "each      vvvvv=X===vv0!?~~--------",
        ">X DRIFT",
        "upstream has another archive: its SHA-256 is b6f7add03c46",
        "3 of 6 workers, since github.com asked to slow down 2 times",
        "kept  /home/ada/.local/state/bumpdesk/backfill/7c1e9a.jsonl, written as rows finish",
    ] {
        assert!(shown.contains(text), "no `{text}`: {shown}");
    }
    press(&mut model, "n n");
    assert_eq!(at(&model), "newrelic/newrelic 3.69.0 windows_386");
    press(&mut model, "n n");
    assert_eq!(at(&model), "newrelic/newrelic 3.70.0 linux_amd64", "around, to the first");
    // The cursor stays on its row, wherever that goes.
    press(&mut model, "n j j");
    let before = at(&model);
    let list = question();
    say(&mut model, id, 15, row_with(&list[15], FillResult::Gone));
    assert_eq!(at(&model), before);
    press(&mut model, "!");
    assert_eq!(model.desk.filling.as_ref().unwrap().line_count(), 5);
    press(&mut model, "G <enter>");
    let shown = screen(&model);
    assert!(shown.contains("FAILED") && !shown.contains("once more"), "not while it runs: {shown}");
    tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    assert!(screen(&model).contains("r reads it once more"), "{}", screen(&model));
    press(&mut model, "<esc> <esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

/// The rows of the table, each by its version and target.
fn names(model: &Model) -> Vec<String> {
    let filling = model.desk.filling.as_ref().unwrap();
    let places = (0..).map_while(|line| filling.place_at(line));
    places
        .map(|place| format!("{} {}", filling.rows[place].item.version, filling.rows[place].item.target))
        .collect()
}

#[test]
fn plain_words_filter_the_targets_until_esc() {
    let (mut model, id) = in_the_middle(80, 24);
    press(&mut model, "n n n");
    assert_eq!(at(&model), "newrelic/newrelic 3.69.0 windows_amd64");
    press(&mut model, "/ 3 . 6 9");
    assert_eq!(
        names(&model),
        [
            "3.69.0 linux_arm64",
            "3.69.0 windows_386",
            "3.69.0 windows_amd64",
            "3.69.0 darwin_arm64",
            "3.69.0 linux_amd64"
        ]
    );
    assert_eq!(at(&model), "newrelic/newrelic 3.69.0 windows_amd64", "the cursor stays with its target");
    assert!(
        screen(&model).contains("filter> 3.69") && screen(&model).contains("5 of 25"),
        "{}",
        screen(&model)
    );
    // News of a target that the filter hides change no line; those of one that it shows move it.
    let before = names(&model);
    let list = question();
    say(&mut model, id, 20, row_with(&list[20], FillResult::Gone));
    assert_eq!(names(&model), before);
    press(&mut model, "<enter> / x <enter>");
    assert!(names(&model).is_empty());
    let text = screen(&model);
    assert!(text.contains("the filter hides every row; Esc clears it"), "{text}");
    assert_eq!(press(&mut model, "j"), []);
    assert_eq!(last_message(&model), "j: the filter hides every row; Esc clears it");
    press(&mut model, "n");
    assert_eq!(last_message(&model), "the filter hides every bad target; Esc clears it");
    press(&mut model, "<esc>");
    assert_eq!((names(&model).len(), model.screen), (25, ViewId::Backfill));
    assert_eq!(at(&model), "newrelic/newrelic 3.69.0 windows_amd64");
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

/// By address a row keeps its line while the job runs. The next backfill has the same order, and no filter.
#[test]
fn the_order_is_chosen_in_a_menu_or_by_a_click_on_a_head() {
    let (mut model, id) = in_the_middle(120, 40);
    press(&mut model, "s");
    assert!(
        screen(&model).contains("sort: worst first") && screen(&model).contains("current; again reverses")
    );
    press(&mut model, "j <enter>");
    assert_eq!(last_message(&model), "sorted by: address");
    assert!(screen(&model).contains(" address  1-18 of 25 "), "{}", screen(&model));
    let before = names(&model);
    assert_eq!(before[..2], ["3.70.1 darwin_arm64", "3.70.1 linux_amd64"]);
    let list = question();
    say(&mut model, id, 20, row_with(&list[20], FillResult::Gone));
    assert_eq!(names(&model), before);
    let click = |model: &mut Model, words: &str| {
        let text = screen(model);
        let found = text.lines().enumerate().find_map(|(y, line)| Some((y, line.find(words)?)));
        let (y, x) = found.unwrap_or_else(|| panic!("`{words}` is not seen\n{text}"));
        update(model, Msg::Mouse(Mouse::Click(x as u16 + 1, y as u16)));
    };
    click(&mut model, "ADDRESS");
    assert!(screen(&model).contains(" address, reversed  1-18 of 25 ") && names(&model)[24] == before[0]);
    click(&mut model, "STATE ");
    assert!(names(&model)[0] == "3.70.0 linux_amd64", "{:?}", names(&model));
    // It sorts by nothing.
    click(&mut model, "NOTE");
    assert_eq!(names(&model)[0], "3.70.0 linux_amd64");
    press(&mut model, "s j <enter> / g o n e <enter>");
    assert_eq!(names(&model).len(), 2);
    tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    let [Effect::Start(again, Job::Backfill(BackfillTask::Run(_)))] = press(&mut model, "r")[..] else {
        panic!("not again")
    };
    let begun = BackfillNews::Begun { rows: Arc::new(list), plan: "p".into(), journal: "j".into(), kept: 0 };
    hear(&mut model, again, begun);
    assert_eq!(names(&model), before);
}

#[test]
fn it_is_paused_steered_and_stopped_by_the_same_keys_as_elsewhere() {
    let (mut model, id) = in_the_middle(120, 40);
    let [Effect::Steer(to, steer)] = press(&mut model, "<space>")[..] else { panic!("not paused") };
    assert!(to == id && steer.is_paused);
    assert!(last_message(&model).starts_with("paused; running downloads finish"), "{}", last_message(&model));
    press(&mut model, "8");
    assert!(screen(&model).contains("= PAUSED"), "{}", screen(&model));
    let [Effect::Steer(_, steer)] = press(&mut model, "<space>")[..] else { panic!("not resumed") };
    assert!(!steer.is_paused);
    let [Effect::Steer(_, steer)] = press(&mut model, "5 <")[..] else { panic!("not steered") };
    assert_eq!(steer.workers, Some(5));
    // It goes into the plan, so stopping is asked about.
    assert_eq!(press(&mut model, "x"), []);
    assert_eq!(press(&mut model, "y"), [Effect::Cancel(id)]);
    tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    let told = last_message(&model);
    assert!(
        told.starts_with("stopped: 25 targets: 7 filled in, 4 held back")
            && told.ends_with("r continues with what is left"),
        "{told}"
    );
    assert!(screen(&model).contains("vvvvv=X===vv0!?----------"), "{}", screen(&model));
    let [Effect::Start(again, Job::Backfill(BackfillTask::Run(_)))] = press(&mut model, "r")[..] else {
        panic!("not again")
    };
    assert!(again != id);
}

#[test]
fn its_end_says_what_was_made_of_it_and_what_comes_next() {
    let mut model = over(120, 40);
    assert_eq!(last_message(&model), "done: 25 targets: 25 filled in; 1 file in the plan now; 2 shows it");
    assert!(screen(&model).contains("done   into the plan   job 41"), "{}", screen(&model));
    press(&mut model, "r");
    assert_eq!(last_message(&model), "r: nothing is left of it: every target was read");
    let effects = press(&mut model, "y c");
    assert_eq!(effects, [Effect::Copy("bumpdesk backfill run newrelic/newrelic".into())]);
    let [Effect::Copy(page)] = &press(&mut model, "y m")[..] else { panic!("no Markdown") };
    assert_eq!(page, "### Backfill of `newrelic/newrelic`\n\n25 targets: 25 filled in.\n");
    let [Effect::Copy(objects)] = &press(&mut model, "y j")[..] else { panic!("no JSON") };
    let is_fill = |line: &&str| line.starts_with(r#"{"v":1,"type":"fill","address":"newrelic/newrelic","#);
    assert_eq!(objects.lines().filter(is_fill).count(), 25);
    let [Effect::Start(_, Job::Verify(plan))] = &press(&mut model, "V")[..] else { panic!("not verified") };
    assert_eq!(plan.wanted[0].version.as_deref(), Some("3.70.1"));
}

#[test]
fn beside_it_its_end_says_where_to_read_more() {
    let (mut model, id) = in_the_middle(120, 40);
    press(&mut model, "1");
    hear(&mut model, id, BackfillNews::Stopped("stopped at the limit of 200 GB".into()));
    hear(&mut model, id, BackfillNews::Planned(1));
    let summary = Summary { failed: 9, applied: 1, ..Summary::default() };
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(summary)));
    let told = last_message(&model);
    assert!(told.starts_with("backfill stopped at the limit of 200 GB: 25 targets"), "{told}");
    assert!(told.contains("r in Backfill continues") && told.ends_with("5 shows it"), "{told}");
}

#[test]
fn nothing_that_was_filled_in_says_what_begins_it() {
    let mut model = empty(120, 40);
    assert!(
        screen(&model)
            .contains("nothing has been filled in yet; b begins: it says what it would cost, and asks"),
        "{}",
        screen(&model)
    );
    for keys in ["j", "x", "r", "<space>", "n", "!"] {
        assert_eq!(press(&mut model, keys), [], "{keys}");
        let told = last_message(&model);
        assert!(
            told.contains("nothing has been filled in yet") || told.contains("no backfill is running"),
            "{keys}: {told}"
        );
    }
}

#[test]
fn the_form_has_fields_and_shows_the_cost() {
    let (model, _) = opened(120, 40);
    assert!(screen(&model).contains("counting missing hashes"), "{}", screen(&model));
    let mut model = form(120, 40);
    let shown = screen(&model);
    for text in [
        "[5 Backfill]",
        "Backfill  a new one: nothing is downloaded before you agreed",
        ">what      < newrelic/newrelic >",
        " at most   200GB",
        " output    < into the plan, for review >",
        "h1 or size of 25 targets in 5 versions",
        "16s-2m with 6 workers",
        "the same  bumpdesk backfill run newrelic/newrelic",
        "Enter begin (asks)",
    ] {
        assert!(shown.contains(text), "no `{text}`: {shown}");
    }
    // Letters are no keys here, and a choice counts anew.
    let effects = press(&mut model, "<space>");
    assert!(
        matches!(effects[..], [Effect::Start(_, Job::Backfill(BackfillTask::Estimate { .. }))]),
        "{effects:?}"
    );
    assert!(screen(&model).contains("< what the filter shows, 2 entries >"), "{}", screen(&model));
    assert!(screen(&model).contains("run --filter newrelic/newrelic"), "{}", screen(&model));
    let mut model = form(120, 40);
    assert_eq!(
        press(&mut model, "<tab> <tab> ctrl-u 5 G B <up>"),
        [],
        "what is counted is not counted again"
    );
    let seen = |model: &Model| screen(model).contains("h1 or size of 25 targets");
    assert!(seen(&model));
    // A letter replaces the default text; after any other key the text stays for editing.
    press(&mut model, "> = 3 . 6 9 . 0");
    assert!(!seen(&model), "that was of other versions: {}", screen(&model));
    let effects = press(&mut model, "<tab>");
    assert!(matches!(effects[..], [Effect::Start(..)]) && !seen(&model), "{effects:?}");
    press(&mut model, "<tab> <tab>");
    let line = "bumpdesk backfill run 'newrelic/newrelic@>= 3.69.0' --max-bytes 5GB";
    assert!(screen(&model).contains(line), "{}", screen(&model));
    press(&mut model, "ctrl-u 2 <tab> <space>");
    let line = "--max-bytes 5GB --jobs 2 --out ./backfill";
    let flat = screen(&model).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(line), "{}", screen(&model));
    assert_eq!(press(&mut model, "<enter>"), [], "it asks first");
    let asked = screen(&model);
    assert!(
        asked.contains("Fill in h1 and size?") && asked.contains("is written as patches into"),
        "{asked}"
    );
    let effects = press(&mut model, "y");
    let [Effect::Start(_, Job::Backfill(BackfillTask::Run(BackfillRun { limits, part, .. })))] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!((limits.bytes, limits.workers), (5_000_000_000, 2));
    assert!(matches!(part, BackfillPart::Whole(BackfillOutput::Patches { .. })), "{part:?}");
    assert!(model.views.backfill.form.is_none() && screen(&model).contains("patches into ./backfill"));
}

#[test]
fn a_mistake_is_shown_at_its_field_and_nothing_begins() {
    let mut model = form_wrong(120, 40);
    let shown = screen(&model);
    assert!(shown.contains("workers: write a number from 1 to"), "{shown}");
    let at = |model: &Model| model.views.backfill.form.as_ref().map(|form| form.at);
    assert_eq!(at(&model), Some(Slot::Output), "nobody is held at a field");
    assert_eq!(press(&mut model, "<tab> <enter>"), []);
    let form = model.views.backfill.form.as_ref().unwrap();
    assert_eq!((form.at, form.error.as_ref().map(|error| error.0)), (Slot::Workers, Some(Slot::Workers)));
    // A version that does not exist is refused, as everywhere.
    press(&mut model, "ctrl-u 4 <up> <up> <up> ctrl-u 9 9 <tab>");
    assert!(screen(&model).contains("no selected entry has a version 99"), "{}", screen(&model));
}

#[test]
fn leaving_the_form_begins_nothing_and_goes_back() {
    let mut model = form(120, 40);
    assert_eq!(press(&mut model, "<esc>"), []);
    assert_eq!(model.screen, ViewId::Inventory);
    press(&mut model, "5");
    assert!(screen(&model).contains("nothing has been filled in yet"), "{}", screen(&model));
    // Here it is about all of them, where nothing is marked and nothing was filled in.
    press(&mut model, "b");
    assert!(screen(&model).contains("< every provider >"), "{}", screen(&model));
    press(&mut model, "<esc> <esc>");
    assert_eq!(model.screen, ViewId::Inventory);
    let mut model = running(120, 40);
    assert_eq!(press(&mut model, "b"), []);
    assert!(
        last_message(&model).starts_with("b: one backfill at a time, and one is running"),
        "{}",
        last_message(&model)
    );
}
