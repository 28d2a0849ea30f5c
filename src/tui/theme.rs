//! Colours by meaning: a theme gives every [`Role`] one style. Theme files are part of the program and parsed once.
//!
//! A file has `inherits`, a `[palette]` of names, and `[roles]`. A role that a file leaves out comes from the theme it
//! inherits; a root theme lists them all. No status is told by its colour alone, so `mono` loses nothing.

use std::collections::BTreeMap;

use ratatui::style::Color;
use ratatui::style::Modifier;
use ratatui::style::Style;
use serde::Deserialize;

use crate::rules::Status;

/// What a colour means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Everything without a meaning of its own; its background is the screen's.
    Text,
    /// Less important text: labels, units, unchanged lines.
    Dim,
    /// The name of what a pane shows, and column heads.
    Title,
    /// The header's two lines.
    Bar,
    /// The view that is open, in the header.
    Tab,
    /// Lines between panes.
    Rule,
    /// The row under the cursor.
    Cursor,
    /// The sign of a marked row.
    Mark,
    /// A key to press.
    Key,
    /// What is being typed.
    Prompt,
    Notice,
    Warning,
    Error,
    /// UNKNOWN.
    Unknown,
    /// GONE.
    Lost,
    /// MOVED, GHOST, PARTIAL.
    Changed,
    /// DRIFT.
    Wrong,
    /// BACKOFF, SHADOWED.
    Waits,
    /// STRANDED.
    Stuck,
    /// MISSED.
    Missed,
    /// BEHIND, PENDING.
    Late,
    /// NOHASH.
    Gap,
    /// OK.
    Fine,
    Added,
    Removed,
    /// A fold's line.
    Fold,
    /// Where the cursor is in the document.
    Path,
    /// The surface of an overlay.
    Popup,
}

impl Role {
    pub const ALL: [Self; 28] = [
        Self::Text,
        Self::Dim,
        Self::Title,
        Self::Bar,
        Self::Tab,
        Self::Rule,
        Self::Cursor,
        Self::Mark,
        Self::Key,
        Self::Prompt,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Unknown,
        Self::Lost,
        Self::Changed,
        Self::Wrong,
        Self::Waits,
        Self::Stuck,
        Self::Missed,
        Self::Late,
        Self::Gap,
        Self::Fine,
        Self::Added,
        Self::Removed,
        Self::Fold,
        Self::Path,
        Self::Popup,
    ];

    pub fn of(status: Status) -> Self {
        match status {
            Status::Unknown => Self::Unknown,
            Status::RepoGone => Self::Lost,
            Status::Moved | Status::GoneUpstream | Status::Partial => Self::Changed,
            Status::Drifted => Self::Wrong,
            Status::RetryWait | Status::Shadowed => Self::Waits,
            Status::Stranded => Self::Stuck,
            Status::MissedOldLine => Self::Missed,
            Status::Behind | Status::Pending => Self::Late,
            Status::H1Missing => Self::Gap,
            Status::Current => Self::Fine,
        }
    }
}

/// The names of the themes that come with the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeName {
    #[default]
    Dark,
    Light,
    Mono,
}

impl ThemeName {
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::Mono];

    pub fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::Mono => "mono",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The theme that `T` shows after this one.
    #[must_use]
    pub fn following(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Mono,
            Self::Mono => Self::Dark,
        }
    }

    fn source(self) -> &'static str {
        match self {
            Self::Dark => include_str!("../../themes/dark.toml"),
            Self::Light => include_str!("../../themes/light.toml"),
            Self::Mono => include_str!("../../themes/mono.toml"),
        }
    }
}

/// One style for every role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    pub name: ThemeName,
    styles: [Style; Role::ALL.len()],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeFile {
    inherits: Option<String>,
    #[serde(default)]
    palette: BTreeMap<String, String>,
    #[serde(default)]
    roles: BTreeMap<Role, RoleStyle>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the four modifiers of a terminal, as a theme file spells them"
)]
struct RoleStyle {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    dim: bool,
    underline: bool,
    reverse: bool,
}

impl Theme {
    /// One of the themes that come with the program; a test reads them all.
    pub fn load(name: ThemeName) -> Self {
        Self::parse(name, 0).expect("the themes that come with the program are valid")
    }

    pub fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// Reads a theme file and what it inherits, at most four deep.
    fn parse(name: ThemeName, depth: u8) -> Result<Self, String> {
        let file: ThemeFile = toml::from_str(name.source()).map_err(|e| e.to_string())?;
        let mut styles = match &file.inherits {
            None => [None; Role::ALL.len()],
            Some(parent) if depth < 4 => {
                let parent = ThemeName::from_name(parent).ok_or(format!("no theme `{parent}`"))?;
                Self::parse(parent, depth + 1)?.styles.map(Some)
            }
            Some(parent) => return Err(format!("`{parent}` is inherited in a circle")),
        };
        for (role, given) in &file.roles {
            styles[*role as usize] = Some(given.resolve(&file.palette)?);
        }
        let mut complete = [Style::default(); Role::ALL.len()];
        for role in Role::ALL {
            complete[role as usize] = styles[role as usize].ok_or(format!("role {role:?} is missing"))?;
        }
        Ok(Self { name, styles: complete })
    }
}

impl RoleStyle {
    fn resolve(&self, palette: &BTreeMap<String, String>) -> Result<Style, String> {
        let colour = |name: &Option<String>| -> Result<Option<Color>, String> {
            let Some(name) = name else { return Ok(None) };
            let value = palette.get(name).ok_or(format!("`{name}` is not in the palette"))?;
            hex(value).map(Some).ok_or(format!("`{value}` is no colour; write #rrggbb"))
        };
        let mut style = Style { fg: colour(&self.fg)?, bg: colour(&self.bg)?, ..Style::default() };
        for (on, modifier) in [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.underline, Modifier::UNDERLINED),
            (self.reverse, Modifier::REVERSED),
        ] {
            if on {
                style = style.add_modifier(modifier);
            }
        }
        Ok(style)
    }
}

fn hex(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some(Color::Rgb((value >> 16) as u8, (value >> 8) as u8, value as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(colour: Color) -> f64 {
        let Color::Rgb(r, g, b) = colour else { panic!("{colour:?} is no rgb colour") };
        let channel = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.039_28 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
    }

    fn contrast(a: Color, b: Color) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_theme_lists_every_role_once_and_nothing_else() {
        for name in ThemeName::ALL {
            let theme = Theme::parse(name, 0).unwrap();
            assert_eq!(ThemeName::from_name(theme.name.name()), Some(name));
        }
        for (place, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, place);
        }
        let files: std::collections::BTreeSet<&str> = ThemeName::ALL.map(ThemeName::name).into();
        assert_eq!(files.len(), ThemeName::ALL.len());
        assert!(toml::from_str::<ThemeFile>("[roles]\nsparkle = { bold = true }").is_err());
    }

    #[test]
    fn text_is_readable_on_every_ground_it_stands_on() {
        for name in [ThemeName::Dark, ThemeName::Light] {
            let theme = Theme::load(name);
            let grounds = [Role::Text, Role::Cursor, Role::Popup].map(|role| theme.style(role).bg.unwrap());
            for role in Role::ALL {
                let style = theme.style(role);
                let Some(ink) = style.fg else { continue };
                if role == Role::Rule {
                    continue;
                }
                let own = style.bg.map(|paper| vec![paper]);
                for paper in own.unwrap_or_else(|| grounds.to_vec()) {
                    let found = contrast(ink, paper);
                    assert!(found >= 4.5, "{} {role:?}: {found:.2} on {paper:?}", name.name());
                }
            }
        }
    }

    #[test]
    fn mono_has_no_colour() {
        let theme = Theme::load(ThemeName::Mono);
        assert!(
            Role::ALL.iter().all(|role| theme.style(*role).fg.is_none() && theme.style(*role).bg.is_none())
        );
        assert!(theme.style(Role::Cursor).add_modifier.contains(Modifier::REVERSED));
    }
}
