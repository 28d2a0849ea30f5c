//! What the parsed file tells: protocols, targets, sums, and bytes that the registry's writer would change.

use crate::registry::{Address, Document, Entry, Kind, ProviderEntry, ProviderVersion, Target};
use crate::rules::client::{Fault, refusal};
use crate::rules::finding::Finding;
use crate::rules::{Severity, anatomy, go_form, warning};

/// What the registry's own check accepts (`registry.md#the-registrys-own-checks`).
const PROTOCOLS: [&str; 5] = ["1.0", "1.0.0", "4.0", "5.0", "6.0"];

pub(super) fn check(kind: Kind, document: &Document, entry: &Entry) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(entry) = entry.as_provider() {
        for version in &entry.versions {
            let found = with_refusals(entry, version, of_version(version));
            findings.extend(found.into_iter().map(|finding| finding.on(version.version.as_str())));
        }
    }
    if document.layout().crlf {
        findings.push(Finding::warning("crlf", "lines end in CR LF; the registry writes only LF"));
    }
    findings.extend(bytes(kind, document));
    findings
}

/// Finds warnings that clients cannot show in one line, and warnings that send users to an address that does not help
/// them.
pub(super) fn check_warnings(
    address: &Address,
    entry: &Entry,
    is_served: &dyn Fn(&Address) -> bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for text in entry.as_provider().into_iter().flat_map(|entry| &entry.warnings) {
        let form = warning::check_form(text).err();
        let named = warning::named(text, address, is_served);
        let problems = form.into_iter().chain(
            named.iter().filter_map(|named| Some(format!("a warning is of no help: {}", named.problem()?))),
        );
        findings.extend(problems.map(|problem| Finding::warning(warning::RULE, problem)));
    }
    findings
}

/// Adds the refusals of clients. A refusal replaces a warning about the same field.
fn with_refusals(
    entry: &ProviderEntry,
    version: &ProviderVersion,
    mut findings: Vec<Finding>,
) -> Vec<Finding> {
    for refusal in refusal::of_version(entry, version) {
        let rule = match refusal.fault {
            Fault::Protocols => "odd-protocol",
            Fault::NoTargets => "no-targets",
            Fault::SumsUrl if version.shasums_url.is_empty() => "no-shasums-url",
            Fault::SumsUrl | Fault::SignatureUrl | Fault::ArchiveUrl => "odd-url",
            Fault::Filename => "odd-filename",
            Fault::Checksum => "bad-shasum",
            Fault::Platform => "odd-platform",
            Fault::Hash => "bad-h1",
            Fault::Size | Fault::Oversize => "bad-size",
            // The rule for the list of versions reports the first two. A file contains neither a document nor a key.
            Fault::Version | Fault::Spelling | Fault::OtherPlatform | Fault::Packages | Fault::Key => {
                continue;
            }
        };
        findings.retain(|finding| finding.rule != rule || finding.severity == Severity::Error);
        if !findings.iter().any(|finding| finding.rule == rule && !matches!(rule, "odd-url")) {
            findings.push(Finding::error(rule, refusal.text()));
        }
    }
    findings
}

fn of_version(version: &ProviderVersion) -> Vec<Finding> {
    let mut findings = Vec::new();
    if version.protocols.is_empty() {
        findings.push(Finding::warning("odd-protocol", "it lists no protocol"));
    }
    for protocol in version.protocols.iter().filter(|protocol| !PROTOCOLS.contains(&protocol.as_str())) {
        let text = format!("protocol `{protocol}` is not one of {}", PROTOCOLS.join(", "));
        findings.push(Finding::warning("odd-protocol", text));
    }
    if version.targets.is_empty() {
        findings.push(Finding::error("no-targets", "it has no targets: nobody can install it"));
    }
    // Clients resolve an empty URL to the registry's own answer, and look for checksums and signature in that.
    if version.shasums_url.is_empty() {
        findings.push(Finding::error("no-shasums-url", "it has no shasums_url: nobody can install it"));
    }
    if version.shasums_signature_url.is_empty() {
        let text = "it has no shasums_signature_url: nobody can install it where a key is on file";
        findings.push(Finding::warning("no-signature-url", text));
    }
    findings.extend(of_targets(version, "odd-platform", is_odd_platform, |target| {
        format!("{} is outside the registry's platforms", target.platform())
    }));
    findings.extend(of_targets(version, "odd-url", is_odd_url, |target| {
        format!("the download URL of {} does not end with its file name", target.platform())
    }));
    let bad = of_targets(
        version,
        "bad-shasum",
        |target| !anatomy::is_sum(&target.shasum),
        |target| format!("the shasum of {} is not 64 lower-case hex digits", target.platform()),
    );
    // Nothing can be installed by a sum that is none; the others are oddities.
    findings.extend(bad.map(|finding| Finding { severity: Severity::Error, ..finding }));
    findings.extend(of_targets(version, "bad-h1", is_odd_h1, |target| {
        format!("the stored h1 of {} does not begin with `h1:`", target.platform())
    }));
    findings
}

/// One finding for all targets of a version that break a rule: the first named, the others counted.
fn of_targets(
    version: &ProviderVersion,
    rule: &'static str,
    breaks: impl Fn(&Target) -> bool,
    text: impl Fn(&Target) -> String,
) -> Option<Finding> {
    let mut broken = version.targets.iter().filter(|target| breaks(target));
    let text = text(broken.next()?);
    let more = match broken.count() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    Some(Finding::warning(rule, format!("{text}{more}")))
}

fn is_odd_platform(target: &Target) -> bool {
    !anatomy::SYSTEMS.contains(&target.os.as_str()) || !anatomy::ARCHITECTURES.contains(&target.arch.as_str())
}

/// An h1 with another scheme is not written into lock files.
fn is_odd_h1(target: &Target) -> bool {
    target.h1.as_deref().is_some_and(|h1| !h1.is_empty() && !h1.starts_with("h1:"))
}

fn is_odd_url(target: &Target) -> bool {
    target.filename.is_empty() || !target.download_url.ends_with(&target.filename)
}

/// Whether the registry's writer would change the file by itself. Format fields that newer writers put in do not count:
/// almost every file still lacks them, and NOHASH tells that.
fn bytes(kind: Kind, document: &Document) -> Option<Finding> {
    let layout = document.layout();
    let departures = go_form::departures(kind, document.root());
    let mut parts = Vec::new();
    if departures.key_orders > 0 {
        parts.push(format!("key order of {} objects", departures.key_orders));
    }
    if departures.fields > 0 {
        parts.push(format!("{} fields missing, empty or doubled", departures.fields));
    }
    if layout.final_newlines > 0 {
        parts.push("final newline".to_owned());
    }
    if layout.crlf {
        parts.push("line ends".to_owned());
    }
    if layout.other {
        parts.push("spacing or escapes".to_owned());
    }
    if parts.is_empty() {
        return None;
    }
    let text = format!("the next rewrite changes the file by itself: {}", parts.join(", "));
    Some(Finding::note("bytes", text))
}
