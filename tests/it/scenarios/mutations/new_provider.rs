//! A provider that the registry has not: what its form writes, with the tries that failed.

use super::super::submissions::{NEW, PARASOL};
use super::{Honest, KEY, Mutation, are_found, honest};

/// What the form writes of versions and failed tries, otherwise.
fn others(honest: &Honest<'_>) -> Vec<Mutation> {
    let file = honest.text;
    let versions = honest.versions();
    let (head, tail) = (&file[..versions[0]], file.find("\n  \"versions_errors\"").expect("it is there"));
    let (first, last) = (&file[versions[0]..versions[1]], &file[versions[1]..tail]);
    let record = &file[tail..];
    let of = |what: &str, text: &str, place: &str| honest.of(what, text, place);
    let replaced = |from: &str, to: &str| honest.replaced(from, to);
    let tried = |at: &str| {
        let was = honest.field("utc_time");
        replaced(&format!("\"utc_time\": \"{was}\""), &format!("\"utc_time\": \"{at}\""))
    };
    let (from, end) = {
        let from = file.find("\n        {").expect("a target");
        (from, from + file[from..].find("\n        },").expect("it ends") + 11)
    };
    let target = &file[from..end];
    let added = target.replace("\"arm64\"", "\"386\"").replace("_arm64.zip", "_386.zip");
    vec![
        of("a version less", &format!("{head}{last}{record}"), "1.1.0 is missing"),
        of(
            "the other version less",
            &format!("{head}{}\n  ],{record}", first.trim_end_matches(',')),
            "1.0.0 is missing",
        ),
        of("the failed version among them", &replaced("\"1.0.0\"", "\"0.9.0\""), "0.9.0"),
        of("a target more", &format!("{}{added}{}", &file[..from], &file[from..]), "_386"),
        of("a target less", &format!("{}{}", &file[..from], &file[end..]), "is missing"),
        of("another host", &replaced("https://github.com/umbrella", "https://github.co/umbrella"), "1.1.0"),
        of(
            "another repository",
            &replaced("terraform-provider-parasol/", "terraform-provider-paraso1/"),
            "1.1.0",
        ),
        of("another case in a URL", &replaced("github.com/umbrella", "github.com/Umbrella"), "1.1.0"),
        of("a key less", &replaced("\"protocols\"", "\"protocol\""), "1.1.0"),
        of("no failed try", &format!("{}\n}}", file[..tail].trim_end_matches(',')), "versions_errors"),
        of(
            "a failed try of what is there",
            &file.replacen("\"version\": \"0.9.0\"", "\"version\": \"1.0.0\"", 1),
            "versions_errors",
        ),
        of(
            "another message",
            &replaced("checksums not found in release", "no artifacts in release"),
            "versions_errors",
        ),
        of(
            "an address in the message",
            &replaced("checksums not found in release", "see https://a.example"),
            "versions_errors",
        ),
        of("tried in the future", &tried("2026-11-21T13:00:00Z"), "0.9.0: its failed try is recorded after"),
        of(
            "tried before there was a registry",
            &tried("2001-01-01T00:00:00Z"),
            "0.9.0: the time of its failed try",
        ),
        of("tried in another zone", &tried("2026-11-21T11:00:00+01:00"), "0.9.0: the time of its failed try"),
        of("tried at no time", &tried("yesterday"), "invalid digit"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_provider() {
    stamped!(crate::COMMANDS);
    let before = "[before]\nat = \"-2d\"\nwithout = { \"acme/rocket\" = [\"1.0.0\"] }\n";
    let world = format!("{NEW}\n[file]\n\"{KEY}\" = \"no key\"\n{before}");
    let submit = ["submit provider umbrella/terraform-provider-parasol"];
    let (file, body) = honest(&world, &submit, "umbrella/parasol", PARASOL).await;
    let honest = Honest { path: PARASOL, text: &file, indexed: None, first: "1.1.0", fine: &["not-hashed"] };
    let at = |path: &str| Mutation::new(path, &[serde_json::json!({ "file": { path: &*file } })], path);
    let more = vec![
        Mutation { words: honest.fine, body, ..honest.of("honest", &file, "and agrees with the files") },
        at("providers/u/umbrella/sketch.json"),
        at("providers/u/umbrella/banned.json"),
        at("providers/u/umbrella/gone.json"),
        at("providers/u/umbrella/old.json"),
        at("providers/u/umbrella/paraso.json"),
        at("providers/a/acme/parasol.json"),
        at("modules/u/umbrella/parasol/aws.json"),
    ];
    let parts = [more, honest.values(), others(&honest), honest.bytes(), honest.around(), honest.paths()];
    let all: Vec<Mutation> = parts.into_iter().flatten().collect();
    assert!(all.len() > 430, "{}", all.len());
    are_found(&world, &all).await;
}
