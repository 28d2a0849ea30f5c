//! Recorded hashes and platforms against everything that can be known of a version.

use crate::registry::{ProviderEntry, ProviderVersion, Target};
use crate::rules::client::{Chain, Fetched, Policy, Seen};
use crate::rules::lock::tests::{H1, H1_EMPTY, H1_OTHER, rocket, zh};
use crate::rules::lock::{BlockCheck, Fares, HashIs, Known, check, read};
use crate::rules::signature::{Answer, Check, Client};
use crate::rules::verify::{Computed, Listed, Row, SignatureSays, Stored, Times, Zip};

/// One version of two targets: linux_amd64 with `a` and [`H1`], darwin_arm64 with `b` and [`H1_OTHER`]; and a manifest, `c`.
pub(super) struct World {
    pub(super) version: ProviderVersion,
    pub(super) rows: Vec<Row>,
    pub(super) sums: Fetched<String>,
    pub(super) signature_file: Fetched<()>,
    reads_archives: bool,
}

impl World {
    pub(super) fn fine() -> Self {
        let of = |platform: &str, letter: &str, h1: &str| {
            let (os, arch) = platform.split_once('_').unwrap();
            let (filename, shasum) = (format!("f-{platform}.zip"), letter.repeat(64));
            let target = Target {
                os: os.into(),
                arch: arch.into(),
                filename: filename.clone(),
                download_url: format!("https://github.com/x/{filename}"),
                shasum: shasum.clone(),
                h1: Some(h1.into()),
                size: Some(10),
            };
            let computed = Computed {
                sha256: shasum.clone(),
                size_bytes: 10,
                h1: Some(h1.into()),
                has_binary: Some(true),
                ..Computed::default()
            };
            let row = Row {
                tag: None,
                address: rocket(),
                version: "1.0.0".into(),
                target: platform.into(),
                filename,
                url: target.download_url.clone(),
                stored: Stored { shasum: shasum.clone(), h1: h1.into(), size_bytes: 10 },
                listed: Listed::Sum { sum: shasum },
                asset: None,
                asset_unread: None,
                not_indexed: Vec::new(),
                refused: Vec::new(),
                zip: Zip::Hashed(computed),
                signature: SignatureSays::NoKeys,
                times: Times::default(),
            };
            (target, row)
        };
        let parts = [of("linux_amd64", "a", H1), of("darwin_arm64", "b", H1_OTHER)];
        let (targets, rows) = parts.into_iter().unzip();
        let version = ProviderVersion {
            version: "1.0.0".into(),
            protocols: vec!["5.0".into()],
            shasums_url: "https://github.com/x/SHA256SUMS".into(),
            targets,
            ..ProviderVersion::default()
        };
        let line = |letter: &str, name: &str| format!("{}  {name}\n", letter.repeat(64));
        let sums =
            line("a", "f-linux_amd64.zip") + &line("b", "f-darwin_arm64.zip") + &line("c", "f-manifest.json");
        Self {
            version,
            rows,
            sums: Fetched::Got(sums),
            signature_file: Fetched::Got(()),
            reads_archives: true,
        }
    }

    pub(super) fn store(&mut self, place: usize, change: impl FnOnce(&mut Target)) {
        let target = &mut self.version.targets[place];
        change(target);
        self.rows[place].stored = Stored {
            shasum: target.shasum.clone(),
            h1: target.h1.clone().unwrap_or_default(),
            size_bytes: target.size.unwrap_or_default(),
        };
    }

    pub(super) fn computed(&mut self, place: usize) -> &mut Computed {
        match &mut self.rows[place].zip {
            Zip::Hashed(computed) => computed,
            _ => unreachable!("no case changes both"),
        }
    }

    fn unread(&mut self) {
        self.reads_archives = false;
        for row in &mut self.rows {
            row.zip = Zip::Skipped { why: "not to be downloaded".into() };
        }
    }

    /// Another archive under the same name, with checksums to match.
    fn uploaded_again(&mut self, place: usize) {
        let text = match &self.sums {
            Fetched::Got(text) => text.replace(&self.version.targets[place].shasum, &"f".repeat(64)),
            _ => unreachable!("no case changes both"),
        };
        self.sums = Fetched::Got(text);
        let computed = self.computed(place);
        (computed.sha256, computed.h1) = ("f".repeat(64), Some(H1_EMPTY.into()));
    }

    pub(super) fn chain(&self, asked: &[String]) -> Chain {
        let answer = Answer::NoKeys { signed_by: Vec::new() };
        Chain::of(&Seen {
            address: &rocket(),
            entry: &ProviderEntry { versions: vec![self.version.clone()], ..ProviderEntry::default() },
            version: &self.version,
            sums: &self.sums,
            signature_file: &self.signature_file,
            signature: &Ok(Check { answer, client: Client::Skips, older: None, trials: Vec::new() }),
            rows: &self.rows,
            asked,
            policy: Policy::default(),
        })
    }

    fn check(&self, hashes: &[&str], asked: &[&str]) -> BlockCheck {
        let text = crate::rules::lock::block(&rocket(), "1.0.0", None, hashes.iter().copied());
        let asked: Vec<String> = asked.iter().map(ToString::to_string).collect();
        let file = read(text.as_bytes()).unwrap();
        let chain = self.chain(&asked);
        let known = Known {
            version: &self.version,
            rows: &self.rows,
            sums: &self.sums,
            chain: &chain,
            asked: &asked,
            reads_archives: self.reads_archives,
        };
        check(&file.blocks[0], &known)
    }
}

fn changed(change: fn(&mut World)) -> World {
    let mut world = World::fine();
    change(&mut world);
    world
}

/// The word of what a hash is, and of whom.
fn word(is: &HashIs) -> String {
    match is {
        HashIs::Target { target } => format!("target {target}"),
        HashIs::Stored { target } => format!("stored {target}"),
        HashIs::OtherFile { name } => format!("file {name}"),
        HashIs::RootsAlone { target } => format!("root {target}"),
        HashIs::Outdated { target } => format!("outdated {target}"),
        HashIs::StoredWrong { target } => format!("wrong {target}"),
        HashIs::NotStored { target } => format!("new {target}"),
        HashIs::Foreign => "foreign".into(),
        HashIs::UnknownScheme => "scheme".into(),
        HashIs::Malformed(_) => "malformed".into(),
        HashIs::NotKnown(_) => "open".into(),
    }
}

#[test]
fn what_a_recorded_hash_is() {
    let [linux, darwin, manifest, nobody, again_zh] = ["a", "b", "c", "d", "f"].map(zh);
    let read = || World::fine();
    let unread = || changed(World::unread);
    let again = || changed(|world| world.uploaded_again(0));
    let no_sums = |sums: Fetched<String>| World { sums, ..World::fine() };
    let installed = || changed(|world| world.computed(1).h1_installed = Some(H1_EMPTY.into()));
    let root = || {
        changed(|world| {
            let computed = world.computed(0);
            computed.not_installable = Some("only root can install it".into());
            computed.h1_as_root = Some(H1_EMPTY.into());
        })
    };
    // An archive other than the stored one.
    let roots_new = || {
        let mut world = root();
        world.computed(0).sha256 = "f".repeat(64);
        world
    };
    let roots_own = || {
        let mut world = root();
        world.computed(0).h1_as_root = Some(H1.into());
        world
    };
    let wrong_h1 = || changed(|world| world.store(0, |target| target.h1 = Some(H1_EMPTY.into())));
    let twice = |before: bool| {
        let Fetched::Got(text) = World::fine().sums else { unreachable!() };
        let line = format!("{}  f-linux_amd64.zip\n", "d".repeat(64));
        no_sums(Fetched::Got(if before { line + &text } else { text + &line }))
    };
    let half = || changed(|world| world.rows[1].zip = Zip::Gone);
    let repacked = || changed(|world| world.computed(0).sha256 = "f".repeat(64));
    let mixed_up = || changed(|world| world.rows[0].zip = world.rows[1].zip.clone());
    let other = "h1:cOsaX9+UCM9ED9maLhQ8ggQNztuxSHR6raBiNbeOxJ4=";
    for (name, world, hash, wanted) in [
        ("a zip", read(), &*linux, "target linux_amd64"),
        ("a package", read(), H1_OTHER, "target darwin_arm64"),
        ("an installed package", installed(), H1_EMPTY, "target darwin_arm64"),
        ("a manifest", read(), &manifest, "file f-manifest.json"),
        ("a second line for a file whose first is right", twice(false), &nobody, "file f-linux_amd64.zip"),
        ("a first line that is another than is stored", twice(true), &nobody, "new linux_amd64"),
        ("nothing of it", read(), &nobody, "foreign"),
        ("no package of it", read(), other, "foreign"),
        ("a scheme to come", read(), "h2:x", "scheme"),
        ("no hash", read(), "zh:x", "malformed"),
        ("stored, not read", unread(), &linux, "stored linux_amd64"),
        ("stored h1, not read", unread(), H1, "stored linux_amd64"),
        ("a zh needs no archive", unread(), &nobody, "foreign"),
        ("an h1 does", unread(), other, "open"),
        ("of one that was not read", half(), other, "open"),
        ("stored and no more", again(), &linux, "outdated linux_amd64"),
        ("stored h1 and no more", again(), H1, "outdated linux_amd64"),
        ("the other one is fine", again(), &darwin, "target darwin_arm64"),
        ("re-uploaded", again(), &again_zh, "new linux_amd64"),
        ("re-uploaded, its h1", again(), H1_EMPTY, "new linux_amd64"),
        ("packed anew", repacked(), &again_zh, "new linux_amd64"),
        ("packed anew, what was stored", repacked(), &linux, "outdated linux_amd64"),
        ("packed anew, its content", repacked(), H1, "target linux_amd64"),
        ("one target's archive under another's name", mixed_up(), &darwin, "target darwin_arm64"),
        ("so with its content", mixed_up(), H1_OTHER, "target darwin_arm64"),
        ("and the archive that is gone with it", mixed_up(), &linux, "outdated linux_amd64"),
        ("a package that root alone installs", root(), H1_EMPTY, "root linux_amd64"),
        ("and its archive", root(), H1, "target linux_amd64"),
        ("and the checksum of that", root(), &linux, "target linux_amd64"),
        ("so with the h1 of its archive", roots_own(), H1, "target linux_amd64"),
        ("one that root alone installs, packed anew", roots_new(), H1_EMPTY, "new linux_amd64"),
        ("and what root never gets is still foreign", root(), other, "foreign"),
        ("the registry's h1 is wrong", wrong_h1(), H1_EMPTY, "wrong linux_amd64"),
        ("and the right one is right", wrong_h1(), H1, "target linux_amd64"),
        ("no sums to look into", no_sums(Fetched::Unread("429".into())), &nobody, "open"),
        ("no sums any more", no_sums(Fetched::Missing), &nobody, "open"),
    ] {
        let check = world.check(&[hash], &[]);
        assert_eq!(word(&check.hashes[0].is), wanted, "{name}");
    }
    let is = |world: World| match &world.check(&[&nobody], &[]).hashes[0].is {
        HashIs::NotKnown(why) => why.clone(),
        other => format!("{other:?}"),
    };
    let of = "it may be of another file of the release, and SHA256SUMS";
    assert_eq!(is(no_sums(Fetched::Missing)), format!("{of} is gone"));
    assert_eq!(is(no_sums(Fetched::Unread("429".into()))), format!("{of} could not be read: 429"));
    // Not read, and the list has another one than is stored.
    let mut listed = again();
    listed.unread();
    assert_eq!(word(&listed.check(&[&again_zh], &[]).hashes[0].is), "new linux_amd64");
}

/// `linux_amd64: installs -h1`.
fn fares(check: &BlockCheck) -> Vec<String> {
    let told = check.platforms.iter().map(|platform| {
        let word = match &platform.fares {
            Fares::Installs => "installs",
            Fares::Fits(_) => "fits",
            Fares::Unprotected => "unprotected",
            Fares::Refused(_) => "refused",
            Fares::NotKnown(_) => "open",
        };
        let missing: Vec<String> =
            platform.missing.iter().map(|scheme| format!(" -{}", scheme.name())).collect();
        format!("{}: {word}{}", platform.target, missing.concat())
    });
    told.collect()
}

#[test]
fn how_platforms_fare() {
    let (a, b, f) = (zh("a"), zh("b"), zh("f"));
    let full: &[&str] = &[&a, &b, H1, H1_OTHER];
    let read = || World::fine();
    let unread = || changed(World::unread);
    let again = || changed(|world| world.uploaded_again(0));
    let no_signature = || changed(|world| world.signature_file = Fetched::Unread("429".into()));
    let no_size = || changed(|world| world.store(0, |target| target.size = None));
    let size_0 = || changed(|world| world.store(0, |target| target.size = Some(0)));
    let other = "h1:cOsaX9+UCM9ED9maLhQ8ggQNztuxSHR6raBiNbeOxJ4=";
    let no_h1 = || changed(|world| (world.computed(0).h1, world.computed(0).remarks) = (None, Vec::new()));
    let unread_unsigned = || {
        changed(|world| {
            world.unread();
            world.signature_file = Fetched::Unread("503".into());
        })
    };
    let capitals = zh("A");
    let cases: [(&str, World, &[&str], [&str; 2]); 20] = [
        ("complete", read(), full, ["installs", "installs"]),
        ("made on one platform by an older client", read(), &[&a, &b, H1], ["installs", "installs -h1"]),
        ("one platform alone", read(), &[&a, H1], ["installs", "refused -h1 -zh"]),
        ("h1 alone", read(), &[H1, H1_OTHER], ["installs -zh", "installs -zh"]),
        ("not read", unread(), full, ["fits", "fits"]),
        ("not read, one platform", unread(), &[&a, H1], ["fits", "refused -h1 -zh"]),
        ("not read, an h1 of nobody", unread(), &[&a, other], ["fits -h1", "open -h1 -zh"]),
        ("re-uploaded", again(), full, ["refused -h1 -zh", "installs"]),
        ("locked after it was re-uploaded", again(), &[&f, &b], ["refused -h1", "installs -h1"]),
        ("what clients refuse", size_0(), full, ["refused", "installs"]),
        ("what upstream did not answer", no_signature(), full, ["open", "open"]),
        ("entries that could not be read", no_h1(), full, ["open", "installs"]),
        ("its zh alone says nothing of them", no_h1(), &[&a, &b], ["open", "installs -h1"]),
        ("neither archive nor signature was read", unread_unsigned(), full, ["open", "open"]),
        ("no hash at all", read(), &[], ["unprotected -h1 -zh", "unprotected -h1 -zh"]),
        ("a size that nobody has stored", no_size(), full, ["installs", "installs"]),
        ("no hash that is compared", read(), &["h2:x"], ["unprotected -h1 -zh", "unprotected -h1 -zh"]),
        ("only foreign ones", read(), &[&f], ["refused -h1 -zh", "refused -h1 -zh"]),
        // Clients compare with what has one of their schemes, and a digest that is none is nobody's.
        ("only malformed ones", read(), &["h1:", "h1: x", &capitals], ["refused -h1 -zh", "refused -h1 -zh"]),
        ("a malformed one beside", read(), &["zh:x", &a, &b, H1, H1_OTHER], ["installs", "installs"]),
    ];
    for (name, world, hashes, [linux, darwin]) in cases {
        let wanted = [format!("linux_amd64: {linux}"), format!("darwin_arm64: {darwin}")];
        assert_eq!(fares(&world.check(hashes, &[])), wanted, "{name}");
    }
    let asked = read().check(&[&a, H1], &["linux_amd64", "plan9_mips"]);
    assert_eq!(fares(&asked), ["linux_amd64: installs", "plan9_mips: refused"]);
}

/// `error rule@line`.
fn found(check: &BlockCheck) -> Vec<String> {
    let one = |found: &crate::rules::lock::FoundAt| {
        assert_eq!(found.finding.version.as_deref(), Some("1.0.0"));
        format!("{} {}@{}", found.finding.severity.name(), found.finding.rule, found.at.line)
    };
    check.findings().iter().map(one).collect()
}

#[test]
fn what_is_told() {
    let (a, b, d) = (zh("a"), zh("b"), zh("d"));
    let full: &[&str] = &[&a, &b, H1, H1_OTHER];
    let cases: [(World, &[&str], &[&str]); 7] = [
        (World::fine(), full, &[]),
        (World::fine(), &[&a, &b, H1], &["note lock-incomplete@2"]),
        (World::fine(), &[&a, &b, H1, H1_OTHER, &d], &["error lock-hash-foreign@8"]),
        (World::fine(), &[&a, H1], &["error lock-platform@2"]),
        (World::fine(), &["h2:x"], &["error lock-no-hashes@2", "note lock-scheme-unknown@4"]),
        (
            changed(World::unread),
            &[&a, H1_EMPTY],
            &["warning lock-platform-not-known@2", "note lock-incomplete@2", "warning lock-hash-not-known@4"],
        ),
        (
            changed(|world| world.uploaded_again(0)),
            full,
            &["error lock-platform@2", "error lock-hash-outdated@5", "error lock-hash-outdated@6"],
        ),
    ];
    for (world, hashes, wanted) in cases {
        assert_eq!(found(&world.check(hashes, &[])), wanted, "{hashes:?}");
    }
    // Nobody wanted to go without the archives.
    let wanted = changed(|world| {
        world.unread();
        world.reads_archives = true;
    });
    assert_eq!(found(&wanted.check(full, &[])), ["warning lock-not-read@2"]);
    let texts: Vec<String> =
        World::fine().check(&[&a, &d], &[]).findings().into_iter().map(|found| found.finding.text).collect();
    assert_eq!(
        texts,
        [
            "cannot be installed on darwin_arm64: no recorded hash is that of its package",
            "it lacks h1 of linux_amd64: a tool that knows them adds them, and one that does not removes them",
            "no target of acme/rocket 1.0.0 has the hash zh:dddddddddddddddd…: it was tampered with, or the version was released again",
        ]
    );
}
