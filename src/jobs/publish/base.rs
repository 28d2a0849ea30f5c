//! The base of a pull request: the head of the default branch as the API has it.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::data::{Failure, FailureKind};
use crate::jobs::publish::failed;
use crate::jobs::session::Session;
use crate::registry::keys::KeyFile;
use crate::registry::{BLACKLIST, ProviderAddress, keys};
use crate::remote::HostedRepository;
use crate::rules::sending::{Gate, GateName};
use crate::rules::signature::KeyRing;

/// One commit of the registry's repository.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) hosted: HostedRepository,
    pub(super) branch: String,
    /// Its id.
    pub(super) at: String,
    /// `None` where it has none.
    pub(super) blacklist: Option<Vec<u8>>,
    /// The blacklist there is that of the checkout, by which the files are built.
    has_our_blacklist: bool,
}

impl Base {
    pub(super) async fn read(env: &Arc<Env>, session: &Session) -> Result<Self, Failure> {
        let fail = |error| failed(env, &error);
        let hosted = env.remote.hosted(&env.repository).await.map_err(fail)?;
        let branch = hosted.default_branch.clone();
        let at = env.remote.tip(&hosted.repository, &branch).await.map_err(fail)?;
        let at = at.ok_or_else(|| {
            Failure::new(FailureKind::Data, "asking GitHub about the registry's repository")
                .cause(format!("its default branch `{branch}` is not there"))
        })?;
        let listed = env.remote.file_at(&hosted.repository, BLACKLIST, &at).await.map_err(fail)?;
        let ours = session.checkout.blacklist().unwrap_or_default();
        let has_our_blacklist = listed.as_deref() == ours.as_deref();
        let blacklist = listed.map(|bytes| bytes.to_vec());
        Ok(Self { hosted, branch, at, blacklist, has_our_blacklist })
    }

    /// Reads the branch once more, after everything was built on it: a bump may have landed in the meantime.
    pub(super) async fn gate(&self, env: &Arc<Env>, files: usize, moved: usize) -> Result<Gate, Failure> {
        if !self.has_our_blacklist {
            return Ok(Gate::fail(
                GateName::Base,
                format!(
                    "`{BLACKLIST}` on {} is not the one of the checkout, by which the files were built",
                    self.branch
                ),
                "Pull the checkout, then build the plan again with `bumpdesk plan rebuild`.",
            ));
        }
        let now = env.remote.tip(&self.hosted.repository, &self.branch).await;
        if now.map_err(|error| failed(env, &error))?.as_ref() != Some(&self.at) {
            return Ok(Gate::fail(
                GateName::Base,
                format!("{} got a new commit while this was made ready", self.branch),
                "Do the same again.",
            ));
        }
        Ok(Gate::base(&self.branch, &self.at, files, moved))
    }

    pub(super) async fn file(&self, env: &Arc<Env>, path: &str) -> Result<Vec<u8>, Failure> {
        let read = env.remote.file_at(&self.hosted.repository, path, &self.at).await;
        let bytes = read.map_err(|error| failed(env, &error))?;
        bytes.map(|bytes| bytes.to_vec()).ok_or_else(|| {
            Failure::new(FailureKind::Conflict, format!("reading `{path}` on {}", self.branch))
                .cause("it is not there any more")
                .hint("Drop the entry from the plan with `bumpdesk plan drop`.")
        })
    }

    /// Checks that a file that is to be new is not there: two authors may have submitted it.
    pub(super) async fn is_without(&self, env: &Arc<Env>, path: &str) -> Result<(), Failure> {
        let read = env.remote.file_at(&self.hosted.repository, path, &self.at).await;
        if read.map_err(|error| failed(env, &error))?.is_none() {
            return Ok(());
        }
        Err(Failure::new(FailureKind::Conflict, format!("looking for `{path}` on {}", self.branch))
            .cause("it is there by now: somebody else has added it")
            .hint("Drop the entry from the plan with `bumpdesk plan drop`."))
    }

    /// The keys that speak for a provider there.
    pub(super) async fn keys(&self, env: &Arc<Env>, provider: &ProviderAddress) -> Result<KeyRing, Failure> {
        let fail = |error| failed(env, &error);
        let list = |path: String| async move {
            env.remote.folder_at(&self.hosted.repository, &path, &self.at).await.map_err(fail)
        };
        let (mut paths, folders) = list(keys::folder(provider)).await?;
        let own = folders.into_iter().find(|folder| folder.rsplit('/').next() == Some(&*provider.name));
        if let Some(own) = own {
            paths.extend(list(own).await?.0);
        }
        let mut files = Vec::new();
        for path in keys::speaking_for(provider, paths.iter().map(String::as_str)) {
            files.push(KeyFile { path: path.to_owned(), text: self.file(env, path).await? });
        }
        Ok(KeyRing::read(&files))
    }
}
