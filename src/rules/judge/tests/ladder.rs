//! Every rung of the ladder, and what must never look fine.

use crate::registry::{Blacklist, Feed, Moved, Observed, ReleaseFacts, Shape, Tags};
use crate::rules::judge::Case;
use crate::rules::judge::tests::{
    TWO, World, ago, check, failed, known, module, no_sums, now, provider, sums, sums_lines, sums_text,
    tags_of, throttled,
};
use crate::rules::{Depth, Source, Status, VersionMark, judge};
use crate::settings::Features;

#[test]
fn the_upper_rungs_of_the_ladder() {
    let one = || provider(&["1.0.0"]);
    let gone =
        |feed| one().facts(|f| (f.tags, f.feed) = (Observed::Absent { at: ago(5), status: 404 }, feed));
    let old_sums = "0".repeat(64);
    check(vec![
        ("never asked", World { facts: None, ..one() }, "unknown by git tags: not checked yet"),
        (
            "gone",
            gone(Observed::Absent { at: ago(5), status: 404 }),
            "repo-gone by git tags: acme/terraform-provider-rocket answers 404",
        ),
        (
            "gone for git alone",
            gone(known(Feed::default())),
            "unknown by git tags: acme/terraform-provider-rocket answers 404 to git, though its releases feed is there",
        ),
        (
            "gone, and the feed failed",
            gone(failed(throttled())),
            "unknown by git tags: answers 404 to git, and its releases feed could not be asked",
        ),
        (
            "gone since the feed was read",
            gone(Observed::Known { value: Feed::default(), at: ago(6) }),
            "repo-gone by git tags: ",
        ),
        (
            "moved",
            one().facts(|f| {
                f.tags = known(Tags {
                    moved: Some(Moved { owner: "new".into(), name: "x".into() }),
                    ..tags_of(&["v1.0.0"])
                });
            }),
            "moved by git tags: redirects to new/x",
        ),
        (
            "ghost",
            one().tags(&["v0.9.0-bad..tag"]),
            "gone-upstream by git tags: 1.0.0: indexed, but its tag is gone",
        ),
        (
            "drift",
            one().probed("1.0.0", sums_text(&sums_lines("1.0.0", &old_sums))),
            "drifted by SHA256SUMS: 2 of 2 stored checksums differ",
        ),
        (
            "partial",
            one().probed("1.0.0", sums("1.0.0", &["linux_amd64", "linux_arm64", "darwin_arm64"])),
            "partial by SHA256SUMS: indexed with 2 of 3 targets",
        ),
        (
            "back-off",
            one().released("v1.1.0").errors("1.1.0", &[10]),
            "retry-wait by SHA256SUMS: 1.1.0: complete upstream now; last tried on 2026-09-21 11:50Z; 1 failed try; next try 2026-09-21 12:30Z",
        ),
    ]);
}

#[test]
fn the_lower_rungs_of_the_ladder() {
    let one = || provider(&["1.0.0"]);
    check(vec![
        (
            "stranded",
            one().tagged(&["v1.1.0"]).release("v1.1.0", no_sums(Observed::Unasked)),
            "stranded by SHA256SUMS: expected terraform-provider-rocket_1.1.0_SHA256SUMS",
        ),
        (
            "shadowed",
            provider(&["2.0.0-rc1", "1.0.0"]).released("v2.0.0"),
            "shadowed by git tags: hidden by the indexed prerelease 2.0.0-rc1",
        ),
        (
            "missed",
            provider(&["2.0.0", "1.0.0"]).released("v1.0.1"),
            "missed-old-line by git tags: below the highest indexed 2.0.0",
        ),
        ("behind", one().released("v1.1.0"), "behind by git tags: above the highest indexed 1.0.0"),
        (
            "pending",
            one().released("v1.1.0").feed(&[("v1.1.0", 10)]),
            "pending by git tags: less than 30 minutes ago",
        ),
        ("no hashes", one().file("h1:x", ""), "h1-missing by data file: 2 of 2 targets have no h1 or size"),
        ("fine", one(), "current by git tags: the one version has its tag"),
    ]);
}

#[test]
fn unread_tags_are_unknown() {
    let one = || provider(&["1.0.0"]);
    let stale = |minutes: i64| {
        one().facts(|f| f.tags = Observed::Known { value: tags_of(&["v1.0.0"]), at: ago(minutes) })
    };
    check(vec![
        (
            "throttled tags",
            one().facts(|f| f.tags = failed(throttled())),
            "unknown by git tags: could not be read: throttled",
        ),
        (
            "tags never asked",
            one().facts(|f| f.tags = Observed::Unasked),
            "unknown by git tags: not checked yet",
        ),
        ("a day old", stale(24 * 60), "current by git tags: the one"),
        ("over a day old", stale(24 * 60 + 1), "unknown by git tags: more than 24 h ago"),
        (
            "over a day gone",
            one().facts(|f| f.tags = Observed::Absent { at: ago(1500), status: 404 }),
            "unknown by git tags: more than 24 h",
        ),
    ]);
    // What was asked in vain was not checked.
    let verdict = one().facts(|f| f.tags = failed(throttled())).judge();
    assert_eq!((verdict.checked_at, verdict.because.at), (None, Some(ago(5))));
}

/// A count of `0` would mean that nothing is missing.
#[test]
fn the_count_of_missing_versions_is_known_or_none() {
    let one = || provider(&["1.0.0"]);
    let stale = Observed::Known { value: tags_of(&["v1.0.0"]), at: ago(25 * 60) };
    let gone: Observed<Tags> = Observed::Absent { at: ago(5), status: 404 };
    let no_feed = Observed::Absent { at: ago(5), status: 404 };
    let (shallow, unknown) = (Some(Depth::Versions), None);
    for (name, world, missing, depth) in [
        ("nothing missing", one(), Some(0), shallow),
        ("one missing", one().released("v1.1.0"), Some(1), shallow),
        ("gone", one().facts(|f| (f.tags, f.feed) = (gone, no_feed)), Some(0), shallow),
        ("never asked", one().facts(|f| f.tags = Observed::Unasked), None, unknown),
        ("not read", one().facts(|f| f.tags = failed(throttled())), None, unknown),
        ("too old", one().facts(|f| f.tags = stale), None, unknown),
        ("broken file", one().file("\"versions\"", "versions"), None, unknown),
        ("one of two unread", one().tagged(&["v1.1.0"]).released("v1.2.0"), None, shallow),
        (
            "sums of an indexed version unread",
            one().probed("1.0.0", ReleaseFacts { sums: failed(throttled()), ..ReleaseFacts::default() }),
            Some(0),
            // The survey reached this depth. A source that could not be read is a state of its own.
            Some(Depth::Sums),
        ),
    ] {
        let verdict = world.judge();
        assert_eq!((verdict.missing, verdict.depth), (missing, depth), "{name}: {}", verdict.because.text);
    }
}

#[test]
fn unread_sums_are_unknown() {
    let one = || provider(&["1.0.0"]);
    let unread = |release: ReleaseFacts| one().tagged(&["v1.1.0"]).release("v1.1.0", release);
    let aged = {
        let mut release = sums("1.1.0", &TWO);
        if let Observed::Known { at, .. } = &mut release.sums {
            *at = ago(25 * 60);
        }
        release
    };
    check(vec![
        ("missing, not probed", one().tagged(&["v1.1.0"]), "unknown by SHA256SUMS: not looked at yet"),
        (
            "throttled sums",
            unread(ReleaseFacts { sums: failed(throttled()), ..sums("1.1.0", &TWO) }),
            "unknown by SHA256SUMS: throttled",
        ),
        (
            "throttled manifest",
            unread(ReleaseFacts { manifest: failed(throttled()), ..sums("1.1.0", &TWO) }),
            "unknown by SHA256SUMS: its manifest",
        ),
        ("old sums", unread(aged), "unknown by SHA256SUMS: more than 24 h ago"),
        (
            "throttled sums of an indexed version",
            one().probed("1.0.0", ReleaseFacts { sums: failed(throttled()), ..ReleaseFacts::default() }),
            "unknown by SHA256SUMS: 1.0.0: its checksums could not be read: throttled",
        ),
        ("broken file", one().file("\"versions\"", "versions"), "unknown by data file: broken JSON at 1:2"),
    ]);
}

#[test]
fn the_word_says_how_deep_it_looked() {
    let both = || provider(&["1.1.0", "1.0.0"]).probed("1.1.0", sums("1.1.0", &TWO));
    let cases = [
        (provider(&["1.0.0"]), "OK (versions)"),
        (both(), "OK (versions)"),
        (both().probed("1.0.0", sums("1.0.0", &TWO)), "OK"),
        (both().probed("1.0.0", sums("1.0.0", &TWO)).depth(Depth::Versions), "OK"),
        (module(&["v1.0.0"]).depth(Depth::Sums), "OK"),
        (provider(&["1.0.0"]).released("v1.1.0"), "BEHIND"),
    ];
    for (world, word) in cases {
        assert_eq!(world.judge().word(), word);
    }
    // Without the parsed file nothing was compared.
    let world = provider(&["1.0.0"]).depth(Depth::Sums);
    let shape = Shape::parse(world.address.kind(), world.file.as_bytes());
    let case = Case {
        address: &world.address,
        shape: &shape,
        entry: None,
        facts: world.facts.as_ref(),
        keys: None,
        blacklist: &Blacklist::default(),
        decisions: &[],
        features: Features::default(),
        depth: Depth::Sums,
        now: now().into(),
    };
    assert_eq!(judge(&case).word(), "OK (versions)");
}

#[test]
fn a_name_that_was_used_again() {
    let reused = provider(&["1.0.0"])
        .tagged(&["v1.1.0"])
        .feed(&[("v1.1.0", 10)])
        .facts(|facts| facts.first_repository_id = Some(3));
    let verdict = reused.judge();
    // Its missing version is never probed: that must not turn the answer into UNKNOWN.
    assert_eq!((verdict.status, verdict.because.source), (Status::Moved, Source::Feed));
    assert!(verdict.because.text.contains("was repository 3 and is now repository 7"));
    assert!(verdict.findings.iter().any(|finding| finding.rule == "repository-id-changed"));
    let renamed = provider(&["1.0.0"])
        .released("v1.1.0")
        .facts(|facts| {
            let Observed::Known { value, .. } = &mut facts.tags else { unreachable!() };
            value.moved = Some(Moved { owner: "new".into(), name: "x".into() });
        })
        .judge();
    assert_eq!((renamed.status, renamed.missing), (Status::Moved, Some(1)));
}

#[test]
fn an_empty_repository_is_ghost_for_all() {
    let verdict = provider(&["1.1.0", "1.0.0"]).tags(&[]).judge();
    assert_eq!(verdict.status, Status::GoneUpstream);
    assert_eq!(verdict.versions.len(), 2);
    assert!(verdict.because.text.ends_with("(and 1 more)"), "{}", verdict.because.text);
    // Tag and sums gone is one gone version, not two.
    let both = provider(&["1.0.0"]).tags(&[]).probed("1.0.0", no_sums(Observed::Unasked)).judge();
    assert_eq!(both.versions.len(), 1);
}

#[test]
fn states_of_versions() {
    let verdict = provider(&["2.0.0"])
        .released("v2.1.0")
        .tagged(&["v2.2.0", "v2.3.0", "v2.4.0"])
        .release("v2.2.0", no_sums(Observed::Unasked))
        .release("v2.4.0", sums("2.4.0", &TWO[..1]))
        .blocks("2.3.0")
        .ignores(Some("2.4.0"), 60)
        .feed(&[("v2.1.0", 600)])
        .judge();
    let states: Vec<(&str, VersionMark, Option<u32>)> =
        verdict.versions.iter().map(|state| (state.version.as_str(), state.mark, state.targets)).collect();
    assert_eq!(
        states,
        [
            ("2.4.0", VersionMark::Ignored, Some(1)),
            ("2.3.0", VersionMark::Blocked, None),
            ("2.2.0", VersionMark::Is(Status::Stranded), None),
            ("2.1.0", VersionMark::Is(Status::Behind), Some(2)),
        ]
    );
    assert_eq!((verdict.status, verdict.missing), (Status::Stranded, Some(1)));
    assert_eq!(verdict.highest_indexed.as_deref(), Some("2.0.0"));
    assert_eq!(verdict.highest_upstream.as_deref(), Some("2.4.0"));
    assert_eq!(verdict.since, Some(ago(600)));
    // A graver status hides no lesser one.
    let hidden = provider(&["2.0.0", "1.0.0"])
        .tags(&["v2.0.0", "v2.1.0"])
        .release("v2.1.0", no_sums(Observed::Unasked))
        .judge();
    assert_eq!(hidden.status, Status::GoneUpstream);
    assert!(hidden.findings.iter().any(|f| f.rule == "stranded" && f.version.as_deref() == Some("2.1.0")));
}

/// What is said of a version that is left out, and of what was not compared.
#[test]
fn fine_claims_no_more_than_was_checked() {
    let plain = provider(&["6.1.0"]).tags(&["v6.1.0"]).judge();
    assert_eq!(
        (plain.status, plain.means(crate::registry::Kind::Provider)),
        (Status::Current, "every upstream version is indexed; checksums not compared")
    );
    let blocked = provider(&["6.1.0"]).tags(&["v6.1.0", "v6.2.0"]).blocks("6.2.0").judge();
    assert_eq!(
        (blocked.status, blocked.means(crate::registry::Kind::Provider)),
        (Status::Current, "every upstream version is indexed, blocked or ignored; checksums not compared")
    );
    let compared = crate::rules::Verdict { depth: Some(Depth::Sums), ..blocked.clone() };
    let means =
        "every upstream version is indexed, blocked or ignored; where checksums were compared, none differs";
    assert_eq!(compared.means(crate::registry::Kind::Provider), means);
    let why = "the one version has its tag; 6.2.0 is blocked, no other missing";
    assert_eq!(blocked.because.text, why);
}
