//! Small honest pull requests, and every way in which each can be another: each is found, and its place is named.

mod blacklist;
mod module;
mod new_module;
mod new_provider;
mod provider;

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::pull::{committed, ready, sending};
use crate::door::Door;

const KEY: &str = "keys/u/umbrella/provider-1.asc";

/// One way, and what a review has to say of it.
struct Mutation {
    what: String,
    /// Of a `[[pull]]`: its commits, and what else it says.
    commits: String,
    body: String,
    more: &'static str,
    words: &'static [&'static str],
    /// Each is named; none where nothing is to be found.
    places: Vec<String>,
    /// Only the bytes of the archives show it.
    needs_archives: bool,
    /// So many places are otherwise at once, and each of them is found.
    made: usize,
}

const FOUND: &[&str] = &["differs", "refused"];

impl Mutation {
    fn new(what: &str, commits: &[Value], place: &str) -> Self {
        Self {
            what: what.into(),
            commits: commits.iter().map(inline).collect::<Vec<_>>().join(", "),
            body: "By hand.".into(),
            more: "",
            words: FOUND,
            places: vec![place.into()],
            needs_archives: false,
            made: 1,
        }
    }

    /// Whether there is something to be found.
    fn is_wrong(&self) -> bool {
        self.words.iter().all(|word| ["differs", "refused"].contains(word))
    }

    /// What a review says instead of what it has to; `None` where it says that.
    fn slips(&self, review: Option<&Value>) -> Option<String> {
        let Some(review) = review else { return Some(format!("{}: it is not listed", self.what)) };
        let word = review["result"].as_str().unwrap_or_default();
        let mut told: Vec<&str> = Vec::new();
        for file in review["files"].as_array().expect("files") {
            told.extend(file["path"].as_str());
            told.extend(file["points"].as_array().expect("points").iter().filter_map(Value::as_str));
        }
        told.extend(review["notes"].as_array().expect("notes").iter().filter_map(Value::as_str));
        let told = told.join("\n");
        let lost: Vec<&String> = self.places.iter().filter(|place| !told.contains(&***place)).collect();
        (!self.words.contains(&word) || !lost.is_empty())
            .then(|| format!("{}: {word}, and {lost:?} is looked for in {told:.900}", self.what))
    }
}

/// The one file of a pull request, as it should be.
struct Honest<'f> {
    path: &'f str,
    text: &'f str,
    /// The version that the registry has; `None`: the entry is new.
    indexed: Option<&'f str>,
    /// The first version in it, which is claimed.
    first: &'f str,
    /// The word for it.
    fine: &'static [&'static str],
}

impl Honest<'_> {
    /// With these bytes, and nothing else.
    fn of(&self, what: &str, text: &str, place: &str) -> Mutation {
        Mutation::new(what, &[json!({ "file": { self.path: text } })], place)
    }

    /// As it should be, and something besides.
    fn with(&self, what: &str, path: &str, text: &str, place: &str) -> Mutation {
        Mutation::new(what, &[json!({ "file": { self.path: self.text, path: text } })], place)
    }

    fn replaced(&self, from: &str, to: &str) -> String {
        assert!(self.text.contains(from), "{from}");
        self.text.replacen(from, to, 1)
    }

    /// The text of the first field of that name.
    fn field(&self, name: &str) -> &str {
        let rest = self.text.split_once(&format!("\"{name}\": \"")).expect("it is there").1;
        rest.split_once('"').expect("it ends").0
    }

    /// Where each version begins, by the brace that opens it.
    fn versions(&self) -> Vec<usize> {
        let end = self.text.find("\"versions_errors\"").unwrap_or(self.text.len());
        self.text[..end].match_indices("\n    {\n").map(|(at, _)| at).collect()
    }

    /// Every value made another: of hashes each digit, of anything else the last character.
    fn values(&self) -> Vec<Mutation> {
        let (mut all, mut version, mut platform, mut at) = (Vec::new(), "", String::new(), 0);
        let (mut hashed, mut is_record) = (BTreeMap::<_, Vec<(usize, String)>>::new(), false);
        for line in self.text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let trimmed = line.trim().trim_end_matches(',');
            let (key, value) = trimmed.split_once(": ").unwrap_or(("\"protocols\"", trimmed));
            let (key, plain) = (key.trim_matches('"'), value.trim_matches('"'));
            match key {
                "versions_errors" => is_record = true,
                "version" => (version, platform) = (plain, String::new()),
                "os" => plain.clone_into(&mut platform),
                "arch" => platform = format!("{platform}_{plain}"),
                _ => {}
            }
            // When it was discovered or tried is a claim, which is held against what it lies between.
            let is_claim = ["discovered", "utc_time"].contains(&key);
            if is_claim || !plain.starts_with(|c: char| c.is_ascii_alphanumeric()) {
                continue;
            }
            let from = start + line.find(plain).expect("it is in it");
            let has_digits = matches!(key, "shasum" | "h1" | "commit" | "size");
            let first =
                if has_digits { plain.find(':').map_or(0, |colon| colon + 1) } else { plain.len() - 1 };
            for place in (first..plain.len()).filter(|place| plain.as_bytes()[*place] != b'=') {
                let is_new = self.indexed != Some(version);
                let named = match key {
                    _ if is_record => "versions_errors".to_owned(),
                    "os" | "arch" => version.to_owned(),
                    "version" if is_new => other_at(version, place),
                    "version" => format!("{version} is removed"),
                    _ if is_new && platform.is_empty() => format!("{version}: {key}"),
                    _ if is_new => format!("{version} {platform}: {key}"),
                    _ => version.to_owned(),
                };
                if is_new && matches!(key, "h1" | "size") {
                    hashed.entry((key, place)).or_default().push((from + place, named));
                    continue;
                }
                let what = format!("{version} {platform} {key}, character {place}");
                all.push(self.of(&what, &other_at(self.text, from + place), &named));
            }
        }
        // A review that reads archives takes its time: the same digit of all targets is another in one, which names each of them.
        all.extend(hashed.into_iter().map(|((key, place), others)| {
            let text = others.iter().fold(self.text.to_owned(), |text, (at, _)| other_at(&text, *at));
            let (made, what) =
                (others.len(), format!("{key} of {} targets, character {place}", others.len()));
            let places = others.into_iter().map(|(_, named)| named).collect();
            Mutation { places, made, needs_archives: true, ..self.of(&what, &text, "") }
        }));
        all
    }

    /// Its path in every other case and with every letter that reads like another.
    fn paths(&self) -> Vec<Mutation> {
        let twin = |letter: char| match letter {
            'a' => Some('\u{430}'),
            'c' => Some('\u{441}'),
            'e' => Some('\u{435}'),
            'i' => Some('\u{456}'),
            'k' => Some('\u{43a}'),
            'l' => Some('1'),
            'o' => Some('0'),
            'p' => Some('\u{440}'),
            's' => Some('5'),
            _ => None,
        };
        let mut all = Vec::new();
        for (at, letter) in self.path.char_indices().filter(|(_, letter)| letter.is_ascii_alphabetic()) {
            for other in [Some(letter.to_ascii_uppercase()), twin(letter)].into_iter().flatten() {
                let path = format!("{}{other}{}", &self.path[..at], &self.path[at + 1..]);
                let what = format!("{other} at {at} of the path");
                // What the registry's tools never read is no pull request of the list.
                if other.is_ascii_uppercase() || at > self.path.find('/').expect("it has a folder") {
                    all.push(Mutation::new(&what, &[json!({ "file": { &*path: self.text } })], &path));
                }
                all.push(self.with(&format!("{what}, beside it"), &path, self.text, &path));
            }
        }
        all
    }

    /// The file as a whole.
    fn bytes(&self) -> Vec<Mutation> {
        let (text, first) = (self.text, self.first);
        let of = |what: &str, text: &str, place: &str| self.of(what, text, place);
        let record = "{\n  \"versions_errors\": [\n    {\n      \"version\": \"9.0.0\",\n      \"utc_time\": \"2026-11-01T00:00:00Z\",\n      \"message\": \"no artifacts in release\"\n    }\n  ],";
        let last = text.rfind('}').expect("it is JSON");
        let emptied = match self.indexed {
            Some(indexed) => format!("{indexed} is removed, and it is indexed"),
            None if self.path.starts_with("providers/") => format!("{first} is missing"),
            None => "upstream has none of these versions".to_owned(),
        };
        let versions = self.versions();
        let one = &text[versions[0]..versions[1]];
        let doubled = format!("{}{one}{one}{}", &text[..versions[0]], &text[versions[1]..]);
        let found = self.field("discovered");
        let clock = |what: &str, other: &str| of(what, &self.replaced(found, other), first);
        let (zoned, spaced) = (format!("{}+00:00", found.trim_end_matches('Z')), found.replacen('T', " ", 1));
        vec![
            of("a version twice", &doubled, &format!("{first} stands there more than once")),
            clock("discovered in the future", "2026-11-21T13:00:00Z"),
            clock("discovered before there was a registry", "2001-01-01T00:00:00Z"),
            clock("discovered before the year 0", "-000001-01-01T00:00:00Z"),
            of(
                "discovered after all years",
                &self.replaced(found, "9999-12-31T23:59:59Z"),
                "wrong content at",
            ),
            clock("discovered in another zone", "2026-11-21T11:00:00+01:00"),
            clock("discovered in no zone", &zoned),
            clock("discovered with a blank for the T", &spaced),
            of("discovered, no time", &self.replaced(found, "yesterday"), "wrong content at"),
            of(
                "discovered, a number",
                &self.replaced(&format!("\"{found}\""), "1795262400"),
                "wrong content at",
            ),
            of(
                "discovered, nothing",
                &self.replaced(&format!("\"{found}\""), "null"),
                &format!("{first}: its `discovered`"),
            ),
            of(
                "not discovered",
                &self.replaced(&format!(",\n      \"discovered\": \"{found}\""), ""),
                &format!("{first}: discovered is missing"),
            ),
            of("a line end behind it", &format!("{text}\n"), "its bytes are not"),
            of("line ends of Windows", &text.replace('\n', "\r\n"), "its bytes are not"),
            of("one line end of Windows", &text.replacen('\n', "\r\n", 1), "its bytes are not"),
            of("tabs", &text.replace("  ", "\t"), "its bytes are not"),
            of("a blank", &self.replaced("\": \"", "\":  \""), "its bytes are not"),
            of("a blank at the end of a line", &self.replaced(",\n", ", \n"), "its bytes are not"),
            of("a byte order mark", &format!("\u{feff}{text}"), "starts with a byte order mark"),
            of("a NUL behind it", &format!("{text}\0"), "trailing characters"),
            of("another document behind it", &format!("{text}\n{text}"), "trailing characters"),
            of(
                "an escape for a letter",
                &self.replaced("\"discovered\"", "\"d\\u0069scovered\""),
                "its bytes are not",
            ),
            of("a key in another case", &self.replaced("\"discovered\"", "\"Discovered\""), first),
            of(
                "a key twice",
                &self.replaced("\"discovered\"", "\"version\": \"9.9.9\",\n      \"discovered\""),
                "9.9.9",
            ),
            of(
                "a key that is not known",
                &self.replaced("\"discovered\"", "\"x\": 1,\n      \"discovered\""),
                first,
            ),
            Mutation {
                words: if self.path.starts_with("providers/") { &["person-decides"] } else { FOUND },
                ..of(
                    "a warning",
                    &self.replaced("{", "{\n  \"warnings\": [\n    \"use another\"\n  ],"),
                    "warnings",
                )
            },
            of("a field of the file", &format!("{},\n  \"more\": 1\n}}", text[..last].trim_end()), "more"),
            of("a list twice", &format!("{},\n  \"versions\": []\n}}", text[..last].trim_end()), &emptied),
            of("half of it", &text[..text.len() / 2], "EOF while parsing"),
            of("a comment", &self.replaced("{", "{ // by hand"), "key must be a string"),
            of("nothing", "", "EOF while parsing a value"),
            of("an empty object", "{}", &emptied),
            of("a list", "[]", "the root is an array"),
            of("no versions", "{\n  \"versions\": []\n}", &emptied),
            of(
                "a failed try",
                &self.replaced("{", record),
                if text.contains("versions_errors") { "a key that stands twice" } else { "versions_errors" },
            ),
        ]
    }

    /// What stands beside it, how it is there, and the commits that bring it.
    fn around(&self) -> Vec<Mutation> {
        let (path, text) = (self.path, self.text);
        let (folder, name) = path.rsplit_once('/').expect("it has a folder");
        let stem = name.trim_end_matches(".json");
        let (kind, rest) = path.split_once('/').expect("it has a kind");
        let with = |what: &str, path: &str, text: &str| self.with(what, path, text, path);
        let at =
            |what: &str, path: String| Mutation::new(what, &[json!({ "file": { &*path: text } })], &path);
        let as_mode = |what: &str, mode: &str| {
            Mutation::new(what, &[json!({ "file": { path: text }, "mode": { path: mode } })], what)
        };
        let honest = json!({ "file": { path: text } });
        let flipped = json!({ "file": { path: self.replaced(self.first, "1.9.9") } });
        let aside = json!({ "file": { "docs/aside.json": text }, "gone": [path] });
        let fine = |what: &str, commits: &[Value]| Mutation {
            words: self.fine,
            places: Vec::new(),
            ..Mutation::new(what, commits, "")
        };
        let mut all = vec![
            with("a file more", "README.md", "x"),
            with("a workflow", ".github/workflows/bump-versions.yml", "on: push"),
            with("a file of git's", ".gitattributes", "*.json -diff"),
            with("submodules", ".gitmodules", "[submodule \"x\"]"),
            with("another entry's", "modules/u/umbrella/other/aws.json", "{\n  \"versions\": []\n}"),
            with("the blacklist", "versions_blacklist.json", "{}"),
            with("a key", "keys/a/acme/provider-1795262400.asc", "no key"),
            with("a key replaced", KEY, "another"),
            with("a name that ends in a blank", &format!("{path} "), text),
            with("a name that begins with a blank", &format!("{folder}/ {name}"), text),
            with("a name with a line end", &format!("{folder}/{stem}\n.json"), text),
            with("another ending", &format!("{folder}/{stem}.JSON"), text),
            with("no ending", &format!("{folder}/{stem}"), text),
            with("one folder too deep", &format!("{folder}/{stem}/{name}"), text),
            at("another letter's folder", format!("{kind}/z/{}", rest.split_once('/').expect("a letter").1)),
            at("without its letter", format!("{kind}/{}", rest.split_once('/').expect("a letter").1)),
            at("two slashes' worth", format!("{kind}/-/{rest}")),
            as_mode("is executable", "100755"),
            as_mode("is a symbolic link", "120000"),
            as_mode("is another repository", "160000"),
            Mutation::new(
                "a key removed",
                &[json!({ "file": { path: text }, "gone": [KEY] })],
                "a key that is on file is removed",
            ),
            Mutation::new(
                "a second commit that spoils the first",
                &[honest.clone(), flipped.clone()],
                "1.9.9",
            ),
            Mutation::new(
                "a second commit that spoils its mode",
                &[honest.clone(), json!({ "mode": { path: "100755" } })],
                "is executable",
            ),
            Mutation::new(
                "a second commit that brings a file",
                &[honest.clone(), json!({ "file": { "README.md": "x" } })],
                "README.md",
            ),
            // All of it counts, and nothing of what lies between.
            fine("a second commit that mends the first", &[flipped, honest.clone()]),
            fine(
                "a file that comes and goes",
                &[json!({ "file": { path: text, "README.md": "x" } }), json!({ "gone": ["README.md"] })],
            ),
            Mutation { more: "on_before = true\n", ..fine("an older base", std::slice::from_ref(&honest)) },
        ];
        if self.indexed.is_some() {
            all.push(Mutation::new("removed", &[json!({ "gone": [path] })], "the file is removed"));
            all.push(Mutation::new("moved", std::slice::from_ref(&aside), "docs/aside.json"));
            all.push(Mutation::new("moved, and named", &[aside], "the file is removed"));
        }
        all
    }
}

/// A value as TOML has it within a line.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{} = {}", json!(key), inline(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// The text with the character at a place made another of its kind.
fn other_at(text: &str, at: usize) -> String {
    let other = match text.as_bytes()[at] {
        b'0' => '1',
        b'9' => '8',
        b'a'..=b'e' | b'A'..=b'Y' | b'g'..=b'y' | b'1'..=b'8' => char::from(text.as_bytes()[at] + 1),
        b'f' => 'a',
        _ => 'B',
    };
    format!("{}{other}{}", &text[..at], &text[at + 1..])
}

/// The file that bumpdesk would send once these words are said, and the text of its pull request.
async fn honest(world: &str, words: &[&str], address: &str, path: &str) -> (String, String) {
    let door = Door::on(world).await;
    for words in words.iter().copied().chain(["show", "approve"]) {
        let about = if words.contains(' ') { "" } else { address };
        door.said(&format!("plan {words} {about}")).await.is(0, &[]);
    }
    let prepared = sending(&ready(&door, &door.plan_name().await, "--json").await);
    let file = String::from_utf8(committed(&prepared, path)).expect("UTF-8");
    (file, prepared["requests"][2]["body"]["body"].as_str().expect("a text").to_owned())
}

/// Opens each as a pull request of its own in that world, and holds what a review says of it against its word and its places.
async fn are_found(world: &str, all: &[Mutation]) {
    for one in all.iter().filter(|one| one.is_wrong()) {
        assert!(!one.places.is_empty() && one.places.iter().all(|place| !place.is_empty()), "{}", one.what);
    }
    let (hashed, listed): (Vec<&Mutation>, Vec<&Mutation>) = all.iter().partition(|one| one.needs_archives);
    let mut slipped = Vec::new();
    // A review of one looks at all others of the same files: those that take one each are among themselves.
    for some in [&listed, &hashed] {
        let mut text = world.to_owned();
        for (number, one) in (1_000..).zip(some) {
            let _ = writeln!(
                text,
                "[[pull]]\nnumber = {number}\nauthor = \"ann\"\ntitle = {}\nbody = {}\nopened = \"-0m\"\n{}commit = [{}]",
                json!(one.what),
                json!(one.body),
                one.more,
                one.commits
            );
        }
        let door = Door::on(&text).await;
        let mut said = door.said("review --json").await.objects();
        for (number, _) in (1_000..).zip(some).filter(|(_, one)| one.needs_archives) {
            said.extend(door.said(&format!("review {number} --hash --json")).await.objects());
        }
        let reviews = said.iter().filter(|object| object["type"] == "review");
        let reviews: BTreeMap<u64, &Value> =
            reviews.map(|review| (review["number"].as_u64().expect("a number"), review)).collect();
        slipped
            .extend((1_000..).zip(some).filter_map(|(number, one)| one.slips(reviews.get(&number).copied())));
    }
    let made: usize = all.iter().map(|one| one.made).sum();
    let read: usize = hashed.iter().map(|one| one.made).sum();
    println!("{made} mutations, {read} of them with their archives hashed");
    assert!(slipped.is_empty(), "{} slipped:\n{}", slipped.len(), slipped.join("\n"));
}
