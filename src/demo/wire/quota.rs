//! The hour's counters of the API, and the headers that tell of them.

use std::sync::{Mutex, PoisonError};

use http::HeaderValue;
use jiff::Timestamp;

use crate::wire::call::Reply;
use crate::world::Limits;

/// A counter of its own on the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// REST with a token.
    Core,
    /// REST without one.
    Anonymous,
    Graphql,
}

impl Resource {
    /// GitHub's word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Core | Self::Anonymous => "core",
            Self::Graphql => "graphql",
        }
    }

    /// What an hour allows of it.
    pub(crate) fn limit(self, limits: &Limits) -> u64 {
        match self {
            Self::Core => limits.rest_per_hour,
            Self::Anonymous => limits.anonymous_per_hour,
            Self::Graphql => limits.graphql_points,
        }
    }
}

/// How much of a resource is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) resource: Resource,
    pub(crate) limit: u64,
    pub(crate) used: u64,
    /// Epoch seconds at which the hour ends.
    pub(crate) reset: i64,
}

impl Usage {
    pub(crate) fn remaining(self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// Adds the rate-limit headers, but for those that a fault set.
    pub(crate) fn mark(self, mut reply: Reply) -> Reply {
        let remaining =
            if reply.headers.contains_key("x-ratelimit-remaining") { 0 } else { self.remaining() };
        let mut put = |name: &'static str, value: u64| {
            reply.headers.insert(name, HeaderValue::from(value));
        };
        put("x-ratelimit-limit", self.limit);
        put("x-ratelimit-remaining", remaining);
        put("x-ratelimit-used", self.limit.saturating_sub(remaining));
        put("x-ratelimit-reset", self.reset.cast_unsigned());
        reply.with("x-ratelimit-resource", self.resource.name())
    }
}

/// The counters. They begin anew when the world's clock passes the end of the hour.
#[derive(Debug, Default)]
pub(crate) struct Quota {
    counters: Mutex<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    hour: i64,
    used: [u64; 3],
}

impl Quota {
    /// Uses `amount` of a resource, if that much is left. The usage tells what stands after it.
    ///
    /// # Errors
    /// Too little is left; nothing was used.
    pub(crate) fn spend(
        &self,
        resource: Resource,
        limit: u64,
        now: Timestamp,
        amount: u64,
    ) -> Result<Usage, Usage> {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let hour = now.as_second().div_euclid(3600);
        if counters.hour != hour {
            *counters = Counters { hour, used: [0; 3] };
        }
        let used = &mut counters.used[resource as usize];
        let fits = *used + amount <= limit;
        if fits {
            *used += amount;
        }
        let usage = Usage { resource, limit, used: *used, reset: (hour + 1) * 3600 };
        if fits { Ok(usage) } else { Err(usage) }
    }

    /// Gives back what a conditional answer does not cost.
    pub(crate) fn refund(&self, resource: Resource, amount: u64) {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let used = &mut counters.used[resource as usize];
        *used = used.saturating_sub(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_has_so_many_requests() {
        let quota = Quota::default();
        let now: Timestamp = "2026-11-21T12:30:00Z".parse().unwrap();
        assert!(quota.spend(Resource::Core, 2, now, 1).is_ok());
        assert_eq!(quota.spend(Resource::Core, 2, now, 1).unwrap().remaining(), 0);
        let usage = quota.spend(Resource::Core, 2, now, 1).unwrap_err();
        assert_eq!(usage.reset, "2026-11-21T13:00:00Z".parse::<Timestamp>().unwrap().as_second());
        assert!(quota.spend(Resource::Graphql, 2, now, 2).is_ok());
        quota.refund(Resource::Core, 1);
        assert!(quota.spend(Resource::Core, 2, now, 1).is_ok());
        let later: Timestamp = "2026-11-21T13:00:00Z".parse().unwrap();
        assert_eq!(quota.spend(Resource::Core, 2, later, 1).unwrap().used, 1);
    }
}
