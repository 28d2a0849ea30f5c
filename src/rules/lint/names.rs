//! Names and paths: what the client's address parser refuses, and folders that no bump run covers.

use crate::registry::Address;
use crate::rules::finding::Finding;
use crate::rules::retry;

/// The longest name of a module address.
const LONGEST_MODULE_PART: usize = 64;

pub(super) fn check(address: &Address) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(never) = retry::never_bumped(address.shard()) {
        findings.push(Finding::warning("unscheduled-shard", format!("{never}: new versions never come")));
    }
    let path = address.path();
    if path.chars().any(char::is_uppercase) {
        let text = format!("`{path}` has capitals; data paths are lower case and clients ask for those");
        findings.push(Finding::warning("capitals-in-path", text));
    }
    let parts: Vec<(&str, &str, Option<&str>)> = match address {
        Address::Provider(provider) => vec![
            ("namespace", &provider.namespace, provider_part(&provider.namespace)),
            ("name", &provider.name, provider_part(&provider.name).or_else(|| prefix(&provider.name))),
        ],
        Address::Module(module) => vec![
            ("namespace", &module.namespace, module_part(&module.namespace)),
            ("name", &module.name, module_part(&module.name)),
            ("target", &module.target, module_target(&module.target)),
        ],
    };
    findings.extend(parts.into_iter().filter_map(|(what, part, refused)| {
        let text = format!("clients refuse the {what} `{part}`: {}", refused?);
        Some(Finding::warning("rejected-name", text))
    }));
    findings
}

/// Why a part of a provider address is refused. Only what is certain: the full IDNA tables are not consulted.
fn provider_part(part: &str) -> Option<&'static str> {
    if part.contains('.') {
        return Some("dots are not allowed");
    }
    if part.contains("--") {
        return Some("two dashes in a row are not allowed");
    }
    if !part.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')) {
        return Some("only letters, digits, dashes and underscores are allowed");
    }
    (!has_plain_ends(part)).then_some("it starts or ends with a dash or an underscore")
}

fn prefix(name: &str) -> Option<&'static str> {
    (name.starts_with("terraform-") || name.starts_with("opentofu-"))
        .then_some("provider names have no `terraform-` or `opentofu-` in front")
}

/// Why a namespace or name of a module address is refused: letters, digits, dashes and underscores in ASCII, 64 at most.
fn module_part(part: &str) -> Option<&'static str> {
    if !part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
        return Some("only letters, digits, dashes and underscores are allowed");
    }
    if part.len() > LONGEST_MODULE_PART {
        return Some("it is longer than 64 characters");
    }
    (!has_plain_ends(part)).then_some("it starts or ends with a dash or an underscore")
}

fn module_target(part: &str) -> Option<&'static str> {
    if part.len() > LONGEST_MODULE_PART {
        return Some("it is longer than 64 characters");
    }
    let plain = part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (!plain).then_some("a target system has only lower-case letters and digits")
}

fn has_plain_ends(part: &str) -> bool {
    let is_sign = |c: Option<char>| c.is_none_or(|c| matches!(c, '-' | '_'));
    !is_sign(part.chars().next()) && !is_sign(part.chars().next_back())
}
