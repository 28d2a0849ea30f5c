//! What a client does with a version, and what is in a lock file.

use crate::boot::Ui;
use crate::cli::output::Line;
use crate::cli::output::Tone;
use crate::cli::text;
use crate::jobs::CheckedFile;
use crate::jobs::LockedVersion;
use crate::rules::Severity;
use crate::rules::client::Ends;
use crate::rules::client::Ruling;
use crate::rules::lock::BlockCheck;
use crate::rules::lock::Fares;

/// Targets that are named one by one; more are counted.
const NAMED: usize = 4;

/// The steps of a client, those that do not pass or all of them, then how it ends.
pub(crate) fn steps(locked: &LockedVersion, all: bool) -> Vec<String> {
    let chain = &locked.chain;
    let stored = chain.targets.iter().filter(|target| target.is_stored).count();
    let told = chain.by_step();
    let shown = told.iter().filter(|(_, step)| all || step.ruling != Ruling::Pass);
    let mut lines: Vec<String> = shown
        .map(|(targets, step)| {
            let whom = whom(targets, stored);
            format!("  {:<9} {}{whom}: {}", step.ruling.word(), step.name.name(), step.text)
        })
        .collect();
    if lines.is_empty() {
        return lines;
    }
    lines.insert(0, format!("bumpdesk: `tofu init` with {} {}:", locked.address, locked.version));
    let ends = |wanted: fn(&Ends<'_>) -> bool| {
        let targets = chain.targets.iter().filter(|target| target.is_stored);
        let of = targets.filter(|target| chain.ends(&target.target).is_some_and(|ends| wanted(&ends)));
        of.count()
    };
    let counts = [
        (ends(|ends| matches!(ends, Ends::Fails(_))), "fails"),
        (ends(|ends| matches!(ends, Ends::NotKnown(_))), "is not known"),
        (ends(|ends| matches!(ends, Ends::Installs | Ends::Warns(_))), "installs"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, what)| format!("{what} on {count}")).collect();
    if !counts.is_empty() {
        lines.push(format!("  it {} of {}", counts.join(", "), text::count(stored as u64, "target")));
    }
    lines
}

/// ` (linux_amd64, linux_arm64)`; nothing for a step of all targets.
fn whom(targets: &[&str], stored: usize) -> String {
    match targets.len() {
        0 => String::new(),
        count if count == stored && count > NAMED => format!(" (all {count} targets)"),
        count if count > NAMED => {
            format!(" ({} and {} more)", targets[..NAMED].join(", "), count - NAMED)
        }
        _ => format!(" ({})", targets.join(", ")),
    }
}

/// One line for each block, then the findings in the order of the file.
pub(crate) fn checked(ui: &Ui, checked: &CheckedFile) -> Vec<Line> {
    let mut lines: Vec<Line> = checked.blocks.iter().map(|block| of_block(ui, block)).collect();
    lines.extend(checked.found.iter().map(|found| {
        let place = Line::of(format!("{}:{}:{}: ", checked.path, found.at.line, found.at.column));
        text::finding(place, &found.finding)
    }));
    lines
}

/// `v acme/rocket 1.0.0: installs on 2 of 2 targets; 4 hashes`.
fn of_block(ui: &Ui, block: &BlockCheck) -> Line {
    let count = |wanted: fn(&Fares) -> bool| {
        block.platforms.iter().filter(|platform| wanted(&platform.fares)).count() as u64
    };
    let counts = [
        (count(|fares| matches!(fares, Fares::Refused(_))), "cannot be installed"),
        (count(|fares| matches!(fares, Fares::NotKnown(_))), "not known"),
        (count(|fares| *fares == Fares::Unprotected), "unprotected"),
        (count(|fares| matches!(fares, Fares::Fits(_))), "as the registry has it, archive not read"),
        (count(|fares| *fares == Fares::Installs), "verified"),
    ];
    let named: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let gravest = block.findings().iter().map(|found| found.finding.severity).max();
    let (tone, glyph) = match gravest {
        None | Some(Severity::Note) => (Tone::Green, "v"),
        Some(Severity::Warning) => (Tone::Yellow, "?"),
        Some(Severity::Error) => (Tone::Red, "X"),
    };
    let line = if ui.plain { Line::default() } else { Line::default().tone(tone, glyph).text(" ") };
    line.text(format!(
        "{} {}: {}: {}; {}",
        block.address,
        block.version.text,
        text::count(block.platforms.len() as u64, "target"),
        named.join(", "),
        hashes(block)
    ))
}

/// `4 hashes`, `5 hashes, 1 of them wrong`.
fn hashes(block: &BlockCheck) -> String {
    let count = block.hashes.len();
    let hashes = format!("{count} {}", if count == 1 { "hash" } else { "hashes" });
    match block.hashes.iter().filter(|hash| hash.is.is_wrong()).count() {
        0 => hashes,
        wrong => format!("{hashes}, {wrong} of them wrong"),
    }
}
