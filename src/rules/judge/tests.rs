//! One table over the whole ladder: what is told, and by which fact.

use jiff::SignedDuration;
use jiff::Timestamp;

use crate::registry::Address;
use crate::registry::Asset;
use crate::registry::Blacklist;
use crate::registry::Decision;
use crate::registry::DecisionKind;
use crate::registry::Document;
use crate::registry::Entry;
use crate::registry::Facts;
use crate::registry::Feed;
use crate::registry::FeedEntry;
use crate::registry::Moved;
use crate::registry::Observed;
use crate::registry::ReleaseFacts;
use crate::registry::ReleaseInfo;
use crate::registry::Shape;
use crate::registry::Sums;
use crate::registry::Tag;
use crate::registry::Tags;
use crate::registry::Why;
use crate::rules::Depth;
use crate::rules::Source;
use crate::rules::Status;
use crate::rules::Verdict;
use crate::rules::VersionMark;
use crate::rules::judge;
use crate::rules::judge::Case;
use crate::settings::Feature;
use crate::settings::Features;

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
    let list = names.iter().map(|name| Tag { name: name.as_ref().into(), oid: "1".into() });
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
        self.file.push_str(&format!(r#","versions_errors":[{}]{end}"#, records.join(",")));
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

    fn judge(&self) -> Verdict {
        let shape = Shape::parse(self.address.kind(), self.file.as_bytes());
        let document = Document::parse(self.file.as_bytes()).ok();
        let entry = document.and_then(|document| Entry::view(&self.address, &document).ok());
        judge(&Case {
            address: &self.address,
            shape: &shape,
            entry: entry.as_ref(),
            facts: self.facts.as_ref(),
            blacklist: &Blacklist::parse(self.blacklist.as_bytes()).unwrap(),
            decisions: &self.decisions,
            features: self.features,
            depth: self.depth,
            now: now(),
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
type Told = (&'static str, World, Status, Source, &'static str);

fn check(rows: Vec<Told>) {
    for (name, world, status, source, text) in rows {
        let verdict = world.judge();
        let because = &verdict.because;
        assert_eq!(verdict.status, status, "{name}: {because:?} {:#?}", verdict.versions);
        assert_eq!(because.source, source, "{name}: {because:?}");
        assert!(because.text.contains(text), "{name}: {because:?}");
        if source != Source::File && world.facts.is_some() && status != Status::Unknown {
            assert!(because.at.is_some(), "{name}: the fact has no time");
        }
    }
}

#[test]
fn every_rung_of_the_ladder() {
    use Status as S;
    let one = || provider(&["1.0.0"]);
    let old_sums = "0".repeat(64);
    check(vec![
        ("never asked", World { facts: None, ..one() }, S::Unknown, Source::Tags, "not checked yet"),
        (
            "gone",
            one().facts(|f| f.tags = Observed::Absent { at: ago(5), status: 404 }),
            S::RepoGone,
            Source::Tags,
            "acme/terraform-provider-rocket answers 404",
        ),
        (
            "moved",
            one().facts(|f| {
                f.tags = known(Tags {
                    moved: Some(Moved { owner: "new".into(), name: "x".into() }),
                    ..tags_of(&["v1.0.0"])
                })
            }),
            S::Moved,
            Source::Tags,
            "redirects to new/x",
        ),
        (
            "ghost",
            one().tags(&["v0.9.0-bad..tag"]),
            S::GoneUpstream,
            Source::Tags,
            "1.0.0: indexed, but its tag is gone",
        ),
        (
            "drift",
            one().probed("1.0.0", sums_text(&sums_lines("1.0.0", &old_sums))),
            S::Drifted,
            Source::Sums,
            "2 of 2 stored checksums differ",
        ),
        (
            "partial",
            one().probed("1.0.0", sums("1.0.0", &["linux_amd64", "linux_arm64", "darwin_arm64"])),
            S::Partial,
            Source::Sums,
            "indexed with 2 of 3 targets",
        ),
        (
            "back-off",
            one().released("v1.1.0").errors("1.1.0", &[10]),
            S::RetryWait,
            Source::Sums,
            "1.1.0: complete upstream now; 1 failed tries",
        ),
        (
            "stranded",
            one().tagged(&["v1.1.0"]).release("v1.1.0", no_sums(Observed::Unasked)),
            S::Stranded,
            Source::Sums,
            "expected terraform-provider-rocket_1.1.0_SHA256SUMS",
        ),
        (
            "shadowed",
            provider(&["2.0.0-rc1", "1.0.0"]).released("v2.0.0"),
            S::Shadowed,
            Source::Tags,
            "hidden by the indexed prerelease 2.0.0-rc1",
        ),
        (
            "missed",
            provider(&["2.0.0", "1.0.0"]).released("v1.0.1"),
            S::MissedOldLine,
            Source::Tags,
            "below the highest indexed 2.0.0",
        ),
        ("behind", one().released("v1.1.0"), S::Behind, Source::Tags, "above the highest indexed 1.0.0"),
        (
            "pending",
            one().released("v1.1.0").feed(&[("v1.1.0", 10)]),
            S::Pending,
            Source::Tags,
            "less than 30 minutes ago",
        ),
        (
            "no hashes",
            one().file("h1:x", ""),
            S::H1Missing,
            Source::File,
            "2 of 2 targets have no h1 or size",
        ),
        ("fine", one(), S::Current, Source::Tags, "all 1 indexed versions have their tags"),
    ]);
}

fn sums_lines(version: &str, sum: &str) -> String {
    TWO.iter().map(|platform| format!("{sum}  {}\n", zip(version, platform))).collect()
}

#[test]
fn what_is_not_known_is_never_fine() {
    use Status as S;
    let one = || provider(&["1.0.0"]);
    let stale = |minutes: i64| {
        one().facts(|f| f.tags = Observed::Known { value: tags_of(&["v1.0.0"]), at: ago(minutes) })
    };
    let unread = |release: ReleaseFacts| one().tagged(&["v1.1.0"]).release("v1.1.0", release);
    let aged = {
        let mut release = sums("1.1.0", &TWO);
        if let Observed::Known { at, .. } = &mut release.sums {
            *at = ago(25 * 60);
        }
        release
    };
    check(vec![
        (
            "throttled tags",
            one().facts(|f| f.tags = failed(throttled())),
            S::Unknown,
            Source::Tags,
            "could not be read: throttled",
        ),
        (
            "tags never asked",
            one().facts(|f| f.tags = Observed::Unasked),
            S::Unknown,
            Source::Tags,
            "not checked yet",
        ),
        ("a day old", stale(24 * 60), S::Current, Source::Tags, "all 1"),
        ("over a day old", stale(24 * 60 + 1), S::Unknown, Source::Tags, "more than 24 h ago"),
        (
            "over a day gone",
            one().facts(|f| f.tags = Observed::Absent { at: ago(1500), status: 404 }),
            S::Unknown,
            Source::Tags,
            "more than 24 h",
        ),
        ("missing, not probed", one().tagged(&["v1.1.0"]), S::Unknown, Source::Sums, "not probed yet"),
        (
            "throttled sums",
            unread(ReleaseFacts { sums: failed(throttled()), ..sums("1.1.0", &TWO) }),
            S::Unknown,
            Source::Sums,
            "throttled",
        ),
        (
            "throttled manifest",
            unread(ReleaseFacts { manifest: failed(throttled()), ..sums("1.1.0", &TWO) }),
            S::Unknown,
            Source::Sums,
            "its manifest",
        ),
        ("old sums", unread(aged), S::Unknown, Source::Sums, "more than 24 h ago"),
        (
            "throttled sums of an indexed version",
            one().probed("1.0.0", ReleaseFacts { sums: failed(throttled()), ..ReleaseFacts::default() }),
            S::Unknown,
            Source::Sums,
            "1.0.0: its checksums could not be read: throttled",
        ),
        (
            "broken file",
            one().file("\"versions\"", "versions"),
            S::Unknown,
            Source::File,
            "broken JSON at 1:2",
        ),
    ]);
}

#[test]
fn missing_versions() {
    use Status as S;
    let one = || provider(&["1.0.0"]);
    let stranded = |release: ReleaseFacts| one().tagged(&["v1.1.0"]).release("v1.1.0", release);
    let upper = sums_lines("1.1.0", &"AB".repeat(32));
    let large =
        ReleaseFacts { sums: failed(Why::TooLarge { limit_bytes: 32768 }), ..ReleaseFacts::default() };
    check(vec![
        ("blacklisted", one().tagged(&["v1.1.0"]).blocks("1.1.0"), S::Current, Source::Tags, ""),
        (
            "ignored",
            stranded(no_sums(Observed::Unasked)).ignores(Some("1.1.0"), 60),
            S::Current,
            Source::Tags,
            "",
        ),
        (
            "ignored as a whole",
            stranded(no_sums(Observed::Unasked)).ignores(None, 60),
            S::Current,
            Source::Tags,
            "",
        ),
        (
            "no longer ignored",
            stranded(no_sums(Observed::Unasked)).ignores(Some("1.1.0"), 0),
            S::Stranded,
            Source::Sums,
            "",
        ),
        (
            "the wait is over",
            one().released("v1.1.0").errors("1.1.0", &[61, 91]),
            S::Behind,
            Source::Tags,
            "",
        ),
        (
            "the wait is not over",
            one().released("v1.1.0").errors("1.1.0", &[59, 91]),
            S::RetryWait,
            Source::Sums,
            "2026-09-21 12:15Z",
        ),
        (
            "records of another version",
            one().released("v1.1.0").errors("1.2.0", &[1]),
            S::Behind,
            Source::Tags,
            "",
        ),
        (
            "no release",
            stranded(no_sums(Observed::Absent { at: ago(5), status: 404 })),
            S::Stranded,
            Source::Api,
            "a tag without a release",
        ),
        (
            "other sums name",
            stranded(no_sums(info(&[("rocket_SHA256SUMS", "", 9), ("rocket_SHA256SUMS.sig", "", 9)]))),
            S::Stranded,
            Source::Sums,
            "found nearest rocket_SHA256SUMS",
        ),
        (
            "no known zip",
            stranded(sums_text("aa  other.zip\n")),
            S::Stranded,
            Source::Sums,
            "lists no zip that the registry knows",
        ),
        ("sums over the limit", stranded(large), S::Stranded, Source::Sums, "limit of 32768 bytes"),
        ("upper-case sums", stranded(sums_text(&upper)), S::Stranded, Source::Sums, "no lower-case SHA-256"),
        (
            "upper-case sums, older format",
            stranded(sums_text(&upper)).without(Feature::TargetHashes),
            S::Behind,
            Source::Tags,
            "",
        ),
        (
            "fresh and incomplete",
            stranded(no_sums(Observed::Unasked)).feed(&[("v1.1.0", 29)]),
            S::Pending,
            Source::Tags,
            "still incomplete",
        ),
        ("no longer fresh", one().released("v1.1.0").feed(&[("v1.1.0", 30)]), S::Behind, Source::Tags, ""),
        (
            "first seen just now",
            module(&["v1.0.0"]).tagged(&["v1.1.0"]).facts(|f| {
                f.first_seen.insert("v1.1.0".into(), ago(5));
            }),
            S::Pending,
            Source::Tags,
            "",
        ),
        (
            "prerelease above its stable",
            provider(&["1.0.0"]).released("v1.1.0-rc1"),
            S::Behind,
            Source::Tags,
            "",
        ),
        (
            "prerelease on top, older stable missing",
            provider(&["2.0.0-rc1"]).released("v1.9.0"),
            S::MissedOldLine,
            Source::Tags,
            "",
        ),
        (
            "prerelease on top, newer one missing",
            provider(&["2.0.0-rc1"]).released("v2.0.0-rc2"),
            S::Behind,
            Source::Tags,
            "",
        ),
        (
            "nothing indexed",
            provider(&[]).released("v1.0.0"),
            S::Behind,
            Source::Tags,
            "nothing is indexed yet",
        ),
        (
            "monorepo and odd tags",
            one().tagged(&["sub/v1.1.0", "V2.0.0", "1.2.3.4", "nightly"]),
            S::Current,
            Source::Tags,
            "",
        ),
        ("shorthand", provider(&["1.0"]), S::Current, Source::Tags, ""),
        ("bare tag of an indexed provider", one().tagged(&["1.0.0"]), S::Current, Source::Tags, ""),
        (
            "bare twin of a module tag",
            module(&["v1.0.0"]).tagged(&["1.0.0"]),
            S::Behind,
            Source::Tags,
            "1.0.0: complete upstream",
        ),
        (
            "module tag gone, twin left",
            module(&["v1.0.0", "1.0.0"]).tags(&["1.0.0"]),
            S::GoneUpstream,
            Source::Tags,
            "v1.0.0: indexed",
        ),
        (
            "graver first",
            provider(&["2.0.0", "1.0.0"]).tags(&["v2.0.0"]).released("v2.1.0"),
            S::GoneUpstream,
            Source::Tags,
            "",
        ),
    ]);
}

#[test]
fn indexed_versions_against_their_sums() {
    use Status as S;
    let one = || provider(&["1.0.0"]);
    let zero = "0".repeat(64);
    let changed = info(&[(&zip("1.0.0", TWO[0]), &format!("sha256:{zero}"), 60)]);
    let equal = info(&[(&zip("1.0.0", TWO[0]), &format!("sha256:{}", sum(&zip("1.0.0", TWO[0]))), 60)]);
    let lost = provider_with(&[("1.1.0", &TWO[..1]), ("1.0.0", &TWO)])
        .probed("1.1.0", sums("1.1.0", &TWO))
        .probed("1.0.0", sums("1.0.0", &TWO));
    let upper: String = TWO
        .iter()
        .map(|p| format!("{}  {}\n", sum(&zip("1.0.0", p)).to_uppercase(), zip("1.0.0", p)))
        .collect();
    let aged = {
        let mut release = sums_text(&sums_lines("1.0.0", &zero));
        if let Observed::Known { at, .. } = &mut release.sums {
            *at = ago(25 * 60);
        }
        release
    };
    check(vec![
        ("equal", one().probed("1.0.0", sums("1.0.0", &TWO)), S::Current, Source::Tags, ""),
        (
            "equal digest",
            one().probed("1.0.0", ReleaseFacts { info: equal, ..sums("1.0.0", &TWO) }),
            S::Current,
            Source::Tags,
            "",
        ),
        (
            "other digest",
            one().probed("1.0.0", ReleaseFacts { info: changed, ..sums("1.0.0", &TWO) }),
            S::Drifted,
            Source::Sums,
            "1 of 2 stored checksums differ from upstream; assets are newer than the index entry by 20 days",
        ),
        (
            "a file no longer listed",
            one().probed("1.0.0", sums("1.0.0", &TWO[..1])),
            S::Drifted,
            Source::Sums,
            "1 of 2",
        ),
        ("the same sums in capitals", one().probed("1.0.0", sums_text(&upper)), S::Current, Source::Tags, ""),
        (
            "platforms lost",
            lost,
            S::Partial,
            Source::Sums,
            "1.1.0: indexed with 1 of 2 targets, 1 platforms lost against 1.0.0",
        ),
        (
            "drift before partial",
            provider_with(&[("1.0.0", &TWO[..1])]).probed("1.0.0", sums_text(&sums_lines("1.0.0", &zero))),
            S::Drifted,
            Source::Sums,
            "1 of 1 stored checksums differ from upstream; partial: 1 of 2 targets",
        ),
        (
            "sums gone",
            one().probed("1.0.0", no_sums(Observed::Unasked)),
            S::GoneUpstream,
            Source::Sums,
            "its SHA256SUMS is gone",
        ),
        (
            "tag and sums gone",
            one().tags(&[]).probed("1.0.0", no_sums(Observed::Unasked)),
            S::GoneUpstream,
            Source::Tags,
            "no tags at all",
        ),
        (
            "drift, ignored",
            one().probed("1.0.0", sums_text(&sums_lines("1.0.0", &zero))).ignores(Some("1.0.0"), 60),
            S::Current,
            Source::Tags,
            "",
        ),
        (
            "sums not asked for at this depth",
            one().release("v1.0.0", sums_text(&sums_lines("1.0.0", &zero))),
            S::Current,
            Source::Tags,
            "",
        ),
        ("sums read too long ago", one().probed("1.0.0", aged), S::Current, Source::Tags, ""),
    ]);
}

#[test]
fn the_word_says_how_deep_it_looked() {
    let both = || provider(&["1.1.0", "1.0.0"]).probed("1.1.0", sums("1.1.0", &TWO));
    let cases = [
        (provider(&["1.0.0"]), "OK (versions)"),
        (both(), "OK (versions)"),
        (both().probed("1.0.0", sums("1.0.0", &TWO)), "OK"),
        (both().probed("1.0.0", sums("1.0.0", &TWO)).depth(Depth::Versions), "OK (versions)"),
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
        blacklist: &Blacklist::default(),
        decisions: &[],
        features: Features::default(),
        depth: Depth::Sums,
        now: now(),
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
    assert_eq!((renamed.status, renamed.missing), (Status::Moved, 1));
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
    assert_eq!((verdict.status, verdict.missing), (Status::Stranded, 1));
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
