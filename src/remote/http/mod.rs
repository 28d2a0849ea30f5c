//! The one request path: budget, canonical URLs onto the configured hosts, the token rule, redirects, caps, repetition.
//!
//! It knows statuses and headers, never what a body means: feeds, git and the API read those. It never repeats a call that
//! is not marked as repeatable, never sends the token to a host that is not configured, and never logs a body. It alone
//! knows the token, so it removes the token from each error before the error leaves it. The rest of `remote` calls it,
//! octocrab included.

mod body;
mod breaker;
mod call;
mod clients;
mod error;
mod exchange;
mod far;
mod judge;
mod secrets;
mod tally;
mod token;
mod wording;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::Instant;

use crate::remote::budget::{Budget, Decision, Limit, Quota, Signals, Ticket};
use crate::remote::{Remote, RemoteOptions};
use crate::settings::Lane;

use breaker::{Breaker, Crossing, Failed};
use clients::Clients;
use error::{CleanText, RawError};
use far::{Far, Side};
use secrets::Secrets;
use tally::Tally;
use token::Token;

pub(crate) use body::{Download, LeastRate};
pub(crate) use breaker::Down;
pub(crate) use call::{Fetched, Validator};
pub(crate) use error::{Error, observed};
pub(crate) use tally::{Counts, LaneCounts};

pub(super) use call::{Answer, Call, Retry};
pub(super) use error::{RawText, clean};
pub(super) use far::{encode_path, encode_query};
pub(super) use judge::{http_date, signals, text as header_text};

/// Repetitions of a repeatable call whose connection failed or whose server stumbled.
const MOST_REPEATS: u32 = 2;

/// Pauses and quotas as they are now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Lanes that are held, and for how long still.
    pub(crate) paused: Vec<(Lane, Duration)>,
    /// Remaining quotas by resource, as the last answers told them.
    pub(crate) quotas: Vec<Quota>,
    /// GraphQL points that our queries have cost since the start.
    pub(crate) points_used: u64,
}

pub(super) struct Http {
    far: Far,
    clients: Clients,
    budget: Mutex<Budget>,
    breaker: Mutex<Breaker>,
    /// Counts the hosts that were given up.
    downs: watch::Sender<u64>,
    slots: [Arc<Semaphore>; Lane::ALL.len()],
    tally: Arc<Tally>,
    token: Option<Token>,
    /// The API, and the web host with its git, answered 401 to the token.
    refused: [AtomicBool; 2],
    agent: HeaderValue,
    git_agent: HeaderValue,
    backoff: Duration,
    silence: Duration,
    least_rate: LeastRate,
    started: Instant,
    /// The time that the API last reported, and the moment when it arrived.
    api_time: Mutex<Option<(Timestamp, Instant)>>,
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("far", &self.far).finish_non_exhaustive()
    }
}

/// A request's place among those that may be under way at once.
#[derive(Debug)]
struct Flight {
    tally: Arc<Tally>,
    lane: Lane,
    _place: OwnedSemaphorePermit,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.tally.of(self.lane).left();
    }
}

/// A request that is under way to a host.
struct Crossed<'a> {
    http: &'a Http,
    host: String,
    lane: Lane,
    single: bool,
    since: Duration,
    is_reported: bool,
}

impl Drop for Crossed<'_> {
    fn drop(&mut self) {
        // A time-out ends the request from without.
        let after = timeout(self.lane);
        if !self.is_reported && self.http.now().saturating_sub(self.since) > after / 2 {
            self.tell(&RawError::TimedOut { after });
        }
        self.http.breaker().left(&self.host, self.lane, self.single);
    }
}

impl Crossed<'_> {
    fn answered(mut self) {
        self.is_reported = true;
        self.http.breaker().answered(&self.host, self.lane);
    }

    fn failed(mut self, error: &RawError) {
        self.is_reported = true;
        self.tell(error);
    }

    fn tell(&self, error: &RawError) {
        let has_answered =
            matches!(error, RawError::Status { .. } | RawError::RateLimited { .. } | RawError::Protocol(_));
        let why = error.clone().scrubbed(self.http.secrets()).text();
        let failed = Failed { has_answered, single: self.single, why };
        let now = self.http.now();
        if self.http.breaker().failed(&self.host, self.lane, &failed, now) {
            self.http.downs.send_modify(|downs| *downs += 1);
        }
    }
}

/// The attempts of one call so far.
#[derive(Debug, Default)]
struct Attempts {
    repeats: u32,
    sat_out: bool,
}

impl Http {
    pub(super) fn new(options: RemoteOptions) -> Result<Self, Error> {
        let RemoteOptions { endpoints, pace, token, ca_pem, version, patience, hold, silence, least_rate } =
            options;
        // These errors come from our settings, so no server could have put the token into them.
        let ours = |error: RawError| error.scrubbed(None);
        let far = Far::new(&endpoints).map_err(ours)?;
        let clients = Clients::new(ca_pem.as_deref(), &far).map_err(ours)?;
        let agent = |text: String| {
            HeaderValue::try_from(text).map_err(|_| Error::unreadable("the version is not header text"))
        };
        Ok(Self {
            clients,
            budget: Mutex::new(Budget::new(pace, patience, hold)),
            breaker: Mutex::new(Breaker::new(pace.backoff)),
            downs: watch::Sender::default(),
            slots: Lane::ALL.map(|lane| Arc::new(Semaphore::new(pace.of(lane).at_once.max(1)))),
            tally: Arc::default(),
            token: token.as_ref().map(Token::new).transpose()?,
            refused: Default::default(),
            agent: agent(format!("bumpdesk/{version}"))?,
            git_agent: agent(format!("git/2.0 (bumpdesk/{version})"))?,
            backoff: pace.backoff,
            silence,
            least_rate,
            started: Instant::now(),
            api_time: Mutex::default(),
            far,
        })
    }

    /// The canonical form of an absolute URL from an answer of the API.
    pub(super) fn canonical_api(&self, url: &str) -> String {
        self.far.canonical(url, Some(Side::Api))
    }

    /// Makes the call and reads its answer whole.
    pub(super) async fn call(&self, call: &Call<'_>) -> Result<Answer, Error> {
        let mut attempts = Attempts::default();
        loop {
            match self.once(call).await {
                Ok(answer) => return Ok(answer),
                Err(error) => self.before_another(call, error, &mut attempts).await?,
            }
        }
    }

    /// Makes the call and hands its body out in pieces. Nothing is repeated once the body has begun.
    pub(super) async fn open(&self, call: &Call<'_>) -> Result<Download, Error> {
        let mut attempts = Attempts::default();
        loop {
            match self.opened(call).await {
                Ok(download) => return Ok(download),
                Err(error) => self.before_another(call, error, &mut attempts).await?,
            }
        }
    }

    async fn opened(&self, call: &Call<'_>) -> Result<Download, RawError> {
        let flight = self.enter(call.lane, call.resource).await?;
        let (opened, crossed) = Box::pin(self.within(call.lane, self.exchange(call))).await?;
        if is_page(opened.response.headers()) {
            crossed.failed(&page_instead());
        } else {
            crossed.answered();
        }
        let secrets = self.token.as_ref().map(|token| Arc::clone(&token.secrets));
        Download::new(opened, flight, call.limit_bytes, (self.silence, self.least_rate), secrets)
    }

    /// Waits until the call may be repeated, or returns the error without the token if it may not.
    async fn before_another(
        &self,
        call: &Call<'_>,
        error: RawError,
        attempts: &mut Attempts,
    ) -> Result<(), Error> {
        if !attempts.sat_out && self.sits_out(call, &error) {
            // Entering again waits for the pause to end.
            attempts.sat_out = true;
        } else if attempts.repeats < MOST_REPEATS && call.is_repeatable(&error) {
            tokio::time::sleep(self.backoff * 4_u32.pow(attempts.repeats)).await;
            attempts.repeats += 1;
        } else {
            return Err(error.scrubbed(self.secrets()));
        }
        Ok(())
    }

    /// Learns of a limit from a body, as GraphQL reports it, and returns the error for it.
    pub(super) fn limited(&self, lane: Lane, signals: &Signals) -> Error {
        let signals = Signals { throttled: true, ..signals.clone() };
        let Limit { wait, reset_epoch_s } = self.learn(lane, &signals).unwrap_or_default();
        Error::RateLimited { retry_after: wait, reset_epoch_s }
    }

    /// Reads a body of JSON.
    pub(super) fn json<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T, Error> {
        serde_json::from_slice(body).map_err(|error| self.unreadable(error.to_string()))
    }

    /// The error for an answer in the wrong form, with words that may be the server's.
    pub(super) fn unreadable(&self, text: impl Into<RawText>) -> Error {
        Error::Protocol(self.scrub(text))
    }

    /// Removes the token from a server's words.
    pub(super) fn scrub(&self, text: impl Into<RawText>) -> CleanText {
        CleanText::scrubbed(text.into(), self.secrets())
    }

    async fn once(&self, call: &Call<'_>) -> Result<Answer, RawError> {
        let _flight = self.enter(call.lane, call.resource).await?;
        // In a box: a survey has hundreds of calls that wait for their turn, and this is nearly all of a call's size.
        let whole = Box::pin(self.within(call.lane, async {
            let (mut opened, crossed) = self.exchange(call).await?;
            let body = body::read(&mut opened, call.limit_bytes, self.secrets()).await;
            match &body {
                Err(error @ RawError::Transport(_)) => crossed.failed(error),
                Ok(body) if is_page(opened.response.headers()) && body::begins_as_page(body) => {
                    crossed.failed(&page_instead());
                }
                _ => crossed.answered(),
            }
            match &body {
                Ok(body) => self.tally.of(call.lane).bytes(body.len()),
                Err(_) => self.tally.of(call.lane).failed(),
            }
            let headers = std::mem::take(opened.response.headers_mut());
            Ok(Answer { status: opened.status, headers, url: opened.url, body: body? })
        }));
        whole.await
    }

    /// The lane's own time-out around all hops of one attempt.
    async fn within<T>(
        &self,
        lane: Lane,
        attempt: impl Future<Output = Result<T, RawError>>,
    ) -> Result<T, RawError> {
        within(timeout(lane), attempt).await.inspect_err(|error| {
            if matches!(error, RawError::TimedOut { .. }) {
                self.tally.of(lane).failed();
            }
        })
    }

    /// Waits for a place and a start on the lane.
    async fn enter(&self, lane: Lane, resource: Option<&str>) -> Result<Flight, RawError> {
        let place = Arc::clone(&self.slots[lane as usize]).acquire_owned().await;
        let place = place.map_err(|_| RawError::Transport("the lane is closed".into()))?;
        let mut ticket = Ticket::default();
        loop {
            let decision = self.budget().ask(lane, resource, &mut ticket, self.now());
            match decision {
                Decision::Go => break,
                Decision::Wait(wait) => tokio::time::sleep(wait).await,
                Decision::GiveUp(Limit { wait, reset_epoch_s }) => {
                    return Err(RawError::RateLimited { retry_after: wait, reset_epoch_s });
                }
            }
        }
        self.tally.of(lane).entered();
        Ok(Flight { tally: Arc::clone(&self.tally), lane, _place: place })
    }

    /// Waits until the host may be asked.
    async fn cross(&self, host: String, lane: Lane) -> Result<Crossed<'_>, RawError> {
        loop {
            let crossing = self.breaker().ask(&host, lane, self.now());
            match crossing {
                Crossing::Go { single } => {
                    let since = self.now();
                    return Ok(Crossed { http: self, host, lane, single, since, is_reported: false });
                }
                Crossing::Wait(wait) => tokio::time::sleep(wait).await,
                Crossing::Down(down) => return Err(RawError::Down(down.why.into())),
            }
        }
    }

    fn breaker(&self) -> MutexGuard<'_, Breaker> {
        self.breaker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sits_out(&self, call: &Call<'_>, error: &RawError) -> bool {
        match error {
            RawError::RateLimited { retry_after, .. } => {
                call.retry != Retry::Never && self.budget().sits_out(*retry_after)
            }
            _ => false,
        }
    }

    fn learn(&self, lane: Lane, signals: &Signals) -> Option<Limit> {
        self.budget().learn(lane, signals, self.now())
    }

    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn secrets(&self) -> Option<&Secrets> {
        self.token.as_ref().map(|token| &*token.secrets)
    }
}

impl Remote {
    /// The pauses, the quotas and the used points.
    pub(crate) fn rate(&self) -> Rate {
        let now = self.http.now();
        let budget = self.http.budget();
        let paused = Lane::ALL.into_iter().filter_map(|lane| Some((lane, budget.paused(lane, now)?)));
        let points_used = self.points.load(Ordering::Relaxed);
        Rate { paused: paused.collect(), quotas: budget.quotas(), points_used }
    }

    /// Returns true if this is the host of git and feeds.
    pub(crate) fn is_web(&self, host: &str) -> bool {
        let web = self.http.far.resolve("https://github.com/", None);
        web.is_ok_and(|target| exchange::host(&target.url) == host)
    }

    /// The hosts that are given up until they answer.
    pub(crate) fn down(&self) -> Vec<Down> {
        self.http.breaker().down()
    }

    /// Changes whenever a host is given up.
    pub(crate) fn downs(&self) -> watch::Receiver<u64> {
        self.http.downs.subscribe()
    }

    /// The API's current time in whole seconds, computed from its last answer; `None` before the first answer.
    pub(crate) fn api_time(&self) -> Option<Timestamp> {
        let (time, received_at) = (*self.http.api_time.lock().unwrap_or_else(PoisonError::into_inner))?;
        time.checked_add(received_at.elapsed()).ok()
    }

    /// The number of requests and bytes since the start.
    pub(crate) fn counts(&self) -> Counts {
        self.http.tally.counts()
    }

    /// Returns true if there is a token. Without one there is no GraphQL.
    pub(crate) fn has_token(&self) -> bool {
        self.http.token.is_some()
    }

    /// Returns true if a server answered 401 to the token: it is wrong or has ended.
    pub(crate) fn is_token_refused(&self) -> bool {
        self.http.refused.iter().any(|refused| refused.load(Ordering::Relaxed))
    }

    /// The error for an answer in the wrong form, with words that may be the server's, such as a path.
    pub(crate) fn unreadable(&self, text: impl Into<RawText>) -> Error {
        self.http.unreadable(text)
    }
}

/// Returns true if the answer is declared as an HTML page. No lane asks for one, so it comes from a proxy or a login
/// page and does not count as an answer.
fn is_page(headers: &HeaderMap) -> bool {
    let media = header_text(headers, "content-type").unwrap_or_default();
    media.trim_start().to_ascii_lowercase().starts_with("text/html")
}

fn page_instead() -> RawError {
    RawError::protocol("it answers with an HTML page")
}

/// The longest time of a lane's calls as a whole; for a download, until its head is there.
fn timeout(lane: Lane) -> Duration {
    match lane {
        Lane::Git | Lane::Asset => Duration::from_mins(1),
        // GitHub itself cuts API requests off after 10 s.
        Lane::Feed | Lane::Api | Lane::Served => Duration::from_secs(30),
    }
}

async fn within<T>(
    after: Duration,
    future: impl Future<Output = Result<T, RawError>>,
) -> Result<T, RawError> {
    tokio::time::timeout(after, future).await.unwrap_or(Err(RawError::TimedOut { after }))
}
