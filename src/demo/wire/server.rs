//! The running world: listens on loopback, answers, waits where latency or a fault says so, and keeps the record.
//!
//! `bumpdesk demo` and tests start it; it ends with `stop`, or with the runtime.

#![expect(
    clippy::disallowed_methods,
    reason = "the demo world writes what its clients need to find and trust it; it shares nothing with `store`"
)]

use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::response::Response;
use axum::serve::{Listener, ListenerExt};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::fault::{Fault, FaultKind, Lane};
use crate::forge::actions::{Actions, Artifact, Assignment};
use crate::forge::colleague;
use crate::machine::{self, Ground};
use crate::wire::answer::{Frame, answer, look_at_pull, may_write, write};
use crate::wire::call::{Call, Host, Reply};
use crate::wire::exchange::{Exchange, Record};
use crate::wire::quota::{Quota, Resource};
use crate::wire::tally::{Counts, Leaving, Tally};
use crate::wire::terms::{Addresses, Options};
use crate::wire::{relay, tls, trouble};
use crate::world::World;

struct Shared {
    world: RwLock<World>,
    options: Options,
    addresses: Addresses,
    quota: Quota,
    record: Mutex<Record>,
    tally: Tally,
    /// Jobs of Actions that run.
    jobs: Mutex<JoinSet<()>>,
    /// Something was written: whoever runs a job looks whether it still is to run.
    written: Notify,
    /// The moment at which the world's clock was last set, if the clock runs.
    ticked: Mutex<Instant>,
}

/// A world that is being served.
pub struct Server {
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Server {
    /// Listens on loopback and begins to answer. Needs a tokio runtime with time and net.
    ///
    /// # Errors
    /// A port is taken, the certificate cannot be made, or a file for clients not be written.
    pub async fn start(world: World, options: Options) -> io::Result<Self> {
        let identity = if options.tls { Some(tls::identity()?) } else { None };
        let mut listeners = Vec::new();
        for (index, host) in Host::ALL.into_iter().enumerate() {
            let port = options.port_base.map_or(0, |base| base.saturating_add(index as u16));
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| {
                io::Error::new(error.kind(), format!("cannot listen on port {port}: {error}"))
            })?;
            listeners.push((host, listener));
        }
        let mut addresses = addresses(&listeners, options.tls)?;
        if let Some(identity) = &identity {
            addresses.ca_pem = Some(identity.ca_pem.clone());
            if let Some(path) = &options.ca_file {
                std::fs::write(path, &identity.ca_pem)?;
                addresses.ca_file = Some(path.clone());
            }
        }
        if let Some(path) = &options.cli_config_file {
            std::fs::write(path, addresses.cli_config())?;
            addresses.cli_config_file = Some(path.clone());
        }
        let record = Mutex::new(Record::new(options.record));
        let shared = Arc::new(Shared {
            world: RwLock::new(world),
            options,
            addresses,
            quota: Quota::default(),
            record,
            tally: Tally::default(),
            jobs: Mutex::default(),
            written: Notify::new(),
            ticked: Mutex::new(Instant::now()),
        });
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        for (host, listener) in listeners {
            if let Some(identity) = &identity {
                let listener = tls::TlsListener::new(listener, identity.acceptor.clone())?;
                tasks.spawn(serve(listener, shared.clone(), host, stopped.clone()));
            } else {
                let listener = listener.tap_io(|io| {
                    let _ = io.set_nodelay(true);
                });
                tasks.spawn(serve(listener, shared.clone(), host, stopped.clone()));
            }
        }
        Ok(Self { shared, stop, tasks })
    }

    pub fn addresses(&self) -> &Addresses {
        &self.shared.addresses
    }

    /// Changes the world while it runs; the next answers follow.
    pub fn edit<T>(&self, change: impl FnOnce(&mut World) -> T) -> T {
        self.shared.tick();
        change(&mut self.shared.world.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at the world.
    pub fn look<T>(&self, look: impl FnOnce(&World) -> T) -> T {
        look(&self.shared.world.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was asked and answered since the start or the last `forget`, oldest first.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.shared.record.lock().unwrap_or_else(PoisonError::into_inner).list()
    }

    /// Counts of requests since the start or the last `forget`.
    pub fn counts(&self) -> Counts {
        self.shared.tally.counts()
    }

    /// Empties record and counts.
    pub fn forget(&self) {
        self.shared.record.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.shared.tally.clear();
    }

    /// Closes the listeners and waits a moment for what is under way.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(Duration::from_secs(1), all).await.is_err() {
            self.tasks.abort_all();
        }
        // What a job started ends with it.
        let jobs = std::mem::take(&mut *self.shared.jobs.lock().unwrap_or_else(PoisonError::into_inner));
        { jobs }.shutdown().await;
    }
}

fn addresses(listeners: &[(Host, TcpListener)], tls: bool) -> io::Result<Addresses> {
    let scheme = if tls { "https" } else { "http" };
    let mut addresses = Addresses::default();
    for (host, listener) in listeners {
        let base = format!("{scheme}://{}", listener.local_addr()?);
        match host {
            Host::Api => {
                addresses.graphql = format!("{base}/graphql");
                addresses.api = base;
            }
            Host::Web => addresses.web = base,
            Host::Object => addresses.object = base,
            Host::Served => addresses.served = base,
            Host::Search => addresses.search = base,
        }
    }
    Ok(addresses)
}

async fn serve<L>(listener: L, shared: Arc<Shared>, host: Host, mut stopped: watch::Receiver<bool>)
where
    L: Listener,
    L::Addr: std::fmt::Debug,
{
    let service = entry.with_state((shared, host)).into_make_service();
    let stop = async move {
        let _ = stopped.wait_for(|stop| *stop).await;
    };
    let _ = axum::serve(listener, service).with_graceful_shutdown(stop).await;
}

/// The largest request body that is read: a commit of forty MiB in base64.
const MOST_BODY: usize = 64 << 20;

async fn entry(State((shared, host)): State<(Arc<Shared>, Host)>, request: Request) -> Response {
    let tally = &shared.tally;
    let _leaving: Leaving<'_> = tally.enter();
    let (parts, body) = request.into_parts();
    let body = if parts.method == http::Method::GET {
        Bytes::new()
    } else {
        match axum::body::to_bytes(body, MOST_BODY).await {
            Ok(body) => body,
            Err(_) => return response(Reply::text(413, "the request's body is too large for this world")),
        }
    };
    let call = Call {
        host,
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or("").to_owned(),
        headers: parts.headers,
        body,
    };
    let reply = shared.reply(call).await;
    take_jobs(&shared);
    response(reply)
}

/// Lets the machine take the jobs of Actions whose turn has come.
fn take_jobs(shared: &Arc<Shared>) {
    // Most worlds have none.
    if shared.read().forge.actions.is_idle() {
        return;
    }
    let machine = shared.options.machine.clone();
    let mut world = shared.world.write().unwrap_or_else(PoisonError::into_inner);
    let now = world.now;
    let taken = world.forge.actions.take(now, machine.is_some());
    let Some(machine) = machine else { return };
    let mut jobs = shared.jobs.lock().unwrap_or_else(PoisonError::into_inner);
    for Assignment { run, job, head, steps } in taken {
        let ground = Ground {
            machine: machine.clone(),
            addresses: shared.addresses.clone(),
            now,
            objects: world.forge.objects.clone(),
            head,
        };
        let seat = Seat { shared: Arc::clone(shared), run, job };
        jobs.spawn(async move {
            let is_good = machine::carry_out(&ground, &steps, &seat).await;
            let now = seat.shared.read().now;
            seat.edit(|actions| actions.end((run, job), now, is_good));
            // Whoever waited for it follows.
            take_jobs(&seat.shared);
        });
    }
}

/// A job that runs, and the world that it belongs to.
struct Seat {
    shared: Arc<Shared>,
    run: u64,
    job: u64,
}

impl Seat {
    fn edit<T>(&self, change: impl FnOnce(&mut Actions) -> T) -> T {
        let mut world = self.shared.world.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut world.forge.actions)
    }
}

impl machine::Site for Seat {
    fn say(&self, line: &str) -> bool {
        let now = self.shared.read().now;
        self.edit(|actions| actions.say((self.run, self.job), now, line))
    }

    fn keep(&self, name: String, zip: Vec<u8>, overwrite: bool) -> bool {
        let now = self.shared.read().now;
        self.edit(|actions| actions.keep(self.run, (name, zip.into()), overwrite, now))
    }

    fn artifacts(&self, pattern: &str) -> Vec<Artifact> {
        self.shared.read().forge.actions.artifacts(self.run, pattern)
    }

    async fn cancelled(&self) {
        loop {
            let written = self.shared.written.notified();
            if !self.shared.read().forge.actions.is_running(self.run, self.job) {
                return;
            }
            written.await;
        }
    }
}

impl Shared {
    fn read(&self) -> RwLockReadGuard<'_, World> {
        self.world.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a running clock to the current moment of the world.
    fn tick(&self) {
        if !self.options.clock_runs {
            return;
        }
        let mut ticked = self.ticked.lock().unwrap_or_else(PoisonError::into_inner);
        // Whole milliseconds, because GitHub's timestamps have no more digits.
        let passed = Duration::from_millis(u64::try_from(ticked.elapsed().as_millis()).unwrap_or(u64::MAX));
        *ticked += passed;
        let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
        world.now = world.now.checked_add(passed).unwrap_or(world.now);
    }

    async fn reply(&self, call: Call) -> Reply {
        self.tick();
        let (lane, repository) = call.lane();
        self.tally.count(lane);
        let (fault, latency) = self.strike((lane, may_write(&call)), repository.as_deref(), &call.path);
        let slow = match fault.as_ref().map(|fault| &fault.kind) {
            Some(FaultKind::Slow(length)) => *length,
            _ => Duration::ZERO,
        };
        let wait = latency + slow;
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        let instead = fault.as_ref().and_then(|fault| trouble::instead(fault, lane, &call));
        let by_fault = fault.as_ref().is_some_and(|fault| !matches!(fault.kind, FaultKind::Slow(_)));
        let reply = if let Some(reply) = instead {
            self.marked(lane, &call, reply)
        } else {
            let answered_call = match fault.as_ref().map(|fault| &fault.kind) {
                Some(FaultKind::Other(path)) => Call { path: path.clone(), ..call.clone() },
                _ => call.clone(),
            };
            let right = self.relayed(lane, &answered_call, self.right_answer(&answered_call)).await;
            if let Some(FaultKind::Withhold(length)) = fault.as_ref().map(|fault| &fault.kind) {
                tokio::time::sleep(*length).await;
            }
            match &fault {
                Some(fault) => trouble::damage(fault, lane, right),
                None => right,
            }
        };
        self.note(lane, &call, &reply, by_fault);
        self.dated(reply)
    }

    /// The fault that strikes this request, and the world's latency.
    fn strike(
        &self,
        (lane, changes): (Lane, bool),
        repository: Option<&str>,
        path: &str,
    ) -> (Option<Fault>, Duration) {
        let world = self.world.read().unwrap_or_else(PoisonError::into_inner);
        let fits = |fault: &&Fault| {
            (changes || !fault.changes_only)
                && fault.matches(lane, repository, path, world.now)
                && fault.strike()
        };
        let latency = self.options.latency.unwrap_or(Duration::from_millis(world.limits.latency_ms));
        (world.faults.iter().find(fits).cloned(), latency)
    }

    fn right_answer(&self, call: &Call) -> Reply {
        let frame = Frame { options: &self.options, addresses: &self.addresses, quota: &self.quota };
        if may_write(call) {
            let reply = write(&mut self.world.write().unwrap_or_else(PoisonError::into_inner), frame, call);
            self.written.notify_waiters();
            return reply;
        }
        if call.host == Host::Api && call.path.contains("/actions/runs") {
            let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
            world.forge.actions.looked_at();
        }
        if let Some(number) = look_at_pull(call) {
            colleague::looked_at(&mut self.world.write().unwrap_or_else(PoisonError::into_inner), number);
        }
        if call.host == Host::Object && self.read().forge.merged_meanwhile.is_some() {
            let mut world = self.world.write().unwrap_or_else(PoisonError::into_inner);
            let now = world.now;
            if let Some((number, by)) = world.forge.merged_meanwhile.take() {
                // One that conflicts waits.
                let _ = world.forge.merge(now, number, &by);
            }
        }
        answer(&frame.site(&self.world.read().unwrap_or_else(PoisonError::into_inner)), call)
    }

    /// Lets another server answer git in place of a right answer of ours.
    async fn relayed(&self, lane: Lane, call: &Call, right: Reply) -> Reply {
        match &self.options.git_from {
            Some(base) if lane == Lane::Git && right.status == 200 => relay::git(base, call)
                .await
                .unwrap_or_else(|error| Reply::text(502, format!("the other git server failed: {error}"))),
            _ => right,
        }
    }

    /// The rate-limit headers that stand on every answer of the API, faults included.
    fn marked(&self, lane: Lane, call: &Call, reply: Reply) -> Reply {
        let resource = match lane {
            Lane::Graphql => Resource::Graphql,
            Lane::Rest if call.token().is_some() => Resource::Core,
            Lane::Rest => Resource::Anonymous,
            _ => return reply,
        };
        let world = self.world.read().unwrap_or_else(PoisonError::into_inner);
        let spent = self.quota.spend(resource, resource.limit(&world.limits), world.now, 0);
        spent.unwrap_or_else(|usage| usage).mark(reply)
    }

    /// Adds the world's time to a reply if the world's clock runs; otherwise the reply keeps the machine's time.
    fn dated(&self, reply: Reply) -> Reply {
        if !self.options.clock_runs {
            return reply;
        }
        let printer = jiff::fmt::rfc2822::DateTimePrinter::new();
        match printer.timestamp_to_rfc9110_string(&self.read().now) {
            Ok(date) => reply.with("date", date),
            Err(_) => reply,
        }
    }

    fn note(&self, lane: Lane, call: &Call, reply: &Reply, fault: bool) {
        self.tally.answered(reply.status, fault);
        if self.options.record > 0 {
            let exchange = Exchange::new(lane, call, reply, fault);
            self.record.lock().unwrap_or_else(PoisonError::into_inner).push(exchange);
        }
    }
}

fn response(reply: Reply) -> Response {
    let length = reply.body.len();
    let body = match reply.broken_after {
        None => Body::from(reply.body),
        Some(bytes) => {
            let broken =
                io::Error::new(io::ErrorKind::ConnectionReset, "the world broke the connection here");
            let end = futures_util::stream::once(async move {
                // Meanwhile what was written goes out; else it would be lost with the connection.
                if bytes > 0 {
                    tokio::task::yield_now().await;
                }
                Err(broken)
            });
            Body::from_stream(futures_util::stream::iter([Ok(reply.body.slice(..bytes))]).chain(end))
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() =
        http::StatusCode::from_u16(reply.status).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
    *response.headers_mut() = reply.headers;
    if reply.broken_after.is_some() {
        // A fault may have declared another one.
        let declared = response.headers_mut().entry(http::header::CONTENT_LENGTH);
        declared.or_insert(http::HeaderValue::from(length));
    }
    response
}
