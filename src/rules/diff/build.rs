//! Builds the line view of a difference: walks both documents part by part, so that equal parts are compared as whole texts
//! and lines are searched only inside versions that differ. Called by [`Lines::build`] and [`Lines::of`] alone.

use std::collections::HashMap;
use std::ops::Range;

use crate::registry::{Document, Json, Kind};
use crate::rules::diff::drawing::{Drawing, Heading};
use crate::rules::diff::grid::Targets;
use crate::rules::diff::outline::{FieldLines, Outline, VersionParts};
use crate::rules::diff::pairing::{Place, pair};
use crate::rules::diff::semantic::version_keys;
use crate::rules::diff::targets::TargetRow;
use crate::rules::diff::{
    BlockKind, ChangeKind, Diff, Lines, PlatformGrid, Printed, VersionChange, grid, targets,
};

const NONE: Range<usize> = 0..0;

pub(super) fn build(
    kind: Kind,
    (old, old_bytes): Printed<'_>,
    (new, new_bytes): Printed<'_>,
    diff: &Diff,
) -> Lines {
    let (old_text, new_text) = (text_of(old_bytes), text_of(new_bytes));
    if old_text.len().max(new_text.len()) > u32::MAX as usize {
        return Lines::default();
    }
    let (old_outline, new_outline) = (Outline::new(&old_text), Outline::new(&new_text));
    let mut drawing = Drawing::new(&old_outline, &new_outline);
    // Braces stand where Go puts them only if the tree alone gives the bytes.
    let parts = (old.prints_from_tree() && new.prints_from_tree())
        .then(|| Some((Side::read(old, &old_outline)?, Side::read(new, &new_outline)?)))
        .flatten();
    if let Some((before, after)) = parts {
        File { kind, diff, before, after }.draw(&mut drawing);
    } else {
        drawing.piece(0..old_outline.len(), 0..new_outline.len());
        drawing.fold_equal_runs(0);
    }
    drawing.close();
    let Drawing { lines, blocks, .. } = drawing;
    Lines { old_text, new_text, lines, blocks, second: None }
}

/// Lays out two texts that are no documents.
pub(super) fn build_text(old: Vec<u8>, new: Vec<u8>) -> Lines {
    let (old_text, new_text) = (text_of(old), text_of(new));
    let (old_outline, new_outline) = (Outline::new(&old_text), Outline::new(&new_text));
    let mut drawing = Drawing::new(&old_outline, &new_outline);
    drawing.piece(0..old_outline.len(), 0..new_outline.len());
    drawing.fold_equal_runs(0);
    drawing.close();
    let Drawing { lines, blocks, .. } = drawing;
    Lines { old_text, new_text, lines, blocks, second: None }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// One of the two documents, with the lines of its parts.
struct Side<'a> {
    outline: &'a Outline<'a>,
    fields: Vec<FieldLines>,
    /// The line of the root's closing brace.
    close: usize,
    versions: &'a [Json],
    /// The lines of each version.
    items: Vec<Range<usize>>,
}

impl<'a> Side<'a> {
    /// `None` where lines and tree do not agree, such as for a key that stands twice.
    fn read(document: &'a Document, outline: &'a Outline<'a>) -> Option<Self> {
        if outline.len() == 0 {
            // A file that is not there yet.
            return Some(Self { outline, fields: Vec::new(), close: 0, versions: &[], items: Vec::new() });
        }
        let (fields, close) = outline.fields()?;
        let mut lists = fields.iter().filter(|(key, _)| key == "versions");
        let items = lists.next().map_or_else(Vec::new, |(_, lines)| outline.items(lines, 4));
        let versions = document.versions();
        let agrees = lists.next().is_none() && items.len() == versions.len();
        agrees.then_some(Self { outline, fields, close, versions, items })
    }

    fn keys(&self) -> Vec<&str> {
        self.fields.iter().map(|(key, _)| key.as_str()).collect()
    }

    fn field(&self, at: Option<usize>) -> Range<usize> {
        at.map_or(NONE, |at| self.fields[at].1.clone())
    }

    fn item(&self, at: Option<usize>) -> Range<usize> {
        at.map_or(NONE, |at| self.items[at].clone())
    }

    fn parts(&self, at: Option<usize>) -> VersionParts {
        at.map_or_else(VersionParts::default, |at| self.outline.version(&self.items[at]))
    }

    fn targets(&self, at: Option<usize>) -> &'a [Json] {
        at.and_then(|at| self.versions[at].field("targets")).map(Json::items).unwrap_or_default()
    }
}

struct File<'a> {
    kind: Kind,
    diff: &'a Diff,
    before: Side<'a>,
    after: Side<'a>,
}

impl File<'_> {
    fn draw(&self, drawing: &mut Drawing<'_>) {
        let head = |side: &Side<'_>| 0..side.outline.len().min(1);
        drawing.piece(head(&self.before), head(&self.after));
        for place in pair(&self.before.keys(), &self.after.keys()) {
            let (old, new) = (self.before.field(place.before()), self.after.field(place.after()));
            let key = place.after().map(|at| &self.after.fields[at].0);
            let key = key.or_else(|| place.before().map(|at| &self.before.fields[at].0));
            match key.map(String::as_str) {
                Some("versions") => self.draw_versions(drawing, old, new),
                Some(key) => self.draw_field(drawing, key, old, new),
                None => {}
            }
        }
        let (old, new) = (&self.before, &self.after);
        drawing.piece(old.close..old.outline.len(), new.close..new.outline.len());
    }

    fn draw_field(&self, drawing: &mut Drawing<'_>, key: &str, old: Range<usize>, new: Range<usize>) {
        let (before, after) = (self.before.outline, self.after.outline);
        let uncomma = |text: &str| text.strip_suffix(',').unwrap_or(text).to_owned();
        let is_same = uncomma(before.lines(&old)) == uncomma(after.lines(&new));
        if is_same && new.len() == 1 {
            return drawing.piece(old, new);
        }
        let (side, lines) = if new.is_empty() { (before, &old) } else { (after, &new) };
        let mut title = match side.items(lines, 4).len() {
            0 => key.to_owned(),
            1 => format!("{key} (1 item)"),
            count => format!("{key} ({count} items)"),
        };
        if is_same {
            title.push_str(", unchanged");
        }
        let heading =
            Heading { kind: BlockKind::Other, title, path: key.to_owned(), folded: is_same, odd: false };
        drawing.open(heading);
        drawing.piece(old, new);
        drawing.fold_equal_runs(drawing.first_line());
        drawing.close();
    }

    fn draw_versions(&self, drawing: &mut Drawing<'_>, old: Range<usize>, new: Range<usize>) {
        // The list's opening line, or all of it where it has no items.
        let head = |lines: &Range<usize>, items: &[Range<usize>]| {
            if items.is_empty() { lines.clone() } else { lines.start..lines.start + 1 }
        };
        let (old_head, new_head) = (head(&old, &self.before.items), head(&new, &self.after.items));
        let old_tail = if self.before.items.is_empty() { NONE } else { old.end - 1..old.end };
        let new_tail = if self.after.items.is_empty() { NONE } else { new.end - 1..new.end };
        drawing.piece(old_head, new_head);

        let changes: HashMap<_, _> =
            self.diff.versions.iter().map(|change| ((change.old_place, change.new_place), change)).collect();
        let places = pair(&version_keys(self.before.versions), &version_keys(self.after.versions));
        let change_at = |place: Place| {
            changes.get(&(place.before().map(|at| at as u32), place.after().map(|at| at as u32))).copied()
        };
        let mut rest = &places[..];
        while let Some((place, others)) = rest.split_first() {
            if let Some(change) = change_at(*place) {
                self.draw_change(drawing, *place, change);
                rest = others;
                continue;
            }
            let is_same = self.is_same(*place);
            let plain = |place: &&Place| change_at(**place).is_none() && self.is_same(**place) == is_same;
            let length = rest.iter().take_while(plain).count().max(1);
            self.draw_unchanged(drawing, &rest[..length], is_same);
            rest = &rest[length..];
        }
        drawing.piece(old_tail, new_tail);
    }

    /// Whether a version's lines are the same, but for the comma behind it.
    fn is_same(&self, place: Place) -> bool {
        let old = self.before.outline.lines(&self.before.item(place.before()));
        let new = self.after.outline.lines(&self.after.item(place.after()));
        old.strip_suffix(',').unwrap_or(old) == new.strip_suffix(',').unwrap_or(new)
    }

    fn draw_unchanged(&self, drawing: &mut Drawing<'_>, places: &[Place], is_same: bool) {
        let title = match (is_same, places.len()) {
            (true, 1) => "1 unchanged version".to_owned(),
            (true, count) => format!("{count} unchanged versions"),
            (false, 1) => "1 version changed only in format".to_owned(),
            (false, count) => format!("{count} versions changed only in format"),
        };
        let path = match (places.first().map(|place| self.path(*place)), places.last()) {
            (Some(first), Some(last)) if places.len() > 1 => {
                format!("{first} to {}", self.path(*last))
            }
            (first, _) => first.unwrap_or_default(),
        };
        drawing.open(Heading { kind: BlockKind::Unchanged, title, path, folded: true, odd: false });
        for place in places {
            if is_same {
                drawing.piece(self.before.item(place.before()), self.after.item(place.after()));
            } else {
                self.draw_plain(drawing, *place);
            }
        }
        drawing.close();
    }

    /// A version without blocks inside: its targets are paired in order, so that every piece is short.
    fn draw_plain(&self, drawing: &mut Drawing<'_>, place: Place) {
        let (old, new) = (self.before.parts(place.before()), self.after.parts(place.after()));
        drawing.piece(old.head, new.head);
        for at in 0..old.targets.len().max(new.targets.len()) {
            let lines = |targets: &[Range<usize>]| targets.get(at).cloned().unwrap_or(NONE);
            drawing.piece(lines(&old.targets), lines(&new.targets));
        }
        drawing.piece(old.tail, new.tail);
    }

    fn draw_change(&self, drawing: &mut Drawing<'_>, place: Place, change: &VersionChange) {
        let path = self.path(place);
        let (old, new) = (self.before.parts(place.before()), self.after.parts(place.after()));
        let (old_targets, new_targets) =
            (self.before.targets(place.before()), self.after.targets(place.after()));
        // A target list that is no list of objects is shown line by line.
        let agrees = old.targets.len() == old_targets.len() && new.targets.len() == new_targets.len();
        let rows = match self.kind {
            Kind::Provider if agrees => targets::rows(old_targets, new_targets, &change.version),
            _ => Vec::new(),
        };
        let odd = rows.iter().filter(|row| row.odd).count();
        let heading = Heading {
            kind: BlockKind::Version,
            title: version_title(change, new_targets.len().max(old_targets.len()), odd),
            path: path.clone(),
            folded: matches!(change.kind, ChangeKind::Moved | ChangeKind::Removed),
            odd: odd > 0,
        };
        drawing.open(heading);
        if let Some(block) = drawing.blocks.last_mut().filter(|_| !rows.is_empty()) {
            let version = place.after().map(|at| &self.after.versions[at]);
            let is_new = change.kind == ChangeKind::Added;
            let below = is_new.then(|| grid::below(self.before.versions, &change.version)).flatten();
            let targets = Targets { old: old_targets, new: new_targets, rows: &rows };
            block.grid = PlatformGrid::new(change, version, &targets, below).map(Box::new);
        }
        if rows.is_empty() {
            self.draw_plain(drawing, place);
        } else {
            drawing.piece(old.head, new.head);
            draw_targets(drawing, &rows, &old.targets, &new.targets, &path);
            drawing.piece(old.tail, new.tail);
        }
        drawing.close();
    }

    /// `versions[1] 3.70.0`: the place in the new file, or in the old one for a removed version.
    fn path(&self, place: Place) -> String {
        let (at, versions) = match (place.after(), place.before()) {
            (Some(at), _) => (at, self.after.versions),
            (None, at) => (at.unwrap_or_default(), self.before.versions),
        };
        let name = versions.get(at).and_then(|json| json.field("version")).and_then(Json::as_str);
        format!("versions[{at}] {}", name.unwrap_or("")).trim_end().to_owned()
    }
}

fn draw_targets(
    drawing: &mut Drawing<'_>,
    rows: &[TargetRow],
    old: &[Range<usize>],
    new: &[Range<usize>],
    version_path: &str,
) {
    let draw = |drawing: &mut Drawing<'_>, row: &TargetRow| {
        drawing.open(Heading {
            kind: BlockKind::Target,
            title: row.title.clone(),
            path: format!("{version_path} > {}", row.path),
            folded: row.folded,
            odd: row.odd,
        });
        let lines = |at: Option<usize>, side: &[Range<usize>]| at.map_or(NONE, |at| side[at].clone());
        drawing.piece(lines(row.place.before(), old), lines(row.place.after(), new));
        drawing.close();
    };
    let mut rest = rows;
    while let Some(first) = rest.first() {
        let length = rest.iter().take_while(|row| row.folds_with(first)).count().max(1);
        let (run, others) = rest.split_at(length);
        if length > 1 {
            drawing.open(Heading {
                kind: BlockKind::Target,
                title: format!("{length} {}", first.run),
                path: format!("{version_path} > {} to {}", first.path, run[length - 1].path),
                folded: true,
                odd: first.odd,
            });
        }
        for row in run {
            draw(drawing, row);
        }
        if length > 1 {
            drawing.close();
        }
        rest = others;
    }
}

/// `version 3.70.1 (14 targets, 2 changed)`.
fn version_title(change: &VersionChange, target_count: usize, odd: usize) -> String {
    let mut notes = Vec::new();
    match target_count {
        0 => {}
        1 => notes.push("1 target".to_owned()),
        count => notes.push(format!("{count} targets")),
    }
    if change.kind == ChangeKind::Changed {
        for kind in [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Moved] {
            match change.targets.iter().filter(|target| target.kind == kind).count() {
                0 => {}
                count => notes.push(format!("{count} {}", kind.word())),
            }
        }
    }
    match odd {
        0 => {}
        1 => notes.push("1 unlike the others".to_owned()),
        count => notes.push(format!("{count} unlike the others")),
    }
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    let moved = match (change.kind, change.old_place) {
        (ChangeKind::Moved, Some(place)) => format!(", moved from versions[{place}]"),
        _ => String::new(),
    };
    format!("version {}{notes}{moved}", change.version)
}
