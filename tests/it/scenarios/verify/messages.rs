//! What a row says, word for word, where a download fails: whether it was the archive or its checksums, why, and what is left
//! to do. And downloads that lie in ways that no fault of the world does.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bumpdesk::surface::rules::verify::{Answer, SignatureSays, Zip};
use bytes::Bytes;
use demo::World;
use demo::fault::{Fault, FaultKind, Lane};

use super::far::{Reply, content};
use super::{edit, far, file, plan, verified};
use crate::stage::{Stage, Terms};

/// A fault of one download, the seconds of its `Retry-After`, and why nothing came.
const FAULTS: [(&str, Option<u64>, &str); 10] = [
    ("truncate:10", None, "no answer: the connection was lost"),
    ("reset", None, "no answer: the connection was lost"),
    ("status:401", None, "not allowed (HTTP 401): Bad credentials"),
    ("status:403", None, "it answered HTTP 403"),
    ("status:403-secondary", None, "asked to slow down"),
    ("status:429", Some(7), "asked to slow down for 7 s"),
    ("status:451", None, "blocked upstream (HTTP 451)"),
    ("status:500", None, "it answered HTTP 500"),
    ("status:503", None, "it answered HTTP 503"),
    ("html", None, PAGE),
];
/// Of archives alone; small files are read whole, and then say it in another way.
const PAGE: &str = "an HTML page came instead of the file";
const AGAIN: &str = "run the same command again: what is finished is not downloaded twice";

fn world() -> World {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for place in 0..FAULTS.len() {
        let _ = writeln!(
            text,
            "[[provider]]\naddress = \"acme/p{place}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]"
        );
    }
    World::parse(&text).expect("a world")
}

/// Every fault at its own provider, on the files that end so; each row's line and reading.
async fn told(end: &str) -> Vec<(String, String, Vec<&'static str>)> {
    let mut world = world();
    for (place, (kind, retry_after, _)) in FAULTS.iter().enumerate() {
        let kind = FaultKind::try_from((*kind).to_owned()).expect("a kind");
        let mut fault = Fault::new(&[Lane::Object], kind).at(&format!("acme/terraform-provider-p{place}"));
        (fault.path, fault.retry_after) = (Some(format!("*{end}")), *retry_after);
        world.faults.push(fault);
    }
    let mut stage = Stage::of(world, Terms::default()).await;
    let names: Vec<String> = (0..FAULTS.len()).map(|place| format!("acme/p{place}")).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let ran = verified(&mut stage, plan(&words)).await;
    let row = |name: &String| {
        let row = ran.row(name);
        (super::line(row), row.reading().unwrap_or_default(), row.steps())
    };
    names.iter().map(row).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_does_not_come_says_why() {
    let mut wrong = Vec::new();
    for ((kind, _, why), (line, reading, steps)) in FAULTS.iter().zip(told(".zip").await) {
        if line != "ERROR unknown same ? ? none" || reading != *why || steps != [AGAIN] {
            wrong.push(format!("{kind}: {line}: {reading} {steps:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn checksums_that_do_not_come_say_why() {
    let mut wrong = Vec::new();
    for ((kind, _, why), (line, reading, steps)) in FAULTS.iter().zip(told("_SHA256SUMS").await) {
        let why = if *why == PAGE { "unreadable answer: an HTML page instead of a file" } else { why };
        let wanted = format!("SHA256SUMS could not be read: {why}");
        if line != "ERROR unknown ? same same none" || reading != wanted || steps != [AGAIN] {
            wrong.push(format!("{kind}: {line}: {reading} {steps:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The server says that the archive is shorter than what it has: whoever reads as much has half of an archive, and the row
/// says so instead of calling the file another one in silence.
#[tokio::test(flavor = "multi_thread")]
async fn a_length_shorter_than_the_body() {
    let mut stage = Stage::of(world(), Terms::default()).await;
    let (sums, zip) = (content(&stage, "p0", "_SHA256SUMS"), content(&stage, "p0", ".zip"));
    let declared = zip.len() / 2;
    far::put_before(&mut stage, move |line| {
        if line.contains(".zip") {
            Reply { declared, ..Reply::whole(zip.clone()) }
        } else {
            Reply::whole(sums.clone())
        }
    });
    let ran = verified(&mut stage, plan(&["acme/p0"])).await;
    let row = ran.row("acme/p0");
    let Zip::Hashed(computed) = &row.zip else { panic!("{:?}", row.zip) };
    assert_eq!((computed.size_bytes, &computed.h1), (declared as u64, &None));
    let answers = row.answers();
    assert_eq!(
        (answers.zh_sums, answers.zh_zip, answers.size),
        (Answer::Same, Answer::Differ, Answer::Differ)
    );
    let reading = row.reading().expect("a reading");
    assert!(reading.starts_with("upstream's SHA256SUMS does not match upstream's own zip; "), "{reading}");
    assert!(reading.contains("not a readable zip"), "{reading}");
}

/// A body that stops without an end: it is given up after as long as nothing came, taken up again some times, and told.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_stalls() {
    let silence = Duration::from_millis(1);
    let mut stage = Stage::of(world(), Terms { silence, ..Terms::default() }).await;
    let (sums, zip) = (content(&stage, "p0", "_SHA256SUMS"), content(&stage, "p0", ".zip"));
    let asked = std::sync::Arc::new(AtomicUsize::new(0));
    let count = std::sync::Arc::clone(&asked);
    far::put_before(&mut stage, move |line| {
        if line.contains(".zip") {
            count.fetch_add(1, Ordering::Relaxed);
            Reply { declared: zip.len(), body: zip.slice(..zip.len() / 2), stalls: true }
        } else {
            Reply::whole(sums.clone())
        }
    });
    let ran = verified(&mut stage, plan(&["acme/p0"])).await;
    assert_eq!(ran.of("acme/p0"), ["ERROR unknown same ? ? none"]);
    let row = ran.row("acme/p0");
    assert_eq!(row.reading().as_deref(), Some("nothing more came for 0.001 s"));
    assert_eq!(row.steps(), [AGAIN]);
    assert_eq!(asked.load(Ordering::Relaxed), 5, "taken up four times");
}

/// SHA256SUMS is cut off and another one when it is asked for again: what counts is the later one, whole, and never a text
/// that begins as the one and ends as the other.
#[tokio::test(flavor = "multi_thread")]
async fn checksums_that_change_between_two_requests() {
    let mut stage = Stage::of(world(), Terms::default()).await;
    let (sums, zip) = (content(&stage, "p0", "_SHA256SUMS"), content(&stage, "p0", ".zip"));
    let text = String::from_utf8(sums.to_vec()).expect("UTF-8");
    // The line of the zip stands in the half that only the first answer has.
    let (first, rest) = text.split_once('\n').expect("two lines");
    assert!(first.contains("amd64.zip") && rest.ends_with("manifest.json\n"), "{text}");
    let other = Bytes::from(format!("{}  {}\n{rest}", "0b".repeat(32), &first[66..]));
    assert_eq!(other.len(), sums.len());
    let asked = AtomicUsize::new(0);
    far::put_before(&mut stage, move |line| {
        if line.contains(".zip") {
            return Reply::whole(zip.clone());
        }
        match asked.fetch_add(1, Ordering::Relaxed) {
            0 => Reply { declared: sums.len(), body: sums.slice(..sums.len() - 9), stalls: false },
            _ => Reply::whole(other.clone()),
        }
    });
    let ran = verified(&mut stage, plan(&["acme/p0"])).await;
    assert_eq!(ran.of("acme/p0"), ["MISMATCH upstream-broken differ same same none"]);
    let reading = ran.row("acme/p0").reading().expect("a reading");
    let wanted = "the zip is the one that was indexed, and SHA256SUMS lists another checksum for it";
    assert!(reading.starts_with(wanted), "{reading}");
}

/// The release is made anew between the request for the checksums and the one for their signature.
#[tokio::test(flavor = "multi_thread")]
async fn a_signature_of_later_checksums() {
    let text = |seed: u8| {
        format!(
            "clock = \"2026-11-21T12:00:00Z\"\nkey = [{{ name = \"acme\", on_file = [\"acme\"] }}]\n[[provider]]\n\
             address = \"acme/rocket\"\nsigned_by = \"acme\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n\
             releases = [{{ tag = \"v1.0.0\", content_seed = {seed} }}]\n"
        )
    };
    let mut later = World::parse(&text(2)).expect("a world");
    let mut signature = None;
    edit(&mut later, "rocket", |assets| signature = file(assets, "_SHA256SUMS.sig").content.clone());
    let mut stage = Stage::set(&text(1)).await;
    stage
        .server
        .edit(|world| edit(world, "rocket", |assets| file(assets, "_SHA256SUMS.sig").content = signature));
    let ran = verified(&mut stage, plan(&["acme/rocket"])).await;
    assert_eq!(ran.of("acme/rocket"), ["BAD SIG equal same same same differ"]);
    let row = ran.row("acme/rocket");
    assert!(matches!(&row.signature, SignatureSays::Bad { .. }), "{:?}", row.signature);
    let reading = row.reading().expect("a reading");
    assert!(reading.contains("is not one of these checksums"), "{reading}");
}

/// Between two runs of one question the checksums become others: what was hashed is not downloaded again, and is held
/// against those of today.
#[tokio::test(flavor = "multi_thread")]
async fn checksums_that_change_between_two_runs() {
    let mut world = world();
    let kind = FaultKind::Status(500);
    let mut fault = Fault::new(&[Lane::Object], kind).at("acme/terraform-provider-p1");
    fault.path = Some("*.zip".into());
    world.faults.push(fault);
    let mut stage = Stage::of(world, Terms::default()).await;
    let ran = verified(&mut stage, plan(&["acme/p0", "acme/p1"])).await;
    assert_eq!(ran.of("acme/p0"), ["OK equal same same same none"]);
    assert_eq!(ran.of("acme/p1"), ["ERROR unknown same ? ? none"]);
    stage.server.edit(|world| {
        world.faults.clear();
        edit(world, "p0", |assets| {
            let sums = file(assets, "_SHA256SUMS");
            let text = String::from_utf8(sums.content.as_ref().expect("sums").to_vec()).expect("UTF-8");
            let (first, rest) = text.split_once('\n').expect("two lines");
            sums.content = Some(format!("{}  {}\n{rest}", "0b".repeat(32), &first[66..]).into());
        });
    });
    stage.server.forget();
    stage.restart();
    let ran = verified(&mut stage, plan(&["acme/p0", "acme/p1"])).await;
    assert_eq!(ran.kept, 1);
    assert_eq!(ran.of("acme/p0"), ["MISMATCH upstream-broken differ same same none"]);
    assert_eq!(ran.of("acme/p1"), ["OK equal same same same none"]);
    let zips = stage.server.exchanges();
    let zips = zips.iter().filter(|one| one.lane == Lane::Object && one.target.contains(".zip"));
    assert!(
        zips.clone().count() == 1 && zips.clone().all(|one| one.target.contains("-p1/")),
        "the other one"
    );
}
