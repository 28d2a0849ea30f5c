//! The floors: which module may name which. One table, read by one scan.

use super::paths::{NamedPath, paths};
use super::source::{Fault, Source};

const ALL: &[&str] = &[
    "manual", "settings", "registry", "rules", "remote", "store", JOB_DATA, "jobs", "boot", "desk", "print",
    "cli", "line", "tui", "front", "lib", "main", "surface",
];

/// The loopback world is a package of its own, whose `crate` is another one: the compiler keeps it apart.
const WORLD: &str = "src/demo/";

/// The data of jobs: a floor below the bodies, and all of `jobs` that the desk names.
const JOB_DATA: &str = "jobs/data";

/// Module → the modules that it may name besides itself. Faces see jobs, never an adapter, and never each other. `boot` makes
/// settings out of the surroundings and knows no face.
const FLOORS: &[(&str, &[&str])] = &[
    ("manual", &[]),
    ("settings", &[]),
    ("registry", &["settings"]),
    ("rules", &["settings", "registry"]),
    ("remote", &["settings", "registry", "rules"]),
    ("store", &["settings", "registry", "rules"]),
    (JOB_DATA, &["settings", "registry", "rules"]),
    ("jobs", &["settings", "registry", "rules", "remote", "store", JOB_DATA]),
    ("boot", &["settings", "registry", "rules", JOB_DATA, "jobs"]),
    ("desk", &["settings", "registry", "rules", JOB_DATA]),
    ("print", &["settings", "registry", "rules", JOB_DATA, "jobs", "boot", "desk"]),
    ("cli", &["manual", "settings", "registry", "rules", JOB_DATA, "jobs", "boot", "desk", "print"]),
    ("line", &["settings", "registry", "rules", JOB_DATA, "jobs", "boot", "desk", "print"]),
    ("tui", &["settings", "registry", "rules", JOB_DATA, "jobs", "desk"]),
    ("front", ALL),
    ("lib", ALL),
    ("main", ALL),
    ("surface", ALL),
];

/// Room of the console → the rooms that it may name besides itself. What stands in `tui/` itself opens the doors. Only the
/// shell runs jobs; the other rooms name their data.
const ROOMS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("keymap", &["base"]),
    ("widgets", &["base", "keymap"]),
    ("views", &["base", "keymap", "widgets"]),
    ("shell", &["base", "keymap", "widgets", "views"]),
];

/// Where a module as a whole must not be brought in: what is then named through it would pass every rule below.
const HIDING: &[(&str, &str)] = &[
    ("src/tui/base/", "crate::tui"),
    ("src/tui/keymap/", "crate::tui"),
    ("src/tui/widgets/", "crate::tui"),
    ("src/tui/views/", "crate::tui"),
    ("src/tui/views/", "crate::tui::views"),
    ("src/tui/shell/", "crate::tui"),
];

/// The module that a file of `src` belongs to.
fn module_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    if inside.starts_with("jobs/data/") {
        return Some(JOB_DATA);
    }
    let first = inside.split('/').next()?;
    Some(first.strip_suffix(".rs").unwrap_or(first))
}

/// Names from a higher floor, from a sibling, or by a road that this scan could not follow.
pub(super) fn check(source: &Source) -> Vec<Fault> {
    let Some(module) = module_of(&source.path).filter(|_| !source.path.starts_with(WORLD)) else {
        return Vec::new();
    };
    let Some((_, allowed)) = FLOORS.iter().find(|(name, _)| *name == module) else {
        return vec![source.fault(1, format!("`{module}` stands on no floor: give it a row in the table"))];
    };
    let mut faults = Vec::new();
    for path in paths(&source.code) {
        let said = path.text();
        if path.starts_with("super::super") {
            faults.push(source.fault(path.line, "`super::super`: say the path from `crate` on"));
        }
        if path.starts_with("super") && is_root(&source.path) && path.line <= source.product_lines() {
            faults.push(
                source.fault(path.line, format!("`{said}` leaves the module: name it from `crate` on")),
            );
        }
        // A name from the floor above its own is resolved, so that it is no road around the rooms.
        let path = from_crate(source, path);
        if HIDING.iter().any(|(room, whole)| *whole == path.text() && source.path.starts_with(room))
            && !source.is_visibility(path.line)
            && path.line <= source.product_lines()
        {
            faults.push(source.fault(path.line, format!("`{said}` alone hides what it names")));
        }
        let root = matches!(path.names[0].as_str(), "crate" | "bumpdesk");
        if !root {
            continue;
        }
        if path.names[0] == "bumpdesk" && module != "main" {
            faults.push(source.fault(path.line, format!("`{said}`: inside the crate, say `crate`")));
        }
        if module == "tui" && path.line <= source.product_lines() {
            faults.extend(wrong_room(source, &path));
        }
        let named = if path.starts_with("crate::jobs::data") {
            Some(JOB_DATA)
        } else {
            path.names.get(1).map(String::as_str)
        };
        match named {
            Some(named) if named == module || allowed.contains(&named) => {}
            Some(named) => {
                faults
                    .push(source.fault(path.line, format!("`{module}` must not name `{named}` (`{said}`)")));
            }
            None => faults.push(source.fault(path.line, format!("`{said}` alone hides what it names"))),
        }
    }
    faults
}

/// A name from a higher room of the console, or from another view. Inline tests may drive the whole console.
fn wrong_room(source: &Source, path: &NamedPath) -> Option<Fault> {
    let inside = source.path.strip_prefix("src/tui/").filter(|_| !source.is_test())?;
    let (room, rest) = inside.split_once('/')?;
    let said = path.text();
    let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        return Some(
            source.fault(path.line, format!("`{room}` is not a room of the console: give it a row")),
        );
    };
    if room != "shell" && path.starts_with("crate::jobs") && !path.starts_with("crate::jobs::data") {
        return Some(source.fault(path.line, format!("`tui/{room}` must not name `jobs` (`{said}`)")));
    }
    let named = path.names.get(2).filter(|_| path.starts_with("crate::tui"))?;
    if named != room && !allowed.contains(&named.as_str()) {
        return Some(source.fault(path.line, format!("`tui/{room}` must not name `{named}` (`{said}`)")));
    }
    let view = rest.split_once('/').map(|(view, _)| view).filter(|_| room == "views" && named == "views")?;
    let other = path.names.get(3).filter(|name| name.starts_with(char::is_lowercase) && *name != view)?;
    Some(source.fault(path.line, format!("view `{view}` must not name view `{other}` (`{said}`)")))
}

/// The path from `crate` on, if it begins with `super` in a room of the console or in the data of jobs.
fn from_crate(source: &Source, path: NamedPath) -> NamedPath {
    let has_floors_inside = |inside: &&str| inside.starts_with("tui/") || inside.starts_with("jobs/data/");
    let inside = source.path.strip_prefix("src/").filter(has_floors_inside);
    let Some(inside) = inside.filter(|_| path.names[0] == "super") else {
        return path;
    };
    let mut names = vec!["crate".to_owned()];
    names.extend(inside.trim_end_matches("/mod.rs").trim_end_matches(".rs").split('/').map(str::to_owned));
    names.pop();
    names.extend(path.names[1..].iter().cloned());
    NamedPath { line: path.line, names }
}

/// Returns true if `super` in this file is the root of the crate.
fn is_root(path: &str) -> bool {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    !inside.contains('/') || (inside.matches('/').count() == 1 && inside.ends_with("/mod.rs"))
}

#[test]
fn each_floor_is_a_wall() {
    let planted = [
        ("src/registry/a.rs", "use crate::rules::Status;", "`registry` must not name `rules`"),
        ("src/remote/a/b.rs", "fn f(_: crate::store::Index) {}", "`remote` must not name `store`"),
        ("src/store/a.rs", "use crate::remote::Http;", "`store` must not name `remote`"),
        ("src/tui/a.rs", "use crate::store::Index;", "`tui` must not name `store`"),
        ("src/cli/mod.rs", "use crate::remote::Http;", "`cli` must not name `remote`"),
        ("src/cli/a.rs", "use crate::line::hold;", "`cli` must not name `line`"),
        ("src/line/a.rs", "use crate::cli::Exit;", "`line` must not name `cli`"),
        ("src/print/a.rs", "use crate::line::hold;", "`print` must not name `line`"),
        ("src/desk/a.rs", "use crate::print::text;", "`desk` must not name `print`"),
        ("src/desk/a.rs", "use crate::boot::Ui;", "`desk` must not name `boot`"),
        ("src/desk/a.rs", "use crate::jobs::Engine;", "`desk` must not name `jobs`"),
        ("src/desk/a.rs", "use crate::jobs::{data::Job, log_path};", "`desk` must not name `jobs`"),
        ("src/desk/a.rs", "fn f() { crate::jobs::publish::half_done() }", "`desk` must not name `jobs`"),
        ("src/jobs/data/a.rs", "use crate::jobs::{Env, data::Job};", "`jobs/data` must not name `jobs`"),
        ("src/jobs/data/mod.rs", "use super::session::Session;", "`jobs/data` must not name `jobs`"),
        ("src/jobs/data/a.rs", "use crate::remote::Http;", "`jobs/data` must not name `remote`"),
        ("src/tui/views/jobs/a.rs", "use crate::jobs::Engine;", "`tui/views` must not name `jobs`"),
        ("src/jobs/a.rs", "use crate::desk::naming;", "`jobs` must not name `desk`"),
        ("src/tui/a.rs", "use crate::print::text;", "`tui` must not name `print`"),
        ("src/tui/mod.rs", "use crate::cli::run;", "`tui` must not name `cli`"),
        ("src/tui/base/a.rs", "use crate::tui::keymap::Command;", "`tui/base` must not name `keymap`"),
        ("src/tui/keymap/a.rs", "use crate::tui::shell::lines;", "`tui/keymap` must not name `shell`"),
        ("src/tui/widgets/a.rs", "fn f(_: &crate::tui::shell::model::Model) {}", "must not name `shell`"),
        ("src/tui/widgets/a.rs", "use crate::tui::views::jobs;", "`tui/widgets` must not name `views`"),
        ("src/tui/views/jobs/a.rs", "use crate::tui::{Effect, base::text};", "must not name `Effect`"),
        ("src/tui/views/jobs/a.rs", "use crate::tui::views::verify::Verify;", "must not name view `verify`"),
        ("src/tui/views/jobs/a.rs", "use crate::tui::shell::msg::Effect;", "must not name `shell`"),
        ("src/tui/views/jobs/mod.rs", "use super::verify::Verify;", "must not name view `verify`"),
        (
            "src/tui/views/jobs/a.rs",
            "use crate::tui::views;\nfn f(_: views::verify::Verify) {}",
            "alone hides",
        ),
        ("src/tui/widgets/a.rs", "use crate::tui;\nfn f(_: tui::shell::model::Model) {}", "alone hides"),
        ("src/desk/a.rs", "use crate::jobs;\nfn f(_: jobs::Env) {}", "`desk` must not name `jobs`"),
        ("src/tui/attic/a.rs", "use crate::tui::base::text;", "not a room of the console"),
        ("src/boot/mod.rs", "use crate::cli::run;", "`boot` must not name `cli`"),
        ("src/rules/a.rs", "use crate::{registry, rules::Mode, store};", "must not name `store`"),
        ("src/rules/a.rs", "use crate::{jobs::{Job, Outcome}, registry};", "must not name `jobs`"),
        ("src/jobs/a.rs", "use super::super::tui;", "`super::super`"),
        ("src/rules/mod.rs", "use super::store;", "leaves the module"),
        ("src/jobs/a.rs", "use crate as root;", "alone hides"),
        ("src/rules/a.rs", "use bumpdesk::registry::Entry;", "inside the crate"),
        ("src/extra/a.rs", "", "stands on no floor"),
        ("src/rules/a.rs", "#[cfg(test)]\nmod tests {\n    use crate::jobs::Job;\n}", "must not name `jobs`"),
    ];
    for (path, text, wanted) in planted {
        let faults = check(&Source::new(path, text));
        assert!(faults.iter().any(|fault| fault.text.contains(wanted)), "{path}: {text}: {faults:?}");
    }
}

#[test]
fn what_the_floors_allow_passes() {
    let fine = [
        ("src/rules/a.rs", "use crate::registry::Entry;\npub(crate) fn f(_: crate::rules::Mode) {}"),
        ("src/registry/mod.rs", "mod a;\npub use a::A;\n#[cfg(test)]\nmod tests {\n    use super::*;\n}"),
        ("src/cli/a.rs", "// crate::store\nconst A: &str = \"crate::store\";\nuse crate::cli::B;"),
        ("src/demo/a.rs", "use crate::world::World;"),
        ("src/main.rs", "fn main() { bumpdesk::cli::run() }"),
        ("tests/it/a.rs", "use bumpdesk::store::Index;"),
        ("src/desk/a.rs", "use crate::jobs::data::{Job, JobEvent};"),
        ("src/tui/views/jobs/a.rs", "use crate::jobs::data::Job;"),
        ("src/tui/shell/a.rs", "use crate::jobs::{Engine, data::Job};"),
        ("src/jobs/data/a.rs", "use super::Job;\nuse crate::jobs::data::Gate;\nuse crate::rules::Mode;"),
        ("src/jobs/a.rs", "use crate::jobs::Env;\nuse crate::jobs::data::Job;"),
        ("src/tui/views/jobs/a.rs", "use crate::tui::views::{View, jobs::state::Jobs};"),
        ("src/tui/shell/a.rs", "use crate::tui::views::{jobs, verify};"),
        ("src/tui/keymap/a.rs", "#[cfg(test)]\nmod tests {\n    use crate::tui::shell::model::Model;\n}"),
    ];
    for (path, text) in fine {
        assert_eq!(check(&Source::new(path, text)), []);
    }
}
