//! What may go into a lock file: the hashes of targets that were verified and that clients install; for each other target
//! why not.

use serde::Serialize;

use crate::registry::ProviderVersion;
use crate::rules::client::{Chain, Ends, Step, StepName};
use crate::rules::lock::hash::zh;
use crate::rules::verify::{Answer, Listed, Row, State, Zip};

/// The hashes of one target, or why it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    /// `linux_amd64`.
    pub(crate) target: String,
    /// With their schemes: zh, h1, and the h1 of the installed package where it is another.
    pub(crate) hashes: Result<Vec<String>, Refusal>,
}

/// Why a target's hashes may not be locked; as a part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "why", content = "text", rename_all = "kebab-case")]
pub(crate) enum Refusal {
    /// Something is known to be wrong.
    Wrong(String),
    /// Something was not read.
    #[serde(rename = "not-read")]
    Open(String),
}

impl Refusal {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Wrong(text) | Self::Open(text) => text,
        }
    }
}

/// What each target of a version offers, and each platform that was asked for: all stored ones where `asked` is empty.
pub(crate) fn offers(version: &ProviderVersion, rows: &[Row], chain: &Chain, asked: &[String]) -> Vec<Offer> {
    let stored = version.targets.iter().map(crate::registry::Target::platform);
    let wanted: Vec<String> = if asked.is_empty() { stored.collect() } else { asked.to_vec() };
    let offer = |target: String| {
        let row = rows.iter().find(|row| row.target == target && row.version == version.version);
        Offer { hashes: hashes(row, chain, &target), target }
    };
    wanted.into_iter().map(offer).collect()
}

fn hashes(row: Option<&Row>, chain: &Chain, target: &str) -> Result<Vec<String>, Refusal> {
    match chain.ends(target) {
        Some(Ends::Fails(step)) => return Err(Refusal::Wrong(failed(row, step))),
        // That nobody has stored a size says nothing of what was verified.
        Some(Ends::NotKnown(step)) if step.name != StepName::Package => {
            return Err(Refusal::Open(step.text.clone()));
        }
        None | Some(Ends::NotKnown(_) | Ends::Warns(_) | Ends::Installs) => {}
    }
    let Some(row) = row else { return Err(Refusal::Open("it was not verified".to_owned())) };
    // What SHA256SUMS says of it was judged above, line by line as clients read it.
    let listed = Listed::Sum { sum: row.stored.shasum.clone() };
    let mut row = Row { listed, ..row.clone() };
    // Clients install a binary for another system, so its hashes may be locked. The client's steps contain a warning.
    if let Zip::Hashed(computed) = &mut row.zip {
        computed.executable = None;
    }
    let reading = || row.reading().unwrap_or_else(|| "it was not fully verified".to_owned());
    match (row.state(), &row.zip) {
        (State::Ok, Zip::Hashed(computed)) => {
            let Some(h1) = computed.h1.clone() else { return Err(Refusal::Open(reading())) };
            let hashes = [Some(zh(&computed.sha256)), Some(h1), computed.h1_installed.clone()];
            Ok(hashes.into_iter().flatten().collect())
        }
        (State::Mismatch | State::BadSignature | State::Missing, _) => Err(Refusal::Wrong(reading())),
        _ => Err(Refusal::Open(reading())),
    }
}

/// Why clients stop. The row tells the whole of it, and how the three checksums stand to each other, where it saw the same.
fn failed(row: Option<&Row>, step: &Step) -> String {
    let has_seen = |row: &&Row| match step.name {
        StepName::ChecksumList => row.answers().zh_sums == Answer::Differ,
        StepName::Signature => row.answers().signature == Answer::Differ,
        _ => true,
    };
    match step.name {
        StepName::ChecksumList | StepName::ArchiveSum | StepName::Signature => {
            row.filter(has_seen).and_then(Row::reading).unwrap_or_else(|| step.text.clone())
        }
        _ => format!("clients refuse it: {}", step.gist()),
    }
}
