//! On what terms the world is served, and where.

use std::path::PathBuf;
use std::time::Duration;

use crate::machine::Machine;

/// What absolute links in answers begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// GitHub's own hosts, as on GitHub: a client must put its base in their place, or it leaves the test.
    #[default]
    Canonical,
    /// The world's own addresses, for clients that know of no bases (git, curl, tofu).
    Own,
}

/// How the world is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// https with HTTP/2 by ALPN; otherwise plain http.
    pub tls: bool,
    /// Where to write the certificate of the world's authority.
    pub ca_file: Option<PathBuf>,
    /// Where to write the configuration with which tofu and terraform take the world for the registry.
    pub cli_config_file: Option<PathBuf>,
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
    /// What carries jobs of Actions out; without it none begins.
    pub machine: Option<Machine>,
    /// True if the world's clock runs from its start time. Otherwise it stands still, which most tests need.
    pub clock_runs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tls: false,
            ca_file: None,
            cli_config_file: None,
            record: 50_000,
            etag: true,
            latency: None,
            port_base: None,
            links: Links::default(),
            git_from: None,
            machine: None,
            clock_runs: false,
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
    pub object: String,
    pub served: String,
    pub search: String,
    /// The authority's certificate, where the world speaks TLS.
    pub ca_pem: Option<String>,
    /// Where it was written.
    pub ca_file: Option<PathBuf>,
    pub cli_config_file: Option<PathBuf>,
}

impl Addresses {
    /// A configuration of the command lines of tofu and terraform: whatever they would ask the default registry of either,
    /// they ask this world. It keeps the addresses of providers, and so the lock file, as they are with the real registry.
    pub(crate) fn cli_config(&self) -> String {
        let host = |name: &str| {
            let Self { served, .. } = self;
            format!(
                "host \"{name}\" {{\n  services = {{\n    \"providers.v1\" = \"{served}/v1/providers/\"\n    \"modules.v1\"   = \"{served}/v1/modules/\"\n  }}\n}}\n"
            )
        };
        ["registry.opentofu.org", "registry.terraform.io"].map(host).concat()
    }
}
