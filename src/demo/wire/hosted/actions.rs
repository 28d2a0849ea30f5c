//! Actions over REST: workflows, runs with their jobs, logs and artifacts; dispatch, cancel, re-run.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::forge::actions::spoil::Served;
use crate::forge::actions::{ActionsRun, Job, WorkflowFile, link_end};
use crate::forge::check::Run;
use crate::forge::{Forge, Hosted, Refusal};
use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply, decode, encode};
use crate::wire::hosted::draw;
use crate::wire::objects::{node_id, seconds};
use crate::wire::rest::page_under;
use crate::wire::trouble;

/// A filtered list ends here.
const MOST_FILTERED: usize = 1_000;

/// What a write made.
pub(super) enum Made {
    /// A run, and whether it was asked for.
    Run(u64, bool),
    Cancelled,
    Again,
}

/// Carries out what may be written.
pub(super) fn write(
    forge: &mut Forge,
    now: Timestamp,
    place: (&str, &str),
    of: &[&str],
    body: &Value,
) -> Result<Made, Refusal> {
    let number = |text: &str| text.parse().map_err(|_| Refusal::NotFound);
    match of {
        ["workflows", named, "dispatches"] => {
            let reference = body["ref"].as_str().ok_or_else(|| {
                Refusal::invalid("Workflow", "", "Invalid request.\n\n\"ref\" wasn't supplied.")
            })?;
            let none = Map::new();
            let inputs = body["inputs"].as_object().unwrap_or(&none);
            let run = forge.dispatch(now, place, named, (reference, inputs))?;
            Ok(Made::Run(run, body["return_run_details"] == true))
        }
        ["runs", id, "cancel"] => {
            forge.cancel_run(now, place, number(id)?)?;
            Ok(Made::Cancelled)
        }
        ["runs", id, "rerun-failed-jobs"] => {
            forge.rerun_failed(now, place, number(id)?)?;
            Ok(Made::Again)
        }
        _ => Err(Refusal::NotFound),
    }
}

pub(super) fn drawn(site: &Site<'_>, hosted: &Hosted, made: &Made, version: &str) -> Reply {
    match made {
        Made::Run(id, is_asked) => {
            let is_told = version != "2022-11-28" || *is_asked;
            if !is_told || site.world.forge.actions.without_details {
                return Reply::bare(204);
            }
            Reply::json(
                200,
                &json!({
                    "workflow_run_id": id,
                    "run_url": format!("{}/actions/runs/{id}", site.url_of(hosted)),
                    "html_url": format!("{}/actions/runs/{id}", draw::page_of(hosted)),
                }),
            )
        }
        Made::Cancelled => Reply::json(202, &json!({})),
        Made::Again => Reply::json(201, &json!({})),
    }
}

/// What may be read below `actions`.
pub(super) fn read(site: &Site<'_>, call: &Call, hosted: &Hosted, of: &[&str], version: &str) -> Reply {
    let forge = &site.world.forge;
    let missing = || trouble::api(404, "Not Found");
    let key = hosted.key();
    let own = || forge.actions.runs.iter().filter(|run| run.repository == key);
    let found = |id: &str| own().find(|run| id.parse() == Ok(run.id));
    let check = |id: &str| {
        let mut all = forge.runs.iter().filter(|run| run.repository == key && run.workflow.is_some());
        all.find(|run| id.parse() == Ok(run.id))
    };
    match of {
        ["workflows"] => {
            let all = forge.workflows(hosted);
            page_under(site, call, &all, "workflows", |one| workflow(site, hosted, one))
        }
        ["workflows", named, rest @ ..] => match (forge.workflow(hosted, &decode(named)), rest) {
            (Some(found), []) => Reply::json(200, &workflow(site, hosted, &found)),
            (Some(found), ["runs"]) => {
                let of_it: Vec<&ActionsRun> =
                    own().filter(|run| run.path == found.path && is_asked_for(run, call)).collect();
                listed(site, call, hosted, (of_it, Vec::new()), version)
            }
            _ => missing(),
        },
        ["runs"] => {
            let head = call.parameter("head_sha");
            let branch = call.parameter("branch");
            // What checks a commit is asked for by that alone.
            let is_plain =
                ["event", "created", "actor", "status"].iter().all(|one| call.parameter(one).is_none());
            let checks = forge.runs.iter().filter(|run| {
                is_plain
                    && run.repository == key
                    && run.workflow.is_some()
                    && head.as_ref().is_none_or(|head| *head == hex::encode(run.head))
                    && branch.as_ref().is_none_or(|branch| *branch == run.branch)
            });
            let of_it = own().filter(|run| is_asked_for(run, call)).collect();
            listed(site, call, hosted, (of_it, checks.collect()), version)
        }
        ["runs", id, rest @ ..] => match (found(id), check(id), rest) {
            (Some(of_it), _, _) => of_run(site, call, hosted, of_it, rest, version),
            (None, Some(one), []) => Reply::json(200, &draw::run(site, hosted, one, version)),
            (None, Some(one), ["jobs"]) => {
                Reply::json(200, &json!({ "total_count": 1, "jobs": [draw::job(site, hosted, one)] }))
            }
            _ => missing(),
        },
        ["jobs", id, rest @ ..] => {
            let number = id.parse().unwrap_or(0);
            match (own().find_map(|run| Some((run, run.job(number)?))), rest) {
                (Some((of_it, one)), []) => Reply::json(200, &job(site, hosted, of_it, one)),
                (Some((_, one)), ["logs"]) if one.ended.is_some() && one.started.is_some() => {
                    let end = link_end(site.world.now);
                    let place = format!("{}/log/{number}?{end}", site.addresses.object);
                    Reply::new(302, "text/html; charset=utf-8", "").with("location", place)
                }
                _ => missing(),
            }
        }
        ["artifacts", id, rest @ ..] => {
            let number = id.parse().unwrap_or(0);
            let found = forge.actions.served(number).filter(|(run, _)| run.repository == key);
            match (found, rest) {
                (Some((of_it, one)), []) => Reply::json(200, &artifact(site, hosted, of_it, &one)),
                (Some(_), ["zip"]) if site.caller(call).is_none() => {
                    trouble::api(401, "Requires authentication")
                }
                (Some((_, one)), ["zip"]) if one.is_expired => trouble::api(410, "Artifact has expired"),
                (Some(_), ["zip"]) => {
                    let end = link_end(site.world.now);
                    let place = format!("{}/artifact/{number}?{end}", site.addresses.object);
                    Reply::new(302, "text/html; charset=utf-8", "").with("location", place)
                }
                _ => missing(),
            }
        }
        _ => missing(),
    }
}

fn of_run(
    site: &Site<'_>,
    call: &Call,
    hosted: &Hosted,
    of_it: &ActionsRun,
    rest: &[&str],
    version: &str,
) -> Reply {
    match rest {
        [] => Reply::json(200, &run(site, hosted, of_it, of_it.attempt, version)),
        ["attempts", attempt] => match attempt.parse() {
            Ok(attempt) if (1..=of_it.attempt).contains(&attempt) => {
                Reply::json(200, &run(site, hosted, of_it, attempt, version))
            }
            _ => trouble::api(404, "Not Found"),
        },
        ["jobs"] => {
            let all = call.parameter("filter").is_some_and(|filter| filter == "all");
            let jobs: Vec<&Job> =
                if all { of_it.jobs.iter().collect() } else { of_it.jobs_of(of_it.attempt) };
            page_under(site, call, &jobs, "jobs", |one| job(site, hosted, of_it, one))
        }
        ["artifacts"] => {
            let name = call.parameter("name");
            let fits = |one: &Served| name.as_ref().is_none_or(|name| *name == one.name);
            let mut all = of_it.served(&site.world.forge.actions.spoils);
            all.retain(fits);
            page_under(site, call, &all, "artifacts", |one| artifact(site, hosted, of_it, one))
        }
        _ => trouble::api(404, "Not Found"),
    }
}

/// Whether the filters of a list let a run in.
fn is_asked_for(run: &ActionsRun, call: &Call) -> bool {
    let is = |name: &str, value: &str| call.parameter(name).is_none_or(|wanted| wanted == value);
    let (status, conclusion) = run.words(run.attempt);
    let by_status = |wanted: String| wanted == status || conclusion == Some(wanted.as_str());
    is("event", "workflow_dispatch")
        && is("branch", &run.branch)
        && is("head_sha", &hex::encode(run.head))
        && call.parameter("actor").is_none_or(|actor| actor.eq_ignore_ascii_case(&run.actor))
        && call.parameter("status").is_none_or(by_status)
        && call.parameter("created").is_none_or(|range| was_created(run.created, &range))
}

/// `>=T`, `>T`, `<=T`, `<T`, `T..T`, `T`: whole seconds, or whole days.
fn was_created(at: Timestamp, range: &str) -> bool {
    let read = |text: &str, late: bool| -> Option<i64> {
        let whole = match (text.contains('T'), late) {
            (true, _) => text.to_owned(),
            (false, false) => format!("{text}T00:00:00Z"),
            (false, true) => format!("{text}T23:59:59Z"),
        };
        whole.parse::<Timestamp>().ok().map(Timestamp::as_second)
    };
    let at = at.as_second();
    let holds = match range {
        _ if range.starts_with(">=") => read(&range[2..], false).map(|from| at >= from),
        _ if range.starts_with("<=") => read(&range[2..], true).map(|to| at <= to),
        _ if range.starts_with('>') => read(&range[1..], true).map(|from| at > from),
        _ if range.starts_with('<') => read(&range[1..], false).map(|to| at < to),
        _ => {
            let (from, to) = range.split_once("..").unwrap_or((range, range));
            read(from, false).zip(read(to, true)).map(|(from, to)| (from..=to).contains(&at))
        }
    };
    holds.unwrap_or(false)
}

/// A list of runs, the newest first.
fn listed(
    site: &Site<'_>,
    call: &Call,
    hosted: &Hosted,
    (own, checks): (Vec<&ActionsRun>, Vec<&Run>),
    version: &str,
) -> Reply {
    enum Either<'a> {
        Own(&'a ActionsRun),
        Check(&'a Run),
    }
    let own = own.into_iter().rev().map(Either::Own);
    let all: Vec<Either<'_>> = own.chain(checks.into_iter().map(Either::Check)).take(MOST_FILTERED).collect();
    page_under(site, call, &all, "workflow_runs", |one| match one {
        Either::Own(one) => run(site, hosted, one, one.attempt, version),
        Either::Check(one) => draw::run(site, hosted, one, version),
    })
}

fn workflow(site: &Site<'_>, hosted: &Hosted, file: &WorkflowFile) -> Value {
    let (base, page) = (site.url_of(hosted), draw::page_of(hosted));
    let name = file.path.rsplit('/').next().unwrap_or_default();
    json!({
        "id": file.id,
        "node_id": node_id("W", file.id),
        "name": file.name,
        "path": file.path,
        "state": if file.is_disabled { "disabled_manually" } else { "active" },
        "created_at": "2024-01-08T09:00:00Z",
        "updated_at": "2024-01-08T09:00:00Z",
        "url": format!("{base}/actions/workflows/{}", file.id),
        "html_url": format!("{page}/blob/main/{}", encode(&file.path)),
        "badge_url": format!("{page}/workflows/{}/badge.svg", encode(name)),
    })
}

fn run(site: &Site<'_>, hosted: &Hosted, of_it: &ActionsRun, attempt: u32, version: &str) -> Value {
    let (status, conclusion) = of_it.words(attempt);
    let (base, page) = (site.url_of(hosted), draw::page_of(hosted));
    let url = format!("{base}/actions/runs/{}", of_it.id);
    let workflow = site.world.forge.workflow(hosted, &of_it.path).map_or(0, |file| file.id);
    let actor = site.person(&of_it.actor);
    let repository = draw::short_repository(site, hosted, None, version);
    json!({
        "id": of_it.id,
        "node_id": node_id("WFR", of_it.id),
        "name": of_it.name,
        "head_branch": of_it.branch,
        "head_sha": hex::encode(of_it.head),
        "path": of_it.path,
        "display_title": of_it.title,
        "run_number": of_it.number,
        "run_attempt": attempt,
        "event": "workflow_dispatch",
        "status": status,
        "conclusion": conclusion,
        "workflow_id": workflow,
        "url": url,
        "html_url": format!("{page}/actions/runs/{}", of_it.id),
        "pull_requests": [],
        "created_at": seconds(of_it.created),
        "updated_at": seconds(of_it.updated),
        "run_started_at": seconds(of_it.started),
        "actor": actor,
        "triggering_actor": actor,
        "previous_attempt_url": (attempt > 1).then(|| format!("{url}/attempts/{}", attempt - 1)),
        "jobs_url": format!("{url}/jobs"),
        "logs_url": format!("{url}/logs"),
        "check_suite_url": format!("{base}/check-suites/{}", of_it.id),
        "artifacts_url": format!("{url}/artifacts"),
        "cancel_url": format!("{url}/cancel"),
        "rerun_url": format!("{url}/rerun"),
        "workflow_url": format!("{base}/actions/workflows/{workflow}"),
        "head_commit": draw::head_commit(site, &of_it.head),
        "repository": repository,
        "head_repository": repository,
    })
}

fn job(site: &Site<'_>, hosted: &Hosted, of_it: &ActionsRun, one: &Job) -> Value {
    let (status, conclusion) = one.state.words();
    let base = site.url_of(hosted);
    let machine = one.started.map(|_| "GitHub Actions 1");
    json!({
        "id": one.id,
        "run_id": of_it.id,
        "run_url": format!("{base}/actions/runs/{}", of_it.id),
        "run_attempt": one.attempt,
        "node_id": node_id("CR", one.id),
        "head_sha": hex::encode(of_it.head),
        "url": format!("{base}/actions/jobs/{}", one.id),
        "html_url": format!("{}/actions/runs/{}/job/{}", draw::page_of(hosted), of_it.id, one.id),
        "status": status,
        "conclusion": conclusion,
        "created_at": seconds(one.created),
        "started_at": seconds(one.started.unwrap_or(one.created)),
        "completed_at": one.ended.map(seconds),
        "name": one.name,
        "check_run_url": format!("{base}/check-runs/{}", one.id),
        "labels": ["ubuntu-24.04"],
        "runner_id": machine.map(|_| 1),
        "runner_name": machine,
        "runner_group_id": machine.map(|_| 0),
        "runner_group_name": machine.map(|_| "GitHub Actions"),
        "workflow_name": of_it.name,
        "head_branch": of_it.branch,
    })
}

fn artifact(site: &Site<'_>, hosted: &Hosted, of_it: &ActionsRun, one: &Served) -> Value {
    let url = format!("{}/actions/artifacts/{}", site.url_of(hosted), one.id);
    json!({
        "id": one.id,
        "node_id": node_id("MDg", one.id),
        "name": one.name,
        "size_in_bytes": one.size_bytes,
        "url": url,
        "archive_download_url": format!("{url}/zip"),
        "expired": one.is_expired,
        "digest": format!("sha256:{}", one.digest),
        "created_at": seconds(one.created),
        "updated_at": seconds(one.created),
        "expires_at": seconds(one.created + jiff::SignedDuration::from_hours(14 * 24)),
        "workflow_run": {
            "id": of_it.id,
            "repository_id": hosted.id,
            "head_repository_id": hosted.id,
            "head_branch": of_it.branch,
            "head_sha": hex::encode(of_it.head),
        },
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::machine::Machine;
    use crate::wire::tests::{Answer, ask};
    use crate::{Options, Server, World};

    const WORKFLOW: &str = "name: Work\nrun-name: Work ${{ inputs.nonce }}\non:\n  workflow_dispatch:\n    inputs:\n      nonce:\n        required: true\n      \
        shards:\n        default: '[1,2]'\njobs:\n  shard:\n    name: shard ${{ matrix.shard }}\n    strategy:\n      matrix:\n        shard: ${{ fromJSON(inputs.shards) }}\n    \
        steps:\n      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8\n      - run: cargo install bumpdesk\n      - run: bumpdesk shard \"$SHARD\"\n        \
        env:\n          SHARD: ${{ matrix.shard }}\n      - uses: actions/upload-artifact@abc\n        with:\n          name: part-${{ matrix.shard }}\n          path: out.txt\n  \
        merge:\n    needs: shard\n    steps:\n      - uses: actions/download-artifact@abc\n        with:\n          pattern: part-*\n          path: parts\n          merge-multiple: true\n      \
        - run: bumpdesk merge\n";
    const RUNS: &str = "/repos/opentofu/registry/actions/workflows/work.yml/runs";
    const DISPATCH: &str = "/repos/opentofu/registry/actions/workflows/work.yml/dispatches";

    /// A program that stands for bumpdesk: it says where it is and with what, and writes what it is asked to.
    const PROGRAM: &str = "#!/bin/sh\necho \"in $(git rev-parse --short HEAD) with $*, canary=$GH_TOKEN\" >&2\n\
        [ \"$*\" = \"shard bad\" ] && exit 5\necho \"$2\" >out.txt\n[ \"$1\" = merge ] && ls parts\nexit 0\n";

    struct Site {
        server: Server,
        _folder: tempfile::TempDir,
    }

    impl Site {
        async fn new(more: &str) -> Self {
            let text = format!(
                "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"acme/vpc/aws\"\nstored = [\"v1.0.0\"]\n\
                 [user]\nlogin = \"ann\"\ntoken = \"canary\"\npush = true\n[[account]]\nlogin = \"eve\"\ntoken = \"eve\"\n\
                 [file]\n\".github/workflows/work.yml\" = '''\n{WORKFLOW}'''\n\".github/workflows/other.yml\" = \"on: push\\njobs: {{}}\\n\"\n{more}"
            );
            let folder = tempfile::tempdir().unwrap();
            let program = folder.path().join("stand-in");
            #[expect(clippy::disallowed_methods, reason = "a program of the test's own")]
            std::fs::write(&program, PROGRAM).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            let machine = Some(Machine { program, path: "/usr/local/bin:/usr/bin:/bin".into() });
            let world = World::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let server = Server::start(world, Options { machine, ..Options::default() }).await.unwrap();
            Self { server, _folder: folder }
        }

        async fn say(&self, token: &str, method: &str, path: &str, body: Value) -> Answer {
            let url = format!("{}{path}", self.server.addresses().api);
            let headers = format!("authorization: Bearer {token}\r\ncontent-type: application/json\r\n");
            let body = if body.is_null() { String::new() } else { body.to_string() };
            ask(method, &url, &headers, &body).await.unwrap()
        }

        async fn read(&self, path: &str) -> Value {
            let answer = self.say("canary", "GET", path, Value::Null).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            serde_json::from_slice(&answer.body).unwrap()
        }

        async fn dispatch(&self, inputs: Value) -> u64 {
            let body = json!({ "ref": "main", "inputs": inputs, "return_run_details": true });
            let answer = self.say("canary", "POST", DISPATCH, body).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            let made: Value = serde_json::from_slice(&answer.body).unwrap();
            made["workflow_run_id"].as_u64().unwrap()
        }

        /// Status and conclusion, once they are of such a status.
        async fn until(&self, run: u64, status: &str) -> Value {
            for _ in 0..20_000 {
                let read = self.read(&format!("/repos/opentofu/registry/actions/runs/{run}")).await;
                if read["status"] == status {
                    return read;
                }
            }
            panic!("it never is {status}");
        }

        async fn jobs(&self, run: u64) -> Vec<(String, String, u64)> {
            let read =
                self.read(&format!("/repos/opentofu/registry/actions/runs/{run}/jobs?filter=latest")).await;
            let word =
                |one: &Value| one["conclusion"].as_str().or(one["status"].as_str()).unwrap().to_owned();
            let told = |one: &Value| {
                (one["name"].as_str().unwrap().to_owned(), word(one), one["id"].as_u64().unwrap())
            };
            read["jobs"].as_array().unwrap().iter().map(told).collect()
        }

        async fn follow(&self, path: &str) -> Answer {
            let sent = self.say("canary", "GET", path, Value::Null).await;
            assert_eq!(sent.status, 302, "{path}: {}", sent.text());
            let place = sent.header("location").unwrap();
            assert!(!place.starts_with(&self.server.addresses().api), "{place}");
            ask("GET", place, "", "").await.unwrap()
        }
    }

    fn words(jobs: &[(String, String, u64)]) -> Vec<(&str, &str)> {
        jobs.iter().map(|(name, word, _)| (name.as_str(), word.as_str())).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_run_from_dispatch_to_its_artifacts() {
        let site = Site::new("").await;
        let run = site.dispatch(json!({ "nonce": "n1" })).await;
        let read = site.until(run, "completed").await;
        assert_eq!((&read["conclusion"], &read["display_title"]), (&json!("success"), &json!("Work n1")));
        let jobs = site.jobs(run).await;
        assert_eq!(words(&jobs), [("shard 1", "success"), ("shard 2", "success"), ("merge", "success")]);
        let log =
            site.follow(&format!("/repos/opentofu/registry/actions/jobs/{}/logs", jobs[1].2)).await.text();
        let head = site.read("/repos/opentofu/registry/git/ref/heads/main").await["object"]["sha"].clone();
        let told = format!(
            "2026-11-21T12:00:00.0000000Z in {} with shard 2, canary=\n",
            &head.as_str().unwrap()[..7]
        );
        assert!(log.contains(&told), "{log}");
        let merged =
            site.follow(&format!("/repos/opentofu/registry/actions/jobs/{}/logs", jobs[2].2)).await.text();
        assert!(merged.contains("Z out.txt\n"), "{merged}");
        let list =
            site.read(&format!("/repos/opentofu/registry/actions/runs/{run}/artifacts?name=part-2")).await;
        assert_eq!(list["total_count"], 1);
        let place = format!("/repos/opentofu/registry/actions/artifacts/{}/zip", list["artifacts"][0]["id"]);
        let zip = site.follow(&place).await;
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip.body)).unwrap();
        assert_eq!(std::io::read_to_string(archive.by_name("out.txt").unwrap()).unwrap(), "2\n");
        // The link is good for a minute.
        let sent = site.say("canary", "GET", &place, Value::Null).await;
        site.server.edit(|world| world.now += jiff::SignedDuration::from_secs(60));
        assert_eq!(ask("GET", sent.header("location").unwrap(), "", "").await.unwrap().status, 403);
        let created = |filter: &str| format!("{RUNS}?event=workflow_dispatch&actor=Ann&created={filter}");
        for (filter, count) in [
            (created("%3E=2026-11-21T12:00:00Z"), 1),
            (created("%3E2026-11-21T12:00:00Z"), 0),
            (created("2026-11-20..2026-11-21"), 1),
            (format!("{RUNS}?status=success"), 1),
            (format!("{RUNS}?status=queued"), 0),
            (format!("{RUNS}?actor=eve"), 0),
            ("/repos/opentofu/registry/actions/runs?event=workflow_dispatch".to_owned(), 1),
        ] {
            assert_eq!(site.read(&filter).await["total_count"], count, "{filter}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_failed_is_run_once_more() {
        let site =
            Site::new("[[actions.fate]]\nname = \"shard 2\"\nends = \"failure\"\nuntil_attempt = 1\n").await;
        let run = site.dispatch(json!({ "nonce": "n1" })).await;
        assert_eq!(site.until(run, "completed").await["conclusion"], "failure");
        let first = site.jobs(run).await;
        assert_eq!(words(&first), [("shard 1", "success"), ("shard 2", "failure"), ("merge", "skipped")]);
        let again = format!("/repos/opentofu/registry/actions/runs/{run}/rerun-failed-jobs");
        assert_eq!(site.say("eve", "POST", &again, Value::Null).await.status, 403);
        assert_eq!(site.say("canary", "POST", &again, Value::Null).await.status, 201);
        let read = site.until(run, "completed").await;
        assert_eq!((&read["conclusion"], &read["run_attempt"]), (&json!("success"), &json!(2)));
        let second = site.jobs(run).await;
        assert_eq!(words(&second), [("shard 1", "success"), ("shard 2", "success"), ("merge", "success")]);
        assert_eq!((first[0].2 == second[0].2, first[1].2 == second[1].2), (true, false));
        let before = site.read(&format!("/repos/opentofu/registry/actions/runs/{run}/attempts/1")).await;
        assert_eq!(before["conclusion"], "failure");
        assert_eq!(site.say("canary", "POST", &again, Value::Null).await.status, 403, "nothing failed");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn jobs_that_fail_wait_or_are_cancelled() {
        let site = Site::new(
            "[actions]\nqueue_looks = 2\n[[actions.fate]]\nname = \"shard never\"\nends = \"never-starts\"\n\
             [[actions.fate]]\nname = \"shard approval\"\nends = \"waits-for-approval\"\n",
        )
        .await;
        let run = site.dispatch(json!({ "nonce": "n", "shards": "[\"bad\"]" })).await;
        let url = format!("/repos/opentofu/registry/actions/runs/{run}");
        assert_eq!(site.read(&url).await["status"], "queued");
        assert_eq!(site.until(run, "completed").await["conclusion"], "failure");
        let jobs = site.jobs(run).await;
        let log =
            site.follow(&format!("/repos/opentofu/registry/actions/jobs/{}/logs", jobs[0].2)).await.text();
        assert!(log.contains("##[error]Process completed with exit code 5.\n"), "{log}");
        let never = site.dispatch(json!({ "nonce": "n", "shards": "[\"never\"]" })).await;
        assert_eq!(words(&site.jobs(never).await), [("shard never", "queued")]);
        let job = site.jobs(never).await[0].2;
        let logs = format!("/repos/opentofu/registry/actions/jobs/{job}/logs");
        assert_eq!(site.say("canary", "GET", &logs, Value::Null).await.status, 404, "no log yet");
        let cancel = format!("/repos/opentofu/registry/actions/runs/{never}/cancel");
        assert_eq!(site.say("canary", "POST", &cancel, Value::Null).await.status, 202);
        assert_eq!(site.say("canary", "POST", &cancel, Value::Null).await.status, 409);
        assert_eq!(site.until(never, "completed").await["conclusion"], "cancelled");
        let approval = site.dispatch(json!({ "nonce": "n", "shards": "[\"approval\"]" })).await;
        site.until(approval, "waiting").await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_dispatch_is_refused_as_on_github() {
        let site = Site::new("").await;
        let body = |inputs: Value| json!({ "ref": "main", "inputs": inputs });
        let good = body(json!({ "nonce": "n" }));
        let no_ref = json!({ "ref": "f00", "inputs": { "nonce": "n" } });
        let path = |name: &str| format!("/repos/opentofu/registry/actions/workflows/{name}/dispatches");
        for (token, name, body, status, sentence) in [
            ("canary", "absent.yml", good.clone(), 404, "Not Found"),
            ("canary", "other.yml", good.clone(), 422, "Workflow does not have 'workflow_dispatch' trigger"),
            ("canary", "work.yml", body(json!({})), 422, "Required input 'nonce' not provided"),
            (
                "canary",
                "work.yml",
                body(json!({ "nonce": "n", "x": "" })),
                422,
                "Unexpected inputs provided: [\"x\"]",
            ),
            ("canary", "work.yml", no_ref, 422, "No ref found for: f00"),
            ("eve", "work.yml", good.clone(), 403, "Resource not accessible by personal access token"),
            ("canary", "work.yml", good.clone(), 204, ""),
        ] {
            let answer = site.say(token, "POST", &path(name), body).await;
            let told: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            assert_eq!(
                (answer.status, told["message"].as_str().unwrap_or_default()),
                (status, sentence),
                "{name}"
            );
        }
        site.server.edit(|world| world.forge.actions.disabled.insert(".github/workflows/work.yml".into()));
        assert_eq!(site.say("canary", "POST", &path("work.yml"), good).await.status, 403);
        let state = site.read("/repos/opentofu/registry/actions/workflows/work.yml").await["state"].clone();
        assert_eq!(state, "disabled_manually");
    }
}
