//! What is typed, line by line, read on a thread of its own so that jobs go on meanwhile. Keeps no more than one line waiting,
//! and of each no more than anybody types.

use std::io::{BufRead, Read};

use tokio::sync::mpsc;

/// The longest line that is heard, in bytes; the rest of a longer one is left out.
const LONGEST: u64 = 4 << 10;

/// What came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    Line(String),
    /// Ctrl-D, or a terminal that is gone.
    End,
}

/// A reader of lines on its own thread. The thread ends when nobody listens any more, or with the process.
#[derive(Debug)]
pub(crate) struct Input {
    lines: mpsc::Receiver<Typed>,
}

impl Input {
    /// Listens to standard input.
    pub(crate) fn open() -> Self {
        let (sender, lines) = mpsc::channel(1);
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            // After an end a terminal goes on to give lines; what is gone gives ends, one for each that is taken.
            while sender.blocking_send(hear(&mut input)).is_ok() {}
        });
        Self { lines }
    }

    pub(crate) async fn next(&mut self) -> Typed {
        self.lines.recv().await.unwrap_or(Typed::End)
    }
}

/// Reads one line. What cannot be read is an end.
fn hear(input: &mut impl BufRead) -> Typed {
    let mut bytes = Vec::new();
    match input.take(LONGEST).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => return Typed::End,
        Ok(_) => {}
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST {
        skip_line(input);
    }
    Typed::Line(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned())
}

fn skip_line(input: &mut impl BufRead) {
    loop {
        let Ok(buffer) = input.fill_buf() else { return };
        let (length, found) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), false),
        };
        input.consume(length);
        if found || length == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_ends_told() {
        let long = "x".repeat(10_000);
        let text = format!("one\r\n{long}\n\u{fffd}\nlast");
        let mut input = text.as_bytes();
        let line = |text: &str| Typed::Line(text.into());
        assert_eq!(hear(&mut input), line("one"));
        assert_eq!(hear(&mut input), line(&long[..LONGEST as usize]));
        assert_eq!(hear(&mut input), line("\u{fffd}"));
        assert_eq!(hear(&mut input), line("last"));
        assert_eq!((hear(&mut input), hear(&mut input)), (Typed::End, Typed::End));
        assert_eq!(hear(&mut &b"\xff\xfe\n"[..]), line("\u{fffd}\u{fffd}"));
    }
}
