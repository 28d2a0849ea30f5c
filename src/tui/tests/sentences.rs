//! Sentences that are typed without a field: they change no plan, no mark and no file, and do not leave the
//! console.

use std::sync::Arc;
use std::time::Duration;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

use crate::jobs::data::{Job, JobEvent, Opened, PlanMark, PlanTask, Writes};
use crate::registry::Address;
use crate::rules::plan::Verb;
use crate::tui::base::layout::{Class, Size};
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Context, Typing, ViewId};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::random::seed;
use crate::tui::tests::reviews::{go, last_message, looking};
use crate::tui::tests::walk::Dispatch;
use crate::tui::tests::{done, later, press, screen, started, tell, world};

/// Words with every letter that is a key, some of them in a harmful order: `y` after `r` is a yes to the
/// question of `r`.
const WORDS: [&str; 60] = [
    "a", "about", "again", "all", "approve", "ask", "author", "bad", "before", "build", "carry", "check",
    "country", "don't", "drop", "every", "fix", "fine", "for", "good", "hash", "have", "how", "I", "is",
    "it", "just", "key", "look", "maybe", "no", "not", "now", "ok", "please", "quick", "quite", "ready",
    "really", "Reject", "remove", "sorry", "sums", "tag", "that", "the", "this", "try", "upstream", "Verify",
    "very", "view", "wait", "what", "why", "with", "Xylo", "yes", "zip", "-",
];

/// Every view, and the places in it with other keys; the keys that lead there.
const PLACES: [(&str, (u16, u16)); 11] = [
    ("1", (120, 40)),
    ("1 / n e w <enter> j <space> <space>", (60, 20)),
    ("1 <enter>", (120, 40)),
    ("1 d", (120, 40)),
    ("2", (120, 40)),
    ("2 g g j", (120, 40)),
    ("2 ) <enter>", (80, 24)),
    ("4", (120, 40)),
    ("8", (120, 40)),
    ("8 <enter>", (80, 24)),
    ("1", (38, 10)),
];

const FIRST: [&str; 5] = ["c", "/", ":", "f", "<enter>"];

/// The state that must not change.
#[derive(Debug, PartialEq)]
struct Kept {
    marked: Vec<Address>,
    views: usize,
    decisions: Vec<PlanMark>,
    dropped: Vec<Address>,
}

impl Kept {
    fn of(model: &Model) -> Self {
        let pending = &model.desk.planning.pending;
        let decisions = pending.marks.iter().filter(|mark| mark.verb != Verb::See).cloned().collect();
        let list = &model.desk.list;
        Self { marked: list.marked(), views: list.views.len(), decisions, dropped: pending.drops.clone() }
    }
}

/// Returns true if an effect changes more than the console's own state.
fn is_harm(effect: &Effect) -> bool {
    match effect {
        Effect::Start(_, Job::Plan(PlanTask::Mark(marks))) => marks.iter().any(|mark| mark.verb != Verb::See),
        Effect::Start(_, job) => job.writes() > Writes::Memory,
        _ => false,
    }
}

/// A console that receives sentences, one after the other.
struct Typist {
    model: Model,
    fake: FakePlan,
    dispatch: Dispatch,
}

impl Typist {
    fn new((columns, rows): (u16, u16), dispatch: Dispatch) -> Self {
        let mut fake = FakePlan::normal();
        let model = looking(&mut fake, 120, 40);
        let mut typist = Self { model, fake, dispatch };
        // Everything was looked at: one key would approve it.
        typist.go(") <enter> z R G <esc> ) <enter> z R G <esc> ) <enter> z R G <esc>");
        update(&mut typist.model, Msg::Resize(Size::new(columns, rows)));
        typist
    }

    fn wait(&mut self, milliseconds: u64) {
        later(&mut self.model, milliseconds);
    }

    /// Presses keys with a pause before each, and answers the jobs that they start.
    fn go(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.wait(5_000);
            let effects = press(&mut self.model, key);
            self.answer(effects);
        }
    }

    fn answer(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let Effect::Start(id, job) = effect else { continue };
            let more = match &job {
                Job::Open(plan) => {
                    let opened =
                        Opened { address: plan.address.clone(), ..world::opened("newrelic/newrelic") };
                    tell(&mut self.model, id, JobEvent::Opened(Arc::new(opened)));
                    done(&mut self.model, id)
                }
                Job::Plan(_) | Job::ListJobs { .. } | Job::ReadLog(_) => {
                    self.fake.answer_one(&mut self.model, id, &job)
                }
                _ => done(&mut self.model, id),
            };
            self.answer(more);
        }
        let seen = update(&mut self.model, Msg::Drawn);
        let seen = seen.into_iter().filter(|effect| *effect != Effect::Frame).collect::<Vec<_>>();
        if !seen.is_empty() {
            self.answer(seen);
        }
    }

    /// Moves to a place, whatever is open.
    fn come_to(&mut self, keys: &str) {
        let is_tiny = self.model.size.class() == Class::Tiny;
        for _ in 0..6 {
            self.go("<esc>");
        }
        if !is_tiny {
            self.go(keys);
        }
    }

    /// Types a sentence without a field. Its first two keys that are no movement may have an effect. After
    /// them no key changes, copies or opens anything, or leaves.
    fn type_at_rest(&mut self, sentence: &str) -> Result<(), String> {
        let mut first: Vec<char> = Vec::new();
        for (place, letter) in sentence.chars().enumerate() {
            let key = if letter == ' ' { "<space>".to_owned() } else { letter.to_string() };
            self.wait(if place == 0 { 5_000 } else { [90, 250, 30, 120][place % 4] });
            let before = (Kept::of(&self.model), self.model.theme.name.clone());
            let effects = (self.dispatch)(&mut self.model, Msg::Key(Chord::parse(&key).expect("a key")));
            let acts = |effect: &Effect| match effect {
                Effect::Start(_, Job::Survey(_) | Job::Verify(_)) => true,
                Effect::Start(..) => is_harm(effect),
                Effect::Frame => false,
                _ => true,
            };
            let act = effects.iter().find(|effect| acts(effect));
            let is_changed = before != (Kept::of(&self.model), self.model.theme.name.clone());
            if first.iter().filter(|one| **one != letter).count() >= 2 && (act.is_some() || is_changed) {
                return Err(format!("the {place}th key, {key}, does {act:?}"));
            }
            if !"jknNgG][{}()0123456789".contains(letter) && !first.contains(&letter) {
                first.push(letter);
            }
            self.answer(effects);
        }
        Ok(())
    }

    /// Types one key, this many milliseconds after the previous one.
    fn hit(&mut self, key: &str, after_ms: u64) -> Result<(), String> {
        self.wait(after_ms);
        let (before, context) = (Kept::of(&self.model), self.model.context());
        let chord = Chord::parse(key).expect("a key");
        let effects = (self.dispatch)(&mut self.model, Msg::Key(chord));
        let after = Kept::of(&self.model);
        // The screen asked for text, and showed it.
        let was_asked =
            matches!(context, Context::Note | Context::Block | Context::NameView) && key == "<enter>";
        let harm = effects.iter().find(|effect| is_harm(effect));
        if !was_asked && (harm.is_some() || before != after) {
            return Err(format!("{key} in {context:?} does {harm:?}: {before:?}, then {after:?}"));
        }
        self.answer(effects);
        Ok(())
    }

    /// Types a sentence at the speed of a hand, with Enter at its end if `ends`.
    fn type_in(&mut self, first: &str, sentence: &str, ends: bool) -> Result<(), String> {
        self.hit(first, 5_000)?;
        for (place, letter) in sentence.chars().enumerate() {
            let key = if letter == ' ' { "<space>".to_owned() } else { letter.to_string() };
            self.hit(&key, [90, 250, 700, 120, 30][place % 5])?;
        }
        // The palette showed the name of the action.
        if ends && self.model.context() != Context::Palette { self.hit("<enter>", 90) } else { Ok(()) }
    }
}

/// This many sentences of up to five words.
fn sentences(count: usize, seed: u64) -> Vec<String> {
    let config =
        Config { rng_seed: RngSeed::Fixed(seed), rng_algorithm: RngAlgorithm::ChaCha, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let words = proptest::collection::vec(proptest::sample::select(&WORDS[..]), 1..5);
    (0..count).map(|_| words.new_tree(&mut runner).expect("words").current().join(" ")).collect()
}

/// Types all sentences in each place, after each of the keys in turn.
fn type_all(count: usize, seed: u64, dispatch: Dispatch) -> Result<(), String> {
    let sentences = sentences(count, seed);
    for (keys, size) in PLACES {
        let mut typist = Typist::new(size, dispatch);
        for (place, sentence) in sentences.iter().enumerate() {
            let first = FIRST[place % FIRST.len()];
            typist.come_to(keys);
            let typed = typist.type_in(first, sentence, place % 2 == 0);
            typed.map_err(|fault| {
                format!("seed {seed}: at `{keys}` {size:?}, `{first}{sentence}`: {fault}")
            })?;
        }
    }
    Ok(())
}

#[test]
fn sentences_change_nothing() {
    stamped!(super::WALKED);
    let seed = seed();
    if let Err(fault) = type_all(200, seed, update) {
        panic!("{fault}");
    }
}

/// Takes every key for a command, as if no text were being typed.
fn takes_every_key(model: &mut Model, msg: Msg) -> Vec<Effect> {
    model.keys.end_typing();
    update(model, msg)
}

/// Types all sentences in each place, without a key before them.
fn type_all_at_rest(count: usize, seed: u64, dispatch: Dispatch) -> Result<(), String> {
    let mut sentences = sentences(count, seed);
    sentences.extend(["looks ok", "bacon", "ok, ship it", "approve all"].map(str::to_owned));
    for (keys, size) in PLACES {
        let mut typist = Typist::new(size, dispatch);
        for sentence in &sentences {
            typist.come_to(keys);
            let typed = typist.type_at_rest(sentence);
            typed.map_err(|fault| format!("seed {seed}: at `{keys}` {size:?}, `{sentence}`: {fault}"))?;
        }
    }
    Ok(())
}

#[test]
fn sentences_at_rest_do_nothing_after_their_first_keys() {
    let seed = seed();
    if let Err(fault) = type_all_at_rest(100, seed, update) {
        panic!("{fault}");
    }
    type_all_at_rest(5, 7, takes_every_key).expect_err("keys would act");
}

/// Cases from the trial: a verdict in words after a full review, and a word of the filter after a pause.
#[test]
fn words_without_a_field_do_not_approve_or_add() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") <enter> z R G");
    later(&mut model, 5_000);
    // The second letter may still be a key; it opens the author's page.
    let effects = typed(&mut model, "l o o k s <space> o k");
    assert!(!effects.iter().any(is_harm), "{effects:?}");
    assert!(last_message(&model).contains("too soon after other keys"), "{}", last_message(&model));
    later(&mut model, 1_000);
    press(&mut model, "<esc>");
    later(&mut model, 1_000);
    // After a pause the key has its effect, and so it has after a movement.
    let effects = typed(&mut model, "k j <space>");
    assert_eq!(effects.iter().filter(|effect| is_harm(effect)).count(), 1, "{}", last_message(&model));
    let mut model = started(world::normal(), 120, 40);
    assert!(typed(&mut model, "x a c o n").is_empty());
    assert!(last_message(&model).starts_with("a came too soon"), "{}", last_message(&model));
    // A repeated key has its effect, and so has a slow one.
    later(&mut model, 1_000);
    typed(&mut model, "<space> <space>");
    assert_eq!(model.desk.list.mark_count(), 2);
    later(&mut model, 300);
    typed(&mut model, "A");
    assert!(model.desk.list.mark_count() > 2);
    later(&mut model, 300);
    typed(&mut model, "a");
    assert_eq!(model.context(), Context::Ask, "{}", screen(&model));
}

/// The sentences would do harm if keys were commands.
#[test]
fn sentences_would_do_harm() {
    let report = type_all(20, 7, takes_every_key).expect_err("harm");
    assert!(report.contains("seed 7") && report.contains(" does "), "{report}");
}

/// Types keys without a pause between them.
fn typed(model: &mut Model, keys: &str) -> Vec<Effect> {
    keys.split(' ').flat_map(|key| update(model, Msg::Key(Chord::parse(key).expect("a key")))).collect()
}

/// A case from the trial: `c` where no note can be written, and then the text of the note.
#[test]
fn a_field_that_does_not_open_takes_the_letters_typed_for_it() {
    let mut model = started(world::normal(), 120, 40);
    assert!(typed(&mut model, "c o k <space>").is_empty());
    let text = last_message(&model);
    assert!(
        text.contains("c does nothing here") && text.ends_with("letters do nothing until Esc or a pause")
    );
    assert_eq!(model.desk.list.mark_count(), 0);
    // Esc ends it and does nothing else; so does a pause.
    typed(&mut model, "<esc> <space>");
    assert_eq!(model.desk.list.mark_count(), 1);
    typed(&mut model, "c <space>");
    assert_eq!(model.desk.list.mark_count(), 1);
    later(&mut model, 1_000);
    typed(&mut model, "<space>");
    assert_eq!(model.desk.list.mark_count(), 2);
}

/// Space right after Enter approves nothing; after a pause it does.
#[test]
fn nothing_is_approved_in_the_same_breath_as_enter() {
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") <enter>");
    assert!(typed(&mut model, "<space>").is_empty(), "{}", screen(&model));
    assert!(last_message(&model).contains("too soon after Enter"), "{}", last_message(&model));
    // Keys right after it do not hide the message.
    assert!(typed(&mut model, "j a").is_empty());
    assert!(last_message(&model).contains("Space came too soon after Enter"), "{}", last_message(&model));
    assert_eq!(model.keys.typing(model.uptime), Some(Typing::IntoNothing));
    // The demo's time stands still; a pause is one all the same.
    let tick = Msg::Tick { now: model.now, uptime: model.uptime + Duration::from_secs(1) };
    update(&mut model, tick);
    assert_eq!(typed(&mut model, "<space>").len(), 1);
    assert_eq!(model.screen, ViewId::Changes);
}
