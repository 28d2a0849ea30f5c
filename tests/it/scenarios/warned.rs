//! Warnings of entries: planned, sent and reviewed, for any author. A person decides about each of them.

use super::edits::{approve, pushing};
use super::pull::{ready, sending};
use super::review::{ROCKET, honest, review, theirs, word};
use super::send::open;
use super::verdict::{confirm, digits, failing, look, other_machine, reviews, sent, with_bea};
use crate::door::{Door, Output};

/// Two providers of one owner. The first has a warning.
const WORLD: &str = "clock = \"2026-11-21T12:00:00Z\"\n\
    [[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n\
    warnings = [\"Please use acme/rocker instead.\"]\n\
    [[provider]]\naddress = \"acme/forge\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n";

fn points(output: &Output) -> Vec<String> {
    let review = output.objects().into_iter().find(|object| object["type"] == "review").expect("a review");
    let points = review["files"][0]["points"].as_array().expect("points").clone();
    points.iter().map(|point| point.as_str().expect("a text").to_owned()).collect()
}

/// The change from `plan warn` becomes a pull request that another maintainer can approve.
#[tokio::test(flavor = "multi_thread")]
async fn a_planned_warning_is_opened_and_approved() {
    let mut door = Door::on(&with_bea(&pushing(WORLD))).await;
    let output = door.run(&["plan", "warn", "acme/rocket", "--text", "Please use acme/forge instead."]).await;
    output.is(0, &["clients show it at the next `init`"]);
    let plan = approve(&door, "acme/rocket").await;
    let prepared = sending(&ready(&door, &plan, "--ready --json").await);
    let name = prepared["name"].as_str().expect("digits").to_owned();
    let number = sent(&open(&door, &plan, &name, "--ready --json").await)["pull"].as_u64().expect("a number");
    other_machine(&mut door);
    let output = review(&door, number, "").await;
    assert_eq!((word(&output), output.exit), ("person-decides".to_owned(), 1), "{output}");
    assert_eq!(
        points(&output),
        [
            "`warnings`: a text is added: \"Please use acme/forge instead.\"",
            "it sends users to `acme/rocker`, which is not registered",
            "it names `acme/forge`, which is registered",
            "no version changes",
        ]
    );
    let output = door.said(&format!("review {number}")).await;
    output.is(1, &["A PERSON DECIDES", "that bumpdesk made it", "who asks"]);
    door.said("review").await.is(1, &["A PERSON DECIDES", "a text is added"]);
    let output = look(&door, number, "--approve").await;
    assert_eq!((output.exit, failing(&output)), (0, Vec::new()), "{output}");
    let name = digits(&door, number, "--approve").await;
    confirm(&door, number, "--approve", &name).await.is(0, &["the approval of pull request"]);
    let given = reviews(&door, number).await;
    assert_eq!((given.len(), &*given[0].1), (1, "APPROVED"));
}

/// The review of somebody else's warning shows its texts, and judges changed versions as usual.
#[tokio::test(flavor = "multi_thread")]
async fn a_person_decides_about_warnings_of_others() {
    stamped!(crate::COMMANDS);
    let mut door = Door::on(&with_bea(super::pull::WORLD)).await;
    let (prepared, file) = honest(&door).await;
    let old = door.read(ROCKET);
    let warned =
        |file: &str, list: &str| format!("{},\n  \"warnings\": {list}\n}}", file.trim_end_matches("\n}"));
    let one = "[\n    \"Please use acme/nowhere instead.\"\n  ]";
    let first = old.replacen('{', &format!("{{\n  \"warnings\": {one},"), 1);
    let mut numbers = Vec::new();
    for (what, text, result, point) in [
        (
            "added",
            warned(&old, one),
            "person-decides",
            "a text is added: \"Please use acme/nowhere instead.\"",
        ),
        ("its address", warned(&old, one), "person-decides", "`acme/nowhere`, which is not registered"),
        ("by hand", first, "person-decides", "the next bump moves it"),
        ("versions beside it", warned(&file, one), "person-decides", "a text is added"),
        ("control characters", warned(&old, "[\n    \"\\u001b[2J\"\n  ]"), "differs", "one line of text"),
        ("no list", warned(&old, "\"x\""), "differs", "expected a sequence"),
    ] {
        let number = theirs(&door, &prepared, &[(ROCKET, &text)], &[]).await;
        let output = review(&door, number, "").await;
        assert_eq!((&*word(&output), output.exit), (result, 1), "{what}: {output}");
        assert!(output.to_string().contains(&point.replace('"', "\\\"")), "{what}: {output}");
        numbers.push(number);
    }
    other_machine(&mut door);
    let output = look(&door, numbers[0], "--approve").await;
    assert_eq!((output.exit, failing(&output)), (0, Vec::new()), "{output}");
    assert!(output.to_string().contains("is not visible as one of acme"), "{output}");
    // Changed versions beside a warning can be approved once their archives are hashed.
    let output = look(&door, numbers[3], "--approve").await;
    assert_eq!((output.exit, failing(&output)), (4, vec!["result of the review".to_owned()]), "{output}");
    let output = look(&door, numbers[3], "--approve --hash").await;
    assert_eq!((output.exit, failing(&output)), (0, Vec::new()), "{output}");
    let output = look(&door, numbers[4], "--approve").await;
    assert_eq!(output.exit, 4, "{output}");
}

/// A warning that sends users to a useless address is refused before planning, and `lint` finds it in a file.
#[tokio::test(flavor = "multi_thread")]
async fn a_warning_that_sends_users_nowhere_is_refused() {
    let door = Door::on(&pushing(WORLD)).await;
    for (text, problem) in [
        ("Please use acme/forge instead of acme/nowhere.", ""),
        ("This provider is deprecated and/or broken.", ""),
        ("Please use acme/rocket instead.", "`acme/rocket`, which is this very entry"),
        ("Please use acme/nowhere instead.", "`acme/nowhere`, which is not registered"),
        ("Moved to https://registry.opentofu.org/acme/nowhere", "`acme/nowhere`, which is not registered"),
        ("Use `hashicorp/null`.", "`hashicorp/null`, which is not registered"),
    ] {
        let output = door.run(&["plan", "warn", "acme/rocket", "--text", text]).await;
        match problem {
            "" => output.is(0, &["1 entry"]),
            problem => {
                output.is(4, &[problem, "nothing was planned", "Name another provider that is registered"]);
            }
        }
    }
    door.said("plan warn acme/rocket --moved-to acme/rocket").await.is(4, &["this very entry"]);
    door.said("plan warn acme/rocket --moved-to acme/nowhere").await.is(4, &["not registered"]);
    door.said("plan warn acme/rocket --moved-to acme/forge").await.is(0, &[]);
    let output = door.said("lint --rule odd-warning").await;
    output.is(1, &["rocket.json: warning odd-warning", "`acme/rocker`, which is not registered"]);
    output.is_not(&["forge.json"]);
    door.said("show acme/rocket").await.is(0, &["`acme/rocker`, which is not registered"]);
}

/// A second edit of an entry names the change that it replaces.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_warning_says_that_it_replaces_the_first() {
    let door = Door::on(&pushing(WORLD)).await;
    let warn = |text: &'static str| ["plan", "warn", "acme/rocket", "--text", text];
    let replaces = "this replaces a planned change that";
    door.run(&warn("Old.")).await.is_not(&[replaces]);
    let output = door.run(&warn("Older.")).await;
    output.is(0, &["this replaces a planned change that adds a warning: Old."]);
    // Repeating the same edit replaces nothing.
    door.run(&warn("Older.")).await.is_not(&[replaces]);
    let output = door.said("plan block acme/rocket@9.0.0 --because test").await;
    output.is(0, &["this replaces a planned change that adds a warning: Older."]);
    door.said("plan rebuild").await.is_not(&[replaces]);
}
