//! What is told of a pull request before it is sent: what it is, its gates, how it would be opened, and each request.

use crate::desk::telling::{Fact, Glyph, Label, Sign, Tone};
use crate::jobs::Prepared;
use crate::rules::amount::counted;
use crate::rules::sending::{Course, GateState, Request, Sending, Step};

const TITLE: Label = Label::of("title");
const BRANCH: Label = Label::of("branch");
const OPENED: Label = Label::two("opened", "opened as");
const LABELS: Label = Label::of("labels");
const REVIEWERS: Label = Label::of("reviewers");

/// How a gate stands.
pub(crate) fn sign(state: GateState) -> Sign {
    let (glyph, tone) = match state {
        GateState::Pass => (Glyph::FINE, Tone::Fine),
        GateState::Note => (Glyph::NOTE, Tone::Warning),
        GateState::Fail => (Glyph::WRONG, Tone::Wrong),
    };
    glyph.sign(state.word(), tone)
}

/// `pull request of plan 7c1e9a`.
pub(crate) fn subject(prepared: &Prepared) -> String {
    format!("pull request of plan {}", prepared.plan)
}

/// `on main@f00f6d5`.
pub(crate) fn base(prepared: &Prepared) -> String {
    let (branch, at) = &prepared.base;
    format!("on {branch}@{}", at.get(..7).unwrap_or(at))
}

/// How it would be opened. What nobody asked for is not there.
pub(crate) fn facts(prepared: &Prepared) -> Vec<Fact> {
    let text = &prepared.text;
    let mut facts = vec![Fact::of(TITLE, text.title.as_str())];
    facts.extend(branch(&prepared.sending).map(|branch| Fact::of(BRANCH, branch)));
    facts.push(Fact::of(OPENED, if text.draft { "a draft" } else { "ready for review" }));
    for (label, names) in [(LABELS, &text.labels), (REVIEWERS, &text.reviewers)] {
        facts.extend((!names.is_empty()).then(|| Fact::of(label, names.join(", "))));
    }
    facts
}

/// The branch that it makes.
pub(crate) fn branch(sending: &Sending) -> Option<&str> {
    sending.requests.iter().find_map(|request| match request {
        Request::CreateBranch { branch, .. } => Some(branch.as_str()),
        _ => None,
    })
}

/// Texts that are ready to be posted elsewhere, each with what it is for. Nothing posts them.
pub(crate) fn texts(prepared: &Prepared) -> Vec<(&'static str, &str)> {
    let texts = [
        ("comment beside the failing check", &*prepared.text.comment),
        ("question for upstream", &*prepared.text.question),
    ];
    texts.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

/// `sending 9ab31c: 3 requests, one after the other`.
pub(crate) fn requests(sending: &Sending) -> String {
    let requests = counted(sending.requests.len(), "request");
    format!("sending {}: {requests}, one after the other", sending.name())
}

/// `open the draft pull request into main: POST /repos/opentofu/registry/pulls`.
pub(crate) fn request(request: &Request) -> String {
    format!("{}: {} {}", request.purpose(), request.method(), request.path())
}

/// One request and how far it is: `2 of 3: commit 1 file on bumpdesk/bump-4f21c0aa81d3: done`.
pub(crate) fn step(course: &Course, at: usize) -> String {
    let (request, step) = (&course.sending.requests[at], &course.steps[at]);
    let why = match step {
        Step::Refused(why) => format!(", {why}"),
        _ => String::new(),
    };
    format!("{} of {}: {}: {}{why}", at + 1, course.steps.len(), request.purpose(), step.word())
}

/// What a sending came to, or what one would send that takes another back.
pub(crate) fn course(course: &Course) -> Vec<String> {
    let name = course.sending.name();
    if course.undoes && !course.is_begun() {
        let mut lines = vec![format!("sending {name} would take back sending {}:", course.of)];
        lines.extend((0..course.steps.len()).map(|at| format!("  {}", step(course, at))));
        lines.extend(course.stays.iter().map(|stays| format!("  stays: {stays}")));
        let confirm = format!("`bumpdesk pr undo {} --confirm {name} --write` does it", course.of);
        lines.push(format!("nothing was sent; {confirm}"));
        return lines;
    }
    if course.undoes {
        let mut lines = vec![format!("sending {} is taken back", course.of)];
        lines.extend(course.stays.iter().map(|stays| format!("stays: {stays}")));
        return lines;
    }
    match (course.pull(), course.pull_url()) {
        (Some(number), Some(url)) => vec![
            format!("pull request #{number}: {url}"),
            format!("`bumpdesk pr undo {name}` shows how to take it back"),
        ],
        _ => Vec::new(),
    }
}
