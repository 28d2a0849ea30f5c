//! What a maintainer has before them and may do, pure: the same for all faces, which translate and lay out.

pub(crate) mod board;
pub(crate) mod history;
pub(crate) mod list;
pub(crate) mod naming;
pub(crate) mod planning;

use std::time::Duration;

/// Facts younger than this are not asked again for a rebuild, nor by a survey of many entries.
pub(crate) const MAX_AGE: Duration = Duration::from_mins(15);
