//! Where the parts of a printed document stand, by indentation alone: Go's writer puts every brace on a line of its own and
//! strings hold no raw line ends, so no second parser is needed. Used by the line view; never for documents whose spacing
//! is not Go's.

use std::ops::Range;

/// A text with its lines, counted from 0.
pub(super) struct Outline<'a> {
    text: &'a str,
    /// Byte ranges without line ends.
    spans: Vec<(u32, u32)>,
}

/// A field of the root: its key, raw, and its lines.
pub(super) type FieldLines = (String, Range<usize>);

/// The parts of one version: its lines before the targets, each target, and the lines behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct VersionParts {
    pub(super) head: Range<usize>,
    pub(super) targets: Vec<Range<usize>>,
    pub(super) tail: Range<usize>,
}

impl<'a> Outline<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut spans = Vec::with_capacity(text.len() / 40);
        let mut start = 0;
        for (end, _) in text.match_indices('\n') {
            spans.push((start, text[..end].strip_suffix('\r').map_or(end, str::len) as u32));
            start = end as u32 + 1;
        }
        if (start as usize) < text.len() {
            spans.push((start, text.len() as u32));
        }
        Self { text, spans }
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(super) fn span(&self, line: usize) -> (u32, u32) {
        self.spans.get(line).copied().unwrap_or_default()
    }

    pub(super) fn line(&self, line: usize) -> &'a str {
        let (start, end) = self.span(line);
        &self.text[start as usize..end as usize]
    }

    /// The text of some lines, their inner line ends included.
    pub(super) fn lines(&self, lines: &Range<usize>) -> &'a str {
        if lines.is_empty() {
            return "";
        }
        &self.text[self.span(lines.start).0 as usize..self.span(lines.end - 1).1 as usize]
    }

    /// The root's fields, key and lines, and the line of its closing brace. `None` where the text is not laid out so.
    pub(super) fn fields(&self) -> Option<(Vec<FieldLines>, usize)> {
        let close = (1..self.len()).rev().find(|line| self.line(*line) == "}")?;
        if self.line(0) != "{" {
            return None;
        }
        let parts = self.parts(&(1..close), 2);
        let fields = parts.into_iter().map(|part| Some((key_of(self.line(part.start))?.to_owned(), part)));
        Some((fields.collect::<Option<Vec<_>>>()?, close))
    }

    /// The items of a list that opens on the first of some lines and closes on the last.
    pub(super) fn items(&self, list: &Range<usize>, indent: usize) -> Vec<Range<usize>> {
        if list.len() < 3 {
            return Vec::new();
        }
        self.parts(&(list.start + 1..list.end - 1), indent)
    }

    /// The parts of a version's lines.
    pub(super) fn version(&self, lines: &Range<usize>) -> VersionParts {
        let whole = VersionParts { head: lines.clone(), targets: Vec::new(), tail: lines.end..lines.end };
        if lines.len() < 3 {
            return whole;
        }
        let fields = self.parts(&(lines.start + 1..lines.end - 1), 6);
        let Some(list) =
            fields.into_iter().rev().find(|part| key_of(self.line(part.start)) == Some("targets"))
        else {
            return whole;
        };
        if list.len() < 3 {
            return VersionParts {
                head: lines.start..list.end,
                targets: Vec::new(),
                tail: list.end..lines.end,
            };
        }
        VersionParts {
            head: lines.start..list.start + 1,
            targets: self.items(&list, 8),
            tail: list.end - 1..lines.end,
        }
    }

    /// Splits lines into parts that each begin at exactly this indentation; what is deeper, and closing brackets, belong
    /// to the part before.
    fn parts(&self, lines: &Range<usize>, indent: usize) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for line in lines.clone() {
            let text = self.line(line).as_bytes();
            let begins = text.len() > indent
                && text[..indent].iter().all(|byte| *byte == b' ')
                && !matches!(text[indent], b' ' | b']' | b'}');
            match parts.last_mut() {
                _ if begins => parts.push(line..line + 1),
                Some(part) => part.end = line + 1,
                None => {}
            }
        }
        parts
    }
}

/// The key that a line of a printed object begins with, raw.
pub(super) fn key_of(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('"')?;
    let mut is_escaped = false;
    let end = rest.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    rest[end + 1..].starts_with(':').then_some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"versions\": [\n    {\n      \"version\": \"1.0.0\",\n      \"targets\": [\n        {\n          \"os\": \"linux\"\n        },\n        {}\n      ]\n    },\n    {\n      \"targets\": []\n    }\n  ],\n  \"warnings\": []\n}\n";

    #[test]
    fn parts_are_found_by_indentation() {
        for text in [TEXT.to_owned(), TEXT.replace('\n', "\r\n")] {
            let outline = Outline::new(&text);
            let (fields, close) = outline.fields().unwrap();
            let keys: Vec<_> = fields.iter().map(|(key, lines)| (key.as_str(), lines.clone())).collect();
            assert_eq!(keys, [("versions", 1..15), ("warnings", 15..16)]);
            assert_eq!((close, outline.len()), (16, 17));
            let versions = outline.items(&fields[0].1, 4);
            assert_eq!(versions, [2..11, 11..14]);
            let parts = outline.version(&versions[0]);
            assert_eq!((parts.head, parts.targets, parts.tail), (2..5, vec![5..8, 8..9], 9..11));
            let parts = outline.version(&versions[1]);
            assert_eq!((parts.head, parts.targets.len(), parts.tail), (11..13, 0, 13..14));
        }
        assert!(Outline::new("{}").fields().is_none());
        assert!(Outline::new("").fields().is_none());
    }

    #[test]
    fn keys_of_lines() {
        for (line, key) in [
            ("  \"os\": \"linux\",", Some("os")),
            ("  \"a\\\"b\": 1", Some("a\\\"b")),
            ("  \"text\",", None),
            ("  {", None),
            ("\"", None),
        ] {
            assert_eq!(key_of(line), key, "{line}");
        }
    }
}
