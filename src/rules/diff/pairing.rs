//! Which items of two lists belong together, by key: the base of the comparison and of its line view, so that both tell the
//! same story. Never looks into the items themselves. A pair counts as moved when it does not lie on the longest run of
//! pairs whose order is the same on both sides.

use std::collections::{HashMap, HashSet, VecDeque};

/// One item of either list, or a pair of them. Places count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Kept { old: usize, new: usize },
    Moved { old: usize, new: usize },
    Added { new: usize },
    Removed { old: usize },
}

impl Place {
    pub(super) fn before(self) -> Option<usize> {
        match self {
            Self::Kept { old, .. } | Self::Moved { old, .. } | Self::Removed { old } => Some(old),
            Self::Added { .. } => None,
        }
    }

    pub(super) fn after(self) -> Option<usize> {
        match self {
            Self::Kept { new, .. } | Self::Moved { new, .. } | Self::Added { new } => Some(new),
            Self::Removed { .. } => None,
        }
    }
}

/// Pairs two lists by their keys, equal keys in order. The result stands in the new list's order, removed items where they
/// stood: right behind the kept item that came before them.
pub(super) fn pair(old: &[&str], new: &[&str]) -> Vec<Place> {
    let mut waiting: HashMap<&str, VecDeque<usize>> = HashMap::with_capacity(old.len());
    for (place, key) in old.iter().enumerate() {
        waiting.entry(key).or_default().push_back(place);
    }
    let partners: Vec<Option<usize>> =
        new.iter().map(|key| waiting.get_mut(key).and_then(VecDeque::pop_front)).collect();
    let paired: HashSet<usize> = partners.iter().flatten().copied().collect();
    let kept = longest_rise(&partners);

    let mut places = Vec::with_capacity(new.len() + waiting.len());
    // Removed items and those that moved elsewhere both end a search for the next kept item: only kept ones stop it.
    let removed_from = |start: usize, places: &mut Vec<Place>| {
        for place in start..old.len() {
            if kept.contains(&place) {
                return;
            }
            if !paired.contains(&place) {
                places.push(Place::Removed { old: place });
            }
        }
    };
    removed_from(0, &mut places);
    for (place, partner) in partners.iter().enumerate() {
        match *partner {
            None => places.push(Place::Added { new: place }),
            Some(before) if kept.contains(&before) => {
                places.push(Place::Kept { old: before, new: place });
                removed_from(before + 1, &mut places);
            }
            Some(before) => places.push(Place::Moved { old: before, new: place }),
        }
    }
    places
}

/// The old places on a longest rising run (patience sorting: n log n).
fn longest_rise(partners: &[Option<usize>]) -> HashSet<usize> {
    let places: Vec<usize> = partners.iter().flatten().copied().collect();
    // `tails[n]` is where the best run of length n + 1 ends; `before` links each item to the one before it in its run.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; places.len()];
    for (at, place) in places.iter().enumerate() {
        let length = tails.partition_point(|tail| places[*tail] < *place);
        before[at] = length.checked_sub(1).map(|shorter| tails[shorter]);
        if length == tails.len() {
            tails.push(at);
        } else {
            tails[length] = at;
        }
    }
    let mut rise = HashSet::with_capacity(tails.len());
    let mut next = tails.last().copied();
    while let Some(at) = next {
        rise.insert(places[at]);
        next = before[at];
    }
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &str, new: &str) -> String {
        let keys = |text: &'static str| text.split(' ').filter(|key| !key.is_empty()).collect::<Vec<_>>();
        let (old, new): (&'static str, &'static str) =
            (Box::leak(old.to_owned().into_boxed_str()), Box::leak(new.to_owned().into_boxed_str()));
        let (old, new) = (keys(old), keys(new));
        let words = pair(&old, &new).into_iter().map(|place| match place {
            Place::Kept { new: at, .. } => format!("={}", new[at]),
            Place::Moved { new: at, .. } => format!("~{}", new[at]),
            Place::Added { new: at } => format!("+{}", new[at]),
            Place::Removed { old: at } => format!("-{}", old[at]),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pairs_tell_what_happened() {
        for (old, new, words) in [
            ("", "", ""),
            ("", "a b", "+a +b"),
            ("a b", "", "-a -b"),
            ("b a", "c b a", "+c =b =a"),
            ("c b a", "c a", "=c -b =a"),
            ("c b a", "d a", "-c -b +d =a"),
            ("a c b", "c b a", "=c =b ~a"),
            ("c b a", "a c b", "~a =c =b"),
            ("a a b", "a b a", "=a =b ~a"),
            ("a b", "a a b", "=a +a =b"),
            ("a a b", "a b", "=a -a =b"),
            ("x a y b", "b a", "-x ~b =a -y"),
        ] {
            let told = told(old, new);
            let parts = |text: &str| {
                let mut parts: Vec<String> = text.split(' ').map(str::to_owned).collect();
                parts.sort();
                parts
            };
            // Which of two equally long runs is kept is free; how many move is not.
            if words.contains('~') {
                assert_eq!(parts(&told).len(), parts(words).len(), "{old} | {new}: {told}");
                assert_eq!(told.matches('~').count(), words.matches('~').count(), "{old} | {new}: {told}");
            } else {
                assert_eq!(told, words, "{old} | {new}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn every_item_is_told_once_and_the_new_order_is_kept(
            old in proptest::collection::vec("[a-e]", 0..12),
            new in proptest::collection::vec("[a-e]", 0..12),
        ) {
            let (old, new): (Vec<&str>, Vec<&str>) =
                (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
            let places = pair(&old, &new);
            proptest::prop_assert!(places.iter().filter_map(|place| place.after()).eq(0..new.len()));
            let mut olds: Vec<usize> = places.iter().filter_map(|place| place.before()).collect();
            let kept: Vec<usize> = places
                .iter()
                .filter(|place| matches!(place, Place::Kept { .. } | Place::Removed { .. }))
                .filter_map(|place| place.before())
                .collect();
            proptest::prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
            olds.sort_unstable();
            proptest::prop_assert!(olds.into_iter().eq(0..old.len()));
        }
    }
}
