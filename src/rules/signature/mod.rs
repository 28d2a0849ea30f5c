//! Which key signed: OpenPGP keys on file, detached signatures over SHA256SUMS, and what a client makes of both.
//!
//! Pure: bytes and a moment in, answers out. Nothing here fetches, reads files or knows the time, and nothing panics on bytes
//! from outside; sizes and counts are bounded. The library does packets and maths, every rule is ours (`spec/registry.md`
//! §1.6 and §6.4): [`KeyRing::read`] for what the key files hold, [`KeyRing::check`] for one version, [`Matrix`] for all
//! versions of a provider, [`preview()`] for what a new key would change, [`findings()`] for keys that want attention.

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
mod wording;

#[cfg(test)]
mod tests;

pub use answer::{Answer, Caveat, Check, Client, Mark, OnFile, Signed, Signer, Trial, Unfit};
pub use armor::Oddity;
pub use check::SIGNATURE_BYTES_MAX;
pub use details::{KeyDetails, KeyFault, Part, Revocation, UserId};
pub use findings::findings;
pub use matrix::{Column, Fares, Matrix, Row, Stretch};
pub use preview::{Preview, Release, Stop, Unsettled, preview};
pub use ring::{KEY_FILE_BYTES_MAX, KeyRing, ReadFile};
