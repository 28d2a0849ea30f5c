//! Texts about the stranded board: its columns and causes, each card in one line and in full, its cost, and a
//! message to the author who can fix a version. Also a card as Markdown.

use std::fmt::Write;

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::telling::entry::{WHY, mark};
use crate::desk::telling::{Fact, Label, Message, Sign, Tone};
use crate::jobs::data::DecideTask;
use crate::registry::version::trim_v;
use crate::registry::{Decision, Kind};
use crate::rules::Breakage;
use crate::rules::amount::{Form, ago, clock, counted, day, grouped, length, minute, since};
use crate::rules::anatomy::Names;
use crate::rules::markdown::code;
use crate::rules::plain_text::visible;
use crate::rules::stranded::{Board, Card, Cause, Column, Cost, CostlyEntry, Event, is_fork};

const STORY: Label = Label::of("story");
const SINCE: Label = Label::two("since", "what changed upstream");
const ADDED: Label = Label::two("if added", "if it is added");
const NEXT_TRY: Label = Label::two("next try", "the next automatic try");
const POINT: Label = Label::two("lacks", "what is wrong with the release");
const NOTE: Label = Label::two("besides", "what else there is");
const COSTS: Label = Label::two("costs", "what a survey asks for it");
const WAYS: Label = Label::two("you can", "you can");
const READ: Label = Label::two("read", "upstream was read");

/// Entries that are named beside their cost.
pub(crate) const MOST_LISTED: usize = 5;

/// Explains why the board is empty, with the next step.
pub(crate) fn none(desk: &Desk) -> Message {
    let stranded = &desk.stranded;
    match (&stranded.failure, stranded.board()) {
        (Some(why), None) => Message::of(format!("what is stranded could not be read: {why}")),
        (_, None) => Message::of("what is stranded is being read"),
        (_, Some(board)) if board.unread > 0 => {
            let are = if board.unread == 1 { "is" } else { "are" };
            Message::of(format!(
                "nothing is stranded that is known of; {} {are} not known: not surveyed in the last 24 hours, or not readable",
                counted(board.unread, "entry")
            ))
        }
        (_, Some(_)) => Message::of(
            "nothing is stranded: every version that is tagged upstream is indexed, or too new to ask about",
        ),
    }
}

/// Confirms a decision: `2 versions ignored`.
pub(crate) fn decided(task: &DecideTask) -> String {
    match task {
        DecideTask::Ignore(decisions) => {
            let until = decisions.first().and_then(Decision::until);
            let until = until.map(|until| format!(" until {}", day(until))).unwrap_or_default();
            format!("{} ignored{until}, for you alone", counted(decisions.len(), "version"))
        }
        DecideTask::TakeBack(these) => {
            let count = counted(these.len(), "version");
            format!("{count} no longer ignored; the next survey asks about it again")
        }
    }
}

pub(crate) const fn title(column: Column) -> Label {
    match column {
        Column::Retries => Label::two("WILL RETRY BY ITSELF", "will retry by itself"),
        Column::Stuck => Label::two("FIXED UPSTREAM, STUCK", "fixed upstream but stuck"),
        Column::Broken => Label::two("BROKEN UPSTREAM", "broken upstream"),
        Column::Decided => Label::two("POLICY OR DECIDED", "policy or decided"),
        Column::Unknown => Label::two("NOT KNOWN", "how it stands is not known"),
    }
}

pub(crate) fn sign(card: &Card) -> Sign {
    mark(card.mark)
}

/// A card in a few cells: the next try, the end of an ignored period, or the cause.
pub(crate) fn brief(card: &Card, now: Timestamp) -> String {
    match (card.cause, card.next_try) {
        (Cause::Waits | Cause::WaitsLong, Some(next)) => {
            let tries = card.tried.as_ref().map_or(0, |tried| tried.count);
            format!("try {} in {}", tries + 1, length(since(now, next), Form::Short))
        }
        (Cause::Ignored, _) => match card.ignored_until {
            Some(until) => format!("until {}", day(until)),
            None => "for good".to_owned(),
        },
        (cause, _) => cause.words().to_owned(),
    }
}

/// A card in one line: `acme/rocket 1.1.0: why`.
pub(crate) fn line(card: &Card, now: Timestamp) -> String {
    let age = card.published.map(|at| format!(", {}", ago(at, now, Form::Short))).unwrap_or_default();
    let tries = card.tried.as_ref().map(|tried| format!("; {}", counted(tried.count, "failed try")));
    let next = matches!(card.cause, Cause::Waits | Cause::WaitsLong);
    let next = card.next_try.filter(|_| next).map(|at| format!("; next try {}", clock(at, now)));
    let text = format!(
        "{} {}{age}: {}{}{}",
        card.address,
        trim_v(&card.version),
        card.reason,
        tries.unwrap_or_default(),
        next.unwrap_or_default()
    );
    visible(&text).into_owned()
}

/// `17 stranded versions in 12 repositories`, then the counts of new versions, unread entries and odd tags.
pub(crate) fn figures(board: &Board, new: usize) -> String {
    let mut parts = vec![format!(
        "{} in {}",
        counted(board.cards.len(), "stranded version"),
        counted(board.repositories, "repository")
    )];
    if new > 0 {
        parts.push(format!("{} new since the last visit", grouped(new)));
    }
    if board.unread > 0 {
        let are = if board.unread == 1 { "is" } else { "are" };
        parts.push(format!("{} {are} not known: survey them", counted(board.unread, "entry")));
    }
    if board.odd_tags > 0 {
        parts.push(format!("{} beside them are no versions", counted(board.odd_tags, "tag")));
    }
    parts.join("; ")
}

/// `14 files and 9 look-ups in the releases API`.
pub(crate) fn cost(cost: Cost) -> String {
    let mut parts = Vec::new();
    if cost.files > 0 {
        parts.push(counted(cost.files, "file"));
    }
    if cost.releases > 0 {
        parts.push(format!("{} in the releases API", counted(cost.releases, "look-up")));
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(" and ") }
}

/// The cost of all stranded versions at every survey.
pub(crate) fn sweep(board: &Board) -> String {
    format!("each survey costs {} for them", cost(board.cost))
}

/// [`sweep`] in one line of a screen, with the entry that costs most.
pub(crate) fn short_sweep(board: &Board) -> String {
    if board.cost == Cost::default() {
        return "no survey asks about them again".to_owned();
    }
    let costliest = board.costliest.first().map(|one| format!("; to leave out first: {}", costly_entry(one)));
    let costliest = costliest.unwrap_or_default();
    format!("{}{costliest}", sweep(board))
}

/// `acme/rocket: 4 files and 2 look-ups in the releases API for 2 broken versions`.
pub(crate) fn costly_entry(entry: &CostlyEntry) -> String {
    format!("{}: {} for {}", entry.address, cost(entry.cost), counted(entry.versions, "broken version"))
}

/// All facts about a card, in reading order.
pub(crate) fn sheet(card: &Card, now: Timestamp) -> Vec<Fact> {
    let mut facts = vec![
        Fact::of(Label::two("needs", "what would have to happen"), happens(card)),
        Fact::of(WHY, &card.reason),
    ];
    facts.extend(card.story.iter().map(|event| Fact::of(STORY, event_text(event))));
    facts.extend(card.since.as_ref().map(|since| Fact::of(SINCE, since)));
    facts.push(Fact::of(ADDED, added(card)));
    facts.push(Fact::of(NEXT_TRY, next(card, now)));
    facts.extend(card.points.iter().map(|point| Fact::of(POINT, point)));
    facts.extend(card.notes.iter().map(|note| Fact::of(NOTE, note).tone(Tone::Notice)));
    if card.cost != Cost::default() {
        facts.push(Fact::of(COSTS, format!("{} at every survey", cost(card.cost))).tone(Tone::Quiet));
    }
    facts.extend(card.looked_at.map(|at| Fact::of(READ, clock(at, now)).tone(Tone::Quiet)));
    for fact in &mut facts {
        fact.text = visible(&fact.text).into_owned();
    }
    facts
}

/// The next steps of a card, each with its command.
pub(crate) fn ways(card: &Card) -> Vec<Fact> {
    card.ways.iter().map(|act| Fact::of(WAYS, format!("{}: {}", card.command(*act), act.does()))).collect()
}

fn happens(card: &Card) -> String {
    format!("{}: {}", title(card.column).spoken, card.cause.words())
}

/// `2026-09-18 12:00Z to 2026-09-21 12:00Z: 8 failed tries …`.
fn event_text(event: &Event) -> String {
    let until = event.until.map(|until| format!(" to {}", minute(until))).unwrap_or_default();
    format!("{}{until}: {}", minute(event.at), event.text)
}

fn added(card: &Card) -> String {
    let word = card.class.map(crate::rules::Class::word);
    match (word, card.column, card.targets) {
        (Some(word), Column::Decided, _) => {
            format!("{word}: it would change an indexed version, which the policy refuses but for exceptions")
        }
        (Some(word), _, Some(targets)) => {
            format!("{word}: {}, and nothing that is indexed changes", counted(targets, "target"))
        }
        (Some(word), ..) => format!("{word}: nothing that is indexed changes"),
        (None, Column::Broken, _) => "it cannot be added: the bump, and a plan, would refuse it".to_owned(),
        (None, Column::Unknown, _) => "not known before upstream was read".to_owned(),
        (None, ..) => "it is not added".to_owned(),
    }
}

fn next(card: &Card, now: Timestamp) -> String {
    match (card.next_try, card.cause) {
        (Some(at), Cause::Broken(_) | Cause::ForkUnbuilt) => {
            format!("{}{}; it fails as long as that is so", clock(at, now), until(at, now))
        }
        (Some(at), _) => format!("{}{}", clock(at, now), until(at, now)),
        (None, Cause::Blocked) => "none: the blacklist keeps it out".to_owned(),
        (None, Cause::PassedOver) => {
            "not known: only a full bump, one that reads every tag, takes it".to_owned()
        }
        (None, Cause::NoBump) => "none: no bump comes there".to_owned(),
        (None, _) => "none: it is indexed, and no bump looks at it again".to_owned(),
    }
}

/// `, in 40 hours`; empty if the time has come.
fn until(at: Timestamp, now: Timestamp) -> String {
    let left = since(now, at);
    if left.is_zero() { String::new() } else { format!(", in {}", length(left, Form::Spoken)) }
}

/// A card for an issue or a comment. It holds only facts that were read, and text from others has no effect
/// in it.
pub(crate) fn markdown(card: &Card, now: Timestamp) -> String {
    let mut text = format!(
        "### {} {}: {}\n\n{}.\n\n",
        code(&card.address.to_string()),
        code(&card.version),
        sign(card).word,
        happens(card)
    );
    let facts = sheet(card, now);
    for fact in facts.iter().skip(1) {
        let _ = writeln!(text, "- {}: {}", fact.label.spoken, code(&fact.text));
    }
    let _ = write!(text, "\nAs of {}.\n", minute(now));
    text
}

/// A message to the author who can fix versions of one entry: its title, and its text in Markdown.
pub(crate) fn message(cards: &[&Card]) -> Option<(String, String)> {
    let first = cards.first()?;
    let repository = first.address.repository();
    let versions: Vec<&str> = cards.iter().map(|card| trim_v(&card.version)).collect();
    let versions = versions.join(", ");
    let is_indexed = first.column == Column::Decided;
    let title = if is_indexed {
        format!("{versions} in the OpenTofu registry: {}", first.cause.words())
    } else {
        format!("{versions} cannot be indexed by the OpenTofu registry: {}", first.cause.words())
    };
    let mut text = format!(
        "Hello, the OpenTofu registry has {} from {}.\n",
        code(&first.address.to_string()),
        repository.url()
    );
    for card in cards {
        let tag = card.tag.as_deref().unwrap_or(&card.version);
        let _ = write!(text, "\n**{}**: {}.\n", code(tag), code(&card.reason));
        for point in &card.points {
            let _ = writeln!(text, "- {}", code(point));
        }
        if card.tag.is_some() {
            let _ = writeln!(text, "- {}/releases/tag/{}", repository.url(), link(tag));
        }
    }
    text.push('\n');
    if is_indexed {
        text.push_str(
            "The registry does not change a version that was published, so installing it may fail for those who use it. \
             Could you say what happened, and publish a new version?\n",
        );
    } else {
        let is_bad_archive = first.cause == Cause::Broken(Breakage::BadArchive);
        if is_bad_archive {
            text.push_str(
                "The registry downloads each archive that SHA256SUMS lists. It has to be in the release, a zip below 256 MiB, and have the \
                 SHA-256 that is listed.\n\n",
            );
        }
        let tag = first.tag.as_deref().filter(|_| first.address.kind() == Kind::Provider && !is_bad_archive);
        if let Some(tag) = tag {
            let names = Names::new(&repository, first.address.name(), tag);
            let _ = write!(
                text,
                "The registry looks for these names in a release:\n- {}: for each archive its SHA-256 and its name\n- {}: its signature\n- {}, and so on for each system and architecture\n\n",
                code(&names.file("SHA256SUMS")),
                code(&names.file("SHA256SUMS.sig")),
                code(&names.file("linux_amd64.zip"))
            );
        }
        text.push_str(if is_bad_archive {
            "Once that is so, the registry takes the version by itself; a new version with good archives will do as well. "
        } else {
            "Once they are there, the registry takes the version by itself; a new version that has them is as good. "
        });
        text.push_str("If it was not meant to be released, nothing needs to be done.\n");
    }
    Some((title, text))
}

/// Encodes a tag for a URL, so that no character ends the URL in Markdown.
fn link(tag: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '/' | '+');
    let byte = |byte: u8| {
        let c = char::from(byte);
        if is_plain(c) { c.to_string() } else { format!("%{byte:02X}") }
    };
    tag.bytes().map(byte).collect()
}

/// Explains why the author has nothing to fix; `None` if a message makes sense.
pub(crate) fn no_message(card: &Card) -> Option<String> {
    let subject = card.subject();
    match card.column {
        _ if is_fork(&card.address) => Some(format!(
            "{subject} is built from a fork of the registry's own: {}/actions runs its build",
            card.address.repository().url()
        )),
        Column::Broken => None,
        Column::Decided if matches!(card.cause, Cause::Policy(_)) => None,
        Column::Retries | Column::Stuck => {
            Some(format!("{subject} is complete upstream: its author has nothing to fix"))
        }
        Column::Decided | Column::Unknown => Some(format!("{subject}: {}", card.cause.words())),
    }
}
