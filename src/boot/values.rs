//! Settings as they were said, each with its origin: configuration, then variables, then flags, the later one winning.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::boot::table::{Form, Origin, Row};
use crate::boot::user_file::read_text;
use crate::boot::{Environment, Flags, config, table};
use crate::jobs::data::{Failure, FailureKind};
use crate::rules::spelling::nearest;
use crate::settings::Feature;

/// The values that the user set; keys that are missing have their defaults.
#[derive(Debug, Default)]
pub(crate) struct Values {
    map: BTreeMap<&'static str, (OsString, Origin)>,
}

impl Values {
    /// Gathers all sources, and the path of the configuration file that was read.
    pub(crate) fn gather(
        flags: &Flags,
        environment: &Environment,
    ) -> Result<(Self, Option<PathBuf>), Failure> {
        let mut values = Self::default();
        let file = read_config(flags, environment)?;
        if let Some((path, text)) = &file {
            for (row, value, origin) in config::read(text, path)? {
                values.put(row, value, origin);
            }
        }
        values.take_variables(environment)?;
        values.take_flags(flags, environment)?;
        Ok((values, file.map(|(path, _)| path)))
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.map.get(key)?.0.to_str()
    }

    pub(crate) fn path(&self, key: &str) -> Option<PathBuf> {
        Some(PathBuf::from(&self.map.get(key)?.0))
    }

    pub(crate) fn switch(&self, key: &str) -> Option<bool> {
        table::switch(self.text(key)?)
    }

    pub(crate) fn origin(&self, key: &str) -> Origin {
        self.map.get(key).map_or(Origin::Default, |(_, origin)| origin.clone())
    }

    /// Sets a value that follows from others.
    pub(crate) fn derive(&mut self, key: &'static str, value: impl Into<OsString>, from: &'static str) {
        self.map.insert(key, (value.into(), Origin::Derived(from)));
    }

    fn put(&mut self, row: &'static Row, value: OsString, origin: Origin) {
        self.map.insert(row.key, (value, origin));
    }

    /// Checks and keeps the value of a variable or flag.
    fn take(
        &mut self,
        row: &'static Row,
        value: &OsStr,
        origin: Origin,
        environment: &Environment,
    ) -> Result<(), Failure> {
        if let Err(wanted) = row.form.check(value) {
            let kind =
                if matches!(origin, Origin::Flag(_)) { FailureKind::Usage } else { FailureKind::Config };
            let text = format!("`{origin}` cannot be `{}`: {wanted}", value.to_string_lossy());
            return Err(failure(kind, text, None));
        }
        let value = if row.form == Form::Path { environment.cwd.join(value).into() } else { value.into() };
        self.put(row, value, origin);
        Ok(())
    }

    fn take_variables(&mut self, environment: &Environment) -> Result<(), Failure> {
        // The conventions of others come first, so that our own variables win over them.
        let conventions = [
            ("ACCESSIBLE", "ui.plain", "true"),
            ("NO_COLOR", "ui.color", "never"),
            ("NO_MOTION", "ui.motion", "off"),
        ];
        for (variable, key, value) in conventions {
            if environment.variable(variable).is_some_and(|text| text != "0")
                && let Some(row) = table::find(key)
            {
                self.put(row, value.into(), Origin::Variable(variable));
            }
        }
        if environment.is_dumb() {
            for (key, value) in [("ui.plain", "true"), ("ui.color", "never")] {
                if let Some(row) = table::find(key) {
                    self.put(row, value.into(), Origin::Variable("TERM"));
                }
            }
        }
        for row in table::TABLE {
            if let Some(variable) = row.variable
                && let Some(value) = environment.variable(variable)
            {
                self.take(row, value, Origin::Variable(variable), environment)?;
            }
        }
        Ok(())
    }

    fn take_flags(&mut self, flags: &Flags, environment: &Environment) -> Result<(), Failure> {
        for (key, value) in &flags.values {
            if let Some(row) = table::find(key) {
                self.take(row, value, Origin::Flag(row.flag.unwrap_or(row.key)), environment)?;
            }
        }
        for text in &flags.features {
            let Some((name, value)) = text.split_once('=') else {
                let text = format!("`--feature {text}` is not of the form NAME=on or NAME=off");
                return Err(failure(FailureKind::Usage, text, None));
            };
            let Some(row) = table::find(&format!("features.{name}")) else {
                let known = Feature::ALL.map(Feature::name);
                let hint = nearest(name, known).map_or_else(
                    || format!("Known features: {}.", known.join(", ")),
                    |near| format!("Write `{near}` instead."),
                );
                let text = format!("there is no feature `{name}`");
                return Err(failure(FailureKind::Usage, text, Some(hint)));
            };
            self.take(row, OsStr::new(value), Origin::Flag("--feature"), environment)?;
        }
        Ok(())
    }
}

/// The configuration file's path and text: the one that was named, or the user's own if there is one.
fn read_config(flags: &Flags, environment: &Environment) -> Result<Option<(PathBuf, String)>, Failure> {
    let path = match (&flags.config, &environment.folders) {
        (Some(path), _) => environment.cwd.join(path),
        (None, Some(folders)) => folders.config.join("config.toml"),
        (None, None) => return Ok(None),
    };
    match read_text(&path, config::MOST_BYTES) {
        Ok(Some(text)) => Ok(Some((path, text))),
        Ok(None) if flags.config.is_none() => Ok(None),
        Ok(None) => Err(config_failure(&path, "there is no such file")),
        Err(why) => Err(config_failure(&path, &why)),
    }
}

fn config_failure(path: &Path, why: &str) -> Failure {
    Failure::new(FailureKind::Config, "reading the configuration")
        .cause(format!("`{}` cannot be read: {why}", path.display()))
        .hint("Check the path and its permissions, or name another file with `--config FILE`.")
}

pub(crate) fn failure(kind: FailureKind, text: String, hint: Option<String>) -> Failure {
    Failure { kind, doing: "reading the settings".into(), causes: vec![text], hint }
}
