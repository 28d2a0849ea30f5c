use std::time::Duration;

use futures_util::future::join_all;

use crate::remote::tests::{Wire, reply, repository};
use crate::remote::{Error, LeastRate, Remote, RemoteOptions};
use crate::settings::{Lane, LanePace};

const DATE: (&str, &str) = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");

#[tokio::test]
async fn a_429_holds_its_lane_and_no_other() {
    let page = "<html><title>Rate limit &middot; GitHub</title></html>";
    let wire = Wire::always(reply(429, &[("content-type", "text/html"), ("retry-after", "60")], page));
    let remote = wire.remote();
    for _ in 0..2 {
        let Err(Error::RateLimited { retry_after: Some(wait), .. }) = remote.feed(&repository(), None).await
        else {
            panic!("not limited")
        };
        assert!(wait > Duration::from_secs(50) && wait <= Duration::from_mins(1));
    }
    assert_eq!(wire.lines().len(), 1);
    assert_eq!(remote.rate().paused.len(), 1);
    assert_eq!(remote.rate().paused[0].0, Lane::Feed);
    let _ = remote.tags(&repository()).await;
    assert_eq!(wire.lines().len(), 2);
    assert_eq!(remote.counts().of(Lane::Feed).failed, 1);
}

#[tokio::test]
async fn a_pause_within_patience_is_sat_out_once() {
    let limited = || reply(429, &[("retry-after", "0")], "");
    let wire = Wire::start(move |_, before| if before == 0 { limited() } else { reply(200, &[], "sums") });
    assert_eq!(&*wire.remote().sums_at("https://github.com/a").await.unwrap().value.text, "sums");
    assert_eq!(wire.lines().len(), 2);
    let wire = Wire::always(limited());
    assert!(matches!(wire.remote().sums_at("https://github.com/a").await, Err(Error::RateLimited { .. })));
    assert_eq!(wire.lines().len(), 2);
}

#[tokio::test]
async fn where_nothing_holds_the_others_go_on() {
    let wire = Wire::always(reply(429, &[("retry-after", "60")], ""));
    let remote = Remote::new(RemoteOptions { hold: false, ..wire.options() }).unwrap();
    for _ in 0..3 {
        assert!(matches!(remote.tags(&repository()).await, Err(Error::RateLimited { .. })));
    }
    assert_eq!(wire.lines().len(), 3);
}

#[tokio::test]
async fn an_empty_quota_is_not_asked_again() {
    let quota = [
        ("x-ratelimit-limit", "60"),
        ("x-ratelimit-remaining", "0"),
        ("x-ratelimit-reset", "784112777"),
        ("x-ratelimit-resource", "core"),
        DATE,
    ];
    let wire = Wire::always(reply(403, &quota, r#"{"message":"API rate limit exceeded"}"#));
    let remote = wire.remote();
    let error = remote.release(&repository(), "v1").await.unwrap_err();
    let limited =
        Error::RateLimited { retry_after: Some(Duration::from_secs(1000)), reset_epoch_s: Some(784_112_777) };
    assert_eq!(error, limited);
    assert!(matches!(remote.release(&repository(), "v1").await, Err(Error::RateLimited { .. })));
    assert_eq!(wire.lines().len(), 1);
    let told = &remote.rate().quotas[0];
    assert_eq!((&*told.resource, told.limit, told.remaining), ("core", Some(60), Some(0)));
    // The last call that fitted is no error, but the next one is not made.
    let wire = Wire::always(reply(200, &quota, r#"{"id":1,"tag_name":"v1"}"#));
    let remote = wire.remote();
    assert!(remote.release(&repository(), "v1").await.is_ok());
    assert!(matches!(remote.release(&repository(), "v1").await, Err(Error::RateLimited { .. })));
    assert_eq!(wire.lines().len(), 1);
}

#[tokio::test]
async fn a_secondary_limit_without_headers_holds_for_a_minute() {
    let body = r#"{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}"#;
    let wire = Wire::always(reply(403, &[], body));
    let remote = wire.remote();
    let error = remote.release(&repository(), "v1").await.unwrap_err();
    assert_eq!(error, Error::RateLimited { retry_after: Some(Duration::from_mins(1)), reset_epoch_s: None });
    let wire = Wire::always(reply(403, &[], r#"{"message":"Resource not accessible by integration"}"#));
    let error = wire.remote().release(&repository(), "v1").await.unwrap_err();
    assert!(matches!(error, Error::Unauthorized { status: 403, .. }));
}

#[tokio::test]
async fn stumbles_are_repeated_twice() {
    let wire =
        Wire::start(|_, before| if before < 2 { reply(502, &[], "") } else { reply(200, &[], "sums") });
    assert!(wire.remote().sums_at("https://github.com/a").await.is_ok());
    assert_eq!(wire.lines().len(), 3);
    let wire = Wire::always(reply(503, &[], ""));
    assert_eq!(wire.remote().sums_at("https://github.com/a").await, Err(Error::Status { status: 503 }));
    assert_eq!(wire.lines().len(), 3);
}

#[tokio::test]
async fn a_dropped_call_gives_its_place_back() {
    let wire = Wire::start(|_, before| {
        if before == 0 {
            std::thread::park_timeout(Duration::from_mins(1));
            Vec::new()
        } else {
            reply(200, &[], "sums")
        }
    });
    let mut options = wire.options();
    options.pace.asset = LanePace { per_second: None, at_once: 1 };
    let remote = Remote::new(options).unwrap();
    {
        let call = remote.sums_at("https://github.com/a");
        tokio::pin!(call);
        while wire.lines().is_empty() {
            let soon = tokio::time::timeout(Duration::from_millis(5), &mut call).await;
            assert!(soon.is_err());
        }
        assert_eq!(remote.counts().of(Lane::Asset).in_flight, 1);
    }
    assert_eq!(remote.counts().of(Lane::Asset).in_flight, 0);
    assert!(remote.sums_at("https://github.com/a").await.is_ok());
}

/// Offline, or with no name service: whoever wants to know hears of it after a handful of tries.
#[tokio::test]
async fn a_host_that_is_not_there_is_given_up_after_a_few_tries() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let mut options = Wire::always(Vec::new()).options();
    options.endpoints.web = base.clone();
    let remote = Remote::new(options).unwrap();
    let downs = remote.downs();
    let repository = repository();
    let answers = join_all((0..200).map(|_| remote.tags(&repository))).await;
    let is_told = |answer: &Result<_, Error>| matches!(answer, Err(Error::Transport(_) | Error::Down(_)));
    assert!(answers.iter().all(is_told));
    let sent = remote.counts().total().sent;
    assert!((8..50).contains(&sent), "{sent} requests");
    assert!(downs.has_changed().unwrap());
    let [down] = &remote.down()[..] else { panic!("{:?}", remote.down()) };
    let host = base.trim_start_matches("http://");
    assert!(remote.is_web(&down.host));
    assert_eq!(down.text(), format!("{host} cannot be reached: the connection was refused"));
}

/// The feeds go on where git stumbles.
#[tokio::test]
async fn a_lane_that_does_nothing_but_stumble_is_left_alone() {
    let wire = Wire::start(|seen, _| {
        let is_git = seen.target.contains("git-upload-pack");
        if is_git { reply(500, &[], "") } else { reply(404, &[], "") }
    });
    let remote = wire.remote();
    let repository = repository();
    let answers = join_all((0..100).map(|_| remote.tags(&repository))).await;
    assert!(answers.iter().all(Result::is_err));
    let git = remote.counts().of(Lane::Git).sent;
    // Those that were under way when the twentieth failed are sent still.
    assert!(git <= 20 + 64 + 2, "{git} requests");
    assert_eq!(remote.feed(&repository, None).await, Err(Error::NotFound { status: 404 }));
    assert_eq!(remote.down().len(), 1);
    assert!(remote.down()[0].text().ends_with(" answers no git requests any more: it answered HTTP 500"));
}

/// Without pauses for limits, a lane that returns nothing useful is asked a few dozen times instead of thousands of
/// times.
#[tokio::test]
async fn a_lane_without_useful_answers_is_left_alone() {
    let page = "<!DOCTYPE html>\n<html><body>log in</body></html>";
    let html = ("content-type", "text/html; charset=utf-8");
    let secondary = r#"{"message":"You have exceeded a secondary rate limit."}"#;
    let answers = [
        ("429", reply(429, &[], "")),
        ("429 with its end", reply(429, &[("retry-after", "60")], "")),
        ("a secondary limit", reply(403, &[], secondary)),
        ("a page with 200", reply(200, &[html], page)),
        ("a page after a blank line", reply(200, &[html], format!("\n {page}"))),
    ];
    for (what, answer) in answers {
        let wire = Wire::always(answer);
        let remote = Remote::new(RemoteOptions { hold: false, ..wire.options() }).unwrap();
        let repository = repository();
        let feeds = join_all((0..300).map(|_| remote.feed(&repository, None))).await;
        assert!(feeds.iter().all(Result::is_err), "{what}");
        let sent = remote.counts().of(Lane::Feed).sent;
        assert!(sent <= 20 + 64 + 2, "{what}: {sent} requests");
        assert!(feeds.iter().any(|answer| matches!(answer, Err(Error::Down(_)))), "{what}");
        let down = remote.down();
        assert_eq!(down.len(), 1, "{what}: {down:?}");
        assert!(
            down[0].text().contains(" answers no feed requests any more: "),
            "{what}: {}",
            down[0].text()
        );
        // Downloads use another lane, and they are opened but not read.
        for _ in 0..300 {
            let _ = remote.download("https://github.com/a", 1000).await;
        }
        let sent = remote.counts().of(Lane::Asset).sent;
        assert!(sent <= 20 + 64 + 2, "{what}: {sent} requests");
    }
    // A file that is declared as HTML but does not begin like a page is a correct answer and closes the circuit.
    let wire = Wire::always(reply(200, &[html], "abc  file.zip\n"));
    let remote = wire.remote();
    for _ in 0..60 {
        assert!(remote.sums_at("https://github.com/a").await.is_ok());
    }
    assert!(remote.down().is_empty());
}

/// A download that is too slow fails and is not resumed.
#[tokio::test]
async fn a_download_that_is_too_slow_fails() {
    let wire = Wire::always(reply(200, &[], vec![b'x'; 1000]));
    let least_rate = LeastRate { bytes_per_s: u64::MAX, over: Duration::ZERO };
    let remote = Remote::new(RemoteOptions { least_rate, ..wire.options() }).unwrap();
    let mut download = remote.download("https://github.com/a", 2000).await.unwrap();
    let error = download.chunk().await.unwrap_err();
    assert!(matches!(error, Error::TooSlow { .. }), "{error}");
    assert_eq!(wire.lines().len(), 1);
}

/// GitHub leads to the store only for files that the release has.
#[tokio::test]
async fn a_404_behind_the_web_host_is_not_taken_for_absence() {
    let store = Wire::always(reply(404, &[], ""));
    let location = format!("{}/x", store.base);
    let wire = Wire::start(move |_, _| reply(302, &[("location", &location)], ""));
    let error = wire.remote().sums_at("https://github.com/a").await.unwrap_err();
    assert_eq!(error, Error::Doubted { status: 404, because: "though the release leads to it" });
    // A rename leads to another page of the web host itself.
    let wire = Wire::start(|_, before| match before {
        0 => reply(301, &[("location", "/b")], ""),
        _ => reply(404, &[], ""),
    });
    let error = wire.remote().sums_at("https://github.com/a").await.unwrap_err();
    assert_eq!(error, Error::NotFound { status: 404 });
}
