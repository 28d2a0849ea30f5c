use super::*;

use std::collections::HashSet;

use crate::registry::{BlacklistEntry, Document, digest};
use crate::rules::Mode;
use crate::rules::diff::{BlockKind, Lines, Row, SummaryPart};
use crate::rules::edit::Edit;
use crate::rules::policy::{Permit, Reason};
use crate::settings::Features;

fn address() -> Address {
    Address::provider("acme", "rocket")
}

fn target(name: &str, platform: &str, host: &str) -> String {
    let (os, arch) = platform.split_once('_').unwrap();
    let file = format!("rocket_{name}_{platform}.zip");
    format!(
        r#"{{"os":"{os}","arch":"{arch}","filename":"{file}","download_url":"https://{host}/d/{file}","shasum":"aa"}}"#
    )
}

/// A version with these targets.
fn version_of(name: &str, targets: &[String], rest: &str) -> String {
    let targets = targets.join(",");
    format!(
        r#"{{"version":"{name}","protocols":["5.0"],"shasums_url":"s","shasums_signature_url":"g","targets":[{targets}]{rest}}}"#
    )
}

fn version(name: &str, rest: &str) -> String {
    let targets = ["darwin_arm64", "linux_amd64"].map(|platform| target(name, platform, "github.com"));
    version_of(name, &targets, rest)
}

/// A summary of one line above each version.
fn summaries_of(lines: &Lines) -> Vec<SummaryPart> {
    let versions = lines.blocks.iter().zip(0..).filter(|(block, _)| block.kind == BlockKind::Version);
    versions.map(|(_, block)| SummaryPart { block, part: 0, parts: 1, width: 80 }).collect()
}

/// A hand went through all changes.
fn all_arrivals(file: &PlannedFile) -> Arrivals {
    file.pieces.iter().map(|piece| piece.id.clone()).collect()
}

fn file(versions: &[String], rest: &str) -> Vec<u8> {
    let text = format!(r#"{{"versions":[{}]{rest}}}"#, versions.join(","));
    Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone()).print()
}

fn kept(base: &[u8], proposed: &[u8]) -> Kept {
    Kept {
        address: address(),
        mode: Mode::Add,
        revision: "main@f00f6d5".into(),
        built_at: jiff::Timestamp::UNIX_EPOCH,
        made_with: made_with(Features::none()),
        base: base.to_vec(),
        proposed: proposed.to_vec(),
        blocks: Vec::new(),
        remarks: Vec::new(),
    }
}

/// A planned file and its marks, as a console has them.
struct Desk {
    kept: Kept,
    marks: Marks,
}

impl Desk {
    fn new(base: &[u8], proposed: &[u8]) -> Self {
        Self { kept: kept(base, proposed), marks: Marks::new() }
    }

    fn read(&self) -> PlannedFile {
        PlannedFile::read(&self.kept, &self.marks, Some(&self.kept.base), Features::none()).unwrap()
    }

    fn say(&mut self, which: &Which, verb: &Verb) -> Result<(), Refusal> {
        self.marks.extend(self.read().answer(which, verb)?);
        Ok(())
    }

    fn outcome(&self) -> Vec<u8> {
        let file = self.read();
        let bytes = file.outcome(&self.kept, Features::none()).unwrap();
        assert_eq!(digest(&bytes), file.outcome_digest);
        bytes
    }

    fn state(&self) -> &'static str {
        self.read().state.word()
    }
}

fn named(name: &str) -> Which {
    Which::Version(name.into())
}

fn two_added() -> (Vec<u8>, Vec<u8>) {
    let old = version("1.0.0", "");
    (file(std::slice::from_ref(&old), ""), file(&[version("1.2.0", ""), version("1.1.0", ""), old], ""))
}

/// A file with two versions that wait for review, and a remark.
pub(crate) fn in_review() -> PlannedFile {
    let (base, proposed) = two_added();
    let text = "left out: the release has no SHA256SUMS".to_owned();
    let remark =
        Remark { severity: "warning".into(), rule: "left-out".into(), version: Some("1.0.0".into()), text };
    let mut desk = Desk::new(&base, &proposed);
    desk.kept.remarks.push(remark);
    desk.read()
}

#[test]
fn only_what_was_seen_is_approved() {
    let (base, proposed) = two_added();
    let mut desk = Desk::new(&base, &proposed);
    assert_eq!(desk.state(), "TO REVIEW");
    let refusal = desk.say(&Which::Whole, &Verb::Approve).unwrap_err();
    assert_eq!(refusal.text(), "2 versions left to look at before it can be approved");
    desk.say(&named("v1.2.0"), &Verb::See).unwrap();
    desk.say(&named("1.2.0"), &Verb::Approve).unwrap();
    assert_eq!(desk.state(), "TO REVIEW");
    assert_eq!(desk.read().next_step(), "1 version left to look at before it can be approved");
    let refusal = desk.say(&named("1.1.0"), &Verb::Approve).unwrap_err();
    assert_eq!(refusal.text(), "1 version left to look at before it can be approved");
    let refusal = desk.say(&named("9.9.9"), &Verb::Approve).unwrap_err();
    assert_eq!(refusal.text(), "the plan has no change of `9.9.9`; it has 1.2.0, 1.1.0");
    desk.say(&Which::Whole, &Verb::See).unwrap();
    assert_eq!(desk.read().next_step(), "seen: approve or reject it");
    desk.say(&Which::Whole, &Verb::Approve).unwrap();
    assert_eq!((desk.state(), desk.outcome()), ("APPROVED", proposed));
    desk.say(&named("1.1.0"), &Verb::Reopen).unwrap();
    assert_eq!(desk.state(), "TO REVIEW");
}

#[test]
fn rejected_versions_leave_the_outcome() {
    let (base, proposed) = two_added();
    let mut desk = Desk::new(&base, &proposed);
    let whole = Plan::new(vec![desk.read()]).digest().unwrap();
    desk.say(&named("1.2.0"), &Verb::Reject).unwrap();
    let wanted = file(&[version("1.1.0", ""), version("1.0.0", "")], "");
    assert_eq!(String::from_utf8(desk.outcome()).unwrap(), String::from_utf8(wanted).unwrap());
    assert_ne!(Plan::new(vec![desk.read()]).digest().unwrap(), whole);
    desk.say(&named("1.1.0"), &Verb::See).unwrap();
    desk.say(&Which::Whole, &Verb::Approve).unwrap();
    assert_eq!(desk.state(), "APPROVED");
    assert_eq!(desk.read().pieces[0].mark.answer, Answer::Rejected);
    desk.say(&named("1.1.0"), &Verb::Reject).unwrap();
    let file = desk.read();
    assert_eq!(
        (file.state.word(), file.state.reason()),
        ("NOTHING LEFT", "every change was rejected: the file stays as it is and is not sent")
    );
    assert_eq!(file.outcome(&desk.kept, Features::none()).unwrap(), base);
    assert_eq!(Plan::new(vec![file]).digest(), None);
}

#[test]
fn what_changes_or_removes_is_held_until_that_is_rejected() {
    let one = version("1.0.0", "");
    let other = one.replace("\"aa\"", "\"bb\"");
    let base = file(std::slice::from_ref(&one), "");
    let mut desk = Desk::new(&base, &file(&[version("1.1.0", ""), other], ""));
    desk.say(&Which::Whole, &Verb::See).unwrap();
    assert_eq!((desk.state(), desk.read().class), ("HELD", Class::Mutates));
    for which in [Which::Whole, named("1.0.0")] {
        let refusal = desk.say(&which, &Verb::Approve).unwrap_err();
        assert!(refusal.text().starts_with("held: indexed versions are immutable"), "{}", refusal.text());
    }
    desk.say(&named("1.1.0"), &Verb::Approve).unwrap();
    desk.say(&named("1.0.0"), &Verb::Reject).unwrap();
    assert_eq!((desk.state(), desk.read().class), ("APPROVED", Class::Additive));
    assert!(desk.outcome() == file(&[version("1.1.0", ""), one.clone()], ""));
    let mut desk = Desk::new(&file(&[version("1.1.0", ""), one.clone()], ""), &base);
    desk.say(&Which::Whole, &Verb::See).unwrap();
    assert!(desk.say(&Which::Whole, &Verb::Approve).unwrap_err().text().contains("would disappear"));
    // A removal cannot be left out while something else stays.
    let mut desk =
        Desk::new(&file(&[version("1.1.0", ""), one.clone()], ""), &file(&[version("1.2.0", ""), one], ""));
    desk.say(&named("1.1.0"), &Verb::Reject).unwrap();
    assert_eq!(desk.state(), "HELD");
}

#[test]
fn the_rest_of_the_file_is_a_change_too() {
    let record = |version: &str| {
        format!(r#"{{"version":"{version}","message":"m","utc_time":"2026-01-01T00:00:00Z"}}"#)
    };
    let old = version("1.0.0", "");
    let errors = |records: &[String]| format!(r#","versions_errors":[{}]"#, records.join(","));
    let base = file(std::slice::from_ref(&old), &errors(&[record("1.2.0"), record("1.1.0")]));
    let mut desk = Desk::new(&base, &file(&[version("1.2.0", ""), version("1.1.0", ""), old.clone()], ""));
    assert_eq!(
        desk.read().next_step(),
        "2 versions and the rest of the file left to look at before it can be approved"
    );
    // A version that is not added keeps its failed try.
    desk.say(&named("1.2.0"), &Verb::Reject).unwrap();
    let wanted = file(&[version("1.1.0", ""), old], &errors(&[record("1.2.0")]));
    assert_eq!(String::from_utf8(desk.outcome()).unwrap(), String::from_utf8(wanted).unwrap());
    desk.say(&named(Part::REST), &Verb::Reject).unwrap();
    assert_eq!(desk.state(), "HELD");
}

#[test]
fn marks_belong_to_the_content() {
    let (base, proposed) = two_added();
    let mut desk = Desk::new(&base, &proposed);
    desk.say(&Which::Whole, &Verb::See).unwrap();
    desk.say(&named("1.1.0"), &Verb::Note("  looks right ".into())).unwrap();
    // Another version on top, and another sum in one of them.
    let changed = version("1.2.0", "").replace("\"aa\"", "\"cc\"");
    let newer = file(&[version("1.3.0", ""), changed, version("1.1.0", ""), version("1.0.0", "")], "");
    desk.kept.proposed = newer;
    let seen: Vec<(String, bool, String)> = desk
        .read()
        .pieces
        .into_iter()
        .map(|piece| (piece.part.name().to_owned(), piece.mark.seen, piece.mark.note))
        .collect();
    let wanted = [("1.3.0", false, ""), ("1.2.0", false, ""), ("1.1.0", true, "looks right")];
    assert_eq!(seen, wanted.map(|(name, seen, note)| (name.to_owned(), seen, note.to_owned())));
}

#[test]
fn a_stale_file_is_held() {
    let (base, proposed) = two_added();
    let mut desk = Desk::new(&base, &proposed);
    desk.say(&Which::Whole, &Verb::See).unwrap();
    for (now, standing) in [(None, Standing::Lost), (Some(&b"{}"[..]), Standing::Stale)] {
        let file = PlannedFile::read(&desk.kept, &desk.marks, now, Features::none()).unwrap();
        assert_eq!((file.standing, file.state.word()), (standing, "HELD"));
        for which in [Which::Whole, named("1.1.0")] {
            assert!(matches!(file.answer(&which, &Verb::Approve), Err(Refusal::Held { .. })));
        }
    }
}

#[test]
fn a_repeated_build_takes_the_times_over() {
    let at = |time: &str| format!(r#","discovered":"{time}""#);
    let document = |bytes: &[u8]| Document::parse(bytes).unwrap();
    let base = file(&[version("1.0.0", "")], "");
    let errors = |time: &str| {
        format!(r#","versions_errors":[{{"version":"0.9.0","message":"m","utc_time":"{time}"}}]"#)
    };
    let build = |time: &str| file(&[version("1.1.0", &at(time)), version("1.0.0", "")], &errors(time));
    let (first, second) = (build("2026-01-01T00:00:00Z"), build("2026-01-02T00:00:00Z"));
    let carried = carry_over(&document(&base), &document(&first), &document(&second));
    assert_eq!(String::from_utf8(carried.print()).unwrap(), String::from_utf8(first.clone()).unwrap());
    // What is not the same is taken as it is now.
    let other = String::from_utf8(second).unwrap().replace("\"aa\"", "\"dd\"").replace("\"m\"", "\"n\"");
    let carried = carry_over(&document(&base), &document(&first), &document(other.as_bytes()));
    assert_eq!(String::from_utf8(carried.print()).unwrap(), other);
}

#[test]
fn plans_are_named_by_what_they_send() {
    let (base, proposed) = two_added();
    let desk = Desk::new(&base, &proposed);
    let plan = Plan::new(vec![desk.read()]);
    assert_eq!((plan.name().len(), plan.base().as_str()), (6, "main@f00f6d5"));
    assert!(plan.digest().unwrap().starts_with(&plan.name()));
    assert_eq!(plan.class_counts(), [(Class::Additive, 1)]);
    assert_eq!(plan.tally(), Tally { files: 1, approved: 0, held: 0, unseen: 2 });
    assert!(!plan.is_approved() && !Plan::default().is_approved());
    assert_eq!(Plan::default().name(), "");
}

#[test]
fn a_fold_hides_nothing_from_a_review() {
    let (base, proposed) = two_added();
    // One target of 1.2.0 comes from elsewhere, behind a fold of its own kind.
    let odd = [("linux_amd64", "github.com"), ("linux_arm", "evil.example"), ("windows_386", "github.com")];
    let targets = odd.map(|(platform, host)| target("1.2.0", platform, host));
    let odd = version_of("1.2.0", &targets, "");
    let proposed = String::from_utf8(proposed).unwrap();
    let odd = file(&[odd, version("1.1.0", ""), version("1.0.0", "")], "");
    assert_ne!(odd, proposed.as_bytes());
    let desk = Desk::new(&base, &odd);
    let planned = desk.read();
    let lines = planned.lines(&desk.kept, None).unwrap();
    let rows = lines.visible(&HashSet::new());
    let mut summaries = summaries_of(&lines);
    let arrivals = all_arrivals(&planned);
    let names = |sight: &Sight| -> Vec<&str> {
        let ids = sight.newly_seen(&lines, &planned.pieces, &arrivals);
        let seen = planned.pieces.iter().filter(|piece| ids.contains(&piece.id));
        seen.map(|piece| piece.part.name()).collect()
    };
    let mut sight = Sight::default();
    assert_eq!(names(&sight), [""; 0]);
    assert!(sight.look(&rows, &summaries) && !sight.look(&rows, &summaries));
    assert_eq!(names(&sight), ["1.2.0", "1.1.0"]);
    // All but the odd target: the version counts as not seen.
    let at = lines.blocks.iter().position(|block| block.odd && block.title.contains("arm")).unwrap();
    let block = &lines.blocks[at];
    let without: Vec<Row> = rows
        .iter()
        .copied()
        .filter(|row| !(block.first..block.end).contains(&lines.first_line(*row)))
        .collect();
    let mut sight = Sight::default();
    sight.look(&without, &summaries);
    assert_eq!(names(&sight), ["1.1.0"]);
    // A folded version shows its heading and its summary: that stands for its lines. The heading alone does not.
    let version = lines.blocks.iter().position(|block| block.path == "versions[1] 1.1.0").unwrap() as u32;
    let rows = lines.visible(&HashSet::from([version]));
    let mut sight = Sight::default();
    sight.look(&rows, &summaries);
    assert_eq!(names(&sight), ["1.2.0", "1.1.0"]);
    summaries.retain(|part| part.block != version);
    let mut sight = Sight::default();
    sight.look(&rows, &summaries);
    assert_eq!(names(&sight), ["1.2.0"]);
}

/// The lines of a version that have to be shown besides its summary: none where its platforms are alike and come from where
/// those of the version below come from.
#[test]
fn a_summary_stands_for_lines_that_hold_no_surprise() {
    type Case<'a> = (&'a str, &'a [String], Vec<String>, Option<&'a str>, bool);
    const PLATFORMS: [&str; 11] = [
        "darwin_amd64",
        "darwin_arm64",
        "freebsd_386",
        "freebsd_amd64",
        "freebsd_arm",
        "linux_386",
        "linux_amd64",
        "linux_arm",
        "linux_arm64",
        "windows_386",
        "windows_amd64",
    ];
    let from = |name: &str, host: &dyn Fn(usize) -> &'static str| {
        let targets = PLATFORMS.iter().enumerate().map(|(at, platform)| target(name, platform, host(at)));
        version_of(name, &targets.collect::<Vec<_>>(), "")
    };
    let usual = |name: &str| from(name, &|_| "github.com");
    let stored = vec![usual("1.0.0")];
    let new = |version: String| vec![version, usual("1.0.0")];
    let changed = |from: &str, to: &str| vec![usual("1.0.0").replacen(from, to, 1)];
    let one = "\"shasum\":\"aa\"},{\"os\":\"darwin\",\"arch\":\"arm64\"";
    let own = "not all of its own lines were shown";
    let cases: [Case<'_>; 14] = [
        ("uniform", &stored, new(usual("1.1.0")), None, true),
        (
            "one foreign host",
            &stored,
            new(from("1.1.0", &|at| if at == 7 { "evil.example" } else { "github.com" })),
            Some("the lines of linux_arm were not shown"),
            true,
        ),
        (
            "five of eleven are foreign",
            &stored,
            new(from("1.1.0", &|at| if at < 5 { "evil.example" } else { "github.com" })),
            Some("the lines of darwin_amd64, darwin_arm64, freebsd_386 and 2 more were not shown"),
            // One of them is open.
            false,
        ),
        ("all are foreign", &stored, new(from("1.1.0", &|_| "evil.example")), Some(own), true),
        (
            "checksums from elsewhere",
            &stored,
            new(usual("1.1.0").replace("\"s\"", "\"https://evil.example\"")),
            Some(own),
            true,
        ),
        (
            "an unknown field",
            &stored,
            new(usual("1.1.0").replacen("\"targets\"", "\"note\":1,\"targets\"", 1)),
            Some(own),
            true,
        ),
        ("nothing to compare with", &[], vec![usual("1.0.0")], Some(own), true),
        ("a changed checksum", &stored, changed(one, &one.replace("aa", "bb")), Some(own), true),
        ("changed protocols", &stored, changed("5.0", "6.0"), Some(own), false),
        ("removed", &stored, Vec::new(), Some(own), false),
        ("moved", &[usual("1.1.0"), usual("1.0.0")], vec![usual("1.0.0"), usual("1.1.0")], Some(own), false),
        (
            "one platform twice",
            &stored,
            new(version_of("1.1.0", &["linux_arm"; 2].map(|one| target("1.1.0", one, "github.com")), "")),
            Some("the lines of linux_arm, linux_arm were not shown"),
            false,
        ),
        (
            "too many platforms for a grid",
            &stored,
            new(version_of(
                "1.1.0",
                &(0..40)
                    .map(|at| target("1.1.0", &format!("os{at}_arch{at}"), "github.com"))
                    .collect::<Vec<_>>(),
                "",
            )),
            Some(own),
            true,
        ),
        ("no targets", &stored, new(version_of("1.1.0", &[], "")), Some(own), true),
    ];
    for (name, base, proposed, left, is_open) in cases {
        let desk = Desk::new(&file(base, ""), &file(&proposed, ""));
        let planned = desk.read();
        let lines = planned.lines(&desk.kept, None).unwrap();
        let piece = &planned.pieces[0];
        let arrivals = all_arrivals(&planned);
        let unseen = |rows: &[Row], summaries: &[SummaryPart], arrivals: &Arrivals| {
            let mut sight = Sight::default();
            sight.look(rows, summaries);
            sight.unseen(&lines, piece, arrivals).map(|unseen| unseen.text())
        };
        let summaries = summaries_of(&lines);
        let visible = lines.visible(&HashSet::new());
        let all: Vec<Row> = (0..lines.lines.len() as u32).map(Row::Line).collect();
        assert_eq!(unseen(&[], &summaries, &arrivals).as_deref(), left, "{name}: the summary alone");
        assert_eq!(unseen(&visible, &summaries, &arrivals).is_none(), is_open, "{name}: what is not folded");
        assert_eq!(unseen(&all, &summaries, &arrivals), None, "{name}: everything");
        let not_reached = Some("the cursor has not moved to it".to_owned());
        assert_eq!(unseen(&all, &summaries, &Arrivals::new()), not_reached, "{name}: not reached");
        let has_grid = lines.blocks.iter().any(|block| block.grid.is_some());
        let not_shown = has_grid.then(|| "its summary was not shown to the end".to_owned());
        assert_eq!(unseen(&all, &[], &arrivals), not_shown, "{name}: without the summary");
    }
}

/// A summary that is broader or longer than a window counts once all of it was there in one layout.
#[test]
fn a_summary_is_shown_by_all_of_its_lines() {
    let (base, proposed) = two_added();
    let desk = Desk::new(&base, &proposed);
    let planned = desk.read();
    let lines = planned.lines(&desk.kept, None).unwrap();
    let block = lines.blocks.iter().position(|block| block.kind == BlockKind::Version).unwrap() as u32;
    let part = |part, width| SummaryPart { block, part, parts: 3, width };
    let arrivals = all_arrivals(&planned);
    let mut sight = Sight::default();
    for (row, is_new, is_seen) in [
        (part(0, 80), true, false),
        (part(0, 80), false, false),
        (part(1, 80), true, false),
        // In another width the third line is another one.
        (part(2, 60), true, false),
        (part(2, 80), true, true),
    ] {
        assert_eq!(sight.look(&[], &[row]), is_new, "{row:?}");
        assert_eq!(
            sight.newly_seen(&lines, &planned.pieces, &arrivals).len(),
            usize::from(is_seen),
            "{row:?}"
        );
    }
}

#[test]
fn a_version_is_the_one_that_is_named_where_both_forms_stand() {
    let module = |names: &[&str]| {
        let versions: Vec<String> = names.iter().map(|name| format!(r#"{{"version":"{name}"}}"#)).collect();
        file(&versions, "")
    };
    let mut desk = Desk::new(&module(&["v0.9.0"]), &module(&["v1.1.0", "v1.0.0", "1.0.0", "v0.9.0"]));
    desk.kept.address = Address::module("umbrella", "vpc", "aws");
    let rejected = |desk: &Desk| -> Vec<String> {
        let pieces = desk.read().pieces.into_iter();
        let rejected = pieces.filter(|piece| piece.mark.answer == Answer::Rejected);
        rejected.map(|piece| piece.part.name().to_owned()).collect()
    };
    desk.say(&named("1.0.0"), &Verb::Reject).unwrap();
    assert_eq!(rejected(&desk), ["1.0.0"]);
    desk.say(&named("v1.0.0"), &Verb::Reject).unwrap();
    desk.say(&named("1.0.0"), &Verb::Reopen).unwrap();
    assert_eq!(rejected(&desk), ["v1.0.0"]);
    desk.say(&named("1.1.0"), &Verb::Reject).unwrap();
    assert_eq!(rejected(&desk), ["v1.1.0", "v1.0.0"]);
}

#[test]
fn every_line_that_says_something_must_have_been_there() {
    let record = |version: &str| {
        format!(r#"{{"version":"{version}","message":"m","utc_time":"2026-01-01T00:00:00Z"}}"#)
    };
    let errors = format!(r#","versions_errors":[{},{}]"#, record("0.2.0"), record("0.1.0"));
    let base = file(&[version("1.0.0", "")], &errors);
    // There is nothing below it to compare it with, so that its summary does not stand for its lines.
    let desk = Desk::new(&base, &file(&[version("1.0.0", ""), version("0.9.0", "")], ""));
    let planned = desk.read();
    let lines = planned.lines(&desk.kept, None).unwrap();
    let rows = lines.visible(&HashSet::new());
    let text = |row: &Row| match row {
        Row::Line(at) => lines.text(&lines.lines[*at as usize]),
        Row::Fold(_) => "",
    };
    let seen = |left_out: &dyn Fn(&str) -> bool| -> Vec<String> {
        let mut sight = Sight::default();
        let left: Vec<Row> = rows.iter().copied().filter(|row| !left_out(text(row))).collect();
        sight.look(&left, &summaries_of(&lines));
        let ids = sight.newly_seen(&lines, &planned.pieces, &all_arrivals(&planned));
        let pieces = planned.pieces.iter().filter(|piece| ids.contains(&piece.id));
        pieces.map(|piece| piece.part.name().to_owned()).collect()
    };
    for (missing, wanted) in [
        ("nothing of it", &["0.9.0", "rest"][..]),
        // Brackets say nothing.
        ("      }", &["0.9.0", "rest"]),
        ("\"protocols\"", &["rest"]),
        ("\"version\": \"0.9.0\"", &["rest"]),
        ("\"filename\": \"rocket_0.9.0_darwin_arm64.zip\"", &["rest"]),
        ("\"version\": \"0.1.0\"", &["0.9.0"]),
    ] {
        assert_eq!(seen(&|text| text.contains(missing)), wanted, "{missing}");
    }
}

/// Versions that change only in format fold into one row: the rest is seen once that fold was opened.
#[test]
fn a_folded_run_of_format_changes_hides_the_rest() {
    let sorted = version("1.0.0", "");
    let swapped = sorted.replacen(
        r#""version":"1.0.0","protocols":["5.0"]"#,
        r#""protocols":["5.0"],"version":"1.0.0""#,
        1,
    );
    assert_ne!(sorted, swapped);
    let desk = Desk::new(&file(&[swapped], ""), &file(&[version("1.1.0", ""), sorted], ""));
    let planned = desk.read();
    let lines = planned.lines(&desk.kept, None).unwrap();
    let seen = |toggled: &HashSet<u32>| -> Vec<String> {
        let mut sight = Sight::default();
        sight.look(&lines.visible(toggled), &summaries_of(&lines));
        let ids = sight.newly_seen(&lines, &planned.pieces, &all_arrivals(&planned));
        let pieces = planned.pieces.iter().filter(|piece| ids.contains(&piece.id));
        pieces.map(|piece| piece.part.name().to_owned()).collect()
    };
    assert_eq!(planned.pieces.len(), 2);
    assert_eq!(seen(&HashSet::new()), ["1.1.0"]);
    let run = lines.blocks.iter().position(|block| block.title.contains("only in format")).unwrap() as u32;
    assert_eq!(seen(&HashSet::from([run])), ["1.1.0", "rest"]);
}

/// One key order for another: as many as before, and not the same.
#[test]
fn the_rest_is_named_by_its_text() {
    let base_of = |version: String, note: &str| {
        let swapped =
            version.replacen(r#","protocols":["5.0"]"#, "", 1).replacen('{', r#"{"protocols":["5.0"],"#, 1);
        file(&[swapped], &format!(r#","unknown":"{note}""#))
    };
    let rest = |base: Vec<u8>, proposed: Vec<u8>| {
        let pieces = Desk::new(&base, &proposed).read().pieces;
        assert_eq!(pieces.last().unwrap().part, Part::Rest);
        pieces.last().unwrap().id.clone()
    };
    let made = |name: &str, note: &str, added: &[String]| {
        let versions = [added, &[version(name, "")]].concat();
        rest(base_of(version(name, ""), note), file(&versions, &format!(r#","unknown":"{note}""#)))
    };
    let first = made("1.0.0", "a", &[]);
    assert_eq!(made("1.0.0", "a", &[]), first);
    // Versions that are changes of their own are no part of it.
    assert_eq!(made("1.0.0", "a", &[version("1.2.0", "")]), first);
    assert_ne!(made("1.0.1", "a", &[]), first);
    assert_ne!(made("1.0.0", "b", &[]), first);
}

/// A removal, with its entry on the blacklist.
fn removal() -> Desk {
    let base = file(&[version("1.1.0", ""), version("1.0.0", "")], "");
    let mut desk = Desk::new(&base, &file(&[version("1.0.0", "")], ""));
    let permit = Permit::new(Reason::MaliciousCode, Some("https://a.b/c"), Some(7)).unwrap();
    desk.kept.blocks = vec![BlacklistEntry::new(&address(), "1.1.0", &permit.blacklist_reason())];
    desk.kept.mode = Mode::Edit(Edit::Remove(vec!["1.1.0".into()], permit));
    desk
}

#[test]
fn a_removal_needs_its_permit_and_its_blacklist() {
    let mut desk = removal();
    assert_eq!(desk.state(), "TO REVIEW");
    assert!(desk.say(&Which::Whole, &Verb::Approve).is_err(), "nobody looked at it");
    desk.say(&Which::Whole, &Verb::See).unwrap();
    desk.say(&Which::Whole, &Verb::Approve).unwrap();
    assert_eq!(desk.state(), "APPROVED");
    let name = |desk: &Desk| Plan::new(vec![desk.read()]).name();
    let with = name(&desk);
    desk.say(&Which::Version("blacklist".into()), &Verb::Reject).unwrap();
    let FileState::Held(why) = desk.read().state else { panic!("{:?}", desk.read().state) };
    assert!(why.contains("would be re-added by the next bump"), "{why}");
    desk.say(&Which::Version("blacklist".into()), &Verb::Approve).unwrap();
    assert_eq!(name(&desk), with);
    // What is put on the blacklist is part of what the plan's name stands for.
    desk.kept.blocks[0].reason.push('!');
    assert_ne!(name(&desk), with);
    assert_eq!(desk.state(), "TO REVIEW", "another reason was not looked at");
    // The permit is for one version, and a rebuild has none.
    let other = file(&[version("1.1.0", "")], "");
    assert_eq!(Desk { kept: Kept { proposed: other, ..desk.kept.clone() }, ..removal() }.state(), "HELD");
    assert_eq!(Desk { kept: Kept { mode: Mode::Add, ..desk.kept.clone() }, ..removal() }.state(), "HELD");
}

#[test]
fn the_blacklist_is_seen_by_its_own_lines() {
    let desk = removal();
    let planned = desk.read();
    let list = b"{\n  \"providers\": [],\n  \"modules\": []\n}\n\n";
    let lines = planned.lines(&desk.kept, Some(list)).unwrap();
    let blacklist = planned.pieces.iter().find(|piece| piece.part == Part::Blacklist).unwrap();
    let second = lines.second();
    let seen = |rows: std::ops::Range<u32>| {
        let mut sight = Sight::default();
        sight.look(&rows.map(Row::Line).collect::<Vec<_>>(), &[]);
        sight.newly_seen(&lines, &planned.pieces, &all_arrivals(&planned))
    };
    assert!(!seen(0..second.start).contains(&blacklist.id));
    let reason = lines.lines.iter().position(|line| lines.text(line).contains("\"reason\""));
    assert!(!seen(0..reason.unwrap() as u32).contains(&blacklist.id), "its reason was not on the screen");
    assert_eq!(seen(second), std::slice::from_ref(&blacklist.id), "it shows nothing of the version");
    let patch = lines.unified(&planned.path, 3);
    let files: Vec<&str> = patch.lines().filter(|line| line.starts_with("+++ ")).collect();
    assert_eq!(files, ["+++ b/providers/a/acme/rocket.json", "+++ b/versions_blacklist.json"]);
    assert!(patch.contains("+      \"reason\": \"Malicious code - see https://a.b/c\"\n"), "{patch}");
    assert!(planned.lines(&desk.kept, Some(b"{\"providers\":[]}")).is_err());
}

/// The removal of a whole entry, which deletes its file.
fn deletion() -> Desk {
    let base = file(&[version("1.1.0", ""), version("1.0.0", "")], r#","warnings":["Old."]"#);
    let mut desk = Desk::new(&base, b"");
    let permit = Permit::new(Reason::LegalDuty, Some("https://a.b/c"), Some(7)).unwrap();
    desk.kept.mode = Mode::Edit(Edit::RemoveEntry(permit));
    desk
}

#[test]
fn a_whole_entry_is_removed_as_a_whole_and_with_a_permit() {
    let mut desk = deletion();
    let planned = desk.read();
    let parts: Vec<&str> = planned.pieces.iter().map(|piece| piece.part.name()).collect();
    assert_eq!(parts, ["1.1.0", "1.0.0", "rest"]);
    assert!(planned.pieces[..2].iter().all(|piece| piece.class == Class::Removes));
    assert_eq!(planned.outcome_digest, digest(b""));
    assert_eq!(planned.outcome(&desk.kept, Features::none()), Ok(Vec::new()));
    let patch = planned.lines(&desk.kept, None).unwrap().unified(&planned.path, 3);
    assert!(patch.contains("deleted file mode 100644") && patch.contains("+++ /dev/null"), "{patch}");
    assert!(!patch.lines().any(|line| line.starts_with('+') && !line.starts_with("+++")), "{patch}");
    assert!(desk.say(&Which::Whole, &Verb::Approve).is_err(), "nobody looked at it");
    desk.say(&Which::Whole, &Verb::See).unwrap();
    desk.say(&Which::Whole, &Verb::Approve).unwrap();
    assert_eq!(desk.state(), "APPROVED");
    // Rejecting a part rejects the whole removal.
    desk.say(&Which::Version("1.0.0".into()), &Verb::Reject).unwrap();
    let FileState::Held(why) = desk.read().state else { panic!("{:?}", desk.read().state) };
    assert!(why.contains("the file is deleted with all that is in it"), "{why}");
    desk.say(&Which::Whole, &Verb::Reject).unwrap();
    assert_eq!(desk.state(), "NOTHING LEFT");
    assert_eq!(desk.read().outcome(&desk.kept, Features::none()), Ok(desk.kept.base.clone()));
    // A rebuild does not delete a file, nor does a permit to remove versions.
    assert_eq!(Desk { kept: Kept { mode: Mode::Add, ..desk.kept.clone() }, ..deletion() }.state(), "HELD");
    assert_eq!(
        Desk { kept: Kept { mode: removal().kept.mode, ..desk.kept.clone() }, ..deletion() }.state(),
        "HELD"
    );
}
