//! Armored text to bytes, as forgiving as a client is and with a note of everything that a client had to forgive.
//!
//! Own code and not the library's: the library refuses a key file on the registry that every client reads (CRLF lines and
//! a no-break space on the line after the headers), and it does not say what was odd. Checksums are compared but not
//! insisted on, as clients do.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::rules::signature::stream::Release;

/// What an armored block says that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    PublicKey,
    PrivateKey,
    Signature,
    Other,
}

/// One armored block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) label: Label,
    pub(super) bytes: Vec<u8>,
}

/// What is odd about the text around the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oddity {
    /// Lines end in CRLF.
    CrLf,
    /// The line between headers and body holds white space, such as a no-break space.
    SpaceOnBlankLine,
    /// White space around lines of the body. Clients before 1.12 fail on it.
    SpaceInBody,
    /// A line of more than 96 characters. Clients fail on it.
    LongLine,
    /// The checksum is not that of the bytes. Clients before 1.11 fail on it, newer ones do not look.
    Checksum,
    /// Something stands between the checksum and the last line, such as a blank line. Clients before 1.11 fail on it.
    BehindChecksum,
    /// The text stops before its last line. Clients before 1.11 fail on it.
    NoEnd,
    /// More than one block. Clients read the first alone.
    SeveralBlocks,
}

/// Longest line that clients accept.
const LINE_MAX: usize = 96;
/// Blocks of one text that are read.
const BLOCKS_MAX: usize = 64;

impl Oddity {
    /// Whether clients of a release cannot read a text that has it.
    pub(super) fn breaks(self, release: Release) -> bool {
        match self {
            Self::LongLine => true,
            Self::SpaceInBody => release <= Release::Eleven,
            Self::Checksum | Self::BehindChecksum | Self::NoEnd => release <= Release::Ten,
            Self::CrLf | Self::SpaceOnBlankLine | Self::SeveralBlocks => false,
        }
    }

    /// What is odd, as a part of a sentence.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::CrLf => "its lines end in CRLF",
            Self::SpaceOnBlankLine => {
                "the blank line after its headers holds white space, such as a no-break space"
            }
            Self::SpaceInBody => {
                "there is white space around its lines, which clients before 1.12 cannot read"
            }
            Self::LongLine => "it has lines of more than 96 characters, which clients cannot read",
            Self::Checksum => "its checksum is wrong, which clients before 1.11 do not forgive",
            Self::BehindChecksum => {
                "there is something between its checksum and its last line, which clients before 1.11 do not forgive"
            }
            Self::NoEnd => "its last line is missing, which clients before 1.11 do not forgive",
            Self::SeveralBlocks => "it has several armored blocks, of which clients read only the first",
        }
    }
}

/// Reads the blocks of a text, 64 at most. Clients read the first alone, so that it is no error if a later one is broken.
///
/// # Errors
/// No block, or a first one that cannot be read: the reason, as a part of a sentence.
pub(super) fn read(text: &[u8]) -> Result<(Vec<Block>, Vec<Oddity>), String> {
    let text = String::from_utf8_lossy(text);
    let mut odd = Vec::new();
    let mut blocks = Vec::new();
    let mut no_blank_line = false;
    let mut lines = text.split('\n');
    while let Some(line) = lines.next() {
        let Some(label) = label_of(line.trim()) else { continue };
        if blocks.len() == BLOCKS_MAX {
            break;
        }
        // What is odd about a later block is nothing to anybody.
        let (mut later, is_first) = (Vec::new(), blocks.is_empty());
        let odd = if is_first { &mut odd } else { &mut later };
        note(odd, Oddity::CrLf, line.ends_with('\r'));
        match block(label, &mut lines, odd) {
            Ok(Some(block)) => blocks.push(block),
            Ok(None) => no_blank_line = true,
            Err(why) if is_first => return Err(why),
            Err(_) => break,
        }
    }
    note(&mut odd, Oddity::SeveralBlocks, blocks.len() > 1);
    odd.sort_unstable();
    match (blocks.is_empty(), no_blank_line) {
        (false, _) => Ok((blocks, odd)),
        (true, false) => Err("it holds no armored block".to_owned()),
        (true, true) => Err("the blank line after its armor header is missing".to_owned()),
    }
}

fn label_of(line: &str) -> Option<Label> {
    let name = line.strip_prefix("-----BEGIN ")?.strip_suffix("-----")?;
    Some(match name {
        "PGP PUBLIC KEY BLOCK" => Label::PublicKey,
        "PGP PRIVATE KEY BLOCK" => Label::PrivateKey,
        "PGP SIGNATURE" => Label::Signature,
        _ => Label::Other,
    })
}

fn note(odd: &mut Vec<Oddity>, oddity: Oddity, is_so: bool) {
    if is_so && !odd.contains(&oddity) {
        odd.push(oddity);
    }
}

/// The block behind its first line; `None`: what follows is none.
fn block<'a>(
    label: Label,
    lines: &mut impl Iterator<Item = &'a str>,
    odd: &mut Vec<Oddity>,
) -> Result<Option<Block>, String> {
    if !skip_headers(lines, odd)? {
        return Ok(None);
    }
    Ok(Some(Block { label, bytes: body(lines, odd)? }))
}

/// `false`: what follows is no header, and so the block no block.
fn skip_headers<'a>(
    lines: &mut impl Iterator<Item = &'a str>,
    odd: &mut Vec<Oddity>,
) -> Result<bool, String> {
    for line in lines {
        let bare = line.strip_suffix('\r').unwrap_or(line);
        if bare.trim().is_empty() {
            note(odd, Oddity::SpaceOnBlankLine, !bare.is_empty());
            return Ok(true);
        }
        if !line.contains(':') {
            return Ok(false);
        }
    }
    Err("it is cut off after its armor header".to_owned())
}

fn body<'a>(lines: &mut impl Iterator<Item = &'a str>, odd: &mut Vec<Oddity>) -> Result<Vec<u8>, String> {
    let mut text = String::new();
    let mut checksum = None;
    let (mut ended, mut behind) = (false, false);
    for line in lines {
        let bare = line.strip_suffix('\r').unwrap_or(line);
        let plain = bare.trim();
        if plain.starts_with("-----END ") {
            note(odd, Oddity::SpaceInBody, !bare.starts_with('-') && checksum.is_none());
            ended = true;
            break;
        }
        if checksum.is_some() {
            behind = true;
            continue;
        }
        note(odd, Oddity::SpaceInBody, plain.len() != bare.len());
        if plain.len() == 5 && plain.starts_with('=') {
            checksum = Some(plain[1..].to_owned());
            continue;
        }
        note(odd, Oddity::LongLine, bare.len() > LINE_MAX);
        text.push_str(plain);
    }
    note(odd, Oddity::NoEnd, !ended);
    note(odd, Oddity::BehindChecksum, ended && behind);
    let bytes = STANDARD.decode(&text).map_err(|_| "its armored text is not base64".to_owned())?;
    if let Some(said) = checksum {
        let right = STANDARD.encode(&crc24(&bytes).to_be_bytes()[1..]);
        note(odd, Oddity::Checksum, said != right);
    }
    Ok(bytes)
}

/// The checksum of armored text (RFC 9580 §6.1).
fn crc24(bytes: &[u8]) -> u32 {
    let mut crc: u32 = 0x00B7_04CE;
    for byte in bytes {
        crc ^= u32::from(*byte) << 16;
        for _ in 0..8 {
            crc <<= 1;
            if crc & 0x0100_0000 != 0 {
                crc ^= 0x0186_4CFB;
            }
        }
    }
    crc & 0x00FF_FFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `hello world`, and its checksum as another implementation gives it.
    const PLAIN: &str = "-----BEGIN PGP SIGNATURE-----\nVersion: x\n\naGVsbG8g\nd29ybGQ=\n=sDy3\n-----END PGP SIGNATURE-----\n";

    #[test]
    fn texts_and_what_is_odd_about_them() {
        use Oddity as O;
        let cases: [(String, &[Oddity]); 10] = [
            (PLAIN.into(), &[]),
            (format!("words before\n{PLAIN}words after"), &[]),
            (PLAIN.replace('\n', "\r\n"), &[O::CrLf]),
            (PLAIN.replace("\n\n", "\n\u{a0}\n"), &[O::SpaceOnBlankLine]),
            (PLAIN.replace("aGVsbG8g", "aGVsbG8g \t"), &[O::SpaceInBody]),
            (PLAIN.replace("sDy3", "AAAA"), &[O::Checksum]),
            (PLAIN.replace("=sDy3\n", ""), &[]),
            (PLAIN.replace("=sDy3\n", "=sDy3\n\n"), &[O::BehindChecksum]),
            (PLAIN.replace("-----END PGP SIGNATURE-----\n", ""), &[O::NoEnd]),
            (PLAIN.replace("\n\n", "\n  \r\n"), &[O::SpaceOnBlankLine]),
        ];
        for (text, wanted) in cases {
            let (blocks, odd) = read(text.as_bytes()).unwrap();
            assert_eq!(odd, wanted, "{text:?}");
            assert_eq!(
                blocks,
                [Block { label: Label::Signature, bytes: b"hello world".to_vec() }],
                "{text:?}"
            );
        }
        let (blocks, odd) = read(format!("{PLAIN}{PLAIN}").as_bytes()).unwrap();
        assert_eq!((blocks.len(), odd), (2, vec![O::SeveralBlocks]));
    }

    #[test]
    fn texts_that_cannot_be_read() {
        let cases = [
            ("", "no armored block"),
            ("<html>", "no armored block"),
            ("-----BEGIN PGP SIGNATURE-----", "cut off"),
            ("-----BEGIN PGP SIGNATURE-----\nabcd\n\nabcd", "blank line"),
            ("-----BEGIN PGP SIGNATURE-----\n\nab!d\n-----END PGP SIGNATURE-----", "base64"),
        ];
        for (text, wanted) in cases {
            let said = read(text.as_bytes()).unwrap_err();
            assert!(said.contains(wanted), "{text:?}: {said}");
        }
        assert_eq!(read(PLAIN.repeat(65).as_bytes()).unwrap().0.len(), 64);
    }
}
