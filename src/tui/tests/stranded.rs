//! Stranded: the board as it was read, the effect of keys on it, and their refusals.

use std::sync::Arc;

use super::reviews::last_message;
use super::{press, screen, started, tell, world};
use crate::desk::telling::stranded::figures;
use crate::jobs::data::{DecideTask, Failure, FailureKind, Job, JobEvent, JobId, Outcome, PlanTask, Summary};
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::stranded::tests::on_board;
use crate::rules::stranded::{Board, Card};
use crate::rules::{Mode, memory};
use crate::tui::keymap::ViewId;
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::Effect;

/// Stranded while the board is being read.
pub(in crate::tui::tests) fn reading(columns: u16, rows: u16) -> (Model, JobId) {
    let mut model = started(world::normal(), columns, rows);
    let effects = press(&mut model, "6");
    let [Effect::Start(id, Job::Stranded)] = effects[..] else { panic!("{effects:?}") };
    (model, id)
}

fn read(model: &mut Model, id: JobId, board: Board) {
    tell(model, id, JobEvent::Stranded(Arc::new(board)));
    tell(model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
}

fn with(columns: u16, rows: u16, board: Board) -> Model {
    let (mut model, id) = reading(columns, rows);
    read(&mut model, id, board);
    model
}

pub(in crate::tui::tests) fn loading(columns: u16, rows: u16) -> Model {
    reading(columns, rows).0
}

pub(in crate::tui::tests) fn empty(columns: u16, rows: u16) -> Model {
    with(columns, rows, Board::of(Vec::new(), 3, 0))
}

/// A board with every column, and with names of all kinds.
pub(in crate::tui::tests) fn normal(columns: u16, rows: u16) -> Model {
    with(columns, rows, Board::of(on_board(world::now()), 3, 12))
}

pub(in crate::tui::tests) fn failed(columns: u16, rows: u16) -> Model {
    let (mut model, id) = reading(columns, rows);
    let failure = Failure::new(FailureKind::Data, "opening the registry").cause("`~/registry` is gone");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    model
}

/// A board of 5,000 cards.
pub(in crate::tui::tests) fn huge(columns: u16, rows: u16) -> Model {
    let cards = (0..1_000).flat_map(|at| {
        on_board(world::now()).into_iter().take(5).map(move |card| {
            let address = Address::provider("namespace", &format!("provider-{at}"));
            Card { address, ..card }
        })
    });
    with(columns, rows, Board::of(cards.collect(), 0, 0))
}

pub(in crate::tui::tests) fn whole(columns: u16, rows: u16) -> Model {
    let mut model = normal(columns, rows);
    press(&mut model, "l <enter>");
    model
}

pub(in crate::tui::tests) fn marked(columns: u16, rows: u16) -> Model {
    let mut model = normal(columns, rows);
    press(&mut model, "l l <space> <space>");
    model
}

/// The planned edit of each entry.
fn planned(effects: &[Effect]) -> Vec<(Address, Mode)> {
    let [Effect::Start(_, Job::Plan(PlanTask::Add(add)))] = effects else { panic!("{effects:?}") };
    add.files.clone()
}

fn address(name: &str) -> Address {
    Address::parse(name).expect("an address")
}

fn at(model: &Model) -> String {
    model.views.stranded.selected(&model.desk).map(Card::subject).unwrap_or_default()
}

#[test]
fn keys_go_over_the_columns_and_keep_their_card() {
    let mut model = normal(120, 40);
    assert!(screen(&model).contains("6 Stranded 9"), "{}", screen(&model));
    assert_eq!(at(&model), "newrelic/newrelic@3.70.1");
    press(&mut model, "l");
    assert_eq!(at(&model), "auth0/auth0@1.58.0");
    press(&mut model, "l j");
    assert_eq!(at(&model), "kislerdm/neon@0.2.0");
    press(&mut model, "l");
    assert_eq!(at(&model), "coralogix/coralogix@3.14.1");
    press(&mut model, "l l G");
    assert_eq!(at(&model), "hkantare/ibm@4.1.0");
    assert!(screen(&model).contains("NOT KNOWN"), "{}", screen(&model));
    press(&mut model, "h g g");
    // A board that is read anew keeps the cursor on its card, whatever stands above it.
    let effects = press(&mut model, "1 6");
    assert!(effects.is_empty(), "nothing changed since: {effects:?}");
    model.desk.stranded.is_old = true;
    let effects = press(&mut model, "1 6");
    let [Effect::Start(id, Job::Stranded)] = effects[..] else { panic!("{effects:?}") };
    let mut cards = on_board(world::now());
    cards.push(Card { address: Address::provider("aaa", "first"), ..cards[6].clone() });
    read(&mut model, id, Board::of(cards, 3, 12));
    assert_eq!(at(&model), "coralogix/coralogix@3.14.1");
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

#[test]
fn the_story_opens_and_ways_have_their_keys() {
    let mut model = normal(120, 40);
    press(&mut model, "l <enter>");
    let shown = screen(&model);
    for text in [
        "% BACKOFF",
        "- auth0/auth0@1.58.0 -",
        "8 failed tries of the bump",
        "SHA256SUMS was uploaded",
        "ADDITIVE: 13 targets",
        "E        plans to clear its failed tries",
        "i        ignores it until a date",
    ] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
    press(&mut model, "<esc>");
    assert_eq!((model.screen, model.views.stranded.is_expanded), (ViewId::Stranded, false));
}

#[test]
fn marks_are_planned_together() {
    let mut model = marked(120, 40);
    assert!(screen(&model).contains("2 marked"));
    // Two versions of one entry: kept out together, for one reason.
    press(&mut model, "B");
    assert!(screen(&model).contains("0.2.1, 0.2.0 of kislerdm/neon: "), "{}", screen(&model));
    let neon = (address("kislerdm/neon"), vec!["0.2.1".to_owned(), "0.2.0".to_owned()]);
    let blocked = |(address, versions): &(Address, Vec<String>)| {
        (address.clone(), Mode::Edit(Edit::Block(versions.clone(), "accident".into())))
    };
    let effects = press(&mut model, "a c c i d e n t <enter>");
    assert_eq!(planned(&effects), [blocked(&neon)]);
    // One of another entry is kept out with them, in a file of its own, after a question.
    let mut model = marked(120, 40);
    press(&mut model, "h <space> m");
    assert_eq!(
        last_message(&model),
        "m: the marked ones are of several entries, and a message is to the author of one"
    );
    press(&mut model, "B");
    assert!(screen(&model).contains("3 versions of 2 entries: "), "{}", screen(&model));
    assert!(press(&mut model, "a c c i d e n t <enter>").is_empty());
    let shown = screen(&model);
    for text in ["Reads upstream and plans a change that keeps versions out", "for each of 2 entries."] {
        assert!(shown.contains(text), "{shown}");
    }
    let auth0 = (address("auth0/auth0"), vec!["1.58.0".to_owned()]);
    assert_eq!(planned(&press(&mut model, "y")), [blocked(&auth0), blocked(&neon)]);
    // So are their failed tries, which all of them have.
    let mut model = marked(120, 40);
    assert!(press(&mut model, "h <space> E").is_empty());
    assert!(screen(&model).contains("a change that clears recorded"), "{}", screen(&model));
    let cleared =
        |(address, versions): (Address, Vec<String>)| (address, Mode::Edit(Edit::ClearErrors(versions)));
    assert_eq!(planned(&press(&mut model, "y")), [auth0, neon].map(cleared));
    press(&mut model, "8");
    let effects = press(&mut model, "y c");
    let [Effect::Copy(line)] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(
        line,
        "bumpdesk plan clear-errors auth0/auth0@1.58.0 && bumpdesk plan clear-errors kislerdm/neon@0.2.1 kislerdm/neon@0.2.0"
    );
    // Adding takes them all, after a question.
    let mut model = marked(120, 40);
    press(&mut model, "h <space> a");
    assert!(matches!(&model.popup, Some(Popup::Ask(_))), "{}", last_message(&model));
    press(&mut model, "n <esc>");
    assert!(model.views.stranded.marks.is_empty());
}

#[test]
fn failed_tries_are_cleared_where_there_are_any() {
    let mut model = normal(120, 40);
    press(&mut model, "E");
    assert_eq!(last_message(&model), "E: no failed try of newrelic/newrelic@3.70.1 is recorded");
    let effects = press(&mut model, "l E");
    let cleared = Mode::Edit(Edit::ClearErrors(vec!["1.58.0".into()]));
    assert_eq!(planned(&effects), [(address("auth0/auth0"), cleared)]);
}

#[test]
fn a_message_is_copied_and_not_sent() {
    let mut model = normal(120, 40);
    press(&mut model, "m");
    assert!(last_message(&model).contains("its author has nothing to fix"), "{}", last_message(&model));
    let effects = press(&mut model, "l l m");
    let [Effect::Copy(text)] = &effects[..] else { panic!("{effects:?}") };
    assert!(text.starts_with("0.2.1 cannot be indexed by the OpenTofu registry: "), "{text}");
    assert!(screen(&model).contains("A message to its author"));
}

#[test]
fn what_is_ignored_has_an_end_and_a_reason() {
    let mut model = normal(120, 40);
    press(&mut model, "l l i s o o n <enter>");
    assert!(screen(&model).contains("`soon` is neither a day"), "{}", screen(&model));
    let effects = press(&mut model, "ctrl-u 9 0 d <tab> x <enter>");
    let [Effect::Start(id, Job::Decide(DecideTask::Ignore(decisions)))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((decisions.len(), decisions[0].reason.as_str()), (1, "x"));
    let again = tell(&mut model, *id, JobEvent::Ended(Outcome::Done(Summary::default())));
    assert!(
        last_message(&model).starts_with("1 version ignored until 2026-12-21"),
        "{}",
        last_message(&model)
    );
    assert!(matches!(again[..], [.., Effect::Start(_, Job::Stranded)]), "the board is read anew: {again:?}");
    // Only an ignored version can be taken back.
    let mut model = normal(120, 40);
    press(&mut model, "u");
    assert_eq!(last_message(&model), "u: newrelic/newrelic@3.70.1 is not ignored");
    press(&mut model, "l l l G i");
    let why = "i: acme/ignored@1.1.0: ignored by you, and is not ignored besides";
    assert!(last_message(&model).starts_with(why), "{}", last_message(&model));
    let effects = press(&mut model, "u");
    assert!(matches!(&effects[..], [Effect::Start(_, Job::Decide(DecideTask::TakeBack(_)))]), "{effects:?}");
}

/// The board is read again while the line is written: other cards are there then, and none of the one that was named.
#[test]
fn the_versions_that_the_field_names_are_ignored() {
    let mut model = normal(120, 40);
    press(&mut model, "l l i");
    let named = model.views.stranded.selected(&model.desk).expect("a card").address.clone();
    let id = model.desk.board.begin(Job::Stranded, model.now);
    let others = on_board(world::now()).into_iter().filter(|card| card.address != named);
    read(&mut model, id, Board::of(others.collect(), 3, 12));
    assert_ne!(model.views.stranded.selected(&model.desk).expect("a card").address, named);
    let effects = press(&mut model, "9 0 d <tab> x <enter>");
    let [Effect::Start(_, Job::Decide(DecideTask::Ignore(decisions)))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(decisions[0].address, named.to_string());
}

#[test]
fn new_cards_are_counted_and_found() {
    let board = Board::of(on_board(world::now()), 0, 0);
    let mut model = started(world::normal(), 120, 40);
    let recall = model.desk.board.running(|job| *job == Job::Recall).expect("it was begun").id;
    let mut kept = memory::Memory::new();
    let old: Vec<Card> = board.cards.iter().filter(|card| card.version != "0.2.0").cloned().collect();
    memory::put_seen_cards(&mut kept, &memory::SeenCards::of(old.iter()));
    tell(&mut model, recall, JobEvent::Recalled(kept));
    let effects = press(&mut model, "6");
    let [Effect::Start(id, Job::Stranded)] = effects[..] else { panic!("{effects:?}") };
    read(&mut model, id, board);
    assert!(screen(&model).contains("1 new since the last visit"), "{}", screen(&model));
    press(&mut model, "n");
    assert_eq!(at(&model), "kislerdm/neon@0.2.0");
    // The next visit knows it.
    press(&mut model, "1 6 n");
    assert_eq!(last_message(&model), "nothing on the board is new since the last visit");
    assert!(!figures(model.desk.stranded.board().expect("it is there"), 0).contains("new"));
}

#[test]
fn nothing_is_done_where_nothing_is_stranded() {
    let mut model = empty(120, 40);
    assert!(screen(&model).contains("3 entries are not known"), "{}", screen(&model));
    for key in ["a", "E", "B", "V", "i", "m", "u", "<space>", "y m"] {
        assert!(press(&mut model, key).is_empty(), "{key}");
        assert!(model.popup.is_none(), "{key}");
    }
}
