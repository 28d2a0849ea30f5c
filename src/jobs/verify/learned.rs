//! Facts from a verification that statuses are judged by: which zips are upstream today. They are kept with the facts of
//! surveys, so that DRIFT can distinguish its cases; and the verdicts of the entries are judged again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::data::{Judgement, Scope};
use crate::jobs::judging::judge_row;
use crate::jobs::session::Session;
use crate::registry::{Address, Repository, Row, SeenZip};
use crate::rules::verify::{Computed, Zip};
use crate::rules::{Depth, forget, verify};
use crate::store::StoredFacts;

/// Zips that this run hashed.
#[derive(Debug, Default)]
pub(super) struct Learned {
    by_entry: BTreeMap<Address, Vec<Lesson>>,
}

#[derive(Debug)]
struct Lesson {
    tag: Box<str>,
    filename: Box<str>,
    zip: SeenZip,
}

impl Learned {
    /// Collects the facts about archives that were hashed, in this run or in the one that it continues.
    pub(super) fn of(rows: &[verify::Row]) -> Self {
        let mut learned = Self::default();
        for row in rows {
            learned.note(row);
        }
        learned
    }

    fn note(&mut self, row: &verify::Row) {
        let Zip::Hashed(Computed { sha256, h1, size_bytes, hashed_at: Some(at), .. }) = &row.zip else {
            return;
        };
        // The raw tag, as `indexed_tag` has it, is the folder of the file.
        let tag = row.url.split_once("/releases/download/").and_then(|(_, rest)| rest.rsplit_once('/'));
        let Some((tag, _)) = tag else { return };
        let zip = SeenZip {
            sha256: sha256.as_str().into(),
            h1: h1.as_deref().unwrap_or_default().into(),
            size_bytes: *size_bytes,
            at: *at,
        };
        let lesson = Lesson { tag: tag.into(), filename: row.filename.as_str().into(), zip };
        self.by_entry.entry(row.address.clone()).or_default().push(lesson);
    }

    /// Keeps it, and judges the entries by it. Where nothing can be kept, nothing is judged otherwise than before.
    pub(super) async fn keep(self, env: &Arc<Env>, session: &Arc<Session>) -> Vec<Judgement> {
        if self.by_entry.is_empty() {
            return Vec::new();
        }
        let (env, session) = (Arc::clone(env), Arc::clone(session));
        let kept = tokio::task::spawn_blocking(move || self.keep_now(&env, &session));
        kept.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }

    fn keep_now(self, env: &Env, session: &Session) -> Vec<Judgement> {
        let addresses: BTreeSet<Address> = self.by_entry.keys().cloned().collect();
        let places = session.select(&Scope::Addresses(addresses.into_iter().collect())).unwrap_or_default();
        let rows: Vec<&Row> = places.iter().map(|place| &session.catalog.rows[*place]).collect();
        let mut kept: BTreeMap<String, StoredFacts> = BTreeMap::new();
        {
            let mut state = env.state();
            let Some(state) = state.as_mut().filter(|state| !state.is_read_only()) else { return Vec::new() };
            for (address, lessons) in self.by_entry {
                let key = Repository::key(&address.repository());
                let known = || state.load_fact(&env.world, &key).ok().flatten().unwrap_or_default();
                let stored = kept.entry(key.clone()).or_insert_with(known);
                for Lesson { tag, filename, zip } in lessons {
                    stored.facts.zips.entry(tag).or_default().insert(filename, zip);
                }
            }
            for (key, stored) in &mut kept {
                let of_it = rows.iter().copied().filter(|row| row.address.repository().key() == *key);
                forget(&mut stored.facts, &of_it.collect::<Vec<_>>(), env.now());
            }
            let batch: Vec<(String, StoredFacts)> =
                kept.iter().map(|(key, stored)| (key.clone(), stored.clone())).collect();
            if let Err(error) = state.save_facts(&env.world, env.now(), &batch) {
                tracing::warn!(%error, "what was verified was not kept for the statuses");
                return Vec::new();
            }
        }
        let judgement = |row: &Row| {
            let facts = kept.get(&row.address.repository().key()).map(|stored| &stored.facts);
            let verdict = judge_row(env, session, row, facts, Depth::Versions);
            Judgement { address: row.address.clone(), verdict }
        };
        rows.into_iter().map(judgement).collect()
    }
}
