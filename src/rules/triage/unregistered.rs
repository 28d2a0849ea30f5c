//! What the registry does not have: whether it is written otherwise, has moved, reads like something that is there, or waits to be
//! submitted.

use serde::Serialize;

use crate::registry::{Address, Kind, Observed};
use crate::rules::amount::counted;
use crate::rules::look_alike::difference;
use crate::rules::mistake::nearest;
use crate::rules::triage::{Action, Case, Decision, Rung, Standing, Upstream};
use crate::rules::{lint, submission, tag_version};

/// Names that are told.
const MOST: usize = 3;

/// An entry that may have been meant, and what it has to do with what was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Near {
    pub(crate) address: Address,
    /// A part of a sentence: `its repository moved there`.
    pub(crate) why: String,
}

pub(super) fn decide(case: &Case<'_>, upstream: &Upstream<'_>) -> (Decision, Vec<Near>) {
    let near = near(case, upstream);
    let kind = case.address.kind().word();
    let missing = format!("the registry has no {kind} {}", case.address);
    let repository = case.repository();
    let tags = match &upstream.facts.tags {
        Observed::Unknown { why, .. } => {
            let why =
                format!("{missing}, and whether {repository} is there could not be read: {}", why.text());
            // That it is not registered is known all the same.
            return ((Standing::NotRegistered, why, Rung::Dataset), near);
        }
        Observed::Unasked => return ((Standing::NotRegistered, missing, Rung::Dataset), near),
        Observed::Absent { status, .. } => {
            let why = format!("{missing}, and {repository} answers {status}");
            return ((Standing::NotRegistered, why, Rung::Dataset), near);
        }
        Observed::Known { value, .. } => value,
    };
    if let Some(to) = &tags.moved {
        let to = format!("{}/{}", to.owner, to.name);
        let why = format!("{missing}; {repository} has moved to {to}");
        return ((Standing::MovedAway, why, Rung::Upstream), near);
    }
    let versions = tags.list.iter().filter(|tag| tag_version(&tag.name).is_some()).count();
    let why = format!("{missing}; {repository} is there, with {}", counted(versions, "version tag"));
    ((Standing::NotRegistered, why, Rung::Dataset), near)
}

/// The likeliest first.
fn near(case: &Case<'_>, upstream: &Upstream<'_>) -> Vec<Near> {
    let typed = case.address.to_string();
    let rows = || case.catalog.rows.iter().map(|row| &row.address);
    let mut near: Vec<Near> = Vec::new();
    let mut add = |address: &Address, why: String| {
        if near.len() < MOST && near.iter().all(|one| one.address != *address) {
            near.push(Near { address: address.clone(), why });
        }
    };
    if let Some(to) = upstream.facts.tags.known().and_then(|tags| tags.moved.as_ref())
        && let Ok(to) = Address::parse(&format!("github.com/{}/{}", to.owner, to.name))
        && case.catalog.find(&to).is_some()
    {
        add(&to, "its repository moved there".to_owned());
    }
    for address in rows().filter(|address| address.to_string().eq_ignore_ascii_case(&typed)) {
        add(address, "it is registered in other letters, which clients do not find".to_owned());
    }
    for address in rows().filter(|address| address.kind() == case.address.kind()) {
        if let Some(differs) = difference(&typed, &address.to_string()) {
            add(address, format!("it reads alike: {differs}"));
        }
    }
    let is_other_kind = |address: &&Address| {
        address.namespace() == case.address.namespace()
            && address.name() == case.address.name()
            && **address != *case.address
    };
    for address in rows().filter(is_other_kind) {
        add(address, format!("a {} of that name", address.kind().word()));
    }
    let of_name = |namespace: &str| Address::provider(namespace, case.address.name());
    for twin in ["hashicorp", "opentofu"].map(of_name) {
        let is_provider = case.address.kind() == Kind::Provider;
        if is_provider && case.catalog.find(&twin).is_some() {
            add(&twin, "a provider of that name".to_owned());
        }
    }
    let known: Vec<String> =
        rows().filter(|address| address.kind() == case.address.kind()).map(ToString::to_string).collect();
    if let Some(name) = nearest(&typed, known.iter().map(String::as_str))
        && let Ok(address) = Address::parse(name)
    {
        add(&address, "the nearest name".to_owned());
    }
    near
}

pub(super) fn action(case: &Case<'_>, upstream: &Upstream<'_>, near: &[Near]) -> Action {
    let version = case.version.map(|version| format!("@{version}")).unwrap_or_default();
    let first = near.first().map(|near| format!("{}{version}", near.address));
    let other = |text: String| match &first {
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
