//! One theme file: every key known, every mistake named with file, line, column and the nearest word.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::rules::spelling::{nearest, place};
use crate::tui::base::theme::colour::Rgb;
use crate::tui::base::theme::role::{NamedRole, Role};

/// A theme as it is written, with the names of its colours.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    /// For messages.
    file: String,
    pub(super) inherits: Option<(String, Place)>,
    pub(super) palette: BTreeMap<String, Rgb>,
    pub(super) roles: BTreeMap<Role, Ink>,
}

/// Line and column, both from 1.
pub(super) type Place = (usize, usize);

/// One role as it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Ink {
    fg: Option<(String, Place)>,
    bg: Option<(String, Place)>,
    modifiers: Modifier,
    /// The file that says so.
    file: String,
}

const SECTIONS: [&str; 3] = ["inherits", "palette", "roles"];
const KEYS: [(&str, Option<Modifier>); 6] = [
    ("fg", None),
    ("bg", None),
    ("bold", Some(Modifier::BOLD)),
    ("dim", Some(Modifier::DIM)),
    ("underline", Some(Modifier::UNDERLINED)),
    ("reverse", Some(Modifier::REVERSED)),
];

type Key<'a> = Spanned<DeString<'a>>;
type Value<'a> = Spanned<DeValue<'a>>;

/// Reads a theme file; `file` is for messages. All mistakes are told, in the order in which they stand.
pub(super) fn read(text: &str, file: &str) -> Result<Sheet, Vec<String>> {
    let mut reader =
        Reader { text, sheet: Sheet { file: file.to_owned(), ..Sheet::default() }, wrong: Vec::new() };
    match DeTable::parse(text) {
        Ok(root) => reader.root(root.get_ref()),
        Err(error) => reader.fail(error.span().map_or(0, |span| span.start), error.message()),
    }
    reader.wrong.sort_by_key(|(place, _)| *place);
    if reader.wrong.is_empty() {
        return Ok(reader.sheet);
    }
    Err(reader
        .wrong
        .into_iter()
        .map(|((line, column), text)| format!("`{file}:{line}:{column}`: {text}"))
        .collect())
}

struct Reader<'a> {
    text: &'a str,
    sheet: Sheet,
    wrong: Vec<(Place, String)>,
}

impl Reader<'_> {
    fn root(&mut self, root: &DeTable<'_>) {
        for (key, value) in root {
            match (&**key.get_ref(), value.get_ref()) {
                ("inherits", DeValue::String(name)) => {
                    self.sheet.inherits = Some((name.to_string(), self.place(value.span().start)));
                }
                ("palette", DeValue::Table(table)) => {
                    for (key, value) in table {
                        self.colour(key, value);
                    }
                }
                ("roles", DeValue::Table(table)) => {
                    for (key, value) in table {
                        self.role(key, value);
                    }
                }
                (name, _) if SECTIONS.contains(&name) => {
                    let wanted = if name == "inherits" { "the name of a theme in quotes" } else { "a table" };
                    self.fail(value.span().start, &format!("`{name}` must be {wanted}"));
                }
                (name, _) => self.unknown(key, &format!("there is no key `{name}`"), SECTIONS),
            }
        }
    }

    fn colour(&mut self, key: &Key<'_>, value: &Value<'_>) {
        let colour = value.get_ref().as_str().and_then(Rgb::parse);
        match colour {
            Some(colour) => {
                self.sheet.palette.insert(key.get_ref().to_string(), colour);
            }
            None => {
                self.fail(
                    value.span().start,
                    &format!("`{}` is not a colour; write \"#rrggbb\"", key.get_ref()),
                );
            }
        }
    }

    fn role(&mut self, key: &Key<'_>, value: &Value<'_>) {
        let name = &**key.get_ref();
        let known = Role::from_name(name);
        let Some(role) = known.map(NamedRole::Is).or_else(|| Role::replaced(name)) else {
            return self.unknown(key, &format!("there is no role `{name}`"), Role::ALL.map(Role::name));
        };
        let Some(table) = value.get_ref().as_table() else {
            let text = format!("`{name}` must be a table such as {{ fg = \"ink\", bold = true }}");
            return self.fail(value.span().start, &text);
        };
        let mut ink = Ink { file: self.sheet.file.clone(), ..Ink::default() };
        for (key, value) in table {
            self.part(&mut ink, key, value);
        }
        match role {
            NamedRole::Is(role) if known.is_some() => drop(self.sheet.roles.insert(role, ink)),
            // A file that has both names means the new one, wherever it stands.
            NamedRole::Is(role) => drop(self.sheet.roles.entry(role).or_insert(ink)),
            NamedRole::Gone => {}
        }
    }

    fn part(&mut self, ink: &mut Ink, key: &Key<'_>, value: &Value<'_>) {
        let at = value.span().start;
        let name = &**key.get_ref();
        match (KEYS.iter().find(|(known, _)| *known == name), value.get_ref()) {
            (Some((_, Some(modifier))), DeValue::Boolean(on)) => ink.modifiers.set(*modifier, *on),
            (Some((_, Some(_))), _) => self.fail(at, &format!("`{name}` must be true or false")),
            (Some(_), DeValue::String(colour)) => {
                let source = Some((colour.to_string(), self.place(at)));
                if name == "fg" { ink.fg = source } else { ink.bg = source }
            }
            (Some(_), _) => {
                self.fail(at, &format!("`{name}` must be a colour of the palette or \"#rrggbb\""));
            }
            (None, _) => self.unknown(key, &format!("a role has no `{name}`"), KEYS.map(|(name, _)| name)),
        }
    }

    fn unknown<const N: usize>(&mut self, key: &Key<'_>, text: &str, known: [&str; N]) {
        self.fail(key.span().start, &suggest(text, key.get_ref(), known));
    }

    fn fail(&mut self, at: usize, text: &str) {
        let place = self.place(at);
        self.wrong.push((place, text.to_owned()));
    }

    fn place(&self, at: usize) -> Place {
        place(self.text, at)
    }
}

/// The fault, and the nearest known word, or all of them.
pub(super) fn suggest<'a>(text: &str, word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("{text}; write `{near}`"),
        None => format!("{text}; known: {}", known.join(", ")),
    }
}

impl Sheet {
    /// The place of `inherits` in the file, for a message: "`FILE:1:12`: ".
    pub(super) fn at_inherits(&self) -> String {
        let (line, column) = self.inherits.as_ref().map_or((1, 1), |(_, place)| *place);
        format!("`{}:{line}:{column}`: ", self.file)
    }

    /// Takes what this one leaves out from the one that it inherits.
    pub(super) fn over(&self, parent: Self) -> Self {
        let Self { mut palette, mut roles, .. } = parent;
        palette.extend(self.palette.clone());
        roles.extend(self.roles.clone());
        Self { palette, roles, ..self.clone() }
    }

    /// The styles of all roles; one that nobody says is plain.
    pub(super) fn styles(&self) -> Result<[Style; Role::ALL.len()], Vec<String>> {
        let mut wrong = Vec::new();
        let mut styles = [Style::default(); Role::ALL.len()];
        for (role, ink) in &self.roles {
            let mut colour = |source: &Option<(String, Place)>| {
                let (name, (line, column)) = source.as_ref()?;
                let found = self.palette.get(name).copied().or_else(|| Rgb::parse(name));
                if found.is_none() {
                    let text = suggest(
                        &format!("there is no colour `{name}` in the palette"),
                        name,
                        self.palette.keys().map(String::as_str),
                    );
                    wrong.push(format!("`{}:{line}:{column}`: {text}", ink.file));
                }
                found.map(|Rgb(red, green, blue)| Color::Rgb(red, green, blue))
            };
            let (fg, bg) = (colour(&ink.fg), colour(&ink.bg));
            styles[*role as usize] = Style { fg, bg, add_modifier: ink.modifiers, ..Style::default() };
        }
        if wrong.is_empty() { Ok(styles) } else { Err(wrong) }
    }
}
