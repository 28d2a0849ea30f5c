//! The difference as a patch that `git apply` takes: exact bytes, line ends included. For `bumpdesk diff --patch`.

use std::fmt::Write as _;
use std::time::Duration;

use similar::{Algorithm, ChangeTag, DiffOp, TextDiff};

use crate::rules::diff::Lines;

/// After this the search settles for a longer, still valid patch.
const TIME: Duration = Duration::from_secs(2);
const NO_NEWLINE: &str = "\\ No newline at end of file\n";

impl Lines {
    /// A unified diff of the file at this path with this many lines of context, and of the second file behind it; empty if nothing
    /// differs.
    pub(crate) fn unified(&self, file: &str, context: usize) -> String {
        let Some(second) = &self.second else {
            return unified(file, (&self.old_text, &self.new_text), context);
        };
        let (old, old_second) = self.old_text.split_at(second.old_from);
        let (new, new_second) = self.new_text.split_at(second.new_from);
        unified(file, (old, new), context) + &unified(&second.path, (old_second, new_second), context)
    }
}

fn unified(file: &str, (old, new): (&str, &str), context: usize) -> String {
    // Split at line feeds alone: git knows no other line end, and a carriage return is part of the line.
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(TIME).diff_slices(&old, &new);
    let groups = diff.grouped_ops(context);
    let has_changes = |group: &&Vec<DiffOp>| group.iter().any(|op| !matches!(op, DiffOp::Equal { .. }));
    if groups.iter().find(has_changes).is_none() {
        return String::new();
    }
    let mut patch = format!("diff --git a/{file} b/{file}\n");
    let (from, to) = match (old.is_empty(), new.is_empty()) {
        (true, _) => {
            patch.push_str("new file mode 100644\n");
            ("/dev/null".to_owned(), format!("b/{file}"))
        }
        (_, true) => {
            patch.push_str("deleted file mode 100644\n");
            (format!("a/{file}"), "/dev/null".to_owned())
        }
        _ => (format!("a/{file}"), format!("b/{file}")),
    };
    let _ = writeln!(patch, "--- {from}\n+++ {to}");
    for group in groups.iter().filter(has_changes) {
        patch.push_str(&head(group));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            patch.push(match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            });
            patch.push_str(change.value());
            if !change.value().ends_with('\n') {
                patch.push('\n');
                patch.push_str(NO_NEWLINE);
            }
        }
    }
    patch
}

/// `@@ -1,3 +1,4 @@`.
fn head(group: &[DiffOp]) -> String {
    let range = |start: usize, length: usize| match length {
        1 => (start + 1).to_string(),
        // An empty range names the line before it.
        0 => format!("{start},0"),
        _ => format!("{},{length}", start + 1),
    };
    let (first, last) = (group.first(), group.last());
    let old = first.map_or(0, |op| op.old_range().start)..last.map_or(0, |op| op.old_range().end);
    let new = first.map_or(0, |op| op.new_range().start)..last.map_or(0, |op| op.new_range().end);
    format!("@@ -{} +{} @@\n", range(old.start, old.len()), range(new.start, new.len()))
}
