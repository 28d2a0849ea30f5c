//! The nine gates before a pull request of the plan, and what each gate is; those before a review are in `verdict`: each says what was found, and what can be done where that is not enough.
//!
//! A fact that was not read fails a gate, as a fact that is wrong does. Pure; `jobs::publish` gathers the facts.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::registry::{Address, short_id};
use crate::rules::amount::{self, bytes, counted, grouped};
use crate::rules::client::refusal;
use crate::rules::diff::ChangeKind;
use crate::rules::edit::{Edit, REWRITTEN};
use crate::rules::lint::TWIN_TAGS;
use crate::rules::plan::{Answer, Part, PlannedFile};
use crate::rules::sending::evidence::{Warned, Warnings};
use crate::rules::sending::pull_text::LONGEST_TITLE;
use crate::rules::sending::{Prediction, SentFile};
use crate::rules::{Class, Finding, Severity};
use crate::settings::words;

words! {
    /// The gates, in their order: those of a pull request of the plan, then those that only a review has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum GateName: [word] {
        WriteAccess = "write access",
        Base = "base is current",
        Competing = "no competing change",
        Rebuilt = "rebuilt, same result",
        Additive = "additive only",
        Hashes = "hashes and signatures",
        Seen = "every change looked at",
        Validator = "repository validator",
        Size = "size of the pull request",
        Reviewer = "may review it",
        Open = "still open",
        Head = "commit as reviewed",
        Result = "result of the review",
        Length = "length of the text",
        Workflow = "workflow on the branch",
        Commit = "commit on GitHub",
        Another = "no run of this plan",
        Shares = "size of the shares",
        Ended = "run is over",
    }
}

impl GateName {
    pub(crate) const OF_PULL: [Self; 9] = [
        Self::WriteAccess,
        Self::Base,
        Self::Competing,
        Self::Rebuilt,
        Self::Additive,
        Self::Hashes,
        Self::Seen,
        Self::Validator,
        Self::Size,
    ];

    pub(crate) const OF_REVIEW: [Self; 6] =
        [Self::Reviewer, Self::Open, Self::Head, Self::Rebuilt, Self::Result, Self::Length];

    pub(crate) const OF_DISPATCH: [Self; 5] =
        [Self::WriteAccess, Self::Workflow, Self::Commit, Self::Another, Self::Shares];
    pub(crate) const OF_RERUN: [Self; 2] = [Self::WriteAccess, Self::Ended];

    /// The width that their names take in a column.
    pub(crate) fn width() -> usize {
        let names =
            Self::OF_PULL.into_iter().chain(Self::OF_REVIEW).chain(Self::OF_DISPATCH).chain(Self::OF_RERUN);
        names.map(|name| name.word().len()).max().unwrap_or_default()
    }
}

words! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub(crate) enum GateState: [word] {
        Pass = "PASS",
        /// It holds nothing up, and is to be known.
        Note = "NOTE",
        Fail = "FAIL",
    }
}

/// One gate, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) name: GateName,
    pub(crate) state: GateState,
    /// The evidence, as a part of a sentence.
    pub(crate) evidence: String,
    /// The remedy, a sentence that starts with a verb; only gates that fail have one.
    pub(crate) remedy: Option<String>,
}

/// Another change of a planned file that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Competitor {
    pub(crate) number: u64,
    pub(crate) author: String,
    /// `None`: it changes more files than GitHub lists.
    pub(crate) path: Option<String>,
}

/// The activity of the registry's own automation at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BumpRead {
    /// None of the newest runs on the branch is a bump that is still to end.
    Quiet,
    /// One runs, or waits for its turn, since then.
    Runs { since: Timestamp },
    /// GitHub shows this account no runs.
    Hidden,
}

/// The state of the branch that the plan would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BranchRead {
    /// It is free; a pull request of it that was there once is named.
    Free { was: Option<(u64, String)> },
    /// It is there, with this pull request if it has one. `ours`: the digits of the sending that made it from here, and is not over.
    Taken { pull: Option<(u64, String)>, ours: Option<String> },
}

/// A planned file that is not what was planned once it is built again, or would not stay what is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Otherwise {
    what: String,
    remedy: &'static str,
}

impl Otherwise {
    /// Upstream gives another result, or cannot be read. `moved`: it was built on another base than was planned.
    pub(crate) fn of(what: String, moved: bool) -> Self {
        let remedy = if moved {
            "Bring the checkout to what GitHub has, then build the plan again with `bumpdesk plan rebuild`, and look at what changed."
        } else {
            "Build the plan again with `bumpdesk plan rebuild`, and look at what changed."
        };
        Self { what, remedy }
    }

    /// An edit of a file that hands have made: it keeps what the registry's own writer would not keep.
    pub(crate) fn rewritten(address: &Address) -> Self {
        Self {
            what: format!("{address}: {REWRITTEN}"),
            remedy: "Drop the file from the plan and commit it with git, or wait: a bump that adds a version puts the file into that form.",
        }
    }
}

/// Checksums and signatures of the added provider versions, as they were read again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HashesRead {
    pub(crate) versions: usize,
    pub(crate) targets: usize,
    /// Versions of entries without a key on file.
    pub(crate) unsigned: usize,
    /// Good signatures of which a maintainer should know something all the same: an expired key, an old client that refuses it.
    pub(crate) doubtful: Vec<String>,
    /// Hashes and signatures that are wrong, or were not read.
    pub(crate) faults: Vec<String>,
}

/// The end of the evidence about write access, where only the rights of the account are known.
const TOKEN_UNKNOWN: &str = "what the token may do shows when it is used";

/// Rules of ours that are the repository's own validator's too (`registry.md#the-registrys-own-checks`), or of twins that it
/// does not see: errors before a pull request, whatever they are in a list.
pub(super) const VALIDATOR: [&str; 8] = [
    "bad-shasum",
    "duplicate-version",
    "empty-versions",
    "invalid-version",
    "no-targets",
    "odd-platform",
    "odd-protocol",
    "odd-url",
];

/// The size of a pull request, or the most that GitHub takes and people can look at (`github.md#commits`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) files: usize,
    pub(crate) patch_bytes: usize,
    /// All files, whole.
    pub(crate) contents_bytes: usize,
    pub(crate) title_characters: usize,
    pub(crate) body_characters: usize,
}

impl Limits {
    const MOST: Self = Self {
        files: 50,
        patch_bytes: 1_000_000,
        contents_bytes: 20_000_000,
        title_characters: LONGEST_TITLE,
        body_characters: 60_000,
    };
    /// A file that is larger than all may be together goes alone, up to what GitHub takes: 40 MB, of which nobody says whether
    /// they are counted before or after base64 makes four bytes of three.
    const MOST_ALONE_BYTES: usize = 30_000_000;
}

/// `hashicorp/aws 6.57.0 is removed: Extreme disruption, issue #4812`; `None` where nothing needs a permit.
fn permitted(file: &PlannedFile) -> Option<String> {
    let edit = file.mode.edit()?;
    let permit = edit.permit()?;
    let (reason, issue) = (permit.reason().title(), permit.issue());
    let what = match edit {
        Edit::Remove(versions, _) => format!("{} {}", file.address, versions.join(", ")),
        _ => format!("{}, the whole entry,", file.address),
    };
    Some(format!("{what} is removed: {reason}, issue #{issue}"))
}

impl Gate {
    fn new(name: GateName, state: GateState, evidence: impl Into<String>) -> Self {
        Self { name, state, evidence: evidence.into(), remedy: None }
    }

    pub(super) fn pass(name: GateName, evidence: impl Into<String>) -> Self {
        Self::new(name, GateState::Pass, evidence)
    }

    pub(super) fn note(name: GateName, evidence: impl Into<String>) -> Self {
        Self::new(name, GateState::Note, evidence)
    }

    /// A gate that does not open.
    pub(crate) fn fail(name: GateName, evidence: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..Self::new(name, GateState::Fail, evidence) }
    }

    /// By the account's right alone: what a fine-grained token may do cannot be read before it is tried.
    /// `forks`: it is sent from a fork of the account's own, which whoever may read may have.
    pub(crate) fn write_access(login: &str, repository: &str, may_push: bool, forks: bool) -> Self {
        let name = GateName::WriteAccess;
        if forks {
            return Self::note(
                name,
                format!("{login} sends it from a fork of {repository}; {TOKEN_UNKNOWN}"),
            );
        }
        if may_push {
            return Self::note(name, format!("{login} may push to {repository}; {TOKEN_UNKNOWN}"));
        }
        Self::fail(
            name,
            format!("{login} may not push to {repository}"),
            "Send it from a fork with --fork, or use the token of an account that may.",
        )
    }

    /// Takes the scopes of the sender's token, as GitHub lists those of a classic token: `public_repo, read:org`. The registry is
    /// public, so either of the two scopes for repositories is enough.
    pub(crate) fn take_scopes(&mut self, scopes: &str) {
        let right = self.evidence.strip_suffix(TOKEN_UNKNOWN).filter(|_| self.state == GateState::Note);
        let Some(right) = right else { return };
        let found = scopes.split(',').map(str::trim).find(|scope| ["repo", "public_repo"].contains(scope));
        let (state, token) = match found {
            Some(scope) => (GateState::Pass, format!("the token has the scope {scope}")),
            None if scopes.trim().is_empty() => (GateState::Note, "the token has no scope".to_owned()),
            None => (GateState::Note, format!("the token has neither repo nor public_repo, only {scopes}")),
        };
        (self.state, self.evidence) = (state, format!("{right}{token}"));
    }

    /// `moved`: planned files that differ on the base from what they were planned on, and were built on it again.
    pub(crate) fn base(branch: &str, oid: &str, files: usize, moved: usize) -> Self {
        let at = format!("{branch}@{}", short_id(oid));
        let files = counted(files, "file");
        if moved == 0 {
            return Self::pass(GateName::Base, format!("{at}: {files}, unchanged since the plan was built"));
        }
        Self::note(
            GateName::Base,
            format!("{moved} of {files} changed since they were planned, and were built again on {at}"),
        )
    }

    pub(crate) fn competing(
        branch: &str,
        read: &BranchRead,
        open: usize,
        competitors: &[Competitor],
        bump: BumpRead,
    ) -> Self {
        let name = GateName::Competing;
        if let BranchRead::Taken { pull, ours } = read {
            let by = match pull {
                Some((number, author)) => format!("with pull request #{number} of {author}"),
                None => "without a pull request".to_owned(),
            };
            return match ours {
                Some(digits) => Self::fail(
                    name,
                    format!(
                        "the branch {branch} is that of sending {digits} from here, which was cut off, {by}"
                    ),
                    format!(
                        "Continue it with `bumpdesk pr resume {digits} --write`, or look with `bumpdesk pr undo {digits}` at what takes it back."
                    ),
                ),
                None => Self::fail(
                    name,
                    format!("the branch {branch} of this very plan exists, {by}"),
                    "Look at that one: the same plan is sent once.",
                ),
            };
        }
        if let Some(first) = competitors.first() {
            let others = competitors.len() - 1;
            let more = if others == 0 { String::new() } else { format!(", and {} more", grouped(others)) };
            let what = match &first.path {
                Some(path) => format!("changes `{path}`"),
                None => "changes more files than GitHub lists, perhaps one of these".to_owned(),
            };
            return Self::fail(
                name,
                format!("open pull request #{} of {} {what}{more}", first.number, first.author),
                "Wait until it is merged or closed, or drop the file from the plan.",
            );
        }
        let read_all = match open {
            0 => "there is no open pull request".to_owned(),
            _ => format!("{} read, and none of these files is in one", counted(open, "open pull request")),
        };
        let was = match read {
            BranchRead::Free { was: Some((number, author)) } => {
                Some(format!("pull request #{number} of {author} had the same plan, and is closed"))
            }
            _ => None,
        };
        // A bump that changes one of these files stops the sending by itself, before the commit and before the pull request.
        let of_bump = match bump {
            BumpRead::Quiet => None,
            BumpRead::Runs { since } => Some(format!(
                "a bump runs since {}, and if it changes one of these files, sending stops",
                amount::minute(since)
            )),
            BumpRead::Hidden => Some("whether a bump runs is not known: GitHub shows no runs".to_owned()),
        };
        let notes: Vec<String> = was.into_iter().chain(of_bump).collect();
        match &notes[..] {
            [] => Self::pass(name, format!("{read_all}; no bump runs")),
            _ => Self::note(name, format!("{read_all}; {}", notes.join("; "))),
        }
    }

    /// `moved`: files that were built on another base than was planned; `filled`: targets whose h1 and size a backfill found, which
    /// nothing here computes again.
    pub(crate) fn rebuilt(files: usize, (moved, filled): (usize, usize), otherwise: &[Otherwise]) -> Self {
        let name = GateName::Rebuilt;
        let same = if moved == 0 { "the same bytes" } else { "the same changes" };
        match otherwise {
            [] if filled > 0 => Self::note(
                name,
                format!(
                    "{} built again: {same}; h1 and size of {} are as a backfill found them, and were not computed again",
                    counted(files, "file"),
                    counted(filled, "target")
                ),
            ),
            [] => Self::pass(name, format!("{} built again from upstream: {same}", counted(files, "file"))),
            [first, ..] => Self::fail(
                name,
                format!("{} of {}: {}", otherwise.len(), counted(files, "file"), first.what),
                first.remedy,
            ),
        }
    }

    pub(crate) fn additive(files: &[&PlannedFile]) -> Self {
        let name = GateName::Additive;
        let bad = files.iter().filter(|file| file.forbidden().is_some()).count();
        if bad > 0 {
            return Self::fail(
                name,
                format!("{} would change or lose what is indexed", counted(bad, "file")),
                "Reject those changes, or drop the files from the plan.",
            );
        }
        let permits: Vec<String> = files.iter().filter_map(|file| permitted(file)).collect();
        if !permits.is_empty() {
            return Self::note(name, format!("{}; needs two approvals", permits.join("; ")));
        }
        // No line of the other version changes, but clients get something else. The gate reports this and does not
        // fail.
        let twins: Vec<String> = files
            .iter()
            .flat_map(|file| {
                file.twins().into_iter().map(|twin| format!("{}: {}", file.address, twin.text()))
            })
            .collect();
        if let [first, ..] = &twins[..] {
            let more = match twins.len() {
                1 => String::new(),
                count => format!(" (and {} more)", grouped(count - 1)),
            };
            return Self::note(name, format!("no indexed version changes in the file, but {first}{more}"));
        }
        let gains = files.iter().flat_map(|file| {
            let gains = file
                .pieces
                .iter()
                .filter(|piece| piece.change == ChangeKind::Changed && piece.mark.answer != Answer::Rejected);
            gains
                .filter(|piece| piece.part.name() != Part::REST)
                .map(|piece| format!("{} {}", file.address, piece.part.name()))
        });
        let gains: Vec<String> = gains.collect();
        if let [first, ..] = &gains[..] {
            let count = counted(gains.len(), "indexed version");
            return Self::note(
                name,
                format!(
                    "{count} would gain targets or hashes: {first}; nothing indexed changes or disappears"
                ),
            );
        }
        match files.iter().filter(|file| file.class == Class::Reorders).count() {
            0 => Self::pass(name, "no indexed version changes or disappears"),
            moved => Self::note(
                name,
                format!(
                    "{} would change the order of what is indexed, and nothing else",
                    counted(moved, "file")
                ),
            ),
        }
    }

    /// Judges the checksums and signatures of the added provider versions; modules have neither.
    pub(crate) fn hashes(checked: &HashesRead) -> Self {
        let name = GateName::Hashes;
        let HashesRead { versions, targets, unsigned, doubtful, faults } = checked;
        if let [first, ..] = &faults[..] {
            return Self::fail(
                name,
                format!("{}: {first}", counted(faults.len(), "fault")),
                "Reject the version, or ask its author; nothing overrides this.",
            );
        }
        if *versions == 0 {
            return Self::pass(name, "no version of a provider is added");
        }
        let read = format!(
            "SHA256SUMS has the same {} for {}",
            counted(*targets, "checksum"),
            counted(*versions, "version")
        );
        if let [first, ..] = &doubtful[..] {
            return Self::note(
                name,
                format!("{read}; {} to be known: {first}", counted(doubtful.len(), "signature")),
            );
        }
        if *unsigned == 0 {
            return Self::pass(name, format!("{read}; every signature is good"));
        }
        let whose = counted(*unsigned, "version");
        Self::note(name, format!("{read}; for {whose} no key is on file, so nobody checks a signature"))
    }

    pub(crate) fn seen(files: &[&PlannedFile]) -> Self {
        let changes: usize = files.iter().map(|file| file.pieces.len()).sum();
        let open: Vec<&&PlannedFile> =
            files.iter().filter(|file| file.state == crate::rules::plan::FileState::Open).collect();
        match open.first() {
            None => {
                Self::pass(GateName::Seen, format!("{} looked at and answered", counted(changes, "change")))
            }
            Some(first) => Self::fail(
                GateName::Seen,
                format!("{} still to be approved: {}", counted(open.len(), "file"), first.address),
                format!("Look at it with `bumpdesk plan show {}`, then approve it.", first.address),
            ),
        }
    }

    /// Judges the files as they would be by our own checks, and by the predicted result of the check that the repository
    /// requires. A predicted failure holds nothing up, unless archives changed under versions that the plan does not touch:
    /// `acknowledged` says that a maintainer knows of these.
    pub(crate) fn validator(files: &[SentFile], findings: &[(String, Finding)], acknowledged: bool) -> Self {
        let name = GateName::Validator;
        // Gate 5 reports twins with their effect, and a maintainer may want them.
        let own = findings.iter().filter(|(_, finding)| finding.rule != TWIN_TAGS);
        let mut errors = own.filter(|(_, finding)| {
            finding.severity == Severity::Error || VALIDATOR.contains(&&*finding.rule)
        });
        if let Some((path, finding)) = errors.next() {
            let count = counted(errors.count() + 1, "error");
            return Self::fail(
                name,
                format!("{count} in the files as they would be: `{path}`: {}", finding.text),
                "Drop the file from the plan, or fix it first.",
            );
        }
        let prediction = |file: &SentFile| {
            let line = format!("`{}`: the required check {}", file.path, file.prediction.text());
            match file.prediction.beside().filter(|_| file.edit.is_some()) {
                Some(beside) => {
                    format!("beside what this does, the check will also show {beside}: {line}")
                }
                None => line,
            }
        };
        if let Some(unknown) = files.iter().find(|file| matches!(file.prediction, Prediction::Unknown(_))) {
            return Self::fail(name, prediction(unknown), "Do the same again once that can be read.");
        }
        if let Some(drifted) =
            files.iter().find(|file| !file.prediction.drifted().is_empty() && !acknowledged)
        {
            return Self::fail(
                name,
                prediction(drifted),
                "Verify those versions and tell their author; then say with --acknowledge-drift that you know of them.",
            );
        }
        let warned = warned(files);
        let mut others = files.iter().filter(|file| file.prediction != Prediction::Passes);
        let refused = findings.iter().find(|(_, finding)| finding.rule == refusal::RULE);
        let (state, text) = match others.next() {
            None => {
                let read = format!("{} without a new error", counted(files.len(), "file"));
                match refused {
                    Some((path, finding)) => {
                        let text = &finding.text;
                        (GateState::Note, format!("{read}; the required check passes, but `{path}`: {text}"))
                    }
                    None => (
                        if warned.is_empty() { GateState::Pass } else { GateState::Note },
                        format!("{read}; the required check passes"),
                    ),
                }
            }
            Some(first) => {
                let more = match others.count() {
                    0 => String::new(),
                    count => format!("; and so for {}", counted(count, "more file")),
                };
                (GateState::Note, format!("{}{more}", prediction(first)))
            }
        };
        Self::new(name, state, format!("{text}{warned}"))
    }

    /// `by_letter`: how many files each folder has, by which it can be sent in parts.
    pub(crate) fn size(limits: Limits, by_letter: &BTreeMap<char, usize>) -> Self {
        let (name, most) = (GateName::Size, Limits::MOST);
        let sizes = format!(
            "{}, {} of patch, {} in all",
            counted(limits.files, "file"),
            bytes(limits.patch_bytes as u64),
            bytes(limits.contents_bytes as u64)
        );
        for (what, has, most) in [
            ("title", limits.title_characters, most.title_characters),
            ("text", limits.body_characters, most.body_characters),
        ] {
            if has > most {
                let (has, most) = (grouped(has), grouped(most));
                let evidence = format!("its {what} has {has} characters, and {most} are the most");
                return Self::fail(name, evidence, in_parts(by_letter));
            }
        }
        if limits.files == 1 {
            return if limits.contents_bytes > Limits::MOST_ALONE_BYTES {
                Self::fail(
                    name,
                    format!(
                        "{sizes}; more than {} is not sent, since GitHub takes about 40 MB",
                        bytes(Limits::MOST_ALONE_BYTES as u64)
                    ),
                    "Commit this file with git.",
                )
            } else {
                Self::pass(name, sizes)
            };
        }
        let is_over = limits.files > most.files
            || limits.patch_bytes > most.patch_bytes
            || limits.contents_bytes > most.contents_bytes;
        if is_over {
            return Self::fail(
                name,
                format!(
                    "{sizes}; {} files, {} of patch and {} in all are the most",
                    most.files,
                    bytes(most.patch_bytes as u64),
                    bytes(most.contents_bytes as u64)
                ),
                in_parts(by_letter),
            );
        }
        Self::pass(name, sizes)
    }
}

/// The warnings about the versions to send:
/// `; 2 warnings: acme/rocket 1.1.0: protocols 5.0; the version before has 6.0`.
fn warned(files: &[SentFile]) -> String {
    let warnings = Warnings::of(files);
    if warnings.lines.is_empty() {
        return String::new();
    }
    let line =
        |warned: &Warned| format!("{} {}{}: {}", warned.address, warned.version, warned.more(), warned.text);
    let others = (warnings.others > 0).then(|| format!("and {} more", warnings.others));
    let lines: Vec<String> = warnings.lines.iter().map(line).chain(others).collect();
    format!("; {} about what is sent: {}", counted(warnings.count(), "warning"), lines.join("; "))
}

/// The remedy for a pull request that is too large: several of them, each complete.
fn in_parts(by_letter: &BTreeMap<char, usize>) -> String {
    if by_letter.len() < 2 {
        return "Send less at once: drop entries from the plan, or reject versions, and add them again after it."
            .to_owned();
    }
    let parts =
        by_letter.iter().map(|(letter, files)| format!("--letter {letter} ({})", counted(*files, "file")));
    format!("Send it in parts, each a pull request of its own: {}.", parts.collect::<Vec<_>>().join(", "))
}

/// A gate that does not open, in one sentence: `gate 7, every change looked at: 1 file still to be approved. Look at it …`.
pub(crate) fn failed_gate(number: usize, gate: &Gate) -> String {
    let remedy = gate.remedy.as_ref().map(|remedy| format!(". {remedy}")).unwrap_or_default();
    format!("gate {number}, {}: {}{remedy}", gate.name.word(), gate.evidence)
}
