//! One provider for each thing that can be wrong upstream or on the way, and the row that comes of it.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use bumpdesk::surface::jobs::Outcome;
use bumpdesk::surface::rules::verify::{Answer, Zip};
use bytes::Bytes;
use demo::World;
use demo::fault::{Fault, FaultKind, Lane};
use demo::wire::call::Host;

use super::{Ran, edit, file, line, plan, verified};
use crate::stage::{CANARY, Stage, Terms};

/// Name, how its row ends, and what its reading says; empty for a row without one.
const ROWS: [(&str, &str, &str); 18] = [
    ("fine", "OK equal same same same none", ""),
    (
        "swapped",
        "MISMATCH upstream-broken same differ differ none",
        "SHA256SUMS does not match upstream's own zip",
    ),
    (
        "garbage",
        "MISMATCH upstream-broken same differ - none",
        "no client can install it: not a readable zip",
    ),
    ("wrongh1", "MISMATCH equal same same differ none", "the stored h1 is wrong"),
    ("wrongsize", "MISMATCH equal same same same none", "the stored size is wrong"),
    ("zipgone", "MISSING unknown same gone gone none", "the zip is gone upstream"),
    ("sumsgone", "MISSING unknown gone same same none", "SHA256SUMS is gone upstream"),
    ("unlisted", "MISMATCH upstream-broken differ same same none", "SHA256SUMS does not name this file"),
    ("sumshtml", "ERROR unknown ? same same none", "SHA256SUMS could not be read: "),
    ("ziphtml", "ERROR unknown same ? ? none", "an HTML page came instead of the file"),
    ("once", "OK equal same same same none", ""),
    ("always", "ERROR unknown same ? ? none", ""),
    ("reset", "ERROR unknown same ? ? none", ""),
    ("slow", "OK equal same same same none", ""),
    ("short", "MISMATCH upstream-broken same differ - none", "SHA256SUMS does not match upstream's own zip"),
    ("empty", "MISMATCH upstream-broken same differ - none", "SHA256SUMS does not match upstream's own zip"),
    ("digest", "MISMATCH equal same same same none", "GitHub keeps another digest of it"),
    ("forbidden", "ERROR unknown same ? ? none", ""),
];

fn world() -> World {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for (name, ..) in ROWS {
        let _ = writeln!(
            text,
            "[[provider]]\naddress = \"acme/{name}\"\ntargets = [\"linux_amd64\"]\nstored = [{{ version = \"1.0.0\", published = \"-90d\" }}]"
        );
    }
    let mut world = World::parse(&text).expect("a world");
    let mut other = None;
    edit(&mut world, "fine", |assets| other.clone_from(&file(assets, ".zip").content));
    edit(&mut world, "swapped", |assets| file(assets, ".zip").content = other);
    edit(&mut world, "garbage", |assets| file(assets, ".zip").content = Some(Bytes::from_static(b"no zip")));
    edit(&mut world, "zipgone", |assets| assets.retain(|asset| !asset.name.ends_with(".zip")));
    edit(&mut world, "sumsgone", |assets| assets.retain(|asset| !asset.name.ends_with("_SHA256SUMS")));
    let nothing = Some(Bytes::from_static(b"\n"));
    edit(&mut world, "unlisted", |assets| file(assets, "_SHA256SUMS").content = nothing);
    edit(&mut world, "digest", |assets| file(assets, ".zip").digest = Some([7; 32]));
    for (name, key, value) in [("wrongh1", "\"h1\": \"h1:", "A"), ("wrongsize", "\"size\": ", "7")] {
        let bytes = world.files.get_mut(&format!("providers/a/acme/{name}.json")).expect("a file");
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let (before, after) = text.split_once(key).expect("the field");
        let digits =
            if value == "A" { 1 } else { after.find(|c: char| !c.is_ascii_digit()).expect("an end") };
        assert_ne!(&after[..digits], value);
        *bytes = format!("{before}{key}{value}{}", &after[digits..]).into();
    }
    let faults = [
        ("sumshtml", "*SHA256SUMS", "html", None),
        ("ziphtml", "*.zip", "html", None),
        ("once", "*.zip", "truncate:400", Some(1)),
        ("always", "*.zip", "truncate:10", None),
        ("reset", "*.zip", "reset", None),
        ("slow", "*.zip", "slow:200ms", None),
        ("short", "*.zip", "short:100", None),
        ("empty", "*.zip", "empty", None),
        ("forbidden", "*.zip", "status:451", None),
    ];
    for (name, path, kind, times) in faults {
        let kind = FaultKind::try_from(kind.to_owned()).expect("a kind");
        let mut fault = Fault::new(&[Lane::Object], kind).at(&format!("acme/terraform-provider-{name}"));
        (fault.path, fault.times) = (Some(path.into()), times);
        world.faults.push(fault);
    }
    world
}

fn check(ran: &Ran) {
    let mut wrong = Vec::new();
    for (name, wanted, said) in ROWS {
        let row = ran.row(&format!("acme/{name}"));
        let reading = row.reading().unwrap_or_default();
        let is_told = if said.is_empty() {
            (row.state() == bumpdesk::surface::rules::verify::State::Ok) == reading.is_empty()
        } else {
            reading.contains(said)
        };
        if line(row) != wanted || !is_told {
            wrong.push(format!("{name}: {} ({reading})", line(row)));
        }
        eprintln!("{name}: {} ({reading})", line(row));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_has_its_row() {
    let mut stage = Stage::of(world(), Terms::default()).await;
    let everything: Vec<String> = ROWS.iter().map(|(name, ..)| format!("acme/{name}")).collect();
    let everything: Vec<&str> = everything.iter().map(String::as_str).collect();
    let ran = verified(&mut stage, plan(&everything)).await;
    check(&ran);
    assert_eq!(ran.row("acme/wrongsize").answers().size, Answer::Differ);
    assert_eq!(ran.row("acme/digest").answers().digest, Answer::Differ);
    let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
    assert_eq!((summary.entries, summary.findings, summary.failed), (18, 10, 5));

    let exchanges = stage.server.exchanges();
    let zips = |name: &str| {
        let part = format!("/terraform-provider-{name}/");
        let of = exchanges.iter().filter(move |one| one.lane == Lane::Object && one.target.contains(&part));
        of.filter(|one| one.target.contains(".zip")).collect::<Vec<_>>()
    };
    // A download that was cut off goes on behind what was read, and what was read is not sent again.
    let [first, second] = zips("once")[..] else { panic!("{} requests", zips("once").len()) };
    assert!(first.headers.get("range").is_none() && second.status == 206);
    assert_eq!(second.headers["range"], "bytes=400-");
    let Zip::Hashed(computed) = &ran.row("acme/once").zip else { panic!("not hashed") };
    assert_eq!(second.response_body.len() as u64, computed.size_bytes - 400);
    // One that is cut off each time gets further each time, until it is given up.
    assert!(zips("always").len() > 2);
    assert!(
        zips("always").windows(2).all(|pair| pair[0].headers.get("range") != pair[1].headers.get("range"))
    );
    // The token stays with the hosts that it is for.
    assert!(exchanges.iter().any(|one| one.host == Host::Api && one.authorized()));
    let objects = exchanges.iter().filter(|one| one.host == Host::Object);
    assert!(
        objects.clone().count() > 18 && objects.clone().all(|one| !one.authorized() && !one.carries(CANARY))
    );

    // The same question goes on where there were errors: nothing that was hashed is asked for again.
    stage.server.edit(|world| world.faults.clear());
    stage.server.forget();
    stage.restart();
    let again = verified(&mut stage, plan(&everything)).await;
    assert_eq!(again.kept, 13);
    for name in ["sumshtml", "ziphtml", "always", "reset", "forbidden"] {
        assert_eq!(again.of(&format!("acme/{name}")), ["OK equal same same same none"], "{name}");
    }
    let asked = stage.server.exchanges();
    let asked = asked.iter().filter(|one| one.lane == Lane::Object && one.target.contains(".zip")).count();
    assert_eq!(asked, 4, "what was not read the first time");
}

/// Nothing is downloaded, and nothing is called fine for it.
#[tokio::test(flavor = "multi_thread")]
async fn without_downloads_and_over_the_limit() {
    let mut stage = Stage::of(world(), Terms::default()).await;
    let words = ["acme/fine", "acme/swapped", "acme/digest", "acme/unlisted"];
    let ran =
        verified(&mut stage, bumpdesk::surface::jobs::VerifyPlan { downloads: false, ..plan(&words) }).await;
    assert_eq!(ran.of("acme/fine"), ["SKIPPED unknown same - - none"]);
    assert_eq!(ran.of("acme/swapped"), ["SKIPPED unknown same - - none"]);
    assert_eq!(ran.of("acme/digest"), ["MISMATCH unknown same - - none"]);
    assert!(
        ran.row("acme/digest").reading().expect("a reading").contains("GitHub's own digest of the asset")
    );
    assert_eq!(ran.of("acme/unlisted"), ["MISMATCH unknown differ - - none"]);
    assert!(stage.server.exchanges().iter().all(|one| !one.target.contains(".zip")));
    let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
    assert_eq!((summary.findings, summary.failed), (2, 0));

    let small = bumpdesk::surface::jobs::VerifyPlan { limit_bytes: 100, ..plan(&["acme/fine"]) };
    let ran = verified(&mut stage, small).await;
    assert_eq!(ran.of("acme/fine"), ["SKIPPED unknown same - - none"]);
    let reading = ran.row("acme/fine").reading().expect("a reading");
    assert_eq!(reading, "it has 100 bytes or more, so it was not read");
}

/// A zip of exactly the limit is skipped, one that is a byte below it is hashed; and so is it with the registry's own limit.
#[tokio::test(flavor = "multi_thread")]
async fn a_zip_of_exactly_the_limit_is_skipped() {
    let mut stage = Stage::of(world(), Terms::default()).await;
    let mut size = 0;
    stage.server.edit(|world| edit(world, "fine", |assets| size = file(assets, ".zip").size));
    for (limit_bytes, wanted) in
        [(size, "SKIPPED unknown same - - none"), (size + 1, "OK equal same same same none")]
    {
        let plan = bumpdesk::surface::jobs::VerifyPlan { limit_bytes, ..plan(&["acme/fine"]) };
        assert_eq!(verified(&mut stage, plan).await.of("acme/fine"), [wanted], "{limit_bytes}");
    }

    // Who declares that much is believed, so that no such body is needed; of one that is a byte shorter everything is asked.
    for (declared, wanted, said) in [
        (268_435_456_u64, "SKIPPED unknown same - - none", "it has 256 MiB or more, so it was not read"),
        (268_435_455, "ERROR unknown same ? ? none", ""),
    ] {
        let sums = content(&stage, "fine", "_SHA256SUMS");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let web = format!("http://{}", listener.local_addr().expect("an address"));
        std::thread::spawn(move || declaring(&listener, &sums, declared));
        stage.lose_token();
        stage.redirect(|endpoints| endpoints.web = web);
        let ran = verified(&mut stage, plan(&["acme/fine"])).await;
        assert_eq!(ran.of("acme/fine"), [wanted], "{declared}");
        let reading = ran.row("acme/fine").reading().expect("a reading");
        assert!(reading.contains(said), "{declared}: {reading}");
    }
}

/// A server that declares how long its zip is, and sends nothing of it.
fn declaring(listener: &TcpListener, sums: &[u8], declared: u64) {
    for connection in listener.incoming() {
        let mut connection = connection.expect("a connection");
        let is_zip = head(&mut connection).lines().next().unwrap_or_default().contains(".zip");
        let (length, body) = if is_zip { (declared, &[][..]) } else { (sums.len() as u64, sums) };
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        );
        // Who was told enough goes away.
        let _ = connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(body));
    }
}

/// The bytes of a file of `v1.0.0`.
fn content(stage: &Stage, name: &str, end: &str) -> Bytes {
    let mut content = None;
    stage.server.edit(|world| edit(world, name, |assets| content.clone_from(&file(assets, end).content)));
    content.expect("a content")
}

/// Downloads are redirected to a host of another name, where the token is not shown and nobody hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn the_token_does_not_follow_to_another_host() {
    let mut stage = Stage::of(world(), Terms::default()).await;
    stage.redirect(|endpoints| endpoints.web = endpoints.web.replace("127.0.0.1", "localhost"));
    let ran = verified(&mut stage, plan(&["acme/fine", "acme/once", "acme/slow"])).await;
    for name in ["acme/fine", "acme/once", "acme/slow"] {
        assert_eq!(ran.of(name), ["OK equal same same same none"], "{name}");
    }
    let exchanges = stage.server.exchanges();
    let named = |host: Host, name: &str| {
        let of = exchanges.iter().filter(|one| one.host == host).collect::<Vec<_>>();
        assert!(!of.is_empty());
        assert!(
            of.iter().all(|one| one.headers["host"].as_bytes().starts_with(name.as_bytes())),
            "{host:?}: {of:?}"
        );
        of
    };
    let asked =
        named(Host::Web, "localhost:").into_iter().filter(|one| one.target.contains("/releases/download/"));
    assert!(asked.clone().count() >= 6 && asked.clone().all(|one| one.status == 302 && one.authorized()));
    for one in named(Host::Object, "127.0.0.1:") {
        assert!(!one.authorized() && !one.carries(CANARY), "{one:?}");
    }
    assert!(!format!("{:?} {:?}", ran.rows, ran.outcome).contains(CANARY));
}

/// Throttled checksums are not known, and not fine.
#[tokio::test(flavor = "multi_thread")]
async fn throttled_checksums_are_an_error() {
    for (path, wanted) in [("*SHA256SUMS", "ERROR unknown ? "), ("*.zip", "ERROR unknown same ? ?")] {
        let mut stage = Stage::of(world(), Terms::default()).await;
        let kind = FaultKind::try_from("status:429".to_owned()).expect("a kind");
        let mut fault = Fault::new(&[Lane::Object], kind);
        fault.path = Some(path.into());
        stage.server.edit(|world| world.faults = vec![fault]);
        let ran = verified(&mut stage, plan(&["acme/fine"])).await;
        assert!(ran.of("acme/fine")[0].starts_with(wanted), "{:?}", ran.of("acme/fine"));
        let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
        assert_eq!((summary.entries, summary.failed), (1, 1));
    }
}

/// A server that cuts the first download off and has another file there afterwards.
fn changing(listener: &TcpListener, sums: &[u8], first: &[u8], then: &[u8]) {
    let mut asked = 0;
    for connection in listener.incoming() {
        let mut connection = connection.expect("a connection");
        let head = head(&mut connection);
        let (tag, body, sent) = match head.lines().next().unwrap_or_default() {
            line if line.contains(".zip") => {
                asked += 1;
                if asked == 1 { ("\"a\"", first, first.len() / 2) } else { ("\"b\"", then, then.len()) }
            }
            _ => ("\"s\"", sums, sums.len()),
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\netag: {tag}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        connection
            .write_all(head.as_bytes())
            .and_then(|()| connection.write_all(&body[..sent]))
            .expect("sent");
        if asked == 2 {
            return;
        }
    }
}

fn head(connection: &mut TcpStream) -> String {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && connection.read(&mut byte).expect("a request") == 1 {
        head.push(byte[0]);
    }
    String::from_utf8(head).expect("a request in text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_changed_meanwhile_is_hashed_anew() {
    let mut stage = Stage::of(world(), Terms { token: false, ..Terms::default() }).await;
    let (sums, first) = (content(&stage, "fine", "_SHA256SUMS"), content(&stage, "fine", ".zip"));
    let other = content(&stage, "once", ".zip");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let web = format!("http://{}", listener.local_addr().expect("an address"));
    let (length, far) =
        (other.len() as u64, std::thread::spawn(move || changing(&listener, &sums, &first, &other)));
    stage.redirect(|endpoints| endpoints.web = web);
    let ran = verified(&mut stage, plan(&["acme/fine"])).await;
    far.join().expect("the server ends");
    assert_eq!(ran.of("acme/fine"), ["MISMATCH upstream-broken same differ differ none"]);
    let Zip::Hashed(computed) = &ran.row("acme/fine").zip else { panic!("{:?}", ran.row("acme/fine").zip) };
    assert_eq!(computed.size_bytes, length);
    let reading = ran.row("acme/fine").reading().expect("a reading");
    assert!(reading.contains("the file was changed upstream while it was downloaded"), "{reading}");
}
