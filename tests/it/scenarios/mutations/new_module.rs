//! A module that the registry has not: what its form writes.

use super::super::submissions::{NEW, VPC};
use super::module::others;
use super::{Honest, KEY, Mutation, are_found, honest};

#[tokio::test(flavor = "multi_thread")]
async fn a_new_module() {
    stamped!(crate::COMMANDS);
    let before = "[before]\nat = \"-2d\"\nwithout = { \"acme/rocket\" = [\"1.0.0\"] }\n";
    let world = format!("{NEW}\n[file]\n\"{KEY}\" = \"no key\"\n{before}");
    let submit = ["submit module umbrella/terraform-aws-vpc"];
    let (file, body) = honest(&world, &submit, "umbrella/vpc/aws", VPC).await;
    let honest = Honest { path: VPC, text: &file, indexed: None, first: "v1.1.0", fine: &["same"] };
    let at = |path: &str| Mutation::new(path, &[serde_json::json!({ "file": { path: &*file } })], path);
    let more = vec![
        Mutation { words: honest.fine, body, ..honest.of("honest", &file, "and agrees with the files") },
        at("modules/u/umbrella/vpc/google.json"),
        at("modules/u/umbrella/vpd/aws.json"),
        at("modules/u/umbrellas/vpc/aws.json"),
        at("modules/a/acme/vpc/aws.json"),
        at("providers/u/umbrella/vpc.json"),
        at("providers/u/umbrella/parasol.json"),
        honest.of(
            "a tag that is no version",
            &honest.replaced("\"v1.1.0\"", "\"not-a-version\""),
            "not-a-version",
        ),
    ];
    let parts = [more, honest.values(), others(&honest), honest.bytes(), honest.around(), honest.paths()];
    let all: Vec<Mutation> = parts.into_iter().flatten().collect();
    assert!(all.len() > 240, "{}", all.len());
    are_found(&world, &all).await;
}
