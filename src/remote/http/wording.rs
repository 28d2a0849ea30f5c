//! Names for failed connections: a few plain words for the user, the library's own chain of causes for the log.

use std::error::Error as StdError;
use std::io;

use crate::remote::http::error::{CleanText, RawError};
use crate::remote::http::secrets::Secrets;

/// The error of a request or body that the library gave up, and whose it is: an address as it may be logged.
pub(super) fn from_reqwest(error: &reqwest::Error, url: &str, secrets: Option<&Secrets>) -> RawError {
    let detail = chain(error);
    if error.is_builder() {
        return RawError::protocol(detail);
    }
    let kinds: Vec<io::ErrorKind> = causes(error).filter_map(io_kind).collect();
    let why = words(&detail, &kinds, error.is_timeout(), error.is_connect());
    let detail = CleanText::scrubbed(detail.into(), secrets);
    // A request without an answer has a line of its own; a body that breaks off stands behind a 200.
    if error.is_body() || error.is_decode() {
        tracing::warn!(target: "bumpdesk::requests", url, why, detail = %detail, "the answer was cut off");
    } else {
        tracing::debug!(target: "bumpdesk::requests", url, why, detail = %detail, "no answer");
    }
    RawError::Transport(why.into())
}

/// The causes below the topmost error, which would name the URL.
pub(super) fn chain(error: &reqwest::Error) -> String {
    let mut texts: Vec<String> = Vec::new();
    for cause in causes(error) {
        let text = cause.to_string();
        if !texts.iter().any(|known| known.contains(&text)) {
            texts.push(text);
        }
    }
    if texts.is_empty() { "no cause is given".into() } else { texts.join(": ") }
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |cause| (**cause).source())
}

fn io_kind(cause: &(dyn StdError + 'static)) -> Option<io::ErrorKind> {
    cause.downcast_ref::<io::Error>().map(io::Error::kind)
}

/// The library names neither look-ups nor certificates by type, so those two are told by their words.
fn words(detail: &str, kinds: &[io::ErrorKind], timed_out: bool, connecting: bool) -> &'static str {
    use io::ErrorKind as Kind;
    let text = detail.to_ascii_lowercase();
    let is = |wanted: &[Kind]| kinds.iter().any(|kind| wanted.contains(kind));
    if text.contains("dns error") || text.contains("failed to lookup address") {
        "the host's name was not found"
    } else if text.contains("certificate") && text.contains("expired") {
        "its certificate has expired"
    } else if text.contains("certificate") {
        "its certificate is not trusted"
    } else if is(&[Kind::ConnectionRefused]) {
        "the connection was refused"
    } else if is(&[Kind::NetworkUnreachable, Kind::HostUnreachable, Kind::NetworkDown]) {
        "the network is not reachable"
    } else if (timed_out || is(&[Kind::TimedOut])) && connecting {
        // Which of them it is the library does not say.
        "the host or its name service does not answer"
    } else if timed_out || is(&[Kind::TimedOut]) {
        "it timed out"
    } else if is(&[Kind::InvalidData, Kind::InvalidInput]) && !connecting {
        "the answer cannot be unpacked"
    } else if connecting {
        "no connection could be made"
    } else {
        "the connection was lost"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_plain_words() {
        use io::ErrorKind as Kind;
        let cases = [
            (
                "client error (Connect): dns error: failed to lookup address",
                None,
                (false, true),
                "name was not found",
            ),
            (
                "client error (Connect): invalid peer certificate: UnknownIssuer",
                None,
                (false, true),
                "not trusted",
            ),
            ("invalid peer certificate: Expired", None, (false, true), "expired"),
            (
                "client error (Connect): tcp connect error",
                Some(Kind::ConnectionRefused),
                (false, true),
                "refused",
            ),
            ("client error (Connect)", Some(Kind::NetworkUnreachable), (false, true), "not reachable"),
            (
                "client error (Connect): deadline has elapsed",
                None,
                (true, true),
                "name service does not answer",
            ),
            ("operation timed out", None, (true, false), "it timed out"),
            (
                "request or response body error: corrupt gzip",
                Some(Kind::InvalidInput),
                (false, false),
                "unpacked",
            ),
            ("client error (Connect): received HTTP/0.9", None, (false, true), "no connection"),
            ("http2 error: stream error received", None, (false, false), "was lost"),
            ("connection closed", Some(Kind::UnexpectedEof), (false, false), "was lost"),
            ("", None, (false, false), "was lost"),
        ];
        for (detail, kind, (timed_out, connecting), wanted) in cases {
            let kinds: Vec<Kind> = kind.into_iter().collect();
            let words = words(detail, &kinds, timed_out, connecting);
            assert!(words.contains(wanted), "{detail}: {words}");
        }
    }
}
