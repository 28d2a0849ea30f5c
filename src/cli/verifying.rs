//! `verify`: what is stored against what upstream serves today. Always acts as with `--check`; changes nothing but its report.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cli::args::verify::VerifyArgs;
use crate::cli::looking::parse_filter;
use crate::cli::views::chosen;
use crate::cli::wire;
use crate::desk::naming;
use crate::jobs::{Failure, FailureKind, Job, JobEvent, Outcome, VerifyNews, VerifyPlan, Wanted};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::Address;
use crate::rules::amount::counted;
use crate::rules::verify::{Row, Tally, Zip};

/// `bumpdesk verify`.
pub(crate) async fn verify(runner: &mut Runner<'_>, args: &VerifyArgs) -> Exit {
    let wanted = match wanted(runner, args).await {
        Ok(wanted) => wanted,
        Err(exit) => return exit,
    };
    let plan = VerifyPlan {
        targets: args.targets.clone(),
        workers: args.jobs,
        limit_bytes: args.max_size,
        downloads: !args.no_download,
        report: args.report.clone(),
        stops_at_bad: args.stop_at_bad,
        ..VerifyPlan::new(wanted)
    };
    let mut heard = Heard::default();
    let outcome = runner
        .run(Job::Verify(plan), &mut |output, event| {
            if let JobEvent::Verify(news) = event {
                heard.hear(output, news);
            }
        })
        .await;
    if !runner.output.json {
        let ui = runner.output.ui.clone();
        let rows: Vec<&Row> = heard.over.values().map(Arc::as_ref).collect();
        runner.output.lines(&text::verified(&ui, &rows));
        runner.output.flush();
        if let Some(report) = &heard.report {
            runner.output.talk(&format!("bumpdesk: the report is in {report}"));
        }
    }
    let end = heard.end();
    let found = matches!(&outcome, Ok(Outcome::Done(summary)) if summary.findings > 0);
    runner.finish(outcome, found, &end)
}

/// What the job said of its rows.
#[derive(Default)]
struct Heard {
    /// Rows of which nothing more comes, by their place.
    over: BTreeMap<usize, Arc<Row>>,
    report: Option<String>,
    kept: usize,
}

impl Heard {
    fn hear(&mut self, output: &mut Output<'_>, news: VerifyNews) {
        match news {
            VerifyNews::Begun { report, kept, .. } => {
                tell_kept(output, kept, &report);
                self.report = Some(report);
                self.kept = kept;
            }
            // The archive is the last that is asked of a row.
            VerifyNews::Row(place, row) if row.zip != Zip::NotDone => {
                if output.json && self.over.get(&place) != Some(&row) {
                    output.object("target", &wire::TargetLine::new(&row));
                }
                self.over.insert(place, row);
            }
            VerifyNews::Row(..) | VerifyNews::Active(..) | VerifyNews::Meter(_) => {}
        }
    }

    fn end(&self) -> wire::Verified<'_> {
        wire::Verified {
            report: self.report.as_deref(),
            kept: self.kept,
            tally: Tally::of(self.over.values().map(Arc::as_ref)),
        }
    }
}

/// Says what is not downloaded again.
pub(crate) fn tell_kept(output: &mut Output<'_>, kept: usize, report: &str) {
    if kept > 0 && !output.json {
        let archives = counted(kept, "archive");
        output.talk(&format!("bumpdesk: {archives} of an earlier run count, from the report {report}"));
    }
}

async fn wanted(runner: &mut Runner<'_>, args: &VerifyArgs) -> Result<Vec<Wanted>, Exit> {
    let loaded = match &args.filter {
        None => runner.load().await?,
        Some(text) => {
            let filter = parse_filter(text).map_err(|failure| runner.fail(failure))?;
            let loaded = runner.load().await?;
            let chosen = chosen(runner, &loaded, &filter).await?;
            let rows = loaded.catalog.rows.iter().zip(chosen).filter(|(_, chosen)| *chosen);
            // Modules have nothing to verify.
            let providers = rows.filter(|(row, _)| matches!(row.address, Address::Provider(_)));
            let wanted = providers.map(|(row, _)| Wanted { address: row.address.clone(), version: None });
            let wanted: Vec<Wanted> = wanted.collect();
            return if wanted.is_empty() { Err(runner.fail(nothing(text))) } else { Ok(wanted) };
        }
    };
    let one = |word: &String| {
        let (address, version) = apart(word)?;
        let address = naming::address(address, &loaded.catalog)?;
        Ok(Wanted { address, version: version.map(str::to_owned) })
    };
    args.addresses.iter().map(one).collect::<Result<_, Failure>>().map_err(|failure| runner.fail(failure))
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

fn nothing(filter: &str) -> Failure {
    Failure::new(FailureKind::Usage, "asking what to verify")
        .cause(format!("no provider matches `{filter}`"))
        .hint("Run `bumpdesk list --filter Q` to see what a filter takes.")
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
