//! The list of versions, protocols and platforms.

use crate::registry::ProviderVersion;
use crate::rules::client::Ends;
use crate::rules::client::Fetched;
use crate::rules::client::tests::Case;
use crate::rules::client::tests::FILE;
use crate::rules::client::tests::check;
use crate::rules::client::tests::sum;

fn version(text: &str, protocols: &[&str]) -> ProviderVersion {
    ProviderVersion {
        version: text.into(),
        protocols: protocols.iter().map(ToString::to_string).collect(),
        ..ProviderVersion::default()
    }
}

#[test]
fn listing_protocol_and_platform() {
    let beside = |text: &'static str| Case::with(|case| case.entry.versions.push(version(text, &["6.0"])));
    let called = |text: &'static str, more: &'static [&'static str]| {
        Case::with(|case| {
            case.entry.versions[0].version = text.into();
            case.rows[0].version = text.into();
            case.entry.versions.extend(more.iter().map(|text| version(text, &[])));
        })
    };
    let speaks = |protocols: &[&str]| {
        let protocols = version("", protocols).protocols;
        Case::with(|case| case.entry.versions[0].protocols = protocols)
    };
    check(&[
        ("prereleases and builds are read", beside("2.0.0-RC1+b.2"), &[]),
        ("so are large numbers", beside("20230402163018.0.0"), &[]),
        ("and shorthands", beside("0.9"), &[]),
        (
            "four parts",
            beside("1.2.3.4"),
            &["fail listing: clients cannot read the version `1.2.3.4`, and one such"],
        ),
        ("a `v`", beside("v2.0.0"), &["fail listing: "]),
        ("too large", beside("99999999999999999999.0.0"), &["fail listing: "]),
        ("nothing", beside(""), &["fail listing: "]),
        (
            "a shorthand",
            called("1.0", &[]),
            &["fail platform: platform not supported: clients take `1.0` for 1.0.0"],
        ),
        ("a shorthand with its twin", called("1.0", &["1.0.0"]), &[]),
        ("protocol 6", speaks(&["6.1"]), &[]),
        ("one of two", speaks(&["4.0", "5.0"]), &[]),
        ("three parts", speaks(&["5.0.0"]), &[]),
        (
            "too old",
            speaks(&["4.0"]),
            &["fail protocol: protocols 4.0: clients speak only 5 and 6; no version"],
        ),
        ("too new", speaks(&["7.0"]), &["fail protocol: "]),
        ("none", speaks(&[]), &["fail protocol: protocols none: "]),
        ("no number", speaks(&["six"]), &["fail protocol: "]),
    ]);
    let mut old = speaks(&["4.0"]);
    old.entry.versions.extend([
        version("1.2.0", &["5.0"]),
        version("1.10.0", &["6.0"]),
        version("2.0.0", &["7.0"]),
    ]);
    assert!(old.told()[0].ends_with("; they are pointed to 1.10.0"), "{:?}", old.told());
    let many = Case::with(|case| {
        case.entry.versions.extend(["a", "b", "c", "d"].map(|text| version(text, &[])));
    });
    assert!(
        many.told()[0].contains("`a`, `b`, `c` and 1 more, and one such version fails every"),
        "{:?}",
        many.told()
    );
}

#[test]
fn platforms_that_the_version_has_not() {
    let other = "terraform-provider-rocket_1.0.0_darwin_arm64.zip";
    let case = Case::with(|case| {
        case.sums = Fetched::Got(format!(
            "{}  {FILE}\n{}  {other}\n{}  x_linux_s390x.zip\n",
            sum("a"),
            sum("b"),
            sum("c")
        ));
        case.asked = vec!["linux_amd64".into(), "plan9_mips".into(), "darwin_arm64".into()];
    });
    let chain = case.chain();
    let absent: Vec<(&str, bool)> =
        chain.targets.iter().map(|target| (target.target.as_str(), target.is_stored)).collect();
    assert_eq!(absent, [("linux_amd64", true), ("darwin_arm64", false), ("plan9_mips", false)]);
    assert_eq!(
        case.told(),
        [
            "fail platform: platform not supported: the version has no target darwin_arm64, although SHA256SUMS names its archive",
            "fail platform: platform not supported: the version has no target plan9_mips",
        ]
    );
    assert_eq!(chain.ends("linux_amd64"), Some(Ends::Installs));
    assert!(matches!(chain.ends("plan9_mips"), Some(Ends::Fails(_))));
}
