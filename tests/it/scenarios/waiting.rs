//! The pull requests that are open in the newcomer's world: each review gives the word that its comment there promises.

use demo::World;
use demo::fault::{Fault, FaultKind, Lane};
use demo::worlds::NEWCOMER;
use serde_json::{Value, json};

use super::pull::{HERE, colleague, ready, sending};
use crate::door::{Door, Output};

/// Number and promised word of each `[[pull]]`: the last comment before it begins with the word.
fn promised() -> Vec<(u64, String)> {
    let mut promises = Vec::new();
    let (mut word, mut table) = (String::new(), "");
    for line in NEWCOMER.lines() {
        if line.starts_with("[[") {
            table = line;
        }
        if let Some(comment) = line.strip_prefix("# ") {
            comment.split(':').next().unwrap_or_default().clone_into(&mut word);
        }
        if table == "[[pull]]"
            && let Some(number) = line.strip_prefix("number = ")
        {
            promises.push((number.parse().expect("a number"), word.clone()));
        }
    }
    promises
}

async fn door() -> Door {
    Door::of(World::parse(NEWCOMER).expect("the demo's world")).await
}

fn reviewed(said: &Output) -> Value {
    let review = said.objects().into_iter().find(|object| object["type"] == "review");
    review.unwrap_or_else(|| panic!("{said}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_review_gives_the_word_that_is_promised() {
    stamped!(crate::COMMANDS);
    let door = door().await;
    let promises = promised();
    assert!(promises.len() >= 10, "{promises:?}");
    for (number, word) in promises {
        let said = door.said(&format!("review {number}")).await;
        let first = said.out.lines().next().unwrap_or_default();
        assert!(first.ends_with(&format!(": {word}")), "{word}: {said}");
    }
}

/// A second commit comes after the first look, and hides what the first one did.
#[tokio::test(flavor = "multi_thread")]
async fn the_head_that_moves_is_reviewed_as_it_is_then() {
    let door = door().await;
    let (first, second) = (door.said("review 5591 --json").await, door.said("review 5591 --json").await);
    assert_eq!([&reviewed(&first)["result"], &reviewed(&second)["result"]], ["not-hashed", "differs"]);
    assert_ne!(reviewed(&first)["head"], reviewed(&second)["head"]);
}

/// Who asks, who made and signed its commits, what its checks say beside what they should say, and what else waits.
#[tokio::test(flavor = "multi_thread")]
async fn what_stands_around_a_review_is_told_with_it() {
    stamped!(crate::COMMANDS);
    let door = door().await;
    for (number, told) in [
        (5598, "the name: fernho11ow is not fernhollow: the digit 1 in the place of the letter l"),
        (5598, "who asks: fernho11ow is not visible as a member of fernhollow"),
        (5598, "`fernho11ow` is not visible as a member of `fernhollow`. Please make the membership public"),
        (5598, "by fernho11ow, not signed"),
        (5598, "also open: #5597 Add fernhollow/lanternfish 0.15.0 by ida-quill changes the same file"),
        (5597, "by ida-quill, signed"),
        (5599, "and agrees with the files and the base that were read"),
        (5597, "checks: Verify PR JSON passed, DCO passed"),
        (5597, "predicted: the required check on fernhollow/lanternfish: passes"),
        (5595, "larkspur-systems is the owner's own account"),
        (5595, "upstream offers 1 version (v2.4.1) that the file lacks"),
        (
            5594,
            "predicted: the required check on copperkettle/toolbelt: fails: upstream offers 1 version (1.33.0) that the file lacks; upstream makes 1 version (1.32.0) otherwise",
        ),
        (5593, "ida-quill is not visible as a member of kestrel-yard"),
        (5592, "bram-weaver is shown as a member of brambleworks"),
        (5591, "the commit: "),
        (5591, "commits: 2: "),
        (5589, "NOTE tidewrack/beacon: since it began, the registry changed the file too: 3.4.1 added"),
        (
            5589,
            "NOTE tidewrack/beacon: upstream has 2 other tags that the file would not have: v3.6.1, v3.6.0",
        ),
        (5589, "tansy-moss is shown as a member of tidewrack"),
    ] {
        let said = door.said(&format!("review {number}")).await;
        assert!(said.out.contains(told), "{number} lacks {told}: {said}");
    }
    let around = reviewed(&door.said("review 5599 --json").await)["around"].clone();
    assert_eq!(around["commits"][0]["signature"], "verified", "{around:#}");
    assert_eq!(around["owners"][0]["author_is"], "not-visible", "{around:#}");
    assert_eq!(
        (&around["required"][0], &around["others"], &around["unread"]),
        (&json!("Verify PR JSON"), &json!([]), &json!([]))
    );
    // The list asks for none of it.
    let listed = door.said("review --json").await.objects();
    let listed: Vec<&Value> = listed.iter().filter(|object| object["type"] == "review").collect();
    assert!(listed.len() > 5 && listed.iter().all(|review| review["around"].is_null()), "{listed:?}");
}

/// Each part that cannot be read is unknown, says so, and leaves the word as it is.
#[tokio::test(flavor = "multi_thread")]
async fn what_around_a_review_cannot_be_read_is_unknown() {
    stamped!(crate::COMMANDS);
    let door = door().await;
    for (path, status, told) in [
        (
            "/orgs/*",
            500,
            "could not be read: whether fernhollow shows ida-quill as a member: it answered HTTP 500",
        ),
        ("/orgs/*", 302, "could not be read: whether fernhollow shows ida-quill as a member: "),
        (
            "/repos/opentofu/registry/pulls/5597/commits",
            500,
            "could not be read: its commits: it answered HTTP 500",
        ),
        (
            "/repos/opentofu/registry/commits/*/check-runs",
            403,
            "could not be read: checks of other programs than Actions",
        ),
        (
            "/repos/opentofu/registry/commits/*/status",
            500,
            "could not be read: the commit statuses: it answered HTTP 500",
        ),
        (
            "/repos/opentofu/registry/rules/*",
            500,
            "could not be read: which checks must pass: it answered HTTP 500",
        ),
        (
            "*/registry/pulls",
            500,
            "could not be read: which other pull requests are open: it answered HTTP 500",
        ),
        (
            "/repos/opentofu/registry/pulls/5598/files",
            500,
            "could not be read: which files #5598 changes: it answered HTTP 500",
        ),
    ] {
        door.server.edit(|world| {
            let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(status));
            fault.path = Some(path.to_owned());
            world.faults.push(fault);
        });
        let said = door.said("review 5597").await;
        said.is(0, &["SAME, NOT HASHED", told]);
        door.server.edit(|world| world.faults.pop());
    }
}

/// What the required check should say is not worth the requests where a provider has many versions, unless all is to be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_look_at_many_versions_predicts_nothing() {
    let stored: Vec<String> = (0..101).rev().map(|patch| format!("\"1.0.{patch}\"")).collect();
    let world = format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[[account]]\nlogin = \"ann\"\n\
         [[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [{}]\n\
         releases = [{{ tag = \"v1.1.0\", published = \"-9h\" }}]\n\
         [[pull]]\nnumber = 7\nauthor = \"ann\"\ntitle = \"Add 1.1.0\"\nopened = \"-1h\"\n\
         commit = [{{ versions = {{ \"acme/rocket\" = [\"1.1.0\"] }} }}]\n",
        stored.join(", ")
    );
    let door = Door::on(&world).await;
    let sums = |door: &Door| {
        let asked = door.server.exchanges();
        asked
            .iter()
            .filter(|one| one.target.ends_with("_SHA256SUMS") && one.target.contains("releases"))
            .count()
    };
    door.said("review 7").await.is(
        0,
        &[
            "SAME, NOT HASHED",
            "predicted: the required check on acme/rocket: is not known: all of its 102 versions",
        ],
    );
    assert!(sums(&door) < 10, "{}", sums(&door));
    door.said("review 7 --hash").await.is(0, &["predicted: the required check on acme/rocket: passes"]);
    assert!(sums(&door) >= 102, "{}", sums(&door));
}

/// A notice is told with what it is about, wherever that is looked at, and changes no word; its export adds it elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn a_notice_is_told_with_what_it_is_about() {
    stamped!(crate::COMMANDS);
    let first = door().await;
    let reply = "It's known: pin GoReleaser 2.14.3.";
    let add = |pattern, issue, field| {
        ["notice", "add", pattern, "--issue", issue, "--reply", reply]
            .into_iter()
            .chain(field)
            .collect::<Vec<_>>()
    };
    first
        .run(&add("Copperkettle/*@1.3*", "3974", vec![]))
        .await
        .is(0, &["#3974 on `Copperkettle/*@1.3*` is kept"]);
    first.run(&add("*@v1.32.0", "7", vec!["--field", "shasum"])).await.is(0, &["is kept"]);
    first.run(&add("copperkettle/toolbelt", "8", vec!["--field", "protocols"])).await.is(0, &["is kept"]);
    first.run(&add("nothing", "9", vec![])).await.is(2, &["is not a pattern of addresses"]);
    first.said("notice remove 9").await.is(2, &["no notice names issue #9", "bumpdesk notice list"]);
    // Once the same is said with the export's own lines, as a shell would say them.
    let exported = first.said("notice export").await.out;
    let door = door().await;
    for line in exported.lines() {
        let script = line.strip_prefix("bumpdesk ").expect("a command").replace(r"'\''", "\u{1}");
        let words: Vec<String> = script
            .split('\'')
            .enumerate()
            .flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.replace('\u{1}', "'")],
            })
            .collect();
        door.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).await.is(0, &["is kept"]);
    }
    assert_eq!(door.said("notice list").await.out, first.said("notice list").await.out);
    let said = door.said("review 5594").await;
    said.is(
        1,
        &[
            "DIFFERS",
            &format!("known notice: #3974 on 1.32.0: {reply}"),
            "known notice: #7 on 1.32.0 (its shasum)",
        ],
    );
    said.is_not(&["#8 on"]);
    let said = door.said("show copperkettle/toolbelt").await;
    said.is(0, &[&format!("#3974 on 1.33.0, 1.32.0, 1.31.0, 1.30.2, 1.30.1 and 1 more: {reply}")]);
    let entry = door.said("show copperkettle/toolbelt --json").await.objects();
    assert_eq!(entry[0]["notices"][2]["issue"], 3974, "{entry:?}");
    assert_eq!(entry[0]["notices"][2]["versions"][0], "1.33.0", "{entry:?}");
    door.said("notice remove 3974").await.is(0, &["1 notice removed"]);
    door.said("show copperkettle/toolbelt").await.is_not(&["#3974"]);
}

/// Whatever the demo says that bumpdesk sent is what bumpdesk sends.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_demo_says_of_bumpdesk_is_what_bumpdesk_says() {
    let mut world = World::parse(NEWCOMER).expect("the demo's world");
    let registry = world.forge.registry_mut().expect("the registry");
    let theirs = registry.pull(5599).expect("it is open").clone();
    world.forge.accounts.get_mut("sol-demo").expect("an account").token = Some(crate::stage::CANARY.into());
    let mut door = Door::of(world).await;
    door.set("BUMPDESK_NOW", "2026-11-21T11:26:00Z");
    let address = "pebblecreek/cluster/google";
    door.said(&format!("plan add {address}")).await.is(0, &[]);
    door.said(&format!("plan show {address}")).await.is(0, &[]);
    door.said(&format!("plan approve {address}")).await.is(0, &[]);
    let plan = door.plan_name().await;
    let ours = sending(&ready(&door, &plan, "--json").await);
    let requests = ours["requests"].as_array().expect("requests");
    let digest = |text: &str| text.split("\"plan\":\"").nth(1).expect("evidence")[..64].to_owned();
    let body = requests[2]["body"]["body"].as_str().expect("a text");
    // What else was in a plan that nobody has any more is nobody's to repeat.
    assert_eq!(theirs.body.replace(&digest(&theirs.body), &digest(body)), body);
    assert_eq!(requests[2]["body"]["title"], *theirs.title);
    assert_eq!(theirs.branch, format!("bumpdesk/bump-{}", &digest(&theirs.body)[..12]));
    let of_commit = colleague(&door, "GET", &format!("{HERE}/pulls/5599/commits"), Value::Null).await;
    let message = &requests[1]["body"]["variables"]["input"]["message"];
    let message = format!(
        "{}\n\n{}",
        message["headline"].as_str().expect("a text"),
        message["body"].as_str().expect("a text")
    );
    assert_eq!(of_commit[0]["commit"]["message"], *message);
}

/// The last digit of one checksum is another: the patch against upstream is that line alone.
#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_a_dishonest_pull_request_are_printed() {
    stamped!(crate::COMMANDS);
    let door = door().await;
    let said = door.said("review 5594 --diff").await;
    said.is(1, &["+++ b/providers/c/copperkettle/toolbelt.json", "+      \"version\": \"1.32.0\","]);
    let said = door.said("review 5594 --against-upstream").await;
    let lines: Vec<&str> = said.out.lines().filter(|line| line.starts_with(['-', '+'])).collect();
    let [_, _, upstream, claimed] = lines[..] else { panic!("{said}") };
    assert_eq!([&upstream[..1], &claimed[..1]], ["-", "+"], "{said}");
    let differing = upstream.chars().zip(claimed.chars()).skip(1).filter(|(a, b)| a != b).count();
    assert_eq!((differing, upstream.contains("shasum")), (1, true), "{said}");
    let said = door.said("review 5594").await;
    said.is(1, &["1.32.0 linux_amd64 shasum", "pull request ", "upstream     ", "other platform"]);
}
