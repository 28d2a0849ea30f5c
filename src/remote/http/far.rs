//! The URLs that are really requested: canonical URLs mapped onto the configured bases, and back.
//!
//! Data and callers name `https://github.com/…`; the configured server takes its place here and nowhere else. A URL that
//! lies under no base is foreign: it is asked without the token.

use std::net::{IpAddr, Ipv4Addr};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;

use crate::remote::http::error::{RawError, clean};
use crate::settings::Endpoints;

/// A server that is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Graphql,
    Api,
    Web,
    Served,
    Search,
}

impl Side {
    /// Sides that may see the token.
    pub(super) fn is_github(self) -> bool {
        matches!(self, Self::Graphql | Self::Api | Self::Web)
    }
}

/// The real destination of a request.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) url: Url,
    /// `None`: a foreign host, such as a download host behind a redirect.
    pub(super) side: Option<Side>,
}

#[derive(Debug)]
struct Base {
    side: Side,
    canonical: &'static str,
    /// Normalised, without a trailing slash.
    real: String,
}

/// The configured bases.
#[derive(Debug)]
pub(super) struct Far {
    /// In the order in which canonical URLs are tried: GraphQL lies below the API.
    bases: Vec<Base>,
    /// Indices into `bases`, the longest base first: on an Enterprise Server the API lies below the web base.
    by_length: Vec<usize>,
}

impl Far {
    pub(super) fn new(endpoints: &Endpoints) -> Result<Self, RawError> {
        let table = [
            (Side::Graphql, "https://api.github.com/graphql", &endpoints.graphql),
            (Side::Api, "https://api.github.com", &endpoints.api),
            (Side::Web, "https://github.com", &endpoints.web),
            (Side::Served, "https://registry.opentofu.org", &endpoints.served),
            (Side::Search, "https://api.opentofu.org", &endpoints.search),
        ];
        let mut bases = Vec::with_capacity(table.len());
        for (side, canonical, configured) in table {
            let url = parse(configured).map_err(|error| {
                // This error comes from the configuration, so no server could have put the token into it.
                let error = error.scrubbed(None);
                RawError::protocol(format!("`{}` cannot be a base URL: {error}", clean(configured)))
            })?;
            bases.push(Base { side, canonical, real: url.as_str().trim_end_matches('/').into() });
        }
        let mut by_length: Vec<usize> = (0..bases.len()).collect();
        by_length.sort_by_key(|&index| std::cmp::Reverse(bases[index].real.len()));
        Ok(Self { bases, by_length })
    }

    /// Maps a canonical URL, or an absolute one from an answer, onto what is really asked. Bases may be the same: `from`
    /// then says which one is meant, the side that the answer came from.
    pub(super) fn resolve(&self, text: &str, from: Option<Side>) -> Result<Target, RawError> {
        // The canonical hosts are taken over plain http too: else such a URL would leave a simulated world.
        let text = match text.strip_prefix("http://") {
            Some(rest) if rest.starts_with("github.com/") || rest.starts_with("api.github.com/") => {
                &format!("https://{rest}")
            }
            _ => text,
        };
        for base in &self.bases {
            if let Some(rest) = below(text, base.canonical) {
                let url = parse(&format!("{}{rest}", base.real))?;
                return Ok(Target { url, side: Some(base.side) });
            }
        }
        let url = parse(text)?;
        // Parsing may have normalised the host's case, so the canonical ones are looked for once more.
        if url.as_str() != text && self.bases.iter().any(|base| below(url.as_str(), base.canonical).is_some())
        {
            return self.resolve(url.as_str(), from);
        }
        let side = self.base_of(url.as_str(), from).map(|(base, _)| base.side);
        // A data file or a redirect could otherwise have this machine ask what only it can reach.
        if side.is_none() && is_inner(&url) && !self.is_inner() {
            return Err(RawError::protocol("a URL into this machine's own network, which is not asked"));
        }
        Ok(Target { url, side })
    }

    /// The canonical form of a URL that was really asked; a foreign one stays as it is.
    pub(super) fn canonical(&self, url: &str, side: Option<Side>) -> String {
        match self.base_of(url, side) {
            Some((base, rest)) => format!("{}{rest}", base.canonical),
            None => url.into(),
        }
    }

    /// Returns true if every base is this machine itself, so that no proxy may stand between.
    pub(super) fn is_loopback(&self) -> bool {
        self.bases.iter().all(|base| {
            Url::parse(&base.real).ok().is_some_and(|url| match url.host_str() {
                Some(host) => host == "localhost" || host == "[::1]" || host.starts_with("127."),
                None => false,
            })
        })
    }

    /// Returns true if the web base itself is a host of this machine's own network.
    fn is_inner(&self) -> bool {
        let web = self.bases.iter().find(|base| base.side == Side::Web);
        web.and_then(|base| Url::parse(&base.real).ok()).is_some_and(|url| is_inner(&url))
    }

    /// Returns true if any base is asked without TLS: a proxy between would read the token.
    pub(super) fn is_partly_plain(&self) -> bool {
        self.bases.iter().any(|base| base.real.starts_with("http://"))
    }

    /// Returns true if no base is asked over TLS.
    pub(super) fn is_plain(&self) -> bool {
        self.bases.iter().all(|base| base.real.starts_with("http://"))
    }

    /// The longest base that the URL lies below; of equal ones the preferred, so that it stays on its side.
    fn base_of<'a>(&self, url: &'a str, prefer: Option<Side>) -> Option<(&Base, &'a str)> {
        let mut fits = self.by_length.iter().filter_map(|&index| {
            let base = &self.bases[index];
            below(url, &base.real).map(|rest| (base, rest))
        });
        let first = fits.next()?;
        let preferred = fits
            .take_while(|(base, _)| base.real.len() == first.0.real.len())
            .find(|(base, _)| Some(base.side) == prefer);
        if Some(first.0.side) == prefer { Some(first) } else { preferred.or(Some(first)) }
    }
}

/// The part of a URL after the base, if the URL is at or below the base.
fn below<'a>(url: &'a str, base: &str) -> Option<&'a str> {
    url.strip_prefix(base).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

fn parse(text: &str) -> Result<Url, RawError> {
    let url = Url::parse(text).map_err(|error| RawError::protocol(format!("not a URL: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(RawError::protocol(format!("`{}` is neither http nor https", url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(RawError::protocol("a URL with a user name in it"));
    }
    Ok(url)
}

/// Returns true if a URL names this machine, its network or the link by address: RFC 1122 §3.2.1.3, 1918, 3927, 4193, 4291 and
/// 6598. The address of a host name is not looked up.
fn is_inner(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let inner_v4 = |ip: Ipv4Addr| {
        let is_shared = ip.octets()[0] == 100 && ip.octets()[1] & 0xc0 == 64;
        ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.octets()[0] == 0 || is_shared
    };
    match host.trim_start_matches('[').trim_end_matches(']').parse() {
        Ok(IpAddr::V4(ip)) => inner_v4(ip),
        Ok(IpAddr::V6(ip)) => match ip.to_ipv4() {
            Some(ip) => inner_v4(ip),
            None => ip.is_unique_local() || ip.is_unicast_link_local(),
        },
        Err(_) => {
            let name = host.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

const UNRESERVED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const IN_PATH: AsciiSet = UNRESERVED.remove(b'/').remove(b'+').remove(b'@');

/// One path segment or more, fit for a URL: all but unreserved characters, `/`, `+` and `@` are percent-encoded.
pub(in crate::remote) fn encode_path(text: &str) -> String {
    utf8_percent_encode(text, &IN_PATH).to_string()
}

/// A query value, fit for a URL.
pub(in crate::remote) fn encode_query(text: &str) -> String {
    utf8_percent_encode(text, &UNRESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local() -> Far {
        Far::new(&Endpoints {
            api: "http://127.0.0.1:1/api/v3/".into(),
            graphql: "http://127.0.0.1:1/api/graphql".into(),
            web: "http://127.0.0.1:1".into(),
            served: "http://127.0.0.1:2".into(),
            search: "http://127.0.0.1:3".into(),
            repository: "opentofu/registry".into(),
            ca_file: None,
        })
        .unwrap()
    }

    #[test]
    fn canonical_urls_are_rebased_and_come_back() {
        let far = local();
        let cases = [
            (
                "https://github.com/a/b.git/info/refs?x=1",
                "http://127.0.0.1:1/a/b.git/info/refs?x=1",
                Side::Web,
            ),
            ("https://api.github.com/repos/a/b", "http://127.0.0.1:1/api/v3/repos/a/b", Side::Api),
            ("https://api.github.com/graphql", "http://127.0.0.1:1/api/graphql", Side::Graphql),
            ("https://registry.opentofu.org/v1/x", "http://127.0.0.1:2/v1/x", Side::Served),
            ("https://api.opentofu.org/x", "http://127.0.0.1:3/x", Side::Search),
        ];
        for (canonical, real, side) in cases {
            let target = far.resolve(canonical, None).unwrap();
            assert_eq!((target.url.as_str(), target.side), (real, Some(side)));
            assert_eq!(far.canonical(real, None), canonical);
            assert_eq!(far.resolve(real, None).unwrap().side, Some(side));
        }
        assert_eq!(
            far.resolve("HTTPS://GitHub.com/a/b", None).unwrap().url.as_str(),
            "http://127.0.0.1:1/a/b"
        );
        assert_eq!(
            far.resolve("http://github.com/a/b", None).unwrap().url.as_str(),
            "http://127.0.0.1:1/a/b"
        );
        assert_eq!(
            far.resolve("https://github.com:443/a", None).unwrap().url.as_str(),
            "http://127.0.0.1:1/a"
        );
        assert!(far.is_loopback());
    }

    #[test]
    fn lookalikes_are_foreign() {
        let far = local();
        for url in [
            "https://github.com.evil.example/a",
            "https://github.community/a",
            "https://objects.example/a",
            "http://127.0.0.1:11/a",
            "https://127.0.0.1:1/a",
        ] {
            let target = far.resolve(url, None).unwrap();
            assert_eq!((target.url.as_str(), target.side), (url, None));
            assert_eq!(far.canonical(url, None), url);
        }
        for url in ["file:///etc/passwd", "ftp://github.com/a", "nonsense", "https://me@github.com/a", ""] {
            assert!(matches!(far.resolve(url, None), Err(RawError::Protocol(_))), "{url}");
        }
    }

    #[test]
    fn a_data_file_leads_no_user_into_their_own_network() {
        let inner = [
            "http://127.0.0.1:8080/admin",
            "http://127.1/",
            "https://2130706433/",
            "https://localhost/x",
            "https://a.localhost./x",
            "http://10.0.0.1/x.zip",
            "http://172.16.5.4/x.zip",
            "http://192.168.1.1/x.zip",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://0.0.0.0/",
            "http://[::1]/x",
            "http://[::ffff:10.0.0.1]/x",
            "http://[fd00::1]/x",
            "http://[fe80::1]/x",
        ];
        let outer = [
            "https://objects.example/a",
            "https://172.32.0.1/",
            "https://[2001:db8::1]/",
            "https://localhost.example/",
        ];
        let far = Far::new(&Endpoints::default()).unwrap();
        for url in inner {
            let refused = far.resolve(url, None);
            assert!(
                matches!(&refused, Err(RawError::Protocol(text)) if text.contains("own network")),
                "{url}: {refused:?}"
            );
            // There the registry's own hosts stand too.
            assert_eq!(local().resolve(url, None).unwrap().side, None, "{url}");
        }
        for url in outer {
            assert_eq!(far.resolve(url, None).unwrap().side, None, "{url}");
        }
    }

    #[test]
    fn the_defaults_map_onto_themselves() {
        let far = Far::new(&Endpoints::default()).unwrap();
        for url in
            ["https://github.com/a/b", "https://api.github.com/graphql", "https://api.github.com/x?y=z"]
        {
            assert_eq!(far.resolve(url, None).unwrap().url.as_str(), url);
            assert_eq!(far.canonical(url, None), url);
        }
        assert!(!far.is_loopback());
        let bad = Endpoints { web: "github.com".into(), ..Endpoints::default() };
        assert!(matches!(Far::new(&bad), Err(RawError::Protocol(text)) if text.contains("`github.com`")));
    }

    #[test]
    fn equal_bases_are_distinguished_by_the_side_of_the_caller() {
        let one = || "http://127.0.0.1:1".to_owned();
        let far =
            Far::new(&Endpoints { api: one(), web: one(), served: one(), ..Endpoints::default() }).unwrap();
        for (side, canonical) in [
            (Side::Api, "https://api.github.com/a/b"),
            (Side::Web, "https://github.com/a/b"),
            (Side::Served, "https://registry.opentofu.org/a/b"),
        ] {
            assert_eq!(far.resolve("http://127.0.0.1:1/a/b", Some(side)).unwrap().side, Some(side));
            assert_eq!(far.canonical("http://127.0.0.1:1/a/b", Some(side)), canonical);
        }
    }

    #[test]
    fn parts_are_encoded() {
        assert_eq!(encode_path("mod/v1.0+x y#?%é"), "mod/v1.0+x%20y%23%3F%25%C3%A9");
        assert_eq!(encode_query("v1+a/b"), "v1%2Ba%2Fb");
    }
}
