//! Puts requested keys in place of the table's own, and finds keys that would then mean two things.

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

/// Returns the bindings with the requested keys. Clashes are added to `found`.
pub(super) fn apply(requests: Vec<KeyRequest>, found: &mut Vec<Found>) -> Bindings {
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
    clashes(&bindings, &places, found);
    bindings
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
            // The later one of a file is told; what the table says is not the mistake.
            let (later, other) = if first.at > second.at { (first, second) } else { (second, first) };
            if let Some(at) = later.at
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
