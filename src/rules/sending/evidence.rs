//! What a pull request says of its own making, for people and for a second bumpdesk: which versions, of which bytes, signed by
//! whom, on which base.

use serde::Serialize;

use crate::registry::{Address, Entry, digest};
use crate::rules::plan::{Answer, Part, PlannedFile};
use crate::settings::{Feature, Features};

/// One version that the pull request adds or changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentVersion {
    /// As stored: without `v` for providers, the raw tag for modules.
    pub(crate) version: String,
    pub(crate) targets: usize,
    /// SHA-256 over one line `os_arch shasum h1` for each target, sorted, hex; empty for a module.
    pub(crate) hashes: String,
    /// The id that the tag points to; `None`: it was not read.
    pub(crate) commit: Option<String>,
    /// Who signed its checksums, in words.
    pub(crate) signed: String,
}

/// One file of the pull request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SentFile {
    pub(crate) address: Address,
    pub(crate) path: String,
    pub(crate) base_digest: String,
    pub(crate) outcome_digest: String,
    pub(crate) versions: Vec<SentVersion>,
    /// The command that writes the same bytes on the same base; `None` where no command does.
    pub(crate) repeat: Option<String>,
}

/// What a second bumpdesk needs to make the same again; JSON inside a comment of the pull request's text.
#[derive(Debug, Serialize)]
pub(crate) struct Evidence<'a> {
    /// Of this very shape.
    pub(crate) format: u8,
    pub(crate) program: &'a str,
    pub(crate) plan: &'a str,
    pub(crate) base: &'a str,
    pub(crate) files: Vec<EvidenceFile<'a>>,
    pub(crate) features: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
pub(crate) struct EvidenceFile<'a> {
    path: &'a str,
    base: &'a str,
    outcome: &'a str,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(
        (program, features): (&'a str, Features),
        (plan, base): (&'a str, &'a str),
        files: &'a [SentFile],
    ) -> Self {
        let of = |file: &'a SentFile| EvidenceFile {
            path: &file.path,
            base: &file.base_digest,
            outcome: &file.outcome_digest,
        };
        let on = Feature::ALL.into_iter().filter(|feature| features.has(*feature));
        Self {
            format: 1,
            program,
            plan,
            base,
            files: files.iter().map(of).collect(),
            features: on.map(Feature::name).collect(),
        }
    }

    /// The comment; nothing in it can end it early.
    pub(crate) fn comment(&self) -> String {
        let json = serde_json::to_string(self).expect("plain structs of texts are JSON");
        let json = json.replace('<', "\\u003c").replace('>', "\\u003e");
        format!("<!-- bumpdesk evidence v1\n{json}\n-->")
    }
}

/// The versions that a planned file would add or change, out of the file as it would be.
pub(crate) fn versions_of(file: &PlannedFile, outcome: &Entry) -> Vec<SentVersion> {
    let sent = |name: &str| {
        file.pieces.iter().any(|piece| {
            piece.mark.answer != Answer::Rejected && piece.part == Part::Version(name.to_owned())
        })
    };
    let of_provider = outcome.as_provider().into_iter().flat_map(|entry| &entry.versions).map(|version| {
        let mut lines: Vec<String> = version
            .targets
            .iter()
            .map(|target| {
                let h1 = target.h1.as_deref().unwrap_or_default();
                format!("{} {} {h1}\n", target.platform(), target.shasum)
            })
            .collect();
        lines.sort_unstable();
        SentVersion {
            version: version.version.clone(),
            targets: version.targets.len(),
            hashes: digest(lines.concat().as_bytes()),
            commit: None,
            signed: String::new(),
        }
    });
    let of_module =
        outcome.as_module().into_iter().flat_map(|entry| &entry.versions).map(|version| SentVersion {
            version: version.version.clone(),
            targets: 0,
            hashes: String::new(),
            commit: version.commit.clone(),
            signed: String::new(),
        });
    of_provider.chain(of_module).filter(|version| sent(&version.version)).collect()
}
