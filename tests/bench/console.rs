//! The console: frames, filters and differences in this process; idling, start and memory through a pseudo-terminal.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bumpdesk::surface::jobs::{Job, JobEvent, Loaded};
use bumpdesk::surface::registry::{Address, Catalog, Document, Json, Kind, Row, Shape};
use bumpdesk::surface::rules::diff::Lines;
use bumpdesk::surface::rules::{Because, Depth, Source, Status, Verdict, diff};
use bumpdesk::surface::tui;
use bumpdesk::surface::tui::{Chord, Effect, Glyphs, Model, Msg, Size};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use crate::processes::{forget_pages, list};
use crate::{Data, git, largest, report, spread};

pub(crate) fn rows(tree: &Path) -> Vec<Row> {
    let listing = std::process::Command::new("git").arg("-C").arg(tree).args(["ls-files", "*.json"]).output();
    let listing = String::from_utf8(listing.expect("git runs").stdout).expect("UTF-8");
    let row = |path: &str| {
        let address = Address::from_path(path)?;
        let bytes = std::fs::read(tree.join(path)).ok()?;
        let shape = Shape::parse(address.kind(), &bytes);
        Some(Row::new(address, shape))
    };
    listing.lines().filter_map(row).collect()
}

fn verdict(place: usize) -> Verdict {
    let status = Status::all().nth(place % Status::COUNT).expect("a status");
    Verdict {
        status,
        because: Because { text: "for the benchmark".into(), source: Source::Tags, at: None },
        depth: Some(Depth::Versions),
        versions: Vec::new(),
        findings: Vec::new(),
        highest_indexed: Some("1.2.3".into()),
        highest_upstream: Some("1.3.0".into()),
        missing: Some(1),
        since: None,
        checked_at: None,
    }
}

pub(crate) fn model(rows: Vec<Row>, size: Size) -> Model {
    let verdicts = (0..rows.len()).map(verdict).collect();
    let loaded = Loaded {
        keeps: true,
        may_write: false,
        catalog: Arc::new(Catalog::new(rows, Vec::new())),
        verdicts,
        revision: "main@0000000".into(),
        name: "registry".into(),
        last_bump: None,
        notices: Vec::new(),
        half_done: Vec::new(),
        has_token: true,
        git_per_second: None,
    };
    let mut model = Model::new(tui::Options {
        glyphs: Glyphs::Unicode,
        registry_hint: Some("registry".into()),
        ..tui::Options::new("2026-11-21T12:00:00Z".parse().expect("a time"), size)
    });
    for effect in model.begin() {
        if let Effect::Start(id, Job::Load) = effect {
            tui::update(&mut model, Msg::Job(id, JobEvent::Loaded(Arc::new(loaded.clone()))));
            let done = bumpdesk::surface::jobs::Outcome::Done(bumpdesk::surface::jobs::Summary::default());
            tui::update(&mut model, Msg::Job(id, JobEvent::Ended(done)));
        }
    }
    model
}

pub(crate) fn press(model: &mut Model, key: &str) {
    let chord = Chord::parse(key).expect("a key");
    tui::update(model, Msg::Key(chord));
}

pub(crate) fn ms(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1e3
}

/// How long frames of this size take, each after this key.
pub(crate) fn frames(model: &mut Model, (columns, height): (u16, u16), key: &str) -> Vec<f64> {
    let mut terminal = Terminal::new(TestBackend::new(columns, height)).expect("a backend");
    let frame = |_| {
        press(model, key);
        ms(|| {
            terminal.draw(|frame| tui::view(model, frame)).expect("a frame");
        })
    };
    (0..100).map(frame).collect()
}

/// Filter keystrokes over all rows, and frames.
pub(crate) fn drawing(data: &Data) {
    let rows = rows(&data.tree);
    println!("rows: {}", rows.len());
    for (columns, height, goal) in [(120, 40, "1 ms"), (240, 80, "2.5 ms")] {
        let mut model = model(rows.clone(), Size::new(columns, height));
        report(&format!("frame at {columns}x{height}"), goal, frames(&mut model, (columns, height), "j"));
    }
    let mut model = model(rows, Size::new(120, 40));
    press(&mut model, "/");
    let keys = "aws status ns terraform provider".split("").filter(|key| !key.is_empty());
    let keys: Vec<&str> = keys.map(|key| if key == " " { "<space>" } else { key }).collect();
    spread(
        "filter keystroke over all rows",
        "4 ms",
        keys.iter().map(|key| ms(|| press(&mut model, key))).collect(),
    );
}

/// The difference of the largest file when its newest version is new.
pub(crate) fn largest_diff(data: &Data) {
    let path = largest(&data.tree);
    let new = Document::parse(&std::fs::read(&path).expect("a file")).expect("JSON");
    let fields = new.root().fields().iter().map(|(key, value)| match value {
        Json::Array(items) if key == "versions" => (key.clone(), Json::Array(items[1..].to_vec())),
        other => (key.clone(), other.clone()),
    });
    let old = Document::from_root(Json::Object(fields.collect()));
    let (mut compared, mut drawn) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let mut result = None;
        compared.push(ms(|| result = Some(diff::compare(Kind::Provider, &old, &new))));
        let result = result.expect("a difference");
        drawn.push(ms(|| drop(Lines::build(Kind::Provider, &old, &new, &result))));
    }
    println!("largest file: {} bytes", std::fs::metadata(&path).map_or(0, |facts| facts.len()));
    report("structural difference of the largest file", "30 ms", compared);
    report("its lines for the screen", "30 ms together", drawn);
}

/// The console on the whole registry in a pseudo-terminal: first frame, memory, idling.
pub(crate) fn idle(data: &Data) {
    let folder = data.scratch("idle");
    let mut starts = Vec::new();
    for run in 0..4 {
        let console = Console::start(&data.tree, &folder, &[]);
        let (first, listed) = console.wait_for_rows();
        // The first run makes the index.
        if run > 0 {
            starts.push((first, listed));
        }
        if run == 3 {
            console.rest();
        }
    }
    report("console, first byte drawn", "30 ms", starts.iter().map(|start| start.0).collect());
    report(
        "console, list on the screen after a warm start",
        "60 ms",
        starts.iter().map(|start| start.1).collect(),
    );
    // Any list but the one of the last run: it has to be made from what git says now.
    let tree = data.tree.to_string_lossy().into_owned();
    let pulled = ["HEAD~80", "-", "HEAD~80", "-", "HEAD~80", "-"].map(|to| {
        git(&["-C", &tree, "checkout", "--quiet", to]);
        let listed = Console::start(&data.tree, &folder, &[]).wait_for_rows().1;
        // The look at every file, which keeps the index, has to be over before the next one.
        list(&data.tree, &folder);
        listed
    });
    report("console, list on the screen after a pull of about 100 files", "100 ms", pulled.to_vec());
}

/// From nothing and with an empty page cache. For a while after it a virtual machine does everything more slowly.
pub(crate) fn cold(data: &Data) {
    if !forget_pages() {
        println!("cold disk: skipped, the page cache cannot be emptied here");
        return;
    }
    report("list, index from nothing, cold disk", "the disk", vec![list(&data.tree, &data.scratch("disk"))]);
    forget_pages();
    let (first, named) = Console::start(&data.tree, &data.scratch("cold-console"), &[]).wait_for_rows();
    println!("console, cold disk, no index: first byte {first:.0} ms, list usable after {named:.0} ms");
}

pub(crate) struct Console {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
    began: Instant,
    first_us: Arc<AtomicU64>,
    listed_us: Arc<AtomicU64>,
    bytes: Arc<AtomicU64>,
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Console {
    pub(crate) fn start(tree: &Path, folder: &Path, more: &[&str]) -> Self {
        let size = portable_pty::PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = portable_pty::native_pty_system().openpty(size).expect("a terminal");
        let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.args(["--no-token", "--registry"]);
        command.arg(tree);
        command.args(more);
        command.arg("--state-dir");
        command.arg(folder.join("state"));
        command.arg("--cache-dir");
        command.arg(folder.join("cache"));
        command.env("TERM", "xterm-256color");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let began = Instant::now();
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        drop(pair.slave);
        let (first_us, listed_us, bytes) =
            (Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default());
        let shared = (Arc::clone(&first_us), Arc::clone(&listed_us), Arc::clone(&bytes));
        std::thread::spawn(move || {
            let mut buffer = vec![0u8; 65_536];
            let mut seen = Vec::new();
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 {
                    break;
                }
                let now = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
                let _ = shared.0.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed);
                shared.2.fetch_add(count as u64, Ordering::Relaxed);
                seen.extend_from_slice(&buffer[..count]);
                if shared.1.load(Ordering::Relaxed) == 0 && seen.windows(6).any(|text| text == b"27,449") {
                    shared.1.store(now, Ordering::Relaxed);
                }
            }
        });
        Self { child, _master: pair.master, began, first_us, listed_us, bytes }
    }

    pub(crate) fn wait_for_rows(&self) -> (f64, f64) {
        while self.listed_us.load(Ordering::Relaxed) == 0 && self.began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let of = |cell: &AtomicU64| cell.load(Ordering::Relaxed) as f64 / 1e3;
        (of(&self.first_us), of(&self.listed_us))
    }

    /// Memory, and what it does while nobody presses a key.
    fn rest(&self) {
        let pid = self.child.process_id().expect("a process");
        std::thread::sleep(Duration::from_secs(2));
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let of = |name: &str| -> u64 {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap_or("");
            line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or(0)
        };
        println!(
            "console memory with the full index: {:.1} MB (RssAnon + RssShmem)   to reach: 100 MB",
            (of("RssAnon") + of("RssShmem")) as f64 / 1024.0
        );
        let ticks = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
            fields
                .get(11..13)
                .map_or(0, |times| times.iter().filter_map(|time| time.parse::<u64>().ok()).sum())
        };
        let (before, written) = (ticks(), self.bytes.load(Ordering::Relaxed));
        std::thread::sleep(Duration::from_mins(1));
        println!(
            "idle for 60 s: {} clock ticks of CPU, {} bytes written   to reach: 0 and 0",
            ticks() - before,
            self.bytes.load(Ordering::Relaxed) - written
        );
    }
}
