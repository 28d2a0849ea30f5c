//! What stands behind the gateway: the world's hosts, with real git in the place of the world's own.
//!
//! The gateway knows one address for the API and one for everything else; these two doors hand each request on to whatever
//! world is on stage, one request a connection.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Who answers now; each `127.0.0.1:<port>`.
#[derive(Clone, Debug, Default)]
pub(super) struct Behind {
    pub(super) api: String,
    /// Feeds and downloads.
    pub(super) web: String,
    pub(super) git: String,
    /// The name that the client knows, for redirects that git makes.
    pub(super) outside: String,
}

#[derive(Clone, Copy, Debug)]
enum Door {
    Api,
    Web,
}

/// The two doors. They close when dropped.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) api: String,
    pub(super) web: String,
    behind: Arc<Mutex<Behind>>,
    git_requests: Arc<AtomicU64>,
    _tasks: JoinSet<()>,
}

impl Front {
    pub(super) async fn open() -> Self {
        let behind: Arc<Mutex<Behind>> = Arc::default();
        let git_requests: Arc<AtomicU64> = Arc::default();
        let mut tasks = JoinSet::new();
        let mut addresses = Vec::new();
        for door in [Door::Api, Door::Web] {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            addresses.push(listener.local_addr().expect("bound").to_string());
            let (behind, git_requests) = (Arc::clone(&behind), Arc::clone(&git_requests));
            tasks.spawn(async move {
                let mut calls = JoinSet::new();
                while let Ok((client, _)) = listener.accept().await {
                    let behind = behind.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    calls.spawn(hand_on(client, door, behind, Arc::clone(&git_requests)));
                    while calls.try_join_next().is_some() {}
                }
            });
        }
        let [api, web] = addresses.try_into().expect("two doors");
        Self { api, web, behind, git_requests, _tasks: tasks }
    }

    /// Puts another world behind the doors.
    pub(super) fn turn(&self, behind: Behind) {
        *self.behind.lock().unwrap_or_else(PoisonError::into_inner) = behind;
    }

    /// How often real git was asked so far.
    pub(super) fn git_requests(&self) -> u64 {
        self.git_requests.load(Ordering::Relaxed)
    }
}

/// Hands one request on and its answer back. A lost connection is for the gateway to see.
async fn hand_on(
    mut client: TcpStream,
    door: Door,
    behind: Behind,
    git_requests: Arc<AtomicU64>,
) -> Option<()> {
    let (head, rest) = head(&mut client).await?;
    let mut lines = head.split("\r\n");
    let [method, target, _] = lines.next()?.split(' ').collect::<Vec<_>>()[..] else { return None };
    let path = target.split('?').next().unwrap_or(target);
    let is_git =
        matches!(door, Door::Web) && (path.ends_with("/info/refs") || path.ends_with("/git-upload-pack"));
    let (to, target) = match door {
        _ if is_git => (&behind.git, target),
        Door::Web => (&behind.web, target),
        // An Enterprise Server has its API below these.
        Door::Api => (&behind.api, target.strip_prefix("/api/v3").unwrap_or(target)),
    };
    let target = if target == "/api/graphql" { "/graphql" } else { target };
    git_requests.fetch_add(is_git.into(), Ordering::Relaxed);

    let mut request =
        format!("{method} {target} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", behind.outside);
    let mut length = 0;
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
        if !["host", "connection"].iter().any(|ours| name.eq_ignore_ascii_case(ours)) {
            request.push_str(line);
            request.push_str("\r\n");
        }
    }
    request.push_str("\r\n");
    let mut body = rest;
    let missing = length - body.len().min(length);
    (&mut client).take(missing as u64).read_to_end(&mut body).await.ok()?;

    let mut server = TcpStream::connect(to).await.ok()?;
    server.write_all(request.as_bytes()).await.ok()?;
    server.write_all(&body).await.ok()?;
    tokio::io::copy(&mut server, &mut client).await.ok()?;
    client.shutdown().await.ok()
}

/// The request line and the headers, and what came after them.
async fn head(client: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut read = Vec::new();
    loop {
        if let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            let rest = read.split_off(end + 4);
            return Some((String::from_utf8(read).ok()?, rest));
        }
        if client.read_buf(&mut read).await.ok()? == 0 {
            return None;
        }
    }
}

/// Asks a host and reads its answer to the end; gives its body.
pub(crate) async fn ask(address: &str, method: &str, target: &str, headers: &str, body: &str) -> Vec<u8> {
    let mut server = TcpStream::connect(address).await.expect("the world listens");
    let length = if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let request = format!(
        "{method} {target} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nuser-agent: bumpdesk-tests\r\n\
         accept: application/vnd.github+json\r\n{length}{headers}\r\n{body}"
    );
    server.write_all(request.as_bytes()).await.expect("it reads");
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).await.expect("it answers");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    answer.split_off(end + 4)
}

/// Asks a host by GET and reads its answer to the end.
pub(super) async fn get(address: &str, target: &str, headers: &str) -> Vec<u8> {
    ask(address, "GET", target, headers, "").await
}
