//! The stranded board by command: its columns, the story of a card, what is ignored, what is new, and the scenarios that it is for.

use serde_json::Value;

use super::scene::before;
use crate::door::{Door, Output};

fn scenario(file: &str) -> String {
    let text = std::fs::read_to_string(format!("tests/scenarios/{file}")).expect("a scenario");
    before(&text).to_owned()
}

async fn surveyed(text: &str) -> Door {
    let door = Door::on(text).await;
    door.said("survey --depth sums").await;
    door
}

fn cards(said: &Output) -> Vec<Value> {
    said.objects().into_iter().filter(|object| object["type"] == "stranded").collect()
}

/// Of each card where it stands and why.
async fn places(door: &Door, line: &str) -> Vec<String> {
    let said = door.said(&format!("{line} --json")).await;
    let text = |card: &Value, name: &str| card[name].as_str().unwrap_or("-").to_owned();
    let place = |card: &Value| {
        let of = |name| text(card, name);
        format!("{}@{}: {} {}", of("address"), of("version"), of("column"), of("cause"))
    };
    cards(&said).iter().map(place).collect()
}

/// Everything that may be stranded, in one world.
const LADDER: &str = "ladder.toml";

#[tokio::test(flavor = "multi_thread")]
async fn each_status_has_its_column() {
    let door = surveyed(&scenario(LADDER)).await;
    let all = places(&door, "stranded").await;
    for wanted in [
        "acme/behind@1.1.0: retries next-bump",
        "acme/retry-wait@1.1.0: retries waits",
        "acme/missed-old-line@1.0.1: stuck passed-over",
        "acme/shadowed@1.1.0: stuck passed-over",
        "acme/stranded@1.1.0: broken other-name",
        "acme/drifted@1.0.0: decided drifted",
        "acme/gone-upstream@1.1.0: decided gone-upstream",
        "acme/partial@1.0.0: decided partial",
    ] {
        assert!(all.iter().any(|place| place == wanted), "no {wanted} in {all:#?}");
    }
    // Within the normal delay nothing is stranded, and what is fine is not either.
    for address in ["acme/pending", "acme/current", "acme/h1-missing"] {
        assert!(!all.iter().any(|place| place.starts_with(&format!("{address}@"))), "{address}: {all:#?}");
    }
    // A filter and a column narrow it down.
    let some = places(&door, "stranded --column broken").await;
    assert!(!some.is_empty() && some.len() < all.len());
    assert!(some.iter().all(|place| place.contains(": broken ")), "{some:#?}");
    let one = places(&door, "stranded acme/drifted").await;
    assert_eq!(one, ["acme/drifted@1.0.0: decided drifted"]);
    door.is_untouched();
}

/// What nobody looked at is a column of its own, or is counted: never fine, and never curing itself.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_read_is_not_known() {
    let door = Door::on(&scenario("s4-retry-wait.toml")).await;
    assert_eq!(places(&door, "stranded").await, ["auth0/auth0@1.58.0: unknown unread"]);
    let said = door.said("stranded").await;
    said.is(0, &["NOT KNOWN  1", "? UNKNOWN auth0/auth0 1.58.0: not checked yet; 8 failed tries"]);
    let said = door.said("stranded auth0/auth0 1.58.0").await;
    said.is(
        0,
        &[
            "8 failed tries of the bump, each: checksums not found in release",
            "not known before upstream was read",
        ],
    );
    said.is_not(&["ADDITIVE", "plan add"]);
}

/// S4 as the board has it, in both variants.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_tells_its_story_and_the_ways_on() {
    let door = surveyed(&scenario("s4-retry-wait.toml")).await;
    let said = door.said("stranded auth0/auth0 1.58.0").await;
    said.is(
        0,
        &[
            "fixed upstream but stuck: complete, next try in days",
            "2026-11-18 09:00Z: released",
            "to 2026-11-20 12:00Z: 8 failed tries of the bump, each: checksums not found in release",
            "2026-11-21 05:00Z: SHA256SUMS was uploaded",
            "since the last try: SHA256SUMS was uploaded",
            "ADDITIVE: 13 targets, and nothing that is indexed changes",
            "2026-11-23 04:00Z, in 40 hours",
            "bumpdesk plan clear-errors auth0/auth0@1.58.0",
        ],
    );
    // The way that it names is one.
    door.said("plan clear-errors auth0/auth0@1.58.0").await.is(0, &[]);
    let page = door.said("stranded auth0/auth0@v1.58.0 --markdown").await;
    page.is(
        0,
        &[
            "### `auth0/auth0` `1.58.0`: BACKOFF",
            "- the next automatic try: `2026-11-23 04:00Z, in 40 hours`",
        ],
    );
    door.is_untouched();

    let door = surveyed(&scenario("s4-still-absent.toml")).await;
    assert_eq!(places(&door, "stranded").await, ["auth0/auth0@1.58.0: broken no-sums"]);
    let said = door.said("stranded message auth0/auth0@1.58.0").await;
    said.is(
        0,
        &[
            "1.58.0 cannot be indexed by the OpenTofu registry: no SHA256SUMS",
            "`terraform-provider-auth0_1.58.0_SHA256SUMS`",
            "https://github.com/auth0/terraform-provider-auth0/releases/tag/v1.58.0",
        ],
    );
    let said = door.said("stranded auth0/auth0 1.57.0").await;
    said.is(2, &["auth0/auth0@1.57.0 is not on the board"]);
}

/// S8: indexed half-way. Nothing is changed by itself, in neither variant.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_indexed_half_way_is_for_the_policy() {
    for (file, cause, told) in [
        (
            "s8-half.toml",
            "drifted",
            "1 of 1 stored checksums differ from upstream; partial: 1 of 14 targets, 13 platforms lost since 6.10.0",
        ),
        ("s8-half-same.toml", "partial", "indexed with 1 of 14 targets, 13 platforms lost since 6.10.0"),
    ] {
        let door = surveyed(&scenario(file)).await;
        assert_eq!(places(&door, "stranded").await, [format!("oracle/oci@6.11.0: decided {cause}")]);
        let said = door.said("stranded oracle/oci 6.11.0").await;
        said.is(
            0,
            &[
                told,
                "indexed with 1 target",
                "SHA256SUMS was uploaded",
                "MUTATES: it would change an indexed version, which the policy refuses but for exceptions",
            ],
        );
        said.is_not(&["plan add", "plan block"]);
        let said = door.said("stranded message oracle/oci@6.11.0").await;
        said.is(0, &["6.11.0 in the OpenTofu registry: ", "publish a new version?"]);
        door.is_untouched();
    }
}

/// S2: a stable release of HashiCorp's that the fork did not build, under an alpha.
pub(crate) fn mirror(null: &str) -> String {
    format!(
        r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "hashicorp/null"
targets = ["linux_amd64"]
stored = ["3.2.4-alpha.2", {{ version = "3.2.3", published = "-90d" }}]
{null}

[[repository]]
name = "hashicorp/terraform-provider-null"
releases = [{{ tag = "v3.2.4", published = "-9d" }}]

[[provider]]
address = "hashicorp/time"
targets = ["linux_amd64"]
stored = ["0.13.1-alpha.1", {{ version = "0.13.0", published = "-90d" }}]
"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_that_was_not_built_is_no_authors_fault() {
    stamped!(crate::COMMANDS);
    let door = surveyed(&mirror(r#"tags = [{ name = "v3.2.4", at = "-9d" }]"#)).await;
    // A prerelease on top without a stable version above it is no fault.
    assert_eq!(places(&door, "stranded").await, ["hashicorp/null@3.2.4: broken fork-unbuilt"]);
    let said = door.said("stranded hashicorp/null 3.2.4").await;
    said.is(
        0,
        &[
            "the fork has the tag and no build",
            "the highest indexed version, 3.2.4-alpha.2, is a prerelease and hides it",
            "https://github.com/opentofu/terraform-provider-null/actions: is where the fork's build is run",
        ],
    );
    said.is_not(&["stranded message"]);
    door.said("stranded message hashicorp/null@3.2.4").await.is(4, &["is built from a fork"]);
    door.is_untouched();
    // Why it has no build is looked up, with the run that failed.
    let failed = r#"
tags = [{ name = "v3.2.4", at = "-9d" }]
builds = [{ at = "-1h", event = "pull_request", ended = "failure" }, { at = "-9h", event = "schedule", ended = "failure" }, { at = "-2d", event = "push", ended = "success" }]
"#;
    let door = surveyed(&mirror(failed)).await;
    let said = door.said("triage hashicorp/null@3.2.4").await;
    let build = "https://github.com/opentofu/terraform-provider-null/actions/runs/";
    said.is(
        0,
        &[
            "MIRROR",
            "the newest run of its workflows, Sync and build, failed 03:00Z: ",
            build,
            "run the build of the fork",
        ],
    );
    said.is_not(&["schedule"]);
    let off = r#"
tags = [{ name = "v3.2.4", at = "-9d" }]
builds = [{ at = "-61d", event = "schedule", ended = "success" }]
"#;
    let door = surveyed(&mirror(off)).await;
    let said = door.said("triage hashicorp/null@3.2.4").await;
    let why = "its schedule last started a run 61 days ago, and is most likely disabled";
    said.is(
        0,
        &[
            "MIRROR",
            why,
            "look whether the schedule of the fork opentofu/terraform-provider-null is still on",
        ],
    );
    said.is_not(&["newest run"]);
    let door = Door::on(before(&mirror(off).replace("-61d", "-59d"))).await;
    door.said("triage hashicorp/null@3.2.4").await.is_not(&["disabled"]);
    let fault = "\n[[fault]]\non = \"rest\"\nkind = \"status:503\"\n";
    let door = Door::on(before(&format!("{}{fault}", mirror(off)))).await;
    door.said("triage hashicorp/null@3.2.4").await.is(5, &["how its builds went could not be read"]);
    // Once it is built, the normal delay begins, and the bump takes it.
    let door = surveyed(&mirror(r#"releases = [{ tag = "v3.2.4", published = "-10m" }]"#)).await;
    assert_eq!(places(&door, "stranded").await, Vec::<String>::new());
    door.said("bump hashicorp/null").await.is(0, &["added 3.2.4"]);
    door.said("survey").await;
    assert_eq!(places(&door, "stranded").await, Vec::<String>::new());
    door.said("list --filter hashicorp/null").await.is(0, &["OK"]);
}

const TAGS: &str = r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]
tags = [{ name = "v1.1.0", at = "-20d" }, { name = "v1.2.0", at = "-10d" }]

[[provider]]
address = "acme/quiet"
targets = ["linux_amd64"]
stored = ["1.0.0"]
tags = [{ name = "v2.0.0", at = "-10d" }]
"#;

async fn requests(door: &Door) -> u64 {
    let said = door.said("survey --max-age 0 --json").await;
    let outcome = said.objects().pop().expect("an outcome");
    outcome["summary"]["requests"].as_u64().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_ignored_costs_nothing_and_counts_for_nothing() {
    let door = surveyed(TAGS).await;
    let before = requests(&door).await;
    let said = door.said("stranded").await;
    said.is(
        0,
        &[
            "each survey costs 6 files and 3 look-ups in the releases API",
            "acme/rocket: 4 files and 2 look-ups in the releases API for 2 broken versions",
        ],
    );
    let line = "stranded ignore acme/rocket@1.1.0 acme/rocket@v1.2.0 --until 2027-01-01 --because";
    let words: Vec<&str> = line.split(' ').chain(["never released"]).collect();
    let said = door.run(&words).await;
    said.is(
        0,
        &[
            "2 versions ignored until 2027-01-01, for you alone",
            "✓ OK acme/rocket: the one version has its tag; 1.2.0, 1.1.0 are ignored",
        ],
    );
    // It is out of the status, on the board with its reason, and no survey asks about it.
    door.said("list --filter acme/rocket").await.is(0, &["OK"]);
    let said = door.said("stranded acme/rocket 1.2.0").await;
    said.is(
        0,
        &[
            "IGNORED",
            "ignored by you until 2027-01-01: never released",
            "bumpdesk stranded unignore acme/rocket@1.2.0",
        ],
    );
    door.said("triage acme/rocket@1.2.0").await.is(0, &["IGNORED"]);
    let after = requests(&door).await;
    assert!(after + 4 <= before, "{after} of {before} requests");
    door.said("stranded")
        .await
        .is(0, &["each survey costs 2 files and 1 look-up in the releases API", "POLICY OR DECIDED  2"]);
    // Taken back, nothing is claimed of it before somebody looks.
    door.said("stranded unignore acme/rocket@1.2.0").await.is(0, &["no longer ignored"]);
    door.said("stranded unignore acme/rocket@1.2.0").await.is(2, &["none of them is ignored"]);
    requests(&door).await;
    let all = places(&door, "stranded acme/rocket").await;
    assert_eq!(all, ["acme/rocket@1.2.0: broken no-release", "acme/rocket@1.1.0: decided ignored"]);
    for (line, exit) in [
        ("stranded ignore acme/rocket@1.1.0 --until 2026-01-01 --because x", 2),
        ("stranded ignore acme/rocket@1.1.0 --until soon --because x", 2),
        ("stranded ignore acme/rocket@1.1.0 --until 90d", 2),
        ("stranded ignore acme/rocket --until 90d --because x", 2),
        ("stranded ignore acme/nobody@1.0.0 --until 90d --because x", 2),
        ("stranded ignore acme/rocket@77.0.0 --until 90d --because x", 2),
        ("stranded --markdown", 2),
        ("stranded --column none", 2),
    ] {
        assert_eq!(door.said(line).await.exit, exit, "{line}");
    }
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn new_cards_are_those_since_the_last_visit() {
    let door = surveyed(TAGS).await;
    // At the first visit nothing is new.
    assert_eq!(places(&door, "stranded --new").await.len(), 0);
    let said = door.said("stranded --new").await;
    said.is(0, &["each survey costs"]);
    said.is_not(&["what costs most", "leaves a version out of it"]);
    assert_eq!(places(&door, "stranded --seen").await.len(), 3);
    assert_eq!(places(&door, "stranded --new").await.len(), 0);
    // What changes its column is news.
    let line = "stranded ignore acme/quiet@2.0.0 --until 90d --because asked";
    door.said(line).await.is(0, &[]);
    assert_eq!(places(&door, "stranded --new").await, ["acme/quiet@2.0.0: decided ignored"]);
    door.said("stranded --new --seen").await.is(0, &["1 new since the last visit", "  new "]);
    assert_eq!(places(&door, "stranded --new").await.len(), 0);
}
