//! A plan shared out over several machines.

use std::ops::Range;

use serde::Serialize;

/// The share of one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Share {
    pub(crate) targets: usize,
    /// As known or guessed.
    pub(crate) bytes: u64,
}

/// Cuts a list into as many stretches of about equal weight as are asked for, the same whoever cuts. A stretch may be empty where there are
/// few items. `weights`: bytes, as known or guessed.
pub(crate) fn cut(weights: &[u64], shards: usize) -> Vec<Range<usize>> {
    // Each has a cost besides its bytes, so that none is for nothing.
    let weight = |bytes: &u64| u128::from(*bytes) + 1;
    let total: u128 = weights.iter().map(weight).sum();
    let shards = shards.max(1);
    let (mut ranges, mut from, mut before) = (Vec::with_capacity(shards), 0, 0);
    for shard in 1..=shards {
        let bound = total * shard as u128 / shards as u128;
        let mut to = from;
        // An item belongs to the stretch in which its middle lies.
        while to < weights.len() && before + weight(&weights[to]) / 2 < bound {
            before += weight(&weights[to]);
            to += 1;
        }
        if shard == shards {
            to = weights.len();
        }
        ranges.push(from..to);
        from = to;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_one_shard_and_shards_weigh_the_same() {
        let mut word = 7u64;
        let weights: Vec<u64> = (0..1000)
            .map(|_| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (word >> 40) % 200_000_000
            })
            .collect();
        let most = *weights.iter().max().unwrap();
        for shards in [1, 2, 3, 4, 7, 64, 1000, 2000] {
            let ranges = cut(&weights, shards);
            assert_eq!(ranges.len(), shards);
            assert_eq!((ranges[0].start, ranges[shards - 1].end), (0, weights.len()));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            let total: u64 = weights.iter().sum();
            for range in ranges {
                let bytes: u64 = weights[range].iter().sum();
                assert!(bytes.abs_diff(total / shards as u64) <= most, "{shards}: {bytes} of {total}");
            }
        }
        assert_eq!(cut(&[], 3), [0..0, 0..0, 0..0]);
        assert_eq!(cut(&[5, 5], 2), [0..1, 1..2]);
        assert_eq!(cut(&[0, 0, 0], 1), std::slice::from_ref(&(0..3)));
    }
}
