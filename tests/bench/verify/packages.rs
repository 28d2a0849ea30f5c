//! Archives like those of a Go provider: a large program that packs to about a third, and a few small files.

use crate::zipper::{Form, Manner, Zipper, deflate};

/// An archive, and its large parts.
pub(crate) struct Package {
    pub(crate) zip: Vec<u8>,
    pub(crate) packed: Vec<Vec<u8>>,
    pub(crate) raw_bytes: usize,
}

/// 190 MB raw in three programs, as where the limits of a machine were measured.
pub(crate) fn large() -> Package {
    package(&[("a", 90_600_000), ("b", 57_300_000), ("c", 42_800_000), ("README.md", 12_000)], 1)
}

/// Programs of these names and sizes; another seed gives other contents.
pub(crate) fn package(programs: &[(&str, usize)], seed: u64) -> Package {
    let mut state = seed;
    let (mut zipper, mut all, mut raw_bytes) = (Zipper::default(), Vec::new(), 0);
    for (name, bytes) in programs {
        let content = program(*bytes, &mut state);
        let packed = deflate(&content, 6);
        zipper.entry_packed(name.as_bytes(), &content, &packed, Manner::GO);
        raw_bytes += content.len();
        all.push(packed);
    }
    // Beside them what is small, written by other hands.
    zipper.entry(b"LICENSE", b"terms\n", Manner { form: Form::Sized, ..Manner::GO });
    zipper.entry(b"NOTICE", b"notes\n", Manner { form: Form::Bare { wide: true }, ..Manner::GO });
    Package { zip: zipper.finish(b"", false).bytes, packed: all, raw_bytes }
}

/// As many programs of one content as stay below a size. Clients find one to start among them.
pub(crate) fn just_below(limit_bytes: usize) -> Vec<u8> {
    let content = program(24 << 20, &mut 5);
    let packed = deflate(&content, 6);
    let mut zipper = Zipper::default();
    let mut count = 0;
    while zipper.bytes.len() + packed.len() + (64 << 10) < limit_bytes {
        zipper.entry_packed(
            format!("terraform-provider-rocket_{count}").as_bytes(),
            &content,
            &packed,
            Manner::GO,
        );
        count += 1;
    }
    // What is left over is filled with bytes that do not pack.
    let rest = limit_bytes - zipper.bytes.len() - (32 << 10);
    let noise: Vec<u8> = packed.iter().cycle().copied().take(rest).collect();
    zipper.entry(b"noise", &noise, Manner { form: Form::Sized, level: None, ..Manner::GO });
    zipper.finish(b"", false).bytes
}

/// Packs to a third, as programs do: words of a vocabulary that come again near where they came, between bytes that do not.
fn program(bytes: usize, state: &mut u64) -> Vec<u8> {
    let mut next = |bound: u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % bound
    };
    let mut content: Vec<u8> = Vec::with_capacity(bytes + 64);
    while content.len() < bytes {
        let length = 3 + next(14) as usize;
        if content.len() > 40_000 && next(100) < 79 {
            let reach = if next(3) == 0 { 32_000 } else { 1_500 };
            let back = length + next(reach) as usize;
            let from = content.len() - back;
            content.extend_from_within(from..from + length);
        } else {
            // Instructions: few values are frequent.
            content.extend((0..length.min(6)).map(|_| (next(256) & next(256)) as u8));
        }
    }
    content.truncate(bytes);
    content
}
