//! Reads what a plan asks for, repository by repository, and keeps it.

mod probe;
mod read;

use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::data::{
    ASKS_AGAIN, Failure, FailureKind, Gate, JobEvent, Judgement, Phase, Summary, TRIES_SERVERS,
};
use crate::jobs::fan::fan;
use crate::jobs::judging::{case, judge_row};
use crate::jobs::session::Session;
use crate::jobs::survey::meter::Meter;
use crate::jobs::verdicts::Surveyed;
use crate::registry::{Address, Facts, Kind, Observed, Repository, Row, Why};
use crate::remote::{Down, LaneCounts};
use crate::rules::{Depth, forget, judge_gated, tag_version};
use crate::settings::Lane;
use crate::store::StoredFacts;

pub(crate) use probe::{MOST_MISSING, read_release};

/// Repositories under way at once; the lanes bound the requests.
const AT_ONCE: usize = 512;
/// Facts are kept after this many repositories, so that a kill loses little.
const KEEP_AT: usize = 100;

/// One repository, the entries that come from it, and what is known of it.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) repository: Repository,
    /// Places in the catalog.
    pub(crate) places: Vec<usize>,
    pub(crate) has_provider: bool,
    pub(crate) stored: StoredFacts,
    /// Upstream was read, so the facts have to be kept.
    pub(crate) was_read: bool,
    /// The feed gate was passed: nothing else was asked.
    pub(crate) gated: bool,
}

/// A work whose turn has not come: places in the catalog alone.
struct Seed {
    first: usize,
    more: Vec<usize>,
    has_provider: bool,
}

/// The result of a reading. The requests are counted when the whole job is over: building asks upstream too.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) summary: Summary,
    pub(crate) cancelled: bool,
    /// Repositories whose facts could not be kept.
    pub(crate) unkept: u64,
    /// The failure that stopped it: the host of the repositories does not answer, or the registry is gone.
    pub(crate) failure: Option<Failure>,
    /// The requests that had been sent before it began.
    pub(crate) sent_before: LaneCounts,
}

/// One reading of upstream.
#[derive(Debug)]
pub(crate) struct Gather<'a> {
    pub(super) env: &'a Arc<Env>,
    pub(super) session: &'a Session,
    pub(super) context: &'a Context,
    pub(super) depth: Depth,
    pub(super) gate: Gate,
    /// Signatures are read even where no key is on file.
    pub(super) signatures: bool,
    /// The indexed versions of each entry whose checksums are read; `None`: all versions of all entries.
    deep: Option<&'a HashMap<Address, HashSet<String>>>,
    /// The versions of each entry whose releases are read although the entry has them, without `v`.
    claimed: Option<&'a HashMap<Address, HashSet<String>>>,
    max_age: SignedDuration,
    /// The longest pause of a server that is kept even if everything is to be read.
    heeds: SignedDuration,
    /// The record of the verdicts, for the next start.
    surveyed: Option<&'a Surveyed>,
}

impl<'a> Gather<'a> {
    pub(crate) fn new(
        env: &'a Arc<Env>,
        session: &'a Session,
        context: &'a Context,
        depth: Depth,
        max_age: Duration,
    ) -> Self {
        let max_age = SignedDuration::try_from(max_age).unwrap_or(SignedDuration::MAX);
        Self {
            env,
            session,
            context,
            depth,
            gate: Gate::Tags,
            signatures: false,
            deep: None,
            claimed: None,
            max_age,
            heeds: SignedDuration::ZERO,
            surveyed: None,
        }
    }

    pub(crate) fn gated(self, gate: Gate) -> Self {
        Self { gate, ..self }
    }

    /// Keeps pauses of up to an hour even if everything is to be read: for jobs that a timer starts.
    pub(crate) fn heeding(self) -> Self {
        Self { heeds: SignedDuration::from_hours(1), ..self }
    }

    /// Records the verdicts, which are those of depth `versions`.
    pub(crate) fn recording(self, surveyed: &'a Surveyed) -> Self {
        Self { surveyed: Some(surveyed), ..self }
    }

    pub(crate) fn with_signatures(self) -> Self {
        Self { signatures: true, ..self }
    }

    /// At depth `sums` only these indexed versions of each entry are read: nothing is claimed of the others.
    pub(crate) fn deep_only(self, deep: &'a HashMap<Address, HashSet<String>>) -> Self {
        Self { deep: Some(deep), ..self }
    }

    /// Reads the releases of these versions even if the registry has them now: a pull request makes claims about them.
    pub(crate) fn with_claimed(self, claimed: &'a HashMap<Address, HashSet<String>>) -> Self {
        Self { claimed: Some(claimed), ..self }
    }

    pub(super) fn is_claimed(&self, address: &Address, tag: &str) -> bool {
        let claimed = self.claimed.and_then(|claimed| claimed.get(address));
        claimed.is_some_and(|claimed| tag_version(tag).is_some_and(|version| claimed.contains(version)))
    }

    pub(super) fn reads_sums(&self, address: &Address, version: &str) -> bool {
        self.deep.is_none_or(|deep| deep.get(address).is_some_and(|versions| versions.contains(version)))
    }

    /// Returns true if a source need not be asked again. A failure is asked again at once, unless the server said when; and
    /// even then where everything is to be asked.
    pub(super) fn is_fresh<T>(&self, observed: &Observed<T>) -> bool {
        let young = |at: Timestamp| {
            let age = self.env.now().duration_since(at);
            age < self.max_age && age >= SignedDuration::ZERO
        };
        match observed {
            // That a document is too long is an answer.
            Observed::Known { at, .. }
            | Observed::Absent { at, .. }
            | Observed::Unknown { why: Why::TooLarge { .. }, at } => young(*at),
            Observed::Unknown { why: Why::Throttled { until: Some(until) }, .. } => {
                let wait = until.duration_since(self.env.now());
                let longest =
                    if self.max_age > SignedDuration::ZERO { SignedDuration::MAX } else { self.heeds };
                wait > SignedDuration::ZERO && wait <= longest
            }
            Observed::Unasked | Observed::Unknown { .. } => false,
        }
    }

    pub(super) fn row(&self, place: usize) -> &'a Row {
        &self.session.catalog.rows[place]
    }

    pub(super) fn rows(&self, work: &Work) -> Vec<&'a Row> {
        work.places.iter().map(|place| self.row(*place)).collect()
    }

    /// Reads everything; what was read stands by the places in the catalog.
    pub(crate) async fn facts(&self, places: &[usize]) -> (HashMap<usize, Arc<Facts>>, Gathered) {
        let mut facts = HashMap::new();
        let gathered = self
            .run(places, |work, _| {
                let read = Arc::new(work.stored.facts.clone());
                facts.extend(work.places.iter().map(|place| (*place, Arc::clone(&read))));
            })
            .await;
        (facts, gathered)
    }

    /// Reads everything, and hands each repository on when it is done, with the verdicts of its entries. An entry counts as
    /// failed if its verdict is unknown, not if one of its sources is.
    pub(crate) async fn run(
        &self,
        places: &[usize],
        mut done: impl FnMut(&Work, Vec<Judgement>),
    ) -> Gathered {
        let sent_before = self.env.remote.counts().total();
        let works = self.works(places);
        let mut keeper = Keeper::new(self.env, self.surveyed);
        let mut summary = Summary { entries: places.len() as u64, ..Summary::default() };
        let (mut failure, mut reached) = (None, 0);
        let mut done = |work: &Work, judged: Vec<Judgement>| {
            reached += judged.len() as u64;
            done(work, judged);
        };
        let result = tokio::select! {
            // A survey that asks nothing ends well even while the host is given up, so the reading is polled first.
            biased;
            result = self.read_all(works, &mut keeper, &mut summary, &mut done) => result,
            down = self.listen() => {
                failure = Some(down);
                Ok(())
            }
        };
        // The last request can end the reading and make the breaker give the host up.
        let lost = || self.web_is_down().filter(|_| result.is_ok() && summary.failed > 0);
        let failure = failure.or_else(lost).or_else(|| self.session.is_gone());
        keeper.flush();
        if let Some(why) = keeper.lost {
            let text = format!("what was read was not kept, so the next survey asks again: {why}");
            self.context.send(JobEvent::Note(text));
        }
        summary.leave(summary.entries - reached);
        let unkept = keeper.unkept.len() as u64;
        Gathered { summary, cancelled: result.is_err(), failure, unkept, sent_before }
    }

    /// Tells of hosts that are given up, and ends when that is the one without which nothing can be known.
    async fn listen(&self) -> Failure {
        let remote = &self.env.remote;
        let mut downs = remote.downs();
        let mut told: Vec<Down> = Vec::new();
        loop {
            if let Some(failure) = self.web_is_down() {
                return failure;
            }
            for down in remote.down() {
                if !told.contains(&down) {
                    self.context.send(JobEvent::Note(format!(
                        "{}; it is asked again from time to time",
                        down.text()
                    )));
                    told.push(down);
                }
            }
            if downs.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Returns a failure if the host is given up without which no status is known.
    fn web_is_down(&self) -> Option<Failure> {
        let remote = &self.env.remote;
        let is_web =
            |down: &Down| down.lane.is_none_or(|lane| lane == Lane::Git) && remote.is_web(&down.host);
        remote.down().iter().find(|down| is_web(down)).map(unreachable)
    }

    async fn read_all(
        &self,
        works: impl ExactSizeIterator<Item = Work>,
        keeper: &mut Keeper<'_>,
        summary: &mut Summary,
        done: &mut impl FnMut(&Work, Vec<Judgement>),
    ) -> Result<(), Cancelled> {
        let requests = self.env.remote.counts().total().sent;
        let mut meter = Meter::new(Phase::Tags, works.len(), requests);
        let mut deeper = Vec::new();
        fan(
            self.context,
            works,
            AT_ONCE,
            |work| read::read(self, work),
            |work| {
                let broken = self.row(work.places[0]).shape.broken.is_some();
                let failed = matches!(work.stored.facts.tags, Observed::Unknown { .. });
                summary.fresh += u64::from(!work.was_read && !broken) * work.places.len() as u64;
                let looks = probe::due(self, &work);
                meter.expect(looks);
                self.context.progress(meter.count(failed || broken, &self.env.remote));
                let rows = self.rows(&work);
                if looks > 0 {
                    keeper.keep(&work, &rows);
                    deeper.push(work);
                } else {
                    self.judged(&work, summary, done);
                    keeper.keep_last(work, &rows);
                }
            },
        )
        .await?;
        probe::probe_all(self, deeper, meter, keeper, |work| self.judged(work, summary, done)).await
    }

    /// The verdicts of all entries that share a repository.
    fn judge(&self, work: &Work) -> Vec<Judgement> {
        let facts = &work.stored.facts;
        let verdict = |place: usize| {
            let row = self.row(place);
            if work.gated {
                let terms = (self.depth, self.env.now().into());
                return judge_gated(
                    &case(self.env, self.session, row, Some(facts), (None, None), terms),
                    facts,
                );
            }
            match self.surveyed {
                // Facts that were not read now are not saved, so their verdict is recalled or judged at the end.
                Some(surveyed) if work.was_read => surveyed.judge(self.env, self.session, place, facts),
                _ => judge_row(self.env, self.session, row, Some(facts), self.depth),
            }
        };
        let judgement =
            |place| Judgement { address: self.row(place).address.clone(), verdict: verdict(place) };
        work.places.iter().copied().map(judgement).collect()
    }

    /// Judges the entries of a repository and hands them on. Returns true if every verdict is known.
    fn judged(
        &self,
        work: &Work,
        summary: &mut Summary,
        done: &mut impl FnMut(&Work, Vec<Judgement>),
    ) -> bool {
        let judged = self.judge(work);
        let unknown = judged.iter().filter(|judgement| judgement.verdict.status.is_unknown());
        let (broken, failed): (Vec<_>, Vec<_>) =
            unknown.partition(|judgement| judgement.verdict.has_broken_file());
        summary.broken += broken.len() as u64;
        summary.failed += failed.len() as u64;
        let is_known = failed.is_empty();
        done(work, judged);
        is_known
    }

    /// The repositories of some rows; entries with the same repository share one. The facts of each are loaded when its turn
    /// comes: for the whole registry at once they would be the largest thing in memory.
    fn works(&self, places: &[usize]) -> impl ExactSizeIterator<Item = Work> + '_ {
        let mut by_key: HashMap<String, usize> = HashMap::with_capacity(places.len());
        let mut seeds: Vec<Seed> = Vec::with_capacity(places.len());
        for &place in places {
            let row = self.row(place);
            let has_provider = row.kind() == Kind::Provider;
            if row.shape.broken.is_some() {
                // A broken file is alone in its work, and nobody is asked about it.
                seeds.push(Seed { first: place, more: Vec::new(), has_provider: false });
                continue;
            }
            match by_key.entry(row.address.repository().key()) {
                Slot::Occupied(slot) => {
                    let seed = &mut seeds[*slot.get()];
                    seed.more.push(place);
                    seed.has_provider |= has_provider;
                }
                Slot::Vacant(slot) => {
                    slot.insert(seeds.len());
                    seeds.push(Seed { first: place, more: Vec::new(), has_provider });
                }
            }
        }
        // Before the first survey there is nothing to look up.
        let stamp = self.env.state().as_ref().and_then(|state| state.stamp_of_facts(&self.env.world).ok());
        let has_facts = stamp.flatten().is_some();
        seeds.into_iter().map(move |seed| {
            let row = self.row(seed.first);
            let repository = row.address.repository();
            let is_known = has_facts && row.shape.broken.is_none();
            let stored = if is_known { known(self.env, &repository.key()) } else { StoredFacts::default() };
            Work::new(repository, seed, stored)
        })
    }
}

impl Work {
    fn new(repository: Repository, seed: Seed, stored: StoredFacts) -> Self {
        let places = std::iter::once(seed.first).chain(seed.more).collect();
        Self { repository, places, has_provider: seed.has_provider, stored, was_read: false, gated: false }
    }
}

fn unreachable(down: &Down) -> Failure {
    let first = match down.lane {
        None if down.why.contains("certificate") => "Give its authority's certificate with --ca-file",
        None => "Check the network",
        Some(_) => "Wait until it answers again",
    };
    Failure::new(FailureKind::Network, "reading upstream")
        .cause(down.text())
        .hint(format!("{first}; {TRIES_SERVERS}{ASKS_AGAIN}."))
}

/// Reads the facts that earlier surveys kept of a repository. It is one look-up for each, since all facts together are larger
/// than everything else.
fn known(env: &Env, key: &str) -> StoredFacts {
    let state = env.state();
    state.as_ref().and_then(|state| state.load_fact(&env.world, key).ok().flatten()).unwrap_or_default()
}

/// Writes facts in batches.
pub(super) struct Keeper<'a> {
    env: &'a Env,
    batch: Vec<(String, StoredFacts)>,
    /// The entries of the batch: places in the catalog.
    places: Vec<usize>,
    /// Repositories of batches that could not be kept; one may be in two.
    unkept: HashSet<String>,
    /// Why a batch could not be kept.
    lost: Option<String>,
    /// Verdicts that follow from these facts.
    surveyed: Option<&'a Surveyed>,
}

impl<'a> Keeper<'a> {
    fn new(env: &'a Env, surveyed: Option<&'a Surveyed>) -> Self {
        Self { env, batch: Vec::new(), places: Vec::new(), unkept: HashSet::new(), lost: None, surveyed }
    }

    /// Keeps the facts that later verdicts need; this job continues with all of them.
    pub(super) fn keep(&mut self, work: &Work, rows: &[&Row]) {
        if !work.was_read {
            return;
        }
        self.add(work.repository.key(), work.stored.clone(), &work.places, rows);
    }

    /// Keeps the facts of a repository that this job is done with.
    fn keep_last(&mut self, work: Work, rows: &[&Row]) {
        if work.was_read {
            self.add(work.repository.key(), work.stored, &work.places, rows);
        }
    }

    fn add(&mut self, repository: String, mut stored: StoredFacts, places: &[usize], rows: &[&Row]) {
        forget(&mut stored.facts, rows, self.env.now());
        self.places.extend(places);
        // A repository that is looked at again right away: its facts are saved once, since all of a batch share one stamp.
        match self.batch.iter_mut().find(|(kept, _)| *kept == repository) {
            Some((_, kept)) => *kept = stored,
            None => self.batch.push((repository, stored)),
        }
        if self.batch.len() >= KEEP_AT {
            self.flush();
        }
    }

    pub(super) fn flush(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        if let Some(state) = self.env.state().as_mut()
            && !state.is_read_only()
        {
            let saved = state.save_facts(&self.env.world, self.env.now(), &self.batch);
            if let Some(surveyed) = self.surveyed {
                surveyed.saved(&self.places, saved.as_ref().ok().copied());
            }
            if let Err(error) = saved {
                tracing::warn!(%error, "facts were not kept");
                self.unkept.extend(self.batch.iter().map(|(repository, _)| repository.clone()));
                self.lost = Some(error.to_string());
            }
        }
        self.batch.clear();
        self.places.clear();
    }
}

#[cfg(test)]
mod year;
