//! The smallest words of a scenario: addresses, targets, the clock. Each is checked while it is read.

use serde::Deserialize;

/// The world's clock: always absolute.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Clock(pub(crate) jiff::Timestamp);

impl TryFrom<String> for Clock {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self).map_err(|_| {
            format!("`{text}` is not a time; write RFC 3339, for example `2026-11-21T12:00:00Z`")
        })
    }
}

/// `namespace/name`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct ProviderName {
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl TryFrom<String> for ProviderName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.split('/').collect::<Vec<_>>()[..] {
            [namespace, name] if !namespace.is_empty() && !name.is_empty() => {
                Ok(Self { namespace: namespace.into(), name: name.into() })
            }
            _ => Err(format!("`{text}` is not of the form `namespace/name`")),
        }
    }
}

/// `namespace/name/target`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct ModuleName {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) target: String,
}

impl TryFrom<String> for ModuleName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.split('/').collect::<Vec<_>>()[..] {
            [namespace, name, target] if ![namespace, name, target].contains(&"") => {
                Ok(Self { namespace: namespace.into(), name: name.into(), target: target.into() })
            }
            _ => Err(format!("`{text}` is not of the form `namespace/name/target`")),
        }
    }
}

/// `namespace/name` of a provider or `namespace/name/target` of a module, as the path of its file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(try_from = "String")]
pub(crate) struct EntryPath(pub(crate) String);

impl TryFrom<String> for EntryPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let folder = match text.matches('/').count() {
            1 => "providers",
            2 => "modules",
            _ => {
                return Err(format!(
                    "`{text}` is not of the form `namespace/name` or `namespace/name/target`"
                ));
            }
        };
        let shard = text.chars().next().unwrap_or('_').to_ascii_lowercase();
        Ok(Self(format!("{folder}/{shard}/{}.json", text.to_ascii_lowercase())))
    }
}

/// `os_arch`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub(crate) struct Target {
    pub(crate) os: String,
    pub(crate) arch: String,
}

impl TryFrom<String> for Target {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.split_once('_') {
            Some((os, arch)) if !os.is_empty() && !arch.is_empty() => {
                Ok(Self { os: os.into(), arch: arch.into() })
            }
            _ => Err(format!("`{text}` is not of the form `os_arch`")),
        }
    }
}

impl Target {
    /// `os_arch`.
    pub(crate) fn name(&self) -> String {
        format!("{}_{}", self.os, self.arch)
    }

    /// Its place in the registry's build loop; what the loop does not know comes last.
    pub(crate) fn rank(&self) -> usize {
        let place =
            |list: &[&str], word: &str| list.iter().position(|one| *one == word).unwrap_or(list.len());
        let os = place(&["darwin", "freebsd", "linux", "windows", "openbsd", "solaris"], &self.os);
        let arch = place(&["386", "amd64", "arm", "arm64"], &self.arch);
        os * 8 + arch
    }
}
