//! The stories (`tests/scenarios/stories.md`) at the console itself, from the row to the pull request, by keys: what is then in the
//! world's registry, as git finds it.

use std::time::Duration;

use serde_json::Value;

use crate::door::Door;
use crate::scenarios::edits::is_untouched_upstream;
use crate::scenarios::pull::{HERE, colleague};
use crate::scenarios::scene::{before, same};
use crate::scenarios::send::{clone, git};
use crate::seat::Seat;

const ENTER: &str = "\r";
/// A wait without news after which somebody goes on.
const READING: Duration = Duration::from_millis(1_100);
const ESC: &str = "\u{1b}";

/// A world whose token may push, with folders that commands and the console share, and all of it surveyed.
pub(super) async fn world(text: &str) -> Door {
    let user = if text.contains("[user]") { "" } else { "\n[user]\nlogin = \"ann\"\npush = true\n" };
    let mut door = Door::on(&format!("{text}{user}")).await;
    for (name, folder) in [("BUMPDESK_STATE_DIR", "kept"), ("BUMPDESK_CACHE_DIR", "cached")] {
        let folder = door.folder.path().join(folder);
        door.set(name, folder.to_str().expect("a path"));
    }
    door.said("survey --depth versions").await;
    door
}

/// A console whose user waits for more than a second before each key.
struct Console(Seat);

impl Console {
    fn at(door: &Door) -> Self {
        let mut seat = Seat::in_environment(door.environment(), (140, 200), &["--write", "--no-throttle"]);
        seat.see(&["[1 Inventory]", "filter> "]);
        Self(seat)
    }

    /// Presses a key, and sees what comes of it.
    fn key(&mut self, key: &str, seen: &[&str]) {
        self.rest();
        self.0.press(key);
        self.0.see(seen);
    }

    /// Arms, and types the digits into the field that opens.
    fn send(&mut self) {
        self.key("P", &["> pull request", "others pass", "this console is READ-ONLY"]);
        self.key("Wa", &["reason ["]);
        self.0.press("as the story goes");
        self.0.see(&["reason [as the story goes"]);
        self.0.press("\r");
        self.0.see(&["ARMED until"]);
        self.confirm();
    }

    fn confirm(&mut self) {
        self.rest();
        self.0.see(&["Type the digits "]);
        let text = self.0.text();
        let digits = text.split("Type the digits ").nth(1).and_then(|rest| rest.get(..6)).expect("digits");
        self.0.press(&format!("{digits}{ENTER}"));
        self.0.see(&["is open: https://github.com/opentofu/registry/pull/", "DONE"]);
    }

    /// Goes to each version of the file in turn, and approves it.
    fn approve_each(&mut self, versions: &[&str]) {
        for (at, version) in versions.iter().enumerate() {
            self.key("j", &[&format!("{}/{}", at + 1, versions.len())]);
            self.key(" ", &[&format!("approved {version}")]);
        }
    }

    /// Opens the fold of the removed version, and so looks at all of it; approves the version and then its blacklist entry.
    fn look_and_approve(&mut self, version: &str, approved: &str) {
        self.key("\t", &[]);
        self.key("za", &["\"targets\": ["]);
        self.key("\t", &[]);
        self.key(" ", &[&format!("approved {version}")]);
        self.key("j", &["2/2"]);
        self.key(" ", &[approved]);
    }

    /// Waits as somebody does who reads.
    fn rest(&mut self) {
        self.0.rest(READING);
        self.0.pass(READING);
    }

    fn leave(mut self) {
        self.key(ESC, &[]);
        self.rest();
        self.0.press("q");
        let (exit, said) = self.0.end();
        assert_eq!(exit, 0, "{said}");
    }
}

/// The one branch of ours, as git has it, with the paths that its one commit changes.
pub(super) async fn opened(door: &Door) -> (tempfile::TempDir, Vec<String>) {
    let pulls = colleague(door, "GET", &format!("{HERE}/pulls?state=all"), Value::Null).await;
    let pulls = pulls.as_array().expect("a list");
    assert_eq!(pulls.len(), 1, "{pulls:?}");
    let there = clone(door, "opentofu", pulls[0]["head"]["ref"].as_str().expect("a branch"));
    assert_eq!(git(&there, &["rev-list", "--count", "origin/main..HEAD"]), "1\n");
    let changed = git(&there, &["diff", "--name-only", "origin/main", "HEAD"]);
    (there, changed.lines().map(str::to_owned).collect())
}

/// What a commit adds and takes away, by the versions' own lines.
fn versions(there: &tempfile::TempDir, sign: &str) -> Vec<String> {
    let diff = git(there, &["diff", "origin/main", "HEAD"]);
    let named = diff.lines().filter(|line| line.starts_with(sign) && line.contains("\"version\": "));
    named.map(|line| line.split('"').nth(3).expect("a version").to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn s1_an_older_line_is_sent() {
    stamped!(crate::PROGRAM);
    let mismatch = before(include_str!("../../scenarios/s1-mismatch.toml"));
    for (text, added) in [
        (include_str!("../../scenarios/s1-old-line.toml"), &["1.33.0", "1.32.0"][..]),
        (mismatch, &["1.32.0"]),
    ] {
        let door = world(text).await;
        let mut console = Console::at(&door);
        console.key("a", &["cloudposse/utils is in the plan"]);
        console.key("2", &["[2 Changes 1]", "to review"]);
        console.approve_each(added);
        console.send();
        let (there, changed) = opened(&door).await;
        assert_eq!(changed, ["providers/c/cloudposse/utils.json"]);
        assert_eq!(
            (versions(&there, "+"), versions(&there, "-")),
            (added.iter().map(|one| (*one).to_owned()).collect(), vec![])
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s4_recorded_failures_are_cleared_and_what_would_fail_again_is_not() {
    const AUTH0: &str = "providers/a/auth0/auth0.json";
    stamped!(crate::PROGRAM);
    let door = world(before(include_str!("../../scenarios/s4-retry-wait.toml"))).await;
    let old = door.read(AUTH0);
    let mut console = Console::at(&door);
    console.key("E", &["is in the plan"]);
    console.key("2", &["[2 Changes 1]", "to review"]);
    console.key("j", &["1/1"]);
    console.key("k", &[]);
    console.key(" ", &["approved auth0/auth0"]);
    console.send();
    let (there, changed) = opened(&door).await;
    assert_eq!(changed, [AUTH0]);
    let start = old.find(",\n  \"versions_errors\"").expect("records");
    let new = std::fs::read_to_string(there.path().join(AUTH0)).expect("a file");
    same(&new, &format!("{}\n}}", &old[..start]), AUTH0);

    let door = world(include_str!("../../scenarios/s4-still-absent.toml")).await;
    let mut console = Console::at(&door);
    console.key("E", &[]);
    console.key("2", &["[2 Changes]"]);
    console.key("P", &[]);
    console.key("1", &["[1 Inventory]"]);
    console.leave();
    is_untouched_upstream(&door).await;
}

/// Neither keys nor the command that the console names lead to a branch.
#[tokio::test(flavor = "multi_thread")]
async fn s5_an_ordinary_reason_leads_nowhere() {
    let door = world(include_str!("../../scenarios/s5-recreated.toml")).await;
    door.said("plan remove coralogix/coralogix@3.14.1 --because double-publish")
        .await
        .is(4, &["nothing was planned"]);
    let mut console = Console::at(&door);
    console.0.see(&["DRIFT"]);
    for key in ["a", "E", "2", " ", "P", "Wa"] {
        console.key(key, &[]);
    }
    console.0.press("double publish\r");
    for key in ["P", " ", ENTER] {
        console.key(key, &[]);
    }
    console.leave();
    is_untouched_upstream(&door).await;
}

const BLACKLIST: &str = "versions_blacklist.json";
const EXCEPTIONAL: &str = "--announcement https://example.com/a --issue 7";

#[tokio::test(flavor = "multi_thread")]
async fn s6_a_withdrawn_version_goes_from_both_twins() {
    stamped!(crate::PROGRAM);
    let door = world(include_str!("../../scenarios/s6-withdrawn.toml")).await;
    door.said(&format!("plan remove hashicorp/aws@6.57.0 --because extreme-disruption {EXCEPTIONAL}"))
        .await
        .is(0, &[]);
    let mut console = Console::at(&door);
    console.key("2", &["[2 Changes 2]", "to review"]);
    console.look_and_approve("6.57.0", "1 of 2 files approved");
    console.key(")", &["\u{25b8}\u{25cb} opentofu/aws"]);
    console.look_and_approve("6.57.0", "2 of 2 files approved");
    console.send();
    let (there, changed) = opened(&door).await;
    assert_eq!(changed, ["providers/h/hashicorp/aws.json", "providers/o/opentofu/aws.json", BLACKLIST]);
    assert_eq!(
        (versions(&there, "-"), versions(&there, "+")),
        (vec!["6.57.0".to_owned(); 2], vec!["6.57.0".to_owned(); 2])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn s7_a_removal_waits_until_the_drift_beside_it_is_acknowledged() {
    stamped!(crate::PROGRAM);
    let door = world(before(include_str!("../../scenarios/s7-deleted-tag.toml"))).await;
    door.said(&format!("plan remove coder/coder@3.0.0 --because leaked-secret {EXCEPTIONAL}"))
        .await
        .is(0, &[]);
    let mut console = Console::at(&door);
    console.key("2", &["[2 Changes 1]", "to review"]);
    console.look_and_approve("3.0.0", "1 of 1 file approved");
    console.key("P", &["> pull request", "1 drifted and 2 new versions"]);
    console.key("Wa", &["reason ["]);
    console.0.press("as the story goes");
    console.0.see(&["reason [as the story goes"]);
    console.0.press("\r");
    console.0.see(&["ARMED until"]);
    console.key("P", &[]);
    console.rest();
    assert!(!console.0.text().contains("Type the digits"), "{}", console.0.text());
    is_untouched_upstream(&door).await;
    console.0.press(ESC);
    console.key("e", &["How it is opened", "[ ] changed archives are known"]);
    console.key("\t\t\t\t\t ", &["[x] changed archives are known"]);
    console.0.press("\r");
    console.0.see(&["others pass"]);
    console.confirm();
    let (there, changed) = opened(&door).await;
    assert_eq!(changed, ["providers/c/coder/coder.json", BLACKLIST]);
    assert_eq!(
        (versions(&there, "-"), versions(&there, "+")),
        (vec!["3.0.0".to_owned()], vec!["3.0.0".to_owned()])
    );
}
