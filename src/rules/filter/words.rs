//! Cuts a filter into its words: blanks and `|` part them, quotes keep blanks together. Places are counted in characters, for
//! people.

/// One word as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Without the quotes.
    pub(super) text: String,
    /// How much of the text, in bytes, stands before the first quote: signs and fields count only there.
    pub(super) plain: usize,
    /// Where it starts, in characters from 1, and how many it has, quotes included.
    pub(super) column: usize,
    pub(super) length: usize,
    /// A `|` stands before it: it is another choice of the term before.
    pub(super) or: bool,
}

impl Word {
    fn at(column: usize, or: bool) -> Self {
        Self { text: String::new(), plain: usize::MAX, column, length: 0, or }
    }

    /// A `|` with nothing on one of its sides.
    fn bar(column: usize) -> Self {
        Self { text: "|".into(), plain: 1, length: 1, ..Self::at(column, false) }
    }
}

/// All words of a text. A quote that is not closed goes to the end: whoever types has not come to it yet.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<Word> = None;
    let mut quoted = false;
    // The `|` that waits for its right side.
    let mut bar = None;
    for (place, c) in text.chars().enumerate() {
        let column = place + 1;
        if !quoted && (c.is_whitespace() || c == '|') {
            words.extend(open.take());
            if c == '|' {
                words.extend(bar.take().map(Word::bar));
                if words.is_empty() {
                    words.push(Word::bar(column));
                } else {
                    bar = Some(column);
                }
            }
            continue;
        }
        let word = open.get_or_insert_with(|| Word::at(column, bar.take().is_some()));
        word.length += 1;
        if c == '"' {
            quoted = !quoted;
            word.plain = word.plain.min(word.text.len());
        } else {
            word.text.push(c);
        }
    }
    words.extend(open);
    words.extend(bar.map(Word::bar));
    for word in &mut words {
        word.plain = word.plain.min(word.text.len());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_part_and_quotes_join() {
        type Wanted = &'static [(&'static str, usize, usize)];
        let cases: [(&str, Wanted); 8] = [
            ("  aws  eks ", &[("aws", 3, 3), ("eks", 8, 3)]),
            ("\"two words\" x", &[("two words", 1, 11), ("x", 13, 1)]),
            ("why:\"no sums\"", &[("why:no sums", 1, 13)]),
            ("!\"a b", &[("!a b", 1, 5)]),
            ("ü \"\" b", &[("ü", 1, 1), ("", 3, 2), ("b", 6, 1)]),
            ("", &[]),
            ("a|b | c", &[("a", 1, 1), ("b", 3, 1), ("c", 7, 1)]),
            (
                "| a||b \"c|d\" |",
                &[("|", 1, 1), ("a", 3, 1), ("|", 4, 1), ("b", 6, 1), ("c|d", 8, 5), ("|", 14, 1)],
            ),
        ];
        for (text, wanted) in cases {
            let found: Vec<(String, usize, usize)> =
                words(text).into_iter().map(|word| (word.text, word.column, word.length)).collect();
            let found: Vec<(&str, usize, usize)> =
                found.iter().map(|(text, column, length)| (text.as_str(), *column, *length)).collect();
            assert_eq!(found, wanted, "{text}");
        }
        assert_eq!(words("why:\"x y\"")[0].plain, 4);
        assert_eq!(words("why:x")[0].plain, 5);
        assert_eq!(words("a|b c").iter().map(|word| word.or).collect::<Vec<_>>(), [false, true, false]);
    }
}
