//! Backfills: the task with its limits, and the events of a run.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::jobs::data::{Meter, WORKERS};
use crate::rules::anatomy::ARCHIVE_LIMIT_BYTES;
use crate::rules::backfill::{Estimate, Row, Selection, Share, Tally};

/// The kinds of backfill jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BackfillTask {
    /// Estimate the cost, and the shares: [`BackfillNews::Estimated`]. Sends no requests.
    #[serde(skip)]
    Estimate { selection: Selection, workers: usize, shards: usize },
    /// Do it, or the share of one machine.
    Run(BackfillRun),
    /// Put the shares of several machines together.
    #[serde(skip)]
    Merge(BackfillMerge),
}

impl BackfillTask {
    /// Returns true if the job puts files into the plan.
    pub(crate) fn plans(&self) -> bool {
        match self {
            Self::Estimate { .. } => false,
            Self::Run(run) => run.part == BackfillPart::Whole(BackfillOutput::Plan),
            Self::Merge(merge) => merge.output == BackfillOutput::Plan,
        }
    }
}

/// A backfill on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackfillRun {
    pub selection: Selection,
    pub limits: BackfillLimits,
    pub part: BackfillPart,
}

/// The part of a plan that is done here, and its output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BackfillPart {
    Whole(BackfillOutput),
    /// The share with this number, from 1, of so many, of the plan with this digest; its rows are written into `out`.
    Shard {
        number: usize,
        of: usize,
        plan: String,
        out: PathBuf,
    },
}

/// The output of a backfill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BackfillOutput {
    /// A dry run: they are kept, and nothing follows.
    Nothing,
    /// Files of the plan, for review.
    Plan,
    /// Patches in a folder.
    Patches { folder: PathBuf, bundle: Bundle },
}

/// The number of files in one patch, and so in one commit. The registry has not decided yet whether commits are bundled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bundle {
    #[default]
    Provider,
    /// Those whose namespaces begin with the same letter.
    Letter,
    Files(usize),
}

/// The limits at which a run stops by itself; the same command continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackfillLimits {
    /// The most bytes to download in this run.
    pub bytes: u64,
    pub time: Duration,
    /// Downloads at once.
    pub workers: usize,
    /// An archive of that many bytes is left out, as the registry does.
    pub archive_bytes: u64,
}

impl Default for BackfillLimits {
    fn default() -> Self {
        Self {
            bytes: 200_000_000_000,
            time: Duration::from_hours(4),
            workers: WORKERS,
            archive_bytes: ARCHIVE_LIMIT_BYTES,
        }
    }
}

/// Shares of a plan that were done elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackfillMerge {
    pub files: Vec<PathBuf>,
    /// The digest of the plan, as the user who started it knows it; `None`: the one in the files.
    pub plan: Option<String>,
    /// So many results, drawn by lot, are computed again here.
    pub sample: usize,
    pub output: BackfillOutput,
}

/// An event of a backfill. Rows are named by their place in the list that it begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum BackfillNews {
    Estimated(Arc<Estimated>),
    Begun {
        rows: Arc<Vec<Row>>,
        /// The plan's digest, hex.
        plan: String,
        /// The path of the file that keeps the rows.
        journal: String,
        /// Rows that an earlier run has finished.
        kept: usize,
    },
    /// A row that is worked on, and how many bytes of its archive are there.
    Active(usize, u64),
    Row(usize, Arc<Row>),
    Meter(Meter<Tally>),
    /// It stopped before the end, and why.
    Stopped(String),
    /// A patch was written, or is there already.
    Wrote(PathBuf),
    /// Files that were put into the plan.
    Planned(u64),
    /// Something that could not be written, in words.
    NotWritten(String),
}

/// The cost of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimated {
    pub(crate) selection: Selection,
    pub(crate) estimate: Estimate,
    /// The commit; empty where there is no git.
    pub(crate) base: String,
    /// Hex.
    pub(crate) digest: String,
    pub(crate) shares: Vec<Share>,
    /// Files that cannot be read: the estimate leaves out their missing hashes.
    pub(crate) broken: u64,
}
