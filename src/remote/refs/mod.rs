//! The tags of a repository over git's smart HTTP, without git: what `git ls-remote --tags --refs` lists.
//!
//! One POST of `ls-refs` is enough, since version 2 is stateless; where a server wants to be asked first, `info/refs` is
//! read and the POST repeated, and a server of version 0 has told its refs by then. Objects are never fetched.

mod pkt;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Method};

use crate::registry::{Moved, Repository, Tag, Tags};
use crate::remote::Remote;
use crate::remote::http::{Answer, Call, Error, Http, Retry, clean, encode_path};
use crate::settings::Lane;

use pkt::Advertisement;

/// The size of a list with the most tags allowed, each with a name of 250 characters.
const LIMIT_BYTES: u64 = 16 << 20;
const REQUEST_TYPE: &str = "application/x-git-upload-pack-request";
const RESULT_TYPE: &str = "application/x-git-upload-pack-result";
const ADVERTISEMENT_TYPE: &str = "application/x-git-upload-pack-advertisement";

impl Remote {
    /// Lists all tags, in the server's order, and names the place that a redirect led to. An empty repository has none.
    pub(crate) async fn tags(&self, repository: &Repository) -> Result<Tags, Error> {
        let base = format!(
            "https://github.com/{}/{}.git",
            encode_path(&repository.owner),
            encode_path(&repository.name)
        );
        let (list, url) = match listed(&self.http, &base, None).await {
            Ok(Some(listed)) => listed,
            // Missing, limited and blocked are final; whatever else a server has against the question is asked for by GET.
            Ok(None)
            | Err(
                Error::Status { .. }
                | Error::Unauthorized { status: 403, .. }
                | Error::Blocked { status: 403 },
            ) => by_advertisement(&self.http, &base).await?,
            Err(Error::TooLarge { .. }) => return Err(Error::unreadable(pkt::TOO_MANY)),
            Err(error) => return Err(error),
        };
        Ok(Tags { list, moved: moved(repository, &url) })
    }
}

/// Posts `ls-refs`. `None` if the answer is none of git's.
async fn listed(
    http: &Http,
    base: &str,
    object_format: Option<&str>,
) -> Result<Option<(Vec<Tag>, String)>, Error> {
    let call = Call {
        method: Method::POST,
        headers: git_headers(RESULT_TYPE, Some(REQUEST_TYPE)),
        body: Some(question(object_format)),
        // Asking changes nothing, so a lost connection is asked anew; a refusal is followed by the GET.
        retry: Retry::Connection,
        ..Call::get(Lane::Git, format!("{base}/git-upload-pack"), LIMIT_BYTES)
    };
    let answer = http.call(&call).await?;
    if answer.status != 200 || answer.body.is_empty() || answer.media_type() != RESULT_TYPE {
        return Ok(None);
    }
    let list = pkt::listed(&answer.body).map_err(|why| http.unreadable(why))?;
    Ok(Some((list, answer.url)))
}

async fn by_advertisement(http: &Http, base: &str) -> Result<(Vec<Tag>, String), Error> {
    let call = Call {
        headers: git_headers(ADVERTISEMENT_TYPE, None),
        ..Call::get(Lane::Git, format!("{base}/info/refs?service=git-upload-pack"), LIMIT_BYTES)
    };
    let answer = http.call(&call).await?;
    if answer.status != 200 || answer.media_type() != ADVERTISEMENT_TYPE {
        return Err(not_git(http, &answer));
    }
    match pkt::advertised(&answer.body).map_err(|why| http.unreadable(why))? {
        Advertisement::Refs(list) => Ok((list, answer.url)),
        Advertisement::Capabilities { object_format } => {
            // Where the GET was redirected to, the POST goes at once.
            let base = answer.url.split("/info/refs").next().unwrap_or(base);
            let listed = listed(http, base, object_format.as_deref()).await.map_err(|error| match error {
                Error::NotFound { status } => {
                    Error::Doubted { status, because: "though the repository was there just before" }
                }
                error => error,
            })?;
            listed.ok_or_else(|| Error::unreadable("the server offers ls-refs and does not answer it"))
        }
    }
}

fn question(object_format: Option<&str>) -> Bytes {
    let format = object_format
        .filter(|format| matches!(*format, "sha1" | "sha256"))
        .map(|format| pkt::line(&format!("object-format={format}\n")));
    let parts = [
        pkt::line("command=ls-refs\n"),
        format.unwrap_or_default(),
        "0001".into(),
        pkt::line("peel\n"),
        pkt::line("ref-prefix refs/tags/\n"),
        "0000".into(),
    ];
    parts.concat().into()
}

fn git_headers(accept: &'static str, content: Option<&'static str>) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = vec![
        (ACCEPT, HeaderValue::from_static(accept)),
        (HeaderName::from_static("git-protocol"), HeaderValue::from_static("version=2")),
    ];
    headers.extend(content.map(|content| (CONTENT_TYPE, HeaderValue::from_static(content))));
    headers
}

fn not_git(http: &Http, answer: &Answer) -> Error {
    match answer.media_type().as_str() {
        "text/html" => Error::unreadable("an HTML page instead of git's answer"),
        other => {
            http.unreadable(format!("`{}` instead of git's answer (HTTP {})", clean(other), answer.status))
        }
    }
}

/// The name that a redirect led to, wherever the server stands; GitHub compares names without their case.
fn moved(repository: &Repository, url: &str) -> Option<Moved> {
    let service = url.rfind("/git-upload-pack").or_else(|| url.rfind("/info/refs"))?;
    let mut segments = url[..service].rsplit('/');
    let (name, owner) = (segments.next()?, segments.next()?);
    let name = name.strip_suffix(".git").unwrap_or(name);
    let same = owner.eq_ignore_ascii_case(&encode_path(&repository.owner))
        && name.eq_ignore_ascii_case(&encode_path(&repository.name));
    (!same && !owner.is_empty()).then(|| Moved { owner: owner.into(), name: name.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_git_s() {
        let expected = "0014command=ls-refs\n00010009peel\n001aref-prefix refs/tags/\n0000";
        assert_eq!(question(None), expected);
        assert_eq!(question(Some("sha1; rm")), expected);
        let expected =
            "0014command=ls-refs\n0019object-format=sha256\n00010009peel\n001aref-prefix refs/tags/\n0000";
        assert_eq!(question(Some("sha256")), expected);
    }

    #[test]
    fn a_move_is_a_change_of_name() {
        let asked = Repository::new("Old", "terraform-x-y");
        let to = |path: &str| moved(&asked, &format!("https://github.com/{path}/git-upload-pack"));
        assert_eq!(to("old/Terraform-X-y.git"), None);
        assert_eq!(
            to("new/terraform-x-y.git"),
            Some(Moved { owner: "new".into(), name: "terraform-x-y".into() })
        );
        let elsewhere = moved(&asked, "http://127.0.0.1:9/new/y.git/info/refs?service=git-upload-pack");
        assert_eq!(elsewhere, Some(Moved { owner: "new".into(), name: "y".into() }));
        assert_eq!(moved(&asked, "https://github.com/nowhere"), None);
        let odd = Repository::new("a b", "c");
        assert_eq!(moved(&odd, "https://github.com/a%20b/c.git/git-upload-pack"), None);
    }
}
