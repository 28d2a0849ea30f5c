//! `triage`: why a version is not available, for one line of any form, or for a list of lines.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::desk::intent::Intent;
use crate::desk::objects::TriageObject;
use crate::desk::telling::triage::markdown;
use crate::jobs::data::{Failure, FailureKind, JobEvent, Outcome, TriageAnswer, TriageList, TriagePlan};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::rules::plain_text::visible;
use crate::rules::triage::{Rung, Triage};

/// Characters of a line that is not understood.
const SHOWN: usize = 60;

/// Answer why a version is not available: the steps of PROCEDURES.md in their order, the first cause, and what to do.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk triage newrelic/newrelic@3.70.1\n  bumpdesk triage terraform-aws-modules/vpc/aws\n  \
    bumpdesk triage https://github.com/newrelic/terraform-provider-newrelic/releases/tag/v3.70.1\n  \
    bumpdesk triage https://github.com/opentofu/registry/issues/5550\n  bumpdesk triage newrelic/newrelic@3.70.1 --markdown\n  \
    bumpdesk triage --from addresses.txt --json\n\n\
    An address may be typed in any case, with or without its version, or as the URL of a repository, of a release, of a page of the\n\
    registry or of its search, or of an issue of the registry, whose text then names what is looked up. In a list empty lines and\n\
    what follows a `#` and a blank are left out; what stands in it twice is asked once.\n\n\
    It exits 2 if a line is not an address, 5 if something could not be read, and 0 otherwise, whatever the answers are."
)]
pub(crate) struct TriageArgs {
    /// What is asked about: namespace/name, namespace/name/target, each with @VERSION or without, a URL, or #NUMBER of an issue.
    #[arg(value_name = "ADDRESS", required_unless_present = "from")]
    addresses: Vec<String>,
    /// Read more of them from a file, one a line; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Print the answer as Markdown for an issue or a comment, and nothing else.
    #[arg(long, conflicts_with = "from")]
    markdown: bool,
}

impl Run for TriageArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let now = runner.settings.clock.now();
        let intent = self.intent();
        let is_list = self.from.is_some() || self.addresses.len() > 1;
        let (mut wrong, mut count, mut incomplete) = (None, 0u64, false);
        let outcome = runner
            .act("looking up what is asked", &intent, &mut |output, event| {
                let JobEvent::Triaged(triaged) = event else { return };
                match &triaged.answer {
                    TriageAnswer::First(triage) if output.json => {
                        output.object("triage-first", &TriageObject::new(triage));
                    }
                    TriageAnswer::First(triage) => tell_first(output, triage, self.markdown),
                    TriageAnswer::Whole(triage) => {
                        count += 1;
                        incomplete |= triage.is_incomplete();
                        if output.json {
                            output.object("triage", &TriageObject::new(triage));
                        } else if self.markdown {
                            output.exact(&markdown(triage, now));
                        } else if is_list {
                            output.line(&text::listed_triage(&output.ui.clone(), triage));
                        } else {
                            output.lines(&text::triaged(&output.ui.clone(), triage, now));
                        }
                    }
                    TriageAnswer::NotUnderstood { typed, why } | TriageAnswer::Unread { typed, why } => {
                        let is_wrong = matches!(triaged.answer, TriageAnswer::NotUnderstood { .. });
                        if output.json {
                            output.object("triage-failed", &Refused { typed, why, understood: !is_wrong });
                        } else if is_list {
                            output.line(&Line::of(format!("? {}: {why}", shown(typed))).hanging(2));
                        }
                        if is_wrong || !is_list {
                            wrong.get_or_insert((is_wrong, why.clone()));
                        }
                    }
                }
            })
            .await;
        match (wrong, &outcome) {
            // One line that cannot be looked up is all that was asked.
            (Some((is_wrong, why)), Ok(Outcome::Done(_))) if !is_list && count == 0 => {
                let kind = if is_wrong { FailureKind::Usage } else { FailureKind::Network };
                let failure = Failure::new(kind, "looking up what is asked").cause(why);
                Ok(runner.fail(failure))
            }
            (Some((true, _)), Ok(done @ Outcome::Done(_))) => {
                let exit = Exit::of_outcome(done, false).or_graver(Exit::Usage);
                Ok(runner.finish_as(exit, done, &()))
            }
            // A step that could not be read is not known, whatever the other steps say.
            (_, Ok(done @ Outcome::Done(_))) if incomplete => {
                let exit = Exit::of_outcome(done, false).or_graver(Exit::Incomplete);
                Ok(runner.finish_as(exit, done, &()))
            }
            _ => Ok(runner.finish(outcome, false, &())),
        }
    }
}

impl TriageArgs {
    pub(super) fn intent(&self) -> Intent {
        let list = self.from.as_ref().map(|path| match path {
            path if path == Path::new("-") => TriageList::Input,
            path => TriageList::File(path.clone()),
        });
        Intent::Triage(TriagePlan { lines: self.addresses.clone(), list })
    }
}

/// Prints the steps that the registry's files give, while the rest is read. It goes to standard error, since the whole answer
/// repeats it.
fn tell_first(output: &mut Output<'_>, triage: &Triage, is_quiet: bool) {
    let steps = triage.steps.iter().filter(|step| step.rung == Rung::Dataset);
    for step in steps.filter(|_| !is_quiet) {
        output.note(&format!(
            "bumpdesk: {}: {}; upstream is being read",
            triage.subject(),
            visible(&step.evidence)
        ));
    }
}

/// Type `triage-failed`: a line that could not be looked up.
#[derive(Serialize)]
struct Refused<'a> {
    typed: &'a str,
    why: &'a str,
    /// False: it is not an address.
    understood: bool,
}

/// The beginning of a line, fit for a terminal.
fn shown(typed: &str) -> String {
    let short: String = typed.trim().chars().take(SHOWN).collect();
    visible(&short).into_owned()
}
