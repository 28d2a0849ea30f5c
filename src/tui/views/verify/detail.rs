//! What one row says in full: what is stored, what upstream has today, how to read that, and what can be done.

use jiff::Timestamp;
use ratatui::text::Line;

use crate::rules::amount::{bytes, clock, grouped};
use crate::rules::verify::{Answer, Listed, Row, SignatureSays, State, Zip};
use crate::tui::base::text;
use crate::tui::base::text::short_hash;
use crate::tui::base::theme::Role;
use crate::tui::views::verify::table::sign;
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip};

/// The longest label and a blank.
const LABEL: usize = 18;

fn labelled(
    paint: &Paint<'_>,
    lines: &mut Vec<Line<'static>>,
    width: u16,
    label: &str,
    role: Role,
    told: &str,
) {
    lines.extend(story::labelled_at(paint, (2, LABEL), (label, role, told), width));
}

/// Everything that is known of a row. What a pane shows first stands first.
pub(super) fn whole(paint: &Paint<'_>, row: &Row, state: State, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![head(paint, row, state, width)];
    let put =
        |lines: &mut Vec<_>, label: &str, told: &str| labelled(paint, lines, width, label, Role::Text, told);
    put(&mut lines, "stored shasum", &stored(row, paint.now));
    put(&mut lines, "SHA256SUMS today", &listed(row));
    put(&mut lines, "zip today", &zip(row));
    put(&mut lines, "h1 stored, today", &h1(row));
    if let Some(reading) = row.reading() {
        labelled(
            paint,
            &mut lines,
            width,
            "reading",
            if state.is_bad() { Role::Warning } else { Role::Text },
            &reading,
        );
    }
    for (place, step) in row.steps().iter().enumerate() {
        labelled(paint, &mut lines, width, if place == 0 { "you can" } else { "" }, Role::Notice, step);
    }
    put(&mut lines, "signature", &signature(&row.signature));
    put(&mut lines, "the answers", &answers(row));
    if let Some(asset) = &row.asset {
        let digest = asset.sha256.as_deref().unwrap_or("none");
        put(&mut lines, "GitHub's digest", digest);
        if let Some(id) = &asset.id {
            put(&mut lines, "GitHub's id", id);
        }
        if let Some(at) = asset.updated_at {
            put(&mut lines, "uploaded", &clock(at, paint.now));
        }
    }
    for (label, at) in
        [("created", row.times.release_created_at), ("published", row.times.release_published_at)]
    {
        if let Some(at) = at {
            put(&mut lines, label, &clock(at, paint.now));
        }
    }
    if let Some(tag) = &row.tag {
        put(&mut lines, "tag", &tag.text());
    }
    if let Zip::Hashed(computed) = &row.zip
        && let Some(why) = &computed.spooled
    {
        put(&mut lines, "read twice", why);
    }
    put(&mut lines, "URL", &row.url);
    put(&mut lines, "file", &row.address.path());
    lines
}

fn head(paint: &Paint<'_>, row: &Row, state: State, width: u16) -> Line<'static> {
    let (sign, role) = sign(state);
    let mut strip = Strip::new(paint, width);
    strip.gap(1).put(role, &format!("{sign} {}", state.word())).gap(1);
    strip.put(Role::Title, &format!("{} {} {}", row.address, row.version, row.target));
    strip.right(Role::Dim, &format!("{} ", row.address.path())).line()
}

fn stored(row: &Row, now: Timestamp) -> String {
    let sum = if row.stored.shasum.is_empty() { "none" } else { row.stored.shasum.as_str() };
    match row.times.indexed_at {
        Some(at) if row.times.indexed_by.is_empty() => format!("{sum}   indexed {}", clock(at, now)),
        Some(at) => format!("{sum}   {} {}", row.times.indexed_by, clock(at, now)),
        None => sum.to_owned(),
    }
}

fn listed(row: &Row) -> String {
    match &row.listed {
        Listed::NotAsked => "not read yet".into(),
        Listed::Sum { sum } => {
            let by = match &row.signature {
                SignatureSays::Good { by, .. } => format!("   signed by {by}, on file"),
                _ => String::new(),
            };
            format!("{sum}{by}")
        }
        Listed::Omitted => "it does not name this file".into(),
        Listed::SumsGone => "gone upstream".into(),
        Listed::Unread { why } => format!("could not be read: {why}"),
    }
}

fn zip(row: &Row) -> String {
    match &row.zip {
        Zip::NotDone => "not downloaded yet".into(),
        Zip::Hashed(computed) => format!("{}   {} bytes", computed.sha256, grouped(computed.size_bytes)),
        Zip::Gone => "gone upstream".into(),
        Zip::Skipped { why } => format!("left out: {why}"),
        Zip::Failed { why } => format!("could not be hashed: {why}"),
        Zip::Cancelled => "stopped before it was downloaded".into(),
    }
}

fn h1(row: &Row) -> String {
    let stored = if row.stored.h1.is_empty() { "none stored" } else { row.stored.h1.as_str() };
    let today = match &row.zip {
        Zip::Hashed(computed) => computed.h1.as_deref().unwrap_or("cannot be computed"),
        _ => "not known",
    };
    if stored == today { format!("{stored}, the same") } else { format!("{stored}, {today}") }
}

fn signature(says: &SignatureSays) -> String {
    match says {
        SignatureSays::NotAsked => "not read yet".into(),
        SignatureSays::NoKeys => "no key is on file, so nobody asks for one".into(),
        SignatureSays::Good { by, file, .. } => format!("by {by}, on file in {file}"),
        SignatureSays::OtherKey { signed_by, on_file } => {
            format!("by {}; on file: {}", signed_by.join(", "), on_file.join(", "))
        }
        SignatureSays::Bad { why } => format!("not good: {why}"),
        SignatureSays::Gone => "gone upstream, and keys are on file".into(),
        SignatureSays::Unread { why } => format!("could not be checked: {why}"),
    }
}

/// `ZH=SUMS differ   ZH=ZIP same   H1 same   SIG ok   size same`.
fn answers(row: &Row) -> String {
    let answers = row.answers();
    let signed = if answers.signature == Answer::Same { "ok" } else { answers.signature.word() };
    let [sums, zip, h1, size] = [answers.zh_sums, answers.zh_zip, answers.h1, answers.size].map(Answer::word);
    let digest = answers.digest.word();
    format!("ZH=SUMS {sums}, ZH=ZIP {zip}, H1 {h1}, SIG {signed}, size {size}, GitHub's digest {digest}")
}

/// The same in few lines: for the pane of a medium or narrow window.
pub(super) fn short(paint: &Paint<'_>, row: &Row, width: u16, height: u16) -> Vec<Line<'static>> {
    let today = match (&row.zip, &row.listed) {
        (Zip::Hashed(computed), _) => short_hash(&computed.sha256),
        (_, Listed::Sum { sum }) => short_hash(sum),
        _ => "not known".into(),
    };
    let sums = format!("stored {}, upstream {today}", short_hash(&row.stored.shasum));
    let mut lines = Vec::new();
    let mut first = Strip::new(paint, width);
    first.gap(1);
    if height > 2 {
        first
            .put(Role::Title, &format!("{} {} {}", row.address.name(), row.version, row.target))
            .put(Role::Text, ": ");
    }
    lines.push(first.put(Role::Text, &sums).line());
    let told = row.reading().unwrap_or_else(|| match row.size_bytes() {
        Some(size) => format!("{}; {}", bytes(size), signature(&row.signature)),
        None => signature(&row.signature),
    });
    let steps = row.steps();
    let room = usize::from(height).saturating_sub(1 + usize::from(height > 2 && !steps.is_empty()));
    let clean = text::clean(&told, paint.glyphs);
    let cells = usize::from(width).saturating_sub(2);
    let mut parts = text::wrap(&clean, cells);
    if let Some(cut) = parts.get(room).filter(|_| room > 0) {
        // It goes on, and says so.
        parts[room - 1] = text::elide_end(&format!("{} {cut}", parts[room - 1]), cells).into_owned();
    }
    lines.extend(
        parts.iter().take(room).map(|part| Strip::new(paint, width).gap(1).put(Role::Text, part).line()),
    );
    if let Some(step) = steps.first().filter(|_| height > 2) {
        lines.push(Strip::new(paint, width).gap(1).put(Role::Dim, "you can ").put(Role::Notice, step).line());
    }
    lines
}
