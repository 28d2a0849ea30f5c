//! What pages show of commands is what these print in the demo world, at the moment at which its screens are taken.

use std::ffi::OsString;

use bumpdesk::surface::cli;
use bumpdesk::surface::front::CONSOLE;

use super::{is_block, keep_block, marked};
use crate::door::made_up;

const OUTPUT: &str = "<!-- output: ";
const NOW: &str = "2026-11-21T12:00:00Z";

#[tokio::test(flavor = "multi_thread")]
async fn captures_of_commands_are_what_they_print() {
    stamped!(crate::PROGRAM);
    let commands = marked(OUTPUT);
    assert!(commands.len() >= 5, "{commands:?}");
    let path = std::env::var("PATH").expect("a path");
    for command in commands {
        let folder = tempfile::tempdir().expect("a folder");
        let words = ["bumpdesk", "demo", "--now", NOW, "--"].into_iter().chain(command.split(' '));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let environment = made_up(folder.path(), &[("PATH", &path)]);
        cli::run(words.map(OsString::from).collect(), &environment, CONSOLE, &mut out, &mut err).await;
        let out = String::from_utf8(out).expect("UTF-8");
        assert!(!out.is_empty(), "{command}: {}", String::from_utf8_lossy(&err));
        let text = format!("$ bumpdesk demo -- {command}\n{}\n", out.trim_end());
        let marker = format!("{OUTPUT}{command} -->");
        if !is_block(&marker, &text) {
            keep_block(&marker, &format!("```text\n{text}```\n"));
        }
    }
}
