//! All steps of one version, and how they end for each target.

use crate::registry::Target;
use crate::rules::anatomy::{Names, parse_sums};
use crate::rules::client::{Fetched, Ruling, Seen, Step, StepName, archive, checksums, listing, signed};

/// The steps of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// Steps that all targets share.
    pub(crate) shared: Vec<Step>,
    /// In the order of the data file; then the platforms that the version has not.
    pub(crate) targets: Vec<TargetSteps>,
}

/// The steps of one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetSteps {
    /// `linux_amd64`.
    pub(crate) target: String,
    pub(crate) steps: Vec<Step>,
    /// False: the version has no such target.
    pub(crate) is_stored: bool,
}

/// Steps of several targets that come to the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gathered<'a> {
    /// None: the step of all targets, whatever the target.
    pub(crate) targets: Vec<&'a str>,
    /// That of the first target.
    pub(crate) step: &'a Step,
    /// The texts of the others are not the same.
    pub(crate) differs: bool,
}

/// What becomes of `tofu init` on one platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends<'a> {
    Installs,
    /// It installs, and there is something to know: the first of it.
    Warns(&'a Step),
    /// Nothing is known to be wrong, and this was not read.
    NotKnown(&'a Step),
    /// It stops, at this step at the latest.
    Fails(&'a Step),
}

impl Chain {
    /// Goes through all steps; those behind a failed one are told too.
    pub(crate) fn of(seen: &Seen<'_>) -> Self {
        let mut shared = vec![
            listing::listing(seen.entry),
            listing::protocol(seen),
            checksums::document(seen),
            checksums::signature_file(seen),
            signed::signature(seen),
        ];
        shared.extend(listing::unanswered(seen));
        shared.extend(checksums::lockable(seen));
        shared.sort_by_key(|step| step.name);
        let is_asked = |target: &&Target| seen.asked.is_empty() || seen.asked.contains(&target.platform());
        let stored = seen.version.targets.iter().filter(is_asked).map(|target| TargetSteps {
            target: target.platform(),
            steps: archive::steps(seen, target),
            is_stored: true,
        });
        let mut chain = Self { shared, targets: stored.collect() };
        chain.add_absent(seen);
        chain
    }

    /// Platforms that the version has not: those that are asked about, else those that SHA256SUMS names an archive for.
    fn add_absent(&mut self, seen: &Seen<'_>) {
        let offered = offered(seen);
        let wanted = if seen.asked.is_empty() { &offered[..] } else { seen.asked };
        for target in wanted {
            if seen.version.targets.iter().all(|known| known.platform() != *target) {
                self.targets.push(TargetSteps {
                    target: target.clone(),
                    steps: vec![listing::no_platform(offered.contains(target))],
                    is_stored: false,
                });
            }
        }
    }

    /// How it ends on a platform; `None`: nothing was said of it. What else was not read weighs more than a size that nobody has
    /// stored.
    pub(crate) fn ends(&self, target: &str) -> Option<Ends<'_>> {
        let first = |ruling: Ruling| Some(self.ruled(target, ruling)?.min_by_key(|step| step.name));
        let open = || {
            let weight = |step: &&Step| (step.name == StepName::Package, step.name);
            Some(self.ruled(target, Ruling::NotKnown)?.min_by_key(weight))
        };
        let ends = [
            first(Ruling::Fail)?.map(Ends::Fails),
            open()?.map(Ends::NotKnown),
            first(Ruling::Warn)?.map(Ends::Warns),
        ];
        Some(ends.into_iter().flatten().next().unwrap_or(Ends::Installs))
    }

    /// The steps of a platform that go in one way; `None`: nothing was said of it.
    pub(crate) fn ruled(&self, target: &str, ruling: Ruling) -> Option<impl Iterator<Item = &Step>> {
        let own = self.targets.iter().find(|known| known.target == target)?;
        Some(self.shared.iter().chain(&own.steps).filter(move |step| step.ruling == ruling))
    }

    /// The steps for people: those that come to the same share a place. Without `all` only what does not pass, and for no target
    /// anything behind the step at which the client stops.
    pub(crate) fn gathered(&self, all: bool) -> Vec<Gathered<'_>> {
        let stops = |own: &TargetSteps| {
            let fails = self.shared.iter().chain(&own.steps).filter(|step| step.ruling == Ruling::Fail);
            fails.map(|step| step.name).min()
        };
        let last = self.targets.iter().filter(|own| own.is_stored).map(stops);
        // As far as the client gets on any target; to the end if one does not fail, or there is none.
        let last = last.collect::<Option<Vec<StepName>>>().and_then(|stops| stops.into_iter().max());
        let is_told = |step: &Step, last: Option<StepName>| {
            all || step.ruling != Ruling::Pass && last.is_none_or(|last| step.name <= last)
        };
        let shared = self.shared.iter().filter(|step| is_told(step, last));
        let mut told: Vec<Gathered<'_>> =
            shared.map(|step| Gathered { targets: Vec::new(), step, differs: false }).collect();
        for own in &self.targets {
            let last = stops(own);
            for step in own.steps.iter().filter(|step| is_told(step, last)) {
                let alike = told.iter_mut().find(|known| {
                    !known.targets.is_empty()
                        && (known.step.name, known.step.ruling) == (step.name, step.ruling)
                        && known.step.gist() == step.gist()
                });
                match alike {
                    Some(known) => {
                        known.targets.push(&own.target);
                        known.differs |= known.step.text != step.text;
                    }
                    None => told.push(Gathered { targets: vec![&own.target], step, differs: false }),
                }
            }
        }
        told.sort_by_key(|told| told.step.name);
        told
    }

    /// Step by step: which targets it goes alike for (none: for all of them, whatever the target), and how.
    pub(crate) fn by_step(&self) -> Vec<(Vec<&str>, &Step)> {
        let mut told: Vec<(Vec<&str>, &Step)> = self.shared.iter().map(|step| (Vec::new(), step)).collect();
        for target in &self.targets {
            for step in &target.steps {
                let alike = told.iter_mut().find(|(targets, known)| !targets.is_empty() && *known == step);
                match alike {
                    Some((targets, _)) => targets.push(&target.target),
                    None => told.push((vec![&target.target], step)),
                }
            }
        }
        told.sort_by_key(|(_, step)| step.name);
        told
    }
}

/// The platforms of the registry's own list that SHA256SUMS has an archive for.
fn offered(seen: &Seen<'_>) -> Vec<String> {
    let Fetched::Got(text) = seen.sums else { return Vec::new() };
    let names = Names::new(&seen.address.repository(), seen.address.name(), &seen.version.version);
    let targets = names.targets(&parse_sums(text));
    targets.into_iter().map(|target| format!("{}_{}", target.os, target.arch)).collect()
}
