//! Edits of one data file that no bump makes: recorded failures are cleared, a warning is added, versions are removed or kept
//! out. Everything else in the file keeps every byte, and every edit says what the next bump makes of it.
//!
//! Blacklist entries that an edit adds belong to the edit: a version that is only removed comes back with the next bump.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::registry::version::trim_v;
use crate::registry::{Address, Blacklist, BlacklistEntry, Document, Entry, Facts, Json, Kind, Observed};
use crate::rules::anatomy::{self, Names};
use crate::rules::backfill::{self, Fill};
use crate::rules::plain_text::{shell_word, visible};
use crate::rules::policy::Permit;
use crate::rules::retry::{NEXT_BUMP, next_bump};
use crate::rules::submission::NewKey;
use crate::rules::{Finding, amount, go_form, retry, submission, tag_version, warning};
use crate::settings::Features;

/// The kinds of edits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edit {
    /// The recorded failures of these versions (without `v`) go, and with them their wait.
    ClearErrors(Vec<String>),
    /// Clients show this text to everybody who installs the provider.
    Warn(String),
    /// The versions go, and are kept out from then on.
    Remove(Vec<String>, Permit),
    /// Removes the whole entry by deleting its file.
    RemoveEntry(Permit),
    /// Versions that are not indexed are kept out, for this reason.
    Block(Vec<String>, String),
    /// An entry that the registry does not have yet gets a file, with all that upstream has.
    Submit,
    /// A key is put on file; the entry's own file stays as it is.
    Key(NewKey),
    /// h1 and size of targets that lack them, as their archives were found to have them.
    Fill(Vec<Fill>),
}

/// The entry that an edit is made on, with its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) address: &'a Address,
    pub(crate) document: &'a Document,
    pub(crate) entry: &'a Entry,
    pub(crate) facts: &'a Facts,
    pub(crate) blacklist: &'a Blacklist,
    /// Entries that have the same repository, this one among them: what is kept out of one is kept out of all.
    pub(crate) twins: &'a [Address],
    /// Returns true if the registry serves an address to clients.
    pub(crate) is_served: &'a dyn Fn(&Address) -> bool,
    pub(crate) features: Features,
    pub(crate) now: Timestamp,
}

/// The result of an edit. Findings that are errors say why a part of it was not made.
pub(crate) struct Edited {
    pub(crate) document: Document,
    /// The blacklist entries that are added together with it.
    pub(crate) blocks: Vec<BlacklistEntry>,
    pub(crate) findings: Vec<Finding>,
}

/// The longest reason of a blacklist entry, which is one line like a warning.
pub(crate) const LONGEST_REASON: usize = warning::LONGEST;

/// The text for a file that was edited by hand: an edit keeps parts that the registry's own writer would not keep, so it is not
/// sent.
pub(crate) const REWRITTEN: &str =
    "the next bump would rewrite it: it is not in the form of the registry's own writer";

impl Edit {
    /// # Errors
    /// The text says nothing, or more than a client shows in a line.
    pub(crate) fn warning(text: &str) -> Result<Self, String> {
        let text = text.trim();
        warning::check_form(text)?;
        Ok(Self::Warn(text.to_owned()))
    }

    /// # Errors
    /// The reason is not one line.
    pub(crate) fn blocking(versions: Vec<String>, reason: &str) -> Result<Self, String> {
        let reason = reason.trim();
        if reason.is_empty()
            || reason.chars().any(char::is_control)
            || reason.chars().count() > LONGEST_REASON
        {
            return Err(format!("a reason is one line of at most {LONGEST_REASON} characters"));
        }
        Ok(Self::Block(versions, reason.to_owned()))
    }

    /// # Errors
    /// A module is nowhere to move a provider to.
    pub(crate) fn moved_to(address: &Address) -> Result<Self, String> {
        if address.kind() == Kind::Module {
            return Err(format!("`{address}` is a module"));
        }
        Ok(Self::Warn(format!("This provider has moved to {address}. Please use that one.")))
    }

    pub(crate) fn name(&self) -> &'static str {
        self.command_name().trim_start_matches("plan ")
    }

    /// The command that plans it.
    pub(crate) fn command_name(&self) -> &'static str {
        match self {
            Self::ClearErrors(_) => "plan clear-errors",
            Self::Warn(_) => "plan warn",
            Self::Remove(..) | Self::RemoveEntry(_) => "plan remove",
            Self::Block(..) => "plan block",
            Self::Submit | Self::Key(_) => "plan submit",
            Self::Fill(_) => "backfill run",
        }
    }

    /// The command line that plans it.
    pub(crate) fn command(&self, address: &Address) -> String {
        let word = |text: &str| shell_word(&visible(text));
        let of = |versions: &[String]| -> String {
            let versions = versions.iter().map(|version| word(&format!("{address}@{}", trim_v(version))));
            versions.collect::<Vec<_>>().join(" ")
        };
        let options = |permit: &Permit| {
            format!(
                "--because {} --announcement {} --issue {}",
                permit.reason().name(),
                word(permit.announcement()),
                permit.issue()
            )
        };
        let about = match self {
            Self::ClearErrors(versions) => of(versions),
            Self::Warn(text) => format!("{} --text {}", word(&address.to_string()), word(text)),
            Self::Remove(versions, permit) => format!("{} {}", of(versions), options(permit)),
            Self::RemoveEntry(permit) => format!("{} {}", word(&address.to_string()), options(permit)),
            Self::Block(versions, reason) => format!("{} --because {}", of(versions), word(reason)),
            Self::Submit => {
                format!("{} {}", address.kind().word(), word(&submission::repository(address)))
            }
            Self::Key(key) => format!("key {} FILE", word(&key.owner(address))),
            Self::Fill(fills) => of(&versions_of(fills)),
        };
        format!("bumpdesk {} {about}", self.command_name())
    }

    /// The effect of the edit, for people.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::ClearErrors(_) => "clears recorded failures",
            Self::Warn(_) => "adds a warning",
            Self::Remove(..) => "removes versions and keeps them out",
            Self::RemoveEntry(_) => "removes the whole entry",
            Self::Block(..) => "keeps versions out",
            Self::Submit => "adds a new entry",
            Self::Key(_) => "adds a key",
            Self::Fill(_) => "fills in h1 and size",
        }
    }

    /// `clears recorded failures of 1.58.0`.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::ClearErrors(versions) => format!("{} of {}", self.words(), versions.join(", ")),
            Self::Warn(text) => format!("{}: {text}", self.words()),
            Self::Remove(versions, permit) => format!(
                "removes {} and keeps it out ({}, #{})",
                versions.join(", "),
                permit.reason().name(),
                permit.issue()
            ),
            Self::RemoveEntry(permit) => {
                format!("{} ({}, #{})", self.words(), permit.reason().name(), permit.issue())
            }
            Self::Block(versions, reason) => format!("keeps {} out: {reason}", versions.join(", ")),
            Self::Submit => self.words().to_owned(),
            Self::Key(key) => format!("{}: {}", self.words(), key.fingerprint()),
            Self::Fill(fills) => format!("{} of {}", self.words(), amount::counted(fills.len(), "target")),
        }
    }

    /// Returns true if the edit does not touch a target of a version that it changes. Only a fill leaves some: those that are
    /// gone upstream.
    pub(crate) fn leaves(&self, version: &str, platform: &str) -> bool {
        let Self::Fill(fills) = self else { return false };
        !fills.iter().any(|fill| trim_v(&fill.version) == trim_v(version) && fill.target == platform)
    }

    pub(crate) fn apply(&self, on: Subject<'_>) -> Edited {
        let mut edited = match self {
            Self::ClearErrors(versions) => clear_errors(on, versions),
            Self::Warn(text) => warn(on, text),
            Self::Remove(versions, permit) => remove(on, versions, permit),
            Self::RemoveEntry(_) => return remove_entry(on),
            Self::Block(versions, reason) => block(on, versions, reason),
            Self::Fill(fills) => fill(on, fills),
            // Its versions are found and hashed as those of any rebuild; a key is beside the file.
            Self::Submit | Self::Key(_) => {
                Edited { document: on.document.clone(), blocks: Vec::new(), findings: Vec::new() }
            }
        };
        let is_written = edited.document.root() != on.document.root();
        if is_written && !go_form::is_kept(on.address.kind(), on.features, &edited.document) {
            let way = "it cannot be sent; commit it with git, or wait: a bump that adds a version puts the file into that form";
            edited.findings.push(Finding::warning("rewritten", format!("{REWRITTEN}, so {way}")));
        }
        edited
    }

    /// The file after the edit; empty if the file is deleted.
    pub(crate) fn bytes(&self, document: &Document) -> Vec<u8> {
        if matches!(self, Self::RemoveEntry(_)) { Vec::new() } else { document.print() }
    }

    pub(crate) fn permit(&self) -> Option<&Permit> {
        match self {
            Self::Remove(_, permit) | Self::RemoveEntry(permit) => Some(permit),
            Self::ClearErrors(_)
            | Self::Warn(_)
            | Self::Block(..)
            | Self::Submit
            | Self::Key(_)
            | Self::Fill(_) => None,
        }
    }

    pub(crate) fn key(&self) -> Option<&NewKey> {
        match self {
            Self::Key(key) => Some(key),
            Self::ClearErrors(_)
            | Self::Warn(_)
            | Self::Remove(..)
            | Self::RemoveEntry(_)
            | Self::Block(..)
            | Self::Submit
            | Self::Fill(_) => None,
        }
    }

    /// Returns true if the edit was made to remove this version, as stored.
    pub(crate) fn removes(&self, version: &str) -> bool {
        match self {
            Self::Remove(versions, _) => versions.iter().any(|one| trim_v(one) == trim_v(version)),
            Self::RemoveEntry(_) => true,
            Self::ClearErrors(_)
            | Self::Warn(_)
            | Self::Block(..)
            | Self::Submit
            | Self::Key(_)
            | Self::Fill(_) => false,
        }
    }
}

/// The entries that share a repository with one: the registry reads the namespace `hashicorp` from `opentofu`
/// (`registry.md#files-and-addresses`). `is_registered` says which of them the registry has.
pub(crate) fn twins(address: &Address, is_registered: &dyn Fn(&Address) -> bool) -> Vec<Address> {
    let twin = match address {
        Address::Provider(provider) if &*provider.namespace == "hashicorp" => {
            Some(Address::provider("opentofu", &provider.name))
        }
        Address::Provider(provider) if &*provider.namespace == "opentofu" => {
            Some(Address::provider("hashicorp", &provider.name)).filter(|twin| is_registered(twin))
        }
        Address::Provider(_) | Address::Module(_) => None,
    };
    let mut twins: Vec<Address> = twin.into_iter().chain([address.clone()]).collect();
    twins.sort();
    twins
}

fn clear_errors(on: Subject<'_>, versions: &[String]) -> Edited {
    let (mut findings, mut cleared) = (Vec::new(), Vec::new());
    for version in versions {
        let version = trim_v(version);
        match clearing(on, version) {
            Ok(finding) => {
                cleared.push(version);
                findings.push(finding);
            }
            Err(finding) => findings.push(finding),
        }
    }
    let mut root = on.document.root().clone();
    if let Json::Object(fields) = &mut root
        && let Some(at) = fields.iter().rposition(|(key, _)| key == ERRORS)
        && !cleared.is_empty()
    {
        if let Json::Array(records) = &mut fields[at].1 {
            let is_cleared = |record: &Json| {
                let version = record.version_name();
                cleared.contains(&trim_v(version))
            };
            records.retain(|record| !is_cleared(record));
        }
        // The registry's own writer leaves an empty list out.
        if fields[at].1.items().is_empty() {
            fields.remove(at);
        }
    }
    Edited { document: edited(on.document, root), blocks: Vec::new(), findings }
}

const ERRORS: &str = "versions_errors";

/// The effect of the next bump once a version's records are gone, or the reason why they stay.
fn clearing(on: Subject<'_>, version: &str) -> Result<Finding, Finding> {
    let refuse = |rule: &'static str, text: String| Err(Finding::error(rule, text).on(version));
    let Some(tries) = retry::tries(on.entry.errors(), version) else {
        return refuse("no-errors", "no failed try of it is recorded: there is nothing to clear".into());
    };
    let note = |text: &str, beside: String| Ok(next_bump(on.address, text, &beside).on(version));
    let Some(tags) = on.facts.tags.known() else {
        return refuse("version-unread", "the tags could not be read, so its records stay".into());
    };
    let Some(tag) = tags.list.iter().find(|tag| tag_version(&tag.name) == Some(version)) else {
        let text = "its tag is gone upstream: without the records no bump tries it again";
        return note(text, String::new());
    };
    let unread =
        "its checksums could not be read, so whether the next try would fail is not known: its records stay";
    let Some(release) = on.facts.releases.get(&tag.name) else {
        return refuse("version-unread", unread.into());
    };
    let sums = match &release.sums {
        Observed::Known { value, .. } => value,
        Observed::Absent { .. } => {
            let text =
                "the release still has no SHA256SUMS: the next try would fail again, so its records stay";
            return refuse("not-complete", text.into());
        }
        Observed::Unasked | Observed::Unknown { .. } => return refuse("version-unread", unread.into()),
    };
    let names = Names::new(&on.address.repository(), on.address.name(), &tag.name);
    let offered = names.targets(&anatomy::parse_sums(&sums.text));
    if offered.is_empty() || anatomy::without_sum(&offered).is_some() {
        let text = "its SHA256SUMS still lists no archive that can be indexed: the next try would fail again, so its records stay";
        return refuse("not-complete", text.into());
    }
    let waits = if tries.waits_until > on.now {
        format!("; with its records it waits until {}", amount::minute(retry::next_run(tries.waits_until)))
    } else {
        String::new()
    };
    let targets = amount::counted(offered.len(), "target");
    note(
        &format!("the next bump tries {version} again"),
        format!(", and upstream has {targets} of it{waits}"),
    )
}

fn warn(on: Subject<'_>, text: &str) -> Edited {
    let refuse = |rule: &'static str, text: &str| Edited {
        document: on.document.clone(),
        blocks: Vec::new(),
        findings: vec![Finding::error(rule, text)],
    };
    let Some(provider) = on.entry.as_provider() else {
        return refuse("no-warnings", "the file of a module has no place for a warning");
    };
    if provider.warnings.iter().any(|warning| warning == text) {
        return refuse("same-warning", "the file has this very warning");
    }
    let named = warning::named(text, on.address, on.is_served);
    let problems: Vec<Finding> =
        named.iter().filter_map(|named| Some(Finding::error(warning::RULE, named.problem()?))).collect();
    if !problems.is_empty() {
        return Edited { document: on.document.clone(), blocks: Vec::new(), findings: problems };
    }
    let mut root = on.document.root().clone();
    let stored = root.field(warning::KEY).map(Json::items).unwrap_or_default();
    let warnings = stored.iter().cloned().chain([Json::string(text)]).collect();
    warning::set(&mut root, warnings);
    let beside = "; clients show it at the next `init` of everybody who uses the provider";
    let findings = vec![next_bump(on.address, "the next bump keeps it", beside)];
    Edited { document: edited(on.document, root), blocks: Vec::new(), findings }
}

fn remove(on: Subject<'_>, versions: &[String], permit: &Permit) -> Edited {
    let (mut findings, mut blocks, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    for version in versions {
        let bare = trim_v(version);
        if !on.entry.versions().into_iter().any(|stored| trim_v(stored) == bare) {
            findings
                .push(Finding::error("not-indexed", "it is not indexed, so it cannot be removed").on(bare));
            continue;
        }
        gone.push(bare);
        findings.push(next_bump(on.address, &after_removal(on, bare), "").on(bare));
        blocks.extend(blocked(on, bare, &permit.blacklist_reason()));
    }
    let mut root = on.document.root().clone();
    if let Some(list) = root.field_mut("versions").and_then(Json::items_mut) {
        let name = |version: &Json| trim_v(version.version_name()).to_owned();
        list.retain(|version| !gone.contains(&&*name(version)));
    }
    Edited { document: edited(on.document, root), blocks, findings }
}

/// Removes the whole entry. Nothing is added to the blacklist, because bumps skip an entry without a file.
fn remove_entry(on: Subject<'_>) -> Edited {
    let versions = on.entry.versions().len();
    let provider = on.entry.as_provider();
    let targets = provider.map(|entry| entry.versions.iter().map(|version| version.targets.len()).sum());
    let targets = targets.map(|targets: usize| format!(" with {}", amount::counted(targets, "target")));
    let lost = format!(
        "what is no longer served: {}{}; every lock file and configuration that names `{}` stops working, once a deployment \
         that deletes has run",
        amount::counted(versions, "version"),
        targets.unwrap_or_default(),
        on.address
    );
    let again = "no bump adds it again, since none reads an entry that has no file; only a new submission does, with every \
                 version that upstream has then: `bumpdesk plan block` keeps versions out of that";
    let mut findings = vec![Finding::note("lost", lost), Finding::note(NEXT_BUMP, again)];
    for twin in on.twins.iter().filter(|twin| *twin != on.address) {
        let text = format!("`{twin}` has the same repository and stays; remove it as well if it is meant");
        findings.push(Finding::warning("twin-stays", text));
    }
    if on.entry.as_provider().is_some() {
        let text = "the keys on file stay: they belong to the namespace, and to other entries of it";
        findings.push(Finding::note("keys-stay", text));
    }
    Edited { document: Document::empty(), blocks: Vec::new(), findings }
}

/// The effect of the next bump on a plain removal, and its effect with the blacklist entry.
fn after_removal(on: Subject<'_>, version: &str) -> String {
    let kept_out = "with its entry on the blacklist the next bump leaves it out";
    match on.facts.tags.known() {
        None => format!("{kept_out}; whether upstream still has its tag is not known"),
        Some(tags) if tags.list.iter().any(|tag| tag_version(&tag.name) == Some(version)) => {
            format!(
                "a plain removal would be re-added by the next bump, since upstream has its tag; {kept_out}"
            )
        }
        Some(_) => format!("its tag is gone upstream; {kept_out}, should it come back"),
    }
}

fn block(on: Subject<'_>, versions: &[String], reason: &str) -> Edited {
    let (mut findings, mut blocks) = (Vec::new(), Vec::new());
    for version in versions {
        let bare = trim_v(version);
        if on.entry.versions().into_iter().any(|stored| trim_v(stored) == bare) {
            let text = "it is indexed, and the blacklist only keeps versions from being added; `plan remove` is for those";
            findings.push(Finding::error("indexed", text).on(bare));
            continue;
        }
        let new = blocked(on, bare, reason);
        if new.is_empty() {
            findings.push(Finding::error("blocked", "it is on the blacklist already").on(bare));
            continue;
        }
        blocks.extend(new);
        let text = "the next bump leaves it out, whatever upstream has";
        findings.push(next_bump(on.address, text, "").on(bare));
    }
    Edited { document: on.document.clone(), blocks, findings }
}

fn fill(on: Subject<'_>, fills: &[Fill]) -> Edited {
    let (document, left) = backfill::fill(on.document, fills);
    let mut findings: Vec<Finding> =
        left.into_iter().map(|left| Finding::error("not-filled", left.why).on(left.version)).collect();
    if document.root() != on.document.root() {
        findings.push(next_bump(on.address, "the next bump keeps it", ""));
    }
    Edited { document, blocks: Vec::new(), findings }
}

/// The versions that are filled in, each once.
fn versions_of(fills: &[Fill]) -> Vec<String> {
    let mut versions: Vec<String> = fills.iter().map(|fill| fill.version.clone()).collect();
    versions.dedup();
    versions
}

/// The blacklist's entries of a version for the entry and its twins, but for those that are there.
fn blocked(on: Subject<'_>, version: &str, reason: &str) -> Vec<BlacklistEntry> {
    let is_new = |address: &&Address| on.blacklist.find(address, version).is_none();
    on.twins.iter().filter(is_new).map(|address| BlacklistEntry::new(address, version, reason)).collect()
}

/// An untouched document prints its own bytes.
fn edited(old: &Document, root: Json) -> Document {
    if root == *old.root() { old.clone() } else { old.with_root(root) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{ReleaseFacts, Sums, Tag, Tags};

    const NOW: &str = "2026-11-21T12:00:00Z";

    fn now() -> Timestamp {
        NOW.parse().unwrap()
    }

    fn known<T>(value: T) -> Observed<T> {
        Observed::Known { value, at: now() }
    }

    /// Upstream has one tag, with these checksums.
    fn upstream(tag: &str, sums: Observed<Sums>) -> Facts {
        let tags = vec![Tag { name: tag.into(), oid: "c".into(), peeled: None }];
        let release = ReleaseFacts { sums, ..ReleaseFacts::default() };
        Facts {
            tags: known(Tags { list: tags, moved: None }),
            releases: [(Box::from(tag), release)].into(),
            ..Facts::default()
        }
    }

    fn sums() -> Observed<Sums> {
        let text = format!("{}  terraform-provider-rocket_1.2.0_linux_amd64.zip\n", "a".repeat(64));
        known(Sums { url: "u".into(), text: text.into(), modified: None })
    }

    /// Every target that the edit is about is hashed afterwards, and nothing else is.
    #[test]
    fn only_a_fill_leaves_targets_as_they_are() {
        let fill = Fill {
            version: "1.2.0".into(),
            target: "linux_amd64".into(),
            shasum: "a".into(),
            h1: "h1:".into(),
            size: 1,
        };
        let fill = Edit::Fill(vec![fill]);
        let left = [("v1.2.0", "linux_amd64"), ("1.2.0", "linux_arm64"), ("1.1.0", "linux_amd64")];
        assert_eq!(left.map(|(version, platform)| fill.leaves(version, platform)), [false, true, true]);
        assert!(!Edit::Submit.leaves("1.2.0", "linux_amd64"));
    }

    fn applied(edit: &Edit, text: &str, facts: &Facts) -> (String, Vec<String>) {
        let (document, entry) = Entry::read(Kind::Provider, text.as_bytes()).unwrap();
        let address = Address::provider("acme", "rocket");
        let blacklist = Blacklist::default();
        let (document, entry, twins) = (&document, &entry, std::slice::from_ref(&address));
        let is_served = |address: &Address| *address == Address::provider("umbrella", "rocket");
        let on = Subject {
            address: &address,
            document,
            entry,
            facts,
            blacklist: &blacklist,
            twins,
            is_served: &is_served,
            features: Features::none(),
            now: now(),
        };
        let edited = edit.apply(on);
        let told =
            edited.findings.iter().map(|finding| format!("{} {}", finding.severity.name(), finding.rule));
        (String::from_utf8(edited.document.print()).unwrap(), told.collect())
    }

    const RECORDS: &str = "{\n  \"versions\": [],\n  \"versions_errors\": [\n    {\n      \"version\": \"1.2.0\",\n      \
        \"message\": \"m\",\n      \"utc_time\": \"2026-11-20T12:00:00Z\"\n    },\n    {\n      \"version\": \"1.1.0\",\n      \
        \"message\": \"m\",\n      \"utc_time\": \"2026-11-20T12:00:00Z\"\n    }\n  ],\n  \"mine\": 1\n}";

    #[test]
    fn records_go_where_the_next_try_would_succeed() {
        let clear =
            |versions: &[&str]| Edit::ClearErrors(versions.iter().map(|one| (*one).to_owned()).collect());
        let (new, told) = applied(&clear(&["v1.2.0"]), RECORDS, &upstream("v1.2.0", sums()));
        let start = RECORDS.find("    {\n      \"version\": \"1.2.0\"").unwrap();
        let end = RECORDS.find("    {\n      \"version\": \"1.1.0\"").unwrap();
        assert_eq!(new, format!("{}{}", &RECORDS[..start], &RECORDS[end..]), "all else keeps its bytes");
        assert_eq!(told, ["note next-bump"]);
        for (facts, wanted) in [
            (upstream("v1.2.0", Observed::Absent { at: now(), status: 404 }), "error not-complete"),
            (
                upstream("v1.2.0", known(Sums { url: "u".into(), text: "".into(), modified: None })),
                "error not-complete",
            ),
            (upstream("v1.2.0", Observed::Unasked), "error version-unread"),
            (Facts::default(), "error version-unread"),
        ] {
            let (new, told) = applied(&clear(&["1.2.0"]), RECORDS, &facts);
            assert_eq!((new.as_str(), &*told.join(", ")), (RECORDS, wanted));
        }
        let (new, told) = applied(&clear(&["1.2.0", "1.3.0"]), RECORDS, &upstream("v1.2.0", sums()));
        assert!(!new.contains("1.2.0"));
        assert_eq!(told, ["note next-bump", "error no-errors"]);
        // Of a tag that is gone nothing is tried again; with the last record the list goes.
        let (new, _) = applied(&clear(&["1.2.0", "1.1.0"]), RECORDS, &upstream("v9.0.0", sums()));
        assert_eq!(new, "{\n  \"versions\": [],\n  \"mine\": 1\n}");
    }

    /// A reason that would stop the sending is reported before anybody reviews the edit.
    #[test]
    fn an_edit_that_the_next_bump_would_rewrite_says_so() {
        let by_hand = "{\n  \"warnings\": [\n    \"Old.\"\n  ],\n  \"versions\": []\n}";
        let (_, told) = applied(&Edit::warning("Older.").unwrap(), by_hand, &Facts::default());
        assert_eq!(told, ["note next-bump", "warning rewritten"]);
        let block = Edit::blocking(vec!["1.2.0".into()], "bad").unwrap();
        let (same, told) = applied(&block, by_hand, &Facts::default());
        assert_eq!(
            (same.as_str(), &*told),
            (by_hand, &["note next-bump".to_owned()][..]),
            "the file is not written"
        );
    }

    #[test]
    fn a_warning_that_sends_users_nowhere_is_refused() {
        let none = "{\n  \"versions\": []\n}";
        for (text, wanted) in [
            ("Please use umbrella/rocket instead.", "note next-bump"),
            ("This provider is deprecated and/or broken on linux/amd64.", "note next-bump"),
            ("Please use acme/rocket instead.", "error odd-warning"),
            ("Please use https://github.com/acme/terraform-provider-rocket instead.", "error odd-warning"),
            ("Please use umbrela/rocket instead.", "error odd-warning"),
            ("Moved to `registry.opentofu.org/umbrella/rockets`.", "error odd-warning"),
        ] {
            let (new, messages) = applied(&Edit::warning(text).unwrap(), none, &Facts::default());
            assert_eq!((new == none, &*messages.join(", ")), (wanted.starts_with("error"), wanted), "{text}");
        }
        let itself = Edit::moved_to(&Address::provider("acme", "rocket")).unwrap();
        assert_eq!(applied(&itself, none, &Facts::default()).1, ["error odd-warning"]);
    }

    #[test]
    fn a_warning_is_one_line_beside_others() {
        let warn = |text: &str| Edit::warning(text).unwrap();
        let none = "{\n  \"versions\": [],\n  \"mine\": 1\n}";
        let (new, _) = applied(&warn(" Old. "), none, &Facts::default());
        assert_eq!(new, "{\n  \"versions\": [],\n  \"warnings\": [\n    \"Old.\"\n  ],\n  \"mine\": 1\n}");
        let (newer, _) = applied(&warn("Older."), &new, &Facts::default());
        assert!(newer.contains("\"Old.\",\n    \"Older.\"\n"), "{newer}");
        let (same, told) = applied(&warn("Old."), &new, &Facts::default());
        assert_eq!((same, &*told[0]), (new, "error same-warning"));
        for text in ["", " ", "a\nb", "\u{1b}[2J", &"x".repeat(501)] {
            assert!(Edit::warning(text).is_err(), "{text:?}");
        }
        assert!(Edit::moved_to(&Address::module("a", "b", "c")).is_err());
        let edit = Edit::moved_to(&Address::provider("umbrella", "rocket")).unwrap();
        assert_eq!(
            edit.command(&Address::provider("acme", "rocket")),
            "bumpdesk plan warn acme/rocket --text 'This provider has moved to umbrella/rocket. Please use that one.'"
        );
    }
}
