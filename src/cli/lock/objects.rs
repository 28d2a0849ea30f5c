//! The objects that `lock` prints for scripts: types `lock` and `lock-block`.

use serde::Serialize;

use crate::jobs::data::LockedVersion;
use crate::registry::Address;
use crate::rules::client::{Chain, Ends, Step};
use crate::rules::lock::{BlockCheck, Fares, HashCheck, HashIs, Offer, PlatformCheck, Refusal, Scheme};

/// One version, type `lock`.
#[derive(Serialize)]
pub(crate) struct LockObject<'a> {
    address: &'a Address,
    /// As stored.
    version: &'a str,
    /// As the block has it.
    locked_version: &'a str,
    /// The text of the block; null if it is not printed.
    block: Option<&'a str>,
    targets: Vec<TargetObject<'a>>,
    /// The steps of `tofu init`, in its order.
    steps: Vec<StepObject<'a>>,
    /// The hashes that a client locks by itself, unverified, if it installs at all.
    recorded: RecordedObject<'a>,
}

#[derive(Serialize)]
struct RecordedObject<'a> {
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
struct TargetObject<'a> {
    target: &'a str,
    /// Verified hashes; empty where `left_out` says why.
    hashes: &'a [String],
    left_out: Option<&'a Refusal>,
    /// `installs`, `warns`, `not-known` or `fails`; null where nothing is known of the target.
    init: Option<&'static str>,
    /// The step that decides it.
    step: Option<&'static str>,
}

#[derive(Serialize)]
struct StepObject<'a> {
    step: &'static str,
    /// `pass`, `warn`, `not-known` or `fail`.
    ruling: &'static str,
    /// Null: a step of the whole version.
    targets: Option<Vec<&'a str>>,
    text: &'a str,
}

impl<'a> LockObject<'a> {
    pub(crate) fn new(locked: &'a LockedVersion, block: Option<&'a str>) -> Self {
        Self {
            address: &locked.address,
            version: &locked.version,
            locked_version: &locked.normal,
            block,
            targets: locked.offers.iter().map(|offer| TargetObject::new(offer, &locked.chain)).collect(),
            steps: locked.chain.by_step().into_iter().map(StepObject::new).collect(),
            recorded: RecordedObject {
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

impl<'a> TargetObject<'a> {
    fn new(offer: &'a Offer, chain: &'a Chain) -> Self {
        let (init, step) = match chain.ends(&offer.target) {
            None => (None, None),
            Some(Ends::Installs) => (Some("installs"), None),
            Some(Ends::Warns(step)) => (Some("warns"), Some(step.name.name())),
            Some(Ends::NotKnown(step)) => (Some("not-known"), Some(step.name.name())),
            Some(Ends::Fails(step)) => (Some("fails"), Some(step.name.name())),
        };
        let left_out = offer.hashes.as_ref().err();
        let hashes = offer.hashes.as_deref().unwrap_or_default();
        Self { target: &offer.target, hashes, left_out, init, step }
    }
}

impl<'a> StepObject<'a> {
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
pub(crate) struct BlockObject<'a> {
    address: &'a Address,
    version: &'a str,
    line: usize,
    platforms: Vec<PlatformObject<'a>>,
    hashes: Vec<HashObject<'a>>,
}

#[derive(Serialize)]
struct PlatformObject<'a> {
    target: &'a str,
    /// `installs`, `fits`, `unprotected`, `refused` or `not-known`.
    fares: &'static str,
    why: Option<&'a str>,
    /// Schemes of which the lock has no hash.
    missing: Vec<&'static str>,
}

#[derive(Serialize)]
struct HashObject<'a> {
    hash: &'a str,
    line: usize,
    column: usize,
    /// `target`, `stored`, `other-file`, `root`, `outdated`, `stored-wrong`, `not-stored`, `foreign`, `unknown-scheme`, `malformed`
    /// or `not-known`.
    is: &'static str,
    /// The target or file that it belongs to.
    of: Option<&'a str>,
    why: Option<&'a str>,
}

impl<'a> BlockObject<'a> {
    pub(crate) fn new(block: &'a BlockCheck) -> Self {
        Self {
            address: &block.address,
            version: &block.version.text,
            line: block.version.at.line,
            platforms: block.platforms.iter().map(PlatformObject::new).collect(),
            hashes: block.hashes.iter().map(HashObject::new).collect(),
        }
    }
}

impl<'a> PlatformObject<'a> {
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

impl<'a> HashObject<'a> {
    fn new(check: &'a HashCheck) -> Self {
        let (is, of, why) = match &check.is {
            HashIs::Target { target } => ("target", Some(target), None),
            HashIs::Stored { target } => ("stored", Some(target), None),
            HashIs::OtherFile { name } => ("other-file", Some(name), None),
            HashIs::RootsAlone { target } => ("root", Some(target), None),
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
