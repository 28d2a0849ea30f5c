//! The views of the console answer for themselves: only a few files may name one of them by its id.

use super::paths::paths;
use super::source::{Fault, Source, is_word};

/// The files that may name a view: its id, its keys, the steps that lead from one view to another, and the list of views.
const NAMING: [&str; 4] = [
    "src/tui/keymap/view_id.rs",
    "src/tui/keymap/table.rs",
    "src/tui/keymap/next_step.rs",
    "src/tui/shell/views.rs",
];

/// The fields beside the views in the shell's list of them.
const BESIDE: [&str; 2] = ["home", "showing"];

/// Variants of `ViewId` in any other product file of the console, and the state of a view in any other file of the shell.
pub(super) fn check(source: &Source) -> Vec<Fault> {
    let is_ours = source.path.starts_with("src/tui/") && !source.is_test();
    if !is_ours || NAMING.contains(&source.path.as_str()) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for path in paths(&source.code).iter().filter(|path| path.line <= source.product_lines()) {
        let is_view = |pair: &[String]| pair[0] == "ViewId" && !pair[1].starts_with(char::is_lowercase);
        if path.names.windows(2).any(is_view) {
            let text = format!("`{}` names a view: let the view answer for itself", path.text());
            faults.push(source.fault(path.line, text));
        }
    }
    if source.path.starts_with("src/tui/shell/") {
        faults.extend(states(source));
    }
    faults
}

/// Fields of `views` that are views: `model.views.jobs`.
fn states(source: &Source) -> Vec<Fault> {
    let code = &source.code;
    let mut faults = Vec::new();
    for (at, list) in code.match_indices("views") {
        let is_whole = at == 0 || !is_word(code.as_bytes()[at - 1]);
        let Some(rest) = code[at + list.len()..].trim_start().strip_prefix('.').map(str::trim_start) else {
            continue;
        };
        let end = rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        let is_view = !field.is_empty() && !after.starts_with('(') && !BESIDE.contains(&field);
        let line = source.line_of(at);
        if is_whole && is_view && line <= source.product_lines() {
            let text = format!("`views.{field}` is the state of a view: let the view answer for itself");
            faults.push(source.fault(line, text));
        }
    }
    faults
}

#[test]
fn files_that_name_a_view_are_found() {
    let planted = [
        ("src/tui/shell/model.rs", "fn f(id: ViewId) -> bool { id == ViewId::Jobs }"),
        ("src/tui/shell/a.rs", "fn f(c: Context) -> bool { matches!(c, Context::View(ViewId::Jobs)) }"),
        ("src/tui/views/jobs/a.rs", "use crate::tui::keymap::ViewId::{self, Verify};"),
        ("src/tui/widgets/a.rs", "use crate::tui::keymap::ViewId::*;"),
        ("src/tui/shell/work.rs", "fn f(model: &mut Model) { model.views.inventory.touched = true }"),
        (
            "src/tui/shell/work.rs",
            "fn f(views: &Views) -> usize {\n    views\n        .jobs\n        .top\n}",
        ),
    ];
    for (path, text) in planted {
        let faults = check(&Source::new(path, text));
        assert_eq!(faults.len(), 1, "{path}: {text}: {faults:?}");
    }
    let fine = [
        ("src/tui/shell/views.rs", "fn f() -> ViewId { ViewId::Jobs }"),
        ("src/tui/shell/views.rs", "fn f(views: &Views) -> usize { views.jobs.top }"),
        ("src/tui/shell/model.rs", "fn f(views: &Views) -> ViewId { views.get(HOME); views.home }"),
        ("src/tui/views/inventory/a.rs", "fn f(list: &List) -> usize { list.views.len }"),
        ("src/tui/keymap/table.rs", "use crate::tui::keymap::ViewId::{Jobs, Verify};"),
        ("src/tui/shell/model.rs", "use crate::tui::keymap::{HOME, ViewId};\nfn f(id: ViewId) {}"),
        (
            "src/tui/views/jobs/a.rs",
            "// ViewId::Jobs\n#[cfg(test)]\nmod tests {\n    use super::ViewId::Jobs;\n}",
        ),
        ("src/tui/tests/place.rs", "fn f() -> ViewId { ViewId::Jobs }"),
        ("src/desk/a.rs", "fn f() { ViewId::Jobs }"),
    ];
    for (path, text) in fine {
        assert_eq!(check(&Source::new(path, text)), [], "{path}: {text}");
    }
}
