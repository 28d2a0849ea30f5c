//! The console inside tmux, as most maintainers run it.
//!
//! A client of tmux runs in a pseudo-terminal of its own, so that every wait is for something seen; keys and captures go
//! through tmux itself.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::pty::{Pty, home};
use crate::need::{Missing, need};

/// A tmux server that ends with the test.
struct Server {
    socket: PathBuf,
}

impl Server {
    /// Runs a command of tmux; gives what it printed.
    fn ask(&self, words: &[&str]) -> String {
        let output = Command::new("tmux")
            .arg("-S")
            .arg(&self.socket)
            .args(words)
            .env_remove("TMUX")
            .output()
            .expect("tmux runs");
        assert!(output.status.success(), "tmux {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Types with `send-keys`.
    fn type_keys(&self, keys: &[&str]) {
        let mut words = vec!["send-keys"];
        words.extend(keys);
        self.ask(&words);
    }

    fn screen(&self) -> String {
        self.ask(&["capture-pane", "-p"])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new("tmux").arg("-S").arg(&self.socket).arg("kill-server").output();
    }
}

fn tmux() -> Result<(), Missing> {
    let is_there = Command::new("tmux").arg("-V").output().is_ok_and(|output| output.status.success());
    is_there.then_some(()).ok_or(Missing { need: "tmux", why: "tmux is not installed" })
}

/// The demo in tmux, its survey over. `path` is the console's own PATH.
fn demo(home: &Path, path: &str) -> (Server, Pty) {
    let server = Server { socket: home.join("tmux") };
    let settings = home.join("tmux.conf");
    std::fs::write(&settings, "set -g set-clipboard on\nset -sg escape-time 10\nset -g status off\n")
        .expect("a file");
    let bin = env!("CARGO_BIN_EXE_bumpdesk");
    let line = format!("PATH={path} exec {bin} demo --now 2026-11-21T12:00:00Z");
    let (socket, settings) = (server.socket.display().to_string(), settings.display().to_string());
    let words = ["tmux", "-u", "-S", &socket, "-f", &settings, "new-session", &line];
    let mut pty = Pty::run(home, (120, 40), &[("SHELL", "/bin/sh")], &words);
    pty.see(&["survey done", "? help"]);
    (server, pty)
}

#[test]
fn the_console_in_tmux() {
    need!(tmux());
    let home = home();
    let (server, mut pty) = demo(home.path(), "/usr/bin:/bin");
    let screen = server.screen();
    for wanted in ["[1 Inventory]", "61 entries", "12 act", "13 look", "⊗ GONE", "q quit"] {
        assert!(screen.contains(wanted), "no `{wanted}` in\n{screen}");
    }
    assert_eq!(server.ask(&["display-message", "-p", "#{alternate_on} #{mouse_any_flag}"]), "1 1\n");
    server.type_keys(&["/", "rookery", "Enter"]);
    pty.see(&["filter> rookery", "1 of 61"]);
    // A lone Esc is Esc, also through tmux.
    server.type_keys(&["Escape"]);
    pty.see(&["filter> (none)"]);
    server.type_keys(&["/", "rookery", "Enter"]);
    pty.see(&["filter> rookery", "1 of 61"]);
    pty.resize((80, 24));
    pty.see(&["filter> rookery", "VERSIONS           AGE\n", "? help"]);
    assert!(server.screen().lines().all(|line| line.chars().count() <= 80));
    pty.resize((120, 40));
    pty.see(&["filter> rookery", "next    d shows the rebuild"]);
    // tmux knows the clipboards of all terminals that look at it, so it is asked first.
    server.type_keys(&["y", "a"]);
    pty.see(&["copied with tmux: owlbarn/rookery"]);
    assert_eq!(server.ask(&["show-buffer"]), "owlbarn/rookery");
    pty.wait_written("\u{1b}]52;");
    server.type_keys(&["F2"]);
    pty.see(&["mouse off"]);
    assert_eq!(server.ask(&["display-message", "-p", "#{mouse_any_flag}"]), "0\n");
    server.type_keys(&["q"]);
    assert_eq!(pty.end().exit_code(), 0, "{}", pty.text());
}

/// A console that does not find the program tmux writes the text to its terminal, and tmux takes it from there.
#[test]
fn a_text_is_copied_through_the_terminal_in_tmux() {
    need!(tmux());
    let home = home();
    let programs = home.path().join("programs");
    std::fs::create_dir(&programs).expect("a folder");
    let git =
        ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"].into_iter().find(|git| Path::new(git).exists());
    symlink(git.expect("git is installed"), programs.join("git")).expect("a link");
    let (server, mut pty) = demo(home.path(), programs.to_str().expect("a path of ASCII"));
    server.type_keys(&["/", "rookery", "Enter"]);
    pty.see(&["filter> rookery", "1 of 61"]);
    server.type_keys(&["y", "u"]);
    pty.see(&["sent to the terminal's clipboard"]);
    assert_eq!(server.ask(&["show-buffer"]), "https://github.com/owlbarn/terraform-provider-rookery");
    pty.wait_written("\u{1b}]52;");
    server.type_keys(&["q"]);
    assert_eq!(pty.end().exit_code(), 0, "{}", pty.text());
}
