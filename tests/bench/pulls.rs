//! A pull request made ready in an invented world: files built again, gates asked, the check foretold. The whole command.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use serde_json::Value;

use crate::processes::{Serving, binary, serve_world};
use crate::{Data, report};

const RUNS: usize = 5;

/// A world whose owner may push; the providers each have so many versions stored, and one more upstream.
pub(crate) fn world(providers: usize, versions: usize) -> String {
    let mut text = String::from("[user]\nlogin = \"ann\"\ntoken = \"t0k\"\npush = true\n");
    let stored: Vec<String> = (0..versions).map(|minor| format!("\"1.{minor}.0\"")).collect();
    for provider in 0..providers {
        let _ = write!(
            text,
            "[[provider]]\naddress = \"acme{provider}/rocket\"\n\
             targets = [\"linux_amd64\"]\n\
             stored = [{}]\nreleases = [\"v2.0.0\"]\n",
            stored.join(", ")
        );
    }
    text
}

/// Runs a command there and returns the text that it prints.
pub(crate) fn output_of(serving: &Serving, folder: &Path, arguments: &[&str]) -> String {
    let mut command = binary();
    for (variable, address) in [
        ("BUMPDESK_API_URL", "api"),
        ("BUMPDESK_GRAPHQL_URL", "graphql"),
        ("BUMPDESK_WEB_URL", "web"),
        ("BUMPDESK_SERVED_URL", "served"),
        ("BUMPDESK_SEARCH_URL", "search"),
        ("BUMPDESK_REGISTRY", "registry"),
    ] {
        command.env(variable, serving.address(address));
    }
    command.env("GH_TOKEN", "t0k").args(arguments).args(["--no-throttle", "--json"]);
    command.arg("--state-dir").arg(folder.join("state")).arg("--cache-dir").arg(folder.join("cache"));
    let output = command.stdout(Stdio::piped()).output().expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn ready(data: &Data, (name, goal): (&str, &str), providers: usize, versions: usize) {
    let folder = data.scratch("pulls");
    let file = folder.join("world.toml");
    std::fs::write(&file, world(providers, versions)).expect("a file");
    let serving = serve_world(&file);
    let addresses: Vec<String> = (0..providers).map(|provider| format!("acme{provider}/rocket")).collect();
    for action in ["add", "show", "approve"] {
        let mut arguments = vec!["plan", action];
        arguments.extend(addresses.iter().map(String::as_str));
        output_of(&serving, &folder, &arguments);
    }
    let objects = output_of(&serving, &folder, &["plan", "show"]);
    let mut objects = objects.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let plan = objects.find(|object| object["type"] == "plan").expect("a plan");
    let plan = plan["name"].as_str().expect("its name").to_owned();
    let figures = (0..RUNS).map(|_| {
        let began = Instant::now();
        output_of(&serving, &folder, &["pr", "open", "--plan", &plan, "--dry-run"]);
        began.elapsed().as_secs_f64() * 1e3
    });
    report(name, goal, figures.collect());
}

pub(crate) fn prepared(data: &Data) {
    ready(data, ("pull request of a provider of 400 versions", "2000 ms"), 1, 400);
    ready(data, ("pull request of 50 files", "3000 ms"), 50, 8);
}
