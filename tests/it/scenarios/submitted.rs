//! New entries and keys that others bring: made again as the registry's submission form makes them.

use demo::fault::{Fault, FaultKind, Lane};

use super::pull::committed;
use super::review::{merged, review, theirs, word};
use super::submissions::{NEW, PARASOL, VPC, opened};
use crate::door::Door;

#[tokio::test(flavor = "multi_thread")]
async fn a_new_entry_is_what_the_form_writes_or_is_named() {
    stamped!(crate::COMMANDS);
    let door = Door::on(NEW).await;
    door.said("plan submit provider umbrella/terraform-provider-parasol").await.is(0, &[]);
    let (prepared, _) = opened(&door, "umbrella/parasol").await;
    let file = String::from_utf8(committed(&prepared, PARASOL)).expect("UTF-8");
    let number = theirs(&door, &prepared, &[(PARASOL, &file)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("not-hashed".to_owned(), 0), "{said}");
    let said = review(&door, number, "--hash").await;
    assert_eq!((word(&said), said.exit), ("same".to_owned(), 0), "{said}");
    let sum = file.split("\"shasum\": \"").nth(1).expect("it is there")[..64].to_owned();
    let digit = if sum.starts_with('0') { "1" } else { "0" };
    let flipped = file.replacen(&sum, &format!("{digit}{}", &sum[1..]), 1);
    let warned = file.replacen('{', "{\n  \"warnings\": [\"use another\"],", 1);
    let failed = file.replacen("checksums not found in release", "no artifacts in release", 1);
    let late = file.replacen("\"utc_time\": \"2026", "\"utc_time\": \"3026", 1);
    let spaced = {
        let from = file.find("\"utc_time\": \"2026-").expect("it is there");
        let at = from + file[from..].find('T').expect("a time");
        format!("{} {}", &file[..at], &file[at + 1..])
    };
    let empty = "{\n  \"versions\": []\n}".to_owned();
    let one = file.replacen("1.0.0", "1.0.1", 1);
    for (what, path, text, result, point) in [
        ("a digit", PARASOL, &flipped, "differs", "shasum"),
        ("a warning", PARASOL, &warned, "differs", "warnings"),
        ("a failed try", PARASOL, &failed, "differs", "versions_errors"),
        ("a failed try of tomorrow", PARASOL, &late, "differs", "recorded after the pull request"),
        ("a failed try in another form", PARASOL, &spaced, "differs", "the time of its failed try is not as"),
        ("no version", PARASOL, &empty, "differs", "the form takes no entry without one"),
        ("another version", PARASOL, &one, "differs", "1.0"),
        ("final newline", PARASOL, &format!("{file}\n"), "differs", "its bytes are not"),
        (
            "no such repository",
            "providers/u/umbrella/nowhere.json",
            &file,
            "refused",
            "there is no repository",
        ),
        (
            "nothing to index",
            "providers/u/umbrella/sketch.json",
            &file,
            "refused",
            "no version that can be indexed",
        ),
        ("a broken one", "providers/u/umbrella/broken.json", &file, "refused", "ends with an error"),
        (
            "on the blacklist",
            "providers/u/umbrella/banned.json",
            &file,
            "refused",
            "no version that can be indexed",
        ),
        ("a moved one", "providers/u/umbrella/old.json", &file, "refused", "has moved to"),
        (
            "a bad name",
            "providers/u/umbrella/para_sol.json",
            &file,
            "refused",
            "is not OWNER/terraform-provider-NAME",
        ),
    ] {
        let number = theirs(&door, &prepared, &[(path, text)], &[]).await;
        let said = review(&door, number, "").await;
        assert_eq!((word(&said), said.exit), (result.to_owned(), 1), "{what}: {said}");
        assert!(format!("{said}").contains(point), "{what}: {said}");
    }
    door.server.edit(|world| {
        let mut fault = Fault::new(&[Lane::Asset], FaultKind::Status(500));
        fault.repositories = vec!["umbrella/terraform-provider-parasol".into()];
        world.faults.push(fault);
    });
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_module_is_what_the_form_writes_or_is_named() {
    let door = Door::on(NEW).await;
    door.said("plan submit module umbrella/terraform-aws-vpc").await.is(0, &[]);
    let (prepared, _) = opened(&door, "umbrella/vpc/aws").await;
    let file = String::from_utf8(committed(&prepared, VPC)).expect("UTF-8");
    let number = theirs(&door, &prepared, &[(VPC, &file)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("same".to_owned(), 0), "{said}");
    let number = theirs(&door, &prepared, &[(VPC, &file.replacen("v1.1.0", "v1.2.0", 1))], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!(word(&said), "differs", "{said}");
    assert!(format!("{said}").contains("v1.2.0"), "{said}");
    // Nobody knows when a tag came, so that one which is left out may be later.
    let start = file.find("\n    {\n").expect("a version");
    let end = start + file[start..].find("\n    },").expect("its end") + 7;
    let fewer = format!("{}{}", &file[..start], &file[end..]);
    let number = theirs(&door, &prepared, &[(VPC, &fewer)], &[]).await;
    let said = review(&door, number, "").await;
    assert!(
        format!("{said}").contains("upstream has 1 other tag that the file would not have: v1.1.0"),
        "{said}"
    );
}

/// A format that keeps nothing of an archive but its checksum: that is read all the same before anything is called the same.
#[tokio::test(flavor = "multi_thread")]
async fn archives_are_read_even_where_the_format_keeps_no_hashes() {
    let door = Door::on(NEW).await;
    door.said("plan submit provider umbrella/terraform-provider-parasol").await.is(0, &[]);
    let (prepared, _) = opened(&door, "umbrella/parasol").await;
    let file = String::from_utf8(committed(&prepared, PARASOL)).expect("UTF-8");
    let is_kept = |line: &&str| !line.contains("\"h1\": ") && !line.contains("\"size\": ");
    let lines: Vec<&str> = file.lines().filter(is_kept).collect();
    let file = lines.join("\n").replace(",\n        }", "\n        }");
    let config = door.folder.path().join("config.toml");
    std::fs::write(&config, "[features]\ntarget-hashes = false\n").expect("it can be written");
    let (with, hash) =
        (format!("--config {}", config.display()), format!("--hash --config {}", config.display()));
    let number = theirs(&door, &prepared, &[(PARASOL, &file)], &[]).await;
    let said = review(&door, number, &with).await;
    assert_eq!(word(&said), "not-hashed", "{file} {said}");
    assert_eq!(word(&review(&door, number, &hash).await), "same");
    door.server.edit(|world| {
        let mut fault = Fault::new(&[Lane::Asset], FaultKind::Status(500));
        fault.path = Some("*_darwin_arm64.zip".into());
        world.faults.push(fault);
    });
    let said = review(&door, number, &hash).await;
    assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{said}");
    assert_eq!(word(&review(&door, number, &with).await), "not-hashed");
}

/// A version that is left out may have come later: by its release, and where that cannot be read nobody knows.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_and_cannot_be_dated_is_unknown() {
    let door = Door::on(NEW).await;
    door.said("plan submit provider umbrella/terraform-provider-parasol").await.is(0, &[]);
    let (prepared, _) = opened(&door, "umbrella/parasol").await;
    let file = String::from_utf8(committed(&prepared, PARASOL)).expect("UTF-8");
    let (start, end) = {
        let start = file.find("\n    {\n").expect("a version");
        (start, start + file[start..].find("\n    },").expect("its end") + 7)
    };
    let number =
        theirs(&door, &prepared, &[(PARASOL, &format!("{}{}", &file[..start], &file[end..]))], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("differs".to_owned(), 1), "{said}");
    door.server.edit(|world| {
        let mut rest = Fault::new(&[Lane::Rest], FaultKind::Status(500));
        rest.path = Some("*/terraform-provider-parasol/releases*".into());
        world.faults.extend([rest, Fault::new(&[Lane::Graphql], FaultKind::Status(500))]);
    });
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{said}");
    assert!(format!("{said}").contains("when it was published is not known"), "{said}");
}

/// One repository is one entry: of what the registry has by now, whatever the checkout has, and of what comes beside it.
#[tokio::test(flavor = "multi_thread")]
async fn a_repository_is_submitted_once() {
    let door = Door::on(NEW).await;
    door.said("plan submit provider umbrella/terraform-provider-parasol").await.is(0, &[]);
    let (prepared, _) = opened(&door, "umbrella/parasol").await;
    let file = String::from_utf8(committed(&prepared, PARASOL)).expect("UTF-8");
    let twin = "modules/u/umbrella/parasol/provider.json";
    let module = "{\n  \"versions\": [\n    {\n      \"version\": \"v1.0.0\"\n    }\n  ]\n}";
    let number = theirs(&door, &prepared, &[(PARASOL, &file)], &[]).await;
    let both = theirs(&door, &prepared, &[(PARASOL, &file), (twin, module)], &[]).await;
    assert_eq!(word(&review(&door, number, "").await), "not-hashed");
    let said = review(&door, both, "").await;
    assert_eq!((word(&said), said.exit), ("refused".to_owned(), 1), "{said}");
    assert!(
        format!("{said}")
            .contains("it brings the same repository in modules/u/umbrella/parasol/provider.json too"),
        "{said}"
    );
    merged(&door, &prepared, &[(twin, module)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("refused".to_owned(), 1), "{said}");
    assert!(format!("{said}").contains("has it already, as umbrella/parasol/provider"), "{said}");
    door.server.edit(|world| {
        let mut fault = Fault::new(&[Lane::Rest], FaultKind::Status(500));
        fault.path = Some("*/git/trees/*".into());
        world.faults.push(fault);
    });
    review(&door, number, "").await.is_not(&["\"same\"", "not-hashed"]);
}
