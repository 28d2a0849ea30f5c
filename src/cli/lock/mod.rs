//! `lock`: the lock file's block of one version, from verified hashes alone; and `lock --check`, a lock file against registry and
//! archives, which always acts as with `--check`.

mod objects;

use std::path::PathBuf;

use clap::Args;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::lock::objects::{BlockObject, LockObject};
use crate::cli::selection::apart;
use crate::cli::values::{size, target, workers};
use crate::cli::verify::tell_kept;
use crate::cli::wire::Found;
use crate::desk::naming;
use crate::jobs::data::{
    CheckedFile, Failure, FailureKind, Job, JobEvent, LockNews, LockPlan, LockWhat, LockedVersion, Outcome,
    VerifyNews, WORKERS, Wanted,
};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::{Left, Runner};
use crate::print::text;
use crate::registry::{Address, Catalog};
use crate::rules::Severity;
use crate::rules::client::Policy;
use crate::rules::lock::{HEADER, Refusal, block, constraints};

/// Print the lock file's block of a version from verified hashes, and say what `tofu init` does; or check a lock file.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk lock newrelic/newrelic@3.70.1 >> .terraform.lock.hcl\n  \
    bumpdesk lock newrelic/newrelic@3.70.1 --steps --constraints '~> 3.70'\n  \
    bumpdesk lock --check .terraform.lock.hcl\n\n\
    Every archive is downloaded and hashed. Nothing is printed unless all of it is verified and installs: it exits 4 \
    if something is wrong and 5 if something could not be read, and names the targets. --check exits 1 if a hash belongs \
    to nothing, a version is not there or a platform cannot be installed.")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct LockArgs {
    /// The version to lock.
    #[arg(value_name = "ADDRESS@VERSION", required_unless_present = "check", conflicts_with = "check")]
    version: Option<String>,
    /// Check this lock file against registry and archives. Exits 1 if anything in it is wrong.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Only these targets, such as linux_amd64. Repeatable, or separated by commas.
    #[arg(long, value_name = "OS_ARCH", value_delimiter = ',', value_parser = target)]
    targets: Vec<String>,
    /// The version constraints of the configuration, such as '~> 1.2': they stand in the block.
    #[arg(long, value_name = "TEXT", value_parser = constraints, conflicts_with = "check")]
    constraints: Option<String>,
    /// Leave out targets that cannot be verified instead of refusing; then it exits 5.
    #[arg(long, conflicts_with = "check")]
    partial: bool,
    /// Begin with the comment that a lock file begins with: for a file of its own.
    #[arg(long, conflicts_with = "check")]
    whole_file: bool,
    /// Show every step of a client, not only those that do not pass.
    #[arg(long, conflicts_with = "check")]
    steps: bool,
    /// Read no archive: a lock file is compared only with the registry and SHA256SUMS; for a version the steps are shown and no block is
    /// printed.
    #[arg(long, conflicts_with = "partial")]
    no_download: bool,
    /// Judge as clients do with OPENTOFU_ENFORCE_GPG_VALIDATION: without a key on file nothing installs.
    #[arg(long)]
    enforce_gpg_validation: bool,
    /// Judge as clients do with OPENTOFU_ENFORCE_GPG_EXPIRATION: an expired key is refused.
    #[arg(long)]
    enforce_gpg_expiration: bool,
    /// Downloads at once; fewer after GitHub asked to slow down.
    #[arg(long, value_name = "N", default_value_t = WORKERS, value_parser = workers)]
    jobs: usize,
    /// Leave out archives of this size and larger, as the registry does.
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size)]
    max_size: u64,
}

impl Run for LockArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let what = self.what(runner).await?;
        let plan = LockPlan {
            what,
            targets: self.targets.clone(),
            workers: self.jobs,
            limit_bytes: self.max_size,
            downloads: !self.no_download,
            policy: Policy {
                enforces_validation: self.enforce_gpg_validation,
                enforces_expiration: self.enforce_gpg_expiration,
            },
        };
        let mut news = None;
        let outcome = runner
            .run(Job::Lock(plan), &mut |output, event| match event {
                JobEvent::Lock(locked) => news = Some(locked),
                JobEvent::Verify(VerifyNews::Begun { kept, report, .. }) => tell_kept(output, kept, &report),
                _ => {}
            })
            .await;
        Ok(match news {
            None => runner.finish(outcome, false, &()),
            Some(LockNews::Version(locked)) => version(runner, self, &locked, outcome),
            Some(LockNews::File(checked)) => {
                tell_file(&mut runner.output, &checked);
                let outcome = match outcome {
                    Ok(outcome @ Outcome::Done(_)) => outcome,
                    outcome => return Err(runner.finish(outcome, false, &())),
                };
                let has = |severity: Severity| checked.found.iter().any(|at| at.finding.severity == severity);
                let exit = match Exit::of_outcome(&outcome, false) {
                    // What is known to be wrong stays so, whatever was not read.
                    _ if has(Severity::Error) => Exit::Findings,
                    // What could not be matched was not read, though the server may not have failed.
                    Exit::Done if has(Severity::Warning) => Exit::Incomplete,
                    exit => exit,
                };
                runner.finish_as(exit, &outcome, &())
            }
        })
    }
}

impl LockArgs {
    async fn what(&self, runner: &mut Runner<'_>) -> Result<LockWhat, Exit> {
        if let Some(path) = &self.check {
            return Ok(LockWhat::File(path.clone()));
        }
        let loaded = runner.load().await?;
        let wanted = || -> Result<Wanted, Failure> {
            let word = self.version.as_deref().unwrap_or_default();
            let (address, version) = apart(word)?;
            let address = naming::address(address, &loaded.catalog)?;
            let Some(version) = version else { return Err(no_version(&address, &loaded.catalog)) };
            Ok(Wanted { address, version: Some(version.to_owned()) })
        };
        wanted().map(LockWhat::Version).map_err(|failure| runner.fail(failure))
    }
}

fn no_version(address: &Address, catalog: &Catalog) -> Failure {
    let newest = catalog.find(address).and_then(|row| row.shape.highest());
    let hint = match newest {
        Some(newest) => format!("Write `{address}@{newest}` for the newest."),
        None => format!("Run `bumpdesk show {address}`: no version of it is indexed."),
    };
    Failure::new(FailureKind::Usage, format!("locking {address}"))
        .cause("no version is named, and a lock needs one")
        .hint(hint)
}

/// Prints the block if it may be printed, and tells what a client does.
fn version(
    runner: &mut Runner<'_>,
    args: &LockArgs,
    locked: &LockedVersion,
    outcome: Result<Outcome, Left>,
) -> Exit {
    let refused: Vec<(&str, &Refusal)> = locked
        .offers
        .iter()
        .filter_map(|offer| Some((offer.target.as_str(), offer.hashes.as_ref().err()?)))
        .collect();
    let hashes = || locked.offers.iter().filter_map(|offer| offer.hashes.as_ref().ok()).flatten();
    let is_printed = (refused.is_empty() || args.partial) && hashes().next().is_some();
    let text = is_printed.then(|| {
        let hashes = hashes().map(String::as_str);
        block(&locked.address, &locked.normal, args.constraints.as_deref(), hashes)
    });
    let output = &mut runner.output;
    if output.json {
        output.object("lock", &LockObject::new(locked, text.as_deref()));
    } else {
        for line in text::steps(locked, args.steps) {
            output.note(&line);
        }
        if let Some(text) = &text {
            let head = if args.whole_file { format!("{HEADER}\n") } else { String::new() };
            output.exact(&format!("{head}{text}"));
            output.flush();
        }
    }
    let outcome = match outcome {
        Ok(outcome @ Outcome::Done(_)) if !refused.is_empty() => outcome,
        outcome => return runner.finish(outcome, false, &()),
    };
    let exit = exit(&outcome, &refused, text.is_some());
    let causes = causes(&refused, locked.offers.len());
    if exit == Exit::Refused {
        let has_part = hashes().next().is_some();
        return runner.finish_as(exit, &Outcome::Failed(failure(locked, causes, has_part)), &());
    }
    if !runner.output.json {
        for cause in causes {
            runner.output.note(&format!("bumpdesk: left out: {cause}"));
        }
    }
    runner.finish_as(exit, &outcome, &())
}

/// The exit of `lock`. A fault weighs more than a source that was not read, and a printed part is a part.
fn exit(outcome: &Outcome, refused: &[(&str, &Refusal)], is_printed: bool) -> Exit {
    let is_wrong = refused.iter().any(|(_, refusal)| matches!(refusal, Refusal::Wrong(_)));
    match (is_printed, is_wrong) {
        (false, true) => Exit::Refused,
        (false, false) if Exit::of_outcome(outcome, false) == Exit::Upstream => Exit::Upstream,
        (true, _) | (false, false) => Exit::Incomplete,
    }
}

/// Every target that is not in the block, and why. Those of one reason share a line.
fn causes(refused: &[(&str, &Refusal)], all: usize) -> Vec<String> {
    let mut causes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (target, refusal) in refused {
        match causes.iter_mut().find(|(why, _)| *why == refusal.text()) {
            Some((_, targets)) => targets.push(target),
            None => causes.push((refusal.text(), vec![target])),
        }
    }
    causes.into_iter().map(|(why, targets)| format!("{}: {why}", text::whom(&targets, all))).collect()
}

fn failure(locked: &LockedVersion, causes: Vec<String>, has_part: bool) -> Failure {
    let part = if has_part { "; --partial prints what is verified" } else { "" };
    let hint = format!("Run `bumpdesk verify {}@{}` for the evidence{part}.", locked.address, locked.version);
    Failure::new(FailureKind::Conflict, format!("locking {} {}", locked.address, locked.version))
        .causes(causes)
        .hint(hint)
}

fn tell_file(output: &mut Output<'_>, checked: &CheckedFile) {
    if output.json {
        for block in &checked.blocks {
            output.object("lock-block", &BlockObject::new(block));
        }
        for found in &checked.found {
            output.object("finding", &Found { path: &checked.path, finding: found });
        }
    } else {
        let ui = output.ui.clone();
        output.lines(&text::checked(&ui, checked));
        output.flush();
    }
}
