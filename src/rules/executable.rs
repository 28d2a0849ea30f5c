//! Reads the system of a program from its first bytes: ELF, Mach-O, and PE headers.
//!
//! The result contains only what the header states. Scripts and other content have no known header, and nothing is
//! concluded from that. Sources: the gABI's ELF header, `mach-o/loader.h` and `mach-o/fat.h`, and Microsoft's PE
//! format.

use serde::{Deserialize, Serialize};

/// The most architectures of a universal Mach-O file that are read. Java class files begin with the same four bytes,
/// but their version number would be a larger count.
const FAT_MOST: u32 = 16;

/// A file format and the systems that its header names, in Go's terms, as in targets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Executable {
    pub(crate) format: Format,
    /// The possible operating systems; empty if the header does not say.
    pub(crate) os: Vec<String>,
    /// The processors; empty if the header names none that this module knows.
    pub(crate) arch: Vec<String>,
}

/// The format of an executable file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    Elf,
    MachO,
    /// The format of Windows.
    Pe,
}

/// The systems that run ELF files.
const ELF_SYSTEMS: [&str; 8] =
    ["android", "dragonfly", "freebsd", "illumos", "linux", "netbsd", "openbsd", "solaris"];
/// Apple's systems.
const MACH_O_SYSTEMS: [&str; 2] = ["darwin", "ios"];
/// The processor names in targets that are compared.
const ARCHES: [&str; 14] = [
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le",
    "riscv64", "s390x", "sparc64",
];

impl Executable {
    /// Reads the header at the start of a file; `None` if the header is not known here.
    pub(crate) fn read(head: &[u8]) -> Option<Self> {
        elf(head).or_else(|| mach_o(head)).or_else(|| universal(head)).or_else(|| pe(head))
    }

    fn new(format: Format, os: &[&str], arch: &[&'static str]) -> Self {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        Self { format, os: names(os), arch: names(arch) }
    }

    /// Returns true if the target's system also starts programs for this header's processor: 32-bit programs, and what
    /// Rosetta 2 and Windows on Arm translate.
    fn runs_too(&self, os: &str, arch: &str) -> bool {
        let others: &[&str] = match (os, arch) {
            ("darwin", "arm64") => &["amd64"],
            ("windows", "arm64") => &["386", "amd64", "arm"],
            ("linux", "arm64") => &["arm"],
            ("linux" | "freebsd" | "windows", "amd64") => &["386"],
            _ => &[],
        };
        self.arch.iter().any(|arch| others.contains(&arch.as_str()))
    }

    /// Returns true if the header shows that the program cannot start on a target such as `linux_amd64`. An unknown
    /// name never shows this.
    fn is_for_another(&self, target: &str) -> bool {
        let Some((os, arch)) = target.split_once('_') else { return false };
        let is_known_os = ELF_SYSTEMS.contains(&os) || MACH_O_SYSTEMS.contains(&os) || os == "windows";
        let other_os = is_known_os && !self.os.is_empty() && !self.os.iter().any(|name| name == os);
        let other_arch =
            ARCHES.contains(&arch) && !self.arch.is_empty() && !self.arch.iter().any(|name| name == arch);
        let other_arch = other_arch && !self.runs_too(os, arch);
        other_os || other_arch
    }

    /// A sentence about a program that cannot start on a target such as `linux_amd64`. Clients install it anyway,
    /// because they do not read the header.
    pub(crate) fn other_system(&self, target: &str) -> Option<String> {
        self.is_for_another(target).then(|| {
            format!(
                "the provider's binary is for {} and not for {target}: clients install it and cannot start it",
                self.text()
            )
        })
    }

    /// The system in the header, for a sentence: `darwin, amd64 and arm64`, `windows`, `Unix (ELF), arm64`.
    fn text(&self) -> String {
        let system = match (self.format, &self.os[..]) {
            (Format::Elf, [os]) => os.as_str(),
            (Format::Elf, _) => "Unix (ELF)",
            (Format::MachO, _) => "darwin",
            (Format::Pe, _) => "windows",
        };
        match &self.arch[..] {
            [] => system.to_owned(),
            arch => format!("{system}, {}", arch.join(" and ")),
        }
    }
}

fn bytes<const N: usize>(head: &[u8], at: usize) -> Option<[u8; N]> {
    head.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn elf(head: &[u8]) -> Option<Executable> {
    let ident: [u8; 16] = bytes(head, 0)?;
    if ident[..4] != *b"\x7fELF" {
        return None;
    }
    let [class, order, abi] = [ident[4], ident[5], ident[7]];
    let machine = match order {
        1 => u16::from_le_bytes(bytes(head, 18)?),
        2 => u16::from_be_bytes(bytes(head, 18)?),
        _ => return Some(Executable::new(Format::Elf, &ELF_SYSTEMS, &[])),
    };
    // Most systems leave the ABI at zero, so zero stands for every system that runs ELF files.
    let os: &[&str] = match abi {
        2 => &["netbsd"],
        3 => &["android", "linux"],
        6 => &["illumos", "solaris"],
        9 => &["freebsd"],
        12 => &["openbsd"],
        _ => &ELF_SYSTEMS,
    };
    let arch = match (machine, class, order) {
        (3, 1, 1) => "386",
        (62, 2, 1) => "amd64",
        (40, 1, _) => "arm",
        (183, 2, _) => "arm64",
        (8, 1, 1) => "mipsle",
        (8, 1, _) => "mips",
        (8, 2, 1) => "mips64le",
        (8, 2, _) => "mips64",
        (21, 2, 1) => "ppc64le",
        (21, 2, _) => "ppc64",
        (22, 2, 2) => "s390x",
        (43, 2, 2) => "sparc64",
        (243, 2, 1) => "riscv64",
        (258, 2, 1) => "loong64",
        _ => return Some(Executable::new(Format::Elf, os, &[])),
    };
    Some(Executable::new(Format::Elf, os, &[arch]))
}

fn mach_o(head: &[u8]) -> Option<Executable> {
    let magic: [u8; 4] = bytes(head, 0)?;
    let processor: [u8; 4] = bytes(head, 4)?;
    let processor = match magic {
        [0xce | 0xcf, 0xfa, 0xed, 0xfe] => u32::from_le_bytes(processor),
        [0xfe, 0xed, 0xfa, 0xce | 0xcf] => u32::from_be_bytes(processor),
        _ => return None,
    };
    Some(Executable::new(Format::MachO, &MACH_O_SYSTEMS, mach_o_arch(processor).as_slice()))
}

/// Reads a file for several processors.
fn universal(head: &[u8]) -> Option<Executable> {
    let entry_bytes = match bytes(head, 0)? {
        [0xca, 0xfe, 0xba, 0xbe] => 20,
        [0xca, 0xfe, 0xba, 0xbf] => 32,
        _ => return None,
    };
    let count = u32::from_be_bytes(bytes(head, 4)?);
    if count == 0 || count > FAT_MOST {
        return None;
    }
    let processor = |place: u32| bytes(head, 8 + place as usize * entry_bytes).map(u32::from_be_bytes);
    let processors: Option<Vec<u32>> = (0..count).map(processor).collect();
    let arches: Option<Vec<&'static str>> = processors?.into_iter().map(mach_o_arch).collect();
    // An unknown architecture may be the one that the target needs.
    Some(Executable::new(Format::MachO, &MACH_O_SYSTEMS, &arches.unwrap_or_default()))
}

fn mach_o_arch(processor: u32) -> Option<&'static str> {
    match processor {
        7 => Some("386"),
        0x0100_0007 => Some("amd64"),
        12 => Some("arm"),
        0x0100_000c => Some("arm64"),
        0x0100_0012 => Some("ppc64"),
        _ => None,
    }
}

fn pe(head: &[u8]) -> Option<Executable> {
    if bytes(head, 0)? != *b"MZ" {
        return None;
    }
    let offset = bytes(head, 0x3c).map(u32::from_le_bytes).and_then(|at| usize::try_from(at).ok())?;
    // Two letters alone may also be the start of a text.
    if bytes(head, offset)? != *b"PE\0\0" {
        return None;
    }
    let arch = match u16::from_le_bytes(bytes(head, offset.checked_add(4)?)?) {
        0x014c => Some("386"),
        0x8664 => Some("amd64"),
        0x01c0 | 0x01c4 => Some("arm"),
        0xaa64 => Some("arm64"),
        _ => None,
    };
    Some(Executable::new(Format::Pe, &["windows"], arch.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elf(class: u8, order: u8, abi: u8, machine: u16) -> Vec<u8> {
        let mut head = b"\x7fELF".to_vec();
        head.extend([class, order, 1, abi, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0]);
        head.extend(if order == 2 { machine.to_be_bytes() } else { machine.to_le_bytes() });
        head.resize(64, 0);
        head
    }

    fn mach_o(magic: [u8; 4], processor: u32) -> Vec<u8> {
        let processor = if magic[0] == 0xfe { processor.to_be_bytes() } else { processor.to_le_bytes() };
        [&magic[..], &processor, &[0; 24]].concat()
    }

    fn universal(processors: &[u32]) -> Vec<u8> {
        let mut head = vec![0xca, 0xfe, 0xba, 0xbe];
        head.extend((processors.len() as u32).to_be_bytes());
        for processor in processors {
            head.extend(processor.to_be_bytes());
            head.extend([0; 16]);
        }
        head
    }

    fn pe(at: u32, machine: u16) -> Vec<u8> {
        let mut head = b"MZ".to_vec();
        head.resize(0x3c, 0);
        head.extend(at.to_le_bytes());
        head.resize(at as usize, 0);
        head.extend(b"PE\0\0");
        head.extend(machine.to_le_bytes());
        head
    }

    const DARWIN: [u8; 4] = [0xcf, 0xfa, 0xed, 0xfe];

    #[test]
    fn a_header_rules_out_targets_of_other_systems() {
        for (name, head, starts, does_not_start) in [
            (
                "linux amd64 as Go makes it",
                elf(2, 1, 0, 62),
                &["linux_amd64", "dragonfly_amd64", "linux_armv6", "plan9_amd64"][..],
                &["linux_arm64", "linux_386", "darwin_amd64", "windows_amd64", "darwin_arm64"][..],
            ),
            (
                "linux arm64",
                elf(2, 1, 0, 183),
                &["linux_arm64"],
                &["linux_amd64", "linux_arm", "darwin_arm64"],
            ),
            ("linux arm", elf(1, 1, 0, 40), &["linux_arm", "linux_arm64"], &["linux_amd64", "linux_386"]),
            (
                "linux 386",
                elf(1, 1, 3, 3),
                &["linux_386", "linux_amd64"],
                &["linux_arm64", "freebsd_386", "windows_386"],
            ),
            (
                "freebsd",
                elf(2, 1, 9, 62),
                &["freebsd_amd64"],
                &["linux_amd64", "openbsd_amd64", "freebsd_386"],
            ),
            ("openbsd", elf(2, 1, 12, 62), &["openbsd_amd64"], &["linux_amd64", "freebsd_amd64"]),
            ("netbsd", elf(2, 1, 2, 62), &["netbsd_amd64"], &["linux_amd64"]),
            ("solaris", elf(2, 1, 6, 62), &["solaris_amd64", "illumos_amd64"], &["linux_amd64"]),
            // Programs of most systems have an ABI of zero.
            (
                "no ABI",
                elf(2, 1, 0, 62),
                &["freebsd_amd64", "solaris_amd64", "openbsd_amd64"],
                &["darwin_amd64"],
            ),
            ("ppc64le", elf(2, 1, 0, 21), &["linux_ppc64le"], &["linux_ppc64", "linux_amd64"]),
            ("s390x", elf(2, 2, 0, 22), &["linux_s390x"], &["linux_amd64"]),
            (
                "mips, lowest byte first",
                elf(1, 1, 0, 8),
                &["linux_mipsle"],
                &["linux_mips", "linux_mips64le"],
            ),
            ("riscv64", elf(2, 1, 0, 243), &["linux_riscv64"], &["linux_arm64"]),
            ("a processor that is not known here", elf(2, 1, 0, 9_999), &["linux_amd64"], &["darwin_amd64"]),
            ("an order that is none", elf(2, 7, 0, 62), &["linux_arm64"], &["windows_arm64"]),
            ("darwin", mach_o(DARWIN, 0x0100_000c), &["darwin_arm64"], &["darwin_amd64", "linux_arm64"]),
            (
                "darwin amd64",
                mach_o(DARWIN, 0x0100_0007),
                &["darwin_amd64", "darwin_arm64"],
                &["darwin_386", "linux_amd64"],
            ),
            (
                "darwin, highest byte first",
                mach_o([0xfe, 0xed, 0xfa, 0xce], 7),
                &["darwin_386"],
                &["darwin_amd64"],
            ),
            (
                "two in one",
                universal(&[0x0100_0007, 0x0100_000c]),
                &["darwin_amd64", "darwin_arm64"],
                &["linux_amd64", "darwin_386"],
            ),
            (
                "two in one, one of them not known here",
                universal(&[0x0100_0007, 0x0200_0009]),
                &["darwin_amd64", "darwin_arm64"],
                &["windows_amd64"],
            ),
            (
                "windows",
                pe(0x80, 0x8664),
                &["windows_amd64", "windows_arm64"],
                &["windows_386", "linux_amd64", "darwin_amd64"],
            ),
            (
                "windows 386",
                pe(0xf8, 0x014c),
                &["windows_386", "windows_amd64", "windows_arm64"],
                &["linux_386"],
            ),
            ("windows arm64", pe(0x100, 0xaa64), &["windows_arm64"], &["windows_amd64"]),
            ("windows, not known here", pe(0x80, 0x0200), &["windows_amd64"], &["linux_amd64"]),
        ] {
            let executable = Executable::read(&head).unwrap_or_else(|| panic!("{name}"));
            for target in starts {
                assert!(!executable.is_for_another(target), "{name}: {target}: {executable:?}");
            }
            for target in does_not_start {
                assert!(executable.is_for_another(target), "{name}: {target}: {executable:?}");
            }
        }
    }

    #[test]
    fn what_has_no_known_header_says_nothing() {
        let java = [&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52][..], &[0; 64]].concat();
        let far = {
            let mut head = pe(0x80, 0x8664);
            head[0x3c..0x40].copy_from_slice(&u32::MAX.to_le_bytes());
            head
        };
        for (name, head) in [
            ("nothing", &b""[..]),
            ("a script", b"#!/bin/sh\nexec provider\n"),
            ("a text", b"MZ is a text, and no program that anybody would start on any system at all, as long as it is"),
            ("a zip", b"PK\x03\x04 and so on and so on"),
            ("a Java class", &java),
            ("WebAssembly", b"\0asm\x01\0\0\0\0\0\0\0"),
            ("a header that lies behind", &far),
            ("half of one", b"\x7fELF\x02\x01"),
            ("half of another", &[0xcf, 0xfa, 0xed, 0xfe, 7]),
            ("a list that is cut", &universal(&[7, 12])[..20]),
            ("an empty list", &universal(&[])),
        ] {
            assert_eq!(Executable::read(head), None, "{name}");
        }
        // Any bytes can be read without a panic, even a very short file.
        for head in [elf(2, 1, 0, 62), mach_o(DARWIN, 7), universal(&[7, 12]), pe(0x80, 0x8664)] {
            for length in 0..head.len() {
                let _ = Executable::read(&head[..length]);
            }
        }
    }

    #[test]
    fn systems_are_named() {
        for (head, text) in [
            (elf(2, 1, 0, 62), "Unix (ELF), amd64"),
            (elf(2, 1, 9, 183), "freebsd, arm64"),
            (mach_o(DARWIN, 0x0100_000c), "darwin, arm64"),
            (universal(&[0x0100_0007, 0x0100_000c]), "darwin, amd64 and arm64"),
            (pe(0x80, 0x8664), "windows, amd64"),
            (pe(0x80, 0x0200), "windows"),
        ] {
            assert_eq!(Executable::read(&head).unwrap().text(), text);
        }
    }
}
