//! Addresses without a data file: copies of other entries, moved repositories, misspelt names, and entries that were
//! never submitted.

use crate::registry::version::trim_v;
use crate::registry::{Address, Kind, Observed};
use crate::rules::amount::counted;
use crate::rules::suggestion::{Near, Suggestions};
use crate::rules::triage::{Action, Case, Decision, Rung, Standing, Status, Upstream, clients};
use crate::rules::{lint, submission, tag_version};

pub(super) fn decide(case: &Case<'_>, upstream: &Upstream<'_>) -> (Decision, Vec<Near>) {
    let suggestions = Suggestions::of(case.address, case.catalog);
    if let Some(source) = &suggestions.copy_of {
        if let Some(refused) = clients::of_copy(case, upstream, source) {
            let (standing, text, rung) = refused.decision();
            return ((standing, format!("served as a copy of {source}, and {text}"), rung), Vec::new());
        }
        return (copied(case, upstream, source), Vec::new());
    }
    let sentence = suggestions.sentence(case.address).map(|text| format!("; {text}")).unwrap_or_default();
    let near = near(case, upstream, suggestions.near);
    let kind = case.address.kind().word();
    let missing = format!("the registry has no {kind} {}", case.address);
    let repository = case.repository();
    let tags = match &upstream.facts.tags {
        Observed::Unknown { why, .. } => {
            let why = format!(
                "{missing}, and whether {repository} is there could not be read: {}{sentence}",
                why.text()
            );
            // That it is not registered is known all the same.
            return ((Standing::NotRegistered, why, Rung::Dataset), near);
        }
        Observed::Unasked => {
            return ((Standing::NotRegistered, format!("{missing}{sentence}"), Rung::Dataset), near);
        }
        Observed::Absent { status, .. } => {
            let why = format!("{missing}, and {repository} answers {status}{sentence}");
            return ((Standing::NotRegistered, why, Rung::Dataset), near);
        }
        Observed::Known { value, .. } => value,
    };
    if let Some(to) = &tags.moved {
        let to = format!("{}/{}", to.owner, to.name);
        let why = format!("{missing}; {repository} has moved to {to}{sentence}");
        return ((Standing::MovedAway, why, Rung::Upstream), near);
    }
    let versions = tags.list.iter().filter(|tag| tag_version(&tag.name).is_some()).count();
    let why =
        format!("{missing}; {repository} is there, with {}{sentence}", counted(versions, "version tag"));
    ((Standing::NotRegistered, why, Rung::Dataset), near)
}

/// The answer for an address whose pages the registry copies from `source`.
fn copied(case: &Case<'_>, upstream: &Upstream<'_>, source: &Address) -> Decision {
    let copy = format!("served as a copy of {source}");
    let versions = || case.catalog.find(source).into_iter().flat_map(|row| row.shape.version_list());
    let is_it = |version: &str, wanted: &str| trim_v(version).eq_ignore_ascii_case(trim_v(wanted));
    if let Some(wanted) = case.version
        && !versions().any(|version| is_it(version, wanted))
    {
        return (
            Standing::NoVersion,
            format!("{copy}, which has no version {}", trim_v(wanted)),
            Rung::Dataset,
        );
    }
    match (&upstream.serving.listed, case.version) {
        (Observed::Absent { status, .. }, _) => {
            let why = format!("{copy}, but the registry's API answers {status} for {}", case.address);
            (Standing::Stale, why, Rung::Served)
        }
        (Observed::Unknown { why, .. }, _) => {
            let why = format!("{copy}; the list of the registry's API could not be read: {}", why.text());
            (Standing::Is(Status::Unknown), why, Rung::Served)
        }
        (Observed::Known { value, .. }, Some(wanted)) if !value.iter().any(|one| is_it(one, wanted)) => {
            let why = format!("{copy}, and the served list has no {} yet", trim_v(wanted));
            (Standing::Stale, why, Rung::Served)
        }
        (Observed::Unasked | Observed::Known { .. }, _) => (Standing::Copy, copy, Rung::Dataset),
    }
}

/// The suggestions, with the new address of a moved repository first.
fn near(case: &Case<'_>, upstream: &Upstream<'_>, mut near: Vec<Near>) -> Vec<Near> {
    if let Some(to) = upstream.facts.tags.known().and_then(|tags| tags.moved.as_ref())
        && let Ok(to) = Address::parse(&format!("github.com/{}/{}", to.owner, to.name))
        && case.catalog.find(&to).is_some()
    {
        near.retain(|one| one.address != to);
        near.insert(0, Near { address: to, why: "its repository moved there".to_owned() });
    }
    near
}

/// The registered entry whose copy is served under the requested address.
pub(super) fn copy_source(case: &Case<'_>) -> Option<Address> {
    let source = crate::registry::copy_source(case.address)?;
    (case.entry.is_none() && case.catalog.find(&source).is_some()).then_some(source)
}

pub(super) fn action(case: &Case<'_>, upstream: &Upstream<'_>, near: &[Near]) -> Action {
    let version = case.version.map(|version| format!("@{version}")).unwrap_or_default();
    let first = near.first().map(|near| format!("{}{version}", near.address));
    if let Some(source) = copy_source(case) {
        let command = format!("bumpdesk triage {source}{version}");
        return Action::by(
            format!("look at {source}, whose pages are copied; new modules name that"),
            command,
        );
    }
    let is_default = case.address.kind() == Kind::Provider && case.address.namespace() == "hashicorp";
    let other = |text: String| match &first {
        Some(first) if is_default => {
            let first_address = &near[0].address;
            Action::by(
                format!(
                    "if {first_address} is meant, write source = \"{first_address}\" in the module; {text}"
                ),
                format!("bumpdesk triage {first}"),
            )
        }
        Some(first) => {
            Action::by(format!("ask whether {first} is meant; {text}"), format!("bumpdesk triage {first}"))
        }
        None => Action::of(text),
    };
    let refused = lint::names(case.address).into_iter().find(|finding| finding.rule == "rejected-name");
    if let Some(refused) = refused {
        return other(format!("it cannot be registered under this name: {}", refused.text));
    }
    match &upstream.facts.tags {
        Observed::Known { value, .. } if value.moved.is_some() => {
            other("submit it by the name that its repository has now".to_owned())
        }
        Observed::Known { .. } if near.is_empty() => {
            let repository = submission::repository(case.address);
            let kind = case.address.kind().word();
            Action::by(
                format!("have it submitted by the form for a new {kind}, as {repository}"),
                format!("bumpdesk plan submit {kind} {repository}"),
            )
        }
        Observed::Known { .. } => {
            let repository = submission::repository(case.address);
            let kind = case.address.kind().word();
            other(format!("if not, have it submitted by the form for a new {kind}, as {repository}"))
        }
        Observed::Absent { .. } => {
            other("check its spelling: there is no such repository that everybody may read".to_owned())
        }
        Observed::Unasked | Observed::Unknown { .. } => other("check its spelling, and ask again".to_owned()),
    }
}
