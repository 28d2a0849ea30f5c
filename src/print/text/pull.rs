//! A pull request before it is sent: its gates, its words, its requests.

use crate::boot::Ui;
use crate::desk::ability::NextStep;
use crate::desk::telling::pull;
use crate::desk::telling::shell::in_console;
use crate::jobs::data::Prepared;
use crate::print::output::{Color, Line};
use crate::rules::amount::Form;
use crate::rules::sending::{Gate, GateName};

/// Returns a console's name for a step. Commands have no such names and print command lines as they are.
type StepName<'a> = &'a dyn Fn(&NextStep) -> Option<String>;

/// All of it, gates first.
pub(crate) fn prepared(ui: &Ui, prepared: &Prepared, step: StepName<'_>) -> Vec<Line> {
    let head = format!(" {}, as {}", pull::base(prepared), prepared.sending.account);
    let (name, of) = pull::title(prepared);
    let mut lines = vec![
        Line::default().color(Color::Bold, format!("{} {of}", name.to_lowercase())).text(head).hanging(2),
    ];
    lines.extend(gates(ui, prepared, step));
    let facts = pull::facts(prepared);
    lines.extend(
        facts
            .iter()
            .map(|fact| Line::of(format!("{}: {}", fact.label.form(Form::Spoken), fact.text)).hanging(2)),
    );
    lines.extend(indented(pull::TEXT.form(Form::Spoken), &pull::body(prepared)));
    lines.push(Line::of(format!("{}:", pull::requests(&prepared.sending, Some(prepared.digits())))));
    for (number, request) in (1..).zip(&prepared.sending.requests) {
        lines.push(Line::of(format!("  {number} {}", pull::request(request))).hanging(4));
    }
    lines.extend(pull::texts(prepared).into_iter().flat_map(|(what, text)| indented(what, text)));
    lines
}

/// A text of several lines below its name; nothing for an empty one.
fn indented(name: &str, text: &str) -> Vec<Line> {
    let texts = text.lines().map(|line| Line::of(format!("  {line}").trim_end()).hanging(2));
    let name = (!text.is_empty()).then(|| Line::of(format!("{name}:")));
    name.into_iter().chain(texts).collect()
}

/// Each gate with what was found, and what can be done about it.
pub(crate) fn gates(ui: &Ui, prepared: &Prepared, step: StepName<'_>) -> Vec<Line> {
    let lines = (1..).zip(&prepared.gates).flat_map(|(number, gate)| {
        let remedy = gate.remedy.as_ref().map(|remedy| in_console(remedy, step));
        let remedy = remedy.map(|remedy| Line::of(format!("      {remedy}")).hanging(6));
        std::iter::once(line(ui, number, gate)).chain(remedy)
    });
    lines.collect()
}

fn line(ui: &Ui, number: usize, gate: &Gate) -> Line {
    let (name, sign) = (gate.name.word(), pull::sign(gate.state));
    if ui.plain {
        return Line::of(format!("gate {number}, {name}: {}, {}", sign.word, gate.evidence));
    }
    let width = GateName::width();
    Line::of(format!("  {number} {name:width$}  "))
        .toned(sign.tone, sign.word)
        .text(format!("  {}", gate.evidence))
        .hanging(6)
}
