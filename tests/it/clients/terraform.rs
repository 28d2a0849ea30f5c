//! A real terraform that installs from the demo world, beside `lock` on the same world: the lock file that both write, and the
//! step at which both stop.

use std::process::{Command, Stdio};

use bumpdesk::surface::rules::archive::Limits;
use bumpdesk::surface::rules::hash::{NotInstallable, hash_archive};
use demo::world::Asset;
use demo::{Links, Options, World};

use crate::door::Door;
use crate::need::{Missing, need};
use crate::scenarios::verify::zipper::{Manner, Zipper};

/// The name, content and Unix mode of an entry.
type Entry<'a> = (&'a [u8], &'a [u8], u32);

/// Terraform installs what is signed by a key on file, and locks every line of SHA256SUMS: there is no manifest among them.
const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
key = [{ name = "acme", on_file = ["acme"] }, { name = "stranger" }]

[[provider]]
address = "acme/rocket"
signed_by = "acme"
targets = ["darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.0.0", manifest = "missing" }]
"#;
const CONFIGURATION: &str = r#"
terraform {
  required_providers {
    rocket = {
      source  = "registry.opentofu.org/acme/rocket"
      version = "1.0.0"
    }
  }
}
"#;

/// A world of its own names in its answers, over TLS, and a bumpdesk that trusts it.
async fn world(text: &str) -> Door {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let (ca_file, cli_config_file) = (folder.join("ca.pem"), folder.join("terraformrc"));
    let options = Options {
        tls: true,
        ca_file: Some(ca_file.clone()),
        cli_config_file: Some(cli_config_file.clone()),
        links: Links::Own,
        ..Options::default()
    };
    let mut door = Door::to(text, "registry", options).await;
    door.set("BUMPDESK_CA_FILE", &ca_file.display().to_string());
    for (from, name) in [(ca_file, "ca.pem"), (cli_config_file, "terraformrc")] {
        std::fs::copy(from, door.folder.path().join(name)).expect("a file");
    }
    std::fs::remove_dir_all(folder).expect("a folder");
    door.set("BUMPDESK_CA_FILE", &door.folder.path().join("ca.pem").display().to_string());
    std::fs::create_dir(door.folder.path().join("configuration")).expect("a folder");
    std::fs::write(door.folder.path().join("configuration/main.tf"), CONFIGURATION).expect("a file");
    door
}

/// Whether it went well, and all that it said.
fn terraform(door: &Door, arguments: &[&str]) -> (bool, String) {
    let home = door.folder.path();
    let mut command = Command::new("terraform");
    command.args(arguments).arg("-no-color").current_dir(home.join("configuration")).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", home);
    command.env("TF_CLI_CONFIG_FILE", home.join("terraformrc")).env("SSL_CERT_FILE", home.join("ca.pem"));
    let output =
        command.env("CHECKPOINT_DISABLE", "1").stdin(Stdio::null()).output().expect("terraform runs");
    let said = [output.stdout, output.stderr].concat();
    // Its lines are broken and framed.
    let said = String::from_utf8_lossy(&said).replace(['│', '╷', '╵'], " ");
    (output.status.success(), said.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[tokio::test(flavor = "multi_thread")]
async fn terraform_locks_what_bumpdesk_prints() {
    need!(is_there());
    let door = world(WORLD).await;
    let (went_well, said) = terraform(&door, &["init", "-input=false"]);
    assert!(went_well, "{said}");
    let platforms = ["darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64"];
    let platforms = platforms.map(|platform| format!("-platform={platform}"));
    let arguments: Vec<&str> =
        ["providers", "lock"].into_iter().chain(platforms.iter().map(String::as_str)).collect();
    let (went_well, said) = terraform(&door, &arguments);
    assert!(went_well, "{said}");
    let file = door.folder.path().join("configuration/.terraform.lock.hcl");
    let theirs = std::fs::read_to_string(&file).expect("a lock file");
    let ours = door.said("lock acme/rocket@1.0.0 --whole-file --constraints 1.0.0").await;
    ours.is(0, &[]);
    assert_eq!(ours.out, theirs.replacen("\"terraform init\"", "\"tofu init\"", 1));
    // And it is in order by our own check.
    door.said(&format!("lock --check {}", file.display())).await.is(0, &["4 verified"]);
}

/// What a backfill found is what a client computes by itself, and what the registry then serves for the other platforms.
#[tokio::test(flavor = "multi_thread")]
async fn terraform_installs_what_a_backfill_filled_in() {
    need!(is_there());
    let data = "providers/a/acme/rocket.json";
    let lacking = WORLD.replace("\"1.0.0\"]", "{ version = \"1.0.0\", hashes = false }]");
    let door = world(&lacking).await;
    let patches = door.folder.path().join("patches");
    let said = door.said(&format!("backfill run acme/rocket --out {}", patches.display())).await;
    said.is(0, &["4 targets: 4 filled in"]);
    door.git(&["am", "--quiet", &patches.join("0001-acme-rocket.patch").display().to_string()]);
    let filled = door.read(data);
    door.server.edit(|world| {
        world.files.insert(data.into(), filled.clone().into_bytes().into());
    });
    let (went_well, said) = terraform(&door, &["init", "-input=false"]);
    assert!(went_well, "{said}");
    let platforms = ["darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64"];
    let platforms = platforms.map(|platform| format!("-platform={platform}"));
    let arguments: Vec<&str> =
        ["providers", "lock"].into_iter().chain(platforms.iter().map(String::as_str)).collect();
    let (went_well, said) = terraform(&door, &arguments);
    assert!(went_well, "{said}");
    let file = door.folder.path().join("configuration/.terraform.lock.hcl");
    let theirs = std::fs::read_to_string(&file).expect("a lock file");
    let entry: serde_json::Value = serde_json::from_str(&filled).expect("JSON");
    let targets = entry["versions"][0]["targets"].as_array().expect("targets");
    assert_eq!(targets.len(), 4);
    for target in targets {
        let text = |name: &str| target[name].as_str().expect("a text");
        for hash in [text("h1").to_owned(), format!("zh:{}", text("shasum"))] {
            assert!(theirs.contains(&format!("\"{hash}\"")), "{hash} is not in {theirs}");
        }
    }
    let ours = door.said("lock acme/rocket@1.0.0 --whole-file --constraints 1.0.0").await;
    ours.is(0, &[]);
    assert_eq!(ours.out, theirs.replacen("\"terraform init\"", "\"tofu init\"", 1));
}

fn asset<'a>(world: &'a mut World, end: &str) -> &'a mut Asset {
    let repository = world.repository_mut("acme", "terraform-provider-rocket").expect("a repository");
    let assets = &mut repository.release_mut("v1.0.0").expect("a release").assets;
    assets.iter_mut().find(|asset| asset.name.ends_with(end)).expect("a file")
}

fn change(asset: &mut Asset, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = asset.content.as_ref().expect("content").to_vec();
    change(&mut bytes);
    (asset.size, asset.content) = (bytes.len() as u64, Some(bytes.into()));
}

/// Harm, and what both say of it; `lock` names its step too. A size is checked by OpenTofu alone.
type Harm = (&'static str, fn(&mut World), &'static str, &'static str);

#[tokio::test(flavor = "multi_thread")]
async fn terraform_and_lock_stop_at_the_same_step() {
    need!(is_there());
    let harms: [Harm; 4] = [
        (
            "a zip",
            |world| change(asset(world, "linux_amd64.zip"), |bytes| bytes[40] ^= 1),
            "archive has incorrect checksum zh:",
            "FAIL      archive-sum",
        ),
        (
            "a sum",
            |world| {
                let digest = asset(world, "linux_amd64.zip").digest.expect("a digest");
                change(asset(world, "_SHA256SUMS"), |bytes| {
                    let text = String::from_utf8(bytes.clone()).expect("UTF-8");
                    *bytes = text.replace(&hex::encode(digest), &"0".repeat(64)).into_bytes();
                });
            },
            "checksum list has unexpected SHA-256 hash 0000",
            "FAIL      checksum-list",
        ),
        (
            "a line",
            |world| {
                change(asset(world, "_SHA256SUMS"), |bytes| {
                    let text = String::from_utf8(bytes.clone()).expect("UTF-8");
                    *bytes = text.replace("linux_amd64", "linux_other").into_bytes();
                });
            },
            "checksum list has no SHA-256 hash for \"terraform-provider-rocket_1.0.0_linux_amd64.zip\"",
            "FAIL      checksum-list",
        ),
        (
            "a signature",
            |world| change(asset(world, ".sig"), |bytes| *bytes.last_mut().expect("a byte") ^= 1),
            "signature",
            "FAIL      signature:",
        ),
    ];
    for (name, harm, words, step) in harms {
        let door = world(WORLD).await;
        door.server.edit(harm);
        stops(&door, name, words, step).await;
    }
    let stranger = WORLD.replace("signed_by = \"acme\"", "signed_by = \"stranger\"");
    stops(&world(&stranger).await, "a key", "unknown issuer", "FAIL      signature:").await;
    let empty = WORLD.replace("signed_by", "binary = \"missing\"\nsigned_by");
    let words =
        "provider binary not found: could not find executable file starting with terraform-provider-rocket";
    stops(&world(&empty).await, "a missing binary", words, "FAIL      binary").await;

    // OpenTofu's own rule: terraform does not look at sizes.
    let mut door = world(WORLD).await;
    let data = "providers/a/acme/rocket.json";
    let mut file: serde_json::Value = serde_json::from_str(&door.read(data)).expect("JSON");
    file["versions"][0]["targets"][1]["size"] = 7.into();
    door.put(data, serde_json::to_string_pretty(&file).expect("JSON").as_bytes());
    door.settle();
    let (went_well, said) = terraform(&door, &["init", "-input=false"]);
    assert!(went_well, "{said}");
    door.said("lock acme/rocket@1.0.0 --targets linux_amd64")
        .await
        .is(4, &["FAIL      package", "registry response indicates a package of size 7"]);
}

async fn stops(door: &Door, name: &str, words: &str, step: &str) {
    let (went_well, said) = terraform(door, &["init", "-input=false"]);
    assert!(!went_well && said.contains(words), "{name}: {said}");
    let ours = door.said("lock acme/rocket@1.0.0 --targets linux_amd64 --steps").await;
    assert_eq!(ours.exit, 4, "{name}: {ours}");
    let line = ours.err.lines().find(|line| line.trim_start().starts_with(step));
    let line = line.unwrap_or_else(|| panic!("{name}: no `{step}`: {ours}"));
    assert!(words.contains("issuer") || line.contains(words), "{name}: {line}");
    // Nothing before it fails.
    let first = ours.err.lines().find(|line| line.contains("FAIL "));
    assert_eq!(first, Some(line), "{name}: {ours}");
    assert_eq!(ours.out, "", "{name}");
}

/// Root can unpack an archive whose permissions stop other users, and locks the h1 of that folder. Other users also
/// lock the h1 of the folder, even if it differs from the archive's.
#[test]
fn terraform_locks_the_folder_that_it_unpacked() {
    need!(is_there());
    need!(is_root());
    let program: (&[u8], &[u8], u32) = (b"terraform-provider-rocket_v1.0.0", b"program", 0o755);
    let kinds: [(&str, &[Entry<'_>], bool); 4] = [
        ("a file", &[program], false),
        ("a folder with an entry of its own", &[(b"docs/", b"", 0o755), program], false),
        ("a file twice", &[(b"README.md", b"one", 0o644), (b"README.md", b"two", 0o644), program], false),
        (
            "a read-only file twice",
            &[(b"README.md", b"one", 0o444), (b"README.md", b"two", 0o444), program],
            true,
        ),
    ];
    for (name, entries, is_roots_alone) in kinds {
        let mut zipper = Zipper::default();
        for (entry, content, mode) in entries {
            let kind = if entry.ends_with(b"/") { 0o040_000 } else { 0o100_000 };
            zipper.entry(entry, content, Manner { attributes: (kind | mode) << 16, ..Manner::GO });
        }
        let bytes = zipper.finish(b"", false).bytes;
        let hashes = hash_archive(std::io::Cursor::new(&bytes), &Limits::default()).expect("an h1");
        let wanted = match hashes.directory {
            Ok(directory) if !is_roots_alone => directory,
            Err(NotInstallable::Permission { as_root, .. }) if is_roots_alone => as_root,
            other => panic!("{name}: {other:?}"),
        };
        let locked = locked_from_a_mirror(&bytes);
        assert!(locked.contains(&format!("\"{wanted}\",")), "{name}: {wanted} is not in {locked}");
    }
}

/// The lock file of a Terraform client that installs this archive from a folder.
fn locked_from_a_mirror(archive: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (mirror, place) = (folder.path().join("mirror"), folder.path().join("configuration"));
    let packages = mirror.join("registry.opentofu.org/acme/rocket");
    std::fs::create_dir_all(&packages).expect("a folder");
    std::fs::create_dir(&place).expect("a folder");
    let target = if cfg!(target_arch = "aarch64") { "linux_arm64" } else { "linux_amd64" };
    std::fs::write(packages.join(format!("terraform-provider-rocket_1.0.0_{target}.zip")), archive)
        .expect("a file");
    std::fs::write(place.join("main.tf"), CONFIGURATION).expect("a file");
    let settings = format!(
        "provider_installation {{\n  filesystem_mirror {{\n    path = \"{}\"\n  }}\n}}\n",
        mirror.display()
    );
    std::fs::write(folder.path().join("terraformrc"), settings).expect("a file");
    let mut command = Command::new("terraform");
    command.args(["init", "-input=false", "-no-color"]).current_dir(&place).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", folder.path());
    command.env("TF_CLI_CONFIG_FILE", folder.path().join("terraformrc")).env("CHECKPOINT_DISABLE", "1");
    let output = command.stdin(Stdio::null()).output().expect("terraform runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(place.join(".terraform.lock.hcl")).expect("a lock file")
}

fn is_root() -> Result<(), Missing> {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|output| output.stdout == b"0\n");
    if is_root { Ok(()) } else { Err(Missing { need: "root", why: "this user's permissions count" }) }
}

fn is_there() -> Result<(), Missing> {
    let version = Command::new("terraform").arg("-version").output();
    let is_there = version.is_ok_and(|output| output.status.success());
    if is_there { Ok(()) } else { Err(Missing { need: "terraform", why: "no terraform on PATH" }) }
}
