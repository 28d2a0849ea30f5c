//! Texts about a job: its state, its result and its progress.

use std::time::Duration;

use crate::desk::ability::Ability;
use crate::desk::history::{JobRow, JobState};
use crate::desk::telling::{Message, Sign, Tone};
use crate::jobs::data::{Failure, FailureKind, Phase, Progress, Scope, Summary, SurveyPlan};
use crate::rules::amount::{Form, between, counted, grouped, length, percent, rate};

/// The sign of a state.
pub(crate) fn sign(state: JobState) -> Sign {
    // Signs are those of the statuses, where they mean the same.
    let (glyph, ascii, tone) = match state {
        JobState::Waiting => ("-", "-", Tone::Warning),
        JobState::Paused => ("=", "=", Tone::Warning),
        JobState::Running => ("~", "~", Tone::Late),
        JobState::Done => ("✓", "v", Tone::Fine),
        JobState::DoneWithGaps => ("?", "?", Tone::Warning),
        JobState::Failed => ("⊗", "X", Tone::Error),
        JobState::Cancelled => ("x", "x", Tone::Quiet),
        JobState::CutOff => ("!", "!", Tone::Warning),
    };
    Sign { glyph, ascii, word: state.word().to_owned(), tone }
}

/// The reason why a job waits, or its result; empty if there is neither.
pub(crate) fn result(row: &JobRow<'_>) -> String {
    results(row).join(", ")
}

/// [`result`] part by part, for a face that has room for some of the parts.
pub(crate) fn results(row: &JobRow<'_>) -> Vec<String> {
    if !row.why.is_empty() {
        return vec![row.why.to_owned()];
    }
    if row.state == JobState::Running {
        return vec!["starting".into()];
    }
    // Entries that were checked recently are reported at the end of a survey; there is little room here.
    let mut parts = Summary { fresh: 0, not_modified: 0, ..row.counts.cloned().unwrap_or_default() }.words();
    if row.state == JobState::Cancelled {
        parts.push("what it found is kept".into());
    }
    parts
}

/// Explains that a host did not answer and stopped the survey, with the next step.
pub(crate) fn unreachable(plan: &SurveyPlan, failure: &Failure) -> Option<Message> {
    let is_one = matches!(&plan.scope, Scope::Addresses(addresses) if addresses.len() == 1);
    let ability = if is_one { Ability::Survey } else { Ability::SurveyShown };
    let message = || Message::of(failure.causes.join(": ")).step(ability, "tries again");
    (failure.kind == FailureKind::Network).then(message)
}

/// Explains why a survey made no requests, with the next step.
pub(crate) fn unasked(plan: &SurveyPlan, summary: &Summary) -> Option<Message> {
    let verb = if summary.entries == 1 { "was" } else { "were" };
    let length = length(plan.max_age, Form::Spoken);
    let checked = format!("{} {verb} checked in the last {length}", counted(summary.entries, "entry"));
    let message =
        || Message::of(format!("nothing was asked: {checked}")).step(Ability::Survey, "asks all the same");
    summary.is_all_fresh().then(message)
}

/// The progress of a job. Parts that are unknown or zero are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gauge {
    pub(crate) what: &'static str,
    /// `50/2,000`; `50 of 2,000`.
    pub(crate) counts: Option<String>,
    pub(crate) percent: Option<String>,
    pub(crate) not_read: Option<String>,
    pub(crate) requests: Option<String>,
    pub(crate) rate: Option<String>,
    /// `6m-8m left`; `6 to 8 minutes left`.
    pub(crate) left: Option<String>,
    pub(crate) waiting: Option<String>,
}

impl Gauge {
    pub(crate) fn of(progress: &Progress, form: Form) -> Self {
        let (done, total) = (progress.done, progress.total);
        let counts = match (total > 0, form) {
            (true, Form::Short) => Some(format!("{}/{}", grouped(done), grouped(total))),
            (true, Form::Spoken) => Some(format!("{} of {}", grouped(done), grouped(total))),
            (false, _) => (done > 0).then(|| grouped(done)),
        };
        let percent = (total > 0).then(|| percent(done, total));
        Self {
            what: progress.phase.word(),
            counts,
            percent: percent.map(|percent| match form {
                Form::Short => format!("{percent}%"),
                Form::Spoken => format!("{percent} percent"),
            }),
            not_read: (progress.failed > 0).then(|| format!("{} not read", grouped(progress.failed))),
            requests: (progress.requests > 0).then(|| counted(progress.requests, "request")),
            rate: rate(progress.rate),
            left: progress.left.map(|range| left(range, form)),
            waiting: progress.waiting.as_ref().map(|why| match progress.phase {
                Phase::Watching => why.clone(),
                _ => format!("waiting: {why}"),
            }),
        }
    }

    /// The parts that are worth reading aloud: `reading tags and feeds, 20 of 61, 32 percent`.
    pub(crate) fn sentence(progress: &Progress) -> String {
        let gauge = Self::of(progress, Form::Spoken);
        let parts = [gauge.counts, gauge.percent, gauge.not_read, gauge.left, gauge.waiting];
        let parts = parts.into_iter().flatten();
        std::iter::once(gauge.what.to_owned()).chain(parts).collect::<Vec<_>>().join(", ")
    }
}

/// The remaining time, as a range.
pub(crate) fn left(range: (Duration, Duration), form: Form) -> String {
    format!("{} left", between(range, form))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::ability::NextStep;
    use crate::jobs::data::Gate;
    use crate::registry::Address;
    use crate::rules::Depth;

    /// The sentence names the host and the next step once each.
    #[test]
    fn an_unreachable_host_is_reported_with_the_next_step() {
        let failure = |kind| {
            Failure::new(kind, "reading upstream")
                .cause("github.com cannot be reached: the host's name was not found")
                .hint("Check the network.")
        };
        let one = Scope::Addresses(vec![Address::provider("acme", "rocket")]);
        for (scope, key) in [(one, "r"), (Scope::Everything, "R")] {
            let plan = SurveyPlan::new(scope, Depth::Versions, Duration::ZERO, Gate::Tags);
            let told = unreachable(&plan, &failure(FailureKind::Network)).unwrap();
            let keys =
                |step: &NextStep| Some(if step.ability == Ability::Survey { "r" } else { "R" }.to_owned());
            assert_eq!(
                told.text_with(keys),
                format!("github.com cannot be reached: the host's name was not found; {key} tries again")
            );
            assert_eq!(unreachable(&plan, &failure(FailureKind::Data)), None);
        }
    }
}
