//! One repository's tags and feed.

use std::collections::HashSet;

use crate::jobs::data::Gate;
use crate::jobs::survey::gather::{Gather, Work};
use crate::registry::{Facts, Feed, Observed, Tags};
use crate::remote::{Error, Fetched, Validator, observed};
use crate::rules::{feed_gate_holds, is_name_reused, missing_tags};

/// Entries of a whole page of a feed.
const PAGE: usize = 10;
/// Feed pages read behind the first one, at most.
const MORE_PAGES: usize = 4;
/// The name under which the feed's validator is kept.
const FEED: &str = "feed";

/// Reads what is not fresh: tags for both kinds, the feed for providers, and for modules when a tag is missing.
pub(super) async fn read(gather: &Gather<'_>, mut work: Work) -> Work {
    if gather.row(work.places[0]).shape.broken.is_some() {
        return work;
    }
    if gather.gate == Gate::Feed && work.has_provider {
        read_feed(gather, &mut work).await;
        let feed = work.stored.facts.feed.known();
        let rows = work.places.iter().map(|place| &gather.row(*place).shape);
        let is_other = is_name_reused(&work.stored.facts);
        if !is_other && feed.is_some_and(|feed| rows.into_iter().all(|shape| feed_gate_holds(shape, feed))) {
            work.gated = true;
            return work;
        }
        read_tags(gather, &mut work).await;
    } else if work.has_provider {
        read_both(gather, &mut work).await;
    } else {
        read_tags(gather, &mut work).await;
        // That a repository is gone is not believed of one source alone.
        if has_missing(gather, &work) || work.stored.facts.tags.is_absent() {
            read_feed(gather, &mut work).await;
        }
    }
    more_pages(gather, &mut work).await;
    work
}

fn has_missing(gather: &Gather<'_>, work: &Work) -> bool {
    let Some(tags) = work.stored.facts.tags.known() else { return false };
    work.places.iter().any(|place| {
        let row = gather.row(*place);
        !missing_tags(row.kind(), row.shape.version_list(), tags).is_empty()
    })
}

/// That there is no repository counts for a while only if its feed says so too.
fn wants_tags(gather: &Gather<'_>, work: &Work) -> bool {
    let Facts { tags, feed, .. } = &work.stored.facts;
    !gather.is_fresh(tags) || (tags.is_absent() && !feed.is_absent())
}

/// And that there is no feed, only of a repository that is not there.
fn wants_feed(gather: &Gather<'_>, work: &Work) -> bool {
    let Facts { tags, feed, .. } = &work.stored.facts;
    !gather.is_fresh(feed) || (feed.is_absent() && !tags.is_absent())
}

async fn read_both(gather: &Gather<'_>, work: &mut Work) {
    let (wants_tags, wants_feed) = (wants_tags(gather, work), wants_feed(gather, work));
    let validator = feed_validator(work);
    let remote = &gather.env.remote;
    let tags = async { if wants_tags { Some(remote.tags(&work.repository).await) } else { None } };
    let feed = async {
        if wants_feed { Some(remote.feed(&work.repository, validator.as_ref()).await) } else { None }
    };
    let (tags, feed) = tokio::join!(tags, feed);
    if let Some(tags) = tags {
        take_tags(gather, work, tags);
    }
    if let Some(feed) = feed {
        take_feed(gather, work, feed);
    }
}

async fn read_tags(gather: &Gather<'_>, work: &mut Work) {
    if wants_tags(gather, work) {
        let tags = gather.env.remote.tags(&work.repository).await;
        take_tags(gather, work, tags);
    }
}

async fn read_feed(gather: &Gather<'_>, work: &mut Work) {
    if wants_feed(gather, work) {
        let validator = feed_validator(work);
        let feed = gather.env.remote.feed(&work.repository, validator.as_ref()).await;
        take_feed(gather, work, feed);
    }
}

fn take_tags(gather: &Gather<'_>, work: &mut Work, tags: Result<Tags, Error>) {
    let now = gather.env.now();
    let facts = &mut work.stored.facts;
    if let (Some(before), Ok(tags)) = (facts.tags.known(), &tags) {
        // Only a tag that an earlier reading lacked is known to be new.
        let old: HashSet<&str> = before.list.iter().map(|tag| &*tag.name).collect();
        let seen: HashSet<&str> = tags.list.iter().map(|tag| &*tag.name).collect();
        let new = tags.list.iter().filter(|tag| !old.contains(&*tag.name));
        let new: Vec<Box<str>> = new.map(|tag| tag.name.clone()).collect();
        facts.first_seen.retain(|tag, _| seen.contains(&**tag));
        for tag in new {
            facts.first_seen.entry(tag).or_insert(now);
        }
    }
    facts.tags = observed(tags, now);
    work.was_read = true;
}

fn feed_validator(work: &Work) -> Option<Validator> {
    // Without the old value a "not modified" would say nothing.
    work.stored.facts.feed.known()?;
    let bytes = work.stored.validators.get(FEED)?;
    serde_json::from_slice(bytes).ok()
}

fn take_feed(gather: &Gather<'_>, work: &mut Work, feed: Result<Fetched<Feed>, Error>) {
    let now = gather.env.now();
    work.was_read = true;
    let facts = &mut work.stored.facts;
    match feed {
        Ok(Fetched::NotModified) => {
            if let Observed::Known { at, .. } = &mut facts.feed {
                *at = now;
            }
        }
        Ok(Fetched::New { value, validator }) => {
            facts.first_repository_id = facts.first_repository_id.or(value.repository_id);
            facts.last_repository_id = value.repository_id.or(facts.last_repository_id);
            facts.feed = Observed::Known { value, at: now };
            let bytes = validator.and_then(|validator| serde_json::to_vec(&validator).ok());
            match bytes {
                Some(bytes) => work.stored.validators.insert(FEED.into(), bytes),
                None => work.stored.validators.remove(FEED),
            };
        }
        Err(error) => facts.feed = observed(Err(error), now),
    }
}

/// Where the whole first page is missing here, the publish times go on behind it.
async fn more_pages(gather: &Gather<'_>, work: &mut Work) {
    let facts = &work.stored.facts;
    let (Observed::Known { value: feed, at }, Some(tags)) = (&facts.feed, facts.tags.known()) else { return };
    if Some(*at) != facts.tags.at() || !work.was_read {
        return;
    }
    let missing: HashSet<Box<str>> = work
        .places
        .iter()
        .flat_map(|place| {
            let row = gather.row(*place);
            missing_tags(row.kind(), row.shape.version_list(), tags)
        })
        .map(|tag| tag.name.clone())
        .collect();
    let unknown = |entry: &crate::registry::FeedEntry| missing.contains(&entry.tag);
    // A feed that is longer was read on before, and has not changed since: it would grow with every survey.
    let is_full_page = feed.entries.len() == PAGE && feed.entries.iter().all(unknown);
    let dated = feed.entries.len();
    if !is_full_page || missing.len() <= dated {
        return;
    }
    let (feed, at) = (feed.clone(), *at);
    if let Ok(longer) = gather.env.remote.feed_pages(&work.repository, feed, unknown, MORE_PAGES).await {
        work.stored.facts.feed = Observed::Known { value: longer, at };
    }
}
