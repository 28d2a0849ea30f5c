//! The record of what was asked and answered: for assertions, and as JSON lines for a check against GitHub's own
//! description.
//!
//! Bounded in number and bytes. In memory it holds headers as they came, tokens included, so that a test can look for
//! a token where none belongs; what is written out has them blanked.

use std::collections::{BTreeMap, VecDeque};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::HeaderMap;
use serde_json::{Value, json};

use crate::fault::Lane;
use crate::wire::call::{Call, Host, Reply};

/// Bytes of bodies that a record keeps at most.
const MOST_BYTES: usize = 256 << 20;

/// One request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub lane: Lane,
    pub host: Host,
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub status: u16,
    pub response_headers: HeaderMap,
    pub response_body: Bytes,
    /// A fault of the world made this answer; GitHub's description does not bind it.
    pub fault: bool,
    /// When it was answered.
    pub at: tokio::time::Instant,
}

impl Exchange {
    /// Puts request and reply together.
    pub(crate) fn new(lane: Lane, call: &Call, reply: &Reply, fault: bool) -> Self {
        Self {
            lane,
            host: call.host,
            method: call.method.to_string(),
            target: call.target(),
            headers: call.headers.clone(),
            body: call.body.clone(),
            status: reply.status,
            response_headers: reply.headers.clone(),
            response_body: reply.body.clone(),
            fault,
            at: tokio::time::Instant::now(),
        }
    }

    /// Whether a token came with it.
    pub fn authorized(&self) -> bool {
        self.headers.contains_key(http::header::AUTHORIZATION)
    }

    /// Whether a text occurs anywhere in the request.
    pub fn carries(&self, text: &str) -> bool {
        let within = |bytes: &[u8]| bytes.windows(text.len().max(1)).any(|window| window == text.as_bytes());
        self.target.contains(text)
            || within(&self.body)
            || self
                .headers
                .iter()
                .any(|(name, value)| name.as_str().contains(text) || within(value.as_bytes()))
    }

    /// The exchange as one JSON object: canonical URL, tokens blanked. The answer of a fault is left out.
    pub fn to_json(&self) -> Value {
        let mut line = json!({
            "method": self.method,
            "url": format!("{}{}", self.host.canonical(), self.target),
            "headers": headers(&self.headers),
        });
        put_body(&mut line, &self.body);
        if self.fault {
            line["fault"] = json!(self.status);
        } else {
            let mut response = json!({ "status": self.status, "headers": headers(&self.response_headers) });
            put_body(&mut response, &self.response_body);
            line["response"] = response;
        }
        line
    }
}

fn headers(map: &HeaderMap) -> BTreeMap<String, String> {
    map.iter()
        .map(|(name, value)| {
            let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
            let blanked = match (name.as_str(), text.split_once(' ')) {
                ("authorization", Some((scheme, _))) => format!("{scheme} blanked"),
                ("authorization", None) => "blanked".into(),
                _ => text,
            };
            (name.to_string(), blanked)
        })
        .collect()
}

fn put_body(object: &mut Value, body: &Bytes) {
    if body.is_empty() {
        return;
    }
    match std::str::from_utf8(body) {
        Ok(text) => {
            object["body"] = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
        }
        Err(_) => object["body_base64"] = Value::String(STANDARD.encode(body)),
    }
}

/// The exchanges as JSON lines.
pub fn json_lines(exchanges: &[Exchange]) -> String {
    let mut lines = String::new();
    for exchange in exchanges {
        lines.push_str(&exchange.to_json().to_string());
        lines.push('\n');
    }
    lines
}

/// The latest exchanges.
#[derive(Debug)]
pub(crate) struct Record {
    kept: VecDeque<Exchange>,
    most: usize,
    bytes: usize,
}

impl Record {
    /// A record of at most so many exchanges.
    pub(crate) fn new(most: usize) -> Self {
        Self { kept: VecDeque::new(), most, bytes: 0 }
    }

    /// Adds one; the oldest make room.
    pub(crate) fn push(&mut self, exchange: Exchange) {
        if self.most == 0 {
            return;
        }
        self.bytes += exchange.body.len() + exchange.response_body.len();
        self.kept.push_back(exchange);
        while self.kept.len() > self.most || (self.bytes > MOST_BYTES && self.kept.len() > 1) {
            if let Some(old) = self.kept.pop_front() {
                self.bytes -= old.body.len() + old.response_body.len();
            }
        }
    }

    /// All that is kept, oldest first.
    pub(crate) fn list(&self) -> Vec<Exchange> {
        self.kept.iter().cloned().collect()
    }

    pub(crate) fn clear(&mut self) {
        self.kept.clear();
        self.bytes = 0;
    }
}
