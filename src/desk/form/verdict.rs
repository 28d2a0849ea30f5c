//! The form of a verdict on a pull request: approve, request changes or comment, words of one's own, and comments beside lines.

use crate::desk::Desk;
use crate::desk::form::{
    FieldKind, FormAction, FormChoice, FormError, FormField, FormSubject, FormValues, InputForm,
};
use crate::desk::intent::Intent;
use crate::rules::review::{Opinion, Remark, Result as Word, Review};
use crate::rules::sending::{Gate, GateState, Purpose, VerdictPlan, all_remarks, verdict_text};

const OPINION: &str = "verdict";
const TEXT: &str = "your words";
const LINES: &str = "line comments";

/// The longest text that is typed. GitHub takes more, and the text that the review adds has its own limit.
const MOST: usize = 20_000;

/// The form for a verdict, with the values of the plan.
pub(crate) fn form(desk: &Desk, plan: &VerdictPlan) -> InputForm {
    let review = desk.reviews.found(plan.number).map(|found| &*found.review);
    let choice = |opinion: &Opinion| FormChoice {
        text: word(*opinion),
        refused: review.and_then(|review| refusal(desk, review, *opinion)),
    };
    let choices: Vec<FormChoice> = Opinion::ALL.iter().map(choice).collect();
    let is_possible = |at: &usize| choices[*at].refused.is_none();
    // An approval that is not possible yet is no reason to ask for changes.
    let is_at_fault = matches!(review.map(|review| review.result), Some(Word::Differs | Word::Refused));
    let instead = if is_at_fault { Opinion::RequestChanges } else { Opinion::Comment };
    let place = |wanted| Opinion::ALL.iter().position(|opinion| *opinion == wanted).filter(is_possible);
    let at = place(plan.opinion).or_else(|| place(instead)).or_else(|| (0..choices.len()).find(is_possible));
    let mut fields = vec![
        FormField::new(OPINION, "", FieldKind::Choice { choices, at: at.unwrap_or_default() }),
        FormField::new(
            TEXT,
            "optional, in Markdown",
            FieldKind::Text { most: MOST, text: plan.text.clone() },
        ),
    ];
    // A review without a line that differs has nothing to choose.
    if review.is_none_or(|review| all_remarks(review).next().is_some()) {
        fields.push(FormField::new(
            LINES,
            "an approval posts none",
            FieldKind::Toggle { text: "beside the lines that differ", is_on: plan.line_comments },
        ));
    }
    let subject = FormSubject::Verdict { number: plan.number, hashes: plan.hashes };
    let about = format!("On #{}. Nothing is posted before its gates pass.", plan.number);
    let form = InputForm::new(subject, "Your verdict", "check the gates", about);
    InputForm { has_preview: true, fields, ..form }
}

fn word(opinion: Opinion) -> &'static str {
    match opinion {
        Opinion::Approve => "approve",
        Opinion::RequestChanges => "request changes",
        Opinion::Comment => "comment",
    }
}

/// The reason why an opinion would fail its gates, as far as the review and the armed account tell.
fn refusal(desk: &Desk, review: &Review, opinion: Opinion) -> Option<String> {
    // The authors of its commits are read when it is opened, and again before the gates.
    let armed = desk.arming.armed().filter(|_| review.around.is_some());
    let reviewer = armed.map(|armed| Gate::reviewer(opinion, (&armed.account, true), review, ""));
    let gates = [Some(Gate::result(opinion, review)), reviewer];
    let failed = gates.into_iter().flatten().find(|gate| gate.state == GateState::Fail);
    failed.map(|gate| gate.evidence)
}

fn plan((number, hashes): (u64, bool), values: &FormValues) -> Option<VerdictPlan> {
    let opinion = *Opinion::ALL.get(values.choice(OPINION)?)?;
    let text = values.text(TEXT).trim().to_owned();
    let line_comments = values.value(LINES).is_none() || values.is_on(LINES);
    Some(VerdictPlan { number, opinion, text, hashes, line_comments, seen: None })
}

/// Makes the verdict ready. It can be written as long as the pull request is listed, or its verdict was made ready before.
pub(super) fn read(desk: &Desk, of: (u64, bool), values: &FormValues) -> Result<FormAction, FormError> {
    let number = of.0;
    let is_listed = desk.reviews.all().any(|(pull, _)| pull.number == number);
    let is_ready = matches!(&desk.pull.purpose, Purpose::Verdict(plan) if plan.number == number);
    if !is_listed && !is_ready {
        return Err(FormError::new(OPINION, format!("#{number} is not open any more")));
    }
    let plan = plan(of, values).ok_or_else(|| FormError::new(OPINION, "choose a verdict"))?;
    Ok(FormAction::Act(Intent::prepare(plan)))
}

/// The review and the line comments that would be posted. GitHub decides beside which lines a comment can stand.
pub(super) fn preview(desk: &Desk, of: (u64, bool), values: &FormValues) -> Vec<String> {
    let (Some(plan), Some(found)) = (plan(of, values), desk.reviews.found(of.0)) else { return Vec::new() };
    let mut lines: Vec<String> = verdict_text(&plan, &found.review).lines().map(str::to_owned).collect();
    if plan.has_line_comments() {
        let beside = |remark: Remark| format!("{}:{}: {}", remark.path, remark.line, remark.body);
        let remarks: Vec<String> = all_remarks(&found.review).map(beside).collect();
        if !remarks.is_empty() {
            lines.extend([String::new(), "Line comments, where GitHub shows the line:".to_owned()]);
            lines.extend(remarks);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::Timestamp;

    use super::*;
    use crate::desk::asking;
    use crate::desk::form::FormValue;
    use crate::desk::reviews::tests::{open_pull, review};
    use crate::rules::review::Result as Word;

    /// A desk with one pull request that has this result.
    fn desk(result: Word) -> Desk {
        let mut desk = Desk::default();
        desk.reviews.list(Arc::new(vec![open_pull(12)]), Timestamp::UNIX_EPOCH);
        let points: &[&str] = if result == Word::Differs { &["1.1.0: another sum"] } else { &[] };
        let found = review(open_pull(12), "providers/a/acme/rocket.json", result, points);
        desk.reviews.take(Arc::new(found), Timestamp::UNIX_EPOCH);
        desk
    }

    fn values(opinion: usize, text: &str, comments: bool) -> FormValues {
        FormValues(vec![
            (OPINION, FormValue::Choice(opinion)),
            (TEXT, FormValue::Text(text.to_owned())),
            (LINES, FormValue::Toggle(comments)),
        ])
    }

    /// The lines of words and the form make the same plan.
    #[test]
    fn a_form_and_a_line_make_the_same_plan() {
        let desk = desk(Word::Differs);
        for (line, at, text) in [
            ("approve", 0, ""),
            ("changes the checksum is another one", 1, " the checksum is another one\n"),
            ("comment x", 2, "x"),
        ] {
            let plan = asking::read_verdict(line, 12, true).expect("a verdict");
            assert_eq!(
                read(&desk, (12, true), &values(at, text, true)),
                Ok(FormAction::Act(Intent::prepare(plan))),
                "{line}"
            );
        }
        let quiet =
            VerdictPlan { line_comments: false, opinion: Opinion::Comment, ..VerdictPlan::new(12, false) };
        assert_eq!(
            read(&desk, (12, false), &values(2, "", false)),
            Ok(FormAction::Act(Intent::prepare(quiet.clone())))
        );
        assert_eq!(quiet.command(), "bumpdesk review 12 --comment --no-line-comments");
        let error = read(&desk, (13, false), &values(2, "", false)).expect_err("it is not listed");
        assert_eq!((error.label, error.text.text.as_str()), (OPINION, "#13 is not open any more"));
        assert!(read(&desk, (12, false), &FormValues::default()).is_err());
    }

    #[test]
    fn a_verdict_that_would_fail_its_gate_is_refused_with_the_reason() {
        for (result, refused, at) in [
            (Word::Same, false, 0),
            (Word::PersonDecides, false, 0),
            (Word::NotHashed, true, 2),
            (Word::Unknown, true, 2),
            (Word::Differs, true, 1),
            (Word::Refused, true, 1),
        ] {
            let form = form(&desk(result), &VerdictPlan::new(12, true));
            let FieldKind::Choice { choices, at: chosen } = &form.fields[0].kind else { panic!("{form:?}") };
            let reasons: Vec<bool> = choices.iter().map(|choice| choice.refused.is_some()).collect();
            assert_eq!((reasons, *chosen), (vec![refused, false, false], at), "{result:?}");
        }
    }

    /// An approval and a verdict without line comments post none.
    #[test]
    fn the_preview_is_what_is_posted() {
        let mut desk = desk(Word::Differs);
        let mut found =
            review(open_pull(12), "providers/a/acme/rocket.json", Word::Differs, &["1.1.0: a sum"]);
        found.files[0].lines = vec![crate::rules::review::OtherLine { line: 7, given: vec!["\"x\"".into()] }];
        let body = found.markdown();
        desk.reviews.take(Arc::new(found), Timestamp::UNIX_EPOCH);
        let of = |at, comments| preview(&desk, (12, true), &values(at, "mine", comments));
        let lines = of(1, true);
        assert!(lines.starts_with(&["mine".to_owned(), String::new(), "---".to_owned()]), "{lines:?}");
        assert!(body.lines().all(|line| lines.iter().any(|shown| shown == line)), "{lines:?}");
        let beside =
            |lines: &[String]| lines.iter().any(|line| line.contains("rocket.json:7: Upstream has here"));
        assert!(beside(&lines) && !beside(&of(1, false)) && !beside(&of(0, true)));
    }
}
