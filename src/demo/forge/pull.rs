//! Pull requests: opened, edited, reviewed, commented on, labelled, merged; and what their files differ in.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::Timestamp;
use similar::TextDiff;

use crate::digest::small_id;
use crate::forge::objects::{Files, Leaf};
use crate::forge::{Forge, Hosted, MAIN, Refusal, Role};
use crate::world::{Oid, key};

/// The longest body that is taken, in characters.
const LONGEST_BODY: usize = 65_536;
/// The registry has had so many before.
const BEFORE_FIRST: u64 = 5_599;

/// A pull request.
#[derive(Clone, Debug)]
pub struct Pull {
    pub number: u64,
    pub(crate) author: Box<str>,
    pub title: String,
    pub body: String,
    pub draft: bool,
    pub open: bool,
    pub(crate) merged: Option<Merged>,
    /// The key of the repository that the branch is in.
    pub(crate) from: String,
    pub branch: String,
    /// The tip of the branch; the last one, once the branch is gone.
    pub(crate) head: Oid,
    pub(crate) base: String,
    /// Where the base stood when it was opened.
    pub(crate) base_tip: Oid,
    pub(crate) maintainer_can_modify: bool,
    pub(crate) created: Timestamp,
    pub(crate) updated: Timestamp,
    pub(crate) closed: Option<Timestamp>,
    pub labels: Vec<String>,
    pub reviewers: Vec<String>,
    pub reviews: Vec<Review>,
    /// Comments on the whole of it.
    pub comments: Vec<Comment>,
    /// What its author does next, each after so many more looks at it.
    pub(crate) later: VecDeque<(u32, Later)>,
}

/// What becomes of a pull request while others look at it.
#[derive(Clone, Debug)]
pub(crate) enum Later {
    /// Its branch is at this commit.
    Pushed(Oid),
    /// It is for this branch.
    Retargeted(String),
}

/// How it went in.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    pub(crate) by: Box<str>,
    pub(crate) at: Timestamp,
    pub(crate) commit: Oid,
}

/// A review, with its remarks on lines.
#[derive(Clone, Debug)]
pub struct Review {
    pub(crate) id: u64,
    pub author: Box<str>,
    pub verdict: Opinion,
    pub body: String,
    pub(crate) commit: Oid,
    pub(crate) at: Timestamp,
    pub(crate) remarks: Vec<Remark>,
    /// Somebody took away what it counts for.
    pub dismissed: bool,
    /// So many looks at the list do not find it yet.
    pub(crate) late_looks: Arc<AtomicU32>,
}

impl Review {
    /// One more look at the list: whether it is in it.
    pub(crate) fn is_listed(&self) -> bool {
        let late =
            self.late_looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        late.is_err()
    }
}

/// What a review says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    Approve,
    RequestChanges,
    Comment,
    Pending,
}

/// A remark on a line of a file, right side or left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) path: String,
    /// From 1.
    pub(crate) line: u64,
    /// Of the old file.
    pub(crate) left: bool,
    pub(crate) body: String,
}

/// A comment.
#[derive(Clone, Debug)]
pub struct Comment {
    pub(crate) id: u64,
    pub author: Box<str>,
    pub body: String,
    pub(crate) at: Timestamp,
}

/// What `POST pulls` is asked for.
#[derive(Clone, Debug)]
pub(crate) struct NewPull {
    pub(crate) title: String,
    /// `branch` or `owner:branch`.
    pub(crate) head: String,
    /// The repository of the head, where its owner has several of the network.
    pub(crate) head_repository: Option<String>,
    pub(crate) base: String,
    pub(crate) body: String,
    pub(crate) draft: bool,
    pub(crate) maintainer_can_modify: bool,
}

/// What a file became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(crate) path: String,
    /// Its path before, if it was renamed.
    pub(crate) previous: Option<String>,
    pub(crate) before: Option<Leaf>,
    pub(crate) after: Option<Leaf>,
}

impl FileChange {
    /// GitHub's word for it.
    pub(crate) fn status(&self) -> &'static str {
        match (&self.previous, self.before, self.after) {
            (Some(_), ..) => "renamed",
            (None, None, _) => "added",
            (None, _, None) => "removed",
            (None, Some(before), Some(after)) if before.blob == after.blob => "changed",
            (None, ..) => "modified",
        }
    }
}

/// A file's difference as text: added and removed lines, and the hunks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) added: usize,
    pub(crate) removed: usize,
    pub(crate) hunks: String,
}

fn too_long(body: &str) -> Result<(), Refusal> {
    if body.chars().count() > LONGEST_BODY {
        return Err(Refusal::invalid("Issue", "body", "body is too long (maximum is 65536 characters)"));
    }
    Ok(())
}

impl Forge {
    /// Opens a pull request and gives back its number.
    pub(crate) fn open_pull(
        &mut self,
        now: Timestamp,
        repository: &str,
        login: &str,
        new: NewPull,
    ) -> Result<u64, Refusal> {
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        let number = hosted.pulls.iter().map(|pull| pull.number).max().unwrap_or(BEFORE_FIRST) + 1;
        self.open_numbered(now, repository, (login, number), new)
    }

    /// The same with a number that is free.
    pub(crate) fn open_numbered(
        &mut self,
        now: Timestamp,
        repository: &str,
        (login, number): (&str, u64),
        new: NewPull,
    ) -> Result<u64, Refusal> {
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        let invalid = |field, message: String| Refusal::invalid("PullRequest", field, message);
        let (owner, branch) = new.head.split_once(':').unwrap_or((&hosted.owner, &new.head));
        let named = new.head_repository.as_deref();
        let from = self
            .network(hosted)
            .find(|one| one.owner.eq_ignore_ascii_case(owner) && named.is_none_or(|name| *name == *one.name));
        let head = from.and_then(|from| from.branches.get(branch)).copied();
        let (Some(from), Some(head)) = (from.map(Hosted::key), head) else {
            return Err(invalid("head", String::new()));
        };
        let Some(base_tip) = hosted.branches.get(&new.base).copied() else {
            return Err(invalid("base", String::new()));
        };
        let is_same =
            |pull: &Pull| pull.open && pull.from == from && pull.branch == branch && pull.base == new.base;
        if hosted.pulls.iter().any(is_same) {
            return Err(custom(format!("A pull request already exists for {owner}:{branch}.")));
        }
        if self.objects.history(base_tip).contains(&head) {
            return Err(custom(format!("No commits between {} and {branch}", new.base)));
        }
        too_long(&new.body)?;
        let author = self.account(login).ok_or(Refusal::NotFound)?.login.clone();
        let pull = Pull {
            number,
            author,
            title: new.title,
            body: new.body,
            draft: new.draft,
            open: true,
            merged: None,
            from,
            branch: branch.to_owned(),
            head,
            base: new.base,
            base_tip,
            maintainer_can_modify: new.maintainer_can_modify,
            created: now,
            updated: now,
            closed: None,
            labels: Vec::new(),
            reviewers: Vec::new(),
            reviews: Vec::new(),
            comments: Vec::new(),
            later: VecDeque::new(),
        };
        self.start_checks(repository, &pull, now);
        if let Some(hosted) = self.repositories.get_mut(repository) {
            hosted.pulls.push(pull);
        }
        Ok(number)
    }

    /// The pull request, if that person may do this much with it; its author may always.
    fn pull_to_change(
        &mut self,
        repository: &str,
        login: &str,
        number: u64,
        least: Role,
    ) -> Result<&mut Pull, Refusal> {
        let hosted = self.repositories.get_mut(repository).ok_or(Refusal::NotFound)?;
        let role = hosted.role(login);
        let pull = hosted.pull_mut(number).ok_or(Refusal::NotFound)?;
        if role < least && !pull.author.eq_ignore_ascii_case(login) {
            return Err(Refusal::Forbidden("pull_requests=write"));
        }
        Ok(pull)
    }

    /// Changes title, body, base or state.
    pub(crate) fn edit_pull(
        &mut self,
        now: Timestamp,
        (repository, login): (&str, &str),
        number: u64,
        change: &dyn Fn(&mut Pull),
    ) -> Result<(), Refusal> {
        let pull = self.pull_to_change(repository, login, number, Role::Write)?;
        let mut edited = pull.clone();
        change(&mut edited);
        too_long(&edited.body)?;
        if edited.open && pull.merged.is_some() {
            return Err(custom("A merged pull request cannot be reopened.".to_owned()));
        }
        edited.updated = now;
        edited.closed = if edited.open { None } else { Some(pull.closed.unwrap_or(now)) };
        *pull = edited;
        Ok(())
    }

    /// Adds labels; unknown ones are made.
    pub(crate) fn label(
        &mut self,
        (repository, login): (&str, &str),
        number: u64,
        labels: &[String],
    ) -> Result<(), Refusal> {
        let hosted = self.repositories.get_mut(repository).ok_or(Refusal::NotFound)?;
        if hosted.role(login) < Role::Triage {
            return Err(Refusal::Forbidden("issues=write; pull_requests=write"));
        }
        let pull = hosted.pull_mut(number).ok_or(Refusal::NotFound)?;
        for label in labels {
            if !pull.labels.contains(label) {
                pull.labels.push(label.clone());
            }
        }
        hosted.labels.extend(labels.iter().cloned());
        Ok(())
    }

    pub(crate) fn comment(
        &mut self,
        now: Timestamp,
        (repository, login): (&str, &str),
        number: u64,
        body: String,
    ) -> Result<u64, Refusal> {
        too_long(&body)?;
        let author = self.account(login).ok_or(Refusal::NotFound)?.login.clone();
        // Anybody may comment on what is public.
        let pull = self.pull_to_change(repository, login, number, Role::Read)?;
        let id = small_id(&["comment", &number.to_string(), &pull.comments.len().to_string()]);
        pull.comments.push(Comment { id, author, body, at: now });
        Ok(id)
    }

    /// Asks people to review.
    pub(crate) fn request_reviewers(
        &mut self,
        (repository, login): (&str, &str),
        number: u64,
        reviewers: &[String],
    ) -> Result<(), Refusal> {
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        if let Some(pull) = hosted.pull(number)
            && reviewers.iter().any(|one| pull.author.eq_ignore_ascii_case(one))
        {
            return Err(custom("Review cannot be requested from pull request author.".to_owned()));
        }
        if !reviewers.iter().all(|one| hosted.is_collaborator(one)) {
            return Err(custom(format!(
                "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the {} repository.",
                hosted.full_name()
            )));
        }
        let pull = self.pull_to_change(repository, login, number, Role::Triage)?;
        for one in reviewers {
            if !pull.reviewers.contains(one) {
                pull.reviewers.push(one.clone());
            }
        }
        Ok(())
    }

    /// Submits a review. It is of that commit, whatever the branch points to.
    pub(crate) fn review(
        &mut self,
        now: Timestamp,
        (repository, login): (&str, &str),
        number: u64,
        mut review: Review,
    ) -> Result<u64, Refusal> {
        too_long(&review.body)?;
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        let pull = hosted.pull(number).ok_or(Refusal::NotFound)?;
        let is_own = pull.author.eq_ignore_ascii_case(login);
        let says_nothing = review.body.is_empty() && review.remarks.is_empty();
        match review.verdict {
            Opinion::Approve if is_own => {
                return Err(custom("Can not approve your own pull request".to_owned()));
            }
            Opinion::RequestChanges if is_own => {
                return Err(custom("Can not request changes on your own pull request".to_owned()));
            }
            Opinion::RequestChanges | Opinion::Comment if says_nothing => {
                return Err(custom("Could not create the review: its body is blank".to_owned()));
            }
            _ => {}
        }
        let own: BTreeSet<Oid> = self.commits(pull).into_iter().collect();
        if !own.contains(&review.commit) {
            return Err(custom("The commit_id is not part of the pull request".to_owned()));
        }
        let lines = self.commentable(pull);
        let is_outside = |remark: &Remark| !lines.contains(&(remark.path.clone(), remark.line, remark.left));
        if review.remarks.iter().any(is_outside) {
            return Err(custom("Pull request review thread line must be part of the diff".to_owned()));
        }
        let id = small_id(&["review", &number.to_string(), &pull.reviews.len().to_string()]);
        review.id = id;
        review.at = now;
        review.late_looks = Arc::new(AtomicU32::new(self.review_looks));
        review.author = self.account(login).ok_or(Refusal::NotFound)?.login.clone();
        let pull = self.pull_to_change(repository, login, number, Role::Read)?;
        pull.reviewers.retain(|one| !one.eq_ignore_ascii_case(login));
        pull.reviews.push(review);
        Ok(id)
    }

    /// The commits that it would bring, oldest first.
    pub(crate) fn commits(&self, pull: &Pull) -> Vec<Oid> {
        let before: BTreeSet<Oid> = self.objects.history(pull.base_tip).into_iter().collect();
        let mut own: Vec<Oid> =
            self.objects.history(pull.head).into_iter().filter(|oid| !before.contains(oid)).collect();
        own.reverse();
        own
    }

    /// What differs from the commit that both sides come from.
    pub(crate) fn changes(&self, pull: &Pull) -> Vec<FileChange> {
        let Some(base) = self.objects.merge_base(pull.base_tip, pull.head) else { return Vec::new() };
        self.changes_between(&base, &pull.head)
    }

    pub(crate) fn changes_between(&self, base: &Oid, head: &Oid) -> Vec<FileChange> {
        let (before, after) = (self.objects.files(base), self.objects.files(head));
        let mut gone: BTreeMap<Oid, String> = before
            .iter()
            .filter(|(path, _)| !after.contains_key(*path))
            .map(|(path, leaf)| (leaf.blob, path.clone()))
            .collect();
        let mut changes = Vec::new();
        for (path, leaf) in &after {
            let old = before.get(path).copied();
            if old == Some(*leaf) {
                continue;
            }
            let previous = if old.is_none() { gone.remove(&leaf.blob) } else { None };
            let before = previous.as_ref().map_or(old, |path| before.get(path).copied());
            changes.push(FileChange { path: path.clone(), previous, before, after: Some(*leaf) });
        }
        for path in gone.into_values() {
            let before = before.get(&path).copied();
            changes.push(FileChange { path, previous: None, before, after: None });
        }
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        changes
    }

    /// A file's difference as text; `None` where one side is no text.
    pub(crate) fn patch(&self, change: &FileChange) -> Option<Patch> {
        let text = |leaf: Option<Leaf>| match leaf.and_then(|leaf| self.objects.blob(&leaf.blob)) {
            Some(bytes) => std::str::from_utf8(bytes),
            None => Ok(""),
        };
        let (before, after) = (text(change.before).ok()?, text(change.after).ok()?);
        let mut patch = Patch::default();
        let diff = TextDiff::from_lines(before, after);
        for change in diff.iter_all_changes() {
            match change.tag() {
                similar::ChangeTag::Insert => patch.added += 1,
                similar::ChangeTag::Delete => patch.removed += 1,
                similar::ChangeTag::Equal => {}
            }
        }
        diff.unified_diff().context_radius(3).to_string().trim_end_matches('\n').clone_into(&mut patch.hunks);
        Some(patch)
    }

    /// Path, line and side of every line that a remark may stand on.
    fn commentable(&self, pull: &Pull) -> BTreeSet<(String, u64, bool)> {
        let mut lines = BTreeSet::new();
        for change in self.changes(pull) {
            let Some(patch) = self.patch(&change) else { continue };
            let (mut old, mut new) = (0, 0);
            for line in patch.hunks.lines() {
                match line.as_bytes().first() {
                    Some(b'@') => {
                        let start = |mark: char| {
                            let place = line.split(mark).nth(1)?;
                            place.split([',', ' ']).next()?.parse::<u64>().ok()
                        };
                        (old, new) = (start('-').unwrap_or(1), start('+').unwrap_or(1));
                    }
                    Some(b'-') => {
                        lines.insert((change.path.clone(), old, true));
                        old += 1;
                    }
                    Some(b'+') => {
                        lines.insert((change.path.clone(), new, false));
                        new += 1;
                    }
                    Some(b'\\') => {}
                    _ => {
                        lines.insert((change.path.clone(), old, true));
                        lines.insert((change.path.clone(), new, false));
                        (old, new) = (old + 1, new + 1);
                    }
                }
            }
        }
        lines
    }

    /// The files of the served branch with the change put on; `None` if both sides changed the same file.
    fn merged_files(&self, hosted: &Hosted, pull: &Pull) -> Option<Files> {
        let tip = hosted.branches.get(&pull.base)?;
        let base = self.objects.merge_base(*tip, pull.head)?;
        let (mut files, old) = (self.objects.files(tip), self.objects.files(&base));
        for change in self.changes_between(&base, &pull.head) {
            for path in [Some(&change.path), change.previous.as_ref()].into_iter().flatten() {
                if files.get(path) != old.get(path) {
                    return None;
                }
            }
            if let Some(previous) = &change.previous {
                files.remove(previous);
            }
            match change.after {
                Some(leaf) => files.insert(change.path, leaf),
                None => files.remove(&change.path),
            };
        }
        Some(files)
    }

    /// Whether it would go in without a conflict.
    pub(crate) fn is_mergeable(&self, hosted: &Hosted, pull: &Pull) -> bool {
        self.merged_files(hosted, pull).is_some()
    }

    /// Merges it, as a maintainer does on the site.
    ///
    /// # Errors
    /// In words: it is not there, closed, a draft, or conflicts.
    pub fn merge(&mut self, now: Timestamp, number: u64, by: &str) -> Result<(), String> {
        let repository = key(super::REGISTRY.0, super::REGISTRY.1);
        let hosted = self.repositories.get(&repository).ok_or("no registry")?;
        let pull = hosted.pull(number).ok_or("no such pull request")?;
        if !pull.open || pull.draft {
            return Err("it is closed or a draft".to_owned());
        }
        let files = self.merged_files(hosted, pull).ok_or("it conflicts")?;
        let tip = hosted.branches.get(MAIN).copied().ok_or("no branch")?;
        // One commit of everything, as the registry merges.
        let (author, message) = (pull.author.clone(), format!("{} (#{number})\n\n{}", pull.title, pull.body));
        let commit = self.commit_for(now, &author, tip, &files, message);
        let commit = commit.map_err(|_| "its author has gone")?;
        let merged = Merged { by: by.into(), at: now, commit };
        self.set_tip(&repository, MAIN, Some(commit), Some(now));
        if let Some(pull) = self.repositories.get_mut(&repository).and_then(|it| it.pull_mut(number)) {
            pull.merged = Some(merged);
            (pull.open, pull.closed, pull.updated) = (false, Some(now), now);
        }
        Ok(())
    }

    /// Somebody looks at a pull request: what its author does next comes a look nearer, or is done for the looks after this one.
    pub(crate) fn push_later(&mut self, now: Timestamp, number: u64) {
        let pull = self.registry_mut().and_then(|registry| registry.pull_mut(number));
        let Some(pull) = pull else { return };
        match pull.later.front_mut() {
            Some((left @ 1.., _)) => *left -= 1,
            Some((0, _)) => match pull.later.pop_front() {
                Some((_, Later::Pushed(tip))) => {
                    let (from, branch) = (pull.from.clone(), pull.branch.clone());
                    self.set_tip(&from, &branch, Some(tip), Some(now));
                }
                Some((_, Later::Retargeted(base))) => (pull.base, pull.updated) = (base, now),
                None => {}
            },
            None => {}
        }
    }

    /// Whoever opened it pushes one more commit, with a file that is not there yet, after so many looks at it.
    pub fn push(&mut self, now: Timestamp, number: u64, looks: u32) {
        let pull = self.registry_mut().and_then(|registry| registry.pull_mut(number)).cloned();
        let Some(pull) = pull else { return };
        let mut files = self.objects.files(&pull.head);
        let leaf = self.objects.plain("one more\n".into());
        files.insert("one-more.txt".to_owned(), leaf);
        let commit = self.commit_for(now, &pull.author, pull.head, &files, "One more".to_owned());
        let Ok(commit) = commit else { return };
        match self.registry_mut().and_then(|registry| registry.pull_mut(number)) {
            Some(pull) if looks > 0 => pull.later.push_back((looks, Later::Pushed(commit))),
            _ => self.set_tip(&pull.from, &pull.branch, Some(commit), Some(now)),
        }
    }

    /// Whoever opened it has it merged into another branch, after so many looks at it.
    pub fn retarget(&mut self, number: u64, base: &str, looks: u32) {
        match self.registry_mut().and_then(|registry| registry.pull_mut(number)) {
            Some(pull) if looks > 0 => pull.later.push_back((looks, Later::Retargeted(base.to_owned()))),
            Some(pull) => base.clone_into(&mut pull.base),
            None => {}
        }
    }

    /// Lets what was opened from a branch follow it: a new tip gets its checks, a branch that is gone closes it.
    pub(crate) fn follow(&mut self, repository: &str, branch: &str, tip: Option<Oid>, now: Timestamp) {
        let mut moved = Vec::new();
        for (key, hosted) in &mut self.repositories {
            for pull in &mut hosted.pulls {
                if !pull.open || pull.from != repository || pull.branch != branch {
                    continue;
                }
                pull.updated = now;
                match tip {
                    Some(tip) if tip != pull.head => {
                        pull.head = tip;
                        moved.push((key.clone(), pull.clone()));
                    }
                    Some(_) => {}
                    None => (pull.open, pull.closed) = (false, Some(now)),
                }
            }
        }
        for (key, pull) in moved {
            self.start_checks(&key, &pull, now);
        }
    }
}

impl Pull {
    /// People whose last word on its head is an approval: a push dismisses the ones before it.
    pub(crate) fn approvals(&self) -> u64 {
        let mut last: BTreeMap<&str, bool> = BTreeMap::new();
        for review in &self.reviews {
            if matches!(review.verdict, Opinion::Approve | Opinion::RequestChanges) {
                let stands = review.verdict == Opinion::Approve && review.commit == self.head;
                last.insert(&review.author, stands);
            }
        }
        last.values().filter(|stands| **stands).count() as u64
    }
}

/// A refusal in GitHub's own sentence.
fn custom(message: String) -> Refusal {
    Refusal::Invalid { resource: "PullRequest", field: "", code: "custom", message }
}

impl Hosted {
    /// The pull request of that number, to be changed as its author or a maintainer does on the site.
    pub fn pull_mut(&mut self, number: u64) -> Option<&mut Pull> {
        self.pulls.iter_mut().find(|pull| pull.number == number)
    }
}
