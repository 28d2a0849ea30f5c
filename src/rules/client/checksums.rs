//! SHA256SUMS as a client reads it: whether it and its signature are there, and what its lines come to.

use crate::rules::anatomy::is_sum;
use crate::rules::client::{Fetched, Seen, Step, StepName, refusal};

pub(super) fn document(seen: &Seen<'_>) -> Step {
    if let Some(cause) = refusal::sums_url(&seen.version.shasums_url) {
        return cause.step();
    }
    match seen.sums {
        Fetched::Got(_) => Step::pass(StepName::Checksums, "SHA256SUMS is there"),
        Fetched::Missing => Step::fail(
            StepName::Checksums,
            format!("SHA256SUMS is gone: {} answers that there is nothing", seen.version.shasums_url),
        ),
        Fetched::Unread(why) => {
            Step::not_known(StepName::Checksums, format!("SHA256SUMS could not be read: {why}"))
        }
    }
}

/// The signature is fetched whether or not anybody looks at it.
pub(super) fn signature_file(seen: &Seen<'_>) -> Step {
    if let Some(cause) = refusal::signature_url(&seen.version.shasums_signature_url) {
        return cause.step();
    }
    match seen.signature_file {
        Fetched::Got(()) => Step::pass(StepName::SignatureFile, "SHA256SUMS.sig is there"),
        Fetched::Missing => Step::fail(
            StepName::SignatureFile,
            "failed to retrieve cryptographic signature: SHA256SUMS.sig is gone, and clients want it even where no key is on file",
        ),
        Fetched::Unread(why) => {
            Step::not_known(StepName::SignatureFile, format!("SHA256SUMS.sig could not be read: {why}"))
        }
    }
}

/// Whether the document names a file with the stored checksum.
pub(super) fn listed(seen: &Seen<'_>, filename: &str, shasum: &str) -> Step {
    let text = match seen.sums {
        Fetched::Got(text) => text,
        Fetched::Missing | Fetched::Unread(_) => {
            let unknown = || {
                Step::not_known(StepName::ChecksumList, "without SHA256SUMS nothing is known of its lines")
            };
            return refusal::filename(filename).map_or_else(unknown, refusal::Cause::step);
        }
    };
    match first_of(text, filename) {
        None => Step::fail(
            StepName::ChecksumList,
            format!("checksum list has no SHA-256 hash for \"{filename}\""),
        )
        .like("checksum list has no SHA-256 hash for it"),
        Some(sum) if sum.eq_ignore_ascii_case(shasum) => {
            Step::pass(StepName::ChecksumList, "SHA256SUMS has the registry's checksum for it")
        }
        Some(other) if is_overlong(other) => Step::fail(
            StepName::ChecksumList,
            format!("clients crash on the checksum list: its hash has {} digits instead of 64", other.len()),
        )
        .like("clients crash on the checksum list: its hash has more than 64 digits"),
        Some(other) if !is_hex(other) => {
            Step::fail(StepName::ChecksumList, format!("checksum list has invalid SHA256 hash \"{other}\""))
                .like("checksum list has invalid SHA256 hash")
        }
        Some(other) => Step::fail(
            StepName::ChecksumList,
            format!("checksum list has unexpected SHA-256 hash {other} (expected {shasum})"),
        )
        .like("checksum list has unexpected SHA-256 hash"),
    }
}

/// Whole bytes in hex.
fn is_hex(sum: &str) -> bool {
    sum.len().is_multiple_of(2) && sum.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Clients have room for 32 bytes, and write on behind them.
fn is_overlong(sum: &str) -> bool {
    sum.len() >= 66 && sum.bytes().take(66).all(|digit| digit.is_ascii_hexdigit())
}

/// The first field of the first line whose second one is the name: where a name stands twice, clients look no further.
fn first_of<'a>(text: &'a str, filename: &str) -> Option<&'a str> {
    text.split('\n').find_map(|line| {
        let mut fields = line.split_whitespace();
        let sum = fields.next()?;
        (fields.next() == Some(filename)).then_some(sum)
    })
}

/// Whether the lines are such that the client locks the checksums among them.
pub(super) fn lockable(seen: &Seen<'_>) -> Option<Step> {
    let Fetched::Got(text) = seen.sums else { return None };
    match Lines::of(text) {
        Lines::Plain(_) => None,
        Lines::Blank => Some(Step::fail(
            StepName::LockFile,
            "SHA256SUMS has a blank line, on which clients crash when they read the checksums to lock",
        )),
        Lines::Odd => Some(Step::warn(
            StepName::LockFile,
            "SHA256SUMS has a line that is not a SHA-256 and a name: its checksums are not locked, only the registry's own",
        )),
    }
}

/// The checksums of SHA256SUMS that a client locks, in hex as they stand: all, or none if any line is odd.
pub(crate) fn checksums_to_lock(text: &str) -> Vec<&str> {
    match Lines::of(text) {
        Lines::Plain(sums) => sums,
        Lines::Blank | Lines::Odd => Vec::new(),
    }
}

/// A longer line ends what the client reads.
const LINE_BYTES_MAX: usize = (64 << 10) - 1;

/// The lines as the client looks at them when it locks: one after the other, to the first that is odd or blank.
enum Lines<'a> {
    /// The first field of each.
    Plain(Vec<&'a str>),
    /// One is blank, and all before it are plain.
    Blank,
    /// One is not a SHA-256 and a name, whatever comes behind it.
    Odd,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut sums = Vec::new();
        for line in text.split_terminator('\n').take_while(|line| line.len() <= LINE_BYTES_MAX) {
            let mut fields = line.split_whitespace();
            match (fields.next(), fields.next()) {
                (None, _) => return Self::Blank,
                (Some(sum), Some(_)) if is_sum(&sum.to_ascii_lowercase()) => sums.push(sum),
                (Some(_), _) => return Self::Odd,
            }
        }
        Self::Plain(sums)
    }
}
