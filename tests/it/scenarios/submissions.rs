//! A new entry or key, as the registry's submission form takes it: planned, sent, and what real git then finds; and what the form refuses.

use serde_json::Value;

use super::keys::{A, A_EXPIRED, B, C, C_CERTIFIES, s9};
use super::pull::{branch, colleague, committed, ready, sending, writes};
use super::scene::same;
use super::send::{clone, git, open};
use crate::door::Door;

/// Upstream has a provider and a module that nobody submitted yet, and some that nobody can.
pub(super) const NEW: &str = r#"
clock = "2026-11-21T12:00:00Z"
[user]
login = "ann"
push = true

[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]

[[repository]]
name = "umbrella/terraform-provider-parasol"
releases = [
    { tag = "v1.1.0", targets = ["linux_amd64", "darwin_arm64"] },
    { tag = "v1.0.0", targets = ["linux_amd64"] },
    { tag = "v0.9.0", sums = "missing" },
]

[[repository]]
name = "umbrella/terraform-aws-vpc"
tags = ["v1.0.0", "v1.1.0", "not-a-version"]

[[repository]]
name = "umbrella/terraform-provider-sketch"
releases = [{ tag = "v0.1.0", sums = "missing" }]

[[repository]]
name = "umbrella/terraform-provider-broken"
releases = [{ tag = "v0.2.0", targets = ["linux_amd64"] }, { tag = "v0.1.0", targets = ["linux_amd64"], sums = "wrong" }]

[[repository]]
name = "umbrella/terraform-provider-large"
releases = [{ tag = "v0.2.0", targets = ["linux_amd64"] }, { tag = "v0.1.0", targets = ["linux_amd64"], sums = "big" }]

[[repository]]
name = "umbrella/terraform-provider-empty"

[[repository]]
name = "umbrella/terraform-provider-banned"
releases = [{ tag = "v1.0.0", targets = ["linux_amd64"] }]

[[repository]]
name = "umbrella/terraform-provider-gone"
repository = { deleted = true }

[[repository]]
name = "umbrella/terraform-provider-old"
tags = ["v1.0.0"]
repository = { moved_to = "umbrella/terraform-provider-parasol2" }

[[blacklist]]
provider = "umbrella/banned"
version = "1.0.0"
reason = "malware"
"#;

pub(super) const PARASOL: &str = "providers/u/umbrella/parasol.json";
pub(super) const VPC: &str = "modules/u/umbrella/vpc/aws.json";

/// Looks at an entry's file, approves and opens it; the sending, and what git finds.
pub(super) async fn opened(door: &Door, address: &str) -> (Value, tempfile::TempDir) {
    door.said(&format!("plan show {address}")).await.is(0, &[]);
    door.said(&format!("plan approve {address}")).await.is(0, &[]);
    let plan = door.plan_name().await;
    let said = ready(door, &plan, "--json").await;
    assert_eq!(said.exit, 0, "{said}");
    let sending = sending(&said);
    let said = open(door, &plan, sending["name"].as_str().expect("digits"), "").await;
    assert_eq!(said.exit, 0, "{said}");
    let clone = clone(door, "opentofu", &branch(&sending));
    assert_eq!(git(&clone, &["rev-list", "--count", "origin/main..HEAD"]), "1\n");
    (sending, clone)
}

/// How the registry's own check ended on the commit of a branch.
async fn check(door: &Door, clone: &tempfile::TempDir) -> String {
    let commit = git(clone, &["rev-parse", "HEAD"]);
    let target = format!("/repos/opentofu/registry/commits/{}/check-runs", commit.trim());
    let runs = colleague(door, "GET", &target, Value::Null).await;
    let mut runs = runs["check_runs"].as_array().expect("runs").iter();
    let run = runs.find(|run| run["name"] == "Verify PR JSON").expect("the check");
    run["conclusion"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_provider_is_what_the_registrys_own_tool_writes() {
    let mut door = Door::on(NEW).await;
    let said = door.said("plan submit provider https://github.com/Umbrella/terraform-provider-parasol").await;
    said.is(
        0,
        &[
            "umbrella/parasol  + ADDITIVE  TO REVIEW",
            "the next bump keeps it as it is, and adds what upstream releases from then on",
            "whether whoever asks for it belongs to `umbrella` was not checked",
            "left out: checksums not found in release",
            "1.1.0 added",
        ],
    );
    // The tool takes all or nothing.
    door.said("plan reject umbrella/parasol@1.0.0")
        .await
        .is(0, &["HELD", "comes with all that upstream has"]);
    door.said("plan reopen umbrella/parasol@1.0.0").await.is(0, &[]);
    door.said("plan show umbrella/parasol")
        .await
        .is(0, &["new file mode 100644", "--- /dev/null", "+      \"version\": \"1.1.0\","]);
    // The registry's check runs later than the plan was built.
    door.server.edit(|world| world.now += std::time::Duration::from_secs(1));
    let (sending, clone) = opened(&door, "umbrella/parasol").await;
    assert_eq!(git(&clone, &["diff", "--name-status", "origin/main", "HEAD"]), format!("A\t{PARASOL}\n"));
    let new = std::fs::read(clone.path().join(PARASOL)).unwrap();
    assert_eq!(new, committed(&sending, PARASOL));
    let pull = &sending["requests"][2]["body"];
    assert_eq!(pull["title"], "Create provider umbrella/parasol");
    let body = pull["body"].as_str().unwrap();
    assert!(body.contains("bumpdesk plan submit provider umbrella/terraform-provider-parasol"), "{body}");
    assert!(body.contains("Adds 2 versions of 1 provider from upstream"), "{body}");
    assert_eq!(check(&door, &clone).await, "failure", "as foretold");
    assert!(body.contains("fails: the check records failed tries at its own time"), "{body}");
    // The tool begins with an empty file and bumps it.
    door.put(PARASOL, b"{\n  \"versions\": null\n}");
    door.set("BUMPDESK_NOW", "2026-11-22T09:00:00Z");
    door.said("bump umbrella/parasol --now 2026-11-21T12:00:00Z").await.is(0, &[]);
    same(&String::from_utf8(new).unwrap(), &door.read(PARASOL), PARASOL);
    // The next one keeps it.
    door.said("bump umbrella/parasol").await.is(0, &[]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_module_is_sent_and_the_required_check_passes() {
    let door = Door::on(NEW).await;
    door.said("plan submit module umbrella/terraform-aws-vpc")
        .await
        .is(0, &["umbrella/vpc/aws  + ADDITIVE  TO REVIEW"]);
    // Another build of it is the same plan.
    door.said("plan show umbrella/vpc/aws").await.is(0, &[]);
    door.said("plan approve umbrella/vpc/aws").await.is(0, &["APPROVED"]);
    let name = door.plan_name().await;
    door.said("plan rebuild").await.is(0, &["APPROVED"]);
    assert_eq!(door.plan_name().await, name);
    let (sending, clone) = opened(&door, "umbrella/vpc/aws").await;
    let new = std::fs::read(clone.path().join(VPC)).unwrap();
    assert_eq!(new, committed(&sending, VPC));
    let text = String::from_utf8(new).unwrap();
    assert!(
        text.starts_with("{\n  \"versions\": [\n    {\n      \"version\": \"v1.1.0\",\n      \"commit\": \""),
        "{text}"
    );
    assert!(text.ends_with("Z\"\n    }\n  ]\n}") && !text.contains("not-a-version"), "{text}");
    assert_eq!(check(&door, &clone).await, "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_form_refuses_is_not_planned() {
    let door = Door::on(NEW).await;
    for (words, exit, told) in [
        ("provider umbrella/parasol", 2, "`umbrella/parasol` is not OWNER/terraform-provider-NAME"),
        ("provider umbrella/terraform-provider-pa--rasol", 2, "two dashes in a row are not allowed"),
        ("provider umbrella/terraform-aws-vpc", 2, "Write OWNER/terraform-provider-NAME, or its URL."),
        ("module umbrella/terraform-provider-parasol", 2, "is not OWNER/terraform-TARGET-NAME"),
        ("gadget umbrella/terraform-provider-parasol", 2, "possible values: provider, module, key"),
        ("provider acme/terraform-provider-rocket", 4, "the registry has it already, as acme/rocket"),
        (
            "provider nobody/terraform-provider-nothing",
            4,
            "there is no repository `nobody/terraform-provider-nothing`",
        ),
        (
            "provider umbrella/terraform-provider-gone",
            4,
            "there is no repository `umbrella/terraform-provider-gone`",
        ),
        ("provider umbrella/terraform-provider-empty", 4, "upstream has no tag that is a version"),
        (
            "provider umbrella/terraform-provider-sketch",
            4,
            "upstream has no version that can be indexed; 0.1.0: left out: checksums not found in release",
        ),
        (
            "provider umbrella/terraform-provider-broken",
            4,
            "because 0.1.0: linux_amd64: the zip's SHA-256 is ",
        ),
        ("provider umbrella/terraform-provider-large", 4, "because 0.1.0: its checksums could not be read"),
        ("provider umbrella/terraform-provider-banned", 4, "1.0.0: on the blacklist: malware"),
        (
            "provider umbrella/terraform-provider-old",
            4,
            "`umbrella/terraform-provider-old` has moved to `umbrella/terraform-provider-parasol2`",
        ),
    ] {
        let said = door.said(&format!("plan submit {words}")).await;
        said.is(exit, &[told]);
        if exit == 4 {
            assert!(!said.err.contains("bumpdesk show"), "it is not there to be shown: {said}");
        }
    }
    door.said("plan show").await.is(0, &["the plan is empty"]);
    assert_eq!(writes(&door), [""; 0]);
    door.is_untouched();
}

/// Somebody else's submission is merged while this one waits.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_added_meanwhile_is_not_sent_again() {
    let door = Door::on(NEW).await;
    door.said("plan submit module umbrella/terraform-aws-vpc").await.is(0, &[]);
    door.said("plan show umbrella/vpc/aws").await.is(0, &[]);
    door.said("plan approve umbrella/vpc/aws").await.is(0, &[]);
    let plan = door.plan_name().await;
    door.server.edit(|world| {
        let now = world.now;
        world.forge.bump(now, [(VPC.to_owned(), Some(b"{\n  \"versions\": []\n}".to_vec().into()))]);
    });
    ready(&door, &plan, "").await.is(4, &["it is there by now: somebody else has added it"]);
    door.put(VPC, b"{\n  \"versions\": []\n}");
    door.said("plan show").await.is(0, &["HELD"]);
    door.said("plan rebuild")
        .await
        .is(0, &["leaves the plan", "the registry has it already, as umbrella/vpc/aws"]);
}

/// The file of a key, beside the checkout.
pub(super) fn key_file(door: &Door, text: &str) -> String {
    let path = door.folder.path().join("new.asc");
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

/// S9: the first key of a namespace, with what it would break, and where the form puts it.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_key_lies_where_the_form_puts_it() {
    let world = format!("{}\n[user]\nlogin = \"ann\"\npush = true\n", s9(&[]));
    for (owner, folder) in
        [("namecheap", "keys/n/namecheap"), ("namecheap/namecheap", "keys/n/namecheap/namecheap")]
    {
        let door = Door::on(&world).await;
        // What stands around the block is not the key's; its own bytes stay, as in the form's script.
        let key = B.replace('\n', "\r\n");
        let file = key_file(&door, &format!("My key:\r\n\r\n{key}\nThanks!\n"));
        let said = door.said(&format!("plan submit key {owner} {file}")).await;
        said.is(
            0,
            &[
                "namecheap/namecheap  + ADDITIVE  TO REVIEW",
                "verifies 2 of 3 versions; 2.2.0 installs today without a check and would fail",
                "clients check with A1B4F33F59B94D2CE1CA5EA266113FE92198D26C once the registry is generated",
                "whether whoever asks for it belongs to `namecheap` was not checked",
                "key: a key that clients check signatures with",
            ],
        );
        said.is_not(&[&file]);
        door.said("plan approve namecheap/namecheap").await.is(4, &["the key left to look at"]);
        let old = door.read("providers/n/namecheap/namecheap.json");
        let (sending, clone) = opened(&door, "namecheap/namecheap").await;
        let path = format!("{folder}/provider-1795262400.asc");
        assert_eq!(git(&clone, &["diff", "--name-status", "origin/main", "HEAD"]), format!("A\t{path}\n"));
        let new = std::fs::read(clone.path().join(&path)).unwrap();
        same(&String::from_utf8(new.clone()).unwrap(), &key, &path);
        assert_eq!(new, committed(&sending, &path));
        let pull = &sending["requests"][2]["body"];
        assert_eq!(pull["title"], format!("Create provider key {owner}"));
        let body = pull["body"].as_str().unwrap();
        assert!(body.contains("A1B4F33F59B94D2CE1CA5EA266113FE92198D26C"), "{body}");
        assert!(body.contains(&format!("\"path\":\"{path}\"")), "{body}");
        assert!(!body.contains(&file), "{body}");
        assert_eq!(door.read("providers/n/namecheap/namecheap.json"), old);
        // Built again it is the same plan.
        let name = door.plan_name().await;
        door.said("plan rebuild").await.is(0, &[]);
        assert_eq!(door.plan_name().await, name);
    }
}

/// Git takes the line ends of a key off a mail in which they stand plainly.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_comes_out_of_its_patch_as_it_is() {
    let door = Door::on(&format!("{}\n[user]\nlogin = \"ann\"\npush = true\n", s9(&[]))).await;
    let key = B.replace('\n', "\r\n");
    let file = key_file(&door, &key);
    for words in ["submit key namecheap ", "show namecheap/namecheap", "approve namecheap/namecheap"] {
        let file = if words.ends_with(' ') { &*file } else { "" };
        door.said(&format!("plan {words}{file}")).await.is(0, &[]);
    }
    let patch = door.folder.path().join("key.patch").display().to_string();
    ready(&door, &door.plan_name().await, &format!("--out {patch}")).await.is(0, &[]);
    let main = clone(&door, "opentofu", "main");
    git(&main, &["-c", "user.name=bea", "-c", "user.email=bea@example.org", "am", "-q", &patch]);
    let new = std::fs::read_to_string(main.path().join("keys/n/namecheap/provider-1795262400.asc")).unwrap();
    same(&new, &key, "the key");
}

/// The owner of a key made it last longer, or gave it a part that signs: the very same key alone is on file.
#[tokio::test(flavor = "multi_thread")]
async fn a_renewed_key_is_planned_with_what_it_changes() {
    for (on_file, new, wanted) in [
        (
            [("provider-1", A_EXPIRED)],
            A,
            &[
                "note key-renewed",
                "the key is in keys/n/namecheap/provider-1.asc too, which stays: this one does not expire, that one expires on 2025-12-31",
                "verifies 1 of 3 versions; 2.2.0 installs with a warning today and would without",
            ][..],
        ),
        (
            [("provider-1", A)],
            A_EXPIRED,
            &["warning key-renewed", "this one expires on 2025-12-31, that one does not expire"],
        ),
        (
            [("provider-1", C_CERTIFIES)],
            C,
            &["note key-renewed", "this one has 81BA13FE0A9A4665 as well", "verifies 0 of 3 versions"],
        ),
        // A key of one provider is not one of the namespace.
        ([("namecheap/provider-1", B)], B, &["verifies 2 of 3 versions"]),
    ] {
        let door = Door::on(&s9(&on_file)).await;
        let file = key_file(&door, new);
        let said = door.said(&format!("plan submit key namecheap {file}")).await;
        said.is(0, wanted);
    }
    // What the whole namespace has speaks for each of its providers.
    for name in ["provider-1", "namecheap/provider-1"] {
        let door = Door::on(&s9(&[(name, B)])).await;
        let file = key_file(&door, B);
        let told = format!("is on file, in keys/n/namecheap/{name}.asc");
        door.said(&format!("plan submit key namecheap/namecheap {file}")).await.is(4, &[&told]);
    }
}

/// The form's check goes by the type of a key as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_may_not_sign_is_told_and_not_refused() {
    let door = Door::on(&s9(&[])).await;
    let file = key_file(&door, C_CERTIFIES);
    door.said(&format!("plan submit key namecheap {file}")).await.is(
        0,
        &[
            "warning key-cannot-sign",
            "may not sign, by its own flags: clients take it for a key that they do not know; the form's check takes it by its type alone",
            "verifies 0 of 3 versions",
        ],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_form_refuses_as_a_key_is_not_planned() {
    let door = Door::on(&s9(&[("provider-1", A_EXPIRED), ("provider-2", B)])).await;
    let private = B.replace("PUBLIC", "PRIVATE");
    let broken = B.replace("mDMEaDuYABYJKwYBBAHaRw8BAQdA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    for (owner, text, exit, told) in [
        ("namecheap", "", 4, "it holds no armored public key"),
        ("namecheap", &private, 4, "it holds a private key"),
        ("namecheap", B.split("-----END").next().unwrap(), 4, "the last line of its block is missing"),
        ("namecheap", &format!("{B}\n{A_EXPIRED}"), 4, "it holds more than one block"),
        ("namecheap", &broken, 4, "no key can be read"),
        ("namecheap", B, 4, "is on file, in keys/n/namecheap/provider-2.asc"),
        ("hashicorp", B, 2, "hashicorp's providers are signed by opentofu"),
        ("nobody", B, 2, "the registry has no provider of `nobody`"),
        ("namecheap/nothing", B, 2, "the registry has no provider `namecheap/nothing`"),
    ] {
        let file = key_file(&door, text);
        door.said(&format!("plan submit key {owner} {file}")).await.is(exit, &[told]);
    }
    door.said("plan submit key namecheap").await.is(2, &["<FILE>"]);
    door.said("plan submit key namecheap nowhere.asc").await.is(2, &["nowhere.asc"]);
    door.said("plan submit provider a/terraform-provider-b key.asc")
        .await
        .is(2, &["a key comes with a file, and nothing else does"]);
    door.said("plan show").await.is(0, &["the plan is empty"]);
    assert_eq!(writes(&door), [""; 0]);
    door.is_untouched();
}
