//! A sending has the same digest, whoever makes it; another request, account or server gives another digest.

use std::collections::BTreeMap;

use super::*;
use crate::registry::Address;
use crate::rules::edit::Edit;
use crate::rules::finding::{FAILS, Finding, MISMATCH};
use crate::rules::lint::RULES;
use crate::rules::markdown::tests::{HOSTILE, is_inert};

fn registry() -> Repository {
    Repository::new("opentofu", "registry")
}

fn text() -> PullText {
    PullText {
        title: "Manual bump of acme/rocket provider".into(),
        body: "text".into(),
        message: "acme/rocket: 1.2.0".into(),
        draft: true,
        labels: vec!["manual-bump".into()],
        reviewers: Vec::new(),
        ..PullText::default()
    }
}

fn sending(account: &str, server: &str, text: &PullText) -> Sending {
    let servers = [server.to_owned(), format!("{server}/graphql")];
    let files = vec![CommittedFile { path: "providers/a/acme/rocket.json".into(), bytes: b"{}\n".to_vec() }];
    Sending::of_pull(
        (account, &servers),
        (&registry(), "main", &"a".repeat(40)),
        (&Repository::new("opentofu", "registry"), &branch_of("7c1e9a")),
        text,
        files,
    )
}

#[test]
fn the_rules_of_the_validator_are_lint_rules() {
    for name in super::gate::VALIDATOR {
        assert!(RULES.contains(&name), "{name}");
    }
}

#[test]
fn the_requests_of_a_pull_request() {
    let sending = sending("mona", "https://api.github.com", &text());
    let told: Vec<(String, String)> =
        sending.requests.iter().map(|request| (request.path(), request.purpose())).collect();
    let told: Vec<(&str, &str)> =
        told.iter().map(|(path, purpose)| (path.as_str(), purpose.as_str())).collect();
    assert_eq!(
        told,
        [
            ("/repos/opentofu/registry/git/refs", "make the branch bumpdesk/bump-7c1e9a at aaaaaaa"),
            ("/graphql", "commit 1 file on bumpdesk/bump-7c1e9a"),
            ("/repos/opentofu/registry/pulls", "open the draft pull request into main"),
            ("/repos/opentofu/registry/issues/{pull}/labels", "label it manual-bump"),
        ]
    );
    let commit = sending.requests[1].body();
    let input = &commit["variables"]["input"];
    assert_eq!(input["expectedHeadOid"], "a".repeat(40));
    assert_eq!(input["fileChanges"]["additions"][0]["contents"], "e30K");
    assert_eq!(sending.requests[2].body()["head"], "opentofu:bumpdesk/bump-7c1e9a");
}

#[test]
fn another_word_is_another_sending() {
    let server = "https://api.github.com";
    let first = sending("mona", server, &text());
    assert_eq!(first.digest(), sending("mona", server, &text()).digest());
    assert_eq!(first.name(), first.digest()[..6]);
    let others = [
        sending("lisa", server, &text()),
        sending("mona", "https://api.example", &text()),
        sending("mona", server, &PullText { title: "other".into(), ..text() }),
        sending("mona", server, &PullText { body: "other".into(), ..text() }),
        sending("mona", server, &PullText { draft: false, ..text() }),
        sending("mona", server, &PullText { labels: Vec::new(), ..text() }),
    ];
    for other in others {
        assert_ne!(first.digest(), other.digest(), "{other:?}");
    }
}

fn sent(address: Address, edit: Option<Edit>) -> SentFile {
    SentFile {
        path: address.path(),
        address,
        base_digest: "b".into(),
        outcome_digest: "o".into(),
        versions: Vec::new(),
        prediction: Prediction::Passes,
        repeat: None,
        edit,
    }
}

/// However much a plan holds, its title is one that GitHub takes, and calls a module no provider.
#[test]
fn titles_are_short_and_say_what_they_are_about() {
    let title = |files: &[SentFile]| {
        let evidence =
            Evidence::new(("0.1.0", crate::settings::Features::default()), ("7c1e9a", "aaaa"), files, None);
        PullText::of(files, &evidence, "main", &Author::default(), &[]).title
    };
    let (provider, module) = (Address::provider("acme", "rocket"), Address::module("acme", "vpc", "aws"));
    let both = [&provider, &module].map(|one| sent(one.clone(), Some(Edit::Submit)));
    assert_eq!(title(&both[..1]), "Create provider acme/rocket");
    assert_eq!(title(&both[1..]), "Create module acme/vpc/aws");
    assert_eq!(title(&both), "Create acme/rocket and acme/vpc/aws");
    let many = |new: &dyn Fn(usize) -> Address| -> Vec<SentFile> {
        (0..49).map(|at| sent(new(at), Some(Edit::Submit))).collect()
    };
    let modules = many(&|at| Address::module("acme", &format!("vpc{at}"), "aws"));
    assert_eq!(title(&modules), "Create 49 modules");
    let mixed: Vec<SentFile> = modules.into_iter().chain(both).collect();
    assert_eq!(title(&mixed), "Create 51 entries");
    let versions: Vec<String> = (0..60).map(|at| format!("1.{at}.0")).collect();
    let block = |address: Address| sent(address, Some(Edit::Block(versions.clone(), "malware".into())));
    assert_eq!(title(&[block(provider)]), "Keep acme/rocket 1.0.0 and 59 more out");
    let long = title(&[block(Address::provider("acme", &"x".repeat(300)))]);
    assert_eq!((long.chars().count(), long.ends_with('…')), (120, true), "{long}");
}

/// A fault of upstream itself is reported by its kind, whatever the file would be.
#[test]
fn the_check_is_foretold_to_end_with_an_error_on_what_its_tool_does_not_take() {
    let of = |rule: &'static str| Finding::warning(rule, "left out: …").on("1.0.0");
    let told = |rule| Prediction::Fails(Reason::of_upstream(&[of(rule)])).text();
    assert!(
        told(FAILS).contains("the check does not take the checksums or the manifest of 1 version (1.0.0)")
    );
    assert!(
        told(MISMATCH).contains("upstream's archives of 1 version (1.0.0) are not what its SHA256SUMS lists")
    );
    assert!(Reason::of_upstream(&[of("not-complete")]).is_empty(), "a failed try is recorded");
}

#[test]
fn gates_say_what_is_too_large() {
    let limits = Limits {
        files: 2,
        patch_bytes: 900_000,
        contents_bytes: 19_000_000,
        title_characters: 120,
        body_characters: 60_000,
    };
    let one = BTreeMap::from([('a', 2)]);
    let state = |limits| Gate::size(limits, &one).state;
    assert_eq!(state(limits), GateState::Pass);
    assert_eq!(state(Limits { files: 51, ..limits }), GateState::Fail);
    assert_eq!(state(Limits { patch_bytes: 1_000_001, ..limits }), GateState::Fail);
    assert_eq!(state(Limits { contents_bytes: 20_000_001, ..limits }), GateState::Fail);
    assert_eq!(state(Limits { body_characters: 60_001, ..limits }), GateState::Fail);
    assert_eq!(state(Limits { title_characters: 121, ..limits }), GateState::Fail);
    let alone = Limits { files: 1, patch_bytes: 2_500_000, contents_bytes: 25_000_000, ..limits };
    assert_eq!(state(alone), GateState::Pass, "a file that is too large for others goes alone");
    let gate = Gate::size(Limits { contents_bytes: 41_000_000, ..alone }, &one);
    assert_eq!((gate.state, gate.remedy.is_some()), (GateState::Fail, true));
    let several = BTreeMap::from([('a', 40), ('n', 20)]);
    let gate = Gate::size(Limits { files: 60, ..limits }, &several);
    let parts =
        "Send it in parts, each a pull request of its own: --letter a (40 files), --letter n (20 files).";
    assert_eq!((gate.state, gate.remedy.as_deref()), (GateState::Fail, Some(parts)));
}

#[test]
fn a_branch_or_a_pull_request_of_others_stands_in_the_way() {
    let branch = branch_of("7c1e9a");
    let free = Gate::competing(&branch, &BranchRead::Free { was: None }, 3, &[], BumpRead::Quiet);
    assert_eq!(
        (free.state, &*free.evidence),
        (GateState::Pass, "3 open pull requests read, and none of these files is in one; no bump runs")
    );
    let taken = BranchRead::Taken { pull: Some((12, "lisa".into())), ours: None };
    let gate = Gate::competing(&branch, &taken, 3, &[], BumpRead::Quiet);
    assert_eq!(gate.state, GateState::Fail);
    assert!(gate.evidence.contains("#12 of lisa"), "{}", gate.evidence);
    let ours = BranchRead::Taken { pull: None, ours: Some("4f21c0".into()) };
    let gate = Gate::competing(&branch, &ours, 3, &[], BumpRead::Quiet);
    assert!(gate.evidence.contains("sending 4f21c0 from here, which was cut off"), "{}", gate.evidence);
    assert!(gate.remedy.is_some_and(|remedy| remedy.contains("`bumpdesk pr resume 4f21c0 --write`")));
    let other =
        Competitor { number: 4, author: "lisa".into(), path: Some("providers/a/acme/rocket.json".into()) };
    let gate = Gate::competing(&branch, &BranchRead::Free { was: None }, 3, &[other], BumpRead::Quiet);
    assert_eq!(gate.state, GateState::Fail);
    assert!(gate.evidence.contains("#4 of lisa"), "{}", gate.evidence);
}

/// Versions as somebody may have written them into the registry's files, in every list that a pull request of ours has of them.
#[test]
fn versions_of_others_have_no_effect_in_the_text() {
    let all: Vec<String> = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    let reasons =
        [Reason::Removed, Reason::Vanished, Reason::Drifted, Reason::Outside].map(|of| of(all.clone()));
    for text in HOSTILE {
        let permit = |reason: &str| Edit::Block(all.clone(), reason.to_owned());
        for edit in
            [None, Some(Edit::ClearErrors(all.clone())), Some(Edit::Warn(text.into())), Some(permit(text))]
        {
            let version = |version: &String| SentVersion {
                place: 0,
                version: version.clone(),
                targets: 1,
                hashes: "0123456789abcdef0123".into(),
                tag_id: Some(text.into()),
                signed: text.into(),
                warnings: vec![text.into()],
            };
            let address = Address::provider("acme", "rocket");
            let file = SentFile {
                versions: all.iter().map(version).collect(),
                prediction: Prediction::Fails(reasons.to_vec()),
                repeat: edit.as_ref().map(|edit| edit.command(&address)),
                ..sent(address, edit)
            };
            let unknown = SentFile { prediction: Prediction::Unknown(text.into()), ..file.clone() };
            let files = [file, unknown];
            let of = ("0.1.0", crate::settings::Features::default());
            let evidence = Evidence::new(of, ("7c1e9a", "aaaa"), &files, None);
            let page = PullText::of(&files, &evidence, text, &Author::default(), &[]);
            let body = page.body.replace(&evidence.comment(), "");
            let (body, sign_off) = body.split_once("\n\nSigned-off-by: ").expect("a sign-off");
            assert_eq!(sign_off.trim().lines().count(), 1);
            is_inert(body);
            is_inert(&page.comment);
            is_inert(&page.question);
        }
    }
}

#[test]
fn evidence_ends_no_comment_and_texts_of_others_are_inert() {
    let file = SentFile {
        path: "providers/a/acme/-->.json".into(),
        versions: vec![SentVersion {
            place: 0,
            version: "1.2.0|@everybody".into(),
            targets: 11,
            hashes: "0123456789abcdef0123".into(),
            tag_id: Some("c".repeat(40)),
            signed: "ABCD <img src=x> `".into(),
            warnings: vec!["expected x, found nearest <img src=x> `".into()],
        }],
        repeat: Some("bumpdesk bump acme/rocket --now 2026-11-23T12:00:00Z".into()),
        ..sent(Address::provider("acme", "rocket"), None)
    };
    let files = [file];
    let evidence =
        Evidence::new(("0.1.0", crate::settings::Features::default()), ("7c1e9a", "aaaa"), &files, None);
    let comment = evidence.comment();
    assert_eq!(comment.matches("-->").count(), 1);
    let json = comment.lines().nth(1).unwrap();
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(json["files"][0]["path"], "providers/a/acme/-->.json");
    assert_eq!(json["features"].as_array().unwrap().len(), 4);
    let author = Author { login: "mona".into(), id: 7, name: Some("Mona (@L),\n[X](y) <z>".into()) };
    let text = PullText::of(&files, &evidence, "main", &author, &[5550]);
    assert_eq!(text.title, "Manual bump of acme/rocket provider");
    assert!(text.body.contains("Fixes #5550"));
    assert!(text.body.contains("| `1.2.0\\|@everybody` | 11 | `0123456789abcdef` |"), "{}", text.body);
    let warning = "- `acme/rocket` `1.2.0|@everybody`: `` expected x, found nearest <img src=x> ` ``";
    assert!(text.body.contains(warning), "{}", text.body);
    assert!(text.body.contains("`` ABCD <img src=x> ` ``"), "{}", text.body);
    let sign_off = "Signed-off-by: Mona LXy z <7+mona@users.noreply.github.com>";
    assert!(text.message.ends_with(sign_off), "{}", text.message);
    assert!(text.body.contains(sign_off));
}
