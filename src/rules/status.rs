//! The status ladder of `bump` as one table: word, JSON name, glyphs, and what a maintainer needs to know.
//!
//! One main status per entry; the first row of the ladder that applies wins. The order of the enum is the order of the
//! ladder, and every face takes words and glyphs from here. Whoever needs to tell statuses apart asks a row: no pattern
//! outside of this file names one, so that a new status is a row and its judgement.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::registry::Kind;
use crate::rules::Source;
use crate::rules::triage::Rung;
use crate::settings::words;

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
    /// Its meaning in two to five plain words: `tag or release deleted`.
    pub plain: &'static str,
    /// What it is, in one sentence.
    pub means: &'static str,
    /// What happens if nothing is done.
    pub if_left: &'static str,
    /// What a maintainer can do.
    pub can_do: &'static str,
    pub level: Level,
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

/// The plain words and the three sentences that explain a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) plain: &'static str,
    pub(crate) means: &'static str,
    pub(crate) if_left: &'static str,
    pub(crate) can_do: &'static str,
}

/// The sentences for a drift of a module, which has tags that can move instead of checksums.
const MOVED_TAG: Words = Words {
    plain: "moved tag",
    means: "a tag no longer points to the commit that was indexed",
    if_left: "clients get the recorded commit, or fail where no branch holds it",
    can_do: "ask the author about the move; a policy decision can change it",
};

words! {
    /// The weight of a status for users, the gravest first. Its colour is the only one that an entry has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Level: [ALL, name, from_name] {
        /// Users are hit now.
        Act = "act",
        /// A person should decide.
        Look = "look",
        /// It cures itself, or nothing breaks.
        Wait = "wait",
        Fine = "fine",
    }
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
        let StatusRow { plain, means, if_left, can_do, .. } = *self.row();
        Words { plain, means, if_left, can_do }
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

    /// Its place in lists: by level, and within a level by the ladder. A check that failed needs a decision, but a fault that
    /// is known needs it more: a failed survey must not hide those.
    pub(crate) fn rank(self) -> u32 {
        let place = if self.is_unknown() { Self::COUNT as u32 } else { self as u32 };
        self.row().level as u32 * 100 + place
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
        plain: "check failed",
        means: "not checked, or the check failed: see why",
        if_left: "problems stay unseen and nothing is proposed",
        can_do: "survey it again; the reason says which source failed",
        level: Level::Look,
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
        plain: "list of versions unreadable",
        means: "no client can read the provider's list of versions",
        if_left: "nobody can install any version of the provider",
        can_do: "correct the version that the reason names, by hand",
        level: Level::Act,
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
        plain: "repository gone",
        means: "the upstream repository is missing or private",
        if_left: "listed versions fail to download, and no new versions can appear",
        can_do: "check by hand and ask the owner; removing it is a policy decision",
        level: Level::Act,
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
        plain: "repository moved",
        means: "the upstream repository answers under another name, or the name now belongs to another repository",
        if_left: "a renamed repository keeps bumping until somebody takes its old name",
        can_do: "check that the new address is registered, and ask for a warning here",
        level: Level::Look,
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
        plain: "tag or release deleted",
        means: "a version is indexed, but its tag or release is gone upstream",
        if_left: "users are offered a version that fails to download; it stays listed",
        can_do: "ask the author; removing it is a policy decision",
        level: Level::Act,
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
        plain: "re-uploaded",
        means: "a stored checksum, size or h1 differs from what upstream has today",
        if_left: "clients refuse it or lock a wrong hash, and no bump repairs it",
        can_do: "ask the author for a new version; changing it is a policy decision",
        level: Level::Act,
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
        plain: "platforms missing",
        means: "a version is indexed with fewer platforms (targets) than upstream lists",
        if_left: "users of the missing platforms cannot install it; no bump adds them",
        can_do: "ask for a policy decision: adding targets changes an indexed version",
        level: Level::Look,
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
        plain: "clients refuse it",
        means: "clients refuse an indexed version because of what the registry stores of it",
        if_left: "the clients that the reason names cannot install it",
        can_do: "correct the data file by hand; a changed release is a policy decision",
        level: Level::Act,
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
        plain: "waiting to retry",
        means: "a version failed before, is complete upstream now, and waits for its next try",
        if_left: "the bump adds it at the next try by itself, late",
        can_do: "wait for its next try, or plan to clear its recorded failures",
        level: Level::Wait,
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
        plain: "cannot be indexed",
        means: "a version tag that the bump cannot index: see why",
        if_left: "retries get rarer and keep failing",
        can_do: "tell the author; once it is fixed, a later bump picks it up",
        level: Level::Look,
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
        plain: "hidden by a prerelease",
        means: "the highest indexed version is a prerelease, and a newer stable one is not indexed",
        if_left: "users of version ranges stay on the old stable release",
        can_do: "add the entry to the plan and review it",
        level: Level::Look,
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
        plain: "older line skipped",
        means: "a version below the highest indexed one is missing",
        if_left: "only a full bump, one that reads every tag, picks it up",
        can_do: "add it to the plan if two bumps skipped it, and review it",
        level: Level::Look,
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
        plain: "not indexed yet",
        means: "a newer version is complete upstream and not indexed yet",
        if_left: "bumps run every 15 minutes; the next one should add it",
        can_do: "wait; if it stays, check the bump runs, or add it to the plan",
        level: Level::Wait,
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
        plain: "just released",
        means: "a version is missing, but was published less than 30 minutes ago",
        if_left: "the next bumps take it by themselves",
        can_do: "wait: this is the normal delay",
        level: Level::Wait,
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
        plain: "signature problem",
        means: "a version's signature does not verify with the keys on file",
        if_left: "installing that version fails: clients want a good signature",
        can_do: "ask the author for the key that signed it, or for a new version",
        level: Level::Act,
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
        plain: "signature problem",
        means: "a version is signed by an expired key, and nothing else verifies it",
        if_left: "it installs with a warning, and not at all where expiry is enforced",
        can_do: "ask the author to extend the key, or for a new one",
        level: Level::Look,
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
        plain: "signature problem",
        means: "keys are on file, but a version has no signature to check with them",
        if_left: "installing that version fails: clients want a good signature",
        can_do: "ask the author for a signed new version",
        level: Level::Act,
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
        plain: "size missing",
        means: "platforms (targets) are stored with a size of 0 or an impossible one",
        if_left: "OpenTofu clients from 1.12 on refuse to install them",
        can_do: "fill in size and h1 now",
        level: Level::Act,
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
        plain: "hashes missing",
        means: "platforms (targets) are indexed without size or h1, the hash of lock files",
        if_left: "locking for other platforms must download every package",
        can_do: "fill in h1 and size when convenient",
        level: Level::Wait,
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
        plain: "up to date",
        means: "every upstream version is indexed; where checksums were compared, none differs",
        if_left: "nothing happens",
        can_do: "leave it as it is",
        level: Level::Fine,
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

    #[test]
    fn each_status_has_its_level_and_plain_words() {
        let table = [
            ("unknown", Level::Look, "check failed"),
            ("list-unreadable", Level::Act, "list of versions unreadable"),
            ("repo-gone", Level::Act, "repository gone"),
            ("moved", Level::Look, "repository moved"),
            ("gone-upstream", Level::Act, "tag or release deleted"),
            ("drifted", Level::Act, "re-uploaded"),
            ("partial", Level::Look, "platforms missing"),
            ("clients-refuse", Level::Act, "clients refuse it"),
            ("retry-wait", Level::Wait, "waiting to retry"),
            ("stranded", Level::Look, "cannot be indexed"),
            ("shadowed", Level::Look, "hidden by a prerelease"),
            ("missed-old-line", Level::Look, "older line skipped"),
            ("behind", Level::Wait, "not indexed yet"),
            ("pending", Level::Wait, "just released"),
            ("key-mismatch", Level::Act, "signature problem"),
            ("key-expired", Level::Look, "signature problem"),
            ("unsigned", Level::Act, "signature problem"),
            ("size-missing", Level::Act, "size missing"),
            ("h1-missing", Level::Wait, "hashes missing"),
            ("current", Level::Fine, "up to date"),
        ];
        let found: Vec<_> = LADDER.iter().map(|row| (row.name, row.level, row.plain)).collect();
        assert_eq!(found, table);
        assert_eq!(Status::Drifted.words_for(Kind::Module).plain, "moved tag");
        // A list shows levels in one piece each.
        let mut ranked: Vec<Status> = Status::all().collect();
        ranked.sort_by_key(|status| status.rank());
        assert!(ranked.is_sorted_by_key(|status| status.row().level));
        for level in Level::ALL {
            assert_eq!(Level::from_name(level.name()), Some(level));
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
