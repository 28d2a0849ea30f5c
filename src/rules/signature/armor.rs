//! Armored text to bytes, as forgiving as a client is and with a note of everything that a client had to forgive.
//!
//! Own code and not the library's: the library refuses a key file on the registry that every client reads (CRLF lines and
//! a no-break space on the line after the headers), and it does not say what was odd. Checksums are compared but not
//! insisted on, as clients do.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

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
    /// White space around lines of the body. Clients fail on it.
    SpaceInBody,
    /// A line of more than 96 characters. Clients fail on it.
    LongLine,
    /// The checksum is not that of the bytes. Older clients fail on it, newer ones do not look.
    Checksum,
    /// The text stops before its last line. Older clients fail on it.
    NoEnd,
    /// More than one block. Clients read the first alone.
    SeveralBlocks,
}

/// Longest line that clients accept.
const LINE_MAX: usize = 96;
/// Blocks of one text that are read.
const BLOCKS_MAX: usize = 64;

impl Oddity {
    /// Whether a client cannot read a text that has it.
    pub(crate) fn breaks_clients(self) -> bool {
        matches!(self, Self::SpaceInBody | Self::LongLine)
    }

    /// What is odd, as a part of a sentence.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::CrLf => "its lines end in CRLF",
            Self::SpaceOnBlankLine => {
                "the blank line after its headers holds white space, such as a no-break space"
            }
            Self::SpaceInBody => "there is white space around its lines, which clients cannot read",
            Self::LongLine => "it has lines of more than 96 characters, which clients cannot read",
            Self::Checksum => "its checksum is wrong, which older clients do not forgive",
            Self::NoEnd => "its last line is missing, which older clients do not forgive",
            Self::SeveralBlocks => "it has several armored blocks, of which clients read the first alone",
        }
    }
}

/// Reads all blocks of a text.
///
/// # Errors
/// No block, or one that cannot be read: the reason, as a part of a sentence.
pub(super) fn read(text: &[u8]) -> Result<(Vec<Block>, Vec<Oddity>), String> {
    let text = String::from_utf8_lossy(text);
    let mut odd = Vec::new();
    let mut blocks = Vec::new();
    let mut no_blank_line = false;
    let mut lines = text.split('\n');
    while let Some(line) = lines.next() {
        let Some(label) = label_of(line.trim()) else { continue };
        if blocks.len() == BLOCKS_MAX {
            return Err(format!("it has more than {BLOCKS_MAX} armored blocks"));
        }
        note(&mut odd, Oddity::CrLf, line.ends_with('\r'));
        if !skip_headers(&mut lines, &mut odd)? {
            no_blank_line = true;
            continue;
        }
        let bytes = body(&mut lines, &mut odd)?;
        blocks.push(Block { label, bytes });
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
    let mut ended = false;
    for line in lines {
        let bare = line.strip_suffix('\r').unwrap_or(line);
        let plain = bare.trim();
        if plain.starts_with("-----END ") {
            note(odd, Oddity::SpaceInBody, !bare.starts_with('-') && checksum.is_none());
            ended = true;
            break;
        }
        if checksum.is_some() {
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
    let bytes = STANDARD.decode(&text).map_err(|_| "its armored text is no base64".to_owned())?;
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
        let cases: [(String, &[Oddity]); 9] = [
            (PLAIN.into(), &[]),
            (format!("words before\n{PLAIN}words after"), &[]),
            (PLAIN.replace('\n', "\r\n"), &[O::CrLf]),
            (PLAIN.replace("\n\n", "\n\u{a0}\n"), &[O::SpaceOnBlankLine]),
            (PLAIN.replace("aGVsbG8g", "aGVsbG8g \t"), &[O::SpaceInBody]),
            (PLAIN.replace("sDy3", "AAAA"), &[O::Checksum]),
            (PLAIN.replace("=sDy3\n", ""), &[]),
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
        assert!(read(PLAIN.repeat(65).as_bytes()).unwrap_err().contains("more than 64"));
    }
}
