//! The action table for people and programs: `bumpdesk keys`, the manual page, the manual.

use crate::desk::ability::Ability;
use crate::tui::keymap::action::{Action, Place};
use crate::tui::keymap::bindings::Sequence;
use crate::tui::keymap::chord::Chord;
use crate::tui::keymap::{Context, Keyboard, KeysFile, Mistake, bindings, table};

/// One action in one or more contexts where it has the same keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Kebab case; the palette's entry is this after a colon.
    pub name: &'static str,
    /// The effect of the action there, in a few words.
    pub label: &'static str,
    /// The place where the keys apply, for people: `Inventory, one entry`, `every view`.
    pub place: String,
    /// The names of that place in the key file.
    pub contexts: Vec<&'static str>,
    /// Each as it is printed: `g g`, `Home`.
    pub keys: Vec<String>,
    /// The ability of the action, or the first one if its places have several.
    pub(crate) ability: Option<Ability>,
    /// The command line that does the same; `None` for what only a screen can do.
    pub command: Option<&'static str>,
}

/// All rows, in the order of the `?` page, then the mistakes in the key file, and notes on the keys that it takes from other
/// actions. With any mistake the keys are the table's own.
pub fn keys(file: Option<&KeysFile>) -> (Vec<KeyRow>, Vec<Mistake>, Vec<Mistake>) {
    let keyboard = Keyboard::read(file);
    let mut actions: Vec<&'static Action> = table::TABLE.iter().collect();
    actions.sort_by_key(|action| action.section);
    let rows = actions
        .into_iter()
        .flat_map(|action| action.places().flat_map(|place| rows_of(&keyboard, action, place)));
    (rows.collect(), keyboard.mistakes.clone(), keyboard.taken.clone())
}

/// A row for each group of contexts with the same keys; one, unless a key file said otherwise.
fn rows_of(keyboard: &Keyboard, action: &'static Action, place: &'static Place) -> Vec<KeyRow> {
    let mut groups: Vec<(Vec<Context>, &[Sequence])> = Vec::new();
    for bound in keyboard.bindings.all() {
        if bound.action.name != action.name || !place.contexts.contains(&bound.context) {
            continue;
        }
        match groups.iter_mut().find(|(_, keys)| *keys == bound.keys) {
            Some((contexts, _)) => contexts.push(bound.context),
            None => groups.push((vec![bound.context], &bound.keys)),
        }
    }
    let row = |(contexts, keys): (Vec<Context>, &[Sequence])| KeyRow {
        name: action.name,
        label: place.label,
        place: title(&contexts),
        contexts: contexts.iter().map(|context| context.name()).collect(),
        keys: keys.iter().map(|keys: &Vec<Chord>| bindings::shown(keys)).collect(),
        ability: action.ability(),
        command: place.line,
    };
    groups.into_iter().map(row).collect()
}

fn title(contexts: &[Context]) -> String {
    let views = Context::ALL.into_iter().filter(|context| !context.is_overlay()).count();
    let in_views = contexts.iter().filter(|context| !context.is_overlay()).count();
    if contexts.len() == Context::ALL.len() {
        "everywhere".into()
    } else if contexts.len() == in_views && in_views == views {
        "every view".into()
    } else {
        contexts.iter().map(|context| context.title()).collect::<Vec<_>>().join(", ")
    }
}
