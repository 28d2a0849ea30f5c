//! The refusals because of stored or served text: each kind of fault with its scope and its clients.

use crate::registry::{Kind, ProviderEntry, ServedDocument, ServedPackage, Shape};
use crate::rules::client::tests::{Case, sum};
use crate::rules::client::{Clients, Ends, Fault, Refusal, refusal};

/// The line `fault clients version targets: cause` for each refusal of the file.
fn lines_of(entry: &ProviderEntry) -> Vec<String> {
    refusal::of_entry(entry).iter().map(line).collect()
}

fn line(refusal: &Refusal) -> String {
    let place = refusal.version.as_deref().unwrap_or("*");
    let targets = refusal.targets.join(",");
    format!("{:?} {:?} {place} {targets}: {}", refusal.fault, refusal.clients, refusal.cause)
}

fn with(change: impl FnOnce(&mut Case)) -> ProviderEntry {
    Case::with(change).entry
}

fn called(version: &str) -> ProviderEntry {
    with(|case| {
        let mut other = case.entry.versions[0].clone();
        other.version = version.to_owned();
        case.entry.versions.push(other);
    })
}

#[test]
fn p1_a_version_that_clients_cannot_read_hides_the_whole_provider() {
    for (version, why) in [
        ("v2.5.3", "version `v2.5.3` begins with `v`"),
        ("V2.5.3", "version `V2.5.3` begins with `V`"),
        ("2.5.2 ", "version `2.5.2 ` has white space around it"),
        (" 2.5.2", "version ` 2.5.2` has white space around it"),
        ("2.5.2.1", "version `2.5.2.1` has 4 numbers, and clients read three at most"),
        ("", "version `` is empty"),
        ("latest", "version `latest` is not a version"),
        ("2.5", ""),
        ("2.5.x", "version `2.5.x` is not a version"),
        ("2.5.3-", "version `2.5.3-` is not a version"),
        ("99999999999999999999.0.0", "version `99999999999999999999.0.0` has a number that does not fit"),
        ("2.5.3\u{1b}[2J", "version `2.5.3\\u{1b}[2J` is not a version"),
    ] {
        let found = refusal::of_list(["2.5.2", version]);
        match (why, found) {
            ("", found) => assert_eq!(found, None, "{version:?} is read as 2.5.0"),
            (why, Some(found)) => {
                let text = found.text();
                assert!(
                    text.starts_with(&format!("no client can read this provider's list: {why}")),
                    "{text}"
                );
                assert!(found.is_of_provider() && found.hits("2.5.2", "linux_amd64"));
                assert_eq!((found.fault, found.clients), (Fault::Version, Clients::All));
            }
            (why, None) => panic!("{version:?}: {why}"),
        }
    }
    let many = refusal::of_list(["a", "1.0.0", "b", "c", "d"]).unwrap().cause;
    assert_eq!(many, "version `a` is not a version; clients cannot read `b`, `c` and 1 more either");
}

/// Clients accept leading zeros and missing numbers, but then request the version in another spelling.
#[test]
fn p1_a_version_in_another_spelling_is_refused_alone() {
    for (version, normal) in
        [("02.5.1", "2.5.1"), ("2.5", "2.5.0"), ("2", "2.0.0"), ("2.5.01-rc1", "2.5.1-rc1")]
    {
        let found = lines_of(&called(version));
        let [found] = &found[..] else { panic!("{version}: {found:?}") };
        let wanted =
            format!("Spelling All {version} : platform not supported: clients take `{version}` for {normal}");
        assert!(found.starts_with(&wanted), "{found}");
    }
}

/// A name, a version with one fault, and the refusals for it.
type Planted<'a> = (&'a str, ProviderEntry, &'a [&'a str]);

#[test]
fn faults_of_a_data_file() {
    let target = |change: fn(&mut crate::registry::Target)| with(|case| change(case.target()));
    let version =
        |change: fn(&mut crate::registry::ProviderVersion)| with(|case| change(&mut case.entry.versions[0]));
    let size = |size: u64| with(|case| case.target().size = Some(size));
    let protocols = |list: &[&str]| {
        let list = list.iter().map(ToString::to_string).collect();
        with(|case| case.entry.versions[0].protocols = list)
    };
    let rows: Vec<Planted<'_>> = vec![
        ("nothing", Case::fine().entry, &[]),
        ("no size of an older format", target(|target| target.size = None), &[]),
        ("no h1", target(|target| target.h1 = Some(String::new())), &[]),
        ("an unknown scheme", target(|target| target.h1 = Some("md5:x".into())), &[]),
        ("capitals in a checksum", target(|target| target.shasum = target.shasum.to_uppercase()), &[]),
        ("no protocols", protocols(&[]), &[]),
        (
            "size 0",
            size(0),
            &["Size NewerTofu 1.0.0 linux_amd64: registry response has invalid package size 0"],
        ),
        (
            "size 2^40",
            size(1 << 40),
            &["Oversize NewerTofu 1.0.0 linux_amd64: registry response indicates a package of"],
        ),
        ("the largest size", size(2 << 30), &[]),
        (
            "an h1 without a scheme",
            target(|target| target.h1 = Some("Qm4=".into())),
            &["Hash NewerTofu 1.0.0 : registry response includes invalid package hash `Qm4=`"],
        ),
        (
            "an h1 with nothing before the colon",
            target(|target| target.h1 = Some(":Qm4=".into())),
            &["Hash NewerTofu 1.0.0 : "],
        ),
        (
            "a protocol that is no number",
            protocols(&["5.0", "six"]),
            &[
                "Protocols All 1.0.0 : protocols 5.0, six: registry response includes invalid version string `six`",
            ],
        ),
        ("an empty protocol", protocols(&[""]), &["Protocols All 1.0.0 : "]),
        (
            "protocols that nobody speaks",
            protocols(&["4.0", "7.0"]),
            &["Protocols All 1.0.0 : protocols 4.0, 7.0: clients speak"],
        ),
        (
            "no platforms",
            version(|version| version.targets.clear()),
            &["NoTargets All 1.0.0 : platform not supported"],
        ),
        (
            "no URL of the checksums",
            version(|version| version.shasums_url.clear()),
            &["SumsUrl All 1.0.0 : the registry has no URL of SHA256SUMS"],
        ),
        (
            "checksums by FTP",
            version(|version| version.shasums_url = "ftp://example.org/SHA256SUMS".into()),
            &["SumsUrl All 1.0.0 : registry response includes invalid SHASUMS URL: must use http or https"],
        ),
        (
            "a signature beside the registry's own answer",
            version(|version| version.shasums_signature_url = "SHA256SUMS.sig".into()),
            &["SignatureUrl All 1.0.0 : the SHASUMS signature URL `SHA256SUMS.sig` names no host"],
        ),
        (
            "an archive by FTP",
            target(|target| target.download_url = "ftp://example.org/f.zip".into()),
            &["ArchiveUrl All 1.0.0 linux_amd64: registry response includes invalid download URL"],
        ),
        (
            "an archive at a relative URL",
            target(|target| target.download_url = "../f.zip".into()),
            &["ArchiveUrl All 1.0.0 linux_amd64: the download URL `../f.zip` names no host"],
        ),
        ("no URL", target(|target| target.download_url.clear()), &["ArchiveUrl All 1.0.0 linux_amd64: "]),
        (
            "a URL without a host",
            target(|target| target.download_url = "https:///f.zip".into()),
            &["ArchiveUrl All "],
        ),
        (
            "a name with a path",
            target(|target| target.filename = "dist/f.zip".into()),
            &["Filename All 1.0.0 linux_amd64: checksum list has no SHA-256 hash for \"dist/f.zip\""],
        ),
        ("a name with a blank", target(|target| target.filename = "f .zip".into()), &["Filename All "]),
        ("no name", target(|target| target.filename.clear()), &["Filename All "]),
        (
            "a checksum of 63 digits",
            target(|target| target.shasum.truncate(63)),
            &["Checksum All 1.0.0 linux_amd64: the checksum `aaa"],
        ),
        ("a checksum that is no hex", target(|target| target.shasum = "g".repeat(64)), &["Checksum All "]),
        (
            "a platform with two underscores",
            target(|target| target.arch = "amd64_v2".into()),
            &[
                "Platform NewerTofu 1.0.0 : registry response includes invalid package platform \"linux_amd64_v2\"",
            ],
        ),
        (
            "a platform with a blank",
            target(|target| target.os = "lin ux".into()),
            &["Platform NewerTofu 1.0.0 : "],
        ),
    ];
    for (name, entry, wanted) in rows {
        let found = lines_of(&entry);
        assert_eq!(found.len(), wanted.len(), "{name}: {found:?}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.starts_with(wanted), "{name}: `{found}` does not begin with `{wanted}`");
        }
    }
}

/// A fault of several targets is one refusal, which counts the targets.
#[test]
fn faults_of_several_targets_are_one_refusal() {
    let mut case = Case::fine();
    for arch in ["arm", "arm64"] {
        let mut other = case.target().clone();
        (other.arch, other.size) = (arch.into(), Some(0));
        case.entry.versions[0].targets.push(other);
    }
    let found = refusal::of_entry(&case.entry);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].text(),
        "OpenTofu clients from 1.12 on refuse linux_arm and 1 more: registry response has invalid package size 0"
    );
    assert!(found[0].hits("1.0.0", "linux_arm64") && !found[0].hits("1.0.0", "linux_amd64"));
    assert!(found[0].hits_version("1.0.0") && !found[0].hits_version("1.1.0"));
}

/// A fault that is left on fewer platforms, as a backfill leaves it that could not read one archive, is not a new one.
#[test]
fn a_fault_on_fewer_platforms_is_not_new() {
    let refusal = |targets: &[&str]| Refusal {
        fault: Fault::Size,
        clients: Clients::NewerTofu,
        version: Some("1.0.0".to_owned()),
        targets: targets.iter().map(|target| (*target).to_owned()).collect(),
        cause: "registry response has invalid package size 0".to_owned(),
    };
    let both = refusal(&["darwin_arm64", "linux_amd64"]);
    for (now, is_covered) in [
        (both.clone(), true),
        (refusal(&["linux_amd64"]), true),
        (refusal(&["windows_amd64"]), false),
        (refusal(&["linux_amd64", "windows_amd64"]), false),
        (refusal(&[]), false),
        (Refusal { fault: Fault::Oversize, ..refusal(&["linux_amd64"]) }, false),
        (Refusal { clients: Clients::All, ..refusal(&["linux_amd64"]) }, false),
        (Refusal { version: Some("1.1.0".to_owned()), ..refusal(&["linux_amd64"]) }, false),
        (Refusal { version: None, ..refusal(&[]) }, false),
    ] {
        assert_eq!(both.covers(&now), is_covered, "{now:?}");
    }
    assert!(refusal(&[]).covers(&both), "every platform before");
    let list = Refusal { fault: Fault::Version, version: None, ..refusal(&[]) };
    assert!(list.covers(&list));
    assert!(!list.covers(&Refusal { cause: "version `v2.0.0` begins with `v`".to_owned(), ..list.clone() }));
}

/// A document without a fault; each case changes it.
fn document() -> ServedDocument {
    let target = Case::fine().target().clone();
    ServedDocument {
        protocols: vec!["5.0".into()],
        os: target.os,
        arch: target.arch,
        filename: target.filename,
        download_url: target.download_url,
        shasums_url: "https://github.com/x/SHA256SUMS".into(),
        shasums_signature_url: "https://github.com/x/SHA256SUMS.sig".into(),
        shasum: target.shasum,
        keys: Vec::new(),
        packages: Some(vec![ServedPackage {
            platform: "linux_amd64".into(),
            hashes: vec![format!("zh:{}", sum("a")), "h1:one".into()],
            size: Some(10),
        }]),
    }
}

fn own(document: &mut ServedDocument) -> &mut ServedPackage {
    &mut document.packages.as_mut().unwrap()[0]
}

#[test]
fn p1_faults_of_a_served_document() {
    let of = |change: fn(&mut ServedDocument)| {
        let mut document = document();
        change(&mut document);
        refusal::of_document("1.0.0", ("linux", "amd64"), &document)
    };
    let rows: [(&str, Vec<Refusal>, &str); 18] = [
        ("nothing", of(|_| {}), ""),
        ("without `packages`", of(|it| it.packages = None), ""),
        ("with an empty `packages`", of(|it| it.packages = Some(Vec::new())), ""),
        ("a protocol that is none", of(|it| it.protocols = vec!["six".into()]), "Protocols All"),
        (
            "another os",
            of(|it| it.os = "darwin".into()),
            "OtherPlatform All 1.0.0 linux_amd64: registry response to request for linux_amd64 archive has incorrect target darwin_amd64",
        ),
        ("no arch", of(|it| it.arch.clear()), "OtherPlatform All"),
        ("an archive by FTP", of(|it| it.download_url = "ftp://x/f".into()), "ArchiveUrl All"),
        ("a relative archive", of(|it| it.download_url = "f.zip".into()), "ArchiveUrl All"),
        ("no checksum", of(|it| it.shasum.clear()), "Checksum All"),
        ("no URL of checksums", of(|it| it.shasums_url.clear()), "SumsUrl All"),
        ("a signature by FTP", of(|it| it.shasums_signature_url = "ftp://x/s".into()), "SignatureUrl All"),
        ("a hash without a scheme", of(|it| own(it).hashes.push("abc".into())), "Hash NewerTofu 1.0.0 : "),
        (
            "a platform that is none",
            of(|it| own(it).platform = "linux".into()),
            "Platform NewerTofu 1.0.0 : ",
        ),
        (
            "another platform alone",
            of(|it| own(it).platform = "linux_arm".into()),
            "Packages NewerTofu 1.0.0 linux_amd64: registry response missing package",
        ),
        (
            "no `package_size`",
            of(|it| own(it).size = None),
            "Size NewerTofu 1.0.0 linux_amd64: registry response has no package size",
        ),
        ("a size of 0", of(|it| own(it).size = Some(0)), "Size NewerTofu"),
        (
            "a negative size",
            of(|it| own(it).size = Some(-3)),
            "Size NewerTofu 1.0.0 linux_amd64: registry response has invalid package size -3",
        ),
        (
            "another zh",
            of(|it| own(it).hashes[0] = format!("zh:{}", sum("b"))),
            "Packages NewerTofu 1.0.0 linux_amd64: registry response expected sha256sum",
        ),
    ];
    for (name, found, wanted) in rows {
        let found: Vec<String> = found.iter().map(line).collect();
        assert_eq!(found.is_empty(), wanted.is_empty(), "{name}: {found:?}");
        assert!(found.first().is_none_or(|found| found.starts_with(wanted)), "{name}: {found:?}");
    }
    let key = refusal::key("1.0.0", "it is no armor");
    assert_eq!(
        key.text(),
        "clients refuse every platform of it: a signing key cannot be used: it is no armor"
    );
}

/// The summary of a file shows each fault, so that a survey reads the file. The chain of `lock` fails at its step.
#[test]
fn every_fault_shows_in_the_summary_and_ends_the_chain() {
    type Change = fn(&mut Case);
    let changes: [(&str, Change); 16] = [
        ("version", |case| case.entry.versions[0].version = "v1.0.0".into()),
        ("blank", |case| case.entry.versions[0].version = "1.0.0 ".into()),
        ("empty", |case| case.entry.versions[0].version.clear()),
        ("large", |case| case.entry.versions[0].version = "18446744073709551616.0.0".into()),
        ("spelling", |case| case.entry.versions[0].version = "01.0.0".into()),
        ("protocols", |case| case.entry.versions[0].protocols = vec!["six".into()]),
        ("unspoken", |case| case.entry.versions[0].protocols = vec!["4.0".into()]),
        ("targets", |case| case.entry.versions[0].targets.clear()),
        ("sums", |case| case.entry.versions[0].shasums_url.clear()),
        ("signature", |case| case.entry.versions[0].shasums_signature_url = "sig".into()),
        ("url", |case| case.target().download_url = "ftp://x/f".into()),
        ("shasum", |case| case.target().shasum = "abc".into()),
        ("h1", |case| case.target().h1 = Some("abc".into())),
        ("size", |case| case.target().size = Some(0)),
        ("huge", |case| case.target().size = Some(1 << 40)),
        ("platform", |case| case.target().arch = "a_b".into()),
    ];
    assert!(summary(&Case::fine().entry).unusual.is_empty());
    for (name, change) in changes {
        let mut case = Case::with(change);
        assert!(!refusal::of_entry(&case.entry).is_empty(), "{name}");
        assert!(!summary(&case.entry).unusual.is_empty(), "{name}: a survey would pass it over");
        case.rows[0].version = case.entry.versions[0].version.clone();
        let chain = case.chain();
        let platform = case.entry.versions[0].targets.first().map(crate::registry::Target::platform);
        let ends = platform.as_deref().map(|platform| chain.ends(platform));
        match ends {
            Some(ends) => assert!(matches!(ends, Some(Ends::Fails(_))), "{name}: {ends:?}"),
            None => assert!(case.told().iter().any(|step| step.starts_with("fail platform")), "{name}"),
        }
    }
}

/// The summary that a survey has of a file.
fn summary(entry: &ProviderEntry) -> Shape {
    let targets = |version: &crate::registry::ProviderVersion| -> Vec<serde_json::Value> {
        let of = |target: &crate::registry::Target| {
            serde_json::json!({
                "os": target.os, "arch": target.arch, "filename": target.filename, "download_url": target.download_url,
                "shasum": target.shasum, "h1": target.h1.clone().unwrap_or_default(), "size": target.size,
            })
        };
        version.targets.iter().map(of).collect()
    };
    let of = |version: &crate::registry::ProviderVersion| {
        serde_json::json!({
            "version": version.version, "protocols": version.protocols, "shasums_url": version.shasums_url,
            "shasums_signature_url": version.shasums_signature_url, "targets": targets(version),
        })
    };
    let versions: Vec<serde_json::Value> = entry.versions.iter().map(of).collect();
    Shape::parse(Kind::Provider, serde_json::json!({ "versions": versions }).to_string().as_bytes())
}

/// A survey does not read a file whose version names have the usual form, so clients must take each of them as it stands.
#[test]
fn a_usual_version_name_is_never_refused() {
    let (mut usual, mut fine) = (0, 0);
    for core in [
        "1.2.3",
        "0.0.0",
        "10.20.30",
        "01.2.3",
        "1.2",
        "1",
        "1.2.3.4",
        "1..3",
        "v1.2.3",
        "99999999999999999999.0.0",
    ] {
        for extra in [
            "",
            "-a",
            "-a.b-1",
            "+b",
            "-a+b",
            "+a-b",
            "-0-x+4d09e5e",
            "-",
            "+",
            "-+b",
            "-a+",
            "+a+b",
            "-a_b",
            "-é",
            " ",
        ] {
            let mut entry = Case::fine().entry;
            entry.versions[0].version = format!("{core}{extra}");
            let is_fine = refusal::of_entry(&entry).is_empty();
            let is_usual = summary(&entry).unusual.is_empty();
            assert!(is_fine || !is_usual, "{core}{extra}: a survey would pass it over");
            usual += usize::from(is_usual);
            fine += usize::from(is_fine);
        }
    }
    assert_eq!((usual, fine), (21, 21));
}
