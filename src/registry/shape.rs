//! The summary parse of a data file: one pass over borrowed text that keeps counts and version names alone.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::{SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::registry::catalog::Shape;
use crate::registry::reading::Object;
use crate::registry::version::highest_at;
use crate::registry::{Entry, Kind, ProviderEntry, ProviderVersion, Target};

/// Changes whenever [`Shape::parse`] gives something else for the same bytes, so that stored shapes are thrown away.
pub(crate) const SHAPE_FORMAT: u32 = 5;

// Every field of the format with its type, and no other: what is read here, `Entry::read` reads too. What is not (a field
// unknown to the format, `null` for a text, a key that stands twice) is left to that, the slow way of very few files.

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderFile<'a> {
    #[serde(rename = "repository", default)]
    _repository: Filled,
    #[serde(borrow, default)]
    versions: Option<Vec<Object<ProviderLine<'a>>>>,
    #[serde(default)]
    versions_errors: Option<Vec<Object<ErrorLine>>>,
    #[serde(default)]
    warnings: Option<Vec<Filled>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderLine<'a> {
    #[serde(borrow)]
    version: Cow<'a, str>,
    #[serde(default)]
    protocols: Option<Summed<Unusual<Protocol>>>,
    #[serde(default)]
    shasums_url: Usual<Url>,
    #[serde(default)]
    shasums_signature_url: Usual<UrlOrNone>,
    #[serde(default)]
    targets: Option<Summed<Targets>>,
    #[serde(default)]
    discovered: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetLine {
    #[serde(default)]
    os: Usual<Word>,
    #[serde(default)]
    arch: Usual<Word>,
    #[serde(default)]
    filename: Usual<FileName>,
    #[serde(default)]
    download_url: Usual<Url>,
    #[serde(default)]
    shasum: Usual<Checksum>,
    #[serde(default)]
    h1: H1,
    #[serde(default)]
    size: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrorLine {
    #[serde(rename = "version")]
    _version: Filled,
    #[serde(rename = "message")]
    _message: Filled,
    #[serde(rename = "utc_time")]
    _utc_time: Timestamp,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModuleFile<'a> {
    #[serde(borrow, default)]
    versions: Option<Vec<Object<ModuleLine<'a>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModuleLine<'a> {
    #[serde(borrow)]
    version: Cow<'a, str>,
    #[serde(default)]
    commit: Filled,
    #[serde(default)]
    discovered: Option<Timestamp>,
}

/// Reads a text and keeps only whether it is filled: true if the text is not empty.
#[derive(Default)]
struct Filled(bool);

impl<'de> Deserialize<'de> for Filled {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Look;
        impl Visitor<'_> for Look {
            type Value = Filled;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Filled, E> {
                Ok(Filled(!text.is_empty()))
            }
        }
        deserializer.deserialize_str(Look)
    }
}

/// A summary of a list, updated with each item that is read.
trait Sum: Default {
    type Item;

    fn add(&mut self, item: Self::Item);
}

/// The summary of a list in a file. The items are not stored, because the registry has 600,000 targets.
struct Summed<S>(S);

impl<S: Sum> Summed<S> {
    fn of(items: impl Iterator<Item = S::Item>) -> Self {
        let mut sum = S::default();
        items.for_each(|item| sum.add(item));
        Self(sum)
    }
}

impl<'de, S: Sum<Item: Deserialize<'de>>> Deserialize<'de> for Summed<S> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Look<S>(PhantomData<S>);
        impl<'de, S: Sum<Item: Deserialize<'de>>> Visitor<'de> for Look<S> {
            type Value = Summed<S>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Summed<S>, A::Error> {
                let mut sum = S::default();
                while let Some(item) = items.next_element()? {
                    sum.add(item);
                }
                Ok(Summed(sum))
            }
        }
        deserializer.deserialize_seq(Look(PhantomData))
    }
}

/// The usual form of a field. No client refuses a field in its usual form; `rules::client` checks the others.
trait Form {
    fn is_usual(text: &str) -> bool;
}

/// Records whether a text has the usual form of its field, without keeping the text.
struct Usual<F> {
    is_usual: bool,
    form: PhantomData<F>,
}

impl<F: Form> Usual<F> {
    fn of(text: &str) -> Self {
        Self { is_usual: F::is_usual(text), form: PhantomData }
    }
}

/// A missing field counts as an empty text.
impl<F: Form> Default for Usual<F> {
    fn default() -> Self {
        Self::of("")
    }
}

impl<'de, F: Form> Deserialize<'de> for Usual<F> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Look<F>(PhantomData<F>);
        impl<F: Form> Visitor<'_> for Look<F> {
            type Value = Usual<F>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Usual<F>, E> {
                Ok(Usual::of(text))
            }
        }
        deserializer.deserialize_str(Look(PhantomData))
    }
}

/// Returns true if every byte of a text is allowed. It never stops early, so that the compiler can check many bytes at
/// once: the registry has 600,000 targets, and nearly all of them have the usual form.
fn are_all(text: &str, is_allowed: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(true, |so_far, byte| so_far & is_allowed(byte))
}

struct Protocol;
struct Url;
struct UrlOrNone;
struct Word;
struct FileName;
struct Checksum;
struct Hash;
struct VersionName;

impl Form for Protocol {
    fn is_usual(text: &str) -> bool {
        matches!(text, "5.0" | "6.0")
    }
}

impl Form for Url {
    fn is_usual(text: &str) -> bool {
        text.starts_with("https://github.com/")
    }
}

impl Form for UrlOrNone {
    fn is_usual(text: &str) -> bool {
        text.is_empty() || Url::is_usual(text)
    }
}

impl Form for Word {
    fn is_usual(text: &str) -> bool {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    }
}

impl Form for FileName {
    fn is_usual(text: &str) -> bool {
        !text.is_empty() && are_all(text, |byte| byte.is_ascii_graphic() && byte != b'/' && byte != b'\\')
    }
}

impl Form for Checksum {
    fn is_usual(text: &str) -> bool {
        text.len() == 64 && are_all(text, |byte| byte.is_ascii_hexdigit())
    }
}

impl Form for Hash {
    fn is_usual(text: &str) -> bool {
        text.is_empty() || text.starts_with("h1:")
    }
}

impl Form for VersionName {
    /// Accepts three 64-bit numbers without leading zeros, with a prerelease, a build or both of plain characters.
    fn is_usual(text: &str) -> bool {
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let (core, extra) = text.split_at(end);
        let (prerelease, build) = match extra.split_once('+') {
            Some((prerelease, build)) => (prerelease, Some(build)),
            None => (extra, None),
        };
        let is_number = |part: &str| {
            (part == "0" || !part.starts_with('0'))
                && (1..20).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_plain = |extra: &str| {
            let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
            !extra.is_empty() && are_all(extra, is_allowed)
        };
        let mut parts = core.split('.');
        let is_core =
            [parts.next(), parts.next(), parts.next()].into_iter().all(|part| part.is_some_and(is_number))
                && parts.next().is_none();
        is_core && (prerelease.is_empty() || is_plain(&prerelease[1..])) && build.is_none_or(is_plain)
    }
}

/// Returns true for a size that an archive can have. A missing size is not a fault of the file.
fn is_usual_size(size: Option<u64>) -> bool {
    size.is_none_or(|size| (1..=2 << 30).contains(&size))
}

/// Records whether an h1 is stored, and whether it has an unusual form.
#[derive(Default)]
struct H1 {
    is_filled: bool,
    is_unusual: bool,
}

impl H1 {
    fn of(text: &str) -> Self {
        Self { is_filled: !text.is_empty(), is_unusual: !Hash::is_usual(text) }
    }
}

impl<'de> Deserialize<'de> for H1 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Look;
        impl Visitor<'_> for Look {
            type Value = H1;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<H1, E> {
                Ok(H1::of(text))
            }
        }
        deserializer.deserialize_str(Look)
    }
}

impl TargetLine {
    fn is_usual(&self) -> bool {
        [
            self.os.is_usual,
            self.arch.is_usual,
            self.filename.is_usual,
            self.download_url.is_usual,
            self.shasum.is_usual,
            !self.h1.is_unusual,
            is_usual_size(self.size),
        ]
        .iter()
        .all(|is_usual| *is_usual)
    }

    fn is_hashed(&self) -> bool {
        self.h1.is_filled && self.size.is_some_and(|size| size > 0)
    }

    fn of(target: &Target) -> Self {
        Self {
            os: Usual::of(&target.os),
            arch: Usual::of(&target.arch),
            filename: Usual::of(&target.filename),
            download_url: Usual::of(&target.download_url),
            shasum: Usual::of(&target.shasum),
            h1: H1::of(target.h1.as_deref().unwrap_or_default()),
            size: target.size,
        }
    }
}

/// The targets of a version, or of a whole entry.
#[derive(Clone, Copy, Default)]
struct Targets {
    count: u32,
    unhashed: u32,
    unusual: u32,
}

impl Sum for Targets {
    type Item = Object<TargetLine>;

    fn add(&mut self, Object(target): Object<TargetLine>) {
        self.count += 1;
        self.unhashed += u32::from(!target.is_hashed());
        self.unusual += u32::from(!target.is_usual());
    }
}

/// The number of texts that do not have the usual form.
struct Unusual<F> {
    count: u32,
    form: PhantomData<F>,
}

impl<F> Default for Unusual<F> {
    fn default() -> Self {
        Self { count: 0, form: PhantomData }
    }
}

impl<F: Form> Sum for Unusual<F> {
    type Item = Usual<F>;

    fn add(&mut self, text: Usual<F>) {
        self.count += u32::from(!text.is_usual);
    }
}

impl ProviderLine<'_> {
    fn targets(&self) -> Targets {
        self.targets.as_ref().map_or_else(Targets::default, |Summed(targets)| *targets)
    }

    fn is_usual(&self) -> bool {
        let targets = self.targets();
        VersionName::is_usual(&self.version)
            && self.shasums_url.is_usual
            && self.shasums_signature_url.is_usual
            && self.protocols.as_ref().is_none_or(|Summed(protocols)| protocols.count == 0)
            && targets.count > 0
            && targets.unusual == 0
    }

    /// Summarises a version that was already parsed.
    fn of(version: &ProviderVersion) -> ProviderLine<'_> {
        ProviderLine {
            version: version.version.as_str().into(),
            protocols: Some(Summed::of(version.protocols.iter().map(|protocol| Usual::of(protocol)))),
            shasums_url: Usual::of(&version.shasums_url),
            shasums_signature_url: Usual::of(&version.shasums_signature_url),
            targets: Some(Summed::of(version.targets.iter().map(|target| Object(TargetLine::of(target))))),
            discovered: version.discovered,
        }
    }
}

/// Returns a provider file with only the versions at these places; `None` if the text has no plain list of versions.
fn only(places: &[usize], text: &str) -> Option<Box<str>> {
    #[derive(Deserialize)]
    struct Versions<'a> {
        #[serde(borrow)]
        versions: Vec<&'a RawValue>,
    }
    let Object(Versions { versions }) = serde_json::from_str(text).ok()?;
    let kept: Option<Vec<&str>> = places.iter().map(|place| Some(versions.get(*place)?.get())).collect();
    Some(format!(r#"{{"versions":[{}]}}"#, kept?.join(",")).into())
}

impl Shape {
    /// Summarises the bytes of a data file. Never fails: what cannot be read is said in `broken`, with line and column.
    pub fn parse(kind: Kind, bytes: &[u8]) -> Self {
        let plain = std::str::from_utf8(bytes).ok().and_then(|text| match kind {
            Kind::Provider => {
                let (mut shape, unusual) =
                    serde_json::from_str(text).ok().map(|Object(file)| Self::of_provider(file))?;
                if !unusual.is_empty() {
                    shape.unusual = only(&unusual, text)?;
                }
                Some(shape)
            }
            Kind::Module => serde_json::from_str(text).ok().map(|Object(file)| Self::of_module(&file)),
        });
        let shape = plain.unwrap_or_else(|| match Entry::read(kind, bytes) {
            Ok((_, entry)) => Self::of_entry(&entry, &String::from_utf8_lossy(bytes)),
            Err(broken) => Self { broken: Some(broken.into()), ..Self::default() },
        });
        Self { size_bytes: bytes.len() as u32, ..shape }
    }

    fn of_provider(file: ProviderFile<'_>) -> (Self, Vec<usize>) {
        let versions = file.versions.unwrap_or_default();
        let mut shape = Self {
            error_count: file.versions_errors.map_or(0, |list| list.len() as u32),
            warning_count: file.warnings.map_or(0, |list| list.len() as u32),
            ..Self::default()
        };
        let places = shape.count(versions.iter().map(|Object(line)| line));
        (shape, places)
    }

    fn of_module(file: &ModuleFile<'_>) -> Self {
        let mut shape = Self::default();
        let versions = file.versions.as_deref().unwrap_or_default();
        shape.name(versions.iter().map(|Object(line)| (&*line.version, line.discovered)));
        shape.commit_count = versions.iter().filter(|Object(line)| line.commit.0).count() as u32;
        shape
    }

    fn of_entry(entry: &Entry, text: &str) -> Self {
        let mut shape = Self::default();
        match entry {
            Entry::Provider(entry) => {
                shape.error_count = entry.versions_errors.len() as u32;
                shape.warning_count = entry.warnings.len() as u32;
                let lines: Vec<ProviderLine<'_>> = entry.versions.iter().map(ProviderLine::of).collect();
                let unusual = shape.count(lines.iter());
                if !unusual.is_empty() {
                    // Very few files are read this way, so the whole text is kept.
                    shape.unusual = text.into();
                }
            }
            Entry::Module(entry) => {
                shape.name(entry.versions.iter().map(|version| (&*version.version, version.discovered)));
                shape.commit_count =
                    entry.versions.iter().filter(|version| version.recorded_commit().is_some()).count()
                        as u32;
            }
        }
        shape
    }

    /// Counts the versions of a provider, and returns the places of those with a field in an unusual form.
    fn count<'a>(&mut self, versions: impl Iterator<Item = &'a ProviderLine<'a>> + Clone) -> Vec<usize> {
        self.name(versions.clone().map(|line| (&*line.version, line.discovered)));
        let mut unusual = Vec::new();
        for (place, line) in versions.enumerate() {
            let targets = line.targets();
            self.target_count += targets.count;
            self.unhashed_targets += targets.unhashed;
            if !line.is_usual() {
                unusual.push(place);
            }
        }
        unusual
    }

    /// The versions that have a field in an unusual form; `None` if there are none.
    pub(crate) fn unusual_versions(&self) -> Option<ProviderEntry> {
        (!self.unusual.is_empty()).then(|| ProviderEntry::parse(self.unusual.as_bytes()).ok()).flatten()
    }

    fn name<'a>(&mut self, versions: impl Iterator<Item = (&'a str, Option<Timestamp>)>) {
        let mut names = String::new();
        for (version, discovered) in versions {
            if self.version_count > 0 {
                names.push('\n');
            }
            names.push_str(version);
            self.version_count += 1;
            self.discovered = self.discovered.max(discovered);
        }
        self.versions = names.into();
        self.highest_at = highest_at(self.version_list()).map_or(0, |(at, _)| at as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_file_is_summarised() {
        let text = br#"{"versions":[{"version":"1.1.0","targets":[{"os":"linux","h1":"h1:x","size":3},{"h1":"","size":0},
            {"os":"linux"}],"discovered":"2026-05-01T00:00:00Z"},{"version":"1.0.0","targets":[]}],
            "versions_errors":[{"version":"1.2.0","message":"m","utc_time":"2026-05-01T00:00:00Z"}],"warnings":["old"],"unknown":{"a":[1]}}"#;
        let shape = Shape::parse(Kind::Provider, text);
        assert_eq!(shape.version_list().collect::<Vec<_>>(), ["1.1.0", "1.0.0"]);
        assert_eq!((shape.target_count, shape.unhashed_targets), (3, 2));
        assert_eq!((shape.error_count, shape.warning_count, shape.version_count), (1, 1, 2));
        assert_eq!(shape.discovered.map(|at| at.to_string()).as_deref(), Some("2026-05-01T00:00:00Z"));
    }

    /// The summary keeps the versions that clients may refuse, so that a survey need not read the file again.
    #[test]
    fn versions_in_an_unusual_form_are_kept() {
        let target = format!(
            r#"{{"os":"linux","arch":"amd64","filename":"f.zip","download_url":"https://github.com/f","shasum":"{}"}}"#,
            "a".repeat(64)
        );
        let version = |name: &str, protocol: &str| {
            format!(
                r#"{{"version":"{name}","protocols":["{protocol}"],"shasums_url":"https://github.com/s","targets":[{target}]}}"#
            )
        };
        let kept = |versions: &[String]| {
            let text = format!(r#"{{"versions":[{}],"warnings":["old"]}}"#, versions.join(","));
            let shape = Shape::parse(Kind::Provider, text.as_bytes());
            let kept = shape.unusual_versions().map(|entry| entry.versions);
            let names = kept.into_iter().flatten().map(|version| version.version);
            (names.collect::<Vec<_>>(), shape.unusual.len() < text.len())
        };
        let plain = ["1.3.0-rc1+5", "1.2.0", "1.1.0+b"].map(|name| version(name, "5.0"));
        assert_eq!(kept(&plain), (vec![], true));
        let mixed = [version("1.2", "5.0"), version("1.1.0", "6.0"), version("1.0.0", "4.0")];
        assert_eq!(kept(&mixed), (vec!["1.2".to_owned(), "1.0.0".to_owned()], true));
    }

    #[test]
    fn a_module_file_keeps_raw_tags() {
        let shape = Shape::parse(Kind::Module, br#"{"versions":[{"version":"v1.0.0"},{"version":"1.0.0"}]}"#);
        assert_eq!((&*shape.versions, shape.commit_count), ("v1.0.0\n1.0.0", 0));
        let text = br#"{"versions":[{"version":"v1.0.0","commit":"c"},{"version":"1.0.0","commit":""}]}"#;
        assert_eq!(Shape::parse(Kind::Module, text).commit_count, 1);
        assert_eq!(Shape::parse(Kind::Module, br#"{"versions":null}"#).version_count, 0);
    }

    #[test]
    fn broken_files_say_where() {
        let cases: [(&[u8], &str); 6] = [
            (b"{\n  \"versions\": [\n", "broken JSON at 3:0"),
            (b"\xEF\xBB\xBF{}", "broken JSON at 1:1"),
            (b"{\"versions\": 3}", "wrong content at 1:14: invalid type: integer `3`"),
            (
                b"{\"x\": 1, \"versions\": [[\"1.0.0\"]]}",
                "wrong content at 1:22: invalid type: sequence, expected an object",
            ),
            (
                b"{\"versions\": [{\"version\": null}]}",
                "wrong content at 1:30: invalid type: null, expected a string",
            ),
            (b"[]", "broken JSON at 1:1"),
        ];
        for (bytes, start) in cases {
            let broken = Shape::parse(Kind::Provider, bytes).broken.unwrap();
            assert!(broken.starts_with(start), "{broken}");
        }
    }

    /// What a list says of a file and what is read of it when it is opened come from two readers.
    #[test]
    fn both_readers_find_the_same_files_broken() {
        let target = r#"{"os":"linux","arch":"amd64","filename":"f","download_url":"u","shasum":"s","h1":"h","size":3}"#;
        let version = format!(
            r#"{{"version":"1.0.0","protocols":["5.0"],"shasums_url":"u","shasums_signature_url":"s","targets":[{target}],"discovered":"2026-05-01T00:00:00Z"}}"#
        );
        let error = r#"{"version":"1.1.0","message":"m","utc_time":"2026-05-01T00:00:00Z"}"#;
        let provider = format!(
            r#"{{"repository":"r","versions":[{version}],"versions_errors":[{error}],"warnings":["w"]}}"#
        );
        let module =
            r#"{"versions":[{"version":"v1.0.0","commit":"c","discovered":"2026-05-01T00:00:00Z"}]}"#;
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let values = [
            "null",
            "true",
            "3",
            "-1",
            "1.5",
            "1e999",
            r#""""#,
            r#""x""#,
            r#""\ud800""#,
            r#""\u0041""#,
            "[]",
            "[3]",
            "[[]]",
            "[null]",
            "{}",
            r#"{"version":"2.0.0"}"#,
            r#"[{"version":"2.0.0"}]"#,
            r#"["2.0.0",[]]"#,
            deep.as_str(),
        ];
        let mut broken = [0, 0];
        for (kind, whole) in [(Kind::Provider, provider.as_str()), (Kind::Module, module)] {
            for (at, _) in whole.match_indices("\":") {
                let (name, end) = (&whole[..at].rsplit_once('"').unwrap().1, value_end(whole, at + 2));
                for value in values {
                    let replaced = format!("{}{value}{}", &whole[..at + 2], &whole[end..]);
                    let renamed = format!("{}x\":{value}{}", &whole[..at], &whole[end..]);
                    let after = format!("{},\"{name}\":{value}{}", &whole[..end], &whole[end..]);
                    let before = format!("{}\":{value},\"{name}{}", &whole[..at], &whole[at..]);
                    for text in [replaced, renamed, after, before] {
                        let shape = Shape::parse(kind, text.as_bytes());
                        let read = Entry::read(kind, text.as_bytes());
                        assert_eq!(
                            shape.broken.as_deref(),
                            read.as_ref().err().map(String::as_str),
                            "{text}"
                        );
                        if let Ok((_, entry)) = &read {
                            let versions = entry.versions();
                            assert_eq!(
                                shape.version_list().collect::<Vec<_>>(),
                                versions.iter().copied().filter(|v| !v.is_empty()).collect::<Vec<_>>(),
                                "{text}"
                            );
                            // Both readers keep the same unusual versions, but as different text.
                            let read_whole =
                                Shape { size_bytes: text.len() as u32, ..Shape::of_entry(entry, &text) };
                            assert_eq!(unusual_of(&shape), unusual_of(&read_whole), "{text}");
                            let unusual = shape.unusual.clone();
                            assert_eq!(shape, Shape { unusual, ..read_whole }, "{text}");
                        }
                        broken[usize::from(read.is_ok())] += 1;
                    }
                }
            }
        }
        assert!(broken.iter().all(|count| *count > 300), "{broken:?}");
    }

    fn unusual_of(shape: &Shape) -> Vec<ProviderVersion> {
        let versions = shape.unusual_versions().map(|entry| entry.versions).unwrap_or_default();
        versions.into_iter().filter(|version| !ProviderLine::of(version).is_usual()).collect()
    }

    /// Where the value that begins at a byte of compact JSON ends.
    fn value_end(text: &str, from: usize) -> usize {
        let mut values =
            serde_json::Deserializer::from_str(&text[from..]).into_iter::<serde::de::IgnoredAny>();
        values.next().unwrap().unwrap();
        from + values.byte_offset()
    }
}
