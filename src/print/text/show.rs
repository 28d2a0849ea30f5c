//! One entry, a fact a line.

use jiff::Timestamp;

use crate::boot::Ui;
use crate::desk::ability::NextStep;
use crate::desk::telling::Glyph;
use crate::desk::telling::entry::{headline, sheet};
use crate::jobs::data::Opened;
use crate::print::output::{Color, Line};
use crate::print::text;

/// Cells of the labels.
const LABEL: usize = 11;

/// All lines about an opened entry, with these names for the next steps.
pub(crate) fn entry(
    ui: &Ui,
    now: Timestamp,
    opened: &Opened,
    name: impl Fn(&NextStep) -> Option<String>,
) -> Vec<Line> {
    let between = if ui.plain { ", " } else { "  " };
    let (status, plain, missing) = headline(opened.address.kind(), &opened.verdict);
    let title = Line::default()
        .color(Color::Bold, opened.address.to_string())
        .text(format!("{between}{}{between}", opened.address.kind().word()));
    let Glyph(dot, ascii) = Glyph::BETWEEN;
    let dot = if ui.ascii { ascii } else { dot };
    let plain = if ui.plain { format!(", {plain}") } else { format!(" {dot} {plain}") };
    let mut title = text::sign(title, ui, &status).text(plain);
    if !missing.is_empty() {
        title = title.text(format!("{between}{missing}"));
    }
    let facts = sheet(opened, now, text::form(ui));
    let lines = facts.iter().filter_map(|fact| text::fact(ui, LABEL, fact, &name));
    std::iter::once(title).chain(lines).collect()
}
