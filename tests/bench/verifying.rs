//! A verification of the provider with the most targets: how long the console takes to hear of its rows and to draw them.

use std::sync::Arc;
use std::time::Duration;

use bumpdesk::surface::jobs::{Job, JobEvent, JobId, VerifyNews};
use bumpdesk::surface::rules::verify::Row;
use bumpdesk::surface::tui;
use bumpdesk::surface::tui::{Chord, Effect, Model, Msg, Size};
use serde_json::{Value, json};

use crate::console::{frames, model, ms, press, rows};
use crate::{Data, report, spread};

/// The result of a row.
#[derive(Clone, Copy)]
enum Found {
    Nothing,
    /// Another checksum is listed, the archive is still to come.
    Listed,
    Fine,
    UploadedAgain,
    /// Its archive could not be read, for a reason that no other row has.
    Unread,
}

/// Rows of all targets of hashicorp/aws, as many as it is said of.
fn targets(data: &Data, found: impl Fn(usize) -> Found) -> Vec<Row> {
    let bytes = std::fs::read(data.tree.join("providers/h/hashicorp/aws.json")).expect("a data file");
    let entry: Value = serde_json::from_slice(&bytes).expect("JSON");
    let versions = entry["versions"].as_array().expect("versions").iter();
    let targets = versions.flat_map(|version| {
        let name = &version["version"];
        version["targets"].as_array().expect("targets").iter().map(move |target| (name, target))
    });
    let row = |(at, (version, target)): (usize, (&Value, &Value))| {
        let (old, new) =
            (&target["shasum"], "b6f7add03c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe");
        let sum = |text: &Value| json!({"is": "sum", "sum": text});
        let hashed =
            |text: &Value| json!({"is": "hashed", "sha256": text, "size_bytes": 90_000_000, "h1": "h1:a="});
        let open = json!({"is": "not-done"});
        let (listed, zip) = match found(at) {
            Found::Nothing => (json!({"is": "not-asked"}), open),
            Found::Listed => (sum(&new.into()), open),
            Found::Fine => (sum(old), hashed(old)),
            Found::UploadedAgain => (sum(&new.into()), hashed(&new.into())),
            Found::Unread => (sum(old), json!({"is": "failed", "why": format!("cut off behind {at} bytes")})),
        };
        let row = json!({
            "address": "hashicorp/aws",
            "version": version,
            "target": format!("{}_{}", target["os"].as_str().expect("an OS"), target["arch"].as_str().expect("an arch")),
            "filename": target["filename"],
            "url": target["download_url"],
            "stored": {"shasum": old, "h1": "h1:a=", "size_bytes": 90_000_000},
            "listed": listed,
            "zip": zip,
            "signature": {"is": "good", "by": "34365D9472D7468F", "file": "keys/h/hashicorp/1.asc"},
        });
        serde_json::from_value(row).expect("a row")
    };
    targets.enumerate().map(row).collect()
}

/// A console that shows a verification of these rows, which has just begun.
fn begun(data: &Data, size: Size, asked: Vec<Row>) -> (Model, JobId) {
    let mut model = model(rows(&data.tree), size);
    for key in ["/", "a", "w", "s", "enter"] {
        press(&mut model, key);
    }
    let started = (1..).zip(["V", "y"]).find_map(|(second, key)| {
        // No key counts as consent right after Enter or another key.
        let (now, uptime) = ("2026-11-21T12:00:00Z".parse().expect("a time"), Duration::from_secs(second));
        tui::update(&mut model, Msg::Tick { now, uptime });
        let effects = tui::update(&mut model, Msg::Key(Chord::parse(key).expect("a key")));
        effects.into_iter().find_map(|effect| match effect {
            Effect::Start(id, Job::Verify(_)) => Some(id),
            _ => None,
        })
    });
    let id = started.expect("a verification");
    let begun = VerifyNews::Begun { rows: Arc::new(asked), report: "report.jsonl".into(), kept: 0 };
    tui::update(&mut model, Msg::Job(id, JobEvent::Verify(begun)));
    (model, id)
}

fn hear(model: &mut Model, id: JobId, rows: Vec<Row>) -> Vec<f64> {
    let rows = rows.into_iter().enumerate();
    rows.map(|(at, row)| {
        let news = JobEvent::Verify(VerifyNews::Row(at, Arc::new(row)));
        ms(|| drop(tui::update(model, Msg::Job(id, news))))
    })
    .collect()
}

pub(crate) fn drawing(data: &Data) {
    let every = |found| targets(data, move |_| found);
    println!("targets of a verification: {}", every(Found::Nothing).len());
    let mixed = |at: usize| if (at / 14).is_multiple_of(3) { Found::UploadedAgain } else { Found::Fine };
    let cases: [(&str, Vec<Row>); 3] = [
        ("a third re-uploaded", targets(data, mixed)),
        ("all bad by checksums", every(Found::Listed)),
        ("each unread in its own way", every(Found::Unread)),
    ];
    for (name, found) in cases {
        for (columns, height, goal) in [(120, 40, "4 ms"), (240, 80, "10 ms")] {
            let size = Size::new(columns, height);
            let (mut model, id) = begun(data, size, every(Found::Nothing));
            spread(&format!("{name}: a row is heard"), "0.1 ms", hear(&mut model, id, found.clone()));
            for (keys, what) in [(["z", "M"], "folded"), (["z", "R"], "open")] {
                for key in keys {
                    press(&mut model, key);
                }
                for (move_by, where_to) in [("j", "top"), ("k", "end")] {
                    press(&mut model, if move_by == "k" { "end" } else { "home" });
                    let figures = frames(&mut model, (columns, height), move_by);
                    report(&format!("{name}, {what}: {columns}x{height} at the {where_to}"), goal, figures);
                }
            }
        }
    }
}
