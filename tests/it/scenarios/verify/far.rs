//! Servers of a test's own, for what no fault of the world does: they answer each download as the test says, on a
//! connection of its own, hand everything else on to the world, and end with the test's process.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use bytes::Bytes;

use super::{edit, file};
use crate::stage::Stage;

/// What a server answers with: the length that it declares, what it sends, and whether it then says nothing more.
pub(super) struct Reply {
    pub(super) declared: usize,
    pub(super) body: Bytes,
    pub(super) stalls: bool,
}

impl Reply {
    pub(super) fn whole(body: Bytes) -> Self {
        Self { declared: body.len(), body, stalls: false }
    }
}

/// Sends all downloads of a stage to a server of ours, without a token. `answer` hears the request line, on a thread of
/// its own for each, and may take its time.
pub(super) fn put_before(stage: &mut Stage, answer: impl Fn(&str) -> Reply + Send + Sync + 'static) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let web = format!("http://{}", listener.local_addr().expect("an address"));
    let answer = Arc::new(answer);
    let world = stage.server.addresses().web.trim_start_matches("http://").to_owned();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let (connection, answer, world) =
                (connection.expect("a connection"), Arc::clone(&answer), world.clone());
            std::thread::spawn(move || serve(connection, &*answer, &world));
        }
    });
    stage.lose_token();
    stage.redirect(|endpoints| endpoints.web = web);
}

fn serve(mut connection: TcpStream, answer: &(dyn Fn(&str) -> Reply + Send + Sync), world: &str) {
    let head = head(&mut connection);
    let Some(line) = head.lines().next() else { return };
    if !line.contains("/releases/download/") {
        // Whoever goes away meanwhile hears no more of it.
        let _ = hand_on(&mut connection, &head, world);
        return;
    }
    let reply = answer(line);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\netag: \"{}\"\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        reply.body.len(),
        reply.declared
    );
    // Who was told enough goes away.
    let _ = connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(&reply.body));
    if reply.stalls {
        // Until the other side has had enough.
        let _ = connection.read(&mut [0]);
    }
}

/// One request to the world, and its answer back.
fn hand_on(connection: &mut TcpStream, head: &str, world: &str) -> std::io::Result<()> {
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    connection.read_exact(&mut body)?;
    let mut there = TcpStream::connect(world)?;
    let (line, rest) = head.split_once("\r\n").expect("a request line");
    there.write_all(format!("{line}\r\nconnection: close\r\n{rest}").as_bytes())?;
    there.write_all(&body)?;
    std::io::copy(&mut there, connection).map(drop)
}

fn head(connection: &mut TcpStream) -> String {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") && matches!(connection.read(&mut byte), Ok(1)) {
        head.push(byte[0]);
    }
    String::from_utf8(head).expect("a request in text")
}

/// The bytes of a file of `v1.0.0` of one of acme's providers.
pub(super) fn content(stage: &Stage, name: &str, end: &str) -> Bytes {
    let mut content = None;
    stage.server.edit(|world| edit(world, name, |assets| content.clone_from(&file(assets, end).content)));
    content.expect("a content")
}

/// Holds those that come until as many were let through.
#[derive(Clone, Default)]
pub(super) struct Gate(Arc<(Mutex<Passed>, Condvar)>);

#[derive(Default)]
struct Passed {
    came: usize,
    let_through: usize,
}

impl Gate {
    /// Waits for its turn.
    pub(super) fn pass(&self) {
        let (lock, turn) = &*self.0;
        let mut passed = lock.lock().unwrap_or_else(PoisonError::into_inner);
        passed.came += 1;
        while passed.let_through == 0 {
            passed = turn.wait(passed).unwrap_or_else(PoisonError::into_inner);
        }
        passed.let_through -= 1;
    }

    pub(super) fn let_through(&self, more: usize) {
        let (lock, turn) = &*self.0;
        lock.lock().unwrap_or_else(PoisonError::into_inner).let_through += more;
        turn.notify_all();
    }

    /// How many ever came.
    pub(super) fn came(&self) -> usize {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).came
    }
}
