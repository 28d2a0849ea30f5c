//! A pull request after it was opened: what was read of it at one moment, what it waits for, and whether it is over.
//!
//! What could not be read says so and why, and is never taken for fine. What GitHub requires is said where it can be read; that
//! two are to approve is the registry's own rule, by a label. Pure; `jobs::pulls` reads.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::registry::short_id;
use crate::rules::amount::counted;
use crate::rules::retry;
use crate::settings::words;

/// What was read, or why it is not known.
pub(crate) type Read<T> = Result<T, String>;

/// The label of what two maintainers are to approve.
pub(crate) const TWO_APPROVALS: &str = "needs-two-approvals";
/// What the subject of the registry's automatic commits begins with; the letter of their namespaces follows.
pub(crate) const BUMP_SUBJECT: &str = "Automated bump of versions";

/// A pull request at one moment. Texts are of others, in one line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedPull {
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) opened: Timestamp,
    pub(crate) branch: String,
    /// The commit at the tip of its branch.
    pub(crate) head: String,
    pub(crate) state: PullState,
    pub(crate) merge: Merge,
    pub(crate) labels: Vec<String>,
    /// Who was asked for a review and gave none yet.
    pub(crate) requested: Vec<String>,
    pub(crate) checks: Checks,
    /// The newest review of each reviewer that says more than a comment.
    pub(crate) reviews: Read<Vec<Review>>,
    pub(crate) asked: Read<Asked>,
    /// What came after its merge; `None` before it.
    pub(crate) after: Option<Read<After>>,
}

/// How far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PullState {
    Draft,
    Open,
    /// Without a merge.
    Closed,
    Merged(Merged),
}

/// A merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    pub(crate) by: String,
    /// The commit that it made.
    pub(crate) commit: String,
    pub(crate) at: Option<Timestamp>,
}

impl PullState {
    /// Returns true if it was neither merged nor closed.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Self::Draft | Self::Open)
    }

    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Merged(_) => "merged",
        }
    }
}

words! {
    /// What GitHub says of a merge.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Merge: [word] {
        /// Nothing stands in the way.
        Free = "free",
        Conflicts = "conflicts",
        Behind = "behind",
        /// Something that is required is missing.
        Blocked = "blocked",
        /// GitHub still finds out, or says what is not known here.
        Unknown = "unknown",
    }
}

impl Merge {
    /// From `mergeable` and `mergeable_state` (`github.md#pull-requests`).
    pub(crate) fn of(is_mergeable: Option<bool>, word: &str) -> Self {
        match (is_mergeable, word) {
            (Some(false), _) | (_, "dirty") => Self::Conflicts,
            (Some(true), "clean" | "unstable" | "has_hooks") => Self::Free,
            (Some(true), "behind") => Self::Behind,
            (Some(true), "blocked" | "draft") => Self::Blocked,
            _ => Self::Unknown,
        }
    }
}

words! {
    /// Where a check was read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Source: [word] {
        CheckRuns = "check runs",
        /// In place of check runs, which some tokens may not read: checks of other programs are not among them.
        Jobs = "jobs of Actions",
        Statuses = "commit statuses",
    }
}

/// What runs on the head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checks {
    /// What could be read.
    pub(crate) read: Vec<Source>,
    /// What could not, and why.
    pub(crate) unread: Vec<(Source, String)>,
    pub(crate) list: Vec<Check>,
}

impl Checks {
    /// Those of one source, or why they are not known.
    pub(crate) fn add(&mut self, source: Source, read: Read<Vec<Check>>) {
        match read {
            Ok(list) => {
                self.read.push(source);
                self.list.extend(list);
            }
            Err(why) => self.unread.push((source, why)),
        }
    }

    /// Whether nothing that runs there can have been missed.
    pub(crate) fn is_whole(&self) -> bool {
        self.unread.is_empty()
    }

    fn count(&self, state: CheckState) -> usize {
        self.list.iter().filter(|check| check.state == state).count()
    }

    /// `1 of 2 checks passed`.
    pub(crate) fn told(&self) -> String {
        if self.read.is_empty() {
            return "checks not read".to_owned();
        }
        let (all, passed) = (self.list.len(), self.count(CheckState::Passed));
        let not_all = if self.is_whole() { "" } else { " that could be read" };
        match all {
            0 => format!("no check{not_all}"),
            _ => format!("{passed} of {all} checks{not_all} passed"),
        }
    }
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) state: CheckState,
    /// GitHub's own word: `queued`, `action_required`.
    pub(crate) said: String,
}

words! {
    /// How a check stands.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum CheckState: [word] {
        Waiting = "waiting",
        Running = "running",
        Passed = "passed",
        Failed = "failed",
    }
}

impl Check {
    /// From GitHub's `status` and `conclusion`. What it skips or calls neutral holds no merge up.
    pub(crate) fn of(name: String, source: Source, status: &str, conclusion: Option<&str>) -> Self {
        let state = match (status, conclusion) {
            ("completed", Some("success" | "neutral" | "skipped")) => CheckState::Passed,
            ("completed", _) => CheckState::Failed,
            ("in_progress", _) => CheckState::Running,
            _ => CheckState::Waiting,
        };
        let said = conclusion.unwrap_or(status).to_owned();
        Self { name, source, state, said }
    }
}

/// A review that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Review {
    pub(crate) author: String,
    pub(crate) opinion: Opinion,
    /// Its author belongs to the repository; an approval by others counts for nothing.
    pub(crate) counts: bool,
    /// It is of the commit at the tip.
    pub(crate) is_of_head: bool,
    /// The time at which it was submitted.
    pub(crate) at: Option<Timestamp>,
}

words! {
    /// What a review says.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Opinion: [word] {
        Approved = "approved",
        ChangesRequested = "changes requested",
        Dismissed = "dismissed",
    }
}

impl Opinion {
    /// GitHub's word; `None` for a comment, which takes nothing back, and for what is not submitted.
    pub(crate) fn of(word: &str) -> Option<Self> {
        match word {
            "APPROVED" => Some(Self::Approved),
            "CHANGES_REQUESTED" => Some(Self::ChangesRequested),
            "DISMISSED" => Some(Self::Dismissed),
            _ => None,
        }
    }
}

/// The newest review of each reviewer, in the order of their first.
pub(crate) fn newest_of_each(reviews: impl IntoIterator<Item = Review>) -> Vec<Review> {
    let mut newest: Vec<Review> = Vec::new();
    for review in reviews {
        match newest.iter_mut().find(|one| one.author == review.author) {
            Some(earlier) => *earlier = review,
            None => newest.push(review),
        }
    }
    newest
}

/// What the branch asks of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) approvals: u64,
    /// Names of checks.
    pub(crate) checks: Vec<String>,
}

/// What came after its merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct After {
    /// The head of the branch that it was merged into.
    pub(crate) main: String,
    pub(crate) bumps: BumpsSince,
    /// Whether each of its files is there byte for byte as it was merged.
    pub(crate) files: Vec<FileAfter>,
}

/// A commit of the registry's automation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bump {
    pub(crate) commit: String,
    /// Of the namespaces that it was about.
    pub(crate) letter: Option<String>,
    pub(crate) made: Timestamp,
}

/// A run of the registry's bump over all letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BumpRun {
    /// The commit that it reads.
    pub(crate) head: String,
    pub(crate) began: Timestamp,
    /// `None` as long as it runs, or waits for its turn.
    pub(crate) ended: Option<Timestamp>,
    pub(crate) is_well: bool,
}

/// A commit that the branch has since a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommitSince {
    pub(crate) id: String,
    pub(crate) subject: String,
    /// By its author's clock: bringing it up to the branch changes nothing of that.
    pub(crate) made: Timestamp,
}

/// What the registry's bump did since a merge, knowing of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BumpsSince {
    /// Its commits, oldest first; each is of one letter, and there is none of a letter where nothing is new.
    pub(crate) list: Vec<Bump>,
    /// A run over all letters, which began after the merge, has ended well.
    pub(crate) run_ended: bool,
    /// Whether the runs could be read; else all commits of bumps count, whenever their run began.
    pub(crate) runs_read: bool,
}

impl BumpsSince {
    /// A run reads the branch as it is where it begins, and puts its commits on top of whatever came meanwhile
    /// (`registry.md#the-bump`): what a run that began before the merge commits after it says nothing of what was merged. Runs
    /// come one after the other. `is_whole`: `commits` has all that came since, oldest first, and not only the first of them.
    pub(crate) fn of(
        merged: &str,
        (commits, is_whole): (&[CommitSince], bool),
        runs: Option<&[BumpRun]>,
    ) -> Self {
        // How many of the commits a run has read.
        let read = |run: &BumpRun| {
            let place = commits.iter().position(|commit| commit.id == run.head);
            if run.head == merged { Some(0) } else { place.map(|place| place + 1) }
        };
        let last = commits.last().filter(|_| !is_whole);
        let knows_it = |run: &&BumpRun| read(run).is_some() || last.is_some_and(|last| run.began > last.made);
        let all = runs.unwrap_or_default();
        let (readers, others): (Vec<&BumpRun>, Vec<&BumpRun>) = all.iter().partition(knows_it);
        let first = readers.iter().filter_map(|run| read(run)).min();
        let counts = |place: usize, commit: &CommitSince| {
            let is_of_other = |run: &&BumpRun| run.ended.is_none_or(|ended| ended > commit.made);
            first.is_some_and(|first| place >= first) && !others.iter().any(is_of_other)
        };
        let of = |(place, commit): (usize, &CommitSince)| {
            Bump::of(commit).filter(|_| runs.is_none() || counts(place, commit))
        };
        Self {
            list: commits.iter().enumerate().filter_map(of).collect(),
            run_ended: readers.iter().any(|run| run.ended.is_some() && run.is_well),
            runs_read: runs.is_some(),
        }
    }
}

impl Bump {
    /// A commit by its subject; `None`: it is of somebody else.
    pub(crate) fn of(commit: &CommitSince) -> Option<Self> {
        let rest = commit.subject.strip_prefix(BUMP_SUBJECT)?;
        let letter = rest.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        Some(Self { commit: commit.id.clone(), letter: letter.map(str::to_owned), made: commit.made })
    }
}

/// Behind a bump of which nothing but its commit could be read.
const UNREAD_RUN: &str = " (whether its run began after the merge could not be read)";

/// One of its files after the bump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileAfter {
    pub(crate) path: String,
    pub(crate) is_kept: Read<bool>,
}

impl FileAfter {
    /// The letter of a data file.
    fn letter(&self) -> Option<&str> {
        let (folder, rest) = self.path.split_once('/')?;
        rest.split('/').next().filter(|_| folder == "providers" || folder == "modules")
    }

    /// That no bump ever comes to it.
    fn never_bumped(&self) -> Option<String> {
        self.letter().and_then(|letter| letter.chars().next()).and_then(retry::never_bumped)
    }
}

impl After {
    /// Letters of its data files of which a bump comes, and was not yet.
    pub(crate) fn unseen(&self) -> Vec<String> {
        let is_seen = |one: &str| {
            self.bumps.list.iter().any(|bump| bump.letter.as_deref().is_none_or(|letter| letter == one))
        };
        let to_come = self.files.iter().filter(|file| file.never_bumped().is_none());
        let unseen: BTreeSet<&str> =
            to_come.filter_map(FileAfter::letter).filter(|one| !is_seen(one)).collect();
        unseen.into_iter().map(str::to_owned).collect()
    }

    /// That no bump comes to any of its files.
    fn never_bumped(&self) -> Option<String> {
        let never: Option<Vec<String>> = self.files.iter().map(FileAfter::never_bumped).collect();
        never?.into_iter().next()
    }

    /// Letters of which a bump is still to come, or none where it is not one of them that is waited for; `None` once all of it was
    /// bumped, and where nothing of it ever is.
    pub(crate) fn waits_for(&self) -> Option<Vec<String>> {
        let unseen = self.unseen();
        let none = self.bumps.list.is_empty();
        let waits = !self.bumps.run_ended && (none || !unseen.is_empty()) && self.never_bumped().is_none();
        waits.then(|| if none { Vec::new() } else { unseen })
    }

    /// `its 2 files are unchanged after the bump 1a2b3c4`.
    pub(crate) fn told(&self) -> Option<String> {
        if self.waits_for().is_some() {
            return None;
        }
        let changed = self.files.iter().filter(|file| file.is_kept == Ok(false)).count();
        let unknown = self.files.iter().filter(|file| file.is_kept.is_err()).count();
        let files = match self.files.len() {
            1 => "its file is".to_owned(),
            many => format!("its {} are", counted(many, "file")),
        };
        let found = match (changed, unknown) {
            (0, 0) => format!("{files} unchanged"),
            (0, _) => format!("{files} not known to be unchanged"),
            _ => format!("{changed} of {} changed", counted(self.files.len(), "file")),
        };
        if let Some(never) = self.never_bumped() {
            return Some(format!("{never}, {found}"));
        }
        Some(match self.bumps.list.last() {
            Some(bump) if self.unseen().is_empty() => {
                let unread = if self.bumps.runs_read { "" } else { UNREAD_RUN };
                format!("{found} after the bump {}{unread}", short_id(&bump.commit))
            }
            _ => format!("{found} after a bump run over all namespaces"),
        })
    }

    pub(crate) fn is_kept(&self) -> Read<bool> {
        for file in &self.files {
            if !file.is_kept.clone()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Something that it waits for, the most pressing first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    Conflict,
    Failed(Vec<String>),
    ChangesRequested(Vec<String>),
    Checks(usize),
    /// Required, and not there yet.
    Unseen(Vec<String>),
    Ready,
    Approvals {
        have: u64,
        need: u64,
    },
    /// What could not be read, and why: nothing is said of it.
    Unknown(String),
    Behind,
    Blocked,
    GitHub,
    Merge,
    /// Of these letters, where a bump of others was seen.
    Bump(Vec<String>),
}

impl Wait {
    /// What comes after `waits for`, or after `not known:`.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Conflict => "a solution of its conflict with the branch".to_owned(),
            Self::Failed(names) => format!("a pass of {}, which failed", names.join(" and ")),
            Self::ChangesRequested(who) => format!("the changes that {} requested", who.join(" and ")),
            Self::Checks(count) => format!("{} to end", counted(*count, "check")),
            Self::Unseen(names) => format!("the required check to begin: {}", names.join(", ")),
            Self::Ready => "its author to mark it ready".to_owned(),
            Self::Approvals { have: 0, need: 1 } => "an approval".to_owned(),
            Self::Approvals { have, need } if need - have == 1 => {
                format!("another approval ({have} of {need})")
            }
            Self::Approvals { have, need } => {
                format!("{} ({have} of {need})", counted(need - have, "approval"))
            }
            Self::Unknown(what) => what.clone(),
            Self::Behind => "an update of its branch".to_owned(),
            Self::Blocked => "something else that GitHub requires".to_owned(),
            Self::GitHub => "GitHub to say whether it can be merged".to_owned(),
            Self::Merge => "a maintainer to merge it".to_owned(),
            Self::Bump(letters) if letters.is_empty() => "the next bump".to_owned(),
            Self::Bump(letters) => format!("the next bump of {}", letters.join(", ")),
        }
    }
}

impl WatchedPull {
    /// Approvals that count, and how many are needed; an error where that is not known.
    pub(crate) fn approvals(&self) -> (Read<u64>, Read<u64>) {
        let have = self.reviews.as_ref().map(|reviews| {
            reviews.iter().filter(|one| one.opinion == Opinion::Approved && one.counts).count() as u64
        });
        let by_label = if self.labels.iter().any(|label| label == TWO_APPROVALS) { 2 } else { 0 };
        let need = self.asked.as_ref().map(|asked| asked.approvals.max(by_label));
        (have.map_err(Clone::clone), need.map_err(Clone::clone))
    }

    /// Whether two maintainers are to approve it.
    pub(crate) fn needs_two(&self) -> bool {
        matches!(self.approvals().1, Ok(need) if need >= 2)
            || self.labels.iter().any(|it| it == TWO_APPROVALS)
    }

    /// All that it waits for, the most pressing first; nothing once it is over.
    pub(crate) fn waits(&self) -> Vec<Wait> {
        match &self.state {
            PullState::Closed => Vec::new(),
            PullState::Merged(_) => match &self.after {
                Some(Ok(after)) => after.waits_for().map(Wait::Bump).into_iter().collect(),
                Some(Err(why)) => vec![Wait::Unknown(format!("what came after the merge ({why})"))],
                None => vec![Wait::Bump(Vec::new())],
            },
            PullState::Draft | PullState::Open => self.waits_open(),
        }
    }

    fn waits_open(&self) -> Vec<Wait> {
        let mut waits = Vec::new();
        let names = |state: CheckState| -> Vec<String> {
            let of = self.checks.list.iter().filter(|check| check.state == state);
            of.map(|check| check.name.clone()).collect()
        };
        if self.merge == Merge::Conflicts {
            waits.push(Wait::Conflict);
        }
        let failed = names(CheckState::Failed);
        if !failed.is_empty() {
            waits.push(Wait::Failed(failed));
        }
        let requested: Vec<String> = self
            .reviews
            .iter()
            .flatten()
            .filter(|review| review.opinion == Opinion::ChangesRequested)
            .map(|review| review.author.clone())
            .collect();
        if !requested.is_empty() {
            waits.push(Wait::ChangesRequested(requested));
        }
        let under_way = names(CheckState::Waiting).len() + names(CheckState::Running).len();
        if under_way > 0 {
            waits.push(Wait::Checks(under_way));
        }
        for (source, why) in &self.checks.unread {
            waits.push(Wait::Unknown(format!("{} ({why})", source.word())));
        }
        match &self.asked {
            Ok(asked) => {
                let is_there = |name: &&String| self.checks.list.iter().any(|check| check.name == **name);
                let unseen: Vec<String> =
                    asked.checks.iter().filter(|name| !is_there(name)).cloned().collect();
                // What cannot be read may well run.
                if !unseen.is_empty() && self.checks.is_whole() {
                    waits.push(Wait::Unseen(unseen));
                }
            }
            Err(why) => waits.push(Wait::Unknown(format!("what the branch requires ({why})"))),
        }
        if self.state == PullState::Draft {
            waits.push(Wait::Ready);
        }
        match self.approvals() {
            (Ok(have), Ok(need)) if have < need => waits.push(Wait::Approvals { have, need }),
            (Ok(have), Err(_)) if self.needs_two() && have < 2 => {
                waits.push(Wait::Approvals { have, need: 2 });
            }
            (Err(why), _) => waits.push(Wait::Unknown(format!("reviews ({why})"))),
            _ => {}
        }
        if waits.is_empty() {
            waits.push(match self.merge {
                Merge::Free => Wait::Merge,
                Merge::Behind => Wait::Behind,
                Merge::Unknown => Wait::GitHub,
                Merge::Blocked | Merge::Conflicts => Wait::Blocked,
            });
        }
        waits
    }

    /// Whether nothing comes any more: it was closed, or merged and a bump followed.
    pub(crate) fn is_over(&self) -> bool {
        self.waits().is_empty()
    }

    /// Whether every part of it could be read.
    pub(crate) fn is_whole(&self) -> bool {
        let after = match &self.after {
            None => true,
            Some(Ok(after)) => after.is_kept().is_ok(),
            Some(Err(_)) => false,
        };
        self.checks.is_whole() && self.reviews.is_ok() && self.asked.is_ok() && after
    }

    /// `1 of 1 checks passed, waits for an approval`: how it stands, in one line.
    pub(crate) fn told(&self) -> String {
        let mut parts = Vec::new();
        match &self.state {
            PullState::Draft => parts.extend(["draft".to_owned(), self.checks.told()]),
            PullState::Open => parts.push(self.checks.told()),
            PullState::Closed => parts.push("closed without a merge".to_owned()),
            PullState::Merged(merged) => parts.push(format!("merged by {}", merged.by)),
        }
        if let Some(Ok(after)) = &self.after {
            parts.extend(after.told());
        }
        let (unknown, waits): (Vec<Wait>, _) =
            self.waits().into_iter().partition(|wait| matches!(wait, Wait::Unknown(_)));
        if let Some((first, rest)) = waits.split_first() {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            parts.push(format!("waits for {}{more}", first.text()));
        }
        if !unknown.is_empty() {
            let unknown: Vec<String> = unknown.iter().map(Wait::text).collect();
            parts.push(format!("not known: {}", unknown.join(", ")));
        }
        parts.join(", ")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn check(name: &str, status: &str, conclusion: Option<&str>) -> Check {
        Check::of(name.to_owned(), Source::CheckRuns, status, conclusion)
    }

    fn approved(who: &str) -> Review {
        Review {
            author: who.to_owned(),
            opinion: Opinion::Approved,
            counts: true,
            is_of_head: true,
            at: None,
        }
    }

    pub(crate) fn merged() -> Merged {
        Merged { by: "sol".into(), commit: "b".into(), at: Timestamp::from_second(60).ok() }
    }

    /// A pull request that waits for nothing but its merge.
    pub(crate) fn pull() -> WatchedPull {
        let list = vec![check("Verify PR JSON", "completed", Some("success"))];
        WatchedPull {
            number: 12,
            title: "Manual bump".to_owned(),
            author: "ann".to_owned(),
            opened: Timestamp::UNIX_EPOCH,
            branch: "bumpdesk/bump-1".to_owned(),
            head: "aaaa".to_owned(),
            state: PullState::Open,
            merge: Merge::Free,
            labels: Vec::new(),
            requested: Vec::new(),
            checks: Checks { read: vec![Source::CheckRuns, Source::Statuses], unread: Vec::new(), list },
            reviews: Ok(vec![approved("sol")]),
            asked: Ok(Asked { approvals: 1, checks: vec!["Verify PR JSON".to_owned()] }),
            after: None,
        }
    }

    #[test]
    fn what_it_waits_for_is_told_most_pressing_first() {
        type Change = fn(&mut WatchedPull);
        let why = || "not allowed (HTTP 403)".to_owned();
        let cases: [(Change, &str); 19] = [
            (|_| {}, "1 of 1 checks passed, waits for a maintainer to merge it"),
            (|it| it.reviews = Ok(Vec::new()), "1 of 1 checks passed, waits for an approval"),
            (
                |it| it.state = PullState::Draft,
                "draft, 1 of 1 checks passed, waits for its author to mark it ready",
            ),
            (
                |it| it.labels = vec![TWO_APPROVALS.to_owned()],
                "1 of 1 checks passed, waits for another approval (1 of 2)",
            ),
            (
                |it| it.checks.list[0] = check("Verify PR JSON", "in_progress", None),
                "0 of 1 checks passed, waits for 1 check to end",
            ),
            (
                |it| it.checks.list[0] = check("Verify PR JSON", "completed", Some("timed_out")),
                "0 of 1 checks passed, waits for a pass of Verify PR JSON, which failed",
            ),
            (|it| it.checks.list.clear(), "no check, waits for the required check to begin: Verify PR JSON"),
            (
                |it| it.reviews.as_mut().unwrap()[0].opinion = Opinion::ChangesRequested,
                "1 of 1 checks passed, waits for the changes that sol requested and 1 more",
            ),
            (
                |it| it.reviews.as_mut().unwrap()[0].counts = false,
                "1 of 1 checks passed, waits for an approval",
            ),
            (
                |it| it.reviews.as_mut().unwrap()[0].opinion = Opinion::Dismissed,
                "1 of 1 checks passed, waits for an approval",
            ),
            (
                |it| it.merge = Merge::Conflicts,
                "1 of 1 checks passed, waits for a solution of its conflict with the branch",
            ),
            (
                |it| it.merge = Merge::Unknown,
                "1 of 1 checks passed, waits for GitHub to say whether it can be merged",
            ),
            (
                |it| it.merge = Merge::Blocked,
                "1 of 1 checks passed, waits for something else that GitHub requires",
            ),
            (|it| it.state = PullState::Closed, "closed without a merge"),
            (
                |it| {
                    it.state = PullState::Merged(merged());
                    it.after =
                        Some(Ok(After { main: "b".into(), bumps: BumpsSince::default(), files: Vec::new() }));
                },
                "merged by sol, waits for the next bump",
            ),
            (
                |it| it.reviews = Err("no answer".into()),
                "1 of 1 checks passed, not known: reviews (no answer)",
            ),
            (
                |it| it.asked = Err("no answer".into()),
                "1 of 1 checks passed, not known: what the branch requires (no answer)",
            ),
            (
                |it| {
                    it.checks = Checks::default();
                    it.checks.unread.push((Source::CheckRuns, "no answer".into()));
                },
                "checks not read, not known: check runs (no answer)",
            ),
            (
                |it| it.checks.unread.push((Source::Statuses, "no answer".into())),
                "1 of 1 checks that could be read passed, not known: commit statuses (no answer)",
            ),
        ];
        for (change, wanted) in cases {
            let mut pull = pull();
            change(&mut pull);
            assert_eq!(pull.told(), wanted);
            assert_eq!(pull.is_over(), pull.state == PullState::Closed, "{wanted}");
        }
        let mut unknown = pull();
        assert!(unknown.is_whole());
        unknown.asked = Err(why());
        assert!(!unknown.is_whole());
    }

    #[test]
    fn what_a_bump_left_is_told_as_it_was_compared() {
        let commit = |id: &str, subject: &str| CommitSince {
            id: id.to_owned(),
            subject: subject.to_owned(),
            made: Timestamp::UNIX_EPOCH,
        };
        let subject = "Automated bump of versions for providers and modules (a)";
        let bump = Bump::of(&commit("1a2b3c4d5e", subject)).unwrap();
        assert_eq!(bump.letter.as_deref(), Some("a"));
        assert_eq!(Bump::of(&commit("1a2b3c4", "Manual bump of acme/rocket")), None);
        let file = |path: &str, is_kept| FileAfter { path: path.to_owned(), is_kept };
        let seen = BumpsSince { list: vec![bump], run_ended: false, runs_read: true };
        let after = |files| After { main: "ff".into(), bumps: seen.clone(), files };
        let run = BumpsSince { run_ended: true, ..seen.clone() };
        let unread = BumpsSince { runs_read: false, ..seen.clone() };
        let cases = [
            (
                after(vec![file("providers/a/x.json", Ok(true))]),
                "its file is unchanged after the bump 1a2b3c4",
                Ok(true),
            ),
            (
                after(vec![file("providers/a/x.json", Ok(false)), file("providers/a/y.json", Ok(true))]),
                "1 of 2 files changed after the bump 1a2b3c4",
                Ok(false),
            ),
            (
                after(vec![file("providers/a/x.json", Err("no answer".into()))]),
                "its file is not known to be unchanged after the bump 1a2b3c4",
                Err("no answer".to_owned()),
            ),
            (
                After { bumps: run, ..after(vec![file("providers/u/x.json", Ok(true))]) },
                "its file is unchanged after a bump run over all namespaces",
                Ok(true),
            ),
            (
                After { bumps: unread, ..after(vec![file("providers/a/x.json", Ok(true))]) },
                "its file is unchanged after the bump 1a2b3c4 (whether its run began after the merge could not be read)",
                Ok(true),
            ),
            // No run is of that letter, not even one over all letters.
            (
                After { bumps: BumpsSince::default(), ..after(vec![file("modules/8/x.json", Ok(true))]) },
                "no bump run covers namespaces that start with `8`, its file is unchanged",
                Ok(true),
            ),
            (
                after(vec![file("modules/8/x.json", Ok(true)), file("modules/a/x.json", Ok(true))]),
                "its 2 files are unchanged after the bump 1a2b3c4",
                Ok(true),
            ),
            (
                after(vec![file("blacklist.json", Ok(true))]),
                "its file is unchanged after the bump 1a2b3c4",
                Ok(true),
            ),
        ];
        for (after, wanted, kept) in cases {
            assert_eq!((after.told().as_deref(), after.is_kept()), (Some(wanted), kept));
        }
        let other = after(vec![file("providers/u/x.json", Ok(true)), file("modules/a/y.json", Ok(true))]);
        assert_eq!((other.told(), other.waits_for()), (None, Some(vec!["u".to_owned()])));
        let none = After { bumps: BumpsSince::default(), ..after(Vec::new()) };
        assert_eq!((none.told(), none.waits_for()), (None, Some(Vec::new())));
    }

    /// A run that began before the merge puts its commits on top of it and has not seen it.
    #[test]
    fn a_bump_counts_by_what_its_run_has_read() {
        let at = |minute: i64| Timestamp::from_second(60 * minute).unwrap();
        let commit = |id: &str, minute| CommitSince {
            id: id.to_owned(),
            subject: format!("{BUMP_SUBJECT} for providers and modules ({id})"),
            made: at(minute),
        };
        let run = |head: &str, began, ended: Option<i64>| BumpRun {
            head: head.to_owned(),
            began: at(began),
            ended: ended.map(at),
            is_well: true,
        };
        let commits = [commit("a", 3), commit("b", 20), commit("c", 35)];
        let seen = |runs: Option<&[BumpRun]>| {
            let since = BumpsSince::of("merge", (&commits, true), runs);
            let list: Vec<String> = since.list.into_iter().map(|bump| bump.commit).collect();
            (list.concat(), since.run_ended)
        };
        // One that began before the merge made the first of them, and nothing tells who made the others.
        assert_eq!(seen(Some(&[run("before", 0, Some(9))])), (String::new(), false));
        assert_eq!(seen(Some(&[run("before", 0, None)])), (String::new(), false));
        // The next waited for its turn with the merge as its head, and with the first commit as its head.
        for head in ["merge", "a"] {
            let runs = [run("before", 0, Some(9)), run(head, 15, None)];
            assert_eq!(seen(Some(&runs)), ("bc".to_owned(), false), "{head}");
        }
        let runs = [run("before", 0, Some(9)), run("b", 30, Some(40))];
        assert_eq!(seen(Some(&runs)), ("c".to_owned(), true));
        let runs = [run("before", 0, None), run("merge", 15, None)];
        assert_eq!(seen(Some(&runs)), (String::new(), false), "the earlier one may have made all of them");
        assert_eq!(seen(None), ("abc".to_owned(), false), "whose runs cannot be read");
        // Of many commits since the first are known alone, and a run after them has read the merge.
        let later = [run("unknown", 50, Some(59))];
        assert!(!BumpsSince::of("merge", (&commits, true), Some(&later)).run_ended);
        assert!(BumpsSince::of("merge", (&commits, false), Some(&later)).run_ended);
    }

    #[test]
    fn the_newest_word_of_each_reviewer_counts() {
        let changes = Review { opinion: Opinion::ChangesRequested, ..approved("sol") };
        let newest = newest_of_each([changes.clone(), approved("ann"), approved("sol")]);
        assert_eq!(newest, [approved("sol"), approved("ann")]);
        assert_eq!(Opinion::of("COMMENTED"), None, "a comment takes no approval back");
    }
}
