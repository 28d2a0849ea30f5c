//! Data files, the blacklist and folders that are not as they should be.

use crate::door::{Door, WORLD};

const QUIET: &str = "providers/a/acme/quiet.json";
const ROCKET: &str = "providers/a/acme/rocket.json";
const VPC: &str = "modules/u/umbrella/vpc/aws.json";

/// The broken entry is UNKNOWN with its place; list, survey and bump do the rest.
async fn breaks_alone(bytes: &[u8], place: &str, text: &str) {
    let door = Door::on(WORLD).await;
    door.put(QUIET, bytes);
    let broken = format!("broken JSON at {place}: {text}");

    let listed = door.said("list --json").await;
    listed.is(0, &[]);
    let row = listed.object("row", "acme/quiet");
    assert_eq!(row["status"], "unknown");
    assert!(row["broken"].as_str().is_some_and(|said| said.starts_with(&broken)), "{row}");
    assert_eq!(listed.object("row", "acme/rocket")["broken"], serde_json::Value::Null);

    let named = format!("UNKNOWN acme/quiet: `{QUIET}`: {broken}");
    let surveyed = door.said("survey").await;
    surveyed
        .is(5, &[&named, "mend the file", "BEHIND acme/rocket", "BEHIND umbrella/vpc/aws", "1 broken file"]);
    surveyed.is_not(&["checked shortly before"]);
    door.said("survey acme/quiet").await.is(5, &[&named]);
    door.said("show acme/quiet").await.is(2, &[&format!("`{QUIET}`: {broken}"), "Mend the file"]);
    door.said("diff acme/quiet").await.is(2, &[&format!("`{QUIET}`: {broken}"), "Mend the file"]);
    door.said("lint").await.is(1, &[&format!("{QUIET}: error broken-file {broken}")]);
    door.said("bump --dry-run")
        .await
        .is(5, &[&format!("would write {ROCKET}"), &format!("would write {VPC}")]);
    door.is_untouched();

    let bumped = door.said("bump").await;
    bumped.is(
        5,
        &[
            &format!("wrote {ROCKET}"),
            &format!("wrote {VPC}"),
            &format!("{QUIET}: error broken-file {broken}"),
        ],
    );
    assert_eq!(door.git(&["diff", "--name-only"]), format!("{VPC}\n{ROCKET}\n"));
    door.said("list").await.is(0, &["UNKNOWN"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file() {
    breaks_alone(b"{\n  \"versions\": [\n    {,\n", "3:6", "key must be a string").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_cut_off() {
    breaks_alone(b"{\n  \"versions\": [", "2:15", "EOF while parsing a list").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byte_order_mark() {
    let bytes = b"\xEF\xBB\xBF{\n  \"versions\": []\n}";
    breaks_alone(bytes, "1:1", "the file starts with a byte order mark; save it as UTF-8 without one").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_in_place_of_the_object() {
    breaks_alone(b"[]", "1:1", "the root is an array, not an object").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn carriage_returns_parse_and_are_a_finding() {
    let door = Door::on(WORLD).await;
    let text = door.read(QUIET).replace('\n', "\r\n");
    door.put(QUIET, text.as_bytes());
    let surveyed = door.said("survey --json").await;
    surveyed.is(0, &[]);
    assert_eq!(surveyed.object("verdict", "acme/quiet")["status"], "current");
    let finding = format!("{QUIET}: warning crlf lines end in CR LF; the registry writes LF alone");
    door.said("lint --rule crlf").await.is(1, &[&finding]);
    door.said("show acme/quiet").await.is(0, &["lines end in CR LF; the registry writes LF alone [crlf]"]);
    // The bump writes what is behind and leaves this one alone.
    door.said("bump").await.is(0, &[&format!("wrote {ROCKET}")]);
    assert_eq!(door.read(QUIET), text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_blacklist_stops_the_bump_and_nothing_else() {
    let cases: [(&[u8], &str); 4] = [
        (b"{\n  \"providers\": [,]\n}\n", "`versions_blacklist.json` is broken at 2:17: expected value"),
        (
            b"{\n  \"providers\": [\n    {}\n  ]\n}\n",
            "`versions_blacklist.json` is broken at 3:6: missing field `namespace`",
        ),
        (b"\xEF\xBB\xBF{}", "`versions_blacklist.json` is broken at 1:1: expected value"),
        (b"", "`versions_blacklist.json` is broken at 1:0: EOF while parsing a value"),
    ];
    for (bytes, told) in cases {
        let door = Door::on(WORLD).await;
        door.put("versions_blacklist.json", bytes);
        let remedy = "mend it before anything is bumped";
        door.said("list").await.is(0, &["acme/rocket", told, remedy]);
        door.said("survey").await.is(0, &["BEHIND acme/rocket", told, remedy]);
        door.said("show acme/rocket").await.is(0, &[told]);
        for line in ["bump", "bump --dry-run", "bump acme/rocket", "diff acme/rocket"] {
            door.said(line).await.is(2, &[told, remedy]);
        }
        let failed = door.said("bump --json").await;
        failed.is(2, &[]);
        assert_eq!(failed.objects().last().expect("an outcome")["failure"]["kind"], "data");
        door.is_untouched();
    }
}

#[cfg(unix)]
fn in_place_of(path: &std::path::Path, what: &str) {
    if path.is_dir() {
        std::fs::remove_dir_all(path).expect("a folder");
    } else {
        std::fs::remove_file(path).expect("a file");
    }
    let name = path.file_name().expect("a name");
    match what {
        "file" => std::fs::write(path, "no folder").expect("a file"),
        "folder" => std::fs::create_dir(path).expect("a folder"),
        "dangling" => std::os::unix::fs::symlink("nowhere", path).expect("a link"),
        "loop" => std::os::unix::fs::symlink(name, path).expect("a link"),
        other => unreachable!("{other}"),
    }
}

/// What lies below cannot be read, is told with its path and why, and everything else works.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_read() {
    let gone = "(and 1 more) is in git's index and not on disk, so it is not listed; `git checkout -- providers modules`";
    for (what, told) in [
        ("file", "cannot be read: Not a directory"),
        ("loop", "cannot be read: Too many levels of symbolic links"),
        ("dangling", gone),
    ] {
        let mut door = Door::on(WORLD).await;
        in_place_of(&door.registry.join("providers/a"), what);
        door.settle();
        // The second start comes from the index of the first.
        for _ in 0..2 {
            let listed = door.said("list").await;
            listed.is(0, &["umbrella/vpc/aws"]);
            if what == "dangling" {
                listed.is(0, &["`providers/a/acme/quiet.json`", told]);
            } else {
                listed.is(0, &["UNKNOWN"]);
                let quiet = door.said("list --json").await.object("row", "acme/quiet");
                assert!(quiet["broken"].as_str().is_some_and(|text| text.contains(told)), "{quiet}");
            }
        }
        let surveyed = door.said("survey").await;
        let once = surveyed.err.matches("is in git's index and not on disk").count();
        assert_eq!(once, usize::from(what == "dangling"), "{surveyed}");
        surveyed.is(if what == "dangling" { 0 } else { 5 }, &["BEHIND umbrella/vpc/aws"]);
        let bumped = door.said("bump --dry-run").await;
        bumped.is(if what == "dangling" { 0 } else { 5 }, &[&format!("would write {VPC}")]);
        if what != "dangling" {
            surveyed.is(5, &[&format!("UNKNOWN acme/quiet: `{QUIET}`: {told}")]);
            bumped.is(5, &[&format!("{QUIET}: error broken-file {told}")]);
            door.said("show acme/quiet").await.is(2, &[QUIET, "Mend the file"]);
        }
        door.is_untouched();
    }
}

/// The same in a folder without git.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_plain_folder_that_cannot_be_read() {
    let link = "`providers/a` cannot be read: it is a symbolic link, and those are not followed";
    for (place, what, told) in [
        ("providers/a", "loop", link),
        ("providers/a", "dangling", link),
        ("providers", "file", "`providers` cannot be read: it is not a folder"),
        ("providers", "loop", "`providers` cannot be read: it is not a folder"),
    ] {
        let door = Door::on(WORLD).await;
        std::fs::remove_dir_all(door.registry.join(".git")).expect("a folder");
        in_place_of(&door.registry.join(place), what);
        for _ in 0..2 {
            let listed = door.said("list").await;
            listed.is(0, &["umbrella/vpc/aws", told, "nothing in it is listed until that is mended"]);
            listed.is_not(&["acme/quiet"]);
        }
        door.said("bump --dry-run").await.is(0, &[&format!("would write {VPC}"), told]);
        door.said("survey").await.is(0, &[told]);
    }
}

/// A link or a folder where a data file should be is that entry's trouble alone.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_data_file_that_is_none() {
    for (what, told) in [
        ("folder", "cannot be read: it is not a regular file"),
        ("dangling", "cannot be read: it is a symbolic link, and those are not followed"),
        ("loop", "cannot be read: it is a symbolic link, and those are not followed"),
    ] {
        let mut door = Door::on(WORLD).await;
        in_place_of(&door.registry.join(QUIET), what);
        door.settle();
        door.said("list").await.is(0, &["UNKNOWN"]);
        door.said("survey")
            .await
            .is(5, &[&format!("UNKNOWN acme/quiet: `{QUIET}`: {told}"), "BEHIND acme/rocket"]);
        door.said("show acme/quiet").await.is(2, &[QUIET, told, "Mend the file"]);
        door.said("bump --dry-run").await.is(5, &[&format!("would write {ROCKET}"), told]);
        door.is_untouched();
    }
}
