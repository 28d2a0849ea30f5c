//! Draws the proposed rebuild.
//!
//! ```text
//! address  path                         adds missing versions
//! + ADDITIVE  +2 versions  +28 targets  0 changed  0 removed
//! version 3.70.0 > target linux_amd64 > shasum         change 4/9
//! +>   17           "shasum": "b6f7add03c464f43..",
//! + ..20   11 more targets of the same shape           folded
//! left out: 1.2.5, and why
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::rules::amount::counted;
use crate::rules::diff::{Diff, Normalises};
use crate::rules::{Class as PlanClass, Finding, Status};
use crate::tui::keymap::Command;
use crate::tui::layout::{Area, Class};
use crate::tui::model::Model;
use crate::tui::screens::diff::state::{Counts, DiffScreen};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::widgets::diff::{headline, view as lines};
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip, lay};

/// Draws the screen; gives the cell where the cursor belongs.
pub(crate) fn view(model: &Model, paint: &Paint<'_>, buffer: &mut Buffer) -> Option<Position> {
    let diff = model.diff.as_ref()?;
    let parts = model.diff_parts();
    lay(buffer, parts.banner, &banner(model, paint, diff, parts.banner.width));
    let narrow = model.size.class() == Class::Narrow;
    let typing = headline(paint, &diff.pane, parts.path, narrow, buffer);
    lay(buffer, parts.wall, &[paint.rule(parts.wall.width)]);
    let findings = story::findings(paint, &diff.findings, parts.findings.width);
    let most = findings.len().saturating_sub(usize::from(parts.findings.height));
    lay(buffer, parts.findings, &findings[diff.findings_scroll.min(most)..]);
    let hidden = findings.len().saturating_sub(usize::from(parts.findings.height) + diff.findings_scroll);
    lay(buffer, parts.floor, &[paint.rule_over(parts.floor.width, hidden)]);
    if diff.has_lines() {
        let cursor = lines(paint, &diff.pane, parts.lines, narrow, buffer);
        return typing.or(cursor);
    }
    let width = parts.lines.width.saturating_sub(2);
    let texts = empty(paint, diff);
    let empty: Vec<Line<'_>> = texts.iter().flat_map(|text| paint.wrapped(width, Role::Text, text)).collect();
    lay(buffer, Area { x: parts.lines.x + 1, width, ..parts.lines }, &empty);
    typing
}

/// What stands where the lines would be.
fn empty(paint: &Paint<'_>, diff: &DiffScreen) -> Vec<String> {
    match (&diff.failure, diff.proposal()) {
        (Some(failure), _) => {
            let mut texts = vec![format!("{} failed: {}", failure.doing, failure.causes.join(": "))];
            texts.extend(failure.hint.clone());
            texts
        }
        (None, Some(_)) => match diff.obstacle() {
            Some(obstacle) => blocked(paint, obstacle),
            None => vec!["The rebuild gives the same bytes: there is nothing to change.".into()],
        },
        (None, None) if diff.opened.is_some() => {
            vec!["no rebuild could be made of this entry; see the findings".into()]
        }
        (None, None) => {
            vec!["building the proposed rebuild: reading upstream; nothing is written ...".into()]
        }
    }
}

/// Why nobody can say what is missing, and what to do about it.
fn blocked(paint: &Paint<'_>, obstacle: &Finding) -> Vec<String> {
    let (back, again) = (paint.key(Command::Back), paint.key(Command::SurveyThis));
    let Some(what) = obstacle.leaves_unknown() else {
        return vec![format!("Nothing can be proposed: {}.", obstacle.text)];
    };
    vec![
        format!("Nothing can be proposed: {what}. That is not the same as nothing to change."),
        format!(
            "{back} goes back; {again} there asks upstream again. Should it fail again: `bumpdesk doctor --online` \
             tells what does not answer."
        ),
    ]
}

fn banner(model: &Model, paint: &Paint<'_>, diff: &DiffScreen, width: u16) -> Vec<Line<'static>> {
    let narrow = model.size.class() == Class::Narrow;
    let address = diff.address.to_string();
    let mut first = Strip::new(paint, width);
    let share = usize::from(width) / 2;
    first.gap(1).put(Role::Title, &text::elide_middle(&address, share)).gap(2);
    let Some(proposal) = diff.proposal() else {
        return vec![first.put(Role::Dim, "proposed rebuild").line()];
    };
    if diff.obstacle().is_some() {
        first
            .put(Role::Warning, &format!("{} nothing can be proposed", paint.glyphs.status(Status::Unknown)));
        return vec![first.line()];
    }
    if narrow {
        class(&mut first, proposal.diff.class, &proposal.diff, diff.counts, Class::Narrow);
        return vec![first.line()];
    }
    let wide = model.size.class() == Class::Wide;
    let digest =
        if wide { String::new() } else { format!("  sha256 {}", text::short_hash(&proposal.digest)) };
    let tail = format!("{}{digest} ", proposal.mode.words());
    let room = first.room().saturating_sub(text::width(&tail) + 2);
    if room >= 30 {
        first.put(Role::Dim, &text::elide_middle(&proposal.path, room));
    }
    first.right(Role::Dim, &tail);
    let mut second = Strip::new(paint, width);
    second.gap(1);
    class(&mut second, proposal.diff.class, &proposal.diff, diff.counts, model.size.class());
    let mut third = Strip::new(paint, width);
    third.gap(1).put(Role::Dim, "sha256").gap(1).put(Role::Text, &text::short_hash(&proposal.base_digest));
    third.put(Role::Dim, " becomes ").put(Role::Text, &text::short_hash(&proposal.digest));
    third.gap(2).put(Role::Dim, "what the registry's own bump would write; nothing is written here");
    vec![first.line(), second.line(), third.line()]
}

/// Class and counts.
pub(crate) fn class(strip: &mut Strip<'_>, class: PlanClass, diff: &Diff, counts: Counts, room: Class) {
    let role = match class {
        PlanClass::Additive => Role::Fine,
        PlanClass::Noop => Role::Dim,
        PlanClass::Reorders => Role::Late,
        PlanClass::Mutates | PlanClass::Removes => Role::Lost,
    };
    strip.put(role, &format!("{} {}", class.glyph(), class.word()));
    let (versions, targets) = (counts.added, counts.added_targets);
    if room == Class::Narrow {
        strip.put(Role::Text, &format!(" +{versions}v +{targets}t"));
        return;
    }
    let mut parts = if room == Class::Medium {
        vec![format!("+{versions} ver +{targets} tgt")]
    } else {
        vec![format!("+{}", counted(versions, "version")), format!("+{}", counted(targets, "target"))]
    };
    parts.push(format!("{} changed", counts.changed));
    parts.push(format!("{} removed", counts.removed));
    if counts.moved > 0 {
        parts.push(format!("{} moved", counts.moved));
    }
    parts.extend(normalises(&diff.normalises));
    parts.push(format!("{} unchanged", diff.unchanged_versions));
    for part in parts {
        if text::width(&part) + 2 <= strip.room() {
            strip.gap(2).put(Role::Text, &part);
        }
    }
}

/// The side changes in words; none if there are none.
fn normalises(side: &Normalises) -> Option<String> {
    let mut parts = Vec::new();
    for (count, noun) in [
        (side.key_orders, "key order"),
        (side.empty_fields, "empty field"),
        (side.moved_versions, "moved version"),
    ] {
        if count > 0 {
            parts.push(counted(count, noun));
        }
    }
    if side.layout {
        parts.push("layout".into());
    }
    (!parts.is_empty()).then(|| format!("normalises {}", parts.join(", ")))
}
