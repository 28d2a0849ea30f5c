//! The plan in words: what it is called, its files, and every change with what was said about it.

use crate::boot::Ui;
use crate::print::output::{Line, Tone};
use crate::print::text;
use crate::rules::Class;
use crate::rules::amount::counted;
use crate::rules::plan::{Answer, FileState, Part, Piece, Plan, PlannedFile};

/// `plan 7c1e9a on main@f00f6d5: 2 files (1 ADDITIVE, 1 MUTATES), 1 approved, 1 held`.
pub(crate) fn plan_head(plan: &Plan) -> Line {
    if plan.is_empty() {
        return Line::of("the plan is empty; `bumpdesk plan add ADDRESS` puts an entry into it");
    }
    let tally = plan.tally();
    let classes: Vec<String> =
        plan.class_counts().into_iter().map(|(class, count)| format!("{count} {}", class.word())).collect();
    let name = match plan.name() {
        name if name.is_empty() => "plan, of which nothing would be sent,".to_owned(),
        name => format!("plan {name}"),
    };
    let base = match plan.base() {
        base if base.is_empty() => String::new(),
        base => format!(" on {base}"),
    };
    let mut parts = vec![format!("{} ({})", counted(tally.files, "file"), classes.join(", "))];
    parts.push(format!("{} approved", tally.approved));
    if tally.held > 0 {
        parts.push(format!("{} held", tally.held));
    }
    if tally.unseen > 0 {
        parts.push(format!("{} left to look at", counted(tally.unseen, "change")));
    }
    Line::default().tone(Tone::Bold, name).text(format!("{base}: {}", parts.join(", ")))
}

/// The lines of one planned file.
pub(crate) fn planned(ui: &Ui, file: &PlannedFile) -> Vec<Line> {
    let tone = match file.state {
        FileState::Held(_) => Tone::Red,
        FileState::Nothing(_) => Tone::Grey,
        FileState::Open => Tone::Yellow,
        FileState::Approved => Tone::Green,
    };
    let (seen, all) = (file.seen(), file.pieces.len());
    let between = if ui.plain { ", " } else { "  " };
    let mut lines = vec![
        Line::default()
            .tone(Tone::Bold, file.address.to_string())
            .text(between)
            .tone(class_tone(file.class), text::class(ui, file.class))
            .text(between)
            .tone(tone, file.state.word())
            .text(format!("{between}{seen} of {} looked at{between}{}", counted(all, "change"), file.path)),
    ];
    if !matches!(file.state, FileState::Approved) {
        lines.push(Line::of(format!("  {}", file.next_step())));
    }
    for piece in &file.pieces {
        lines.push(piece_line(ui, piece));
        if !piece.mark.note.is_empty() {
            lines.push(Line::of(format!("      note: {}", piece.mark.note)));
        }
    }
    for remark in &file.remarks {
        let version = remark.version.as_ref().map(|version| format!("{version}: ")).unwrap_or_default();
        lines.push(Line::of(format!("  {} {} {version}{}", remark.severity, remark.rule, remark.text)));
    }
    lines
}

fn class_tone(class: Class) -> Tone {
    match class {
        Class::Noop => Tone::Green,
        Class::Additive => Tone::Blue,
        Class::Reorders => Tone::Cyan,
        Class::Mutates | Class::Removes => Tone::Red,
    }
}

/// `  + 3.70.1 added, 14 targets: looked at, approved`.
fn piece_line(ui: &Ui, piece: &Piece) -> Line {
    let what = match (&piece.part, piece.targets) {
        (Part::Rest, _) => "rest: what changes outside the versions".to_owned(),
        (Part::Version(version), 0) => format!("{version} {}", piece.change.word()),
        (Part::Version(version), targets) => {
            format!("{version} {}, {}", piece.change.word(), counted(targets, "target"))
        }
    };
    let seen = if piece.mark.seen { "looked at" } else { "not looked at" };
    let (answer, tone) = match piece.mark.answer {
        Answer::Open => (String::new(), Tone::Grey),
        Answer::Approved => (", approved".to_owned(), Tone::Green),
        Answer::Rejected => (", rejected".to_owned(), Tone::Red),
    };
    // In plain mode the words say what the sign says.
    let sign = if ui.plain { String::new() } else { format!("{} ", piece.class.glyph()) };
    Line::of("  ").tone(class_tone(piece.class), sign).text(format!("{what}: {seen}")).tone(tone, answer)
}
