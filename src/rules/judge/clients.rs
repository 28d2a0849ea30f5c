//! Marks versions that clients refuse because of the data file ([`crate::rules::client::refusal`]).

use crate::registry::{ProviderEntry, version};
use crate::rules::amount::counted;
use crate::rules::client::{Clients, Fault, Refusal, refusal};
use crate::rules::judge::missing::decided;
use crate::rules::judge::{Case, indexed_tag};
use crate::rules::{Because, Finding, Source, Status, Verdict, VersionMark, VersionState};
use crate::settings::Feature;

/// The most reasons that the sentence about one version names.
const NAMED: usize = 2;

/// Adds to a verdict what clients refuse in the data file. A list that no client can read comes before everything
/// else.
pub(super) fn overrule(case: &Case<'_>, verdict: Verdict) -> Verdict {
    let Some(unusual) = case.shape.unusual_versions() else { return verdict };
    let refusals = refusals(case, &unusual);
    if refusals.is_empty() {
        return verdict;
    }
    let verdict = refused_versions(case, &unusual, &refusals, verdict);
    match refusals.iter().find(|refusal| refusal.is_of_provider()) {
        Some(refusal) => unreadable(&unusual, refusal, verdict),
        None => verdict,
    }
}

/// The refusals of the data file. A version whose fields all have their usual form is refused by no client.
fn refusals(case: &Case<'_>, unusual: &ProviderEntry) -> Vec<Refusal> {
    let names: Vec<&str> = case.shape.version_list().collect();
    let mut refusals = refusal::of_versions(&names, &unusual.versions);
    // Without these fields the registry serves no `packages`, which newer clients check.
    if !case.features.has(Feature::TargetHashes) {
        refusals.retain(|refusal| refusal.clients != Clients::NewerTofu);
    }
    refusals
}

/// Adds the refused versions to the others. If a version has two states, it keeps the graver one, and the other
/// becomes a finding.
fn refused_versions(
    case: &Case<'_>,
    unusual: &ProviderEntry,
    refusals: &[Refusal],
    mut verdict: Verdict,
) -> Verdict {
    let refused = states(case, unusual, refusals);
    if verdict.status.is_unknown() {
        // The entry was not checked, so no state is known beside the refusals.
        verdict.findings.extend(refused.iter().filter_map(finding));
        return verdict;
    }
    let gravest = refused.iter().filter_map(VersionState::status).min();
    let on_it: Vec<VersionState> =
        refused.iter().filter(|state| gravest.is_some() && state.status() == gravest).cloned().collect();
    let before = verdict.status;
    let is_before = |state: &VersionState| state.status() == Some(before);
    let was_of_versions = verdict.versions.iter().any(is_before);
    let is_misspelt = |version: &str| {
        let mut own = refusals.iter().filter(|refusal| refusal.version.as_deref() == Some(version));
        own.any(|refusal| refusal.fault == Fault::Spelling)
    };
    for state in refused {
        match verdict.versions.iter_mut().find(|known| known.version == state.version) {
            // A version in another spelling makes its tag seem to be missing, which is not a finding.
            Some(known) if known.tag.is_none() && is_misspelt(&known.version) => *known = state,
            Some(known) if state.status().is_some() && state.status() < known.status() => {
                verdict.findings.extend(finding(known));
                *known = state;
            }
            Some(_) => verdict.findings.extend(finding(&state)),
            None => {
                if state.status().is_some_and(|own| own > before || Some(own) > gravest) {
                    verdict.findings.extend(finding(&state));
                }
                verdict.versions.push(state);
            }
        }
    }
    verdict.versions.sort_by(|a, b| version::compare(&b.version, &a.version));
    let is_replaced = was_of_versions && !verdict.versions.iter().any(is_before);
    let decides = gravest.filter(|gravest| *gravest < before || is_replaced);
    let (Some(status), Some(first)) = (decides, on_it.first()) else { return verdict };
    let noted = verdict.versions.iter().filter(|state| is_before(state) && before.row().noted);
    let lesser: Vec<Finding> = noted.filter_map(finding).collect();
    verdict.findings.extend(lesser);
    let more = match on_it.len() - 1 {
        0 => String::new(),
        more => format!(" (and {})", counted(more, "more version")),
    };
    let text = format!("{}: {}{more}", first.version, first.reason);
    verdict.because = Because { text, source: Source::File, at: None };
    verdict.status = status;
    verdict
}

fn finding(state: &VersionState) -> Option<Finding> {
    let status = state.status()?;
    Some(Finding::error(status.name(), state.reason.clone()).on(state.version.clone()))
}

/// The state of each version that clients refuse, in the order of the file.
fn states(case: &Case<'_>, entry: &ProviderEntry, refusals: &[Refusal]) -> Vec<VersionState> {
    let mut refused: Vec<VersionState> = Vec::new();
    for version in &entry.versions {
        let own: Vec<&Refusal> =
            refusals.iter().filter(|one| one.version.as_ref() == Some(&version.version)).collect();
        if own.is_empty() || refused.iter().any(|known| known.version == version.version) {
            continue;
        }
        let status = if own.iter().all(|refusal| refusal.fault.is_unfilled()) {
            Status::SizeMissing
        } else {
            Status::ClientsRefuse
        };
        let mut reasons: Vec<String> = own.iter().take(NAMED).map(|refusal| refusal.text()).collect();
        reasons.extend((own.len() > NAMED).then(|| counted(own.len() - NAMED, "more reason")));
        refused.push(VersionState {
            version: version.version.clone(),
            tag: indexed_tag(version),
            mark: decided(case, &version.version).unwrap_or(VersionMark::Is(status)),
            reason: reasons.join("; "),
            published: None,
            published_by: None,
            targets: Some(version.targets.len() as u32),
            attempts: 0,
            next_try: None,
        });
    }
    refused
}

/// The verdict of a provider whose list no client can read. An unreadable version makes its tag seem to be missing,
/// which is not a finding, because the version is misspelt.
fn unreadable(unusual: &ProviderEntry, refusal: &Refusal, mut verdict: Verdict) -> Verdict {
    let is_misspelt = |version: &str| refusal::of_list([version]).is_some();
    let stored = unusual.versions.iter().map(|version| version.version.as_str());
    let misspelt: Vec<&str> = stored.filter(|version| is_misspelt(version)).collect();
    let is_of_versions =
        |verdict: &Verdict| verdict.versions.iter().any(|state| state.status() == Some(verdict.status));
    let was_of_versions = is_of_versions(&verdict);
    verdict.versions.retain(|state| !misspelt.contains(&&*state.version));
    verdict
        .findings
        .retain(|finding| !finding.version.as_deref().is_some_and(|version| misspelt.contains(&version)));
    let states = misspelt.iter().map(|version| VersionState {
        version: (*version).to_owned(),
        tag: None,
        mark: VersionMark::Is(Status::ListUnreadable),
        reason: refusal::of_list([*version]).map(|own| own.cause).unwrap_or_default(),
        published: None,
        published_by: None,
        targets: None,
        attempts: 0,
        next_try: None,
    });
    verdict.versions.splice(..0, states);
    let is_left = is_of_versions(&verdict) || !was_of_versions;
    if is_left && !verdict.status.is_fine() && verdict.checked_at.is_some() {
        let text = verdict.because.text.clone();
        verdict.findings.push(Finding::warning(verdict.status.name(), text));
    }
    verdict.because = Because { text: refusal.text(), source: Source::File, at: None };
    verdict.status = Status::ListUnreadable;
    verdict
}
