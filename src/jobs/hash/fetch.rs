//! One download: it goes on where it was cut off, notices that the file was changed meanwhile, and feeds the hashing.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;

use crate::jobs::Env;
use crate::jobs::hash::body;
use crate::jobs::hash::body::Piece;
use crate::remote::{Continued, Download, Error, Validator};
use crate::rules::hash::{BodySum, Hashes, NoHash};

/// Times that a download is taken up again after it was cut off.
const MOST_RESUMES: u32 = 4;

/// A whole body, hashed.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) body: BodySum,
    pub(crate) hashes: Result<Hashes, NoHash>,
    /// Why it had to be read a second time from its copy.
    pub(crate) spooled: Option<String>,
    /// The server had another file there when the download went on; the later one was hashed.
    pub(crate) changed: bool,
    /// True if the server declares the file as an HTML page.
    pub(crate) is_page: bool,
}

/// Why there is no whole body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("there is no such file upstream")]
    Gone,
    #[error("it is {limit_bytes} bytes or larger")]
    TooLarge { limit_bytes: u64 },
    /// Asked to slow down: worth another try later.
    #[error("{0}")]
    Slow(String),
    #[error("{0}")]
    Failed(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound { .. } => Self::Gone,
            Error::TooLarge { limit_bytes } => Self::TooLarge { limit_bytes },
            Error::RateLimited { .. } => Self::Slow(error.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl Fault {
    /// The reason without the time to wait, for texts that are sent to GitHub.
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::Slow(_) => Error::RateLimited { retry_after: None, reset_epoch_s: None }.cause(),
            other => other.to_string(),
        }
    }
}

/// How far a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// So many of its bytes are there.
    Read(u64),
    /// All of them are, so many; what is left is to hash them, a second time from a copy if need be.
    Hashing(u64),
}

/// A worker says how far it is after so many bytes.
const TELL_EVERY_BYTES: u64 = 512 << 10;

/// Lets through as much of what [`fetch`] tells as is worth a message.
pub(crate) fn seldom(on_step: impl Fn(Step) + Send + Sync) -> impl Fn(Step) + Send + Sync {
    let last = Mutex::new(0u64);
    move |step| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_worth_it = match step {
            Step::Read(bytes) => bytes < *last || bytes - *last >= TELL_EVERY_BYTES,
            Step::Hashing(_) => true,
        };
        if is_worth_it {
            let (Step::Read(bytes) | Step::Hashing(bytes)) = step;
            *last = bytes;
            on_step(step);
        }
    }
}

/// True if an HTML page is hashed like any other file. Otherwise it is a failure, because a login or rate-limit page
/// with status 200 is not an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TakesPages(pub(crate) bool);

/// The failure for an HTML page that arrived instead of the file.
pub(crate) const PAGE: &str = "an HTML page came instead of the file";

/// Downloads and hashes a file; `told` hears how far it is. A body that reaches the limit is refused, as by
/// the registry. Dropping the future ends the download.
pub(crate) async fn fetch(
    env: &Arc<Env>,
    url: &str,
    limit_bytes: u64,
    on_step: &(dyn Fn(Step) + Send + Sync),
) -> Result<Fetched, Fault> {
    fetch_any(env, url, limit_bytes, on_step, TakesPages(false)).await
}

/// Downloads and hashes a file like [`fetch`]; `takes_pages` decides whether an HTML page is accepted.
pub(crate) async fn fetch_any(
    env: &Arc<Env>,
    url: &str,
    limit_bytes: u64,
    on_step: &(dyn Fn(Step) + Send + Sync),
    takes_pages: TakesPages,
) -> Result<Fetched, Fault> {
    // Without the path: what becomes of an archive is told in pull requests and reports, which leave this machine.
    let unusable = "the folder for downloads cannot be used; `bumpdesk doctor` says where it is";
    let spool = env.spool().map_err(|_| Fault::Failed(unusable.to_owned()))?;
    let download = checked(env.remote.download(url, limit_bytes).await?, takes_pages)?;
    let is_page = download.is_html();
    let (sender, mut pieces) = body::channel();
    let cores = env.hashing.clone();
    let hashing =
        tokio::task::spawn_blocking(move || body::hash_body(|| pieces.blocking_recv(), &spool, &cores));
    let mut transfer = Transfer {
        env,
        url,
        limit_bytes,
        on_step,
        sender,
        takes_pages,
        is_page,
        changed: false,
        read_bytes: 0,
    };
    let result = transfer.run(download).await;
    let (changed, is_page) = (transfer.changed, transfer.is_page);
    if result.is_ok() {
        on_step(Step::Hashing(transfer.read_bytes));
    }
    // The hashing ends with the last sender.
    drop(transfer);
    let summed = hashing.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    result?;
    Ok(Fetched { body: summed.body, hashes: summed.hashes, spooled: summed.spooled, changed, is_page })
}

fn checked(download: Download, takes_pages: TakesPages) -> Result<Download, Fault> {
    if download.is_html() && !takes_pages.0 {
        return Err(Fault::Failed(PAGE.into()));
    }
    Ok(download)
}

struct Transfer<'a> {
    env: &'a Arc<Env>,
    url: &'a str,
    limit_bytes: u64,
    on_step: &'a (dyn Fn(Step) + Send + Sync),
    sender: mpsc::Sender<Piece>,
    takes_pages: TakesPages,
    is_page: bool,
    changed: bool,
    read_bytes: u64,
}

impl Transfer<'_> {
    async fn run(&mut self, mut download: Download) -> Result<(), Fault> {
        let mut validator = download.validator();
        let mut resumes = 0;
        loop {
            match download.chunk().await {
                Ok(Some(bytes)) => {
                    self.read_bytes = download.read_bytes();
                    (self.on_step)(Step::Read(self.read_bytes));
                    self.send(Piece::Bytes(bytes)).await?;
                }
                Ok(None) => return Ok(()),
                Err(error @ (Error::Transport(_) | Error::Silent { .. })) if resumes < MOST_RESUMES => {
                    resumes += 1;
                    let at = download.read_bytes();
                    // Its place on the lane is free before another is asked for.
                    drop(download);
                    tracing::info!(target: "bumpdesk::jobs", "{} was cut off after {at} bytes ({error}); it continues", self.url);
                    download = self.resume(at, &mut validator).await?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The download again, behind what was read or, if the file is another now, from its beginning.
    async fn resume(&mut self, at: u64, validator: &mut Option<Validator>) -> Result<Download, Fault> {
        let continued = self.env.remote.resume(self.url, self.limit_bytes, at, validator.as_ref()).await?;
        match continued {
            Continued::On(download) => Ok(download),
            Continued::Anew(download) => {
                let download = checked(download, self.takes_pages)?;
                self.is_page = download.is_html();
                let now = download.validator();
                self.changed |= validator.is_some() && now != *validator;
                *validator = now;
                self.send(Piece::Anew).await?;
                Ok(download)
            }
        }
    }

    async fn send(&self, piece: Piece) -> Result<(), Fault> {
        // The hashing goes away only when it failed, and then its own panic tells why.
        self.sender.send(piece).await.map_err(|_| Fault::Failed("the hashing stopped".into()))
    }
}
