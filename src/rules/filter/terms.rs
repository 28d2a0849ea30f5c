//! The terms of the language as they are told, with an example of each: the one place for all faces.

use crate::rules::Level;
use crate::rules::filter::{Condition, Trait};

/// Each term by an example, and what it lets through.
pub(crate) fn terms() -> Vec<(&'static str, String)> {
    let all = |names: Vec<&str>| format!("one of {}", names.join(", "));
    [
        ("aws eks", "addresses that have both words; all terms must match".to_owned()),
        ("hashicorp/aws", "the same, with this address first, then those that begin with it".into()),
        ("=hashicorp/aws", "only this address; a URL means the same".into()),
        ("~hcaws", "addresses with these letters in this order, others between them".into()),
        ("status:behind", "this status; the start of a word is enough, separate several with commas".into()),
        ("level:act", all(Level::ALL.map(Level::name).into())),
        ("kind:module", "modules, or with kind:provider providers".into()),
        ("ns:hashicorp", "this namespace; ns:hashi* takes all that begin with hashi".into()),
        ("behind:>2", "how many versions are missing: > >= < <= =".into()),
        ("age:>1d", "how old the AGE column says: s, m, h, d or w".into()),
        ("has:h1", all(Trait::ALL.map(Trait::name).into())),
        ("is:attention", all(Condition::ALL.map(Condition::name).into())),
        ("why:throttled", "a word of the reason".into()),
        ("\"no sums\"", "these words in the reason; quote words with spaces or punctuation".into()),
        ("aws|null", "either; after a field, further values need no field: status:drift|ghost".into()),
        ("!aws", "not; before choices it means none of them: !aws|null".into()),
    ]
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::filter::Filter;

    #[test]
    fn examples_can_be_read_and_the_manual_has_them_all() {
        let page = include_str!("../../manual/filters.md");
        for (example, _) in terms() {
            assert!(Filter::parse(example).is_ok(), "{example}");
            assert!(page.contains(&format!("`{example}`")), "{example}");
        }
        let named = Trait::ALL.map(|name| format!("has:{}", name.name()));
        for term in named.into_iter().chain(Condition::ALL.map(|name| format!("is:{}", name.name()))) {
            assert!(page.contains(&format!("`{term}`")), "{term}");
        }
    }
}
