//! Files of a release: checksums and manifest as whole texts under the registry's own limit, archives as a stream.
//!
//! Names are those that the registry looks for (`registry.md#what-the-bump-makes-of-a-tag`), each tried plainly first and
//! then with a `v` before the version. What is in a checksum file is for `rules` to read.

use bytes::Bytes;
use http::{HeaderValue, header};
use serde_json::Value;

use crate::registry::{Protocols, Repository, Served, Sums};
use crate::remote::Remote;
use crate::remote::http::{
    Answer, Call, Download, Error, Http, Validator, encode_path, header_text, http_date,
};
use crate::rules::anatomy::ARCHIVE_LIMIT_BYTES;
use crate::settings::Lane;

/// The registry's limit for checksums and manifests; a body of that length fails too.
pub(crate) const SMALL_LIMIT_BYTES: u64 = 32 << 10;
/// Clients have no limit for these; ours keeps memory bounded.
const CLIENT_LIMIT_BYTES: u64 = 4 << 20;
/// The registry's limit for archives.
pub(crate) const ZIP_LIMIT_BYTES: u64 = ARCHIVE_LIMIT_BYTES;

/// A release of a provider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Release<'a> {
    pub(crate) repository: &'a Repository,
    /// Raw.
    pub(crate) tag: &'a str,
    /// The provider's name, without `terraform-provider-`.
    pub(crate) name: &'a str,
    /// Without a leading `v`.
    pub(crate) version: &'a str,
}

impl Release<'_> {
    /// The canonical URLs of a file of the release, the plain name first.
    fn urls(&self, suffix: &str) -> [String; 2] {
        let Self { repository, tag, name, version } = self;
        let folder = format!("{}/releases/download/{tag}", repository.url());
        ["", "v"].map(|v| format!("{folder}/terraform-provider-{name}_{v}{version}_{suffix}"))
    }
}

/// The continuation of a download that was cut off.
#[derive(Debug)]
pub(crate) enum Continued {
    /// Behind the bytes that were read: it is the same file.
    On(Download),
    /// From its beginning: the server has another file there now, or hands out no parts.
    Anew(Download),
}

impl Remote {
    /// Reads SHA256SUMS. `NotFound`: neither the plain name nor the one with `_v<version>_` is there.
    pub(crate) async fn sums(&self, release: Release<'_>) -> Result<Served<Sums>, Error> {
        let (url, answer) = first_there(&self.http, release.urls("SHA256SUMS")).await?;
        Ok(to_sums(&url, &answer))
    }

    /// Reads a checksum file whose URL is known, such as a stored `shasums_url`.
    pub(crate) async fn sums_at(&self, url: &str) -> Result<Served<Sums>, Error> {
        let answer = small(&self.http, url).await?;
        Ok(to_sums(url, &answer))
    }

    /// Reads the manifest's protocols. `NotFound`: neither name is there, so that the registry takes 5.0.
    pub(crate) async fn manifest(&self, release: Release<'_>) -> Result<Served<Protocols>, Error> {
        let (url, answer) = first_there(&self.http, release.urls("manifest.json")).await?;
        let protocols = protocols(&String::from_utf8_lossy(&answer.body));
        Ok(Served::new(protocols, &url, &answer.body))
    }

    /// Opens a file; a body that reaches `limit_bytes` fails. The call keeps its place on the lane until it is dropped.
    pub(crate) async fn download(&self, url: &str, limit_bytes: u64) -> Result<Download, Error> {
        let download = self.http.open(&Call::get(Lane::Asset, requestable(url), limit_bytes)).await?;
        // Clients take no other success than 200.
        if download.status() != 200 {
            return Err(not_the_file(&self.http, download.status()));
        }
        Ok(download)
    }

    /// Opens a file behind its first `from_bytes` bytes, if it is still the one that had the validator (RFC 9110 §13.1.5, §14.2).
    pub(crate) async fn resume(
        &self,
        url: &str,
        limit_bytes: u64,
        from_bytes: u64,
        validator: Option<&Validator>,
    ) -> Result<Continued, Error> {
        let mut call = Call::get(Lane::Asset, requestable(url), limit_bytes);
        // A weak tag does not promise the same bytes, and without any promise parts of two files could be joined.
        let strong = validator.and_then(|validator| match &validator.etag {
            Some(etag) => Some(etag).filter(|etag| !etag.starts_with("W/")),
            None => validator.modified.as_ref(),
        });
        let strong = strong.and_then(|text| HeaderValue::try_from(&**text).ok());
        let range = HeaderValue::try_from(format!("bytes={from_bytes}-")).ok();
        let (Some(strong), Some(range)) = (strong, range) else {
            return self.http.open(&call).await.map(Continued::Anew);
        };
        call.headers = vec![(header::IF_RANGE, strong), (header::RANGE, range)];
        let mut download = self.http.open(&call).await?;
        if download.goes_on_from(from_bytes)? {
            return Ok(Continued::On(download));
        }
        Ok(Continued::Anew(download))
    }

    /// Reads a small file unchanged, such as a signature. It fails at 32 KiB, as in the registry.
    pub(crate) async fn small_file(&self, url: &str) -> Result<Bytes, Error> {
        small(&self.http, url).await.map(|answer| answer.body)
    }

    /// Reads a small file as a client does, which knows no limit; here it is 4 MiB.
    pub(crate) async fn client_file(&self, url: &str) -> Result<Bytes, Error> {
        small_below(&self.http, url, CLIENT_LIMIT_BYTES).await.map(|answer| answer.body)
    }
}

async fn first_there(http: &Http, urls: [String; 2]) -> Result<(String, Answer), Error> {
    let [plain, other] = urls;
    match small(http, &plain).await {
        Err(Error::NotFound { .. }) => Ok((other.clone(), small(http, &other).await?)),
        found => Ok((plain, found?)),
    }
}

async fn small(http: &Http, url: &str) -> Result<Answer, Error> {
    small_below(http, url, SMALL_LIMIT_BYTES).await
}

async fn small_below(http: &Http, url: &str, limit_bytes: u64) -> Result<Answer, Error> {
    let answer = http.call(&Call::get(Lane::Asset, requestable(url), limit_bytes)).await?;
    if answer.status != 200 {
        return Err(not_the_file(http, answer.status));
    }
    // A login or limit page with 200 is no file of the release; read as one it would seem to list nothing.
    if answer.media_type() == "text/html" && answer.body.trim_ascii_start().starts_with(b"<") {
        return Err(Error::unreadable("an HTML page instead of a file"));
    }
    Ok(answer)
}

/// The error for a success that is not the requested file, such as 204 or a part of the file.
fn not_the_file(http: &Http, status: u16) -> Error {
    http.unreadable(format!("HTTP {status} instead of the file"))
}

/// URLs of the data hold the tag raw; a tag may hold characters that would end a URL's path.
fn requestable(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest))
            if rest.contains(['?', '#', '%', ' ']) && rest.contains("/releases/download/") =>
        {
            match rest.split_once('/') {
                Some((host, path)) => format!("{scheme}://{host}/{}", encode_path(path)),
                None => url.into(),
            }
        }
        _ => url.into(),
    }
}

fn to_sums(url: &str, answer: &Answer) -> Served<Sums> {
    let text = String::from_utf8_lossy(&answer.body).into();
    let modified = header_text(&answer.headers, "last-modified").and_then(http_date);
    Served::new(Sums { url: url.into(), text, modified }, url, &answer.body)
}

/// `metadata.protocol_versions`, read as leniently as the registry's JSON reader does: names in any case, `null` anywhere
/// like nothing there, other types as no valid manifest.
fn protocols(text: &str) -> Protocols {
    let Ok(whole) = serde_json::from_str::<Value>(text) else { return Protocols::Invalid };
    let list = match member(&whole, "metadata") {
        Ok(Some(metadata)) => member(metadata, "protocol_versions"),
        other => other,
    };
    match list {
        Ok(None) => Protocols::Unlisted,
        Ok(Some(Value::Array(list))) => {
            let text = |value: &Value| match value {
                Value::String(text) => Some(text.as_str().into()),
                Value::Null => Some("".into()),
                _ => None,
            };
            list.iter().map(text).collect::<Option<Vec<_>>>().map_or(Protocols::Invalid, Protocols::Listed)
        }
        Err(()) | Ok(Some(_)) => Protocols::Invalid,
    }
}

/// The member of an object, `None` if it is not there or null, an error if this is no object.
fn member<'a>(value: &'a Value, name: &str) -> Result<Option<&'a Value>, ()> {
    match value {
        Value::Null => Ok(None),
        Value::Object(map) => {
            let found = map.iter().rev().find(|(key, _)| key.eq_ignore_ascii_case(name));
            Ok(found.map(|(_, value)| value).filter(|value| !value.is_null()))
        }
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_registry_s() {
        let repository = Repository::new("Own", "terraform-provider-x");
        let release = Release { repository: &repository, tag: "v1.0+a", name: "x", version: "1.0+a" };
        assert_eq!(
            release.urls("SHA256SUMS"),
            [
                "https://github.com/Own/terraform-provider-x/releases/download/v1.0+a/terraform-provider-x_1.0+a_SHA256SUMS",
                "https://github.com/Own/terraform-provider-x/releases/download/v1.0+a/terraform-provider-x_v1.0+a_SHA256SUMS",
            ]
        );
    }

    #[test]
    fn odd_tags_stay_in_the_path() {
        let cases = [
            (
                "https://github.com/a/b/releases/download/v1+x/f",
                "https://github.com/a/b/releases/download/v1+x/f",
            ),
            (
                "https://github.com/a/b/releases/download/v#1?/f",
                "https://github.com/a/b/releases/download/v%231%3F/f",
            ),
            ("https://cdn.example/x?signature=y", "https://cdn.example/x?signature=y"),
        ];
        for (url, expected) in cases {
            assert_eq!(requestable(url), expected);
        }
    }

    #[test]
    fn manifests_are_read_as_the_registry_does() {
        let listed = |list: &[&str]| Protocols::Listed(list.iter().map(|text| (*text).into()).collect());
        let cases = [
            (r#"{"version":1,"metadata":{"protocol_versions":["5.0","6.0"]}}"#, listed(&["5.0", "6.0"])),
            (r#"{"metadata":{"protocol_versions":[]}}"#, listed(&[])),
            (r#"{"Metadata":{"Protocol_Versions":["6.0"]}}"#, listed(&["6.0"])),
            (r#"{"metadata":{"protocol_versions":null}}"#, Protocols::Unlisted),
            (r#"{"metadata":{}}"#, Protocols::Unlisted),
            (r#"{"metadata":null}"#, Protocols::Unlisted),
            ("{}", Protocols::Unlisted),
            ("null", Protocols::Unlisted),
            (r#"{"metadata":{"protocol_versions":[5.0]}}"#, Protocols::Invalid),
            (r#"{"metadata":{"protocol_versions":"5.0"}}"#, Protocols::Invalid),
            (r#"{"metadata":[]}"#, Protocols::Invalid),
            ("[]", Protocols::Invalid),
            ("", Protocols::Invalid),
            ("<html>", Protocols::Invalid),
            (r"{} trailing", Protocols::Invalid),
        ];
        for (text, expected) in cases {
            assert_eq!(protocols(text), expected, "{text}");
        }
    }
}
