//! The form of the details of a pull request: draft, labels, reviewers, issues, and from where it is sent.

use crate::desk::asking;
use crate::desk::form::{FieldKind, FormAction, FormError, FormField, FormSubject, FormValues, InputForm};
use crate::desk::intent::Intent;
use crate::rules::sending::PullPlan;

const DRAFT: &str = "draft";
const LABELS: &str = "labels";
const REVIEWERS: &str = "reviewers";
const FIXES: &str = "fixes";
const FORK: &str = "fork";
const DRIFT: &str = "drift";

const NAMES: &str = "names with blanks between them; a name that has blanks stands in quotes";

/// The longest line of names, in characters.
const MOST: usize = 400;

/// The form with the details of the plan.
pub(crate) fn form(plan: &PullPlan) -> InputForm {
    let line = |text: String| FieldKind::Line { most: MOST, text };
    let toggle = |text, is_on| FieldKind::Toggle { text, is_on };
    let numbers: Vec<String> = plan.fixes.iter().map(|number| format!("#{number}")).collect();
    InputForm {
        fields: vec![
            FormField::new(DRAFT, "", toggle("open as a draft", plan.draft)),
            FormField::new(LABELS, NAMES, line(asking::quoted(&plan.labels))),
            FormField::new(
                REVIEWERS,
                "logins with blanks between them",
                line(asking::quoted(&plan.reviewers)),
            ),
            FormField::new(FIXES, "numbers of issues that it closes", line(numbers.join(" "))),
            FormField::new(FORK, "", toggle("send it from your fork", plan.fork)),
            FormField::new(DRIFT, "", toggle("changed archives are known", plan.acknowledged_drift)),
        ],
        ..InputForm::new(
            FormSubject::Pull,
            "How it is opened",
            "check the gates",
            "It is made ready again with these details, and shown with its gates; nothing is sent yet.",
        )
    }
}

/// The details in place of those of the plan, with all else as it is.
pub(super) fn read(plan: PullPlan, values: &FormValues) -> Result<FormAction, FormError> {
    // A comma between names separates them as a blank does.
    let names = |label| {
        let words = asking::split(values.text(label)).map_err(|why| FormError::new(label, why))?;
        let words = words.iter().map(|word| word.trim_matches(',').to_owned());
        Ok(words.filter(|word| !word.is_empty()).collect::<Vec<String>>())
    };
    let number = |word: &String| {
        asking::issue_number(word)
            .ok_or_else(|| FormError::new(FIXES, format!("`{word}` is not the number of an issue")))
    };
    Ok(FormAction::Act(Intent::prepare(PullPlan {
        draft: values.is_on(DRAFT),
        labels: names(LABELS)?,
        reviewers: names(REVIEWERS)?,
        fixes: names(FIXES)?.iter().map(number).collect::<Result<_, _>>()?,
        fork: values.is_on(FORK),
        acknowledged_drift: values.is_on(DRIFT),
        ..plan
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::form::FormValue;

    /// Every line of words, in the form that opens for its plan and is accepted as it is.
    #[test]
    fn a_form_and_a_line_make_the_same_plan() {
        for words in [
            "draft",
            "ready label:manual-bump reviewer:ann fixes:5550",
            "ready label:\"good first issue\" label:x fork acknowledge-drift fixes:2 fixes:1",
        ] {
            let plan = asking::read(words).unwrap();
            let values = form(&plan).values();
            let other = PullPlan { plan: plan.plan.clone(), ..PullPlan::default() };
            assert_eq!(read(other, &values), Ok(FormAction::Act(Intent::prepare(plan))), "{words}");
        }
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        for (label, text) in [(FIXES, "x"), (FIXES, "0"), (LABELS, "\"a b"), (REVIEWERS, "\"")] {
            let mut values = form(&PullPlan::default()).values();
            values.0.iter_mut().filter(|(of, _)| *of == label).for_each(|(_, value)| {
                *value = FormValue::Text(text.to_owned());
            });
            assert_eq!(read(PullPlan::default(), &values).unwrap_err().label, label, "{text}");
        }
        let mut values = form(&PullPlan::default()).values();
        values.0[3].1 = FormValue::Text("#5550 7".to_owned());
        values.0[1].1 = FormValue::Text("a, b".to_owned());
        let Ok(FormAction::Act(Intent::Prepare(purpose))) = read(PullPlan::default(), &values) else {
            panic!()
        };
        assert_eq!(
            (purpose.pull().fixes, purpose.pull().labels),
            (vec![5550, 7], vec!["a".into(), "b".into()])
        );
    }
}
