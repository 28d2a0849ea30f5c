//! The form of a new backfill: its options, its estimated cost, and the equivalent command line.
//!
//! ```text
//! Backfill  a new one: nothing is downloaded before you agreed
//!  what       < newrelic/newrelic >
//!  versions   all
//!  at most    200GB
//!  ...
//!  which entries; Space goes to the next choice
//! ----------------------------------------------------------------------
//!  providers  1
//!  lacking    h1 or size of 25 targets in 5 versions
//!  ...
//! ----------------------------------------------------------------------
//!  the same   bumpdesk backfill run newrelic/newrelic
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::intent::EntrySelection;
use crate::desk::launch::{Estimating, FillHow, Making, Slot, read};
use crate::desk::telling::backfill::{COUNTING, NEW, SAME, estimated, nothing};
use crate::desk::{Desk, filling};
use crate::jobs::data::JobId;
use crate::rules::amount::Form as Spelling;
use crate::rules::backfill::SHORT;
use crate::tui::base::layout::{Area, Class};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::ViewId;
use crate::tui::keymap::chord::{Chord, Key};
use crate::tui::widgets::field::Field;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Cut, Paint, Strip, lay};

/// The cells of a label: `providers` and two blanks.
const LABEL: usize = 10;
/// The longest text of a field, in characters.
const MOST: usize = 120;

/// One possible selection, and its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) selection: EntrySelection,
    pub(crate) name: String,
    /// The equivalent words of a command line, for a backfill of all versions.
    pub(crate) words: Option<String>,
    /// The number of selected entries that cannot be seen.
    pub(crate) hidden: usize,
}

/// The form.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) choices: Vec<Choice>,
    pub(crate) what: usize,
    pub(crate) making: Making,
    pub(crate) at: Slot,
    /// The texts of the fields; a choice has an empty text.
    texts: Vec<(Slot, Field)>,
    /// True until a key is typed in the field under the cursor: the first letter replaces a default text.
    is_fresh: bool,
    pub(crate) error: Option<(Slot, String)>,
    /// The job of the current estimate, and the selection as words of a command line.
    pub(crate) counted: Option<(JobId, Option<String>)>,
    /// The view to go back to.
    pub(crate) from: ViewId,
}

impl Form {
    /// Opens the form. `choices` has at least one entry; the first is the row under the cursor, or the marked
    /// entries.
    pub(crate) fn new(choices: Vec<Choice>, from: ViewId) -> Self {
        let all = Slot::all(Making::Patches).iter();
        let texts = all.map(|slot| (*slot, Field::of_at_most(&slot.usual(), MOST))).collect();
        let making = Making::default();
        let (at, is_fresh) = (Slot::What, true);
        Self { choices, what: 0, making, at, texts, is_fresh, error: None, counted: None, from }
    }

    pub(crate) fn choice(&self) -> Option<&Choice> {
        self.choices.get(self.what)
    }

    pub(crate) fn text(&self, slot: Slot) -> String {
        self.texts
            .iter()
            .find(|(one, _)| *one == slot)
            .map(|(_, field)| field.text().to_owned())
            .unwrap_or_default()
    }

    /// Parses the current values of the form.
    pub(crate) fn read(&self) -> Result<FillHow, (Slot, String)> {
        read(self.making, |slot| self.text(slot))
    }

    /// Moves to another field, and round the ends.
    pub(crate) fn step(&mut self, by: isize) {
        let all = Slot::all(self.making);
        let here = all.iter().position(|slot| *slot == self.at).unwrap_or(0);
        let count = all.len() as isize;
        self.at = all[(here as isize + by).rem_euclid(count) as usize];
        self.is_fresh = true;
    }

    /// Changes the text of the field under the cursor.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Field)) {
        let at = self.at;
        if let Some((_, field)) = self.texts.iter_mut().find(|(slot, _)| *slot == at && !at.is_choice()) {
            change(field);
            (self.error, self.is_fresh) = (None, false);
            if matches!(at, Slot::Versions | Slot::Workers) {
                self.counted = None;
            }
        }
    }

    /// Takes a key: a letter of the field, or the next choice. Returns true if the choice changed.
    pub(crate) fn take(&mut self, chord: Chord) -> bool {
        if !self.at.is_choice() {
            let is_letter = matches!(chord.key, Key::Char(_)) && !chord.ctrl;
            let replaces = self.is_fresh && is_letter && self.text(self.at) == self.at.usual();
            self.edit(|field| {
                if replaces {
                    field.clear();
                }
                field.take(chord);
            });
            return false;
        }
        let by = match chord.key {
            Key::Char(' ') | Key::Right if !chord.ctrl => 1,
            Key::Left if !chord.ctrl => -1,
            _ => return false,
        };
        let turn = |at: usize, count: usize| (at as isize + by).rem_euclid(count.max(1) as isize) as usize;
        if self.at == Slot::What {
            self.what = turn(self.what, self.choices.len());
            self.counted = None;
        } else {
            let at = Making::ALL.iter().position(|making| *making == self.making).unwrap_or(0);
            self.making = Making::ALL[turn(at, Making::ALL.len())];
        }
        self.error = None;
        true
    }

    /// The equivalent command line.
    fn command_line(&self) -> Option<String> {
        let (how, (_, words)) = (self.read().ok()?, self.counted.as_ref()?);
        Some(filling::line(words.as_ref()?, &how.limits, &how.output))
    }
}

/// Draws the form, and returns the cell of the cursor.
pub(super) fn view(form: &Form, desk: &Desk, paint: &Paint<'_>, buffer: &mut Buffer) -> Position {
    let mut rest = layout::frame(paint.size).body;
    let width = rest.width;
    let mut title = Strip::new(paint, width);
    title.gap(1).put(Role::Title, "Backfill").gap(2).put(Role::Dim, NEW);
    lay(buffer, layout::cut_top(&mut rest, 1), &[title.line()]);
    if paint.size.class() == Class::Wide {
        layout::cut_top(&mut rest, 1);
    }
    let slots = Slot::all(form.making);
    // A low window shows the fields around the cursor.
    let at = slots.iter().position(|slot| *slot == form.at).unwrap_or(0);
    let seen = slots.len().min(usize::from(rest.height.saturating_sub(3)).max(1));
    let first = layout::first_visible(0, at, seen, slots.len());
    let mut cursor = Position::new(rest.x, rest.y);
    for slot in &slots[first..first + seen] {
        let area = layout::cut_top(&mut rest, 1);
        let (line, column) = field(form, paint, *slot, width);
        lay(buffer, area, &[line]);
        if *slot == form.at {
            cursor = Position::new(area.x + column, area.y);
        }
    }
    let wrapped = match &form.error {
        Some((at, why)) if *at == form.at => paint.wrapped(width.saturating_sub(2), Role::Error, why),
        Some((at, why)) => {
            let why = format!("{}: {why}", at.label().short);
            paint.wrapped(width.saturating_sub(2), Role::Error, &why)
        }
        None => paint.wrapped(width.saturating_sub(2), Role::Dim, form.at.help()),
    };
    let least = if paint.size.class() == Class::Narrow { 1 } else { 2 };
    let help = layout::cut_top(&mut rest, (wrapped.len() as u16).clamp(least, 3));
    lay(buffer, Area { x: help.x + 1, width: help.width.saturating_sub(2), ..help }, &wrapped);
    lay(buffer, layout::cut_top(&mut rest, 1), &[paint.rule(width)]);
    let line = form
        .command_line()
        .map(|line| story::labelled_at(paint, (1, LABEL), (SAME.short, Role::Text, &line), width));
    let line = line.unwrap_or_default();
    let most = if paint.size.class() == Class::Narrow { 2 } else { 3 };
    let most = most.min(rest.height / 2);
    let same = layout::cut_bottom(&mut rest, (line.len() as u16).min(most));
    lay(buffer, same, &line);
    let rule =
        layout::cut_bottom(&mut rest, u16::from(same.height > 0 && paint.size.class() != Class::Narrow));
    lay(buffer, rule, &[paint.rule(width)]);
    lay(buffer, rest, &cost(form, desk, paint, width));
    cursor
}

/// One field, and the cell of its cursor.
fn field(form: &Form, paint: &Paint<'_>, slot: Slot, width: u16) -> (Line<'static>, u16) {
    let is_at = slot == form.at;
    let mut strip = Strip::new(paint, width);
    strip.cell(Role::Key, if is_at { paint.glyphs.cursor() } else { "" }, 1, Cut::End);
    let is_wrong = form.error.as_ref().is_some_and(|(at, _)| *at == slot);
    let role = if is_wrong {
        Role::Error
    } else if is_at {
        Role::Title
    } else {
        Role::Dim
    };
    strip.cell(role, slot.label().short, LABEL, Cut::End);
    let from = usize::from(width) - strip.room();
    if slot.is_choice() {
        let name = match slot {
            Slot::What => form.choice().map_or("", |choice| &choice.name),
            _ => form.making.words(),
        };
        strip
            .put(Role::Key, "< ")
            .put(if is_at { Role::Prompt } else { Role::Text }, name)
            .put(Role::Key, " >");
        return (strip.line(), from as u16);
    }
    let field =
        form.texts.iter().find(|(one, _)| *one == slot).map(|(_, field)| field.clone()).unwrap_or_default();
    let seen = field.seen(paint.glyphs, strip.room().saturating_sub(1));
    strip.put(if is_at { Role::Prompt } else { Role::Text }, &seen.text);
    (strip.line(), (from + seen.cursor) as u16)
}

/// The estimate for the current values, as far as it is known.
fn cost(form: &Form, desk: &Desk, paint: &Paint<'_>, width: u16) -> Vec<Line<'static>> {
    let Ok(how) = form.read() else { return Vec::new() };
    let inside = |role: Role, text: &str| {
        let clean = text::clean(text, paint.glyphs);
        let wrapped = text::wrap(&clean, usize::from(width).saturating_sub(2));
        wrapped.iter().map(|part| Strip::new(paint, width).gap(1).put(role, part).line()).collect::<Vec<_>>()
    };
    let is_of = |estimate: &&Estimating| form.counted.as_ref().is_some_and(|(job, _)| *job == estimate.job);
    let estimate = desk.estimate.as_ref().filter(is_of);
    match estimate.map(|estimate| (&estimate.found, &estimate.failure)) {
        None => Vec::new(),
        Some((Some(found), _)) if found.estimate.targets == 0 => inside(Role::Text, &nothing(found.broken)),
        Some((Some(found), _)) => {
            let facts =
                estimated(found, &how.limits, found.digest.get(..SHORT).unwrap_or_default(), Spelling::Short);
            let lines = facts.iter().flat_map(|fact| {
                let part = (fact.label.short, Role::meant(fact.tone), &*fact.text);
                story::labelled_at(paint, (1, LABEL), part, width)
            });
            lines.collect()
        }
        Some((None, Some(failure))) => inside(Role::Error, &story::in_keys(paint, &failure.sentence())),
        Some((None, None)) => inside(Role::Dim, COUNTING),
    }
}
