//! The table of answers, states and readings.

use super::*;
use crate::registry::Address;
use crate::rules::executable::Executable;

const A: &str = "aaaa";
const B: &str = "bbbb";
const C: &str = "cccc";

/// A target that is as it should be.
pub(crate) fn row() -> Row {
    Row {
        tag: None,
        address: Address::provider("acme", "rocket"),
        version: "1.0.0".into(),
        target: "linux_amd64".into(),
        filename: "f.zip".into(),
        url: "https://github.com/acme/terraform-provider-rocket/releases/download/v1.0.0/f.zip".into(),
        stored: Stored { shasum: A.into(), h1: "h1:x".into(), size_bytes: 10 },
        listed: Listed::Sum { sum: A.into() },
        asset: None,
        asset_unread: None,
        not_indexed: Vec::new(),
        refused: Vec::new(),
        zip: zip(A),
        signature: SignatureSays::Good { by: "AB".into(), file: "k.asc".into(), warnings: Vec::new() },
        times: Times::default(),
    }
}

fn zip(sha256: &str) -> Zip {
    Zip::Hashed(Computed {
        sha256: sha256.into(),
        size_bytes: 10,
        h1: Some("h1:x".into()),
        has_binary: Some(true),
        ..Computed::default()
    })
}

fn listed(sum: &str) -> Listed {
    Listed::Sum { sum: sum.into() }
}

#[test]
fn three_checksums_make_four_cases() {
    let cases = [
        (A, A, A, Case::Equal, State::Ok),
        (A, B, B, Case::Misrecorded, State::Mismatch),
        (A, A, B, Case::UpstreamBroken, State::Mismatch),
        (A, B, A, Case::UpstreamBroken, State::Mismatch),
        (A, B, C, Case::UpstreamBroken, State::Mismatch),
        ("AAAA", A, A, Case::Equal, State::Ok),
    ];
    for (stored, sum, computed, case, state) in cases {
        let row = Row {
            stored: Stored { shasum: stored.into(), ..row().stored },
            listed: listed(sum),
            zip: zip(computed),
            ..row()
        };
        assert_eq!((row.case(), row.state()), (case, state), "{stored} {sum} {computed}");
        assert_eq!(row.reading().is_some(), state != State::Ok, "{stored} {sum} {computed}");
    }
}

/// A wrong stored checksum beside an h1 and a size that are right is the registry's own fault; anything else about the content
/// that differs, or is not stored, says nothing of who it was.
#[test]
fn a_wrong_checksum_is_not_blamed_on_the_author() {
    let other = |h1: &str, size_bytes: u64| Row {
        stored: Stored { shasum: A.into(), h1: h1.into(), size_bytes },
        listed: listed(B),
        zip: zip(B),
        ..row()
    };
    for (h1, size, case) in [
        ("h1:x", 10, Case::Misrecorded),
        ("h1:y", 10, Case::Reuploaded),
        ("h1:x", 11, Case::Reuploaded),
        ("", 10, Case::Reuploaded),
        ("h1:x", 0, Case::Reuploaded),
    ] {
        assert_eq!(other(h1, size).case(), case, "{h1} {size}");
    }
    let row = other("h1:x", 10);
    assert_eq!(
        row.reading().as_deref(),
        Some(
            "the stored checksum is not this zip's, while the stored h1 and size are, and SHA256SUMS lists this zip: the \
             registry's file is at fault, not an upload by the author"
        )
    );
    assert_eq!(
        row.steps(),
        ["find the change of the data file that wrote the wrong value, and have the zip's own put back"]
    );
    // Packed anew, the same files make another zip of the same h1, and may make one of the same size.
    let at = |text: &str| Some(text.parse().unwrap());
    let asset = AssetSays { updated_at: at("2026-09-07T12:35:00Z"), ..AssetSays::default() };
    let times = Times { indexed_at: at("2026-09-07T10:15:00Z"), ..Times::default() };
    let reading = Row { asset: Some(asset), times, ..row }.reading().unwrap();
    assert!(
        reading.ends_with(
            "not an upload by the author, or the author packed the same content again; uploaded 2 h 20 min after it was \
             indexed"
        ),
        "{reading}"
    );
}

/// Nobody is blamed where it is not known who it was.
#[test]
fn who_is_at_fault_is_told_where_it_is_known() {
    let at = |text: &str| Some(text.parse().unwrap());
    let later = |row: Row| Row {
        asset: Some(AssetSays { updated_at: at("2026-09-07T12:35:00Z"), ..AssetSays::default() }),
        times: Times { indexed_at: at("2026-09-07T10:15:00Z"), ..Times::default() },
        ..row
    };
    let early = |row: Row| Row {
        times: Times { indexed_at: at("2026-09-08T10:15:00Z"), ..Times::default() },
        ..later(row)
    };
    let stored = |h1: &str, size_bytes: u64| Row {
        stored: Stored { shasum: A.into(), h1: h1.into(), size_bytes },
        listed: listed(B),
        zip: zip(B),
        ..row()
    };
    let author = Some("re-uploaded by the author after it was indexed");
    let ask = "ask the author whether it was re-uploaded, and if so for a new version";
    for (row, fault, step) in [
        (later(stored("h1:y", 11)), author, "ask the author to release a new version"),
        (later(stored("", 0)), author, "ask the author to release a new version"),
        (stored("h1:y", 11), author, "ask the author to release a new version"),
        (early(stored("", 0)), None, ask),
        (stored("", 0), None, ask),
        (stored("h1:x", 10), Some("wrong checksum in the registry's file"), PUT_BACK),
        (later(stored("h1:x", 10)), None, PUT_BACK),
        (
            Row { listed: listed(B), ..row() },
            Some("the author's SHA256SUMS and archives do not match"),
            "tell the author that SHA256SUMS and zip do not match",
        ),
        (
            Row { stored: Stored { size_bytes: 9, ..row().stored }, ..row() },
            Some("wrong h1 or size in the registry's file"),
            PUT_BACK,
        ),
    ] {
        assert_eq!((row.fault(), &row.steps()[..]), (fault, &[step][..]), "{row:?}");
        let reading = row.reading().unwrap();
        assert!(
            fault == author || !reading.contains("re-uploaded after"),
            "claims what is not known: {reading}"
        );
    }
    assert_eq!(row().fault(), None);
}

/// The same command cannot read what the data file does not name.
#[test]
fn a_file_without_a_url_is_not_asked_for_again() {
    let unread = |why: &str| Listed::Unread { why: why.into() };
    let edit =
        "have the URL that is missing written into the data file by hand: no bump changes an indexed version";
    let again = "run the same command again: what is finished is not downloaded twice";
    let failed = Zip::Failed { why: "cut off".into() };
    for (row, step) in [
        (Row { listed: unread(NO_URL), ..row() }, edit),
        (Row { signature: SignatureSays::Unread { why: NO_URL.into() }, ..row() }, edit),
        (Row { listed: unread("HTTP 500"), ..row() }, again),
        (Row { listed: unread(NO_URL), zip: failed, ..row() }, again),
    ] {
        assert_eq!((row.state(), &row.steps()[..]), (State::Error, &[step][..]), "{row:?}");
    }
}

/// What upstream has beside what was indexed is said of a version that is as it should be otherwise.
#[test]
fn archives_that_are_not_indexed_are_told_with_what_can_be_done() {
    let row = Row { not_indexed: vec!["darwin_arm64".into(), "linux_arm".into()], ..row() };
    assert_eq!(row.state(), State::Ok, "what is stored is right");
    assert_eq!(
        row.reading().as_deref(),
        Some("not indexed: 2 archives that SHA256SUMS lists (darwin_arm64, linux_arm)")
    );
    assert_eq!(row.steps(), ["ask for a policy decision: adding targets changes an indexed version"]);
}

#[test]
fn what_is_not_known_is_never_fine() {
    let unread = || "429".to_owned();
    let changes: [(&str, Row, State); 12] = [
        ("sums unread", Row { listed: Listed::Unread { why: unread() }, ..row() }, State::Error),
        ("sums not asked", Row { listed: Listed::NotAsked, ..row() }, State::Queued),
        ("sums gone", Row { listed: Listed::SumsGone, ..row() }, State::Missing),
        ("not listed", Row { listed: Listed::Omitted, ..row() }, State::Mismatch),
        ("signature not asked", Row { signature: SignatureSays::NotAsked, ..row() }, State::Queued),
        (
            "signature unread",
            Row { signature: SignatureSays::Unread { why: unread() }, ..row() },
            State::Error,
        ),
        ("signature gone", Row { signature: SignatureSays::Gone, ..row() }, State::Missing),
        ("zip gone", Row { zip: Zip::Gone, ..row() }, State::Missing),
        ("zip failed", Row { zip: Zip::Failed { why: "cut off".into() }, ..row() }, State::Error),
        ("zip skipped", Row { zip: Zip::Skipped { why: "large".into() }, ..row() }, State::Skipped),
        ("cancelled", Row { zip: Zip::Cancelled, ..row() }, State::Cancelled),
        ("nothing stored", Row { stored: Stored::default(), ..row() }, State::Mismatch),
    ];
    for (name, row, state) in changes {
        assert_eq!(row.state(), state, "{name}");
    }
}

#[test]
fn each_answer_stands_alone() {
    let other_key =
        SignatureSays::OtherKey { signed_by: vec!["X".into()], on_file: vec!["A".into(), "B".into()] };
    let row = Row { signature: other_key, ..row() };
    let answers = row.answers();
    assert_eq!((answers.zh_sums, answers.zh_zip, answers.h1), (Answer::Same, Answer::Same, Answer::Same));
    assert_eq!((answers.signature, row.state()), (Answer::Differ, State::BadSignature));
    assert_eq!(row.steps(), ["ask the author for the key that signed it"]);
    let worse = Row { listed: listed(B), zip: zip(B), ..row.clone() };
    assert_eq!(worse.state(), State::Mismatch, "a checksum that differs weighs more");
    assert!(worse.steps().contains(&"ask the author for the key that signed it"));
    assert_eq!(row.reading().as_deref(), Some("signed by X; only A, B on file"));

    // Before it is hashed nobody knows whom to ask.
    for (zip, step) in [
        (Zip::Skipped { why: "large".into() }, "raise --max-size"),
        (Zip::Cancelled, "verify it again"),
        (Zip::Failed { why: "cut off".into() }, "verify it again"),
    ] {
        let unhashed = Row { listed: listed(B), zip, ..self::row() };
        assert_eq!(unhashed.state(), State::Mismatch);
        assert!(matches!(&unhashed.steps()[..], [one] if one.starts_with(step)), "{:?}", unhashed.steps());
    }

    let row = Row { stored: Stored { h1: "h1:X".into(), ..self::row().stored }, ..self::row() };
    assert_eq!(
        (row.answers().h1, row.answers().zh_zip, row.state()),
        (Answer::Differ, Answer::Same, State::Mismatch)
    );
    assert!(row.reading().unwrap().contains("the stored h1 is wrong"));

    let row = Row { stored: Stored { h1: "X".into(), ..self::row().stored }, ..self::row() };
    assert_eq!(
        row.reading().as_deref(),
        Some("the stored h1 does not begin with `h1:`: clients refuse every target of the version")
    );

    let row =
        Row { stored: Stored { h1: String::new(), size_bytes: 0, ..self::row().stored }, ..self::row() };
    assert_eq!((row.answers().h1, row.answers().size, row.state()), (Answer::New, Answer::New, State::Ok));

    // A different digest at GitHub needs no download to be seen.
    let asset = AssetSays { sha256: Some(B.into()), ..AssetSays::default() };
    let row = Row { asset: Some(asset), zip: Zip::NotDone, ..self::row() };
    assert_eq!((row.answers().digest, row.state()), (Answer::Differ, State::Mismatch));
    assert!(row.reading().unwrap().contains("GitHub's own digest"));
    let row = Row { zip: zip(A), ..row };
    assert!(row.reading().unwrap().contains("GitHub keeps another digest"));

    // Where nothing is downloaded, a digest that could not be read leaves it open.
    let unread = Row { asset_unread: Some("HTTP 500".into()), ..self::row() };
    assert_eq!((unread.answers().digest, unread.state()), (Answer::NotDone, State::Ok));
    let unread = Row { zip: Zip::Skipped { why: "not asked for".into() }, ..unread };
    assert_eq!((unread.answers().digest, unread.state()), (Answer::Unknown, State::Error));
    assert!(unread.reading().unwrap().contains("its asset digest could not be read: HTTP 500"));

    let row = Row { stored: Stored::default(), ..self::row() };
    assert_eq!((row.case(), row.state()), (Case::Unknown, State::Mismatch));
    assert_eq!(row.reading().as_deref(), Some("no checksum is stored, so nothing protects an installation"));
}

/// Nothing to start, and nobody knowing whether there is: neither is fine, whatever the hashes are.
#[test]
fn a_package_without_the_providers_binary_is_not_fine() {
    let Zip::Hashed(computed) = zip(A) else { unreachable!() };
    for (has_binary, state, told) in [
        (
            Some(false),
            State::Mismatch,
            "no client can install it: provider binary not found: could not find executable file starting with \
             terraform-provider-rocket",
        ),
        (None, State::Error, "whether it holds the provider's binary was not checked"),
    ] {
        let row = Row { zip: Zip::Hashed(Computed { has_binary, ..computed.clone() }), ..row() };
        assert_eq!((row.answers().h1, row.state()), (Answer::Same, state));
        assert_eq!(row.reading().as_deref(), Some(told));
    }
}

#[test]
fn what_no_client_can_unpack_is_not_fine() {
    let Zip::Hashed(computed) = zip(A) else { unreachable!() };
    let computed =
        Computed { not_installable: Some("the name `../x` leads out of the package".into()), ..computed };
    let row = Row { zip: Zip::Hashed(computed), ..row() };
    assert_eq!(
        (row.answers().zh_zip, row.answers().h1, row.state()),
        (Answer::Same, Answer::Same, State::Mismatch)
    );
    assert_eq!(
        row.reading().as_deref(),
        Some("no client can install it: the name `../x` leads out of the package")
    );
}

/// An archive without an h1 that nobody will ever have is over, and never fine.
#[test]
fn an_archive_without_an_h1_says_why_and_is_over() {
    let Zip::Hashed(computed) = zip(A) else { unreachable!() };
    let bare = Computed { h1: None, ..computed };
    let broken = Computed { not_installable: Some("no readable zip: it is cut".into()), ..bare.clone() };
    let bomb = Computed { over_limit: Some("it unpacks to more than 9 bytes".into()), ..bare.clone() };
    let once = Computed { unlockable: Some("`a/`".into()), ..bare.clone() };
    let unread = Computed { remarks: vec!["its h1 could not be computed: no space".into()], ..bare };
    for (computed, h1, state, told) in [
        (broken, Answer::NotDone, State::Mismatch, "no client can install it: no readable zip: it is cut"),
        (bomb, Answer::NotDone, State::Skipped, "its h1 was not computed: it unpacks to more than 9 bytes"),
        (
            once,
            Answer::NotDone,
            State::Mismatch,
            "it has no h1: `a/`: a client installs it once, and not again with the lock file that it wrote",
        ),
        (unread, Answer::Unknown, State::Error, "its h1 could not be computed: no space"),
    ] {
        let row = Row { zip: Zip::Hashed(computed), ..row() };
        assert_eq!((row.answers().zh_zip, row.answers().h1, row.state()), (Answer::Same, h1, state));
        assert_eq!(row.reading().as_deref(), Some(told));
        assert!(state == State::Error || !row.steps().iter().any(|step| step.starts_with("run the same")));
    }
}

#[test]
fn the_tag_is_told_where_it_is_not_what_it_was() {
    for (is, told) in [
        (TagIs::At { commit: "0123456789abcdef".into() }, None),
        (
            TagIs::Moved { commit: "0123456789abcdef".into(), was: "fedcba9876543210".into() },
            Some("the tag v1.0.0 was moved: it is 0123456 and was fedcba9 before"),
        ),
        (TagIs::Gone, Some("the tag v1.0.0 is gone")),
        (TagIs::Unread { why: "reset".into() }, Some("the tag v1.0.0 could not be read: reset")),
    ] {
        let row = Row { tag: Some(TagSays { name: "v1.0.0".into(), is }), zip: zip(A), ..row() };
        assert_eq!(row.reading().as_deref(), told);
    }
}

#[test]
fn a_good_signature_that_clients_refuse_is_not_good() {
    use crate::rules::signature::{Answer as Signature, Check, Client, Signed, Signer};
    let by = Signer {
        file: "keys/a/acme/k.asc".into(),
        fingerprint: "AB".into(),
        primary_key_id: "AB".into(),
        key_id: "AB".into(),
        user_id: None,
    };
    let signed = Signed { by, made: None, hash: "SHA-256".into(), caveats: Vec::new() };
    for (client, state) in [
        (Client::Installs, State::Ok),
        (Client::Warns, State::Ok),
        (Client::Refuses("it is armored".into()), State::BadSignature),
        (Client::Unknown("nobody knows".into()), State::Error),
    ] {
        let told = client.clone();
        let check =
            Check { answer: Signature::Signed(signed.clone()), client, older: None, trials: Vec::new() };
        let row = Row { signature: SignatureSays::of(check), ..row() };
        assert_eq!(row.state(), state, "{told:?}");
    }
}

/// It is told as it is, and nothing twice.
#[test]
fn a_signature_that_is_not_good_is_one_plain_sentence() {
    use crate::rules::signature::{Answer as Signature, Check, Client, Signer, Unfit};
    let by = || Signer {
        file: "k.asc".into(),
        fingerprint: "AB".into(),
        primary_key_id: "AB".into(),
        key_id: "AB".into(),
        user_id: None,
    };
    for (answer, told) in [
        (Signature::Garbage("it is a page of HTML".into()), "no signature: it is a page of HTML"),
        (Signature::Bad { by: by() }, "the signature names AB (k.asc), and is not one of these checksums"),
        (
            Signature::Unfit { by: by(), why: Unfit::NotForSigning },
            "signed by AB (k.asc), which does not count: the key may not sign, by its own flags",
        ),
    ] {
        let check = Check { answer, client: Client::Refuses("so".into()), older: None, trials: Vec::new() };
        let row = Row { signature: SignatureSays::of(check), ..row() };
        assert_eq!(row.state(), State::BadSignature);
        assert_eq!(row.reading().as_deref(), Some(told));
    }
}

#[test]
fn the_time_line_is_one_sentence() {
    let at = |text: &str| Some(text.parse().unwrap());
    let asset = AssetSays { updated_at: at("2026-09-07T12:35:00Z"), ..AssetSays::default() };
    let times = Times { indexed_at: at("2026-09-07T10:15:00Z"), ..Times::default() };
    let row = Row { asset: Some(asset), times, ..row() };
    assert_eq!(row.newer_by().as_deref(), Some("uploaded 2 h 20 min after it was indexed"));
    assert_eq!(row.reading(), None, "a newer file that is the same is no news");
    let stored = Stored { h1: "h1:y".into(), ..row.stored.clone() };
    let row = Row { listed: listed(B), zip: zip(B), stored, ..row };
    assert!(row.reading().unwrap().ends_with("; uploaded 2 h 20 min after it was indexed"));
    assert_eq!(row.steps(), ["ask the author to release a new version"]);
}

/// What stands for several rows must not hide what one of them says.
#[test]
fn rows_are_alike_that_say_the_same_and_no_others() {
    let later = |row: &Row, hour: u8| {
        let updated_at = Some(format!("2026-09-07T{hour}:35:00Z").parse().unwrap());
        let times = Times { indexed_at: Some("2026-09-07T10:15:00Z".parse().unwrap()), ..Times::default() };
        Row { asset: Some(AssetSays { updated_at, ..AssetSays::default() }), times, ..row.clone() }
    };
    let bad = Row { listed: listed(B), zip: zip(B), ..row() };
    let other = Row { listed: listed(C), zip: zip(C), target: "os_x".into(), ..bad.clone() };
    assert_eq!(later(&bad, 12).alike(), later(&other, 14).alike(), "neither sums nor times are its own news");
    assert_ne!(later(&bad, 12).reading(), later(&other, 14).reading());
    // Another archive may have the stored size by chance, and GitHub may keep a digest of one and not of the other.
    let anew = Row { stored: Stored { h1: "h1:y".into(), ..bad.stored.clone() }, ..bad.clone() };
    let longer = Row { stored: Stored { size_bytes: 9, ..anew.stored.clone() }, ..anew.clone() };
    let digest = Some(AssetSays { sha256: Some(B.into()), ..AssetSays::default() });
    assert_ne!(anew.answers(), longer.answers());
    assert_eq!(anew.alike(), Row { asset: digest, ..longer }.alike());
    let failed = |why: &str| Row { zip: Zip::Failed { why: why.into() }, ..row() };
    assert_eq!(failed("no name").alike(), Row { version: "2.0.0".into(), ..failed("no name") }.alike());
    for (one, another) in [
        (bad.clone(), row()),
        (bad.clone(), Row { version: "2.0.0".into(), ..bad.clone() }),
        (bad.clone(), Row { address: Address::provider("acme", "sled"), ..bad.clone() }),
        (bad.clone(), Row { signature: SignatureSays::NoKeys, ..bad.clone() }),
        (bad.clone(), Row { stored: Stored { h1: "h1:y".into(), ..bad.stored.clone() }, ..bad.clone() }),
        (failed("no name"), failed("HTTP 500")),
    ] {
        assert_ne!(one.alike(), another.alike());
    }
}

#[test]
fn one_reason_for_all_that_could_not_be_read_is_told_once() {
    let why = || "no answer: no name".to_owned();
    let unread = |sums: &str, signature: &str, zip: &str| {
        let row = Row {
            listed: Listed::Unread { why: sums.into() },
            signature: SignatureSays::Unread { why: signature.into() },
            zip: Zip::Failed { why: zip.into() },
            ..row()
        };
        row.reading().unwrap()
    };
    assert_eq!(
        unread(&why(), &why(), &why()),
        "SHA256SUMS, its signature and the archive could not be read: no answer: no name"
    );
    assert_eq!(
        unread(&why(), &why(), "cut off"),
        "cut off; SHA256SUMS and its signature could not be read: no answer: no name"
    );
    assert_eq!(
        unread("a", "b", "c"),
        "c; SHA256SUMS could not be read: a; the signature could not be checked: b"
    );
}

#[test]
fn rows_survive_being_written() {
    for row in
        [row(), Row { zip: Zip::Gone, listed: Listed::Omitted, signature: SignatureSays::NoKeys, ..row() }]
    {
        let line = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<Row>(&line).unwrap(), row, "{line}");
    }
}

/// A target that clients refuse because of the data file is never OK, whatever its archive contains. While the
/// archive is downloading, the result is still open.
#[test]
fn f3_a_target_that_clients_refuse_is_not_ok() {
    let why = "clients refuse every platform of it: protocols six";
    let refused = Row { refused: vec![why.into()], ..row() };
    assert_eq!((row().state(), refused.state()), (State::Ok, State::Mismatch));
    assert!(refused.reading().unwrap().contains(why), "{:?}", refused.reading());
    assert!(refused.steps().iter().any(|step| step.contains("corrected in the data file")));
    assert!(!refused.is_of(&row()), "an earlier run knew nothing of it");
    let queued = Row { zip: Zip::NotDone, ..refused };
    assert_eq!(queued.state(), State::Queued);
}

/// Clients install such a binary, so a lock file may contain its hashes, but nobody can use it.
#[test]
fn a_binary_for_another_system_is_bad() {
    let elf = |abi: u8, machine: u8| {
        let mut head = b"\x7fELF\x02\x01\x01".to_vec();
        head.push(abi);
        head.resize(18, 0);
        head.extend([machine, 0]);
        Executable::read(&head)
    };
    let darwin = Executable::read(&[0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1]);
    for (target, executable, is_for) in [
        ("linux_amd64", elf(0, 62), None),
        ("linux_amd64", elf(0, 183), Some("Unix (ELF), arm64")),
        ("linux_amd64", elf(9, 62), Some("freebsd, amd64")),
        ("linux_arm64", darwin.clone(), Some("darwin, arm64")),
        ("darwin_arm64", darwin, None),
        ("windows_amd64", elf(0, 62), Some("Unix (ELF), amd64")),
        ("freebsd_amd64", elf(0, 62), None),
        ("linux_amd64", Executable::read(b"#!/bin/sh\n"), None),
    ] {
        let Zip::Hashed(computed) = zip(A) else { unreachable!() };
        let zip = Zip::Hashed(Computed { executable, ..computed });
        let row = Row { target: target.into(), zip, ..row() };
        let wanted = is_for.map(|is_for| {
            format!(
                "the provider's binary is for {is_for} and not for {target}: clients install it and cannot start it"
            )
        });
        assert_eq!(row.reading(), wanted, "{target}");
        let state = if wanted.is_some() { State::Mismatch } else { State::Ok };
        assert_eq!(row.state(), state, "{target}");
        let steps: &[&str] = match state {
            State::Mismatch => &["ask the author for a new version with a binary for this target"],
            _ => &[],
        };
        assert_eq!(row.steps(), steps, "{target}");
    }
}
