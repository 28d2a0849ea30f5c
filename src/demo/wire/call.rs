//! A request as the world sees it, and the reply it gives.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::fault::Lane;
use crate::world::key;

/// One of the world's hosts; each has a port of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host {
    /// api.github.com: REST and GraphQL.
    Api,
    /// github.com: feeds, git and downloads.
    Web,
    /// Where downloads redirect to. It must never see a token.
    Object,
    /// The registry's own API.
    Served,
    /// The registry's search API.
    Search,
}

impl Host {
    pub(crate) const ALL: [Self; 5] = [Self::Api, Self::Web, Self::Object, Self::Served, Self::Search];

    /// The base URL of the real host.
    pub(crate) fn canonical(self) -> &'static str {
        match self {
            Self::Api => "https://api.github.com",
            Self::Web => "https://github.com",
            Self::Object => "https://release-assets.githubusercontent.com",
            Self::Served => "https://registry.opentofu.org",
            Self::Search => "https://api.opentofu.org",
        }
    }
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) host: Host,
    pub(crate) method: Method,
    /// As sent: still percent-encoded.
    pub(crate) path: String,
    /// Without the question mark; empty if there is none.
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// A reply.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The connection breaks after so many bytes of the body.
    pub(crate) broken_after: Option<usize>,
}

impl Call {
    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The decoded value of a query parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        self.query.split('&').find_map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (key == name).then(|| decode(&value.replace('+', " ")))
        })
    }

    /// Path and query, as sent.
    pub(crate) fn target(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }

    /// The token that came with it, from `Bearer`, `token` or the password of `Basic`.
    pub(crate) fn token(&self) -> Option<String> {
        let (scheme, value) = self.header("authorization")?.split_once(' ')?;
        if scheme.eq_ignore_ascii_case("basic") {
            use base64::Engine;
            let plain = base64::engine::general_purpose::STANDARD.decode(value.trim()).ok()?;
            return String::from_utf8(plain).ok()?.split_once(':').map(|(_, password)| password.to_owned());
        }
        Some(value.trim().to_owned())
    }

    /// What kind of request it is, and the lower-case `owner/name` (or address) that it is about.
    pub(crate) fn lane(&self) -> (Lane, Option<String>) {
        let parts: Vec<&str> = self.path.trim_start_matches('/').split('/').collect();
        match (self.host, &parts[..]) {
            (Host::Api, ["graphql"]) => (Lane::Graphql, None),
            (Host::Api, ["repos", owner, name, ..]) => (Lane::Rest, Some(key(owner, name))),
            (Host::Api, _) => (Lane::Rest, None),
            (Host::Web, [owner, name, "releases.atom"]) => (Lane::Feed, Some(key(owner, name))),
            (Host::Web, [owner, name, "info", "refs"] | [owner, name, "git-upload-pack"]) => {
                (Lane::Git, Some(key(owner, name.strip_suffix(".git").unwrap_or(name))))
            }
            (Host::Web, [owner, name, "releases", "download", ..]) => (Lane::Asset, Some(key(owner, name))),
            (Host::Object, ["asset", owner, name, ..]) => (Lane::Object, Some(key(owner, name))),
            (Host::Object, _) => (Lane::Object, None),
            (Host::Served, ["v1", "providers", namespace, name, ..]) => {
                (Lane::Served, Some(key(namespace, name)))
            }
            (Host::Served, ["v1", "modules", namespace, name, target, ..]) => {
                (Lane::Served, Some(format!("{}/{}", key(namespace, name), target.to_ascii_lowercase())))
            }
            (Host::Served, _) => (Lane::Served, None),
            (Host::Search, _) => (Lane::Search, None),
            (Host::Web, _) => (Lane::Other, None),
        }
    }
}

impl Reply {
    /// A reply with a body of this type.
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status, headers, body: body.into(), broken_after: None }
    }

    /// A JSON reply, as GitHub's API sends it.
    pub(crate) fn json(status: u16, value: &serde_json::Value) -> Self {
        Self::new(status, "application/json; charset=utf-8", value.to_string())
    }

    /// A plain text.
    pub(crate) fn text(status: u16, text: impl Into<Bytes>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", text)
    }

    /// A reply without a body.
    pub(crate) fn bare(status: u16) -> Self {
        Self { status, headers: HeaderMap::new(), body: Bytes::new(), broken_after: None }
    }

    /// The same with a further header; a value that no header can hold is left out.
    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl AsRef<str>) -> Self {
        if let Ok(value) = HeaderValue::from_str(value.as_ref()) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }
}

/// Undoes percent-encoding; what is no escape stays.
pub(crate) fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// All but unreserved characters and `/`.
const ENCODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Percent-encodes a path as GitHub's links do.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, &ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_escapes() {
        assert_eq!(encode("v1.0.0+meta@x/y"), "v1.0.0%2Bmeta%40x/y");
        for text in ["v1.0.0+meta", "a/b", "ü %", ""] {
            assert_eq!(decode(&encode(text)), text);
        }
        assert_eq!(decode("a%2"), "a%2");
        assert_eq!(decode("%zz%C3"), "%zz\u{fffd}");
    }

    #[test]
    fn lanes() {
        let cases = [
            (Host::Web, "/O/R/releases.atom", Lane::Feed, Some("o/r")),
            (Host::Web, "/O/R.git/info/refs", Lane::Git, Some("o/r")),
            (Host::Web, "/o/r/releases/download/v1/x", Lane::Asset, Some("o/r")),
            (Host::Api, "/repos/o/r/releases", Lane::Rest, Some("o/r")),
            (Host::Api, "/graphql", Lane::Graphql, None),
            (Host::Served, "/v1/modules/a/b/c/versions", Lane::Served, Some("a/b/c")),
            (Host::Web, "/", Lane::Other, None),
        ];
        for (host, path, lane, repository) in cases {
            let call = Call {
                host,
                method: Method::GET,
                path: path.into(),
                query: String::new(),
                headers: HeaderMap::new(),
                body: Bytes::new(),
            };
            assert_eq!(call.lane(), (lane, repository.map(str::to_owned)), "{path}");
        }
    }
}
