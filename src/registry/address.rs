//! Which provider or module: its address, its file, its upstream repository.
//!
//! Data paths are lower case (`registry.md#files-and-addresses`); an address typed in any case finds its entry, so parsing
//! lower-cases.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::settings::words;

words! {
    /// Provider or module.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Kind: [ALL, word] {
        Provider = "provider",
        Module = "module",
    }
}

/// A provider, `namespace/name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProviderAddress {
    pub(crate) namespace: Box<str>,
    pub(crate) name: Box<str>,
}

/// A module, `namespace/name/target`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleAddress {
    pub(crate) namespace: Box<str>,
    pub(crate) name: Box<str>,
    pub(crate) target: Box<str>,
}

/// A provider or a module of the registry.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Address {
    Provider(ProviderAddress),
    Module(ModuleAddress),
}

/// An upstream repository on the web host, `owner/name`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Repository {
    pub(crate) owner: Box<str>,
    pub(crate) name: Box<str>,
}

/// A text that is not an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not an address: write namespace/name for a provider, namespace/name/target for a module, or its URL on \
     GitHub or in the registry"
)]
pub struct AddressError {
    pub(crate) text: String,
}

impl Repository {
    pub(crate) fn new(owner: &str, name: &str) -> Self {
        Self { owner: owner.into(), name: name.into() }
    }

    /// Reads `owner/name`; `None` for what GitHub would not take as names.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (owner, name) = text.split_once('/')?;
        let is_name = |text: &str| {
            !matches!(text, "" | "." | "..")
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        (is_name(owner) && is_name(name)).then(|| Self::new(owner, name))
    }

    /// The canonical URL, without a trailing slash.
    pub(crate) fn url(&self) -> String {
        format!("https://github.com/{}/{}", self.owner, self.name)
    }

    /// The `owner/name` out of a canonical URL of the repository or of anything below it.
    pub(crate) fn from_url(url: &str) -> Option<Self> {
        let rest = url.strip_prefix("https://github.com/")?;
        let mut parts = rest.split('/');
        let owner = parts.next().filter(|part| !part.is_empty())?;
        let name = parts.next().filter(|part| !part.is_empty())?;
        Some(Self::new(owner, name.strip_suffix(".git").unwrap_or(name)))
    }

    /// The same repository whatever the case: GitHub compares owners and names without it.
    pub fn key(&self) -> String {
        format!("{}/{}", self.owner, self.name).to_ascii_lowercase()
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

/// The text form, as in [`Address::parse`].
impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl ProviderAddress {
    /// The namespace whose repositories and keys count: the `hashicorp` entries are built from `opentofu` forks
    /// (`registry.md#files-and-addresses`). File paths, API paths and the blacklist keep the namespace itself.
    pub(crate) fn effective_namespace(&self) -> &str {
        if &*self.namespace == "hashicorp" { "opentofu" } else { &self.namespace }
    }
}

impl Address {
    pub fn provider(namespace: &str, name: &str) -> Self {
        Self::Provider(ProviderAddress { namespace: namespace.into(), name: name.into() })
    }

    pub fn module(namespace: &str, name: &str, target: &str) -> Self {
        Self::Module(ModuleAddress { namespace: namespace.into(), name: name.into(), target: target.into() })
    }

    /// Reads `ns/name` as a provider and `ns/name/target` as a module, in any case. A leading `provider ` or `module `
    /// word, the path of a data file, and URLs of the repository and of the registry are understood too.
    ///
    /// # Errors
    /// The text has another number of parts, an empty part, a part with white space, or is a URL of something else.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let plain = text.trim().to_ascii_lowercase();
        let plain =
            plain.strip_prefix("provider ").or_else(|| plain.strip_prefix("module ")).unwrap_or(&plain);
        let parts: Vec<&str> = plain.split('/').collect();
        Self::from_path(plain)
            .or_else(|| Self::from_url(plain))
            // No owner on GitHub has a dot in its name; hosts have.
            .or_else(|| Self::from_parts(&parts).filter(|address| !address.namespace().contains(['.', ':'])))
            .ok_or_else(|| AddressError { text: text.into() })
    }

    fn from_parts(parts: &[&str]) -> Option<Self> {
        if parts.iter().any(|part| part.is_empty() || part.contains(char::is_whitespace)) {
            return None;
        }
        match parts {
            [namespace, name] => Some(Self::provider(namespace, name)),
            [namespace, name, target] => Some(Self::module(namespace, name, target)),
            _ => None,
        }
    }

    /// What a URL in lower case is about, with its scheme or without: a repository on GitHub, a data file there, an entry of
    /// the registry or of its search, or anything below one of them.
    fn from_url(url: &str) -> Option<Self> {
        let url = url.strip_prefix("git::").unwrap_or(url);
        let url = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url);
        let url = url.split(['?', '#']).next()?.trim_end_matches('/');
        let (host, path) = url.split_once('/')?;
        let parts: Vec<&str> = path.split('/').collect();
        match (host.strip_prefix("www.").unwrap_or(host), &parts[..]) {
            ("github.com", [_, "registry", "blob" | "raw" | "blame" | "edit", _, file @ ..]) => {
                Self::from_path(&file.join("/"))
            }
            ("github.com", [owner, name, ..]) => {
                let name = name.strip_suffix(".git").unwrap_or(name).strip_prefix("terraform-")?;
                match name.split_once('-')? {
                    ("provider", name) => Self::from_parts(&[owner, name]),
                    (target, name) => Self::from_parts(&[owner, name, target]),
                }
            }
            ("registry.opentofu.org" | "registry.terraform.io" | "search.opentofu.org", parts) => {
                match parts.strip_prefix(&["v1"]).unwrap_or(parts) {
                    ["provider" | "providers", address @ ..] => Self::from_parts(address.get(..2)?),
                    ["module" | "modules", address @ ..] => Self::from_parts(address.get(..3)?),
                    address => Self::from_parts(address),
                }
            }
            _ => None,
        }
    }

    /// The address that a data file's path gives, in the registry's own (unanchored, case-insensitive) reading. `None`
    /// for a path that the registry's tools skip, such as one a directory too deep.
    pub fn from_path(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.strip_suffix(".json")?.split('/').collect();
        match parts[..] {
            ["providers", shard, namespace, name] if reachable(shard, &[namespace, name]) => {
                Some(Self::provider(namespace, name))
            }
            ["modules", shard, namespace, name, target] if reachable(shard, &[namespace, name, target]) => {
                Some(Self::module(namespace, name, target))
            }
            _ => None,
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            Self::Provider(_) => Kind::Provider,
            Self::Module(_) => Kind::Module,
        }
    }

    pub(crate) fn namespace(&self) -> &str {
        match self {
            Self::Provider(address) => &address.namespace,
            Self::Module(address) => &address.namespace,
        }
    }

    /// The name without namespace and target.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Provider(address) => &address.name,
            Self::Module(address) => &address.name,
        }
    }

    /// The path of the data file below the registry's root.
    pub fn path(&self) -> String {
        let shard = self.shard();
        match self {
            Self::Provider(ProviderAddress { namespace, name }) => {
                format!("providers/{shard}/{namespace}/{name}.json")
            }
            Self::Module(ModuleAddress { namespace, name, target }) => {
                format!("modules/{shard}/{namespace}/{name}/{target}.json")
            }
        }
    }

    /// The first character of the namespace, lower-cased: the folder, and the unit in which the bump runs.
    pub(crate) fn shard(&self) -> char {
        self.namespace().chars().next().unwrap_or('_').to_ascii_lowercase()
    }

    /// The repository that versions come from.
    pub fn repository(&self) -> Repository {
        match self {
            Self::Provider(address) => Repository::new(
                address.effective_namespace(),
                &format!("terraform-provider-{}", address.name),
            ),
            Self::Module(ModuleAddress { namespace, name, target }) => {
                Repository::new(namespace, &format!("terraform-{target}-{name}"))
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(ProviderAddress { namespace, name }) => write!(f, "{namespace}/{name}"),
            Self::Module(ModuleAddress { namespace, name, target }) => {
                write!(f, "{namespace}/{name}/{target}")
            }
        }
    }
}

fn reachable(shard: &str, parts: &[&str]) -> bool {
    let mut letters = shard.chars();
    let one_word =
        matches!((letters.next(), letters.next()), (Some(c), None) if c.is_alphanumeric() || c == '_');
    one_word && parts.iter().all(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_paths_and_repositories() {
        let cases = [
            ("hashicorp/aws", "providers/h/hashicorp/aws.json", "opentofu/terraform-provider-aws"),
            (
                "NewRelic/newrelic",
                "providers/n/newrelic/newrelic.json",
                "newrelic/terraform-provider-newrelic",
            ),
            ("hashicorp/consul/aws", "modules/h/hashicorp/consul/aws.json", "hashicorp/terraform-aws-consul"),
        ];
        for (text, path, repository) in cases {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.path(), path);
            assert_eq!(address.repository().to_string(), repository);
            assert_eq!(Address::from_path(path).unwrap(), address);
            assert_eq!(Address::parse(&address.to_string()).unwrap(), address);
            assert_eq!(Address::parse(path).unwrap(), address);
        }
    }

    #[test]
    fn urls_are_addresses() {
        for (url, wanted) in [
            ("https://github.com/Azure/terraform-provider-azapi", "azure/azapi"),
            ("github.com/acme/terraform-provider-my-cloud.git", "acme/my-cloud"),
            ("https://www.github.com/acme/terraform-provider-x/releases/tag/v1.0.0?a=b#c", "acme/x"),
            ("git::https://github.com/acme/terraform-aws-eks-blueprints?ref=v1", "acme/eks-blueprints/aws"),
            ("https://github.com/opentofu/registry/blob/main/modules/a/acme/vpc/aws.json", "acme/vpc/aws"),
            ("registry.opentofu.org/hashicorp/aws", "hashicorp/aws"),
            ("registry.terraform.io/acme/vpc/aws", "acme/vpc/aws"),
            ("https://registry.terraform.io/providers/hashicorp/aws/latest/docs", "hashicorp/aws"),
            ("https://registry.opentofu.org/v1/modules/acme/vpc/aws/versions", "acme/vpc/aws"),
            ("https://search.opentofu.org/provider/opentofu/random/v3.7.2", "opentofu/random"),
            ("https://search.opentofu.org/module/acme/vpc/aws/", "acme/vpc/aws"),
        ] {
            assert_eq!(
                Address::parse(url).map(|address| address.to_string()).as_deref(),
                Ok(wanted),
                "{url}"
            );
        }
    }

    #[test]
    fn odd_texts_are_refused() {
        for text in [
            "",
            "aws",
            "a//b",
            "a/b/c/d",
            "a b/c",
            "providers/h/x/y/z/q.json",
            "https://github.com/acme",
            "github.com/acme/rocket",
            "https://github.com/acme/terraform-x",
            "https://example.org/acme/terraform-provider-x",
            "https://registry.opentofu.org/v1/modules/acme/vpc",
            "localhost:8080/acme/rocket",
        ] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
        assert_eq!(Address::from_path("providers/a/altinity/altinity/kubectl.json"), None);
        assert_eq!(Address::from_path("providers/aa/altinity/kubectl.json"), None);
    }

    #[test]
    fn repository_out_of_a_url() {
        let url = "https://github.com/Azure/terraform-provider-azapi/releases/download/v1.0.0/x.zip";
        assert_eq!(Repository::from_url(url), Some(Repository::new("Azure", "terraform-provider-azapi")));
        assert_eq!(Repository::from_url("https://example.org/a/b"), None);
    }
}
