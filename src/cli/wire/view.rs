//! One view of the list.

use serde::Serialize;

use crate::rules::view::View;

/// Type `view`.
#[derive(Serialize)]
pub(crate) struct ViewLine<'a> {
    name: &'a str,
    filter: &'a str,
    sort: &'static str,
    group: &'static str,
    built_in: bool,
}

impl<'a> ViewLine<'a> {
    pub(crate) fn new(view: &'a View, built_in: bool) -> Self {
        Self {
            name: &view.name,
            filter: &view.filter,
            sort: view.sort.name(),
            group: view.group.name(),
            built_in,
        }
    }
}
