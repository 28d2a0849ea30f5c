//! Bodies, capped while they are read, whatever length was declared and however well they were packed.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Response;

use crate::remote::error::Error;
use crate::remote::http::exchange::Opened;
use crate::remote::http::wording::from_reqwest;
use crate::remote::http::{Flight, Validator, header_text};

const WORDS: usize = 16 * 1024;

/// A body that comes in pieces. Dropping it ends the transfer.
#[derive(Debug)]
pub(crate) struct Download {
    opened: Opened,
    flight: Flight,
    limit_bytes: u64,
    read_bytes: u64,
    silence: Duration,
}

impl Download {
    pub(super) fn new(
        opened: Opened,
        flight: Flight,
        limit_bytes: u64,
        silence: Duration,
    ) -> Result<Self, Error> {
        check_declared(&opened.response, limit_bytes)?;
        Ok(Self { opened, flight, limit_bytes, read_bytes: 0, silence })
    }

    /// The next piece, as it was sent (decoded, if it was packed for the transfer); `None` at the end.
    ///
    /// # Errors
    /// `TooLarge` when the body reaches the limit, `Transport` when it is cut off, `Silent` when no
    /// piece came for too long.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let next = tokio::time::timeout(self.silence, piece(&mut self.opened)).await;
        let next = next.unwrap_or(Err(Error::Silent { after: self.silence }));
        let tally = self.flight.tally.of(self.flight.lane);
        let Some(piece) = next.inspect_err(|_| tally.failed())? else { return Ok(None) };
        self.read_bytes += piece.len() as u64;
        tally.bytes(piece.len());
        if self.read_bytes >= self.limit_bytes {
            return Err(Error::TooLarge { limit_bytes: self.limit_bytes });
        }
        Ok(Some(piece))
    }

    /// Whether this is the rest of a file behind its first bytes; those count as read from now on.
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
            return Err(Error::protocol("another part of the file than the one that was asked for"));
        }
        self.read_bytes = from_bytes;
        if self.declared_bytes().is_some_and(|rest| rest.saturating_add(from_bytes) >= self.limit_bytes) {
            return Err(Error::TooLarge { limit_bytes: self.limit_bytes });
        }
        Ok(true)
    }

    /// What tells whether it is still the same file later.
    pub(crate) fn validator(&self) -> Option<Validator> {
        Validator::of(self.opened.response.headers())
    }

    /// Whether it is the file from its beginning to its end: clients take no other success than 200.
    ///
    /// # Errors
    /// `Protocol`: the server says that it is something else.
    pub(in crate::remote) fn check_whole(self) -> Result<Self, Error> {
        match self.opened.status {
            200 => Ok(self),
            status => Err(not_the_file(status)),
        }
    }

    /// Whether the server calls it a page for people, which no archive is.
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

/// Reads the body to its end. One of exactly the limit is refused too.
pub(super) async fn read(opened: &mut Opened, limit_bytes: u64) -> Result<Bytes, Error> {
    check_declared(&opened.response, limit_bytes)?;
    let Some(first) = piece(opened).await? else { return Ok(Bytes::new()) };
    let mut length = first.len() as u64;
    let mut joined: Option<BytesMut> = None;
    loop {
        if length >= limit_bytes {
            return Err(Error::TooLarge { limit_bytes });
        }
        // Most bodies come in one piece, which is then handed on as it is.
        let Some(piece) = piece(opened).await? else { break };
        length += piece.len() as u64;
        joined.get_or_insert_with(|| BytesMut::from(&first[..])).extend_from_slice(&piece);
    }
    Ok(joined.map_or(first, BytesMut::freeze))
}

async fn piece(opened: &mut Opened) -> Result<Option<Bytes>, Error> {
    // The library names no address where a body breaks off.
    let of = opened.url.split(['?', '#']).next().unwrap_or_default();
    opened.response.chunk().await.map_err(|error| from_reqwest(&error, of))
}

/// A success that is not the file which was asked for, such as 204 or a part that nobody wanted.
pub(in crate::remote) fn not_the_file(status: u16) -> Error {
    Error::protocol(format!("HTTP {status} instead of the file"))
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

fn check_declared(response: &Response, limit_bytes: u64) -> Result<(), Error> {
    match response.content_length() {
        Some(declared) if declared >= limit_bytes => Err(Error::TooLarge { limit_bytes }),
        _ => Ok(()),
    }
}
