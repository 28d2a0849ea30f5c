//! Reads the log, and sends the lines that a query asks for.

use std::sync::Arc;

use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, LogQuery, Summary};
use crate::jobs::{Env, log};

pub(crate) fn read_log(env: &Env, context: &Context, query: &LogQuery) -> Result<Summary, Failure> {
    let registry = if query.everywhere { None } else { env.registry_name() };
    let tag = registry.map(|registry| log::tag(&env.world, &registry));
    let lines = log::read(&env.log_path, tag.as_deref(), query, env.now())
        .map_err(|error| Failure::new(FailureKind::Internal, "reading the log").cause(error.to_string()))?;
    let entries = lines.len() as u64;
    context.send(JobEvent::LogRead(Arc::new(lines)));
    Ok(Summary { entries, ..Summary::default() })
}
