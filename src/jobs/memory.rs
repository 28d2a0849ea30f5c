//! The memory of a console between runs: its views for all registries, its marks and its look at the list for each registry
//! apart. One console writes; a second one reads and keeps none.

use std::sync::Arc;

use crate::jobs::Env;
use crate::jobs::context::Context;
use crate::jobs::data::{Failure, FailureKind, JobEvent, Summary};
use crate::rules::memory;
use crate::rules::memory::{Memory, is_of_registry, saved_by_hand};
use crate::rules::notice::Notice;
use crate::store::{Error, RegistryKey, State};

/// Says everything that is remembered; nothing where there is no state.
pub(crate) fn recall(env: &Arc<Env>, context: &Context) -> Result<Summary, Failure> {
    let registry = env.registry_name();
    let read = env.state().as_mut().map(|state| read(state, &env.world, registry.as_deref()));
    let read = read.transpose().map_err(|error| failed("reading what was saved", &error))?;
    let (memory, dropped) = read.unwrap_or_default();
    if let Some(words) = dropped {
        context.send(JobEvent::Note(words));
    }
    context.send(JobEvent::Recalled(memory));
    Ok(Summary::default())
}

/// Remembers values. A console that may not write has reported that at its start, and continues. Values that the user saves by
/// hand are a failure then.
pub(crate) fn remember(env: &Arc<Env>, values: &Memory) -> Result<Summary, Failure> {
    let registry = env.registry_name();
    let kept = env.state().as_mut().map(|state| write(state, &env.world, registry.as_deref(), values));
    match kept {
        None | Some(Err(Error::ReadOnly { .. })) if saved_by_hand(values) => {
            let why = env.state_notice.clone().unwrap_or_else(|| "nothing is saved from here".into());
            let remedy = match kept {
                Some(Err(Error::ReadOnly { because, .. })) => because.remedy(),
                _ => "Name a folder that can be written with --state-dir.",
            };
            Err(Failure::new(FailureKind::Conflict, "keeping what was saved for the next start")
                .cause(why)
                .hint(remedy))
        }
        Some(Ok(()) | Err(Error::ReadOnly { .. })) | None => Ok(Summary::default()),
        Some(Err(error)) => Err(failed("remembering", &error)),
    }
}

/// The notices that are kept; none where they cannot be read, since they decide nothing.
pub(super) fn notices(env: &Env) -> Vec<Notice> {
    let memory = env.state().as_ref().and_then(|state| state.load_session(&env.world).ok());
    memory.map(|memory| memory::notices(&memory)).unwrap_or_default()
}

/// Everything that is remembered, and what had to be dropped of what an earlier bumpdesk kept without the registry it belongs
/// to, in words. Said once, by the console that writes.
fn read(state: &mut State, world: &str, registry: Option<&str>) -> Result<(Memory, Option<String>), Error> {
    let mut memory = state.load_session(world)?;
    let old: Memory = memory.extract_if(.., |name, _| is_of_registry(name)).collect();
    let Some(registry) = registry else { return Ok((memory, None)) };
    let of = RegistryKey { world, registry };
    let mut own = state.load_registry_session(of)?;
    if old.is_empty() || state.is_read_only() {
        memory.extend(own);
        return Ok((memory, None));
    }
    let carried: Memory =
        memory::carried_over(&old).into_iter().filter(|(name, _)| !own.contains_key(name)).collect();
    state.save_registry_session(of, &carried)?;
    state.save_session(world, &old.keys().map(|name| (name.clone(), String::new())).collect())?;
    own.extend(carried);
    memory.extend(own);
    let dropped = match memory::marks(&old).len() {
        0 => None,
        1 => Some("1 mark was".to_owned()),
        many => Some(format!("{many} marks were")),
    };
    let words = |count| {
        format!(
            "{count} dropped: an earlier bumpdesk kept them without saying for which registry; mark them again"
        )
    };
    Ok((memory, dropped.map(words)))
}

fn write(state: &mut State, world: &str, registry: Option<&str>, values: &Memory) -> Result<(), Error> {
    let (own, shared): (Memory, Memory) = values
        .iter()
        .map(|(name, text)| (name.clone(), text.clone()))
        .partition(|(name, _)| is_of_registry(name));
    if !shared.is_empty() {
        state.save_session(world, &shared)?;
    }
    match registry {
        Some(registry) if !own.is_empty() => {
            state.save_registry_session(RegistryKey { world, registry }, &own)
        }
        _ => Ok(()),
    }
}

fn failed(doing: &str, error: &Error) -> Failure {
    Failure::new(FailureKind::Internal, doing)
        .cause(error.to_string())
        .hint("Check the state folder; the console works without it.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Address;
    use crate::rules::memory::{ListState, Look};

    const WORLD: &str = "https://github.com";

    fn state(folder: &tempfile::TempDir) -> State {
        State::open(&folder.path().join("state.sqlite3")).unwrap()
    }

    fn marked(address: &str) -> Memory {
        let mut memory = Memory::new();
        memory::put_marks(&mut memory, [Address::parse(address).unwrap()].iter());
        memory
    }

    #[test]
    fn two_checkouts_share_views_and_no_marks() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = state(&folder);
        let mut values = marked("a/b");
        memory::put_history(&mut values, &["ns:a".into()]);
        write(&mut state, WORLD, Some("/one"), &values).unwrap();
        let (one, _) = read(&mut state, WORLD, Some("/one")).unwrap();
        assert_eq!(one, values);
        for (world, registry) in [(WORLD, Some("/two")), (WORLD, None), ("other", Some("/one"))] {
            let (other, words) = read(&mut state, world, registry).unwrap();
            assert!(memory::marks(&other).is_empty() && words.is_none(), "{world} {registry:?}");
            assert_eq!(memory::history(&other).len(), usize::from(world == WORLD));
        }
        // Each keeps its own.
        write(&mut state, WORLD, Some("/two"), &marked("c/d")).unwrap();
        assert_eq!(memory::marks(&read(&mut state, WORLD, Some("/one")).unwrap().0), memory::marks(&values));
    }

    /// Marks without a registry are dropped with a note, once; the order of the list is kept.
    #[test]
    fn what_was_kept_without_its_registry_is_never_misapplied() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = state(&folder);
        let mut old = marked("a/b");
        let list = ListState { no_preview: true, ..ListState::default() };
        memory::put_list(&mut old, &list);
        memory::put_look(&mut old, &Look::default());
        memory::put_history(&mut old, &["ns:a".into()]);
        first.save_session(WORLD, &old).unwrap();
        let mut second = state(&folder);
        assert!(second.is_read_only());
        let (memory, words) = read(&mut second, WORLD, Some("/one")).unwrap();
        assert!(memory::marks(&memory).is_empty() && words.is_none());
        let (memory, words) = read(&mut first, WORLD, Some("/one")).unwrap();
        assert!(words.unwrap().starts_with("1 mark was dropped: "));
        assert!(memory::marks(&memory).is_empty() && memory::look(&memory).is_none());
        assert_eq!((memory::list(&memory), memory::history(&memory).len()), (list, 1));
        assert_eq!(read(&mut first, WORLD, Some("/one")).unwrap(), (memory, None));
        let (other, _) = read(&mut first, WORLD, Some("/two")).unwrap();
        assert_eq!(memory::list(&other), ListState::default());
    }
}
