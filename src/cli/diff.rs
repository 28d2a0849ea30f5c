//! `diff`: the proposed rebuild of entries.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::cli::Run;
use crate::cli::console::Console;
use crate::cli::selection::{entries, open_each};
use crate::cli::values::{length, mode};
use crate::desk::intent::Intent;
use crate::desk::objects::EntryObject;
use crate::desk::telling::planned;
use crate::jobs::data::{OpenPlan, Opened, Outcome};
use crate::print::exit::Exit;
use crate::print::output::{Line, Output};
use crate::print::runner::Runner;
use crate::print::text;
use crate::registry::Address;
use crate::rules::diff::{CONTEXT_LINES, FieldChange, Normalises, VersionChange};
use crate::rules::plain_text::is_hidden;
use crate::rules::{Because, Class, Depth, Finding, Mode, Proposal, Status, Verdict};

/// Build the proposed rebuild of entries and show how the data files would change. Writes nothing.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  bumpdesk diff newrelic/newrelic\n  \
    bumpdesk diff newrelic/newrelic --patch > newrelic.patch\n  \
    bumpdesk diff coralogix/coralogix --mode refresh=3.14.1 --json\n\n\
    With --check it exits 1 if any file would change.")]
pub(crate) struct DiffArgs {
    /// The entries: addresses, or URLs on GitHub or in the registry.
    #[arg(value_name = "ADDRESS", required = true)]
    pub(super) addresses: Vec<String>,
    /// add: missing versions, as production does; scratch: everything again; refresh=V,V: these versions again.
    #[arg(long, value_name = "MODE", default_value = "add", value_parser = mode)]
    pub(super) mode: Mode,
    /// Print every changed line, as a patch that `git apply` takes.
    #[arg(long)]
    patch: bool,
    /// Reuse answers younger than this instead of asking again.
    #[arg(long, value_name = "AGE", default_value = "15m", value_parser = length)]
    max_age: Duration,
    /// Exit 1 if any file would change.
    #[arg(long)]
    check: bool,
}

impl Run for DiffArgs {
    fn asks_upstream(&self) -> bool {
        true
    }

    async fn run(&self, runner: &mut Runner<'_>, _: Console) -> Result<Exit, Exit> {
        let addresses = entries(runner, &self.addresses).await?;
        let intents = addresses.into_iter().map(|address| self.intent(address)).collect();
        let mut changes = false;
        let sum = open_each(runner, "building a rebuild", intents, &mut |output, opened| {
            changes |= tell_proposal(output, opened, self.patch);
        })
        .await?;
        let outcome = Outcome::Done(sum);
        match Exit::of_outcome(&outcome, self.check && changes) {
            // A proposal was made, although some of upstream could not be read: the work is done in part.
            Exit::Upstream if changes => Ok(runner.finish_as(Exit::Incomplete, &outcome, &())),
            exit => Ok(runner.finish_as(exit, &outcome, &())),
        }
    }
}

impl DiffArgs {
    pub(super) fn intent(&self, address: Address) -> Intent {
        Intent::Open(OpenPlan {
            address,
            rebuild: Some(self.mode.clone()),
            max_age: Some(self.max_age),
            depth: Depth::Versions,
            with_key: None,
        })
    }
}

/// Tells a proposal; true if the file would change.
fn tell_proposal(output: &mut Output<'_>, opened: &Opened, patch: bool) -> bool {
    let Some(proposal) = &opened.proposal else {
        let findings = opened.findings.iter().chain(&opened.verdict.findings);
        if output.json {
            output.object("entry", &EntryObject::new(opened));
        } else {
            output.line(&Line::of(format!(
                "{}  nothing is proposed: {}",
                opened.address, opened.verdict.because.text
            )));
            for finding in findings {
                output.line(&text::finding(Line::of("  "), finding));
            }
        }
        return false;
    };
    let lines = opened.lines.as_ref().filter(|_| patch);
    let text_patch = lines.map(|lines| lines.unified(&proposal.path, CONTEXT_LINES));
    let verdict = &opened.verdict;
    let changes = proposal.diff.class != Class::Noop;
    match (output.json, &text_patch) {
        (true, patch) => {
            output.object("proposal", &ProposalObject::new(proposal, verdict, patch.as_deref()));
        }
        (false, Some(patch)) => {
            if patch.is_empty() {
                let (word, why) = (verdict.word(), &verdict.because.text);
                let text = planned::blocked(proposal)
                    .unwrap_or_else(|| format!("the file would not change; {word}: {why}"));
                output.note(&format!("bumpdesk: {}: {text}", proposal.path));
            } else {
                tell_patch(output, &proposal.path, patch);
            }
            for finding in proposal.findings.iter().filter(|finding| finding.leaves_unknown().is_some()) {
                let version =
                    finding.version.as_ref().map(|version| format!("{version}: ")).unwrap_or_default();
                output.note(&format!("bumpdesk: {}: {version}{}", proposal.path, finding.text));
            }
        }
        (false, None) => {
            let ui = output.ui.clone();
            output.lines(&text::proposal(&ui, proposal, verdict));
            if let Some(lines) = opened.lines.as_ref().filter(|_| changes) {
                output.lines(&text::structure(&ui, lines));
            }
        }
    }
    changes
}

/// Prints the patch, to the byte. Characters that a terminal would obey, or that are invisible, are named beside it.
pub(super) fn tell_patch(output: &mut Output<'_>, path: &str, text: &str) {
    output.exact(text);
    let odd: BTreeSet<char> = text.lines().flat_map(str::chars).filter(|c| is_hidden(*c)).collect();
    if !odd.is_empty() && !output.to_terminal {
        let odd: Vec<String> = odd.into_iter().take(5).map(|c| format!("U+{:04X}", u32::from(c))).collect();
        output.note(&format!(
            "bumpdesk: the patch of {path} holds characters that hide or control text ({}), as they are; look at it in a terminal or with `plan show` before you use it",
            odd.join(", ")
        ));
    }
}

/// Type `proposal`.
#[derive(Serialize)]
pub(crate) struct ProposalObject<'a> {
    address: &'a Address,
    path: &'a str,
    /// The status that the proposal rests on: `noop` beside `unknown` says that it is not known.
    status: Status,
    because: &'a Because,
    /// The reason why a proposal without changes could not be made; null if nothing would change.
    blocked: Option<String>,
    mode: &'static str,
    class: Class,
    base_sha256: &'a str,
    sha256: &'a str,
    size_bytes: usize,
    versions: &'a [VersionChange],
    fields: &'a [FieldChange],
    normalises: Normalises,
    unchanged_versions: u32,
    findings: &'a [Finding],
    #[serde(skip_serializing_if = "Option::is_none")]
    patch: Option<&'a str>,
}

impl<'a> ProposalObject<'a> {
    pub(crate) fn new(proposal: &'a Proposal, verdict: &'a Verdict, patch: Option<&'a str>) -> Self {
        Self {
            address: &proposal.address,
            path: &proposal.path,
            status: verdict.status,
            because: &verdict.because,
            blocked: planned::blocked(proposal),
            mode: proposal.mode.name(),
            class: proposal.diff.class,
            base_sha256: &proposal.base_digest,
            sha256: &proposal.digest,
            size_bytes: proposal.bytes.len(),
            versions: &proposal.diff.versions,
            fields: &proposal.diff.fields,
            normalises: proposal.diff.normalises,
            unchanged_versions: proposal.diff.unchanged_versions,
            findings: &proposal.findings,
            patch,
        }
    }
}
