//! The wire itself: real requests to a server of a few lines on loopback.

mod api;
mod bodies;
mod git;
mod limits;
mod tls;
mod token;

use std::io::{BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::registry::{Feed, Repository};
use crate::remote::{Remote, RemoteOptions};
use crate::settings::{Endpoints, Pace};

pub(super) const CANARY: &str = "ghp_canary0123456789";

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) method: String,
    pub(super) target: String,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Seen {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A server on a free loopback port that answers with the given bytes and closes.
pub(super) struct Wire {
    pub(super) base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Wire {
    /// `answer` gets the request and how many came before it.
    pub(super) fn start(answer: impl Fn(&Seen, usize) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&seen), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Self { base, seen }
    }

    /// The same answer to everything.
    pub(super) fn always(answer: Vec<u8>) -> Self {
        Self::start(move |_, _| answer.clone())
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.seen().iter().map(Seen::line).collect()
    }

    pub(super) fn options(&self) -> RemoteOptions {
        RemoteOptions {
            endpoints: Endpoints {
                api: format!("{}/api", self.base),
                graphql: format!("{}/graphql", self.base),
                web: self.base.clone(),
                served: self.base.clone(),
                search: self.base.clone(),
                repository: "opentofu/registry".into(),
                ca_file: None,
            },
            pace: Pace::unlimited(),
            version: "1.2.3",
            patience: Duration::ZERO,
            ..RemoteOptions::default()
        }
    }

    pub(super) fn remote(&self) -> Remote {
        Remote::new(self.options()).unwrap()
    }

    pub(super) fn remote_with_token(&self) -> Remote {
        Remote::new(RemoteOptions { token: Some(CANARY.into()), ..self.options() }).unwrap()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<Seen>>, answer: &dyn Fn(&Seen, usize) -> Vec<u8>) {
    let mut reader = BufReader::new(stream);
    let Some(seen) = request(&mut reader) else { return };
    let before = {
        let mut log = log.lock().unwrap();
        log.push(seen.clone());
        log.len() - 1
    };
    let bytes = answer(&seen, before);
    let _ = reader.get_mut().write_all(&bytes);
}

pub(super) fn request(reader: &mut impl std::io::BufRead) -> Option<Seen> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|&count| count > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut seen = Seen { method, target, headers, body: Vec::new() };
    let length = seen.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    seen.body = vec![0; length];
    reader.read_exact(&mut seen.body).ok()?;
    Some(seen)
}

/// An answer with a length.
pub(super) fn reply(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len().to_string();
    let head = [headers, &[("content-length", &length), ("connection", "close")]].concat();
    [raw(status, &head), body.to_vec()].concat()
}

/// The head of an answer alone.
pub(super) fn raw(status: u16, headers: &[(&str, &str)]) -> Vec<u8> {
    let lines: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("HTTP/1.1 {status} X\r\n{}\r\n", lines.concat()).into_bytes()
}

/// Jobs run on any thread.
#[test]
fn calls_may_move_between_threads() {
    fn moves<T: Send>(_: T) {}
    let remote = Remote::new(RemoteOptions::default()).unwrap();
    let repository = repository();
    moves(remote.tags(&repository));
    moves(remote.feed(&repository, None));
    moves(remote.feed_pages(&repository, Feed::default(), |_| true, 1));
    moves(remote.release(&repository, "v1"));
    moves(remote.releases(&repository));
    moves(remote.release_batch(&[]));
    moves(remote.sums_at(""));
    moves(async {
        let mut download = remote.download("", 1).await?;
        download.chunk().await
    });
}

pub(super) fn repository() -> Repository {
    Repository::new("Own", "terraform-provider-x")
}
