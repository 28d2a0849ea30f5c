//! Every data file of the bundle parses and prints to the identical bytes (acceptance 1).

use std::collections::HashSet;

use bumpdesk::surface::registry::{Document, Kind, Shape};

use crate::data::{Data, data};
use crate::need::need;

#[test]
fn every_file_prints_its_own_bytes() {
    let data = need!(data());
    stamped!(&["src/registry", "tests/it/data.rs"]);
    let tip = data.files("HEAD");
    let first = data.files(&data.first_commit());
    assert_eq!((tip.len(), first.len()), (27_463, 27_453), "JSON files at the tip and at the first commit");
    // The same bytes need no second look; a path of another kind never has them.
    let at_tip: HashSet<&(String, String)> = tip.iter().collect();
    let other: Vec<(String, String)> = first.iter().filter(|file| !at_tip.contains(file)).cloned().collect();
    let halves = tip.split_at(tip.len() / 2);
    let checked: usize = std::thread::scope(|scope| {
        let workers = [halves.0, halves.1, &other].map(|files| scope.spawn(|| check(&data, files)));
        workers.into_iter().map(|worker| worker.join().expect("every file prints its own bytes")).sum()
    });
    assert_eq!(checked, tip.len() + other.len(), "files that print from their tree, without a kept copy");
    eprintln!(
        "{} files at the tip and {} others at the first commit print their own bytes",
        tip.len(),
        other.len()
    );
}

/// Checks some files, and gives how many print from their tree.
fn check(data: &Data, files: &[(String, String)]) -> usize {
    let mut from_tree = 0;
    for chunk in files.chunks(1_000) {
        let ids: Vec<&str> = chunk.iter().map(|(_, id)| id.as_str()).collect();
        let blobs = data.blobs(&ids);
        for (path, id) in chunk {
            let bytes = &blobs[id];
            let document = Document::parse(bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert!(document.print() == *bytes, "{path} prints other bytes");
            from_tree += usize::from(document.prints_from_tree());
            let kind = if path.starts_with("providers/") { Kind::Provider } else { Kind::Module };
            let shape = Shape::parse(kind, bytes);
            assert_eq!(shape.broken, None, "{path}");
            let listed = document.root().field("versions").map_or(0, |versions| versions.items().len());
            assert_eq!(shape.version_count as usize, listed, "{path}");
        }
    }
    from_tree
}
