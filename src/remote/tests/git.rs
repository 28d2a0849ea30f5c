use crate::registry::{Moved, Repository, Tags};
use crate::remote::Error;
use crate::remote::tests::{Wire, reply, repository};

const OID: &str = "0123456789abcdef0123456789abcdef01234567";
const RESULT: (&str, &str) = ("content-type", "application/x-git-upload-pack-result");
const ADVERTISEMENT: (&str, &str) = ("content-type", "application/x-git-upload-pack-advertisement");
const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");
const QUESTION: &str = "0014command=ls-refs\n00010009peel\n001aref-prefix refs/tags/\n0000";
const POST: &str = "POST /Own/terraform-provider-x.git/git-upload-pack";
const GET: &str = "GET /Own/terraform-provider-x.git/info/refs?service=git-upload-pack";

fn line(text: &str) -> String {
    format!("{:04x}{text}", text.len() + 4)
}

fn listed() -> Vec<u8> {
    let body =
        [line(&format!("{OID} refs/heads/main\n")), line(&format!("{OID} refs/tags/v1+x\n")), "0000".into()];
    reply(200, &[RESULT], body.concat())
}

fn v0() -> Vec<u8> {
    let body = [
        line("# service=git-upload-pack\n"),
        "0000".into(),
        line(&format!("{OID} HEAD\0agent=git/2\n")),
        line(&format!("{OID} refs/tags/v1+x\n")),
        line(&format!("{OID} refs/tags/v1+x^{{}}\n")),
        "0000".into(),
    ];
    reply(200, &[ADVERTISEMENT], body.concat())
}

async fn tags(wire: &Wire) -> Result<Tags, Error> {
    wire.remote().tags(&repository()).await
}

fn names(tags: &Tags) -> Vec<&str> {
    tags.list.iter().map(|tag| &*tag.name).collect()
}

#[tokio::test]
async fn one_post_is_enough() {
    let wire = Wire::always(listed());
    let tags = tags(&wire).await.unwrap();
    assert_eq!((names(&tags), &*tags.list[0].oid, &tags.moved), (vec!["v1+x"], OID, &None));
    let seen = wire.seen();
    assert_eq!(wire.lines(), [POST]);
    assert_eq!(seen[0].text(), QUESTION);
    assert_eq!(seen[0].header("git-protocol"), Some("version=2"));
    assert_eq!(seen[0].header("content-type"), Some("application/x-git-upload-pack-request"));
    assert_eq!(seen[0].header("user-agent"), Some("git/2.0 (bumpdesk/1.2.3)"));
    assert_eq!(seen[0].header("authorization"), None);
}

#[tokio::test]
async fn an_empty_repository_has_no_tags() {
    let wire = Wire::always(reply(200, &[RESULT], "0000"));
    assert_eq!(tags(&wire).await, Ok(Tags::default()));
}

#[tokio::test]
async fn redirects_keep_method_and_body() {
    for status in [301, 307, 308] {
        let wire = Wire::start(move |_, before| match before {
            0 => reply(status, &[("location", "/new/terraform-provider-y.git/git-upload-pack")], "moved"),
            _ => listed(),
        });
        let tags = tags(&wire).await.unwrap();
        assert_eq!(tags.moved, Some(Moved { owner: "new".into(), name: "terraform-provider-y".into() }));
        let seen = wire.seen();
        assert_eq!(wire.lines(), [POST, "POST /new/terraform-provider-y.git/git-upload-pack"]);
        assert_eq!(seen[1].text(), QUESTION);
    }
}

#[tokio::test]
async fn a_redirect_to_another_case_is_no_move() {
    let wire = Wire::start(|_, before| match before {
        // The canonical host, too, is the configured one.
        0 => {
            reply(301, &[("location", "https://github.com/own/Terraform-Provider-X.git/git-upload-pack")], "")
        }
        _ => listed(),
    });
    assert_eq!(tags(&wire).await.unwrap().moved, None);
    assert_eq!(wire.lines().len(), 2);
}

#[tokio::test]
async fn whatever_is_no_answer_of_git_s_is_asked_by_get() {
    let refusals = [
        reply(400, &[], ""),
        reply(403, &[HTML], "<html>"),
        reply(500, &[], ""),
        reply(200, &[RESULT], ""),
        reply(200, &[HTML], "<html>"),
        reply(204, &[], ""),
    ];
    for refusal in refusals {
        let wire = Wire::start(move |seen, _| if seen.method == "POST" { refusal.clone() } else { v0() });
        assert_eq!(names(&tags(&wire).await.unwrap()), ["v1+x"]);
        assert_eq!(wire.lines(), [POST, GET]);
    }
}

#[tokio::test]
async fn a_server_that_wants_to_be_asked_first_is_posted_to_again() {
    let wire = Wire::start(|seen, before| match (seen.method.as_str(), before) {
        ("GET", 1) => reply(301, &[("location", "/new/y.git/info/refs?service=git-upload-pack")], ""),
        ("GET", _) => {
            let body =
                [line("version 2\n"), line("ls-refs=unborn\n"), line("object-format=sha1\n"), "0000".into()];
            reply(200, &[ADVERTISEMENT], body.concat())
        }
        (_, 0) => reply(400, &[], ""),
        _ => listed(),
    });
    let tags = tags(&wire).await.unwrap();
    assert_eq!(tags.moved, Some(Moved { owner: "new".into(), name: "y".into() }));
    let expected =
        [POST, GET, "GET /new/y.git/info/refs?service=git-upload-pack", "POST /new/y.git/git-upload-pack"];
    assert_eq!(wire.lines(), expected);
    assert!(wire.seen()[3].text().contains("object-format=sha1"));
}

#[tokio::test]
async fn final_statuses_are_asked_once() {
    let cases = [
        (401, Error::NotFound { status: 401 }),
        (404, Error::NotFound { status: 404 }),
        (451, Error::Blocked { status: 451 }),
    ];
    for (status, expected) in cases {
        let wire = Wire::always(reply(status, &[], "Repository not found."));
        assert_eq!(tags(&wire).await, Err(expected));
        assert_eq!(wire.lines(), [POST]);
    }
    let wire = Wire::always(reply(429, &[("retry-after", "7")], ""));
    assert!(
        matches!(tags(&wire).await, Err(Error::RateLimited { retry_after: Some(wait), .. }) if wait.as_secs() == 7)
    );
    assert_eq!(wire.lines(), [POST]);
}

#[tokio::test]
async fn pages_and_broken_lists_are_unreadable() {
    let wire = Wire::always(reply(200, &[HTML], "<html>Rate limit</html>"));
    assert!(matches!(tags(&wire).await, Err(Error::Protocol(text)) if text.contains("HTML page")));
    let broken = line(&format!("{OID} refs/tags/v1\n")) + &line("nonsense\n") + "0000";
    let wire = Wire::always(reply(200, &[RESULT], broken));
    assert!(matches!(tags(&wire).await, Err(Error::Protocol(_))));
    assert_eq!(wire.lines(), [POST]);
}

#[tokio::test]
async fn a_lost_connection_is_asked_anew() {
    let wire = Wire::start(|_, before| if before < 2 { Vec::new() } else { listed() });
    assert_eq!(names(&tags(&wire).await.unwrap()), ["v1+x"]);
    assert_eq!(wire.lines(), [POST, POST, POST]);
    let wire = Wire::always(Vec::new());
    assert!(matches!(tags(&wire).await, Err(Error::Transport(_))));
    assert_eq!(wire.lines().len(), 3);
    assert_eq!(wire.remote().counts().total().sent, 0);
}

#[tokio::test]
async fn odd_names_stay_in_their_place() {
    let wire = Wire::always(reply(404, &[], ""));
    let odd = Repository::new("a b", "c?d#e");
    assert_eq!(wire.remote().tags(&odd).await, Err(Error::NotFound { status: 404 }));
    assert_eq!(wire.lines(), ["POST /a%20b/c%3Fd%23e.git/git-upload-pack"]);
}
