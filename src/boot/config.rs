//! The configuration file: TOML, every key known, every mistake named with file, line, column and a way out.

use std::ffi::OsString;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::boot::table;
use crate::boot::table::{Form, Origin, Row};
use crate::jobs::data::{Failure, FailureKind};
use crate::rules::spelling::{nearest, place};

/// Larger files are no configuration.
pub(crate) const MOST_BYTES: u64 = 1 << 20;

/// A value of the configuration, with its row and place.
pub(crate) type Value = (&'static Row, OsString, Origin);

struct Reader<'a> {
    text: &'a str,
    file: &'a Path,
    values: Vec<Value>,
}

/// Reads a configuration; `file` is for messages, and relative paths are taken from its folder.
pub(crate) fn read(text: &str, file: &Path) -> Result<Vec<Value>, Failure> {
    let mut reader = Reader { text, file, values: Vec::new() };
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        reader.fail(at, error.message(), None)
    })?;
    for (key, value) in root.get_ref() {
        match value.get_ref().as_table() {
            Some(section) => reader.section(key, section)?,
            None => reader.value("", key, value)?,
        }
    }
    Ok(reader.values)
}

impl Reader<'_> {
    fn section(
        &mut self,
        name: &Spanned<toml::de::DeString<'_>>,
        section: &DeTable<'_>,
    ) -> Result<(), Failure> {
        let word = name.get_ref();
        if !sections().any(|known| known == &**word) {
            let near = nearest(word, sections());
            let hint = near.map_or_else(
                || format!("Known sections: {}.", join(sections())),
                |near| format!("Write `[{near}]` instead."),
            );
            return Err(self.fail(name.span().start, &format!("there is no section `[{word}]`"), Some(hint)));
        }
        for (key, value) in section {
            self.value(word, key, value)?;
        }
        Ok(())
    }

    fn value(
        &mut self,
        section: &str,
        key: &Spanned<toml::de::DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Failure> {
        let name = if section.is_empty() {
            key.get_ref().to_string()
        } else {
            format!("{section}.{}", key.get_ref())
        };
        let Some(row) = table::find(&name).filter(|row| row.form != Form::Moment) else {
            let known: Vec<&str> = keys(section).collect();
            let near = nearest(key.get_ref(), known.iter().copied());
            let hint = near.map_or_else(
                || format!("Known keys here: {}.", join(known.iter().copied())),
                |near| format!("Write `{near}` instead."),
            );
            return Err(self.fail(key.span().start, &format!("there is no key `{name}`"), Some(hint)));
        };
        let (line, column) = place(self.text, value.span().start);
        let raw = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(on) => on.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            other => {
                let text = format!("`{name}` cannot be a value of type {}", other.type_str());
                return Err(self.fail(value.span().start, &text, None));
            }
        };
        let mut raw = OsString::from(raw);
        if let Err(wanted) = row.form.check(&raw) {
            let text = format!("`{name}` cannot be `{}`: {wanted}", raw.to_string_lossy());
            return Err(self.fail(value.span().start, &text, None));
        }
        if row.form == Form::Path {
            raw = self.file.parent().unwrap_or(Path::new("")).join(raw).into();
        }
        self.values.push((row, raw, Origin::Config { file: self.file.into(), line, column }));
        Ok(())
    }

    fn fail(&self, at: usize, text: &str, hint: Option<String>) -> Failure {
        let (line, column) = place(self.text, at);
        Failure {
            kind: FailureKind::Config,
            doing: "reading the configuration".into(),
            causes: vec![format!("`{}:{line}:{column}`: {text}", self.file.display())],
            hint,
        }
    }
}

fn sections() -> impl Iterator<Item = &'static str> {
    ["endpoints", "features", "pace", "ui"].into_iter()
}

/// The keys of a section, without its name; those outside any section for the empty name.
fn keys(section: &str) -> impl Iterator<Item = &'static str> {
    table::TABLE.iter().filter(|row| row.form != Form::Moment).filter_map(move |row| {
        match row.key.split_once('.') {
            Some((of, key)) => (of == section).then_some(key),
            None => section.is_empty().then_some(row.key),
        }
    })
}

fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        let text = "registry = \"../registry\"\n\n[endpoints]\napi = \"https://h/api/v3\"\n[features]\nmodule-commits = false\n[pace]\ngit-per-second = 12\napi-at-once = 2\n[ui]\nascii = true\n";
        let values = read(text, Path::new("/etc/bumpdesk/config.toml")).unwrap();
        let mut shown: Vec<String> = values
            .iter()
            .map(|(row, value, origin)| format!("{} {} {origin}", row.key, value.to_string_lossy()))
            .collect();
        shown.sort();
        assert_eq!(
            shown,
            [
                "endpoints.api https://h/api/v3 /etc/bumpdesk/config.toml:4:7",
                "features.module-commits false /etc/bumpdesk/config.toml:6:18",
                "pace.api-at-once 2 /etc/bumpdesk/config.toml:9:15",
                "pace.git-per-second 12 /etc/bumpdesk/config.toml:8:18",
                "registry /etc/bumpdesk/../registry /etc/bumpdesk/config.toml:1:12",
                "ui.ascii true /etc/bumpdesk/config.toml:11:9",
            ]
        );
    }

    #[test]
    fn mistakes_are_named_with_place_and_remedy() {
        let cases = [
            ("[endpoint]\n", "1:2`: there is no section `[endpoint]`", "Write `[endpoints]` instead."),
            (
                "\n[endpoints]\n  aip = \"x\"\n",
                "3:3`: there is no key `endpoints.aip`",
                "Write `api` instead.",
            ),
            ("regstry = \"x\"\n", "1:1`: there is no key `regstry`", "Write `registry` instead."),
            ("now = \"2026-01-01T00:00:00Z\"\n", "1:1`: there is no key `now`", "Known keys here: registry,"),
            ("[ui]\ncolor = \"blue\"\n", "2:9`: `ui.color` cannot be `blue`: write one of: auto", ""),
            ("[ui]\nplain = [1]\n", "2:9`: `ui.plain` cannot be a value of type array", ""),
            ("[endpoints]\nweb = \"http://github.com\"\n", "2:7`: `endpoints.web` cannot be", ""),
            ("[ui\n", "1:4`:", ""),
            ("# ü\nregistry = ü\n", "2:12`:", ""),
        ];
        for (text, cause, hint) in cases {
            let failure = read(text, Path::new("/c.toml")).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Config);
            assert!(failure.causes[0].starts_with(&format!("`/c.toml:{cause}")), "{text}: {failure:?}");
            assert!(failure.hint.unwrap_or_default().starts_with(hint), "{text}");
        }
    }
}
