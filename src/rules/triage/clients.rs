//! Refusals of clients in a triage, from the data file and from the served documents. They come before anything else
//! about the provider, and exclude "clients can install it".

use crate::registry::keys::KeyFile;
use crate::registry::version::trim_v;
use crate::registry::{Address, Entry, Kind, ProviderEntry};
use crate::rules::Status;
use crate::rules::client::{Refusal, refusal};
use crate::rules::signature::{KeyRing, ReadFile};
use crate::rules::triage::{Case, Decision, Rung, Standing, Upstream};

/// A refusal, and the place where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// In the registry's data file.
    Stored(Refusal),
    /// In the answer of the registry's API, while the data file has no such fault.
    Served(Refusal),
    /// In an entry whose pages the registry copies to the requested address, or in the copied pages.
    Copied(Refusal),
}

impl Found {
    /// The sentence, which also names the API if the fault is not in the data file.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Stored(refusal) | Self::Copied(refusal) => refusal.text(),
            Self::Served(refusal) => {
                format!("{}; the data has no such fault, what is served has", refusal.text())
            }
        }
    }

    pub(super) fn decision(&self) -> Decision {
        let (refusal, rung) = match self {
            Self::Stored(refusal) => (refusal, Rung::Dataset),
            Self::Served(refusal) | Self::Copied(refusal) => (refusal, Rung::Served),
        };
        let status = if refusal.is_of_provider() {
            Status::ListUnreadable
        } else if refusal.fault.is_unfilled() && rung == Rung::Dataset {
            Status::SizeMissing
        } else {
            Status::ClientsRefuse
        };
        (Standing::Is(status), self.text(), rung)
    }
}

/// A list of versions that no client can read, which hides every version of the provider.
pub(super) fn of_list(case: &Case<'_>, upstream: &Upstream<'_>) -> Option<Found> {
    if let Some(refusal) = stored_list(case) {
        return Some(Found::Stored(refusal));
    }
    let listed = upstream.serving.listed.known().filter(|_| case.address.kind() == Kind::Provider)?;
    refusal::of_list(listed.iter().map(String::as_str)).map(Found::Served)
}

/// Returns the refusal that affects a provider whose pages the registry copies from `source`.
pub(super) fn of_copy(case: &Case<'_>, upstream: &Upstream<'_>, source: &Address) -> Option<Found> {
    let stored = case.catalog.find(source).and_then(|row| refusal::of_list(row.shape.version_list()));
    let served = || of_list(case, upstream).or_else(|| of_document(case, upstream));
    match stored.map(Found::Copied).or_else(served)? {
        Found::Stored(refusal) | Found::Served(refusal) | Found::Copied(refusal) => {
            Some(Found::Copied(refusal))
        }
    }
}

/// A fault of the stored list of versions in the data file alone.
pub(super) fn stored_list(case: &Case<'_>) -> Option<Refusal> {
    let entry = case.entry().and_then(Entry::as_provider)?;
    refusal::of_list(entry.versions.iter().map(|version| version.version.as_str()))
}

/// The refusal of one indexed version in the data file.
pub(super) fn stored_version(case: &Case<'_>, version: &str) -> Option<Refusal> {
    let entry = case.entry().and_then(Entry::as_provider)?;
    of_version(entry, version)
}

fn of_version(entry: &ProviderEntry, version: &str) -> Option<Refusal> {
    let stored = entry.versions.iter().find(|one| trim_v(&one.version) == trim_v(version))?;
    refusal::of_version(entry, stored).into_iter().next()
}

/// The refusal of the served download document, if the data file is not the cause.
pub(super) fn of_document(case: &Case<'_>, upstream: &Upstream<'_>) -> Option<Found> {
    let serving = upstream.serving;
    let (version, target) = serving.subject.as_ref()?;
    if stored_version(case, version).is_some() {
        return None;
    }
    let document = serving.download.known()?.as_ref()?;
    let platform = target.as_ref()?.split_once('_')?;
    let refusals = refusal::of_document(version, platform, document);
    let unusable = || {
        let files = document.keys.iter().enumerate().map(|(at, armor)| KeyFile {
            path: format!("served key {}", at + 1),
            text: armor.clone().into_bytes(),
        });
        let ring = KeyRing::read(&files.collect::<Vec<_>>());
        let why = ring.files().iter().find_map(ReadFile::refused_by_clients)?;
        Some(refusal::key(version, &why))
    };
    refusals.into_iter().next().or_else(unusable).map(Found::Served)
}

/// The next step if the data file is right but the served documents are wrong.
pub(super) const DEPLOY: &str =
    "run the deploy of recent changes; if the answer stays so after it, clear the cache in front of it";
