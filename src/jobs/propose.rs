//! One entry's rebuild: what the server offers, as the bytes that the registry's own process would write.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use serde::Deserialize;

use crate::jobs::Env;
use crate::jobs::data::{Failure, FailureKind, Judgement};
use crate::jobs::hash::{Hashed, NotHashed, hash_target};
use crate::jobs::judging::judge_row;
use crate::jobs::session::{Reading, Session};
use crate::jobs::survey::{MOST_MISSING, read_release};
use crate::registry::version::trim_v;
use crate::registry::{
    Address, ArchiveFault, BlacklistEntry, BrokenArchive, Document, Entry, Facts, Json, Kind, Observed,
    ProviderVersion, ReleaseFacts, ReleaseInfo, Repository, Row, Tag, Tags, Why, digest,
};
use crate::remote::observed;
use crate::rules::anatomy::{Names, believed};
use crate::rules::client::refusal;
use crate::rules::diff::{ChangeKind, Diff, VersionChange};
use crate::rules::edit::{self, Edit, Edited, Subject};
use crate::rules::finding::{BROKEN, FAILS, MISMATCH, REPOSITORY_GONE};
use crate::rules::rebuild::{
    Found, Keep, NO_ARTIFACTS, NO_CHECKSUMS, NewError, NewTag, NewTarget, NewVersion, rebuild,
};
use crate::rules::sending::{Prediction, Reason};
use crate::rules::submission::NewKey;
use crate::rules::{
    Depth, Finding, KeyPreview, KeySheet, Mode, Proposal, amount, anatomy, diff, indexed_tag, is_name_reused,
    missing_tags, retry, submission, tag_version, twins, warning,
};
use crate::settings::Feature;

/// Releases read at once for one entry.
const AT_ONCE: usize = 8;

/// A proposal with the two documents that it lies between.
#[derive(Debug)]
pub(crate) struct Proposed {
    pub(crate) proposal: Proposal,
    pub(crate) old: Reading,
    /// Equal to the document of `old` if nothing changes.
    pub(crate) new: Document,
    pub(crate) added: Vec<String>,
    pub(crate) recorded: Vec<String>,
    /// The blacklist entries that are added together with it.
    pub(crate) blocks: Vec<BlacklistEntry>,
    /// The new verdict, if the archives showed something that a survey cannot see.
    pub(crate) judged: Option<Judgement>,
}

fn trouble(row: &Row, cause: String) -> Failure {
    Failure::new(FailureKind::Data, format!("rebuilding {}", row.address))
        .cause(cause)
        .hint("Fix the file first; nothing was changed.")
}

/// Builds the proposal of one entry.
pub(crate) async fn propose(
    env: &Arc<Env>,
    session: &Session,
    row: &Row,
    facts: &Facts,
    mode: &Mode,
) -> Result<Proposed, Failure> {
    let old = session.reading(row).map_err(|cause| trouble(row, cause))?;
    propose_on(env, session, row, old, facts, mode).await
}

/// Builds the proposal of one entry on its file as it was read.
pub(crate) async fn propose_on(
    env: &Arc<Env>,
    session: &Session,
    row: &Row,
    old: Reading,
    facts: &Facts,
    mode: &Mode,
) -> Result<Proposed, Failure> {
    if let Some(error) = &session.blacklist_error {
        return Err(trouble(row, error.clone()));
    }
    let Reading { bytes, document, entry } = &old;
    if let Mode::Edit(edit) = mode
        && !mode.is_submission()
    {
        return Ok(edited(env, session, row, old, facts, edit));
    }
    let work = Work {
        env,
        session,
        row,
        entry,
        facts,
        known: None,
        archives: Archives::Needed,
        archives_read: Mutex::default(),
    };
    let mut findings = Vec::new();
    let (found, keep) = if mode.is_submission() {
        (work.submitted(&mut findings, &|_| false, work.registered()).await, Keep::All)
    } else {
        work.find(mode, &mut findings).await
    };
    let archives_read = std::mem::take(&mut *work.lock_archives_read());
    let judged = keep_archives_read(env, session, row, facts, &archives_read);
    let changes = !found.is_empty() || keep != Keep::All;
    let (new, new_bytes) = if changes {
        let new = rebuild(row.kind(), document, &found, &keep, env.features, taken_up(facts, env.now()));
        let new_bytes = new.print();
        (new, new_bytes)
    } else {
        // An untouched document prints its own bytes.
        (document.clone(), bytes.clone())
    };
    findings.extend(found.warnings.iter().cloned());
    let tags = facts.tags.known();
    let twins = twins::of_change(row.kind(), document, &new).into_iter();
    let with_commits = |twin: twins::Twin| match tags {
        Some(tags) => twin.with_commits(tags),
        None => twin,
    };
    findings.extend(twins.map(|twin| with_commits(twin).finding()));
    let diff = diff::compare(row.kind(), document, &new);
    findings.extend(refused(entry, &new, &diff));
    let proposal = Proposal {
        address: row.address.clone(),
        path: row.path(),
        mode: mode.clone(),
        base_digest: digest(bytes),
        digest: digest(&new_bytes),
        bytes: new_bytes,
        diff,
        findings,
    };
    let added = found.versions.iter().map(|new| trim_v(&new.tag).to_owned());
    let added = added.chain(found.tags.iter().map(|new| new.tag.clone())).collect();
    let recorded = found.errors.iter().map(|error| error.version.clone()).collect();
    Ok(Proposed { proposal, old, new, added, recorded, blocks: Vec::new(), judged })
}

/// The archive because of which each version was given up, by raw tag; `None` if all archives of the version were
/// good.
type ArchivesRead = BTreeMap<Box<str>, Option<BrokenArchive>>;

/// Stores which archives are broken with the survey facts, so that statuses show it, and judges the entry again. A
/// failure to store them has no other effect.
fn keep_archives_read(
    env: &Arc<Env>,
    session: &Session,
    row: &Row,
    facts: &Facts,
    archives_read: &ArchivesRead,
) -> Option<Judgement> {
    // A fault that is found again is news too: it is of today, and of the files that the release has now.
    let has_news =
        archives_read.iter().any(|(tag, broken)| broken.is_some() || facts.broken.contains_key(tag));
    if !has_news {
        return None;
    }
    let apply = |facts: &mut Facts| {
        for (tag, broken) in archives_read {
            match broken {
                Some(broken) => drop(facts.broken.insert(tag.clone(), broken.clone())),
                None => drop(facts.broken.remove(tag)),
            }
        }
    };
    let mut judged = facts.clone();
    apply(&mut judged);
    let key = row.address.repository().key();
    {
        let mut state = env.state();
        if let Some(state) = state.as_mut().filter(|state| !state.is_read_only()) {
            let mut stored = state.load_fact(&env.world, &key).ok().flatten().unwrap_or_default();
            apply(&mut stored.facts);
            if let Err(error) = state.save_facts(&env.world, env.now(), &[(key, stored)]) {
                tracing::warn!(%error, "broken archives were not kept for the statuses");
            }
        }
    }
    let verdict = judge_row(env, session, row, Some(&judged), Depth::Versions);
    Some(Judgement { address: row.address.clone(), verdict })
}

/// The findings about what clients would refuse in the proposed file. Only the changed versions are parsed.
fn refused(before: &Entry, after: &Document, diff: &Diff) -> Vec<Finding> {
    let Some(before) = before.as_provider() else { return Vec::new() };
    let after = after.versions();
    let is_other = |change: &&VersionChange| matches!(change.kind, ChangeKind::Added | ChangeKind::Changed);
    let places = diff.versions.iter().filter(is_other).filter_map(|change| change.new_place);
    let changed = places.filter_map(|place| ProviderVersion::deserialize(after.get(place as usize)?).ok());
    let names: Vec<&str> = after.iter().map(Json::version_name).collect();
    refusal::of_changed(before, &names, &changed.collect::<Vec<_>>())
}

/// The proposal of an edit. It reads upstream only for the effect of the next bump.
fn edited(env: &Env, session: &Session, row: &Row, old: Reading, facts: &Facts, edit: &Edit) -> Proposed {
    let Reading { bytes, document, entry } = &old;
    let twins = edit::twins(&row.address, &|address| session.catalog.find(address).is_some());
    let blacklist = &session.blacklist;
    let (twins, features, now) = (&*twins, env.features, env.now());
    let is_served = &|address: &Address| warning::is_served(&session.catalog, address);
    let on =
        Subject { address: &row.address, document, entry, facts, blacklist, twins, is_served, features, now };
    let Edited { document: new, blocks, mut findings } = edit.apply(on);
    if let Some(key) = edit.key() {
        findings.extend(key_findings(env, session, row, facts, key));
    }
    let new_bytes = edit.bytes(&new);
    let proposal = Proposal {
        address: row.address.clone(),
        path: row.path(),
        mode: Mode::Edit(edit.clone()),
        base_digest: digest(bytes),
        digest: digest(&new_bytes),
        bytes: new_bytes,
        diff: diff::compare(row.kind(), document, &new),
        findings,
    };
    Proposed { proposal, old, new, added: Vec::new(), recorded: Vec::new(), blocks, judged: None }
}

fn unread_keys(why: &str) -> Finding {
    Finding::error("keys-unread", format!("the keys on file cannot be read: {why}"))
}

/// The findings about what a new key would change, provider by provider. Providers other than this one are judged by the facts
/// that were read last.
fn key_findings(env: &Env, session: &Session, row: &Row, facts: &Facts, key: &NewKey) -> Vec<Finding> {
    let facts_of = |other: &Row| {
        let key = other.address.repository().key();
        let stored =
            || env.state().as_ref().and_then(|state| state.load_fact(&env.world, &key).ok().flatten());
        if other.address == row.address {
            facts.clone()
        } else {
            stored().map(|stored| stored.facts).unwrap_or_default()
        }
    };
    let previews = match key_previews(env, session, key, facts_of) {
        Ok(previews) => previews,
        Err(unread) => return vec![unread],
    };
    match session.key_files(&row.address) {
        Ok(files) => submission::key_preview(key, &key.beside(files), &previews, env.now()),
        Err(why) => vec![unread_keys(&why)],
    }
}

/// The effects of a key on each provider that it speaks for. `facts_of` gives facts with checksums and signatures.
///
/// # Errors
/// A provider's file or keys on file cannot be read, so that the effects are not known.
pub(crate) fn key_previews(
    env: &Env,
    session: &Session,
    key: &NewKey,
    facts_of: impl Fn(&Row) -> Facts,
) -> Result<Vec<(Address, KeyPreview)>, Finding> {
    let (mut previews, new) = (Vec::new(), key.file());
    for row in session.catalog.rows.iter().filter(|row| key.covers(&row.address)) {
        let Address::Provider(provider) = &row.address else { continue };
        let entry = session.entry(row).map_err(|why| Finding::error("keys-unread", why))?;
        let Some(entry) = entry.as_provider() else { continue };
        let files = session.key_files(&row.address).map_err(|why| unread_keys(&why))?;
        let sheet = KeySheet::new(provider, entry, &facts_of(row), (&files, new.as_ref()), env.now());
        previews.extend(sheet.preview.map(|preview| (row.address.clone(), preview)));
    }
    Ok(previews)
}

/// Predicts the result of the required check for a proposed file. `touched`: versions that are added or changed; `edit`: the
/// edit, if it is one.
pub(crate) async fn predict(
    env: &Arc<Env>,
    session: &Session,
    row: &Row,
    (facts, downloads): (&Facts, bool),
    (document, entry): (&Document, &Entry),
    (touched, edit): (&[&str], Option<&Edit>),
) -> Prediction {
    if facts.tags.is_absent() {
        return Prediction::Fails(vec![Reason::Gone]);
    }
    let (made, findings) = regenerate(env, session, row, (facts, downloads), entry).await;
    let fails = Reason::of_upstream(&findings);
    if let Some(finding) = findings.into_iter().find(|finding| finding.leaves_unknown().is_some()) {
        return Prediction::Unknown(finding.text);
    }
    if !fails.is_empty() {
        return Prediction::Fails(fails);
    }
    match Prediction::of(&diff::compare(row.kind(), document, &made), touched, edit) {
        Prediction::Passes
            if !downloads && lacks_hashes(entry) && env.features.has(Feature::TargetHashes) =>
        {
            Prediction::Unknown("a version is stored without h1, and its archives were not read".to_owned())
        }
        prediction => prediction,
    }
}

fn lacks_hashes(entry: &Entry) -> bool {
    let versions = entry.as_provider().map(|entry| entry.versions.as_slice()).unwrap_or_default();
    versions.iter().flat_map(|version| &version.targets).any(|target| !target.is_hashed())
}

/// The whole file as the registry's required check makes it, from nothing (`registry.md#the-registrys-own-checks`): every
/// version that upstream offers, read again. h1 and size are those of `known` where the checksum is the same; the others are
/// downloaded, or left empty. Sources that could not be read are among the findings.
async fn regenerate(
    env: &Arc<Env>,
    session: &Session,
    row: &Row,
    (facts, downloads): (&Facts, bool),
    known: &Entry,
) -> (Document, Vec<Finding>) {
    let (document, entry) = Entry::new_file(row.kind());
    let archives = if downloads { Archives::Needed } else { Archives::Known };
    let archives_read = Mutex::default();
    let work = Work { env, session, row, entry: &entry, facts, known: Some(known), archives, archives_read };
    let mut findings = Vec::new();
    let Some(tags) = work.tags(&mut findings) else { return (document, findings) };
    let wanted = work.missing(tags, &mut findings);
    let found = work.build(wanted, tags, false, &mut findings).await;
    // The prediction must not depend on when it is made, so it uses a fixed moment. The registry's check will run at
    // a moment of its own.
    let at = Timestamp::UNIX_EPOCH;
    (rebuild(row.kind(), &document, &found, &Keep::All, env.features, at), findings)
}

/// A file rebuilt from upstream.
pub(crate) struct Remade {
    pub(crate) document: Document,
    /// The parts that were left out of the file, each with its reason.
    pub(crate) findings: Vec<Finding>,
    /// Warnings about the versions in the file.
    pub(crate) warnings: Vec<Finding>,
}

/// A proposal of another author, to be made again.
pub(crate) struct Again<'a> {
    /// The file as it would be.
    pub(crate) claimed: &'a Entry,
    pub(crate) facts: &'a Facts,
    /// Every archive is downloaded, whatever of it the format has. Without it h1 and size are those of `claimed` where its checksum
    /// is that of SHA256SUMS.
    pub(crate) reads_archives: bool,
    /// The entry that the registry has for the repository of a new one.
    pub(crate) registered: Option<&'a Address>,
}

impl<'a> Again<'a> {
    fn work(&self, env: &'a Arc<Env>, session: &'a Session, row: &'a Row, entry: &'a Entry) -> Work<'a> {
        let known = (!self.reads_archives).then_some(self.claimed);
        let archives = if self.reads_archives { Archives::All } else { Archives::Needed };
        let archives_read = Mutex::default();
        Work { env, session, row, entry, facts: self.facts, known, archives, archives_read }
    }
}

/// A new entry as the registry's submission form makes it, but for versions that `leaves` names: without `v` for providers, the
/// raw tag for modules. Refused versions, and sources that could not be read, are among the findings.
pub(crate) async fn submit_again(
    env: &Arc<Env>,
    session: &Session,
    row: &Row,
    again: Again<'_>,
    leaves: &(dyn Fn(&str) -> bool + Sync),
) -> Remade {
    let (document, entry) = Entry::new_file(row.kind());
    let work = again.work(env, session, row, &entry);
    let mut findings = Vec::new();
    let found = work.submitted(&mut findings, leaves, again.registered).await;
    let made =
        rebuild(row.kind(), &document, &found, &Keep::All, env.features, taken_up(again.facts, env.now()));
    Remade { document: made, findings, warnings: found.warnings }
}

/// These versions as upstream gives them, on a file as it is: added, and made again where it has them. Versions that are left
/// out are among the findings.
pub(crate) async fn derive(
    env: &Arc<Env>,
    session: &Session,
    row: &Row,
    (old, entry): (&Document, &Entry),
    (versions, again): (&[String], Again<'_>),
) -> Remade {
    let facts = again.facts;
    let work = again.work(env, session, row, entry);
    let mut findings = Vec::new();
    let nothing = |findings| Remade { document: old.clone(), findings, warnings: Vec::new() };
    let Some(tags) = work.tags(&mut findings) else { return nothing(findings) };
    let (mut wanted, mut again) = (Vec::new(), Vec::new());
    for version in versions {
        let is_it = |tag: &&Tag| match row.kind() {
            Kind::Provider => tag_version(&tag.name) == Some(trim_v(version)),
            // A tag that is no version is never indexed, whatever a file calls it.
            Kind::Module => &*tag.name == version && tag_version(&tag.name).is_some(),
        };
        match tags.list.iter().find(is_it) {
            // Named twice it is made once, so that a file that has it twice is not what upstream gives.
            Some(tag) if wanted.iter().any(|name: &String| **name == *tag.name) => {}
            Some(tag) => {
                wanted.push(tag.name.to_string());
                again
                    .extend(entry.versions().into_iter().find(|stored| stored == version).map(str::to_owned));
            }
            None => {
                let has_tag = tags.list.iter().any(|tag| &*tag.name == version);
                let why = if has_tag { "its tag is not a version" } else { "upstream has no tag of it" };
                findings.push(Finding::error("no-tag", why).on(version.clone()));
            }
        }
    }
    let found = Found { errors: Vec::new(), ..work.build(wanted, tags, false, &mut findings).await };
    let is_found = |name: &String| {
        found.versions.iter().any(|new| trim_v(&new.tag) == trim_v(name))
            || found.tags.iter().any(|new| new.tag == *name)
    };
    again.retain(is_found);
    let keep = if again.is_empty() { Keep::All } else { Keep::AllButWhen(again) };
    if found.is_empty() {
        return nothing(findings);
    }
    let made = rebuild(row.kind(), old, &found, &keep, env.features, taken_up(facts, env.now()));
    Remade { document: made, findings, warnings: found.warnings }
}

/// When what is missing was discovered: when upstream's tags were read. So a rebuild that is made of the same facts a moment
/// later has the same bytes. To the second, as facts are kept.
fn taken_up(facts: &Facts, now: Timestamp) -> Timestamp {
    let at = facts.tags.at().unwrap_or(now);
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

/// The archives that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Archives {
    /// None: hashes that are not known are left empty.
    Known,
    /// Those whose hashes the format keeps, and that are not known.
    Needed,
    /// Every one, whatever the format keeps of it.
    All,
}

struct Work<'a> {
    env: &'a Arc<Env>,
    session: &'a Session,
    row: &'a Row,
    entry: &'a Entry,
    facts: &'a Facts,
    /// Hashes of archives that are known by their checksum.
    known: Option<&'a Entry>,
    archives: Archives,
    /// Collects the results while versions are built.
    archives_read: Mutex<ArchivesRead>,
}

/// The result for one tag.
enum Built {
    /// The version, and the warnings about it.
    Version(NewVersion, Vec<Finding>),
    Error(NewError),
    Left(Finding),
}

impl Work<'_> {
    /// The tags, or a finding that says why there are none to build from.
    fn tags(&self, findings: &mut Vec<Finding>) -> Option<&Tags> {
        if is_name_reused(self.facts) {
            let text = "the repository's name now belongs to another repository: nothing is proposed";
            findings.push(Finding::error("repository-id-changed", text));
            return None;
        }
        let tags = self.facts.tags.known();
        if let Observed::Absent { status, .. } = &self.facts.tags {
            let text = format!("the repository answers {status}: nothing is proposed");
            findings.push(Finding::error(REPOSITORY_GONE, text));
        } else if tags.is_none() {
            let why = self.facts.tags.why().map_or_else(|| "not read".to_owned(), Why::cause);
            findings.push(Finding::error(
                "tags-unread",
                format!("the tags are not known ({why}): nothing is proposed"),
            ));
        }
        tags
    }

    async fn find(&self, mode: &Mode, findings: &mut Vec<Finding>) -> (Found, Keep) {
        let nothing = (Found::default(), Keep::All);
        let Some(tags) = self.tags(findings) else { return nothing };
        let (wanted, keep) = match mode {
            Mode::Edit(_) => return nothing,
            Mode::Add => (self.missing(tags, findings), Keep::All),
            Mode::Refresh(versions) => self.refreshed(tags, versions, findings),
            Mode::Scratch => {
                let mut all = self.all(tags, findings).await;
                all.retain(|tag| !self.is_blocked_anew(tag));
                (all, Keep::None)
            }
        };
        if mode != &Mode::Add && wanted.is_empty() {
            findings.push(Finding::warning(
                "nothing-to-build",
                "upstream offers nothing to build from: nothing is proposed",
            ));
            return nothing;
        }
        let found = self.build(wanted, tags, mode == &Mode::Add, findings).await;
        match &keep {
            // A rebuild that could not read everything would drop versions for lack of knowledge.
            Keep::All => (found, keep),
            _ if findings.iter().any(Finding::is_obstacle) => nothing,
            // A named version that cannot be built again stays as it is.
            Keep::AllBut(names) => {
                let is_built = |name: &&String| {
                    found.versions.iter().any(|new| trim_v(&new.tag) == trim_v(name))
                        || found.tags.iter().any(|new| new.tag == **name)
                };
                let names: Vec<String> = names.iter().filter(is_built).cloned().collect();
                if names.is_empty() {
                    return nothing;
                }
                (Found { errors: Vec::new(), ..found }, Keep::AllBut(names))
            }
            Keep::None | Keep::AllButWhen(_) => (Found { errors: Vec::new(), ..found }, keep),
        }
    }

    /// All that the registry's own tool would put into a new file, but for what is left out; nothing where it would refuse.
    /// `registered`: the entry that the registry has for the same repository.
    async fn submitted(
        &self,
        findings: &mut Vec<Finding>,
        leaves: &(dyn Fn(&str) -> bool + Sync),
        registered: Option<&Address>,
    ) -> Found {
        let address = &self.row.address;
        if let Some(refused) = submission::refused(address, registered, self.facts) {
            findings.push(refused);
            return Found::default();
        }
        let Some(tags) = self.tags(findings) else { return Found::default() };
        let mut wanted = self.missing(tags, findings);
        let has_some = !wanted.is_empty();
        wanted.retain(|tag| !leaves(if self.row.kind() == Kind::Provider { trim_v(tag) } else { tag }));
        let found = self.build(wanted, tags, true, findings).await;
        if submission::fails(findings) {
            return Found::default();
        }
        if found.versions.is_empty() && found.tags.is_empty() {
            if !findings.iter().any(Finding::is_obstacle) {
                findings.push(submission::without_versions(findings, has_some));
            }
            return Found::default();
        }
        findings.extend(submission::preview(address));
        found
    }

    /// The entry that the checkout has for the same repository.
    fn registered(&self) -> Option<&Address> {
        let of = |address: &Address| address.repository().key();
        let is_there = |other: &&Address| !self.session.is_new(other) && of(other) == of(&self.row.address);
        self.session.catalog.rows.iter().map(|row| &row.address).find(is_there)
    }

    /// On the blacklist and not in the file: a rebuild must not bring it back.
    fn is_blocked_anew(&self, tag: &str) -> bool {
        let is_stored = self.entry.versions().into_iter().any(|stored| trim_v(stored) == trim_v(tag));
        !is_stored && self.session.blacklist.find(&self.row.address, tag).is_some()
    }

    fn missing(&self, tags: &Tags, findings: &mut Vec<Finding>) -> Vec<String> {
        let address = &self.row.address;
        // The file as it is now: the catalog may be older than the last bump or pull.
        let missing = missing_tags(self.row.kind(), self.entry.versions().into_iter(), tags);
        let backs_off = self.env.features.has(Feature::VersionsErrors);
        let mut wanted = Vec::new();
        for tag in missing {
            if let Some(entry) = self.session.blacklist.find(address, &tag.name) {
                let text = format!("on the blacklist: {}", entry.reason);
                findings.push(Finding::note("blacklisted", text).on(trim_v(&tag.name)));
                continue;
            }
            let tries = retry::tries(self.entry.errors(), trim_v(&tag.name)).filter(|_| backs_off);
            if let Some(tries) = tries.filter(|tries| tries.waits_until > self.env.now()) {
                let next = amount::minute(retry::next_run(tries.waits_until));
                let text = format!("{} failed tries; the bump waits until {next}", tries.count);
                findings.push(Finding::note("backing-off", text).on(trim_v(&tag.name)));
                continue;
            }
            wanted.push(tag.name.to_string());
        }
        wanted
    }

    fn refreshed(
        &self,
        tags: &Tags,
        versions: &[String],
        findings: &mut Vec<Finding>,
    ) -> (Vec<String>, Keep) {
        let (mut wanted, mut names) = (Vec::new(), Vec::new());
        for version in versions {
            let stored = self.entry.versions().into_iter().find(|stored| trim_v(stored) == trim_v(version));
            let indexed = self.entry.as_provider().and_then(|entry| {
                entry
                    .versions
                    .iter()
                    .find(|stored| trim_v(&stored.version) == trim_v(version))
                    .and_then(indexed_tag)
            });
            let tag = indexed.or_else(|| {
                let same = |tag: &&crate::registry::Tag| tag_version(&tag.name) == Some(trim_v(version));
                tags.list.iter().find(same).map(|tag| tag.name.to_string())
            });
            match (stored, tag) {
                (Some(stored), Some(tag)) if tags.find(&tag).is_some() => {
                    names.push(stored.to_owned());
                    wanted.push(tag);
                }
                (None, _) => {
                    findings.push(
                        Finding::error("not-indexed", "not indexed, so it cannot be refreshed")
                            .on(version.clone()),
                    );
                }
                _ => findings.push(
                    Finding::error("no-tag", "its tag is gone upstream: kept as it is").on(version.clone()),
                ),
            }
        }
        (wanted, Keep::AllBut(names))
    }

    /// Every release that is neither a draft nor a prerelease; every version tag of a module.
    async fn all(&self, tags: &Tags, findings: &mut Vec<Finding>) -> Vec<String> {
        let is_version = |tag: &str| tag_version(tag).is_some();
        if self.row.kind() == Kind::Module {
            return tags.list.iter().map(|tag| tag.name.to_string()).filter(|tag| is_version(tag)).collect();
        }
        match self.env.remote.releases(&self.row.address.repository()).await {
            Ok(releases) => {
                let listed = releases.into_iter().filter(|release| !release.draft && !release.prerelease);
                listed.map(|release| release.tag.to_string()).filter(|tag| is_version(tag)).collect()
            }
            Err(error) => {
                findings.push(Finding::error(
                    "version-unread",
                    format!("the releases could not be read: {}", error.cause()),
                ));
                Vec::new()
            }
        }
    }

    async fn build(
        &self,
        mut wanted: Vec<String>,
        tags: &Tags,
        keeps_all: bool,
        findings: &mut Vec<Finding>,
    ) -> Found {
        let mut found = Found::default();
        if self.row.kind() == Kind::Module {
            found.tags = wanted
                .into_iter()
                .map(|tag| {
                    let commit = tags.find(&tag).map(|tag| tag.oid.to_string()).unwrap_or_default();
                    NewTag { tag, commit }
                })
                .collect();
            return found;
        }
        let mut unread: Vec<&String> =
            wanted.iter().filter(|tag| self.read_now(tag, keeps_all).is_none()).collect();
        if keeps_all && unread.len() > MOST_MISSING {
            let later = unread.split_off(MOST_MISSING);
            let text = format!("left out: {} more versions wait for the next run", later.len());
            findings.push(Finding::error("version-unread", text));
            let later: HashSet<String> = later.into_iter().cloned().collect();
            wanted.retain(|tag| !later.contains(tag));
        }
        let infos = self.infos(&wanted, keeps_all).await;
        let mut built = stream::iter(wanted)
            .map(|tag| {
                let info = infos.get(&tag).cloned().unwrap_or_default();
                self.build_version(tag, info, keeps_all)
            })
            .buffered(AT_ONCE);
        while let Some(built) = built.next().await {
            match built {
                Built::Version(version, warnings) => {
                    found.versions.push(version);
                    found.warnings.extend(warnings);
                }
                Built::Error(error) => {
                    let text = format!("left out: {}", error.message);
                    findings.push(Finding::warning("not-complete", text).on(error.version.clone()));
                    if self.env.features.has(Feature::VersionsErrors) {
                        found.errors.push(error);
                    }
                }
                Built::Left(finding) => findings.push(finding),
            }
        }
        found
    }

    /// The facts of a release that were read for this proposal. Facts of missing versions were; those of indexed ones may be as
    /// old as any survey.
    fn read_now(&self, tag: &str, keeps_all: bool) -> Option<&ReleaseFacts> {
        let release = self.facts.releases.get(tag).filter(|_| keeps_all)?;
        let is_whole = release.sums.known().is_none() || release.manifest != Observed::Unasked;
        (release.sums != Observed::Unasked && is_whole).then_some(release)
    }

    /// The API's answers about the releases that are still to be read.
    async fn infos(&self, wanted: &[String], keeps_all: bool) -> HashMap<String, Observed<ReleaseInfo>> {
        let unread = wanted.iter().filter(|tag| self.read_now(tag, keeps_all).is_none());
        let releases: Vec<(Repository, String)> =
            unread.map(|tag| (self.row.address.repository(), tag.clone())).collect();
        if releases.is_empty() || !self.env.remote.has_token() {
            return HashMap::new();
        }
        let answers = self.env.remote.release_batch(&releases).await;
        let tags = releases.into_iter().map(|(_, tag)| tag);
        tags.zip(answers.into_iter().map(|answer| observed(answer, self.env.now()))).collect()
    }

    async fn build_version(&self, tag: String, info: Observed<ReleaseInfo>, keeps_all: bool) -> Built {
        let repository = self.row.address.repository();
        let name = self.row.address.name();
        let version = trim_v(&tag).to_owned();
        let release = match self.read_now(&tag, keeps_all) {
            Some(release) => release.clone(),
            None => read_release(self.env, &repository, name, &tag, info).await,
        };
        let sums = match &release.sums {
            Observed::Known { value, .. } => value,
            Observed::Absent { .. } => return Built::Error(NewError { version, message: NO_CHECKSUMS }),
            Observed::Unasked => return left(&version, "its checksums were not read"),
            Observed::Unknown { why, .. } => return unread(&version, "checksums", why),
        };
        if let Observed::Unknown { why, .. } = &release.manifest {
            return unread(&version, "manifest", why);
        }
        let names = Names::new(&repository, name, &tag);
        let offered = names.targets(&anatomy::parse_sums(&sums.text));
        if offered.is_empty() {
            return Built::Error(NewError { version, message: NO_ARTIFACTS });
        }
        // The registry's own tool finds another SHA-256; if it hashed nothing, it would write what nobody could ever install.
        if let Some(target) = anatomy::without_sum(&offered) {
            let text = format!("left out: its SHA256SUMS has no SHA-256 for {}", target.filename);
            return Built::Left(Finding::warning(FAILS, text).on(version));
        }
        if let Some((target, fault)) = self.broken_asset(&offered, &release) {
            return self.give_up(&tag, target, fault, &release);
        }
        let hashes = match self.hash(&version, &offered).await {
            Ok(hashes) => hashes,
            Err((target, NotHashed::Unread(why))) => {
                return left(&version, &format!("{}: {why}", target.platform()));
            }
            Err((target, NotHashed::Gone)) => {
                let names = [target.filename.as_str()];
                let at = self.env.now();
                let absent = Observed::<()>::Absent { at, status: 404 };
                return match believed(absent, &release.info, &names).why() {
                    Some(why) => left(&version, &format!("{}: {}", target.platform(), why.cause())),
                    None => self.give_up(&tag, target, ArchiveFault::Absent, &release),
                };
            }
            // That is no lack of knowledge: the registry's own tool refuses it for as long as it is so.
            Err((target, NotHashed::Broken(fault))) => {
                return match anatomy::contradiction(target, &fault, &release) {
                    Some(why) => left(&version, &format!("{}: {why}", target.platform())),
                    None => self.give_up(&tag, target, fault, &release),
                };
            }
        };
        if self.reads_archives() {
            self.lock_archives_read().insert(tag.as_str().into(), None);
        }
        let before = self.entry.as_provider().and_then(|entry| entry.below(&version));
        let mut warnings = anatomy::release_findings(&names, &version, &release, before);
        let platforms = offered.iter().map(anatomy::OfferedTarget::platform);
        let unfit =
            platforms.zip(&hashes).filter_map(|(platform, hashed)| Some((platform, hashed.unfit.clone()?)));
        warnings.extend(anatomy::unfit_findings(&version, &unfit.collect::<Vec<_>>()));
        Built::Version(new_version(tag, sums.url.to_string(), &release, offered, hashes), warnings)
    }

    /// h1 and size of every target where the format has them; the first failure refuses the version, as in production.
    async fn hash<'t>(
        &self,
        version: &str,
        offered: &'t [anatomy::OfferedTarget],
    ) -> Result<Vec<Hashed>, (&'t anatomy::OfferedTarget, NotHashed)> {
        let is_kept = self.env.features.has(Feature::TargetHashes);
        let provider = self.row.address.name();
        let hash = |target: &'t anatomy::OfferedTarget| {
            let known = self.known_hash(version, target);
            async move {
                let is_read = match self.archives {
                    Archives::Known => false,
                    Archives::Needed => is_kept && known.is_none(),
                    Archives::All => true,
                };
                let mut hashed = known.unwrap_or_default();
                if is_read {
                    hashed = hash_target(self.env, provider, target).await.map_err(|why| (target, why))?;
                }
                Ok(if is_kept { hashed } else { Hashed { unfit: hashed.unfit, ..Hashed::default() } })
            }
        };
        let hashes: Vec<_> = offered.iter().map(hash).collect();
        stream::iter(hashes).buffered(AT_ONCE).try_collect().await
    }
}

impl Work<'_> {
    /// Returns true if both the registry's tool and this work read archives.
    fn reads_archives(&self) -> bool {
        self.env.features.has(Feature::TargetHashes) && self.archives != Archives::Known
    }

    fn lock_archives_read(&self) -> std::sync::MutexGuard<'_, ArchivesRead> {
        self.archives_read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first archive that is broken according to GitHub's list of assets, which needs no download.
    fn broken_asset<'t>(
        &self,
        offered: &'t [anatomy::OfferedTarget],
        release: &ReleaseFacts,
    ) -> Option<(&'t anatomy::OfferedTarget, ArchiveFault)> {
        if !self.reads_archives() {
            return None;
        }
        let (file, fault) = anatomy::broken_asset(offered, release)?;
        Some((offered.iter().find(|target| target.filename == file)?, fault))
    }

    /// Leaves out a version because one of its archives is broken, and records the fault for the statuses.
    fn give_up(
        &self,
        tag: &str,
        target: &anatomy::OfferedTarget,
        fault: ArchiveFault,
        release: &ReleaseFacts,
    ) -> Built {
        let rule = match &fault {
            ArchiveFault::OtherSum { .. } => MISMATCH,
            _ => BROKEN,
        };
        let text = match &fault {
            ArchiveFault::OtherSum { sha256 } => {
                format!("the zip's SHA-256 is {sha256}, SHA256SUMS lists {}", target.shasum)
            }
            fault => anatomy::fault_text(&target.filename, &target.shasum, fault),
        };
        let info = release.info.known();
        let asset = info.and_then(|info| info.assets.iter().find(|one| *one.name == *target.filename));
        let broken = BrokenArchive {
            file: target.filename.as_str().into(),
            fault,
            listed: target.shasum.as_str().into(),
            release_id: info.and_then(|info| info.id),
            asset_id: asset.and_then(|asset| asset.id.clone()),
            at: self.env.now(),
        };
        self.lock_archives_read().insert(tag.into(), Some(broken));
        let text = format!("left out: {}: {text}; its author has to fix the release", target.platform());
        Built::Left(Finding::error(rule, text).on(trim_v(tag)))
    }

    /// The hashes of an archive that is recorded with the same checksum: it is the same archive.
    fn known_hash(&self, version: &str, target: &anatomy::OfferedTarget) -> Option<Hashed> {
        let versions = &self.known?.as_provider()?.versions;
        let recorded = versions.iter().find(|one| one.version == version)?.targets.iter();
        let same = recorded.filter(|one| one.is_hashed()).find(|one| one.filename == target.filename)?;
        let (h1, size_bytes) = (same.h1.clone()?, same.size?);
        (same.shasum == target.shasum).then_some(Hashed { h1, size_bytes, unfit: None })
    }
}

fn unread(version: &str, what: &str, why: &Why) -> Built {
    let text = format!("its {what} could not be read: {}", why.cause());
    if matches!(why, Why::TooLarge { .. }) {
        // That is no lack of knowledge: the registry's own tool does not read it either, however often it tries.
        return Built::Left(Finding::warning(FAILS, format!("left out: {text}")).on(version));
    }
    left(version, &text)
}

fn left(version: &str, text: &str) -> Built {
    Built::Left(Finding::error("version-unread", format!("left out: {text}")).on(version))
}

fn new_version(
    tag: String,
    shasums_url: String,
    release: &ReleaseFacts,
    offered: Vec<anatomy::OfferedTarget>,
    hashes: Vec<Hashed>,
) -> NewVersion {
    let target = |(target, hashed): (anatomy::OfferedTarget, Hashed)| NewTarget {
        os: target.os.into(),
        arch: target.arch.into(),
        filename: target.filename,
        download_url: target.url,
        shasum: target.shasum,
        h1: hashed.h1,
        size_bytes: hashed.size_bytes,
    };
    NewVersion {
        tag,
        protocols: anatomy::protocols_of(release.manifest.known()),
        shasums_signature_url: format!("{shasums_url}.sig"),
        shasums_url,
        targets: offered.into_iter().zip(hashes).map(target).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A preview and the plan are made of the same facts, a moment apart, and are to have the same bytes.
    #[test]
    fn a_version_was_discovered_when_its_tags_were_read() {
        let at: Timestamp = "2026-11-21T12:00:03.125Z".parse().unwrap();
        let facts = Facts { tags: Observed::Known { value: Tags::default(), at }, ..Facts::default() };
        for now in ["2026-11-21T12:00:04Z", "2026-11-21T12:09:00Z"] {
            assert_eq!(taken_up(&facts, now.parse().unwrap()).to_string(), "2026-11-21T12:00:03Z");
        }
    }
}
