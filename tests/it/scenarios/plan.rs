//! The plan through the front door: added, shown, approved, rejected, built again, dropped. No data file is ever touched.

use std::time::Duration;

use bumpdesk::surface::jobs::{Job, JobEvent, Outcome, PlanAdd, PlanMark, PlanTask};
use bumpdesk::surface::registry::Address;
use bumpdesk::surface::rules::Mode;
use bumpdesk::surface::rules::plan::{PieceId, Verb, Which};
use serde_json::Value;

use crate::door::{Door, Output, WORLD};
use crate::stage::Stage;

/// A world in which one provider lacks two versions.
fn two_behind() -> String {
    WORLD.replace("releases = [\"v1.1.0\"]", "releases = [\"v1.1.0\", \"v1.2.0\"]")
}

/// `to-review 1.2.0=open 1.1.0=approved` of one planned file.
fn told(said: &Output, address: &str) -> String {
    let file = said.object("planned", address);
    let changes = file["changes"].as_array().expect("changes");
    let change = |change: &Value| {
        let seen = if change["seen"] == true { "" } else { "unseen " };
        format!(
            "{}={seen}{}",
            change["version"].as_str().unwrap_or("rest"),
            change["answer"].as_str().expect("a word")
        )
    };
    let changes: Vec<String> = changes.iter().map(change).collect();
    format!("{} {}", file["state"].as_str().expect("a word"), changes.join(" "))
}

fn plan(said: &Output) -> Value {
    said.objects().into_iter().find(|object| object["type"] == "plan").unwrap_or_else(|| panic!("{said}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_printed_may_be_approved_and_nothing_else() {
    let door = Door::on(&two_behind()).await;
    door.said("plan show").await.is(0, &["the plan is empty"]);
    let added = door.said("plan add acme/rocket umbrella/vpc/aws acme/quiet").await;
    added.is(0, &["acme/rocket  + ADDITIVE  TO REVIEW", "`acme/quiet` is not planned, nothing would change"]);
    added.is(
        0,
        &["2 versions left to look at before it can be approved", "+ 1.2.0 added, 1 target: not looked at"],
    );
    let refused = door.said("plan approve acme/rocket umbrella/vpc/aws").await;
    refused.is(
        4,
        &[
            "acme/rocket: 2 versions left to look at",
            "umbrella/vpc/aws: 1 version left",
            "nothing was changed",
        ],
    );
    let listed = door.said("plan show --json").await;
    assert_eq!(told(&listed, "acme/rocket"), "to-review 1.2.0=unseen open 1.1.0=unseen open");
    let shown = door.said("plan show acme/rocket").await;
    shown.is(
        0,
        &["+++ b/providers/a/acme/rocket.json", "+      \"version\": \"1.2.0\"", "counts as looked at"],
    );
    door.said("plan approve acme/rocket@v1.2.0 --note fine")
        .await
        .is(0, &["1 target: approved", "note: fine"]);
    assert_eq!(
        told(&door.said("plan show --json").await, "acme/rocket"),
        "to-review 1.2.0=approved 1.1.0=open"
    );
    let approved = door.said("plan approve acme/rocket --json").await;
    assert_eq!(told(&approved, "acme/rocket"), "approved 1.2.0=approved 1.1.0=approved");
    let whole = plan(&approved);
    assert_eq!(
        (&whole["approved"], &whole["unseen_changes"], &whole["files"]),
        (&false.into(), &1.into(), &2.into())
    );
    // In JSON the patch stands in the object: that is the text as well.
    let shown = door.said("plan show umbrella/vpc/aws --json").await;
    assert!(
        shown.object("planned", "umbrella/vpc/aws")["patch"].as_str().expect("a patch").contains("v1.1.0")
    );
    let done = door.said("plan approve umbrella/vpc/aws --json").await;
    assert_eq!(plan(&done)["approved"], true);
    door.said("plan approve acme/rocket@").await.is(2, &["there is no version after the `@`"]);
    door.said("plan drop --all").await.is(0, &["the plan is empty"]);
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_versions_stay_out() {
    let door = Door::on(&two_behind()).await;
    let added = door.said("plan add acme/rocket --json").await;
    let before = added.object("planned", "acme/rocket")["sha256"].clone();
    let words = ["plan", "reject", "acme/rocket@1.2.0", "--note", "wrong signature", "--json"];
    let rejected = door.run(&words).await;
    assert_ne!(rejected.object("planned", "acme/rocket")["sha256"], before);
    assert_ne!(plan(&rejected)["digest"], plan(&added)["digest"]);
    door.said("plan show acme/rocket").await.is(0, &["rejected", "note: wrong signature"]);
    let approved = door.said("plan approve acme/rocket --json").await;
    assert_eq!(told(&approved, "acme/rocket"), "approved 1.2.0=rejected 1.1.0=approved");
    let nothing = door.said("plan reject acme/rocket --json").await;
    assert_eq!(told(&nothing, "acme/rocket"), "nothing-left 1.2.0=rejected 1.1.0=rejected");
    assert_eq!(plan(&nothing)["digest"], Value::Null);
    let reopened = door.said("plan reopen acme/rocket@1.1.0 --json").await;
    assert_eq!(told(&reopened, "acme/rocket"), "to-review 1.2.0=rejected 1.1.0=open");
    door.is_untouched();
}

/// Built again at another time: what is the same keeps its marks and the plan its digest; what is not loses them.
#[tokio::test(flavor = "multi_thread")]
async fn marks_outlive_a_rebuild_that_changes_nothing() {
    let mut door = Door::on(&two_behind()).await;
    door.said("plan add acme/rocket").await.is(0, &[]);
    door.said("plan show acme/rocket").await.is(0, &[]);
    let before = door.said("plan approve acme/rocket --json").await;
    door.server.edit(|world| world.now += Duration::from_hours(1));
    let now = door.server.look(|world| world.now).to_string();
    door.set("BUMPDESK_NOW", &now);
    let again = door.said("plan rebuild --json").await;
    assert_eq!(told(&again, "acme/rocket"), told(&before, "acme/rocket"));
    assert_eq!(plan(&again)["digest"], plan(&before)["digest"]);
    // Somebody adds a warning: the base is another one, the versions are the same.
    let path = "providers/a/acme/rocket.json";
    let text = door.read(path).trim_end().trim_end_matches('}').trim_end().to_owned();
    door.put(path, format!("{text},\n  \"warnings\": [\n    \"beta\"\n  ]\n}}").as_bytes());
    door.settle();
    let stale = door.said("plan show --json").await;
    assert!(told(&stale, "acme/rocket").starts_with("held"), "{stale}");
    assert_eq!(stale.object("planned", "acme/rocket")["standing"], "stale");
    door.said("plan approve acme/rocket").await.is(4, &["changed since this was built"]);
    let again = door.said("plan rebuild --json").await;
    again.is(0, &["changed in the registry since it was planned"]);
    assert_eq!(told(&again, "acme/rocket"), told(&before, "acme/rocket"));
    // The registry's own bump takes the versions: nothing is left to propose.
    door.said("bump acme/rocket").await.is(0, &["wrote providers/a/acme/rocket.json"]);
    door.settle();
    let taken = door.said("plan rebuild").await;
    taken.is(0, &["`acme/rocket` leaves the plan, nothing would change", "the plan is empty"]);
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_changes_no_plan() {
    let door = Door::on(&two_behind()).await;
    door.said("plan add acme/rocket").await.is(0, &[]);
    let kind = demo::fault::FaultKind::try_from("status:500".to_owned()).expect("a kind");
    let lanes = [demo::fault::Lane::Git, demo::fault::Lane::Feed];
    door.server.edit(|world| world.faults = vec![demo::fault::Fault::new(&lanes, kind)]);
    let failed = door.said("plan rebuild").await;
    failed.is(3, &["`acme/rocket` stays as it was planned: upstream could not be read", "TO REVIEW"]);
    let failed = door.said("plan add acme/quiet --max-age 0").await;
    failed.is(3, &["`acme/quiet` is not planned: upstream could not be read"]);
    door.is_untouched();
}

/// One of several that cannot be planned costs the others nothing, unless it is a slip of the pen: then nothing is begun.
#[tokio::test(flavor = "multi_thread")]
async fn one_of_several_that_cannot_be_planned() {
    let door = Door::on(&two_behind()).await;
    let kind = demo::fault::FaultKind::try_from("status:500".to_owned()).expect("a kind");
    let lanes = [demo::fault::Lane::Git];
    let fault = demo::fault::Fault::new(&lanes, kind).at("umbrella/terraform-aws-vpc");
    door.server.edit(|world| world.faults = vec![fault]);
    let typo = door.said("plan add acme/rocket acme/rokcet").await;
    typo.is(2, &["acme/rokcet"]);
    door.said("plan show").await.is(0, &["the plan is empty"]);
    let some = door.said("plan add umbrella/vpc/aws acme/rocket acme/quiet").await;
    some.is(
        5,
        &[
            "`umbrella/vpc/aws` is not planned: upstream could not be read",
            "`acme/quiet` is not planned, nothing would change",
            "acme/rocket  + ADDITIVE  TO REVIEW",
        ],
    );
    let kept = door.said("plan show --json").await;
    kept.is(0, &[]);
    assert_eq!(plan(&kept)["files"], 1);
    door.is_untouched();
}

/// Of two versions, one of them approved, one cannot be read any more: the plan keeps both, and what was said.
#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_cannot_be_read_again_stays_planned() {
    let door = Door::on(&two_behind()).await;
    door.said("plan add acme/rocket").await.is(0, &[]);
    door.said("plan show acme/rocket").await.is(0, &[]);
    door.said("plan approve acme/rocket@1.2.0 --note fine").await.is(0, &["note: fine"]);
    let before = door.said("plan show --json").await;
    let kind = demo::fault::FaultKind::try_from("status:500".to_owned()).expect("a kind");
    let lanes = [demo::fault::Lane::Asset];
    let mut fault = demo::fault::Fault::new(&lanes, kind);
    fault.path = Some("*v1.2.0*".into());
    door.server.edit(|world| world.faults = vec![fault]);
    for words in ["plan rebuild --max-age 0 --json", "plan add acme/rocket --max-age 0 --json"] {
        let failed = door.said(words).await;
        failed.is(3, &["`acme/rocket` stays as it was planned: upstream could not be read"]);
        assert_eq!(told(&failed, "acme/rocket"), told(&before, "acme/rocket"));
        assert_eq!(plan(&failed)["digest"], plan(&before)["digest"]);
    }
    door.said("plan show").await.is(0, &["note: fine"]);
    door.is_untouched();
}

/// A screen sends marks of what it showed a moment ago: those that still mean something are kept.
#[tokio::test(flavor = "multi_thread")]
async fn marks_of_what_is_gone_cost_no_others() {
    let mut stage = Stage::set(&two_behind()).await;
    let rocket = Address::provider("acme", "rocket");
    let add = PlanAdd { files: vec![(rocket.clone(), Mode::Add)], max_age: Duration::ZERO };
    let (events, _) = stage.run(Job::Plan(PlanTask::Add(add))).await;
    let planned = |events: &[JobEvent]| {
        let mut plans = events.iter().filter_map(|event| match event {
            JobEvent::Planned(plan) => Some(plan.clone()),
            _ => None,
        });
        plans.next_back().expect("a plan")
    };
    let there = planned(&events).find(&rocket).expect("planned").pieces[0].id.clone();
    let see = |address: &Address, id| PlanMark {
        address: address.clone(),
        which: Which::Piece(id),
        verb: Verb::See,
    };
    let gone = || PieceId("0".repeat(64));
    let marks =
        vec![see(&rocket, gone()), see(&rocket, there), see(&Address::provider("acme", "quiet"), gone())];
    let (events, outcome) = stage.run(Job::Plan(PlanTask::Mark(marks))).await;
    assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
    let seen: Vec<bool> =
        planned(&events).find(&rocket).expect("planned").pieces.iter().map(|piece| piece.mark.seen).collect();
    assert_eq!(seen, [true, false]);
    let notes =
        events.iter().filter(|event| matches!(event, JobEvent::Note(text) if text.contains("left out")));
    assert_eq!(notes.count(), 2);
}

/// However many files the plan has, a mark is about its own: no other is read, and no other is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_mark_reads_and_says_its_own_file_alone() {
    let mut stage = Stage::set(&two_behind()).await;
    let rocket = Address::provider("acme", "rocket");
    let files = [rocket.clone(), Address::module("umbrella", "vpc", "aws")].map(|one| (one, Mode::Add));
    let add = PlanAdd { files: files.into(), max_age: Duration::ZERO };
    stage.run(Job::Plan(PlanTask::Add(add))).await;
    let see = PlanMark { address: rocket.clone(), which: Which::Version("1.2.0".into()), verb: Verb::See };
    let (events, outcome) = stage.run(Job::Plan(PlanTask::Mark(vec![see]))).await;
    assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
    let [JobEvent::PlannedFile(file)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(file.address, rocket);
    assert_eq!(file.pieces.iter().map(|piece| piece.mark.seen).collect::<Vec<_>>(), [true, false]);
    // A whole file is approved on what the words before it leave of it.
    let word = |which, verb| PlanMark { address: rocket.clone(), which, verb };
    let words = vec![
        word(Which::Version("1.1.0".into()), Verb::Reject),
        word(Which::Whole, Verb::Approve),
        word(Which::Version("1.2.0".into()), Verb::Note("fine".into())),
    ];
    let (events, _) = stage.run(Job::Plan(PlanTask::Mark(words))).await;
    let [JobEvent::PlannedFile(file)] = &events[..] else { panic!("{events:?}") };
    assert_eq!((file.state.word(), file.pieces[0].mark.note.as_str()), ("APPROVED", "fine"));
}

/// A stored sum that is not upstream's: built again it would change an indexed version, and that is held.
#[tokio::test(flavor = "multi_thread")]
async fn what_changes_an_indexed_version_is_held() {
    let mut door = Door::on(WORLD).await;
    let path = "providers/a/acme/quiet.json";
    let text = door.read(path);
    let at = text.find("\"shasum\": \"").expect("a sum") + "\"shasum\": \"".len();
    door.put(path, format!("{}{}{}", &text[..at], "0".repeat(64), &text[at + 64..]).as_bytes());
    door.settle();
    let added = door.said("plan add acme/quiet --mode refresh=1.0.0").await;
    added.is(0, &["! MUTATES  HELD", "why: indexed versions are immutable", "plan with nothing to send,"]);
    door.said("plan show acme/quiet").await.is(0, &["-          \"shasum\": \"0000"]);
    for line in ["plan approve acme/quiet", "plan approve acme/quiet@1.0.0"] {
        door.said(line).await.is(4, &["acme/quiet: held: indexed versions are immutable"]);
    }
    door.said("plan rebuild").await.is(0, &["! MUTATES  HELD", "1 of 1 change looked at"]);
    door.is_untouched();
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_words_are_told() {
    let door = Door::on(WORLD).await;
    for (line, exit, wanted) in [
        ("plan add acme/rokcet", 2, "acme/rocket"),
        ("plan show acme/rocket", 2, "it is not in the plan"),
        ("plan approve acme/rocket", 2, "the plan is empty"),
        ("plan approve nonsense", 2, "`nonsense` is not an address"),
        ("plan drop acme/rocket", 2, "the plan is empty"),
        ("plan drop", 2, "ADDRESS"),
        ("plan note acme/rocket", 2, "--note"),
        ("plan", 2, "Usage"),
    ] {
        door.said(line).await.is(exit, &[wanted]);
    }
    door.said("plan add acme/rocket").await.is(0, &[]);
    door.said("plan reject acme/rocket@9.9.9")
        .await
        .is(2, &["the plan has no change of `9.9.9`; it has 1.1.0"]);
    for line in ["plan approve acme/quiet", "plan drop acme/quiet"] {
        let way = "Run `bumpdesk plan add acme/quiet`, which adds it.";
        door.said(line).await.is(2, &["acme/quiet is not in the plan", way]);
    }
    door.is_untouched();
}

/// Another bumpdesk holds the state: the plan is read and not changed, and what is printed does not count as looked at.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_bumpdesk_reads_the_plan() {
    let door = Door::on(WORLD).await;
    door.said("plan add acme/rocket").await.is(0, &[]);
    let mut settings = bumpdesk::surface::boot::Settings::resolve(
        &bumpdesk::surface::boot::Flags::default(),
        &door.environment(),
    )
    .expect("settings");
    settings.token = None;
    let first = bumpdesk::surface::jobs::Env::new(settings.env_options()).expect("the first one");
    door.said("plan show").await.is(0, &["1 file", "another bumpdesk holds the state"]);
    let shown = door.said("plan show acme/rocket").await;
    shown.is(0, &["1.1.0 added", "does not count as looked at"]);
    for line in ["plan add acme/rocket", "plan reject acme/rocket", "plan rebuild", "plan drop --all"] {
        door.said(line).await.is(4, &["read-only here", "Close the other bumpdesk"]);
    }
    drop(first);
    door.said("plan reject acme/rocket").await.is(0, &["every change was rejected"]);
}

/// A state folder in which nothing may be made: what is kept is read, and nothing is called saved.
#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_cannot_be_written_is_read() {
    let door = Door::on(WORLD).await;
    door.said("survey --depth sums").await.is(0, &[]);
    door.said("view save mine --filter ns:acme").await.is(0, &["view `mine` saved"]);
    door.said("plan add acme/rocket").await.is(0, &[]);
    // Rights do not hold for everybody; a folder where the database would make its file does.
    let folder = door.folder.path().join("state");
    std::fs::create_dir(folder.join("state.sqlite3-shm")).expect("a folder");
    let named = format!("the state folder `{}` cannot be written", folder.display());
    door.said("list --view mine").await.is(0, &["acme/rocket", "BEHIND", &named]);
    door.said("plan show").await.is(0, &["1 file", &named]);
    for line in ["view save other --filter kind:m", "view delete mine", "plan rebuild", "plan drop --all"] {
        let refused = door.said(line).await;
        refused.is(4, &["Name a folder that can be written with --state-dir."]);
        refused.is_not(&["until you quit"]);
        assert!(refused.err.contains(&folder.display().to_string()), "{line}: {}", refused.err);
    }
    door.said("view list").await.is(0, &["mine"]);
}

/// Through the binary, and a reader that goes away before all was printed: nothing counts as looked at.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_read_was_not_seen() {
    let door = Door::on(WORLD).await;
    let shell = |words: &[&str]| door.shell(":", words);
    shell(&["plan", "add", "acme/rocket"]).is(0, &["TO REVIEW"]);
    shell(&["plan", "approve", "acme/rocket"]).is(4, &["1 version left to look at"]);
    let words = ["plan", "show", "acme/rocket"];
    let closed = door.shell("mkfifo p; (: <p) & exec >p; wait", &words);
    closed.is_not(&["counts as looked at"]);
    shell(&["plan", "approve", "acme/rocket"]).is(4, &["1 version left to look at"]);
    shell(&words).is(0, &["counts as looked at"]);
    shell(&["plan", "approve", "acme/rocket"]).is(0, &["APPROVED"]);
    door.is_untouched();
}
