//! Builds one release with its files: zips, SHA256SUMS, signature, manifest, and what is wrong with them.

use std::collections::BTreeMap;
use std::fmt::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};

use crate::archive::{Binary, Package, package_with};
use crate::digest::{number, sha256, small_id};
use crate::moment::shift;
use crate::scenario::keys::Signers;
use crate::scenario::names::Target;
use crate::scenario::spec::{Manifest, ReleaseSpec, Sums};
use crate::world::{Asset, Release};

/// What all releases of one repository have in common.
#[derive(Clone, Debug)]
pub(crate) struct Maker<'a> {
    /// `owner/name` in the case that URLs have.
    pub(crate) repository: String,
    /// The provider's name without its namespace.
    pub(crate) provider: String,
    pub(crate) targets: Vec<Target>,
    pub(crate) protocols: Vec<String>,
    pub(crate) zip_prefix_v: bool,
    pub(crate) binary: Binary,
    pub(crate) now: Timestamp,
    /// The key that signs where a release says no other.
    pub(crate) signed_by: Option<String>,
    signers: &'a Signers,
    cache: BTreeMap<(String, String, u64), Package>,
}

/// The version that a tag stands for: without one leading `v`.
pub(crate) fn version_of(tag: &str) -> &str {
    tag.strip_prefix('v').unwrap_or(tag)
}

impl<'a> Maker<'a> {
    pub(crate) fn new(repository: String, provider: String, now: Timestamp, signers: &'a Signers) -> Self {
        Self {
            repository,
            provider,
            targets: default_targets(),
            protocols: vec!["5.0".into()],
            zip_prefix_v: false,
            binary: Binary::Plain,
            now,
            signed_by: None,
            signers,
            cache: BTreeMap::new(),
        }
    }

    /// The zip of one target; made once.
    pub(crate) fn package(&mut self, version: &str, target: &Target, seed: u64) -> Package {
        let cached = (version.to_owned(), target.name(), seed);
        if let Some(found) = self.cache.get(&cached) {
            return found.clone();
        }
        let made = package_with(self.binary, &self.repository, version, &cached.1, seed);
        self.cache.insert(cached, made.clone());
        made
    }

    /// `terraform-provider-<name>_<version>_<rest>`.
    pub(crate) fn file_name(&self, version: &str, prefix_v: bool, rest: &str) -> String {
        format!("terraform-provider-{}_{}{version}_{rest}", self.provider, if prefix_v { "v" } else { "" })
    }

    /// The release of a scenario.
    pub(crate) fn release(&mut self, spec: &ReleaseSpec) -> Release {
        let published = spec.published.map_or_else(
            || shift(self.now, SignedDuration::from_hours(-24)),
            |moment| moment.resolve(self.now),
        );
        let updated = spec.assets_updated.map_or(published, |moment| moment.resolve(self.now));
        let files = self.files(spec, updated);
        let seed = spec.content_seed.unwrap_or(1).to_string();
        let assets = files
            .into_iter()
            .map(|(name, content)| Asset {
                id: number(&[&self.repository, &spec.tag, &name, &seed, &updated.to_string()], 1 << 40),
                size: content.len() as u64,
                digest: spec.digest.unwrap_or(true).then(|| sha256(&content)),
                name: name.into(),
                updated,
                content: Some(content),
            })
            .collect();
        Release {
            id: small_id(&["release", &self.repository, &spec.tag]),
            tag: spec.tag.as_str().into(),
            title: spec.title.as_deref().unwrap_or(&spec.tag).into(),
            created: shift(published, SignedDuration::from_mins(-12)),
            published,
            updated: published.max(updated),
            draft: spec.draft,
            prerelease: spec.prerelease,
            assets,
        }
    }

    fn files(&mut self, spec: &ReleaseSpec, at: Timestamp) -> Vec<(String, Bytes)> {
        let version = version_of(&spec.tag).to_owned();
        let seed = spec.content_seed.unwrap_or(1);
        let prefix_v = spec.zip_prefix_v.unwrap_or(self.zip_prefix_v);
        let mut targets = spec.targets.clone().unwrap_or_else(|| self.targets.clone());
        targets.extend(spec.unlisted.iter().cloned());
        let mut files = Vec::new();
        let mut listed = Vec::new();
        for target in targets.iter().chain(&spec.absent) {
            let name = self.file_name(&version, prefix_v, &format!("{}.zip", target.name()));
            let made = self.package(&version, target, seed);
            if !spec.unlisted.contains(target) {
                listed.push((name.clone(), made.sha256));
            }
            let bytes = if spec.mismatch.contains(target) {
                self.package(&version, target, seed + 1000).bytes
            } else {
                made.bytes
            };
            if !spec.absent.contains(target) {
                files.push((name, bytes));
            }
        }
        let manifest_name =
            spec.manifest_name.clone().unwrap_or_else(|| self.file_name(&version, false, "manifest.json"));
        if let Some(text) = self.manifest(spec) {
            if spec.manifest != Manifest::Unlisted {
                listed.push((manifest_name.clone(), sha256(text.as_bytes())));
            }
            files.push((manifest_name, text.into()));
        }
        let sums_name =
            spec.sums_name.clone().unwrap_or_else(|| self.file_name(&version, false, "SHA256SUMS"));
        if let Some(text) = sums(spec.sums, &listed, &sums_name) {
            if spec.signature.unwrap_or(true) {
                files.push((format!("{sums_name}.sig"), self.signature(spec, &text, at)));
            }
            files.push((sums_name, text.into()));
        }
        for name in &spec.extra {
            files.push((name.clone(), format!("{name} of {}\n", spec.tag).into()));
        }
        files
    }

    /// The given one, one by the key that is named, or one that signs nothing.
    fn signature(&self, spec: &ReleaseSpec, sums: &[u8], at: Timestamp) -> Bytes {
        if let Some(given) = spec.signed.as_deref().and_then(|text| STANDARD.decode(text).ok()) {
            return given.into();
        }
        let name = spec.signed_by.as_ref().or(self.signed_by.as_ref());
        match name.and_then(|name| self.signers.get(name)) {
            Some(signer) => signer.sign(sums, at).into(),
            None => Bytes::from_static(SIGNATURE),
        }
    }

    fn manifest(&self, spec: &ReleaseSpec) -> Option<String> {
        let protocols = spec.protocols.as_ref().unwrap_or(&self.protocols);
        Some(match spec.manifest {
            Manifest::Missing => return None,
            Manifest::Ok | Manifest::Unlisted => {
                let list: Vec<String> = protocols.iter().map(|one| format!("\"{one}\"")).collect();
                format!(
                    "{{\n  \"version\": 1,\n  \"metadata\": {{\n    \"protocol_versions\": [{}]\n  }}\n}}\n",
                    list.join(", ")
                )
            }
            Manifest::Invalid => "{ \"version\": 1, \"metadata\": \n".into(),
            Manifest::NoList => "{\"version\":1,\"metadata\":{}}".into(),
            Manifest::EmptyList => "{\"version\":1,\"metadata\":{\"protocol_versions\":[]}}".into(),
            Manifest::Html => HTML.into(),
        })
    }
}

/// Bytes that stand for a detached signature; nothing verifies them.
const SIGNATURE: &[u8] = b"\x89\x01\x33\x04\x00\x01\x08\x00\x1d demo signature, signs nothing\n";

/// A page where a file was expected.
pub(crate) const HTML: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><title>GitHub</title></head><body><p>Sign in to GitHub</p></body></html>\n";

/// The eleven targets that most providers build.
pub(crate) fn default_targets() -> Vec<Target> {
    [
        ("darwin", "amd64"),
        ("darwin", "arm64"),
        ("freebsd", "386"),
        ("freebsd", "amd64"),
        ("linux", "386"),
        ("linux", "amd64"),
        ("linux", "arm"),
        ("linux", "arm64"),
        ("windows", "386"),
        ("windows", "amd64"),
        ("windows", "arm64"),
    ]
    .into_iter()
    .map(|(os, arch)| Target { os: os.into(), arch: arch.into() })
    .collect()
}

fn sums(kind: Sums, listed: &[(String, [u8; 32])], own_name: &str) -> Option<Vec<u8>> {
    let mut sorted = listed.to_vec();
    sorted.sort();
    let (mark, end) = match kind {
        Sums::Binary => (" *", "\n"),
        Sums::Paths => ("  ./", "\n"),
        Sums::Crlf => ("  ", "\r\n"),
        Sums::Blank => ("  ", "\n\n"),
        _ => ("  ", "\n"),
    };
    let mut text = String::new();
    for (index, (name, sum)) in sorted.iter().enumerate() {
        let mut sum = *sum;
        if kind == Sums::Wrong && index == 0 {
            sum[31] ^= 1;
        }
        text.push_str(&hex::encode(sum));
        text.push_str(mark);
        text.push_str(name);
        text.push_str(end);
    }
    Some(match kind {
        Sums::Missing => return None,
        Sums::Upper => upper(&text),
        Sums::Html => HTML.into(),
        Sums::Empty => Vec::new(),
        Sums::Garbage => vec![0xff, 0xfe, 0, 0x9f, 0x92, 0x96, b'\n'],
        Sums::Extra => {
            text.push_str(&hex::encode(sha256(SIGNATURE)));
            let _ = writeln!(text, "  {own_name}.sig");
            text.into()
        }
        Sums::Big => {
            while text.len() <= 33_000 {
                let sum = sha256(text.as_bytes());
                text.push_str(&hex::encode(sum));
                text.push_str("  notes.txt\n");
            }
            text.into()
        }
        _ => text.into(),
    })
}

fn upper(text: &str) -> Vec<u8> {
    text.lines()
        .flat_map(|line| {
            let (sum, name) = line.split_at(line.len().min(64));
            format!("{}{name}\n", sum.to_ascii_uppercase()).into_bytes()
        })
        .collect()
}
