//! Sentences that are typed or pasted without a field. Typed keys act, and reach nothing that cannot be undone; a pasted text
//! changes nothing but a filter.

use std::sync::Arc;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRunner};

use crate::jobs::data::{Job, JobEvent, Opened, PlanMark, PlanTask, Writes};
use crate::registry::Address;
use crate::rules::plan::Verb;
use crate::tui::base::layout::{Class, Size};
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Context, ViewId, is_pasted};
use crate::tui::shell::model::{Model, Popup};
use crate::tui::shell::msg::{Effect, Msg};
use crate::tui::shell::update::update;
use crate::tui::tests::fake_plan::FakePlan;
use crate::tui::tests::keys::with_keys;
use crate::tui::tests::random::seed;
use crate::tui::tests::reviews::{go, last_message, looking};
use crate::tui::tests::walk::Dispatch;
use crate::tui::tests::{
    done, later, machines, others, press, pulls, screen, started, stranded, tell, world,
};

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
const PLACES: [(&str, (u16, u16)); 24] = [
    ("1", (120, 40)),
    ("1 / n e w <enter> j <space> <space>", (60, 20)),
    ("1 <enter>", (120, 40)),
    ("1 d", (120, 40)),
    ("2", (120, 40)),
    ("2 g g j", (120, 40)),
    ("2 ) <enter>", (80, 24)),
    ("2 P", (120, 40)),
    ("3", (120, 40)),
    ("4", (120, 40)),
    ("5", (120, 40)),
    ("5 B", (80, 24)),
    ("6", (160, 40)),
    ("1 s", (120, 40)),
    ("1 f", (120, 40)),
    ("1 ?", (80, 24)),
    ("2 g g j c", (120, 40)),
    ("1 / n e w r e l i c <enter> <enter> B", (80, 24)),
    ("1 W a", (120, 40)),
    ("2 P e", (120, 40)),
    ("2 P D", (60, 20)),
    ("8", (120, 40)),
    ("8 <enter>", (80, 24)),
    ("1", (38, 10)),
];

const FIRST: [&str; 5] = ["c", "/", ":", "f", "<enter>"];

/// A hand at its fastest.
const PACE_MS: u64 = 20;

/// The state that a pasted text must not change.
#[derive(Debug, PartialEq)]
struct Kept {
    screen: ViewId,
    context: Context,
    theme: String,
    filter: String,
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
        Self {
            screen: model.screen,
            context: model.context(),
            theme: model.theme.name.clone(),
            filter: model.desk.list.filter.clone(),
            marked: list.marked(),
            views: list.views.len(),
            decisions,
            dropped: pending.drops.clone(),
        }
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
        typist.go("<enter> <esc> ) <enter> z R G <esc> ) <enter> z R G <esc> ) <enter> z R G <esc>");
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

    /// Types a sentence without a pause. No key of it may begin a job that writes more than this.
    fn type_in(&mut self, first: &str, sentence: &str, most: Writes) -> Result<(), String> {
        let letters = sentence.chars().map(key_of).chain(["<enter>".to_owned()]);
        for key in std::iter::once(first.to_owned()).chain(letters) {
            self.wait(PACE_MS);
            let effects = press(&mut self.model, &key);
            let writes = |effect: &Effect| match effect {
                Effect::Start(_, job) => job.writes() > most,
                _ => false,
            };
            if let Some(harm) = effects.iter().find(|effect| writes(effect)) {
                return Err(format!("{key} in {:?} does {harm:?}", self.model.context()));
            }
            self.answer(effects);
        }
        Ok(())
    }

    /// Gives a sentence in one read. Nothing may change, but a filter where it begins with `/`, and a message says so.
    fn paste(&mut self, sentence: &str) -> Result<(), String> {
        self.wait(PACE_MS);
        let chords: Vec<Chord> =
            sentence.chars().map(|letter| Chord::parse(&key_of(letter)).expect("a key")).collect();
        let is_form = self.model.context() == Context::Form;
        let was_pasted = is_pasted(&chords) && (is_form || !self.model.context().has_field());
        let before = Kept::of(&self.model);
        let effects = (self.dispatch)(&mut self.model, Msg::Keys(chords));
        let mut after = Kept::of(&self.model);
        if sentence.starts_with('/') && !is_form {
            after.filter.clone_from(&before.filter);
        }
        // A filter of files may show another one, whose lines are read.
        let is_read = |effect: &Effect| {
            let reads = matches!(effect, Effect::Start(_, Job::Plan(PlanTask::Open(_))) | Effect::Cancel(_));
            sentence.starts_with('/') && reads
        };
        let is_more = |effect: &Effect| *effect != Effect::Frame && !is_read(effect);
        if was_pasted && (before != after || effects.iter().any(is_more)) {
            return Err(format!("it does {effects:?}: {before:?}, then {after:?}"));
        }
        let says = [
            "a pasted text was dropped",
            "the pasted text was dropped",
            "after the field closed was dropped",
        ];
        if was_pasted && !is_form && !says.iter().any(|text| last_message(&self.model).contains(text)) {
            return Err(format!("it says {:?}", last_message(&self.model)));
        }
        self.answer(effects);
        Ok(())
    }
}

fn key_of(letter: char) -> String {
    match letter {
        ' ' => "<space>".to_owned(),
        '\r' => "<enter>".to_owned(),
        letter => letter.to_string(),
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

/// Gives all sentences to a console in each place.
fn in_each_place(
    count: usize,
    seed: u64,
    dispatch: Dispatch,
    give: impl Fn(&mut Typist, usize, &str) -> Result<(), String>,
) -> Result<(), String> {
    let mut sentences = sentences(count, seed);
    sentences.extend(["looks ok", "bacon", "ok, ship it", "approve all"].map(str::to_owned));
    for (keys, size) in PLACES {
        let mut typist = Typist::new(size, dispatch);
        for (place, sentence) in sentences.iter().enumerate() {
            typist.come_to(keys);
            give(&mut typist, place, sentence)
                .map_err(|fault| format!("seed {seed}: at `{keys}` {size:?}, `{sentence}`: {fault}"))?;
        }
    }
    Ok(())
}

fn type_all(count: usize, seed: u64, most: Writes) -> Result<(), String> {
    in_each_place(count, seed, update, |typist, place, sentence| {
        typist.type_in(FIRST[place % FIRST.len()], sentence, most)
    })
}

#[test]
fn typed_sentences_reach_nothing_that_cannot_be_undone() {
    stamped!(super::WALKED);
    let seed = seed();
    if let Err(fault) = type_all(200, seed, Writes::Plan) {
        panic!("{fault}");
    }
}

/// They are keys: some of them change the plan.
#[test]
fn typed_sentences_act() {
    let report = type_all(20, 7, Writes::Memory).expect_err("a key that changes the plan");
    assert!(report.contains("seed 7") && report.contains(" does "), "{report}");
}

#[test]
fn pasted_sentences_change_nothing() {
    let seed = seed();
    let given = in_each_place(100, seed, update, |typist, place, sentence| match place % 3 {
        0 => typist.paste(&format!("/{sentence}\ra d")),
        _ => typist.paste(sentence),
    });
    if let Err(fault) = given {
        panic!("{fault}");
    }
}

/// Takes every key of a read by itself, as if it came alone.
fn takes_each_key(model: &mut Model, msg: Msg) -> Vec<Effect> {
    match msg {
        Msg::Keys(chords) => chords.into_iter().flat_map(|chord| update(model, Msg::Key(chord))).collect(),
        msg => update(model, msg),
    }
}

/// The sentences would change something if they were keys.
#[test]
fn pasted_sentences_would_do_harm() {
    let report = in_each_place(5, 7, takes_each_key, |typist, _, sentence| typist.paste(sentence));
    assert!(report.expect_err("harm").contains("seed 7"));
}

/// Types keys without a pause between them.
fn typed(model: &mut Model, keys: &str) -> Vec<Effect> {
    let chords = keys.split(' ').map(|key| Chord::parse(key).expect("a key"));
    chords
        .flat_map(|chord| {
            later(model, PACE_MS);
            update(model, Msg::Key(chord))
        })
        .collect()
}

/// The keys of one read.
fn read_at_once(model: &mut Model, keys: &str) -> Vec<Effect> {
    update(model, Msg::Keys(keys.split(' ').map(|key| Chord::parse(key).expect("a key")).collect()))
}

fn is_added(effect: &Effect) -> bool {
    matches!(effect, Effect::Start(_, Job::Plan(PlanTask::Add(_))))
}

/// A case from the trial: three additions one after the other, as fast as a hand is.
#[test]
fn keys_act_right_after_enter() {
    let mut model = started(world::normal(), 120, 40);
    let effects = typed(&mut model, "/ n e w r e l i c <enter> a");
    assert_eq!(effects.iter().filter(|effect| is_added(effect)).count(), 1, "{}", last_message(&model));
    assert_eq!(model.desk.list.filter, "newrelic");
    // Also in Changes: Space right after Enter approves what was seen.
    let mut fake = FakePlan::normal();
    let mut model = looking(&mut fake, 120, 40);
    go(&mut fake, &mut model, ") <enter> z R G <esc>");
    assert_eq!(typed(&mut model, "<enter> <space>").len(), 1, "{}", last_message(&model));
}

/// The field for the digits has the keys from the start: what is typed or pasted there without knowing stays in it.
#[test]
fn sentences_at_an_armed_pull_request_send_nothing() {
    for (place, sentence) in sentences(40, seed()).iter().enumerate() {
        let mut model = pulls::armed(120, 40);
        assert_eq!(model.context(), Context::Digits);
        let keys: Vec<String> = sentence.chars().map(key_of).chain(["<enter>".to_owned()]).collect();
        let effects = match place % 3 {
            0 => typed(&mut model, &keys.join(" ")),
            1 => read_at_once(&mut model, &keys.join(" ")),
            _ => update(&mut model, Msg::Paste(format!("{sentence}\n"))),
        };
        let begun = effects.iter().find(|effect| matches!(effect, Effect::Start(..) | Effect::Quit));
        assert_eq!((begun, model.context()), (None, Context::Digits), "`{sentence}`: {}", screen(&model));
    }
}

/// Keys of one read are a pasted text, which ends with its first line.
#[test]
fn a_pasted_text_changes_a_filter_at_most() {
    let mut model = started(world::normal(), 120, 40);
    let effects = read_at_once(&mut model, "/ n e w r e l i c <enter> a d A <space>");
    assert!(effects.iter().all(|effect| *effect == Effect::Frame), "{effects:?}");
    assert_eq!(
        (model.desk.list.filter.as_str(), model.context()),
        ("newrelic", Context::View(ViewId::Inventory))
    );
    assert_eq!(last_message(&model), "what was pasted after the field closed was dropped");
    assert_eq!(model.desk.list.mark_count(), 0);
    // A pasted Enter runs nothing from the palette.
    let effects = read_at_once(&mut model, ": l e a v e <enter> y");
    assert!(effects.is_empty(), "{effects:?}");
    assert_eq!(model.context(), Context::Palette);
    assert!(screen(&model).contains(": leave"), "{}", screen(&model));
    // A field that is open takes a text up to its Enter, however little comes after it.
    press(&mut model, "<esc> ctrl-u /");
    let effects = read_at_once(&mut model, "a b c <enter> q");
    assert!(!effects.contains(&Effect::Quit), "{effects:?}");
    assert_eq!(model.desk.list.filter, "newrelicabc");
    // A held key is no paste, and two different ones are keys.
    press(&mut model, "/ ctrl-u <enter> g g");
    read_at_once(&mut model, "j j j j k");
    read_at_once(&mut model, "<space> <space> j");
    assert_eq!(model.desk.list.mark_count(), 2);
    // Nor does a paste in brackets do anything where no field is open, and that is said.
    update(&mut model, Msg::Paste("aaa".into()));
    assert_eq!(last_message(&model), "a pasted text was dropped: no field is open");
}

/// A key that the key file gives to something else opens nothing for a pasted text.
#[test]
fn a_pasted_text_begins_with_the_key_of_a_field_or_not_at_all() {
    let mut model = with_keys("[inventory]\nmark = \"/\"\nfilter = \";\"\n", 120, 40);
    for text in ["/ a b c", "; a b c"] {
        assert!(read_at_once(&mut model, text).is_empty());
        assert_eq!(last_message(&model), "a pasted text was dropped: no field is open", "{text}");
        assert_eq!((model.desk.list.mark_count(), model.context()), (0, Context::View(ViewId::Inventory)));
    }
    // Typed, they are keys.
    typed(&mut model, "/ ;");
    assert_eq!((model.desk.list.mark_count(), model.context()), (1, Context::Filter));
}

/// A case from the trial: `c` where no note can be written, and then the text of the note.
#[test]
fn a_field_that_does_not_open_takes_the_letters_typed_for_it() {
    let mut model = started(world::normal(), 120, 40);
    assert!(typed(&mut model, "c o k <space>").is_empty());
    let text = last_message(&model);
    assert!(text.contains("c does nothing here") && text.ends_with("letters do nothing until Esc"), "{text}");
    assert_eq!(model.desk.list.mark_count(), 0);
    // However long one waits.
    later(&mut model, 60_000);
    assert!(typed(&mut model, "<space>").is_empty());
    assert_eq!(model.desk.list.mark_count(), 0);
    // Esc ends it and does nothing else; so does a key that is no letter.
    typed(&mut model, "<esc> <space>");
    assert_eq!(model.desk.list.mark_count(), 1);
    typed(&mut model, "c <space>");
    assert_eq!(model.desk.list.mark_count(), 1);
    typed(&mut model, "down <space>");
    assert_eq!(model.desk.list.mark_count(), 2);
}

/// Every form, by the words that a form of this kind has on the screen.
fn forms() -> Vec<(&'static str, Model)> {
    let after = |mut model: Model, keys: &str| {
        press(&mut model, keys);
        model
    };
    vec![
        ("Your verdict", after(others::states::listed(120, 40), "Y <tab>")),
        ("Note", after(looking(&mut FakePlan::normal(), 120, 40), "j c")),
        ("Block", after(stranded::normal(120, 40), "B")),
        ("Ignore until a day", after(stranded::normal(120, 40), "i")),
        ("Arm", after(pulls::ready(120, 40, None), "W a")),
        ("How it is opened", after(pulls::ready(120, 40, None), "e <tab>")),
        ("Write to a file", after(pulls::ready(120, 40, None), "D ctrl-u")),
        ("On GitHub's machines", machines::dispatching(120, 40)),
        ("Save this view", after(started(world::normal(), 120, 40), "f")),
    ]
}

/// A pasted text goes into the field of a form. It neither accepts the form nor leaves the field, and what was not taken is said.
#[test]
fn a_pasted_text_stays_in_its_field_of_a_form() {
    for (title, mut model) in forms() {
        assert_eq!((model.context(), screen(&model).contains(title)), (Context::Form, true), "{title}");
        let subject = |model: &Model| match &model.popup {
            Some(Popup::Form(card)) => card.form.subject.clone(),
            other => panic!("{title}: {other:?}"),
        };
        let before = (Kept::of(&model), subject(&model));
        for msg in [
            Msg::Keys("o k <enter>".split(' ').map(|key| Chord::parse(key).expect("a key")).collect()),
            Msg::Keys("1 a d <enter> y q".split(' ').map(|key| Chord::parse(key).expect("a key")).collect()),
            Msg::Paste("3 yes\nq\n".into()),
        ] {
            later(&mut model, PACE_MS);
            assert_eq!(update(&mut model, msg), [], "{title}");
            assert_eq!((Kept::of(&model), subject(&model)), before, "{title}");
        }
        let text = screen(&model);
        assert!(text.contains("ok"), "{title}: {text}");
        let is_in_text = matches!(&model.popup, Some(Popup::Form(card)) if card.is_in_text());
        let says =
            ["press Enter", "the rest was dropped"].iter().any(|says| last_message(&model).contains(says));
        assert!(says || is_in_text, "{title}: {}", last_message(&model));
    }
}

/// Typed, the same keys are keys: the text stands in the field, and Enter accepts the form or says what is wrong with it.
#[test]
fn keys_typed_into_a_form_do_what_they_say() {
    for (title, mut model) in forms() {
        let before = screen(&model);
        typed(&mut model, "o k");
        assert!(screen(&model).contains("ok"), "{title}: {}", screen(&model));
        let is_in_text = matches!(&model.popup, Some(Popup::Form(card)) if card.is_in_text());
        if is_in_text {
            typed(&mut model, "<tab>");
        }
        let effects = typed(&mut model, "<enter>");
        let is_done = !effects.is_empty() || model.popup.is_none() || screen(&model) != before;
        assert!(is_done, "{title}: {}", screen(&model));
        let writes = effects.iter().any(|effect| match effect {
            Effect::Start(_, job) => job.writes() > Writes::Plan,
            _ => false,
        });
        assert!(!writes, "{title}: {effects:?}");
    }
}
