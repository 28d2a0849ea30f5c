//! The two sets of glyphs: Unicode signs of one cell each, and plain ASCII for `--ascii` and for locales without UTF-8.
//! Words stand beside them everywhere, so no glyph is the only carrier of a meaning.

use ratatui::symbols::border;

use crate::rules::Status;

const ASCII_FRAME: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Which signs are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Glyphs {
    #[default]
    Unicode,
    Ascii,
}

impl Glyphs {
    pub(crate) fn pick<T>(self, unicode: T, ascii: T) -> T {
        match self {
            Self::Unicode => unicode,
            Self::Ascii => ascii,
        }
    }

    pub(crate) fn status(self, status: Status) -> &'static str {
        self.pick(status.row().glyph, status.row().ascii)
    }

    /// Stands for a character that may not be drawn.
    pub(crate) fn hidden(self) -> char {
        self.pick('⋅', '?')
    }

    pub(crate) fn cursor(self) -> &'static str {
        self.pick("▸", ">")
    }

    pub(crate) fn rule(self) -> &'static str {
        self.pick("─", "-")
    }

    pub(crate) fn wall(self) -> &'static str {
        self.pick("│", "|")
    }

    /// The joint of a rule and a wall below it.
    pub(crate) fn fork(self) -> &'static str {
        self.pick("┬", "+")
    }

    /// A popup's frame.
    pub(crate) fn frame(self) -> border::Set<'static> {
        self.pick(border::PLAIN, ASCII_FRAME)
    }

    /// The levels of a sparkline above nothing, the lowest first.
    pub(crate) fn spark(self) -> &'static [&'static str] {
        self.pick(&["▁", "▂", "▃", "▄", "▅", "▆", "▇"], &[".", ":", "-", "=", "#"])
    }

    /// The done and the open part of a progress bar.
    pub(crate) fn bar(self) -> [&'static str; 2] {
        self.pick(["━", "╌"], ["#", "."])
    }
}
