//! What everything in the console is drawn with: text, areas, colours by meaning, glyphs. Names nothing else of the console.

pub(super) mod glyphs;
pub(super) mod layout;
pub(super) mod text;
pub(super) mod theme;
