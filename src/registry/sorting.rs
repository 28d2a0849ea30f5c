//! Go's unstable sort, comparison for comparison.
//!
//! The registry sorts with Go's `slices.SortFunc`: insertion sort up to 12 items, pattern-defeating quicksort above. Versions
//! that compare equal (build metadata, `v1.0.0` beside `1.0.0`) end in an order that only the same algorithm gives, and
//! every byte of a rebuild has to be the registry's own (`registry.md#versions-and-their-order`).

use std::cmp::Ordering;

const MAX_INSERTION: usize = 12;
const SHORTEST_NINTHER: usize = 50;
const SHORTEST_SHIFTING: usize = 50;
const MAX_STEPS: usize = 5;
const MAX_SWAPS: usize = 12;

/// Sorts as Go's `slices.SortFunc` does, ties included.
pub(crate) fn sort_like_go<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let less = |a: &T, b: &T| compare(a, b).is_lt();
    let limit = bit_length(items.len());
    Sorter { items, less }.quicksort(0, usize::MAX, limit);
}

struct Sorter<'a, T, L> {
    items: &'a mut [T],
    less: L,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    Unknown,
    Increasing,
    Decreasing,
}

impl<T, L: Fn(&T, &T) -> bool> Sorter<'_, T, L> {
    fn less(&self, a: usize, b: usize) -> bool {
        (self.less)(&self.items[a], &self.items[b])
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
    }

    fn quicksort(&mut self, mut start: usize, end: usize, mut limit: u32) {
        let mut end = end.min(self.items.len());
        let (mut was_balanced, mut was_partitioned) = (true, true);
        loop {
            let length = end - start;
            if length <= MAX_INSERTION {
                return self.insertion_sort(start, end);
            }
            if limit == 0 {
                return self.heap_sort(start, end);
            }
            if !was_balanced {
                self.break_patterns(start, end);
                limit -= 1;
            }
            let (mut pivot, mut hint) = self.choose_pivot(start, end);
            if hint == Hint::Decreasing {
                self.items[start..end].reverse();
                pivot = (end - 1) - (pivot - start);
                hint = Hint::Increasing;
            }
            let looks_sorted = was_balanced && was_partitioned && hint == Hint::Increasing;
            if looks_sorted && self.partial_insertion_sort(start, end) {
                return;
            }
            if start > 0 && !self.less(start - 1, pivot) {
                start = self.partition_equal(start, end, pivot);
                continue;
            }
            let (middle, already_partitioned) = self.partition(start, end, pivot);
            was_partitioned = already_partitioned;
            let (left, right) = (middle - start, end - middle);
            was_balanced = left.min(right) >= length / 8;
            if left < right {
                self.quicksort(start, middle, limit);
                start = middle + 1;
            } else {
                self.quicksort(middle + 1, end, limit);
                end = middle;
            }
        }
    }

    fn insertion_sort(&mut self, start: usize, end: usize) {
        for i in start + 1..end {
            let mut j = i;
            while j > start && self.less(j, j - 1) {
                self.swap(j, j - 1);
                j -= 1;
            }
        }
    }

    fn heap_sort(&mut self, start: usize, end: usize) {
        let length = end - start;
        for root in (0..=(length - 1) / 2).rev() {
            self.sift_down(root, length, start);
        }
        for last in (0..length).rev() {
            self.swap(start, start + last);
            self.sift_down(0, last, start);
        }
    }

    fn sift_down(&mut self, mut root: usize, end: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.swap(first + root, first + child);
            root = child;
        }
    }

    /// Scatters three items by a generator that is seeded with the length, so that it is the same every time.
    fn break_patterns(&mut self, start: usize, end: usize) {
        let length = end - start;
        if length < 8 {
            return;
        }
        let mut random = length as u64;
        let modulus = 1usize << bit_length(length);
        let middle = start + (length / 4) * 2 - 1;
        for i in 0..3 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let mut other = (random as usize) & (modulus - 1);
            if other >= length {
                other -= length;
            }
            self.swap(middle - 1 + i, start + other);
        }
    }

    fn choose_pivot(&self, start: usize, end: usize) -> (usize, Hint) {
        let length = end - start;
        let quarter = length / 4;
        let (mut low, mut middle, mut high) = (start + quarter, start + quarter * 2, start + quarter * 3);
        let mut swaps = 0;
        if length >= 8 {
            if length >= SHORTEST_NINTHER {
                low = self.median(low - 1, low, low + 1, &mut swaps);
                middle = self.median(middle - 1, middle, middle + 1, &mut swaps);
                high = self.median(high - 1, high, high + 1, &mut swaps);
            }
            middle = self.median(low, middle, high, &mut swaps);
        }
        match swaps {
            0 => (middle, Hint::Increasing),
            MAX_SWAPS => (middle, Hint::Decreasing),
            _ => (middle, Hint::Unknown),
        }
    }

    fn median(&self, a: usize, b: usize, c: usize, swaps: &mut usize) -> usize {
        let (a, b) = self.ordered(a, b, swaps);
        let (b, _) = self.ordered(b, c, swaps);
        let (_, b) = self.ordered(a, b, swaps);
        b
    }

    fn ordered(&self, a: usize, b: usize, swaps: &mut usize) -> (usize, usize) {
        if self.less(b, a) {
            *swaps += 1;
            return (b, a);
        }
        (a, b)
    }

    /// Sorts a nearly sorted range by at most five shifts; false if it is not sorted then.
    fn partial_insertion_sort(&mut self, start: usize, end: usize) -> bool {
        let mut i = start + 1;
        for _ in 0..MAX_STEPS {
            while i < end && !self.less(i, i - 1) {
                i += 1;
            }
            if i == end {
                return true;
            }
            if end - start < SHORTEST_SHIFTING {
                return false;
            }
            self.swap(i, i - 1);
            if i - start >= 2 {
                // Go runs down to 1, not to the start of the range.
                let mut j = i - 1;
                while j >= 1 && self.less(j, j - 1) {
                    self.swap(j, j - 1);
                    j -= 1;
                }
            }
            if end - i >= 2 {
                let mut j = i + 1;
                while j < end && self.less(j, j - 1) {
                    self.swap(j, j - 1);
                    j += 1;
                }
            }
        }
        false
    }

    /// Partitions into items equal to the pivot and greater ones; gives the start of the greater ones.
    fn partition_equal(&mut self, start: usize, end: usize, pivot: usize) -> usize {
        self.swap(start, pivot);
        let (mut i, mut j) = (start + 1, end - 1);
        loop {
            while i <= j && !self.less(start, i) {
                i += 1;
            }
            while i <= j && self.less(start, j) {
                j -= 1;
            }
            if i > j {
                return i;
            }
            self.swap(i, j);
            i += 1;
            j -= 1;
        }
    }

    fn partition(&mut self, start: usize, end: usize, pivot: usize) -> (usize, bool) {
        self.swap(start, pivot);
        let (mut i, mut j) = (start + 1, end - 1);
        let mut already_partitioned = true;
        loop {
            while i <= j && self.less(i, start) {
                i += 1;
            }
            while i <= j && !self.less(j, start) {
                j -= 1;
            }
            if i > j {
                break;
            }
            already_partitioned = false;
            self.swap(i, j);
            i += 1;
            j -= 1;
        }
        self.swap(j, start);
        (j, already_partitioned)
    }
}

/// Go's `bits.Len`.
fn bit_length(value: usize) -> u32 {
    usize::BITS - value.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts pairs by their first number alone, so that the second shows the order of ties.
    fn sorted(keys: &[u32]) -> Vec<(u32, usize)> {
        let mut items: Vec<(u32, usize)> = keys.iter().copied().zip(0..).collect();
        sort_like_go(&mut items, |a, b| a.0.cmp(&b.0));
        items
    }

    #[test]
    fn short_lists_are_stable_and_sorted_lists_fixed_points() {
        assert_eq!(sorted(&[]), []);
        assert_eq!(sorted(&[2, 1, 2, 1]), [(1, 1), (1, 3), (2, 0), (2, 2)]);
        let keys: Vec<u32> = (0..500).map(|i| i / 3).collect();
        assert!(sorted(&keys).iter().enumerate().all(|(place, item)| item.1 == place));
    }

    proptest::proptest! {
        #[test]
        fn it_sorts_and_loses_nothing(keys in proptest::collection::vec(0u32..40, 0..400)) {
            let items = sorted(&keys);
            proptest::prop_assert!(items.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            let mut places: Vec<usize> = items.iter().map(|item| item.1).collect();
            places.sort_unstable();
            proptest::prop_assert!(places.into_iter().eq(0..keys.len()));
        }

        #[test]
        fn patterns_that_defeat_quicksort_are_sorted(length in 0usize..2000, step in 1usize..7) {
            let keys: Vec<u32> = (0..length).map(|i| ((i * step) % (length / 2 + 1)) as u32).collect();
            proptest::prop_assert!(sorted(&keys).windows(2).all(|pair| pair[0].0 <= pair[1].0));
        }
    }
}
