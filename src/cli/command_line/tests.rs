use clap::CommandFactory;

use super::*;
use crate::cli::values::DepthWord;
use crate::rules::{Mode, Status};

fn parse(line: &str) -> Result<CommandLine, clap::Error> {
    CommandLine::read(std::iter::once("bumpdesk").chain(line.split_whitespace()))
}

#[test]
fn the_definition_is_sound() {
    CommandLine::command().debug_assert();
}

#[test]
fn every_option_has_a_text_and_every_command_an_example() {
    fn check(command: &clap::Command) {
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
        }
        let example = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        assert!(example.contains("bumpdesk"), "{}", command.get_name());
        command.get_subcommands().filter(|sub| sub.get_name() != "help").for_each(check);
    }
    let mut command = CommandLine::command();
    command.build();
    check(&command);
}

#[test]
fn help_tells_the_options_of_every_command_once() {
    fn check(command: &mut clap::Command) {
        for help in [command.render_help().to_string(), command.render_long_help().to_string()] {
            assert!(!help.contains("--api-url"), "{help}");
            assert!(help.contains("such as --registry") && help.contains("bumpdesk --help"), "{help}");
        }
        command.get_subcommands_mut().for_each(check);
    }
    let mut all = CommandLine::definition();
    assert!(all.render_long_help().to_string().contains("--api-url"));
    all.get_subcommands_mut().for_each(check);
    assert!(parse("list --api-url http://127.0.0.1:1").unwrap().global.api_url.is_some());
    assert!(parse("plan add a/b --registry /r").unwrap().global.registry.is_some());
}

#[test]
fn what_help_hides_is_not_proposed() {
    assert!(!parse("--nope").unwrap_err().to_string().contains("--now"));
    assert!(parse("--jsn").unwrap_err().to_string().contains("--json"));
}

#[test]
fn options_are_global_and_reach_boot() {
    let args = parse(
        "survey --registry /r --api-url http://127.0.0.1:1 --feature a=off --feature b=on --no-throttle --json --color never --plain --now 2026-01-01T00:00:00Z",
    )
    .unwrap();
    assert!(args.global.json);
    let flags = args.global.flags();
    let value = |key: &str| {
        flags
            .values
            .iter()
            .find(|(known, _)| *known == key)
            .map(|(_, value)| value.to_str().unwrap().to_owned())
    };
    assert_eq!(value("registry").as_deref(), Some("/r"));
    assert_eq!(value("endpoints.api").as_deref(), Some("http://127.0.0.1:1"));
    assert_eq!(value("ui.color").as_deref(), Some("never"));
    assert_eq!(value("ui.plain").as_deref(), Some("true"));
    assert_eq!(value("ui.ascii"), None);
    assert!(value("now").is_some());
    assert_eq!(flags.features, ["a=off", "b=on"]);
    assert!(flags.no_throttle && !flags.no_token);
}

#[test]
fn commands_read_their_options() {
    let Some(Command::List(list)) =
        parse("list --status behind,STRANDED --status ok --kind module").unwrap().command
    else {
        panic!("no list");
    };
    let statuses: Vec<Status> = list.status.into_iter().flat_map(|word| word.0).collect();
    assert_eq!(statuses, [Status::Behind, Status::Stranded, Status::Current]);
    let Some(Command::Survey(survey)) = parse("survey a/b c/d --depth sums").unwrap().command else {
        panic!("no survey");
    };
    assert_eq!((survey.addresses.len(), survey.depth, survey.max_age.as_secs()), (2, DepthWord::Sums, 900));
    let Some(Command::Diff(diff)) = parse("diff a/b --mode refresh=1.0.0,1.1.0").unwrap().command else {
        panic!("no diff");
    };
    assert_eq!(diff.mode, Mode::Refresh(vec!["1.0.0".into(), "1.1.0".into()]));
    let Some(Command::Bump(bump)) = parse("bump --prefix a --dry-run").unwrap().command else {
        panic!("no bump");
    };
    assert!(bump.dry_run && bump.max_age.is_zero() && bump.prefix.as_deref() == Some("a"));
    assert!(parse("").unwrap().command.is_none());
}

#[test]
fn wrong_use_is_refused() {
    for line in [
        "list --status beind",
        "list --csv --json",
        "survey a/b --prefix a",
        "survey --max-age soon",
        "diff",
        "diff a/b --mode refresh=",
        "diff a/b --mode rebuild",
        "show",
        "nonsense",
        "demo --from x --world y",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}
