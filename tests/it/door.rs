//! The front door as its users have it: a world, a registry beside it, and the command line between them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use bumpdesk::surface::boot::{Environment, Folders};
use bumpdesk::surface::cli::{ConsoleOptions, OpenConsole, Starting};
use bumpdesk::surface::jobs::Failure;
use bumpdesk::surface::{cli, front};
use demo::{Options, Server, World, checkout};

use crate::stage::CANARY;

/// A small registry: two providers and a module, two of them behind.
pub(crate) const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = [{ version = "1.0.0", published = "-90d" }]
releases = ["v1.1.0"]

[[provider]]
address = "acme/quiet"
targets = ["linux_amd64"]
stored = [{ version = "1.0.0", published = "-90d" }]

[[module]]
address = "umbrella/vpc/aws"
stored = ["v1.0.0"]
tags = ["v1.1.0"]

[[repository]]
name = "umbrella/terraform-aws-ring"
tags = ["v1.0.0"]
"#;

/// Surroundings with these variables and this current folder, own folders below it, and no terminal.
pub(crate) fn made_up(cwd: &Path, variables: &[(&str, &str)]) -> Environment {
    let folders = Folders { config: cwd.join("config"), state: cwd.join("state"), cache: cwd.join("cache") };
    Environment {
        variables: variables.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        cwd: cwd.into(),
        folders: Some(folders),
        ..Environment::default()
    }
}

/// A folder that holds everything of one user, and the world that the servers lead to.
pub(crate) struct Door {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: Server,
    pub(crate) registry: PathBuf,
    /// The environment's variables.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// All three streams are terminals.
    pub(crate) terminal: bool,
    pub(crate) console: OpenConsole,
    before: String,
}

/// A reader that takes this many bytes and then closes the pipe.
struct Leaving(usize);

impl std::io::Write for Leaving {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0 == 0 {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What a command line ended with and said.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) exit: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Door {
    /// Opens on a world from its TOML text.
    pub(crate) async fn on(text: &str) -> Self {
        Self::to(text, "registry", Options::default()).await
    }

    /// The same with a name for the registry's folder, and served in another way.
    pub(crate) async fn to(text: &str, name: &str, options: Options) -> Self {
        let world = World::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Self::before(world, name, options).await
    }

    /// The same on a ready world.
    pub(crate) async fn of(world: World) -> Self {
        Self::before(world, "registry", Options::default()).await
    }

    async fn before(world: World, name: &str, options: Options) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let registry = folder.path().join(name);
        checkout::write(&world, &registry).expect("the registry is written");
        let now = world.now.to_string();
        let server = Server::start(world, options).await.expect("the world starts");
        let mut door = Self {
            folder,
            server,
            variables: vec![
                ("BUMPDESK_REGISTRY", registry.display().to_string()),
                ("BUMPDESK_NOW", now),
                ("GH_TOKEN", CANARY.to_owned()),
            ],
            registry,
            terminal: false,
            console: no_console,
            before: String::new(),
        };
        let addresses = door.server.addresses().clone();
        door.point(&addresses.api, &addresses.graphql, &addresses.web);
        door.set("BUMPDESK_SERVED_URL", &addresses.served);
        door.set("BUMPDESK_SEARCH_URL", &addresses.search);
        door.before = door.git_status();
        assert_eq!(door.before, "");
        door
    }

    pub(crate) fn set(&mut self, name: &'static str, value: &str) {
        self.unset(name);
        self.variables.push((name, value.to_owned()));
    }

    pub(crate) fn unset(&mut self, name: &str) {
        self.variables.retain(|(known, _)| *known != name);
    }

    /// Makes `watch` look again at once from now on.
    pub(crate) fn looks_often(&self) {
        let folder = self.folder.path().join("config");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("config.toml"), "[pace]\nwatch-seconds = 0.01\n").expect("a file");
    }

    /// From now on GitHub is elsewhere.
    pub(crate) fn point(&mut self, api: &str, graphql: &str, web: &str) {
        self.set("BUMPDESK_API_URL", api);
        self.set("BUMPDESK_GRAPHQL_URL", graphql);
        self.set("BUMPDESK_WEB_URL", web);
    }

    pub(crate) fn environment(&self) -> Environment {
        let variables: Vec<(&str, &str)> =
            self.variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut environment = made_up(self.folder.path(), &variables);
        environment.stdin_is_terminal = self.terminal;
        environment.stdout_is_terminal = self.terminal;
        environment.stderr_is_terminal = self.terminal;
        environment
    }

    /// Runs one command line; budgets are lifted.
    pub(crate) async fn said(&self, line: &str) -> Output {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.run(&words).await
    }

    pub(crate) async fn run(&self, words: &[&str]) -> Output {
        self.run_within_budgets(&[words, &["--no-throttle"]].concat()).await
    }

    /// Runs one command line whose reader goes away after `bytes` bytes. Returns the exit code and standard error.
    pub(crate) async fn read_in_part(&self, words: &[&str], bytes: usize) -> (u8, String) {
        let args = ["bumpdesk"].iter().chain(words).chain(&["--no-throttle"]).map(OsString::from).collect();
        let (mut out, mut err) = (Leaving(bytes), Vec::new());
        let console = cli::Console { open: self.console, ..front::CONSOLE };
        let exit = cli::run(args, &self.environment(), console, &mut out, &mut err).await;
        (exit.code(), String::from_utf8(err).expect("UTF-8"))
    }

    /// The same with the budgets that are set.
    pub(crate) async fn run_within_budgets(&self, words: &[&str]) -> Output {
        let mut args: Vec<OsString> = vec!["bumpdesk".into()];
        args.extend(words.iter().map(OsString::from));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let console = cli::Console { open: self.console, ..front::CONSOLE };
        let exit = cli::run(args, &self.environment(), console, &mut out, &mut err).await;
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Output { exit: exit.code(), out: text(out), err: text(err) }
    }

    /// The binary with an environment of its own, to be started by a shell as `"$0" "$@"` after some preparation.
    #[cfg(unix)]
    pub(crate) fn shell(&self, preparation: &str, words: &[&str]) -> Output {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("{preparation}; exec \"$0\" \"$@\""));
        command.arg(env!("CARGO_BIN_EXE_bumpdesk")).args(words).arg("--no-throttle");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("TMPDIR", self.folder.path());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = command.current_dir(self.folder.path()).output().expect("the binary runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let exit = output.status.code().unwrap_or_else(|| panic!("{}", output.status));
        Output {
            exit: u8::try_from(exit).expect("a small code"),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// The digits that name the plan as it is.
    pub(crate) async fn plan_name(&self) -> String {
        let said = self.said("plan show --json").await;
        let plan = said.objects().into_iter().find(|object| object["type"] == "plan");
        plan.expect("a plan")["name"].as_str().expect("digits").to_owned()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.registry).args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").args(arguments);
        let output = command.output().expect("git runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn git_status(&self) -> String {
        self.git(&["status", "--porcelain=v1", "--untracked-files=all"])
    }

    /// Puts bytes in place of a file, and commits them.
    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let full = self.registry.join(path);
        std::fs::create_dir_all(full.parent().expect("a folder")).expect("a folder");
        std::fs::write(full, bytes).expect("a file");
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "another state"]);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.registry.join(path)).expect("a file")
    }

    /// From now on the registry as it is now counts as untouched.
    pub(crate) fn settle(&mut self) {
        self.before = self.git_status();
    }

    /// What changed in the registry, by git: nothing, not even a temporary file, unless it was meant to.
    #[track_caller]
    pub(crate) fn is_untouched(&self) {
        assert_eq!(self.git_status(), self.before);
    }
}

impl Output {
    /// Ended so, and said all of this somewhere.
    #[track_caller]
    pub(crate) fn is(&self, exit: u8, wanted: &[&str]) {
        assert_eq!(self.exit, exit, "{self}");
        for text in wanted {
            assert!(self.out.contains(text) || self.err.contains(text), "`{text}` is not in\n{self}");
        }
    }

    /// Said none of this.
    #[track_caller]
    pub(crate) fn is_not(&self, unwanted: &[&str]) {
        for text in unwanted {
            assert!(!self.out.contains(text) && !self.err.contains(text), "`{text}` is in\n{self}");
        }
    }

    /// The objects of a JSON stream.
    pub(crate) fn objects(&self) -> Vec<serde_json::Value> {
        let parsed = self.out.lines().map(serde_json::from_str);
        parsed.map(|object| object.unwrap_or_else(|error| panic!("{error}: {self}"))).collect()
    }

    /// The object of a type that names an address.
    pub(crate) fn object(&self, kind: &str, address: &str) -> serde_json::Value {
        let mut found = self.objects().into_iter();
        found
            .find(|object| object["type"] == kind && object["address"] == address)
            .unwrap_or_else(|| panic!("no {kind} of {address} in\n{self}"))
    }
}

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit {}\n--- out\n{}\n--- err\n{}", self.exit, self.out, self.err)
    }
}

/// Waits for nobody: a port of this machine where nothing listens.
pub(crate) fn closed_port() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

/// All files below a folder, links not followed.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found
}

fn no_console<'a>(
    _: Starting<'a>,
    _: ConsoleOptions,
) -> std::pin::Pin<Box<dyn Future<Output = Result<Option<String>, Failure>> + 'a>> {
    Box::pin(async { unreachable!("the console was opened") })
}
