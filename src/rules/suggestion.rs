//! Suggests entries for an unregistered address.
//!
//! Every command uses this rule for an unknown address. It suggests entries with the same name first, then names that
//! read alike, then a spelling that differs by at most two letters. It suggests nothing else, because a wrong
//! suggestion sends people to the wrong provider.

use std::cmp::Reverse;

use serde::Serialize;

use crate::registry::{Address, Catalog, Kind, Row, copy_source};
use crate::rules::amount::counted;
use crate::rules::look_alike::difference;
use crate::rules::spelling::edits;

/// The most suggestions in one answer.
const MOST: usize = 3;
/// The most letters that may differ in a suggestion.
const MOST_EDITS: usize = 2;
/// The namespace of a provider if a module names no source.
const DEFAULT_NAMESPACE: &str = "hashicorp";

/// A registered entry that the user may mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Near {
    pub(crate) address: Address,
    /// The reason as part of a sentence: `its repository moved there`.
    pub(crate) why: String,
}

/// Everything that the registry's files say about an unregistered address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Suggestions {
    /// The registered entry whose pages the registry serves under this address.
    pub(crate) copy_of: Option<Address>,
    /// The suggestions, most likely first, at most three.
    pub(crate) near: Vec<Near>,
    /// The first entries with the same name, each with its number of versions.
    same_name: Vec<(Address, u32)>,
    /// The number of all entries with the same name.
    same_name_count: usize,
    /// True if the address reads like a registered one or is spelled almost like it.
    is_near_spelling: bool,
}

impl Suggestions {
    pub(crate) fn of(address: &Address, catalog: &Catalog) -> Self {
        let copy_of = copy_source(address).filter(|source| catalog.find(source).is_some());
        let rows: Vec<&Row> = catalog.rows.iter().filter(|row| row.kind() == address.kind()).collect();
        let mut same: Vec<&Row> =
            rows.iter().copied().filter(|row| is_same_name(&row.address, address)).collect();
        same.sort_by_cached_key(|row| rank(&row.address, address, row.shape.version_count));
        let same_name_count = same.len();
        same.truncate(MOST);
        let mut found = Self {
            copy_of,
            near: Vec::new(),
            same_name: same.iter().map(|row| (row.address.clone(), row.shape.version_count)).collect(),
            same_name_count,
            is_near_spelling: false,
        };
        for row in rows.iter().filter(|row| is_other_case(&row.address, address)) {
            found
                .add(&row.address, "it is registered in other letters, which clients do not find".to_owned());
        }
        for row in same {
            let versions = counted(u64::from(row.shape.version_count), "version");
            let why = match difference(address.namespace(), row.address.namespace()) {
                Some(differs) => format!("it reads alike: {differs}"),
                None => format!("the same name, with {versions}"),
            };
            found.add(&row.address, why);
        }
        let typed = address.to_string();
        for row in &rows {
            if let Some(differs) = difference(&typed, &row.address.to_string()) {
                found.is_near_spelling = true;
                found.add(&row.address, format!("it reads alike: {differs}"));
            }
        }
        for row in &catalog.rows {
            let other = &row.address;
            if other.namespace() == address.namespace() && other.name() == address.name() && other != address
            {
                let why = if other.kind() == address.kind() {
                    "the same module for another system".to_owned()
                } else {
                    format!("a {} of that name", other.kind().word())
                };
                found.add(other, why);
            }
        }
        for nearest in nearest_spelling(address, &rows) {
            found.is_near_spelling = true;
            found.add(nearest, "the nearest spelling".to_owned());
        }
        found
    }

    fn add(&mut self, address: &Address, why: String) {
        if self.near.len() < MOST && self.near.iter().all(|one| one.address != *address) {
            self.near.push(Near { address: address.clone(), why });
        }
    }

    /// Returns true if the address is most likely a registered one with a typing error.
    pub(crate) fn is_near_spelling(&self) -> bool {
        self.is_near_spelling
    }

    /// A sentence about where the name is registered; `None` if no entry has that name, or if nothing needs
    /// explaining.
    pub(crate) fn sentence(&self, address: &Address) -> Option<String> {
        if let Some(source) = &self.copy_of {
            return Some(format!("the registry serves {address} as a copy of {source}"));
        }
        let is_default = address.kind() == Kind::Provider && address.namespace() == DEFAULT_NAMESPACE;
        let asks = || format!("a module that names no source asks for {address}");
        if self.same_name.is_empty() {
            return is_default.then(|| format!("{}; no provider of this name is registered", asks()));
        }
        let names: Vec<String> = self
            .same_name
            .iter()
            .map(|(address, count)| format!("{address} ({})", counted(u64::from(*count), "version")))
            .collect();
        let rest = self.same_name_count - names.len();
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let names = format!("{}{rest}", names.join(", "));
        Some(if is_default {
            format!("{}; registered are: {names}", asks())
        } else {
            format!("registered under this name: {names}")
        })
    }

    /// The next step for someone who typed the address into a command, as a sentence.
    pub(crate) fn hint(&self) -> String {
        match self.copy_of.as_ref().or_else(|| self.near.first().map(|near| &near.address)) {
            Some(address) => format!("Write `{address}` if you mean that."),
            None => "Run `bumpdesk list --filter WORD` to find the spelling.".to_owned(),
        }
    }
}

fn target(address: &Address) -> Option<&str> {
    match address {
        Address::Provider(_) => None,
        Address::Module(module) => Some(&module.target),
    }
}

/// Returns true if the addresses differ only in the namespace.
fn is_same_name(registered: &Address, requested: &Address) -> bool {
    registered.name() == requested.name()
        && target(registered) == target(requested)
        && registered.namespace() != requested.namespace()
}

fn is_other_case(registered: &Address, requested: &Address) -> bool {
    registered != requested && registered.to_string().eq_ignore_ascii_case(&requested.to_string())
}

/// The sort key of entries with the same name: first a namespace that reads like the requested one, then a namespace
/// equal to the name, then the most versions.
fn rank(registered: &Address, requested: &Address, versions: u32) -> (bool, bool, Reverse<u32>, Address) {
    let is_alike = difference(requested.namespace(), registered.namespace()).is_some();
    let is_own = registered.namespace() == registered.name();
    (!is_alike, !is_own, Reverse(versions), registered.clone())
}

/// The registered addresses with the fewest edits from the requested one, best first.
fn nearest_spelling<'a>(requested: &Address, rows: &[&'a Row]) -> Vec<&'a Address> {
    let by_default = requested.kind() == Kind::Provider && requested.namespace() == DEFAULT_NAMESPACE;
    let distance = |row: &Row| {
        let whole = distance(requested, &row.address);
        // Nobody typed the default namespace, so only the name is compared, and it has to be closer.
        let alone = || within(requested.name(), row.address.name(), 5);
        if by_default { whole.or_else(alone) } else { whole }
    };
    let mut found: Vec<(usize, &'a Row)> =
        rows.iter().filter_map(|row| Some((distance(row)?, *row))).filter(|(edits, _)| *edits > 0).collect();
    let Some(fewest) = found.iter().map(|(edits, _)| *edits).min() else { return Vec::new() };
    found.retain(|(edits, _)| *edits == fewest);
    found.sort_by_cached_key(|(_, row)| rank(&row.address, requested, row.shape.version_count));
    found.into_iter().map(|(_, row)| &row.address).collect()
}

/// The number of edits between two addresses of one kind, if each part is close enough.
fn distance(requested: &Address, registered: &Address) -> Option<usize> {
    let name = within(requested.name(), registered.name(), 3)?;
    let namespace = within(requested.namespace(), registered.namespace(), 3)?;
    let target = match (target(requested), target(registered)) {
        (Some(one), Some(other)) => within(one, other, 3)?,
        _ => 0,
    };
    let edits = name + namespace + target;
    (edits <= MOST_EDITS).then_some(edits)
}

/// The number of edits between two names, if they are at most two and at most one for every `letters_an_edit`
/// letters.
fn within(requested: &str, registered: &str, letters_an_edit: usize) -> Option<usize> {
    let length = requested.chars().count();
    let limit = if length < 3 { 0 } else { (length / letters_an_edit).clamp(1, MOST_EDITS) };
    // Names of very different lengths are not compared letter by letter.
    if registered.len().abs_diff(requested.len()) > 4 * MOST_EDITS {
        return None;
    }
    Some(edits(requested, registered)).filter(|edits| *edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Shape;

    fn catalog(entries: &[(&str, u32)]) -> Catalog {
        let row = |(text, count): &(&str, u32)| {
            let shape = Shape { version_count: *count, ..Shape::default() };
            Row::new(Address::parse(text).unwrap(), shape)
        };
        Catalog::new(entries.iter().map(row).collect(), Vec::new())
    }

    fn near(typed: &str, entries: &[(&str, u32)]) -> Vec<String> {
        let found = Suggestions::of(&Address::parse(typed).unwrap(), &catalog(entries));
        found.near.into_iter().map(|near| near.address.to_string()).collect()
    }

    #[test]
    fn the_intended_entry_has_the_same_name() {
        let world = [
            ("birchhost/linodo", 4),
            ("hashicorp/random", 34),
            ("oak/kettle", 9),
            ("kettle/kettle", 2),
            ("elm/kettle", 30),
            ("fir/kettle", 3),
            ("acme/vpc/aws", 3),
            ("elm/vpc/aws", 12),
            ("elm/vpc/azure", 5),
            ("infisicle/infisicle", 7),
            ("camp/geoserver", 1),
            ("opentofu/random", 34),
        ];
        for (typed, wanted) in [
            ("hashicorp/linodo", &["birchhost/linodo"][..]),
            ("hashicorp/linode", &["birchhost/linodo"]),
            ("hashicorp/kettle", &["kettle/kettle", "elm/kettle", "oak/kettle"]),
            ("acme/kettle", &["kettle/kettle", "elm/kettle", "oak/kettle"]),
            // A namespace that reads alike comes before any other.
            ("e1m/kettle", &["elm/kettle", "kettle/kettle", "oak/kettle"]),
            ("hashicrop/random", &["hashicorp/random", "opentofu/random"]),
            ("beech/vpc/aws", &["elm/vpc/aws", "acme/vpc/aws"]),
            ("acme/vpc/azure", &["elm/vpc/azure", "acme/vpc/aws"]),
            ("hashicorp/infiscle", &["infisicle/infisicle"]),
            ("acme/infiscle", &[]),
            ("hashicorp/rnadom", &["hashicorp/random", "opentofu/random"]),
            // Two of nine letters differ, and it is a different provider.
            ("hashicorp/xenserver", &[]),
            ("hashicorp/dns", &[]),
            ("hashicorp/quince", &[]),
        ] {
            assert_eq!(near(typed, &world), wanted, "{typed}");
        }
    }

    #[test]
    fn a_sentence_says_what_a_module_without_a_source_asks_for() {
        let world = [
            ("birchhost/linodo", 1),
            ("kettle/kettle", 2),
            ("elm/kettle", 30),
            ("oak/kettle", 9),
            ("fir/kettle", 3),
            ("integrations/github", 114),
        ];
        let sentence = |typed: &str| {
            let address = Address::parse(typed).unwrap();
            Suggestions::of(&address, &catalog(&world)).sentence(&address)
        };
        for (typed, wanted) in [
            (
                "hashicorp/linodo",
                Some(
                    "a module that names no source asks for hashicorp/linodo; registered are: birchhost/linodo (1 version)",
                ),
            ),
            (
                "hashicorp/kettle",
                Some(
                    "a module that names no source asks for hashicorp/kettle; registered are: kettle/kettle (2 versions), \
                     elm/kettle (30 versions), oak/kettle (9 versions) and 1 more",
                ),
            ),
            ("acme/linodo", Some("registered under this name: birchhost/linodo (1 version)")),
            (
                "hashicorp/quince",
                Some(
                    "a module that names no source asks for hashicorp/quince; no provider of this name is registered",
                ),
            ),
            ("acme/quince", None),
            ("hashicorp/quince/aws", None),
            (
                "hashicorp/github",
                Some("the registry serves hashicorp/github as a copy of integrations/github"),
            ),
            // The successor is not registered here, so the registry skips the copy.
            (
                "hashicorp/gitlab",
                Some(
                    "a module that names no source asks for hashicorp/gitlab; no provider of this name is registered",
                ),
            ),
        ] {
            assert_eq!(sentence(typed).as_deref(), wanted, "{typed}");
        }
    }
}
