use crate::registry::{Address, Document, Entry};
use crate::rules::lint::{RULES, lint_entry, names};

/// `rule@version` of each finding, in order.
fn told(address: &str, bytes: &str) -> Vec<String> {
    let address = Address::parse(address).unwrap();
    let (document, entry) = Entry::read(address.kind(), bytes.as_bytes()).unwrap();
    let is_served = |address: &Address| address.name() == "anvil";
    let findings = lint_entry(&address, &document, &entry, &is_served);
    findings
        .into_iter()
        .map(|finding| {
            assert!(RULES.contains(&&*finding.rule), "{}", finding.rule);
            finding
                .version
                .map_or_else(|| finding.rule.to_string(), |version| format!("{}@{version}", finding.rule))
        })
        .collect()
}

/// As Go lays it out.
fn print(text: &str) -> String {
    String::from_utf8(Document::parse(text.as_bytes()).unwrap().root().print_like_go()).unwrap()
}

fn provider(change: impl Fn(String) -> String) -> String {
    let sum = "ab".repeat(32);
    let text = format!(
        r#"{{"versions":[{{"version":"1.0.0","protocols":["5.0"],"shasums_url":"https://x/u","shasums_signature_url":"https://x/s","targets":[
        {{"os":"linux","arch":"amd64","filename":"f.zip","download_url":"https://x/f.zip","shasum":"{sum}"}}]}}]}}"#
    );
    print(&change(text))
}

#[test]
fn files_of_providers() {
    let replaced = |from: &'static str, to: &'static str| provider(|text| text.replacen(from, to, 1));
    let upper = provider(|text| text.replace("abab", "ABAB"));
    let cases: Vec<(String, &[&str])> = vec![
        (provider(|text| text), &[]),
        (replaced("\"5.0\"", ""), &["odd-protocol@1.0.0"]),
        (replaced("\"5.0\"", "\"5.1\",\"6.0\""), &["odd-protocol@1.0.0"]),
        (replaced("\"linux\"", "\"plan9\""), &["odd-platform@1.0.0"]),
        (replaced("x/f.zip", "x/g.zip"), &["odd-url@1.0.0"]),
        (replaced("https://x/f.zip", "ftp://x/f.zip"), &["odd-url@1.0.0"]),
        (replaced("https://x/f.zip", "x/f.zip"), &["odd-url@1.0.0"]),
        (replaced("https://x/s", "ftp://x/s"), &["odd-url@1.0.0"]),
        (replaced("\"5.0\"", "\"six\""), &["odd-protocol@1.0.0"]),
        (
            provider(|text| text.replace("f.zip\"", "a/f.zip\"").replace("x/a/", "x/")),
            &["odd-url@1.0.0", "odd-filename@1.0.0"],
        ),
        (replaced("\"1.0.0\"", "\"1.0.0 \""), &["invalid-version@1.0.0 "]),
        (
            replaced("\"1.0.0\"", "\"99999999999999999999.0.0\""),
            &["invalid-version@99999999999999999999.0.0"],
        ),
        (upper, &["bad-shasum@1.0.0"]),
        (replaced("\"1.0.0\"", "\"1.0\""), &["shorthand-version@1.0"]),
        (replaced("\"1.0.0\"", "\"1.0.0-RC1\""), &["capitals-in-version@1.0.0-RC1"]),
        (replaced("\"1.0.0\"", "\"v1.0.0\""), &["invalid-version@v1.0.0"]),
        (replaced("\"1.0.0\"", "\"1.0.0.0\""), &["invalid-version@1.0.0.0"]),
        (replaced("{\"versions\"", "{\"warnings\":[\"w\"],\"versions\""), &["bytes"]),
        (replaced("{\"versions\"", "{\"repository\":\"\",\"versions\""), &["bytes"]),
        (replaced("\"shasums_url\":\"https://x/u\"", "\"shasums_url\":\"\""), &["no-shasums-url@1.0.0"]),
        (replaced("\"shasums_url\":\"https://x/u\",", ""), &["no-shasums-url@1.0.0", "bytes"]),
        (
            replaced("\"shasums_signature_url\":\"https://x/s\"", "\"shasums_signature_url\":\"\""),
            &["no-signature-url@1.0.0"],
        ),
        (replaced("\"version\":\"1.0.0\",", "\"version\":\"1.0.0\",\"note\":1,"), &["bytes"]),
        (
            provider(|text| {
                text.replace("f.zip\",\"shasum\"", "f.zip\",\"size\":1,\"h1\":\"h1:x\",\"shasum\"")
            }),
            &["bytes"],
        ),
        (provider(|text| text) + "\n", &["bytes"]),
        (provider(|text| text).replace('\n', "\r\n"), &["crlf", "bytes"]),
        (provider(|text| text).replace("  ", "\t"), &["bytes"]),
        (
            print(
                r#"{"versions":[{"version":"1.0.0","protocols":["5.0"],"shasums_url":"","shasums_signature_url":"","targets":[]}]}"#,
            ),
            &["no-targets@1.0.0", "no-shasums-url@1.0.0", "no-signature-url@1.0.0"],
        ),
        (print(r#"{"versions":[]}"#), &["empty-versions"]),
        (print(r#"{"versions":null}"#), &["empty-versions"]),
    ];
    for (file, rules) in cases {
        assert_eq!(told("acme/rocket", &file), rules, "{file}");
    }
}

#[test]
fn lists_of_versions() {
    let cases: [(&str, &[&str]); 7] = [
        ("v2.0.0 1.0.0", &[]),
        ("v1.0.0 1.0.0", &["twin-tags@v1.0.0"]),
        ("1.0.0 v1.0.0 1.0.0", &["twin-tags@1.0.0", "duplicate-version@1.0.0"]),
        ("v1.0.0 v1.0.0", &["duplicate-version@v1.0.0"]),
        ("1.0.0 2.0.0 3.0.0", &["unsorted-versions"]),
        ("v1 v0.9", &["shorthand-version@v1", "shorthand-version@v0.9"]),
        ("1.0.0+a 1.0.0+b", &[]),
    ];
    for (list, rules) in cases {
        let items: Vec<String> =
            list.split(' ').map(|version| format!(r#"{{"version":"{version}"}}"#)).collect();
        let file = print(&format!(r#"{{"versions":[{}]}}"#, items.join(",")));
        assert_eq!(told("acme/rocket/aws", &file), rules, "{list}");
    }
}

/// P4: two versions that clients cannot tell apart are an error if their content differs, and a note if it is the
/// same.
#[test]
fn p4_twins_are_told_apart_by_their_content() {
    let (a, b) = ("a".repeat(40), "b".repeat(40));
    for (list, expected) in [
        (
            [("v1.0.0", &*a), ("1.0.0", &*b)],
            "warning: v1.0.0 and 1.0.0 are one version for clients, and the registry records different ids: they get 1.0.0 at bbbbbbb, and never aaaaaaa; two annotated tags of one commit have different ids too",
        ),
        (
            [("1.0.0", &*b), ("v1.0.0", &*a)],
            "warning: 1.0.0 and v1.0.0 are one version for clients, and the registry records different ids: they get v1.0.0 at aaaaaaa, and never bbbbbbb; two annotated tags of one commit have different ids too",
        ),
        (
            [("v1.0.0", &*a), ("1.0.0", &*a)],
            "note: v1.0.0 and 1.0.0 are one version for clients, with the same content",
        ),
        (
            [("v1.0.0", &*a), ("1.0.0", "")],
            "warning: v1.0.0 and 1.0.0 are one version for clients: only one of them is downloaded",
        ),
        (
            [("v1.0.0", ""), ("1.0.0", "")],
            "warning: v1.0.0 and 1.0.0 are one version for clients: only one of them is downloaded",
        ),
        (
            [("v1.0.0-rc1", &*a), ("v1.0.0-RC1", &*b)],
            "warning: v1.0.0-rc1 and v1.0.0-RC1 are one version for clients, and the registry records different ids: they get v1.0.0-RC1 at bbbbbbb, and never aaaaaaa; two annotated tags of one commit have different ids too",
        ),
    ] {
        let items = list.map(|(version, commit)| format!(r#"{{"version":"{version}","commit":"{commit}"}}"#));
        let file = print(&format!(r#"{{"versions":[{}]}}"#, items.join(",")));
        let address = Address::parse("acme/rocket/aws").unwrap();
        let (document, entry) = Entry::read(address.kind(), file.as_bytes()).unwrap();
        let found = lint_entry(&address, &document, &entry, &|_| true);
        let twins = found.iter().filter(|finding| finding.rule == "twin-tags");
        let twins: Vec<String> =
            twins.map(|finding| format!("{}: {}", finding.severity.name(), finding.text)).collect();
        assert_eq!(twins, [expected]);
    }
    let sums = ["ab".repeat(32), "cd".repeat(32)];
    let version = |version: &str, sum: &str| {
        format!(
            r#"{{"version":"{version}","protocols":["5.0"],"shasums_url":"u","shasums_signature_url":"s","targets":[
            {{"os":"linux","arch":"amd64","filename":"f.zip","download_url":"https://x/f.zip","shasum":"{sum}"}}]}}"#
        )
    };
    for (sum, severity) in [(&sums[0], "note"), (&sums[1], "error")] {
        let list = [version("1.0.0-rc1", &sums[0]), version("1.0.0-RC1", sum)];
        let file = print(&format!(r#"{{"versions":[{}]}}"#, list.join(",")));
        let address = Address::parse("acme/rocket").unwrap();
        let (document, entry) = Entry::read(address.kind(), file.as_bytes()).unwrap();
        let found = lint_entry(&address, &document, &entry, &|_| true);
        let found: Vec<&str> =
            found.iter().filter(|it| it.rule == "twin-tags").map(|it| it.severity.name()).collect();
        assert_eq!(found, [severity]);
    }
}

#[test]
fn names_and_paths() {
    let long = "x".repeat(65);
    let cases: Vec<(Address, &[&str])> = vec![
        (Address::provider("acme", "rocket"), &[]),
        (Address::provider("acme_1", "rocket-2"), &[]),
        (Address::provider("8acme", "rocket"), &["unscheduled-shard"]),
        (Address::provider("acme", "ro.cket"), &["rejected-name"]),
        (Address::provider("ac--me", "rocket"), &["rejected-name"]),
        (Address::provider("acme-", "rocket"), &["rejected-name"]),
        (Address::provider("acme", "terraform-rocket"), &["rejected-name"]),
        (Address::provider("acme", "opentofu-rocket"), &["rejected-name"]),
        (Address::provider("Acme", "rocket"), &["capitals-in-path"]),
        (Address::module("acme", "ro--cket", "aws"), &[]),
        (Address::module("acme", "terraform-rocket", "aws"), &[]),
        (Address::module("acme", "rocket", "my-cloud"), &["rejected-name"]),
        (Address::module("acme", "rocket_", "aws"), &["rejected-name"]),
        (Address::module("acme", &long, "aws"), &["rejected-name"]),
        (Address::module("acme", "rocket", &long), &["rejected-name"]),
    ];
    for (address, rules) in cases {
        let found = names::check(&address).into_iter().map(|finding| finding.rule).collect::<Vec<_>>();
        assert_eq!(found, rules, "{address}");
    }
}

#[test]
fn warnings_that_are_of_no_help() {
    let cases: [(&str, &[&str]); 9] = [
        (r#"["This provider is deprecated."]"#, &[]),
        (r#"["Please use umbrella/anvil instead."]"#, &[]),
        (r#"["Deprecated and/or broken; see https://example.com/acme/gone"]"#, &[]),
        (r#"["Please use acme/rocket instead."]"#, &["odd-warning"]),
        (r#"["Please use `umbrella/hammer` instead."]"#, &["odd-warning"]),
        (r#"["Old.","You are using acme/rocket instead of acme/rocket."]"#, &["odd-warning"]),
        (r#"["Moved to umbrella/hammer or umbrella/tongs."]"#, &["odd-warning", "odd-warning"]),
        (r#"["Two\nlines."]"#, &["odd-warning"]),
        (r#"["\u001b[2J"]"#, &["odd-warning"]),
    ];
    for (warnings, rules) in cases {
        let file = provider(|text| format!("{},\"warnings\":{warnings}}}", &text[..text.len() - 1]));
        assert_eq!(told("acme/rocket", &file), rules, "{warnings}");
    }
}
