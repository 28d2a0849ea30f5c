//! A release by its names: which assets the registry's tool expects, what the sums and the manifest say, and which
//! targets follow (`registry.md#what-the-bump-makes-of-a-tag`). What is expected and not found, with the nearest thing that
//! was, is in [`Parts`]; what is odd about the sums in [`oddities`]; what the manifest leads to in [`protocol_findings`].

mod absence;
mod archives;
mod parts;
mod protocols;
mod release;
mod text;

use crate::registry::version::trim_v;
use crate::registry::{Protocols, Repository};

pub(crate) use absence::{believed, vouched};
pub(crate) use archives::{ARCHIVE_LIMIT_BYTES, broken_asset, contradiction, fault_text, still_holds};
pub(crate) use parts::{Lack, OTHER_REGISTRY, Parts, nearest};
pub(crate) use protocols::{protocol_findings, protocols_changed};
pub(crate) use release::{Unfit, no_binary, release_findings, unfit_findings};
pub(crate) use text::oddities;

/// The build loop's order; targets are always listed in it.
pub(crate) const SYSTEMS: [&str; 6] = ["darwin", "freebsd", "linux", "windows", "openbsd", "solaris"];
pub(crate) const ARCHITECTURES: [&str; 4] = ["386", "amd64", "arm", "arm64"];

/// The names of one release's assets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    base_url: String,
    provider: String,
    version: String,
}

/// A target that a release offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OfferedTarget {
    pub(crate) os: &'static str,
    pub(crate) arch: &'static str,
    pub(crate) filename: String,
    pub(crate) url: String,
    /// As the sums list it; not necessarily 64 lower-case hex digits.
    pub(crate) shasum: String,
}

impl OfferedTarget {
    /// The platform's name, such as `linux_amd64`.
    pub(crate) fn platform(&self) -> String {
        format!("{}_{}", self.os, self.arch)
    }
}

impl Names {
    pub(crate) fn new(repository: &Repository, provider: &str, tag: &str) -> Self {
        Self {
            base_url: format!("{}/releases/download/{tag}/", repository.url()),
            provider: provider.to_owned(),
            version: trim_v(tag).to_owned(),
        }
    }

    /// The file name of an asset: `terraform-provider-x_1.0.0_SHA256SUMS`.
    pub(crate) fn file(&self, suffix: &str) -> String {
        format!("terraform-provider-{}_{}_{suffix}", self.provider, self.version)
    }

    /// The name with an extra `v`, which the registry's tool tries second.
    pub(crate) fn file_with_v(&self, suffix: &str) -> String {
        format!("terraform-provider-{}_v{}_{suffix}", self.provider, self.version)
    }

    /// Both, the plain one first.
    pub(crate) fn files(&self, suffix: &str) -> [String; 2] {
        [self.file(suffix), self.file_with_v(suffix)]
    }

    /// The canonical download URL of a file of the release.
    pub(crate) fn url(&self, file: &str) -> String {
        format!("{}{file}", self.base_url)
    }

    /// The targets that the sums offer, in the build loop's order. A target exists if and only if its file name, plain or
    /// with the extra `v`, stands in the sums.
    pub(crate) fn targets(&self, sums: &[(String, String)]) -> Vec<OfferedTarget> {
        let mut targets = Vec::new();
        for os in SYSTEMS {
            for arch in ARCHITECTURES {
                let suffix = format!("{os}_{arch}.zip");
                let found = [self.file(&suffix), self.file_with_v(&suffix)]
                    .into_iter()
                    .find_map(|name| sum_of(sums, &name).map(|sum| (name, sum)));
                if let Some((filename, shasum)) = found {
                    let (url, shasum) = (self.url(&filename), shasum.to_owned());
                    targets.push(OfferedTarget { os, arch, filename, url, shasum });
                }
            }
        }
        targets
    }
}

/// Reads a SHA256SUMS document as the registry's tool does: lines of exactly two fields, file name and hex as they stand.
pub(crate) fn parse_sums(text: &str) -> Vec<(String, String)> {
    text.split('\n')
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            match (fields.next(), fields.next(), fields.next()) {
                (Some(sum), Some(name), None) => Some((name.to_owned(), sum.to_owned())),
                _ => None,
            }
        })
        .collect()
}

/// The sum of a file; the last line counts where it stands twice.
pub(crate) fn sum_of<'a>(sums: &'a [(String, String)], name: &str) -> Option<&'a str> {
    sums.iter().rev().find(|(file, _)| file == name).map(|(_, sum)| sum.as_str())
}

/// The protocols that the registry's tool records: the manifest's list, else 5.0.
pub(crate) fn protocols_of(manifest: Option<&Protocols>) -> Vec<String> {
    match manifest {
        Some(Protocols::Listed(list)) => list.iter().map(ToString::to_string).collect(),
        Some(Protocols::Unlisted | Protocols::Invalid) | None => vec!["5.0".to_owned()],
    }
}

/// The first target whose sum is none, so that nobody could install it; capitals are still a sum.
pub(crate) fn without_sum(offered: &[OfferedTarget]) -> Option<&OfferedTarget> {
    offered.iter().find(|target| !is_sum(&target.shasum.to_ascii_lowercase()))
}

/// Whether it is a SHA-256 as the registry writes it: 64 lower-case hex digits.
pub(crate) fn is_sum(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Whether something stands before the colon of a hash: clients take any word for a scheme, and refuse a hash without one.
pub(crate) fn has_scheme(hash: &str) -> bool {
    hash.find(':').is_some_and(|colon| colon > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        Names::new(&Repository::new("acme", "terraform-provider-rocket"), "rocket", "v1.2.0")
    }

    #[test]
    fn names_follow_the_tag() {
        assert_eq!(names().file("SHA256SUMS"), "terraform-provider-rocket_1.2.0_SHA256SUMS");
        assert_eq!(
            names().url(&names().file_with_v("SHA256SUMS")),
            "https://github.com/acme/terraform-provider-rocket/releases/download/v1.2.0/terraform-provider-rocket_v1.2.0_SHA256SUMS"
        );
    }

    #[test]
    fn sums_are_read_like_the_registry_reads_them() {
        let text = "aa  one.zip\nbb *two.zip\n\ncc  three.zip extra\r\ndd\tone.zip\r\nee\n";
        let sums = parse_sums(text);
        assert_eq!(sum_of(&sums, "one.zip"), Some("dd"));
        assert_eq!(sum_of(&sums, "two.zip"), None);
        assert_eq!(sum_of(&sums, "*two.zip"), Some("bb"));
        assert_eq!(sum_of(&sums, "three.zip"), None);
    }

    #[test]
    fn targets_come_in_the_build_order_and_unknown_platforms_do_not() {
        let text = "1  terraform-provider-rocket_1.2.0_windows_386.zip\n2  terraform-provider-rocket_v1.2.0_linux_arm64.zip\n\
                    3  terraform-provider-rocket_1.2.0_linux_armv6.zip\n4  terraform-provider-rocket_1.2.0_darwin_arm64.zip\n\
                    5  terraform-provider-rocket_1.2.0_linux_amd64.tar.gz\n";
        let targets = names().targets(&parse_sums(text));
        let found: Vec<_> =
            targets.iter().map(|target| (target.os, target.arch, target.shasum.as_str())).collect();
        assert_eq!(found, [("darwin", "arm64", "4"), ("linux", "arm64", "2"), ("windows", "386", "1")]);
        assert!(targets[1].url.ends_with("/v1.2.0/terraform-provider-rocket_v1.2.0_linux_arm64.zip"));
    }
}
