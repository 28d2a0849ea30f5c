//! Draws the proposed rebuild.
//!
//! ```text
//! - address  path ---------------------- adds missing versions -
//! + ADDITIVE  +2 versions  +28 targets  0 changed  0 removed
//! version 3.70.0 > target linux_amd64 > shasum         change 4/9
//! +>   17           "shasum": "b6f7add03c464f43..",
//! + ..20   11 more targets of the same shape           folded
//! left out: 1.2.5, and why
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::text::Line;

use crate::desk::ability::Ability;
use crate::desk::telling::planned;
use crate::rules::finding::REPOSITORY_GONE;
use crate::rules::{Proposal, Status};
use crate::tui::base::layout::{Area, Class, DiffParts};
use crate::tui::base::theme::Role;
use crate::tui::base::{layout, text};
use crate::tui::keymap::Command;
use crate::tui::views::diff::state::{DiffScreen, ON_PAPER};
use crate::tui::widgets::diff::{class, headline, view as lines};
use crate::tui::widgets::story;
use crate::tui::widgets::strip::{Paint, Strip, lay};

/// Draws the screen, and returns the cell of the cursor.
pub(super) fn view(paint: &Paint<'_>, diff: &DiffScreen, buffer: &mut Buffer) -> Option<Position> {
    let parts = parts(paint, diff);
    lay(buffer, parts.banner, &banner(paint, diff, parts.banner.width));
    let narrow = paint.size.class() == Class::Narrow;
    let typing = headline(paint, &diff.pane, parts.path, narrow, buffer);
    lay(buffer, parts.wall, &[paint.rule(parts.wall.width)]);
    let findings = story::findings(paint, &diff.findings, parts.findings.width);
    let (from, hidden) =
        layout::scrolled(diff.findings_scroll, usize::from(parts.findings.height), findings.len());
    lay(buffer, parts.findings, &findings[from..]);
    lay(buffer, parts.floor, &[paint.rule_over(parts.floor.width, hidden)]);
    if diff.has_lines() {
        let cursor = lines(paint, &diff.pane, parts.lines, (narrow, true), buffer);
        return typing.or(cursor);
    }
    let width = parts.lines.width.saturating_sub(2);
    let texts = empty(paint, diff);
    let empty: Vec<Line<'_>> = texts.iter().flat_map(|text| paint.wrapped(width, Role::Text, text)).collect();
    lay(buffer, Area { x: parts.lines.x + 1, width, ..parts.lines }, &empty);
    typing
}

/// The places of the parts.
pub(super) fn parts(paint: &Paint<'_>, diff: &DiffScreen) -> DiffParts {
    let findings = story::findings(paint, &diff.findings, paint.size.columns).len();
    layout::diff(paint.size, findings)
}

/// The text in the place of missing lines.
fn empty(paint: &Paint<'_>, diff: &DiffScreen) -> Vec<String> {
    match (&diff.failure, diff.proposal()) {
        (Some(failure), _) => {
            let mut texts = vec![failure.reason()];
            texts.extend(failure.hint.iter().map(|hint| story::in_keys(paint, hint)));
            texts
        }
        (None, Some(proposal)) => match planned::blocked(proposal) {
            Some(why) => blocked(paint, proposal, why),
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

/// The reason why the missing versions are unknown, and the next step.
fn blocked(paint: &Paint<'_>, proposal: &Proposal, why: String) -> Vec<String> {
    let (back, again) = (paint.key(Command::Back), paint.key(Ability::Survey));
    let unread = proposal.obstacle().filter(|obstacle| obstacle.leaves_unknown().is_some());
    let next = unread.map(|obstacle| {
        let ask = format!("{back} goes back; {again} there asks upstream again.");
        if obstacle.rule == REPOSITORY_GONE {
            return format!("{} gives the repository's URL. {ask}", paint.key(Ability::Browse));
        }
        format!("{ask} If it fails again, `bumpdesk doctor --online` shows what does not answer.")
    });
    [why].into_iter().chain(next).collect()
}

fn banner(paint: &Paint<'_>, diff: &DiffScreen, width: u16) -> Vec<Line<'static>> {
    let narrow = paint.size.class() == Class::Narrow;
    let address = diff.address.to_string();
    let named = |right: &str, beside: &dyn Fn(&mut Strip<'_>)| {
        paint.pane_rule(width, true, &[right], |strip, name| {
            let share = if narrow { strip.room() / 2 } else { usize::from(width) / 2 };
            strip.put(name, &text::elide_middle(&address, share, paint.glyphs));
            beside(strip.gap(2));
        })
    };
    let Some(proposal) = diff.proposal() else {
        let proposed = |strip: &mut Strip<'_>| {
            strip.put(Role::Dim, "proposed rebuild");
        };
        return vec![named("", &proposed)];
    };
    if diff.obstacle().is_some() {
        let nothing = |strip: &mut Strip<'_>| {
            let sign = paint.glyphs.status(Status::Unknown);
            strip.put(Role::Warning, &format!("{sign} nothing can be proposed"));
        };
        return vec![named("", &nothing)];
    }
    if narrow {
        let class_alone = |strip: &mut Strip<'_>| {
            class(strip, proposal.diff.class, &proposal.diff, diff.counts, Class::Narrow);
        };
        return vec![named("", &class_alone)];
    }
    let path = |strip: &mut Strip<'_>| {
        let room = strip.room();
        if room >= 20 {
            strip.put(Role::Dim, &text::elide_middle(&proposal.path, room, paint.glyphs));
        }
    };
    let first = named(proposal.words(), &path);
    let mut second = Strip::new(paint, width);
    second.gap(1);
    class(&mut second, proposal.diff.class, &proposal.diff, diff.counts, paint.size.class());
    let mut third = Strip::new(paint, width);
    third
        .gap(1)
        .put(Role::Dim, "sha256")
        .gap(1)
        .put(Role::Text, &text::short_hash(&proposal.base_digest, paint.glyphs));
    third.put(Role::Dim, " becomes ").put(Role::Text, &text::short_hash(&proposal.digest, paint.glyphs));
    third.gap(2).put(Role::Dim, ON_PAPER);
    vec![first, second.line(), third.line()]
}
