//! Why a version is not available, answered from one typed line: the ladder of the registry's PROCEDURES.md, step by step, the
//! step that answers, the first cause, and what to do about it.
//!
//! Every step says what it rests on. What could not be read is not known, what nobody asked is not checked; neither ever passes
//! for a yes. Pure; `jobs::triage` reads what it needs.

mod clients;
mod issue;
mod question;
mod steps;
mod unregistered;

use jiff::Timestamp;
use serde::Serialize;

use crate::registry::version::{self, trim_v};
use crate::registry::{
    Address, Blacklist, Catalog, Entry, Facts, Kind, Observed, ServedDocument, Tags, Version, Why,
};
use crate::rules::actions::Builds;
use crate::rules::amount::counted;
use crate::rules::suggestion::Near;
use crate::rules::{Keys, Remedy, Status, Verdict, VersionMark, VersionState, retry};

pub(crate) use issue::named;
pub(crate) use question::{Question, asked, listed};
pub(crate) use steps::padded;

/// The steps, in the order in which they are asked: those of PROCEDURES.md, then what it does not ask and a maintainer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rung {
    /// Released so short a time ago that it is the normal delay.
    Released,
    Search,
    Dataset,
    /// By the registry's API: listed, and its download document there.
    Served,
    /// Of HashiCorp's providers: the fork lacks the release.
    Mirror,
    Blocked,
    Tried,
    Upstream,
    Sums,
    Keys,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    Yes,
    No,
    /// It was asked, and could not be read.
    Unknown,
    /// Nobody asked.
    NotChecked,
    /// The step is not about such an entry.
    DoesNotApply,
}

/// One step of the ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Step {
    pub(crate) rung: Rung,
    pub(crate) answer: Answer,
    /// What the answer rests on, lower case, without a full stop.
    pub(crate) evidence: String,
    /// When that was read; `None` for what stands in the registry's own files, and for what nobody asked.
    pub(crate) at: Option<Timestamp>,
}

/// How what was asked about stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Standing {
    Is(Status),
    Blocked,
    Ignored,
    NotRegistered,
    /// The same, and its repository answers under another name.
    MovedAway,
    /// The registry serves a copy of another entry's pages; the address has no data file of its own.
    Copy,
    /// Indexed, and served by the registry's API.
    Available,
    /// Neither indexed nor tagged upstream.
    NoVersion,
    /// The data has it, and what the registry serves has not.
    Stale,
    /// The same of what was indexed within the normal delay.
    OnItsWay,
    /// Listed, and yet clients find no download.
    NotServed,
    /// HashiCorp released it, and the fork did not.
    Mirror,
}

/// Words, and the name in JSON, of what is no status of an entry.
const WORDS: [(Standing, &str, &str); 11] = [
    (Standing::Blocked, "BLOCKED", "blocked"),
    (Standing::Ignored, "IGNORED", "ignored"),
    (Standing::NotRegistered, "NOT REGISTERED", "not-registered"),
    (Standing::MovedAway, "MOVED", "moved"),
    (Standing::Copy, "COPY", "copy"),
    (Standing::Available, "OK", "current"),
    (Standing::NoVersion, "NO VERSION", "no-version"),
    (Standing::Stale, "STALE", "stale-api"),
    (Standing::OnItsWay, "PENDING", "pending"),
    (Standing::NotServed, "NOT SERVED", "not-served"),
    (Standing::Mirror, "MIRROR", "mirror-behind"),
];

impl Standing {
    fn words(self) -> (&'static str, &'static str) {
        if let Self::Is(status) = self {
            return (status.word(), status.name());
        }
        let found = WORDS.iter().find(|(standing, ..)| *standing == self);
        found.map_or(("UNKNOWN", "unknown"), |(_, word, name)| (word, name))
    }

    pub(crate) fn word(self) -> &'static str {
        self.words().0
    }

    pub(crate) fn name(self) -> &'static str {
        self.words().1
    }

    /// What it means, and what happens if nothing is done: for whoever asked, in plain words.
    pub(crate) fn means(self, kind: Kind) -> (&'static str, &'static str) {
        match self {
            Self::Is(status) => {
                let words = status.words_for(kind);
                (words.means, words.if_left)
            }
            Self::Blocked => (
                "the registry's maintainers keep this version out, with the reason that is given",
                "it stays out; versions after it are not concerned",
            ),
            Self::Ignored => {
                ("a maintainer has set this version aside for a while", "it is looked at again later")
            }
            Self::NotRegistered => {
                ("the registry has no such entry", "nothing happens until somebody submits it")
            }
            Self::MovedAway => (
                "nothing is registered under this address, and its repository answers under another name",
                "nothing happens under the old name",
            ),
            Self::Copy => (
                "the registry serves this address as a copy of another entry, which has the data file",
                "modules that ask for it keep working, and new versions come with the other entry",
            ),
            Self::Available => (
                "the version is indexed and served: as far as was checked, clients can install it",
                "nothing happens",
            ),
            Self::NoVersion => (
                "the registry does not have this version, and its repository has no tag of that name",
                "nothing happens until its author tags and releases it",
            ),
            Self::Stale => (
                "the registry's data has the version, and what clients are served does not have it yet",
                "the next deploy and the end of the cache's time bring it",
            ),
            Self::OnItsWay => (
                "the version was indexed a short time ago, and is on its way to what clients are served",
                "the next deploys bring it by themselves",
            ),
            Self::NotServed => (
                "the version is listed, and clients that ask for it find no download",
                "installing it fails for everybody",
            ),
            Self::Mirror => (
                "the registry builds HashiCorp's providers from a fork, and the fork lacks this release",
                "it comes once the fork is in step and has built it",
            ),
        }
    }

    pub(crate) fn is_unknown(self) -> bool {
        matches!(self, Self::Is(status) if status.is_unknown())
    }

    /// Whether it is available, as far as was looked.
    pub(crate) fn is_fine(self) -> bool {
        match self {
            Self::Available | Self::Copy => true,
            Self::Is(status) => status.row().rung == Rung::Served,
            _ => false,
        }
    }
}

impl Serialize for Standing {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What to do, and the command that does it where there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Action {
    /// Lower case, without a full stop: `wait: this is the normal delay`.
    pub(crate) text: String,
    pub(crate) command: Option<String>,
}

impl Action {
    fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), command: None }
    }

    fn by(text: impl Into<String>, command: impl Into<String>) -> Self {
        Self { text: text.into(), command: Some(command.into()) }
    }
}

/// What the registry serves of an entry, as far as it was asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Serving {
    /// The versions that it lists, without `v`.
    pub(crate) listed: Observed<Vec<String>>,
    /// The indexed version that is looked for, without `v`, and the target whose download document was asked for.
    pub(crate) subject: Option<(String, Option<String>)>,
    /// The download document; `None` for a module, whose document names a place in git.
    pub(crate) download: Observed<Option<ServedDocument>>,
    /// The versions that the search site lists.
    pub(crate) searched: Observed<Vec<String>>,
}

/// Everything that an answer follows from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) typed: &'a str,
    pub(crate) address: &'a Address,
    pub(crate) version: Option<&'a str>,
    pub(crate) issue: Option<u64>,
    pub(crate) catalog: &'a Catalog,
    /// Which state of the registry's files was read: `main@f00f6d5`.
    pub(crate) revision: &'a str,
    /// The file; the error is why it cannot be read. `None`: not registered.
    pub(crate) entry: Option<Result<&'a Entry, &'a str>>,
    pub(crate) blacklist: &'a Blacklist,
    /// Why the blacklist could not be read.
    pub(crate) blacklist_error: Option<&'a str>,
    /// `None`: upstream is still being read.
    pub(crate) upstream: Option<Upstream<'a>>,
    pub(crate) now: Timestamp,
}

/// What was asked of the servers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Upstream<'a> {
    /// Of an entry that is registered.
    pub(crate) verdict: Option<&'a Verdict>,
    pub(crate) facts: &'a Facts,
    pub(crate) keys: Option<&'a Keys>,
    pub(crate) serving: &'a Serving,
    /// The tags of HashiCorp's own repository, of an entry that is built from a fork of it.
    pub(crate) original: &'a Observed<Tags>,
    /// How that fork's builds went.
    pub(crate) builds: &'a Observed<Builds>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Triage {
    /// The line as it was typed.
    pub(crate) typed: String,
    pub(crate) address: Address,
    pub(crate) version: Option<String>,
    /// The issue that named it.
    pub(crate) issue: Option<u64>,
    /// `None` while upstream is being read.
    pub(crate) standing: Option<Standing>,
    /// Why, lower case, without a full stop.
    pub(crate) cause: String,
    /// The step that answered.
    pub(crate) answered: Option<Rung>,
    pub(crate) steps: Vec<Step>,
    pub(crate) action: Action,
    /// Entries that may have been meant.
    pub(crate) near: Vec<Near>,
    /// What is to be known besides.
    pub(crate) notes: Vec<String>,
    /// Something that no step is about could not be read.
    pub(crate) is_partly_unread: bool,
}

/// A standing, why, and the step that says so.
type Decision = (Standing, String, Rung);

impl Triage {
    pub(crate) fn of(case: &Case<'_>) -> Self {
        let version = case.stored_version();
        let (decision, near) = match (&case.upstream, case.entry) {
            (None, _) => (None, Vec::new()),
            (Some(upstream), None) => {
                let (decision, near) = unregistered::decide(case, upstream);
                (Some(decision), near)
            }
            (Some(upstream), Some(_)) => (Some(decide(case, upstream)), Vec::new()),
        };
        let action = match (&case.upstream, &decision) {
            (Some(upstream), Some((standing, ..))) => action(case, upstream, *standing, &near),
            _ => Action::default(),
        };
        let (standing, why, answered) = match decision {
            Some((standing, why, rung)) => (Some(standing), why, Some(rung)),
            None => (None, String::new(), None),
        };
        Self {
            typed: case.typed.to_owned(),
            address: case.address.clone(),
            version: case.version.map(|asked| version.unwrap_or(asked).to_owned()),
            issue: case.issue,
            standing,
            cause: why,
            answered,
            steps: steps::of(case),
            action,
            near,
            notes: notes(case, standing),
            is_partly_unread: case.upstream.is_some_and(|upstream| upstream.builds.why().is_some()),
        }
    }

    /// Whether a source that was asked could not be read.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.steps.iter().any(|step| step.answer == Answer::Unknown)
            || self.is_partly_unread
            || self.is_unknown()
    }

    /// Whether nobody knows how it stands.
    pub(crate) fn is_unknown(&self) -> bool {
        self.standing.is_some_and(Standing::is_unknown)
    }

    /// `newrelic/newrelic@3.70.1`.
    pub(crate) fn subject(&self) -> String {
        let version = self.version.as_ref().map(|version| format!("@{version}")).unwrap_or_default();
        format!("{}{version}", self.address)
    }
}

impl<'a> Case<'a> {
    fn entry(&self) -> Option<&'a Entry> {
        self.entry.and_then(Result::ok)
    }

    /// The indexed version that is asked about, as the file writes it; of letters in another case too.
    fn indexed(&self, wanted: &str) -> Option<&'a str> {
        let versions = self.entry()?.versions();
        let is_it = |version: &&&str| trim_v(version) == trim_v(wanted);
        let is_alike = |version: &&&str| trim_v(version).eq_ignore_ascii_case(trim_v(wanted));
        versions.iter().find(is_it).or_else(|| versions.iter().find(is_alike)).copied()
    }

    /// The highest version of the file.
    fn highest(&self) -> Option<&'a str> {
        version::highest(self.entry()?.versions().into_iter())
    }

    /// The version that was asked about, in the letters that the file or a tag gives it.
    fn stored_version(&self) -> Option<&'a str> {
        let wanted = self.version?;
        Some(self.indexed(wanted).or_else(|| self.tag(wanted).map(trim_v)).map_or(wanted, trim_v))
    }

    /// The upstream tag of a version.
    fn tag(&self, wanted: &str) -> Option<&'a str> {
        let tags = self.upstream?.facts.tags.known()?;
        let names = || tags.list.iter().map(|tag| &*tag.name);
        let is_alike = |name: &&str| trim_v(name).eq_ignore_ascii_case(trim_v(wanted));
        names().find(|name| trim_v(name) == trim_v(wanted)).or_else(|| names().find(is_alike))
    }

    /// What the verdict has to say of a version.
    fn state(&self, wanted: &str) -> Option<&'a VersionState> {
        let verdict = self.upstream?.verdict?;
        let is_it = |state: &&VersionState| trim_v(&state.version).eq_ignore_ascii_case(trim_v(wanted));
        let mut states = verdict.versions.iter().filter(is_it);
        // Of two that differ in letters alone the one that was typed.
        states.clone().find(|state| trim_v(&state.version) == trim_v(wanted)).or_else(|| states.next())
    }

    /// The version that the steps are about: the one that was asked about, else the one that decides, else the highest indexed.
    fn focus(&self) -> Option<&'a str> {
        if self.version.is_some() {
            return self.stored_version();
        }
        let verdict = self.upstream.and_then(|upstream| upstream.verdict);
        let decides = |verdict: &'a Verdict| {
            verdict
                .versions
                .iter()
                .find(|state| state.status() == Some(verdict.status))
                .map(|state| &*state.version)
        };
        verdict.and_then(decides).or_else(|| self.highest()).map(trim_v)
    }

    /// HashiCorp's own repository, of an entry that the registry builds from a fork of it.
    fn original(&self) -> Option<String> {
        let is_mirror = self.address.kind() == Kind::Provider && self.address.namespace() == "hashicorp";
        let is_built = is_mirror && unregistered::copy_source(self).is_none();
        is_built.then(|| format!("hashicorp/terraform-provider-{}", self.address.name()))
    }

    fn repository(&self) -> String {
        self.address.repository().to_string()
    }
}

fn decide(case: &Case<'_>, upstream: &Upstream<'_>) -> Decision {
    let Some(verdict) = upstream.verdict else {
        // Registered, and nothing of upstream could be read.
        let why = upstream.facts.tags.why().map_or_else(|| "upstream was not asked".to_owned(), Why::text);
        return (Standing::Is(Status::Unknown), format!("upstream could not be read: {why}"), Rung::Upstream);
    };
    if verdict.has_broken_file() {
        return (Standing::Is(verdict.status), verdict.because.text.clone(), Rung::Dataset);
    }
    // A list that no client can read hides every version, so upstream does not matter.
    if let Some(found) = clients::of_list(case, upstream) {
        return found.decision();
    }
    // What is true of the whole repository comes before what is true of one version.
    let is_of_version = |state: &VersionState| state.status() == Some(verdict.status);
    let is_of_repository =
        verdict.status.row().rung != Rung::Served && !verdict.versions.iter().any(is_of_version);
    if is_of_repository {
        return (Standing::Is(verdict.status), verdict.because.text.clone(), verdict.status.row().rung);
    }
    match case.version {
        Some(version) => of_version(case, upstream, version),
        None => of_entry(case, upstream, verdict),
    }
}

fn of_version(case: &Case<'_>, upstream: &Upstream<'_>, version: &str) -> Decision {
    let shown = case.stored_version().unwrap_or(version);
    if let Some(state) = case.state(version) {
        let why = format!("{}: {}{}", trim_v(&state.version), state.reason, tries(state));
        return match state.mark {
            VersionMark::Blocked => (Standing::Blocked, why, Rung::Blocked),
            VersionMark::Ignored => (Standing::Ignored, why, Rung::Dataset),
            VersionMark::Is(status) => mirrored(case, upstream, status, why),
        };
    }
    if case.indexed(version).is_some() {
        return served(case, upstream, shown).unwrap_or_else(|| fine(shown));
    }
    if let Some(entry) = case.blacklist.find(case.address, version) {
        let why = format!("{shown}: on the blacklist: {}", entry.reason);
        return (Standing::Blocked, why, Rung::Blocked);
    }
    if let Some(tag) = case.tag(version) {
        let why = format!("`{tag}` is not a semantic version, and the registry takes no other tags");
        return (Standing::NoVersion, why, Rung::Upstream);
    }
    let repository = case.repository();
    if let (Some(original), Some(tags)) = (case.original(), upstream.original.known())
        && tags.list.iter().any(|tag| trim_v(&tag.name) == trim_v(version))
    {
        let builds = steps::builds(case, upstream);
        let why = format!("{original} has {shown}, and the fork {repository} has no such tag{builds}");
        return (Standing::Mirror, why, Rung::Mirror);
    }
    let highest = upstream.verdict.and_then(|verdict| verdict.highest_upstream.as_deref());
    let highest = highest.map_or_else(
        || "it has no version tag".to_owned(),
        |highest| format!("its highest version is {highest}"),
    );
    (Standing::NoVersion, format!("{repository} has no tag {shown}; {highest}"), Rung::Upstream)
}

fn of_entry(case: &Case<'_>, upstream: &Upstream<'_>, verdict: &Verdict) -> Decision {
    let deciding = verdict.versions.iter().find(|state| state.status() == Some(verdict.status));
    if deciding.is_some() {
        return mirrored(case, upstream, verdict.status, verdict.because.text.clone());
    }
    if let (Some(original), Some(tags)) = (case.original(), upstream.original.known()) {
        let is_stable = |name: &&str| Version::parse(name).is_ok_and(|version| !version.is_prerelease());
        let newest = version::highest(tags.list.iter().map(|tag| &*tag.name).filter(is_stable)).map(trim_v);
        let known = [case.highest(), verdict.highest_upstream.as_deref()].into_iter().flatten();
        if let Some(newest) =
            newest.filter(|newest| known.clone().all(|known| version::compare(newest, known).is_gt()))
        {
            let builds = steps::builds(case, upstream);
            let why = format!(
                "{original} has {newest}, and the fork {} has no such tag{builds}",
                case.repository()
            );
            return (Standing::Mirror, why, Rung::Mirror);
        }
    }
    let because = || (Standing::Is(verdict.status), verdict.because.text.clone(), Rung::Served);
    match case.highest() {
        Some(highest) => served(case, upstream, trim_v(highest)).unwrap_or_else(because),
        None => because(),
    }
}

/// What a fork has tagged and not released is not its author's to mend.
fn mirrored(case: &Case<'_>, upstream: &Upstream<'_>, status: Status, why: String) -> Decision {
    let row = status.row();
    if case.original().is_some() && row.missing && row.remedy == Remedy::AskAuthor {
        let builds = steps::builds(case, upstream);
        let why = format!("the fork {} has the tag and no complete build: {why}{builds}", case.repository());
        return (Standing::Mirror, why, Rung::Mirror);
    }
    (Standing::Is(status), why, row.rung)
}

/// A fault of an indexed version in the registry's API, or a refusal of clients; `None` if there is neither.
fn served(case: &Case<'_>, upstream: &Upstream<'_>, version: &str) -> Option<Decision> {
    if let Some(refusal) = clients::stored_version(case, version) {
        return Some(clients::Found::Stored(refusal).decision());
    }
    if let Some(found) = clients::of_document(case, upstream) {
        return Some(found.decision());
    }
    let step = steps::served(case, upstream);
    match step.answer {
        Answer::Yes | Answer::DoesNotApply | Answer::NotChecked => None,
        Answer::Unknown => Some((Standing::Is(Status::Unknown), step.evidence, Rung::Served)),
        Answer::No => {
            let is_listed =
                upstream.serving.listed.known().is_some_and(|listed| steps::lists(listed, version));
            let is_shorthand = Version::parse(version).is_ok_and(|version| version.is_shorthand());
            // What was indexed a moment ago is on its way: it is the normal delay of a deploy.
            if steps::is_just_indexed(case, version) {
                return Some((Standing::OnItsWay, step.evidence, Rung::Served));
            }
            let standing = if is_listed && is_shorthand { Standing::NotServed } else { Standing::Stale };
            Some((standing, step.evidence, Rung::Served))
        }
    }
}

fn fine(version: &str) -> Decision {
    let why = format!("{version} is indexed, and the registry serves it");
    (Standing::Available, why, Rung::Served)
}

/// `; 8 failed tries; next try 2026-11-21 12:30Z`.
fn tries(state: &VersionState) -> String {
    match state.next_try {
        Some(next) if state.attempts > 0 => format!(
            "; {}; next try {}",
            counted(state.attempts, "failed try"),
            crate::rules::amount::minute(next)
        ),
        _ => String::new(),
    }
}

fn action(case: &Case<'_>, upstream: &Upstream<'_>, standing: Standing, near: &[Near]) -> Action {
    let address = case.address;
    if case.entry.is_none() {
        return unregistered::action(case, upstream, near);
    }
    let is_served_fault = clients::of_list(case, upstream).or_else(|| clients::of_document(case, upstream));
    match standing {
        Standing::Is(status)
            if status.row().remedy == Remedy::CorrectFile
                && matches!(is_served_fault, Some(clients::Found::Served(_))) =>
        {
            Action::of(clients::DEPLOY)
        }
        Standing::Is(status) => of_status(case, upstream, status),
        Standing::Blocked => Action::of("answer with the reason: the registry keeps it out on purpose"),
        // Handled above: a copy has no data file.
        Standing::Copy => Action::default(),
        Standing::Ignored => Action::of("wait until it is due: it was set aside on purpose"),
        Standing::Available => {
            Action::of("ask for the exact message, the client's version and its network: the registry has it")
        }
        Standing::NotRegistered | Standing::MovedAway | Standing::NoVersion => {
            Action::of("check its spelling; if it is right, ask its author to tag and release it")
        }
        Standing::Stale => Action::of(
            "run the deploy of recent changes; if the list stays old after it, clear the cache in front of it",
        ),
        Standing::OnItsWay => Action::of("wait: this is the normal delay of a deploy"),
        Standing::NotServed => Action::by(
            "ask its author for a version of three numbers; this one cannot be installed",
            format!("bumpdesk lint {address}"),
        ),
        Standing::Mirror => {
            let fork = case.repository();
            let first = if steps::is_off(case, upstream) {
                format!("look whether the schedule of the fork {fork} is still on, and run its build")
            } else {
                format!("run the build of the fork {fork}")
            };
            Action::of(format!("{first} for this release; the bump takes it then"))
        }
    }
}

fn of_status(case: &Case<'_>, upstream: &Upstream<'_>, status: Status) -> Action {
    let (address, row) = (case.address, status.row());
    let version = case.focus();
    let named = version.map_or_else(|| address.to_string(), |version| format!("{address}@{version}"));
    let is_verdict = |verdict: &&Verdict| verdict.status == status;
    let verdict = upstream.verdict.filter(is_verdict);
    let kind = address.kind();
    let can_do = verdict.map_or(status.words_for(kind).can_do, |verdict| verdict.can_do(kind));
    match row.remedy {
        Remedy::SurveyAgain => Action::by(can_do, format!("bumpdesk triage {named}")),
        // What cures itself within minutes needs no plan.
        Remedy::Rebuild if !status.needs_something() => Action::of(can_do),
        Remedy::Rebuild => Action::by(can_do, format!("bumpdesk plan add {address}")),
        Remedy::Wait => Action::by(can_do, format!("bumpdesk plan clear-errors {named}")),
        Remedy::AskAuthor if verdict.is_some_and(Verdict::wants_hashing) => {
            Action::by(can_do, format!("bumpdesk verify {named}"))
        }
        Remedy::SeeUpstream => match upstream.facts.tags.known().and_then(|tags| tags.moved.as_ref()) {
            Some(moved) if address.kind() == Kind::Provider => {
                let to = Address::parse(&format!("github.com/{}/{}", moved.owner, moved.name)).ok();
                match to.filter(|to| case.catalog.find(to).is_some()) {
                    Some(to) => Action::by(
                        format!("say that it is registered as {to} too, and warn users of this one"),
                        format!("bumpdesk plan warn {address} --moved-to {to}"),
                    ),
                    None => Action::of(can_do),
                }
            }
            _ => Action::of(can_do),
        },
        Remedy::CorrectFile => Action::by(can_do, format!("bumpdesk lint {address}")),
        Remedy::Backfill => Action::by(can_do, format!("bumpdesk backfill plan {address}")),
        Remedy::AskAuthor | Remedy::Nothing => Action::of(can_do),
    }
}

/// What is to be known besides the answer.
fn notes(case: &Case<'_>, standing: Option<Standing>) -> Vec<String> {
    let mut notes: Vec<String> =
        case.issue.map(|number| format!("issue #{number} asks about it")).into_iter().collect();
    let address = case.address.to_string();
    if !case.typed.contains(&address)
        && case.typed.to_ascii_lowercase().contains(&address)
        && case.entry.is_some()
    {
        notes.push(format!(
            "registered as {address}: the registry writes addresses in small letters, and any case finds them"
        ));
    }
    if let (Some(asked), Some(stored)) = (case.version, case.stored_version())
        && asked != stored
    {
        notes.push(format!("asked as {asked}, and it is {stored}: the letters of a version count"));
    }
    let Some(entry) = case.entry() else { return notes };
    let versions = entry.versions();
    let is_prerelease = |version: &str| Version::parse(version).is_ok_and(|version| version.is_prerelease());
    if !versions.is_empty() && versions.iter().all(|version| is_prerelease(version)) {
        notes.push(
            "only prereleases are indexed, and no range of versions ever selects one: it must be named"
                .to_owned(),
        );
    } else if case.version.is_some_and(is_prerelease) {
        notes.push("it is a prerelease: no range of versions ever selects it, it must be named".to_owned());
    }
    if standing.is_some_and(|standing| !standing.is_fine()) {
        notes.extend(retry::never_bumped(case.address.shard()));
    }
    notes.extend(steps::other_registry(case));
    let warnings = entry.as_provider().map_or(&[][..], |entry| &entry.warnings);
    notes.extend(warnings.iter().map(|warning| format!("users are warned: {warning}")));
    notes
}
