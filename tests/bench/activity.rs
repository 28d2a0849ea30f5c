//! The files that bumps changed on each of the last 30 days, counted in a history of 20,000 commits.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bumpdesk::surface::jobs::{Clock, Engine, Env, EnvOptions, Job, JobEvent, JobId};
use bumpdesk::surface::settings::{Endpoints, Features, Pace};

use crate::console::ms;
use crate::{Data, git, report};

const COMMITS: i64 = 20_000;
const BUMP_SECONDS: i64 = 15 * 60;
/// A pull of 80 commits changes about 100 files.
const FILES: usize = 2;

pub(crate) fn counted(data: &Data) {
    let folder = data.scratch("activity");
    let tree = folder.join("bare.git");
    git(&["clone", "--quiet", "--bare", &data.bare.to_string_lossy(), &tree.to_string_lossy()]);
    grow(&tree).expect("a history");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let figures = (0..10).map(|_| ms(|| runtime.block_on(count(&tree, &folder))));
    report("files bumped in 30 days of 20,000 commits, the job", "400 ms", figures.collect());
}

/// Adds a commit every 15 minutes up to now.
fn grow(bare: &Path) -> std::io::Result<()> {
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(bare).args(words);
        command
    };
    let listed = git(&["ls-tree", "-r", "--name-only", "HEAD"]).output()?.stdout;
    let listed = String::from_utf8(listed).map_err(std::io::Error::other)?;
    let paths: Vec<&str> =
        listed.lines().filter(|path| Path::new(path).extension().is_some_and(|end| end == "json")).collect();
    let mut import = git(&["fast-import", "--quiet", "--force", "--date-format=raw"]);
    let mut child = import.stdin(Stdio::piped()).spawn()?;
    let mut commits = BufWriter::new(child.stdin.take().expect("stdin is piped"));
    let head = git(&["symbolic-ref", "HEAD"]).output()?;
    let branch = String::from_utf8_lossy(&head.stdout).trim().to_owned();
    let now = jiff::Timestamp::now().as_second();
    for at in 0..COMMITS {
        let time = now - (COMMITS - 1 - at) * BUMP_SECONDS;
        writeln!(commits, "commit {branch}\ncommitter a <a@b> {time} +0000\ndata 5\nbump\n")?;
        if at == 0 {
            writeln!(commits, "from {branch}^0")?;
        }
        for file in 0..FILES {
            let path = paths[(at as usize * FILES + file) * 7_919 % paths.len()];
            let text = format!("{{\"at\": {at}}}\n");
            write!(commits, "M 100644 inline {path}\ndata {}\n{text}", text.len())?;
        }
    }
    drop(commits);
    assert!(child.wait()?.success());
    Ok(())
}

async fn count(registry: &Path, folder: &Path) {
    let options = EnvOptions {
        registry: Some(registry.to_owned()),
        reference: None,
        endpoints: Endpoints::default(),
        pace: Pace::unlimited(),
        token: None,
        token_name: String::new(),
        throttle: true,
        may_write: false,
        patience: Duration::ZERO,
        silence: Duration::from_mins(1),
        features: Features::default(),
        early_list: false,
        state_dir: folder.join("state"),
        cache_dir: folder.join("cache"),
        clock: Clock::System,
    };
    let env = Env::new(options).unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut engine = Engine::new(Arc::new(env));
    engine.start(JobId(1), Job::Activity(None));
    let mut is_counted = false;
    loop {
        match engine.next().await.1 {
            JobEvent::Activity(_) => is_counted = true,
            JobEvent::Ended(_) => break,
            _ => {}
        }
    }
    assert!(is_counted);
}
