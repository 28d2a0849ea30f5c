//! What a pull request says of its own making, for people and for a second bumpdesk: which versions, of which bytes, signed by
//! whom, on which base.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::registry::{Address, BLACKLIST, Entry, Target, digest};
use crate::rules::amount::counted;
use crate::rules::edit::Edit;
use crate::rules::plan::{Answer, Part, PlannedFile};
use crate::rules::sending::Prediction;
use crate::settings::{Feature, Features};

/// One version that the pull request adds or changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentVersion {
    /// Its place in the list of the file as it would be: two tags may stand for one version.
    pub(crate) place: usize,
    /// As stored: without `v` for providers, the raw tag for modules.
    pub(crate) version: String,
    pub(crate) targets: usize,
    /// SHA-256 over one line `os_arch shasum h1` for each target, sorted, hex; empty for a module.
    pub(crate) hashes: String,
    /// The id of the tag, as a list of tags has it; `None`: it was not read.
    pub(crate) tag_id: Option<String>,
    /// Who signed its checksums, in words.
    pub(crate) signed: String,
    /// The warnings and errors that the build found about it, without notes.
    pub(crate) warnings: Vec<String>,
}

/// One line for a warning that is the same for several versions of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Warned {
    pub(super) address: String,
    /// The first of the versions, as stored.
    pub(super) version: String,
    /// The other versions.
    pub(super) others: usize,
    pub(super) text: String,
}

/// The lines that are written; `others` gives how many more there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Warnings {
    pub(super) lines: Vec<Warned>,
    pub(super) others: usize,
}

/// The most lines of warnings in a pull request: its text has a limit of its own.
const WARNINGS_MAX: usize = 20;

impl Warnings {
    pub(super) fn of(files: &[SentFile]) -> Self {
        let mut lines: Vec<Warned> = Vec::new();
        for file in files {
            let begin = lines.len();
            for version in &file.versions {
                for text in &version.warnings {
                    match lines[begin..].iter_mut().find(|line| line.text == *text) {
                        Some(line) => line.others += 1,
                        None => lines.push(Warned {
                            address: file.address.to_string(),
                            version: version.version.clone(),
                            others: 0,
                            text: text.clone(),
                        }),
                    }
                }
            }
        }
        let others = lines.len().saturating_sub(WARNINGS_MAX);
        lines.truncate(WARNINGS_MAX);
        Self { lines, others }
    }

    /// All of them, those that are not written included.
    pub(super) fn count(&self) -> usize {
        self.lines.len() + self.others
    }
}

impl Warned {
    /// ` and 3 more versions`; empty for one version.
    pub(super) fn more(&self) -> String {
        match self.others {
            0 => String::new(),
            others => format!(" and {}", counted(others, "more version")),
        }
    }
}

/// One file of the pull request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SentFile {
    pub(crate) address: Address,
    pub(crate) path: String,
    pub(crate) base_digest: String,
    pub(crate) outcome_digest: String,
    pub(crate) versions: Vec<SentVersion>,
    /// What the required check will say of it.
    pub(crate) prediction: Prediction,
    /// The command that writes the same bytes on the same base; `None` where no command does.
    pub(crate) repeat: Option<String>,
    /// What was edited, where it is no bump.
    pub(crate) edit: Option<Edit>,
}

/// The blacklist, where the pull request adds to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentBlacklist {
    pub(crate) base_digest: String,
    pub(crate) outcome_digest: String,
}

/// Of the evidence, as it is now.
const FORMAT: u8 = 1;

/// What a second bumpdesk needs to make the same again; JSON inside a comment of the pull request's text.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evidence<'a> {
    /// Of this very shape.
    pub(crate) format: u8,
    pub(crate) program: Cow<'a, str>,
    pub(crate) plan: Cow<'a, str>,
    pub(crate) base: Cow<'a, str>,
    pub(crate) files: Vec<EvidenceFile<'a>>,
    pub(crate) features: Vec<Cow<'a, str>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvidenceFile<'a> {
    pub(crate) path: Cow<'a, str>,
    pub(crate) base: Cow<'a, str>,
    pub(crate) outcome: Cow<'a, str>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(
        (program, features): (&'a str, Features),
        (plan, base): (&'a str, &'a str),
        files: &'a [SentFile],
        blacklist: Option<&'a SentBlacklist>,
    ) -> Self {
        let of = |file: &'a SentFile| EvidenceFile {
            path: Cow::from(&file.path),
            base: Cow::from(&file.base_digest),
            outcome: Cow::from(&file.outcome_digest),
        };
        let blacklist = blacklist.map(|list| EvidenceFile {
            path: Cow::from(BLACKLIST),
            base: Cow::from(&list.base_digest),
            outcome: Cow::from(&list.outcome_digest),
        });
        let keys = files.iter().filter_map(|file| file.edit.as_ref()?.key()?.file());
        let keys = keys.map(|key| EvidenceFile {
            path: Cow::from(key.path),
            base: Cow::from(digest(b"")),
            outcome: Cow::from(digest(&key.text)),
        });
        let is_sent = |file: &&SentFile| file.base_digest != file.outcome_digest;
        Self {
            format: FORMAT,
            program: program.into(),
            plan: plan.into(),
            base: base.into(),
            files: files.iter().filter(is_sent).map(of).chain(blacklist).chain(keys).collect(),
            features: names_of(features).map(Cow::from).collect(),
        }
    }

    /// Out of a text that begins with the comment: the line with the JSON. It may be written otherwise than `comment` writes it.
    pub(crate) fn read(text: &str) -> Option<Evidence<'static>> {
        let read: Evidence<'static> = serde_json::from_str(text.lines().nth(1)?).ok()?;
        (read.format == FORMAT).then_some(read)
    }

    /// The comment; nothing in it can end it early.
    pub(crate) fn comment(&self) -> String {
        let json = serde_json::to_string(self).expect("plain structs of texts are JSON");
        let json = json.replace('<', "\\u003c").replace('>', "\\u003e");
        format!("<!-- bumpdesk evidence v1\n{json}\n-->")
    }
}

/// What is switched on, as evidence names it.
pub(crate) fn names_of(features: Features) -> impl Iterator<Item = &'static str> {
    Feature::ALL.into_iter().filter(move |feature| features.has(*feature)).map(Feature::name)
}

/// The versions that a planned file would add or change, out of the file as it would be.
pub(crate) fn versions_of(file: &PlannedFile, outcome: &Entry) -> Vec<SentVersion> {
    let sent = |name: &str| {
        file.pieces.iter().any(|piece| {
            piece.mark.answer != Answer::Rejected && piece.part == Part::Version(name.to_owned())
        })
    };
    let warnings = |name: &str| {
        let about = file.remarks.iter().filter(|remark| remark.version.as_deref() == Some(name));
        about.filter(|remark| !remark.is_note()).map(|remark| remark.text.clone()).collect::<Vec<_>>()
    };
    let provider = outcome.as_provider().map(|entry| entry.versions.as_slice()).unwrap_or_default();
    let of_provider = provider.iter().enumerate().map(|(place, version)| {
        let line = |target: &Target| {
            format!("{} {} {}\n", target.platform(), target.shasum, target.h1.as_deref().unwrap_or_default())
        };
        let mut lines: Vec<String> = version.targets.iter().map(line).collect();
        lines.sort_unstable();
        SentVersion {
            place,
            version: version.version.clone(),
            targets: version.targets.len(),
            hashes: digest(lines.concat().as_bytes()),
            tag_id: None,
            signed: String::new(),
            warnings: warnings(&version.version),
        }
    });
    let module = outcome.as_module().map(|entry| entry.versions.as_slice()).unwrap_or_default();
    let of_module = module.iter().enumerate().map(|(place, version)| SentVersion {
        place,
        version: version.version.clone(),
        targets: 0,
        hashes: String::new(),
        tag_id: version.commit.clone(),
        signed: String::new(),
        warnings: warnings(&version.version),
    });
    of_provider.chain(of_module).filter(|version| sent(&version.version)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(place: usize, warnings: &[&str]) -> SentVersion {
        SentVersion {
            place,
            version: format!("1.{place}.0"),
            targets: 1,
            hashes: String::new(),
            tag_id: None,
            signed: String::new(),
            warnings: warnings.iter().map(|text| (*text).to_owned()).collect(),
        }
    }

    fn file(versions: Vec<SentVersion>) -> SentFile {
        SentFile {
            address: Address::parse("acme/rocket").unwrap(),
            path: String::new(),
            base_digest: String::new(),
            outcome_digest: String::new(),
            versions,
            prediction: Prediction::Passes,
            repeat: None,
            edit: None,
        }
    }

    /// The text of a pull request has a limit, so hundreds of versions with one warning take one line.
    #[test]
    fn equal_warnings_are_one_line_and_lines_have_a_limit() {
        let equal = file((0..300).map(|place| version(place, &["protocols 5.0"])).collect());
        let warnings = Warnings::of(&[equal]);
        assert_eq!((warnings.lines.len(), warnings.count()), (1, 1));
        assert_eq!(
            (&*warnings.lines[0].version, &*warnings.lines[0].more()),
            ("1.0.0", " and 299 more versions")
        );
        let other = file((0..30).map(|place| version(place, &[&format!("warning {place}")])).collect());
        let warnings = Warnings::of(&[other]);
        assert_eq!((warnings.lines.len(), warnings.others, warnings.count()), (20, 10, 30));
        assert_eq!(Warnings::of(&[file(vec![version(0, &[])])]), Warnings::default());
    }
}
