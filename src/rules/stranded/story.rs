//! What happened to a version, in order: released, tried, changed upstream, indexed, decided.

use jiff::Timestamp;
use serde::Serialize;

use crate::registry::version::trim_v;
use crate::registry::{RecordedError, ReleaseFacts};
use crate::rules::amount::{counted, minute};
use crate::rules::retry::Tries;
use crate::rules::stranded::CardCase;
use crate::rules::{PublishedBy, VersionState, holding};

/// Something that happened, once or several times alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Event {
    pub(crate) at: Timestamp,
    /// When it happened the last time, if more than once.
    pub(crate) until: Option<Timestamp>,
    /// Lower case, without a full stop.
    pub(crate) text: String,
}

impl Event {
    fn once(at: Timestamp, text: impl Into<String>) -> Self {
        Self { at, until: None, text: text.into() }
    }
}

/// The story, and what changed upstream since it was tried or indexed last.
pub(super) fn of(
    case: &CardCase<'_>,
    state: &VersionState,
    release: Option<&ReleaseFacts>,
    tries: Option<&Tries>,
) -> (Vec<Event>, Option<String>) {
    let mut story: Vec<Event> =
        state.published.map(|at| Event::once(at, released(state))).into_iter().collect();
    let version = trim_v(&state.version);
    let records = case.entry.errors().iter().filter(|error| error.version == version);
    story.extend(tried(records.collect()));
    let indexed = indexed_at(case, &state.version);
    if let Some((at, targets)) = indexed {
        story.push(Event::once(at, format!("indexed with {}", counted(targets, "target"))));
    }
    let decision = holding(case.decisions, case.address, version, case.now.into());
    story.extend(decision.map(|decision| {
        let until = decision.until().map(|until| format!(" until {}", minute(until))).unwrap_or_default();
        Event::once(decision.at, format!("ignored by you{until}: {}", decision.reason))
    }));
    let before = tries.map(|tries| tries.last).or(indexed.map(|(at, _)| at));
    let since = before.and_then(|before| {
        let what = if tries.is_some() { "the last try" } else { "it was indexed" };
        let uploads = uploads(release, before)?;
        let text = match &uploads[..] {
            [] => format!("nothing was uploaded upstream since {what}"),
            events => {
                let all: Vec<&str> = events.iter().map(|event| event.text.as_str()).collect();
                format!("since {what}: {}", all.join(", "))
            }
        };
        story.extend(uploads);
        Some(text)
    });
    let unknown = || before.map(|_| "whether anything changed upstream since is not known".to_owned());
    story.sort_by_key(|event| event.at);
    (story, since.or_else(unknown))
}

fn released(state: &VersionState) -> &'static str {
    match state.published_by {
        Some(PublishedBy::FirstSeen) => "its tag was first seen by a survey",
        Some(PublishedBy::Feed | PublishedBy::Api) | None => "released",
    }
}

/// Tries with one message on end are told as one.
fn tried(mut records: Vec<&RecordedError>) -> Vec<Event> {
    records.sort_by_key(|record| record.utc_time);
    let groups = records.chunk_by(|a, b| a.message == b.message);
    let told = groups.map(|group| {
        let (first, last) = (group[0], group[group.len() - 1]);
        let each = if group.len() > 1 { ", each" } else { "" };
        Event {
            at: first.utc_time,
            until: (group.len() > 1).then_some(last.utc_time),
            text: format!("{} of the bump{each}: {}", counted(group.len(), "failed try"), first.message),
        }
    });
    told.collect()
}

fn indexed_at(case: &CardCase<'_>, version: &str) -> Option<(Timestamp, usize)> {
    let of_provider = case.entry.as_provider().and_then(|entry| {
        let found = entry.versions.iter().find(|one| one.version == version)?;
        Some((found.discovered?, found.targets.len()))
    });
    of_provider.filter(|(at, _)| *at > Timestamp::UNIX_EPOCH)
}

/// What was uploaded after a moment; `None`: nobody knows.
fn uploads(release: Option<&ReleaseFacts>, after: Timestamp) -> Option<Vec<Event>> {
    let release = release?;
    if release.info.is_absent() && release.sums.is_absent() {
        return Some(Vec::new());
    }
    let Some(info) = release.info.known() else {
        // Without the API the file's own date tells of the one that counts most.
        let modified = release.sums.known()?.modified?;
        let event = Event::once(modified, "SHA256SUMS was uploaded");
        return Some(if modified > after { vec![event] } else { Vec::new() });
    };
    let newer = || {
        info.assets.iter().filter_map(|asset| Some((asset, asset.updated_at?))).filter(|(_, at)| *at > after)
    };
    let is_sums = |name: &str| name.ends_with("_SHA256SUMS");
    let sums = newer().find(|(asset, _)| is_sums(&asset.name));
    let others: Vec<Timestamp> =
        newer().filter(|(asset, _)| !is_sums(&asset.name)).map(|(_, at)| at).collect();
    let mut events: Vec<Event> =
        sums.map(|(_, at)| Event::once(at, "SHA256SUMS was uploaded")).into_iter().collect();
    if let (Some(first), Some(last)) = (others.iter().min(), others.iter().max()) {
        let were = if others.len() == 1 { "was" } else { "were" };
        let what = counted(others.len(), if events.is_empty() { "file" } else { "other file" });
        let until = (first != last).then_some(*last);
        events.push(Event { at: *first, until, text: format!("{what} {were} uploaded") });
    }
    Some(events)
}
