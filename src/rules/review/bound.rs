//! How much of a pull request is taken in, which anybody can open and make of any size: several times what the largest files of the
//! registry have. What is beyond is unknown by the name of the limit, and what is told of one has an end.

use crate::registry::Json;
use crate::rules::amount::{counted, grouped};
use crate::rules::review::Point;

/// Of one data file; the registry's largest has some 2.5 MB.
pub(crate) const MOST_FILE_BYTES: u64 = 8 << 20;
/// Of a key, or of the blacklist.
pub(crate) const MOST_SMALL_BYTES: u64 = 1 << 20;

/// Lists are compared item by item, and no entry has a fifth of this.
const MOST_ITEMS: usize = 5_000;
const MOST_FIELDS: usize = 100;
const MOST_VALUES: usize = 400_000;

/// Points of one file, and of one pull request beyond the first of each file.
const MOST_POINTS: usize = 100;
const MOST_OF_ALL: usize = 1_000;
/// Of a point, in characters: a URL beside another one fits.
const LONGEST_POINT: usize = 600;

/// The limit that a file is beyond; comparing it could take hours.
pub(super) fn beyond(root: &Json) -> Option<String> {
    let (mut waiting, mut values) = (vec![root], 0);
    while let Some(json) = waiting.pop() {
        values += 1;
        let (items, fields) = (json.items(), json.fields());
        let told = match () {
            () if values > MOST_VALUES => format!("it has more than {} values", grouped(MOST_VALUES)),
            () if items.len() > MOST_ITEMS => {
                format!("a list in it has more than {} items", grouped(MOST_ITEMS))
            }
            () if fields.len() > MOST_FIELDS => format!("an object in it has more than {MOST_FIELDS} fields"),
            () => {
                waiting.extend(items.iter().chain(fields.iter().map(|(_, value)| value)));
                continue;
            }
        };
        return Some(format!("{told}, and no more is compared"));
    }
    None
}

/// The first points, each with an end, and how many more there are.
pub(super) fn bounded(points: Vec<Point>) -> Vec<Point> {
    let shortened = |point: Point| match shortened(&point) {
        Some(text) => point.shortened(text),
        None => point,
    };
    cut(points.into_iter().map(shortened).collect(), MOST_POINTS, Point::rest)
}

/// The first notes, each with an end, and how many more there are.
pub(super) fn bounded_notes(notes: Vec<String>) -> Vec<String> {
    cut(notes.into_iter().map(|note| shortened(&note).unwrap_or(note)).collect(), MOST_POINTS, |text| text)
}

/// The points of all files of one pull request: of each file at least the first.
pub(super) fn bounded_in_all<'a>(files: impl Iterator<Item = &'a mut Vec<Point>>) {
    let mut left = MOST_OF_ALL;
    for points in files {
        *points = cut(std::mem::take(points), left.max(1), Point::rest);
        left = left.saturating_sub(points.len());
    }
}

fn cut<T>(mut points: Vec<T>, most: usize, rest: impl Fn(String) -> T) -> Vec<T> {
    let more = points.len().saturating_sub(most);
    if more > 0 {
        points.truncate(most);
        points.push(rest(format!("and {}, which are not named", counted(more, "more point"))));
    }
    points
}

fn shortened(point: &str) -> Option<String> {
    let (end, _) = point.char_indices().nth(LONGEST_POINT)?;
    Some(format!("{}… and {} more bytes", &point[..end], grouped(point.len() - end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Kind;
    use crate::rules::review::{Claim, Result as Word, ReviewedFile};

    /// A million versions, a version of a million targets, fields without end: unknown by the limit, and at once.
    #[test]
    fn what_is_beyond_a_limit_is_unknown_by_its_name() {
        let list = |item: &str, count: usize| vec![item; count].join(",");
        let fields: Vec<String> = (0..101).map(|n| format!("\"a{n}\":0")).collect();
        let versions = |inner: &str| format!("{{\"versions\":[{inner}]}}");
        for (file, limit) in [
            (versions(&list("{\"version\":\"v1.0.0\"}", 1_000_000 / 8)), "more than 5,000 items"),
            (
                versions(&format!("{{\"version\":\"v1.0.0\",\"x\":[{}]}}", list("0", 5_001))),
                "more than 5,000 items",
            ),
            (versions(&format!("{{\"version\":\"v1.0.0\",{}}}", fields.join(","))), "more than 100 fields"),
            (
                versions(&list(&format!("{{\"version\":\"v1.0.0\",\"x\":[{}]}}", list("0", 4_999)), 81)),
                "more than 400,000 values",
            ),
        ] {
            let judged = Claim::read(Kind::Module, None, file.as_bytes()).unwrap_err();
            assert_eq!(judged.word, Word::Unknown, "{limit}");
            assert!(judged.points[0].contains(limit), "{limit}: {:?}", judged.points);
        }
        let most = versions(&list("{\"version\":\"v1.0.0\"}", 5_000));
        assert!(Claim::read(Kind::Module, None, most.as_bytes()).is_ok());
    }

    #[test]
    fn what_is_told_has_an_end_that_says_how_much_more_there_is() {
        let points = |count: usize, length: usize| vec![Point::from("\u{e9}".repeat(length)); count];
        let file = |points| ReviewedFile::of("x", Word::Differs, points);
        let long = file(points(1, 1_000_000)).points;
        assert_eq!(long, [format!("{}… and 1,998,800 more bytes", "\u{e9}".repeat(600))]);
        assert_eq!(file(points(100, 600)).points, points(100, 600));
        let many = file(points(1_000_000, 3)).points;
        assert_eq!((many.len(), &*many[100]), (101, "and 999,900 more points, which are not named"));
        let mut all: Vec<Vec<Point>> = (0..3_001).map(|_| file(points(101, 1)).points).collect();
        bounded_in_all(all.iter_mut());
        let told: usize = all.iter().map(Vec::len).sum();
        assert!(all.iter().all(|points| !points.is_empty()) && told <= 1_000 + 2 * 3_001, "{told}");
        assert_eq!(all[3_000][1], "and 100 more points, which are not named");
    }
}
