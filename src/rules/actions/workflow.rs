//! The workflow's file, and what a dispatch gives it.
//!
//! Inputs reach scripts through the environment alone, so that nothing of them is read as a command; actions are pinned by their
//! commits, and the program by its own.

use std::collections::BTreeMap;

use crate::registry::digest;
use crate::rules::amount::exact_bytes;

/// Where the file is kept, on the default branch: else nobody can start it.
pub(crate) const PATH: &str = ".github/workflows/backfill.yml";
/// As the API names it.
pub(crate) const FILE: &str = "backfill.yml";
/// What the names of the artifacts begin with that hold shares.
const ARTIFACTS: &str = "backfill-share-";
/// A machine is stopped after six hours: so much it gets through in five, at what GitHub gives one.
pub(crate) const MOST_SHARE_BYTES: u64 = 300_000_000_000;
/// Sizes are guesses, and a share that stops at a limit is lost with its machine: time alone is to stop one.
const LIMIT_BYTES: u64 = 4 * MOST_SHARE_BYTES;
/// Of an address in a sentence.
const MOST_URL: usize = 100;
/// A matrix has no more jobs.
pub(crate) const MOST_SHARES: usize = 256;

const TEXT: &str = include_str!("workflow.yml");
/// The toolchain that the program is built with.
const TOOLCHAIN: &str = env!("CARGO_PKG_RUST_VERSION");
const NONCE_DIGITS: usize = 12;

/// Where machines get the program from: one commit of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    url: String,
    commit: String,
}

impl Source {
    /// # Errors
    /// What is wrong with the address or the commit: both stand in a script.
    pub(crate) fn new(url: &str, commit: &str) -> Result<Self, String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~/:".contains(c);
        if !url.starts_with("https://") || !url.chars().all(plain) {
            return Err(format!("`{url}` is not a plain https address"));
        }
        if commit.len() != 40 || !commit.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(format!("`{commit}` is not a whole commit id: forty digits"));
        }
        Ok(Self { url: url.to_owned(), commit: commit.to_owned() })
    }

    /// `https://example.org/tools/bumpdesk at 0123…`: the commit whole, and so much of the address as is read.
    pub(crate) fn words(&self) -> String {
        match self.url.get(..MOST_URL) {
            Some(begin) => format!("{begin}… at {}", self.commit),
            None => format!("{} at {}", self.url, self.commit),
        }
    }
}

/// The file.
pub(crate) fn workflow(source: &Source) -> String {
    TEXT.replace("@URL@", &source.url)
        .replace("@REV@", &source.commit)
        .replace("@TOOLCHAIN@", TOOLCHAIN)
        .replace("@LIMIT@", &exact_bytes(LIMIT_BYTES))
}

/// Where the machines of a file get the program from, if that is a file as this bumpdesk prints it.
pub(crate) fn source_of(file: &str) -> Option<Source> {
    let line = file.lines().find_map(|line| line.trim_start().strip_prefix("cargo +"))?;
    let after = |name: &str| line.split_whitespace().skip_while(|word| *word != name).nth(1);
    let source = Source::new(after("--git")?, after("--rev")?).ok()?;
    (workflow(&source) == file).then_some(source)
}

/// What a run was started with, as its title says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dispatched<'a> {
    /// The digest of the plan, hex.
    pub(crate) plan: &'a str,
    pub(crate) nonce: &'a str,
}

/// How a run of that is called: the file's `run-name`.
#[cfg(test)]
pub(crate) fn title_of(dispatched: Dispatched<'_>) -> String {
    format!("Backfill {} ({})", dispatched.plan, dispatched.nonce)
}

pub(super) fn read_title(title: &str) -> Option<Dispatched<'_>> {
    let (plan, nonce) = title.strip_prefix("Backfill ")?.strip_suffix(')')?.split_once(" (")?;
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    (is_hex(plan, 64) && is_hex(nonce, NONCE_DIGITS)).then_some(Dispatched { plan, nonce })
}

/// Tells a run from every other: of this plan, this account, and so many that were started before.
pub(crate) fn nonce_of(plan: &str, account: &str, before: usize) -> String {
    let mut nonce = digest(format!("bumpdesk dispatch 1\n{plan}\n{account}\n{before}\n").as_bytes());
    nonce.truncate(NONCE_DIGITS);
    nonce
}

/// The inputs of a dispatch. `selection`: one argument of the command on each line.
pub(crate) fn inputs(
    (base, dispatched): (&str, Dispatched<'_>),
    selection: &[String],
    shares: usize,
) -> BTreeMap<String, String> {
    let numbers: Vec<String> = (1..=shares).map(|number| number.to_string()).collect();
    [
        ("selection", selection.join("\n")),
        ("base", base.to_owned()),
        ("plan", dispatched.plan.to_owned()),
        ("shards", format!("[{}]", numbers.join(","))),
        ("nonce", dispatched.nonce.to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// The number of the share that an artifact holds.
pub(crate) fn share_of(artifact: &str) -> Option<usize> {
    artifact.strip_prefix(ARTIFACTS)?.parse().ok().filter(|number| (1..=MOST_SHARES).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::amount::parse_bytes;

    fn source() -> Source {
        Source::new("https://example.org/tools/bumpdesk", &"ab".repeat(20)).unwrap()
    }

    #[test]
    fn the_program_is_pinned_and_nothing_is_read_as_a_command() {
        let file = workflow(&source());
        assert!(!file.contains('@') || !file.contains("@URL@") && !file.contains("@REV@"));
        assert!(file.contains(&format!(
            "cargo +{TOOLCHAIN} install --locked --git https://example.org/tools/bumpdesk --rev abab"
        )));
        assert!(!file.contains("@LIMIT@"));
        // What the gate lets through as a share is far from what ends one.
        let limit =
            file.split_once("--max-bytes ").and_then(|(_, rest)| parse_bytes(rest.split(' ').next()?));
        assert!(limit.is_some_and(|limit| limit > 2 * MOST_SHARE_BYTES), "{limit:?}");
        // Each action by a whole commit, with its version beside it.
        for line in file.lines().filter(|line| line.contains("uses: ")) {
            let (_, pin) = line.split_once('@').unwrap();
            let (commit, version) = pin.split_once(" # v").unwrap();
            assert!(commit.len() == 40 && !version.is_empty(), "{line}");
        }
        // No expression stands in a script.
        let mut script = None;
        for line in file.lines() {
            let depth = line.len() - line.trim_start().len();
            script = script.filter(|from| line.is_empty() || depth > *from);
            assert!(script.is_none() || !line.contains("${{"), "{line}");
            if line.trim_start().starts_with("run: |") {
                script = Some(depth);
            }
        }
        assert_eq!(source_of(&file), Some(source()));
        assert_eq!(source_of(&file.replace("contents: read", "contents: write")), None);
        for (url, commit) in [
            ("http://example.org/x", "ab".repeat(20)),
            ("https://example.org/x; rm -rf", "ab".repeat(20)),
            ("https://example.org/$(id)", "ab".repeat(20)),
            ("https://example.org/x", "main".to_owned()),
            ("https://example.org/x", "AB".repeat(20)),
        ] {
            assert!(Source::new(url, &commit).is_err(), "{url} {commit}");
        }
    }

    #[test]
    fn a_run_is_known_by_its_title() {
        let plan = "0f".repeat(32);
        let nonce = nonce_of(&plan, "ann", 0);
        let dispatched = Dispatched { plan: &plan, nonce: &nonce };
        let title = title_of(dispatched);
        assert_eq!(read_title(&title), Some(dispatched));
        assert!(TEXT.contains("run-name: Backfill ${{ inputs.plan }} (${{ inputs.nonce }})\n"));
        for (account, before) in [("ann", 1), ("bea", 0)] {
            assert_ne!(nonce_of(&plan, account, before), nonce, "{account} {before}");
        }
        for other in ["Backfill x (y)", "Backfill", &title.to_uppercase(), &format!("{title} "), "Bump"] {
            assert_eq!(read_title(other), None, "{other}");
        }
        let inputs = inputs(("c0ffee", dispatched), &["acme/rocket".into(), "acme/x@>= 1".into()], 3);
        assert_eq!((&*inputs["shards"], &*inputs["selection"]), ("[1,2,3]", "acme/rocket\nacme/x@>= 1"));
        assert!(inputs.keys().all(|name| TEXT.contains(&format!("      {name}:\n"))), "{inputs:?}");
        for (name, share) in
            [("backfill-share-12", Some(12)), ("backfill-share-0", None), ("backfill-patches", None)]
        {
            assert_eq!(share_of(name), share, "{name}");
        }
    }
}
