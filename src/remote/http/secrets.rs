//! The forms in which a server may repeat our token.
//!
//! Servers and company proxies sometimes repeat request headers in their pages. In error texts the token is replaced
//! here. A body that repeats it is refused as a whole, because replacing the token would change a checksum or a
//! title.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};
use http::header::LOCATION;
use http::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

/// The text that replaces the token.
const HIDDEN: &str = "[token]";
/// The number of consecutive token characters that count as a piece of it in an error text. Texts are cut before the
/// token is removed, so pieces must be found too.
const PIECE: usize = 8;
/// The length of such a piece in a body. A body is not cut, so it contains the whole token, and a shorter run is chance: many
/// invented ids begin with `0123456789abcdef`. A token with fewer characters must appear in full.
const PIECE_OF_BODY: usize = 20;
/// Tokens shorter than this are not secrets of GitHub, whose shortest have 40 characters. The demo world's token is
/// `demo`, which appears in many bodies. A run of this many bytes contains a whole window at one of every eight
/// bytes.
const SHORTEST: usize = 2 * WINDOW - 1;
/// The number of bytes in one look-up of the index.
const WINDOW: usize = 8;
/// The number of bytes kept from a body to find a token that is split between two pieces. The longest encoding takes
/// 6 bytes for a character.
const OVERLAP: usize = 6 * PIECE_OF_BODY;
/// The prefixes of GitHub's tokens. They are not secret and do not help anyone guess the rest.
const PREFIXES: [&str; 6] = ["github_pat_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"];

/// The number of bits in the filter before the index. About 1,800 windows fall into them.
const SLOTS: usize = 1 << 16;

fn slot(window: [u8; WINDOW]) -> usize {
    // The upper bits of a product depend on all bits of its factors (Knuth, multiplicative hashing).
    (u64::from_le_bytes(window).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
}

/// One encoding of the token.
struct Form {
    text: SecretString,
    /// The number of bytes that one character of the token takes in this encoding.
    unit: usize,
}

/// The encoding of one byte, and the number of its characters.
type Spelling = (fn(u8) -> String, usize);

/// All encodings of the token, with an index of their pieces.
pub(crate) struct Secrets {
    whole: SecretString,
    forms: Vec<Form>,
    /// The encoding and the offset of each window.
    windows: HashMap<[u8; WINDOW], Vec<(usize, usize)>>,
    /// One bit for each slot that contains a window. It rejects nearly all other text before the map is searched.
    slots: Box<[u64]>,
    /// True if the token is long enough to search for it in bodies.
    is_long: bool,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    pub(super) fn new(token: &str) -> Self {
        let tail = PREFIXES.into_iter().find_map(|known| token.strip_prefix(known));
        let tail = tail.filter(|tail| !tail.is_empty()).unwrap_or(token);
        let mut forms = vec![Form { text: tail.into(), unit: 1 }];
        // The position of the token within a group of three bytes decides its characters in base64. git's login puts
        // `x-access-token:` before it, which is exactly five groups. Characters that depend only on the prefix are
        // the same for every token.
        for before in 0..3 {
            let bytes = [&b"\0\0"[..before], token.as_bytes()].concat();
            let own = ((bytes.len() - tail.len()) * 8).div_ceil(6)..bytes.len() * 8 / 6;
            for engine in [BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD] {
                let encoded = engine.encode(&bytes);
                forms.push(Form { text: encoded[own.clone()].into(), unit: 1 });
            }
        }
        let each = |write: fn(u8) -> String| tail.bytes().map(write).collect::<String>();
        let encodings: [Spelling; 9] = [
            (|byte| format!("{byte:02x}"), 2),
            (|byte| format!("{byte:02X}"), 2),
            (|byte| format!("%{byte:02x}"), 3),
            (|byte| format!("%{byte:02X}"), 3),
            (|byte| format!("\\u{byte:04x}"), 6),
            (|byte| format!("\\u{byte:04X}"), 6),
            (|byte| format!("&#{byte};"), 6),
            (|byte| format!("&#x{byte:x};"), 6),
            (|byte| format!("&#x{byte:X};"), 6),
        ];
        forms.extend(encodings.map(|(write, unit)| Form { text: each(write).into(), unit }));
        let mut windows: HashMap<[u8; WINDOW], Vec<(usize, usize)>> = HashMap::new();
        for (place, form) in forms.iter().enumerate() {
            for (at, window) in form.text.expose_secret().as_bytes().windows(WINDOW).enumerate() {
                let window = window.try_into().expect("windows have that length");
                windows.entry(window).or_default().push((place, at));
            }
        }
        let mut slots = vec![0_u64; SLOTS / 64].into_boxed_slice();
        for window in windows.keys() {
            let slot = slot(*window);
            slots[slot / 64] |= 1 << (slot % 64);
        }
        Self { whole: token.into(), forms, windows, slots, is_long: tail.len() >= SHORTEST }
    }

    /// Returns the text with the token and all pieces of it replaced.
    pub(super) fn scrub(&self, text: &str) -> String {
        let text = text.replace(self.whole.expose_secret(), HIDDEN);
        let mut clean = String::with_capacity(text.len());
        let mut from = 0;
        for Range { start, end } in self.pieces(text.as_bytes(), 1, PIECE) {
            // The encodings are ASCII, so a piece begins and ends between two characters.
            if start > from || from == 0 {
                clean.push_str(&text[from..start]);
                clean.push_str(HIDDEN);
            }
            from = end;
        }
        clean.push_str(&text[from..]);
        clean
    }

    /// Returns true if a text contains the token or a piece of it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        text.contains(self.whole.expose_secret()) || !self.pieces(text.as_bytes(), 1, PIECE).is_empty()
    }

    /// Returns true if a body repeats the token. The index is searched at every eighth byte, because a piece of 15
    /// bytes has a whole window at one of them.
    pub(super) fn is_in_body(&self, body: &[u8]) -> bool {
        self.is_long && !self.pieces(body, WINDOW, PIECE_OF_BODY).is_empty()
    }

    /// Removes the headers that repeat the token. The target of a redirect is checked elsewhere, and stays for its
    /// message.
    pub(super) fn strip(&self, headers: &mut HeaderMap) {
        let repeats =
            |value: &HeaderValue| self.is_long && !self.pieces(value.as_bytes(), 1, PIECE).is_empty();
        let repeating = headers.iter().filter(|(name, value)| **name != LOCATION && repeats(value));
        let names: Vec<_> = repeating.map(|(name, _)| name.clone()).collect();
        for name in names {
            headers.remove(name);
        }
    }

    /// The places of all pieces with at least `minimum` characters of the token, in order. `step` is the distance
    /// between two look-ups.
    fn pieces(&self, bytes: &[u8], step: usize, minimum: usize) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while let Some(window) = bytes.get(at..).and_then(|rest| rest.first_chunk::<WINDOW>()) {
            let slot = slot(*window);
            let places = match self.slots[slot / 64] >> (slot % 64) & 1 {
                0 => &[],
                _ => self.windows.get(window).map(Vec::as_slice).unwrap_or_default(),
            };
            let longest = places.iter().filter_map(|&place| self.piece(bytes, at, place, minimum));
            match longest.max_by_key(Range::len) {
                Some(piece) => {
                    at = piece.end.max(at + step);
                    match found.last_mut() {
                        Some(last) if piece.start <= last.end => last.end = last.end.max(piece.end),
                        _ => found.push(piece),
                    }
                }
                None => at += step,
            }
        }
        found
    }

    /// The piece of an encoding around a matching window, if it is long enough.
    fn piece(&self, bytes: &[u8], at: usize, place: (usize, usize), minimum: usize) -> Option<Range<usize>> {
        let (form, offset) = (&self.forms[place.0], place.1);
        let text = form.text.expose_secret().as_bytes();
        let before = text[..offset].iter().rev().zip(bytes[..at].iter().rev());
        let start = at - before.take_while(|(form, byte)| form == byte).count();
        let behind = text[offset..].iter().zip(&bytes[at..]);
        let end = at + behind.take_while(|(form, byte)| form == byte).count();
        (end - start >= (minimum * form.unit).min(text.len())).then_some(start..end)
    }
}

/// Finds the token in a body that arrives in pieces.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The last bytes of the pieces so far.
    tail: Vec<u8>,
}

impl Watch {
    /// Returns true if the token ends in this piece of the body.
    pub(super) fn finds(&mut self, secrets: &Secrets, piece: &[u8]) -> bool {
        let head = &piece[..piece.len().min(OVERLAP)];
        self.tail.extend_from_slice(head);
        let is_across = secrets.is_in_body(&self.tail);
        let end = if piece.len() > OVERLAP { &piece[piece.len() - OVERLAP..] } else { &[] };
        self.tail.extend_from_slice(end);
        let cut = self.tail.len().saturating_sub(OVERLAP);
        self.tail.drain(..cut);
        is_across || secrets.is_in_body(piece)
    }
}

#[cfg(test)]
mod tests {
    use base64::prelude::BASE64_STANDARD;

    use super::*;

    const TOKEN: &str = "ghp_canary0123456789abcdefghijklmnopqrstuv";

    fn encodings() -> Vec<String> {
        let percent = TOKEN.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat();
        let json = TOKEN.bytes().map(|byte| format!("\\u{byte:04x}")).collect::<Vec<_>>().concat();
        let html = TOKEN.bytes().map(|byte| format!("&#{byte};")).collect::<Vec<_>>().concat();
        vec![
            TOKEN.to_owned(),
            format!("Bearer {TOKEN}"),
            BASE64_STANDARD.encode(format!("x-access-token:{TOKEN}")),
            BASE64_STANDARD.encode(TOKEN),
            BASE64_STANDARD.encode(format!("somebody:{TOKEN}")),
            BASE64_STANDARD.encode(format!("a:{TOKEN}:b")),
            BASE64_URL_SAFE_NO_PAD.encode(format!("{{\"token\":\"{TOKEN}\"}}")),
            hex::encode(TOKEN),
            hex::encode_upper(TOKEN),
            percent,
            json,
            html,
            TOKEN.replacen("gh", "%67h", 1),
            TOKEN.replace("ghp_", "ghp\\_"),
        ]
    }

    #[test]
    fn every_encoding_is_found_and_removed() {
        let secrets = Secrets::new(TOKEN);
        for text in encodings() {
            for before in 0..20 {
                let text = format!("{}{text} is refused", "x".repeat(before));
                assert!(secrets.is_in(&text) && secrets.is_in_body(text.as_bytes()), "{text}");
                let clean = secrets.scrub(&text);
                assert!(clean.contains(HIDDEN) && !secrets.is_in(&clean), "{text}: {clean}");
                assert!(clean.ends_with(" is refused"), "{clean}");
            }
        }
        assert_eq!(secrets.scrub(&format!("a {TOKEN} b {TOKEN}é")), "a [token] b [token]é");
    }

    /// Nothing is left of such a token without its prefix.
    #[test]
    fn a_token_that_is_only_a_prefix_is_searched_for_whole() {
        for prefix in PREFIXES {
            assert!(!Secrets::new(prefix).scrub(&format!("bad token {prefix}")).contains(prefix), "{prefix}");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        let secrets = Secrets::new(TOKEN);
        for text in ["", "ghp_", "ghp_another0123", "x-access-token:", "canary", "é ß 日本", "%63%61%6e"]
        {
            assert_eq!(secrets.scrub(text), text);
            assert!(!secrets.is_in(text) && !secrets.is_in_body(text.as_bytes()), "{text}");
        }
    }

    /// The prefix alone has as many characters in base64 as a piece.
    #[test]
    fn tokens_of_others_are_not_taken_for_ours() {
        let secrets = Secrets::new("github_pat_11CANARY0123456789_abcdefghijklmnop");
        for text in ["github_pat_11ANOTHERzyxwvutsrq", "x-access-token:github_pat_11ANOTHERzyxwvutsrq"] {
            let encoded = BASE64_STANDARD.encode(text);
            assert!(!secrets.is_in_body(encoded.as_bytes()) && !secrets.is_in(&encoded), "{encoded}");
        }
    }

    #[test]
    fn a_body_that_shares_some_characters_is_read() {
        let secrets = Secrets::new(TOKEN);
        for text in
            ["rev 0123456789abcdef0123456789abcdef01234567", "0123456789abcdefgh", "a canary0123456789abc"]
        {
            assert!(!secrets.is_in_body(text.as_bytes()), "{text}");
        }
        assert!(secrets.is_in_body(b"a canary0123456789abcd"));
    }

    #[test]
    fn a_short_token_is_hidden_in_errors_and_not_looked_for_in_bodies() {
        let secrets = Secrets::new("demo");
        assert_eq!(secrets.scrub("who is demo"), "who is [token]");
        assert!(!secrets.is_in_body(b"a demo world"));
    }

    #[test]
    fn the_token_is_found_across_the_pieces_of_a_body() {
        let secrets = Secrets::new(TOKEN);
        for text in encodings() {
            let body = format!("{}{text}{}", "x".repeat(100), "y".repeat(100));
            for length in [1, 2, 7, 8, 9, 30, 64, 100, 150, 1000] {
                let mut watch = Watch::default();
                let found = body.as_bytes().chunks(length).any(|piece| watch.finds(&secrets, piece));
                assert!(found, "{text} in pieces of {length}");
            }
        }
        let mut watch = Watch::default();
        let body = "the quick brown fox ".repeat(200);
        assert!(!body.as_bytes().chunks(33).any(|piece| watch.finds(&secrets, piece)));
    }

    #[test]
    fn headers_that_repeat_the_token_are_removed() {
        let secrets = Secrets::new(TOKEN);
        let mut headers = HeaderMap::new();
        headers.insert("etag", HeaderValue::from_str(&format!("\"{TOKEN}\"")).unwrap());
        headers.insert("link", HeaderValue::from_str(&format!("</x?t={TOKEN}>; rel=next")).unwrap());
        headers.insert("location", HeaderValue::from_str(TOKEN).unwrap());
        headers.insert("content-type", HeaderValue::from_static("text/plain"));
        secrets.strip(&mut headers);
        let left: Vec<_> = headers.keys().map(http::HeaderName::as_str).collect();
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(headers.contains_key("location") && headers.contains_key("content-type"));
        assert_eq!(format!("{secrets:?}"), "Secrets");
    }
}
