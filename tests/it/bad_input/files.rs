//! Data files, the blacklist and folders that are not as they should be.

use crate::door::{Door, WORLD};

const QUIET: &str = "providers/a/acme/quiet.json";
const ROCKET: &str = "providers/a/acme/rocket.json";
const VPC: &str = "modules/u/umbrella/vpc/aws.json";

/// The broken entry is UNKNOWN with its place; list, survey and bump do the rest.
async fn breaks_alone(bytes: &[u8], broken: &str) {
    let door = Door::on(WORLD).await;
    door.put(QUIET, bytes);

    let listed = door.said("list --json").await;
    listed.is(0, &[]);
    let row = listed.object("row", "acme/quiet");
    assert_eq!(row["status"], "unknown");
    assert!(row["broken"].as_str().is_some_and(|said| said.starts_with(broken)), "{row}");
    assert_eq!(listed.object("row", "acme/rocket")["broken"], serde_json::Value::Null);

    let named = format!("UNKNOWN acme/quiet: `{QUIET}`: {broken}");
    let surveyed = door.said("survey").await;
    surveyed
        .is(5, &[&named, "fix the file", "BEHIND acme/rocket", "BEHIND umbrella/vpc/aws", "1 broken file"]);
    surveyed.is_not(&["checked recently"]);
    door.said("survey acme/quiet").await.is(5, &[&named]);
    door.said("show acme/quiet").await.is(2, &[&format!("`{QUIET}`: {broken}"), "Fix the file"]);
    door.said("diff acme/quiet").await.is(2, &[&format!("`{QUIET}`: {broken}"), "Fix the file"]);
    // Of several the others are planned.
    let planned = door.said("plan add acme/quiet acme/rocket").await;
    planned.is(5, &[&format!("`{QUIET}`: {broken}"), "acme/rocket  + ADDITIVE  TO REVIEW"]);
    planned.is_not(&["nothing would change", "acme/quiet  "]);
    door.said("plan show").await.is(0, &["acme/rocket  + ADDITIVE"]);
    door.said("plan drop --all").await.is(0, &[]);
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
    breaks_alone(b"{\n  \"versions\": [\n    {,\n", "broken JSON at 3:6: key must be a string").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_cut_off() {
    breaks_alone(b"{\n  \"versions\": [", "broken JSON at 2:15: EOF while parsing a list").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_byte_order_mark() {
    let bytes = b"\xEF\xBB\xBF{\n  \"versions\": []\n}";
    let told = "broken JSON at 1:1: the file starts with a byte order mark; save it as UTF-8 without one";
    breaks_alone(bytes, told).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_in_place_of_the_object() {
    breaks_alone(b"[]", "broken JSON at 1:1: the root is an array, not an object").await;
}

/// JSON as it should be, with a field of another type.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_of_another_type() {
    let bytes = b"{\n  \"versions\": [{ \"version\": \"1.0.0\", \"shasums_url\": 3 }]\n}";
    breaks_alone(bytes, "wrong content at 2:53: invalid type: integer `3`, expected a string").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn carriage_returns_parse_and_are_a_finding() {
    let door = Door::on(WORLD).await;
    let text = door.read(QUIET).replace('\n', "\r\n");
    door.put(QUIET, text.as_bytes());
    let surveyed = door.said("survey --json").await;
    surveyed.is(0, &[]);
    assert_eq!(surveyed.object("verdict", "acme/quiet")["status"], "current");
    let finding = format!("{QUIET}: warning crlf lines end in CR LF; the registry writes only LF");
    door.said("lint --rule crlf").await.is(1, &[&finding]);
    door.said("show acme/quiet").await.is(0, &["lines end in CR LF; the registry writes only LF [crlf]"]);
    // The bump writes what is behind and leaves this one alone.
    door.said("bump").await.is(0, &[&format!("wrote {ROCKET}")]);
    assert_eq!(door.read(QUIET), text);
}

/// A filter knows what lint found in the files as they are, and takes none for looked at that was not.
#[tokio::test(flavor = "multi_thread")]
async fn what_lint_found_can_be_filtered() {
    let door = Door::on(WORLD).await;
    let text = door.read(QUIET);
    door.put(QUIET, text.replace('\n', "\r\n").as_bytes());
    let unlinted = "no row matches `has:lint`; no file has been linted yet: `bumpdesk lint` does that";
    door.said("list --filter has:lint").await.is(0, &["0 of 3 entries", unlinted]);
    let linted = door.said("lint --rule crlf").await;
    linted.is(1, &["bumpdesk: by rule: crlf 1"]);
    door.said("list --filter has:lint").await.is(0, &["acme/quiet", "1 of 3 entries"]);
    let json = door.said("lint --json").await;
    let outcome = json.objects().pop().expect("an outcome");
    assert_eq!(outcome["rules"], serde_json::json!({ "bytes": 1, "crlf": 1 }), "{json}");
    // One file alone is looked at, and the others stay known.
    door.said("lint acme/rocket").await.is(0, &[]);
    door.said("list --filter has:lint").await.is(0, &["acme/quiet"]);
    door.put(QUIET, (text + "\n").as_bytes());
    let none = door.said("list --filter has:lint").await;
    none.is(0, &["0 of 3 entries", "no row matches `has:lint`"]);
    none.is_not(&["no file has been linted yet"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_blacklist_stops_the_bump_and_nothing_else() {
    let cases: [(&[u8], &str); 6] = [
        (b"[]\n", "`versions_blacklist.json` is broken at 1:0: invalid type: sequence, expected an object"),
        (
            b"{\n  \"provider\": []\n}\n",
            "`versions_blacklist.json` is broken at 2:12: unknown field `provider`",
        ),
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
        let remedy = "fix it before anything is bumped";
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
            door.said("show acme/quiet").await.is(2, &[QUIET, "Fix the file"]);
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
            listed.is(0, &["umbrella/vpc/aws", told, "nothing in it is listed until that is fixed"]);
            listed.is_not(&["acme/quiet"]);
        }
        door.said("bump --dry-run").await.is(0, &[&format!("would write {VPC}"), told]);
        door.said("survey").await.is(0, &[told]);
    }
}

/// A path given by the user must lead to a regular file, also through links. A device has no end, and a pipe has no
/// beginning.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_named_file_that_is_not_regular_is_refused() {
    use std::os::unix::fs::symlink;
    let door = Door::on(WORLD).await;
    let at = |name: &str| door.folder.path().join(name);
    let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().expect("mkfifo");
    assert!(made.success());
    symlink("/dev/zero", at("zero")).expect("a link");
    symlink(at("pipe"), at("to-pipe")).expect("a link");
    symlink(at("zero"), at("to-zero")).expect("a link");
    for name in ["pipe", "zero", "to-pipe", "to-zero"] {
        for line in [
            "triage --from",
            "lock --check",
            "backfill merge",
            "show acme/rocket --max-age 0 --depth sums --with-key",
        ] {
            let output = door.said(&format!("{line} {}", at(name).display())).await;
            let all = format!("{}{}", output.out, output.err);
            assert!(output.exit != 0 && all.contains("it is not a regular file"), "{line} {name}: {output}");
        }
    }
    // The configuration is read before all other files.
    std::fs::create_dir_all(at("config")).expect("a folder");
    symlink("/dev/zero", at("config/config.toml")).expect("a link");
    let output = door.said("list").await;
    assert!(output.exit != 0 && output.err.contains("it is not a regular file"), "{output}");
    // A link to a regular file is followed.
    std::fs::remove_file(at("config/config.toml")).expect("a link");
    std::fs::write(at("real.toml"), "").expect("a file");
    symlink(at("real.toml"), at("config/config.toml")).expect("a link");
    door.said("list").await.is(0, &[]);
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
        door.said("show acme/quiet").await.is(2, &[QUIET, told, "Fix the file"]);
        door.said("bump --dry-run").await.is(5, &[&format!("would write {ROCKET}"), told]);
        door.is_untouched();
    }
}

/// Nobody can install it: lint and `show` say so, what a client does is told, and nothing says that trying again helps clients.
#[tokio::test(flavor = "multi_thread")]
async fn a_version_without_the_url_of_its_checksums() {
    let door = Door::on(WORLD).await;
    let text = door.read(QUIET);
    let (before, rest) = text.split_once("\"shasums_url\": \"").expect("a URL");
    let (_, behind) = rest.split_once('"').expect("its end");
    door.put(QUIET, format!("{before}\"shasums_url\": \"\"{behind}").as_bytes());
    let told = "1.0.0: it has no shasums_url: nobody can install it";
    door.said("lint acme/quiet").await.is(1, &[&format!("{QUIET}: error no-shasums-url {told}")]);
    door.said("show acme/quiet").await.is(0, &[&format!("error      {told} [no-shasums-url]")]);
    let surveyed = door.said("survey --depth sums acme/quiet").await;
    surveyed.is(0, &["UNUSABLE acme/quiet: 1.0.0: clients refuse every platform of it"]);
    let verified = door.said("verify acme/quiet").await;
    verified.is(1, &["MISMATCH", "the registry has no URL of SHA256SUMS"]);
    let locked = door.said("lock acme/quiet@1.0.0").await;
    locked.is(4, &["checksums: the registry has no URL of SHA256SUMS for it", "it fails on 1 of 1 target"]);
}
