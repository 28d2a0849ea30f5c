//! The lines about a version as a client treats it, and about the contents of a lock file.

use crate::boot::Ui;
use crate::jobs::data::{CheckedFile, LockedVersion};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::Severity;
use crate::rules::amount::{counted, grouped};
use crate::rules::client::{Ends, Gathered};
use crate::rules::lock::{BlockCheck, Fares, FoundAt};

/// Targets that are named one by one; more are counted.
const NAMED: usize = 4;
/// Findings of one kind that are told one by one.
const ALIKE: usize = 5;

/// The steps of a client, those that do not pass or all of them, then how it ends.
pub(crate) fn steps(locked: &LockedVersion, all: bool) -> Vec<String> {
    let chain = &locked.chain;
    let stored = chain.targets.iter().filter(|target| target.is_stored).count();
    let mut lines: Vec<String> = chain
        .gathered(all)
        .iter()
        .map(|Gathered { targets, step, differs }| {
            // Those that the version has not are never all of them.
            let all = if chain.targets.iter().any(|own| own.is_stored && targets.contains(&&*own.target)) {
                stored
            } else {
                usize::MAX
            };
            let whom = if targets.is_empty() { String::new() } else { format!(" ({})", whom(targets, all)) };
            let of = if *differs { format!(" (of {})", targets[0]) } else { String::new() };
            format!("  {:<9} {}{whom}: {}{of}", step.ruling.word(), step.name.name(), step.text)
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
        lines.push(format!("  it {} of {}", counts.join(", "), counted(stored, "target")));
    }
    if let Some(text) = locked.recorded.text().filter(|_| all) {
        lines.push(format!("  {text}"));
    }
    lines
}

/// `linux_amd64, linux_arm64`; many are counted.
pub(crate) fn whom(targets: &[&str], all: usize) -> String {
    match targets.len() {
        count if count == all && count > NAMED => format!("all {count} targets"),
        count if count > NAMED => format!("{} and {} more", targets[..NAMED].join(", "), count - NAMED),
        _ => targets.join(", "),
    }
}

/// One line for each block, then the findings in the order of the file.
pub(crate) fn checked(ui: &Ui, checked: &CheckedFile) -> Vec<Line> {
    let mut lines: Vec<Line> = checked.blocks.iter().map(|block| of_block(ui, block)).collect();
    let place = |found: &FoundAt| format!("{}:{}:{}: ", checked.path, found.at.line, found.at.column);
    let kind =
        |found: &FoundAt| (found.finding.rule.clone(), found.finding.severity, found.finding.version.clone());
    for alike in checked.found.chunk_by(|a, b| kind(a) == kind(b)) {
        // A file that was locked before a release was made anew has nothing else.
        let shown = if alike.len() > ALIKE { ALIKE - 1 } else { alike.len() };
        lines
            .extend(alike[..shown].iter().map(|found| text::finding(Line::of(place(found)), &found.finding)));
        if let Some(next) = alike.get(shown) {
            lines.push(Line::of(format!(
                "{}and {} more of this kind",
                place(next),
                grouped(alike.len() - shown)
            )));
        }
    }
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
    let (color, glyph) = match gravest {
        None | Some(Severity::Note) => (Color::Green, "v"),
        Some(Severity::Warning) => (Color::Yellow, "?"),
        Some(Severity::Error) => (Color::Red, "X"),
    };
    let line = if ui.plain { Line::default() } else { Line::default().color(color, glyph).text(" ") };
    line.text(format!(
        "{} {}: {}: {}; {}",
        block.address,
        block.version.text,
        counted(block.platforms.len(), "target"),
        named.join(", "),
        hashes(block)
    ))
}

/// `4 hashes`, `5 hashes, 1 of them wrong`.
fn hashes(block: &BlockCheck) -> String {
    let hashes = counted(block.hashes.len(), "hash");
    match block.hashes.iter().filter(|hash| hash.is.is_wrong()).count() {
        0 => hashes,
        wrong => format!("{hashes}, {wrong} of them wrong"),
    }
}
