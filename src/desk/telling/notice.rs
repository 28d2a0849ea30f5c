//! What is told of known notices that an entry or a pull request meets.

use std::fmt::Write;

use crate::desk::telling::{Fact, Label, Tone};
use crate::registry::version::trim_v;
use crate::rules::amount::grouped;
use crate::rules::notice::Known;
use crate::rules::plain_text::visible;

const NOTICE: Label = Label::two("known", "known notice");

/// Versions that are named; the rest is counted.
const NAMED: usize = 5;

/// `#3974 on 2.18.0: Pin GoReleaser 2.14.3.`, one for each.
pub(crate) fn facts(known: &[Known]) -> Vec<Fact> {
    known.iter().map(fact).collect()
}

/// Those about one version.
pub(crate) fn of_version(known: &[Known], version: &str) -> Vec<Fact> {
    let is_it = |known: &&Known| known.versions.iter().any(|one| trim_v(one) == trim_v(version));
    known.iter().filter(is_it).map(fact).collect()
}

fn fact(known: &Known) -> Fact {
    let Known { notice, versions, .. } = known;
    let mut named = versions[..versions.len().min(NAMED)].join(", ");
    if versions.len() > NAMED {
        let _ = write!(named, " and {} more", grouped(versions.len() - NAMED));
    }
    let field = notice.field.as_ref().map(|field| format!(" (its {})", visible(field))).unwrap_or_default();
    let text = format!("#{} on {}{field}: {}", notice.issue, visible(&named), visible(&notice.reply));
    Fact::of(NOTICE, text).tone(Tone::Notice)
}
