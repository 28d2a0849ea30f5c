//! Triage: the expected cause for every address of every scenario, what only triage tells apart, and what becomes of a line.

use std::collections::BTreeSet;

use demo::fault::{Fault, FaultKind, Lane};
use serde_json::Value;

use super::scene::before;
use crate::door::{Door, Output, closed_port};
use crate::stage::CANARY;

/// What is typed, and the answer: status, the step that answers, and how its cause begins.
type Asked = (&'static str, &'static str, &'static str, &'static str);

/// Of each world what is asked.
#[rustfmt::skip]
const TABLE: &[(&str, &[Asked])] = &[
    ("blacklist.toml", &[
        ("acme/quiet", "current", "served", "the one version has its tag; 1.1.0 is blocked"),
        ("acme/quiet@1.1.0", "blocked", "blocked", "1.1.0: on the blacklist: "),
        ("acme/rocket", "behind", "dataset", "1.2.0: complete upstream, above the highest indexed 1.0.0"),
        ("acme/vpc/aws@v1.1.0", "blocked", "blocked", "1.1.0: on the blacklist: "),
        ("hashicorp/null@3.2.4", "blocked", "blocked", "3.2.4: on the blacklist: "),
        ("opentofu/null", "behind", "dataset", "3.2.4: complete upstream, above the highest indexed 3.2.3"),
    ]),
    ("deleted.toml", &[
        ("acme/emptied", "gone-upstream", "upstream", "1.1.0: indexed, but the repository has no tags at all (and 1 more)"),
        ("acme/emptied/aws", "gone-upstream", "upstream", "v1.0.0: indexed, but the repository has no tags at all"),
        ("acme/gone", "repo-gone", "upstream", "acme/terraform-provider-gone answers 404"),
        ("acme/gone/aws", "repo-gone", "upstream", "acme/terraform-aws-gone answers 404"),
        ("acme/new/aws", "current", "served", "no version is indexed and the repository has no tags"),
        ("acme/taken", "unknown", "upstream", "the tags could not be read: blocked upstream (HTTP 451)"),
    ]),
    ("gate.toml", &[
        ("acme/behind", "behind", "dataset", "1.1.0: complete upstream, above the highest indexed 1.0.0"),
        ("acme/current", "current", "served", "the one version has its tag"),
        ("acme/nofeed", "behind", "dataset", "1.1.0: complete upstream, above"),
        ("acme/old-line", "missed-old-line", "dataset", "1.0.1: complete upstream, below the highest indexed 2.0.0"),
        ("acme/vpc/aws", "current", "served", "the one version has its tag"),
    ]),
    ("html.toml", &[
        ("acme/nofeed", "behind", "dataset", "1.1.0: complete upstream, above"),
        ("acme/notags", "unknown", "upstream", "the tags could not be read: unreadable answer: an HTML page instead of git's answer"),
        ("acme/notags/aws", "unknown", "upstream", "the tags could not be read: unreadable answer"),
    ]),
    ("incidents.toml", &[
        ("Row/N079", "not-registered", "dataset", "the registry has no provider row/n079, and row/terraform-provider-n079 answers 404"),
        ("hashicorp/n026", "gone-upstream", "upstream", "6.1.0: indexed, but its tag is gone upstream"),
        ("hashicorp/n032", "current", "served", "all 2 versions have their tags, none missing"),
        ("hashicorp/n046", "mirror-behind", "mirror", "hashicorp/terraform-provider-n046 has 5.4.0, and the fork opentofu/terraform-provider-n046 has no such tag"),
        ("hashicorp/n048", "behind", "dataset", "5.61.0: complete upstream, above the highest indexed 5.60.0"),
        ("hashicorp/n049", "mirror-behind", "mirror", "the fork opentofu/terraform-provider-n049 has the tag and no complete build: 6.3.0: a tag without a release"),
        ("hashicorp/n051", "mirror-behind", "mirror", "the fork opentofu/terraform-provider-n051 has the tag and no complete build: 6.17.0: a tag without a release"),
        ("hashicorp/n052", "mirror-behind", "mirror", "the fork opentofu/terraform-provider-n052 has the tag and no complete build: 3.2.4: a tag without a release"),
        ("hashicorp/n053", "shadowed", "dataset", "0.13.1: a stable version, not indexed, hidden by the indexed prerelease 0.13.1-alpha.1"),
        ("hashicorp/n054", "mirror-behind", "mirror", "hashicorp/terraform-provider-n054 has 2.21.0, and the fork opentofu/terraform-provider-n054 has no such tag"),
        ("hashicorp/n055", "mirror-behind", "mirror", "hashicorp/terraform-provider-n055 has 3.1.2, and the fork opentofu/terraform-provider-n055 has no such tag"),
        ("opentofu/n026", "gone-upstream", "upstream", "6.1.0: indexed, but its tag is gone upstream"),
        ("opentofu/n032", "current", "served", "all 2 versions have their tags, none missing"),
        ("row/N080", "repo-gone", "upstream", "row/terraform-provider-n080 answers 404"),
        ("row/n001", "drifted", "sums", "0.5.0: uploaded 13 days after it was indexed; 16 of 16 stored checksums differ from upstream"),
        ("row/n002", "drifted", "sums", "1.13.0: uploaded 24 h 0 min after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n003", "drifted", "sums", "2.21.2: uploaded 4 days after it was indexed; 14 of 14 stored checksums differ from upstream (and 1 more)"),
        ("row/n004", "drifted", "sums", "0.8.1: 5 of 11 stored checksums differ from upstream"),
        ("row/n005", "drifted", "sums", "1.47.0: uploaded 1 h 0 min after it was indexed; 9 of 9 stored checksums differ from upstream"),
        ("row/n006", "drifted", "sums", "1.27.0: uploaded 24 h 0 min after it was indexed; 14 of 14 stored checksums differ from upstream"),
        ("row/n007", "drifted", "sums", "30.2.2: uploaded 5 h 0 min after it was indexed; 14 of 14 stored checksums differ from upstream"),
        ("row/n008", "drifted", "sums", "2.3.1-rc2: uploaded 6 h 0 min after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n009", "drifted", "sums", "2.22.3: uploaded 6 h 0 min after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n010", "drifted", "sums", "1.15.0: uploaded 24 h 0 min after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n011", "drifted", "sums", "1.43.0: uploaded 34 days after it was indexed; 3 of 3 stored checksums differ from upstream"),
        ("row/n012", "drifted", "sums", "0.1.0: uploaded 24 h 0 min after it was indexed; 3 of 3 stored checksums differ from upstream"),
        ("row/n013", "drifted", "sums", "2.0.9: uploaded 38 days after it was indexed; 2 of 2 stored checksums differ from upstream (and 2 more)"),
        ("row/n014", "drifted", "sums", "1.5.0: uploaded 2 h 20 min after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n015", "drifted", "sums", "2.6.0: uploaded 24 h 0 min after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n016", "drifted", "sums", "1.4.0: uploaded 24 h 0 min after it was indexed; 1 of 5 stored checksums differ from upstream"),
        ("row/n017", "drifted", "sums", "0.0.37: uploaded 7 days after it was indexed; 2 of 2 stored checksums differ from upstream (and 2 more)"),
        ("row/n018", "drifted", "sums", "0.0.24: uploaded 7 days after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n019", "drifted", "sums", "2.21.1: uploaded 5 min after it was indexed; 4 of 4 stored checksums differ from upstream"),
        ("row/n020", "drifted", "sums", "2.18.0-pre0: uploaded 100 days after it was indexed; 13 of 13 stored checksums differ from upstream"),
        ("row/n021", "drifted", "sums", "6.14.0: uploaded 24 h 0 min after it was indexed; 2 of 2 stored checksums differ from upstream"),
        ("row/n022", "drifted", "sums", "8.54.0: uploaded 1 h 0 min after it was indexed; 13 of 13 stored checksums differ from upstream"),
        ("row/n023", "drifted", "sums", "3.14.1: uploaded 2 h 20 min after it was indexed; 13 of 13 stored checksums differ from upstream"),
        ("row/n024", "gone-upstream", "upstream", "10.1.1: indexed, but its tag is gone upstream"),
        ("row/n025", "gone-upstream", "upstream", "1.16.0: indexed, but its SHA256SUMS is gone upstream"),
        ("row/n027/aws", "gone-upstream", "upstream", "v5.21.1: indexed, but its tag is gone upstream"),
        ("row/n028", "gone-upstream", "upstream", "1.2.0: indexed, but its tag is gone upstream (and 2 more)"),
        ("row/n029", "gone-upstream", "upstream", "1.0.0: indexed, but its tag is gone upstream"),
        ("row/n030", "gone-upstream", "upstream", "3.0.0: indexed, but its tag is gone upstream"),
        ("row/n031", "current", "served", "all 2 versions have their tags, none missing"),
        ("row/n033", "current", "served", "all 4 versions have their tags, none missing"),
        ("row/n034", "repo-gone", "upstream", "row/terraform-provider-n034 answers 404"),
        ("row/n042", "behind", "dataset", "3.70.1: complete upstream, above the highest indexed 3.69.0 (and 1 more)"),
        ("row/n057", "missed-old-line", "dataset", "1.33.0: complete upstream, below the highest indexed 2.1.0 (and 1 more)"),
        ("row/n058", "behind", "dataset", "6.2.0: complete upstream, above the highest indexed 6.1.0"),
        ("row/n059", "stranded", "upstream", "0.3.0: the release has no SHA256SUMS (expected terraform-provider-n059_0.3.0_SHA256SUMS) (and 2 more)"),
        ("row/n060", "stranded", "upstream", "1.0.0: the release has no SHA256SUMS (expected terraform-provider-n060_1.0.0_SHA256SUMS)"),
        ("row/n061", "drifted", "sums", "6.11.0: uploaded 1 h 0 min after it was indexed; 1 of 1 stored checksums differ from upstream; partial: 1 of 14 targets, 13 platforms lost since 6.10.0"),
        ("row/n063", "behind", "dataset", "1.11.2: complete upstream, above the highest indexed 1.11.1"),
        ("row/n065", "partial", "sums", "1.4.0: indexed with 1 of 4 targets, 3 platforms lost since 1.3.0"),
        ("row/n066", "stranded", "upstream", "1.10.0: broken upstream: SHA256SUMS lists terraform-provider-n066_1.10.0_linux_amd64.zip, and the release does not have it"),
        ("row/n067", "retry-wait", "tried", "1.58.0: complete since 2026-11-21 05:00Z; last tried on 2026-11-20 12:00Z; 8 failed tries; next try 2026-11-23 04:00Z"),
        ("row/n068", "current", "served", "the one version has its tag, none missing"),
        ("row/n069", "key-mismatch", "keys", "0.1.0: signed by B5C19CE45D9B0CC5; only 9C4EFB4BEBD14B1C on file"),
        ("row/n070", "key-mismatch", "keys", "1.1.0: signed by 078E72C6E3E924D7; only D2D6C9F741E66BBC on file (and 1 more)"),
        ("row/n071", "current", "served", "all 2 versions have their tags, none missing"),
        ("row/n072", "current", "served", "all 2 versions have their tags, none missing"),
        ("row/n074", "key-mismatch", "keys", "0.3.0: signed by CE0417DDEF7042DC; only 39BAB327DE72AD51 on file (and 1 more)"),
        ("row/n075", "key-mismatch", "keys", "2.3.2: signed by F3463F6CA950AED1; only 3BCD79B8CF8F94DF on file"),
        ("row/n076", "behind", "dataset", "1.4.0: complete upstream, above the highest indexed 1.3.0"),
        ("row/n077", "key-mismatch", "keys", "2.2.0: signed by 34BBC1A2BB0DD9AA; only 974AD032CDC3A454 on file"),
        ("row/n078", "key-mismatch", "keys", "0.10.0-beta.0: signed by F37FD9F2B05961E0; only BDFBB76417BEAF5C on file"),
        ("row/n080", "repo-gone", "upstream", "row/terraform-provider-n080 answers 404"),
        ("row/n081", "current", "served", "the one version has its tag, none missing"),
        ("row/n082/AWS", "not-registered", "dataset", "the registry has no module row/n082/aws, and row/terraform-aws-n082 answers 404"),
        ("row/n083", "current", "served", "all 2 versions have their tags, none missing"),
        ("row/n084./aws", "repo-gone", "upstream", "row/terraform-aws-n084. answers 404"),
        ("row/n085/aws", "behind", "dataset", "1.3.0: complete upstream, above the highest indexed 1.2.0"),
        ("row/n086/aws", "behind", "dataset", "v1.0.0: complete upstream, and nothing is indexed yet (and 1 more)"),
        ("row/n087/aws", "gone-upstream", "upstream", "v1.0.0: indexed, but the repository has no tags at all"),
        ("row/n088/aws", "moved", "upstream", "row/terraform-aws-n088 redirects to renamed/terraform-aws-n088"),
        ("row/n090/aws", "drifted", "sums", "v1.1.0: tag moved: commit "),
        ("row/n092/aws", "moved", "upstream", "row/terraform-aws-n092 redirects to newhome/terraform-aws-n092"),
        ("row/n094", "current", "served", "the one version has its tag, none missing"),
        ("row/n095", "current", "served", "the one version has its tag, none missing"),
        ("row/n096", "repo-gone", "upstream", "row/terraform-provider-n096 answers 404"),
        ("row/n098", "moved", "upstream", "row/terraform-provider-n098 redirects to newhome/terraform-provider-n098"),
        ("row/n107", "behind", "dataset", "0.6.0: complete upstream, above the highest indexed 0.5.0"),
        ("row/n108", "unknown", "upstream", "the tags could not be read: throttled until 2026-11-21 13:00:00Z"),
        ("row/n111", "current", "served", "the one version has its tag, none missing"),
        ("row/n115", "h1-missing", "served", "4 of 4 targets have no h1 or size"),
        ("row/n116", "size-missing", "dataset", "1.0.0: OpenTofu clients from 1.12 on refuse darwin_amd64 and 1 more: registry response has invalid package size 0"),
        ("row/n117", "size-missing", "dataset", "1.0.0: OpenTofu clients from 1.12 on refuse darwin_amd64 and 3 more: registry response has invalid package size 0"),
        ("row/n118", "behind", "dataset", "1.1.0: complete upstream, above the highest indexed 1.0.0"),
        ("row/n119", "current", "served", "the one version has its tag, none missing"),
        ("row/n120", "current", "served", "the one version has its tag, none missing"),
        ("row/n121", "stranded", "upstream", "1.1.0: a tag without a release"),
        ("row/n124", "behind", "dataset", "5.1.0: complete upstream, above the highest indexed 5.0.0"),
        ("row/n125", "current", "served", "all 2 versions have their tags, none missing"),
    ]),
    ("ladder.toml", &[
        ("acme/behind", "behind", "dataset", "1.1.0: complete upstream, above the highest indexed 1.0.0"),
        ("acme/clients-refuse", "clients-refuse", "dataset", "1.0.0: clients refuse every platform of it: protocols six"),
        ("acme/current", "current", "served", "the one version has its tag"),
        ("acme/drifted", "drifted", "sums", "1.0.0: 1 of 1 stored checksums differ from upstream"),
        ("acme/gone-upstream", "gone-upstream", "upstream", "1.1.0: indexed, but its tag is gone upstream"),
        ("acme/h1-missing", "h1-missing", "served", "2 of 4 targets have no h1 or size"),
        ("acme/key-expired", "key-expired", "keys", "1.0.0: signed by FB643F858ADD4ECD on 2025-03-01"),
        ("acme/key-mismatch", "key-mismatch", "keys", "1.0.0: signed by 66113FE92198D26C; only FB643F858ADD4ECD on file"),
        ("acme/list-unreadable", "list-unreadable", "dataset", "no client can read this provider's list: version `v1.0.0` begins with `v`"),
        ("acme/list-unreadable@1.1.0", "list-unreadable", "dataset", "no client can read this provider's list: version `v1.0.0` begins with `v`"),
        ("acme/missed-old-line", "missed-old-line", "dataset", "1.0.1: complete upstream, below the highest indexed 2.0.0"),
        ("acme/moved", "moved", "upstream", "acme/terraform-provider-moved redirects to zenith/terraform-provider-moved"),
        ("acme/partial", "partial", "sums", "1.0.0: indexed with 1 of 2 targets"),
        ("acme/pending", "pending", "released", "1.1.0: published less than 30 minutes ago and not indexed yet"),
        ("acme/repo-gone", "repo-gone", "upstream", "acme/terraform-provider-repo-gone answers 404"),
        ("acme/retry-wait", "retry-wait", "tried", "1.1.0: complete since 2026-11-21 11:00Z; last tried on 2026-11-21 10:30Z; 3 failed tries; next try 2026-11-21 12:30Z"),
        ("acme/shadowed", "shadowed", "dataset", "1.1.0: a stable version, not indexed, hidden by the indexed prerelease 1.1.0-rc1"),
        ("acme/size-missing", "size-missing", "dataset", "1.0.0: OpenTofu clients from 1.12 on refuse linux_amd64: registry response has invalid package size 0"),
        ("acme/stranded", "stranded", "upstream", "1.1.0: expected terraform-provider-stranded_1.1.0_SHA256SUMS, found nearest terraform-provider-stranded_1.01.0_SHA256SUMS"),
        ("acme/unknown", "unknown", "upstream", "the tags could not be read: throttled until 2026-11-21 13:00:00Z"),
        ("acme/unsigned", "unsigned", "keys", "1.0.0: no signature: SHA256SUMS.sig answers 404"),
    ]),
    ("monorepo.toml", &[
        ("acme/all/aws", "current", "served", "no version is indexed, none missing"),
        ("acme/some/aws", "current", "served", "the one version has its tag"),
    ]),
    ("moved.toml", &[
        ("acme/rocket", "moved", "upstream", "acme/terraform-provider-rocket redirects to zenith/terraform-provider-booster"),
        ("acme/rocket@1.1.0", "moved", "upstream", "acme/terraform-provider-rocket redirects to"),
        ("acme/vpc/aws", "moved", "upstream", "acme/terraform-aws-vpc redirects to zenith/terraform-aws-network"),
    ]),
    ("odd-tags.toml", &[
        ("acme/rocket", "behind", "dataset", "1.1.0+build.7: complete upstream, above"),
        ("acme/vpc/aws", "behind", "dataset", "v1.0.0+eks: complete upstream, above"),
    ]),
    ("old-line.toml", &[
        ("acme/rocket", "missed-old-line", "dataset", "1.4.1: complete upstream, below the highest indexed 2.1.0"),
        ("acme/vpc/aws", "missed-old-line", "dataset", "v1.0.1: complete upstream, below"),
    ]),
    ("older-format.toml", &[
        ("acme/rocket", "stranded", "upstream", "1.2.0: the release has no SHA256SUMS (expected terraform-provider-rocket_1.2.0_SHA256SUMS)"),
        ("acme/vpc/aws", "behind", "dataset", "v1.1.0: complete upstream, above"),
    ]),
    ("prerelease.toml", &[
        ("acme/earlier", "behind", "dataset", "3.2.4-alpha.3: complete upstream, above"),
        ("acme/early", "current", "served", "all 2 versions have their tags"),
        ("acme/hidden", "shadowed", "dataset", "3.2.4: a stable version, not indexed, hidden by the indexed prerelease 3.2.4-alpha.2"),
        ("acme/hidden/aws", "shadowed", "dataset", "v2.0.0: a stable version, not indexed, hidden by the indexed prerelease v2.0.0-rc1"),
    ]),
    ("refresh.toml", &[
        ("acme/rocket", "gone-upstream", "upstream", "1.0.0: indexed, but its tag is gone upstream"),
    ]),
    ("s1-mismatch.toml", &[
        ("cloudposse/utils@1.32.0", "missed-old-line", "dataset", "1.32.0: complete upstream, below the highest indexed 2.1.0"),
    ]),
    ("s1-old-line.toml", &[
        ("cloudposse/utils", "missed-old-line", "dataset", "1.33.0: complete upstream, below the highest indexed 2.1.0 (and 1 more)"),
        ("cloudposse/utils@v1.32.0", "missed-old-line", "dataset", "1.32.0: complete upstream"),
        ("cloudposse/utils@2.1.0", "current", "served", "2.1.0 is indexed, and the registry serves it"),
    ]),
    ("s12-backfill.toml", &[
        ("acme/quiet", "current", "served", "the one version has its tag, none missing"),
        ("acme/rocket", "drifted", "sums", "0.9.0: 1 of 1 stored checksums differ from upstream"),
    ]),
    ("s4-retry-wait.toml", &[
        ("auth0/auth0", "retry-wait", "tried", "1.58.0: complete since 2026-11-21 05:00Z; last tried on 2026-11-20 12:00Z; 8 failed tries; next try 2026-11-23 04:00Z"),
        ("https://github.com/auth0/terraform-provider-auth0/releases/tag/v1.58.0", "retry-wait", "tried", "1.58.0: complete since 2026-11-21 05:00Z"),
    ]),
    ("s4-still-absent.toml", &[
        ("auth0/auth0@1.58.0", "stranded", "upstream", "1.58.0: the release has no SHA256SUMS (expected terraform-provider-auth0_1.58.0_SHA256SUMS)"),
    ]),
    ("s5-recreated.toml", &[
        ("coralogix/coralogix", "drifted", "sums", "3.14.1: uploaded 2 h 20 min after it was indexed; 13 of 13 stored checksums differ from upstream"),
        ("coralogix/coralogix@3.14.1", "drifted", "sums", "3.14.1: uploaded 2 h 20 min after it was indexed"),
        ("coralogix/coralogix@3.14.2", "current", "served", "3.14.2 is indexed, and the registry serves it"),
    ]),
    ("s6-withdrawn.toml", &[
        ("hashicorp/aws@6.57.0", "current", "served", "6.57.0 is indexed, and the registry serves it"),
        ("opentofu/aws", "current", "served", "all 3 versions have their tags"),
    ]),
    ("s7-deleted-tag.toml", &[
        ("coder/coder", "gone-upstream", "upstream", "3.0.0: indexed, but its tag is gone upstream"),
        ("coder/coder@2.18.0-pre0", "drifted", "sums", "2.18.0-pre0: "),
        ("coder/coder@2.13.0", "missed-old-line", "dataset", "2.13.0: complete upstream, below"),
    ]),
    ("s8-half-same.toml", &[
        ("oracle/oci@6.11.0", "partial", "sums", "6.11.0: indexed with 1 of 14 targets, 13 platforms lost since 6.10.0"),
    ]),
    ("s8-half.toml", &[
        ("oracle/oci", "drifted", "sums", "6.11.0: uploaded 20 min after it was indexed; 1 of 1 stored checksums differ from upstream; partial: 1 of 14 targets"),
    ]),
    ("s9-first-key.toml", &[
        ("namecheap/namecheap", "current", "served", "all 3 versions have their tags"),
    ]),
    ("scratch.toml", &[
        ("acme/rocket", "gone-upstream", "upstream", "1.1.0: indexed, but its tag is gone upstream"),
    ]),
    ("tags-without-v.toml", &[
        ("acme/bare", "behind", "dataset", "1.1.0: complete upstream, above"),
        ("acme/bare/aws", "behind", "dataset", "v1.2.0: complete upstream, above"),
        ("acme/both/aws", "behind", "dataset", "1.0.0: complete upstream, above"),
        ("acme/mixed", "behind", "dataset", "1.2.0: complete upstream, above"),
    ]),
    ("triage.toml", &[
        // The way from the data to clients.
        ("nxt-fwd/kinde", "stale-api", "served", "the data has 0.1.0, and the served list has not; its download for linux_amd64 is there, so that an old list is likely"),
        ("nxt-fwd/kinde@0.1.0", "stale-api", "served", "the data has 0.1.0, and the served list has not"),
        ("nxt-fwd/kinde@0.1.0-rc2", "current", "served", "0.1.0-rc2 is indexed, and the registry serves it"),
        ("nxt-fwd/early@0.2.0", "pending", "served", "the data has 0.2.0, and the served list has not"),
        ("passbase/etcd@1.0", "clients-refuse", "dataset", "1.0: clients refuse every platform of it: platform not supported: clients take `1.0` for 1.0.0"),
        ("zededa/zedcloud@2.3.1-rc1", "current", "served", "2.3.1-RC1 is indexed, and the registry serves it"),
        ("umbrella/vpc/aws@1.0.0", "stale-api", "served", "the data has 1.0.0, and the served list has not"),
        ("zenith/booster", "gone-upstream", "upstream", "1.0.0: indexed, but the repository has no tags at all"),
        // Versions that are not there, and why.
        ("acme/rocket@1.1.0", "behind", "dataset", "1.1.0: complete upstream, above"),
        ("acme/rocket@1.2.0", "pending", "released", "1.2.0: published less than 30 minutes ago"),
        ("acme/rocket@1.0.1", "blocked", "blocked", "1.0.1: on the blacklist: Withdrawn by its authors."),
        ("acme/rocket@9.9.9", "no-version", "upstream", "acme/terraform-provider-rocket has no tag 9.9.9; its highest version is 1.2.0"),
        ("acme/rocket@1.2.3.4", "no-version", "upstream", "`1.2.3.4` is not a semantic version, and the registry takes no other tags"),
        ("acme/rocket@sdk/v1.0.0", "no-version", "upstream", "`sdk/v1.0.0` is not a semantic version"),
        // Forks of HashiCorp's providers.
        ("hashicorp/null", "mirror-behind", "mirror", "the fork opentofu/terraform-provider-null has the tag and no complete build: 3.2.4: a tag without a release"),
        ("hashicorp/null@3.2.3", "current", "served", "3.2.3 is indexed, and the registry serves it"),
        ("hashicorp/time", "mirror-behind", "mirror", "hashicorp/terraform-provider-time has 0.13.1, and the fork opentofu/terraform-provider-time has no such tag"),
        ("hashicorp/time@0.13.1", "mirror-behind", "mirror", "hashicorp/terraform-provider-time has 0.13.1"),
        // What the registry does not have.
        ("opentofu/time", "not-registered", "dataset", "the registry has no provider opentofu/time; opentofu/terraform-provider-time is there, with 1 version tag"),
        ("acme/lander", "not-registered", "dataset", "the registry has no provider acme/lander; acme/terraform-provider-lander is there, with 2 version tags"),
        ("old-name/rocket", "moved", "upstream", "the registry has no provider old-name/rocket; old-name/terraform-provider-rocket has moved to zenith/terraform-provider-booster"),
        ("acme/rockets", "not-registered", "dataset", "the registry has no provider acme/rockets, and acme/terraform-provider-rockets answers 404"),
        ("umbrella/vpc", "not-registered", "dataset", "the registry has no provider umbrella/vpc"),
        ("\u{430}cme/rocket", "not-registered", "dataset", "the registry has no provider \u{430}cme/rocket"),
        // An issue names what it is about.
        ("#5550", "behind", "dataset", "1.1.0: complete upstream, above"),
    ]),
    ("twins.toml", &[
        ("hashicorp/null", "behind", "dataset", "3.2.4: complete upstream, above the highest indexed 3.2.3"),
        ("opentofu/null@3.2.4", "behind", "dataset", "3.2.4: complete upstream, above"),
    ]),
];

async fn world(file: &str) -> Door {
    let text = std::fs::read_to_string(format!("tests/scenarios/{file}")).expect("a scenario");
    Door::on(before(&text)).await
}

fn answers(said: &Output) -> Vec<Value> {
    said.objects().into_iter().filter(|object| object["type"] == "triage").collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_of_every_scenario_has_its_cause() {
    stamped!(crate::COMMANDS);
    let files = std::fs::read_dir("tests/scenarios").expect("the scenarios");
    let paths = files.map(|file| std::path::PathBuf::from(file.expect("a file").file_name()));
    let worlds = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let files: BTreeSet<String> = worlds.map(|path| path.display().to_string()).collect();
    let known: BTreeSet<String> = TABLE.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(files, known, "every scenario has its rows");
    let mut rows = 0;
    for (file, table) in TABLE {
        let door = world(file).await;
        let typed: Vec<&str> = table.iter().map(|(typed, ..)| *typed).collect();
        let said = door.run(&[&["triage", "--json"][..], &typed].concat()).await;
        let found = answers(&said);
        assert_eq!(found.len(), table.len(), "{file}: {said}");
        for (row, found) in table.iter().zip(&found) {
            let (typed, status, answered, cause) = row;
            rows += 1;
            assert_eq!(found["typed"], *typed);
            assert_eq!(
                (&found["status"], &found["answered"]),
                (&(*status).into(), &(*answered).into()),
                "{file} {typed}: {found}"
            );
            let told = found["cause"].as_str().expect("a cause");
            assert!(told.starts_with(cause), "{file} {typed}: {told}");
            // The step that answers is one of them, and what nobody asked is no yes.
            let steps = found["steps"].as_array().expect("steps");
            assert_eq!(steps.len(), 10, "{found}");
            let of = |rung: &str| steps.iter().find(|step| step["rung"] == rung).expect("a step");
            assert_ne!(of(answered)["answer"], "not-checked", "{file} {typed}: {found}");
            assert!(["yes", "no"].contains(&of("search")["answer"].as_str().expect("an answer")), "{found}");
            // Nothing that could not be read is shown as fine.
            if *status == "unknown" {
                assert!(steps.iter().any(|step| step["answer"] == "unknown"), "{found}");
            }
        }
        // All of its entries stand in the table.
        let list = door.said("list --json").await;
        let asked: BTreeSet<&str> = table.iter().map(|(typed, ..)| *typed).collect();
        let told: BTreeSet<&str> = found.iter().filter_map(|one| one["address"].as_str()).collect();
        for entry in list.objects().iter().filter_map(|object| object["address"].as_str()) {
            assert!(asked.contains(entry) || told.contains(entry), "{file}: no row of {entry}");
        }
    }
    assert!(rows > 170, "{rows}");
}

/// 120 providers, half of them with a version that is missing.
fn many() -> String {
    let provider = |n: usize| {
        let releases = if n.is_multiple_of(2) { "releases = [\"v1.1.0\"]\n" } else { "" };
        format!(
            "[[provider]]\naddress = \"acme/rocket{n}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\n{releases}"
        )
    };
    let providers: String = (0..120).map(provider).collect();
    format!("clock = \"2026-11-21T12:00:00Z\"\n{providers}")
}

/// 200 lines, 80 of them for the second time, in another form.
fn list() -> String {
    let line = |n: usize| match n {
        0..120 => format!("acme/rocket{n}  # one of many\n"),
        _ => format!("https://github.com/Acme/terraform-provider-rocket{}/\n\n", n - 120),
    };
    (0..200).map(line).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_a_line_each_and_one_budget() {
    stamped!(crate::COMMANDS);
    let door = Door::on(&many()).await;
    let file = door.folder.path().join("list.txt");
    std::fs::write(&file, list()).expect("a file");
    let words = ["triage", "--from", file.to_str().expect("a path")];
    let said = door.run(&words).await;
    said.is(0, &["triage done: 200 entries"]);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), 200, "{said}");
    for (n, line) in lines.iter().enumerate() {
        let n = if n < 120 { n } else { n - 120 };
        let word = if n.is_multiple_of(2) { "⇡ BEHIND" } else { "✓ OK" };
        assert!(line.starts_with(&format!("{word} acme/rocket{n}: ")), "{line}");
    }
    // Each of the 120 once: one request for the tags, one feed, the list and one document of the registry's API.
    let exchanges = door.server.exchanges();
    let on = |lane: Lane| exchanges.iter().filter(|exchange| exchange.lane == lane).count();
    assert_eq!((on(Lane::Git), on(Lane::Feed), on(Lane::Served)), (120, 120, 240));
    // SHA256SUMS of what is indexed and of what is missing, the manifest of that; each redirects once.
    assert_eq!((on(Lane::Asset), on(Lane::Object)), (240, 240));
    let total = exchanges.len();
    assert!(total <= 1_100, "{total} requests for 120 entries");
    // A second list asks the same again, and one of the same lines from standard input gives the same.
    #[cfg(unix)]
    {
        let again = door.shell("exec < list.txt", &["triage", "--from", "-"]);
        assert_eq!(again.out, said.out, "{again}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_named_and_the_rest_is_told() {
    let door = world("triage.toml").await;
    let unread = |said: &Output, rung: &str| {
        let found = answers(said).remove(0);
        let steps = found["steps"].as_array().expect("steps").clone();
        let step = steps.into_iter().find(|step| step["rung"] == rung).expect("a step");
        (
            found["status"].clone(),
            step["answer"].clone(),
            step["evidence"].as_str().expect("a text").to_owned(),
        )
    };
    // The registry's API fails: what it would say is not known, and no version is fine for that.
    let fault = |lane| Fault::new(&[lane], FaultKind::Status(503));
    door.server.edit(|world| world.faults = vec![fault(Lane::Served)]);
    let said = door.said("triage acme/rocket@1.0.0 --json").await;
    let (status, answer, evidence) = unread(&said, "served");
    assert_eq!((status, answer, said.exit), ("unknown".into(), "unknown".into(), 3), "{said}");
    assert_eq!(evidence, "the list of the registry's API could not be read: it answered HTTP 503");
    // For a version that is missing the other steps answer all the same.
    let said = door.said("triage acme/rocket@1.1.0 --json").await;
    let (status, answer, _) = unread(&said, "served");
    assert_eq!((status, answer, said.exit), ("behind".into(), "unknown".into(), 5), "{said}");
    // HashiCorp's repository fails: whether the fork lags is not known.
    let fault_of = |lane, name: &str| {
        let mut fault = fault(lane);
        fault.repositories = vec![name.to_owned()];
        fault
    };
    door.server.edit(|world| world.faults = vec![fault_of(Lane::Git, "hashicorp/terraform-provider-null")]);
    let said = door.said("triage hashicorp/null@3.2.3 --json").await;
    let (status, answer, _) = unread(&said, "mirror");
    assert_eq!((status, answer, said.exit), ("current".into(), "unknown".into(), 5), "{said}");
    // Its issues fail.
    door.server.edit(|world| world.faults = vec![fault(Lane::Rest)]);
    door.said("triage #5550").await.is(3, &["issue #5550 could not be read: it answered HTTP 503"]);
    door.said("triage #5550 acme/rocket@1.0.0")
        .await
        .is(5, &["? #5550: issue #5550 could not be read", "✓ OK acme/rocket@1.0.0"]);
    // The host of the repositories is gone: the data and the API are told, and upstream is not known.
    door.server.edit(|world| world.faults = Vec::new());
    let mut door = door;
    let nowhere = closed_port();
    door.set("BUMPDESK_WEB_URL", &nowhere);
    let said = door.said("triage acme/rocket@1.1.0 acme/rocket@1.0.0 nobody/nothing --json").await;
    let found = answers(&said);
    assert_eq!(found.len(), 3, "{said}");
    let statuses: Vec<&Value> = found.iter().map(|one| &one["status"]).collect();
    assert_eq!(statuses, ["unknown", "unknown", "not-registered"], "{said}");
    let (_, answer, _) = unread(&said, "dataset");
    assert_eq!(answer, "no", "{said}");
    let (_, answer, _) = unread(&said, "upstream");
    assert_eq!(answer, "unknown", "{said}");
    assert!(said.exit == 5 || said.exit == 3, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_strangers_do_no_harm() {
    let door = world("triage.toml").await;
    let long = format!("acme/{}", "x".repeat(100_000));
    for (line, exit, told) in [
        ("acme", 2, "`acme` is nothing that can be looked up: write namespace/name"),
        ("acme/rocket@", 2, "there is no version after the `@`"),
        ("https://github.com/opentofu/registry/pull/12", 2, "`bumpdesk review 12`"),
        ("#5551", 2, "issue #5551 names no provider and no module"),
        ("#9", 2, "opentofu/registry has no issue #9 that everybody may read"),
        ("acme/\u{1b}[31mrocket", 2, "holds a character that cannot be seen"),
        (&long[..], 2, "it has 100005 bytes"),
        ("acme/rocket@1.2.3;reboot", 2, "is not a version"),
        ("0cme/rocket", 0, "perhaps acme/rocket is meant"),
    ] {
        let said = door.run(&["triage", line, "acme/rocket"]).await;
        assert_eq!(said.exit, exit, "{line:.60}: {said}");
        assert!(said.out.contains(told) || told.starts_with("perhaps"), "{line:.60}: {said}");
        assert!(!said.out.contains('\u{1b}') && !said.err.contains('\u{1b}'), "{line:.60}");
        assert_eq!(said.out.lines().count(), 2, "{said}");
    }
    assert!(door.said("triage acme/r0cket").await.out.contains("the digit 0 in the place of the letter o"));
    // Nothing was asked about what is no address.
    let targets: Vec<String> = door.server.exchanges().into_iter().map(|one| one.target).collect();
    assert!(
        targets.iter().all(|target| !target.contains("xxxx") && !target.contains("reboot")),
        "{targets:?}"
    );
}

/// What the answer quotes of others takes no effect, and it names nothing of this machine.
#[tokio::test(flavor = "multi_thread")]
async fn the_answer_for_others_is_inert() {
    let text = std::fs::read_to_string("tests/scenarios/triage.toml").expect("a scenario");
    let text = text.replace("Withdrawn by its authors.", "@everybody <img src=x> | `tick` [a](javascript:b)");
    let door = Door::on(&text).await;
    let said = door.said("triage acme/rocket@1.0.1 --markdown").await;
    said.is(0, &["Thank you for the report. `acme/rocket` `1.0.1` is **BLOCKED**"]);
    for line in said.out.lines().filter(|line| line.contains("@everybody")) {
        // Inside code alone, whose fence is longer than what stands in it.
        assert!(line.contains("`` 1.0.1") || line.contains("``1.0.1"), "{line}");
        assert!(!line.starts_with('|') || !line.contains(" | `tick`"), "a cell ends at the pipe: {line}");
    }
    let folder = door.folder.path().display().to_string();
    for line in ["acme/rocket@1.0.1", "hashicorp/null", "acme/lander", "nxt-fwd/kinde", "#5550"] {
        let said = door.said(&format!("triage {line} --markdown")).await;
        assert!(!said.out.contains(&folder) && !said.out.contains(CANARY), "{said}");
        assert!(said.out.len() < 65_536, "{}", said.out.len());
        assert!(said.out.contains("what is \"not checked\" was not looked at"), "{said}");
    }
}

/// The search site is updated late. A version that it lacks is a delay and not a fault, and a site that cannot be
/// read is reported as not known.
#[tokio::test(flavor = "multi_thread")]
async fn the_search_site_is_a_step_of_its_own() {
    let door = world("triage.toml").await;
    let ask = async |typed: &str| {
        let output = door.said(&format!("triage {typed} --json")).await;
        let found = answers(&output).remove(0);
        let steps = found["steps"].as_array().expect("steps").clone();
        let step = steps.into_iter().find(|step| step["rung"] == "search").expect("a step");
        let evidence = step["evidence"].as_str().expect("a text").to_owned();
        (found["status"].clone(), step["answer"].clone(), evidence)
    };
    let (status, answer, evidence) = ask("acme/rocket@1.0.0").await;
    assert_eq!((status, answer), ("current".into(), "yes".into()));
    assert_eq!(evidence, "the search site lists 1.0.0");
    // The site is late. The version can be installed, so the status stays.
    door.server.edit(|world| drop(world.searched.insert("acme/rocket".to_owned(), vec!["0.9.0".to_owned()])));
    let (status, answer, evidence) = ask("acme/rocket@1.0.0").await;
    assert_eq!((status, answer), ("current".into(), "no".into()));
    assert_eq!(
        evidence,
        "the search site has 1 version, the highest 0.9.0, and not 1.0.0: it comes there later, and clients do not need it"
    );
    // The site still lists a removed version.
    door.server.edit(|world| drop(world.searched.insert("acme/rocket".to_owned(), vec!["0.8.0".to_owned()])));
    let (_, answer, evidence) = ask("acme/rocket@0.8.0").await;
    assert_eq!(answer, "yes");
    assert!(evidence.ends_with("it has to be removed there"), "{evidence}");
    // The site does not know the entry.
    let (status, answer, evidence) = ask("nobody/nothing").await;
    assert_eq!((status, answer), ("not-registered".into(), "no".into()));
    assert_eq!(evidence, "the search site answers 404 for this entry");
    // The site fails, answers with a page, or redirects elsewhere: the result is not known, and the status stays.
    for (kind, why) in [
        (FaultKind::Status(503), "it answered HTTP 503"),
        (FaultKind::Html, "unreadable answer"),
        (FaultKind::Loop, "a redirect of the search API, which was not followed"),
    ] {
        door.server.edit(|world| world.faults = vec![Fault::new(&[Lane::Search], kind)]);
        let (status, answer, evidence) = ask("acme/rocket@1.0.0").await;
        assert_eq!((status, answer), ("current".into(), "unknown".into()), "{why}");
        assert!(
            evidence.starts_with("the search site could not be read: ") && evidence.contains(why),
            "{evidence}"
        );
    }
    // The token is not sent to the search site.
    let exchanges = door.server.exchanges();
    let mut searches = exchanges.iter().filter(|exchange| exchange.lane == Lane::Search);
    assert!(searches.clone().count() > 5);
    assert!(searches.all(|exchange| !format!("{exchange:?}").contains(CANARY)), "{exchanges:?}");
}
