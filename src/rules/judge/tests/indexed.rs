//! Indexed versions against their sums of today.

use crate::registry::{Observed, ReleaseFacts, SeenZip, Why};
use crate::rules::judge::tests::{
    TWO, World, ago, check, failed, info, no_sums, provider, provider_with, sum, sums, sums_lines, sums_text,
    zip,
};
use crate::rules::{Depth, Status};

#[test]
fn sums_that_differ() {
    let one = || provider(&["1.0.0"]);
    let zero = "0".repeat(64);
    let changed = info(&[(&zip("1.0.0", TWO[0]), &format!("sha256:{zero}"), 60)]);
    let equal = info(&[(&zip("1.0.0", TWO[0]), &format!("sha256:{}", sum(&zip("1.0.0", TWO[0]))), 60)]);
    let upper = TWO.map(|platform| zip("1.0.0", platform));
    let upper = upper.map(|file| format!("{}  {file}\n", sum(&file).to_uppercase())).concat();
    check(vec![
        ("equal", one().probed("1.0.0", sums("1.0.0", &TWO)), "current by git tags: "),
        (
            "equal digest",
            one().probed("1.0.0", ReleaseFacts { info: equal, ..sums("1.0.0", &TWO) }),
            "current by git tags: ",
        ),
        (
            "other digest",
            one().probed("1.0.0", ReleaseFacts { info: changed, ..sums("1.0.0", &TWO) }),
            "drifted by SHA256SUMS: uploaded 20 days after it was indexed; 1 of 2 stored checksums differ from upstream",
        ),
        (
            "a file no longer listed",
            one().probed("1.0.0", sums("1.0.0", &TWO[..1])),
            "drifted by SHA256SUMS: 1 of 2",
        ),
        ("the same sums in capitals", one().probed("1.0.0", sums_text(&upper)), "current by git tags: "),
    ]);
}

/// A zip that was replaced while its sums were left shows in GitHub's digests alone.
#[test]
fn digests_that_were_not_read_leave_it_unknown() {
    let unread = || failed(Why::Status { status: 500 });
    let one = |platforms: &[&str], info| {
        provider(&["1.0.0"]).probed("1.0.0", ReleaseFacts { info, ..sums("1.0.0", platforms) })
    };
    check(vec![
        (
            "failed",
            one(&TWO, unread()),
            "unknown by releases API: 1.0.0: its asset digests could not be read: it answered HTTP 500",
        ),
        ("without a token", one(&TWO, Observed::Unasked), "current by git tags: "),
        ("what differs all the same", one(&TWO[..1], unread()), "drifted by SHA256SUMS: 1 of 2"),
    ]);
    let partial = provider_with(&[("1.0.0", &TWO[..1])]);
    let partial = partial.probed("1.0.0", ReleaseFacts { info: unread(), ..sums("1.0.0", &TWO) });
    assert_eq!(partial.judge().status, Status::Unknown);
}

/// What the newest version has not, and the one before has; of older versions it is history.
#[test]
fn what_the_newest_version_lost_is_told() {
    let targets: [(&str, &[&str]); 3] = [("1.2.0", &TWO[..1]), ("1.1.0", &TWO), ("1.0.0", &TWO)];
    let mut world = provider_with(&targets);
    for (version, platforms) in targets {
        world = world.probed(version, sums(version, platforms));
    }
    world.file = world.file.replacen("\"5.0\"", "\"6.0\"", 1);
    let verdict = world.judge();
    assert_eq!(verdict.status, Status::Current);
    let told: Vec<String> = verdict
        .findings
        .iter()
        .map(|it| format!("{} {}", it.version.as_deref().unwrap_or(""), it.text))
        .collect();
    assert_eq!(
        told,
        ["1.2.0 protocols 6.0; the version before has 5.0", "1.2.0 1 platform lost since 1.1.0: linux_arm64"]
    );
}

/// What the registry's own tool cannot read is no outage of upstream's: it is said, and nothing is claimed.
#[test]
fn sums_that_are_too_long_are_a_finding() {
    let sums = Observed::Unknown { why: Why::TooLarge { limit_bytes: 32_768 }, at: ago(5) };
    let world = provider(&["1.0.0"]).probed("1.0.0", ReleaseFacts { sums, ..ReleaseFacts::default() });
    let verdict = world.judge();
    assert_eq!((verdict.status, verdict.depth), (Status::Current, Some(Depth::Versions)));
    let [finding] = &verdict.findings[..] else { panic!("{:?}", verdict.findings) };
    assert_eq!((&*finding.rule, finding.version.as_deref()), ("sums-too-long", Some("1.0.0")));
}

/// A version with such sums, and such zips that a verification hashed so many minutes ago.
fn hashed(release: Option<ReleaseFacts>, zips: &[(&str, &str, i64)]) -> World {
    let mut world = provider(&["1.0.0"]);
    world.depth = Depth::Sums;
    let world = match release {
        Some(release) => world.release("v1.0.0", release),
        None => world,
    };
    world.facts(|facts| {
        let zips = zips.iter().map(|(name, sha256, minutes)| {
            let zip =
                SeenZip { sha256: (*sha256).into(), h1: "h1:one".into(), size_bytes: 10, at: ago(*minutes) };
            ((*name).into(), zip)
        });
        facts.zips.insert("v1.0.0".into(), zips.collect());
    })
}

/// The first of the version's targets have the h1 and the size of the zips that were hashed.
fn stores(world: World, count: usize) -> World {
    let file = world.file.replacen(r#""h1":"h1:x","size":9"#, r#""h1":"h1:one","size":10"#, count);
    World { file, ..world }
}

/// Zips that a verification hashed tell the cases of a drift apart.
#[test]
fn hashed_zips_tell_the_cases_of_a_drift_apart() {
    let zero = "0".repeat(64);
    let [first, second] = TWO.map(|platform| zip("1.0.0", platform));
    let (first, second) = (first.as_str(), second.as_str());
    let other = || Some(sums_text(&sums_lines("1.0.0", &zero)));
    let same = || Some(sums("1.0.0", &TWO));
    let own = [sum(first), sum(second)];
    let ones = "1".repeat(64);
    check(vec![
        (
            "all equal",
            stores(hashed(same(), &[(first, &own[0], 5), (second, &own[1], 5)]), 2),
            "current by git tags: ",
        ),
        (
            "nothing hashed",
            hashed(other(), &[]),
            "drifted by SHA256SUMS: 2 of 2 stored checksums differ from upstream",
        ),
        (
            "re-uploaded",
            hashed(other(), &[(first, &zero, 5), (second, &zero, 5)]),
            "drifted by SHA256SUMS: re-uploaded: zips and SHA256SUMS agree with each other; 2 of 2 stored checksums differ from upstream",
        ),
        (
            "sums changed, zips as they were",
            hashed(other(), &[(first, &own[0], 5), (second, &own[1], 5)]),
            "drifted by SHA256SUMS: upstream is broken: SHA256SUMS does not match its own zips; 2 of 2 stored checksums differ from upstream",
        ),
        (
            "sums as they were, one zip changed",
            hashed(same(), &[(first, &ones, 5), (second, &own[1], 5)]),
            "drifted by SHA256SUMS: upstream is broken: SHA256SUMS does not match",
        ),
        (
            "one of each",
            hashed(other(), &[(first, &zero, 5), (second, &own[1], 5)]),
            "drifted by SHA256SUMS: 1 re-uploaded: zips and SHA256SUMS agree with each other; upstream is broken: SHA256SUMS does not match 1 of its own zips; 2 of 2 stored checksums differ from upstream",
        ),
        (
            "one not hashed",
            hashed(other(), &[(first, &zero, 5)]),
            "drifted by SHA256SUMS: 1 re-uploaded: zips and SHA256SUMS agree with each other; 1 not hashed; 2 of 2 stored checksums differ from upstream",
        ),
        (
            "the registry's own fault",
            stores(hashed(other(), &[(first, &zero, 5), (second, &zero, 5)]), 2),
            "drifted by SHA256SUMS: the registry's checksums are wrong: zips and SHA256SUMS agree with each other, and with the \
             stored h1 and size; 2 of 2 stored checksums differ from upstream",
        ),
        (
            "the registry's own fault before the others",
            stores(hashed(other(), &[(first, &zero, 5), (second, &zero, 5)]), 1),
            "drifted by SHA256SUMS: the registry's checksum is wrong in 1: zip and SHA256SUMS agree with each other, and with the \
             stored h1 and size; 1 re-uploaded: ",
        ),
        ("hashed too long ago", hashed(same(), &[(first, &ones, 25 * 60)]), "current by git tags: "),
        (
            "sums never read",
            hashed(None, &[(first, &ones, 5)]),
            "drifted by verified zips: 1 of 2 zips are not those that were indexed",
        ),
    ]);
}

/// OpenTofu 1.12 and later compares the stored size with the download and writes the stored h1 into lock files.
#[test]
fn stored_sizes_and_h1_that_are_not_those_of_the_archives() {
    let [first, second] = TWO.map(|platform| zip("1.0.0", platform));
    let digest = |file: &str| format!("sha256:{}", sum(file));
    // GitHub lists nine bytes for both archives.
    let listed = |digests: [&str; 2]| {
        let info = info(&[(&first, digests[0], 60), (&second, digests[1], 60)]);
        Some(ReleaseFacts { info, ..sums("1.0.0", &TWO) })
    };
    let of = |release: Option<ReleaseFacts>, stored: &str| {
        let world = provider(&["1.0.0"]);
        let file = world.file.replacen("\"size\":9", &format!("\"size\":{stored}"), 1);
        World { file, ..world }.probed("1.0.0", release.unwrap())
    };
    let both = || listed([&digest(&first), &digest(&second)]);
    let long_ago = |release: Option<ReleaseFacts>| {
        let mut release = release.unwrap();
        let Observed::Known { at, .. } = &mut release.info else { panic!("{release:?}") };
        *at = ago(25 * 60);
        Some(release)
    };
    let own = [sum(&first), sum(&second)];
    let seen = [(first.as_str(), &*own[0], 5), (second.as_str(), &*own[1], 5)];
    let half = || stores(hashed(Some(sums("1.0.0", &TWO)), &seen), 1);
    check(vec![
        ("as listed", of(both(), "9"), "current by git tags: "),
        (
            "three bytes more",
            of(both(), "12"),
            "drifted by SHA256SUMS: 1 of 2 stored sizes is not the archive's (linux_amd64: 12, not 9): clients from OpenTofu 1.12 on \
             refuse it",
        ),
        (
            "without digests",
            of(listed(["", ""]), "12"),
            "drifted by SHA256SUMS: 1 of 2 stored sizes is not the archive's (linux_amd64: 12, not 9): ",
        ),
        ("not listed", of(Some(sums("1.0.0", &TWO)), "12"), "current by git tags: "),
        ("listed more than a day ago", of(long_ago(both()), "12"), "current by git tags: "),
        (
            "size and h1 of another archive",
            half(),
            "drifted by SHA256SUMS: 1 of 2 stored sizes is not the archive's (linux_arm64: 9, not 10): clients from OpenTofu 1.12 \
             on refuse it; 1 of 2 stored h1 is not the archive's (linux_arm64): clients write the wrong one into lock files",
        ),
        (
            "the h1 of another archive",
            half().file("\"size\":9", "\"size\":10"),
            "drifted by SHA256SUMS: 1 of 2 stored h1 is not the archive's (linux_arm64): ",
        ),
        (
            "sums never read",
            stores(hashed(None, &seen), 1),
            "drifted by verified zips: 1 of 2 stored sizes is not the archive's",
        ),
    ]);
    // A size that clients refuse because of the data file may have a graver status. The wrong size is still reported.
    for stored in ["0", "1099511627776"] {
        let verdict = of(both(), stored).judge();
        let findings = verdict.findings.iter().map(|finding| finding.text.as_str());
        let texts: Vec<&str> =
            findings.chain(verdict.versions.iter().map(|state| state.reason.as_str())).collect();
        assert!(!verdict.status.is_fine(), "{stored}: {verdict:?}");
        assert!(
            texts.iter().any(|text| text.contains(&format!("({}: {stored}, not 9)", TWO[0]))),
            "{texts:?}"
        );
    }
    // Gaps that a backfill fills in have statuses of their own.
    let unfilled = of(both(), "0").file(r#""h1":"h1:x","size":0"#, r#""h1":"","size":0"#);
    let without = provider(&["1.0.0"]).file(r#","size":9"#, "").probed("1.0.0", both().unwrap());
    for world in [unfilled, without] {
        assert_ne!(world.judge().status, Status::Drifted);
    }
    // If GitHub's digest shows that the archive is the indexed one, the registry's file is wrong.
    let fault = |digests: [&str; 2], stored: &str| of(listed(digests), stored).judge();
    let known = fault([&digest(&first), ""], "12");
    assert_eq!((known.is_own_fault(), known.wants_hashing()), (Some(true), false), "{known:?}");
    let open = fault(["", ""], "12");
    assert_eq!((open.is_own_fault(), open.wants_hashing()), (None, true), "{open:?}");
}

/// What GitHub has named otherwise since is not what was hashed.
#[test]
fn a_zip_that_was_put_back_is_no_drift() {
    let first = zip("1.0.0", TWO[0]);
    let ones = "1".repeat(64);
    let told = |digest: &str, minutes| {
        let info = info(&[(&first, &format!("sha256:{digest}"), 3)]);
        hashed(
            Some(ReleaseFacts { info, ..sums("1.0.0", &TWO) }),
            &[(first.as_str(), ones.as_str(), minutes)],
        )
    };
    let named = info(&[(&first, &format!("sha256:{ones}"), 3)]);
    let as_indexed = hashed(
        Some(ReleaseFacts { info: named, ..sums("1.0.0", &TWO) }),
        &[(first.as_str(), sum(&first).as_str(), 1)],
    );
    assert!(!as_indexed.judge().wants_hashing(), "it was hashed");
    check(vec![
        (
            "GitHub's digest alone differs",
            as_indexed,
            "drifted by SHA256SUMS: GitHub keeps another digest of zips that are as they were indexed; uploaded ",
        ),
        ("put back since", told(&sum(&first), 60), "current by git tags: "),
        ("named before it was hashed", told(&sum(&first), 1), "drifted by SHA256SUMS: uploaded "),
        ("as it was hashed", told(&ones, 60), "drifted by SHA256SUMS: 1 of 2"),
    ]);
}

/// Nobody is asked to mend what he did not do.
#[test]
fn the_author_is_not_blamed_for_what_the_registry_has_wrong() {
    let zero = "0".repeat(64);
    let [first, second] = TWO.map(|platform| zip("1.0.0", platform));
    let other = || Some(sums_text(&sums_lines("1.0.0", &zero)));
    let both = [(first.as_str(), zero.as_str(), 5), (second.as_str(), zero.as_str(), 5)];
    for (world, own_fault, can_do) in [
        (stores(hashed(other(), &both), 2), Some(true), "find the change of the data file"),
        (stores(hashed(other(), &both), 1), Some(false), "ask the author about the others only"),
        (hashed(other(), &both), None, "ask the author for a new version"),
        (hashed(other(), &[(first.as_str(), zero.as_str(), 5)]), None, "ask the author for a new version"),
        (hashed(other(), &[]), None, "verify it first"),
        (provider(&["1.0.0"]), None, ""),
    ] {
        let verdict = world.judge();
        assert_eq!(verdict.is_own_fault(), own_fault, "{verdict:?}");
        assert!(
            verdict.can_do(crate::registry::Kind::Provider).contains(can_do),
            "{}",
            verdict.can_do(crate::registry::Kind::Provider)
        );
        let blames = verdict.can_do(crate::registry::Kind::Provider).contains("ask the author");
        assert!(own_fault != Some(true) || !blames, "{}", verdict.can_do(crate::registry::Kind::Provider));
        assert_eq!(verdict.wants_hashing(), can_do == "verify it first", "{verdict:?}");
    }
}

#[test]
fn sums_and_targets_that_are_gone() {
    let one = || provider(&["1.0.0"]);
    let zero = "0".repeat(64);
    let lost = provider_with(&[("1.1.0", &TWO[..1]), ("1.0.0", &TWO)])
        .probed("1.1.0", sums("1.1.0", &TWO))
        .probed("1.0.0", sums("1.0.0", &TWO));
    let aged = {
        let mut release = sums_text(&sums_lines("1.0.0", &zero));
        if let Observed::Known { at, .. } = &mut release.sums {
            *at = ago(25 * 60);
        }
        release
    };
    check(vec![
        (
            "platforms lost",
            lost,
            "partial by SHA256SUMS: 1.1.0: indexed with 1 of 2 targets, 1 platforms lost since 1.0.0",
        ),
        (
            "drift before partial",
            provider_with(&[("1.0.0", &TWO[..1])]).probed("1.0.0", sums_text(&sums_lines("1.0.0", &zero))),
            "drifted by SHA256SUMS: 1 of 1 stored checksums differ from upstream; partial: 1 of 2 targets",
        ),
        (
            "sums gone",
            one().probed("1.0.0", no_sums(Observed::Unasked)),
            "gone-upstream by SHA256SUMS: its SHA256SUMS is gone",
        ),
        (
            "tag and sums gone",
            one().tags(&[]).probed("1.0.0", no_sums(Observed::Unasked)),
            "gone-upstream by git tags: no tags at all",
        ),
        (
            "drift, ignored",
            one().probed("1.0.0", sums_text(&sums_lines("1.0.0", &zero))).ignores(Some("1.0.0"), 60),
            "current by git tags: ",
        ),
        (
            "sums that an earlier survey read",
            one().release("v1.0.0", sums_text(&sums_lines("1.0.0", &zero))),
            "drifted by SHA256SUMS: 2 of 2",
        ),
        ("sums read too long ago", one().probed("1.0.0", aged), "current by git tags: "),
    ]);
}
