//! The list at a start after a survey of everything at depth `sums`, the signature of every version of every provider kept.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use demo::signer::Signer;
use demo::{Options, Server, World};
use sha2::{Digest, Sha256};

use crate::console::Console;
use crate::{Data, git, report};

const RUNS: usize = 7;

/// A registry with a key on file for every namespace, the world that signs by that key, and where a state of it lies.
struct Deep {
    tree: PathBuf,
    folder: PathBuf,
    far: Vec<String>,
}

/// The list after such a survey: as a command, and on the screen.
pub(crate) fn after_sums(data: &Data) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let tree = data.scratch("deep").join("tree");
    git(&["clone", "--quiet", &data.bare.to_string_lossy(), &tree.to_string_lossy()]);
    let mut world = World::derive(&data.bare, None).expect("a world");
    let signer = Signer::new("benchmark", "2020-01-01T00:00:00Z".parse().expect("a time"), None);
    let (signatures, keys) = (sign(&mut world, &signer), file(&tree, &signer));
    let ca_file = data.scratch("deep-ca").join("ca.pem");
    let options = Options { tls: true, ca_file: Some(ca_file), record: 0, ..Options::default() };
    let server = runtime.block_on(Server::start(world, options)).expect("a server");
    let addresses = server.addresses();
    let ca_file = addresses.ca_file.as_ref().expect("a certificate").display().to_string();
    let far = [
        ("--web-url", &addresses.web),
        ("--api-url", &addresses.api),
        ("--graphql-url", &addresses.graphql),
        ("--ca-file", &ca_file),
    ];
    let far = far.iter().flat_map(|(flag, value)| [(*flag).to_owned(), (*value).clone()]).collect();
    let mut deep = Deep { tree, folder: data.scratch("deep-state"), far };
    // Once, so that there is an index, as on any day but the first.
    deep.list();
    println!("signatures: {signatures}, namespaces with a key on file: {keys}");
    println!("survey of everything at depth sums: {:.1} s", deep.survey() / 1e3);
    report("list, first start after a survey at depth sums", "60 ms", vec![deep.list()]);
    deep.measure("after it");
    let size = std::fs::metadata(deep.folder.join("state/state.sqlite3")).map_or(0, |facts| facts.len());
    println!("state on the disk: {:.1} MB", size as f64 / 1e6);
    // What the same costs where nothing is known: the look at every file, and the printing.
    deep.folder = data.scratch("deep-nothing");
    deep.list();
    deep.measure("without a survey");
}

/// Signs the sums of all releases, and gives their number.
fn sign(world: &mut World, signer: &Signer) -> usize {
    let at = "2021-01-01T00:00:00Z".parse().expect("a time");
    let releases = world.repositories.values_mut().flat_map(|repository| &mut repository.releases);
    let mut signatures = 0;
    for release in releases {
        let sums = release.assets.iter().find(|asset| asset.name.ends_with("SHA256SUMS"));
        let signature = sums.and_then(|sums| Some(signer.sign(sums.content.as_ref()?, at)));
        let beside = release.assets.iter_mut().find(|asset| asset.name.ends_with(".sig"));
        if let (Some(beside), Some(signature)) = (beside, signature) {
            beside.size = signature.len() as u64;
            beside.digest = Some(Sha256::digest(&signature).into());
            beside.content = Some(signature.into());
            signatures += 1;
        }
    }
    signatures
}

/// Puts the key on file for every namespace with a provider, and gives their number.
fn file(tree: &Path, signer: &Signer) -> usize {
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<String>>()
    };
    let letters = names(&tree.join("providers"));
    let namespaces: BTreeSet<(String, String)> = letters
        .into_iter()
        .flat_map(|letter| {
            let found = names(&tree.join("providers").join(&letter));
            found.into_iter().map(move |namespace| (letter.clone(), namespace))
        })
        .collect();
    // The key of today alone speaks.
    let _ = std::fs::remove_dir_all(tree.join("keys"));
    for (letter, namespace) in &namespaces {
        let folder = tree.join("keys").join(letter).join(namespace);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("provider.asc"), signer.file()).expect("a key");
    }
    namespaces.len()
}

/// The name by which this program is started to measure starts.
pub(crate) const STARTS: &str = "deep-starts";

/// What [`Deep::measure`] hands to the other process.
pub(crate) fn starts(words: &[String]) {
    let [after, tree, folder, far @ ..] = words else { panic!("{words:?}") };
    Deep { tree: tree.into(), folder: folder.into(), far: far.to_vec() }.start(after);
}

impl Deep {
    /// Warm starts, from a process of its own: with the world in it, this one takes 15 ms to fork.
    fn measure(&self, after: &str) {
        let mut command = Command::new(std::env::current_exe().expect("a path"));
        command.args([STARTS, after]).arg(&self.tree).arg(&self.folder).args(&self.far);
        assert!(command.status().expect("this program runs").success());
    }

    /// The list as a command, and on the screen.
    fn start(&self, after: &str) {
        report(&format!("list, warm start {after}"), "60 ms", (0..RUNS).map(|_| self.list()).collect());
        let more: Vec<&str> = self.far.iter().map(String::as_str).collect();
        let start = |_| Console::start(&self.tree, &self.folder, &more).wait_for_rows();
        let (first, listed) = (0..RUNS).map(start).unzip();
        report(&format!("console, first byte drawn, {after}"), "30 ms", first);
        report(&format!("console, list on the screen, {after}"), "60 ms", listed);
    }

    fn run(&self, words: &[&str]) -> f64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.env_remove("GITHUB_TOKEN").env("GH_TOKEN", "none").stdin(Stdio::null());
        command.args(words).args(&self.far).arg("--registry").arg(&self.tree);
        command.arg("--state-dir").arg(self.folder.join("state"));
        command.arg("--cache-dir").arg(self.folder.join("cache"));
        let began = Instant::now();
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("the binary runs");
        // The survey finds something worth a look; that is another code, and no failure.
        assert!(status.code().is_some_and(|code| code < 2), "{words:?}: {status}");
        began.elapsed().as_secs_f64() * 1e3
    }

    fn list(&self) -> f64 {
        self.run(&["list", "--plain"])
    }

    fn survey(&self) -> f64 {
        self.run(&["survey", "--json", "--no-throttle", "--depth", "sums"])
    }
}
