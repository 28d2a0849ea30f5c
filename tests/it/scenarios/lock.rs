//! `lock` against the loopback world: the block of a good version, versions that may not be locked, and lock files that are
//! good, tampered with, incomplete or unreadable.

mod left_open;

use std::fmt::Write;

use demo::World;
use demo::world::Asset;
use serde_json::Value;

use crate::door::{Door, Output};

const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "acme/rocket"
targets = ["darwin_arm64", "linux_amd64"]
stored = ["1.1.0", "1.0.0"]

[[module]]
address = "umbrella/vpc/aws"
stored = ["v1.0.0"]
"#;
const DATA: &str = "providers/a/acme/rocket.json";
const S5: &str = include_str!("../../scenarios/s5-recreated.toml");

/// The data file's entry of one version, read without any code of ours.
fn stored(door: &Door, path: &str, version: &str) -> Value {
    let file: Value = serde_json::from_str(&door.read(path)).expect("JSON");
    let versions = file["versions"].as_array().expect("versions").clone();
    versions.into_iter().find(|one| one["version"] == version).expect("a version")
}

/// What a lock file must have for a version, put together by hand.
fn block_of(door: &Door, address: &str, path: &str, version: &str, constraints: Option<&str>) -> String {
    let mut hashes = Vec::new();
    for target in stored(door, path, version)["targets"].as_array().expect("targets") {
        hashes.push(target["h1"].as_str().expect("an h1").to_owned());
        hashes.push(format!("zh:{}", target["shasum"].as_str().expect("a shasum")));
    }
    hashes.sort();
    hashes.dedup();
    let mut text = format!("provider \"registry.opentofu.org/{address}\" {{\n");
    match constraints {
        None => writeln!(text, "  version = \"{version}\""),
        Some(said) => writeln!(text, "  version     = \"{version}\"\n  constraints = \"{said}\""),
    }
    .expect("a text takes all");
    text.push_str("  hashes = [\n");
    for hash in hashes {
        writeln!(text, "    \"{hash}\",").expect("a text takes all");
    }
    text.push_str("  ]\n}\n");
    text
}

/// Writes the data file anew with a change in one version.
fn change(door: &mut Door, version: &str, change: impl FnOnce(&mut Value)) {
    let mut file: Value = serde_json::from_str(&door.read(DATA)).expect("JSON");
    let versions = file["versions"].as_array_mut().expect("versions");
    change(versions.iter_mut().find(|one| one["version"] == version).expect("a version"));
    door.put(DATA, serde_json::to_string_pretty(&file).expect("JSON").as_bytes());
    door.settle();
}

fn edit(door: &Door, change: impl FnOnce(&mut Vec<Asset>)) {
    door.server.edit(|world: &mut World| {
        let repository = world.repository_mut("acme", "terraform-provider-rocket").expect("a repository");
        change(&mut repository.release_mut("v1.0.0").expect("a release").assets);
    });
}

/// Writes a lock file and checks it.
async fn checked(door: &Door, text: &str, options: &str) -> Output {
    let path = door.folder.path().join("lock.hcl");
    std::fs::write(&path, text).expect("a file");
    door.said(&format!("lock --check {} {options}", path.display())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_good_version_and_its_lock_file() {
    let mut door = Door::on(WORLD).await;
    let wanted = block_of(&door, "acme/rocket", DATA, "1.0.0", None);
    let said = door.said("lock acme/rocket@1.0.0").await;
    said.is(0, &[]);
    assert_eq!(said.out, wanted, "{said}");
    said.is_not(&["FAIL", "NOT KNOWN", "WARN"]);

    let constraints = Some("~> 1.0, != 1.0.1");
    let words = ["lock", "acme/rocket@v1.0.0", "--whole-file", "--constraints", "!= 1.0.1,~>1.0", "--steps"];
    let said = door.run(&words).await;
    let header = "# This file is maintained automatically by \"tofu init\".\n# Manual edits may be lost in future updates.\n\n";
    assert_eq!(said.out, format!("{header}{}", block_of(&door, "acme/rocket", DATA, "1.0.0", constraints)));
    said.is(
        0,
        &[
            "`tofu init` with acme/rocket 1.0.0:",
            "  PASS      listing: the registry lists 2 versions",
            "installs on 2 of 2 targets",
            "  it locks 4 hashes on every platform",
        ],
    );

    let quick = door.said("lock acme/rocket@1.0.0 --no-download").await;
    quick.is(5, &["NOT KNOWN archive (darwin_arm64, linux_amd64): it was not to be downloaded"]);
    assert_eq!(quick.out, "");
    let file = said.out;
    door.is_untouched();
    lock_files_of_a_good_version(&mut door, &wanted, &file).await;
}

async fn lock_files_of_a_good_version(door: &mut Door, wanted: &str, file: &str) {
    let other = "provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.0.0\"\n}\n";
    let file = format!("{file}\n{other}");
    let good = checked(door, &file, "").await;
    good.is(
        0,
        &[
            "v acme/rocket 1.0.0: 2 targets: 2 verified; 4 hashes",
            "lock.hcl:15:1: note lock-other-host registry.terraform.io/hashicorp/aws was not checked",
        ],
    );
    let quick = checked(door, &file, "--no-download").await;
    quick.is(0, &["v acme/rocket 1.0.0: 2 targets: 2 as the registry has it, archive not read; 4 hashes"]);
    checked(door, &wanted.replace("acme/rocket", "acme/gone"), "")
        .await
        .is(1, &["error lock-no-provider the registry has no provider acme/gone"]);
    let other = wanted.replace("1.0.0", "1.2.0");
    checked(door, &other, "")
        .await
        .is(1, &["error lock-no-version 1.2.0: the registry has no version 1.2.0 of acme/rocket"]);
    // What the registry serves as a copy of another provider has no data file.
    let copy = wanted.replace("acme/rocket", "hashicorp/boundary");
    checked(door, &copy, "")
        .await
        .is(5, &["warning lock-no-provider the registry has no provider hashicorp/boundary of its own"]);
    // The first key of a namespace makes every version that it did not sign uninstallable.
    door.put("keys/a/acme/provider.asc", include_bytes!("../../scenarios/s9-a.asc"));
    door.settle();
    let said = door.said("lock acme/rocket@1.0.0").await;
    said.is(
        4,
        &["FAIL      signature: ", "locking acme/rocket 1.0.0: darwin_arm64, linux_amd64: no signature: "],
    );
    checked(door, wanted, "")
        .await
        .is(1, &["cannot be installed on darwin_arm64, linux_amd64: clients refuse the package: "]);
    door.is_untouched();
}

/// A good signature by a key that has expired: what the client's environment says decides.
#[tokio::test(flavor = "multi_thread")]
async fn policies_of_the_client() {
    let text = format!(
        "key = [{{ name = \"acme\", on_file = [\"acme\"], expires = \"-10d\" }}]\n{}",
        WORLD.replace("address = \"acme/rocket\"", "address = \"acme/rocket\"\nsigned_by = \"acme\"")
    );
    let door = Door::on(&text).await;
    let wanted = block_of(&door, "acme/rocket", DATA, "1.0.0", None);
    for (options, exit, told) in [
        ("", 0, "WARN      signature: signed by "),
        ("--enforce-gpg-validation", 0, "; accepted with a warning"),
        ("--enforce-gpg-expiration", 4, "OPENTOFU_ENFORCE_GPG_EXPIRATION refuses what has expired"),
    ] {
        let said = door.said(&format!("lock acme/rocket@1.0.0 {options}")).await;
        said.is(exit, &[told]);
        assert_eq!(said.out, if exit == 0 { &*wanted } else { "" }, "{said}");
        checked(&door, &wanted, options).await.is(u8::from(exit > 0), &["acme/rocket 1.0.0: 2 targets"]);
    }
}

/// A SHA256SUMS that the registry's own tool would refuse for its length is read as clients read it.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_checksum_list_is_read_as_clients_read_it() {
    let door = Door::on(WORLD).await;
    let wanted = block_of(&door, "acme/rocket", DATA, "1.0.0", None);
    edit(&door, |assets| {
        let sums = assets.iter_mut().find(|asset| asset.name.ends_with("_SHA256SUMS")).expect("sums");
        let mut text = sums.content.as_deref().expect("a text").to_vec();
        for n in 0..600 {
            text.extend(format!("{}  other-{n}.txt\n", "0".repeat(64)).into_bytes());
        }
        assert!(text.len() > 40_000);
        sums.size = text.len() as u64;
        sums.digest = None;
        sums.content = Some(text.into());
    });
    let said = door.said("lock acme/rocket@1.0.0 --steps").await;
    said.is(0, &["installs on 2 of 2 targets"]);
    said.is_not(&["could not be read", "limit of", "NOT KNOWN"]);
    assert_eq!(said.out, wanted, "{said}");
    checked(&door, &wanted, "").await.is(0, &["2 targets: 2 verified"]);
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_not_be_locked() {
    let mut door = Door::on(WORLD).await;
    change(&mut door, "1.0.0", |version| version["targets"][1]["size"] = 0.into());
    let wrong = "linux_amd64: clients refuse it: registry response has invalid package size";
    let said = door.said("lock acme/rocket@1.0.0").await;
    said.is(4, &[wrong, "FAIL      package (linux_amd64)", "fails on 1, installs on 1 of 2 targets"]);
    assert_eq!(said.out, "");
    let said = door.said("lock acme/rocket@1.0.0 --partial").await;
    said.is(5, &[wrong]);
    assert!(said.out.matches("h1:").count() == 1 && said.out.ends_with("  ]\n}\n"), "{said}");
    door.said("lock acme/rocket@1.0.0 --targets darwin_arm64").await.is(0, &["h1:"]);
    // Nothing is told of what nobody asked about.
    let said = door.said("lock acme/rocket@1.0.0 --targets darwin_arm64 --steps").await;
    said.is(0, &["  it installs on 1 of 1 target\n"]);
    said.is_not(&["linux_amd64", "NOT KNOWN", "FAIL"]);
    door.said("lock acme/rocket@1.1.0").await.is(0, &[]);

    // A target that the entry has lost, though its archive is there.
    change(&mut door, "1.0.0", |version| {
        let gone = version["targets"].as_array_mut().expect("targets").remove(1);
        assert_eq!(gone["os"], "linux");
    });
    let absent =
        "platform not supported: the version has no such target, although SHA256SUMS names its archive";
    let said = door.said("lock acme/rocket@1.0.0").await;
    said.is(0, &[absent]);
    assert_eq!(said.out.matches("zh:").count(), 1, "{said}");
    door.said("lock acme/rocket@1.0.0 --targets darwin_arm64,linux_amd64").await.is(4, &[absent]);

    edit(&door, |assets| assets.retain(|asset| !asset.name.ends_with(".sig")));
    door.said("lock acme/rocket@1.0.0").await.is(4, &["failed to retrieve cryptographic signature"]);
    edit(&door, |assets| assets.retain(|asset| !asset.name.ends_with("darwin_arm64.zip")));
    door.said("lock acme/rocket@1.0.0 --steps").await.is(4, &["the archive is gone"]);
    door.said("lock acme/rocket@1.1.0 --enforce-gpg-validation")
        .await
        .is(4, &["OPENTOFU_ENFORCE_GPG_VALIDATION"]);
    door.said("lock acme/rocket@1.1.0 --max-size 10")
        .await
        .is(5, &["left out: darwin_arm64, linux_amd64: it has 10 bytes or more"]);

    // Which of two entries is served cannot be told, whatever both say.
    let block = block_of(&door, "acme/rocket", DATA, "1.1.0", None);
    let mut file: Value = serde_json::from_str(&door.read(DATA)).expect("JSON");
    let versions = file["versions"].as_array_mut().expect("versions");
    versions.push(versions[0].clone());
    door.put(DATA, serde_json::to_string_pretty(&file).expect("JSON").as_bytes());
    door.settle();
    let said = door.said("lock acme/rocket@1.1.0").await;
    said.is(4, &["the registry lists 1.1.0 more than once"]);
    assert_eq!(said.out, "");
    checked(&door, &block, "")
        .await
        .is(1, &["error lock-version-twice 1.1.0: the registry lists version 1.1.0"]);
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_release_made_anew() {
    let door = Door::on(S5).await;
    let path = "providers/c/coralogix/coralogix.json";
    let said = door.said("lock coralogix/coralogix@3.14.1").await;
    said.is(
        4,
        &["the file was re-uploaded after it was indexed", "checksum list has unexpected SHA-256 hash"],
    );
    assert_eq!(said.out, "");
    door.said("lock coralogix/coralogix@3.14.1 --no-download --steps")
        .await
        .is(4, &["GitHub says that the archive has the SHA-256", "FAIL      checksum-list (all 13 targets)"]);
    let file = block_of(&door, "coralogix/coralogix", path, "3.14.1", None);
    let said = checked(&door, &file, "").await;
    said.is(
        1,
        &[
            "X coralogix/coralogix 3.14.1: 13 targets: 13 cannot be installed; 26 hashes",
            "error lock-platform 3.14.1: cannot be installed on darwin_",
            "error lock-hash-outdated 3.14.1: ",
        ],
    );
    // Without any archive the checksum list tells it.
    checked(&door, &file, "--no-download")
        .await
        .is(1, &["13 cannot be installed", "checksum list has unexpected"]);
    let other = block_of(&door, "coralogix/coralogix", path, "3.14.2", None);
    checked(&door, &other, "--targets linux_amd64").await.is(0, &["1 target: 1 verified; 26 hashes"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lock_files_that_are_not_as_they_should_be() {
    let door = Door::on(WORLD).await;
    let good = block_of(&door, "acme/rocket", DATA, "1.0.0", None);
    let version = stored(&door, DATA, "1.0.0");
    let linux = &version["targets"][1];
    assert_eq!(linux["os"], "linux");
    let zh = format!("zh:{}", linux["shasum"].as_str().expect("a shasum"));
    let h1 = linux["h1"].as_str().expect("an h1");

    let foreign = format!("zh:{}", "0".repeat(64));
    let tampered = good.replace(&zh, &foreign);
    let line = 1 + tampered.lines().position(|line| line.contains(&foreign)).expect("a line");
    checked(&door, &tampered, "").await.is(1, &[
        &format!("lock.hcl:{line}:5: error lock-hash-foreign 1.0.0: no target of acme/rocket 1.0.0 has the hash zh:0000"),
        "note lock-incomplete 1.0.0: it lacks zh of linux_amd64",
        "X acme/rocket 1.0.0: 2 targets: 2 verified; 4 hashes, 1 of them wrong",
    ]);
    // Quickly too: what SHA256SUMS and the registry do not know, no archive has.
    checked(&door, &tampered, "--no-download").await.is(1, &["lock-hash-foreign"]);

    let without = |text: &str, hash: &str| -> String {
        text.split_inclusive('\n').filter(|line| !line.contains(hash)).collect()
    };
    let one = without(&without(&good, &zh), h1);
    checked(&door, &one, "").await.is(1, &[
        "lock.hcl:2:13: error lock-platform 1.0.0: cannot be installed on linux_amd64: no recorded hash is that of its package",
        "X acme/rocket 1.0.0: 2 targets: 1 cannot be installed, 1 verified; 2 hashes",
    ]);
    checked(&door, &one, "--targets darwin_arm64").await.is(0, &["1 verified"]);
    checked(&door, &good, "--targets plan9_mips")
        .await
        .is(1, &["cannot be installed on plan9_mips: platform not supported"]);
    checked(&door, &without(&good, h1), "")
        .await
        .is(0, &["note lock-incomplete 1.0.0: it lacks h1 of linux_amd64", "2 verified"]);

    checked(&door, &good.replace("1.0.0", "1.0"), "")
        .await
        .is(2, &["lock.hcl` at 2:13: `1.0` is not a version in normal form; Write `1.0.0`."]);
    checked(&door, &good.repeat(2), "").await.is(2, &["has a block on line 1 already"]);
    checked(&door, "provider {", "").await.is(2, &["lock.hcl` at 1:1"]);
    let large = checked(&door, &"#".repeat(300 << 10), "").await;
    large.is(2, &["it is over 256 KiB", "has at most 256 KiB"]);
    large.is_not(&["MiB"]);
    checked(&door, &good.replace("hashes = [", "constraints = \"~> 1.0, >= 1.0\"\n  hashes = ["), "")
        .await
        .is(2, &["`constraints` is not in normal form; Write `>= 1.0.0, ~> 1.0`."]);
    checked(&door, "", "").await.is(0, &[]);
    door.said("lock --check FOLDER/nothing.hcl").await.is(2, &["reading the lock file"]);
    for (line, wanted) in [
        ("lock", "required"),
        ("lock acme/rocket", "Write `acme/rocket@1.1.0` for the newest."),
        ("lock acme/rocket@9.9.9", "has no version 9.9.9"),
        ("lock acme/rockte@1.0.0", "Write `acme/rocket`"),
        ("lock umbrella/vpc/aws@v1.0.0", "is a module: lock files hold only providers"),
        ("lock acme/rocket@1.0.0 --no-download --partial", "cannot be used with"),
        ("lock acme/rocket@1.0.0 --constraints ^1", "is not a constraint"),
        ("lock acme/rocket@1.0.0 --targets plan9_mips", "no version has a target plan9_mips"),
    ] {
        door.said(line).await.is(2, &[wanted]);
    }
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_as_json() {
    let door = Door::on(WORLD).await;
    let good = block_of(&door, "acme/rocket", DATA, "1.0.0", None);
    let objects = door.said("lock acme/rocket@1.0.0 --json").await.objects();
    let lock = &objects[0];
    assert_eq!(
        (&lock["type"], &lock["v"], &lock["block"]),
        (&"lock".into(), &1.into(), &good.as_str().into())
    );
    let target = &lock["targets"][0];
    assert_eq!((&target["target"], &target["init"]), (&"darwin_arm64".into(), &"installs".into()));
    assert_eq!(target["hashes"].as_array().map(Vec::len), Some(2));
    assert!(lock["steps"].as_array().expect("steps").iter().all(|step| step["ruling"] == "pass"), "{lock}");
    assert_eq!(objects.last().expect("an outcome")["exit"], 0);

    let foreign = format!("zh:{}", "0".repeat(64));
    let file = good.replace("  hashes = [", &format!("  hashes = [\n    \"{foreign}\","));
    let objects = checked(&door, &file, "--json").await.objects();
    let kinds: Vec<&str> = objects.iter().filter_map(|object| object["type"].as_str()).collect();
    assert_eq!(kinds, ["lock-block", "finding", "outcome"]);
    assert_eq!(
        (&objects[0]["hashes"][0]["is"], &objects[0]["hashes"][1]["is"]),
        (&"foreign".into(), &"target".into())
    );
    assert_eq!(objects[0]["platforms"][1]["fares"], "installs");
    assert_eq!((&objects[1]["rule"], &objects[1]["line"]), (&"lock-hash-foreign".into(), &4.into()));
    assert_eq!((&objects[2]["exit"], &objects[2]["summary"]["findings"]), (&1.into(), &1.into()));
}
