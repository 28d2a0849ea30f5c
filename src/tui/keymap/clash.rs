//! Puts requested keys in place of the table's own, which give way to them, and finds requested keys that would mean two things.

use std::collections::BTreeMap;

use crate::tui::keymap::action::Action;
use crate::tui::keymap::bindings::{Bound, Sequence, shown};
use crate::tui::keymap::spelling::is_kept;
use crate::tui::keymap::{Bindings, Context};

/// A mistake and the byte it stands at.
pub(super) type Found = (usize, String, Option<String>);

/// The keys that a key file requests for an action.
pub(super) struct KeyRequest {
    pub(super) context: Context,
    pub(super) action: &'static Action,
    /// Each with the byte it stands at.
    pub(super) keys: Vec<(Sequence, usize)>,
}

/// One sequence of an action, and the byte of the file it stands at; the table's own have none.
struct Key<'a> {
    bound: &'a Bound,
    keys: &'a Sequence,
    at: Option<usize>,
}

/// Returns the bindings with the requested keys, and where those take keys away from other actions. Requested keys that clash
/// with each other are added to `found`.
pub(super) fn apply(requests: Vec<KeyRequest>, found: &mut Vec<Found>) -> (Bindings, Vec<Found>) {
    let mut bindings = Bindings::default();
    let mut places: Vec<Vec<Option<usize>>> =
        bindings.all().iter().map(|bound| vec![None; bound.keys.len()]).collect();
    for request in requests {
        let all = bindings.all_mut();
        let Some(row) = all
            .iter()
            .position(|bound| bound.context == request.context && bound.action.name == request.action.name)
        else {
            continue;
        };
        let mut keys: Vec<(Sequence, Option<usize>)> =
            request.keys.into_iter().map(|(keys, at)| (keys, Some(at))).collect();
        for own in
            all[row].place.keys.iter().filter_map(|key| crate::tui::keymap::chord::Chord::sequence(key))
        {
            if own.iter().any(|chord| is_kept(*chord)) && !keys.iter().any(|(keys, _)| *keys == own) {
                keys.push((own, None));
            }
        }
        (all[row].keys, places[row]) = keys.into_iter().unzip();
    }
    yield_to_file(&mut bindings, &mut places);
    clashes(&bindings, &places, found);
    let taken = give_way(&mut bindings, &places);
    (bindings, taken)
}

/// The place and action of a requested key, and the byte it stands at.
type Request = (Context, &'static Action, Sequence, usize);

/// Takes the table's own keys away that clash with a requested key, so that a file keeps working when an action gets a new key.
/// Returns a note for each requested key that took something away, with the places.
fn give_way(bindings: &mut Bindings, places: &[Vec<Option<usize>>]) -> Vec<Found> {
    let requested: Vec<Request> = bindings
        .all()
        .iter()
        .zip(places)
        .flat_map(|(bound, places)| {
            let own = bound.keys.iter().zip(places).filter_map(|(keys, at)| Some((keys.clone(), (*at)?)));
            own.map(|(keys, at)| (bound.context, bound.action, keys, at))
        })
        .collect();
    let mut taken: BTreeMap<(usize, &str), (String, Vec<String>)> = BTreeMap::new();
    for (bound, places) in bindings.all_mut().iter_mut().zip(places) {
        let mut kept = Vec::new();
        for (own, at) in std::mem::take(&mut bound.keys).into_iter().zip(places) {
            let clashes = |(context, action, keys, _): &&Request| {
                let is_other = *context == bound.context && action.name != bound.action.name;
                is_other && (own.starts_with(keys) || keys.starts_with(&own))
            };
            let Some((context, action, keys, at)) = requested.iter().filter(|_| at.is_none()).find(clashes)
            else {
                kept.push(own);
                continue;
            };
            let text = format!(
                "`{}` is your key of `{}`, so `{}` is not a key of `{}`",
                shown(keys),
                action.name,
                shown(&own),
                bound.action.name
            );
            let place = format!("`[{}]`", context.name());
            let (_, places) = taken.entry((*at, bound.action.name)).or_insert_with(|| (text, Vec::new()));
            if !places.contains(&place) {
                places.push(place);
            }
        }
        bound.keys = kept;
    }
    let note = |((at, name), (text, places)): ((usize, &str), (String, Vec<String>))| {
        let hint = format!("Give `{name}` another key there, or take another one for yours.");
        (at, format!("{text} in {}", places.join(", ")), Some(hint))
    };
    taken.into_iter().map(note).collect()
}

/// Takes the table's keys for moving in a form away where the file gives them to something else: the file may be older than
/// forms, and its keys win.
fn yield_to_file(bindings: &mut Bindings, places: &mut [Vec<Option<usize>>]) {
    let form = bindings.all_mut().iter_mut().zip(places).filter(|(bound, _)| bound.context == Context::Form);
    let mut form: Vec<(&mut Bound, &mut Vec<Option<usize>>)> = form.collect();
    let is_of_file = |(bound, places): &(&mut Bound, &mut Vec<Option<usize>>)| {
        let keys = bound.keys.iter().zip(places.iter());
        keys.filter(|(_, at)| at.is_some()).map(|(keys, _)| keys.clone()).collect::<Vec<Sequence>>()
    };
    let wanted: Vec<Sequence> = form.iter().flat_map(is_of_file).collect();
    for (bound, places) in &mut form {
        if is_new_with_forms(bound.action.name) && places.iter().all(Option::is_none) {
            bound.keys.retain(|keys| !wanted.contains(keys));
            places.truncate(bound.keys.len());
        }
    }
}

/// Returns true for the actions that the fields before forms did not have.
fn is_new_with_forms(name: &str) -> bool {
    matches!(
        name,
        "next-field"
            | "previous-field"
            | "edit-text"
            | "next-line"
            | "previous-line"
            | "next-page"
            | "previous-page"
    )
}

fn clashes(bindings: &Bindings, places: &[Vec<Option<usize>>], found: &mut Vec<Found>) {
    let all: Vec<Key<'_>> = bindings
        .all()
        .iter()
        .zip(places)
        .flat_map(|(bound, places)| {
            bound.keys.iter().zip(places).map(move |(keys, at)| Key { bound, keys, at: *at })
        })
        .collect();
    for (place, first) in all.iter().enumerate() {
        for second in all[place + 1..].iter().filter(|other| other.bound.context == first.bound.context) {
            if !first.keys.starts_with(second.keys) && !second.keys.starts_with(first.keys) {
                continue;
            }
            // The later one of a file is told; the table's own keys give way.
            let (later, other) = if first.at > second.at { (first, second) } else { (second, first) };
            if let (Some(at), Some(_)) = (later.at, other.at)
                && !found.iter().any(|(known, _, _)| *known == at)
            {
                found.push(tell(at, later, other));
            }
        }
    }
}

fn tell(at: usize, later: &Key<'_>, other: &Key<'_>) -> Found {
    let (keys, others) = (shown(later.keys), shown(other.keys));
    let (name, place) = (other.bound.action.name, later.bound.context.name());
    let text = if later.bound.action.name == other.bound.action.name {
        format!("`{keys}` and `{others}` of the same action: one of them can never be pressed whole")
    } else if keys == others {
        format!("`{keys}` is the key of `{name}` in `[{place}]` already")
    } else if others.len() > keys.len() {
        format!("`{keys}` begins `{others}` of `{name}` in `[{place}]`, which could then never be pressed")
    } else {
        format!(
            "`{keys}` begins with `{others}`, the key of `{name}` in `[{place}]`, and could never be pressed whole"
        )
    };
    let hint = format!("Take another key, or give `{name}` another one too.");
    (at, text, Some(hint))
}
