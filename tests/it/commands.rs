//! Every command in text, JSON and plain mode on one small world: what it prints and how it exits, kept as transcripts; and
//! that none of it holds an escape byte, but for the colours that were asked for.

use std::fmt::Write;
use std::process::{Command, Stdio};

use crate::door::{Door, Output, WORLD, closed_port};
use crate::transcript;

/// One after the other, each on what the ones before left behind.
const LINES: &[&str] = &[
    "list",
    "survey --depth sums",
    "list",
    "list --sort behind --filter kind:provider",
    "list --csv",
    "show acme/rocket",
    "show acme/rocket --markdown",
    "show acme/quiet https://github.com/umbrella/terraform-aws-vpc",
    "survey acme/rocket --check --max-age 1h",
    "diff acme/rocket",
    "diff acme/rocket --patch",
    "diff acme/quiet --check",
    "diff acme/rocket --check",
    "bump --dry-run --max-age 1h",
    "lint",
    "verify acme/rocket --report FOLDER/report.jsonl",
    "verify acme/rocket@1.0.0 --no-download --report FOLDER/short.jsonl",
    "verify acme/rocket --report FOLDER/report.jsonl --markdown",
    "verify umbrella/vpc/aws",
    "verify acme/rocket@9.9.9",
    "lock acme/rocket@1.0.0",
    "lock acme/rocket@1.0.0 --steps --whole-file --constraints ~>1.0",
    "lock acme/rocket@1.0.0 --enforce-gpg-validation",
    "lock acme/rocket@1.0.0 --max-size 10 --partial",
    "lock acme/rocket@9.9.9",
    "lock --check FOLDER/good.hcl",
    "lock --check FOLDER/good.hcl --no-download",
    "lock --check FOLDER/bad.hcl",
    "lock --check FOLDER/odd.hcl",
    "view list",
    "notice add acme/*@1.0.* --issue 7 --reply fine",
    "notice list",
    "notice export",
    "notice remove 8",
    "plan show",
    "plan add acme/rocket",
    "plan approve acme/rocket",
    "plan show acme/rocket",
    "plan approve acme/rocket",
    "pr open --plan PLAN --dry-run",
    "pr open --plan PLAN --dry-run --patch",
    "pr open --plan PLAN --dry-run --out FOLDER/sending.patch",
    "pr open --plan PLAN --dry-run --out FOLDER/sending.patch",
    "pr open --plan PLAN --confirm 000000",
    "pr open --plan PLAN --confirm 000000 --write",
    "pr resume 000000 --write",
    "pr undo 000000",
    "pr list",
    "pr watch 5600 --once",
    "stranded",
    "stranded acme/rocket 1.1.0",
    "stranded message acme/rocket@1.1.0",
    "stranded ignore acme/rocket@1.1.0 --until 90d --because asked",
    "stranded --new --seen",
    "stranded unignore acme/rocket@1.1.0",
    "review",
    "review 5600",
    "review 5600 --diff",
    "review 5600 --against-upstream",
    "review 5600 --markdown",
    "review 5600 --comment --text fine --dry-run",
    "review 5600 --approve",
    "review 5600 --approve --hash --dry-run",
    "review 5600 --approve --hash --confirm 000000 --write",
    "plan note acme/rocket --note fine",
    "plan show",
    "plan show --markdown",
    "plan reject acme/rocket@1.1.0",
    "plan reopen acme/rocket",
    "plan rebuild --max-age 1h",
    "plan warn acme/quiet --moved-to umbrella/quiet",
    "plan warn acme/quiet --moved-to acme/rocket",
    "plan clear-errors acme/rocket@1.1.0",
    "plan remove acme/quiet@1.0.0 --because bug",
    "plan remove acme/quiet@1.0.0 --because legal-duty --announcement https://example.com/a --issue 7",
    "plan show acme/quiet",
    "plan approve acme/quiet",
    "plan block acme/rocket@1.1.0 --because accident",
    "plan submit provider acme/terraform-provider-rocket",
    "plan submit module umbrella/terraform-aws-ring",
    "plan submit key acme nowhere.asc",
    "plan drop --all",
    "jobs",
    "log --errors",
    "config check",
    "show acme/rockte",
    "list --filter statsu:x",
];

/// Commands of which only the form is worth keeping, since they follow from tables that have tests of their own.
const GENERATED: &[&str] = &[
    "keys",
    "completions bash",
    "completions zsh",
    "completions fish",
    "completions powershell",
    "man",
    "--help",
    "--version",
];

/// Takes out what belongs to this run: its folder and its ports.
fn steady(door: &Door, text: &str) -> String {
    let folder = door.folder.path().display().to_string();
    let addresses = door.server.addresses();
    let mut text = text.replace(&folder, "FOLDER");
    for (url, name) in [
        (&addresses.graphql, "GRAPHQL"),
        (&addresses.api, "API"),
        (&addresses.web, "WEB"),
        (&addresses.served, "SERVED"),
        (&addresses.search, "SEARCH"),
    ] {
        text = text.replace(url.as_str(), name);
    }
    // Where a sending goes to is a part of its digest, and that has a port.
    for (before, digits) in [
        ("sending ", 6),
        ("their digits are ", 6),
        ("\"type\":\"sending\",\"digest\":\"", 64),
        ("\"digest\":\"DIGITS\",\"name\":\"", 6),
    ] {
        let mut from = 0;
        while let Some(at) = text[from..].find(before).map(|at| from + at + before.len()) {
            if text[at..].chars().take_while(char::is_ascii_hexdigit).count() == digits {
                text.replace_range(at..at + digits, "DIGITS");
            }
            from = at;
        }
    }
    text
}

#[track_caller]
fn assert_no_escape(said: &Output, line: &str) {
    for text in [&said.out, &said.err] {
        assert!(!text.contains('\u{1b}'), "{line}: {text:?}");
    }
}

/// A survey tells entries as their answers come, which a busy machine changes: those lines are put in order.
fn in_order(out: &str) -> String {
    let mut lines: Vec<&str> = out.split_inclusive('\n').collect();
    let entries = lines.iter().take_while(|line| line.contains('/')).count();
    lines[..entries].sort_unstable();
    lines.concat()
}

/// A lock file of the world as it is, one with a hash of nothing, and one that clients do not read.
async fn lock_files() -> [(&'static str, String); 3] {
    let good = Door::on(WORLD).await.said("lock acme/rocket@1.0.0 --whole-file").await.out;
    let foreign = format!("hashes = [\n    \"zh:{}\",", "0".repeat(64));
    let bad = good.replace("hashes = [", &foreign);
    assert_ne!(good, bad);
    let odd = good.replace("\"1.0.0\"", "1.0");
    [("good.hcl", good), ("bad.hcl", bad), ("odd.hcl", odd)]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_in_every_form() {
    stamped!(crate::PROGRAM);
    let locks = lock_files().await;
    for (name, option) in [("text", "--color=auto"), ("json", "--json --color=always"), ("plain", "--plain")]
    {
        let door = Door::on(WORLD).await;
        for (name, text) in &locks {
            std::fs::write(door.folder.path().join(name), text).expect("a file");
        }
        let mut kept = String::new();
        for line in LINES.iter().copied().filter(|line| name != "json" || !line.contains("--csv")) {
            let folder = door.folder.path().display().to_string();
            let line =
                if line.contains("PLAN") { &*line.replace("PLAN", &door.plan_name().await) } else { line };
            let said = door.said(&format!("{line} {option}").replace("FOLDER", &folder)).await;
            assert_no_escape(&said, line);
            let out = if line.starts_with("survey") { in_order(&said.out) } else { said.out };
            writeln!(kept, "$ bumpdesk {line}\n{out}exit {}\n", said.exit).expect("a text takes all");
        }
        transcript::keep(&format!("commands-{name}"), &steady(&door, &kept));
        door.is_untouched();
    }
}

/// `| less -R`: with colours asked for a pipe gets the same text, and nothing else that a terminal obeys.
#[tokio::test(flavor = "multi_thread")]
async fn colours_that_are_asked_for_reach_a_pipe() {
    let door = Door::on(WORLD).await;
    for line in ["list", "show acme/rocket", "diff acme/rocket"] {
        let plain = door.said(&format!("{line} --color=never")).await.out;
        let coloured = door.said(&format!("{line} --color=always")).await.out;
        assert!(coloured.contains("\u{1b}["), "{line}: {coloured:?}");
        let codes = ["0", "1", "31", "32", "33", "34", "35", "36", "90"];
        let text = codes.iter().fold(coloured, |text, code| text.replace(&format!("\u{1b}[{code}m"), ""));
        assert_eq!(text, plain, "{line}");
    }
}

/// What depends on the machine or runs until it is ended has tests of its own.
#[tokio::test(flavor = "multi_thread")]
async fn no_command_is_left_out() {
    let door = Door::on(WORLD).await;
    let known: Vec<&str> = LINES.iter().chain(GENERATED).filter_map(|line| line.split(' ').next()).collect();
    let apart = ["backfill", "clone", "demo", "doctor", "help", "triage"];
    for line in door.said("help --json").await.out.lines() {
        let object: serde_json::Value = serde_json::from_str(line).expect("an object");
        if object["type"] == "command" {
            let name = object["name"].as_str().expect("a name");
            assert!(known.contains(&name) || apart.contains(&name), "no transcript has `{name}`");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn generated_texts_have_no_escape_byte() {
    let door = Door::on(WORLD).await;
    let mut kept = String::new();
    for line in GENERATED {
        for option in ["", "--color=always", "--plain"] {
            let said = door.said(&format!("{line} {option}")).await;
            assert_no_escape(&said, line);
            assert_eq!((said.exit, said.err.as_str()), (0, ""), "{line}");
        }
        let said = door.said(line).await;
        let first = said.out.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        writeln!(kept, "$ bumpdesk {line}\n{first}\n").expect("a text takes all");
    }
    transcript::keep("generated", &kept);
}

/// The surroundings differ from machine to machine: what every line is about stays, and the worst state.
#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_the_same_topics_in_every_form() {
    let door = Door::on(WORLD).await;
    for line in ["doctor", "doctor --online", "doctor --plain", "doctor --json"] {
        let said = door.said(line).await;
        assert_no_escape(&said, line);
        said.is(
            0,
            &[
                "terminal",
                "characters",
                "clipboard",
                "git",
                "token",
                "registry",
                "bumps",
                "state folder",
                "log",
            ],
        );
    }
    let online = door.said("doctor --online").await;
    online.is(0, &["permissions", "with the scopes public_repo", "core: 4,99", "clock", "server", "answers"]);
    let checks = door.said("doctor --json").await.objects();
    for check in checks.iter().filter(|object| object["type"] == "check") {
        assert_eq!(check["state"] == "ok", check["remedy"].is_null(), "{check}");
    }
}

/// What `doctor` says of settings is what somebody set; the others are counted.
#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_lists_the_settings_that_somebody_set() {
    let door = Door::on(WORLD).await;
    let brief = door.said("doctor").await;
    brief.is(0, &["registry = ", "(BUMPDESK_REGISTRY)", " settings at the default; --settings lists them"]);
    brief.is_not(&["(default)"]);
    let whole = door.said("doctor --settings").await;
    whole.is(0, &["pace.git-per-second", "(default)"]);
    whole.is_not(&["--settings lists them"]);
    door.said("doctor --json").await.is(0, &["pace.git-per-second"]);
}

/// The list of a command counts and orders as the console does: what nobody checked needs no attention yet.
#[tokio::test(flavor = "multi_thread")]
async fn the_list_counts_and_orders_as_the_console_does() {
    let door = Door::on(WORLD).await;
    door.said("list").await.is(0, &["3 entries, none checked yet; "]);
    door.said("survey acme/rocket").await.is(0, &[]);
    let list = door.said("list").await;
    list.is(0, &["3 entries, 0 need attention, 1 can wait, 2 not checked; "]);
    assert!(list.out.contains("BEHIND"), "{list}");
    assert!(
        list.out.lines().next().expect("a row").contains("acme/rocket"),
        "what is gravest comes first: {list}"
    );
    door.said("list --filter ns:umbrella").await.is(0, &["1 of 3 entries, none checked yet; "]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_says_that_older_lines_are_left_out() {
    let door = Door::on(WORLD).await;
    door.put("providers/a/acme/quiet.json", b"{");
    for _ in 0..3 {
        door.said("survey acme/quiet --max-age 0").await;
    }
    let count = door.said("log --errors --last 100").await.out.lines().count();
    assert!(count > 2, "{count}");
    let cut = door.said("log --errors --last 2").await;
    cut.is(0, &["log done: 2 entries", "older lines are left out; --last N prints more of them"]);
    assert_eq!(cut.out.lines().count(), 2, "{cut}");
    let whole = door.said(&format!("log --errors --last {count}")).await;
    whole.is(0, &[&format!("log done: {count} entries")]);
    whole.is_not(&["left out"]);
}

/// The codes that scripts go by, each at least once. 130 needs a process of its own.
#[tokio::test(flavor = "multi_thread")]
async fn exit_codes() {
    let mut door = Door::on(WORLD).await;
    for (line, exit) in [
        ("survey", 0),
        ("diff acme/rocket", 0),
        ("diff acme/rocket --check", 1),
        ("survey --check", 1),
        ("plan add acme/rocket", 0),
        ("plan approve acme/rocket", 4),
        ("plan approve acme/quiet", 2),
        ("show acme/nobody", 2),
        ("list --sort sideways", 2),
        ("--plain", 2),
        ("", 2),
    ] {
        let said = door.said(line).await;
        assert_eq!(said.exit, exit, "{line}: {said}");
    }
    // One broken file is that entry's trouble: the rest is done.
    std::fs::write(door.registry.join("providers/a/acme/quiet.json"), "{").expect("a file");
    door.said("survey --max-age 0").await.is(5, &["broken"]);
    let nobody = closed_port();
    door.point(&nobody, &nobody, &nobody);
    door.said("survey acme/rocket --max-age 0").await.is(3, &[]);
}

/// An interrupted command ends with 130 and says that it can go on.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_command_ends_with_130() {
    let mut door = Door::on(WORLD).await;
    // Takes connections and never answers: once one came, the survey waits for it.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let deaf = format!("http://{}", listener.local_addr().expect("an address"));
    door.point(&deaf, &deaf, &deaf);
    let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
    command.args(["survey", "--no-throttle"]).current_dir(door.folder.path());
    command.env_clear().env("HOME", door.folder.path());
    command.envs(door.variables.iter().map(|(name, value)| (name, value)));
    let survey = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let connection = listener.accept().expect("a connection");
    let sent = Command::new("kill").args(["-INT", &survey.id().to_string()]).status();
    assert!(sent.expect("there is a `kill`").success());
    let output = survey.wait_with_output().expect("it ends");
    drop(connection);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("the same command continues") && !said.contains('\u{1b}'), "{said}");
}

/// One command in the demo world: it works without network, sends nobody's token there, and ends as it would elsewhere.
#[test]
fn a_command_runs_in_the_demo_world() {
    stamped!(crate::PROGRAM);
    let home = tempfile::tempdir().expect("a folder");
    let run_with = |options: &[&str], words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.arg("demo").args(options).arg("--").args(words).current_dir(home.path()).env_clear();
        command.env("HOME", home.path()).env("PATH", std::env::var_os("PATH").expect("a path"));
        let output = command.env("GH_TOKEN", "ghp_canary").output().expect("it runs");
        let (out, err) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
        (output.status.code(), out.expect("UTF-8"), err.expect("UTF-8"))
    };
    let run = |words: &[&str]| run_with(&[], words);
    let (exit, _, err) = run_with(&["--from", "nowhere"], &["list"]);
    assert_eq!(exit, Some(2), "{err}");
    for (words, code, said) in [
        (&["verify", "stonewharf/sundial@4.8.0", "--json"][..], 0, "\"signature\":{\"is\":\"good\""),
        (&["verify", "emberlight/bellows@3.14.1"], 1, "MISMATCH"),
        (
            &["verify", "stonewharf/sundial@4.8.0"],
            0,
            "bumpdesk: the demo folder and its report are deleted; --report FILE keeps a copy\n",
        ),
        (&["lock", "stonewharf/sundial@4.8.0"], 0, "provider \"registry.opentofu.org/stonewharf/sundial\" {"),
        (&["list", "--filter", "status:key-mismatch", "--json"], 0, "brambleworks/ropewalk"),
        (&["lisst"], 2, "unrecognized subcommand 'lisst'"),
        (&["demo"], 2, "`demo` cannot run in the demo world"),
        (&["verify", "--help"], 2, "without `demo --`"),
        (&["list", "--filter", "rookery", "--plain"], 0, "1. BEHIND owlbarn/rookery"),
        (
            &["list", "--registry", "elsewhere"],
            2,
            "in the demo world `--registry` is set by the world itself",
        ),
        (&["plan"], 2, "`plan` needs one of its own commands: add, "),
        (&["config"], 2, "`config` needs one of its own commands: check"),
        (&["pr", "watch", "x"], 2, "`bumpdesk pr --help` says what it takes"),
        // Writing is allowed there, in its own world.
        (&["pr", "resume", "4f21c0"], 2, "nothing was sent from here under 4f21c0"),
    ] {
        let (exit, out, err) = run(words);
        assert_eq!(exit, Some(code), "{words:?}: {out}{err}");
        assert!(format!("{out}{err}").contains(said), "{words:?}: {out}{err}");
        assert!(!err.contains("no token"), "{words:?}: {err}");
    }
}
