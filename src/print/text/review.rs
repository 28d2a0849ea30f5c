//! A review for people: the word for all of it, then each file with what its word rests on.

use crate::boot::Ui;
use crate::print::output::Line;
use crate::rules::plain_text::visible;
use crate::rules::review::{Result as Word, Review};

pub(crate) fn reviewed(_: &Ui, review: &Review) -> Vec<Line> {
    let short = |id: &str| id.get(..7).unwrap_or(id).to_owned();
    let Review { number, title, author, head, merge_base, result, .. } = review;
    let mut lines = vec![
        Line::of(format!("#{number} {title} ({author}): {}", result.word())).hanging(2),
        Line::of(format!("  the commit {}, on {}", short(head), short(merge_base))).hanging(4),
    ];
    for file in &review.files {
        let versions = match &file.versions[..] {
            [] => String::new(),
            versions => format!(": {}", visible(&versions.join(", "))),
        };
        lines
            .push(Line::of(format!("  {} {}{versions}", file.result.word(), visible(&file.path))).hanging(4));
        lines.extend(file.points.iter().map(|point| Line::of(format!("    {point}")).hanging(6)));
    }
    lines.extend(review.notes.iter().map(|note| Line::of(format!("  NOTE {note}")).hanging(4)));
    if *result == Word::NotHashed {
        let text = format!("No archive was read: `bumpdesk review {number} --hash` reads and hashes them.");
        lines.push(Line::of(text).hanging(2));
    }
    lines
}
