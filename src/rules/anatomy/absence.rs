//! Whether what the web host served, or did not, is taken at its word: a store that stumbles answers 404, or with nothing, or
//! with something else, and what is written by that would be wrong for good.

use crate::registry::{Asset, Observed, ReleaseInfo, Served, Why};

/// A file that was served counts only if it is as the release, where that was asked, lists it; what is `odd` counts only if
/// that did not fail, and knew of a release.
pub(crate) fn vouched<T>(
    found: Observed<Served<T>>,
    info: &Observed<ReleaseInfo>,
    odd: impl Fn(&T) -> bool,
) -> Observed<T> {
    let (served, at) = match found {
        Observed::Known { value, at } => (value, at),
        Observed::Unasked => return Observed::Unasked,
        Observed::Absent { at, status } => return Observed::Absent { at, status },
        Observed::Unknown { at, why } => return Observed::Unknown { at, why },
    };
    let because = match info {
        Observed::Known { value: info, .. } => {
            let listed = info.assets.iter().find(|asset| asset.name == served.name);
            listed.and_then(|asset| differs(&served, asset))
        }
        Observed::Unknown { why, .. } if odd(&served.value) => Some(format!(
            "with nothing of use, and the releases API, which would say what it should be, was not read: {}",
            why.cause()
        )),
        Observed::Absent { .. } if odd(&served.value) => {
            Some("with nothing of use, though the releases API knows no such release".to_owned())
        }
        Observed::Unknown { .. } | Observed::Absent { .. } | Observed::Unasked => None,
    };
    match because {
        Some(because) => Observed::Unknown { at, why: Why::Doubted { status: 200, because } },
        None => Observed::Known { value: served.value, at },
    }
}

fn differs<T>(served: &Served<T>, asset: &Asset) -> Option<String> {
    let digest = asset.digest.as_deref().and_then(|digest| digest.strip_prefix("sha256:"));
    if served.size_bytes != asset.size_bytes {
        return Some(format!(
            "with {} bytes where the release lists {}",
            served.size_bytes, asset.size_bytes
        ));
    }
    let is_other = digest.is_some_and(|digest| !digest.eq_ignore_ascii_case(&served.sha256));
    is_other.then(|| "with a different file from the one that the release lists".to_owned())
}

/// A file that answers 404 is absent only if the release, where that was asked, does not list it.
pub(crate) fn believed<T>(
    found: Observed<T>,
    info: &Observed<ReleaseInfo>,
    names: &[impl AsRef<str>],
) -> Observed<T> {
    let Observed::Absent { at, status } = found else { return found };
    let is_listed = |info: &ReleaseInfo| {
        info.assets.iter().any(|asset| names.iter().any(|name| name.as_ref() == &*asset.name))
    };
    let because = match info {
        Observed::Known { value, .. } if is_listed(value) => "though the release lists it".to_owned(),
        Observed::Unknown { why, .. } => {
            format!(
                "and the releases API, which would say whether it is there, was not read: {}",
                why.cause()
            )
        }
        Observed::Known { .. } | Observed::Absent { .. } | Observed::Unasked => return found,
    };
    Observed::Unknown { at, why: Why::Doubted { status, because } }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    /// What the releases API says of a release with these files.
    fn listing(assets: Vec<Asset>) -> ReleaseInfo {
        ReleaseInfo {
            id: None,
            tag: "v1".into(),
            draft: false,
            prerelease: false,
            created_at: None,
            published_at: None,
            assets,
            truncated: false,
        }
    }

    #[test]
    fn a_404_counts_unless_the_release_lists_the_file_or_failed() {
        let at = Timestamp::UNIX_EPOCH;
        let asset = Asset { id: None, name: "sums".into(), size_bytes: 1, digest: None, updated_at: None };
        let failed = Observed::Unknown { at, why: Why::Status { status: 500 } };
        for (info, wanted) in [
            (Observed::Unasked, None),
            (Observed::Absent { at, status: 404 }, None),
            (Observed::Known { value: listing(Vec::new()), at }, None),
            (Observed::Known { value: listing(vec![asset]), at }, Some("though the release lists it")),
            (failed, Some("was not read: it answered HTTP 500")),
        ] {
            let found = believed(Observed::<u8>::Absent { at, status: 404 }, &info, &["sums", "other"]);
            match (found, wanted) {
                (Observed::Absent { .. }, None) => {}
                (Observed::Unknown { why, .. }, Some(part)) => {
                    let text = why.text();
                    assert!(text.starts_with("it answered HTTP 404, ") && text.ends_with(part), "{text}");
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(believed(Observed::Known { value: 1, at }, &info, &["sums"]).known(), Some(&1));
        }
    }

    #[test]
    fn a_file_counts_only_as_the_release_lists_it() {
        let at = Timestamp::UNIX_EPOCH;
        let served = || Served::new(1, "https://x/sums", b"four");
        let info = |size_bytes, digest: Option<&str>| {
            let digest = digest.map(|hex| format!("sha256:{hex}").into());
            let asset = Asset { id: None, name: "sums".into(), size_bytes, digest, updated_at: None };
            Observed::Known { value: listing(vec![asset]), at }
        };
        let failed = || Observed::Unknown { at, why: Why::Status { status: 500 } };
        let (right, wrong) = (crate::registry::digest(b"four"), "0".repeat(64));
        for (info, is_odd, wanted) in [
            (Observed::Unasked, true, None),
            (failed(), false, None),
            (failed(), true, Some("it answered HTTP 200, with nothing of use, and the releases API")),
            (Observed::Absent { at, status: 404 }, false, None),
            (
                Observed::Absent { at, status: 404 },
                true,
                Some("it answered HTTP 200, with nothing of use, though the releases API knows"),
            ),
            (info(4, None), true, None),
            (info(4, Some(&right)), false, None),
            (info(5, None), false, Some("it answered HTTP 200, with 4 bytes where the release lists 5")),
            (info(4, Some(&wrong)), false, Some("it answered HTTP 200, with a different file from")),
        ] {
            let found = vouched(Observed::Known { value: served(), at }, &info, |_| is_odd);
            match (found, wanted) {
                (Observed::Known { value: 1, .. }, None) => {}
                (Observed::Unknown { why, .. }, Some(part)) => {
                    assert!(why.text().starts_with(part), "{}", why.text());
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
