//! Hands a git request on to another loopback server and brings its answer back.
//!
//! Plain HTTP/1.0, so that the answer's body ends with the connection and needs no unpacking. No token is handed on.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::wire::call::{Call, Reply};

/// The largest answer that is brought back.
const MOST_BYTES: u64 = 64 << 20;

/// Asks `base` (`http://HOST:PORT`) the same; owner and name go in lower case.
pub(crate) async fn git(base: &str, call: &Call) -> io::Result<Reply> {
    let host = base.strip_prefix("http://").unwrap_or(base).trim_end_matches('/');
    let mut stream = TcpStream::connect(host).await?;
    let mut head = format!(
        "{} {} HTTP/1.0\r\nhost: {host}\r\ncontent-length: {}\r\n",
        call.method,
        lower_repository(&call.target()),
        call.body.len()
    );
    for name in ["user-agent", "git-protocol", "content-type", "content-encoding", "accept"] {
        if let Some(value) = call.header(name) {
            head.push_str(&format_header(name, value));
        }
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&call.body).await?;
    let mut bytes = Vec::new();
    stream.take(MOST_BYTES).read_to_end(&mut bytes).await?;
    read(&bytes).ok_or_else(|| io::Error::other("its answer is not HTTP"))
}

fn format_header(name: &str, value: &str) -> String {
    format!("{name}: {value}\r\n")
}

/// `/Owner/Name/rest?query` with owner and name in lower case.
fn lower_repository(target: &str) -> String {
    let end = target.match_indices('/').nth(2).map_or(target.len(), |(at, _)| at);
    format!("{}{}", target[..end].to_ascii_lowercase(), &target[end..])
}

fn read(bytes: &[u8]) -> Option<Reply> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let mut reply = Reply::bare(status);
    reply.body = bytes[end + 4..].to_vec().into();
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let known = ["content-type", "cache-control", "www-authenticate", "retry-after"];
        if let Some(name) = known.into_iter().find(|known| name.eq_ignore_ascii_case(known)) {
            reply = reply.with(name, value.trim());
        }
    }
    Some(reply)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_and_answers() {
        assert_eq!(lower_repository("/O/R.git/info/refs?service=X"), "/o/r.git/info/refs?service=X");
        let reply = read(b"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nX: y\r\n\r\nbody").unwrap();
        assert_eq!((reply.status, &reply.body[..], reply.headers.len()), (200, &b"body"[..], 1));
        assert!(read(b"nothing").is_none());
    }
}
