//! What a client does with a version, and what is in a lock file: types `lock`, `lock-block`, `finding`.

use serde::Serialize;

use crate::jobs::LockedVersion;
use crate::rules::client::{Chain, Ends, Step};
use crate::rules::lock::{
    BlockCheck, Fares, FoundAt, HashCheck, HashIs, Offer, PlatformCheck, Refusal, Scheme,
};

/// One version, type `lock`.
#[derive(Serialize)]
pub(crate) struct LockLine<'a> {
    address: String,
    /// As stored.
    version: &'a str,
    /// As the block has it.
    locked_version: &'a str,
    /// The text of the block; null if it is not printed.
    block: Option<&'a str>,
    targets: Vec<TargetLine<'a>>,
    /// What `tofu init` does, in its order.
    steps: Vec<StepLine<'a>>,
    /// What a client locks by itself, unverified, if it installs at all.
    recorded: RecordedLine<'a>,
}

#[derive(Serialize)]
struct RecordedLine<'a> {
    /// On every platform.
    everywhere: &'a [String],
    /// On every platform, of files in SHA256SUMS that are no archive of a target.
    other_files: &'a [String],
    /// On one platform alone.
    besides: Vec<Besides<'a>>,
}

#[derive(Serialize)]
struct Besides<'a> {
    target: &'a str,
    hash: &'a str,
}

#[derive(Serialize)]
struct TargetLine<'a> {
    target: &'a str,
    /// Verified hashes; empty where `left_out` says why.
    hashes: &'a [String],
    left_out: Option<LeftOut<'a>>,
    /// `installs`, `warns`, `not-known` or `fails`; null where nothing is known of the target.
    init: Option<&'static str>,
    /// The step that decides it.
    step: Option<&'static str>,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    /// `wrong` or `not-read`.
    why: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct StepLine<'a> {
    step: &'static str,
    /// `pass`, `warn`, `not-known` or `fail`.
    ruling: &'static str,
    /// Null: a step of the whole version.
    targets: Option<Vec<&'a str>>,
    text: &'a str,
}

impl<'a> LockLine<'a> {
    pub(crate) fn new(locked: &'a LockedVersion, block: Option<&'a str>) -> Self {
        Self {
            address: locked.address.to_string(),
            version: &locked.version,
            locked_version: &locked.normal,
            block,
            targets: locked.offers.iter().map(|offer| TargetLine::new(offer, &locked.chain)).collect(),
            steps: locked.chain.by_step().into_iter().map(StepLine::new).collect(),
            recorded: RecordedLine {
                everywhere: &locked.recorded.everywhere,
                other_files: &locked.recorded.other_files,
                besides: locked
                    .recorded
                    .besides
                    .iter()
                    .map(|(target, hash)| Besides { target, hash })
                    .collect(),
            },
        }
    }
}

impl<'a> TargetLine<'a> {
    fn new(offer: &'a Offer, chain: &'a Chain) -> Self {
        let (init, step) = match chain.ends(&offer.target) {
            None => (None, None),
            Some(Ends::Installs) => (Some("installs"), None),
            Some(Ends::Warns(step)) => (Some("warns"), Some(step.name.name())),
            Some(Ends::NotKnown(step)) => (Some("not-known"), Some(step.name.name())),
            Some(Ends::Fails(step)) => (Some("fails"), Some(step.name.name())),
        };
        let left_out = offer.hashes.as_ref().err().map(|refusal| LeftOut {
            why: if matches!(refusal, Refusal::Wrong(_)) { "wrong" } else { "not-read" },
            text: refusal.text(),
        });
        let hashes = offer.hashes.as_deref().unwrap_or_default();
        Self { target: &offer.target, hashes, left_out, init, step }
    }
}

impl<'a> StepLine<'a> {
    fn new((targets, step): (Vec<&'a str>, &'a Step)) -> Self {
        Self {
            step: step.name.name(),
            ruling: step.ruling.name(),
            targets: (!targets.is_empty()).then_some(targets),
            text: &step.text,
        }
    }
}

/// One block of a lock file, type `lock-block`.
#[derive(Serialize)]
pub(crate) struct BlockLine<'a> {
    address: String,
    version: &'a str,
    line: usize,
    platforms: Vec<PlatformLine<'a>>,
    hashes: Vec<HashLine<'a>>,
}

#[derive(Serialize)]
struct PlatformLine<'a> {
    target: &'a str,
    /// `installs`, `fits`, `unprotected`, `refused` or `not-known`.
    fares: &'static str,
    why: Option<&'a str>,
    /// Schemes of which the lock has no hash.
    missing: Vec<&'static str>,
}

#[derive(Serialize)]
struct HashLine<'a> {
    hash: &'a str,
    line: usize,
    column: usize,
    /// `target`, `stored`, `other-file`, `outdated`, `stored-wrong`, `not-stored`, `foreign`, `unknown-scheme`, `malformed` or
    /// `not-known`.
    is: &'static str,
    /// The target or file that it belongs to.
    of: Option<&'a str>,
    why: Option<&'a str>,
}

impl<'a> BlockLine<'a> {
    pub(crate) fn new(block: &'a BlockCheck) -> Self {
        Self {
            address: block.address.to_string(),
            version: &block.version.text,
            line: block.version.at.line,
            platforms: block.platforms.iter().map(PlatformLine::new).collect(),
            hashes: block.hashes.iter().map(HashLine::new).collect(),
        }
    }
}

impl<'a> PlatformLine<'a> {
    fn new(platform: &'a PlatformCheck) -> Self {
        let (fares, why) = match &platform.fares {
            Fares::Installs => ("installs", None),
            Fares::Fits(why) => ("fits", Some(why.as_str())),
            Fares::Unprotected => ("unprotected", None),
            Fares::Refused(why) => ("refused", Some(why.as_str())),
            Fares::NotKnown(why) => ("not-known", Some(why.as_str())),
        };
        let missing = platform.missing.iter().copied().map(Scheme::name).collect();
        Self { target: &platform.target, fares, why, missing }
    }
}

impl<'a> HashLine<'a> {
    fn new(check: &'a HashCheck) -> Self {
        let (is, of, why) = match &check.is {
            HashIs::Target { target } => ("target", Some(target), None),
            HashIs::Stored { target } => ("stored", Some(target), None),
            HashIs::OtherFile { name } => ("other-file", Some(name), None),
            HashIs::Outdated { target } => ("outdated", Some(target), None),
            HashIs::StoredWrong { target } => ("stored-wrong", Some(target), None),
            HashIs::NotStored { target } => ("not-stored", Some(target), None),
            HashIs::Foreign => ("foreign", None, None),
            HashIs::UnknownScheme => ("unknown-scheme", None, None),
            HashIs::Malformed(why) => ("malformed", None, Some(*why)),
            HashIs::NotKnown(why) => ("not-known", None, Some(why.as_str())),
        };
        let (of, at) = (of.map(String::as_str), check.hash.at);
        Self { hash: &check.hash.text, line: at.line, column: at.column, is, of, why }
    }
}

/// One finding of a lock file, type `finding`.
#[derive(Serialize)]
pub(crate) struct LockFinding<'a> {
    path: &'a str,
    line: usize,
    column: usize,
    severity: &'static str,
    rule: &'a str,
    version: Option<&'a str>,
    text: &'a str,
}

impl<'a> LockFinding<'a> {
    pub(crate) fn new(path: &'a str, found: &'a FoundAt) -> Self {
        Self {
            path,
            line: found.at.line,
            column: found.at.column,
            severity: found.finding.severity.name(),
            rule: found.finding.rule,
            version: found.finding.version.as_deref(),
            text: &found.finding.text,
        }
    }
}
