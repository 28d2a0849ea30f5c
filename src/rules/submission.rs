//! What the registry's submission forms ask for, and what they do not take (`registry.md#submissions`): a provider or a module that
//! the registry does not have yet.
//!
//! The file itself is made as any rebuild is; here is what has to hold before, and what a maintainer should know.

use crate::registry::{Address, Facts, Kind};
use crate::rules::edit::NEXT_BUMP;
use crate::rules::{Finding, lint};

/// The repository as the form asks for it, for the words that name it: `OWNER/terraform-provider-NAME`.
pub(crate) fn form(kind: Kind) -> &'static str {
    match kind {
        Kind::Provider => "OWNER/terraform-provider-NAME",
        Kind::Module => "OWNER/terraform-TARGET-NAME",
    }
}

/// The repository that an entry is submitted by, in the form's own words.
pub(crate) fn repository(address: &Address) -> String {
    match address {
        Address::Provider(provider) => format!("{}/terraform-provider-{}", provider.namespace, provider.name),
        Address::Module(module) => {
            format!("{}/terraform-{}-{}", module.namespace, module.target, module.name)
        }
    }
}

/// The entry that a repository would become: its name in the form's own words, or its URL; as everywhere, in any case.
///
/// # Errors
/// The name is not one that the form takes, or that clients refuse as an address.
pub(crate) fn entry(kind: Kind, text: &str) -> Result<Address, String> {
    let plain = text.trim().to_ascii_lowercase();
    let plain = plain.strip_prefix("https://").unwrap_or(&plain);
    let plain = plain.strip_prefix("github.com/").unwrap_or(plain).trim_end_matches('/');
    let plain = plain.strip_suffix(".git").unwrap_or(plain);
    let wrong = || format!("`{}` is not {}", text.trim(), form(kind));
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let (owner, name) = plain.split_once('/').ok_or_else(wrong)?;
    let rest = name.strip_prefix("terraform-").ok_or_else(wrong)?;
    let (first, name) = rest.split_once('-').ok_or_else(wrong)?;
    if ![owner, first, name].into_iter().all(is_plain) {
        return Err(wrong());
    }
    let address = match (kind, first) {
        (Kind::Provider, "provider") => Address::provider(owner, name),
        // A module for a system of that name would be taken for a provider everywhere.
        (Kind::Module, "provider") | (Kind::Provider, _) => return Err(wrong()),
        (Kind::Module, target) => Address::module(owner, name, target),
    };
    let refused = lint::names(&address).into_iter().find(|finding| finding.rule == "rejected-name");
    refused.map_or(Ok(address), |finding| Err(finding.text))
}

/// Why the registry's own tool would not take an entry, before its versions are looked at. `registered`: the entry that the
/// registry has for the same repository.
pub(crate) fn refused(address: &Address, registered: Option<&Address>, facts: &Facts) -> Option<Finding> {
    if let Some(registered) = registered {
        return Some(Finding::error(REGISTERED, format!("the registry has it already, as {registered}")));
    }
    let repository = repository(address);
    if facts.tags.is_absent() {
        let text = format!("there is no repository `{repository}` that everybody may read");
        return Some(Finding::error(NO_REPOSITORY, text));
    }
    let moved = facts.tags.known().and_then(|tags| tags.moved.as_ref())?;
    let text = format!("`{repository}` has moved to `{}/{}`", moved.owner, moved.name);
    Some(Finding::error(MOVED, text))
}

/// Why there is nothing to write: none of the versions that upstream has can be indexed. `left_out`: why not, version by version.
pub(crate) fn without_versions(left_out: &[Finding]) -> Finding {
    let Some(first) = left_out.iter().find(|finding| finding.version.is_some()) else {
        return Finding::error(NO_VERSIONS, "upstream has no tag that is a version");
    };
    let version = first.version.as_deref().unwrap_or_default();
    let text = format!("upstream has no version that can be indexed; {version}: {}", first.text);
    Finding::error(NO_VERSIONS, text)
}

/// What becomes of a new entry, and what nobody has checked.
pub(crate) fn preview(address: &Address) -> Vec<Finding> {
    let told = "the next bump keeps it as it is, and adds what upstream releases from then on";
    let mut findings = vec![Finding::note(NEXT_BUMP, told)];
    findings.extend(lint::names(address));
    let asks = format!(
        "whether whoever asks for it belongs to `{}` was not checked: the form wants a public member",
        address.namespace()
    );
    findings.push(Finding::note("requester", asks));
    findings
}

const REGISTERED: &str = "registered";
const NO_REPOSITORY: &str = "no-repository";
const MOVED: &str = "moved";
const NO_VERSIONS: &str = "no-versions";

/// What can be done about what is refused.
pub(crate) fn remedy(address: &Address, refused: &Finding) -> String {
    match &*refused.rule {
        REGISTERED => format!("Run `bumpdesk plan add {address}` if it lacks a version."),
        NO_REPOSITORY => format!("Check its name: a {} is {}.", address.kind().word(), form(address.kind())),
        MOVED => "Submit it by the name that it has now.".to_owned(),
        _ => "Ask its author for a release with SHA256SUMS and archives, then do the same again.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_words_name_an_entry() {
        for (kind, text, wanted) in [
            (Kind::Provider, "acme/terraform-provider-rocket", "acme/rocket"),
            (Kind::Provider, "https://github.com/Acme/Terraform-Provider-Big-Rocket/", "acme/big-rocket"),
            (Kind::Module, "github.com/acme/terraform-aws-vpc-peering.git", "acme/vpc-peering/aws"),
        ] {
            assert_eq!(entry(kind, text).unwrap().to_string(), wanted);
        }
        for (kind, text) in [
            (Kind::Provider, ""),
            (Kind::Provider, "acme/rocket"),
            (Kind::Provider, "acme/terraform-provider-"),
            (Kind::Provider, "acme/terraform-aws-vpc"),
            (Kind::Provider, "acme/terraform-provider-ro.cket"),
            (Kind::Provider, "acme/terraform-provider-rocket/x"),
            (Kind::Provider, "../terraform-provider-rocket"),
            (Kind::Provider, "acme/terraform-provider-ro--cket"),
            (Kind::Provider, "acme/terraform-provider-terraform-rocket"),
            (Kind::Provider, "https://example.com/acme/terraform-provider-rocket"),
            (Kind::Module, "acme/terraform-provider-rocket"),
            (Kind::Module, "acme/terraform-aws"),
            (Kind::Module, "acme/terraform-a_b-vpc"),
        ] {
            assert!(entry(kind, text).is_err(), "{text}");
        }
        for kind in Kind::ALL {
            let address = entry(kind, form(kind)).unwrap();
            assert_eq!(repository(&address), form(kind).to_ascii_lowercase());
        }
    }
}
