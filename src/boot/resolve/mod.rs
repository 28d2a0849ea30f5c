//! From what was said to typed settings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;

use crate::boot::values::{Values, failure};
use crate::boot::{Environment, Flags, Origin, TokenSource, colours, far_sides, table, themes, token};
use crate::jobs::data::{Failure, FailureKind};
use crate::jobs::{Clock, EnvOptions};
use crate::settings::{ColorDepth, Endpoints, Feature, Features, Ground, Lane, LanePace, Pace, ThemeText};

/// The longest pause that a request sits out. A lane that GitHub holds for longer, such as the rest of an hour without a
/// token, makes its facts unknown instead, and the next run goes on there.
const PATIENCE: Duration = Duration::from_mins(2);
/// A download of which nothing comes for that long is given up, and taken up again where it was.
const SILENCE: Duration = Duration::from_mins(1);

/// The settings of the display.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "switches of the configuration, each by its own name")]
pub struct Ui {
    /// One fact a line, no cursor movement.
    pub(crate) plain: bool,
    /// Colour on standard output: where that is a terminal, or where it is asked for (`| less -R`).
    pub(crate) color: bool,
    /// Glyphs of the ASCII set.
    pub(crate) ascii: bool,
    pub(crate) theme: Option<String>,
    /// The number of colours that the console may use.
    pub(crate) depth: ColorDepth,
    /// The background that the terminal is assumed to have until it reports its own; `None` if it is not known.
    pub(crate) ground: Option<Ground>,
    /// Bars may move.
    pub(crate) motion: bool,
    /// Clicks and the wheel go to the console, and the terminal selects text with Shift.
    pub(crate) mouse: bool,
    /// The command line of a browser.
    pub(crate) browser: Option<String>,
    /// The user's own themes.
    pub(crate) themes: Vec<ThemeText>,
}

/// One setting with its origin, for `doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingOrigin {
    pub(crate) key: &'static str,
    pub(crate) value: String,
    pub(crate) origin: Origin,
}

/// Everything that was said, resolved.
#[derive(Clone, Debug)]
pub struct Settings {
    pub registry: Option<PathBuf>,
    pub reference: Option<String>,
    pub endpoints: Endpoints,
    pub pace: Pace,
    /// True if limits of the servers hold; off only for loopback worlds.
    pub throttle: bool,
    /// True if writing to GitHub was allowed: by a flag at each start, never by a file or a variable.
    pub may_write: bool,
    pub features: Features,
    pub token: Option<SecretString>,
    pub token_source: TokenSource,
    pub state_dir: PathBuf,
    pub cache_dir: PathBuf,
    pub clock: Clock,
    pub ui: Ui,
    /// The configuration file that was read.
    pub config_file: Option<PathBuf>,
    /// The origin of each setting.
    pub origins: Vec<SettingOrigin>,
    no_token: bool,
}

impl Settings {
    /// Resolves all sources. The token is looked for apart ([`Settings::find_token`]), since that may start a program.
    ///
    /// # Errors
    /// A value that its setting does not take, named with its place; a registry that is not there; `--no-throttle` with
    /// a server that is not on this machine.
    pub fn resolve(flags: &Flags, environment: &Environment) -> Result<Self, Failure> {
        let (mut values, config_file) = Values::gather(flags, environment)?;
        derive(&mut values, environment);
        let endpoints = endpoints(&values);
        let pace = if flags.no_throttle { unthrottled(&endpoints, pace(&values))? } else { pace(&values) };
        let folder = |key: &str| values.path(key).ok_or_else(|| no_home(key));
        let settings = Self {
            registry: registry(&values)?,
            reference: flags.reference.clone(),
            pace,
            throttle: !flags.no_throttle,
            may_write: flags.may_write,
            features: features(&values),
            token: None,
            token_source: TokenSource::NotNeeded,
            state_dir: folder("state-dir")?,
            cache_dir: folder("cache-dir")?,
            clock: clock(&values),
            ui: ui(&values, environment),
            config_file,
            origins: Vec::new(),
            no_token: flags.no_token,
            endpoints,
        };
        Ok(Self { origins: origins(&settings, &values), ..settings })
    }

    /// Looks for the token, unless that was refused.
    pub async fn find_token(&mut self, environment: &Environment) {
        (self.token, self.token_source) = if self.no_token {
            (None, TokenSource::Refused)
        } else {
            token::find(environment, &self.endpoints.web).await
        };
    }

    /// The options from which the world of the jobs is built.
    pub fn env_options(&self) -> EnvOptions {
        EnvOptions {
            registry: self.registry.clone(),
            reference: self.reference.clone(),
            endpoints: self.endpoints.clone(),
            pace: self.pace,
            token: self.token.clone(),
            token_name: self.token_source.name(),
            throttle: self.throttle,
            may_write: self.may_write,
            patience: PATIENCE,
            silence: SILENCE,
            features: self.features,
            early_list: false,
            state_dir: self.state_dir.clone(),
            cache_dir: self.cache_dir.clone(),
            clock: self.clock,
        }
    }
}

/// Fills in what follows from other values or from the surroundings.
fn derive(values: &mut Values, environment: &Environment) {
    // An API that was said later than the GraphQL URL belongs to another server than that.
    let (api, graphql) = (values.origin("endpoints.api"), values.origin("endpoints.graphql"));
    if api.rank() > graphql.rank()
        && let Some(url) = values.text("endpoints.api").map(base)
    {
        values.derive("endpoints.graphql", far_sides::graphql_of(&url), "endpoints.api");
    }
    if values.path("registry").is_none()
        && let Some(folder) = environment.cwd.ancestors().find(|folder| is_registry(folder))
    {
        values.derive("registry", folder, "the current folder");
    }
    let Some(folders) = &environment.folders else { return };
    for (key, folder) in [("state-dir", &folders.state), ("cache-dir", &folders.cache)] {
        if values.path(key).is_none() {
            values.derive(key, folder, "the user's folders");
        }
    }
}

/// Returns true if a folder is a registry checkout: `providers` or `modules` with one-letter folders in it. The letters
/// distinguish it from the many projects that have a folder named `modules`.
#[expect(clippy::disallowed_methods, reason = "finds the registry around the current folder")]
fn is_registry(folder: &Path) -> bool {
    ["providers", "modules"].into_iter().any(|kind| {
        std::fs::read_dir(folder.join(kind)).is_ok_and(|entries| {
            entries.flatten().any(|entry| {
                entry.file_name().to_str().is_some_and(|name| name.chars().count() == 1)
                    && entry.path().is_dir()
            })
        })
    })
}

fn registry(values: &Values) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = values.path("registry") else { return Ok(None) };
    if path.is_dir() {
        return Ok(Some(path));
    }
    let text = format!("`{}` is not a folder (from {})", path.display(), values.origin("registry"));
    let hint = "Name the folder of a registry checkout, or get one with `bumpdesk clone`.";
    Err(failure(FailureKind::Usage, text, Some(hint.into())))
}

fn no_home(key: &str) -> Failure {
    let text = format!("there is no home folder, and `{key}` is not set");
    failure(FailureKind::Config, text, Some(format!("Set `--{key} FOLDER`.")))
}

fn base(url: &str) -> String {
    url.trim_end_matches('/').to_owned()
}

fn endpoints(values: &Values) -> Endpoints {
    let default = Endpoints::default();
    let url = |key: &str, default: String| values.text(key).map_or(default, base);
    Endpoints {
        api: url("endpoints.api", default.api),
        graphql: url("endpoints.graphql", default.graphql),
        web: url("endpoints.web", default.web),
        served: url("endpoints.served", default.served),
        search: url("endpoints.search", default.search),
        repository: values.text("endpoints.repository").map_or(default.repository, str::to_owned),
        ca_file: values.path("endpoints.ca-file"),
    }
}

fn features(values: &Values) -> Features {
    let mut features = Features::default();
    for feature in Feature::ALL {
        if let Some(on) = values.switch(&format!("features.{feature}")) {
            features.set(feature, on);
        }
    }
    features
}

fn pace(values: &Values) -> Pace {
    let default = Pace::default();
    let lane = |lane: Lane| {
        let usual = default.of(lane);
        let rate =
            values.text(&format!("pace.{}-per-second", lane.name())).and_then(|text| text.parse().ok());
        let at_once =
            values.text(&format!("pace.{}-at-once", lane.name())).and_then(|text| text.parse().ok());
        LanePace { per_second: rate.or(usual.per_second), at_once: at_once.unwrap_or(usual.at_once) }
    };
    Pace {
        git: lane(Lane::Git),
        feed: lane(Lane::Feed),
        asset: lane(Lane::Asset),
        api: lane(Lane::Api),
        served: lane(Lane::Served),
        writes_per_second: values
            .text("pace.writes-per-second")
            .and_then(|text| text.parse().ok())
            .or(default.writes_per_second),
        watch: values
            .text("pace.watch-seconds")
            .and_then(|text| text.parse().ok())
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .unwrap_or(default.watch),
        backoff: default.backoff,
    }
}

/// The pace without budgets. GitHub's three servers must be on this machine; the registry's own two keep their budget
/// where they are not, since no survey asks them.
fn unthrottled(endpoints: &Endpoints, usual: Pace) -> Result<Pace, Failure> {
    let urls =
        [("--api-url", &endpoints.api), ("--graphql-url", &endpoints.graphql), ("--web-url", &endpoints.web)];
    if let Some((flag, url)) = urls.into_iter().find(|(_, url)| !far_sides::is_loopback(url)) {
        let text = format!("`--no-throttle` is for servers on this machine, and `{flag}` is `{url}`");
        let hint = "Leave `--no-throttle` out, or point every server at 127.0.0.0/8, ::1 or localhost.";
        return Err(failure(FailureKind::Usage, text, Some(hint.into())));
    }
    let free = Pace::unlimited();
    let served_here =
        [&endpoints.served, &endpoints.search].into_iter().all(|url| far_sides::is_loopback(url));
    let served = if served_here { free.served } else { usual.served };
    // `--no-throttle` keeps the usual pace of `watch`: a watch lasts for hours, has no end, and is not a request
    // budget.
    Ok(Pace { served, watch: usual.watch, ..free })
}

fn clock(values: &Values) -> Clock {
    values.text("now").and_then(|text| text.parse().ok()).map_or(Clock::System, Clock::Fixed)
}

fn ui(values: &Values, environment: &Environment) -> Ui {
    let plain = values.switch("ui.plain").unwrap_or(false);
    let color = match values.text("ui.color") {
        Some("always") => true,
        Some("never") => false,
        _ => environment.stdout_is_terminal && !plain,
    };
    Ui {
        plain,
        color,
        ascii: values.switch("ui.ascii").unwrap_or(false) || !environment.is_utf8(),
        theme: values.text("ui.theme").map(Into::into),
        depth: if color { colours::depth(environment) } else { ColorDepth::None },
        ground: environment.text("COLORFGBG").and_then(Ground::of_variable),
        motion: values.switch("ui.motion").unwrap_or(true),
        mouse: values.switch("ui.mouse").unwrap_or(true),
        browser: values.text("ui.browser").map(Into::into),
        themes: themes::read(environment),
    }
}

/// Every setting with the value that counts, in the table's order.
fn origins(settings: &Settings, values: &Values) -> Vec<SettingOrigin> {
    let row = |row: &table::Row| {
        let value = default_text(settings, row.key)
            .or_else(|| values.path(row.key).map(|path| path.display().to_string()))?;
        Some(SettingOrigin { key: row.key, value, origin: values.origin(row.key) })
    };
    table::TABLE.iter().filter_map(row).collect()
}

fn default_text(settings: &Settings, key: &str) -> Option<String> {
    if let Some(feature) = key.strip_prefix("features.").and_then(Feature::from_name) {
        return Some(if settings.features.has(feature) { "on" } else { "off" }.into());
    }
    for lane in Lane::ALL {
        let pace = settings.pace.of(lane);
        if key == format!("pace.{}-per-second", lane.name()) {
            return Some(pace.per_second.map_or_else(|| "no limit".into(), |rate| rate.to_string()));
        }
        if key == format!("pace.{}-at-once", lane.name()) {
            return Some(pace.at_once.to_string());
        }
    }
    Some(match key {
        "endpoints.api" => settings.endpoints.api.clone(),
        "endpoints.graphql" => settings.endpoints.graphql.clone(),
        "endpoints.web" => settings.endpoints.web.clone(),
        "endpoints.served" => settings.endpoints.served.clone(),
        "endpoints.search" => settings.endpoints.search.clone(),
        "endpoints.repository" => settings.endpoints.repository.clone(),
        "pace.watch-seconds" => settings.pace.watch.as_secs_f64().to_string(),
        "ui.plain" => settings.ui.plain.to_string(),
        "ui.color" => if settings.ui.color { "on" } else { "off" }.into(),
        "ui.ascii" => settings.ui.ascii.to_string(),
        "ui.motion" => if settings.ui.motion { "on" } else { "off" }.into(),
        "ui.mouse" => if settings.ui.mouse { "on" } else { "off" }.into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
