//! The console under somebody's hands: from a key to its frame while a survey runs, from `d` to the first frame of the
//! largest difference, from `q` to the end. All of it from outside, through a pseudo-terminal and a terminal parser.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use bumpdesk::surface::registry::{Address, Document, Json};

use crate::processes::{Serving, list, serve};
use crate::{Data, git, largest, report, spread};

const ROWS: u16 = 40;
const COLUMNS: u16 = 120;
/// Versions that are taken out of the largest file; upstream may have lost some of their targets.
const NEWEST: usize = 3;
/// The first frame of a difference names its class.
const CLASS: &str = "+ ADDITIVE";
/// The derived world has no zips, so nothing can be hashed.
const NO_HASHES: [&str; 2] = ["--feature", "target-hashes=off"];
/// Frames end with this, so what stands on the screen then is whole.
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";
const PATIENCE: Duration = Duration::from_secs(30);

/// The screen after a frame, and when its last byte came.
pub(crate) struct Shown {
    pub(crate) at: Instant,
    row: u16,
    pub(crate) text: String,
}

pub(crate) struct Hands {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
    frames: mpsc::Receiver<Shown>,
}

impl Drop for Hands {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Hands {
    pub(crate) fn start(registry: &Path, serving: &Serving, folder: &Path, more: &[&str]) -> Self {
        let size = portable_pty::PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = portable_pty::native_pty_system().openpty(size).expect("a terminal");
        let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.args(["--no-token", "--no-throttle", "--ascii", "--registry"]);
        command.arg(registry);
        command.args(more);
        for (option, name) in [
            ("--web-url", "web"),
            ("--api-url", "api"),
            ("--graphql-url", "graphql"),
            ("--ca-file", "ca_file"),
        ] {
            // A world without TLS has no certificate.
            if let Some(address) = serving.known(name) {
                command.args([option, address]);
            }
        }
        command.arg("--state-dir");
        command.arg(folder.join("state"));
        command.arg("--cache-dir");
        command.arg(folder.join("cache"));
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let (told, frames) = mpsc::channel();
        std::thread::spawn(move || watch(reader, &told));
        Self { child, writer, _master: pair.master, frames }
    }

    pub(crate) fn press(&mut self, keys: &str) -> Instant {
        let began = Instant::now();
        self.writer.write_all(keys.as_bytes()).expect("the terminal takes keys");
        self.writer.flush().expect("the terminal takes keys");
        began
    }

    /// Waits for a frame that is so.
    pub(crate) fn wait(&self, what: &str, is_it: impl Fn(&Shown) -> bool) -> Shown {
        let until = Instant::now() + PATIENCE;
        let mut last = String::new();
        while let Ok(shown) = self.frames.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if is_it(&shown) {
                return shown;
            }
            last = shown.text;
        }
        panic!("no frame with {what}; the last one:\n{last}");
    }

    /// Where the cursor is in the newest frame that came, if one did; older ones are forgotten.
    fn last_row(&self) -> Option<u16> {
        self.frames.try_iter().last().map(|shown| shown.row)
    }

    /// Forgets the frames that came.
    pub(crate) fn forget(&self) {
        self.last_row();
    }

    /// The next frame, whatever it shows.
    fn now(&self) -> String {
        self.last_row();
        self.wait("anything", |_| true).text
    }

    fn memory(&self) -> f64 {
        let pid = self.child.process_id().expect("a process");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let of = |name: &str| -> u64 {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap_or("");
            line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or(0)
        };
        (of("RssAnon") + of("RssShmem")) as f64 / 1024.0
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).expect("a size")
}

fn watch(mut reader: Box<dyn Read + Send>, told: &mpsc::Sender<Shown>) {
    let mut parser = vt100::Parser::new(cells(ROWS), cells(COLUMNS), 0);
    let mut buffer = vec![0u8; 65_536];
    let mut tail: Vec<u8> = Vec::new();
    while let Ok(count) = reader.read(&mut buffer) {
        if count == 0 {
            break;
        }
        let at = Instant::now();
        parser.process(&buffer[..count]);
        tail.extend_from_slice(&buffer[..count]);
        tail.drain(..tail.len().saturating_sub(FRAME_ENDS.len()));
        if tail == FRAME_ENDS {
            let screen = parser.screen();
            let shown = Shown { at, row: screen.cursor_position().0, text: screen.contents() };
            if told.send(shown).is_err() {
                break;
            }
        }
    }
}

/// Rows up and down within the window, each from the key to the frame that has the cursor on another row.
fn rows_up_and_down(hands: &mut Hands, count: usize) -> Vec<f64> {
    let mut row = hands.wait("the survey", |shown| shown.text.contains("left")).row;
    let mut figures = Vec::new();
    for at in 0..count {
        // Frames of the survey come all the time; what they say before the key is old.
        if let Some(now) = hands.last_row() {
            row = now;
        }
        let began = hands.press(if (at / 12) % 2 == 0 { "j" } else { "k" });
        let shown = hands.wait("the cursor on another row", |shown| shown.row != row);
        figures.push((shown.at - began).as_secs_f64() * 1e3);
        row = shown.row;
        std::thread::sleep(Duration::from_millis(17 + at as u64 % 29));
    }
    figures
}

/// Keys, memory and leaving while a survey of everything runs against a world with latency.
pub(crate) fn while_surveying(data: &Data) {
    let serving = serve(data, &["--latency-ms", "50"]);
    let folder = data.scratch("hands");
    list(&data.tree, &folder);
    let mut hands = Hands::start(&data.tree, &serving, &folder, &[]);
    hands.wait("the list", |shown| shown.text.contains("27,449"));
    hands.press("R");
    hands.wait("the question", |shown| shown.text.contains("Survey all of it?"));
    hands.press("y");
    let figures = rows_up_and_down(&mut hands, 200);
    spread("key to screen while a survey is running", "16 ms", figures);
    let most = (0..20).map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        hands.memory()
    });
    let most = most.fold(0.0, f64::max);
    println!("memory while a survey is running: {most:.1} MB (RssAnon + RssShmem)   to reach: 120 MB");
    let text = hands.now();
    assert!(text.contains("left"), "the survey is over, and the figures are not what they say\n{text}");
    hands.press("q");
    hands.wait("the question", |shown| shown.text.contains("stop and leave"));
    let began = hands.press("q");
    hands.child.wait().expect("it ends");
    report("leaving while a survey is running", "200 ms", vec![began.elapsed().as_secs_f64() * 1e3]);
}

/// From `d` on the largest entry to the first frame of its difference, upstream having answered before; the newest
/// versions are taken out of its file first.
pub(crate) fn largest_entry(data: &Data) {
    let path = largest(&data.tree);
    let bytes = std::fs::read(&path).expect("a file");
    let document = Document::parse(&bytes).expect("JSON");
    let fields = document.root().fields().iter().map(|(key, value)| match value {
        Json::Array(items) if key == "versions" => (key.clone(), Json::Array(items[NEWEST..].to_vec())),
        other => (key.clone(), other.clone()),
    });
    let without = Document::from_root(Json::Object(fields.collect())).print();
    std::fs::write(&path, without).expect("the file is written");
    let relative = path.strip_prefix(&data.tree).expect("in the tree").to_string_lossy().into_owned();
    let address = Address::from_path(&relative).expect("an address").to_string();
    let serving = serve(data, &[]);
    let folder = data.scratch("largest");
    list(&data.tree, &folder);
    let mut hands = Hands::start(&data.tree, &serving, &folder, &NO_HASHES);
    hands.wait("the list", |shown| shown.text.contains("27,449"));
    hands.press("/");
    hands.press(&address);
    hands.wait("the filter", |shown| shown.text.contains(&address));
    hands.press("\r");
    let mut figures = Vec::new();
    for _ in 0..8 {
        std::thread::sleep(Duration::from_millis(200));
        hands.last_row();
        let began = hands.press("d");
        let shown = hands.wait("the difference", |shown| shown.text.contains(CLASS));
        figures.push((shown.at - began).as_secs_f64() * 1e3);
        hands.press("\x1b");
        hands.wait("the list", |shown| !shown.text.contains(CLASS));
    }
    let first = figures.remove(0);
    println!("{address}, {} bytes: the first difference, upstream asked, after {first:.1} ms", bytes.len());
    spread("largest entry, to the first frame of its diff", "80 ms", figures);
    std::fs::write(&path, bytes).expect("the file is as it was");
    git(&["-C", &data.tree.to_string_lossy(), "status", "--short"]);
}
