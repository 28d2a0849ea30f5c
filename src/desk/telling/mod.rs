//! The facts and sentences about the desk, as data: labels, words and next steps. A face brings widths, colours and layout, and
//! renders a next step as its own key, word or command line; it leaves a step out where it has none.

pub(crate) mod arming;
pub(crate) mod around;
pub(crate) mod backfill;
pub(crate) mod column;
pub(crate) mod entry;
pub(crate) mod evidence;
pub(crate) mod job;
pub(crate) mod list;
pub(crate) mod machines;
pub(crate) mod markdown;
pub(crate) mod notice;
pub(crate) mod planned;
pub(crate) mod pull;
pub(crate) mod review;
pub(crate) mod shell;
pub(crate) mod stranded;
pub(crate) mod summary;
pub(crate) mod target;
pub(crate) mod triage;
pub(crate) mod verification;
pub(crate) mod watch;
pub(crate) mod written;

use crate::desk::ability::NextStep;
use crate::rules::amount::{Form, grouped};
use crate::rules::{Level, Status, Verdict};

/// The name of a fact or of a column: one or two words for a column, and the form that is read aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) short: &'static str,
    pub(crate) spoken: &'static str,
}

impl Label {
    /// A label with one word for both forms.
    pub(crate) const fn of(word: &'static str) -> Self {
        Self { short: word, spoken: word }
    }

    pub(crate) const fn two(short: &'static str, spoken: &'static str) -> Self {
        Self { short, spoken }
    }

    pub(crate) fn form(self, form: Form) -> &'static str {
        match form {
            Form::Short => self.short,
            Form::Spoken => self.spoken,
        }
    }
}

/// The number of selected entries that are not visible, as a sentence; `None` if all are.
pub(crate) fn hidden(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{} of them hidden by the filter or a folded group.", grouped(count)))
}

/// The meaning of a text, for faces that have colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// Less important than what stands around it.
    Quiet,
    Fine,
    /// Worth reading first.
    Notice,
    /// Not over yet.
    Late,
    Warning,
    /// An answer could not be had.
    Error,
    /// It is not what it should be.
    Wrong,
    /// It is not there any more, or would go.
    Lost,
    /// The tone of a level.
    Of(Level),
}

/// A glyph and what stands for it in ASCII: one set for all tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Glyph(pub(crate) &'static str, pub(crate) &'static str);

impl Glyph {
    // What a status means too has the glyph of that status.
    pub(crate) const FINE: Self = Self("✓", "v");
    pub(crate) const WRONG: Self = Self("⊗", "X");
    pub(crate) const LOST: Self = Self("∅", "0");
    pub(crate) const KEY: Self = Self("⚐", "k");
    pub(crate) const UNKNOWN: Self = Self("?", "?");
    /// It holds nothing up, and is to be known.
    pub(crate) const NOTE: Self = Self("!", "!");
    /// Stands between the word of a status and its plain words.
    pub(crate) const BETWEEN: Self = Self("⋅", "-");
    // Of work.
    pub(crate) const UNDER_WAY: Self = Self("~", "~");
    /// It would go on, but for another one.
    pub(crate) const HELD: Self = Self("=", "=");
    pub(crate) const WAITS: Self = Self("-", "-");
    pub(crate) const CANCELLED: Self = Self("x", "x");
    // A group of rows.
    pub(crate) const CLOSED: Self = Self("▸", "+");
    pub(crate) const OPEN: Self = Self("▾", "-");

    pub(crate) fn sign(self, word: impl Into<String>, tone: Tone) -> Sign {
        Sign { glyph: self.0, ascii: self.1, word: word.into(), tone }
    }
}

/// A glyph, its stand-in where glyphs are not drawn, and the word that says the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    pub(crate) glyph: &'static str,
    pub(crate) ascii: &'static str,
    pub(crate) word: String,
    pub(crate) tone: Tone,
}

impl Sign {
    pub(crate) fn status(status: Status) -> Self {
        let row = status.row();
        Self { glyph: row.glyph, ascii: row.ascii, word: row.word.into(), tone: Tone::Of(row.level) }
    }

    /// The sign of an entry. Its word says how deep it was checked, and its colour whether it was.
    pub(crate) fn verdict(verdict: &Verdict) -> Self {
        Self { word: verdict.word(), tone: Tone::Of(verdict.level()), ..Self::status(verdict.status) }
    }
}

/// One fact: a label, and what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) label: Label,
    /// The sign before the text.
    pub(crate) sign: Option<Sign>,
    pub(crate) text: String,
    pub(crate) tone: Tone,
    /// The next steps, each with what it does: `cancels it`. A fact that has only steps has no text.
    pub(crate) steps: Vec<(NextStep, &'static str)>,
}

impl Fact {
    pub(crate) fn of(label: Label, text: impl Into<String>) -> Self {
        Self { label, sign: None, text: text.into(), tone: Tone::Plain, steps: Vec::new() }
    }

    pub(crate) fn tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    /// The text beside the label and the sign, for a face with these names for next steps. It leaves out steps without a name.
    pub(crate) fn text_with(&self, name: impl Fn(&NextStep) -> Option<String>) -> Option<String> {
        let steps = named(&self.steps, name);
        let parts: Vec<&str> =
            [self.text.as_str(), &steps].into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// `a adds it, q leaves`.
fn named(steps: &[(NextStep, &'static str)], name: impl Fn(&NextStep) -> Option<String>) -> String {
    let named = steps.iter().filter_map(|(step, does)| Some(format!("{} {does}", name(step)?)));
    named.collect::<Vec<_>>().join(", ")
}

/// One sentence, without a full stop, and its next steps. A message that has only steps has no text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    /// The next steps, each with what it does: `cancels it`.
    pub(crate) steps: Vec<(NextStep, &'static str)>,
    pub(crate) why: Why,
}

/// Why something is refused: what a command ends with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Why {
    /// It may be done another time, or after something else.
    #[default]
    Gate,
    /// The subject does not exist, or the action is never possible.
    Wrong,
    /// It is so already.
    Needless,
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::of(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::of(text)
    }
}

/// Refuses with this reason.
pub(crate) fn refuse<T>(message: impl Into<Message>) -> Result<T, Message> {
    Err(message.into())
}

impl Message {
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Marks the refusal as [`Why::Wrong`].
    pub(crate) fn wrong(self) -> Self {
        Self { why: Why::Wrong, ..self }
    }

    /// Marks the refusal as [`Why::Needless`].
    pub(crate) fn needless(self) -> Self {
        Self { why: Why::Needless, ..self }
    }

    /// Both in one sentence.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.text = format!("{}; {}", self.text, other.text);
        self.steps.extend(other.steps);
        if self.why != other.why {
            self.why = Why::Gate;
        }
        self
    }

    /// Adds a next step.
    pub(crate) fn step(mut self, step: impl Into<NextStep>, does: &'static str) -> Self {
        self.steps.push((step.into(), does));
        self
    }

    /// The whole sentence of a face with these names for next steps.
    pub(crate) fn text_with(&self, name: impl Fn(&NextStep) -> Option<String>) -> String {
        let text = shell::in_console(&self.text, &name);
        match named(&self.steps, name) {
            steps if steps.is_empty() => text,
            steps if text.is_empty() => steps,
            steps => format!("{text}; {steps}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::ability::Ability;

    #[test]
    fn what_a_status_means_too_has_its_glyph() {
        for (glyph, name) in [
            (Glyph::FINE, "current"),
            (Glyph::WRONG, "repo-gone"),
            (Glyph::LOST, "gone-upstream"),
            (Glyph::KEY, "key-mismatch"),
            (Glyph::UNKNOWN, "unknown"),
        ] {
            let row = Status::from_name(name).expect("a status").row();
            assert_eq!(glyph, Glyph(row.glyph, row.ascii), "{name}");
        }
    }

    #[test]
    fn steps_that_a_face_does_not_have_are_left_out() {
        let message = Message::of("a survey is running")
            .step(Ability::CancelSurvey, "cancels it")
            .step(Ability::Leave, "leaves");
        assert_eq!(message.text_with(|_| None), "a survey is running");
        let name = |step: &NextStep| (step.ability == Ability::Leave).then(|| "quit".to_owned());
        assert_eq!(message.text_with(name), "a survey is running; quit leaves");
        assert_eq!(message.text_with(|_| Some("x".into())), "a survey is running; x cancels it, x leaves");
    }
}
