//! The plan in words: what it is called, its files, and every change with what was said about it.

use crate::boot::Ui;
use crate::desk::telling::planned::{
    class_tone, head, next, note, remark, seen, sentence, standing, state_tone,
};
use crate::print::output::{Color, Line};
use crate::print::text;
use crate::rules::amount::Form;
use crate::rules::plan::{Piece, Plan, PlannedFile};

/// `plan 7c1e9a on main@f00f6d5: 2 files (1 ADDITIVE, 1 MUTATES), 1 approved, 1 held`.
pub(crate) fn plan_head(plan: &Plan) -> Line {
    if plan.is_empty() {
        return Line::of("the plan is empty; `bumpdesk plan add ADDRESS` adds an entry to it");
    }
    let (name, rest) = head(plan);
    Line::default().color(Color::Bold, name).text(rest).hanging(2)
}

/// The lines of one planned file.
pub(crate) fn planned(ui: &Ui, file: &PlannedFile) -> Vec<Line> {
    let between = if ui.plain { ", " } else { "  " };
    let mut lines = vec![
        Line::default()
            .color(Color::Bold, file.address.to_string())
            .text(between)
            .toned(class_tone(file.class), text::class(ui, file.class))
            .text(between)
            .toned(state_tone(&file.state), file.state.word())
            .text(format!("{between}{}{between}{}", seen(file, Form::Spoken), file.path))
            .hanging(2),
    ];
    let next = next(file);
    lines.push(Line::of(format!("  {}: {}", next.label.form(text::form(ui)), next.text)).hanging(4));
    for piece in &file.pieces {
        lines.push(piece_line(ui, piece));
        lines.extend(note(piece).map(|note| Line::of(format!("      {note}")).hanging(6)));
    }
    lines.extend(
        file.remarks.iter().map(|one| Line::of(format!("  {}: {}", one.severity, remark(one))).hanging(4)),
    );
    lines
}

/// `  + 3.70.1 added, 14 targets: approved`.
fn piece_line(ui: &Ui, piece: &Piece) -> Line {
    let (standing, tone) = standing(piece);
    // In plain mode the words say what the sign says.
    let sign = if ui.plain { String::new() } else { format!("{} ", piece.class.glyph()) };
    Line::of("  ")
        .toned(class_tone(piece.class), sign)
        .text(format!("{}: ", sentence(piece)))
        .toned(tone, standing.spoken)
        .hanging(4)
}
