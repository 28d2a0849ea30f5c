//! The list of versions, protocols and platforms.

use crate::registry::ProviderVersion;
use crate::rules::client::tests::{Case, FILE, check, sum};
use crate::rules::client::{Ends, Fetched};

fn version(text: &str, protocols: &[&str]) -> ProviderVersion {
    ProviderVersion {
        version: text.into(),
        protocols: protocols.iter().map(ToString::to_string).collect(),
        ..ProviderVersion::default()
    }
}

#[test]
fn listing_and_platform() {
    let beside = |text: &'static str| Case::with(|case| case.entry.versions.push(version(text, &["6.0"])));
    let called = |text: &'static str, more: &'static [&'static str]| {
        Case::with(|case| {
            case.entry.versions[0].version = text.into();
            case.rows[0].version = text.into();
            case.entry.versions.extend(more.iter().map(|text| version(text, &[])));
        })
    };
    check(&[
        ("prereleases and builds are read", beside("2.0.0-RC1+b.2"), &[]),
        ("so are large numbers", beside("20230402163018.0.0"), &[]),
        ("and shorthands", beside("0.9"), &[]),
        (
            "four parts",
            beside("1.2.3.4"),
            &["fail listing: no client can read this provider's list: version `1.2.3.4` has 4 numbers"],
        ),
        ("a `v`", beside("v2.0.0"), &["fail listing: "]),
        ("too large", beside("99999999999999999999.0.0"), &["fail listing: "]),
        ("nothing", beside(""), &["fail listing: "]),
        (
            "a shorthand",
            called("1.0", &[]),
            &["fail platform: platform not supported: clients take `1.0` for 1.0.0"],
        ),
        (
            "a shorthand with its twin",
            called("1.0", &["1.0.0"]),
            &["fail platform: clients take `1.0` for 1.0.0, which the registry lists too"],
        ),
        ("its twin", called("1.0.0", &["1.0"]), &[]),
    ]);
    let twice = Case::with(|case| {
        let target = case.target().clone();
        case.entry.versions[0].targets.push(target);
    });
    check(&[("a target twice", twice, &["not-known platform: the version has this target more than once"])]);
    let many = Case::with(|case| {
        case.entry.versions.extend(["a", "b", "c", "d"].map(|text| version(text, &[])));
    });
    let named = "version `a` is not a version; clients cannot read `b`, `c` and 1 more either";
    assert!(many.told()[0].contains(named), "{:?}", many.told());
}

fn speaks(protocols: &[&str]) -> Case {
    let protocols = version("", protocols).protocols;
    Case::with(|case| case.entry.versions[0].protocols = protocols)
}

#[test]
fn protocols() {
    check(&[
        ("protocol 6", speaks(&["6.1"]), &[]),
        ("one of two", speaks(&["4.0", "5.0"]), &[]),
        ("three parts", speaks(&["5.0.0"]), &[]),
        (
            "too old",
            speaks(&["4.0"]),
            &["fail protocol: protocols 4.0: clients speak only 5 and 6; no version"],
        ),
        ("too new", speaks(&["7.0"]), &["fail protocol: "]),
        ("none", speaks(&[]), &[]),
        ("a number alone", speaks(&["5"]), &[]),
        (
            "no number",
            speaks(&["six"]),
            &["fail protocol: protocols six: registry response includes invalid"],
        ),
        ("one that is none", speaks(&["5.0", "v6"]), &["fail protocol: protocols 5.0, v6: "]),
        ("nothing for one", speaks(&["", "5.0"]), &["fail protocol: "]),
        ("four parts for one", speaks(&["5.0", "6.0.0.0"]), &["fail protocol: "]),
    ]);
    let mut old = speaks(&["4.0"]);
    old.entry.versions.extend([
        version("1.2.0", &["5.0"]),
        version("1.10.0", &["6.0"]),
        version("2.0.0", &["7.0"]),
    ]);
    assert!(old.told()[0].ends_with("; they are pointed to 1.10.0"), "{:?}", old.told());
}

#[test]
fn platforms_that_the_version_has_not() {
    let other = "terraform-provider-rocket_1.0.0_darwin_arm64.zip";
    let text = format!("{}  {FILE}\n{}  {other}\n{}  x_linux_s390x.zip\n", sum("a"), sum("b"), sum("c"));
    let mut case = Case::with(|case| case.sums = Fetched::Got(text));
    let targets = |case: &Case| -> Vec<(String, bool)> {
        case.chain().targets.into_iter().map(|target| (target.target, target.is_stored)).collect()
    };
    let pair = |target: &str, is_stored: bool| (target.to_owned(), is_stored);
    assert_eq!(targets(&case), [pair("linux_amd64", true), pair("darwin_arm64", false)]);
    let although =
        "platform not supported: the version has no such target, although SHA256SUMS names its archive";
    assert_eq!(case.told(), [format!("fail platform: {although}")]);
    assert_eq!(case.chain().ends("linux_amd64"), Some(Ends::Installs));

    case.asked = vec!["plan9_mips".into(), "darwin_arm64".into()];
    assert_eq!(targets(&case), [pair("plan9_mips", false), pair("darwin_arm64", false)]);
    assert_eq!(
        case.told(),
        [
            "fail platform: platform not supported: the version has no such target".to_owned(),
            format!("fail platform: {although}"),
        ]
    );
    assert!(matches!(case.chain().ends("plan9_mips"), Some(Ends::Fails(_))));
    assert_eq!(case.chain().ends("linux_amd64"), None);
}
