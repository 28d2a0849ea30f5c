//! What is told of the desk, as data: one sentence, and the ways on from it. A face renders a way as its own key, word or command
//! line, and leaves it out where it has none.

use std::fmt::Write;

use crate::registry::Address;

/// One sentence, without a full stop, and what can be done about it.
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
    CancelSurvey,
    CancelBuild,
    CancelVerification,
    /// Cancel whatever runs.
    CancelAll,
    ShowVerification,
    /// Show all that a planned file would change.
    ShowFile(Address),
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
        let mut told = self.text.clone();
        let ways = self.ways.iter().filter_map(|(way, does)| Some((name(way)?, does)));
        for (at, (name, does)) in ways.enumerate() {
            let _ = write!(told, "{} {name} {does}", if at == 0 { ";" } else { "," });
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_that_a_face_does_not_have_are_left_out() {
        let message =
            Message::of("a survey runs").way(Way::CancelSurvey, "cancels it").way(Way::Leave, "leaves");
        assert_eq!(message.told(|_| None), "a survey runs");
        let name = |way: &Way| (*way == Way::Leave).then(|| "quit".to_owned());
        assert_eq!(message.told(name), "a survey runs; quit leaves");
        assert_eq!(message.told(|_| Some("x".into())), "a survey runs; x cancels it, x leaves");
    }
}
