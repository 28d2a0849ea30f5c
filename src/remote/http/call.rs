//! Requests and their answers, for every caller.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde::{Deserialize, Serialize};

use crate::remote::http::error::RawError;
use crate::remote::http::header_text;
use crate::settings::Lane;

/// The values that make a later answer "not modified", as the server gave them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Validator {
    pub(crate) etag: Option<Box<str>>,
    /// `Last-Modified`, as sent. Asked with only where there is no ETag: of both the ETag would win.
    pub(crate) modified: Option<Box<str>>,
}

impl Validator {
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let take = |name| header_text(headers, name).filter(|text| text.len() <= 1024).map(Into::into);
        let validator = Self { etag: take("etag"), modified: take("last-modified") };
        (validator != Self::default()).then_some(validator)
    }
}

/// A conditional answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fetched<T> {
    New { value: T, validator: Option<Validator> },
    NotModified,
}

/// The failures after which a call may be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::remote) enum Retry {
    /// It changes something: never.
    Never,
    /// None: the caller repeats by a rule of its own. It changes nothing, so a pause is sat out.
    Caller,
    /// A failed connection; the caller has an answer of its own to statuses and time-outs.
    Connection,
    /// A failed connection, a time-out, 5xx.
    Full,
}

/// One call.
#[derive(Clone, Debug)]
pub(in crate::remote) struct Call<'a> {
    pub(in crate::remote) method: Method,
    /// Canonical, or an absolute URL from an answer.
    pub(in crate::remote) url: Cow<'a, str>,
    pub(in crate::remote) lane: Lane,
    /// The quota that it uses, where that is known.
    pub(in crate::remote) resource: Option<&'static str>,
    pub(in crate::remote) headers: Vec<(HeaderName, HeaderValue)>,
    pub(in crate::remote) body: Option<Bytes>,
    pub(in crate::remote) validator: Option<&'a Validator>,
    /// A body of that length is too long already.
    pub(in crate::remote) limit_bytes: u64,
    pub(in crate::remote) retry: Retry,
}

impl<'a> Call<'a> {
    pub(in crate::remote) fn get(lane: Lane, url: impl Into<Cow<'a, str>>, limit_bytes: u64) -> Self {
        Self {
            method: Method::GET,
            url: url.into(),
            lane,
            resource: None,
            headers: Vec::new(),
            body: None,
            validator: None,
            limit_bytes,
            retry: Retry::Full,
        }
    }
}

/// A whole answer: 2xx, or 304 where a validator was sent.
#[derive(Clone, Debug)]
pub(in crate::remote) struct Answer {
    pub(in crate::remote) status: u16,
    pub(in crate::remote) headers: HeaderMap,
    /// The URL at which the redirects ended, canonical.
    pub(in crate::remote) url: String,
    pub(in crate::remote) body: Bytes,
}

impl Answer {
    pub(in crate::remote) fn is_not_modified(&self) -> bool {
        self.status == 304
    }

    pub(in crate::remote) fn validator(&self) -> Option<Validator> {
        Validator::of(&self.headers)
    }

    /// The media type without its parameters, in lower case.
    pub(in crate::remote) fn media_type(&self) -> String {
        let whole = header_text(&self.headers, "content-type").unwrap_or_default();
        whole.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }
}

impl Call<'_> {
    pub(super) fn is_repeatable(&self, error: &RawError) -> bool {
        match self.retry {
            Retry::Never | Retry::Caller => false,
            Retry::Connection => matches!(error, RawError::Transport(_)),
            Retry::Full => error.is_transient(),
        }
    }
}
