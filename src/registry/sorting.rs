//! placeholder
/// x
pub fn sort_like_go<T, F: FnMut(&T, &T) -> std::cmp::Ordering>(items: &mut [T], compare: F) {
    items.sort_by(compare);
}
