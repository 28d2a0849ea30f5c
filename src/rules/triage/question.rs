//! What somebody typed: an entry, perhaps one version of it, or an issue of the registry. One line, one question.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::registry::{Address, ModuleAddress, ProviderAddress, Repository, Version};
use crate::rules::plain_text::{is_hidden, visible};

/// A line that is longer is no address, whoever typed it.
const LONGEST_BYTES: usize = 2_000;
/// No version of the registry is longer than half of this.
const LONGEST_VERSION: usize = 128;
/// Characters of a line that an error repeats.
const SHOWN: usize = 60;

/// What is asked about. [`Question::parse`] reads back what is printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Question {
    Entry {
        address: Address,
        /// Without one leading `v`; as it was typed, since the letters of versions count.
        version: Option<String>,
    },
    /// An issue of the registry, whose text names what it is about.
    Issue(u64),
}

/// Why a line is no question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum QuestionError {
    #[error(
        "`{0}` is nothing that can be looked up: write namespace/name for a provider or namespace/name/target for a \
         module, with @1.2.3 behind it for one version, or the URL of its repository, of a release, of its page in the \
         registry, or of an issue of the registry"
    )]
    Form(String),
    #[error("there is no version after the `@` of `{0}`: write it as @1.2.3, or leave the `@` out")]
    NoVersion(String),
    #[error("`{0}` is not a version: write it as @1.2.3")]
    Version(String),
    #[error(
        "it has {0} bytes, and an address is never longer than {LONGEST_BYTES}: write one address a line"
    )]
    TooLong(usize),
    #[error("`{0}` holds a character that cannot be seen: type the address again")]
    Hidden(String),
    #[error("`{text}` is a pull request: `bumpdesk review {number}` tells what it claims")]
    Pull { text: String, number: u64 },
}

impl Question {
    /// Reads a line as people paste it: in any case, with quotes, a scheme, a trailing slash or a `v` before the version.
    /// `registry`: the repository whose issues count.
    ///
    /// # Errors
    /// It names nothing that could be looked up.
    pub(crate) fn parse(line: &str, registry: &Repository) -> Result<Self, QuestionError> {
        if line.len() > LONGEST_BYTES {
            return Err(QuestionError::TooLong(line.len()));
        }
        let is_wrapping = |c: char| c.is_whitespace() || "<>\"'`,;".contains(c);
        let text = line.trim_matches(is_wrapping);
        if text.chars().any(is_hidden) {
            return Err(QuestionError::Hidden(shown(text)));
        }
        if let Some(issue) = issue(text, registry) {
            return issue;
        }
        let form = || QuestionError::Form(shown(text));
        let (text, behind) = apart(text);
        let (text, behind) = (text.trim_end_matches('/'), behind.map(str::trim));
        let address = address(text).ok_or_else(form)?;
        let version = match behind {
            Some(version) if bare(version).is_empty() => return Err(QuestionError::NoVersion(shown(text))),
            Some(version) => {
                let version = bare(version);
                if !is_version(version) {
                    return Err(QuestionError::Version(shown(version)));
                }
                Some(version.to_owned())
            }
            None => in_url(text),
        };
        Ok(Self::Entry { address, version })
    }
}

/// What a line asks that may as well be the words of an action or the name of a key: it has the form of an address, an `@` in
/// it, that of a URL or of an issue, or says `triage` before it. Whether it is one, [`Question::parse`] says.
pub(crate) fn asked(line: &str) -> Option<&str> {
    let line = line.trim();
    let named = line.strip_prefix("triage ").map(str::trim_start).filter(|rest| !rest.is_empty());
    let is_path = |text: &str| text.split('/').filter(|part| !part.trim().is_empty()).count() > 1;
    let is_issue = |text: &str| {
        text.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let has_version = |text: &str| text.find('@').is_some_and(|at| at > 0);
    let is_one = |text: &str| is_path(text) || is_issue(text) || has_version(text);
    named.or_else(|| Some(line).filter(|line| is_one(line)))
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry { address, version: None } => address.fmt(f),
            Self::Entry { address, version: Some(version) } => write!(f, "{address}@{version}"),
            Self::Issue(number) => write!(f, "#{number}"),
        }
    }
}

/// The lines of a list that ask something. Empty ones, and what stands behind a `#` and a blank, are for people.
pub(crate) fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let is_comment = |at: &usize| {
            let (before, rest) = (&line[..*at], &line[at + 1..]);
            before.trim_end().len() < before.len().max(1)
                && rest.chars().next().is_none_or(char::is_whitespace)
        };
        let end = line.match_indices('#').map(|(at, _)| at).find(is_comment).unwrap_or(line.len());
        Some(line[..end].trim()).filter(|line| !line.is_empty())
    })
}

/// The beginning of a text, fit for a message.
fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    visible(&short).into_owned()
}

/// `#12`, `opentofu/registry#12`, or the URL of it.
fn issue(text: &str, registry: &Repository) -> Option<Result<Question, QuestionError>> {
    let lower = text.to_ascii_lowercase();
    let plain = without_scheme(&lower);
    let plain = plain.strip_prefix("www.").unwrap_or(plain);
    let plain = plain.strip_prefix("github.com/").unwrap_or(plain);
    let rest = if plain.starts_with('#') { plain } else { plain.strip_prefix(&*registry.key())? };
    let number = |digits: &str| {
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let is_ended = digits[end..].is_empty() || digits[end..].starts_with(['/', '?', '#']);
        digits[..end].parse::<u64>().ok().filter(|number| is_ended && *number > 0)
    };
    if let Some(digits) = rest.strip_prefix("/pull/") {
        return Some(Err(QuestionError::Pull { text: shown(text), number: number(digits)? }));
    }
    let digits = rest.strip_prefix('#').or_else(|| rest.strip_prefix("/issues/"))?;
    Some(Ok(Question::Issue(number(digits)?)))
}

/// The byte at which the host of an SSH remote or URL begins: `github.com:acme/terraform-provider-x` behind `git@`. A name may end
/// in `git`, as in `acme/digit@1.0.0`, so the user stands at the beginning or behind a scheme.
fn host_of_ssh(text: &str) -> Option<usize> {
    let is_user = |at: &usize| *at == 0 || text[..*at].ends_with("//") || text[..*at].ends_with("::");
    let at = text.match_indices("git@").map(|(at, _)| at).find(is_user)?;
    Some(at + "git@".len())
}

/// Takes the version off that stands behind an `@` or behind white space.
fn apart(text: &str) -> (&str, Option<&str>) {
    let begin = host_of_ssh(text).unwrap_or(0);
    let is_behind = |at: &usize| !text.contains("://") || !text[begin + at..].contains('/');
    if let Some(at) = text[begin..].find('@').filter(is_behind) {
        let at = begin + at;
        return (text[..at].trim_end(), Some(&text[at + 1..]));
    }
    match text.rsplit_once(char::is_whitespace) {
        Some((before, version)) if Version::parse(bare(version)).is_ok() => {
            (before.trim_end(), Some(version))
        }
        _ => (text, None),
    }
}

fn without_scheme(text: &str) -> &str {
    let text = text.strip_prefix("git::").unwrap_or(text);
    text.split_once("://").map_or(text, |(_, rest)| rest)
}

/// The entry that a text names, if its parts are such as an address has.
fn address(text: &str) -> Option<Address> {
    let ssh = host_of_ssh(text).map_or_else(|| text.to_owned(), |at| text[at..].replacen(':', "/", 1));
    let mut address = Address::parse(without_scheme(&ssh)).ok()?;
    // No client takes a provider of such a name: its repository is meant.
    while let Address::Provider(ProviderAddress { namespace, name }) = &address
        && name.starts_with("terraform-")
    {
        address = Address::parse(&format!("github.com/{namespace}/{name}")).ok()?;
    }
    let is_plain = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
            && part != "."
            && part != ".."
    };
    let parts: Vec<&str> = match &address {
        Address::Provider(ProviderAddress { namespace, name }) => vec![namespace, name],
        Address::Module(ModuleAddress { namespace, name, target }) => vec![namespace, name, target],
    };
    let is_sound = parts.iter().all(|part| is_plain(part)) && !address.namespace().contains('.');
    is_sound.then_some(address)
}

/// The version that a URL leads to: of a release, of its files, of a page of the registry.
fn in_url(text: &str) -> Option<String> {
    let plain = without_scheme(text);
    let (path, query) = plain.split_once('?').unwrap_or((plain, ""));
    let reference = query.split(['&', '#']).find_map(|pair| pair.strip_prefix("ref="));
    let path = path.split('#').next().unwrap_or(path);
    let parts: Vec<&str> = path.split('/').collect();
    let host = parts.first()?.to_ascii_lowercase();
    let named = if host.strip_prefix("www.").unwrap_or(&host) == "github.com" {
        match parts.get(3..)? {
            ["releases", "tag" | "download", tag, ..] | ["tree", tag] => Some(*tag),
            ["archive", "refs", "tags", file] | ["archive", file] => {
                file.strip_suffix(".tar.gz").or_else(|| file.strip_suffix(".zip"))
            }
            _ => reference,
        }
    } else {
        let kinds = ["provider", "providers", "module", "modules"];
        let at = parts.iter().position(|part| kinds.contains(&&*part.to_ascii_lowercase()))?;
        let length = if parts[at].to_ascii_lowercase().starts_with("module") { 3 } else { 2 };
        parts.get(at + 1 + length).copied()
    };
    let version = named.or(reference)?.replace("%2B", "+").replace("%2b", "+");
    let version = bare(&version);
    // `latest`, `versions`, a branch or a commit is none.
    Version::parse(version).is_ok().then(|| version.to_owned())
}

/// Without the `v` before its first digit.
fn bare(version: &str) -> &str {
    let rest = version.strip_prefix(['v', 'V']).unwrap_or(version);
    if rest.starts_with(|c: char| c.is_ascii_digit()) { rest } else { version }
}

/// What a tag may be, be it a version or not.
fn is_version(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-+_/".contains(c);
    text.len() <= LONGEST_VERSION
        && text.chars().all(is_plain)
        && text.contains(|c: char| c.is_ascii_digit())
        && !text.ends_with('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Repository {
        Repository::new("opentofu", "registry")
    }

    fn read(line: &str) -> Result<String, String> {
        Question::parse(line, &registry()).map(|one| one.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_as_people_paste_them() {
        for (line, wanted) in [
            ("newrelic/newrelic", "newrelic/newrelic"),
            ("  NewRelic/NewRelic@v3.70.1 ", "newrelic/newrelic@3.70.1"),
            ("newrelic/newrelic 3.70.1", "newrelic/newrelic@3.70.1"),
            ("newrelic/newrelic V3.70.1", "newrelic/newrelic@3.70.1"),
            ("provider newrelic/newrelic", "newrelic/newrelic"),
            ("`zededa/zedcloud@2.3.1-RC1`,", "zededa/zedcloud@2.3.1-RC1"),
            ("\"acme/rocket\"", "acme/rocket"),
            ("acme/vpc/aws/", "acme/vpc/aws"),
            ("acme/vpc/aws@v1.0", "acme/vpc/aws@1.0"),
            ("acme/terraform-provider-rocket", "acme/rocket"),
            ("acme/terraform-aws-vpc@1.0.0", "acme/vpc/aws@1.0.0"),
            ("https://github.com/Acme/terraform-provider-Rocket/", "acme/rocket"),
            ("github.com/acme/terraform-provider-rocket.git", "acme/rocket"),
            ("git@github.com:acme/terraform-provider-rocket.git", "acme/rocket"),
            ("git@github.com:acme/terraform-provider-rocket.git@v1.0.0", "acme/rocket@1.0.0"),
            ("ssh://git@github.com/acme/terraform-aws-vpc", "acme/vpc/aws"),
            ("git::ssh://git@github.com/acme/terraform-aws-vpc@1.0.0", "acme/vpc/aws@1.0.0"),
            ("acme/digit@1.0.0", "acme/digit@1.0.0"),
            ("acme/git@1.0.0", "acme/git@1.0.0"),
            ("git::https://github.com/acme/terraform-aws-vpc?ref=v1.2.0", "acme/vpc/aws@1.2.0"),
            ("git::https://github.com/acme/terraform-aws-vpc?ref=0a1b2c3d", "acme/vpc/aws"),
            ("https://github.com/acme/terraform-provider-x/releases/tag/v1.2.3", "acme/x@1.2.3"),
            ("https://github.com/acme/terraform-provider-x/releases/tag/v1.2.3%2Bb1", "acme/x@1.2.3+b1"),
            (
                "https://github.com/acme/terraform-provider-x/releases/download/1.2.3/SHA256SUMS",
                "acme/x@1.2.3",
            ),
            ("https://github.com/acme/terraform-provider-x/tree/main", "acme/x"),
            ("https://github.com/acme/terraform-provider-x/issues/7", "acme/x"),
            ("https://registry.opentofu.org/v1/providers/hashicorp/aws/versions", "hashicorp/aws"),
            (
                "https://registry.opentofu.org/v1/providers/hashicorp/aws/6.1.0/download/linux/amd64",
                "hashicorp/aws@6.1.0",
            ),
            ("https://registry.opentofu.org/v1/modules/acme/vpc/aws/1.0.0/download", "acme/vpc/aws@1.0.0"),
            ("registry.opentofu.org/hashicorp/aws", "hashicorp/aws"),
            ("https://search.opentofu.org/provider/opentofu/random/v3.7.2", "opentofu/random@3.7.2"),
            ("https://search.opentofu.org/provider/opentofu/random/latest", "opentofu/random"),
            ("https://search.opentofu.org/module/acme/vpc/aws/v1.0.0", "acme/vpc/aws@1.0.0"),
            ("https://registry.terraform.io/providers/hashicorp/aws/6.1.0/docs", "hashicorp/aws@6.1.0"),
            ("providers/h/hashicorp/aws.json", "hashicorp/aws"),
            ("acme/rocket@sdk/v1.0.0", "acme/rocket@sdk/v1.0.0"),
            ("#5550", "#5550"),
            ("OpenTofu/registry#5550", "#5550"),
            ("https://github.com/opentofu/registry/issues/5550#issuecomment-1", "#5550"),
            // A look-alike is read as it is; that it is not the other one is told by the answer.
            ("0pentofu/random", "0pentofu/random"),
            ("\u{43e}pentofu/random", "\u{43e}pentofu/random"),
        ] {
            assert_eq!(read(line).as_deref(), Ok(wanted), "{line}");
        }
    }

    #[test]
    fn what_is_none_of_these_is_told_with_the_forms() {
        for (line, told) in [
            ("", "`` is nothing that can be looked up: write namespace/name"),
            ("aws", "`aws` is nothing that can be looked up"),
            ("why is aws 6 gone", "`why is aws 6 gone` is nothing"),
            ("a/b/c/d", "`a/b/c/d` is nothing"),
            ("https://github.com/opentofu/registry", "`https://github.com/opentofu/registry` is nothing"),
            (
                "https://example.org/acme/terraform-provider-x",
                "`https://example.org/acme/terraform-provider-x` is",
            ),
            ("../../etc/passwd", "`../../etc/passwd` is nothing"),
            ("acme/..", "`acme/..` is nothing"),
            ("acme/$(id)", "`acme/$(id)` is nothing"),
            ("#", "`#` is nothing"),
            ("#0", "`#0` is nothing"),
            ("acme/rocket@", "there is no version after the `@` of `acme/rocket`"),
            ("acme/rocket@ v", "`v` is not a version"),
            ("acme/rocket@1.0 ; rm", "`1.0 ; rm` is not a version"),
            ("acme/roc\u{202e}ket", "`acme/roc\\u{202e}ket` holds a character that cannot be seen"),
            ("acme/roc\u{1b}[2Jket", "`acme/roc\\u{1b}[2Jket` holds"),
            ("a\0b/c", "`a\\u{0}b/c` holds"),
            (
                "https://github.com/opentofu/registry/pull/12/files",
                "`https://github.com/opentofu/registry/pull/12/files` is a pull request: `bumpdesk review 12`",
            ),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.starts_with(told), "{line:?}: {error}");
        }
        let long = format!("acme/{}", "x".repeat(1 << 20));
        assert!(read(&long).unwrap_err().starts_with("it has 1048581 bytes"), "one megabyte");
    }

    #[test]
    fn a_list_has_comments_and_issues() {
        let text = "# for ann\n\nacme/rocket@1.0.0   # broken?\r\n#5550\n  #  \n#\nacme/vpc/aws\nhttps://x/y#z # a #5\n";
        let lines: Vec<&str> = listed(text).collect();
        assert_eq!(lines, ["acme/rocket@1.0.0", "#5550", "acme/vpc/aws", "https://x/y#z"]);
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 2_000, ..Default::default() })]

        /// Hostile lines: whatever is taken is printed so that it is taken again, and prints nothing that a terminal obeys.
        #[test]
        fn what_is_printed_is_read_back(line in hostile()) {
            if let Ok(question) = Question::parse(&line, &registry()) {
                let printed = question.to_string();
                proptest::prop_assert_eq!(Question::parse(&printed, &registry()), Ok(question));
                proptest::prop_assert!(!printed.chars().any(is_hidden), "{:?}", printed);
            } else if let Err(error) = Question::parse(&line, &registry()) {
                proptest::prop_assert!(!error.to_string().chars().any(is_hidden), "{:?}", error);
            }
        }
    }

    /// Pieces of real lines in any order, with anything between them.
    fn hostile() -> impl proptest::strategy::Strategy<Value = String> {
        use proptest::prelude::*;
        let piece = prop_oneof![
            4 => prop::sample::select(vec![
                "https://", "git::", "git@", "ssh://", "github.com", "registry.opentofu.org", "search.opentofu.org", "/", "/",
                "/v1/providers/", "/modules/", "/provider/", "acme", "Acme", "terraform-", "terraform-provider-", "terraform-aws-",
                "rocket", "@", "v", "1.2.3", "1.0", "-rc1", "+b", "%2B", "?ref=", "#", "opentofu/registry", "/issues/", "/pull/",
                "12", "/releases/tag/", "/download", ".git", ".json", "..", " ", "\t", "providers/a/", ":", "0pentofu", "о",
                "\u{202e}", "\u{200b}", "\u{1b}[31m", "\0", "é", "provider ", "latest",
            ]).prop_map(str::to_owned),
            1 => "\\PC{0,6}",
            1 => ".{0,4}",
        ];
        prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
    }
}
