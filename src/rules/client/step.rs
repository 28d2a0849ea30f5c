//! One step, its ruling, and what the steps are judged by.

use crate::registry::{Address, ProviderEntry, ProviderVersion};
use crate::rules::signature::Check;
use crate::rules::verify::Row;
use crate::settings::words;

words! {
    /// How a step goes. In order: the gravest last. The names are for JSON.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum Ruling: [name] {
        Pass = "pass",
        /// The client goes on, and there is something to know.
        Warn = "warn",
        /// It hangs on something that was not read.
        NotKnown = "not-known",
        /// The client stops here.
        Fail = "fail",
    }
}

impl Ruling {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Warn => "WARN",
            Self::NotKnown => "NOT KNOWN",
            Self::Fail => "FAIL",
        }
    }
}

words! {
    /// The steps in the order in which a client comes to them. The names are for JSON and for the tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum StepName: [name] {
        /// Every version of the provider is readable.
        Listing = "listing",
        /// The client speaks one of the version's protocols.
        Protocol = "protocol",
        /// The registry answers for the platform.
        Platform = "platform",
        /// SHA256SUMS is there.
        Checksums = "checksums",
        /// SHA256SUMS.sig is there.
        SignatureFile = "signature-file",
        /// The archive is there.
        Archive = "archive",
        /// The registry names a checksum and a size, and the size is the archive's.
        Package = "package",
        /// SHA256SUMS names the archive with the registry's checksum.
        ChecksumList = "checksum-list",
        /// The archive has the registry's checksum.
        ArchiveSum = "archive-sum",
        /// A key on file signed SHA256SUMS.
        Signature = "signature",
        /// The archive unpacks.
        Unpacking = "unpacking",
        /// What was unpacked holds the provider's binary.
        Binary = "binary",
        /// The hashes that a lock file gets.
        LockFile = "lock-file",
    }
}

/// One step of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: StepName,
    pub(crate) ruling: Ruling,
    /// One plain sentence, lower case, without a full stop; the client's own words where they are known.
    pub(crate) text: String,
    /// The same without what is different from target to target, if anything is.
    gist: Option<&'static str>,
}

impl Step {
    /// What it comes to, the same for all targets that fare alike.
    pub(crate) fn gist(&self) -> &str {
        self.gist.unwrap_or(&self.text)
    }

    /// Names what all steps of this kind come to.
    #[must_use]
    pub(super) fn like(self, gist: &'static str) -> Self {
        Self { gist: Some(gist), ..self }
    }

    pub(super) fn pass(name: StepName, text: impl Into<String>) -> Self {
        Self { name, ruling: Ruling::Pass, text: text.into(), gist: None }
    }

    pub(super) fn warn(name: StepName, text: impl Into<String>) -> Self {
        Self { name, ruling: Ruling::Warn, text: text.into(), gist: None }
    }

    pub(super) fn fail(name: StepName, text: impl Into<String>) -> Self {
        Self { name, ruling: Ruling::Fail, text: text.into(), gist: None }
    }

    pub(super) fn not_known(name: StepName, text: impl Into<String>) -> Self {
        Self { name, ruling: Ruling::NotKnown, text: text.into(), gist: None }
    }
}

/// A small file of a release, as a client would get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fetched<T> {
    /// It was not read: why, as a part of a sentence.
    Unread(String),
    /// The URL answers that there is nothing.
    Missing,
    Got(T),
}

/// How strict the client is told to be by its own environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Policy {
    /// `OPENTOFU_ENFORCE_GPG_VALIDATION`: a signature is wanted although no key is on file.
    pub(crate) enforces_validation: bool,
    /// `OPENTOFU_ENFORCE_GPG_EXPIRATION`: an expired key or signature is refused.
    pub(crate) enforces_expiration: bool,
}

/// What is known of one version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) address: &'a Address,
    pub(crate) entry: &'a ProviderEntry,
    pub(crate) version: &'a ProviderVersion,
    /// The text of SHA256SUMS.
    pub(crate) sums: &'a Fetched<String>,
    pub(crate) signature_file: &'a Fetched<()>,
    /// What the signature and the keys on file come to; the error says why that is not known.
    pub(crate) signature: &'a Result<Check, String>,
    /// Targets as they were verified. A target without a row is not known.
    pub(crate) rows: &'a [Row],
    /// Platforms that somebody asks about besides those of the version, such as `linux_arm`.
    pub(crate) asked: &'a [String],
    pub(crate) policy: Policy,
}

impl<T> Fetched<T> {
    /// The same with another content.
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Fetched<U> {
        match self {
            Self::Unread(why) => Fetched::Unread(why),
            Self::Missing => Fetched::Missing,
            Self::Got(content) => Fetched::Got(change(content)),
        }
    }
}
