//! Checks if the changes of a pull request to a file still fit the file that the registry has now.

use crate::registry::version::trim_v;
use crate::registry::{Document, Entry, Kind};
use crate::rules::amount::list_names;
use crate::rules::diff::{self, ChangeKind, Diff, VersionChange};
use crate::rules::plain_text::visible;

/// The changes to one file since a pull request began; empty if the file is the one that it began with.
#[derive(Debug, Default)]
pub(super) struct Since {
    /// Changes that conflict with those of the pull request.
    pub(super) differs: Vec<String>,
    pub(super) unread: Option<String>,
    /// Changes that do not conflict.
    pub(super) notes: Vec<String>,
    /// Versions that the registry has besides, as stored.
    pub(super) added: Vec<String>,
}

impl Since {
    pub(super) fn unread(why: &str) -> Self {
        let why = format!("what the registry has of it by now could not be read: {why}");
        Self { unread: Some(why), ..Self::default() }
    }

    /// `claimed`: from the file before it to the file as it would be; `now`: `None` where the registry has no such file.
    pub(super) fn new(
        kind: Kind,
        before: &Document,
        claimed: &Diff,
        (is_new, now): (bool, Option<&[u8]>),
    ) -> Self {
        let one = |text: &str| Self { differs: vec![text.to_owned()], ..Self::default() };
        let Some(now) = now else { return one("the registry has the file no more") };
        if is_new {
            return one("the registry has the entry by now");
        }
        let now = match Entry::read(kind, now) {
            Ok((now, _)) => now,
            Err(why) => return Self::unread(&visible(&why)),
        };
        let since = diff::compare(kind, before, &now);
        let mut all = Self::default();
        let mut beside = Vec::new();
        for change in since.versions.iter().filter(|change| change.kind != ChangeKind::Moved) {
            let version = visible(&change.version);
            all.added.extend((change.kind == ChangeKind::Added).then(|| change.version.clone()));
            let text = match change.kind {
                ChangeKind::Added => format!("the registry has {version} by now"),
                ChangeKind::Removed => format!("the registry has {version} no more"),
                ChangeKind::Changed | ChangeKind::Moved => {
                    format!("{version} was changed in the registry since")
                }
            };
            // To clients `v1.1.0` is `1.1.0`.
            let is_it = |claimed: &VersionChange| trim_v(&claimed.version) == trim_v(&change.version);
            if claimed.versions.iter().any(is_it) {
                all.differs.push(text);
            } else {
                beside.push(format!("{version} {}", change.kind.word()));
            }
        }
        beside.extend(since.fields.iter().map(|field| format!("{} changed", visible(&field.field))));
        if !beside.is_empty() {
            all.notes
                .push(format!("since it began, the registry changed the file too: {}", list_names(&beside)));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: Kind = Kind::Module;

    fn file(versions: &[(&str, &str)]) -> Vec<u8> {
        let line = |(version, commit): &(&str, &str)| {
            format!("    {{\n      \"version\": \"{version}\",\n      \"commit\": \"{commit}\"\n    }}")
        };
        let lines: Vec<String> = versions.iter().map(line).collect();
        format!("{{\n  \"versions\": [\n{}\n  ]\n}}", lines.join(",\n")).into_bytes()
    }

    #[test]
    fn later_changes_fit_or_conflict() {
        let (one, two, three) = (("v1.0.0", "a"), ("v1.1.0", "b"), ("v1.2.0", "c"));
        let read = |bytes: &[u8]| Entry::read(MODULE, bytes).unwrap().0;
        let before = read(&file(&[one]));
        let claimed = diff::compare(MODULE, &before, &read(&file(&[two, one])));
        let since = |now: Option<&[u8]>| Since::new(MODULE, &before, &claimed, (false, now));
        for (now, differs, notes) in [
            (file(&[two, one]), "the registry has v1.1.0 by now", ""),
            (file(&[("v1.1.0", "other"), one]), "the registry has v1.1.0 by now", ""),
            (file(&[("1.1.0", "b"), one]), "the registry has 1.1.0 by now", ""),
            (file(&[three, one]), "", "since it began, the registry changed the file too: v1.2.0 added"),
            (
                file(&[("v1.0.0", "d")]),
                "",
                "since it began, the registry changed the file too: v1.0.0 changed",
            ),
            (file(&[]), "", "since it began, the registry changed the file too: v1.0.0 removed"),
        ] {
            let told = since(Some(&now));
            assert_eq!((told.differs.concat(), told.notes.concat()), (differs.into(), notes.into()));
            assert_eq!(told.unread, None);
        }
        assert_eq!(since(None).differs, ["the registry has the file no more"]);
        assert!(
            since(Some(b"{")).unread.unwrap().starts_with("what the registry has of it by now could not")
        );
        let new = Since::new(MODULE, &before, &claimed, (true, Some(&file(&[one]))));
        assert_eq!(new.differs, ["the registry has the entry by now"]);
    }
}
