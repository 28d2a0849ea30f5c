//! The flags of a command line as plain values, so that no argument parser is named here.

use std::ffi::OsString;
use std::path::PathBuf;

/// The flags of a command line, as plain values.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// Values by the name they have in the configuration: `endpoints.api`.
    pub values: Vec<(&'static str, OsString)>,
    /// `NAME=on` or `NAME=off`.
    pub features: Vec<String>,
    pub config: Option<PathBuf>,
    pub reference: Option<String>,
    pub no_throttle: bool,
    pub no_token: bool,
    pub may_write: bool,
}
