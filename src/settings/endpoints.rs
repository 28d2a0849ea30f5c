//! The base URLs of every server. Registry data always holds canonical `https://github.com/…` URLs; only `remote`
//! maps them onto these bases, at the last moment.

use std::path::PathBuf;

/// The servers that bumpdesk talks to; bases have no trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// GitHub's REST API (`https://api.github.com`; on Enterprise Server `https://HOST/api/v3`).
    pub api: String,
    /// GitHub's GraphQL endpoint, the whole URL.
    pub graphql: String,
    /// Feeds, git over HTTP and release downloads (`https://github.com`).
    pub web: String,
    /// The registry's own API (`https://registry.opentofu.org`).
    pub served: String,
    /// The registry's search data (`https://api.opentofu.org`).
    pub search: String,
    /// The repository of the registry itself on GitHub, `owner/name`.
    pub repository: String,
    /// An extra certificate authority (PEM), trusted beside the system's own.
    pub ca_file: Option<PathBuf>,
}

impl Default for Endpoints {
    fn default() -> Self {
        Self {
            api: "https://api.github.com".into(),
            graphql: "https://api.github.com/graphql".into(),
            web: "https://github.com".into(),
            served: "https://registry.opentofu.org".into(),
            search: "https://api.opentofu.org".into(),
            repository: "opentofu/registry".into(),
            ca_file: None,
        }
    }
}
