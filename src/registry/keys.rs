//! Which key files speak for a provider (`registry.md#keys`): paths in, paths out, and nothing read.
//!
//! `keys/<letter>/<namespace>/<file>` speaks for the whole namespace, `keys/<letter>/<namespace>/<provider>/<file>` for one
//! provider on top. Any file counts, whatever its extension; folders below are not entered. The order is the registry's
//! and so the one in which a client tries the keys: the namespace's first, each by file name.

use crate::registry::ProviderAddress;

/// One key file: where it lies under the registry's root, and its bytes as they stand (armored text, if all is well).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFile {
    pub path: String,
    pub text: Vec<u8>,
}

/// Whom a key file speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyScope<'a> {
    pub namespace: &'a str,
    /// `None`: all providers of the namespace.
    pub provider: Option<&'a str>,
    /// The file's name.
    pub file: &'a str,
}

impl<'a> KeyScope<'a> {
    /// Reads a path. `None` for one that the registry's tool never looks at: elsewhere, too deep, or under the wrong letter.
    pub fn of(path: &'a str) -> Option<Self> {
        let parts: Vec<&str> = path.split('/').collect();
        let (letter, namespace, provider, file) = match parts[..] {
            ["keys", letter, namespace, file] => (letter, namespace, None, file),
            ["keys", letter, namespace, provider, file] => (letter, namespace, Some(provider), file),
            _ => return None,
        };
        let full = !namespace.is_empty() && !file.is_empty() && provider != Some("");
        (full && letter == letter_of(namespace)).then_some(Self { namespace, provider, file })
    }

    /// Whether it speaks for this provider. `hashicorp`'s providers are signed by `opentofu`.
    pub(crate) fn covers(&self, address: &ProviderAddress) -> bool {
        self.namespace == address.effective_namespace()
            && self.provider.is_none_or(|provider| provider == &*address.name)
    }

    /// A provider's folder that carries the repository's prefix: the registry looks for the bare name, so that such a
    /// key speaks for nobody.
    #[cfg(test)]
    pub(crate) fn is_misnamed(&self) -> bool {
        self.provider.is_some_and(|provider| provider.starts_with("terraform-provider-"))
    }
}

/// The folder of a namespace's keys; the provider's own lie one below, under its name.
pub(crate) fn folder(address: &ProviderAddress) -> String {
    folder_of(address.effective_namespace())
}

/// The folder of the keys that are called after a namespace.
pub(crate) fn folder_of(namespace: &str) -> String {
    format!("keys/{}/{namespace}", letter_of(namespace))
}

/// The paths that speak for a provider, in the order in which a client tries them.
pub(crate) fn speaking_for<'a>(
    address: &ProviderAddress,
    paths: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let mut found: Vec<(KeyScope<'a>, &'a str)> = paths
        .into_iter()
        .filter_map(|path| Some((KeyScope::of(path)?, path)))
        .filter(|(scope, _)| scope.covers(address))
        .collect();
    found.sort_unstable_by_key(|(scope, _)| (scope.provider.is_some(), scope.file));
    found.dedup();
    found.into_iter().map(|(_, path)| path).collect()
}

fn letter_of(namespace: &str) -> String {
    namespace.chars().next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(namespace: &str, name: &str) -> ProviderAddress {
        ProviderAddress { namespace: namespace.into(), name: name.into() }
    }

    const PATHS: [&str; 11] = [
        "keys/a/acme/rocket/provider.asc",
        "keys/a/acme/provider-1713849764.asc",
        "keys/a/acme/README",
        "keys/a/acme/provider.asc",
        "keys/a/acme/rocket/old/provider.asc",
        "keys/a/acme/terraform-provider-rocket/provider.asc",
        "keys/a/acme-labs/provider.asc",
        "keys/o/opentofu/provider.asc",
        "keys/h/hashicorp/provider.asc",
        "keys/b/acme/provider.asc",
        "providers/a/acme/rocket.json",
    ];

    #[test]
    fn keys_of_a_provider_come_in_the_order_of_a_client() {
        let cases: [(&str, &str, &[&str]); 4] = [
            (
                "acme",
                "rocket",
                &[
                    "keys/a/acme/README",
                    "keys/a/acme/provider-1713849764.asc",
                    "keys/a/acme/provider.asc",
                    "keys/a/acme/rocket/provider.asc",
                ],
            ),
            (
                "acme",
                "anvil",
                &["keys/a/acme/README", "keys/a/acme/provider-1713849764.asc", "keys/a/acme/provider.asc"],
            ),
            ("hashicorp", "aws", &["keys/o/opentofu/provider.asc"]),
            ("nobody", "x", &[]),
        ];
        for (namespace, name, wanted) in cases {
            assert_eq!(speaking_for(&provider(namespace, name), PATHS), wanted, "{namespace}/{name}");
        }
        assert_eq!(folder(&provider("hashicorp", "aws")), "keys/o/opentofu");
    }

    #[test]
    fn paths_that_speak_for_nobody() {
        for path in
            ["keys/a/acme", "keys/b/acme/x.asc", "keys/a/acme/x/y/z.asc", "keys/a//x", "x/keys/a/acme/k"]
        {
            assert_eq!(KeyScope::of(path), None, "{path}");
        }
        assert!(KeyScope::of(PATHS[5]).unwrap().is_misnamed());
        assert!(!KeyScope::of(PATHS[0]).unwrap().is_misnamed());
        // A namespace may be written with capitals; its letter is lower case all the same.
        assert!(KeyScope::of("keys/a/Acme/x.asc").is_some());
    }
}
