//! The registry's own files, in the exact bytes that the registry's Go writer would give them.
//!
//! Two spaces of indent, no final newline, keys in struct order, Go's escaping (`registry.md#how-files-are-written`). Order
//! of versions and targets is the caller's. Written by hand, apart from `registry`, to be an independent witness.

use std::fmt::Write;

use serde_json::Value;

/// A value of a file to be written.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Text(String),
    Number(u64),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A list of texts.
    pub(crate) fn texts(list: &[String]) -> Self {
        Self::List(list.iter().map(Self::text).collect())
    }

    /// The file's bytes.
    pub(crate) fn file(&self) -> Vec<u8> {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.into_bytes()
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Self::Text(text) => escape(out, text),
            Self::Number(number) => {
                let _ = write!(out, "{number}");
            }
            Self::List(items) if items.is_empty() => out.push_str("[]"),
            Self::Object(fields) if fields.is_empty() => out.push_str("{}"),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    line(out, index, depth + 1);
                    item.write(out, depth + 1);
                }
                close(out, depth, ']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (index, (name, value)) in fields.iter().enumerate() {
                    line(out, index, depth + 1);
                    let _ = write!(out, "\"{name}\": ");
                    value.write(out, depth + 1);
                }
                close(out, depth, '}');
            }
        }
    }
}

/// The bytes of a file that was read and changed, keys as they stand.
pub(crate) fn file_of(value: &Value) -> Vec<u8> {
    // Outside of texts none of these letters stands in JSON.
    let escaped = |letter: char| format!("\\u{:04x}", u32::from(letter));
    let text = format!("{value:#}");
    ['<', '>', '&', '\u{2028}', '\u{2029}']
        .into_iter()
        .fold(text, |text, letter| text.replace(letter, &escaped(letter)))
        .into_bytes()
}

fn line(out: &mut String, index: usize, depth: usize) {
    out.push_str(if index == 0 { "\n" } else { ",\n" });
    out.extend(std::iter::repeat_n("  ", depth));
}

fn close(out: &mut String, depth: usize, end: char) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
    out.push(end);
}

/// A JSON text as Go writes it: `<`, `>`, `&` and the two line separators are escaped, other non-ASCII stays.
fn escape(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_go_writer() {
        let value = Json::Object(vec![
            (
                "versions",
                Json::List(vec![Json::Object(vec![
                    ("version", Json::text("1.0.0")),
                    ("size", Json::Number(7)),
                ])]),
            ),
            ("warnings", Json::texts(&["a <b> & \u{2028} ü \u{1}".to_owned()])),
            ("none", Json::List(Vec::new())),
        ]);
        let wanted = "{\n  \"versions\": [\n    {\n      \"version\": \"1.0.0\",\n      \"size\": 7\n    }\n  ],\n  \
                      \"warnings\": [\n    \"a \\u003cb\\u003e \\u0026 \\u2028 ü \\u0001\"\n  ],\n  \"none\": []\n}";
        assert_eq!(String::from_utf8(value.file()).unwrap(), wanted);
        let read = serde_json::from_str(wanted).unwrap();
        assert_eq!(String::from_utf8(file_of(&read)).unwrap(), wanted);
    }
}
