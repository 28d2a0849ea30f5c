//! Refusals of a data file change the status. It is never OK, and a misspelt version is never a ghost.

use crate::registry::{Address, Blacklist, Entry, Observed, Shape};
use crate::rules::judge::Case;
use crate::rules::judge::tests::{World, ago, check, now, provider, sums};
use crate::rules::{Depth, Level, Status, Verdict, VersionMark, judge_gated};
use crate::settings::{Feature, Features};

const TWO: [&str; 2] = ["2.5.2", "2.5.1"];

/// A provider with a good version 2.5.2 and a lower version that is stored as given. The tag of the lower version
/// exists upstream.
fn stored_as(version: &str) -> World {
    provider(&TWO).file("\"version\":\"2.5.1\"", &format!("\"version\":\"{version}\""))
}

#[test]
fn p1_no_client_can_read_the_list() {
    for (version, why) in [
        ("v2.5.1", "version `v2.5.1` begins with `v`"),
        ("2.5.1 ", "version `2.5.1 ` has white space around it"),
        ("2.5.1.1", "version `2.5.1.1` has 4 numbers"),
        ("", "version `` is empty"),
        ("latest", "version `latest` is not a version"),
        ("18446744073709551616.0.0", "a number that does not fit into 64 bits"),
    ] {
        let wanted = format!(
            "list-unreadable by data file: no client can read this provider's list: version `{version}`"
        );
        let gone = stored_as(version).facts(|facts| {
            facts.tags = Observed::Absent { at: ago(5), status: 404 };
            facts.feed = Observed::Absent { at: ago(5), status: 404 };
        });
        for world in [
            stored_as(version),
            stored_as(version).depth(Depth::Sums),
            World { facts: None, ..stored_as(version) },
            gone,
        ] {
            let Verdict { status, because, .. } = world.judge();
            let line = format!("{} by {}: {}", status.name(), because.source.name(), because.text);
            assert!(line.starts_with(&wanted), "{line}");
        }
        let verdict = stored_as(version).judge();
        assert!(verdict.because.text.contains(why), "{:?}", verdict.because);
        assert!(verdict.needs_attention() && !verdict.status.is_fine());
        let own: Vec<_> = verdict.versions.iter().filter(|state| state.version == version).collect();
        assert!(
            matches!(own[..], [state] if state.mark == VersionMark::Is(Status::ListUnreadable)),
            "{own:?}"
        );
        let ghosts = verdict.versions.iter().filter(|state| state.status() == Some(Status::GoneUpstream));
        assert_eq!(ghosts.count(), 0, "the version is misspelt, and not gone: {:?}", verdict.versions);
        assert!(
            verdict.findings.iter().all(|finding| finding.rule != "gone-upstream"),
            "{:?}",
            verdict.findings
        );
    }
}

/// The feed gate skips upstream for this entry, but the file is checked.
#[test]
fn p1_the_feed_gate_hides_no_refusal() {
    let judged = |world: &World, with_entry: bool| {
        let shape = Shape::parse(world.address.kind(), world.file.as_bytes());
        let entry = Entry::read(world.address.kind(), world.file.as_bytes()).unwrap().1;
        let facts = world.facts.clone().unwrap();
        let case = Case {
            address: &Address::provider("acme", "rocket"),
            shape: &shape,
            entry: Some(&entry).filter(|_| with_entry),
            facts: Some(&facts),
            keys: None,
            blacklist: &Blacklist::parse(b"{}").unwrap(),
            decisions: &[],
            features: Features::default(),
            depth: Depth::Versions,
            now: now().into(),
        };
        judge_gated(&case, &facts).status
    };
    assert_eq!(judged(&provider(&TWO), true), Status::Current);
    assert_eq!(judged(&stored_as("v2.5.1"), true), Status::ListUnreadable);
    assert_eq!(judged(&stored_as("v2.5.1"), false), Status::ListUnreadable);
    let empty = provider(&["1.0.0"]).file("\"size\":9", "\"size\":0");
    assert_eq!(judged(&empty, true), Status::SizeMissing);
}

/// A file with one version, in which one text is replaced.
fn changed(from: &str, to: &str) -> World {
    provider(&["1.0.0"]).file(from, to)
}

#[test]
fn p6_clients_refuse_a_version() {
    check(vec![
        (
            "size 0",
            changed("\"size\":9", "\"size\":0"),
            "size-missing by data file: 1.0.0: OpenTofu clients from 1.12 on refuse linux_amd64 and 1 more",
        ),
        (
            "size 2^40",
            changed("\"size\":9", "\"size\":1099511627776"),
            "clients-refuse by data file: GitHub takes no file so large",
        ),
        (
            "an h1 without a scheme",
            changed("\"h1:x\"", "\"x\""),
            "clients-refuse by data file: 1.0.0: OpenTofu clients from 1.12 on refuse every platform of it",
        ),
        (
            "a protocol that is none",
            changed("\"5.0\"", "\"six\""),
            "clients-refuse by data file: 1.0.0: clients refuse every platform of it: protocols six",
        ),
        (
            "an archive by FTP",
            changed("\"download_url\":\"https", "\"download_url\":\"ftp"),
            "clients-refuse by data file: download URL",
        ),
        (
            "no checksum",
            changed("\"shasum\":\"", "\"shasum\":\"x"),
            "clients-refuse by data file: is not a SHA-256",
        ),
        (
            "another spelling",
            provider(&["1.0.0"]).tags(&["v01.0.0"]).file("\"version\":\"1.0.0\"", "\"version\":\"01.0.0\""),
            "clients-refuse by data file: clients take `01.0.0` for 1.0.0",
        ),
        // An older format has no such fields and serves none.
        (
            "fields that are not served",
            changed("\"size\":9", "\"size\":0").without(Feature::TargetHashes),
            "current by git tags: ",
        ),
        // The entry was not checked, so no other state is known.
        (
            "never asked",
            World { facts: None, ..changed("\"size\":9", "\"size\":0") },
            "unknown by git tags: ",
        ),
    ]);
    let unknown = World { facts: None, ..changed("\"size\":9", "\"size\":0") }.judge();
    assert!(unknown.findings.iter().any(|finding| finding.rule == "size-missing"), "{:?}", unknown.findings);
}

/// Clients refuse a version with a stored size of 0. A file of an older format has no size, and breaks nothing.
#[test]
fn a_size_of_0_is_graver_than_no_hashes() {
    let both = "\"h1\":\"h1:x\",\"size\":9";
    for (to, status, level) in [
        ("\"h1\":\"h1:x\",\"size\":0", Status::SizeMissing, Level::Act),
        ("\"h1\":\"h1:x\"", Status::H1Missing, Level::Wait),
        ("\"size\":9", Status::H1Missing, Level::Wait),
        ("\"other\":9", Status::H1Missing, Level::Wait),
    ] {
        let verdict = changed(both, to).judge();
        assert_eq!((verdict.status, verdict.level()), (status, level), "{to}: {:?}", verdict.because);
    }
}

/// The graver state is the state of the version, and the other one is not lost.
#[test]
fn a_refusal_beside_other_states() {
    let rules = |verdict: &Verdict| -> Vec<String> {
        verdict.findings.iter().map(|finding| finding.rule.to_string()).collect()
    };
    let ghost = changed("\"size\":9", "\"size\":0").tags(&["v0.9.0-bad..tag"]).judge();
    assert_eq!(ghost.status, Status::GoneUpstream);
    assert!(rules(&ghost).contains(&"size-missing".to_owned()), "{ghost:#?}");
    let behind = changed("\"5.0\"", "\"six\"").released("v1.1.0").judge();
    assert_eq!(behind.status, Status::ClientsRefuse);
    assert_eq!(behind.versions.len(), 2, "{behind:#?}");
    let several = provider(&["1.1.0", "1.0.0"]).file("\"5.0\"", "\"six\"").judge();
    assert!(several.because.text.ends_with(" (and 1 more version)"), "{:?}", several.because);
    let ignored = changed("\"5.0\"", "\"six\"").ignores(Some("1.0.0"), 60).judge();
    assert_eq!((ignored.status, ignored.versions[0].mark), (Status::Current, VersionMark::Ignored));
    // The checksums are the stored ones, so nothing else is wrong with the file.
    let deep = changed("\"size\":9", "\"size\":0")
        .depth(Depth::Sums)
        .release("v1.0.0", sums("1.0.0", &["linux_amd64", "linux_arm64"]))
        .judge();
    assert_eq!(deep.status, Status::SizeMissing, "{deep:#?}");
}
