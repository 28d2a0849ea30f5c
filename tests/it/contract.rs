//! The contract with GitHub: surveys and rebuilds against real git and through a gateway that checks every exchange with
//! GitHub's published description. What we ask, and what the loopback world answers, is held against something that neither
//! of them wrote.

mod forge;
pub(crate) mod front;
mod machines;
mod tool;
mod triage;
mod verdicts;
mod worlds;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bumpdesk::surface::rules::{Depth, Finding, Mode, Status, Verdict};
use demo::fault::Lane;
use demo::wire::exchange::json_lines;
use demo::world::Presence;
use demo::{Exchange, World, bare};

use crate::need::need;
use crate::stage::{CANARY, Stage, Terms, line};
use front::{Behind, Front};
use tool::{Tool, tool};
use worlds::Case;

/// What the jobs make of a world.
#[derive(Debug)]
struct Seen {
    versions: BTreeMap<String, Verdict>,
    sums: BTreeMap<String, Verdict>,
    /// By address and mode: the proposed bytes and the findings.
    rebuilds: BTreeMap<String, Option<(String, Vec<Finding>)>>,
}

/// The exchanges that a fault of a world answered.
type Faults = BTreeSet<(String, String)>;

#[tokio::test(flavor = "multi_thread")]
async fn surveys_through_real_git_and_the_gateway() {
    let tool = need!(tool());
    stamped!(crate::COMMANDS);
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("gateway.jsonl");
    let front = Front::open().await;
    let gateway = tool.gateway(&front.api, &front.web, &record, folder.path());
    let mut faults = Faults::new();
    let mut own = String::new();
    let cases = worlds::cases();
    assert!(cases.len() >= 10);
    for (index, case) in cases.iter().enumerate() {
        let place = folder.path().join(index.to_string());
        let enterprise = index % 2 == 1;
        let exchanges = survey_twice(&tool, case, &place, &front, &gateway.address, enterprise).await;
        let struck = exchanges.iter().filter(|exchange| exchange.fault);
        faults.extend(struck.map(|exchange| (exchange.method.clone(), exchange.target.clone())));
        own.push_str(&json_lines(&exchanges));
    }

    let (status, said) = gateway.end();
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    let unexcused: Vec<&&str> = errors.iter().filter(|error| !is_of_fault(error, &faults)).collect();
    assert!(unexcused.is_empty(), "the gateway objects to {}:\n{unexcused:#?}", unexcused.len());
    assert_eq!(status.success(), errors.is_empty(), "{status}: {said}");

    let recorded = std::fs::read_to_string(&record).expect("a recording");
    assert!(!recorded.contains(CANARY) && !own.contains(CANARY) && !said.contains(CANARY));
    std::fs::write(&record, without_fault_answers(&recorded, &faults)).expect("a file");
    let world = folder.path().join("world.jsonl");
    std::fs::write(&world, own).expect("a file");
    let wanted = ["git ", "atom ", "download ", "graphql ", "repos/list-releases "];
    passes(&tool, &[&record, &world], &wanted);
}

/// What no job asks for yet is answered as GitHub describes it too, in both versions of the API.
#[tokio::test(flavor = "multi_thread")]
async fn the_world_answers_as_github_describes() {
    let tool = need!(tool());
    let folder = tempfile::tempdir().expect("a folder");
    let world = World::parse(worlds::ANSWERS).unwrap_or_else(|error| panic!("{error}"));
    let releases = &world.repositories["acme/terraform-provider-cloud"].releases;
    let numbers: Vec<String> = releases.iter().map(|release| format!("releases/{}", release.id)).collect();
    let stage = Stage::of(world, Terms::default()).await;
    let address = stage.server.addresses().api.trim_start_matches("http://").to_owned();
    for version in ["2022-11-28", "2026-03-10"] {
        for token in [format!("authorization: Bearer {CANARY}\r\n"), String::new()] {
            let ask = async |path: &str| {
                let headers = format!("x-github-api-version: {version}\r\n{token}");
                front::get(&address, path, &headers).await
            };
            for path in worlds::PATHS {
                ask(path).await;
            }
            for number in &numbers {
                ask(&format!("/repos/acme/terraform-provider-cloud/{number}")).await;
                ask(&format!("/repos/acme/terraform-provider-cloud/{number}/assets?per_page=2")).await;
            }
        }
    }
    let mut exchanges = stage.server.exchanges();
    for exchange in &mut exchanges {
        exchange.target = stage.server.look(|world| documented(world, &exchange.target));
    }
    let statuses: BTreeSet<u16> = exchanges.iter().map(|exchange| exchange.status).collect();
    assert_eq!(statuses, BTreeSet::from([200, 301, 401, 404, 409]));
    let record = folder.path().join("answers.jsonl");
    std::fs::write(&record, json_lines(&exchanges)).expect("a file");
    let wanted = [
        "rate-limit/get ",
        "users/get-authenticated ",
        "repos/get ",
        "repos/get-latest-release ",
        "repos/get-release-by-tag ",
        "repos/get-release ",
        "repos/list-release-assets ",
        "repos/list-tags ",
        "git/list-matching-refs ",
    ];
    passes(&tool, &[&record], &wanted);
    breaches_are_found(&tool, &exchanges, &record);
}

/// A check that lets everything pass would be worth nothing.
fn breaches_are_found(tool: &Tool, exchanges: &[Exchange], record: &Path) {
    let good =
        exchanges.iter().find(|exchange| exchange.status == 200 && exchange.target.contains("/releases?"));
    let good = good.expect("a list of releases").to_json();
    let mut bad = [good.clone(), good.clone(), good];
    let url = bad[0]["url"].as_str().expect("a URL").replace("per_page", "perpage");
    bad[0]["url"] = url.into();
    bad[1]["response"]["body"][0].as_object_mut().expect("a release").remove("tag_name");
    bad[2]["headers"].as_object_mut().expect("headers").remove("user-agent");
    let lines: Vec<String> = bad.iter().map(ToString::to_string).collect();
    std::fs::write(record, lines.join("\n")).expect("a file");
    let findings = tool.validate(&[record]);
    assert!(!findings.passed);
    for word in ["'perpage' is not a documented parameter", "'tag_name'", "no User-Agent"] {
        assert!(findings.list.contains(word), "no `{word}` in {}", findings.list);
    }
}

/// Surveys a world as it is, then with real git in the place of its own and through the gateway; gives what the world itself
/// was asked.
async fn survey_twice(
    tool: &Tool,
    case: &Case,
    place: &Path,
    front: &Front,
    gateway: &str,
    enterprise: bool,
) -> Vec<Exchange> {
    let (root, renames) = (place.join("git"), place.join("renames"));
    std::fs::create_dir_all(&root).expect("a folder");
    let mut world = World::parse(&case.text).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    as_real_git_can(&mut world, case);
    let left_out = bare::write(&world, &root).expect("bare repositories");
    assert!(left_out.is_empty(), "{}: {left_out:?}", case.name);
    std::fs::write(&renames, bare::renames(&world)).expect("a file");
    let arguments = [&["--renames", renames.to_str().expect("UTF-8")], case.git_arguments].concat();
    let git = tool.git(&root, &arguments, place);

    let mut stage = Stage::of(world, Terms { token: case.token, ..Terms::default() }).await;
    let direct = see(&mut stage, true).await;
    let mut exchanges = stage.server.exchanges();
    as_wanted(case, &direct.sums);

    let web = |address: &str| address.trim_start_matches("http://").to_owned();
    let addresses = stage.server.addresses();
    front.turn(Behind {
        api: web(&addresses.api),
        web: web(&addresses.web),
        git: git.address.clone(),
        outside: gateway.to_owned(),
    });
    stage.redirect(|endpoints| {
        let base = format!("http://{gateway}");
        let [api, graphql] = if enterprise { ["/api/v3", "/api/graphql"] } else { ["", "/graphql"] };
        endpoints.api = format!("{base}{api}");
        endpoints.graphql = format!("{base}{graphql}");
        endpoints.web = base;
    });
    stage.server.forget();
    let asked = front.git_requests();
    let through = see(&mut stage, false).await;
    assert_eq!(through.versions, direct.versions, "{}", case.name);
    assert_eq!(through.sums, direct.sums, "{}", case.name);
    for (name, rebuilt) in &through.rebuilds {
        assert_eq!(rebuilt, &direct.rebuilds[name], "{}: {name}", case.name);
    }
    assert!(front.git_requests() > asked, "{}: real git was asked", case.name);
    assert_eq!(stage.server.counts().of(Lane::Git), 0, "{}: the world's own git was not", case.name);
    assert!(git.said().is_empty(), "{}: {}", case.name, git.said());
    exchanges.extend(stage.server.exchanges());
    for exchange in &mut exchanges {
        exchange.target = stage.server.look(|world| documented(world, &exchange.target));
    }
    exchanges
}

/// Real git has no faults but those of its own arguments, and knows no repository that was taken down.
fn as_real_git_can(world: &mut World, case: &Case) {
    if case.git_arguments.is_empty() {
        world.faults.retain(|fault| !fault.on.contains(&Lane::Git));
    }
    for repository in world.repositories.values_mut() {
        if repository.presence == Presence::Blocked {
            repository.presence = Presence::Deleted;
        }
    }
}

/// Holds the verdicts against the case's table.
fn as_wanted(case: &Case, verdicts: &BTreeMap<String, Verdict>) {
    let Some(wanted) = case.wanted else { return };
    let lines: Vec<(&str, String)> =
        verdicts.iter().map(|(address, verdict)| (address.as_str(), line(verdict))).collect();
    let fits = |(line, wanted): (&(&str, String), &(&str, &str))| {
        line.0 == wanted.0
            && match wanted.1.strip_suffix('…') {
                Some(start) => line.1.starts_with(start),
                None => line.1 == wanted.1,
            }
    };
    let all = lines.len() == wanted.len() && lines.iter().zip(wanted).all(fits);
    assert!(all, "{}: {lines:#?}\nwanted: {:#?}", case.name, wanted);
}

/// GitHub redirects the API of a renamed repository to `/repositories/<id>`, a path that its own description lacks. The answer
/// is that of the repository's new name.
fn documented(world: &World, target: &str) -> String {
    let named = || {
        let (id, rest) = target.strip_prefix("/repositories/")?.split_once('/')?;
        Some(format!("/repos/{}/{rest}", world.by_id(id.parse().ok()?)?.full_name()))
    };
    named().unwrap_or_else(|| target.to_owned())
}

/// Surveys everything at both depths, rebuilds every entry as the bump does, and one provider from nothing; `by_id`: the
/// renamed ones too.
async fn see(stage: &mut Stage, by_id: bool) -> Seen {
    let versions = stage.survey(Depth::Versions).await;
    let sums = stage.survey(Depth::Sums).await;
    let is_moved = |verdict: &Verdict| verdict.status == Status::Moved;
    let first = versions
        .iter()
        .find(|(address, verdict)| address.matches('/').count() == 1 && !is_moved(verdict))
        .map(|(address, _)| address);
    let mut rebuilds = BTreeMap::new();
    // An entry that is registered in capitals is found by no name that somebody types.
    let is_typed = |address: &str| address.chars().all(|c| !c.is_ascii_uppercase());
    for (address, verdict) in versions.iter().filter(|(address, _)| is_typed(address)) {
        let scratch = (Some(address) == first || by_id && is_moved(verdict)).then_some(Mode::Scratch);
        for mode in std::iter::once(Mode::Add).chain(scratch) {
            let name = format!("{address} {}", mode.name());
            let opened = stage.rebuild(address, mode).await;
            let proposal = opened.proposal.as_ref().map(|proposal| {
                let text = String::from_utf8(proposal.bytes.clone()).expect("UTF-8");
                (text, proposal.findings.clone())
            });
            rebuilds.insert(name, proposal);
        }
    }
    Seen { versions, sums, rebuilds }
}

/// Whether the gateway's word is about the answer of a fault.
fn is_of_fault(error: &str, faults: &Faults) -> bool {
    let Some(rest) = error.strip_prefix("error: [response] ") else { return false };
    faults.iter().any(|(method, target)| {
        rest.strip_prefix(method.as_str())
            .and_then(|rest| rest.strip_prefix(' ')?.strip_prefix(target.as_str()))
            .is_some_and(|rest| rest.starts_with(' '))
    })
}

/// The recording without the answers that faults gave; every request stays.
fn without_fault_answers(recorded: &str, faults: &Faults) -> String {
    let mut kept = String::with_capacity(recorded.len());
    for line in recorded.lines() {
        let mut exchange: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        let text = |name: &str| exchange[name].as_str().unwrap_or_default().to_owned();
        if faults.contains(&(text("method"), text("path"))) {
            exchange.as_object_mut().expect("an object").remove("response");
        }
        kept.push_str(&exchange.to_string());
        kept.push('\n');
    }
    kept
}

/// What GitHub's description binds: no answer of a fault, and no file as it is, which the description knows in the API's own form
/// alone.
fn is_described(one: &Exchange) -> bool {
    let kind = one.response_headers.get("content-type").and_then(|kind| kind.to_str().ok());
    !one.fault && kind.is_none_or(|kind| !kind.contains("raw"))
}

/// Every exchange passes, and every one of these operations was among them.
fn passes(tool: &Tool, records: &[&Path], operations: &[&str]) {
    let findings = tool.validate(records);
    assert!(findings.passed, "{}\n{}", findings.summary, findings.list);
    eprintln!("{}", findings.summary);
    for operation in operations {
        assert!(findings.summary.contains(operation), "no {operation}in {}", findings.summary);
    }
}

#[test]
fn only_answers_of_faults_are_excused() {
    let faults = Faults::from([("GET".to_owned(), "/a/b/releases.atom".to_owned())]);
    for (error, excused) in [
        ("error: [response] GET /a/b/releases.atom (atom): no Atom <feed>", true),
        ("error: [response] GET /a/b/releases.atom?after=v1 (atom): no Atom <feed>", false),
        ("error: [response] GET /a/c/releases.atom (atom): no Atom <feed>", false),
        ("error: [response] POST /a/b/releases.atom (atom): no Atom <feed>", false),
        ("error: [header] GET /a/b/releases.atom (atom): no User-Agent: GitHub refuses such requests", false),
    ] {
        assert_eq!(is_of_fault(error, &faults), excused, "{error}");
    }
}
