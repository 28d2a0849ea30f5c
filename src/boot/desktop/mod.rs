//! The user's own programs beside the console: browser, clipboard, editor and pager.
//!
//! Found by the configuration and by the variables that everybody else goes by. A browser or a clipboard never gets our
//! terminal; an editor or a pager gets all of it, and a copy that it cannot write to, or a text that is read back. Their error
//! stream is logged. Called by the front door, which hands the functions to the console.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "starts programs, and makes the copies that they show"
)]

mod found;

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

use crate::boot::Environment;
use crate::boot::desktop::found::ProgramLine;

/// A browser that still runs after this has opened its page.
const BROWSER_LIMIT: Duration = Duration::from_secs(4);
const CLIPBOARD_LIMIT: Duration = Duration::from_secs(2);
/// What is kept of an error stream.
const MOST_SAID: u64 = 4 << 10;
/// The largest file that is read back from an editor.
const MOST_EDITED: u64 = 256 << 10;

/// The programs of one environment.
#[derive(Clone, Debug)]
pub(crate) struct Desktop {
    environment: Environment,
    /// From the configuration.
    browser: Option<String>,
}

/// Which program shows a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    Editor,
    Pager,
}

impl Desktop {
    pub(crate) fn new(environment: &Environment, browser: Option<&str>) -> Self {
        Self { environment: environment.clone(), browser: browser.map(Into::into) }
    }

    pub(crate) fn has_browser(&self) -> bool {
        self.browser_line().is_some()
    }

    pub(crate) fn has_clipboard(&self) -> bool {
        self.clipboard_line().is_some()
    }

    /// The program that takes copied texts.
    pub(crate) fn clipboard(&self) -> Option<String> {
        self.clipboard_line().map(|line| line.name)
    }

    /// The program that opens web pages.
    pub(crate) fn browser(&self) -> Option<String> {
        self.browser_line().map(|line| line.name)
    }

    pub(crate) fn has_editor(&self) -> bool {
        self.viewer_line(Viewer::Editor).is_some()
    }

    pub(crate) fn has_viewer(&self) -> bool {
        self.viewer_line(Viewer::Editor).is_some() && self.viewer_line(Viewer::Pager).is_some()
    }

    /// Opens a web page; gives the name of the program that did.
    ///
    /// # Errors
    /// What is no web page, no browser, or the browser's own words.
    pub(crate) async fn browse(&self, url: &str) -> Result<String, String> {
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(format!("`{url}` is not a web page"));
        }
        // Names come from files of the registry, and BROWSER may be a line for the shell, with the page inside it.
        let harmless = |c: char| c.is_ascii_alphanumeric() || "-._~:/?=#%+@,".contains(c);
        if !url.chars().all(harmless) {
            return Err("its address has characters that no repository's has; it was not passed on".into());
        }
        let mut line = self.browser_line().ok_or("no browser was found")?;
        // The convention of BROWSER: `%s` stands for the page.
        let mut named = false;
        for argument in &mut line.arguments {
            if let Some(text) = argument.to_str().filter(|text| text.contains("%s")) {
                *argument = text.replace("%s", url).into();
                named = true;
            }
        }
        if !named {
            line.arguments.push(url.into());
        }
        self.run_apart(&line, None, BROWSER_LIMIT, true).await.map(|()| line.name)
    }

    /// Copies a text; gives the name of the program that did.
    ///
    /// # Errors
    /// No program for it, or its own words.
    pub(crate) async fn copy(&self, text: &str) -> Result<String, String> {
        let line = self.clipboard_line().ok_or("no program for the clipboard was found")?;
        self.run_apart(&line, Some(text.as_bytes()), CLIPBOARD_LIMIT, false).await.map(|()| line.name)
    }

    /// Shows a copy of a file; the terminal is the program's until this ends. Dropped, it ends the program.
    ///
    /// # Errors
    /// The copy cannot be made, or the program cannot be started, fails, or is killed.
    pub(crate) async fn show(&self, viewer: Viewer, path: &str, bytes: &[u8]) -> Result<(), String> {
        let line = self.viewer_line(viewer).ok_or("no editor or pager was found; set EDITOR and PAGER")?;
        let folder = private_folder();
        let folder = folder.map_err(|error| format!("no copy could be made: {error}"))?;
        let file = folder.path().join(Path::new(path).file_name().unwrap_or(OsStr::new("copy")));
        write_copy(&file, bytes).map_err(|error| format!("no copy could be made: {error}"))?;
        let mut command = self.command(&line);
        match viewer {
            Viewer::Editor => command.arg(&file),
            Viewer::Pager => {
                let opened =
                    fs::File::open(&file).map_err(|error| format!("the copy cannot be read: {error}"))?;
                command.stdin(opened)
            }
        };
        command.kill_on_drop(true);
        let mut child =
            command.spawn().map_err(|error| format!("`{}` cannot be started: {error}", line.name))?;
        match child.wait().await {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(ended(&line.name, status)),
            Err(error) => Err(format!("`{}` was lost: {error}", line.name)),
        }
    }

    /// Has a text edited, and gives it back without the line break at its end; the terminal is the program's until this ends. The
    /// file stands in a folder of its own, which only we can enter and which is removed however this ends. Dropped, it ends the
    /// program.
    ///
    /// # Errors
    /// The file cannot be made, the program cannot be started, fails, or is killed; or it left no text, or too much.
    pub(crate) async fn edit(&self, text: &str) -> Result<String, String> {
        let line = self.viewer_line(Viewer::Editor).ok_or("no editor was found; set EDITOR")?;
        let cannot = |error: std::io::Error| format!("no file for the editor could be made: {error}");
        let folder = private_folder().map_err(cannot)?;
        let file = folder.path().join("text.md");
        write_text(&file, text).map_err(cannot)?;
        let mut command = self.command(&line);
        // It needs nothing of ours, and may start programs of its own.
        for (name, _) in self.environment.variables().filter(|(name, _)| is_ours(name)) {
            command.env_remove(name);
        }
        command.arg(&file).kill_on_drop(true);
        let mut child =
            command.spawn().map_err(|error| format!("`{}` cannot be started: {error}", line.name))?;
        match child.wait().await {
            Ok(status) if status.success() => read_text(&file),
            Ok(status) => Err(ended(&line.name, status)),
            Err(error) => Err(format!("`{}` was lost: {error}", line.name)),
        }
    }

    fn command(&self, line: &ProgramLine) -> Command {
        let mut command = Command::new(&line.program);
        command.args(&line.arguments).env_clear().envs(self.environment.variables());
        command.current_dir(&self.environment.cwd);
        command
    }

    /// Runs a program that has nothing of the terminal. With `may_stay` one that goes on for longer than the limit is fine.
    async fn run_apart(
        &self,
        line: &ProgramLine,
        input: Option<&[u8]>,
        limit: Duration,
        may_stay: bool,
    ) -> Result<(), String> {
        let name = &line.name;
        let cannot = |error: std::io::Error| format!("`{name}` cannot be started: {error}");
        // A file and no pipe: what stays in the background would hold a pipe open, or be ended by its end.
        let mut said = tempfile::tempfile().map_err(cannot)?;
        let mut command = self.command(line);
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() }).stdout(Stdio::null());
        command.stderr(said.try_clone().map_err(cannot)?);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(cannot)?;
        if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
            // A program that ends before it has read everything says why by its status.
            let _ = timeout(limit, pipe.write_all(input)).await;
        }
        let status = timeout(limit, child.wait()).await;
        let mut text = Vec::new();
        if said.rewind().is_ok() {
            let _ = (&mut said).take(MOST_SAID).read_to_end(&mut text);
        }
        let text = String::from_utf8_lossy(&text).trim().to_owned();
        if !text.is_empty() {
            tracing::info!(program = %name, %text, "said");
        }
        match status {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => {
                let first = text.lines().next().map(|line| format!(": {line}")).unwrap_or_default();
                Err(format!("{}{first}", ended(name, status)))
            }
            Ok(Err(error)) => Err(cannot(error)),
            Err(_) if may_stay => Ok(()),
            Err(_) => {
                child.start_kill().ok();
                Err(format!("`{name}` did not answer within {} s", limit.as_secs()))
            }
        }
    }
}

/// A folder that only we can enter, which is removed when it is dropped.
fn private_folder() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("bumpdesk-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir()
}

/// A file that only can be read, in a folder that only we can enter.
fn write_copy(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    fs::write(file, bytes)?;
    let mut permissions = fs::metadata(file)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(file, permissions)
}

/// A file that only we can read and write, with the line break at its end that editors expect.
fn write_text(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let end = if text.is_empty() { "" } else { "\n" };
    options.open(file)?.write_all(format!("{text}{end}").as_bytes())
}

/// The text that an editor left.
fn read_text(file: &Path) -> Result<String, String> {
    let opened = fs::File::open(file).map_err(|error| format!("the editor left no file: {error}"))?;
    let mut bytes = Vec::new();
    let read = opened.take(MOST_EDITED + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("the editor's file cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST_EDITED {
        return Err(format!("the editor left more than {} KiB", MOST_EDITED >> 10));
    }
    let text = String::from_utf8(bytes).map_err(|_| "the editor left a file that is not UTF-8".to_owned())?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

/// Returns true for variables that no program beside the console needs: tokens, and our own settings.
fn is_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    name.starts_with("BUMPDESK_") || name.contains("TOKEN")
}

/// How a program ended that did not end well.
fn ended(name: &str, status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("`{name}` was killed by signal {signal}");
        }
    }
    format!("`{name}` failed with code {}", status.code().unwrap_or(-1))
}

#[cfg(test)]
mod tests;
