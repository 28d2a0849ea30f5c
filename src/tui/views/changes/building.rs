//! The message at the end of a build of the plan.

use crate::desk::ability::Ability;
use crate::jobs::data::{Outcome, Summary};
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::tui::keymap::next_step;
use crate::tui::views::ActionContext;
use crate::tui::widgets::message::Tone;
use crate::tui::widgets::story;

/// Reports how a build of the plan ended, or of some of its files.
pub(super) fn report_build(context: &mut ActionContext<'_>, outcome: &Outcome) {
    let wanted = std::mem::take(&mut context.desk.planning.pending.wanted);
    match outcome {
        Outcome::Failed(failure) => context.fail(failure),
        Outcome::Cancelled(summary) => {
            context.report(Tone::Warning, format!("building stopped; {} done", files(summary.applied)));
        }
        Outcome::Done(summary) => {
            let text = built(context, &wanted, summary);
            let tone = if summary.gaps() > 0 { Tone::Warning } else { Tone::Notice };
            context.report(tone, text);
        }
    }
}

fn files(count: u64) -> String {
    counted(count, "file")
}

/// `auth0/auth0 is in the plan: ADDITIVE, 1 version to look at; 2 shows it`.
fn built(context: &ActionContext<'_>, wanted: &[Address], summary: &Summary) -> String {
    let key = context.paint.key(next_step::SHOW_CHANGES);
    let failed = match summary.gaps() {
        0 => String::new(),
        count => format!("; {} could not be built", counted(count, "entry")),
    };
    let plan = context.desk.planning.plan.as_ref();
    if let ([one], Some(plan)) = (wanted, plan) {
        return match plan.find(one) {
            Some(file) => {
                let out = context.paint.key(Ability::DropFile);
                let (class, next) = (file.class.word(), story::in_keys(&context.paint, &file.next_step()));
                format!("{one} is in the plan: {class}, {next}; {key} shows it, and {out} there takes it out")
            }
            None if summary.failed > 0 => {
                let build = context.paint.key(Ability::Build);
                format!("{one} was not added: its rebuild could not be built; {build} says why")
            }
            None if summary.broken > 0 => {
                let broken = context.desk.list.verdict_of(one).filter(|verdict| verdict.has_broken_file());
                let why = broken.map_or("its data file cannot be read", |verdict| &verdict.because.text);
                format!("{one} was not added: {why}; what would change is not known")
            }
            None => format!("{one} was not added: there is nothing to change"),
        };
    }
    let in_plan =
        wanted.iter().filter(|address| plan.is_some_and(|plan| plan.find(address).is_some())).count();
    let all = plan.map_or(0, |plan| plan.files.len());
    if wanted.is_empty() {
        return format!("the plan was built again: {}{failed}", files(all as u64));
    }
    let without = match (wanted.len() - in_plan).saturating_sub(summary.failed as usize) {
        0 => String::new(),
        without => format!(" ({without} had nothing to add)"),
    };
    format!(
        "added {in_plan} of {}{without}; the plan has {}{failed}; {key} opens it",
        wanted.len(),
        files(all as u64)
    )
}
