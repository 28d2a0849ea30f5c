//! The signature, under the policy that the client's environment sets (`registry.md#signatures-in-a-client`).

use crate::rules::client::{Fetched, Seen, Step, StepName};
use crate::rules::signature::Client;

pub(super) fn signature(seen: &Seen<'_>) -> Step {
    let name = StepName::Signature;
    let check = match (seen.signature, seen.sums, seen.signature_file) {
        // A client that has not both files never comes here.
        (Ok(check), Fetched::Got(_), Fetched::Got(())) => check,
        (Ok(check), _, _) if check.client == Client::Skips => check,
        (Ok(_), _, _) => {
            return Step::not_known(name, "without SHA256SUMS and its signature there is nothing to check");
        }
        (Err(why), _, _) => return Step::not_known(name, why.as_str()),
    };
    let (text, policy) = (check.with_older(check.answer.text()), seen.policy);
    match &check.client {
        Client::Skips if policy.enforces_validation => {
            Step::fail(name, "no key is on file, and OPENTOFU_ENFORCE_GPG_VALIDATION wants a signature")
        }
        Client::Skips => Step::pass(name, "no key is on file, so no signature is looked at"),
        Client::Installs if check.older.is_some() => Step::warn(name, text),
        Client::Installs => Step::pass(name, text),
        Client::Warns if policy.enforces_expiration => {
            Step::fail(name, format!("{text}; OPENTOFU_ENFORCE_GPG_EXPIRATION refuses what has expired"))
        }
        Client::Warns => Step::warn(name, format!("{text}; accepted with a warning")),
        Client::Refuses(why) => Step::fail(name, format!("{text}; clients refuse it: {why}")),
        Client::Unknown(why) => Step::not_known(name, format!("{text}; {why}")),
    }
}
