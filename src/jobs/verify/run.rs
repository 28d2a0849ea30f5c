//! The run: checksums and signatures of all versions first, since they cost little and tell most, then the archives.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::jobs::Env;
use crate::jobs::JobEvent;
use crate::jobs::Phase;
use crate::jobs::Progress;
use crate::jobs::VerifyPlan;
use crate::jobs::context::Context;
use crate::jobs::fan::fan;
use crate::jobs::hash::Fault;
use crate::jobs::hash::Fetched;
use crate::jobs::session::Session;
use crate::jobs::verify::Meter;
use crate::jobs::verify::VerifyNews;
use crate::jobs::verify::archive::Told;
use crate::jobs::verify::archive::download;
use crate::jobs::verify::archive::zip;
use crate::jobs::verify::pace::Pace;
use crate::jobs::verify::question::AskedVersion;
use crate::jobs::verify::question::Question;
use crate::jobs::verify::report::Kept;
use crate::jobs::verify::speed::Speed;
use crate::jobs::verify::version;
use crate::registry::Address;
use crate::registry::ReleaseInfo;
use crate::rules::indexed_tag;
use crate::rules::verify::Row;
use crate::rules::verify::State;
use crate::rules::verify::Tally;
use crate::rules::verify::Zip;

/// Versions whose checksums are read at once; the lanes bound the requests.
const VERSIONS_AT_ONCE: usize = 16;
/// Times that an archive is asked for again after the far side asked to slow down.
const MOST_TRIES: u32 = 5;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Done,
    Cancelled,
    /// At the first bad row, as asked.
    AtBad,
    /// The report could not be written any more.
    ReportLost,
}

impl Ended {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::AtBad => "stopped-at-bad",
            Self::ReportLost => "report-lost",
        }
    }
}

/// Runs to the end, or as far as it gets. The rows come back as they then are.
pub(super) async fn run(
    env: &Arc<Env>,
    session: &Arc<Session>,
    context: &Context,
    plan: &VerifyPlan,
    question: Question,
    kept: &mut Kept,
) -> (Vec<Row>, Ended) {
    let mut run = Run::new(context, plan, question.rows, kept);
    if run.read_versions(env, session, &question.versions, &question.rings).await.is_err() {
        return run.stop(Ended::Cancelled);
    }
    let ended = run.archives(env).await;
    run.stop(ended)
}

struct Run<'a> {
    context: &'a Context,
    plan: &'a VerifyPlan,
    kept: &'a mut Kept,
    rows: Vec<Row>,
    /// Rows that are in the report.
    is_kept: Vec<bool>,
    tally: Tally,
    pace: Pace,
    slowed: Option<String>,
    /// Bytes of archives that are finished.
    finished_bytes: u64,
    /// Bytes of each archive under way.
    under_way: Vec<(usize, u64)>,
    speed: Speed,
    started: Instant,
    saw_bad: bool,
    /// When versions were indexed, as the log of the registry tells.
    dates: BTreeMap<(Address, String), Option<Timestamp>>,
}

impl<'a> Run<'a> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a rate is measured by the monotonic clock; no result depends on it"
    )]
    fn new(context: &'a Context, plan: &'a VerifyPlan, rows: Vec<Row>, kept: &'a mut Kept) -> Self {
        let tally = Tally { targets: rows.len() as u64, ..Tally::default() };
        Self {
            context,
            plan,
            kept,
            is_kept: vec![false; rows.len()],
            rows,
            tally,
            pace: Pace::new(plan.workers),
            slowed: None,
            finished_bytes: 0,
            under_way: Vec::new(),
            speed: Speed::default(),
            started: Instant::now(),
            saw_bad: false,
            dates: BTreeMap::new(),
        }
    }

    fn tell(&self, news: VerifyNews) {
        self.context.send(JobEvent::Verify(news));
    }

    /// Checksums, signatures and releases of all versions.
    async fn read_versions(
        &mut self,
        env: &Arc<Env>,
        session: &Arc<Session>,
        versions: &[AskedVersion],
        rings: &[super::question::Ring],
    ) -> Result<(), crate::jobs::context::Cancelled> {
        let context = self.context;
        let infos = context.run(infos(env, versions)).await?;
        let work = |(asked, info): (&'_ AskedVersion, Option<ReleaseInfo>)| {
            let ring = &rings[asked.ring];
            let env = Arc::clone(env);
            let asked = asked.clone();
            async move { (version::read(&env, &asked, ring, info).await, asked) }
        };
        let mut done = 0;
        let total = versions.len() as u64;
        fan(context, versions.iter().zip(infos), VERSIONS_AT_ONCE, work, |(says, asked)| {
            done += 1;
            for place in &asked.rows {
                let row = &mut self.rows[*place];
                says.put_into(row);
                self.finish_row(session, *place);
            }
            context.progress(progress(Phase::Sums, done, total, env));
        })
        .await
    }

    /// A row that has all that it can have is kept and counted; any other is told as it is now.
    fn finish_row(&mut self, session: &Arc<Session>, place: usize) {
        if !self.plan.downloads && self.rows[place].zip == Zip::NotDone {
            self.rows[place].zip = Zip::Skipped { why: "it was not to be downloaded".into() };
        }
        self.date(session, place);
        let row = &self.rows[place];
        if row.zip != Zip::NotDone && !self.is_kept[place] {
            self.is_kept[place] = true;
            self.kept.keep(row);
            self.tally.add(row);
            self.tally.targets -= 1;
            self.saw_bad |= row.state().is_bad();
        }
        self.tell(VerifyNews::Row(place, Arc::new(self.rows[place].clone())));
        self.tell(VerifyNews::Meter(self.meter(false)));
    }

    /// When the version was indexed, for a row that will be explained by it. The log is searched once for each version.
    fn date(&mut self, session: &Arc<Session>, place: usize) {
        let row = &mut self.rows[place];
        if row.times.indexed_at.is_some() || row.state() != State::Mismatch {
            return;
        }
        let version = (row.address.clone(), row.version.clone());
        let (path, number) = (version.0.path(), version.1.clone());
        let search = || session.checkout.version_added_at(&path, &number).ok().flatten();
        if let Some(at) = *self.dates.entry(version).or_insert_with(search) {
            row.times.indexed_at = Some(at);
            "commit".clone_into(&mut row.times.indexed_by);
        }
    }

    /// Downloads and hashes whatever is left.
    async fn archives(&mut self, env: &Arc<Env>) -> Ended {
        let Ok(session) = env.session().await else { return Ended::Cancelled };
        let mut waiting: Vec<(usize, u32)> = (0..self.rows.len())
            .rev()
            .filter(|place| !self.is_kept[*place])
            .map(|place| (place, 0))
            .collect();
        let (told, mut hears) = mpsc::unbounded_channel::<Told>();
        let mut steer = self.context.steer();
        let mut running = FuturesUnordered::new();
        loop {
            if let Some(ended) = self.must_end() {
                return ended;
            }
            let now = *steer.borrow_and_update();
            self.pace.set_most(now.workers.unwrap_or(self.plan.workers));
            while !now.is_paused && running.len() < self.pace.now() {
                let Some((place, tries)) = waiting.pop() else { break };
                self.tell(VerifyNews::Active(place, State::Fetching, 0));
                self.under_way.push((place, 0));
                let (url, limit) = (self.rows[place].url.clone(), self.plan.limit_bytes);
                running.push(download(env, url, limit, place, tries, told.clone()));
            }
            if running.is_empty() && waiting.is_empty() {
                return Ended::Done;
            }
            tokio::select! {
                biased;
                () = cancelled(self.context) => return Ended::Cancelled,
                _ = steer.changed() => self.tell(VerifyNews::Meter(self.meter(steer.borrow().is_paused))),
                Some((place, bytes)) = hears.recv() => {
                    self.hear(place, bytes);
                    self.tell_progress(env);
                }
                Some((place, tries, result)) = running.next(), if !running.is_empty() => {
                    if let Some(again) = self.take(&session, place, tries, result) {
                        waiting.push(again);
                    }
                    self.tell_progress(env);
                }
            }
        }
    }

    fn tell_progress(&self, env: &Env) {
        let (done, total) = (self.done(), self.rows.len() as u64);
        let left = self.meter(false).left;
        self.context.progress(Progress { left, ..progress(Phase::Hashing, done, total, env) });
    }

    fn must_end(&self) -> Option<Ended> {
        if self.kept.is_lost() {
            return Some(Ended::ReportLost);
        }
        (self.plan.stops_at_bad && self.saw_bad).then_some(Ended::AtBad)
    }

    fn done(&self) -> u64 {
        self.is_kept.iter().filter(|kept| **kept).count() as u64
    }

    fn hear(&mut self, place: usize, bytes: u64) {
        let Some(slot) = self.under_way.iter_mut().find(|(at, _)| *at == place) else { return };
        slot.1 = bytes;
        self.tell(VerifyNews::Active(place, State::Fetching, bytes));
        self.note_speed();
        self.tell(VerifyNews::Meter(self.meter(false)));
    }

    /// Takes in what became of an archive; gives it back if it is to be asked for again.
    fn take(
        &mut self,
        session: &Arc<Session>,
        place: usize,
        tries: u32,
        result: Result<Fetched, Fault>,
    ) -> Option<(usize, u32)> {
        self.under_way.retain(|(at, _)| *at != place);
        if let Err(Fault::Slow(why)) = &result {
            if self.pace.slow() {
                let text = format!(
                    "{} of {} workers, since GitHub asked to slow down",
                    self.pace.now(),
                    self.pace.most()
                );
                self.context.send(JobEvent::Note(format!("{text} ({why})")));
                self.slowed = Some(text);
            }
            if tries < MOST_TRIES {
                self.tell(VerifyNews::Active(place, State::Queued, 0));
                return Some((place, tries + 1));
            }
        }
        if result.is_ok() && self.pace.good() && self.pace.now() == self.pace.most() {
            self.slowed = None;
        }
        if let Ok(fetched) = &result {
            self.finished_bytes += fetched.body.size_bytes;
        }
        self.rows[place].zip = zip(result);
        self.finish_row(session, place);
        None
    }

    fn note_speed(&mut self) {
        let (at, bytes) = (self.started.elapsed(), self.read_bytes());
        self.speed.note(at, bytes);
    }

    fn read_bytes(&self) -> u64 {
        self.finished_bytes + self.under_way.iter().map(|(_, bytes)| bytes).sum::<u64>()
    }

    fn meter(&self, is_paused: bool) -> Meter {
        let (at, read_bytes) = (self.started.elapsed(), self.read_bytes());
        let sizes = self.rows.iter().zip(&self.is_kept).filter(|(_, kept)| !**kept);
        let rest: u64 = sizes.filter_map(|(row, _)| row.size_bytes()).sum();
        let under_way: u64 = self.under_way.iter().map(|(_, bytes)| bytes).sum();
        let rest_bytes = rest.saturating_sub(under_way);
        let mut tally = self.tally;
        tally.targets = self.rows.len() as u64;
        tally.left = tally.targets - self.done();
        Meter {
            tally,
            read_bytes,
            total_bytes: read_bytes + rest_bytes,
            bytes_per_s: self.speed.bytes_per_s(at, read_bytes),
            left: self.speed.left(at, read_bytes, rest_bytes),
            workers: self.pace.now(),
            most_workers: self.pace.most(),
            slowed: self.slowed.clone(),
            is_paused,
        }
    }

    /// Whatever is not finished says so.
    fn stop(mut self, ended: Ended) -> (Vec<Row>, Ended) {
        for place in 0..self.rows.len() {
            if self.is_kept[place] {
                continue;
            }
            let row = &mut self.rows[place];
            if row.zip == Zip::NotDone {
                row.zip = Zip::Cancelled;
            }
            if !self.kept.is_lost() {
                self.kept.keep(&self.rows[place]);
            }
            self.tell(VerifyNews::Row(place, Arc::new(self.rows[place].clone())));
        }
        (self.rows, ended)
    }
}

async fn cancelled(context: &Context) {
    let _ = context.run(std::future::pending::<()>()).await;
}

fn progress(phase: Phase, done: u64, total: u64, env: &Env) -> Progress {
    let requests = env.remote.counts().total().sent;
    Progress { phase, done, total, failed: 0, requests, rate: 0.0, left: None, waiting: None }
}

/// The releases as the API tells them, in the order of the versions; nothing without a token.
async fn infos(env: &Arc<Env>, versions: &[AskedVersion]) -> Vec<Option<ReleaseInfo>> {
    if !env.remote.has_token() {
        return versions.iter().map(|_| None).collect();
    }
    let named: Vec<_> = versions
        .iter()
        .map(|asked| {
            let repository = crate::registry::Repository::from_url(&asked.stored.shasums_url);
            let repository = repository.unwrap_or_else(|| asked.address.repository());
            indexed_tag(&asked.stored).map(|tag| (repository, tag))
        })
        .collect();
    let asked: Vec<_> = named.iter().flatten().cloned().collect();
    let mut answers = env.remote.release_batch(&asked).await.into_iter();
    named.iter().map(|named| named.as_ref().and_then(|_| answers.next()).and_then(Result::ok)).collect()
}
