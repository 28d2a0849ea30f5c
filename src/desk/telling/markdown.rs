//! Facts as Markdown for an issue, a comment or a message: the sheets of the screens and of line mode, one
//! fact a line.
//!
//! A label is ours. The text beside it may come from others, and stands in code type, where it has no effect.
//! A page is cut where GitHub would refuse it, and says so. Next steps are left out, because readers of the
//! page do not have this console.

use jiff::Timestamp;

use crate::desk::Desk;
use crate::desk::filling::Shown;
use crate::desk::telling::column::NOTE;
use crate::desk::telling::entry::{CHECKED, IF_LEFT, NEXT, WHAT, YOU_CAN};
use crate::desk::telling::{
    Fact, Label, around, backfill as filling, entry, planned, pull, review, verification,
};
use crate::jobs::data::Opened;
use crate::registry::Address;
use crate::rules::Verdict;
use crate::rules::amount::{Form, counted};
use crate::rules::backfill::{Row as Fillable, State, Tally as FillTally, states};
use crate::rules::markdown::{LONGEST, cell, code, put};
use crate::rules::plain_text::visible;
use crate::rules::plan::{Plan, PlannedFile};
use crate::rules::review::{OpenPull, Review};
use crate::rules::sending::{Gate, Request};
use crate::rules::verify::{Row, Tally, table};

const MOVED: Label = Label::of("moved since");
const STANDS: Label = Label::of("how it stands");

/// Facts whose texts are ours, with nothing from outside in them.
const OURS: [Label; 5] = [WHAT, IF_LEFT, YOU_CAN, CHECKED, around::CONTEXT];

/// Characters of one fact; a text from others may have any length.
const LONGEST_FACT: usize = 4_000;

/// All facts about an entry; an entry that was not opened has fewer.
pub(crate) fn entry(address: &Address, verdict: &Verdict, opened: Option<&Opened>, now: Timestamp) -> String {
    let facts = match opened {
        Some(opened) => entry::sheet(opened, now, Form::Spoken),
        None => entry::unopened(address, verdict, now, Form::Spoken),
    };
    let head =
        format!("### {} ({}): {}\n", code(&address.to_string()), address.kind().word(), verdict.word());
    page(head, &facts)
}

/// A review, its reasons, and the context of its pull request. `pull`: the pull request in the latest list.
pub(crate) fn review(review: &Review, pull: &OpenPull) -> String {
    let mut facts = Vec::new();
    if !pull.is_as(&review.pull) {
        facts.push(Fact::of(MOVED, review::moved(pull, review)));
    }
    facts.extend(around::not_read(review));
    facts.extend(around::names(&review.look_alikes()));
    facts.extend(around::facts(review));
    facts.extend(around::to_post(review));
    facts.extend(review.notes.iter().map(|note| Fact::of(NOTE, note.as_str())));
    page(review.markdown(), &facts)
}

/// A verification, finished or not: groups of equal rows, the bad ones first, each with its explanation; then
/// every bad row with its checksums.
pub(crate) fn verification(what: &str, groups: &[Vec<&Row>]) -> String {
    let all = || groups.iter().flatten().copied();
    let bad = || groups.iter().filter(|rows| rows[0].state().is_bad());
    let mut text =
        format!("### Verification of {}\n\n{}.\n", code(what), verification::tallied(&Tally::of(all())));
    let counted = || bad().map(|rows| (rows[0], rows.len()));
    let steps = [
        verification::faults(counted()),
        verification::steps(counted()).map(|steps| format!("next: {steps}")),
        verification::not_indexed(all()),
    ];
    let steps: Vec<String> = steps.into_iter().flatten().map(|step| format!("- {}", code(&step))).collect();
    put(&mut text, "\n", steps.into_iter(), LONGEST, "point");
    let results: Vec<String> = groups.iter().map(|rows| group(rows)).collect();
    put(&mut text, "\n", results.into_iter(), LONGEST / 2, "result");
    let bad: Vec<&Row> = bad().flatten().copied().collect();
    if !bad.is_empty() {
        table(&mut text, &bad, LONGEST);
    }
    text
}

/// A backfill, finished or not: each target that was not filled in, with its reason; first those that need a
/// maintainer.
pub(crate) fn backfill(what: &str, rows: &[Fillable]) -> String {
    let tally = FillTally::of(rows);
    let mut text = format!("### Backfill of {}\n\n{}.\n", code(what), filling::tallied(&tally));
    let steps: Vec<String> =
        filling::steps(&tally).iter().map(|step| format!("- {}", code(&format!("next: {step}")))).collect();
    put(&mut text, "\n", steps.into_iter(), LONGEST, "point");
    let is_told = |(_, state): &(&Fillable, State)| !matches!(state, State::Filled | State::Waiting);
    let mut targets: Vec<(&Fillable, State)> = states(rows).filter(is_told).collect();
    targets.sort_by_key(|(_, state)| *state);
    let targets: Vec<String> = targets.into_iter().map(|(row, state)| unfilled(row, state)).collect();
    put(&mut text, "\n", targets.into_iter(), LONGEST, "target");
    text
}

fn unfilled(row: &Fillable, state: State) -> String {
    let head = format!("- {} {}", state.word(), code(&row.item.name()));
    let facts = filling::sheet(row, Shown::Is(state), false);
    let facts = facts.iter().filter_map(line).map(|line| format!("  {line}"));
    std::iter::once(head).chain(facts).collect::<Vec<_>>().join("\n")
}

fn group(rows: &[&Row]) -> String {
    let head = format!("- {}", code(&verification::sentence(rows, ToOwned::to_owned)));
    let facts = if rows[0].state().is_bad() { verification::facts(rows) } else { Vec::new() };
    let facts = facts.iter().filter_map(line).map(|line| format!("  {line}"));
    std::iter::once(head).chain(facts).collect::<Vec<_>>().join("\n")
}

/// The plan: each file with its state, and each of its changes with the decision about it.
pub(crate) fn plan(plan: &Plan) -> String {
    let (name, rest) = planned::head(plan);
    let mut text = format!("### {}\n", code(&format!("{name}{rest}")));
    put(&mut text, "\n", plan.files.iter().map(file), LONGEST, "file");
    text
}

fn file(file: &PlannedFile) -> String {
    let next = planned::next(file);
    let mut lines = vec![format!(
        "- {}: {}, {}, {}, {}",
        code(&file.address.to_string()),
        file.class.word(),
        file.state.word(),
        planned::seen(file, Form::Spoken),
        code(&file.path)
    )];
    lines.extend(line(&next).map(|line| format!("  {line}")));
    for piece in &file.pieces {
        lines.push(format!("  - {}: {}", code(&planned::sentence(piece)), planned::standing(piece).0.spoken));
        lines.extend(planned::note(piece).map(|note| format!("    {}", code(&note))));
    }
    lines.extend(
        file.remarks.iter().map(|one| format!("  - {}: {}", one.severity, code(&planned::remark(one)))),
    );
    lines.join("\n")
}

/// The prepared pull request or verdict: its state, its gates, and its text. `None` if nothing is prepared.
pub(crate) fn sending(desk: &Desk) -> Option<String> {
    let prepared = desk.pull.prepared.as_ref()?;
    let (name, of) = pull::title(prepared);
    let mut text = format!("### {name} {of} {}\n", code(&pull::base(prepared)));
    let standing = pull::standing(desk).into_iter().map(|message| Fact::of(STANDS, message.text));
    let facts: Vec<Fact> = standing.chain(pull::facts(prepared)).collect();
    text = page(text, &facts);
    let (body, _) = prepared.sending.requests.iter().find_map(Request::markdown).unwrap_or_default();
    let gates = (1..).zip(&prepared.gates).map(|(number, gate)| row(number, gate));
    let gates: Vec<String> = gates.collect();
    put(&mut text, "\n| gate | | |\n|---|---|---|\n", gates.into_iter(), LONGEST, "gate");
    let lines: Vec<String> = body.lines().map(str::to_owned).collect();
    put(&mut text, "\nIt says:\n\n", lines.into_iter(), LONGEST, "line");
    Some(text)
}

fn row(number: usize, gate: &Gate) -> String {
    format!("| {number} {} | {} | {} |", gate.name.word(), gate.state.word(), cell(&gate.evidence))
}

/// Appends facts to the head of a page.
fn page(mut text: String, facts: &[Fact]) -> String {
    let lines: Vec<String> = facts.iter().filter_map(line).collect();
    put(&mut text, "\n", lines.into_iter(), LONGEST, "line");
    text
}

/// One fact as a list item; `None` for the next step and for an empty text.
fn line(fact: &Fact) -> Option<String> {
    if fact.label == NEXT || fact.text.is_empty() {
        return None;
    }
    let sign = fact.sign.as_ref().map(|sign| format!("{} ", sign.word)).unwrap_or_default();
    let count = fact.text.chars().count();
    let cut = match count.checked_sub(LONGEST_FACT) {
        Some(rest) if rest > 0 => format!(" (and {})", counted(rest, "more character")),
        _ => String::new(),
    };
    let text: String = fact.text.chars().take(LONGEST_FACT).collect();
    let rendered = if OURS.contains(&fact.label) { visible(&text).into_owned() } else { code(&text) };
    Some(format!("- **{}**: {sign}{rendered}{cut}", fact.label.spoken))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::filling::tests::row as fillable;
    use crate::desk::reviews::tests::{open_pull, review as reviewed};
    use crate::rules::backfill::FillResult;
    use crate::rules::review::{Maker, OtherPull, PullCommit, PullContext, Result as Word, Signature};
    use crate::rules::verify::tests::row;
    use crate::rules::{Because, Source, Status};

    const HOSTILE: &str = "@everyone <img src=x> [a](javascript:b) ``` \u{202e}\n# big";

    #[track_caller]
    fn check(page: &str, cut: Option<&str>) {
        assert!(page.chars().count() <= LONGEST, "{}", page.chars().count());
        // Each text of others stands between ticks that are longer than any in it.
        let outside: String = page.split("````").step_by(2).collect();
        for bad in ["@", "<img", "](", "\u{202e}", "\n# big"] {
            assert!(!outside.contains(bad), "{bad}: {page}");
        }
        assert_eq!(page.contains("left out here"), cut.is_some(), "{}", &page[page.len() - 300..]);
        assert!(cut.is_none_or(|cut| page.contains(cut)), "{}", &page[page.len() - 300..]);
    }

    fn entry_page(findings: usize, text: &str) -> String {
        let because = Because { text: text.into(), source: Source::Tags, at: None };
        let mut verdict = Verdict::new(Status::Stranded, because);
        verdict.findings = (0..findings).map(|_| crate::rules::Finding::note("x", text)).collect();
        entry(&Address::provider("acme", "rocket"), &verdict, None, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn pages_are_inert_and_cut_where_github_would_refuse_them() {
        check(&entry_page(2, HOSTILE), None);
        check(&entry_page(3_000, HOSTILE), Some("more lines, left out here."));
        let long = entry_page(1, &"x".repeat(70_000));
        assert!(long.contains("` (and 66,000 more characters)"), "{}", &long[long.len() - 100..]);
        let rows: Vec<Row> = (0..3_000).map(|at| Row { target: format!("{at}{HOSTILE}"), ..row() }).collect();
        let few: Vec<Vec<&Row>> = rows.iter().take(3).map(|row| vec![row]).collect();
        check(&verification(HOSTILE, &few), None);
        let all: Vec<Vec<&Row>> = rows.iter().map(|row| vec![row]).collect();
        check(&verification(HOSTILE, &all), Some("more results, left out here."));
    }

    #[test]
    fn a_backfill_is_copied_with_what_was_not_filled_in() {
        let row = |target: &str, result: FillResult| Fillable {
            result,
            ..fillable("acme/rocket", "1.0.0", target)
        };
        let filled = FillResult::Filled { h1: "h1:x".into(), size: 3 };
        let rows = [
            row("linux_amd64", filled.clone()),
            row("linux_arm64", FillResult::Failed { why: HOSTILE.into() }),
            row("windows_386", FillResult::Drifted { sha256: "f".repeat(64) }),
            Fillable { result: filled, ..fillable("acme/rocket", "2.0.0", "linux_amd64") },
        ];
        check(&backfill(HOSTILE, &rows[1..2]), None);
        let page = backfill(HOSTILE, &rows);
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no `{text}`: {page}"));
        let tally = "4 targets: 1 filled in, 1 held back with their version, 1 drifted, 1 could not be read.";
        let drifted = "- DRIFT `acme/rocket 1.0.0 windows_386`\n  - **found**: `upstream has another archive";
        assert!(at(tally) < at("next: what drifted") && at("next: what drifted") < at(drifted));
        assert!(
            at(drifted) < at("- FAILED") && at("- FAILED") < at("- HELD `acme/rocket 1.0.0 linux_amd64`")
        );
        assert!(page.contains(&"f".repeat(64)) && !page.contains("2.0.0"), "{page}");
        let many: Vec<Fillable> = (0..3_000).map(|_| rows[1].clone()).collect();
        check(&backfill("all", &many), Some("more targets, left out here."));
    }

    #[test]
    fn a_review_is_copied_with_what_stands_around_it() {
        let mut found = reviewed(open_pull(12), "providers/a/acme/rocket.json", Word::Same, &[]);
        let page = review(&found, &found.pull);
        assert!(page.contains("- **context**: author, commits, checks"), "{page}");
        let commit = PullCommit {
            id: "1a2b3c4d".into(),
            subject: HOSTILE.into(),
            author: Maker::Name(HOSTILE.into()),
            committer: Maker::Login("ann".into()),
            signature: Signature::Unsigned,
        };
        let other = OtherPull { number: 7, title: HOSTILE.into(), author: HOSTILE.into(), paths: Vec::new() };
        found.notes.push(HOSTILE.into());
        found.around = Some(PullContext {
            commits: Some(vec![commit]),
            others: Some(vec![other.clone()]),
            unread: vec!["its checks: 500 from api.github.com".into()],
            ..PullContext::default()
        });
        let page = review(&found, &open_pull(12));
        check(&page, None);
        for part in [
            "- **the commit**: ````1a2b3c4 by ",
            "- **also open**: ````#7 ",
            "- **could not be read**: `its checks",
            "- **NOTE**: ",
        ] {
            assert!(page.contains(part), "no {part}: {page}");
        }
        let moved = OpenPull { head: "f".repeat(40), ..open_pull(12) };
        assert!(review(&found, &moved).contains("- **moved since**: `its head is fffffff now"), "{page}");
        if let Some(around) = &mut found.around {
            around.others = Some(vec![other; 1_000]);
        }
        check(&review(&found, &open_pull(12)), Some("more lines, left out here."));
    }
}
