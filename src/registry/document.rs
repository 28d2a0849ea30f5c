//! One data file as order-keeping JSON, and the bytes that the registry's Go writer makes of it.
//!
//! An untouched document prints its own bytes. A document that a rebuild touches prints as `files.SafeWriteObjectToJSONFile`
//! would (`registry.md#how-files-are-written`): two spaces, no final newline, Go's escapes. Nothing else is ever written.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

/// The name of a field. Those of the format are not copied: a large file has them ten thousands of times.
pub(crate) type Key = Cow<'static, str>;

/// A JSON value that keeps the order of its keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(Key, Json)>),
}

/// How the bytes differ from what Go's writer would make of the same tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Newlines behind the last brace; Go writes none.
    pub(crate) final_newlines: u32,
    /// Lines end in CR LF.
    pub(crate) crlf: bool,
    /// Neither of the above explains the bytes: other spacing or escapes. They are kept whole.
    pub(crate) other: bool,
}

/// A data file that was parsed, or made by a rebuild.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    root: Json,
    layout: Layout,
    /// The bytes as read, kept where `layout` cannot give them back.
    source: Option<Box<[u8]>>,
}

/// Why bytes are no data file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    #[error("broken JSON at {line}:{column}: {text}")]
    Syntax { line: usize, column: usize, text: String },
    #[error("broken JSON at 1:1: the file starts with a byte order mark; save it as UTF-8 without one")]
    ByteOrderMark,
    #[error("broken JSON at 1:1: the root is {0}, not an object")]
    NoObject(&'static str),
}

impl Document {
    /// Parses the bytes of a data file.
    ///
    /// # Errors
    /// The bytes are no JSON object; the error has line and column, counted from 1.
    pub fn parse(bytes: &[u8]) -> Result<Self, DocumentError> {
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            return Err(DocumentError::ByteOrderMark);
        }
        let root: Json = serde_json::from_slice(bytes).map_err(|error| {
            let text = error.to_string();
            let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned();
            DocumentError::Syntax { line: error.line(), column: error.column(), text }
        })?;
        if !matches!(root, Json::Object(_)) {
            return Err(DocumentError::NoObject(root.type_name()));
        }
        let mut document = Self { root, layout: Layout::default(), source: None };
        document.find_layout(bytes);
        Ok(document)
    }

    /// What a file that is not there yet begins as, before the registry's own tool fills it.
    pub(crate) fn empty() -> Self {
        Self::from_root(Json::Object(vec![("versions".into(), Json::Array(Vec::new()))]))
    }

    /// Parses the bytes of a data file; none at all stand for a file that is not there yet.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub(crate) fn parse_or_new(bytes: &[u8]) -> Result<Self, DocumentError> {
        if bytes.is_empty() { Ok(Self::empty()) } else { Self::parse(bytes) }
    }

    /// A document that is written the Go way.
    pub fn from_root(root: Json) -> Self {
        Self { root, layout: Layout::default(), source: None }
    }

    /// The same file with another tree, and its own final newlines and line ends; other odd spacing comes out as Go writes it.
    pub(crate) fn with_root(&self, root: Json) -> Self {
        Self { root, layout: Layout { other: false, ..self.layout }, source: None }
    }

    fn find_layout(&mut self, bytes: &[u8]) {
        // Looking for one byte is many times faster than looking for two.
        let crlf = bytes.contains(&b'\r') && bytes.windows(2).any(|pair| pair == b"\r\n");
        let body = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        let returns = if crlf { 2 } else { 1 };
        let final_newlines = ((bytes.len() - body) / returns) as u32;
        self.layout = Layout { final_newlines, crlf, other: false };
        if self.print() != bytes {
            self.layout.other = true;
            self.source = Some(bytes.into());
        }
    }

    pub fn root(&self) -> &Json {
        &self.root
    }

    /// The list of versions; empty if the file has none.
    pub(crate) fn versions(&self) -> &[Json] {
        self.root.field("versions").map(Json::items).unwrap_or_default()
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Whether the tree alone gives the bytes back, without a kept copy.
    pub fn prints_from_tree(&self) -> bool {
        self.source.is_none()
    }

    /// The bytes: its own for a parsed document, Go's for a made one.
    pub fn print(&self) -> Vec<u8> {
        if let Some(source) = &self.source {
            return source.to_vec();
        }
        let mut bytes = self.root.print_like_go();
        bytes.extend(std::iter::repeat_n(b'\n', self.layout.final_newlines as usize));
        if self.layout.crlf {
            let mut with_returns = Vec::with_capacity(bytes.len() + bytes.len() / 20);
            for byte in bytes {
                if byte == b'\n' {
                    with_returns.push(b'\r');
                }
                with_returns.push(byte);
            }
            return with_returns;
        }
        bytes
    }
}

/// SHA-256 of some bytes as lower-case hex: how bases and proposals are named.
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

impl Json {
    pub(crate) fn string(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    pub(crate) fn number(value: u64) -> Self {
        Self::Number(value.into())
    }

    /// The value under a key; the last one, as Go's decoder takes it, if a key stands twice.
    pub fn field(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub(crate) fn field_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Object(fields) => {
                fields.iter_mut().rev().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items of an array; none of anything else.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The items of an array, to be changed.
    pub(crate) fn items_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The name of an item of a list of versions or of failed tries; empty if it has none.
    pub(crate) fn version_name(&self) -> &str {
        self.field("version").and_then(Self::as_str).unwrap_or_default()
    }

    /// The fields of an object; none of anything else.
    pub fn fields(&self) -> &[(Key, Self)] {
        match self {
            Self::Object(fields) => fields,
            _ => &[],
        }
    }

    fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The text that Go's `json.MarshalIndent(v, "", "  ")` gives.
    pub(crate) fn print_like_go(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(4096);
        self.write(&mut out, Some(0));
        out
    }

    /// The same without white space, on one line.
    pub(crate) fn print_compact(&self) -> String {
        let mut out = Vec::new();
        self.write(&mut out, None);
        String::from_utf8(out).unwrap_or_default()
    }

    fn write(&self, out: &mut Vec<u8>, indent: Option<usize>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(true) => out.extend_from_slice(b"true"),
            Self::Bool(false) => out.extend_from_slice(b"false"),
            Self::Number(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Self::String(text) => write_go_string(out, text),
            Self::Array(items) if items.is_empty() => out.extend_from_slice(b"[]"),
            Self::Object(fields) if fields.is_empty() => out.extend_from_slice(b"{}"),
            Self::Array(items) => {
                out.push(b'[');
                for (place, item) in items.iter().enumerate() {
                    separate(out, place, indent);
                    item.write(out, indent.map(|depth| depth + 1));
                }
                break_line(out, indent);
                out.push(b']');
            }
            Self::Object(fields) => {
                out.push(b'{');
                for (place, (key, value)) in fields.iter().enumerate() {
                    separate(out, place, indent);
                    write_go_string(out, key);
                    out.extend_from_slice(if indent.is_some() { b": " } else { b":" });
                    value.write(out, indent.map(|depth| depth + 1));
                }
                break_line(out, indent);
                out.push(b'}');
            }
        }
    }
}

fn separate(out: &mut Vec<u8>, place: usize, indent: Option<usize>) {
    if place > 0 {
        out.push(b',');
    }
    break_line(out, indent.map(|depth| depth + 1));
}

fn break_line(out: &mut Vec<u8>, indent: Option<usize>) {
    if let Some(depth) = indent {
        out.push(b'\n');
        out.extend(std::iter::repeat_n(b' ', depth * 2));
    }
}

/// Go's escapes with HTML escaping on: `<` `>` `&` and U+2028, U+2029 as `\uXXXX`; the short forms of newline, return, tab,
/// backspace and form feed (Go 1.22 and later); other controls as `\u00XX`; DEL raw.
fn write_go_string(out: &mut Vec<u8>, text: &str) {
    // Nearly every byte stands for itself, so whole stretches are copied.
    let mut rest = text;
    out.push(b'"');
    while let Some(at) = rest.as_bytes().iter().position(|byte| MAY_NEED_ESCAPE[usize::from(*byte)]) {
        let (plain, special) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            write_go_char(out, c);
        }
        rest = chars.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
}

/// Bytes that Go escapes, and 0xE2, which leads U+2028 and U+2029 among others.
const MAY_NEED_ESCAPE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = byte < 0x20 || matches!(byte as u8, b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2);
        byte += 1;
    }
    table
};

fn write_go_char(out: &mut Vec<u8>, c: char) {
    match c {
        '"' => out.extend_from_slice(b"\\\""),
        '\\' => out.extend_from_slice(b"\\\\"),
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        '\u{8}' => out.extend_from_slice(b"\\b"),
        '\u{c}' => out.extend_from_slice(b"\\f"),
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
            out.extend_from_slice(format!("\\u{:04x}", c as u32).as_bytes());
        }
        _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> Document {
        let document = Document::parse(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(document.print()).unwrap(), text);
        document
    }

    #[test]
    fn untouched_documents_print_their_own_bytes() {
        let cases = [
            ("{\n  \"versions\": []\n}", true),
            ("{\n  \"versions\": null\n}", true),
            ("{}", true),
            ("{\n  \"versions\": []\n}\n", true),
            ("{\r\n  \"versions\": []\r\n}\r\n", true),
            ("{\n  \"b\": 1,\n  \"a\": -2,\n  \"c\": 1.5,\n  \"ü\": true\n}", true),
            ("{ \"versions\": [] }", false),
            ("{\n\t\"versions\": []\n}", false),
            ("{\n  \"a\": 1e2\n}", false),
            ("{\n  \"a\": \"<b>\"\n}", false),
            ("{\n  \"a\": \"\\u003cb\\u003e\\u0026\\u2028 \\b\\f\\u0001\\t\"\n}", true),
        ];
        for (text, from_tree) in cases {
            assert_eq!(same(text).prints_from_tree(), from_tree, "{text:?}");
        }
    }

    #[test]
    fn layout_names_what_go_would_change() {
        assert_eq!(same("{}").layout(), Layout::default());
        assert_eq!(same("{}\n\n").layout().final_newlines, 2);
        assert!(same("{\r\n  \"a\": 1\r\n}").layout().crlf);
        assert!(same("{\"a\":1}").layout().other);
    }

    #[test]
    fn errors_name_the_place() {
        let error = Document::parse(b"{\n  \"versions\": [\n  }\n").unwrap_err();
        assert!(matches!(error, DocumentError::Syntax { line: 3, column: 3, .. }), "{error}");
        assert_eq!(Document::parse(b"\xEF\xBB\xBF{}").unwrap_err(), DocumentError::ByteOrderMark);
        assert_eq!(Document::parse(b"[]").unwrap_err(), DocumentError::NoObject("an array"));
        assert!(Document::parse(b"").is_err());
        assert!(Document::parse(b"{} x").is_err());
        assert!(Document::parse(b"{\"a\":\"\xff\"}").is_err());
        let deep = "[".repeat(100_000);
        assert!(Document::parse(deep.as_bytes()).is_err());
    }

    #[test]
    fn the_last_of_two_equal_keys_counts_and_both_are_kept() {
        let document = same("{\n  \"a\": 1,\n  \"a\": 2\n}");
        assert_eq!(document.root().field("a"), Some(&Json::number(2)));
    }

    #[test]
    fn digests_are_sha256_hex() {
        assert_eq!(digest(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
