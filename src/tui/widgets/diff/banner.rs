//! What a rebuild comes to: its class and its figures, as far as there is room.

use crate::desk::telling::planned::class_tone;
use crate::rules::Class as PlanClass;
use crate::rules::amount::counted;
use crate::rules::diff::{ChangeKind, Diff, Normalises};
use crate::tui::base::layout::Class;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::Strip;

/// The figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) added: u32,
    pub(crate) added_targets: u32,
    pub(crate) changed: u32,
    pub(crate) removed: u32,
    pub(crate) moved: u32,
}

impl Counts {
    pub(crate) fn of(diff: &Diff) -> Self {
        let mut counts = Self::default();
        for change in &diff.versions {
            match change.kind {
                ChangeKind::Added => {
                    counts.added += 1;
                    counts.added_targets += change.targets.len() as u32;
                }
                ChangeKind::Removed => counts.removed += 1,
                ChangeKind::Changed => counts.changed += 1,
                ChangeKind::Moved => counts.moved += 1,
            }
        }
        counts
    }

    /// `+3 versions, +33 targets, 1 changed, 2 removed`, without what there is none of.
    fn words(self) -> String {
        let Self { added, added_targets, changed, removed, .. } = self;
        let told = [
            (added, format!("+{}", counted(added, "version"))),
            (added_targets, format!("+{}", counted(added_targets, "target"))),
            (changed, format!("{changed} changed")),
            (removed, format!("{removed} removed")),
        ];
        let told: Vec<String> =
            told.into_iter().filter(|(count, _)| *count > 0).map(|(_, told)| told).collect();
        told.join(", ")
    }

    /// ` +3v +33t ~1v -2v`, without what there is none of.
    pub(crate) fn short(self) -> String {
        let Self { added, added_targets, changed, removed, .. } = self;
        let figures =
            [("+", added, "v"), ("+", added_targets, "t"), ("~", changed, "v"), ("-", removed, "v")];
        let told = figures.into_iter().filter(|(_, count, _)| *count > 0);
        let told: Vec<String> = told.map(|(sign, count, noun)| format!(" {sign}{count}{noun}")).collect();
        told.concat()
    }
}

/// Class and counts.
pub(crate) fn class(strip: &mut Strip<'_>, class: PlanClass, diff: &Diff, counts: Counts, room: Class) {
    strip.put(Role::meant(class_tone(class)), &format!("{} {}", class.glyph(), class.word()));
    let (versions, targets) = (counts.added, counts.added_targets);
    if room == Class::Narrow {
        let words = format!(" {}", counts.words());
        let told = if text::width(&words) <= strip.room() { words } else { counts.short() };
        strip.put(Role::Text, &told);
        return;
    }
    // Modules have no targets.
    let mut parts = vec![format!("+{}", counted(versions, "version"))];
    parts.extend((targets > 0).then(|| format!("+{}", counted(targets, "target"))));
    // Counts of zero come late: they give way first.
    let touched = [(counts.changed, "changed"), (counts.removed, "removed")];
    let those = |is_some: bool| {
        let those = touched.into_iter().filter(move |(count, _)| (*count > 0) == is_some);
        those.map(|(count, word)| format!("{count} {word}"))
    };
    parts.extend(those(true));
    parts.extend((counts.moved > 0).then(|| format!("{} moved", counts.moved)));
    parts.extend(normalises(&diff.normalises));
    parts.extend(those(false));
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
