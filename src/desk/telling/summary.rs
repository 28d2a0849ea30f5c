//! The summary of a changed version: its facts and its warnings, to be read before its lines. It rests on the two files, on
//! the findings of their comparison with upstream, and on the last survey.

use jiff::Timestamp;

use crate::desk::telling::Tone;
use crate::desk::telling::evidence::Evidence;
use crate::registry::Kind;
use crate::rules::amount::clock;
use crate::rules::diff::{Block, BlockKind, LineMark, Lines, Origin, PlatformMark};
use crate::rules::plan::Remark;
use crate::rules::review::Against;
use crate::rules::{PublishedBy, Severity, Verdict};

/// The facts and the warnings above the lines of a changed version, beside its grid of platforms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VersionSummary {
    /// The block of the version in the line view.
    pub(crate) block: u32,
    /// `protocols 5.0`, `released 08:04Z`.
    pub(crate) facts: Vec<String>,
    /// The gravest first.
    pub(crate) warnings: Vec<(Tone, String)>,
    /// The side that the file of a pull request is held against; `None` for a rebuild of our own.
    pub(crate) against: Option<Against>,
}

/// Gives the signer of an indexed version, where its signature was checked.
type Signer<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// The sources of a summary besides the lines.
pub(crate) struct SummarySources<'a> {
    pub(crate) kind: Kind,
    pub(crate) verdict: Option<&'a Verdict>,
    pub(crate) remarks: &'a [Remark],
    /// `None` leaves signatures out.
    pub(crate) signer: Option<&'a Signer<'a>>,
    pub(crate) now: Timestamp,
}

/// The summaries of the versions that a pull request of another author changes. Its hashes and signatures are judged beside the
/// list, so nothing here calls them verified.
pub(crate) fn of_pull(lines: &Lines, kind: Kind, against: Against) -> Vec<VersionSummary> {
    let sources =
        SummarySources { kind, verdict: None, remarks: &[], signer: None, now: Timestamp::UNIX_EPOCH };
    let all = summaries(lines, &sources).into_iter();
    all.map(|summary| VersionSummary { against: Some(against), ..summary }).collect()
}

/// The summaries of all changed versions. A version without a grid has one only if there is a warning about it.
pub(crate) fn summaries(lines: &Lines, sources: &SummarySources<'_>) -> Vec<VersionSummary> {
    let versions = lines.blocks.iter().zip(0..).filter(|(block, _)| block.kind == BlockKind::Version);
    let all = versions.map(|(block, at)| summary(lines, block, at, sources));
    all.filter(|one| !one.warnings.is_empty() || lines.blocks[one.block as usize].grid.is_some()).collect()
}

fn summary(lines: &Lines, block: &Block, at: u32, sources: &SummarySources<'_>) -> VersionSummary {
    let name = block.path.split_once("] ").map_or("", |(_, name)| name);
    let mut facts = Vec::new();
    let mut warnings: Vec<(Tone, String)> = Vec::new();
    if sources.kind == Kind::Provider {
        facts.push(format!("protocols {}", Evidence::of(lines, block.first, block.end).protocols()));
    }
    let state = sources.verdict.and_then(|verdict| verdict.versions.iter().find(|one| one.version == name));
    if let Some((at, by)) = state.and_then(|state| state.published.zip(state.published_by)) {
        let verb = if by == PublishedBy::FirstSeen { "first seen" } else { "released" };
        facts.push(format!("{verb} {}", clock(at, sources.now)));
    }
    if let Some(signer) = sources.signer.filter(|_| sources.kind == Kind::Provider) {
        facts.push(signer(name).unwrap_or_else(|| "signature not checked yet".to_owned()));
    }
    let about = |severity: Severity| {
        let is_it = move |remark: &&Remark| {
            remark.severity == severity.name() && remark.version.as_deref() == Some(name)
        };
        sources.remarks.iter().filter(is_it).map(|remark| remark.text.clone())
    };
    warnings.extend(about(Severity::Error).map(|text| (Tone::Error, text)));
    warnings.extend(about(Severity::Warning).map(|text| (Tone::Warning, text)));
    if let Some(grid) = &block.grid {
        facts.push(format!("from {}", grid.source));
        let origin = match grid.origin {
            Origin::Other => Some("not the source of the indexed version below: read its lines"),
            Origin::Unknown if block.mark == LineMark::Added => {
                Some("no indexed version below to compare its source with: read its lines")
            }
            Origin::Unknown | Origin::AsBelow => None,
        };
        warnings.extend(origin.map(|text| (Tone::Warning, text.to_owned())));
    }
    warnings.extend(about(Severity::Note).map(|text| (Tone::Quiet, text)));
    VersionSummary { block: at, facts, warnings, against: None }
}

/// The legend of a mark. The hashes of a plan and of a rebuild come from archives that had the checksum of SHA256SUMS; those of a
/// pull request are what its author wrote.
pub(crate) fn legend(mark: PlatformMark, against: Option<Against>) -> &'static str {
    match (mark, against) {
        (PlatformMark::Hashed, None) => "zh and h1 verified",
        (PlatformMark::Hashed, Some(_)) => "listed with h1",
        (PlatformMark::Listed, None) => "listed, not hashed",
        (PlatformMark::Listed, Some(_)) => "listed without h1",
        (PlatformMark::Same, Some(Against::Upstream)) => "as upstream",
        (PlatformMark::Same, _) => "as indexed",
        (PlatformMark::Filled, _) => "h1 or size filled in",
        (PlatformMark::Added, Some(Against::Upstream)) => "not upstream",
        (PlatformMark::Added, _) => "new platform",
        (PlatformMark::Lost, Some(Against::Upstream)) => "missing here",
        (PlatformMark::Lost, _) => "lost platform",
        (PlatformMark::Changed, Some(Against::Upstream)) => "differs from upstream",
        (PlatformMark::Changed, _) => "changed",
        (PlatformMark::Odd, _) => "unlike the others",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Document;
    use crate::rules::Finding;
    use crate::rules::diff::compare;

    fn lines(kind: Kind, old: &str, new: &str) -> Lines {
        let document =
            |text: &str| Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone());
        let (old, new) = (document(old), document(new));
        Lines::build(kind, &old, &new, &compare(kind, &old, &new))
    }

    /// The findings that `show` has about a version stand above its lines, and those of no other version.
    #[test]
    fn a_summary_has_every_warning_about_its_version() {
        let version = |name: &str, repository: &str| {
            format!(
                r#"{{"version":"{name}","protocols":["6.0"],"shasums_url":"https://github.com/o/{repository}/s","shasums_signature_url":"g","targets":[{{"os":"linux","arch":"arm","filename":"f","download_url":"https://github.com/o/{repository}/d/f","shasum":"aa"}}]}}"#
            )
        };
        let file = |versions: &[String]| format!(r#"{{"versions":[{}]}}"#, versions.join(","));
        let old = file(&[version("1.0.0", "p")]);
        let new = file(&[version("1.2.0", "q"), version("1.1.0", "p"), version("1.0.0", "p")]);
        let remarks: Vec<Remark> = [
            Finding::note("manifest-missing", "no manifest").on("1.2.0"),
            Finding::warning("targets-lost", "1 platform lost since 1.0.0: linux_386").on("1.2.0"),
            Finding::error("not-installable", "no client can install it").on("1.2.0"),
            Finding::warning("protocols-changed", "of another version").on("1.3.0"),
            Finding::warning("feed-truncated", "of the whole file"),
        ]
        .iter()
        .map(Remark::from)
        .collect();
        let sources = SummarySources {
            kind: Kind::Provider,
            verdict: None,
            remarks: &remarks,
            signer: Some(&|version| (version == "1.1.0").then(|| "signed by 88AC".to_owned())),
            now: Timestamp::UNIX_EPOCH,
        };
        let all = summaries(&lines(Kind::Provider, &old, &new), &sources);
        let [first, second] = &all[..] else { panic!("{all:?}") };
        assert_eq!(first.facts, ["protocols 6.0", "signature not checked yet", "from github.com/o/q"]);
        assert_eq!(
            first.warnings,
            [
                (Tone::Error, "no client can install it".to_owned()),
                (Tone::Warning, "1 platform lost since 1.0.0: linux_386".to_owned()),
                (Tone::Warning, "not the source of the indexed version below: read its lines".to_owned()),
                (Tone::Quiet, "no manifest".to_owned()),
            ]
        );
        assert_eq!(second.facts, ["protocols 6.0", "signed by 88AC", "from github.com/o/p"]);
        assert_eq!(second.warnings, []);
        // Nothing in a pull request is called verified, and its signature is judged elsewhere.
        let of_others = of_pull(&lines(Kind::Provider, &old, &new), Kind::Provider, Against::Base);
        assert_eq!(of_others[1].facts, ["protocols 6.0", "from github.com/o/p"]);
        for mark in [PlatformMark::Hashed, PlatformMark::Listed, PlatformMark::Same] {
            assert!(!legend(mark, of_others[1].against).contains("verified"));
        }
    }

    #[test]
    fn a_module_version_has_a_summary_where_there_is_a_warning() {
        let new = r#"{"versions":[{"version":"v1.1.0"},{"version":"v1.0.0"}]}"#;
        let lines = lines(Kind::Module, r#"{"versions":[]}"#, new);
        let remarks = [Remark::from(&Finding::warning("twin", "another has its place").on("v1.0.0"))];
        let sources = SummarySources {
            kind: Kind::Module,
            verdict: None,
            remarks: &remarks,
            signer: Some(&|_| None),
            now: Timestamp::UNIX_EPOCH,
        };
        let all = summaries(&lines, &sources);
        let [only] = &all[..] else { panic!("{all:?}") };
        assert!(only.facts.is_empty() && lines.blocks[only.block as usize].path.ends_with("v1.0.0"));
        assert_eq!(only.warnings, [(Tone::Warning, "another has its place".to_owned())]);
    }
}
