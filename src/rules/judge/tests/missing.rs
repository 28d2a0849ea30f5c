//! Versions that are upstream and not in the file.

use crate::registry::{Observed, ReleaseFacts, Why};
use crate::rules::Status;
use crate::rules::judge::tests::{
    ago, check, failed, info, module, no_sums, provider, sums_lines, sums_text, throttled,
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
        ("shorthand", provider(&["1.0"]), "current by git tags: "),
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

#[test]
fn a_failed_feed_costs_publish_times_alone() {
    let unread = provider(&["1.0.0"]).released("v1.1.0").facts(|facts| {
        facts.feed = failed(throttled());
        facts.first_seen.insert("v1.1.0".into(), ago(5));
    });
    let verdict = unread.judge();
    assert_eq!(verdict.status, Status::Behind);
    assert!(verdict.findings.iter().any(|finding| finding.rule == "feed-unread"));
}
