//! The table of settings: one row for each, with its name in the configuration, its variable, its flag and its form.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::registry::Repository;

/// One setting.
#[derive(Debug)]
pub(crate) struct Row {
    /// The name in the configuration: `endpoints.api`.
    pub(crate) key: &'static str,
    pub(crate) variable: Option<&'static str>,
    pub(crate) flag: Option<&'static str>,
    pub(crate) form: Form,
}

/// What a setting's value looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    Text,
    Path,
    /// `OWNER/NAME` on GitHub.
    Repository,
    /// A base URL: `https`, or `http` on a loopback address.
    Url,
    Switch,
    Words(&'static [&'static str]),
    Rate,
    Count,
    Seconds,
    /// A moment in RFC 3339; not for the configuration.
    Moment,
}

/// Where a value came from. The order is the order of precedence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    /// Made from another value: the registry around the current folder, the GraphQL URL from the API's.
    Derived(&'static str),
    Config {
        file: PathBuf,
        line: usize,
        column: usize,
    },
    Variable(&'static str),
    Flag(&'static str),
}

impl Origin {
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::Derived(_) => 1,
            Self::Config { .. } => 2,
            Self::Variable(_) => 3,
            Self::Flag(_) => 4,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Derived(from) => write!(f, "from {from}"),
            Self::Config { file, line, column } => write!(f, "{}:{line}:{column}", file.display()),
            Self::Variable(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

const fn row(
    key: &'static str,
    variable: Option<&'static str>,
    flag: Option<&'static str>,
    form: Form,
) -> Row {
    Row { key, variable, flag, form }
}

pub(crate) const TABLE: &[Row] = &[
    row("registry", Some("BUMPDESK_REGISTRY"), Some("--registry"), Form::Path),
    row("state-dir", Some("BUMPDESK_STATE_DIR"), Some("--state-dir"), Form::Path),
    row("cache-dir", Some("BUMPDESK_CACHE_DIR"), Some("--cache-dir"), Form::Path),
    row("endpoints.api", Some("BUMPDESK_API_URL"), Some("--api-url"), Form::Url),
    row("endpoints.graphql", Some("BUMPDESK_GRAPHQL_URL"), Some("--graphql-url"), Form::Url),
    row("endpoints.web", Some("BUMPDESK_WEB_URL"), Some("--web-url"), Form::Url),
    row("endpoints.served", Some("BUMPDESK_SERVED_URL"), Some("--served-url"), Form::Url),
    row("endpoints.search", Some("BUMPDESK_SEARCH_URL"), Some("--search-url"), Form::Url),
    row("endpoints.repository", Some("BUMPDESK_REPOSITORY"), None, Form::Repository),
    row("endpoints.ca-file", Some("BUMPDESK_CA_FILE"), Some("--ca-file"), Form::Path),
    row("features.target-hashes", None, Some("--feature"), Form::Switch),
    row("features.discovered-timestamps", None, Some("--feature"), Form::Switch),
    row("features.versions-errors", None, Some("--feature"), Form::Switch),
    row("features.module-commits", None, Some("--feature"), Form::Switch),
    row("pace.git-per-second", None, None, Form::Rate),
    row("pace.git-at-once", None, None, Form::Count),
    row("pace.feed-per-second", None, None, Form::Rate),
    row("pace.feed-at-once", None, None, Form::Count),
    row("pace.asset-per-second", None, None, Form::Rate),
    row("pace.asset-at-once", None, None, Form::Count),
    row("pace.api-per-second", None, None, Form::Rate),
    row("pace.api-at-once", None, None, Form::Count),
    row("pace.served-per-second", None, None, Form::Rate),
    row("pace.served-at-once", None, None, Form::Count),
    row("pace.writes-per-second", None, None, Form::Rate),
    row("pace.watch-seconds", None, None, Form::Seconds),
    row("ui.plain", Some("BUMPDESK_PLAIN"), Some("--plain"), Form::Switch),
    row("ui.color", None, Some("--color"), Form::Words(&["auto", "always", "never"])),
    row("ui.ascii", None, Some("--ascii"), Form::Switch),
    row("ui.theme", None, Some("--theme"), Form::Text),
    row("ui.motion", None, None, Form::Switch),
    row("ui.mouse", None, None, Form::Switch),
    row("ui.browser", None, None, Form::Text),
    row("now", Some("BUMPDESK_NOW"), Some("--now"), Form::Moment),
];

/// The row of a key.
pub(crate) fn find(key: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.key == key)
}

/// The longest rate and the most requests at once that a configuration may ask for.
const MOST_PER_SECOND: f64 = 1_000.0;
const MOST_AT_ONCE: usize = 256;
const LEAST_SECONDS: f64 = 0.01;
const MOST_SECONDS: f64 = 86_400.0;

impl Form {
    /// Checks a value; the error says what is wanted instead.
    pub(crate) fn check(self, value: &OsStr) -> Result<(), String> {
        if self == Self::Path {
            return Ok(());
        }
        let text = value.to_str().ok_or("it is not UTF-8 text")?;
        match self {
            Self::Text if text.chars().any(char::is_control) => Err("it has control characters".into()),
            Self::Text | Self::Path => Ok(()),
            Self::Repository if Repository::parse(text).is_some() => Ok(()),
            Self::Repository => Err("write it as OWNER/NAME".into()),
            Self::Url => super::far_sides::check_url(text),
            Self::Switch => switch(text).map(|_| ()).ok_or_else(|| "write `true` or `false`".into()),
            Self::Words(known) if known.contains(&text) => Ok(()),
            Self::Words(known) => Err(format!("write one of: {}", known.join(", "))),
            Self::Rate => match text.parse::<f64>() {
                Ok(rate) if rate > 0.0 && rate <= MOST_PER_SECOND => Ok(()),
                _ => Err(format!("write requests a second, above 0 and up to {MOST_PER_SECOND}")),
            },
            Self::Count => match text.parse::<usize>() {
                Ok(1..=MOST_AT_ONCE) => Ok(()),
                _ => Err(format!("write a count from 1 to {MOST_AT_ONCE}")),
            },
            Self::Seconds => match text.parse::<f64>() {
                Ok(seconds) if (LEAST_SECONDS..=MOST_SECONDS).contains(&seconds) => Ok(()),
                _ => Err(format!("write seconds from {LEAST_SECONDS} to {MOST_SECONDS}")),
            },
            Self::Moment => match text.parse::<Timestamp>() {
                Ok(_) => Ok(()),
                Err(_) => Err("write a moment such as 2026-09-22T12:00:00Z".into()),
            },
        }
    }
}

/// `true`, `on`, `yes`, `1` or their opposites.
pub(crate) fn switch(text: &str) -> Option<bool> {
    match text {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_check_their_values() {
        let cases = [
            (Form::Switch, "on", true),
            (Form::Switch, "maybe", false),
            (Form::Rate, "0.5", true),
            (Form::Rate, "0", false),
            (Form::Rate, "inf", false),
            (Form::Rate, "NaN", false),
            (Form::Count, "256", true),
            (Form::Count, "257", false),
            (Form::Seconds, "30", true),
            (Form::Seconds, "0.01", true),
            (Form::Seconds, "0", false),
            (Form::Seconds, "NaN", false),
            (Form::Seconds, "86401", false),
            (Form::Words(&["a", "b"]), "b", true),
            (Form::Words(&["a", "b"]), "c", false),
            (Form::Moment, "2026-09-22T12:00:00Z", true),
            (Form::Moment, "yesterday", false),
            (Form::Text, "a\u{1b}", false),
            (Form::Repository, "opentofu/registry", true),
            (Form::Repository, "../../x", false),
            (Form::Repository, "a", false),
            (Form::Repository, "/", false),
            (Form::Repository, "a/b?x", false),
            (Form::Repository, "a/b/c", false),
            (Form::Repository, "a/..", false),
            (Form::Repository, "", false),
        ];
        for (form, value, good) in cases {
            assert_eq!(form.check(OsStr::new(value)).is_ok(), good, "{form:?} {value}");
        }
    }

    #[test]
    fn every_feature_has_its_row() {
        for feature in crate::settings::Feature::ALL {
            assert!(find(&format!("features.{feature}")).is_some(), "{feature}");
        }
        for lane in crate::settings::Lane::ALL {
            assert!(find(&format!("pace.{}-per-second", lane.name())).is_some());
            assert!(find(&format!("pace.{}-at-once", lane.name())).is_some());
        }
    }
}
