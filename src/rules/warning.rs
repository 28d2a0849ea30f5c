//! Warnings that clients show to the users of a provider: one line of plain text, and the addresses in it.
//!
//! An address is found in each form that people use: `namespace/name`, with a registry's host, as a URL, in backticks
//! or in a link. Prose with slashes is not an address: `and/or`, `HTTP/2`, `linux/amd64`, the path of a page. A text
//! may mention an address as the old one ("forked from", "instead of"). Only an address that users are sent to must
//! be registered, and must not be the entry itself.

use crate::registry::{Address, Catalog, Json, Key, copy_source};
use crate::rules::anatomy::{ARCHITECTURES, SYSTEMS};

/// The rule for a warning that sends users to an address that does not help them.
pub(crate) const RULE: &str = "odd-warning";

/// The advice about what to write instead.
pub(crate) const REMEDY: &str = "Name another provider that is registered (`bumpdesk show ADDRESS` tells), or write the text without an address.";

/// The name of the field in a provider's file.
pub(crate) const KEY: &str = "warnings";

/// The most characters of a warning. Clients print it in full on every `init`.
pub(crate) const LONGEST: usize = 500;

/// An address that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) address: Address,
    pub(crate) is_registered: bool,
    pub(crate) fault: Option<Fault>,
}

/// The reason why an address in a warning does not help its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The text sends users to the entry that they use already.
    Itself,
    NotRegistered,
}

impl Named {
    /// A sentence about the fault; `None` if there is no fault.
    pub(crate) fn problem(&self) -> Option<String> {
        let address = &self.address;
        Some(match self.fault? {
            Fault::Itself => format!("it sends users to `{address}`, which is this very entry"),
            Fault::NotRegistered => format!("it sends users to `{address}`, which is not registered"),
        })
    }
}

/// Checks the form of a warning: one line of visible text, not longer than clients show.
///
/// # Errors
/// The reason why the text cannot be used.
pub(crate) fn check_form(text: &str) -> Result<(), String> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("a warning is one line of text".to_owned());
    }
    if text.chars().count() > LONGEST {
        return Err(format!("a warning has at most {LONGEST} characters"));
    }
    Ok(())
}

/// Sets the warnings in the root of a provider's file. A new list comes after the fields that the registry's own
/// writer puts first. An empty list is left out.
pub(crate) fn set(root: &mut Json, warnings: Vec<Json>) {
    let Json::Object(fields) = root else { return };
    let place = fields.iter().rposition(|(key, _)| key == KEY);
    match (place, warnings.is_empty()) {
        (Some(at), true) => drop(fields.remove(at)),
        (Some(at), false) => fields[at].1 = Json::Array(warnings),
        (None, true) => {}
        (None, false) => {
            let is_before = |key: &Key| ["repository", "versions", "versions_errors"].contains(&&**key);
            let at = fields.iter().rposition(|(key, _)| is_before(key)).map_or(0, |at| at + 1);
            fields.insert(at, (Key::Borrowed(KEY), Json::Array(warnings)));
        }
    }
}

/// Returns true if the registry serves the address: the address has a file, or the registry copies the pages of a
/// registered entry to it (`registry.md#copies-of-archived-providers`).
pub(crate) fn is_served(catalog: &Catalog, address: &Address) -> bool {
    let is_registered = |address: &Address| catalog.find(address).is_some();
    is_registered(address) || copy_source(address).is_some_and(|source| is_registered(&source))
}

/// The addresses that a warning of the entry `own` names, each once, in the order of the text.
pub(crate) fn named(text: &str, own: &Address, is_served: &dyn Fn(&Address) -> bool) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    for mention in mentions(text) {
        let is_registered = mention.address == *own || is_served(&mention.address);
        let fault = match (mention.address == *own, is_registered) {
            (true, _) => {
                (mention.role == Role::Replacement && mention.form != Form::Page).then_some(Fault::Itself)
            }
            (false, true) => None,
            (false, false) => mention.has_to_be_registered().then_some(Fault::NotRegistered),
        };
        match all.iter_mut().find(|one| one.address == mention.address) {
            Some(one) => one.fault = one.fault.or(fault),
            None => all.push(Named { address: mention.address, is_registered, fault }),
        }
    }
    all
}

/// The form in which an address is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Two or three words with slashes between them.
    Prose,
    /// An address in backticks.
    Code,
    /// An address with the host of a registry, or a URL of a page there.
    Registry,
    /// The repository on GitHub.
    Repository,
    /// A page below the repository, such as its issues.
    Page,
}

/// The part that an address plays in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Users are sent to it as the replacement.
    Replacement,
    /// Users are sent to it for another reason.
    Place,
    /// Users use it now.
    InUse,
    /// An old address, or one that the text mentions without sending users to it.
    Old,
    Unclear,
}

#[derive(Clone, Debug)]
struct Mention {
    address: Address,
    form: Form,
    role: Role,
    /// True if the words after the address continue as they do after a name.
    ends_well: bool,
}

impl Mention {
    fn has_to_be_registered(&self) -> bool {
        match (self.role, self.form) {
            (Role::Replacement | Role::Place, Form::Prose) => self.ends_well,
            (Role::Replacement, Form::Code | Form::Registry | Form::Repository)
            | (Role::Place | Role::Unclear, Form::Code | Form::Registry) => true,
            (Role::Old | Role::InUse, _)
            | (_, Form::Page)
            | (Role::Place | Role::Unclear, Form::Repository)
            | (Role::Unclear, Form::Prose) => false,
        }
    }
}

fn mentions(text: &str) -> Vec<Mention> {
    let mut all: Vec<(Mention, usize)> = Vec::new();
    for (start, run) in runs(text) {
        let Some((address, form)) = read(run) else { continue };
        let is_code = text[..start].ends_with('`') && form == Form::Prose;
        let form = if is_code { Form::Code } else { form };
        let (before, after) = (sentence_before(text, start), sentence_after(text, start + run.len()));
        let sentence_start = start - before.len();
        let before_words = words(before);
        let earlier = all.last().filter(|(_, end)| *end > sentence_start);
        let is_joined = |end: usize| words(&text[end..start]).iter().all(|word| JOINTS.contains(&&**word));
        let in_use = all.iter().any(|(one, end)| *end > sentence_start && one.role == Role::InUse);
        let role = match earlier {
            Some((earlier, end)) if is_joined(*end) => earlier.role,
            _ => role(&before_words, &words(after), in_use),
        };
        let ends_well = ends_well(after);
        all.push((Mention { address, form, role, ends_well }, start + run.len()));
    }
    all.into_iter().map(|(mention, _)| mention).collect()
}

/// The parts of a text between white space, quotes, brackets and other characters that no address or URL contains,
/// each with its place.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_sign = |c: char| !c.is_ascii_graphic() || "\"'`()[]{}<>,;!|*^\\".contains(c);
    let pieces =
        text.split(is_sign).map(move |piece| (piece.as_ptr() as usize - text.as_ptr() as usize, piece));
    pieces
        .map(move |(start, piece)| {
            // `source = x/y` may be written without the spaces.
            let cut = if piece.contains("://") { None } else { piece.rfind('=') };
            let cut = cut.map_or(0, |at| at + 1);
            (start + cut, &piece[cut..])
        })
        .map(|(start, piece)| (start, piece.trim_end_matches(['.', ':', '?', '-', '_', '#', '~'])))
        .filter(|(_, piece)| piece.contains('/'))
}

fn read(run: &str) -> Option<(Address, Form)> {
    // A version may follow.
    let run = match run.split_once('@') {
        Some((address, _)) if address.contains('/') => address,
        Some(_) => return None,
        None => run,
    };
    let (host, path) = run.split_once("://").map_or(run, |(_, rest)| rest).split_once('/')?;
    let is_url = run.contains("://") || host.contains('.');
    let parts: Vec<&str> = if is_url { path } else { run }.trim_end_matches('/').split('/').collect();
    let is_name = |part: &&str| {
        let is_end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        is_end(part.chars().next())
            && is_end(part.chars().next_back())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    if PATHS.contains(&&*parts[0].to_ascii_lowercase()) && !(is_url && parts.len() > 3) {
        return None;
    }
    if is_url {
        let address = Address::parse(run).ok()?;
        if run.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("json")) {
            return None;
        }
        let form = match host.trim_start_matches("www.").to_ascii_lowercase().as_str() {
            "github.com" if parts.len() > 2 => Form::Page,
            "github.com" => Form::Repository,
            _ => Form::Registry,
        };
        return Some((address, form));
    }
    let is_prose = !matches!(parts.len(), 2 | 3)
        || run.ends_with('/')
        || !parts.iter().all(is_name)
        || reads_as_prose(&parts);
    if is_prose { None } else { Some((Address::parse(run).ok()?, Form::Prose)) }
}

/// Returns true for words with slashes that are ordinary prose: a choice of words, a platform, a version, the path of
/// a page.
pub(crate) fn is_prose(words: &str) -> bool {
    let parts: Vec<&str> = words.trim_end_matches('/').split('/').collect();
    PATHS.contains(&&*parts[0].to_ascii_lowercase()) || reads_as_prose(&parts)
}

fn reads_as_prose(parts: &[&str]) -> bool {
    let lower: Vec<String> = parts.iter().map(|part| part.to_ascii_lowercase()).collect();
    let is_version =
        |part: &String| part.strip_prefix('v').unwrap_or(part).bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |part: &String| {
        WORDS.contains(&&**part) || SYSTEMS.contains(&&**part) || ARCHITECTURES.contains(&&**part)
    };
    lower.iter().any(|part| part.len() == 1 || is_version(part))
        || lower.iter().all(is_word)
        || parts.iter().all(|part| !part.bytes().any(|byte| byte.is_ascii_lowercase()))
}

fn sentence_before(text: &str, end: usize) -> &str {
    let before = &text[..end];
    let cut =
        [". ", "! ", "? ", "; ", "\n"].iter().filter_map(|sign| Some(before.rfind(sign)? + sign.len())).max();
    &before[cut.unwrap_or(0)..]
}

fn sentence_after(text: &str, start: usize) -> &str {
    let after = &text[start..];
    let cut = [". ", "! ", "? ", "; ", "\n"].iter().filter_map(|sign| after.find(sign)).min();
    &after[..cut.unwrap_or(after.len())]
}

fn words(text: &str) -> Vec<String> {
    let text = text
        .to_ascii_lowercase()
        .replace(['’', '\''], "")
        .replace("->", " becomes ")
        .replace('→', " becomes ");
    let split = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    split.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The role of an address, from the words around it in its sentence. `in_use` is true if the sentence has already
/// named the address that users have now.
fn role(before: &[String], after: &[String], in_use: bool) -> Role {
    let mut before: Vec<&str> = before.iter().map(String::as_str).collect();
    while before.last().is_some_and(|word| FILLERS.contains(word)) {
        before.pop();
    }
    let led = lead(&before, in_use);
    let after: Vec<&str> = after.iter().map(String::as_str).filter(|word| !FILLERS.contains(word)).collect();
    let is_recommended = match &after[..] {
        ["instead", "of", ..] => false,
        ["instead" | "replaces" | "supersedes" | "succeeds", ..] | [_, "be", "used" | "preferred", ..] => {
            true
        }
        ["is" | "becomes", rest @ ..] => rest.iter().take(3).any(|word| {
            matches!(*word, "replacement" | "successor" | "alternative" | "recommended" | "preferred")
        }),
        _ => false,
    };
    match led {
        Role::Unclear | Role::Place if is_recommended => Role::Replacement,
        led => led,
    }
}

fn lead(before: &[&str], in_use: bool) -> Role {
    let Some((last, earlier)) = before.split_last() else { return Role::Unclear };
    let near = |among: &[&str], most: usize| earlier.iter().rev().take(most).any(|word| among.contains(word));
    let if_any = |among: &[&str], role: Role, other: Role| if near(among, 4) { role } else { other };
    match *last {
        "use" | "using" | "try" | "prefer" | "choose" | "adopt" | "install" | "require" | "uses" => {
            let is_asked = near(&ASKED, usize::MAX);
            match () {
                () if near(&["not", "dont", "never", "stop", "avoid", "longer", "cannot", "shouldnt"], 3) => {
                    Role::Old
                }
                () if !is_asked && near(&USERS, 1) => Role::InUse,
                () => Role::Replacement,
            }
        }
        "to" if near(&["refer"], 1) => Role::Place,
        "to" if near(&NOT_TOWARDS, 1) => Role::Old,
        "to" | "becomes" | "into" | "replacement" | "successor" | "alternative" | "instead"
        | "recommended" | "consider" | "recommend" | "recommends" | "suggest" => Role::Replacement,
        "by" => {
            if_any(&["replaced", "superseded", "succeeded", "obsoleted"], Role::Replacement, Role::Unclear)
        }
        "with" => {
            if near(&["replace", "replaced", "swap", "swapped"], usize::MAX) {
                Role::Replacement
            } else {
                Role::Unclear
            }
        }
        "of" | "than" if near(&["instead", "rather", "place", "lieu"], 1) => {
            if in_use {
                Role::Replacement
            } else {
                Role::Old
            }
        }
        "of" => if_any(&["favor", "favour"], Role::Replacement, Role::Old),
        "from" => if_any(&AWAY, Role::Old, Role::Place),
        "for" | "was" | "formerly" | "previously" | "replaces" | "supersedes" | "over" => Role::Old,
        "is" | "as" | "became" => {
            if_any(&["formerly", "previously", "was", "were", "once", "originally"], Role::Old, Role::Place)
        }
        "see" | "visit" | "check" | "at" | "in" | "under" | "via" | "find" | "found" | "source" | "now"
        | "on" => Role::Place,
        _ => Role::Unclear,
    }
}

/// Returns true if the text after a name has ended, or continues as a sentence does after a name.
fn ends_well(after: &str) -> bool {
    let after = after.trim_start_matches(['`', '"', '\'', '*', ')', ']']);
    let is_over = after.is_empty() || after.starts_with(['.', ',', ';', ':', '!', '?', '(', '[', '@']);
    is_over
        || words(after)
            .first()
            .is_none_or(|word| AFTER.contains(&&**word) || word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Words between two addresses that have the same role.
const JOINTS: [&str; 6] = ["and", "or", "either", "the", "provider", "https"];

/// Words between a verb and its address.
const FILLERS: [&str; 30] = [
    "the",
    "a",
    "an",
    "new",
    "newer",
    "official",
    "our",
    "its",
    "their",
    "maintained",
    "community",
    "actively",
    "only",
    "supported",
    "provider",
    "providers",
    "module",
    "modules",
    "namespace",
    "address",
    "called",
    "named",
    "either",
    "just",
    "directly",
    "published",
    "released",
    "repository",
    "fork",
    "package",
];

/// Words before `use` and `using` that show an existing use.
const USERS: [&str; 16] = [
    "are",
    "is",
    "were",
    "was",
    "youre",
    "still",
    "currently",
    "been",
    "who",
    "you",
    "we",
    "they",
    "people",
    "users",
    "everyone",
    "if",
];

/// Words somewhere before `use` that ask people to use the address.
const ASKED: [&str; 12] = [
    "please",
    "recommend",
    "recommended",
    "recommends",
    "suggest",
    "advise",
    "should",
    "must",
    "ask",
    "consider",
    "need",
    "encourage",
];

/// Words before `to` that mean something other than a move to the address.
const NOT_TOWARDS: [&str; 16] = [
    "similar",
    "equivalent",
    "identical",
    "compared",
    "opposed",
    "prior",
    "refers",
    "related",
    "relates",
    "due",
    "contribute",
    "belongs",
    "equal",
    "according",
    "thanks",
    "reported",
];

/// Words before `from` that mean something was left behind.
const AWAY: [&str; 20] = [
    "away",
    "moved",
    "move",
    "moving",
    "migrate",
    "migrated",
    "migrating",
    "forked",
    "renamed",
    "split",
    "derived",
    "copied",
    "changed",
    "switch",
    "switched",
    "transferred",
    "upgrade",
    "built",
    "differs",
    "imported",
];

/// Words that may follow the name of a provider in a sentence.
const AFTER: [&str; 36] = [
    "instead",
    "provider",
    "providers",
    "module",
    "from",
    "for",
    "in",
    "as",
    "and",
    "or",
    "which",
    "rather",
    "at",
    "with",
    "by",
    "to",
    "on",
    "because",
    "since",
    "before",
    "after",
    "if",
    "when",
    "where",
    "that",
    "now",
    "soon",
    "today",
    "version",
    "namespace",
    "is",
    "should",
    "replaces",
    "going",
    "directly",
    "going-forward",
];

/// Names of folders. A text that begins with one is a path.
const PATHS: [&str; 21] = [
    "docs", "doc", "usr", "src", "var", "bin", "home", "opt", "tmp", "examples", "example", "guides",
    "guide", "website", "internal", "path", "http:", "https:", "issues", "pull", "wiki",
];

/// Words that appear on both sides of a slash in prose.
const WORDS: [&str; 118] = [
    "and",
    "or",
    "either",
    "not",
    "yes",
    "no",
    "on",
    "off",
    "up",
    "down",
    "in",
    "out",
    "true",
    "false",
    "he",
    "she",
    "his",
    "her",
    "read",
    "write",
    "execute",
    "input",
    "output",
    "inputs",
    "outputs",
    "client",
    "server",
    "clients",
    "servers",
    "key",
    "value",
    "keys",
    "values",
    "name",
    "names",
    "user",
    "users",
    "password",
    "username",
    "login",
    "host",
    "port",
    "source",
    "target",
    "version",
    "versions",
    "plan",
    "apply",
    "destroy",
    "create",
    "update",
    "delete",
    "add",
    "remove",
    "enable",
    "disable",
    "enabled",
    "disabled",
    "start",
    "stop",
    "import",
    "export",
    "allow",
    "deny",
    "resource",
    "resources",
    "data",
    "provider",
    "providers",
    "module",
    "modules",
    "namespace",
    "registry",
    "dev",
    "test",
    "staging",
    "prod",
    "production",
    "stage",
    "macos",
    "mac",
    "unix",
    "aws",
    "azure",
    "gcp",
    "google",
    "cloud",
    "terraform",
    "opentofu",
    "tofu",
    "http",
    "https",
    "tcp",
    "udp",
    "ssl",
    "tls",
    "ssh",
    "json",
    "yaml",
    "hcl",
    "public",
    "private",
    "local",
    "remote",
    "get",
    "set",
    "old",
    "new",
    "before",
    "after",
    "major",
    "minor",
    "patch",
    "alpha",
    "beta",
    "stable",
    "open",
    "closed",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Address {
        Address::provider("acme", "anvil")
    }

    /// The problems of a warning for `acme/anvil`, where `acme/forge`, `hashicorp/null` and a module are registered.
    fn problems(text: &str) -> Vec<String> {
        let registered = [
            own(),
            Address::provider("acme", "forge"),
            Address::provider("hashicorp", "null"),
            Address::module("acme", "anvil", "aws"),
        ];
        let named = named(text, &own(), &|address| registered.contains(address));
        named.iter().filter_map(Named::problem).collect()
    }

    #[test]
    fn a_warning_that_sends_users_to_the_entry_itself_is_faulty() {
        let itself = ["it sends users to `acme/anvil`, which is this very entry"];
        for text in [
            "Please use acme/anvil instead.",
            "Please use acme/anvil instead",
            "This provider is deprecated. Please use Acme/Anvil instead.",
            "This provider has moved to acme/anvil.",
            "Moved to `acme/anvil`.",
            "Please use the [acme/anvil](https://github.com/acme/terraform-provider-anvil) provider.",
            "Use registry.opentofu.org/acme/anvil.",
            "Use https://registry.terraform.io/providers/acme/anvil/latest",
            "Migrate to https://github.com/acme/terraform-provider-anvil.",
            "It was replaced by (acme/anvil).",
            "Deprecated in favor of acme/anvil; sorry.",
            "You are using acme/anvil instead of acme/anvil. This provider is maintained by Acme.",
            "You are using acme/forge instead of acme/anvil.",
            "We recommend that you use \"acme/anvil\".",
            "acme/anvil should be used instead.",
            "Set source = \"hashicorp/null\" or use acme/forge or acme/anvil.",
        ] {
            assert_eq!(problems(text), itself, "{text}");
        }
    }

    #[test]
    fn a_warning_that_sends_users_to_what_is_not_registered_is_faulty() {
        for (text, address) in [
            ("Please use acme/anvli instead.", "acme/anvli"),
            ("Please use nobody/nothing instead.", "nobody/nothing"),
            ("This provider has moved to newacme/anvil.", "newacme/anvil"),
            ("Moved to `newacme/anvil`!", "newacme/anvil"),
            ("See newacme/anvil.", "newacme/anvil"),
            ("Superseded by registry.opentofu.org/newacme/anvil, see there.", "newacme/anvil"),
            ("Please use https://github.com/newacme/terraform-provider-anvil", "newacme/anvil"),
            ("Please use github.com/newacme/terraform-provider-anvil.git", "newacme/anvil"),
            (
                "Use the module [x](https://registry.terraform.io/modules/newacme/anvil/aws).",
                "newacme/anvil/aws",
            ),
            ("Use the module newacme/anvil/aws instead", "newacme/anvil/aws"),
            ("You are using acme/anvil instead of hashicorp/anvil.", "hashicorp/anvil"),
            ("Please use acme/forge or newacme/anvil instead.", "newacme/anvil"),
            ("Replacement: newacme/anvil", "newacme/anvil"),
            ("newacme/anvil replaces it.", "newacme/anvil"),
            ("Deprecated: `newacme/anvil` has all of it.", "newacme/anvil"),
            ("acme/anvil → newacme/anvil", "newacme/anvil"),
            ("Use newacme/anvil@2.0.0 instead.", "newacme/anvil"),
        ] {
            assert_eq!(
                problems(text),
                [format!("it sends users to `{address}`, which is not registered")],
                "{text}"
            );
        }
    }

    #[test]
    fn a_warning_that_helps_is_fine() {
        for text in [
            "This provider is deprecated.",
            "Please use acme/forge instead.",
            "Please use acme/forge instead of acme/anvil.",
            "Instead of acme/anvil, use acme/forge.",
            "acme/anvil is deprecated and has moved to acme/forge.",
            "You are using acme/anvil instead of acme/forge.",
            "You are using acme/anvil, which is a mirror of acme/forge.",
            "acme/anvil was forked from oldacme/anvil.",
            "It was formerly oldacme/anvil.",
            "If you use acme/anvil, move to acme/forge.",
            "Do not use acme/anvil any more.",
            "Use the module acme/anvil/aws.",
            "Bugs: https://github.com/acme/terraform-provider-anvil/issues/12",
            "See https://github.com/acme/terraform-provider-anvil for the reason.",
            "See https://github.com/elsewhere/terraform-provider-anvil for the reason.",
            "See https://example.com/acme/anvil-guide and https://docs.example.com/docs/releases.",
            "Please use https://search.opentofu.org/docs/providers/adding to find another.",
        ] {
            assert_eq!(problems(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn prose_with_slashes_names_no_address() {
        for text in [
            "Use and/or instead.",
            "Please use HTTP/2 instead.",
            "Please use linux/amd64 instead.",
            "Switch to TCP/UDP.",
            "Use read/write instead.",
            "Move to client/server.",
            "Please use input/output blocks.",
            "See docs/releases.",
            "Use 24/7 support, or I/O.",
            "Upgrade to v2/v3.",
            "Please use ./modules/anvil or /opt/anvil.",
            "Both the opentofu/ and hashicorp/ namespaces have it.",
            "See https://example.com/a/b/c/d.",
            "Use alert/ops traffic instead.",
            "Write to ops@acme/anvil.",
            "Works on macOS/Windows.",
            "Use w/o n/a.",
        ] {
            assert_eq!(problems(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn each_address_is_named_once_with_its_state() {
        let text = "acme/anvil moved: use acme/forge, formerly oldacme/forge. acme/forge has all of it.";
        let named = named(text, &own(), &|address| *address == Address::provider("acme", "forge"));
        let of: Vec<_> =
            named.iter().map(|one| (one.address.to_string(), one.is_registered, one.fault)).collect();
        let wanted = [("acme/anvil", true), ("acme/forge", true), ("oldacme/forge", false)];
        assert_eq!(of, wanted.map(|(address, is_registered)| (address.to_owned(), is_registered, None)));
    }

    #[test]
    fn a_copy_that_the_generator_makes_is_served() {
        let row = |address| crate::registry::Row::new(address, crate::registry::Shape::default());
        let rows = ["integrations/github", "umbrella/testfunctions", "hashicorp/null", "acme/anvil/aws"];
        let catalog = Catalog::new(rows.map(|one| row(Address::parse(one).unwrap())).to_vec(), Vec::new());
        for (address, served) in [
            ("hashicorp/null", true),
            ("hashicorp/github", true),
            ("opentofu/github", true),
            ("acme/github", false),
            // The registry does not copy another provider of the same name.
            ("hashicorp/testfunctions", false),
            ("opentofu/null", false),
            // The source of the copy is not registered.
            ("hashicorp/gitlab", false),
            ("acme/anvil/aws", true),
            ("hashicorp/anvil/aws", false),
        ] {
            assert_eq!(is_served(&catalog, &Address::parse(address).unwrap()), served, "{address}");
        }
    }

    #[test]
    fn any_text_is_read() {
        for text in [
            "",
            "/",
            "//",
            "://",
            "@/",
            "a/",
            "=/=",
            "http://",
            "`",
            "→ a/b",
            "ü/ü x/ü",
            "a.b/",
            "https://github.com/",
        ] {
            assert_eq!(problems(text), [""; 0], "{text}");
        }
    }
}
