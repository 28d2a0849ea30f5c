//! The stranded board: versions that no bump brings by itself, sorted by what would have to happen, and the story of each.
//!
//! A card follows from an entry, what was read upstream, and the verdict, which says how it stands. What was not read is a
//! column of its own, so that it never passes for something that cures itself. Pure; `jobs::stranded` reads what it needs.

mod cost;
mod story;
#[cfg(test)]
pub(crate) mod tests;

use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

use crate::registry::version::{self, trim_v};
use crate::registry::{Address, Blacklist, Decision, Entry, Facts, Kind, ReleaseFacts, Version};
use crate::rules::amount::{self, Form, counted};
use crate::rules::anatomy::{Lack, Names, Parts};
use crate::rules::plain_text::{shell_word, visible};
use crate::rules::status::Urgency;
use crate::rules::{
    Breakage, Class, Finding, PublishedBy, Remedy, Source, Status, Verdict, VersionMark, VersionState,
    breakage, holding, retry,
};
use crate::settings::{Features, words};

pub(crate) use cost::{Cost, CostlyEntry, costliest};
pub(crate) use story::Event;

/// A wait that is over sooner is nobody's business; a longer one is, once the release is complete.
const SOON: SignedDuration = SignedDuration::from_hours(24);
/// Many bumps have passed a version by then that each of them would take.
const OVERDUE: SignedDuration = SignedDuration::from_hours(2);
/// The most points about one release, and the most findings in its notes.
const POINTS_MAX: usize = 8;

words! {
    /// Columns by the event that a version waits for, in the order of the board.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Column: [ALL, from_name, name] {
        /// Nothing: the bump tries it again within a day.
        Retries = "retries",
        /// Upstream is complete, and no bump comes soon or at all.
        Stuck = "stuck",
        /// Its author would have to fix the release.
        Broken = "broken",
        /// The registry's maintainers decide, or did.
        Decided = "decided",
        /// Somebody would have to look first.
        Unknown = "unknown",
    }
}

/// Why a card is where it is: cards of one cause are one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Cause {
    NextBump,
    /// It waits after failed tries, for less than a day or for more.
    Waits,
    WaitsLong,
    /// Complete, and the bumps left it out.
    PassedOver,
    /// No bump ever comes to its namespace.
    NoBump,
    Broken(Breakage),
    /// A fork of HashiCorp's provider has the tag, and no build of it.
    ForkUnbuilt,
    /// It is indexed, and something about that is for the policy.
    Policy(Status),
    Blocked,
    Ignored,
    Unread,
}

impl Cause {
    /// As a title of a group.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::NextBump => "the next bump takes it",
            Self::Waits => "complete, next try within a day",
            Self::WaitsLong => "complete, next try in days",
            Self::PassedOver => "complete, skipped by the bumps",
            Self::NoBump => "no bump comes to its namespace",
            Self::Broken(breakage) => breakage.words(),
            Self::ForkUnbuilt => "the fork has the tag and no build",
            Self::Policy(status) => match status.row().source {
                Source::Zips => "checksums differ from upstream",
                _ if status.row().rung == crate::rules::triage::Rung::Sums => {
                    "indexed with too few platforms"
                }
                _ => "indexed, and gone upstream",
            },
            Self::Blocked => "on the blacklist",
            Self::Ignored => "ignored by you",
            Self::Unread => "not looked at",
        }
    }

    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NextBump => "next-bump",
            Self::Waits => "waits",
            Self::WaitsLong => "waits-long",
            Self::PassedOver => "passed-over",
            Self::NoBump => "no-bump",
            Self::Broken(breakage) => breakage.name(),
            Self::ForkUnbuilt => "fork-unbuilt",
            Self::Policy(status) => status.name(),
            Self::Blocked => "blocked",
            Self::Ignored => "ignored",
            Self::Unread => "unread",
        }
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// An action on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Act {
    Survey,
    Add,
    Clear,
    Verify,
    Message,
    /// Its fork's build, which is run on GitHub.
    Build,
    Ignore,
    Unignore,
    Block,
}

impl Act {
    /// The effect of the action, as a clause after its name.
    pub(crate) fn does(self) -> &'static str {
        match self {
            Self::Survey => "asks upstream about it",
            Self::Add => "puts the version into the plan",
            Self::Clear => "plans to clear its failed tries, so that the next bump takes it",
            Self::Verify => "verifies what is indexed",
            Self::Message => "drafts a message to its author",
            Self::Build => "is where the fork's build is run",
            Self::Ignore => "ignores it until a date, for you alone",
            Self::Unignore => "takes that back",
            Self::Block => "plans to keep it out, with a reason",
        }
    }
}

/// Recorded tries of the bump.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Tried {
    pub(crate) count: u32,
    pub(crate) last: Timestamp,
    pub(crate) message: String,
}

/// One version on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Card {
    pub(crate) address: Address,
    /// Without `v` for providers, the raw tag for modules.
    pub(crate) version: String,
    pub(crate) tag: Option<String>,
    pub(crate) column: Column,
    pub(crate) cause: Cause,
    #[serde(rename = "status")]
    pub(crate) mark: VersionMark,
    /// The reason that keeps it out, or the fault: lower case, without a full stop.
    pub(crate) reason: String,
    pub(crate) published: Option<Timestamp>,
    pub(crate) published_by: Option<PublishedBy>,
    pub(crate) targets: Option<u32>,
    pub(crate) tried: Option<Tried>,
    /// When a bump looks at it again; `None`: none ever does.
    pub(crate) next_try: Option<Timestamp>,
    /// Until when it is ignored, if that ends.
    pub(crate) ignored_until: Option<Timestamp>,
    /// The events, the oldest first.
    pub(crate) story: Vec<Event>,
    /// The changes upstream since it was tried or indexed, in a sentence.
    pub(crate) since: Option<String>,
    /// The effect on the file if it is added; `None`: it cannot be added.
    pub(crate) class: Option<Class>,
    /// The faults of the release, part by part.
    pub(crate) points: Vec<String>,
    /// Further remarks.
    pub(crate) notes: Vec<String>,
    /// The requests of a survey for it.
    pub(crate) cost: Cost,
    pub(crate) ways: Vec<Act>,
    /// When upstream was read.
    pub(crate) looked_at: Option<Timestamp>,
}

/// Everything that cards follow from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CardCase<'a> {
    pub(crate) address: &'a Address,
    pub(crate) entry: &'a Entry,
    /// `None`: nobody ever asked.
    pub(crate) facts: Option<&'a Facts>,
    pub(crate) verdict: &'a Verdict,
    pub(crate) blacklist: &'a Blacklist,
    pub(crate) decisions: &'a [Decision],
    pub(crate) features: Features,
    pub(crate) now: Timestamp,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// By column, cause and address, the newest version first.
    pub(crate) cards: Vec<Card>,
    /// Entries whose upstream was not read, or too long ago: nothing of them is claimed here.
    pub(crate) unread: usize,
    /// Tags of the listed repositories that are no versions, which no bump looks at.
    pub(crate) odd_tags: usize,
    /// The number of repositories that the cards are of.
    pub(crate) repositories: usize,
    /// The requests of a survey for all cards.
    pub(crate) cost: Cost,
    /// The entries that cost most and give nothing.
    pub(crate) costliest: Vec<CostlyEntry>,
}

impl Board {
    pub(crate) fn of(mut cards: Vec<Card>, unread: usize, odd_tags: usize) -> Self {
        cards.sort_by(|a, b| {
            let places = |card: &Card| (card.column, card.cause);
            let by_place = places(a).cmp(&places(b)).then_with(|| a.address.cmp(&b.address));
            by_place.then_with(|| version::compare(&b.version, &a.version))
        });
        let mut all: Vec<String> = cards.iter().map(|card| card.address.repository().key()).collect();
        all.sort_unstable();
        all.dedup();
        let cost = cards.iter().map(|card| card.cost).sum();
        let costliest = costliest(cards.iter());
        Self { cards, unread, odd_tags, repositories: all.len(), cost, costliest }
    }

    /// The cards of a column.
    pub(crate) fn of_column(&self, column: Column) -> &[Card] {
        let from = self.cards.partition_point(|card| card.column < column);
        let to = self.cards.partition_point(|card| card.column <= column);
        &self.cards[from..to]
    }

    pub(crate) fn find(&self, address: &Address, version: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.is_of(address, version))
    }
}

/// Returns true if any version of an entry may be on the board, without a look at its file.
pub(crate) fn may_have_cards(verdict: &Verdict, recorded: u32) -> bool {
    (recorded > 0 && verdict.versions.is_empty())
        || verdict.versions.iter().any(|state| place(state).is_some())
}

/// The column of a version by its status alone; `None`: it is not stranded.
fn place(state: &VersionState) -> Option<Column> {
    let status = match state.mark {
        VersionMark::Blocked | VersionMark::Ignored => return Some(Column::Decided),
        VersionMark::Is(status) => status.row(),
    };
    match status.remedy {
        // Within the normal delay nothing is stranded.
        Remedy::Rebuild if status.urgency == Urgency::Later => None,
        Remedy::Rebuild if status.urgency == Urgency::NextBump => Some(Column::Retries),
        Remedy::Rebuild => Some(Column::Stuck),
        Remedy::Wait => Some(Column::Retries),
        Remedy::AskAuthor if status.missing => Some(Column::Broken),
        // Of a signature the list tells; nothing about it is stranded.
        Remedy::AskAuthor if status.source != Source::Signature => Some(Column::Decided),
        Remedy::SurveyAgain => Some(Column::Unknown),
        Remedy::AskAuthor
        | Remedy::SeeUpstream
        | Remedy::CorrectFile
        | Remedy::Backfill
        | Remedy::Nothing => None,
    }
}

/// The cards of one entry.
pub(crate) fn cards(case: &CardCase<'_>) -> Vec<Card> {
    let found = case.verdict.versions.iter().filter_map(|state| card(case, state));
    let mut cards: Vec<Card> = found.collect();
    cards.extend(recorded_alone(case));
    cards
}

/// Versions whose failed tries the file records, where upstream was not read: more than that is not known of them.
fn recorded_alone(case: &CardCase<'_>) -> Vec<Card> {
    if case.facts.is_some_and(|facts| facts.tags.known().is_some()) && !case.verdict.status.is_unknown() {
        return Vec::new();
    }
    let indexed = case.entry.versions();
    let is_told = |version: &str| {
        let is_it = |known: &str| trim_v(known) == version;
        indexed.iter().any(|known| is_it(known))
            || case.verdict.versions.iter().any(|state| is_it(&state.version))
    };
    let mut versions: Vec<&str> = case.entry.errors().iter().map(|error| error.version.as_str()).collect();
    versions.sort_unstable();
    versions.dedup();
    versions.retain(|version| !is_told(version));
    let unread = |version: &str| VersionState {
        version: version.to_owned(),
        tag: None,
        mark: VersionMark::Is(case.verdict.status),
        reason: case.verdict.because.text.clone(),
        published: None,
        published_by: None,
        targets: None,
        attempts: 0,
        next_try: retry::tries(case.entry.errors(), version)
            .map(|tries| retry::next_run(tries.waits_until.max(case.now))),
    };
    let cards = versions.into_iter().filter_map(|version| {
        let state = unread(version);
        let held = holding(case.decisions, case.address, version, case.now.into());
        if case.blacklist.find(case.address, version).is_some() {
            return None;
        }
        let mark = if held.is_some() { VersionMark::Ignored } else { state.mark };
        card(case, &VersionState { mark, ..state })
    });
    cards.collect()
}

fn card(on: &CardCase<'_>, state: &VersionState) -> Option<Card> {
    let mut column = place(state)?;
    let CardCase { address, entry, facts, now, .. } = *on;
    let is_indexed = entry.versions().contains(&state.version.as_str());
    // Of what is indexed the list tells that it was not compared.
    if column == Column::Unknown && is_indexed {
        return None;
    }
    let release = state.tag.as_deref().and_then(|tag| facts?.releases.get(tag));
    let tries = retry::tries(entry.errors(), trim_v(&state.version));
    let never = retry::never_bumped(address.shard());
    let waits = tries.as_ref().filter(|tries| tries.waits_until > now);
    let next_run = retry::next_run(waits.map_or(now, |tries| tries.waits_until));
    let is_late = next_run.duration_since(now) > SOON;
    let cause = match column {
        Column::Retries | Column::Stuck if never.is_some() => Cause::NoBump,
        Column::Retries if waits.is_some() && is_late => Cause::WaitsLong,
        Column::Retries if waits.is_some() => Cause::Waits,
        Column::Retries => Cause::NextBump,
        Column::Stuck => Cause::PassedOver,
        Column::Broken => broken(on, state, release),
        Column::Decided => match state.mark {
            VersionMark::Blocked => Cause::Blocked,
            VersionMark::Ignored => Cause::Ignored,
            VersionMark::Is(status) => Cause::Policy(status),
        },
        Column::Unknown => Cause::Unread,
    };
    if matches!(cause, Cause::NoBump | Cause::WaitsLong) {
        column = Column::Stuck;
    }
    // What bumps skip is taken by one that reads every tag, and nobody says when that comes.
    let is_tried = !is_indexed && never.is_none() && !matches!(cause, Cause::Blocked | Cause::PassedOver);
    let (story, since) = story::of(on, state, release, tries.as_ref());
    let decision = holding(on.decisions, address, &state.version, now.into());
    let mut notes = notes(on, state);
    if let (Cause::NoBump, Some(never)) = (cause, never) {
        notes.insert(0, never);
    }
    if let (Cause::NextBump, Some(for_long)) = (cause, overdue(state, release, now)) {
        notes.insert(0, for_long);
    }
    Some(Card {
        address: address.clone(),
        version: state.version.clone(),
        tag: state.tag.clone(),
        column,
        cause,
        mark: state.mark,
        reason: state.reason.clone(),
        published: state.published,
        published_by: state.published_by,
        targets: state.targets,
        tried: tries.map(|tries| Tried { count: tries.count, last: tries.last, message: tries.message }),
        next_try: is_tried.then_some(next_run),
        ignored_until: decision.and_then(Decision::until),
        story,
        since,
        class: class(column, cause),
        points: if matches!(column, Column::Broken | Column::Decided) {
            points(on, state, release)
        } else {
            Vec::new()
        },
        notes,
        cost: if decision.is_some() || is_indexed { Cost::default() } else { cost::of(release) },
        ways: ways(address.kind(), column, cause, state.attempts > 0),
        looked_at: release.and_then(|release| release.sums.at()).or(on.verdict.checked_at),
    })
}

/// Said of what any bump would take, where many have passed it.
fn overdue(state: &VersionState, release: Option<&ReleaseFacts>, now: Timestamp) -> Option<String> {
    let uploaded = release.and_then(|release| release.info.known()).into_iter().flat_map(|info| &info.assets);
    let complete = uploaded.filter_map(|asset| asset.updated_at).chain(state.published).max()?;
    let ago = amount::ago(state.published?, now, Form::Spoken);
    (now.duration_since(complete) > OVERDUE).then(|| {
        format!("released {ago} and not taken, though a bump runs every 15 minutes: check the bump runs")
    })
}

fn broken(case: &CardCase<'_>, state: &VersionState, release: Option<&ReleaseFacts>) -> Cause {
    let none = ReleaseFacts::default();
    let tag = state.tag.as_deref().unwrap_or_default();
    let given_up = case.facts.and_then(|facts| facts.broken.get(tag));
    match breakage(case.address, case.features, tag, (release.unwrap_or(&none), given_up)) {
        // The registry reads these from forks of its own: no author is to be asked.
        Some(Breakage::NoRelease | Breakage::NoSums) if is_fork(case.address) => Cause::ForkUnbuilt,
        Some(breakage) => Cause::Broken(breakage),
        None => Cause::Unread,
    }
}

/// Returns true if its releases are built from a fork of HashiCorp's.
pub(crate) fn is_fork(address: &Address) -> bool {
    address.namespace() == "hashicorp" && matches!(address, Address::Provider(_))
}

/// The effect on the file if it is added.
fn class(column: Column, cause: Cause) -> Option<Class> {
    match (column, cause) {
        (Column::Retries | Column::Stuck, _) => Some(Class::Additive),
        // What is gone has nothing to be replaced by.
        (Column::Decided, Cause::Policy(status)) if status.row().rung == crate::rules::triage::Rung::Sums => {
            Some(Class::Mutates)
        }
        _ => None,
    }
}

fn ways(kind: Kind, column: Column, cause: Cause, is_tried: bool) -> Vec<Act> {
    let mut ways = Vec::new();
    match (column, cause) {
        (_, Cause::Blocked) => return ways,
        (_, Cause::Ignored) => return vec![Act::Unignore, Act::Block],
        (_, Cause::ForkUnbuilt) => ways.push(Act::Build),
        (_, Cause::Policy(_)) if kind == Kind::Module => return vec![Act::Message, Act::Ignore],
        (_, Cause::Policy(_)) => return vec![Act::Verify, Act::Message, Act::Ignore],
        (Column::Unknown, _) => ways.push(Act::Survey),
        // What waits is left out of a rebuild until its wait is over.
        (_, Cause::Waits | Cause::WaitsLong) => ways.push(Act::Clear),
        (Column::Retries | Column::Stuck, _) => ways.push(Act::Add),
        (Column::Broken | Column::Decided, _) => ways.push(Act::Message),
    }
    if is_tried && column == Column::Stuck && !ways.contains(&Act::Clear) {
        ways.push(Act::Clear);
    }
    ways.extend([Act::Ignore, Act::Block]);
    ways
}

/// The faults of a release, part by part, for the author who can fix them.
fn points(case: &CardCase<'_>, state: &VersionState, release: Option<&ReleaseFacts>) -> Vec<String> {
    let (Some(tag), Some(release)) = (state.tag.as_deref(), release) else { return Vec::new() };
    let names = Names::new(&case.address.repository(), case.address.name(), tag);
    let parts = Parts::of(&names, release);
    let lacks = parts.lacks.iter().chain(&parts.misnamed).chain(&parts.absent);
    let mut points: Vec<String> = lacks.map(Lack::text).collect();
    points.retain(|point| *point != state.reason);
    let more = points.len().saturating_sub(POINTS_MAX);
    points.truncate(POINTS_MAX);
    if more > 0 {
        points.push(format!("and {}", counted(more, "more point")));
    }
    points
}

/// Further remarks: the findings about the version, and a prerelease that hides it.
fn notes(case: &CardCase<'_>, state: &VersionState) -> Vec<String> {
    let mut notes = Vec::new();
    let highest = version::highest(case.entry.versions().into_iter());
    if let Some(top) = highest
        && let (Ok(new), Ok(indexed)) = (Version::parse(&state.version), Version::parse(top))
        && indexed.is_prerelease()
        && !new.is_prerelease()
        && version::compare(&state.version, top).is_gt()
    {
        notes.push(format!("the highest indexed version, {top}, is a prerelease and hides it"));
    }
    let is_about = |finding: &&Finding| finding.version.as_deref() == Some(&*state.version);
    let is_told = |finding: &&Finding| {
        matches!(&*finding.rule, "asset-missing" | "target-misnamed") || finding.text == state.reason
    };
    let found = case.verdict.findings.iter().filter(is_about).filter(|finding| !is_told(finding));
    notes.extend(found.take(POINTS_MAX).map(|finding| finding.text.clone()));
    notes
}

impl Card {
    pub(crate) fn is_of(&self, address: &Address, version: &str) -> bool {
        self.address == *address && trim_v(&self.version) == trim_v(version)
    }

    /// `acme/rocket@1.1.0`.
    pub(crate) fn subject(&self) -> String {
        format!("{}@{}", self.address, trim_v(&self.version))
    }

    /// The command of a way, or where it is.
    pub(crate) fn command(&self, act: Act) -> String {
        let (subject, address) = (shell_word(&visible(&self.subject())), &self.address);
        let address = shell_word(&visible(&address.to_string()));
        match act {
            Act::Survey => format!("bumpdesk survey {address}"),
            Act::Add => format!("bumpdesk plan add {address}"),
            Act::Clear => format!("bumpdesk plan clear-errors {subject}"),
            Act::Verify => format!("bumpdesk verify {subject}"),
            Act::Message => format!("bumpdesk stranded message {subject}"),
            Act::Build => format!("{}/actions", self.address.repository().url()),
            Act::Ignore => format!("bumpdesk stranded ignore {subject} --until 90d --because REASON"),
            Act::Unignore => format!("bumpdesk stranded unignore {subject}"),
            Act::Block => format!("bumpdesk plan block {subject} --because REASON"),
        }
    }

    /// The key by which a card is known or new: a card that changes its column is new again.
    pub(crate) fn key(&self) -> String {
        format!("{} {}", self.subject(), self.column.name())
    }
}
