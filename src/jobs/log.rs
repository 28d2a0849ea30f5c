//! The log: what the jobs did and asked, as lines of JSON in files of limited size; and its way back into words.
//!
//! Requests without a warning or an error have a file of their own: an hour of them would push out the messages of the jobs.
//!
//! Every job writes into the log of its own [`crate::jobs::Env`]; there is no listener for the whole process. Bodies and tokens
//! are in no line, since no code logs them: requests are logged by `remote::http`.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jiff::Timestamp;
use serde_json::{Map, Value};
use tracing::{Dispatch, Level, Metadata};
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use crate::jobs::Clock;
use crate::jobs::data::{LogLevel, LogLine, LogQuery};
use crate::registry::digest;
use crate::rules::amount;
use crate::store::{Error, LogFile, read_log};

/// The size of one of the log's files at which it is moved away; one older file stays beside it.
const CAP_BYTES: u64 = 8 << 20;
/// More than both files hold.
const READ_BYTES: u64 = 3 * CAP_BYTES;
/// More than most lines have: what is read of the file where its last lines are wanted, whatever they say.
const LINE_BYTES: u64 = 1 << 10;

/// The tag of a registry in the log. It is short because each line contains it.
pub(crate) fn tag(world: &str, registry: &str) -> String {
    let mut tag = digest(format!("{world}\n{registry}").as_bytes());
    tag.truncate(12);
    tag
}

/// The log's place in the state folder.
pub(crate) fn path(state_dir: &Path) -> PathBuf {
    state_dir.join("bumpdesk.log")
}

/// The place of the requests beside it.
fn requests_path(path: &Path) -> PathBuf {
    path.with_file_name("requests.log")
}

/// Returns true for a request as `remote::http` logs it. Messages about a request have a higher level.
fn is_request(about: &Metadata<'_>) -> bool {
    about.target() == "bumpdesk::requests" && *about.level() == Level::DEBUG
}

/// The clock of the jobs, for the log's own lines.
struct LogClock(Clock);

impl FormatTime for LogClock {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{}", self.0.now())
    }
}

/// Opens the log. It takes the messages of our own modules while a job is polled under the result.
///
/// # Errors
/// A file cannot be made or opened.
pub(crate) fn open(path: &Path, clock: Clock) -> Result<Dispatch, Error> {
    let messages = lines(path, clock)?.with_filter(filter_fn(|about| !is_request(about)).and(ours()));
    // Keep spans, because the span of a job names its registry.
    let of_requests = filter_fn(|about| about.is_span() || is_request(about));
    let requests = lines(&requests_path(path), clock)?.with_filter(of_requests.and(ours()));
    Ok(Dispatch::new(tracing_subscriber::registry().with(messages).with(requests)))
}

/// The messages of our own modules.
fn ours() -> Targets {
    Targets::new().with_target("bumpdesk", LevelFilter::DEBUG)
}

/// Writes lines into a file.
fn lines<S>(path: &Path, clock: Clock) -> Result<impl Layer<S> + use<S>, Error>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    let file = LogFile::open(path, CAP_BYTES)?;
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_timer(LogClock(clock))
        .with_writer(Mutex::new(file))
        // Nobody could see that a line was lost, and the screen is not the place to say so.
        .log_internal_errors(false);
    Ok(lines)
}

/// Reads the lines that a query asks for, oldest first. With a tag, lines of other registries are left out.
pub(crate) fn read(
    path: &Path,
    tag: Option<&str>,
    query: &LogQuery,
    now: Timestamp,
) -> Result<Vec<LogLine>, Error> {
    let is_tail = query.since.is_none() && !query.errors;
    let mut bytes =
        if is_tail { (query.most as u64).saturating_mul(LINE_BYTES).min(READ_BYTES) } else { READ_BYTES };
    let is_ours = |line: &LogLine| match (tag, &line.registry) {
        (Some(ours), Some(of)) => ours == of,
        _ => true,
    };
    let (messages, requests) = loop {
        let both: [Vec<LogLine>; 2] = read_both(path, bytes)?.into();
        let all = both.each_ref().map(Vec::len);
        let [messages, requests] =
            both.map(|lines| lines.into_iter().filter(&is_ours).collect::<Vec<LogLine>>());
        let left_out = [messages.len(), requests.len()] != all;
        // Lines of other registries may take up the bytes that were read, so that ours are missing.
        if bytes == READ_BYTES || !left_out || messages.len() + requests.len() >= query.most {
            break (messages, requests);
        }
        bytes = bytes.saturating_mul(8).min(READ_BYTES);
    };
    Ok(wanted(messages, requests, query, now))
}

/// The lines of both that the query selects, oldest first.
fn wanted(messages: Vec<LogLine>, requests: Vec<LogLine>, query: &LogQuery, now: Timestamp) -> Vec<LogLine> {
    let is_wanted = |line: &LogLine| {
        let young = match (query.since, line.at) {
            (None, _) => true,
            (Some(limit), Some(at)) => amount::since(at, now) <= limit,
            (Some(_), None) => false,
        };
        young && (line.is_trouble || !query.errors)
    };
    let last = |mut lines: Vec<LogLine>| {
        lines.retain(is_wanted);
        lines.drain(..lines.len().saturating_sub(query.most));
        lines
    };
    let both = in_time(last(messages), last(requests));
    if query.requests_apart { both } else { last(both) }
}

/// Reads the messages and the requests: so many bytes from the end of each.
fn read_both(path: &Path, limit_bytes: u64) -> Result<(Vec<LogLine>, Vec<LogLine>), Error> {
    let read = |path: &Path| -> Result<Vec<LogLine>, Error> {
        Ok(read_log(path, limit_bytes)?.iter().map(|line| parse(line)).collect())
    };
    Ok((read(path)?, read(&requests_path(path))?))
}

/// Two runs of lines as one. A line that cannot be read, and so has no time, stays behind the one before it.
fn in_time(messages: Vec<LogLine>, requests: Vec<LogLine>) -> Vec<LogLine> {
    let timed = |lines: Vec<LogLine>| {
        lines.into_iter().scan(None, |last, line| {
            *last = line.at.or(*last);
            Some((*last, line))
        })
    };
    let mut both: Vec<(Option<Timestamp>, LogLine)> = timed(messages).chain(timed(requests)).collect();
    both.sort_by_key(|(at, _)| *at);
    both.into_iter().map(|(_, line)| line).collect()
}

fn parse(raw: &str) -> LogLine {
    let unknown = || LogLine {
        at: None,
        level: LogLevel::Info,
        job: None,
        registry: None,
        topic: String::new(),
        text: raw.to_owned(),
        is_trouble: false,
        raw: raw.to_owned(),
    };
    let Ok(Value::Object(fields)) = serde_json::from_str(raw) else { return unknown() };
    let text = |key: &str| fields.get(key).and_then(Value::as_str).unwrap_or_default();
    let level = match text("level") {
        "ERROR" => LogLevel::Error,
        "WARN" => LogLevel::Warn,
        "INFO" => LogLevel::Info,
        _ => LogLevel::Debug,
    };
    let topic = text("target").rsplit("::").next().unwrap_or_default().to_owned();
    let status = fields.get("status").and_then(Value::as_u64);
    // That something is not there is an answer like another.
    let has_failed = status.is_some_and(|status| status == 0 || (status >= 400 && status != 404));
    let of_job = |key: &str| fields.get("span").and_then(|span| span.get(key));
    LogLine {
        at: text("timestamp").parse().ok(),
        level,
        job: of_job("job").and_then(Value::as_i64),
        registry: of_job("registry").and_then(Value::as_str).map(ToOwned::to_owned),
        text: words(&fields, text("message")),
        is_trouble: level >= LogLevel::Warn || has_failed,
        topic,
        raw: raw.to_owned(),
    }
}

/// `200, GET in 35 ms, 4812 requests left: https://github.com/acme/x`, what may be long last; or the message and what goes
/// with it. An address without an answer comes first: it is what tells such lines apart.
fn words(fields: &Map<String, Value>, message: &str) -> String {
    let shown = |key: &str| {
        fields.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned))
    };
    if let (Some(method), Some(url), Some(status)) = (shown("method"), shown("url"), shown("status")) {
        let status = if status == "0" { "no answer".to_owned() } else { status };
        let ms = shown("ms").unwrap_or_default();
        let left = shown("remaining").map(|left| format!(", {left} requests left")).unwrap_or_default();
        return format!("{status}, {method} in {ms} ms{left}: {url}");
    }
    // The library's own words stay in the file.
    if let (Some(url), Some(why)) = (shown("url"), shown("why")) {
        return format!("{url}: {message}: {why}");
    }
    let own = ["timestamp", "level", "target", "message", "span"];
    let rest = fields.keys().filter(|key| !own.contains(&key.as_str()));
    let rest: Vec<String> = rest.filter_map(|key| Some(format!("{key} {}", shown(key)?))).collect();
    match (message.is_empty(), rest.is_empty()) {
        (_, true) => message.to_owned(),
        (true, false) => rest.join(", "),
        (false, false) => format!("{message} ({})", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = path(folder.path());
        let clock = Clock::Fixed("2026-11-21T12:00:00Z".parse().unwrap());
        let dispatch = open(&path, clock).unwrap();
        tracing::dispatcher::with_default(&dispatch, || {
            tracing::debug!(target: "bumpdesk::requests", method = "GET", url = "https://x/y", status = 200_u16, ms = 35_u64, remaining = Some("4812"), "request");
            tracing::debug!(target: "bumpdesk::requests", method = "GET", url = "https://x/y", status = 0_u16, ms = 9_u64, remaining = None::<&str>, "request");
            tracing::debug!(target: "bumpdesk::requests", method = "GET", url = "https://x/y", status = 404_u16, ms = 9_u64, "request");
            let span = tracing::info_span!(target: "bumpdesk::jobs", "job", job = 7);
            span.in_scope(|| tracing::info!(target: "bumpdesk::jobs", "bump everything begins"));
            tracing::warn!("facts were not kept");
            tracing::info!(target: "hyper", "not ours");
            tracing::trace!(target: "bumpdesk::jobs", "too much");
            tracing::warn!(target: "bumpdesk::requests", url = "https://x/y", why = "the connection was lost", detail = "end of file", "the answer was cut off");
        });
        let (messages, requests) = read_both(&path, READ_BYTES).unwrap();
        assert_eq!(
            (messages.len(), requests.len()),
            (3, 3),
            "an hour of requests pushes out nothing that was said"
        );
        let lines = in_time(messages, requests);
        let messages: Vec<String> = lines
            .iter()
            .map(|line| format!("{} {} {} {}", line.level.word(), line.topic, line.is_trouble, line.text))
            .collect();
        assert_eq!(
            messages,
            [
                "INFO jobs false bump everything begins",
                "WARN tests true facts were not kept",
                "WARN requests true https://x/y: the answer was cut off: the connection was lost",
                " requests false 200, GET in 35 ms, 4812 requests left: https://x/y",
                " requests true no answer, GET in 9 ms: https://x/y",
                " requests false 404, GET in 9 ms: https://x/y",
            ]
        );
        assert_eq!(
            lines.iter().map(|line| line.job).collect::<Vec<_>>(),
            [Some(7), None, None, None, None, None]
        );
        assert_eq!(lines[0].at, Some(clock.now()));
        assert_eq!(parse("half a li").text, "half a li");
    }

    /// Who follows a job sees its own lines, however many requests came after them.
    #[test]
    fn requests_push_out_no_messages() {
        let line = |second: i64, text: &str| LogLine {
            at: Some(Timestamp::from_second(second).unwrap()),
            text: text.into(),
            ..parse("")
        };
        let messages = vec![line(1, "begins"), line(4, "a host is down")];
        let requests: Vec<LogLine> = [2, 3, 5, 6].map(|second| line(second, "GET")).into();
        let texts = |requests_apart| {
            let query = LogQuery { since: None, errors: false, most: 2, requests_apart, everywhere: true };
            let lines = wanted(messages.clone(), requests.clone(), &query, Timestamp::UNIX_EPOCH);
            lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        assert_eq!(texts(true), ["begins", "a host is down", "GET", "GET"]);
        assert_eq!(texts(false), ["GET", "GET"]);
    }
}
