//! An opened entry.

use serde::Serialize;

use crate::desk::objects::VerdictObject;
use crate::desk::objects::keys::Keys;
use crate::jobs::data::Opened;
use crate::registry::RecordedError;
use crate::rules::Finding;
use crate::rules::notice::Known;

/// Type `entry`, for `show` and for a `diff` without a proposal.
#[derive(Serialize)]
pub(crate) struct EntryObject<'a> {
    #[serde(flatten)]
    verdict: VerdictObject<'a>,
    repository: String,
    means: &'static str,
    if_left: &'static str,
    can_do: &'static str,
    indexed_versions: Vec<&'a str>,
    warnings: &'a [String],
    errors: &'a [RecordedError],
    lint: &'a [Finding],
    /// The keys on file; null if the check was not deep enough.
    keys: Option<Keys<'a>>,
    /// The maintainer's notices about its versions.
    notices: &'a [Known],
}

impl<'a> EntryObject<'a> {
    pub(crate) fn new(opened: &'a Opened) -> Self {
        let kind = opened.address.kind();
        Self {
            verdict: VerdictObject::new(&opened.address, &opened.verdict),
            repository: opened.address.repository().url(),
            means: opened.verdict.means(kind),
            if_left: opened.verdict.if_left(kind),
            can_do: opened.verdict.can_do(kind),
            indexed_versions: opened.entry.versions(),
            warnings: opened.entry.as_provider().map_or(&[], |entry| &entry.warnings),
            errors: opened.entry.errors(),
            lint: &opened.findings,
            keys: opened.keys.as_deref().map(Keys::new),
            notices: &opened.notices,
        }
    }
}
