//! The user's own programs beside the console: browser, clipboard, editor and pager.
//!
//! Found by the configuration and by the variables that everybody else goes by. A browser or a clipboard never gets our
//! terminal; an editor or a pager gets all of it, and a copy that it cannot write to. What they say on their error stream is
//! logged. Called by the front door, which hands the functions to the console.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "starts programs, and makes the copies that they show"
)]

use std::ffi::OsStr;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::io::Seek;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

use crate::boot::Environment;
use crate::boot::program::find;

/// A browser that still runs after this has opened its page.
const BROWSER_LIMIT: Duration = Duration::from_secs(4);
const CLIPBOARD_LIMIT: Duration = Duration::from_secs(2);
/// What is kept of an error stream.
const MOST_SAID: u64 = 4 << 10;

/// The programs of one environment.
#[derive(Clone, Debug)]
pub struct Desktop {
    environment: Environment,
    /// From the configuration.
    browser: Option<String>,
}

/// A program and its arguments, the last one still missing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// For people.
    name: String,
}

/// Which program shows a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Editor,
    Pager,
}

impl Desktop {
    pub fn new(environment: &Environment, browser: Option<&str>) -> Self {
        Self { environment: environment.clone(), browser: browser.map(Into::into) }
    }

    pub fn has_browser(&self) -> bool {
        self.browser_line().is_some()
    }

    pub fn has_clipboard(&self) -> bool {
        self.clipboard_line().is_some()
    }

    pub fn has_viewer(&self) -> bool {
        self.viewer_line(Viewer::Editor).is_some() && self.viewer_line(Viewer::Pager).is_some()
    }

    /// Opens a web page; gives the name of the program that did.
    ///
    /// # Errors
    /// What is no web page, no browser, or the browser's own words.
    pub async fn browse(&self, url: &str) -> Result<String, String> {
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(format!("`{url}` is no web page"));
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
    pub async fn copy(&self, text: &str) -> Result<String, String> {
        let line = self.clipboard_line().ok_or("no program for the clipboard was found")?;
        self.run_apart(&line, Some(text.as_bytes()), CLIPBOARD_LIMIT, false).await.map(|()| line.name)
    }

    /// Shows a copy of a file; the terminal is the program's until this ends. Dropped, it ends the program.
    ///
    /// # Errors
    /// The copy cannot be made, or the program cannot be started, fails, or is killed.
    pub async fn show(&self, viewer: Viewer, path: &str, bytes: &[u8]) -> Result<(), String> {
        let line = self.viewer_line(viewer).ok_or("no editor or pager was found; set EDITOR and PAGER")?;
        let folder = tempfile::Builder::new().prefix("bumpdesk-").tempdir();
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

    fn command(&self, line: &Line) -> Command {
        let mut command = Command::new(&line.program);
        command.args(&line.arguments).env_clear().envs(self.environment.variables());
        command.current_dir(&self.environment.cwd);
        command
    }

    /// Runs a program that has nothing of the terminal. With `may_stay` one that goes on for longer than the limit is fine.
    async fn run_apart(
        &self,
        line: &Line,
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
                Err(format!("`{name}` gave no answer within {} s", limit.as_secs()))
            }
        }
    }

    fn is_set(&self, variable: &str) -> bool {
        self.environment.variable(variable).is_some()
    }

    fn browser_line(&self) -> Option<Line> {
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

    fn clipboard_line(&self) -> Option<Line> {
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

    fn viewer_line(&self, viewer: Viewer) -> Option<Line> {
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
    fn line(&self, text: &str) -> Option<Line> {
        let text = text.trim();
        let name = text.split_whitespace().next()?.to_owned();
        if text.contains(['"', '\'', '\\', '$', '`', ';', '&', '|', '<', '>', '(', '*', '~']) {
            let script = format!("{text} \"$@\"");
            let arguments = ["-c", script.as_str(), name.as_str()].map(OsString::from).into();
            return Some(Line { program: find(&self.environment, "sh")?, arguments, name });
        }
        let arguments = text.split_whitespace().skip(1).map(OsString::from).collect();
        Some(Line { program: find(&self.environment, &name)?, arguments, name })
    }
}

fn missing(text: &str) -> Line {
    let name = text.split_whitespace().next().unwrap_or(text).to_owned();
    Line { program: PathBuf::from(&name), arguments: Vec::new(), name }
}

/// A file that only can be read, in a folder that only we can enter.
fn write_copy(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    fs::write(file, bytes)?;
    let mut permissions = fs::metadata(file)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(file, permissions)
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A folder with programs in it that do what their scripts say.
    struct Stage(tempfile::TempDir);

    impl Stage {
        fn new(programs: &[(&str, &str)]) -> Self {
            let folder = tempfile::tempdir().unwrap();
            for (name, script) in programs {
                let path = folder.path().join(name);
                fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
            Self(folder)
        }

        fn desktop(&self, variables: &[(&str, &str)], browser: Option<&str>) -> Desktop {
            let path = format!("{}:/usr/bin:/bin", self.0.path().display());
            let here = self.0.path().to_str().unwrap();
            let mut all = vec![("PATH", path.as_str()), ("HERE", here)];
            all.extend_from_slice(variables);
            Desktop::new(&Environment::made_up(self.0.path(), &all), browser)
        }

        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.0.path().join(name)).unwrap()
        }
    }

    const PAGE: &str = "https://github.com/a/b";

    #[tokio::test]
    async fn a_browser_is_found_and_its_trouble_is_told() {
        let stage = Stage::new(&[
            ("good", "printf '%s\\n' \"$@\" >\"$HERE/opened\""),
            ("bad", "echo 'no display' >&2; exit 3"),
            ("xdg-open", "printf 'xdg %s' \"$@\" >\"$HERE/opened\""),
        ]);
        let open =
            async |variables: &[(&str, &str)], browser| stage.desktop(variables, browser).browse(PAGE).await;
        assert_eq!(open(&[("BROWSER", "nowhere:good --tab")], None).await, Ok("good".into()));
        assert_eq!(stage.read("opened"), format!("--tab\n{PAGE}\n"));
        assert_eq!(open(&[("BROWSER", "bad")], Some("good -u %s -x")).await, Ok("good".into()));
        assert_eq!(stage.read("opened"), format!("-u\n{PAGE}\n-x\n"));
        assert_eq!(
            open(&[("BROWSER", "bad")], None).await,
            Err("`bad` failed with code 3: no display".into())
        );
        if cfg!(target_os = "linux") {
            assert_eq!(open(&[("DISPLAY", ":0")], None).await, Ok("xdg-open".into()));
            assert_eq!(stage.read("opened"), format!("xdg {PAGE}"));
            assert!(!stage.desktop(&[], None).has_browser(), "without a desktop there is none");
        }
        let desktop = stage.desktop(&[("BROWSER", "good")], None);
        assert!(desktop.browse("file:///etc/passwd").await.is_err());
    }

    #[tokio::test]
    async fn the_clipboard_of_where_the_person_is() {
        let stage = Stage::new(&[
            ("wl-copy", "cat >\"$HERE/copied\""),
            ("tmux", "echo \"$*\" >\"$HERE/said\"; cat >\"$HERE/copied\""),
            ("xclip", "exit 1"),
        ]);
        if cfg!(target_os = "linux") {
            let desktop = stage.desktop(&[("WAYLAND_DISPLAY", "wayland-0")], None);
            assert_eq!(desktop.copy("a/b").await, Ok("wl-copy".into()));
            assert_eq!(stage.read("copied"), "a/b");
            let desktop = stage.desktop(&[("DISPLAY", ":0")], None);
            assert_eq!(desktop.copy("a/b").await, Err("`xclip` failed with code 1".into()));
        }
        let far = [("SSH_TTY", "/dev/pts/1"), ("WAYLAND_DISPLAY", "wayland-0")];
        assert!(!stage.desktop(&far, None).has_clipboard(), "over SSH only the terminal reaches it");
        let desktop = stage.desktop(&[("TMUX", "/tmp/tmux,1,0"), ("SSH_TTY", "/dev/pts/1")], None);
        assert_eq!(desktop.copy("c").await, Ok("tmux".into()));
        assert_eq!((stage.read("said").as_str(), stage.read("copied").as_str()), ("load-buffer -w -\n", "c"));
        assert!(!stage.desktop(&[], None).has_clipboard());
    }

    #[tokio::test]
    async fn an_editor_gets_a_copy_that_it_cannot_write() {
        let stage = Stage::new(&[
            (
                "ed1",
                "basename \"$2\" >\"$HERE/name\"; ls -l \"$2\" >\"$HERE/mode\"; cat \"$2\" >\"$HERE/seen\"",
            ),
            ("fails", "exit 7"),
            ("killed", "kill -9 $$"),
            ("pages", "cat >\"$HERE/seen\""),
        ]);
        let show = async |viewer, variables: &[(&str, &str)]| {
            stage.desktop(variables, None).show(viewer, "providers/n/new/relic.json", b"{}\n").await
        };
        assert_eq!(show(Viewer::Editor, &[("EDITOR", "fails"), ("VISUAL", "ed1 -R")]).await, Ok(()));
        assert_eq!(stage.read("name"), "relic.json\n");
        assert!(stage.read("mode").starts_with("-r--r--r--"), "{}", stage.read("mode"));
        assert_eq!(stage.read("seen"), "{}\n");
        // One for the shell, as git takes it too.
        assert_eq!(show(Viewer::Editor, &[("EDITOR", "X='y z' ed1 -R")]).await, Ok(()));
        assert_eq!(show(Viewer::Pager, &[("PAGER", "pages")]).await, Ok(()));
        assert_eq!(stage.read("seen"), "{}\n");
        assert_eq!(
            show(Viewer::Editor, &[("EDITOR", "fails")]).await,
            Err("`fails` failed with code 7".into())
        );
        assert_eq!(
            show(Viewer::Editor, &[("EDITOR", "killed")]).await,
            Err("`killed` was killed by signal 9".into())
        );
        let gone = show(Viewer::Editor, &[("EDITOR", "no-such-editor -x")]).await.unwrap_err();
        assert!(gone.starts_with("`no-such-editor` cannot be started: "), "{gone}");
    }
}
