//! One line of triage, and the answers to it so far.

use std::sync::Arc;

use crate::jobs::data::{Failure, JobId, TriageAnswer, Triaged};
use crate::registry::Address;
use crate::rules::triage::Triage;

#[derive(Debug)]
pub(crate) struct Lookup {
    job: JobId,
    /// The line as typed.
    pub(crate) typed: String,
    pub(crate) answers: Vec<Arc<Triaged>>,
    /// The reason why no more answers come, after a failure.
    pub(crate) failure: Option<String>,
    pub(crate) is_over: bool,
}

impl Lookup {
    pub(crate) fn new(job: JobId, typed: String) -> Self {
        Self { job, typed, answers: Vec::new(), failure: None, is_over: false }
    }

    /// Takes an answer. It replaces the first answer about the same subject, which came from the registry's
    /// files alone.
    pub(crate) fn take(&mut self, job: JobId, triaged: &Arc<Triaged>) {
        if job != self.job {
            return;
        }
        let same = |first: &Arc<Triaged>| match (&first.answer, &triaged.answer) {
            (TriageAnswer::First(first), TriageAnswer::Whole(whole)) => first.subject() == whole.subject(),
            _ => false,
        };
        match self.answers.iter_mut().find(|first| same(first)) {
            Some(first) => *first = Arc::clone(triaged),
            None => self.answers.push(Arc::clone(triaged)),
        }
    }

    pub(crate) fn end(&mut self, job: JobId, failure: Option<&Failure>) {
        if job == self.job {
            (self.is_over, self.failure) = (true, failure.map(Failure::sentence));
        }
    }

    /// The complete answers.
    pub(crate) fn whole(&self) -> impl Iterator<Item = &Triage> {
        self.answers.iter().filter_map(|triaged| match &triaged.answer {
            TriageAnswer::Whole(triage) => Some(triage),
            _ => None,
        })
    }

    /// The entry of the answers, if they are all about one.
    pub(crate) fn address(&self) -> Option<&Address> {
        let mut addresses = self.answers.iter().filter_map(|triaged| match &triaged.answer {
            TriageAnswer::First(triage) | TriageAnswer::Whole(triage) => Some(&triage.address),
            _ => None,
        });
        let first = addresses.next()?;
        addresses.all(|address| address == first).then_some(first)
    }

    /// The job that still answers.
    pub(crate) fn running(&self) -> Option<JobId> {
        (!self.is_over).then_some(self.job)
    }
}
