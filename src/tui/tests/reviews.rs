//! Changes as people use it: a plan that answers like the jobs do, key strings, and frames.

use std::sync::Arc;

use crate::jobs::Failure;
use crate::jobs::FailureKind;
use crate::jobs::Job;
use crate::jobs::JobEvent;
use crate::jobs::JobId;
use crate::jobs::Outcome;
use crate::jobs::PlanOpened;
use crate::jobs::PlanTask;
use crate::jobs::Summary;
use crate::registry::Address;
use crate::registry::Document;
use crate::rules::Mode;
use crate::rules::plan::Answer;
use crate::rules::plan::FileState;
use crate::rules::plan::Kept;
use crate::rules::plan::Marks;
use crate::rules::plan::Plan;
use crate::rules::plan::PlannedFile;
use crate::rules::plan::Remark;
use crate::rules::plan::Verb;
use crate::settings::Features;
use crate::tui::keymap::Context;
use crate::tui::model::Model;
use crate::tui::model::Popup;
use crate::tui::model::Screen;
use crate::tui::msg::Effect;
use crate::tui::tests::frames::snapshots;
use crate::tui::tests::frames::snapshots_at;
use crate::tui::tests::press;
use crate::tui::tests::screen;
use crate::tui::tests::started;
use crate::tui::tests::tell;
use crate::tui::tests::world;

const PLATFORMS: [&str; 6] =
    ["darwin_amd64", "darwin_arm64", "linux_386", "linux_amd64", "linux_arm64", "windows_amd64"];

/// A provider version with a target for each platform; `odd` names one that lies on another host.
fn version(name: &str, sum: &str, odd: &str) -> String {
    let target = |(place, platform): (usize, &&str)| {
        let (os, arch) = platform.split_once('_').unwrap();
        let host = if *platform == odd { "releases.example.com" } else { "github.com" };
        let file = format!("terraform-provider-x_{name}_{platform}.zip");
        let sum = format!("{sum}{place}3c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe{place}");
        format!(
            r#"{{"os":"{os}","arch":"{arch}","filename":"{file}","download_url":"https://{host}/o/terraform-provider-x/releases/download/v{name}/{file}","shasum":"{sum}"}}"#
        )
    };
    let targets: Vec<String> = PLATFORMS.iter().enumerate().map(target).collect();
    let base =
        format!("https://github.com/o/terraform-provider-x/releases/download/v{name}/x_{name}_SHA256SUMS");
    format!(
        r#"{{"version":"{name}","protocols":["5.0"],"shasums_url":"{base}","shasums_signature_url":"{base}.sig","targets":[{}]}}"#,
        targets.join(",")
    )
}

fn file(versions: &[String]) -> Vec<u8> {
    let text = format!(r#"{{"versions":[{}]}}"#, versions.join(","));
    Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone()).print()
}

fn kept(address: &str, base: Vec<u8>, proposed: Vec<u8>) -> Kept {
    kept_as(Address::parse(address).unwrap(), base, proposed)
}

fn kept_as(address: Address, base: Vec<u8>, proposed: Vec<u8>) -> Kept {
    Kept {
        address,
        mode: Mode::Add,
        revision: "main@f00f6d5".into(),
        built_at: world::now(),
        base,
        proposed,
        remarks: Vec::new(),
    }
}

fn stored(count: u32) -> Vec<String> {
    (0..count).map(|at| version(&format!("3.{}.0", 29 + count - at), "aa", "")).collect()
}

fn added(names: &[&str], odd: &str, stored: &[String]) -> (Vec<u8>, Vec<u8>) {
    let new = names.iter().map(|name| version(name, "b6", odd));
    (file(stored), file(&new.chain(stored.iter().cloned()).collect::<Vec<_>>()))
}

/// The plan between runs, and what the jobs make of it.
#[derive(Default)]
pub(super) struct Shelf {
    files: Vec<(Kept, Marks)>,
}

impl Shelf {
    /// One additive file, one with two versions of which one target differs, one that would change what is indexed.
    pub(super) fn normal() -> Self {
        let one = added(&["1.58.0"], "", &stored(3));
        let two = added(&["3.70.1", "3.70.0"], "linux_arm64", &stored(40));
        let before = [version("3.14.1", "aa", ""), version("3.14.0", "aa", "")];
        let after = [version("3.14.1", "bb", ""), before[1].clone()];
        let module = |names: &[&str]| {
            file(&names.iter().map(|name| format!(r#"{{"version":"{name}"}}"#)).collect::<Vec<_>>())
        };
        let mut newrelic = kept("newrelic/newrelic", two.0, two.1);
        newrelic.remarks.push(Remark {
            severity: "warning".into(),
            rule: "left-out".into(),
            version: Some("3.70.2".into()),
            text: "left out: the release has no SHA256SUMS".into(),
        });
        let files = [
            kept("auth0/auth0", one.0, one.1),
            kept("cloudposse/components/aws", module(&["v1.0.0"]), module(&["v1.1.0", "v1.0.0"])),
            kept("coralogix/coralogix", file(&before), file(&after)),
            newrelic,
        ];
        Self { files: files.into_iter().map(|kept| (kept, Marks::new())).collect() }
    }

    /// Many files, one of them large.
    pub(super) fn huge() -> Self {
        let few = added(&["9.0.0"], "", &stored(2));
        let many = added(&["9.1.0", "9.0.0"], "", &stored(400));
        let mut files: Vec<Kept> =
            (0..60).map(|at| kept(&format!("ns{at}/name{at}"), few.0.clone(), few.1.clone())).collect();
        files.push(kept("aaa/large", many.0, many.1));
        Self { files: files.into_iter().map(|kept| (kept, Marks::new())).collect() }
    }

    fn read(&self, at: usize) -> PlannedFile {
        let (kept, marks) = &self.files[at];
        PlannedFile::read(kept, marks, Some(&kept.base), Features::none()).unwrap()
    }

    fn plan(&self) -> Plan {
        Plan::new((0..self.files.len()).map(|at| self.read(at)).collect())
    }

    pub(super) fn find(&self, address: &str) -> PlannedFile {
        let at = self.files.iter().position(|(kept, _)| kept.address.to_string() == address).unwrap();
        self.read(at)
    }

    /// Does what a job of the plan does, and gives what it says.
    pub(super) fn perform(&mut self, task: &PlanTask) -> (Vec<JobEvent>, Outcome) {
        let done = Outcome::Done(Summary::default());
        let has = |address: &Address| self.files.iter().any(|(kept, _)| kept.address == *address);
        match task {
            PlanTask::Open(address) if !has(address) => return (Vec::new(), not_planned()),
            PlanTask::Mark(marks) if !marks.iter().all(|mark| has(&mark.address)) => {
                return (Vec::new(), not_planned());
            }
            PlanTask::Open(address) => {
                let at = self.files.iter().position(|(kept, _)| kept.address == *address).unwrap();
                let file = self.read(at);
                let lines = Arc::new(file.lines(&self.files[at].0).unwrap());
                return (vec![JobEvent::PlanOpened(Arc::new(PlanOpened { file, lines }))], done);
            }
            PlanTask::Mark(marks) => {
                for mark in marks {
                    let at = self.files.iter().position(|(kept, _)| kept.address == mark.address).unwrap();
                    match self.read(at).answer(&mark.which, &mark.verb) {
                        Ok(changed) => self.files[at].1.extend(changed),
                        Err(refusal) => {
                            return (
                                Vec::new(),
                                Outcome::Failed(failure(FailureKind::Conflict, &refusal.text())),
                            );
                        }
                    }
                }
            }
            PlanTask::Drop(addresses) => self.files.retain(|(kept, _)| !addresses.contains(&kept.address)),
            PlanTask::Add(add) => {
                for address in &add.addresses {
                    self.files.retain(|(kept, _)| kept.address != *address);
                    let (base, proposed) = added(&["9.9.9"], "", &stored(2));
                    self.files.push((kept_as(address.clone(), base, proposed), Marks::new()));
                }
            }
            PlanTask::Show | PlanTask::Rebuild { .. } => {}
        }
        (vec![JobEvent::Planned(Arc::new(self.plan()))], done)
    }

    /// Answers all jobs of the plan that were started, and those that follow.
    pub(super) fn answer(&mut self, model: &mut Model, effects: Vec<Effect>) {
        let mut waiting = effects;
        while let Some(effect) = waiting.pop() {
            if let Effect::Start(id, job) = effect {
                waiting.extend(self.answer_one(model, id, &job));
            }
        }
    }

    pub(super) fn answer_one(&mut self, model: &mut Model, id: JobId, job: &Job) -> Vec<Effect> {
        let (events, outcome) = match job {
            Job::Plan(task) => self.perform(task),
            Job::ListJobs { .. } => (vec![JobEvent::PastJobs(Vec::new())], Outcome::Done(Summary::default())),
            Job::ReadLog(_) => (vec![JobEvent::LogRead(Arc::default())], Outcome::Done(Summary::default())),
            _ => return Vec::new(),
        };
        let mut effects: Vec<Effect> = events.into_iter().flat_map(|event| tell(model, id, event)).collect();
        effects.extend(tell(model, id, JobEvent::Ended(outcome)));
        effects
    }
}

/// What was asked about is not in the plan.
fn not_planned() -> Outcome {
    Outcome::Failed(failure(FailureKind::Usage, "it is not in the plan"))
}

fn failure(kind: FailureKind, cause: &str) -> Failure {
    Failure { kind, doing: "marking the plan".into(), causes: vec![cause.into()], hint: None }
}

/// A console that looks at this plan.
pub(super) fn looking(shelf: &mut Shelf, columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    // What the end of reading started was not seen.
    let read: Vec<JobId> = model.board.errand(|_| true).map(|job| job.id).into_iter().collect();
    for id in read {
        shelf.answer_one(&mut model, id, &Job::Plan(PlanTask::Show));
    }
    let effects = press(&mut model, "2");
    shelf.answer(&mut model, effects);
    model
}

/// Presses keys and answers what they start.
pub(super) fn go(shelf: &mut Shelf, model: &mut Model, keys: &str) {
    for key in keys.split(' ') {
        let effects = press(model, key);
        shelf.answer(model, effects);
    }
}

fn said(model: &Model) -> &str {
    model.message.as_ref().map_or("", |message| message.text.as_str())
}

fn at(model: &Model) -> (String, Option<String>) {
    let changes = &model.views.changes;
    let file = changes.file().map(|file| file.address.to_string()).unwrap_or_default();
    (file, changes.piece().map(|piece| piece.part.name().to_owned()))
}

#[test]
fn a_version_is_seen_by_its_lines_and_approved_after_that() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    assert!(screen(&model).contains("2 Changes(4)"));
    assert_eq!(at(&model), ("cloudposse/components/aws".into(), None));
    go(&mut shelf, &mut model, ")");
    assert_eq!(at(&model), ("auth0/auth0".into(), None));
    assert_eq!(shelf.find("auth0/auth0").seen(), 1, "the whole version was on the screen");
    go(&mut shelf, &mut model, "<space>");
    assert_eq!(said(&model), "approved auth0/auth0; u takes it back");
    assert_eq!(shelf.find("auth0/auth0").state, FileState::Approved);
    go(&mut shelf, &mut model, "u");
    assert_eq!(shelf.find("auth0/auth0").state, FileState::Open);
    go(&mut shelf, &mut model, ") )");
    assert_eq!(at(&model).0, "newrelic/newrelic");
    assert_eq!(shelf.find("newrelic/newrelic").seen(), 1, "the second version is below the window");
    go(&mut shelf, &mut model, "<space>");
    assert_eq!(said(&model), "1 version left to look at before this file can be approved");
    assert_eq!(shelf.find("newrelic/newrelic").state, FileState::Open);
    go(&mut shelf, &mut model, "] ctrl-d ctrl-d ctrl-d");
    assert_eq!(shelf.find("newrelic/newrelic").seen(), 2);
    go(&mut shelf, &mut model, "<tab> g g ) ) ) <space>");
    assert_eq!(shelf.find("newrelic/newrelic").state, FileState::Approved);
    go(&mut shelf, &mut model, "j X");
    assert_eq!(said(&model), "rejected 3.70.1: left out of what would be sent; u takes it back");
    let file = shelf.find("newrelic/newrelic");
    assert_eq!(
        (file.pieces[0].mark.answer, file.pieces[1].mark.answer),
        (Answer::Rejected, Answer::Approved)
    );
    assert!(screen(&model).contains("own tool: no, 1 change is rejected"));
}

#[test]
fn a_fold_that_hides_a_difference_is_never_approved() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    go(&mut shelf, &mut model, ") ) ) j <enter> z R G g g");
    for _ in 0..12 {
        go(&mut shelf, &mut model, "ctrl-d");
    }
    assert_eq!(shelf.find("newrelic/newrelic").seen(), 2);
    go(&mut shelf, &mut model, "z M <tab> <space>");
    assert!(
        said(&model).starts_with("not approved: a fold hides 2 targets unlike the others"),
        "{}",
        said(&model)
    );
    assert_eq!(shelf.find("newrelic/newrelic").state, FileState::Open);
    go(&mut shelf, &mut model, "z R <tab> <space>");
    assert_ne!(shelf.find("newrelic/newrelic").pieces[0].mark.answer, Answer::Open);
}

#[test]
fn what_would_change_indexed_versions_is_held() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    go(&mut shelf, &mut model, ") ) <space>");
    assert!(said(&model).starts_with("held: an indexed version would change"), "{}", said(&model));
    let text = screen(&model);
    assert!(text.contains("MUTATES") && text.contains("held"));
    go(&mut shelf, &mut model, "j X");
    assert!(matches!(shelf.find("coralogix/coralogix").state, FileState::Nothing(_)));
    go(&mut shelf, &mut model, "<enter> n");
    assert!(said(&model).contains("nothing is searched for"));
}

#[test]
fn long_values_are_shown_whole_before_above_after() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    go(&mut shelf, &mut model, ") ) <enter>");
    for _ in 0..12 {
        if model.views.changes.review.as_ref().unwrap().pane.path().ends_with("shasum") {
            break;
        }
        go(&mut shelf, &mut model, "j");
    }
    go(&mut shelf, &mut model, "<enter>");
    assert!(matches!(model.popup, Some(Popup::Value(_))));
    let text = screen(&model);
    assert!(text.contains("[-aa-]0") && text.contains("{+bb+}0"), "{text}");
    go(&mut shelf, &mut model, "j k <esc>");
    assert!(model.popup.is_none());
}

#[test]
fn searches_count_what_folds_hide() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    go(&mut shelf, &mut model, ") ) ) / l i n u x _ 3 8 6");
    assert_eq!(model.context(), Context::Search);
    assert!(screen(&model).contains("in 3 folds"), "{}", screen(&model));
    go(&mut shelf, &mut model, "<enter>");
    assert!(
        said(&model).starts_with("hit 1 of ") && said(&model).ends_with("inside the fold"),
        "{}",
        said(&model)
    );
    go(&mut shelf, &mut model, "z R / <enter> n N");
    assert!(!said(&model).contains("fold"), "{}", said(&model));
    go(&mut shelf, &mut model, "<esc> <esc>");
    assert_eq!((model.screen, model.context()), (Screen::Changes, Context::Changes));
}

#[test]
fn notes_are_typed_and_kept() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 80, 24);
    go(&mut shelf, &mut model, "c");
    assert!(said(&model).starts_with("notes belong to changes"));
    go(&mut shelf, &mut model, "j c o k ! <enter>");
    assert_eq!(shelf.find("cloudposse/components/aws").pieces[0].mark.note, "ok!");
    go(&mut shelf, &mut model, "c x <esc>");
    assert_eq!(shelf.find("cloudposse/components/aws").pieces[0].mark.note, "ok!");
    go(&mut shelf, &mut model, "c ctrl-u <enter>");
    assert_eq!(shelf.find("cloudposse/components/aws").pieces[0].mark.note, "");
}

#[test]
fn taking_out_and_building_again_ask_first() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    assert!(press(&mut model, "-").is_empty());
    assert_eq!(model.context(), Context::Ask);
    assert!(press(&mut model, "<enter> j <esc>").is_empty());
    assert!(press(&mut model, "-").is_empty());
    go(&mut shelf, &mut model, "y");
    assert_eq!((shelf.files.len(), said(&model)), (3, "taken out of the plan"));
    assert_eq!(at(&model).0, "auth0/auth0");
    assert!(press(&mut model, "r").is_empty());
    let effects = press(&mut model, "y");
    assert!(matches!(&effects[..], [Effect::Start(_, Job::Plan(PlanTask::Add(_)))]));
    assert!(press(&mut model, "R").is_empty(), "one build at a time");
    shelf.answer(&mut model, effects);
    assert!(press(&mut model, "R").is_empty());
    let effects = press(&mut model, "y");
    assert!(matches!(&effects[..], [Effect::Start(_, Job::Plan(PlanTask::Rebuild { .. }))]));
    shelf.answer(&mut model, effects);
    assert!(said(&model).starts_with("the plan was built again"));
}

#[test]
fn a_in_the_inventory_adds_what_is_meant_and_says_what_came_of_it() {
    let mut shelf = Shelf::default();
    let mut model = looking(&mut shelf, 120, 40);
    assert!(screen(&model).contains("The plan is empty."));
    press(&mut model, "1 / n e w r e l i c / <enter>");
    let effects = press(&mut model, "a");
    let [Effect::Start(_, Job::Plan(PlanTask::Add(add)))] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(add.addresses, [Address::parse("newrelic/newrelic").unwrap()]);
    assert!(press(&mut model, "a").is_empty());
    assert!(said(&model).contains("files of the plan are being built"));
    shelf.answer(&mut model, effects);
    assert!(
        said(&model).starts_with("newrelic/newrelic is in the plan: ADDITIVE, 1 version left"),
        "{}",
        said(&model)
    );
    let effects = press(&mut model, "<esc> A a");
    assert!(said(&model).starts_with("adding 22 entries to the plan"), "{}", said(&model));
    shelf.answer(&mut model, effects);
    assert!(said(&model).starts_with("22 of 22 are in the plan now"), "{}", said(&model));
    assert!(screen(&model).contains("2 Changes(22)"));
}

#[test]
fn views_keep_their_state() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    go(&mut shelf, &mut model, ") ) ) <enter> ] ]");
    let line = model.views.changes.review.as_ref().unwrap().pane.line();
    press(&mut model, "1 j j");
    let chosen = model.subject().cloned();
    press(&mut model, "<enter> 8 2");
    assert_eq!(at(&model).0, "newrelic/newrelic");
    assert_eq!(model.views.changes.review.as_ref().unwrap().pane.line(), line);
    press(&mut model, "1");
    assert_eq!((model.screen, model.subject().cloned()), (Screen::Entry, chosen.clone()));
    press(&mut model, "1");
    assert_eq!((model.screen, model.subject().cloned()), (Screen::Inventory, chosen));
    press(&mut model, "2 <esc> <esc>");
    assert_eq!(model.screen, Screen::Inventory);
}

#[test]
fn what_is_said_during_a_build_waits_for_its_end() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    let built = press(&mut model, "R y");
    assert_eq!(built.len(), 1);
    assert!(press(&mut model, "<space>").is_empty(), "one job at a time writes the plan");
    shelf.answer(&mut model, built);
    assert_eq!(shelf.find("cloudposse/components/aws").state, FileState::Approved);
}

#[test]
fn a_second_console_looks_and_keeps_nothing() {
    let mut shelf = Shelf::normal();
    let mut model = looking(&mut shelf, 120, 40);
    let effects = press(&mut model, ")");
    let mut marks = Vec::new();
    for effect in effects {
        if let Effect::Start(id, job) = effect {
            marks.extend(shelf.answer_one(&mut model, id, &job));
        }
    }
    let [Effect::Start(id, Job::Plan(PlanTask::Mark(said_marks)))] = &marks[..] else { panic!("{marks:?}") };
    assert!(said_marks.iter().all(|mark| mark.verb == Verb::See));
    let refused = failure(FailureKind::Conflict, "another bumpdesk holds the state");
    let effects = tell(&mut model, *id, JobEvent::Ended(Outcome::Failed(refused)));
    assert!(said(&model).starts_with("what you look at is not kept: another bumpdesk"));
    shelf.answer(&mut model, effects);
    let effects = press(&mut model, ")");
    let started: Vec<_> = effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Start(_, Job::Plan(PlanTask::Mark(_)))))
        .collect();
    assert!(started.is_empty(), "{started:?}");
}

pub(super) fn reviewing(keys: &str) -> impl Fn(u16, u16) -> Model {
    move |columns, rows| {
        let mut shelf = Shelf::normal();
        let mut model = looking(&mut shelf, columns, rows);
        go(&mut shelf, &mut model, keys);
        model.message = None;
        model
    }
}

#[test]
fn changes_frames() {
    snapshots("changes", "loading", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        press(&mut model, "2");
        model
    });
    snapshots("changes", "empty", |columns, rows| looking(&mut Shelf::default(), columns, rows));
    snapshots("changes", "error", |columns, rows| {
        let mut model = started(world::normal(), columns, rows);
        let id = model.board.errand(|_| true).unwrap().id;
        press(&mut model, "2");
        let failure = Failure {
            kind: FailureKind::Config,
            doing: "opening the plan".into(),
            causes: vec!["nothing is kept between runs: the folder cannot be written".into()],
            hint: Some("Name a folder that can be written with --state-dir.".into()),
        };
        tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
        model
    });
    snapshots("changes", "files", reviewing("<space> ) ) ) j"));
    snapshots("changes", "lines", reviewing("<space> ) ) ) <enter> ] ]"));
    snapshots("changes", "held", reviewing(") )"));
    snapshots("changes", "question", reviewing("-"));
    snapshots("changes", "search", reviewing(") ) ) / l i n u x _ a r m"));
    snapshots("changes", "huge", |columns, rows| {
        let mut shelf = Shelf::huge();
        let mut model = looking(&mut shelf, columns, rows);
        go(&mut shelf, &mut model, "<enter> z R G k k");
        model
    });
}

#[test]
fn side_by_side_and_structure() {
    snapshots_at(&[(200, 40)], "changes", "side", reviewing(") ) <enter> t ] j j"));
    let model = reviewing(") ) <enter> t t")(200, 40);
    assert!(screen(&model).contains("structure"));
    let model = reviewing(") ) <enter> t")(120, 40);
    assert!(screen(&model).contains("structure"), "never a half-width in silence");
}
