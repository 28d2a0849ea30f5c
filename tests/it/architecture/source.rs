//! Rust text as the rules read it: comments and literals blanked out, place for place, so that a word in a sentence is
//! never taken for a name and every offset and line number stays as it is in the file.

/// One file, ready to be judged.
pub(crate) struct Source {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) raw: String,
    /// `raw` with comments and the insides of literals blanked; the same length in bytes.
    pub(super) code: String,
    /// The string literals, as written between their quotes.
    pub(super) literals: Vec<String>,
}

/// One broken rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) file: String,
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

impl Source {
    pub(super) fn new(path: &str, raw: &str) -> Self {
        let (code, literals) = blank(raw);
        Self { path: path.into(), raw: raw.into(), code, literals }
    }

    pub(super) fn fault(&self, line: usize, text: impl Into<String>) -> Fault {
        Fault { file: self.path.clone(), line, text: text.into() }
    }

    /// Returns true if a line states the visibility of an item: `pub(in crate::tui)` names no module to use.
    pub(super) fn is_visibility(&self, line: usize) -> bool {
        self.code.lines().nth(line - 1).is_some_and(|text| text.contains("(in crate::"))
    }

    /// The line of a byte offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        line_of(&self.code, offset)
    }

    /// Where each string literal begins, and what it says.
    pub(super) fn literals_at(&self) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(open) = self.code[at..].find('"').map(|open| at + open) {
            let Some(length) = self.code[open + 1..].find('"') else { break };
            found.push((open, &self.raw[open + 1..open + 1 + length]));
            at = open + length + 2;
        }
        found
    }

    /// Returns true if the whole file is a test: under `tests/`, or a module of its own called `tests`.
    pub(crate) fn is_test(&self) -> bool {
        self.path.starts_with("tests/") || self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// The number of lines before the inline tests: before a `#[cfg(test)]` that opens a module with a body.
    pub(super) fn product_lines(&self) -> usize {
        let lines: Vec<&str> = self.code.lines().collect();
        let opens_tests = |at: usize| {
            let next = lines[at + 1..].iter().map(|line| line.trim()).find(|line| !line.starts_with("#["));
            next.is_some_and(|line| line.contains("mod ") && line.ends_with('{'))
        };
        (0..lines.len())
            .find(|&at| lines[at].trim() == "#[cfg(test)]" && opens_tests(at))
            .unwrap_or(lines.len())
    }
}

pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Comment,
    Text,
    Char,
}

fn blank(raw: &str) -> (String, Vec<String>) {
    let bytes = raw.as_bytes();
    let mut code = bytes.to_vec();
    let mut literals = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let Some((end, kind)) = span(bytes, at) else {
            at += 1;
            continue;
        };
        for byte in &mut code[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        if kind == Kind::Text {
            // A raw literal loses its prefix: what is left is a pair of quotes as wide as the literal was.
            (code[at], code[end - 1]) = (b'"', b'"');
            let inside = raw[at..end].trim_end_matches('#').split_once('"').map_or("", |(_, inside)| inside);
            literals.push(inside.strip_suffix('"').unwrap_or(inside).to_owned());
        }
        at = end;
    }
    (String::from_utf8(code).expect("whole characters are blanked"), literals)
}

/// Where the comment or literal that starts here ends; `None` if none starts here.
fn span(bytes: &[u8], at: usize) -> Option<(usize, Kind)> {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        return Some((at + length, Kind::Comment));
    }
    if rest.starts_with(b"/*") {
        return Some((at + block_comment(rest), Kind::Comment));
    }
    match rest[0] {
        b'"' => Some((at + quoted(rest), Kind::Text)),
        b'\'' => char_literal(rest).map(|length| (at + length, Kind::Char)),
        b'r' | b'b' | b'c' if at == 0 || !is_word(bytes[at - 1]) => {
            raw_literal(rest).map(|length| (at + length, Kind::Text))
        }
        _ => None,
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn quoted(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A character; a lifetime is none.
fn char_literal(rest: &[u8]) -> Option<usize> {
    let second = *rest.get(1)?;
    if second == b'\\' {
        let close = rest.iter().skip(3).position(|&byte| byte == b'\'')?;
        return Some(close + 4);
    }
    let width = match second {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    (rest.get(1 + width) == Some(&b'\'')).then_some(width + 2)
}

fn raw_literal(rest: &[u8]) -> Option<usize> {
    let prefix = usize::from(rest[0] != b'r');
    if rest.get(prefix) != Some(&b'r') {
        return None;
    }
    let hashes = rest[prefix + 1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = prefix + 1 + hashes;
    if rest.get(open) != Some(&b'"') {
        return None;
    }
    let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
    let found = rest[open + 1..].windows(close.len()).position(|window| window == close);
    Some(found.map_or(rest.len(), |length| open + 1 + length + close.len()))
}

#[test]
fn comments_and_literals_are_blanked_in_place() {
    let cases = [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ d */ e", "a                   e"),
        ("f(\"x\\\"y\")", "f(\"    \")"),
        ("r#\"a\"b\"# + 1", "\"      \" + 1"),
        ("br\"a\" r#type", "\"   \" r#type"),
        ("'a' 'b '\\'' '\"' '…'", "    'b               "),
    ];
    for (raw, code) in cases {
        assert_eq!(blank(raw).0, code, "{raw}");
    }
    assert_eq!(blank("f(\"crab\", r#\"a \"b\" c\"#, b\"\")").1, ["crab", "a \"b\" c", ""]);
}

#[test]
fn the_product_ends_where_the_inline_tests_begin() {
    let inline = "fn a() {}\n\n#[cfg(test)]\n#[expect(dead_code)]\nmod tests {\n}\n";
    assert_eq!(Source::new("src/a.rs", inline).product_lines(), 2);
    let declared = "#[cfg(test)]\nmod tests;\nfn a() {}\n";
    assert_eq!(Source::new("src/a.rs", declared).product_lines(), 3);
}
