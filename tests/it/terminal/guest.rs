//! The console as a guest of the terminal: it asks for the background, lets go of everything for the shell and for other
//! programs, and takes nothing for typing that nobody typed.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use super::pty::{PATIENCE, Pty, home};

const TRUE: (&str, &str) = ("COLORTERM", "truecolor");
const LIGHT: vt100::Color = vt100::Color::Rgb(0xfb, 0xfa, 0xf7);
const DARK: vt100::Color = vt100::Color::Rgb(0x14, 0x17, 0x1c);

/// A demo in a terminal with true colour, its list there.
fn demo(home: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Pty {
    let mut all = vec![TRUE];
    all.extend_from_slice(variables);
    let mut command = vec!["demo"];
    command.extend_from_slice(arguments);
    let mut pty = Pty::start_with(home, (120, 40), &all, &command);
    pty.see(&["61 entries", "? help"]);
    pty
}

fn leave(mut pty: Pty) {
    // A survey may still run, and then it asks.
    pty.see(&["survey done"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0, "{}", pty.text());
    pty.assert_restored();
    let raw = String::from_utf8_lossy(&pty.raw);
    for mode in ["2031", "1000"] {
        assert!(raw.rfind(&format!("\u{1b}[?{mode}l")) > raw.rfind(&format!("\u{1b}[?{mode}h")), "{mode}");
    }
}

/// Waits until the paper of the whole screen is this.
fn paper(pty: &mut Pty, colour: vt100::Color) {
    pty.wait_for(&format!("{colour:?}"), |screen| {
        [(20, 30), (38, 100)]
            .into_iter()
            .all(|(row, column)| screen.cell(row, column).is_some_and(|cell| cell.bgcolor() == colour))
    });
}

/// A program that a test puts into its home.
fn program(home: &Path, name: &str, script: &str) -> String {
    let path = home.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a program");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it may run");
    path.to_str().expect("a path of ASCII").to_owned()
}

#[test]
fn the_theme_goes_with_the_background() {
    let home = home();
    let mut pty = Pty::start_with(home.path(), (120, 40), &[TRUE], &["demo"]);
    pty.answers = false;
    pty.see(&["61 entries", "? help"]);
    let raw = String::from_utf8_lossy(&pty.raw).into_owned();
    let asked = raw.find("\u{1b}]11;?").expect("it asks for the background");
    assert!(
        raw.find("\u{1b}[?2026l").is_some_and(|drawn| drawn < asked),
        "the first frame waits for no answer"
    );
    assert!(raw.contains("\u{1b}[?2031h"), "it wants to hear of changes");
    paper(&mut pty, DARK);
    pty.press("\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\\u{1b}[?62;22c");
    paper(&mut pty, LIGHT);
    pty.press("\u{1b}[?997;1n");
    paper(&mut pty, DARK);
    pty.press("\u{1b}[?997;2n");
    paper(&mut pty, LIGHT);
    // Answers that nobody asked for, and broken ones, are no typing: `q`, `/`, `R` and `T` are in them.
    pty.press("\u{1b}P1+r544e=q/RT\u{1b}\\\u{1b}]10;rgb:q/R/T\u{7}\u{1b}[?1;2q\u{1b}_q/RT\u{1b}\\\u{1b}[200~q/RT\u{1b}[201~");
    pty.press("/rookery\r");
    pty.see(&["filter> rookery"]);
    pty.press("\u{1b}");
    pty.see(&["filter> (none)"]);
    // A choice stays, whatever the terminal says later.
    pty.press("T");
    pty.see(&["theme high-contrast"]);
    pty.press("\u{1b}[?997;1nG");
    paper(&mut pty, vt100::Color::Rgb(0, 0, 0));
    leave(pty);
}

#[test]
fn a_named_theme_asks_nothing_and_ones_own_is_read() {
    let home = home();
    let folder = home.path().join(".config/bumpdesk/themes");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("mine.toml"), "[palette]\npaper = \"#102030\"\n").expect("a theme");
    let mut pty = demo(home.path(), &[], &["--theme", "mine"]);
    paper(&mut pty, vt100::Color::Rgb(0x10, 0x20, 0x30));
    assert!(!String::from_utf8_lossy(&pty.raw).contains("\u{1b}]11;?"));
    pty.see(&["survey done"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    std::fs::write(folder.join("mine.toml"), "[palette]\npaper = \"#102030\"\n[roles]\ncurser = {}\n")
        .expect("a theme");
    let mut pty =
        Pty::start_with(home.path(), (120, 40), &[TRUE, ("COLORFGBG", "0;15")], &["--theme", "mine"]);
    pty.see(&[
        "No registry was found",
        "theme left out",
        "your themes have 1 mistake",
        "mine.toml:4:1`: there is no role `curser`; write `cursor`",
    ]);
    paper(&mut pty, LIGHT);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    let mut pty = Pty::start(home.path(), (120, 24), &["config", "check"]);
    assert_eq!(pty.end().exit_code(), 2);
    assert!(
        pty.text().contains("mine.toml:4:1`: there is no role `curser`; write `cursor`"),
        "{}",
        pty.text()
    );
    let mut pty = Pty::start(home.path(), (120, 24), &["demo", "--theme", "ligth"]);
    assert_eq!(pty.end().exit_code(), 2);
    assert!(pty.text().contains("write `light`"), "{}", pty.text());
}

/// The kinds of colour that are drawn, by the number after `38;`.
#[test]
fn colours_are_those_that_the_terminal_has() {
    for (variables, form) in [
        (&[("COLORTERM", "truecolor")][..], Some("38;2;")),
        (&[][..], Some("38;5;")),
        (&[("TERM", "xterm")][..], Some("38;5;")),
        (&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")][..], None),
    ] {
        let home = home();
        let mut pty = Pty::start_with(home.path(), (80, 24), variables, &[]);
        pty.see(&["No registry was found"]);
        pty.press("q");
        assert_eq!(pty.end().exit_code(), 0);
        let raw = String::from_utf8_lossy(&pty.raw);
        for known in ["38;2;", "38;5;"] {
            assert_eq!(raw.contains(known), form == Some(known), "{variables:?}: {known}");
        }
    }
}

/// Started by a shell, stopped, continued: as `less` or `vi`.
#[test]
fn ctrl_z_and_fg() {
    let home = home();
    let mut pty = Pty::run(
        home.path(),
        (120, 40),
        &[("PS1", "ready> "), TRUE],
        &["bash", "--norc", "--noprofile", "-i"],
    );
    pty.see(&["ready>"]);
    pty.press("stty -g >before\r");
    pty.press(&format!("{} demo; stty -g >after; echo ended with $?\r", env!("CARGO_BIN_EXE_bumpdesk")));
    pty.see(&["survey done", "[1 Inv"]);
    for _ in 0..2 {
        pty.press("\u{1a}");
        pty.see(&["Stopped"]);
        pty.wait_for("the shell's own screen", |screen| !screen.alternate_screen() && !screen.hide_cursor());
        see_prompt(&mut pty);
        assert!(!pty.state().bracketed_paste() || pty.text().contains("ready>"), "{}", pty.text());
        pty.press("clear\r");
        pty.gone("Stopped");
        pty.see(&["ready>"]);
        pty.resize((100, 30));
        pty.press("fg\r");
        pty.see(&["[1 Inv", "61 entries", "survey done"]);
        assert!(pty.state().alternate_screen());
    }
    pty.press("/rookery\r");
    pty.see(&["filter> rookery"]);
    pty.press("q");
    // The shell's screen is there before the console is gone, and what is typed until then is dropped.
    pty.see(&["bumpdesk demo\nready>"]);
    pty.press("cmp before after && echo same as before\r");
    pty.see(&["same as before\nready>"]);
    pty.press("exit\r");
    pty.end();
}

/// A shell in a terminal, for programs that the shell can stop and continue.
fn shell(home: &Path, variables: &[(&str, &str)]) -> Pty {
    let variables = [&[("PS1", "ready> "), TRUE], variables].concat();
    let mut pty = Pty::run(home, (120, 40), &variables, &["bash", "--norc", "--noprofile", "-i"]);
    pty.see(&["ready>"]);
    pty
}

/// Starts a demo in the shell, and returns the id of its process.
fn demo_in(pty: &mut Pty, home: &Path) -> String {
    let program = env!("CARGO_BIN_EXE_bumpdesk");
    pty.press(&format!("sh -c 'echo $$ >id; exec {program} demo'; echo ended with $?\r"));
    pty.see(&["survey done", "[1 Inv"]);
    std::fs::read_to_string(home.join("id")).expect("the shell wrote it").trim().to_owned()
}

fn send(name: &str, id: &str) {
    let sent = std::process::Command::new("kill").args([&format!("-{name}"), id]).status();
    assert!(sent.expect("there is a `kill`").success());
}

/// Waits until a process is stopped. The shell waits for its own child alone: an editor that runs on for a moment would still take
/// a key.
fn wait_until_stopped(id: &str) {
    let deadline = Instant::now() + PATIENCE;
    let is_stopped = || {
        let asked = std::process::Command::new("ps").args(["-o", "state=", "-p", id.trim()]).output();
        asked.expect("there is a `ps`").stdout.trim_ascii_start().starts_with(b"T")
    };
    while !is_stopped() {
        assert!(Instant::now() < deadline, "process {id} was not stopped");
        std::thread::yield_now();
    }
}

fn has_mouse(screen: &vt100::Screen) -> bool {
    screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None
}

/// Another process stops the console. If the signal can be handled, the console gives the terminal back. After any
/// other stop it sets up the terminal and draws everything again.
#[test]
fn a_stop_from_outside_gives_the_terminal_back() {
    let home = home();
    let mut pty = shell(home.path(), &[]);
    pty.press("stty -g >before\r");
    let id = demo_in(&mut pty, home.path());
    for name in ["TSTP", "STOP", "TTIN", "TTOU", "TSTP"] {
        send(name, &id);
        pty.see(&["Stopped"]);
        if name == "TSTP" {
            pty.wait_for("the shell's own screen", |screen| {
                !screen.alternate_screen() && !screen.hide_cursor() && !has_mouse(screen)
            });
        } else {
            // The user of the shell repairs the terminal.
            pty.press(
                "stty sane; stty -g >before; printf '\\033[?1049l\\033[?1000l\\033[?2004l\\033[?25h'\r",
            );
            pty.wait_for("the shell's own screen", |screen| !screen.alternate_screen() && !has_mouse(screen));
        }
        pty.press("clear\r");
        pty.gone("Stopped");
        pty.see(&["ready>"]);
        pty.press("fg\r");
        pty.see(&["[1 Inv", "61 entries"]);
        pty.wait_for("all modes again", |screen| {
            screen.alternate_screen() && screen.bracketed_paste() && has_mouse(screen)
        });
    }
    pty.press("/rookery\r");
    pty.see(&["filter> rookery"]);
    pty.press("q");
    // The shell runs nothing more of the line that was stopped.
    pty.see(&["demo'\nready>"]);
    pty.press("echo ended with $?\r");
    pty.see(&["ended with 0\nready>"]);
    pty.press("stty -g | cmp - before && echo same as before\r");
    pty.see(&["same as before\nready>"]);
    pty.press("exit\r");
    pty.end();
}

/// Without a shell nothing could continue the process. The system ignores such a stop, and so does the console.
#[test]
fn a_stop_without_a_shell_is_ignored() {
    let home = home();
    let mut pty = demo(home.path(), &[], &[]);
    pty.see(&["survey done"]);
    pty.signal("TSTP");
    pty.press("?");
    pty.see(&["Help: Inventory"]);
    pty.press("\r");
    pty.gone("Help:");
    pty.press("\u{1a}");
    pty.press("?");
    pty.see(&["Help: Inventory"]);
    pty.press("\r");
    pty.gone("Help:");
    leave(pty);
}

/// Waits for the prompt of the shell, which drops what is typed while it takes the terminal back.
fn see_prompt(pty: &mut Pty) {
    pty.wait_for("the prompt", |screen| screen.contents().trim_end().ends_with("ready>"));
}

/// Ctrl-Z in an editor stops the editor and us, so that the shell gets the terminal.
#[test]
fn ctrl_z_in_an_editor_leads_to_the_shell() {
    let home = home();
    let editor = program(
        home.path(),
        "editor",
        "echo $$ >\"$HOME/editor-id\"; echo EDITOR; read word; echo \"$word\" >\"$HOME/typed\"",
    );
    let mut pty = shell(home.path(), &[("EDITOR", &editor)]);
    demo_in(&mut pty, home.path());
    pty.press("/rookery\r");
    pty.see(&["filter> rookery"]);
    pty.press("e");
    pty.see(&["EDITOR"]);
    pty.press("\u{1a}");
    pty.see(&["Stopped"]);
    see_prompt(&mut pty);
    wait_until_stopped(&std::fs::read_to_string(home.path().join("editor-id")).expect("the editor wrote it"));
    pty.press("fg\r");
    // What is typed before the shell has left its own mode has no line end for the editor.
    pty.see(&["fg\nsh -c"]);
    pty.press("word\r");
    pty.see(&["the editor showed a copy", "filter> rookery"]);
    assert_eq!(std::fs::read_to_string(home.path().join("typed")).expect("it was typed"), "word\n");
    pty.press("q");
    pty.see(&["word\nready>"]);
    pty.press("echo ended with $?\r");
    pty.see(&["ended with 0\nready>"]);
    pty.press("exit\r");
    pty.end();
}

/// Answers of the terminal and mouse events arrive a round trip after the console has begun to leave.
#[test]
fn late_input_of_a_slow_terminal_stays_out_of_the_shell() {
    const COLOURS: &str = "\u{1b}[?997;1n\u{1b}]11;rgb:1e1e/1e1e/1e1e\u{1b}\\";
    const LAST: &str = "\u{1b}[?62;22c";
    const WHEEL: &str = "\u{1b}[<64;5;9M\u{1b}[<65;5;9M\u{1b}[<65;5;9M";
    // The modes off, and the request whose answer comes last.
    const QUIET: &str = "\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?2031l\u{1b}[c";
    let home = home();
    let mut pty = shell(home.path(), &[]);
    pty.answers = false;
    for (name, arguments, early, late) in [
        ("nothing was answered when it left", "", "", [COLOURS, LAST, ""].concat()),
        ("all was answered", "", "both", String::new()),
        ("the colours change while it leaves", "", "both", ["\u{1b}[?997;2n", COLOURS].concat()),
        ("the wheel turns while it leaves", "", "both", WHEEL.to_owned()),
        ("the mouse in a theme that asks nothing", "--theme dark", "", WHEEL.to_owned()),
    ] {
        pty.raw.clear();
        pty.press(&format!("clear; {} {arguments}\r", env!("CARGO_BIN_EXE_bumpdesk")));
        pty.see(&["No registry was found"]);
        if early == "both" {
            pty.wait_written("\u{1b}[c");
            pty.press(&[COLOURS, LAST].concat());
        }
        pty.press("q");
        pty.wait_written(QUIET);
        assert!(pty.state().alternate_screen(), "{name}: it waits for what is under way");
        pty.press(&late);
        pty.press(LAST);
        pty.wait_for("the shell's own screen", |screen| !screen.alternate_screen());
        // What is typed before the shell has the terminal is dropped.
        pty.see(&["ready>"]);
        pty.press("echo left $?\r");
        pty.see(&["left 0\nready>"]);
        let text = pty.text();
        for piece in ["997", "rgb:", "62;22", "[<6", ";9M", "1e1e"] {
            assert!(!text.contains(piece), "{name}: {piece}\n{text}");
        }
    }
    // The console leaves a terminal that never answers.
    pty.press(&format!("clear; {}\r", env!("CARGO_BIN_EXE_bumpdesk")));
    pty.see(&["No registry was found"]);
    pty.press("q");
    pty.wait_for("the shell's own screen", |screen| !screen.alternate_screen());
    // What is typed before the shell has the terminal is dropped.
    pty.see(&["ready>"]);
    pty.press("exit\r");
    pty.end();
}

/// What is typed at an editor is the editor's, and how it ended is said.
#[test]
fn an_editor_has_the_terminal_and_gives_it_back() {
    let home = home();
    let script = "how=$(cat \"$HOME/how\")\n\
                  case $how in fail) exit 3;; kill) stty raw -echo; kill -9 $$;; esac\n\
                  stty -a | grep -q -- ' icanon' && mode=line\n\
                  echo \"EDITOR $how $mode $(basename \"$1\") $(head -c 1 \"$1\")\"\n\
                  read word; echo \"$word\" >\"$HOME/typed\"";
    let editor = program(home.path(), "editor", script);
    let how = |word: &str| std::fs::write(home.path().join("how"), word).expect("a file");
    let mut pty = demo(home.path(), &[("VISUAL", &editor), ("EDITOR", "false")], &[]);
    pty.see(&["survey done"]);
    pty.press("/rookery\r");
    pty.see(&["filter> rookery"]);
    for round in ["j/qR", "again"] {
        how(round);
        pty.press("e");
        pty.see(&[&format!("EDITOR {round} line rookery.json {{")]);
        assert!(
            !pty.state().alternate_screen() && !pty.state().hide_cursor() && !pty.state().bracketed_paste()
        );
        pty.press(&format!("{round}\r"));
        pty.see(&["the editor showed a copy", "filter> rookery"]);
        assert_eq!(
            std::fs::read_to_string(home.path().join("typed")).expect("it was typed"),
            format!("{round}\n")
        );
        assert!(pty.state().alternate_screen());
    }
    how("fail");
    pty.press("e");
    pty.see(&["editor` failed with code 3"]);
    how("kill");
    pty.press("e");
    pty.see(&["editor` was killed by signal 9", "filter> rookery"]);
    pty.press("?");
    pty.see(&["Help: Inventory"]);
    pty.press("\u{1b}");
    pty.gone("Help:");
    // Ctrl-C in the editor is not ours.
    how("interrupt");
    pty.press("e");
    pty.see(&["EDITOR interrupt line"]);
    pty.press("\u{3}");
    pty.see(&["editor` was killed by signal 2", "filter> rookery"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0, "{}", pty.text());
    pty.assert_restored();
    let left = std::fs::read_dir(home.path()).expect("a folder").flatten();
    let left: Vec<_> =
        left.filter(|entry| entry.file_name().to_string_lossy().starts_with("bumpdesk-")).collect();
    assert!(left.is_empty(), "copies stay: {left:?}");
}

/// A text of several lines goes to the editor and comes back. An editor that fails changes nothing, and no file is left.
#[test]
fn a_verdict_is_written_in_an_editor() {
    let home = home();
    let editor = program(
        home.path(),
        "editor",
        "echo EDITOR $(wc -l <\"$1\"); echo second line >>\"$1\"; read word; exit \"${word:-0}\"",
    );
    let mut pty = demo(home.path(), &[("EDITOR", &editor)], &[]);
    pty.see(&["survey done"]);
    pty.press("3");
    pty.see(&["5594"]);
    pty.press("/5594\r");
    pty.see(&["1 of 11", "DIFFERS  one checksum"]);
    pty.press("Y");
    pty.see(&["your words"]);
    pty.press("\t");
    pty.see(&["Enter begins a line"]);
    pty.press("first line");
    pty.see(&["your words", "first line"]);
    pty.press("\u{f}");
    pty.see(&["EDITOR 1"]);
    pty.press("\r");
    pty.see(&["back from the editor; nothing is done yet", "second line"]);
    pty.press("\u{f}");
    pty.see(&["EDITOR 2"]);
    pty.press("7\r");
    pty.see(&["the text stays as it was: ", "failed with code 7"]);
    assert_eq!(pty.text().matches("second line").count(), pty.text().matches("first line").count());
    pty.press("\u{1b}");
    pty.gone("Your verdict");
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0, "{}", pty.text());
    pty.assert_restored();
    let left = std::fs::read_dir(home.path()).expect("a folder").flatten();
    assert!(left.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with("bumpdesk-")));
}

#[test]
fn a_signal_ends_it_while_an_editor_has_the_terminal() {
    let home = home();
    let editor = program(home.path(), "editor", "stty raw -echo; echo EDITOR; exec sleep 600");
    let mut pty = demo(home.path(), &[("EDITOR", &editor)], &[]);
    pty.press("e");
    pty.see(&["EDITOR"]);
    pty.signal("TERM");
    let status = pty.end();
    assert_eq!(status.signal(), None);
    pty.assert_restored();
}

#[test]
fn a_pager_gets_the_patch() {
    let home = home();
    let pager = program(home.path(), "pager", "grep '^[-+]' | head -n 3; read word </dev/tty");
    let mut pty = demo(home.path(), &[("PAGER", &pager)], &[]);
    pty.see(&["survey done"]);
    pty.press("/rookery\r");
    pty.see(&["filter> rookery"]);
    pty.press("d");
    pty.see(&["ADDITIVE"]);
    pty.press("|");
    pty.see(&["--- a/providers/o/owlbarn/rookery.json", "+++ b/providers/o/owlbarn/rookery.json"]);
    pty.press("\r");
    pty.see(&["back from the pager", "ADDITIVE"]);
    // Keys as fast as letters of a text do not leave.
    pty.bytes_until_quiet(Duration::from_millis(350));
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    pty.assert_restored();
}

#[test]
fn the_clipboard_and_the_browser_are_honest() {
    let home = home();
    let browser = program(
        home.path(),
        "surf",
        "echo \"$1\" >\"$HOME/page\"; case $1 in *rookery*) echo 'no window' >&2; exit 4;; esac",
    );
    let mut pty = demo(home.path(), &[("BROWSER", &browser)], &[]);
    pty.see(&["survey done"]);
    pty.press("ya");
    pty.see(&["sent to the terminal's clipboard, which it may ignore"]);
    pty.wait_written("\u{1b}]52;c;");
    pty.press("o");
    pty.see(&["opened with "]);
    pty.press("/rookery\r");
    pty.see(&["filter> rookery"]);
    pty.press("o");
    pty.see(&["surf` failed with code 4: no window"]);
    let page = std::fs::read_to_string(home.path().join("page")).expect("it was asked");
    assert!(page.starts_with("https://github.com/owlbarn/"), "{page}");
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
}

#[test]
fn the_mouse_is_the_consoles_until_f2() {
    let home = home();
    let mut pty = demo(home.path(), &[], &[]);
    pty.see(&["survey done"]);
    // The message is drawn before the frame's last step, which puts the cursor on the selected row: until then it is anywhere.
    let text = pty.text();
    let row = text.lines().position(|line| line.starts_with('▸')).expect("a row is selected");
    let row = u16::try_from(row).expect("a screen's row");
    pty.wait_for("the cursor on the selected row", |screen| screen.cursor_position().0 == row);
    let modes = |pty: &Pty| pty.state().mouse_protocol_mode() != vt100::MouseProtocolMode::None;
    assert!(modes(&pty));
    // The fourth row from here; counted from 1.
    pty.press(&format!("\u{1b}[<0;5;{}M\u{1b}[<0;5;{}m", row + 4, row + 4));
    pty.wait_for("the clicked row", |screen| screen.cursor_position().0 == row + 3);
    pty.press("\u{1b}[<64;5;9M");
    pty.wait_for("the wheel", |screen| screen.cursor_position().0 == row);
    pty.press("\u{1b}OQ");
    pty.see(&["mouse off"]);
    assert!(!modes(&pty));
    pty.press("\u{1b}OQ");
    pty.see(&["mouse on"]);
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
    assert!(!modes(&pty), "the mouse is given back");
    pty.assert_restored();
    // A setting leaves it to the terminal from the start.
    let folder = home.path().join(".config/bumpdesk");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), "[ui]\nmouse = false\n").expect("a file");
    let mut pty = demo(home.path(), &[], &[]);
    pty.see(&["survey done"]);
    assert!(!modes(&pty));
    pty.press("q");
    assert_eq!(pty.end().exit_code(), 0);
}

/// A terminal that shrinks and grows again has lost cells, and both signals may be taken together.
#[test]
fn a_resize_to_the_same_size_draws_every_cell() {
    let home = home();
    let mut pty = demo(home.path(), &[], &[]);
    pty.see(&["survey done"]);
    pty.bytes_until_quiet(Duration::from_millis(300));
    let before = pty.text();
    pty.lose_cells();
    pty.signal("WINCH");
    pty.wait("screen as before", |screen| screen == before);
    leave(pty);
}

/// An earlier library left a key unread until the next key if it came in the same instant as a resize.
#[test]
fn a_key_that_comes_with_a_resize_is_heard() {
    let home = home();
    let mut pty = demo(home.path(), &[], &[]);
    pty.see(&["survey done"]);
    for round in 0..30_u16 {
        pty.press("?");
        pty.resize((110 + round % 7, 36 + round % 5));
        pty.see(&["Help: Inventory"]);
        pty.resize((120, 40));
        // Not Esc: half a redraw has no `Help:` either, and the next key right behind an Esc would be one with Alt.
        pty.press("\r");
        pty.gone("Help:");
    }
    leave(pty);
}

/// Under `nohup` nobody says that the terminal is gone; reading from it does.
#[test]
fn a_terminal_that_vanishes_ends_it_even_without_a_signal() {
    let home = home();
    let line = format!("trap '' HUP; exec {} demo", env!("CARGO_BIN_EXE_bumpdesk"));
    let mut pty = Pty::run(home.path(), (80, 24), &[], &["sh", "-c", &line]);
    pty.see(&["survey done"]);
    pty.hang_up();
    assert_eq!(pty.end().signal(), None, "it left by itself");
}
