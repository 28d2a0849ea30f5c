//! Writes zips field by field and remembers where each field lies. For tests and benchmarks, which include this file; it knows
//! nothing of the program.

use std::ops::Range;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

/// Where an entry's sizes and checksum are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// In its header.
    Sized,
    /// Behind it, with a signature; `wide` is 64 bits.
    Signed { wide: bool },
    /// Behind it, without.
    Bare { wide: bool },
}

/// How an entry is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) form: Form,
    /// `None` stores.
    pub(crate) level: Option<u32>,
    /// Sizes and place in zip64 fields, where they may stand.
    pub(crate) zip64: bool,
    /// Bytes of an extra field of no meaning, and of a comment.
    pub(crate) extra_bytes: u16,
    pub(crate) attributes: u32,
}

impl Manner {
    /// As Go writes a file.
    pub(crate) const GO: Self = Self {
        form: Form::Signed { wide: false },
        level: Some(6),
        zip64: false,
        extra_bytes: 0,
        attributes: 0o100_755 << 16,
    };
}

/// An archive that grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zipper {
    pub(crate) bytes: Vec<u8>,
    /// Every field of every record so far.
    pub(crate) fields: Vec<Range<usize>>,
    listed: Vec<Listed>,
}

#[derive(Clone, Debug)]
struct Listed {
    name: Vec<u8>,
    manner: Manner,
    flags: u16,
    crc: u32,
    packed: u64,
    raw: u64,
    offset: u64,
}

const WIDE: u32 = u32::MAX;

impl Zipper {
    fn put(&mut self, value: u64, width: usize) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&value.to_le_bytes()[..width]);
        self.fields.push(start..start + width);
    }

    fn put_all(&mut self, fields: &[(u64, usize)]) {
        for &(value, width) in fields {
            self.put(value, width);
        }
    }

    pub(crate) fn entry(&mut self, name: &[u8], content: &[u8], manner: Manner) {
        let packed = manner.level.map_or_else(|| content.to_vec(), |level| deflate(content, level));
        self.entry_packed(name, content, &packed, manner);
    }

    /// With a content that was packed before.
    pub(crate) fn entry_packed(&mut self, name: &[u8], content: &[u8], packed: &[u8], manner: Manner) {
        let mut crc = Crc::new();
        crc.update(content);
        let (flags, said): (u16, _) = match manner.form {
            Form::Sized => (0x800, (crc.sum(), packed.len() as u64, content.len() as u64)),
            _ => (0x808, (0, 0, 0)),
        };
        let listed = Listed {
            name: name.to_vec(),
            manner,
            flags,
            crc: crc.sum(),
            packed: packed.len() as u64,
            raw: content.len() as u64,
            offset: self.bytes.len() as u64,
        };
        let narrow = |value: u64| if manner.zip64 { WIDE.into() } else { value };
        let extra_bytes = u64::from(manner.extra_bytes) + if manner.zip64 { 20 } else { 0 };
        let method = if manner.level.is_some() { 8 } else { 0 };
        self.put_all(&[(0x0403_4b50, 4), (20, 2), (u64::from(flags), 2), (method, 2), (0x21 << 16, 4)]);
        self.put_all(&[(said.0.into(), 4), (narrow(said.1), 4), (narrow(said.2), 4)]);
        self.put_all(&[(name.len() as u64, 2), (extra_bytes, 2)]);
        self.bytes.extend_from_slice(name);
        if manner.zip64 {
            self.put_all(&[(1, 2), (16, 2), (said.2, 8), (said.1, 8)]);
        }
        self.extra(manner.extra_bytes);
        self.bytes.extend_from_slice(packed);
        let (is_signed, wide) = match manner.form {
            Form::Sized => return self.listed.push(listed),
            Form::Signed { wide } => (true, wide),
            Form::Bare { wide } => (false, wide),
        };
        if is_signed {
            self.put(0x0807_4b50, 4);
        }
        let width = if wide { 8 } else { 4 };
        self.put_all(&[(listed.crc.into(), 4), (listed.packed, width), (listed.raw, width)]);
        self.listed.push(listed);
    }

    fn extra(&mut self, bytes: u16) {
        if bytes >= 4 {
            self.put_all(&[(0xcafe, 2), (u64::from(bytes) - 4, 2)]);
            self.bytes.extend(std::iter::repeat_n(b'.', usize::from(bytes) - 4));
        } else {
            self.bytes.extend(std::iter::repeat_n(b'.', usize::from(bytes)));
        }
    }

    /// The central directory and the end.
    pub(crate) fn finish(mut self, comment: &[u8], zip64: bool) -> Self {
        let start = self.bytes.len() as u64;
        for listed in std::mem::take(&mut self.listed) {
            self.central(&listed);
        }
        let count =
            self.fields.iter().filter(|field| self.bytes[(*field).clone()] == *b"PK\x01\x02").count() as u64;
        let size = self.bytes.len() as u64 - start;
        let zip64 = zip64 || count >= 0xffff;
        if zip64 {
            let place = self.bytes.len() as u64;
            self.put_all(&[(0x0606_4b50, 4), (44, 8), (45, 2), (45, 2), (0, 4), (0, 4)]);
            self.put_all(&[(count, 8), (count, 8), (size, 8), (start, 8)]);
            self.put_all(&[(0x0706_4b50, 4), (0, 4), (place, 8), (1, 4)]);
        }
        let narrow = |value: u64, saturated: u64| if zip64 { saturated } else { value };
        self.put_all(&[
            (0x0605_4b50, 4),
            (0, 2),
            (0, 2),
            (narrow(count, 0xffff), 2),
            (narrow(count, 0xffff), 2),
        ]);
        self.put_all(&[
            (narrow(size, WIDE.into()), 4),
            (narrow(start, WIDE.into()), 4),
            (comment.len() as u64, 2),
        ]);
        self.bytes.extend_from_slice(comment);
        self
    }

    fn central(&mut self, listed: &Listed) {
        let manner = listed.manner;
        let narrow = |value: u64| if manner.zip64 { WIDE.into() } else { value };
        let extra_bytes = u64::from(manner.extra_bytes) + if manner.zip64 { 28 } else { 0 };
        let method = if manner.level.is_some() { 8 } else { 0 };
        self.put_all(&[(0x0201_4b50, 4), (0x0314, 2), (20, 2), (listed.flags.into(), 2), (method, 2)]);
        self.put_all(&[
            (0x21 << 16, 4),
            (listed.crc.into(), 4),
            (narrow(listed.packed), 4),
            (narrow(listed.raw), 4),
        ]);
        self.put_all(&[(listed.name.len() as u64, 2), (extra_bytes, 2), (manner.extra_bytes.into(), 2)]);
        self.put_all(&[(0, 2), (0, 2), (manner.attributes.into(), 4), (narrow(listed.offset), 4)]);
        self.bytes.extend_from_slice(&listed.name);
        if manner.zip64 {
            self.put_all(&[(1, 2), (24, 2), (listed.raw, 8), (listed.packed, 8), (listed.offset, 8)]);
        }
        self.extra(manner.extra_bytes);
        self.bytes.extend(std::iter::repeat_n(b'c', usize::from(manner.extra_bytes)));
    }
}

pub(crate) fn deflate(content: &[u8], level: u32) -> Vec<u8> {
    let mut deflater = Compress::new(Compression::new(level), false);
    let mut packed = Vec::with_capacity(content.len() / 2 + 64);
    loop {
        let from = deflater.total_in() as usize;
        let status = deflater.compress_vec(&content[from..], &mut packed, FlushCompress::Finish);
        if status.expect("memory can be packed") == Status::StreamEnd {
            return packed;
        }
        packed.reserve(packed.len().max(1024));
    }
}
