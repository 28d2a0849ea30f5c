//! The table of odd upstreams: for each a world, the verdict of every entry, and the registry's bytes after the bump.

use std::fmt::Write;

use bumpdesk::surface::rules::{Depth, Mode, PublishedBy};
use demo::fault::{Fault, FaultKind, Lane};

use super::scene::{after, check_bytes, lines, play};
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn old_line() {
    let verdicts = [
        ("acme/rocket", "missed-old-line 1.4.1=missed-old-line"),
        ("acme/vpc/aws", "missed-old-line v1.0.1=missed-old-line"),
    ];
    play(include_str!("../../scenarios/old-line.toml"), &verdicts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_without_v() {
    let verdicts = [
        ("acme/bare", "behind 1.1.0=behind"),
        ("acme/mixed", "behind 1.2.0=behind 1.1.0=behind"),
        ("acme/bare/aws", "behind v1.2.0=behind 1.1.0=behind"),
        ("acme/both/aws", "behind 1.0.0=behind; twin-differs"),
    ];
    play(include_str!("../../scenarios/tags-without-v.toml"), &verdicts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_with_slash_and_plus() {
    let verdicts =
        [("acme/rocket", "behind 1.1.0+build.7=behind"), ("acme/vpc/aws", "behind v1.0.0+eks=behind")];
    play(include_str!("../../scenarios/odd-tags.toml"), &verdicts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn monorepo() {
    let verdicts = [("acme/all/aws", "current"), ("acme/some/aws", "current")];
    play(include_str!("../../scenarios/monorepo.toml"), &verdicts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prerelease_on_top() {
    let verdicts = [
        ("acme/hidden", "shadowed 3.2.4=shadowed"),
        ("acme/early", "current"),
        ("acme/earlier", "behind 3.2.4-alpha.3=behind"),
        ("acme/hidden/aws", "shadowed v2.0.0=shadowed"),
    ];
    play(include_str!("../../scenarios/prerelease.toml"), &verdicts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moved_still_bumps() {
    let verdicts = [("acme/rocket", "moved 1.1.0=behind"), ("acme/vpc/aws", "moved")];
    let mut stage = play(include_str!("../../scenarios/moved.toml"), &verdicts).await;
    let because = &stage.survey(Depth::Versions).await["acme/vpc/aws"].because;
    assert_eq!(because.text, "acme/terraform-aws-vpc redirects to zenith/terraform-aws-network");
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_blocked_and_emptied() {
    let verdicts = [
        ("acme/gone", "repo-gone"),
        ("acme/gone/aws", "repo-gone"),
        ("acme/taken", "unknown"),
        ("acme/emptied", "gone-upstream 1.1.0=gone-upstream 1.0.0=gone-upstream"),
        ("acme/emptied/aws", "gone-upstream v1.0.0=gone-upstream"),
        ("acme/new/aws", "current"),
    ];
    play(include_str!("../../scenarios/deleted.toml"), &verdicts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn html_in_place_of_a_feed() {
    let verdicts = [
        ("acme/nofeed", "behind 1.1.0=behind; feed-unread"),
        ("acme/notags", "unknown"),
        ("acme/notags/aws", "unknown"),
    ];
    play(include_str!("../../scenarios/html.toml"), &verdicts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twins_share_one_reading() {
    let text = include_str!("../../scenarios/twins.toml");
    let verdicts = [("hashicorp/null", "behind 3.2.4=behind"), ("opentofu/null", "behind 3.2.4=behind")];
    let stage = play(text, &verdicts).await;
    assert_eq!(stage.file("hashicorp/null"), stage.file("opentofu/null"));

    let mut stage = Stage::set(super::scene::before(text)).await;
    stage.survey(Depth::Versions).await;
    let counts = stage.server.counts();
    assert_eq!((counts.of(Lane::Git), counts.of(Lane::Feed)), (1, 1));
    let asked = stage.server.exchanges();
    let git = asked.iter().find(|one| one.lane == Lane::Git).expect("one");
    assert!(git.target.starts_with("/opentofu/terraform-provider-null"), "{}", git.target);
}

/// The name now belongs to somebody else's repository, with a version of its own.
#[tokio::test(flavor = "multi_thread")]
async fn reused_name() {
    let world = r#"
        clock = "2026-11-21T12:00:00Z"
        [[provider]]
        address = "acme/rocket"
        targets = ["linux_amd64"]
        stored = ["1.0.0"]
        repository = { id = 1001 }
    "#;
    let mut stage = Stage::set(world).await;
    let before = stage.file("acme/rocket");
    assert_eq!(lines(&stage.steady(Depth::Versions).await)["acme/rocket"], "current");
    stage.server.edit(|world| {
        let new = demo::World::parse(
            r#"
            clock = "2026-11-21T12:00:00Z"
            [[provider]]
            address = "acme/rocket"
            targets = ["linux_amd64"]
            releases = ["v1.0.0", "v1.1.0"]
            repository = { id = 2002 }
            "#,
        );
        world.repositories = new.expect("a world").repositories;
    });
    let verdicts = stage.steady(Depth::Versions).await;
    assert_eq!(lines(&verdicts)["acme/rocket"], "moved 1.1.0=behind; repository-id-changed");
    let because = &verdicts["acme/rocket"].because;
    assert_eq!(because.text, "acme/terraform-provider-rocket was repository 1001 and is now repository 2002");
    for mode in [Mode::Add, Mode::Refresh(vec!["1.0.0".into()]), Mode::Scratch] {
        let opened = stage.rebuild("acme/rocket", mode).await;
        let proposal = opened.proposal.as_ref().expect("a proposal");
        assert_eq!(String::from_utf8_lossy(&proposal.bytes), before);
        assert!(proposal.findings.iter().any(|finding| finding.rule == "repository-id-changed"));
    }
    assert_eq!(stage.bump().await, [""; 0]);
    // A feed that fails later does not make it forgotten.
    for kind in ["html", "status:429", "status:404"] {
        let kind = FaultKind::try_from(kind.to_owned()).expect("a kind");
        stage.server.edit(|world| world.faults = vec![Fault::new(&[Lane::Feed], kind)]);
        let verdict = &stage.steady(Depth::Versions).await["acme/rocket"];
        assert_eq!(verdict.status.name(), "moved", "{verdict:?}");
        assert_eq!(verdict.because.text, because.text);
        assert_eq!(stage.bump().await, [""; 0]);
    }
    assert_eq!(stage.file("acme/rocket"), before);
}

/// Three hundred tags: far behind what a feed shows, in an order of their own, one by one and all at once.
#[tokio::test(flavor = "multi_thread")]
async fn three_hundred_tags() {
    let version = |n: usize| format!("{}.{}.{}", n / 100, n / 10 % 10, n % 10);
    let found = "discovered = \"2026-11-21T12:00:00Z\"";
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    let tags: Vec<String> = (100..400).map(|n| format!("\"v{}\"", version(n))).collect();
    let _ = writeln!(text, "[[module]]\naddress = \"acme/all/aws\"\ntags = [{}]", tags.join(", "));
    let heads = "[[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\n";
    let stored = |n: &usize| format!("{{ version = \"{}\", published = \"-{}h\" }}", version(*n), 1000 - n);
    let new = |n: usize| n % 20 == 7;
    let old: Vec<String> = (100..400).rev().filter(|n| !new(*n)).map(|n| stored(&n)).collect();
    let releases: Vec<String> = (100..400)
        .filter(|n| new(*n))
        .map(|n| format!("{{ tag = \"v{}\", published = \"-800h\" }}", version(n)))
        .collect();
    let _ = writeln!(text, "{heads}stored = [{}]\nreleases = [{}]", old.join(", "), releases.join(", "));

    text.push_str("\n# after:\nclock = \"2026-11-21T12:00:00Z\"\n");
    let all: Vec<String> =
        (100..400).rev().map(|n| format!("{{ version = \"v{}\", {found} }}", version(n))).collect();
    let _ = writeln!(text, "[[module]]\naddress = \"acme/all/aws\"\nstored = [{}]", all.join(", "));
    let both: Vec<String> = (100..400)
        .rev()
        .map(|n| if new(n) { format!("{{ version = \"{}\", {found} }}", version(n)) } else { stored(&n) })
        .collect();
    let _ = writeln!(text, "{heads}stored = [{}]", both.join(", "));

    let mut stage = Stage::set(super::scene::before(&text)).await;
    let verdicts = stage.steady(Depth::Versions).await;
    let (module, provider) = (&verdicts["acme/all/aws"], &verdicts["acme/rocket"]);
    assert_eq!((module.status.name(), module.missing), ("behind", Some(300)));
    assert_eq!((provider.status.name(), provider.missing), ("missed-old-line", Some(15)));
    assert!(provider.versions.iter().all(|state| state.published_by == Some(PublishedBy::Api)));
    assert_eq!(after(&text).len(), 3);
    check_bytes(&mut stage, &text, verdicts.keys()).await;
}
