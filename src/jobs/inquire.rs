//! Asks the API about us: whose token it is, what it may do, what is left, and how far the clocks are apart.

use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::context::Context;
use crate::jobs::data::{Inquiry, JobEvent, LimitLeft, Stop, Summary};
use crate::jobs::{Clock, Env};
use crate::remote::Quota;

/// The limit of most requests to the API.
pub(super) const CORE: &str = "core";

pub(super) fn limit_left(quota: Quota) -> LimitLeft {
    LimitLeft {
        resource: quota.resource.into(),
        limit: quota.limit.unwrap_or(0),
        remaining: quota.remaining.unwrap_or(0),
        resets_at: quota.reset_epoch_s.and_then(|at| Timestamp::from_second(at).ok()),
    }
}

pub(crate) async fn inquire(env: &Arc<Env>, context: &Context) -> Result<Summary, Stop> {
    let inquiry = match context.run(env.remote.account()).await? {
        Err(error) => Inquiry { error: Some(error.to_string()), ..Inquiry::default() },
        Ok(account) => Inquiry {
            error: None,
            login: account.login,
            scopes: account.scopes,
            limits: account.quotas.into_iter().map(limit_left).collect(),
            ahead_s: account
                .server_time
                .filter(|_| env.clock == Clock::System)
                .map(|server_time| env.now().as_second() - server_time.as_second()),
        },
    };
    context.send(JobEvent::Inquired(inquiry));
    Ok(Summary::default())
}
