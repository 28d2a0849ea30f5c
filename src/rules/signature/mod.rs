//! Which key signed: OpenPGP keys on file, detached signatures over SHA256SUMS, and what a client makes of both.
//!
//! Pure: bytes and a moment in, answers out. Nothing here fetches, reads files or knows the time, and nothing panics on bytes
//! from outside; sizes and counts are bounded. The library does packets and maths, every rule is ours (`registry.md#keys`,
//! `registry.md#signatures-in-a-client`): [`KeyRing::read`] for what the key files hold, [`KeyRing::check`] for one version, [`Matrix`]
//! for all versions of a provider, [`preview()`] for what a new key would change, [`findings()`] for keys that want attention.

mod answer;
mod armor;
mod check;
mod client;
mod details;
mod findings;
mod matrix;
mod packet;
mod parse;
mod preview;
mod ring;
mod stream;
mod vouched;
mod wording;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Caveat, Check, Client, Unfit};
pub(crate) use answer::{Mark, OnFile};
#[cfg(test)]
pub(crate) use answer::{Signed, Signer};
pub use armor::Oddity;
#[cfg(test)]
pub(crate) use check::SIGNATURE_BYTES_MAX;
pub(crate) use check::is_signature;
pub use details::KeyFault;
pub(crate) use details::{KeyDetails, Part};
pub(crate) use findings::findings;
#[cfg(test)]
pub(crate) use matrix::Column;
pub(crate) use matrix::{Fares, Matrix, Row};
pub(crate) use preview::{Preview, Release, preview};
pub use ring::KeyRing;
pub(crate) use ring::{KEY_FILE_BYTES_MAX, ReadFile};
pub(crate) use vouched::Vouched;
