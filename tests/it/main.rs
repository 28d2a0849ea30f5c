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
