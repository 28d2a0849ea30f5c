//! Pull requests of others, made again from upstream: what is honest is the same, and what is not is named.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use demo::fault::{Fault, FaultKind, Lane};
use serde_json::{Value, json};

use super::pull::{HERE, WORLD, approved, by, colleague, committed, ready, sending, writes};
use super::send::open;
use crate::door::{Door, Output};
use crate::stage::CANARY;

pub(crate) const ROCKET: &str = "providers/a/acme/rocket.json";

/// The file that bumpdesk itself would send, and all that a pull request of it needs.
pub(crate) async fn honest(door: &Door) -> (Value, String) {
    let plan = approved(door).await;
    let prepared = sending(&ready(door, &plan, "--json").await);
    let file = String::from_utf8(committed(&prepared, ROCKET)).expect("UTF-8");
    (prepared, file)
}

/// Opens a pull request with these files in a colleague's name; its number.
pub(crate) async fn theirs(door: &Door, prepared: &Value, files: &[(&str, &str)], gone: &[&str]) -> u64 {
    with_commit_by(door, CANARY, prepared, files, gone).await
}

/// The same with its commit made by whoever has that token.
async fn with_commit_by(
    door: &Door,
    token: &str,
    prepared: &Value,
    files: &[(&str, &str)],
    gone: &[&str],
) -> u64 {
    let requests = prepared["requests"].as_array().expect("requests");
    let (mut branch, mut commit) = (requests[0]["body"].clone(), requests[1]["body"].clone());
    let mut pull = requests[2]["body"].clone();
    let name = format!("theirs-{}", writes(door).len());
    branch["ref"] = format!("refs/heads/{name}").into();
    colleague(door, "POST", &format!("{HERE}/git/refs"), branch).await;
    let input = &mut commit["variables"]["input"];
    input["branch"]["branchName"] = name.clone().into();
    let addition =
        |(path, text): &(&str, &str)| json!({ "path": path, "contents": BASE64_STANDARD.encode(text) });
    input["fileChanges"]["additions"] = files.iter().map(addition).collect::<Vec<_>>().into();
    input["fileChanges"]["deletions"] =
        gone.iter().map(|path| json!({ "path": path })).collect::<Vec<_>>().into();
    by(door, token, "POST", "/graphql", commit).await;
    pull["head"] = name.into();
    // What bumpdesk says of its own file does not hold of theirs.
    pull["body"] = "By hand.".into();
    colleague(door, "POST", &format!("{HERE}/pulls"), pull).await["number"].as_u64().expect("a number")
}

/// The same, merged at once: the registry's branch has it from now on, and the checkout has not.
pub(crate) async fn merged(door: &Door, prepared: &Value, files: &[(&str, &str)], gone: &[&str]) {
    let number = theirs(door, prepared, files, gone).await;
    door.server.edit(|world| {
        let now = world.now;
        let pull = world.forge.registry_mut().and_then(|registry| registry.pull_mut(number));
        pull.expect("it was opened").draft = false;
        world.forge.merge(now, number, "ann").expect("it can be merged");
    });
}

/// The file with the first digit of its first checksum made another, and that checksum as it was.
pub(crate) fn flipped(file: &str) -> (String, &str) {
    let sum = &file.split("\"shasum\": \"").nth(1).expect("it is there")[..64];
    let digit = if sum.starts_with('0') { "1" } else { "0" };
    (file.replacen(sum, &format!("{digit}{}", &sum[1..]), 1), sum)
}

pub(crate) async fn review(door: &Door, number: u64, more: &str) -> Output {
    door.said(&format!("review {number} --json {more}")).await
}

pub(crate) fn word(said: &Output) -> String {
    let review = said.objects().into_iter().find(|object| object["type"] == "review");
    review.unwrap_or_else(|| panic!("{said}"))["result"].as_str().expect("a word").to_owned()
}

/// GitHub answers 404 for two commits without a common history. That says nothing of the settings, and nothing is called
/// the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_head_without_common_history_is_unknown() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(404));
    fault.path = Some(format!("{HERE}/compare"));
    door.server.edit(|world| world.faults.push(fault));
    let output = door.said(&format!("review {number} --json")).await;
    assert_eq!(word(&output), "unknown", "{output}");
    assert!(output.out.contains("have no commit in common"), "{output}");
    output.is_not(&["endpoints.repository"]);
    let outcome = output.objects().pop().expect("an outcome");
    assert!(outcome["summary"]["requests"].as_u64() > Some(0), "the requests are counted: {outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_bumpdesk_opened_is_the_same_to_another() {
    let door = Door::on(WORLD).await;
    let (prepared, _) = honest(&door).await;
    let plan = door.plan_name().await;
    let said = open(&door, &plan, prepared["name"].as_str().expect("it is there"), "--json").await;
    let sent = said.objects().into_iter().find(|object| object["type"] == "sent").expect("it was sent");
    let number = sent["pull"].as_u64().expect("a number");
    let before = writes(&door);
    let said = door.said(&format!("review {number}")).await;
    said.is(0, &["SAME, NOT HASHED", "1.2.0, 1.1.0", "reads and hashes them", "that bumpdesk made it"]);
    let said = door.said(&format!("review {number} --hash")).await;
    said.is(0, &["SAME"]);
    said.is_not(&["NOT HASHED"]);
    assert_eq!(writes(&door), before, "a review only looks");
    door.said("review 999").await.is(2, &["has none of that number", "Run `bumpdesk review`"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_honest_is_named() {
    stamped!(crate::COMMANDS);
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    assert_eq!(word(&review(&door, number, "").await), "not-hashed");
    let (flipped, _) = flipped(&file);
    let host = file.replacen("https://github.com/acme", "https://github.co/acme", 1);
    let old = file.rfind("\"shasum\": \"").expect("it is there") + 11;
    let digit = if file[old..].starts_with('0') { "1" } else { "0" };
    let rewritten = format!("{}{digit}{}", &file[..old], &file[old + 1..]);
    for (what, files, gone, result, exit, point) in [
        ("a digit", vec![(ROCKET, &*flipped)], vec![], "differs", 1, "shasum"),
        ("another host", vec![(ROCKET, &*host)], vec![], "differs", 1, "and upstream gives"),
        (
            "what is indexed",
            vec![(ROCKET, &*rewritten)],
            vec![],
            "refused",
            1,
            "is indexed, and its shasum changes",
        ),
        (
            "a file more",
            vec![(ROCKET, &*file), ("README.md", "x")],
            vec![],
            "refused",
            1,
            "is not a file of an entry",
        ),
        (
            "another case",
            vec![(ROCKET, &*file), ("providers/a/Acme/x.json", "{}")],
            vec![],
            "refused",
            1,
            "not written as",
        ),
        ("a file less", vec![], vec![ROCKET], "refused", 1, "the file is removed"),
        ("broken", vec![(ROCKET, "{")], vec![], "differs", 1, "broken JSON"),
    ] {
        let number = theirs(&door, &prepared, &files, &gone).await;
        let said = review(&door, number, "").await;
        assert_eq!((word(&said), said.exit), (result.to_owned(), exit), "{what}: {said}");
        assert!(format!("{said}").contains(point), "{what}: {said}");
    }
}

/// Nothing that could not be read passes for the same.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_unknown() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    door.server.edit(|world| {
        let mut fault = Fault::new(&[Lane::Asset], FaultKind::Status(500));
        fault.repositories = vec!["acme/terraform-provider-rocket".into()];
        world.faults.push(fault);
    });
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{said}");
}

/// Who would install it asks for a signature, and the registry's tool does not: it is told beside the word.
#[tokio::test(flavor = "multi_thread")]
async fn who_vouches_for_what_is_added_is_told() {
    let none = Door::on(WORLD).await;
    let (prepared, file) = honest(&none).await;
    let number = theirs(&none, &prepared, &[(ROCKET, &file)], &[]).await;
    let nobody = "acme/rocket 1.2.0, 1.1.0: no key is on file, so nobody vouches for the checksums";
    none.said(&format!("review {number}")).await.is(0, &["SAME, NOT HASHED", nobody]);

    let keys = "[[key]]\nname = \"ours\"\non_file = [\"acme\"]\n";
    let world = WORLD.replace("targets = [\"linux", "signed_by = \"ours\"\ntargets = [\"linux");
    let door = Door::on(&format!("{world}\n{keys}")).await;
    let (prepared, file) = honest(&door).await;
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let line = format!("review {number}");
    door.said(&line).await.is(0, &["acme/rocket 1.2.0, 1.1.0: the key "]);
    let mut gone = Fault::new(&[Lane::Asset, Lane::Object], FaultKind::Status(500));
    gone.path = Some("*1.2.0_SHA256SUMS.sig*".into());
    door.server.edit(|world| world.faults = vec![gone]);
    let said = door.said(&line).await;
    said.is(0, &["acme/rocket 1.2.0: its signature could not be read: ", "acme/rocket 1.1.0: the key "]);
}

/// A time of discovery is held against the release: where the API shows none, or does not answer, and also where the checkout has
/// the version by now.
#[tokio::test(flavor = "multi_thread")]
async fn when_a_version_was_published_is_known_or_it_is_unknown() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    assert!(file.contains("\"discovered\""), "{file}");
    let at = file.find("\"discovered\": \"").expect("it is there") + 15;
    let early = format!("{}2023-09-01T00:00:00Z{}", &file[..at], &file[at + 20..]);
    let honest = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let early = theirs(&door, &prepared, &[(ROCKET, &early)], &[]).await;
    let before = "it says that it was discovered before it was published";
    let is = async |number, result: &str, point: &str| {
        let said = review(&door, number, "").await;
        assert!(word(&said) == result && format!("{said}").contains(point), "{result} {point}: {said}");
    };
    is(honest, "not-hashed", "").await;
    is(early, "differs", before).await;
    let unread = "when it was published is not known";
    for kind in [FaultKind::Graphql("NOT_FOUND".into()), FaultKind::Status(502)] {
        let mut fault = Fault::new(&[Lane::Graphql], kind.clone());
        if matches!(kind, FaultKind::Graphql(_)) {
            fault.repositories = vec!["acme/terraform-provider-rocket".into()];
        }
        door.server.edit(|world| world.faults = vec![fault]);
        is(honest, "unknown", unread).await;
        is(early, "unknown", unread).await;
        door.server.edit(|world| world.faults.clear());
    }
    // The checkout has it by now, and what was claimed is the same claim.
    door.put(ROCKET, file.as_bytes());
    is(honest, "not-hashed", "").await;
    is(early, "differs", before).await;
}

/// The branch went on since the pull request began.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_registry_has_by_now_is_held_against_it() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    merged(&door, &prepared, &[("README.md", "x")], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("not-hashed".to_owned(), 0), "{said}");
    assert!(!format!("{said}").contains("since it began"), "{said}");
    merged(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("differs".to_owned(), 1), "{said}");
    for told in ["the registry has 1.2.0 by now", "the registry has 1.1.0 by now"] {
        assert!(format!("{said}").contains(told), "{said}");
    }
    // Closed it can be opened again, between its review and the sending of one.
    let close = json!({ "state": "closed" });
    by(&door, CANARY, "PATCH", &format!("{HERE}/pulls/{number}"), close).await;
    assert_eq!(word(&review(&door, number, "").await), "differs");
    door.server.edit(|world| {
        let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(500));
        fault.path = Some("*/git/trees/*".into());
        world.faults.push(fault);
    });
    // Not even its folders can be read then.
    let said = review(&door, number, "").await;
    said.is(3, &["it answered HTTP 500"]);
    said.is_not(&["not-hashed", "\"same\""]);
}

/// The checkout is of yesterday: what two maintainers kept out this morning is kept out.
#[tokio::test(flavor = "multi_thread")]
async fn the_blacklist_is_that_of_the_branch_as_it_is() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let list = r#"{"providers":[{"namespace":"acme","name":"rocket","version":"1.2.0","reason":"broken"}]}"#;
    let other = theirs(&door, &prepared, &[("versions_blacklist.json", list)], &[]).await;
    assert_eq!(word(&review(&door, number, "").await), "not-hashed");
    door.server.edit(|world| {
        let now = world.now;
        let pull = world.forge.registry_mut().and_then(|registry| registry.pull_mut(other));
        pull.expect("it was opened").draft = false;
        world.forge.merge(now, other, "ann").expect("it can be merged");
    });
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("refused".to_owned(), 1), "{said}");
    assert!(format!("{said}").contains("1.2.0: it is on the blacklist: broken"), "{said}");
    door.server.edit(|world| {
        let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(500));
        fault.path = Some("*/contents/versions_blacklist.json".into());
        let mut blobs = Fault::new(&[Lane::Rest], FaultKind::Status(500));
        blobs.path = Some("*/git/blobs/*".into());
        world.faults.extend([fault, blobs]);
    });
    review(&door, number, "").await.is_not(&["not-hashed", "\"same\""]);
}

/// A tag that is no version, which upstream may move every day: no tool of the registry indexes it.
#[tokio::test(flavor = "multi_thread")]
async fn a_tag_that_is_not_a_version_is_not_one() {
    let world = WORLD.replace("tags = [\"v1.1.0\"]", "tags = [\"v1.1.0\", \"nightly\"]");
    let pull = |number: u64, version: &str| {
        format!(
            "[[pull]]\nnumber = {number}\nauthor = \"ann\"\ntitle = \"x\"\nopened = \"-1h\"\n\
             commit = [{{ versions = {{ \"umbrella/vpc/aws\" = [\"{version}\"] }} }}]\n"
        )
    };
    let door = Door::on(&format!("{world}{}", pull(4001, "v1.1.0"))).await;
    assert_eq!(word(&review(&door, 4001, "").await), "same");
    let (prepared, _) = honest(&door).await;
    let path = "modules/u/umbrella/vpc/aws.json";
    let file = String::from_utf8(committed(&prepared, path)).expect("UTF-8").replacen("v1.1.0", "nightly", 1);
    let number = theirs(&door, &prepared, &[(path, &file)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("differs".to_owned(), 1), "{said}");
    assert!(format!("{said}").contains("nightly: its tag is not a version"), "{said}");
}

/// A merge of what its branch has anyway says nothing new; whether it is that is asked for, and unknown where nobody answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_merge_in_it_is_held_against_its_base() {
    let before = "[before]\nat = \"-2d\"\nwithout = { \"umbrella/vpc/aws\" = [\"v1.0.0\"] }\n";
    let pull = "[[pull]]\nnumber = 4001\nauthor = \"ann\"\ntitle = \"x\"\nopened = \"-1h\"\n\
                commit = [{ versions = { \"umbrella/vpc/aws\" = [\"v1.1.0\"] }, joins = \"oldest\" }]\n";
    let door = Door::on(&format!("{WORLD}{before}{pull}")).await;
    door.server.forget();
    assert_eq!(word(&review(&door, 4001, "").await), "same");
    let compared = door.server.exchanges().into_iter().filter(|one| one.target.contains("/compare/"));
    let targets: Vec<String> = compared.map(|one| one.target).collect();
    assert_eq!(targets.len(), 2, "{targets:?}");
    door.server.edit(|world| {
        let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(500));
        fault.path = Some(targets[1].split('?').next().unwrap_or_default().to_owned());
        world.faults.push(fault);
    });
    review(&door, 4001, "").await.is_not(&["\"same\""]);
}

/// The branch was brought up to date by a merge, as the button on the site does it. Once the registry takes such a branch in before
/// that, both have two newest commits in common, and what differs from one of them is not what merging it does.
#[tokio::test(flavor = "multi_thread")]
async fn a_branch_that_meets_the_registrys_twice_is_unknown() {
    let tags = WORLD.replace("tags = [\"v1.1.0\"]", "tags = [\"v1.1.0\", \"v1.2.0\"]");
    let before = "[before]\nat = \"-2d\"\nwithout = { \"acme/rocket\" = [\"1.0.0\"] }\n";
    for (taken_in, exit, result) in [(false, 0, "same"), (true, 5, "unknown")] {
        let pull = format!(
            "[[pull]]\nnumber = 4001\nauthor = \"ann\"\ntitle = \"x\"\nopened = \"-1h\"\non_before = true\ncommit = [\
             {{ versions = {{ \"umbrella/vpc/aws\" = [\"v1.1.0\"] }}, taken_in = {taken_in} }}, \
             {{ versions = {{ \"umbrella/vpc/aws\" = [\"v1.2.0\"] }}, joins = \"newest\" }}]\n"
        );
        let door = Door::on(&format!("{tags}{before}{pull}")).await;
        let said = review(&door, 4001, "").await;
        assert_eq!((word(&said), said.exit), (result.to_owned(), exit), "{said}");
        let told = "its branch meets the registry's in more than one place";
        assert_eq!(format!("{said}").contains(told), taken_in, "{said}");
    }
}

/// What GitHub lists in part, and what takes a request each, has its limit, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_branch_of_too_many_merges_or_commits_is_unknown() {
    let pull = |number: usize, commits: &[String]| {
        let commits = commits.join(", ");
        format!(
            "[[pull]]\nnumber = {number}\nauthor = \"ann\"\ntitle = \"x\"\nopened = \"-1h\"\ncommit = [{commits}]\n"
        )
    };
    // Of each the registry's branch takes the first commit in.
    let file = |at: usize, text, taken_in: bool| {
        format!("{{ file = {{ \"{at}\" = \"{text}\" }}, taken_in = {taken_in} }}")
    };
    let line: String =
        (1..10).map(|at| pull(4100 + at, &[file(at, "x", true), file(at, "y", false)])).collect();
    let commit = |more: String| format!("{{ versions = {{ \"umbrella/vpc/aws\" = [\"v1.1.0\"] }}{more} }}");
    let joins = |many: usize| (1..=many).map(|at| commit(format!(", joins = {at}"))).collect::<Vec<_>>();
    for (commits, told) in [
        (joins(8), ""),
        (joins(9), "it takes the registry's branch in more than 8 times"),
        (vec![commit(String::new()); 250], ""),
        (vec![commit(String::new()); 251], "it has more commits than GitHub lists"),
    ] {
        let door = Door::on(&format!("{WORLD}{line}{}", pull(4001, &commits))).await;
        let said = review(&door, 4001, "").await;
        let wanted = if told.is_empty() { ("same", 0) } else { ("unknown", 5) };
        assert_eq!((&*word(&said), said.exit), wanted, "{said}");
        assert!(format!("{said}").contains(told), "{said}");
    }
}

/// Whoever opened it, who made a commit may only read like somebody: what differs is told.
#[tokio::test(flavor = "multi_thread")]
async fn who_made_a_commit_and_reads_like_the_owner_is_told() {
    let token = "token-of-nobody-else";
    let account = format!("[[account]]\nlogin = \"0pentofu\"\nrole = \"write\"\ntoken = \"{token}\"\n");
    let door = Door::on(&format!("{WORLD}\n{account}")).await;
    let (prepared, file) = honest(&door).await;
    let number = with_commit_by(&door, token, &prepared, &[(ROCKET, &file)], &[]).await;
    let told = "the name: 0pentofu is not opentofu: the digit 0 in the place of the letter o";
    door.said(&format!("review {number}")).await.is(0, &[told, "made by 0pentofu as well as ann"]);
    let said = review(&door, number, "").await.objects();
    let around = said.iter().find_map(|object| object.get("around")).expect("it was read");
    let reads_like = json!([{
        "who": "0pentofu",
        "name": "opentofu",
        "differs": "the digit 0 in the place of the letter o",
    }]);
    assert_eq!(around["reads_like"], reads_like, "{around:#}");
}

/// It is listed beside those for the branch that is served, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_pull_request_for_another_branch_says_so() {
    let door = Door::on(WORLD).await;
    let (mut prepared, file) = honest(&door).await;
    theirs(&door, &prepared, &[("README.md", "x")], &[]).await;
    let heads = colleague(&door, "GET", &format!("{HERE}/git/matching-refs/heads/theirs"), Value::Null).await;
    let branch = heads[0]["ref"].as_str().expect("a ref").trim_start_matches("refs/heads/").to_owned();
    prepared["requests"][2]["body"]["base"] = branch.clone().into();
    let number = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let told = format!("it is for the branch `{branch}`, and the registry is served from `main`");
    let said = review(&door, number, "").await;
    assert!(format!("{said}").contains(&told), "{said}");
}

/// Hashes of what is indexed are filled in: when it was discovered stays.
#[tokio::test(flavor = "multi_thread")]
async fn hashes_that_are_filled_in_are_the_same() {
    let filled = Door::on(WORLD).await.read(ROCKET);
    let world = WORLD.replace("published = \"-90d\" }", "published = \"-90d\", hashes = false }");
    assert_ne!(world, WORLD);
    let door = Door::on(&world).await;
    assert_ne!(door.read(ROCKET), filled, "it lacks them");
    let (prepared, _) = honest(&door).await;
    let number = theirs(&door, &prepared, &[(ROCKET, &filled)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("not-hashed".to_owned(), 0), "{said}");
    assert_eq!(word(&review(&door, number, "--hash").await), "same");
    let at = filled.find("\"h1\": \"h1:").expect("a hash") + 11;
    let other = if filled.as_bytes()[at] == b'A' { "B" } else { "A" };
    let number =
        theirs(&door, &prepared, &[(ROCKET, &format!("{}{other}{}", &filled[..at], &filled[at + 1..]))], &[])
            .await;
    let said = review(&door, number, "--hash").await;
    assert_eq!((word(&said), said.exit), ("differs".to_owned(), 1), "{said}");
}

/// Both differences of a pull request are printed as patches: an entry that differs, a new file, a deleted one, one that is
/// no JSON, and one that nobody rebuilds.
#[tokio::test(flavor = "multi_thread")]
async fn both_differences_are_printed() {
    stamped!(crate::COMMANDS);
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let (other, sum) = flipped(&file);
    let number = theirs(&door, &prepared, &[(ROCKET, &other)], &[]).await;
    let said = door.said(&format!("review {number} --diff")).await;
    said.is(1, &[&format!("diff --git a/{ROCKET} b/{ROCKET}"), "+      \"version\": \"1.2.0\","]);
    said.is_not(&["DIFFERS", sum]);
    let said = door.said(&format!("review {number} --against-upstream")).await;
    let changed = |sign: &str| said.out.lines().filter(|line| line.starts_with(sign)).count();
    // One line of the file and the head of the patch.
    assert_eq!((changed("-"), changed("+")), (2, 2), "{said}");
    said.is(1, &[&format!("-          \"shasum\": \"{sum}\"")]);
    let said = door.said(&format!("review {number} --diff --against-upstream --json")).await;
    let lines: Vec<Value> =
        said.objects().into_iter().filter(|object| object["type"] == "review-diff").collect();
    let sides: Vec<&Value> = lines.iter().map(|object| &object["against"]).collect();
    assert_eq!(sides, ["base", "upstream"], "{said}");
    assert!(lines.iter().all(|object| object["path"] == ROCKET && object["why"].is_null()), "{said}");
    let review =
        said.objects().into_iter().find(|object| object["type"] == "review").expect("the review too");
    let mismatch = &review["files"][0]["mismatches"][0];
    assert_eq!((&mismatch["field"], &mismatch["upstream"]), (&json!("shasum"), &json!(format!("\"{sum}\""))));

    // In people's words the two stand below each other.
    let said = door.said(&format!("review {number}")).await;
    let line = |start: &str| said.out.lines().find(|line| line.trim_start().starts_with(start)).map(str::len);
    assert!(line("pull request").is_some() && line("pull request") == line("upstream"), "{said}");
    let caret = said.out.lines().find(|line| line.trim() == "^").expect("a caret").len() - 1;
    let row = said.out.lines().find(|line| line.trim_start().starts_with("upstream")).expect("a row");
    assert_eq!(&row[caret..], sum, "the first digit is another");

    let same = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let said = door.said(&format!("review {same} --against-upstream")).await;
    said.is(0, &["nothing differs: upstream gives the same file"]);
    assert_eq!(said.out, "", "{said}");

    let broken = "providers/a/acme/broken.json";
    let mixed = [(broken, "{\nnot JSON\n"), ("README.md", "x")];
    let number = theirs(&door, &prepared, &mixed, &[ROCKET]).await;
    let said = door.said(&format!("review {number} --diff")).await;
    said.is(
        1,
        &[
            "new file mode 100644",
            "+not JSON",
            "deleted file mode 100644",
            "diff --git a/README.md b/README.md",
            "+x",
        ],
    );
    let said = door.said(&format!("review {number} --against-upstream")).await;
    let reasons = ["the file is removed", "it cannot be rebuilt from upstream", "upstream has no such file"];
    said.is(1, &reasons);
    assert_eq!(said.out, "", "{said}");
    door.said("review --diff").await.is(2, &["--diff"]);
    door.said(&format!("review {number} --diff --markdown")).await.is(2, &["cannot be used with"]);
}
