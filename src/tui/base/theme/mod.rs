//! Colours by meaning: a theme gives every [`Role`] one style. Seven themes come with the program; the user's own stand beside
//! them in `themes/NAME.toml` of the configuration folder.
//!
//! A file has `inherits`, a `[palette]` of names, and `[roles]`. What it leaves out comes from the theme it inherits (`dark` if
//! it says none), and names are looked up at the very end: a theme that only changes the palette changes every role. No
//! status is told by its colour alone, so `mono` loses nothing.

mod colour;
mod depth;
mod file;
mod role;
mod themes;

use ratatui::style::Style;

pub(crate) use role::Role;
pub(crate) use themes::Themes;

/// One style for every role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    pub(crate) name: String,
    styles: [Style; Role::ALL.len()],
}

impl Theme {
    pub(crate) fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

#[cfg(test)]
pub(in crate::tui) mod tests;
