//! What the registry's required check will say: it makes each changed file anew from upstream, and compares
//! (`registry.md#the-registrys-own-checks`).
//!
//! When a version was discovered is left out of the comparison, since nobody can find that out again.

use crate::rules::amount::counted;
use crate::rules::diff::{ChangeKind, Diff, TargetChange, VersionChange};
use crate::rules::edit::Edit;
use crate::rules::finding::{BROKEN, FAILS, Finding, MISMATCH};
use crate::rules::markdown::code;

/// Why the check would fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Versions that the pull request removes, and that upstream still offers.
    Removed(Vec<String>),
    /// The repository is not there any more, so there is nothing to make the file from.
    Gone,
    /// The pull request deletes the file.
    Deleted,
    /// Versions of the file that upstream has no more.
    Vanished(Vec<String>),
    /// Versions that upstream offers and the file lacks.
    Appears(Vec<String>),
    /// Versions whose archives are not what their SHA256SUMS list, so that the check cannot make the file.
    Mismatched(Vec<String>),
    /// Versions with an archive that is missing, too large, or not a zip, so the check ends with an error.
    Broken(Vec<String>),
    /// Versions on whose checksums the check ends with an error.
    Refused(Vec<String>),
    /// Versions that the pull request does not touch, and whose archives are others upstream.
    Drifted(Vec<String>),
    /// Versions that upstream makes otherwise.
    Differs(Vec<String>),
    /// Recorded tries: the check records its own, at its own time.
    Tries,
    /// Fields outside the versions that nothing upstream leads to.
    Outside(Vec<String>),
    Order,
}

/// What the check will say of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Prediction {
    Passes,
    Fails(Vec<Reason>),
    /// Something could not be read: what.
    Unknown(String),
}

impl Prediction {
    /// `difference`: from the file as it would be to the file as the check makes it. `touched`: versions that the pull request adds
    /// or changes; `edit`: what it edits.
    pub(crate) fn of(difference: &Diff, touched: &[&str], edit: Option<&Edit>) -> Self {
        let is_removed = |change: &VersionChange| edit.is_some_and(|edit| edit.removes(&change.version));
        let named = |wanted: &dyn Fn(&VersionChange) -> bool| -> Vec<String> {
            let changes = difference.versions.iter().filter(|change| wanted(change));
            changes.map(|change| change.version.clone()).collect()
        };
        let is_changed = |change: &VersionChange| {
            change.kind == ChangeKind::Changed
                && (!change.targets.is_empty()
                    || change.fields.iter().any(|field| field.field != "discovered"))
        };
        let has_another = |target: &TargetChange| target.fields.iter().any(|field| field.field == "shasum");
        let is_drift = |change: &VersionChange| {
            change.targets.iter().any(has_another)
                && !touched.contains(&&*change.version)
                && is_changed(change)
        };
        let (of_tries, outside): (Vec<_>, Vec<_>) = difference
            .fields
            .iter()
            .map(|field| field.field.clone())
            .partition(|field| field == "versions_errors");
        let is_moved = difference.versions.iter().any(|change| change.kind == ChangeKind::Moved)
            || difference.normalises.moved_versions > 0;
        let lists = [
            (
                Reason::Removed as fn(_) -> _,
                named(&|change| change.kind == ChangeKind::Added && is_removed(change)),
            ),
            (Reason::Vanished, named(&|change| change.kind == ChangeKind::Removed)),
            (Reason::Appears, named(&|change| change.kind == ChangeKind::Added && !is_removed(change))),
            (Reason::Drifted, named(&is_drift)),
            (Reason::Differs, named(&|change| is_changed(change) && !is_drift(change))),
            (Reason::Outside, outside),
        ];
        let mut reasons: Vec<Reason> = lists
            .into_iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(reason, list)| reason(list))
            .collect();
        reasons.extend((!of_tries.is_empty()).then_some(Reason::Tries));
        reasons.extend(is_moved.then_some(Reason::Order));
        if reasons.is_empty() { Self::Passes } else { Self::Fails(reasons) }
    }

    /// Versions whose archives are others upstream although nobody meant to change them.
    pub(crate) fn drifted(&self) -> &[String] {
        let Self::Fails(reasons) = self else { return &[] };
        let lists = reasons.iter().find_map(|reason| match reason {
            Reason::Drifted(versions) => Some(versions.as_slice()),
            _ => None,
        });
        lists.unwrap_or_default()
    }

    /// What the check shows beside what was meant: `1 drifted and 2 new versions`; `None` for nothing of that.
    pub(crate) fn beside(&self) -> Option<String> {
        let Self::Fails(reasons) = self else { return None };
        let told = |reason: &Reason| match reason {
            Reason::Drifted(versions) => Some((versions.len(), "drifted")),
            Reason::Appears(versions) => Some((versions.len(), "new")),
            Reason::Vanished(versions) => Some((versions.len(), "vanished")),
            Reason::Differs(versions) => Some((versions.len(), "changed")),
            _ => None,
        };
        let mut parts: Vec<(usize, &str)> = reasons.iter().filter_map(told).collect();
        // Drift asks for most, and comes first.
        parts.sort_by_key(|(_, what)| *what != "drifted");
        let noun = if parts.last()?.0 == 1 { "version" } else { "versions" };
        let parts: Vec<String> = parts.iter().map(|(count, what)| format!("{count} {what}")).collect();
        Some(format!("{} {noun}", parts.join(" and ")))
    }

    /// `passes`; `fails: …`; `is not known: …`.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Passes => "passes".to_owned(),
            Self::Fails(reasons) => {
                let reasons: Vec<String> =
                    reasons.iter().map(|reason| reason.text(&|text| text.to_owned())).collect();
                format!("fails: {}", reasons.join("; "))
            }
            Self::Unknown(why) => format!("is not known: {why}"),
        }
    }

    /// The same for a pull request.
    pub(crate) fn markdown(&self) -> String {
        match self {
            Self::Fails(reasons) => {
                let reasons: Vec<String> = reasons.iter().map(|reason| reason.text(&code)).collect();
                format!("fails: {}", reasons.join("; "))
            }
            Self::Unknown(why) => format!("is not known: {}", code(why)),
            Self::Passes => self.text(),
        }
    }
}

impl Reason {
    /// Those that upstream's own files are the reason of, from what was found when all of it was made again.
    pub(crate) fn of_upstream(findings: &[Finding]) -> Vec<Self> {
        let of = |rule: &str| -> Vec<String> {
            findings.iter().filter(|one| one.rule == rule).filter_map(|one| one.version.clone()).collect()
        };
        let reasons = [Self::Mismatched(of(MISMATCH)), Self::Broken(of(BROKEN)), Self::Refused(of(FAILS))];
        let has_versions = |reason: &Self| match reason {
            Self::Mismatched(versions) | Self::Broken(versions) | Self::Refused(versions) => {
                !versions.is_empty()
            }
            _ => false,
        };
        reasons.into_iter().filter(has_versions).collect()
    }

    /// As a part of a sentence; `name` writes what is from outside.
    fn text(&self, name: &dyn Fn(&str) -> String) -> String {
        let list =
            |versions: &[String]| versions.iter().map(|version| name(version)).collect::<Vec<_>>().join(", ");
        let counted_list =
            |versions: &[String]| format!("{} ({})", counted(versions.len(), "version"), list(versions));
        match self {
            Self::Removed(versions) => {
                format!("upstream still offers {}, removed here on purpose", counted_list(versions))
            }
            Self::Gone => "upstream's repository is gone, so the file cannot be made from it".to_owned(),
            Self::Deleted => {
                "the check makes every changed file again, and this one is deleted on purpose".to_owned()
            }
            Self::Vanished(versions) => format!("upstream has no more what made {}", counted_list(versions)),
            Self::Appears(versions) => {
                format!("upstream offers {} that the file lacks", counted_list(versions))
            }
            Self::Drifted(versions) => {
                format!(
                    "upstream has other archives for {}, which this does not touch",
                    counted_list(versions)
                )
            }
            Self::Mismatched(versions) => {
                format!("upstream's archives of {} are not what its SHA256SUMS lists", counted_list(versions))
            }
            Self::Broken(versions) => {
                format!(
                    "upstream has broken archives for {}, which the check cannot read",
                    counted_list(versions)
                )
            }
            Self::Refused(versions) => {
                format!("the check does not take the checksums or the manifest of {}", counted_list(versions))
            }
            Self::Differs(versions) => format!("upstream makes {} otherwise", counted_list(versions)),
            Self::Tries => "the check records failed tries at its own time".to_owned(),
            Self::Outside(fields) => format!("the check does not make {}", list(fields)),
            Self::Order => "the check puts the versions in another order".to_owned(),
        }
    }
}
