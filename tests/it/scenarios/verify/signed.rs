//! Signed releases and their zips in one run: all four answers at once, in a world of one provider and in that of
//! `bumpdesk demo`.

use bumpdesk::demo::worlds::NEWCOMER;
use bumpdesk::jobs::Outcome;
use bumpdesk::rules::verify::Answer;
use bumpdesk::rules::verify::SignatureSays;
use bumpdesk::rules::verify::Zip;

use super::line;
use super::plan;
use super::verified;
use crate::stage::Stage;

const GOOD: &str = "OK equal same same same same";

/// One key signs, the other is on file for one version less.
const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
key = [{ name = "acme", on_file = ["acme"] }, { name = "other" }]

[[provider]]
address = "acme/rocket"
signed_by = "acme"
targets = ["linux_amd64", "windows_amd64"]
stored = ["1.1.0", { version = "1.0.0", signed_by = "other" }]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn zip_h1_sums_and_signature_are_good_in_one_run() {
    let mut stage = Stage::set(WORLD).await;
    let ran = verified(&mut stage, plan(&["acme/rocket@1.1.0"])).await;
    assert_eq!(ran.of("acme/rocket"), [GOOD, GOOD]);
    for row in &ran.rows {
        let answers = row.answers();
        let all = [answers.zh_sums, answers.zh_zip, answers.h1, answers.signature];
        assert_eq!(all, [Answer::Same; 4]);
        assert_eq!([answers.size, answers.digest], [Answer::Same; 2]);
        assert!(matches!(&row.zip, Zip::Hashed(_)), "{:?}", row.zip);
        let SignatureSays::Good { by, file, warnings } = &row.signature else {
            panic!("{:?}", row.signature)
        };
        assert!(by.len() == 16 && warnings.is_empty(), "{by} {warnings:?}");
        assert_eq!(file, "keys/a/acme/provider-1577836800.asc");
    }
    let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
    assert_eq!((summary.entries, summary.findings, summary.failed), (2, 0, 0));

    // The zips are as good as they were, and nobody on file signed for them.
    let ran = verified(&mut stage, plan(&["acme/rocket@1.0.0"])).await;
    assert_eq!(ran.of("acme/rocket"), ["MISMATCH equal same same same differ"; 2]);
    let reading = ran.rows[0].reading().expect("a reading");
    assert!(reading.contains("signed by ") && reading.contains(", on file: "), "{reading}");
}

/// Address, how many targets, and how each of them ends.
const DEMO: [(&str, usize, &str); 6] = [
    ("fernhollow/gristmill@1.24.0", 11, GOOD),
    ("brambleworks/ropewalk@1.0.3", 5, "MISMATCH equal same same same differ"),
    ("brambleworks/ropewalk@1.0.1", 5, GOOD),
    ("kestrel-yard/jesses@0.31.0", 11, GOOD),
    ("pebblecreek/plumbline@1.2.0", 11, "OK equal same same same none"),
    ("emberlight/bellows@3.14.1", 11, "MISMATCH re-uploaded differ differ differ same"),
];

/// What a newcomer sees: good signatures, another key, an expired one and none at all, beside good and other zips.
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_has_every_kind_of_signature() {
    let mut stage = Stage::set(NEWCOMER).await;
    for (wanted, targets, ends) in DEMO {
        let ran = verified(&mut stage, plan(&[wanted])).await;
        let lines: Vec<String> = ran.rows.iter().map(|row| line(row)).collect();
        assert_eq!(lines, vec![ends.to_owned(); targets], "{wanted}");
        for row in &ran.rows {
            let has_expired = match &row.signature {
                SignatureSays::Good { warnings, .. } => warnings.iter().any(|one| one.contains("expired")),
                _ => false,
            };
            assert_eq!(has_expired, wanted.starts_with("kestrel-yard/"), "{wanted}: {:?}", row.signature);
        }
    }
}
