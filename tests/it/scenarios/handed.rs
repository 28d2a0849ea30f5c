//! Keys that others hand in, held against what the form writes and what upstream signed; and the blacklist, entry by entry.

use demo::fault::{Fault, FaultKind, Lane};
use serde_json::Value;

use super::keys::{A, A_EXPIRED, B, C, s9};
use super::pull::committed;
use super::review::{merged, review, theirs, word};
use super::submissions::{key_file, opened};
use crate::door::Door;

const OWN: &str = "keys/n/namecheap/provider-1795262400.asc";
const ON_FILE: &str = "keys/n/namecheap/provider-1.asc";

/// A registry with these keys on file, and the sending that bumpdesk would make of B.
async fn door(keys: &[(&str, &str)]) -> (Door, Value) {
    let door = Door::on(&format!("{}\n[user]\nlogin = \"ann\"\npush = true\n", s9(keys))).await;
    let file = key_file(&door, B);
    door.said(&format!("plan submit key namecheap {file}")).await.is(0, &[]);
    let (prepared, _) = opened(&door, "namecheap/namecheap").await;
    (door, prepared)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_the_same_where_upstream_signed_with_it() {
    stamped!(crate::COMMANDS);
    let (door, prepared) = door(&[("provider-1", A)]).await;
    let listed = door.said("review --json").await.objects();
    let number = listed.iter().find_map(|object| object["number"].as_u64()).expect("the one that was opened");
    door.said(&format!("review {number}")).await.is(
        0,
        &[
            ": SAME",
            "namecheap/namecheap: 66113FE92198D26C verifies 2 of 3 versions; 2.4.0, 2.3.3 fail today and would install",
            "its fingerprint is A1B4F33F59B94D2CE1CA5EA266113FE92198D26C",
            "its evidence says that bumpdesk made it, and agrees with the files and the base that were read",
        ],
    );
    let told = "Each key is as the registry's form writes it, signs what is indexed, and stops no version from installing.";
    door.said(&format!("review {number} --markdown")).await.is(0, &[told]);
    let key = String::from_utf8(committed(&prepared, OWN)).expect("UTF-8");
    let shouted = OWN.replace("/namecheap/", "/Namecheap/");
    let elsewhere = OWN.replace("/n/namecheap/", "/n/nobody/");
    let early = OWN.replace("1795262400", "-5");
    let again = OWN.replace("1795262400", "1795262399");
    let later = OWN.replace("1795262400", "9795262400");
    let unnamed = OWN.replace("-1795262400", "");
    let list =
        r#"{"providers":[{"namespace":"namecheap","name":"namecheap","version":"2.0.0","reason":"broken"}]}"#;
    for (what, files, gone, result, point) in [
        ("by hand", [(OWN, &*key)].as_slice(), [].as_slice(), "same", "verifies 2 of 3 versions"),
        (
            "words around it",
            &[(OWN, &*format!("My key:\n{key}"))],
            &[],
            "differs",
            "the block of the key alone",
        ),
        ("another name", &[(&*unnamed, &*key)], &[], "differs", "the form would name it `provider-`"),
        ("a name of no time", &[(&*early, &*key)], &[], "differs", "the form would name it `provider-`"),
        ("the same twice", &[(OWN, &*key), (&*again, &*key)], &[], "refused", "it brings the same key in"),
        ("a name of tomorrow", &[(&*later, &*key)], &[], "differs", "after the pull request was opened"),
        ("one that signs nothing", &[(OWN, C)], &[], "differs", "it signs nothing that is indexed"),
        (
            "one that is on file",
            &[(OWN, A)],
            &[],
            "refused",
            "is on file, in keys/n/namecheap/provider-1.asc",
        ),
        ("no key", &[(OWN, "{}")], &[], "refused", "it holds no armored public key"),
        (
            "a private one",
            &[(OWN, "-----BEGIN PGP PRIVATE KEY BLOCK-----\n")],
            &[],
            "refused",
            "it holds a private key",
        ),
        ("two in one", &[(OWN, &*format!("{key}{A_EXPIRED}"))], &[], "refused", "more than one block"),
        ("nobody's", &[(&*elsewhere, &*key)], &[], "unknown", "no provider that it would speak for"),
        ("another case", &[(&*shouted, &*key)], &[], "refused", "is not written as the registry's tools"),
        (
            "one in the place of another",
            &[(ON_FILE, &*key)],
            &[],
            "refused",
            "and would hold the key A1B4F33F",
        ),
        ("one that goes", &[], &[ON_FILE], "refused", "a key that is on file is removed"),
        (
            "the blacklist",
            &[("versions_blacklist.json", list)],
            &[],
            "refused",
            "namecheap/namecheap 2.0.0 is put on the blacklist: broken",
        ),
    ] {
        let number = theirs(&door, &prepared, files, gone).await;
        let said = review(&door, number, "").await;
        let exit = match result {
            "same" => 0,
            "unknown" => 5,
            _ => 1,
        };
        assert_eq!((word(&said), said.exit), (result.to_owned(), exit), "{what}: {said}");
        assert!(format!("{said}").contains(point), "{what}: {said}");
    }
    for path in ["*_2.4.0_SHA256SUMS.sig", "*_2.4.0_SHA256SUMS"] {
        door.server.edit(|world| {
            let mut fault = Fault::new(&[Lane::Asset], FaultKind::Status(500));
            fault.path = Some(path.into());
            world.faults = vec![fault];
        });
        let said = review(&door, number, "").await;
        assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{path}: {said}");
        assert!(format!("{said}").contains("2.4.0 is not known"), "{path}: {said}");
    }
}

/// The first key of a namespace: from then on clients check every version.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_would_stop_installations_is_not_the_same() {
    stamped!(crate::COMMANDS);
    let (door, prepared) = door(&[]).await;
    let number = theirs(&door, &prepared, &[(OWN, B)], &[]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("differs".to_owned(), 1), "{said}");
    assert!(format!("{said}").contains("2.2.0 installs today without a check and would fail"), "{said}");
    // Nor is it the same for what cannot be read of those versions.
    for path in ["*_SHA256SUMS.sig", "*_SHA256SUMS", "*_2.2.0_SHA256SUMS.sig", "*_2.2.0_SHA256SUMS"] {
        for kind in
            [FaultKind::Status(404), FaultKind::Status(500), FaultKind::Empty, FaultKind::Truncate(100)]
        {
            let mut fault = Fault::new(&[Lane::Asset], kind.clone());
            fault.path = Some(path.into());
            door.server.edit(|world| world.faults = vec![fault.clone()]);
            let word = word(&review(&door, number, "").await);
            assert!(word == "unknown" || word == "differs", "{path} {kind:?}: {word}");
            assert!(fault.struck() > 0, "{path}");
        }
    }
}

/// The checkout is of yesterday: the key that came this morning speaks, and so does the provider.
#[tokio::test(flavor = "multi_thread")]
async fn keys_and_providers_are_those_of_the_branch_as_it_is() {
    let (door, prepared) = door(&[]).await;
    let number = theirs(&door, &prepared, &[(OWN, B)], &[]).await;
    merged(&door, &prepared, &[(ON_FILE, A)], &[]).await;
    assert!(!door.registry.join(ON_FILE).exists());
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("same".to_owned(), 0), "{said}");
    assert!(format!("{said}").contains("2.4.0, 2.3.3 fail today and would install"), "{said}");
    assert_eq!(word(&door.said("review --json").await), "same");
    // One by one, what shows it is not there to be read: folders first, then bytes.
    for path in ["*/git/trees/*", "*/contents/keys/n/namecheap/provider-1.asc"] {
        door.server.edit(|world| {
            let mut faults = vec![Fault::new(&[Lane::Rest], FaultKind::Status(500)); 2];
            faults[0].path = Some(path.into());
            faults[1].path = Some(path.replace("contents/keys/n/namecheap/provider-1.asc", "git/blobs/*"));
            world.faults = faults;
        });
        let said = review(&door, number, "").await;
        said.is_not(&["\"same\"", "not-hashed"]);
    }
    assert_eq!(word(&review(&door, number, "").await), "unknown");
    review(&door, number, "").await.is(5, &["the keys and providers of namecheap by now could not be read"]);
    door.server.edit(|world| world.faults.clear());
    // Something else was put at its path meanwhile, which merging it would not bring together.
    let same = theirs(&door, &prepared, &[(OWN, B)], &[]).await;
    merged(&door, &prepared, &[(OWN, A_EXPIRED)], &[]).await;
    for number in [number, same] {
        let said = review(&door, number, "").await;
        assert_eq!((word(&said), said.exit), ("differs".to_owned(), 1), "{said}");
        assert!(format!("{said}").contains("the registry has something else at its path by now"), "{said}");
    }
    // The branch has no such provider any more, and the checkout has.
    merged(&door, &prepared, &[], &["providers/n/namecheap/namecheap.json"]).await;
    let said = review(&door, number, "").await;
    assert_eq!((word(&said), said.exit), ("unknown".to_owned(), 5), "{said}");
    assert!(format!("{said}").contains("no provider that it would speak for"), "{said}");
}
