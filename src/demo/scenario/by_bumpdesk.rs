//! What bumpdesk writes into a pull request of its own, put together here from the files alone: a test holds it against what the
//! console really sends, so that a review has something to recognise that no code of the console made.

use std::fmt::Write;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::digest::sha256;
use crate::forge::Account;
use crate::forge::objects::Files;
use crate::scenario::spec::CommitSpec;
use crate::world::{Oid, World};

/// What of the newer format is on unless somebody switches it off.
const FEATURES: [&str; 4] = ["target-hashes", "discovered-timestamps", "versions-errors", "module-commits"];

/// Its words, and the branch that it is on.
pub(super) struct Said {
    pub(super) title: String,
    pub(super) body: String,
    pub(super) message: String,
    pub(super) branch: String,
}

/// Of one commit that adds versions of modules, made from upstream at that time.
pub(super) fn said(
    world: &World,
    (base, files): (&Oid, &Files),
    (commit, made): (&CommitSpec, Timestamp),
    author: &Account,
) -> Said {
    let (objects, before) = (&world.forge.objects, world.forge.objects.files(base));
    let base = hex::encode(base);
    let bytes =
        |files: &Files, path: &str| files.get(path).and_then(|leaf| objects.blob(&leaf.blob)).cloned();
    let (mut rows, mut list, mut commands, mut parts) =
        (String::new(), String::new(), String::new(), Vec::new());
    let mut plan = String::from("bumpdesk plan 2\n");
    for (entry, versions) in &commit.versions {
        let path = &entry.0;
        let address = path.trim_end_matches(".json").splitn(3, '/').nth(2).unwrap_or_default();
        let (old, new) = (bytes(&before, path).unwrap_or_default(), bytes(files, path).unwrap_or_default());
        let file: Value = serde_json::from_slice(&new).unwrap_or_default();
        for one in file["versions"].as_array().into_iter().flatten() {
            let version = one["version"].as_str().unwrap_or_default();
            if versions.iter().any(|wanted| wanted == version) {
                let tag = one["commit"].as_str().unwrap_or_default();
                let _ = writeln!(rows, "| `{address}` | `{version}` |  |  | `{tag}` |  |");
            }
        }
        let _ = writeln!(list, "{address}: {}", versions.join(", "));
        let _ = writeln!(commands, "bumpdesk bump {address} --now {made}");
        let content = without_clocks(&String::from_utf8_lossy(&new), versions);
        let [before, outcome, content] =
            [&*old, &*new, content.as_bytes()].map(|bytes| hex::encode(sha256(bytes)));
        let _ = write!(plan, "{path}\n{before}\n{content}\n");
        parts.push(json!({ "path": path, "base": before, "outcome": outcome }));
    }
    let count = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
    let versions = count(commit.versions.values().map(Vec::len).sum(), "version");
    let entries = count(commit.versions.len(), "module");
    let plan = hex::encode(sha256(plan.as_bytes()));
    let program = env!("CARGO_PKG_VERSION");
    let evidence = json!({
        "format": 1, "program": program, "plan": plan, "base": base, "files": parts, "features": FEATURES,
    });
    let person = author.person();
    let sign_off = format!("Signed-off-by: {} <{}>", person.name, person.email);
    let title = match list.split_once(": ") {
        Some((address, _)) if commit.versions.len() == 1 => format!("Manual bump of {address} module"),
        _ => format!("Manual bump of {entries}"),
    };
    let body = format!(
        "Adds {versions} of {entries} from upstream. Every change was reviewed with bumpdesk {program}.\n\n\
         | entry | version | targets | hashes | tag id | signed by |\n|---|---|---|---|---|---|\n{rows}\n\
         `hashes`: the first 16 digits of the SHA-256 over `os_arch`, `shasum` and `h1` of the targets.\n\n\
         Built on `main` at `{base}`.\n\n\
         These commands make the same change on that base:\n\n```sh\n{commands}```\n\n\
         The required check is expected to pass.\n\n\
         {sign_off}\n\n\
         <!-- bumpdesk evidence v1\n{evidence}\n-->"
    );
    let message = format!("{title}\n\n{list}\n{sign_off}");
    Said { title, body, message, branch: format!("bumpdesk/bump-{}", &plan[..12]) }
}

/// A file without the times at which these versions were discovered: whoever makes it has another clock.
fn without_clocks(file: &str, versions: &[String]) -> String {
    let (mut all, mut is_added) = (String::new(), false);
    for line in file.split_inclusive('\n') {
        if let Some((_, version)) = line.split_once("\"version\": \"") {
            is_added = versions.iter().any(|one| version.split('"').next() == Some(one));
        }
        match line.split_once("\"discovered\": \"") {
            Some((before, value)) if is_added => {
                let after = value.split_once('"').map_or("", |(_, after)| after);
                let _ = write!(all, "{before}\"discovered\": null{after}");
            }
            _ => all.push_str(line),
        }
    }
    all
}
