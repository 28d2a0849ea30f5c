//! The steps of the ladder, each with its answer and what that rests on.

use jiff::Timestamp;

use crate::registry::version::{self, trim_v};
use crate::registry::{Entry, Kind, ModuleEntry, ModuleVersion, Observed, ServedDocument, Version, short_id};
use crate::rules::actions::RunRead;
use crate::rules::amount::{Form, ago, clock, counted, minute};
use crate::rules::anatomy::{Names, Parts};
use crate::rules::client::refusal;
use crate::rules::signature::Client;
use crate::rules::triage::unregistered::copy_source;
use crate::rules::triage::{Answer, Case, Rung, Step, Upstream, clients};
use crate::rules::{
    NORMAL_DELAY, NotChecked, PublishedBy, Status, TAG_MOVED, VersionMark, VersionState, check_signature,
    indexed_tag, retry, tag_version,
};

fn step(rung: Rung, answer: Answer, evidence: impl Into<String>, at: Option<Timestamp>) -> Step {
    Step { rung, answer, evidence: evidence.into(), at }
}

/// All steps that can be told: of the registry's own files at once, the others when upstream was read.
pub(super) fn of(case: &Case<'_>) -> Vec<Step> {
    let files = [dataset(case), blocked(case), tried(case)];
    let mut steps = Vec::from(files);
    if let Some(upstream) = &case.upstream {
        steps.extend([
            released(case, upstream),
            search(case, upstream),
            served(case, upstream),
            mirror(case, upstream),
            complete(case, upstream),
            sums(case, upstream),
            keys(case, upstream),
        ]);
    }
    steps.sort_by_key(|step| step.rung);
    steps
}

/// The step about the search site, which is updated after the API. A version that is missing there can still be
/// installed.
fn search(case: &Case<'_>, upstream: &Upstream<'_>) -> Step {
    let searched = &upstream.serving.searched;
    let at = searched.at();
    let answer = |answer, evidence: String| step(Rung::Search, answer, evidence, at);
    let listed = match searched {
        Observed::Unasked => return answer(Answer::NotChecked, "the search site was not asked".to_owned()),
        Observed::Unknown { why, .. } => {
            return answer(Answer::Unknown, format!("the search site could not be read: {}", why.text()));
        }
        Observed::Absent { status, .. } => {
            return answer(Answer::No, format!("the search site answers {status} for this entry"));
        }
        Observed::Known { value, .. } => value,
    };
    let count = counted(listed.len(), "version");
    let Some(version) = case.focus() else {
        return answer(Answer::Yes, format!("the search site has the entry, with {count}"));
    };
    if lists(listed, version) {
        let is_left = case.entry().is_some() && case.indexed(version).is_none();
        let left = if is_left {
            ", though the registry's data does not have it: it has to be removed there"
        } else {
            ""
        };
        return answer(Answer::Yes, format!("the search site lists {version}{left}"));
    }
    let newest = version::highest(listed.iter().map(String::as_str));
    let newest = newest.map(|newest| format!(", the highest {}", trim_v(newest))).unwrap_or_default();
    let late = if case.indexed(version).is_some() {
        ": it comes there later, and clients do not need it"
    } else {
        ""
    };
    answer(Answer::No, format!("the search site has {count}{newest}, and not {version}{late}"))
}

/// After so many days without a commit GitHub disables the schedules of a public repository (its documentation, "Disabling and
/// enabling a workflow").
const QUIET_DAYS: i64 = 60;
/// Forks are brought in step several times a day: a schedule that is quiet for longer is told of.
const QUIET_HOURS: i64 = 24;

fn released(case: &Case<'_>, upstream: &Upstream<'_>) -> Step {
    let told = |answer, evidence: String, at| step(Rung::Released, answer, evidence, at);
    let Some(version) = case.focus() else {
        return told(Answer::DoesNotApply, "no version is asked about, and none is indexed".to_owned(), None);
    };
    let feed = upstream.facts.feed.at();
    if Version::parse(version).is_err() {
        return told(Answer::DoesNotApply, format!("{version} is not a semantic version"), None);
    }
    let young = |at: Timestamp| case.now.duration_since(at) < NORMAL_DELAY;
    let by_state = case.state(version).and_then(|state| Some((state.published?, state.published_by?)));
    let by_feed = upstream.facts.feed.known().and_then(|feed| {
        let is_it = |tag: &str| tag_version(tag).is_some_and(|name| name.eq_ignore_ascii_case(version));
        feed.entries.iter().find(|entry| is_it(&entry.tag)).map(|entry| (entry.updated, PublishedBy::Feed))
    });
    if let Some((at, by)) = by_state.or(by_feed) {
        let answer = if young(at) { Answer::Yes } else { Answer::No };
        let age = ago(at, case.now, Form::Spoken);
        let told_by = match by {
            PublishedBy::Feed => "says its releases feed",
            PublishedBy::Api => "says the releases API",
            PublishedBy::FirstSeen => "when a survey first saw it",
        };
        return told(
            answer,
            format!("{version} was released {age}, {}, {told_by}", clock(at, case.now)),
            feed,
        );
    }
    if let Some(at) = discovered(case, version).filter(|at| !young(*at)) {
        return told(
            Answer::No,
            format!("{version} was indexed {}, {}", ago(at, case.now, Form::Spoken), clock(at, case.now)),
            None,
        );
    }
    match &upstream.facts.tags {
        Observed::Known { at, .. } if case.tag(version).is_none() => {
            told(Answer::No, format!("upstream has no tag {version}"), Some(*at))
        }
        Observed::Absent { at, status } => {
            told(Answer::No, format!("{} answers {status}", case.repository()), Some(*at))
        }
        Observed::Known { .. } if case.indexed(version).is_some() => told(
            Answer::No,
            format!("{version} is indexed, and no longer among the newest releases of its feed"),
            feed,
        ),
        _ => {
            let why = upstream.facts.feed.why().map(|why| format!(": {}", why.text())).unwrap_or_default();
            told(Answer::Unknown, format!("when {version} was released is not known{why}"), feed)
        }
    }
}

/// When the registry took a version.
fn discovered(case: &Case<'_>, version: &str) -> Option<Timestamp> {
    let is_it = |name: &str| trim_v(name) == trim_v(version);
    match case.entry()? {
        Entry::Provider(entry) => entry.versions.iter().find(|one| is_it(&one.version))?.discovered,
        Entry::Module(entry) => entry.versions.iter().find(|one| is_it(&one.version))?.discovered,
    }
}

/// Whether a version was indexed so short a time ago that what is served may not have it yet.
pub(super) fn is_just_indexed(case: &Case<'_>, version: &str) -> bool {
    discovered(case, version).is_some_and(|at| case.now.duration_since(at) < NORMAL_DELAY)
}

fn dataset(case: &Case<'_>) -> Step {
    let told = |answer, evidence: String| step(Rung::Dataset, answer, evidence, None);
    let at = if case.revision.is_empty() { String::new() } else { format!(" ({})", case.revision) };
    let path = case.address.path();
    let entry = match case.entry {
        None => {
            if let Some(source) = copy_source(case) {
                let path = source.path();
                let text = format!("it has no file of its own: its pages are copied from {path}{at}");
                return told(Answer::Yes, text);
            }
            let kind = case.address.kind().word();
            return told(Answer::No, format!("the registry has no {kind} {}{at}", case.address));
        }
        Some(Err(why)) => return told(Answer::Unknown, format!("{why}{at}")),
        Some(Ok(entry)) => entry,
    };
    let count = counted(entry.versions().len(), "version");
    let highest =
        case.highest().map(|highest| format!(", the highest {}", trim_v(highest))).unwrap_or_default();
    if let Some(refusal) = clients::stored_list(case) {
        return told(Answer::No, format!("{path}: {}{at}", refusal.text()));
    }
    match case.focus() {
        None => told(Answer::No, format!("{path} has no version{at}")),
        Some(version) if clients::stored_version(case, version).is_some() => {
            let refusal = clients::stored_version(case, version).map(|refusal| refusal.text());
            told(Answer::No, format!("{path} has {version}, and {}{at}", refusal.unwrap_or_default()))
        }
        Some(version) => match case.indexed(version) {
            Some(stored) => {
                let since =
                    discovered(case, stored).map(|found| format!(", since {}", clock(found, case.now)));
                told(Answer::Yes, format!("{path} has {}{}{at}", trim_v(stored), since.unwrap_or_default()))
            }
            None => told(Answer::No, format!("{path} has {count}{highest}, and not {version}{at}")),
        },
    }
}

/// Whether a list that is served has a version.
pub(super) fn lists(listed: &[String], version: &str) -> bool {
    listed.iter().any(|one| trim_v(one) == trim_v(version))
}

/// Where it disappears on its way to clients: the list, or the document.
pub(super) fn served(case: &Case<'_>, upstream: &Upstream<'_>) -> Step {
    let serving = upstream.serving;
    let at = serving.listed.at();
    let told = |answer, evidence: String| step(Rung::Served, answer, evidence, at);
    let unread = |what: &str, why: String| {
        told(Answer::Unknown, format!("{what} of the registry's API could not be read: {why}"))
    };
    if let Some(clients::Found::Served(refusal)) = clients::of_list(case, upstream) {
        return told(Answer::No, format!("the served list is refused: {}", refusal.text()));
    }
    let listed = match &serving.listed {
        Observed::Unasked => return told(Answer::NotChecked, "the registry's API was not asked".to_owned()),
        Observed::Unknown { why, .. } => return unread("the list", why.text()),
        Observed::Absent { .. } => None,
        Observed::Known { value, .. } => Some(value),
    };
    let Some((version, target)) = &serving.subject else {
        // It is not in the data: what is still served of it is to be cleaned up.
        let wanted = case.version.map(trim_v);
        let copy = copy_source(case);
        return match (listed, wanted) {
            (Some(listed), _) if copy.is_some() && wanted.is_none_or(|wanted| lists(listed, wanted)) => told(
                Answer::Yes,
                format!("the served list of the copy has {}", counted(listed.len(), "version")),
            ),
            (Some(listed), Some(wanted)) if lists(listed, wanted) => told(
                Answer::Yes,
                format!("the served list still has {wanted}, which the registry's data has not"),
            ),
            (Some(_), None) => {
                told(Answer::Yes, "it is served, and the registry's data does not have it".to_owned())
            }
            (Some(listed), Some(wanted)) => told(
                Answer::No,
                format!("the served list has {}, and not {wanted}", counted(listed.len(), "version")),
            ),
            (None, _) => told(Answer::No, "its list of versions answers 404".to_owned()),
        };
    };
    let Some(listed) = listed else {
        return told(Answer::No, format!("the data has {version}, and its list of versions answers 404"));
    };
    let download = match &serving.download {
        Observed::Unknown { why, .. } => return unread("the download document", why.text()),
        download => download,
    };
    // A version without any target has no document.
    let has_download = download.known().is_some() || *download == Observed::Unasked;
    let is_listed_alone = *download == Observed::Unasked;
    let of = target.as_ref().map(|target| format!(" for {target}")).unwrap_or_default();
    if let Some(found) = clients::of_document(case, upstream).filter(|_| has_download) {
        return told(Answer::No, format!("its download{of} is served, and {}", found.text()));
    }
    let lacking: Vec<&str> = match (case.version, case.entry()) {
        // Of an entry as a whole every indexed version counts.
        (None, Some(entry)) => {
            entry.versions().into_iter().map(trim_v).filter(|one| !lists(listed, one)).collect()
        }
        _ => Some(version.as_str()).into_iter().filter(|one| !lists(listed, one)).collect(),
    };
    match (&lacking[..], has_download) {
        ([], true) => match wrong_sum(case, version, target.as_deref(), download.known()) {
            Some(evidence) => told(Answer::No, evidence),
            None if is_listed_alone => {
                told(Answer::No, format!("the served list has {version}, for no platform"))
            }
            None => {
                told(Answer::Yes, format!("the served list has {version}, and its download{of} is there"))
            }
        },
        ([], false) => {
            let asked = padded(version)
                .map(|padded| format!(", which clients ask for as {padded},"))
                .unwrap_or_default();
            told(
                Answer::No,
                format!("the served list has {version}, and the download{of}{asked} answers 404"),
            )
        }
        (lacking, has_download) => {
            let more =
                if lacking.len() > 1 { format!(" and {} more", lacking.len() - 1) } else { String::new() };
            let document = match (lacking[0] == version, has_download) {
                (true, true) => format!("its download{of} is there, so that an old list is likely"),
                (true, false) => format!("its download{of} answers 404 too"),
                (false, _) => "other versions of it are".to_owned(),
            };
            told(
                Answer::No,
                format!("the data has {}{more}, and the served list has not; {document}", lacking[0]),
            )
        }
    }
}

/// The form in which clients ask for a shorthand.
pub(crate) fn padded(version: &str) -> Option<String> {
    Version::parse(version).ok().filter(Version::is_shorthand).map(|version| version.padded())
}

/// A hint that Terraform's registry would refuse the release, from what was read of it.
pub(super) fn other_registry(case: &Case<'_>) -> Option<String> {
    let version = case.focus()?;
    let tag = case.tag(version)?;
    let release = case.upstream?.facts.releases.get(tag)?;
    let names = Names::new(&case.address.repository(), case.address.name(), tag);
    Some(format!("{version}: {}", Parts::of(&names, release).other_registry()?))
}

/// The finding that the served checksum or size differs from the data file.
fn wrong_sum(
    case: &Case<'_>,
    version: &str,
    target: Option<&str>,
    served: Option<&Option<ServedDocument>>,
) -> Option<String> {
    let served = served?.as_ref()?;
    let entry = case.entry()?.as_provider()?;
    let stored = entry.versions.iter().find(|one| trim_v(&one.version) == version)?;
    let stored = stored.targets.iter().find(|one| Some(&*one.platform()) == target)?;
    let platform = stored.platform();
    let package = served.packages.iter().flatten().find(|package| package.platform == platform);
    let is_other_size = package
        .and_then(|package| package.size)
        .is_some_and(|size| stored.size.is_some_and(|stored| i128::from(stored) != size));
    let what = if !stored.shasum.eq_ignore_ascii_case(&served.shasum) {
        "checksum"
    } else if is_other_size {
        "size"
    } else {
        return None;
    };
    Some(format!("its download for {platform} names a {what} that the data does not have"))
}

fn mirror(case: &Case<'_>, upstream: &Upstream<'_>) -> Step {
    let at = upstream.original.at();
    let told = |answer, evidence: String| step(Rung::Mirror, answer, evidence, at);
    let Some(original) = case.original() else {
        return told(Answer::DoesNotApply, "it is not built from a fork of HashiCorp's".to_owned());
    };
    let fork = case.repository();
    let tags = match upstream.original {
        Observed::Unasked => return told(Answer::NotChecked, format!("{original} was not asked")),
        Observed::Unknown { why, .. } => {
            return told(Answer::Unknown, format!("{original} could not be read: {}", why.text()));
        }
        Observed::Absent { status, .. } => {
            let gone = format!("HashiCorp's own repository is gone: {original} answers {status}");
            return match case.version.map(trim_v).filter(|version| is_unbuilt(case, version)) {
                Some(version) => {
                    let builds = builds(case, upstream);
                    let told_of =
                        format!("the fork {fork} has the tag {version}, and no complete build of it");
                    told(Answer::Yes, format!("{told_of}{builds}; {gone}"))
                }
                None => told(Answer::DoesNotApply, gone),
            };
        }
        Observed::Known { value, .. } => value,
    };
    let is_stable = |name: &&str| Version::parse(name).is_ok_and(|version| !version.is_prerelease());
    let newest = || version::highest(tags.list.iter().map(|tag| &*tag.name).filter(is_stable));
    let Some(version) = case.version.map(trim_v).or_else(|| newest().map(trim_v)) else {
        return told(Answer::No, format!("{original} has no version tag"));
    };
    if !tags.list.iter().any(|tag| trim_v(&tag.name) == version) {
        return told(Answer::No, format!("{original} has no tag {version} either"));
    }
    match case.tag(version) {
        _ if is_built(case, version) => {
            told(Answer::No, format!("the fork {fork} has {version} as {original} does"))
        }
        Some(_) => {
            let builds = builds(case, upstream);
            told(
                Answer::Yes,
                format!("the fork {fork} has the tag {version}, and no complete build of it{builds}"),
            )
        }
        None if upstream.facts.tags.known().is_none() => {
            told(Answer::Unknown, format!("the fork {fork} could not be read"))
        }
        None => {
            let builds = builds(case, upstream);
            told(
                Answer::Yes,
                format!("{original} has {version}, and the fork {fork} has no such tag{builds}"),
            )
        }
    }
}

fn is_built(case: &Case<'_>, version: &str) -> bool {
    case.indexed(version).is_some() || case.state(version).is_some_and(is_complete)
}

fn is_unbuilt(case: &Case<'_>, version: &str) -> bool {
    case.tag(version).is_some() && !is_built(case, version)
}

/// Why a fork has no build of a release, as far as its runs tell: `; its newest build failed …`.
pub(super) fn builds(case: &Case<'_>, upstream: &Upstream<'_>) -> String {
    let mut told = vec![String::new()];
    match upstream.builds {
        Observed::Unasked => {}
        Observed::Unknown { why, .. } => {
            told.push(format!("how its builds went could not be read: {}", why.text()));
        }
        Observed::Absent { .. } => told.push("its builds are shown to nobody here".to_owned()),
        Observed::Known { value, .. } => {
            told.extend(value.newest.as_ref().filter(|run| run.state.is_bad()).map(|run| {
                let (name, word) = (&run.workflow, run.state.word());
                format!(
                    "the newest run of its workflows, {name}, {word} {}: {}",
                    clock(run.created, case.now),
                    run.url
                )
            }));
            let hours = |run: &RunRead| case.now.duration_since(run.created).as_hours();
            told.extend(value.scheduled.as_ref().filter(|run| hours(run) > QUIET_HOURS).map(|run| {
                let since = format!("its schedule last started a run {}", ago(run.created, case.now, Form::Spoken));
                if !is_off(case, upstream) {
                    return since;
                }
                format!(
                    "{since}, and is most likely disabled: GitHub disables schedules after {QUIET_DAYS} days without a commit"
                )
            }));
        }
    }
    told.join("; ")
}

/// Whether its schedule has started nothing for so long that GitHub has disabled it.
pub(super) fn is_off(case: &Case<'_>, upstream: &Upstream<'_>) -> bool {
    let scheduled = upstream.builds.known().and_then(|builds| builds.scheduled.as_ref());
    scheduled.is_some_and(|run| case.now.duration_since(run.created).as_hours() > QUIET_DAYS * 24)
}

/// Whether the bump can take it, or could if it were not kept out.
fn is_complete(state: &VersionState) -> bool {
    state.targets.is_some() && state.status().is_some_and(|status| status.row().missing)
}

fn blocked(case: &Case<'_>) -> Step {
    let told = |answer, evidence: String| step(Rung::Blocked, answer, evidence, None);
    if let Some(why) = case.blacklist_error {
        return told(Answer::Unknown, why.to_owned());
    }
    let mine: Vec<_> = case.blacklist.of(case.address).collect();
    match case.focus() {
        Some(version) => match case.blacklist.find(case.address, version) {
            Some(entry) => told(Answer::Yes, format!("{version}: {}", entry.reason)),
            None => told(Answer::No, format!("{version} is not on it")),
        },
        None => told(Answer::No, format!("it has {} of this entry", counted(mine.len(), "version"))),
    }
}

fn tried(case: &Case<'_>) -> Step {
    let told = |answer, evidence: String| step(Rung::Tried, answer, evidence, None);
    if case.address.kind() == Kind::Module {
        return told(Answer::DoesNotApply, "no failed tries are recorded of modules".to_owned());
    }
    let errors = case.entry().map_or(&[][..], Entry::errors);
    let Some(version) = case.focus() else {
        return told(Answer::No, "no failed try is recorded".to_owned());
    };
    match retry::tries(errors, version) {
        Some(tries) => {
            let next = retry::next_run(tries.waits_until.max(case.now));
            told(
                Answer::Yes,
                format!(
                    "{} of {version}, the last on {}: {}; next try {}",
                    counted(tries.count, "failed try"),
                    minute(tries.last),
                    tries.message,
                    minute(next)
                ),
            )
        }
        None => told(Answer::No, format!("no failed try of {version} is recorded")),
    }
}

fn complete(case: &Case<'_>, upstream: &Upstream<'_>) -> Step {
    let facts = upstream.facts;
    let at = facts.tags.at();
    let told = |answer, evidence: String| step(Rung::Upstream, answer, evidence, at);
    let repository = case.repository();
    let tags = match &facts.tags {
        Observed::Unasked => return told(Answer::NotChecked, format!("{repository} was not asked")),
        Observed::Unknown { why, .. } => {
            return told(Answer::Unknown, format!("{repository} could not be read: {}", why.text()));
        }
        Observed::Absent { status, .. } => return told(Answer::No, format!("{repository} answers {status}")),
        Observed::Known { value, .. } => value,
    };
    let moved = tags
        .moved
        .as_ref()
        .map(|to| format!("; it redirects to {}/{}", to.owner, to.name))
        .unwrap_or_default();
    let Some(version) = case.focus() else {
        let count = tags.list.iter().filter(|tag| tag_version(&tag.name).is_some()).count();
        let answer = if tags.moved.is_some() { Answer::No } else { Answer::DoesNotApply };
        return told(answer, format!("{repository} has {}{moved}", counted(count, "version tag")));
    };
    let Some(tag) = case.tag(version) else {
        return told(Answer::No, format!("{repository} has no tag {version}{moved}"));
    };
    if tag_version(tag).is_none() {
        return told(
            Answer::No,
            format!("{tag} is not a semantic version, and the registry takes no other tags{moved}"),
        );
    }
    let Some(state) = case.state(version) else {
        return told(Answer::Yes, format!("{repository} has the tag {tag}{moved}"));
    };
    let is_known = state.status().is_none_or(|status| !status.is_unknown());
    match state.mark {
        _ if !is_known => told(Answer::Unknown, format!("{tag}: {}", state.reason)),
        VersionMark::Is(status) if is_lacking(status) => told(Answer::No, format!("{tag}: {}", state.reason)),
        VersionMark::Is(status) if status.row().missing => {
            let targets =
                state.targets.map(|count| format!(", with {}", counted(count, "target"))).unwrap_or_default();
            told(Answer::Yes, format!("the bump could take {tag}{targets}{moved}"))
        }
        _ => told(Answer::Yes, format!("{repository} has the tag {tag}{moved}")),
    }
}

/// Whether it says that something is not there.
fn is_lacking(status: Status) -> bool {
    status.row().rung == Rung::Upstream
}

/// Compares the recorded commit of a module's version with its tag, because a module has no checksums.
fn commit(case: &Case<'_>, entry: &ModuleEntry, upstream: &Upstream<'_>) -> Step {
    let at = upstream.facts.tags.at();
    let reply = |answer, evidence: String| step(Rung::Sums, answer, evidence, at);
    let Some(version) = case.focus().and_then(|version| case.indexed(version)) else {
        return reply(Answer::DoesNotApply, "it is not indexed: no commit is recorded of it".to_owned());
    };
    let is_moved = |state: &&VersionState| {
        state.version == version && state.tag.is_some() && state.reason.starts_with(TAG_MOVED)
    };
    let states = upstream.verdict.map_or(&[][..], |verdict| &verdict.versions);
    if let Some(state) = states.iter().find(is_moved) {
        return reply(Answer::No, format!("{version}: {}", state.reason));
    }
    let stored = entry.versions.iter().find(|one| one.version == version);
    let Some(recorded) = stored.and_then(ModuleVersion::recorded_commit) else {
        return reply(Answer::NotChecked, format!("no commit is recorded of {version}"));
    };
    let tag = match &upstream.facts.tags {
        Observed::Unasked => {
            return reply(Answer::NotChecked, format!("{} was not asked", case.repository()));
        }
        Observed::Unknown { why, .. } => {
            return reply(
                Answer::Unknown,
                format!("{} could not be read: {}", case.repository(), why.text()),
            );
        }
        Observed::Absent { status, .. } => {
            return reply(Answer::No, format!("{} answers {status}", case.repository()));
        }
        Observed::Known { value, .. } => value.find(version),
    };
    match tag {
        None => reply(Answer::No, format!("upstream has no tag {version}")),
        Some(tag) if tag.is_at(recorded) => {
            reply(Answer::Yes, format!("the tag {version} is at the recorded commit {}", short_id(recorded)))
        }
        Some(_) => reply(Answer::NotChecked, format!("the tags were read before {version} was indexed")),
    }
}

fn sums(case: &Case<'_>, upstream: &Upstream<'_>) -> Step {
    let told = |answer, evidence: String, at| step(Rung::Sums, answer, evidence, at);
    let none = |evidence: &str| told(Answer::DoesNotApply, evidence.to_owned(), None);
    if let Some(Entry::Module(entry)) = case.entry() {
        return commit(case, entry, upstream);
    }
    let Some(entry) = case.entry().and_then(Entry::as_provider) else {
        return none("nothing with a checksum is stored of it");
    };
    let Some(version) = case.focus() else { return none("no version is indexed") };
    let Some(stored) = entry.versions.iter().find(|one| one.version == version) else {
        return none("it is not indexed: no checksum is stored of it");
    };
    let tag = indexed_tag(stored).unwrap_or_default();
    let release = upstream.facts.releases.get(tag.as_str());
    let read = release.and_then(|release| release.sums.at());
    if let Some(state) = case.state(version)
        && let Some(status) = state.status()
        && status.row().rung == Rung::Sums
    {
        return told(Answer::No, state.reason.clone(), read);
    }
    match release.map(|release| &release.sums) {
        None | Some(Observed::Unasked) => {
            told(Answer::NotChecked, format!("SHA256SUMS of {version} was not read"), None)
        }
        Some(Observed::Absent { status, .. }) => {
            told(Answer::No, format!("SHA256SUMS of {version} answers {status}"), read)
        }
        Some(Observed::Unknown { why, .. }) => {
            told(Answer::Unknown, format!("SHA256SUMS of {version} could not be read: {}", why.text()), read)
        }
        Some(Observed::Known { .. }) => {
            match case.state(version).filter(|state| state.status().is_some_and(Status::is_unknown)) {
                Some(state) => told(Answer::Unknown, format!("{version}: {}", state.reason), read),
                None => told(
                    Answer::Yes,
                    format!(
                        "SHA256SUMS of {version} lists what is stored for its {}",
                        counted(stored.targets.len(), "target")
                    ),
                    read,
                ),
            }
        }
    }
}

fn keys(case: &Case<'_>, upstream: &Upstream<'_>) -> Step {
    let told = |answer, evidence: String, at| step(Rung::Keys, answer, evidence, at);
    let none = |evidence: &str| told(Answer::DoesNotApply, evidence.to_owned(), None);
    if case.address.kind() == Kind::Module {
        return none("modules are not signed");
    }
    let ring = match upstream.keys {
        None => return none("nothing of it is signed here"),
        Some(Err(why)) => {
            return told(Answer::Unknown, format!("the keys on file could not be read: {why}"), None);
        }
        Some(Ok(ring)) if ring.is_empty() => return none(&refusal::without_keys().text()),
        Some(Ok(ring)) => ring,
    };
    let Some(version) = case.focus() else { return none("no version is indexed") };
    let stored = case
        .entry()
        .and_then(Entry::as_provider)
        .and_then(|entry| entry.versions.iter().find(|one| one.version == version));
    let tag = stored.and_then(indexed_tag).or_else(|| case.tag(version).map(ToOwned::to_owned));
    let Some(tag) = tag else { return none("upstream has no such version") };
    let read = upstream.facts.signatures.get(tag.as_str()).and_then(Observed::at);
    match check_signature(upstream.facts, &tag, ring, case.now.into()) {
        Ok(check) => {
            let answer = match check.client {
                Client::Refuses(_) => Answer::No,
                Client::Unknown(_) => Answer::Unknown,
                Client::Installs | Client::Skips | Client::Warns => Answer::Yes,
            };
            told(answer, format!("{version}: {}", check.text()), read)
        }
        Err(NotChecked::Unasked) => {
            told(Answer::NotChecked, format!("the signature of {version} was not read"), None)
        }
        Err(NotChecked::Failed(why)) => {
            told(Answer::Unknown, format!("the signature of {version} could not be read: {why}"), read)
        }
    }
}
