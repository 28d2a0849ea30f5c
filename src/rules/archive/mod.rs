//! A zip's structure: what its records say, whether they agree, and what its entries unpack to.
//!
//! Two readers. [`Unpack`] takes the bytes as they arrive, trusts nothing until the central directory has confirmed it, and
//! gives up at the first oddity. `Central` reads a whole archive by its central directory as Go's `archive/zip` does, which
//! is what the registry and the client do: it is the truth where the two could differ. Neither opens a file, starts a thread
//! or holds more than its [`Limits`] allow; neither hashes (that is `rules::hash`, their one caller).

mod batch;
mod central;
mod content;
mod end;
mod layout;
mod limits;
mod listing;
mod odd;
mod unpack;

pub(crate) use batch::Batch;
pub(crate) use central::{Central, NoDirectory};
pub(crate) use content::{Contents, EntryFault, Stop};
pub(crate) use end::NotZip;
pub(crate) use limits::Limit;
pub use limits::Limits;
pub(crate) use listing::{Head, Listing, PROGRAM};
pub(crate) use odd::{Odd, Reason};
pub(crate) use unpack::Unpack;

/// A name from an archive, cut and made text, for messages. Still text from outside: a terminal gets it through
/// [`crate::rules::plain_text`] only.
pub(crate) fn shown(name: &[u8]) -> String {
    const SHOWN_BYTES: usize = 120;
    let cut = &name[..name.len().min(SHOWN_BYTES)];
    let mut text = String::from_utf8_lossy(cut).into_owned();
    if cut.len() < name.len() {
        text.push('…');
    }
    text
}
