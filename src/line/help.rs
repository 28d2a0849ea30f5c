//! The help: all words, or more about one of them.

use crate::desk::ability::Phrase;
use crate::desk::telling::entry::{IF_LEFT, YOU_CAN};
use crate::line::sheet::Sheet;
use crate::line::words;
use crate::print::output::Line;
use crate::rules::filter::terms;
use crate::rules::view::View;
use crate::rules::{Status, view};

/// The lines that `help` and `help WORD` read out.
pub(crate) fn sheet(rest: &str) -> Sheet {
    let phrase = |phrase: &Phrase| Line::of(format!("{}: {}", phrase.form, phrase.does));
    let name = rest.to_ascii_lowercase();
    if let Some(status) = Status::from_name(&name).filter(|_| !name.is_empty()) {
        return Sheet::text(about(status));
    }
    let name = words::own_name(&name);
    let mut lines: Vec<Line> = words::phrases().filter(|phrase| phrase.name() == name).map(phrase).collect();
    if lines.is_empty() {
        lines = words::phrases().map(phrase).collect();
        lines.push(Line::of("N is a number that was read out, or an address such as newrelic/newrelic"));
        lines.push(Line::of("a status word after help, such as help stranded, says what it means"));
    } else if name == "filter" {
        lines.extend(terms().into_iter().map(|(term, fits)| Line::of(format!("{term}: {fits}"))));
    }
    Sheet::text(lines)
}

/// The meaning of a status, its effect if left, and the possible actions.
fn about(status: Status) -> Vec<Line> {
    let row = status.row();
    let lines = [
        format!("{}, {} (level {}): {}", row.word, row.plain, row.level.name(), row.means),
        format!("{}: {}", IF_LEFT.spoken, row.if_left),
        format!("{}: {}", YOU_CAN.spoken, row.can_do),
    ];
    lines.map(Line::of).into()
}

/// All views, the built-in ones first.
pub(crate) fn views(saved: &[View]) -> Sheet {
    let built_in = view::built_in();
    let line = |view: &View| {
        let about = view::purpose(&view.name)
            .map_or_else(|| format!("your own, sorted by {}", view.sort.label()), ToOwned::to_owned);
        let filter = if view.filter.is_empty() { "no filter" } else { view.filter.as_str() };
        Line::of(format!("view {}: {about}; {filter}", view.name))
    };
    Sheet::text(built_in.iter().chain(saved).map(line).collect())
}
