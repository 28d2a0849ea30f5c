//! The rules of the registry's submission forms (`registry.md#submissions`): the entries that they accept, and those that they
//! refuse. They take a provider or a module that the registry does not have yet, and a key.
//!
//! The file of an entry is made like any rebuild. This module checks the conditions before that, and adds notes for the
//! maintainer.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::registry::keys::KeyFile;
use crate::registry::{Address, Facts, Kind, keys};
use crate::rules::amount::day;
use crate::rules::finding::FAILS;
use crate::rules::retry::{NEXT_BUMP, next_bump};
use crate::rules::signature::{KeyDetails, KeyRing, Part, ReadFile, findings};
use crate::rules::{Finding, KeyPreview, Now, Severity, lint};

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

/// That the form gives an entry this address and no other: what stands between its dashes could be told apart in several ways.
///
/// # Errors
/// The form does not take the name of its repository, or calls the entry otherwise.
pub(crate) fn is_named_so(address: &Address) -> Result<(), String> {
    let named = entry(address.kind(), &repository(address))?;
    if named == *address { Ok(()) } else { Err(format!("the form calls it {named}")) }
}

/// Every other address of the repository of an entry.
pub(crate) fn same_repository(address: &Address) -> Vec<Address> {
    let repository = address.repository();
    let owners: &[&str] = match &*repository.owner {
        "opentofu" => &["opentofu", "hashicorp"],
        owner => &[owner],
    };
    let mut all = Vec::new();
    let rest = repository.name.strip_prefix("terraform-").unwrap_or_default();
    for owner in owners {
        all.extend(rest.strip_prefix("provider-").map(|name| Address::provider(owner, name)));
        let parts = rest.match_indices('-').map(|(at, _)| (&rest[..at], &rest[at + 1..]));
        all.extend(parts.map(|(target, name)| Address::module(owner, name, target)));
    }
    all.retain(|other| other != address && other.repository().key() == repository.key());
    all
}

/// Why the registry's own tool would not take an entry, before its versions are looked at. `registered`: the entry that the
/// registry has for the same repository.
pub(crate) fn refused(address: &Address, registered: Option<&Address>, facts: &Facts) -> Option<Finding> {
    if let Some(registered) = registered {
        return Some(Finding::error(REGISTERED, format!("the registry has it already, as {registered}")));
    }
    let repository = address.repository();
    if facts.tags.is_absent() {
        let text = format!("there is no repository `{repository}` that everybody may read");
        return Some(Finding::error(NO_REPOSITORY, text));
    }
    let moved = facts.tags.known().and_then(|tags| tags.moved.as_ref())?;
    let text = format!("`{repository}` has moved to `{}/{}`", moved.owner, moved.name);
    Some(Finding::error(MOVED, text))
}

/// Returns true if the registry's own tool would end with an error on one of the versions. It writes a new entry whole or not
/// at all (`registry.md#submissions`), so the findings of all versions say why nothing is planned.
pub(crate) fn fails(findings: &mut Vec<Finding>) -> bool {
    let failing = findings.iter_mut().filter(|finding| finding.fails_the_tool());
    let mut any = false;
    for finding in failing {
        finding.severity = Severity::Error;
        finding.text = finding.text.trim_start_matches("left out: ").to_owned();
        any = true;
    }
    if any {
        let text =
            "the registry's own tool ends with an error on one of its versions, and takes none of them then";
        findings.insert(0, Finding::error(FAILS, text));
    }
    any
}

/// Why there is nothing to write: none of the versions that upstream has can be indexed. `left_out`: why not, version by version;
/// `has_others`: there are some that are not asked about.
pub(crate) fn without_versions(left_out: &[Finding], has_others: bool) -> Finding {
    let Some(first) = left_out.iter().find(|finding| finding.version.is_some()) else {
        let why = if has_others {
            "upstream has none of these versions"
        } else {
            "upstream has no tag that is a version"
        };
        return Finding::error(NO_VERSIONS, why);
    };
    let version = first.version.as_deref().unwrap_or_default();
    let text = format!("upstream has no version that can be indexed; {version}: {}", first.text);
    Finding::error(NO_VERSIONS, text)
}

/// The effect of the next bump on a new entry, and the facts that nobody has checked.
pub(crate) fn preview(address: &Address) -> Vec<Finding> {
    let text = "the next bump keeps it as it is, and adds what upstream releases from then on";
    let mut findings = vec![next_bump(address, text, "")];
    findings.extend(lint::names(address));
    findings.push(Finding::note(REQUESTER, not_checked(address.namespace())));
    findings
}

/// The rule of findings about the requester.
pub(crate) const REQUESTER: &str = "requester";
const REGISTERED: &str = "registered";
const NO_REPOSITORY: &str = "no-repository";
const MOVED: &str = "moved";
const NO_VERSIONS: &str = "no-versions";

/// The next step after a refusal.
pub(crate) fn remedy(address: &Address, refused: &Finding) -> String {
    match &*refused.rule {
        REGISTERED => format!("Run `bumpdesk plan add {address}` if it lacks a version."),
        NO_REPOSITORY => format!("Check its name: a {} is {}.", address.kind().word(), form(address.kind())),
        "key-on-file" => "Nothing is to be done: clients have it.".to_owned(),
        FAILS => "Ask its author to take that release back, or put the version on the blacklist; then do the same again.".to_owned(),
        MOVED => "Submit it by the name that it has now.".to_owned(),
        _ => "Ask its author for a release with SHA256SUMS and archives, then do the same again.".to_owned(),
    }
}

/// A key that is to speak for a provider, or for all providers of its namespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NewKey {
    /// It is in this file, which nobody has read yet.
    File { path: PathBuf, for_all: bool },
    /// As the registry would have it: path, text, and the fingerprint of its primary key.
    Read { path: String, text: String, fingerprint: String },
}

const BEGIN: &str = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const END: &str = "-----END PGP PUBLIC KEY BLOCK-----";

impl NewKey {
    /// Takes the key out of a text as the form does, from the first line of its block to the last one. `for_all`: it speaks for
    /// the whole namespace. Beside it what a maintainer should know.
    ///
    /// # Errors
    /// It is not one public key that clients can read.
    pub(crate) fn read(
        address: &Address,
        for_all: bool,
        text: &[u8],
        now: Timestamp,
    ) -> Result<Self, String> {
        let Address::Provider(provider) = address else {
            return Err("modules have no keys".to_owned());
        };
        let own = if for_all { String::new() } else { format!("/{}", provider.name) };
        Self::at(format!("{}{own}/provider-{}.asc", keys::folder(provider), now.as_second()), text, now)
    }

    /// Reads a key that is, or would be, a file of the registry.
    ///
    /// # Errors
    /// The text is not one armored public key that clients can use.
    pub(crate) fn at(path: String, text: &[u8], now: Timestamp) -> Result<Self, String> {
        // A form takes nothing else.
        let Ok(text) = std::str::from_utf8(text) else {
            return Err("it is not text in UTF-8".to_owned());
        };
        if text.contains("PRIVATE KEY") {
            return Err("it holds a private key, which is for its owner only: it is to be revoked".to_owned());
        }
        match text.lines().filter(|line| line.trim() == BEGIN).count() {
            0 => return Err("it holds no armored public key".to_owned()),
            1 => {}
            _ => return Err("it holds more than one block, and clients read the first alone".to_owned()),
        }
        // The form's script writes these lines as they stand, most often with CRLF, and ends them with a line end.
        let begin = |line: &&str| line.trim() != BEGIN;
        let mut lines = text.split_inclusive('\n').skip_while(begin).peekable();
        let mut text = String::new();
        while let Some(line) = lines.next_if(|line| line.trim() != END) {
            text.push_str(line);
        }
        // Without it the script finds nothing to write.
        text.push_str(lines.next().ok_or("the last line of its block is missing")?);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let ring = KeyRing::read(&[KeyFile { path: path.clone(), text: text.clone().into_bytes() }]);
        let found = findings(&ring, Now::from(now));
        if let Some(error) = found.iter().find(|finding| finding.severity == Severity::Error) {
            return Err(error.text.clone());
        }
        let mut keys = ring.files().iter().flat_map(ReadFile::keys);
        match (keys.next(), keys.next()) {
            (Some(key), None) => Ok(Self::Read { path, text, fingerprint: key.primary.fingerprint.clone() }),
            (None, _) => Err("it holds no key that can be read".to_owned()),
            (Some(_), Some(_)) => Err("it holds more than one key: submit each by itself".to_owned()),
        }
    }

    /// As a file of the registry; `None` before it was read.
    pub(crate) fn file(&self) -> Option<KeyFile> {
        match self {
            Self::File { .. } => None,
            Self::Read { path, text, .. } => {
                Some(KeyFile { path: path.clone(), text: text.clone().into_bytes() })
            }
        }
    }

    /// For whom it speaks: `acme`, `acme/rocket`.
    pub(crate) fn owner(&self, address: &Address) -> String {
        if self.is_for_all() { address.namespace().to_owned() } else { address.to_string() }
    }

    /// Returns true if it speaks for the whole namespace.
    fn is_for_all(&self) -> bool {
        match self {
            Self::File { for_all, .. } => *for_all,
            Self::Read { path, .. } => speaks_for_all(path),
        }
    }

    /// Keeps the files that speak wherever this key does. If it speaks for the whole namespace, a provider's own files do not.
    pub(crate) fn beside(&self, mut files: Vec<KeyFile>) -> Vec<KeyFile> {
        files.retain(|file| !self.is_for_all() || speaks_for_all(&file.path));
        files
    }

    /// The fingerprint of the key.
    pub(crate) fn fingerprint(&self) -> &str {
        match self {
            Self::File { .. } => "",
            Self::Read { fingerprint, .. } => fingerprint,
        }
    }

    /// For whom it speaks by its path; `None` before it was read.
    pub(crate) fn scope(&self) -> Option<keys::KeyScope<'_>> {
        match self {
            Self::File { .. } => None,
            Self::Read { path, .. } => keys::KeyScope::of(path),
        }
    }

    /// Returns true if it speaks for an entry.
    pub(crate) fn covers(&self, address: &Address) -> bool {
        let Address::Provider(provider) = address else { return false };
        self.scope().is_some_and(|scope| scope.covers(provider))
    }
}

fn speaks_for_all(path: &str) -> bool {
    keys::KeyScope::of(path).is_some_and(|scope| scope.provider.is_none())
}

/// The findings about a key before it is on file: its oddities, and for each provider the changes that it would bring.
/// `on_file`: the keys that speak for the same providers today.
pub(crate) fn key_preview(
    key: &NewKey,
    on_file: &[KeyFile],
    previews: &[(Address, KeyPreview)],
    now: Timestamp,
) -> Vec<Finding> {
    let Some(file) = key.file() else { return Vec::new() };
    let fingerprint = key.fingerprint();
    let ring = KeyRing::read(std::slice::from_ref(&file));
    let renewed = match renewed(&ring, &KeyRing::read(on_file), fingerprint) {
        Ok(findings) => findings,
        Err(on_file) => return vec![on_file],
    };
    let text =
        format!("no bump touches keys; clients check with {fingerprint} once the registry is generated");
    let mut found = vec![Finding::note(NEXT_BUMP, text)];
    found.extend(renewed);
    found.extend(findings(&ring, Now::from(now)).into_iter().map(|finding| match &*finding.rule {
        "key-cannot-sign" => Finding { text: format!("{}: {BY_TYPE}", finding.text), ..finding },
        _ => finding,
    }));
    for (address, preview) in previews {
        let text = format!("{address}: {}", preview.text());
        found.push(match &preview.preview {
            changes if !changes.stops.is_empty() => Finding::warning("key-breaks", text),
            changes if changes.verified_by_it.is_empty() => Finding::warning("key-signs-nothing", text),
            _ => Finding::note("key-preview", text),
        });
    }
    found.push(Finding::note(REQUESTER, not_checked(previews.first().map_or("", |(of, _)| of.namespace()))));
    found
}

/// Why a key that may not sign is not refused (`registry.md#keys`).
const BY_TYPE: &str =
    "clients take it for a key that they do not know; the form's check takes it by its type alone";

/// The differences between a key and its copies on file: the parts that only one of them has.
///
/// # Errors
/// One of them is the very same key, as far as clients look.
fn renewed(new: &KeyRing, on_file: &KeyRing, fingerprint: &str) -> Result<Vec<Finding>, Finding> {
    let keys = |ring: &KeyRing| -> Vec<(String, KeyDetails)> {
        let of = |file: &ReadFile| {
            file.keys().map(|key| (file.path().to_owned(), key.clone())).collect::<Vec<_>>()
        };
        let all = ring.files().iter().flat_map(of);
        all.filter(|(_, key)| key.primary.fingerprint == fingerprint).collect()
    };
    let Some((_, new)) = keys(new).into_iter().next() else { return Ok(Vec::new()) };
    let copies = keys(on_file);
    if let Some((path, _)) = copies.iter().find(|(_, copy)| *copy == new) {
        let text = format!("the key {fingerprint} is on file, in {path}");
        return Err(Finding::error("key-on-file", text));
    }
    Ok(copies.iter().map(|(path, copy)| against(&new, path, copy)).collect())
}

/// A key beside an earlier or later copy of itself.
fn against(new: &KeyDetails, path: &str, copy: &KeyDetails) -> Finding {
    let subkeys = |of: &KeyDetails, but: &KeyDetails| -> Vec<String> {
        let is_there = |part: &&Part| but.subkeys.iter().any(|one| one.fingerprint == part.fingerprint);
        of.subkeys.iter().filter(|part| !is_there(part)).map(|part| part.key_id.clone()).collect()
    };
    let end = |key: &KeyDetails| match key.ends() {
        None => "does not expire".to_owned(),
        Some(at) => format!("expires on {}", day(at)),
    };
    let (more, fewer) = (subkeys(new, copy), subkeys(copy, new));
    let mut parts = Vec::new();
    if new.ends() != copy.ends() {
        parts.push(format!("this one {}, that one {}", end(new), end(copy)));
    }
    parts.extend((!more.is_empty()).then(|| format!("this one has {} as well", more.join(" and "))));
    parts.extend((!fewer.is_empty()).then(|| format!("this one lacks {}", fewer.join(" and "))));
    if parts.is_empty() {
        parts.push("what it says of itself differs".to_owned());
    }
    let text = format!("the key is in {path} too, which stays: {}", parts.join("; "));
    let ends_later = copy.ends().is_some_and(|end| new.ends().is_none_or(|new| new > end));
    if ends_later || !more.is_empty() {
        Finding::note("key-renewed", text)
    } else {
        Finding::warning("key-renewed", text)
    }
}

fn not_checked(owner: &str) -> String {
    format!(
        "whether whoever asks for it belongs to `{owner}` was not checked: the form wants a public member"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Moved, Observed, Tags};

    /// `hashicorp`'s providers are read from `opentofu`, and that is where it was looked.
    #[test]
    fn the_repository_that_was_looked_at_is_named() {
        let (at, address) = (Timestamp::UNIX_EPOCH, Address::provider("hashicorp", "x"));
        let moved = Moved { owner: "a".into(), name: "b".into() };
        let tags = Tags { moved: Some(moved), ..Tags::default() };
        for (tags, wanted) in [
            (Observed::Absent { status: 404, at }, "there is no repository `opentofu/terraform-provider-x`"),
            (Observed::Known { value: tags, at }, "`opentofu/terraform-provider-x` has moved to `a/b`"),
        ] {
            let found = refused(&address, None, &Facts { tags, ..Facts::default() }).unwrap();
            assert!(found.text.starts_with(wanted), "{}", found.text);
        }
    }

    #[test]
    fn one_repository_has_one_address() {
        let named = |address: &Address| is_named_so(address).err();
        let (right, wrong) =
            (Address::module("acme", "vpc-peering", "aws"), Address::module("acme", "peering", "aws-vpc"));
        assert_eq!(named(&right), None);
        assert_eq!(named(&wrong).as_deref(), Some("the form calls it acme/vpc-peering/aws"));
        assert_eq!(named(&Address::provider("acme", "rocket")), None);
        assert_eq!(same_repository(&right), std::slice::from_ref(&wrong));
        assert_eq!(same_repository(&wrong), [right]);
        let provider = Address::provider("opentofu", "a-b");
        let others = same_repository(&provider);
        let wanted = [
            Address::module("opentofu", "a-b", "provider"),
            Address::module("opentofu", "b", "provider-a"),
            Address::provider("hashicorp", "a-b"),
        ];
        assert_eq!(others, wanted);
        assert_eq!(same_repository(&wanted[2]).first(), Some(&provider));
    }

    #[test]
    fn where_no_bump_comes_none_is_promised() {
        let told = |namespace: &str| -> Vec<String> {
            preview(&Address::provider(namespace, "x")).into_iter().map(|finding| finding.text).collect()
        };
        assert!(told("7acme")[0].starts_with("the next bump keeps it as it is"));
        assert_eq!(told("8acme")[0], "no bump run covers namespaces that start with `8`");
        assert!(!told("8acme").iter().any(|text| text.contains("next bump")));
    }

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
