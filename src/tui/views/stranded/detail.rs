//! All that is told of one card: where it stands and why, its story, what would happen, and the ways on by their keys.

use ratatui::text::Line;

use crate::desk::ability::Ability;
use crate::desk::telling::stranded::{sheet, sign};
use crate::rules::stranded::{Act, Card};
use crate::tui::base::theme::Role;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip};

/// Cells of a label: `next try` and a blank.
const LABEL: usize = 9;

pub(super) fn lines(paint: &Paint<'_>, card: &Card, width: u16) -> Vec<Line<'static>> {
    let (role, word) = story::sign(&sign(card), paint.glyphs);
    let mut head = Strip::new(paint, width);
    head.gap(1).put(role, &word);
    let mut lines = vec![head.line()];
    for fact in sheet(card, paint.now) {
        let part = (fact.label.short, Role::meant(fact.tone), &*fact.text);
        lines.extend(story::labelled_at(paint, (1, LABEL), part, width));
    }
    for act in &card.ways {
        let (key, does) = match ability(*act) {
            Some(ability) => (paint.key(ability), act.does().to_owned()),
            // It is done elsewhere.
            None => (String::new(), format!("{}: {}", card.command(*act), act.does())),
        };
        lines.extend(story::labelled_at(paint, (1, LABEL), (&key, Role::Text, &does), width));
    }
    lines
}

/// The ability that does it here.
fn ability(act: Act) -> Option<Ability> {
    Some(match act {
        Act::Survey => Ability::Survey,
        Act::Add => Ability::Add,
        Act::Clear => Ability::ClearErrors,
        Act::Verify => Ability::Verify,
        Act::Message => Ability::DraftMessage,
        Act::Ignore => Ability::Ignore,
        Act::Unignore => Ability::Unignore,
        Act::Block => Ability::Block,
        Act::Build => return None,
    })
}
