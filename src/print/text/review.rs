//! Reviews for people: the word for each, and why; of one each file with what its word rests on.

use crate::boot::Ui;
use crate::desk::telling::{Fact, around, review};
use crate::print::output::{Color, Line};
use crate::rules::amount::{Form, age};
use crate::rules::plain_text::visible;
use crate::rules::review::Review;
use jiff::Timestamp;

pub(crate) fn reviewed(ui: &Ui, review: &Review) -> Vec<Line> {
    let mut lines = vec![head(ui, review), Line::of(format!("  {}", review::commits(review))).hanging(4)];
    for file in &review.files {
        lines.push(Line::of(format!("  {} {}", file.result.word(), review::of_file(file))).hanging(4));
        lines.extend(file.points.iter().map(|point| Line::of(format!("    {point}")).hanging(6)));
    }
    let sentence = |fact: Fact| format!("  {}: {}", fact.label.form(Form::Spoken), fact.text);
    lines.extend(around::facts(review).into_iter().map(|fact| Line::of(sentence(fact)).hanging(4)));
    lines.extend(review.notes.iter().map(|note| Line::of(format!("  NOTE {note}")).hanging(4)));
    if review.waits_for_hashes() {
        let number = review.pull.number;
        let text = format!("No archive was read: `bumpdesk review {number} --hash` reads and hashes them.");
        lines.push(Line::of(text).hanging(2));
    }
    lines
}

/// One of a list: its word, whose it is, and why.
pub(crate) fn listed_review(ui: &Ui, review: &Review, now: Timestamp) -> Vec<Line> {
    let news = age(review.pull.updated, now, Form::Spoken);
    let text = format!("  by {}, {news} ago: {}", visible(&review.pull.author), review::why(review));
    vec![head(ui, review), Line::of(text).hanging(4)]
}

fn head(ui: &Ui, review: &Review) -> Line {
    let (subject, sign) = (review::subject(&review.pull), review::sign(review.result));
    if ui.plain {
        return Line::of(format!("{subject}: {}", sign.word)).hanging(2);
    }
    Line::default().color(Color::Bold, subject).text(": ").toned(sign.tone, sign.word).hanging(2)
}
