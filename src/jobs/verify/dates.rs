//! When versions were indexed, by the registry's own log, for rows that are explained by it. A search of the log takes a good
//! part of a second, so it runs beside the downloads, and once for each version.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use tokio::sync::OnceCell;

use crate::jobs::session::Session;
use crate::registry::Address;
use crate::rules::verify::{Row, State};

type Search = Arc<OnceCell<Option<Timestamp>>>;

/// The searches of one run.
pub(super) struct Dates {
    session: Arc<Session>,
    searches: Mutex<BTreeMap<(Address, String), Search>>,
}

impl Dates {
    pub(super) fn new(session: &Arc<Session>) -> Self {
        Self { session: Arc::clone(session), searches: Mutex::default() }
    }

    /// Puts the time into a row that does not match and has none.
    pub(super) async fn put_into(&self, row: &mut Row) {
        if row.times.indexed_at.is_some() || row.state() != State::Mismatch {
            return;
        }
        let version = (row.address.clone(), row.version.clone());
        let search = {
            let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(searches.entry(version.clone()).or_default())
        };
        let at = search.get_or_init(|| self.search(version)).await;
        if let Some(at) = *at {
            row.times.indexed_at = Some(at);
            "commit".clone_into(&mut row.times.indexed_by);
        }
    }

    async fn search(&self, (address, version): (Address, String)) -> Option<Timestamp> {
        let session = Arc::clone(&self.session);
        let search = move || session.checkout.version_added_at(&address.path(), &version).ok().flatten();
        tokio::task::spawn_blocking(search)
            .await
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }
}
