//! The stranded board with 5,000 cards: until it is on the screen, and from a key to its frame, beside the same in the list.

use std::fmt::Write;
use std::path::Path;

use crate::hands::Hands;
use crate::processes::serve_world;
use crate::pulls::output_of;
use crate::{Data, report, spread};

const PROVIDERS: usize = 50;
/// Bare tags of each: no bump can take them.
const TAGS: usize = 100;

fn world() -> String {
    let mut text = String::from("[user]\nlogin = \"ann\"\ntoken = \"t0k\"\n");
    let tags: Vec<String> =
        (0..TAGS).map(|minor| format!("{{ name = \"v2.{minor}.0\", at = \"-20d\" }}")).collect();
    for provider in 0..PROVIDERS {
        let _ = write!(
            text,
            "[[provider]]\naddress = \"acme{provider}/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\ntags = [{}]\n",
            tags.join(", ")
        );
    }
    text
}

pub(crate) fn board(data: &Data) {
    let folder = data.scratch("stranded");
    let file = folder.join("world.toml");
    std::fs::write(&file, world()).expect("a file");
    let serving = serve_world(&file);
    output_of(&serving, &folder, &["survey", "--depth", "sums"]);
    let board = output_of(&serving, &folder, &["stranded"]);
    let cards = board.lines().filter(|line| line.contains("\"type\":\"stranded\"")).count();
    assert_eq!(cards, PROVIDERS * TAGS);
    let mut hands = Hands::start(Path::new(serving.address("registry")), &serving, &folder, &[]);
    hands.wait("the list", |shown| shown.text.contains("acme0/rocket"));
    std::thread::sleep(std::time::Duration::from_secs(1));
    spread("50 entries in the list: key to screen", "16 ms at p99", up_and_down(&mut hands));
    let mut figures = Vec::new();
    for _ in 0..5 {
        hands.press("1");
        hands.wait("the list", |shown| shown.text.contains("filter>"));
        let began = hands.press("6");
        let shown = hands.wait("the board", |shown| shown.text.contains("v2.") || shown.text.contains("@2."));
        figures.push((shown.at - began).as_secs_f64() * 1e3);
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    report("board of 5,000 cards, on the screen", "200 ms", figures);
    hands.press("l");
    std::thread::sleep(std::time::Duration::from_millis(300));
    spread("board of 5,000 cards: key to screen", "16 ms at p99", up_and_down(&mut hands));
}

/// Down and up again, each from the key to the next frame.
fn up_and_down(hands: &mut Hands) -> Vec<f64> {
    let mut figures = Vec::new();
    for at in 0..200 {
        hands.forget();
        let began = hands.press(if (at / 12) % 2 == 0 { "j" } else { "k" });
        let shown = hands.wait("a frame", |_| true);
        figures.push((shown.at - began).as_secs_f64() * 1e3);
        std::thread::sleep(std::time::Duration::from_millis(17 + at as u64 % 29));
    }
    figures
}
