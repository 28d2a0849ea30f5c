//! A small honest pull request, and every way in which one of its bytes, fields, targets and versions can be another.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::*;
use crate::registry::{Document, Json, Key, Kind};
use crate::rules;
use crate::rules::rebuild::{Found, Keep, NO_CHECKSUMS, NewError, NewTag, NewTarget, NewVersion, rebuild};
use crate::settings::{Feature, Features};

const OPENED: &str = "2026-11-20T12:00:00Z";
const KINDS: [Kind; 2] = [Kind::Provider, Kind::Module];

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn sum(start: &str) -> String {
    format!("{start:0<64}")
}

fn version(tag: &str) -> NewVersion {
    let of = |platform: &str, sha: &str| {
        let (os, arch) = platform.split_once('_').unwrap();
        let filename = format!("terraform-provider-rocket_{}_{platform}.zip", tag.trim_start_matches('v'));
        NewTarget {
            os: os.into(),
            arch: arch.into(),
            download_url: format!(
                "https://github.com/acme/terraform-provider-rocket/releases/download/{tag}/{filename}"
            ),
            filename,
            shasum: sum(sha),
            h1: format!("h1:{sha}+/c="),
            size_bytes: 1_234,
        }
    };
    let base =
        format!("https://github.com/acme/terraform-provider-rocket/releases/download/{tag}/SHA256SUMS");
    NewVersion {
        tag: tag.into(),
        protocols: vec!["5.0".into(), "6.0".into()],
        shasums_signature_url: format!("{base}.sig"),
        shasums_url: base,
        targets: vec![of("darwin_arm64", "a1"), of("linux_amd64", "b2"), of("windows_amd64", "c3")],
    }
}

fn module_version(tag: &str) -> NewTag {
    NewTag { tag: tag.into(), commit: sum(&hex::encode(tag))[..40].to_owned() }
}

/// A file with what is in it and what is added, as the registry's tool writes it at that time.
fn with(kind: Kind, base: &Document, tags: &[&str], now: &str) -> Document {
    let found = match kind {
        Kind::Provider => {
            Found { versions: tags.iter().map(|tag| version(tag)).collect(), ..Found::default() }
        }
        Kind::Module => {
            Found { tags: tags.iter().map(|tag| module_version(tag)).collect(), ..Found::default() }
        }
    };
    rebuild(kind, base, &found, &Keep::All, Features::default(), at(now))
}

fn base(kind: Kind) -> Document {
    with(kind, &Document::empty(), &["v1.0.0", "v0.9.0"], "2026-01-01T00:00:00Z")
}

fn head(kind: Kind) -> Document {
    with(kind, &base(kind), &["v1.1.0", "v1.2.0"], "2026-11-20T11:00:00Z")
}

/// The same as made by the reviewer, later.
fn derived(kind: Kind) -> Derived {
    let published = ["1.1.0", "1.2.0"].map(|version| (version.to_owned(), at("2026-11-19T00:00:00Z")));
    Derived {
        document: with(kind, &base(kind), &["v1.1.0", "v1.2.0"], "2026-11-21T09:30:00Z"),
        findings: Vec::new(),
        published: BTreeMap::from(published),
        undated: Vec::new(),
        hashed: true,
        named: Vec::new(),
    }
}

fn judged(kind: Kind, head: &[u8], derived: &Derived) -> Judged {
    match Claim::read(kind, Some(&base(kind).print()), head) {
        Ok(claim) => claim.judge(derived, at(OPENED)),
        Err(judged) => judged,
    }
}

#[test]
fn what_is_honest_is_the_same() {
    for kind in KINDS {
        let same = Judged::new(Result::Same, Vec::new());
        assert_eq!(judged(kind, &head(kind).print(), &derived(kind)), same);
        let unread = Derived { hashed: false, ..derived(kind) };
        let word = if kind == Kind::Provider { Result::NotHashed } else { Result::Same };
        assert_eq!(judged(kind, &head(kind).print(), &unread).word, word);
    }
}

#[test]
fn what_was_not_read_is_unknown_and_what_is_known_to_differ_still_does() {
    let kind = Kind::Provider;
    let (base, head) = (base(kind), head(kind).print());
    let finding =
        rules::Finding::error("version-unread", "left out: its checksums could not be read").on("1.2.0");
    let part = Derived {
        document: with(kind, &base, &["v1.1.0"], "2026-11-21T09:30:00Z"),
        findings: vec![finding],
        ..derived(kind)
    };
    let judged_part = judged(kind, &head, &part);
    assert_eq!(judged_part.word, Result::Unknown);
    assert_eq!(judged_part.points, ["1.2.0: left out: its checksums could not be read"]);
    let other = String::from_utf8(head.clone()).unwrap().replacen("1.1.0_linux", "1.1.0_linus", 1);
    assert_eq!(judged(kind, other.as_bytes(), &part).word, Result::Differs);
    let nothing = Derived {
        document: base,
        findings: vec![rules::Finding::error("tags-unread", "the tags are not known")],
        ..derived(kind)
    };
    assert_eq!(judged(kind, &head, &nothing).word, Result::Unknown);
}

type Fields = Vec<(Key, Json)>;

/// Where in a tree, from its root.
#[derive(Clone, Debug)]
enum Step {
    Key(usize),
    Item(usize),
}

fn at_mut<'a>(json: &'a mut Json, way: &[Step]) -> &'a mut Json {
    way.iter().fold(json, |json, step| match (json, step) {
        (Json::Object(fields), Step::Key(key)) => &mut fields[*key].1,
        (Json::Array(items), Step::Item(item)) => &mut items[*item],
        _ => unreachable!(),
    })
}

fn every_place(json: &Json, way: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], &Json)) {
    visit(way, json);
    let mut below = |step: Step, json: &Json, way: &mut Vec<Step>| {
        way.push(step);
        every_place(json, way, visit);
        way.pop();
    };
    match json {
        Json::Object(fields) => {
            fields.iter().enumerate().for_each(|(key, (_, json))| below(Step::Key(key), json, way));
        }
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(item, json)| below(Step::Item(item), json, way));
        }
        _ => {}
    }
}

/// Other texts for a text: each of its characters another one, one more, one less, other case, letters that look the same.
fn other_texts(text: &str) -> Vec<String> {
    let mut others: Vec<String> = text
        .char_indices()
        .map(|(place, c)| {
            let other = if c == '0' { '1' } else { '0' };
            format!("{}{other}{}", &text[..place], &text[place + c.len_utf8()..])
        })
        .collect();
    others.extend([format!("{text}0"), format!("{text} "), text[..text.len() - 1].to_owned(), String::new()]);
    others.extend([text.to_uppercase(), text.replace('a', "\u{430}"), text.replace('e', "\u{435}")]);
    others.retain(|other| other != text);
    others
}

/// What names a place: the version that it is in, the target, and the field of it.
fn named(root: &Json, way: &[Step]) -> Vec<String> {
    let text = |json: &Json, key: &str| json.field(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let (mut words, mut field, mut json) = (Vec::new(), None, root);
    for step in way {
        match (json, step) {
            (Json::Object(fields), Step::Key(key)) => {
                (field, json) = (Some(fields[*key].0.to_string()), &fields[*key].1);
            }
            (Json::Array(items), Step::Item(item)) => {
                json = &items[*item];
                if json.field("version").is_some() {
                    (words, field) = (vec![text(json, "version")], None);
                } else if json.field("os").is_some() {
                    words.push(format!("{}_{}", text(json, "os"), text(json, "arch")));
                    field = None;
                }
            }
            _ => unreachable!(),
        }
    }
    // Another one of these is another version, or another target.
    match field.as_deref() {
        Some("version" | "versions" | "targets") => {}
        Some("os" | "arch") => drop(words.pop()),
        _ => words.extend(field),
    }
    words
}

/// A mutation of a tree.
struct Mutation {
    what: String,
    /// All of them stand in one point.
    named: Vec<String>,
    root: Json,
}

/// Every mutation of a tree.
fn mutations(root: &Json) -> Vec<Mutation> {
    let mut all = Vec::new();
    every_place(root, &mut Vec::new(), &mut |way, json| {
        let mut with = |what: &str, change: &dyn Fn(&mut Json)| {
            let mut other = root.clone();
            change(at_mut(&mut other, way));
            all.push(Mutation { what: format!("{way:?}: {what}"), named: named(root, way), root: other });
        };
        match json {
            Json::String(text) => {
                for other in other_texts(text) {
                    with(&format!("{text} is {other}"), &|json| *json = Json::String(other.clone()));
                }
                with("null", &|json| *json = Json::Null);
            }
            Json::Number(number) => {
                let digits = number.to_string();
                let others = other_texts(&digits).into_iter().filter_map(|other| other.parse::<u64>().ok());
                for other in others {
                    with(&format!("{digits} is {other}"), &|json| *json = Json::number(other));
                }
            }
            Json::Array(items) => {
                for place in 0..items.len() {
                    let items = |json: &mut Json, change: &dyn Fn(&mut Vec<Json>)| {
                        if let Json::Array(items) = json {
                            change(items);
                        }
                    };
                    with(&format!("without item {place}"), &|json| {
                        items(json, &|items| drop(items.remove(place)));
                    });
                    with(&format!("item {place} twice"), &|json| {
                        items(json, &|items| items.insert(place, items[place].clone()));
                    });
                    with(&format!("item {place} first"), &|json| {
                        items(json, &|items| items[..=place].rotate_right(1));
                    });
                }
            }
            Json::Object(fields) => {
                for place in 0..fields.len() {
                    let fields = |json: &mut Json, change: &dyn Fn(&mut Fields)| {
                        if let Json::Object(fields) = json {
                            change(fields);
                        }
                    };
                    with(&format!("without field {place}"), &|json| {
                        fields(json, &|fields| drop(fields.remove(place)));
                    });
                    with(&format!("field {place} twice"), &|json| {
                        fields(json, &|fields| fields.insert(place, fields[place].clone()));
                    });
                    with(&format!("field {place} first"), &|json| {
                        fields(json, &|fields| fields[..=place].rotate_right(1));
                    });
                    with(&format!("field {place} by another name"), &|json| {
                        fields(json, &|fields| fields[place].0 = format!("{}x", fields[place].0).into());
                    });
                }
                with("one field more", &|json| {
                    if let Json::Object(fields) = json {
                        fields.push(("extra".into(), Json::string("x")));
                    }
                });
            }
            Json::Null | Json::Bool(_) => {}
        }
    });
    all.retain(|one| one.root != *root);
    all
}

/// A point that says where, if not in which version: what cannot be read at all, and keys that are otherwise where the content is not.
fn is_of_the_file(point: &str) -> bool {
    ["wrong content at ", "its bytes are not those ", "the file: "]
        .iter()
        .any(|start| point.starts_with(start))
}

#[test]
#[expect(clippy::print_stdout, reason = "how many were made is for whoever reads the run")]
fn no_mutation_slips_through() {
    stamped!(&["src/rules", "src/registry"]);
    for kind in KINDS {
        let honest = head(kind);
        let claims_alone = ["discovered"];
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut made, mut claims, mut elsewhere) = (0, 0, 0);
        for Mutation { what, named, root } in mutations(honest.root()) {
            let bytes = Document::from_root(root).print();
            let judged = judged(kind, &bytes, &derived(kind));
            made += 1;
            // When an added version was discovered is a claim, which may be any time between its release and the pull request.
            if matches!(judged.word, Result::Same) {
                let other = Document::parse(&bytes).unwrap();
                let difference = rules::diff::compare(kind, &honest, &other);
                let fields: Vec<&str> = difference
                    .versions
                    .iter()
                    .flat_map(|change| &change.fields)
                    .map(|field| field.field.as_str())
                    .collect();
                assert_eq!(fields, claims_alone, "{what} slipped through");
                claims += 1;
                continue;
            }
            let is_named = |point: &Point| named.iter().all(|word| point.contains(word));
            if !judged.points.iter().any(is_named) {
                assert!(
                    judged.points.iter().any(|point| is_of_the_file(point)),
                    "{what}: {named:?} in {judged:?}"
                );
                elsewhere += 1;
            }
            *found.entry(judged.word.word()).or_default() += 1;
        }
        println!(
            "{kind:?}: {made} mutations, {claims} of a claim alone, {elsewhere} named by a place in the file: {found:?}"
        );
        assert!(made >= 300 && found.values().sum::<usize>() + claims == made);
        assert!(!found.contains_key("SAME, NOT HASHED") && !found.contains_key("UNKNOWN"));
    }
}

#[test]
fn bytes_that_are_not_the_tools_own_are_found() {
    for kind in KINDS {
        let honest = String::from_utf8(head(kind).print()).unwrap();
        for (what, other) in [
            ("a final newline", format!("{honest}\n")),
            ("CRLF", honest.replace('\n', "\r\n")),
            ("tabs", honest.replace("  ", "\t")),
            ("one blank", honest.replacen(": ", ":  ", 1)),
            ("an escape", honest.replacen("versions", "\\u0076ersions", 1)),
            ("a byte order mark", format!("\u{feff}{honest}")),
            ("half of it", honest[..honest.len() / 2].to_owned()),
            ("nothing", String::new()),
            ("a list", "[]".to_owned()),
        ] {
            let judged = judged(kind, other.as_bytes(), &derived(kind));
            assert_eq!(judged.word, Result::Differs, "{what}");
            assert!(!judged.points.is_empty(), "{what}");
        }
    }
}

#[test]
fn times_that_cannot_be_are_found() {
    for kind in KINDS {
        let honest = String::from_utf8(head(kind).print()).unwrap();
        for (time, is_found) in [
            ("2026-11-19T00:00:01Z", false),
            (OPENED, false),
            ("2026-11-18T23:59:59Z", false),
            ("2026-11-18T23:55:00Z", false),
            ("2026-11-18T23:54:59Z", true),
            ("2026-11-20T12:00:01Z", false),
            ("2026-11-20T12:05:00Z", false),
            ("2026-11-20T12:05:01Z", true),
            ("3026-11-20T12:00:01Z", true),
            ("2026-11-20T11:00:00.000Z", true),
            ("2026-11-20T12:00:00+01:00", true),
            ("20 November", true),
        ] {
            let other = honest.replacen("2026-11-20T11:00:00Z", time, 1);
            assert_ne!(other, honest, "{time}");
            assert_eq!(
                judged(kind, other.as_bytes(), &derived(kind)).word != Result::Same,
                is_found,
                "{time}"
            );
        }
    }
}

/// A small difference of clocks is accepted and named in a note. A larger one is a point of the review without a
/// note.
#[test]
fn a_clock_that_is_a_little_off_is_accepted_and_named() {
    let ahead =
        |by: &str| format!("after the pull request was opened; the author's clock is {by} ahead of GitHub's");
    let behind = |by: &str| format!("before it was published; the author's clock is {by} behind GitHub's");
    for kind in KINDS {
        let honest = String::from_utf8(head(kind).print()).unwrap();
        let published = derived(kind).published;
        for (time, wanted) in [
            (OPENED, None),
            ("2026-11-20T11:59:59Z", None),
            ("2026-11-20T12:00:02Z", Some(ahead("2 s"))),
            ("2026-11-20T12:00:00.25Z", Some(ahead("1 s"))),
            ("2026-11-20T12:05:00Z", Some(ahead("300 s"))),
            ("2026-11-20T12:05:01Z", None),
            ("2026-11-19T00:00:00Z", None),
            ("2026-11-18T23:59:57Z", Some(behind("3 s"))),
            ("2026-11-18T23:54:00Z", None),
        ] {
            // The moment of a single version.
            let other = honest.replacen("2026-11-20T11:00:00Z", time, 1);
            let claim = Claim::read(kind, Some(&base(kind).print()), other.as_bytes()).unwrap();
            let notes = claim.clock_notes(&published, at(OPENED));
            assert_eq!(notes.len(), usize::from(wanted.is_some()), "{time}: {notes:?}");
            // The reading of a clock is no line comment, however wrong it is.
            assert_eq!(claim.lines(&derived(kind)), [], "{time}");
            if let Some(wanted) = wanted {
                assert!(notes[0].contains("1.2.0") && notes[0].ends_with(&wanted), "{time}: {notes:?}");
            }
        }
    }
    // The moment of a recorded failed try.
    for (time, by) in [("2026-11-20T12:00:02Z", Some("2 s")), ("2026-11-20T12:05:01Z", None)] {
        let head = submitted(time, &["2.0.0"]).print();
        let claim = Claim::read(Kind::Provider, None, &head).unwrap();
        let derived = Derived { document: submitted(OPENED, &["2.0.0"]), ..derived(Kind::Provider) };
        let (notes, judged) =
            (claim.clock_notes(&derived.published, at(OPENED)), claim.judge(&derived, at(OPENED)));
        let of_try =
            notes.iter().filter(|note| note.starts_with("2.0.0: its failed try is recorded after")).count();
        assert_eq!(of_try, usize::from(by.is_some()), "{notes:?}");
        assert_eq!(judged.word == Result::Same, by.is_some(), "{judged:?}");
        assert_eq!(claim.lines(&derived), [], "{time}");
    }
}

#[test]
fn paths_are_what_they_look_like() {
    for (path, wanted) in [
        ("providers/a/acme/rocket.json", "entry"),
        ("modules/a/acme/vpc/aws.json", "entry"),
        ("versions_blacklist.json", "blacklist"),
        ("keys/a/acme/key.asc", "key"),
        ("providers/a/Acme/rocket.json", "elsewhere"),
        ("providers/b/acme/rocket.json", "elsewhere"),
        ("providers/\u{430}/\u{430}cme/rocket.json", "elsewhere"),
        ("providers/a/acme/rocket.json/x.json", "elsewhere"),
        ("../providers/a/acme/rocket.json", "elsewhere"),
        (".github/workflows/bump-versions.yml", "elsewhere"),
        ("versions_blacklist.json ", "elsewhere"),
    ] {
        let is = match Ground::of(path) {
            Ground::Entry(address) => {
                assert_eq!(address.path(), path);
                "entry"
            }
            Ground::Key => "key",
            Ground::Blacklist => "blacklist",
            Ground::Elsewhere(_) => "elsewhere",
        };
        assert_eq!(is, wanted, "{path}");
    }
    let leaf = |mode| ChangedPath {
        path: "providers/a/acme/rocket.json".into(),
        before: None,
        after: Some(Leaf { mode, id: "e".repeat(40) }),
    };
    assert_eq!(leaf(0o100_644).oddity(), None);
    for mode in [0o100_755, 0o120_000, 0o160_000, 0o40_000, 0o100_600] {
        assert!(leaf(mode).oddity().is_some(), "{mode:o}");
    }
}

/// The manual has the words in the order in which each outweighs those before it, and what they mean as the console says it.
#[test]
fn the_manual_says_what_each_word_means() {
    let words = [
        Result::Same,
        Result::NotHashed,
        Result::PersonDecides,
        Result::Unknown,
        Result::Differs,
        Result::Refused,
    ];
    assert!(words.is_sorted());
    let rows = words.map(|word| format!("| {} | {} |\n", word.word(), word.meaning()));
    assert!(include_str!("../../manual/reviews.md").contains(&rows.concat()), "{}", rows.concat());
}

/// The file with these warnings as its last field.
fn with_warnings(file: &Document, warnings: &[&str]) -> Vec<u8> {
    let mut root = file.root().clone();
    rules::warning::set(&mut root, warnings.iter().map(|text| Json::string(*text)).collect());
    Document::from_root(root).print()
}

/// The review of a change of warnings in a file without changes upstream.
fn judged_warnings(before: &[&str], after: &[u8], derived: &Derived) -> Judged {
    let base = with_warnings(&base(Kind::Provider), before);
    match Claim::read(Kind::Provider, Some(&base), after) {
        Ok(claim) => {
            let document = claim.base().0.clone();
            claim.judge(&Derived { document, ..derived.clone() }, at(OPENED))
        }
        Err(judged) => judged,
    }
}

#[test]
fn a_person_decides_about_a_change_of_warnings() {
    let after = |texts: &[&str]| with_warnings(&base(Kind::Provider), texts);
    let unhashed = Derived { hashed: false, ..derived(Kind::Provider) };
    for (before, texts, points) in [
        (&[][..], &["Use another."][..], &["`warnings`: a text is added: \"Use another.\""][..]),
        (
            &["Use anohter."],
            &["Use another."],
            &[
                "`warnings`: a text is corrected; until now it is \"Use anohter.\"",
                "the corrected text is \"Use another.\"",
            ],
        ),
        (&["Old."], &[], &["`warnings`: a text is removed: \"Old.\""]),
        (&["Old."], &["Old.", "Older."], &["`warnings`: a text is added: \"Older.\""]),
        (
            &["Old.", "Older.", "Oldest."],
            &["Older."],
            &["`warnings`: a text is removed: \"Old.\"", "`warnings`: a text is removed: \"Oldest.\""],
        ),
        (&["Old.", "Older."], &["Older.", "Old."], &["`warnings`: the texts are in another order"]),
        (&["Old."], &["Old.", "Old."], &["`warnings`: a text is added: \"Old.\""]),
        // Text from other people is data, even if it contains commands for a shell or a page.
        (&[], &["Use `$(rm -rf /)` <b>"], &["`warnings`: a text is added: \"Use `$(rm -rf /)` <b>\""]),
        (
            &[],
            &["See https://example.com/x"],
            &["`warnings`: a text is added: \"See https://example.com/x\""],
        ),
    ] {
        let judged = judged_warnings(before, &after(texts), &unhashed);
        assert_eq!(judged.word, Result::PersonDecides, "{texts:?}: {:?}", judged.points);
        let wanted: Vec<&str> = points.iter().copied().chain(["no version changes"]).collect();
        assert_eq!(judged.points, wanted);
    }
}

#[test]
fn a_change_of_warnings_does_not_need_upstream() {
    let kind = Kind::Provider;
    let gone = Derived {
        findings: vec![rules::Finding::error("tags-unread", "there is no repository")],
        ..derived(kind)
    };
    let judged = judged_warnings(&[], &with_warnings(&base(kind), &["It is gone."]), &gone);
    assert_eq!(judged.word, Result::PersonDecides, "{:?}", judged.points);
    // If a version changes too, upstream has to be read.
    let both = with_warnings(&head(kind), &["It is gone."]);
    let claim = Claim::read(kind, Some(&base(kind).print()), &both).unwrap();
    let unread = Derived { document: base(kind), ..gone };
    assert_eq!(claim.judge(&unread, at(OPENED)).word, Result::Unknown);
}

#[test]
fn the_addresses_of_warnings_are_reported() {
    let named = |address: &str, is_registered, fault| rules::warning::Named {
        address: crate::registry::Address::parse(address).unwrap(),
        is_registered,
        fault,
    };
    let derived = Derived {
        named: vec![
            named("acme/forge", true, None),
            named("acme/gone", false, None),
            named("acme/nowhere", false, Some(rules::warning::Fault::NotRegistered)),
            named("acme/rocket", true, Some(rules::warning::Fault::Itself)),
        ],
        ..derived(Kind::Provider)
    };
    let judged = judged_warnings(&[], &with_warnings(&base(Kind::Provider), &["x"]), &derived);
    assert_eq!(
        judged.points[1..],
        [
            "it names `acme/forge`, which is registered",
            "it names `acme/gone`, which is not registered",
            "it sends users to `acme/nowhere`, which is not registered",
            "it sends users to `acme/rocket`, which is this very entry",
            "no version changes"
        ]
    );
    assert_eq!(judged.word, Result::PersonDecides);
}

#[test]
fn versions_beside_a_warning_are_judged_as_usual() {
    let kind = Kind::Provider;
    let judged = |bytes: &[u8], derived: &Derived| judged(kind, bytes, derived);
    let warned = |file: &Document| with_warnings(file, &["Use another."]);
    let added = "`warnings`: a text is added: \"Use another.\"";
    let honest = judged(&warned(&head(kind)), &derived(kind));
    assert_eq!(honest.word, Result::PersonDecides);
    assert_eq!(honest.points, [added]);
    let dishonest = String::from_utf8(warned(&head(kind))).unwrap().replacen("1.1.0_linux", "1.1.0_linus", 1);
    let dishonest = judged(dishonest.as_bytes(), &derived(kind));
    assert_eq!(dishonest.word, Result::Differs);
    assert_eq!(dishonest.points.last().map(|point| &**point), Some(added));
    let indexed = String::from_utf8(warned(&head(kind))).unwrap().replacen("0.9.0_linux", "0.9.0_linus", 1);
    assert_eq!(judged(indexed.as_bytes(), &derived(kind)).word, Result::Refused);
    // A failed try comes from upstream too.
    let mut root = base(kind).root().clone();
    if let Json::Object(fields) = &mut root {
        fields.push(("versions_errors".into(), Json::Array(Vec::new())));
        fields.push(("warnings".into(), Json::Array(vec![Json::string("Old.")])));
    }
    let own = Derived { document: base(kind), ..derived(kind) };
    assert_eq!(judged(&Document::from_root(root).print(), &own).word, Result::Differs);
}

#[test]
fn warnings_that_clients_cannot_show_differ() {
    let kind = Kind::Provider;
    for text in ["two\nlines", "\u{1b}[2J", "", " ", &"x".repeat(501)] {
        let judged = judged_warnings(&[], &with_warnings(&base(kind), &[text]), &derived(kind));
        assert_eq!(judged.word, Result::Differs, "{text:?}");
        assert!(judged.points[0].starts_with("a warning "), "{:?}", judged.points);
    }
    let file = String::from_utf8(base(kind).print()).unwrap();
    let with = |list: &str| file.replacen('{', &format!("{{\n  \"warnings\": {list},"), 1);
    for list in ["\"x\"", "{}", "[1]", "[\"x\"]", "[]"] {
        let judged = judged_warnings(&[], with(list).as_bytes(), &derived(kind));
        assert_eq!(judged.word, Result::Differs, "{list}: {:?}", judged.points);
    }
    // A list that a person moved to the front does no harm.
    let judged = judged_warnings(&[], with("[\n    \"Old.\"\n  ]").as_bytes(), &derived(kind));
    assert_eq!(judged.word, Result::PersonDecides, "{:?}", judged.points);
    assert!(
        judged.points.iter().any(|point| point.contains("the next bump moves it")),
        "{:?}",
        judged.points
    );
    // Clients never see the warnings in a module's file.
    let module = String::from_utf8(base(Kind::Module).print()).unwrap();
    let warned = module.replacen("\n}", ",\n  \"warnings\": [\n    \"Old.\"\n  ]\n}", 1);
    let claim = Claim::read(Kind::Module, Some(module.as_bytes()), warned.as_bytes()).unwrap();
    let judged = claim.judge(&Derived { document: base(Kind::Module), ..derived(Kind::Module) }, at(OPENED));
    let wanted = "the file of a module has no place for `warnings`, and clients never see them";
    assert_eq!((judged.word, &*judged.points[0]), (Result::Differs, wanted));
}

/// A review that is repeated an hour later has the same bytes, whatever is wrong with the pull request. No moment of
/// the reviewer appears in its points or remarks.
#[test]
fn a_review_made_an_hour_later_is_the_same() {
    stamped!(&["src/rules", "src/registry"]);
    for kind in KINDS {
        let made_at = |now: &str| Derived {
            document: with(kind, &base(kind), &["v1.1.0", "v1.2.0"], now),
            ..derived(kind)
        };
        let (first, later) = (made_at("2031-05-05T09:30:00Z"), made_at("2031-05-05T10:30:01Z"));
        let mut compared = 0;
        for Mutation { what, root, .. } in mutations(head(kind).root()) {
            let bytes = Document::from_root(root).print();
            let Ok(claim) = Claim::read(kind, Some(&base(kind).print()), &bytes) else { continue };
            let result = |derived: &Derived| (claim.judge(derived, at(OPENED)), claim.lines(derived));
            assert_eq!(result(&first), result(&later), "{what}");
            let text = format!("{:?}", result(&first));
            assert!(!text.contains("2031-"), "{what}: {text}");
            compared += 1;
        }
        assert!(compared >= 250, "{kind:?}: {compared}");
    }
}

/// A new entry that is made at `now`: two versions, and a third one whose release has no checksums.
fn submitted(now: &str, failed: &[&str]) -> Document {
    let error = |version: &&str| NewError { version: (*version).to_owned(), message: NO_CHECKSUMS };
    let found = Found {
        versions: vec![version("v1.1.0"), version("v1.2.0")],
        errors: failed.iter().map(error).collect(),
        ..Found::default()
    };
    rebuild(Kind::Provider, &Document::empty(), &found, &Keep::All, Features::default(), at(now))
}

/// Compares the failed tries of a new entry: each is named, and its moment is the author's.
#[test]
fn failed_tries_are_compared_without_their_moments() {
    const AUTHOR: &str = "2026-11-20T11:00:00Z";
    let honest = String::from_utf8(submitted(AUTHOR, &["2.0.0", "1.9.0"]).print()).unwrap();
    let missing =
        "2.0.0: versions_errors lacks \"checksums not found in release\", which the registry's tool records";
    let recorded =
        "3.0.0: versions_errors records \"checksums not found in release\", and upstream does not give that";
    for (what, head, wanted) in [
        ("honest", honest.clone(), &[][..]),
        ("at two moments", honest.replacen(AUTHOR, "2026-11-20T10:00:00Z", 1), &[]),
        ("one is missing", String::from_utf8(submitted(AUTHOR, &["1.9.0"]).print()).unwrap(), &[missing]),
        (
            "one too many",
            String::from_utf8(submitted(AUTHOR, &["3.0.0", "2.0.0", "1.9.0"]).print()).unwrap(),
            &[recorded],
        ),
        (
            "another one, and another checksum",
            honest.replacen("\"2.0.0\"", "\"3.0.0\"", 1).replacen("\"a1", "\"d1", 1),
            &[recorded, missing],
        ),
        (
            "another message",
            honest.replacen(NO_CHECKSUMS, "no", 1),
            &["2.0.0: versions_errors records \"no\", and upstream"],
        ),
    ] {
        let claim = Claim::read(Kind::Provider, None, head.as_bytes()).unwrap();
        let judged_at = |now: &str| {
            let derived =
                Derived { document: submitted(now, &["2.0.0", "1.9.0"]), ..derived(Kind::Provider) };
            (claim.judge(&derived, at(OPENED)), claim.lines(&derived))
        };
        let first = judged_at("2031-05-05T09:30:00Z");
        assert_eq!(first, judged_at("2031-05-05T10:30:01Z"), "{what}");
        assert!(!format!("{first:?}").contains("2031-"), "{what}: {first:?}");
        let points = &first.0.points;
        assert_eq!(points.is_empty(), wanted.is_empty(), "{what}: {points:?}");
        for wanted in wanted {
            assert!(points.iter().any(|point| point.starts_with(wanted)), "{what}: {wanted} in {points:?}");
        }
    }
}

/// Values that the registry's tool writes by itself do not come from upstream: the moment when it found a version,
/// and empty fields. A review proposes neither of them.
#[test]
fn upstream_does_not_give_what_the_registrys_tool_writes() {
    const ADDED: [&str; 2] = ["v1.1.0", "v1.2.0"];
    for (kind, field) in [(Kind::Provider, Feature::TargetHashes), (Kind::Module, Feature::ModuleCommits)] {
        let mut older = Features::default();
        older.set(field, false);
        let found = |tags: &[&str]| match kind {
            Kind::Provider => {
                Found { versions: tags.iter().map(|tag| version(tag)).collect(), ..Found::default() }
            }
            Kind::Module => {
                Found { tags: tags.iter().map(|tag| module_version(tag)).collect(), ..Found::default() }
            }
        };
        let written = |on: &Document, tags: &[&str], features: Features, now: &str| {
            rebuild(kind, on, &found(tags), &Keep::All, features, at(now))
        };
        let base = written(&Document::empty(), &["v1.0.0"], older, "2026-01-01T00:00:00Z");
        let head = written(&base, &ADDED, older, "2026-11-20T11:00:00Z");
        let made = written(&base, &ADDED, Features::default(), "2031-05-05T09:30:00Z");
        let text = String::from_utf8(head.print()).unwrap();
        let without_time = text.replace(",\n      \"discovered\": \"2026-11-20T11:00:00Z\"", "");
        assert_ne!(text, without_time);
        let derived = Derived { document: made, ..derived(kind) };
        for (what, head) in [("an older form", &text), ("without a moment too", &without_time)] {
            let claim = Claim::read(kind, Some(&base.print()), head.as_bytes()).unwrap();
            let points = claim.judge(&derived, at(OPENED)).points;
            let all_points = points.iter().map(|point| &**point).collect::<Vec<_>>().join("\n");
            assert!(
                !all_points.contains("gives \"\"")
                    && !all_points.contains("gives 0")
                    && !all_points.contains("2031-"),
                "{all_points}"
            );
            let stored = "is missing, and the registry's tool writes \"\" where it knows no value";
            assert!(
                points.iter().any(|point| point.starts_with("1.0.0") || point.starts_with("v1.0.0")),
                "{all_points}"
            );
            assert!(all_points.contains(stored), "{what}: {all_points}");
            // Values from upstream are reported.
            assert!(all_points.contains("is missing, and upstream gives \""), "{what}: {all_points}");
            assert_eq!(
                all_points.contains(
                    "discovered is missing, and the registry's tool writes when it found a version"
                ),
                what == "without a moment too",
                "{all_points}"
            );
            for line in claim.lines(&derived) {
                let given = line.given.join(" ");
                assert!(
                    !given.contains("\"\"")
                        && !given.contains("\"size\": 0")
                        && !given.contains("discovered"),
                    "{given}"
                );
            }
        }
    }
}

/// One digit of one checksum, and a URL of the version: each is a value with its place, and what else was compared is named.
#[test]
fn a_value_that_differs_stands_with_its_place() {
    let kind = Kind::Provider;
    let honest = String::from_utf8(head(kind).print()).unwrap();
    let at = honest.find("1.1.0_linux").unwrap();
    let (before, after) = honest.split_at(at);
    let other = format!("{before}{}", after.replacen(&sum("b2"), &sum("b3"), 1));
    let judged_with = |hashed| judged(kind, other.as_bytes(), &Derived { hashed, ..derived(kind) });
    let found = judged_with(true);
    let wanted = Mismatch {
        version: Some("1.1.0".into()),
        platform: Some("linux_amd64".into()),
        field: "shasum".into(),
        claimed: Some(format!("\"{}\"", sum("b3"))),
        upstream: Some(format!("\"{}\"", sum("b2"))),
        point: 0,
    };
    assert_eq!(found.mismatches, std::slice::from_ref(&wanted));
    assert_eq!(wanted.values(), Some([&*sum("b3"), &*sum("b2")]));
    assert_eq!(found.points, [wanted.sentence()]);
    assert_eq!(
        found.equal,
        ["1.1.0: 2 other platforms, protocols, URLs of checksums and signature as upstream"]
    );
    // Without the archives nothing is claimed of their hashes and sizes.
    assert_eq!(
        judged_with(false).equal,
        [
            "1.1.0: 2 other platforms (h1 and size not checked), protocols, URLs of checksums and signature as upstream"
        ]
    );
    let url = other.replacen("1.1.0/SHA256SUMS\"", "1.1.0/SHA256SUM\"", 1);
    let found = judged(kind, url.as_bytes(), &derived(kind));
    let fields: Vec<(&str, usize)> = found.mismatches.iter().map(|one| (&*one.field, one.point)).collect();
    assert_eq!(fields, [("shasums_url", 0), ("shasum", 1)]);
    assert_eq!(found.equal, ["1.1.0: 2 other platforms, protocols as upstream"]);
}

/// A mismatch is about the sentence at its index, also behind refusals, and goes with a sentence that is cut.
#[test]
fn a_mismatch_stays_with_its_sentence() {
    let kind = Kind::Provider;
    let honest = String::from_utf8(head(kind).print()).unwrap();
    let refused = honest.replace("1.1.0_linux", "1.1.0_linus").replacen("0.9.0_linux", "0.9.0_linus", 1);
    let Judged { word, points, mismatches, equal } = judged(kind, refused.as_bytes(), &derived(kind));
    assert_eq!(word, Result::Refused);
    assert!(mismatches.len() > 1 && mismatches[0].point > 0, "{mismatches:?}");
    let mut file = ReviewedFile::of("x", word, Vec::new());
    file.found(Judged { word, points: points.clone(), mismatches: mismatches.clone(), equal });
    let about: Vec<Option<String>> =
        file.reasons().into_iter().map(|reason| reason.mismatch.map(Mismatch::sentence)).collect();
    for (point, about) in file.points.iter().zip(&about) {
        assert!(about.as_ref().is_none_or(|about| *point == *about), "{point:?}: {about:?}");
    }
    assert_eq!(about.iter().flatten().count(), mismatches.len());
    let long = Mismatch { claimed: Some("x".repeat(1_000)), point: 0, ..mismatches[0].clone() };
    let points = vec![Point::from(long.sentence())];
    file.found(Judged { mismatches: vec![long], ..Judged::new(word, points) });
    assert_eq!(file.mismatches, []);
    let many = |point: usize| Mismatch { version: Some(point.to_string()), point, ..mismatches[0].clone() };
    let all: Vec<Mismatch> = (0..200).map(many).collect();
    let points = all.iter().map(Point::differs).collect();
    file.found(Judged { mismatches: all, ..Judged::new(word, points) });
    assert_eq!((file.points.len(), file.mismatches.len()), (101, 100));
}
