//! How the targets of one changed version are shown: the first of each kind open, the others folded, and never a fold that
//! hides an odd one without saying so.

use std::collections::{HashMap, HashSet};

use crate::registry::Json;
use crate::rules::diff::pairing::{Place, pair};
use crate::rules::diff::semantic::{FILLABLE, borrowed, is_empty, platforms, text_of};

/// The change of one platform; in order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlatformMark {
    /// New in the file, with a checksum and an h1.
    Hashed,
    /// New in the file, without an h1.
    Listed,
    /// Nothing differs.
    Same,
    /// An empty h1 or size gets a value, and nothing else differs.
    Filled,
    /// Absent from the version as it was, or from the indexed version below a new one.
    Added,
    Lost,
    Changed,
    /// Unlike the other platforms in host, path pattern, key set or file-name pattern, or listed twice.
    Odd,
}

/// One target of a changed version, in the order of the view.
#[derive(Clone, Debug)]
pub(super) struct TargetRow {
    pub(super) place: Place,
    /// `{ darwin amd64    1f9c02ab.. }`, with what is odd about it.
    pub(super) title: String,
    /// `targets[2] linux_amd64`.
    pub(super) path: String,
    pub(super) folded: bool,
    pub(super) odd: bool,
    /// Its cell in the grid, compared with the target before alone.
    pub(super) mark: PlatformMark,
    /// What the fold of a run of such targets says behind their number; rows with equal texts and kinds fold together.
    pub(super) run: String,
    /// Rows of one kind fold together.
    kind: usize,
}

/// What targets of one version are expected to share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    host: String,
    path: String,
    keys: Vec<String>,
    file: String,
}

/// The targets of a version before and after, and how each is shown.
pub(super) fn rows(old: &[Json], new: &[Json], version: &str) -> Vec<TargetRow> {
    let (old_names, new_names) = (platforms(old), platforms(new));
    let places = pair(&borrowed(&old_names), &borrowed(&new_names));
    let shown = |place: Place| match (place.before(), place.after()) {
        (_, Some(at)) => Some((&new[at], &new_names[at], at)),
        (Some(at), None) => Some((&old[at], &old_names[at], at)),
        (None, None) => None,
    };
    let forms: Vec<Form> =
        places.iter().filter_map(|place| shown(*place)).map(|(json, ..)| form(json, version)).collect();
    let usual = most_common(&forms);
    let mut listed: HashMap<&str, u32> = HashMap::new();
    for name in places.iter().filter_map(|place| Some(shown(*place)?.1)) {
        *listed.entry(name).or_default() += 1;
    }
    let mut kinds: HashMap<(String, &Form), usize> = HashMap::new();
    let mut opened: HashSet<usize> = HashSet::new();
    let mut rows = Vec::with_capacity(places.len());
    for (place, form) in places.iter().zip(&forms) {
        let Some((json, name, at)) = shown(*place) else { continue };
        let change = change_of(*place, old, new);
        let mut differs = usual.map(|usual| differences(form, usual)).unwrap_or_default();
        // One of them would hide the other in a grid.
        let is_twice = listed.get(name.as_str()).is_some_and(|count| *count > 1);
        if differs.is_empty() && is_twice && change.mark != PlatformMark::Same {
            "listed twice".clone_into(&mut differs);
        }
        let count = kinds.len();
        let kind = *kinds.entry((change.word.clone(), form)).or_insert(count);
        let is_first = opened.insert(kind);
        let notes: Vec<&str> =
            [change.word.as_str(), differs.as_str()].into_iter().filter(|note| !note.is_empty()).collect();
        rows.push(TargetRow {
            place: *place,
            title: title(json, &notes),
            path: format!("targets[{at}] {name}"),
            folded: change.is_none || !is_first,
            odd: !differs.is_empty(),
            mark: if differs.is_empty() { change.mark } else { PlatformMark::Odd },
            run: run_words(&change, &differs),
            kind,
        });
    }
    rows
}

impl TargetRow {
    /// Whether it folds into one line together with another.
    pub(super) fn folds_with(&self, other: &Self) -> bool {
        self.folded && other.folded && self.kind == other.kind
    }
}

/// What becomes of a target.
struct Change {
    /// Nothing differs.
    is_none: bool,
    /// `changed in shasum`, `moved`; empty for targets of an added or removed version.
    word: String,
    mark: PlatformMark,
}

fn change_of(place: Place, old: &[Json], new: &[Json]) -> Change {
    let (Some(before), Some(after)) = (place.before(), place.after()) else {
        let has = |key| place.after().is_some_and(|at| !text_of(&new[at], key).is_empty());
        let mark = match (place.after(), has("shasum") && has("h1")) {
            (None, _) => PlatformMark::Lost,
            (Some(_), true) => PlatformMark::Hashed,
            (Some(_), false) => PlatformMark::Listed,
        };
        // Whether it is added or removed is the mark of its lines.
        return Change { is_none: false, word: String::new(), mark };
    };
    let (before, after) = (&old[before], &new[after]);
    let mut fields: Vec<&str> = after
        .fields()
        .iter()
        .chain(before.fields())
        .map(|(key, _)| key.as_ref())
        .filter(|key| before.field(key) != after.field(key))
        .collect();
    let mut seen = HashSet::new();
    fields.retain(|field| seen.insert(*field));
    let fills = |field: &&str| FILLABLE.contains(field) && before.field(field).is_none_or(is_empty);
    let mark = match fields.is_empty() {
        true => PlatformMark::Same,
        false if fields.iter().all(fills) => PlatformMark::Filled,
        false => PlatformMark::Changed,
    };
    let word = match (fields.is_empty(), place) {
        (false, _) => format!("changed in {}", fields.join(", ")),
        (true, Place::Moved { .. }) => "moved".to_owned(),
        (true, _) if before != after => "changed in key order".to_owned(),
        (true, _) => return Change { is_none: true, word: "unchanged".to_owned(), mark },
    };
    Change { is_none: false, word, mark }
}

fn title(json: &Json, notes: &[&str]) -> String {
    let platform = format!("{} {}", text_of(json, "os"), text_of(json, "arch"));
    let sum: String = text_of(json, "shasum").chars().take(8).collect();
    let notes = if notes.is_empty() { String::new() } else { format!("  {}", notes.join(", ")) };
    format!("{{ {platform:<15} {sum}..{notes} }}")
}

fn run_words(change: &Change, differs: &str) -> String {
    match (change.is_none, differs.is_empty()) {
        (true, true) => "unchanged targets".to_owned(),
        (true, false) => format!("unchanged targets, {differs} from the others"),
        (false, is_usual) => {
            let shape = if is_usual { " of the same shape".to_owned() } else { format!(", {differs}") };
            let comma = if change.word.is_empty() { "" } else { ", " };
            format!("more targets{shape}{comma}{}", change.word)
        }
    }
}

/// The form that most of them have; of equally common ones the first.
fn most_common(forms: &[Form]) -> Option<&Form> {
    let mut counts: HashMap<&Form, usize> = HashMap::new();
    for form in forms {
        *counts.entry(form).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    forms.iter().find(|form| counts.get(form) == Some(&most))
}

/// The form that most targets of a version have.
pub(super) fn usual_form(targets: &[Json], version: &str) -> Option<Form> {
    let forms: Vec<Form> = targets.iter().map(|json| form(json, version)).collect();
    most_common(&forms).cloned()
}

impl Form {
    /// Returns true if both are downloaded from one host by one pattern. Key sets grow with the format.
    pub(super) fn is_from_where(&self, other: &Self) -> bool {
        self.host == other.host && self.path == other.path && self.file == other.file
    }

    /// The host and the repository on it: the first two of at least three parts of the path.
    pub(super) fn source(&self) -> String {
        let host = self.host.strip_prefix("https://").unwrap_or(&self.host);
        match self.path.splitn(4, '/').collect::<Vec<_>>()[..] {
            ["", owner, repository, _] => format!("{host}/{owner}/{repository}"),
            _ => host.to_owned(),
        }
    }
}

/// `differs in host, key set`; empty if it does not.
fn differences(form: &Form, usual: &Form) -> String {
    let parts = [
        ("host", form.host == usual.host),
        ("path pattern", form.path == usual.path),
        ("key set", form.keys == usual.keys),
        ("file-name pattern", form.file == usual.file),
    ];
    let differing: Vec<&str> = parts.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect();
    if differing.is_empty() { String::new() } else { format!("differs in {}", differing.join(", ")) }
}

fn form(json: &Json, version: &str) -> Form {
    let (os, arch) = (text_of(json, "os"), text_of(json, "arch"));
    let url = text_of(json, "download_url");
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let platform = format!("{os}_{arch}");
    let mut keys: Vec<String> = json.fields().iter().map(|(key, _)| key.to_string()).collect();
    keys.sort_unstable();
    Form {
        // The scheme belongs to the host: http beside https is odd.
        host: url[..url.len() - path.len()].strip_suffix(host).unwrap_or("").to_owned() + host,
        path: pattern(path, version, &platform),
        keys,
        file: pattern(text_of(json, "filename"), version, &platform),
    }
}

/// The text with version and platform as place holders.
pub(super) fn pattern(text: &str, version: &str, platform: &str) -> String {
    let text = if version.is_empty() { text.to_owned() } else { text.replace(version, "<version>") };
    if platform.is_empty() { text } else { text.replace(platform, "<platform>") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Document;

    fn targets(lines: &[(&str, &str, &str)]) -> Vec<Json> {
        lines
            .iter()
            .map(|(platform, host, sum)| {
                let (os, arch) = platform.split_once('_').unwrap();
                let file = format!("p_1.0.0_{platform}.zip");
                let text = format!(
                    r#"{{"os":"{os}","arch":"{arch}","filename":"{file}","download_url":"https://{host}/d/v1.0.0/{file}","shasum":"{sum}"}}"#
                );
                Document::parse(text.as_bytes()).unwrap().root().clone()
            })
            .collect()
    }

    fn told(old: &[Json], new: &[Json]) -> Vec<String> {
        let row = |row: TargetRow| {
            let flag = |set, text| if set { text } else { "" };
            format!("{}{}{} | {}", flag(row.folded, "fold "), flag(row.odd, "odd "), row.title, row.run)
        };
        rows(old, new, "1.0.0").into_iter().map(row).collect()
    }

    #[test]
    fn the_first_of_each_kind_is_open_and_odd_ones_say_so() {
        let new = targets(&[
            ("darwin_amd64", "github.com", "1f9c02abcd"),
            ("linux_amd64", "github.com", "22"),
            ("linux_arm", "evil.example", "33"),
            ("linux_arm64", "github.com", "44"),
        ]);
        assert_eq!(
            told(&[], &new),
            [
                "{ darwin amd64    1f9c02ab.. } | more targets of the same shape",
                "fold { linux amd64     22.. } | more targets of the same shape",
                "odd { linux arm       33..  differs in host } | more targets, differs in host",
                "fold { linux arm64     44.. } | more targets of the same shape",
            ]
        );
        let mut old = new.clone();
        old[1] = targets(&[("linux_amd64", "github.com", "99")]).remove(0);
        assert_eq!(
            told(&old, &new)[..2],
            [
                "fold { darwin amd64    1f9c02ab..  unchanged } | unchanged targets",
                "{ linux amd64     22..  changed in shasum } | more targets of the same shape, changed in shasum",
            ]
        );
    }

    #[test]
    fn every_part_of_the_form_counts() {
        let usual = targets(&[("linux_amd64", "github.com", "1"), ("linux_arm", "github.com", "1")]);
        for (from, to, what) in [
            ("https://", "http://", "host"),
            ("/d/v1.0.0", "/d/1.0.0", "path pattern"),
            (r#""shasum""#, r#""sum""#, "key set"),
            (r#""filename":"p_1.0.0"#, r#""filename":"p_v1.0.0"#, "file-name pattern"),
        ] {
            let text = targets(&[("darwin_arm64", "github.com", "1")]).remove(0).print_compact();
            let odd = Document::parse(text.replacen(from, to, 1).as_bytes()).unwrap().root().clone();
            let new = [&usual[..], &[odd]].concat();
            assert!(rows(&[], &new, "1.0.0")[2].title.contains(&format!("differs in {what}")), "{what}");
        }
    }
}
