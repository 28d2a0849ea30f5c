//! Points: the reasons for the result of a file. A point has a sentence and a few words for a column. Points that make the same
//! statement about several platforms or versions become one [`Reason`].

use std::borrow::Cow;
use std::ops::Deref;

use serde::{Serialize, Serializer};

use crate::rules::amount::counted;
use crate::rules::diff::PlatformMark;
use crate::rules::plain_text::visible;
use crate::rules::review::Mismatch;

/// Values of one field that differ on more platforms than this are one reason: the values stand in the difference.
const MOST_COMPARED: usize = 3;

/// One point, by its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    text: String,
    /// A few words for a column; `None`: the sentence itself is short enough.
    brief: Option<Cow<'static, str>>,
    about: Option<About>,
    /// It counts further points, which are not named.
    is_rest: bool,
}

/// A statement that can be made about several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// A field of an indexed version or platform changes.
    Changes,
    /// A platform is added to an indexed version.
    Added,
    /// An indexed version or platform is removed.
    Removed,
    NotUpstream,
    Missing,
    Moved,
    /// A value is not the one that upstream gives.
    Differs,
}

/// The statement of a point and the place that it is about. All texts are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
struct About {
    statement: Statement,
    version: String,
    platform: Option<String>,
    field: Option<String>,
}

/// The reason that a reader sees: one point, or several that make the same statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason<'a> {
    /// The sentence. It counts the platforms or versions, and does not name them.
    pub(crate) text: Cow<'a, str>,
    /// A few words for a column.
    pub(crate) brief: Cow<'a, str>,
    /// The value that the only point is about.
    pub(crate) mismatch: Option<&'a Mismatch>,
    /// The platforms (`os_arch`) of a reason that is about several.
    pub(crate) platforms: Vec<&'a str>,
    /// The mark of these platforms in a grid.
    pub(crate) mark: Option<PlatformMark>,
    /// The versions of a reason that is about several.
    pub(crate) versions: Vec<&'a str>,
}

impl Point {
    /// A sentence with a few words for a column.
    pub(crate) fn new(text: impl Into<String>, brief: impl Into<Cow<'static, str>>) -> Self {
        Self { text: text.into(), brief: Some(brief.into()), about: None, is_rest: false }
    }

    /// A statement about a version or one of its platforms, and about one of their fields.
    pub(crate) fn of(
        statement: Statement,
        version: &str,
        platform: Option<&str>,
        field: Option<&str>,
    ) -> Self {
        let escaped = |text: &str| visible(text).into_owned();
        let about = About {
            statement,
            version: escaped(version),
            platform: platform.map(escaped),
            field: field.map(escaped),
        };
        let place = about.place();
        let field = about.field.as_deref().unwrap_or_default();
        let text = match statement {
            Statement::Changes => format!("{place} is indexed, and its {field} changes"),
            Statement::Added => format!("{place} is added to what is indexed"),
            Statement::Removed => format!("{place} is removed, and it is indexed"),
            Statement::NotUpstream => format!("{place} is not what upstream gives"),
            Statement::Missing => format!("{place} is missing"),
            Statement::Moved if platform.is_some() => format!("{place} stands at another place"),
            Statement::Moved => format!("{place} stands at another place of the list"),
            Statement::Differs => format!("{place}: {field} differs"),
        };
        Self { text, brief: None, about: Some(about), is_rest: false }
    }

    /// The sentence about one value.
    pub(crate) fn differs(mismatch: &Mismatch) -> Self {
        let version = mismatch.version.as_deref().unwrap_or_default();
        let point =
            Self::of(Statement::Differs, version, mismatch.platform.as_deref(), Some(&mismatch.field));
        Self { text: mismatch.sentence(), ..point }
    }

    /// The count of further points, which are not named.
    pub(super) fn rest(text: String) -> Self {
        Self { is_rest: true, ..text.into() }
    }

    /// This point with a shorter sentence.
    pub(super) fn shortened(self, text: String) -> Self {
        Self { text, ..self }
    }
}

impl From<String> for Point {
    fn from(text: String) -> Self {
        Self { text, brief: None, about: None, is_rest: false }
    }
}

impl From<&str> for Point {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Deref for Point {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<&str> for Point {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialEq<String> for Point {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text)
    }
}

impl About {
    /// `1.9.0 linux_amd64`.
    fn place(&self) -> String {
        match &self.platform {
            Some(platform) => format!("{} {platform}", self.version),
            None => self.version.clone(),
        }
    }

    fn is_at(&self, other: &Self) -> bool {
        (self.statement, &self.version, &self.platform) == (other.statement, &other.version, &other.platform)
    }

    /// Returns true if both are parts of one reason, which has the same fields at every place.
    fn joins(&self, fields: &[&str], (other, other_fields): (&Self, &[&str])) -> bool {
        let is_of_version = self.version == other.version;
        self.statement == other.statement
            && fields == other_fields
            && self.platform.is_some() == other.platform.is_some()
            && (is_of_version || self.platform.is_none() && fields.is_empty())
    }
}

/// The noun for a value of these fields.
fn noun<'a>(fields: &[&'a str]) -> &'a str {
    match fields {
        _ if fields.contains(&"shasum") => "checksum",
        ["download_url" | "shasums_url" | "shasums_signature_url"] => "URL",
        [field] => field,
        _ => "value",
    }
}

/// Joins points that make the same statement, in the order of the first of each. `one_version`: the file has a single version,
/// which the words for a column then leave out.
pub(super) fn reasons<'a>(
    points: &'a [Point],
    mismatches: &'a [Mismatch],
    one_version: Option<&str>,
) -> Vec<Reason<'a>> {
    let mut groups: Vec<(Vec<&'a str>, Vec<usize>)> = Vec::new();
    let about = |at: usize| points[at].about.as_ref();
    for (at, point) in points.iter().enumerate() {
        let Some(own) = &point.about else {
            groups.push((Vec::new(), vec![at]));
            continue;
        };
        let here = points.iter().filter_map(|other| other.about.as_ref()).filter(|other| other.is_at(own));
        let fields: Vec<&str> = match own.statement {
            // Each value is a proof of its own.
            Statement::Differs => own.field.as_deref().into_iter().collect(),
            _ => here.filter_map(|other| other.field.as_deref()).collect(),
        };
        let group = groups
            .iter_mut()
            .find(|(of, members)| about(members[0]).is_some_and(|first| own.joins(&fields, (first, of))));
        match group {
            Some((_, members)) => members.push(at),
            None => groups.push((fields, vec![at])),
        }
    }
    let mismatch = |at: usize| mismatches.iter().find(|mismatch| mismatch.point == at);
    // Some of the points that are not named may make the same statement.
    let is_cut = points.iter().any(|point| point.is_rest);
    let mut all = Vec::new();
    for (fields, members) in groups {
        let is_of_values = about(members[0]).is_some_and(|about| about.statement == Statement::Differs);
        if members.len() == 1 || is_of_values && members.len() <= MOST_COMPARED {
            all.extend(members.iter().map(|at| alone(&points[*at], mismatch(*at), one_version)));
        } else {
            let members: Vec<&About> = members.iter().filter_map(|at| about(*at)).collect();
            all.push(together(&members, (&fields, is_cut), one_version));
        }
    }
    all
}

/// One point by itself.
fn alone<'a>(point: &'a Point, mismatch: Option<&'a Mismatch>, one_version: Option<&str>) -> Reason<'a> {
    let brief = match (&point.about, &point.brief) {
        (Some(about), _) => {
            let fields: Vec<&str> = about.field.as_deref().into_iter().collect();
            brief(about, (&fields, 1), mismatch, one_version).into()
        }
        (None, Some(brief)) => Cow::Borrowed(&**brief),
        (None, None) => {
            let rest = one_version.and_then(|version| point.text.strip_prefix(version));
            let rest = rest.and_then(|rest| rest.strip_prefix([' ', ':']));
            rest.map_or(&*point.text, str::trim_start).into()
        }
    };
    let text = Cow::Borrowed(&*point.text);
    Reason { text, brief, mismatch, platforms: Vec::new(), mark: None, versions: Vec::new() }
}

/// Points of the same statement about several places, or about several fields of one place.
fn together<'a>(
    all: &[&'a About],
    (fields, is_cut): (&[&'a str], bool),
    one_version: Option<&str>,
) -> Reason<'a> {
    let first = all[0];
    let mut platforms: Vec<&str> = Vec::new();
    let mut versions: Vec<&str> = Vec::new();
    for one in all {
        let (places, place) = match &one.platform {
            Some(platform) => (&mut platforms, &**platform),
            None => (&mut versions, &*one.version),
        };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let count = platforms.len().max(versions.len());
    let names = match fields {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    };
    let (noun, of) = match first.platform {
        Some(_) => ("platform", format!(" of {}", first.version)),
        None => ("version", String::new()),
    };
    let least = if is_cut { "at least " } else { "" };
    let places = format!("{least}{}", counted(count, noun));
    let version = &first.version;
    let (change, differ) = if fields.len() > 1 { ("change", "differ") } else { ("changes", "differs") };
    let text = match first.statement {
        Statement::Changes if count > 1 => {
            format!("{version} is indexed, and its {names} {change} on {places}")
        }
        Statement::Changes => format!("{} is indexed, and its {names} {change}", first.place()),
        Statement::Differs => format!("{version}: {names} {differ} from upstream on {places}"),
        Statement::Added => format!("{places} are added to {version}, which is indexed"),
        Statement::Removed => format!("{places}{of} are removed, and they are indexed"),
        Statement::NotUpstream => format!("{places}{of} are not what upstream gives"),
        Statement::Missing => format!("{places}{of} are missing"),
        Statement::Moved => format!("{places}{of} stand at another place of the list"),
    };
    let brief = brief(first, (fields, count), None, one_version);
    let several = |places: Vec<&'a str>| if places.len() > 1 { places } else { Vec::new() };
    let platforms = several(platforms);
    let mark = match first.statement {
        Statement::Changes | Statement::Differs => PlatformMark::Changed,
        Statement::Added | Statement::NotUpstream => PlatformMark::Added,
        Statement::Removed | Statement::Missing => PlatformMark::Lost,
        Statement::Moved => PlatformMark::Odd,
    };
    Reason {
        text: text.into(),
        brief: brief.into(),
        mismatch: None,
        mark: (!platforms.is_empty()).then_some(mark),
        platforms,
        versions: several(versions),
    }
}

/// A few words for a column: `linux_amd64 checksum differs`, `11 indexed checksums change`.
fn brief(
    about: &About,
    (fields, count): (&[&str], usize),
    mismatch: Option<&Mismatch>,
    one_version: Option<&str>,
) -> String {
    let noun = noun(fields);
    let one = about.platform.as_deref().unwrap_or(&about.version);
    let kind = if about.platform.is_some() { "platform" } else { "version" };
    let many = |adjective: &str| format!("{count} {adjective}{kind}s");
    let is_one = count == 1;
    let words = match about.statement {
        Statement::Changes if is_one => format!("indexed {one} changes"),
        Statement::Changes if noun == "checksum" => format!("{count} indexed checksums change"),
        Statement::Changes => format!("{} change", many("indexed ")),
        Statement::Added if is_one => format!("adds {one} to indexed"),
        Statement::Added => format!("adds {} to indexed", many("")),
        Statement::Removed if is_one => format!("removes indexed {one}"),
        Statement::Removed => format!("removes {}", many("indexed ")),
        Statement::NotUpstream if is_one => format!("{one} is not from upstream"),
        Statement::NotUpstream => format!("{} not from upstream", many("")),
        Statement::Missing if is_one => format!("lacks {one}"),
        Statement::Missing => format!("lacks {}", many("")),
        Statement::Moved if is_one => format!("{one} is out of order"),
        Statement::Moved => format!("{} out of order", many("")),
        Statement::Differs if is_one => {
            let words = match mismatch {
                Some(Mismatch { claimed: None, .. }) => format!("lacks {noun}"),
                Some(Mismatch { upstream: None, .. }) => format!("adds {noun}"),
                _ if noun.ends_with('s') => format!("{noun} differ"),
                _ => format!("{noun} differs"),
            };
            about.platform.as_ref().map_or(words.clone(), |platform| format!("{platform} {words}"))
        }
        Statement::Differs if noun == "checksum" || noun == "URL" => format!("{count} {noun}s differ"),
        Statement::Differs => format!("{noun} differs on {}", many("")),
    };
    // A version in the words is not repeated before them.
    let needs_version = !about.version.is_empty() && (about.platform.is_some() || about.field.is_some());
    let names_version = about.platform.is_none() && about.statement != Statement::Differs;
    if one_version.is_none() && needs_version && !names_version {
        return format!("{} {words}", about.version);
    }
    words
}

impl Reason<'_> {
    /// The sentence with every platform or version that it counts.
    pub(crate) fn sentence(&self) -> String {
        let places = [&self.platforms[..], &self.versions].concat();
        if places.is_empty() {
            self.text.clone().into_owned()
        } else {
            format!("{}: {}", self.text, places.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLATFORMS: [&str; 5] = ["darwin_arm64", "linux_386", "linux_amd64", "linux_arm", "windows_amd64"];

    fn briefs(points: &[Point], one_version: Option<&str>) -> Vec<(String, String)> {
        let all = reasons(points, &[], one_version).into_iter();
        all.map(|reason| (reason.sentence(), reason.brief.into_owned())).collect()
    }

    /// A pull request that changes every checksum of a version has one reason, and names every platform.
    #[test]
    fn the_same_statement_about_several_platforms_is_one_reason() {
        let changes = |platform, field| Point::of(Statement::Changes, "3.14.1", Some(platform), Some(field));
        let points: Vec<Point> =
            PLATFORMS.iter().flat_map(|one| ["shasum", "h1"].map(|field| changes(one, field))).collect();
        assert_eq!(points[1], "3.14.1 darwin_arm64 is indexed, and its h1 changes");
        let [reason] = &reasons(&points, &[], Some("3.14.1"))[..] else { panic!("one reason") };
        assert_eq!(reason.text, "3.14.1 is indexed, and its shasum and h1 change on 5 platforms");
        assert_eq!(reason.brief, "5 indexed checksums change");
        assert_eq!(reason.platforms, PLATFORMS);
        // A platform with other fields is a reason of its own.
        let other = [&points[..], &[changes("solaris_amd64", "h1")]].concat();
        let all = briefs(&other, Some("3.14.1"));
        assert_eq!(all.len(), 2, "{all:?}");
        assert_eq!(all[1].0, "3.14.1 solaris_amd64 is indexed, and its h1 changes");
        assert_eq!(all[1].1, "indexed solaris_amd64 changes");
    }

    #[test]
    fn every_statement_has_a_sentence_and_a_few_words_for_one_and_for_several() {
        let [a, b] = [Some("linux_386"), Some("linux_arm")];
        for (statement, field, one, several) in [
            (
                Statement::Changes,
                Some("size"),
                ("1.1.0 linux_386 is indexed, and its size changes", "indexed linux_386 changes"),
                (
                    "1.1.0 is indexed, and its size changes on 2 platforms: linux_386, linux_arm",
                    "2 indexed platforms change",
                ),
            ),
            (
                Statement::Added,
                None,
                ("1.1.0 linux_386 is added to what is indexed", "adds linux_386 to indexed"),
                (
                    "2 platforms are added to 1.1.0, which is indexed: linux_386, linux_arm",
                    "adds 2 platforms to indexed",
                ),
            ),
            (
                Statement::Removed,
                None,
                ("1.1.0 linux_386 is removed, and it is indexed", "removes indexed linux_386"),
                (
                    "2 platforms of 1.1.0 are removed, and they are indexed: linux_386, linux_arm",
                    "removes 2 indexed platforms",
                ),
            ),
            (
                Statement::NotUpstream,
                None,
                ("1.1.0 linux_386 is not what upstream gives", "linux_386 is not from upstream"),
                (
                    "2 platforms of 1.1.0 are not what upstream gives: linux_386, linux_arm",
                    "2 platforms not from upstream",
                ),
            ),
            (
                Statement::Missing,
                None,
                ("1.1.0 linux_386 is missing", "lacks linux_386"),
                ("2 platforms of 1.1.0 are missing: linux_386, linux_arm", "lacks 2 platforms"),
            ),
            (
                Statement::Moved,
                None,
                ("1.1.0 linux_386 stands at another place", "linux_386 is out of order"),
                (
                    "2 platforms of 1.1.0 stand at another place of the list: linux_386, linux_arm",
                    "2 platforms out of order",
                ),
            ),
        ] {
            let of = |platform| Point::of(statement, "1.1.0", platform, field);
            let owned = |(text, brief): (&str, &str)| (text.to_owned(), brief.to_owned());
            assert_eq!(briefs(&[of(a)], Some("1.1.0")), [owned(one)]);
            assert_eq!(briefs(&[of(a), of(b)], Some("1.1.0")), [owned(several)]);
            let [(_, brief)] = &briefs(&[of(a)], None)[..] else { panic!("one") };
            assert_eq!(*brief, format!("1.1.0 {}", one.1), "one of several versions is named");
        }
        let removed = |version| Point::of(Statement::Removed, version, None, None);
        assert_eq!(
            briefs(&[removed("1.0.0"), removed("1.1.0")], None),
            [(
                "2 versions are removed, and they are indexed: 1.0.0, 1.1.0".to_owned(),
                "removes 2 indexed versions".to_owned()
            )]
        );
        assert_eq!(briefs(&[removed("1.0.0")], None)[0].1, "removes indexed 1.0.0");
    }

    /// A few values stand below each other; many are one reason, whose values stand in the difference.
    #[test]
    fn many_values_that_differ_are_one_reason() {
        let mismatch = |platform: &str, point| Mismatch {
            version: Some("1.1.0".into()),
            platform: Some(platform.into()),
            field: "shasum".into(),
            claimed: Some("\"a\"".into()),
            upstream: Some("\"b\"".into()),
            point,
        };
        for count in 1..=PLATFORMS.len() {
            let all: Vec<Mismatch> =
                PLATFORMS[..count].iter().enumerate().map(|(at, one)| mismatch(one, at)).collect();
            let points: Vec<Point> = all.iter().map(Point::differs).collect();
            let reasons = reasons(&points, &all, Some("1.1.0"));
            if count <= MOST_COMPARED {
                assert_eq!(reasons.len(), count);
                assert!(reasons.iter().all(|reason| reason.mismatch.is_some()));
                assert_eq!(reasons[0].brief, "darwin_arm64 checksum differs");
            } else {
                let [reason] = &reasons[..] else { panic!("{reasons:?}") };
                assert_eq!(reason.text, format!("1.1.0: shasum differs from upstream on {count} platforms"));
                assert_eq!(reason.brief, format!("{count} checksums differ"));
                assert_eq!(reason.platforms.len(), count);
            }
        }
    }

    /// A count of points that were cut off is only the least number.
    #[test]
    fn a_count_of_points_that_are_cut_is_the_least() {
        let removed = |at: usize| Point::of(Statement::Removed, &format!("1.{at}.0"), None, None);
        let mut points: Vec<Point> = (0..2).map(removed).collect();
        points.push(Point::rest("and 5 more points, which are not named".into()));
        let all = briefs(&points, None);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].0, "at least 2 versions are removed, and they are indexed: 1.0.0, 1.1.0");
    }

    #[test]
    fn a_sentence_without_few_words_leaves_out_the_only_version() {
        for (text, one_version, wanted) in [
            ("1.1.0: SHA256SUMS could not be read", Some("1.1.0"), "SHA256SUMS could not be read"),
            ("1.1.0-beta1 linux_amd64: x", Some("1.1.0"), "1.1.0-beta1 linux_amd64: x"),
            ("1.1.0: x", None, "1.1.0: x"),
        ] {
            assert_eq!(briefs(&[text.into()], one_version), [(text.to_owned(), wanted.to_owned())]);
        }
        let point = Point::new("`x` is not a data file", "changes x");
        assert_eq!(briefs(&[point], None), [("`x` is not a data file".into(), "changes x".into())]);
    }
}
