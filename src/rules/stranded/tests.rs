//! Boards that are made by hand.

use super::*;
use crate::registry::{Asset, DecisionKind, Observed, ReleaseInfo, Row, Shape, Sums, Tag, Tags};
use crate::rules::{Case, Depth, judge};

const NOW: &str = "2026-11-21T12:00:00Z";

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn hours_ago(hours: i64) -> Timestamp {
    now() - SignedDuration::from_hours(hours)
}

fn known<T>(value: T) -> Observed<T> {
    Observed::Known { value, at: hours_ago(1) }
}

fn absent<T>() -> Observed<T> {
    Observed::Absent { at: hours_ago(1), status: 404 }
}

/// An entry, what was read upstream, and what was decided.
struct World {
    address: Address,
    file: String,
    facts: Facts,
    blacklist: String,
    decisions: Vec<Decision>,
}

fn world(address: Address, indexed: &[&str]) -> World {
    let versions: Vec<String> =
        indexed.iter().map(|version| format!(r#"{{"version":"{version}"}}"#)).collect();
    let tags = indexed.iter().map(|version| Tag {
        name: format!("v{version}").into(),
        oid: "1".into(),
        peeled: None,
    });
    let facts = Facts {
        tags: known(Tags { list: tags.collect(), moved: None }),
        feed: known(crate::registry::Feed::default()),
        ..Facts::default()
    };
    World {
        address,
        file: format!(r#"{{"versions":[{}]}}"#, versions.join(",")),
        facts,
        blacklist: "{}".into(),
        decisions: Vec::new(),
    }
}

fn rocket() -> World {
    world(Address::provider("acme", "rocket"), &["1.0.0"])
}

impl World {
    fn tagged(mut self, version: &str, release: ReleaseFacts) -> Self {
        let tag = format!("v{version}");
        if let Observed::Known { value, .. } = &mut self.facts.tags {
            value.list.push(Tag { name: tag.as_str().into(), oid: "2".into(), peeled: None });
        }
        self.facts.releases.insert(tag.into(), release);
        self
    }

    /// Failed tries so many hours ago, with one message each.
    fn tried(mut self, version: &str, tries: &[(i64, &str)]) -> Self {
        let records: Vec<String> = tries
            .iter()
            .map(|(hours, message)| {
                format!(
                    r#"{{"version":"{version}","message":"{message}","utc_time":"{}"}}"#,
                    hours_ago(*hours)
                )
            })
            .collect();
        self.file.pop();
        self.file = format!(r#"{},"versions_errors":[{}]}}"#, self.file, records.join(","));
        self
    }

    fn ignored(mut self, version: &str) -> Self {
        self.decisions.push(Decision {
            address: self.address.to_string(),
            version: Some(version.into()),
            kind: DecisionKind::Ignore { until: Some(hours_ago(-48)) },
            reason: "never released".into(),
            at: hours_ago(2),
        });
        self
    }

    fn cards(&self) -> Vec<Card> {
        let shape = Shape::parse(self.address.kind(), self.file.as_bytes());
        let (_, entry) = Entry::read(self.address.kind(), self.file.as_bytes()).unwrap();
        let blacklist = Blacklist::parse(self.blacklist.as_bytes()).unwrap();
        let row = Row::new(self.address.clone(), shape);
        let verdict = judge(&Case {
            address: &self.address,
            shape: &row.shape,
            entry: Some(&entry),
            facts: Some(&self.facts),
            keys: None,
            blacklist: &blacklist,
            decisions: &self.decisions,
            features: Features::default(),
            depth: Depth::Versions,
            now: now().into(),
        });
        let found = cards(&CardCase {
            address: &self.address,
            entry: &entry,
            facts: Some(&self.facts),
            verdict: &verdict,
            blacklist: &blacklist,
            decisions: &self.decisions,
            features: Features::default(),
            now: now(),
        });
        let may = may_have_cards(&verdict, row.shape.error_count);
        assert!(may || found.is_empty(), "what has cards is looked at");
        found
    }

    fn card(&self) -> Card {
        let mut cards = self.cards();
        assert_eq!(cards.len(), 1, "{cards:?}");
        cards.remove(0)
    }
}

/// A release that the bump can index, its sums uploaded so many hours ago.
fn complete(version: &str, hours: i64) -> ReleaseFacts {
    let zip = format!("terraform-provider-rocket_{version}_linux_amd64.zip");
    let name = format!("terraform-provider-rocket_{version}_SHA256SUMS");
    let sums = Sums {
        url: format!("https://github.com/acme/terraform-provider-rocket/releases/download/v{version}/{name}")
            .into(),
        text: format!("{}  {zip}\n", "0a".repeat(32)).into(),
        modified: None,
    };
    ReleaseFacts { info: known(info(&[(&name, hours), (&zip, 400)])), sums: known(sums), manifest: absent() }
}

fn info(assets: &[(&str, i64)]) -> ReleaseInfo {
    let asset = |(name, hours): &(&str, i64)| Asset {
        id: None,
        name: (*name).into(),
        size_bytes: 9,
        digest: None,
        updated_at: Some(hours_ago(*hours)),
    };
    ReleaseInfo {
        id: Some(1),
        tag: "v".into(),
        draft: false,
        prerelease: false,
        created_at: None,
        published_at: Some(hours_ago(400)),
        assets: assets.iter().map(asset).collect(),
        truncated: false,
    }
}

fn tag_alone() -> ReleaseFacts {
    ReleaseFacts { info: absent(), sums: absent(), manifest: Observed::Unasked }
}

fn of_assets(assets: &[(&str, i64)]) -> ReleaseFacts {
    ReleaseFacts { info: known(info(assets)), sums: absent(), manifest: Observed::Unasked }
}

/// Where a card is: by its column and its cause.
fn place(card: &Card) -> (&'static str, &'static str) {
    (card.column.name(), card.cause.name())
}

const NO_SUMS: &str = "checksums not found in release";

/// Nothing says that the next bump takes it without saying that many have not.
#[test]
fn what_many_bumps_have_passed_says_so() {
    let said = |hours| {
        let notes = rocket().tagged("1.1.0", complete("1.1.0", hours)).card().notes;
        notes.into_iter().find(|note| note.contains("not taken"))
    };
    assert_eq!(said(1), None, "its checksums came an hour ago");
    let wanted =
        "released 16 days ago and not taken, though a bump runs every 15 minutes: check the bump runs";
    assert_eq!(said(30).as_deref(), Some(wanted));
}

#[test]
fn what_would_have_to_happen_is_the_column() {
    let hashicorp = || world(Address::provider("hashicorp", "null"), &["3.2.4-alpha.2"]);
    let unread = ReleaseFacts { sums: Observed::Unasked, ..ReleaseFacts::default() };
    for (what, world, wanted) in [
        ("above all", rocket().tagged("1.1.0", complete("1.1.0", 2)), ("retries", "next-bump")),
        (
            "a wait that is over soon",
            rocket().tagged("1.1.0", complete("1.1.0", 1)).tried("1.1.0", &[(2, NO_SUMS); 6]),
            ("retries", "waits"),
        ),
        (
            "a wait of days",
            rocket().tagged("1.1.0", complete("1.1.0", 7)).tried("1.1.0", &[(24, NO_SUMS); 8]),
            ("stuck", "waits-long"),
        ),
        ("below the highest", rocket().tagged("0.9.0", complete("0.9.0", 300)), ("stuck", "passed-over")),
        (
            "no bump comes there",
            world(Address::provider("9lives", "rocket"), &["1.0.0"]).tagged("1.1.0", complete("1.1.0", 300)),
            ("stuck", "no-bump"),
        ),
        ("a tag alone", rocket().tagged("1.1.0", tag_alone()), ("broken", "no-release")),
        ("no sums", rocket().tagged("1.1.0", of_assets(&[("notes.txt", 9)])), ("broken", "no-sums")),
        (
            "another name",
            rocket().tagged("1.1.0", of_assets(&[("terraform-provider-rocket_1.01.0_SHA256SUMS", 9)])),
            ("broken", "other-name"),
        ),
        ("a fork's tag", hashicorp().tagged("3.2.4", tag_alone()), ("broken", "fork-unbuilt")),
        ("not looked at", rocket().tagged("1.1.0", unread), ("unknown", "unread")),
        ("ignored", rocket().tagged("1.1.0", tag_alone()).ignored("1.1.0"), ("decided", "ignored")),
    ] {
        assert_eq!(place(&world.card()), wanted, "{what}");
    }
    let blocked =
        r#"{"providers":[{"namespace":"acme","name":"rocket","version":"1.1.0","reason":"bad signature"}]}"#;
    let world = World { blacklist: blocked.into(), ..rocket().tagged("1.1.0", tag_alone()) };
    let card = world.card();
    assert_eq!(place(&card), ("decided", "blocked"));
    assert_eq!((card.reason.as_str(), card.next_try), ("on the blacklist: bad signature", None));
    assert!(card.ways.is_empty());
    let fresh = rocket().tagged(
        "1.1.0",
        ReleaseFacts {
            info: known(ReleaseInfo { published_at: Some(hours_ago(0)), ..info(&[]) }),
            ..complete("1.1.0", 0)
        },
    );
    assert_eq!(fresh.cards(), [], "the normal delay is nobody's business");
    assert_eq!(rocket().cards(), [], "what is indexed is not stranded");
}

/// `auth0` 1.58.0: eight tries, complete since; and what another try would meet.
#[test]
fn the_story_is_dated_and_says_what_changed_since() {
    let tries: Vec<(i64, &str)> =
        [(90, "no artifacts in release"), (89, NO_SUMS), (80, NO_SUMS), (24, NO_SUMS)].into();
    let world = rocket().tagged("1.1.0", complete("1.1.0", 7)).tried("1.1.0", &tries);
    let card = world.card();
    let story: Vec<(i64, Option<i64>, &str)> = card
        .story
        .iter()
        .map(|event| {
            let hours = |at: Timestamp| now().duration_since(at).as_hours();
            (hours(event.at), event.until.map(hours), event.text.as_str())
        })
        .collect();
    assert_eq!(
        story,
        [
            (400, None, "released"),
            (90, None, "1 failed try of the bump: no artifacts in release"),
            (89, Some(24), "3 failed tries of the bump, each: checksums not found in release"),
            (7, None, "SHA256SUMS was uploaded"),
        ]
    );
    assert_eq!(card.since.as_deref(), Some("since the last try: SHA256SUMS was uploaded"));
    assert_eq!((card.class, card.targets), (Some(Class::Additive), Some(1)));
    assert_eq!(card.tried.as_ref().map(|tried| tried.count), Some(4));
    let still =
        rocket().tagged("1.1.0", of_assets(&[("notes.txt", 300)])).tried("1.1.0", &[(24, NO_SUMS)]).card();
    assert_eq!(still.since.as_deref(), Some("nothing was uploaded upstream since the last try"));
    assert_eq!((still.class, still.next_try), (None, Some(now())));
    let tag = rocket().tagged("1.1.0", tag_alone()).tried("1.1.0", &[(24, NO_SUMS)]).card();
    assert_eq!(tag.since.as_deref(), Some("nothing was uploaded upstream since the last try"));
    let blind = rocket().tagged("1.1.0", ReleaseFacts { info: Observed::Unasked, ..tag_alone() });
    let blind = blind.tried("1.1.0", &[(24, NO_SUMS)]).card();
    assert_eq!(blind.since.as_deref(), Some("whether anything changed upstream since is not known"));
}

/// Nothing that was not read passes for something that cures itself.
#[test]
fn recorded_tries_are_shown_without_upstream() {
    let mut world = rocket().tried("1.1.0", &[(24, NO_SUMS), (30, NO_SUMS)]);
    world.facts = Facts::default();
    let card = world.card();
    assert_eq!(place(&card), ("unknown", "unread"));
    assert_eq!((card.reason.as_str(), card.class), ("not checked yet", None));
    assert_eq!(card.tried.as_ref().map(|tried| tried.count), Some(2));
    assert_eq!(card.ways, [Act::Survey, Act::Ignore, Act::Block]);
    let indexed = World { facts: Facts::default(), ..rocket().tried("1.0.0", &[(24, NO_SUMS)]) };
    assert_eq!(indexed.cards(), [], "what is indexed is there, whatever was recorded");
}

#[test]
fn a_sweep_costs_as_much_as_the_last_one() {
    for (release, wanted) in [
        (tag_alone(), Cost { files: 2, releases: 1 }),
        (of_assets(&[("notes.txt", 9)]), Cost { files: 0, releases: 1 }),
        (complete("1.1.0", 3), Cost { files: 3, releases: 1 }),
        (ReleaseFacts { info: Observed::Unasked, ..tag_alone() }, Cost { files: 2, releases: 0 }),
    ] {
        assert_eq!(cost::of(Some(&release)), wanted, "{release:?}");
    }
    let world = rocket().tagged("1.1.0", tag_alone()).tagged("1.2.0", tag_alone());
    let other = self::world(Address::provider("acme", "cheap"), &["1.0.0"]);
    let other = other.tagged("1.1.0", of_assets(&[("notes.txt", 9)]));
    let board = Board::of([world.cards(), other.cards()].concat(), 0, 0);
    assert_eq!(board.cost, Cost { files: 4, releases: 3 });
    let costliest: Vec<(String, u32)> = costliest(board.cards.iter())
        .into_iter()
        .map(|entry| (entry.address.to_string(), entry.versions))
        .collect();
    assert_eq!(costliest, [("acme/rocket".to_owned(), 2), ("acme/cheap".to_owned(), 1)]);
    let ignored = world.ignored("1.1.0").cards();
    let cost: Cost = ignored.iter().map(|card| card.cost).sum();
    assert_eq!(cost, Cost { files: 2, releases: 1 }, "what is ignored is not asked about");
}

#[test]
fn a_board_is_in_the_order_of_its_columns() {
    let one = rocket().tagged("1.1.0", tag_alone()).tagged("1.2.0", complete("1.2.0", 300));
    let two = self::world(Address::provider("acme", "anvil"), &["1.0.0"]).tagged("2.0.0", tag_alone());
    let board = Board::of([one.cards(), two.cards()].concat(), 3, 0);
    let order: Vec<String> = board.cards.iter().map(Card::subject).collect();
    assert_eq!(order, ["acme/rocket@1.2.0", "acme/anvil@2.0.0", "acme/rocket@1.1.0"]);
    assert_eq!((board.repositories, board.unread), (2, 3));
    assert!(board.find(&Address::provider("acme", "anvil"), "v2.0.0").is_some());
}

/// A stable version that an indexed prerelease hides is a note; a prerelease on top of nothing is not.
#[test]
fn what_is_hidden_by_a_prerelease_is_noted() {
    let null = || world(Address::provider("hashicorp", "null"), &["3.2.4-alpha.2", "3.2.3"]);
    let card = null().tagged("3.2.4", tag_alone()).card();
    assert_eq!(card.notes, ["the highest indexed version, 3.2.4-alpha.2, is a prerelease and hides it"]);
    assert_eq!(card.ways, [Act::Build, Act::Ignore, Act::Block]);
    assert_eq!(card.command(Act::Build), "https://github.com/opentofu/terraform-provider-null/actions");
    assert_eq!(null().cards(), []);
}

/// A card of little more than its name.
pub(crate) fn card(
    address: &str,
    version: &str,
    (column, cause, mark): (Column, Cause, VersionMark),
    reason: &str,
) -> Card {
    Card {
        address: Address::parse(address).expect("an address"),
        version: version.to_owned(),
        tag: Some(format!("v{version}")),
        column,
        cause,
        mark,
        reason: reason.to_owned(),
        published: None,
        published_by: None,
        targets: None,
        tried: None,
        next_try: None,
        ignored_until: None,
        story: Vec::new(),
        since: None,
        class: class(column, cause),
        points: Vec::new(),
        notes: Vec::new(),
        cost: Cost::default(),
        ways: ways(Kind::Provider, column, cause, false),
        looked_at: None,
    }
}

/// One of nearly each kind, at a time.
pub(crate) fn on_board(now: Timestamp) -> Vec<Card> {
    let ago = |hours: i64| now - SignedDuration::from_hours(hours);
    let is = |name: &str| VersionMark::Is(Status::from_name(name).expect("a status"));
    let broken = |breakage| (Column::Broken, Cause::Broken(breakage), is("stranded"));
    let tried = |count, hours| Some(Tried { count, last: ago(hours), message: NO_SUMS.to_owned() });
    let late = Card {
        published: Some(ago(6)),
        published_by: Some(PublishedBy::Feed),
        targets: Some(14),
        next_try: Some(retry::next_run(now)),
        looked_at: Some(ago(1)),
        ..card(
            "newrelic/newrelic",
            "3.70.1",
            (Column::Retries, Cause::NextBump, is("behind")),
            "complete upstream, above the highest indexed 3.69.0",
        )
    };
    let waits = Card {
        published: Some(ago(96)),
        published_by: Some(PublishedBy::Api),
        targets: Some(13),
        tried: tried(8, 24),
        next_try: Some(retry::next_run(ago(-40))),
        story: vec![
            Event { at: ago(96), until: None, text: "released".to_owned() },
            Event {
                at: ago(88),
                until: Some(ago(24)),
                text: format!("8 failed tries of the bump, each: {NO_SUMS}"),
            },
            Event { at: ago(7), until: None, text: "SHA256SUMS was uploaded".to_owned() },
        ],
        since: Some("since the last try: SHA256SUMS was uploaded".to_owned()),
        cost: Cost { files: 2, releases: 1 },
        looked_at: Some(ago(1)),
        ..card(
            "auth0/auth0",
            "1.58.0",
            (Column::Stuck, Cause::WaitsLong, is("retry-wait")),
            "complete upstream now",
        )
    };
    let tag = |version: &str, days: i64| Card {
        published: Some(ago(days * 24)),
        tried: tried(10, 40),
        next_try: Some(retry::next_run(ago(-90))),
        cost: Cost { files: 2, releases: 1 },
        looked_at: Some(ago(1)),
        ..card("kislerdm/neon", version, broken(Breakage::NoRelease), "a tag without a release")
    };
    let renamed = Card {
        points: vec!["expected a_1.11.2_SHA256SUMS.sig, found nearest a_1.11.02_SHA256SUMS.sig".to_owned()],
        cost: Cost { files: 2, releases: 1 },
        ..card(
            "microsoft/azuredevops-of-a-long-name",
            "1.11.2",
            broken(Breakage::OtherName),
            "expected a_1.11.2_SHA256SUMS, found nearest a_1.11.02_SHA256SUMS \u{1b}[31m\u{202e}",
        )
    };
    let drifted = card(
        "coralogix/coralogix",
        "3.14.1",
        (Column::Decided, Cause::Policy(Status::from_name("drifted").expect("a status")), is("drifted")),
        "13 of 13 stored checksums differ from upstream",
    );
    let blocked = card(
        "juju/juju",
        "1.4.0",
        (Column::Decided, Cause::Blocked, VersionMark::Blocked),
        "on the blacklist: bad signature",
    );
    let ignored = Card {
        ignored_until: Some(ago(-2_000)),
        ..card(
            "acme/ignored",
            "1.1.0",
            (Column::Decided, Cause::Ignored, VersionMark::Ignored),
            "ignored by you until 2026-12-14: never released",
        )
    };
    let unread = Card {
        tried: tried(40, 400),
        ..card("hkantare/ibm", "4.1.0", (Column::Unknown, Cause::Unread, is("unknown")), "not checked yet")
    };
    vec![late, waits, tag("0.2.1", 30), tag("0.2.0", 31), renamed, drifted, blocked, ignored, unread]
}
