//! A version as clients read it, by other rules than the registry's: a shorthand may have a prerelease, zeros may lead, a `v`
//! may not, and numbers fit into 64 bits. Asks nobody; used by the listing and by [`crate::rules::lock`] for constraints.

use std::cmp::Ordering;
use std::fmt::Write;

/// A version or the version of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClientVersion<'a> {
    /// What is not written is 0.
    pub(crate) numbers: [u64; 3],
    /// How many numbers are written: 1 to 3.
    pub(crate) written: usize,
    /// Without `-`; empty if there is none.
    pub(crate) prerelease: &'a str,
    /// Without `+`; empty if there is none.
    pub(crate) build: &'a str,
}

impl<'a> ClientVersion<'a> {
    /// Reads a text; `None`: clients cannot.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let (core, extra) = text.split_at(end);
        let (prerelease, build) = match extra.split_once('+') {
            Some((prerelease, build)) => (prerelease, is_extra(build).then_some(build)?),
            None => (extra, ""),
        };
        let prerelease = match prerelease.strip_prefix('-') {
            Some(prerelease) => is_extra(prerelease).then_some(prerelease)?,
            None => "",
        };
        let (mut numbers, mut written) = ([0; 3], 0);
        for part in core.split('.') {
            let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            *numbers.get_mut(written)? = is_number.then(|| part.parse().ok())??;
            written += 1;
        }
        Some(Self { numbers, written, prerelease, build })
    }

    /// As clients write it, and ask for it: `1.0` is 1.0.0.
    pub(crate) fn normal(&self) -> String {
        let [major, minor, patch] = self.numbers;
        self.with_extra(format!("{major}.{minor}.{patch}"))
    }

    /// The same without the third number: `~> 1.2`.
    pub(crate) fn short(&self) -> String {
        let [major, minor, _] = self.numbers;
        self.with_extra(format!("{major}.{minor}"))
    }

    fn with_extra(&self, mut text: String) -> String {
        for (sign, extra) in [('-', self.prerelease), ('+', self.build)] {
            if !extra.is_empty() {
                let _ = write!(text, "{sign}{extra}");
            }
        }
        text
    }

    /// The order in which constraints are written. Without a prerelease it is higher, without build metadata lower.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let is_final = |version: &Self| version.prerelease.is_empty();
        self.numbers
            .cmp(&other.numbers)
            .then(is_final(self).cmp(&is_final(other)))
            .then_with(|| extra_order(self.prerelease, other.prerelease))
            .then_with(|| extra_order(self.build, other.build))
    }
}

/// Fewer parts come first, even where an earlier part is higher: clients write it so, whatever semver says.
fn extra_order(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        match (a.split_once('.'), b.split_once('.')) {
            (None, None) => return part_order(a, b),
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((first, _)), Some((other, _))) if first != other => return part_order(first, other),
            (Some((_, rest)), Some((_, others))) => (a, b) = (rest, others),
        }
    }
}

/// Numbers come before words.
fn part_order(a: &str, b: &str) -> Ordering {
    let is_word = |text: &str| !text.bytes().all(|byte| byte.is_ascii_digit());
    match (is_word(a), is_word(b)) {
        (false, false) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
        (true, true) => a.cmp(b),
        (a, b) => a.cmp(&b),
    }
}

fn is_extra(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clients_read() {
        for (text, wanted) in [
            ("1", "1.0.0"),
            ("1.2", "1.2.0"),
            ("01.2.3", "1.2.3"),
            ("1.0-beta", "1.0.0-beta"),
            ("1.0.0-a..b+c.-", "1.0.0-a..b+c.-"),
            ("1.0.0+a", "1.0.0+a"),
            ("18446744073709551615.0.0", "18446744073709551615.0.0"),
        ] {
            assert_eq!(ClientVersion::parse(text).map(|version| version.normal()).as_deref(), Some(wanted));
        }
        for text in [
            "",
            "v1",
            "1.",
            ".1",
            "1..2",
            "1.2.3.4",
            "1.x",
            "1.0.0-",
            "1.0.0+",
            "1.0.0-+a",
            "1.0.0+a+b",
            "1.0.0-ü",
            " 1",
            "1 ",
            "+1.0",
            "-1",
            "18446744073709551616.0.0",
        ] {
            assert_eq!(ClientVersion::parse(text), None, "{text}");
        }
        assert_eq!(
            ClientVersion::parse("1.2-rc1").map(|version| version.short()).as_deref(),
            Some("1.2-rc1")
        );
    }

    #[test]
    fn the_order_of_constraints() {
        let sorted = [
            "1.0.0-rc",
            "1.0.0-beta.2",
            "1.0.0-rc.2",
            "1.0.0-rc.10",
            "1.0.0-rc.a",
            "1.0.0",
            "1.0.0+1",
            "1.0.0+a",
            "1.0.1",
            "1.10.0",
            "2.0.0-a",
            "2.0.0",
        ];
        for pair in sorted.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|text| ClientVersion::parse(text).unwrap());
            assert_eq!((a.order(&b), b.order(&a)), (Ordering::Less, Ordering::Greater), "{pair:?}");
        }
    }
}
