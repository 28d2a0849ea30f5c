//! On what terms the world is served, and where.

use std::path::PathBuf;
use std::time::Duration;

/// What absolute links in answers begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// GitHub's own hosts, as on GitHub: a client must put its base in their place, or it leaves the test.
    #[default]
    Canonical,
    /// The world's own addresses, for clients that know of no bases (git, curl).
    Own,
}

/// How the world is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// https with HTTP/2 by ALPN; otherwise plain http.
    pub tls: bool,
    /// Where to write the certificate of the world's authority.
    pub ca_file: Option<PathBuf>,
    /// Exchanges to keep; 0 keeps none.
    pub record: usize,
    /// Validators on feeds, REST and the served API.
    pub etag: bool,
    /// In place of the world's own latency.
    pub latency: Option<Duration>,
    /// The first of five consecutive ports (api, web, object, served, search); free ones unless said.
    pub port_base: Option<u16>,
    pub links: Links,
    /// Another server (`http://127.0.0.1:PORT`) that answers git for the repositories that are here: real git over what
    /// `bare::write` wrote.
    pub git_from: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tls: false,
            ca_file: None,
            record: 50_000,
            etag: true,
            latency: None,
            port_base: None,
            links: Links::default(),
            git_from: None,
        }
    }
}

/// Where the world listens: base URLs without a trailing slash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    pub api: String,
    /// The whole URL.
    pub graphql: String,
    pub web: String,
    /// Where downloads redirect to; a client is never told of it but by a redirect.
    pub(crate) object: String,
    pub served: String,
    pub search: String,
    /// The authority's certificate, where the world speaks TLS.
    pub ca_pem: Option<String>,
    /// Where it was written.
    pub ca_file: Option<PathBuf>,
}

impl Addresses {
    /// One JSON object, for whoever started `demo --serve`.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "v": 1,
            "api": self.api,
            "graphql": self.graphql,
            "web": self.web,
            "object": self.object,
            "served": self.served,
            "search": self.search,
            "ca_file": self.ca_file,
        })
    }
}
