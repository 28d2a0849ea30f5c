//! The clipboard through the terminal (OSC 52), also from inside tmux and screen. Pure: gives the sequence to write.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// What stands between us and the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Multiplexer {
    #[default]
    None,
    Tmux,
    Screen,
}

/// GNU screen passes strings of at most 768 bytes.
const SCREEN_PIECE: usize = 760;

/// Copies a text. A multiplexer is told both ways: as something for its own clipboard, and as something to pass on.
pub(crate) fn sequence(text: &str, multiplexer: Multiplexer) -> String {
    let plain = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    match multiplexer {
        Multiplexer::None => plain,
        Multiplexer::Tmux => {
            let passed = plain.replace('\x1b', "\x1b\x1b");
            format!("{plain}\x1bPtmux;{passed}\x1b\\")
        }
        Multiplexer::Screen => {
            let pieces = plain.as_bytes().chunks(SCREEN_PIECE).map(String::from_utf8_lossy);
            pieces.fold(String::new(), |passed, piece| passed + "\x1bP" + &piece + "\x1b\\")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written() {
        assert_eq!(sequence("a/b", Multiplexer::None), "\x1b]52;c;YS9i\x07");
        assert_eq!(
            sequence("a/b", Multiplexer::Tmux),
            "\x1b]52;c;YS9i\x07\x1bPtmux;\x1b\x1b]52;c;YS9i\x07\x1b\\"
        );
        let long = sequence(&"é".repeat(1_000), Multiplexer::Screen);
        assert!(long.split("\x1b\\").all(|piece| piece.len() <= 768));
        let joined: String = long.split("\x1b\\").map(|piece| piece.trim_start_matches("\x1bP")).collect();
        assert_eq!(joined, sequence(&"é".repeat(1_000), Multiplexer::None));
    }
}
