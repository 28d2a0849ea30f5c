//! Each step with everything that it can come to.

mod archive;
mod listing;
mod refusal;
mod signed;

use super::*;
use crate::registry::{Address, ProviderEntry, ProviderVersion, Target};
use crate::rules::signature::{Answer, Check, Client};
use crate::rules::verify::{Computed, Listed, Row, SignatureSays, Stored, Times, Zip};

const FILE: &str = "terraform-provider-rocket_1.0.0_linux_amd64.zip";

fn sum(letter: &str) -> String {
    letter.repeat(64)
}

fn no_keys() -> Check {
    let answer = Answer::NoKeys { signed_by: Vec::new() };
    Check { answer, client: Client::Skips, older: None, trials: Vec::new() }
}

/// Everything that is seen of one version, to be changed by a case.
struct Case {
    entry: ProviderEntry,
    sums: Fetched<String>,
    signature_file: Fetched<()>,
    signature: Result<Check, String>,
    rows: Vec<Row>,
    asked: Vec<String>,
    policy: Policy,
}

impl Case {
    /// A version without a fault.
    fn fine() -> Self {
        let target = Target {
            os: "linux".into(),
            arch: "amd64".into(),
            filename: FILE.into(),
            download_url: format!("https://github.com/x/{FILE}"),
            shasum: sum("a"),
            h1: Some("h1:one".into()),
            size: Some(10),
        };
        let version = ProviderVersion {
            version: "1.0.0".into(),
            protocols: vec!["5.0".into()],
            shasums_url: "https://github.com/x/SHA256SUMS".into(),
            targets: vec![target],
            ..ProviderVersion::default()
        };
        let computed = Computed {
            sha256: sum("a"),
            size_bytes: 10,
            h1: Some("h1:one".into()),
            has_binary: Some(true),
            ..Computed::default()
        };
        let row = Row {
            tag: None,
            address: Address::provider("acme", "rocket"),
            version: "1.0.0".into(),
            target: "linux_amd64".into(),
            filename: FILE.into(),
            url: format!("https://github.com/x/{FILE}"),
            stored: Stored::default(),
            listed: Listed::NotAsked,
            asset: None,
            asset_unread: None,
            not_indexed: Vec::new(),
            refused: Vec::new(),
            zip: Zip::Hashed(computed),
            signature: SignatureSays::NotAsked,
            times: Times::default(),
        };
        Self {
            entry: ProviderEntry { versions: vec![version], ..ProviderEntry::default() },
            sums: Fetched::Got(format!("{}  {FILE}\n", sum("a"))),
            signature_file: Fetched::Got(()),
            signature: Ok(no_keys()),
            rows: vec![row],
            asked: Vec::new(),
            policy: Policy::default(),
        }
    }

    fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut case = Self::fine();
        change(&mut case);
        case
    }

    fn target(&mut self) -> &mut Target {
        &mut self.entry.versions[0].targets[0]
    }

    fn computed(&mut self) -> &mut Computed {
        match &mut self.rows[0].zip {
            Zip::Hashed(computed) => computed,
            _ => unreachable!("no case changes both"),
        }
    }

    fn chain(&self) -> Chain {
        Chain::of(&Seen {
            address: &Address::provider("acme", "rocket"),
            entry: &self.entry,
            version: &self.entry.versions[0],
            sums: &self.sums,
            signature_file: &self.signature_file,
            signature: &self.signature,
            rows: &self.rows,
            asked: &self.asked,
            policy: self.policy,
        })
    }

    /// The steps that do not pass on linux_amd64, in order, as `ruling step: text`.
    fn told(&self) -> Vec<String> {
        let chain = self.chain();
        let steps = chain.by_step().into_iter().filter(|(_, step)| step.ruling != Ruling::Pass);
        steps.map(|(_, step)| format!("{} {}: {}", step.ruling.name(), step.name.name(), step.text)).collect()
    }
}

/// What a case is called, its change, and how each step that does not pass begins.
type Told<'a> = (&'a str, Case, &'a [&'a str]);

#[track_caller]
fn check(cases: &[Told<'_>]) {
    for (name, case, wanted) in cases {
        let told = case.told();
        assert_eq!(told.len(), wanted.len(), "{name}: {told:?}");
        for (told, wanted) in told.iter().zip(*wanted) {
            assert!(told.starts_with(wanted), "{name}: `{told}` does not begin with `{wanted}`");
        }
    }
}

#[test]
fn a_version_without_a_fault_installs() {
    let chain = Case::fine().chain();
    assert_eq!(chain.ends("linux_amd64"), Some(Ends::Installs));
    assert_eq!(chain.ends("linux_arm"), None);
    let names: Vec<&str> = chain.by_step().iter().map(|(_, step)| step.name.name()).collect();
    let order = [
        "listing",
        "protocol",
        "platform",
        "checksums",
        "signature-file",
        "archive",
        "package",
        "checksum-list",
        "archive-sum",
        "signature",
        "unpacking",
        "binary",
        "lock-file",
    ];
    assert_eq!(names, order);
}

/// The first step that fails is where it stops; what is unknown before it changes nothing about that.
#[test]
fn how_it_ends() {
    let mut case = Case::with(|case| {
        case.signature_file = Fetched::Unread("429".into());
        case.target().size = Some(0);
        case.computed().sha256 = sum("b");
    });
    let name = |case: &Case| match case.chain().ends("linux_amd64") {
        Some(Ends::Fails(step)) => format!("fails {}", step.name.name()),
        Some(Ends::NotKnown(step)) => format!("open {}", step.name.name()),
        Some(Ends::Warns(step)) => format!("warns {}", step.name.name()),
        Some(Ends::Installs) => "installs".to_owned(),
        None => "nothing".to_owned(),
    };
    assert_eq!(name(&case), "fails package");
    case.target().size = Some(10);
    assert_eq!(name(&case), "fails archive-sum");
    case.computed().sha256 = sum("a");
    assert_eq!(name(&case), "open signature-file");
    // A size that nobody has stored does not hide what else was not read.
    case.signature_file = Fetched::Got(());
    case.target().size = None;
    assert_eq!(name(&case), "open package");
    case.computed().h1 = None;
    assert_eq!(name(&case), "open unpacking");
    case.computed().h1 = Some("h1:one".into());
    case.target().size = Some(10);
    case.signature_file = Fetched::Got(());
    case.target().h1 = None;
    assert_eq!(name(&case), "warns lock-file");
    case.target().h1 = Some("h1:one".into());
    assert_eq!(name(&case), "installs");
}

/// `fail package (a b): gist`, with a star where the texts are not the same.
fn gathered(case: &Case, all: bool) -> Vec<String> {
    let chain = case.chain();
    let one = |told: &Gathered<'_>| {
        let star = if told.differs { "*" } else { "" };
        let (step, targets) = (told.step, told.targets.join(" "));
        format!("{} {} ({targets}): {}{star}", step.ruling.name(), step.name.name(), step.gist())
    };
    chain.gathered(all).iter().map(one).collect()
}

#[test]
fn people_are_told_what_stops_the_client_and_nothing_behind_it() {
    let mut case = Case::fine();
    // A second target, whose archive is another one too.
    let (mut target, mut row) = (case.target().clone(), case.rows[0].clone());
    target.arch = "arm64".into();
    target.shasum = sum("c");
    row.target = "linux_arm64".into();
    case.entry.versions[0].targets.push(target);
    case.rows.push(row);
    case.computed().sha256 = sum("b");
    case.signature = Err("429".into());
    let other = "archive has incorrect checksum";
    assert_eq!(
        gathered(&case, false),
        [
            "fail checksum-list (linux_arm64): checksum list has unexpected SHA-256 hash".to_owned(),
            format!("fail archive-sum (linux_amd64): {other}"),
        ],
        "each stops where it stops"
    );
    case.sums = Fetched::Got(format!("{}  {FILE}\n", sum("d")));
    assert_eq!(
        gathered(&case, false),
        ["fail checksum-list (linux_amd64 linux_arm64): checksum list has unexpected SHA-256 hash*"]
    );
    let all = gathered(&case, true);
    assert_eq!(all.len(), 13, "{all:?}");
    assert!(all.contains(&format!("fail archive-sum (linux_amd64 linux_arm64): {other}*")), "{all:?}");
    assert!(all.contains(&"not-known signature (): 429".to_owned()), "{all:?}");
    // What one target gets to is told.
    case.entry.versions[0].targets.truncate(1);
    case.computed().sha256 = sum("a");
    case.sums = Fetched::Got(format!("{}  {FILE}\n", sum("a")));
    assert_eq!(gathered(&case, false), ["not-known signature (): 429"]);
}
