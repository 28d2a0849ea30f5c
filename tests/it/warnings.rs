//! The warnings in the data bundle. Each warning that sends users to a useless address is found, and no other.

use std::process::{Command, Stdio};

use crate::data::data;
use crate::need::need;

/// The results of `lint`, checked by hand: four warnings name their own entry or a misspelled one, and four name an
/// entry that was never registered.
const FAULTY: [(&str, &str); 8] = [
    ("providers/h/hashicorp/rubrik.json", "`rubrikinc/rubrik`, which is not registered"),
    ("providers/h/hashicorp/softlayer.json", "`softlayer/softlayer`, which is not registered"),
    ("providers/o/opentofu/azurerm.json", "`opentofu/azurerm`, which is this very entry"),
    ("providers/o/opentofu/dns.json", "`opentofu/dns`, which is this very entry"),
    ("providers/o/opentofu/fakewebservices.json", "`hashicorp/fakewebesrvices`, which is not registered"),
    ("providers/o/opentofu/rubrik.json", "`rubrikinc/rubrik`, which is not registered"),
    ("providers/o/opentofu/softlayer.json", "`softlayer/softlayer`, which is not registered"),
    ("providers/o/opentofu/testfunctions.json", "`hashicorp/testfunctions`, which is not registered"),
];

#[test]
fn the_faulty_warnings_of_the_registry_are_found_and_no_other() {
    let data = need!(data());
    stamped!(crate::COMMANDS);
    let state = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_bumpdesk"))
        .args(["lint", "--rule", "odd-warning", "--registry"])
        .arg(data.git_dir())
        .arg("--state-dir")
        .arg(state.path().join("state"))
        .arg("--cache-dir")
        .arg(state.path().join("cache"))
        .env("HOME", state.path())
        .env_remove("GH_TOKEN")
        .env_remove("GITHUB_TOKEN")
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let found = String::from_utf8(output.stdout).expect("UTF-8");
    let wanted = FAULTY.map(|(path, problem)| {
        format!("{path}: warning odd-warning a warning is of no help: it sends users to {problem}")
    });
    assert_eq!(found.lines().collect::<Vec<_>>(), wanted);
}
