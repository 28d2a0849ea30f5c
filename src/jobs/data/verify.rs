//! Verification: the plan, the events of a run, and the requests that steer it.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::jobs::data::Meter;
use crate::registry::Address;
use crate::rules::FACTS_LAST;
use crate::rules::anatomy::ARCHIVE_LIMIT_BYTES;
use crate::rules::verify::{Row, State};

/// Downloads at once, if the user sets no other number.
pub(crate) const WORKERS: usize = 6;
/// More at once only makes the server slower.
pub(crate) const MOST_WORKERS: usize = 16;

/// One version of an entry, or all of them if none is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    pub address: Address,
    pub version: Option<String>,
}

impl Wanted {
    /// `newrelic/newrelic 3.70.0`, `newrelic/newrelic and 3 more`.
    pub(crate) fn summary(wanted: &[Self]) -> String {
        let Some((first, rest)) = wanted.split_first() else { return "nothing".into() };
        let version = first.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        format!("{}{version}{more}", first.address)
    }
}

/// A verification. It only ever reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyPlan {
    pub wanted: Vec<Wanted>,
    /// `linux_amd64`; all of them if empty.
    pub targets: Vec<String>,
    pub workers: usize,
    /// An archive of that many bytes is left out, as the registry does.
    pub limit_bytes: u64,
    /// False: checksums, digests and signatures alone.
    pub downloads: bool,
    /// The path of the report; `None`: in the state folder, under a name that the same question finds again.
    pub report: Option<PathBuf>,
    /// Stop at the first row that is bad.
    pub stops_at_bad: bool,
    /// An archive that an earlier run hashed longer ago than this is hashed again.
    pub keeps_for: SignedDuration,
}

impl VerifyPlan {
    pub fn new(wanted: Vec<Wanted>) -> Self {
        Self {
            wanted,
            targets: Vec::new(),
            workers: WORKERS,
            limit_bytes: ARCHIVE_LIMIT_BYTES,
            downloads: true,
            report: None,
            stops_at_bad: false,
            keeps_for: FACTS_LAST,
        }
    }
}

/// An event of a running verification. Rows are named by their place in the list that it begins with.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifyNews {
    /// All rows, as far as they are known without any network, and where the report is written.
    Begun {
        rows: Arc<Vec<Row>>,
        report: String,
        /// Rows whose archives an earlier run of the same question has hashed.
        kept: usize,
    },
    /// A row as it is now; its own state says whether anything is still to come.
    Row(usize, Arc<Row>),
    /// A row that is worked on, and how many bytes of its archive are there.
    Active(usize, State, u64),
    Meter(Meter),
}

/// The requests to a running job other than to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steer {
    /// Nothing new is begun; what is under way ends.
    pub is_paused: bool,
    /// Downloads at once; `None`: as planned.
    pub workers: Option<usize>,
    /// Stop at the next row that is bad; `None`: as planned.
    pub stops_at_bad: Option<bool>,
}
