#![expect(clippy::disallowed_methods, reason = "folders and configuration files of tests")]

use super::*;

fn flags(values: &[(&'static str, &str)]) -> Flags {
    Flags { values: values.iter().map(|(key, value)| (*key, value.into())).collect(), ..Flags::default() }
}

fn origin(settings: &Settings, key: &str) -> String {
    settings.origins.iter().find(|one| one.key == key).map(|one| one.origin.to_string()).unwrap_or_default()
}

/// A folder with a configuration file in its `config` folder.
fn folder(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/config.toml"), config).unwrap();
    folder
}

#[test]
fn later_sources_win_and_each_value_knows_its_origin() {
    let folder = folder(
        "[endpoints]\napi = \"https://config/api/v3\"\nweb = \"https://config\"\nserved = \"https://config/\"\n[ui]\nascii = true\n",
    );
    let environment = Environment::made_up(
        folder.path(),
        &[("BUMPDESK_WEB_URL", "https://variable"), ("BUMPDESK_API_URL", "https://variable/")],
    );
    let settings =
        Settings::resolve(&flags(&[("endpoints.api", "https://flag/api/v3/")]), &environment).unwrap();
    assert_eq!(settings.endpoints.api, "https://flag/api/v3");
    assert_eq!(settings.endpoints.graphql, "https://flag/api/graphql");
    assert_eq!(settings.endpoints.web, "https://variable");
    assert_eq!(settings.endpoints.served, "https://config");
    assert_eq!(settings.endpoints.search, Endpoints::default().search);
    assert!(settings.ui.ascii);
    assert_eq!(origin(&settings, "endpoints.api"), "--api-url");
    assert_eq!(origin(&settings, "endpoints.graphql"), "from endpoints.api");
    assert_eq!(origin(&settings, "endpoints.web"), "BUMPDESK_WEB_URL");
    assert!(origin(&settings, "endpoints.served").ends_with("config.toml:4:10"));
    assert_eq!(origin(&settings, "endpoints.search"), "default");
    assert_eq!(settings.state_dir, folder.path().join("state"));
}

#[test]
fn a_graphql_url_that_was_said_as_late_as_the_api_stays() {
    let environment = Environment::made_up("/nowhere", &[("BUMPDESK_GRAPHQL_URL", "https://variable/g")]);
    let both = flags(&[("endpoints.api", "https://flag"), ("endpoints.graphql", "https://flag/q")]);
    assert_eq!(Settings::resolve(&both, &environment).unwrap().endpoints.graphql, "https://flag/q");
    let api = flags(&[("endpoints.api", "https://flag")]);
    assert_eq!(Settings::resolve(&api, &environment).unwrap().endpoints.graphql, "https://flag/graphql");
    assert_eq!(Settings::resolve(&flags(&[]), &environment).unwrap().endpoints.graphql, "https://variable/g");
}

#[test]
fn throttles_are_lifted_for_loopback_alone() {
    let local = [
        ("endpoints.api", "http://127.0.0.1:1/api"),
        ("endpoints.web", "http://localhost:2"),
        ("endpoints.graphql", "http://[::1]:3/graphql"),
    ];
    let environment = Environment::made_up("/nowhere", &[]);
    let with = |values: &[(&'static str, &str)]| Flags { no_throttle: true, ..flags(values) };
    let settings = Settings::resolve(&with(&local), &environment).unwrap();
    assert_eq!(settings.pace.git, Pace::unlimited().git);
    assert_eq!(settings.pace.served, Pace::default().served);
    // A watch has no end, so its pace stays as it was.
    assert_eq!(settings.pace.watch, Pace::default().watch);
    let slower = folder("[pace]\nwatch-seconds = 120\n");
    let slower = Environment::made_up(slower.path(), &[]);
    assert_eq!(Settings::resolve(&with(&local), &slower).unwrap().pace.watch, Duration::from_mins(2));
    for left_out in 0..local.len() {
        let mut values = local.to_vec();
        let (key, _) = values.remove(left_out);
        values.push((key, "https://github.com"));
        let failure = Settings::resolve(&with(&values), &environment).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Usage);
        assert!(failure.causes[0].contains("`--no-throttle` is for servers on this machine"), "{failure:?}");
    }
    assert!(Settings::resolve(&with(&[]), &environment).is_err());
}

#[test]
fn bad_values_name_their_source() {
    let environment = Environment::made_up("/nowhere", &[("BUMPDESK_NOW", "yesterday")]);
    let failure = Settings::resolve(&flags(&[]), &environment).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Config);
    assert!(failure.causes[0].starts_with("`BUMPDESK_NOW` cannot be `yesterday`"), "{failure:?}");
    let environment = Environment::made_up("/nowhere", &[]);
    let cases = [
        (flags(&[("endpoints.web", "github.com")]), "`--web-url` cannot be `github.com`"),
        (flags(&[("registry", "not-there")]), "`/nowhere/not-there` is not a folder (from --registry)"),
        (Flags { features: vec!["module-commit=off".into()], ..Flags::default() }, "there is no feature"),
        (
            Flags { features: vec!["module-commits".into()], ..Flags::default() },
            "`--feature module-commits` is",
        ),
        (
            Flags { config: Some("none.toml".into()), ..Flags::default() },
            "`/nowhere/none.toml` cannot be read",
        ),
    ];
    for (flags, start) in cases {
        let failure = Settings::resolve(&flags, &environment).unwrap_err();
        assert!(failure.causes[0].starts_with(start), "{failure:?}");
    }
}

#[test]
fn features_pace_and_clock_are_read() {
    let folder = folder(
        "[features]\nversions-errors = false\nmodule-commits = false\n[pace]\ngit-per-second = 2.5\napi-at-once = 1\n",
    );
    let environment = Environment::made_up(folder.path(), &[("BUMPDESK_NOW", "2026-09-22T12:00:00Z")]);
    let on = Flags { features: vec!["module-commits=on".into()], ..Flags::default() };
    let settings = Settings::resolve(&on, &environment).unwrap();
    assert!(settings.features.has(Feature::ModuleCommits) && !settings.features.has(Feature::VersionsErrors));
    assert_eq!(settings.pace.git.per_second, Some(2.5));
    assert_eq!((settings.pace.api.at_once, settings.pace.feed), (1, Pace::default().feed));
    assert_eq!(settings.clock, Clock::Fixed("2026-09-22T12:00:00Z".parse().unwrap()));
}

#[test]
fn the_registry_is_found_around_the_current_folder() {
    let folder = folder("");
    let deep = folder.path().join("registry/providers/n/newrelic");
    std::fs::create_dir_all(&deep).unwrap();
    let registry = folder.path().join("registry");
    let settings = Settings::resolve(&flags(&[]), &Environment::made_up(&deep, &[])).unwrap();
    assert_eq!(settings.registry.as_deref(), Some(registry.as_path()));
    assert_eq!(origin(&settings, "registry"), "from the current folder");
    // A folder named `modules` alone makes no registry.
    let other = folder.path().join("other/modules/network");
    std::fs::create_dir_all(&other).unwrap();
    assert_eq!(Settings::resolve(&flags(&[]), &Environment::made_up(&other, &[])).unwrap().registry, None);
    let named = Environment::made_up(&other, &[("BUMPDESK_REGISTRY", "../../../registry")]);
    assert!(Settings::resolve(&flags(&[]), &named).unwrap().registry.is_some());
}

#[test]
fn colour_needs_a_terminal_or_a_word_and_plain_follows_conventions() {
    type Case =
        (&'static [(&'static str, &'static str)], &'static [(&'static str, &'static str)], bool, bool, bool);
    let cases: [Case; 8] = [
        (&[], &[], true, true, false),
        (&[], &[], false, false, false),
        (&[], &[("ui.color", "always")], false, true, false),
        (&[("NO_COLOR", "1")], &[], true, false, false),
        (&[("NO_COLOR", "1")], &[("ui.color", "always")], true, true, false),
        (&[("TERM", "dumb")], &[], true, false, true),
        (&[("ACCESSIBLE", "1")], &[], true, false, true),
        (&[("ACCESSIBLE", "1"), ("BUMPDESK_PLAIN", "0")], &[], true, true, false),
    ];
    for (variables, values, terminal, color, plain) in cases {
        let mut environment = Environment::made_up("/nowhere", variables);
        environment.stdout_is_terminal = terminal;
        let ui = Settings::resolve(&flags(values), &environment).unwrap().ui;
        assert_eq!((ui.color, ui.plain), (color, plain), "{variables:?} {values:?} {terminal}");
    }
}

#[tokio::test]
async fn the_token_is_refused_on_demand_and_never_shown() {
    let environment = Environment::made_up("/nowhere", &[("GH_TOKEN", "canary-77")]);
    let mut settings = Settings::resolve(&flags(&[]), &environment).unwrap();
    settings.find_token(&environment).await;
    assert!(settings.token.is_some());
    assert!(!format!("{settings:?} {:?}", settings.env_options()).contains("canary"));
    let no_token = Flags { no_token: true, ..Flags::default() };
    let mut settings = Settings::resolve(&no_token, &environment).unwrap();
    settings.find_token(&environment).await;
    assert!(settings.token.is_none());
    assert_eq!(settings.token_source, TokenSource::Refused);
}
