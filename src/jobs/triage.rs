//! Why versions are not available, line by line: what the registry's files say at once, then upstream and the registry's own API,
//! read side by side for all lines on one budget. Only reads.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{
    Failure, FailureKind, JobEvent, Stop, Summary, TriageAnswer, TriageList, TriagePlan, Triaged,
};
use crate::jobs::fan::fan;
use crate::jobs::judging::judge_file;
use crate::jobs::session::Session;
use crate::jobs::survey::{Gather, Gathered, Work, finish};
use crate::registry::version::trim_v;
use crate::registry::{Address, Entry, Facts, Kind, Observed, Repository, Tags, Why, copy_source};
use crate::remote::{Error, observed};
use crate::rules::actions::Builds;
use crate::rules::triage::{Case, Question, Serving, Triage, Upstream, listed, named, padded};
use crate::rules::{Depth, Keys, Verdict};
use crate::store::{read_input, read_small};

/// The newest versions of an entry whose checksums are compared where none is named.
const NEWEST: usize = 3;
/// A list of the longest lines there are.
const LIST_LIMIT_BYTES: u64 = 4 << 20;
const MOST_LINES: usize = 5_000;
/// Questions to the registry's API at once; its lane bounds the requests.
const AT_ONCE: usize = 64;

pub(crate) async fn triage(env: &Arc<Env>, context: &Context, plan: TriagePlan) -> Result<Summary, Stop> {
    let typed = read_list(plan).await?;
    let session = env.session().await?;
    session.tell_notices(env, context);
    let sent_before = env.remote.counts().total();
    let count = typed.len();
    let cancelled = |unreached: u64| {
        let summary = Summary { entries: count as u64, ..Summary::default() };
        Gathered { summary, cancelled: unreached > 0, failure: None, unkept: 0, sent_before }
    };
    let Ok(lines) = read_lines(env, context, &session, typed).await else {
        return finish(env, cancelled(count as u64));
    };
    let subjects = Subjects::of(&session, &lines);
    let is_alone = lines.len() == 1;
    let board = Mutex::new(Board { env, context, session: &session, lines, subjects, next: 0, failed: 0 });
    let lock = || board.lock().unwrap_or_else(PoisonError::into_inner);
    if is_alone {
        lock().tell_first();
    }
    lock().flush();
    let whole = {
        let board = lock();
        let new = board
            .subjects
            .all
            .iter()
            .filter(|subject| subject.has_valid_repository())
            .map(|subject| subject.address.clone());
        session.with_new(new)
    };
    let (places, deep, asks) = {
        let board = lock();
        let all = &board.subjects.all;
        let places: BTreeSet<usize> =
            all.iter().filter_map(|subject| whole.catalog.place(&subject.address)).collect();
        let asks: Vec<Ask> = all.iter().enumerate().map(|(at, subject)| subject.ask(at)).collect();
        (places.into_iter().collect::<Vec<_>>(), board.subjects.deep(), asks)
    };
    let gather = Gather::new(env, &whole, context, Depth::Sums, Duration::ZERO).deep_only(&deep);
    let upstream = gather.run(&places, |work, _| lock().take_work(&whole, work));
    let serving =
        fan(context, asks, AT_ONCE, |ask| serve(env, ask), |(at, served)| lock().take_served(at, served));
    let (gathered, served) = tokio::join!(upstream, serving);
    let Gathered { failure, cancelled, unkept, .. } = gathered;
    let why = match failure {
        Some(failure) if failure.kind != FailureKind::Network => return Err(failure.into()),
        Some(failure) => Some(Why::Transport { text: failure.causes.join(": ") }),
        None => None,
    };
    let is_cancelled = cancelled || served.is_err();
    let mut board = board.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !is_cancelled {
        board.give_up(&why.unwrap_or(Why::Cancelled));
    }
    let summary = Summary {
        entries: board.lines.len() as u64,
        failed: board.failed,
        unreached: if is_cancelled { (board.lines.len() - board.next) as u64 } else { 0 },
        ..Summary::default()
    };
    finish(env, Gathered { summary, cancelled: is_cancelled, failure: None, unkept, sent_before })
}

/// The lines of a plan, those of its list behind the others.
async fn read_list(plan: TriagePlan) -> Result<Vec<String>, Failure> {
    let TriagePlan { mut lines, list } = plan;
    let Some(list) = list else { return Ok(lines) };
    let fail = |cause: String| {
        Failure::new(FailureKind::Usage, "reading the list")
            .cause(cause)
            .hint("Name a file with one address a line, or `-` for standard input.")
    };
    // Somebody may still be typing it.
    let read = tokio::task::spawn_blocking(move || match list {
        TriageList::File(path) => read_small(&path, LIST_LIMIT_BYTES),
        TriageList::Input => read_input(LIST_LIMIT_BYTES),
    });
    let read = read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    let bytes = read.map_err(|error| fail(error.to_string()))?;
    lines.extend(listed(&String::from_utf8_lossy(&bytes)).map(str::to_owned));
    match lines.len() {
        0 => Err(fail("no line of it asks about anything".to_owned())),
        many if many > MOST_LINES => {
            Err(fail(format!("it has {many} lines, and {MOST_LINES} are read at once")))
        }
        _ => Ok(lines),
    }
}

/// An entry, and one of its versions.
type EntryVersion = (Address, Option<String>);

/// A line, and what it asks.
struct Line {
    typed: String,
    issue: Option<u64>,
    asks: Result<Vec<EntryVersion>, TriageAnswer>,
}

/// Reads the lines, and the issues that they name.
async fn read_lines(
    env: &Arc<Env>,
    context: &Context,
    session: &Session,
    typed: Vec<String>,
) -> Result<Vec<Line>, Cancelled> {
    let mut lines: Vec<Line> = Vec::with_capacity(typed.len());
    for typed in typed {
        let (issue, asks) = match Question::parse(&typed, &env.repository) {
            Ok(Question::Entry { address, version }) => (None, Ok(vec![(address, version)])),
            Ok(Question::Issue(number)) => (Some(number), Ok(Vec::new())),
            Err(why) => {
                let why = why.to_string();
                (None, Err(TriageAnswer::NotUnderstood { typed: typed.clone(), why }))
            }
        };
        lines.push(Line { typed, issue, asks });
    }
    let issues: BTreeSet<u64> = lines.iter().filter_map(|line| line.issue).collect();
    let mut read: HashMap<u64, Result<Vec<EntryVersion>, (bool, String)>> = HashMap::new();
    let ask = |number: u64| async move { (number, env.remote.issue(&env.repository, number).await) };
    fan(context, issues, AT_ONCE, ask, |(number, issue)| {
        let found = match issue {
            Ok((title, body)) => {
                let found = named(&title, &body, &env.repository, &session.catalog);
                let none = || {
                    (true, format!("issue #{number} names no provider and no module that could be looked up"))
                };
                if found.is_empty() { Err(none()) } else { Ok(found) }
            }
            Err(Error::NotFound { .. }) => {
                Err((true, format!("{} has no issue #{number} that everybody may read", env.repository)))
            }
            Err(error) => {
                let why = error.why(env.now()).text();
                Err((false, format!("issue #{number} could not be read: {why}")))
            }
        };
        read.insert(number, found);
    })
    .await?;
    for line in &mut lines {
        let Some(found) = line.issue.and_then(|number| read.get(&number)) else { continue };
        let typed = line.typed.clone();
        line.asks = match found {
            Ok(named) => Ok(named.clone()),
            Err((true, why)) => Err(TriageAnswer::NotUnderstood { typed, why: why.clone() }),
            Err((false, why)) => Err(TriageAnswer::Unread { typed, why: why.clone() }),
        };
    }
    Ok(lines)
}

/// One entry with one version, or none: what several lines ask is asked once.
struct Subject {
    address: Address,
    version: Option<String>,
    /// As the registry has it; `None`: it does not.
    entry: Option<Result<Entry, String>>,
    facts: Option<Arc<Facts>>,
    verdict: Option<Verdict>,
    keys: Option<Arc<Keys>>,
    served: Option<Served>,
}

/// The answers of the registry's API, and of HashiCorp's repository for an entry that is built from a fork: the original tags,
/// and the results of the fork's builds.
#[derive(Default)]
struct Served {
    serving: Serving,
    original: Observed<Tags>,
    builds: Observed<Builds>,
}

struct Subjects {
    all: Vec<Subject>,
    at: HashMap<EntryVersion, usize>,
}

/// A question to the registry's API, and to HashiCorp's repository.
struct Ask {
    at: usize,
    address: Address,
    /// The indexed version, without `v`, and the platform whose download document is looked for.
    subject: Option<(String, Option<(String, String)>)>,
    original: Option<Repository>,
}

impl Subjects {
    fn of(session: &Session, lines: &[Line]) -> Self {
        let (mut all, mut at) = (Vec::new(), HashMap::new());
        for (address, version) in lines.iter().flat_map(|line| line.asks.iter().flatten()) {
            at.entry((address.clone(), version.clone())).or_insert_with(|| {
                let entry = session.catalog.find(address).map(|row| session.entry(row));
                all.push(Subject {
                    address: address.clone(),
                    version: version.clone(),
                    entry,
                    facts: None,
                    verdict: None,
                    keys: None,
                    served: None,
                });
                all.len() - 1
            });
        }
        Self { all, at }
    }

    /// The indexed versions of each entry whose checksums are compared.
    fn deep(&self) -> HashMap<Address, HashSet<String>> {
        let mut deep: HashMap<Address, HashSet<String>> = HashMap::new();
        for subject in &self.all {
            let versions = subject.entry().map(Entry::versions).unwrap_or_default();
            let wanted = match &subject.version {
                Some(version) => versions.into_iter().filter(|one| is_alike(one, version)).collect(),
                None => versions[..versions.len().min(NEWEST)].to_vec(),
            };
            deep.entry(subject.address.clone()).or_default().extend(wanted.into_iter().map(str::to_owned));
        }
        deep
    }
}

fn is_alike(stored: &str, typed: &str) -> bool {
    trim_v(stored).eq_ignore_ascii_case(trim_v(typed))
}

impl Subject {
    fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref().and_then(|entry| entry.as_ref().ok())
    }

    /// Returns true if upstream can be asked about it: GitHub takes no other characters in a name.
    fn has_valid_repository(&self) -> bool {
        Repository::parse(&self.address.repository().to_string()).is_some()
    }

    /// The indexed version that clients would be served: the one that is asked about, else the highest.
    fn served_version(&self) -> Option<&str> {
        let versions = self.entry()?.versions();
        match &self.version {
            Some(version) => {
                let exact = versions.iter().find(|one| trim_v(one) == trim_v(version));
                exact.or_else(|| versions.iter().find(|one| is_alike(one, version))).copied()
            }
            None => crate::registry::version::highest(versions.into_iter()),
        }
    }

    /// The platform whose document is looked for: the first.
    fn platform(&self, version: &str) -> Option<(String, String)> {
        let entry = self.entry()?.as_provider()?;
        let target = entry.versions.iter().find(|one| one.version == version)?.targets.first()?;
        Some((target.os.clone(), target.arch.clone()))
    }

    fn ask(&self, at: usize) -> Ask {
        let stored = self.served_version();
        let platform = stored.and_then(|version| self.platform(version));
        // A copy of another owner's entry is not built from a fork.
        let is_copy = self.entry.is_none() && copy_source(&self.address).is_some();
        let is_mirror =
            self.address.kind() == Kind::Provider && self.address.namespace() == "hashicorp" && !is_copy;
        let original =
            || Repository::new("hashicorp", &format!("terraform-provider-{}", self.address.name()));
        Ask {
            at,
            address: self.address.clone(),
            subject: stored.map(|version| (trim_v(version).to_owned(), platform)),
            original: is_mirror.then(original),
        }
    }

    fn is_read(&self) -> bool {
        self.facts.is_some() && self.served.is_some()
    }
}

async fn serve(env: &Arc<Env>, ask: Ask) -> (usize, Served) {
    let Ask { at, address, subject, original } = ask;
    let listed = env.remote.served_versions(&address);
    let document = async {
        let Some((version, platform)) = &subject else { return Observed::Unasked };
        // A provider's version without any target has no document.
        if address.kind() == Kind::Provider && platform.is_none() {
            return Observed::Unasked;
        }
        let full_version = padded(version).unwrap_or_else(|| version.clone());
        let platform = platform.as_ref().map(|(os, arch)| (os.as_str(), arch.as_str()));
        observed(env.remote.served_download(&address, &full_version, platform).await, env.now())
    };
    let searched = env.remote.searched_versions(&address);
    let tags = async {
        match &original {
            Some(repository) => observed(env.remote.tags(repository).await, env.now()),
            None => Observed::Unasked,
        }
    };
    let builds = async {
        match &original {
            Some(_) => observed(env.remote.builds(&address.repository()).await, env.now()),
            None => Observed::Unasked,
        }
    };
    let (listed, document, searched, tags, builds) = tokio::join!(listed, document, searched, tags, builds);
    let serving = Serving {
        listed: observed(listed, env.now()),
        subject: subject
            .map(|(version, platform)| (version, platform.map(|(os, arch)| format!("{os}_{arch}")))),
        download: document,
        searched: observed(searched, env.now()),
    };
    (at, Served { serving, original: tags, builds })
}

/// The data that was read so far, and the lines that were answered.
struct Board<'a> {
    env: &'a Arc<Env>,
    context: &'a Context,
    session: &'a Arc<Session>,
    lines: Vec<Line>,
    subjects: Subjects,
    /// The first line without an answer.
    next: usize,
    /// Lines without a known answer.
    failed: u64,
}

impl Board<'_> {
    fn tell_first(&self) {
        let Some(line) = self.lines.first() else { return };
        for triage in self.triages(line, false) {
            self.say(0, TriageAnswer::First(triage));
        }
    }

    fn say(&self, line: usize, answer: TriageAnswer) {
        self.context.send(JobEvent::Triaged(Arc::new(Triaged { line, answer })));
    }

    /// Takes what upstream says of a repository, for all that come from it.
    fn take_work(&mut self, whole: &Session, work: &Work) {
        let facts = Arc::new(work.stored.facts.clone());
        for place in &work.places {
            let row = &whole.catalog.rows[*place];
            for subject in self.subjects.all.iter_mut().filter(|subject| subject.address == row.address) {
                subject.facts = Some(Arc::clone(&facts));
                if subject.entry.is_none() {
                    continue;
                }
                if row.kind() == Kind::Provider {
                    subject.keys = Some(self.session.keys_of(&row.address));
                }
                let entry = subject.entry.as_ref().map(Result::as_ref);
                let terms = (Depth::Sums, self.env.now().into());
                subject.verdict = Some(judge_file(self.env, self.session, row, Some(&facts), entry, terms));
            }
        }
        self.flush();
    }

    fn take_served(&mut self, at: usize, served: Served) {
        let subject = &mut self.subjects.all[at];
        subject.served = Some(served);
        // Nobody can be asked about it.
        if !subject.has_valid_repository() {
            subject.facts.get_or_insert_default();
        }
        self.flush();
    }

    /// Answers what is left with what is known: the host of the repositories does not answer.
    fn give_up(&mut self, why: &Why) {
        let at = self.env.now();
        for subject in self.subjects.all.iter_mut().filter(|subject| subject.facts.is_none()) {
            let tags = Observed::Unknown { at, why: why.clone() };
            subject.facts = Some(Arc::new(Facts { tags, ..Facts::default() }));
        }
        self.flush();
    }

    /// Says the answers that are whole, in the order of the lines.
    fn flush(&mut self) {
        while let Some(line) = self.lines.get(self.next) {
            match &line.asks {
                Err(answer) => {
                    self.failed += u64::from(matches!(answer, TriageAnswer::Unread { .. }));
                    self.say(self.next, answer.clone());
                }
                Ok(asks) => {
                    let is_read = |ask: &EntryVersion| self.subjects.all[self.subjects.at[ask]].is_read();
                    if !asks.iter().all(is_read) {
                        return;
                    }
                    let triages = self.triages(line, true);
                    self.failed += u64::from(triages.iter().any(Triage::is_unknown));
                    for triage in triages {
                        self.say(self.next, TriageAnswer::Whole(triage));
                    }
                }
            }
            self.next += 1;
        }
    }

    fn triages(&self, line: &Line, is_whole: bool) -> Vec<Triage> {
        let asks = line.asks.as_ref().map(Vec::as_slice).unwrap_or_default();
        let none = Served::default();
        asks.iter()
            .map(|ask| {
                let subject = &self.subjects.all[self.subjects.at[ask]];
                let served = subject.served.as_ref().unwrap_or(&none);
                let upstream = subject.facts.as_ref().filter(|_| is_whole).map(|facts| Upstream {
                    verdict: subject.verdict.as_ref(),
                    facts,
                    keys: subject.keys.as_deref(),
                    serving: &served.serving,
                    original: &served.original,
                    builds: &served.builds,
                });
                Triage::of(&Case {
                    typed: &line.typed,
                    address: &subject.address,
                    version: subject.version.as_deref(),
                    issue: line.issue,
                    catalog: &self.session.catalog,
                    revision: &self.session.revision,
                    entry: subject.entry.as_ref().map(|entry| entry.as_ref().map_err(String::as_str)),
                    blacklist: &self.session.blacklist,
                    blacklist_error: self.session.blacklist_error.as_deref(),
                    upstream,
                    now: self.env.now(),
                })
            })
            .collect()
    }
}
