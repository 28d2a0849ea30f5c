//! What goes wrong in the world: which requests it strikes, how often, and what they get instead.
//!
//! A fault is part of the world's state, so a scenario can say it and a test can add or clear it while the server runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use jiff::Timestamp;

use crate::moment::distance;

/// A family of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// `releases.atom`.
    Feed,
    /// `info/refs` and `git-upload-pack`.
    Git,
    /// `releases/download/…` on the web host.
    Asset,
    /// The host that downloads redirect to.
    Object,
    Rest,
    Graphql,
    /// The registry's own API.
    Served,
    Search,
    /// Anything else.
    Other,
}

impl Lane {
    pub(crate) const ALL: [Self; 9] = [
        Self::Feed,
        Self::Git,
        Self::Asset,
        Self::Object,
        Self::Rest,
        Self::Graphql,
        Self::Served,
        Self::Search,
        Self::Other,
    ];
}

/// What a struck request gets.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub enum FaultKind {
    /// `status:500`: this status, with the body that the host would send.
    Status(u16),
    /// `echo:422`: answers with this status and repeats the request's token in the body and the headers, as debugging
    /// proxies do.
    Echo(u16),
    /// `status:403-secondary`: GitHub's secondary limit.
    Secondary,
    /// `status:403-primary`: the hour's quota is used up.
    Primary,
    /// `slow:500ms`: the right answer, late.
    Slow(Duration),
    /// `withhold:10m`: the request takes effect at once, and its answer comes late.
    Withhold(Duration),
    /// `acted:422`: the request takes effect, but the answer has this status, as when a proxy sends the request
    /// twice.
    Acted(u16),
    /// `other:/repos/o/r/pulls/7`: answers with the content of this path instead of the requested one.
    Other(String),
    /// `truncate:100`: the first bytes, then the connection breaks.
    Truncate(usize),
    /// `short:100`: the first bytes, and a clean end that claims to be all.
    Short(usize),
    /// `declares:268435456`: a body that is said to have so many bytes, of which the first comes, then the connection breaks.
    Declares(u64),
    /// `loop`: a redirect to where it came from.
    Loop,
    /// `reset`: no answer; the connection or stream breaks.
    Reset,
    /// `html`: 200 with a page of HTML.
    Html,
    /// `empty`: 200 with nothing.
    Empty,
    /// `garbage`: 200 with bytes that are neither JSON, XML nor packets.
    Garbage,
    /// `graphql:RATE_LIMITED`: a GraphQL error of this type, for the repository alone if one is named.
    Graphql(String),
    /// `null:release`: every field of that name is null in a GraphQL answer, and no error says why.
    Null(String),
}

impl TryFrom<String> for FaultKind {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let fail = || {
            format!(
                "`{text}` is not a kind of fault; write one of `status:CODE`, `echo:CODE`, `status:403-secondary`, `status:403-primary`, \
                 `slow:500ms`, `withhold:500ms`, `acted:CODE`, `other:PATH`, `truncate:BYTES`, `short:BYTES`, `declares:BYTES`, `loop`, `reset`, `html`, `empty`, `garbage`, `graphql:TYPE`, `null:FIELD`"
            )
        };
        let (word, value) = text.split_once(':').unwrap_or((&text, ""));
        Ok(match (word, value) {
            ("status", "403-secondary") => Self::Secondary,
            ("status", "403-primary") => Self::Primary,
            ("status" | "echo" | "acted", code) => {
                let code: u16 = code.parse().map_err(|_| fail())?;
                if !(200..=599).contains(&code) {
                    return Err(fail());
                }
                match word {
                    "echo" => Self::Echo(code),
                    "acted" => Self::Acted(code),
                    _ => Self::Status(code),
                }
            }
            ("other", path) if path.starts_with('/') => Self::Other(path.to_owned()),
            ("slow" | "withhold", length) => {
                let length = distance(length).ok_or_else(fail)?;
                let length = length.try_into().map_err(|_| fail())?;
                if word == "slow" { Self::Slow(length) } else { Self::Withhold(length) }
            }
            ("truncate", bytes) => Self::Truncate(bytes.parse().map_err(|_| fail())?),
            ("short", bytes) => Self::Short(bytes.parse().map_err(|_| fail())?),
            ("declares", bytes) => Self::Declares(bytes.parse().map_err(|_| fail())?),
            ("loop", "") => Self::Loop,
            ("reset", "") => Self::Reset,
            ("html", "") => Self::Html,
            ("empty", "") => Self::Empty,
            ("garbage", "") => Self::Garbage,
            ("graphql", kind) if !kind.is_empty() => Self::Graphql(kind.to_owned()),
            ("null", field) if !field.is_empty() => Self::Null(field.to_owned()),
            _ => return Err(fail()),
        })
    }
}

/// One fault. Clones share the count of strikes.
#[derive(Clone, Debug)]
pub struct Fault {
    pub on: Vec<Lane>,
    /// Lower-case `owner/name` (or `namespace/name[/target]` on the registry's API); none strikes all.
    pub repositories: Vec<String>,
    /// A pattern for the path without query; `*` stands for anything.
    pub path: Option<String>,
    pub kind: FaultKind,
    /// It strikes no request that only asks.
    pub changes_only: bool,
    /// So many requests that it might have struck come through first.
    pub after: u32,
    /// How often it strikes; `None` is for ever.
    pub times: Option<u32>,
    /// How many of a hundred requests it strikes, by dice that are always the same; `None` is every one.
    pub percent: Option<u32>,
    /// It strikes while the world's clock is before this.
    pub until: Option<Timestamp>,
    /// Seconds for the `Retry-After` header.
    pub retry_after: Option<u64>,
    struck: Arc<AtomicU32>,
    /// Requests that it might have struck.
    met: Arc<AtomicU32>,
}

impl Fault {
    /// A fault that strikes every request of these lanes, for ever. Narrow it by setting its fields.
    pub fn new(on: &[Lane], kind: FaultKind) -> Self {
        Self {
            on: on.to_vec(),
            repositories: Vec::new(),
            path: None,
            changes_only: false,
            after: 0,
            kind,
            times: None,
            percent: None,
            until: None,
            retry_after: None,
            struck: Arc::default(),
            met: Arc::default(),
        }
    }

    /// The same fault for one repository.
    #[must_use]
    pub fn at(mut self, repository: &str) -> Self {
        self.repositories.push(repository.to_ascii_lowercase());
        self
    }

    /// The same fault, striking only so often.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// Whether it concerns such a request; does not count as a strike.
    pub fn matches(&self, lane: Lane, repository: Option<&str>, path: &str, now: Timestamp) -> bool {
        self.on.contains(&lane)
            && self.until.is_none_or(|until| now < until)
            && self.path.as_deref().is_none_or(|pattern| fits(pattern, path))
            && (self.repositories.is_empty()
                || repository.is_some_and(|name| self.repositories.iter().any(|one| one == name)))
    }

    /// The same fault, striking so many of a hundred requests; another `seed` strikes others.
    #[must_use]
    pub fn percent(self, percent: u32, seed: u32) -> Self {
        Self { percent: Some(percent), met: Arc::new(AtomicU32::new(seed)), ..self }
    }

    /// The same fault for the one change that comes after so many others.
    #[must_use]
    pub fn on_change(self, after: u32) -> Self {
        Self { changes_only: true, after, times: Some(1), ..self }
    }

    /// How often it has struck.
    pub fn struck(&self) -> u32 {
        self.struck.load(Ordering::Relaxed)
    }

    /// Uses up one strike, if one is left; so it also tells beforehand which requests the dice strike.
    pub fn strike(&self) -> bool {
        if self.after > 0 && self.met.fetch_add(1, Ordering::Relaxed) < self.after {
            return false;
        }
        if let Some(percent) = self.percent {
            let met = u64::from(self.met.fetch_add(1, Ordering::Relaxed));
            // SplitMix64: neighbouring numbers give unrelated ones.
            let mut dice = met.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            dice = (dice ^ (dice >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            dice = (dice ^ (dice >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            if (dice ^ (dice >> 31)) % 100 >= u64::from(percent) {
                return false;
            }
        }
        let limit = self.times.unwrap_or(u32::MAX);
        self.struck
            .try_update(Ordering::Relaxed, Ordering::Relaxed, |struck| {
                (struck < limit).then(|| struck.saturating_add(1))
            })
            .is_ok()
            || self.times.is_none()
    }
}

/// Whether a path fits a pattern in which `*` stands for any run of characters. Without a `*` it is a prefix.
pub(crate) fn fits(pattern: &str, path: &str) -> bool {
    if !pattern.contains('*') {
        return path.starts_with(pattern);
    }
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let read = |text: &str| FaultKind::try_from(text.to_owned());
        assert_eq!(read("status:429"), Ok(FaultKind::Status(429)));
        assert_eq!(read("status:403-secondary"), Ok(FaultKind::Secondary));
        assert_eq!(read("acted:422"), Ok(FaultKind::Acted(422)));
        assert_eq!(read("other:/a/b"), Ok(FaultKind::Other("/a/b".into())));
        assert_eq!(read("slow:500ms"), Ok(FaultKind::Slow(Duration::from_millis(500))));
        assert_eq!(read("echo:422"), Ok(FaultKind::Echo(422)));
        assert_eq!(read("truncate:100"), Ok(FaultKind::Truncate(100)));
        assert_eq!(read("declares:268435456"), Ok(FaultKind::Declares(256 << 20)));
        assert_eq!(read("graphql:RATE_LIMITED"), Ok(FaultKind::Graphql("RATE_LIMITED".into())));
        for text in [
            "",
            "status",
            "status:99",
            "echo:yes",
            "slow:fast",
            "truncate:-1",
            "reset:now",
            "graphql:",
            "null",
            "acted:ok",
            "other:a",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn patterns() {
        let path = "/o/terraform-provider-x/releases/download/v1.0.0/terraform-provider-x_1.0.0_SHA256SUMS";
        for (pattern, wanted) in [
            ("*_SHA256SUMS", true),
            ("/o/", true),
            ("*.sig", false),
            ("/o/*/v1.0.0/*", true),
            ("*v2*", false),
            ("*", true),
        ] {
            assert_eq!(fits(pattern, path), wanted, "{pattern}");
        }
    }

    #[test]
    fn some_of_a_hundred_are_struck() {
        for percent in [0, 5, 30, 100] {
            let fault = Fault::new(&[Lane::Feed], FaultKind::Empty).percent(percent, 7);
            let struck = (0..10_000).filter(|_| fault.strike()).count() as u32;
            assert!(struck.abs_diff(percent * 100) <= 200, "{percent} %: {struck} of 10,000");
        }
    }

    #[test]
    fn strikes_are_counted_and_shared_by_clones() {
        let now = Timestamp::UNIX_EPOCH;
        let fault = Fault::new(&[Lane::Feed], FaultKind::Empty).at("O/R").times(2);
        assert!(fault.matches(Lane::Feed, Some("o/r"), "/o/r/releases.atom", now));
        assert!(!fault.matches(Lane::Git, Some("o/r"), "/o/r/info/refs", now));
        assert!(!fault.matches(Lane::Feed, Some("o/s"), "/o/s/releases.atom", now));
        let twin = fault.clone();
        assert!(fault.strike() && twin.strike() && !fault.strike());
    }
}
