//! The block of evidence that bumpdesk writes into its pull requests: read, and held against what the review itself read. It makes
//! nothing better, for anybody can write one.

use std::collections::{BTreeMap, BTreeSet};

use crate::rules::plain_text::visible;
use crate::rules::review::{Result as Word, Review};
use crate::rules::sending::Evidence;

const START: &str = "<!-- bumpdesk evidence";
/// Of a name out of a block, in a sentence.
const LONGEST_NAME: usize = 200;

/// SHA-256 of both sides of the files that were read, by path; that of nothing before a new file.
pub(crate) type Digests = BTreeMap<String, [String; 2]>;

/// The one block of a text, if it has any.
fn block(body: &str) -> Option<Result<Evidence<'static>, String>> {
    let body = body.replace("\r\n", "\n");
    let count = body.matches(START).count();
    if count > 1 {
        return Some(Err(format!("its text has {count} blocks of evidence, and bumpdesk writes one")));
    }
    let text = &body[body.find(START)?..];
    let other = || "its block of evidence is not as bumpdesk writes one".to_owned();
    let read = Evidence::read(text).filter(|read| text.starts_with(&read.comment()));
    Some(read.ok_or_else(other))
}

fn named(text: &str) -> String {
    visible(&text.chars().take(LONGEST_NAME).collect::<String>()).into_owned()
}

impl Review {
    /// Compares the block of its text with what was read. `body`: `None` if it could not be read.
    pub(crate) fn evidenced(mut self, body: Option<&str>, read: &Digests) -> Self {
        // What it says of the evidence may decide, and stands first.
        let others = std::mem::take(&mut self.notes);
        if !self.files.is_empty() {
            self.compare(body, read);
        }
        self.notes.extend(others);
        self.bounded()
    }

    fn compare(&mut self, body: Option<&str>, read: &Digests) {
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
                let sides = [("base", &file.base), ("outcome", &file.outcome)];
                for ((side, told), is) in sides.into_iter().zip(digests) {
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
        if !agrees {
            return;
        }
        if !unread.is_empty() {
            self.notes.push(format!("its evidence was not compared for {}", unread.join(", ")));
        } else if evidence.base == self.merge_base {
            let agrees = "its evidence says that bumpdesk made it, and agrees with the files and the base that were read";
            self.notes.push(agrees.to_owned());
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
                file.points.insert(place, point);
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
            ((*path).to_owned(), [digest("before"), digest("after")])
        };
        of.iter().map(both).collect()
    }

    fn text(of: &[&str]) -> String {
        let file = |(path, [base, outcome]): (&String, &[String; 2])| {
            format!(r#"{{"path":"{path}","base":"{base}","outcome":"{outcome}"}}"#)
        };
        let files: Vec<String> = digests(of).iter().map(file).collect();
        let (plan, base, files) = ("7c".repeat(32), "ab".repeat(20), files.join(","));
        format!(
            "Adds it.\n\n<!-- bumpdesk evidence v1\n{{\"format\":1,\"program\":\"0.1.0\",\"plan\":\"{plan}\",\"base\":\"{base}\",\"files\":[{files}],\"features\":[\"target-hashes\"]}}\n-->"
        )
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
        Review { notes: Vec::new(), ..review }.judged().evidenced(Some(body), read)
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
        let none = Review { result: Word::Same, ..none }.evidenced(None, &digests(&[A]));
        assert_eq!(none.result, Word::Unknown);
    }

    #[test]
    fn no_digit_of_it_can_be_another() {
        let text = text(&[A, B]);
        let mut tried = 0;
        for [base, outcome] in digests(&[A, B]).values() {
            for digest in [base, outcome] {
                let start = text.find(digest.as_str()).unwrap();
                for at in start..start + digest.len() {
                    for other in "0123456789abcdef".chars().filter(|other| !text[at..].starts_with(*other)) {
                        let edited = format!("{}{other}{}", &text[..at], &text[at + 1..]);
                        let review = told(&edited, &[A, B], &digests(&[A, B]));
                        assert!(review.result == Word::Differs && !agrees(&review), "{edited}");
                        assert_eq!(review.files.iter().map(|file| file.points.len()).sum::<usize>(), 1);
                        tried += 1;
                    }
                }
            }
        }
        assert_eq!(tried, 4 * 64 * 15);
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
        ] {
            let review = told(&body, of, &digests(of));
            assert!(review.result == Word::Differs && !agrees(&review), "{what}: {review:?}");
        }
        let mut other = digests(&[A]);
        other.insert(A.to_owned(), [crate::registry::digest(b"x"), crate::registry::digest(b"by hand")]);
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
            let review = review.evidenced(Some(&body), &read);
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
        let unread = unread.judged().evidenced(Some(""), &read);
        assert_eq!(unread.result, Word::Unknown);
        assert!(unread.markdown().contains("it changes more than 3001 paths"), "{}", unread.markdown());
        // What was there to say of the file before is said after it.
        let mut known = told("", &[A], &read);
        known.files[0].result = Word::Unknown;
        known.files[0].points = vec!["it could not be read".into()];
        let other = Digests::from([(A.to_owned(), [String::new(), String::new()])]);
        let review = known.evidenced(Some(&whole), &other);
        assert!(review.files[0].points[0].starts_with("its evidence has base"), "{review:?}");
    }

    #[test]
    fn another_base_with_true_digests_is_a_note() {
        let review = told(&text(&[A]).replace("abab", "cdcd"), &[A], &digests(&[A]));
        assert!(review.result == Word::Same && !agrees(&review), "{review:?}");
        assert!(review.notes[0].contains("for the base cdcd"), "{review:?}");
    }
}
