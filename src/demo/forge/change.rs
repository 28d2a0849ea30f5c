//! Branches and commits: made, moved, deleted, forked and brought up to date.

use std::sync::atomic::Ordering;

use bytes::Bytes;
use jiff::Timestamp;

use crate::forge::objects::{Commit, Files, Leaf, PLAIN, Person};
use crate::forge::{Forge, Hosted, MAIN, Refusal, Role, automated};
use crate::signer::Signer;
use crate::world::{Oid, key};

/// The most that one commit by the API may bring, in bytes.
const MOST_CONTENT: usize = 40 << 20;

/// What `createCommitOnBranch` is asked for.
#[derive(Clone, Debug)]
pub(crate) struct NewCommit {
    pub(crate) branch: String,
    pub(crate) expected: Oid,
    pub(crate) headline: String,
    pub(crate) body: String,
    pub(crate) additions: Vec<(String, Bytes)>,
    pub(crate) deletions: Vec<String>,
}

/// What `updateRefs` is asked for with one branch.
#[derive(Clone, Debug)]
pub(crate) struct RefUpdate {
    pub(crate) branch: String,
    /// Where it must point; the id of zeros: it must not be there.
    pub(crate) before: Option<Oid>,
    /// Where it will point; the id of zeros: it is deleted.
    pub(crate) after: Oid,
    pub(crate) force: bool,
}

impl Forge {
    /// The repository, if that person may do this much in it.
    fn writable(&self, repository: &str, login: &str, least: Role) -> Result<&Hosted, Refusal> {
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        if hosted.role(login) < least { Err(Refusal::Forbidden("contents=write")) } else { Ok(hosted) }
    }

    /// Makes a branch; `name` is the whole ref.
    pub(crate) fn create_ref(
        &mut self,
        repository: &str,
        login: &str,
        name: &str,
        at: Oid,
    ) -> Result<(), Refusal> {
        let hosted = self.writable(repository, login, Role::Write)?;
        let Some(branch) = name.strip_prefix("refs/heads/").filter(|branch| is_branch_name(branch)) else {
            return Err(Refusal::invalid("Reference", "ref", format!("{name} is not a valid ref name.")));
        };
        if hosted.branches.contains_key(branch) {
            return Err(Refusal::invalid("Reference", "ref", "Reference already exists"));
        }
        if self.objects.commit(&at).is_none() {
            return Err(Refusal::invalid("Reference", "sha", "Object does not exist"));
        }
        self.set_tip(repository, branch, Some(at), None);
        Ok(())
    }

    /// Moves a branch; without `force` only forward.
    pub(crate) fn move_ref(
        &mut self,
        now: Timestamp,
        (repository, login): (&str, &str),
        branch: &str,
        to: Oid,
        force: bool,
    ) -> Result<(), Refusal> {
        let hosted = self.writable(repository, login, Role::Write)?;
        let Some(tip) = hosted.branches.get(branch).copied() else {
            return Err(Refusal::invalid("Reference", "ref", "Reference does not exist"));
        };
        refuse_protected(hosted, branch)?;
        if self.objects.commit(&to).is_none() {
            return Err(Refusal::invalid("Reference", "sha", "Object does not exist"));
        }
        if !force && !self.objects.history(to).contains(&tip) {
            return Err(Refusal::invalid("Reference", "sha", "Update is not a fast forward"));
        }
        self.set_tip(repository, branch, Some(to), Some(now));
        Ok(())
    }

    /// Deletes a branch; pull requests from it are closed.
    pub(crate) fn delete_ref(
        &mut self,
        now: Timestamp,
        repository: &str,
        login: &str,
        branch: &str,
    ) -> Result<(), Refusal> {
        let hosted = self.writable(repository, login, Role::Write)?;
        if !hosted.branches.contains_key(branch) {
            return Err(Refusal::invalid("Reference", "ref", "Reference does not exist"));
        }
        refuse_protected(hosted, branch)?;
        self.set_tip(repository, branch, None, Some(now));
        Ok(())
    }

    /// Makes, moves and deletes branches: all of them, or after the first that is refused none.
    pub(crate) fn update_refs(
        &mut self,
        now: Timestamp,
        (repository, login): (&str, &str),
        updates: &[RefUpdate],
    ) -> Result<(), Refusal> {
        let nothing = Oid::default();
        let hosted = self.writable(repository, login, Role::Write)?;
        let mut tips = Vec::new();
        for RefUpdate { branch, before, after, force } in updates {
            let invalid = |message: &str| Refusal::invalid("Ref", "refUpdates", message);
            let tip = hosted.branches.get(branch).copied();
            if let Some(before) = before
                && tip.unwrap_or(nothing) != *before
            {
                return Err(Refusal::Stale { expected: *before });
            }
            let after = (*after != nothing).then_some(*after);
            match (tip, after) {
                (None, None) => return Err(invalid("Reference does not exist")),
                (None, Some(_)) if !is_branch_name(branch) => {
                    return Err(invalid("It is not a valid ref name."));
                }
                (Some(_), _) => refuse_protected(hosted, branch)?,
                _ => {}
            }
            if after.is_some_and(|after| self.objects.commit(&after).is_none()) {
                return Err(invalid("Object does not exist"));
            }
            if let (Some(tip), Some(after)) = (tip, after)
                && !force
                && !self.objects.history(after).contains(&tip)
            {
                return Err(invalid("Update is not a fast forward"));
            }
            tips.push((branch, after));
        }
        for (branch, tip) in tips {
            self.set_tip(repository, branch, tip, Some(now));
        }
        Ok(())
    }

    /// Adds one commit to a branch, as `createCommitOnBranch` does: signed by the site, in the name of who asked.
    pub(crate) fn commit_on_branch(
        &mut self,
        now: Timestamp,
        repository: &str,
        login: &str,
        new: NewCommit,
    ) -> Result<Oid, Refusal> {
        let hosted = self.writable(repository, login, Role::Write)?;
        let tip = hosted.branches.get(&new.branch).copied().ok_or(Refusal::NotFound)?;
        refuse_protected(hosted, &new.branch)?;
        if tip != new.expected {
            return Err(Refusal::Stale { expected: new.expected });
        }
        let invalid = |field, message: &str| Refusal::invalid("Commit", field, message);
        if new.additions.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() >= MOST_CONTENT {
            return Err(invalid("fileChanges", "The additions are too large."));
        }
        let mut files = self.objects.files(&tip);
        for path in &new.deletions {
            if files.remove(path).is_none() {
                return Err(invalid("fileChanges", "A path was requested for deletion which does not exist"));
            }
        }
        if new.additions.iter().any(|(path, _)| !is_path(path)) {
            return Err(invalid("fileChanges", "A path is malformed"));
        }
        for (path, bytes) in new.additions {
            let blob = self.objects.put_blob(bytes);
            // What was executable stays so.
            files.entry(path).and_modify(|leaf| leaf.blob = blob).or_insert(Leaf { mode: PLAIN, blob });
        }
        let message =
            if new.body.is_empty() { new.headline } else { format!("{}\n\n{}", new.headline, new.body) };
        let oid = self.commit_for(now, login, tip, &files, message)?;
        self.set_tip(repository, &new.branch, Some(oid), Some(now));
        Ok(oid)
    }

    /// A commit that the site makes and signs in the name of somebody.
    pub(crate) fn commit_for(
        &mut self,
        now: Timestamp,
        login: &str,
        parent: Oid,
        files: &Files,
        message: String,
    ) -> Result<Oid, Refusal> {
        let author = self.account(login).ok_or(Refusal::NotFound)?.person();
        let tree = self.objects.put_tree(files);
        let mut commit = Commit {
            tree,
            parents: vec![parent],
            author,
            committer: Person { name: "GitHub".into(), email: "noreply@github.com".into() },
            at: now,
            signature: None,
            message,
        };
        commit.signature = Some(signature(&commit));
        Ok(self.objects.put_commit(&commit))
    }

    /// What the registry's automation does every fifteen minutes: puts files on the served branch (`None` deletes). Nothing to
    /// change, no commit.
    pub fn bump(&mut self, now: Timestamp, changes: impl IntoIterator<Item = (String, Option<Bytes>)>) {
        let repository = key(super::REGISTRY.0, super::REGISTRY.1);
        let Some(tip) = self.repositories.get(&repository).and_then(|it| it.branches.get(MAIN)).copied()
        else {
            return;
        };
        let before = self.objects.files(&tip);
        let (mut files, mut letter) = (before.clone(), 'a');
        for (path, bytes) in changes {
            letter = path.split('/').nth(1).and_then(|shard| shard.chars().next()).unwrap_or(letter);
            match bytes {
                Some(bytes) => {
                    let leaf = self.objects.plain(bytes);
                    files.insert(path, leaf);
                }
                None => {
                    files.remove(&path);
                }
            }
        }
        if files == before {
            return;
        }
        let tree = self.objects.put_tree(&files);
        let oid = self.objects.put_commit(&automated(tree, vec![tip], letter, now));
        self.set_tip(&repository, MAIN, Some(oid), Some(now));
    }

    /// A fork of one's own, with the served branch alone; one that is there already is given back.
    pub(crate) fn fork(&mut self, repository: &str, login: &str, looks: u32) -> Result<String, Refusal> {
        let hosted = self.repositories.get(repository).ok_or(Refusal::NotFound)?;
        let owner = self.account(login).ok_or(Refusal::NotFound)?.login.clone();
        let root = hosted.parent.clone().unwrap_or_else(|| repository.to_owned());
        let place = key(&owner, &hosted.name);
        if !self.repositories.contains_key(&place) {
            let mut fork = Hosted::new(&owner, &hosted.name);
            fork.branches = hosted
                .branches
                .get_key_value(MAIN)
                .map(|(name, tip)| (name.clone(), *tip))
                .into_iter()
                .collect();
            fork.parent = Some(root);
            fork.empty_looks.store(looks, Ordering::Relaxed);
            self.repositories.insert(place.clone(), fork);
        }
        Ok(place)
    }

    /// Brings a fork's branch up to its parent's. Gives back whether anything moved.
    pub(crate) fn merge_upstream(
        &mut self,
        now: Timestamp,
        repository: &str,
        login: &str,
        branch: &str,
    ) -> Result<bool, Refusal> {
        let fork = self.writable(repository, login, Role::Write)?;
        let parent = fork.parent.as_ref().and_then(|parent| self.repositories.get(parent));
        let theirs = parent.and_then(|parent| parent.branches.get(branch)).copied();
        let (Some(theirs), Some(ours)) = (theirs, fork.branches.get(branch).copied()) else {
            return Err(Refusal::invalid("Repository", "branch", "The branch does not exist."));
        };
        if !self.objects.history(theirs).contains(&ours) {
            return Err(Refusal::Conflict("There are merge conflicts".into()));
        }
        if ours != theirs {
            self.set_tip(repository, branch, Some(theirs), Some(now));
        }
        Ok(ours != theirs)
    }

    /// Sets or removes a branch; what was opened from it follows. `now` is left out for a new branch, from which nothing is.
    pub(crate) fn set_tip(
        &mut self,
        repository: &str,
        branch: &str,
        tip: Option<Oid>,
        now: Option<Timestamp>,
    ) {
        let Some(hosted) = self.repositories.get_mut(repository) else { return };
        match tip {
            Some(tip) => hosted.branches.insert(branch.to_owned(), tip),
            None => hosted.branches.remove(branch),
        };
        if let Some(now) = now {
            self.follow(repository, branch, tip, now);
        }
    }
}

/// The served branch takes changes by pull request alone.
fn refuse_protected(hosted: &Hosted, branch: &str) -> Result<(), Refusal> {
    if branch == MAIN && hosted.rules.approvals > 0 {
        let message = "Repository rule violations found\n\nChanges must be made through a pull request.";
        return Err(Refusal::invalid("Reference", "ref", message));
    }
    Ok(())
}

/// The site's own signature of a commit, ASCII-armored as git keeps it.
fn signature(commit: &Commit) -> String {
    use base64::Engine;
    let signer = Signer::new("GitHub", commit.at, None);
    let text =
        base64::engine::general_purpose::STANDARD.encode(signer.sign(commit.payload().as_bytes(), commit.at));
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    format!("-----BEGIN PGP SIGNATURE-----\n\n{}\n-----END PGP SIGNATURE-----", lines.join("\n"))
}

/// Whether a path names a file below the root (git's own rules, without `.git`).
fn is_path(path: &str) -> bool {
    !path.is_empty()
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != ".." && part != ".git")
        && !path.contains('\0')
}

/// The names of branches that git takes (git-check-ref-format).
fn is_branch_name(name: &str) -> bool {
    crate::bare::is_ref_name(name) && !name.starts_with('-')
}
