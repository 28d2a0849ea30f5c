//! Archives that somebody made with intent, or with a strange tool, and that are the very bytes that were indexed: what each
//! comes to as a row. The zips are those of `tests/vectors/zip`, with the hashes that were made independently for them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bumpdesk::surface::jobs::Outcome;
use bumpdesk::surface::rules::verify::{Answer, Case, Computed, Row, Zip};
use demo::World;
use sha2::{Digest, Sha256};

use super::zipper::{Manner, Zipper};
use super::{edit, file, line, plan, verified};
use crate::stage::{Stage, Terms};

const OK: &str = "OK equal same same same none";
/// It is what was indexed, and no client unpacks it: bad, and nothing to be asked again for.
const UNFIT: &str = "MISMATCH equal same same - none";
const NOT_INSTALLABLE: &str = "MISMATCH equal same same same none";
const OTHER_SYSTEM: &str = "MISMATCH equal same same same none";
const OVER_LIMIT: &str = "SKIPPED equal same same - none";

/// An archive and what its row says.
struct Odd {
    /// A vector's name, or that of an archive made here.
    zip: &'static str,
    ends: &'static str,
    /// Why it was read a second time; empty for one that was hashed while it arrived.
    spooled: &'static str,
    /// What the reading says, in parts; none for a row without a reading.
    reading: &'static [&'static str],
    remarks: &'static [&'static str],
}

const ARCHIVES: [Odd; 19] = [
    Odd {
        zip: "with the binary of p0, and a folder",
        ends: OK,
        spooled: "",
        reading: &["the h1 of the installed package is not the archive's"],
        remarks: &["folders have entries of their own (1, such as `docs/`)"],
    },
    Odd { zip: "go-made", ends: OK, spooled: "", reading: &[], remarks: &[] },
    Odd {
        zip: "specified-folder",
        ends: OK,
        spooled: "",
        reading: &["the h1 of the installed package is not the archive's"],
        remarks: &["folders have entries of their own (1, such as `docs/`)"],
    },
    Odd {
        zip: "specified-duplicate",
        ends: OK,
        spooled: "",
        reading: &["the h1 of the installed package is not the archive's"],
        remarks: &["several entries have one name (1, such as `bin`)"],
    },
    Odd {
        zip: "encrypted-claim",
        ends: OK,
        spooled: "encrypted",
        reading: &["entries are said to be encrypted and are not"],
        remarks: &["entries are said to be encrypted and are not (2, such as `README.md`)"],
    },
    Odd {
        zip: "trailing-byte",
        ends: OK,
        spooled: "bytes follow its end",
        reading: &["bytes come after the archive"],
        remarks: &["bytes come after the archive (1)"],
    },
    Odd {
        zip: "leading-uncounted",
        ends: OK,
        spooled: "it does not begin with an entry",
        reading: &["bytes come before the archive"],
        remarks: &["bytes come before the archive (10)"],
    },
    Odd {
        zip: "encrypted",
        ends: UNFIT,
        spooled: "encrypted",
        reading: &["no client can install it: ", "the entry `a` cannot be read"],
        remarks: &[],
    },
    Odd {
        zip: "name-line-break",
        ends: UNFIT,
        spooled: "line break",
        reading: &[
            "no client can install it: ",
            "an entry's name holds a line break, which h1 cannot express",
        ],
        remarks: &[],
    },
    Odd {
        zip: "method-lzma",
        ends: UNFIT,
        spooled: "method 14",
        reading: &["no client can install it: ", "it is packed with method 14"],
        remarks: &[],
    },
    Odd {
        zip: "cut in half",
        ends: UNFIT,
        spooled: "it stops before its end",
        reading: &["no client can install it: not a readable zip: "],
        remarks: &[],
    },
    Odd {
        zip: "html",
        ends: UNFIT,
        spooled: "it does not begin with an entry",
        reading: &["no client can install it: not a readable zip: "],
        remarks: &[],
    },
    Odd {
        zip: "empty",
        ends: NOT_INSTALLABLE,
        spooled: "",
        reading: &["no client can install it: "],
        remarks: &[],
    },
    Odd {
        zip: "name-outside",
        ends: NOT_INSTALLABLE,
        spooled: "",
        reading: &["no client can install it: ", "../a"],
        remarks: &["names lead out of the folder (1, such as `../a`)"],
    },
    Odd {
        zip: "file-and-folder",
        ends: NOT_INSTALLABLE,
        spooled: "",
        reading: &["no client can install it: "],
        remarks: &[],
    },
    Odd {
        zip: "bomb",
        ends: OVER_LIMIT,
        spooled: "200 times its size",
        reading: &["its h1 was not computed: it unpacks to more than 200 times its size"],
        remarks: &[],
    },
    Odd {
        zip: "long names",
        ends: OVER_LIMIT,
        spooled: "8388608 bytes",
        reading: &["its h1 was not computed: its names take more than 8388608 bytes"],
        remarks: &[],
    },
    Odd {
        zip: "with the binary of p17 for another processor",
        ends: OTHER_SYSTEM,
        spooled: "",
        reading: &[
            "the provider's binary is for Unix (ELF), arm64 and not for linux_amd64: clients install it and cannot start it",
        ],
        remarks: &[],
    },
    Odd { zip: "with the binary of p18", ends: OK, spooled: "", reading: &[], remarks: &[] },
];

/// The archives that contain the binary of their provider.
const HAVE_BINARY: [&str; 3] = ["acme/p0", "acme/p17", "acme/p18"];

/// What an archive is and hashes to: its bytes, its h1 if it has one, and that of its folder.
struct Made {
    bytes: Vec<u8>,
    h1: String,
    directory: String,
}

/// Of files in the order of their names.
fn h1(files: &[(&str, &str)]) -> String {
    let line = |(name, text): &(&str, &str)| format!("{}  {name}\n", hex::encode(Sha256::digest(text)));
    let lines: String = files.iter().map(line).collect();
    format!("h1:{}", STANDARD.encode(Sha256::digest(lines)))
}

fn archives() -> BTreeMap<String, Made> {
    let whole: toml::Table = include_str!("../../../vectors/zip/vectors.toml").parse().expect("TOML");
    let vectors = whole["vector"].as_array().expect("a list").iter().map(|vector| {
        let text = |key: &str| vector[key].as_str().expect("a text").to_owned();
        let made = Made {
            bytes: STANDARD.decode(text("zip")).expect("base64"),
            h1: text("h1"),
            directory: text("directory"),
        };
        (text("name"), made)
    });
    let mut archives: BTreeMap<String, Made> = vectors.collect();
    let mut put = |name: &str, bytes: Vec<u8>| {
        archives.insert(name.to_owned(), Made { bytes, h1: String::new(), directory: String::new() })
    };
    let mut bomb = Zipper::default();
    bomb.entry(b"zeros", &vec![0; 80 << 20], Manner::GO);
    put("bomb", bomb.finish(b"", false).bytes);
    let mut long = Zipper::default();
    for place in 0..130u32 {
        let name = format!("{place:04}{}", "n".repeat(65_500));
        long.entry(name.as_bytes(), b"", Manner::GO);
    }
    put("long names", long.finish(b"", false).bytes);
    let mut named = Zipper::default();
    let binary = "terraform-provider-p0_v1.0.0";
    named.entry(b"docs/", b"", Manner::GO);
    named.entry(binary.as_bytes(), b"b", Manner::GO);
    let named = Made {
        bytes: named.finish(b"", false).bytes,
        h1: h1(&[("docs/", ""), (binary, "b")]),
        directory: h1(&[(binary, "b")]),
    };
    archives.insert("with the binary of p0, and a folder".into(), named);
    for (name, binary, machine) in [
        ("with the binary of p17 for another processor", "terraform-provider-p17_v1.0.0", 183),
        ("with the binary of p18", "terraform-provider-p18_v1.0.0", 62),
    ] {
        let mut header = b"\x7fELF\x02\x01\x01".to_vec();
        header.resize(18, 0);
        header.extend([machine, 0]);
        let content = header.repeat(900);
        let mut zipper = Zipper::default();
        zipper.entry(binary.as_bytes(), &content, Manner::GO);
        let line = format!("{}  {binary}\n", hex::encode(Sha256::digest(&content)));
        let h1 = format!("h1:{}", STANDARD.encode(Sha256::digest(line)));
        let made = Made { bytes: zipper.finish(b"", false).bytes, h1: h1.clone(), directory: h1 };
        archives.insert(name.into(), made);
    }
    let cut = archives["go-made"].bytes[..200].to_vec();
    archives.insert("cut in half".into(), Made { bytes: cut, h1: String::new(), directory: String::new() });
    archives
}

/// A provider for each archive, which was indexed with these very bytes.
fn world(archives: &BTreeMap<String, Made>) -> World {
    let mut text = "clock = \"2026-11-21T12:00:00Z\"\n".to_owned();
    for place in 0..ARCHIVES.len() {
        let _ = writeln!(
            text,
            "[[provider]]\naddress = \"acme/p{place}\"\ntargets = [\"linux_amd64\"]\nstored = [\"1.0.0\"]"
        );
    }
    let mut world = World::parse(&text).expect("a world");
    for (place, odd) in ARCHIVES.iter().enumerate() {
        let made = &archives[odd.zip];
        let sum: [u8; 32] = Sha256::digest(&made.bytes).into();
        let mut old = String::new();
        edit(&mut world, &format!("p{place}"), |assets| {
            let zip = file(assets, ".zip");
            old = hex::encode(zip.digest.expect("a digest"));
            (zip.size, zip.digest) = (made.bytes.len() as u64, Some(sum));
            zip.content = Some(made.bytes.clone().into());
            let sums = file(assets, "_SHA256SUMS");
            let text = String::from_utf8(sums.content.as_ref().expect("sums").to_vec()).expect("UTF-8");
            sums.content = Some(text.replace(&old, &hex::encode(sum)).into());
        });
        let bytes = world.files.get_mut(&format!("providers/a/acme/p{place}.json")).expect("a file");
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8").replace(&old, &hex::encode(sum));
        // An archive without an h1 was indexed with an empty one.
        let h1 = if made.h1.starts_with("h1:") { &*made.h1 } else { "" };
        let size = made.bytes.len();
        let lines = text.lines().map(|line| {
            let start = line.len() - line.trim_start().len();
            match line.trim_start().split(':').next() {
                Some("\"h1\"") => format!("{}\"h1\": \"{h1}\",\n", &line[..start]),
                Some("\"size\"") => format!("{}\"size\": {size}\n", &line[..start]),
                _ => format!("{line}\n"),
            }
        });
        *bytes = lines.collect::<String>().into();
    }
    world
}

/// The row as it would be if the archive also contained the provider's binary, which few do.
fn with_binary(row: &Row) -> Row {
    let mut row = row.clone();
    if let Zip::Hashed(computed) = &mut row.zip
        && computed.h1.is_some()
    {
        let has_binary = HAVE_BINARY.contains(&row.address.to_string().as_str());
        assert_eq!(computed.has_binary.replace(true), Some(has_binary), "{}", row.address);
    }
    row
}

fn computed(zip: &Zip) -> &Computed {
    let Zip::Hashed(computed) = zip else { panic!("{zip:?}") };
    computed
}

#[tokio::test(flavor = "multi_thread")]
async fn an_odd_archive_says_what_is_odd_about_it() {
    let archives = archives();
    let mut stage = Stage::of(world(&archives), Terms::default()).await;
    let names: Vec<String> = (0..ARCHIVES.len()).map(|place| format!("acme/p{place}")).collect();
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let ran = verified(&mut stage, plan(&words)).await;
    let mut wrong = Vec::new();
    for (name, odd) in names.iter().zip(&ARCHIVES) {
        let (row, made) = (&with_binary(ran.row(name)), &archives[odd.zip]);
        let computed = computed(&row.zip);
        let reading = row.reading().unwrap_or_default();
        let is_told = if odd.reading.is_empty() {
            reading.is_empty()
        } else {
            odd.reading.iter().all(|part| reading.contains(part))
        };
        let spooled = computed.spooled.as_deref().unwrap_or_default();
        let is_spooled_so = spooled.is_empty() == odd.spooled.is_empty() && spooled.contains(odd.spooled);
        // Its h1 is the one that was made for it, in both forms, or there is none.
        let h1 = computed.h1.as_deref().unwrap_or_default();
        let has_h1 = if made.h1.starts_with("h1:") { h1 == made.h1 } else { h1.is_empty() };
        let installed = Some(made.directory.as_str())
            .filter(|directory| directory.starts_with("h1:") && *directory != made.h1);
        let is_right = has_h1
            && computed.h1_installed.as_deref() == installed
            && computed.sha256 == hex::encode(Sha256::digest(&made.bytes))
            && row.case() == Case::Equal
            && row.answers().digest == Answer::Same;
        let asks_again = row.steps().iter().any(|step| step.starts_with("run the same"));
        if line(row) != odd.ends
            || !is_told
            || !is_spooled_so
            || !is_right
            || asks_again
            || computed.remarks != odd.remarks
        {
            wrong.push(format!(
                "{}: {}\n  {reading}\n  {computed:?}\n  {:?}",
                odd.zip,
                line(row),
                row.steps()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = |ends: &[&str]| ARCHIVES.iter().filter(|odd| ends.contains(&odd.ends)).count() as u64;
    let spooled = ARCHIVES.iter().filter(|odd| !odd.spooled.is_empty()).count() as u64;
    let tally = ran.meter.tally;
    assert!(spooled > 5);
    assert_eq!((tally.spooled, tally.streamed), (spooled, ARCHIVES.len() as u64 - spooled));
    // Only the first and the last have a file that clients would start.
    let harmed = count(&[OK, UNFIT, NOT_INSTALLABLE, OTHER_SYSTEM]) - 2;
    assert_eq!((tally.ok, tally.skipped, tally.error), (2, count(&[OVER_LIMIT]), 0));
    assert_eq!((tally.mismatch, tally.forms_differ), (harmed, 3));
    let Outcome::Done(summary) = &ran.outcome else { panic!("{:?}", ran.outcome) };
    // That the installed package has another h1 than the archive is a finding, as fine as the rest may be.
    assert_eq!((summary.findings, summary.failed), (harmed + 1, 0));
}
