//! Rules about the base URLs: their form, which are on this machine, and what follows from the API's.

use http::Uri;

/// Checks a base URL; the error says what is wanted.
pub(crate) fn check_url(text: &str) -> Result<(), String> {
    let wanted = || "write a URL such as https://github.example.org".to_owned();
    let uri: Uri = text.parse().map_err(|_| wanted())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(wanted()) };
    if authority.as_str().contains('@') {
        return Err("leave the user name and password out; the token comes from GH_TOKEN".into());
    }
    if uri.query().is_some() || text.contains('#') {
        return Err("leave out everything from `?` or `#` on".into());
    }
    match scheme {
        "https" => Ok(()),
        "http" if is_loopback(text) => Ok(()),
        "http" => Err("use https: the token would cross the network in the clear".into()),
        _ => Err(wanted()),
    }
}

/// Whether a URL's host is this machine: 127.0.0.0/8, ::1 or localhost.
pub(crate) fn is_loopback(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    let Some(host) = uri.host() else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

/// The host of a URL, lower case, without its port.
pub(crate) fn host(url: &str) -> Option<String> {
    url.parse::<Uri>().ok()?.host().map(str::to_ascii_lowercase)
}

/// The GraphQL URL beside an API base: `https://HOST/api/v3` has it at `https://HOST/api/graphql`.
pub(crate) fn graphql_of(api: &str) -> String {
    match api.strip_suffix("/api/v3") {
        Some(host) => format!("{host}/api/graphql"),
        None => format!("{api}/graphql"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_checked() {
        let good =
            ["https://api.github.com", "http://127.0.0.1:8080/api", "http://[::1]:80", "http://localhost:1"];
        for url in good {
            assert_eq!(check_url(url), Ok(()), "{url}");
        }
        let bad = [
            "github.com",
            "ftp://x.org",
            "http://github.com",
            "https://user:pw@x.org",
            "https://x.org?a=b",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org",
            "",
        ];
        for url in bad {
            assert!(check_url(url).is_err(), "{url}");
        }
    }

    #[test]
    fn loopback_and_graphql() {
        for (url, wanted) in [
            ("http://127.4.5.6:1", true),
            ("https://[::1]/x", true),
            ("http://LOCALHOST", true),
            ("http://0.0.0.0", false),
            ("https://github.com", false),
            ("https://127.0.0.1@evil.org", false),
        ] {
            assert_eq!(is_loopback(url), wanted, "{url}");
        }
        assert_eq!(graphql_of("https://h/api/v3"), "https://h/api/graphql");
        assert_eq!(graphql_of("https://api.github.com"), "https://api.github.com/graphql");
    }
}
