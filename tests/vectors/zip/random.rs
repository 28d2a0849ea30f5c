//! Random zips, and random harm done to them where it counts. For tests and benchmarks, which include this file beside
//! `zipper.rs`; the same seed gives the same bytes.

use super::zipper::{Form, Manner, Zipper};

/// A generator of numbers (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub(crate) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A zip that is as it should be, and what is in it.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) zip: Zipper,
    pub(crate) entries: Vec<(Vec<u8>, Vec<u8>)>,
    /// Stored entries whose size stands behind them: nobody can read those as they arrive.
    pub(crate) has_unsized_stored: bool,
}

/// Up to `most` entries of up to `largest` bytes.
pub(crate) fn made(random: &mut Random, most: usize, largest: usize) -> Made {
    let mut made = Made { zip: Zipper::default(), entries: Vec::new(), has_unsized_stored: false };
    for _ in 0..random.below(most + 1) {
        let name = name(random);
        let is_folder = name.ends_with(b"/");
        let content = if is_folder { Vec::new() } else { content(random, largest) };
        let forms = [
            Form::Sized,
            Form::Signed { wide: false },
            Form::Signed { wide: true },
            Form::Bare { wide: false },
            Form::Bare { wide: true },
        ];
        let mut manner = if random.one_in(3) { Manner::GO } else { random_manner(random, &forms) };
        if manner.level.is_none() && manner.form != Form::Sized && !random.one_in(20) {
            manner.form = Form::Sized;
        }
        made.has_unsized_stored |= manner.level.is_none() && manner.form != Form::Sized;
        made.zip.entry(&name, &content, manner);
        made.entries.push((name, content));
    }
    let comment = vec![b'-'; if random.one_in(4) { random.below(2000) } else { 0 }];
    made.zip = made.zip.finish(&comment, random.one_in(8));
    made
}

fn random_manner(random: &mut Random, forms: &[Form]) -> Manner {
    Manner {
        form: random.pick(forms),
        level: random.pick(&[None, Some(0), Some(1), Some(6), Some(9)]),
        zip64: random.one_in(5),
        extra_bytes: if random.one_in(3) { random.below(60) as u16 } else { 0 },
        attributes: random.pick(&[0, 0o100_644 << 16, 0o120_777 << 16]),
    }
}

fn name(random: &mut Random) -> Vec<u8> {
    const PARTS: [&[u8]; 10] =
        [b"a", b"b", b"bin", b"README.md", b"docs", b"..", b".", b"\x81\xe1", b"A", b"a b"];
    let count = 1 + random.below(3);
    let mut name = (0..count).map(|_| random.pick(&PARTS)).collect::<Vec<_>>().join(&b'/');
    if random.one_in(6) {
        name.push(b'/');
    }
    if random.one_in(3) {
        name.extend_from_slice(random.below(1000).to_string().as_bytes());
    }
    name
}

fn content(random: &mut Random, largest: usize) -> Vec<u8> {
    let bound = random.pick(&[1, 2, 64, largest]);
    let bytes = random.below(bound.min(largest) + 1);
    let letters = random.pick(&[1, 4, 60, 256]);
    (0..bytes).map(|_| random.below(letters) as u8).collect()
}

/// One to four harms: to fields, to fields that agree with each other, to bytes and runs of bytes.
pub(crate) fn harm(random: &mut Random, zip: &Zipper) -> Vec<u8> {
    let mut bytes = zip.bytes.clone();
    for _ in 0..=random.below(4) {
        if random.below(3) > 0 && !zip.fields.is_empty() {
            harm_field(random, zip, &mut bytes);
        } else {
            harm_bytes(random, &mut bytes);
        }
    }
    bytes
}

fn harm_field(random: &mut Random, zip: &Zipper, bytes: &mut [u8]) {
    let field = zip.fields[random.below(zip.fields.len())].clone();
    let Some(old) = bytes.get(field.clone()).map(<[u8]>::to_vec) else { return };
    let value = old.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    let small = random.below(40) as u64;
    let new = match random.below(11) {
        0 => 0,
        1 => u64::MAX,
        2 => u64::MAX - small,
        3 => value.wrapping_add(1),
        4 => value.wrapping_sub(1),
        5 => value.wrapping_add(small),
        6 => value ^ 1 << random.below(64),
        7 => random.next(),
        8 => bytes.len() as u64,
        9 => 1 << 63,
        _ => small,
    };
    let new = new.to_le_bytes();
    // What several records say alike is sometimes changed in all of them, so that they still agree.
    let everywhere = value != 0 && random.one_in(2);
    for other in &zip.fields {
        if let Some(there) = bytes.get_mut(other.clone())
            && (*other == field || (everywhere && there == old.as_slice()))
        {
            there.copy_from_slice(&new[..other.len()]);
        }
    }
}

const SIGNATURES: [&[u8; 4]; 6] =
    [b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"PK\x07\x08"];

fn harm_bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    let length = bytes.len();
    if length == 0 {
        return;
    }
    let at = random.below(length);
    let run = at..(at + 1 + random.below(60)).min(length);
    match random.below(8) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.next() as u8,
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(run)),
        4 => {
            let copy = bytes[run].to_vec();
            let to = random.below(length);
            bytes.splice(to..to, copy);
        }
        5 => {
            let signature = random.pick(&SIGNATURES);
            bytes.splice(at..at, signature.iter().copied());
        }
        6 => bytes[run].fill(random.pick(&[0, 0xff, b'\n', b'/'])),
        _ => bytes.extend((0..random.below(40)).map(|place| place as u8)),
    }
}
