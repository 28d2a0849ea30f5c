//! A version as opaque text with a parsed order: the rules of Go's `golang.org/x/mod/semver` over the `semver` crate.
//!
//! `1` and `1.2` are valid shorthands but take no prerelease or build; exactly one leading lower-case `v` is trimmed;
//! numbers are compared as digit strings, since `0.4.5947793642` and longer occur; build metadata does not count; invalid
//! texts are lower than all valid ones and equal among themselves (`registry.md#versions-and-their-order`).

use std::cmp::Ordering;

/// The order that the registry sorts versions by. Borrow the text with [`Version::parse`]; compare with [`compare`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Version<'a> {
    text: &'a str,
    numbers: [&'a str; 3],
    prerelease: &'a str,
    build: &'a str,
    parts: u8,
}

/// A text that is no version by the registry's rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a semantic version")]
pub(crate) struct VersionError(pub(crate) String);

/// Takes one leading lower-case `v` off, as the registry's tools do.
pub(crate) fn trim_v(text: &str) -> &str {
    text.strip_prefix('v').unwrap_or(text)
}

/// The highest of some versions or tags by the registry's order; the first of equal ones.
pub(crate) fn highest<'a>(texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    highest_at(texts).map(|(_, text)| text)
}

/// The same, with its place among them.
pub(crate) fn highest_at<'a>(texts: impl Iterator<Item = &'a str>) -> Option<(usize, &'a str)> {
    // Each text is parsed once: an index from nothing asks for a quarter of a million versions.
    let mut best: Option<((usize, &str), Option<Version<'_>>)> = None;
    for (at, text) in texts.enumerate() {
        let parsed = Version::parse(text).ok();
        let is_higher = match (&best, &parsed) {
            (None, _) | (Some((_, None)), Some(_)) => true,
            (Some((_, Some(best))), Some(version)) => best.order(version) == Ordering::Less,
            (Some(_), None) => false,
        };
        if is_higher {
            best = Some(((at, text), parsed));
        }
    }
    best.map(|(best, _)| best)
}

impl<'a> Version<'a> {
    /// Parses a version or a tag, with or without its one leading `v`.
    ///
    /// # Errors
    /// The text is no version in x/mod's sense: four parts, leading zeros, a prerelease on a shorthand, anything else.
    pub(crate) fn parse(text: &'a str) -> Result<Self, VersionError> {
        Self::read(trim_v(text)).ok_or_else(|| VersionError(text.to_owned()))
    }

    fn read(text: &'a str) -> Option<Self> {
        let core_end = text.find(['-', '+']).unwrap_or(text.len());
        let (core, rest) = text.split_at(core_end);
        let (prerelease, build) = match rest.split_once('+') {
            Some((before, build)) => (before, Some(build)),
            None => (rest, None),
        };
        let prerelease = if prerelease.is_empty() { None } else { Some(prerelease.strip_prefix('-')?) };
        let mut numbers = ["0"; 3];
        let mut parts = 0u8;
        for part in core.split('.') {
            if parts == 3 || !is_number(part) {
                return None;
            }
            numbers[usize::from(parts)] = part;
            parts += 1;
        }
        if parts < 3 && !rest.is_empty() {
            return None;
        }
        if prerelease.is_some_and(|text| semver::Prerelease::new(text).is_err() || text.is_empty()) {
            return None;
        }
        if build.is_some_and(|text| semver::BuildMetadata::new(text).is_err() || text.is_empty()) {
            return None;
        }
        let (prerelease, build) = (prerelease.unwrap_or(""), build.unwrap_or(""));
        Some(Self { text, numbers, prerelease, build, parts })
    }

    /// The text without its leading `v`.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    pub(crate) fn is_prerelease(&self) -> bool {
        !self.prerelease.is_empty()
    }

    /// `1` or `1.2`: listed by the registry, but not downloadable, since clients ask for `1.0.0`
    /// (`registry.md#what-the-registry-serves`).
    pub(crate) fn is_shorthand(&self) -> bool {
        self.parts < 3
    }

    /// The core in three parts: `1.2` gives `1.2.0`.
    pub(crate) fn padded(&self) -> String {
        let [major, minor, patch] = self.numbers;
        let mut text = format!("{major}.{minor}.{patch}");
        for (sign, part) in [('-', self.prerelease), ('+', self.build)] {
            if !part.is_empty() {
                text.push(sign);
                text.push_str(part);
            }
        }
        text
    }

    /// The order of x/mod's `semver.Compare`: build metadata does not count.
    pub(crate) fn order(&self, other: &Version<'_>) -> Ordering {
        self.core_order(other).then_with(|| prerelease_order(self.prerelease, other.prerelease))
    }

    /// The order of the three numbers alone.
    pub(crate) fn core_order(&self, other: &Version<'_>) -> Ordering {
        self.numbers
            .iter()
            .zip(other.numbers)
            .map(|(a, b)| number_order(a, b))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

/// Orders two texts as `semver.Compare("v"+trimmed, …)` does.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    match (Version::parse(a), Version::parse(b)) {
        (Ok(a), Ok(b)) => a.order(&b),
        (Ok(_), Err(_)) => Ordering::Greater,
        (Err(_), Ok(_)) => Ordering::Less,
        (Err(_), Err(_)) => Ordering::Equal,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

fn number_order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Semver §11: none is highest; identifiers by number or text; numbers below texts; a longer list is higher.
fn prerelease_order(a: &str, b: &str) -> Ordering {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let (mut left, mut right) = (a.split('.'), b.split('.'));
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) => {
                let order = match (is_digits(x), is_digits(y)) {
                    (true, true) => number_order(x, y),
                    (true, false) => Ordering::Less,
                    (false, true) => Ordering::Greater,
                    (false, false) => x.cmp(y),
                };
                if order.is_ne() {
                    return order;
                }
            }
        }
    }
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_version() {
        let valid = [
            "1",
            "1.2",
            "1.2.3",
            "v1.2.3",
            "v1",
            "0.0.0",
            "1.2.3-alpha.1",
            "1.2.3+build",
            "1.2.3-RC1+b.2",
            "0.4.5947793642",
            "20230402163018.0.0",
            "1.0.20230316224912-dev",
            "1.0.0--",
            "1.0.0-0a",
            "99999999999999999999999.1.1",
        ];
        for text in valid {
            assert!(Version::parse(text).is_ok(), "{text}");
        }
        let invalid = [
            "",
            "v",
            "V1.0.0",
            "vv1.0.0",
            "1.2.3.4",
            "01.2.3",
            "1.02.3",
            "1.2-alpha",
            "1-rc",
            "1.2+b",
            "1.2.3-",
            "1.2.3+",
            "1.2.3-01",
            "1.2.3-a..b",
            "1.2.3+a+b",
            "a/v1.2.3",
            "1.2.x",
            "1.2.3-ü",
            " 1.2.3",
            "1..3",
            "latest",
        ];
        for text in invalid {
            assert!(Version::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn order_is_x_mods() {
        let rising = [
            "nonsense",
            "0.1",
            "0.9.9",
            "1.0.0-1",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-RC1",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-rc1",
            "1.0.0",
            "1.0.1",
            "1.2",
            "1.10.0",
            "2",
            "20230402163018.0.0",
        ];
        for (place, a) in rising.iter().enumerate() {
            for b in &rising[place + 1..] {
                assert_eq!(compare(a, b), Ordering::Less, "{a} {b}");
                assert_eq!(compare(b, a), Ordering::Greater, "{b} {a}");
            }
        }
        for (a, b) in [("1.0", "1.0.0"), ("v1.0.0", "1.0.0"), ("1.0.0+a", "1.0.0+b"), ("x", "y")] {
            assert_eq!(compare(a, b), Ordering::Equal, "{a} {b}");
        }
    }

    #[test]
    fn shorthands_pad() {
        for (text, padded, short) in
            [("1", "1.0.0", true), ("v1.2", "1.2.0", true), ("1.2.3-a+b", "1.2.3-a+b", false)]
        {
            let version = Version::parse(text).unwrap();
            assert_eq!((version.padded().as_str(), version.is_shorthand()), (padded, short));
        }
    }

    proptest::proptest! {
        #[test]
        fn the_order_is_total(a in "[0-9]{1,3}(\\.[0-9]{1,2}){0,2}(-[a-c0-9.]{1,4})?", b in "[0-9]{1,3}(\\.[0-9]{1,2}){0,2}(-[a-c0-9.]{1,4})?", c in "[0-9]{1,2}(\\.[0-9]{1,2}){0,2}") {
            proptest::prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
            if compare(&a, &b).is_le() && compare(&b, &c).is_le() {
                proptest::prop_assert!(compare(&a, &c).is_le());
            }
        }
    }
}
