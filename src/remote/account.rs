//! Whose token it is, what it may do, what is left of the limits, and what time it is over there. Asked by `doctor` alone.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use crate::remote::Remote;
use crate::remote::budget::Quota;
use crate::remote::http::{Call, Error, header_text, http_date};
use crate::settings::Lane;

const USER: &str = "https://api.github.com/user";
/// Costs nothing, by GitHub's own word.
const LIMITS: &str = "https://api.github.com/rate_limit";
/// Far more than either answer has.
const LIMIT_BYTES: u64 = 1 << 20;

/// The API's answer about the account of the token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    /// `None` without a token.
    pub(crate) login: Option<String>,
    /// The permissions of a classic token, as the API words them; `None` where it says none, as for fine-grained tokens.
    pub(crate) scopes: Option<String>,
    pub(crate) quotas: Vec<Quota>,
    /// The server's own time, to the second.
    pub(crate) server_time: Option<Timestamp>,
}

#[derive(Deserialize)]
struct User {
    login: String,
}

#[derive(Deserialize)]
struct Limits {
    resources: BTreeMap<String, Window>,
}

#[derive(Deserialize)]
struct Window {
    limit: u64,
    remaining: u64,
    reset: i64,
}

impl Remote {
    /// Returns the token's account, its quotas and the API's time. It sends two requests, one of them free.
    pub(crate) async fn account(&self) -> Result<Account, Error> {
        let answer = self.http.call(&Call::get(Lane::Api, LIMITS, LIMIT_BYTES)).await?;
        let server_time = header_text(&answer.headers, "date").and_then(http_date);
        let limits: Limits = self.http.json(&answer.body)?;
        let known = ["core", "graphql"];
        let quotas = known.into_iter().filter_map(|name| {
            let window = limits.resources.get(name)?;
            Some(Quota {
                resource: name.into(),
                limit: Some(window.limit),
                remaining: Some(window.remaining),
                reset_epoch_s: Some(window.reset),
            })
        });
        let mut account = Account { quotas: quotas.collect(), server_time, ..Account::default() };
        if self.has_token() {
            let answer = self.http.call(&Call::get(Lane::Api, USER, LIMIT_BYTES)).await?;
            account.scopes = header_text(&answer.headers, "x-oauth-scopes").map(ToOwned::to_owned);
            account.login = Some(self.http.json::<User>(&answer.body)?.login);
        }
        Ok(account)
    }
}
