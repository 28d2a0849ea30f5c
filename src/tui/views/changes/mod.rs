//! Changes: the plan, file by file and change by change, for review before anything is sent.
//!
//! Every file and change has its mark. A change counts as looked at once a key led to it and its summary, and the lines
//! that the summary does not stand for, were on the screen; only then can it be approved. Cursor and marks belong to addresses and contents, so a new build moves
//! neither. Nothing here starts a job; the shell does.

mod availability;
mod building;
mod next;
mod notes;
mod parts;
mod publish;
mod review;
mod rows;
mod state;
mod tree;
mod update;
mod view;

pub(crate) use notes::keep_note;
pub(crate) use state::Changes;
