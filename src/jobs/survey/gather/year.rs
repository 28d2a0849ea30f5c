//! A year of daily surveys, without a network: what is kept stays within bounds.

use jiff::SignedDuration;

use super::*;
use crate::jobs::{Clock, EnvOptions, state_size, tidy};
use crate::registry::{
    Address, Asset, Facts, Feed, FeedEntry, Observed, ReleaseFacts, ReleaseInfo, SeenZip, Shape, Sums, Tag,
    Tags,
};
use crate::settings::{Endpoints, Features, Pace};

/// The share of the registry's files that change on a day: a hundred of 27,500.
const CHANGED_A_DAY: f64 = 100.0 / 27_500.0;
const VERSIONS: usize = 13;
const PLATFORMS: usize = 14;

struct Year {
    folder: tempfile::TempDir,
    env: Env,
    rows: Vec<Row>,
    /// Names given so far: who leaves does not come back.
    names: usize,
    dice: u64,
}

impl Year {
    fn new(entries: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let env = env(&folder, start());
        let mut year = Self { folder, env, rows: Vec::new(), names: 0, dice: 1 };
        for _ in 0..entries {
            let row = year.enter();
            year.rows.push(row);
        }
        year
    }

    fn enter(&mut self) -> Row {
        self.names += 1;
        let address =
            Address::provider(&format!("namespace{}", self.names % 97), &format!("name{}", self.names));
        let mut row = Row::new(address, Shape::default());
        index(&mut row, VERSIONS);
        row
    }

    /// Some number below another, always the same ones.
    fn roll(&mut self, below: usize) -> usize {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) as usize % below
    }

    /// The survey of a day: these rows have a version that is not indexed yet, or all are read to their sums.
    fn survey(&self, missing: &[usize], is_deep: bool) {
        let now = self.env.now();
        let job = self.env.state().as_mut().unwrap().begin_job(None, "survey", b"everything", now).unwrap();
        let mut keeper = Keeper::new(&self.env, None);
        for (place, row) in self.rows.iter().enumerate() {
            let seed = Seed { first: place, more: Vec::new(), has_provider: true };
            let repository = row.address.repository();
            let stored = known(&self.env, &repository.key());
            let mut work = Work { was_read: true, ..Work::new(repository, seed, stored) };
            let indexed = row.shape.version_list().count();
            let is_missing = missing.contains(&place);
            let facts = &mut work.stored.facts;
            observe(facts, place as u64, indexed + usize::from(is_missing), now);
            keeper.keep(&work, &[row]);
            let first = if is_deep { 0 } else { indexed };
            for version in first..indexed + usize::from(is_missing) {
                work.stored.facts.releases.insert(tag(version).into(), release(row, version, now));
                let signature = Observed::Known { value: vec![7; 310].into(), at: now };
                work.stored.facts.signatures.insert(tag(version).into(), signature);
                keeper.keep(&work, &[row]);
            }
        }
        keeper.flush();
        assert_eq!(keeper.lost, None);
        self.env.state().as_mut().unwrap().end_job(job, "{}", now).unwrap();
    }

    /// Somebody verifies the archives of a version.
    fn verify(&mut self) {
        let at = self.env.now();
        let place = self.roll(self.rows.len());
        let key = self.rows[place].address.repository().key();
        let mut stored = known(&self.env, &key);
        let zip = |zip: usize| {
            let h1 = format!("h1:{}", &hex(zip as u64)[..44]).into();
            SeenZip { sha256: hex(zip as u64).into(), h1, size_bytes: 1 << 24, at }
        };
        let zips = (0..PLATFORMS).map(|place| (file(place).into(), zip(place)));
        stored.facts.zips.insert(tag(self.roll(VERSIONS)).into(), zips.collect());
        self.env.state().as_mut().unwrap().save_facts(&self.env.world, at, &[(key, stored)]).unwrap();
    }

    /// The size on the disk, as the end of a process leaves it.
    fn size(&mut self) -> u64 {
        let now = self.env.now();
        self.env = env(&tempfile::tempdir().unwrap(), now);
        let bytes = state_size(self.folder.path()).unwrap().bytes;
        self.env = env(&self.folder, now);
        bytes
    }

    /// The size after the first survey, and the largest one at the end of any month.
    fn pass(&mut self, is_deep: bool) -> (u64, u64) {
        self.survey(&[], is_deep);
        let (first, mut largest, mut due) = (self.size(), 0, 0.0);
        let mut missing: Vec<usize> = Vec::new();
        for day in 1..=365 {
            self.env.clock = Clock::Fixed(start() + SignedDuration::from_hours(24 * day));
            for place in missing.drain(..) {
                let versions = self.rows[place].shape.version_list().count() + 1;
                index(&mut self.rows[place], versions);
            }
            if day % 6 == 0 {
                let place = self.roll(self.rows.len());
                self.rows[place] = self.enter();
            }
            due += CHANGED_A_DAY * self.rows.len() as f64;
            while due >= 1.0 {
                due -= 1.0;
                missing.push(self.roll(self.rows.len()));
            }
            self.survey(&missing, false);
            self.verify();
            tidy::tidy_now(&self.env).unwrap();
            if day % 30 == 0 || day == 365 {
                largest = largest.max(self.size());
            }
        }
        (first, largest)
    }
}

fn start() -> Timestamp {
    "2026-01-01T06:00:00Z".parse().unwrap()
}

fn env(folder: &tempfile::TempDir, now: Timestamp) -> Env {
    Env::new(EnvOptions {
        registry: None,
        reference: None,
        endpoints: Endpoints::default(),
        pace: Pace::default(),
        token: None,
        token_name: String::new(),
        throttle: false,
        may_write: false,
        patience: Duration::ZERO,
        silence: Duration::ZERO,
        features: Features::default(),
        early_list: false,
        state_dir: folder.path().to_owned(),
        cache_dir: folder.path().join("cache"),
        clock: Clock::Fixed(now),
    })
    .unwrap()
}

fn tag(version: usize) -> String {
    format!("v0.{version}.0")
}

fn hex(seed: u64) -> String {
    crate::registry::digest(&seed.to_le_bytes())
}

fn file(platform: usize) -> String {
    format!("terraform-provider-name_0.1.0_platform{platform:02}_amd64.zip")
}

fn index(row: &mut Row, versions: usize) {
    let list = (0..versions).map(|version| format!(r#"{{"version":"0.{version}.0"}}"#)).collect::<Vec<_>>();
    let text = format!(r#"{{"versions":[{}]}}"#, list.join(","));
    row.shape = Shape::parse(Kind::Provider, text.as_bytes());
}

/// The facts that a survey of depth `versions` reads: tags and feed.
fn observe(facts: &mut Facts, id: u64, versions: usize, at: Timestamp) {
    let list = (0..versions).map(|version| Tag {
        name: tag(version).into(),
        oid: hex(id << 20 | version as u64)[..40].into(),
        peeled: None,
    });
    facts.tags = Observed::Known { value: Tags { list: list.collect(), moved: None }, at };
    let entries =
        (0..versions).rev().take(10).map(|version| FeedEntry { tag: tag(version).into(), updated: at });
    facts.feed = Observed::Known { value: Feed { repository_id: Some(id), entries: entries.collect() }, at };
    facts.first_repository_id = Some(id);
}

/// The facts of one release: sums and assets of the size that they have with most providers.
fn release(row: &Row, version: usize, at: Timestamp) -> ReleaseFacts {
    let name = row.address.name();
    let url = format!("https://github.com/{name}/releases/download/{}/SHA256SUMS", tag(version));
    let lines: Vec<String> =
        (0..PLATFORMS).map(|zip| format!("{}  {}\n", hex(zip as u64), file(zip))).collect();
    let asset = |zip: usize| Asset {
        id: Some(hex(zip as u64)[..24].into()),
        name: file(zip).into(),
        size_bytes: 9_000_000,
        digest: Some(format!("sha256:{}", hex(zip as u64)).into()),
        updated_at: Some(at),
    };
    let info = ReleaseInfo {
        id: Some(9),
        tag: tag(version).into(),
        draft: false,
        prerelease: false,
        created_at: Some(at),
        published_at: Some(at),
        assets: (0..PLATFORMS + 3).map(asset).collect(),
        truncated: false,
    };
    ReleaseFacts {
        info: Observed::Known { value: info, at },
        sums: Observed::Known {
            value: Sums { url: url.into(), text: lines.concat().into(), modified: Some(at) },
            at,
        },
        manifest: Observed::Absent { at, status: 404 },
    }
}

fn check(entries: usize, is_deep: bool) {
    let (first, largest) = Year::new(entries).pass(is_deep);
    assert!(largest <= 2 * first, "{first} bytes after one survey, {largest} in the year after it");
}

#[test]
fn a_year_of_daily_surveys_stays_within_two_surveys() {
    stamped!(&["src/jobs/survey", "src/jobs/tidy.rs", "src/registry", "src/rules", "src/store"]);
    check(40, false);
}

#[test]
#[ignore = "the whole figure, by hand; the test above is its fiftieth part"]
fn a_year_of_two_thousand_entries_stays_within_two_surveys() {
    for is_deep in [false, true] {
        check(2_000, is_deep);
    }
}
