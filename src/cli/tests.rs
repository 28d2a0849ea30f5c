#![expect(clippy::disallowed_methods, reason = "folders and files of tests")]

use std::path::Path;

use clap::CommandFactory;

use super::*;
use crate::cli::backfill::{BackfillAction, BackfillArgs};
use crate::desk::intent::Intent;
use crate::desk::naming;
use crate::jobs::data::{Failure, Scope};
use crate::registry::Catalog;

const CANARY: &str = "ghp_canary4711";

/// The intent for the desk that a command line gives.
pub(crate) fn intent(line: &str, catalog: &Catalog) -> Result<Intent, Failure> {
    let words = std::iter::once("bumpdesk").chain(line.split_whitespace());
    match CommandLine::read(words).expect(line).command.expect(line) {
        Command::Show(args) => Ok(args.intent(naming::addresses(&args.addresses, catalog)?.remove(0))),
        Command::Diff(args) => Ok(args.intent(naming::address(&args.addresses[0], catalog)?)),
        Command::Survey(args) if args.addresses.is_empty() => Ok(args.intent(Scope::Everything)),
        Command::Survey(args) => {
            Ok(args.intent(Scope::Addresses(naming::addresses(&args.addresses, catalog)?)))
        }
        Command::Verify(args) => Ok(args.intent(args.named(catalog)?)),
        Command::Plan(args) => Ok(args.intent(catalog)?.expect("it does more than show")),
        Command::Pr(args) => Ok(args.intent()),
        Command::Review(args) => Ok(args.intent()),
        Command::Triage(args) => Ok(args.intent()),
        Command::Stranded(args) => args.intent(jiff::Timestamp::UNIX_EPOCH),
        Command::Backfill(BackfillArgs { action: BackfillAction::Rerun(args) }) => Ok(args.intent()),
        other => panic!("{other:?} asks nothing of the desk"),
    }
}

/// Returns true if there is such a command.
pub(crate) fn is_command(line: &str) -> bool {
    CommandLine::read(std::iter::once("bumpdesk").chain(line.split_whitespace())).is_ok()
}

/// The names of all commands.
pub(crate) fn names() -> Vec<String> {
    CommandLine::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The exit and the output of a command line.
struct Output {
    exit: Exit,
    out: String,
    err: String,
}

async fn output_of(folder: &Path, variables: &[(&str, &str)], line: &str) -> Output {
    let mut variables = variables.to_vec();
    variables.push(("GH_TOKEN", CANARY));
    let environment = Environment::made_up(folder, &variables);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("bumpdesk").chain(line.split_whitespace()).map(OsString::from).collect();
    let exit = run(args, &environment, NO_CONSOLE, &mut out, &mut err).await;
    let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
    for text in [&out, &err] {
        assert!(!text.contains("canary"), "{line}: {text}");
        assert!(!text.contains('\u{1b}'), "{line}: {text:?}");
    }
    Output { exit, out, err }
}

fn registry() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("providers/n/newrelic/newrelic.json", "{\n  \"versions\": []\n}"),
        ("providers/h/hashicorp/aws.json", "{\n  \"versions\": []\n}\n"),
        (
            "modules/a/acme/vpc/aws.json",
            "{\n  \"versions\": [\n    {\n      \"version\": \"v1.0\\u001b[2J\"\n    }\n  ]\n}",
        ),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// The objects of a JSON stream, and that the last and only the last is the outcome.
fn objects(out: &str) -> Vec<serde_json::Value> {
    let objects: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let outcomes: Vec<bool> = objects.iter().map(|object| object["type"] == "outcome").collect();
    assert_eq!(outcomes.iter().filter(|is| **is).count(), 1, "{out}");
    assert_eq!(outcomes.last(), Some(&true), "{out}");
    assert!(objects.iter().all(|object| object["v"] == 1), "{out}");
    objects
}

#[tokio::test]
async fn help_and_generated_texts_go_to_standard_output() {
    let nowhere = tempfile::tempdir().unwrap();
    for (line, wanted) in [
        ("--help", "Exit codes:"),
        ("list --help", "Filter terms"),
        ("help survey", "--max-age"),
        ("help configuration", "| `ui.theme` |"),
        ("--version", "bumpdesk "),
        ("man", ".TH bumpdesk"),
        ("completions bash", "_bumpdesk"),
    ] {
        let said = output_of(nowhere.path(), &[], line).await;
        assert_eq!((said.exit, said.err.as_str()), (Exit::Done, ""), "{line}");
        assert!(said.out.contains(wanted), "{line}: {}", said.out);
    }
}

#[tokio::test]
async fn text_is_as_wide_as_the_terminal_and_unbounded_in_a_pipe() {
    let folder = registry();
    for (line, wanted) in
        [("list", "not checked yet"), ("show acme/vpc/aws", "not checked"), ("doctor", "--settings")]
    {
        for (columns, terminal) in [(60, true), (100, true), (60, false)] {
            let mut environment = Environment::made_up(folder.path(), &[]);
            environment.stdout_is_terminal = terminal;
            let size: fn() -> _ = if columns == 60 { || Some((60, 20)) } else { || Some((100, 20)) };
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let words = format!("{line} --color never");
            let args = std::iter::once("bumpdesk").chain(words.split(' ')).map(OsString::from).collect();
            run(args, &environment, Console { size, ..NO_CONSOLE }, &mut out, &mut err).await;
            let text = String::from_utf8(out).unwrap();
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= columns || !terminal, "{line} {columns}: {text}");
            assert!(widest > columns || terminal || line != "doctor", "{line}: {text}");
            assert!(columns == 60 && line == "list" || text.contains(wanted), "{line}: {text}");
        }
    }
}

#[tokio::test]
async fn help_is_paged_where_it_is_longer_than_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("paged");
    let pager = format!("cat > '{}'", copy.display());
    let path = std::env::var("PATH").unwrap();
    for (line, terminal, wanted) in [
        ("help statuses", true, true),
        ("help plan add", true, true),
        ("help exit-codes", true, false),
        ("help statuses --plain", true, false),
        ("help statuses --json", true, false),
        ("help statuses", false, false),
    ] {
        let mut environment = Environment::made_up(folder.path(), &[("PAGER", &pager), ("PATH", &path)]);
        environment.stdin_is_terminal = terminal;
        environment.stdout_is_terminal = terminal;
        let console = Console { size: || Some((80, 20)), ..NO_CONSOLE };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let args = std::iter::once("bumpdesk").chain(line.split(' ')).map(OsString::from).collect();
        let exit = run(args, &environment, console, &mut out, &mut err).await;
        assert_eq!((exit, err.len()), (Exit::Done, 0), "{line}");
        let seen = std::fs::read_to_string(&copy).ok();
        assert_eq!((seen.is_some(), out.is_empty()), (wanted, wanted), "{line}, terminal: {terminal}");
        if let Some(text) = seen {
            assert!(text.contains("STRANDED") || text.contains("Usage: bumpdesk plan add"), "{text}");
            std::fs::remove_file(&copy).unwrap();
        }
    }
}

#[tokio::test]
async fn help_lists_every_topic_and_suggests_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let list = output_of(folder.path(), &[], "help").await;
    assert!(list.out.contains("  statuses         What each status means\n"), "{}", list.out);
    assert!(list.out.contains("  survey           Read upstream and judge"), "{}", list.out);
    let plain = output_of(folder.path(), &[], "help --plain").await;
    assert!(plain.out.contains("topic statuses: What each status means\n"), "{}", plain.out);
    for line in ["help stauses", "help stauses --json"] {
        let unknown = output_of(folder.path(), &[], line).await;
        let told = format!("{}{}", unknown.out, unknown.err);
        assert_eq!(unknown.exit, Exit::Usage, "{told}");
        for wanted in
            ["there is no topic and no command `stauses`", "Write `statuses` if", "Topics: getting-started, "]
        {
            assert!(told.contains(wanted), "{told}");
        }
    }
    let begun = output_of(folder.path(), &[], "help verif").await;
    assert!(
        begun.err.contains("Write `verify` if") || begun.err.contains("Write `verification` if"),
        "{}",
        begun.err
    );
    // A topic is no option, and options of commands are not theirs.
    let page = output_of(folder.path(), &[], "help verify --json").await;
    assert!(
        objects(&page.out)[0]["text"].as_str().unwrap().contains("Usage: bumpdesk verify"),
        "{}",
        page.out
    );
}

#[tokio::test]
async fn wrong_use_ends_with_two_and_a_remedy() {
    let folder = registry();
    let cases = [
        ("no-such-command", "unrecognized subcommand"),
        ("list --filter foo:bar", "character 1: there is no field `foo:`"),
        ("list --status beind", "known statuses: unusable, gone, ghost, drift"),
        ("lint --rule byte", "Write `bytes` instead."),
        ("show newrelic/newrelik", "Write `newrelic/newrelic` if you mean that."),
        ("show newrelic", "`newrelic` is not an address"),
        ("survey hashicorp/asw", "Write `hashicorp/aws` if you mean that."),
        ("diff hashicorp/asw", "the registry has no provider `hashicorp/asw`"),
        ("bump hashicorp/asw", "the registry has no provider `hashicorp/asw`"),
        ("list --registry nowhere", "is not a folder (from --registry)"),
        ("list --feature module-commit=off", "Write `module-commits` instead."),
        ("survey --no-throttle", "`--no-throttle` is for servers on this machine"),
        ("survey --api-url http://github.com", "use https"),
        ("pr open --plan 7c1e9a", "<--dry-run|--confirm <DIGITS>>"),
        ("demo -- pr open --plan 7c1e9a", "<--dry-run|--confirm <DIGITS>>"),
        ("demo -- pr opn", "a similar subcommand exists: 'open'. Usage: bumpdesk pr <COMMAND>"),
        ("", "it needs a terminal"),
    ];
    for (line, wanted) in cases {
        let said = output_of(folder.path(), &[], line).await;
        assert_eq!(said.exit, Exit::Usage, "{line}: {}", said.err);
        assert_eq!(said.out, "", "{line}");
        assert!(said.err.contains(wanted), "{line}: {}", said.err);
    }
}

#[tokio::test]
async fn failures_are_objects_too() {
    let folder = registry();
    for line in ["list --json --filter foo:bar", "show x/y --json", "survey --no-throttle --json", "--json"] {
        let said = output_of(folder.path(), &[], line).await;
        let objects = objects(&said.out);
        assert_eq!(said.exit, Exit::Usage, "{line}");
        assert_eq!(objects[0]["exit"], 2, "{line}");
        assert_eq!(objects[0]["failure"]["kind"], "usage", "{line}");
        assert_eq!(said.err, "", "{line}");
    }
}

#[tokio::test]
async fn a_broken_configuration_is_named_and_hides_no_help() {
    let folder = registry();
    std::fs::create_dir_all(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/config.toml"), "[ui]\ncolour = \"never\"\n").unwrap();
    let listed = output_of(folder.path(), &[], "list").await;
    assert_eq!(listed.exit, Exit::Usage);
    assert!(listed.err.contains("config.toml:2:1`: there is no key `ui.colour`"), "{}", listed.err);
    assert!(listed.err.contains("Write `color` instead."), "{}", listed.err);
    assert_eq!(output_of(folder.path(), &[], "man").await.exit, Exit::Done);
    assert_eq!(output_of(folder.path(), &[], "help configuration").await.exit, Exit::Done);
}

#[tokio::test]
async fn a_registry_is_listed() {
    let folder = registry();
    let listed = output_of(folder.path(), &[], "list --plain").await;
    assert_eq!(listed.exit, Exit::Done, "{}", listed.err);
    assert_eq!(
        listed.out,
        "1. UNKNOWN hashicorp/aws, provider\n2. UNKNOWN newrelic/newrelic, provider\n3. UNKNOWN acme/vpc/aws, module\n"
    );
    assert!(listed.err.contains("3 entries, none checked yet"), "{}", listed.err);
    let modules = output_of(folder.path(), &[], "list --json --kind module").await;
    let objects = objects(&modules.out);
    assert_eq!((objects.len(), &objects[0]["address"]), (2, &"acme/vpc/aws".into()));
    assert_eq!(objects[1]["statuses"]["unknown"], 1);
    let csv = output_of(folder.path(), &[], "list --csv --filter ns:hashicorp").await;
    assert_eq!(csv.out.lines().count(), 2, "{}", csv.out);
}

#[tokio::test]
async fn an_entry_is_shown_without_raw_escapes() {
    let folder = registry();
    let shown = output_of(folder.path(), &[], "show module acme/vpc/aws").await;
    assert_eq!(shown.exit, Exit::Done, "{}", shown.err);
    assert!(
        shown.out.contains("? UNKNOWN ⋅ never checked\nwhat       no survey has compared"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("v1.0\\u{1b}[2J"), "{}", shown.out);
    let shown = output_of(folder.path(), &[], "show acme/vpc/aws --json").await;
    let objects = objects(&shown.out);
    assert_eq!(objects[0]["type"], "entry");
    assert_eq!(objects[0]["because"]["source"], "tags");
}

#[tokio::test]
async fn lint_ends_with_one_if_it_finds_something() {
    let folder = registry();
    let found = output_of(folder.path(), &[], "lint --rule bytes").await;
    assert_eq!(found.exit, Exit::Findings, "{}{}", found.out, found.err);
    assert!(found.out.starts_with("providers/h/hashicorp/aws.json: "), "{}", found.out);
    let clean = output_of(folder.path(), &[], "lint newrelic/newrelic --rule bytes --json").await;
    assert_eq!((clean.exit, objects(&clean.out).len()), (Exit::Done, 1), "{}", clean.out);
}

#[tokio::test]
async fn doctor_names_origins_and_no_secret() {
    let folder = registry();
    let variables = [("BUMPDESK_WEB_URL", "http://127.0.0.1:9"), ("TERM", "xterm-256color")];
    let doctor = output_of(folder.path(), &variables, "doctor --settings --state-dir elsewhere").await;
    assert_eq!(doctor.exit, Exit::Done, "{}", doctor.err);
    for wanted in [
        "ok   token          present, from GH_TOKEN",
        "endpoints.web = http://127.0.0.1:9 (BUMPDESK_WEB_URL)",
        "endpoints.api = https://api.github.com (default)",
        "elsewhere (--state-dir)",
        "note git            `git` is not in PATH",
        "the terminal has 256",
    ] {
        assert!(doctor.out.contains(wanted), "{wanted}\n{}", doctor.out);
    }
    assert!(!folder.path().join("elsewhere").exists());
    let json = output_of(folder.path(), &variables, "doctor --json").await;
    assert!(objects(&json.out).iter().any(|object| object["topic"] == "token"));
}

#[tokio::test]
async fn cloning_needs_git_and_an_empty_place() {
    let folder = registry();
    let taken = output_of(folder.path(), &[], "clone providers").await;
    assert_eq!(taken.exit, Exit::Usage);
    assert!(taken.err.contains("already exists"), "{}", taken.err);
    let missing = output_of(folder.path(), &[], "clone new").await;
    assert!(
        missing.err.contains("`git` is not in PATH") && missing.err.contains("Install git."),
        "{}",
        missing.err
    );
}

#[tokio::test]
async fn the_keys_of_the_console_are_listed() {
    let folder = registry();
    let text = output_of(folder.path(), &[], "keys").await;
    assert_eq!(
        (text.exit, text.out.as_str()),
        (Exit::Done, "Inventory, one entry\n  d                build           survey this\n")
    );
    let json = output_of(folder.path(), &[], "keys --json").await;
    let first = &objects(&json.out)[0];
    assert_eq!(
        (&first["type"], &first["keys"], &first["name"]),
        (&"key".into(), &"d".into(), &"build".into())
    );
}

/// Tests have no terminal: nothing may come as far as opening this.
const NO_CONSOLE: Console = Console {
    open: |_, _| Box::pin(async { unreachable!("the console was opened") }),
    lines: |_, _, _| Box::pin(async { unreachable!("the line mode was opened") }),
    keys: |_| KeyTable {
        rows: vec![KeyRow {
            place: "Inventory, one entry".into(),
            contexts: vec!["inventory", "entry"],
            keys: vec!["d".into()],
            name: "build",
            label: "survey this",
            command: None,
            line: None,
            only_drawn: None,
        }],
        mistakes: Vec::new(),
        taken: Vec::new(),
    },
    themes: |_| Vec::new(),
    no_theme: |_| None,
    size: || None,
};

#[tokio::test]
async fn views_are_saved_listed_used_and_deleted() {
    let folder = registry();
    let run = |line: &'static str| output_of(folder.path(), &[], line);
    let saved = run("view save mine --filter kind:provider --sort address").await;
    assert_eq!((saved.exit, saved.out.as_str()), (Exit::Done, ""), "{}", saved.err);
    assert!(saved.err.contains("view `mine` saved"));
    let listed = run("view list").await;
    assert!(listed.out.contains("attention") && listed.out.contains("kind:provider"), "{}", listed.out);
    let json = objects(&run("view list --json").await.out);
    let mine = json.iter().find(|object| object["name"] == "mine").unwrap();
    assert_eq!((&mine["type"], &mine["built_in"]), (&"view".into(), &false.into()));
    let rows = run("list --csv --view MINE").await;
    assert_eq!(rows.out.lines().count(), 3, "{}", rows.out);
    let fewer = run("list --csv --view mine --filter aws").await;
    assert_eq!(fewer.out.lines().count(), 2, "{}", fewer.out);
    let grouped = run("list --csv --sort newest --group kind").await;
    assert!(grouped.out.lines().last().unwrap().contains("acme/vpc/aws"), "{}", grouped.out);
    for (line, exit, part) in [
        ("list --view mien", Exit::Usage, "did you mean `mine`"),
        ("list --sort moonwise", Exit::Usage, "known orders: status"),
        ("view save all", Exit::Usage, "built in"),
        ("view save x --filter foo:bar", Exit::Usage, "there is no field `foo:`"),
        ("view delete attention", Exit::Usage, "built in and cannot be deleted"),
        ("view delete mine", Exit::Done, "view `mine` deleted"),
        ("view delete mine", Exit::Usage, "there is no view `mine`"),
    ] {
        let said = run(line).await;
        assert_eq!(said.exit, exit, "{line}: {}", said.err);
        assert!(said.err.contains(part), "{line}: {}", said.err);
    }
}
