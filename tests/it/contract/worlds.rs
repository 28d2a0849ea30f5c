//! The worlds that are surveyed twice, and the verdicts that both surveys must give.

use std::path::Path;

/// One world.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) name: String,
    /// Its scenario, in TOML.
    pub(super) text: String,
    /// Arguments of real git's server, where it is to answer as the world's faults do.
    pub(super) git_arguments: &'static [&'static str],
    pub(super) token: bool,
    /// Entry to verdict at depth `sums`, as the stage writes it; `…` stands for any further versions. `None`: another test
    /// has it.
    pub(super) wanted: Option<Wanted>,
}

type Wanted = &'static [(&'static str, &'static str)];

/// All of them.
pub(super) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = NAMED.iter().map(|(name, text, wanted)| case(name, text, wanted)).collect();
    cases.push(Case { token: false, ..case("deleted, asked without a token", DELETED, GONE) });
    let throttle = &["--throttle", "0/60"];
    cases.push(Case { git_arguments: throttle, ..case("limited git", LIMITED_GIT, UNREAD) });
    cases.push(case("three hundred tags", &three_hundred(), MANY));
    cases.push(case("a burst of releases", &burst(), BURST));
    cases.extend(files());
    cases
}

fn case(name: &str, text: &str, wanted: Wanted) -> Case {
    let name = name.to_owned();
    let clock = if text.contains("clock = ") { "" } else { "clock = \"2026-11-21T12:00:00Z\"\n" };
    Case { name, text: format!("{clock}{text}"), git_arguments: &[], token: true, wanted: Some(wanted) }
}

/// The first world of every scenario file.
fn files() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("scenarios").map(|file| file.expect("a file").path()).collect();
    // Keys that a scenario hands to the command lie beside it.
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a scenario");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        // Behind this line stands the registry as it has to be after a bump.
        let world = text.split("\n# after:\n").next().unwrap_or_default();
        Case { wanted: None, ..case(name, world, &[]) }
    };
    paths.iter().map(|path| read(path)).collect()
}

fn three_hundred() -> String {
    let tag = |n: u32| {
        let (major, minor, patch) = (n / 100, n / 10 % 10, n % 10);
        format!("{{ name = \"v{major}.{minor}.{patch}\", annotated = {} }}", n.is_multiple_of(2))
    };
    let tags: Vec<String> = (0..300).map(tag).collect();
    let tags = tags.join(", ");
    format!(
        "[[module]]\naddress = \"acme/many/aws\"\nannotated = true\nstored = [\"v3.0.0\"]\ntags = [{tags}]\n"
    )
}

/// More than a page of the feed and more than a query of the releases API.
fn burst() -> String {
    let releases: Vec<String> =
        (1..=27).map(|n| format!("{{ tag = \"v1.{n}.0\", published = \"-{}h\" }}", 30 - n)).collect();
    let releases = releases.join(", ");
    format!(
        "[[provider]]\naddress = \"acme/burst\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\nreleases = [{releases}]\n"
    )
}

const NAMED: &[(&str, &str, Wanted)] = &[
    (
        "new versions",
        NEW,
        &[
            ("acme/cloud", "behind 1.2.0=behind"),
            ("acme/fine", "current"),
            ("acme/fresh", "pending 1.1.0=pending"),
            ("acme/vpc/aws", "behind v1.3.0=behind v1.2.0=behind"),
        ],
    ),
    (
        "renamed",
        RENAMED,
        &[("oldacme/cloud", "moved 1.1.0=behind"), ("oldacme/vpc/aws", "moved v1.1.0=behind")],
    ),
    (
        "odd tags",
        ODD,
        &[
            ("acme/bare", "behind 1.1.0=behind"),
            ("acme/meta", "behind 1.1.0+build.5=behind"),
            ("acme/odd/aws", "behind v1.2.0-rc.1=behind 1.1.0+meta=behind"),
        ],
    ),
    (
        "empty repositories",
        EMPTY,
        &[("acme/nothing", "gone-upstream 1.0.0=gone-upstream…"), ("acme/nothing/aws", "current")],
    ),
    (
        "stranded",
        STRANDED,
        &[("acme/norelease", "stranded 1.1.0=stranded"), ("acme/nosums", "stranded 1.1.0=stranded")],
    ),
    (
        "changed after the fact",
        CHANGED,
        &[
            ("acme/drift", "drifted 1.1.0=drifted; not-hashed"),
            ("acme/ghost", "gone-upstream 1.1.0=gone-upstream…"),
            ("acme/moved/aws", "drifted v1.0.0=drifted; tag-moved"),
            ("acme/part", "partial 1.0.0=partial"),
        ],
    ),
    (
        "limited feeds",
        LIMITED,
        &[
            ("acme/one", "behind 1.1.0=behind; feed-unread"),
            ("acme/page", "behind 1.1.0=behind; feed-unread"),
            ("acme/two", "current; feed-unread"),
        ],
    ),
];

const GONE: Wanted = &[("acme/cloud", "repo-gone"), ("acme/vpc/aws", "repo-gone")];
const UNREAD: Wanted = &[("acme/one", "unknown"), ("acme/vpc/aws", "unknown")];
const MANY: Wanted = &[("acme/many/aws", "missed-old-line v2.9.9=missed-old-line v2.9.8=…")];
const BURST: Wanted = &[("acme/burst", "behind 1.27.0=behind 1.26.0=behind 1.25.0=…")];

const NEW: &str = r#"
[[provider]]
address = "acme/cloud"
targets = ["linux_amd64"]
stored = ["1.1.0", "1.0.0"]
releases = [{ tag = "v1.2.0", published = "-3h" }]
[[provider]]
address = "acme/fresh"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-10m" }]
[[provider]]
address = "acme/fine"
targets = ["linux_amd64"]
stored = ["1.0.0"]
[[module]]
address = "acme/vpc/aws"
stored = ["v1.1.0", "v1.0.0"]
tags = [{ name = "v1.2.0", at = "-5h" }, { name = "v1.3.0", at = "-4h", annotated = true }]
"#;

const RENAMED: &str = r#"
[[provider]]
address = "oldacme/cloud"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3h" }]
repository = { moved_to = "newacme/terraform-provider-cloud" }
[[module]]
address = "oldacme/vpc/aws"
stored = ["v1.0.0"]
tags = ["v1.1.0"]
repository = { moved_to = "newacme/terraform-aws-network" }
"#;

const DELETED: &str = r#"
[[provider]]
address = "acme/cloud"
targets = ["linux_amd64"]
stored = ["1.0.0"]
repository = { deleted = true }
[[module]]
address = "acme/vpc/aws"
stored = ["v1.0.0"]
repository = { deleted = true }
"#;

const ODD: &str = r#"
[[provider]]
address = "acme/bare"
targets = ["linux_amd64"]
tag_prefix = ""
stored = ["1.0.0"]
releases = [{ tag = "1.1.0", published = "-3h" }]
[[provider]]
address = "acme/meta"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0+build.5", published = "-3h" }, { tag = "tools/v9.0.0", published = "-2h" }]
[[module]]
address = "acme/odd/aws"
stored = ["1.0.0"]
tags = ["1.1.0+meta", "v1.2.0-rc.1", "release/1.3.0", "@acme/odd@1.4.0"]
"#;

const EMPTY: &str = r#"
[[provider]]
address = "acme/nothing"
targets = ["linux_amd64"]
stored = ["1.0.0"]
repository = { empty = true }
[[module]]
address = "acme/nothing/aws"
repository = { empty = true }
"#;

const STRANDED: &str = r#"
[[provider]]
address = "acme/nosums"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3d", sums = "missing" }]
[[provider]]
address = "acme/norelease"
targets = ["linux_amd64"]
stored = ["1.0.0"]
tags = [{ name = "v1.1.0", at = "-3d" }]
"#;

const CHANGED: &str = r#"
[[provider]]
address = "acme/drift"
targets = ["linux_amd64"]
stored = ["1.1.0", "1.0.0"]
releases = [{ tag = "v1.1.0", content_seed = 7, assets_updated = "-1d" }]
[[provider]]
address = "acme/part"
targets = ["linux_amd64"]
stored = [{ version = "1.0.0", targets = ["linux_amd64"] }]
releases = [{ tag = "v1.0.0", targets = ["linux_amd64", "linux_arm64"] }]
[[provider]]
address = "acme/ghost"
targets = ["linux_amd64"]
stored = ["1.1.0", "1.0.0"]
gone = ["1.1.0"]
[[module]]
address = "acme/moved/aws"
stored = ["v1.1.0", "v1.0.0"]
retagged = ["v1.0.0"]
"#;

const LIMITED: &str = r#"
[[provider]]
address = "acme/one"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3h" }]
[[provider]]
address = "acme/two"
targets = ["linux_amd64"]
stored = ["1.0.0"]
[[provider]]
address = "acme/page"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3h" }]
[[fault]]
on = "feed"
repository = ["acme/terraform-provider-one", "acme/terraform-provider-two"]
kind = "status:429"
retry_after = 60
[[fault]]
on = "feed"
repository = "acme/terraform-provider-page"
kind = "html"
"#;

const LIMITED_GIT: &str = r#"
[[provider]]
address = "acme/one"
targets = ["linux_amd64"]
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3h" }]
[[module]]
address = "acme/vpc/aws"
stored = ["v1.0.0"]
[[fault]]
on = "git"
kind = "status:429"
retry_after = 60
"#;

/// A world in which every answer of the API occurs but one: 451, which GitHub gives and its description lacks.
pub(super) const ANSWERS: &str = r#"
clock = "2026-11-21T12:00:00Z"
[user]
push = true
[[provider]]
address = "acme/cloud"
stored = ["1.0.0"]
releases = [
    { tag = "v1.1.0+build.5", published = "-3d", digest = false },
    { tag = "v2.0.0-rc.1", published = "-3h", prerelease = true },
    { tag = "v2.0.0", draft = true },
]
[[provider]]
address = "acme/empty"
repository = { empty = true }
[[provider]]
address = "acme/gone"
repository = { deleted = true }
[[provider]]
address = "oldacme/cloud"
stored = ["1.0.0"]
repository = { moved_to = "newacme/terraform-provider-cloud", archived = true }
[[module]]
address = "acme/vpc/aws"
annotated = true
stored = ["v1.1.0", "v1.0.0"]
tags = [{ name = "network/v1.0.0", annotated = false }]
"#;

/// What is asked of it.
pub(super) const PATHS: &[&str] = &[
    "/user",
    "/rate_limit",
    "/repos/acme/terraform-provider-cloud",
    "/repos/acme/terraform-provider-cloud/releases?per_page=2",
    "/repos/acme/terraform-provider-cloud/releases?per_page=2&page=2",
    "/repos/acme/terraform-provider-cloud/releases/latest",
    "/repos/acme/terraform-provider-cloud/releases/tags/v1.1.0+build.5",
    "/repos/acme/terraform-provider-cloud/releases/tags/v2.0.0",
    "/repos/acme/terraform-provider-cloud/releases/1",
    "/repos/acme/terraform-provider-cloud/tags?per_page=1",
    "/repos/acme/terraform-aws-vpc/tags",
    "/repos/acme/terraform-aws-vpc/git/matching-refs/tags/v1.",
    "/repos/acme/terraform-aws-vpc/git/matching-refs/tags/network/",
    "/repos/acme/terraform-aws-vpc/releases",
    "/repos/acme/terraform-aws-vpc/releases/latest",
    "/repos/acme/terraform-provider-empty",
    "/repos/acme/terraform-provider-empty/releases",
    "/repos/acme/terraform-provider-empty/git/matching-refs/tags/v",
    "/repos/acme/terraform-provider-gone",
    "/repos/acme/terraform-provider-gone/releases",
    "/repos/oldacme/terraform-provider-cloud/releases",
    "/repos/newacme/terraform-provider-cloud",
];
