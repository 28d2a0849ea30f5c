//! The progress of a job, on standard error: one rewritten line on a terminal, or with `--plain` a line every ten seconds or
//! ten percent. It prints nothing elsewhere.

use crate::boot::Ui;
use crate::desk::telling::job::Gauge;
use crate::jobs::data::Progress;
use crate::print::output::Output;
use crate::rules::amount::{Form, percent};

/// Shows progress the way that the surroundings ask for.
#[derive(Debug)]
pub(crate) struct Meter {
    way: Way,
    steps: Steps,
}

/// Progress in lines: one every ten percent, and one when ten seconds brought less.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    latest: Option<Progress>,
    /// The tenth that was told last, of the phase that was told last.
    last: Option<(crate::jobs::data::Phase, u64)>,
}

impl Steps {
    /// Takes the news; gives them back if they are worth a line.
    pub(crate) fn on(&mut self, progress: Progress) -> Option<Progress> {
        let step = (progress.phase, percent(progress.done, progress.total) / 10);
        if self.last == Some(step) {
            self.latest = Some(progress);
            return None;
        }
        self.last = Some(step);
        self.latest = None;
        Some(progress)
    }

    /// Takes the news for the next ten seconds' line alone.
    pub(crate) fn keep(&mut self, progress: Progress) {
        self.latest = Some(progress);
    }

    /// Ten seconds have gone by.
    pub(crate) fn tick(&mut self) -> Option<Progress> {
        self.latest.take()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Silent,
    Standing,
    Steps,
}

/// Columns of a terminal that does not tell. A standing line that wraps could not be rewritten.
const COLUMNS: usize = 80;

impl Meter {
    pub(crate) fn new(ui: &Ui, stderr_is_terminal: bool) -> Self {
        let way = match (ui.plain, stderr_is_terminal) {
            (true, _) => Way::Steps,
            (false, true) => Way::Standing,
            (false, false) => Way::Silent,
        };
        Self { way, steps: Steps::default() }
    }

    /// Takes the news and shows them if it is time.
    pub(crate) fn on(&mut self, progress: Progress, output: &mut Output<'_>) {
        match self.way {
            Way::Silent => {}
            Way::Standing => {
                let columns = output.columns.unwrap_or(COLUMNS).saturating_sub(1);
                let text: String = text(&progress).chars().take(columns).collect();
                output.stand(&text);
            }
            Way::Steps => {
                if let Some(progress) = self.steps.on(progress) {
                    output.note(&format!("now: {}", Gauge::sentence(&progress)));
                }
            }
        }
    }

    /// Ten seconds have gone by.
    pub(crate) fn tick(&mut self, output: &mut Output<'_>) {
        if let Some(progress) = self.steps.tick() {
            output.note(&format!("now: {}", Gauge::sentence(&progress)));
        }
    }
}

/// All of it in one line.
fn text(progress: &Progress) -> String {
    let gauge = Gauge::of(progress, Form::Short);
    let head = [Some(gauge.what.to_owned()), gauge.counts, gauge.percent];
    let head = head.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts = [gauge.not_read, gauge.requests, gauge.rate, gauge.left, gauge.waiting];
    std::iter::once(head).chain(parts.into_iter().flatten()).collect::<Vec<_>>().join("  ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::boot::Environment;
    use crate::jobs::data::Phase;

    fn at(done: u64) -> Progress {
        Progress {
            phase: Phase::Tags,
            done,
            total: 2_000,
            failed: 0,
            requests: 0,
            rate: 0.0,
            left: None,
            waiting: None,
        }
    }

    fn shown(plain: bool, terminal: bool, steps: &[u64]) -> String {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let ui = Ui { plain, ..crate::print::output::tests::ui() };
        let mut output = Output::new(&mut out, &mut err, &Environment::made_up("/", &[]), ui.clone(), false);
        let mut meter = Meter::new(&ui, terminal);
        for done in steps {
            meter.on(at(*done), &mut output);
        }
        meter.tick(&mut output);
        meter.tick(&mut output);
        assert!(out.is_empty());
        String::from_utf8(err).unwrap()
    }

    #[test]
    fn progress_is_printed_for_each_kind_of_output() {
        assert_eq!(shown(false, false, &[1, 2]), "");
        assert_eq!(
            shown(false, true, &[1, 1_999]),
            "\rreading tags and feeds 1/2,000 0%\rreading tags and feeds 1,999/2,000 99%"
        );
        assert_eq!(
            shown(true, true, &[1, 2, 199, 200, 201, 399]),
            "now: reading tags and feeds, 1 of 2,000, 0 percent\n\
             now: reading tags and feeds, 200 of 2,000, 10 percent\n\
             now: reading tags and feeds, 399 of 2,000, 19 percent\n"
        );
    }

    #[test]
    fn figures_have_units() {
        let progress = Progress {
            failed: 3,
            requests: 1_234,
            rate: 58.94,
            left: Some((Duration::from_mins(6), Duration::from_mins(8))),
            waiting: Some("git requests wait 58 s, as GitHub asked".into()),
            ..at(50)
        };
        assert_eq!(
            text(&progress),
            "reading tags and feeds 50/2,000 2%  3 not read  1,234 requests  58.9/s  6m-8m left  waiting: git requests wait 58 s, as GitHub asked"
        );
    }
}
