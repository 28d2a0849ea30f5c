//! What a terminal can show: how many colours, and whether its own background is dark or light; and the user's own themes
//! as they were read.

use std::path::PathBuf;

/// How many colours there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ColorDepth {
    /// Bold, underline and reverse only.
    None,
    /// The sixteen that the terminal's own palette decides about.
    Sixteen,
    /// 256 with fixed values beyond the first sixteen.
    Indexed,
    #[default]
    True,
}

impl ColorDepth {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::None => "no colours",
            Self::Sixteen => "16 colours",
            Self::Indexed => "256 colours",
            Self::True => "true colour",
        }
    }
}

/// A theme file of the user, not parsed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeText {
    /// The file's name without its ending.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The text, or why it cannot be read.
    pub(crate) text: Result<String, String>,
}

/// What the terminal's own background is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    #[default]
    Dark,
    Light,
}

impl Ground {
    /// From red, green and blue, each a share of 1.
    pub(crate) fn of(red: f64, green: f64, blue: f64) -> Self {
        // The middle for the eye, not for the numbers: the weights are those of brightness in video (ITU-R BT.601).
        if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 { Self::Light } else { Self::Dark }
    }

    /// From `COLORFGBG` (`15;0`): the last number is the background's place among the sixteen colours.
    pub(crate) fn of_variable(text: &str) -> Option<Self> {
        let (_, last) = text.rsplit_once(';')?;
        match last.trim().parse::<u8>().ok()? {
            0..=6 | 8 => Some(Self::Dark),
            7 | 9..=15 => Some(Self::Light),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_of_a_variable() {
        for (text, wanted) in [
            ("15;0", Some(Ground::Dark)),
            ("0;15", Some(Ground::Light)),
            ("0;default;7", Some(Ground::Light)),
            ("12;8", Some(Ground::Dark)),
            ("default;default", None),
            ("0", None),
            ("0;99", None),
        ] {
            assert_eq!(Ground::of_variable(text), wanted, "{text}");
        }
    }
}
