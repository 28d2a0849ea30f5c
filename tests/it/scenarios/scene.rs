//! A scenario file played through: verdicts that stay, the proposal of every entry, the bump, and the bump after it.

use std::collections::BTreeMap;

use bumpdesk::surface::rules::{Class, Depth, Mode, Verdict};
use demo::World;

use crate::stage::{Stage, line};

/// Behind this line of a scenario stands the registry as it has to be after a bump.
const AFTER: &str = "\n# after:\n";

/// The world of a scenario.
pub(crate) fn before(text: &str) -> &str {
    text.split_once(AFTER).map_or(text, |(before, _)| before)
}

/// The registry's files as they have to be after a bump: those of the second world, else of the first.
pub(crate) fn after(text: &str) -> BTreeMap<String, String> {
    let world = World::parse(text.split_once(AFTER).map_or(text, |(_, after)| after));
    let files = world.unwrap_or_else(|error| panic!("after: {error}")).files;
    files.into_iter().map(|(path, bytes)| (path, String::from_utf8(bytes.to_vec()).expect("UTF-8"))).collect()
}

/// The verdicts as lines.
pub(super) fn lines(verdicts: &BTreeMap<String, Verdict>) -> BTreeMap<&str, String> {
    verdicts.iter().map(|(address, verdict)| (address.as_str(), line(verdict))).collect()
}

/// Plays a scenario at depth `versions`: `verdicts` holds a line for every entry.
pub(super) async fn play(text: &str, verdicts: &[(&str, &str)]) -> Stage {
    let mut stage = Stage::set(before(text)).await;
    let told = stage.steady(Depth::Versions).await;
    let wanted: BTreeMap<&str, String> =
        verdicts.iter().map(|(address, line)| (*address, (*line).to_owned())).collect();
    assert_eq!(lines(&told), wanted);
    check_bytes(&mut stage, text, told.keys()).await;
    stage
}

/// Proposals and bump against the second half of the file.
pub(super) async fn check_bytes(stage: &mut Stage, text: &str, addresses: impl Iterator<Item = &String>) {
    let wanted = after(text);
    let mut changed = Vec::new();
    for address in addresses {
        let old = stage.file(address);
        let opened = stage.rebuild(address, Mode::Add).await;
        let proposal = opened.proposal.as_ref().expect("a proposal");
        let proposed = String::from_utf8(proposal.bytes.clone()).expect("UTF-8");
        same(&proposed, &wanted[&proposal.path], &proposal.path);
        // A tag that differs from an indexed one only in its `v` and has another commit. Clients would get other
        // content.
        let class = match address.as_str() {
            _ if proposed == old => Class::Noop,
            "acme/both/aws" => Class::Twins,
            _ => Class::Additive,
        };
        assert_eq!(proposal.diff.class, class, "{address}");
        if proposed != old {
            changed.push(proposal.path.clone());
        }
    }
    let mut written = stage.bump().await;
    written.sort();
    changed.sort();
    assert_eq!(written, changed);
    check_files(stage, &wanted);
    stage.restart();
    assert_eq!(stage.bump().await, [""; 0], "a second bump finds nothing");
    check_files(stage, &wanted);
}

/// The registry on the disk against the wanted files.
pub(super) fn check_files(stage: &Stage, wanted: &BTreeMap<String, String>) {
    for (path, text) in wanted {
        let there = std::fs::read_to_string(stage.registry().join(path)).expect("a file");
        same(&there, text, path);
    }
}

/// Equal, or the first line that differs.
pub(crate) fn same(there: &str, wanted: &str, what: &str) {
    if there == wanted {
        return;
    }
    let pairs = there.lines().zip(wanted.lines());
    let at = pairs.clone().take_while(|(a, b)| a == b).count();
    let around = |text: &str| text.lines().skip(at.saturating_sub(3)).take(8).collect::<Vec<_>>().join("\n");
    panic!("{what} differs from line {}\n--- is\n{}\n--- wanted\n{}", at + 1, around(there), around(wanted));
}
