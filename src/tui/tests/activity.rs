//! The files that bumps changed lately: when they are counted, and where they are drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{done, later, load, options, press, screen, started, tell, world};
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, JobId, Loaded, Outcome};
use crate::rules::activity::{Activity, DAYS, day_of};
use crate::rules::memory::{self, Memory};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;

const DAY_MS: u64 = 86_400_000;

/// Counts such as those of the demo: at most 7 a day, and none ten days ago.
pub(super) const FILES: [u32; DAYS] =
    [2, 3, 2, 5, 3, 1, 2, 6, 3, 2, 2, 1, 7, 3, 2, 2, 4, 3, 2, 0, 2, 3, 5, 2, 3, 2, 1, 1, 2, 2];

/// A console that knows the files of the last days.
pub(super) fn counted(loaded: Loaded, files: Option<[u32; DAYS]>, (columns, rows): (u16, u16)) -> Model {
    let mut model = started(loaded, columns, rows);
    let (id, _) = recalled(&mut model, Memory::new()).expect("it counts");
    tell(&mut model, id, JobEvent::Activity(Arc::new(activity(files))));
    done(&mut model, id);
    model
}

fn activity(files: Option<[u32; DAYS]>) -> Activity {
    Activity { commit: "f00f6d5".repeat(5), today: day_of(world::now()), files }
}

/// Ends the reading of the memory and draws; gives the count that begins then.
fn recalled(model: &mut Model, memory: Memory) -> Option<(JobId, Option<Arc<Activity>>)> {
    assert_eq!(drawn(model), None, "the memory is still being read");
    let recall = model.desk.board.running(|job| *job == Job::Recall).expect("it was begun").id;
    tell(model, recall, JobEvent::Recalled(memory));
    done(model, recall);
    drawn(model)
}

/// Draws a frame; gives the count that begins then.
fn drawn(model: &mut Model) -> Option<(JobId, Option<Arc<Activity>>)> {
    let effects = update(model, Msg::Drawn);
    effects.iter().find_map(|effect| match effect {
        Effect::Start(id, Job::Activity(known)) => Some((*id, known.clone())),
        _ => None,
    })
}

fn memory_of(activity: &Activity) -> Memory {
    let mut memory = Memory::new();
    memory::put_activity(&mut memory, activity);
    memory
}

#[test]
fn files_are_counted_once_behind_the_first_frame_and_without_any_noise() {
    let mut model = Model::new(options(120, 40));
    model.begin();
    assert_eq!(drawn(&mut model), None, "there is no registry yet");
    load(&mut model, JobId(1), world::normal());
    let (id, known) = recalled(&mut model, Memory::new()).expect("it counts");
    assert_eq!(known, None);
    assert_eq!(drawn(&mut model), None, "it is being counted");
    assert!(!model.is_moving(), "no ticks");
    assert!(model.desk.board.journalled().next().is_none() && model.desk.board.foremost().is_none());
    assert_eq!(press(&mut model, "q"), [Effect::Quit], "nothing asks before leaving");
    let message = model.message.clone();
    assert!(!screen(&model).contains("files bumped"));
    tell(&mut model, id, JobEvent::Activity(Arc::new(activity(Some(FILES)))));
    done(&mut model, id);
    assert!(
        screen(&model).contains("files bumped, 30 days :-:=-.:#-::.#-::--: :-=:-:..::\n"),
        "{}",
        screen(&model)
    );
    assert_eq!((drawn(&mut model), &model.message), (None, &message));
    assert!(!model.is_moving());
}

#[test]
fn nothing_is_counted_at_the_next_start_unless_the_commit_or_the_day_is_another() {
    let mut model = counted(world::normal(), Some(FILES), (120, 40));
    let effects = update(&mut model, Msg::Keep { leaving: false });
    let [Effect::Start(_, Job::Remember(kept))] = &effects[..] else { panic!("{effects:?}") };
    let next = |memory: &BTreeMap<String, String>| {
        let mut next = started(world::normal(), 120, 40);
        let count = recalled(&mut next, memory.clone());
        (next, count)
    };
    let (mut same, count) = next(kept);
    assert_eq!(count, None);
    assert!(screen(&same).contains("files bumped, 30 days :-:"), "{}", screen(&same));
    later(&mut same, DAY_MS);
    let (_, known) = drawn(&mut same).expect("another day");
    assert_eq!(known.as_deref(), Some(&activity(Some(FILES))), "it goes on from what is known");

    let (_, count) = next(&memory_of(&Activity { commit: "0".repeat(40), ..activity(Some(FILES)) }));
    assert_eq!(count.and_then(|(_, known)| known).map(|known| known.commit.clone()), Some("0".repeat(40)));
    let damaged = kept.keys().map(|name| (name.clone(), "[{]".to_owned())).collect();
    assert!(matches!(next(&damaged).1, Some((_, None))), "what cannot be read is counted again");
    let (mut model, _) = next(kept);
    load_again(&mut model, Loaded { revision: "main@0ddba11".into(), ..world::normal() });
    assert!(drawn(&mut model).is_some(), "another commit");
    load_again(&mut model, Loaded { revision: String::new(), ..world::normal() });
    assert_eq!(drawn(&mut model), None, "a plain folder");
}

fn load_again(model: &mut Model, loaded: Loaded) {
    let id = model.desk.board.begin(Job::Load, model.now);
    tell(model, id, JobEvent::Loaded(Arc::new(loaded)));
    assert_eq!(drawn(model), None, "the registry is still being read");
    let others: Vec<JobId> =
        model.desk.board.all().iter().map(|running| running.id).filter(|other| *other != id).collect();
    done(model, id);
    for other in others {
        done(model, other);
    }
}

#[test]
fn a_count_that_fails_says_nothing_and_is_not_tried_again() {
    let mut model = started(world::normal(), 120, 40);
    let old = Activity { today: day_of(world::now()) - 3, ..activity(Some(FILES)) };
    let (id, _) = recalled(&mut model, memory_of(&old)).expect("it counts");
    let message = model.message.clone();
    let failure =
        Failure::new(FailureKind::Data, "counting the files that bumps changed").cause("git failed");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    assert_eq!((drawn(&mut model), &model.message), (None, &message));
    assert!(!screen(&model).contains("files bumped"), "an old count is not shown as one of today");
    later(&mut model, DAY_MS);
    assert!(drawn(&mut model).is_some());
}

#[test]
fn a_shallow_clone_says_so_and_is_counted_again_at_the_next_start() {
    let mut model = counted(world::normal(), None, (120, 40));
    assert!(screen(&model).contains(" files bumped: history is shallow\n"), "{}", screen(&model));
    assert_eq!(drawn(&mut model), None);
    let effects = update(&mut model, Msg::Keep { leaving: true });
    for effect in &effects {
        let Effect::Start(_, Job::Remember(kept)) = effect else { continue };
        assert_eq!(memory::activity(kept), None);
    }
}

#[test]
fn it_is_drawn_whole_with_fewer_words_or_not_at_all() {
    for (size, wanted) in [
        ((200, 50), "files bumped, 30 days :-:=-.:#-::.#-::--: :-=:-:..::\n"),
        ((110, 30), "files bumped, 30 days :-:=-.:#-::.#-::--: :-=:-:..::\n"),
        ((110, 24), "files bumped, 30 days :-:=-.:#-::.#-::--: :-=:-:..::\n"),
        ((109, 30), "  30 days :-:=-.:#-::.#-::--: :-=:-:..::\n"),
        ((96, 24), "  30 days :-:=-.:#-::.#-::--: :-=:-:..::\n"),
    ] {
        let shown = screen(&counted(world::normal(), Some(FILES), size));
        assert!(shown.contains(wanted), "{size:?}\n{shown}");
    }
    for size in [(95, 24), (80, 24), (60, 20), (120, 14)] {
        let shown = screen(&counted(world::normal(), Some(FILES), size));
        assert!(!shown.contains("30 days"), "{size:?}\n{shown}");
    }
}

/// The sentence before the first survey goes over it, unless there is room for both.
#[test]
fn the_first_survey_comes_first() {
    for (columns, is_drawn) in [(110, false), (200, true)] {
        let shown = screen(&counted(world::unchecked(), Some(FILES), (columns, 40)));
        assert!(shown.contains("none checked yet. R checks all"), "{shown}");
        assert_eq!(shown.contains("files bumped, 30 days :-:"), is_drawn, "{shown}");
    }
}
