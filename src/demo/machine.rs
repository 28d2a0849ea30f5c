//! A machine of GitHub Actions: carries a job out in a checkout of its own, its scripts as real processes with an environment
//! that holds this world and nothing else.
//!
//! Only scripts that call the program are started, and the program is the one that the world was given: nothing is installed,
//! and no action of somebody else's is carried out. `wire::server` starts it; it writes below a temporary folder alone.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the demo world writes its own files and starts its own programs: it shares nothing with `store`"
)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::process::Stdio;

use jiff::Timestamp;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use crate::checkout::{git, run};
use crate::forge::actions::Artifact;
use crate::forge::actions::workflow::{Action, Step};
use crate::forge::objects::{Objects, read_oid};
use crate::wire::terms::Addresses;
use crate::world::Oid;
use crate::{archive, bare};

/// What carries jobs out.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The bumpdesk that scripts call.
    pub program: PathBuf,
    /// Where `bash` and `git` are found, as `PATH` has it.
    pub path: OsString,
}

/// What a job says and leaves while it runs; each is false once it was cancelled, or where it cannot be.
pub(crate) trait Site {
    fn say(&self, line: &str) -> bool;
    fn keep(&self, name: String, zip: Vec<u8>, overwrite: bool) -> bool;
    fn artifacts(&self, pattern: &str) -> Vec<Artifact>;
    /// Comes back once the job was cancelled.
    fn cancelled(&self) -> impl Future<Output = ()> + Send;
}

/// What a job runs on.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) machine: Machine,
    pub(crate) addresses: Addresses,
    pub(crate) now: Timestamp,
    pub(crate) objects: Objects,
    /// The commit of the run.
    pub(crate) head: Oid,
}

/// The folders of one job.
struct Place {
    /// Goes with the job.
    _folder: tempfile::TempDir,
    work: PathBuf,
    home: PathBuf,
    programs: PathBuf,
}

impl Place {
    fn new(program: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("bumpdesk-demo-job-").tempdir()?;
        let below = |name: &str| -> io::Result<PathBuf> {
            let path = folder.path().join(name);
            std::fs::create_dir_all(&path)?;
            Ok(path)
        };
        let (work, home, programs) = (below("work")?, below("home")?, below("programs")?);
        #[cfg(unix)]
        std::os::unix::fs::symlink(program, programs.join("bumpdesk"))?;
        #[cfg(not(unix))]
        std::fs::copy(program, programs.join("bumpdesk.exe"))?;
        Ok(Self { _folder: folder, work, home, programs })
    }

    /// A path of a step, which stays below the job's folder.
    fn path(&self, text: &str) -> io::Result<PathBuf> {
        let path = Path::new(text);
        if path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Ok(self.work.join(path));
        }
        Err(io::Error::other(format!("`{text}` is not a path below the job's folder")))
    }
}

/// Carries the steps out, behind one that fails only those that are meant for that; whether all went well.
pub(crate) async fn carry_out(ground: &Ground, steps: &[Step], site: &impl Site) -> bool {
    let place = match Place::new(&ground.machine.program) {
        Ok(place) => place,
        Err(error) => {
            site.say(&format!("##[error]{error}"));
            return false;
        }
    };
    let mut is_good = true;
    for step in steps {
        if !is_good && !step.always {
            continue;
        }
        site.say(&format!("##[group]{}", step.name));
        let done = match &step.action {
            Action::Run { script, env } => script_of(ground, &place, (script, env), site).await,
            other => at_once(ground, &place, other, site),
        };
        if let Err(error) = done {
            site.say(&format!("##[error]{error}"));
            is_good = false;
        }
        // Once it was cancelled nobody listens.
        if !site.say("##[endgroup]") {
            return false;
        }
    }
    is_good
}

fn at_once(ground: &Ground, place: &Place, action: &Action, site: &impl Site) -> io::Result<()> {
    match action {
        Action::Checkout { at } => {
            let at = match at.as_deref().filter(|text| !text.is_empty()) {
                Some(text) => read_oid(text)
                    .filter(|oid| ground.objects.commit(oid).is_some())
                    .ok_or_else(|| io::Error::other(format!("fatal: couldn't find remote ref {text}")))?,
                None => ground.head,
            };
            check_out(ground, place, &at)?;
            site.say(&format!("HEAD is now at {}", &hex::encode(at)[..7]));
            Ok(())
        }
        Action::Install { script } => {
            for line in script.lines() {
                site.say(line);
            }
            site.say("This world has it already: the program that serves it.");
            Ok(())
        }
        Action::Upload { name, path, overwrite } => {
            let files = files_at(&place.path(path)?)?;
            if files.is_empty() {
                return Err(io::Error::other(format!("No files were found with the provided path: {path}.")));
            }
            if !site.keep(name.clone(), archive::pack(&files), *overwrite) {
                return Err(io::Error::other(
                    "Failed to CreateArtifact: (409) Conflict: an artifact with this name already exists on the workflow run",
                ));
            }
            site.say(&format!("Artifact {name} has been successfully uploaded!"));
            Ok(())
        }
        Action::Download { pattern, path } => {
            let folder = place.path(path)?;
            for artifact in site.artifacts(pattern) {
                unpack(&artifact.zip, &folder)?;
                site.say(&format!("Artifact {} downloaded", artifact.name));
            }
            Ok(())
        }
        Action::Unknown(what) => Err(io::Error::other(format!("this world does not carry out `{what}`"))),
        Action::Run { .. } => Ok(()),
    }
}

/// The repository's objects as a real git repository, with one commit checked out.
fn check_out(ground: &Ground, place: &Place, at: &Oid) -> io::Result<()> {
    run(git(&place.work).args(["init", "--quiet", "--initial-branch=main"]))?;
    for object in ground.objects.all() {
        bare::store(&place.work.join(".git"), object)?;
    }
    run(git(&place.work).args(["checkout", "--quiet", "--detach", &hex::encode(at)]))?;
    Ok(())
}

/// A script in bash, as on a machine of GitHub's: its first failing command ends it.
async fn script_of(
    ground: &Ground,
    place: &Place,
    (script, env): (&str, &BTreeMap<String, String>),
    site: &impl Site,
) -> io::Result<()> {
    let mut command = Command::new("bash");
    // Both streams are one in a log.
    command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c"]).arg(format!("exec 2>&1\n{script}"));
    command.current_dir(&place.work).env_clear().envs(surroundings(ground, place)?).envs(env);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child =
        command.spawn().map_err(|error| io::Error::other(format!("bash does not start: {error}")))?;
    let Some(stdout) = child.stdout.take() else { return Err(io::Error::other("bash has no output")) };
    let mut lines = BufReader::new(stdout).split(b'\n');
    let read = async {
        while let Some(line) = lines.next_segment().await? {
            site.say(String::from_utf8_lossy(&line).trim_end_matches('\r'));
        }
        child.wait().await
    };
    let status = tokio::select! {
        status = read => status?,
        () = site.cancelled() => return Err(io::Error::other("It was cancelled.")),
    };
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => Err(io::Error::other(format!("Process completed with exit code {code}."))),
        None => Err(io::Error::other("The process was killed.")),
    }
}

fn surroundings(ground: &Ground, place: &Place) -> io::Result<BTreeMap<&'static str, OsString>> {
    let Ground { machine, addresses, now, .. } = ground;
    let path = std::iter::once(place.programs.clone()).chain(std::env::split_paths(&machine.path));
    let mut all: BTreeMap<&'static str, OsString> = BTreeMap::new();
    all.insert("PATH", std::env::join_paths(path).map_err(io::Error::other)?);
    for name in ["HOME", "TMPDIR", "RUNNER_TEMP"] {
        all.insert(name, place.home.clone().into());
    }
    all.insert("GITHUB_WORKSPACE", place.work.clone().into());
    for (name, value) in [
        ("LANG", "C.UTF-8"),
        ("CI", "true"),
        ("GITHUB_ACTIONS", "true"),
        ("BUMPDESK_API_URL", &addresses.api),
        ("BUMPDESK_GRAPHQL_URL", &addresses.graphql),
        ("BUMPDESK_WEB_URL", &addresses.web),
        ("BUMPDESK_SERVED_URL", &addresses.served),
        ("BUMPDESK_SEARCH_URL", &addresses.search),
        ("BUMPDESK_NOW", &now.to_string()),
    ] {
        all.insert(name, value.into());
    }
    if let Some(ca_file) = &addresses.ca_file {
        all.insert("BUMPDESK_CA_FILE", ca_file.clone().into());
    }
    Ok(all)
}

/// A file under its own name, or what lies below a folder under its path there, as an artifact has them.
fn files_at(path: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    if path.is_file() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Ok(vec![(name, std::fs::read(path)?)]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            let inside = files_at(&entry.path())?;
            files.extend(inside.into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            files.push((name, std::fs::read(entry.path())?));
        }
    }
    files.sort();
    Ok(files)
}

fn unpack(zip: &[u8], folder: &Path) -> io::Result<()> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).map_err(io::Error::other)?;
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(io::Error::other)?;
        let Some(name) = entry.enclosed_name() else { continue };
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
