//! The two objects that any command may write; the last of its lines is of type `outcome`. Their envelope is `desk::objects`.

use serde::Serialize;

use crate::jobs::data::{Failure, Summary};
use crate::print::exit::Exit;

/// A remark, type `note`.
#[derive(Serialize)]
pub(crate) struct Note<'a> {
    pub(crate) text: &'a str,
}

/// The end of the command, type `outcome`; always the last object.
#[derive(Serialize)]
pub(crate) struct Outcome<'a, T> {
    command: &'static str,
    result: &'static str,
    exit: u8,
    summary: Option<&'a Summary>,
    failure: Option<&'a Failure>,
    #[serde(flatten)]
    extra: &'a T,
}

impl<'a, T> Outcome<'a, T> {
    pub(crate) fn new(
        command: &'static str,
        outcome: &'a crate::jobs::data::Outcome,
        exit: Exit,
        extra: &'a T,
    ) -> Self {
        use crate::jobs::data::Outcome as Ended;
        let (result, summary, failure) = match outcome {
            Ended::Done(summary) => ("done", Some(summary), None),
            Ended::Cancelled(summary) => ("cancelled", Some(summary), None),
            Ended::Failed(failure) => ("failed", None, Some(failure)),
        };
        Self { command, result, exit: exit.code(), summary, failure, extra }
    }
}
