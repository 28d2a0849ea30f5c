//! Reads the file `index` of a git folder: format 2, 3 and 4 of `gitformat-index`.
//!
//! Git itself reads every other index: a split or sparse one, one of a SHA-256 repository, or one with an unknown extension.

use crate::store::checkout::RawId;

/// The signature, the format and the number of entries, 32 bits each.
const HEADER_BYTES: usize = 12;
/// The checksum of a SHA-1 repository, which ends the file.
const CHECKSUM_BYTES: usize = 20;
/// Ten numbers of 32 bits, the id, and 16 bits of flags.
const FIXED_BYTES: usize = 40 + 20 + 2;

const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const SKIP_WORKTREE: u16 = 0x4000;

/// A staged path with the file attributes that git recorded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Staged<'a> {
    pub(super) path: &'a [u8],
    pub(super) id: RawId,
    /// A regular file; links, submodules and folders are not.
    pub(super) is_regular: bool,
    /// Seconds and nanoseconds.
    pub(super) modified: (u32, u32),
    pub(super) changed: (u32, u32),
    /// The low 32 bits of the size in bytes.
    pub(super) size: u32,
    /// 0, or 1 to 3 for the sides of a merge conflict.
    pub(super) stage: u8,
    pub(super) skips_worktree: bool,
}

/// Calls `on_entry` for each entry in the order of the file. Returns `None` if the format is not supported or the bytes
/// are damaged; some entries may have been passed to `on_entry` by then.
pub(super) fn read(bytes: &[u8], on_entry: &mut dyn FnMut(&Staged<'_>)) -> Option<()> {
    let end = bytes.len().checked_sub(CHECKSUM_BYTES)?;
    let (mut rest, _checksum) = bytes.split_at(end);
    let header = take(&mut rest, HEADER_BYTES)?;
    let (signature, version, count) = (&header[..4], number(&header[4..8])?, number(&header[8..])?);
    if signature != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let mut path = Vec::new();
    for _ in 0..count {
        let whole = rest;
        let fixed = take(&mut rest, FIXED_BYTES)?;
        let at = |place: usize| number(&fixed[4 * place..4 * place + 4]);
        let flags = u16::from_be_bytes([fixed[60], fixed[61]]);
        let more = if flags & EXTENDED == 0 {
            0
        } else if version == 2 {
            return None;
        } else {
            let more = take(&mut rest, 2)?;
            u16::from_be_bytes([more[0], more[1]])
        };
        // Format 4 stores how many bytes to remove from the end of the previous path.
        let kept = if version == 4 { path.len().checked_sub(offset(&mut rest)?)? } else { 0 };
        path.truncate(kept);
        let length = rest.iter().position(|byte| *byte == 0)?;
        path.extend_from_slice(take(&mut rest, length)?);
        let zeros = if version == 4 { 1 } else { 8 - (whole.len() - rest.len()) % 8 };
        if take(&mut rest, zeros)?.iter().any(|byte| *byte != 0) {
            return None;
        }
        on_entry(&Staged {
            path: &path,
            id: fixed[40..60].try_into().ok()?,
            is_regular: matches!(at(6)?, 0o100_644 | 0o100_755),
            modified: (at(2)?, at(3)?),
            changed: (at(0)?, at(1)?),
            size: at(9)?,
            stage: ((flags & STAGE) >> 12) as u8,
            skips_worktree: more & SKIP_WORKTREE != 0,
        });
    }
    // An extension may be ignored if its name begins with a capital letter.
    while !rest.is_empty() {
        let name = take(&mut rest, 4)?;
        let length = number(take(&mut rest, 4)?)?;
        take(&mut rest, length as usize)?;
        if !name[0].is_ascii_uppercase() {
            return None;
        }
    }
    Some(())
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(length)?;
    *rest = left;
    Some(taken)
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

/// A number in groups of seven bits, the highest first. Each group but the last one has its high bit set and counts one
/// more than it says, so that no number has two forms.
fn offset(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    loop {
        let byte = take(rest, 1)?[0];
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
        value = value.checked_add(1)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::checkout::raw_id;
    use crate::store::checkout::tests::{AWS, Sample};

    /// Ids, stages and paths, as `git ls-files --stage` prints them, and what is left out of the work tree.
    type Lines = Vec<(RawId, u8, String, bool)>;

    fn lines(bytes: &[u8]) -> Option<Lines> {
        let mut lines = Vec::new();
        read(bytes, &mut |staged| {
            let path = String::from_utf8_lossy(staged.path).into_owned();
            lines.push((staged.id, staged.stage, path, staged.skips_worktree));
        })?;
        Some(lines)
    }

    fn index(sample: &Sample) -> Vec<u8> {
        std::fs::read(sample.root().join(".git/index")).unwrap()
    }

    fn listed(sample: &Sample) -> Lines {
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(sample.root()).args(["ls-files", "--stage", "-t", "-z"]);
        let output = command.output().unwrap();
        let record = |record: &[u8]| {
            let text = String::from_utf8_lossy(record).into_owned();
            let (facts, path) = text.split_once('\t').unwrap();
            let words: Vec<&str> = facts.split(' ').collect();
            let [tag, _mode, id, stage] = words[..] else { panic!("{text}") };
            (raw_id(id).unwrap(), stage.parse().unwrap(), path.to_owned(), tag == "S")
        };
        output.stdout.split(|byte| *byte == 0).filter(|record| !record.is_empty()).map(record).collect()
    }

    /// Paths of every length modulo 8, with common beginnings, a conflict, and a file that is left out on purpose.
    fn sample() -> Sample {
        let sample = Sample::git();
        for length in 1..20 {
            sample.put(&format!("providers/l/{}/x.json", "l".repeat(length)), "{}");
        }
        sample.put(&format!("modules/l/{}/x.json", "l".repeat(200)), "{}");
        sample.put("modules/é/x.json", "{}");
        sample.commit("more");
        sample.run(&["checkout", "--quiet", "-b", "side"]);
        sample.put(AWS, "side");
        sample.commit("side");
        sample.run(&["checkout", "--quiet", "main"]);
        sample.put(AWS, "main");
        sample.commit("main");
        assert!(std::panic::catch_unwind(|| sample.run(&["merge", "--quiet", "side"])).is_err());
        sample
    }

    #[test]
    fn each_format_is_read_as_git_lists_it() {
        let sample = sample();
        for (number, arguments) in [
            (2, &["update-index", "--index-version", "2"][..]),
            (4, &["update-index", "--index-version", "4"]),
            (4, &["update-index", "--skip-worktree", "providers/l/lll/x.json"]),
            (3, &["update-index", "--index-version", "3"]),
        ] {
            sample.run(arguments);
            let bytes = index(&sample);
            assert_eq!(bytes[7], number, "{arguments:?}");
            assert_eq!(lines(&bytes).unwrap(), listed(&sample), "{arguments:?}");
        }
        let stages: Vec<u8> = listed(&sample).iter().map(|line| line.1).filter(|stage| *stage > 0).collect();
        assert_eq!(stages, [1, 2, 3]);
    }

    #[test]
    fn times_and_sizes_are_those_of_the_file() {
        let sample = Sample::git();
        let path = sample.root().join(AWS);
        let metadata = path.metadata().unwrap();
        let since = metadata.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
        let mut seen = None;
        read(&index(&sample), &mut |staged| {
            if staged.path == AWS.as_bytes() {
                seen = Some((staged.size, staged.modified, staged.is_regular));
            }
        })
        .unwrap();
        let modified = (since.as_secs() as u32, since.subsec_nanos());
        assert_eq!(seen, Some((metadata.len() as u32, modified, true)));
    }

    #[test]
    fn other_forms_are_left_to_git() {
        let sample = sample();
        let bytes = index(&sample);
        assert!(lines(&bytes).is_some());
        let with = |at: usize, byte: u8| {
            let mut other = bytes.clone();
            other[at] = byte;
            other
        };
        for other in [with(0, b'd'), with(7, 1), with(7, 5), with(8, 1), with(11, bytes[11] + 1)] {
            assert_eq!(lines(&other), None);
        }
        for (name, is_read) in [(b"TEST", true), (b"link", false), (b"sdir", false)] {
            let extension = [&name[..], &3_u32.to_be_bytes()[..], b"abc"].concat();
            let body = bytes.len() - CHECKSUM_BYTES;
            let other = [&bytes[..body], &extension[..], &bytes[body..]].concat();
            assert_eq!(lines(&other).is_some(), is_read);
        }
        sample.run(&["update-index", "--split-index"]);
        assert_eq!(lines(&index(&sample)), None);
    }

    /// A file that is cut off or changed is refused or read, and never more than that.
    #[test]
    fn harmed_files_do_no_harm() {
        for version in ["2", "4"] {
            let sample = sample();
            sample.run(&["update-index", "--index-version", version]);
            let bytes = index(&sample);
            for length in 0..bytes.len() - CHECKSUM_BYTES {
                let _any = lines(&bytes[..length]);
            }
            for at in 0..bytes.len() {
                for byte in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut other = bytes.clone();
                    other[at] = byte;
                    let _any = lines(&other);
                }
            }
        }
    }
}
