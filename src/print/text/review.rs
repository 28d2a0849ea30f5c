//! Reviews for people: the word for each, and why; of one each file with what its word rests on.

use crate::boot::Ui;
use crate::desk::reviews::{Reviewed, Standing};
use crate::desk::telling::{Fact, Tone, around, review};
use crate::print::output::{Color, Line};
use crate::rules::amount::{Form, age};
use crate::rules::compare::align;
use crate::rules::diff::CONTEXT_LINES;
use crate::rules::plain_text::visible;
use crate::rules::review::{Against, FileDifferences, OpenPull, PullDifferences, Review};
use jiff::Timestamp;

/// `cells`: the width in which values that differ stand below each other; `None` for a face that is read aloud, which needs
/// sentences.
pub(crate) fn reviewed(ui: &Ui, review: &Review, cells: Option<usize>) -> Vec<Line> {
    let mut lines = vec![head(ui, review), Line::of(format!("  {}", review::commits(review))).hanging(4)];
    for file in &review.files {
        lines.push(Line::of(format!("  {} {}", file.result.word(), review::of_file(file))).hanging(4));
        for reason in file.reasons() {
            let mismatch = reason.mismatch.and_then(|mismatch| Some((mismatch, mismatch.values()?)));
            match (cells, mismatch) {
                (Some(cells), Some((mismatch, values))) => {
                    lines.push(Line::of(format!("    {}", review::place(mismatch))));
                    lines.extend(compared(values, cells));
                }
                _ => lines.push(Line::of(format!("    {}", reason.sentence())).hanging(6)),
            }
        }
        lines.extend(file.equal.iter().map(|text| Line::of(format!("    {text}")).hanging(6)));
    }
    let sentence = |fact: Fact| format!("  {}: {}", fact.label.form(Form::Spoken), fact.text);
    let facts = [around::names(&review.look_alikes()), around::facts(review), around::to_post(review)]
        .into_iter()
        .flatten();
    lines.extend(facts.map(|fact| Line::of(sentence(fact)).hanging(4)));
    lines.extend(review.notes.iter().map(|note| Line::of(format!("  NOTE {note}")).hanging(4)));
    if review.waits_for_hashes() {
        let number = review.pull.number;
        let text = format!("No archive was read: `bumpdesk review {number} --hash` reads and hashes them.");
        lines.push(Line::of(text).hanging(2));
    }
    lines
}

/// Two values below each other, with carets below the characters that differ.
fn compared(values: [&str; 2], cells: usize) -> Vec<Line> {
    /// Cells before a value: its side and the indent.
    const BEFORE: usize = 19;
    let mut lines = Vec::new();
    for part in align(values, cells.saturating_sub(BEFORE), "…") {
        for (side, name) in review::SIDES.into_iter().enumerate() {
            let start = Line::of(format!("{:BEFORE$}", format!("      {name}")));
            lines.push(part.parts(side).into_iter().fold(start, |line, (differs, text)| {
                if differs { line.toned(Tone::Wrong, text) } else { line.text(text) }
            }));
        }
        if !part.carets.is_empty() {
            lines.push(Line::of(" ".repeat(BEFORE)).toned(Tone::Wrong, part.carets));
        }
    }
    lines
}

/// One of a list: its word, whose it is, why, and the maintainer's own review of it.
pub(crate) fn listed_review(
    ui: &Ui,
    (pull, standing): (&OpenPull, Standing<'_>),
    now: Timestamp,
) -> Vec<Line> {
    let Standing::Reviewed(Reviewed { review, .. }) = standing else { return Vec::new() };
    let news = age(pull.updated, now, Form::Spoken);
    let text = format!("  by {}, {news} ago: {}", visible(&pull.author), review::why(review));
    let own = review::own(pull, standing).map(|own| Line::of(format!("  {}", own.word)).hanging(4));
    [head(ui, review), Line::of(text).hanging(4)].into_iter().chain(own).collect()
}

/// The lines of a pull request, as one patch, and a reason for each file that has none.
pub(crate) fn differences(pull: &PullDifferences, against: Against) -> Vec<Line> {
    let of_file = |file: &FileDifferences| match patch(file, against) {
        Ok(patch) => patch.lines().map(Line::of).collect(),
        Err(why) => vec![Line::of(format!("{}: {why}", file.path)).hanging(2)],
    };
    pull.files.iter().flat_map(of_file).collect()
}

/// The lines of one file as a patch, or the reason why there is none.
pub(crate) fn patch(file: &FileDifferences, against: Against) -> Result<String, String> {
    let lines = file.against(against).as_ref().map_err(Clone::clone)?;
    let patch = lines.unified(&file.path, CONTEXT_LINES);
    if patch.is_empty() { Err(review::no_difference(against).to_owned()) } else { Ok(patch) }
}

fn head(ui: &Ui, review: &Review) -> Line {
    let (subject, sign) = (review::subject(&review.pull), review::sign(review.result));
    if ui.plain {
        return Line::of(format!("{subject}: {}", sign.word)).hanging(2);
    }
    Line::default().color(Color::Bold, subject).text(": ").toned(sign.tone, sign.word).hanging(2)
}
