//! Versions of one file that clients request by the same path: `v1.0.0` and `1.0.0` of a module, `1.0.0-RC1` and
//! `1.0.0-rc1`.
//!
//! Both are listed, and clients get the one that comes later in the file (`registry.md#what-the-registry-serves`). So
//! an added version can replace an indexed one for clients although no line of the indexed one changes.

use std::collections::{HashMap, HashSet};

use crate::registry::version::{self, trim_v};
use crate::registry::{Document, Json, Kind, Tags, short_id, sort_like_go};
use crate::rules::finding::Finding;

/// The rule for an added version that changes what clients get for an indexed one, or that clients cannot get.
pub(crate) const TWIN: &str = "twin-differs";
/// The rule for an added version that has a twin with the same content.
pub(crate) const SAME: &str = "twin-same";

/// The content that clients get for a version: a module's commit, or the checksums of a provider's archives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Commit(String),
    /// The `os_arch` and the checksum of each archive, sorted.
    Archives(Vec<(String, String)>),
    NotKnown,
}

/// One version in the order of the file.
#[derive(Clone, Debug)]
pub(crate) struct Listed<'a> {
    /// The version as it is stored.
    pub(crate) version: &'a str,
    pub(crate) content: Content,
    pub(crate) is_new: bool,
}

/// Two versions that clients request by the same path, at least one of them new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Twin {
    /// The added version.
    pub(crate) added: String,
    /// The version that clients got before, or that they get instead.
    other: String,
    /// True if clients get the added version.
    takes_place: bool,
    contents: [Content; 2],
}

/// The path of a version: without a leading `v`, in lower case.
pub(crate) fn path(version: &str) -> String {
    trim_v(version).to_ascii_lowercase()
}

/// The twins among versions in the order of the file.
fn among(list: &[Listed<'_>]) -> Vec<Twin> {
    if !list.iter().any(|listed| listed.is_new) {
        return Vec::new();
    }
    let mut by_path: HashMap<String, Vec<&Listed<'_>>> = HashMap::with_capacity(list.len());
    for listed in list {
        by_path.entry(path(listed.version)).or_default().push(listed);
    }
    let mut twins = Vec::new();
    for listed in list.iter().filter(|listed| listed.is_new) {
        let group = &by_path[&path(listed.version)];
        let Some(winner) = group.last().filter(|_| group.len() > 1) else { continue };
        let before = group.iter().rev().find(|one| !one.is_new);
        let takes_place = std::ptr::eq(*winner, listed);
        let other = match (takes_place, before) {
            (false, _) => *winner,
            (true, Some(before)) => *before,
            // All of them are new. The twins are reported for the versions that clients do not get.
            (true, None) => continue,
        };
        twins.push(Twin {
            added: listed.version.to_owned(),
            other: other.version.to_owned(),
            takes_place,
            contents: [other.content.clone(), listed.content.clone()],
        });
    }
    twins
}

/// The twins that a change of a data file creates.
pub(crate) fn of_change(kind: Kind, old: &Document, new: &Document) -> Vec<Twin> {
    of_lists(kind, old.versions(), new.versions())
}

/// The twins that a change of the list of versions creates.
pub(crate) fn of_lists(kind: Kind, before: &[Json], after: &[Json]) -> Vec<Twin> {
    let names: HashSet<&str> = before.iter().map(Json::version_name).collect();
    let list: Vec<Listed<'_>> = after
        .iter()
        .map(|json| Listed {
            version: json.version_name(),
            content: Content::NotKnown,
            is_new: !names.contains(json.version_name()),
        })
        .collect();
    let mut twins = among(&list);
    for twin in &mut twins {
        let is_new = |json: &&Json| !names.contains(json.version_name());
        let is_other = |json: &&Json| json.version_name() == twin.other;
        // If two tags have the same version, clients get the later one.
        let added = after.iter().find(|json| json.version_name() == twin.added && is_new(json));
        let other = after.iter().rev().find(is_other);
        twin.contents = [other, added].map(|json| json.map_or(Content::NotKnown, |json| content(kind, json)));
    }
    twins
}

/// The twins that the next bump would create, from the stored versions in the order of the file and the tags to add.
pub(crate) fn of_bump<'a>(mut stored: Vec<Listed<'a>>, mut missing: Vec<Listed<'a>>) -> Vec<Twin> {
    let paths: HashSet<String> = stored.iter().map(|listed| path(listed.version)).collect();
    missing.retain(|listed| paths.contains(&path(listed.version)));
    if missing.is_empty() {
        return Vec::new();
    }
    // A bump appends new versions in this order; versions that sort as equal show it.
    missing.sort_by(|a, b| b.version.cmp(a.version));
    stored.extend(missing);
    sort_like_go(&mut stored, |a, b| version::compare(b.version, a.version));
    among(&stored)
}

/// The content of a version in a file.
pub(crate) fn content(kind: Kind, json: &Json) -> Content {
    let text = |json: &Json, key: &str| json.field(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    if kind == Kind::Module {
        return match text(json, "commit") {
            commit if commit.is_empty() => Content::NotKnown,
            commit => Content::Commit(commit.to_ascii_lowercase()),
        };
    }
    let targets = json.field("targets").map(Json::items).unwrap_or_default();
    let archive = |target: &Json| {
        (
            format!("{}_{}", text(target, "os"), text(target, "arch")),
            text(target, "shasum").to_ascii_lowercase(),
        )
    };
    archives(targets.iter().map(archive))
}

/// The content of a provider's version: its platforms with their checksums.
pub(crate) fn archives(list: impl Iterator<Item = (String, String)>) -> Content {
    let mut list: Vec<(String, String)> = list.collect();
    list.sort_unstable();
    if list.is_empty() { Content::NotKnown } else { Content::Archives(list) }
}

impl Content {
    /// Returns true if both contents are known and equal.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        *self != Self::NotKnown && self == other
    }
}

impl Twin {
    /// Returns true if clients get, or would get, other content than before. Unknown content counts as different.
    pub(crate) fn differs(&self) -> bool {
        !self.contents[0].is_same(&self.contents[1])
    }

    /// A sentence such as `v2.2.0 takes the place of 2.2.0 for clients: commit 1111111 becomes 2222222`.
    pub(crate) fn text(&self) -> String {
        let Self { added, other, takes_place, contents: [theirs, own] } = self;
        let head = if *takes_place {
            format!("{added} takes the place of {other} for clients")
        } else if added == other {
            format!("{added} is added twice, and clients get the later one")
        } else {
            format!("clients that ask for {added} get {other}, which comes after it in the file")
        };
        let end = match (theirs, own) {
            (Content::Commit(a), Content::Commit(b)) if a == b => {
                format!(", at the same commit {}", short_id(a))
            }
            (Content::Commit(a), Content::Commit(b)) if *takes_place => {
                format!(": commit {} becomes {}", short_id(a), short_id(b))
            }
            (Content::Commit(a), Content::Commit(b)) => {
                format!(": commit {}, not {}", short_id(a), short_id(b))
            }
            (Content::Archives(a), Content::Archives(b)) if a == b => ", with the same archives".to_owned(),
            (Content::Archives(a), Content::Archives(b)) => {
                let others = b.iter().filter(|archive| !a.contains(archive)).count();
                format!(": {others} of {} archives are others", b.len())
            }
            _ => "; whether it is the same content is not known".to_owned(),
        };
        head + &end
    }

    /// Puts the commits behind annotated tags in the place of the tags' own ids, as far as `tags` knows them: the registry
    /// records a tag's own id, and two annotated tags of one commit have different ones.
    pub(crate) fn with_commits(mut self, tags: &Tags) -> Self {
        for content in &mut self.contents {
            let Content::Commit(id) = content else { continue };
            if let Some(tag) = tags.list.iter().find(|tag| tag.oid.eq_ignore_ascii_case(id)) {
                *id = tag.commit().to_ascii_lowercase();
            }
        }
        self
    }

    pub(crate) fn finding(&self) -> Finding {
        let finding = if self.differs() {
            Finding::warning(TWIN, self.text())
        } else {
            Finding::note(SAME, self.text())
        };
        finding.on(self.added.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    /// A list of versions, each with its commit or checksum.
    type List<'a> = Vec<(&'a str, &'a str)>;

    fn document(list: &[String]) -> Document {
        Document::parse(format!(r#"{{"versions":[{}]}}"#, list.join(",")).as_bytes()).unwrap()
    }

    fn modules(list: &[(&str, &str)]) -> Document {
        let one =
            |(version, commit): &(&str, &str)| format!(r#"{{"version":"{version}","commit":"{commit}"}}"#);
        document(&list.iter().map(one).collect::<Vec<_>>())
    }

    fn providers(list: &[(&str, &str)]) -> Document {
        let one = |(version, sum): &(&str, &str)| {
            format!(
                r#"{{"version":"{version}","targets":[{{"os":"linux","arch":"amd64","shasum":"{sum}"}}]}}"#
            )
        };
        document(&list.iter().map(one).collect::<Vec<_>>())
    }

    fn texts(kind: Kind, old: &Document, new: &Document) -> Vec<(bool, String)> {
        of_change(kind, old, new).iter().map(|twin| (twin.differs(), twin.text())).collect()
    }

    /// P4: clients get the later one in the file.
    #[test]
    fn p4_the_later_one_of_two_is_what_clients_get() {
        let takes = "takes the place of";
        let cases: [(&str, List<'_>, List<'_>, bool, &str); 8] = [
            (
                "bare first",
                vec![("2.2.0", A)],
                vec![("2.2.0", A), ("v2.2.0", B)],
                true,
                "v2.2.0 takes the place of 2.2.0 for clients: commit aaaaaaa becomes bbbbbbb",
            ),
            (
                "v first",
                vec![("v2.2.0", A)],
                vec![("v2.2.0", A), ("2.2.0", B)],
                true,
                "2.2.0 takes the place of v2.2.0 for clients: commit aaaaaaa becomes bbbbbbb",
            ),
            (
                "before the indexed one",
                vec![("2.2.0", A)],
                vec![("v2.2.0", B), ("2.2.0", A)],
                true,
                "clients that ask for v2.2.0 get 2.2.0, which comes after it in the file: commit aaaaaaa, not bbbbbbb",
            ),
            (
                "the same commit",
                vec![("2.2.0", A)],
                vec![("2.2.0", A), ("v2.2.0", A)],
                false,
                "v2.2.0 takes the place of 2.2.0 for clients, at the same commit aaaaaaa",
            ),
            (
                "no commit",
                vec![("2.2.0", "")],
                vec![("2.2.0", ""), ("v2.2.0", B)],
                true,
                "v2.2.0 takes the place of 2.2.0 for clients; whether it is the same content is not known",
            ),
            (
                "letters of a prerelease",
                vec![("v1.0.0-rc1", A)],
                vec![("v1.0.0-rc1", A), ("v1.0.0-RC1", B)],
                true,
                takes,
            ),
            (
                "letters of build metadata",
                vec![("v1.0.0+Build", A)],
                vec![("v1.0.0+Build", A), ("v1.0.0+build", B)],
                true,
                takes,
            ),
            (
                "two at once",
                vec![("v1.0.0", A)],
                vec![("v2.0.0", A), ("2.0.0", B), ("v1.0.0", A)],
                true,
                "clients that ask for v2.0.0 get 2.0.0, which comes after it in the file: commit bbbbbbb, not aaaaaaa",
            ),
        ];
        for (name, old, new, differs, text) in cases {
            let found = texts(Kind::Module, &modules(&old), &modules(&new));
            assert_eq!(found.len(), 1, "{name}: {found:?}");
            assert_eq!(found[0].0, differs, "{name}");
            assert!(found[0].1.contains(text), "{name}: {}", found[0].1);
        }
        for (old, new) in [
            (vec![("1.0.0+a", A)], vec![("1.0.0+a", A), ("1.0.0+b", B)]),
            (vec![("1.0.0", A)], vec![("1.1.0", B), ("1.0.0", A)]),
            // `lint` reports twins that existed before.
            (vec![("v1.0.0", A), ("1.0.0", B)], vec![("v1.1.0", A), ("v1.0.0", A), ("1.0.0", B)]),
        ] {
            assert_eq!(texts(Kind::Module, &modules(&old), &modules(&new)), []);
        }
    }

    #[test]
    fn p4_providers_have_two_sets_of_archives() {
        let old = providers(&[("1.0.0-rc1", "aa")]);
        let found = texts(Kind::Provider, &old, &providers(&[("1.0.0-rc1", "aa"), ("1.0.0-RC1", "bb")]));
        let text = "1.0.0-RC1 takes the place of 1.0.0-rc1 for clients: 1 of 1 archives are others";
        assert_eq!(found, [(true, text.to_owned())]);
        let found = texts(Kind::Provider, &old, &providers(&[("1.0.0-rc1", "aa"), ("1.0.0-RC1", "AA")]));
        assert!(!found[0].0 && found[0].1.ends_with(", with the same archives"), "{found:?}");
        // Both tags, v2.0.0 and 2.0.0, are new.
        let both = providers(&[("2.0.0", "aa"), ("2.0.0", "bb"), ("1.0.0-rc1", "aa")]);
        let found = texts(Kind::Provider, &old, &both);
        let text = "2.0.0 is added twice, and clients get the later one: 1 of 1 archives are others";
        assert_eq!(found, [(true, text.to_owned())]);
    }

    /// The order in which a bump would list them is the order of the registry's own tool.
    #[test]
    fn p4_a_bump_is_foreseen() {
        let listed = |version, commit: &str, is_new| Listed {
            version,
            content: Content::Commit(commit.to_owned()),
            is_new,
        };
        let twins = of_bump(
            vec![listed("2.2.0", A, false), listed("2.1.0", A, false)],
            vec![listed("v2.2.0", B, true), listed("v3.0.0", B, true)],
        );
        let texts: Vec<String> = twins.iter().map(Twin::text).collect();
        assert_eq!(texts, ["v2.2.0 takes the place of 2.2.0 for clients: commit aaaaaaa becomes bbbbbbb"]);
        // These do not sort as equal: RC1 is lower, so it comes last and keeps its place.
        let twins = of_bump(vec![listed("v1.0.0-RC1", A, false)], vec![listed("v1.0.0-rc1", B, true)]);
        assert!(twins[0].text().starts_with("clients that ask for v1.0.0-rc1 get v1.0.0-RC1"));
    }
}
