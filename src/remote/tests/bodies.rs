use std::io::Write as _;

use crate::registry::Protocols;
use crate::remote::tests::{Wire, raw, reply, repository};
use crate::remote::{Continued, Error, Fetched, Release, SMALL_LIMIT_BYTES, Validator, ZIP_LIMIT_BYTES};
use crate::settings::Lane;

const URL: &str = "https://github.com/Own/terraform-provider-x/releases/download/v1/x_SHA256SUMS";
const TOO_LARGE: Error = Error::TooLarge { limit_bytes: SMALL_LIMIT_BYTES };

fn packed(length: usize) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b'x'; length]).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_body_of_the_limit_fails_however_it_comes() {
    let limit = usize::try_from(SMALL_LIMIT_BYTES).unwrap();
    let chunked = |length: usize| {
        let body = format!("{length:x}\r\n{}\r\n0\r\n\r\n", "x".repeat(length));
        [raw(200, &[("transfer-encoding", "chunked")]), body.into_bytes()].concat()
    };
    let cases = [
        (reply(200, &[], vec![b'x'; limit - 1]), Ok(limit - 1)),
        (reply(200, &[], vec![b'x'; limit]), Err(TOO_LARGE)),
        // Declared alone is enough.
        (raw(200, &[("content-length", "99999999")]), Err(TOO_LARGE)),
        (chunked(limit - 1), Ok(limit - 1)),
        (chunked(limit), Err(TOO_LARGE)),
        (reply(200, &[("content-encoding", "gzip")], packed(limit - 1)), Ok(limit - 1)),
        (reply(200, &[("content-encoding", "gzip")], packed(64 << 20)), Err(TOO_LARGE)),
        (reply(200, &[], ""), Ok(0)),
    ];
    for (answer, expected) in cases {
        let wire = Wire::always(answer);
        let read = wire.remote().sums_at(URL).await.map(|sums| sums.value.text.len());
        assert_eq!(read, expected);
        assert_eq!(wire.lines().len(), 1);
    }
}

#[tokio::test]
async fn a_cut_body_is_asked_anew_and_never_taken() {
    let cut = [raw(200, &[("content-length", "10")]), b"half".to_vec()].concat();
    let wire = Wire::always(cut);
    assert!(matches!(wire.remote().sums_at(URL).await, Err(Error::Transport(_))));
    assert_eq!(wire.lines().len(), 3);
}

#[tokio::test]
async fn sums_are_found_under_either_name() {
    let wire = Wire::start(|seen, _| {
        let modified = ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT");
        if seen.target.contains("_v1.0_") { reply(200, &[modified], "a  b\n") } else { reply(404, &[], "") }
    });
    let repository = repository();
    let release = Release { repository: &repository, tag: "v1.0", name: "x", version: "1.0" };
    let sums = wire.remote().sums(release).await.unwrap().value;
    assert_eq!(
        &*sums.url,
        "https://github.com/Own/terraform-provider-x/releases/download/v1.0/terraform-provider-x_v1.0_SHA256SUMS"
    );
    assert_eq!((&*sums.text, sums.modified), ("a  b\n", Some("1994-11-06T08:49:37Z".parse().unwrap())));
    let folder = "GET /Own/terraform-provider-x/releases/download/v1.0/terraform-provider-x_";
    assert_eq!(wire.lines(), [format!("{folder}1.0_SHA256SUMS"), format!("{folder}v1.0_SHA256SUMS")]);
}

#[tokio::test]
async fn manifests_are_found_or_absent() {
    let repository = repository();
    let release = Release { repository: &repository, tag: "v1.0", name: "x", version: "1.0" };
    let wire = Wire::always(reply(200, &[], r#"{"metadata":{"protocol_versions":["6.0"]}}"#));
    assert_eq!(
        wire.remote().manifest(release).await.map(|it| it.value),
        Ok(Protocols::Listed(vec!["6.0".into()]))
    );
    let wire = Wire::always(reply(404, &[], ""));
    assert_eq!(wire.remote().manifest(release).await, Err(Error::NotFound { status: 404 }));
    assert_eq!(wire.lines().len(), 2);
}

#[tokio::test]
async fn downloads_come_in_pieces_up_to_their_limit() {
    let wire =
        Wire::always(reply(200, &[("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")], vec![b'x'; 100_000]));
    let remote = wire.remote();
    let mut download = remote.download(URL, 1 << 20).await.unwrap();
    assert_eq!(download.declared_bytes(), Some(100_000));
    let mut length = 0;
    while let Some(piece) = download.chunk().await.unwrap() {
        length += piece.len();
    }
    assert_eq!((length, download.read_bytes()), (100_000, 100_000));
    assert_eq!(remote.counts().of(Lane::Asset).in_flight, 1);
    drop(download);
    assert_eq!(
        (remote.counts().of(Lane::Asset).in_flight, remote.counts().of(Lane::Asset).bytes),
        (0, 100_000)
    );
    assert_eq!(remote.download(URL, 100_000).await.unwrap_err(), Error::TooLarge { limit_bytes: 100_000 });
    let wire = Wire::always([raw(200, &[("content-length", "10")]), b"half".to_vec()].concat());
    let mut download = wire.remote().download(URL, 1000).await.unwrap();
    let mut last = download.chunk().await;
    while let Ok(Some(_)) = last {
        last = download.chunk().await;
    }
    assert!(matches!(last, Err(Error::Transport(_))));
}

/// Exactly 256 MiB is refused, as by the registry; one byte less is not. The length that is declared tells, and no body comes.
#[tokio::test]
async fn an_archive_of_the_registry_s_limit_is_too_large() {
    let declared = |status: u16, bytes: u64, range: Option<String>| {
        let length = bytes.to_string();
        let range = range.unwrap_or_default();
        let mut headers = vec![("content-length", length.as_str()), ("etag", "\"a\"")];
        if !range.is_empty() {
            headers.push(("content-range", &range));
        }
        raw(status, &headers)
    };
    let wanted = |bytes: u64, limit_bytes: u64| {
        if bytes < limit_bytes { Ok(Some(bytes)) } else { Err(Error::TooLarge { limit_bytes }) }
    };
    assert_eq!(ZIP_LIMIT_BYTES, 268_435_456);
    for limit_bytes in [ZIP_LIMIT_BYTES, 1 << 30, 1000] {
        for bytes in [limit_bytes - 1, limit_bytes, limit_bytes + 1] {
            let wire = Wire::always(declared(200, bytes, None));
            let opened = wire.remote().download(URL, limit_bytes).await;
            let opened = opened.map(|download| download.declared_bytes());
            assert_eq!(opened, wanted(bytes, limit_bytes), "{bytes} of {limit_bytes}");

            // The same of a download that goes on: what was read before counts.
            let range = format!("bytes 400-{}/{bytes}", bytes - 1);
            let wire = Wire::always(declared(206, bytes - 400, Some(range)));
            let validator = Validator { etag: Some("\"a\"".into()), modified: None };
            let resumed = wire.remote().resume(URL, limit_bytes, 400, Some(&validator)).await;
            let resumed = resumed.map(|continued| match continued {
                Continued::On(download) => download.declared_bytes().map(|rest| rest + 400),
                Continued::Anew(_) => None,
            });
            assert_eq!(resumed, wanted(bytes, limit_bytes), "{bytes} of {limit_bytes}, from 400");
        }
    }
}

fn entry(number: u32) -> String {
    format!(
        "<entry><id>tag:github.com,2008:Repository/7/v{number}+x</id><updated>2026-01-01T00:00:00Z</updated></entry>"
    )
}

fn page(numbers: &[u32]) -> Vec<u8> {
    let entries: String = numbers.iter().map(|number| entry(*number)).collect();
    let body = format!("<feed xmlns=\"http://www.w3.org/2005/Atom\">{entries}</feed>");
    reply(200, &[("content-type", "application/atom+xml; charset=utf-8"), ("etag", "W/\"1\"")], body)
}

#[tokio::test]
async fn feeds_are_asked_for_with_what_came_before() {
    let wire = Wire::start(|seen, _| match seen.header("if-none-match") {
        Some("W/\"1\"") => raw(304, &[("connection", "close")]),
        _ => page(&[1]),
    });
    let remote = wire.remote();
    let Fetched::New { value, validator } = remote.feed(&repository(), None).await.unwrap() else {
        panic!("no news")
    };
    assert_eq!((value.repository_id, value.entries.len()), (Some(7), 1));
    let validator = validator.unwrap();
    assert_eq!(remote.feed(&repository(), Some(&validator)).await, Ok(Fetched::NotModified));
    assert_eq!((remote.counts().of(Lane::Feed).sent, remote.counts().of(Lane::Feed).not_modified), (2, 1));
    let dated = Validator { etag: None, modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".into()) };
    assert!(remote.feed(&repository(), Some(&dated)).await.is_ok());
    assert_eq!(wire.seen()[2].header("if-modified-since"), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    // Nobody asked for it conditionally.
    let wire = Wire::always(raw(304, &[("connection", "close")]));
    assert_eq!(wire.remote().feed(&repository(), None).await, Err(Error::Status { status: 304 }));
}

#[tokio::test]
async fn feeds_are_paged_while_everything_is_unknown() {
    let wire = Wire::start(|seen, _| match seen.target.split_once("after=").map(|(_, tag)| tag) {
        None => page(&[9, 8]),
        Some("v8%2Bx") => page(&[7, 6]),
        Some("v6%2Bx") => page(&[5, 4]),
        _ => page(&[]),
    });
    let remote = wire.remote();
    let Ok(Fetched::New { value: first, .. }) = remote.feed(&repository(), None).await else {
        panic!("no feed")
    };
    let tags = async |known: &str, pages| {
        let feed = remote
            .feed_pages(&repository(), first.clone(), |entry| &*entry.tag != known, pages)
            .await
            .unwrap();
        feed.entries.iter().map(|entry| entry.tag.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(tags("v8+x", 9).await, "v9+x v8+x");
    assert_eq!(tags("v7+x", 9).await, "v9+x v8+x v7+x v6+x");
    assert_eq!(tags("", 1).await, "v9+x v8+x v7+x v6+x");
    assert_eq!(tags("", 9).await, "v9+x v8+x v7+x v6+x v5+x v4+x");
    assert_eq!(wire.lines().len(), 1 + 1 + 1 + 3);
}

#[tokio::test]
async fn pages_are_no_files() {
    let wire = Wire::always(reply(200, &[("content-type", "text/html")], "\n<html>log in</html>"));
    assert!(matches!(wire.remote().sums_at(URL).await, Err(Error::Protocol(text)) if text.contains("HTML")));
}

/// No content, or a part that nobody wanted, is a success of HTTP and not what was asked for.
#[tokio::test]
async fn a_success_without_the_whole_file_is_not_taken_for_it() {
    for (status, body) in [(204, ""), (206, "zip")] {
        let wire = Wire::always(reply(status, &[], body));
        let remote = wire.remote();
        let wanted = format!("unreadable answer: HTTP {status} instead of the file");
        assert_eq!(remote.sums_at(URL).await.unwrap_err().to_string(), wanted);
        assert_eq!(remote.client_file(URL).await.unwrap_err().to_string(), wanted);
        assert_eq!(remote.download(URL, 1000).await.unwrap_err().to_string(), wanted);
        assert_eq!(wire.lines().len(), 3, "it is not asked again");
    }
}

#[tokio::test]
async fn a_download_that_stumbles_at_its_start_is_opened_again() {
    let wire =
        Wire::start(|_, before| if before == 0 { reply(502, &[], "") } else { reply(200, &[], "zip") });
    let mut download = wire.remote().download(URL, 1000).await.unwrap();
    assert_eq!(download.chunk().await.unwrap().unwrap(), "zip");
}

#[tokio::test]
async fn pages_are_no_feeds() {
    let wire = Wire::always(reply(200, &[("content-type", "text/html")], "<html></html>"));
    assert!(
        matches!(wire.remote().feed(&repository(), None).await, Err(Error::Protocol(text)) if text.contains("HTML"))
    );
}
