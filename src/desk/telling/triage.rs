//! What is told of a triage: the word and why, the step that answered, what can be done; then every step with what it rests on. And
//! all of it as Markdown, for whoever asked.

use std::fmt::Write;

use jiff::Timestamp;

use crate::desk::telling::entry::{IF_LEFT, WHY, YOU_CAN, mark};
use crate::desk::telling::{Fact, Glyph, Label, Sign, Tone};
use crate::registry::Kind;
use crate::rules::VersionMark;
use crate::rules::amount::{clock, minute};
use crate::rules::markdown::{cell, code};
use crate::rules::plain_text::visible;
use crate::rules::suggestion::Near;
use crate::rules::triage::{Answer, Rung, Standing, Step, Triage};

const MEANS: Label = Label::of("means");
const RUN: Label = Label::two("run", "the command for it");
const ANSWERED: Label = Label::two("answered", "answered by");
const MEANT: Label = Label::two("meant?", "perhaps meant");
const NOTE: Label = Label::two("besides", "what else there is");

/// Where no word is known yet.
pub(crate) const READING: &str = "upstream is being read";

/// Where none will be.
pub(crate) const UNREAD: &str = "upstream was not read";

/// Characters of an evidence in Markdown: the longest come from upstream.
const LONGEST: usize = 400;

/// What a step asks, as a column's label and as a question.
pub(crate) fn question(rung: Rung, kind: Kind) -> Label {
    match rung {
        Rung::Released => Label::two("released", "released less than 30 minutes ago?"),
        Rung::Search => Label::two("search", "in the search site?"),
        Rung::Dataset => Label::two("data", "in the registry's data?"),
        Rung::Served => Label::two("served", "served by the registry's API?"),
        Rung::Mirror => Label::two("mirror", "missing in the fork of HashiCorp's provider?"),
        Rung::Blocked => Label::two("blocked", "on the blacklist?"),
        Rung::Tried => Label::two("tried", "tried before, and failed?"),
        Rung::Upstream => Label::two("upstream", "complete upstream?"),
        Rung::Sums if kind == Kind::Module => Label::two("commit", "is the tag at the recorded commit?"),
        Rung::Sums => Label::two("checksums", "are the stored checksums those of upstream?"),
        Rung::Keys => Label::two("signature", "is its signature good for clients?"),
    }
}

pub(crate) fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Unknown => "not known",
        Answer::NotChecked => "not checked",
        Answer::DoesNotApply => "does not apply",
    }
}

fn tone(answer: Answer) -> Tone {
    match answer {
        Answer::Unknown => Tone::Error,
        Answer::NotChecked | Answer::DoesNotApply => Tone::Quiet,
        Answer::Yes | Answer::No => Tone::Plain,
    }
}

/// The word for it; `None` while upstream is being read.
pub(crate) fn sign(triage: &Triage) -> Option<Sign> {
    let standing = triage.standing?;
    let made = |glyph, ascii, tone| Sign { glyph, ascii, word: standing.word().to_owned(), tone };
    Some(match standing {
        Standing::Is(status) => Sign::status(status),
        Standing::Blocked => mark(VersionMark::Blocked),
        Standing::Ignored => mark(VersionMark::Ignored),
        Standing::Available | Standing::Copy => Glyph::FINE.sign(standing.word(), Tone::Fine),
        Standing::NotRegistered | Standing::NoVersion => Glyph::LOST.sign(standing.word(), Tone::Lost),
        Standing::MovedAway => made("↷", ">", Tone::Lost),
        Standing::Stale => made("≢", "=", Tone::Late),
        Standing::OnItsWay => made("∙", ".", Tone::Late),
        Standing::NotServed => Glyph::WRONG.sign(standing.word(), Tone::Wrong),
        Standing::Mirror => made("⇄", "m", Tone::Notice),
    })
}

/// All that is told of one, in the order in which it is read.
pub(crate) fn sheet(triage: &Triage, now: Timestamp) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Some(standing) = triage.standing {
        let (means, if_left) = standing.means(triage.address.kind());
        facts.extend([Fact::of(WHY, &triage.cause), Fact::of(MEANS, means), Fact::of(IF_LEFT, if_left)]);
        facts.push(Fact::of(YOU_CAN, &triage.action.text));
        facts.extend(triage.action.command.as_ref().map(|command| Fact::of(RUN, command)));
    }
    facts.extend(triage.near.iter().map(|near| Fact::of(MEANT, format!("{}: {}", near.address, near.why))));
    facts.extend(triage.notes.iter().map(|note| Fact::of(NOTE, note)));
    facts.extend(triage.answered.and_then(|rung| {
        let at = triage.steps.iter().position(|step| step.rung == rung)?;
        let step = &triage.steps[at];
        let text = format!(
            "step {}, {} {}",
            at + 1,
            question(rung, triage.address.kind()).spoken,
            answer(step.answer)
        );
        Some(Fact::of(ANSWERED, text).tone(Tone::Notice))
    }));
    facts.extend(triage.steps.iter().map(|step| {
        let at = step.at.map(|at| format!(" ({})", clock(at, now))).unwrap_or_default();
        let text = format!("{}; {}{at}", answer(step.answer), step.evidence);
        Fact::of(question(step.rung, triage.address.kind()), text).tone(tone(step.answer))
    }));
    for fact in &mut facts {
        fact.text = visible(&fact.text).into_owned();
    }
    facts
}

/// One line for a list: `acme/rocket@1.1.0: 1.1.0: complete upstream, …`.
pub(crate) fn line(triage: &Triage) -> String {
    let issue = triage.issue.map(|number| format!(" (#{number})")).unwrap_or_default();
    // The cause already names the entries of the same name.
    let first = triage.near.first().filter(|near| !names(&triage.cause, near));
    let near = first.map(|near| format!("; perhaps {} is meant", near.address)).unwrap_or_default();
    visible(&format!("{}{issue}: {}{near}", triage.subject(), triage.cause)).into_owned()
}

/// Returns true if a text names the suggested entry and its number of versions.
fn names(text: &str, near: &Near) -> bool {
    text.contains(&format!(" {} (", near.address))
}

/// The answer to whoever asked: no more than was checked, and nothing of others takes effect in it.
pub(crate) fn markdown(triage: &Triage, now: Timestamp) -> String {
    let Some(standing) = triage.standing else { return String::new() };
    let subject = match &triage.version {
        Some(version) => format!("{} {}", code(&triage.address.to_string()), code(version)),
        None => code(&triage.address.to_string()),
    };
    let (means, if_left) = standing.means(triage.address.kind());
    let mut text = format!(
        "Thank you for the report. {subject} is **{}**: {means}.\n\nFound: {}. If nothing is done: {if_left}.\n",
        standing.word(),
        code(&short(&triage.cause)),
    );
    // What a reporter can do about it; the others are for maintainers.
    if matches!(
        standing,
        Standing::NotRegistered | Standing::MovedAway | Standing::NoVersion | Standing::Copy
    ) {
        let _ = write!(text, "\nWhat can be done: {}.\n", code(&short(&triage.action.text)));
    }
    for near in triage.near.iter().filter(|near| !names(&triage.cause, near)) {
        let _ = write!(
            text,
            "\nPerhaps {} is meant ({}).\n",
            code(&near.address.to_string()),
            code(&short(&near.why))
        );
    }
    for note in &triage.notes {
        let _ = write!(text, "\n{}.\n", code(&short(note)));
    }
    text.push_str("\n| step | answer | what it rests on | read |\n|---|---|---|---|\n");
    for step in &triage.steps {
        let (open, close) = if triage.answered == Some(step.rung) { ("**", "**") } else { ("", "") };
        let at = step.at.map(minute).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {open}{}{close} | {} | {at} |",
            question(step.rung, triage.address.kind()).spoken,
            answer(step.answer),
            cell(&evidence(step))
        );
    }
    let _ = write!(
        text,
        "\nThe step in bold answered. What is \"not known\" could not be read, and what is \"not checked\" was not looked at. As of {}.\n",
        minute(now)
    );
    text
}

/// What may be sent: why a file cannot be read names places on this machine.
fn evidence(step: &Step) -> String {
    if step.rung == Rung::Dataset && step.answer == Answer::Unknown {
        return "the registry's file cannot be read".to_owned();
    }
    short(&step.evidence)
}

fn short(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(LONGEST).collect();
    short.push('…');
    short
}
