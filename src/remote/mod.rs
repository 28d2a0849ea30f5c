//! The servers over HTTP: tags, feeds, releases and files of GitHub repositories. The only home of HTTP.
//!
//! Everything here takes and gives `registry` types and decides nothing. Answers carry no time: the caller stamps them, with
//! [`observed`]. Dropping a call's future ends the call. Jobs are the callers.
//!
#![doc = include_str!("github.md")]

mod account;
mod actions;
mod api;
mod asset;
mod batch;
mod budget;
mod feed;
mod hosted;
mod http;
mod people;
mod pulls;
mod refs;
mod release;
mod served;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use secrecy::SecretString;
use tokio::sync::watch;

use crate::registry::{
    Address, Feed, FeedEntry, Protocols, ReleaseInfo, Repository, Served, ServedDocument, Sums, Tags,
};
use crate::rules::actions::{ArtifactRead, Builds, RunJob, RunRead};
use crate::rules::review::{PullCommit, Tree};
use crate::rules::sending::{Author, BumpRead, ConfirmedRequest, Made};
use crate::rules::watch::BumpRun;
use crate::settings::{Endpoints, Pace};

use batch::Question;

pub(crate) use account::Account;
pub(crate) use actions::WorkflowRead;
pub(crate) use asset::{Continued, Release, SMALL_LIMIT_BYTES, ZIP_LIMIT_BYTES};
pub(crate) use hosted::{CommitRead, HostedRepository, ListedPull};
pub(crate) use http::{Counts, Down, Download, Error, Fetched, LaneCounts, Rate, Validator, observed};
use http::{LeastRate, RawText};
pub(crate) use pulls::{CheckRead, Comparison, PullRead, ReviewRead, RulesRead};

/// What the servers are asked with.
#[derive(Debug)]
pub(crate) struct RemoteOptions {
    pub(crate) endpoints: Endpoints,
    pub(crate) pace: Pace,
    /// Sent to the configured GitHub hosts alone.
    pub(crate) token: Option<SecretString>,
    /// Certificate authorities trusted beside the system's own: the bytes of `Endpoints::ca_file`, read by the caller.
    pub(crate) ca_pem: Option<Vec<u8>>,
    /// Ours, for the User-Agent.
    pub(crate) version: &'static str,
    /// The longest pause that a call sits out; before a longer one it fails with `RateLimited` at once.
    pub(crate) patience: Duration,
    /// Whether limits hold the whole lane. Off only for loopback servers without throttles.
    pub(crate) hold: bool,
    /// A download of which no piece comes for that long is dead.
    pub(crate) silence: Duration,
    /// The lowest speed of a download; a slower one fails.
    pub(crate) least_rate: LeastRate,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            endpoints: Endpoints::default(),
            pace: Pace::default(),
            token: None,
            ca_pem: None,
            version: env!("CARGO_PKG_VERSION"),
            patience: Duration::from_secs(90),
            hold: true,
            silence: Duration::from_mins(1),
            least_rate: LeastRate::default(),
        }
    }
}

/// The servers. Clones share connections, budgets and counts.
#[derive(Clone)]
pub(crate) struct Remote {
    http: Arc<http::Http>,
    points: Arc<AtomicU64>,
    listed: Arc<pulls::Listed>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("http", &self.http).finish_non_exhaustive()
    }
}

impl Remote {
    /// Makes the clients ready; connects to nothing yet.
    ///
    /// # Errors
    /// `Protocol`: a base is no URL, the CA file holds no certificate, the token holds characters that no token has.
    pub(crate) fn new(options: RemoteOptions) -> Result<Self, Error> {
        Ok(Self { http: Arc::new(http::Http::new(options)?), points: Arc::default(), listed: Arc::default() })
    }

    /// All tags, and where a redirect led. An empty repository has none.
    pub(crate) async fn tags(&self, repository: &Repository) -> Result<Tags, Error> {
        refs::tags(&self.http, repository).await
    }

    /// The first page of the release feed.
    pub(crate) async fn feed(
        &self,
        repository: &Repository,
        validator: Option<&Validator>,
    ) -> Result<Fetched<Feed>, Error> {
        feed::feed(&self.http, repository, validator).await
    }

    /// `feed` and what follows it, for as long as every entry is `unknown`, for at most `pages` further pages.
    pub(crate) async fn feed_pages(
        &self,
        repository: &Repository,
        feed: Feed,
        unknown: impl Fn(&FeedEntry) -> bool,
        pages: usize,
    ) -> Result<Feed, Error> {
        feed::pages(&self.http, repository, feed, unknown, pages).await
    }

    /// The release of a tag, by REST: one request of the `core` quota.
    #[cfg(test)]
    pub(crate) async fn release(&self, repository: &Repository, tag: &str) -> Result<ReleaseInfo, Error> {
        release::by_tag(&self.http, repository, tag).await
    }

    /// All releases, by REST: one request for each hundred.
    pub(crate) async fn releases(&self, repository: &Repository) -> Result<Vec<ReleaseInfo>, Error> {
        release::all(&self.http, repository).await
    }

    /// The releases of many tags, by GraphQL: about one point for twenty. The answers stand in the order of the items.
    pub(crate) async fn release_batch(
        &self,
        items: &[(Repository, String)],
    ) -> Vec<Result<ReleaseInfo, Error>> {
        let items: Vec<(Repository, Question)> =
            items.iter().map(|(repository, tag)| (repository.clone(), Question::Tag(tag.clone()))).collect();
        let found = batch::ask(&self.http, &self.points, &items).await;
        let only = |list: Vec<ReleaseInfo>| list.into_iter().next().ok_or(Error::NotFound { status: 404 });
        found.into_iter().map(|answer| answer.and_then(only)).collect()
    }

    /// The newest releases (1 to 100) of many repositories, by GraphQL: a point for each hundred releases.
    #[cfg_attr(not(test), expect(dead_code, reason = "reviews ask for what is newest"))]
    pub(crate) async fn newest_batch(
        &self,
        repositories: &[Repository],
        count: u8,
    ) -> Vec<Result<Vec<ReleaseInfo>, Error>> {
        let items: Vec<(Repository, Question)> =
            repositories.iter().map(|repository| (repository.clone(), Question::Newest(count))).collect();
        batch::ask(&self.http, &self.points, &items).await
    }

    /// The SHA256SUMS document. `NotFound`: neither the plain name nor the one with `_v<version>_` is there.
    pub(crate) async fn sums(&self, release: Release<'_>) -> Result<Served<Sums>, Error> {
        asset::sums(&self.http, release).await
    }

    /// The SHA256SUMS document at a stored URL.
    pub(crate) async fn sums_at(&self, url: &str) -> Result<Served<Sums>, Error> {
        asset::sums_at(&self.http, url).await
    }

    /// The manifest's protocols. `NotFound`: there is no manifest under either name.
    pub(crate) async fn manifest(&self, release: Release<'_>) -> Result<Served<Protocols>, Error> {
        asset::manifest(&self.http, release).await
    }

    /// Opens a file; a body that reaches `limit_bytes` fails. The call keeps its place on the lane until it is dropped.
    pub(crate) async fn download(&self, url: &str, limit_bytes: u64) -> Result<Download, Error> {
        asset::download(&self.http, url, limit_bytes).await
    }

    /// Goes on with a download that was cut off behind its first bytes, if it is still the same file.
    pub(crate) async fn resume(
        &self,
        url: &str,
        limit_bytes: u64,
        from_bytes: u64,
        validator: Option<&Validator>,
    ) -> Result<Continued, Error> {
        asset::resume(&self.http, url, limit_bytes, from_bytes, validator).await
    }

    /// A small file as it is, such as a signature; 32 KiB are too much, as for the registry.
    pub(crate) async fn small_file(&self, url: &str) -> Result<Bytes, Error> {
        asset::small_file(&self.http, url).await
    }

    /// A small file as a client reads it, of whatever size up to 4 MiB.
    pub(crate) async fn client_file(&self, url: &str) -> Result<Bytes, Error> {
        asset::client_file(&self.http, url).await
    }

    /// Whose token it is, and what the API says about who asks: two requests, one of them free.
    pub(crate) async fn account(&self) -> Result<Account, Error> {
        account::ask(&self.http).await
    }

    /// Whose token it is.
    pub(crate) async fn owner(&self) -> Result<Author, Error> {
        hosted::owner(&self.http).await
    }

    /// The registry's own repository.
    pub(crate) async fn hosted(&self, repository: &Repository) -> Result<HostedRepository, Error> {
        hosted::about(&self.http, repository).await
    }

    /// The commit that a branch points to; `None`: there is no such branch.
    pub(crate) async fn tip(&self, repository: &Repository, branch: &str) -> Result<Option<String>, Error> {
        hosted::tip(&self.http, repository, branch).await
    }

    /// A file at a commit; `None`: it is not there.
    pub(crate) async fn file_at(
        &self,
        repository: &Repository,
        path: &str,
        commit: &str,
    ) -> Result<Option<Bytes>, Error> {
        self.file_within(repository, (path, commit), hosted::FILE_LIMIT_BYTES).await
    }

    /// The same of a file that anybody may have made as large as GitHub takes one.
    pub(crate) async fn file_within(
        &self,
        repository: &Repository,
        at: (&str, &str),
        most_bytes: u64,
    ) -> Result<Option<Bytes>, Error> {
        hosted::file(&self.http, repository, at, most_bytes).await
    }

    /// What lies in a folder at a commit: the paths of its files, and of its folders.
    pub(crate) async fn folder_at(
        &self,
        repository: &Repository,
        path: &str,
        commit: &str,
    ) -> Result<(Vec<String>, Vec<String>), Error> {
        hosted::folder(&self.http, repository, path, commit).await
    }

    /// Bytes by the id that git gives them, which is not held against them; `None`: they are not there.
    pub(crate) async fn blob_within(
        &self,
        repository: &Repository,
        id: &str,
        most_bytes: u64,
    ) -> Result<Option<Bytes>, Error> {
        hosted::blob(&self.http, repository, id, most_bytes).await
    }

    /// A folder, by the id of its tree or of a commit, which is not held against it.
    pub(crate) async fn tree(&self, repository: &Repository, id: &str) -> Result<Tree, Error> {
        hosted::tree(&self.http, repository, id).await
    }

    /// Whether the registry's own bump runs at the moment.
    pub(crate) async fn bump(&self, repository: &Repository, branch: &str) -> Result<BumpRead, Error> {
        hosted::bump(&self.http, repository, branch).await
    }

    /// The bumps of these hours; `None` where this account may not see them.
    pub(crate) async fn bump_runs(
        &self,
        repository: &Repository,
        branch: &str,
    ) -> Result<Option<Vec<BumpRun>>, Error> {
        hosted::bump_runs(&self.http, repository, branch).await
    }

    pub(crate) async fn open_pulls(&self, repository: &Repository) -> Result<Vec<ListedPull>, Error> {
        hosted::open_pulls(&self.http, repository).await
    }

    /// Those that wait, those with the newest news first; asked again, only what changed is sent.
    pub(crate) async fn waiting_pulls(&self, repository: &Repository) -> Result<Vec<PullRead>, Error> {
        pulls::open(&self.http, repository, &self.listed).await
    }

    /// The newest pull request of somebody's branch, open or not.
    pub(crate) async fn pull_of(
        &self,
        repository: &Repository,
        owner: &str,
        branch: &str,
    ) -> Result<Option<ListedPull>, Error> {
        hosted::pull_of(&self.http, repository, (owner, branch)).await
    }

    pub(crate) async fn pull(&self, repository: &Repository, number: u64) -> Result<ListedPull, Error> {
        hosted::pull(&self.http, repository, number).await
    }

    /// What was said below a pull request: login and text, in order.
    pub(crate) async fn comments(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Vec<(String, String)>, Error> {
        hosted::comments(&self.http, repository, number).await
    }

    /// Title and text of an issue.
    pub(crate) async fn issue(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<(String, String), Error> {
        hosted::issue(&self.http, repository, number).await
    }

    /// The versions of an entry that the registry's API lists.
    pub(crate) async fn served_versions(&self, address: &Address) -> Result<Vec<String>, Error> {
        served::versions(&self.http, address).await
    }

    /// The versions of an entry that the registry's search site lists.
    pub(crate) async fn searched_versions(&self, address: &Address) -> Result<Vec<String>, Error> {
        served::searched(&self.http, address).await
    }

    /// The checksum that the download document of a version names, for a platform (`os`, `arch`) of a provider.
    pub(crate) async fn served_download(
        &self,
        address: &Address,
        version: &str,
        platform: Option<(&str, &str)>,
    ) -> Result<Option<ServedDocument>, Error> {
        served::download(&self.http, address, version, platform).await
    }

    pub(crate) async fn commit(&self, repository: &Repository, id: &str) -> Result<CommitRead, Error> {
        hosted::commit(&self.http, repository, id).await
    }

    /// Sends one change, once, and says what it made. The only way in which anything is changed out there.
    pub(crate) async fn send(&self, request: ConfirmedRequest<'_>, pull: Option<u64>) -> Result<Made, Error> {
        hosted::send(&self.http, request, pull).await
    }

    /// Whether a workflow can be started, by the name of its file.
    pub(crate) async fn workflow(&self, repository: &Repository, file: &str) -> Result<WorkflowRead, Error> {
        actions::workflow(&self.http, repository, file).await
    }

    /// The runs of a workflow that were started by hand, the newest first.
    pub(crate) async fn workflow_runs(
        &self,
        repository: &Repository,
        file: &str,
        since: Option<Timestamp>,
    ) -> Result<Vec<RunRead>, Error> {
        actions::runs(&self.http, repository, file, since).await
    }

    /// What a repository's own workflows came to last.
    pub(crate) async fn builds(&self, repository: &Repository) -> Result<Builds, Error> {
        actions::builds(&self.http, repository).await
    }

    pub(crate) async fn workflow_run(&self, repository: &Repository, id: u64) -> Result<RunRead, Error> {
        actions::run(&self.http, repository, id).await
    }

    /// The jobs of a run's newest attempt.
    pub(crate) async fn run_jobs(&self, repository: &Repository, id: u64) -> Result<Vec<RunJob>, Error> {
        actions::jobs(&self.http, repository, id).await
    }

    /// The log of a job; `None` before it has ended.
    pub(crate) async fn job_log(&self, repository: &Repository, job: u64) -> Result<Option<String>, Error> {
        actions::log(&self.http, repository, job).await
    }

    pub(crate) async fn run_artifacts(
        &self,
        repository: &Repository,
        id: u64,
    ) -> Result<Vec<ArtifactRead>, Error> {
        actions::artifacts(&self.http, repository, id).await
    }

    /// The zip of an artifact, below a limit.
    pub(crate) async fn artifact(
        &self,
        repository: &Repository,
        id: u64,
        limit_bytes: u64,
    ) -> Result<Bytes, Error> {
        actions::artifact(&self.http, repository, id, limit_bytes).await
    }

    /// The paths that a pull request changes; `None` where they are more than GitHub lists.
    pub(crate) async fn changed_paths(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Option<Vec<String>>, Error> {
        hosted::changed_paths(&self.http, repository, number).await
    }

    /// The lines of files as they would be that the difference of a pull request shows, by path: beside others nothing is said.
    pub(crate) async fn shown_lines(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<BTreeMap<String, Vec<Range<u64>>>, Error> {
        hosted::shown_lines(&self.http, repository, number).await
    }

    /// A pull request on its own, with what only its own page has.
    pub(crate) async fn whole_pull(&self, repository: &Repository, number: u64) -> Result<PullRead, Error> {
        pulls::pull(&self.http, repository, number).await
    }

    /// Whether an organisation shows somebody as its member.
    pub(crate) async fn is_public_member(&self, organisation: &str, login: &str) -> Result<bool, Error> {
        people::is_public_member(&self.http, organisation, login).await
    }

    /// The commits that a pull request brings, oldest first.
    pub(crate) async fn pull_commits(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Vec<PullCommit>, Error> {
        people::commits(&self.http, repository, number).await
    }

    /// All reviews of a pull request, oldest first.
    pub(crate) async fn reviews(
        &self,
        repository: &Repository,
        number: u64,
    ) -> Result<Vec<ReviewRead>, Error> {
        pulls::reviews(&self.http, repository, number).await
    }

    /// What a branch asks of what is merged into it.
    pub(crate) async fn rules(&self, repository: &Repository, branch: &str) -> Result<RulesRead, Error> {
        pulls::rules(&self.http, repository, branch).await
    }

    /// The check runs of a commit. Some tokens cannot have the right to read them.
    pub(crate) async fn check_runs(
        &self,
        repository: &Repository,
        commit: &str,
    ) -> Result<Vec<CheckRead>, Error> {
        pulls::check_runs(&self.http, repository, commit).await
    }

    /// The jobs of Actions on a commit.
    pub(crate) async fn jobs(&self, repository: &Repository, commit: &str) -> Result<Vec<CheckRead>, Error> {
        pulls::jobs(&self.http, repository, commit).await
    }

    /// The statuses of a commit.
    pub(crate) async fn statuses(
        &self,
        repository: &Repository,
        commit: &str,
    ) -> Result<Vec<CheckRead>, Error> {
        pulls::statuses(&self.http, repository, commit).await
    }

    /// What came between two commits, or a commit and a branch.
    pub(crate) async fn compare(
        &self,
        repository: &Repository,
        between: (&str, &str),
    ) -> Result<Comparison, Error> {
        pulls::compare(&self.http, repository, between).await
    }

    /// Pauses, quotas, points used.
    pub(crate) fn rate(&self) -> Rate {
        Rate { points_used: self.points.load(Ordering::Relaxed), ..self.http.rate() }
    }

    /// Whether it is the host of the repositories.
    pub(crate) fn is_web(&self, host: &str) -> bool {
        self.http.is_web(host)
    }

    /// The hosts that are given up now, until they answer.
    pub(crate) fn down(&self) -> Vec<Down> {
        self.http.down()
    }

    /// Changes whenever a host is given up.
    pub(crate) fn downs(&self) -> watch::Receiver<u64> {
        self.http.downs()
    }

    /// The current time of the API's clock, in whole seconds; `None` before the API's first answer.
    pub(crate) fn api_time(&self) -> Option<Timestamp> {
        self.http.api_time()
    }

    /// What was sent since the start.
    pub(crate) fn counts(&self) -> Counts {
        self.http.counts()
    }

    /// Whether there is a token; without one there is no GraphQL.
    pub(crate) fn has_token(&self) -> bool {
        self.http.has_token()
    }

    /// Whether a server answered 401 to the token: it is wrong or has ended.
    pub(crate) fn is_token_refused(&self) -> bool {
        self.http.is_token_refused()
    }

    /// The error for an answer in the wrong form, with a text that contains part of the answer, such as a path.
    pub(crate) fn unreadable(&self, text: impl Into<RawText>) -> Error {
        self.http.unreadable(text)
    }
}
