//! Values of a pull request that upstream publishes differently, each with its place.

use serde::Serialize;

use crate::rules::diff::FieldChange;
use crate::rules::plain_text::visible;
use crate::rules::review::clock;

/// One field for which the pull request and upstream give different values. The values are compact JSON, as in a [`FieldChange`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Mismatch {
    /// As stored; `None` for a field of the file itself.
    pub(crate) version: Option<String>,
    /// `os_arch`; `None` for a field of the version.
    pub(crate) platform: Option<String>,
    pub(crate) field: String,
    /// The value in the pull request; `None` if it has none.
    pub(crate) claimed: Option<String>,
    /// The value from upstream; `None` if upstream gives none.
    pub(crate) upstream: Option<String>,
    /// The index of the sentence about it among the points of the file.
    #[serde(skip)]
    pub(crate) point: usize,
}

impl Mismatch {
    /// `None` if neither side has a value from upstream: the registry's tool wrote it.
    pub(super) fn of(version: Option<&str>, platform: Option<&str>, change: &FieldChange) -> Option<Self> {
        // The registry's tool writes such a value if it does not know one; upstream does not provide it.
        let is_known = |value: &&String| !matches!(value.as_str(), "" | "null" | "\"\"" | "[]" | "0");
        let upstream = change.old.as_ref().filter(is_known);
        // The moment of this rebuild does not come from upstream.
        let is_ours = change.new.is_none() && (upstream.is_none() || change.field == clock::FOUND_AT);
        (!is_ours).then(|| Self {
            version: version.map(str::to_owned),
            platform: platform.map(str::to_owned),
            field: change.field.clone(),
            claimed: change.new.clone(),
            upstream: upstream.cloned(),
            point: 0,
        })
    }

    /// The version and the platform: `1.9.0 linux_amd64`.
    pub(crate) fn place(&self) -> String {
        let version = self.version.as_deref().map_or("the file".into(), visible);
        match &self.platform {
            Some(platform) => format!("{version} {}", visible(platform)),
            None => version.into_owned(),
        }
    }

    /// Both values without quotes, if each side has one.
    pub(crate) fn values(&self) -> Option<[&str; 2]> {
        fn text(value: &str) -> Option<&str> {
            value.strip_prefix('"')?.strip_suffix('"')
        }
        let both = [self.claimed.as_deref()?, self.upstream.as_deref()?];
        // A text beside a number keeps its quotes.
        Some(match both.map(text) {
            [Some(claimed), Some(upstream)] => [claimed, upstream],
            _ => both,
        })
    }

    /// `1.9.0 linux_amd64: shasum is "a", and upstream gives "b"`.
    pub(crate) fn sentence(&self) -> String {
        let is = |value: &Option<String>, none: &'static str| {
            value.as_deref().map_or(none.into(), |value| visible(value).into_owned())
        };
        let verb = if self.claimed.is_some() { "is " } else { "" };
        let (claimed, upstream) = (is(&self.claimed, "is missing"), is(&self.upstream, "none"));
        format!("{}: {} {verb}{claimed}, and upstream gives {upstream}", self.place(), visible(&self.field))
    }
}
