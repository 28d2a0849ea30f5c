//! The checks behind a proposed change, both done and not done. They rest on the change's own lines and on
//! its build, and on nothing else.

use crate::desk::telling::planned;
use crate::registry::Kind;
use crate::rules::amount::counted;
use crate::rules::diff::{ChangeKind, LineMark, Lines};
use crate::rules::edit::Edit;
use crate::rules::plan::{Answer, FileState, Part, Piece, PlannedFile, Remark};
use crate::rules::submission::NewKey;

/// Figures from one version's own lines in the proposed file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Evidence {
    targets: u32,
    sums: u32,
    h1: u32,
    protocols: Vec<String>,
}

impl Evidence {
    pub(crate) fn of(lines: &Lines, first: u32, end: u32) -> Self {
        let mut evidence = Self::default();
        let mut in_protocols = false;
        for line in &lines.lines[first as usize..end as usize] {
            if line.mark == LineMark::Removed {
                continue;
            }
            let text = lines.text(line).trim();
            let filled = |key: &str| {
                let value = text.strip_prefix(key)?.trim_matches([':', ' ', ',', '"']);
                Some(!value.is_empty())
            };
            if let Some(filled) = filled("\"shasum\"") {
                evidence.sums += u32::from(filled);
            } else if let Some(filled) = filled("\"h1\"") {
                evidence.h1 += u32::from(filled);
            } else if text.starts_with("\"os\"") {
                evidence.targets += 1;
            }
            if in_protocols && text.starts_with('"') && evidence.protocols.len() < 8 {
                evidence.protocols.push(text.trim_matches([',', '"']).to_owned());
            }
            in_protocols = text.starts_with("\"protocols\"") || (in_protocols && !text.starts_with(']'));
        }
        evidence
    }

    /// `5.0 6.0`, or `none`.
    pub(crate) fn protocols(&self) -> String {
        if self.protocols.is_empty() { "none".to_owned() } else { self.protocols.join(" ") }
    }
}

/// One check: its standing, its subject and its result. `short` is for places with little room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) standing: Standing,
    pub(crate) short: String,
    pub(crate) text: String,
}

/// The standing of a check, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    Fine,
    /// Not checked, or absent; neither is a fault.
    Open,
    Wrong,
}

fn check(standing: Standing, short: impl Into<String>, text: impl Into<String>) -> Check {
    Check { standing, short: short.into(), text: text.into() }
}

/// The checks of one change, in the order of a review.
pub(crate) fn checks(file: &PlannedFile, piece: &Piece, found: Option<&Evidence>) -> Vec<Check> {
    let mut checks = Vec::new();
    match (&piece.part, piece.change) {
        (Part::Version(_), ChangeKind::Added) if file.address.kind() == Kind::Provider => {
            provider(&mut checks, found);
        }
        (Part::Version(_), ChangeKind::Added) => {
            checks.push(check(Standing::Fine, "tag", "tag known when this was built"));
            checks.push(check(Standing::Fine, "not blocked", "not on the blacklist"));
        }
        (Part::Version(_), ChangeKind::Moved) => {
            checks.push(check(Standing::Fine, "same content", "the same content at another place"));
        }
        (Part::Version(version), change @ (ChangeKind::Changed | ChangeKind::Removed)) => {
            let edit = file.mode.edit().filter(|edit| change == ChangeKind::Removed && edit.removes(version));
            let permit = edit.and_then(Edit::permit);
            checks.push(if let Some(permit) = permit {
                let (reason, issue) = (permit.reason().title(), permit.issue());
                let text = format!(
                    "removed for an exceptional reason, issue #{issue}: {reason}; needs two approvals"
                );
                check(Standing::Open, change.word(), text)
            } else {
                let text = format!("indexed, and would be {}: held by the registry's policy", change.word());
                check(Standing::Wrong, change.word(), text)
            });
        }
        (Part::Rest, _) if file.mode.edit().is_some() => {
            let text = format!("what {}, and nothing else", file.mode.words());
            checks.push(check(Standing::Fine, "outside versions", text));
        }
        (Part::Blacklist, _) => {
            let reasons: Vec<String> =
                piece.blocks.iter().map(|block| format!("{}: {}", block.subject(), block.reason)).collect();
            checks.push(check(Standing::Open, "blacklist", reasons.join("; ")));
        }
        (Part::Key, _) => {
            let fingerprint = file.mode.edit().and_then(Edit::key).map(NewKey::fingerprint);
            let text = format!("its fingerprint is {}", fingerprint.unwrap_or_default());
            checks.push(check(Standing::Open, "key", text));
        }
        (Part::Rest, _) => {
            let text = "what the registry's own tool writes outside the versions";
            checks.push(check(Standing::Fine, "outside versions", text));
        }
    }
    for remark in file.remarks.iter().filter(|remark| is_about(remark, piece, file)) {
        let standing = if remark.severity == "note" { Standing::Open } else { Standing::Wrong };
        checks.push(check(standing, remark.rule.clone(), remark.text.clone()));
    }
    if piece.mark.answer != Answer::Open {
        let standing = if piece.mark.answer == Answer::Approved { Standing::Fine } else { Standing::Wrong };
        checks.push(check(
            standing,
            piece.mark.answer.word(),
            format!("{} by you", piece.mark.answer.word()),
        ));
    }
    checks.extend(planned::note(piece).map(|note| check(Standing::Open, "note", note)));
    checks
}

/// Returns true if the remark is about this change: it names the change's version, or a version that the
/// change blocks. In an edit, the change outside of versions also gets the remarks that fit no other change.
fn is_about(remark: &Remark, piece: &Piece, file: &PlannedFile) -> bool {
    let names = |piece: &Piece, version: &str| {
        piece.part.name() == version || piece.blocks.iter().any(|block| block.version == version)
    };
    let has = |piece: &Piece| remark.version.as_deref().is_some_and(|version| names(piece, version));
    let is_left = || file.mode.edit().is_some() && !file.pieces.iter().any(has);
    has(piece) || (piece.part == Part::Rest && is_left())
}

/// Counts the folded targets and names the key that opens them; `None` if nothing is folded. A folded target
/// counts as looked at, because a similar one is shown.
pub(crate) fn folded(targets: usize, key: &str) -> Option<Check> {
    let folded = counted(targets, "target");
    (targets > 0).then(|| {
        let text = format!("{folded} like the ones shown stay folded; {key} opens them");
        check(Standing::Open, format!("{folded} folded"), text)
    })
}

fn provider(checks: &mut Vec<Check>, found: Option<&Evidence>) {
    // When upstream was read is not kept with the file: for this build, or for a look shortly before it.
    checks.push(check(Standing::Fine, "sums", "SHA256SUMS known when this was built"));
    checks.push(check(Standing::Fine, "tag", "tag known when this was built"));
    if let Some(found) = found {
        let all = found.targets;
        let whole = |count| if count == all { Standing::Fine } else { Standing::Wrong };
        checks.push(check(
            whole(found.sums),
            format!("zh {}/{all}", found.sums),
            format!("zh {}/{all} taken from SHA256SUMS", found.sums),
        ));
        let (standing, text) = match found.h1 {
            0 => (Standing::Open, "h1 not computed here: it is backfilled".to_owned()),
            // An archive that has another checksum ends the build.
            some => (whole(some), format!("h1 {some}/{all} computed from archives with that zh")),
        };
        checks.push(check(standing, format!("h1 {}/{all}", found.h1), text));
    }
    checks.push(check(Standing::Fine, "not blocked", "not on the blacklist"));
    checks.push(check(
        Standing::Open,
        "signature",
        "signature not checked by a build; a gate of the pull request checks it",
    ));
    if let Some(found) = found {
        let protocols = found.protocols();
        let text = format!("protocols {protocols} in the file");
        checks.push(check(Standing::Open, format!("protocols {protocols}"), text));
    }
}

/// The format of the proposed bytes. The registry's own tool was not run here, so the text does not speak of
/// its bytes.
pub(crate) fn form(file: &PlannedFile) -> String {
    if let FileState::Nothing(reason) = &file.state {
        return reason.clone();
    }
    if let Some(edit) = file.mode.edit() {
        return format!("It {}; all else in the file keeps its bytes", edit.words());
    }
    let form = "As the registry's own bump writes it";
    match (file.mode.name(), file.rejected()) {
        ("add", 0) => form.to_owned(),
        ("add", count) => {
            format!("{form}, without {}", counted(count, "rejected change"))
        }
        _ => format!("{form}; it {}", file.mode.words()),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::registry::{Address, BlacklistEntry};
    use crate::rules::plan::{Kept, Marks, made_with};
    use crate::rules::retry::NEXT_BUMP;
    use crate::rules::{Finding, Mode};
    use crate::settings::Features;

    /// The texts of the checks for the only change of an edit.
    fn check_texts(edit: Edit, proposed: &str, blocks: Vec<BlacklistEntry>, found: &Finding) -> Vec<String> {
        let kept = Kept {
            address: Address::provider("acme", "rocket"),
            mode: Mode::Edit(edit),
            revision: "main@f00f6d5".into(),
            built_at: Timestamp::UNIX_EPOCH,
            made_with: made_with(Features::none()),
            base: br#"{"versions":[]}"#.to_vec(),
            proposed: proposed.into(),
            blocks,
            remarks: vec![found.into()],
        };
        let file = PlannedFile::read(&kept, &Marks::new(), Some(&kept.base), Features::none()).unwrap();
        let [piece] = &file.pieces[..] else { panic!("{:?}", file.pieces) };
        checks(&file, piece, None).into_iter().map(|check| check.text).collect()
    }

    /// The effect of the next bump on an edit stands beside the change that it is about.
    #[test]
    fn an_edit_shows_what_the_next_bump_makes_of_it() {
        let found = Finding::note(NEXT_BUMP, "it is left out");
        let blocks = vec![BlacklistEntry::new(&Address::provider("acme", "rocket"), "1.2.0", "bad")];
        let block = Edit::Block(vec!["1.2.0".into()], "bad".into());
        let lines = check_texts(block, r#"{"versions":[]}"#, blocks, &found.clone().on("1.2.0"));
        assert_eq!(lines.last().unwrap(), "it is left out", "{lines:?}");
        let warned = r#"{"versions":[],"warnings":["Old."]}"#;
        let lines = check_texts(Edit::Warn("Old.".into()), warned, Vec::new(), &found);
        assert_eq!(lines.last().unwrap(), "it is left out", "{lines:?}");
    }
}
