//! Unregistered addresses. Every command suggests the right entry, and copies are never called unregistered.

use serde_json::Value;

use crate::data::data;
use crate::door::{Door, Output};
use crate::need::need;

/// A world with each kind of entry that an unregistered address may mean.
const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "birchhost/linodo"
targets = ["linux_amd64"]
stored = ["1.0.0", "1.1.0"]
[[provider]]
address = "hashicorp/random"
targets = ["linux_amd64"]
stored = ["1.0.0"]
[[provider]]
address = "kettle/kettle"
targets = ["linux_amd64"]
stored = ["1.0.0"]
[[provider]]
address = "oak/kettle"
targets = ["linux_amd64"]
stored = ["1.0.0", "1.1.0", "1.2.0"]
[[provider]]
address = "infisicle/infisicle"
targets = ["linux_amd64"]
stored = ["1.0.0"]
[[provider]]
address = "integrations/github"
targets = ["linux_amd64"]
stored = ["6.0.0", "6.1.0"]
[[module]]
address = "elm/vpc/aws"
stored = ["v1.0.0"]
"#;

fn answers(output: &Output) -> Vec<Value> {
    output.objects().into_iter().filter(|object| object["type"] == "triage").collect()
}

fn near(found: &Value) -> Vec<&str> {
    let near = found["near"].as_array().expect("suggestions");
    near.iter().map(|one| one["address"].as_str().expect("an address")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn triage_names_the_entry_that_was_meant() {
    let door = Door::on(WORLD).await;
    for (typed, suggested, cause) in [
        (
            "hashicorp/linodo",
            &["birchhost/linodo"][..],
            "; a module that names no source asks for hashicorp/linodo; registered are: birchhost/linodo (2 versions)",
        ),
        (
            "hashicorp/kettle",
            &["kettle/kettle", "oak/kettle"],
            "registered are: kettle/kettle (1 version), oak/kettle (3 versions)",
        ),
        (
            "maple/kettle",
            &["kettle/kettle", "oak/kettle"],
            "; registered under this name: kettle/kettle (1 version)",
        ),
        ("hashicorp/infiscle", &["infisicle/infisicle"], "no provider of this name is registered"),
        ("hashicorp/xenserver", &[], "no provider of this name is registered"),
        ("maple/vpc/aws", &["elm/vpc/aws"], "; registered under this name: elm/vpc/aws (1 version)"),
        ("elm/vpc/azure", &["elm/vpc/aws"], "answers 404"),
        ("elm/vpcs/aws", &["elm/vpc/aws"], "answers 404"),
    ] {
        let found = answers(&door.said(&format!("triage {typed} --json")).await).remove(0);
        assert_eq!(found["status"], "not-registered", "{found}");
        assert_eq!(near(&found), suggested, "{typed}: {found}");
        assert!(found["cause"].as_str().expect("a cause").contains(cause), "{typed}: {found}");
    }
    // The reply for an issue contains the same suggestion once.
    let reply = door.said("triage hashicorp/linodo@1.0.0 --markdown").await;
    reply.is(
        0,
        &[
            "is **NOT REGISTERED**",
            "registered are: birchhost/linodo (2 versions)",
            "if birchhost/linodo is meant, write source = \"birchhost/linodo\" in the module",
        ],
    );
    assert!(!reply.out.contains("hashicorp/random"), "{reply}");
    let misspelt = door.said("triage hashicorp/infiscle --markdown").await;
    misspelt.is(0, &["Perhaps `infisicle/infisicle` is meant (`the nearest spelling`)."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_suggests_the_same_entry() {
    let door = Door::on(WORLD).await;
    let commands = [
        "show",
        "survey",
        "diff",
        "bump",
        "lint",
        "plan add",
        "verify",
        "stranded ignore --until 90d --because x",
        "lock",
    ];
    for command in commands {
        let version = if command == "lock" || command.starts_with("stranded") { "@1.0.0" } else { "" };
        for (address, cause, hint) in [
            (
                "hashicorp/linodo",
                "a module that names no source asks for hashicorp/linodo; registered are: birchhost/linodo (2 versions)",
                "Write `birchhost/linodo` if you mean that.",
            ),
            (
                "opentofu/github",
                "the registry serves opentofu/github as a copy of integrations/github",
                "Write `integrations/github` if you mean that.",
            ),
            ("hashicorp/quince", "no provider of this name is registered", "bumpdesk list --filter WORD"),
        ] {
            let output = door.said(&format!("{command} {address}{version}")).await;
            output.is(2, &[cause, hint]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_is_never_called_unregistered() {
    let door = Door::on(WORLD).await;
    let ask = async |typed: &str| answers(&door.said(&format!("triage {typed} --json")).await).remove(0);
    // The registry does not serve the copy, which is a fault. The source is named anyway.
    let unserved = ask("hashicorp/github").await;
    assert_eq!(
        (&unserved["status"], &unserved["answered"]),
        (&"stale-api".into(), &"served".into()),
        "{unserved}"
    );
    assert!(unserved["cause"].as_str().unwrap().starts_with("served as a copy of integrations/github, but"));
    door.server.edit(|world| {
        for namespace in ["hashicorp", "opentofu"] {
            world.copies.insert(format!("{namespace}/github"), "integrations/github".to_owned());
        }
    });
    for typed in ["hashicorp/github", "opentofu/github@6.1.0", "HashiCorp/GitHub@v6.0.0"] {
        let found = ask(typed).await;
        assert_eq!(
            (&found["status"], &found["cause"]),
            (&"copy".into(), &"served as a copy of integrations/github".into())
        );
        let steps = found["steps"].as_array().expect("steps");
        let of = |rung: &str| steps.iter().find(|step| step["rung"] == rung).expect("a step");
        assert_eq!(
            (&of("dataset")["answer"], &of("served")["answer"]),
            (&"yes".into(), &"yes".into()),
            "{found}"
        );
        assert_eq!(of("mirror")["answer"], "does-not-apply", "{found}");
    }
    let missing = ask("hashicorp/github@9.9.9").await;
    assert_eq!(missing["status"], "no-version");
    assert_eq!(missing["cause"], "served as a copy of integrations/github, which has no version 9.9.9");
    let reply = door.said("triage hashicorp/github --markdown").await;
    reply.is(0, &["is **COPY**", "look at integrations/github"]);
    // The successor of this provider is not registered here, so the registry skips the copy.
    let skipped = ask("hashicorp/gitlab").await;
    assert_eq!(skipped["status"], "not-registered");
}

/// A copy is of no use if no client can read its list, whether the copied entry's file or only what is served has the fault.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_no_client_can_read_is_refused() {
    let planted = |place: &str, at: &str, value: &str| {
        let stored = "stored = [\"6.0.0\", \"6.1.0\"]";
        let plant = format!("{stored}\nplant = [{{ in = \"{place}\", at = \"{at}\", value = {value} }}]");
        WORLD.replace(stored, &plant)
    };
    for world in [
        planted("file", "/versions/0/version", "\"v6.0.0\""),
        planted("list", "/versions/-", "{ version = \"v6.2.0\" }"),
    ] {
        let door = Door::on(&world).await;
        door.server.edit(|world| {
            world.copies.insert("hashicorp/github".to_owned(), "integrations/github".to_owned());
        });
        let found = answers(&door.said("triage hashicorp/github --json").await).remove(0);
        assert_eq!(found["status"], "list-unreadable", "{found}");
        let cause = found["cause"].as_str().expect("a cause");
        let start = "served as a copy of integrations/github, and no client can read this provider's list";
        assert!(cause.starts_with(start), "{cause}");
    }
}

/// The fifteen names from public reports, tested on the registry's own data.
#[tokio::test(flavor = "multi_thread")]
async fn the_data_has_the_entry_that_each_report_meant() {
    let data = need!(data());
    let door = Door::on("clock = \"2026-11-21T12:00:00Z\"\n").await;
    let registry = data.git_dir().display().to_string();
    let copy = |source: &str| format!("served as a copy of {source}");
    for (name, wanted) in [
        ("crunchybridge", Ok(&["crunchydata/crunchybridge", "antewall/crunchybridge"][..])),
        ("infiscal", Ok(&["infisical/infisical"])),
        ("github", Err("integrations/github")),
        ("namecheap", Ok(&["namecheap/namecheap", "namecheap-ecosystem/namecheap", "adamdecaf/namecheap"])),
        ("onepassword", Ok(&["1password/onepassword", "forteilgmbh/onepassword", "anasinnyk/onepassword"])),
        ("oci", Err("oracle/oci")),
        ("datadog", Err("datadog/datadog")),
        ("docker", Ok(&["docker/docker", "kreuzwerker/docker", "toowoxx/docker"])),
        ("linode", Err("linode/linode")),
        ("cloudflare", Err("cloudflare/cloudflare")),
        ("databricks", Ok(&["databricks/databricks", "databrickslabs/databricks", "edmondop/databricks"])),
        ("proxmox", Ok(&["bpg/proxmox", "telmate/proxmox", "forsakenharmony/proxmox"])),
        ("keycloak", Ok(&["keycloak/keycloak", "mrparkers/keycloak", "joed22636/keycloak"])),
        ("gitlab", Err("gitlabhq/gitlab")),
        ("xenserver", Ok(&[])),
    ] {
        let typed = format!("hashicorp/{name}");
        let output = door.run(&["triage", &typed, "--json", "--registry", &registry]).await;
        let found = answers(&output).remove(0);
        let cause = found["cause"].as_str().expect("a cause");
        match wanted {
            Ok(suggested) => {
                assert_eq!(found["status"], "not-registered", "{found}");
                assert_eq!(near(&found), suggested, "{name}: {found}");
            }
            Err(source) => {
                assert_ne!(found["status"], "not-registered", "{found}");
                assert!(cause.starts_with(&copy(source)), "{name}: {found}");
            }
        }
    }
}
