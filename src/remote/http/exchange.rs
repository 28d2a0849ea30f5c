//! One exchange: the request, its redirects, and the judgement of the status.
//!
//! Redirects are followed here, since the library would turn a repeated POST into a GET, and would not know which hosts
//! may see the token.

use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method};
use percent_encoding::percent_decode_str;
use reqwest::{Request, Response, Url};
use tokio::time::Instant;

use crate::remote::http::body::Opened;
use crate::remote::http::error::RawError;
use crate::remote::http::far::{Side, Target};
use crate::remote::http::{Call, Crossed, Http, Retry, body, judge};
use crate::settings::Lane;

const MOST_REDIRECTS: usize = 5;
const API_VERSION: HeaderValue = HeaderValue::from_static("2022-11-28");
const API_ACCEPT: HeaderValue = HeaderValue::from_static("application/vnd.github+json");

struct Hop {
    target: Target,
    method: Method,
    body: Option<Bytes>,
    /// The token may go along: every hop so far stayed on the first one's host.
    trusted: bool,
    /// The web host led to the host that keeps its files, so it has the file.
    is_listed: bool,
}

impl Http {
    /// The answer, and the host that gets the result of the request.
    pub(super) async fn exchange(&self, call: &Call<'_>) -> Result<(Opened, Crossed<'_>), RawError> {
        let target = self.far.resolve(&call.url, None)?;
        let trusted = call.lane != Lane::Served && target.side.is_some_and(Side::is_github);
        let mut hop =
            Hop { target, method: call.method.clone(), body: call.body.clone(), trusted, is_listed: false };
        for _ in 0..=MOST_REDIRECTS {
            let (response, crossed) = self.send(call, &hop).await?;
            match self.redirected(call, &hop, &response)? {
                Some(next) => {
                    self.learn(call.lane, &judge::signals(response.status().as_u16(), response.headers()));
                    crossed.answered();
                    hop = next;
                }
                None => return self.judged(call, &hop, response, crossed).await,
            }
        }
        Err(RawError::protocol(format!("more than {MOST_REDIRECTS} redirects")))
    }

    async fn send(&self, call: &Call<'_>, hop: &Hop) -> Result<(Response, Crossed<'_>), RawError> {
        if hop.trusted && self.refused_by(hop).load(Ordering::Relaxed) {
            // Thousands of wrong logins in a row look like an attack, and none would be answered.
            let message = "the token was refused before, so nothing more was asked with it".into();
            return Err(RawError::Unauthorized { status: 401, message });
        }
        let mut request = Request::new(hop.method.clone(), hop.target.url.clone());
        self.dress(call, hop, request.headers_mut());
        *request.body_mut() = hop.body.clone().map(Into::into);
        let crossed = self.cross(host(&hop.target.url), call.lane).await?;
        let tally = self.tally.of(call.lane);
        tally.sent();
        let began = Instant::now();
        let known = hop.target.side.is_some();
        let mut result = self.clients.send(call.lane, request, known, self.secrets()).await;
        if let (Ok(response), Some(secrets)) = (&mut result, self.secrets()) {
            secrets.strip(response.headers_mut());
        }
        let status = result.as_ref().map_or(0, |response| response.status().as_u16());
        if status == 0 || status >= 500 {
            tally.failed();
        }
        tracing::debug!(
            target: "bumpdesk::requests",
            lane = call.lane.name(),
            method = %hop.method,
            url = %self.loggable(&hop.target),
            status,
            ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            remaining = result.as_ref().ok().and_then(|r| judge::text(r.headers(), "x-ratelimit-remaining")),
            "request"
        );
        if let (Lane::Api, Ok(response)) = (call.lane, &result)
            && let Some(date) = judge::text(response.headers(), "date").and_then(judge::http_date)
        {
            let mut api_time = self.api_time.lock().unwrap_or_else(PoisonError::into_inner);
            *api_time = Some((date, Instant::now()));
        }
        match result {
            Ok(response) => Ok((response, crossed)),
            Err(error) => {
                if matches!(error, RawError::Transport(_)) {
                    crossed.failed(&error);
                }
                Err(error)
            }
        }
    }

    fn dress(&self, call: &Call<'_>, hop: &Hop, headers: &mut HeaderMap) {
        let git = call.lane == Lane::Git;
        headers.insert(USER_AGENT, if git { self.git_agent.clone() } else { self.agent.clone() });
        if matches!(hop.target.side, Some(Side::Api | Side::Graphql)) {
            headers.insert(ACCEPT, API_ACCEPT);
            headers.insert("x-github-api-version", API_VERSION);
        }
        if let (true, Some(token)) = (hop.trusted, &self.token) {
            let value = if git { &token.basic } else { &token.bearer };
            headers.insert(AUTHORIZATION, value.clone());
        }
        for (name, value) in &call.headers {
            headers.insert(name, value.clone());
        }
        if let Some(validator) = call.validator {
            let (name, value) = match (&validator.etag, &validator.modified) {
                (Some(etag), _) => (IF_NONE_MATCH, etag),
                (None, Some(modified)) => (IF_MODIFIED_SINCE, modified),
                (None, None) => return,
            };
            if let Ok(value) = HeaderValue::try_from(&**value) {
                headers.insert(name, value);
            }
        }
    }

    /// The next hop, if the answer is a redirect that may be followed.
    fn redirected(&self, call: &Call<'_>, hop: &Hop, response: &Response) -> Result<Option<Hop>, RawError> {
        let status = response.status().as_u16();
        let (301 | 302 | 303 | 307 | 308, Some(location)) = (status, response.headers().get(LOCATION)) else {
            return Ok(None);
        };
        let location = String::from_utf8_lossy(location.as_bytes());
        let joined = hop.target.url.join(&location);
        let joined = joined.map_err(|_| RawError::protocol(format!("a redirect to `{location}`")))?;
        // Where it leads is shown, logged and kept, and may be another host.
        let address = percent_decode_str(joined.as_str()).decode_utf8_lossy();
        if self.secrets().is_some_and(|secrets| secrets.is_in(&address)) {
            return Err(RawError::protocol(
                "a redirect to an address with our token in it, which was not followed",
            ));
        }
        let target = self.far.resolve(joined.as_str(), hop.target.side)?;
        if hop.target.url.scheme() == "https" && target.url.scheme() == "http" && target.side.is_none() {
            return Err(RawError::protocol("a redirect from https to plain http"));
        }
        if hop.target.side == Some(Side::Search) {
            return Err(RawError::protocol("a redirect of the search API, which was not followed"));
        }
        let writes = call.retry == Retry::Never;
        let kept = match status {
            307 | 308 => true,
            301 => !(writes && hop.method == Method::POST),
            _ => matches!(hop.method, Method::GET | Method::HEAD),
        };
        if writes && !kept {
            return Err(RawError::protocol("a redirect of a change, which was not followed"));
        }
        let same_host = target.url.origin() == hop.target.url.origin();
        if kept && writes && !same_host {
            return Err(RawError::protocol("a redirect of a change to another host"));
        }
        let (method, body) = if kept { (hop.method.clone(), hop.body.clone()) } else { (Method::GET, None) };
        let is_listed = hop.is_listed || (hop.target.side == Some(Side::Web) && target.side.is_none());
        let trusted = hop.trusted && same_host && target.side.is_some();
        Ok(Some(Hop { target, method, body, trusted, is_listed }))
    }

    /// The answer, or the error that its status means.
    async fn judged<'a>(
        &self,
        call: &Call<'_>,
        hop: &Hop,
        mut response: Response,
        crossed: Crossed<'a>,
    ) -> Result<(Opened, Crossed<'a>), RawError> {
        let status = response.status().as_u16();
        let mut signals = judge::signals(status, response.headers());
        let not_modified = status == 304 && call.validator.is_some();
        if response.status().is_success() || not_modified {
            self.learn(call.lane, &signals);
            if not_modified {
                self.tally.of(call.lane).not_modified();
            }
            let url = self.far.canonical(hop.target.url.as_str(), hop.target.side);
            let has_seen_token = hop.trusted && self.token.is_some();
            return Ok((Opened { response, status, url, has_seen_token }, crossed));
        }
        let words = body::first_words(&mut response).await;
        signals.throttled |= judge::names_a_limit(status, &words);
        let limit = self.learn(call.lane, &signals);
        if limit.is_some() {
            self.tally.of(call.lane).failed();
        }
        let token_sent = hop.trusted && self.token.is_some();
        if status == 401 && token_sent {
            self.refused_by(hop).store(true, Ordering::Relaxed);
        }
        let error = judge::refusal(status, &words, call.lane, token_sent, limit);
        match &error {
            RawError::Status { status: 500.. } => crossed.failed(&error),
            // If limits do not pause the lane, only the breaker stops thousands of useless requests.
            RawError::RateLimited { .. } if !self.budget().holds() => crossed.failed(&error),
            _ => crossed.answered(),
        }
        Err(match error {
            RawError::NotFound { status } if hop.is_listed => {
                RawError::Doubted { status, because: "though the release leads to it" }
            }
            error => error,
        })
    }

    /// The flag that records that the token was refused there. The API may refuse a token that git accepts.
    fn refused_by(&self, hop: &Hop) -> &AtomicBool {
        &self.refused[usize::from(hop.target.side == Some(Side::Web))]
    }

    /// The canonical URL; of a foreign one the query is left out, since that is where signatures stand.
    fn loggable(&self, target: &Target) -> String {
        match target.side {
            Some(side) => self.far.canonical(target.url.as_str(), Some(side)),
            None => without_query(&target.url),
        }
    }
}

/// The host as a message names it, with the port where that is not the usual one.
pub(super) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// That is where signatures stand.
pub(super) fn without_query(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}
