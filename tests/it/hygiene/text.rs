//! The commands, as text, as JSON, into a pipe and onto a terminal.

use crate::door::{Door, Output};

use super::world::{EVIL, door, is_obeyed};

const LINES: [&str; 16] = [
    "list",
    "survey",
    "survey --depth sums --max-age 0",
    "list",
    "list --csv",
    "show acme/evil",
    "show acme/renamed",
    "show module acme/evil/aws",
    "show acme/broken",
    "diff acme/evil",
    "diff acme/evil --mode scratch",
    "diff acme/evil acme/broken acme/evil/aws",
    "lint",
    "bump --dry-run",
    "doctor",
    "bump",
];

#[track_caller]
pub(super) fn check(line: &str, said: &Output, terminal: bool) {
    for (stream, text) in [("out", &said.out), ("err", &said.err)] {
        let text = if terminal { without_ours(text) } else { text.clone() };
        let obeyed = text.lines().find(|line| line.chars().any(is_obeyed));
        assert_eq!(obeyed, None, "{line}, {stream}");
        assert!(!text.contains('\r'), "{line}, {stream}: {text:?}");
    }
}

/// Without what is ours: colours, and the way back to the start of the standing line.
fn without_ours(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, behind) = rest.split_at(at);
        plain.push_str(before);
        let behind = &behind[2..];
        let digits = behind.chars().take_while(char::is_ascii_digit).count();
        match behind[digits..].strip_prefix('m') {
            Some(after) if digits <= 2 => rest = after,
            _ => {
                plain.push_str("\u{1b}[");
                rest = behind;
            }
        }
    }
    plain.push_str(rest);
    plain.replace('\r', "")
}

async fn all(door: &Door, ending: &str) -> String {
    let mut heard = String::new();
    for line in LINES {
        if line.contains("--csv") && ending.contains("--json") {
            continue;
        }
        let said = door.said(&format!("{line} {ending}")).await;
        check(&format!("{line} {ending}"), &said, door.terminal);
        assert!(said.exit <= 5, "{line}: {said}");
        heard.push_str(&said.out);
        heard.push_str(&said.err);
    }
    heard
}

#[test]
fn the_world_is_hostile() {
    assert!(EVIL.chars().filter(|c| is_obeyed(*c)).count() > 15);
    assert!("größe ✓ ⊗ … · ●".chars().all(|c| !is_obeyed(c)));
}

/// What came through is shown as what it is, in every place: otherwise this test would see nothing.
#[tokio::test(flavor = "multi_thread")]
async fn text_into_a_pipe() {
    for ending in ["", "--plain"] {
        let heard = all(&door().await, ending).await;
        let warning = if ending.is_empty() { "warned     beware" } else { "users are warned: beware" };
        for wanted in [
            &format!("{warning} \\u{{1b}}[2J"),
            "failed \\u{1b}[2J",
            "on the blacklist: \\u{1b}[2J",
            "found nearest near",
            "0.9.0-\\u{1b}[2J",
            "v1.0.0\\u{1b}[2J",
            "reg\\u{202e}\\u{1b}[2J\\u{200b}istry",
            "ma\\u{202e}\\u{200b}in",
            "od\\u{202e}\\u{1b}[2Jd/deep.json",
            "wrong content at 2:",
            "acme/terraform-provider-renamed redirects to acme/",
            "an HTML page instead of git's answer",
        ] {
            assert!(heard.contains(wanted), "{wanted} is not in\n{heard}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn json_lines() {
    let heard = all(&door().await, "--json").await;
    assert!(heard.contains("beware \\u001b[2J"), "{heard}");
    assert!(heard.contains("\\u202e") && heard.contains("\\u200b") && heard.contains("\\u009b"), "{heard}");
    let whole = door().await;
    let shown = whole.said("show acme/evil --json").await;
    // Only the spelling is another: whoever reads the JSON gets the text as it stands in the file.
    assert_eq!(shown.objects()[0]["warnings"][0], format!("beware {EVIL}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn text_onto_a_terminal() {
    let mut door = door().await;
    door.terminal = true;
    let heard = all(&door, "--color always").await;
    assert!(heard.contains("\u{1b}[3"), "there are colours");
    let patch = door.said("diff acme/evil --patch").await;
    check("diff --patch", &patch, true);
}

/// What was typed is from outside as well.
#[tokio::test(flavor = "multi_thread")]
async fn words_of_the_command_line() {
    let door = door().await;
    for words in [
        &["show", EVIL][..],
        &["show", "acme/evil\u{202e}"],
        &[EVIL],
        &["list", "--filter", EVIL],
        &["list", "--status", EVIL],
        &["lint", "--rule", EVIL],
        &["list", "--ref", "x\u{202e}\u{1b}[2J"],
        &["list", "--registry", EVIL],
        &["list", "--config", EVIL],
        &["list", "--feature", EVIL],
        &["list", "--theme", EVIL],
        &["survey", "--web-url", EVIL],
        &["diff", "acme/evil", "--mode", EVIL],
        &["clone", EVIL, EVIL, EVIL],
    ] {
        let said = door.run(words).await;
        check(&format!("{words:?}"), &said, false);
        assert!(said.exit == 2 || said.exit == 0, "{words:?}: {said}");
    }
    let folder = door.folder.path().join("config");
    std::fs::create_dir_all(&folder).expect("a folder");
    for text in [
        format!("\"{}\" = 1\n", "a\u{202e}\u{9b}"),
        "[ui]\ntheme = \"\\u001b[2J\u{202e}\"\n".into(),
        EVIL.into(),
    ] {
        std::fs::write(folder.join("config.toml"), &text).expect("a file");
        let said = door.said("list").await;
        check(&text, &said, false);
    }
}
