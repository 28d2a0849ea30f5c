//! Which program does it: what the configuration and the variables name, or what is usual and there.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::boot::desktop::{Desktop, Viewer};
use crate::boot::program::find;

/// A program and its arguments, the last one still missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgramLine {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    /// For people.
    pub(super) name: String,
}

impl Desktop {
    fn is_set(&self, variable: &str) -> bool {
        self.environment.variable(variable).is_some()
    }

    pub(super) fn browser_line(&self) -> Option<ProgramLine> {
        if let Some(text) = &self.browser {
            return self.line(text);
        }
        let named = self.environment.text("BROWSER").unwrap_or_default();
        if let Some(line) = named.split(':').find_map(|text| self.line(text)) {
            return Some(line);
        }
        if cfg!(target_os = "macos") {
            return self.line("open");
        }
        if self.is_set("WSL_DISTRO_NAME")
            && let Some(line) = self.line("wslview")
        {
            return Some(line);
        }
        // Without a desktop these would start a browser of text on our terminal.
        if !self.is_set("DISPLAY") && !self.is_set("WAYLAND_DISPLAY") {
            return None;
        }
        self.line("xdg-open").or_else(|| self.line("gio open"))
    }

    pub(super) fn clipboard_line(&self) -> Option<ProgramLine> {
        if self.is_set("TMUX") {
            // tmux knows the terminals of all who look at it, and which of them take a text.
            return self.line("tmux load-buffer -w -");
        }
        if self.is_set("SSH_CONNECTION") || self.is_set("SSH_TTY") {
            // The clipboard that is meant is at the other end, and only the terminal reaches it.
            return None;
        }
        if cfg!(target_os = "macos") {
            return self.line("pbcopy");
        }
        let known = [
            ("WAYLAND_DISPLAY", "wl-copy"),
            ("DISPLAY", "xclip -selection clipboard -in"),
            ("DISPLAY", "xsel --clipboard --input"),
            ("WSL_DISTRO_NAME", "clip.exe"),
        ];
        known.into_iter().filter(|(variable, _)| self.is_set(variable)).find_map(|(_, text)| self.line(text))
    }

    pub(super) fn viewer_line(&self, viewer: Viewer) -> Option<ProgramLine> {
        let (variables, usual) = match viewer {
            Viewer::Editor => (&["VISUAL", "EDITOR"][..], ["vi", "nano"]),
            Viewer::Pager => (&["PAGER"][..], ["less", "more"]),
        };
        // One that was named and is not there is said so when it is asked for, and not passed over.
        let named = variables.iter().find_map(|variable| self.environment.text(variable));
        match named {
            Some(text) => self.line(text).or_else(|| Some(missing(text))),
            None => usual.into_iter().find_map(|text| self.line(text)),
        }
    }

    /// A command line as such variables have it: words, or something for the shell.
    fn line(&self, text: &str) -> Option<ProgramLine> {
        let text = text.trim();
        let name = text.split_whitespace().next()?.to_owned();
        if text.contains(['"', '\'', '\\', '$', '`', ';', '&', '|', '<', '>', '(', '*', '~']) {
            let script = format!("{text} \"$@\"");
            let arguments = ["-c", script.as_str(), name.as_str()].map(OsString::from).into();
            return Some(ProgramLine { program: find(&self.environment, "sh")?, arguments, name });
        }
        let arguments = text.split_whitespace().skip(1).map(OsString::from).collect();
        Some(ProgramLine { program: find(&self.environment, &name)?, arguments, name })
    }
}

fn missing(text: &str) -> ProgramLine {
    let name = text.split_whitespace().next().unwrap_or(text).to_owned();
    ProgramLine { program: PathBuf::from(&name), arguments: Vec::new(), name }
}
