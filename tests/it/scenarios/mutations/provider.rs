//! A provider's file that the registry has, with two versions more: 1.2.0 and 1.1.0 of two targets each.

use super::super::pull::WORLD;
use super::super::review::ROCKET;
use super::{Honest, KEY, Mutation, are_found, honest, other_at};

fn world() -> String {
    let before = "[before]\nat = \"-2d\"\nwithout = { \"umbrella/vpc/aws\" = [\"v1.0.0\"] }\n";
    format!("{WORLD}\n[file]\n\"{KEY}\" = \"no key\"\n{before}")
}

/// What a file of this kind can have otherwise, beside its values.
fn others(honest: &Honest<'_>) -> Vec<Mutation> {
    let file = honest.text;
    // A target: from the brace that opens it to the one of the next.
    let from = file.find("\n        {").expect("it is there");
    let end = from + file[from..].find("\n        },").expect("it ends") + 11;
    let target = &file[from..end];
    let added = target.replace("\"arm64\"", "\"386\"").replace("_arm64.zip", "_386.zip");
    let versions = honest.versions();
    let (first, second) = (&file[versions[0]..versions[1]], &file[versions[1]..versions[2]]);
    let swapped = format!("{}{second}{first}{}", &file[..versions[0]], &file[versions[2]..]);
    let fewer = format!("{}{}", &file[..versions[0]], &file[versions[1]..]);
    let of = |what: &str, text: &str, place: &str| honest.of(what, text, place);
    let replaced = |from: &str, to: &str| honest.replaced(from, to);
    vec![
        of("a target more", &format!("{}{added}{}", &file[..from], &file[from..]), "_386"),
        of("a target less", &format!("{}{}", &file[..from], &file[end..]), "is missing"),
        of("a target twice", &format!("{}{target}{}", &file[..from], &file[from..]), "1.2.0"),
        of("versions in another order", &swapped, "place"),
        of("a version less, of those in the title", &fewer.replacen("1.1.0", "1.1.9", 1), "1.1.9"),
        Mutation {
            words: honest.fine,
            ..of("a version less", &fewer, "1 other tag that the file would not have: v1.2.0")
        },
        of("another host", &replaced("https://github.com/acme", "https://github.co/acme"), "1.2.0"),
        of(
            "another repository",
            &replaced("github.com/acme/terraform", "github.com/acmf/terraform"),
            "1.2.0",
        ),
        of("look-alike letters in a URL", &replaced("github.com/acme", "github.com/\u{430}cme"), "1.2.0"),
        of("another case in a URL", &replaced("github.com/acme", "github.com/Acme"), "1.2.0"),
        of(
            "somebody's name in a URL",
            &replaced("https://github.com", "https://github.com@a.example"),
            "1.2.0",
        ),
        of("no TLS", &replaced("https://github.com/acme", "http://github.com/acme"), "1.2.0"),
        of(
            "discovered before it was published",
            &replaced(honest.field("discovered"), "2026-01-01T00:00:00Z"),
            "1.2.0",
        ),
        of(
            "keys in another order",
            &replaced("\"os\": \"", "\"arch\": \"amd64\",\n          \"os\": \""),
            "its bytes are not",
        ),
        of("a key less", &replaced("\"protocols\"", "\"protocol\""), "1.2.0"),
        of("a digit in upper case", &upper(honest), "1.2.0"),
        honest.with("a digit for a letter", "providers/a/acme/r0cket.json", file, "r0cket"),
    ]
}

/// The first checksum with its first letter in upper case: clients would not find it equal.
fn upper(honest: &Honest<'_>) -> String {
    let sum = honest.field("shasum");
    honest.replaced(sum, &sum.to_ascii_uppercase())
}

/// What the block of evidence can be but what bumpdesk wrote of this very file.
fn evidence(honest: &Honest<'_>, body: &str) -> Vec<Mutation> {
    let of = |what: &str, body: String, place: &str| Mutation { body, ..honest.of(what, honest.text, place) };
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
    let spoiled = honest.replaced("1.2.0_linux", "1.2.0_linus");
    all.push(Mutation {
        body: body.to_owned(),
        ..honest.of("true evidence, another file", &spoiled, "1.2.0")
    });
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_with_more_versions() {
    stamped!(crate::COMMANDS);
    let (world, words) = (world(), ["add"]);
    let (file, body) = honest(&world, &words, "acme/rocket", ROCKET).await;
    let honest =
        Honest { path: ROCKET, text: &file, indexed: Some("1.0.0"), first: "1.2.0", fine: &["not-hashed"] };
    let as_it_is = Mutation {
        words: honest.fine,
        body: body.clone(),
        ..honest.of("honest", &file, "and agrees with the files")
    };
    let parts = [
        honest.values(),
        others(&honest),
        honest.bytes(),
        honest.around(),
        honest.paths(),
        evidence(&honest, &body),
    ];
    let all: Vec<Mutation> = std::iter::once(as_it_is).chain(parts.into_iter().flatten()).collect();
    assert!(all.len() > 700, "{}", all.len());
    are_found(&world, &all).await;
}
