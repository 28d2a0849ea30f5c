//! What is started on GitHub's machines: how it is asked for, and its gates.

use serde::{Deserialize, Serialize};

use crate::registry::digest;
use crate::rules::actions::{
    Ending, FILE, MOST_SHARE_BYTES, MOST_SHARES, PATH, RunJob, RunRead, RunState, Source,
};
use crate::rules::amount::{bytes, counted, grouped};
use crate::rules::backfill::{Selected, Selection, Share};
use crate::rules::plain_text::{shell_word, visible};
use crate::rules::sending::{Gate, GateName, digits};

/// GitHub takes so many characters of inputs.
const MOST_INPUT: usize = 65_000;

/// A backfill on GitHub's machines, to be made ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActionsPlan {
    /// Start one.
    Dispatch { selection: Selection, shares: usize },
    /// Run once more what failed of one.
    Rerun { run: u64 },
}

impl ActionsPlan {
    /// What it is about, in short.
    pub(super) fn of(&self) -> String {
        match self {
            Self::Dispatch { selection, shares } => {
                format!("backfill {}", digits(&digest(format!("{shares} {}", selection.words()).as_bytes())))
            }
            Self::Rerun { run } => format!("run {run}"),
        }
    }

    pub(crate) fn noun(&self) -> String {
        match self {
            Self::Dispatch { .. } => "the dispatch of a backfill".to_owned(),
            Self::Rerun { run } => format!("the re-run of what failed in run {run}"),
        }
    }

    /// The command that makes it ready.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Dispatch { selection, shares } => {
                let words: Vec<String> = arguments(selection).iter().map(|word| shell_word(word)).collect();
                format!("bumpdesk backfill dispatch {} --shards {shares}", words.join(" "))
            }
            Self::Rerun { run } => format!("bumpdesk backfill rerun {run}"),
        }
    }
}

/// A selection as arguments of the command, one each.
pub(crate) fn arguments(selection: &Selection) -> Vec<String> {
    match selection {
        Selection::Everything => vec!["--all".to_owned()],
        Selection::These(these) => {
            let mut words: Vec<String> = these.iter().map(Selected::words).collect();
            words.sort();
            words.dedup();
            words
        }
    }
}

/// What is on the default branch where the workflow should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WorkflowThere {
    Absent,
    /// GitHub's word for why it cannot be started.
    Off(String),
    /// It is one that this bumpdesk prints, of a program from there.
    Ours(Source),
    /// It is another one.
    Other,
}

/// The gates before something is started.
impl Gate {
    pub(crate) fn starts(login: &str, repository: &str, may_push: bool) -> Self {
        let name = GateName::WriteAccess;
        if may_push {
            return Self::pass(name, format!("{login} may push to {repository}, and so start its workflows"));
        }
        Self::fail(
            name,
            format!("{login} may not push to {repository}, and so not start its workflows"),
            "Ask a maintainer who may, or run the shares on machines of your own: `bumpdesk backfill plan --shards N`.",
        )
    }

    pub(crate) fn workflow(there: &WorkflowThere, branch: &str) -> Self {
        let name = GateName::Workflow;
        match there {
            // Whoever could change that file chose what computes the hashes: who confirms sees it.
            WorkflowThere::Ours(source) => {
                Self::pass(name, format!("builds {}; on {branch} as bumpdesk prints it", source.words()))
            }
            WorkflowThere::Other => Self::note(
                name,
                format!("{PATH} on {branch} is not as this bumpdesk prints it: read it before you trust it"),
            ),
            WorkflowThere::Off(state) => Self::fail(
                name,
                format!("{FILE} is switched off on GitHub ({state})"),
                "Switch it on there: Actions, Backfill, Enable workflow.",
            ),
            // A plan of the registry's data holds no such file, and a workflow is never sent by bumpdesk: who changes what machines
            // run does so in the open, by hand.
            WorkflowThere::Absent => Self::fail(
                name,
                format!("{PATH} is not on {branch}, and only from there can it be started"),
                format!(
                    "Write it with `bumpdesk backfill workflow --git URL --rev COMMIT >{PATH}`, open a pull request of it by hand, and do this again once it is merged."
                ),
            ),
        }
    }

    /// The commit of the plan has to be there for machines to check it out. `is_there`: on the branch; `None`: not on GitHub. And what the
    /// plan was made from here has to be what they will find in it. `changed`: files that are not, or why that cannot be told.
    pub(crate) fn commit(
        base: &str,
        branch: &str,
        is_there: Option<bool>,
        changed: &Result<Vec<String>, String>,
    ) -> Self {
        let name = GateName::Commit;
        let short = base.get(..7).unwrap_or(base);
        match is_there {
            Some(true) => match changed.as_deref() {
                Ok([]) => Self::pass(name, format!("{short} is a commit of {branch}")),
                Ok([first, others @ ..]) => {
                    let more = match others.len() {
                        0 => String::new(),
                        more => format!(", nor are {} more", grouped(more)),
                    };
                    Self::fail(
                        name,
                        format!("{} here is not as {short} has it{more}", visible(first)),
                        "Restore it, or commit it and have it merged, or use a clean clone: `bumpdesk clone`.",
                    )
                }
                Err(why) => Self::fail(
                    name,
                    format!(
                        "whether the files here are as {short} has them cannot be told: {}",
                        visible(why)
                    ),
                    "Use a clean clone: `bumpdesk clone`.",
                ),
            },
            Some(false) => Self::fail(
                name,
                format!("{short} is on GitHub, but not a commit of {branch}"),
                format!("Check out a commit of {branch} here, and do the same again."),
            ),
            None if base.is_empty() => Self::fail(
                name,
                "the registry here is not in git, so no machine can check it out",
                "Use a clone of it: `bumpdesk clone`.",
            ),
            None => Self::fail(
                name,
                format!("{short} is not on GitHub"),
                format!("Check out a commit of {branch} here, and do the same again."),
            ),
        }
    }

    /// Nobody is at the same already.
    pub(crate) fn no_other_run(plan: &str, runs: &[RunRead]) -> Self {
        let name = GateName::Another;
        let is_same = |run: &&RunRead| run.dispatched().is_some_and(|named| named.plan == plan);
        if let Some(run) = runs.iter().filter(is_same).find(|run| !run.state.is_over()) {
            return Self::fail(
                name,
                format!("run {} of {} is at this very plan ({})", run.id, run.actor, run.state.word()),
                format!("Follow it: `bumpdesk backfill status --run {} --follow`.", run.id),
            );
        }
        let done = RunState::Ended(Ending::Success);
        match runs.iter().filter(is_same).find(|run| run.state == done) {
            Some(run) => Self::note(
                name,
                format!(
                    "run {} did this very plan already: `bumpdesk backfill merge --run {}`",
                    run.id, run.id
                ),
            ),
            None => Self::pass(name, "no run of this plan is running"),
        }
    }

    pub(crate) fn shares(shares: &[Share], characters: usize) -> Self {
        let name = GateName::Shares;
        let (targets, largest) = (
            shares.iter().map(|share| share.targets).sum::<usize>(),
            shares.iter().map(|share| share.bytes).max().unwrap_or_default(),
        );
        let told = format!(
            "{} of {}, the largest about {}",
            counted(shares.len(), "share"),
            counted(targets, "target"),
            bytes(largest)
        );
        match () {
            () if targets == 0 => {
                Self::fail(name, "no target is known to lack anything", "There is nothing to be started.")
            }
            () if shares.len() > MOST_SHARES => Self::fail(
                name,
                format!("{told}; a run has {MOST_SHARES} machines at most"),
                format!("Name at most `--shards {MOST_SHARES}`."),
            ),
            () if shares.iter().any(|share| share.targets == 0) => Self::fail(
                name,
                format!("{told}; some would have nothing to do"),
                "Name fewer with `--shards N`.",
            ),
            () if largest > MOST_SHARE_BYTES => Self::fail(
                name,
                format!(
                    "{told}; a machine is stopped after six hours, and gets through about {}",
                    bytes(MOST_SHARE_BYTES)
                ),
                "Name more with `--shards N`, or less to be filled in.",
            ),
            () if characters > MOST_INPUT => Self::fail(
                name,
                format!(
                    "the selection has {} characters, and {} are the most",
                    grouped(characters),
                    grouped(MOST_INPUT)
                ),
                "Name fewer providers at once, or all of them with `--all`.",
            ),
            () => Self::pass(name, told),
        }
    }

    /// Only what is over is run again, and only where something failed.
    pub(crate) fn ended(run: &RunRead, jobs: &[RunJob]) -> Self {
        let name = GateName::Ended;
        let failed = jobs.iter().filter(|job| job.state.is_bad()).count();
        let told = format!("attempt {} is {}", run.attempt, run.state.word());
        match () {
            () if run.dispatched().is_none() => {
                Self::fail(name, "it was not started by bumpdesk", "Run it again on GitHub, if it is to be.")
            }
            () if !run.state.is_over() => Self::fail(
                name,
                told,
                format!("Wait for its end: `bumpdesk backfill status --run {} --follow`.", run.id),
            ),
            () if failed == 0 => Self::fail(
                name,
                format!("{told}, and no job of it failed"),
                "There is nothing to be run again.",
            ),
            () => Self::pass(name, format!("{told}, and {} failed", counted(failed, "job"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::rules::actions::{Dispatched, PATH, nonce_of, title_of};
    use crate::rules::sending::GateState;

    fn run(state: RunState) -> RunRead {
        let plan = "0f".repeat(32);
        let title = title_of(Dispatched { plan: &plan, nonce: &nonce_of(&plan, "ann", 0) });
        let (created, updated) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        let text = String::new;
        RunRead {
            id: 7,
            attempt: 1,
            title,
            workflow: text(),
            path: PATH.into(),
            event: "workflow_dispatch".into(),
            state,
            url: text(),
            actor: "ann".into(),
            head: text(),
            created,
            updated,
        }
    }

    fn source(url: &str) -> Source {
        Source::new(url, &"ab".repeat(20)).unwrap()
    }

    #[test]
    fn nothing_is_started_twice_and_nothing_unknown_passes() {
        use GateState::{Fail, Note, Pass};
        let plan = "0f".repeat(32);
        for (state, other, ended) in [
            (RunState::Queued, Fail, Fail),
            (RunState::Running, Fail, Fail),
            (RunState::WaitsForApproval, Fail, Fail),
            (RunState::Other("odd".into()), Fail, Fail),
            (RunState::Ended(Ending::Success), Note, Pass),
            (RunState::Ended(Ending::Failure), Pass, Pass),
        ] {
            let run = run(state);
            assert_eq!(Gate::no_other_run(&plan, std::slice::from_ref(&run)).state, other, "{run:?}");
            assert_eq!(Gate::no_other_run(&"aa".repeat(32), std::slice::from_ref(&run)).state, Pass);
            let failed = RunJob {
                id: 1,
                name: "share 1 of 2".into(),
                attempt: 1,
                state: RunState::Ended(Ending::Failure),
                started: None,
                ended: None,
            };
            assert_eq!(Gate::ended(&run, std::slice::from_ref(&failed)).state, ended);
            assert_eq!(Gate::ended(&run, &[]).state, Fail, "nothing failed");
        }
        for (there, state) in [
            (WorkflowThere::Absent, Fail),
            (WorkflowThere::Off("disabled_manually".into()), Fail),
            (WorkflowThere::Other, Note),
            (WorkflowThere::Ours(source("https://example.org/tools/bumpdesk")), Pass),
        ] {
            assert_eq!(Gate::workflow(&there, "main").state, state, "{there:?}");
        }
        for (url, told) in [
            ("https://example.org/other", "https://example.org/other at ".to_owned()),
            (
                &*format!("https://example.org/{}", "a".repeat(500)),
                format!("https://example.org/{}… at ", "a".repeat(80)),
            ),
        ] {
            let gate = Gate::workflow(&WorkflowThere::Ours(source(url)), "main");
            let told = format!("builds {told}{}; on main as bumpdesk prints it", "ab".repeat(20));
            assert_eq!(gate.evidence, told);
        }
        let changed = |paths: &[&str]| Ok(paths.iter().map(|path| (*path).to_owned()).collect());
        for (there, changed, state, told) in [
            (None, changed(&[]), Fail, "c0ffee1 is not on GitHub"),
            (Some(false), changed(&[]), Fail, "c0ffee1 is on GitHub, but not a commit of main"),
            (Some(true), changed(&[]), Pass, "c0ffee1 is a commit of main"),
            (Some(true), changed(&["a\u{1b}"]), Fail, "a\\u{1b} here is not as c0ffee1 has it"),
            (Some(true), changed(&["a", "b", "c"]), Fail, "a here is not as c0ffee1 has it, nor are 2 more"),
            (
                Some(true),
                Err("no git".into()),
                Fail,
                "whether the files here are as c0ffee1 has them cannot be told: no git",
            ),
        ] {
            let gate = Gate::commit("c0ffee1234", "main", there, &changed);
            assert_eq!((gate.state, &*gate.evidence), (state, told));
        }
        for (shares, characters, state) in [
            (vec![(2, 10), (2, 10)], 100, Pass),
            (vec![(2, 10), (0, 0)], 100, Fail),
            (vec![(0, 0)], 100, Fail),
            (vec![(2, MOST_SHARE_BYTES + 1)], 100, Fail),
            (vec![(2, 10)], MOST_INPUT + 1, Fail),
            (vec![(1, 1); 257], 100, Fail),
        ] {
            let shares: Vec<Share> =
                shares.into_iter().map(|(targets, bytes)| Share { targets, bytes }).collect();
            assert_eq!(Gate::shares(&shares, characters).state, state, "{} {characters}", shares.len());
        }
    }
}
