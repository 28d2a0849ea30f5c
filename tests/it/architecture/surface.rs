//! The crate's surface: what it lists is wanted outside and used inside, so that nothing lives by its tests alone.
//!
//! That nothing else is `pub` is rustc's to say: `unreachable_pub` warns, and CI denies warnings.

use std::collections::HashMap;

use super::paths::paths;
use super::source::{Fault, Source, is_word};

const SURFACE: &str = "src/surface.rs";

/// Names of the surface that nobody outside names, that stand under the wrong user, or that the product does not use; and
/// public functions that the product never calls.
pub(super) fn check(sources: &[Source]) -> Vec<Fault> {
    let Some(surface) = sources.iter().find(|source| source.path == SURFACE) else { return Vec::new() };
    let used = words_of_the_product(sources);
    let mut faults = Vec::new();
    for (line, user, name) in listed(surface) {
        if !is_named(sources, &user, &name) {
            faults.push(surface.fault(line, format!("`{user}` does not name `{name}`")));
        }
        if used.get(name.as_str()).is_none_or(|count| *count < 2) {
            faults.push(surface.fault(line, format!("the product does not use `{name}`")));
        }
    }
    for source in sources.iter().filter(|source| is_product(source) && source.path != SURFACE) {
        for (at, line) in source.code.lines().take(source.product_lines()).enumerate() {
            let line = line.trim();
            let Some(rest) = ["pub fn ", "pub async fn ", "pub const fn "]
                .iter()
                .find_map(|start| line.strip_prefix(start))
            else {
                continue;
            };
            let called = &rest[..rest.bytes().take_while(|byte| is_word(*byte)).count()];
            if used.get(called).is_none_or(|count| *count < 2) {
                faults.push(source.fault(at + 1, format!("the product does not call `{called}`")));
            }
        }
    }
    faults
}

/// Line, user and name of each listed name. The user stands in the comment above: ``// For `tests/it`.``
fn listed(surface: &Source) -> Vec<(usize, String, String)> {
    let mut user = String::new();
    let mut users = Vec::new();
    for line in surface.raw.lines() {
        if let Some(said) = line.trim().strip_prefix("// For `") {
            said.trim_end_matches(['`', '.']).clone_into(&mut user);
        }
        users.push(user.clone());
    }
    let named = paths(&surface.code).into_iter().filter(|path| path.names[0] == "crate");
    named
        .map(|path| (path.line, users[path.line - 1].clone(), path.names.last().cloned().unwrap_or_default()))
        .collect()
}

/// Returns true if the files of a user have this word.
fn is_named(sources: &[Source], user: &str, name: &str) -> bool {
    let is_users = |source: &&Source| match user {
        "main" => source.path == "src/main.rs",
        folder => source.path.starts_with(&format!("{folder}/")),
    };
    sources.iter().filter(is_users).any(|source| words(&source.code).any(|word| word == name))
}

fn is_product(source: &Source) -> bool {
    source.path.starts_with("src/") && !source.is_test() && !source.path.starts_with("src/demo/")
}

/// The number of times that each word stands in the product, imports and tests aside.
fn words_of_the_product(sources: &[Source]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for source in sources.iter().filter(|source| is_product(source) && source.path != SURFACE) {
        let mut importing = false;
        for line in source.code.lines().take(source.product_lines()) {
            let text = line.trim();
            importing |= text.starts_with("use ") || text.starts_with("pub") && text.contains(" use ");
            if !importing {
                for word in words(text) {
                    *counts.entry(word).or_default() += 1;
                }
            }
            importing &= !text.ends_with(';');
        }
    }
    counts
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_ascii() || !is_word(c as u8)).filter(|word| !word.is_empty())
}

#[test]
fn what_lives_by_its_tests_alone_is_found() {
    let file = |path: &str, text: &str| Source::new(path, text);
    let surface = file(
        SURFACE,
        "pub mod jobs {\n    // For `tests/it`.\n    pub use crate::jobs::{Job, Odd, start};\n}\n",
    );
    let product = file(
        "src/jobs/mod.rs",
        "pub struct Job;\nimpl Job {\n    pub fn told() {}\n}\npub fn start(_: Job) {}\npub struct Odd;\nfn f() {\n    \
         start();\n}\n#[cfg(test)]\nmod tests {\n    fn f(_: Odd) {\n        Job::told();\n    }\n}\n",
    );
    let tests = file("tests/it/a.rs", "use bumpdesk::surface::jobs::{Job, Odd};");
    let faults = check(&[surface, product, tests]);
    let found: Vec<&str> = faults.iter().map(|fault| fault.text.as_str()).collect();
    assert_eq!(
        found,
        [
            "the product does not use `Odd`",
            "`tests/it` does not name `start`",
            "the product does not call `told`"
        ]
    );
}
