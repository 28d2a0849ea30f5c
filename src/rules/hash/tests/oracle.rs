//! A second reader of zips, written after what Go does and from nothing of ours: the end record, the central directory, each
//! entry's content and checksum. Slow and plain, without any limit: for small archives alone.

use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Crc;
use flate2::read::DeflateDecoder;
use sha2::{Digest, Sha256};

const HIGHEST: u64 = i64::MAX as u64;

struct File {
    name: Vec<u8>,
    flags: u64,
    method: u64,
    crc: u64,
    packed: u64,
    raw: u64,
    offset: u64,
}

/// A number of some bytes, lowest first.
fn number(bytes: &[u8], at: u64, width: u64) -> Option<u64> {
    let end = at.checked_add(width)?;
    let field = bytes.get(usize::try_from(at).ok()?..usize::try_from(end).ok()?)?;
    Some(field.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

/// Where the last end record stands, if its comment fits.
fn end_record(bytes: &[u8]) -> Option<u64> {
    [1024, 65 * 1024].into_iter().find_map(|window| {
        let low = bytes.len().saturating_sub(window);
        let mut places = (low..bytes.len().saturating_sub(21)).rev();
        let at = places.find(|at| bytes[*at..].starts_with(b"PK\x05\x06"))? as u64;
        let comment = number(bytes, at + 20, 2)?;
        (at + 22 + comment <= bytes.len() as u64).then_some(at)
    })
}

fn files(bytes: &[u8]) -> Option<Vec<File>> {
    let end = end_record(bytes)?;
    let (mut count, mut size, mut start) =
        (number(bytes, end + 10, 2)?, number(bytes, end + 12, 4)?, number(bytes, end + 16, 4)?);
    let mut stop = end;
    if count == 0xffff || size == 0xffff_ffff || start == 0xffff_ffff {
        let locator = end.checked_sub(20).filter(|at| number(bytes, *at, 4) == Some(0x0706_4b50));
        let place = locator.and_then(|at| {
            let is_alone = number(bytes, at + 4, 4)? == 0 && number(bytes, at + 16, 4)? == 1;
            number(bytes, at + 8, 8).filter(|place| is_alone && *place <= HIGHEST)
        });
        if let Some(place) = place {
            number(bytes, place + 55, 1)?;
            if number(bytes, place, 4)? != 0x0606_4b50 {
                return None;
            }
            (count, size, start) =
                (number(bytes, place + 32, 8)?, number(bytes, place + 40, 8)?, number(bytes, place + 48, 8)?);
            stop = place;
        }
    }
    if size > HIGHEST || start > HIGHEST {
        return None;
    }
    let length = bytes.len() as i128;
    let mut base = i128::from(stop) - i128::from(size) - i128::from(start);
    if base + i128::from(start) < 0 || base + i128::from(start) >= length {
        return None;
    }
    if base > 0 && record(bytes, start, 0).is_some() {
        base = 0;
    }
    let mut at = u64::try_from(base + i128::from(start)).ok()?;
    let mut files = Vec::new();
    while let Some((file, next)) = record(bytes, at, base as i64) {
        files.push(file);
        at = next;
    }
    // Half of a record is none, but an archive that ends where one or its name should begin is broken.
    let tail = |from: u64| number(bytes, at + from, 2).unwrap_or(0);
    let has_name = number(bytes, at, 4) == Some(0x0201_4b50) && tail(28) + tail(30) + tail(32) > 0;
    if at == bytes.len() as u64 || (at + 46 == bytes.len() as u64 && has_name) {
        return None;
    }
    (files.len() as u16 == count as u16).then_some(files)
}

/// An entry of the directory, and where the next one would stand.
fn record(bytes: &[u8], at: u64, base: i64) -> Option<(File, u64)> {
    if number(bytes, at, 4)? != 0x0201_4b50 {
        return None;
    }
    let field = |from: u64, width: u64| number(bytes, at + from, width);
    let (names, extras, comments) = (field(28, 2)?, field(30, 2)?, field(32, 2)?);
    let next = at + 46 + names + extras + comments;
    if next > bytes.len() as u64 {
        return None;
    }
    let (from, to) = ((at + 46) as usize, (at + 46 + names) as usize);
    let (name, extra) = (bytes[from..to].to_vec(), &bytes[to..to + extras as usize]);
    let mut wide = [field(24, 4)?, field(20, 4)?, field(42, 4)?];
    let (raw32, packed32) = (wide[0], wide[1]);
    let mut rest = extra;
    while let (Some(tag), Some(length)) = (number(rest, 0, 2), number(rest, 2, 2)) {
        let Some(body) = rest.get(4..4 + length as usize) else { break };
        rest = &rest[4 + length as usize..];
        if tag != 1 {
            continue;
        }
        // The 32-bit sizes decide about the sizes, even after an earlier field. The current value decides about the
        // place.
        let mut place = 0;
        for (value, narrow) in [(0, raw32), (1, packed32), (2, wide[2])] {
            if narrow == 0xffff_ffff {
                wide[value] = number(body, place, 8)?;
                place += 8;
            }
        }
    }
    let [raw, packed, offset] = wide;
    let offset = (offset as i64).wrapping_add(base) as u64;
    Some((
        File { name, flags: field(8, 2)?, method: field(10, 2)?, crc: field(16, 4)?, packed, raw, offset },
        next,
    ))
}

/// What an entry unpacks to, if it is whole.
fn content(bytes: &[u8], file: &File) -> Option<Vec<u8>> {
    if file.offset > HIGHEST || number(bytes, file.offset, 4)? != 0x0403_4b50 {
        return None;
    }
    number(bytes, file.offset + 29, 1)?;
    let start = file.offset + 30 + number(bytes, file.offset + 26, 2)? + number(bytes, file.offset + 28, 2)?;
    if file.name.ends_with(b"/") {
        return (file.raw == 0).then(Vec::new);
    }
    let from = usize::try_from(start).ok()?.min(bytes.len());
    let stop = usize::try_from(start.saturating_add(file.packed)).unwrap_or(usize::MAX).min(bytes.len());
    let packed = &bytes[from..stop.max(from)];
    let mut raw = Vec::new();
    match file.method {
        0 => raw.extend_from_slice(packed),
        8 => drop(DeflateDecoder::new(packed).read_to_end(&mut raw).ok()?),
        _ => return None,
    }
    if raw.len() as u64 != file.raw {
        return None;
    }
    let mut crc = Crc::new();
    crc.update(&raw);
    let is_behind = file.flags & 8 != 0;
    if is_behind {
        let mut place = start.checked_add(file.packed)?;
        if number(bytes, place, 4) == Some(0x0807_4b50) {
            place += 4;
        }
        number(bytes, place + 11, 1)?;
        if number(bytes, place, 4)? != file.crc {
            return None;
        }
    }
    ((file.crc == 0 && !is_behind) || u64::from(crc.sum()) == file.crc).then_some(raw)
}

/// h1 of an archive, if it has one.
pub(super) fn h1(bytes: &[u8]) -> Option<String> {
    let files = files(bytes)?;
    let mut names: Vec<&[u8]> = files.iter().map(|file| file.name.as_slice()).collect();
    names.sort_unstable();
    let mut whole = Sha256::new();
    for name in names {
        if name.contains(&b'\n') {
            return None;
        }
        let last = files.iter().rfind(|file| file.name == name)?;
        whole.update(hex::encode(Sha256::digest(content(bytes, last)?)));
        whole.update([b"  ", name, b"\n"].concat());
    }
    Some(format!("h1:{}", STANDARD.encode(whole.finalize())))
}
