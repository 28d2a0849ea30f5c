//! The walls of the crate: floors, foreign names, imports, names, and files that must be known.
//!
//! Each rule is a function from a file's text to its faults, with a test of its own that plants faults and wants them
//! found; the tests here run the rules over the whole tree. Clippy keeps the finer bans (`clippy.toml`).

mod abilities;
mod circles;
mod english;
mod floors;
mod foreign;
mod imports;
mod kept;
mod labels;
mod leaving;
mod names;
mod paths;
pub(crate) mod source;
mod statuses;
mod surface;
pub(crate) mod tree;
mod views;
mod wording;

use source::{Fault, Source};

/// Runs a rule over every Rust file and shows all that it finds.
fn keep(rule: fn(&Source) -> Vec<Fault>) {
    let sources = tree::sources();
    for known in ["src/lib.rs", "src/registry/mod.rs", "tests/it/main.rs"] {
        assert!(sources.iter().any(|source| source.path == known), "the scan does not see `{known}`");
    }
    none(&sources.iter().flat_map(rule).collect::<Vec<_>>());
}

fn none(faults: &[Fault]) {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{} broken:\n{}", faults.len(), lines.join("\n"));
}

#[test]
fn modules_name_only_lower_floors() {
    keep(floors::check);
}

#[test]
fn no_files_stand_in_a_circle() {
    none(&circles::check(&tree::sources(), circles::EXCUSED));
}

#[test]
fn foreign_names_stay_at_home() {
    keep(foreign::check);
}

#[test]
fn a_module_is_imported_once() {
    keep(imports::check);
}

#[test]
fn few_files_name_a_view() {
    keep(views::check);
}

#[test]
fn nothing_lives_by_its_tests_alone() {
    none(&surface::check(&tree::sources()));
}

#[test]
fn names_say_something() {
    keep(names::check_words);
}

#[test]
fn folders_are_described_in_themselves() {
    none(&names::check_folders(&tree::sources()));
}

#[test]
fn quieted_lints_have_reasons() {
    keep(names::check_reasons);
}

#[test]
fn files_say_what_they_are() {
    keep(names::check_openings);
}

#[test]
fn statuses_are_distinguished_in_one_place() {
    none(&statuses::check(&tree::sources()));
}

#[test]
fn abilities_can_be_named() {
    none(&abilities::check(&tree::sources()));
}

#[test]
fn labels_are_written_once() {
    none(&labels::check(&tree::sources()));
}

#[test]
fn words_are_plain() {
    none(&wording::check(&tree::sources(), &tree::text_files()));
}

#[test]
fn comments_and_names_are_plain() {
    none(&english::check(&tree::sources(), include_str!("architecture/english-left.txt")));
}

#[test]
fn no_test_leaves_in_silence() {
    keep(leaving::check);
}

#[test]
fn themes_are_listed() {
    none(&kept::check_themes(&tree::text_files(), &tree::sources()));
}

#[test]
fn snapshots_have_a_test() {
    none(&kept::check_snapshots(&tree::text_files(), &tree::sources()));
}

#[test]
fn nothing_points_outside_of_the_repository() {
    none(&kept::check_outside(&tree::text_files()));
}
