//! What the next bump makes of a file is known before it is sent: one that it would write in another way is no plan to send.

use super::pull::{WORLD, colleague, ready, writes};
use crate::door::Door;

const ROCKET: &str = "providers/a/acme/rocket.json";

/// What hands do to a file.
type Change = fn(&str) -> String;

/// A world whose file of one provider, on GitHub and in the checkout, is as somebody left it by hand.
async fn by_hand(change: Change) -> Door {
    let mut door = Door::on(WORLD).await;
    let before = door.read(ROCKET);
    let file = change(&before);
    if file == before {
        return door;
    }
    door.put(ROCKET, file.as_bytes());
    door.settle();
    door.server.edit(|world| {
        let now = world.now;
        world.forge.bump(now, [(ROCKET.to_owned(), Some(file.into()))]);
    });
    door
}

/// Plans it, looks at all of it and approves it; the plan's name.
async fn approved(door: &Door, line: &str) -> String {
    for line in [line, "plan show acme/rocket", "plan approve acme/rocket"] {
        door.said(line).await.is(0, &[]);
    }
    door.plan_name().await
}

const WARN: &str = "plan warn acme/rocket --text Deprecated";

/// A warning that stands before the versions, as hands have put it there.
fn warned_first(file: &str) -> String {
    file.replacen('{', "{\n  \"warnings\": [\n    \"Old.\"\n  ],", 1)
}

/// An edit keeps what stands around it, and so what the registry's own writer would not keep.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_the_next_bump_would_write_in_another_way_is_not_sent() {
    stamped!(crate::COMMANDS);
    let forms: [(&str, Change, bool); 5] = [
        ("the writer's own form", str::to_owned, true),
        ("warnings before versions", warned_first, false),
        (
            "a key twice",
            |file| file.replacen("      \"version\":", "      \"version\": \"\",\n      \"version\":", 1),
            false,
        ),
        (
            "an empty list",
            |file| format!("{},\n  \"versions_errors\": []\n}}", file.trim_end_matches("\n}")),
            false,
        ),
        (
            "archives without h1",
            |file| file.replacen("          \"h1\":", "          \"h1_of_old\":", 1),
            false,
        ),
    ];
    for (what, change, is_kept) in forms {
        let door = by_hand(change).await;
        // Before anybody reviews it.
        let planned = door.said(WARN).await;
        planned.is(0, &[]);
        assert_ne!(planned.to_string().contains("would rewrite it"), is_kept, "{what}: {planned}");
        let plan = approved(&door, "plan show").await;
        let said = ready(&door, &plan, "").await;
        if is_kept {
            said.is(0, &["4 rebuilt, same result", "1 file built again from upstream: the same bytes"]);
            continue;
        }
        let why =
            "acme/rocket: the next bump would rewrite it: it is not in the form of the registry's own writer";
        assert_eq!(said.exit, 4, "{what}: {said}");
        said.is(4, &["4 rebuilt, same result", "FAIL", why, "commit it with git"]);
        said.is_not(&["plan rebuild"]);
        door.said(&format!("pr open --plan {plan} --confirm 000000 --write")).await.is(4, &["gate 4", why]);
        assert_eq!(writes(&door), [""; 0], "{what}");
        let branches = colleague(
            &door,
            "GET",
            "/repos/opentofu/registry/git/matching-refs/heads/",
            serde_json::Value::Null,
        )
        .await;
        assert_eq!(branches.as_array().map(Vec::len), Some(1), "{what}: {branches}");
        door.is_untouched();
    }
}

/// Where a version is added the file is written as the registry's own writer would; where only the blacklist changes, not at all.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_made_by_hand_holds_up_what_writes_it_and_nothing_else() {
    let door = by_hand(warned_first).await;
    let plan = approved(&door, "plan add acme/rocket").await;
    ready(&door, &plan, "").await.is(0, &["4 rebuilt, same result", "the same bytes"]);
    let door = by_hand(warned_first).await;
    let plan = approved(&door, "plan block acme/rocket@9.9.9 --because accident").await;
    ready(&door, &plan, "").await.is(0, &["4 rebuilt, same result", "the same bytes"]);
}
