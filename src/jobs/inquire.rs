//! Asks the API about us: whose token it is, what it may do, what is left, and how far the clocks are apart.

use std::sync::Arc;

use jiff::Timestamp;

use crate::jobs::context::Context;
use crate::jobs::{Clock, Env, JobEvent, Stop, Summary};

/// What the API says about who asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inquiry {
    /// Why there is no answer; everything else is empty then.
    pub(crate) error: Option<String>,
    /// `None` without a token.
    pub(crate) login: Option<String>,
    /// The permissions of a classic token; `None` where the API says none, as for fine-grained tokens.
    pub(crate) scopes: Option<String>,
    pub(crate) limits: Vec<LimitLeft>,
    /// Seconds that our clock is ahead of the server's; `None` where it told no time, or ours is a made-up one.
    pub(crate) ahead_s: Option<i64>,
}

/// One hourly limit of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LimitLeft {
    /// `core`, `graphql`.
    pub(crate) resource: String,
    pub(crate) limit: u64,
    pub(crate) remaining: u64,
    pub(crate) resets_at: Option<Timestamp>,
}

pub(crate) async fn inquire(env: &Arc<Env>, context: &Context) -> Result<Summary, Stop> {
    let inquiry = match context.run(env.remote.account()).await? {
        Err(error) => Inquiry { error: Some(error.to_string()), ..Inquiry::default() },
        Ok(account) => Inquiry {
            error: None,
            login: account.login,
            scopes: account.scopes,
            limits: account
                .quotas
                .into_iter()
                .map(|quota| LimitLeft {
                    resource: quota.resource.into(),
                    limit: quota.limit.unwrap_or(0),
                    remaining: quota.remaining.unwrap_or(0),
                    resets_at: quota.reset_epoch_s.and_then(|at| Timestamp::from_second(at).ok()),
                })
                .collect(),
            ahead_s: account
                .told_at
                .filter(|_| env.clock == Clock::System)
                .map(|told_at| env.now().as_second() - told_at.as_second()),
        },
    };
    context.send(JobEvent::Inquired(inquiry));
    Ok(Summary::default())
}
