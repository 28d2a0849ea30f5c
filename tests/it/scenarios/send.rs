//! A pull request is sent: what git then finds, what a second time finds, and what becomes of it where anything fails on the way.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};

use demo::World;
use demo::fault::{Fault, FaultKind, Lane};
use demo::forge::Account;
use serde_json::Value;

use super::pull::{HERE, WORLD, approved, branch, colleague, committed, is_change, ready, sending, writes};
use crate::door::{Door, Output};
use crate::stage::CANARY;

const ROCKET: &str = "providers/a/acme/rocket.json";
/// In no plan.
const QUIET: &str = "providers/a/acme/quiet.json";
pub(super) const LANES: [Lane; 2] = [Lane::Rest, Lane::Graphql];

/// The digits of what would be sent.
pub(super) async fn digits(door: &Door, plan: &str, more: &str) -> String {
    sending(&ready(door, plan, &format!("{more} --json")).await)["name"].as_str().expect("digits").to_owned()
}

pub(super) async fn open(door: &Door, plan: &str, digits: &str, more: &str) -> Output {
    door.said(&format!("pr open --plan {plan} --confirm {digits} --write {more}")).await
}

fn sent(said: &Output) -> Value {
    said.objects().into_iter().find(|object| object["type"] == "sent").unwrap_or_else(|| panic!("{said}"))
}

/// Git, as anybody uses it, on the world's registry.
pub(crate) fn clone(door: &Door, owner: &str, branch: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("{}/{owner}/registry.git", door.server.addresses().web);
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(["clone", "--quiet", "--branch", branch, &url]).arg(folder.path());
    let output = command.output().expect("git runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

pub(crate) fn git(folder: &tempfile::TempDir, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(folder.path()).args(arguments).output().expect("git runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The branches and the pull requests that exist.
pub(super) async fn there(door: &Door) -> (Vec<String>, usize) {
    let folder = clone(door, "opentofu", "main");
    let branches = git(&folder, &["branch", "--remotes", "--format=%(refname:lstrip=3)"]);
    let branches = branches.lines().filter(|name| name.starts_with("bumpdesk/")).map(str::to_owned).collect();
    let pulls = colleague(door, "GET", &format!("{HERE}/pulls?state=open"), Value::Null).await;
    (branches, pulls.as_array().expect("a list").len())
}

#[tokio::test(flavor = "multi_thread")]
async fn git_finds_what_was_seen_and_nothing_else() {
    let mut door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let prepared = sending(&ready(&door, &plan, "--label manual-bump --json").await);
    let name = prepared["name"].as_str().expect("digits");
    let said = open(&door, &plan, name, "--label manual-bump --json").await;
    assert_eq!(said.exit, 0, "{said}");
    let told = sent(&said);
    let steps: Vec<&str> =
        told["steps"].as_array().unwrap().iter().map(|step| step["state"].as_str().unwrap()).collect();
    assert_eq!(steps, ["done"; 4]);
    assert_eq!(told["url"], format!("https://github.com/opentofu/registry/pull/{}", told["pull"]));
    let wanted = [
        "POST /repos/opentofu/registry/git/refs",
        "POST /graphql",
        "POST /repos/opentofu/registry/pulls",
        &*format!("POST /repos/opentofu/registry/issues/{}/labels", told["pull"]),
    ];
    assert_eq!(writes(&door), wanted);
    let clone = clone(&door, "opentofu", &branch(&prepared));
    assert_eq!(git(&clone, &["rev-list", "--count", "origin/main..HEAD"]), "1\n");
    assert_eq!(git(&clone, &["rev-parse", "HEAD"]).trim(), told["commit"]);
    let files = ["modules/u/umbrella/vpc/aws.json", "providers/a/acme/rocket.json"];
    let changed = git(&clone, &["diff", "--name-status", "origin/main", "HEAD"]);
    assert_eq!(changed, files.map(|path| format!("M\t{path}\n")).concat());
    // The registry's own bump, at the moment of the build, writes the same.
    door.said("bump acme/rocket umbrella/vpc/aws").await.is(0, &[]);
    for path in files {
        let found = std::fs::read(clone.path().join(path)).expect("a file");
        assert_eq!(found, committed(&prepared, path), "{path}");
        assert_eq!(String::from_utf8(found).unwrap(), door.read(path), "{path}");
    }
    door.settle();
    assert!(!said.out.contains(CANARY) && !said.err.contains(CANARY));
    let log = std::fs::read_to_string(door.folder.path().join("state/bumpdesk.log")).unwrap_or_default();
    assert!(!log.contains(CANARY));
}

/// The requests that stand in a file of what would be sent: what each asks for, and its body.
fn written(text: &str) -> Vec<(String, Value)> {
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let asks = |line: &&&str| line.starts_with("POST ") || line.starts_with("PATCH ");
    let bodies = lines.iter().filter(|line| line.starts_with('{'));
    let bodies = bodies.map(|body| serde_json::from_str(body).expect("JSON"));
    lines.iter().filter(asks).map(|line| (*line).to_owned()).zip(bodies).collect()
}

/// The file of a dry run: its requests are those that are then sent, its patch makes the same commit, and nothing of this machine
/// is in it.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_to_a_file_is_what_is_sent() {
    let door = Door::on(&WORLD.replace("\"v1.2.0\"", "\"v1.2.0\", \"v1.3.0-`@everyone`\"")).await;
    door.server.edit(|world| {
        let ann = world.forge.accounts.get_mut("ann").expect("an account");
        ann.name = Some("[x](javascript:1) \u{202e}\u{1b}[2J ann".into());
    });
    let plan = approved(&door).await;
    let file = door.folder.path().join("all.patch");
    let out = format!("--label manual-bump --out {}", file.display());
    let said = ready(&door, &plan, &out).await;
    said.is(0, &["all.patch: every request, and a patch that `git am` takes; nothing was sent"]);
    let prepared = sending(&ready(&door, &plan, "--label manual-bump --json").await);
    let name = prepared["name"].as_str().unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    for wanted in [
        name,
        prepared["digest"].as_str().unwrap(),
        &plan,
        "account  ann",
        &door.server.addresses().api,
        prepared["commit"].as_str().unwrap(),
        "7 every change looked at: PASS, ",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains(CANARY) && !text.contains(door.folder.path().to_str().unwrap()), "{text}");
    let acts = |c: &char| c.is_control() && *c != '\n' || *c == '\u{202e}';
    assert_eq!(text.chars().find(acts), None, "{text}");
    // It is not replaced, by itself or by another one.
    ready(&door, &plan, &out).await.is(2, &["there is a file of that name", "Nothing was written"]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert_eq!(writes(&door), [""; 0]);
    // What git makes of it is what GitHub would.
    let main = clone(&door, "opentofu", "main");
    git(
        &main,
        &["-c", "user.name=bea", "-c", "user.email=bea@example.org", "am", "-q", file.to_str().unwrap()],
    );
    for path in [ROCKET, "modules/u/umbrella/vpc/aws.json"] {
        assert_eq!(std::fs::read(main.path().join(path)).unwrap(), committed(&prepared, path), "{path}");
    }
    let input = &prepared["requests"][1]["body"]["variables"]["input"]["message"];
    assert_eq!(git(&main, &["log", "-1", "--format=%s"]).trim(), input["headline"]);
    assert!(git(&main, &["status", "--porcelain"]).is_empty());
    // And it is what is sent.
    let sent = sent(&open(&door, &plan, name, "--label manual-bump --json").await);
    let exchanges = door.server.exchanges();
    let changes = exchanges.iter().filter(|one| is_change(one)).map(|one| {
        let body = serde_json::from_slice(&one.body).expect("JSON");
        (format!("{} {}", one.method, one.target), body)
    });
    let pull = sent["pull"].to_string();
    let listed: Vec<(String, Value)> =
        written(&text).into_iter().map(|(asks, body)| (asks.replace("{pull}", &pull), body)).collect();
    assert_eq!(listed.len(), 4);
    assert_eq!(listed, changes.collect::<Vec<_>>());
}

/// The folder for downloads cannot be used: what is told of that leaves this machine, and names no place on it.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_what_would_be_sent_names_no_folder() {
    // An archive that is another one by now has to be read.
    let world = WORLD.replace("published = \"-90d\" }]", "published = \"-90d\" }, \"0.9.0\"]");
    let world = world.replace("\"v1.2.0\"]", "\"v1.2.0\", { tag = \"v0.9.0\", content_seed = 2 }]");
    let door = Door::on(&world).await;
    let plan = approved(&door).await;
    let spool = door.folder.path().join("cache/spool");
    let _ = std::fs::remove_dir_all(&spool);
    std::fs::write(&spool, "").expect("a file in its place");
    let file = door.folder.path().join("all.patch");
    let said = ready(&door, &plan, &format!("--out {}", file.display())).await;
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("{said}"));
    assert!(text.contains("the folder for downloads cannot be used"), "{text}");
    assert!(!text.contains(door.folder.path().to_str().unwrap()), "{text}");
}

/// A month later, what was taken back is forgotten; what is half-done waits, and what was opened is known when it is sent again.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_is_forgotten_after_a_month() {
    let mut door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let (back, half) =
        (digits(&door, &plan, "--letter a --ready").await, digits(&door, &plan, "--letter u").await);
    open(&door, &plan, &back, "--letter a --ready").await.is(0, &["pull request #"]);
    taken_back(&door, &back, "opentofu", "taken back").await;
    let opened = digits(&door, &plan, "--letter a").await;
    open(&door, &plan, &opened, "--letter a").await.is(0, &["pull request #"]);
    let fault = Fault::new(&LANES, FaultKind::Reset).on_change(1);
    door.server.edit(|world| world.faults = vec![fault]);
    open(&door, &plan, &half, "--letter u").await.is(3, &["whether it took effect is not known"]);
    door.said(&format!("pr resume {back} --write")).await.is(4, &["was taken back"]);
    later(&mut door, 31 * 24 * 60);
    door.said("lint").await;
    door.said(&format!("pr resume {back} --write")).await.is(2, &["nothing was sent from here under"]);
    door.said(&format!("pr resume {opened} --write")).await.is(0, &["pull request #"]);
    door.said("list").await.is(0, &[&format!("pr resume {half}")]);
}

/// What no gate lets through is written down, and nobody can apply it.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_what_a_gate_stops_has_no_patch() {
    let door = Door::on(&WORLD.replace("push = true", "push = false")).await;
    let plan = approved(&door).await;
    let file = door.folder.path().join("stopped.patch");
    let said = ready(&door, &plan, &format!("--out {}", file.display())).await;
    said.is(4, &["stopped.patch: every request, and no patch, since a gate fails"]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("No patch follows:\n  gate 1, write access: ann may not push"), "{text}");
    assert!(!text.contains("diff --git") && written(&text).len() == 3, "{text}");
    door.said(&format!("pr open --plan {plan} --dry-run --out {}/no/x.patch", door.folder.path().display()))
        .await
        .is(2, &["its folder is not there"]);
}

/// A second apart, one after the other, by the setting that everybody has.
#[tokio::test(flavor = "multi_thread")]
async fn changes_come_one_at_a_time_a_second_apart() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let name = digits(&door, &plan, "--label manual-bump").await;
    let config = door.folder.path().join("config.toml");
    std::fs::write(&config, "[pace]\napi-per-second = 1000\n").unwrap();
    let line = format!("pr open --plan {plan} --confirm {name} --label manual-bump --write --config");
    let words: Vec<&str> = line.split(' ').chain([config.to_str().unwrap()]).collect();
    door.run_within_budgets(&words).await.is(0, &["pull request #"]);
    let exchanges = door.server.exchanges();
    let sent: Vec<_> = exchanges.iter().filter(|one| is_change(one)).map(|one| one.at).collect();
    assert_eq!(sent.len(), 4);
    for pair in sent.windows(2) {
        let gap = pair[1] - pair[0];
        assert!(gap >= std::time::Duration::from_millis(990), "{gap:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twice_is_one_pull_request() {
    let mut door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let name = digits(&door, &plan, "").await;
    open(&door, &plan, &name, "").await.is(0, &["pull request #"]);
    let before = writes(&door);
    open(&door, &plan, &name, "").await.is(0, &["pull request #"]);
    door.said(&format!("pr resume {name} --write")).await.is(0, &["pull request #"]);
    assert_eq!(writes(&door), before);
    // Another machine, with a state folder of its own, finds it by the name of its branch.
    let other = door.folder.path().join("other-state");
    door.set("BUMPDESK_STATE_DIR", other.to_str().unwrap());
    assert_eq!(approved(&door).await, plan);
    let theirs = digits(&door, &plan, "").await;
    open(&door, &plan, &theirs, "").await.is(4, &["of this very plan exists, with pull request #", "of ann"]);
    open(&door, &plan, &digits(&door, &plan, "--fork").await, "--fork")
        .await
        .is(4, &["of this very plan exists"]);
    assert_eq!(writes(&door), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_that_was_not_meant() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let name = digits(&door, &plan, "").await;
    let refused = [
        (format!("pr open --plan {plan} --confirm {name}"), 4, "a command sends only with --write"),
        (
            format!("pr open --plan {plan} --confirm 000000 --write"),
            4,
            "is not what would be sent now, which is",
        ),
        (
            format!("pr open --plan {plan} --confirm {name} --ready --write"),
            4,
            "is not what would be sent now",
        ),
        (
            format!("pr open --plan {plan} --confirm {} --write", &name[..5]),
            4,
            "is not what would be sent now",
        ),
        (format!("pr open --plan 000000 --confirm {name} --write"), 4, "the plan is"),
        (format!("pr resume {name} --write"), 2, "nothing was sent from here under"),
        (format!("pr undo {name} --write"), 2, "nothing was sent from here under"),
        (format!("pr open --plan {plan} --write"), 2, "--dry-run"),
    ];
    for (line, exit, why) in &refused {
        door.said(line).await.is(*exit, &[why]);
        assert_eq!(writes(&door), [""; 0], "{line}");
    }
    // A gate that shuts between the look and the word.
    door.said("plan reopen acme/rocket").await.is(0, &[]);
    open(&door, &plan, &name, "").await.is(4, &["every change looked at"]);
    assert_eq!(writes(&door), [""; 0]);
    assert_eq!(there(&door).await, (Vec::new(), 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_carries_what_may_not_be_pushed() {
    let door = Door::on(&WORLD.replace("push = true", "push = false")).await;
    let plan = approved(&door).await;
    let prepared = sending(&ready(&door, &plan, "--fork --json").await);
    let name = prepared["name"].as_str().unwrap();
    let said = open(&door, &plan, name, "--fork --json").await;
    assert_eq!(said.exit, 0, "{said}");
    let requests = prepared["requests"].as_array().unwrap();
    let branch = requests[2]["body"]["ref"].as_str().unwrap().trim_start_matches("refs/heads/");
    let clone = clone(&door, "ann", branch);
    assert_eq!(git(&clone, &["rev-list", "--count", "origin/main..HEAD"]), "1\n");
    assert_eq!(there(&door).await, (Vec::new(), 1));
    // Taken back, the fork stays.
    let undo = door.said(&format!("pr undo {name} --json")).await;
    let stays = sent(&undo)["stays"].as_array().unwrap().clone();
    assert!(stays.contains(&"the fork of opentofu/registry".into()), "{stays:?}");
    let undo = sent(&undo)["name"].as_str().unwrap().to_owned();
    door.said(&format!("pr undo {name} --confirm {undo} --write")).await.is(0, &["is taken back"]);
    assert_eq!(there(&door).await, (Vec::new(), 0));
}

/// What can become of a request, and of the answer to it.
pub(super) fn faults() -> [(&'static str, FaultKind); 18] {
    [
        ("no answer", FaultKind::Reset),
        ("an answer that was lost after it took effect", FaultKind::Truncate(0)),
        ("what exists by now", FaultKind::Status(422)),
        ("500", FaultKind::Status(500)),
        ("half an answer", FaultKind::Truncate(20)),
        ("502", FaultKind::Status(502)),
        ("a secondary limit", FaultKind::Secondary),
        ("an expired token", FaultKind::Status(401)),
        ("a lost permission", FaultKind::Status(403)),
        ("a conflict", FaultKind::Status(409)),
        ("stale data", FaultKind::Graphql("STALE_DATA".into())),
        ("422 after it took effect", FaultKind::Acted(422)),
        ("404 after it took effect", FaultKind::Acted(404)),
        ("403 after it took effect", FaultKind::Acted(403)),
        ("429 after it took effect", FaultKind::Acted(429)),
        ("409 after it took effect", FaultKind::Acted(409)),
        ("500 after it took effect", FaultKind::Acted(500)),
        ("502 after it took effect", FaultKind::Acted(502)),
    ]
}

/// Returns true if the request takes effect, and only its answer is lost or wrong.
pub(super) fn acts(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Truncate(_) | FaultKind::Acted(_))
}

/// Whether it says that nothing was done.
pub(super) fn is_no(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Secondary | FaultKind::Status(400..500))
}

/// A way to send: its words, whose repository gets the branch, and how many requests it takes.
type How = (&'static str, &'static str, usize);
const STRAIGHT: How = ("--label manual-bump", "opentofu", 4);
const FORKED: How = ("--fork --label manual-bump --reviewer bea", "ann", 7);

/// The branches of ours in a repository, and the pull requests that are open, as the API has them.
pub(super) async fn exist(door: &Door, home: &str) -> (Vec<String>, Vec<Value>) {
    let refs = format!("/repos/{home}/registry/git/matching-refs/heads/bumpdesk/");
    let refs = colleague(door, "GET", &refs, Value::Null).await;
    let names = refs.as_array().into_iter().flatten().filter_map(|one| one["ref"].as_str());
    let names = names.map(|name| name.trim_start_matches("refs/heads/").to_owned()).collect();
    let pulls = colleague(door, "GET", &format!("{HERE}/pulls?state=open"), Value::Null).await;
    (names, pulls.as_array().expect("a list").clone())
}

/// A world with a colleague who can be asked to look.
pub(super) async fn with_colleague() -> Door {
    Door::on(&format!("{WORLD}\n[[account]]\nlogin = \"bea\"\nrole = \"write\"\n")).await
}

/// So many minutes later: no more than so many changes are sent in one hour.
pub(super) fn later(door: &mut Door, minutes: u64) {
    door.server.edit(|world| world.now += std::time::Duration::from_mins(minutes));
    let now = door.server.look(|world| world.now.to_string());
    door.set("BUMPDESK_NOW", &now);
}

/// Takes a sending back, after which nothing of it exists.
pub(super) async fn taken_back(door: &Door, name: &str, home: &str, case: &str) {
    let undo = door.said(&format!("pr undo {name} --json")).await;
    if undo.exit == 0 {
        let digits = sent(&undo)["name"].as_str().expect("digits").to_owned();
        let done = door.said(&format!("pr undo {name} --confirm {digits} --write")).await;
        assert_eq!(done.exit, 0, "{case}: {done}");
    } else {
        undo.is(4, &["nothing of it that is ours exists"]);
    }
    assert_eq!(exist(door, home).await, (Vec::new(), Vec::new()), "{case}: {undo}");
    door.said("list").await.is_not(&["pr resume", "pr undo"]);
}

/// Each of these faults at every request, continued and taken back; how many cases that were. Each of them begins in a world where
/// nothing of it exists but what undoing leaves.
async fn cut_off((more, home, count): How, kinds: &[(&str, FaultKind)]) -> usize {
    let mut cases = 0;
    for (what, kind) in kinds {
        let mut door = with_colleague().await;
        let plan = approved(&door).await;
        let prepared = sending(&ready(&door, &plan, &format!("{more} --json")).await);
        let name = prepared["name"].as_str().expect("digits").to_owned();
        let paths: Vec<&str> = prepared["requests"]
            .as_array()
            .expect("requests")
            .iter()
            .map(|one| one["path"].as_str().expect("a path"))
            .collect();
        assert_eq!(paths.len(), count);
        for (at, path) in paths.iter().enumerate() {
            // That is said to a commit alone.
            if matches!(kind, FaultKind::Graphql(_)) && *path != "/graphql" {
                continue;
            }
            // What can be asked for again without harm is not looked for.
            let is_lost = acts(kind) && !path.ends_with("merge-upstream");
            for takes_back in [false, true] {
                // A fork stays when the rest is taken back, and so is there the second time.
                let is_there = takes_back && path.ends_with("/forks");
                let is_found = is_lost || is_there;
                cases += 1;
                let case = format!("{what} at request {} of {count}", at + 1);
                later(&mut door, 20);
                let fault = Fault::new(&LANES, kind.clone()).on_change(at as u32);
                door.server.edit(|world| world.faults = vec![fault.clone()]);
                let said = open(&door, &plan, &name, more).await;
                assert_eq!(fault.struck(), 1, "{case}: {said}");
                // What took effect, and whose answer was lost, is found at once.
                // The pull request is open, and does without what GitHub refuses to add to it.
                let is_added = |what: &str| !path.ends_with(what);
                let is_left_out = !(is_added("/labels") && is_added("/requested_reviewers"))
                    && matches!(kind, FaultKind::Status(403 | 409 | 422));
                if is_found {
                    assert_eq!(said.exit, 0, "{case}: {said}");
                } else if is_left_out {
                    said.is(5, &["pull request #", "GitHub refused to "]);
                } else {
                    assert!([3, 4].contains(&said.exit), "{case}: {said}");
                    if at > 0 {
                        said.is(said.exit, &[&format!("bumpdesk pr resume {name}")]);
                        let list = door.said("list").await;
                        assert!(
                            list.err.contains(&format!("bumpdesk pr undo {name}")),
                            "{case}: {said}\n{list}"
                        );
                    }
                    let (branches, pulls) = exist(&door, home).await;
                    let says = |text: &str| said.err.contains(text);
                    assert_eq!(
                        says("there is the branch") || says(", the branch"),
                        !branches.is_empty(),
                        "{case}: {said}"
                    );
                    assert_eq!(says("pull request #"), !pulls.is_empty(), "{case}: {said}");
                }
                if !takes_back {
                    let line = format!("pr resume {name} --write");
                    let again =
                        if at > 0 { door.said(&line).await } else { open(&door, &plan, &name, more).await };
                    assert_eq!(again.exit, if is_left_out { 5 } else { 0 }, "{case}: {again}");
                    let (branches, pulls) = exist(&door, home).await;
                    assert_eq!((branches.len(), pulls.len()), (1, 1), "{case}: {again}");
                    let pull = &pulls[0];
                    let labels = pull["labels"].as_array().map_or(0, Vec::len);
                    assert_eq!(labels, usize::from(!is_left_out || is_added("/labels")), "{case}: {again}");
                    let asked = pull["requested_reviewers"].as_array().map_or(0, Vec::len);
                    let is_asked = more.contains("bea") && (!is_left_out || is_added("/requested_reviewers"));
                    assert_eq!(asked, usize::from(is_asked), "{case}: {again}");
                    let before = writes(&door).len();
                    door.said(&line).await.is(again.exit, &[]);
                    open(&door, &plan, &name, more).await.is(again.exit, &[]);
                    assert_eq!(writes(&door).len(), before, "{case}: each thing is made once");
                }
                taken_back(&door, &name, home, &case).await;
            }
        }
    }
    cases
}

/// Every fault before and after every request: what is told, what is there and what is journalled agree; it is continued to the end,
/// with each thing made once, and taken back.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_cut_off_is_continued_or_taken_back() {
    stamped!(crate::COMMANDS);
    let kinds = faults();
    let cases = cut_off(STRAIGHT, &kinds).await;
    println!("{cases} cases: 4 requests, {} faults, continued and taken back", kinds.len());
}

/// The same from a fork, with its requests and those of reviewers; faults that differ in their number alone are left to the one after it.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_cut_off_on_the_way_from_a_fork_is_continued_or_taken_back() {
    stamped!(crate::COMMANDS);
    let kinds = [&faults()[..3], &faults()[11..12]].concat();
    let cases = cut_off(FORKED, &kinds).await;
    println!("{cases} cases from a fork: 7 requests, {} faults, continued and taken back", kinds.len());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "three minutes; by name"]
async fn every_fault_on_the_way_from_a_fork_is_continued_or_taken_back() {
    let kinds = [&faults()[3..11], &faults()[12..]].concat();
    let cases = cut_off(FORKED, &kinds).await;
    println!("{cases} cases from a fork: 7 requests, {} faults, continued and taken back", kinds.len());
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The program itself opens a pull request, and is killed while this fault holds it up.
pub(super) async fn killed(door: &Door, (plan, name, more): (&str, &str, &str), fault: &Fault) {
    killed_at(door, &format!("pr open --plan {plan} --confirm {name} --write {more}"), fault).await;
}

/// The program itself sends, and is killed while this fault holds it up.
pub(super) async fn killed_at(door: &Door, line: &str, fault: &Fault) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
    command.args(line.split_whitespace());
    command.arg("--no-throttle").current_dir(door.folder.path()).env_clear();
    command.env("HOME", door.folder.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.envs(door.variables.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
    let mut running = Running(command.spawn().expect("it starts"));
    while fault.struck() == 0 {
        assert!(running.0.try_wait().expect("a process").is_none(), "it ended before {fault:?}");
        tokio::task::yield_now().await;
    }
}

/// The same folders for the door and for a program of its own.
pub(super) fn share_folders(door: &mut Door) {
    for (name, folder) in [("BUMPDESK_STATE_DIR", "kept"), ("BUMPDESK_CACHE_DIR", "cached")] {
        let folder = door.folder.path().join(folder);
        door.set(name, folder.to_str().expect("a path"));
    }
}

/// Killed while each of the requests is out, before and after it took effect: the next one asks what came of it, continues or
/// takes back.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_killed_is_continued() {
    stamped!(crate::COMMANDS);
    let long = std::time::Duration::from_mins(10);
    // From a fork the rest is the same, but for asking reviewers.
    let requests = (0..4).map(|at| (STRAIGHT, at)).chain([0, 1, 6].map(|at| (FORKED, at)));
    let cases = requests.flat_map(|(how, at)| {
        let held = [FaultKind::Slow(long), FaultKind::Withhold(long)];
        held.into_iter()
            .flat_map(move |held| [false, true].map(|takes_back| (how, at, held.clone(), takes_back)))
    });
    let mut count = 0;
    for ((more, home, _), at, held, takes_back) in cases {
        count += 1;
        let mut door = with_colleague().await;
        share_folders(&mut door);
        let plan = approved(&door).await;
        let name = digits(&door, &plan, more).await;
        let fault = Fault::new(&LANES, held.clone()).on_change(at);
        door.server.edit(|world| world.faults.push(fault.clone()));
        killed(&door, (&plan, &name, more), &fault).await;
        door.said("jobs").await.is(0, &["CUT OFF"]);
        let case = format!("request {} {held:?} {more}", at + 1);
        if !takes_back {
            let again = door.said(&format!("pr resume {name} --write")).await;
            assert_eq!(again.exit, 0, "{case}: {again}");
            let (branches, pulls) = exist(&door, home).await;
            assert_eq!((branches.len(), pulls.len()), (1, 1), "{case}");
        }
        taken_back(&door, &name, home, &case).await;
    }
    println!("{count} cases: killed before and after a request took effect");
}

/// What lands on the registry's branch between two requests: a bump of something else holds nothing up, and one of the same file
/// stops it, with the way back. Nothing is forced.
#[tokio::test(flavor = "multi_thread")]
async fn a_bump_that_lands_in_between_is_never_overwritten() {
    stamped!(crate::COMMANDS);
    for (path, at) in [(ROCKET, 1), (ROCKET, 2), (QUIET, 1), (QUIET, 2)] {
        let door = Door::on(WORLD).await;
        let plan = approved(&door).await;
        let name = digits(&door, &plan, "").await;
        let fault = Fault::new(&LANES, FaultKind::Reset).on_change(at);
        door.server.edit(|world| world.faults.push(fault));
        open(&door, &plan, &name, "").await.is(3, &["whether it took effect is not known"]);
        let other = b"{\n  \"versions\": []\n}".to_vec();
        door.server.edit(|world| {
            let now = world.now;
            world.forge.bump(now, [(path.to_owned(), Some(other.into()))]);
        });
        let again = door.said(&format!("pr resume {name} --write")).await;
        if path == QUIET {
            assert_eq!(again.exit, 0, "{again}");
            assert_eq!(there(&door).await.1, 1);
            continue;
        }
        again.is(
            4,
            &["`providers/a/acme/rocket.json` changed on main since this was built", "there is the branch"],
        );
        assert_eq!(there(&door).await.1, 0);
        let undo = sent(&door.said(&format!("pr undo {name} --json")).await);
        let undo = undo["name"].as_str().unwrap();
        door.said(&format!("pr undo {name} --confirm {undo} --write")).await.is(0, &["is taken back"]);
        assert_eq!(there(&door).await, (Vec::new(), 0));
    }
}

/// A commit of somebody else on the branch: it is not sent over, and not deleted.
#[tokio::test(flavor = "multi_thread")]
async fn what_others_put_on_the_branch_stays() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let prepared = sending(&ready(&door, &plan, "--json").await);
    let (name, branch) = (prepared["name"].as_str().unwrap(), branch(&prepared));
    let fault = Fault::new(&LANES, FaultKind::Reset).on_change(1);
    door.server.edit(|world| world.faults.push(fault));
    open(&door, &plan, name, "").await.is(3, &["whether it took effect is not known"]);
    let mut theirs = prepared["requests"][1]["body"].clone();
    theirs["variables"]["input"]["message"]["headline"] = "theirs".into();
    colleague(&door, "POST", "/graphql", theirs).await;
    for line in
        [format!("pr resume {name} --write"), format!("pr open --plan {plan} --confirm {name} --write")]
    {
        door.said(&line).await.is(4, &["that is not the one of this sending"]);
    }
    door.said(&format!("pr undo {name}")).await.is(4, &["since it has commits that are not of this sending"]);
    assert_eq!(there(&door).await, (vec![branch], 0));
    // That is the end of it: nothing waits to be continued any more.
    door.said("list").await.is_not(&["pr resume"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_of_another_build_is_read_and_dropped_and_not_sent() {
    let mut door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let name = digits(&door, &plan, "").await;
    let config = door.folder.path().join("config.toml");
    std::fs::write(&config, "[features]\ntarget-hashes = false\n").unwrap();
    let with = format!("--config {}", config.display());
    let said = door.said(&format!("pr open --plan {plan} --confirm {name} --write {with}")).await;
    said.is(4, &["nothing of the plan would be sent"]);
    door.said(&format!("plan show acme/rocket {with}"))
        .await
        .is(0, &["another version of bumpdesk built this"]);
    assert_eq!(writes(&door), [""; 0]);
    door.said(&format!("plan drop acme/rocket {with}")).await.is(0, &[]);
    door.settle();
}

/// Two files of two letters, as two pull requests of one plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_sent_by_its_letters() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    ready(&door, &plan, "--letter x").await.is(2, &["no file of the plan is sent with the letter `x`"]);
    for (letter, path) in [("a", ROCKET), ("u", "modules/u/umbrella/vpc/aws.json")] {
        let more = format!("--letter {letter}");
        let prepared = sending(&ready(&door, &plan, &format!("{more} --json")).await);
        open(&door, &plan, prepared["name"].as_str().unwrap(), &more).await.is(0, &["pull request #"]);
        let clone = clone(&door, "opentofu", &branch(&prepared));
        assert_eq!(git(&clone, &["diff", "--name-only", "origin/main", "HEAD"]).trim(), path);
    }
    assert_eq!(there(&door).await.1, 2);
}

/// Neither the token nor a path of this machine goes anywhere, and what others wrote stays text.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_ours_leaves_and_nothing_of_others_acts() {
    let door = Door::on(&WORLD.replace("\"v1.2.0\"", "\"v1.2.0\", \"v1.3.0-`@everyone`\"")).await;
    door.server.edit(|world| {
        let ann = world.forge.accounts.get_mut("ann").expect("an account");
        ann.name = Some("[x](javascript:1) @everyone <b>, ``` ann".into());
    });
    let plan = approved(&door).await;
    let prepared = ready(&door, &plan, "--json").await;
    let sending = sending(&prepared);
    let said = open(&door, &plan, sending["name"].as_str().unwrap(), "--json").await;
    assert_eq!(said.exit, 0, "{said}");
    let patch = ready(&door, &plan, "--patch").await;
    let folder = door.folder.path().to_str().unwrap();
    let mut texts = vec![prepared.out.clone(), prepared.err, said.out, said.err, patch.out, patch.err];
    for one in door.server.exchanges().iter().filter(|one| is_change(one)) {
        texts.push(String::from_utf8_lossy(&one.body).into_owned());
    }
    for file in std::fs::read_dir(door.folder.path().join("state")).expect("a state folder") {
        let file = file.expect("a file").path();
        if file.is_file() && !file.to_string_lossy().contains("sqlite") {
            texts.push(std::fs::read_to_string(&file).unwrap_or_default());
        }
    }
    for text in &texts {
        assert!(!text.contains(CANARY), "{text}");
    }
    // The log may name the registry's folder, which is never sent.
    for text in &texts[..texts.len() - 1] {
        assert!(!text.contains(folder), "{text}");
    }
    let (body, title) = (&sending["requests"][2]["body"]["body"], &sending["requests"][2]["body"]["title"]);
    for text in [body.as_str().unwrap(), title.as_str().unwrap()] {
        // The sign-off has an address, and nothing else of what a profile says.
        let (signed, rest): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with("Signed-off-by: "));
        assert!(
            signed.iter().all(|line| line.matches('@').count() == 1 && !line.contains(['[', '`'])),
            "{text}"
        );
        let rest = rest.join("\n");
        let outside_of_code: String = rest.split('`').step_by(2).collect();
        for bad in ["@", "](", "<b>", "javascript"] {
            assert!(!outside_of_code.contains(bad), "{bad}: {text}");
        }
    }
}

/// What is just small enough goes through, whole; what is too large is refused before anything is sent, with the way to send it.
#[tokio::test(flavor = "multi_thread")]
async fn large_files_and_long_texts_go_through_up_to_their_limits() {
    stamped!(crate::COMMANDS);
    let targets: Vec<String> = (0..100).map(|at| format!("\"linux_arch{at}\"")).collect();
    let stored: Vec<String> = (0..60).map(|at| format!("\"1.{at}.0\"")).collect();
    let tags = |count: usize| {
        let tags: Vec<String> = (1..=count).map(|at| format!("\"v2.{at}.0\"")).collect();
        tags.join(", ")
    };
    let world = |count: usize| {
        format!(
            "clock = \"2026-11-21T12:00:00Z\"\n[user]\nlogin = \"ann\"\npush = true\n[[provider]]\naddress = \"acme/rocket\"\n\
             targets = [{}]\nstored = [{}]\nreleases = [\"v2.0.0\"]\n[[module]]\naddress = \"umbrella/vpc/aws\"\n\
             stored = [\"v1.0.0\"]\ntags = [{}]\n",
            targets.join(", "),
            stored.join(", "),
            tags(count)
        )
    };
    let door = Door::on(&world(645)).await;
    let plan = approved(&door).await;
    // A file over the limits goes alone.
    let prepared = sending(&ready(&door, &plan, "--letter a --json").await);
    let file = committed(&prepared, ROCKET);
    assert!(file.len() > 2_500_000, "{}", file.len());
    open(&door, &plan, prepared["name"].as_str().unwrap(), "--letter a").await.is(0, &["pull request #"]);
    let clone = clone(&door, "opentofu", &branch(&prepared));
    assert_eq!(std::fs::read(clone.path().join(ROCKET)).unwrap(), file);
    let (more, name) = of_length(&door, &plan, "--letter u", 60_000).await;
    open(&door, &plan, &name, &more).await.is(0, &["pull request #"]);
    let door = Door::on(&world(600)).await;
    let plan = approved(&door).await;
    let (more, name) = of_length(&door, &plan, "", 65_537).await;
    let said = open(&door, &plan, &name, &more).await;
    let told = "its text has 65,537 characters, and 60,000 are the most";
    said.is(4, &["gate 9", told, "--letter a (1 file), --letter u (1 file)"]);
    assert_eq!(writes(&door), [""; 0]);
}

/// The words that make the text of a pull request exactly so long, and the digits of what would be sent then.
async fn of_length(door: &Door, plan: &str, more: &str, wanted: usize) -> (String, String) {
    let length = async |more: &str| {
        let prepared = sending(&ready(door, plan, &format!("{more} --json")).await);
        let body = prepared["requests"][2]["body"]["body"].as_str().expect("a text").chars().count();
        (body, prepared["name"].as_str().expect("digits").to_owned())
    };
    let (line, most) = ("Fixes #\n".len(), 19);
    let bare = length(&format!("{more} --fixes 1")).await.0 - line - 1;
    let lacks = wanted.checked_sub(bare).unwrap_or_else(|| panic!("{bare} without"));
    let lines = lacks.div_ceil(line + most);
    let mut digits = lacks - lines * line;
    let mut more = more.to_owned();
    for place in 0..lines {
        let here = digits / (lines - place);
        digits -= here;
        let _ = write!(more, " --fixes {}", 10_u64.pow(here as u32 - 1) + place as u64);
    }
    let (found, name) = length(&more).await;
    assert_eq!(found, wanted, "{more}");
    (more, name)
}

/// More than GitHub takes in one file: refused before anything is sent, whatever is typed, with the way to bring it there.
#[tokio::test(flavor = "multi_thread")]
async fn what_github_would_not_take_is_refused_before_anything_is_sent() {
    stamped!(crate::COMMANDS);
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    // It became so large on GitHub since it was planned. One word that is so long is read sooner than the versions that would
    // take the same room.
    let long = format!("\"shasums_url\": \"{}", "x".repeat(41_000_000));
    let large = door.read(ROCKET).replacen("\"shasums_url\": \"", &long, 1);
    door.server.edit(|world| {
        let now = world.now;
        world.forge.bump(now, [(ROCKET.to_owned(), Some(large.into()))]);
    });
    let told = "1 file, 3.1 kB of patch, 41.0 MB in all; more than 30.0 MB is not sent, since GitHub takes about 40 MB";
    ready(&door, &plan, "--letter a")
        .await
        .is(4, &["9 size of the pull request", "FAIL", told, "Commit this file with git."]);
    open(&door, &plan, "000000", "--letter a")
        .await
        .is(4, &["gate 9, size of the pull request", told, "Nothing was sent."]);
    assert_eq!(writes(&door), [""; 0]);
    assert_eq!(there(&door).await, (Vec::new(), 0));
    door.is_untouched();
}

/// S1: versions of an older line, sent; and where a zip of one is not what its sums list, the other one alone.
#[tokio::test(flavor = "multi_thread")]
async fn s1_an_older_line_is_sent() {
    const UTILS: &str = "providers/c/cloudposse/utils.json";
    stamped!(crate::COMMANDS);
    let user = "\n[user]\nlogin = \"ann\"\npush = true\n";
    let mismatch = include_str!("../../scenarios/s1-mismatch.toml");
    let (mismatch, _) = mismatch.split_once("# after:").expect("two worlds");
    for (world, added) in [
        (include_str!("../../scenarios/s1-old-line.toml"), &["1.33.0", "1.32.0"][..]),
        (mismatch, &["1.32.0"]),
    ] {
        let door = Door::on(&format!("{world}{user}")).await;
        for action in ["add", "show", "approve"] {
            door.said(&format!("plan {action} cloudposse/utils")).await;
        }
        let plan = door.plan_name().await;
        let said = ready(&door, &plan, "").await;
        said.is(0, &["Manual bump of cloudposse/utils provider"]);
        let prepared = sending(&ready(&door, &plan, "--fixes 57 --json").await);
        open(&door, &plan, prepared["name"].as_str().unwrap(), "--fixes 57").await.is(0, &["pull request #"]);
        let clone = clone(&door, "opentofu", &branch(&prepared));
        assert_eq!(git(&clone, &["diff", "--name-only", "origin/main", "HEAD"]).trim(), UTILS);
        let diff = git(&clone, &["diff", "origin/main", "HEAD"]);
        let lines = |sign: char| {
            diff.lines().filter(move |line| line.starts_with(sign) && !line.contains("utils.json"))
        };
        let versions: Vec<&str> = lines('+')
            .filter_map(|line| line.trim_start_matches('+').trim().strip_prefix("\"version\": "))
            .collect();
        assert_eq!(versions, added.iter().map(|version| format!("\"{version}\",")).collect::<Vec<_>>());
        assert_eq!(lines('-').count(), 0, "{diff}");
    }
}

/// Two accounts on two machines, each with a fork of its own: the later one finds the other's by the name of its branch.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_plan_is_sent_once_whoever_sends_it() {
    let mut door = Door::on(&WORLD.replace("push = true", "push = false")).await;
    door.server.edit(|world| {
        world.forge.accounts.insert("bea".into(), Account::new("bea", Some("token-of-bea")));
    });
    let plan = approved(&door).await;
    let name = digits(&door, &plan, "--fork").await;
    open(&door, &plan, &name, "--fork").await.is(0, &["pull request #"]);
    let before = writes(&door);
    door.set("GH_TOKEN", "token-of-bea");
    // What somebody else confirmed is not continued, nor taken back.
    door.said(&format!("pr undo {name}"))
        .await
        .is(4, &["the token is that of bea, and it was confirmed as ann"]);
    let other = door.folder.path().join("other-state");
    door.set("BUMPDESK_STATE_DIR", other.to_str().unwrap());
    assert_eq!(approved(&door).await, plan);
    let theirs = digits(&door, &plan, "--fork").await;
    assert_ne!(theirs, name);
    open(&door, &plan, &theirs, "--fork")
        .await
        .is(4, &["of this very plan exists, with pull request #", "of ann"]);
    assert_eq!(writes(&door), before);
}

/// A checkout that is old, changed by hand or on no branch: what is sent was built on what GitHub has.
#[tokio::test(flavor = "multi_thread")]
async fn whatever_the_checkout_is_the_base_is_that_of_github() {
    for state in ["old", "dirty", "detached"] {
        let door = Door::on(WORLD).await;
        let on_branch = door.read(ROCKET);
        match state {
            "old" => door.put(ROCKET, on_branch.replace("1.0.0", "0.9.0").as_bytes()),
            "dirty" => {
                let by_hand = on_branch.replace("1.0.0", "0.8.0");
                std::fs::write(door.registry.join(ROCKET), by_hand).unwrap();
            }
            _ => drop(door.git(&["checkout", "--quiet", "--detach"])),
        }
        let plan = approved(&door).await;
        let prepared = sending(&ready(&door, &plan, "--json").await);
        let said = open(&door, &plan, prepared["name"].as_str().unwrap(), "").await;
        if state == "detached" {
            said.is(0, &["pull request #"]);
            continue;
        }
        // What was looked at is not what would be sent, which stands on GitHub's own file.
        let file = String::from_utf8(committed(&prepared, ROCKET)).unwrap();
        assert!(file.contains("\"1.0.0\"") && !file.contains("\"0."), "{state}: {file}");
        said.is(4, &["rebuilt, same result", "Bring the checkout to what GitHub has"]);
        assert_eq!(writes(&door), [""; 0]);
    }
}

/// Taking back is cut off too: what it made is found, the rest is continued, and the same again is never taken for done.
#[tokio::test(flavor = "multi_thread")]
async fn an_undo_that_was_cut_off_is_continued() {
    stamped!(crate::COMMANDS);
    for (at, kind) in [
        (0, FaultKind::Reset),
        (0, FaultKind::Truncate(0)),
        (1, FaultKind::Reset),
        (2, FaultKind::Reset),
        (0, FaultKind::Acted(422)),
        (0, FaultKind::Acted(500)),
        (1, FaultKind::Acted(404)),
        (2, FaultKind::Acted(403)),
        (2, FaultKind::Acted(422)),
    ] {
        let door = Door::on(WORLD).await;
        let plan = approved(&door).await;
        let name = digits(&door, &plan, "").await;
        open(&door, &plan, &name, "").await.is(0, &["pull request #"]);
        let undo =
            sent(&door.said(&format!("pr undo {name} --json")).await)["name"].as_str().unwrap().to_owned();
        let fault = Fault::new(&LANES, kind.clone()).on_change(at);
        door.server.edit(|world| world.faults.push(fault.clone()));
        let said = door.said(&format!("pr undo {name} --confirm {undo} --write")).await;
        assert_eq!(fault.struck(), 1);
        if said.exit != 0 {
            said.is_not(&[&format!("pr undo {undo}")]);
            if at > 0 {
                door.said("list").await.is(0, &[&format!("taking back sending {name} was cut off")]);
            }
            door.said(&format!("pr undo {name} --confirm {undo} --write")).await.is(0, &["is taken back"]);
        }
        assert_eq!(there(&door).await, (Vec::new(), 0), "{at} {kind:?}");
        door.said("list").await.is_not(&["pr resume", "pr undo"]);
        door.said(&format!("pr resume {name} --write")).await.is(4, &["was taken back"]);
        // The same plan again is a new pull request, and the branch alone is taken back as itself.
        let again = digits(&door, &plan, "").await;
        let fault = Fault::new(&LANES, FaultKind::Reset).on_change(1);
        door.server.edit(|world| world.faults.push(fault));
        open(&door, &plan, &again, "").await.is(3, &["whether it took effect is not known"]);
        let undo =
            sent(&door.said(&format!("pr undo {again} --json")).await)["name"].as_str().unwrap().to_owned();
        door.said(&format!("pr undo {again} --confirm {undo} --write")).await.is(0, &["is taken back"]);
        open(&door, &plan, &again, "").await.is(0, &["pull request #"]);
    }
}

/// Between the cut and the next try upstream may change: what is left is held against the gates once more, and stays where it is.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_cut_off_passes_the_gates_again() {
    stamped!(crate::COMMANDS);
    for at in [1, 2] {
        let door = Door::on(WORLD).await;
        let plan = approved(&door).await;
        let name = digits(&door, &plan, "").await;
        let fault = Fault::new(&LANES, FaultKind::Reset).on_change(at);
        door.server.edit(|world| world.faults.push(fault));
        open(&door, &plan, &name, "").await.is(3, &["whether it took effect is not known"]);
        let before = writes(&door);
        // Another right than when it was confirmed; a tag that is gone; another plan.
        let mut roles = BTreeMap::default();
        door.server.edit(|world| roles = std::mem::take(&mut world.forge.registry_mut().expect("it").roles));
        let said = door.said(&format!("pr resume {name} --write")).await;
        let undo = format!("`bumpdesk pr undo {name}`");
        said.is(4, &["gate 1, write access", "on GitHub there is the branch", &undo]);
        door.server.edit(|world| world.forge.registry_mut().expect("it").roles = roles);
        let world = |text: &str| World::parse(text).expect("a world").repositories;
        door.server.edit(|served| served.repositories = world(&WORLD.replace(", \"v1.2.0\"", "")));
        let said = door.said(&format!("pr resume {name} --write")).await;
        said.is(4, &["acme/rocket: upstream gives another result now", &undo]);
        door.server.edit(|served| served.repositories = world(WORLD));
        door.said("plan reopen acme/rocket").await.is(0, &[]);
        door.said(&format!("pr resume {name} --write"))
            .await
            .is(4, &["gate 7, every change looked at", &undo]);
        let gates = |said: &Output| {
            let gates = said.objects().into_iter().filter(|object| object["type"] == "gate");
            gates.map(|gate| gate["state"].as_str().expect("a word").to_owned()).collect::<Vec<_>>()
        };
        let said = door.said(&format!("pr resume {name} --write --json")).await;
        assert_eq!((gates(&said).len(), gates(&said)[6].as_str()), (9, "fail"), "{said}");
        assert_eq!(writes(&door), before);
        door.said("plan show acme/rocket").await.is(0, &[]);
        door.said("plan approve acme/rocket").await.is(0, &[]);
        let said = door.said(&format!("pr resume {name} --write --json")).await;
        assert_eq!((said.exit, gates(&said).len()), (0, 9), "{said}");
        assert!(!gates(&said).contains(&"fail".to_owned()), "{said}");
    }
}

/// The first request created its branch but was answered with a refusal, and GitHub does not show the branch for a
/// while. The result is unknown then, and every next step works.
#[tokio::test(flavor = "multi_thread")]
async fn every_next_step_works_after_a_refusal_with_effect() {
    stamped!(crate::COMMANDS);
    for status in [422, 404, 403, 429] {
        for way in ["resume", "open", "undo", "open of another look"] {
            let door = Door::on(WORLD).await;
            let plan = approved(&door).await;
            let name = digits(&door, &plan, "").await;
            let acted = Fault::new(&LANES, FaultKind::Acted(status)).on_change(0);
            let mut hidden = Fault::new(&LANES, FaultKind::Status(500));
            hidden.path = Some("*/git/ref/heads/bumpdesk*".to_owned());
            // Requests before the refused one are answered.
            hidden.after = 1;
            door.server.edit(|world| world.faults = vec![acted.clone(), hidden.clone()]);
            let case = format!("{status}, {way}");
            let output = open(&door, &plan, &name, "").await;
            assert!(acted.struck() == 1 && hidden.struck() > 0, "{case}: {output}");
            assert_ne!(output.exit, 0, "{case}: {output}");
            output.is(output.exit, &["whether it took effect is not known", &format!("pr resume {name}")]);
            door.server.edit(|world| world.faults.clear());
            assert_eq!(there(&door).await.0.len(), 1, "{case}");
            match way {
                "resume" => door.said(&format!("pr resume {name} --write")).await.is(0, &["pull request #"]),
                "open" => open(&door, &plan, &name, "").await.is(0, &["pull request #"]),
                "undo" => taken_back(&door, &name, "opentofu", &case).await,
                // Gate 3 names the next step.
                _ => {
                    let output = ready(&door, &plan, "").await;
                    output.is(4, &[&format!("pr resume {name}")]);
                    door.said(&format!("pr resume {name} --write")).await.is(0, &["pull request #"]);
                }
            }
            let pulls = usize::from(way != "undo");
            assert_eq!(there(&door).await.1, pulls, "{case}");
            assert!(writes(&door).iter().filter(|one| one.ends_with("/git/refs")).count() == 1, "{case}");
        }
    }
}

/// An answer about something else is refused. It is neither reported as a result nor acted on, and afterwards
/// everything is complete.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_about_something_else_is_refused() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let (first, second) =
        (digits(&door, &plan, "--letter a").await, digits(&door, &plan, "--letter u").await);
    let number = |output: &Output| sent(output)["pull"].as_u64().expect("a number");
    let one = number(&open(&door, &plan, &first, "--letter a --json").await);
    let other = number(&open(&door, &plan, &second, "--letter u --json").await);
    let swap = |path: String, with: String| {
        let mut fault = Fault::new(&[Lane::Rest], FaultKind::Other(with));
        fault.path = Some(path);
        door.server.edit(|world| world.faults = vec![fault]);
    };
    let message = format!("it is about #{other}, and #{one} was asked for");
    swap(format!("{HERE}/pulls/{one}"), format!("{HERE}/pulls/{other}"));
    let before = writes(&door).len();
    for line in [
        format!("pr undo {first}"),
        format!("pr watch {one} --once"),
        format!("review {one}"),
        format!("review {one} --comment --dry-run"),
    ] {
        door.said(&line).await.is(3, &[&message]);
    }
    assert_eq!(writes(&door).len(), before);
    door.server.edit(|world| world.faults.clear());
    taken_back_one(&door, &first).await;
    assert_eq!(there(&door).await.1, 1, "the other one is open");
    // A branch of another owner.
    swap(format!("{HERE}/git/ref/heads/bumpdesk/*"), format!("{HERE}/git/ref/heads/main"));
    door.said(&format!("pr undo {second}")).await.is(3, &["it is about refs/heads/main, and the branch "]);
    door.server.edit(|world| world.faults.clear());
    taken_back_one(&door, &second).await;
    assert_eq!(there(&door).await, (Vec::new(), 0));
}

async fn taken_back_one(door: &Door, name: &str) {
    let undo = sent(&door.said(&format!("pr undo {name} --json")).await)["name"].clone();
    let line = format!("pr undo {name} --confirm {} --write", undo.as_str().expect("digits"));
    door.said(&line).await.is(0, &["is taken back"]);
}

/// A 404 inside a repository that answers is not blamed on the settings.
#[tokio::test(flavor = "multi_thread")]
async fn a_404_in_a_repository_that_answers_is_not_blamed_on_settings() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let gone = |path: &str| {
        let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(404));
        fault.path = Some(path.to_owned());
        door.server.edit(|world| world.faults = vec![fault]);
    };
    let there = "`opentofu/registry` is there: a branch, a commit or a pull request of it is gone";
    for (path, line) in [
        (format!("{HERE}/pulls"), format!("pr open --plan {plan} --dry-run")),
        (format!("{HERE}/pulls"), "review".to_owned()),
        (format!("{HERE}/pulls"), "pr list".to_owned()),
    ] {
        gone(&path);
        let output = door.said(&line).await;
        output.is(3, &[there, "Do the same again"]);
        output.is_not(&["endpoints.repository"]);
    }
    // If the repository itself does not exist, the setting is the cause.
    gone(HERE);
    door.said(&format!("pr open --plan {plan} --dry-run")).await.is(2, &["Check `endpoints.repository`"]);
    door.server.edit(|world| world.faults.clear());
    ready(&door, &plan, "").await.is(0, &[]);
}

/// A reviewer whom GitHub refuses holds up nothing: the pull request is open, and what was refused is said.
#[tokio::test(flavor = "multi_thread")]
async fn what_github_refuses_of_an_open_pull_request_is_left_out() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let more = "--label manual-bump --reviewer ann";
    let name = digits(&door, &plan, more).await;
    let said = open(&door, &plan, &name, more).await;
    said.is(5, &["pull request #", "GitHub refused to ask ann to review it: do that by hand there"]);
    let before = writes(&door);
    door.said("list").await.is_not(&["was cut off"]);
    door.said(&format!("pr resume {name} --write")).await.is(5, &["pull request #", "GitHub refused"]);
    assert_eq!(writes(&door), before);
    let undo = sent(&door.said(&format!("pr undo {name} --json")).await)["name"].as_str().unwrap().to_owned();
    door.said(&format!("pr undo {name} --confirm {undo} --write")).await.is(0, &["is taken back"]);
    assert_eq!(there(&door).await, (Vec::new(), 0));
}

/// What else becomes of the plan is of no concern to what was cut off; and who may not see runs may send all the same.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_cut_off_continues_whatever_else_is_planned() {
    let door = Door::on(WORLD).await;
    let plan = approved(&door).await;
    let mut hidden = Fault::new(&[Lane::Rest], FaultKind::Status(403));
    hidden.path = Some("/repos/opentofu/registry/actions/runs".to_owned());
    door.server.edit(|world| world.faults.push(hidden.clone()));
    ready(&door, &plan, "").await.is(0, &[]);
    assert!(hidden.struck() > 0);
    let name = digits(&door, &plan, "--letter a").await;
    let fault = Fault::new(&LANES, FaultKind::Reset).on_change(2);
    door.server.edit(|world| world.faults.push(fault));
    open(&door, &plan, &name, "--letter a").await.is(3, &["whether it took effect is not known"]);
    door.said("plan drop umbrella/vpc/aws").await.is(0, &[]);
    door.said(&format!("pr resume {name} --write")).await.is(0, &["pull request #"]);
}
