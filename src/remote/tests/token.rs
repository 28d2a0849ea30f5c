use crate::remote::tests::{CANARY, Seen, Wire, raw, reply, repository};
use crate::remote::{Error, Remote, RemoteOptions};

const BEARER: &str = "Bearer ghp_canary0123456789";
/// `x-access-token:ghp_canary0123456789`.
const BASIC: &str = "Basic eC1hY2Nlc3MtdG9rZW46Z2hwX2NhbmFyeTAxMjM0NTY3ODk=";
const STORED: &str = "https://github.com/Own/terraform-provider-x/releases/download/v1/x_SHA256SUMS";

#[tokio::test]
async fn each_lane_shows_it_in_its_own_way() {
    let wire = Wire::always(reply(404, &[], ""));
    let remote = wire.remote_with_token();
    let _ = remote.tags(&repository()).await;
    let _ = remote.feed(&repository(), None).await;
    let _ = remote.release(&repository(), "v1").await;
    let _ = remote.sums_at(STORED).await;
    let shown: Vec<_> =
        wire.seen().iter().map(|seen| seen.header("authorization").map(str::to_owned)).collect();
    assert_eq!(shown, [BASIC, BEARER, BEARER, BEARER].map(|text| Some(text.to_owned())));
    let api = &wire.seen()[2];
    assert_eq!(api.header("x-github-api-version"), Some("2022-11-28"));
    assert_eq!(api.header("accept"), Some("application/vnd.github+json"));
    assert_eq!(api.header("user-agent"), Some("bumpdesk/1.2.3"));
}

#[tokio::test]
async fn it_never_goes_to_another_host() {
    let far = Wire::start(|_, _| reply(200, &[], "sums"));
    let location = format!("{}/object?signature=1", far.base);
    let wire = Wire::start(move |_, _| reply(302, &[("location", &location)], ""));
    let sums = wire.remote_with_token().sums_at(STORED).await.unwrap().value;
    assert_eq!((&*sums.url, &*sums.text), (STORED, "sums"));
    assert!(wire.seen()[0].header("authorization").is_some());
    assert_eq!(far.lines(), ["GET /object?signature=1"]);
    assert_eq!(far.seen()[0].header("authorization"), None);
    // A stored URL elsewhere is asked without it as well.
    let _ = wire.remote_with_token().sums_at(&format!("{}/elsewhere", far.base)).await;
    assert_eq!(far.seen()[1].header("authorization"), None);
}

/// Address and port are the same, and only the name is another.
#[tokio::test]
async fn another_name_is_another_host() {
    let wire = Wire::start(|seen, _| {
        if seen.target.starts_with("/object") {
            return reply(200, &[], "sums");
        }
        let host = seen.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
        reply(302, &[("location", &format!("http://{host}/object"))], "")
    });
    let remote = wire.remote_with_token();
    assert_eq!(&*remote.sums_at(STORED).await.unwrap().value.text, "sums");
    let mut download = remote.download(STORED, 1000).await.unwrap();
    assert_eq!(download.chunk().await.unwrap().as_deref(), Some(&b"sums"[..]));
    let resumed = remote.resume(STORED, 1000, 2, download.validator().as_ref()).await;
    assert!(resumed.is_ok(), "{resumed:?}");
    let seen = wire.seen();
    assert_eq!(seen.len(), 6);
    for pair in seen.chunks(2) {
        let [ours, theirs] = pair else { panic!("{} requests", seen.len()) };
        assert!(ours.header("host").unwrap().starts_with("127.0.0.1:"));
        assert!(ours.header("authorization").is_some());
        assert!(theirs.header("host").unwrap().starts_with("localhost:"), "{theirs:?}");
        assert!(!format!("{theirs:?}").contains(CANARY) && theirs.header("authorization").is_none());
    }
}

#[tokio::test]
async fn it_does_not_come_back_from_another_host() {
    let wire = Wire::always(reply(200, &[], "x"));
    // Configured, and yet not the host that the call began on.
    let home = format!("{}/home", wire.base);
    let far = Wire::start(move |_, _| reply(302, &[("location", &home)], ""));
    let location = far.base.clone();
    let first = Wire::start(move |_, _| reply(302, &[("location", &location)], ""));
    let mut options = first.options();
    options.endpoints.api = wire.base.clone();
    let remote = Remote::new(RemoteOptions { token: Some(CANARY.into()), ..options }).unwrap();
    let _ = remote.sums_at(STORED).await;
    assert!(first.seen()[0].header("authorization").is_some());
    for seen in far.seen().iter().chain(&wire.seen()) {
        assert_eq!(seen.header("authorization"), None);
    }
    assert_eq!(wire.lines()[0], "GET /home");
}

#[tokio::test]
async fn no_error_and_no_debug_text_shows_it() {
    let echo = format!(r#"{{"message":"Bad credentials {CANARY}"}}"#);
    let wire = Wire::always(reply(401, &[], &echo));
    let remote = wire.remote_with_token();
    let errors = [
        remote.tags(&repository()).await.unwrap_err(),
        remote.release(&repository(), "v1").await.unwrap_err(),
        remote.release_batch(&[(repository(), "v1".into())]).await.remove(0).unwrap_err(),
    ];
    assert!(remote.is_token_refused());
    assert_eq!(wire.seen().len(), 2, "refused by git and by the API, each once");
    assert!(errors[0].to_string().contains("Bad credentials [token]"), "{}", errors[0]);
    for error in errors {
        assert!(matches!(&error, Error::Unauthorized { status: 401, .. }));
        assert!(!format!("{error} {error:?}").contains(CANARY));
    }
    let options = RemoteOptions { token: Some(CANARY.into()), ..wire.options() };
    assert!(!format!("{remote:?} {options:?}").contains(CANARY));
}

/// Not every error comes with a status: git's own packets and the answers of GraphQL have words of their own.
#[tokio::test]
async fn words_inside_a_good_answer_are_cleaned_too() {
    use base64::Engine;
    let basic = base64::engine::general_purpose::STANDARD.encode(format!("x-access-token:{CANARY}"));
    let packet = format!("ERR who is {CANARY} or {basic}");
    let packet = format!("{:04x}{packet}", packet.len() + 4);
    let git = [("content-type", "application/x-git-upload-pack-advertisement")];
    let wire = Wire::always(reply(200, &git, &packet));
    let error = wire.remote_with_token().tags(&repository()).await.unwrap_err().to_string();
    assert!(!error.contains(CANARY) && !error.contains(&basic), "{error}");

    let body = format!(r#"{{"errors":[{{"message":"no field {CANARY}"}}]}}"#);
    let wire = Wire::always(reply(200, &[("content-type", "application/json")], &body));
    let mut answers = wire.remote_with_token().release_batch(&[(repository(), "v1".into())]).await;
    let error = answers.remove(0).unwrap_err().to_string();
    assert!(error.contains("repeats our GitHub token"), "{error}");
}

/// The forms in which a server may repeat the token: as it is, as it was sent, and as logs and pages encode it.
fn encodings() -> Vec<String> {
    use base64::Engine;
    let base64 = |text: String| base64::engine::general_purpose::STANDARD.encode(text);
    vec![
        CANARY.to_owned(),
        base64(format!("x-access-token:{CANARY}")),
        base64(CANARY.to_owned()),
        base64(format!("login=me&token={CANARY}")),
        hex::encode(CANARY),
        CANARY.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat(),
        CANARY.bytes().map(|byte| format!("\\u{byte:04x}")).collect::<Vec<_>>().concat(),
        CANARY.bytes().map(|byte| format!("&#{byte};")).collect::<Vec<_>>().concat(),
    ]
}

/// An answer that repeats the token in its status line, its headers and its body.
fn echo(status: u16, seen: &Seen, form: &str) -> Vec<u8> {
    let is_git = seen.target.contains("git-upload-pack");
    let (media, body) = if is_git && status == 200 {
        let packet = format!("ERR who is {form}");
        let media = "application/x-git-upload-pack-advertisement";
        (media, format!("{:04x}{packet}", packet.len() + 4))
    } else {
        let body = format!(
            r#"{{"message":"bad token {form}","title":"{form}","login":"{form}","number":1,"errors":[{{"message":"{form}"}}]}}"#
        );
        ("application/json", body)
    };
    let head = [("content-type", media), ("etag", form), ("link", form), ("x-ratelimit-remaining", form)];
    let answer = reply(status, &head, &body);
    let line = format!("HTTP/1.1 {status} ");
    [line.as_bytes(), b"refused ", form.as_bytes(), &answer[line.len() + 1..]].concat()
}

/// Returns the result of every kind of request, both as it would be printed and as `Debug` shows it.
async fn all_results(remote: &Remote) -> Vec<(&'static str, String)> {
    macro_rules! all {
        ($($name:ident($($argument:expr),*)),* $(,)?) => {
            vec![$((stringify!($name), {
                let result = remote.$name($($argument),*).await;
                let told = match &result {
                    Err(error) => format!("{error} {error:?} {:?}", error.why(jiff::Timestamp::UNIX_EPOCH)),
                    Ok(_) => String::new(),
                };
                format!("{result:?} {told}")
            })),*]
        };
    }
    let of = repository();
    let address = crate::registry::Address::provider("acme", "rocket");
    let release = crate::remote::Release { repository: &of, tag: "v1", name: "x", version: "1" };
    let mut all = all!(
        tags(&of),
        feed(&of, None),
        release(&of, "v1"),
        releases(&of),
        sums(release),
        sums_at(STORED),
        manifest(release),
        small_file(STORED),
        client_file(STORED),
        account(),
        owner(),
        hosted(&of),
        tip(&of, "main"),
        file_at(&of, "a/b", "main"),
        folder_at(&of, "a", "main"),
        blob_within(&of, "1234", 1000),
        tree(&of, "1234"),
        bump(&of, "main"),
        bump_runs(&of, "main"),
        open_pulls(&of),
        waiting_pulls(&of),
        pull_of(&of, "me", "topic"),
        pull(&of, 1),
        comments(&of, 1),
        issue(&of, 1),
        served_versions(&address),
        served_download(&address, "1.0.0", None),
        commit(&of, "1234"),
        workflow(&of, "bump.yml"),
        workflow_runs(&of, "bump.yml", None),
        builds(&of),
        workflow_run(&of, 1),
        run_jobs(&of, 1),
        job_log(&of, 1),
        run_artifacts(&of, 1),
        artifact(&of, 1, 1000),
        changed_paths(&of, 1),
        shown_lines(&of, 1),
        whole_pull(&of, 1),
        is_public_member("acme", "me"),
        pull_commits(&of, 1),
        reviews(&of, 1),
        rules(&of, "main"),
        check_runs(&of, "1234"),
        jobs(&of, "1234"),
        statuses(&of, "1234"),
        compare(&of, ("a", "b")),
    );
    let batch = remote.release_batch(&[(of.clone(), "v1".to_owned())]).await;
    all.push(("release_batch", format!("{batch:?} {}", batch[0].as_ref().unwrap_err())));
    let download = match remote.download(STORED, 1000).await {
        Ok(mut download) => format!("{:?} {:?}", download.chunk().await, download.validator()),
        Err(error) => format!("{error} {error:?}"),
    };
    all.push(("download", download));
    all.push(("down", format!("{:?} {:?}", remote.down(), remote.rate())));
    all
}

#[tokio::test]
async fn no_request_shows_the_token() {
    for status in [200, 401, 403, 404, 409, 422, 429, 500] {
        for form in encodings() {
            let sent = form.clone();
            let wire = Wire::start(move |seen, _| echo(status, seen, &sent));
            // A client stops sending the token after a 401, so each case uses a new client.
            let remote = wire.remote_with_token();
            for (name, shown) in all_results(&remote).await {
                for piece in encodings()
                    .iter()
                    .flat_map(|form| form.as_bytes()[form.len() / 2..].windows(form.len() / 4))
                    // Digits alone may be those of a clock: a wait of 59.992345611 s has five of the token's.
                    .filter(|piece| !piece.iter().all(u8::is_ascii_digit))
                {
                    let piece = std::str::from_utf8(piece).unwrap();
                    assert!(!shown.contains(piece), "{name} with {status} shows {piece}: {shown}");
                }
            }
        }
    }
}

/// The reported case: a refused change and a refused read whose reasons contain the token.
#[tokio::test]
async fn a_refusal_does_not_show_the_token() {
    for status in [409, 422] {
        let wire = Wire::start(move |seen, _| echo(status, seen, CANARY));
        let error = wire.remote_with_token().issue(&repository(), 1).await.unwrap_err();
        assert!(
            matches!(&error, Error::Refused { message, .. } if message.contains("bad token [token]")),
            "{error}"
        );
    }
    let wire = Wire::start(|seen, _| echo(200, seen, CANARY));
    let error = wire.remote_with_token().issue(&repository(), 1).await.unwrap_err().to_string();
    assert!(error.contains("the answer repeats our GitHub token, so it was not read"), "{error}");
}

/// Text that is not our token is kept as it is.
#[tokio::test]
async fn other_words_of_a_server_are_kept() {
    let body = r#"{"message":"ghp_another9876543210 may not"}"#;
    let wire = Wire::always(reply(422, &[], body));
    let error = wire.remote_with_token().issue(&repository(), 1).await.unwrap_err().to_string();
    assert!(error.ends_with("ghp_another9876543210 may not"), "{error}");
}

/// Words are cut to a length before the token is taken out of them, wherever that cuts the token.
#[tokio::test]
async fn a_piece_of_it_is_cleaned_away_too() {
    use base64::Engine;
    let basic = base64::engine::general_purpose::STANDARD.encode(format!("x-access-token:{CANARY}"));
    let git = [("content-type", "application/x-git-upload-pack-advertisement")];
    for secret in [CANARY, basic.as_str()] {
        for before in 0..=60 {
            let packet = format!("ERR {}{secret} is refused", ".".repeat(before));
            let packet = format!("{:04x}{packet}", packet.len() + 4);
            let wire = Wire::always(reply(200, &git, &packet));
            let error = wire.remote_with_token().tags(&repository()).await.unwrap_err().to_string();
            let pieces = secret.as_bytes()[secret.len() - 16..].windows(8);
            let shown =
                pieces.map(|piece| std::str::from_utf8(piece).unwrap()).find(|piece| error.contains(piece));
            assert_eq!(shown, None, "{error}");
        }
    }
}

/// The token in the address of a redirect would be shown and kept as the new name of the repository.
#[tokio::test]
async fn a_redirect_that_carries_it_is_not_followed() {
    for location in [format!("/{CANARY}/repo.git/x"), format!("/x?q={}", CANARY.replacen('c', "%63", 1))] {
        let wire = Wire::start(move |_, _| reply(301, &[("location", &location)], ""));
        let remote = wire.remote_with_token();
        let tags = remote.tags(&repository()).await.unwrap_err().to_string();
        let feed = remote.feed(&repository(), None).await.unwrap_err().to_string();
        for error in [tags, feed] {
            assert!(error.contains("not followed") && !error.contains(CANARY), "{error}");
        }
        assert!(wire.lines().iter().all(|line| !line.contains("anary")), "{:?}", wire.lines());
    }
}

#[tokio::test]
async fn a_token_that_is_none_is_refused() {
    let wire = Wire::always(Vec::new());
    for token in ["", "  ", "a b", "é"] {
        let made = Remote::new(RemoteOptions { token: Some(token.into()), ..wire.options() });
        assert!(matches!(made, Err(Error::Protocol(_))), "{token}");
    }
}

#[tokio::test]
async fn without_it_there_is_no_graphql() {
    let wire = Wire::always(reply(200, &[], "{}"));
    let remote = wire.remote();
    assert!(!remote.has_token());
    let items = [(repository(), "v1".to_owned()), (repository(), "v2".to_owned())];
    assert_eq!(remote.release_batch(&items).await, [Err(Error::NoToken), Err(Error::NoToken)]);
    assert_eq!(wire.lines().len(), 0);
}

#[tokio::test]
async fn redirects_end() {
    let wire = Wire::start(|_, _| reply(302, &[("location", "/again")], ""));
    assert!(
        matches!(wire.remote().sums_at(STORED).await, Err(Error::Protocol(text)) if text.contains("5 redirects"))
    );
    assert_eq!(wire.lines().len(), 6);
    for location in ["ftp://127.0.0.1/x", "http://user@127.0.0.1/x", "http://[::1"] {
        let wire = Wire::start(move |_, _| reply(302, &[("location", location)], ""));
        assert!(matches!(wire.remote().sums_at(STORED).await, Err(Error::Protocol(_))), "{location}");
        assert_eq!(wire.lines().len(), 1);
    }
    let wire = Wire::always(raw(302, &[("content-length", "0")]));
    assert_eq!(wire.remote().sums_at(STORED).await, Err(Error::Status { status: 302 }));
}
