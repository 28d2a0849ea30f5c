//! The records of a zip, field by field, and the zip64 field that widens them. Reads bytes, judges nothing.

pub(crate) const LOCAL: u32 = 0x0403_4b50;
pub(crate) const CENTRAL: u32 = 0x0201_4b50;
pub(crate) const END: u32 = 0x0605_4b50;
pub(crate) const END64: u32 = 0x0606_4b50;
pub(crate) const LOCATOR: u32 = 0x0706_4b50;
pub(crate) const DESCRIPTOR: u32 = 0x0807_4b50;

pub(crate) const LOCAL_BYTES: usize = 30;
pub(crate) const CENTRAL_BYTES: usize = 46;
pub(crate) const END_BYTES: usize = 22;
pub(crate) const END64_BYTES: usize = 56;
pub(crate) const LOCATOR_BYTES: usize = 20;

/// The entry is encrypted.
pub(crate) const FLAG_ENCRYPTED: u16 = 1;
/// Checksum and sizes stand behind the content.
pub(crate) const FLAG_DESCRIPTOR: u16 = 1 << 3;
/// Patched data, strong encryption, a masked directory: nothing that this program unpacks.
pub(crate) const FLAGS_STRANGE: u16 = 1 << 5 | 1 << 6 | 1 << 13;

pub(crate) const STORED: u16 = 0;
pub(crate) const DEFLATED: u16 = 8;

/// What a 32-bit field says when the zip64 field says it instead.
const WIDE: u64 = u32::MAX as u64;
/// The kind of extra field that contains 64-bit values.
const ZIP64: u16 = 1;

pub(crate) fn u16_at(record: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([record[at], record[at + 1]])
}

pub(crate) fn u32_at(record: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
}

pub(crate) fn u64_at(record: &[u8], at: usize) -> u64 {
    u64::from(u32_at(record, at)) | u64::from(u32_at(record, at + 4)) << 32
}

/// What stands before an entry's content.
pub(crate) struct LocalHeader {
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) crc: u32,
    pub(crate) widths: Widths,
    pub(crate) name_bytes: usize,
    pub(crate) extra_bytes: usize,
}

impl LocalHeader {
    /// From at least `LOCAL_BYTES` bytes.
    pub(crate) fn read(record: &[u8]) -> Self {
        Self {
            flags: u16_at(record, 6),
            method: u16_at(record, 8),
            crc: u32_at(record, 14),
            widths: Widths {
                packed_bytes: u32_at(record, 18).into(),
                raw_bytes: u32_at(record, 22).into(),
                offset: 0,
            },
            name_bytes: u16_at(record, 26).into(),
            extra_bytes: u16_at(record, 28).into(),
        }
    }
}

/// The systems whose attributes are read as modes of Unix, and those whose as DOS has them.
const UNIX: [u8; 2] = [3, 19];
const DOS: [u8; 3] = [0, 11, 14];

/// What the central directory says of an entry.
pub(crate) struct CentralHeader {
    /// The system that the attributes are to be read for.
    pub(crate) system: u8,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) crc: u32,
    pub(crate) widths: Widths,
    pub(crate) name_bytes: usize,
    pub(crate) extra_bytes: usize,
    pub(crate) comment_bytes: usize,
    pub(crate) disk: u16,
    pub(crate) attributes: u32,
}

impl CentralHeader {
    /// From at least `CENTRAL_BYTES` bytes.
    pub(crate) fn read(record: &[u8]) -> Self {
        Self {
            system: record[5],
            flags: u16_at(record, 8),
            method: u16_at(record, 10),
            crc: u32_at(record, 16),
            widths: Widths {
                packed_bytes: u32_at(record, 20).into(),
                raw_bytes: u32_at(record, 24).into(),
                offset: u32_at(record, 42).into(),
            },
            name_bytes: u16_at(record, 28).into(),
            extra_bytes: u16_at(record, 30).into(),
            comment_bytes: u16_at(record, 32).into(),
            disk: u16_at(record, 34),
            attributes: u32_at(record, 38),
        }
    }

    /// The bytes behind the fixed ones: name, extra fields, comment.
    pub(crate) fn tail_bytes(&self) -> usize {
        self.name_bytes + self.extra_bytes + self.comment_bytes
    }

    /// The permissions that unpacking gives a file: those of its owner, and none where the attributes are of a system that nobody
    /// knows.
    pub(crate) fn owner(&self) -> u8 {
        let read_only = self.attributes & 1 != 0;
        match self.system {
            system if UNIX.contains(&system) => (self.attributes >> 22 & 0o7) as u8,
            system if DOS.contains(&system) => {
                if read_only {
                    0o4
                } else {
                    0o6
                }
            }
            _ => 0,
        }
    }

    /// Whether unpacking makes a folder of it: by its name, or by the attributes of the system that it names.
    pub(crate) fn is_folder(&self, name: &[u8]) -> bool {
        name.ends_with(b"/")
            || (UNIX.contains(&self.system) && self.attributes >> 16 & 0xf000 == 0x4000)
            || (DOS.contains(&self.system) && self.attributes & 0x10 != 0)
    }
}

/// Two sizes and a place, once the zip64 field has had its say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Widths {
    pub(crate) raw_bytes: u64,
    pub(crate) packed_bytes: u64,
    pub(crate) offset: u64,
}

impl Widths {
    /// Reads the values that do not fit into 32 bits from the zip64 fields, in order and in the way of Go 1.27 and
    /// later. The 32-bit sizes decide which sizes are read, so each zip64 field sets them again and the last field
    /// counts. The place is read only until a field has set it. A value that no field sets stays at its maximum.
    /// `None` if a field is too short.
    pub(crate) fn widened(mut self, mut extra: &[u8]) -> Option<Self> {
        let (is_raw_wide, is_packed_wide) = (self.raw_bytes == WIDE, self.packed_bytes == WIDE);
        while extra.len() >= 4 {
            let (kind, length) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
            let Some(mut field) = extra[4..].get(..length) else { break };
            extra = &extra[4 + length..];
            if kind != ZIP64 {
                continue;
            }
            let is_place_wide = self.offset == WIDE;
            let targets = [
                (is_raw_wide, &mut self.raw_bytes),
                (is_packed_wide, &mut self.packed_bytes),
                (is_place_wide, &mut self.offset),
            ];
            for (_, target) in targets.into_iter().filter(|(is_wide, _)| *is_wide) {
                let (value, rest) = field.split_first_chunk()?;
                *target = u64::from_le_bytes(*value);
                field = rest;
            }
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: u16, values: &[u64]) -> Vec<u8> {
        let body: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        [&kind.to_le_bytes()[..], &(body.len() as u16).to_le_bytes(), &body].concat()
    }

    #[test]
    fn zip64_fields_give_what_is_saturated_as_go_1_27_reads_them() {
        let widths = |raw_bytes, packed_bytes, offset| Widths { raw_bytes, packed_bytes, offset };
        let cases = [
            (widths(1, 2, 3), field(1, &[7, 8, 9]), Some(widths(1, 2, 3))),
            (widths(WIDE, 2, 3), field(1, &[7, 8, 9]), Some(widths(7, 2, 3))),
            (widths(1, WIDE, 3), field(1, &[7, 8, 9]), Some(widths(1, 7, 3))),
            (widths(WIDE, WIDE, WIDE), field(1, &[7, 8, 9]), Some(widths(7, 8, 9))),
            (widths(WIDE, WIDE, 3), [field(0x7075, &[1]), field(1, &[7, 8])].concat(), Some(widths(7, 8, 3))),
            (widths(WIDE, WIDE, 3), field(1, &[7]), None),
            // Both fields contain the sizes, and the last one counts.
            (widths(WIDE, 2, 3), [field(1, &[7]), field(1, &[9])].concat(), Some(widths(9, 2, 3))),
            (widths(WIDE, WIDE, 3), [field(1, &[7, 8]), field(1, &[9, 10])].concat(), Some(widths(9, 10, 3))),
            (widths(WIDE, WIDE, 3), [field(1, &[7, 8]), field(1, &[9])].concat(), None),
            (widths(WIDE, WIDE, 3), [field(1, &[7]), field(1, &[9, 10])].concat(), None),
            (widths(WIDE, 2, 3), [field(1, &[7]), field(1, &[])].concat(), None),
            (widths(WIDE, 2, 3), [field(1, &[WIDE]), field(1, &[9])].concat(), Some(widths(9, 2, 3))),
            // The first field that contains the place counts, unless its value is the maximum again.
            (widths(1, 2, WIDE), [field(1, &[7]), field(1, &[9])].concat(), Some(widths(1, 2, 7))),
            (widths(1, 2, WIDE), [field(1, &[7]), field(1, &[])].concat(), Some(widths(1, 2, 7))),
            (widths(1, 2, WIDE), [field(1, &[WIDE]), field(1, &[9])].concat(), Some(widths(1, 2, 9))),
            (widths(1, 2, WIDE), [field(1, &[WIDE]), field(1, &[])].concat(), None),
            (
                widths(WIDE, 2, WIDE),
                [field(1, &[7, 8]), field(2, &[1]), field(1, &[9, 10])].concat(),
                Some(widths(9, 2, 8)),
            ),
            // A value that no field contains is used as it is.
            (widths(WIDE, 2, 3), Vec::new(), Some(widths(WIDE, 2, 3))),
            (widths(1, WIDE, 3), Vec::new(), Some(widths(1, WIDE, 3))),
            (widths(1, 2, WIDE), Vec::new(), Some(widths(1, 2, WIDE))),
            (widths(1, 2, WIDE), field(2, &[1]), Some(widths(1, 2, WIDE))),
            (widths(1, WIDE, 3), vec![1, 0, 200, 0, 1], Some(widths(1, WIDE, 3))),
        ];
        for (said, extra, expected) in cases {
            assert_eq!(said.widened(&extra), expected, "{said:?} {extra:?}");
        }
    }
}
