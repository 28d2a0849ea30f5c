//! What upstream signed, for keys that pull requests hand in.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use crate::jobs::Env;
use crate::jobs::context::{Cancelled, Context};
use crate::jobs::propose::key_previews;
use crate::jobs::review::How;
use crate::jobs::session::Session;
use crate::jobs::survey::Gather;
use crate::registry::Facts;
use crate::rules::Depth;
use crate::rules::review::{Judged, KeyClaim, Result as Word};

/// Versions whose signatures a list reads for one key: a review of it alone reads all.
const MOST_LISTED: u32 = 100;

/// Checksums and signatures of the providers that keys would speak for, by their places in the registry as it is.
pub(super) struct Signed {
    facts: HashMap<usize, Arc<Facts>>,
    most: u32,
}

fn places(session: &Session, claim: &KeyClaim) -> impl Iterator<Item = usize> {
    let rows = session.catalog.rows.iter().enumerate();
    rows.filter(|(_, row)| claim.key().covers(&row.address)).map(|(place, _)| place)
}

fn versions(session: &Session, claim: &KeyClaim) -> u32 {
    places(session, claim).map(|place| session.catalog.rows[place].shape.version_count).sum()
}

pub(super) async fn signed(
    env: &Arc<Env>,
    session: &Session,
    context: &Context,
    how: How,
    claims: impl Iterator<Item = &KeyClaim>,
) -> Result<Signed, Cancelled> {
    // Who looks at one alone waits for it.
    let most = if how.predicts { u32::MAX } else { MOST_LISTED };
    let read = claims.filter(|claim| versions(session, claim) <= most);
    let places: BTreeSet<usize> = read.flat_map(|claim| places(session, claim)).collect();
    if places.is_empty() {
        return Ok(Signed { facts: HashMap::new(), most });
    }
    let gather = Gather::new(env, session, context, Depth::Sums, Duration::ZERO).with_signatures();
    let (facts, gathered) = gather.facts(&places.into_iter().collect::<Vec<_>>()).await;
    if gathered.cancelled { Err(Cancelled) } else { Ok(Signed { facts, most }) }
}

impl Signed {
    pub(super) fn judge(&self, env: &Env, session: &Session, claim: &KeyClaim) -> Judged {
        let unknown = |why| Judged { word: Word::Unknown, points: vec![why] };
        let many = versions(session, claim);
        if many > self.most {
            return unknown(format!("the signatures of {many} versions are read when it is reviewed alone"));
        }
        let facts_of = |place: usize| self.facts.get(&place).cloned().unwrap_or_default();
        let previews = key_previews(env, session, claim.key(), |row| {
            session.catalog.place(&row.address).map(facts_of).as_deref().cloned().unwrap_or_default()
        });
        let previews = match previews {
            Ok(previews) => previews,
            Err(unread) => return unknown(unread.text),
        };
        let first = places(session, claim).next().map(|place| &session.catalog.rows[place].address);
        match first.map_or(Ok(Vec::new()), |address| session.key_files(address)) {
            Ok(on_file) => claim.judge(on_file, &previews, env.now()),
            Err(why) => unknown(why),
        }
    }
}
