//! The summary parse of a data file: one pass over borrowed text that keeps counts and version names alone.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, Visitor};

use crate::registry::Kind;
use crate::registry::catalog::Shape;
use crate::registry::version::highest_at;

/// Changes whenever [`Shape::parse`] gives something else for the same bytes, so that stored shapes are thrown away.
pub(crate) const SHAPE_FORMAT: u32 = 2;

#[derive(Deserialize)]
struct ProviderFile<'a> {
    #[serde(borrow, default)]
    versions: Option<Vec<ProviderLine<'a>>>,
    #[serde(default)]
    versions_errors: Option<Vec<IgnoredAny>>,
    #[serde(default)]
    warnings: Option<Vec<IgnoredAny>>,
}

#[derive(Deserialize)]
struct ProviderLine<'a> {
    #[serde(borrow)]
    version: Cow<'a, str>,
    #[serde(default)]
    targets: Option<Vec<TargetLine>>,
    #[serde(default)]
    discovered: Option<jiff::Timestamp>,
}

#[derive(Deserialize)]
struct TargetLine {
    #[serde(default)]
    h1: Filled,
    #[serde(default)]
    size: u64,
}

#[derive(Deserialize)]
struct ModuleFile<'a> {
    #[serde(borrow, default)]
    versions: Option<Vec<ModuleLine<'a>>>,
}

#[derive(Deserialize)]
struct ModuleLine<'a> {
    #[serde(borrow)]
    version: Cow<'a, str>,
    #[serde(default)]
    discovered: Option<jiff::Timestamp>,
}

/// Whether a text stands there, without keeping it.
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

impl Shape {
    /// Summarises the bytes of a data file. Never fails: what cannot be read is said in `broken`, with line and column.
    pub fn parse(kind: Kind, bytes: &[u8]) -> Self {
        let size_bytes = bytes.len() as u32;
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            let text =
                "broken JSON at 1:1: the file starts with a byte order mark; save it as UTF-8 without one";
            return Self { broken: Some(text.into()), size_bytes, ..Self::default() };
        }
        // A derived struct reads an array too, field by field.
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            let text = "broken JSON at 1:1: the root is an array, not an object";
            return Self { broken: Some(text.into()), size_bytes, ..Self::default() };
        }
        let parsed = match kind {
            Kind::Provider => serde_json::from_slice(bytes).map(Self::of_provider),
            Kind::Module => serde_json::from_slice(bytes).map(|file: ModuleFile<'_>| Self::of_module(&file)),
        };
        match parsed {
            Ok(shape) => Self { size_bytes, ..shape },
            Err(error) => {
                let text = error.to_string();
                let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
                let broken = format!("broken JSON at {}:{}: {text}", error.line(), error.column());
                Self { broken: Some(broken.into()), size_bytes, ..Self::default() }
            }
        }
    }

    fn of_provider(file: ProviderFile<'_>) -> Self {
        let versions = file.versions.unwrap_or_default();
        let mut shape = Self {
            error_count: file.versions_errors.map_or(0, |list| list.len() as u32),
            warning_count: file.warnings.map_or(0, |list| list.len() as u32),
            ..Self::default()
        };
        shape.name(versions.iter().map(|line| (&*line.version, line.discovered)));
        for target in versions.iter().filter_map(|line| line.targets.as_ref()).flatten() {
            shape.target_count += 1;
            shape.unhashed_targets += u32::from(!target.h1.0 || target.size == 0);
        }
        shape
    }

    fn of_module(file: &ModuleFile<'_>) -> Self {
        let mut shape = Self::default();
        let versions = file.versions.as_deref().unwrap_or_default();
        shape.name(versions.iter().map(|line| (&*line.version, line.discovered)));
        shape
    }

    fn name<'a>(&mut self, versions: impl Iterator<Item = (&'a str, Option<jiff::Timestamp>)>) {
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
            "versions_errors":[{"version":"1.2.0"}],"warnings":["old"],"unknown":{"a":[1]}}"#;
        let shape = Shape::parse(Kind::Provider, text);
        assert_eq!(shape.version_list().collect::<Vec<_>>(), ["1.1.0", "1.0.0"]);
        assert_eq!((shape.target_count, shape.unhashed_targets), (3, 2));
        assert_eq!((shape.error_count, shape.warning_count, shape.version_count), (1, 1, 2));
        assert_eq!(shape.discovered.map(|at| at.to_string()).as_deref(), Some("2026-05-01T00:00:00Z"));
    }

    #[test]
    fn a_module_file_keeps_raw_tags() {
        let shape = Shape::parse(Kind::Module, br#"{"versions":[{"version":"v1.0.0"},{"version":"1.0.0"}]}"#);
        assert_eq!(&*shape.versions, "v1.0.0\n1.0.0");
        assert_eq!(Shape::parse(Kind::Module, br#"{"versions":null}"#).version_count, 0);
    }

    #[test]
    fn broken_files_say_where() {
        let cases: [(&[u8], &str); 4] = [
            (b"{\n  \"versions\": [\n", "broken JSON at 3:0"),
            (b"\xEF\xBB\xBF{}", "broken JSON at 1:1"),
            (b"{\"versions\": 3}", "broken JSON at 1:14"),
            (b"[]", "broken JSON at 1:1"),
        ];
        for (bytes, start) in cases {
            let broken = Shape::parse(Kind::Provider, bytes).broken.unwrap();
            assert!(broken.starts_with(start), "{broken}");
        }
    }
}
