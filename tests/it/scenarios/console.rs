//! A pull request sent from the console itself, with the real jobs behind it and the world before it: what its screen says where
//! anything fails on the way, and what the next run makes of it.

use std::pin::Pin;
use std::time::Duration;

use bumpdesk::surface::cli::{ConsoleOptions, OpenConsole, Starting};
use bumpdesk::surface::jobs::{Engine, Failure, Job};
use bumpdesk::surface::tui::{Chord, Effect, Model, Msg, Options, Size, update};
use demo::fault::{Fault, FaultKind};
use serde_json::Value;

use super::backfill::{MANY, ROCKET, S12, downloads, sends_what_did_not_drift};
use super::edits::pushing;
use super::machines;
use super::pull::{approved, colleague, writes};
use super::scene::before;
use super::send::{
    LANES, acts, digits, exist, faults, is_no, killed, later, share_folders, taken_back, with_colleague,
};
use super::stranded::mirror;
use crate::door::Door;
use crate::seat;

const SIZE: (u16, u16) = (120, 40);

/// A console that somebody sits at who reads before each key.
struct Console {
    engine: Engine,
    model: Model,
    now: jiff::Timestamp,
    uptime: Duration,
    /// The screens that are told of.
    kept: Vec<String>,
}

impl Console {
    async fn start(engine: Starting<'_>, options: ConsoleOptions) -> Result<Self, Failure> {
        let engine = engine.await?;
        let now = options.now;
        let options =
            Options { registry_hint: options.registry, ..Options::new(now, Size::new(SIZE.0, SIZE.1)) };
        let mut console =
            Self { engine, model: Model::new(options), now, uptime: Duration::ZERO, kept: Vec::new() };
        let effects = console.model.begin();
        console.perform(effects).await;
        console.keep();
        Ok(console)
    }

    fn screen(&self) -> String {
        seat::screen(&self.model, Size::new(SIZE.0, SIZE.1))
    }

    fn keep(&mut self) {
        self.kept.push(self.screen());
    }

    /// Performs effects, and what follows from them, until no job runs. Nobody waits here for what becomes of a pull request.
    async fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = effects;
        loop {
            for effect in std::mem::take(&mut waiting) {
                match effect {
                    Effect::Start(_, Job::Watch(_)) => {}
                    Effect::Start(id, job) => self.engine.start(id, job),
                    Effect::Cancel(id) => self.engine.cancel(id),
                    _ => {}
                }
            }
            waiting = update(&mut self.model, Msg::Drawn);
            waiting.retain(|effect| *effect != Effect::Frame);
            if !waiting.is_empty() {
                continue;
            }
            if !self.engine.is_busy() {
                return;
            }
            let (id, event) = self.engine.next().await;
            waiting = update(&mut self.model, Msg::Job(id, event));
        }
    }

    async fn hear(&mut self, msg: Msg) {
        self.uptime += Duration::from_secs(3);
        update(&mut self.model, Msg::Tick { now: self.now, uptime: self.uptime });
        let effects = update(&mut self.model, msg);
        self.perform(effects).await;
    }

    async fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.hear(Msg::Key(Chord::parse(key).expect("a key"))).await;
        }
    }

    async fn arm(&mut self) {
        self.press("W a").await;
        self.hear(Msg::Paste("the bump missed it".into())).await;
        self.press("enter").await;
    }

    /// Types the digits that stand on the screen, after the key that opens their field.
    async fn confirm(&mut self, key: &str) {
        self.press(key).await;
        let screen = self.screen();
        let digits = screen.split("Type the digits ").nth(1).unwrap_or_else(|| panic!("no field\n{screen}"));
        let digits = digits[..6].to_owned();
        self.hear(Msg::Paste(digits)).await;
        self.press("enter").await;
        self.keep();
    }

    async fn leave(mut self) -> Result<Option<String>, Failure> {
        self.engine.shutdown(Duration::from_secs(5)).await;
        Ok(Some(self.kept.join(BETWEEN)))
    }
}

const BETWEEN: &str = "\n=====\n";

type Left<'a> = Pin<Box<dyn Future<Output = Result<Option<String>, Failure>> + 'a>>;

impl Console {
    /// To the pull request: what an earlier run left, or that of the plan.
    async fn goes_there(&mut self, from_a_fork: bool) {
        self.press("2 P").await;
        self.keep();
        if !flat(&self.screen()).contains("stopped in an earlier run") {
            self.press("e").await;
            self.press("tab").await;
            self.hear(Msg::Paste("manual-bump".into())).await;
            self.press("tab").await;
            self.hear(Msg::Paste("bea".into())).await;
            self.press(if from_a_fork { "tab tab space enter" } else { "enter" }).await;
        }
    }
}

/// Sends the plan, or continues what an earlier run left, be that of it or of taking it back.
fn sends<const FORK: bool>(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.goes_there(FORK).await;
        console.arm().await;
        console.confirm("P").await;
        console.leave().await
    })
}

/// Sends the plan and takes it back; where that stops, it is looked at again and continued.
fn sends_and_takes_back<const FORK: bool, const AGAIN: bool>(
    engine: Starting<'_>,
    options: ConsoleOptions,
) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.goes_there(FORK).await;
        console.arm().await;
        console.confirm("P").await;
        console.press("u").await;
        console.confirm("u").await;
        if AGAIN && !flat(&console.screen()).contains("it is undone") {
            console.press("u").await;
            console.confirm("u").await;
        }
        console.leave().await
    })
}

/// Takes back what an earlier run left.
fn takes_back(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("2 P").await;
        console.keep();
        if flat(&console.screen()).contains("u undoes it") {
            console.press("u").await;
        }
        if console.screen().contains("this would undo it") {
            console.arm().await;
            console.confirm("u").await;
        }
        console.leave().await
    })
}

/// Starts, and leaves.
fn looks(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async { Console::start(engine, options).await?.leave().await })
}

/// What stood on the screens of a console: at its start, where the pull request was shown, and after each time of digits.
async fn screens(door: &mut Door, console: OpenConsole) -> Vec<String> {
    door.terminal = true;
    door.console = console;
    let said = door.run(&["--write"]).await;
    door.terminal = false;
    assert_eq!(said.exit, 0, "{said}");
    said.err.replace("\\n", "\n").split(BETWEEN).map(str::to_owned).collect()
}

fn flat(screen: &str) -> String {
    screen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A way to send: how the console sends it, whose repository gets the branch, and what its requests are called on the screen.
struct Course {
    sends: OpenConsole,
    home: &'static str,
    requests: &'static [&'static str],
}

const STRAIGHT: Course = Course {
    sends: sends::<false>,
    home: "opentofu",
    requests: &["make the branch", "commit 2 files", "open the draft", "label it", "ask bea"],
};
const FORKED: Course = Course {
    sends: sends::<true>,
    home: "ann",
    requests: &[
        "fork opentofu/registry",
        "bring main of ann/registry",
        "make the branch",
        "commit 2 files",
        "open the draft",
        "label it",
        "ask bea",
    ],
};
/// What takes either back.
const TAKEN_BACK: [&str; 3] = ["comment on", "close pull request", "delete the branch"];

/// What GitHub says of each request: whether what it makes is there.
async fn made(door: &Door, course: &Course) -> Vec<bool> {
    let get = async |path: &str| colleague(door, "GET", path, Value::Null).await;
    let main = async |owner: &str| {
        get(&format!("/repos/{owner}/registry/git/ref/heads/main")).await["object"]["sha"].clone()
    };
    let (branches, pulls) = exist(door, course.home).await;
    let base = main("opentofu").await;
    let has =
        |field: &str| pulls.iter().any(|pull| pull[field].as_array().is_some_and(|all| !all.is_empty()));
    let mut made = Vec::new();
    for request in course.requests {
        made.push(match *request {
            "fork opentofu/registry" => get("/repos/ann/registry").await["fork"] == true,
            "bring main of ann/registry" => main("ann").await == base,
            "make the branch" => !branches.is_empty(),
            "commit 2 files" => match branches.first() {
                Some(branch) => {
                    let path = format!("/repos/{}/registry/git/ref/heads/{branch}", course.home);
                    get(&path).await["object"]["sha"] != base
                }
                None => false,
            },
            "open the draft" => !pulls.is_empty(),
            "label it" => has("labels"),
            _ => has("requested_reviewers"),
        });
    }
    made
}

/// The row of a request: what a failure says of it has no sign.
fn row<'s>(screen: &'s str, request: &str) -> &'s str {
    let signs = ["WAITING", "SENDING", "DONE", "UNKNOWN", "REFUSED"];
    let is_it = |line: &&str| line.contains(request) && signs.iter().any(|sign| line.contains(sign));
    screen.lines().find(is_it).unwrap_or_else(|| panic!("no `{request}`\n{screen}"))
}

/// Nothing stands there as done that is not, and nothing as waiting that is: `at` is the request that was cut off.
fn agrees(screen: &str, requests: &[&str], made: &[bool], at: usize, case: &str) {
    for (number, (request, is_made)) in requests.iter().zip(made).enumerate() {
        let row = row(screen, request);
        assert!(!row.contains("DONE") || *is_made, "{case}: {row}");
        assert!(!row.contains("WAITING") || !is_made || number > at, "{case}: {row}");
        assert!(number > at || !row.contains("SENDING"), "{case}: {row}");
        assert!(number >= at || row.contains("DONE"), "{case}: {row}");
    }
}

/// Each fault at every request: the screen says what exists and what the ways on are, nothing that is unknown stands there as
/// done, and the next run finds it, and continues it or takes it back. Gives back how many cases that were, and how many of them
/// were left to the next run.
async fn says_what_exists(course: &Course) -> (usize, usize) {
    let (mut cases, mut runs) = (0, 0);
    for (number, (what, kind)) in faults().into_iter().enumerate() {
        // One world for all requests: what is left of a case is what undoing leaves.
        let mut door = with_colleague().await;
        approved(&door).await;
        for (at, request) in course.requests.iter().enumerate() {
            // That is said to a commit alone.
            if matches!(kind, FaultKind::Graphql(_)) && *request != "commit 2 files" {
                continue;
            }
            cases += 1;
            let case = format!("{what} at `{request}`");
            later(&mut door, 20);
            bumped(&door, UNPLANNED);
            let fault = Fault::new(&LANES, kind.clone()).on_change(at as u32);
            door.server.edit(|world| world.faults = vec![fault.clone()]);
            let shown = screens(&mut door, course.sends).await;
            assert!(!shown[0].contains("was cut off"), "{case}: {}", shown[0]);
            assert_eq!(fault.struck(), 1, "{case}: {}", shown.join("\n"));
            let last = shown.last().expect("a screen");
            let made = made(&door, course).await;
            let end = flat(last);
            let is_begun = at > 0 || !is_no(&kind);
            if is_begun {
                agrees(last, course.requests, &made, at, &case);
            }
            let refused = "GitHub refused the first request: nothing was made";
            assert_eq!(end.contains(refused), !is_begun, "{case}: {end}");
            let is_added = ["label it", "ask bea"].contains(request);
            let is_looked_for = !request.starts_with("bring");
            // The answer was lost or wrong, but GitHub shows that the request took effect.
            let is_found = acts(&kind) && is_looked_for;
            let is_left_out = is_added && matches!(kind, FaultKind::Status(403 | 409 | 422));
            let (branches, pulls) = exist(&door, course.home).await;
            assert_eq!(end.contains(&format!("GitHub refused to {request}")), is_left_out, "{case}: {end}");
            if is_found || is_left_out {
                assert!(end.contains("is open: https://github.com/"), "{case}: {end}");
                let is_missing = |other: &str| is_left_out && other == *request;
                let wanted: Vec<bool> = course.requests.iter().map(|other| !is_missing(other)).collect();
                assert_eq!(made, wanted, "{case}: {end}");
            } else {
                let exists = end.split("on GitHub now: ").nth(1).unwrap_or_default();
                let exists = exists.split(';').next().unwrap_or_default();
                assert_eq!(exists.contains("the branch bumpdesk/"), !branches.is_empty(), "{case}: {end}");
                assert_eq!(exists.contains("pull request #"), !pulls.is_empty(), "{case}: {end}");
                let ways = if is_begun { "r resumes it, u undoes it" } else { "r tries again" };
                assert!(end.contains(ways), "{case}: {end}");
                runs += 1;
                let continues = (at + number) % 2 == 0;
                let next = screens(&mut door, if continues { course.sends } else { takes_back }).await;
                assert_eq!(flat(&next[0]).contains("was cut off"), is_begun, "{case}: {}", next[0]);
                let stopped = "it stopped in an earlier run";
                assert_eq!(flat(&next[1]).contains(stopped), is_begun, "{case}: {}", next[1]);
                if !continues {
                    assert_eq!(
                        exist(&door, course.home).await,
                        (Vec::new(), Vec::new()),
                        "{case}: {}",
                        next.join("\n")
                    );
                    continue;
                }
                let end = flat(next.last().expect("a screen"));
                assert!(end.contains("is open: https://github.com/"), "{case}: {end}");
                assert_eq!(self::made(&door, course).await, vec![true; made.len()], "{case}: {end}");
            }
            taken_back(&door, &sent_as(last), course.home, &case).await;
        }
        let after = screens(&mut door, looks).await;
        assert!(!after[0].contains("was cut off"), "{what}: {}", after[0]);
    }
    (cases, runs)
}

/// The digits of what a screen shows.
fn sent_as(screen: &str) -> String {
    let after = screen.split(" digits are ").nth(1).unwrap_or_else(|| panic!("no digits\n{screen}"));
    after[..6].to_owned()
}

/// A file that is in no plan; the registry's own bump changes it.
const UNPLANNED: &str = "providers/z/zeta/zeta.json";

/// A bump lands on the registry's branch.
fn bumped(door: &Door, path: &str) {
    door.server.edit(|world| {
        let now = world.now;
        let bytes = format!("{{\n  \"versions\": [],\n  \"warnings\": [\"{now}\"]\n}}").into_bytes();
        world.forge.bump(now, [(path.to_owned(), Some(bytes.into()))]);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_screen_says_what_exists_after_every_fault() {
    stamped!(crate::PROGRAM);
    let (cases, runs) = says_what_exists(&STRAIGHT).await;
    println!(
        "{cases} cases: {} requests, {} faults; {runs} of them continued or taken back by the next console",
        STRAIGHT.requests.len(),
        faults().len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_screen_says_what_exists_after_every_fault_on_the_way_from_a_fork() {
    stamped!(crate::PROGRAM);
    let (cases, runs) = says_what_exists(&FORKED).await;
    println!(
        "{cases} cases from a fork: {} requests, {} faults; {runs} of them continued or taken back by the next console",
        FORKED.requests.len(),
        faults().len()
    );
}

/// Each fault at every request that takes one back: the screen says how far it is, and it is continued, in the same console or, where
/// something of it was done, by the next run.
#[tokio::test(flavor = "multi_thread")]
async fn the_screen_says_what_was_taken_back_after_every_fault() {
    stamped!(crate::PROGRAM);
    let (mut cases, mut runs) = (0, 0);
    for (number, (what, kind)) in faults().into_iter().enumerate() {
        let is_straight = number % 2 == 0;
        let (course, consoles): (_, [OpenConsole; 2]) = if is_straight {
            (STRAIGHT, [sends_and_takes_back::<false, false>, sends_and_takes_back::<false, true>])
        } else {
            (FORKED, [sends_and_takes_back::<true, false>, sends_and_takes_back::<true, true>])
        };
        let mut door = with_colleague().await;
        approved(&door).await;
        for (at, request) in TAKEN_BACK.iter().enumerate() {
            if matches!(kind, FaultKind::Graphql(_)) && *request != "delete the branch" {
                continue;
            }
            cases += 1;
            let case = format!("{what} at `{request}`");
            later(&mut door, 20);
            let before = writes(&door).len();
            let fault = Fault::new(&LANES, kind.clone()).on_change((course.requests.len() + at) as u32);
            door.server.edit(|world| world.faults = vec![fault.clone()]);
            // A token that was refused once is not used any more, until bumpdesk is started with another one.
            let again = if kind == FaultKind::Status(401) { 0 } else { (number / 2 + at) % 2 };
            let shown = screens(&mut door, consoles[again]).await;
            assert_eq!(fault.struck(), 1, "{case}: {}", shown.join("\n"));
            let last = shown.last().expect("a screen");
            if again == 1 {
                assert!(flat(last).contains("it is undone"), "{case}: {last}");
                assert_eq!(exist(&door, course.home).await, (Vec::new(), Vec::new()), "{case}: {last}");
                let next = screens(&mut door, looks).await;
                assert!(!next[0].contains("was cut off"), "{case}: {}", next[0]);
                continue;
            }
            let said = writes(&door)[before..].iter().filter(|line| line.ends_with("/comments")).count();
            let (branches, pulls) = exist(&door, course.home).await;
            let is_commented = at > 0 || acts(&kind);
            assert_eq!(said, 1, "{case}");
            let made = [is_commented, pulls.is_empty(), branches.is_empty()];
            agrees(last, &TAKEN_BACK, &made, at, &case);
            let end = flat(last);
            if acts(&kind) {
                assert!(end.contains("it is undone") && made == [true; 3], "{case}: {end}");
                continue;
            }
            let is_begun = at > 0 || row(last, request).contains("UNKNOWN");
            let told = if is_begun { "undoing it stopped" } else { "this would undo it" };
            assert!(end.contains(told) && end.contains("opens the field for the digits"), "{case}: {end}");
            if !is_begun {
                let next = screens(&mut door, looks).await;
                assert!(!next[0].contains("was cut off"), "{case}: {}", next[0]);
                taken_back(&door, &sent_as(&shown[2]), course.home, &case).await;
                continue;
            }
            runs += 1;
            let next = screens(&mut door, course.sends).await;
            assert!(flat(&next[0]).contains("taking back sending"), "{case}: {}", next[0]);
            assert!(flat(&next[1]).contains("undoing it stopped in an earlier run"), "{case}: {}", next[1]);
            let end = flat(next.last().expect("a screen"));
            assert!(end.contains("it is undone"), "{case}: {end}");
            assert_eq!(exist(&door, course.home).await, (Vec::new(), Vec::new()), "{case}: {end}");
        }
        let after = screens(&mut door, looks).await;
        assert!(!after[0].contains("was cut off"), "{what}: {}", after[0]);
    }
    println!(
        "{cases} cases: {} requests, {} faults; {runs} of them continued by the next console",
        TAKEN_BACK.len(),
        faults().len()
    );
}

/// Continues all that earlier runs left, one after the other.
fn continues_each(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("2 P").await;
        console.keep();
        console.arm().await;
        console.confirm("P").await;
        while flat(&console.screen()).contains("P shows the next") {
            console.press("P").await;
            console.keep();
            console.confirm("P").await;
        }
        console.leave().await
    })
}

/// Two that commands left, one of them while it was taken back: the console continues each.
#[tokio::test(flavor = "multi_thread")]
async fn each_that_was_cut_off_is_continued_in_the_console() {
    let mut door = with_colleague().await;
    let plan = approved(&door).await;
    let cut = |after| {
        let fault = Fault::new(&LANES, FaultKind::Reset).on_change(after);
        door.server.edit(|world| world.faults = vec![fault]);
    };
    for (more, after) in [("--letter a", 1), ("--letter u", 2)] {
        let name = digits(&door, &plan, more).await;
        cut(after);
        let said = door.said(&format!("pr open --plan {plan} --confirm {name} --write {more}")).await;
        said.is(3, &["whether it took effect is not known"]);
        if after == 2 {
            let undo = door.said(&format!("pr undo {name} --json")).await.objects();
            let undo = undo[0]["name"].as_str().expect("digits").to_owned();
            cut(0);
            let said = door.said(&format!("pr undo {name} --confirm {undo} --write")).await;
            said.is(3, &["whether it took effect is not known"]);
        }
    }
    let shown = screens(&mut door, continues_each).await;
    assert!(flat(&shown[0]).contains("was cut off, and 1 other after it"), "{}", shown[0]);
    let told = flat(&shown.join("\n"));
    for wanted in
        ["1 other sending of earlier runs was cut off", "is open: https://github.com/", "it is undone"]
    {
        assert!(told.contains(wanted), "{wanted}: {}", shown.join("\n"));
    }
    let (branches, pulls) = exist(&door, "opentofu").await;
    assert_eq!((branches.len(), pulls.len()), (1, 1), "{}", shown.join("\n"));
    let after = screens(&mut door, looks).await;
    assert!(!after[0].contains("was cut off"), "{}", after[0]);
}

/// The registry's own bump lands where it was cut off: of something else it holds nothing up, and of the same file it stops the
/// console, which takes back what is there.
#[tokio::test(flavor = "multi_thread")]
async fn the_screen_says_that_the_base_moved() {
    stamped!(crate::PROGRAM);
    let mut cases = 0;
    for course in [STRAIGHT, FORKED] {
        for request in ["commit 2 files", "open the draft"] {
            for path in ["providers/a/acme/rocket.json", UNPLANNED] {
                cases += 1;
                let case = format!("{path} before `{request}` of {}", course.home);
                let at = course.requests.iter().position(|other| *other == request).expect("a request");
                let mut door = with_colleague().await;
                approved(&door).await;
                let fault = Fault::new(&LANES, FaultKind::Reset).on_change(at as u32);
                door.server.edit(|world| world.faults.push(fault));
                screens(&mut door, course.sends).await;
                let before = made(&door, &course).await;
                bumped(&door, path);
                let next = screens(&mut door, course.sends).await;
                let end = flat(next.last().expect("a screen"));
                let (_, pulls) = exist(&door, course.home).await;
                if path == UNPLANNED {
                    assert!(
                        end.contains("is open: https://github.com/") && pulls.len() == 1,
                        "{case}: {end}"
                    );
                    continue;
                }
                assert!(end.contains("changed on main since this was built"), "{case}: {end}");
                assert!(end.contains("r resumes it, u undoes it"), "{case}: {end}");
                assert_eq!((pulls.len(), before[at]), (0, false), "{case}: {end}");
                let next = screens(&mut door, takes_back).await;
                assert_eq!(
                    exist(&door, course.home).await,
                    (Vec::new(), Vec::new()),
                    "{case}: {}",
                    next.join("\n")
                );
            }
        }
    }
    println!("{cases} cases: a bump that landed in between");
}

/// A command that was killed while a request was out, before and after it took effect, is continued by the console, or taken back.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_killed_is_continued_in_the_console() {
    stamped!(crate::PROGRAM);
    let long = Duration::from_mins(10);
    let mut cases = 0;
    for (course, more) in [
        (STRAIGHT, "--label manual-bump --reviewer bea"),
        (FORKED, "--fork --label manual-bump --reviewer bea"),
    ] {
        for (at, request) in course.requests.iter().enumerate() {
            for (number, held) in [FaultKind::Slow(long), FaultKind::Withhold(long)].into_iter().enumerate() {
                cases += 1;
                let case = format!("{held:?} at `{request}` of {}", course.home);
                let mut door = with_colleague().await;
                share_folders(&mut door);
                let plan = approved(&door).await;
                let name = digits(&door, &plan, more).await;
                let fault = Fault::new(&LANES, held).on_change(at as u32);
                door.server.edit(|world| world.faults.push(fault.clone()));
                killed(&door, (&plan, &name, more), &fault).await;
                let continues = (at + number) % 2 == 0;
                let shown = screens(&mut door, if continues { course.sends } else { takes_back }).await;
                let first = flat(&shown[0]);
                assert!(first.contains("was cut off; P in Changes continues it"), "{case}: {first}");
                assert!(row(&shown[1], request).contains("UNKNOWN"), "{case}: {}", shown[1]);
                // It is there where its answer was held back.
                let perhaps = format!("perhaps what request {} asked for", at + 1);
                assert!(flat(&shown[1]).contains(&perhaps), "{case}: {}", shown[1]);
                if continues {
                    let made = made(&door, &course).await;
                    assert_eq!(made, vec![true; made.len()], "{case}: {}", shown.join("\n"));
                } else {
                    let (branches, pulls) = exist(&door, course.home).await;
                    assert_eq!((branches.len(), pulls.len()), (0, 0), "{case}: {}", shown.join("\n"));
                }
            }
        }
    }
    println!("{cases} cases: killed before and after a request took effect");
}

/// A dry run of one entry from the form, its end, two of its bad rows whole; then the same run into the plan.
fn fills_in(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("/").await;
        console.hear(Msg::Paste("acme/rocket".into())).await;
        console.press("enter b").await;
        console.keep();
        console.press("shift-tab space space enter").await;
        console.keep();
        console.press("y").await;
        console.keep();
        console.press("enter").await;
        console.keep();
        console.press("esc n enter").await;
        console.keep();
        console.press("esc b enter y").await;
        console.keep();
        console.press("2").await;
        console.keep();
        console.leave().await
    })
}

/// A backfill by keys, with an archive that is another one by now and one that is gone: each is a row with its reason, what was found is
/// not downloaded twice, and the rest is in the plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_backfill_tells_what_cannot_be_filled_in_and_plans_the_rest() {
    let mut door = Door::on(&format!(
        "{MANY}releases = [{{ tag = \"v1.0.0\", absent = [\"linux_amd64\"], mismatch = [\"darwin_arm64\"] }}]\n"
    ))
    .await;
    let shown = screens(&mut door, fills_in).await;
    let [_, form, asked, over, drifted, gone, again, plan] = &shown[..] else { panic!("{shown:#?}") };
    for (screen, texts) in [
        (form, &["h1 or size of 12 targets in 3 versions", "bumpdesk backfill run acme/rocket"][..]),
        (asked, &["Fill in h1 and size?", "acme/rocket: 12 targets", "is kept for the next run"]),
        (
            over,
            &[
                "12/12 drifted 1 cannot 1 held 2 filled 8",
                "a dry run: what was found is kept for the next run",
            ],
        ),
        (
            drifted,
            &[
                "DRIFT acme/rocket 1.0.0 darwin_arm64",
                "upstream has another archive",
                "V verifies this version",
            ],
        ),
        (gone, &["GONE acme/rocket 1.0.0 linux_amd64", "there is no such file upstream"]),
        (again, &["10 from an earlier run", "1 file in the plan now; 2 shows it"]),
        (plan, &["[2 Changes 1]", "acme/rocket"]),
    ] {
        let flat = flat(screen);
        assert!(texts.iter().all(|text| flat.contains(text)), "{texts:?}\n{screen}");
    }
    let downloads = downloads(&door);
    assert_eq!(
        downloads.values().filter(|count| **count > 1).count(),
        1,
        "but for what drifted: {downloads:?}"
    );
    door.said("plan show acme/rocket").await.is(0, &["1.2.0", "1.1.0"]);
    door.is_untouched();
}

/// A backfill of one entry as the form proposes it, into the plan.
fn fills_in_as_proposed(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("/").await;
        console.hear(Msg::Paste("acme/rocket".into())).await;
        console.press("enter b").await;
        console.keep();
        console.press("enter y").await;
        console.keep();
        console.press("2").await;
        console.keep();
        console.leave().await
    })
}

/// S12 by keys: what is sent of it has h1 and size of what did not drift, and nothing else is another.
#[tokio::test(flavor = "multi_thread")]
async fn s12_by_keys_fills_in_what_did_not_drift() {
    let mut door = Door::on(&pushing(S12)).await;
    let old = door.read(ROCKET);
    let shown = screens(&mut door, fills_in_as_proposed).await;
    let [_, form, over, plan] = &shown[..] else { panic!("{shown:#?}") };
    for (screen, texts) in [
        (form, &["h1 or size of 4 targets in 2 versions"][..]),
        (over, &["4/4 drifted 1 filled 3", "DRIFT", "0.9.0", "1 file in the plan now"]),
        (plan, &["[2 Changes 1]", "acme/rocket"]),
    ] {
        let flat = flat(screen);
        assert!(texts.iter().all(|text| flat.contains(text)), "{texts:?}\n{screen}");
    }
    sends_what_did_not_drift(&door).await;
    assert_eq!(door.read(ROCKET), old, "no data file is written");
}

/// A line in the palette, and its answer.
fn asks_why(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press(":").await;
        console.hear(Msg::Paste("hashicorp/null@3.2.4".into())).await;
        console.press("enter").await;
        console.keep();
        console.leave().await
    })
}

/// S2 by keys: why the fork has no build.
#[tokio::test(flavor = "multi_thread")]
async fn s2_by_keys_says_why_a_fork_has_no_build() {
    const TAG: &str = "tags = [{ name = \"v3.2.4\", at = \"-9d\" }]\n";
    for (builds, texts) in [
        (
            "builds = [{ at = \"-9h\", event = \"schedule\", ended = \"failure\" }]\n",
            [
                "the newest run of its workflows, Sync and build, failed",
                "terraform-provider-null/actions/runs/",
            ],
        ),
        (
            "builds = [{ at = \"-61d\", event = \"schedule\", ended = \"success\" }]\n",
            ["61 days", "disabled"],
        ),
    ] {
        let mut door = Door::on(&mirror(&format!("{TAG}{builds}"))).await;
        let shown = screens(&mut door, asks_why).await;
        let [_, answer] = &shown[..] else { panic!("{shown:#?}") };
        assert!(answer.contains("MIRROR") && texts.iter().all(|text| answer.contains(text)), "{answer}");
        door.is_untouched();
    }
}

/// The board, the story of its first card, and the board again after that was ignored until a date.
fn looks_at_the_board(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("6").await;
        console.keep();
        console.press("enter").await;
        console.keep();
        console.press("esc i").await;
        console.hear(Msg::Paste("90d".into())).await;
        console.press("tab").await;
        console.hear(Msg::Paste("asked upstream".into())).await;
        console.press("enter").await;
        console.keep();
        console.leave().await
    })
}

/// S2, S4 and S8 by keys: the column and the cause, what would have to happen, and what is ignored.
#[tokio::test(flavor = "multi_thread")]
async fn the_board_shows_what_is_stranded() {
    let scenario = |file: &str| {
        let text = std::fs::read_to_string(format!("tests/scenarios/{file}")).expect("a scenario");
        before(&text).to_owned()
    };
    for (text, board, story) in [
        (
            mirror(r#"tags = [{ name = "v3.2.4", at = "-9d" }]"#),
            "the fork has the tag and no build",
            "broken upstream: the fork has the tag and no build",
        ),
        (
            scenario("s4-retry-wait.toml"),
            "1.58.0 try 9 in 40h",
            "8 failed tries of the bump, each: checksums not found in release",
        ),
        (
            scenario("s8-half.toml"),
            "6.11.0 checksums diff",
            "MUTATES: it would change an indexed version, which the policy refuses but for exceptions",
        ),
        (
            scenario("s8-half-same.toml"),
            "6.11.0 indexed with too",
            "policy or decided: indexed with too few platforms",
        ),
    ] {
        let mut door = Door::on(&text).await;
        door.said("survey --depth sums").await;
        let shown = screens(&mut door, looks_at_the_board).await;
        let [_, on_board, whole, ignored] = &shown[..] else { panic!("{shown:#?}") };
        assert!(on_board.contains("6 Stranded 1"), "{on_board}");
        assert!(board.split(' ').all(|word| on_board.contains(word)), "{board}\n{on_board}");
        assert!(flat(whole).contains(story), "{story}\n{whole}");
        assert!(ignored.contains("IGNORED") && ignored.contains("until 2027-02-19"), "{ignored}");
        // By command it is the same by now, and nothing was written into the registry.
        door.said("stranded").await.is(0, &["POLICY OR DECIDED  1", "IGNORED"]);
        door.is_untouched();
    }
}

/// A backfill on two of GitHub's machines: started by its digits, followed in Jobs, the log of what failed read, that alone run again by
/// other digits, and what was found put into the plan.
fn backfills_on_machines(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("A W b").await;
        console.press("enter").await;
        console.keep();
        console.arm().await;
        console.confirm("P").await;
        console.press("esc").await;
        console.keep();
        console.press("enter").await;
        console.press("enter").await;
        console.keep();
        console.press("esc esc").await;
        console.press("r").await;
        console.keep();
        console.confirm("P").await;
        console.press("esc").await;
        console.keep();
        console.press("a").await;
        console.keep();
        console.press("y").await;
        console.keep();
        console.leave().await
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backfill_on_githubs_machines_by_keys() {
    let fate = "[[actions.fate]]\nname = \"share 2 of 2\"\nends = \"failure\"\nuntil_attempt = 1\n";
    let mut door = machines::on(fate).await;
    let shown = screens(&mut door, backfills_on_machines).await;
    let [_, ready, sent, failed, log, again, sent_again, done, question, merged] = &shown[..] else {
        panic!("{}", shown.join(BETWEEN))
    };
    for (screen, parts) in [
        (
            ready,
            &["Dispatch of backfill", "2 shares of 10 targets", "start backfill.yml of main", "> run"][..],
        ),
        (
            sent,
            &[
                "of backfill.yml: https://github.com/opentofu/registry/actions/runs/",
                "failed, 2 of 3 jobs; Esc shows its jobs",
                "DONE",
            ],
        ),
        (
            failed,
            &[
                "failed, 2 of 3 jobs",
                "3 of 3 jobs are over, 2 failed; r shows what would run what failed once more",
                "FAILED share 2 of 2",
                "kept 1 artifact",
            ],
        ),
        (log, &["log of share 2 of 2", "The operation was ended by the world's scenario."]),
        (again, &["Re-run of what failed in run", "runs once more what failed in attempt 1 of run"]),
        (sent_again, &["DONE run once more what failed in attempt 1"]),
        (done, &["is done, 3 jobs", "attempt 2: 3 jobs", "DONE share 1 of 2", "DONE share 2 of 2 attempt 2"]),
        (question, &["Put it together?", "No data file is written."]),
        (merged, &["2 files in the plan now; 2 shows it"]),
    ] {
        for part in parts {
            assert!(flat(screen).contains(part), "no `{part}` in\n{screen}");
        }
    }
    let dispatched = |end: &str| writes(&door).iter().filter(|one| one.ends_with(end)).count();
    assert_eq!((dispatched("/dispatches"), dispatched("/rerun-failed-jobs")), (1, 1));
    door.said("plan show").await.is(0, &["acme/rocket", "umbrella/portal"]);
    door.is_untouched();
}

/// Starts a backfill on two machines.
fn starts_on_machines(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("A W b").await;
        console.press("enter").await;
        console.arm().await;
        console.confirm("P").await;
        console.leave().await
    })
}

/// Continues what an earlier run left of one.
fn continues_on_machines(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(async {
        let mut console = Console::start(engine, options).await?;
        console.press("2 P").await;
        console.keep();
        console.arm().await;
        console.confirm("P").await;
        console.leave().await
    })
}

/// Whatever becomes of the request or of its answer, the screen says what is known and the ways on, the next console finds what was
/// cut off, and nothing is started twice.
#[tokio::test(flavor = "multi_thread")]
async fn the_screen_says_whether_a_run_was_started() {
    for (what, kind) in [
        ("no answer", FaultKind::Reset),
        ("an answer that was lost after it took effect", FaultKind::Truncate(0)),
        ("500", FaultKind::Status(500)),
        ("a lost permission", FaultKind::Status(403)),
    ] {
        let more = "[actions]\nwithout_details = true\n[[actions.fate]]\nname = \"\"\nends = \"success\"\n";
        let mut door = machines::on(more).await;
        let fault = Fault::new(&LANES, kind.clone()).on_change(0);
        door.server.edit(|world| world.faults = vec![fault.clone()]);
        let shown = screens(&mut door, starts_on_machines).await;
        assert_eq!(fault.struck(), 1, "{what}: {}", shown.join(BETWEEN));
        let end = flat(shown.last().expect("a screen"));
        let runs = || door.server.look(|world| world.forge.actions.count());
        let begun = runs();
        if is_no(&kind) {
            assert!(
                end.contains("GitHub refused the first request: nothing was made; r tries again"),
                "{what}: {end}"
            );
            assert_eq!(begun, 0, "{what}");
            continue;
        }
        if end.contains("of backfill.yml: https://") {
            assert_eq!(begun, 1, "{what}");
            continue;
        }
        assert!(
            end.contains("it stopped; on GitHub now: perhaps") && end.contains("r resumes it"),
            "{what}: {end}"
        );
        let shown = screens(&mut door, continues_on_machines).await;
        assert!(flat(&shown[0]).contains("the dispatch of a backfill was cut off"), "{what}: {}", shown[0]);
        assert!(flat(&shown[1]).contains("it stopped in an earlier run"), "{what}: {}", shown[1]);
        let end = flat(shown.last().expect("a screen"));
        let found = if begun == 1 { "of backfill.yml: https://" } else { "no run of it is listed so far" };
        assert!(end.contains(found), "{what}: {end}");
        assert_eq!(door.server.look(|world| world.forge.actions.count()), begun, "{what}");
    }
}
