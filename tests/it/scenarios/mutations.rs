//! One small honest pull request, and every way in which it can be another: each is found, and its place is named.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::pull::{WORLD, committed, ready, sending};
use super::review::ROCKET;
use crate::door::Door;

const KEY: &str = "keys/u/umbrella/provider-1.asc";

fn world() -> String {
    let before = "[before]\nat = \"-2d\"\nwithout = { \"umbrella/vpc/aws\" = [\"v1.0.0\"] }\n";
    format!("{WORLD}\n[file]\n\"{KEY}\" = \"no key\"\n{before}")
}

/// One way, and what a review has to say of it.
struct Mutation {
    what: String,
    /// Of a `[[pull]]`: its commits, and what else it says.
    commits: String,
    body: String,
    more: &'static str,
    words: &'static [&'static str],
    place: String,
    /// Only the bytes of the archives show it.
    needs_archives: bool,
}

const FOUND: &[&str] = &["differs", "refused"];
const FINE: &[&str] = &["not-hashed"];

impl Mutation {
    fn new(what: &str, commits: &[Value], place: &str) -> Self {
        Self {
            what: what.into(),
            commits: commits.iter().map(inline).collect::<Vec<_>>().join(", "),
            body: "By hand.".into(),
            more: "",
            words: FOUND,
            place: place.into(),
            needs_archives: false,
        }
    }

    /// The file with these bytes, and nothing else.
    fn of(what: &str, file: &str, place: &str) -> Self {
        Self::new(what, &[json!({ "file": { ROCKET: file } })], place)
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

/// Every value of the file made another: of hashes each digit, of anything else the last character.
fn values(file: &str) -> Vec<Mutation> {
    let (mut all, mut version, mut platform, mut at) = (Vec::new(), "", String::new(), 0);
    for line in file.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim().trim_end_matches(',');
        let (key, value) = trimmed.split_once(": ").unwrap_or(("\"protocols\"", trimmed));
        let (key, plain) = (key.trim_matches('"'), value.trim_matches('"'));
        match key {
            "version" => (version, platform) = (plain, String::new()),
            "os" => plain.clone_into(&mut platform),
            "arch" => platform = format!("{platform}_{plain}"),
            _ => {}
        }
        // When it was discovered is a claim, which is held against what it lies between.
        if plain.is_empty() || key == "discovered" || !plain.starts_with(|c: char| c.is_ascii_alphanumeric())
        {
            continue;
        }
        let from = start + line.find(plain).expect("it is in it");
        let is_hash = matches!(key, "shasum" | "h1");
        let first = if is_hash { plain.find(':').map_or(0, |colon| colon + 1) } else { plain.len() - 1 };
        for place in (first..plain.len()).filter(|place| plain.as_bytes()[*place] != b'=') {
            let is_new = version != "1.0.0";
            let named = match key {
                "os" | "arch" => version.to_owned(),
                // Another version is there then.
                "version" => "1.".to_owned(),
                _ if is_new && platform.is_empty() => format!("{version}: {key}"),
                _ if is_new => format!("{version} {platform}: {key}"),
                _ => version.to_owned(),
            };
            let what = format!("{version} {platform} {key}, character {place}");
            let mutation = Mutation::of(&what, &other_at(file, from + place), &named);
            let needs_archives = is_new && matches!(key, "h1" | "size");
            // Each takes a run of its own: one target tells what all four would.
            if !needs_archives || (version, &*platform) == ("1.2.0", "darwin_arm64") {
                all.push(Mutation { needs_archives, ..mutation });
            }
        }
    }
    all
}

/// The file as a whole, and what stands beside it.
fn others(file: &str) -> Vec<Mutation> {
    let cut = |from: &str, to: &str| {
        let from = file.find(from).expect("it is there");
        let end = from + file[from..].find(to).expect("it ends") + to.len();
        (from, end)
    };
    let replaced = |from: &str, to: &str| {
        assert!(file.contains(from), "{from}");
        file.replacen(from, to, 1)
    };
    // A target, a version: from the brace that opens it to the one of the next.
    let (from, end) = cut("\n        {", "\n        },");
    let target = &file[from..end];
    let added = target.replace("\"arm64\"", "\"386\"").replace("_arm64.zip", "_386.zip");
    let versions: Vec<usize> = file.match_indices("\n    {\n").map(|(at, _)| at).collect();
    let (first, second) = (&file[versions[0]..versions[1]], &file[versions[1]..versions[2]]);
    let swapped = format!("{}{second}{first}{}", &file[..versions[0]], &file[versions[2]..]);
    let fewer = format!("{}{}", &file[..versions[0]], &file[versions[1]..]);
    let doubled = format!("{}{first}{first}{}", &file[..versions[0]], &file[versions[1]..]);
    let discovered = {
        let from = file.find("\"discovered\": \"").expect("it is there") + 15;
        &file[from..from + file[from..].find('"').expect("it ends")]
    };
    let record = "{\n  \"versions_errors\": [\n    {\n      \"version\": \"9.0.0\",\n      \"utc_time\": \"2026-11-01T00:00:00Z\",\n      \"message\": \"no artifacts in release\"\n    }\n  ],";
    let last = file.rfind('}').expect("it is JSON");
    let of = Mutation::of;
    let with = |what: &str, path: &str, text: &str, place: &str| {
        Mutation::new(what, &[json!({ "file": { ROCKET: file, path: text } })], place)
    };
    let as_mode = |what: &str, mode: &str| {
        Mutation::new(what, &[json!({ "file": { ROCKET: file }, "mode": { ROCKET: mode } })], what)
    };
    let honest = json!({ "file": { ROCKET: file } });
    let flipped = json!({ "file": { ROCKET: replaced("\"protocols\"", "\"protocol\"") } });
    let aside = json!({ "file": { "docs/rocket.json": file }, "gone": [ROCKET] });
    vec![
        of("a target more", &format!("{}{added}{}", &file[..from], &file[from..]), "_386"),
        of("a target less", &format!("{}{}", &file[..from], &file[end..]), "is missing"),
        of("a target twice", &format!("{}{target}{}", &file[..from], &file[from..]), "1.2.0"),
        of("versions in another order", &swapped, "place"),
        of("a version less, of those in the title", &fewer.replacen("1.1.0", "1.1.9", 1), "1.1.9"),
        of("a version twice", &doubled, "1.2.0 stands there more than once"),
        of("another host", &replaced("https://github.com/acme", "https://github.co/acme"), "1.2.0"),
        of(
            "another repository",
            &replaced("github.com/acme/terraform", "github.com/acmf/terraform"),
            "1.2.0",
        ),
        of("look-alike letters in a URL", &replaced("github.com/acme", "github.com/\u{430}cme"), "1.2.0"),
        of("discovered in the future", &replaced(discovered, "2026-11-21T13:00:00Z"), "1.2.0"),
        of("discovered before it was published", &replaced(discovered, "2001-01-01T00:00:00Z"), "1.2.0"),
        of("discovered before the year 0", &replaced(discovered, "-000001-01-01T00:00:00Z"), "1.2.0"),
        of("discovered, no time", &replaced(discovered, "yesterday"), "wrong content at"),
        of("discovered in another zone", &replaced(discovered, "2026-11-21T11:00:00+01:00"), "1.2.0"),
        of("a line end behind it", &format!("{file}\n"), "its bytes are not"),
        of("line ends of Windows", &file.replace('\n', "\r\n"), "its bytes are not"),
        of("tabs", &file.replace("  ", "\t"), "its bytes are not"),
        of("a blank", &replaced("\": \"", "\":  \""), "its bytes are not"),
        of("a byte order mark", &format!("\u{feff}{file}"), ""),
        of(
            "keys in another order",
            &replaced("\"os\": \"", "\"arch\": \"amd64\",\n          \"os\": \""),
            "1.2.0",
        ),
        of("an escape for a letter", &replaced("1.2.0_", "1.2.\\u0030_"), "its bytes are not"),
        of("a key that is not known", &replaced("\"protocols\"", "\"x\": 1,\n      \"protocols\""), "1.2.0"),
        of("a key less", &replaced("\"protocols\"", "\"protocol\""), "1.2.0"),
        of("a warning", &replaced("{", "{\n  \"warnings\": [\n    \"use another\"\n  ],"), "warnings"),
        of("a failed try", &replaced("{", record), "versions_errors"),
        of("a field of the file", &format!("{},\n  \"more\": 1\n}}", file[..last].trim_end()), "more"),
        of("half of it", &file[..file.len() / 2], ""),
        of("nothing", "", ""),
        with("a file more", "README.md", "x", "README.md"),
        with("a workflow", ".github/workflows/bump-versions.yml", "on: push", "bump-versions.yml"),
        with("another entry's", "modules/u/umbrella/vpc/aws.json", "{\n  \"versions\": []\n}", "aws.json"),
        with("the blacklist", "versions_blacklist.json", "{}", "versions_blacklist.json"),
        with("a key", "keys/a/acme/provider-1795262400.asc", "no key", "keys/a/acme/provider-1795262400.asc"),
        with("a key replaced", KEY, "another", KEY),
        with("another case", "providers/a/Acme/rocket.json", file, "Acme"),
        with("another case of the letter", "providers/A/acme/rocket.json", file, "providers/A/"),
        with("another case of the folder", "Providers/a/acme/rocket.json", file, "Providers/"),
        with("look-alike letters", "providers/a/\u{430}cme/rocket.json", file, "rocket.json"),
        with("a digit for a letter", "providers/a/acme/r0cket.json", file, "r0cket"),
        with("another letter's folder", "providers/b/acme/rocket.json", file, "providers/b/"),
        with("one folder too deep", "providers/a/acme/rocket/rocket.json", file, "rocket/rocket.json"),
        with("a name that ends in a blank", "providers/a/acme/rocket.json ", file, "rocket.json "),
        as_mode("is executable", "100755"),
        as_mode("is a symbolic link", "120000"),
        as_mode("is another repository", "160000"),
        Mutation::new("removed", &[json!({ "gone": [ROCKET] })], "the file is removed"),
        Mutation::new("moved", &[aside], "docs/rocket.json"),
        Mutation::new(
            "a key removed",
            &[json!({ "file": { ROCKET: file }, "gone": [KEY] })],
            "a key that is on file is removed",
        ),
        Mutation::new("a second commit that spoils the first", &[honest.clone(), flipped.clone()], "1.2.0"),
        // All of it counts, and nothing of what lies between.
        Mutation {
            words: FINE,
            ..Mutation::new("a second commit that mends the first", &[flipped, honest.clone()], "")
        },
        Mutation { words: FINE, more: "on_before = true\n", ..Mutation::new("an older base", &[honest], "") },
    ]
}

/// What the block of evidence can be but what bumpdesk wrote of this very file.
fn evidence(file: &str, body: &str) -> Vec<Mutation> {
    let of = |what: &str, body: String, place: &str| Mutation { body, ..Mutation::of(what, file, place) };
    let start = body.find("<!-- bumpdesk evidence").expect("it has a block");
    let block = &body[start..];
    let (mut all, mut digests) = (Vec::new(), Vec::new());
    for side in ["\"base\":\"", "\"outcome\":\""] {
        let places = body.match_indices(side).map(|(at, _)| at + side.len());
        // The commit that it was made on is a digest of git's.
        digests.extend(places.filter(|at| body[*at..].find('"') == Some(64)));
    }
    assert_eq!(digests.len(), 2, "{block}");
    for at in &digests {
        for place in *at..*at + 64 {
            let named = "its evidence has";
            all.push(of(&format!("a digit of the evidence, {place}"), other_at(body, place), named));
        }
    }
    let [base, outcome] = [0, 1].map(|at| body[digests[at]..digests[at] + 64].to_owned());
    let swapped = body.replace(&base, "#").replace(&outcome, &base).replace('#', &outcome);
    all.extend([
        of("both sides of the evidence swapped", swapped, "its evidence has"),
        of("the evidence twice", format!("{body}\n{block}"), "2 blocks"),
        of(
            "the evidence of another file",
            body.replace(ROCKET, "providers/a/acme/anvil.json"),
            "its evidence",
        ),
        of("a blank in the evidence", body.replacen("\":\"", "\": \"", 1), "not as bumpdesk writes one"),
        of(
            "half of the evidence",
            body[..body.len() - block.len() / 2].to_owned(),
            "not as bumpdesk writes one",
        ),
    ]);
    // The block alone proves nothing.
    let spoiled = file.replacen("1.2.0_linux", "1.2.0_linus", 1);
    all.push(Mutation {
        body: body.to_owned(),
        ..Mutation::of("true evidence, another file", &spoiled, "1.2.0")
    });
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn every_mutation_is_found_and_named() {
    let door = Door::on(&world()).await;
    for words in ["add", "show", "approve"] {
        door.said(&format!("plan {words} acme/rocket")).await.is(0, &[]);
    }
    let prepared = sending(&ready(&door, &door.plan_name().await, "--json").await);
    let file = String::from_utf8(committed(&prepared, ROCKET)).expect("UTF-8");
    let body = prepared["requests"][2]["body"]["body"].as_str().expect("a text").to_owned();
    let honest = Mutation {
        words: FINE,
        body: body.clone(),
        ..Mutation::of("honest", &file, "and agrees with the files")
    };
    let all: Vec<Mutation> = std::iter::once(honest)
        .chain(values(&file))
        .chain(others(&file))
        .chain(evidence(&file, &body))
        .collect();
    let mut text = world();
    for (number, one) in (1_000..).zip(&all) {
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
    let mut reviews: BTreeMap<u64, Value> = BTreeMap::new();
    let listed = door.said("review --json").await;
    let mut keep = |said: Vec<Value>| {
        let is_review = said.into_iter().filter(|object| object["type"] == "review");
        reviews.extend(is_review.map(|review| (review["number"].as_u64().expect("a number"), review)));
    };
    keep(listed.objects());
    for (number, _) in (1_000_u64..).zip(&all).filter(|(_, one)| one.needs_archives) {
        keep(door.said(&format!("review {number} --hash --json")).await.objects());
    }
    let mut slipped = Vec::new();
    for (number, one) in (1_000..).zip(&all) {
        let Some(review) = reviews.get(&number) else {
            slipped.push(format!("{}: it is not listed", one.what));
            continue;
        };
        let word = review["result"].as_str().unwrap_or_default();
        let told = format!("{} {}", review["files"], review["notes"]);
        if !one.words.contains(&word) || !told.contains(&one.place) {
            slipped.push(format!("{}: {word}, and `{}` is looked for in {told:.900}", one.what, one.place));
        }
    }
    let hashed = all.iter().filter(|one| one.needs_archives).count();
    println!("{} mutations, {hashed} of them with their archives hashed", all.len() - 1);
    assert!(slipped.is_empty(), "{} slipped:\n{}", slipped.len(), slipped.join("\n"));
    assert!(all.len() > 300, "{}", all.len());
}
