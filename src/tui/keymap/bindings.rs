//! The keys of each action now: the table's own, or those of the user's key file in their place; and the meaning of a
//! pressed key.

use crate::desk::ability::Ability;
use crate::tui::keymap::action::{Action, Check, Command, HintKeys, Place, Reason};
use crate::tui::keymap::chord::{Chord, Key};
use crate::tui::keymap::{Context, table};

/// Keys that are pressed one after the other: `g g`.
pub(crate) type Sequence = Vec<Chord>;

/// One action in one context, with its keys.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) context: Context,
    pub(crate) action: &'static Action,
    pub(crate) place: &'static Place,
    pub(crate) keys: Vec<Sequence>,
}

impl Bound {
    /// Its first key: `g g`. The name of the action if it has none.
    pub(crate) fn key(&self) -> String {
        self.keys.first().map_or_else(|| format!(":{}", self.action.name), |keys| shown(keys))
    }

    /// All its keys, for people: `g g, Home`.
    pub(crate) fn shown(&self) -> String {
        self.keys.iter().map(|keys| shown(keys)).collect::<Vec<_>>().join(", ")
    }
}

/// A sequence for people: `g g`.
pub(crate) fn shown(keys: &[Chord]) -> String {
    keys.iter().map(Chord::to_string).collect::<Vec<_>>().join(" ")
}

/// A sequence where there is little room: `gg`.
fn close(keys: &[Chord]) -> String {
    keys.iter().map(Chord::to_string).collect()
}

/// All keys, within each context by section, and else in the table's order.
#[derive(Clone, Debug)]
pub(crate) struct Bindings {
    bound: Vec<Bound>,
}

impl Default for Bindings {
    fn default() -> Self {
        let bind = |context: Context| {
            table::TABLE.iter().filter_map(move |action| {
                let place = action.place_in(context)?;
                let keys = place.keys.iter().filter_map(|text| Chord::sequence(text)).collect();
                Some(Bound { context, action, place, keys })
            })
        };
        let in_order = |context| {
            let mut bound: Vec<Bound> = bind(context).collect();
            bound.sort_by_key(|bound| bound.action.section);
            bound
        };
        Self { bound: Context::ALL.into_iter().flat_map(in_order).collect() }
    }
}

/// The meaning of the keys pressed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Does(Command),
    /// The start of a sequence.
    Begins,
    /// Known here, but not possible now, and why.
    Refused(Reason),
    Nothing,
}

impl Bindings {
    /// The actions of one context, possible or not.
    pub(crate) fn within(&self, context: Context) -> impl Iterator<Item = &Bound> {
        self.bound.iter().filter(move |bound| bound.context == context)
    }

    pub(super) fn all(&self) -> &[Bound] {
        &self.bound
    }

    pub(super) fn all_mut(&mut self) -> &mut [Bound] {
        &mut self.bound
    }

    /// The place that does a command, or takes the step to its ability: in this context, or else the first one with keys.
    fn find(&self, context: Context, command: Command) -> Option<&Bound> {
        let takes = |bound: &&Bound| bound.place.takes(command);
        let has_keys = |bound: &&Bound| !bound.keys.is_empty();
        let here = self.within(context).filter(takes).find(has_keys);
        here.or_else(|| self.bound.iter().filter(takes).find(has_keys))
            .or_else(|| self.bound.iter().find(takes))
    }

    /// The first key of a command in a context, or where else it has one: `x`. The name of the action if it has none.
    pub(crate) fn first(&self, context: Context, command: impl Into<Command>) -> String {
        self.find(context, command.into()).expect("every command has a place: the tests see to it").key()
    }

    /// The place of the step to an ability: in this context, or else its home, the first place of the table.
    pub(crate) fn step(&self, context: Context, ability: Ability) -> Option<&Bound> {
        self.find(context, ability.into())
    }

    /// The keys that a hint shows: `j/k`; empty if the action has none here.
    pub(crate) fn hinted(&self, bound: &Bound) -> String {
        let Some(hint) = &bound.place.hint else { return String::new() };
        let Some(first) = bound.keys.first() else { return String::new() };
        let other = |command| {
            let second = self.within(bound.context).find(|bound| bound.place.command == command);
            second.and_then(|bound| bound.keys.first())
        };
        match hint.keys {
            HintKeys::Begin => first.first().map(Chord::to_string).unwrap_or_default(),
            HintKeys::With(command) => match other(command) {
                Some(second) => format!("{}/{}", close(first), close(second)),
                None => close(first),
            },
            HintKeys::First => close(first),
        }
    }

    /// The continuations of the pressed keys: each next key, and the place whose keys begin so.
    pub(crate) fn followers(&self, context: Context, pressed: &[Chord]) -> Vec<(Chord, &Bound)> {
        let follows = |bound: &'_ Bound| {
            let next = |keys: &Sequence| keys.strip_prefix(pressed)?.first().copied();
            bound.keys.iter().filter_map(next).collect::<Vec<_>>()
        };
        self.within(context)
            .flat_map(|bound| follows(bound).into_iter().map(move |next| (next, bound)))
            .collect()
    }

    /// Returns true if keys open a field in this view, or in another one where they mean nothing here.
    pub(crate) fn asks_for_field(&self, context: Context, pressed: &[Chord]) -> bool {
        let is_it = |bound: &&Bound| bound.keys.iter().any(|keys| keys == pressed);
        let elsewhere = || self.bound.iter().filter(|bound| !bound.context.is_overlay()).find(is_it);
        let bound = self.within(context).find(is_it).or_else(elsewhere);
        bound.is_some_and(|bound| bound.place.command.opens_field())
    }

    /// Returns true for the keys that a pasted text may begin with: `/` and `:`, where they open a filter, a search or the palette.
    pub(crate) fn opens_search(&self, context: Context, chord: Chord) -> bool {
        let opens = |bound: &Bound| matches!(bound.place.command, Command::Filter | Command::Palette);
        matches!(chord.key, Key::Char('/' | ':'))
            && self
                .within(context)
                .any(|bound| opens(bound) && bound.keys.iter().any(|keys| *keys == [chord]))
    }

    /// Looks the keys up in a context.
    pub(crate) fn lookup(&self, check: Check<'_>, context: Context, pressed: &[Chord]) -> Meaning {
        let mut meaning = Meaning::Nothing;
        for bound in self.within(context) {
            if bound.keys.iter().any(|keys| keys == pressed) {
                return match check(bound.place.command) {
                    Ok(()) => Meaning::Does(bound.place.command),
                    Err(why) => Meaning::Refused(why),
                };
            }
            if bound.keys.iter().any(|keys| keys.starts_with(pressed)) {
                meaning = Meaning::Begins;
            }
        }
        meaning
    }
}
