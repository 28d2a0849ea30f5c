//! Finding actions by what somebody types: by key, by name, by what they do.

use crate::tui::keymap::action::Legal;
use crate::tui::keymap::{Bindings, Bound, Context, Reason};

/// An action that was found.
#[derive(Clone, Debug)]
pub(crate) struct Hit<'a> {
    pub(crate) bound: &'a Bound,
    /// Why it cannot be run from here now.
    pub(crate) barred: Option<Reason>,
}

/// The actions of a view that fit what was typed, the best first; after them those of other places, which are barred.
pub(crate) fn search<'a>(
    bindings: &'a Bindings,
    legal: Legal<'_>,
    view: Context,
    typed: &str,
) -> Vec<Hit<'a>> {
    let mut hits: Vec<(u32, Hit<'a>)> = Vec::new();
    for bound in bindings.within(view) {
        if let Some(score) = score(bound, typed) {
            let barred = legal(bound.action.need).err();
            hits.push((score, Hit { bound, barred }));
        }
    }
    hits.sort_by_key(|(score, _)| *score);
    let mut hits: Vec<Hit<'a>> = hits.into_iter().map(|(_, hit)| hit).collect();
    if !typed.trim().is_empty() {
        hits.extend(elsewhere(bindings, view, typed));
    }
    hits
}

/// What other views and overlays can do, once each.
fn elsewhere<'a>(bindings: &'a Bindings, view: Context, typed: &str) -> Vec<Hit<'a>> {
    let mut hits: Vec<(u32, Hit<'a>)> = Vec::new();
    for bound in Context::ALL.into_iter().flat_map(|context| bindings.within(context)) {
        let known = bound.action.place_in(view).is_some()
            || hits.iter().any(|(_, hit)| hit.bound.action.command == bound.action.command);
        if let Some(score) = score(bound, typed).filter(|_| !known) {
            let barred = Some(format!("only in {}", bound.context.title()).into());
            hits.push((score, Hit { bound, barred }));
        }
    }
    hits.sort_by_key(|(score, _)| *score);
    hits.into_iter().map(|(_, hit)| hit).collect()
}

/// How well an action fits, the least the best; `None` if some word is not in it at all.
fn score(bound: &Bound, typed: &str) -> Option<u32> {
    let whole = typed.trim();
    if bound.keys.iter().any(|keys| is_key(keys, whole)) {
        return Some(0);
    }
    let (name, label) = (bound.action.name, bound.label().to_lowercase());
    let keys = bound.shown().to_lowercase();
    whole.to_lowercase().split_whitespace().try_fold(1, |sum, word| {
        let found = if name.starts_with(word) {
            1
        } else if name.split('-').any(|part| part.starts_with(word)) {
            2
        } else if starts_a_word(&label, word) {
            3
        } else if name.contains(word) || label.contains(word) || keys.contains(word) {
            4
        } else if word.chars().count() > 1 && is_scattered(name, word) {
            6
        } else {
            return None;
        };
        Some(sum + found)
    })
}

/// `]`, `gg` and `g g` name keys as they are shown; letters keep their case, `ctrl-d` does not mind it.
fn is_key(keys: &[crate::tui::keymap::chord::Chord], typed: &str) -> bool {
    if typed.is_empty() {
        return false;
    }
    let together: String = keys.iter().map(ToString::to_string).collect();
    let asked: String = typed.split_whitespace().collect();
    together == asked || (asked.chars().count() > 2 && together.eq_ignore_ascii_case(&asked))
}

fn starts_a_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word))
}

/// Whether the letters of a word stand in the text in this order.
fn is_scattered(text: &str, word: &str) -> bool {
    let mut letters = text.chars();
    word.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
