//! What a backfill will cost, without a network: what is stored is known, the rest is guessed and named.

use std::time::Duration;

use serde::Serialize;

use crate::registry::{Address, ProviderEntry};
use crate::rules::backfill::Item;
use crate::rules::backfill::item::items_digest;

/// What one archive is taken to have where no size at all is stored.
const ASSUMED_BYTES: u64 = 15 << 20;
/// Bytes a second from one machine, from a slow day to a good one.
const RATES: (u64, u64) = (8_000_000, 40_000_000);
/// What an archive costs besides its bytes, for one worker: its redirect and its first byte.
const EACH: Duration = Duration::from_millis(400);

/// What one file lacks, in figures, so that the whole registry need not be held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileGaps {
    pub(crate) address: Address,
    /// Of its items.
    pub(crate) digest: String,
    versions: u64,
    /// The stored size of each item in bytes; 0 where there is none.
    sizes: Vec<u64>,
    /// How many of all its targets have a size, and the sum.
    sized: (u64, u64),
}

/// The cost of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Estimate {
    pub(crate) providers: u64,
    pub(crate) versions: u64,
    pub(crate) targets: u64,
    /// All of it, as known and guessed.
    pub(crate) bytes: u64,
    /// Targets whose size is stored.
    pub(crate) known: u64,
    /// What was guessed of the others, and how.
    pub(crate) guessed: Vec<Guessed>,
    /// With that many workers, in seconds, from and to.
    pub(crate) seconds: (u64, u64),
    /// Bytes of each item, as known or guessed, in the plan's order.
    #[serde(skip)]
    pub(crate) weights: Vec<u64>,
}

/// Sizes that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Guessed {
    pub(crate) targets: u64,
    pub(crate) bytes: u64,
    /// `the mean of the sizes that are stored for the same provider`.
    pub(crate) by: &'static str,
}

impl FileGaps {
    /// `None`: nothing of what is asked for is lacking there.
    pub(crate) fn new(address: &Address, entry: &ProviderEntry, items: &[Item]) -> Option<Self> {
        items.first()?;
        let targets = entry.versions.iter().flat_map(|version| &version.targets);
        let stored = targets.filter_map(|target| target.size).filter(|size| *size > 0);
        let sized = stored.fold((0, 0), |(count, sum), size| (count + 1, sum + size));
        let mut versions: Vec<&str> = items.iter().map(|item| &*item.version).collect();
        versions.dedup();
        let digest = items_digest(items);
        let of_items = items.iter().map(|item| item.size).collect();
        Some(Self {
            address: address.clone(),
            digest,
            versions: versions.len() as u64,
            sizes: of_items,
            sized,
        })
    }
}

impl Estimate {
    /// `files`: in the plan's order.
    pub(crate) fn of(files: &[FileGaps], workers: usize) -> Self {
        let all = files.iter().fold((0, 0), |(count, sum), file| (count + file.sized.0, sum + file.sized.1));
        let mut estimate = Self { providers: files.len() as u64, ..Self::default() };
        let mut guesses = [
            Guessed {
                targets: 0,
                bytes: 0,
                by: "the mean of the sizes that are stored for the same provider",
            },
            Guessed {
                targets: 0,
                bytes: 0,
                by: "the mean of the sizes that are stored for the other providers",
            },
            Guessed { targets: 0, bytes: 0, by: "15 MiB each, since no size is stored" },
        ];
        for file in files {
            estimate.versions += file.versions;
            let (guess, bytes) = match (mean(file.sized), mean(all)) {
                (Some(bytes), _) => (0, bytes),
                (None, Some(bytes)) => (1, bytes),
                (None, None) => (2, ASSUMED_BYTES),
            };
            for size in &file.sizes {
                if *size > 0 {
                    estimate.known += 1;
                    estimate.weights.push(*size);
                } else {
                    guesses[guess].targets += 1;
                    guesses[guess].bytes += bytes;
                    estimate.weights.push(bytes);
                }
            }
        }
        estimate.targets = estimate.weights.len() as u64;
        estimate.bytes = estimate.weights.iter().sum();
        estimate.guessed = guesses.into_iter().filter(|guess| guess.targets > 0).collect();
        let each = EACH.as_secs_f64() * estimate.targets as f64 / workers.max(1) as f64;
        let at = |rate: u64| (estimate.bytes as f64 / rate as f64 + each).ceil() as u64;
        estimate.seconds = (at(RATES.1), at(RATES.0));
        estimate
    }

    pub(crate) fn time(&self) -> (Duration, Duration) {
        (Duration::from_secs(self.seconds.0), Duration::from_secs(self.seconds.1))
    }
}

fn mean((count, sum): (u64, u64)) -> Option<u64> {
    sum.checked_div(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::backfill::{Selection, items, plan_digest};

    fn gaps(name: &str, sizes: &[(u64, bool)]) -> FileGaps {
        let targets: Vec<String> = sizes
            .iter()
            .enumerate()
            .map(|(at, (size, is_hashed))| {
                let h1 = if *is_hashed { "h1:x" } else { "" };
                format!(r#"{{"os":"os{at}","arch":"a","shasum":"s","download_url":"u","h1":"{h1}","size":{size}}}"#)
            })
            .collect();
        let text = format!(r#"{{"versions":[{{"version":"1.0.0","targets":[{}]}}]}}"#, targets.join(","));
        let entry: ProviderEntry = serde_json::from_str(&text).unwrap();
        let address = Address::provider("acme", name);
        FileGaps::new(&address, &entry, &items(&address, &entry, &Selection::Everything)).unwrap()
    }

    #[test]
    fn what_is_guessed_is_named() {
        let files = [gaps("a", &[(10, true), (30, true), (0, false)]), gaps("b", &[(7, false), (0, false)])];
        let estimate = Estimate::of(&files, 6);
        assert_eq!((estimate.providers, estimate.versions, estimate.targets), (2, 2, 3));
        assert_eq!(estimate.weights, [20, 7, 7]);
        assert_eq!((estimate.known, estimate.bytes), (1, 34));
        let by: Vec<_> = estimate.guessed.iter().map(|guess| (guess.targets, guess.bytes)).collect();
        assert_eq!(by, [(2, 27)]);
        // Another provider's size is taken only where the provider has none of its own.
        let files = [gaps("a", &[(10, true), (0, false)]), gaps("b", &[(0, false)])];
        let by: Vec<_> =
            Estimate::of(&files, 6).guessed.iter().map(|guess| (guess.targets, guess.by)).collect();
        assert_eq!(by.len(), 2);
        let none = Estimate::of(&[gaps("a", &[(0, false), (0, false)])], 1);
        assert_eq!((none.bytes, none.guessed[0].targets), (2 * ASSUMED_BYTES, 2));
        assert!(none.seconds.0 < none.seconds.1);
        assert_eq!(Estimate::of(&[], 0).seconds, (0, 0));
    }

    #[test]
    fn a_digest_tells_plans_apart() {
        let digest = |base: &str, files: &[FileGaps]| {
            plan_digest(base, files.iter().map(|file| (&file.address, &*file.digest)))
        };
        let files = [gaps("a", &[(0, false)]), gaps("b", &[(0, false)])];
        let one = digest("c0ffee", &files);
        assert_eq!(one, digest("c0ffee", &files.clone()));
        for other in [
            digest("c0ffef", &files),
            digest("c0ffee", &files[..1]),
            digest("c0ffee", &[gaps("a", &[(1, false)]), gaps("b", &[(0, false)])]),
            digest("c0ffee", &[gaps("a", &[(0, false), (0, false)]), gaps("b", &[(0, false)])]),
        ] {
            assert_ne!(one, other);
        }
    }
}
