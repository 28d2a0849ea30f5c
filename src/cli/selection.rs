//! The entries that a command is about: words that name them, filters, and what the console remembers of them.
//!
//! The error of each is the command's exit, already told.

use crate::desk::intent::Intent;
use crate::desk::naming;
use crate::desk::telling::list::nothing;
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, Loaded, Opened, Outcome, Scope, Summary};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::{Runner, add};
use crate::print::text;
use crate::registry::Address;
use crate::rules::filter::{Field, Filter, Haystack};
use crate::rules::memory;
use crate::rules::memory::Memory;

/// Reads a filter from the command line.
pub(crate) fn parse_filter(text: &str) -> Result<Filter, Failure> {
    Filter::parse(text).map_err(|error| {
        Failure::new(FailureKind::Usage, "reading the filter")
            .cause(error.to_string())
            .hint("See the terms in `bumpdesk help filters`.")
    })
}

/// The scope that addresses give; `None` if there are none.
pub(crate) async fn scope(runner: &mut Runner<'_>, words: &[String]) -> Result<Option<Scope>, Exit> {
    if words.is_empty() {
        return Ok(None);
    }
    Ok(Some(Scope::Addresses(entries(runner, words).await?)))
}

/// The entries that words name in the registry.
pub(crate) async fn entries(runner: &mut Runner<'_>, words: &[String]) -> Result<Vec<Address>, Exit> {
    let loaded = runner.load().await?;
    naming::addresses(words, &loaded.catalog).map_err(|failure| runner.fail(failure))
}

/// Opens entries one after the other and tells each; what all of them came to. One broken file among several is that entry's
/// trouble: the others are still told.
pub(crate) async fn open_each(
    runner: &mut Runner<'_>,
    doing: &str,
    intents: Vec<Intent>,
    tell: &mut dyn FnMut(&mut Output<'_>, &Opened),
) -> Result<Summary, Exit> {
    let (mut sum, is_one) = (Summary::default(), intents.len() == 1);
    for intent in intents {
        let outcome = runner
            .act(doing, &intent, &mut |output, event| {
                if let JobEvent::Opened(opened) = event {
                    tell(output, &opened);
                }
            })
            .await;
        match outcome {
            Ok(Outcome::Done(summary)) => add(&mut sum, &summary),
            Ok(Outcome::Failed(failure)) if failure.kind == FailureKind::Data && !is_one => {
                text::tell_failure(&mut runner.output, &failure);
                add(&mut sum, &Summary { entries: 1, broken: 1, ..Summary::default() });
            }
            ended => return Err(runner.finish(ended, false, &())),
        }
    }
    Ok(sum)
}

/// `acme/rocket@1.2.0`: the address, and the version if there is one.
pub(crate) fn apart(word: &str) -> Result<(&str, Option<&str>), Failure> {
    match word.split_once('@') {
        None => Ok((word, None)),
        Some((address, version)) if !version.trim().is_empty() => Ok((address, Some(version))),
        Some(_) => Err(Failure::new(FailureKind::Usage, format!("looking for `{word}`"))
            .cause("there is no version after the `@`")
            .hint("Write ADDRESS@VERSION for one version, or ADDRESS alone for all of them.")),
    }
}

/// Reads what the console kept.
pub(crate) async fn recall(runner: &mut Runner<'_>) -> Result<Memory, Exit> {
    let mut memory = Memory::new();
    let outcome = runner
        .run(Job::Recall, &mut |_, event| {
            if let JobEvent::Recalled(kept) = event {
                memory = kept;
            }
        })
        .await;
    match outcome {
        Ok(Outcome::Done(_)) => Ok(memory),
        outcome => Err(runner.finish(outcome, false, &())),
    }
}

/// One boolean for each row: true if the filter lets it through. Prints the reason if it lets none through. Marks and the
/// last look are those of the console.
pub(crate) async fn chosen(
    runner: &mut Runner<'_>,
    loaded: &Loaded,
    filter: &Filter,
) -> Result<Vec<bool>, Exit> {
    let memory = if filter.asks_for_memory() { recall(runner).await? } else { Memory::new() };
    let (marks, look) = (memory::marks(&memory), memory::look(&memory));
    let rows = loaded.catalog.rows.iter().zip(&loaded.verdicts);
    let new: Vec<bool> = match &look {
        Some(look) => {
            rows.map(|(row, verdict)| verdict.needs_attention() && !look.has(&row.address)).collect()
        }
        None => Vec::new(),
    };
    let marked: Vec<bool> = loaded.catalog.rows.iter().map(|row| marks.contains(&row.address)).collect();
    let field = Field {
        rows: &loaded.catalog.rows,
        verdicts: &loaded.verdicts,
        haystack: &Haystack::new(&loaded.catalog),
        marked: &marked,
        new: &new,
        now: runner.settings.clock.now(),
    };
    let chosen = filter.select(&field);
    if !chosen.contains(&true) && !filter.is_empty() {
        for why in nothing(&filter.dead_terms(&field)) {
            runner.output.note(&format!("bumpdesk: {why}"));
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_may_follow_the_address() {
        assert_eq!(apart("acme/rocket").unwrap(), ("acme/rocket", None));
        assert_eq!(apart("acme/rocket@v1.2.0").unwrap(), ("acme/rocket", Some("v1.2.0")));
        for word in ["acme/rocket@", "@ "] {
            assert_eq!(apart(word).unwrap_err().kind, FailureKind::Usage, "{word}");
        }
    }
}
