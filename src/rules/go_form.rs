//! A data file as the registry's Go structs would write it back: keys in struct order, fields that are never omitted put
//! in, empty optional ones left out, unknown keys kept behind the known ones (`registry.md#provider-files`).

use crate::registry::{Document, Json, Key, Kind};
use crate::settings::{Feature, Features};

/// Whether the registry's own writer would leave a file as it is.
pub(crate) fn is_kept(kind: Kind, features: Features, document: &Document) -> bool {
    Document::from_root(arrange(kind, features, document.root().clone())).print() == document.print()
}

/// What Go does with a field.
#[derive(Clone, Copy)]
enum Field {
    /// Always written; the given value where it is missing.
    Always(&'static str, Missing),
    /// `omitempty`: left out when it is null, empty or missing.
    Optional(&'static str),
}

#[derive(Clone, Copy)]
enum Missing {
    Null,
    Text,
    Zero,
}

const PROVIDER: [Field; 4] = [
    Field::Optional("repository"),
    Field::Always("versions", Missing::Null),
    Field::Optional("versions_errors"),
    Field::Optional("warnings"),
];

const PROVIDER_VERSION: [Field; 6] = [
    Field::Always("version", Missing::Text),
    Field::Always("protocols", Missing::Null),
    Field::Always("shasums_url", Missing::Text),
    Field::Always("shasums_signature_url", Missing::Text),
    Field::Always("targets", Missing::Null),
    Field::Optional("discovered"),
];

const TARGET: [Field; 7] = [
    Field::Always("os", Missing::Text),
    Field::Always("arch", Missing::Text),
    Field::Always("filename", Missing::Text),
    Field::Always("download_url", Missing::Text),
    Field::Always("shasum", Missing::Text),
    Field::Always("h1", Missing::Text),
    Field::Always("size", Missing::Zero),
];

/// How many of [`TARGET`] existed before the feature `target-hashes`.
const TARGET_BEFORE_HASHES: usize = 5;

const ERROR: [Field; 3] = [
    Field::Always("version", Missing::Text),
    Field::Always("message", Missing::Text),
    Field::Always("utc_time", Missing::Text),
];

const MODULE: [Field; 1] = [Field::Always("versions", Missing::Null)];

const MODULE_VERSION: [Field; 3] = [
    Field::Always("version", Missing::Text),
    Field::Always("commit", Missing::Text),
    Field::Optional("discovered"),
];

const MODULE_VERSION_BEFORE_COMMITS: [Field; 2] =
    [Field::Always("version", Missing::Text), Field::Optional("discovered")];

/// Arranges a whole file. Values move: a large file has ten thousands of them.
pub(crate) fn arrange(kind: Kind, features: Features, root: Json) -> Json {
    match kind {
        Kind::Provider => {
            let target: &'static [Field] =
                if features.has(Feature::TargetHashes) { &TARGET } else { &TARGET[..TARGET_BEFORE_HASHES] };
            let version = |json: Json| {
                let json = object(json, &PROVIDER_VERSION);
                each(json, "targets", |json| object(json, target))
            };
            let root = each(object(root, &PROVIDER), "versions", version);
            each(root, "versions_errors", |json| object(json, &ERROR))
        }
        Kind::Module => {
            let fields: &'static [Field] = if features.has(Feature::ModuleCommits) {
                &MODULE_VERSION
            } else {
                &MODULE_VERSION_BEFORE_COMMITS
            };
            each(object(root, &MODULE), "versions", |json| object(json, fields))
        }
    }
}

fn object(json: Json, known: &[Field]) -> Json {
    let Json::Object(fields) = json else { return json };
    let mut arranged = Vec::with_capacity(fields.len() + 2);
    let mut left: Vec<Option<(Key, Json)>> = fields.into_iter().map(Some).collect();
    for field in known {
        let (name, kept) = match *field {
            Field::Always(name, missing) => {
                (name, Some(take(&mut left, name).unwrap_or_else(|| missing.value())))
            }
            Field::Optional(name) => (name, take(&mut left, name).filter(|value| !is_empty(value))),
        };
        if let Some(value) = kept {
            arranged.push((Key::Borrowed(name), value));
        }
    }
    for at in 0..left.len() {
        if let Some((key, value)) = left[at].take() {
            let value = take(&mut left, &key).unwrap_or(value);
            arranged.push((key, value));
        }
    }
    Json::Object(arranged)
}

/// Takes all values under a key; the last one counts, as for Go's decoder.
fn take(left: &mut [Option<(Key, Json)>], name: &str) -> Option<Json> {
    let mut last = None;
    for slot in left {
        if slot.as_ref().is_some_and(|(key, _)| key == name) {
            last = slot.take().map(|(_, value)| value);
        }
    }
    last
}

/// How a tree departs from what [`arrange`] makes of it, newer format fields aside: a file without them is only older.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Departures {
    /// Objects whose keys are not in struct order, unknown ones last.
    pub(crate) key_orders: u32,
    /// Fields that are missing, that are empty where Go leaves them out, or that stand twice.
    pub(crate) fields: u32,
}

/// Counts what a rewrite would change in the tree.
pub(crate) fn departures(kind: Kind, root: &Json) -> Departures {
    let mut count = Departures::default();
    match kind {
        Kind::Provider => {
            count.look(root, &PROVIDER);
            for version in items_of(root, "versions") {
                count.look(version, &PROVIDER_VERSION);
                for target in items_of(version, "targets") {
                    count.look(target, &TARGET);
                }
            }
            for record in items_of(root, "versions_errors") {
                count.look(record, &ERROR);
            }
        }
        Kind::Module => {
            count.look(root, &MODULE);
            for version in items_of(root, "versions") {
                count.look(version, &MODULE_VERSION);
            }
        }
    }
    count
}

fn items_of<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json.field(key).map(Json::items).unwrap_or_default()
}

/// Fields that came with a feature; files from before it lack them.
const NEWER: [&str; 3] = ["h1", "size", "commit"];

impl Departures {
    fn look(&mut self, json: &Json, known: &[Field]) {
        let Json::Object(fields) = json else { return };
        let name_of = |field: &Field| match *field {
            Field::Always(name, _) | Field::Optional(name) => name,
        };
        let rank = |key: &str| known.iter().position(|field| name_of(field) == key).unwrap_or(known.len());
        if !fields.is_sorted_by_key(|(key, _)| rank(key)) {
            self.key_orders += 1;
        }
        let doubled = |place: usize| fields[..place].iter().any(|(key, _)| *key == fields[place].0);
        self.fields += (0..fields.len()).filter(|place| doubled(*place)).count() as u32;
        for field in known {
            let value = json.field(name_of(field));
            let departs = match field {
                Field::Always(name, _) => value.is_none() && !NEWER.contains(name),
                Field::Optional(_) => value.is_some_and(is_empty),
            };
            self.fields += u32::from(departs);
        }
    }
}

/// Applies a change to each item of the array under a key.
fn each(json: Json, key: &str, change: impl Fn(Json) -> Json) -> Json {
    let Json::Object(fields) = json else { return json };
    let fields = fields.into_iter().map(|(name, value)| match value {
        Json::Array(items) if name == key => (name, Json::Array(items.into_iter().map(&change).collect())),
        other => (name, other),
    });
    Json::Object(fields.collect())
}

fn is_empty(json: &Json) -> bool {
    match json {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        _ => false,
    }
}

impl Missing {
    fn value(self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Text => Json::string(""),
            Self::Zero => Json::number(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Document;

    fn arranged(kind: Kind, features: Features, text: &str) -> String {
        arrange(kind, features, Document::parse(text.as_bytes()).unwrap().root().clone()).print_compact()
    }

    #[test]
    fn providers_come_in_struct_order_with_the_new_fields() {
        let text = r#"{"warnings":["w"],"x":1,"versions":[{"targets":[{"arch":"amd64","os":"linux","note":2,
            "filename":"f","shasum":"s","download_url":"u"}],"version":"1.0.0","shasums_url":"a",
            "shasums_signature_url":"b","protocols":["5.0"]}],"versions_errors":[],"repository":""}"#;
        assert_eq!(
            arranged(Kind::Provider, Features::default(), text),
            r#"{"versions":[{"version":"1.0.0","protocols":["5.0"],"shasums_url":"a","shasums_signature_url":"b","targets":[{"os":"linux","arch":"amd64","filename":"f","download_url":"u","shasum":"s","h1":"","size":0,"note":2}]}],"warnings":["w"],"x":1}"#
        );
        let old = arranged(Kind::Provider, Features::none(), text);
        assert!(!old.contains("h1") && !old.contains("size") && old.contains("\"note\":2"), "{old}");
    }

    #[test]
    fn modules_get_their_commit() {
        let text = r#"{"versions":[{"version":"v1"},{"version":"2.0.0","commit":"abc","discovered":"x"}]}"#;
        assert_eq!(
            arranged(Kind::Module, Features::default(), text),
            r#"{"versions":[{"version":"v1","commit":""},{"version":"2.0.0","commit":"abc","discovered":"x"}]}"#
        );
        assert_eq!(
            arranged(Kind::Module, Features::none(), r#"{"versions":[{"version":"v1"}]}"#),
            r#"{"versions":[{"version":"v1"}]}"#
        );
    }

    /// One way each to be out of the writer's form, and what a writer from before a feature would leave alone.
    #[test]
    fn what_a_rewrite_would_change_is_not_kept() {
        let target = "\"os\": \"linux\",\n          \"arch\": \"amd64\",\n          \"filename\": \"f\",\n          \
                      \"download_url\": \"u\",\n          \"shasum\": \"s\",\n          \"h1\": \"h1:x\",\n          \"size\": 3";
        let file = format!(
            "{{\n  \"versions\": [\n    {{\n      \"version\": \"1.0.0\",\n      \"protocols\": [\n        \"5.0\"\n      ],\n      \
             \"shasums_url\": \"a\",\n      \"shasums_signature_url\": \"b\",\n      \"targets\": [\n        {{\n          {target}\n        \
             }}\n      ],\n      \"discovered\": \"2026-01-01T00:00:00Z\"\n    }}\n  ],\n  \"warnings\": [\n    \"old\"\n  ]\n}}"
        );
        let is_kept = |text: &str, features| {
            super::is_kept(Kind::Provider, features, &Document::parse(text.as_bytes()).unwrap())
        };
        let today = Features::default();
        assert!(is_kept(&file, today));
        let warnings = "\"warnings\": [\n    \"old\"\n  ]";
        let first =
            file.replace(&format!(",\n  {warnings}"), "").replacen('{', &format!("{{\n  {warnings},"), 1);
        for (what, text) in [
            ("the order of the keys", first),
            ("a key that stands twice", file.replace("\"size\": 3", "\"size\": 3,\n          \"size\": 3")),
            ("an empty list", file.replace("    \"old\"\n  ]", "]").replace("[\n]", "[]")),
            ("a field that is always there", file.replace("\"shasums_signature_url\": \"b\",\n      ", "")),
            ("a character that is escaped", file.replace("old", "a & b")),
            ("a line end", format!("{file}\n")),
            ("an indent", file.replace("\n  ", "\n    ")),
        ] {
            assert_ne!(text, file, "{what}");
            assert!(!is_kept(&text, today), "{what}: {text}");
        }
        let older = file.replace(",\n          \"h1\": \"h1:x\",\n          \"size\": 3", "");
        assert!(!is_kept(&older, today) && is_kept(&older, Features::none()));
    }

    #[test]
    fn nil_lists_stay_null() {
        assert_eq!(arranged(Kind::Module, Features::default(), "{}"), r#"{"versions":null}"#);
        assert_eq!(arranged(Kind::Provider, Features::default(), r#"{"versions":[]}"#), r#"{"versions":[]}"#);
    }
}
