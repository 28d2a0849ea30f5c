//! Every path that a piece of code names, `use` trees spread out: `use a::{b, c::d}` names `a::b` and `a::c::d`.

use super::source::is_word;

/// One path, from its first name on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NamedPath {
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) names: Vec<String>,
}

impl NamedPath {
    pub(super) fn text(&self) -> String {
        self.names.join("::")
    }

    /// Returns true if it is the path `start`, or one below it.
    pub(super) fn starts_with(&self, start: &str) -> bool {
        let start: Vec<&str> = start.split("::").collect();
        self.names.len() >= start.len() && self.names.iter().zip(&start).all(|(name, wanted)| name == wanted)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Token<'a> {
    Name(&'a str),
    Colons,
    Other(u8),
}

/// The paths of blanked code: all of two names or more, and all that a `use` brings in.
pub(super) fn paths(code: &str) -> Vec<NamedPath> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = match tokens[at].1 {
            Token::Name("use") => spread(&tokens, at + 1, &[], &mut found),
            Token::Name(_) if token(&tokens, at + 1) == Some(Token::Colons) => {
                spread(&tokens, at, &[], &mut found)
            }
            _ => at + 1,
        };
    }
    found
}

/// Reads one tree that starts at a token, and gives the place after it.
fn spread(
    tokens: &[(usize, Token<'_>)],
    start: usize,
    before: &[String],
    found: &mut Vec<NamedPath>,
) -> usize {
    let mut names = before.to_vec();
    let mut at = start;
    loop {
        match token(tokens, at) {
            Some(Token::Colons) => at += 1,
            Some(Token::Name(name)) => {
                names.push(name.to_owned());
                at += 1;
                if token(tokens, at) != Some(Token::Colons) {
                    break;
                }
            }
            Some(Token::Other(b'{')) => return group(tokens, at + 1, &names, found),
            Some(Token::Other(b'*')) => {
                names.push("*".into());
                at += 1;
                break;
            }
            _ => break,
        }
    }
    if !names.is_empty() {
        let line = tokens[start.min(tokens.len() - 1)].0;
        found.push(NamedPath { line, names });
    }
    // A token that belongs to no path is stepped over, so that the reading always moves on.
    at.max(start + 1)
}

fn group(
    tokens: &[(usize, Token<'_>)],
    start: usize,
    before: &[String],
    found: &mut Vec<NamedPath>,
) -> usize {
    let mut at = start;
    while let Some(next) = token(tokens, at) {
        at = match next {
            Token::Other(b'}') => return at + 1,
            Token::Other(b',') => at + 1,
            Token::Name("as") => at + 2,
            _ => spread(tokens, at, before, found),
        };
    }
    at
}

fn token<'a>(tokens: &[(usize, Token<'a>)], at: usize) -> Option<Token<'a>> {
    tokens.get(at).map(|(_, token)| *token)
}

fn tokens(code: &str) -> Vec<(usize, Token<'_>)> {
    let bytes = code.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
        if length > 0 {
            tokens.push((line, Token::Name(&code[at..at + length])));
            at += length;
        } else if bytes[at..].starts_with(b"::") {
            tokens.push((line, Token::Colons));
            at += 2;
        } else {
            line += usize::from(bytes[at] == b'\n');
            if !bytes[at].is_ascii_whitespace() {
                tokens.push((line, Token::Other(bytes[at])));
            }
            at += 1;
        }
    }
    tokens
}

#[test]
fn trees_are_spread_out() {
    let code =
        "use a::{b, c::{d as e, f}, *};\nuse g;\nlet x: h::I<j::K> = l::m::<n::O>();\nif p { q } else { r }";
    let texts: Vec<(usize, String)> = paths(code).iter().map(|path| (path.line, path.text())).collect();
    let wanted = ["a::b", "a::c::d", "a::c::f", "a::*"].map(|text| (1, text));
    let wanted =
        [wanted.as_slice(), &[(2, "g"), (3, "h::I"), (3, "j::K"), (3, "l::m"), (3, "n::O")]].concat();
    assert_eq!(texts, wanted.iter().map(|(line, text)| (*line, (*text).to_owned())).collect::<Vec<_>>());
}
