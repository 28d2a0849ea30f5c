//! What a survey says of the parts of releases and of what their manifests lead to: a provider for each oddity, as
//! a version that is missing and as one that is indexed.

use std::collections::BTreeMap;
use std::fmt::Write;

use bumpdesk::surface::rules::{Depth, Severity, Verdict};

use crate::stage::Stage;

/// Name, what is odd about the release, the rules that a missing version is told under, and those of an indexed one.
type Odd = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const ODDITIES: [Odd; 18] = [
    ("fine", "", &[], &[]),
    ("no-manifest", "manifest = \"missing\"", &["asset-missing", "manifest-missing"], &[]),
    ("broken-manifest", "manifest = \"invalid\"", &["manifest-invalid"], &[]),
    ("bare-manifest", "manifest = \"no-list\"", &["manifest-unlisted"], &[]),
    ("empty-manifest", "manifest = \"empty-list\"", &["protocols-changed", "protocols-odd"], &[]),
    ("newer-protocol", "protocols = [\"6.0\"]", &["protocols-changed"], &[]),
    ("older-protocol", "protocols = [\"4.0\", \"5.0\"]", &["protocols-changed", "protocols-odd"], &[]),
    ("unsigned", "signature = false", &["asset-missing"], &[]),
    ("absent", "absent = [\"windows_arm64\"]", &["zip-absent"], &["zip-absent"]),
    ("unlisted", "unlisted = [\"windows_arm64\"]", &["zip-unlisted"], &["zip-unlisted"]),
    (
        "misnamed",
        "extra = [\"terraform-provider-misnamed_VERSION_windows_arm64.tar.gz\"]",
        &["target-misnamed"],
        &["target-misnamed"],
    ),
    ("lost", "targets = [\"linux_amd64\"]", &["targets-lost"], &[]),
    ("crlf", "sums = \"crlf\"", &["sums-crlf"], &["sums-crlf"]),
    ("blank", "sums = \"blank\"", &["sums-blank-lines"], &["sums-blank-lines"]),
    ("upper", "sums = \"upper\"", &["sums-upper-case"], &["sums-upper-case"]),
    ("own-signature", "sums = \"extra\"", &["sums-list-signature"], &["sums-list-signature"]),
    (
        "binary",
        "sums = \"binary\"",
        &["sums-names", "targets-lost", "zip-unlisted"],
        &["sums-names", "zip-unlisted"],
    ),
    (
        "paths",
        "sums = \"paths\"",
        &["sums-names", "targets-lost", "zip-unlisted"],
        &["sums-names", "zip-unlisted"],
    ),
];

/// Every oddity in the release of that tag: `v1.1.0` is missing, `v1.0.0` is indexed.
fn world(tag: &str) -> String {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for (name, odd, ..) in ODDITIES {
        let odd = odd.replace("VERSION", &tag[1..]);
        let comma = if odd.is_empty() { "" } else { ", " };
        let _ = writeln!(
            text,
            "[[provider]]\naddress = \"acme/{name}\"\ntargets = [\"linux_amd64\", \"windows_amd64\"]\n\
             stored = [\"1.0.0\"]\nreleases = [{{ tag = \"{tag}\"{comma}{odd} }}]"
        );
    }
    text
}

/// What is said of each, by the rules that this is about; others are told elsewhere.
fn check(
    verdicts: &BTreeMap<String, Verdict>,
    version: &str,
    wanted: impl Fn(&Odd) -> &'static [&'static str],
) {
    let mut wrong = Vec::new();
    for odd in &ODDITIES {
        // That archives are not hashed is said of any drift.
        let mut findings = verdicts[&format!("acme/{}", odd.0)].findings.clone();
        findings.retain(|finding| finding.rule != "not-hashed");
        let mut rules: Vec<&str> = findings.iter().map(|finding| &*finding.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        let is_of_it = findings.iter().all(|finding| finding.version.as_deref() == Some(version));
        if rules != wanted(odd) || !is_of_it {
            wrong.push(format!("{}: {findings:?}", odd.0));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn text(verdicts: &BTreeMap<String, Verdict>, name: &str, rule: &str) -> (Severity, String) {
    let findings = &verdicts[&format!("acme/{name}")].findings;
    let finding = findings.iter().find(|finding| finding.rule == rule);
    let finding = finding.unwrap_or_else(|| panic!("{findings:?}"));
    (finding.severity, finding.text.clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_version_says_what_its_release_lacks() {
    let mut stage = Stage::set(&world("v1.1.0")).await;
    let verdicts = stage.steady(Depth::Versions).await;
    check(&verdicts, "1.1.0", |odd| odd.2);
    for (name, rule, severity, said) in [
        (
            "no-manifest",
            "manifest-missing",
            Severity::Note,
            "the release has no manifest: the registry assumes protocol 5.0",
        ),
        (
            "broken-manifest",
            "manifest-invalid",
            Severity::Warning,
            "the manifest cannot be read as JSON: the registry assumes protocol 5.0",
        ),
        (
            "newer-protocol",
            "protocols-changed",
            Severity::Warning,
            "protocols 6.0; the version before has 5.0",
        ),
        (
            "older-protocol",
            "protocols-odd",
            Severity::Warning,
            "the manifest names protocol `4.0`; clients speak 5.x and 6.x",
        ),
        ("lost", "targets-lost", Severity::Warning, "1 platform lost since 1.0.0: windows_amd64"),
        (
            "absent",
            "zip-absent",
            Severity::Warning,
            "SHA256SUMS lists what the release does not have: terraform-provider-absent_1.1.0_windows_arm64.zip",
        ),
        (
            "misnamed",
            "target-misnamed",
            Severity::Warning,
            "expected terraform-provider-misnamed_1.1.0_windows_arm64.zip, found nearest \
             terraform-provider-misnamed_1.1.0_windows_arm64.tar.gz",
        ),
        (
            "unsigned",
            "asset-missing",
            Severity::Note,
            "expected terraform-provider-unsigned_1.1.0_SHA256SUMS.sig, and nothing like it is there",
        ),
        ("crlf", "sums-crlf", Severity::Note, "SHA256SUMS has Windows line ends (CRLF)"),
    ] {
        assert_eq!(text(&verdicts, name, rule), (severity, said.to_owned()), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_indexed_version_says_it_where_its_sums_are_read() {
    let mut stage = Stage::set(&world("v1.0.0")).await;
    // Where nobody reads the sums, nobody tells of them.
    let shallow = stage.steady(Depth::Versions).await;
    check(&shallow, "1.0.0", |_| &[]);
    let verdicts = stage.steady(Depth::Sums).await;
    check(&verdicts, "1.0.0", |odd| odd.3);
    let said =
        "SHA256SUMS does not list what the release has: terraform-provider-unlisted_1.0.0_windows_arm64.zip";
    assert_eq!(text(&verdicts, "unlisted", "zip-unlisted"), (Severity::Warning, said.to_owned()));
}

/// What several versions have alike is one finding, at the newest of them.
#[tokio::test(flavor = "multi_thread")]
async fn what_versions_have_alike_is_told_once() {
    let world = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/crlf\"\ntargets = [\"linux_amd64\"]\n\
                 stored = [\"1.2.0\", \"1.1.0\", \"1.0.0\"]\nreleases = [{ tag = \"v1.2.0\", sums = \"crlf\" }, \
                 { tag = \"v1.1.0\", sums = \"crlf\" }, { tag = \"v1.0.0\", sums = \"crlf\" }]\n";
    let mut stage = Stage::set(world).await;
    let verdict = &stage.steady(Depth::Sums).await["acme/crlf"];
    let told: Vec<(&str, Option<&str>, &str)> = verdict
        .findings
        .iter()
        .map(|finding| (&*finding.rule, finding.version.as_deref(), finding.text.as_str()))
        .collect();
    let said = "SHA256SUMS has Windows line ends (CRLF) (and 2 more versions)";
    assert_eq!(told, [("sums-crlf", Some("1.2.0"), said)]);
}
