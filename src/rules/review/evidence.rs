//! The block of evidence that bumpdesk writes into its pull requests: read, and held against what the review itself read. It makes
//! nothing better, for anybody can write one.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;

use crate::rules::plain_text::visible;
use crate::rules::plan::digest_of_files;
use crate::rules::review::{Point, Result as Word, Review};
use crate::rules::sending::{Evidence, names_of};
use crate::settings::Features;

/// The beginning of the evidence block in the text of a pull request.
pub(crate) const EVIDENCE_BLOCK: &str = "<!-- bumpdesk evidence";
/// Of a name out of a block, in a sentence.
const LONGEST_NAME: usize = 200;

/// Of the files that were read, by path.
pub(crate) type Digests = BTreeMap<String, SideDigests>;

/// SHA-256 of both sides of a file, hex; that of nothing before a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SideDigests {
    pub(crate) base: String,
    pub(crate) outcome: String,
    /// As a plan has it; `None` where it is no entry's file.
    pub(crate) content: Option<String>,
}

/// The one block of a text, if it has any.
fn block(body: &str) -> Option<Result<Evidence<'static>, String>> {
    let body = body.replace("\r\n", "\n");
    let count = body.matches(EVIDENCE_BLOCK).count();
    if count > 1 {
        return Some(Err(format!("its text has {count} blocks of evidence, and bumpdesk writes one")));
    }
    let text = &body[body.find(EVIDENCE_BLOCK)?..];
    let other = || "its block of evidence is not as bumpdesk writes one".to_owned();
    let read = Evidence::read(text).filter(|read| text.starts_with(&read.comment()));
    Some(read.ok_or_else(other))
}

fn named(text: &str) -> String {
    visible(&text.chars().take(LONGEST_NAME).collect::<String>()).into_owned()
}

impl Review {
    /// Compares the block of its text with what was read. `body`: `None` if it could not be read.
    /// `own`: the version of this program, and what is switched on.
    pub(crate) fn evidenced(mut self, body: Option<&str>, read: &Digests, own: (&str, Features)) -> Self {
        // What it says of the evidence may decide, and stands first.
        let others = std::mem::take(&mut self.notes);
        if !self.files.is_empty() {
            self.compare(body, read, own);
        }
        self.notes.extend(others);
        self.bounded()
    }

    fn compare(&mut self, body: Option<&str>, read: &Digests, (program, features): (&str, Features)) {
        let Some(body) = body else {
            let why = "its text was too long to be read, alone or with those of the list, and so is any evidence in it";
            self.notes.push(why.to_owned());
            self.result = self.result.max(Word::Unknown);
            return;
        };
        let evidence = match block(body) {
            None => return,
            Some(Ok(evidence)) => evidence,
            Some(Err(why)) => return self.differs(None, why),
        };
        let (mut agrees, mut seen, mut unread) = (true, BTreeSet::new(), Vec::new());
        for file in &evidence.files {
            let path = file.path.as_ref();
            let at = self.files.iter().position(|one| one.path == path);
            if !seen.insert(path) {
                agrees = false;
                self.differs(at, format!("its evidence names {} twice", named(path)));
            } else if at.is_none() {
                agrees = false;
                self.differs(at, format!("its evidence names {}, which it does not change", named(path)));
            } else if let Some(digests) = read.get(path) {
                let sides =
                    [("base", &file.base, &digests.base), ("outcome", &file.outcome, &digests.outcome)];
                for (side, told, is) in sides {
                    if told != is {
                        agrees = false;
                        let told = named(told);
                        self.differs(at, format!("its evidence has {side} {told}, and the file has {is}"));
                    }
                }
            } else {
                unread.push(named(path));
            }
        }
        for at in 0..self.files.len() {
            if !seen.contains(self.files[at].path.as_str()) {
                agrees = false;
                self.differs(Some(at), "its evidence does not name the file".to_owned());
            }
        }
        let own: Vec<&str> = names_of(features).collect();
        if evidence.features != own {
            agrees = false;
            let told: Vec<&str> = evidence.features.iter().map(AsRef::as_ref).collect();
            let list = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            self.differs(
                None,
                format!(
                    "its evidence was made with the features {}, and this bumpdesk has {}",
                    named(&list(&told)),
                    list(&own)
                ),
            );
        }
        if Version::parse(&evidence.program).is_err() {
            agrees = false;
            let told = named(&evidence.program);
            self.differs(None, format!("its evidence is of bumpdesk `{told}`, which is not a version"));
        }
        if !agrees {
            return;
        }
        let content = |(path, one): (&'_ String, &'_ SideDigests)| {
            Some([path.clone(), one.base.clone(), one.content.clone()?])
        };
        let contents: Option<Vec<[String; 3]>> = read.iter().map(content).collect();
        if let (true, Some(contents)) = (unread.is_empty(), &contents) {
            let plan = digest_of_files(contents.iter().map(|parts| parts.each_ref().map(String::as_str)));
            if evidence.plan != plan {
                let told = named(&evidence.plan);
                let why =
                    format!("its evidence is of the plan {told}, and its files are those of the plan {plan}");
                return self.differs(None, why);
            }
        }
        if !unread.is_empty() {
            self.notes.push(format!("its evidence was not compared for {}", unread.join(", ")));
        } else if evidence.base == self.merge_base {
            let who = match &*evidence.program {
                own if own == program => "bumpdesk made it".to_owned(),
                other => format!("bumpdesk {} made it, where this is {program}", named(other)),
            };
            let plan = match contents {
                Some(_) => "",
                None => "; which plan it says is not compared, where a key or the blacklist is part of it",
            };
            self.notes.push(format!(
                "its evidence says that {who}, and agrees with the files and the base that were read{plan}"
            ));
        } else {
            self.notes.push(format!(
                "its evidence is for the base {}, and it stands on {}; the digests of its files agree",
                named(&evidence.base),
                self.merge_base
            ));
        }
    }

    /// Of a file, or of all of it where there is no such file.
    fn differs(&mut self, at: Option<usize>, point: String) {
        self.result = self.result.max(Word::Differs);
        match at {
            Some(at) => {
                let file = &mut self.files[at];
                // What decides stands first.
                let place = if file.result < Word::Differs { 0 } else { file.points.len() };
                file.points.insert(place, Point::new(point, "evidence is of other files"));
                file.result = file.result.max(Word::Differs);
            }
            None => self.notes.push(point),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::review::{OpenPull, ReviewedFile};

    const A: &str = "providers/a/acme/rocket.json";
    const B: &str = "modules/a/acme/vpc/aws.json";

    fn digests(of: &[&str]) -> Digests {
        let both = |path: &&str| {
            let digest = |side: &str| crate::registry::digest(format!("{path} {side}").as_bytes());
            let (base, outcome, content) = (digest("before"), digest("after"), Some(digest("content")));
            ((*path).to_owned(), SideDigests { base, outcome, content })
        };
        of.iter().map(both).collect()
    }

    fn text(of: &[&str]) -> String {
        let file = |(path, SideDigests { base, outcome, .. }): (&String, &SideDigests)| {
            format!(r#"{{"path":"{path}","base":"{base}","outcome":"{outcome}"}}"#)
        };
        let files: Vec<String> = digests(of).iter().map(file).collect();
        let read = digests(of);
        let parts = read.iter().map(|(path, one)| [path, &*one.base, one.content.as_deref().unwrap()]);
        let (plan, base, files) = (digest_of_files(parts), "ab".repeat(20), files.join(","));
        let features: Vec<String> = names_of(own().1).map(|name| format!("\"{name}\"")).collect();
        let features = features.join(",");
        format!(
            "Adds it.\n\n<!-- bumpdesk evidence v1\n{{\"format\":1,\"program\":\"0.1.0\",\"plan\":\"{plan}\",\"base\":\"{base}\",\"files\":[{files}],\"features\":[{features}]}}\n-->"
        )
    }

    fn own() -> (&'static str, Features) {
        ("0.1.0", Features::default())
    }

    /// Of a pull request that changes these, each found to be the same.
    fn told(body: &str, of: &[&str], read: &Digests) -> Review {
        let at = "2026-11-20T12:00:00Z".parse().unwrap();
        let text = String::new;
        let pull = OpenPull {
            base: "main".into(),
            number: 1,
            title: text(),
            author: text(),
            opened: at,
            updated: at,
            draft: false,
            url: text(),
            head: text(),
        };
        let files = of.iter().map(|path| ReviewedFile::of(path, Word::Same, Vec::new())).collect();
        let review = Review { files, merge_base: "ab".repeat(20), ..Review::unread(pull, text()) };
        Review { notes: Vec::new(), ..review }.judged().evidenced(Some(body), read, own())
    }

    fn agrees(review: &Review) -> bool {
        review.notes.iter().any(|note| note.starts_with("its evidence says that bumpdesk made it"))
    }

    #[test]
    fn what_agrees_is_a_note_and_makes_nothing_better() {
        let review = told(&text(&[A, B]), &[A, B], &digests(&[A, B]));
        assert!(agrees(&review) && review.result == Word::Same, "{review:?}");
        assert!(agrees(&told(&text(&[A]).replace('\n', "\r\n"), &[A], &digests(&[A]))));
        let none = told("By hand.", &[A], &digests(&[A]));
        assert_eq!((none.notes.len(), none.result), (0, Word::Same));
        let unread = told(&text(&[A]), &[A], &Digests::new());
        assert!(!agrees(&unread) && unread.notes[0].contains("not compared"), "{unread:?}");
        let none = Review { result: Word::Same, ..none }.evidenced(None, &digests(&[A]), own());
        assert_eq!(none.result, Word::Unknown);
    }

    #[test]
    fn no_digit_of_it_can_be_another() {
        let text = text(&[A, B]);
        let mut tried = 0;
        let plan = text.split("\"plan\":\"").nth(1).unwrap()[..64].to_owned();
        let sides =
            digests(&[A, B]).into_values().flat_map(|SideDigests { base, outcome, .. }| [base, outcome]);
        for digest in sides.chain([plan]) {
            let start = text.find(digest.as_str()).unwrap();
            for at in start..start + digest.len() {
                for other in "0123456789abcdef".chars().filter(|other| !text[at..].starts_with(*other)) {
                    let edited = format!("{}{other}{}", &text[..at], &text[at + 1..]);
                    let review = told(&edited, &[A, B], &digests(&[A, B]));
                    assert!(review.result == Word::Differs && !agrees(&review), "{edited}");
                    let points = review.files.iter().map(|file| file.points.len()).sum::<usize>();
                    assert_eq!(points + review.notes.len(), 1, "{edited}");
                    tried += 1;
                }
            }
        }
        assert_eq!(tried, 5 * 64 * 15);
    }

    #[test]
    fn a_block_of_something_else_differs() {
        let whole = text(&[A]);
        for (what, body, of) in [
            ("of another", text(&[B]), &[A][..]),
            ("a file more", text(&[A, B]), &[A]),
            ("a file less", whole.clone(), &[A, B]),
            ("twice", format!("{whole}\n{whole}"), &[A]),
            ("and another", format!("{whole}\n{}", text(&[B])), &[A]),
            ("a space", whole.replace(":1,", ": 1,"), &[A]),
            ("a key", whole.replace(":1,", ":1,\"x\":2,"), &[A]),
            ("a format", whole.replace(":1,", ":2,"), &[A]),
            ("a mark", whole.replace("evidence v1", "evidence v2"), &[A]),
            ("no end", whole.replace("-->", ""), &[A]),
            ("no plan", whole.replacen(&whole.split("\"plan\":\"").nth(1).unwrap()[..64], "", 1), &[A]),
            ("a feature more", whole.replace("\"features\":[", "\"features\":[\"x\","), &[A]),
            (
                "no features",
                format!("{}\"features\":[]}}\n-->", whole.split("\"features\"").next().unwrap()),
                &[A],
            ),
            ("not a version", whole.replace("\"0.1.0\"", "\"0.1\""), &[A]),
        ] {
            let review = told(&body, of, &digests(of));
            assert!(review.result == Word::Differs && !agrees(&review), "{what}: {review:?}");
        }
        let mut other = digests(&[A]);
        let by_hand = |side: &str| crate::registry::digest(side.as_bytes());
        other.insert(
            A.to_owned(),
            SideDigests { base: by_hand("x"), outcome: by_hand("by hand"), content: None },
        );
        assert_eq!(told(&whole, &[A], &other).files[0].points.len(), 2, "pasted into what was made by hand");
    }

    /// What is posted names what decides, whatever else there is to say, and it has an end.
    #[test]
    fn what_decides_is_in_what_is_posted() {
        let (whole, read) = (text(&[A]), digests(&[A]));
        for (body, reason) in [
            (format!("{whole}\n{whole}"), "its text has 2 blocks of evidence"),
            (text(&[A, B]), "its evidence names modules/a/acme/vpc/aws.json, which it does not change"),
        ] {
            let mut review = told(&body, &[A], &read);
            review.notes.extend(vec!["x".repeat(10_000); 10_000]);
            let review = review.evidenced(Some(&body), &read, own());
            assert_eq!(review.result, Word::Differs);
            let (page, bytes) = (review.markdown(), review.notes.concat().len());
            assert!(page.contains(reason) && !page.contains("pstream gives"), "{page}");
            assert!(review.notes.len() <= 101 && bytes < 100_000, "{} notes of {bytes}", review.notes.len());
        }
        // Evidence with a point for each of ten thousand files that are not there.
        let file = |n: usize| format!(r#"{{"path":"{n}","base":"","outcome":""}}"#);
        let files: Vec<String> = (0..10_000).map(file).collect();
        let (start, rest) = whole.split_once("\"files\":[").unwrap();
        let (_, end) = rest.split_once(']').unwrap();
        let review = told(&format!("{start}\"files\":[{}]{end}", files.join(",")), &[A], &read);
        assert!(review.result == Word::Differs && review.notes.len() <= 101, "{}", review.notes.len());
        let page = review.markdown();
        assert!(page.contains("its evidence names 0, which it does not change"), "{page}");
        let unread =
            Review { notes: vec!["it changes more than 3001 paths".into()], files: Vec::new(), ..review };
        let unread = unread.judged().evidenced(Some(""), &read, own());
        assert_eq!(unread.result, Word::Unknown);
        assert!(unread.markdown().contains("it changes more than 3001 paths"), "{}", unread.markdown());
        // What was there to say of the file before is said after it.
        let mut known = told("", &[A], &read);
        known.files[0].result = Word::Unknown;
        known.files[0].points = vec!["it could not be read".into()];
        let none = SideDigests { base: String::new(), outcome: String::new(), content: None };
        let other = Digests::from([(A.to_owned(), none)]);
        let review = known.evidenced(Some(&whole), &other, own());
        assert!(review.files[0].points[0].starts_with("its evidence has base"), "{review:?}");
    }

    /// Two who write with different versions may both be right: it is said, and decides nothing. What cannot be compared is no agreement.
    #[test]
    fn another_version_and_a_plan_that_is_not_compared_are_told() {
        let other = told(&text(&[A]).replace("\"0.1.0\"", "\"0.2.0\""), &[A], &digests(&[A]));
        assert!(other.result == Word::Same && !agrees(&other), "{other:?}");
        assert!(
            other.notes[0].starts_with("its evidence says that bumpdesk 0.2.0 made it, where this is 0.1.0")
        );
        let mut of_key = digests(&[A]);
        of_key.get_mut(A).unwrap().content = None;
        let notes = told(&text(&[A]).replace("\"plan\":\"", "\"plan\":\"0"), &[A], &of_key).notes;
        assert!(
            notes[0]
                .ends_with("which plan it says is not compared, where a key or the blacklist is part of it")
        );
    }

    #[test]
    fn another_base_with_true_digests_is_a_note() {
        let review = told(&text(&[A]).replace("abab", "cdcd"), &[A], &digests(&[A]));
        assert!(review.result == Word::Same && !agrees(&review), "{review:?}");
        assert!(review.notes[0].contains("for the base cdcd"), "{review:?}");
    }
}
