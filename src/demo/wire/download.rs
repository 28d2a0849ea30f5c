//! Release downloads: a redirect on the web host, the bytes on another.

use bytes::Bytes;

use crate::forge::actions::is_good;
use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply, decode, encode};
use crate::wire::trouble;
use crate::world::{Asset, Lookup, Repository};

/// `releases/download/<tag>/<file>` on the web host: 302 to the object host, or 404.
pub(crate) fn redirect(
    site: &Site<'_>,
    call: &Call,
    (owner, name): (&str, &str),
    (tag, file): (&str, &str),
) -> Reply {
    match site.world.lookup(owner, name) {
        Lookup::Here(repository) => match find(repository, tag, file) {
            Some(asset) => {
                let place = format!(
                    "{}/asset/{}/{}/{}/{}?sig=signed",
                    site.addresses.object,
                    repository.owner,
                    repository.name,
                    asset.id,
                    encode(file)
                );
                Reply::new(302, "text/html; charset=utf-8", "").with("location", place)
            }
            None => trouble::page(404, "Page not found"),
        },
        Lookup::Moved(repository) => {
            let rest = call.path.trim_start_matches('/').splitn(3, '/').nth(2).unwrap_or("");
            let place = format!("{}/{}/{rest}", site.web(), repository.full_name());
            Reply::text(301, "").with("location", place)
        }
        Lookup::Blocked => trouble::page(451, "Repository unavailable due to DMCA takedown"),
        Lookup::Absent => trouble::page(404, "Page not found"),
    }
}

fn find<'a>(repository: &'a Repository, tag: &str, file: &str) -> Option<&'a Asset> {
    let release = repository.release(tag).filter(|release| !release.draft)?;
    release.asset(file).filter(|asset| asset.content.is_some())
}

/// A job's log or an artifact, behind a link that is good for a minute.
fn of_actions(site: &Site<'_>, call: &Call, kind: &str, id: u64) -> Reply {
    let runs = &site.world.forge.actions.runs;
    if !is_good(call.parameter("se").as_deref(), site.world.now) {
        return Reply::text(403, "Server failed to authenticate the request. The signature has expired.");
    }
    if kind == "log" {
        let log = runs.iter().find_map(|run| run.job(id)).map(|job| job.log.clone());
        return log.map_or_else(absent, |log| Reply::text(200, format!("\u{feff}{log}")));
    }
    let served = site.world.forge.actions.served(id);
    served.map_or_else(absent, |(_, one)| Reply::new(200, "application/zip", one.bytes))
}

/// The object host: the bytes of one asset, whole or from an offset.
pub(crate) fn object(site: &Site<'_>, call: &Call) -> Reply {
    let parts: Vec<&str> = call.path.trim_start_matches('/').split('/').collect();
    if let [kind @ ("log" | "artifact"), id] = parts[..] {
        return of_actions(site, call, kind, id.parse().unwrap_or(0));
    }
    let ["asset", owner, name, id, file] = parts[..] else { return absent() };
    let Lookup::Here(repository) = site.world.lookup(owner, name) else { return absent() };
    let file = decode(file);
    let found = repository
        .releases
        .iter()
        .filter_map(|release| release.asset(&file))
        .find(|asset| id.parse() == Ok(asset.id))
        .and_then(|asset| Some((asset.content.clone()?, asset.updated)));
    let Some((bytes, updated_at)) = found else { return absent() };
    // What the host puts up again has another tag, even under the same name.
    let tag = format!("\"0x{:X}{:X}\"", updated_at.as_second(), bytes.len());
    let reply = Reply::new(200, "application/octet-stream", bytes.clone())
        .with("accept-ranges", "bytes")
        .with("etag", tag.clone())
        .with("content-disposition", format!("attachment; filename={file}"));
    let is_same = call.header("if-range").is_none_or(|wanted| wanted == tag);
    match call.header("range").filter(|_| is_same).map(|range| part(range, &bytes)) {
        None => reply,
        Some(None) => Reply::text(416, "").with("content-range", format!("bytes */{}", bytes.len())),
        Some(Some((start, end))) => Reply { status: 206, body: bytes.slice(start..end), ..reply }
            .with("content-range", format!("bytes {start}-{}/{}", end - 1, bytes.len())),
    }
}

fn absent() -> Reply {
    Reply::new(
        404,
        "application/xml",
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>BlobNotFound</Code></Error>",
    )
}

/// The bounds of a single `Range`: `bytes=a-b`, `bytes=a-` or `bytes=-n`.
fn part(range: &str, bytes: &Bytes) -> Option<(usize, usize)> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let (start, end) = if first.is_empty() {
        (bytes.len().saturating_sub(last.parse().ok()?), bytes.len())
    } else {
        let end = if last.is_empty() { bytes.len() } else { last.parse::<usize>().ok()?.checked_add(1)? };
        (first.parse().ok()?, end.min(bytes.len()))
    };
    (start < end).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let bytes = Bytes::from_static(b"0123456789");
        for (range, wanted) in [
            ("bytes=0-3", Some((0, 4))),
            ("bytes=4-", Some((4, 10))),
            ("bytes=-3", Some((7, 10))),
            ("bytes=5-99", Some((5, 10))),
            ("bytes=10-", None),
            ("bytes=x-", None),
            ("lines=1-2", None),
        ] {
            assert_eq!(part(range, &bytes), wanted, "{range}");
        }
    }
}
