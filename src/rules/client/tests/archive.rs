//! Checksums, size, archive, and the hashes that are locked.

use crate::rules::client::tests::{Case, FILE, check, sum};
use crate::rules::client::{Ends, Fetched, StepName};
use crate::rules::executable::Executable;
use crate::rules::verify::{AssetSays, Computed, Zip};

#[test]
fn the_packages_rules() {
    let stored = |size: Option<u64>| Case::with(|case| case.target().size = size);
    let said = |size_bytes: u64| {
        Case::with(|case| {
            case.rows[0].zip = Zip::NotDone;
            case.rows[0].asset = Some(AssetSays { size_bytes, ..AssetSays::default() });
        })
    };
    let wrong = "fail package: registry response indicates a package of size 10, but received 9 bytes";
    let unread = [
        "not-known archive: ",
        "not-known package: ",
        "not-known archive-sum: ",
        "not-known unpacking: ",
        "not-known binary: ",
    ];
    check(&[
        ("0", stored(Some(0)), &["fail package: registry response has invalid package size"]),
        ("none", stored(None), &["not-known package: the data file has no `size`"]),
        ("another", Case::with(|case| case.computed().size_bytes = 9), &[wrong]),
        (
            "no scheme",
            Case::with(|case| case.target().h1 = Some("one".into())),
            &[
                "fail package: registry response includes invalid package hash `one`: that of linux_amd64 has no \
                 scheme such as `h1:`",
                "warn lock-file: ",
            ],
        ),
        (
            "nothing before the colon",
            Case::with(|case| case.target().h1 = Some(":one".into())),
            &["fail package: ", "warn lock-file: "],
        ),
        (
            "another target's h1 without a scheme",
            Case::with(|case| {
                let mut other = case.target().clone();
                (other.arch, other.h1) = ("arm64".into(), Some("two".into()));
                case.entry.versions[0].targets.push(other);
                case.asked = vec!["linux_amd64".into()];
            }),
            &["fail package: registry response includes invalid package hash `two`: that of linux_arm64 "],
        ),
        (
            "another, by GitHub",
            said(9),
            &[unread[0], wrong, unread[2], unread[3], unread[4], "not-known lock-file: "],
        ),
        (
            "the same, by GitHub",
            said(10),
            &[unread[0], unread[1], unread[2], unread[3], unread[4], "not-known lock-file: "],
        ),
    ]);
}

#[test]
fn the_checksum_list() {
    let with = |text: String| Case::with(|case| case.sums = Fetched::Got(text));
    let line = |sum: &str| format!("{sum}  {FILE}\n");
    let upper = sum("A");
    let other = format!(
        "fail checksum-list: checksum list has unexpected SHA-256 hash {} (expected {})",
        sum("b"),
        sum("a")
    );
    check(&[
        ("upper case is the same", with(line(&upper)), &[]),
        ("another", with(line(&sum("b"))), &[other.as_str()]),
        (
            "not named",
            with(format!("{}  other.zip\n", sum("a"))),
            &[
                "fail checksum-list: checksum list has no SHA-256 hash for \"terraform-provider-rocket_1.0.0_linux_amd64.zip\"",
            ],
        ),
        ("empty", with(String::new()), &["fail checksum-list: "]),
        (
            "two digits more",
            with(line(&format!("{}00", sum("a")))),
            &[
                "fail checksum-list: clients crash on the checksum list: its hash has 66 digits instead of 64",
                "warn lock-file: ",
            ],
        ),
        (
            "a digit more",
            with(line(&format!("{}0", sum("a")))),
            &["fail checksum-list: checksum list has invalid SHA256 hash \"aaaa", "warn lock-file: "],
        ),
        (
            "no hash",
            with(line("hello")),
            &["fail checksum-list: checksum list has invalid SHA256 hash \"hello\"", "warn lock-file: "],
        ),
        ("twice the same", with(line(&sum("a")).repeat(2)), &[]),
        ("twice, and the first counts", with(line(&sum("a")) + &line(&sum("b"))), &[]),
        ("twice the other way", with(line(&sum("b")) + &line(&sum("a"))), &[other.as_str()]),
        ("a third field", with(format!("{}  {FILE} more\n", sum("a"))), &[]),
        (
            "words",
            with(line(&sum("a")) + "hello\nall together\n"),
            &["warn lock-file: SHA256SUMS has a line that"],
        ),
        (
            "no digits",
            with(line(&sum("a")) + "hello world\n"),
            &["warn lock-file: SHA256SUMS has a line that"],
        ),
        (
            "blank",
            with(line(&sum("a")) + "\n" + &line(&sum("b"))),
            &["fail lock-file: SHA256SUMS has a blank line"],
        ),
        ("blank at first", with(format!("\n{}", line(&sum("a")))), &["fail lock-file: "]),
        ("blank at last", with(line(&sum("a")) + "\r\n"), &["fail lock-file: "]),
        ("blank behind an odd one", with(line(&sum("a")) + "hello\n\n"), &["warn lock-file: "]),
        ("too long a line ends it", with(line(&sum("a")) + &"x".repeat(64 << 10) + "\n\n"), &[]),
        ("CRLF is white space", with(line(&sum("a")).replace('\n', "\r\n")), &[]),
    ]);
    let url = |change: fn(&mut Case)| Case::with(change);
    let wrong =
        |what: &str| format!("registry response includes invalid {what}: must use http or https scheme");
    check(&[
        (
            "an archive by FTP",
            url(|case| case.target().download_url = "ftp://example.org/f.zip".into()),
            &[&format!("fail archive: {}", wrong("download URL"))],
        ),
        (
            "HTTPS in capitals",
            url(|case| case.target().download_url = "HTTPS://example.org/f.zip".into()),
            &[],
        ),
        (
            "no URL of SHA256SUMS",
            url(|case| {
                case.entry.versions[0].shasums_url.clear();
                case.sums = Fetched::Unread("not a URL".into());
            }),
            &["fail checksums: the registry has no URL of SHA256SUMS for it: ", "not-known checksum-list: "],
        ),
        (
            "a place on the registry",
            url(|case| case.target().download_url = "/f.zip".into()),
            &["fail archive: the download URL `/f.zip` names no host"],
        ),
        (
            "checksums in a file",
            url(|case| case.entry.versions[0].shasums_url = "file:///sums".into()),
            &[&format!("fail checksums: {}", wrong("SHASUMS URL"))],
        ),
        (
            "a signature by FTP",
            url(|case| case.entry.versions[0].shasums_signature_url = "ftp://example.org/sig".into()),
            &[&format!("fail signature-file: {}", wrong("SHASUMS signature URL"))],
        ),
    ]);
    let missing = Case::with(|case| case.sums = Fetched::Missing);
    let unread = Case::with(|case| case.sums = Fetched::Unread("429".into()));
    check(&[
        ("gone", missing, &["fail checksums: SHA256SUMS is gone", "not-known checksum-list: "]),
        (
            "unread",
            unread,
            &["not-known checksums: SHA256SUMS could not be read: 429", "not-known checksum-list: "],
        ),
    ]);
}

#[test]
fn the_archive() {
    let zip = |zip: Zip| Case::with(|case| case.rows[0].zip = zip);
    let after = |first: &'static str, why: &'static str| {
        [
            first.to_owned(),
            format!("not-known package: {why}"),
            format!("not-known archive-sum: {why}"),
            format!("not-known unpacking: {why}"),
            format!("not-known binary: {why}"),
            format!("not-known lock-file: {why}"),
        ]
    };
    for (case, wanted) in [
        (zip(Zip::Gone), after("fail archive: the archive is gone: https://", "the archive is gone")),
        (zip(Zip::NotDone), after("not-known archive: ", "the archive was not downloaded")),
        (zip(Zip::Cancelled), after("not-known archive: ", "the run was stopped")),
        (zip(Zip::Skipped { why: "large".into() }), after("not-known archive: large", "large")),
        (zip(Zip::Failed { why: "reset".into() }), after("not-known archive: reset", "reset")),
        (
            Case::with(|case| case.rows.clear()),
            after("not-known archive: ", "the archive was not downloaded"),
        ),
    ] {
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        check(&[("unread", case, &wanted)]);
    }
}

/// What was downloaded and hashed is never called not downloaded: the reason why nothing more is known is told.
#[test]
fn what_was_downloaded_is_not_called_otherwise() {
    let of = |change: fn(&mut Computed)| Case::with(|case| change(case.computed()));
    for (case, why) in [
        (of(|it| it.h1 = None), "its entries could not be read"),
        (
            of(|it| {
                it.h1 = None;
                it.remarks = vec!["it has a folder with content".into()];
            }),
            "it has a folder with content",
        ),
        (
            of(|it| {
                it.h1 = None;
                it.over_limit = Some("it unpacks to more than 4 GiB".into());
            }),
            "it unpacks to more than 4 GiB",
        ),
    ] {
        let told = case.told();
        let step = format!("not-known lock-file: {why}");
        assert!(told.contains(&step), "{told:?}");
        assert!(told.iter().all(|told| !told.contains("was not downloaded")), "{told:?}");
    }
}

#[test]
fn what_is_in_the_archive() {
    let of = |change: fn(&mut Computed)| Case::with(|case| change(case.computed()));
    let shasum = |text: &'static str| Case::with(|case| case.target().shasum = text.into());
    check(&[
        (
            "another",
            of(|it| it.sha256 = sum("b")),
            &[
                "fail archive-sum: archive has incorrect checksum zh:bbbb",
                "not-known lock-file: the archive is not",
            ],
        ),
        ("upper case", of(|it| it.sha256 = sum("A")), &[]),
        (
            "no checksum",
            shasum(""),
            &[
                "fail package: the checksum `` is not a SHA-256",
                "fail checksum-list: ",
                "fail archive-sum: ",
                "not-known lock-file: ",
            ],
        ),
        (
            "leads out",
            of(|it| it.not_installable = Some("`../x` leads out".into())),
            &[
                "fail unpacking: the archive cannot be unpacked: `../x` leads out",
                "not-known binary: the archive cannot be unpacked",
            ],
        ),
        (
            "no zip",
            of(|it| (it.h1, it.not_installable) = (None, Some("it is not a zip".into()))),
            &[
                "fail unpacking: the archive cannot be unpacked: it is not a zip",
                "not-known binary: the archive cannot be unpacked",
                "not-known lock-file: the archive cannot be unpacked",
            ],
        ),
        (
            "more than is read of one",
            of(|it| (it.h1, it.has_binary, it.over_limit) = (None, None, Some("70,000 entries".into()))),
            &[
                "not-known unpacking: 70,000 entries",
                "not-known binary: 70,000 entries",
                "not-known lock-file: 70,000 entries",
            ],
        ),
        (
            "no h1 for another reason",
            of(|it| {
                (it.h1, it.has_binary, it.remarks) = (None, None, vec!["the copy could not be read".into()]);
            }),
            &[
                "not-known unpacking: the copy could not be read",
                "not-known binary: the copy could not be read",
                "not-known lock-file: the copy could not be read",
            ],
        ),
        (
            "nothing to start",
            of(|it| it.has_binary = Some(false)),
            &[
                "fail binary: provider binary not found: could not find executable file starting with terraform-provider-rocket",
            ],
        ),
        (
            "a program of another system",
            of(|it| it.executable = Executable::read(&[0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1])),
            &[
                "warn binary: the provider's binary is for darwin, arm64 and not for linux_amd64: clients install it and cannot start it",
            ],
        ),
        (
            "unpacked once",
            of(|it| {
                (it.h1, it.h1_installed, it.unlockable) = (None, Some("h1:two".into()), Some("`a/`".into()));
            }),
            &[
                "fail lock-file: the archive has no h1 (`a/`): a first `tofu init` installs it, and the next one",
            ],
        ),
        (
            "nobody looked",
            of(|it| it.has_binary = None),
            &["not-known binary: the provider's binary was not looked for"],
        ),
    ]);
}

/// What GitHub says of an asset may accuse it, and never clears it.
#[test]
fn the_digest_that_github_keeps() {
    let said = |digest: String, is_read: bool| {
        Case::with(|case| {
            case.rows[0].asset = Some(AssetSays { sha256: Some(digest), ..AssetSays::default() });
            if !is_read {
                case.rows[0].zip = Zip::NotDone;
            }
        })
    };
    for (case, wanted) in [
        (said(sum("b"), false), "fail archive-sum: GitHub says that the archive has the SHA-256 bbbb"),
        (said(sum("A"), false), "not-known archive-sum: the archive was not downloaded"),
    ] {
        let told = case.told();
        assert!(told.iter().any(|told| told.starts_with(wanted)), "{told:?}");
    }
    assert_eq!(said(sum("b"), true).told(), Vec::<String>::new());
}

#[test]
fn what_a_lock_file_gets() {
    let stored = |h1: Option<&str>| {
        let h1 = h1.map(str::to_owned);
        Case::with(|case| case.target().h1 = h1)
    };
    let installed = Case::with(|case| case.computed().h1_installed = Some("h1:two".into()));
    check(&[
        ("none stored", stored(None), &["warn lock-file: the registry has no h1 for it"]),
        ("not filled in", stored(Some("")), &["warn lock-file: the registry has no h1 for it"]),
        (
            "wrong",
            stored(Some("h1:two")),
            &["warn lock-file: the registry's h1 is h1:two and the archive's is h1:one"],
        ),
        (
            "installed",
            installed,
            &["warn lock-file: the installed package has a different h1 (h1:two) from the archive's"],
        ),
    ]);
    let case = stored(None);
    assert!(matches!(case.chain().ends("linux_amd64"), Some(Ends::Warns(_))));
}

/// From what was read to how it ends: what is no zip, and what has an entry that cannot be read, installs nowhere.
#[test]
fn what_cannot_be_unpacked_fails() {
    for (h1, why) in
        [(None, "it is not a zip"), (None, "its entry `x` cannot be read"), (Some("h1:one"), "`../x`")]
    {
        let case = Case::with(|case| {
            let computed = case.computed();
            (computed.h1, computed.not_installable) = (h1.map(str::to_owned), Some(why.into()));
        });
        let chain = case.chain();
        let Some(Ends::Fails(step)) = chain.ends("linux_amd64") else { panic!("{why}: it does not fail") };
        assert_eq!((step.name, step.text.ends_with(why)), (StepName::Unpacking, true), "{step:?}");
    }
}
