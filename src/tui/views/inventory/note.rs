//! What is wrong with the filter that is typed.

use crate::desk::list::List;
use crate::tui::base::text;
use crate::tui::base::text::width;

/// What stands before the field.
pub(super) const LABEL: &str = "filter>";

/// What is wrong with the filter: the first bad term, and what was probably meant.
pub(super) fn of(list: &List) -> Option<String> {
    let errors = &list.filter_errors;
    let error = errors.first()?;
    let more = match errors.len() {
        1 => String::new(),
        all => format!(" (and {} more)", all - 1),
    };
    let text = error.text.strip_prefix("there is ").unwrap_or(&error.text);
    Some(format!("character {}: {text}{more}", error.column))
}

/// The same under the field, in as many lines as it takes; on one line the sign stands under the term.
pub(super) fn lines(error: &str, list: &List, cells: u16) -> Vec<String> {
    let column = list.filter_errors.first().map_or(0, |error| error.column);
    let under = LABEL.len() + 1 + column;
    if under + 2 + width(error) <= usize::from(cells) {
        return vec![format!("{:under$}^ {error}", "")];
    }
    let lines = text::wrap(error, usize::from(cells).saturating_sub(2));
    lines.into_iter().map(|line| format!(" {line}")).collect()
}
