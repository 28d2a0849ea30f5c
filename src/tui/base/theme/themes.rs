//! All themes: those of the program and the user's own, in the colours that the terminal has.

use std::sync::Arc;

use crate::settings::{ColorDepth, Ground, ThemeText};
use crate::tui::base::theme::Theme;
use crate::tui::base::theme::depth::reduce;
use crate::tui::base::theme::file::{Sheet, read, suggest};

/// The themes that come with the program, in the order of `T`.
pub(super) const BUILT_IN: [(&str, &str); 7] = [
    ("dark", include_str!("../../../../themes/dark.toml")),
    ("light", include_str!("../../../../themes/light.toml")),
    ("high-contrast", include_str!("../../../../themes/high-contrast.toml")),
    ("colour-blind", include_str!("../../../../themes/colour-blind.toml")),
    ("dusk", include_str!("../../../../themes/dusk.toml")),
    ("paper", include_str!("../../../../themes/paper.toml")),
    ("mono", include_str!("../../../../themes/mono.toml")),
];

const DARK: &str = "dark";
const LIGHT: &str = "light";
const MONO: &str = "mono";

/// All themes that can be shown.
#[derive(Clone, Debug)]
pub struct Themes {
    sheets: Arc<Vec<(String, Sheet)>>,
    depth: ColorDepth,
    /// What is wrong with the user's own, a sentence each.
    pub(crate) problems: Vec<String>,
}

impl Default for Themes {
    fn default() -> Self {
        Self::new(&[], ColorDepth::True)
    }
}

impl Themes {
    /// Reads all themes. One of the user's own that is wrong is left out, and said.
    pub(crate) fn new(own: &[ThemeText], depth: ColorDepth) -> Self {
        let mut problems = Vec::new();
        let mut sheets: Vec<(String, Sheet)> = BUILT_IN
            .iter()
            .map(|(name, text)| {
                let sheet = read(text, name).expect("the themes that come with the program are right");
                ((*name).to_owned(), sheet)
            })
            .collect();
        for theme in own {
            let file = theme.path.display().to_string();
            let read = match &theme.text {
                _ if sheets.iter().any(|(name, _)| *name == theme.name) => Err(vec![format!(
                    "`{file}`: there is a theme `{}` already; give the file another name",
                    theme.name
                )]),
                Ok(text) => read(text, &file),
                Err(why) => Err(vec![format!("`{file}` cannot be read: {why}")]),
            };
            match read {
                Ok(sheet) => sheets.push((theme.name.clone(), sheet)),
                Err(wrong) => problems.extend(wrong),
            }
        }
        // What they inherit can be looked at when all are there.
        let tried: Vec<_> = sheets.iter().map(|(name, _)| styles(&sheets, name).map(drop)).collect();
        let mut tried = tried.into_iter();
        sheets.retain(|_| match tried.next() {
            Some(Err(wrong)) => {
                problems.extend(wrong);
                false
            }
            _ => true,
        });
        problems.dedup();
        Self { sheets: Arc::new(sheets), depth, problems }
    }

    pub(crate) fn depth(&self) -> ColorDepth {
        self.depth
    }

    /// The names, in the order of `T`.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.sheets.iter().map(|(name, _)| name.as_str())
    }

    /// A theme by its name; one of the user's own may be missing since it is wrong.
    pub(crate) fn find(&self, name: &str) -> Option<Theme> {
        let shown = if self.depth == ColorDepth::None { MONO } else { name };
        self.names().find(|known| *known == name)?;
        let styles = styles(&self.sheets, shown).ok()?;
        Some(reduce(Theme { name: name.to_owned(), styles }, self.depth))
    }

    /// The theme for a background.
    pub(crate) fn of_ground(&self, ground: Ground) -> Theme {
        let name = if ground == Ground::Light { LIGHT } else { DARK };
        self.find(name).expect("the themes that come with the program are always there")
    }

    /// The theme after this one.
    pub(crate) fn after(&self, name: &str) -> Theme {
        let names: Vec<&str> = self.names().collect();
        let place =
            names.iter().position(|known| *known == name).map_or(0, |place| (place + 1) % names.len());
        self.find(names[place]).unwrap_or_else(|| self.of_ground(Ground::Dark))
    }

    /// Why there is no theme of this name.
    pub(crate) fn missing(&self, name: &str) -> String {
        suggest(&format!("there is no theme `{name}`"), name, self.names().chain(["auto"]))
    }
}

type Styles = [ratatui::style::Style; crate::tui::base::theme::Role::ALL.len()];

/// The styles of a theme and of all that it inherits.
fn styles(sheets: &[(String, Sheet)], name: &str) -> Result<Styles, Vec<String>> {
    let mut line: Vec<&str> = Vec::new();
    let mut chain: Vec<&Sheet> = Vec::new();
    let mut next = Some(name);
    while let Some(name) = next {
        let Some((_, sheet)) = sheets.iter().find(|(known, _)| known == name) else {
            let child = chain.last().map(|sheet| sheet.at_inherits()).unwrap_or_default();
            let names = sheets.iter().map(|(name, _)| name.as_str());
            return Err(vec![suggest(&format!("{child}there is no theme `{name}` to inherit"), name, names)]);
        };
        line.push(name);
        chain.push(sheet);
        let built_in = BUILT_IN.iter().any(|(known, _)| *known == name);
        next = match &sheet.inherits {
            Some((parent, _)) if line.contains(&parent.as_str()) => {
                line.push(parent);
                let text = format!(
                    "{}themes inherit each other in a circle: {}",
                    sheet.at_inherits(),
                    line.join(", ")
                );
                return Err(vec![text]);
            }
            Some((parent, _)) => Some(parent),
            None => (!built_in).then_some(DARK),
        };
    }
    let whole = chain.into_iter().rev().fold(Sheet::default(), |parent, child| child.over(parent));
    whole.styles()
}
