//! Key strings through `update`: effects and a few fields.

use std::time::Duration;

use crate::jobs::data::{
    Failure, FailureKind, Job, JobEvent, JobId, Judgement, OpenPlan, Outcome, PlanTask, Scope, Summary,
};
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::order::Sort;
use crate::rules::{Depth, Mode, Status};
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::{answer, done, later, load, press, screen, started, tell, world};

fn model() -> Model {
    started(world::normal(), 120, 40)
}

fn subject(model: &Model) -> String {
    model.subject().map(Address::to_string).unwrap_or_default()
}

#[test]
fn moving_stays_inside_and_gg_needs_both_keys() {
    let mut model = model();
    let rows = model.desk.list.shown.len();
    press(&mut model, "j j k");
    assert_eq!(model.views.inventory.cursor, 1);
    press(&mut model, "G");
    assert_eq!(model.views.inventory.cursor, rows - 1);
    press(&mut model, "j g");
    assert_eq!((model.views.inventory.cursor, model.keys.pending.len()), (rows - 1, 1));
    assert!(screen(&model).contains("g then"));
    press(&mut model, "g k");
    assert_eq!((model.views.inventory.cursor, model.keys.pending.len()), (0, 0));
    press(&mut model, "g j");
    assert_eq!((model.views.inventory.cursor, model.keys.pending.len()), (0, 0));
}

#[test]
fn the_worst_row_stands_first_and_enter_opens_it() {
    let mut model = model();
    let first = subject(&model);
    let effects = press(&mut model, "<enter>");
    let address = Address::parse(&first).unwrap();
    let job =
        Job::Open(OpenPlan { address, rebuild: None, max_age: None, depth: Depth::Versions, with_key: None });
    assert_eq!(effects, [Effect::Start(JobId(2), job)]);
    assert_eq!((model.screen, subject(&model)), (ViewId::Entry, first.clone()));
    let effects = press(&mut model, "d");
    assert_eq!(effects[0], Effect::Cancel(JobId(2)));
    assert!(
        matches!(&effects[1], Effect::Start(JobId(3), Job::Open(plan)) if plan.rebuild == Some(Mode::Add))
    );
    assert_eq!(press(&mut model, "<esc>").len(), 2, "the entry is read after all");
    assert_eq!(model.screen, ViewId::Entry);
    press(&mut model, "<esc>");
    assert_eq!((model.screen, subject(&model)), (ViewId::Inventory, first));
}

#[test]
fn answers_of_a_question_that_was_left_are_dropped() {
    let mut model = model();
    press(&mut model, "d");
    press(&mut model, "<esc>");
    tell(&mut model, JobId(2), JobEvent::Opened(world::opened("newrelic/newrelic").into()));
    assert!(model.views.diff.is_none());
    assert!(done(&mut model, JobId(2)).is_empty());
    assert!(model.desk.board.is_empty());
}

#[test]
fn filter_types_keeps_and_undoes() {
    let mut model = model();
    let all = model.desk.list.shown.len();
    press(&mut model, "/ n e w r");
    assert_eq!((model.context(), model.desk.list.shown.len()), (Context::Filter, 2));
    press(&mut model, "<enter> / <backspace> <backspace> q");
    assert_eq!(model.desk.list.shown.len(), 0);
    press(&mut model, "<esc>");
    assert_eq!((model.desk.list.filter.as_str(), model.desk.list.shown.len()), ("newr", 2));
    press(&mut model, "<esc>");
    assert_eq!(model.desk.list.shown.len(), all);
    press(&mut model, "/");
    update(&mut model, Msg::Paste("status:ghost\nns:coder\u{1b}".into()));
    assert_eq!(model.desk.list.shown.len(), 1);
    press(&mut model, "ctrl-w");
    assert_eq!(model.desk.list.filter, "status:ghost ");
    press(&mut model, "ctrl-c");
    assert_eq!((model.context(), model.desk.list.shown.len()), (Context::View(ViewId::Inventory), all));
    press(&mut model, "/ s t a t u s : z");
    assert!(screen(&model).contains("character 1: no status `z`"));
}

#[test]
fn marks_survive_filters_and_the_hidden_ones_are_counted() {
    let mut model = model();
    press(&mut model, "<space> <space> / n e w r e l i c <enter> <space>");
    assert_eq!((model.desk.list.mark_count(), model.views.inventory.hidden_marks(&model.desk.list)), (3, 2));
    assert!(screen(&model).contains("3 marked (2 hidden)"));
    press(&mut model, "I");
    assert_eq!(model.desk.list.mark_count(), 3);
    press(&mut model, "A");
    assert_eq!(model.desk.list.mark_count(), 4);
    press(&mut model, "<esc>");
    assert_eq!((model.desk.list.mark_count(), model.desk.list.filter.as_str()), (0, "newrelic"));
}

#[test]
fn surveys_of_rows_marks_filters_and_everything() {
    let mut model = model();
    let [Effect::Start(id, Job::Survey(plan))] = &press(&mut model, "R")[..] else { panic!() };
    assert_eq!((plan.scope.clone(), plan.max_age), (Scope::Everything, Duration::from_mins(15)));
    let seen = screen(&model);
    // The longest addresses are cut.
    let is_seen = |address: &&Address| seen.contains(&address.to_string()[..9]);
    assert!(plan.first.len() > 10, "what is on the screen is asked first");
    assert!(plan.first.iter().all(|address| is_seen(&address)), "{:?}\n{seen}", plan.first);
    let id = *id;
    assert!(press(&mut model, "R r L").is_empty(), "one survey at a time");
    assert!(model.message.as_ref().unwrap().text.contains("x cancels"), "{:?}", model.message);
    assert_eq!(press(&mut model, "x"), [Effect::Cancel(id)]);
    assert!(press(&mut model, "x").is_empty());
    tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary { entries: 5, ..Summary::default() })));
    assert!(model.message.as_ref().unwrap().text.contains("5 entries"));
    press(&mut model, "/ n s : n e w r e l i c <enter>");
    let [Effect::Start(id, Job::Survey(plan))] = &press(&mut model, "R")[..] else { panic!() };
    assert!(matches!(&plan.scope, Scope::Addresses(list) if list.len() == 2));
    let id = *id;
    done(&mut model, id);
    let [Effect::Start(id, Job::Survey(plan))] = &press(&mut model, "r")[..] else { panic!() };
    assert!(matches!(&plan.scope, Scope::Addresses(list) if list.len() == 1) && plan.max_age.is_zero());
    let id = *id;
    done(&mut model, id);
    let [Effect::Start(_, Job::Survey(plan))] = &press(&mut model, "A r")[..] else { panic!() };
    assert!(matches!(&plan.scope, Scope::Addresses(list) if list.len() == 2));
}

#[test]
fn verdicts_change_rows_in_place_and_the_end_sorts_them() {
    let mut model = started(world::unchecked(), 120, 40);
    assert_eq!(model.desk.list.tally.attention(), 0);
    assert!(model.message.as_ref().unwrap().text.contains("r checks this row, R all 22 rows"));
    press(&mut model, "j j R");
    let chosen = subject(&model);
    let batch: Vec<Judgement> = world::normal()
        .catalog
        .rows
        .iter()
        .zip(world::normal().verdicts)
        .map(|(row, verdict)| Judgement { address: row.address.clone(), verdict })
        .collect();
    tell(&mut model, JobId(2), JobEvent::Judged(batch));
    assert_eq!((subject(&model), model.views.inventory.cursor), (chosen.clone(), 2));
    assert!(model.desk.list.tally.attention() > 5);
    done(&mut model, JobId(2));
    assert_eq!(subject(&model), chosen);
    press(&mut model, "g g");
    let status = |line| model.views.inventory.row(&model.desk.list, line).unwrap().1.status;
    assert_eq!([0, 1].map(status), [Status::RepoGone, Status::GoneUpstream]);
}

#[test]
fn a_new_reading_keeps_the_selection_and_the_marks() {
    let mut model = model();
    press(&mut model, "j j j <space>");
    let chosen = subject(&model);
    let effects = press(&mut model, "L");
    assert_eq!(effects, [Effect::Start(JobId(2), Job::Load)]);
    let mut fewer = world::normal();
    std::sync::Arc::make_mut(&mut fewer.catalog).rows.remove(0);
    fewer.verdicts.remove(0);
    load(&mut model, JobId(2), fewer);
    assert_eq!((subject(&model), model.desk.list.mark_count()), (chosen, 1));
}

#[test]
fn sorting_keeps_the_selection() {
    let mut model = model();
    press(&mut model, "j j");
    let chosen = subject(&model);
    press(&mut model, "s a");
    assert_eq!((model.desk.list.sort, model.popup.is_none(), subject(&model)), (Sort::Address, true, chosen));
    press(&mut model, "s j <enter>");
    assert_eq!(model.desk.list.sort, Sort::Behind);
    press(&mut model, "s k <esc>");
    assert_eq!(model.desk.list.sort, Sort::Behind);
    for (keys, sort) in
        [("s b", Sort::BehindReversed), ("s b", Sort::Behind), ("s <enter>", Sort::BehindReversed)]
    {
        press(&mut model, keys);
        assert_eq!(model.desk.list.sort, sort, "the order that is, chosen again, is reversed");
    }
}

#[test]
fn the_diff_folds_and_jumps() {
    let mut model = model();
    let effects = press(&mut model, "d");
    let address = subject(&model);
    answer(&mut model, &effects, world::opened(&address));
    // The lines of summaries are none of the file.
    let rows = |model: &Model| {
        let folds = &model.views.diff.as_ref().unwrap().pane.folds;
        (0..folds.rows.len()).filter(|row| folds.summary_at(*row) == 0).count()
    };
    let folded = rows(&model);
    assert_eq!(model.views.diff.as_ref().unwrap().pane.hunk().1, 3);
    press(&mut model, "z a");
    assert!(rows(&model) > folded);
    press(&mut model, "<enter>");
    assert_eq!(rows(&model), folded);
    press(&mut model, "z R");
    let all = model.views.diff.as_ref().unwrap().pane.lines().unwrap().lines.len();
    assert_eq!(rows(&model), all);
    press(&mut model, "]");
    assert_eq!(model.views.diff.as_ref().unwrap().pane.hunk(), (2, 3));
    press(&mut model, "[ [");
    assert_eq!(model.views.diff.as_ref().unwrap().pane.hunk(), (1, 3));
    press(&mut model, "z M");
    assert!(rows(&model) < folded);
    press(&mut model, "z R g g");
    for _ in 0..20 {
        if !model.views.diff.as_ref().unwrap().path().ends_with("> version") {
            press(&mut model, "j");
        }
    }
    assert_eq!(model.views.diff.as_ref().unwrap().path(), "versions[0] 3.70.1 > version");
    assert_eq!(press(&mut model, "y p"), [Effect::Copy("versions[0] 3.70.1 > version".into())]);
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

#[test]
fn failures_are_shown_where_they_matter() {
    let failure = Failure::new(FailureKind::Network, "building the rebuild")
        .cause("no connection")
        .hint("Check the network.");
    let mut model = model();
    press(&mut model, "d");
    tell(&mut model, JobId(2), JobEvent::Ended(Outcome::Failed(failure)));
    let text = screen(&model);
    assert!(
        text.contains("building the rebuild failed: no connection") && text.contains("Check the network.")
    );
    press(&mut model, "<esc>");
    assert_eq!(model.screen, ViewId::Inventory);
}

#[test]
fn copying_browsing_and_leaving() {
    let mut model = model();
    press(&mut model, "/ n e w r e l i c / <enter>");
    assert_eq!(press(&mut model, "y a"), [Effect::Copy("newrelic/newrelic".into())]);
    assert_eq!(
        press(&mut model, "y u"),
        [Effect::Copy("https://github.com/newrelic/terraform-provider-newrelic".into())]
    );
    assert_eq!(press(&mut model, "y c"), [Effect::Copy("bumpdesk show newrelic/newrelic".into())]);
    assert_eq!(press(&mut model, "y p"), [Effect::Copy("providers/n/newrelic/newrelic.json".into())]);
    assert!(matches!(press(&mut model, "o")[..], [Effect::Copy(_)]));
    model.options.has_browser = true;
    assert!(matches!(press(&mut model, "o")[..], [Effect::Browse(_)]));
    assert!(press(&mut model, "ctrl-c <esc>").is_empty());
    assert_eq!(press(&mut model, "q"), [Effect::Quit]);
    press(&mut model, "R");
    assert!(press(&mut model, "q").is_empty());
    assert_eq!(model.popup, Some(Popup::Leave));
    assert!(press(&mut model, "<esc>").is_empty());
    assert_eq!(press(&mut model, "q q"), [Effect::Quit]);
}

#[test]
fn an_idle_console_needs_no_ticks() {
    let mut model = model();
    assert!(!model.is_moving());
    press(&mut model, "j ? <esc> T s <esc> / a <enter> <esc>");
    assert!(!model.is_moving());
    press(&mut model, "r");
    assert!(model.is_moving());
    done(&mut model, JobId(2));
    assert!(!model.is_moving());
    let before = screen(&model);
    later(&mut model, 30_000);
    assert_eq!(
        screen(&model).lines().take(2).collect::<Vec<_>>(),
        before.lines().take(2).collect::<Vec<_>>()
    );
}

/// A stopwatch would make this flaky. The huge registry makes the test slow if a keystroke costs too much.
#[test]
fn a_huge_registry_is_filtered_and_judged() {
    let mut model = started(world::huge(27_463), 120, 40);
    press(&mut model, "/ n a m e 2 7 <space> a w s");
    assert!(model.desk.list.shown.len() > 100);
    press(&mut model, "<esc> G");
    let chosen = subject(&model);
    let addresses = model.desk.list.shown_addresses();
    let verdict = world::behind();
    press(&mut model, "R");
    for part in addresses.chunks(3000) {
        let batch =
            part.iter().map(|address| Judgement { address: address.clone(), verdict: verdict.clone() });
        tell(&mut model, JobId(2), JobEvent::Judged(batch.collect()));
    }
    assert_eq!(model.desk.list.verdicts.iter().filter(|one| one.status == Status::Behind).count(), 27_463);
    done(&mut model, JobId(2));
    assert_eq!(subject(&model), chosen);
}

/// Blocking plans to keep the version under the cursor out, for a reason. It does nothing without a reason,
/// or after Esc.
#[test]
fn a_version_is_blocked_for_a_reason() {
    let blocks = |effects: &[Effect]| match effects {
        [Effect::Start(_, Job::Plan(PlanTask::Add(add)))] => match add.edit() {
            Some((_, Edit::Block(versions, reason))) => Some((versions.join(" "), reason.clone())),
            _ => None,
        },
        _ => None,
    };
    let mut model = model();
    press(&mut model, "/ n e w r e l i c / n e w r e l i c <enter>");
    assert!(press(&mut model, "B").is_empty(), "it lacks two, and neither is meant");
    let said = &model.message.as_ref().expect("why not").text;
    assert!(said.contains("; Enter opens the entry, to choose one; letters do nothing"), "{said}");
    let effects = press(&mut model, "<enter>");
    answer(&mut model, &effects, world::opened("newrelic/newrelic"));
    press(&mut model, "B");
    assert_eq!(model.context(), Context::Form);
    assert!(screen(&model).contains("3.70.1 of newrelic/newrelic: "), "{}", screen(&model));
    for keys in ["<enter>", "<space> <space> <enter>"] {
        assert!(press(&mut model, keys).is_empty());
        assert!(screen(&model).contains("a reason is one line of at most 500 characters"));
    }
    assert!(press(&mut model, "E a q <esc>").is_empty(), "letters are only written");
    assert!(model.popup.is_none() && model.desk.board.is_empty());
    let effects = press(&mut model, "B b a d <enter>");
    assert_eq!(blocks(&effects), Some(("3.70.1".into(), "bad".into())));
    assert!(model.popup.is_none());
}
