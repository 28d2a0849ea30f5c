//! Which rows which terms let through.

use crate::registry::{Address, Catalog, Kind, Shape};
use crate::rules::filter::Asked;
use crate::rules::{Because, Finding, Source, Status, VersionState};

use super::*;

fn row(address: &str, shape: Shape) -> Row {
    Row::new(Address::parse(address).unwrap(), shape)
}

fn verdict(status: Status, missing: u32, since_s: i64, why: &str) -> Verdict {
    let since = Some(Timestamp::from_second(since_s).unwrap());
    let because = Because { text: why.into(), source: Source::Tags, at: None };
    let missing = Some(missing).filter(|_| !status.is_unknown());
    Verdict { missing, since, checked_at: since, ..Verdict::new(status, because) }
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
    let mut current = verdict(Status::Current, 0, 90_000, "all is well");
    current.versions.push(VersionState {
        version: "2.0.0".into(),
        tag: None,
        mark: VersionMark::Blocked,
        reason: String::new(),
        published: None,
        published_by: None,
        targets: None,
        attempts: 0,
        next_try: None,
    });
    let verdicts = vec![verdict(Status::Behind, 3, 0, "v3 is Tagged upstream"), current, unasked, stranded];
    (catalog, verdicts)
}

/// The rows of which none is marked or new.
fn field<'a>(catalog: &'a Catalog, verdicts: &'a [Verdict], haystack: &'a Haystack) -> Field<'a> {
    let now = Timestamp::from_second(100_000).unwrap();
    Field { rows: &catalog.rows, verdicts, haystack, marked: &[], new: &[], now }
}

fn chosen(text: &str) -> String {
    let (catalog, verdicts) = world();
    let haystack = Haystack::new(&catalog);
    let field = Field {
        marked: &[false, true, false, true],
        new: &[false, false, false, true],
        ..field(&catalog, &verdicts, &haystack)
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
        ("level:look", "3"),
        ("level:wait", "02"),
        ("level:act", ""),
        ("level:look,fine", "13"),
        ("!level:wait|look", "1"),
        ("kind:m", "3"),
        ("kind:provider", "012"),
        ("kind:modules", "3"),
        ("ns:hashicorp", "01"),
        ("ns:terra*", "3"),
        ("ns:terra", ""),
        ("behind:>1", "0"),
        ("behind:1", "3"),
        ("behind:<=1", "13"),
        ("behind:0", "1"),
        ("!behind:>0", "12"),
        ("age:>1d", "0"),
        ("age:<1d", "13"),
        ("has:h1", "0"),
        ("has:errors", "1"),
        ("!has:errors hashicorp/", "0"),
        ("has:blocked", "1"),
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
        ("vpc|null", "13"),
        ("!vpc|null", "02"),
        ("status:behind|stranded|ok aws|null", "013"),
        ("ns:newco|hashicorp !aws", "12"),
        ("=hashicorp/aws|=newco/new", "02"),
        ("=hashicorp/a", ""),
    ] {
        assert_eq!(chosen(text), wanted, "{text}");
    }
}

/// A term that lets nothing through, what it asked, and what finds so many in its place.
type Dead = (String, Asked, Vec<(String, usize)>);

/// What is told of a filter that lets nothing through.
fn dead(text: &str) -> Vec<Dead> {
    let (catalog, verdicts) = world();
    let haystack = Haystack::new(&catalog);
    let terms = Filter::parse(text).unwrap().dead_terms(&field(&catalog, &verdicts, &haystack));
    terms.into_iter().map(|term| (term.said, term.asked, term.instead)).collect()
}

#[test]
fn terms_that_nothing_passes_are_named_with_what_was_perhaps_meant() {
    let told = |said: &str, asked, instead: &[(&str, usize)]| {
        let instead = instead.iter().map(|(term, count)| ((*term).to_owned(), *count)).collect();
        (said.to_owned(), asked, instead)
    };
    for (text, wanted) in [
        (
            "aws ns:terra is:marked",
            vec![told("ns:terra", Asked::Other, &[("ns:terra*", 1)]), told("is:marked", Asked::Other, &[])],
        ),
        ("behind", vec![told("behind", Asked::Address, &[("status:behind", 1)])]),
        ("stran", vec![told("stran", Asked::Address, &[("status:stranded", 1)])]),
        ("drift", vec![told("drift", Asked::Address, &[("status:drift", 0)])]),
        ("blocked", vec![told("blocked", Asked::Address, &[("has:blocked", 1)])]),
        ("marked", vec![told("marked", Asked::Address, &[("is:marked", 0)])]),
        ("providers", vec![told("providers", Asked::Address, &[("kind:provider", 3)])]),
        ("hcnl", vec![told("hcnl", Asked::Address, &[("~hcnl", 1)])]),
        ("zzz|yyy", vec![told("zzz|yyy", Asked::Address, &[])]),
        ("!corp|e", vec![told("!corp|e", Asked::Other, &[])]),
        ("~zz why:zz", vec![told("~zz", Asked::Letters, &[]), told("why:zz", Asked::Reason, &[])]),
    ] {
        assert_eq!(dead(text), wanted, "{text}");
    }
}

/// Only where lint has looked at nothing at all: then nothing found means nothing.
#[test]
fn what_lint_never_looked_at_is_told_apart() {
    let (mut catalog, verdicts) = world();
    let unlinted = |catalog: &Catalog, text: &str| {
        let haystack = Haystack::new(catalog);
        let terms = Filter::parse(text).unwrap().dead_terms(&field(catalog, &verdicts, &haystack));
        terms.iter().map(|term| term.is_unlinted).collect::<Vec<_>>()
    };
    catalog.rows.iter_mut().for_each(|row| row.lint = None);
    for (text, wanted) in [("has:lint", true), ("lint", true), ("is:marked", false), ("zzz", false)] {
        assert_eq!(unlinted(&catalog, text), [wanted], "{text}");
    }
    catalog.rows[0].lint = Some(0);
    assert_eq!(unlinted(&catalog, "has:lint"), [false]);
}

#[test]
fn an_address_that_is_written_out_stands_first_then_those_that_begin_so() {
    let address = |text: &str| row(text, Shape::default());
    let rows = ["a/hashicorp/aws", "hashicorp/aws", "hashicorp/awscc", "x-hashicorp/aws"].map(address);
    let catalog = Catalog::new(rows.into(), Vec::new());
    let verdicts: Vec<Verdict> = catalog.rows.iter().map(|_| verdict(Status::Current, 0, 0, "")).collect();
    let haystack = Haystack::new(&catalog);
    let field = field(&catalog, &verdicts, &haystack);
    let in_order = |text: &str, ranks: &[u32]| {
        let mut rows: Vec<u32> = (0..4).rev().collect();
        let named = Filter::parse(text).unwrap().name_first(&field, &mut rows, ranks);
        let name = |at: u32| catalog.rows[at as usize].address.to_string();
        (rows.into_iter().map(name).collect::<Vec<_>>().join(" "), named.map(name))
    };
    let named = Some("hashicorp/aws".to_owned());
    let wanted = "hashicorp/aws hashicorp/awscc a/hashicorp/aws x-hashicorp/aws";
    assert_eq!(in_order("HashiCorp/aws", &[]), (wanted.into(), named.clone()));
    let by_kind: Vec<u32> = catalog.rows.iter().map(|row| u32::from(row.kind() == Kind::Module)).collect();
    let wanted = "hashicorp/aws hashicorp/awscc x-hashicorp/aws a/hashicorp/aws";
    assert_eq!(in_order("hashicorp/aws kind:provider", &by_kind), (wanted.into(), named));
    let as_it_was = "a/hashicorp/aws x-hashicorp/aws hashicorp/awscc hashicorp/aws";
    for text in ["aws", "!hashicorp/aws", "ns:hashicorp"] {
        assert_eq!(in_order(text, &[]), (as_it_was.into(), None), "{text}");
    }
}
