//! Which rows which terms let through.

use crate::registry::{Address, Catalog, Shape};
use crate::rules::{Because, Depth, Finding, Source, Status};

use super::*;

fn row(address: &str, shape: Shape) -> Row {
    Row { address: Address::parse(address).unwrap(), blob: "".into(), dirty: false, lint: None, shape }
}

fn verdict(status: Status, missing: u32, since_s: i64, why: &str) -> Verdict {
    Verdict {
        status,
        because: Because { text: why.into(), source: Source::Tags, at: None },
        depth: Depth::Versions,
        versions: Vec::new(),
        findings: Vec::new(),
        highest_indexed: None,
        highest_upstream: None,
        missing,
        since: Some(Timestamp::from_second(since_s).unwrap()),
        checked_at: Some(Timestamp::from_second(since_s).unwrap()),
    }
}

/// hashicorp/aws, hashicorp/null, newco/new, then the module terraform-aws-modules/vpc/aws.
fn world() -> (Catalog, Vec<Verdict>) {
    let mut catalog = Catalog::new(
        vec![
            row("hashicorp/aws", Shape { target_count: 3, ..Shape::default() }),
            row("hashicorp/null", Shape { error_count: 1, ..Shape::default() }),
            row("newco/new", Shape::default()),
            row("terraform-aws-modules/vpc/aws", Shape::default()),
        ],
        Vec::new(),
    );
    // The others were never looked at.
    (catalog.rows[1].lint, catalog.rows[2].lint) = (Some(2), Some(0));
    let mut stranded = verdict(Status::Stranded, 1, 90_000, "the release has no SHA256SUMS");
    stranded.findings.push(Finding::note("x", "two tags of one version"));
    let unasked = Verdict { since: None, checked_at: None, ..verdict(Status::Unknown, 0, 0, "not checked") };
    let verdicts = vec![
        verdict(Status::Behind, 3, 0, "v3 is Tagged upstream"),
        verdict(Status::Current, 0, 90_000, "all is well"),
        unasked,
        stranded,
    ];
    (catalog, verdicts)
}

fn chosen(text: &str) -> String {
    let (catalog, verdicts) = world();
    let field = Field {
        rows: &catalog.rows,
        verdicts: &verdicts,
        haystack: &Haystack::new(&catalog),
        marked: &[false, true, false, true],
        new: &[false, false, false, true],
        now: Timestamp::from_second(100_000).unwrap(),
    };
    let filter = Filter::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let kept = filter.select(&field);
    (0..kept.len()).filter(|at| kept[*at]).map(|at| at.to_string()).collect()
}

#[test]
fn terms_choose_rows() {
    for (text, wanted) in [
        ("", "0123"),
        ("aws", "03"),
        ("AWS !vpc", "0"),
        ("nothing", ""),
        ("\"corp/n\"", "1"),
        ("~hcnl", "1"),
        ("!~hc", "23"),
        ("status:behind,STRANDED", "03"),
        ("status:beh,stran", "03"),
        ("!status:ok", "023"),
        ("kind:m", "3"),
        ("kind:provider", "012"),
        ("kind:modules", "3"),
        ("ns:hashicorp", "01"),
        ("ns:terra*", "3"),
        ("ns:terra", ""),
        ("behind:>1", "0"),
        ("behind:1", "3"),
        ("behind:<=1", "123"),
        ("age:>1d", "0"),
        ("age:<1d", "13"),
        ("has:h1", "0"),
        ("has:errors", "1"),
        ("!has:errors hashicorp/", "0"),
        ("has:findings", "3"),
        ("has:lint", "1"),
        ("is:attention", "3"),
        ("is:unchecked", "2"),
        ("is:marked", "13"),
        ("is:marked !is:new", "1"),
        ("why:tagged", "0"),
        ("why:\"no sha256sums\"", "3"),
        ("\"two tags\"", "3"),
        ("!\"two tags\" aws", "0"),
    ] {
        assert_eq!(chosen(text), wanted, "{text}");
    }
}

#[test]
fn terms_that_nothing_passes_are_named() {
    let (catalog, verdicts) = world();
    let field = Field {
        rows: &catalog.rows,
        verdicts: &verdicts,
        haystack: &Haystack::new(&catalog),
        marked: &[],
        new: &[],
        now: Timestamp::from_second(100_000).unwrap(),
    };
    let filter = Filter::parse("aws ns:terra is:marked").unwrap();
    assert_eq!(filter.dead_terms(&field), ["ns:terra", "is:marked"]);
}
