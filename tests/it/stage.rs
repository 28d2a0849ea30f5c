//! A world, a registry that matches it, and the real jobs between them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bumpdesk::surface::jobs::{
    Applied, BumpPlan, Clock, Engine, Env, EnvOptions, Gate, Job, JobEvent, JobId, OpenPlan, Opened, Outcome,
    Scope, Steer, Summary, SurveyPlan,
};
use bumpdesk::surface::registry::Address;
use bumpdesk::surface::rules::{Depth, Mode, Status, Verdict, VersionMark};
use bumpdesk::surface::settings::{Endpoints, Features, Pace};
use demo::fault::Lane;
use demo::{Options, Server, World, checkout};

/// The token that must never be seen anywhere but in requests to the configured hosts.
pub(crate) const CANARY: &str = "ghp_canary0123456789abcdefghijklmnopqrstuv";

/// On what terms the jobs run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) token: bool,
    pub(crate) features: Features,
    /// How long a download may be silent.
    pub(crate) silence: Duration,
}

impl Default for Terms {
    fn default() -> Self {
        Self { token: true, features: Features::default(), silence: Duration::from_mins(1) }
    }
}

/// A running world and the jobs on it.
pub(crate) struct Stage {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: Server,
    engine: Engine,
    next: u64,
    terms: Terms,
    endpoints: Endpoints,
}

impl Stage {
    /// Sets a world up from its TOML text, with a token.
    pub(crate) async fn set(text: &str) -> Self {
        Self::set_under(text, Terms::default()).await
    }

    /// The same without a token.
    pub(crate) async fn set_without_token(text: &str) -> Self {
        Self::set_under(text, Terms { token: false, ..Terms::default() }).await
    }

    /// The same on other terms.
    pub(crate) async fn set_under(text: &str, terms: Terms) -> Self {
        Self::of(World::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")), terms).await
    }

    /// Sets a ready world up.
    pub(crate) async fn of(world: World, terms: Terms) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        checkout::write(&world, &folder.path().join("registry")).expect("the registry is written");
        let server = Server::start(world, Options::default()).await.expect("the world starts");
        let endpoints = own_endpoints(&server);
        let engine = Engine::new(env(&folder, &endpoints, &server, terms));
        Self { folder, server, engine, next: 0, terms, endpoints }
    }

    pub(crate) fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    /// A new process on the same state: nothing is left in memory.
    pub(crate) fn restart(&mut self) {
        // The old one's lock on the state must go first.
        let nowhere = tempfile::tempdir().expect("a folder");
        self.engine = Engine::new(env(&nowhere, &self.endpoints, &self.server, Terms::default()));
        self.engine = Engine::new(env(&self.folder, &self.endpoints, &self.server, self.terms));
    }

    /// From now on the jobs ask other servers. What is known from one web host is never read as another's.
    pub(crate) fn redirect(&mut self, change: impl FnOnce(&mut Endpoints)) {
        change(&mut self.endpoints);
        self.restart();
    }

    /// From now on these features are on.
    pub(crate) fn switch(&mut self, features: Features) {
        self.terms.features = features;
        self.restart();
    }

    /// From now on there is no token.
    pub(crate) fn lose_token(&mut self) {
        self.terms.token = false;
        self.restart();
    }

    /// Moves the world's clock, and ours with it.
    pub(crate) fn pass(&mut self, time: Duration) {
        self.server.edit(|world| world.now += time);
        self.restart();
    }

    /// Runs a job to its end.
    pub(crate) async fn run(&mut self, job: Job) -> (Vec<JobEvent>, Outcome) {
        self.next += 1;
        self.engine.start(JobId(self.next), job);
        let mut events = Vec::new();
        loop {
            match self.engine.next().await {
                (_, JobEvent::Ended(outcome)) => return (events, outcome),
                (_, event) => events.push(event),
            }
        }
    }

    /// Starts a job and leaves it to run; `next` hears of it.
    pub(crate) fn start(&mut self, job: Job) -> JobId {
        self.next += 1;
        self.engine.start(JobId(self.next), job);
        JobId(self.next)
    }

    pub(crate) fn steer(&mut self, id: JobId, steer: Steer) {
        self.engine.steer(id, steer);
    }

    /// Asks a job to stop; `next` hears of its end.
    pub(crate) fn cancel(&mut self, id: JobId) {
        self.engine.cancel(id);
    }

    /// The next event of whatever was started.
    pub(crate) async fn hear(&mut self) -> JobEvent {
        self.engine.next().await.1
    }

    async fn done(&mut self, job: Job) -> (Vec<JobEvent>, Summary) {
        match self.run(job).await {
            (events, Outcome::Done(summary)) => (events, summary),
            (_, outcome) => panic!("{outcome:?}"),
        }
    }

    /// Surveys everything anew.
    pub(crate) async fn survey(&mut self, depth: Depth) -> BTreeMap<String, Verdict> {
        self.survey_aged(depth, Duration::ZERO).await.0
    }

    /// Surveys everything whose facts are not younger than that.
    pub(crate) async fn survey_aged(
        &mut self,
        depth: Depth,
        max_age: Duration,
    ) -> (BTreeMap<String, Verdict>, Summary) {
        self.survey_by(SurveyPlan::new(Scope::Everything, depth, max_age, Gate::Tags)).await
    }

    /// Surveys as the plan says.
    pub(crate) async fn survey_by(&mut self, plan: SurveyPlan) -> (BTreeMap<String, Verdict>, Summary) {
        let (events, summary) = self.done(Job::Survey(plan)).await;
        let judged = events.into_iter().filter_map(|event| match event {
            JobEvent::Judged(list) => Some(list),
            _ => None,
        });
        let verdicts =
            judged.flatten().map(|judgement| (judgement.address.to_string(), judgement.verdict)).collect();
        (verdicts, summary)
    }

    /// Surveys twice, and again as a new process: the verdicts stay the same, and none rests on a source that failed.
    pub(crate) async fn steady(&mut self, depth: Depth) -> BTreeMap<String, Verdict> {
        self.server.forget();
        let first = self.survey(depth).await;
        self.check_honesty(&first);
        let second = self.survey(depth).await;
        self.restart();
        let third = self.survey(depth).await;
        assert!(first.keys().eq(second.keys()) && first.keys().eq(third.keys()));
        for (address, verdict) in &first {
            assert_eq!(&second[address], verdict, "the second run sees {address} differently");
            assert_eq!(&third[address], verdict, "a new process sees {address} differently");
        }
        first
    }

    /// No entry whose source failed is shown as if it had been read.
    fn check_honesty(&self, verdicts: &BTreeMap<String, Verdict>) {
        let (no_tags, no_feed) = (self.failing(Lane::Git), self.failing(Lane::Feed));
        // A status that comes from the data file alone needs no source.
        let by_source = verdicts.iter().filter(|(_, verdict)| verdict.status != Status::ListUnreadable);
        for (address, verdict) in by_source {
            let key = Address::parse(address).expect("an address").repository().key();
            let told = matches!(verdict.status, Status::Unknown | Status::RepoGone);
            if no_tags.contains(&key) {
                let is_gone = verdict.status == Status::RepoGone;
                let is_unknown = verdict.missing.is_none_or(|missing| is_gone && missing == 0);
                assert!(told && verdict.versions.is_empty() && is_unknown, "{address}: {verdict:?}");
            } else if no_feed.contains(&key) && !told && verdict.highest_indexed.is_some() {
                let said = verdict.findings.iter().any(|finding| finding.rule.starts_with("feed-"));
                assert!(said, "{address}: {verdict:?}");
            }
        }
    }

    /// The repositories that never gave a right answer on a lane.
    fn failing(&self, lane: Lane) -> BTreeSet<String> {
        let exchanges = self.server.exchanges();
        let asked = || {
            exchanges.iter().filter(|one| one.lane == lane).filter_map(|one| {
                let (owner, rest) = one.target.trim_start_matches('/').split_once('/')?;
                let name = rest.split('/').next()?.trim_end_matches(".git");
                Some((format!("{owner}/{name}").to_ascii_lowercase(), one.status < 400 && !one.fault))
            })
        };
        let good: BTreeSet<String> = asked().filter(|(_, right)| *right).map(|(key, _)| key).collect();
        asked().map(|(key, _)| key).filter(|key| !good.contains(key)).collect()
    }

    /// Opens an entry with its rebuild.
    pub(crate) async fn rebuild(&mut self, address: &str, mode: Mode) -> Arc<Opened> {
        let plan = OpenPlan {
            address: Address::parse(address).expect("an address"),
            rebuild: Some(mode),
            max_age: Some(Duration::ZERO),
            depth: Depth::Versions,
            with_key: None,
        };
        let (events, _) = self.done(Job::Open(plan)).await;
        let opened = events.into_iter().find_map(|event| match event {
            JobEvent::Opened(opened) => Some(opened),
            _ => None,
        });
        opened.expect("the entry is opened")
    }

    /// Bumps everything in place, and gives the paths that were written.
    pub(crate) async fn bump(&mut self) -> Vec<String> {
        self.bump_telling().await.into_iter().map(|applied| applied.path).collect()
    }

    /// The same with what was added and recorded.
    pub(crate) async fn bump_telling(&mut self) -> Vec<Applied> {
        let plan = BumpPlan { scope: Scope::Everything, max_age: Duration::ZERO, dry_run: false };
        let (events, _) = self.done(Job::Bump(plan)).await;
        let applied = events.into_iter().filter_map(|event| match event {
            JobEvent::Applied(applied) => Some(applied),
            _ => None,
        });
        applied.collect()
    }

    /// A data file's text as it lies in the registry now.
    pub(crate) fn file(&self, address: &str) -> String {
        let path = Address::parse(address).expect("an address").path();
        std::fs::read_to_string(self.registry().join(path)).expect("a data file")
    }
}

fn own_endpoints(server: &Server) -> Endpoints {
    let addresses = server.addresses();
    Endpoints {
        api: addresses.api.clone(),
        graphql: addresses.graphql.clone(),
        web: addresses.web.clone(),
        served: addresses.served.clone(),
        search: addresses.search.clone(),
        repository: Endpoints::default().repository,
        ca_file: addresses.ca_file.clone(),
    }
}

fn env(folder: &tempfile::TempDir, endpoints: &Endpoints, server: &Server, terms: Terms) -> Arc<Env> {
    let options = EnvOptions {
        registry: Some(folder.path().join("registry")),
        reference: None,
        endpoints: endpoints.clone(),
        pace: Pace::unlimited(),
        token: terms.token.then(|| CANARY.to_owned().into()),
        token_name: "the stage".into(),
        throttle: false,
        may_write: false,
        patience: Duration::ZERO,
        silence: terms.silence,
        features: terms.features,
        early_list: false,
        state_dir: folder.path().join("state"),
        cache_dir: folder.path().join("cache"),
        clock: Clock::Fixed(server.look(|world| world.now)),
    };
    Arc::new(Env::new(options).unwrap_or_else(|failure| panic!("{failure:?}")))
}

/// A verdict in one line for tables: `behind 1.2.0=behind 1.1.0=stranded; finding-rule …`.
pub(crate) fn line(verdict: &Verdict) -> String {
    let mut line = verdict.status.name().to_owned();
    for state in &verdict.versions {
        let mark = match state.mark {
            VersionMark::Is(status) => status.name(),
            VersionMark::Blocked => "blocked",
            VersionMark::Ignored => "ignored",
        };
        let _ = write!(line, " {}={mark}", state.version);
    }
    let mut rules: Vec<&str> = verdict.findings.iter().map(|finding| &*finding.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    if !rules.is_empty() {
        line.push_str("; ");
        line.push_str(&rules.join(" "));
    }
    line
}
