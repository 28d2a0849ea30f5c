//! Verifications for tests: one that just began, one in the middle, one over, failed, stopped, and a huge
//! one.

use crate::desk::intent::{Answer, Intent};
use crate::jobs::data::{
    Failure, FailureKind, Job, JobEvent, JobId, Meter, Outcome, Summary, VerifyNews, VerifyPlan, Wanted,
};
use crate::registry::Address;
use crate::rules::verify::{
    AssetSays, Computed, Listed, Row, SignatureSays, State, Stored, TagIs, TagSays, Times, Zip,
};
use crate::tui::shell::model::Model;
use crate::tui::shell::msg::Effect;
use crate::tui::tests::{press, started, tell, world};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;

pub(super) const OLD: &str = "a774f443f7fff5988e72cddbfcfa5bcf3c694f41af11186007b993263db0355e";
pub(super) const NEW: &str = "b6f7add03c464f43ac538c93819427f2fd0a26cf53ad56ab4c1adf44d11fdcbe";

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A row for which nothing was read yet.
pub(super) fn queued(address: &str, version: &str, target: &str) -> Row {
    let address = Address::parse(address).unwrap();
    let filename = format!("terraform-provider-{}_{version}_{target}.zip", address.name());
    Row {
        tag: Some(TagSays { name: "v1.0.0".into(), is: TagIs::At { commit: "1".into() } }),
        url: format!("https://github.com/{}/releases/download/v{version}/{filename}", address.repository()),
        address,
        version: version.into(),
        target: target.into(),
        filename,
        stored: Stored { shasum: OLD.into(), h1: "h1:Qm4vk1=".into(), size_bytes: 21_437_902 },
        listed: Listed::NotAsked,
        asset: None,
        asset_unread: None,
        not_indexed: Vec::new(),
        refused: Vec::new(),
        zip: Zip::NotDone,
        signature: SignatureSays::NotAsked,
        times: Times {
            indexed_at: Some(at("2026-09-07T10:15:00Z")),
            indexed_by: "discovered".into(),
            ..Times::default()
        },
    }
}

/// The row after its checksums and its signature were read.
pub(super) fn listed(row: &Row, sum: &str) -> Row {
    let signature = SignatureSays::Good {
        by: "5F1C 22A0".into(),
        file: "keys/n/newrelic/1.asc".into(),
        warnings: Vec::new(),
    };
    Row { listed: Listed::Sum { sum: sum.into() }, signature, ..row.clone() }
}

pub(super) fn hashed(row: &Row, sum: &str, h1: &str) -> Row {
    let computed = Computed {
        sha256: sum.into(),
        size_bytes: 21_437_902,
        h1: Some(h1.into()),
        has_binary: Some(true),
        ..Computed::default()
    };
    Row { zip: Zip::Hashed(computed), ..row.clone() }
}

pub(super) fn fine(row: &Row) -> Row {
    hashed(&listed(row, OLD), OLD, "h1:Qm4vk1=")
}

pub(super) fn reuploaded(row: &Row) -> Row {
    let asset = AssetSays {
        size_bytes: 21_437_902,
        sha256: Some(NEW.into()),
        updated_at: Some(at("2026-09-08T09:00:00Z")),
        ..AssetSays::default()
    };
    Row { asset: Some(asset), ..hashed(&listed(row, NEW), NEW, "h1:9sLrw2=") }
}

pub(super) const TARGETS: [&str; 7] = [
    "linux_amd64",
    "linux_arm64",
    "darwin_amd64",
    "darwin_arm64",
    "windows_amd64",
    "windows_386",
    "freebsd_arm",
];

/// Rows of two versions of one provider, one of another and one of a third.
pub(super) fn question() -> Vec<Row> {
    let mut rows: Vec<Row> = ["3.70.0", "3.70.1"]
        .iter()
        .flat_map(|version| TARGETS.map(|target| queued("newrelic/newrelic", version, target)))
        .collect();
    rows.push(queued("coralogix/coralogix", "3.14.1", "linux_amd64"));
    rows.push(queued("hashicorp/aws", "5.48.0", "linux_386"));
    rows.push(queued("coder/coder", "3.0.0", "linux_amd64"));
    rows
}

/// A console whose only verification has just started, and its job.
pub(in crate::tui::tests) fn beginning(columns: u16, rows: u16) -> (Model, JobId) {
    let mut model = started(world::normal(), columns, rows);
    let wanted = [("newrelic", "newrelic"), ("hashicorp", "aws"), ("coder", "coder")];
    let wanted =
        wanted.map(|(space, name)| Wanted { address: Address::provider(space, name), version: None });
    let intent = Intent::Verify { plan: VerifyPlan::new(wanted.into()), stored: None, hidden: 0 };
    let answer = model.desk.act(intent, model.now);
    let Answer::Question(question) = answer else { panic!("{answer:?}") };
    let effects = crate::tui::shell::work::agree(&mut model, &question.intent);
    let [Effect::Start(id, Job::Verify(_))] = effects[..] else { panic!("{effects:?}") };
    (model, id)
}

pub(super) fn hear(model: &mut Model, id: JobId, news: VerifyNews) {
    assert!(tell(model, id, JobEvent::Verify(news)).is_empty());
}

pub(super) fn begun(columns: u16, rows: u16, list: Vec<Row>) -> (Model, JobId) {
    let (mut model, id) = beginning(columns, rows);
    let report = "/home/ada/.local/state/bumpdesk/verify/7c1e9a.jsonl".to_owned();
    hear(&mut model, id, VerifyNews::Begun { rows: Arc::new(list), report, kept: 0 });
    (model, id)
}

pub(super) fn say(model: &mut Model, id: JobId, place: usize, row: Row) {
    hear(model, id, VerifyNews::Row(place, Arc::new(row)));
}

/// The middle of a run, with a row of each kind.
pub(in crate::tui::tests) fn running(columns: u16, rows: u16) -> Model {
    let list = question();
    let (mut model, id) = begun(columns, rows, list.clone());
    tell(&mut model, id, JobEvent::Numbered(41));
    for (place, row) in list.iter().enumerate().take(14) {
        say(&mut model, id, place, listed(row, OLD));
    }
    for place in [0, 1, 2] {
        say(&mut model, id, place, fine(&list[place]));
    }
    let new = Row { stored: Stored { h1: String::new(), ..list[3].stored.clone() }, ..list[3].clone() };
    say(&mut model, id, 3, fine(&new));
    hear(&mut model, id, VerifyNews::Active(4, State::Hashing, 19_800_000));
    hear(&mut model, id, VerifyNews::Active(5, State::Fetching, 12_100_000));
    hear(&mut model, id, VerifyNews::Active(6, State::Fetching, 2_000_000));
    say(&mut model, id, 14, reuploaded(&list[14]));
    let over = "271 MiB, over the limit of 256 MiB".to_owned();
    say(&mut model, id, 15, Row { zip: Zip::Skipped { why: over }, ..listed(&list[15], OLD) });
    let gone =
        Row { listed: Listed::SumsGone, signature: SignatureSays::Gone, zip: Zip::Gone, ..list[16].clone() };
    say(&mut model, id, 16, gone);
    let meter = Meter {
        read_bytes: 131_000_000,
        total_bytes: 286_000_000,
        bytes_per_s: 18_400_000.0,
        left: Some((Duration::from_secs(50), Duration::from_secs(70))),
        workers: 3,
        most_workers: 6,
        slowed: Some("3 of 6 workers, since GitHub asked to slow down".into()),
        ..Meter::default()
    };
    hear(&mut model, id, VerifyNews::Meter(meter));
    model.message = None;
    model
}

/// A finished run of many targets, all but a few of them fine.
pub(in crate::tui::tests) fn huge(columns: u16, rows: u16) -> Model {
    let list: Vec<Row> = (0..5_000)
        .map(|at| {
            let row = queued("hashicorp/aws", &format!("5.{}.{}", at / 140, at / 14 % 10), TARGETS[at % 7]);
            match at {
                4_321 => reuploaded(&row),
                77 => Row { zip: Zip::Failed { why: "the connection was lost".into() }, ..listed(&row, OLD) },
                _ => fine(&row),
            }
        })
        .collect();
    let (mut model, id) = begun(columns, rows, list);
    tell(&mut model, id, JobEvent::Ended(Outcome::Done(Summary::default())));
    model.message = None;
    model
}

pub(in crate::tui::tests) fn failed(columns: u16, rows: u16) -> Model {
    let (mut model, id) = beginning(columns, rows);
    let failure = Failure::new(FailureKind::Data, "reading newrelic/newrelic")
        .cause("`providers/n/newrelic/newrelic.json`:7:3: expected `,`")
        .hint("Fix the file at the place that is named.");
    tell(&mut model, id, JobEvent::Ended(Outcome::Failed(failure)));
    model.message = None;
    model
}

/// A run that was stopped half way.
pub(in crate::tui::tests) fn stopped(columns: u16, rows: u16) -> Model {
    let mut model = running(columns, rows);
    press(&mut model, "x");
    let run = model.desk.run.as_ref().unwrap();
    let id = run.job;
    let open: Vec<(usize, Row)> =
        run.rows.iter().enumerate().map(|(at, row)| (at, Row::clone(row))).collect();
    for (place, row) in open.into_iter().filter(|(_, row)| row.zip == Zip::NotDone) {
        say(&mut model, id, place, Row { zip: Zip::Cancelled, ..row });
    }
    tell(&mut model, id, JobEvent::Ended(Outcome::Cancelled(Summary::default())));
    model.message = None;
    model
}

pub(in crate::tui::tests) fn row_whole(columns: u16, rows: u16) -> Model {
    let mut model = running(columns, rows);
    press(&mut model, "<enter>");
    model
}

/// A filter that is being typed.
pub(in crate::tui::tests) fn filtered(columns: u16, rows: u16) -> Model {
    let mut model = huge(columns, rows);
    press(&mut model, "/ 5 . 3");
    model
}

/// The first group of several rows is open.
pub(in crate::tui::tests) fn open(columns: u16, rows: u16) -> Model {
    let mut model = running(columns, rows);
    press(&mut model, "j j j j j <enter>");
    model
}

pub(in crate::tui::tests) fn empty(columns: u16, rows: u16) -> Model {
    let mut model = started(world::normal(), columns, rows);
    press(&mut model, "4");
    model
}

/// The events of a verification before it ends well.
pub(in crate::tui::tests) fn all_events() -> Vec<JobEvent> {
    let list = question();
    let rows = list.iter().enumerate();
    let told = rows.map(|(at, row)| {
        VerifyNews::Row(at, Arc::new(if at % 3 == 0 { reuploaded(row) } else { fine(row) }))
    });
    let begun = VerifyNews::Begun { rows: Arc::new(list.clone()), report: "/r".into(), kept: 1 };
    [begun, VerifyNews::Active(3, State::Fetching, 7)].into_iter().chain(told).map(JobEvent::Verify).collect()
}
