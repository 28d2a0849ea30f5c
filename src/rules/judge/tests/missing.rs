//! Versions that are upstream and not in the file.

use crate::registry::{ArchiveFault, BrokenArchive, Observed, ReleaseFacts, Why};
use crate::rules::judge::tests::{
    TWO, World, ago, check, failed, info, module, no_sums, provider, sum, sums, sums_lines, sums_text,
    throttled, zip,
};
use crate::settings::Feature;

#[test]
fn decided_and_waiting_versions() {
    let one = || provider(&["1.0.0"]);
    let stranded = |release: ReleaseFacts| one().tagged(&["v1.1.0"]).release("v1.1.0", release);
    check(vec![
        ("blacklisted", one().tagged(&["v1.1.0"]).blocks("1.1.0"), "current by git tags: "),
        ("ignored", stranded(no_sums(Observed::Unasked)).ignores(Some("1.1.0"), 60), "current by git tags: "),
        (
            "ignored as a whole",
            stranded(no_sums(Observed::Unasked)).ignores(None, 60),
            "current by git tags: ",
        ),
        (
            "no longer ignored",
            stranded(no_sums(Observed::Unasked)).ignores(Some("1.1.0"), 0),
            "stranded by SHA256SUMS: ",
        ),
        ("the wait is over", one().released("v1.1.0").errors("1.1.0", &[61, 91]), "behind by git tags: "),
        (
            "the wait is not over",
            one().released("v1.1.0").errors("1.1.0", &[59, 91]),
            "retry-wait by SHA256SUMS: 2026-09-21 12:15Z",
        ),
        (
            "records of another version",
            one().released("v1.1.0").errors("1.2.0", &[1]),
            "behind by git tags: ",
        ),
    ]);
}

/// How often it was tried and when next are fields of the version, and each face adds them to the reason.
#[test]
fn the_reason_of_a_version_that_waits_leaves_its_tries_to_their_fields() {
    let verdict = provider(&["1.0.0"]).released("v1.1.0").errors("1.1.0", &[59, 91]).judge();
    let state = &verdict.versions[0];
    assert_eq!((state.attempts, state.next_try.is_some()), (2, true));
    assert!(!state.reason.contains("failed") && !state.reason.contains("next"), "{}", state.reason);
    let told = &verdict.because.text;
    assert_eq!(
        ["2 failed tries", "next try 2026-09-21 12:15Z"].map(|part| told.matches(part).count()),
        [1, 1],
        "{told}"
    );
}

#[test]
fn releases_that_cannot_be_indexed() {
    let one = || provider(&["1.0.0"]);
    let stranded = |release: ReleaseFacts| one().tagged(&["v1.1.0"]).release("v1.1.0", release);
    let upper = sums_lines("1.1.0", &"AB".repeat(32));
    let no_sum = sums_lines("1.1.0", &"xy".repeat(32));
    let large =
        ReleaseFacts { sums: failed(Why::TooLarge { limit_bytes: 32768 }), ..ReleaseFacts::default() };
    check(vec![
        (
            "no release",
            stranded(no_sums(Observed::Absent { at: ago(5), status: 404 })),
            "stranded by releases API: a tag without a release",
        ),
        (
            "other sums name",
            stranded(no_sums(info(&[("rocket_SHA256SUMS", "", 9), ("rocket_SHA256SUMS.sig", "", 9)]))),
            "stranded by SHA256SUMS: found nearest rocket_SHA256SUMS",
        ),
        (
            "no known zip",
            stranded(sums_text("aa  other.zip\n")),
            "stranded by SHA256SUMS: names no expected file",
        ),
        ("sums over the limit", stranded(large), "stranded by SHA256SUMS: limit of 32768 bytes"),
        ("upper-case sums", stranded(sums_text(&upper)), "stranded by SHA256SUMS: no lower-case SHA-256"),
        (
            "upper-case sums, older format",
            stranded(sums_text(&upper)).without(Feature::TargetHashes),
            "behind by git tags: ",
        ),
        ("no sum", stranded(sums_text(&no_sum)), "stranded by SHA256SUMS: has no SHA-256 for "),
        (
            "no sum, older format",
            stranded(sums_text(&no_sum)).without(Feature::TargetHashes),
            "stranded by SHA256SUMS: has no SHA-256 for ",
        ),
        (
            "fresh and incomplete",
            stranded(no_sums(Observed::Unasked)).feed(&[("v1.1.0", 29)]),
            "pending by git tags: still incomplete",
        ),
    ]);
}

/// A version with an archive that is broken by GitHub's list of assets, or by a rebuild, is not complete.
#[test]
fn a_broken_archive_strands_a_version_before_it_is_indexed() {
    let file = zip("1.1.0", "linux_amd64");
    let good: Vec<String> = TWO.iter().map(|platform| zip("1.1.0", platform)).collect();
    let assets: Vec<(&str, &str, i64)> = good.iter().map(|name| (name.as_str(), "", 90)).collect();
    let with = |assets: &[(&str, &str, i64)]| {
        let release = ReleaseFacts { info: info(assets), ..sums("1.1.0", &TWO) };
        provider(&["1.0.0"]).tagged(&["v1.1.0"]).release("v1.1.0", release)
    };
    let found = |minutes: i64, listed: &str| BrokenArchive {
        file: file.as_str().into(),
        fault: ArchiveFault::Unreadable { why: "not a readable zip".into() },
        listed: listed.into(),
        release_id: None,
        asset_id: None,
        at: ago(minutes),
    };
    let remembers = |broken: BrokenArchive| {
        provider(&["1.0.0"]).released("v1.1.0").facts(|facts| {
            facts.broken.insert("v1.1.0".into(), broken);
        })
    };
    let wrong = format!("sha256:{}", "b".repeat(64));
    let (other, absent) = ([(file.as_str(), wrong.as_str(), 90), assets[0]], &assets[..0]);
    let day = 25 * 60;
    check(vec![
        ("all assets are there", with(&assets), "behind by git tags: "),
        ("an asset is missing", with(absent), "stranded by SHA256SUMS: the release does not have it"),
        ("another digest", with(&other), "stranded by SHA256SUMS: and SHA256SUMS lists "),
        ("older format", with(absent).without(Feature::TargetHashes), "behind by git tags: "),
        (
            "a rebuild found it",
            remembers(found(60, &sum(&file))),
            "stranded by SHA256SUMS: not a readable zip",
        ),
        ("other sums since", remembers(found(60, &"b".repeat(64))), "behind by git tags: "),
        (
            "older format, a rebuild found it",
            remembers(found(60, &sum(&file))).without(Feature::TargetHashes),
            "behind by git tags: ",
        ),
        (
            "fresh and broken",
            remembers(found(5, &sum(&file))).feed(&[("v1.1.0", 20)]),
            "pending by git tags: still incomplete: broken upstream: ",
        ),
    ]);
    // A day later the stored facts have expired, so the archive is not reported as broken.
    let mut old = remembers(found(day, &sum(&file)));
    old.facts.as_mut().unwrap().broken.get_mut("v1.1.0").unwrap().at = ago(day);
    assert_eq!(old.judge().status.name(), "behind");
}

#[test]
fn fresh_versions_and_prereleases() {
    let one = || provider(&["1.0.0"]);
    check(vec![
        ("no longer fresh", one().released("v1.1.0").feed(&[("v1.1.0", 30)]), "behind by git tags: "),
        (
            "first seen just now",
            module(&["v1.0.0"]).tagged(&["v1.1.0"]).facts(|f| {
                f.first_seen.insert("v1.1.0".into(), ago(5));
            }),
            "pending by git tags: ",
        ),
        ("prerelease above its stable", provider(&["1.0.0"]).released("v1.1.0-rc1"), "behind by git tags: "),
        (
            "prerelease on top, older stable missing",
            provider(&["2.0.0-rc1"]).released("v1.9.0"),
            "missed-old-line by git tags: ",
        ),
        (
            "prerelease on top, newer one missing",
            provider(&["2.0.0-rc1"]).released("v2.0.0-rc2"),
            "behind by git tags: ",
        ),
        ("nothing indexed", provider(&[]).released("v1.0.0"), "behind by git tags: nothing is indexed yet"),
    ]);
}

#[test]
fn odd_tags_and_twins() {
    let one = || provider(&["1.0.0"]);
    check(vec![
        (
            "monorepo and odd tags",
            one().tagged(&["sub/v1.1.0", "V2.0.0", "1.2.3.4", "nightly"]),
            "current by git tags: ",
        ),
        ("shorthand", provider(&["1.0"]), "clients-refuse by data file: 1.0: clients refuse every platform"),
        ("bare tag of an indexed provider", one().tagged(&["1.0.0"]), "current by git tags: "),
        (
            "bare twin of a module tag",
            module(&["v1.0.0"]).tagged(&["1.0.0"]),
            "behind by git tags: 1.0.0: complete upstream",
        ),
        (
            "module tag gone, twin left",
            module(&["v1.0.0", "1.0.0"]).tags(&["1.0.0"]),
            "gone-upstream by git tags: v1.0.0: indexed",
        ),
        (
            "graver first",
            provider(&["2.0.0", "1.0.0"]).tags(&["v2.0.0"]).released("v2.1.0"),
            "gone-upstream by git tags: ",
        ),
    ]);
}

/// Whether a version waits for the next bump or was left out depends on its date.
#[test]
fn without_a_feed_a_version_is_dated_by_another_source_or_not_known() {
    let unread = |world: World, seen: Option<i64>| {
        world.facts(|facts| {
            facts.feed = failed(throttled());
            facts.first_seen.extend(seen.map(|minutes| ("v1.1.0".into(), ago(minutes))));
        })
    };
    let released = || provider(&["1.0.0"]).released("v1.1.0");
    let dated = || {
        let zips = TWO.map(|platform| zip("1.1.0", platform));
        let sums = ("terraform-provider-rocket_1.1.0_SHA256SUMS", "", 5);
        let mut info = info(&[sums, (&zips[0], "", 5), (&zips[1], "", 5)]);
        let Observed::Known { value, .. } = &mut info else { panic!("{info:?}") };
        value.published_at = Some(ago(40));
        released().facts(|facts| facts.releases.get_mut("v1.1.0").unwrap().info = info)
    };
    let stranded = || provider(&["1.0.0"]).tagged(&["v1.1.0"]).release("v1.1.0", no_sums(Observed::Unasked));
    let tagged = || module(&["v1.0.0"]).tags(&["v1.0.0", "v1.1.0"]);
    let unknown = "unknown by releases feed: 1.1.0: missing, and its date is not known: \
                   the releases feed could not be read: throttled";
    check(vec![
        ("no date", unread(released(), None), unknown),
        ("seen lately", unread(released(), Some(5)), unknown),
        ("seen before", unread(released(), Some(31)), "behind by git tags: "),
        ("dated by the API", unread(dated(), Some(5)), "behind by git tags: "),
        ("incomplete", unread(stranded(), None), "unknown by releases feed: 1.1.0: missing, and its date"),
        ("a module", unread(tagged(), None), "unknown by releases feed: v1.1.0: missing, and its date"),
        ("a module seen lately", unread(tagged(), Some(5)), "pending by git tags: "),
    ]);
    let verdict = unread(released(), None).judge();
    assert!(verdict.findings.iter().any(|finding| finding.rule == "feed-unread"));
}

#[test]
fn a_manifest_that_cannot_be_read_leaves_a_version_unknown_and_one_that_is_too_long_does_not() {
    let with = |why: Why| {
        let release = ReleaseFacts { manifest: failed(why), ..sums("1.1.0", &TWO) };
        provider(&["1.0.0"]).tagged(&["v1.1.0"]).release("v1.1.0", release)
    };
    check(vec![
        (
            "failed",
            with(Why::Status { status: 500 }),
            "unknown by SHA256SUMS: 1.1.0: missing, and its manifest could not be read: it answered HTTP 500",
        ),
        (
            "too long",
            with(Why::TooLarge { limit_bytes: 32768 }),
            "stranded by SHA256SUMS: 1.1.0: its manifest is not below the registry's limit of 32768 bytes",
        ),
    ]);
}
