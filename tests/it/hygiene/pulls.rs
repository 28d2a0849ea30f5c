//! Pull requests of which every text is hostile, to a terminal and to Markdown: their titles, texts, logins, names, branches, labels,
//! paths, versions and checks, through every face.

use bumpdesk::surface::cli::{ConsoleOptions, Starting};
use bumpdesk::surface::jobs::Failure;
use bumpdesk::surface::tui::Glyphs;
use demo::fault::Lane;
use serde_json::json;

use super::screens::{Console, Left};
use super::text::check;
use super::world::{EVIL, is_obeyed, toml};
use crate::door::Door;
use crate::scenarios::pull::{HERE, colleague, sending};

/// What Markdown would obey: a mention, a comment that hides what follows, an image, a link, a fence, a cell's end, a heading.
const MARKUP: &str = "@everyone <!-- <img src=x> [x](https://a.example) ``` ` | \n# big\n```\n- @everyone";
/// The same as far as a path can have it.
const ODD_PATH: &str = "docs/@everyone <!-- [x](y) ``` ` |\u{202e}\u{200b}\u{1b}[2J.md";
const LOGIN: &str = "mal\u{202e}\u{200b}`@everyone|";
pub(crate) const NUMBERS: [u64; 3] = [9001, 9002, 9003];

fn world() -> String {
    let text = toml(&format!("{EVIL} {MARKUP}"));
    let version = format!("9.0.0{EVIL}{MARKUP}");
    let file = json!({ "versions": [{
        "version": version, "protocols": [version], "shasums_url": version, "shasums_signature_url": version,
        "targets": [{
            "os": version, "arch": version, "filename": version, "download_url": version, "shasum": version, "h1": version,
            "size": 1,
        }],
        "discovered": "2026-11-21T10:00:00Z",
    }] });
    let file = serde_json::to_string_pretty(&file).expect("JSON");
    let pull = |number: u64, commit: &str| {
        format!(
            "[[pull]]\nnumber = {number}\nauthor = {}\ntitle = {text}\nbody = {text}\nopened = \"-1h\"\ncommit = [{commit}]\n",
            toml(LOGIN)
        )
    };
    let honest = "versions = { \"acme/rocket\" = [\"1.1.0\"] }";
    format!(
        "clock = \"2026-11-21T12:00:00Z\"\n[user]\nlogin = \"ann\"\npush = true\n\
         [[provider]]\naddress = \"acme/rocket\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]\nreleases = [\"v1.1.0\"]\n\
         [[account]]\nlogin = {}\nname = {}\n{}{}{}",
        toml(LOGIN),
        // Git itself takes these from a name.
        toml(&format!("{EVIL} {MARKUP}").replace(['<', '>', '\n'], "")),
        pull(NUMBERS[0], &format!("{{ {honest}, file = {{ {} = {text} }} }}", toml(ODD_PATH))),
        pull(NUMBERS[1], &format!("{{ {honest} }}")),
        pull(NUMBERS[2], &format!("{{ file = {{ \"providers/a/acme/rocket.json\" = {} }} }}", toml(&file))),
    )
}

pub(crate) async fn door() -> Door {
    let door = Door::on(&world()).await;
    for number in NUMBERS {
        let pull = colleague(&door, "GET", &format!("{HERE}/pulls/{number}"), json!(null)).await;
        let head = pull["head"]["sha"].as_str().expect("a commit");
        let status = json!({ "context": format!("{EVIL}{MARKUP}"), "state": "failure", "description": format!("{EVIL}{MARKUP}") });
        colleague(&door, "POST", &format!("{HERE}/statuses/{head}"), status).await;
    }
    door.server.edit(|world| {
        // Whose commits these are GitHub does not know: it shows the name that they have.
        world.forge.accounts.remove(LOGIN);
        for number in NUMBERS {
            let pull = world.forge.registry_mut().and_then(|registry| registry.pull_mut(number));
            let pull = pull.expect("it was opened");
            pull.branch = format!("{EVIL}{MARKUP}");
            pull.labels = vec![format!("{EVIL}{MARKUP}")];
        }
    });
    door.server.forget();
    door
}

/// What of a page is in no code, as GitHub reads it. Written apart from the rule of the program.
fn outside(page: &str) -> String {
    let mut outside = String::new();
    for line in page.lines() {
        // A table ends its cells at pipes, but for those with a backslash before them, even in code.
        let cells: Vec<String> = match line.strip_prefix('|') {
            Some(row) => row.replace("\\|", "\0").split('|').map(str::to_owned).collect(),
            None => vec![line.to_owned()],
        };
        for cell in cells {
            let mut rest = cell.as_str();
            while let Some(start) = rest.find('`') {
                let ticks = rest[start..].bytes().take_while(|byte| *byte == b'`').count();
                let fence = &rest[start..start + ticks];
                let inner = &rest[start + ticks..];
                outside.push_str(&rest[..start]);
                let closes =
                    |at: &usize| !inner[..*at].ends_with('`') && !inner[at + ticks..].starts_with('`');
                let end = inner.match_indices(fence).map(|(at, _)| at).find(closes);
                let end = end.unwrap_or_else(|| panic!("a code without end: {line}"));
                rest = &inner[end + ticks..];
            }
            outside.push_str(rest);
            outside.push('\n');
        }
    }
    outside
}

#[track_caller]
fn is_inert(page: &str) {
    assert!(page.contains("@everyone") && page.contains("\\u{202e}"), "it has none of their texts: {page}");
    assert!(!page.chars().any(|c| c != '\n' && is_obeyed(c)), "{page:?}");
    let outside = outside(page);
    for bad in ["@", "<!--", "<img", "](", "# big", "\\u{"] {
        assert!(!outside.contains(bad), "{bad} is in no code: {outside}\nof {page}");
    }
}

/// All that is told of them, as text, in lines, as JSON and as Markdown.
#[tokio::test(flavor = "multi_thread")]
async fn commands_tell_of_them_and_nothing_is_obeyed() {
    stamped!(crate::PROGRAM);
    let door = door().await;
    let mut heard = String::new();
    let all = NUMBERS.map(|number| format!("review {number}"));
    for line in std::iter::once("review".to_owned()).chain(all) {
        for ending in ["", "--plain", "--json"] {
            let said = door.said(&format!("{line} {ending}")).await;
            check(&format!("{line} {ending}"), &said, false);
            assert!(said.exit <= 1, "{line}: {said}");
            heard.push_str(&said.out);
        }
    }
    // Each kind of text was told: it is seen as what it is.
    for wanted in [
        "mal\\u{202e}\\u{200b}`@everyone|",
        "docs/@everyone <!-- [x](y) ``` ` |\\u{202e}\\u{200b}\\u{1b}[2J.md",
        "[2J",
        "9.0.0\\u{1b}[2J",
        "#9002 ",
    ] {
        assert!(heard.contains(wanted), "{wanted} is not in\n{heard}");
    }
    for number in NUMBERS {
        let said = door.said(&format!("review {number} --markdown")).await;
        check("--markdown", &said, false);
        is_inert(&said.out);
        for part in ["who asks", "the commit", "checks", "also open"] {
            let told = said.out.lines().find(|line| line.starts_with(&format!("- **{part}**: `")));
            assert!(told.is_some_and(|told| told.contains("\\u{202e}")), "{part}: {said}");
        }
        let looked = door.said(&format!("review {number} --comment --dry-run")).await;
        check("--dry-run", &looked, false);
        let looked = door.said(&format!("review {number} --comment --dry-run --json")).await;
        check("--dry-run --json", &looked, false);
        let sent = sending(&looked)["requests"][0]["body"].clone();
        is_inert(sent["body"].as_str().expect("a text"));
        for remark in sent["comments"].as_array().into_iter().flatten() {
            let text = remark["body"].as_str().expect("a text");
            assert!(!text.chars().any(|c| c != '\n' && is_obeyed(c)), "{text:?}");
            assert!(!outside(text).contains("@everyone"), "{text}");
        }
    }
    let asked = door.server.exchanges();
    assert!(asked.iter().any(|one| one.lane == Lane::Rest && one.target.contains("/pulls/9003")));
}

/// Every screen on which they are, at every size.
async fn tour(engine: Starting<'_>, options: ConsoleOptions) -> Result<Option<String>, Failure> {
    let mut console = Console::start(engine.await?, options, Glyphs::Unicode).await;
    console
        .press("3 R j enter j j G esc j enter j esc j enter h Y down down tab h i tab enter esc esc y m")
        .await;
    for wanted in ["#9001", "#9002", "#9003", "mal\\u{202e}", "@everyone"] {
        assert!(console.drawn.contains(wanted), "`{wanted}` was never drawn\n{}", console.drawn);
    }
    Ok(None)
}

fn looks(engine: Starting<'_>, options: ConsoleOptions) -> Left<'_> {
    Box::pin(tour(engine, options))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_cell_holds_what_a_terminal_obeys() {
    let mut door = door().await;
    door.terminal = true;
    door.console = looks;
    let said = door.run(&[]).await;
    assert_eq!(said.exit, 0, "{}", said.err.replace("\\n", "\n"));
}
