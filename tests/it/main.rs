//! The one integration binary. Each module is one concern; `architecture` keeps the walls, `pages` keeps the front page and the manual true.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tests stand outside the house: they make files, start programs, read the environment that .ci/run sets, and say what they skip"
)]

#[macro_use]
#[path = "../stamped.rs"]
mod stamped;

mod architecture;
mod bad_input;
mod clients;
mod commands;
mod contract;
mod data;
mod documents;
mod door;
mod hygiene;
mod installing;
mod keys;
mod need;
mod pages;
mod replay;
mod scenarios;
mod seat;
mod signatures;
mod stage;
mod terminal;
mod transcript;
mod warnings;
mod whole;

/// The code that a command runs from `main` on, the world that answers it, and the files that tests of commands share: a change here
/// runs their slow tests again.
const COMMANDS: &[&str] = &[
    "src/boot",
    "src/cli",
    "src/demo",
    "src/desk",
    "src/front",
    "src/jobs",
    "src/main.rs",
    "src/manual",
    "src/print",
    "src/registry",
    "src/remote",
    "src/rules",
    "src/settings",
    "src/store",
    "tests/it/contract",
    "tests/it/data.rs",
    "tests/it/door.rs",
    "tests/it/installing.rs",
    "tests/it/scenarios",
    "tests/it/stage.rs",
    "tests/scenarios",
];

/// All code of the program, everything that it shows, and every file of these tests. The slow tests of screens, of line mode and of
/// pages rest on it.
const PROGRAM: &[&str] =
    &["README.md", "snapshots", "src", "tests/it", "tests/scenarios", "tests/transcripts", "themes"];
