//! The tags that versions were indexed from, as they are today and as an earlier survey saw them. One question a repository.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::jobs::Env;
use crate::jobs::verify::question::VersionToVerify;
use crate::registry::{Observed, Repository, Tags};
use crate::remote::Error;
use crate::rules::indexed_tag;
use crate::rules::verify::{TagIs, TagSays};

/// A repository's tags today, and those that were kept.
#[derive(Debug)]
struct Seen {
    /// The error says why they are not known; `None`: there is no such repository.
    today: Result<Option<Tags>, String>,
    before: Option<Tags>,
}

/// The answers of one run.
pub(super) struct TagLooks<'a> {
    env: &'a Arc<Env>,
    by_repository: Mutex<BTreeMap<String, Arc<OnceCell<Seen>>>>,
}

impl<'a> TagLooks<'a> {
    pub(super) fn new(env: &'a Arc<Env>) -> Self {
        Self { env, by_repository: Mutex::default() }
    }

    /// The state of the tag of a version; `None` if its URL names no tag.
    pub(super) async fn of(&self, version: &VersionToVerify) -> Option<TagSays> {
        let name = indexed_tag(&version.stored)?;
        let repository = Repository::from_url(&version.stored.shasums_url)?;
        let slot = {
            let mut slots = self.by_repository.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(repository.key()).or_default())
        };
        let seen = slot.get_or_init(|| self.look(&repository)).await;
        let before = seen.before.as_ref().and_then(|tags| tags.find(&name)).map(|tag| tag.oid.to_string());
        let is = match &seen.today {
            Err(why) => TagIs::Unread { why: why.clone() },
            Ok(tags) => match tags.as_ref().and_then(|tags| tags.find(&name)) {
                None => TagIs::Gone,
                Some(tag) => match before.filter(|was| **was != *tag.oid) {
                    Some(was) => TagIs::Moved { commit: tag.oid.to_string(), was },
                    None => TagIs::At { commit: tag.oid.to_string() },
                },
            },
        };
        Some(TagSays { name, is })
    }

    async fn look(&self, repository: &Repository) -> Seen {
        let kept = {
            let state = self.env.state();
            state
                .as_ref()
                .and_then(|state| state.load_fact(&self.env.world, &repository.key()).ok().flatten())
        };
        let before = kept.and_then(|kept| match kept.facts.tags {
            Observed::Known { value, .. } => Some(value),
            _ => None,
        });
        let today = match self.env.remote.tags(repository).await {
            Ok(tags) => Ok(Some(tags)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        };
        Seen { today, before }
    }
}
