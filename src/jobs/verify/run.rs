//! The run: checksums and signatures of all versions first, since they cost little and tell most, then the archives.

use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{JobEvent, Meter, Phase, Progress, VerifyNews, VerifyPlan};
use crate::jobs::fan::fan;
use crate::jobs::hash::{Pace, Speed, Step};
use crate::jobs::session::Session;
use crate::jobs::survey::waiting;
use crate::jobs::verify::archive::{Archive, ArchiveResult, ArchiveStep};
use crate::jobs::verify::dates::Dates;
use crate::jobs::verify::learned::Learned;
use crate::jobs::verify::question::{Question, VersionToVerify};
use crate::jobs::verify::releases::releases;
use crate::jobs::verify::report::{Ended, Kept};
use crate::jobs::verify::tags::TagLooks;
use crate::jobs::verify::version;
use crate::registry::ReleaseInfo;
use crate::rules::verify::{Row, State, Tally, Zip};

/// Versions whose checksums are read at once; the lanes bound the requests.
const VERSIONS_AT_ONCE: usize = 16;
/// Times that an archive is asked for again after the server asked to slow down.
const MOST_TRIES: u32 = 5;

/// Runs to the end, or as far as it gets. The rows come back as they then are.
pub(super) async fn run(
    env: &Arc<Env>,
    session: &Arc<Session>,
    context: &Context,
    plan: &VerifyPlan,
    question: Question,
    kept: &mut Kept,
) -> (Vec<Row>, Ended) {
    let dates = Dates::new(session);
    let mut run = Run::new(env, context, plan, question.rows, kept);
    let ended = match run.read_versions(&question.versions, &dates).await {
        Ok(()) => run.archives(&dates).await,
        Err(Cancelled) => Ended::Cancelled,
    };
    let learned = Learned::of(&run.rows);
    let stopped = run.stop(ended);
    let judged = learned.keep(env, session).await;
    if !judged.is_empty() {
        context.send(JobEvent::Judged(judged));
    }
    stopped
}

/// The most notes on single versions that are sent.
const MOST_NOTES: usize = 20;

struct Run<'a> {
    env: &'a Arc<Env>,
    context: &'a Context,
    plan: &'a VerifyPlan,
    kept: &'a mut Kept,
    rows: Vec<Row>,
    /// Rows that are in the report, which `tally` counts.
    is_kept: Vec<bool>,
    tally: Tally,
    /// The known sizes of all other rows, in bytes.
    rest_bytes: u64,
    sent_before: u64,
    pace: Pace,
    /// Bytes of archives that are finished.
    finished_bytes: u64,
    /// Bytes of each archive under way.
    under_way: Vec<(usize, u64)>,
    speed: Speed,
    started: Instant,
    saw_bad: bool,
    stops_at_bad: bool,
}

impl<'a> Run<'a> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a rate is measured by the monotonic clock; no result depends on it"
    )]
    fn new(
        env: &'a Arc<Env>,
        context: &'a Context,
        plan: &'a VerifyPlan,
        rows: Vec<Row>,
        kept: &'a mut Kept,
    ) -> Self {
        Self {
            env,
            context,
            plan,
            kept,
            is_kept: vec![false; rows.len()],
            rest_bytes: rows.iter().filter_map(Row::size_bytes).sum(),
            rows,
            tally: Tally::default(),
            sent_before: env.remote.counts().total().sent,
            pace: Pace::new(plan.workers),
            finished_bytes: 0,
            under_way: Vec::new(),
            speed: Speed::default(),
            started: Instant::now(),
            saw_bad: false,
            stops_at_bad: plan.stops_at_bad,
        }
    }

    fn tell(&self, news: VerifyNews) {
        self.context.send(JobEvent::Verify(news));
    }

    /// Checksums, signatures and releases of all versions.
    async fn read_versions(&mut self, versions: &[VersionToVerify], dates: &Dates) -> Result<(), Cancelled> {
        let (env, context) = (self.env, self.context);
        let infos = context.run(releases(env, versions)).await?;
        if let (unread, Some(why)) = infos.unread() {
            context.send(JobEvent::Note(format!(
                "{unread} of {} releases were not read from the API, so digests and times of their assets are not known: {why}",
                versions.len()
            )));
        }
        let tags = TagLooks::new(env);
        let mut looks = Vec::with_capacity(versions.len());
        for (version, info) in versions.iter().zip(infos.list) {
            let rows = version.rows.iter().map(|place| (*place, self.rows[*place].clone())).collect();
            looks.push(look(env, version, info, (dates, &tags), rows));
        }
        let (mut done, mut notes) = (0, 0);
        let total = versions.len() as u64;
        let ended = fan(
            context,
            looks,
            VERSIONS_AT_ONCE,
            |look| look,
            |(rows, note)| {
                done += 1;
                if let Some(note) = note {
                    notes += 1;
                    if notes <= MOST_NOTES {
                        context.send(JobEvent::Note(note));
                    }
                }
                for (place, row) in rows {
                    self.put(place, row);
                }
                context.progress(self.progress(Phase::Sums, done, total));
            },
        )
        .await;
        if notes > MOST_NOTES {
            let more = notes - MOST_NOTES;
            context.send(JobEvent::Note(format!("{more} more such notes on other versions are left out")));
        }
        ended
    }

    /// A row as it is now. One that has all that it can have is kept and counted.
    fn put(&mut self, place: usize, mut row: Row) {
        if !self.plan.downloads && row.zip == Zip::NotDone {
            row.zip = Zip::Skipped { why: "it was not to be downloaded".into() };
        }
        self.saw_bad |= row.state().is_bad();
        if !self.is_kept[place] {
            self.rest_bytes -= self.rows[place].size_bytes().unwrap_or_default();
            if row.zip == Zip::NotDone {
                self.rest_bytes += row.size_bytes().unwrap_or_default();
            } else {
                self.is_kept[place] = true;
                self.kept.keep(&row);
                self.tally.add(&row);
            }
        }
        self.tell(VerifyNews::Row(place, Arc::new(row.clone())));
        self.rows[place] = row;
        self.tell(VerifyNews::Meter(self.meter()));
    }

    /// Downloads and hashes whatever is left.
    async fn archives(&mut self, dates: &Dates) -> Ended {
        let mut waiting: Vec<(usize, u32)> = (0..self.rows.len())
            .rev()
            .filter(|place| !self.is_kept[*place])
            .map(|place| (place, 0))
            .collect();
        let (sender, mut hears) = mpsc::unbounded_channel::<ArchiveStep>();
        let mut steer = self.context.steer();
        let mut last_told = *steer.borrow();
        let mut running = FuturesUnordered::new();
        // What is paused before its first archive has read its checksums: how far it is must say so.
        self.context.progress(self.progress(Phase::Hashing, self.tally.targets, self.rows.len() as u64));
        loop {
            let now = *steer.borrow_and_update();
            let stops = now.stops_at_bad.unwrap_or(self.plan.stops_at_bad);
            // What was bad before it was asked for does not end the run.
            self.saw_bad &= self.stops_at_bad || !stops;
            self.stops_at_bad = stops;
            if let Some(ended) = self.must_end() {
                return ended;
            }
            self.pace.set_most(now.workers.unwrap_or(self.plan.workers));
            while !now.is_paused && running.len() < self.pace.now() {
                let Some((place, tries)) = waiting.pop() else { break };
                self.tell(VerifyNews::Active(place, State::Fetching, 0));
                self.under_way.push((place, 0));
                let archive = Archive { place, tries, row: self.rows[place].clone(), steps: sender.clone() };
                running.push(archive.download(self.env, self.plan.limit_bytes, dates));
            }
            if running.is_empty() && waiting.is_empty() {
                return Ended::Done;
            }
            if now != last_told {
                // Only here the figures are those of what was said.
                last_told = now;
                self.tell(VerifyNews::Meter(self.meter()));
            }
            if running.is_empty() {
                self.context.rest();
            }
            tokio::select! {
                biased;
                () = cancelled(self.context) => return Ended::Cancelled,
                Ok(()) = steer.changed() => {}
                Some((place, step)) = hears.recv() => self.hear(place, step),
                Some(finished) = running.next(), if !running.is_empty() => {
                    // What it said on its way comes before how it ended.
                    while let Ok((place, step)) = hears.try_recv() {
                        self.hear(place, step);
                    }
                    waiting.extend(self.take(finished));
                    self.context.progress(self.progress(Phase::Hashing, self.tally.targets, self.rows.len() as u64));
                }
            }
        }
    }

    fn must_end(&self) -> Option<Ended> {
        if self.kept.is_lost() {
            return Some(Ended::ReportLost);
        }
        (self.stops_at_bad && self.saw_bad).then_some(Ended::AtBad)
    }

    fn hear(&mut self, place: usize, step: Step) {
        let (state, bytes) = match step {
            Step::Read(bytes) => (State::Fetching, bytes),
            Step::Hashing(bytes) => (State::Hashing, bytes),
        };
        let Some(slot) = self.under_way.iter_mut().find(|(at, _)| *at == place) else { return };
        slot.1 = bytes;
        self.tell(VerifyNews::Active(place, state, bytes));
        self.speed.note(self.started.elapsed(), self.read_bytes());
        let meter = self.meter();
        let progress = self.progress(Phase::Hashing, self.tally.targets, self.rows.len() as u64);
        self.context.progress(Progress { left: meter.left, ..progress });
        self.tell(VerifyNews::Meter(meter));
    }

    /// Takes in the result of an archive. Returns the archive if it is to be downloaded again.
    fn take(&mut self, finished: ArchiveResult) -> Option<(usize, u32)> {
        let ArchiveResult { place, tries, row, slow } = finished;
        self.under_way.retain(|(at, _)| *at != place);
        if let Some(why) = slow {
            if self.pace.slow() {
                self.context.send(JobEvent::Note(format!("{} ({why})", self.slowed().unwrap_or_default())));
            }
            if tries < MOST_TRIES {
                self.tell(VerifyNews::Active(place, State::Queued, 0));
                return Some((place, tries + 1));
            }
        }
        if let Zip::Hashed(computed) = &row.zip {
            if self.pace.good() {
                let (now, most) = (self.pace.now(), self.pace.most());
                self.context.send(JobEvent::Note(format!(
                    "{now} of {most} workers again: the last downloads went well"
                )));
            }
            self.finished_bytes += computed.size_bytes;
        }
        self.put(place, row);
        None
    }

    /// Why fewer work than were asked for.
    fn slowed(&self) -> Option<String> {
        let (now, most) = (self.pace.now(), self.pace.most());
        (now < most).then(|| format!("{now} of {most} workers, since GitHub asked to slow down"))
    }

    fn read_bytes(&self) -> u64 {
        self.finished_bytes + self.under_way.iter().map(|(_, bytes)| bytes).sum::<u64>()
    }

    fn meter(&self) -> Meter {
        let (at, read_bytes) = (self.started.elapsed(), self.read_bytes());
        let under_way: u64 = self.under_way.iter().map(|(_, bytes)| bytes).sum();
        let rest_bytes = self.rest_bytes.saturating_sub(under_way);
        let targets = self.rows.len() as u64;
        Meter {
            tally: Tally { targets, left: targets - self.tally.targets, ..self.tally },
            read_bytes,
            total_bytes: read_bytes + rest_bytes,
            bytes_per_s: self.speed.bytes_per_s(at, read_bytes),
            left: self.speed.left(at, read_bytes, rest_bytes),
            workers: self.pace.now(),
            most_workers: self.pace.most(),
            slowed: self.slowed(),
        }
    }

    fn progress(&self, phase: Phase, done: u64, total: u64) -> Progress {
        let requests = self.env.remote.counts().total().sent.saturating_sub(self.sent_before);
        let waiting = waiting(&self.env.remote);
        Progress { phase, done, total, failed: self.tally.error, requests, rate: 0.0, left: None, waiting }
    }

    /// Marks every row that is not finished.
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

/// Reads upstream about one version, and puts the answers into its rows. The text is a note that fits no row.
async fn look(
    env: &Arc<Env>,
    version: &VersionToVerify,
    info: Result<Option<ReleaseInfo>, String>,
    (dates, tags): (&Dates, &TagLooks<'_>),
    mut rows: Vec<(usize, Row)>,
) -> (Vec<(usize, Row)>, Option<String>) {
    let (says, tag) = tokio::join!(version::read(env, version, info), tags.of(version));
    let not_indexed = says.not_indexed(version, rows.iter().map(|(_, row)| row.filename.as_str()));
    let not_indexed = not_indexed.unwrap_or_default();
    for (_, row) in &mut rows {
        says.put_into(row);
        row.tag.clone_from(&tag);
        row.not_indexed.clone_from(&not_indexed);
        dates.put_into(row).await;
    }
    (rows, says.note(version))
}
