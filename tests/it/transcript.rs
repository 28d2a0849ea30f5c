//! Transcripts that are kept as files: `tests/transcripts/NAME.txt`. With `BUMPDESK_KEEP_TRANSCRIPTS=1` they are written anew.
//!
//! What differs from run to run is taken out first: progress, which depends on the machine, and folders of the test.

use std::path::PathBuf;

/// Compares a text with the one that is kept under this name.
#[track_caller]
pub(crate) fn keep(name: &str, text: &str) {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(format!("{name}.txt"));
    let text = steady(text);
    if std::env::var_os("BUMPDESK_KEEP_TRANSCRIPTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, &text).expect("a file");
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    if kept == text {
        return;
    }
    let at = kept.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.lines().skip(at.saturating_sub(2)).take(6).collect::<Vec<_>>().join("\n");
    panic!(
        "`{}` differs from line {}; BUMPDESK_KEEP_TRANSCRIPTS=1 writes it anew\n--- kept\n{}\n--- now\n{}",
        path.display(),
        at + 1,
        around(&kept),
        around(&text)
    );
}

/// Without lines about how far a job is, and with counts of requests and times that a busy machine changes taken out.
fn steady(text: &str) -> String {
    let phases = ["reading ", "looking at ", "downloading ", "writing files"];
    let progress = |line: &&str| {
        line.strip_prefix("now: ").is_some_and(|rest| {
            rest.contains(" percent") && phases.iter().any(|phase| rest.starts_with(phase))
        })
    };
    let mut steady = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !progress(line)) {
        steady.push_str(&without_requests(line));
        steady.push('\n');
    }
    steady
}

/// `, 362 requests` becomes `, N requests`: what is asked again depends on when an answer came.
fn without_requests(line: &str) -> String {
    let Some(at) = line.find(" request") else { return line.to_owned() };
    let start = line[..at].rfind(|c: char| !c.is_ascii_digit() && c != ',').map_or(0, |place| place + 1);
    if start == at { line.to_owned() } else { format!("{}N{}", &line[..start], &line[at..]) }
}
