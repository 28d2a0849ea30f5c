//! A program in a pseudo-terminal.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// Generous: the machine may be busy, and a passing test does not wait for it.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// The request for the terminal's attributes and the answer to it. The console waits for this answer before it leaves; without one
/// it waits three seconds.
const QUESTION: &[u8] = b"\x1b[c";
const ANSWER: &[u8] = b"\x1b[?62;22c";

/// The program, its terminal, and what it wrote so far.
pub(crate) struct Pty {
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    pieces: Receiver<Vec<u8>>,
    ended: Receiver<ExitStatus>,
    screen: vt100::Parser,
    pub(crate) raw: Vec<u8>,
    pub(crate) id: u32,
    /// False for a terminal that never answers, and for a test that answers itself.
    pub(crate) answers: bool,
    /// The end of the part of `raw` that was searched for questions.
    searched: usize,
    /// The modes of the line before the program.
    modes: String,
    status: Option<ExitStatus>,
}

/// A home for one test.
pub(crate) fn home() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn size((columns, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn parser((columns, rows): (u16, u16)) -> vt100::Parser {
    let cells = |count| NonZeroU16::new(count).expect("a terminal that is looked at has cells");
    vt100::Parser::new(cells(rows), cells(columns), 0)
}

/// Echo, line editing and the like, as text.
fn modes(master: &(dyn MasterPty + Send)) -> String {
    format!("{:?}", master.get_termios().expect("the modes of a terminal"))
}

impl Pty {
    /// Starts `bumpdesk` with these arguments, in a folder that is no registry.
    pub(crate) fn start(home: &Path, cells: (u16, u16), arguments: &[&str]) -> Self {
        Self::start_with(home, cells, &[], arguments)
    }

    /// The same with further variables.
    pub(crate) fn start_with(
        home: &Path,
        cells: (u16, u16),
        variables: &[(&str, &str)],
        arguments: &[&str],
    ) -> Self {
        let mut command = vec![env!("CARGO_BIN_EXE_bumpdesk")];
        command.extend(arguments);
        Self::run(home, cells, variables, &command)
    }

    /// Runs any program.
    pub(crate) fn run(home: &Path, cells: (u16, u16), variables: &[(&str, &str)], line: &[&str]) -> Self {
        let pair = native_pty_system().openpty(size(cells)).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(line[0]);
        command.args(&line[1..]);
        command.env_clear();
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")] {
            command.env(name, value);
        }
        for name in ["HOME", "TMPDIR"] {
            command.env(name, home);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        command.cwd(home);
        let modes = modes(pair.master.as_ref());
        let mut child = pair.slave.spawn_command(command).expect("the program starts");
        let id = child.process_id().expect("a running program has an id");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let (sender, pieces) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            // The end comes as an error or as nothing; when nobody takes a piece, the terminal is to be closed.
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let (sender, ended) = channel();
        std::thread::spawn(move || child.wait().map(|status| sender.send(status)));
        let keys = Some(pair.master.take_writer().expect("a writer"));
        let screen = parser(cells);
        Self {
            master: Some(pair.master),
            keys,
            pieces,
            ended,
            screen,
            raw: Vec::new(),
            id,
            answers: true,
            searched: 0,
            modes,
            status: None,
        }
    }

    fn take(&mut self, piece: &[u8]) {
        // A test may have emptied it.
        self.searched = self.searched.min(self.raw.len());
        self.raw.extend_from_slice(piece);
        self.screen.process(piece);
        while let Some(at) = self.raw[self.searched..].windows(QUESTION.len()).position(|it| it == QUESTION) {
            self.searched += at + QUESTION.len();
            if let Some(keys) = self.keys.as_mut().filter(|_| self.answers) {
                // A program that has ended since takes no answer.
                let _ = keys.write_all(ANSWER).and_then(|()| keys.flush());
            }
        }
        // The last bytes may be the beginning of a question.
        self.searched = self.searched.max(self.raw.len().saturating_sub(QUESTION.len() - 1));
    }

    /// What the terminal shows, line by line.
    pub(crate) fn text(&self) -> String {
        let (_, columns) = self.screen.screen().size();
        let rows: Vec<String> =
            self.screen.screen().rows(0, columns.get()).map(|row| row.trim_end().to_owned()).collect();
        rows.join("\n")
    }

    pub(crate) fn state(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// Waits until the screen is as wanted.
    pub(crate) fn wait(&mut self, what: &str, wanted: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !wanted(&self.text()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(left) {
                Ok(piece) => self.take(&piece),
                Err(end) => panic!("no {what} ({end}):\n{}", self.text()),
            }
        }
    }

    /// Waits until the terminal is in a state.
    pub(crate) fn wait_for(&mut self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !wanted(self.screen.screen()) {
            match self.pieces.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(piece) => self.take(&piece),
                Err(end) => panic!("no {what} ({end}):\n{}", self.text()),
            }
        }
    }

    /// Waits until it has written this, seen or not.
    pub(crate) fn wait_written(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !String::from_utf8_lossy(&self.raw).contains(text) {
            match self.pieces.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(piece) => self.take(&piece),
                Err(end) => panic!("{text:?} was not written ({end}):\n{}", self.text()),
            }
        }
    }

    /// Waits until the bytes are as wanted.
    pub(crate) fn wait_raw(&mut self, what: &str, wanted: impl Fn(&[u8]) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !wanted(&self.raw) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(left) {
                Ok(piece) => self.take(&piece),
                Err(end) => panic!("no {what} ({end}):\n{}", String::from_utf8_lossy(&self.raw)),
            }
        }
    }

    /// Waits until all of these texts are on the screen.
    pub(crate) fn see(&mut self, texts: &[&str]) {
        for text in texts {
            self.wait(&format!("`{text}`"), |screen| screen.contains(text));
        }
    }

    /// Types.
    pub(crate) fn press(&mut self, keys: &str) {
        let writer = self.keys.as_mut().expect("the terminal is open");
        writer.write_all(keys.as_bytes()).and_then(|()| writer.flush()).expect("keys are taken");
    }

    /// Waits until this text is gone. Also needed after Esc: with a key right behind it, it would be that key with Alt.
    pub(crate) fn gone(&mut self, text: &str) {
        self.wait(&format!("end of `{text}`"), |screen| !screen.contains(text));
    }

    /// Makes the terminal larger or smaller.
    pub(crate) fn resize(&mut self, cells: (u16, u16)) {
        let (rows, columns) = parser(cells).screen().size();
        self.screen.screen_mut().set_size(rows, columns);
        self.master.as_ref().expect("the terminal is open").resize(size(cells)).expect("a size");
    }

    /// Empties the screen without the program, as a terminal does that shrinks and grows again.
    pub(crate) fn lose_cells(&mut self) {
        self.screen.process(b"\x1b[2J");
    }

    /// How many bytes come until none came for so long.
    pub(crate) fn bytes_until_quiet(&mut self, quiet: Duration) -> usize {
        let before = self.raw.len();
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.pieces.recv_timeout(quiet) {
                Ok(piece) => self.take(&piece),
                Err(RecvTimeoutError::Timeout) => return self.raw.len() - before,
                Err(RecvTimeoutError::Disconnected) => panic!("it ended:\n{}", self.text()),
            }
        }
        panic!("it is never quiet:\n{}", self.text());
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent =
            std::process::Command::new("kill").args([&format!("-{name}"), &self.id.to_string()]).status();
        assert!(sent.expect("there is a `kill`").success());
    }

    /// Closes the terminal, as a window that is shut.
    pub(crate) fn hang_up(&mut self) {
        // The reader holds the terminal too. It lets go when its next piece is not taken, so one has to come.
        let (_, nobody) = channel();
        self.pieces = nobody;
        self.press("j");
        self.keys = None;
        self.master = None;
    }

    /// Waits for the program's end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        while let Ok(piece) = self.pieces.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.take(&piece);
        }
        let status = self.ended.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no end:\n{}", self.text()));
        self.status = Some(status.clone());
        status
    }

    /// The terminal is as it was before the program: asserts it of the screen and of the last bytes.
    pub(crate) fn assert_restored(&self) {
        let screen = self.state();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        let raw = String::from_utf8_lossy(&self.raw);
        for (on, off) in [("\u{1b}[?1049h", "\u{1b}[?1049l"), ("\u{1b}[?2004h", "\u{1b}[?2004l")] {
            assert!(raw.contains(on), "{on:?} was never sent");
            assert!(raw.rfind(off) > raw.rfind(on), "{off:?} is not the last of its kind");
        }
        let left = raw.rfind("\u{1b}[?1049l").unwrap_or(0);
        assert!(raw.rfind("\u{1b}[?25h").is_some_and(|shown| shown > left), "the cursor is shown at the end");
        let master = self.master.as_deref().expect("the terminal is open");
        assert_eq!(modes(master), self.modes, "echo and line editing are as before");
        assert!(raw.rfind("\u{1b}[?2026l") > raw.rfind("\u{1b}[?2026h"), "the last frame is closed");
    }
}

impl Drop for Pty {
    /// A test that failed leaves no program behind.
    fn drop(&mut self) {
        if self.status.is_none() && self.ended.try_recv().is_err() {
            self.signal("KILL");
        }
    }
}
