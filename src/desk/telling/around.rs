//! The facts around a pull request: its author, its commits, its checks beside the predicted results, and other pull requests
//! that change its files.

use crate::desk::ability::Ability;
use crate::desk::telling::watch::{CHECKS, UNREAD, of_check};
use crate::desk::telling::{Fact, Label, Tone, notice};
use crate::registry::{Address, short_id};
use crate::rules::Level;
use crate::rules::amount::counted;
use crate::rules::plain_text::visible;
use crate::rules::review::{LooksLike, OtherPull, Owner, PullContext, Review, Signing, Standing};
use crate::rules::watch::CheckState;

pub(crate) const CONTEXT: Label = Label::of("context");
const WHO: Label = Label::two("who", "who asks");
const LOOKS_LIKE: Label = Label::two("name", "the name");
const REQUEST: Label = Label::two("suggested", "a suggested comment");
const COMMIT: Label = Label::two("commit", "the commit");
const COMMITS: Label = Label::of("commits");
const PREDICTED: Label = Label::of("predicted");
const SIGNED: Label = Label::two("signed", "who signed");
const CONTRADICTS: Label = Label::two("check", "the check");
const OTHER: Label = Label::two("also", "also open");

/// The names of authors that read like another name: `ann0 is not anno: …`.
pub(crate) fn names(look_alikes: &[LooksLike]) -> Vec<Fact> {
    let name = |one: &LooksLike| {
        let text = format!("{} is not {}: {}", visible(&one.who), visible(&one.name), visible(&one.differs));
        Fact::of(LOOKS_LIKE, text).tone(Tone::Of(Level::Act))
    };
    look_alikes.iter().map(name).collect()
}

/// Stands in the place of [`facts`] until they are read.
pub(crate) fn not_read(reviewed: &Review) -> Option<Fact> {
    let text = "author, commits, checks and other pull requests on its files are not read yet";
    let steps = vec![(Ability::Review.number(reviewed.pull.number), "reads them")];
    reviewed.around.is_none().then(|| Fact { steps, ..Fact::of(CONTEXT, text).tone(Tone::Quiet) })
}

/// Everything that was read around a pull request, except [`names`], each fact in its tone; empty if nothing was read.
pub(crate) fn facts(reviewed: &Review) -> Vec<Fact> {
    let Some(around) = &reviewed.around else { return Vec::new() };
    let author = &reviewed.pull.author;
    let mut facts = Vec::new();
    for owner in &around.owners {
        let resembles = around
            .reads_like
            .iter()
            .any(|one| one.who.eq_ignore_ascii_case(author) && one.name.eq_ignore_ascii_case(&owner.login));
        facts.push(who(author, owner, resembles));
    }
    facts.extend(commits(author, around));
    if !around.checks.is_empty() {
        let checks = around.checks.iter().map(|check| of_check(&check.name, check.state, &check.word));
        let has_failed = around.checks.iter().any(|check| check.state == CheckState::Failed);
        let tone = if has_failed { Tone::Warning } else { Tone::Plain };
        facts.push(Fact::of(CHECKS, checks.collect::<Vec<_>>().join(", ")).tone(tone));
    }
    for one in &around.predicted {
        let name = name_of(&one.path);
        let text = format!("the required check on {}: {}", visible(&name), visible(&one.text));
        let tone = if one.passes == Some(false) { Tone::Warning } else { Tone::Plain };
        facts.push(Fact::of(PREDICTED, text).tone(tone));
    }
    for one in &around.signed {
        let name = name_of(&one.path);
        let tone = match one.signing {
            Signing::Signed => Tone::Plain,
            Signing::NoKey => Tone::Notice,
            Signing::Doubtful => Tone::Warning,
            Signing::NotVouched => Tone::Wrong,
        };
        facts.push(Fact::of(SIGNED, format!("{} {}", visible(&name), one.line())).tone(tone));
    }
    facts.extend(around.contradiction().map(|text| Fact::of(CONTRADICTS, text).tone(Tone::Warning)));
    facts.extend(around.others.iter().flatten().map(other));
    facts.extend(notice::facts(&around.notices));
    facts.extend(around.unread.iter().map(|text| Fact::of(UNREAD, visible(text)).tone(Tone::Error)));
    facts
}

/// The end of a sentence that names a reason against a merge although the files are as upstream gives them; empty without one.
pub(crate) fn doubt(reviewed: &Review) -> &'static str {
    let Some(around) = &reviewed.around else { return "" };
    if around.checks.iter().any(|check| check.state == CheckState::Failed) {
        ", but a check failed"
    } else if around.predicted.iter().any(|one| one.passes == Some(false)) {
        ", but the required check is expected to fail"
    } else if around.signed.iter().any(|one| one.signing == Signing::NotVouched) {
        ", but no key on file vouches for it, or that could not be read"
    } else if !around.unread.is_empty() {
        ", but not everything around it could be read"
    } else if around.owners.iter().any(|owner| owner.author_is == Standing::NotVisible) {
        ", but the author is not visible as a member of the owner"
    } else {
        ""
    }
}

/// Texts that ask the owners for a sign that the author acts for them. They are long, so they come last.
pub(crate) fn to_post(reviewed: &Review) -> Vec<Fact> {
    let owners = reviewed.around.iter().flat_map(|around| &around.owners);
    let requests = owners.filter_map(|owner| owner.request.as_deref());
    requests.map(|text| Fact::of(REQUEST, text)).collect()
}

fn name_of(path: &str) -> String {
    Address::from_path(path).map_or_else(|| path.to_owned(), |address| address.to_string())
}

fn who(author: &str, owner: &Owner, resembles: bool) -> Fact {
    let (author, login) = (visible(author), visible(&owner.login));
    match owner.author_is {
        Standing::SameAccount => Fact::of(WHO, format!("{author} is the owner's own account")),
        Standing::PublicMember => Fact::of(WHO, format!("{author} is shown as a member of {login}")),
        Standing::NotVisible if resembles => {
            let text = format!("{author} is not visible as a member of {login}; the name resembles {login}");
            Fact::of(WHO, text).tone(Tone::Of(Level::Act))
        }
        Standing::NotVisible => {
            Fact::of(WHO, format!("{author} is not visible as a member of {login}")).tone(Tone::Warning)
        }
        Standing::Unknown => {
            Fact::of(WHO, format!("what {author} is to {login} is not known")).tone(Tone::Error)
        }
    }
}

/// The commits, with their count if there is more than one, and the makers of commits besides the author.
fn commits(author: &str, around: &PullContext) -> Vec<Fact> {
    let Some(list) = &around.commits else { return Vec::new() };
    let texts = list.iter().map(|commit| {
        let maker = commit.author.text();
        format!("{} by {}, {}", short_id(&commit.id), visible(&maker), visible(&commit.signature.text()))
    });
    let texts: Vec<String> = texts.collect();
    let mut facts = match &texts[..] {
        [one] => vec![Fact::of(COMMIT, one.as_str())],
        many => vec![Fact::of(COMMITS, format!("{}: {}", many.len(), many.join("; "))).tone(Tone::Notice)],
    };
    let strangers = around.strangers(author);
    if !strangers.is_empty() {
        let text = format!("made by {} as well as {}", visible(&strangers.join(", ")), visible(author));
        facts.push(Fact::of(COMMITS, text).tone(Tone::Warning));
    }
    facts
}

fn other(other: &OtherPull) -> Fact {
    let OtherPull { number, title, author, paths } = other;
    let what = match &paths[..] {
        [] => "changes more files than GitHub lists".to_owned(),
        [_] => "changes the same file".to_owned(),
        many => format!("changes {} of the same", counted(many.len(), "file")),
    };
    let text = format!("#{number} {} by {} {what}", visible(title), visible(author));
    Fact::of(OTHER, text).tone(Tone::Notice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::reviews::tests::{open_pull, review};
    use crate::rules::review::{AroundCheck, Predicted, Result as Word};

    /// Files that are as upstream gives them are no reason to merge what a check refuses.
    #[test]
    fn what_speaks_against_a_merge_is_named() {
        let mut found = review(open_pull(1), "providers/a/acme/rocket.json", Word::Same, &[]);
        assert_eq!(doubt(&found), "", "nothing was read");
        let owner =
            |author_is| Owner { login: "acme".into(), author_is, request: Some("please show it".into()) };
        let predicted = |passes| Predicted { path: "x".into(), passes: Some(passes), text: String::new() };
        let check = |state| AroundCheck { name: "Verify PR JSON".into(), state, word: String::new() };
        let mut around = PullContext {
            owners: vec![owner(Standing::PublicMember)],
            predicted: vec![predicted(true)],
            checks: vec![check(CheckState::Passed)],
            ..PullContext::default()
        };
        let mut of = |around: &PullContext| {
            found.around = Some(around.clone());
            doubt(&found)
        };
        assert_eq!(of(&around), "");
        around.owners.push(owner(Standing::NotVisible));
        assert!(of(&around).contains("author is not visible"));
        around.predicted.push(predicted(false));
        assert!(of(&around).contains("the required check is expected to fail"));
        around.checks.push(check(CheckState::Failed));
        assert!(of(&around).contains("a check failed"));
        let warnings = facts(&found).into_iter().filter(|fact| fact.tone == Tone::Warning);
        let labels: Vec<&str> = warnings.map(|fact| fact.label.short).collect();
        assert!(labels.contains(&CHECKS.short) && labels.contains(&PREDICTED.short), "{labels:?}");
    }
}
