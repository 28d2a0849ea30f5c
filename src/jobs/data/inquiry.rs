//! GitHub's answer about the token: the account, its permissions and its rate limits.

use jiff::Timestamp;

/// The API's answer about the account of the token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inquiry {
    /// Why there is no answer; everything else is empty then.
    pub(crate) error: Option<String>,
    /// `None` without a token.
    pub(crate) login: Option<String>,
    /// The permissions of a classic token; `None` where the API says none, as for fine-grained tokens.
    pub(crate) scopes: Option<String>,
    pub(crate) limits: Vec<LimitLeft>,
    /// Seconds that our clock is ahead of the server's; `None` if the server sent no date, or our clock is fixed.
    pub(crate) ahead_s: Option<i64>,
}

/// One hourly limit of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitLeft {
    /// `core`, `graphql`.
    pub(crate) resource: String,
    pub(crate) limit: u64,
    pub(crate) remaining: u64,
    pub(crate) resets_at: Option<Timestamp>,
}
