//! The status ladder of `bump` as one table: word, JSON name, glyphs, and what a maintainer needs to know.
//!
//! One main status per entry; the first row of the ladder that applies wins. The order of the enum is the order of the
//! ladder, and every face takes words and glyphs from here. Whoever needs to tell statuses apart asks a row: no pattern
//! outside of this file names one, so that a new status is a row and its judgement.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::registry::Kind;
use crate::rules::Source;
use crate::rules::triage::Rung;

/// One row of the ladder.
#[derive(Debug)]
pub struct StatusRow {
    pub(crate) status: Status,
    /// The word on screen, upper case.
    pub word: &'static str,
    /// The value in JSON and in filters, kebab case.
    pub name: &'static str,
    pub glyph: &'static str,
    pub ascii: &'static str,
    /// What it is, in one sentence.
    pub means: &'static str,
    /// What happens if nothing is done.
    pub if_left: &'static str,
    /// What a maintainer can do.
    pub can_do: &'static str,
    pub(crate) group: StatusGroup,
    pub(crate) urgency: Urgency,
    pub(crate) remedy: Remedy,
    /// What shows it of a version. Zips count where SHA256SUMS is not known.
    pub(crate) source: Source,
    /// Which step of a triage answers by it.
    pub(crate) rung: Rung,
    /// It is told of a version that is upstream and not indexed.
    pub(crate) missing: bool,
    /// Below a graver one it is a finding; of the others the count of missing versions tells.
    pub(crate) noted: bool,
}

/// The three sentences that explain a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) means: &'static str,
    pub(crate) if_left: &'static str,
    pub(crate) can_do: &'static str,
}

/// The sentences for a drift of a module, which has tags that can move instead of checksums.
const MOVED_TAG: Words = Words {
    means: "a tag no longer points to the commit that was indexed",
    if_left: "clients get the recorded commit, or fail where no branch holds it",
    can_do: "ask the author about the move; a policy decision can change it",
};

/// Statuses of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusGroup {
    Unknown,
    Lost,
    Changed,
    Wrong,
    Waits,
    Stuck,
    Missed,
    Late,
    Gap,
    Fine,
}

/// How soon somebody should look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    Look,
    /// If the next bumps leave it.
    NextBump,
    /// It cures itself within minutes, or breaks nothing.
    Later,
    Nothing,
}

/// What helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    SurveyAgain,
    /// The rebuild adds what is missing.
    Rebuild,
    /// The rebuild adds it from its next try on, and nothing before.
    Wait,
    SeeUpstream,
    AskAuthor,
    /// A maintainer corrects the data file.
    CorrectFile,
    Backfill,
    Nothing,
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = <&str>::deserialize(deserializer)?;
        // As it is written, not as somebody types it: a start reads one for each entry.
        let row = LADDER.iter().find(|row| row.name == name);
        row.map(|row| row.status).ok_or_else(|| serde::de::Error::custom("no such status"))
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Status {
    pub const COUNT: usize = LADDER.len();

    pub fn all() -> impl Iterator<Item = Self> {
        LADDER.iter().map(|row| row.status)
    }

    pub fn row(self) -> &'static StatusRow {
        &LADDER[self as usize]
    }

    pub(crate) fn word(self) -> &'static str {
        self.row().word
    }

    /// The sentences for an entry of this kind: those of the row, unless modules have their own.
    pub(crate) fn words_for(self, kind: Kind) -> Words {
        if self.is_drift() && kind == Kind::Module {
            return MOVED_TAG;
        }
        let StatusRow { means, if_left, can_do, .. } = *self.row();
        Words { means, if_left, can_do }
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// All statuses of a word, in any case: the three of `keys` have one word.
    pub(crate) fn of_word(word: &str) -> impl Iterator<Item = Self> {
        LADDER.iter().filter(move |row| row.word.eq_ignore_ascii_case(word)).map(|row| row.status)
    }

    /// The first status of each word, as lists have them: what counts and keys to signs name.
    pub(crate) fn words() -> impl Iterator<Item = Self> {
        let mut words: Vec<Self> =
            Self::all().filter(|status| Self::of_word(status.word()).next() == Some(*status)).collect();
        words.sort_by_key(|status| status.rank());
        words.into_iter()
    }

    /// Its place in lists: what needs attention, what can wait, what is fine, and within those the ladder. What could not be
    /// checked needs attention, but a fault that is known needs it more: a failed survey must not hide those.
    pub(crate) fn rank(self) -> u32 {
        let (urgency, place) = (self.row().urgency as u32, self as u32);
        let place = if self.is_unknown() { Self::COUNT as u32 } else { place };
        urgency * 100 + place
    }

    /// Finds a status by its JSON name or its word, in any case; of several with one word the first.
    pub fn from_name(name: &str) -> Option<Self> {
        // Each kept verdict of a start names its status: nothing is copied to compare.
        let is_name = |known: &str| known.eq_ignore_ascii_case(name);
        LADDER.iter().find(|row| is_name(row.name) || is_name(row.word)).map(|row| row.status)
    }

    /// Whether nobody knows how it stands.
    pub(crate) fn is_unknown(self) -> bool {
        self == Self::Unknown
    }

    /// Whether what is stored is not what upstream has.
    pub(crate) fn is_drift(self) -> bool {
        self == Self::Drifted
    }

    /// Whether nothing is missing, and nothing differs.
    pub(crate) fn is_fine(self) -> bool {
        self == Self::Current
    }

    /// Whether a maintainer should look at it: neither fine nor curing itself within minutes.
    pub(crate) fn needs_attention(self) -> bool {
        self.row().urgency == Urgency::Look
    }

    /// Whether it is not fine, and can wait all the same.
    pub(crate) fn can_wait(self) -> bool {
        matches!(self.row().urgency, Urgency::NextBump | Urgency::Later)
    }

    /// What a survey tells and `--check` counts: all but what is fine, cures itself within minutes, or waits for a
    /// backfill.
    pub(crate) fn needs_something(self) -> bool {
        matches!(self.row().urgency, Urgency::Look | Urgency::NextBump)
    }
}

/// Makes the enum and its table of one list, so that no status is without its row.
macro_rules! ladder {
    ($($status:ident { $($field:ident: $value:expr,)+ })+) => {
        /// The bump status of an entry, and of a single version where it has one of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Status {
            $($status,)+
        }

        const LADDER: &[StatusRow] = &[$(StatusRow { status: Status::$status, $($field: $value,)+ },)+];
    };
}

ladder! {
    Unknown {
        word: "UNKNOWN",
        name: "unknown",
        glyph: "?",
        ascii: "?",
        means: "not checked, or the check failed: see why",
        if_left: "problems stay unseen and nothing is proposed",
        can_do: "survey it again; the reason says which source failed",
        group: StatusGroup::Unknown,
        urgency: Urgency::Look,
        remedy: Remedy::SurveyAgain,
        source: Source::Sums,
        rung: Rung::Upstream,
        missing: false,
        noted: true,
    }
    ListUnreadable {
        word: "UNUSABLE",
        name: "list-unreadable",
        glyph: "⊠",
        ascii: "u",
        means: "no client can read the provider's list of versions",
        if_left: "nobody can install any version of the provider",
        can_do: "correct the version that the reason names, by hand",
        group: StatusGroup::Wrong,
        urgency: Urgency::Look,
        remedy: Remedy::CorrectFile,
        source: Source::File,
        rung: Rung::Dataset,
        missing: false,
        noted: true,
    }
    RepoGone {
        word: "GONE",
        name: "repo-gone",
        glyph: "⊗",
        ascii: "X",
        means: "the upstream repository is missing or private",
        if_left: "its versions stay listed but fail to download; no new one can come",
        can_do: "check by hand and ask the owner; removing it is a policy decision",
        group: StatusGroup::Lost,
        urgency: Urgency::Look,
        remedy: Remedy::SeeUpstream,
        source: Source::Tags,
        rung: Rung::Upstream,
        missing: false,
        noted: true,
    }
    Moved {
        word: "MOVED",
        name: "moved",
        glyph: "↷",
        ascii: ">",
        means: "the upstream repository answers under another name, or the name now belongs to another repository",
        if_left: "a renamed repository keeps bumping until somebody takes its old name",
        can_do: "check that the new address is registered, and ask for a warning here",
        group: StatusGroup::Changed,
        urgency: Urgency::Look,
        remedy: Remedy::SeeUpstream,
        source: Source::Tags,
        rung: Rung::Upstream,
        missing: false,
        noted: true,
    }
    GoneUpstream {
        word: "GHOST",
        name: "gone-upstream",
        glyph: "∅",
        ascii: "0",
        means: "a version is indexed, but its tag or release is gone upstream",
        if_left: "users are offered a version that fails to download; it stays listed",
        can_do: "ask the author; removing it is a policy decision",
        group: StatusGroup::Changed,
        urgency: Urgency::Look,
        remedy: Remedy::AskAuthor,
        source: Source::Sums,
        rung: Rung::Upstream,
        missing: false,
        noted: true,
    }
    Drifted {
        word: "DRIFT",
        name: "drifted",
        glyph: "∆",
        ascii: "d",
        means: "a stored checksum, size or h1 differs from what upstream has today",
        if_left: "clients refuse it or lock a wrong hash, and no bump repairs it",
        can_do: "ask the author for a new version; changing it is a policy decision",
        group: StatusGroup::Wrong,
        urgency: Urgency::Look,
        remedy: Remedy::AskAuthor,
        source: Source::Zips,
        rung: Rung::Sums,
        missing: false,
        noted: true,
    }
    Partial {
        word: "PARTIAL",
        name: "partial",
        glyph: "⁇",
        ascii: "h",
        means: "a version is indexed with fewer platforms (targets) than upstream lists",
        if_left: "users of the missing platforms cannot install it; no bump adds them",
        can_do: "ask for a policy decision: adding targets changes an indexed version",
        group: StatusGroup::Changed,
        urgency: Urgency::Look,
        remedy: Remedy::AskAuthor,
        source: Source::Sums,
        rung: Rung::Sums,
        missing: false,
        noted: true,
    }
    ClientsRefuse {
        word: "UNUSABLE",
        name: "clients-refuse",
        glyph: "⊠",
        ascii: "u",
        means: "clients refuse an indexed version because of what the registry stores of it",
        if_left: "the clients that the reason names cannot install it",
        can_do: "correct the data file by hand; a changed release is a policy decision",
        group: StatusGroup::Wrong,
        urgency: Urgency::Look,
        remedy: Remedy::CorrectFile,
        source: Source::File,
        rung: Rung::Dataset,
        missing: false,
        noted: true,
    }
    RetryWait {
        word: "BACKOFF",
        name: "retry-wait",
        glyph: "◷",
        ascii: "%",
        means: "a version failed before, is complete upstream now, and waits for its next try",
        if_left: "the bump adds it at the next try by itself, late",
        can_do: "wait for its next try, or plan to clear its recorded failures",
        group: StatusGroup::Waits,
        urgency: Urgency::Look,
        remedy: Remedy::Wait,
        source: Source::Sums,
        rung: Rung::Tried,
        missing: true,
        noted: true,
    }
    Stranded {
        word: "STRANDED",
        name: "stranded",
        glyph: "↧",
        ascii: "_",
        means: "a version tag that the bump cannot index: see why",
        if_left: "retries get rarer and keep failing",
        can_do: "tell the author; once it is fixed, a later bump picks it up",
        group: StatusGroup::Stuck,
        urgency: Urgency::Look,
        remedy: Remedy::AskAuthor,
        source: Source::Sums,
        rung: Rung::Upstream,
        missing: true,
        noted: true,
    }
    Shadowed {
        word: "SHADOWED",
        name: "shadowed",
        glyph: "⊝",
        ascii: "s",
        means: "the highest indexed version is a prerelease, and a newer stable one is not indexed",
        if_left: "users of version ranges stay on the old stable release",
        can_do: "add the entry to the plan and review it",
        group: StatusGroup::Waits,
        urgency: Urgency::Look,
        remedy: Remedy::Rebuild,
        source: Source::Tags,
        rung: Rung::Dataset,
        missing: true,
        noted: true,
    }
    MissedOldLine {
        word: "MISSED",
        name: "missed-old-line",
        glyph: "↶",
        ascii: "b",
        means: "a version below the highest indexed one is missing",
        if_left: "only a full bump, one that reads every tag, picks it up",
        can_do: "add it to the plan if two bumps skipped it, and review it",
        group: StatusGroup::Missed,
        urgency: Urgency::Look,
        remedy: Remedy::Rebuild,
        source: Source::Tags,
        rung: Rung::Dataset,
        missing: true,
        noted: false,
    }
    Behind {
        word: "BEHIND",
        name: "behind",
        glyph: "⇡",
        ascii: "^",
        means: "a newer version is complete upstream and not indexed yet",
        if_left: "the next bump should take it, within 15 minutes",
        can_do: "wait; if it stays, check the bump runs, or add it to the plan",
        group: StatusGroup::Late,
        urgency: Urgency::NextBump,
        remedy: Remedy::Rebuild,
        source: Source::Tags,
        rung: Rung::Dataset,
        missing: true,
        noted: false,
    }
    Pending {
        word: "PENDING",
        name: "pending",
        glyph: "∙",
        ascii: ".",
        means: "a version is missing, but was published less than 30 minutes ago",
        if_left: "the next bumps take it by themselves",
        can_do: "wait: this is the normal delay",
        group: StatusGroup::Late,
        urgency: Urgency::Later,
        remedy: Remedy::Rebuild,
        source: Source::Tags,
        rung: Rung::Released,
        missing: true,
        noted: false,
    }
    KeyMismatch {
        word: "KEYS",
        name: "key-mismatch",
        glyph: "⚐",
        ascii: "k",
        means: "a version's signature does not verify with the keys on file",
        if_left: "installing that version fails: clients want a good signature",
        can_do: "ask the author for the key that signed it, or for a new version",
        group: StatusGroup::Waits,
        urgency: Urgency::Look,
        remedy: Remedy::AskAuthor,
        source: Source::Signature,
        rung: Rung::Keys,
        missing: false,
        noted: true,
    }
    KeyExpired {
        word: "KEYS",
        name: "key-expired",
        glyph: "⚐",
        ascii: "k",
        means: "a version is signed by an expired key, and nothing else verifies it",
        if_left: "it installs with a warning, and not at all where expiry is enforced",
        can_do: "ask the author to extend the key, or for a new one",
        group: StatusGroup::Waits,
        urgency: Urgency::Look,
        remedy: Remedy::AskAuthor,
        source: Source::Signature,
        rung: Rung::Keys,
        missing: false,
        noted: true,
    }
    Unsigned {
        word: "KEYS",
        name: "unsigned",
        glyph: "⚐",
        ascii: "k",
        means: "keys are on file, but a version has no signature to check with them",
        if_left: "installing that version fails: clients want a good signature",
        can_do: "ask the author for a signed new version",
        group: StatusGroup::Waits,
        urgency: Urgency::Look,
        remedy: Remedy::AskAuthor,
        source: Source::Signature,
        rung: Rung::Keys,
        missing: false,
        noted: true,
    }
    SizeMissing {
        word: "NOHASH",
        name: "size-missing",
        glyph: "#",
        ascii: "#",
        means: "platforms (targets) are stored with a size of 0 or an impossible one",
        if_left: "OpenTofu clients from 1.12 on refuse to install them",
        can_do: "fill in size and h1 now",
        group: StatusGroup::Gap,
        urgency: Urgency::Look,
        remedy: Remedy::Backfill,
        source: Source::File,
        rung: Rung::Dataset,
        missing: false,
        noted: true,
    }
    H1Missing {
        word: "NOHASH",
        name: "h1-missing",
        glyph: "#",
        ascii: "#",
        means: "platforms (targets) are indexed without size or h1, the hash of lock files",
        if_left: "locking for other platforms must download every package",
        can_do: "fill in h1 and size when convenient",
        group: StatusGroup::Gap,
        urgency: Urgency::Later,
        remedy: Remedy::Backfill,
        source: Source::File,
        rung: Rung::Served,
        missing: false,
        noted: true,
    }
    Current {
        word: "OK",
        name: "current",
        glyph: "✓",
        ascii: "v",
        means: "every upstream version is indexed; where checksums were compared, none differs",
        if_left: "nothing happens",
        can_do: "leave it as it is",
        group: StatusGroup::Fine,
        urgency: Urgency::Nothing,
        remedy: Remedy::Nothing,
        source: Source::Tags,
        rung: Rung::Served,
        missing: false,
        noted: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_own_place_and_words_are_distinct() {
        for (place, row) in LADDER.iter().enumerate() {
            assert_eq!(row.status as usize, place);
            assert_eq!(Status::from_name(row.name), Some(row.status));
            assert!(Status::of_word(&row.word.to_lowercase()).any(|status| status == row.status));
            assert_eq!(Status::from_name(row.word).map(Status::word), Some(row.word));
            for other in &LADDER[place + 1..] {
                assert_ne!(row.name, other.name);
                if row.word == other.word {
                    assert_eq!((row.glyph, row.ascii), (other.glyph, other.ascii));
                    continue;
                }
                assert_ne!(row.glyph, other.glyph);
                assert_ne!(row.ascii, other.ascii);
            }
        }
    }

    /// The preview of a terminal of 80 columns has 70 for a sentence.
    #[test]
    fn answers_fit_a_line() {
        for row in LADDER {
            for kind in Kind::ALL {
                let words = row.status.words_for(kind);
                for text in [words.if_left, words.can_do] {
                    assert!(text.chars().count() < 70, "{}: {text}", row.word);
                }
            }
        }
    }
}
