//! What the registry's policy lets happen to a version that is indexed: nothing for an ordinary reason, and for an exceptional one what
//! a [`Permit`] stands for (`registry.md#when-a-stored-checksum-is-wrong`).
//!
//! Only an exceptional reason makes a permit, and without one nothing that removes a version can be built. The refusal is a reply that
//! is ready to be sent: [`Reply`].

mod reply;

use serde::{Deserialize, Serialize};

use crate::settings::words;

pub(crate) use reply::{Newer, Reply};

words! {
    /// Why somebody wants a version gone, or indexed again. The first five are the policy's exceptional circumstances; the others are
    /// those that it names as refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum Reason: [ALL, name, from_name] {
        MaliciousCode = "malicious-code",
        LeakedSecret = "leaked-secret",
        CompromisedKey = "compromised-key",
        LegalDuty = "legal-duty",
        ExtremeDisruption = "extreme-disruption",
        /// The release was built and published more than once.
        DoublePublish = "double-publish",
        /// A bug was found after the release.
        Bug = "bug",
        ChangeOfMind = "change-of-mind",
    }
}

impl Reason {
    /// What it is, at the start of a sentence.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::MaliciousCode => "Malicious code",
            Self::LeakedSecret => "Leaked secret",
            Self::CompromisedKey => "Compromised signing key",
            Self::LegalDuty => "Legal or security duty",
            Self::ExtremeDisruption => "Extreme disruption",
            Self::DoublePublish => "Published more than once",
            Self::Bug => "Bug",
            Self::ChangeOfMind => "Change of mind",
        }
    }

    /// What the policy says of it: a reason for which no version is removed or indexed again; `None` for an exceptional one.
    pub(crate) fn rule(self) -> Option<&'static str> {
        match self {
            Self::DoublePublish => Some("a release was built and published more than once"),
            Self::Bug => Some("a bug, a regression or a mistake was found after the release"),
            Self::ChangeOfMind => Some("its author has changed their mind about the release"),
            Self::MaliciousCode
            | Self::LeakedSecret
            | Self::CompromisedKey
            | Self::LegalDuty
            | Self::ExtremeDisruption => None,
        }
    }
}

/// What is said below a [`Reply`].
pub(crate) const REFUSED: &str =
    "the registry's policy refuses this: nothing was planned, and the reply can be sent as it is";

/// What somebody says for it, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Claim {
    reason: Reason,
    announcement: String,
    issue: u64,
}

/// Proof that the policy may allow what was asked: an exceptional reason, where it was announced, and the issue in which it is decided.
/// Who carries it out still needs two approvals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Claim", into = "Claim")]
pub struct Permit(Claim);

/// Why there is no permit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The reason is one that the policy refuses: a [`Reply`] says so.
    Ordinary(Reason),
    /// Something that an exceptional reason needs is missing, in words.
    Incomplete(String),
}

/// The longest address of an announcement.
const LONGEST_URL: usize = 500;

impl Permit {
    /// # Errors
    /// The reason is not an exceptional one, or what it needs is missing.
    pub(crate) fn new(
        reason: Reason,
        announcement: Option<&str>,
        issue: Option<u64>,
    ) -> Result<Self, Refusal> {
        if reason.rule().is_some() {
            return Err(Refusal::Ordinary(reason));
        }
        let missing = |what: &str| Err(Refusal::Incomplete(what.to_owned()));
        let Some(announcement) = announcement else {
            return missing("an exceptional reason needs the address of its announcement");
        };
        let is_plain = |c: char| c.is_ascii_graphic() && !"\"'`<>()[]{}|\\^".contains(c);
        let rest = announcement.strip_prefix("https://").unwrap_or_default();
        if rest.is_empty() || announcement.len() > LONGEST_URL || !announcement.chars().all(is_plain) {
            return missing("the announcement is an address that begins with `https://`");
        }
        match issue {
            Some(issue) if issue > 0 => {
                Ok(Self(Claim { reason, announcement: announcement.to_owned(), issue }))
            }
            _ => missing("an exceptional reason needs the number of the issue in which it is decided"),
        }
    }

    pub(crate) fn reason(&self) -> Reason {
        self.0.reason
    }

    pub(crate) fn announcement(&self) -> &str {
        &self.0.announcement
    }

    pub(crate) fn issue(&self) -> u64 {
        self.0.issue
    }

    /// The reason that the blacklist gives, in the maintainers' own style: `Extreme disruption - see https://…`.
    pub(crate) fn blacklist_reason(&self) -> String {
        format!("{} - see {}", self.reason().title(), self.announcement())
    }
}

impl TryFrom<Claim> for Permit {
    type Error = String;

    fn try_from(claim: Claim) -> Result<Self, String> {
        let Claim { reason, announcement, issue } = claim;
        Self::new(reason, Some(&announcement), Some(issue)).map_err(|refusal| match refusal {
            Refusal::Ordinary(reason) => format!("`{}` permits nothing", reason.name()),
            Refusal::Incomplete(why) => why,
        })
    }
}

impl From<Permit> for Claim {
    fn from(permit: Permit) -> Self {
        permit.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://discuss.hashicorp.com/t/6-57-0-withdrawn/1";

    #[test]
    fn only_an_exceptional_reason_makes_a_permit() {
        let permits = |reason: Reason| Permit::new(reason, Some(URL), Some(4812)).is_ok();
        let permitted: Vec<&str> =
            Reason::ALL.into_iter().filter(|reason| permits(*reason)).map(Reason::name).collect();
        assert_eq!(
            permitted,
            ["malicious-code", "leaked-secret", "compromised-key", "legal-duty", "extreme-disruption"]
        );
        for reason in Reason::ALL.into_iter().filter(|reason| reason.rule().is_some()) {
            assert_eq!(Permit::new(reason, Some(URL), Some(1)), Err(Refusal::Ordinary(reason)));
            // What lies in a file makes none either.
            let kept = format!(r#"{{"reason":"{}","announcement":"{URL}","issue":1}}"#, reason.name());
            assert!(serde_json::from_str::<Permit>(&kept).is_err(), "{kept}");
        }
        let permit = Permit::new(Reason::ExtremeDisruption, Some(URL), Some(4812)).unwrap();
        let kept = serde_json::to_string(&permit).unwrap();
        assert_eq!(serde_json::from_str::<Permit>(&kept).unwrap(), permit);
        assert_eq!(permit.blacklist_reason(), format!("Extreme disruption - see {URL}"));
    }

    #[test]
    fn an_exceptional_reason_is_announced_and_decided_somewhere() {
        let reason = Reason::LegalDuty;
        for (announcement, issue) in [
            (None, Some(1)),
            (Some(URL), None),
            (Some(URL), Some(0)),
            (Some("http://a.b"), Some(1)),
            (Some("https://"), Some(1)),
            (Some("https://a.b/\n# big"), Some(1)),
            (Some("https://a.b/`x`"), Some(1)),
            (Some("https://a.b/)[x](y"), Some(1)),
        ] {
            let refused = Permit::new(reason, announcement, issue);
            assert!(matches!(refused, Err(Refusal::Incomplete(_))), "{announcement:?} {issue:?}");
        }
    }
}
