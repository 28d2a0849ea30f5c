//! Forms of SHA256SUMS and manifest: the verdict, what it says, and what the bump does.

use std::fmt::Write;

use bumpdesk::surface::rules::Depth;

use super::scene::{before, check_bytes};
use crate::stage::Stage;

#[derive(Clone, Copy)]
enum Then {
    Added,
    /// With these protocols.
    AddedAs(&'static str),
    /// `no artifacts in release` is recorded.
    Recorded,
    /// Neither added nor recorded: tried again at every run.
    Refused,
}

const TAKEN: (&str, &str) = ("behind", "complete upstream");
const NO_ZIP: (&str, &str) = ("stranded", "names no expected file");

/// Name, words of the release, status with a part of its reason, what the bump does.
const TABLE: [(&str, &str, (&str, &str), Then); 17] = [
    ("blank", "sums = 'blank'", TAKEN, Then::Added),
    ("crlf", "sums = 'crlf'", TAKEN, Then::Added),
    ("extra", "sums = 'extra'", TAKEN, Then::Added),
    ("wrong", "sums = 'wrong'", ("stranded", "broken upstream: "), Then::Refused),
    ("upper", "sums = 'upper'", ("stranded", "has no lower-case SHA-256"), Then::Refused),
    ("big", "sums = 'big'", ("stranded", "limit of 32768 bytes"), Then::Refused),
    ("binary", "sums = 'binary'", NO_ZIP, Then::Recorded),
    ("paths", "sums = 'paths'", NO_ZIP, Then::Recorded),
    ("html", "sums = 'html'", NO_ZIP, Then::Recorded),
    ("empty", "sums = 'empty'", NO_ZIP, Then::Recorded),
    ("garbage", "sums = 'garbage'", NO_ZIP, Then::Recorded),
    ("plain", "protocols = ['6.0']", TAKEN, Then::AddedAs("['6.0']")),
    ("unlisted", "protocols = ['6.0'], manifest = 'unlisted'", TAKEN, Then::AddedAs("['6.0']")),
    ("nomanifest", "protocols = ['6.0'], manifest = 'missing'", TAKEN, Then::Added),
    ("nojson", "protocols = ['6.0'], manifest = 'invalid'", TAKEN, Then::Added),
    ("nolist", "protocols = ['6.0'], manifest = 'no-list'", TAKEN, Then::Added),
    ("emptylist", "manifest = 'empty-list'", TAKEN, Then::AddedAs("[]")),
];

/// A provider of the table, before and after.
fn provider(name: &str, words: &str, then: Then) -> (String, String) {
    let head = format!("[[provider]]\naddress = 'acme/{name}'\ntargets = ['linux_amd64']\n");
    let old = "{ version = '1.0.0', published = '-90d' }";
    let found = "version = '1.1.0', discovered = '2026-11-21T12:00:00Z'";
    let (new, errors) = match then {
        Then::Added => (format!("{{ {found} }}, "), ""),
        Then::AddedAs(list) => (format!("{{ {found}, protocols = {list} }}, "), ""),
        Then::Refused => (String::new(), ""),
        Then::Recorded => (
            String::new(),
            "errors = [{ version = '1.1.0', message = 'no artifacts in release', at = '2026-11-21T12:00:00Z' }]\n",
        ),
    };
    (
        format!("{head}stored = [{old}]\nreleases = [{{ tag = 'v1.1.0', {words} }}]\n"),
        format!("{head}{errors}stored = [{new}{old}]\n"),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_of_sums_and_manifest() {
    let clock = "clock = '2026-11-21T12:00:00Z'\n";
    let (mut text, mut then) = (clock.to_owned(), clock.to_owned());
    for (name, words, _, result) in TABLE {
        let (now, later) = provider(name, words, result);
        let _ = write!(text, "{now}");
        let _ = write!(then, "{later}");
    }
    let text = format!("{text}\n# after:\n{then}");
    let mut stage = Stage::set(before(&text)).await;
    let verdicts = stage.steady(Depth::Versions).await;
    for (name, _, (status, words), _) in TABLE {
        let verdict = &verdicts[&format!("acme/{name}")];
        assert_eq!(verdict.status.name(), status, "{name}: {verdict:?}");
        assert!(verdict.because.text.contains(words), "{name}: {}", verdict.because.text);
    }
    check_bytes(&mut stage, &text, verdicts.keys()).await;
}
