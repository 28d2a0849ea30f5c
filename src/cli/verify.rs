//! `verify`: what is stored against what upstream serves today. Always acts as with `--check`; changes nothing but its report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::selection::{apart, chosen, parse_filter};
use crate::cli::values::{size, target, workers};
use crate::desk::folding::fold;
use crate::desk::intent::Intent;
use crate::desk::naming;
use crate::desk::objects::TargetObject;
use crate::desk::telling::markdown;
use crate::desk::telling::verification::{faults, not_indexed, steps};
use crate::jobs::data::{Failure, FailureKind, JobEvent, Outcome, VerifyNews, VerifyPlan, WORKERS, Wanted};
use crate::print::exit::Exit;
use crate::print::output::Output;
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::{Address, Catalog};
use crate::rules::amount::counted;
use crate::rules::verify::{Row, Tally, Zip};

/// Compare what is stored with what upstream serves today: checksums, archives, h1, signatures. Exits 1 if anything differs.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk verify newrelic/newrelic@3.70.1\n  \
    bumpdesk verify coralogix/coralogix --targets linux_amd64,darwin_arm64 --report coralogix.jsonl\n  \
    bumpdesk verify coralogix/coralogix@3.14.1 --markdown\n  \
    bumpdesk verify --filter 'ns:hashicorp status:drifted' --no-download\n\n\
    Archives are hashed while they arrive and are not kept. The report grows as targets finish; after a kill or Ctrl-C the same command continues it and downloads no finished target \
    again. Exits 1 if something differs or is gone, 5 if \
    something could not be read.")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct VerifyArgs {
    /// The providers, or single versions of them.
    #[arg(value_name = "ADDRESS[@VERSION]", required_unless_present = "filter", conflicts_with = "filter")]
    addresses: Vec<String>,
    /// All versions of the providers that match; the terms are those of `list`.
    #[arg(long, value_name = "Q")]
    filter: Option<String>,
    /// Only these targets, such as linux_amd64. Repeatable, or separated by commas.
    #[arg(long, value_name = "OS_ARCH", value_delimiter = ',', value_parser = target)]
    targets: Vec<String>,
    /// Where to write the report; by default in the state folder, under a name made from what is asked.
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Downloads at once; fewer after GitHub asked to slow down.
    #[arg(long, value_name = "N", default_value_t = WORKERS, value_parser = workers)]
    jobs: usize,
    /// Leave out archives of this size and larger, as the registry does.
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size)]
    max_size: u64,
    /// Compare only checksums, digests and signatures.
    #[arg(long)]
    no_download: bool,
    /// Stop at the first bad target.
    #[arg(long)]
    stop_at_bad: bool,
    /// Show each target separately, even where others of its version have the same result. JSON and report always do.
    #[arg(long)]
    each: bool,
    /// Print the report as Markdown for an issue or a comment, and nothing else.
    #[arg(long, conflicts_with = "each")]
    markdown: bool,
}

impl Run for VerifyArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let wanted = self.wanted(runner).await?;
        let what = Wanted::summary(&wanted);
        let intent = self.intent(wanted);
        let mut results = Results::default();
        let outcome = runner
            .act("asking what to verify", &intent, &mut |output, event| {
                if let JobEvent::Verify(news) = event {
                    results.take(output, news);
                }
            })
            .await;
        let rows: Vec<Arc<Row>> = results.rows.values().cloned().collect();
        if self.markdown && !runner.output.json {
            runner.output.exact(&markdown::verification(&what, &fold(&rows)));
        } else if !runner.output.json {
            let ui = runner.output.ui.clone();
            runner.output.lines(&text::verified(&ui, &rows, self.each));
            runner.output.flush();
            if let Some(report) = &results.report {
                runner.output.note(&format!("bumpdesk: the report is in {report}"));
            }
            let open = || rows.iter().filter(|row| row.state().is_bad() || row.has_unread_tag());
            let open = || open().map(|row| (row.as_ref(), 1));
            if let Some(faults) = faults(open()) {
                runner.output.note(&format!("bumpdesk: {faults}"));
            }
            let steps = [steps(open()), not_indexed(rows.iter().map(AsRef::as_ref))];
            for step in steps.into_iter().flatten() {
                runner.output.note(&format!("bumpdesk: next: {step}"));
            }
        }
        let end = results.end();
        let found = matches!(&outcome, Ok(Outcome::Done(summary)) if summary.findings > 0);
        Ok(runner.finish(outcome, found, &end))
    }
}

impl VerifyArgs {
    pub(super) fn intent(&self, wanted: Vec<Wanted>) -> Intent {
        let plan = VerifyPlan {
            targets: self.targets.clone(),
            workers: self.jobs,
            limit_bytes: self.max_size,
            downloads: !self.no_download,
            report: self.report.clone(),
            stops_at_bad: self.stop_at_bad,
            ..VerifyPlan::new(wanted)
        };
        Intent::Verify { plan, stored: None, hidden: 0 }
    }

    async fn wanted(&self, runner: &mut Runner<'_>) -> Result<Vec<Wanted>, Exit> {
        let loaded = match &self.filter {
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
        self.named(&loaded.catalog).map_err(|failure| runner.fail(failure))
    }

    /// The entries that the words name in the registry.
    pub(super) fn named(&self, catalog: &Catalog) -> Result<Vec<Wanted>, Failure> {
        let one = |word: &String| {
            let (address, version) = apart(word)?;
            let address = naming::address(address, catalog)?;
            Ok(Wanted { address, version: version.map(str::to_owned) })
        };
        self.addresses.iter().map(one).collect()
    }
}

/// The events of the job about its rows.
#[derive(Default)]
struct Results {
    /// Rows of which nothing more comes, by their place.
    rows: BTreeMap<usize, Arc<Row>>,
    report: Option<String>,
    kept: usize,
}

impl Results {
    fn take(&mut self, output: &mut Output<'_>, news: VerifyNews) {
        match news {
            VerifyNews::Begun { report, kept, .. } => {
                tell_kept(output, kept, &report);
                self.report = Some(report);
                self.kept = kept;
            }
            // The archive is the last that is asked of a row.
            VerifyNews::Row(place, row) if row.zip != Zip::NotDone => {
                if output.json && self.rows.get(&place) != Some(&row) {
                    output.object("target", &TargetObject::new(&row));
                }
                self.rows.insert(place, row);
            }
            VerifyNews::Row(..) | VerifyNews::Active(..) | VerifyNews::Meter(_) => {}
        }
    }

    fn end(&self) -> Verified<'_> {
        Verified {
            report: self.report.as_deref(),
            kept: self.kept,
            tally: Tally::of(self.rows.values().map(Arc::as_ref)),
        }
    }
}

/// Says what is not downloaded again.
pub(crate) fn tell_kept(output: &mut Output<'_>, kept: usize, report: &str) {
    if kept > 0 && !output.json {
        let archives = counted(kept, "archive");
        output.note(&format!("bumpdesk: reused from an earlier run: {archives}, in the report {report}"));
    }
}

fn nothing(filter: &str) -> Failure {
    Failure::new(FailureKind::Usage, "asking what to verify")
        .cause(format!("no provider matches `{filter}`"))
        .hint("Run `bumpdesk list --filter Q` to see what a filter takes.")
}

/// Further fields of the outcome.
#[derive(Serialize)]
struct Verified<'a> {
    /// The path of the report; null if the run ended before there was one.
    report: Option<&'a str>,
    /// Archives that an earlier run of the same question had hashed.
    kept: usize,
    tally: Tally,
}
