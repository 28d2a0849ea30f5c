//! A recorded lock against what is known of its version: what each hash belongs to, and how each platform would fare.
//!
//! A hash that matches nothing is called foreign only if everything that it could be is known: a zh needs SHA256SUMS, since
//! older clients lock its lines, an h1 needs every archive. Else it is not known.

use std::collections::{BTreeSet, HashMap};

use crate::registry::{Address, ProviderVersion, Target};
use crate::rules::anatomy::parse_sums;
use crate::rules::client::{Chain, Ends, Fetched, Ruling, StepName};
use crate::rules::lock::hash::zh;
use crate::rules::lock::{LockBlock, Place, Scheme, Spanned};
use crate::rules::verify::{Row, Zip};

/// What is known of the version that a block locks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    pub(crate) version: &'a ProviderVersion,
    pub(crate) rows: &'a [Row],
    pub(crate) sums: &'a Fetched<String>,
    pub(crate) chain: &'a Chain,
    /// The platforms that are asked about; all of the version's if empty.
    pub(crate) asked: &'a [String],
    /// False: nobody wanted archives to be read.
    pub(crate) reads_archives: bool,
}

/// One block, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockCheck {
    pub(crate) address: Address,
    pub(crate) version: Spanned,
    pub(crate) hashes: Vec<HashCheck>,
    pub(crate) platforms: Vec<PlatformCheck>,
    /// False: nobody wanted archives to be read.
    pub(crate) reads_archives: bool,
}

/// One recorded hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HashCheck {
    pub(crate) hash: Spanned,
    pub(crate) is: HashIs,
}

/// What a recorded hash is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HashIs {
    /// Of this target, by the registry and by the archive itself.
    Target { target: String },
    /// Of this target, by the registry; its archive was not read.
    Stored { target: String },
    /// Of another file that SHA256SUMS names, such as the manifest: older clients lock these too.
    OtherFile { name: String },
    /// The h1 of this target's package as root unpacks it. Other users cannot install it because of its permissions.
    RootsAlone { target: String },
    /// Of what the registry has stored, and upstream serves another archive today.
    Outdated { target: String },
    /// The registry's h1 of this target, whose archive is the one that is stored and has another h1.
    StoredWrong { target: String },
    /// Of what upstream serves today, and the registry has stored another one.
    NotStored { target: String },
    /// Of nothing that belongs to this version.
    Foreign,
    /// Of a scheme that nobody knows; kept, and of no use.
    UnknownScheme,
    /// It is no hash: why.
    Malformed(&'static str),
    /// Of nothing that is known, and not all is: what is missing.
    NotKnown(String),
}

impl HashIs {
    /// Whether it should not be recorded.
    pub(crate) fn is_wrong(&self) -> bool {
        match self {
            Self::Outdated { .. }
            | Self::StoredWrong { .. }
            | Self::NotStored { .. }
            | Self::Foreign
            | Self::Malformed(_) => true,
            Self::Target { .. }
            | Self::Stored { .. }
            | Self::OtherFile { .. }
            | Self::RootsAlone { .. }
            | Self::UnknownScheme
            | Self::NotKnown(_) => false,
        }
    }
}

/// How one platform would fare with the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlatformCheck {
    pub(crate) target: String,
    pub(crate) fares: Fares,
    /// Schemes that this platform's package has a hash of and the lock has not.
    pub(crate) missing: Vec<Scheme>,
}

/// What `tofu init` would do on a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fares {
    /// A recorded hash is that of the archive.
    Installs,
    /// A recorded hash is that of the registry; the archive was not read: why.
    Fits(String),
    /// The lock has no hash to compare with, and any package is taken.
    Unprotected,
    /// It refuses: why.
    Refused(String),
    NotKnown(String),
}

/// Hashes of one target from one source.
#[derive(Default)]
struct Hashes {
    zh: String,
    h1: Vec<String>,
}

impl Hashes {
    fn has(&self, hash: &str) -> bool {
        self.zh == hash || self.h1.iter().any(|h1| h1 == hash)
    }
}

/// What is known of one target.
struct Side<'a> {
    target: String,
    filename: &'a str,
    stored: Hashes,
    /// Of the archive; `None`: it was not read.
    zip: Option<Hashes>,
    /// The h1 of the package, if only root can unpack it.
    as_root: Option<&'a str>,
    /// Whether all h1 of the archive are known.
    knows_h1: bool,
    unread: String,
}

/// The lines of SHA256SUMS; the error says why it was not read.
type Listed = Result<Lines, String>;

struct Lines {
    /// The file that is named with each zh; the first of those with the same.
    names: HashMap<String, String>,
    /// The zh that clients compare a file with: the first that it is named with.
    firsts: HashMap<String, String>,
}

impl Lines {
    fn of(text: &str) -> Self {
        // The first line counts: it is put in last.
        let lines: Vec<(String, String)> =
            parse_sums(text).into_iter().rev().map(|(name, sum)| (name, zh(&sum))).collect();
        let names = lines.iter().map(|(name, zh)| (zh.clone(), name.clone())).collect();
        Self { names, firsts: lines.into_iter().collect() }
    }
}

/// What a block records, as far as a platform is concerned.
struct Recorded<'a> {
    hashes: BTreeSet<&'a str>,
    protects: bool,
    /// An h1 of which nobody knows whose it is: it may be that of any package that was not read.
    has_open_h1: bool,
}

/// Checks one block.
pub(crate) fn check(block: &LockBlock, known: &Known<'_>) -> BlockCheck {
    let sides: Vec<Side<'_>> = known.version.targets.iter().map(|target| side(target, known)).collect();
    // A file may have thousands of hashes that are not known at once.
    let sums = match known.sums {
        Fetched::Got(text) => Ok(Lines::of(text)),
        Fetched::Missing => Err("SHA256SUMS is gone".to_owned()),
        Fetched::Unread(why) => Err(format!("SHA256SUMS could not be read: {why}")),
    };
    let hashes: Vec<HashCheck> = block
        .hashes
        .iter()
        .map(|hash| HashCheck { hash: hash.clone(), is: what(&hash.text, &sides, &sums) })
        .collect();
    let recorded = Recorded {
        hashes: block.hashes.iter().map(|hash| hash.text.as_str()).collect(),
        // Clients compare with the schemes that they know, and with nothing if there is none of these.
        protects: block.hashes.iter().any(|hash| Scheme::is_compared(&hash.text)),
        has_open_h1: hashes.iter().any(|check| {
            matches!(check.is, HashIs::NotKnown(_)) && Scheme::of(&check.hash.text) == Ok(Scheme::H1)
        }),
    };
    let stored: Vec<String> = known.version.targets.iter().map(Target::platform).collect();
    let wanted = if known.asked.is_empty() { &stored[..] } else { known.asked };
    let platforms = wanted.iter().map(|target| {
        let side = sides.iter().find(|side| side.target == *target);
        platform(target, side, &recorded, known.chain)
    });
    BlockCheck {
        address: block.address.clone(),
        version: block.version.clone(),
        platforms: platforms.collect(),
        reads_archives: known.reads_archives,
        hashes,
    }
}

impl BlockCheck {
    /// Where the block's version stands.
    pub(crate) fn at(&self) -> Place {
        self.version.at
    }
}

fn side<'a>(target: &'a Target, known: &Known<'a>) -> Side<'a> {
    let platform = target.platform();
    let row = known.rows.iter().find(|row| row.target == platform && row.version == known.version.version);
    let stored = Hashes {
        zh: zh(&target.shasum),
        h1: target.h1.iter().filter(|h1| !h1.is_empty()).cloned().collect(),
    };
    let computed = match row.map(|row| &row.zip) {
        Some(Zip::Hashed(computed)) => Some(computed),
        _ => None,
    };
    let zip = computed.map(|computed| Hashes {
        zh: zh(&computed.sha256),
        h1: computed.h1.iter().chain(&computed.h1_installed).cloned().collect(),
    });
    let unread = match row.map(|row| &row.zip) {
        Some(Zip::Failed { why } | Zip::Skipped { why }) => why.clone(),
        Some(Zip::Gone) => "its archive is gone".to_owned(),
        _ => "its archive was not downloaded".to_owned(),
    };
    let knows_h1 = computed.is_some_and(|computed| computed.h1.is_some());
    let as_root = computed.and_then(|computed| computed.h1_as_root.as_deref());
    Side { target: platform, filename: &target.filename, stored, zip, as_root, knows_h1, unread }
}

fn what(hash: &str, sides: &[Side<'_>], sums: &Listed) -> HashIs {
    let scheme = match Scheme::of(hash) {
        Err(why) => return HashIs::Malformed(why),
        Ok(Scheme::Other) => return HashIs::UnknownScheme,
        Ok(scheme) => scheme,
    };
    if let Some(is) = of_targets(hash, sides) {
        return is;
    }
    match scheme {
        Scheme::Zh => of_sums(hash, sides, sums),
        _ => match sides.iter().find(|side| !side.knows_h1) {
            None => HashIs::Foreign,
            Some(side) => HashIs::NotKnown(format!(
                "it may be of a package that was not read, such as {} ({})",
                side.target, side.unread
            )),
        },
    }
}

/// The best that a hash is of any target: what one has stored and has today comes before what another has of only one of both.
fn of_targets(hash: &str, sides: &[Side<'_>]) -> Option<HashIs> {
    let is_zips = |side: &Side<'_>| side.zip.as_ref().is_some_and(|zip| zip.has(hash));
    let has_same = |side: &Side<'_>| side.zip.as_ref().is_some_and(|zip| zip.zh == side.stored.zh);
    let find = |wanted: &dyn Fn(&Side<'_>) -> bool| {
        sides.iter().find(|side| wanted(side)).map(|side| side.target.clone())
    };
    // Of the stored archive an h1 is proven, whatever is stored for it; and what was packed anew may have the same content.
    if let Some(target) = find(&|side| is_zips(side) && (has_same(side) || side.stored.has(hash))) {
        return Some(HashIs::Target { target });
    }
    let is_open = |side: &Side<'_>| side.zip.is_none() || has_same(side) && !side.knows_h1;
    if let Some(target) = find(&|side| side.stored.has(hash) && is_open(side)) {
        return Some(HashIs::Stored { target });
    }
    if let Some(target) = find(&|side| side.stored.has(hash) && !has_same(side)) {
        return Some(HashIs::Outdated { target });
    }
    if let Some(target) = find(&|side| side.stored.has(hash)) {
        return Some(HashIs::StoredWrong { target });
    }
    let is_roots = |side: &Side<'_>| side.as_root == Some(hash);
    if let Some(target) = find(&|side| is_roots(side) && has_same(side)) {
        return Some(HashIs::RootsAlone { target });
    }
    find(&|side| is_zips(side) || is_roots(side)).map(|target| HashIs::NotStored { target })
}

/// A zh that no target has: it may stand for another file of the release.
fn of_sums(hash: &str, sides: &[Side<'_>], sums: &Listed) -> HashIs {
    let sums = match sums {
        Ok(sums) => sums,
        Err(why) => {
            let why = format!("it may be of another file of the release, and {why}");
            return HashIs::NotKnown(why);
        }
    };
    let Some(name) = sums.names.get(hash) else { return HashIs::Foreign };
    // Of a file that is named twice clients lock both sums, and compare it with the first.
    let is_fine = |side: &&Side<'_>| sums.firsts.get(name) == Some(&side.stored.zh);
    match sides.iter().find(|side| side.filename == name) {
        Some(side) if !is_fine(&side) => HashIs::NotStored { target: side.target.clone() },
        Some(_) | None => HashIs::OtherFile { name: name.clone() },
    }
}

/// Whether a step that is not known leaves open how a platform fares, whatever hash is recorded. Of an archive that was not read
/// its own steps say nothing that is not told otherwise.
fn leaves_open(step: StepName, is_read: bool) -> bool {
    match step {
        StepName::Listing
        | StepName::Protocol
        | StepName::Platform
        | StepName::Checksums
        | StepName::SignatureFile
        | StepName::ChecksumList
        | StepName::Signature => true,
        StepName::Archive | StepName::ArchiveSum | StepName::Unpacking | StepName::Binary => is_read,
        // That nobody has stored a size, or an h1, says nothing of what was verified.
        StepName::Package | StepName::LockFile => false,
    }
}

fn platform(target: &str, side: Option<&Side<'_>>, recorded: &Recorded<'_>, chain: &Chain) -> PlatformCheck {
    let Some(side) = side else {
        let fares = Fares::Refused("platform not supported: the version has no such target".to_owned());
        return PlatformCheck { target: target.to_owned(), fares, missing: Vec::new() };
    };
    let best = side.zip.as_ref().unwrap_or(&side.stored);
    let has = |hash: &String| recorded.hashes.contains(hash.as_str());
    let has_h1 = best.h1.iter().any(has);
    let mut missing = Vec::new();
    if !best.h1.is_empty() && !has_h1 {
        missing.push(Scheme::H1);
    }
    if !has(&best.zh) {
        missing.push(Scheme::Zh);
    }
    let mut not_known = chain.ruled(target, Ruling::NotKnown).into_iter().flatten();
    let open = not_known.find(|step| leaves_open(step.name, side.zip.is_some()));
    let fares = if let Some(Ends::Fails(step)) = chain.ends(target) {
        Fares::Refused(format!("clients refuse the package: {}", step.gist()))
    } else if !recorded.protects {
        Fares::Unprotected
    } else if let Some(step) = open {
        Fares::NotKnown(step.gist().to_owned())
    } else if has_h1 || has(&best.zh) {
        if side.zip.is_some() { Fares::Installs } else { Fares::Fits(side.unread.clone()) }
    } else if recorded.has_open_h1 && !side.knows_h1 {
        // Its h1 may be recorded without anybody knowing it.
        Fares::NotKnown(format!("no recorded hash is known to be its own: {}", side.unread))
    } else {
        Fares::Refused("no recorded hash is that of its package".to_owned())
    };
    PlatformCheck { target: side.target.clone(), fares, missing }
}
