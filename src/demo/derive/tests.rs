use super::*;
use crate::checkout;
use crate::world::Lookup;

const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "hashicorp/null"
targets = ["linux_amd64", "darwin_arm64"]
twin = true
protocols = ["5.0", "6.0"]
stored = ["3.2.3", { version = "3.2.2", tag = "3.2.2" }]
stored_with = { hashes = false, discovered = false }
[[provider]]
address = "acme/rocket"
owner = "ACME"
stored = ["1.0.0"]
[[module]]
address = "acme/pad/aws"
stored = ["v1.1.0", "1.0.0"]
[[module]]
address = "acme/broken/aws"
json = "{ \"versions\": [ }"
"#;

fn text(asset: &Asset) -> String {
    String::from_utf8(asset.content.clone().unwrap().to_vec()).unwrap()
}

#[test]
fn a_checkout_gives_back_its_upstream() {
    let original = World::parse(WORLD).unwrap();
    let folder = tempfile::tempdir().unwrap();
    checkout::write(&original, folder.path()).unwrap();
    let from_files = World::derive(folder.path(), None).unwrap();
    let from_git = World::derive(folder.path(), Some("main")).unwrap();
    let bare = World::derive(&folder.path().join(".git"), None).unwrap();
    for world in [&from_files, &from_git, &bare] {
        assert_eq!(
            world.repositories.keys().collect::<Vec<_>>(),
            from_files.repositories.keys().collect::<Vec<_>>()
        );
        assert_eq!(world.notes.len(), 1, "{:?}", world.notes);
        assert!(
            world.notes[0].starts_with("`modules/a/acme/broken/aws.json` is left out: "),
            "{:?}",
            world.notes
        );
        let null = &world.repositories["opentofu/terraform-provider-null"];
        assert_eq!(null.tags.iter().map(|tag| &*tag.name).collect::<Vec<_>>(), ["v3.2.3", "3.2.2"]);
        let release = null.release("3.2.2").unwrap();
        let sums = text(release.asset("terraform-provider-null_3.2.2_SHA256SUMS").unwrap());
        let known = original.repositories["opentofu/terraform-provider-null"].release("3.2.2").unwrap();
        for name in [
            "terraform-provider-null_3.2.2_darwin_arm64.zip",
            "terraform-provider-null_3.2.2_linux_amd64.zip",
        ] {
            let sum = hex::encode(known.asset(name).unwrap().digest.unwrap());
            assert!(sums.contains(&format!("{sum}  {name}\n")), "{sums}");
            assert!(release.asset(name).unwrap().content.is_none());
        }
        let manifest = text(release.asset("terraform-provider-null_3.2.2_manifest.json").unwrap());
        assert_eq!(manifest, "{\"version\":1,\"metadata\":{\"protocol_versions\":[\"5.0\",\"6.0\"]}}");
        let Lookup::Here(rocket) = world.lookup("acme", "terraform-provider-rocket") else { panic!() };
        assert_eq!(rocket.full_name(), "ACME/terraform-provider-rocket");
        let pad = &world.repositories["acme/terraform-aws-pad"];
        let commit = original.repositories["acme/terraform-aws-pad"].tag("1.0.0").unwrap().oid;
        assert_eq!(pad.tag("1.0.0").unwrap().oid, commit);
        assert_eq!(pad.feed()[0].tag, "v1.1.0");
    }
}

#[test]
fn some_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    checkout::write(&World::parse(WORLD).unwrap(), folder.path()).unwrap();
    let only = ["providers/a".to_owned(), "modules/a/acme/pad/aws.json".to_owned(), "modules/z".to_owned()];
    for reference in [None, Some("HEAD")] {
        let world = World::derive_only(folder.path(), reference, &only).unwrap();
        let keys: Vec<&str> = world.repositories.keys().map(|key| &**key).collect();
        assert_eq!(keys, ["acme/terraform-aws-pad", "acme/terraform-provider-rocket"]);
    }
}

#[test]
fn what_is_no_registry_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = World::derive(folder.path(), None).unwrap_err().to_string();
    assert!(message.contains("is not a registry"), "{message}");
    checkout::write(&World::parse(WORLD).unwrap(), folder.path()).unwrap();
    let message = World::derive(folder.path(), Some("nowhere")).unwrap_err().to_string();
    assert!(message.contains("`nowhere` is not a revision"), "{message}");
}
