//! What a maintainer's console keeps between runs, as texts under names: views, notices, marks, the list as it was left, what needed
//! attention at the last look, which cards were on the stranded board. Only its meaning lives here; `jobs` reads and writes it, and what cannot be read is as if it
//! had never been kept.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::registry::Address;
use crate::rules::activity::Activity;
use crate::rules::notice::{NOTICE_LIMIT, Notice};
use crate::rules::order::{Group, Sort};
use crate::rules::stranded::Card;
use crate::rules::view::{VIEW_LIMIT, View};

/// Texts (JSON) under names. An empty text means that the name is forgotten.
pub(crate) type Memory = BTreeMap<String, String>;

/// Filters that were typed.
pub(crate) const HISTORY_LIMIT: usize = 50;
/// Entries of the last look beyond this many are not kept.
const LOOK_LIMIT: usize = 20_000;

const VIEWS: &str = "inventory.views";
const NOTICES: &str = "notices";
const MARKS: &str = "inventory.marks";
const LIST: &str = "inventory.list";
const HISTORY: &str = "inventory.filters";
const LOOK: &str = "inventory.look";
const STRANDED: &str = "stranded.seen";
const ACTIVITY: &str = "inventory.activity";

/// Whether what is kept under a name is about one registry, and means nothing in another checkout. Views and filters are of
/// use in all of them.
pub(crate) fn is_of_registry(name: &str) -> bool {
    matches!(name, MARKS | LIST | LOOK | STRANDED | ACTIVITY)
}

/// What of a memory that was kept without its registry may be carried over to whichever is opened: how the list is sorted
/// and folded misleads nobody. Marks and the last look would stand on entries that nobody marked or saw here.
pub(crate) fn carried_over(without_registry: &Memory) -> Memory {
    without_registry
        .iter()
        .filter(|(name, _)| *name == LIST)
        .map(|(n, text)| (n.clone(), text.clone()))
        .collect()
}

/// The way in which two panes of a view share its room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Divider {
    /// Steps by which it was moved to the right or down; negative to the left or up.
    pub(crate) steps: i8,
    /// The pane with the keys has the whole view.
    pub(crate) is_zoomed: bool,
}

/// The list as it was left. Its filter is not kept: a console that opens shows everything, and the filter is among those typed
/// before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ListState {
    pub(crate) sort: Sort,
    pub(crate) group: Group,
    /// Titles of the groups that are folded.
    pub(crate) folded: BTreeSet<String>,
    pub(crate) no_preview: bool,
    /// The theme that was chosen by key.
    pub(crate) theme: Option<String>,
    /// The dividers that were moved, by the names of their views.
    pub(crate) dividers: BTreeMap<String, Divider>,
    /// The notes on keys of the key file that other actions had, as they were shown.
    pub(crate) key_notes: BTreeSet<String>,
}

/// What needed attention when the maintainer looked last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Look(BTreeSet<u32>);

impl Look {
    pub(crate) fn of<'a>(addresses: impl Iterator<Item = &'a Address>) -> Self {
        Self(addresses.take(LOOK_LIMIT).map(short).collect())
    }

    /// Whether the entry needed attention then. One in four billion others is taken for it.
    pub(crate) fn has(&self, address: &Address) -> bool {
        self.0.contains(&short(address))
    }
}

/// The cards of the stranded board at the last visit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SeenCards(BTreeSet<u32>);

impl SeenCards {
    pub(crate) fn of<'a>(cards: impl Iterator<Item = &'a Card>) -> Self {
        Self(cards.take(LOOK_LIMIT).map(|card| mixed(&card.key())).collect())
    }

    /// Whether it was there then, in the column where it is now.
    pub(crate) fn has(&self, card: &Card) -> bool {
        self.0.contains(&mixed(&card.key()))
    }
}

/// Four bytes that stand for an address: thousands of addresses stay small.
fn short(address: &Address) -> u32 {
    mixed(&address.to_string())
}

/// FNV-1a.
fn mixed(text: &str) -> u32 {
    let mix = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, mix)
}

fn read<T: DeserializeOwned>(memory: &Memory, name: &str) -> Option<T> {
    serde_json::from_str(memory.get(name)?).ok()
}

fn put<T: Serialize>(memory: &mut Memory, name: &str, value: &T) {
    // Plain values with string keys: writing them cannot fail.
    memory.insert(name.to_owned(), serde_json::to_string(value).unwrap_or_default());
}

/// Whether somebody saved something of this by hand, and counts on finding it again.
pub(crate) fn saved_by_hand(memory: &Memory) -> bool {
    memory.contains_key(VIEWS) || memory.contains_key(NOTICES)
}

/// The saved views; one that a later bumpdesk wrote in another form is left out.
pub(crate) fn views(memory: &Memory) -> Vec<View> {
    let values: Vec<serde_json::Value> = read(memory, VIEWS).unwrap_or_default();
    values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).take(VIEW_LIMIT).collect()
}

/// Has the views count as not kept.
pub(crate) fn forget_views(memory: &mut Memory) {
    memory.remove(VIEWS);
}

pub(crate) fn put_views(memory: &mut Memory, views: &[View]) {
    put(memory, VIEWS, &views);
}

/// The notices that are kept; one that a later bumpdesk wrote in another form is left out.
pub(crate) fn notices(memory: &Memory) -> Vec<Notice> {
    let values: Vec<serde_json::Value> = read(memory, NOTICES).unwrap_or_default();
    values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).take(NOTICE_LIMIT).collect()
}

pub(crate) fn put_notices(memory: &mut Memory, notices: &[Notice]) {
    put(memory, NOTICES, &notices);
}

pub(crate) fn marks(memory: &Memory) -> BTreeSet<Address> {
    let texts: Vec<String> = read(memory, MARKS).unwrap_or_default();
    texts.iter().filter_map(|text| Address::parse(text).ok()).collect()
}

/// Keeps marks, however many they are.
pub(crate) fn put_marks<'a>(memory: &mut Memory, marks: impl Iterator<Item = &'a Address>) {
    put(memory, MARKS, &marks.map(Address::to_string).collect::<Vec<_>>());
}

pub(crate) fn list(memory: &Memory) -> ListState {
    read(memory, LIST).unwrap_or_default()
}

pub(crate) fn put_list(memory: &mut Memory, list: &ListState) {
    put(memory, LIST, list);
}

/// The filters that were typed, the newest last.
pub(crate) fn history(memory: &Memory) -> Vec<String> {
    let mut texts: Vec<String> = read(memory, HISTORY).unwrap_or_default();
    texts.drain(..texts.len().saturating_sub(HISTORY_LIMIT));
    texts
}

pub(crate) fn put_history(memory: &mut Memory, texts: &[String]) {
    put(memory, HISTORY, &texts[texts.len().saturating_sub(HISTORY_LIMIT)..].to_vec());
}

/// What needed attention at the last look; `None` if there was no look yet.
pub(crate) fn look(memory: &Memory) -> Option<Look> {
    read(memory, LOOK)
}

pub(crate) fn put_look(memory: &mut Memory, look: &Look) {
    put(memory, LOOK, look);
}

/// The stranded board at the last visit; `None` if there was none yet.
pub(crate) fn seen_cards(memory: &Memory) -> Option<SeenCards> {
    read(memory, STRANDED)
}

pub(crate) fn put_seen_cards(memory: &mut Memory, seen: &SeenCards) {
    put(memory, STRANDED, seen);
}

/// The files that bumps changed, as they were counted last; `None` if they never were.
pub(crate) fn activity(memory: &Memory) -> Option<Activity> {
    read(memory, ACTIVITY)
}

pub(crate) fn put_activity(memory: &mut Memory, activity: &Activity) {
    put(memory, ACTIVITY, activity);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    #[test]
    fn what_is_put_is_read() {
        let mut memory = Memory::new();
        let view = View { name: "x".into(), filter: "ns:y".into(), sort: Sort::Behind, group: Group::Kind };
        put_views(&mut memory, std::slice::from_ref(&view));
        let both = [address("a/b"), address("a/b/c")];
        put_marks(&mut memory, both.iter());
        let state = ListState { sort: Sort::Oldest, folded: ["OK".into()].into(), ..ListState::default() };
        put_list(&mut memory, &state);
        put_history(&mut memory, &["a".into(), "b".into()]);
        put_look(&mut memory, &Look::of(both.iter().take(1)));
        let counts = Activity { commit: "f00f6d5".into(), today: 20_778, files: Some([3; 30]) };
        put_activity(&mut memory, &counts);
        assert_eq!(views(&memory), [view]);
        assert_eq!(activity(&memory), Some(counts));
        assert_eq!(marks(&memory), both.iter().cloned().collect());
        assert_eq!(list(&memory), state);
        assert_eq!(history(&memory), ["a", "b"]);
        let look = look(&memory).unwrap();
        assert!(look.has(&both[0]) && !look.has(&both[1]));
    }

    #[test]
    fn what_cannot_be_read_was_never_kept() {
        let mut memory: Memory = [VIEWS, MARKS, LIST, HISTORY, LOOK, ACTIVITY]
            .map(|name| (name.to_owned(), "[{]".to_owned()))
            .into();
        assert!(views(&memory).is_empty() && marks(&memory).is_empty() && history(&memory).is_empty());
        assert_eq!((list(&memory), look(&memory), activity(&memory)), (ListState::default(), None, None));
        for odd in [r#"{"commit":"a","today":1,"files":[1,2]}"#, r#"{"commit":"a","today":"x","files":null}"#]
        {
            memory.insert(ACTIVITY.into(), odd.into());
            assert_eq!(activity(&memory), None, "{odd}");
        }
        memory.insert(
            VIEWS.into(),
            r#"[{"name":"a","filter":"x","sort":"moonwise"},{"name":"b","filter":"y"}]"#.into(),
        );
        assert_eq!(views(&memory).iter().map(|view| view.name.as_str()).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn marks_are_kept_all_of_them() {
        let mut memory = Memory::new();
        let many: BTreeSet<Address> = (0..30_000).map(|at| Address::provider("n", &at.to_string())).collect();
        put_marks(&mut memory, many.iter());
        assert_eq!(marks(&memory), many);
    }

    #[test]
    fn marks_and_looks_belong_to_a_registry() {
        let mut memory = Memory::new();
        put_views(&mut memory, &[]);
        put_history(&mut memory, &[]);
        assert!(!memory.keys().any(|name| is_of_registry(name)));
        let mut memory = Memory::new();
        put_marks(&mut memory, [address("a/b")].iter());
        put_look(&mut memory, &Look::default());
        put_activity(&mut memory, &Activity { commit: "f00f6d5".into(), today: 20_778, files: None });
        assert_eq!(carried_over(&memory), Memory::new());
        put_list(&mut memory, &ListState::default());
        assert!(memory.keys().all(|name| is_of_registry(name)));
        assert_eq!(carried_over(&memory).len(), 1);
    }
}
