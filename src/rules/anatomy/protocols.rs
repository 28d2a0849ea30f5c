//! What the manifest leads to: the protocols that the registry records, and what is odd about them.

use crate::registry::{Observed, Protocols};
use crate::rules::Finding;
use crate::rules::anatomy::protocols_of;

/// Major versions that clients speak.
const SPOKEN: [&str; 2] = ["5", "6"];

/// What is to be said of a version's protocols. `manifest` is not asked where nobody read it; `previous` holds what the
/// version before has, none if there is none.
pub(crate) fn protocol_findings(manifest: &Observed<Protocols>, previous: &[String]) -> Vec<Finding> {
    let mut found = Vec::new();
    match manifest {
        Observed::Unasked | Observed::Unknown { .. } => return found,
        Observed::Absent { .. } => {
            let text = "the release has no manifest: the registry assumes protocol 5.0";
            found.push(Finding::note("manifest-missing", text));
        }
        Observed::Known { value: Protocols::Invalid, .. } => {
            let text = "the manifest cannot be read as JSON: the registry assumes protocol 5.0";
            found.push(Finding::warning("manifest-invalid", text));
        }
        Observed::Known { value: Protocols::Unlisted, .. } => {
            let text = "the manifest lists no protocols: the registry assumes 5.0";
            found.push(Finding::note("manifest-unlisted", text));
        }
        Observed::Known { value: Protocols::Listed(list), .. } if list.is_empty() => {
            let text = "the manifest has an empty list of protocols: clients find none that they speak";
            found.push(Finding::warning("protocols-odd", text));
        }
        Observed::Known { value: Protocols::Listed(_), .. } => {}
    }
    let now = protocols_of(manifest.known());
    if let Some(odd) = now.iter().find(|protocol| !is_usual(protocol)) {
        let text = format!("the manifest names protocol `{odd}`; clients speak 5.x and 6.x");
        found.push(Finding::warning("protocols-odd", text));
    }
    found.extend(protocols_changed(&now, previous));
    found
}

/// That a version speaks other protocols than the one before.
pub(crate) fn protocols_changed(now: &[String], previous: &[String]) -> Option<Finding> {
    if previous.is_empty() || sorted(now) == sorted(previous) {
        return None;
    }
    let text = format!("protocols {}; the version before has {}", listed(now), listed(previous));
    Some(Finding::warning("protocols-changed", text))
}

/// `5.0`, `6.1`: two numbers, the first of which clients speak.
fn is_usual(protocol: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    protocol.split_once('.').is_some_and(|(major, minor)| SPOKEN.contains(&major) && number(minor))
}

fn sorted(list: &[String]) -> Vec<&str> {
    let mut list: Vec<&str> = list.iter().map(String::as_str).collect();
    list.sort_unstable();
    list
}

fn listed(list: &[String]) -> String {
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, manifest, protocols of the version before, rules.
    type Told<'a> = (&'a str, Observed<Protocols>, &'a [&'a str], &'a [&'a str]);

    #[test]
    fn manifests_and_what_they_lead_to() {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let known = |value| Observed::Known { value, at };
        let listed = |list: &[&str]| known(Protocols::Listed(list.iter().map(|one| (*one).into()).collect()));
        let absent = || Observed::Absent { at, status: 404 };
        let cases: [Told<'_>; 13] = [
            ("usual", listed(&["5.0", "6.0"]), &[], &[]),
            ("the same in another order", listed(&["6.0", "5.0"]), &["5.0", "6.0"], &[]),
            ("not read", Observed::Unasked, &["6.0"], &[]),
            ("missing", absent(), &[], &["manifest-missing"]),
            ("missing, as before", absent(), &["5.0"], &["manifest-missing"]),
            ("lost", absent(), &["6.0"], &["manifest-missing", "protocols-changed"]),
            ("no JSON", known(Protocols::Invalid), &["6.0"], &["manifest-invalid", "protocols-changed"]),
            ("no list", known(Protocols::Unlisted), &["5.0"], &["manifest-unlisted"]),
            ("empty", listed(&[]), &["5.0"], &["protocols-odd", "protocols-changed"]),
            ("old", listed(&["4.0", "5.0"]), &["4.0", "5.0"], &["protocols-odd"]),
            ("three parts", listed(&["5.0.0"]), &[], &["protocols-odd"]),
            ("no number", listed(&["six"]), &[], &["protocols-odd"]),
            ("changed", listed(&["6.0"]), &["5.0"], &["protocols-changed"]),
        ];
        for (name, manifest, previous, wanted) in cases {
            let previous: Vec<String> = previous.iter().map(ToString::to_string).collect();
            let found = protocol_findings(&manifest, &previous);
            assert_eq!(found.iter().map(|finding| &*finding.rule).collect::<Vec<_>>(), wanted, "{name}");
        }
        let lost = protocol_findings(&absent(), &["6.0".to_owned()]);
        assert_eq!(lost[1].text, "protocols 5.0; the version before has 6.0");
    }
}
