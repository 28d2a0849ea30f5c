//! The parts of a release: what is expected and not there, with the nearest name that is; sums against archives both ways;
//! targets that the version before had.
//!
//! Names alone decide, as for the registry's tool. Without a list of the release's assets only the sums speak.

use std::collections::HashSet;

use crate::registry::ReleaseFacts;
use crate::rules::amount::list_names;
use crate::rules::anatomy::{ARCHITECTURES, Names, SYSTEMS, parse_sums};
use crate::rules::{Finding, amount, spelling};

/// The extensions of archives that a provider is packed in, the right one first.
const PACKED: [&str; 7] = [".zip", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar", ".7z"];
/// Names of a release that are compared; GitHub allows 1,000 assets.
const NAMES_MAX: usize = 2_000;

/// Something that is expected by name and not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lack {
    pub(crate) expected: String,
    /// The name that is there and was probably intended.
    pub(crate) nearest: Option<String>,
}

/// A release taken apart. All lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    /// SHA256SUMS, its signature, the manifest; only where the assets are known.
    pub(crate) lacks: Vec<Lack>,
    /// Platforms that something is there for, under a name that the registry does not look for.
    pub(crate) misnamed: Vec<Lack>,
    /// Archives that the sums list and the release has not.
    pub(crate) absent: Vec<Lack>,
    /// Archives that the release has and the sums do not list.
    pub(crate) unlisted: Vec<String>,
    /// Platforms that the registry would index.
    pub(crate) platforms: Vec<String>,
    /// A manifest that the release has but SHA256SUMS does not list.
    pub(crate) unsummed_manifest: Option<String>,
}

/// The rule for a release that Terraform's registry would refuse.
pub(crate) const OTHER_REGISTRY: &str = "manifest-not-listed";

impl Parts {
    pub(crate) fn of(names: &Names, release: &ReleaseFacts) -> Self {
        let sums = release.sums.known().map(|sums| parse_sums(&sums.text)).unwrap_or_default();
        let listed: Vec<&str> = sums.iter().map(|(name, _)| name.as_str()).take(NAMES_MAX).collect();
        // What was cut off may hold any name: then nothing is missing for sure.
        let info = release.info.known().filter(|info| !info.truncated);
        let assets: Option<Vec<&str>> =
            info.map(|info| info.assets.iter().map(|asset| &*asset.name).take(NAMES_MAX).collect());
        let offered = names.targets(&sums);
        let platforms: Vec<String> =
            offered.iter().map(|target| format!("{}_{}", target.os, target.arch)).collect();
        let mut parts = Self { platforms, ..Self::default() };
        parts.platforms.sort();
        // Terraform's registry requires the manifest among the signed checksums. This registry reads it anyway.
        let manifests = names.files("manifest.json");
        // A manifest listed as `*name` or `./name` is unusual but present.
        let is_summed = manifests.iter().any(|name| listed.iter().any(|listed| listed.ends_with(&**name)));
        if release.manifest.known().is_some() && !listed.is_empty() && !is_summed {
            parts.unsummed_manifest = manifests.into_iter().next();
        }
        if let Some(assets) = &assets {
            for suffix in ["SHA256SUMS", "SHA256SUMS.sig", "manifest.json"] {
                parts.lacks.extend(lack(names, suffix, assets));
            }
            let there: HashSet<&str> = assets.iter().copied().collect();
            let gone =
                offered.iter().map(|target| target.filename.as_str()).filter(|name| !there.contains(name));
            parts.absent =
                gone.map(|name| Lack { expected: name.into(), nearest: nearest(name, assets) }).collect();
            let known: HashSet<&str> = listed.iter().copied().collect();
            let stray = |name: &&&str| is_zip(name) && !known.contains(**name);
            parts.unlisted = assets.iter().filter(stray).map(|name| (*name).to_owned()).collect();
            parts.unlisted.sort();
        }
        let all: Vec<&str> = listed.iter().chain(assets.iter().flatten()).copied().collect();
        parts.misnamed = misnamed(names, &parts.platforms, &all);
        parts
    }

    /// Platforms of the version before that are no longer there.
    pub(crate) fn lost<'a>(&self, previous: &'a [String]) -> Vec<&'a str> {
        previous.iter().filter(|platform| !self.platforms.contains(platform)).map(String::as_str).collect()
    }

    /// The findings about the parts; `previous` is the version before and its platforms.
    pub(crate) fn findings(&self, previous: Option<(&str, &[String])>) -> Vec<Finding> {
        let mut found: Vec<Finding> = Vec::new();
        for lack in &self.lacks {
            // Something else bears nearly that name: it was probably meant.
            let finding = if lack.nearest.is_some() { Finding::warning } else { Finding::note };
            found.push(finding("asset-missing", lack.text()));
        }
        if !self.misnamed.is_empty() {
            let lacks: Vec<String> = self.misnamed.iter().map(Lack::text).collect();
            found.push(Finding::warning("target-misnamed", list_names(&lacks)));
        }
        if !self.absent.is_empty() {
            let names: Vec<&str> = self.absent.iter().map(|lack| &*lack.expected).collect();
            let text = format!("SHA256SUMS lists what the release does not have: {}", list_names(&names));
            found.push(Finding::warning("zip-absent", text));
        }
        if !self.unlisted.is_empty() {
            let names = list_names(&self.unlisted);
            let text = format!("SHA256SUMS does not list what the release has: {names}");
            found.push(Finding::warning("zip-unlisted", text));
        }
        found.extend(self.other_registry().map(|text| Finding::note(OTHER_REGISTRY, text)));
        if let Some((version, platforms)) = previous {
            let lost = self.lost(platforms);
            if !lost.is_empty() {
                let platforms = amount::counted(lost.len(), "platform");
                let text = format!("{platforms} lost since {version}: {}", list_names(&lost));
                found.push(Finding::warning("targets-lost", text));
            }
        }
        found
    }
}

impl Parts {
    /// The reason why Terraform's registry would refuse a release that this registry accepts.
    pub(crate) fn other_registry(&self) -> Option<String> {
        let manifest = self.unsummed_manifest.as_ref()?;
        Some(format!("SHA256SUMS does not list {manifest}: Terraform's registry would refuse the release"))
    }
}

impl Lack {
    /// `expected A, found nearest B`.
    pub(crate) fn text(&self) -> String {
        match &self.nearest {
            Some(nearest) => format!("expected {}, found nearest {nearest}", self.expected),
            None => format!("expected {}, and nothing like it is there", self.expected),
        }
    }
}

/// The registry's tool looks for this end, in small letters.
fn is_zip(name: &str) -> bool {
    name.strip_suffix(PACKED[0]).is_some()
}

fn lack(names: &Names, suffix: &str, assets: &[&str]) -> Option<Lack> {
    let (plain, other) = (names.file(suffix), names.file_with_v(suffix));
    let is_there = assets.iter().any(|name| *name == plain || *name == other);
    (!is_there).then(|| Lack { nearest: nearest(&plain, assets), expected: plain })
}

/// The kind of a file, by the end of its name; names of different kinds are never near.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sums,
    Signature,
    Manifest,
    /// With its platform, `linux_amd64`.
    Package(&'static str, &'static str),
}

fn kind(name: &str) -> Option<Kind> {
    let lower = name.to_ascii_lowercase();
    let is_signed = [".sig", ".asc", ".gpg"].iter().any(|end| lower.ends_with(end));
    if lower.contains("sha256sum") || lower.contains("checksums") {
        return Some(if is_signed { Kind::Signature } else { Kind::Sums });
    }
    if lower.contains("manifest") && lower.strip_suffix(".json").is_some() {
        return Some(Kind::Manifest);
    }
    let stem = PACKED.iter().find_map(|end| lower.strip_suffix(end))?;
    let ends_in = |os: &str, arch: &str| {
        let rest = stem.strip_suffix(arch).and_then(|rest| rest.strip_suffix(['_', '-', '.']));
        rest.and_then(|rest| rest.strip_suffix(os)).is_some_and(|rest| rest.ends_with(['_', '-', '.']))
    };
    let pairs = SYSTEMS.iter().flat_map(|os| ARCHITECTURES.iter().map(move |arch| (*os, *arch)));
    let mut pairs = pairs.filter(|(os, arch)| ends_in(os, arch));
    pairs.next().map(|(os, arch)| Kind::Package(os, arch))
}

/// The name among some that was probably meant by an expected one: of the same kind, with the fewest edits; the first of
/// equals in their order.
pub(crate) fn nearest(expected: &str, names: &[&str]) -> Option<String> {
    let wanted = kind(expected)?;
    let same = names.iter().filter(|name| **name != expected && kind(name) == Some(wanted));
    same.min_by_key(|name| (spelling::edits(expected, name), **name)).map(|name| (*name).to_owned())
}

/// Platforms without a target, for which something is there.
fn misnamed(names: &Names, platforms: &[String], all: &[&str]) -> Vec<Lack> {
    let mut found = Vec::new();
    let kinds: Vec<(&str, Kind)> = all.iter().filter_map(|name| Some((*name, kind(name)?))).collect();
    for os in SYSTEMS {
        for arch in ARCHITECTURES {
            let platform = format!("{os}_{arch}");
            let expected = names.file(&format!("{platform}.zip"));
            let with_v = names.file_with_v(&format!("{platform}.zip"));
            let is_right = |name: &str| name == expected || name == with_v;
            // One under the right name, not in the sums, is not misnamed.
            if platforms.contains(&platform) || all.iter().any(|name| is_right(name)) {
                continue;
            }
            let like: Vec<&str> = kinds
                .iter()
                .filter(|(_, kind)| *kind == Kind::Package(os, arch))
                .map(|(name, _)| *name)
                .collect();
            if let Some(nearest) = nearest(&expected, &like) {
                found.push(Lack { expected, nearest: Some(nearest) });
            }
        }
    }
    found.sort_by(|a, b| a.expected.cmp(&b.expected));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Asset, Observed, ReleaseInfo, Repository, Sums};
    use jiff::Timestamp;

    const AT: Timestamp = Timestamp::UNIX_EPOCH;

    fn names() -> Names {
        Names::new(&Repository::new("acme", "terraform-provider-x"), "x", "v1.11.2")
    }

    fn full(suffix: &str) -> String {
        format!("terraform-provider-x_1.11.2_{suffix}")
    }

    /// A release with these assets and these lines of sums.
    fn release(assets: Option<&[&str]>, sums: &[&str]) -> ReleaseFacts {
        let known = |value| Observed::Known { value, at: AT };
        let asset = |name: &&str| Asset {
            id: None,
            name: (*name).into(),
            size_bytes: 1,
            digest: None,
            updated_at: None,
        };
        let lines: Vec<String> = sums.iter().map(|name| format!("{}  {name}\n", "0a".repeat(32))).collect();
        let text = lines.concat();
        let info = assets.map(|assets| {
            known(ReleaseInfo {
                id: None,
                tag: "v1.11.2".into(),
                draft: false,
                prerelease: false,
                created_at: None,
                published_at: None,
                assets: assets.iter().map(asset).collect(),
                truncated: false,
            })
        });
        let sums =
            Observed::Known { value: Sums { url: "u".into(), text: text.into(), modified: None }, at: AT };
        ReleaseFacts { info: info.unwrap_or_default(), sums, ..ReleaseFacts::default() }
    }

    #[test]
    fn the_nearest_name_is_of_the_same_kind() {
        let cases: [(&str, &[&str], Option<&str>); 12] = [
            (
                "x_1.11.2_SHA256SUMS",
                &["x_1.11.02_SHA256SUMS", "x_1.11.2_SHA256SUMS.sig"],
                Some("x_1.11.02_SHA256SUMS"),
            ),
            ("x_1.11.2_SHA256SUMS", &["x_v1.11.2_SHA256SUMS"], Some("x_v1.11.2_SHA256SUMS")),
            ("x_1.11.2_SHA256SUMS", &["checksums.txt"], Some("checksums.txt")),
            ("x_1.11.2_SHA256SUMS", &["x_1.11.2_SHA256SUMS.sig", "x_1.11.2_linux_amd64.zip"], None),
            ("x_1.11.2_SHA256SUMS.sig", &["x_1.11.2_SHA256SUMS.asc"], Some("x_1.11.2_SHA256SUMS.asc")),
            (
                "x_1.11.2_SHA256SUMS.sig",
                &["x_1.11.2_SHA256SUMS.72D7468F.sig", "x_1.11.2_SHA256SUMS"],
                Some("x_1.11.2_SHA256SUMS.72D7468F.sig"),
            ),
            (
                "x_1.11.2_manifest.json",
                &["terraform-registry-manifest.json"],
                Some("terraform-registry-manifest.json"),
            ),
            (
                "x_1.11.2_linux_amd64.zip",
                &["x_1.11.2_linux_amd64.tar.gz"],
                Some("x_1.11.2_linux_amd64.tar.gz"),
            ),
            ("x_1.11.2_linux_amd64.zip", &["x_1.11.2_linux_arm64.zip"], None),
            ("x_1.11.2_linux_arm.zip", &["x_1.11.2_linux_arm64.tar.gz"], None),
            (
                "x_1.11.2_linux_amd64.zip",
                &["x_1.11.20_linux_amd64.zip", "y_linux_amd64.zip"],
                Some("x_1.11.20_linux_amd64.zip"),
            ),
            ("readme", &["readme.md"], None),
        ];
        for (expected, names, wanted) in cases {
            assert_eq!(nearest(expected, names).as_deref(), wanted, "{expected} {names:?}");
        }
    }

    #[test]
    fn a_whole_release_lacks_nothing() {
        let zip = full("linux_amd64.zip");
        let all = ["linux_amd64.zip", "SHA256SUMS", "SHA256SUMS.sig", "manifest.json"].map(full);
        let all = all.each_ref().map(String::as_str);
        let parts = Parts::of(&names(), &release(Some(&all), &[&zip, all[3]]));
        assert_eq!(parts, Parts { platforms: vec!["linux_amd64".into()], ..Parts::default() });
        assert_eq!(parts.findings(Some(("1.11.1", &["linux_amd64".to_owned()]))), []);
        // With the extra `v`, which the registry takes.
        let all = all.map(|name| name.replace("_1.11.2_", "_v1.11.2_"));
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(Parts::of(&names(), &release(Some(&all), &all[..1])).findings(None), []);
        // Without a token the assets are not known: nothing is missing for sure.
        assert_eq!(Parts::of(&names(), &release(None, &[&zip])).findings(None), []);
    }

    /// This registry reads a manifest that SHA256SUMS does not list. Terraform's registry requires the signed
    /// checksum.
    #[test]
    fn a_manifest_that_the_sums_do_not_list() {
        let of = |manifest: Observed<crate::registry::Protocols>, listed: &[&str]| {
            let release = ReleaseFacts { manifest, ..release(None, listed) };
            Parts::of(&names(), &release).other_registry()
        };
        let known = || Observed::Known { value: crate::registry::Protocols::Unlisted, at: AT };
        let refused =
            format!("SHA256SUMS does not list {MANIFEST}: Terraform's registry would refuse the release");
        assert_eq!(of(known(), &[LINUX]), Some(refused));
        for listed in [MANIFEST, &format!("*{MANIFEST}"), &MANIFEST.replace("_1.11.2_", "_v1.11.2_")] {
            assert_eq!(of(known(), &[LINUX, listed]), None, "{listed}");
        }
        assert_eq!(of(Observed::Absent { at: AT, status: 404 }, &[LINUX]), None, "there is no manifest");
        assert_eq!(of(Observed::Unasked, &[LINUX]), None, "it was not read");
        assert_eq!(of(known(), &[]), None, "the sums were not read");
    }

    const SUMS: &str = "terraform-provider-x_1.11.2_SHA256SUMS";
    const SIGNATURE: &str = "terraform-provider-x_1.11.2_SHA256SUMS.sig";
    const MANIFEST: &str = "terraform-provider-x_1.11.2_manifest.json";
    const LINUX: &str = "terraform-provider-x_1.11.2_linux_amd64.zip";
    const LINUX_TAR: &str = "terraform-provider-x_1.11.2_linux_amd64.tar.gz";
    const LINUX_MISSPELT: &str = "terraform-provider-x_1.11.02_linux_amd64.zip";
    const WINDOWS: &str = "terraform-provider-x_1.11.2_windows_amd64.zip";

    /// The findings about a release with these assets and these names in its sums, against a version with these platforms.
    fn texts(assets: &[&str], listed: &[&str], previous: &[&str]) -> Vec<String> {
        let previous: Vec<String> = previous.iter().map(ToString::to_string).collect();
        let parts = Parts::of(&names(), &release(Some(assets), listed));
        let found = parts.findings(Some(("1.11.1", &previous)));
        found.iter().map(|finding| format!("{}: {}", finding.rule, finding.text)).collect()
    }

    /// Archives of another kind, and a version misspelt in one name.
    #[test]
    fn archives_under_other_names() {
        let misnamed = |nearest: &str| format!("target-misnamed: expected {LINUX}, found nearest {nearest}");
        assert_eq!(
            texts(
                &[SUMS, SIGNATURE, MANIFEST, LINUX_TAR, WINDOWS],
                &[LINUX_TAR, WINDOWS],
                &["linux_amd64", "windows_amd64"],
            ),
            [misnamed(LINUX_TAR), "targets-lost: 1 platform lost since 1.11.1: linux_amd64".to_owned()]
        );
        assert_eq!(
            texts(&[SUMS, SIGNATURE, MANIFEST, LINUX_MISSPELT], &[LINUX_MISSPELT], &[]),
            [misnamed(LINUX_MISSPELT)]
        );
    }

    #[test]
    fn sums_against_archives_both_ways() {
        assert_eq!(
            texts(&[SUMS, SIGNATURE, MANIFEST, LINUX], &[WINDOWS], &[]),
            [
                format!("zip-absent: SHA256SUMS lists what the release does not have: {WINDOWS}"),
                format!("zip-unlisted: SHA256SUMS does not list what the release has: {LINUX}"),
            ]
        );
    }

    #[test]
    fn what_is_missing_or_lost() {
        assert_eq!(
            texts(&[SUMS, "x_manifest.json"], &[], &[]),
            [
                format!("asset-missing: expected {SIGNATURE}, and nothing like it is there"),
                format!("asset-missing: expected {MANIFEST}, found nearest x_manifest.json"),
            ]
        );
        let many: Vec<String> = (0..9).map(|at| format!("os{at}_amd64")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(
            texts(&[SUMS, SIGNATURE, MANIFEST], &[], &many),
            ["targets-lost: 9 platforms lost since 1.11.1: os0_amd64, os1_amd64, os2_amd64 and 6 more"]
        );
    }
}
