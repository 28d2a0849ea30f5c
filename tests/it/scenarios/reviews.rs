//! The open pull requests: listed, each made again, those with the newest news first.

use super::pull::WORLD;
use super::review::{ROCKET, honest, theirs, word};
use crate::door::Door;

#[tokio::test(flavor = "multi_thread")]
async fn open_pull_requests_are_listed_with_their_words() {
    let door = Door::on(WORLD).await;
    let (prepared, file) = honest(&door).await;
    door.said("review").await.is(0, &["no open pull request touches what the registry serves"]);
    let same = theirs(&door, &prepared, &[(ROCKET, &file)], &[]).await;
    let other = theirs(&door, &prepared, &[("README.md", "x")], &[]).await;
    let gone = theirs(&door, &prepared, &[], &[ROCKET]).await;
    let said = door.said("review --json").await;
    assert_eq!(said.exit, 1, "{said}");
    let mut reviews: Vec<(u64, String)> = said
        .objects()
        .into_iter()
        .filter(|object| object["type"] == "review")
        .map(|object| {
            (object["number"].as_u64().expect("a number"), object["result"].as_str().expect("a word").into())
        })
        .collect();
    reviews.sort();
    assert_eq!(reviews, [(same, "not-hashed".to_owned()), (gone, "refused".to_owned())], "not #{other}");
    let said = door.said("review").await;
    said.is(1, &["SAME, NOT HASHED", "REFUSED", "the file is removed, and what is in it is indexed"]);
    let text = format!("{said}");
    let place = |number: u64| text.find(&format!("#{number} ")).expect("it is listed");
    assert!(place(gone) < place(same), "the newest news first: {text}");
    door.said("review --hash").await.is(2, &["--hash"]);
    assert_eq!(word(&door.said(&format!("review {same} --json")).await), "not-hashed");
}
