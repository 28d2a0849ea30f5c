//! Logins and addresses that read like another name and are not it: what differs, letter by letter.
//!
//! GitHub compares names without case. Letters are taken for each other as fonts draw them (`0` and `o`, `1` and `l`, a Cyrillic
//! `а`), and one slip of the hand is taken too: a letter more, less, other, or two that stand the other way round.

/// Letters that fonts draw alike, each written as the first of its group.
const ALIKE: [&str; 19] = [
    "l1i|!ІіӀıΙ",
    "o0ОоΟοօ",
    "s5Ѕѕ",
    "a4АаΑαɑ",
    "e3ЕеΕεℯЗ",
    "b8ВЬΒ",
    "g9ɡԍ",
    "t7ТтΤτ",
    "z2ΖᴢՀ",
    "cСсϹϲᴄ",
    "pРрΡρ",
    "xХхΧχ",
    "yУуΥγ",
    "kКкΚκ",
    "hНһΗ",
    "mМмΜ",
    "nΝոп",
    "jЈј",
    "dԁɗ",
];
/// Letters that read as one where they stand beside each other.
const JOINED: [(&str, char); 4] = [("rn", 'm'), ("nn", 'm'), ("vv", 'w'), ("cl", 'd')];
/// In a shorter name one slip is another name.
const SHORTEST: usize = 5;

/// What a name has other than the one that it reads like; `None` for the name itself and for what does not read like it.
pub(crate) fn difference(login: &str, name: &str) -> Option<String> {
    let letters = |text: &str| text.chars().collect::<Vec<char>>();
    let (login, name) = (letters(login), letters(name));
    let slips = usize::from(login.len().min(name.len()) >= SHORTEST);
    let found = walk(&login, &name, slips)?;
    let mut parts: Vec<(String, usize)> = Vec::new();
    for part in found {
        match parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, count)) => *count += 1,
            None => parts.push((part, 1)),
        }
    }
    let text = |(part, count): &(String, usize)| match count {
        1 => part.clone(),
        count => format!("{part} ({count} times)"),
    };
    let parts: Vec<String> = parts.iter().map(text).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What differs between two texts from here on, if they read alike.
fn walk(one: &[char], other: &[char], slips: usize) -> Option<Vec<String>> {
    let with = |told: String, rest: Option<Vec<String>>| rest.map(|rest| [vec![told], rest].concat());
    match (one, other) {
        ([], []) => return Some(Vec::new()),
        ([a, one @ ..], [b, other @ ..]) => {
            if a.to_lowercase().eq(b.to_lowercase()) {
                return walk(one, other, slips);
            }
            if drawn(*a) == drawn(*b) {
                let told = format!("{} in the place of {}", named(*a), named(*b));
                return with(told, walk(one, other, slips));
            }
        }
        _ => {}
    }
    for (joined, single) in JOINED {
        let pair: Vec<char> = joined.chars().collect();
        let rest = |text: &[char]| text.get(2..).filter(|_| reads(&text[..2], &pair)).map(<[char]>::to_vec);
        if let (Some(rest), [b, other @ ..]) = (rest(one), other)
            && reads(&[*b], &[single])
        {
            return with(
                format!("`{joined}` in the place of the letter {single}"),
                walk(&rest, other, slips),
            );
        }
        if let ([a, one @ ..], Some(rest)) = (one, rest(other))
            && reads(&[*a], &[single])
        {
            return with(format!("the letter {single} in the place of `{joined}`"), walk(one, &rest, slips));
        }
    }
    let is_mark = |letter: char| "-_.".contains(letter);
    if let [a, one @ ..] = one
        && is_mark(*a)
    {
        return with(format!("{} more", named(*a)), walk(one, other, slips));
    }
    if let [b, other @ ..] = other
        && is_mark(*b)
    {
        return with(format!("{} less", named(*b)), walk(one, other, slips));
    }
    let slips = slips.checked_sub(1)?;
    if let ([a, b, one @ ..], [c, d, other @ ..]) = (one, other)
        && reads(&[*a, *b], &[*d, *c])
        && let Some(found) = walk(one, other, slips)
    {
        return with(format!("`{a}{b}` in the place of `{c}{d}`"), Some(found));
    }
    let other_letter = || {
        let ([a, one @ ..], [b, other @ ..]) = (one, other) else { return None };
        with(format!("{} in the place of {}", named(*a), named(*b)), walk(one, other, slips))
    };
    let more = || {
        one.split_first().and_then(|(a, one)| with(format!("{} more", named(*a)), walk(one, other, slips)))
    };
    let less = || {
        other
            .split_first()
            .and_then(|(b, other)| with(format!("{} less", named(*b)), walk(one, other, slips)))
    };
    other_letter().or_else(more).or_else(less)
}

fn reads(one: &[char], other: &[char]) -> bool {
    one.iter()
        .flat_map(|letter| letter.to_lowercase())
        .eq(other.iter().flat_map(|letter| letter.to_lowercase()))
}

/// The letter that stands for all that are drawn alike.
fn drawn(letter: char) -> char {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    let group = ALIKE.iter().find(|group| group.contains(letter) || group.contains(small));
    group.and_then(|group| group.chars().next()).unwrap_or(small)
}

/// `the digit 0`, `the letter o`, `U+0430`, `a hyphen`.
fn named(letter: char) -> String {
    match letter {
        '0'..='9' => format!("the digit {letter}"),
        'a'..='z' | 'A'..='Z' => format!("the letter {letter}"),
        '-' => "a hyphen".to_owned(),
        '_' => "an underscore".to_owned(),
        '.' => "a dot".to_owned(),
        _ => format!("U+{:04X}", u32::from(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_alike_is_told_with_what_differs() {
        for (login, name, wanted) in [
            ("0pentofu", "opentofu", "the digit 0 in the place of the letter o"),
            ("OpentofU", "opentofu", ""),
            ("fernho11ow", "fernhollow", "the digit 1 in the place of the letter l (2 times)"),
            ("cIoudposse", "cloudposse", "the letter I in the place of the letter l"),
            ("оpentofu", "opentofu", "U+043E in the place of the letter o"),
            ("terraforrn", "terraform", "`rn` in the place of the letter m"),
            ("modem-io", "modern-io", "the letter m in the place of `rn`"),
            ("open-tofu", "opentofu", "a hyphen more"),
            ("windlassio", "windlass-io", "a hyphen less"),
            ("opentoffu", "opentofu", "the letter f more"),
            ("opntofu", "opentofu", "the letter e less"),
            ("opentufo", "opentofu", ""),
            ("opentfou", "opentofu", "`fo` in the place of `of`"),
            ("opentofy", "opentofu", "the letter y in the place of the letter u"),
            ("hashlcorp", "hashicorp", "the letter l in the place of the letter i"),
            ("aws", "awx", ""),
            ("bpg", "bpq", ""),
            ("opentofu-bot", "opentofu", ""),
            ("ida-quill", "fernhollow", ""),
            ("", "opentofu", ""),
            ("opentofu", "", ""),
        ] {
            assert_eq!(difference(login, name).unwrap_or_default(), wanted, "{login} {name}");
        }
    }

    /// Every group is drawn as its first letter, and none shares a letter with another.
    #[test]
    fn groups_do_not_share_letters() {
        for (at, group) in ALIKE.iter().enumerate() {
            let first = group.chars().next().unwrap();
            for letter in group.chars() {
                assert_eq!(drawn(letter), first, "{letter} U+{:04X}", u32::from(letter));
                assert!(!ALIKE[at + 1..].iter().any(|other| other.contains(letter)), "{letter}");
            }
        }
    }
}
