//! The gate of `registry.md#the-first-design`: a provider is rebuilt only if the newest version in its feed is not
//! indexed. Kept to compare, and to spend the fewest requests; what it cannot see is said with the verdict.

use crate::registry::{Facts, Feed, Shape};
use crate::rules::judge::{Case, bare, clients, tag_version};
use crate::rules::{Because, Depth, Finding, Source, Status, Verdict};

/// The newest feed entry whose tag is a semantic version with a `v`.
fn newest(feed: &Feed) -> Option<&str> {
    let mut tags = feed.entries.iter().map(|entry| &*entry.tag).filter(|tag| tag.starts_with('v'));
    tags.find_map(tag_version)
}

/// Whether the gate keeps an entry out: its newest feed version is indexed, or there is none.
pub(crate) fn feed_gate_holds(shape: &Shape, feed: &Feed) -> bool {
    newest(feed).is_none_or(|newest| shape.version_list().any(|version| version == newest))
}

/// The verdict of an entry that the gate kept out.
pub(crate) fn judge_gated(case: &Case<'_>, facts: &Facts) -> Verdict {
    let newest = facts.feed.known().and_then(newest);
    let text = match newest {
        Some(newest) => format!("{newest}, the newest version in the feed, is indexed"),
        None => "the feed has no version tag".to_owned(),
    };
    let because = Because { text, source: Source::Feed, at: facts.feed.at() };
    let blind = "the feed gate compares only the newest entry: older lines, gone tags and tags without a release were not looked at";
    let verdict = Verdict {
        depth: Some(Depth::Feed),
        findings: vec![Finding::note("gate-feed", blind)],
        highest_upstream: newest.map(Into::into),
        ..bare(case, Status::Current, because)
    };
    clients::overrule(case, verdict)
}
