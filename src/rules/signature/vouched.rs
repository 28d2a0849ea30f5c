//! Who vouches for checksums, by what clients make of their signature.

use crate::rules::signature::answer::{Answer, Check, Client};

/// Who vouches for a version's checksums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Vouched {
    By {
        fingerprint: String,
        /// What is to be known although the signature is good.
        doubt: Option<String>,
    },
    /// No key is on file.
    ByNobody,
}

impl Check {
    /// # Errors
    /// Clients do not install it, and why.
    pub(crate) fn vouched(&self) -> Result<Vouched, String> {
        match &self.answer {
            Answer::Signed(signed) if self.client.installs() == Some(true) => {
                let is_plain =
                    signed.caveats.is_empty() && self.client == Client::Installs && self.older.is_none();
                Ok(Vouched::By {
                    fingerprint: signed.by.fingerprint.clone(),
                    doubt: (!is_plain).then(|| self.text()),
                })
            }
            _ => Err(self.text()),
        }
    }
}
