//! Bodies, capped while they are read, whatever length was declared and however well they were packed.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;
use tokio::time::Instant;

use crate::remote::http::error::{Error, RawError};
use crate::remote::http::secrets::{Secrets, Watch};
use crate::remote::http::wording::from_reqwest;
use crate::remote::http::{Flight, Validator, header_text};

const WORDS: usize = 16 * 1024;

/// An answer whose body is still to come.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) response: Response,
    pub(super) status: u16,
    /// The URL at which the redirects ended, canonical.
    pub(super) url: String,
    /// True if the answering host has received the token.
    pub(super) has_seen_token: bool,
}

/// A body that comes in pieces. Dropping it ends the transfer.
#[derive(Debug)]
pub(crate) struct Download {
    opened: Opened,
    flight: Flight,
    limit_bytes: u64,
    read_bytes: u64,
    silence: Duration,
    rate: Rate,
    secrets: Option<Arc<Secrets>>,
    watch: Watch,
}

/// The lowest speed of a download. A server that sends a byte now and then is not silent, so without this a download
/// could last for years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeastRate {
    pub(crate) bytes_per_s: u64,
    /// The waiting time over which the speed is measured.
    pub(crate) over: Duration,
}

impl Default for LeastRate {
    /// Ten downloads that share a link of 50 kB/s get 5 kB/s each, which is above this limit.
    fn default() -> Self {
        Self { bytes_per_s: 4 << 10, over: Duration::from_mins(1) }
    }
}

/// The bytes received since the last check of the speed. Time spent on the disk or on hashing does not count, because
/// the server is not the cause.
#[derive(Debug)]
struct Rate {
    least: LeastRate,
    waited: Duration,
    bytes: u64,
}

impl Rate {
    fn new(least: LeastRate) -> Self {
        Self { least, waited: Duration::ZERO, bytes: 0 }
    }

    /// Counts a received piece and the time spent waiting for it.
    fn note(&mut self, bytes: usize, waited: Duration) -> Result<(), RawError> {
        self.bytes += bytes as u64;
        self.waited += waited;
        if self.waited < self.least.over {
            return Ok(());
        }
        let bytes_per_s = (self.bytes as f64 / self.waited.as_secs_f64().max(f64::EPSILON)) as u64;
        if bytes_per_s < self.least.bytes_per_s {
            return Err(RawError::TooSlow { bytes_per_s, least: self.least.bytes_per_s, over: self.waited });
        }
        *self = Self::new(self.least);
        Ok(())
    }
}

impl Download {
    pub(super) fn new(
        opened: Opened,
        flight: Flight,
        limit_bytes: u64,
        (silence, least): (Duration, LeastRate),
        secrets: Option<Arc<Secrets>>,
    ) -> Result<Self, RawError> {
        check_declared(&opened.response, limit_bytes)?;
        let (rate, watch) = (Rate::new(least), Watch::default());
        Ok(Self { opened, flight, limit_bytes, read_bytes: 0, silence, rate, secrets, watch })
    }

    /// The next piece, as it was sent (decoded, if it was packed for the transfer); `None` at the end.
    ///
    /// # Errors
    /// `TooLarge` when the body reaches the limit, `Transport` when it is cut off, `Silent` when no
    /// piece came for too long, `TooSlow` when too few bytes came, `Protocol` when the server repeats our token.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let next = self.next().await;
        next.map_err(|error| error.scrubbed(self.secrets.as_deref()))
    }

    async fn next(&mut self) -> Result<Option<Bytes>, RawError> {
        let started = Instant::now();
        let next = tokio::time::timeout(self.silence, piece(&mut self.opened, self.secrets.as_deref())).await;
        let next = next.unwrap_or(Err(RawError::Silent { after: self.silence }));
        let tally = self.flight.tally.of(self.flight.lane);
        let Some(piece) = next.inspect_err(|_| tally.failed())? else { return Ok(None) };
        self.rate.note(piece.len(), started.elapsed()).inspect_err(|_| tally.failed())?;
        self.read_bytes += piece.len() as u64;
        tally.bytes(piece.len());
        if self.read_bytes >= self.limit_bytes {
            return Err(RawError::TooLarge { limit_bytes: self.limit_bytes });
        }
        // Archives come from a host that never receives the token, so they are not searched for it.
        let secrets = self.secrets.as_ref().filter(|_| self.opened.has_seen_token);
        if secrets.is_some_and(|secrets| self.watch.finds(secrets, &piece)) {
            return Err(repeats_token());
        }
        Ok(Some(piece))
    }

    /// Returns true if this is the rest of a file after its first bytes; those count as read from now on.
    ///
    /// # Errors
    /// `TooLarge`: both together reach the limit. `Protocol`: it is some other part of the file.
    pub(in crate::remote) fn goes_on_from(&mut self, from_bytes: u64) -> Result<bool, Error> {
        if self.opened.status != 206 {
            return Ok(false);
        }
        let range = header_text(self.opened.response.headers(), "content-range").unwrap_or_default();
        let first = range.strip_prefix("bytes ").and_then(|range| range.split_once('-'));
        if first.and_then(|(first, _)| first.parse().ok()) != Some(from_bytes) {
            return Err(Error::unreadable("another part of the file than the one that was asked for"));
        }
        self.read_bytes = from_bytes;
        if self.declared_bytes().is_some_and(|rest| rest.saturating_add(from_bytes) >= self.limit_bytes) {
            return Err(Error::TooLarge { limit_bytes: self.limit_bytes });
        }
        Ok(true)
    }

    /// The value that shows later whether it is still the same file.
    pub(crate) fn validator(&self) -> Option<Validator> {
        Validator::of(self.opened.response.headers())
    }

    pub(in crate::remote) fn status(&self) -> u16 {
        self.opened.status
    }

    /// Returns true if the server calls it a page for people, which no archive is.
    pub(crate) fn is_html(&self) -> bool {
        let media = header_text(self.opened.response.headers(), "content-type").unwrap_or_default();
        media.trim_start().to_ascii_lowercase().starts_with("text/html")
    }

    /// The declared length in bytes, if there is one.
    pub(crate) fn declared_bytes(&self) -> Option<u64> {
        self.opened.response.content_length()
    }

    pub(crate) fn read_bytes(&self) -> u64 {
        self.read_bytes
    }
}

/// Reads the body to its end. Refuses a body that reaches the limit or repeats the token.
pub(super) async fn read(
    opened: &mut Opened,
    limit_bytes: u64,
    secrets: Option<&Secrets>,
) -> Result<Bytes, RawError> {
    let body = read_all(opened, limit_bytes, secrets).await?;
    if secrets.is_some_and(|secrets| secrets.is_in_body(&body)) {
        return Err(repeats_token());
    }
    Ok(body)
}

async fn read_all(
    opened: &mut Opened,
    limit_bytes: u64,
    secrets: Option<&Secrets>,
) -> Result<Bytes, RawError> {
    check_declared(&opened.response, limit_bytes)?;
    let Some(first) = piece(opened, secrets).await? else { return Ok(Bytes::new()) };
    let mut length = first.len() as u64;
    let mut joined: Option<BytesMut> = None;
    loop {
        if length >= limit_bytes {
            return Err(RawError::TooLarge { limit_bytes });
        }
        // Most bodies come in one piece, which is then handed on as it is.
        let Some(piece) = piece(opened, secrets).await? else { break };
        length += piece.len() as u64;
        joined.get_or_insert_with(|| BytesMut::from(&first[..])).extend_from_slice(&piece);
    }
    Ok(joined.map_or(first, BytesMut::freeze))
}

async fn piece(opened: &mut Opened, secrets: Option<&Secrets>) -> Result<Option<Bytes>, RawError> {
    // The library names no address where a body breaks off.
    let of = opened.url.split(['?', '#']).next().unwrap_or_default();
    opened.response.chunk().await.map_err(|error| from_reqwest(&error, of, secrets))
}

/// Returns true if a body begins like an HTML page.
pub(super) fn begins_as_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}

fn repeats_token() -> RawError {
    RawError::protocol(
        "the answer repeats our GitHub token, so it was not read; find the server or proxy that does so",
    )
}

/// The beginning of a refusal's body; whatever of it can be had.
pub(super) async fn first_words(response: &mut Response) -> String {
    let mut words = Vec::new();
    while let Ok(Some(piece)) = response.chunk().await {
        words.extend_from_slice(&piece[..piece.len().min(WORDS - words.len())]);
        if words.len() >= WORDS {
            break;
        }
    }
    String::from_utf8_lossy(&words).into_owned()
}

fn check_declared(response: &Response, limit_bytes: u64) -> Result<(), RawError> {
    match response.content_length() {
        Some(declared) if declared >= limit_bytes => Err(RawError::TooLarge { limit_bytes }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// The time until a download is given up if pieces of `bytes` bytes arrive, each after `each`; `None` if the
    /// download completes.
    fn waited(total: u64, bytes: usize, each: Duration) -> Option<Duration> {
        let mut rate = Rate::new(LeastRate::default());
        let (mut read, mut waited) = (0, Duration::ZERO);
        while read < total {
            read += bytes as u64;
            waited += each;
            if let Err(error) = rate.note(bytes, each) {
                let text = error.scrubbed(None).to_string();
                assert!(text.contains("and at least 4096 are needed"), "{text}");
                return Some(waited);
            }
        }
        None
    }

    #[test]
    fn a_dripping_server_fails_and_a_slow_link_does_not() {
        const ARCHIVE: u64 = 256 << 20;
        let minute = Duration::from_mins(1);
        // Too slow: one byte a second (the reported case), one byte in 59 s, a kilobyte a second, and a burst
        // followed by a trickle.
        assert_eq!(waited(ARCHIVE, 1, SECOND), Some(minute));
        assert_eq!(waited(ARCHIVE, 1, 59 * SECOND), Some(118 * SECOND));
        assert_eq!(waited(ARCHIVE, 1000, SECOND), Some(minute));
        // Fast enough: 50 kB/s, alone and shared by ten downloads; 16 KiB every three seconds; a wait far shorter
        // than one check.
        assert_eq!(waited(ARCHIVE, 50_000, SECOND), None);
        assert_eq!(waited(ARCHIVE, 5_000, SECOND), None);
        assert_eq!(waited(ARCHIVE, 16 << 10, 3 * SECOND), None);
        assert_eq!(waited(50, 1, SECOND), None);
    }

    #[test]
    fn a_burst_gives_no_credit_for_later() {
        let mut rate = Rate::new(LeastRate::default());
        assert!(rate.note(100 << 20, Duration::from_mins(1)).is_ok());
        let drops = (0..60).map(|_| rate.note(1, SECOND)).find(Result::is_err);
        assert!(matches!(drops, Some(Err(RawError::TooSlow { bytes_per_s: 1, .. }))));
    }
}
