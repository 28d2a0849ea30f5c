//! The blacklist: two maintainers decide on it, so nothing of it is the same, and each entry that changes is named.

use serde_json::json;

use super::super::pull::WORLD;
use super::{Mutation, are_found, other_at};

const BLACKLIST: &str = "versions_blacklist.json";
const REFUSED: &[&str] = &["refused"];

/// Two providers and a module, each with a reason.
const LIST: &str = r#"{
  "providers": [
    {
      "namespace": "acme",
      "name": "rocket",
      "version": "0.9.0",
      "reason": "broken"
    },
    {
      "namespace": "acme",
      "name": "anvil",
      "version": "2.0.0",
      "reason": "withdrawn"
    }
  ],
  "modules": [
    {
      "namespace": "umbrella",
      "name": "vpc",
      "target_system": "aws",
      "version": "0.1.0",
      "reason": "by mistake"
    }
  ]
}
"#;
const NAMES: [&str; 3] = ["acme/rocket 0.9.0", "acme/anvil 2.0.0", "umbrella/vpc/aws 0.1.0"];

fn of(what: &str, text: &str, places: &[&str]) -> Mutation {
    Mutation {
        words: REFUSED,
        places: places.iter().map(|place| (*place).to_owned()).collect(),
        ..Mutation::new(what, &[json!({ "file": { BLACKLIST: text } })], "")
    }
}

/// Each text of each entry with another last character.
fn values() -> Vec<Mutation> {
    let (mut all, mut at) = (Vec::new(), 0);
    let entries: Vec<(usize, &str)> = LIST.match_indices("    {\n").collect();
    for line in LIST.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((key, value)) = line.trim().trim_end_matches(',').split_once(": \"") else { continue };
        let which = entries.iter().filter(|(entry, _)| *entry <= start).count() - 1;
        let end = start + line.rfind('"').expect("a text") - 1;
        let text = other_at(LIST, end);
        let what = format!("{key} of {}", NAMES[which]);
        let value = value.trim_end_matches('"');
        let other = &text[end + 1 - value.len()..=end];
        let places = if key == "\"reason\"" {
            vec![format!("the reason of {} was {value}, and becomes {other}", NAMES[which])]
        } else {
            let parts = |separator: &str| {
                NAMES[which].replace(&format!("{separator}{value}"), &format!("{separator}{other}"))
            };
            let name = match key {
                "\"namespace\"" => NAMES[which].replacen(value, other, 1),
                "\"version\"" => parts(" "),
                _ => parts("/"),
            };
            vec![
                format!("{name} is put on the blacklist"),
                format!("{} is taken off the blacklist", NAMES[which]),
            ]
        };
        all.push(Mutation { places, ..of(&what, &text, &[]) });
        // Go takes a name in any case, and the later of two.
        let name = key.trim_matches('"');
        let twice = line.replacen(key, &format!("\"{}\"", name.to_ascii_uppercase()), 1);
        let comma =
            if line.trim_end().ends_with(',') { line.to_owned() } else { format!("{},\n", line.trim_end()) };
        let with = |more: &str| format!("{}{comma}{more}{}", &LIST[..start], &LIST[at..]);
        let unread = ["it cannot be read"];
        all.push(of(&format!("{what}, twice"), &with(line), &unread));
        all.push(of(
            &format!("{what}, again in upper case"),
            &with(&twice.replacen(value, other, 1)),
            &unread,
        ));
        if name != "reason" {
            all.push(of(&format!("{what}, none"), &format!("{}{}", &LIST[..start], &LIST[at..]), &unread));
        }
    }
    all
}

fn others() -> Vec<Mutation> {
    let replaced = |from: &str, to: &str| {
        assert!(LIST.contains(from), "{from}");
        LIST.replacen(from, to, 1)
    };
    let entry = |at: usize| {
        let from = LIST.match_indices("    {\n").nth(at).expect("an entry").0;
        &LIST[from..from + LIST[from..].find("\n    }").expect("it ends") + 6]
    };
    let (rocket, anvil, vpc) = (entry(0), entry(1), entry(2));
    let off = |name: &str| format!("{name} is taken off the blacklist, so that a bump may add it");
    let same = "it is written in another way, and keeps out the same";
    let unread = "it cannot be read";
    let moved = replaced(&format!(",\n{anvil}"), &format!(",\n{anvil},\n{vpc}")).replacen(
        &format!("\"modules\": [\n{vpc}\n  ]"),
        "\"modules\": []",
        1,
    );
    let plain = vpc.replace("      \"target_system\": \"aws\",\n", "");
    let listed = replaced(&format!(",\n{anvil}"), &format!(",\n{anvil},\n{plain}"));
    vec![
        of("the first goes", &replaced(&format!("{rocket},\n"), ""), &[&off(NAMES[0])]),
        of("the second goes", &replaced(&format!(",\n{anvil}"), ""), &[&off(NAMES[1])]),
        of("the module goes", &replaced(&format!("\n{vpc}\n  "), ""), &[&off(NAMES[2])]),
        of("all of it goes", "{}", &[&off(NAMES[0]), &off(NAMES[1]), &off(NAMES[2])]),
        of("both lists are none", r#"{"providers":null,"modules":null}"#, &[&off(NAMES[0]), &off(NAMES[2])]),
        Mutation {
            words: REFUSED,
            places: NAMES.map(off).to_vec(),
            ..Mutation::new("the file goes", &[json!({ "gone": [BLACKLIST] })], "")
        },
        of(
            "what is indexed",
            &replaced("\"0.9.0\"", "\"1.0.0\""),
            &["acme/rocket 1.0.0 is put on the blacklist", &off(NAMES[0])],
        ),
        of(
            "a v before it",
            &replaced("\"0.9.0\"", "\"v0.9.0\""),
            &["acme/rocket v0.9.0 is put on", &off(NAMES[0])],
        ),
        of(
            "another case",
            &replaced("\"acme\"", "\"Acme\""),
            &["Acme/rocket 0.9.0 is put on", &off(NAMES[0])],
        ),
        of(
            "look-alike letters",
            &replaced("\"acme\"", "\"\u{430}cme\""),
            &["\u{430}cme/rocket 0.9.0 is put on", &off(NAMES[0])],
        ),
        of(
            "a blank behind a name",
            &replaced("\"rocket\"", "\"rocket \""),
            &["acme/rocket  0.9.0 is put on", &off(NAMES[0])],
        ),
        of("a provider more, of the module's name", &listed, &["umbrella/vpc 0.1.0 is put on the blacklist"]),
        of("the module among the providers", &moved, &[unread]),
        of(
            "a provider with a target",
            &replaced("\"version\": \"0.9.0\"", "\"target_system\": \"aws\",\n      \"version\": \"0.9.0\""),
            &[unread],
        ),
        of(
            "a key that is not known",
            &replaced("\"version\": \"0.9.0\"", "\"versions\": [],\n      \"version\": \"0.9.0\""),
            &[unread],
        ),
        of("a list in another case", &replaced("\"providers\"", "\"Providers\""), &[unread]),
        of(
            "a list twice",
            &replaced("{\n  \"providers\"", "{\n  \"providers\": [],\n  \"providers\""),
            &[unread],
        ),
        of("another list", &replaced("\"modules\"", "\"module\""), &[unread]),
        of(
            "in another order",
            &replaced(&format!("{rocket},\n{anvil}"), &format!("{anvil},\n{rocket}")),
            &[same],
        ),
        of("an entry twice", &replaced(rocket, &format!("{rocket},\n{rocket}")), &[same]),
        of("a line end", &format!("{LIST}\n"), &[same]),
        of("tabs", &LIST.replace("  ", "\t"), &[same]),
        of("line ends of Windows", &LIST.replace('\n', "\r\n"), &[same]),
        of("an escape for a letter", &replaced("rocket", "r\\u006fcket"), &[same]),
        of("a byte order mark", &format!("\u{feff}{LIST}"), &[unread]),
        of("half of it", &LIST[..LIST.len() / 2], &[unread]),
        of("nothing", "", &[unread]),
        of("a comma more", &replaced("\n    }\n  ]", "\n    },\n  ]"), &[unread]),
        of("a version that is a number", &replaced("\"0.9.0\"", "9"), &[unread]),
        Mutation {
            words: REFUSED,
            places: vec!["is executable".into()],
            ..Mutation::new("another mode", &[json!({ "mode": { BLACKLIST: "100755" } })], "")
        },
        Mutation {
            words: REFUSED,
            places: vec![BLACKLIST.into(), "old_blacklist.json".into()],
            ..Mutation::new(
                "moved",
                &[json!({ "file": { "old_blacklist.json": LIST }, "gone": [BLACKLIST] })],
                "",
            )
        },
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_blacklist() {
    stamped!(crate::COMMANDS);
    let world = format!("{WORLD}\n[file]\n\"{BLACKLIST}\" = {}\n", json!(LIST));
    let all: Vec<Mutation> = [values(), others()].into_iter().flatten().collect();
    assert!(all.len() > 60, "{}", all.len());
    are_found(&world, &all).await;
}
