//! The number of targets that each comparison was made for, so that a report never passes over what it did not look at.

use crate::rules::verify::{Answer, Row};

/// The targets of one comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// It was made, or upstream no longer has the file that it is about.
    pub(crate) done: usize,
    /// Nothing is stored to compare with.
    pub(crate) without: usize,
    /// It was not made, or its result is not known.
    pub(crate) open: usize,
}

impl Compared {
    fn add(&mut self, answer: Answer) {
        let slot = match answer {
            Answer::Same | Answer::Differ | Answer::Gone => &mut self.done,
            Answer::New | Answer::NotNeeded => &mut self.without,
            Answer::Unknown | Answer::NotDone => &mut self.open,
        };
        *slot += 1;
    }
}

/// The comparisons of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    pub(crate) targets: usize,
    pub(crate) sums: Compared,
    pub(crate) signature: Compared,
    pub(crate) archive: Compared,
    pub(crate) h1: Compared,
    pub(crate) size: Compared,
    /// Targets whose tag could not be read.
    pub(crate) tag_unread: usize,
}

impl Coverage {
    pub(crate) fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        let mut coverage = Self::default();
        for row in rows {
            let answers = row.answers();
            coverage.targets += 1;
            // A file that is gone is a finding of its own, and leaves open what would have been read in it.
            let read = |answer| if answer == Answer::Gone { Answer::NotDone } else { answer };
            coverage.sums.add(answers.zh_sums);
            coverage.signature.add(answers.signature);
            coverage.archive.add(answers.zh_zip);
            coverage.h1.add(read(answers.h1));
            coverage.size.add(read(answers.size));
            coverage.tag_unread += usize::from(row.has_unread_tag());
        }
        coverage
    }
}
