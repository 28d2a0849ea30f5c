//! What a maintainer has before them and may do, pure: the same for all faces, which translate and lay out.

pub(crate) mod board;
pub(crate) mod list;
pub(crate) mod naming;
