//! The answer to who asks for something that the policy refuses: the rule, the newer version that can be used, and the evidence that
//! maintainers otherwise gather by hand. Markdown, to be sent as it is; text of others in it has no effect.

use std::fmt::Write;

use jiff::Timestamp;
use serde::Serialize;

use crate::registry::{Address, Repository, short_id};
use crate::rules::amount::{counted, minute};
use crate::rules::markdown::{LONGEST, code};
use crate::rules::policy::Reason;
use crate::rules::verify::{Case, Row, is_listed, table};

/// A newer version of the same entry, and what was found of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Newer {
    pub(crate) version: String,
    /// So many of its targets are stored with the checksum that SHA256SUMS lists today: all of them.
    pub(crate) targets: usize,
}

/// A refusal, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    pub(crate) address: Address,
    pub(crate) versions: Vec<String>,
    pub(crate) reason: &'static str,
    pub(crate) policy: String,
    pub(crate) newer: Option<Newer>,
    /// Targets whose stored checksum is another one upstream, of so many.
    pub(crate) differing: usize,
    pub(crate) targets: usize,
    pub(crate) markdown: String,
}

impl Reply {
    /// `at`: the commit that the policy is quoted of, where it is known. `rows`: what a verification found of the versions; none of a
    /// module, which has no archives.
    pub(crate) fn new(
        (address, versions): (&Address, &[String]),
        reason: Reason,
        (repository, at): (&Repository, Option<&str>),
        rows: &[Row],
        newer: Option<Newer>,
    ) -> Self {
        let shown = at.unwrap_or("main");
        let policy = format!("{}/blob/{shown}/POLICY.md#version-immutability", repository.url());
        let differing = rows.iter().filter(|row| is_listed(row) == Some(false)).count();
        let mut parts = vec![rule(reason, &policy, at), way_on(newer.as_ref())];
        if !rows.is_empty() {
            parts.push(found(address, rows, differing));
            let mut sums = String::new();
            table(&mut sums, &rows.iter().collect::<Vec<_>>(), LONGEST / 2);
            parts.push(sums.trim().to_owned());
            parts.push(times(rows));
        }
        parts.retain(|part| !part.is_empty());
        Self {
            address: address.clone(),
            versions: versions.to_vec(),
            reason: reason.name(),
            policy,
            newer,
            differing,
            targets: rows.len(),
            markdown: parts.join("\n\n"),
        }
    }
}

fn rule(reason: Reason, policy: &str, at: Option<&str>) -> String {
    let as_of = at.map(|at| format!(" as of {}", code(short_id(at)))).unwrap_or_default();
    let rule = reason.rule().unwrap_or_default();
    format!(
        "Thank you for the report. Once a version is indexed, the registry treats it as immutable. It does not remove it or index it again for reasons such as this one: {rule} ([policy]({policy}){as_of}). \
         Lock files and builds of others rely on it. The way is a new version in your own repository, which the registry picks up by itself."
    )
}

fn way_on(newer: Option<&Newer>) -> String {
    match newer {
        Some(Newer { version, targets }) => format!(
            "{version} is indexed and can be used instead: all {} of it have the checksum that its SHA256SUMS lists today.",
            counted(*targets, "target"),
            version = code(version)
        ),
        None => String::new(),
    }
}

fn found(address: &Address, rows: &[Row], differing: usize) -> String {
    let unread = rows.iter().filter(|row| is_listed(row).is_none()).count();
    let mut text = format!(
        "Found of {}: {differing} of {} differ",
        code(&address.to_string()),
        counted(rows.len(), "target")
    );
    if unread > 0 {
        let _ = write!(text, ", and {unread} could not be compared");
    }
    text.push('.');
    let differs = || rows.iter().filter(|row| is_listed(row) == Some(false));
    let is = |case: Case| differing > 0 && differs().all(|row| row.case() == case);
    if is(Case::Reuploaded) {
        text.push_str(" Upstream is consistent: its archives are those that its SHA256SUMS lists, and not those that were indexed.");
    } else if is(Case::UpstreamBroken) {
        text.push_str(" Upstream is not consistent: its archives are not those that its SHA256SUMS lists.");
    }
    text
}

/// The time line of each version, as far as it is known.
fn times(rows: &[Row]) -> String {
    let mut versions: Vec<&str> = rows.iter().map(|row| row.version.as_str()).collect();
    versions.dedup();
    let mut lines = Vec::new();
    for version in versions {
        let of = || rows.iter().filter(|row| row.version == version);
        let known = |at: &dyn Fn(&Row) -> Option<Timestamp>| of().filter_map(at).max().map(minute);
        let uploaded = |row: &Row| row.asset.as_ref().and_then(|asset| asset.updated_at);
        let steps = [
            ("release created", known(&|row| row.times.release_created_at)),
            ("published", known(&|row| row.times.release_published_at)),
            ("indexed", known(&|row| row.times.indexed_at)),
            ("last upload of an archive", known(&uploaded)),
        ];
        let mut told: Vec<String> =
            steps.into_iter().filter_map(|(what, at)| Some(format!("{what} {}", at?))).collect();
        told.extend(of().filter_map(Row::newer_by).max().map(|by| format!("the archives were {by}")));
        if !told.is_empty() {
            lines.push(format!("- {}: {}", code(version), told.join("; ")));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_names_the_rule_and_what_can_be_used_instead() {
        let address = Address::provider("coralogix", "coralogix");
        let repository = Repository::new("opentofu", "registry");
        let newer = Newer { version: "3.14.2".into(), targets: 13 };
        let versions = ["3.14.1".to_owned()];
        for reason in Reason::ALL.into_iter().filter(|reason| reason.rule().is_some()) {
            let of = (&address, &versions[..]);
            let reply = Reply::new(of, reason, (&repository, Some("f00f6d5fa")), &[], Some(newer.clone()));
            let rule = reason.rule().unwrap();
            assert!(reply.markdown.contains(rule), "{}", reply.markdown);
            let link = "(https://github.com/opentofu/registry/blob/f00f6d5fa/POLICY.md#version-immutability) as of `f00f6d5`)";
            assert!(reply.markdown.contains(link), "{}", reply.markdown);
            assert!(reply.markdown.contains("`3.14.2` is indexed and can be used instead: all 13 targets"));
        }
        let reply = Reply::new((&address, &versions), Reason::Bug, (&repository, None), &[], None);
        assert!(reply.policy.contains("/blob/main/POLICY.md"), "{}", reply.policy);
        assert!(!reply.markdown.contains("can be used instead"), "nothing is claimed that was not found");
    }
}
