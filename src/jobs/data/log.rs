//! Lines of the log, and the query for them.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use crate::settings::words;

/// The lines of the log that are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogQuery {
    /// Not older than this.
    pub(crate) since: Option<Duration>,
    /// Errors, warnings and failed requests alone.
    pub(crate) errors: bool,
    /// The last ones of those.
    pub(crate) most: usize,
    /// As many requests that went well besides; else they count like the others.
    pub(crate) requests_apart: bool,
    /// True for lines about all registries instead of the open one.
    pub(crate) everywhere: bool,
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogLine {
    pub(crate) at: Option<Timestamp>,
    pub(crate) level: LogLevel,
    /// The journal number of the job. `None` for jobs that are not in the journal, and outside of jobs.
    pub(crate) job: Option<i64>,
    /// The tag of the line's registry; `None` outside of jobs, and in a log that an older bumpdesk wrote.
    #[serde(skip)]
    pub(crate) registry: Option<String>,
    /// `requests`, `jobs`.
    pub(crate) topic: String,
    /// An error, a warning or a request that failed.
    #[serde(rename = "trouble")]
    pub(crate) is_trouble: bool,
    /// The line in words; as it stands in the file if it cannot be read.
    pub(crate) text: String,
    /// The line as it stands in the file.
    #[serde(skip)]
    pub(crate) raw: String,
}

words! {
    /// The severity of a line. Its word stands before the line; an ordinary request has none and shows its own status.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "UPPERCASE")]
    pub(crate) enum LogLevel: [word] {
        Debug = "",
        Info = "INFO",
        Warn = "WARN",
        Error = "ERROR",
    }
}
