//! Which rows of a verification stand together: those of one version of which the same is to be said are one group, and what
//! could not be read for one reason is one group whatever it belongs to. What is worked on stands alone.
//!
//! Groups are kept while rows change, since a frame has no time to go over many thousand rows.

use std::collections::HashMap;
use std::sync::Arc;

use crate::desk::targets::{TargetOrder, TargetSort};
use crate::rules::verify::{Alike, Row, State};

/// Kinds of rows that stand apart. What is fetched and what is hashed is one kind: a row goes from one to the other and back.
const RANKS: usize = 9;
/// The first ranks are the bad ones.
const BAD: usize = 4;

fn rank(state: State) -> usize {
    match state {
        State::Mismatch => 0,
        State::BadSignature => 1,
        State::Missing => 2,
        State::Error => 3,
        State::Hashing | State::Fetching => 4,
        State::Queued => 5,
        State::Skipped => 6,
        State::Cancelled => 7,
        State::Ok => 8,
    }
}

/// Which group, as long as these rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum GroupId {
    /// The number of what its rows have in common.
    Alike(usize),
    /// A row that is worked on, by its place.
    Alone(usize),
}

/// Rows with one result, by their places, rising; at least one.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) id: GroupId,
    rank: usize,
    pub(crate) places: Vec<usize>,
}

impl Group {
    pub(crate) fn first(&self) -> usize {
        self.places[0]
    }

    pub(crate) fn is_bad(&self) -> bool {
        self.rank < BAD
    }
}

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Stand {
    rank: usize,
    id: GroupId,
}

/// Groups in their order: by rank and first row, or by the first row alone.
#[derive(Debug, Default)]
struct GroupList {
    groups: Vec<Group>,
    /// The first row of each group that there is.
    firsts: HashMap<Stand, usize>,
    sort: TargetSort,
}

impl GroupList {
    /// The groups of these rows, which rise.
    fn of(places: impl Iterator<Item = usize>, stands: &[Stand], sort: TargetSort) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<Stand, usize> = HashMap::new();
        // Rows beside each other mostly stand together.
        let mut last: Option<(Stand, usize)> = None;
        for place in places {
            let stand = stands[place];
            let at = last.filter(|(of, _)| *of == stand).map_or_else(
                || {
                    *known.entry(stand).or_insert_with(|| {
                        groups.push(Group { id: stand.id, rank: stand.rank, places: Vec::new() });
                        groups.len() - 1
                    })
                },
                |(_, at)| at,
            );
            groups[at].places.push(place);
            last = Some((stand, at));
        }
        let mut firsts = known;
        for at in firsts.values_mut() {
            *at = groups[*at].first();
        }
        groups.sort_by_key(|group| key(sort, group.rank, group.first()));
        Self { groups, firsts, sort }
    }

    fn has(&self, place: usize, stand: Stand) -> bool {
        self.index_of(stand).is_some_and(|at| self.groups[at].places.binary_search(&place).is_ok())
    }

    fn enter(&mut self, place: usize, stand: Stand) {
        if !self.has(place, stand) {
            self.change(stand, |places| {
                let at = places.partition_point(|other| *other < place);
                places.insert(at, place);
            });
        }
    }

    fn leave(&mut self, place: usize, stand: Stand) {
        if self.has(place, stand) {
            self.change(stand, |places| places.retain(|other| *other != place));
        }
    }

    /// Changes the rows of a group, which stands by the first of them; without rows it is gone.
    fn change(&mut self, stand: Stand, how: impl FnOnce(&mut Vec<usize>)) {
        let new = || Group { id: stand.id, rank: stand.rank, places: Vec::new() };
        let mut group = self.index_of(stand).map_or_else(new, |at| self.groups.remove(at));
        how(&mut group.places);
        let Some(&first) = group.places.first() else {
            self.firsts.remove(&stand);
            return;
        };
        self.firsts.insert(stand, first);
        let key_of = |rank, first| key(self.sort, rank, first);
        let at = self
            .groups
            .partition_point(|other| key_of(other.rank, other.first()) < key_of(stand.rank, first));
        self.groups.insert(at, group);
    }

    fn index_of(&self, stand: Stand) -> Option<usize> {
        let wanted = key(self.sort, stand.rank, *self.firsts.get(&stand)?);
        self.groups.binary_search_by_key(&wanted, |group| key(self.sort, group.rank, group.first())).ok()
    }
}

/// The key by which groups are ordered.
fn key(sort: TargetSort, rank: usize, first: usize) -> (usize, usize) {
    match sort {
        TargetSort::Worst => (rank, first),
        TargetSort::Address => (0, first),
    }
}

/// All rows in their groups.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    all: GroupList,
    /// The groups of the rows that are shown; `None` while all are, the worst first.
    shown: Option<GroupList>,
    order: TargetOrder,
    counts: [usize; RANKS],
    stands: Vec<Stand>,
    /// The first place of the version of each row.
    starts: Vec<usize>,
    known: HashMap<Alike, GroupId>,
}

impl Groups {
    /// The rows as they are, none of them worked on.
    pub(crate) fn of(rows: &[Arc<Row>]) -> Self {
        let mut groups = Self::default();
        let is_same = |one: &Row, other: &Row| one.address == other.address && one.version == other.version;
        for (place, row) in rows.iter().enumerate() {
            let start = match place.checked_sub(1) {
                Some(last) if is_same(&rows[last], row) => groups.starts[last],
                _ => place,
            };
            groups.starts.push(start);
            let stand = groups.stand(place, row, row.state());
            groups.counts[stand.rank] += 1;
            groups.stands.push(stand);
        }
        groups.all = GroupList::of(0..rows.len(), &groups.stands, TargetSort::Worst);
        groups
    }

    /// Shows the rows that the filter finds, in this order. `found` is `None` without a filter.
    pub(crate) fn arrange(&mut self, order: TargetOrder, found: Option<&dyn Fn(usize) -> bool>) {
        self.order = order;
        let is_usual = found.is_none() && !order.only_bad && order.sort.by == TargetSort::Worst;
        let is_shown = |place: &usize| {
            (!order.only_bad || self.stands[*place].rank < BAD) && found.is_none_or(|found| found(*place))
        };
        let list = || GroupList::of((0..self.stands.len()).filter(is_shown), &self.stands, order.sort.by);
        self.shown = (!is_usual).then(list);
    }

    /// A row as it is now, shown in this state. `is_found`: the filter finds it.
    pub(crate) fn shift(&mut self, place: usize, row: &Row, state: State, is_found: bool) {
        let (before, stand) = (self.stands[place], self.stand(place, row, state));
        if stand != before {
            self.counts[before.rank] -= 1;
            self.counts[stand.rank] += 1;
            self.stands[place] = stand;
            self.all.leave(place, before);
            self.all.enter(place, stand);
        }
        let is_shown = is_found && (!self.order.only_bad || stand.rank < BAD);
        if let Some(shown) = &mut self.shown {
            if !is_shown || stand != before {
                shown.leave(place, before);
            }
            if is_shown {
                shown.enter(place, stand);
            }
        }
    }

    fn stand(&mut self, place: usize, row: &Row, state: State) -> Stand {
        let rank = rank(state);
        if matches!(state, State::Fetching | State::Hashing) {
            return Stand { rank, id: GroupId::Alone(place) };
        }
        let new = GroupId::Alike(self.known.len());
        Stand { rank, id: *self.known.entry(row.alike()).or_insert(new) }
    }

    /// All groups, the bad ones on top, each kind in the order of the question.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Group> {
        self.all.groups.iter()
    }

    pub(crate) fn all_bad(&self) -> impl Iterator<Item = &Group> {
        self.all().take_while(|group| group.is_bad())
    }

    /// The group that a row is in, whatever is shown.
    pub(crate) fn around(&self, place: usize) -> Option<&Group> {
        self.all.index_of(*self.stands.get(place)?).map(|at| &self.all.groups[at])
    }

    /// The number of groups that are shown.
    pub(crate) fn shown_count(&self) -> usize {
        self.list().groups.len()
    }

    /// One of the groups that are shown.
    pub(crate) fn shown_at(&self, index: usize) -> Option<&Group> {
        self.list().groups.get(self.turned(index)?)
    }

    /// The index, among the groups that are shown, of the one that a row is in.
    pub(crate) fn shown_around(&self, place: usize) -> Option<usize> {
        let list = self.list();
        let at = list.index_of(*self.stands.get(place)?)?;
        list.groups[at].places.binary_search(&place).ok()?;
        self.turned(at)
    }

    fn list(&self) -> &GroupList {
        self.shown.as_ref().unwrap_or(&self.all)
    }

    /// An index counted from the other end if the order is reversed.
    fn turned(&self, index: usize) -> Option<usize> {
        let last = self.shown_count().checked_sub(1)?;
        if self.order.sort.is_reversed { last.checked_sub(index) } else { Some(index) }
    }

    /// Rows in this state.
    pub(crate) fn count(&self, state: State) -> usize {
        self.counts[rank(state)]
    }

    pub(crate) fn bad(&self) -> usize {
        self.counts[..BAD].iter().sum()
    }

    /// Returns true for the first row of a version.
    pub(crate) fn begins_version(&self, place: usize) -> bool {
        self.starts.get(place) == Some(&place)
    }
}

/// Rows group by group, what is bad first.
pub(crate) fn fold(rows: &[Arc<Row>]) -> Vec<Vec<&Row>> {
    let row = |place: &usize| rows[*place].as_ref();
    Groups::of(rows).all().map(|group| group.places.iter().map(row).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::table::TableSort;
    use crate::registry::Address;
    use crate::rules::verify::{Computed, Listed, SignatureSays, Stored, Times, Zip};

    const OLD: &str = "aaaa";
    const NEW: &str = "bbbb";

    fn row(version: &str, target: usize) -> Row {
        Row {
            tag: None,
            address: Address::provider("acme", "rocket"),
            version: version.into(),
            target: format!("os_{target}"),
            filename: "f.zip".into(),
            url: "https://github.com/acme/f.zip".into(),
            stored: Stored { shasum: OLD.into(), h1: String::new(), size_bytes: 0 },
            listed: Listed::NotAsked,
            asset: None,
            asset_unread: None,
            not_indexed: Vec::new(),
            refused: Vec::new(),
            zip: Zip::NotDone,
            signature: SignatureSays::NoKeys,
            times: Times::default(),
        }
    }

    fn hashed(row: &Row, sum: &str, size_bytes: u64) -> Row {
        let computed = Computed {
            sha256: sum.into(),
            size_bytes,
            h1: Some("h1:x".into()),
            has_binary: Some(true),
            ..Computed::default()
        };
        Row { listed: Listed::Sum { sum: sum.into() }, zip: Zip::Hashed(computed), ..row.clone() }
    }

    fn failed(row: &Row, why: &str) -> Row {
        Row {
            listed: Listed::Unread { why: why.into() },
            zip: Zip::Failed { why: why.into() },
            ..row.clone()
        }
    }

    fn places(groups: &Groups) -> Vec<Vec<usize>> {
        groups.all().map(|group| group.places.clone()).collect()
    }

    #[test]
    fn rows_of_a_version_that_say_the_same_are_one_group_and_the_others_stay_apart() {
        let mut rows: Vec<Row> =
            ["2.0.0", "1.0.0"].iter().flat_map(|version| (0..4).map(|target| row(version, target))).collect();
        for place in [0, 1, 3, 4, 5] {
            // Another size in each, and one was uploaded later: none of that is news of its own.
            rows[place] = hashed(&rows[place], NEW, place as u64);
        }
        rows[2] = hashed(&rows[2], OLD, 7);
        rows[6] = Row { zip: Zip::Gone, ..hashed(&rows[6], NEW, 7) };
        let rows: Vec<Arc<Row>> = rows.into_iter().map(Arc::new).collect();
        let groups = Groups::of(&rows);
        let wanted: [&[usize]; 5] = [&[0, 1, 3], &[4, 5], &[6], &[7], &[2]];
        assert_eq!(places(&groups), wanted);
        assert_eq!((groups.bad(), groups.count(State::Ok), groups.count(State::Queued)), (6, 1, 1));
        assert_eq!(
            fold(&rows)[1].iter().map(|row| row.target.as_str()).collect::<Vec<_>>(),
            ["os_0", "os_1"]
        );
    }

    #[test]
    fn what_could_not_be_read_for_one_reason_is_one_group_over_all_versions() {
        let rows: Vec<Arc<Row>> = (0..40)
            .map(|at| row(&format!("1.{}.0", at / 4), at % 4))
            .map(|row| Arc::new(failed(&row, if row.version == "1.3.0" { "HTTP 500" } else { "no name" })))
            .collect();
        let groups = Groups::of(&rows);
        let sizes: Vec<usize> = groups.all().map(|group| group.places.len()).collect();
        assert_eq!(sizes, [36, 4]);
        let reading = "SHA256SUMS and the archive could not be read: no name";
        assert_eq!(rows[0].reading().as_deref(), Some(reading), "the reason is said once");
    }

    /// However rows change, each is in one group, and the groups are those that the rows as they are would be put into.
    #[test]
    fn any_changes_give_the_groups_of_what_is_there() {
        const COUNT: usize = 12;
        let mut rows: Vec<Arc<Row>> =
            (0..COUNT).map(|at| Arc::new(row(&format!("1.{}.0", at / 6), at))).collect();
        let (mut groups, mut states) = (Groups::of(&rows), vec![State::Queued; COUNT]);
        let mut seed = 7_u64;
        for _ in 0..3_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = (seed >> 33) as usize % COUNT;
            let bare = row(&rows[place].version, place);
            let (now, state) = match (seed >> 45) % 6 {
                0 => (hashed(&bare, NEW, 1), State::Mismatch),
                1 => (hashed(&bare, OLD, 1), State::Ok),
                2 => (failed(&bare, "no name"), State::Error),
                3 => (Row { zip: Zip::Cancelled, ..bare }, State::Cancelled),
                4 => (bare, State::Fetching),
                _ => (bare, State::Queued),
            };
            assert!(now.state() == state || state == State::Fetching, "{now:?}");
            (rows[place], states[place]) = (Arc::new(now), state);
            groups.shift(place, &rows[place], state, true);

            let mut told: Vec<usize> = places(&groups).concat();
            told.sort_unstable();
            assert_eq!(told, (0..COUNT).collect::<Vec<_>>());
            assert!(groups.around(place).is_some_and(|group| group.places.contains(&place)));
            for group in groups.all() {
                let same = |place: &usize| states[*place] == states[group.first()];
                assert!(group.places.is_sorted() && group.places.iter().all(same), "{group:?}");
            }
            let ranks: Vec<usize> = groups.all().map(|group| rank(states[group.first()])).collect();
            assert!(ranks.is_sorted());
            if !states.contains(&State::Fetching) {
                assert_eq!(
                    places(&groups),
                    places(&Groups::of(&rows)),
                    "the order in which rows came counts"
                );
            }
        }
    }

    fn shown(groups: &Groups) -> Vec<Vec<usize>> {
        let all: Vec<&Group> = (0..).map_while(|at| groups.shown_at(at)).collect();
        assert_eq!(all.len(), groups.shown_count());
        for (at, group) in all.iter().enumerate() {
            assert!(group.places.iter().all(|place| groups.shown_around(*place) == Some(at)), "{group:?}");
        }
        all.into_iter().map(|group| group.places.clone()).collect()
    }

    fn order(by: TargetSort, is_reversed: bool, only_bad: bool) -> TargetOrder {
        TargetOrder { sort: TableSort { by, is_reversed }, only_bad }
    }

    /// A group shows the rows that the filter finds, and facts about all rows stay.
    #[test]
    fn a_filter_narrows_groups_and_an_order_moves_them_whole() {
        let mut rows: Vec<Row> =
            ["2.0.0", "1.0.0"].iter().flat_map(|version| (0..3).map(|target| row(version, target))).collect();
        for place in [3, 4, 5] {
            rows[place] = hashed(&rows[place], NEW, 1);
        }
        let rows: Vec<Arc<Row>> = rows.into_iter().map(Arc::new).collect();
        let mut groups = Groups::of(&rows);
        assert_eq!(shown(&groups), [[3, 4, 5], [0, 1, 2]]);
        groups.arrange(order(TargetSort::Worst, true, false), None);
        assert_eq!(shown(&groups), [[0, 1, 2], [3, 4, 5]]);
        groups.arrange(order(TargetSort::Address, false, false), None);
        assert_eq!(shown(&groups), [[0, 1, 2], [3, 4, 5]]);
        groups.arrange(order(TargetSort::Worst, false, true), None);
        assert_eq!(shown(&groups), [[3, 4, 5]]);
        groups.arrange(TargetOrder::default(), Some(&|place| place % 3 == 1));
        assert_eq!((shown(&groups), groups.shown_around(3)), (vec![vec![4], vec![1]], None));
        assert_eq!(
            (groups.bad(), groups.all_bad().count(), groups.around(3).map(Group::first)),
            (3, 1, Some(3))
        );
    }

    /// While rows change, each order shows the groups that it would show of the rows as they are.
    #[test]
    fn any_changes_keep_the_order_and_the_filter() {
        const COUNT: usize = 12;
        let is_found: [fn(usize) -> bool; 2] = [|_| true, |place| place % 3 != 1];
        for (by, is_reversed, only_bad, is_found) in [
            (TargetSort::Worst, false, false, is_found[1]),
            (TargetSort::Worst, true, true, is_found[0]),
            (TargetSort::Address, false, false, is_found[0]),
            (TargetSort::Address, true, true, is_found[1]),
        ] {
            let mut rows: Vec<Arc<Row>> =
                (0..COUNT).map(|at| Arc::new(row(&format!("1.{}.0", at / 6), at))).collect();
            let mut groups = Groups::of(&rows);
            let order = order(by, is_reversed, only_bad);
            groups.arrange(order, Some(&is_found));
            let mut seed = 7_u64;
            for _ in 0..1_000 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let place = (seed >> 33) as usize % COUNT;
                let bare = row(&rows[place].version, place);
                let (now, state) = match (seed >> 45) % 4 {
                    0 => (hashed(&bare, NEW, 1), State::Mismatch),
                    1 => (hashed(&bare, OLD, 1), State::Ok),
                    2 => (failed(&bare, "no name"), State::Error),
                    _ => (bare, State::Fetching),
                };
                rows[place] = Arc::new(now);
                groups.shift(place, &rows[place], state, is_found(place));
                let kept = shown(&groups);
                groups.arrange(order, Some(&is_found));
                assert_eq!(kept, shown(&groups), "{order:?}");
            }
        }
    }

    #[test]
    fn the_first_ranks_are_the_bad_ones() {
        for state in [
            State::Mismatch,
            State::BadSignature,
            State::Missing,
            State::Error,
            State::Hashing,
            State::Fetching,
            State::Queued,
            State::Skipped,
            State::Cancelled,
            State::Ok,
        ] {
            assert_eq!(rank(state) < BAD, state.is_bad(), "{state:?}");
        }
    }
}
