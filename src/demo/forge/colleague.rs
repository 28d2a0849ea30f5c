//! A colleague who looks after pull requests: marks ready, reviews and merges them, each after so many looks of others at it. Then
//! the registry's automation makes its next bump.
//!
//! A look is a read of the pull request itself. Nothing here has a clock: who looks often sees it move soon.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use crate::forge::check::State;
use crate::forge::pull::{Opinion, Pull, Review};
use crate::forge::{Forge, MAIN, REGISTRY, verify};
use crate::stored::file_of;
use crate::world::{World, key};

/// What somebody does with what others open. Each number counts the looks that find it as it was before.
#[derive(Clone, Debug)]
pub(crate) struct Colleague {
    pub(crate) login: String,
    /// From the end of the required checks to the review. One that fails is not reviewed.
    pub(crate) review_after: u32,
    pub(crate) verdict: Opinion,
    /// From the approval to the merge; `None`: somebody else merges.
    pub(crate) merge_after: Option<u32>,
    /// From the merge to the next bump; `None`: there is none.
    pub(crate) bump_after: Option<u32>,
    /// The bump puts back what the pull request changed.
    pub(crate) bump_rewrites: bool,
    /// By pull request: what comes next, and how many looks were made at that.
    pub(crate) seen: BTreeMap<u64, (Step, u32)>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Review,
    Merge,
    Bump,
    Nothing,
}

impl Colleague {
    /// What is theirs to do, and after how many looks.
    fn next(&self, forge: &Forge, pull: &Pull) -> Option<(Step, u32)> {
        let is_own = pull.author.eq_ignore_ascii_case(&self.login);
        let standing = pull
            .reviews
            .iter()
            .rev()
            .find(|review| review.author.eq_ignore_ascii_case(&self.login) && review.commit == pull.head);
        if self.seen.get(&pull.number).is_some_and(|(step, _)| *step == Step::Nothing) {
            return None;
        }
        match standing.map(|review| review.verdict) {
            _ if pull.merged.is_some() => self.bump_after.map(|after| (Step::Bump, after)),
            _ if !pull.open || is_own || !forge.has_passed(pull) => None,
            None => Some((Step::Review, self.review_after)),
            Some(Opinion::Approve) => self.merge_after.map(|after| (Step::Merge, after)),
            Some(_) => None,
        }
    }
}

impl Forge {
    /// Whether every required check of its head has passed.
    fn has_passed(&self, pull: &Pull) -> bool {
        let repository = key(REGISTRY.0, REGISTRY.1);
        let Some(registry) = self.repositories.get(&repository) else { return false };
        registry.rules.checks.iter().all(|name| {
            let mut runs = self.runs_on(&repository, &pull.head);
            runs.any(|run| run.name == *name && run.state_so_far() == State::Passed)
        })
    }
}

/// Somebody looks at a pull request of the registry: what its author pushes is there at the next look.
pub(crate) fn looked_at(world: &mut World, number: u64) {
    world.forge.push_later(world.now, number);
    verify::judge_queued(world);
    let Some(mut colleague) = world.forge.colleague.take() else { return };
    let pull = world.forge.registry_mut().and_then(|registry| registry.pull(number)).cloned();
    if let Some(pull) = pull
        && let Some((step, after)) = colleague.next(&world.forge, &pull)
    {
        let (last, looks) = colleague.seen.get(&number).copied().unwrap_or((step, 0));
        let looks = if last == step { looks } else { 0 };
        let step = if looks < after {
            (step, looks + 1)
        } else {
            act(world, &colleague, step, &pull);
            (if step == Step::Bump { Step::Nothing } else { step }, 0)
        };
        colleague.seen.insert(number, step);
    }
    world.forge.colleague = Some(colleague);
}

fn act(world: &mut World, colleague: &Colleague, step: Step, pull: &Pull) {
    let (now, number, login) = (world.now, pull.number, colleague.login.as_str());
    let repository = key(REGISTRY.0, REGISTRY.1);
    match step {
        Step::Review => {
            let approves = colleague.verdict == Opinion::Approve;
            let body = if approves {
                "I built it too, and got the same."
            } else {
                "Please leave the newest version out for now."
            };
            let review = Review {
                id: 0,
                author: login.into(),
                verdict: colleague.verdict,
                body: body.to_owned(),
                commit: pull.head,
                at: now,
                remarks: Vec::new(),
                dismissed: false,
                late_looks: Arc::default(),
            };
            if approves
                && let Some(pull) = world.forge.registry_mut().and_then(|registry| registry.pull_mut(number))
            {
                pull.draft = false;
            }
            let _ = world.forge.review(now, (&repository, login), number, review);
        }
        // What conflicts waits until it does not.
        Step::Merge => {
            let _ = world.forge.merge(now, number, login);
        }
        Step::Bump => {
            let changes = if colleague.bump_rewrites {
                undone(world, pull)
            } else {
                newest_tags(world, pull).into_iter().collect()
            };
            world.forge.begin_bump(now);
            world.forge.bump(now, changes);
            world.forge.end_bumps();
        }
        Step::Nothing => {}
    }
}

/// Its files as they were.
fn undone(world: &World, pull: &Pull) -> Vec<(String, Option<Bytes>)> {
    let changes = world.forge.changes(pull);
    let before = |leaf: super::objects::Leaf| world.forge.objects.blob(&leaf.blob).cloned();
    changes.into_iter().map(|change| (change.path, change.before.and_then(before))).collect()
}

/// The first module that it leaves alone and that lacks tags, with them: what a bump finds.
fn newest_tags(world: &World, pull: &Pull) -> Option<(String, Option<Bytes>)> {
    let theirs: Vec<String> = world.forge.changes(pull).into_iter().map(|change| change.path).collect();
    let registry = world.forge.find(REGISTRY.0, REGISTRY.1)?;
    let files = world.forge.objects.files(registry.branches.get(MAIN)?);
    files.iter().filter(|(path, _)| path.starts_with("modules/") && !theirs.contains(path)).find_map(
        |(path, leaf)| {
            let stored: Value = serde_json::from_slice(world.forge.objects.blob(&leaf.blob)?).ok()?;
            let is_new = |version: &str| {
                !stored["versions"]
                    .as_array()
                    .is_some_and(|all| all.iter().any(|one| one["version"] == version))
            };
            let file = verify::bumped(world, path, &stored, &is_new, world.now).ok()?;
            (file != stored).then(|| (path.clone(), Some(file_of(&file).into())))
        },
    )
}
