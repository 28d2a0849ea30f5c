//! A verified target as a line of a table, alone or with others of the same result: its columns and cells, and the words in them.

use std::borrow::Cow;

use crate::desk::table::{ColumnWidth, Cut, TableCell, TableColumn};
use crate::desk::telling::{Glyph, Sign, Tone, column};
use crate::rules::amount::{Form, bytes, counted, scaled};
use crate::rules::verify::{Answer, Case, Row, State, Zip};

const ADDRESS: usize = 1;
const VERSION: usize = 2;
const TARGET: usize = 3;
const SIZE: usize = 4;
pub(crate) const NOTE: usize = 9;

/// All columns. A face chooses among [`COLUMNS_WIDE`] and the sets for less room.
pub(crate) const COLUMNS: [TableColumn; 10] = [
    TableColumn::new(column::STATE, ColumnWidth::Content { least: 8 }, Cut::End, 1),
    // The address comes before notes that are shown whole elsewhere.
    TableColumn::new(column::ADDRESS, ColumnWidth::Content { least: 12 }, Cut::Middle, 4),
    TableColumn::new(column::VERSION, ColumnWidth::Content { least: 0 }, Cut::End, 3),
    TableColumn::new(column::TARGET, ColumnWidth::Content { least: 8 }, Cut::End, 2),
    TableColumn::new(column::SIZE, ColumnWidth::Content { least: 0 }, Cut::Right, 7),
    TableColumn::new(column::SUMS, ColumnWidth::Content { least: 0 }, Cut::End, 0),
    TableColumn::new(column::ARCHIVE, ColumnWidth::Content { least: 0 }, Cut::End, 0),
    // The answer about the archive is mostly the same.
    TableColumn::new(column::H1, ColumnWidth::Content { least: 0 }, Cut::End, 5),
    TableColumn::new(column::SIGNED, ColumnWidth::Content { least: 0 }, Cut::End, 0),
    TableColumn::new(column::NOTE, ColumnWidth::Rest { wants: 14, least: 0 }, Cut::End, 6),
];

/// The columns of a window that has room for the four answers.
pub(crate) const COLUMNS_WIDE: &[usize] = &[0, ADDRESS, VERSION, TARGET, SIZE, 5, 6, 7, 8, NOTE];
/// The columns of a window without room for the answers: the state is the sum of them.
pub(crate) const COLUMNS_SLIM: &[usize] = &[0, ADDRESS, VERSION, TARGET, NOTE];
/// The columns of such a window if all rows belong to one entry, which the title names.
pub(crate) const COLUMNS_OF_ONE: &[usize] = &[0, VERSION, TARGET, NOTE];

/// The place of a line among the lines of its group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fold {
    /// A row that stands alone.
    #[default]
    Alone,
    Closed,
    Open,
    /// A row of an open group, below the line of the group.
    Inside,
}

/// One line of the table: a row, or rows with the same result.
#[derive(Debug)]
pub(crate) struct TargetLine<'a> {
    pub(crate) rows: Vec<&'a Row>,
    pub(crate) state: State,
    pub(crate) fold: Fold,
    /// The archive of a row is being read.
    pub(crate) is_active: bool,
    /// The work on its only row, and the bytes that were received.
    pub(crate) doing: Option<(State, u64)>,
    subject: Subject,
}

impl<'a> TargetLine<'a> {
    /// A line of rows that nothing is done with; at least one.
    pub(crate) fn of(rows: Vec<&'a Row>, state: State) -> Self {
        let subject = subject(&rows);
        Self { rows, state, fold: Fold::Alone, is_active: false, doing: None, subject }
    }

    /// The text in one of [`COLUMNS`].
    pub(crate) fn cell(&self, column: usize) -> TableCell<'_> {
        let answers = self.rows[0].answers();
        // An inner row repeats the names of its group.
        let names = if self.fold == Fold::Inside { Tone::Quiet } else { Tone::Plain };
        match column {
            0 => sign(self.state).into(),
            ADDRESS => TableCell::of(&*self.subject.address, names),
            VERSION => TableCell::of(&*self.subject.version, names),
            TARGET => self.target(),
            SIZE => TableCell::of(self.size(), Tone::Quiet),
            5 => self.answer(answers.zh_sums, false),
            6 => self.answer(answers.zh_zip, true),
            7 => self.answer(answers.h1, true),
            8 => TableCell::of(signed(answers.signature, Form::Short), answer_tone(answers.signature)),
            _ => TableCell::of(self.note(), Tone::Quiet),
        }
    }

    fn target(&self) -> TableCell<'_> {
        let target = &*self.subject.target;
        match self.fold {
            Fold::Alone => TableCell::of(target, Tone::Plain),
            Fold::Inside => TableCell::of(format!(" {target}"), Tone::Plain),
            Fold::Closed => TableCell { glyph: Some(Glyph::CLOSED), ..TableCell::of(target, Tone::Plain) },
            Fold::Open => TableCell { glyph: Some(Glyph::OPEN), ..TableCell::of(target, Tone::Plain) },
        }
    }

    fn answer(&self, answer: Answer, is_of_archive: bool) -> TableCell<'static> {
        // An archive that is being read has no answer yet.
        let is_open = is_of_archive && answer == Answer::NotDone && self.is_active;
        TableCell::of(if is_open { ".." } else { answer.word() }, answer_tone(answer))
    }

    fn size(&self) -> String {
        let known = size(&self.rows);
        match (self.doing, known) {
            (Some((State::Hashing, read)), _) | (Some((_, read)), None) => bytes(read),
            (Some((_, read)), Some(size)) => figures_of(read.min(size), size),
            (None, Some(size)) => bytes(size),
            (None, None) => "-".into(),
        }
    }

    fn note(&self) -> Cow<'static, str> {
        let Some((state, read)) = self.doing else { return notes(self.rows[0]).join("; ").into() };
        let size = size(&self.rows).filter(|size| *size > 0 && state != State::Hashing);
        size.map(|size| format!("{}%", read.min(size) * 100 / size).into()).unwrap_or_default()
    }
}

/// A part and the whole in the unit of the whole: `1.31/2.26`. It has at most 11 cells below 100 GB.
pub(crate) fn figures_of(part: u64, whole: u64) -> String {
    format!("{}/{}", scaled(part, whole).0, scaled(whole, whole).0)
}

fn answer_tone(answer: Answer) -> Tone {
    match answer {
        Answer::Same => Tone::Fine,
        Answer::Differ | Answer::Gone => Tone::Wrong,
        Answer::Unknown => Tone::Warning,
        Answer::New | Answer::NotDone | Answer::NotNeeded => Tone::Quiet,
    }
}

/// The sign of a state.
pub(crate) fn sign(state: State) -> Sign {
    let (glyph, tone) = match state {
        State::Mismatch => (Glyph::WRONG, Tone::Wrong),
        State::BadSignature => (Glyph::KEY, Tone::Wrong),
        State::Missing => (Glyph::LOST, Tone::Lost),
        State::Error => (Glyph::WRONG, Tone::Error),
        State::Hashing | State::Fetching => (Glyph::UNDER_WAY, Tone::Late),
        State::Queued => (Glyph::WAITS, Tone::Quiet),
        State::Skipped => (Glyph::UNKNOWN, Tone::Warning),
        State::Cancelled => (Glyph::CANCELLED, Tone::Quiet),
        State::Ok => (Glyph::FINE, Tone::Fine),
    };
    glyph.sign(state.word(), tone)
}

/// The word of an answer; signs become words where they are read aloud.
pub(crate) fn answer(answer: Answer, form: Form) -> &'static str {
    match (form, answer) {
        (Form::Spoken, Answer::Differ) => "differs",
        (Form::Spoken, Answer::Unknown) => "not known",
        (Form::Spoken, Answer::NotDone) => "not done",
        _ => answer.word(),
    }
}

/// The word for the signature: equal is good, and different is bad.
pub(crate) fn signed(is: Answer, form: Form) -> &'static str {
    match (form, is) {
        (Form::Short, Answer::Same) => "ok",
        (Form::Spoken, Answer::Same) => "good",
        (Form::Short, Answer::Differ) => "BAD",
        (Form::Spoken, Answer::Differ) => "bad",
        _ => answer(is, form),
    }
}

/// The address, the version and the target of a group of rows; where the rows differ, their count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    pub(crate) address: String,
    pub(crate) version: String,
    pub(crate) target: String,
}

/// The subject of a group of rows. Rows of one version must stand together.
pub(crate) fn subject(rows: &[&Row]) -> Subject {
    let [first, ..] = rows else {
        return Subject { address: String::new(), version: String::new(), target: String::new() };
    };
    let changes =
        |differ: fn(&Row, &Row) -> bool| rows.windows(2).filter(|pair| differ(pair[0], pair[1])).count();
    let entries = 1 + changes(|one, next| one.address != next.address);
    let versions = 1 + changes(|one, next| one.version != next.version || one.address != next.address);
    Subject {
        address: if entries == 1 { first.address.to_string() } else { counted(entries, "entry") },
        version: if versions == 1 { first.version.clone() } else { counted(versions, "version") },
        target: if rows.len() == 1 { first.target.clone() } else { counted(rows.len(), "target") },
    }
}

/// A few words for the most common explanations.
pub(crate) fn gist(row: &Row) -> Option<&'static str> {
    match row.case() {
        Case::Misrecorded if row.fault().is_some() => Some("the registry's checksum is wrong"),
        Case::Misrecorded => Some("same content, other checksum"),
        Case::Reuploaded if row.fault().is_some() => Some("re-uploaded"),
        Case::Reuploaded => Some("not the indexed file"),
        Case::UpstreamBroken | Case::Equal | Case::Unknown => None,
    }
}

/// The conclusion about a row in a few words, beside its state: `re-uploaded`, `as stored: SHA256SUMS, archive, h1, size`. A bad row
/// never begins with what is right about it.
pub(crate) fn conclusion(row: &Row) -> String {
    if let Some(gist) = gist(row) {
        return gist.to_owned();
    }
    let answers = row.answers();
    // An archive that is gone is named once, without its h1 and its size.
    let in_archive = |answer| if answers.zh_zip == Answer::Gone { Answer::NotDone } else { answer };
    let parts = [
        ("SHA256SUMS", answers.zh_sums),
        ("archive", answers.zh_zip),
        ("h1", in_archive(answers.h1)),
        ("size", in_archive(answers.size)),
    ];
    let those = |wanted: Answer| {
        let names: Vec<&str> =
            parts.iter().filter(|(_, answer)| *answer == wanted).map(|(name, _)| *name).collect();
        names.join(", ")
    };
    let of = |lead: &str, wanted| {
        Some(those(wanted)).filter(|names| !names.is_empty()).map(|names| format!("{lead}{names}"))
    };
    let fault = || {
        let is_unfit = matches!(&row.zip, Zip::Hashed(computed) if computed.is_unfit());
        match row.state() {
            State::Mismatch if !row.refused.is_empty() => Some("clients refuse it".to_owned()),
            State::Mismatch if is_unfit => Some("no client can use it".to_owned()),
            State::Mismatch if row.other_system().is_some() => {
                Some("its binary is for another system".to_owned())
            }
            State::Mismatch if answers.digest == Answer::Differ => {
                Some("GitHub's digest of the archive is not the stored checksum".to_owned())
            }
            State::BadSignature => Some("no key on file signed it".to_owned()),
            State::Missing => Some("the signature is gone upstream".to_owned()),
            State::Error => Some("not checked in full".to_owned()),
            _ => None,
        }
    };
    of("differs from what is stored: ", Answer::Differ)
        .or_else(|| of("gone upstream: ", Answer::Gone))
        .or_else(fault)
        .or_else(|| of("as stored: ", Answer::Same).filter(|_| !row.state().is_bad()))
        .unwrap_or_default()
}

/// The bytes of all archives, if all sizes are known.
pub(crate) fn size(rows: &[&Row]) -> Option<u64> {
    rows.iter().map(|row| row.size_bytes()).sum()
}

/// Notes about a row in a few words each, the most important first.
pub(crate) fn notes(row: &Row) -> Vec<String> {
    let answers = row.answers();
    let mut notes = Vec::new();
    // The short form; the facts hold the whole explanation.
    if let Some(gist) = gist(row) {
        notes.push(gist.to_owned());
        notes.extend(row.reasons().into_iter().skip(1));
    } else {
        let is_concluded = row.state().is_bad() && row.state() != State::Error;
        notes.extend(is_concluded.then(|| conclusion(row)).filter(|text| !text.is_empty()));
        notes.extend(row.reading());
    }
    if let Zip::Hashed(computed) = &row.zip {
        notes.extend(computed.spooled.iter().map(|why| format!("read from a copy: {why}")));
    }
    if answers.h1 == Answer::New {
        notes.push("no h1 stored before".into());
    }
    if answers.signature == Answer::NotNeeded {
        notes.push("no key on file".into());
    }
    notes
}
