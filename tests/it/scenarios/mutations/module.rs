//! A module's file that the registry has, with two versions more.

use super::super::pull::WORLD;
use super::super::submissions::VPC;
use super::{Honest, KEY, Mutation, are_found, honest};

fn world() -> String {
    let world = WORLD.replace("tags = [\"v1.1.0\"]", "tags = [\"v1.1.0\", \"v1.2.0\"]");
    let before = "[before]\nat = \"-2d\"\nwithout = { \"acme/rocket\" = [\"1.0.0\"] }\n";
    format!("{world}\n[file]\n\"{KEY}\" = \"no key\"\n{before}")
}

/// What a module's file can have otherwise, beside its values.
pub(super) fn others(honest: &Honest<'_>) -> Vec<Mutation> {
    let file = honest.text;
    let versions = honest.versions();
    let (head, rest) = (&file[..versions[0]], &file[versions[1]..]);
    let first = &file[versions[0]..versions[1]];
    let fewer = format!("{head}{rest}");
    let of = |what: &str, text: &str, place: &str| honest.of(what, text, place);
    let (version, commit) = (honest.first, honest.field("commit"));
    let added = first.replacen(version, "v1.9.0", 1);
    let plain = version.trim_start_matches('v');
    let written = |other: &str| honest.replaced(&format!("\"{version}\""), &format!("\"{other}\""));
    let commits = |other: &str| honest.replaced(&format!("\"{commit}\""), other);
    let line = |name: &str| {
        let at = file.find(&format!("      \"{name}\"")).expect("it is there");
        &file[at..=at + file[at..].find('\n').expect("it ends")]
    };
    let turned = honest.replaced(
        &format!("{}{}", line("version"), line("commit")),
        &format!("{}{}", line("commit"), line("version")),
    );
    vec![
        of("a version more", &format!("{head}{added}{first}{rest}"), "v1.9.0"),
        of("a version of another module", &written("v0.0.1"), "v0.0.1"),
        of("without its v", &written(plain), plain),
        of("with a V", &written(&format!("V{plain}")), &format!("V{plain}")),
        of("with two", &written(&format!("vv{plain}")), &format!("vv{plain}")),
        of("with a blank", &written(&format!("{version} ")), version),
        of("with what was built", &written(&format!("{version}+1")), &format!("{version}+1")),
        of("a prerelease", &written(&format!("{version}-rc1")), &format!("{version}-rc1")),
        of("look-alike letters", &written(&version.replace('0', "\u{43e}")), "\u{43e}"),
        of(
            "upper case",
            &commits(&format!("\"{}\"", commit.to_ascii_uppercase())),
            &format!("{version}: commit"),
        ),
        of("a short commit", &commits(&format!("\"{}\"", &commit[..7])), &format!("{version}: commit")),
        of("a long commit", &commits(&format!("\"{commit}0\"")), &format!("{version}: commit")),
        of("a branch for the commit", &commits("\"main\""), &format!("{version}: commit")),
        of("an empty commit", &commits("\"\""), &format!("{version}: commit")),
        of("no commit", &honest.replaced(line("commit"), ""), &format!("{version}: commit")),
        of("commit is null", &commits("null"), version),
        of("keys in another order", &turned, "its bytes are not"),
        // What is not added is for a later bump; the file says nothing of it that is not so. Of a new entry it may have come later, and of a
        // tag nobody says when it came.
        Mutation {
            words: if honest.indexed.is_some() { honest.fine } else { &["unknown"] },
            ..of(
                "a version less",
                &fewer,
                &format!("upstream has 1 other tag that the file would not have: {version}"),
            )
        },
        of(
            "a version less, and another",
            &fewer.replacen("\"v1.0.0\"", "\"v1.0.9\"", 1),
            if honest.indexed.is_some() { "v1.0.9" } else { "upstream has none of these versions" },
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_module_with_more_versions() {
    stamped!(crate::COMMANDS);
    let world = world();
    let (file, body) = honest(&world, &["add"], "umbrella/vpc/aws", VPC).await;
    let honest = Honest { path: VPC, text: &file, indexed: Some("v1.0.0"), first: "v1.2.0", fine: &["same"] };
    let versions = honest.versions();
    let (first, second) = (&file[versions[0]..versions[1]], &file[versions[1]..versions[2]]);
    let swapped = format!("{}{second}{first}{}", &file[..versions[0]], &file[versions[2]..]);
    let crossed = {
        let commit = |text: &str| text.split("\"commit\": \"").nth(1).expect("a commit")[..40].to_owned();
        let (one, other) = (commit(first), commit(second));
        file.replacen(&one, &other, 1)
    };
    let old = file[versions[2]..].to_owned();
    let without = format!("{}\n  ]\n}}", file[..versions[2]].trim_end_matches(','));
    let more = vec![
        Mutation { words: honest.fine, body, ..honest.of("honest", &file, "and agrees with the files") },
        honest.of("versions in another order", &swapped, "place"),
        honest.of("the commit of another version", &crossed, "v1.2.0: commit"),
        honest.of("what is indexed goes", &without, "v1.0.0 is removed, and it is indexed"),
        honest.of(
            "what is indexed is discovered at another time",
            &format!(
                "{}{}",
                &file[..versions[2]],
                old.replacen("\"discovered\": \"20", "\"discovered\": \"30", 1)
            ),
            "v1.0.0 is indexed, and its discovered changes",
        ),
    ];
    let parts = [more, honest.values(), others(&honest), honest.bytes(), honest.around(), honest.paths()];
    let all: Vec<Mutation> = parts.into_iter().flatten().collect();
    assert!(all.len() > 280, "{}", all.len());
    are_found(&world, &all).await;
}
