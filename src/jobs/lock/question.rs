//! Versions that are asked about: found in the registry, then read and verified together.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{Failure, FailureKind, LockPlan, LockWhat, Scope, Stop, Summary, Wanted};
use crate::jobs::fan::fan;
use crate::jobs::lock::documents;
use crate::jobs::lock::documents::Documents;
use crate::jobs::session::Session;
use crate::jobs::verify::verified;
use crate::registry::version::trim_v;
use crate::registry::{Address, ProviderEntry, ProviderVersion, Target, Version};
use crate::rules::client::{Chain, Seen};
use crate::rules::verify::Row;

/// Versions whose checksums are read at once; the lanes bound the requests.
const VERSIONS_AT_ONCE: usize = 8;

/// One version of an entry.
#[derive(Clone, Debug)]
pub(super) struct VersionToLock {
    pub(super) address: Address,
    pub(super) entry: Arc<ProviderEntry>,
    /// Its place in the entry.
    place: usize,
}

/// The result of looking for a version in an entry.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Version(VersionToLock),
    Nothing,
    /// More than one, as this is stored: which of them is served cannot be told.
    Twice(String),
}

/// Everything that is known of the versions that were asked about.
pub(super) struct Answered {
    pub(super) documents: Vec<Documents>,
    pub(super) rows: Vec<Row>,
    pub(super) summary: Summary,
}

impl VersionToLock {
    pub(super) fn version(&self) -> &ProviderVersion {
        &self.entry.versions[self.place]
    }

    /// The version as lock files write it.
    pub(super) fn normal(&self) -> String {
        let text = &self.version().version;
        Version::parse(text).map_or_else(|_| text.clone(), |version| version.padded())
    }

    /// Its rows among those of others.
    pub(super) fn rows(&self, rows: &[Row]) -> Vec<Row> {
        let own = |row: &&Row| row.address == self.address && row.version == self.version().version;
        rows.iter().filter(own).cloned().collect()
    }

    pub(super) fn chain(&self, plan: &LockPlan, documents: &Documents, rows: &[Row]) -> Chain {
        Chain::of(&Seen {
            address: &self.address,
            entry: &self.entry,
            version: self.version(),
            sums: &documents.sums,
            signature_file: &documents.signature_file,
            signature: &documents.signature,
            rows,
            asked: &plan.targets,
            policy: plan.policy,
        })
    }
}

/// The entry of a provider; `None` if the registry has none.
///
/// # Errors
/// Its file cannot be read.
pub(super) fn entry(session: &Session, address: &Address) -> Result<Option<Arc<ProviderEntry>>, Failure> {
    let Ok(places) = session.select(&Scope::Addresses(vec![address.clone()])) else { return Ok(None) };
    let entry = session.entry(&session.catalog.rows[places[0]]).map_err(|cause| {
        Failure::new(FailureKind::Data, format!("reading {address}"))
            .cause(cause)
            .hint("Fix the file at the place that is named.")
    })?;
    Ok(entry.as_provider().cloned().map(Arc::new))
}

/// The version that a text names: the one that clients get for it, else as it is stored, with or without `v`, or written in
/// full.
pub(super) fn find(address: &Address, entry: &Arc<ProviderEntry>, text: &str) -> Found {
    let stored = || entry.versions.iter().map(|version| version.version.as_str());
    let full = |text: &str| Version::parse(text).map(|version| version.padded()).ok();
    let wanted = full(text);
    let place = stored()
        .position(|stored| wanted.as_deref() == Some(stored))
        .or_else(|| stored().position(|stored| stored == text))
        .or_else(|| stored().position(|stored| trim_v(stored) == trim_v(text)))
        .or_else(|| stored().position(|stored| wanted.is_some() && full(stored) == wanted));
    let Some(place) = place else { return Found::Nothing };
    // The registry serves a version at a place whose letters are small.
    let version = &entry.versions[place].version;
    if stored().filter(|other| other.eq_ignore_ascii_case(version)).count() > 1 {
        return Found::Twice(version.clone());
    }
    Found::Version(VersionToLock { address: address.clone(), entry: Arc::clone(entry), place })
}

/// Reads and verifies the versions. The summary is empty if the job is cancelled.
pub(super) async fn answer(
    env: &Arc<Env>,
    context: &Context,
    session: &Session,
    plan: &LockPlan,
    versions: &[VersionToLock],
) -> Result<Answered, Stop> {
    let mut documents: Vec<Option<Documents>> = versions.iter().map(|_| None).collect();
    let read = |place: usize| async move {
        let keys = session.keys_of(&versions[place].address);
        (place, documents::read(env, versions[place].version(), &keys).await)
    };
    let put = |(place, read): (usize, Documents)| documents[place] = Some(read);
    fan(context, 0..versions.len(), VERSIONS_AT_ONCE, read, put).await?;
    let wanted = versions.iter().map(|one| {
        let version = Some(one.version().version.clone());
        Wanted { address: one.address.clone(), version }
    });
    let is_asked = |target: &Target| plan.targets.is_empty() || plan.targets.contains(&target.platform());
    let has_target = versions.iter().any(|one| one.version().targets.iter().any(is_asked));
    // A lock file may be about versions that have no such target; that is told of the file.
    let (rows, summary) = if has_target || matches!(plan.what, LockWhat::Version(_)) {
        let verified = verified(env, context, &plan.verification(wanted.collect())).await;
        verified.map_err(|stop| match stop {
            Stop::Cancelled(_) => Cancelled.into(),
            failed @ Stop::Failed(_) => failed,
        })?
    } else {
        (Vec::new(), Summary::default())
    };
    Ok(Answered { documents: documents.into_iter().flatten().collect(), rows, summary })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_found_as_clients_read_it() {
        let found = |stored: &[&str], text: &str| {
            let of = |text: &&str| ProviderVersion { version: (*text).into(), ..ProviderVersion::default() };
            let versions = stored.iter().map(of).collect();
            let entry = Arc::new(ProviderEntry { versions, ..ProviderEntry::default() });
            match find(&Address::provider("acme", "rocket"), &entry, text) {
                Found::Version(asked) => asked.version().version.clone(),
                Found::Nothing => "nothing".to_owned(),
                Found::Twice(stored) => format!("{stored} twice"),
            }
        };
        for (stored, text, wanted) in [
            (&["1.1.0", "1.0.0"][..], "1.0.0", "1.0.0"),
            (&["1.0.0"], "v1.0.0", "1.0.0"),
            (&["1.0.0"], "1.0", "1.0.0"),
            (&["1.0"], "1.0.0", "1.0"),
            (&["1.0.0"], "1.0.1", "nothing"),
            (&[], "1.0.0", "nothing"),
            (&["latest"], "latest", "latest"),
            // Clients take one for the other, and are served what is written in full.
            (&["1.0", "1.0.0"], "1.0", "1.0.0"),
            (&["1.0", "1.0.0"], "1.0.0", "1.0.0"),
            (&["3.7.4", "3.7.3", "3.7.4"], "3.7.4", "3.7.4 twice"),
            (&["3.7.4", "3.7.3", "3.7.4"], "3.7.3", "3.7.3"),
            (&["1.0.0-RC1", "1.0.0-rc1"], "1.0.0-rc1", "1.0.0-rc1 twice"),
        ] {
            assert_eq!(found(stored, text), wanted, "{text} of {stored:?}");
        }
    }
}
