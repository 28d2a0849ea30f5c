//! A canary token: in requests to the API and the web host, and nowhere else.

use std::io;
use std::io::Write;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bumpdesk::surface::boot;
use bumpdesk::surface::boot::Settings;
use bumpdesk::surface::jobs::{Engine, Env};
use demo::Options;
use demo::fault::{Fault, FaultKind, Lane};
use demo::wire::call::Host;

use crate::door::{Door, WORLD, closed_port, files_below};
use crate::stage::CANARY;

/// The forms in which it could be written down: as it is, as git sends it, and cut off at either end.
fn forms() -> Vec<String> {
    let basic = BASE64_STANDARD.encode(format!("x-access-token:{CANARY}"));
    vec![
        CANARY.into(),
        CANARY[4..24].into(),
        basic[20..60].into(),
        BASE64_STANDARD.encode(CANARY)[..40].into(),
    ]
}

#[track_caller]
fn check_text(what: &str, text: &str) {
    for form in forms() {
        assert!(!text.contains(&form), "the token is in {what}: {text}");
    }
}

/// All files of the user: state, cache, configuration, registry.
#[track_caller]
fn check_files(door: &Door) {
    let files = files_below(door.folder.path());
    for kept in ["state/state.sqlite3", "state/bumpdesk.log", "state/requests.log"] {
        assert!(door.folder.path().join(kept).exists(), "{kept} is not among {files:?}");
    }
    for path in files {
        let bytes = match std::fs::read(&path) {
            // The database tidies its own side files up.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            read => read.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        };
        for form in forms() {
            let found = bytes.windows(form.len()).any(|window| window == form.as_bytes());
            assert!(!found, "the token is in {}", path.display());
        }
    }
}

/// Which hosts saw it; every other one did not, in no part of a request.
#[track_caller]
fn hosts(door: &Door) -> Vec<Host> {
    let mut hosts = Vec::new();
    for exchange in door.server.exchanges() {
        let carries = forms().iter().any(|form| exchange.carries(form));
        assert_eq!(carries, exchange.authorized(), "{exchange:?}");
        let in_url = forms().iter().any(|form| exchange.target.contains(form));
        assert!(!in_url && (!carries || matches!(exchange.host, Host::Api | Host::Web)), "{exchange:?}");
        if carries && !hosts.contains(&exchange.host) {
            hosts.push(exchange.host);
        }
    }
    hosts
}

const LINES: [&str; 16] = [
    "list",
    "survey --max-age 0 --depth sums",
    "show acme/rocket --max-age 0",
    "diff acme/rocket --max-age 0",
    "diff acme/rocket --mode scratch --max-age 0",
    "lint",
    "verify acme/rocket",
    "doctor",
    "doctor --online",
    "plan add acme/rocket --max-age 0",
    "plan show acme/rocket",
    "plan approve acme/rocket",
    "plan rebuild",
    "bump",
    "jobs",
    "log",
];

/// Everything that commands say, and every file that they leave.
async fn listen(door: &Door, endings: &[&str]) {
    for ending in endings {
        for line in LINES {
            let said = door.said(&format!("{line} {ending}")).await;
            check_text(line, &said.out);
            check_text(line, &said.err);
        }
    }
    check_files(door);
}

/// State, log, reports and cache contain texts from servers, so only their user may read them.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn only_its_user_reads_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let door = Door::on(WORLD).await;
    for line in LINES {
        door.said(line).await;
    }
    door.said("backfill run acme/rocket").await;
    let mut names = Vec::new();
    for own in ["state", "cache"].map(|own| door.folder.path().join(own)) {
        for path in files_below(&own) {
            for place in path.ancestors().take_while(|place| place.starts_with(&own)) {
                // The database may have removed one of its side files.
                let Ok(metadata) = place.metadata() else { continue };
                let mode = metadata.permissions().mode();
                assert_eq!(mode & 0o077, 0, "{}: {mode:o}", place.display());
            }
            names.push(path.display().to_string());
        }
    }
    for kind in ["state.sqlite3", "bumpdesk.log", "requests.log", "/verify-", "/backfill-", "/cache/"] {
        assert!(names.iter().any(|name| name.contains(kind)), "{kind} is not among {names:?}");
    }
}

fn broken(door: &Door, lanes: &[Lane], kind: &str) {
    let kind = FaultKind::try_from(kind.to_owned()).expect("a kind");
    door.server.edit(|world| world.faults = vec![Fault::new(lanes, kind)]);
}

const ALL: [Lane; 6] = [Lane::Feed, Lane::Git, Lane::Asset, Lane::Object, Lane::Rest, Lane::Graphql];

#[tokio::test(flavor = "multi_thread")]
async fn it_goes_to_the_api_and_the_web_host_alone() {
    let door = Door::on(WORLD).await;
    listen(&door, &["", "--json", "--plain"]).await;
    assert_eq!(hosts(&door).len(), 2);
    assert!(door.server.exchanges().iter().any(|one| one.host == Host::Object), "downloads were redirected");
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_do_not_tell_it() {
    for (lanes, kind) in [
        (&ALL[..], "status:429"),
        (&ALL, "status:401"),
        (&ALL, "status:403"),
        (&ALL, "status:500"),
        (&ALL, "html"),
        (&ALL, "garbage"),
        (&ALL, "truncate:20"),
        (&[Lane::Object], "status:403"),
        (&[Lane::Rest, Lane::Graphql], "status:403-primary"),
        (&ALL, "echo:409"),
        (&ALL, "echo:422"),
        (&ALL, "echo:403"),
        (&ALL, "echo:401"),
        (&ALL, "echo:200"),
    ] {
        let door = Door::on(WORLD).await;
        broken(&door, lanes, kind);
        for line in [
            "survey --depth sums",
            "diff acme/rocket",
            "bump --json",
            "show acme/rocket",
            "list --json",
            "verify acme/rocket",
            "doctor --online",
            "pr list",
            "review 1 --plain",
            "triage 1",
            "backfill status",
        ] {
            let said = door.said(line).await;
            check_text(&format!("{line}, {kind}"), &format!("{said}"));
        }
        check_files(&door);
        hosts(&door);
    }
}

/// What is copied for others names no place on this machine besides: of entries, a verification and a plan, where all is well, where
/// nothing answers, and where a data file cannot be read.
#[tokio::test(flavor = "multi_thread")]
async fn no_copy_holds_it_nor_a_place_of_this_machine() {
    const COPIES: [&str; 5] = [
        "show acme/rocket acme/quiet --markdown",
        "show acme/rocket --max-age 0 --depth sums --with-key FOLDER/acme.asc --markdown",
        "verify acme/rocket --report FOLDER/report.jsonl --markdown",
        "verify acme/rocket --no-download --markdown",
        "plan show --markdown",
    ];
    let door = Door::on(WORLD).await;
    let folder = door.folder.path().display().to_string();
    std::fs::write(door.folder.path().join("acme.asc"), "no key").expect("a file");
    door.said("plan add acme/rocket --max-age 0").await.is(0, &[]);
    let check = async || {
        for line in COPIES {
            let said = door.said(&line.replace("FOLDER", &folder)).await;
            check_text(line, &said.out);
            assert!(!said.out.contains(&folder), "{line}: {}", said.out);
            println!("{line}\n{said}");
        }
    };
    check().await;
    broken(&door, &ALL, "status:401");
    check().await;
    door.server.edit(|world| world.faults.clear());
    std::fs::write(door.folder.path().join("registry/providers/a/acme/rocket.json"), "{\"versions\": [}")
        .expect("a file");
    check().await;
}

/// A wrong token, a closed port, a certificate that nobody vouches for, and a host that was not configured.
#[tokio::test(flavor = "multi_thread")]
async fn refusals_do_not_tell_it() {
    let wrong = Door::on(&format!("{WORLD}\n[user]\ntoken = \"another\"\n")).await;
    let mut closed = Door::on(WORLD).await;
    let nobody = closed_port();
    closed.point(&nobody, &nobody, &nobody);
    let untrusted = Door::to(WORLD, "registry", Options { tls: true, ..Options::default() }).await;
    for door in [wrong, closed, untrusted] {
        listen(&door, &[""]).await;
        hosts(&door);
    }
    // A renamed repository leads to a name on the same host, a download to another: the object host stays without.
    let elsewhere = Door::on(&WORLD.replace(
        "address = \"acme/quiet\"",
        "address = \"acme/quiet\"\nrepository = { moved_to = \"other/terraform-provider-quiet\" }",
    ))
    .await;
    listen(&elsewhere, &[""]).await;
    hosts(&elsewhere);
}

/// All that would be logged, down to the libraries' own words.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// In a process of its own: a listener is one for all threads, and the other tests have theirs.
#[test]
fn no_log_holds_it() {
    let program = std::env::current_exe().expect("this program");
    let inner = "hygiene::token::everything_is_listened_to";
    let mut command = Command::new(program);
    command.args(["--ignored", "--exact", inner, "--nocapture"]);
    let output = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("lines were listened to"), "{said}");
}

/// Listens to a whole process.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "`no_log_holds_it` runs it in a process of its own"]
async fn everything_is_listened_to() {
    let heard = Heard::default();
    let writer = heard.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).expect("the only listener");
    for tls in [false, true] {
        let mut door = Door::to(WORLD, "registry", Options { tls, ..Options::default() }).await;
        if let Some(pem) = door.server.addresses().ca_pem.clone() {
            std::fs::write(door.folder.path().join("ca.pem"), pem).expect("a file");
            door.set("BUMPDESK_CA_FILE", "ca.pem");
        }
        // Where no log can be kept, whoever listens to the process hears all of it.
        for log in ["state/bumpdesk.log", "state/requests.log"] {
            std::fs::create_dir_all(door.folder.path().join(log)).expect("a folder");
        }
        listen(&door, &[""]).await;
        broken(&door, &ALL, "status:401");
        listen(&door, &[""]).await;
    }
    let text = String::from_utf8_lossy(&heard.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned();
    for wanted in ["bumpdesk::requests", "hyper_util", "h2::"] {
        assert!(text.contains(wanted), "{wanted} is not in {} lines", text.lines().count());
    }
    for line in text.lines() {
        check_text("a log line", line);
    }
    println!("{} lines were listened to", text.lines().count());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_debug_text_holds_it() {
    let door = Door::on(WORLD).await;
    let environment = door.environment();
    let mut settings = Settings::resolve(&boot::Flags::default(), &environment).expect("settings");
    settings.find_token(&environment).await;
    assert!(settings.token.is_some());
    check_text("Environment", &format!("{environment:?} {environment:#?}"));
    check_text("Settings", &format!("{settings:?} {settings:#?}"));
    let options = settings.env_options();
    check_text("EnvOptions", &format!("{options:?} {options:#?}"));
    let env = Arc::new(Env::new(options).expect("a world"));
    check_text("Env", &format!("{env:?} {env:#?}"));
    check_text("Engine", &format!("{:?}", Engine::new(env)));
}
