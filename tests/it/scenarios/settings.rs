//! Every command refuses wrong settings, and `config check` finds the same mistakes.

use crate::door::{Door, WORLD};

fn configure(door: &Door, text: &str) {
    let folder = door.folder.path().join("config");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), text).expect("a file");
}

/// Commands that draw nothing, and one that does.
const COMMANDS: &[&str] =
    &["list", "survey", "show acme/rocket", "jobs", "log", "lint", "doctor", "keys", ""];

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_theme_is_refused_by_every_command() {
    let door = Door::on(WORLD).await;
    for command in COMMANDS {
        for json in ["", " --json"] {
            let output = door.said(&format!("{command} --theme pink{json}")).await;
            output.is(2, &["there is no theme `pink`", "dark", "light", "auto"]);
            assert!(!output.out.contains("acme/rocket"), "{output}");
        }
        door.said(&format!("{command} --theme lihgt")).await.is(2, &["--theme", "write `light`"]);
    }
    for good in ["auto", "dark", "paper", "high-contrast"] {
        door.said(&format!("list --theme {good}")).await.is(0, &["acme/rocket"]);
    }
    door.said("config check --theme pink").await.is(2, &["there is no theme `pink`"]);
    configure(&door, "[ui]\ntheme = \"pink\"\n");
    for command in COMMANDS {
        door.said(command).await.is(2, &["config.toml:2:9", "there is no theme `pink`"]);
    }
    door.said("list --theme dark").await.is(0, &["acme/rocket"]);
    // A theme of the user's own is accepted too.
    let themes = door.folder.path().join("config/themes");
    std::fs::create_dir_all(&themes).expect("a folder");
    std::fs::write(themes.join("pink.toml"), "inherits = \"dark\"\n").expect("a file");
    door.said("list").await.is(0, &["acme/rocket"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn config_check_refuses_what_the_commands_refuse() {
    let mut door = Door::on(WORLD).await;
    let file = door.folder.path().join("a file");
    std::fs::write(&file, "no certificate").expect("a file");
    let file = file.display();
    for value in ["../../x", "a", "/", "a/b?x", "a/..", "a/b/c", "https://github.com/a/b"] {
        configure(&door, &format!("[endpoints]\nrepository = \"{value}\"\n"));
        for command in ["config check", "list", "survey", "jobs"] {
            door.said(command).await.is(2, &["config.toml:2:14", "OWNER/NAME"]);
        }
    }
    for (text, place, why, commands) in [
        ("[endpoints]\nca-file = \"/nowhere/ca.pem\"\n".to_owned(), "config.toml:2:11", "nowhere", true),
        (format!("[endpoints]\nca-file = \"{file}\"\n"), "config.toml:2:11", "certificate", true),
        (format!("state-dir = \"{file}\"\n"), "config.toml:1:13", "is not a folder", false),
        (format!("cache-dir = \"{file}\"\n"), "config.toml:1:13", "is not a folder", false),
        ("[ui]\nbrowser = \"no-such-browser\"\n".to_owned(), "config.toml:2:11", "no-such-browser", false),
    ] {
        configure(&door, &text);
        door.said("config check").await.is(2, &[place, why, "1 mistake"]);
        if commands {
            door.said("list").await.is(2, &[why]);
        }
    }
    configure(&door, "[endpoints]\nrepository = \"opentofu/registry\"\n");
    door.said("config check").await.is(0, &["config.toml: fine"]);
    door.set("BUMPDESK_REPOSITORY", "../x");
    for command in ["config check", "list"] {
        door.said(command).await.is(2, &["BUMPDESK_REPOSITORY", "OWNER/NAME"]);
    }
}
