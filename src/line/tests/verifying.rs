//! A verification as it is heard: what is bad at once, how far it is now and then, the rows and the tally at its end.

use std::sync::Arc;

use crate::jobs::data::{Job, JobEvent, Meter, Outcome, Steer, Summary, VerifyNews};
use crate::line::tests::{Scene, at};
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::verify::{Computed, Listed, Row, SignatureSays, State, Stored, Times, Zip};

const SUM: &str = "b6f7add03c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe";

/// A target whose archive is not read yet.
fn queued(number: usize) -> Row {
    Row { zip: Zip::NotDone, listed: Listed::NotAsked, signature: SignatureSays::NotAsked, ..fine(number) }
}

/// One whose answers are good.
fn fine(number: usize) -> Row {
    let row = Row {
        tag: None,
        address: Address::provider("acme", "p001"),
        version: "1.2.0".into(),
        target: format!("os_a{number}"),
        filename: "p001.zip".into(),
        url: "https://github.com/acme/p001/releases/download/v1.2.0/p001.zip".into(),
        stored: Stored { shasum: SUM.into(), h1: "h1:x=".into(), size_bytes: 12 },
        listed: Listed::Sum { sum: SUM.into() },
        asset: None,
        asset_unread: None,
        not_indexed: Vec::new(),
        refused: Vec::new(),
        zip: Zip::Hashed(Computed {
            sha256: SUM.into(),
            size_bytes: 12,
            h1: Some("h1:x=".into()),
            has_binary: Some(true),
            ..Computed::default()
        }),
        signature: SignatureSays::NoKeys,
        times: Times::default(),
    };
    assert_eq!(row.state(), State::Ok, "{row:?}");
    row
}

fn bad(number: usize) -> Row {
    let row = fine(number);
    let row = Row { listed: Listed::Sum { sum: "00".repeat(32) }, ..row };
    assert_eq!(row.state(), State::Mismatch);
    row
}

/// A verification of so many targets that has begun.
fn begun(count: usize) -> Scene {
    let mut scene = Scene::new(3);
    assert_eq!(scene.hear("verify 1"), "now: verification of acme slash p001\n");
    let Job::Verify(plan) = scene.last_job().1 else { panic!("{:?}", scene.last_job()) };
    assert_eq!(plan.wanted.len(), 1);
    let rows = Arc::new((0..count).map(queued).collect());
    let said = scene.event(JobEvent::Verify(VerifyNews::Begun {
        rows,
        report: "/state/verify-1.jsonl".into(),
        kept: 2,
    }));
    assert!(said.starts_with(&format!("now: {count} targets to verify; cancel stops it")), "{said}");
    assert!(said.ends_with("now: reused from an earlier run: 2 archives\n"), "{said}");
    scene
}

fn news(scene: &mut Scene, place: usize, row: Row) -> String {
    scene.event(JobEvent::Verify(VerifyNews::Row(place, Arc::new(row))))
}

#[test]
fn bad_rows_are_read_out_at_once_and_the_rest_at_the_end() {
    let mut scene = begun(45);
    assert_eq!(news(&mut scene, 0, queued(0)), "", "more comes of it");
    let said = news(&mut scene, 7, bad(7));
    assert!(said.starts_with("MISMATCH acme slash "), "{said}");
    assert!(said.contains(" os_a7: checksums file differs, archive same, h1 same"), "{said}");
    assert!(said.contains("\n  meaning: ") && said.contains("\n  stored shasum: "), "{said}");
    assert_eq!(news(&mut scene, 7, bad(7)), "", "once");
    assert_eq!(news(&mut scene, 9, bad(9)), "", "what another said already is only counted");

    let mut told = String::new();
    for number in (0..45).filter(|number| ![7, 9].contains(number)) {
        told += &news(&mut scene, number, fine(number));
    }
    assert_eq!(told, "now: 20 of 45 targets verified, 2 bad\nnow: 40 of 45 targets verified, 2 bad\n");

    let over = scene.done();
    let lines: Vec<&str> = over.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "1. MISMATCH acme slash p001 1.2.0, 2 targets: checksums file differs, archive same, h1 same, signature none",
            "2. OK acme slash p001 1.2.0, 43 targets: checksums file same, archive same, h1 same, signature none; no key on file",
            "the report is in /state/verify-1.jsonl",
        ]
    );
    assert!(
        lines[3].starts_with("done: verification of acme slash p001; 45 targets: 2 MISMATCH, 43 OK"),
        "{over}"
    );
    assert!(
        lines[3].ends_with("; next: tell the author that SHA256SUMS and zip do not match (2 targets)"),
        "{over}"
    );
    assert_eq!(lines.len(), 4);

    // A number means a line of them now, `rows bad` those that are bad, `rows each` every row, and `list` the list again.
    let both = scene.hear("1");
    assert!(both.contains("\n  targets: os_a7, os_a9\n") && both.contains("\n  meaning: "), "{both}");
    assert!(scene.hear("3").contains("the rows have the numbers 1 to 2"));
    let bad = scene.hear("rows bad");
    assert!(bad.starts_with("1. MISMATCH") && bad.lines().count() == 1, "{bad}");
    let each = scene.hear("rows each");
    assert!(each.starts_with("1. MISMATCH acme slash p001 1.2.0 os_a7: "), "{each}");
    assert!(each.ends_with("1 to 20 of 45; next\n"), "{each}");
    assert!(scene.hear("next").starts_with("21. OK"));
    assert!(scene.hear("2").contains("\n  stored shasum: "));
    scene.hear("list");
    scene.hear("2");
    assert!(matches!(scene.last_job().1, Job::Open(_)));
}

#[test]
fn it_can_be_paused_slowed_and_cancelled() {
    let mut scene = begun(5);
    let (job, _) = scene.last_job();
    news(&mut scene, 0, fine(0));
    let steer = |is_paused, workers| Some((job, Steer { is_paused, workers, ..Steer::default() }));
    for (line, wanted, said) in [
        ("pause", steer(true, None), "now: paused"),
        ("pause", None, "error: it is already paused"),
        ("workers 2", steer(true, Some(2)), "now: 2 downloads at once at most"),
        ("workers 0", None, "error: write workers with a number from 1 to 16"),
        ("workers", None, "error: write workers"),
        ("resume", steer(false, Some(2)), "now: resumed"),
        ("resume", None, "error: it is not paused"),
    ] {
        let heard = scene.hear(line);
        assert!(heard.starts_with(said), "{line}: {heard}");
        assert_eq!(scene.last.steer, wanted, "{line}");
    }
    let mut say = |event| {
        let reply = scene.mode.take_event(job, event, at());
        reply.lines.iter().map(|line| Line::shown(line) + "\n").collect::<String>()
    };
    let meter = |slowed: Option<&str>| {
        JobEvent::Verify(VerifyNews::Meter(Meter { slowed: slowed.map(str::to_owned), ..Meter::default() }))
    };
    assert_eq!(say(meter(None)), "");
    assert_eq!(say(meter(Some("429"))), "now: fewer downloads at once: 429\n");
    assert_eq!(say(meter(Some("429"))), "");
    assert_eq!(say(meter(None)), "now: as many downloads at once as before\n");

    let reply = scene.mode.take_line("cancel", at());
    assert_eq!(reply.cancel, [job]);
    let reply = scene.mode.take_event(job, JobEvent::Ended(Outcome::Cancelled(Summary::default())), at());
    let said: Vec<String> = reply.lines.iter().map(Line::shown).collect();
    assert!(said[0].starts_with("1. OK"), "{said:?}");
    let last = said.last().expect("an end");
    assert!(
        last.starts_with("done: verification of acme slash p001 was cancelled; 1 target: 1 OK"),
        "{said:?}"
    );
    for line in ["pause", "resume", "workers 3"] {
        assert!(scene.hear(line).starts_with("error: no verification is running"), "{line}");
    }
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let mut scene = Scene::new(3);
    for (line, wanted) in [
        ("verify", "error: write verify with a number of the list, or with an address"),
        ("verify 9", "the list has the numbers 1 to 3"),
        ("verify marked", "error: nothing is marked"),
        ("verify 1@", "error: there is no version after the @"),
        ("rows", "error: nothing has been verified yet"),
        ("rows worse", "error: write rows, rows bad, or rows each"),
        ("pause", "error: no verification is running"),
    ] {
        let said = scene.hear(line);
        assert!(said.contains(wanted), "{line}: {said}");
        assert_eq!(scene.started(), 0, "{line}");
    }
    scene.hear("verify 2@1.2.0");
    let Job::Verify(plan) = scene.last_job().1 else { panic!("{:?}", scene.last_job()) };
    assert_eq!(plan.wanted[0].version.as_deref(), Some("1.2.0"));
    assert!(scene.hear("survey all").contains("is still running"), "two long ones never run side by side");
}
