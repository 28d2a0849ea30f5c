//! The question of a verification: the stored versions and targets, and the keys that speak for them, before any network.

use std::sync::Arc;

use crate::jobs::data::{Failure, FailureKind, Scope, VerifyPlan};
use crate::jobs::session::Session;
use crate::registry::version::trim_v;
use crate::registry::{Address, Kind, ProviderVersion, Target};
use crate::rules::Keys;
use crate::rules::client::{Refusal, refusal};
use crate::rules::verify::{Listed, Row, SignatureSays, Stored, Times, Zip};

/// One version that is asked about, and where its rows stand.
#[derive(Clone, Debug)]
pub(super) struct VersionToVerify {
    pub(super) address: Address,
    pub(super) stored: ProviderVersion,
    pub(super) keys: Arc<Keys>,
    /// Places in [`Question::rows`]; not of all its targets if only some were asked about.
    pub(super) rows: Vec<usize>,
    pub(super) is_whole: bool,
}

/// Everything that is asked.
#[derive(Debug, Default)]
pub(super) struct Question {
    pub(super) rows: Vec<Row>,
    pub(super) versions: Vec<VersionToVerify>,
}

impl Question {
    pub(super) fn ask(session: &Session, plan: &VerifyPlan) -> Result<Self, Failure> {
        let mut question = Self::default();
        let mut addresses: Vec<&Address> = plan.wanted.iter().map(|wanted| &wanted.address).collect();
        addresses.sort();
        addresses.dedup();
        for address in addresses {
            let wanted = plan.wanted.iter().filter(|wanted| wanted.address == *address);
            let wanted: Vec<Option<&str>> = wanted.map(|wanted| wanted.version.as_deref()).collect();
            question.add(session, plan, address, &wanted)?;
        }
        if question.rows.is_empty() {
            let text = if plan.targets.is_empty() {
                format!("what was named has no targets, so clients refuse it: {}", refusal::NO_TARGETS)
            } else {
                format!("no version has a target {}", plan.targets.join(" or "))
            };
            return Err(wrong(text, "Run `bumpdesk show ADDRESS` to see versions and targets."));
        }
        Ok(question)
    }

    fn add(
        &mut self,
        session: &Session,
        plan: &VerifyPlan,
        address: &Address,
        wanted: &[Option<&str>],
    ) -> Result<(), Failure> {
        // Whoever asks has been told so; a job trusts nobody.
        if address.kind() == Kind::Module {
            let text = format!("{address} is a module: it has no archives, checksums or signatures");
            return Err(wrong(
                text,
                "Run `bumpdesk show ADDRESS` to see whether its tags are still at the recorded commits.",
            ));
        }
        let place = session.select(&Scope::Addresses(vec![address.clone()]))?[0];
        let row = &session.catalog.rows[place];
        let entry = session.entry(row).map_err(|cause| {
            Failure::new(FailureKind::Data, format!("reading {address}"))
                .cause(cause)
                .hint("Fix the file at the place that is named.")
        })?;
        let provider = entry.as_provider().cloned().unwrap_or_default();
        let versions = provider.versions.as_slice();
        let refusals = refusal::of_entry(&provider);
        for version in wanted.iter().flatten() {
            if !versions.iter().any(|stored| trim_v(&stored.version) == trim_v(version)) {
                return Err(wrong(
                    format!("`{address}` has no version {version}"),
                    "Run `bumpdesk show ADDRESS` to see its versions.",
                ));
            }
        }
        let is_wanted = |stored: &ProviderVersion| {
            wanted.iter().any(|wanted| wanted.is_none_or(|wanted| trim_v(wanted) == trim_v(&stored.version)))
        };
        let keys = session.keys_of(address);
        for version in versions.iter().filter(|version| is_wanted(version)) {
            self.add_version(plan, address, version, (&keys, &refusals));
        }
        Ok(())
    }

    fn add_version(
        &mut self,
        plan: &VerifyPlan,
        address: &Address,
        version: &ProviderVersion,
        (keys, refusals): (&Arc<Keys>, &[Refusal]),
    ) {
        let is_wanted = |target: &&Target| {
            plan.targets.is_empty() || plan.targets.iter().any(|wanted| *wanted == target.platform())
        };
        let mut to_verify = VersionToVerify {
            address: address.clone(),
            stored: version.clone(),
            keys: Arc::clone(keys),
            rows: Vec::new(),
            is_whole: plan.targets.is_empty(),
        };
        for target in version.targets.iter().filter(is_wanted) {
            to_verify.rows.push(self.rows.len());
            let platform = target.platform();
            let own = refusals.iter().filter(|refusal| refusal.hits(&version.version, &platform));
            let refused = own.map(Refusal::text).collect();
            self.rows.push(Row { refused, ..row(address, version, target) });
        }
        // Its targets live on in the rows.
        to_verify.stored.targets = Vec::new();
        if !to_verify.rows.is_empty() {
            self.versions.push(to_verify);
        }
    }
}

fn row(address: &Address, version: &ProviderVersion, target: &Target) -> Row {
    let indexed_by = if version.discovered.is_some() { "discovered" } else { "" };
    Row {
        refused: Vec::new(),
        tag: None,
        address: address.clone(),
        version: version.version.clone(),
        target: target.platform(),
        filename: target.filename.clone(),
        url: target.download_url.clone(),
        stored: Stored {
            shasum: target.shasum.clone(),
            h1: target.h1.clone().unwrap_or_default(),
            size_bytes: target.size.unwrap_or_default(),
        },
        listed: Listed::NotAsked,
        asset: None,
        asset_unread: None,
        not_indexed: Vec::new(),
        zip: Zip::NotDone,
        signature: SignatureSays::NotAsked,
        times: Times {
            indexed_at: version.discovered,
            indexed_by: indexed_by.to_owned(),
            ..Times::default()
        },
    }
}

fn wrong(text: String, hint: &str) -> Failure {
    Failure::new(FailureKind::Usage, "asking what to verify").cause(text).hint(hint)
}
