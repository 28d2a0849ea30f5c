//! What a checked lock comes to, in findings with their places. Errors are what stops an installation or should not be
//! there; what merely makes tools rewrite the file is a note.

use serde::Serialize;

use crate::registry::Catalog;
use crate::rules::Finding;
use crate::rules::lock::{
    BlockCheck, Fares, HOST, HashCheck, HashIs, LockBlock, Place, PlatformCheck, Scheme, SkippedBlock,
};
use crate::rules::suggestion::Suggestions;

/// Namespaces in which the registry also serves copies of archived providers' successors
/// (`registry.md#copies-of-archived-providers`).
const COPIED: [&str; 2] = ["hashicorp", "opentofu"];

/// A finding, and where in the file it belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FoundAt {
    #[serde(flatten)]
    pub(crate) at: Place,
    #[serde(flatten)]
    pub(crate) finding: Finding,
}

/// A provider that the registry does not list.
pub(crate) fn no_provider(block: &LockBlock, catalog: &Catalog) -> FoundAt {
    let address = &block.address;
    let suggestions = Suggestions::of(address, catalog);
    let text = format!("the registry has no provider {address}");
    let sentence = suggestions.sentence(address).map(|text| format!("; {text}")).unwrap_or_default();
    let finding = if let Some(source) = &suggestions.copy_of {
        let text = format!("{text} of its own: it serves a copy of {source}; check it under that address");
        Finding::warning("lock-no-provider", text)
    } else if COPIED.contains(&address.namespace()) {
        let text = format!(
            "{text} of its own; if it serves one, that is a copy of another provider, which bumpdesk does not know{sentence}"
        );
        Finding::warning("lock-no-provider", text)
    } else {
        Finding::error("lock-no-provider", format!("{text}{sentence}"))
    };
    FoundAt { at: block.at, finding }
}

/// A version that the registry does not list.
pub(crate) fn no_version(block: &LockBlock) -> FoundAt {
    let text =
        format!("the registry has no version {} of {}: `tofu init` fails", block.version.text, block.address);
    FoundAt { at: block.version.at, finding: Finding::error("lock-no-version", text).on(&block.version.text) }
}

/// A version that the registry lists more than once.
pub(crate) fn listed_twice(block: &LockBlock) -> FoundAt {
    let version = &block.version;
    let text = format!(
        "the registry lists version {} of {} more than once and serves all of them at one place: it was not checked",
        version.text, block.address
    );
    FoundAt { at: version.at, finding: Finding::error("lock-version-twice", text).on(&version.text) }
}

/// A block about another registry.
pub(crate) fn skipped(block: &SkippedBlock) -> FoundAt {
    let text = format!("{} was not checked: only providers of {HOST} are listed here", block.source);
    FoundAt { at: block.at, finding: Finding::note("lock-other-host", text) }
}

impl BlockCheck {
    /// All findings of the block, in the order of the file; those about platforms stand at its version.
    pub(crate) fn findings(&self) -> Vec<FoundAt> {
        let version = self.version.text.as_str();
        let hashes = self.hashes.iter().filter_map(|check| {
            Some(FoundAt { at: check.hash.at, finding: self.of_hash(check)?.on(version) })
        });
        let platforms = self.of_platforms().into_iter();
        let platforms = platforms.map(|finding| FoundAt { at: self.at(), finding: finding.on(version) });
        platforms.chain(hashes).collect()
    }

    fn of_hash(&self, check: &HashCheck) -> Option<Finding> {
        let (address, version) = (&self.address, self.version.text.as_str());
        let hash = short(&check.hash.text);
        match &check.is {
            HashIs::Target { .. } | HashIs::Stored { .. } | HashIs::OtherFile { .. } => None,
            HashIs::RootsAlone { target } => Some(Finding::warning(
                "lock-hash-root",
                format!(
                    "{hash} is what root gets for {target}: permissions in its archive keep all other users from installing it"
                ),
            )),
            HashIs::Outdated { target } => Some(Finding::error(
                "lock-hash-outdated",
                format!(
                    "{hash} is what the registry has for {target}, and upstream serves another archive today"
                ),
            )),
            HashIs::StoredWrong { target } => Some(Finding::error(
                "lock-hash-wrong",
                format!(
                    "{hash} is the registry's h1 of {target}, but its archive has a different one: the registry's is wrong"
                ),
            )),
            HashIs::NotStored { target } => Some(Finding::error(
                "lock-hash-not-stored",
                format!(
                    "{hash} is what upstream has for {target} today, but the registry has a different one stored"
                ),
            )),
            HashIs::Foreign => Some(Finding::error(
                "lock-hash-foreign",
                format!(
                    "no target of {address} {version} has the hash {hash}: it was tampered with, or the version was released again"
                ),
            )),
            HashIs::UnknownScheme => Some(Finding::note(
                "lock-scheme-unknown",
                format!(
                    "{hash} has a scheme that today's clients do not know: it is kept, and nothing matches it"
                ),
            )),
            HashIs::Malformed(why) => {
                Some(Finding::error("lock-hash-malformed", format!("{hash} is not a hash: {why}")))
            }
            HashIs::NotKnown(why) => {
                Some(Finding::warning("lock-hash-not-known", format!("{hash} could not be matched: {why}")))
            }
        }
    }

    /// Platforms that fare alike make one finding.
    fn of_platforms(&self) -> Vec<Finding> {
        let mut refused: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut open: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut unread: Vec<(&str, Vec<&str>)> = Vec::new();
        for PlatformCheck { target, fares, .. } in &self.platforms {
            let (list, why) = match fares {
                Fares::Refused(why) => (&mut refused, why),
                Fares::NotKnown(why) => (&mut open, why),
                Fares::Fits(why) if self.reads_archives => (&mut unread, why),
                Fares::Installs | Fares::Fits(_) | Fares::Unprotected => continue,
            };
            match list.iter_mut().find(|(known, _)| known == why) {
                Some((_, targets)) => targets.push(target),
                None => list.push((why, vec![target])),
            }
        }
        let refused = refused.into_iter().map(|(why, targets)| {
            Finding::error("lock-platform", format!("cannot be installed on {}: {why}", targets.join(", ")))
        });
        let open = open.into_iter().map(|(why, targets)| {
            Finding::warning("lock-platform-not-known", format!("{}: {why}", targets.join(", ")))
        });
        let unread = unread.into_iter().map(|(why, targets)| {
            let text = format!(
                "the archives of {} were not read, so only the registry vouches for them: {why}",
                targets.join(", ")
            );
            Finding::warning("lock-not-read", text)
        });
        refused.chain(open).chain(unread).chain(self.unprotected()).chain(self.incomplete()).collect()
    }

    fn unprotected(&self) -> Option<Finding> {
        let is_open = self.platforms.iter().any(|platform| platform.fares == Fares::Unprotected);
        is_open.then(|| {
            let text =
                "it records no hash that clients compare: any package is taken, and its hashes are added";
            Finding::error("lock-no-hashes", text)
        })
    }

    /// Hashes that another tool would add: such a file flips with whoever touched it last.
    fn incomplete(&self) -> Option<Finding> {
        let lacking = |scheme: Scheme| {
            let lacks = self.platforms.iter().filter(|platform| {
                platform.missing.contains(&scheme)
                    && matches!(platform.fares, Fares::Installs | Fares::Fits(_))
            });
            let targets: Vec<&str> = lacks.map(|platform| platform.target.as_str()).collect();
            (!targets.is_empty()).then(|| format!("{} of {}", scheme.name(), targets.join(", ")))
        };
        let parts: Vec<String> = [Scheme::H1, Scheme::Zh].into_iter().filter_map(lacking).collect();
        (!parts.is_empty()).then(|| {
            let text = format!(
                "it lacks {}: a tool that knows them adds them, and one that does not removes them",
                parts.join(" and ")
            );
            Finding::note("lock-incomplete", text)
        })
    }
}

/// The beginning of a hash, enough to find it.
fn short(hash: &str) -> String {
    const SHOWN: usize = 19;
    if hash.chars().count() <= SHOWN + 4 {
        return hash.to_owned();
    }
    format!("{}…", hash.chars().take(SHOWN).collect::<String>())
}
