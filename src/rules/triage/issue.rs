//! What an issue of the registry is about: the entries that its title and its text name. The text is data of strangers; the only
//! thing taken out of it is what reads as an address or a version.

use std::cell::LazyCell;

use crate::registry::{Address, Catalog, Repository, Version};
use crate::rules::suggestion::Suggestions;
use crate::rules::triage::Question;
use crate::rules::warning;

/// Entries of one issue that are looked up: a longer list goes into a file.
const MOST: usize = 5;
/// Of the text; what people write stands at its beginning.
const LONGEST_BYTES: usize = 64 << 10;

/// The most words that are compared with the whole catalog. Each takes some milliseconds, and the text comes from a
/// stranger.
const MOST_SPELLINGS: usize = 40;
/// Namespaces that appear before a slash only in addresses.
const CLEAR_NAMESPACES: [&str; 2] = ["hashicorp", "opentofu"];

/// The entries that an issue names, in its order, each once. Words with a slash in them are many, `linux/amd64` and `and/or`
/// among them. So an address counts if it is registered, if its context is clear (a URL, the name of a repository, a form's heading, a
/// `source = "…"`, the word `provider` or `module` before it), or if it is a misspelt address of the catalog.
pub(crate) fn named(
    title: &str,
    body: &str,
    registry: &Repository,
    catalog: &Catalog,
) -> Vec<(Address, Option<String>)> {
    let mut end = body.len().min(LONGEST_BYTES);
    while !body.is_char_boundary(end) {
        end -= 1;
    }
    let (mut found, mut heading): (Vec<(Address, Option<String>)>, &str) = (Vec::new(), "");
    let mut spellings_left = MOST_SPELLINGS;
    // What a form asks for as the version, wherever it stands.
    let mut asked: Option<String> = None;
    for line in std::iter::once(title).chain(body[..end].lines()) {
        let line = line.trim();
        if line.starts_with('#') {
            heading = line;
            continue;
        }
        let is_answer = !line.is_empty() && !heading.is_empty();
        if is_answer && is_about(heading, "version") {
            asked = asked.or_else(|| versions(line).next());
        }
        let is_form =
            is_answer && ["provider", "module", "repository"].iter().any(|word| is_about(heading, word));
        // A line of a stranger may have thousands of words, so it is searched once for all of them.
        let version_beside = LazyCell::new(|| versions(line).next());
        for word in words(line) {
            let is_clear = is_form
                || ["://", "github.com/", "opentofu.org/", "terraform-"]
                    .iter()
                    .any(|part| word.contains(part));
            let Ok(Question::Entry { address, version }) = Question::parse(word, registry) else { continue };
            let is_named = || is_clear || (is_introduced(line, word) && !is_ordinary(word));
            if catalog.find(&address).is_none() && !is_named() {
                if is_ordinary(word) || spellings_left == 0 {
                    continue;
                }
                spellings_left -= 1;
                if !is_misspelt(&address, catalog) {
                    continue;
                }
            }
            let version = version.or_else(|| version_beside.clone());
            match found.iter().position(|(known, _)| *known == address) {
                Some(at) => found[at].1 = found[at].1.take().or(version),
                None if found.len() < MOST => found.push((address, version)),
                None => {}
            }
        }
        if !line.is_empty() {
            heading = if is_answer { "" } else { heading };
        }
    }
    let asked = asked.or_else(|| versions(title).next());
    for (_, version) in &mut found {
        *version = version.take().or_else(|| asked.clone());
    }
    found
}

/// Returns true if a configuration's `source`, or the word `provider` or `module`, comes directly before a word.
fn is_introduced(line: &str, word: &str) -> bool {
    let Some(at) = line.find(word) else { return false };
    let before = line[..at].trim_end_matches(|c: char| c.is_whitespace() || "`\"'(*=:".contains(c));
    let last = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    ["source", "provider", "module"].iter().any(|wanted| last.eq_ignore_ascii_case(wanted))
}

/// Returns true for paths, files and ordinary prose: `./docs/a`, `src/main.rs`, `linux/amd64`, `and/or`.
fn is_ordinary(word: &str) -> bool {
    let has_ending = word.rsplit('/').next().is_some_and(|last| last.contains('.'));
    has_ending || word.starts_with(['/', '.', '~']) || warning::is_prose(word)
}

/// Returns true for an unregistered address whose spelling or namespace shows which entry was meant.
fn is_misspelt(address: &Address, catalog: &Catalog) -> bool {
    CLEAR_NAMESPACES.contains(&address.namespace()) || Suggestions::of(address, catalog).is_near_spelling()
}

fn is_about(heading: &str, word: &str) -> bool {
    heading.to_ascii_lowercase().contains(word)
}

/// The words of a line without what people and Markdown put around them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || "()[]{}<>\"'`|,;*".contains(c))
        .map(|word| word.trim_end_matches(['.', ':', '!', '?']))
        .filter(|word| word.contains('/'))
}

/// The versions that a line names by themselves: three numbers, or a `v` before fewer.
fn versions(line: &str) -> impl Iterator<Item = String> {
    let parts = line.split(|c: char| c.is_whitespace() || "()[]{}<>\"'`|,;:*=~".contains(c));
    parts.map(|word| word.trim_end_matches(['.', '!', '?'])).filter_map(|word| {
        let version = Version::parse(word).ok()?;
        (word.starts_with('v') || !version.is_shorthand()).then(|| version.text().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Row, Shape};

    fn read(title: &str, body: &str) -> Vec<String> {
        let registry = Repository::new("opentofu", "registry");
        let known = ["newrelic/newrelic", "auth0/auth0", "birchhost/linodo", "acme/gitlab"];
        let row = |text: &&str| Row::new(Address::parse(text).unwrap(), Shape::default());
        let catalog = Catalog::new(known.iter().map(row).collect(), Vec::new());
        let named = named(title, body, &registry, &catalog);
        let print = |(address, version)| Question::Entry { address, version }.to_string();
        named.into_iter().map(print).collect()
    }

    #[test]
    fn issues_name_what_they_are_about() {
        for (title, body, wanted) in [
            ("newrelic/newrelic 3.70.1 is missing", "", &["newrelic/newrelic@3.70.1"][..]),
            (
                "Version 3.70.1 missing",
                "Hello, NewRelic/newrelic lacks it on linux/amd64 and/or darwin.",
                &["newrelic/newrelic@3.70.1"],
            ),
            (
                "Submit provider",
                "### Provider Repository\r\n\r\nacme/terraform-provider-rocket\r\n\r\n### Agree\r\n- [x] yes/no",
                &["acme/rocket"],
            ),
            ("Remove", "### Provider\n\nacme/rocket\n\n### Version\n\nv1.2.0\n", &["acme/rocket@1.2.0"]),
            (
                "see https://github.com/auth0/terraform-provider-auth0/releases/tag/v1.58.0.",
                "auth0/auth0 again",
                &["auth0/auth0@1.58.0"],
            ),
            (
                "two",
                "newrelic/newrelic 1.0.0 and\nauth0/auth0 v2.0.0",
                &["newrelic/newrelic@1.0.0", "auth0/auth0@2.0.0"],
            ),
            ("nothing", "TCP/IP, and/or linux/amd64; acme/unknown is not registered. /etc/passwd ../..", &[]),
            ("", "", &[]),
            // The address is not registered, but the issue names it.
            ("hashicorp/linodo cannot be installed", "", &["hashicorp/linodo"]),
            ("", "Could not retrieve providers for hashicorp/linodo 1.0.0", &["hashicorp/linodo@1.0.0"]),
            ("", "terraform {\n  source = \"acme/quince\"\n}", &["acme/quince"]),
            ("", "  source  = \"registry.opentofu.org/acme/quince\"", &["acme/quince"]),
            (
                "",
                "The provider `acme/quince` is missing, and module acme/vpc/aws.",
                &["acme/quince", "acme/vpc/aws"],
            ),
            ("", "newrelc/newrelic is gone", &["newrelc/newrelic"]),
            ("", "see https://search.opentofu.org/provider/acme/quince/v1.2.0", &["acme/quince@1.2.0"]),
            ("", "https://github.com/acme/terraform-provider-quince", &["acme/quince"]),
            // Ordinary prose.
            (
                "",
                "On GitHub/GitLab, client/server, src/main.rs, ./docs/index, /etc/tofu/rc, ~/x/y, n/a, 24/7, linux/amd64 or \
                 darwin/arm64; the provider and/or module linux/arm64 read/write",
                &[],
            ),
        ] {
            assert_eq!(read(title, body), wanted, "{title} | {body}");
        }
    }

    #[test]
    fn a_long_text_of_a_stranger_gives_few_questions() {
        let many: Vec<String> =
            (0..5_000).map(|at| format!("https://github.com/acme/terraform-provider-x{at}")).collect();
        let many = many.join(" ");
        assert_eq!(read("", &many).len(), MOST);
        let odd = format!("### Provider\n{}\u{202e}a/b\0c/d", "é/".repeat(40_000));
        assert!(read("", &odd).is_empty());
    }
}
