//! Views: a filter, an order and a grouping under a name. Some are built in, others a maintainer saved. All faces offer the
//! same ones; keeping them is `jobs`' part.

use serde::{Deserialize, Serialize};

use crate::rules::order::{Group, Sort};
use crate::rules::plain_text::is_plain;
use crate::rules::spelling::nearest;

/// A filter, an order and a grouping under a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct View {
    pub(crate) name: String,
    /// The text of the filter.
    pub(crate) filter: String,
    #[serde(default)]
    pub(crate) sort: Sort,
    #[serde(default)]
    pub(crate) group: Group,
}

/// The longest name, in characters.
const NAME_LIMIT: usize = 40;
/// More views than this are not kept.
pub(crate) const VIEW_LIMIT: usize = 100;

const BUILT_IN: [(&str, &str, &str); 13] = [
    ("all", "", "everything"),
    ("attention", "is:attention", "what somebody should look at"),
    ("new", "is:new", "needs attention since last look"),
    ("behind", "status:behind", "the next bump adds a newer version"),
    ("stranded", "status:stranded", "a version that no bump will take"),
    ("drift", "status:drifted", "a stored checksum differs upstream"),
    ("gone", "status:repo-gone,gone-upstream,moved", "repository or version gone, moved"),
    ("blocked", "has:blocked", "the blacklist keeps a version out"),
    ("unknown", "status:unknown", "not checked, or a source failed"),
    ("nohash", "kind:provider !has:h1", "provider targets without h1, size"),
    ("broken", "has:broken", "data files that cannot be read"),
    ("lint", "has:lint", "`bumpdesk lint` found something"),
    ("marked", "is:marked", "what you marked"),
];

/// The views that everybody has.
pub(crate) fn built_in() -> Vec<View> {
    let view = |(name, filter, _): (&str, &str, &str)| View {
        name: name.into(),
        filter: filter.into(),
        ..View::default()
    };
    BUILT_IN.map(view).to_vec()
}

/// The purpose of a built-in view.
pub(crate) fn purpose(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, ..)| *known == name).map(|(_, _, purpose)| *purpose)
}

/// Finds a view by its name, in any case: a built-in one first.
///
/// # Errors
/// There is none: what is nearest.
pub(crate) fn find(name: &str, saved: &[View]) -> Result<View, String> {
    let all: Vec<View> = built_in().into_iter().chain(saved.iter().cloned()).collect();
    if let Some(view) = all.iter().find(|view| is_same(&view.name, name)) {
        return Ok(view.clone());
    }
    let lower: Vec<String> = all.iter().map(|view| view.name.to_lowercase()).collect();
    let near = nearest(&name.to_lowercase(), lower.iter().map(String::as_str));
    if let Some(near) = near.and_then(|near| all.iter().find(|view| is_same(&view.name, near))) {
        return Err(format!("there is no view `{name}`; did you mean `{}`?", near.name));
    }
    let names: Vec<&str> = all.iter().map(|view| view.name.as_str()).collect();
    Err(format!("there is no view `{name}`; known: {}", names.join(", ")))
}

/// Returns true if both names are those of one view.
pub(crate) fn is_same(name: &str, other: &str) -> bool {
    name.trim().to_lowercase() == other.trim().to_lowercase()
}

/// Checks that a view may be saved under this name.
///
/// # Errors
/// Why not, and what to do.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let name = name.trim();
    if name.is_empty() {
        return Err("a view needs a name".into());
    }
    if name.chars().count() > NAME_LIMIT {
        return Err(format!("a name has at most {NAME_LIMIT} characters"));
    }
    if !name.chars().all(is_plain) {
        return Err("a name is made of plain characters".into());
    }
    if purpose(&name.to_lowercase()).is_some() {
        return Err(format!("`{name}` is built in; choose another name"));
    }
    Ok(())
}

/// Puts a view among the saved ones, by name; whether it took the place of another.
///
/// # Errors
/// The name may not be used, or there are too many.
pub(crate) fn save(saved: &mut Vec<View>, view: View) -> Result<bool, String> {
    check_name(&view.name)?;
    let view = View { name: view.name.trim().to_owned(), ..view };
    if let Some(old) = saved.iter_mut().find(|old| is_same(&old.name, &view.name)) {
        *old = view;
        return Ok(true);
    }
    if saved.len() >= VIEW_LIMIT {
        return Err(format!("there are already {VIEW_LIMIT} saved views; delete one first"));
    }
    saved.push(view);
    saved.sort_by_key(|view| view.name.to_lowercase());
    Ok(false)
}

/// Takes a saved view away.
///
/// # Errors
/// There is none of this name, or it is built in.
pub(crate) fn delete(saved: &mut Vec<View>, name: &str) -> Result<View, String> {
    if let Some(at) = saved.iter().position(|view| is_same(&view.name, name)) {
        return Ok(saved.remove(at));
    }
    match find(name, saved) {
        Ok(view) => Err(format!("`{}` is built in and cannot be deleted", view.name)),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::filter::Filter;

    #[test]
    fn built_in_filters_can_be_read() {
        for view in built_in() {
            assert!(Filter::parse(&view.filter).is_ok(), "{}", view.name);
            assert!(purpose(&view.name).is_some());
        }
    }

    /// Each trait that a maintainer looks for in all entries has a view.
    #[test]
    fn what_is_blocked_broken_or_linted_is_found_without_the_language() {
        for name in ["blocked", "broken", "lint"] {
            assert_eq!(find(name, &[]).unwrap().filter, format!("has:{name}"));
        }
    }

    #[test]
    fn views_are_saved_found_and_deleted() {
        let mut saved = Vec::new();
        let view = |name: &str, filter: &str| View {
            name: name.into(),
            filter: filter.into(),
            sort: Sort::Oldest,
            group: Group::Kind,
        };
        assert_eq!(save(&mut saved, view("mine", "aws")), Ok(false));
        assert_eq!(save(&mut saved, view(" Also mine ", "null")), Ok(false));
        assert_eq!(save(&mut saved, view("MINE", "eks")), Ok(true));
        assert_eq!(saved.iter().map(|view| view.name.as_str()).collect::<Vec<_>>(), ["Also mine", "MINE"]);
        assert_eq!(find("mine", &saved).unwrap().filter, "eks");
        assert_eq!(find("drfit", &saved).unwrap_err(), "there is no view `drfit`; did you mean `drift`?");
        for name in ["", "  ", "All", "a\u{1b}b", &"x".repeat(41)] {
            assert!(save(&mut saved, view(name, "")).is_err(), "{name:?}");
        }
        assert!(delete(&mut saved, "all").unwrap_err().contains("built in"));
        assert!(delete(&mut saved, "mien").unwrap_err().contains("did you mean `MINE`"));
        assert_eq!(delete(&mut saved, "mine").unwrap().filter, "eks");
    }
}
