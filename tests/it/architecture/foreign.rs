//! Foreign names and their one home: a library or a part of std that only some files may name.

use super::paths::{NamedPath, paths};
use super::source::{Fault, Source};

/// The floors that are pure: plain values in, plain values out.
const PURE: &[&str] = &["src/settings", "src/registry", "src/rules", "src/jobs/data", "src/desk"];

/// Path → the files and folders under `src/` that may name it. A path below another stands after it.
const HOMES: &[(&str, &[&str])] = &[
    ("ratatui", &["tui"]),
    ("crossterm", &["tui/shell/runtime", "tui/shell/terminal", "tui/keymap", "tui/shell/mouse"]),
    ("reqwest", &["remote"]),
    ("octocrab", &["remote"]),
    ("rusqlite", &["store"]),
    ("rustix", &["tui/shell/runtime", "tui/shell/signals", "tui/shell/terminal"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("demo", &["cli"]),
    ("axum", &["demo"]),
    ("rcgen", &["demo"]),
    ("hcl_edit", &["rules/lock"]),
    ("pgp", &["rules/signature", "demo/signer"]),
    ("directories", &["boot"]),
    ("std::process", &["store", "boot", "demo"]),
    ("std::process::Command", &["store/git", "boot", "demo/checkout", "demo/machine"]),
    ("tokio::process", &["store/git", "boot", "demo/checkout", "demo/machine"]),
];

/// The names that no pure floor may use.
const IMPURE: &[&str] =
    &["tokio", "futures_util", "std::fs", "std::env", "std::net", "std::process", "std::thread"];

/// Parts of `std::process` that start nothing.
const HARMLESS: &[&str] = &["std::process::ExitCode", "std::process::id"];

/// Foreign names away from home. Inline tests may name what they like.
pub(super) fn check(source: &Source) -> Vec<Fault> {
    if !source.path.starts_with("src/") || source.is_test() {
        return Vec::new();
    }
    let product = source.product_lines();
    let named = paths(&source.code).into_iter().filter(|path| path.line <= product);
    named.filter_map(|path| stray(source, &path)).collect()
}

fn stray(source: &Source, path: &NamedPath) -> Option<Fault> {
    // `ratatui::crossterm` is crossterm by another door.
    let inner = NamedPath { names: path.names[1..].to_vec(), ..*path };
    let says = |name: &str| path.starts_with(name) || (name == "crossterm" && inner.starts_with(name));
    if let Some(name) = IMPURE.iter().find(|name| says(name))
        && PURE.iter().any(|floor| is_under(&source.path, floor))
    {
        return Some(source.fault(path.line, format!("`{name}` on a pure floor (`{}`)", path.text())));
    }
    if HARMLESS.contains(&path.text().as_str()) {
        return None;
    }
    let (name, homes) = HOMES.iter().rev().find(|(name, _)| says(name))?;
    let at_home = homes.iter().any(|home| is_under(&source.path, &format!("src/{home}")));
    (!at_home).then(|| source.fault(path.line, format!("`{name}` belongs to {homes:?} (`{}`)", path.text())))
}

/// Returns true if a file belongs to this module: its file, or a file in its folder.
fn is_under(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

#[test]
fn names_away_from_home_are_found() {
    let planted = [
        ("src/cli/a.rs", "use ratatui::text::Line;", "`ratatui`"),
        ("src/tui/views/a.rs", "use crossterm::event::KeyCode;", "`crossterm`"),
        ("src/tui/views/a.rs", "use ratatui::crossterm::event::KeyCode;", "`crossterm`"),
        ("src/store/a.rs", "fn f() { reqwest::get(1); }", "`reqwest`"),
        ("src/jobs/a.rs", "use octocrab;", "`octocrab`"),
        ("src/jobs/a.rs", "use rusqlite::{Connection, Row};", "`rusqlite`"),
        ("src/tui/a.rs", "#[derive(clap::Parser)]\nstruct A;", "`clap`"),
        ("src/remote/a.rs", "use axum::Router;", "`axum`"),
        ("src/line/a.rs", "use demo::World;", "`demo`"),
        ("src/rules/a.rs", "use demo::archive::package;", "`demo`"),
        ("src/jobs/a.rs", "use pgp::packet::Signature;", "`pgp`"),
        ("src/store/state/mod.rs", "use std::process::Command;", "`std::process::Command`"),
        ("src/jobs/a.rs", "use std::{fs, process};", "`std::process`"),
        ("src/jobs/a.rs", "use tokio::process::Command;", "`tokio::process`"),
        ("src/demo/derive/source.rs", "use std::process::Command;", "`std::process::Command`"),
        ("src/rules/a.rs", "use tokio::sync::mpsc;", "pure floor"),
        ("src/registry/a.rs", "fn f() { std::fs::read(1); }", "pure floor"),
        ("src/jobs/data/a.rs", "use tokio::sync::mpsc;", "pure floor"),
    ];
    for (path, text, wanted) in planted {
        let faults = check(&Source::new(path, text));
        assert!(faults.iter().any(|fault| fault.text.contains(wanted)), "{path}: {text}: {faults:?}");
    }
}

#[test]
fn names_at_home_pass() {
    let fine = [
        ("src/tui/views/a.rs", "use ratatui::text::Line;"),
        ("src/tui/shell/runtime/mod.rs", "use crossterm::event::EventStream;"),
        ("src/remote/http/mod.rs", "use reqwest::Client;"),
        ("src/store/checkout/objects.rs", "use std::process::ChildStdout;"),
        ("src/store/git/log.rs", "use std::process::{Child, Command};"),
        ("src/demo/checkout.rs", "use std::process::Command;"),
        ("src/demo/derive/source.rs", "use std::process::Stdio;"),
        ("src/cli/exit.rs", "use std::process::ExitCode;"),
        ("src/cli/demo/tour.rs", "use demo::{Server, World};"),
        ("src/line/a.rs", "use crate::cli::demo::page;"),
        ("src/jobs/a.rs", "// ratatui::text\n#[cfg(test)]\nmod tests {\n    use axum::Router;\n}"),
        ("tests/it/a.rs", "use std::process::Command;"),
    ];
    for (path, text) in fine {
        assert_eq!(check(&Source::new(path, text)), []);
    }
}
