//! Each step with everything that it can come to.

use super::*;
use crate::registry::Address;
use crate::registry::ProviderEntry;
use crate::registry::ProviderVersion;
use crate::registry::Target;
use crate::rules::signature::Answer;
use crate::rules::signature::Check;
use crate::rules::signature::Client;
use crate::rules::signature::OnFile;
use crate::rules::verify::AssetSays;
use crate::rules::verify::Computed;
use crate::rules::verify::Listed;
use crate::rules::verify::Row;
use crate::rules::verify::SignatureSays;
use crate::rules::verify::Stored;
use crate::rules::verify::Times;
use crate::rules::verify::Zip;

const FILE: &str = "terraform-provider-rocket_1.0.0_linux_amd64.zip";

fn sum(letter: &str) -> String {
    letter.repeat(64)
}

fn no_keys() -> Result<Check, String> {
    let answer = Answer::NoKeys { signed_by: Vec::new() };
    Ok(Check { answer, client: Client::Skips, trials: Vec::new() })
}

/// Everything that is seen of one version, to be changed by a case.
struct Case {
    entry: ProviderEntry,
    sums: Fetched<String>,
    signature_file: Fetched<()>,
    signature: Result<Check, String>,
    rows: Vec<Row>,
    asked: Vec<String>,
    policy: Policy,
}

impl Case {
    /// A version without a fault.
    fn fine() -> Self {
        let target = Target {
            os: "linux".into(),
            arch: "amd64".into(),
            filename: FILE.into(),
            download_url: format!("https://github.com/x/{FILE}"),
            shasum: sum("a"),
            h1: Some("h1:one".into()),
            size: Some(10),
        };
        let version = ProviderVersion {
            version: "1.0.0".into(),
            protocols: vec!["5.0".into()],
            targets: vec![target],
            ..ProviderVersion::default()
        };
        let computed =
            Computed { sha256: sum("a"), size_bytes: 10, h1: Some("h1:one".into()), ..Computed::default() };
        let row = Row {
            address: Address::provider("acme", "rocket"),
            version: "1.0.0".into(),
            target: "linux_amd64".into(),
            filename: FILE.into(),
            url: format!("https://github.com/x/{FILE}"),
            stored: Stored::default(),
            listed: Listed::NotAsked,
            asset: None,
            zip: Zip::Hashed(computed),
            signature: SignatureSays::NotAsked,
            times: Times::default(),
        };
        Self {
            entry: ProviderEntry { versions: vec![version], ..ProviderEntry::default() },
            sums: Fetched::Got(format!("{}  {FILE}\n", sum("a"))),
            signature_file: Fetched::Got(()),
            signature: no_keys(),
            rows: vec![row],
            asked: Vec::new(),
            policy: Policy::default(),
        }
    }

    fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut case = Self::fine();
        change(&mut case);
        case
    }

    fn target(&mut self) -> &mut Target {
        &mut self.entry.versions[0].targets[0]
    }

    fn computed(&mut self) -> &mut Computed {
        match &mut self.rows[0].zip {
            Zip::Hashed(computed) => computed,
            _ => unreachable!("no case changes both"),
        }
    }

    fn chain(&self) -> Chain {
        Chain::of(&Seen {
            address: &Address::provider("acme", "rocket"),
            entry: &self.entry,
            version: &self.entry.versions[0],
            sums: &self.sums,
            signature_file: &self.signature_file,
            signature: &self.signature,
            rows: &self.rows,
            asked: &self.asked,
            policy: self.policy,
        })
    }

    /// The steps that do not pass on linux_amd64, in order, as `ruling step: text`.
    fn told(&self) -> Vec<String> {
        let chain = self.chain();
        let steps = chain.by_step().into_iter().filter(|(_, step)| step.ruling != Ruling::Pass);
        steps.map(|(_, step)| format!("{} {}: {}", step.ruling.name(), step.name.name(), step.text)).collect()
    }
}

/// What a case is called, its change, and how each step that does not pass begins.
type Told<'a> = (&'a str, Case, &'a [&'a str]);

#[track_caller]
fn check(cases: &[Told<'_>]) {
    for (name, case, wanted) in cases {
        let told = case.told();
        assert_eq!(told.len(), wanted.len(), "{name}: {told:?}");
        for (told, wanted) in told.iter().zip(*wanted) {
            assert!(told.starts_with(wanted), "{name}: `{told}` does not begin with `{wanted}`");
        }
    }
}

#[test]
fn a_version_without_a_fault_installs() {
    let chain = Case::fine().chain();
    assert_eq!(chain.ends("linux_amd64"), Some(Ends::Installs));
    assert_eq!(chain.ends("linux_arm"), None);
    let names: Vec<&str> = chain.by_step().iter().map(|(_, step)| step.name.name()).collect();
    let order = [
        "listing",
        "protocol",
        "platform",
        "checksums",
        "signature-file",
        "archive",
        "size",
        "checksum-list",
        "archive-sum",
        "signature",
        "unpacking",
        "lock-file",
    ];
    assert_eq!(names, order);
}

fn version(text: &str, protocols: &[&str]) -> ProviderVersion {
    ProviderVersion {
        version: text.into(),
        protocols: protocols.iter().map(ToString::to_string).collect(),
        ..ProviderVersion::default()
    }
}

#[test]
fn listing_protocol_and_platform() {
    let beside = |text: &'static str| Case::with(|case| case.entry.versions.push(version(text, &["6.0"])));
    let called = |text: &'static str, more: &'static [&'static str]| {
        Case::with(|case| {
            case.entry.versions[0].version = text.into();
            case.rows[0].version = text.into();
            case.entry.versions.extend(more.iter().map(|text| version(text, &[])));
        })
    };
    let speaks = |protocols: &[&str]| {
        let protocols = version("", protocols).protocols;
        Case::with(|case| case.entry.versions[0].protocols = protocols)
    };
    check(&[
        ("prereleases and builds are read", beside("2.0.0-RC1+b.2"), &[]),
        ("so are large numbers", beside("20230402163018.0.0"), &[]),
        ("and shorthands", beside("0.9"), &[]),
        (
            "four parts",
            beside("1.2.3.4"),
            &["fail listing: clients cannot read the version `1.2.3.4`, and one such"],
        ),
        ("a `v`", beside("v2.0.0"), &["fail listing: "]),
        ("too large", beside("99999999999999999999.0.0"), &["fail listing: "]),
        ("nothing", beside(""), &["fail listing: "]),
        (
            "a shorthand",
            called("1.0", &[]),
            &["fail platform: platform not supported: clients take `1.0` for 1.0.0"],
        ),
        ("a shorthand with its twin", called("1.0", &["1.0.0"]), &[]),
        ("protocol 6", speaks(&["6.1"]), &[]),
        ("one of two", speaks(&["4.0", "5.0"]), &[]),
        ("three parts", speaks(&["5.0.0"]), &[]),
        (
            "too old",
            speaks(&["4.0"]),
            &["fail protocol: protocols 4.0: clients speak only 5 and 6; no version"],
        ),
        ("too new", speaks(&["7.0"]), &["fail protocol: "]),
        ("none", speaks(&[]), &["fail protocol: protocols none: "]),
        ("no number", speaks(&["six"]), &["fail protocol: "]),
    ]);
    let mut old = speaks(&["4.0"]);
    old.entry.versions.extend([
        version("1.2.0", &["5.0"]),
        version("1.10.0", &["6.0"]),
        version("2.0.0", &["7.0"]),
    ]);
    assert!(old.told()[0].ends_with("; they are pointed to 1.10.0"), "{:?}", old.told());
    let many = Case::with(|case| {
        case.entry.versions.extend(["a", "b", "c", "d"].map(|text| version(text, &[])));
    });
    assert!(
        many.told()[0].contains("`a`, `b`, `c` and 1 more, and one such version fails every"),
        "{:?}",
        many.told()
    );
}

#[test]
fn platforms_that_the_version_has_not() {
    let other = "terraform-provider-rocket_1.0.0_darwin_arm64.zip";
    let case = Case::with(|case| {
        case.sums = Fetched::Got(format!(
            "{}  {FILE}\n{}  {other}\n{}  x_linux_s390x.zip\n",
            sum("a"),
            sum("b"),
            sum("c")
        ));
        case.asked = vec!["linux_amd64".into(), "plan9_mips".into(), "darwin_arm64".into()];
    });
    let chain = case.chain();
    let absent: Vec<(&str, bool)> =
        chain.targets.iter().map(|target| (target.target.as_str(), target.is_stored)).collect();
    assert_eq!(absent, [("linux_amd64", true), ("darwin_arm64", false), ("plan9_mips", false)]);
    assert_eq!(
        case.told(),
        [
            "fail platform: platform not supported: the version has no target darwin_arm64, although SHA256SUMS names its archive",
            "fail platform: platform not supported: the version has no target plan9_mips",
        ]
    );
    assert_eq!(chain.ends("linux_amd64"), Some(Ends::Installs));
    assert!(matches!(chain.ends("plan9_mips"), Some(Ends::Fails(_))));
}

#[test]
fn the_packages_rules() {
    let stored = |size: Option<u64>| Case::with(|case| case.target().size = size);
    let said = |size_bytes: u64| {
        Case::with(|case| {
            case.rows[0].zip = Zip::NotDone;
            case.rows[0].asset = Some(AssetSays { size_bytes, ..AssetSays::default() });
        })
    };
    let wrong = "fail size: registry response indicates a package of size 10, but received 9 bytes";
    let unread =
        ["not-known archive: ", "not-known size: ", "not-known archive-sum: ", "not-known unpacking: "];
    check(&[
        ("0", stored(Some(0)), &["fail size: registry response has invalid package size"]),
        ("none", stored(None), &["not-known size: the data file has no `size`"]),
        ("another", Case::with(|case| case.computed().size_bytes = 9), &[wrong]),
        ("another, by GitHub", said(9), &[unread[0], wrong, unread[2], unread[3], "not-known lock-file: "]),
        (
            "the same, by GitHub",
            said(10),
            &[unread[0], unread[1], unread[2], unread[3], "not-known lock-file: "],
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
            &["fail checksum-list: the checksum list does not name"],
        ),
        ("empty", with(String::new()), &["fail checksum-list: "]),
        ("twice the same", with(line(&sum("a")).repeat(2)), &[]),
        ("twice", with(line(&sum("a")) + &line(&sum("b"))), &["not-known checksum-list: SHA256SUMS names"]),
        (
            "a third field",
            with(format!("{}  {FILE} more\n", sum("a"))),
            &["warn lock-file: SHA256SUMS has one line that"],
        ),
        (
            "words",
            with(line(&sum("a")) + "hello\nall together\n"),
            &["warn lock-file: SHA256SUMS has 2 lines that"],
        ),
        (
            "blank",
            with(format!("\n{}", line(&sum("a")))),
            &["not-known lock-file: SHA256SUMS has a blank line"],
        ),
        ("CRLF is white space", with(line(&sum("a")).replace('\n', "\r\n")), &[]),
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
    let of = |change: fn(&mut Computed)| Case::with(|case| change(case.computed()));
    let after = |first: &'static str, why: &'static str| {
        [
            first.to_owned(),
            format!("not-known size: {why}"),
            format!("not-known archive-sum: {why}"),
            format!("not-known unpacking: {why}"),
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
    let shasum = |text: &'static str| Case::with(|case| case.target().shasum = text.into());
    check(&[
        ("another", of(|it| it.sha256 = sum("b")), &["fail archive-sum: the archive has the SHA-256 bbbb"]),
        ("upper case", of(|it| it.sha256 = sum("A")), &[]),
        (
            "no checksum",
            shasum(""),
            &["fail checksum-list: ", "fail archive-sum: the stored checksum `` is not a SHA-256"],
        ),
        (
            "leads out",
            of(|it| it.not_installable = Some("`../x` leads out".into())),
            &["fail unpacking: the archive cannot be unpacked: `../x` leads out"],
        ),
        (
            "no zip",
            of(|it| (it.h1, it.remarks) = (None, vec!["it has no h1: no end".into()])),
            &["not-known unpacking: it has no h1: no end", "not-known lock-file: "],
        ),
    ]);
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
            &["warn lock-file: the installed package has another h1 than the archive (h1:two)"],
        ),
    ]);
    let case = stored(None);
    assert!(matches!(case.chain().ends("linux_amd64"), Some(Ends::Warns(_))));
}

#[test]
fn the_signature_under_each_policy() {
    let validation = Policy { enforces_validation: true, ..Policy::default() };
    let expiration = Policy { enforces_expiration: true, ..Policy::default() };
    let on_file = OnFile { path: "k.asc".into(), key_ids: vec!["A".into()], unreadable: None };
    let answer = Answer::NotSignedByThese { signed_by: vec!["X".into()], on_file: vec![on_file] };
    let of = |client: Client, policy: Policy| {
        let check = Check { answer: answer.clone(), client, trials: Vec::new() };
        Case::with(|case| (case.signature, case.policy) = (Ok(check), policy))
    };
    let skips = |policy: Policy| Case::with(|case| case.policy = policy);
    check(&[
        ("no key", skips(Policy::default()), &[]),
        ("no key, expiration", skips(expiration), &[]),
        (
            "no key, validation",
            skips(validation),
            &["fail signature: no key is on file, and OPENTOFU_ENFORCE_GPG_VALIDATION"],
        ),
        ("good", of(Client::Installs, validation), &[]),
        ("expired", of(Client::Warns, validation), &["warn signature: "]),
        ("expired, refused", of(Client::Warns, expiration), &["fail signature: "]),
        (
            "refused",
            of(Client::Refuses("no".into()), Policy::default()),
            &["fail signature: signed by X, on file: A; clients refuse it: no"],
        ),
        ("unknown", of(Client::Unknown("odd".into()), Policy::default()), &["not-known signature: "]),
        ("unread", Case::with(|case| case.signature = Err("429".into())), &["not-known signature: 429"]),
        (
            "gone, without a key",
            Case::with(|case| case.signature_file = Fetched::Missing),
            &["fail signature-file: failed to retrieve cryptographic signature"],
        ),
        (
            "not read, without a key",
            Case::with(|case| case.signature_file = Fetched::Unread("429".into())),
            &["not-known signature-file: SHA256SUMS.sig could not be read: 429"],
        ),
    ]);
    let mut gone = of(Client::Installs, Policy::default());
    gone.signature_file = Fetched::Missing;
    check(&[("gone", gone, &["fail signature-file: ", "not-known signature: without SHA256SUMS"])]);
}

/// The first step that fails is where it stops; what is unknown before it changes nothing about that.
#[test]
fn how_it_ends() {
    let mut case = Case::with(|case| {
        case.signature_file = Fetched::Unread("429".into());
        case.target().size = Some(0);
        case.computed().sha256 = sum("b");
    });
    let name = |case: &Case| match case.chain().ends("linux_amd64") {
        Some(Ends::Fails(step)) => format!("fails {}", step.name.name()),
        Some(Ends::NotKnown(step)) => format!("open {}", step.name.name()),
        Some(Ends::Warns(step)) => format!("warns {}", step.name.name()),
        Some(Ends::Installs) => "installs".to_owned(),
        None => "nothing".to_owned(),
    };
    assert_eq!(name(&case), "fails size");
    case.target().size = Some(10);
    assert_eq!(name(&case), "fails archive-sum");
    case.computed().sha256 = sum("a");
    assert_eq!(name(&case), "open signature-file");
    case.signature_file = Fetched::Got(());
    case.target().h1 = None;
    assert_eq!(name(&case), "warns lock-file");
    case.target().h1 = Some("h1:one".into());
    assert_eq!(name(&case), "installs");
}
