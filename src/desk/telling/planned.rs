//! Texts about a planned file: its state, the share that was looked at, the next step, and each of its changes.

use crate::desk::table::{ColumnWidth, Cut, TableCell, TableColumn};
use crate::desk::telling::column::SEEN;
use crate::desk::telling::entry::{NEXT, WHY, about};
use crate::desk::telling::{Fact, Glyph, Label, Tone, column};
use crate::registry::BlacklistEntry;
use crate::rules::amount::{Form, counted};
use crate::rules::diff::ChangeKind;
use crate::rules::plan::{Answer, FileState, Part, Piece, Plan, PlannedFile, Remark};
use crate::rules::{Class, Proposal};

pub(crate) fn state_tone(state: &FileState) -> Tone {
    match state {
        FileState::Held(_) => Tone::Lost,
        FileState::Nothing(_) => Tone::Quiet,
        FileState::Open => Tone::Plain,
        FileState::Approved => Tone::Fine,
    }
}

pub(crate) fn class_tone(class: Class) -> Tone {
    match class {
        Class::Additive => Tone::Fine,
        Class::Noop => Tone::Quiet,
        Class::Reorders | Class::Twins => Tone::Late,
        Class::Mutates | Class::Removes => Tone::Lost,
    }
}

/// Why a rebuild without changes says nothing; `None` where it says what it seems to say.
pub(crate) fn blocked(proposal: &Proposal) -> Option<String> {
    let obstacle = proposal.obstacle()?;
    Some(match obstacle.leaves_unknown() {
        Some(what) => format!("nothing can be proposed: {what}; that is not the same as nothing to change"),
        None => format!("nothing can be proposed: {}", obstacle.text),
    })
}

/// `plan 7c1e9a` and ` on main@f00f6d5: 2 files (1 ADDITIVE, 1 MUTATES), 1 approved, 1 held`.
pub(crate) fn head(plan: &Plan) -> (String, String) {
    if plan.is_empty() {
        return ("the plan is empty".to_owned(), String::new());
    }
    let tally = plan.tally();
    let classes: Vec<String> =
        plan.class_counts().into_iter().map(|(class, count)| format!("{count} {}", class.word())).collect();
    let name = match plan.name() {
        name if name.is_empty() => "plan with nothing to send,".to_owned(),
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
    (name, format!("{base}: {}", parts.join(", ")))
}

/// `1/2`; `1 of 2 changes looked at`.
pub(crate) fn seen(file: &PlannedFile, form: Form) -> String {
    let (seen, all) = (file.seen(), file.pieces.len());
    match form {
        Form::Short => format!("{seen}/{all}"),
        Form::Spoken => format!("{seen} of {} {}", counted(all, "change"), SEEN.form(form)),
    }
}

/// The next step, or the reason why there is none.
pub(crate) fn next(file: &PlannedFile) -> Fact {
    match &file.state {
        FileState::Held(reason) | FileState::Nothing(reason) => Fact::of(WHY, reason.as_str()),
        FileState::Open | FileState::Approved => Fact::of(NEXT, file.next_step()),
    }
}

/// `3.70.1 added, 14 targets: looked at`.
pub(crate) fn sentence(piece: &Piece) -> String {
    let name = piece.part.name();
    let what = match &piece.part {
        Part::Rest | Part::Blacklist | Part::Key => format!("{name}: {}", change(piece).spoken),
        Part::Version(_) => format!("{name} {}", change(piece).spoken),
    };
    let blocks: Vec<String> = piece.blocks.iter().map(BlacklistEntry::subject).collect();
    if !blocks.is_empty() {
        return format!("{what}: {}", blocks.join(", "));
    }
    let targets = match piece.targets {
        0 => String::new(),
        targets => format!(", {}", counted(targets, "target")),
    };
    format!("{what}{targets}")
}

/// The kind of a change: the part of the file, and the effect on it.
pub(crate) fn change(piece: &Piece) -> Label {
    match (&piece.part, piece.change) {
        (Part::Rest, _) => Label::two("outside", "what changes outside the versions"),
        (Part::Blacklist, _) => Label::two("kept out", "versions that no bump adds from then on"),
        (Part::Key, _) => Label::two("key", "a key that clients check signatures with"),
        (Part::Version(_), ChangeKind::Added) => Label::two("new", "added"),
        (Part::Version(_), kind) => Label::of(kind.word()),
    }
}

/// The decision about a change; for an undecided change, if it was looked at.
pub(crate) fn standing(piece: &Piece) -> (Label, Tone) {
    match (piece.mark.answer, piece.mark.seen) {
        (Answer::Approved, _) => (Label::of("approved"), Tone::Fine),
        (Answer::Rejected, _) => (Label::of("rejected"), Tone::Warning),
        (Answer::Open, true) => (Label::two("seen", "looked at"), Tone::Plain),
        (Answer::Open, false) => (Label::two("to review", "not looked at"), Tone::Notice),
    }
}

/// The columns of a plan: its files, and below each its changes.
pub(crate) const PLAN_COLUMNS: [TableColumn; 3] = [
    TableColumn::new(column::FILES, ColumnWidth::Rest { wants: 16, least: 12 }, Cut::Middle, 0),
    TableColumn::new(Label::two("CHANGE", "what changes"), ColumnWidth::Content { least: 0 }, Cut::End, 1),
    TableColumn::new(column::STATE, ColumnWidth::Content { least: 9 }, Cut::End, 0),
];

/// The longest text of each column, which needs no look at every change.
pub(crate) const LONGEST: [usize; 3] = [0, 12, 10];

/// The cell of a file: its address, what changes of it, and its state.
pub(crate) fn file_cell(file: &PlannedFile, column: usize) -> TableCell<'static> {
    let rejected = file.rejected();
    let sign = match &file.state {
        FileState::Approved => Glyph("●", "v"),
        FileState::Held(_) => Glyph("!", "!"),
        FileState::Nothing(_) if rejected > 0 => Glyph("✗", "x"),
        FileState::Nothing(_) => Glyph("=", "="),
        FileState::Open => Glyph("○", "o"),
    };
    match column {
        0 => TableCell { glyph: Some(sign), ..TableCell::of(file.address.to_string(), Tone::Plain) },
        1 => TableCell::of(figures(file), class_tone(file.class)),
        _ => {
            let text = match &file.state {
                FileState::Held(_) => "held".to_owned(),
                FileState::Nothing(_) if rejected > 0 => Answer::Rejected.word().to_owned(),
                FileState::Nothing(_) => "unsent".to_owned(),
                FileState::Approved => Answer::Approved.word().to_owned(),
                FileState::Open => format!("{} seen", seen(file, Form::Short)),
            };
            TableCell::of(text, state_tone(&file.state))
        }
    }
}

/// The words of a file and its changes that a filter searches.
pub(crate) fn words(file: &PlannedFile) -> String {
    let columns = 0..PLAN_COLUMNS.len();
    let cells = columns.clone().map(|column| file_cell(file, column));
    let pieces = file.pieces.iter().flat_map(|piece| columns.clone().map(|column| piece_cell(piece, column)));
    cells.chain(pieces).fold(String::new(), |text, cell| text + &cell.text + " ")
}

/// `+2 versions`; what does more than add names its class: `MUTATES ~1`.
fn figures(file: &PlannedFile) -> String {
    let count = |kind| file.left.versions.iter().filter(|change| change.kind == kind).count();
    match (file.class, file.pieces.first()) {
        (Class::Additive, Some(piece)) if count(ChangeKind::Added) == 0 => change(piece).short.to_owned(),
        (Class::Additive, _) => format!("+{}", counted(count(ChangeKind::Added), "version")),
        (class, _) => {
            let counts = [(ChangeKind::Added, "+"), (ChangeKind::Changed, "~"), (ChangeKind::Removed, "-")];
            let counts = counts.map(|(kind, sign)| (count(kind), sign)).into_iter();
            let counts = counts.filter(|(count, _)| *count > 0).map(|(count, sign)| format!("{sign}{count}"));
            let parts = std::iter::once(class.word().to_owned()).chain(counts);
            parts.collect::<Vec<_>>().join(" ")
        }
    }
}

/// The cell of one change: the version, its platforms, and the decision.
pub(crate) fn piece_cell(piece: &Piece, column: usize) -> TableCell<'_> {
    match column {
        0 => TableCell::of(format!("    {}", piece.part.name()), Tone::Plain),
        1 if piece.targets > 0 && piece.change == ChangeKind::Added => {
            TableCell::of(counted(piece.targets, "platform"), Tone::Quiet)
        }
        1 => TableCell::of(change(piece).short, Tone::Quiet),
        _ => {
            let (label, tone) = standing(piece);
            // An asterisk stands for a note.
            let note = if piece.mark.note.is_empty() { "" } else { " *" };
            TableCell::of(format!("{}{note}", label.short), tone)
        }
    }
}

/// `note: ask the author`; `None` where nobody wrote one.
pub(crate) fn note(piece: &Piece) -> Option<String> {
    (!piece.mark.note.is_empty()).then(|| format!("note: {}", piece.mark.note))
}

/// A remark from the build of the file: `3.70.0: the feed could not be read`.
pub(crate) fn remark(remark: &Remark) -> String {
    about(remark.version.as_deref(), &remark.text, &remark.rule)
}
