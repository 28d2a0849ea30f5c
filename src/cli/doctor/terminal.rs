//! What the console is drawn on, and what it reaches of the desktop around it.

use std::time::Duration;

use crate::boot::desktop::Desktop;
use crate::boot::{Environment, Settings, color_depth, program};
use crate::cli::doctor::{Checked, note, ok};

/// Below this the console shows one line and nothing else.
const LEAST: (u16, u16) = (40, 12);
const TMUX_LIMIT: Duration = Duration::from_secs(3);
/// tmux holds a lone Esc back for so long; more is felt.
const ESCAPE_LIMIT_MS: u64 = 50;

pub(super) fn terminal(
    settings: &Settings,
    environment: &Environment,
    size: fn() -> Option<(u16, u16)>,
) -> Vec<Checked> {
    let both = environment.stdin_is_terminal && environment.stdout_is_terminal;
    let name = environment.text("TERM").unwrap_or("not set");
    let mut checks = Vec::new();
    checks.push(match (both, environment.is_dumb()) {
        (true, false) => ok("terminal", format!("TERM is {name}")),
        (true, true) => {
            ok("terminal", format!("TERM is {name}: the console speaks in lines, as with --plain"))
        }
        (false, _) => note(
            "terminal",
            format!("none that the console can draw on (TERM is {name})"),
            "commands work; for the console run bumpdesk in a terminal, without a pipe",
        ),
    });
    checks.extend(size().filter(|_| both).map(size_check));
    let on = if settings.ui.color { "on" } else { "off" };
    checks.push(ok("colours", format!("{on}; the terminal has {}", color_depth(environment).words())));
    checks.push(if environment.is_utf8() {
        ok("characters", "UTF-8")
    } else {
        note(
            "characters",
            "the locale is not UTF-8, so signs are drawn with ASCII",
            "set LANG, such as C.UTF-8",
        )
    });
    checks
}

fn size_check((columns, rows): (u16, u16)) -> Checked {
    let text = format!("{columns} columns, {rows} rows");
    if columns < LEAST.0 || rows < LEAST.1 {
        let remedy = format!(
            "the console needs {} columns and {} rows: make the window larger, or use --plain",
            LEAST.0, LEAST.1
        );
        return note("size", text, remedy);
    }
    let layout = match (columns, rows) {
        (110.., 30..) => "two panes side by side",
        (70.., 24..) => "one pane with a preview",
        _ => "one pane",
    };
    ok("size", format!("{text}: {layout}"))
}

/// Clipboard, browser and editor.
pub(super) fn programs(settings: &Settings, environment: &Environment) -> Vec<Checked> {
    let desktop = Desktop::new(environment, settings.ui.browser.as_deref());
    let clipboard = match desktop.clipboard() {
        Some(name) => ok("clipboard", format!("copied text goes to `{name}`")),
        None if environment.is_dumb() || !environment.stdout_is_terminal => note(
            "clipboard",
            "no clipboard program was found here",
            "in a terminal, copied text goes through it (OSC 52)",
        ),
        None => ok("clipboard", "copied text goes through the terminal (OSC 52), if it takes them"),
    };
    let browser = match desktop.browser() {
        Some(name) => ok("browser", format!("pages open in `{name}`")),
        None => note("browser", "none was found", "set BROWSER or `ui.browser`; until then URLs are copied"),
    };
    let viewer = if desktop.has_viewer() {
        ok("editor", "an editor and a pager were found")
    } else {
        note("editor", "no editor or no pager was found", "set EDITOR and PAGER")
    };
    vec![clipboard, browser, viewer]
}

/// What tmux or screen does to keys and copied texts.
pub(super) async fn multiplexer(environment: &Environment) -> Vec<Checked> {
    if environment.variable("TMUX").is_some() {
        return tmux(environment).await;
    }
    if environment.variable("STY").is_some() {
        return vec![ok("screen", "running inside screen; copied text is passed on to the terminal")];
    }
    Vec::new()
}

async fn tmux(environment: &Environment) -> Vec<Checked> {
    let escape = option(environment, &["show-options", "-sv", "escape-time"]).await;
    let clipboard = option(environment, &["show-options", "-sv", "set-clipboard"]).await;
    let passed = option(environment, &["show-options", "-gwv", "allow-passthrough"]).await;
    let Some(escape) = escape else {
        return vec![note(
            "tmux",
            "running inside tmux, which does not answer",
            "copying needs `set -g set-clipboard on`, and Esc `set -s escape-time 10`",
        )];
    };
    vec![escape_check(&escape), clipboard_check(clipboard.as_deref(), passed.as_deref())]
}

/// The value of one of tmux's options; `None` where it does not say.
async fn option(environment: &Environment, arguments: &[&str]) -> Option<String> {
    let answer = program::ask(environment, "tmux", arguments, TMUX_LIMIT).await.ok()?;
    answer.success.then(|| String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

fn escape_check(value: &str) -> Checked {
    match value.parse::<u64>() {
        Ok(time) if time <= ESCAPE_LIMIT_MS => ok("tmux escape", format!("a lone Esc waits {time} ms")),
        _ => note(
            "tmux escape",
            format!("a lone Esc waits {value} ms"),
            "it feels slow: put `set -s escape-time 10` into tmux.conf",
        ),
    }
}

/// tmux tells its terminals what we hand it (`load-buffer -w`) unless set-clipboard is off, or passes on what we write.
fn clipboard_check(clipboard: Option<&str>, passed: Option<&str>) -> Checked {
    let (clipboard, passed) = (clipboard.unwrap_or("unknown"), passed.unwrap_or("unknown"));
    let text = format!("set-clipboard is {clipboard}, allow-passthrough is {passed}");
    if matches!(clipboard, "on" | "external") || matches!(passed, "on" | "all") {
        ok("tmux copying", text)
    } else {
        note("tmux copying", text, "copied text stays inside: put `set -s set-clipboard on` into tmux.conf")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::CheckState;

    #[test]
    fn sizes_and_tmux_are_judged() {
        for (cells, state, words) in [
            ((39, 24), CheckState::Note, "make the window larger"),
            ((40, 12), CheckState::Ok, "one pane"),
            ((80, 24), CheckState::Ok, "preview"),
            ((120, 40), CheckState::Ok, "side by side"),
        ] {
            let check = size_check(cells);
            let all = format!("{} {}", check.fact, check.remedy.unwrap_or_default());
            assert!(check.state == state && all.contains(words), "{cells:?}: {all}");
        }
        for (value, state) in [
            ("0", CheckState::Ok),
            ("50", CheckState::Ok),
            ("500", CheckState::Note),
            ("x", CheckState::Note),
        ] {
            assert_eq!(escape_check(value).state, state, "{value}");
        }
        for (clipboard, passed, state) in [
            (Some("on"), Some("off"), CheckState::Ok),
            (Some("external"), Some("on"), CheckState::Ok),
            (Some("external"), Some("off"), CheckState::Ok),
            (Some("off"), Some("off"), CheckState::Note),
            (None, None, CheckState::Note),
        ] {
            assert_eq!(clipboard_check(clipboard, passed).state, state, "{clipboard:?} {passed:?}");
        }
    }
}
