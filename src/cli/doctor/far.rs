//! The servers: whether they answer, what the token may do there, what is left of the limits, and whether clocks agree.

use std::time::Duration;

use crate::cli::doctor::{Checked, fail, note, ok};
use crate::jobs::data::{Inquiry, Job, JobEvent, LimitLeft};
use crate::print::output::Output;
use crate::print::runner::Runner;
use crate::rules::amount::{grouped, moment};
use crate::settings::Endpoints;

const REACH_LIMIT: Duration = Duration::from_secs(5);
const REACH_REMEDY: &str = "check the network, a proxy, and the setting of the URL";
/// Clocks that are further apart make PENDING and ages wrong.
const SKEW_LIMIT_S: i64 = 60;

/// Checks if the ports of the servers answer. Sends nothing.
pub(super) async fn reach(endpoints: &Endpoints) -> Vec<Checked> {
    let mut checks = Vec::new();
    for url in [&endpoints.api, &endpoints.web, &endpoints.served] {
        checks.push(reach_one(url).await);
    }
    checks
}

async fn reach_one(url: &str) -> Checked {
    let topic = "server";
    let Ok(uri) = url.parse::<http::Uri>() else {
        return fail(topic, format!("`{url}` is not a URL"), REACH_REMEDY);
    };
    let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
    match tokio::time::timeout(REACH_LIMIT, tokio::net::TcpStream::connect((host.as_str(), port))).await {
        Ok(Ok(_)) => ok(topic, format!("{url} answers")),
        Ok(Err(error)) => fail(topic, format!("{url} cannot be reached: {error}"), REACH_REMEDY),
        Err(_) => {
            let seconds = REACH_LIMIT.as_secs();
            fail(topic, format!("{url} did not answer within {seconds} s"), REACH_REMEDY)
        }
    }
}

/// Asks the API about us.
pub(super) async fn inquire(runner: &mut Runner<'_>) -> Vec<Checked> {
    let mut inquiry = None;
    let mut take = |_: &mut Output<'_>, event| {
        if let JobEvent::Inquired(answer) = event {
            inquiry = Some(answer);
        }
    };
    // Who interrupts it gets what is known so far.
    let _ = runner.run(Job::Inquire, &mut take).await;
    inquiry.map_or_else(Vec::new, |inquiry| account(&inquiry))
}

fn account(inquiry: &Inquiry) -> Vec<Checked> {
    if let Some(error) = &inquiry.error {
        let remedy = "if it is the token, set another GH_TOKEN or run `gh auth login`";
        return vec![fail("api", error.clone(), remedy)];
    }
    let mut checks = Vec::new();
    checks.extend(inquiry.login.as_deref().map(|login| permissions(login, inquiry.scopes.as_deref())));
    checks.extend(inquiry.limits.iter().map(limit));
    checks.push(match inquiry.ahead_s {
        None => ok("clock", "not compared: bumpdesk's clock is set by hand, or the API gave no time"),
        Some(ahead_s) => clock(ahead_s),
    });
    checks
}

/// Reading public repositories needs no permission at all.
fn permissions(login: &str, scopes: Option<&str>) -> Checked {
    let topic = "permissions";
    match scopes.map(str::trim) {
        None => ok(
            topic,
            format!(
                "the token is {login}'s; the API names no scopes, as for fine-grained tokens; reading needs none"
            ),
        ),
        Some("") => ok(topic, format!("the token is {login}'s, without scopes; reading needs none")),
        Some(scopes) => {
            let broad = ["repo", "admin:org", "delete_repo", "workflow"];
            let more: Vec<&str> =
                scopes.split(',').map(str::trim).filter(|scope| broad.contains(scope)).collect();
            let text = format!("the token is {login}'s, with the scopes {scopes}");
            if more.is_empty() {
                ok(topic, text)
            } else {
                let remedy = format!(
                    "that is more than reading needs ({}): a token without it is enough",
                    more.join(", ")
                );
                note(topic, text, remedy)
            }
        }
    }
}

fn limit(left: &LimitLeft) -> Checked {
    let resets = left.resets_at.map(|at| format!(", full again at {}", moment(at))).unwrap_or_default();
    let (remaining, all) = (grouped(left.remaining), grouped(left.limit));
    let text = format!("{}: {remaining} of {all} requests left{resets}", left.resource);
    // With a tenth a large survey stops in the middle.
    if left.remaining * 10 < left.limit {
        note("limits", text, "a large survey has to wait for that")
    } else {
        ok("limits", text)
    }
}

fn clock(ahead_s: i64) -> Checked {
    let way = if ahead_s < 0 { "behind" } else { "ahead of" };
    let text = format!("{} s {way} the API's", ahead_s.abs());
    if ahead_s.abs() <= SKEW_LIMIT_S {
        ok("clock", text)
    } else {
        note("clock", text, "ages and PENDING are wrong by that: set this machine's clock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::CheckState;

    #[test]
    fn answers_are_judged() {
        for (scopes, state) in [
            (None, CheckState::Ok),
            (Some(""), CheckState::Ok),
            (Some("public_repo, read:org"), CheckState::Ok),
            (Some("gist, repo"), CheckState::Note),
        ] {
            assert_eq!(permissions("someone", scopes).state, state, "{scopes:?}");
        }
        let left =
            |remaining| LimitLeft { resource: "core".into(), limit: 5_000, remaining, resets_at: None };
        assert_eq!(limit(&left(500)).state, CheckState::Ok);
        assert_eq!(limit(&left(499)).state, CheckState::Note);
        for (ahead_s, state, words) in [
            (0, CheckState::Ok, "0 s ahead of"),
            (-60, CheckState::Ok, "60 s behind"),
            (61, CheckState::Note, "61 s ahead of"),
        ] {
            let check = clock(ahead_s);
            assert!(check.state == state && check.fact.contains(words), "{check:?}");
        }
        let refused = account(&Inquiry { error: Some("not allowed".into()), ..Inquiry::default() });
        assert!(refused.len() == 1 && refused[0].state == CheckState::Fail);
        assert!(refused[0].remedy.as_deref().is_some_and(|remedy| remedy.contains("GH_TOKEN")));
    }
}
