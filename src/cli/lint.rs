//! `lint`: the data files themselves, without network.

use std::collections::BTreeMap;

use clap::Args;

use crate::cli::console::Console;
use crate::cli::selection::scope;
use crate::cli::{Run, wire};
use crate::jobs::data::{Failure, FailureKind, Job, JobEvent, LintPlan, Scope};
use crate::print::exit::Exit;
use crate::print::runner::Runner;
use crate::rules::spelling::nearest;
use crate::rules::{amount, lint};

/// Check the data files themselves, without network. Exits 1 if there are findings.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  bumpdesk lint\n  bumpdesk lint --rule bytes\n  bumpdesk lint hashicorp/aws --json"
)]
pub(crate) struct LintArgs {
    /// Only these entries.
    #[arg(value_name = "ADDRESS")]
    addresses: Vec<String>,
    /// Only these rules. Repeatable, or separated by commas.
    #[arg(long = "rule", value_name = "RULE", value_delimiter = ',')]
    rules: Vec<String>,
}

impl Run for LintArgs {
    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        if let Some(rule) = self.rules.iter().find(|rule| !lint::RULES.contains(&rule.as_str())) {
            return Err(runner.fail(unknown(rule)));
        }
        let scope = scope(runner, &self.addresses).await?.unwrap_or(Scope::Everything);
        let mut rules: BTreeMap<String, u64> = BTreeMap::new();
        let plan = LintPlan { scope, rules: self.rules.clone() };
        let outcome = runner
            .run(Job::Lint(plan), &mut |output, event| {
                let JobEvent::Found(path, finding) = event else { return };
                *rules.entry(finding.rule.to_string()).or_default() += 1;
                wire::tell_finding(output, &path, &finding);
            })
            .await;
        if !rules.is_empty() && !runner.output.json && !runner.output.is_closed() {
            runner.output.note(&format!("bumpdesk: by rule: {}", rule_counts(&rules)));
        }
        let found = !rules.is_empty();
        Ok(runner.finish(outcome, found, &BTreeMap::from([("rules", rules)])))
    }
}

/// `bytes 4,012, odd-platform 3`: the rule with most findings first.
fn rule_counts(rules: &BTreeMap<String, u64>) -> String {
    let mut rules: Vec<(&String, &u64)> = rules.iter().collect();
    rules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let rules: Vec<String> =
        rules.into_iter().map(|(rule, count)| format!("{rule} {}", amount::grouped(*count))).collect();
    rules.join(", ")
}

fn unknown(rule: &str) -> Failure {
    let near = nearest(rule, lint::RULES).map(|near| format!("Write `{near}` instead."));
    Failure::new(FailureKind::Usage, "choosing the rules")
        .cause(format!("there is no rule `{rule}`"))
        .hint(near.unwrap_or_else(|| format!("Known rules: {}.", lint::RULES.join(", "))))
}
