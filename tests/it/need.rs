//! What some tests need and a machine may lack: data, a tool, a right. A test without it is skipped, and says so: on standard
//! error, past the harness, which keeps to itself what passing tests print, and in the file that `BUMPDESK_TEST_SKIPPED` names.
//!
//! `BUMPDESK_TEST_REQUIRES` lists what is there for certain: `.ci/run` says so of all that it finds. A test that does not
//! find that fails.

use std::io::Write;

/// Something that is not here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing {
    /// The word in `BUMPDESK_TEST_REQUIRES`.
    pub(crate) need: &'static str,
    pub(crate) why: &'static str,
}

/// What a test needs, or the end of the test, told.
macro_rules! need {
    ($needed:expr) => {
        match $needed {
            Ok(needed) => needed,
            Err(missing) => {
                fn here() {}
                return $crate::need::skip(std::any::type_name_of_val(&here), missing);
            }
        }
    };
}
pub(crate) use need;

/// Says that a test is skipped, and why. `here` is the path of something inside of that test.
pub(crate) fn skip(here: &str, missing: Missing) {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let line =
        line(here, missing, &variable("BUMPDESK_TEST_REQUIRES")).unwrap_or_else(|line| panic!("{line}"));
    std::io::stderr().write_all(line.as_bytes()).expect("a stream for errors");
    let list = variable("BUMPDESK_TEST_SKIPPED");
    if !list.is_empty() {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&list);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .unwrap_or_else(|error| panic!("{list}: {error}"));
    }
}

/// The line that tells it, or an error where this need is required.
fn line(here: &str, missing: Missing, required: &str) -> Result<String, String> {
    let Missing { need, why } = missing;
    let inside = ["it", "here", "{{closure}}"];
    let test: Vec<&str> = here.split("::").filter(|part| !inside.contains(part)).collect();
    let line = format!("skipped: {}: {why}\n", test.join("::"));
    let is_required = required.split_whitespace().any(|word| word == need);
    if is_required { Err(format!("{line}`{need}` is required here")) } else { Ok(line) }
}

#[test]
fn what_is_required_is_not_skipped() {
    let missing = Missing { need: "data", why: "there is none" };
    let told = line("it::replay::every_change::{{closure}}::here", missing, "tmux database");
    assert_eq!(told.as_deref(), Ok("skipped: replay::every_change: there is none\n"));
    let refused =
        line("it::replay::every_change::here", missing, "tmux data contract").expect_err("it is required");
    assert_eq!(refused, "skipped: replay::every_change: there is none\n`data` is required here");
}
