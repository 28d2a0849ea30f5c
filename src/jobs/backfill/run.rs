//! The downloads of a backfill: as many at once as the server lets through, until all is read or a limit is reached.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;

use crate::jobs::Env;
use crate::jobs::backfill::kept::{Ended, Kept, Limit};
use crate::jobs::backfill::state_in;
use crate::jobs::context::Context;
use crate::jobs::data::{BackfillLimits, BackfillNews, JobEvent, Meter, Phase, Progress};
use crate::jobs::hash::{Fault, Fetched, Pace, Speed, Step, fetch, seldom};
use crate::jobs::survey::waiting;
use crate::rules::backfill::{FillResult, Item, Row, Tally};
use crate::rules::hash::NoHash;

/// Times that an archive is asked for again after the server asked to slow down.
const MOST_TRIES: u32 = 5;

pub(super) struct Run<'a> {
    env: &'a Arc<Env>,
    context: &'a Context,
    limits: &'a BackfillLimits,
    kept: Option<&'a mut Kept>,
    rows: Vec<Row>,
    /// Bytes of each archive, as known or guessed.
    weights: &'a [u64],
    tally: Tally,
    /// Bytes of all rows that still wait, as known or guessed.
    rest_bytes: u64,
    sent_before: u64,
    pace: Pace,
    /// Bytes of archives that are finished.
    finished_bytes: u64,
    /// Bytes of each archive under way.
    under_way: Vec<(usize, u64)>,
    speed: Speed,
    started: Instant,
    /// The hosts that asked to slow down, and the number of times.
    slow_hosts: Vec<(String, u32)>,
    /// True if the run sends events about its rows.
    tells: bool,
}

/// The result for one archive.
struct ArchiveResult {
    place: usize,
    tries: u32,
    result: FillResult,
    bytes: u64,
    /// The server asked to slow down, in its words.
    slow: Option<String>,
}

impl<'a> Run<'a> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a rate and a limit of time go by the monotonic clock; no result depends on it"
    )]
    pub(super) fn new(
        env: &'a Arc<Env>,
        context: &'a Context,
        limits: &'a BackfillLimits,
        (rows, weights): (Vec<Row>, &'a [u64]),
        kept: Option<&'a mut Kept>,
    ) -> Self {
        let waits = |row: &Row| row.result == FillResult::Waiting;
        let rest_bytes = rows.iter().zip(weights).filter(|(row, _)| waits(row)).map(|(_, bytes)| bytes).sum();
        Self {
            env,
            context,
            limits,
            kept,
            tally: Tally::of(&rows),
            rows,
            weights,
            rest_bytes,
            sent_before: env.remote.counts().total().sent,
            pace: Pace::new(limits.workers),
            finished_bytes: 0,
            under_way: Vec::new(),
            speed: Speed::default(),
            started: Instant::now(),
            slow_hosts: Vec::new(),
            tells: true,
        }
    }

    /// Says nothing of its rows: they are not those that were told.
    pub(super) fn quiet(self) -> Self {
        Self { tells: false, ..self }
    }

    /// Runs to the end, or as far as it gets. The rows come back as they then are.
    pub(super) async fn run(mut self) -> (Vec<Row>, Ended) {
        let mut waiting: Vec<(usize, u32)> = (0..self.rows.len())
            .rev()
            .filter(|place| self.rows[*place].result == FillResult::Waiting)
            .map(|place| (place, 0))
            .collect();
        let (sender, mut hears) = mpsc::unbounded_channel::<(usize, Step)>();
        let mut steer = self.context.steer();
        let mut running = FuturesUnordered::new();
        let env = self.env;
        let archive_bytes = self.limits.archive_bytes;
        let mut clock = std::pin::pin!(tokio::time::sleep(self.limits.time));
        self.tell(BackfillNews::Meter(self.meter()));
        self.context.progress(self.progress());
        let ended = loop {
            let now = *steer.borrow_and_update();
            if self.kept.as_ref().is_some_and(|kept| kept.is_lost()) {
                break Ended::JournalLost;
            }
            self.pace.set_most(now.workers.unwrap_or(self.limits.workers));
            while !now.is_paused && running.len() < self.pace.now() {
                let Some((place, tries)) = waiting.last().copied().filter(|(place, _)| self.has_room(*place))
                else {
                    break;
                };
                waiting.pop();
                self.tell(BackfillNews::Active(place, 0));
                self.under_way.push((place, 0));
                let (item, sender) = (self.rows[place].item.clone(), sender.clone());
                running.push(async move {
                    let seldom = seldom(|step| {
                        let _ = sender.send((place, step));
                    });
                    // What came of an archive that failed came over the wire too, each time, and counts towards the limit.
                    let (read, lost) = (AtomicU64::new(0), AtomicU64::new(0));
                    let tell = |step| {
                        if let Step::Read(bytes) = step {
                            let before = read.swap(bytes, Relaxed);
                            lost.fetch_add(if bytes < before { before } else { 0 }, Relaxed);
                        }
                        seldom(step);
                    };
                    let finished =
                        finish((place, tries), &item, fetch(env, &item.url, archive_bytes, &tell).await);
                    ArchiveResult {
                        bytes: finished.bytes.max(read.into_inner()) + lost.into_inner(),
                        ..finished
                    }
                });
            }
            if running.is_empty() {
                match waiting.last() {
                    None => break Ended::Done,
                    Some(_) if now.is_paused => self.context.rest(),
                    Some(_) => break Ended::Limit(Limit::Bytes),
                }
            }
            tokio::select! {
                biased;
                () = cancelled(self.context) => break Ended::Cancelled,
                () = &mut clock => break Ended::Limit(Limit::Time),
                Ok(()) = steer.changed() => self.tell(BackfillNews::Meter(self.meter())),
                Some((place, step)) = hears.recv() => {
                    self.hear(place, step);
                    // Sizes are guesses until they are read.
                    if self.read_bytes() > self.limits.bytes {
                        break Ended::Limit(Limit::Bytes);
                    }
                }
                Some(finished) = running.next(), if !running.is_empty() => {
                    // What it said on its way comes before how it ended.
                    while let Ok((place, step)) = hears.try_recv() {
                        self.hear(place, step);
                    }
                    waiting.extend(self.take(finished));
                    self.context.progress(self.progress());
                }
            }
        };
        drop(running);
        self.under_way.clear();
        self.tell(BackfillNews::Meter(self.meter()));
        (self.rows, ended)
    }

    fn tell(&self, news: BackfillNews) {
        if self.tells {
            self.context.send(JobEvent::Backfill(news));
        }
    }

    /// Returns true if an archive still fits into the limit, together with those that are being downloaded.
    fn has_room(&self, place: usize) -> bool {
        let expected = |(place, bytes): &(usize, u64)| self.weights[*place].max(*bytes);
        let under_way: u64 = self.under_way.iter().map(expected).sum();
        self.finished_bytes + under_way + self.weights[place] <= self.limits.bytes
    }

    fn hear(&mut self, place: usize, step: Step) {
        let (Step::Read(bytes) | Step::Hashing(bytes)) = step;
        let Some(slot) = self.under_way.iter_mut().find(|(at, _)| *at == place) else { return };
        slot.1 = bytes;
        self.tell(BackfillNews::Active(place, bytes));
        self.speed.note(self.started.elapsed(), self.read_bytes());
        let meter = self.meter();
        self.context.progress(Progress { left: meter.left, ..self.progress() });
        self.tell(BackfillNews::Meter(meter));
    }

    /// Takes in the result of an archive. Returns the archive if it is to be downloaded again.
    fn take(&mut self, finished: ArchiveResult) -> Option<(usize, u32)> {
        let ArchiveResult { place, tries, result, bytes, slow } = finished;
        self.under_way.retain(|(at, _)| *at != place);
        self.finished_bytes += bytes;
        if let Some(why) = slow {
            let host = host(&self.rows[place].item.url).to_owned();
            match self.slow_hosts.iter_mut().find(|(name, _)| *name == host) {
                Some((_, count)) => *count += 1,
                None => self.slow_hosts.push((host, 1)),
            }
            if self.pace.slow() {
                self.context.send(JobEvent::Note(format!("{} ({why})", self.slowed().unwrap_or_default())));
            }
            if tries < MOST_TRIES {
                // It waits for its turn again: nobody reads it meanwhile.
                self.tell(BackfillNews::Row(place, Arc::new(self.rows[place].clone())));
                return Some((place, tries + 1));
            }
        }
        if matches!(result, FillResult::Filled { .. }) && self.pace.good() {
            let (now, most) = (self.pace.now(), self.pace.most());
            let text = format!("{now} of {most} workers again: the last downloads went well");
            self.context.send(JobEvent::Note(text));
        }
        self.rest_bytes -= self.weights[place];
        self.rows[place].result = result;
        let row = &self.rows[place];
        if let Some(kept) = &mut self.kept {
            kept.keep(place, row);
        }
        self.tally.left -= 1;
        self.tally.targets -= 1;
        self.tally.add(state_in(row, false));
        self.tell(BackfillNews::Row(place, Arc::new(row.clone())));
        self.tell(BackfillNews::Meter(self.meter()));
        None
    }

    /// Why fewer work than were asked for: `3 of 6 workers, since github.com asked to slow down 2 times`.
    fn slowed(&self) -> Option<String> {
        let (now, most) = (self.pace.now(), self.pace.most());
        let hosts = self.slow_hosts.iter().map(|(host, count)| match count {
            1 => format!("{host} asked to slow down"),
            _ => format!("{host} asked to slow down {count} times"),
        });
        let hosts: Vec<String> = hosts.collect();
        (now < most).then(|| format!("{now} of {most} workers, since {}", hosts.join(" and ")))
    }

    fn read_bytes(&self) -> u64 {
        self.finished_bytes + self.under_way.iter().map(|(_, bytes)| bytes).sum::<u64>()
    }

    fn meter(&self) -> Meter<Tally> {
        let (at, read_bytes) = (self.started.elapsed(), self.read_bytes());
        let under_way: u64 = self.under_way.iter().map(|(_, bytes)| bytes).sum();
        let rest_bytes = self.rest_bytes.saturating_sub(under_way);
        Meter {
            tally: self.tally,
            read_bytes,
            total_bytes: read_bytes + rest_bytes,
            bytes_per_s: self.speed.bytes_per_s(at, read_bytes),
            left: self.speed.left(at, read_bytes, rest_bytes),
            workers: self.pace.now(),
            most_workers: self.pace.most(),
            slowed: self.slowed(),
        }
    }

    fn progress(&self) -> Progress {
        let requests = self.env.remote.counts().total().sent.saturating_sub(self.sent_before);
        Progress {
            phase: Phase::Hashing,
            done: self.tally.targets - self.tally.left,
            total: self.tally.targets,
            failed: self.tally.failed,
            requests,
            rate: 0.0,
            left: None,
            waiting: waiting(&self.env.remote),
        }
    }
}

async fn cancelled(context: &Context) {
    let _ = context.run(std::future::pending::<()>()).await;
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

/// Turns a download into a result. The SHA-256 is checked before anything else is used.
fn finish((place, tries): (usize, u32), item: &Item, fetched: Result<Fetched, Fault>) -> ArchiveResult {
    let finished = |result, bytes, slow| ArchiveResult { place, tries, result, bytes, slow };
    let fetched = match fetched {
        Ok(fetched) => fetched,
        Err(Fault::Gone) => return finished(FillResult::Gone, 0, None),
        Err(Fault::TooLarge { limit_bytes }) => {
            return finished(FillResult::TooLarge { limit: limit_bytes }, 0, None);
        }
        Err(Fault::Slow(why)) => return finished(FillResult::Failed { why: why.clone() }, 0, Some(why)),
        Err(Fault::Failed(why)) => return finished(FillResult::Failed { why }, 0, None),
    };
    let (sha256, size) = (fetched.body.hex(), fetched.body.size_bytes);
    let result = if sha256 != item.shasum {
        FillResult::Drifted { sha256 }
    } else if item.size > 0 && item.size != size {
        FillResult::Otherwise {
            why: format!("the registry has {} bytes, and the archive has {size}", item.size),
        }
    } else {
        match fetched.hashes {
            Ok(hashes) if !item.h1.is_empty() && item.h1 != hashes.h1 => FillResult::Otherwise {
                why: format!("the registry has {}, and the archive has {}", item.h1, hashes.h1),
            },
            Ok(hashes) => FillResult::Filled { h1: hashes.h1, size },
            // For want of a copy there is no h1: a matter of this machine and not of the archive.
            Err(error @ NoHash::Read(_)) => {
                FillResult::Failed { why: format!("its h1 could not be computed: {error}") }
            }
            Err(error) => FillResult::NoHash { why: format!("its h1 cannot be computed: {error}") },
        }
    };
    finished(result, size, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_that_of_the_url() {
        assert_eq!(host("https://github.com/a/b"), "github.com");
        assert_eq!(host("http://127.0.0.1:80"), "127.0.0.1:80");
        assert_eq!(host(""), "");
    }
}
