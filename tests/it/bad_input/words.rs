//! What is said on the command line and in the configuration and leads nowhere.

use crate::door::{Door, WORLD};

#[tokio::test(flavor = "multi_thread")]
async fn not_a_registry() {
    let mut door = Door::on(WORLD).await;
    let empty = door.folder.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    std::fs::write(door.folder.path().join("file"), "x").expect("a file");
    let clone = "bumpdesk clone";
    let cases = [
        ("empty", "empty` is not a registry: it has neither `providers/` nor `modules/`", "--registry"),
        ("nowhere", "nowhere` is not a folder (from BUMPDESK_REGISTRY)", clone),
        ("file", "file` is not a folder (from BUMPDESK_REGISTRY)", clone),
    ];
    for (path, told, remedy) in cases {
        door.set("BUMPDESK_REGISTRY", path);
        for line in ["list", "survey", "bump", "lint", "show acme/rocket", "diff acme/rocket"] {
            door.said(line).await.is(2, &[told, remedy]);
        }
    }
    assert_eq!(std::fs::read_dir(&empty).expect("a folder").count(), 0);
    // Nothing said, nothing around.
    door.unset("BUMPDESK_REGISTRY");
    let none = door.said("list").await;
    none.is(
        2,
        &[
            "there is no `providers` or `modules` folder here or above",
            "--registry PATH",
            clone,
            "bumpdesk demo",
        ],
    );
    let json = door.said("list --json").await;
    json.is(2, &[]);
    assert_eq!(json.objects()[0]["failure"]["kind"], "usage");
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reference_that_is_not_there() {
    let door = Door::on(WORLD).await;
    let told = "there is no commit `nowhere` in `";
    for line in ["list", "survey", "bump", "bump --dry-run", "lint", "show acme/rocket", "diff acme/rocket"] {
        let said = door.said(&format!("{line} --ref nowhere")).await;
        said.is(2, &[told, "`git branch -a` and `git tag` list what there is"]);
        assert_eq!(said.out, "", "{said}");
    }
    // An option in disguise is a name like another.
    let odd = door.run(&["list", "--ref=--output=stolen"]).await;
    odd.is(2, &["there is no commit `--output=stolen`"]);
    assert!(!door.registry.join("stolen").exists());
    door.said("list --ref HEAD").await.is(0, &["acme/rocket"]);
    let refused = door.said("bump --ref HEAD").await;
    refused.is(2, &["the data is read from git objects, so there are no files to write", "Leave out --ref"]);
    door.is_untouched();
    std::fs::remove_dir_all(door.registry.join(".git")).expect("a folder");
    let plain = door.said("list --ref HEAD").await;
    plain.is(2, &["a reference was asked for, but there is no git repository"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_not_there() {
    let door = Door::on(WORLD).await;
    let near = "Write `acme/rocket` if you mean that.";
    let cases = [
        ("acme/rockets", "the registry has no provider `acme/rockets`", near),
        ("acme", "`acme` is not an address", ""),
        ("acme/rocket/aws/x", "`acme/rocket/aws/x` is not an address", ""),
        ("umbrella/vpc/azure", "the registry has no module `umbrella/vpc/azure`", "umbrella/vpc/aws"),
        ("zzzz/qqqqqqqqqq", "the registry has no provider `zzzz/qqqqqqqqqq`", "bumpdesk list --filter WORD"),
        ("../../etc/passwd", "is not an address", ""),
    ];
    for (word, told, remedy) in cases {
        for command in ["show", "survey", "diff", "bump", "lint"] {
            let said = door.said(&format!("{command} {word}")).await;
            said.is(2, &[told, remedy]);
            assert_eq!(said.out, "", "{said}");
        }
    }
    door.is_untouched();
    assert_eq!(door.server.exchanges().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_line_of_the_configuration() {
    let door = Door::on(WORLD).await;
    let file = door.folder.path().join("config/config.toml");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    let cases = [
        (
            "[pace]\ngit-per-secnd = 3\n",
            "2:1`: there is no key `pace.git-per-secnd`",
            "Write `git-per-second` instead.",
        ),
        (
            "\n[endpoint]\nweb = \"x\"\n",
            "2:2`: there is no section `[endpoint]`",
            "Write `[endpoints]` instead.",
        ),
        ("[ui]\ncolor = \"blue\"\n", "2:9`: `ui.color` cannot be `blue`", "auto"),
        ("[endpoints]\n\n  web = \"http://github.com\"\n", "3:9`: `endpoints.web` cannot be", "https"),
        ("registry = \"a\n", "1:", "config.toml:1:"),
        ("[features]\ntarget-hashes = 3\n", "2:17`: `features.target-hashes` cannot be `3`", ""),
    ];
    for (text, told, remedy) in cases {
        std::fs::write(&file, text).expect("a file");
        let named = format!("{}:{told}", file.display());
        let named = if remedy.starts_with("config.toml") { file.display().to_string() } else { named };
        for line in ["list", "survey", "bump", "doctor"] {
            let said = door.said(line).await;
            said.is(2, &["reading the configuration", &named, remedy]);
            assert_eq!(said.out, "", "{said}");
        }
        door.said("man").await.is(0, &[]);
    }
    std::fs::remove_file(&file).expect("a file");
    let missing = door.run(&["list", "--config", "elsewhere.toml"]).await;
    missing.is(2, &["elsewhere.toml` cannot be read", "Check the path and its permissions"]);
    std::fs::create_dir(&file).expect("a folder");
    door.said("list").await.is(2, &["config.toml` cannot be read"]);
    door.is_untouched();
}
