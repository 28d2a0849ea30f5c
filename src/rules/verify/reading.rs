//! A row in plain words: what happened, and what can be done. Nothing of it is ever done by itself.

use jiff::Timestamp;

use crate::registry::short_id;
use crate::rules::Status;
use crate::rules::amount::{self, counted};
use crate::rules::anatomy::has_scheme;
use crate::rules::verify::{Answer, Listed, Row, SignatureSays, State, TagIs, TagSays, Zip};
use crate::settings::words;

words! {
    /// How stored, listed and computed checksum stand to each other (`registry.md#when-a-stored-checksum-is-wrong`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Case: [word] {
        /// All three are the same.
        Equal = "equal",
        /// Listed and computed agree with each other and with the stored h1 and size, and not with the stored checksum: the data
        /// file is at fault, and not the author.
        Misrecorded = "wrong-in-registry",
        /// Listed and computed agree with each other and not with what is stored: re-uploaded, in order upstream.
        Reuploaded = "re-uploaded",
        /// Upstream's own sums do not fit its zip.
        UpstreamBroken = "upstream-broken",
        /// One of the three is not known, so nothing is claimed.
        Unknown = "unknown",
    }
}

/// What can be done where the data file itself is wrong.
pub(crate) const PUT_BACK: &str =
    "find the change of the data file that wrote the wrong value, and have the zip's own put back";
/// The step for a target whose h1 or size is empty.
const FILL_IN: &str = "have h1 and size of this version filled in (backfill)";
/// Why checksums or a signature were not read that the data file does not name.
pub(crate) const NO_URL: &str = "the data file has no URL for it";
/// What can be done about that.
const WRITE_URL: &str =
    "have the URL that is missing written into the data file by hand: no bump changes an indexed version";
/// The next step if clients refuse something in the data file.
const CORRECT_FILE: &str =
    "have what clients refuse corrected in the data file: no bump changes an indexed version";
/// What can be done where something was not read.
const AGAIN: &str = "run the same command again: what is finished is not downloaded twice";
/// What can be done where the author made the release again.
const NEW_VERSION: &str = "ask the author to release a new version";
/// The same where it may have been somebody else.
const ASK_WHETHER_REPLACED: &str = "ask the author whether it was re-uploaded, and if so for a new version";
/// What can be done where no key on file signed.
const ASK_FOR_KEY: &str = "ask the author for the key that signed it";

/// What can be done about archives that are not indexed: what the status of such an entry says.
pub(crate) fn add_targets() -> &'static str {
    Status::Partial.row().can_do
}

/// The sentence that maintainers otherwise work out by hand from two pages; `None` under a minute, which clocks may differ by.
pub(crate) fn uploaded_later(indexed: Timestamp, uploaded: Timestamp) -> Option<String> {
    let by = amount::apart(indexed, uploaded);
    (by.as_secs() >= 60).then(|| format!("uploaded {} after it was indexed", amount::to_the_minute(by)))
}

impl Row {
    /// Which of the cases it is. SHA256SUMS that does not name the file does not fit the zip either.
    pub fn case(&self) -> Case {
        let Zip::Hashed(computed) = &self.zip else { return Case::Unknown };
        if self.stored.shasum.is_empty() {
            return Case::Unknown;
        }
        match &self.listed {
            Listed::Sum { sum } if !sum.eq_ignore_ascii_case(&computed.sha256) => Case::UpstreamBroken,
            Listed::Sum { .. } if self.stored.shasum.eq_ignore_ascii_case(&computed.sha256) => Case::Equal,
            Listed::Sum { .. } if self.has_stored_content() => Case::Misrecorded,
            Listed::Sum { .. } => Case::Reuploaded,
            Listed::Omitted => Case::UpstreamBroken,
            Listed::NotAsked | Listed::SumsGone | Listed::Unread { .. } => Case::Unknown,
        }
    }

    /// Whether the zip is, by h1 and size, the one that was indexed.
    fn has_stored_content(&self) -> bool {
        let answers = self.answers();
        (answers.h1, answers.size) == (Answer::Same, Answer::Same)
    }

    /// The newest of the upload and the release: what was put up last.
    fn newest_upload(&self) -> Option<Timestamp> {
        self.asset.as_ref().and_then(|asset| asset.updated_at)
    }

    /// `uploaded 2 h 20 min after it was indexed`; `None` if it was not, or it is not known.
    pub fn newer_by(&self) -> Option<String> {
        uploaded_later(self.times.indexed_at?, self.newest_upload()?)
    }

    /// Whether another archive took the place of the one that was indexed: by what it holds, or by its times. A stored checksum
    /// alone that differs may as well be wrong.
    fn is_made_again(&self) -> bool {
        let answers = self.answers();
        [answers.h1, answers.size].contains(&Answer::Differ) || self.newer_by().is_some()
    }

    /// Whose fault it is that the archive is not what is stored, in a sentence about all targets that say the same; `None` where
    /// that is not known.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let answers = self.answers();
        let is_wrong = [answers.h1, answers.size].contains(&Answer::Differ);
        match self.case() {
            Case::Misrecorded if self.newer_by().is_none() => Some("wrong checksum in the registry's file"),
            Case::Reuploaded if self.is_made_again() => {
                Some("re-uploaded by the author after it was indexed")
            }
            Case::UpstreamBroken => Some("the author's SHA256SUMS and archives do not match"),
            Case::Equal if is_wrong => Some("wrong h1 or size in the registry's file"),
            _ => None,
        }
    }

    /// What happened, in one or two sentences; `None` for a row that is as it should be.
    pub fn reading(&self) -> Option<String> {
        let mut told = self.reasons();
        told.extend(self.newer_by().filter(|_| self.state() == State::Mismatch));
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// The same without times, in which targets differ that were uploaded one after the other.
    pub(crate) fn reasons(&self) -> Vec<String> {
        let answers = self.answers();
        let mut told: Vec<String> = Vec::new();
        match (self.case(), answers.zh_sums) {
            (Case::Misrecorded, _) => {
                let otherwise = if self.newer_by().is_some() { ", or the author packed the same content again" } else { "" };
                told.push(format!(
                    "the stored checksum is not this zip's, while the stored h1 and size are, and SHA256SUMS lists this zip: the \
                     registry's file is at fault, not an upload by the author{otherwise}"
                ));
            }
            (Case::Reuploaded, _) if !self.is_made_again() => told.push(
                "the zip is not the one that was indexed, and SHA256SUMS lists it: whether it was re-uploaded or the registry's \
                 file is wrong is not known"
                    .into(),
            ),
            (Case::Reuploaded, _) => told.push(
                "the file was re-uploaded after it was indexed, and upstream's checksums match the new one: \
                 indexed versions are immutable, so this is not rebuilt"
                    .into(),
            ),
            (Case::UpstreamBroken, _) => told.push(match (&self.listed, answers.zh_zip) {
                (Listed::Omitted, _) => "SHA256SUMS does not name this file".into(),
                (_, Answer::Same) => {
                    "the zip is the one that was indexed, and SHA256SUMS lists another checksum for it".into()
                }
                (_, _) => "upstream's SHA256SUMS does not match upstream's own zip".into(),
            }),
            (_, Answer::Differ) => {
                told.push("SHA256SUMS lists a different checksum from the one that was indexed".into());
            }
            (_, Answer::Gone) => told.push("SHA256SUMS is gone upstream".into()),
            _ => {}
        }
        if answers.zh_zip == Answer::Differ && self.case() == Case::Unknown {
            told.push("the zip is not the one that was indexed".into());
        }
        if self.stored.shasum.is_empty() {
            told.push("no checksum is stored, so nothing protects an installation".into());
        }
        match answers.digest {
            Answer::Differ if answers.zh_zip == Answer::Same => {
                told.push(
                    "the zip is the one that was indexed, and GitHub keeps another digest of it".into(),
                );
            }
            Answer::Same if answers.zh_zip == Answer::Differ => {
                told.push("GitHub's own digest of the asset is still the indexed checksum".into());
            }
            Answer::Differ if !matches!(self.zip, Zip::Hashed(_)) => {
                told.push("GitHub's own digest of the asset is not the indexed checksum".into());
            }
            _ => {}
        }
        self.read_h1(&mut told);
        self.read_zip(&mut told);
        self.read_signature(&mut told);
        self.read_tag(&mut told);
        if !self.not_indexed.is_empty() {
            let (count, names) = (counted(self.not_indexed.len(), "archive"), self.not_indexed.join(", "));
            told.push(format!("not indexed: {count} that SHA256SUMS lists ({names})"));
        }
        told
    }

    fn read_h1(&self, told: &mut Vec<String>) {
        let answers = self.answers();
        told.extend(self.refused.iter().cloned());
        let is_bare = !self.stored.h1.is_empty() && !has_scheme(&self.stored.h1);
        if is_bare && self.refused.is_empty() {
            told.push(
                "the stored h1 does not begin with `h1:`: clients refuse every target of the version".into(),
            );
        } else if !is_bare && answers.h1 == Answer::Differ && answers.zh_zip == Answer::Same {
            told.push("the zip is the one that was indexed, and the stored h1 is not its h1: the stored h1 is wrong".into());
        }
        if answers.size == Answer::Differ && answers.zh_zip == Answer::Same {
            told.push("the stored size is wrong: clients refuse to install it".into());
        }
    }

    fn read_zip(&self, told: &mut Vec<String>) {
        match &self.zip {
            Zip::Hashed(computed) => {
                if computed.h1_installed.is_some() {
                    told.push("the h1 of the installed package is not the archive's, so a lock file made by `tofu providers lock` differs".into());
                }
                if let Some(why) = &computed.not_installable {
                    told.push(format!("no client can install it: {why}"));
                } else if computed.has_binary == Some(false) {
                    told.push(format!("no client can install it: {}", self.no_binary()));
                } else if computed.h1.is_some() && computed.has_binary.is_none() {
                    told.push("whether it holds the provider's binary was not checked".into());
                }
                told.extend(self.other_system());
                told.extend(computed.unlockable.iter().map(|why| {
                    format!("it has no h1: {why}: a client installs it once, and not again with the lock file that it wrote")
                }));
                told.extend(computed.over_limit.iter().map(|why| format!("its h1 was not computed: {why}")));
                told.extend(computed.remarks.iter().cloned());
            }
            Zip::Gone => told.push("the zip is gone upstream".into()),
            Zip::Failed { why } if self.is_unread_for(why) => {}
            Zip::Skipped { why } | Zip::Failed { why } => told.push(why.clone()),
            Zip::NotDone | Zip::Cancelled => {}
        }
        if let (Some(why), Answer::Unknown) = (&self.asset_unread, self.answers().digest) {
            told.push(format!("its asset digest could not be read: {why}"));
        }
        if let Listed::Unread { why } = &self.listed {
            let signature =
                matches!(&self.signature, SignatureSays::Unread { why } if self.is_unread_for(why));
            let archive = matches!(&self.zip, Zip::Failed { why } if self.is_unread_for(why));
            let what = match (signature, archive) {
                (true, true) => "SHA256SUMS, its signature and the archive",
                (true, false) => "SHA256SUMS and its signature",
                (false, true) => "SHA256SUMS and the archive",
                (false, false) => "SHA256SUMS",
            };
            told.push(format!("{what} could not be read: {why}"));
        }
    }

    /// Whether all that could not be read are files that the data file does not name: asking again helps nothing.
    fn is_only_without_url(&self) -> bool {
        let is_failed = matches!(self.zip, Zip::Failed { .. });
        let of_sums = matches!(&self.listed, Listed::Unread { why } if why != NO_URL);
        let of_signature = matches!(&self.signature, SignatureSays::Unread { why } if why != NO_URL);
        let is_unnamed = [
            matches!(&self.listed, Listed::Unread { why } if why == NO_URL),
            matches!(&self.signature, SignatureSays::Unread { why } if why == NO_URL),
        ];
        is_unnamed.contains(&true) && !is_failed && !of_sums && !of_signature
    }

    /// Whether SHA256SUMS could not be read for the same reason, which is then told once for all.
    fn is_unread_for(&self, reason: &str) -> bool {
        matches!(&self.listed, Listed::Unread { why } if why == reason)
    }

    fn read_signature(&self, told: &mut Vec<String>) {
        match &self.signature {
            SignatureSays::Good { warnings, .. } => told.extend(warnings.iter().cloned()),
            SignatureSays::OtherKey { signed_by, on_file } => {
                told.push(format!("signed by {}; only {} on file", signed_by.join(", "), on_file.join(", ")));
            }
            SignatureSays::Bad { why } => told.push(why.clone()),
            SignatureSays::Gone => told.push("keys are on file and the signature is gone upstream".into()),
            SignatureSays::Unread { why } if self.is_unread_for(why) => {}
            SignatureSays::Unread { why } => told.push(format!("the signature could not be checked: {why}")),
            SignatureSays::NotAsked | SignatureSays::NoKeys => {}
        }
    }

    fn read_tag(&self, told: &mut Vec<String>) {
        let Some(TagSays { name, is }) = &self.tag else { return };
        match is {
            TagIs::At { .. } => {}
            TagIs::Moved { commit, was } => told.push(format!(
                "the tag {name} was moved: it is {} and was {} before",
                short_id(commit),
                short_id(was)
            )),
            TagIs::Gone => told.push(format!("the tag {name} is gone")),
            TagIs::Unread { why } => told.push(format!("the tag {name} could not be read: {why}")),
        }
    }

    /// How an archive comes to be hashed that was not; until then nobody knows who is at fault where checksums differ.
    fn to_be_hashed(&self) -> Option<&'static str> {
        match self.zip {
            Zip::Skipped { .. } => Some("raise --max-size or leave out --no-download to have it hashed"),
            Zip::NotDone | Zip::Cancelled | Zip::Failed { .. } => {
                Some("verify it again: only its archive, hashed, can tell who is at fault")
            }
            Zip::Hashed(_) | Zip::Gone => None,
        }
    }

    /// What a maintainer can do about it; empty for a row that is as it should be.
    pub fn steps(&self) -> Vec<&'static str> {
        let answers = self.answers();
        let mut steps = Vec::new();
        match self.state() {
            State::Mismatch => {
                match self.case() {
                    Case::Misrecorded => steps.push(PUT_BACK),
                    Case::Reuploaded if self.is_made_again() => steps.push(NEW_VERSION),
                    Case::Reuploaded => steps.push(ASK_WHETHER_REPLACED),
                    Case::UpstreamBroken => {
                        steps.push("tell the author that SHA256SUMS and zip do not match");
                    }
                    Case::Unknown if [answers.zh_sums, answers.digest].contains(&Answer::Differ) => {
                        steps.extend(self.to_be_hashed());
                    }
                    Case::Equal | Case::Unknown => {}
                }
                if matches!(&self.zip, Zip::Hashed(computed) if computed.is_unfit()) {
                    steps.push("ask the author for a new version whose archive clients can install");
                }
                if self.other_system().is_some() {
                    steps.push("ask the author for a new version with a binary for this target");
                }
                if answers.zh_zip == Answer::Same
                    && (answers.h1 == Answer::Differ || answers.size == Answer::Differ)
                {
                    // A backfill fills in what is empty, and changes nothing else.
                    let is_empty = answers.h1 != Answer::Differ && self.stored.size_bytes == 0;
                    steps.push(if is_empty { FILL_IN } else { PUT_BACK });
                }
                if !self.refused.is_empty() {
                    steps.push(CORRECT_FILE);
                }
                if answers.signature == Answer::Differ {
                    steps.push(ASK_FOR_KEY);
                }
            }
            State::BadSignature => steps.push(ASK_FOR_KEY),
            State::Missing => steps.push("ask the author whether the release was withdrawn on purpose"),
            State::Error if self.is_only_without_url() => steps.push(WRITE_URL),
            State::Error => steps.push(AGAIN),
            // No option of ours raises the limits on what is in an archive.
            State::Skipped if matches!(self.zip, Zip::Hashed(_)) => {}
            State::Skipped => steps.extend(self.to_be_hashed()),
            _ => {}
        }
        if self.has_unread_tag() && !steps.contains(&AGAIN) {
            steps.push(AGAIN);
        }
        steps.extend((!self.not_indexed.is_empty()).then(add_targets));
        steps
    }
}

impl TagSays {
    /// `v1.0.0 at 0123…`, with the whole names of commits.
    pub(crate) fn text(&self) -> String {
        let name = &self.name;
        match &self.is {
            TagIs::At { commit } => format!("{name} at {commit}"),
            TagIs::Moved { commit, was } => format!("{name} at {commit}, earlier at {was}"),
            TagIs::Gone => format!("{name} is gone"),
            TagIs::Unread { why } => format!("{name} could not be read: {why}"),
        }
    }
}
