//! Releases that were re-uploaded, 23 that happened: each names the story that it is played in, the version
//! that stands for it there, and how that version's rows end. All stories are really run, and a row that points to nothing
//! fails.

use std::collections::{BTreeMap, BTreeSet};

use bumpdesk::surface::rules::Depth;
use bytes::Bytes;
use demo::World;

use super::{edit, file, plan, verified};
use crate::stage::{Stage, Terms, line};

const REUPLOADED: &str = "MISMATCH re-uploaded differ differ differ none";
const OK: &str = "OK equal same same same none";
const GONE: &str = "MISSING unknown gone gone gone none";

/// Three versions of one provider built anew in one go, between two that are as they were: incident 17 below.
const SEVERAL: &str = r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "volcengine/volcenginecc"
targets = ["darwin_arm64", "linux_amd64", "windows_amd64"]
stored = [
    { version = "0.0.38", published = "-1d" },
    { version = "0.0.37", published = "-5d" },
    { version = "0.0.36", published = "-12d" },
    { version = "0.0.35", published = "-19d" },
    { version = "0.0.34", published = "-26d" },
]
releases = [
    { tag = "v0.0.37", content_seed = 2, assets_updated = "-2d" },
    { tag = "v0.0.36", content_seed = 2, assets_updated = "-2d" },
    { tag = "v0.0.35", content_seed = 2, assets_updated = "-2d" },
]
"#;

/// A story that incidents are played in.
struct Story {
    world: fn() -> World,
    address: &'static str,
    /// What a survey at depth `sums` says of the entry, and its sentence's beginning.
    verdict: (&'static str, &'static str),
}

fn parsed(text: &str) -> World {
    World::parse(super::super::scene::before(text)).expect("a world")
}

/// A release of which some archives were overwritten, with checksums to match.
fn some_overwritten() -> World {
    let mut world = parsed(
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/atlas\"\n\
         targets = [\"darwin_amd64\", \"linux_amd64\", \"windows_amd64\"]\nstored = [\"1.0.0\"]\n",
    );
    edit(&mut world, "atlas", |assets| {
        let taken = file(assets, "linux_amd64.zip").clone();
        let hex = |digest: Option<[u8; 32]>| hex::encode(digest.expect("a digest"));
        let overwritten = file(assets, "darwin_amd64.zip");
        let old = hex(overwritten.digest);
        (overwritten.content, overwritten.digest) = (taken.content, taken.digest);
        let sums = file(assets, "_SHA256SUMS");
        let text = String::from_utf8(sums.content.as_ref().expect("sums").to_vec()).expect("UTF-8");
        assert!(text.contains(&old));
        sums.content = Some(Bytes::from(text.replace(&old, &hex(taken.digest))));
        // It was re-uploaded too.
        sums.digest = None;
    });
    world
}

/// All targets of one version differ, upstream is consistent.
const S5: Story = Story {
    world: || parsed(include_str!("../../../scenarios/s5-recreated.toml")),
    address: "coralogix/coralogix",
    verdict: (
        "drifted 3.14.1=drifted; not-hashed",
        "3.14.1: uploaded 2 h 20 min after it was indexed; 13 of 13 stored checksums differ from upstream",
    ),
};
/// Some targets of one version differ.
const SOME: Story = Story {
    world: some_overwritten,
    address: "acme/atlas",
    verdict: ("drifted 1.0.0=drifted; not-hashed", "1.0.0: 1 of 3 stored checksums differ from upstream"),
};
/// Old versions of which one differs, beside a newer one that is gone.
const S7: Story = Story {
    world: || parsed(include_str!("../../../scenarios/s7-deleted-tag.toml")),
    address: "coder/coder",
    verdict: (
        "gone-upstream 3.0.0=gone-upstream 2.18.0-pre0=drifted 2.13.0=missed-old-line 2.0.1=missed-old-line; drifted not-hashed",
        "3.0.0: indexed, but its tag is gone upstream",
    ),
};
/// Several versions at once, others untouched.
const SEVERAL_AT_ONCE: Story = Story {
    world: || parsed(SEVERAL),
    address: "volcengine/volcenginecc",
    verdict: ("drifted 0.0.37=drifted 0.0.36=drifted 0.0.35=drifted; not-hashed", "0.0.37: uploaded "),
};

const STORIES: [(&str, Story); 4] = [("s5", S5), ("some", SOME), ("s7", S7), ("several", SEVERAL_AT_ONCE)];

/// Number, what happened, the story and its versions, how many targets of each are uploaded anew and how many are not, and
/// why that covers it.
type Incident = (u8, &'static str, &'static str, &'static [&'static str], (usize, usize), &'static str);

const ALL_OF: (&str, &[&str], (usize, usize)) = ("s5", &["3.14.1"], (13, 0));
const SOME_OF: (&str, &[&str], (usize, usize)) = ("some", &["1.0.0"], (1, 2));
const OLD: (&str, &[&str], (usize, usize)) = ("s7", &["2.18.0-pre0"], (13, 0));
const MANY: (&str, &[&str], (usize, usize)) = ("several", &["0.0.37", "0.0.36", "0.0.35"], (3, 0));

const fn row(
    number: u8,
    what: &'static str,
    played: (&'static str, &'static [&'static str], (usize, usize)),
    why: &'static str,
) -> Incident {
    (number, what, played.0, played.1, played.2, why)
}

const INCIDENTS: [Incident; 23] = [
    row(1, "cloudstack 0.5.0 rebuilt, 16 of 16", ALL_OF, "all targets differ; their number changes nothing"),
    row(
        2,
        "azapi 1.13.0 binaries changed",
        ALL_OF,
        "the same verdict; the policy's text is not a part of it",
    ),
    row(3, "linode 2.21.1 deleted and re-created", ALL_OF, "what counts is what is served today"),
    row(4, "atlas 0.8.1: 5 archives overwritten", SOME_OF, "some differ, the others stay OK"),
    row(
        5,
        "databricks 1.47.0, two runs in 15 min",
        ALL_OF,
        "the time line says how much newer the assets are",
    ),
    row(6, "gridscale 1.27.0, 14 of 14", ALL_OF, "all targets differ"),
    row(7, "avi 30.2.2 published four times", ALL_OF, "only the last upload can be seen"),
    row(8, "zedcloud 2.3.1-rc2 re-created", OLD, "2.18.0-pre0 is a pre-release too"),
    row(9, "prefect 2.22.3 yanked and re-released", ALL_OF, "as row 3"),
    row(
        10,
        "auth0 1.15.0 republished",
        ALL_OF,
        "no hash tells whether it was an attack; the evidence is the same",
    ),
    row(11, "citrixadc 1.43.0, months later", ALL_OF, "the distance of the times is part of the row"),
    row(12, "cofide 0.1.0 re-created", ALL_OF, "all targets differ"),
    row(
        13,
        "ccloud: ten versions at once",
        MANY,
        "several versions in one run, each by itself; ten as three",
    ),
    row(14, "opennebula 1.5.0: index 14:48, release 17:08", ALL_OF, "2 h 20 min, told as such"),
    row(15, "zedcloud 2.6.0", ALL_OF, "all targets differ"),
    row(16, "juju 1.4.0 amended after indexing", SOME_OF, "an amended release changes any part of its files"),
    row(17, "volcenginecc 0.0.35 to 0.0.37", MANY, "the world is this incident's"),
    row(18, "bytepluscc 0.0.24", ALL_OF, "as row 17 with one version"),
    row(19, "port-labs 2.21.1: the pipeline ran twice", ALL_OF, "as row 5"),
    row(20, "coder: old versions, 13 of 13", OLD, "the world is this incident's"),
    row(21, "gigamon 6.14.0 with another licence", ALL_OF, "another file in the zip gives another zh and h1"),
    row(22, "castai 8.54.0 built twice", ALL_OF, "as row 5"),
    row(23, "coralogix 3.14.1, 13 of 13", ALL_OF, "the world is this incident's"),
];

/// Version and line to how many rows end so.
type Ends = BTreeMap<(String, String), usize>;

/// Runs a story: the survey's verdict, then a verification of everything that is indexed.
async fn played(story: &Story) -> Ends {
    let mut stage = Stage::of((story.world)(), Terms::default()).await;
    let verdict = stage.steady(Depth::Sums).await.remove(story.address).expect("an entry");
    assert_eq!(line(&verdict), story.verdict.0);
    assert!(verdict.because.text.starts_with(story.verdict.1), "{}", verdict.because.text);
    let ran = verified(&mut stage, plan(&[story.address])).await;
    let mut ends = Ends::new();
    for row in &ran.rows {
        let end = super::line(row);
        if end == REUPLOADED {
            let reading = row.reading().expect("a reading");
            assert!(reading.contains("re-uploaded") && reading.contains("immutable"), "{reading}");
            assert_eq!(row.steps(), ["ask the author to release a new version"]);
        }
        *ends.entry((row.version.clone(), end)).or_default() += 1;
    }
    ends
}

#[tokio::test(flavor = "multi_thread")]
async fn every_incident_of_its_class_is_played() {
    let mut ends = BTreeMap::new();
    for (name, story) in &STORIES {
        ends.insert(*name, played(story).await);
    }
    let mut pointed_to = BTreeSet::new();
    for (place, (number, what, story, versions, (anew, untouched), why)) in INCIDENTS.iter().enumerate() {
        assert_eq!(usize::from(*number), place + 1, "{what}");
        assert!(why.len() > 5 && !versions.is_empty(), "{number}");
        let ended = ends.get(story).unwrap_or_else(|| panic!("row {number}: there is no story {story}"));
        for version in *versions {
            let of = |line: &str| ended.get(&((*version).to_owned(), line.to_owned())).copied();
            assert_eq!(of(REUPLOADED), Some(*anew), "row {number}: {story}, {version}: {ended:?}");
            assert_eq!(of(OK).unwrap_or(0), *untouched, "row {number}: {story}, {version}: {ended:?}");
            pointed_to.insert((*story, (*version).to_owned()));
        }
    }
    // Whatever was uploaded anew in a story stands for an incident, and nothing else ends badly but what is gone.
    for (story, ended) in &ends {
        for (version, end) in ended.keys() {
            match end.as_str() {
                REUPLOADED => assert!(pointed_to.contains(&(*story, version.clone())), "{story} {version}"),
                GONE => assert_eq!((*story, version.as_str()), ("s7", "3.0.0")),
                end => assert_eq!(end, OK, "{story} {version}"),
            }
        }
    }
}

/// Incidents 13 and 17: one run tells the versions apart, and the registry's file stays as it is.
#[tokio::test(flavor = "multi_thread")]
async fn several_versions_in_one_run() {
    let ends = played(&SEVERAL_AT_ONCE).await;
    let of = |version: &str, end: &str| ends.get(&(version.to_owned(), end.to_owned())).copied();
    for (version, end) in [
        ("0.0.38", OK),
        ("0.0.37", REUPLOADED),
        ("0.0.36", REUPLOADED),
        ("0.0.35", REUPLOADED),
        ("0.0.34", OK),
    ] {
        assert_eq!(of(version, end), Some(3), "{version}: {ends:?}");
    }
    let mut stage = Stage::set(SEVERAL).await;
    let addresses = [SEVERAL_AT_ONCE.address.to_owned()];
    super::super::scene::check_bytes(&mut stage, SEVERAL, addresses.iter()).await;
}
