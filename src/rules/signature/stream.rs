//! OpenPGP bytes as the clients' library reads them: packet by packet, to the first that stops it
//! (`registry.md#signatures-in-a-client`).
//!
//! Own code beside the library's: what clients pass over, what is final to them, and which of several issuers counts are ways of
//! their library, and its releases differ in them. Nothing is verified here.

use std::borrow::Cow;

/// Signatures may hold signatures, which hold signatures.
const DEPTH_MAX: usize = 4;

/// The kind of packet that a signature is.
pub(super) const SIGNATURE: u8 = 2;

/// Releases of the client that read keys and signatures each in their own way; older before newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Release {
    /// OpenTofu 1.6 to 1.10.
    Ten,
    /// OpenTofu 1.11.
    Eleven,
    /// OpenTofu from 1.12 on.
    Newest,
}

/// One packet, by its head.
#[derive(Clone, Debug)]
pub(super) struct Frame<'a> {
    pub(super) tag: u8,
    /// With its head.
    whole: &'a [u8],
    /// As much as there is of it.
    body: Cow<'a, [u8]>,
    /// Less of it is there than its head says.
    pub(super) is_cut: bool,
}

/// A packet of a signature file, as a client takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A packet of a kind, version, algorithm or hash that the client does not know.
    PassedOver,
    Signature {
        /// The id of the key that the client looks for; `None`: it names none.
        issuer: Option<String>,
        /// The number of its algorithm, which has to be the key's.
        algorithm: u8,
        /// Over a document, and not over a key.
        is_of_document: bool,
    },
    /// The client reads no further: why, as a part of a sentence.
    Stop(&'static str),
}

/// A fault of framing, or in a packet: final to a client.
pub(super) const NOT_BINARY: &str = "there is something else where a packet should begin";
pub(super) const CUT: &str = "it is cut off";
const ODD_PART: &str = "it has a part that clients cannot read";
/// The text for an empty part that crashes the whole client, wherever the part is.
pub(super) const CRASH: &str = "it has an empty part on which clients crash";
const NO_SIGNATURE: &str = "it holds something other than a signature";

/// The packets of a file, and why there are no more to read; `None`: the file ends.
pub(super) fn frames(bytes: &[u8]) -> (Vec<Frame<'_>>, Option<&'static str>) {
    let (mut frames, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        match frame(rest) {
            Ok(frame) => {
                rest = &rest[frame.whole.len()..];
                frames.push(frame);
            }
            Err(why) => return (frames, Some(why)),
        }
    }
    (frames, None)
}

fn frame(bytes: &[u8]) -> Result<Frame<'_>, &'static str> {
    let mut rest = Rest(bytes);
    let head = rest.byte()?;
    if head & 0x80 == 0 {
        return Err(NOT_BINARY);
    }
    if head & 0x40 == 0 {
        let length = match head & 3 {
            3 => rest.0.len(),
            width => rest.number(1 << width)?,
        };
        let body = Cow::Borrowed(rest.up_to(length));
        let is_cut = body.len() < length;
        return Ok(Frame { tag: head >> 2 & 0x0f, whole: rest.taken(bytes), body, is_cut });
    }
    let mut body: Option<Cow<'_, [u8]>> = None;
    loop {
        let first = rest.byte()?;
        let length = match first {
            224..255 => 1 << (first & 0x1f),
            255 => rest.number(4)?,
            _ => rest.short_length(first)?,
        };
        let part = rest.up_to(length);
        match &mut body {
            None => body = Some(Cow::Borrowed(part)),
            Some(body) => body.to_mut().extend_from_slice(part),
        }
        // A part of a length that is a power of two, and more to come.
        let (is_last, is_cut) = (!(224..255).contains(&first), part.len() < length);
        if is_last || rest.0.is_empty() {
            let body = body.unwrap_or_default();
            return Ok(Frame {
                tag: head & 0x3f,
                whole: rest.taken(bytes),
                body,
                is_cut: is_cut || !is_last,
            });
        }
    }
}

impl Frame<'_> {
    /// The packet with a head that says what is there: clients take what they need of a packet, whatever its head promised.
    pub(super) fn rebuilt(&self) -> Vec<u8> {
        let length = u32::try_from(self.body.len()).unwrap_or(u32::MAX).to_be_bytes();
        [&[0xc0 | self.tag, 0xff], &length[..], &self.body].concat()
    }
}

/// A packet of a signature file as a client of a release takes it.
pub(super) fn item(frame: &Frame<'_>, release: Release) -> Item {
    match frame.tag {
        SIGNATURE => match signature(&mut Rest(&frame.body), release, 0) {
            Ok(read) => Item::Signature {
                issuer: read.issuer.map(hex::encode_upper),
                algorithm: read.algorithm,
                is_of_document: matches!(read.kind, 0 | 1),
            },
            Err(Fault::Unknown) => Item::PassedOver,
            Err(Fault::Final(why)) => Item::Stop(why),
        },
        1 | 3..=9 | 11 | 13 | 14 | 17 | 18 | 20 => Item::Stop(NO_SIGNATURE),
        // Padding, and what the newer library knows to be meant as important.
        21 if release > Release::Ten => Item::Stop(NO_SIGNATURE),
        tag if is_critical(tag, release) => {
            Item::Stop("it holds a packet of an unknown kind that may not be skipped")
        }
        _ => Item::PassedOver,
    }
}

/// Returns true if a packet of an unknown kind ends the reading.
pub(super) fn is_critical(tag: u8, release: Release) -> bool {
    let is_known = matches!(tag, 1..=14 | 17 | 18 | 20 | 21);
    release > Release::Ten && tag < 40 && !is_known
}

/// Returns true if clients of a release know a key of this version and algorithm.
pub(super) fn knows_key(version: u8, algorithm: u8, release: Release) -> bool {
    release > Release::Ten || (version < 6 && !matches!(algorithm, 27 | 28))
}

/// The parts of a signature that are read.
struct Read {
    kind: u8,
    algorithm: u8,
    issuer: Option<[u8; 8]>,
}

enum Fault {
    /// The client does not know it, and passes it over.
    Unknown,
    Final(&'static str),
}

impl From<&'static str> for Fault {
    fn from(why: &'static str) -> Self {
        Self::Final(why)
    }
}

fn signature(rest: &mut Rest<'_>, release: Release, depth: usize) -> Result<Read, Fault> {
    let version = rest.byte()?;
    let is_known = match version {
        4 => true,
        5 => release == Release::Ten,
        6 => release > Release::Ten,
        _ => false,
    };
    if !is_known {
        return Err(Fault::Unknown);
    }
    let width = if version == 6 { 4 } else { 2 };
    let [kind, algorithm, hash] = [rest.byte()?, rest.byte()?, rest.byte()?];
    let hashed = rest.number(width)?;
    let knows_algorithm = match algorithm {
        1 | 3 | 17 | 19 | 22 => true,
        27 | 28 => release > Release::Ten,
        _ => false,
    };
    if !knows_algorithm || !matches!(hash, 2 | 8..=12 | 14) {
        return Err(Fault::Unknown);
    }
    let mut parts = Parts { version, release, depth, issuer: None, made: false, has_embedded: false };
    parts.read(rest.exactly(hashed)?, true)?;
    if !parts.made {
        return Err(Fault::Final("it does not say when it was made"));
    }
    let unhashed = rest.number(width)?;
    parts.read(rest.exactly(unhashed)?, false)?;
    // The first two bytes of the hash; nobody compares them.
    rest.exactly(2)?;
    if version == 6 {
        let salt = usize::from(rest.byte()?);
        rest.exactly(salt)?;
    }
    match algorithm {
        1 | 3 => drop(rest.integer()?),
        27 => drop(rest.exactly(64)?),
        28 => drop(rest.exactly(114)?),
        _ => drop((rest.integer()?, rest.integer()?)),
    }
    Ok(Read { kind, algorithm, issuer: parts.issuer })
}

/// The subpackets of a signature. The last one that names a maker counts, and those that are not signed come last.
struct Parts {
    version: u8,
    release: Release,
    depth: usize,
    issuer: Option<[u8; 8]>,
    made: bool,
    has_embedded: bool,
}

impl Parts {
    fn read(&mut self, bytes: &[u8], is_hashed: bool) -> Result<(), Fault> {
        let mut rest = Rest(bytes);
        while !rest.0.is_empty() {
            let first = rest.byte()?;
            let length = match first {
                255 => rest.number(4),
                // Any other first byte of this size begins a length of two, unlike that of a packet.
                192.. => {
                    rest.byte().map(|second| ((usize::from(first) - 192) << 8) + usize::from(second) + 192)
                }
                _ => Ok(usize::from(first)),
            };
            let part = length.and_then(|length| rest.exactly(length)).map_err(|_| ODD_PART)?;
            let (&kind, part) = part.split_first().ok_or(ODD_PART)?;
            self.part(kind & 0x7f, kind & 0x80 != 0, part, is_hashed)?;
        }
        Ok(())
    }

    /// Reads one subpacket. In the unsigned area only those that name an issuer or contain a signature count.
    fn part(&mut self, kind: u8, is_critical: bool, part: &[u8], is_hashed: bool) -> Result<(), Fault> {
        let is_ten = self.release == Release::Ten;
        match kind {
            16 => {
                let id: [u8; 8] = part.try_into().map_err(|_| ODD_PART)?;
                if self.version > 4 && (is_hashed || is_ten) {
                    return Err(Fault::Final(ODD_PART));
                }
                if self.version == 4 {
                    self.issuer = Some(id);
                }
            }
            33 => {
                let id = fingerprint(part)?;
                self.issuer = id.try_into().ok();
            }
            32 => {
                if self.has_embedded || self.depth == DEPTH_MAX {
                    return Err(Fault::Final(ODD_PART));
                }
                self.has_embedded = true;
                let read = signature(&mut Rest(part), self.release, self.depth + 1)?;
                if read.kind != 0x19 {
                    return Err(Fault::Final(ODD_PART));
                }
            }
            _ if !is_hashed => {}
            _ if is_critical && !is_known_part(kind, self.release) => return Err(Fault::Unknown),
            _ if !is_known_part(kind, self.release) => {}
            4 => match part.first() {
                Some(0) => return Err(Fault::Unknown),
                Some(_) => {}
                None => return Err(Fault::Final(CRASH)),
            },
            35 => drop(fingerprint(part)?),
            _ if !is_well_formed(kind, part, self.release) => return Err(Fault::Final(ODD_PART)),
            2 => self.made = true,
            _ => {}
        }
        Ok(())
    }
}

/// Returns true if a release knows a kind of subpacket in the signed area. An unknown critical subpacket makes the
/// whole signature unknown.
fn is_known_part(kind: u8, release: Release) -> bool {
    match kind {
        4 | 23 | 24 => release > Release::Ten,
        2 | 3 | 5 | 6 | 9 | 11 | 20..=22 | 25..=30 | 35 | 39 => true,
        _ => false,
    }
}

/// Returns true if a subpacket has the form that its kind requires. Any other form ends the reading.
fn is_well_formed(kind: u8, part: &[u8], release: Release) -> bool {
    match kind {
        2 | 3 | 9 => part.len() == 4,
        5 => part.len() == 2,
        // A regular expression ends with a zero byte.
        6 => part.last() == Some(&0),
        20 => {
            // Four bytes of flags, two lengths of two bytes each, a name and a value.
            let length =
                |at: usize| part.get(at..at + 2).map(|two| usize::from(two[0]) << 8 | usize::from(two[1]));
            length(4).zip(length(6)).is_some_and(|(name, value)| part.len() == 8 + name + value)
        }
        25 => part.len() == 1,
        27 => release > Release::Ten || !part.is_empty(),
        29 => !part.is_empty(),
        39 => part.len().is_multiple_of(2),
        _ => true,
    }
}

/// The key id in a subpacket that contains a version and a fingerprint.
fn fingerprint(part: &[u8]) -> Result<&[u8], &'static str> {
    let (&version, print) = part.split_first().ok_or(ODD_PART)?;
    let (id, length) = if version < 5 { (12..20, 20) } else { (0..8, 32) };
    print.get(id).filter(|_| print.len() == length).ok_or(ODD_PART)
}

/// Bytes that are taken from the front.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn exactly(&mut self, length: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(CUT)?;
        self.0 = rest;
        Ok(taken)
    }

    fn up_to(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> Result<u8, &'static str> {
        Ok(self.exactly(1)?[0])
    }

    /// The highest byte first.
    fn number(&mut self, bytes: usize) -> Result<usize, &'static str> {
        Ok(self.exactly(bytes)?.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// A packet's length of one byte or two.
    fn short_length(&mut self, first: u8) -> Result<usize, &'static str> {
        match first {
            0..192 => Ok(usize::from(first)),
            _ => Ok(((usize::from(first) - 192) << 8) + usize::from(self.byte()?) + 192),
        }
    }

    /// A number of a size that is told in bits.
    fn integer(&mut self) -> Result<&'a [u8], &'static str> {
        let bits = self.number(2)?;
        self.exactly(bits.div_ceil(8))
    }

    /// The bytes that were taken from the whole.
    fn taken(&self, whole: &'a [u8]) -> &'a [u8] {
        &whole[..whole.len() - self.0.len()]
    }
}
