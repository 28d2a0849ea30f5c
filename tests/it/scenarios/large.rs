//! Pull requests beyond what GitHub shows of one: read whole, or unknown with the limit named.

use super::pull::WORLD;
use super::review::{ROCKET, honest, review, theirs, word};
use crate::door::{Door, Output};

/// Paths that the review names.
fn paths(said: &Output) -> usize {
    let review = said.objects().into_iter().find(|object| object["type"] == "review");
    review.map_or(0, |review| review["files"].as_array().expect("files").len())
}

/// A comparison lists 300 files and a tree has no such end; what a review takes in ends at 3,001.
#[tokio::test(flavor = "multi_thread")]
async fn many_files_are_read_whole_or_the_limit_is_named() {
    stamped!(crate::COMMANDS);
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    for (many, is_read) in [(299, true), (300, true), (301, true), (3_000, true), (3_001, false)] {
        let names: Vec<String> = (0..many).map(|n| format!("docs/{n}.md")).collect();
        let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "x")).collect();
        files.push((ROCKET, &file));
        let number = theirs(&door, &prepared, &files, &[]).await;
        let said = review(&door, number, "").await;
        if is_read {
            assert_eq!((word(&said), paths(&said)), ("refused".to_owned(), many + 1));
        } else {
            said.is_not(&["\"same\"", "not-hashed"]);
            said.is(5, &["it changes more than 3001 paths"]);
        }
    }
}

/// A folder of the head that GitHub lists in part.
#[tokio::test(flavor = "multi_thread")]
async fn a_tree_that_is_cut_short_is_unknown() {
    let door = Door::on(&format!("{WORLD}\n[limits]\ntree_entries = 300\n")).await;
    let (prepared, file) = honest(&door).await;
    let names: Vec<String> = (0..301).map(|n| format!("docs/{n}.md")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "x")).collect();
    files.push((ROCKET, &file));
    let number = theirs(&door, &prepared, &files, &[]).await;
    let said = review(&door, number, "").await;
    said.is_not(&["\"same\"", "not-hashed"]);
    said.is(5, &["a folder has more in it than GitHub lists"]);
}

/// More bytes than GitHub shows of a file, and more lines than it shows of a diff.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_is_read_whole() {
    stamped!(crate::COMMANDS);
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let last = file.rfind('}').expect("it is JSON");
    let large = |end: &str| format!("{}{}{end}", &file[..last], "\n".repeat(2_500_000));
    let number = theirs(&door, &prepared, &[(ROCKET, &large("}\n"))], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!(word(&said), "differs");
    // Nothing but blanks is otherwise, to the last byte.
    assert!(format!("{said}").contains("its bytes are not those that the registry's tool writes"), "{said}");
    let number = theirs(&door, &prepared, &[(ROCKET, &large(", \"more\": 1}\n"))], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!(word(&said), "differs");
    assert!(format!("{said}").contains("the file: more is 1, and upstream gives none"), "{said}");
}

/// Larger than any file of the registry by far, and no more of it is read: neither of an entry nor of a key, which takes less.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_beyond_the_limit_is_unknown_by_its_name() {
    stamped!(crate::COMMANDS);
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let large = format!("{file}{}", "\n".repeat(8 << 20));
    let number = theirs(&door, &prepared, &[(ROCKET, &large)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{said}");
    assert!(format!("{said}").contains("the answer reaches the limit of 8388608 bytes"), "{said}");
    let key = "keys/a/acme/provider-1795262400.asc";
    let number = theirs(&door, &prepared, &[(key, &"x".repeat(1 << 20))], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{said}");
    assert!(format!("{said}").contains("the answer reaches the limit of 1048576 bytes"), "{said}");
}

/// A list keeps room for the others; alone it is read whole.
#[tokio::test(flavor = "multi_thread")]
async fn one_in_a_list_does_not_take_the_room_of_the_others() {
    stamped!(crate::COMMANDS);
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    let large = format!("{{{}\"versions\": []}}", " ".repeat(7_500_000));
    let names: Vec<String> = (0..5).map(|n| format!("modules/a/acme/m{n}/aws.json")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*large)).collect();
    let honest = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let number = theirs(&door, &prepared, &files, &[]).await;
    let said = door.said("review --json").await;
    let limit =
        "its bytes at its head could not be read: what it changes, read in a list, has more than 32 MiB";
    assert!(format!("{said}").contains(limit), "{:.2000}", said.to_string());
    let same =
        said.objects().into_iter().find(|object| object["number"] == honest && object["type"] == "review");
    assert_eq!(same.expect("it is listed")["result"], "not-hashed");
    review(&door, number, "").await.is_not(&["could not be read", "\"same\""]);
}
