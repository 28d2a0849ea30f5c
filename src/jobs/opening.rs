//! Opening the registry: its files, the end of its history, and what earlier runs left. It is read once, and again after files of
//! it were written.

use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent};
use crate::jobs::lint::recall;
use crate::jobs::publish::half_done;
use crate::jobs::session::{Session, gone};
use crate::registry::{Blacklist, Decision, SHAPE_FORMAT, Shape, short_id};
use crate::store::{Checkout, Early, Extent, load_catalog, load_early};

/// The beginning and the end of the names of index files.
pub(super) const INDEX_NAMES: (&str, &str) = ("index-", ".bin");

impl Env {
    /// The opened registry; read at the first call.
    ///
    /// # Errors
    /// There is no registry, or it cannot be read.
    pub(crate) async fn session(self: &Arc<Self>) -> Result<Arc<Session>, Failure> {
        let mut slot = self.session.lock().await;
        if let Some(session) = &*slot {
            return Ok(Arc::clone(session));
        }
        let session = Session::open(self).await?;
        *slot = Some(Arc::clone(&session));
        Ok(session)
    }

    /// Forgets the opened registry, since files of it were written: the next job reads it again.
    pub(crate) async fn close_session(&self) {
        *self.session.lock().await = None;
    }

    /// Opens the registry again with the decisions that were made since.
    pub(crate) async fn redecide(self: &Arc<Self>) -> Result<Arc<Session>, Failure> {
        let session = self.session().await?;
        let session = Arc::new(session.deciding(decisions(self)));
        *self.session.lock().await = Some(Arc::clone(&session));
        Ok(session)
    }

    /// Reads the registry again.
    ///
    /// # Errors
    /// There is no registry, or it cannot be read.
    pub(crate) async fn reload(self: &Arc<Self>) -> Result<Arc<Session>, Failure> {
        let session = Session::open(self).await?;
        *self.session.lock().await = Some(Arc::clone(&session));
        Ok(session)
    }
}

impl Session {
    async fn open(env: &Arc<Env>) -> Result<Arc<Self>, Failure> {
        let env = Arc::clone(env);
        let read = tokio::task::spawn_blocking(move || Self::read(&env));
        let session = read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?;
        Ok(Arc::new(session))
    }

    /// The registry before each of its files was looked at, and if more than their names is known. `None` if it cannot be read
    /// that way. `beside`: other reading that a start needs, done at the same time.
    pub(crate) async fn early<T: Send + 'static>(
        env: &Arc<Env>,
        beside: impl FnOnce(&Env, &Checkout) -> T + Send + 'static,
    ) -> Option<(Arc<Self>, bool, T)> {
        let env = Arc::clone(env);
        let read = tokio::task::spawn_blocking(move || {
            let path = env.registry.as_ref()?;
            let checkout = Checkout::open(path, env.reference.as_deref()).ok()?;
            let cache_file = env.cache_file(checkout.root(), INDEX_NAMES, "");
            let (loaded, beside) = std::thread::scope(|scope| {
                let beside = scope.spawn(|| beside(&env, &checkout));
                let loaded = load_early(&checkout, &cache_file, SHAPE_FORMAT, &Shape::parse);
                (loaded, beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            });
            let (mut catalog, is_read) = match loaded? {
                Early::Read(catalog) => (catalog, true),
                Early::Named(catalog) => (catalog, false),
            };
            recall(&env, checkout.root(), &mut catalog.rows);
            let blacklist = read_blacklist(&checkout);
            let session = Self::new(checkout, catalog, blacklist, decisions(&env));
            Some((Arc::new(session), is_read, beside))
        });
        read.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }

    fn read(env: &Env) -> Result<Self, Failure> {
        let Some(path) = &env.registry else { return Err(no_registry()) };
        let fail = |error: crate::store::Error| {
            Failure::new(FailureKind::Usage, format!("opening the registry `{}`", path.display()))
                .cause(error.to_string())
                .hint("Name a registry checkout with --registry, or try `bumpdesk demo`.")
        };
        let checkout = Checkout::open(path, env.reference.as_deref()).map_err(fail)?;
        let cache_file = env.cache_file(checkout.root(), INDEX_NAMES, "");
        // Git takes as long to start as the index takes to load: they go side by side.
        let (loaded, (revision, last_bump)) = std::thread::scope(|scope| {
            let history = scope.spawn(|| history(&checkout));
            let loaded =
                load_catalog(&checkout, &cache_file, SHAPE_FORMAT, Extent::Everything, &Shape::parse);
            (loaded, history.join().unwrap_or_default())
        });
        let mut loaded = loaded.map_err(fail)?;
        if let Some(failure) = gone(&checkout) {
            return Err(failure);
        }
        recall(env, checkout.root(), &mut loaded.catalog.rows);
        let (blacklist, blacklist_error) = read_blacklist(&checkout);
        let mut notices: Vec<String> = env.state_notice.iter().cloned().collect();
        notices.extend(loaded.notice);
        notices.extend(blacklist_error.clone());
        let unreadable = loaded
            .unreadable
            .iter()
            .take(3)
            .map(|at| format!("`{}` {}; nothing in it is listed until that is fixed", at.path, at.why));
        notices.extend(unreadable);
        notices.extend(lost(&loaded.missing));
        let half_done = half_done(env);
        notices.extend(half_done.unreadable.iter().cloned());
        let mut session = Self::new(checkout, loaded.catalog, (blacklist, blacklist_error), decisions(env));
        (session.notices, session.half_done) = (notices, half_done);
        (session.revision, session.last_bump) = (revision, last_bump);
        Ok(session)
    }

    /// Sends the notices that a list would show first, unless they were sent already: a job may be all that a command runs.
    pub(crate) fn tell_notices(&self, env: &Env, context: &Context) {
        if env.takes_notice() {
            for notice in self.notices.iter().chain(&self.half_done.words) {
                context.send(JobEvent::Note(notice.clone()));
            }
        }
    }
}

/// The decisions of this maintainer, as far as they can be read.
fn decisions(env: &Env) -> Vec<Decision> {
    env.state().as_ref().and_then(|state| state.decisions(&env.world).ok()).unwrap_or_default()
}

/// The checked-out commit's name and the time of the last automatic bump. A fault in the history is not worth failing for.
fn history(checkout: &Checkout) -> (String, Option<Timestamp>) {
    let head = checkout.head().ok().flatten();
    let revision = head.map_or_else(String::new, |head| {
        let short = short_id(&head.commit);
        head.branch.as_ref().map_or_else(|| short.to_owned(), |branch| format!("{branch}@{short}"))
    });
    (revision, checkout.bump_commit_time().ok().flatten())
}

/// The note about files that git tracks and the disk lacks: those entries are not in the list.
fn lost(missing: &[String]) -> Option<String> {
    let first = missing.first()?;
    let more = if missing.len() > 1 { format!(" (and {} more)", missing.len() - 1) } else { String::new() };
    Some(format!(
        "`{first}`{more} is in git's index and not on disk, so it is not listed; `git checkout -- providers modules` brings back what was not removed on purpose"
    ))
}

fn read_blacklist(checkout: &Checkout) -> (Blacklist, Option<String>) {
    let read = match checkout.blacklist() {
        Ok(None) => return (Blacklist::default(), None),
        Ok(Some(bytes)) => Blacklist::parse(&bytes).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match read {
        Ok(list) => (list, None),
        Err(error) => (Blacklist::default(), Some(error)),
    }
}

fn no_registry() -> Failure {
    Failure::new(FailureKind::Usage, "looking for a registry")
        .cause("there is no `providers` or `modules` folder here or above, and none was named")
        .hint("Name a checkout with --registry PATH, get one with `bumpdesk clone`, or try `bumpdesk demo`.")
}
