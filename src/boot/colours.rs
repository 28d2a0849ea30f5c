//! How many colours the terminal has, as far as its variables tell.

use crate::boot::Environment;
use crate::settings::ColorDepth;

/// Parts of `TERM` that stand for terminals with true colour.
const TRUE: [&str; 7] = ["-direct", "kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"];
/// Terminals that say who they are elsewhere.
const PROGRAMS: [&str; 5] = ["iTerm.app", "WezTerm", "ghostty", "vscode", "rio"];
/// Terminals of before there was colour.
const NONE: [&str; 6] = ["dumb", "vt1", "vt2", "vt3", "vt4", "ansi-m"];
const SIXTEEN: [&str; 3] = ["linux", "16color", "cygwin"];

pub(crate) fn depth(environment: &Environment) -> ColorDepth {
    let term = environment.text("TERM").unwrap_or_default();
    let says = |names: &[&str]| names.iter().any(|name| term.contains(name));
    if NONE.iter().any(|name| term.starts_with(name)) {
        return ColorDepth::None;
    }
    let promised = environment.text("COLORTERM").is_some_and(|value| matches!(value, "truecolor" | "24bit"));
    let program = environment.text("TERM_PROGRAM").is_some_and(|name| PROGRAMS.contains(&name));
    if promised || says(&TRUE) || program || environment.variable("WT_SESSION").is_some() {
        return ColorDepth::True;
    }
    if term.contains("256") {
        return ColorDepth::Indexed;
    }
    if says(&SIXTEEN) || !term.is_empty() {
        return ColorDepth::Sixteen;
    }
    // Nothing is known, as on Windows.
    if cfg!(windows) { ColorDepth::True } else { ColorDepth::Sixteen }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths() {
        let cases: &[(&[(&str, &str)], ColorDepth)] = &[
            (&[("TERM", "xterm-256color")], ColorDepth::Indexed),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], ColorDepth::True),
            (&[("TERM", "tmux-256color"), ("COLORTERM", "24bit")], ColorDepth::True),
            (&[("TERM", "xterm-kitty")], ColorDepth::True),
            (&[("TERM", "foot-direct")], ColorDepth::True),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")], ColorDepth::True),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "Apple_Terminal")], ColorDepth::Indexed),
            (&[("TERM", "xterm")], ColorDepth::Sixteen),
            (&[("TERM", "linux")], ColorDepth::Sixteen),
            (&[("TERM", "screen")], ColorDepth::Sixteen),
            (&[("TERM", "vt220")], ColorDepth::None),
            (&[("TERM", "dumb"), ("COLORTERM", "truecolor")], ColorDepth::None),
        ];
        for (variables, wanted) in cases {
            assert_eq!(depth(&Environment::made_up("/", variables)), *wanted, "{variables:?}");
        }
    }
}
