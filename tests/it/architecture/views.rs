//! The views of the console answer for themselves: only a few files may name one of them by its id.

use super::paths::paths;
use super::source::{Fault, Source};

/// The files that may name a view: its id, its keys, the steps that lead from one view to another, and the list of views.
const NAMING: [&str; 4] = [
    "src/tui/keymap/view_id.rs",
    "src/tui/keymap/table.rs",
    "src/tui/keymap/next_step.rs",
    "src/tui/shell/views.rs",
];

/// Variants of `ViewId` in any other product file of the console.
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
    faults
}

#[test]
fn files_that_name_a_view_are_found() {
    let planted = [
        ("src/tui/shell/model.rs", "fn f(id: ViewId) -> bool { id == ViewId::Jobs }"),
        ("src/tui/shell/a.rs", "fn f(c: Context) -> bool { matches!(c, Context::View(ViewId::Jobs)) }"),
        ("src/tui/views/jobs/a.rs", "use crate::tui::keymap::ViewId::{self, Verify};"),
        ("src/tui/widgets/a.rs", "use crate::tui::keymap::ViewId::*;"),
    ];
    for (path, text) in planted {
        let faults = check(&Source::new(path, text));
        assert_eq!(faults.len(), 1, "{path}: {text}: {faults:?}");
    }
    let fine = [
        ("src/tui/shell/views.rs", "fn f() -> ViewId { ViewId::Jobs }"),
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
