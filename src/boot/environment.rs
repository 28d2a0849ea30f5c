//! The process's surroundings as a value, so that tests can make one up.
#![expect(clippy::disallowed_methods, reason = "the one reader of the environment")]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Everything that the process inherits: variables, folders, terminals. `Debug` names the variables and hides their values.
#[derive(Clone, Default)]
pub struct Environment {
    pub variables: BTreeMap<OsString, OsString>,
    /// The current folder.
    pub cwd: PathBuf,
    /// This program; `None` where nobody may start it.
    pub program: Option<PathBuf>,
    /// The user's own folders for bumpdesk; `None` where there is no home.
    pub folders: Option<Folders>,
    pub stdin_is_terminal: bool,
    pub stdout_is_terminal: bool,
    pub stderr_is_terminal: bool,
}

/// Where the user's configuration, state and caches belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    pub config: PathBuf,
    pub state: PathBuf,
    pub cache: PathBuf,
}

impl Environment {
    /// Reads the surroundings of this process.
    pub fn of_process() -> Self {
        let folders = directories::ProjectDirs::from("", "", "bumpdesk").map(|folders| Folders {
            config: folders.config_dir().into(),
            state: folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).into(),
            cache: folders.cache_dir().into(),
        });
        Self {
            variables: std::env::vars_os().collect(),
            cwd: std::env::current_dir().unwrap_or_default(),
            program: std::env::current_exe().ok(),
            folders,
            stdin_is_terminal: std::io::stdin().is_terminal(),
            stdout_is_terminal: std::io::stdout().is_terminal(),
            stderr_is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// A made-up one: these variables, this current folder, own folders below it, and no terminal.
    #[cfg(test)]
    pub(crate) fn made_up(cwd: impl Into<PathBuf>, variables: &[(&str, &str)]) -> Self {
        let cwd = cwd.into();
        let folders =
            Folders { config: cwd.join("config"), state: cwd.join("state"), cache: cwd.join("cache") };
        Self {
            variables: variables.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            cwd,
            folders: Some(folders),
            ..Self::default()
        }
    }

    /// A variable's value; an empty one counts as not set.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// A variable's value as text, if it is text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.variable(name)?.to_str()
    }

    /// All variables, for child programs.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// Whether the locale can show more than ASCII. Without any locale variable it is taken to.
    pub(crate) fn is_utf8(&self) -> bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| self.text(name));
        locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        })
    }

    /// A terminal that moves no cursor.
    pub(crate) fn is_dumb(&self) -> bool {
        self.text("TERM") == Some("dumb")
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("variables", &self.variables.keys().collect::<Vec<_>>())
            .field("cwd", &self.cwd)
            .field("program", &self.program)
            .field("folders", &self.folders)
            .field("stdin_is_terminal", &self.stdin_is_terminal)
            .field("stdout_is_terminal", &self.stdout_is_terminal)
            .field("stderr_is_terminal", &self.stderr_is_terminal)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_out_of_debug_and_empty_is_unset() {
        let environment = Environment::made_up("/nowhere", &[("GH_TOKEN", "canary-9134"), ("EMPTY", "")]);
        let debug = format!("{environment:?}");
        assert!(debug.contains("GH_TOKEN") && !debug.contains("canary"), "{debug}");
        assert_eq!(environment.text("GH_TOKEN"), Some("canary-9134"));
        assert_eq!(environment.variable("EMPTY"), None);
    }

    #[test]
    fn the_locale_decides_about_utf8() {
        for (variables, wanted) in [
            (&[][..], true),
            (&[("LANG", "C")][..], false),
            (&[("LANG", "en_GB.UTF-8")][..], true),
            (&[("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")][..], false),
            (&[("LC_ALL", "C.utf8")][..], true),
        ] {
            assert_eq!(Environment::made_up("/", variables).is_utf8(), wanted, "{variables:?}");
        }
    }
}
