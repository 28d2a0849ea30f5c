//! Verification against the loopback world: what each kind of upstream makes of a row, the stories (`tests/scenarios/stories.md`), and
//! reports that survive whatever ends a run.

mod far;
mod faults;
mod kills;
mod messages;
mod odd;
mod reports;
mod reuploads;
mod signed;
mod steer;
mod steps;
mod stories;
#[path = "../../../vectors/zip/zipper.rs"]
#[expect(dead_code, reason = "archives are made in one manner here, and in all of them elsewhere")]
pub(crate) mod zipper;

use std::collections::BTreeMap;
use std::sync::Arc;

use bumpdesk::surface::jobs::{Job, JobEvent, Meter, Outcome, VerifyNews, VerifyPlan, Wanted};
use bumpdesk::surface::registry::Address;
use bumpdesk::surface::rules::verify::{Answer, Row};
use demo::World;
use demo::world::Asset;

use crate::stage::Stage;

/// What a verification said.
struct Ran {
    rows: Vec<Arc<Row>>,
    kept: usize,
    /// The last one.
    meter: Meter,
    outcome: Outcome,
}

/// `acme/rocket`, `acme/rocket@1.0.0`.
fn plan(words: &[&str]) -> VerifyPlan {
    let wanted = words.iter().map(|word| {
        let (address, version) = word.split_once('@').map_or((*word, None), |(a, v)| (a, Some(v)));
        let address = Address::parse(address).expect("an address");
        Wanted { address, version: version.map(str::to_owned) }
    });
    VerifyPlan::new(wanted.collect())
}

async fn verified(stage: &mut Stage, plan: VerifyPlan) -> Ran {
    let (events, outcome) = stage.run(Job::Verify(plan)).await;
    let (mut rows, mut of_earlier, mut last) = (BTreeMap::new(), 0, Meter::default());
    for event in events {
        match event {
            JobEvent::Verify(VerifyNews::Begun { kept, .. }) => of_earlier = kept,
            JobEvent::Verify(VerifyNews::Row(place, row)) => drop(rows.insert(place, row)),
            JobEvent::Verify(VerifyNews::Meter(meter)) => last = meter,
            _ => {}
        }
    }
    Ran { rows: rows.into_values().collect(), kept: of_earlier, meter: last, outcome }
}

impl Ran {
    /// The rows of a provider as lines.
    fn of(&self, address: &str) -> Vec<String> {
        let rows = self.rows.iter().filter(|row| row.address.to_string() == address);
        rows.map(|row| line(row)).collect()
    }

    fn row(&self, address: &str) -> &Row {
        self.rows.iter().find(|row| row.address.to_string() == address).expect("a row")
    }
}

/// State and case, then the answers: SHA256SUMS, zip, h1, signature.
fn line(row: &Row) -> String {
    let answers = row.answers();
    let words = [answers.zh_sums, answers.zh_zip, answers.h1, answers.signature].map(Answer::word);
    format!("{} {} {}", row.state().word(), row.case().word(), words.join(" "))
}

/// Changes the files of `v1.0.0` of one of acme's providers.
fn edit(world: &mut World, name: &str, change: impl FnOnce(&mut Vec<Asset>)) {
    let repository =
        world.repository_mut("acme", &format!("terraform-provider-{name}")).expect("a repository");
    change(&mut repository.release_mut("v1.0.0").expect("a release").assets);
}

/// The file of a release whose name ends so.
fn file<'a>(assets: &'a mut [Asset], end: &str) -> &'a mut Asset {
    assets.iter_mut().find(|asset| asset.name.ends_with(end)).expect("a file")
}
