//! Parses words of the maintainer: addresses, entries of the registry, changes of the plan, and submissions.

use std::path::Path;

use crate::jobs::data::{Failure, FailureKind};
use crate::registry::{Address, Catalog, Kind};
use crate::rules::edit::Edit;
use crate::rules::plain_text::visible;
use crate::rules::plan::Which;
use crate::rules::submission;
use crate::rules::submission::NewKey;

/// Reads addresses and looks them up. The failure names the entries that the user may mean. A word `provider`
/// or `module` belongs to the word behind it.
pub(crate) fn addresses(words: &[String], catalog: &Catalog) -> Result<Vec<Address>, Failure> {
    let is_kind = |word: &str| Kind::ALL.iter().any(|kind| kind.word() == word);
    let last = words.len().saturating_sub(1);
    let named = words.iter().enumerate().filter(|(at, word)| *at == last || !is_kind(word));
    named.map(|(_, word)| address(word, catalog)).collect()
}

/// Reads one address and looks it up.
pub(crate) fn address(word: &str, catalog: &Catalog) -> Result<Address, Failure> {
    let address = parse(word)?;
    if catalog.find(&address).is_some() {
        return Ok(address);
    }
    Err(Failure::unregistered("looking for an entry", &address, catalog))
}

/// Reads the addresses of whole entries in the registry; `NAMESPACE/*` stands for all entries of a namespace.
pub(crate) fn whole_entries(words: &[String], catalog: &Catalog) -> Result<Vec<Address>, Failure> {
    let mut entries = Vec::new();
    for word in words {
        let Some(namespace) = word.strip_suffix("/*") else {
            entries.push(address(word, catalog)?);
            continue;
        };
        let rows = catalog.rows.iter().filter(|row| row.address.namespace().eq_ignore_ascii_case(namespace));
        let before = entries.len();
        entries.extend(rows.map(|row| row.address.clone()));
        if entries.len() == before {
            return Err(Failure::new(FailureKind::Usage, format!("looking for `{}`", visible(word)))
                .cause("the registry has no entry in this namespace")
                .hint("Run `bumpdesk list --filter WORD` to find the spelling."));
        }
    }
    entries.sort();
    entries.dedup();
    Ok(entries)
}

/// Parses a change of the plan: `newrelic/newrelic@3.70.1`.
pub(crate) fn change(word: &str) -> Result<(Address, Which), Failure> {
    let (address, which) = match word.split_once('@') {
        // An unset variable in a script must not approve everything.
        Some((_, version)) if version.trim().is_empty() => return Err(no_version(word)),
        Some((address, version)) => (address, Which::Version(version.to_owned())),
        None => (word, Which::Whole),
    };
    Ok((parse(address)?, which))
}

/// Parses versions of one entry, each as `ADDRESS@VERSION`.
pub(crate) fn versions(words: &[String], catalog: &Catalog) -> Result<(Address, Vec<String>), Failure> {
    let mut named: Option<Address> = None;
    let mut versions = Vec::with_capacity(words.len());
    for word in words {
        let (of, Which::Version(version)) = change(word)? else { return Err(no_version(word)) };
        address(&of.to_string(), catalog)?;
        if named.as_ref().is_some_and(|named| *named != of) {
            return Err(Failure::new(FailureKind::Usage, format!("looking for `{word}`"))
                .cause("an edit is about versions of one entry")
                .hint("Give each entry a command of its own."));
        }
        named = Some(of);
        versions.push(version);
    }
    let address = named.ok_or_else(|| no_version(""))?;
    Ok((address, versions))
}

fn no_version(word: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("looking for `{word}`"))
        .cause("there is no version after the `@`")
        .hint("Write ADDRESS@VERSION for one version, or ADDRESS alone for the whole file.")
}

/// The kinds that the registry has a submission form for, as words.
pub(crate) const SUBMITTED: [&str; 3] = ["provider", "module", "key"];

/// Reads a submission of one of the kinds in [`SUBMITTED`]: an entry by its repository, or a key by its owner
/// and its file.
pub(crate) fn submission(
    what: &str,
    name: &str,
    file: Option<&Path>,
    catalog: &Catalog,
) -> Result<(Address, Edit), Failure> {
    let fail = |cause: String, hint: String| {
        Err(Failure::new(FailureKind::Usage, "reading a submission").cause(cause).hint(hint))
    };
    let kind = Kind::ALL.into_iter().find(|kind| kind.word() == what);
    match (kind, file) {
        (Some(kind), None) => match submission::entry(kind, name) {
            Ok(address) => Ok((address, Edit::Submit)),
            Err(why) => fail(why, format!("Write {}, or its URL.", submission::form(kind))),
        },
        (None, Some(file)) if what == "key" => {
            let (address, for_all) = key_owner(name, catalog)?;
            Ok((address, Edit::Key(NewKey::File { path: file.to_owned(), for_all })))
        }
        _ => fail(
            "a key comes with a file, and nothing else does".to_owned(),
            "Write `key NAMESPACE FILE` for a key, and `provider REPOSITORY` or `module REPOSITORY` for an entry."
                .to_owned(),
        ),
    }
}

/// Reads the owner of a key, `NAMESPACE` or `NAMESPACE/NAME`. Returns a provider that the key signs for, and
/// true if it signs for the whole namespace.
fn key_owner(word: &str, catalog: &Catalog) -> Result<(Address, bool), Failure> {
    let namespace = word.trim().to_ascii_lowercase();
    let fail = |cause: String, hint: &str| {
        Err(Failure::new(FailureKind::Usage, "reading a submission").cause(cause).hint(hint))
    };
    if namespace.split('/').next() == Some("hashicorp") {
        return fail("hashicorp's providers are signed by opentofu".to_owned(), "Write `opentofu`.");
    }
    if namespace.contains('/') {
        return match address(word, catalog)? {
            address @ Address::Provider(_) => Ok((address, false)),
            Address::Module(_) => {
                fail(format!("`{word}` is a module, and modules have no keys"), "Name a provider.")
            }
        };
    }
    let mut rows = catalog.rows.iter().map(|row| &row.address);
    let is_its = |address: &&Address| address.kind() == Kind::Provider && address.namespace() == namespace;
    match rows.find(is_its) {
        Some(address) => Ok((address.clone(), true)),
        None => fail(
            format!("the registry has no provider of `{namespace}`, so a key there would speak for nobody"),
            "Submit the provider first: `bumpdesk plan submit provider REPOSITORY`.",
        ),
    }
}

/// Reads one address, whether the registry has it or not.
pub(crate) fn parse(word: &str) -> Result<Address, Failure> {
    Address::parse(word)
        .map_err(|error| Failure::new(FailureKind::Usage, "reading an address").cause(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Row, Shape};

    #[test]
    fn unknown_addresses_name_the_nearest() {
        let row = |text: &str| Row::new(Address::parse(text).unwrap(), Shape::default());
        let catalog = Catalog::new(vec![row("hashicorp/aws"), row("a/vpc/aws")], Vec::new());
        assert!(address("HashiCorp/AWS", &catalog).is_ok());
        assert!(address("module a/vpc/aws", &catalog).is_ok());
        let words = |line: &str| line.split(' ').map(Into::into).collect::<Vec<String>>();
        let both =
            addresses(&words("provider hashicorp/aws github.com/a/terraform-aws-vpc"), &catalog).unwrap();
        assert_eq!(both, [Address::provider("hashicorp", "aws"), Address::module("a", "vpc", "aws")]);
        assert!(addresses(&words("hashicorp/aws module"), &catalog).is_err());
        for (word, hint) in
            [("hashicorp/asw", "Write `hashicorp/aws`"), ("zzzzzz/qqqqqqqq", "Run `bumpdesk list")]
        {
            let failure = address(word, &catalog).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Usage);
            assert!(failure.hint.unwrap().starts_with(hint), "{word}");
        }
        assert!(
            addresses(&["aws".into()], &catalog).unwrap_err().causes[0]
                .starts_with("`aws` is not an address")
        );
    }

    #[test]
    fn changes_are_an_address_and_perhaps_a_version() {
        let address = Address::provider("acme", "rocket");
        for (word, which) in [
            ("acme/rocket", Which::Whole),
            ("Acme/Rocket@v1.1.0", Which::Version("v1.1.0".into())),
            ("acme/rocket@rest", Which::Version("rest".into())),
        ] {
            assert_eq!(change(word).unwrap(), (address.clone(), which), "{word}");
        }
        for word in ["acme/rocket@", "acme/rocket@ ", "@"] {
            let failure = change(word).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Usage, "{word}");
            assert_eq!(failure.causes, ["there is no version after the `@`"], "{word}");
        }
        assert_eq!(change("acme@1.0.0").unwrap_err().kind, FailureKind::Usage);
    }
}
