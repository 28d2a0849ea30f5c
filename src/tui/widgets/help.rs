//! The `?` page of a context, made from the key table, and below it what every status means.

use ratatui::text::Line;

use crate::rules::Status;
use crate::tui::keymap::Context;
use crate::tui::keymap::actions_in;
use crate::tui::keymap::shown;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::widgets::strip::Cut;
use crate::tui::widgets::strip::Paint;
use crate::tui::widgets::strip::Strip;

const KEYS: usize = 16;

/// All lines of the page.
pub(crate) fn lines(paint: &Paint<'_>, context: Context, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![paint.line(width, Role::Title, "Keys")];
    for action in actions_in(context) {
        entry(paint, &mut lines, width, Role::Key, &shown(&action), action.label);
    }
    lines.push(Line::default());
    lines.push(paint.line(width, Role::Title, "Filter"));
    for (term, label) in [
        ("aws eks", "rows whose address has both words"),
        ("status:behind", "by status; the start of a word is enough, commas part several"),
        ("kind:module", "providers or modules only"),
        ("ns:hashicorp", "namespaces that start so"),
        ("!term", "not: before any of these"),
    ] {
        entry(paint, &mut lines, width, Role::Key, term, label);
    }
    lines.push(Line::default());
    lines.push(paint.line(width, Role::Title, "Status, the gravest first"));
    for status in Status::all() {
        let word = format!("{} {}", paint.glyphs.status(status), status.word());
        entry(paint, &mut lines, width, Role::of(status), &word, status.row().means);
    }
    let depth = "OK (versions): every version upstream is indexed; checksums were not compared";
    entry(paint, &mut lines, width, Role::Fine, "", depth);
    lines
}

fn entry(paint: &Paint<'_>, lines: &mut Vec<Line<'static>>, width: u16, role: Role, left: &str, right: &str) {
    let room = usize::from(width).saturating_sub(KEYS + 1).max(1);
    for (place, part) in text::wrap(right, room).into_iter().enumerate() {
        let mut strip = Strip::new(paint, width);
        strip.cell(role, if place == 0 { left } else { "" }, KEYS, Cut::End).gap(1).put(Role::Text, &part);
        lines.push(strip.line());
    }
}
