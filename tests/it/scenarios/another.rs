//! S5, S6 and S7 of the stories (`tests/scenarios/stories.md`) where another maintainer reviews them, with a machine and an
//! account of his own: what the registry's policy leaves to people is named whole, and is never approved here.

use serde_json::Value;

use super::edits::{AWS, BLACKLIST, CODER, approve, files, pushing, without};
use super::pull::{ready, sending, writes};
use super::review::{review, theirs, word};
use super::scene::before;
use super::send::open;
use super::verdict::{confirm, digits, failing, look, other_machine, reviews, sent};
use crate::door::{Door, Output};

const BEA: &str = "[[account]]\nlogin = \"bea\"\nrole = \"write\"\n";

/// Reviews it as bea: refused with exactly these files and these points and notes; not to be approved, and what is said of it
/// instead names them.
async fn refused(door: &mut Door, number: u64, paths: &[&str], told: &[&str]) -> Output {
    other_machine(door);
    let said = review(door, number, "").await;
    assert_eq!((word(&said), said.exit), ("refused".to_owned(), 1), "{said}");
    let reviewed = said.objects().into_iter().find(|object| object["type"] == "review").expect("a review");
    let files = reviewed["files"].as_array().expect("files").iter();
    let found: Vec<&str> = files.map(|file| file["path"].as_str().expect("a path")).collect();
    assert_eq!(found, paths);
    let all: Vec<&Value> = [&reviewed["notes"], &reviewed["files"]].to_vec();
    for told in told {
        assert!(all.iter().any(|part| part.to_string().contains(told)), "lacks {told}: {said}");
    }
    let approval = look(door, number, "--approve --hash").await;
    assert_eq!(
        (approval.exit, failing(&approval)),
        (4, vec!["result of the review".to_owned()]),
        "{approval}"
    );
    assert_eq!(writes(door), [""; 0]);
    let name = digits(door, number, "--request-changes").await;
    confirm(door, number, "--request-changes", &name).await.is(0, &["is submitted"]);
    let there = reviews(door, number).await;
    assert_eq!((&*there[0].0, &*there[0].1), ("bea", "CHANGES_REQUESTED"));
    said
}

/// The author of S5 asks by hand for what bumpdesk plans for nobody: new checksums under an indexed number.
#[tokio::test(flavor = "multi_thread")]
async fn s5_new_checksums_of_what_is_indexed_are_refused_to_another() {
    let world = include_str!("../../scenarios/s5-recreated.toml");
    let pull = "[[account]]\nlogin = \"ann-author\"\n[[pull]]\nnumber = 4000\nauthor = \"ann-author\"\ntitle = \"Fix 3.14.1\"\nopened = \"-1h\"\n\
                commit = [{ versions = { \"coralogix/coralogix\" = [\"3.14.1\"] } }]\n";
    let mut door = Door::on(&pushing(&format!("{world}\n{BEA}{pull}"))).await;
    let path = "providers/c/coralogix/coralogix.json";
    let said =
        refused(&mut door, 4000, &[path], &["3.14.1 linux_amd64 is indexed, and its shasum changes"]).await;
    let changed = format!("{said}").matches(" is indexed, and its shasum changes").count();
    assert_eq!(changed, 13, "{said}");
}

/// The second of two approvals of S6 looks at what the first one sent: both twins, the blacklist, and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn s6_a_removal_is_named_whole_to_another() {
    stamped!(crate::COMMANDS);
    let mut door = Door::on(&format!("{}\n{BEA}", include_str!("../../scenarios/s6-withdrawn.toml"))).await;
    let old: Vec<String> = AWS.iter().map(|path| door.read(path)).collect();
    door.said("plan remove hashicorp/aws@6.57.0 --because extreme-disruption --announcement https://example.com/a --issue 7")
        .await
        .is(0, &[]);
    let plan = approve(&door, "hashicorp/aws opentofu/aws").await;
    let prepared = sending(&ready(&door, &plan, "--json").await);
    let said = open(&door, &plan, prepared["name"].as_str().expect("digits"), "--json").await;
    let number = sent(&said)["pull"].as_u64().expect("a number");
    let list = files(&prepared).into_iter().find(|(path, _)| path == BLACKLIST).expect("it is there").1;
    // The same by hand without the blacklist, and of one twin with a digit more.
    let gone = old.iter().map(|file| without(file, "6.57.0", "6.56.0")).collect::<Vec<_>>();
    let bare = theirs(&door, &prepared, &[(AWS[0], &gone[0]), (AWS[1], &gone[1])], &[]).await;
    let digit = gone[0].replacen("\"shasum\": \"", "\"shasum\": \"0", 1);
    let hidden =
        theirs(&door, &prepared, &[(AWS[0], &digit), (AWS[1], &gone[1]), (BLACKLIST, &list)], &[]).await;
    let removed = "6.57.0 is removed, and it is indexed";
    let listed = "aws 6.57.0 is put on the blacklist: Extreme disruption - see https://example.com/a";
    let said = refused(
        &mut door,
        number,
        &[AWS[0], AWS[1], BLACKLIST],
        &[
            removed,
            &format!("hashicorp/{listed}"),
            &format!("opentofu/{listed}"),
            "hashicorp/aws: the blacklist keeps 6.57.0 out once it is removed",
            "opentofu/aws: the blacklist keeps 6.57.0 out once it is removed",
            "its evidence says that bumpdesk made it",
        ],
    )
    .await;
    assert_eq!(format!("{said}").matches(" is indexed").count(), 2, "{said}");
    let again = "hashicorp/aws: a plain removal: the next bump adds 6.57.0 again";
    refused(&mut door, bare, &[AWS[0], AWS[1]], &[removed, again]).await;
    let digit = "is indexed, and its shasum changes";
    refused(&mut door, hidden, &[AWS[0], AWS[1], BLACKLIST], &[removed, digit]).await;
}

/// S7: one version whose tag is gone, and what else drifted stays as it is.
#[tokio::test(flavor = "multi_thread")]
async fn s7_a_removal_beside_drift_is_named_whole_to_another() {
    let world = before(include_str!("../../scenarios/s7-deleted-tag.toml"));
    let mut door = Door::on(&pushing(&format!("{world}\n{BEA}"))).await;
    door.said("plan remove coder/coder@3.0.0 --because leaked-secret --announcement https://example.com/a --issue 30")
        .await
        .is(0, &[]);
    let plan = approve(&door, "coder/coder").await;
    let prepared = sending(&ready(&door, &plan, "--acknowledge-drift --json").await);
    let name = prepared["name"].as_str().expect("digits");
    let said = open(&door, &plan, name, "--acknowledge-drift --json").await;
    let number = sent(&said)["pull"].as_u64().expect("a number");
    let said = refused(
        &mut door,
        number,
        &[CODER, BLACKLIST],
        &[
            "3.0.0 is removed, and it is indexed",
            "coder/coder 3.0.0 is put on the blacklist: Leaked secret - see https://example.com/a",
            "coder/coder: the blacklist keeps 3.0.0 out once it is removed",
            "coder/coder: upstream has 2 other tags that the file would not have: ",
        ],
    )
    .await;
    said.is_not(&["2.18.0-pre0 linux"]);
}
