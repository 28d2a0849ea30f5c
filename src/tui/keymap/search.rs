//! Finding actions and commands by what somebody types: by key, by name, by what they do.

use crate::tui::keymap::action::Check;
use crate::tui::keymap::commands::{CommandOnly, command_only};
use crate::tui::keymap::{Bindings, Bound, Context, Reason};

/// An action that was found.
#[derive(Clone, Debug)]
pub(crate) struct Hit<'a> {
    pub(crate) bound: &'a Bound,
    /// Why it cannot be run from here now.
    pub(crate) barred: Option<Reason>,
}

/// A result of a search.
#[derive(Clone, Debug)]
pub(crate) enum Found<'a> {
    Action(Hit<'a>),
    /// An action that only the command line has.
    Command(&'static CommandOnly),
    /// Why something is not available: the line that asks.
    Question(String),
}

/// The rank of a result for the typed text; the least is the best. Results with a word that begins with the text, in any place,
/// come before results that have the text inside a word: `lock` before `block`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    is_inside: bool,
    place: Place,
    score: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Here,
    Elsewhere,
    CommandLine,
}

/// The actions of a view that fit what was typed, the best first; after them those of other places, which are barred, and what
/// only the command line does.
pub(crate) fn search<'a>(
    bindings: &'a Bindings,
    check: Check<'_>,
    view: Context,
    typed: &str,
) -> Vec<Found<'a>> {
    let mut found: Vec<(Fit, Found<'a>)> = Vec::new();
    for bound in bindings.within(view) {
        if let Some(fit) = fit(bound, typed, Place::Here) {
            let barred = check(bound.place.command).err();
            found.push((fit, Found::Action(Hit { bound, barred })));
        }
    }
    if !typed.trim().is_empty() {
        found.extend(elsewhere(bindings, view, typed));
    }
    let fit = Fit { is_inside: false, place: Place::CommandLine, score: 0 };
    found.extend(command_only(typed).into_iter().map(|command| (fit, Found::Command(command))));
    found.sort_by_key(|(fit, _)| *fit);
    found.into_iter().map(|(_, found)| found).collect()
}

/// The actions of other views and overlays that fit, once each.
fn elsewhere<'a>(bindings: &'a Bindings, view: Context, typed: &str) -> Vec<(Fit, Found<'a>)> {
    let mut known = Vec::new();
    let mut found = Vec::new();
    for bound in Context::ALL.into_iter().flat_map(|context| bindings.within(context)) {
        let name = bound.action.name;
        if bound.action.place_in(view).is_some() || known.contains(&name) {
            continue;
        }
        if let Some(fit) = fit(bound, typed, Place::Elsewhere) {
            known.push(name);
            let barred = Some(format!("only in {}", bound.context.title()).into());
            found.push((fit, Found::Action(Hit { bound, barred })));
        }
    }
    found
}

/// The rank of an action; `None` if one of the words does not fit at all.
fn fit(bound: &Bound, typed: &str, place: Place) -> Option<Fit> {
    let whole = typed.trim();
    let mut fit = Fit { is_inside: false, place, score: 0 };
    if bound.keys.iter().any(|keys| is_key(keys, whole)) {
        return Some(fit);
    }
    let (name, label) = (bound.action.name, bound.place.label.to_lowercase());
    let keys = bound.shown().to_lowercase();
    fit.score = 1;
    for word in whole.to_lowercase().split_whitespace() {
        let (score, is_inside) = if name.starts_with(word) {
            (1, false)
        } else if name.split('-').any(|part| part.starts_with(word)) {
            (2, false)
        } else if starts_a_word(&label, word) {
            (3, false)
        } else if name.contains(word) || label.contains(word) || keys.contains(word) {
            (4, true)
        } else if word.chars().count() > 1 && is_scattered(name, word) {
            (6, true)
        } else {
            return None;
        };
        fit.score += score;
        fit.is_inside |= is_inside;
    }
    Some(fit)
}

/// `]`, `gg` and `g g` name keys as they are shown; letters keep their case, `ctrl-d` does not mind it.
fn is_key(keys: &[crate::tui::keymap::chord::Chord], typed: &str) -> bool {
    if typed.is_empty() {
        return false;
    }
    let together: String = keys.iter().map(ToString::to_string).collect();
    let query: String = typed.split_whitespace().collect();
    together == query || (query.chars().count() > 2 && together.eq_ignore_ascii_case(&query))
}

fn starts_a_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|part| part.starts_with(word))
}

/// Returns true if the letters of a word are in the text in this order.
fn is_scattered(text: &str, word: &str) -> bool {
    let mut letters = text.chars();
    word.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
