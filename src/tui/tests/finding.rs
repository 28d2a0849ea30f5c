//! Finding entries: filters with mistakes, views, groups, ranges, jumps, new rows, and the state that
//! outlives a run.

use std::collections::BTreeMap;

use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, JobId, Judgement, Outcome};
use crate::registry::Address;
use crate::rules::memory::Look;
use crate::rules::order::{Group, Sort};
use crate::rules::view::View;
use crate::rules::{Status, memory};
use crate::tui::keymap::{Context, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::{done, load, options, press, screen, started, tell, world};

fn subject(model: &Model) -> String {
    model.subject().map(Address::to_string).unwrap_or_default()
}

fn last_message(model: &Model) -> String {
    model.message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

fn type_text(model: &mut Model, text: &str) {
    update(model, Msg::Paste(text.into()));
}

/// A console that read this stored state before the registry.
fn recalled(memory: BTreeMap<String, String>, early: bool) -> Model {
    let mut model = Model::new(options(120, 40));
    let effects = model.begin();
    let [Effect::Start(load_id, Job::Load), Effect::Start(id, Job::Recall)] = effects[..] else { panic!() };
    if !early {
        load(&mut model, load_id, world::normal());
    }
    tell(&mut model, id, JobEvent::Recalled(memory));
    done(&mut model, id);
    if early {
        load(&mut model, load_id, world::normal());
    }
    model
}

/// The state that the console wants to store.
fn kept(model: &mut Model, leaving: bool) -> BTreeMap<String, String> {
    match &update(model, Msg::Keep { leaving })[..] {
        [Effect::Start(id, Job::Remember(values))] => {
            let values = values.clone();
            done(model, *id);
            values
        }
        [] => BTreeMap::new(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_bad_term_is_explained_under_the_field_and_the_good_ones_hold() {
    for (columns, rows) in [(120, 40), (80, 24), (60, 20), (40, 12)] {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "/");
        type_text(&mut model, "newrelic stauts:ok");
        let text = screen(&model);
        let lines: Vec<&str> = text.lines().collect();
        let field = lines.iter().position(|line| line.contains("filter>")).unwrap();
        assert!(lines[field + 1].contains("character 10: no f"), "{columns}x{rows}\n{text}");
        assert!(columns < 80 || lines[field + 1].contains("did you mean `status:`?"), "{text}");
        assert_eq!(model.desk.list.shown.len(), 2, "the good term holds");
        press(&mut model, "<esc>");
        assert!(!screen(&model).contains("character 10"));
    }
}

#[test]
fn nothing_left_is_explained() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "/");
    type_text(&mut model, "ns:hashi");
    assert!(screen(&model).contains("`ns:hashi*`"));
    press(&mut model, "ctrl-u");
    type_text(&mut model, "newrelic ns:hashicorp");
    assert!(screen(&model).contains("no row matches all of them"));
    press(&mut model, "<enter> j k");
    assert!(last_message(&model).contains("the filter hides every row"), "{}", last_message(&model));
}

#[test]
fn the_field_takes_its_cursor_its_history_and_comes_back_to_the_row() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "j j j");
    let chosen = subject(&model);
    press(&mut model, "/ b c <left> <left> a <right> x");
    assert_eq!(model.desk.list.filter, "abxc");
    press(&mut model, "<home> ~ <end> <esc>");
    assert_eq!((subject(&model), model.desk.list.filter.as_str()), (chosen, ""));
    press(&mut model, "/ a w s <enter> <esc> / n u l l <enter> <esc> / x <up> <up>");
    assert_eq!((model.desk.list.filter.as_str(), model.context()), ("aws", Context::Filter));
    press(&mut model, "<down> <enter>");
    assert_eq!((model.desk.list.filter.as_str(), subject(&model).as_str()), ("null", "hashicorp/null"));
}

#[test]
fn a_view_is_saved_shown_and_deleted_after_a_question() {
    let mut model = recalled(BTreeMap::new(), true);
    press(&mut model, "/ n s : h a s h i c o r p <enter> s a s K f");
    assert_eq!(model.context(), Context::Form);
    press(&mut model, "a l l <enter>");
    assert!(screen(&model).contains("`all` is built in"));
    press(&mut model, "ctrl-u m i n e <enter>");
    // Nothing is called saved before it is; what is on its way is not typed over.
    assert!(screen(&model).contains("saving it") && !last_message(&model).contains("saved"));
    press(&mut model, "x <enter> ctrl-u");
    assert_eq!(memory::views(&kept(&mut model, false)).len(), 1);
    assert_eq!(
        (last_message(&model), model.context()),
        ("view `mine` saved; F lists the views".into(), Context::View(ViewId::Inventory))
    );
    let view =
        View { name: "mine".into(), filter: "ns:hashicorp".into(), sort: Sort::Address, group: Group::Kind };
    assert_eq!(model.desk.list.views, [view]);
    press(&mut model, "F k k k k k k k k k k k k j j <enter>");
    let ghost = world::normal().verdicts.iter().filter(|verdict| verdict.needs_attention()).count();
    assert!(model.desk.list.shown.len() < ghost || model.desk.list.filter == "is:new");
    press(&mut model, "F");
    let text = screen(&model);
    assert!(
        text.contains("attention") && text.contains("ns:hashicorp  sort: address  group: kind"),
        "{text}"
    );
    press(&mut model, "x");
    assert!(last_message(&model).contains("built in and cannot be deleted"));
    press(&mut model, "pgdn pgdn <enter>");
    assert_eq!((model.desk.list.filter.as_str(), model.desk.list.sort), ("ns:hashicorp", Sort::Address));
    assert!(screen(&model).contains("view: mine"));
    press(&mut model, "F x");
    assert_eq!(model.context(), Context::DropView);
    press(&mut model, "<esc>");
    assert_eq!((model.context(), model.desk.list.views.len()), (Context::Views, 1));
    press(&mut model, "x x");
    assert!(model.desk.list.views.is_empty() && !last_message(&model).contains("deleted"));
    assert!(memory::views(&kept(&mut model, false)).is_empty() && last_message(&model).contains("deleted"));
}

fn not_kept(kind: FailureKind) -> JobEvent {
    JobEvent::Ended(Outcome::Failed(
        Failure::new(kind, "keeping the views").cause("the disk is full").hint("Free some space."),
    ))
}

/// If two views show the same rows, the title names the one that was saved or chosen last.
#[test]
fn a_view_that_shows_what_a_built_in_one_does_is_named_once_it_is_saved() {
    let mut model = recalled(BTreeMap::new(), true);
    assert!(screen(&model).contains("view: all "), "{}", screen(&model));
    press(&mut model, "f m i n e <enter>");
    kept(&mut model, false);
    assert!(screen(&model).contains("view: mine "), "{}", screen(&model));
    press(&mut model, "F pgup <enter>");
    assert!(screen(&model).contains("view: all "), "{}", screen(&model));
    press(&mut model, "/ a w s <enter>");
    assert!(screen(&model).contains("view: (not saved)"), "{}", screen(&model));
}

/// A view that could not be saved reports the reason and the remedy; its name stays in the field, and Enter
/// tries again.
#[test]
fn a_view_that_is_not_saved_stays_in_its_field() {
    for (kind, tried_again) in [(FailureKind::Internal, true), (FailureKind::Conflict, false)] {
        let mut model = recalled(BTreeMap::new(), true);
        press(&mut model, "f m i n e <enter>");
        let [Effect::Start(id, Job::Remember(_))] = update(&mut model, Msg::Keep { leaving: false })[..]
        else {
            panic!()
        };
        // One batch at a time is on its way.
        model.desk.list.views.clear();
        assert!(update(&mut model, Msg::Keep { leaving: false }).is_empty());
        tell(&mut model, id, not_kept(kind));
        let text = screen(&model);
        assert!(
            text.contains("name [mine") && text.contains("not saved: the disk is full. Free some"),
            "{text}"
        );
        assert!(last_message(&model).ends_with("Here it lasts until you quit."), "{}", last_message(&model));
        assert!(
            last_message(&model).contains("the disk is full")
                && !last_message(&model).contains("`mine` saved")
        );
        press(&mut model, "<enter>");
        assert_eq!(memory::views(&kept(&mut model, false)).len(), 1);
        assert!(last_message(&model).contains("view `mine` saved"));
        // State that was not saved by hand is written again, unless another console holds it.
        press(&mut model, "<space>");
        let [Effect::Start(id, Job::Remember(_))] = update(&mut model, Msg::Keep { leaving: false })[..]
        else {
            panic!()
        };
        tell(&mut model, id, not_kept(kind));
        press(&mut model, "s b");
        assert_eq!(!memory::marks(&kept(&mut model, false)).is_empty(), tried_again);
    }
}

/// Views that were saved before the stored state arrived are added to it. If the state cannot be read,
/// nothing is written over it.
#[test]
fn a_view_is_saved_beside_those_of_earlier_runs_or_not_at_all() {
    let mut memory = BTreeMap::new();
    memory::put_views(&mut memory, &[View { name: "old".into(), ..View::default() }]);
    for is_read in [true, false] {
        let mut model = Model::new(options(120, 40));
        let [Effect::Start(load_id, _), Effect::Start(id, _)] = model.begin()[..] else { panic!() };
        load(&mut model, load_id, world::normal());
        if is_read {
            press(&mut model, "f m i n e <enter>");
            tell(&mut model, id, JobEvent::Recalled(memory.clone()));
            done(&mut model, id);
            assert_eq!(memory::views(&kept(&mut model, false)).len(), 2);
            assert!(last_message(&model).contains("saved"));
        } else {
            tell(&mut model, id, not_kept(FailureKind::Internal));
            press(&mut model, "f m i n e <enter>");
            assert!(screen(&model).contains("not saved: what earlier runs kept"), "{}", screen(&model));
            assert!(kept(&mut model, true).is_empty());
        }
    }
}

#[test]
fn groups_have_heads_with_counts_and_fold() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "z a");
    assert!(last_message(&model).contains("not grouped"), "{}", last_message(&model));
    press(&mut model, "j j");
    let chosen = subject(&model);
    press(&mut model, "s N");
    assert_eq!(subject(&model), chosen);
    let text = screen(&model);
    assert!(text.contains("[-] newrelic  2 rows") && text.contains("group: namespace"), "{text}");
    let lines = model.views.inventory.line_count();
    press(&mut model, "z a");
    assert_eq!((subject(&model).as_str(), model.context()), ("", Context::View(ViewId::Inventory)));
    assert!(model.views.inventory.line_count() < lines && screen(&model).contains("[+] "));
    assert_eq!(model.desk.list.shown.len(), world::normal().verdicts.len());
    press(&mut model, "<enter> j");
    assert_eq!(subject(&model), chosen);
    press(&mut model, "z M A");
    assert!(
        last_message(&model).starts_with("0 rows marked; 22 rows in folded groups"),
        "{}",
        last_message(&model)
    );
    press(&mut model, "z R A");
    assert_eq!(model.desk.list.mark_count(), 22);
}

#[test]
fn a_range_marks_its_rows_and_esc_steps_back() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "j v j j");
    assert!(screen(&model).contains("range of 3 rows"));
    assert_eq!(model.desk.list.mark_count(), 0);
    press(&mut model, "<esc>");
    assert!(!model.views.inventory.has_range() && last_message(&model).contains("nothing was marked"));
    press(&mut model, "v k k <space>");
    assert_eq!(
        (model.desk.list.mark_count(), last_message(&model).as_str()),
        (3, "3 rows of the range marked")
    );
    press(&mut model, "/ n e w r e l i c <enter>");
    assert!(screen(&model).contains("3 marked (3 hidden)") || screen(&model).contains("3 marked (2 hidden)"));
    let [Effect::Start(_, Job::Survey(_))] = &press(&mut model, "r")[..] else { panic!() };
    assert!(last_message(&model).starts_with("surveying 3 marked entries, "), "{}", last_message(&model));
    press(&mut model, "<esc>");
    assert_eq!((model.desk.list.mark_count(), model.desk.list.filter.as_str()), (0, "newrelic"));
    press(&mut model, "<esc>");
    assert!(model.desk.list.filter.is_empty());
}

#[test]
fn jumps_lead_back_with_their_filter() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "ctrl-o");
    assert!(last_message(&model).contains("no place to go back to"));
    press(&mut model, "j j");
    let first = subject(&model);
    press(&mut model, "/ n e w r e l i c <enter>");
    let second = subject(&model);
    press(&mut model, "<enter> <esc> <esc> G");
    press(&mut model, "ctrl-o");
    press(&mut model, "ctrl-o");
    assert_eq!((subject(&model), model.desk.list.filter.as_str()), (second.clone(), "newrelic"));
    press(&mut model, "ctrl-o");
    assert_eq!((subject(&model), model.desk.list.filter.as_str()), (first, ""));
    press(&mut model, "/ n e w r e l i c <enter> <enter> d");
    let effects = press(&mut model, "ctrl-o");
    assert_eq!((model.screen, subject(&model)), (ViewId::Entry, second));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Start(_, Job::Open(_)))));
}

#[test]
fn rows_that_are_new_since_the_last_look_are_counted_and_found() {
    let loaded = world::normal();
    let wanting = |loaded: &crate::jobs::data::Loaded| -> Vec<Address> {
        let rows = loaded.catalog.rows.iter().zip(&loaded.verdicts);
        rows.filter(|(_, verdict)| verdict.needs_attention()).map(|(row, _)| row.address.clone()).collect()
    };
    let all = wanting(&loaded);
    let mut memory = BTreeMap::new();
    memory::put_look(&mut memory, &Look::of(all.iter().skip(2)));
    for early in [true, false] {
        let mut model = recalled(memory.clone(), early);
        assert!(screen(&model).contains("2 new since the last look"), "{}", screen(&model));
        press(&mut model, "n n");
        assert_eq!(last_message(&model), "2 of 2 new since the last look");
        press(&mut model, "n");
        assert_eq!(last_message(&model), "1 of 2 new since the last look");
        let one = subject(&model);
        press(&mut model, "N");
        assert_ne!(subject(&model), one);
        press(&mut model, "/");
        type_text(&mut model, "is:new");
        assert_eq!(model.desk.list.shown.len(), 2);
        // One is mended, another one breaks.
        let mended = Judgement {
            address: all[0].clone(),
            verdict: world::verdict(Status::Current, "1.0.0", "1.0.0", Some(5)),
        };
        let broken = Judgement {
            address: Address::parse("hashicorp/aws").unwrap(),
            verdict: world::verdict(Status::Drifted, "1.0.0", "1.0.0", Some(5)),
        };
        press(&mut model, "<esc> r");
        tell(&mut model, JobId(2), JobEvent::Judged(vec![mended, broken]));
        assert_eq!(model.desk.list.new_count(), 2);
        done(&mut model, JobId(2));
        let news = memory::look(&kept(&mut model, true)).unwrap();
        assert!(news.has(&Address::parse("hashicorp/aws").unwrap()) && !news.has(&all[0]));
    }
    let mut first = recalled(BTreeMap::new(), true);
    assert_eq!(first.desk.list.new_count(), 0, "there was no look before");
    press(&mut first, "n");
    assert!(last_message(&first).contains("that need attention"));
}

#[test]
fn what_outlives_a_run_comes_back() {
    let mut model = recalled(BTreeMap::new(), true);
    assert!(kept(&mut model, false).is_empty(), "nothing was changed");
    press(&mut model, "j <space> <space> / a w s <enter> f m <enter> <esc> <esc> s o s S");
    let mut memory = kept(&mut model, false);
    assert!(memory::look(&memory).is_none() && kept(&mut model, false).is_empty());
    press(&mut model, "j z a p");
    memory.extend(kept(&mut model, true));
    let marks = model.desk.list.marked();
    for early in [true, false] {
        let mut again = recalled(memory.clone(), early);
        assert_eq!(again.desk.list.marked(), marks);
        assert_eq!((again.desk.list.sort, again.desk.list.group), (Sort::Oldest, Group::Status));
        assert_eq!((again.desk.list.views.len(), again.desk.list.no_preview), (1, true));
        assert!(screen(&again).contains("[+] "));
        press(&mut again, "/ <up>");
        assert_eq!(again.desk.list.filter, "aws");
        press(&mut again, "<esc>");
        assert!(kept(&mut again, true).is_empty(), "nothing is new");
    }
}

#[test]
fn nothing_is_kept_before_the_memory_was_read() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "<space> A f m <enter>");
    assert!(kept(&mut model, false).is_empty() && kept(&mut model, true).is_empty());
    assert!(model.desk.board.is_empty() && !model.is_moving());
    assert!(!last_message(&model).contains("saved"));
}

#[test]
fn dropped_marks_of_entries_that_are_gone_are_reported() {
    let mut model = started(world::normal(), 120, 40);
    press(&mut model, "A L");
    let mut fewer = world::normal();
    std::sync::Arc::make_mut(&mut fewer.catalog).rows.remove(0);
    fewer.verdicts.remove(0);
    load(&mut model, JobId(2), fewer);
    assert!(last_message(&model).contains("1 mark dropped"), "{}", last_message(&model));
}
