//! Compares tags of modules with the recorded commits.

use crate::registry::{Entry, Facts, Feed, Kind, Observed, Tag, Tags};
use crate::rules::judge::tests::{World, ago, known, module};
use crate::rules::judge::{ALL_MOVED, all_tags_moved};
use crate::rules::{Depth, Source, Status, Verdict, VersionMark};

const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
const D: &str = "dddddddddddddddddddddddddddddddddddddddd";
const MOVED: &str = "tag moved: commit aaaaaaa → ddddddd";

/// The versions of a file, each with its recorded commit.
type Stored<'a> = &'a [(&'a str, &'a str)];
/// A tag upstream: its name, its id, and the commit that it points to.
type Found<'a> = (&'a str, &'a str, Option<&'a str>);

/// A module whose file records these commits (an empty text for none), and whose repository has these tags.
fn tagged(stored: Stored<'_>, tags: &[Found<'_>]) -> World {
    let versions: Vec<String> = stored
        .iter()
        .map(|(version, commit)| format!(r#"{{"version":"{version}","commit":"{commit}"}}"#))
        .collect();
    let tag = |(name, oid, peeled): &Found<'_>| Tag {
        name: (*name).into(),
        oid: (*oid).into(),
        peeled: peeled.map(Into::into),
    };
    let mut world = module(&[]);
    world.file = format!(r#"{{"versions":[{}]}}"#, versions.join(","));
    let list = tags.iter().map(tag).collect();
    world.facts = Some(Facts {
        tags: known(Tags { list, moved: None }),
        feed: known(Feed::default()),
        ..Facts::default()
    });
    world
}

fn drifted(verdict: &Verdict) -> Vec<(&str, &str)> {
    let is_drift = |mark| mark == VersionMark::Is(Status::Drifted);
    let states = verdict.versions.iter().filter(|state| is_drift(state.mark));
    states.map(|state| (&*state.version, &*state.reason)).collect()
}

/// P5: the cheapest depth that reads tags shows a moved tag, and the deepest one shows the same.
#[test]
fn p5_a_tag_that_moved_is_drift_at_every_depth() {
    let is_at = |name, oid| (name, oid, None);
    let cases: [(&str, Stored<'_>, Vec<Found<'_>>, &[&str]); 9] = [
        ("the one version", &[("v1.0.0", A)], vec![is_at("v1.0.0", D)], &["v1.0.0"]),
        (
            "one of three",
            &[("v1.2.0", B), ("v1.1.0", A), ("v1.0.0", B)],
            vec![is_at("v1.0.0", B), is_at("v1.1.0", D), is_at("v1.2.0", B)],
            &["v1.1.0"],
        ),
        (
            "all",
            &[("v1.1.0", A), ("v1.0.0", A)],
            vec![is_at("v1.0.0", D), is_at("v1.1.0", D)],
            &["v1.1.0", "v1.0.0"],
        ),
        ("without v", &[("1.0.0", A)], vec![is_at("1.0.0", D)], &["1.0.0"]),
        ("a prerelease", &[("v1.0.0-rc.1", A)], vec![is_at("v1.0.0-rc.1", D)], &["v1.0.0-rc.1"]),
        ("build metadata", &[("v1.0.0+b", A)], vec![is_at("v1.0.0+b", D)], &["v1.0.0+b"]),
        ("an annotated tag at another commit", &[("v1.0.0", A)], vec![("v1.0.0", B, Some(D))], &["v1.0.0"]),
        (
            "a tag that moves with each release",
            &[("v1", A), ("v1.2", A)],
            vec![is_at("v1", D), is_at("v1.2", D)],
            &[],
        ),
        (
            "capitals in the id are no move",
            &[("v1.0.0", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")],
            vec![is_at("v1.0.0", A)],
            &[],
        ),
    ];
    for (name, stored, tags, moved) in cases {
        for depth in [Depth::Versions, Depth::Sums] {
            let verdict = tagged(stored, &tags).depth(depth).judge();
            let expected: Vec<(&str, &str)> = moved.iter().map(|version| (*version, MOVED)).collect();
            assert_eq!(drifted(&verdict), expected, "{name}");
            if moved.is_empty() {
                assert_eq!(verdict.status, Status::Current, "{name}");
                continue;
            }
            assert_eq!((verdict.status, verdict.because.source), (Status::Drifted, Source::Tags), "{name}");
            assert_eq!(verdict.because.at, Some(ago(5)), "{name}");
            assert!(verdict.because.text.contains(MOVED), "{name}: {:?}", verdict.because);
            let means = "a tag no longer points to the commit that was indexed";
            assert_eq!(verdict.means(Kind::Module), means, "{name}");
            assert!(
                !verdict.status.words_for(Kind::Module).if_left.contains("checksum")
                    && !verdict.can_do(Kind::Module).contains("checksum")
            );
            assert!(verdict.findings.iter().any(|finding| finding.rule == "tag-moved"
                && finding.text.contains(A)
                && finding.text.contains(D)));
        }
    }
}

/// The tag of a twin is another tag. Only the listed one is compared.
#[test]
fn p5_a_twin_is_compared_with_its_own_tag() {
    let tags = |listed, twin| [("1.0.0", twin, None), ("v1.0.0", listed, None)];
    let unmoved = tagged(&[("v1.0.0", A)], &tags(A, D)).judge();
    assert!(drifted(&unmoved).is_empty(), "{:?}", unmoved.versions);
    let moved = tagged(&[("v1.0.0", A)], &tags(D, A)).judge();
    assert_eq!(drifted(&moved), [("v1.0.0", MOVED)]);
}

/// The registry records the id of an annotated tag itself. A file may also contain the commit that the tag points to.
#[test]
fn p5_an_annotated_tag_is_at_its_own_id_and_at_its_commit() {
    for recorded in [A, B] {
        let verdict = tagged(&[("v1.0.0", recorded)], &[("v1.0.0", A, Some(B))]).judge();
        assert_eq!((verdict.status, drifted(&verdict)), (Status::Current, vec![]), "{recorded}");
    }
    // The tag was replaced by a plain one.
    let verdict = tagged(&[("v1.0.0", A)], &[("v1.0.0", D, None)]).judge();
    assert_eq!(drifted(&verdict), [("v1.0.0", MOVED)]);
}

/// Nothing is reported about a tag without a recorded commit.
#[test]
fn p5_tags_without_a_recorded_commit_are_not_known() {
    let tags = [("v1.1.0", A, None), ("v1.0.0", A, None)];
    let cases: [(Stored<'_>, &str, &str); 3] = [
        (
            &[("v1.1.0", ""), ("v1.0.0", "")],
            "every upstream version is indexed; whether its tags have moved is not known",
            "no commit is recorded, so whether a tag has moved is not known",
        ),
        (
            &[("v1.1.0", A), ("v1.0.0", "")],
            "every upstream version is indexed; no tag with a recorded commit has moved",
            "; 1 tag not compared with a commit",
        ),
        (
            &[("v1.1.0", A), ("v1.0.0", A)],
            "every upstream version is indexed; no tag with a recorded commit has moved",
            "none missing",
        ),
    ];
    for (stored, means, because) in cases {
        for depth in [Depth::Versions, Depth::Sums] {
            let verdict = tagged(stored, &tags).depth(depth).judge();
            assert_eq!((verdict.status, verdict.means(Kind::Module)), (Status::Current, means));
            assert!(verdict.because.text.ends_with(because), "{}", verdict.because.text);
            assert!(!verdict.means(Kind::Module).contains("checksums"));
        }
    }
    // The oldest format has no such field.
    let old = module(&["v1.0.0"]).depth(Depth::Sums).judge();
    assert_eq!((old.status, old.means(Kind::Module)), (Status::Current, cases[0].1));
}

/// Tags that were read before the version was indexed are older than its commit.
#[test]
fn p5_a_commit_that_is_newer_than_the_tags_is_not_known() {
    for (minutes, is_moved) in [(10, true), (1, false)] {
        let discovered = format!(r#""commit":"{A}","discovered":"{}""#, ago(minutes));
        let world = tagged(&[("v1.0.0", A)], &[("v1.0.0", D, None)]);
        let verdict = world.file(&format!(r#""commit":"{A}""#), &discovered).judge();
        assert_eq!(verdict.status.is_drift(), is_moved, "{minutes}");
    }
}

#[test]
fn p5_an_ignored_move_is_not_called_unmoved() {
    let world = tagged(&[("v1.0.0", A)], &[("v1.0.0", D, None)]).ignores(Some("v1.0.0"), 60);
    let verdict = world.judge();
    let means = "every upstream version is indexed, blocked or ignored; a tag that has moved is ignored";
    assert_eq!((verdict.status, verdict.means(Kind::Module)), (Status::Current, means));
}

/// The alarm needs at least two comparable tags, and none of them unmoved.
#[test]
fn p5_all_tags_at_once_are_an_alarm() {
    let tags = [("v1.2.0", D, None), ("v1.1.0", D, None), ("v1.0.0", D, None)];
    let cases: [(&str, Stored<'_>, bool); 6] = [
        ("all three", &[("v1.2.0", A), ("v1.1.0", B), ("v1.0.0", A)], true),
        ("the only one", &[("v1.0.0", A)], false),
        ("one stayed", &[("v1.2.0", D), ("v1.1.0", B), ("v1.0.0", A)], false),
        ("one is not known", &[("v1.2.0", ""), ("v1.1.0", B), ("v1.0.0", A)], true),
        ("one is gone", &[("v2.0.0", A), ("v1.1.0", B), ("v1.0.0", A)], true),
        ("one known", &[("v1.2.0", ""), ("v1.1.0", ""), ("v1.0.0", A)], false),
    ];
    for (name, stored, is_alarm) in cases {
        let world = tagged(stored, &tags);
        let verdict = world.judge();
        let alarm = verdict.findings.iter().find(|finding| finding.rule == ALL_MOVED);
        assert_eq!(alarm.is_some(), is_alarm, "{name}");
        let entry = Entry::read(Kind::Module, world.file.as_bytes()).unwrap().1;
        let Some(Observed::Known { value, at }) = world.facts.as_ref().map(|facts| &facts.tags) else {
            unreachable!()
        };
        // `lint` reports the same from the facts of a survey.
        assert_eq!(all_tags_moved(entry.as_module().unwrap(), value, *at).as_ref(), alarm, "{name}");
        if let Some(alarm) = alarm {
            assert!(alarm.text.starts_with("all ") && alarm.text.contains("as read on"), "{}", alarm.text);
            assert_eq!(alarm.severity, crate::rules::Severity::Error);
        }
    }
}

/// P4: the entry has a finding, with the commits, about what a bump would change for clients.
#[test]
fn p4_a_missing_twin_is_reported_with_its_commits() {
    let twins_of = |world: World| {
        let verdict = world.judge();
        let findings = verdict.findings.iter().filter(|finding| finding.rule.starts_with("twin-"));
        let texts = findings.map(|finding| format!("{}: {}", finding.severity.name(), finding.text));
        (verdict.status, texts.collect::<Vec<_>>())
    };
    let takes = "warning: v2.2.0 takes the place of 2.2.0 for clients: commit aaaaaaa becomes bbbbbbb";
    let tags = [("2.2.0", A, None), ("v2.2.0", B, None)];
    let (status, found) = twins_of(tagged(&[("2.2.0", A)], &tags));
    assert_eq!(found, [takes], "{status:?}");
    assert!(status.row().missing);
    let same = [("2.2.0", A, None), ("v2.2.0", A, None)];
    let (_, found) = twins_of(tagged(&[("2.2.0", A)], &same));
    assert_eq!(found, ["note: v2.2.0 takes the place of 2.2.0 for clients, at the same commit aaaaaaa"]);
    // Annotated tags of one commit have ids of their own.
    let annotated = [("2.2.0", A, Some(D)), ("v2.2.0", B, Some(D))];
    let (_, found) = twins_of(tagged(&[("2.2.0", A)], &annotated));
    assert_eq!(found, ["note: v2.2.0 takes the place of 2.2.0 for clients, at the same commit ddddddd"]);
    let (_, found) = twins_of(tagged(&[("2.2.0", "")], &tags));
    assert!(found[0].ends_with("whether it is the same content is not known"), "{found:?}");
    let first = [("2.2.0", B, None), ("v2.2.0", A, None)];
    let (_, found) = twins_of(tagged(&[("v2.2.0", A)], &first));
    assert_eq!(
        found,
        ["warning: 2.2.0 takes the place of v2.2.0 for clients: commit aaaaaaa becomes bbbbbbb"]
    );
    // A version with a number of its own is not a twin, and a bump does not add a version from the blacklist.
    let (_, found) = twins_of(tagged(&[("2.2.0", A)], &[("2.2.0", A, None), ("v2.3.0", B, None)]));
    assert!(found.is_empty(), "{found:?}");
}
