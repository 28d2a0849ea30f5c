//! What is told of the desk, as data: the labels, the words and the ways on. A face brings widths, colours and layout, and
//! renders a way as its own key, word or command line; it leaves a way out where it has none.

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
pub(crate) mod triage;
pub(crate) mod verification;
pub(crate) mod watch;
pub(crate) mod written;

use crate::registry::Address;
use crate::rules::Status;
use crate::rules::amount::{Form, grouped};

/// What a fact is about, or what a column holds: one word or two for a column, and what is read aloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) short: &'static str,
    pub(crate) spoken: &'static str,
}

impl Label {
    /// The same in both forms.
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

/// How many of what is meant cannot be seen, where there are any.
pub(crate) fn hidden(count: usize) -> Option<String> {
    (count > 0).then(|| format!("{} of them hidden by the filter or a folded group.", grouped(count)))
}

/// A line that somebody is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) title: &'static str,
    /// What comes of it.
    pub(crate) about: &'static str,
    pub(crate) prompt: &'static str,
    /// What may be written.
    pub(crate) help: &'static str,
}

/// What a text means, for faces that have colours.
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
    /// That of a status.
    Of(Status),
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
    // Of work.
    pub(crate) const UNDER_WAY: Self = Self("~", "~");
    /// It would go on, but for another one.
    pub(crate) const HELD: Self = Self("=", "=");
    pub(crate) const WAITS: Self = Self("-", "-");
    pub(crate) const CANCELLED: Self = Self("x", "x");

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
    pub(crate) fn status(status: Status, word: impl Into<String>) -> Self {
        let row = status.row();
        Self { glyph: row.glyph, ascii: row.ascii, word: word.into(), tone: Tone::Of(status) }
    }
}

/// One fact: a label, and what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) label: Label,
    /// What the fact opens with.
    pub(crate) sign: Option<Sign>,
    pub(crate) text: String,
    pub(crate) tone: Tone,
    /// Each with what it does: `cancels it`. A fact that is nothing but ways has no text.
    pub(crate) ways: Vec<(Way, &'static str)>,
}

impl Fact {
    pub(crate) fn of(label: Label, text: impl Into<String>) -> Self {
        Self { label, sign: None, text: text.into(), tone: Tone::Plain, ways: Vec::new() }
    }

    pub(crate) fn tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    /// What stands beside the label and the sign, for a face that has these names for ways; nothing of ways that it has not.
    pub(crate) fn told(&self, name: impl Fn(&Way) -> Option<String>) -> Option<String> {
        let ways = named(&self.ways, name);
        let parts: Vec<&str> =
            [self.text.as_str(), &ways].into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// `a adds it, q leaves`.
fn named(ways: &[(Way, &'static str)], name: impl Fn(&Way) -> Option<String>) -> String {
    let named = ways.iter().filter_map(|(way, does)| Some(format!("{} {does}", name(way)?)));
    named.collect::<Vec<_>>().join(", ")
}

/// One sentence, without a full stop, and what can be done about it; one that is nothing but ways has no text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    /// Each with what it does: `cancels it`.
    pub(crate) ways: Vec<(Way, &'static str)>,
    pub(crate) why: Why,
}

/// Why something is refused: what a command ends with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Why {
    /// It may be done another time, or after something else.
    #[default]
    Gate,
    /// What was meant is not there, or can never be.
    Wrong,
    /// It is so already.
    Needless,
}

/// Something that can be done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Get a registry.
    Clone,
    Leave,
    Reload,
    /// Put an entry of the list into the plan, or this one.
    Add(Option<Address>),
    /// See all views.
    Views,
    /// Verify an entry of the list.
    Verify,
    /// Verify what was left when it was cancelled.
    VerifyRest,
    /// Fill in what an entry lacks of h1 and size.
    Backfill,
    /// Fill in what was left when it stopped.
    BackfillRest,
    CancelSurvey,
    CancelBuild,
    CancelVerification,
    CancelBackfill,
    /// Begin no new download, or begin some again.
    PauseBackfill,
    /// Cancel whatever runs.
    CancelAll,
    ShowVerification,
    ShowBackfill,
    /// The plan, with what was found.
    ShowPlan,
    /// Show all that a planned file would change.
    ShowFile(Address),
    /// Survey the entry that is told.
    Survey,
    SurveyShown,
    /// Show the rebuild of the entry that is told.
    Build,
    Open,
    /// Say where upstream is.
    Browse,
    CopyPath,
    /// Allow writing to GitHub for a while.
    Arm,
    /// Check its gates again.
    Recheck,
    /// Choose how a pull request is opened, which makes it ready so.
    AskFor,
    /// Show the pull request.
    ShowPull,
    /// Show the next one that an earlier run left half-done.
    NextPull,
    /// Show one gate whole.
    Gate,
    /// List the open pull requests of others.
    ListReviews,
    /// Review one of them.
    Review(u64),
    /// Review it with its archives.
    HashReview(u64),
    /// Say what one thinks of it.
    Judge(u64),
    CancelReview,
    /// Follow a run on GitHub's machines.
    FollowRun(u64),
    /// Make ready what runs once more what failed of it.
    RerunRun(u64),
    /// Put what it found into the plan.
    MergeRun(u64),
    /// Read the logs of what failed of it.
    RunLogs(u64),
    /// Show the jobs that run.
    ShowJobs,
    /// Type the digits that confirm what is shown.
    Digits,
    /// Resume what was sent in part.
    Resume,
    /// Take back what was sent.
    Undo,
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

    /// The same of what is not there, or can never be.
    pub(crate) fn wrong(self) -> Self {
        Self { why: Why::Wrong, ..self }
    }

    /// The same of what is so already.
    pub(crate) fn needless(self) -> Self {
        Self { why: Why::Needless, ..self }
    }

    /// Both in one sentence.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.text = format!("{}; {}", self.text, other.text);
        self.ways.extend(other.ways);
        if self.why != other.why {
            self.why = Why::Gate;
        }
        self
    }

    /// The same with one more way on.
    pub(crate) fn way(mut self, way: Way, does: &'static str) -> Self {
        self.ways.push((way, does));
        self
    }

    /// The whole sentence of a face that has these names for ways.
    pub(crate) fn told(&self, name: impl Fn(&Way) -> Option<String>) -> String {
        let text = shell::in_console(&self.text, &name);
        match named(&self.ways, name) {
            ways if ways.is_empty() => text,
            ways if text.is_empty() => ways,
            ways => format!("{text}; {ways}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn ways_that_a_face_does_not_have_are_left_out() {
        let message =
            Message::of("a survey is running").way(Way::CancelSurvey, "cancels it").way(Way::Leave, "leaves");
        assert_eq!(message.told(|_| None), "a survey is running");
        let name = |way: &Way| (*way == Way::Leave).then(|| "quit".to_owned());
        assert_eq!(message.told(name), "a survey is running; quit leaves");
        assert_eq!(message.told(|_| Some("x".into())), "a survey is running; x cancels it, x leaves");
    }
}
