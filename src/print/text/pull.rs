//! A pull request before it is sent: its gates, its words, its requests.

use crate::boot::Ui;
use crate::desk::telling::Tone;
use crate::jobs::Prepared;
use crate::print::output::{Color, Line};
use crate::rules::amount::counted;
use crate::rules::sending::{Gate, GateName, GateState, Request};

/// All of it, gates first.
pub(crate) fn prepared(ui: &Ui, prepared: &Prepared) -> Vec<Line> {
    let (branch, at) = &prepared.base;
    let sending = &prepared.sending;
    let head = format!(" on {branch}@{}, as {}", at.get(..7).unwrap_or(at), sending.account);
    let mut lines = vec![
        Line::default()
            .color(Color::Bold, format!("pull request of plan {}", prepared.plan))
            .text(head)
            .hanging(2),
    ];
    for (number, gate) in (1..).zip(&prepared.gates) {
        lines.push(line(ui, number, gate));
        lines.extend(gate.remedy.iter().map(|remedy| Line::of(format!("      {remedy}")).hanging(6)));
    }
    let draft = if prepared.text.draft { " (draft)" } else { "" };
    lines.push(Line::of(format!("title: {}{draft}", prepared.text.title)).hanging(2));
    let requests = counted(sending.requests.len(), "request");
    lines.push(Line::of(format!("sending {}: {requests}, one after the other:", sending.name())));
    for (number, request) in (1..).zip(&sending.requests) {
        let told = format!("  {number} {}: {} {}", request.purpose(), Request::METHOD, request.path());
        lines.push(Line::of(told).hanging(4));
    }
    lines
}

fn line(ui: &Ui, number: usize, gate: &Gate) -> Line {
    let tone = match gate.state {
        GateState::Pass => Tone::Fine,
        GateState::Note => Tone::Warning,
        GateState::Fail => Tone::Wrong,
    };
    let (name, word) = (gate.name.word(), gate.state.word());
    if ui.plain {
        return Line::of(format!("gate {number}, {name}: {word}, {}", gate.evidence));
    }
    let width = GateName::ALL.iter().map(|name| name.word().len()).max().unwrap_or_default();
    Line::of(format!("  {number} {name:width$}  "))
        .told(tone, word)
        .text(format!("  {}", gate.evidence))
        .hanging(6)
}

/// A gate that does not open, in one sentence: `gate 7, every change looked at: 1 file still to be approved. Look at it …`.
pub(crate) fn failed_gate(number: usize, gate: &Gate) -> String {
    let remedy = gate.remedy.as_ref().map(|remedy| format!(". {remedy}")).unwrap_or_default();
    format!("gate {number}, {}: {}{remedy}", gate.name.word(), gate.evidence)
}
