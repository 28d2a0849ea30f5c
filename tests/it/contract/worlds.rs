//! The worlds that are surveyed twice, and the verdicts that both surveys must give.

/// One world.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    /// Its scenario, in TOML.
    pub(super) text: String,
    /// Arguments of real git's server, where it is to answer as the world's faults do.
    pub(super) git_arguments: &'static [&'static str],
    pub(super) token: bool,
    /// Entry to verdict at depth `sums`, as the stage writes it.
    pub(super) wanted: &'static [(&'static str, &'static str)],
}

impl Case {
    fn new(
        name: &'static str,
        text: impl Into<String>,
        wanted: &'static [(&'static str, &'static str)],
    ) -> Self {
        let text = text.into();
        let text = match text.contains("clock =") {
            true => text,
            false => format!("clock = \"2026-11-21T12:00:00Z\"\n{text}"),
        };
        Self { name, text, git_arguments: &[], token: true, wanted }
    }
}

/// All of them.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = named();
    cases.extend(made());
    cases
}

fn named() -> Vec<Case> {
    vec![
        Case::new(
            "an older line",
            include_str!("../../scenarios/s1-old-line.toml"),
            &[("cloudposse/utils", "missed-old-line 1.33.0=missed-old-line 1.32.0=missed-old-line")],
        ),
        Case::new(
            "new versions",
            NEW,
            &[("acme/cloud", ""), ("acme/vpc/aws", ""), ("acme/fresh", ""), ("acme/fine", "")],
        ),
        Case::new("renamed", RENAMED, &[("oldacme/cloud", ""), ("oldacme/vpc/aws", "")]),
        Case::new("deleted", DELETED, &[("acme/cloud", ""), ("acme/vpc/aws", "")]),
        Case {
            token: false,
            ..Case::new(
                "deleted, asked without a token",
                DELETED,
                &[("acme/cloud", ""), ("acme/vpc/aws", "")],
            )
        },
        Case::new("tags of many products", MONOREPO, &[("acme/parts/aws", "")]),
        Case::new("odd tags", ODD, &[("acme/bare", ""), ("acme/meta", ""), ("acme/odd/aws", "")]),
        Case::new("a prerelease on top", PRERELEASE, &[("acme/early", "")]),
        Case::new("empty repositories", EMPTY, &[("acme/nothing", ""), ("acme/nothing/aws", "")]),
        Case::new("twins", TWINS, &[("hashicorp/twin", ""), ("opentofu/twin", "")]),
        Case::new("stranded", STRANDED, &[("acme/nosums", ""), ("acme/norelease", "")]),
        Case::new(
            "changed after the fact",
            CHANGED,
            &[("acme/drift", ""), ("acme/part", ""), ("acme/moved/aws", ""), ("acme/ghost", "")],
        ),
        Case::new("limited feeds", LIMITED, &[("acme/one", ""), ("acme/two", ""), ("acme/page", "")]),
        Case {
            git_arguments: &["--throttle", "0/60"],
            ..Case::new("limited git", LIMITED_GIT, &[("acme/one", ""), ("acme/vpc/aws", "")])
        },
    ]
}

/// Worlds with too many tags to write them down.
fn made() -> Vec<Case> {
    let tags: Vec<String> = (0..300)
        .map(|n| {
            format!("{{ name = \"v{}.{}.{}\", annotated = {} }}", n / 100, n / 10 % 10, n % 10, n % 2 == 0)
        })
        .collect();
    let module = format!(
        "[[module]]\naddress = \"acme/many/aws\"\nannotated = true\nstored = [\"v3.1.0\", \"v3.0.0\"]\ntags = [{}]\n",
        tags.join(", ")
    );
    let releases: Vec<String> =
        (1..=27).map(|n| format!("{{ tag = \"v1.{n}.0\", published = \"-{n}h\" }}")).collect();
    let provider = format!(
        "[[provider]]\naddress = \"acme/burst\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\nreleases = [{}]\n",
        releases.join(", ")
    );
    vec![
        Case::new("three hundred tags", module, &[("acme/many/aws", "")]),
        Case::new("a burst of releases", provider, &[("acme/burst", "")]),
    ]
}

const NEW: &str = r#"
[[provider]]
address = "acme/cloud"
stored = ["1.1.0", "1.0.0"]
releases = [{ tag = "v1.2.0", published = "-3h" }]
[[provider]]
address = "acme/fresh"
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-10m" }]
[[provider]]
address = "acme/fine"
stored = ["1.0.0"]
[[module]]
address = "acme/vpc/aws"
stored = ["v1.1.0", "v1.0.0"]
tags = [{ name = "v1.2.0", at = "-5h" }, { name = "v1.3.0", at = "-4h", annotated = true }]
"#;

const RENAMED: &str = r#"
[[provider]]
address = "oldacme/cloud"
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
stored = ["1.0.0"]
repository = { deleted = true }
[[module]]
address = "acme/vpc/aws"
stored = ["v1.0.0"]
repository = { deleted = true }
"#;

const MONOREPO: &str = r#"
[[module]]
address = "acme/parts/aws"
stored = ["v1.0.0"]
tags = ["network/v1.0.0", "network/v2.0.0", "storage-v3.0.0", "latest", "v1.1.0", "v2"]
"#;

const ODD: &str = r#"
[[provider]]
address = "acme/bare"
tag_prefix = ""
stored = ["1.0.0"]
releases = [{ tag = "1.1.0", published = "-3h" }]
[[provider]]
address = "acme/meta"
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0+build.5", published = "-3h" }, { tag = "tools/v9.0.0", published = "-2h" }]
[[module]]
address = "acme/odd/aws"
stored = ["1.0.0"]
tags = ["1.1.0+meta", "v1.2.0-rc.1", "release/1.3.0", "@acme/odd@1.4.0"]
"#;

const PRERELEASE: &str = r#"
[[provider]]
address = "acme/early"
stored = ["2.0.0-beta1", "1.0.0"]
releases = [{ tag = "v1.1.0", published = "-9d" }, { tag = "v2.0.0-beta2", published = "-3h", prerelease = true }]
"#;

const EMPTY: &str = r#"
[[provider]]
address = "acme/nothing"
stored = ["1.0.0"]
repository = { empty = true }
[[module]]
address = "acme/nothing/aws"
repository = { empty = true }
"#;

const TWINS: &str = r#"
[[provider]]
address = "hashicorp/twin"
twin = true
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3h" }]
"#;

const STRANDED: &str = r#"
[[provider]]
address = "acme/nosums"
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3d", sums = "missing" }]
[[provider]]
address = "acme/norelease"
stored = ["1.0.0"]
tags = [{ name = "v1.1.0", at = "-3d" }]
"#;

const CHANGED: &str = r#"
[[provider]]
address = "acme/drift"
stored = ["1.1.0", "1.0.0"]
releases = [{ tag = "v1.1.0", content_seed = 7, assets_updated = "-1d" }]
[[provider]]
address = "acme/part"
stored = [{ version = "1.0.0", targets = ["linux_amd64"] }]
releases = [{ tag = "v1.0.0", targets = ["linux_amd64", "linux_arm64"] }]
[[provider]]
address = "acme/ghost"
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
stored = ["1.0.0"]
releases = [{ tag = "v1.1.0", published = "-3h" }]
[[provider]]
address = "acme/two"
stored = ["1.0.0"]
[[provider]]
address = "acme/page"
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
