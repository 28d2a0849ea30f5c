//! S3 and S9 of the stories (`tests/scenarios/stories.md`) with their variants, and module tags that moved.

use bumpdesk::surface::rules::{Depth, Severity, Source, Verdict};

use super::scene::check_bytes;
use crate::door::Door;
use crate::stage::{Stage, line};

const S9: &str = include_str!("../../scenarios/s9-first-key.toml");
pub(super) const A: &str = include_str!("../../scenarios/s9-a.asc");
pub(super) const A_EXPIRED: &str = include_str!("../../scenarios/s9-a-expired.asc");
pub(super) const B: &str = include_str!("../../scenarios/s9-b.asc");

/// A key that only certifies, and the same with a subkey that signs.
pub(super) const C_CERTIFIES: &str = include_str!("../../scenarios/s9-c-certifies.asc");
pub(super) const C: &str = include_str!("../../scenarios/s9-c.asc");

/// S9 with these keys on file.
pub(super) fn s9(keys: &[(&str, &str)]) -> String {
    let files =
        keys.iter().map(|(name, text)| format!("\"keys/n/namecheap/{name}.asc\" = \"\"\"\n{text}\"\"\"\n"));
    format!("{S9}\n[file]\n{}", files.collect::<String>())
}

async fn judged(text: &str, address: &str) -> Verdict {
    let mut stage = Stage::set(text).await;
    stage.steady(Depth::Sums).await.remove(address).expect("an entry")
}

fn rules(verdict: &Verdict) -> Vec<(&str, Option<&str>)> {
    verdict.findings.iter().map(|finding| (&*finding.rule, finding.version.as_deref())).collect()
}

/// Two versions whose checksums nobody finds: 1.11.1 has none at all, 1.11.2 has them under this name.
fn s3(name: &str) -> String {
    format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"microsoft/azuredevops\"\n\
         targets = [\"linux_amd64\", \"windows_amd64\"]\nstored = [\"1.11.0\", \"1.10.0\"]\n\
         releases = [\n  {{ tag = \"v1.11.2\", published = \"-12d\", sums_name = \"{name}\" }},\n  \
         {{ tag = \"v1.11.1\", published = \"-13d\", sums_name = \"terraform-provider-azuredevops_1.11.01_SHA256SUMS\" }},\n]\n\
         errors = [\n  {{ version = \"1.11.1\", message = \"checksums not found in release\", count = 9, last = \"-4d\" }},\n  \
         {{ version = \"1.11.2\", message = \"checksums not found in release\", count = 9, last = \"-3d2h\" }},\n]\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn s3_renamed_checksum_file() {
    for (name, found) in [
        ("terraform-provider-azuredevops_1.11.02_SHA256SUMS", true),
        ("azuredevops_1.11.2_SHA256SUMS", true),
        ("terraform-provider-azuredevops_1.11.2_SHA256SUMS.sig", false),
    ] {
        let text = s3(name);
        let mut stage = Stage::set(&text).await;
        let verdicts = stage.steady(Depth::Versions).await;
        let verdict = &verdicts["microsoft/azuredevops"];
        assert_eq!(line(verdict), "stranded 1.11.2=stranded 1.11.1=stranded");
        let expected = "terraform-provider-azuredevops_1.11.2_SHA256SUMS";
        let reason = if found {
            format!("expected {expected}, found nearest {name}")
        } else {
            format!("the release has no SHA256SUMS (expected {expected})")
        };
        assert_eq!(verdict.because.text, format!("1.11.2: {reason} (and 1 more)"));
        assert_eq!(
            verdict.versions[1].reason,
            "expected terraform-provider-azuredevops_1.11.1_SHA256SUMS, \
             found nearest terraform-provider-azuredevops_1.11.01_SHA256SUMS"
        );
        // A manual bump would not be what the registry writes: nothing is proposed, and the records stay as they are.
        let old = stage.file("microsoft/azuredevops");
        assert_eq!(old.matches("checksums not found in release").count(), 18, "{old}");
        check_bytes(&mut stage, &text, verdicts.keys()).await;
        assert_eq!(stage.file("microsoft/azuredevops"), old);
    }
}

/// An extra `v` is taken by today's bump.
#[tokio::test(flavor = "multi_thread")]
async fn s3_an_extra_v_is_indexed() {
    let text = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"microsoft/azuredevops\"\n\
                targets = [\"linux_amd64\"]\nstored = [\"1.11.0\"]\n\
                releases = [{ tag = \"v1.11.2\", published = \"-12d\", sums_name = \"terraform-provider-azuredevops_v1.11.2_SHA256SUMS\" }]\n";
    let mut stage = Stage::set(text).await;
    assert_eq!(line(&stage.steady(Depth::Versions).await["microsoft/azuredevops"]), "behind 1.11.2=behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn s9_no_key_is_no_fault() {
    let verdict = judged(S9, "namecheap/namecheap").await;
    assert_eq!((line(&verdict).as_str(), verdict.depth), ("current", Some(Depth::Sums)));
}

#[tokio::test(flavor = "multi_thread")]
async fn s9_with_keys_on_file() {
    let verdict = judged(&s9(&[("b", B)]), "namecheap/namecheap").await;
    assert_eq!(line(&verdict), "key-mismatch 2.2.0=key-mismatch");
    assert_eq!(verdict.because.text, "2.2.0: signed by FB643F858ADD4ECD; only 66113FE92198D26C on file");
    assert_eq!(verdict.because.source, Source::Signature);
    assert_eq!(verdict.because.at.map(|at| at.to_string()).as_deref(), Some("2026-11-21T12:00:00Z"));

    let verdict = judged(&s9(&[("a", A), ("b", B)]), "namecheap/namecheap").await;
    assert_eq!((line(&verdict).as_str(), rules(&verdict)), ("current", vec![]));

    // An expired A that still verifies 2.2.0: shown, no alarm.
    let verdict = judged(&s9(&[("a", A_EXPIRED), ("b", B)]), "namecheap/namecheap").await;
    assert_eq!(verdict.word(), "OK");
    assert_eq!(rules(&verdict), [("key-expired", Some("2.2.0")), ("key-expired", None)]);
    assert!(verdict.findings.iter().all(|finding| finding.severity == Severity::Note), "{verdict:?}");

    // Without another key it is one.
    let verdict = judged(&s9(&[("a", A_EXPIRED)]), "namecheap/namecheap").await;
    assert_eq!(
        line(&verdict),
        "key-mismatch 2.4.0=key-mismatch 2.3.3=key-mismatch 2.2.0=key-expired; key-expired"
    );
}

/// Keys say who may be trusted, not what is indexed: whichever are on file, the rebuild changes no byte.
#[tokio::test(flavor = "multi_thread")]
async fn s9_keys_change_nothing_in_the_data_file() {
    let mut bare = Stage::set(S9).await;
    let file = bare.file("namecheap/namecheap");
    check_bytes(&mut bare, S9, ["namecheap/namecheap".to_owned()].iter()).await;
    for keys in [
        &[("b", B)][..],
        &[("a", A)],
        &[("a", A), ("b", B)],
        &[("a", A_EXPIRED), ("b", B)],
        &[("a", A_EXPIRED)],
    ] {
        let text = s9(keys);
        let mut stage = Stage::set(&text).await;
        let verdicts = stage.steady(Depth::Sums).await;
        assert_eq!(stage.file("namecheap/namecheap"), file);
        check_bytes(&mut stage, &text, verdicts.keys()).await;
        assert_eq!(stage.file("namecheap/namecheap"), file);
    }
}

/// One request for each version whose provider has keys, kept with the sums; and a key file that changes is judged anew
/// without any.
#[tokio::test(flavor = "multi_thread")]
async fn s9_signatures_are_read_once() {
    let mut bare = Stage::set(S9).await;
    bare.survey(Depth::Sums).await;
    let without = bare.server.counts().total();
    let mut stage = Stage::set(&s9(&[("b", B)])).await;
    stage.survey(Depth::Sums).await;
    // GitHub answers for each with a redirect to its storage.
    assert_eq!(stage.server.counts().total(), without + 3 * 2);
    stage.server.forget();
    let key = stage.registry().join("keys/n/namecheap/a.asc");
    std::fs::write(key, A).expect("a key file");
    stage.restart();
    let (verdicts, summary) = stage.survey_aged(Depth::Sums, std::time::Duration::from_mins(15)).await;
    assert_eq!((stage.server.counts().total(), summary.requests), (0, 0));
    assert_eq!(line(&verdicts["namecheap/namecheap"]), "current");
}

/// A signature that does not come is not checked, and never fine.
#[tokio::test(flavor = "multi_thread")]
async fn s9_unread_signatures_are_unknown() {
    let fault = "\n[[fault]]\non = \"asset\"\npath = \"*_SHA256SUMS.sig\"\nkind = \"status:500\"\n";
    let (head, tail) =
        s9(&[("b", B)]).split_once("\n[file]").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("keys");
    let mut stage = Stage::set(&format!("{head}{fault}\n[file]{tail}")).await;
    let verdict = &stage.survey(Depth::Sums).await["namecheap/namecheap"];
    assert_eq!(line(verdict), "unknown 2.4.0=unknown 2.3.3=unknown 2.2.0=unknown");
    assert!(verdict.because.text.contains("its signature could not be read"), "{:?}", verdict.because);
}

/// GoReleaser 2.15 lists the signature among the sums.
#[tokio::test(flavor = "multi_thread")]
async fn sums_that_list_their_own_signature() {
    let text = "clock = \"2026-11-21T12:00:00Z\"\n[[provider]]\naddress = \"acme/rocket\"\n\
                targets = [\"linux_amd64\"]\nstored = [\"1.1.0\", \"1.0.0\"]\n\
                releases = [{ tag = \"v1.1.0\", sums = \"extra\" }]\n";
    let verdict = judged(text, "acme/rocket").await;
    assert_eq!(verdict.word(), "OK");
    assert_eq!(rules(&verdict), [("sums-list-signature", Some("1.1.0"))]);
}

/// A module tag that moved after its commit was recorded.
#[tokio::test(flavor = "multi_thread")]
async fn module_tags_that_moved() {
    let text = "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"acme/rocket/aws\"\n\
                stored = [\"v1.1.0\", \"v1.0.0\"]\nretagged = [\"v1.0.0\"]\n";
    let verdict = judged(text, "acme/rocket/aws").await;
    assert_eq!(verdict.word(), "DRIFT");
    assert_eq!(line(&verdict), "drifted v1.0.0=drifted; tag-moved");
    assert!(verdict.because.text.starts_with("v1.0.0: tag moved: commit "), "{:?}", verdict.because);
    assert_eq!(verdict.because.source, Source::Tags);
    assert_eq!(rules(&verdict), [("tag-moved", Some("v1.0.0"))]);
    let ids: Vec<&str> =
        verdict.findings[0].text.split_whitespace().filter(|word| word.len() == 40).collect();
    assert_eq!(ids.len(), 2, "{:?}", verdict.findings);
    assert_ne!(ids[0], ids[1]);
}

/// `show` has the keys with their ends, what the versions come to, and what one more key would change.
#[tokio::test(flavor = "multi_thread")]
async fn show_tells_of_keys() {
    let door = Door::on(S9).await;
    let key = door.folder.path().join("new.asc");
    std::fs::write(&key, B).expect("a key file");
    let line = format!("show namecheap/namecheap --with-key {}", key.display());
    let told = door.said(&line).await;
    let preview =
        "66113FE92198D26C verifies 2 of 3 versions; 2.2.0 installs today without a check and would fail";
    told.is(0, &["none on file", preview, "would stop 2.2.0: signed by FB643F858ADD4ECD"]);
    let shown = door.said(&format!("{line} --json")).await;
    let keys = &shown.object("entry", "namecheap/namecheap")["keys"];
    assert_eq!(keys["with_key"]["text"], preview);
    assert_eq!(keys["with_key"]["stops"], serde_json::json!(["2.2.0"]));
    assert_eq!(keys["with_key"]["verifies"], serde_json::json!(["2.4.0", "2.3.3"]));
    assert_eq!(keys["on_file"], serde_json::json!([]));
    let missing = door.said("show namecheap/namecheap --with-key /nowhere/key.asc").await;
    assert_ne!(missing.exit, 0);

    let door = Door::on(&s9(&[("a", A_EXPIRED), ("b", B)])).await;
    let told = door.said("show namecheap/namecheap --depth sums --max-age 0").await;
    told.is(
        0,
        &[
            "FB643F858ADD4ECD, expired on 2025-12-31 (keys/n/namecheap/a.asc)",
            "66113FE92198D26C, does not expire (keys/n/namecheap/b.asc)",
            "1 version has a good signature with a warning up to 2.2.0",
        ],
    );
    let shown = door.said("show namecheap/namecheap --json").await;
    let keys = &shown.object("entry", "namecheap/namecheap")["keys"];
    assert_eq!(keys["on_file"][0]["expires"], "2025-12-31T00:00:00Z");
    assert_eq!(keys["versions"][0]["fares"], "installs");
    assert_eq!(keys["versions"][2]["fares"], "warns");

    let door = Door::on(&s9(&[("b", B)])).await;
    let told = door.said("show namecheap/namecheap --depth sums --max-age 0").await;
    told.is(
        0,
        &["1 version fails up to 2.2.0", "2.2.0: signed by FB643F858ADD4ECD; only 66113FE92198D26C on file"],
    );
    let told = door.said("list --status keys").await;
    told.is(0, &["KEYS", "namecheap/namecheap"]);
    assert_eq!(told.out, door.said("list --status key-mismatch").await.out);
    assert_eq!(told.out, door.said("list --filter status:keys").await.out);
    assert_eq!(door.said("list --status unsigned").await.out, "");
}
