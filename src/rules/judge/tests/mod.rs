//! A small world to judge, and tables over it: what is told, and by which fact.

mod clients;
mod indexed;
mod keys;
mod ladder;
mod missing;
mod tags;

use jiff::{SignedDuration, Timestamp};

use crate::registry::{
    Address, Asset, Blacklist, Decision, DecisionKind, Entry, Facts, Feed, FeedEntry, Observed, ReleaseFacts,
    ReleaseInfo, Row, Shape, Sums, Tag, Tags, Why,
};
use crate::rules::judge::Case;
use crate::rules::{Depth, Keys, Source, Status, Verdict, forget, judge};
use crate::settings::{Feature, Features};

const NOW: &str = "2026-09-21T12:00:00Z";
const TWO: [&str; 2] = ["linux_amd64", "linux_arm64"];

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn ago(minutes: i64) -> Timestamp {
    now() - SignedDuration::from_mins(minutes)
}

fn sum(of: &str) -> String {
    let hex = crate::registry::digest(of.as_bytes());
    hex.chars().cycle().take(64).collect()
}

/// One entry and what was observed of its repository. Facts are five minutes old unless a row says otherwise.
struct World {
    address: Address,
    file: String,
    facts: Option<Facts>,
    blacklist: String,
    decisions: Vec<Decision>,
    features: Features,
    depth: Depth,
    keys: Option<Keys>,
}

fn known<T>(value: T) -> Observed<T> {
    Observed::Known { value, at: ago(5) }
}

fn failed<T>(why: Why) -> Observed<T> {
    Observed::Unknown { at: ago(5), why }
}

fn zip(version: &str, platform: &str) -> String {
    format!("terraform-provider-rocket_{version}_{platform}.zip")
}

fn provider(versions: &[&str]) -> World {
    let wide: Vec<(&str, &[&str])> = versions.iter().map(|version| (*version, &TWO[..])).collect();
    provider_with(&wide)
}

/// A provider `acme/rocket` whose tags are those of its indexed versions.
fn provider_with(versions: &[(&str, &[&str])]) -> World {
    let version = |(version, platforms): &(&str, &[&str])| {
        let base = format!("https://github.com/acme/terraform-provider-rocket/releases/download/v{version}/");
        let targets: Vec<String> = platforms
            .iter()
            .map(|platform| {
                let (os, arch) = platform.split_once('_').unwrap();
                let file = zip(version, platform);
                format!(
                    r#"{{"os":"{os}","arch":"{arch}","filename":"{file}","download_url":"{base}{file}","shasum":"{}","h1":"h1:x","size":9}}"#,
                    sum(&file)
                )
            })
            .collect();
        format!(
            r#"{{"version":"{version}","protocols":["5.0"],"shasums_url":"{base}terraform-provider-rocket_{version}_SHA256SUMS","shasums_signature_url":"","targets":[{}],"discovered":"2026-09-01T00:00:00Z"}}"#,
            targets.join(",")
        )
    };
    let list: Vec<String> = versions.iter().map(version).collect();
    let tags: Vec<String> = versions.iter().map(|(version, _)| format!("v{version}")).collect();
    World {
        address: Address::provider("acme", "rocket"),
        file: format!(r#"{{"versions":[{}]}}"#, list.join(",")),
        facts: Some(Facts { tags: known(tags_of(&tags)), feed: known(Feed::default()), ..Facts::default() }),
        blacklist: "{}".into(),
        decisions: Vec::new(),
        features: Features::default(),
        depth: Depth::Versions,
        keys: None,
    }
}

/// A module `acme/rocket/aws`, the same way.
fn module(versions: &[&str]) -> World {
    let list: Vec<String> = versions.iter().map(|version| format!(r#"{{"version":"{version}"}}"#)).collect();
    let mut world = provider(&[]).tags(versions);
    world.address = Address::module("acme", "rocket", "aws");
    world.file = format!(r#"{{"versions":[{}]}}"#, list.join(","));
    world
}

fn tags_of<T: AsRef<str>>(names: &[T]) -> Tags {
    let list = names.iter().map(|name| Tag { name: name.as_ref().into(), oid: "1".into(), peeled: None });
    Tags { list: list.collect(), moved: None }
}

impl World {
    fn facts(mut self, change: impl FnOnce(&mut Facts)) -> Self {
        change(self.facts.as_mut().unwrap());
        self
    }

    fn tags(self, names: &[&str]) -> Self {
        self.facts(|facts| facts.tags = known(tags_of(names)))
    }

    /// More tags than the indexed ones.
    fn tagged(self, names: &[&str]) -> Self {
        self.facts(|facts| {
            let Observed::Known { value, .. } = &mut facts.tags else { unreachable!() };
            value.list.extend(tags_of(names).list);
        })
    }

    fn release(self, tag: &str, release: ReleaseFacts) -> Self {
        self.facts(|facts| {
            facts.releases.insert(tag.into(), release);
        })
    }

    /// A tag with a release of two targets.
    fn released(self, tag: &str) -> Self {
        let version = tag.trim_start_matches('v').to_owned();
        self.tagged(&[tag]).release(tag, sums(&version, &TWO))
    }

    /// The release of an indexed version, as it is today.
    fn probed(mut self, version: &str, release: ReleaseFacts) -> Self {
        self.depth = Depth::Sums;
        self.release(&format!("v{version}"), release)
    }

    fn feed(self, entries: &[(&str, i64)]) -> Self {
        self.facts(|facts| {
            let entries =
                entries.iter().map(|(tag, minutes)| FeedEntry { tag: (*tag).into(), updated: ago(*minutes) });
            facts.feed = known(Feed { repository_id: Some(7), entries: entries.collect() });
        })
    }

    fn errors(mut self, version: &str, minutes: &[i64]) -> Self {
        let records: Vec<String> = minutes
            .iter()
            .map(|minutes| {
                let message = "checksums not found in release";
                format!(r#"{{"version":"{version}","message":"{message}","utc_time":"{}"}}"#, ago(*minutes))
            })
            .collect();
        let end = self.file.pop().unwrap();
        self.file = format!(r#"{},"versions_errors":[{}]{end}"#, self.file, records.join(","));
        self
    }

    fn blocks(mut self, version: &str) -> Self {
        self.blacklist = format!(
            r#"{{"providers":[{{"namespace":"acme","name":"rocket","version":"{version}","reason":"withdrawn"}}]}}"#
        );
        self
    }

    fn ignores(mut self, version: Option<&str>, until_minutes: i64) -> Self {
        self.decisions.push(Decision {
            address: self.address.to_string(),
            version: version.map(str::to_owned),
            kind: DecisionKind::Ignore { until: Some(ago(-until_minutes)) },
            reason: "no answer".into(),
            at: ago(60),
        });
        self
    }

    fn file(mut self, from: &str, to: &str) -> Self {
        assert!(self.file.contains(from));
        self.file = self.file.replace(from, to);
        self
    }

    fn depth(mut self, depth: Depth) -> Self {
        self.depth = depth;
        self
    }

    fn without(mut self, feature: Feature) -> Self {
        self.features.set(feature, false);
        self
    }

    /// The verdict; the same also from what is kept of the facts.
    fn judge(&self) -> Verdict {
        let row = Row::new(self.address.clone(), Shape::parse(self.address.kind(), self.file.as_bytes()));
        let verdict = self.judge_by(&row, self.facts.as_ref());
        let mut kept = self.facts.clone();
        if let Some(facts) = &mut kept {
            forget(facts, &[&row], now());
        }
        assert_eq!(self.judge_by(&row, kept.as_ref()), verdict, "something of use was forgotten");
        verdict
    }

    fn judge_by(&self, row: &Row, facts: Option<&Facts>) -> Verdict {
        let entry = Entry::read(self.address.kind(), self.file.as_bytes()).ok().map(|(_, entry)| entry);
        judge(&Case {
            address: &self.address,
            shape: &row.shape,
            entry: entry.as_ref(),
            facts,
            keys: self.keys.as_ref(),
            blacklist: &Blacklist::parse(self.blacklist.as_bytes()).unwrap(),
            decisions: &self.decisions,
            features: self.features,
            depth: self.depth,
            now: now().into(),
        })
    }
}

/// A release whose SHA256SUMS lists these platforms with the sums that the file stores.
fn sums(version: &str, platforms: &[&str]) -> ReleaseFacts {
    let lines: Vec<String> = platforms
        .iter()
        .map(|platform| {
            let file = zip(version, platform);
            format!("{}  {file}\n", sum(&file))
        })
        .collect();
    sums_text(&lines.concat())
}

fn sums_text(text: &str) -> ReleaseFacts {
    let sums = Sums { url: "u".into(), text: text.into(), modified: None };
    ReleaseFacts {
        sums: known(sums),
        manifest: Observed::Absent { at: ago(5), status: 404 },
        ..ReleaseFacts::default()
    }
}

fn no_sums(info: Observed<ReleaseInfo>) -> ReleaseFacts {
    ReleaseFacts { sums: Observed::Absent { at: ago(5), status: 404 }, info, ..ReleaseFacts::default() }
}

fn info(assets: &[(&str, &str, i64)]) -> Observed<ReleaseInfo> {
    let assets = assets.iter().map(|(name, digest, minutes)| Asset {
        id: None,
        name: (*name).into(),
        size_bytes: 9,
        digest: (!digest.is_empty()).then(|| (*digest).into()),
        updated_at: Some(ago(*minutes)),
    });
    known(ReleaseInfo {
        id: None,
        tag: "v".into(),
        draft: false,
        prerelease: false,
        created_at: None,
        published_at: None,
        assets: assets.collect(),
        truncated: false,
    })
}

fn throttled() -> Why {
    Why::Throttled { until: None }
}

/// A world, its status, the source of the deciding fact, and what its sentence must hold.
/// A name, a world, and `status by source: words of the sentence`.
type Told = (&'static str, World, &'static str);

fn check(rows: Vec<Told>) {
    for (name, world, expected) in rows {
        let verdict = world.judge();
        let Verdict { status, because, versions, .. } = &verdict;
        let (head, words) = expected.split_once(": ").unwrap();
        let told = format!("{} by {}", status.name(), because.source.name());
        assert_eq!(told, head, "{name}: {because:?} {versions:#?}");
        assert!(because.text.contains(words), "{name}: {because:?}");
        if because.source != Source::File && *status != Status::Unknown {
            assert!(because.at.is_some(), "{name}: the fact has no time");
        }
    }
}

fn sums_lines(version: &str, sum: &str) -> String {
    TWO.map(|platform| format!("{sum}  {}\n", zip(version, platform))).concat()
}
