//! The contract tool: GitHub's published description and real git, behind small node programs. Named by the environment.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use crate::need::Missing;

/// Its folder.
#[derive(Clone, Debug)]
pub(super) struct Tool(PathBuf);

/// A node program that listens on loopback. It is killed when dropped.
#[derive(Debug)]
pub(super) struct Listening {
    child: Child,
    /// `127.0.0.1:<port>`.
    pub(super) address: String,
    errors: PathBuf,
}

/// What the validator found.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) passed: bool,
    /// The findings, one a line.
    pub(super) list: String,
    /// Counts by operation.
    pub(super) summary: String,
}

/// The tool, set up once.
pub(super) fn tool() -> Result<Tool, Missing> {
    static TOOL: OnceLock<Result<Tool, Missing>> = OnceLock::new();
    TOOL.get_or_init(found).clone()
}

fn found() -> Result<Tool, Missing> {
    let missing = |why| Missing { need: "contract", why };
    let folder = std::env::var_os("BUMPDESK_TEST_CONTRACT").filter(|path| !path.is_empty());
    let folder = folder.ok_or(missing("BUMPDESK_TEST_CONTRACT names no contract tool"))?;
    if node_major().is_none_or(|major| major < 20) {
        return Err(missing("there is no node 20 or newer"));
    }
    let tool = Tool(folder.into());
    let output = tool.program("setup.sh", &["--no-prism"]).output().expect("setup.sh starts");
    assert!(output.status.success(), "setup.sh: {}", String::from_utf8_lossy(&output.stderr));
    Ok(tool)
}

fn node_major() -> Option<u32> {
    let output = Command::new("node").args(["-p", "process.versions.node.split('.')[0]"]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

impl Tool {
    fn program(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.0.join(name));
        command.args(arguments).stdin(Stdio::null());
        command
    }

    /// Starts a program and waits for the address that it prints; its standard error goes to `<name>.err` in the folder.
    fn listen(&self, name: &str, arguments: &[&str], folder: &Path) -> Listening {
        let errors = folder.join(format!("{name}.err"));
        let mut child = Command::new("node")
            .arg(self.0.join(name))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&errors).expect("a file"))
            .spawn()
            .expect("node starts");
        let stdout = child.stdout.take().expect("piped");
        let mut listening = Listening { child, address: String::new(), errors };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("the address is printed");
        let address = line.trim().strip_prefix("http://");
        listening.address =
            address.unwrap_or_else(|| panic!("{name}: {line}{}", listening.said())).to_owned();
        listening
    }

    /// Serves the bare repositories below a folder through git's own `http-backend`.
    pub(super) fn git(&self, root: &Path, more: &[&str], folder: &Path) -> Listening {
        let root = root.to_str().expect("UTF-8");
        self.listen("git-http.mjs", &[&[root], more].concat(), folder)
    }

    /// The checking gateway: a request that breaks the description is refused with 422.
    pub(super) fn gateway(&self, api: &str, web: &str, record: &Path, folder: &Path) -> Listening {
        let (api, web) = (format!("http://{api}"), format!("http://{web}"));
        let record = record.to_str().expect("UTF-8");
        let arguments = ["--strict", "--upstream", &api, "--git", &web, "--record", record];
        self.listen("gateway.mjs", &arguments, folder)
    }

    /// Checks recordings; warnings count.
    pub(super) fn validate(&self, records: &[&Path]) -> Findings {
        let output =
            self.program("validate.mjs", &["--strict"]).args(records).output().expect("validate.mjs starts");
        Findings {
            passed: output.status.success(),
            list: String::from_utf8_lossy(&output.stdout).into_owned(),
            summary: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Listening {
    /// What it said on standard error so far.
    pub(super) fn said(&self) -> String {
        std::fs::read_to_string(&self.errors).expect("a file")
    }

    /// Asks it to end, and gives its verdict and its last words.
    pub(super) fn end(mut self) -> (ExitStatus, String) {
        let pid = self.child.id().to_string();
        let asked = Command::new("sh").args(["-c", "kill -TERM \"$1\"", "sh", &pid]).status();
        assert!(
            asked.expect("sh starts").success(),
            "the program has ended before its time: {}",
            self.said()
        );
        let status = self.child.wait().expect("it ends");
        (status, self.said())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
