//! A backfill of the whole registry: how long the console takes to hear of its rows and to draw them.

use std::sync::Arc;
use std::time::Duration;

use bumpdesk::surface::jobs::{BackfillNews, BackfillTask, Job, JobEvent, JobId};
use bumpdesk::surface::rules::backfill::Row;
use bumpdesk::surface::tui;
use bumpdesk::surface::tui::{Chord, Effect, Model, Msg, Size};
use serde_json::{Value, json};

use crate::console::{frames, model, ms, press, rows};
use crate::{Data, report, spread};

/// What the providers of the registry lack today, and some more.
const TARGETS: usize = 600_000;
/// Rows that are heard of, at both ends and between.
const HEARD: usize = 20_000;

fn target(at: usize, became: &Value) -> Row {
    let (provider, version, target) = (at / 1_400, at / 14 % 100, at % 14);
    let row = json!({
        "address": format!("namespace-{provider}/provider"),
        "version": format!("5.{version}.0"),
        "target": format!("linux_arm{target}"),
        "url": "https://github.com/namespace/terraform-provider/releases/download/v5.0.0/archive.zip",
        "shasum": "b6f7add03c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe",
        "h1": "",
        "size": 0,
        "became": became,
    });
    serde_json::from_value(row).expect("a row")
}

/// A console that shows a backfill which was just asked for.
fn asked(data: &Data, size: Size) -> (Model, JobId) {
    let mut model = model(rows(&data.tree), size);
    for key in ["/", "a", "w", "s", "enter"] {
        press(&mut model, key);
    }
    let started = (1..).zip(["b", "enter", "y"]).find_map(|(second, key)| {
        // A question is answered by nothing that was typed before it stood there.
        let (now, uptime) = ("2026-11-21T12:00:00Z".parse().expect("a time"), Duration::from_secs(second));
        tui::update(&mut model, Msg::Tick { now, uptime });
        let effects = tui::update(&mut model, Msg::Key(Chord::parse(key).expect("a key")));
        effects.into_iter().find_map(|effect| match effect {
            Effect::Start(id, Job::Backfill(BackfillTask::Run(_))) => Some(id),
            _ => None,
        })
    });
    (model, started.expect("a backfill"))
}

pub(crate) fn drawing(data: &Data) {
    let waiting = json!({"state": "waiting"});
    let asked_for: Vec<Row> = (0..TARGETS).map(|at| target(at, &waiting)).collect();
    println!("targets of a backfill: {}", asked_for.len());
    for (columns, height, goal) in [(120, 40, "4 ms"), (240, 80, "10 ms")] {
        let (mut model, id) = asked(data, Size::new(columns, height));
        let hear = |model: &mut Model, news| {
            let news = Msg::Job(id, JobEvent::Backfill(news));
            ms(|| drop(tui::update(model, news)))
        };
        let rows = Arc::new(asked_for.clone());
        let begun = BackfillNews::Begun { rows, plan: "p".into(), journal: "j".into(), kept: 0 };
        report("all rows are heard of", "200 ms", vec![hear(&mut model, begun)]);
        let filled = json!({"state": "filled", "h1": "h1:a=", "size": 90_000_000});
        let failed = json!({"state": "failed", "why": "the connection was lost"});
        let mut heard = Vec::new();
        for at in 0..HEARD {
            let row = target(at, if at % 50 == 0 { &failed } else { &filled });
            heard.push(
                hear(&mut model, BackfillNews::Active(at, 0))
                    + hear(&mut model, BackfillNews::Row(at, Arc::new(row))),
            );
        }
        spread("a row begins and ends", "0.1 ms", heard);
        for (move_by, where_to) in [("j", "top"), ("k", "end")] {
            press(&mut model, if move_by == "k" { "end" } else { "home" });
            let figures = frames(&mut model, (columns, height), move_by);
            report(&format!("a backfill: {columns}x{height} at the {where_to}"), goal, figures);
        }
    }
}
