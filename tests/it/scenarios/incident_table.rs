//! The public incidents of the registry, by their number in the project's list of them: the fact of each that
//! `tests/scenarios/incidents.toml` reproduces, and what the program says of it; or why it lies outside, or waits.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::door::Door;

/// What becomes of an incident here.
enum Here {
    /// A survey down to the checksums gives an entry this status, and this is in its cause or in one of its findings.
    Judged(&'static str, &'static str, &'static str),
    /// A command exits so, and says each of these.
    Says(&'static str, u8, &'static [&'static str]),
    /// Nothing that the registry's data or its upstream could show.
    Outside(&'static str),
    /// What would show it is not built yet.
    Later(&'static str),
}

use Here::{Judged, Later, Outside, Says};

const MIRROR: &str = "the watch over mirrors: which step of a fork's sync or build broke";
const HEALTH: &str = "the watch over the bump's own runs";
const SERVING: &str = "the ladder from the data to what users see: API, cache, search, downloads";
const CLIENT: &str = "a wish at clients: they take the hashes that the registry serves";

#[rustfmt::skip]
const INCIDENTS: &[(u32, &str, Here)] = &[
    // Re-uploaded after it was indexed.
    (1, "a release is rebuilt under its number; all 16 stored hashes are of the first build, for weeks", Judged("row/n001", "drifted", "16 of 16 stored checksums differ")),
    (2, "the newest version's archives change a day after it was indexed; the ones before are as they were", Judged("row/n002", "drifted", "1.13.0: uploaded 24 h")),
    (3, "a release is deleted and made again; two versions of 14 targets are stale", Judged("row/n003", "drifted", "14 of 14 stored checksums differ from upstream (and 1 more)")),
    (4, "a release job runs twice and overwrites 5 archives of 11; SHA256SUMS is that of one run", Says("verify row/n004@0.8.1", 1, &["MISMATCH  row/n004  0.8.1    5 targets", "upstream's SHA256SUMS does not match upstream's own zip", "11 targets: 5 MISMATCH, 6 OK"])),
    (5, "two runs of a release within an hour, the second after indexing; asked whether it is an attack", Judged("row/n005", "drifted", "uploaded 1 h 0 min after it was indexed; 9 of 9")),
    (6, "14 stale hashes that stand for weeks until somebody reports them", Judged("row/n006", "drifted", "14 of 14 stored checksums differ")),
    (7, "one version is published four times; the last is there now", Judged("row/n007", "drifted", "30.2.2: uploaded 5 h 0 min after it was indexed; 14 of 14")),
    (8, "a release candidate is made again some hours later; it is the highest version", Judged("row/n008", "drifted", "2.3.1-rc2: uploaded 6 h 0 min")),
    (9, "a release is taken back and published anew: the release itself is younger than the index", Judged("row/n009", "drifted", "2.22.3: uploaded 6 h 0 min after it was indexed")),
    (10, "a version is published again and signed by the key on file: the signature does not show the change", Judged("row/n010", "drifted", "1.15.0: uploaded 24 h")),
    (11, "a version no longer matches what was indexed more than a month before; GitHub has no digests of it", Judged("row/n011", "drifted", "1.43.0: uploaded 34 days after it was indexed; 3 of 3")),
    (12, "the only version of a provider is made again", Judged("row/n012", "drifted", "0.1.0: uploaded 24 h")),
    (13, "ten versions are re-uploaded at once", Judged("row/n013", "drifted", "(and 9 more)")),
    (14, "indexed at 14:48, uploaded at 17:08 of the same day: the times prove it", Judged("row/n014", "drifted", "1.5.0: uploaded 2 h 20 min after it was indexed")),
    (15, "a version needs indexing again, of a file that has no h1 at all", Judged("row/n015", "drifted", "2.6.0: uploaded 24 h")),
    (16, "a release is amended after indexing: one checksum of five is another", Judged("row/n016", "drifted", "1.4.0: uploaded 24 h 0 min after it was indexed; 1 of 5")),
    (17, "three versions are made again after a faulty release tool listed signatures among the sums", Judged("row/n017", "drifted", "SHA256SUMS lists its own signature")),
    (18, "the same tool's fault at a sibling, of one version; the hashes differ as well", Judged("row/n018", "drifted", "0.0.24: uploaded 7 days after it was indexed; 2 of 2")),
    (19, "a release pipeline runs twice within minutes; the registry has the first run's hashes", Judged("row/n019", "drifted", "2.21.1: uploaded 5 min after it was indexed; 4 of 4")),
    (20, "all 13 archives of an old prerelease differ, found while another fix was prepared", Judged("row/n020", "drifted", "2.18.0-pre0: uploaded 100 days after it was indexed; 13 of 13")),
    (21, "a release is made again with a further file, another licence", Judged("row/n021", "drifted", "6.14.0: uploaded 24 h")),
    (22, "a version is built twice; its author asks to change the hash or to remove it, which the policy refuses", Says("plan remove row/n022@8.54.0 --because double-publish", 4, &["13 of 13 targets differ", "/POLICY.md#version-immutability"])),
    (23, "all 13 targets differ from SHA256SUMS, uploaded 2 h 20 min after indexing", Judged("row/n023", "drifted", "3.14.1: uploaded 2 h 20 min after it was indexed; 13 of 13")),
    // Gone upstream.
    (24, "a mistyped version is deleted upstream and still the highest here", Judged("row/n024", "gone-upstream", "10.1.1: indexed, but its tag is gone upstream")),
    (25, "the latest version's release is gone, its tag stands: SHA256SUMS answers 404", Judged("row/n025", "gone-upstream", "1.16.0: indexed, but its SHA256SUMS is gone upstream")),
    (26, "a mirrored version is withdrawn; both namespaces of the mirror have it", Judged("opentofu/n026", "gone-upstream", "6.1.0: indexed, but its tag is gone upstream")),
    (27, "a module's version is revoked by its author", Judged("row/n027/aws", "gone-upstream", "v5.21.1: indexed, but its tag is gone upstream")),
    (28, "a provider begins again at 0.1.0 and deletes all 1.x releases, which are indexed", Judged("row/n028", "gone-upstream", "1.2.0: indexed, but its tag is gone upstream (and 2 more)")),
    (29, "1.0.0 came from a tag that was deleted, and stays above the 0.x versions that are meant", Judged("row/n029", "gone-upstream", "1.0.0: indexed, but its tag is gone upstream")),
    (30, "a highest version whose tag is gone, and beside it an old version that changed: both are told", Judged("row/n030", "gone-upstream", "uploaded 100 days after it was indexed; 13 of 13")),
    (31, "an accidental test prerelease that its author wants removed; nothing of it differs", Says("plan remove row/n031@0.20.0-test.1 --because change-of-mind", 4, &["0 of 2 targets differ", "changed their mind"])),
    (32, "a mirrored version is delisted: removed from both namespaces and kept out of both, in one plan", Says("plan remove hashicorp/n032@6.57.0 --because extreme-disruption --announcement https://example.com/a --issue 4812", 0, &["hashicorp/n032 6.57.0, opentofu/n032 6.57.0", "a plain removal would be re-added by the next bump"])),
    (33, "three release candidates are to be removed: refused the same day", Says("plan remove row/n033@2.0.0-rc1 row/n033@2.0.0-rc2 row/n033@2.0.0-rc3 --because change-of-mind", 4, &["0 of 6 targets differ"])),
    (34, "a provider was published by accident; its repository is deleted", Judged("row/n034", "repo-gone", "row/terraform-provider-n034 answers 404")),
    // The automation.
    (35, "a bump run hangs in its HTTP client", Later(HEALTH)),
    (36, "two runs of the automation overlap", Later(HEALTH)),
    (37, "a version is in the data and not installable, since a cycle takes two hours", Later(SERVING)),
    (38, "new tags of modules take too long to appear", Later(HEALTH)),
    (39, "a run waits for an approval that nobody configured", Later(HEALTH)),
    (40, "the same freeze again, unnoticed for days", Later(HEALTH)),
    (41, "a run waits 12 hours for an approval", Later(HEALTH)),
    (42, "two releases of one day are missing while the bump stands still; that it stands still is not told yet", Judged("row/n042", "behind", "3.70.1: complete upstream, above the highest indexed 3.69.0 (and 1 more)")),
    (43, "an outage at GitHub freezes the workflows", Later(HEALTH)),
    (44, "more than an hour from release to search, where half an hour is promised", Later(SERVING)),
    (45, "a wish for notifications instead of polling", Outside("a wish for another design of the registry")),
    // Mirrors.
    (46, "a mirror stays two minor versions behind", Says("triage hashicorp/n046", 0, &["MIRROR", "hashicorp/terraform-provider-n046 has 5.4.0, and the fork opentofu/terraform-provider-n046 has no such tag"])),
    (47, "a tag is moved at the source, and the fork's sync cannot follow", Later(MIRROR)),
    (48, "a mirrored release has no build for platforms that the version before had", Judged("hashicorp/n048", "behind", "1 platform lost since 5.60.0: freebsd_amd64")),
    (49, "several mirrors lack releases after a change of their build: a job of the fork failed", Says("triage hashicorp/n049@6.3.0", 0, &["MIRROR", "has the tag and no complete build", "the newest run of its workflows, Sync and build, failed 07:00Z: https://github.com/opentofu/terraform-provider-n049/actions/runs/"])),
    (50, "a mirror lacks two releases, within what its sync takes", Later(MIRROR)),
    (51, "every build of a fork fails for two days", Says("triage hashicorp/n051@6.17.0", 0, &["MIRROR", "the newest run of its workflows, Sync and build, failed 09:00Z: "])),
    (52, "an alpha is the newest of a mirror; the fork has the stable tag and never built a release of it", Says("triage hashicorp/n052@3.2.4", 0, &["MIRROR", "3.2.4: a tag without a release", "the newest run of its workflows, Sync and build, failed", "run the build of the fork opentofu/terraform-provider-n052 for this release"])),
    (53, "an alpha is the newest of a mirror, and hides the stable release above it", Judged("hashicorp/n053", "shadowed", "0.13.1: a stable version, not indexed, hidden by the indexed prerelease 0.13.1-alpha.1")),
    (54, "a fork's schedule is switched off after 60 quiet days", Says("triage hashicorp/n054", 0, &["MIRROR", "its schedule last started a run 61 days ago, and is most likely disabled", "look whether the schedule of the fork"])),
    (55, "a fork's sync does not run", Says("triage hashicorp/n055@3.1.2", 0, &["MIRROR", "the fork opentofu/terraform-provider-n055 has no such tag", "its schedule last started a run 3 days ago"])),
    (56, "a mirrored version is built wrongly inside", Outside("what an archive does when it runs is in no checksum")),
    // Change detection.
    (57, "two versions of an older line are never indexed, since a newer line was there already", Judged("row/n057", "missed-old-line", "1.33.0: complete upstream, below the highest indexed 2.1.0 (and 1 more)")),
    (58, "of two lines released together the higher one is missing, above what is indexed", Judged("row/n058", "behind", "6.2.0: complete upstream, above the highest indexed 6.1.0")),
    // Checksums and archives.
    (59, "three releases of years ago have no checksums and are tried for ever", Judged("row/n059", "stranded", "0.3.0: the release has no SHA256SUMS (expected terraform-provider-n059_0.3.0_SHA256SUMS) (and 2 more)")),
    (60, "an entry without any version, since its only release has no checksums", Judged("row/n060", "stranded", "1.0.0: the release has no SHA256SUMS")),
    (61, "indexed with 1 of 14 targets as the sums came first; even that one hash is another now", Judged("row/n061", "drifted", "1 of 1 stored checksums differ from upstream; partial: 1 of 14 targets, 13 platforms lost since 6.10.0")),
    (62, "a provider that is handed in has no checksums", Says("plan submit provider row/terraform-provider-n062", 4, &["upstream has no version that can be indexed; 1.0.0: left out: checksums not found in release"])),
    (63, "sums and archives have an additional v in their names, which the bump takes by now", Judged("row/n063", "behind", "1.11.2: complete upstream, above the highest indexed 1.11.1")),
    (64, "a provider that is handed in has no tag that is a version", Says("plan submit provider row/terraform-provider-n064", 4, &["upstream has no tag that is a version"])),
    (65, "only the Windows archive was a zip when it was indexed; the others came later, and its hash is the same", Judged("row/n065", "partial", "1.4.0: indexed with 1 of 4 targets, 3 platforms lost since 1.3.0")),
    (66, "the version is mistyped in one archive's name, so that a platform is missing", Judged("row/n066", "stranded", "SHA256SUMS lists what the release does not have: terraform-provider-n066_1.10.0_linux_amd64.zip")),
    (67, "published without checksums, complete by now, and waiting after 8 failed tries", Judged("row/n067", "retry-wait", "8 failed tries; next try 2026-11-23 04:00Z")),
    // Keys.
    (68, "no key is on file, so nothing is verified", Says("show row/n068", 0, &["none on file: OpenTofu checks no signature, Terraform refuses the entry"])),
    (69, "the key that was handed in is not the one that signs", Judged("row/n069", "key-mismatch", "0.1.0: signed by ")),
    (70, "the key of older versions was never handed in", Judged("row/n070", "key-mismatch", "on file (and 1 more)")),
    (71, "one of two keys has expired; what each signed still verifies, and there is no alarm", Judged("row/n071", "current", "the key expired on ")),
    (72, "reported as broken, while the new key lies on file under another name: all versions verify", Says("show row/n072", 0, &["both versions have good signatures"])),
    (73, "a wish for keys that count for some versions only", Outside("a wish for another format")),
    (74, "a donated repository: versions below 0.4.0 carry the giver's signature", Judged("row/n074", "key-mismatch", "0.3.0: signed by ")),
    (75, "the newest version is signed with a key that is not on file: an error for everybody", Judged("row/n075", "key-mismatch", "2.3.2: signed by ")),
    (76, "a release tool lists signatures inside SHA256SUMS", Judged("row/n076", "behind", "SHA256SUMS lists its own signature")),
    (77, "the first key on file makes the version of the key before it fail", Judged("row/n077", "key-mismatch", "2.2.0: signed by ")),
    (78, "a beta signed with a key that is not on file was indexed all the same", Judged("row/n078", "key-mismatch", "0.10.0-beta.0: signed by ")),
    // Names.
    (79, "an entry with capitals in its path", Says("lint", 1, &["providers/r/Row/N079.json: warning capitals-in-path"])),
    (80, "two entries that differ in case alone", Says("lint", 1, &["providers/r/row/N080.json: warning capitals-in-path", "providers/r/row/n080.json: "])),
    (81, "an address typed in another case finds its entry", Says("show ROW/N081", 0, &["row/n081"])),
    (82, "a module's path with capitals where the rest has none", Says("lint", 1, &["modules/r/row/n082/AWS.json: warning capitals-in-path"])),
    (83, "a version with capitals is listed and answers 404 for its download", Says("lint", 1, &["2.3.1-RC1 has capitals: download paths are lower case"])),
    (84, "a module whose name ends in a dot", Says("lint", 1, &["clients refuse the name `n084.`"])),
    // Modules.
    (85, "a module's tags have no v", Judged("row/n085/aws", "behind", "1.3.0: complete upstream, above the highest indexed 1.2.0")),
    (86, "a module with tags and without releases has no versions here", Judged("row/n086/aws", "behind", "v1.0.0: complete upstream, and nothing is indexed yet (and 1 more)")),
    (87, "a module's repository has lost all its tags", Judged("row/n087/aws", "gone-upstream", "v1.0.0: indexed, but the repository has no tags at all")),
    (88, "an organisation is renamed: the module's old address redirects", Judged("row/n088/aws", "moved", "row/terraform-aws-n088 redirects to renamed/terraform-aws-n088")),
    (89, "the search site lists one version of a module whose tags have no v", Later(SERVING)),
    (90, "a module's tag is moved after its commit was recorded", Judged("row/n090/aws", "drifted", "v1.1.0: tag moved: commit ")),
    (91, "a module that another one needs is not in the registry", Says("plan submit module row/terraform-aws-n091", 0, &["row/n091/aws", "v1.0.0 added"])),
    (92, "a module moved to another owner and goes on there; the old entry keeps following it", Judged("row/n092/aws", "moved", "row/terraform-aws-n092 redirects to newhome/terraform-aws-n092")),
    // Moved.
    (93, "archived providers need other names", Outside("names that the registry's own code gives to others")),
    (94, "a provider is deprecated, and its users are warned", Says("show row/n094", 0, &["This provider is deprecated."])),
    (95, "an author wants a superseded provider deleted; it gets a warning instead", Says("plan warn row/n095 --moved-to row/n094", 0, &["clients show it at the next `init` of everybody who uses the provider"])),
    (96, "a provider's repository is deleted after a move, with two versions indexed", Judged("row/n096", "repo-gone", "row/terraform-provider-n096 answers 404")),
    (97, "registered in the wrong namespace", Outside("whose a namespace is, people decide; a whole entry is removed by vote")),
    (98, "a provider is transferred: its old address redirects, and what is released there still comes", Judged("row/n098", "moved", "row/terraform-provider-n098 redirects to newhome/terraform-provider-n098")),
    // Serving.
    (99, "a version is said to be gone that the data never lost", Later(SERVING)),
    (100, "the API has a module's version that the search site lacks", Later(SERVING)),
    (101, "a provider is said to be stuck while the data goes on", Later(SERVING)),
    (102, "a provider is missing on the search site alone", Later(SERVING)),
    (103, "a provider's page is gone and installing works", Later(SERVING)),
    (104, "the registry answers some machines 403", Later(SERVING)),
    (105, "data and download are right, the list of versions is stale", Later(SERVING)),
    (106, "downloads time out behind a green status page", Later(SERVING)),
    // The rest.
    (107, "a manifest that is no JSON: the registry falls back to protocol 5.0, where it was 6.0", Judged("row/n107", "behind", "the manifest cannot be read as JSON: the registry assumes protocol 5.0")),
    (108, "GitHub answers 429: nothing is known of the entry until it may be asked again", Judged("row/n108", "unknown", "the tags could not be read: throttled until 2026-11-21 13:00:00Z")),
    (109, "the registry answers 429 to a bulk job", Later(SERVING)),
    (110, "GitHub tightens what it allows without a token", Outside("a change of GitHub's, without a fault here")),
    (111, "a lock file is to hold all platforms", Says("lock row/n111@1.0.0", 0, &["\"h1:", "\"zh:", "lock done: 3 targets"])),
    (112, "a client downloads everything again to lock", Outside(CLIENT)),
    (113, "tools forge lock files", Outside(CLIENT)),
    (114, "a client's cache is useless without all hashes", Outside(CLIENT)),
    (115, "h1 and size are computed of what is new, and nothing indexed before has them", Judged("row/n115", "h1-missing", "4 of 4 targets have no h1 or size")),
    (116, "a backfill leaves out a version whose tag has no v", Judged("row/n116", "size-missing", "OpenTofu clients from 1.12 on refuse darwin_amd64 and 1 more")),
    (117, "lock files flip between tools that know all h1 and tools that do not: half of the targets have none", Judged("row/n117", "size-missing", "OpenTofu clients from 1.12 on refuse darwin_amd64 and 3 more")),
    (118, "a pull request edits the data by hand: one digit is another", Says("review 118", 1, &["#118 Add a version: DIFFERS", "1.1.0 linux_amd64 shasum", "pull request 2b8d515e", "upstream     2b8d515e"])),
    (119, "no way to fetch a version again: it is refused with the rule", Says("plan remove row/n119@1.0.0 --because bug", 4, &["a bug, a regression or a mistake was found after the release"])),
    (120, "pull requests that delete providers", Says("review 120", 1, &["#120 Remove a provider: REFUSED", "the file is removed, and what is in it is indexed"])),
    (121, "a tag that never gets checksums fills the recorded failures, whose times no second run repeats", Judged("row/n121", "stranded", "1.1.0: a tag without a release")),
    (122, "a wish that authors have versions indexed again by themselves", Outside("refused by the registry's policy")),
    (123, "ever more requests to remove: the policy", Outside("a decision, not an entry; rows 22, 31, 33 and 119 are such requests")),
    (124, "a release is flagged as a prerelease on GitHub and is a stable version all the same", Judged("row/n124", "behind", "5.1.0: complete upstream, above the highest indexed 5.0.0")),
    (125, "only prereleases exist, which no range finds: nothing is wrong, and nobody is told why", Later("a word about entries that have only prereleases")),
];

/// So many public incidents are known.
const ALL: u32 = 125;
/// Fewer than these are not enough.
const LEAST: usize = 85;

#[test]
fn each_incident_stands_once() {
    let numbers: Vec<u32> = INCIDENTS.iter().map(|(number, ..)| *number).collect();
    assert_eq!(numbers, (1..=ALL).collect::<Vec<_>>());
    let facts: std::collections::BTreeSet<&str> = INCIDENTS.iter().map(|(_, fact, _)| *fact).collect();
    assert_eq!(facts.len(), INCIDENTS.len(), "each has a fact of its own");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_incident_that_is_inside_gets_its_verdict_and_its_cause() {
    stamped!(crate::COMMANDS);
    let door = Door::on(include_str!("../../scenarios/incidents.toml")).await;
    let surveyed = door.said("survey --depth sums --max-age 0 --json").await;
    let verdicts: BTreeMap<String, Value> = surveyed
        .objects()
        .into_iter()
        .filter_map(|object| Some((object["address"].as_str()?.to_owned(), object)))
        .collect();
    let (mut wrong, mut inside, mut outside, mut later) = (Vec::new(), 0, 0, 0);
    for (number, fact, here) in INCIDENTS {
        let fault = match here {
            Judged(address, status, cause) => {
                inside += 1;
                judged(&verdicts[*address], status, cause)
            }
            Says(line, exit, texts) => {
                inside += 1;
                let said = door.said(line).await;
                let whole = format!("{said}");
                let is_said = texts.iter().all(|text| whole.contains(text));
                (said.exit != *exit || !is_said).then_some(whole)
            }
            Outside(why) | Later(why) => {
                assert!(why.len() > 10, "{number}: say why");
                *if matches!(here, Outside(_)) { &mut outside } else { &mut later } += 1;
                None
            }
        };
        wrong.extend(fault.map(|fault| format!("{number}, {fact}: {fault}")));
    }
    println!("inside {inside}, outside {outside}, later {later}");
    assert!(wrong.is_empty(), "{} of {inside}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(inside >= LEAST, "{inside} are inside, and {LEAST} have to be");
}

/// What is said instead.
fn judged(verdict: &Value, status: &str, cause: &str) -> Option<String> {
    let findings = verdict["findings"].as_array().into_iter().flatten().map(|finding| &finding["text"]);
    let texts: Vec<&str> =
        std::iter::once(&verdict["because"]["text"]).chain(findings).filter_map(Value::as_str).collect();
    let is_it = verdict["status"] == status && texts.iter().any(|text| text.contains(cause));
    (!is_it).then(|| format!("{} because {texts:?}", verdict["status"]))
}
