use super::*;

const UTILS: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "cloudposse/utils"
targets = ["linux_amd64", "darwin_arm64"]
stored = ["2.1.0", { version = "2.0.0", hashes = false }]
releases = [{ tag = "v1.33.0", published = "-6h", sums = "upper" }, "v1.32.0"]
errors = [{ version = "1.58.0", message = "checksums not found in release", count = 3, last = "2026-11-20T12:00:00Z" }]
tags = ["v3.0.0-alpha+x"]
gone = ["2.0.0"]
[[module]]
address = "terraform-aws-modules/vpc/aws"
stored = ["v5.1.0"]
stored_with = { discovered = false }
tags = [{ name = "v5.2.0", at = "-2h", annotated = true }]
[[fault]]
on = ["feed", "git"]
repository = "cloudposse/terraform-provider-utils"
kind = "status:429"
retry_after = 60
[[blacklist]]
provider = "hashicorp/aws"
version = "6.57.0"
reason = "withdrawn"
"#;

fn file(world: &World, path: &str) -> String {
    String::from_utf8(world.files[path].to_vec()).unwrap()
}

#[test]
fn a_provider_has_both_sides() {
    let world = World::parse(UTILS).unwrap();
    let repository = &world.repositories["cloudposse/terraform-provider-utils"];
    let tags: Vec<&str> = repository.tags.iter().map(|tag| &*tag.name).collect();
    assert_eq!(tags, ["v2.1.0", "v3.0.0-alpha+x", "v1.33.0", "v1.32.0"]);
    let release = repository.release("v2.1.0").unwrap();
    let names: Vec<&str> = release.assets.iter().map(|asset| &*asset.name).collect();
    assert_eq!(
        names,
        [
            "terraform-provider-utils_2.1.0_linux_amd64.zip",
            "terraform-provider-utils_2.1.0_darwin_arm64.zip",
            "terraform-provider-utils_2.1.0_manifest.json",
            "terraform-provider-utils_2.1.0_SHA256SUMS.sig",
            "terraform-provider-utils_2.1.0_SHA256SUMS",
        ]
    );
    let text = file(&world, "providers/c/cloudposse/utils.json");
    let zip = hex::encode(release.assets[1].digest.unwrap());
    let start = format!(
        "{{\n  \"versions\": [\n    {{\n      \"version\": \"2.1.0\",\n      \"protocols\": [\n        \"5.0\"\n      ],\n      \
         \"shasums_url\": \"https://github.com/cloudposse/terraform-provider-utils/releases/download/v2.1.0/terraform-provider-utils_2.1.0_SHA256SUMS\",\n      \
         \"shasums_signature_url\": \"https://github.com/cloudposse/terraform-provider-utils/releases/download/v2.1.0/terraform-provider-utils_2.1.0_SHA256SUMS.sig\",\n      \
         \"targets\": [\n        {{\n          \"os\": \"darwin\",\n          \"arch\": \"arm64\",\n          \"filename\": \"terraform-provider-utils_2.1.0_darwin_arm64.zip\",\n          \
         \"download_url\": \"https://github.com/cloudposse/terraform-provider-utils/releases/download/v2.1.0/terraform-provider-utils_2.1.0_darwin_arm64.zip\",\n          \
         \"shasum\": \"{zip}\",\n          \"h1\": \"h1:"
    );
    assert!(text.starts_with(&start), "{text}");
    assert!(text.contains("\"h1\": \"\",\n          \"size\": 0\n"), "{text}");
    assert!(text.contains("\"discovered\": \"2026-10-2"), "{text}");
    assert!(text.ends_with("      \"utc_time\": \"2026-11-20T12:00:00Z\"\n    }\n  ]\n}"), "{text}");
    let gaps = ["2026-11-20T10:30:00Z", "2026-11-20T11:00:00Z", "2026-11-20T12:00:00Z"];
    for at in gaps {
        assert!(text.contains(at), "{at} in {text}");
    }
    let upper =
        repository.release("v1.33.0").unwrap().asset("terraform-provider-utils_1.33.0_SHA256SUMS").unwrap();
    let sums = String::from_utf8(upper.content.clone().unwrap().to_vec()).unwrap();
    assert_eq!(sums.lines().count(), 3);
    assert!(sums.lines().all(|line| line[..64].bytes().all(|digit| !digit.is_ascii_lowercase())), "{sums}");
}

#[test]
fn a_module_keeps_raw_tags_and_commits() {
    let world = World::parse(UTILS).unwrap();
    let repository = &world.repositories["terraform-aws-modules/terraform-aws-vpc"];
    let commit = hex::encode(repository.tag("v5.1.0").unwrap().oid);
    assert_eq!(
        file(&world, "modules/t/terraform-aws-modules/vpc/aws.json"),
        format!(
            "{{\n  \"versions\": [\n    {{\n      \"version\": \"v5.1.0\",\n      \"commit\": \"{commit}\"\n    }}\n  ]\n}}"
        )
    );
    assert!(repository.tag("v5.2.0").unwrap().peeled.is_some());
    assert_eq!(
        file(&world, "versions_blacklist.json"),
        "{\n  \"providers\": [\n    {\n      \"namespace\": \"hashicorp\",\n      \"name\": \"aws\",\n      \
         \"version\": \"6.57.0\",\n      \"reason\": \"withdrawn\"\n    }\n  ],\n  \"modules\": []\n}\n"
    );
}

#[test]
fn hashicorp_and_its_twin_share_a_repository() {
    let world = World::parse(
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"hashicorp/null\"\ntwin = true\nstored = [\"3.2.3\"]\ntargets = [\"linux_amd64\"]\n",
    )
    .unwrap();
    assert_eq!(
        world.repositories.keys().map(|key| &**key).collect::<Vec<_>>(),
        ["opentofu/terraform-provider-null"]
    );
    let text = file(&world, "providers/h/hashicorp/null.json");
    assert_eq!(text, file(&world, "providers/o/opentofu/null.json"));
    assert!(text.contains("https://github.com/opentofu/terraform-provider-null/"));
}

#[test]
fn moved_and_deleted_repositories() {
    let world = World::parse(
        "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"a/b/c\"\nstored = [\"1.0.0\"]\nrepository = { id = 7, moved_to = \"New/terraform-c-b\" }\n\
         [[module]]\naddress = \"d/e/f\"\nrepository = { deleted = true }\n",
    )
    .unwrap();
    match world.lookup("A", "Terraform-c-b") {
        crate::world::Lookup::Moved(repository) => {
            assert_eq!((repository.id, &*repository.owner), (7, "New"));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(world.lookup("d", "terraform-f-e"), crate::world::Lookup::Absent));
}

#[test]
fn errors_name_the_place() {
    let head = "clock = \"2026-11-21T12:00:00Z\"\n";
    let cases = [
        ("[[provider]]\naddress = \"a/b\"\nversion = 1\n", (4, 1), "unknown field `version`"),
        ("[[provider]]\naddress = \"ab\"\n", (3, 11), "`ab` is not of the form `namespace/name`"),
        (
            "[[provider]]\naddress = \"a/b\"\nreleases = [{ tag = \"v1\", published = \"soon\" }]\n",
            (4, 39),
            "`soon` is not a time",
        ),
        ("[[fault]]\non = \"feed\"\nkind = \"boom\"\n", (4, 8), "`boom` is not a kind of fault"),
        ("[[fault]]\non = \"radio\"\nkind = \"reset\"\n", (3, 6), "unknown variant `radio`"),
        (
            "[[provider]]\naddress = \"a/b\"\nstored = [\"1.0.0\", { vers = 1 }]\n",
            (4, 22),
            "unknown field `vers`",
        ),
        ("= 1\n", (2, 1), ""),
        (
            "[[provider]]\naddress = \"a/b\"\nstored = [{ version = \"1.0.0\", signed_by = \"c\" }]\n",
            (4, 32),
            "no `[[key]]` of the name `c`",
        ),
        (
            "[[pull]]\nnumber = 7\nauthor = \"nobody\"\nopened = \"-1h\"\ncommit = []\n",
            (3, 1),
            "pull request 7: there is no account `nobody`",
        ),
        (
            "[[account]]\nlogin = \"a\"\n[[pull]]\nnumber = 7\nauthor = \"a\"\nopened = \"-1h\"\ncommit = [{ versions = { \"a/b/c\" = [\"1\"] } }]\n",
            (5, 1),
            "`modules/a/a/b/c.json` is not a file of the registry",
        ),
        ("[before]\nat = \"-1d\"\nwithout = { \"a/b\" = [] }\n", (4, 14), "is not a file of the registry"),
    ];
    for (text, (line, column), message) in cases {
        let error = World::parse(&format!("{head}{text}")).unwrap_err();
        assert!(error.message.contains(message), "{error}");
        assert_eq!((error.line, error.column), (line, column), "{error}");
    }
    assert!(World::parse("").unwrap_err().message.contains("no `clock`"));
}

#[test]
fn keys_lie_on_file_and_sign() {
    let world = World::parse(
        "clock = \"2026-11-21T12:00:00Z\"\n\
         [[key]]\nname = \"a\"\non_file = [\"Acme\", \"acme/rocket\"]\n\
         [[key]]\nname = \"b\"\non_file = [\"acme\"]\nexpires = \"-10d\"\n\
         [[provider]]\naddress = \"Acme/rocket\"\ntargets = [\"linux_amd64\"]\nsigned_by = \"a\"\n\
         stored = [{ version = \"1.1.0\", signed_by = \"b\" }, \"1.0.0\"]\nreleases = [\"v1.2.0\"]\n",
    )
    .unwrap();
    let keys: Vec<&String> = world.files.keys().filter(|path| path.starts_with("keys/")).collect();
    let second = "provider-1577836800.asc";
    let wanted = [
        format!("keys/a/acme/{second}"),
        "keys/a/acme/provider-1577836801.asc".into(),
        format!("keys/a/acme/rocket/{second}"),
    ];
    assert_eq!(keys, wanted.iter().collect::<Vec<_>>());
    let releases = &world.repositories["acme/terraform-provider-rocket"].releases;
    let expires = "2026-11-11T12:00:00Z".parse().unwrap();
    for (tag, name, expires) in [("v1.2.0", "a", None), ("v1.1.0", "b", Some(expires)), ("v1.0.0", "a", None)]
    {
        let release = releases.iter().find(|release| &*release.tag == tag).unwrap();
        let file = |end: &str| {
            let asset = release.assets.iter().find(|asset| asset.name.ends_with(end)).unwrap();
            (asset.content.clone().unwrap(), asset.updated)
        };
        let (sums, at) = file("_SHA256SUMS");
        let created = Timestamp::from_second(1_577_836_800).unwrap();
        let signer = crate::signer::Signer::new(name, created, expires);
        assert_eq!(file(".sig").0, signer.sign(&sums, at), "{tag}");
    }
}

/// A commit that would change nothing, or that names something that does not exist, is an error with the line in the
/// scenario.
#[test]
fn a_commit_before_the_newest_one_has_to_differ() {
    let stored = "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"a/b/c\"\nstored = [\"v1.0.0\", \"v1.1.0\"]\n";
    let world = |without: &str| World::parse(&format!("{stored}[before]\nat = \"-2d\"\n{without}"));
    for (without, line, why) in [
        ("without = { \"a/b/c\" = [] }\n", 7, "names no version in `without`"),
        ("without = {}\n", 7, "`without` names no entry"),
        ("without = { \"a/b/c\" = [\"v9.9.9\"] }\n", 7, "has no version `v9.9.9`"),
        ("without = { \"a/b/c\" = [\"v1.0.0\", \"1.1.0\"] }\n", 7, "has no version `1.1.0`"),
        ("without = { \"x/y/z\" = [\"v1.0.0\"] }\n", 7, "is not a file of the registry"),
        ("[before.without]\n\n\"a/b/c\" = []\n", 9, "names no version in `without`"),
    ] {
        let error = world(without).err().unwrap();
        assert_eq!(error.line, line, "{without}: {error}");
        assert!(error.message.contains(why), "{without}: {error}");
    }
    let world = world("without = { \"a/b/c\" = [\"v1.1.0\"] }\n").unwrap();
    crate::checkout::write(&world, &tempfile::tempdir().unwrap().path().join("registry")).unwrap();
}

/// The commits of bumps end in the same files, and each changes as many as the scenario says.
#[test]
fn a_bump_of_each_day_changes_so_many_files() {
    let entry = |name: &str| {
        format!("[[module]]\naddress = \"a/{name}/c\"\nstored = [\"v1.2.0\", \"v1.1.0\", \"v1.0.0\"]\n")
    };
    let world = |bumps: &str| {
        let clock = "clock = \"2026-11-21T12:00:00Z\"\n";
        let entries = ["w", "x", "y", "z"].map(entry).concat();
        let without = "without = { \"a/w/c\" = [\"v1.2.0\"] }";
        World::parse(&format!("{clock}{entries}[before]\nat = \"-40d\"\n{without}\nbumps = {bumps}\n"))
    };
    let history = |bumps: &str| {
        let world = world(bumps).unwrap();
        let commits = world.history().into_iter();
        commits.map(|(at, files)| (at.to_string()[..10].to_owned(), files.len())).collect::<Vec<_>>()
    };
    let day = |date: &str, files| (date.to_owned(), files);
    let (oldest, newest) = (day("2026-10-12", 5), |files| day("2026-11-21", files));
    assert_eq!(history("[]"), [oldest.clone(), newest(1)]);
    assert_eq!(history("[1]"), [oldest.clone(), newest(2)]);
    assert_eq!(
        history("[1, 2, 0, 3]"),
        [oldest, day("2026-11-18", 2), day("2026-11-19", 2), newest(3)],
        "the first of them has the file of `without` too"
    );
    for (bumps, why) in [
        ("[1, 0]", "the newest commit would change nothing"),
        ("[4]", "more files than have a version to be without"),
        ("[3, 3, 1]", "more files than have a version to be without"),
    ] {
        let error = world(bumps).err().unwrap();
        assert!(error.message.contains(why), "{bumps}: {error}");
        assert_eq!(error.line, 17, "{bumps}: {error}");
    }
    let world = world("[2, 0, 3]").unwrap();
    let folder = tempfile::tempdir().unwrap();
    crate::checkout::write(&world, &folder.path().join("registry")).unwrap();
    let git = |arguments: &[&str]| {
        let mut git = crate::checkout::git(&folder.path().join("registry"));
        String::from_utf8(crate::checkout::run(git.args(arguments)).unwrap()).unwrap()
    };
    assert_eq!(git(&["status", "--porcelain"]), "");
    let (_, tip) = world.forge.find("opentofu", "registry").unwrap().branches.first_key_value().unwrap();
    assert_eq!(git(&["rev-parse", "HEAD"]).trim(), hex::encode(tip), "the forge has the same commits");
}
