//! The line view as people see it, on small files; and patches against the real `git apply`.

#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "patches are tried with the git program"
)]

use std::collections::HashSet;
use std::fmt::Write as _;
use std::process::Command;

use crate::registry::{Document, Kind};
use crate::rules::diff::{LineMark, Lines, Row, compare};

fn provider(versions: &[(&str, &[&str])], rest: &str) -> String {
    let versions: Vec<String> = versions
        .iter()
        .map(|(version, platforms)| {
            let targets: Vec<String> = platforms
                .iter()
                .map(|platform| {
                    let (platform, sum) = platform.split_once('=').unwrap_or((platform, "abcdef012345"));
                    let (os, arch) = platform.split_once('_').unwrap();
                    let file = format!("p_{version}_{platform}.zip");
                    format!(
                        r#"{{"os":"{os}","arch":"{arch}","filename":"{file}","download_url":"https://github.com/o/p/v{version}/{file}","shasum":"{sum}"}}"#
                    )
                })
                .collect();
            format!(r#"{{"version":"{version}","protocols":["5.0"],"targets":[{}]}}"#, targets.join(","))
        })
        .collect();
    format!(r#"{{"versions":[{}]{rest}}}"#, versions.join(","))
}

fn module(versions: &[&str]) -> String {
    let items: Vec<String> = versions.iter().map(|version| format!(r#"{{"version":"{version}"}}"#)).collect();
    format!(r#"{{"versions":[{}]}}"#, items.join(","))
}

fn laid_out(text: &str) -> Document {
    Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone())
}

fn lines(kind: Kind, old: &Document, new: &Document) -> Lines {
    Lines::build(kind, old, new, &compare(kind, old, new))
}

/// The screen as text: mark, number, line; `..` and the title for a fold.
fn screen(lines: &Lines, toggled: &[u32]) -> String {
    let mut text = String::new();
    for row in lines.visible(&toggled.iter().copied().collect()) {
        let mark = |mark: LineMark| match mark {
            LineMark::Same => ' ',
            LineMark::Added => '+',
            LineMark::Removed => '-',
        };
        let _ = match row {
            Row::Line(at) => {
                let line = &lines.lines[at as usize];
                writeln!(text, "{}{:3} {}", mark(line.mark), line.number, lines.text(line))
            }
            Row::Fold(id) => {
                let block = &lines.blocks[id as usize];
                writeln!(text, "{} .. {}", mark(block.mark), block.title)
            }
        };
    }
    text
}

const FIVE: [&str; 5] = ["darwin_amd64", "darwin_arm64", "linux_386", "linux_amd64", "linux_arm64"];

#[test]
fn an_added_version_is_open_with_its_targets_folded_after_the_first() {
    let old = laid_out(&provider(&[("1.1.0", &FIVE), ("1.0.0", &FIVE)], ""));
    let new = laid_out(&provider(&[("1.2.0", &FIVE), ("1.1.0", &FIVE), ("1.0.0", &FIVE)], ""));
    let lines = lines(Kind::Provider, &old, &new);
    let expected = r#"   1 {
   2   "versions": [
+  3     {
+  4       "version": "1.2.0",
+  5       "protocols": [
+  6         "5.0"
+  7       ],
+  8       "targets": [
+  9         {
+ 10           "os": "darwin",
+ 11           "arch": "amd64",
+ 12           "filename": "p_1.2.0_darwin_amd64.zip",
+ 13           "download_url": "https://github.com/o/p/v1.2.0/p_1.2.0_darwin_amd64.zip",
+ 14           "shasum": "abcdef012345"
+ 15         },
+ .. 4 more targets of the same shape
+ 44       ]
+ 45     },
  .. 2 unchanged versions
 132   ]
 133 }
"#;
    assert_eq!(screen(&lines, &[]), expected);
    assert_eq!(lines.hunks(), [2]);
    let version = lines.blocks.iter().position(|block| block.title.starts_with("version")).unwrap() as u32;
    assert_eq!(lines.blocks[version as usize].title, "version 1.2.0 (5 targets)");
    let folded = screen(&lines, &[version]);
    assert!(folded.contains("+ .. version 1.2.0 (5 targets)\n  .. 2 unchanged versions\n"), "{folded}");
    let run = lines.blocks.iter().position(|block| block.title.starts_with("4 more")).unwrap() as u32;
    assert!(screen(&lines, &[run]).contains("+ .. { linux amd64     abcdef01.. }\n"));
    assert!(screen(&lines, &[run, run + 1]).contains("+ 17           \"os\": \"darwin\",\n"));
    let rows = lines.visible(&HashSet::new());
    assert_eq!(rows[lines.row_at(&rows, 20)], Row::Fold(run));
    assert_eq!(rows[lines.row_at(&rows, 1)], Row::Line(1));
}

#[test]
fn a_changed_version_shows_the_changed_lines() {
    let mut now = FIVE;
    now[3] = "linux_amd64=999999999999";
    let old = laid_out(&provider(&[("1.1.0", &FIVE), ("1.0.0", &FIVE)], ""));
    let new = laid_out(&provider(&[("1.1.0", &FIVE), ("1.0.0", &now)], ""));
    let lines = lines(Kind::Provider, &old, &new);
    let text = screen(&lines, &[]);
    let expected = r#"  .. 1 unchanged version
  46     {
  47       "version": "1.0.0",
  48       "protocols": [
  49         "5.0"
  50       ],
  51       "targets": [
  .. 3 unchanged targets
  73         {
  74           "os": "linux",
  75           "arch": "amd64",
  76           "filename": "p_1.0.0_linux_amd64.zip",
  77           "download_url": "https://github.com/o/p/v1.0.0/p_1.0.0_linux_amd64.zip",
- 78           "shasum": "abcdef012345"
+ 78           "shasum": "999999999999"
  79         },
  .. { linux arm64     abcdef01..  unchanged }
  87       ]
"#;
    assert!(text.contains(expected), "{text}");
    let hunks = lines.hunks();
    assert_eq!(hunks.len(), 1);
    assert_eq!(lines.breadcrumb(hunks[0]), "versions[1] 1.0.0 > targets[3] linux_amd64 > shasum");
    assert_eq!(lines.lines[hunks[0] as usize].number, 78);
    let version = lines.blocks.iter().find(|block| block.path == "versions[1] 1.0.0").unwrap();
    assert_eq!(version.title, "version 1.0.0 (5 targets, 1 changed)");
}

#[test]
fn moved_and_removed_versions_fold() {
    let (old, new) = (module(&["1.0.0", "3.0.0", "2.0.0", "0.9.0"]), module(&["3.0.0", "2.0.0", "1.0.0"]));
    let lines = lines(Kind::Module, &laid_out(&old), &laid_out(&new));
    let text = screen(&lines, &[]);
    assert!(text.contains("  .. version 1.0.0, moved from versions[0]\n"), "{text}");
    assert!(text.contains("- .. version 0.9.0\n"), "{text}");
    assert_eq!(lines.blocks.iter().filter(|block| block.mark == LineMark::Removed).count(), 1);
}

#[test]
fn format_changes_fold_apart() {
    let old = laid_out(&provider(&[("1.1.0", &FIVE), ("1.0.0", &FIVE)], ""));
    let text = String::from_utf8(old.root().print_compact().into_bytes()).unwrap();
    let new = laid_out(&text.replace(r#"5"}"#, r#"5","h1":"","size":0}"#));
    let lines = lines(Kind::Provider, &old, &new);
    assert!(screen(&lines, &[]).contains("  .. 2 versions changed only in format\n"));
    assert_eq!(lines.lines.iter().filter(|line| line.mark == LineMark::Added).count(), 30);
    assert_eq!(lines.lines.iter().filter(|line| line.mark == LineMark::Removed).count(), 10);
    assert!(lines.hunks().is_empty());
}

#[test]
fn other_fields_and_long_lists() {
    let records = |count: usize| {
        let list: Vec<String> =
            (0..count).map(|at| format!(r#"{{"version":"1.0.{at}","message":"m"}}"#)).collect();
        format!(r#","versions_errors":[{}],"warnings":["old"]"#, list.join(","))
    };
    let old = laid_out(&provider(&[("1.0.0", &FIVE)], &records(9)));
    let new = laid_out(&provider(&[("1.0.0", &FIVE)], &records(10)));
    let lines = lines(Kind::Provider, &old, &new);
    let text = screen(&lines, &[]);
    let expected = r#"  .. 33 unchanged lines
  80     {
  81       "version": "1.0.8",
  82       "message": "m"
+ 83     },
+ 84     {
+ 85       "version": "1.0.9",
+ 86       "message": "m"
  87     }
  88   ],
  .. warnings (1 item), unchanged
  92 }
"#;
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(lines.hunks().len(), 1);
}

#[test]
fn breadcrumbs_name_every_line() {
    let file = provider(&[("1.1.0", &FIVE[..2]), ("1.0.0", &FIVE[..2])], r#","warnings":["a","b"]"#);
    let document = laid_out(&file);
    // Nothing differs: everything stands in a run of unchanged versions.
    let lines = lines(Kind::Provider, &document, &document);
    let crumb = |text: &str, nth: usize| {
        let found =
            (0..lines.lines.len() as u32).filter(|at| lines.text(&lines.lines[*at as usize]).trim() == text);
        lines.breadcrumb(found.collect::<Vec<_>>()[nth])
    };
    for (text, nth, expected) in [
        ("{", 0, ""),
        ("\"versions\": [", 0, "versions"),
        ("\"version\": \"1.1.0\",", 0, "versions[0] 1.1.0 > version"),
        ("\"5.0\"", 1, "versions[1] 1.0.0 > protocols[0]"),
        ("\"os\": \"darwin\",", 0, "versions[0] 1.1.0 > targets[0] darwin_amd64 > os"),
        ("\"shasum\": \"abcdef012345\"", 3, "versions[1] 1.0.0 > targets[1] darwin_arm64 > shasum"),
        ("\"warnings\": [", 0, "warnings"),
        ("\"b\"", 0, "warnings > warnings[1]"),
    ] {
        assert_eq!(crumb(text, nth), expected, "{text}");
    }
    assert_eq!(lines.breadcrumb(9999), "");
}

#[test]
fn odd_layouts_are_shown_line_by_line() {
    for old in ["{\"versions\":[]}", "{}", "{\n\t\"versions\": []\n}\n", "{\n  \"a\": 1,\n  \"a\": 2\n}"] {
        let old = Document::parse(old.as_bytes()).unwrap();
        let new = laid_out(&module(&["2.0.0", "1.0.0"]));
        check_whole(&lines(Kind::Module, &old, &new), true);
        check_whole(&lines(Kind::Module, &new, &old), true);
    }
}

#[test]
fn carriage_returns_do_not_hide_the_change() {
    let text = String::from_utf8(laid_out(&module(&["1.0.0"])).print()).unwrap();
    let old = Document::parse(text.replace('\n', "\r\n").as_bytes()).unwrap();
    let new = laid_out(&module(&["2.0.0", "1.0.0"]));
    let lines = lines(Kind::Module, &old, &new);
    assert_eq!(lines.lines.iter().filter(|line| line.mark != LineMark::Same).count(), 3);
}

/// Every line of the new file stands there once and in order, and of the old one too where nothing moved.
fn check_whole(lines: &Lines, is_old_in_order: bool) {
    let of = |gone: LineMark| lines.lines.iter().filter(move |line| line.mark != gone);
    let new: Vec<&str> = of(LineMark::Removed).map(|line| lines.text(line)).collect();
    assert_eq!(new, lines.new_text.lines().collect::<Vec<_>>());
    assert!(of(LineMark::Removed).zip(1..).all(|(line, number)| line.number == number));
    let old: Vec<&str> = lines.old_text.lines().collect();
    if is_old_in_order {
        assert_eq!(of(LineMark::Added).map(|line| lines.text(line)).collect::<Vec<_>>(), old);
    }
    // Wherever its version went, each line of the old file has the number that it had there.
    let number = |line: &crate::rules::diff::Line| {
        if line.mark == LineMark::Same { line.before.unwrap().get() } else { line.number }
    };
    assert!(of(LineMark::Added).all(|line| old[number(line) as usize - 1] == lines.text(line)));
    let mut numbers: Vec<u32> = of(LineMark::Added).map(number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=old.len() as u32).collect::<Vec<_>>());
    let mut last = 0;
    for (id, block) in lines.blocks.iter().enumerate() {
        let parent = &lines.blocks[block.parent as usize];
        assert!(block.first < block.end && block.first >= last, "{block:?}");
        assert!(parent.first <= block.first && block.end <= parent.end, "{block:?} in {parent:?}");
        assert!((block.parent as usize) < id || id == 0);
        last = block.first;
    }
    let all: HashSet<u32> =
        (0..lines.blocks.len() as u32).filter(|id| lines.blocks[*id as usize].folded).collect();
    assert_eq!(lines.visible(&all).len(), lines.lines.len());
    for at in 0..lines.lines.len() as u32 {
        lines.breadcrumb(at);
    }
    for hunk in lines.hunks() {
        assert!((hunk as usize) < lines.lines.len());
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]
    #[test]
    fn no_line_is_lost(
        old in proptest::collection::vec((0usize..6, 0usize..5), 0..6),
        new in proptest::collection::vec((0usize..6, 0usize..5), 0..6),
        rest in 0usize..3,
    ) {
        let names = ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0", "3.0.0"];
        let file = |list: &[(usize, usize)], rest: &str| {
            let versions: Vec<(&str, &[&str])> =
                list.iter().map(|(name, count)| (names[*name], &FIVE[..*count])).collect();
            laid_out(&provider(&versions, rest))
        };
        let rest = ["", r#","warnings":["w"]"#, r#","warnings":[]"#][rest];
        let (old, new) = (file(&old, ""), file(&new, rest));
        let diff = compare(Kind::Provider, &old, &new);
        // Targets never change their order here, so only versions on both sides can have moved.
        let moved = diff.versions.iter().any(|change| change.old_place.is_some() && change.new_place.is_some());
        check_whole(&Lines::build(Kind::Provider, &old, &new, &diff), !moved);
    }
}

#[test]
fn git_applies_the_patch() {
    let long: Vec<String> = (0..60).map(|at| format!("1.{}.0", 60 - at)).collect();
    let long: Vec<&str> = long.iter().map(String::as_str).collect();
    let grown = [&["2.0.0"], &long[..20], &long[25..], &["0.0.1"]].concat();
    let print = |text: &str| String::from_utf8(laid_out(text).print()).unwrap();
    let cases = [
        (print(&module(&long)), print(&module(&grown))),
        (print(&module(&grown)), print(&module(&long))),
        (print(&module(&long)) + "\n", print(&module(&grown))),
        (print(&module(&long)), print(&module(&long)) + "\n"),
        (print(&module(&long)).replace('\n', "\r\n"), print(&module(&long))),
        ("{\"versions\":[]}".to_owned(), print(&module(&long))),
    ];
    let path = "modules/a/acme/rocket/aws.json";
    for (old, new) in cases {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &old).unwrap();
        let (before, after) =
            (Document::parse(old.as_bytes()).unwrap(), Document::parse(new.as_bytes()).unwrap());
        let diff = lines(Kind::Module, &before, &after).unified(path, 3);
        std::fs::write(folder.path().join("change.diff"), &diff).unwrap();
        let answer = Command::new("git")
            .args(["apply", "--whitespace=nowarn", "change.diff"])
            .current_dir(folder.path())
            .env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap())
            .output()
            .unwrap();
        assert!(answer.status.success(), "{}\n{diff}", String::from_utf8_lossy(&answer.stderr));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), new, "\n{diff}");
    }
    let same = laid_out(&module(&long));
    assert_eq!(lines(Kind::Module, &same, &same).unified(path, 3), "");
}
