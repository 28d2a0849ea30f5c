//! Signatures against the keys on file (depth `sums`).
//!
//! What counts is what a client does with the version: no key on file, and it looks at no signature; any key, and every
//! version has to verify. A signature that was not read is not checked, and never fine.

use crate::registry::{Facts, Observed, ProviderVersion};
use crate::rules::judge::indexed::Checked;
use crate::rules::judge::{Case, indexed_tag, is_stale};
use crate::rules::signature::{Answer, Caveat, Check, Client, KeyRing};
use crate::rules::{Depth, Finding, Now, Severity, Status, VersionState, signature};

/// The keys on file for an entry, or why they could not be read.
pub(crate) type Keys = Result<KeyRing, String>;

/// Why nothing is known of a version's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotChecked {
    /// Nobody asked, or too long ago; or there are no sums that it could be over.
    Unasked,
    /// It was asked for, and not read.
    Failed(String),
}

/// What came of one version's signature.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) state: Option<(Status, String)>,
    pub(super) finding: Option<Finding>,
    /// Nothing about it is left open.
    pub(super) is_checked: bool,
}

/// What a check is made of, byte for byte as it was served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignedFiles<'a> {
    /// SHA256SUMS.
    pub(crate) sums: &'a [u8],
    /// SHA256SUMS.sig; or there is none: the status that its URL answers.
    pub(crate) signature: Result<&'a [u8], u16>,
}

/// The sums of the release of one tag with their signature. Facts that are too old count as not asked.
///
/// # Errors
/// Why nothing is known.
pub(crate) fn signed_files<'a>(
    facts: &'a Facts,
    tag: &str,
    now: Now<'_>,
) -> Result<SignedFiles<'a>, NotChecked> {
    let sums = fresh_sums(facts, tag, now)?;
    let signature = facts.signatures.get(tag).unwrap_or(&Observed::Unasked);
    if signature.at().is_some_and(|at| is_stale(now, at)) {
        return Err(NotChecked::Unasked);
    }
    let signature = match signature {
        Observed::Unasked => return Err(NotChecked::Unasked),
        Observed::Unknown { why, .. } => return Err(NotChecked::Failed(why.cause())),
        Observed::Absent { status, .. } => Err(*status),
        Observed::Known { value, .. } => Ok(&**value),
    };
    // The sums are kept as text: where bytes were lost on the way, nothing can be said.
    if signature.is_ok() && sums.contains(char::REPLACEMENT_CHARACTER) {
        return Err(NotChecked::Failed("its SHA256SUMS is not text".to_owned()));
    }
    Ok(SignedFiles { sums: sums.as_bytes(), signature })
}

fn fresh_sums<'a>(facts: &'a Facts, tag: &str, now: Now<'_>) -> Result<&'a str, NotChecked> {
    match facts.releases.get(tag).map(|release| &release.sums) {
        Some(Observed::Known { value, at }) if !is_stale(now, *at) => Ok(&value.text),
        _ => Err(NotChecked::Unasked),
    }
}

/// Checks the signature of the release of one tag by what is known of it. Facts that are too old count as not asked.
///
/// # Errors
/// Why nothing is known.
pub(crate) fn check_signature(
    facts: &Facts,
    tag: &str,
    ring: &KeyRing,
    now: Now<'_>,
) -> Result<Check, NotChecked> {
    if ring.is_empty() {
        fresh_sums(facts, tag, now)?;
        let answer = Answer::NoKeys { signed_by: Vec::new() };
        return Ok(Check { answer, client: Client::Skips, older: None, trials: Vec::new() });
    }
    let files = signed_files(facts, tag, now)?;
    Ok(match files.signature {
        Ok(signature) => ring.check(files.sums, signature, now),
        Err(status) => Check {
            answer: Answer::Garbage(format!("SHA256SUMS.sig answers {status}")),
            client: Client::Refuses("it finds no signature".to_owned()),
            older: None,
            trials: Vec::new(),
        },
    })
}

/// Judges the signature of an indexed version.
pub(super) fn judge(case: &Case<'_>, facts: &Facts, version: &ProviderVersion) -> Judged {
    let ring = match case.keys {
        None => return Judged { is_checked: true, ..Judged::default() },
        Some(Err(_)) => return Judged::default(),
        Some(Ok(ring)) if ring.is_empty() => return Judged { is_checked: true, ..Judged::default() },
        Some(Ok(ring)) => ring,
    };
    let tag = indexed_tag(version).unwrap_or_default();
    match check_signature(facts, &tag, ring, case.now) {
        Err(NotChecked::Unasked) => Judged::default(),
        Err(NotChecked::Failed(why)) => {
            let reason = format!("its signature could not be read: {why}");
            Judged { state: Some((Status::Unknown, reason)), ..Judged::default() }
        }
        Ok(check) => told(&check, ring, &version.version, case.now),
    }
}

fn told(check: &Check, ring: &KeyRing, version: &str, now: Now<'_>) -> Judged {
    let finding = check.finding(version);
    let status = match (&check.client, &check.answer) {
        (Client::Unknown(_), _) => return Judged { finding, ..Judged::default() },
        (Client::Refuses(_), Answer::Garbage(_)) => Status::Unsigned,
        (Client::Refuses(_), _) => Status::KeyMismatch,
        (Client::Warns, Answer::Signed(signed))
            if !lives(ring, now) || signed.caveats.iter().any(is_late) =>
        {
            Status::KeyExpired
        }
        (Client::Warns, answer) => {
            // A key that had its day, beside one that has not, is no alarm; a signature that had its day is.
            let is_key = |caveat: &Caveat| !caveat.is_expiry() || matches!(caveat, Caveat::KeyExpired { .. });
            let is_note = matches!(answer, Answer::Signed(signed) if signed.caveats.iter().all(is_key));
            let severity = if is_note { Severity::Note } else { Severity::Warning };
            let finding = finding.map(|finding| Finding { severity, ..finding });
            return Judged { finding, is_checked: true, state: None };
        }
        (Client::Installs | Client::Skips, _) => return Judged { finding, is_checked: true, state: None },
    };
    Judged { state: Some((status, check.text())), finding: None, is_checked: true }
}

fn is_late(caveat: &Caveat) -> bool {
    matches!(caveat, Caveat::MadeAfterExpiry { .. })
}

/// Whether any key on file may still sign.
fn lives(ring: &KeyRing, now: Now<'_>) -> bool {
    ring.files().iter().flat_map(signature::ReadFile::keys).any(|key| key.lives(now))
}

/// What is to be said of the keys themselves, where versions were looked at. That there is none is true of nine providers in
/// ten: the sheet of one entry tells it, and no list is filled with it.
pub(super) fn of_ring(case: &Case<'_>, checked: &Checked) -> Vec<Finding> {
    match case.keys {
        Some(Err(why)) => vec![Finding::warning(
            "keys-unread",
            format!("the keys on file could not be read, so no signature was checked: {why}"),
        )],
        // Where no indexed version was compared, keys are beyond the depth.
        Some(Ok(ring)) if case.depth == Depth::Sums || checked.complete => {
            signature::findings(ring, case.now)
        }
        None | Some(Ok(_)) => Vec::new(),
    }
}

/// What a client would say of versions that are not indexed yet.
pub(super) fn of_missing(case: &Case<'_>, facts: &Facts, missing: &[VersionState]) -> Vec<Finding> {
    let Some(Ok(ring)) = case.keys.filter(|keys| keys.as_ref().is_ok_and(|ring| !ring.is_empty())) else {
        return Vec::new();
    };
    let of = |state: &VersionState| {
        let tag = state.tag.as_deref()?;
        check_signature(facts, tag, ring, case.now).ok()?.finding(&state.version)
    };
    missing.iter().filter_map(of).collect()
}
