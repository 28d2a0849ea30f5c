//! Before a key is added: what it would verify, and what it would break.
//!
//! A provider without any key installs unchecked; with its first key every version must verify, and versions that someone
//! else signed stop installing. A key that a client cannot read stops them all.

use crate::registry::keys::KeyFile;
use crate::registry::{ProviderAddress, keys};
use crate::rules::Now;
use crate::rules::amount::counted;
use crate::rules::signature::answer::{Answer, Check, Client};
use crate::rules::signature::ring::KeyRing;

/// A version and the two files that count, or why they are not there.
#[derive(Clone, Debug)]
pub(crate) struct Release<'a> {
    pub(crate) version: &'a str,
    /// SHA256SUMS and its signature.
    pub(crate) files: Result<(&'a [u8], &'a [u8]), String>,
}

/// What adding a key would change. Each version is in exactly one of the other lists, but for those that say
/// otherwise; all lists are in the
/// order in which the versions came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    /// Versions that the new key signed and that clients would take by it alone.
    pub(crate) verified_by_it: Vec<String>,
    /// Installs today, and would not.
    pub(crate) stops: Vec<Stop>,
    /// Does not install today, and would.
    pub(crate) starts: Vec<String>,
    /// Installs before and after.
    pub(crate) goes_on: Vec<String>,
    /// Of those: clients warn of an expired key today, and would not.
    pub(crate) eased: Vec<String>,
    /// Installs neither before nor after.
    pub(crate) stays_broken: Vec<Stop>,
    pub(crate) unknown: Vec<Unsettled>,
    /// Whether no key is on file today, so that nothing is checked.
    pub(crate) is_first_key: bool,
    /// Whether the new file's path is one that nobody looks at for this provider: then nothing changes.
    pub(crate) is_out_of_place: bool,
}

/// A version that does not install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) version: String,
    /// Key ids.
    pub(crate) signed_by: Vec<String>,
    /// Why a client refuses it.
    pub(crate) why: String,
}

/// A version of which nothing is known, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsettled {
    pub(crate) version: String,
    pub(crate) why: String,
}

/// Compares today's keys with today's and one more. `on_file` holds the key files that speak for the provider; the new one
/// takes its place among them by its path, and replaces a file of the same path.
pub(crate) fn preview(
    address: &ProviderAddress,
    on_file: &[KeyFile],
    new: &KeyFile,
    releases: &[Release<'_>],
    now: Now<'_>,
) -> Preview {
    let mut files: Vec<&KeyFile> = on_file.iter().filter(|file| file.path != new.path).collect();
    files.push(new);
    let order = keys::speaking_for(address, files.iter().map(|file| file.path.as_str()));
    let after = order.iter().filter_map(|path| files.iter().find(|file| file.path == *path));
    let after: Vec<KeyFile> = after.map(|file| (*file).clone()).collect();
    let rings = [KeyRing::read(on_file), KeyRing::read(&after), KeyRing::read(std::slice::from_ref(new))];
    let is_out_of_place = !order.contains(&new.path.as_str());
    let mut preview = Preview { is_first_key: on_file.is_empty(), is_out_of_place, ..Preview::default() };
    for release in releases {
        match &release.files {
            Ok((sums, signature)) => {
                let [before, after, alone] = rings.each_ref().map(|ring| ring.check(sums, signature, now));
                preview.add(release.version, &before, &after, &alone);
            }
            Err(why) => preview.unknown.push(Unsettled { version: release.version.into(), why: why.clone() }),
        }
    }
    preview
}

impl Preview {
    fn add(&mut self, version: &str, before: &Check, after: &Check, alone: &Check) {
        // A signature may be good and clients refuse it all the same, such as an armored one.
        if matches!(alone.answer, Answer::Signed(_)) && alone.client.installs() == Some(true) {
            self.verified_by_it.push(version.to_owned());
        }
        let stop = || Stop {
            version: version.into(),
            signed_by: signed_by(&after.answer),
            why: after.client.text(),
        };
        if (&before.client, &after.client) == (&Client::Warns, &Client::Installs) {
            self.eased.push(version.to_owned());
        }
        match (before.client.installs(), after.client.installs()) {
            (Some(true), Some(true)) => self.goes_on.push(version.into()),
            (Some(true), Some(false)) => self.stops.push(stop()),
            (Some(false), Some(true)) => self.starts.push(version.into()),
            (Some(false), Some(false)) => self.stays_broken.push(stop()),
            _ => {
                let unknown =
                    [&after.client, &before.client].into_iter().find(|client| client.installs().is_none());
                let why = unknown.map(Client::text).unwrap_or_default();
                self.unknown.push(Unsettled { version: version.into(), why });
            }
        }
    }

    fn total(&self) -> usize {
        self.stops.len()
            + self.starts.len()
            + self.goes_on.len()
            + self.stays_broken.len()
            + self.unknown.len()
    }

    /// The preview in one sentence: `verifies 2 of 3 versions; 2.2.0 installs today without a check and would fail`.
    pub(crate) fn text(&self) -> String {
        let mut parts =
            vec![format!("verifies {} of {}", self.verified_by_it.len(), counted(self.total(), "version"))];
        let stops: Vec<&str> = self.stops.iter().map(|stop| stop.version.as_str()).collect();
        let today = if self.is_first_key { " today without a check" } else { " today" };
        parts.extend(said(
            &stops,
            &format!("installs{today} and would fail"),
            &format!("install{today} and would fail"),
        ));
        let starts: Vec<&str> = self.starts.iter().map(String::as_str).collect();
        parts.extend(said(&starts, "fails today and would install", "fail today and would install"));
        let eased: Vec<&str> = self.eased.iter().map(String::as_str).collect();
        parts.extend(said(
            &eased,
            "installs with a warning today and would without",
            "install with a warning today and would without",
        ));
        let unknown: Vec<&str> = self.unknown.iter().map(|one| one.version.as_str()).collect();
        parts.extend(said(&unknown, "is not known", "are not known"));
        if self.is_out_of_place {
            parts.push("clients do not look for keys in that place".to_owned());
        }
        parts.join("; ")
    }
}

/// Up to three versions by name, more by number.
fn said(versions: &[&str], one: &str, many: &str) -> Option<String> {
    match versions {
        [] => None,
        [version] => Some(format!("{version} {one}")),
        [_, ..] if versions.len() <= 3 => Some(format!("{} {many}", versions.join(", "))),
        _ => Some(format!("{} versions {many}", versions.len())),
    }
}

fn signed_by(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::NotSignedByThese { signed_by, .. } | Answer::NoKeys { signed_by } => signed_by.clone(),
        Answer::Signed(signed) => vec![signed.by.key_id.clone()],
        Answer::Unfit { by, .. } | Answer::Bad { by } | Answer::CannotCheck { by, .. } => {
            vec![by.key_id.clone()]
        }
        Answer::Garbage(_) => Vec::new(),
    }
}
