//! What may be locked, and what may not; and what a client locks by itself.

use crate::rules::client::Fetched;
use crate::rules::executable::Executable;
use crate::rules::lock::tests::checking::World;
use crate::rules::lock::tests::{H1, H1_EMPTY, H1_OTHER, zh};
use crate::rules::lock::{Offer, Refusal, offers, recorded};
use crate::rules::verify::{Listed, SignatureSays, Zip};

fn offered(world: &World, asked: &[&str]) -> Vec<Offer> {
    let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
    offers(&world.version, &world.rows, &world.chain(&asked), &asked)
}

/// `hashes`, `wrong: …` or `open: …` of linux_amd64.
fn told(world: &World) -> String {
    match &offered(world, &[])[0].hashes {
        Ok(hashes) => hashes.join(" "),
        Err(Refusal::Wrong(text)) => format!("wrong: {text}"),
        Err(Refusal::Open(text)) => format!("open: {text}"),
    }
}

/// Name, change, and how what is told begins.
type Told<'a> = (&'a str, fn(&mut World), &'a str);

#[track_caller]
fn check(cases: &[Told<'_>]) {
    for (name, change, wanted) in cases {
        let mut world = World::fine();
        change(&mut world);
        let told = told(&world);
        assert!(told.starts_with(wanted), "{name}: {told}");
        // What is offered is told whole.
        assert!(!told.starts_with("zh:") || told == *wanted, "{name}: {told}");
    }
}

#[test]
fn only_what_is_verified_and_installs_is_offered() {
    let fine = format!("{} {H1}", zh("a"));
    check(&[
        ("fine", |_| {}, &fine),
        (
            "installed otherwise",
            |it| it.computed(0).h1_installed = Some(H1_EMPTY.into()),
            &format!("{fine} {H1_EMPTY}"),
        ),
        (
            "a binary for another system",
            |it| it.computed(0).executable = Executable::read(&[0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1]),
            &fine,
        ),
        ("no h1 stored", |it| it.store(0, |target| target.h1 = Some(String::new())), &fine),
        ("no size stored", |it| it.store(0, |target| target.size = None), &fine),
        (
            "size 0",
            |it| it.store(0, |target| target.size = Some(0)),
            "wrong: clients refuse it: registry response has invalid",
        ),
        (
            "size wrong",
            |it| it.store(0, |target| target.size = Some(7)),
            "wrong: clients refuse it: registry response indicates",
        ),
        (
            "h1 wrong",
            |it| it.store(0, |target| target.h1 = Some(H1_OTHER.into())),
            "wrong: the zip is the one that was indexed, and the stored h1",
        ),
        (
            "re-uploaded",
            |it| {
                it.rows[0].listed = Listed::Sum { sum: "f".repeat(64) };
                it.sums = Fetched::Got(format!("{}  f-linux_amd64.zip\n", "f".repeat(64)));
                let computed = it.computed(0);
                (computed.sha256, computed.h1) = ("f".repeat(64), Some(H1_EMPTY.into()));
            },
            "wrong: the file was re-uploaded",
        ),
        (
            "the registry's own checksum is wrong",
            |it| {
                it.rows[0].listed = Listed::Sum { sum: "f".repeat(64) };
                it.sums = Fetched::Got(format!("{}  f-linux_amd64.zip\n", "f".repeat(64)));
                it.computed(0).sha256 = "f".repeat(64);
            },
            "wrong: the stored checksum is not this zip's",
        ),
        (
            "nothing to start",
            |it| it.computed(0).has_binary = Some(false),
            "wrong: clients refuse it: provider binary not found: could not find executable file starting with terraform-provider-rocket",
        ),
        (
            "another target's h1 without a scheme",
            |it| it.store(1, |target| target.h1 = Some("AAA=".into())),
            "wrong: clients refuse it: registry response includes invalid package hash `AAA=`: that of darwin_arm64",
        ),
        (
            "leads out",
            |it| it.computed(0).not_installable = Some("`../x`".into()),
            "wrong: clients refuse it: the archive cannot",
        ),
        ("gone", |it| it.rows[0].zip = Zip::Gone, "wrong: clients refuse it: the archive is gone"),
    ]);
}

#[test]
fn what_was_not_read_is_left_open() {
    check(&[
        ("unread", |it| it.rows[0].zip = Zip::Failed { why: "reset".into() }, "open: reset"),
        ("large", |it| it.rows[0].zip = Zip::Skipped { why: "too large".into() }, "open: too large"),
        ("stopped", |it| it.rows[0].zip = Zip::Cancelled, "open: the run was stopped before"),
        (
            "a target twice",
            |it| it.version.targets.push(it.version.targets[0].clone()),
            "open: the version has this target more",
        ),
        ("no h1", |it| (it.computed(0).h1, it.computed(0).remarks) = (None, vec!["odd".into()]), "open: odd"),
        (
            "sums unread",
            |it| it.sums = Fetched::Unread("429".into()),
            "open: SHA256SUMS could not be read: 429",
        ),
        (
            "signature file unread, without a key",
            |it| it.signature_file = Fetched::Unread("503".into()),
            "open: SHA256SUMS.sig could not be read: 503",
        ),
        (
            "signature unread",
            |it| it.rows[0].signature = SignatureSays::Unread { why: "429".into() },
            "open: the signature could",
        ),
        ("no row", |it| it.rows.clear(), "open: the archive was not downloaded"),
    ]);
}

/// Lines of SHA256SUMS count as clients read them, and not as a row has them.
#[test]
fn the_lines_that_clients_go_by() {
    let fine = format!("{} {H1}", zh("a"));
    check(&[
        ("not read as lines of two fields", |it| it.rows[0].listed = Listed::Omitted, &fine),
        ("the last line is another", |it| it.rows[0].listed = Listed::Sum { sum: "f".repeat(64) }, &fine),
        (
            "the first line is another",
            |it| {
                if let Fetched::Got(text) = &mut it.sums {
                    text.insert_str(0, &format!("{}  f-linux_amd64.zip\n", "f".repeat(64)));
                }
            },
            "wrong: checksum list has unexpected SHA-256 hash ffff",
        ),
        (
            "a blank line",
            |it| {
                if let Fetched::Got(text) = &mut it.sums {
                    text.push('\n');
                }
            },
            "wrong: clients refuse it: SHA256SUMS has a blank line",
        ),
    ]);
}

#[test]
fn platforms_that_are_asked_about() {
    let targets = |asked: &[&str]| -> Vec<(String, bool)> {
        let offers = offered(&World::fine(), asked);
        offers.into_iter().map(|offer| (offer.target, offer.hashes.is_ok())).collect()
    };
    let pair = |target: &str, fine: bool| (target.to_owned(), fine);
    assert_eq!(targets(&[]), [pair("linux_amd64", true), pair("darwin_arm64", true)]);
    assert_eq!(targets(&["darwin_arm64"]), [pair("darwin_arm64", true)]);
    assert_eq!(
        targets(&["plan9_mips", "linux_amd64"]),
        [pair("plan9_mips", false), pair("linux_amd64", true)]
    );
}

#[test]
fn what_a_client_locks_by_itself() {
    let told = |world: &World| {
        let recorded = recorded(&world.version, &world.rows, &world.sums, &world.chain(&[]));
        recorded.text().unwrap_or_default()
    };
    let changed = |change: fn(&mut World)| {
        let mut world = World::fine();
        change(&mut world);
        told(&world)
    };
    let all = "it locks 4 hashes on every platform, and 1 of other files in SHA256SUMS";
    assert_eq!(told(&World::fine()), all);
    let fine = World::fine();
    let recorded = recorded(&fine.version, &fine.rows, &fine.sums, &fine.chain(&[]));
    assert_eq!(recorded.everywhere, [H1_OTHER.to_owned(), H1.to_owned(), zh("a"), zh("b")]);
    assert_eq!((recorded.other_files, recorded.besides), (vec![zh("c")], Vec::new()));
    for (change, wanted) in [
        (
            (|it| it.store(0, |target| target.h1 = None)) as fn(&mut World),
            "it locks 3 hashes on every platform, and 1 of other files in SHA256SUMS, and one more on linux_amd64 alone",
        ),
        (
            |it| it.computed(1).h1_installed = Some(H1_EMPTY.into()),
            "it locks 4 hashes on every platform, and 1 of other files in SHA256SUMS, and one more on darwin_arm64 alone",
        ),
        // One odd line, and none of them is locked.
        (
            |it| {
                if let Fetched::Got(text) = &mut it.sums {
                    text.push_str("hello\n");
                }
            },
            "it locks 4 hashes on every platform",
        ),
        (|it| it.rows.clear(), all),
        // It stops on one platform and goes on on the other.
        (|it| it.store(0, |target| target.size = Some(0)), all),
        (|it| it.version.protocols = vec!["4.0".into()], ""),
    ] {
        assert_eq!(changed(change), wanted);
    }
}
