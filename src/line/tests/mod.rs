//! The line mode without a terminal and without an engine: lines and events in, lines and jobs out.

mod machines;
mod reading;
mod sends;
mod verifying;

use std::sync::Arc;

use jiff::Timestamp;

use crate::desk::intent::{Intent, Question};
use crate::jobs::data::{
    Failure, FailureKind, Job, JobEvent, JobId, Judgement, Loaded, Opened, Outcome, PastJob, PlanTask,
    Progress, Summary, Writes,
};
use crate::line::state::{LineMode, Reply};
use crate::line::{spoken, words};
use crate::print::output::Line;
use crate::print::output::tests::ui;
use crate::print::text::tests::{now, verdict};
use crate::registry::{Address, Catalog, Row, Shape};
use crate::rules::activity::{Activity, day_of};
use crate::rules::memory::Memory;
use crate::rules::plan::PlannedFile;
use crate::rules::{Depth, Status, Verdict};

fn at() -> Timestamp {
    now()
}

fn loaded(count: usize) -> Arc<Loaded> {
    let row = |number: usize| {
        Row::new(
            Address::provider("acme", &format!("p{number:03}")),
            Shape { target_count: 5, ..Shape::default() },
        )
    };
    let verdicts: Vec<Verdict> = (0..count)
        .map(|number| {
            if number % 2 == 0 {
                verdict()
            } else {
                Verdict { status: Status::Drifted, missing: Some(0), ..verdict() }
            }
        })
        .collect();
    Arc::new(Loaded {
        keeps: true,
        may_write: false,
        catalog: Arc::new(Catalog::new((0..count).map(row).collect(), Vec::new())),
        verdicts,
        revision: "main@f00f6d5".into(),
        name: "registry".into(),
        last_bump: None,
        notices: vec!["a notice".into()],
        half_done: Vec::new(),
        has_token: true,
        git_per_second: Some(60.0),
    })
}

/// All that was said, and the jobs that were started.
struct Scene {
    mode: LineMode,
    last: Reply,
}

impl Scene {
    fn new(count: usize) -> Self {
        let mut scene = Self { mode: LineMode::new(ui(), None, None), last: Reply::default() };
        scene.last = scene.mode.begin();
        scene.event(JobEvent::Recalled(Memory::new()));
        scene.done();
        scene.event(JobEvent::Loaded(loaded(count)));
        scene.done();
        scene
    }

    fn last_job(&self) -> (JobId, &Job) {
        let (id, job) = self.last.start.last().expect("a job was started");
        (*id, job)
    }

    /// An event of the job that was started last.
    fn event(&mut self, event: JobEvent) -> String {
        let started = self.last.start.clone();
        let (id, _) = self.last_job();
        self.last = self.mode.take_event(id, event, at());
        if self.last.start.is_empty() {
            self.last.start = started;
        }
        self.text()
    }

    fn done(&mut self) -> String {
        self.event(JobEvent::Ended(Outcome::Done(Summary::default())))
    }

    fn hear(&mut self, line: &str) -> String {
        self.last = self.mode.take_line(line, at());
        self.text()
    }

    fn text(&self) -> String {
        self.last.lines.iter().map(|line| Line::shown(line) + "\n").collect()
    }

    fn started(&self) -> usize {
        self.last.start.len()
    }
}

/// The lines about an opened entry.
pub(crate) fn text_of_entry(opened: Opened) -> String {
    let mut scene = Scene::new(3);
    scene.hear("open 1");
    scene.event(JobEvent::Opened(Arc::new(opened)))
}

/// The lines about a file of the plan.
pub(crate) fn lines_of_file(file: &PlannedFile) -> Vec<Line> {
    spoken::planned(1, file)
}

/// The lines about past jobs.
pub(crate) fn text_of_jobs(jobs: Vec<PastJob>) -> String {
    let mut scene = Scene::new(3);
    scene.hear("jobs");
    scene.event(JobEvent::PastJobs(jobs))
}

#[test]
fn the_list_is_read_out_in_pages_with_numbers_that_stay() {
    let mut scene = Scene::new(45);
    let first = scene.text();
    assert!(
        first.contains(
            "done: read registry main@f00f6d5, 45 entries\nlist: 45 entries, sorted by level, age\n"
        )
    );
    assert!(first.contains("\n1. DRIFT acme slash p001, provider, 6 hours\n"), "{first}");
    assert!(first.ends_with("1 to 20 of 45; next\n"), "{first}");
    let next = scene.hear("next");
    assert!(next.contains("23. BEHIND acme slash p000, provider, 1 version missing, 6 hours\n"), "{next}");
    assert!(scene.hear("n").ends_with("41 to 45 of 45; this is the end\n"));
    assert!(scene.hear("next").starts_with("this is the end"));
    assert!(scene.hear("back").starts_with("21. "));
    let few = scene.hear("filter status:behind p01");
    assert!(
        few.starts_with("list: 5 of 45 entries, filter status:behind p01, sorted by level, age\n"),
        "{few}"
    );
    // A survey finds something out: the row keeps its number until the list is made anew.
    scene.hear("survey 1");
    let judged = Judgement {
        address: Address::provider("acme", "p010"),
        verdict: Verdict { status: Status::Current, missing: Some(0), ..verdict() },
    };
    scene.event(JobEvent::Judged(vec![judged]));
    scene.done();
    scene.hear("1");
    let (_, job) = scene.last_job();
    assert!(
        matches!(job, Job::Open(plan) if plan.address.to_string() == "acme/p010" && plan.rebuild.is_none())
    );
    scene.done();
    assert!(scene.hear("list").starts_with("list: 4 of 45 entries"));
    assert!(scene.hear("filter").starts_with("list: 45 entries"));
}

/// `markdown` alone repeats the last output; without such an output it is refused.
#[test]
fn what_was_read_out_is_read_out_as_markdown() {
    let mut scene = Scene::new(3);
    for line in ["markdown", "markdown plan", "markdown rows", "markdown pull", "markdown review 7"] {
        assert!(scene.hear(line).starts_with("error: "), "{line}: {}", scene.text());
    }
    let heads = |text: String| text.lines().next().unwrap_or_default().to_owned();
    let opened = crate::print::text::tests::opened();
    let head = format!("### `{}` (provider): BEHIND", opened.address);
    scene.hear("open 1");
    scene.event(JobEvent::Opened(Arc::new(opened)));
    assert_eq!(heads(scene.hear("markdown")), head);
    assert!(scene.text().contains("- **indexed**: `1 version"), "{}", scene.text());
    assert!(heads(scene.hear("markdown 2")).starts_with("### `"), "{}", scene.text());
}

/// Without this test an ability that the desk makes no intent of, and that no arm of line mode does, would be silent.
#[test]
fn every_phrase_is_answered() {
    for phrase in words::phrases() {
        let mut scene = Scene::new(3);
        let text = scene.hear(phrase.form);
        let Reply { start, cancel, steer, leave, .. } = &scene.last;
        let does_something = !start.is_empty() || !cancel.is_empty() || steer.is_some() || *leave;
        assert!(does_something || !text.is_empty(), "`{}` is not answered", phrase.form);
    }
}

#[test]
fn mistakes_are_named_and_change_nothing() {
    let mut scene = Scene::new(3);
    for (line, wanted) in [
        ("opne 1", "error: there is no word `opne`; did you mean open?"),
        ("open 4", "error: looking for number 4: the list has the numbers 1 to 3"),
        ("open 0", "the list has the numbers 1 to 3"),
        ("open acme/p00", "you can: Write `acme/p000` if you mean that."),
        ("filter statsu:behind", "the list is as it was"),
        ("sort oldst", "error: there is no order `oldst`; did you mean oldest?"),
        ("group", "write one of: none, status, namespace, kind"),
        ("view drfit", "did you mean `drift`?"),
        ("save all", "is built in"),
        ("delete all", "is built in and cannot be deleted"),
        ("diff", "error: write diff with a number of the list, or with an address"),
        ("survey marked", "error: nothing is marked"),
        ("plan add marked", "error: nothing is marked"),
        ("plan clear 1", "error: "),
        ("plan ad 1", "error: write plan show"),
        ("plan warn 1", "error: write plan warn N TEXT"),
        ("plan warn 1 moved-to nowhere", "`nowhere` is not an address"),
        ("plan block 1 1.0.0", "error: write plan block N VERSION TEXT"),
        ("plan remove 1 1.0.0", "error: write plan remove N VERSION REASON"),
        ("plan remove 1 1.0.0 sideways", "Write one of: malicious-code"),
        ("plan remove 1 1.0.0 legal-duty", "an exceptional reason needs the address of its announcement"),
        ("plan submit", "error: write plan submit provider REPOSITORY"),
        ("plan submit gadget x", "a key comes with a file, and nothing else does"),
        ("plan submit provider acme/rocket", "`acme/rocket` is not OWNER/terraform-provider-NAME"),
        ("plan submit key nobody x.asc", "the registry has no provider of `nobody`"),
        ("approve", "error: write it with the number of a file of the plan"),
        ("approve 1", "no file of the plan has been read out yet"),
        ("approve acme/p001@", "error: there is no version after the @"),
        ("plan drop acme/p001@1.0.0", "this takes a whole file"),
        ("log 0", "error: write log, log errors"),
        ("cancel", "nothing is running"),
        ("mark 2 to 9", "the list has the numbers 1 to 3"),
    ] {
        let said = scene.hear(line);
        assert!(said.contains(wanted), "{line}: {said}");
        assert_eq!(scene.started(), 0, "{line}");
        assert!(scene.mode.question.is_none(), "{line}");
    }
    assert_eq!(scene.hear("  "), "");
}

/// Whatever is typed, a job that writes more than our own memory comes right after a yes to the question about it.
#[test]
fn nothing_is_written_without_a_yes() {
    let lines = [
        "plan add 1",
        "plan rebuild",
        "plan drop all",
        "plan drop acme/p001",
        "approve acme/p001",
        "reject acme/p001@1.0.0",
        "reopen acme/p001 1.0.0",
        "note acme/p001 why not",
        "note acme/p001",
        "plan warn 1 old and unsafe",
        "plan warn acme/p001 moved-to acme/p000",
        "plan block 1 9.9.9 published by accident",
        "plan submit provider umbrella/terraform-provider-parasol",
        "plan submit key acme acme.asc",
    ];
    for line in lines {
        let mut scene = Scene::new(3);
        for no in ["no", "N", "\u{3}", "\u{4}"] {
            let asked = scene.hear(line);
            assert!(asked.starts_with("this changes the plan: "), "{line}: {asked}");
            assert_eq!((scene.started(), scene.mode.prompt()), (0, Some("yes or no> ")), "{line}");
            assert_eq!(scene.hear("perhaps"), "write yes or no\n");
            scene.last = match no {
                "\u{3}" => scene.mode.interrupted(at()),
                "\u{4}" => scene.mode.ended(at()),
                no => scene.mode.take_line(no, at()),
            };
            assert_eq!((scene.text().as_str(), scene.started()), ("nothing was done\n", 0), "{line}");
            assert!(!scene.last.leave);
        }
        scene.hear(line);
        scene.hear("Yes");
        let (_, job) = scene.last_job();
        assert!(job.writes() == Writes::Plan, "{line}: {job:?}");
    }
}

/// The rule itself is the desk's; here a planted question of another kind.
#[test]
fn a_job_that_writes_files_needs_a_yes_too() {
    let mut scene = Scene::new(1);
    let mut reply = Reply::default();
    let asked = Question {
        title: "Do it?",
        says: Vec::new(),
        yes: "do it",
        intent: Intent::rebuild(),
        doing: "bump of everything".into(),
        writes: Writes::Files,
    };
    scene.mode.ask(&mut reply, asked);
    assert!(reply.start.is_empty() && scene.mode.question.is_some());
    assert_eq!(reply.lines[0].shown(), "this changes the registry's data files: bump of everything");
}

#[test]
fn long_jobs_come_one_by_one_and_quick_ones_beside_them() {
    let mut scene = Scene::new(3);
    assert_eq!(scene.hear("survey all"), "now: survey of everything\n");
    let (survey, _) = scene.last_job();
    assert_eq!(scene.mode.prompt(), None);
    let refused = scene.hear("diff 1");
    assert_eq!(refused, "error: survey of everything is still running; cancel stops it\n");
    scene.hear("jobs");
    assert_eq!(scene.text(), "now: survey of everything\n");
    let (jobs, _) = scene.last_job();
    let end = || JobEvent::Ended(Outcome::Done(Summary::default()));
    scene.mode.take_event(jobs, JobEvent::PastJobs(Vec::new()), at());
    scene.mode.take_event(jobs, end(), at());
    let progress = |done| Progress {
        phase: crate::jobs::data::Phase::Tags,
        done,
        total: 61,
        failed: 0,
        requests: 9,
        rate: 3.0,
        left: None,
        waiting: None,
    };
    let mut told = Vec::new();
    for done in [1, 2, 20, 21] {
        let reply = scene.mode.take_event(survey, JobEvent::Progress(progress(done)), at());
        told.extend(reply.lines.iter().map(Line::shown));
    }
    told.extend(scene.mode.tick().lines.iter().map(Line::shown));
    assert_eq!(
        told,
        [
            "now: reading tags and feeds, 1 of 61, 1 percent",
            "now: reading tags and feeds, 20 of 61, 32 percent",
            "now: reading tags and feeds, 21 of 61, 34 percent",
        ]
    );
    // What a job of nobody says is nothing.
    assert!(scene.mode.take_event(JobId(999), end(), at()).lines.is_empty());
    let reply = scene.mode.interrupted(at());
    assert_eq!(
        (reply.lines[0].shown().as_str(), &reply.cancel[..]),
        ("now: stopping: survey of everything", &[survey][..])
    );
    assert_eq!(scene.mode.interrupted(at()).lines[0].shown(), "now: still stopping: survey of everything");
    let summary = Summary { entries: 61, failed: 59, unreached: 58, broken: 1, ..Summary::default() };
    let reply = scene.mode.take_event(survey, JobEvent::Ended(Outcome::Cancelled(summary)), at());
    assert_eq!(
        reply.lines[0].shown(),
        "done: survey of everything was cancelled; what was read is kept: 60 of 61 not checked in full \
         (1 not read upstream, 58 not reached, 1 broken file)"
    );
    assert_eq!(scene.mode.interrupted(at()).lines[0].shown(), "nothing is running; write quit to leave");
}

#[test]
fn leaving_asks_only_while_something_runs() {
    let mut scene = Scene::new(1);
    assert!(scene.mode.take_line("quit", at()).leave);
    assert!(scene.mode.ended(at()).leave);
    scene.hear("survey 1");
    for ask in ["quit", "\u{4}"] {
        let reply = if ask == "quit" { scene.mode.take_line(ask, at()) } else { scene.mode.ended(at()) };
        assert!(!reply.leave);
        let last = reply.lines.last().expect("a question").shown();
        assert_eq!(last, "stop and leave? write yes or no");
        assert_eq!(scene.hear("no"), "staying\n");
    }
    scene.mode.ended(at());
    assert!(scene.mode.take_line("y", at()).leave);
    scene.mode.ended(at());
    assert!(scene.mode.ended(at()).leave, "a second Ctrl-D is a yes");
}

#[test]
fn words_before_the_registry_was_read_are_refused() {
    let mut mode = LineMode::new(ui(), None, Some(Depth::Sums));
    let begun = mode.begin();
    assert!(matches!(begun.start[0].1, Job::Recall));
    for line in ["list", "3", "filter x", "plan show", "approve 1", "mark 1", "survey all", "sort status"] {
        let reply = mode.take_line(line, at());
        assert!(reply.start.is_empty(), "{line}");
        assert!(reply.lines[0].shown().starts_with("error: the registry is still being read"), "{line}");
    }
    assert!(!mode.take_line("help", at()).lines.is_empty());
}

#[test]
fn the_list_says_how_many_files_were_bumped() {
    let mut scene = Scene::new(3);
    let first = scene.hear("list");
    assert!(!first.contains("bumped"), "{first}");
    assert_eq!(scene.last_job().1, &Job::Activity(None));
    let (today, files) = (day_of(at()), Some([2; 30]));
    let activity = Activity { commit: "f00f6d5".repeat(5), today, files };
    let sentence = "60 files bumped in 30 days, at most 2 a day; some every day\n";
    assert_eq!(scene.event(JobEvent::Activity(Arc::new(activity))), sentence);
    assert_eq!(scene.done(), "");
    assert_eq!(scene.hear("list"), first + sentence, "it is counted once");
    let mut scene = Scene::new(3);
    scene.hear("list");
    let failure = Failure::new(FailureKind::Data, "counting").cause("git failed");
    assert_eq!(scene.event(JobEvent::Ended(Outcome::Failed(failure))), "", "nobody asked for it");
}

#[test]
fn marks_outlive_filters_and_are_counted() {
    let mut scene = Scene::new(6);
    assert_eq!(scene.hear("mark 1 to 3"), "3 marked; 3 entries marked in all\n");
    assert!(matches!(scene.last_job().1, Job::Remember(_)));
    scene.done();
    let few = scene.hear("filter status:behind");
    assert!(few.starts_with("list: 3 of 6 entries, filter status:behind, sorted by level, age, 3 marked, 3 of them not in this list"));
    scene.hear("mark 1");
    scene.done();
    assert!(
        scene
            .hear("list")
            .contains("1. BEHIND acme slash p000, provider, 1 version missing, 6 hours, marked\n")
    );
    scene.hear("survey marked");
    assert_eq!(scene.text(), "now: survey of 4 entries\n");
    scene.done();
    scene.hear("plan add marked");
    scene.hear("yes");
    assert!(matches!(scene.last_job().1, Job::Plan(PlanTask::Add(add)) if add.files.len() == 4));
    scene.done();
    assert_eq!(scene.hear("unmark all"), "4 unmarked; 0 entries marked in all\n");
}

#[test]
fn help_names_every_word_and_means_every_status() {
    let mut scene = Scene::new(1);
    let mut help = scene.hear("help");
    help += &scene.hear("next all");
    for phrase in super::words::phrases() {
        assert!(help.contains(&format!("{}: {}\n", phrase.form, phrase.does)), "{}", phrase.form);
    }
    let filter = scene.hear("help filter");
    for told in [
        "status:behind: this status; the start of a word is enough, separate several with commas\n",
        "\"no sums\": these words in the reason; quote words with spaces or punctuation\n",
    ] {
        assert!(filter.contains(told), "{filter}");
    }
    for status in Status::all() {
        let said = scene.hear(&format!("help {}", status.name()));
        assert_eq!(said.lines().count(), 3, "{said}");
        assert!(said.contains("if nothing is done: ") && said.contains("you can: "), "{said}");
        let (level, plain) = (status.row().level.name(), status.row().plain);
        assert!(said.contains(&format!(", {plain} (level {level}): ")), "{said}");
    }
}

/// An edit that the policy refuses ends in a reply, which is read out. No question comes first, since nothing is planned.
#[test]
fn an_ordinary_reason_asks_for_the_reply() {
    let mut scene = Scene::new(3);
    scene.hear("plan remove 1 1.0.0 bug");
    let started: Vec<&Job> = scene.last.start.iter().map(|(_, job)| job).collect();
    assert!(matches!(started[..], [Job::Reply(_)]), "{started:?}");
}
