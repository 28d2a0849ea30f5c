//! The words of a pull request: title, text, commit message. What is from outside stands in code type.

use std::fmt::Write;

use serde::Deserialize;

use crate::registry::Kind;
use crate::rules::amount::counted;
use crate::rules::edit::Edit;
use crate::rules::markdown::{cell, code};
use crate::rules::plain_text::visible;
use crate::rules::sending::evidence::{Warned, Warnings};
use crate::rules::sending::{Evidence, Prediction, SentFile, edit_text};

/// GitHub takes 256 characters, and nobody reads them.
pub(super) const LONGEST_TITLE: usize = 120;
/// Digits of a digest in the table; the evidence has them whole.
const DIGITS: usize = 16;

/// Whoever sends it, as GitHub knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Author {
    pub(crate) login: String,
    pub(crate) id: u64,
    /// As their profile shows it; `None` if it shows none.
    #[serde(default)]
    pub(crate) name: Option<String>,
}

impl Author {
    /// Name and address for a sign-off; the address is the one that GitHub keeps for those who show none.
    pub(crate) fn person(&self) -> String {
        // In a mail an `@` or a comma would end the name, and in Markdown a bracket would begin a link.
        let is_plain = |c: &char| c.is_alphanumeric() || " -.'".contains(*c);
        let plain = |text: &str| text.chars().filter(is_plain).collect::<String>();
        let (name, login) = (plain(self.name.as_deref().unwrap_or_default()), plain(&self.login));
        let name = if name.trim().is_empty() { &login } else { name.trim() };
        format!("{name} <{}+{login}@users.noreply.github.com>", self.id)
    }
}

/// All texts of one pull request, and how it is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PullText {
    pub(crate) title: String,
    pub(crate) body: String,
    /// The commit's, below its headline, which is the title.
    pub(crate) message: String,
    pub(crate) draft: bool,
    pub(crate) labels: Vec<String>,
    pub(crate) reviewers: Vec<String>,
    /// For whoever wonders why the required check fails, to be posted beside it; empty where it passes.
    pub(crate) comment: String,
    /// For the authors of versions whose archives changed under their number; empty where there are none.
    pub(crate) question: String,
}

impl PullText {
    /// In the maintainers' own style: `Manual bump of newrelic/newrelic provider`.
    pub(crate) fn of(
        files: &[SentFile],
        evidence: &Evidence<'_>,
        branch: &str,
        author: &Author,
        issues: &[u64],
    ) -> Self {
        let sign_off = format!("Signed-off-by: {}", author.person());
        let body = [
            format!("{}. Every change was reviewed with bumpdesk {}.", what(files), evidence.program),
            issues.iter().map(|issue| format!("Fixes #{issue}")).collect::<Vec<_>>().join("\n"),
            files
                .iter()
                .filter_map(|file| edit_text::paragraph(file, &evidence.base))
                .collect::<Vec<_>>()
                .join("\n\n"),
            table(files),
            warnings(files),
            format!("Built on {} at {}.", code(branch), code(&evidence.base)),
            repeat(files),
            check(files),
            sign_off.clone(),
            evidence.comment(),
        ];
        let body: Vec<String> = body.into_iter().filter(|part| !part.is_empty()).collect();
        let list = files.iter().map(|file| {
            let versions: Vec<&str> = file.versions.iter().map(|sent| sent.version.as_str()).collect();
            let what = file.edit.as_ref().map_or_else(|| versions.join(", "), Edit::sentence);
            visible(&format!("{}: {what}", file.address)).into_owned()
        });
        let message = format!("{}\n\n{sign_off}", list.collect::<Vec<_>>().join("\n"));
        let (comment, question) = (comment(files), question(files));
        Self { title: title(files), body: body.join("\n\n"), message, comment, question, ..Self::default() }
    }
}

/// What kind of entries it is about: `provider`, `module`, `entry`.
fn noun(files: &[SentFile]) -> &'static str {
    let is = |kind: Kind| files.iter().all(|file| file.address.kind() == kind);
    if is(Kind::Provider) {
        "provider"
    } else if is(Kind::Module) {
        "module"
    } else {
        "entry"
    }
}

fn title(files: &[SentFile]) -> String {
    let noun = noun(files);
    let title = edit_text::title(files, noun).unwrap_or_else(|| match files {
        [one] => format!("Manual bump of {} {noun}", one.address),
        _ => format!("Manual bump of {}", counted(files.len(), noun)),
    });
    let title = visible(&title);
    if title.chars().count() <= LONGEST_TITLE {
        return title.into_owned();
    }
    title.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}

fn what(files: &[SentFile]) -> String {
    let versions: usize = files.iter().map(|file| file.versions.len()).sum();
    let edited =
        files.iter().filter(|file| file.edit.as_ref().is_some_and(|edit| *edit != Edit::Submit)).count();
    let edits = match edited {
        0 => None,
        _ => Some(format!("edits {}", counted(edited, noun(files)))),
    };
    let bumped = (edited < files.len()).then(|| {
        let count = counted(files.len() - edited, noun(files));
        format!("adds {} of {count} from upstream", counted(versions, "version"))
    });
    let text = bumped.into_iter().chain(edits).collect::<Vec<_>>().join(" and ");
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn table(files: &[SentFile]) -> String {
    if files.iter().all(|file| file.versions.is_empty()) {
        return String::new();
    }
    let mut text = String::from(
        "| entry | version | targets | hashes | tag id | signed by |\n|---|---|---|---|---|---|",
    );
    for file in files {
        for sent in &file.versions {
            let hashes = sent.hashes.get(..DIGITS).map(code).unwrap_or_default();
            let tag =
                sent.tag_id.as_deref().filter(|oid| !oid.is_empty()).map_or("not read".to_owned(), cell);
            let targets = if sent.targets == 0 { String::new() } else { sent.targets.to_string() };
            let _ = write!(
                text,
                "\n| {} | {} | {targets} | {hashes} | {tag} | {} |",
                cell(&file.address.to_string()),
                cell(&sent.version),
                if sent.signed.is_empty() { String::new() } else { cell(&sent.signed) },
            );
        }
    }
    let _ = write!(
        text,
        "\n\n`hashes`: the first {DIGITS} digits of the SHA-256 over `os_arch`, `shasum` and `h1` of the targets."
    );
    text
}

/// The warnings about the versions, each with its version.
fn warnings(files: &[SentFile]) -> String {
    let warnings = Warnings::of(files);
    if warnings.lines.is_empty() {
        return String::new();
    }
    let line = |warned: &Warned| {
        let (address, version) = (code(&warned.address), code(&warned.version));
        format!("- {address} {version}{}: {}", warned.more(), code(&warned.text))
    };
    let others = (warnings.others > 0).then(|| format!("- and {}", counted(warnings.others, "more warning")));
    let lines: Vec<String> = warnings.lines.iter().map(line).chain(others).collect();
    format!("Warnings about these versions:\n\n{}", lines.join("\n"))
}

/// What the required check will say, so that nobody wonders later.
fn check(files: &[SentFile]) -> String {
    let fails: Vec<String> = files
        .iter()
        .filter(|file| file.prediction != Prediction::Passes)
        .map(|file| format!("- {}: {}", code(&file.path), file.prediction.markdown()))
        .collect();
    if fails.is_empty() {
        return "The required check is expected to pass.".to_owned();
    }
    format!("Expected result of the required check:\n\n{}", fails.join("\n"))
}

fn comment(files: &[SentFile]) -> String {
    let fails: Vec<String> = files
        .iter()
        .filter(|file| matches!(file.prediction, Prediction::Fails(_)))
        .map(|file| format!("- {}: {}", code(&file.path), file.prediction.markdown()))
        .collect();
    if fails.is_empty() {
        return String::new();
    }
    format!(
        "This check is expected to fail: it builds each file again from what upstream has today.\n\n{}",
        fails.join("\n")
    )
}

fn question(files: &[SentFile]) -> String {
    let ask = |file: &SentFile| {
        let versions: Vec<String> = file.prediction.drifted().iter().map(|version| code(version)).collect();
        (!versions.is_empty()).then(|| {
            format!(
                "The archives of {} {} differ from those that the OpenTofu registry indexed, so installing them fails with a checksum error. Were they re-uploaded on purpose? The registry does not change an indexed version. If you publish the new archives under a new version number, the registry adds that version automatically.",
                code(&file.address.to_string()),
                versions.join(", ")
            )
        })
    };
    files.iter().filter_map(ask).collect::<Vec<_>>().join("\n\n")
}

/// The commands that write the same.
fn repeat(files: &[SentFile]) -> String {
    let commands: Vec<String> = files.iter().filter_map(|file| file.repeat.clone()).collect();
    if commands.is_empty() {
        return String::new();
    }
    format!("These commands make the same change on that base:\n\n```sh\n{}\n```", commands.join("\n"))
}
