//! The keys on file for a provider and how its versions fare with them: which key signed what, and what clients make of it.
//!
//! Keys are named by letters, those that are not on file too; versions next to each other that fare alike share a sentence. It
//! draws a sheet and asks nobody; the screen of an entry calls it.

use ratatui::text::Line;

use crate::desk::telling::column;
use crate::desk::telling::entry::{KEYS, NO_KEYS, SIGNED};
use crate::registry::Address;
use crate::rules::KeySheet;
use crate::rules::amount::counted;
use crate::rules::signature::{Answer, Caveat, Check, Client, Fares, Mark, Matrix, Row};
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// Cells of the longest word for what clients do.
const CLIENTS: usize = 12;
/// Of what it comes to; the table below has the rest.
const MOST_SENTENCES: usize = 4;
/// Versions that fare differently from their neighbours are rare; a file that has more of them is read in JSON.
const MOST_LINES: usize = 200;

/// The keys, then the versions against them, and how one more key is tried.
pub(crate) fn lines(
    paint: &Paint<'_>,
    address: &Address,
    sheet: &KeySheet,
    width: u16,
) -> Vec<Line<'static>> {
    let mut lines = legend(paint, sheet, width);
    match &sheet.matrix {
        Some(matrix) => {
            for said in matrix.text().into_iter().take(MOST_SENTENCES) {
                lines.extend(story::labelled(paint, SIGNED.short, &said, width));
            }
            lines.extend(table(paint, matrix, width));
        }
        None if sheet.keys.is_empty() => {}
        None => lines.extend(story::labelled(paint, SIGNED.short, "no signature has been read yet", width)),
    }
    let is_well = sheet.matrix.as_ref().is_some_and(|matrix| matrix.rows.iter().all(Row::installs));
    if !is_well {
        let text = format!("bumpdesk show {address} --with-key FILE shows what one more key changes");
        lines.extend(story::labelled(paint, "try", &text, width));
    }
    lines
}

/// `A`, `B`, …; behind `Z` they have numbers.
fn letter(place: usize) -> String {
    match u8::try_from(place) {
        Ok(place @ 0..26) => char::from(b'A' + place).to_string(),
        _ => (place + 1).to_string(),
    }
}

/// Every key with its letter, its end and its file; those that only signatures name come last.
fn legend(paint: &Paint<'_>, sheet: &KeySheet, width: u16) -> Vec<Line<'static>> {
    let columns = sheet.matrix.as_ref().map_or(&[][..], |matrix| &matrix.columns);
    let column_of = |key_id: &str| columns.iter().position(|column| column.key_id == key_id);
    let mut told: Vec<String> = Vec::new();
    for (place, key) in sheet.keys.iter().enumerate() {
        let name = match &key.key_id {
            Some(key_id) => letter(column_of(key_id).unwrap_or(place)),
            None => "-".to_owned(),
        };
        told.push(format!("{name} {}", key.text()));
        told.push(key.path.clone());
    }
    if told.is_empty() {
        told.push(NO_KEYS.into());
    }
    for (place, column) in columns.iter().enumerate().filter(|(_, column)| column.file.is_none()) {
        told.push(format!("{} {}, not on file", letter(place), column.key_id));
    }
    let labels = std::iter::once(KEYS.short).chain(std::iter::repeat(""));
    labels.zip(told).flat_map(|(label, text)| story::labelled(paint, label, &text, width)).collect()
}

/// Versions next to each other that have the same marks, the same end and the same reason for it.
struct Group<'a> {
    newest: &'a Row,
    oldest: &'a Row,
    count: usize,
    /// Why, where clients have something to say.
    why: Option<String>,
}

impl Group<'_> {
    fn name(&self) -> String {
        match self.count {
            1 => self.newest.version.clone(),
            count => format!("{} to {} ({count})", self.newest.version, self.oldest.version),
        }
    }
}

/// What clients have to say of a version. Whose key signed it stands in the columns, and when it did would part the versions.
fn why(row: &Row) -> String {
    match &row.result {
        Ok(Check { answer: Answer::Signed(signed), client, older, .. }) => {
            let mut said: Vec<String> = signed.caveats.iter().map(Caveat::text).collect();
            if let Client::Refuses(why) = client {
                said.push(format!("clients refuse it: {why}"));
            }
            said.extend(older.clone());
            said.join("; ")
        }
        Ok(check) => check.text(),
        Err(why) => why.clone(),
    }
}

fn groups(rows: &[Row]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in rows {
        let why = (!row.installs()).then(|| why(row));
        let is_alike = |last: &&mut Group<'_>| {
            last.oldest.cells == row.cells && last.oldest.fares() == row.fares() && last.why == why
        };
        match groups.last_mut().filter(is_alike) {
            Some(last) => (last.oldest, last.count) = (row, last.count + 1),
            None => groups.push(Group { newest: row, oldest: row, count: 1, why }),
        }
    }
    groups
}

fn table(paint: &Paint<'_>, matrix: &Matrix, width: u16) -> Vec<Line<'static>> {
    let groups = groups(&matrix.rows);
    let widest = groups.iter().map(|group| text::width(&group.name())).max().unwrap_or(0);
    let name = widest.clamp(8, usize::from(width).saturating_sub(CLIENTS + 3).max(8));
    let mut head = Strip::new(paint, width);
    head.gap(1).cell(Role::Title, column::VERSIONS.short, name, Cut::End).gap(1);
    let mut lines = vec![head.put(Role::Title, column::SIGNATURE.short).line()];
    for (place, group) in groups.iter().enumerate() {
        if lines.len() >= MOST_LINES {
            let left: usize = groups[place..].iter().map(|group| group.count).sum();
            let text = format!("{} more: --json has them all", counted(left, "version"));
            lines.push(Strip::new(paint, width).gap(1).put(Role::Dim, &text).line());
            break;
        }
        let mut strip = Strip::new(paint, width);
        let (role, word) = clients(group.newest.fares());
        strip.gap(1).cell(Role::Text, &group.name(), name, Cut::End).gap(1);
        lines.push(strip.put(role, word).line());
        let why = group.why.clone().unwrap_or_else(|| signers(matrix, group.newest));
        let why = text::clean(&why, paint.glyphs);
        let parts = text::wrap(&why, usize::from(width).saturating_sub(4));
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        lines.extend(parts.map(|part| Strip::new(paint, width).gap(3).put(Role::Dim, &part).line()));
    }
    lines
}

/// `a good signature by key B`: who signed what installs.
fn signers(matrix: &Matrix, row: &Row) -> String {
    let keys = matrix.columns.iter().zip(&row.cells).enumerate();
    let good = keys.filter(|(_, (key, mark))| key.file.is_some() && **mark == Some(Mark::Good));
    let good: Vec<String> = good.map(|(place, _)| letter(place)).collect();
    if good.is_empty() { String::new() } else { format!("a good signature by key {}", good.join(" and ")) }
}

/// What installing a version comes to, in a word or two.
fn clients(fares: Fares) -> (Role, &'static str) {
    match fares {
        Fares::Installs => (Role::Fine, "works"),
        Fares::Warns => (Role::Warning, "works, warns"),
        Fares::Skips => (Role::Dim, "unchecked"),
        Fares::Fails => (Role::Error, "fails"),
        Fares::Unknown => (Role::Dim, "not known"),
    }
}
