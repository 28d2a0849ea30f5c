//! What file systems tell: stat values that show a change, bounded reading without following links, and data paths.
//!
//! Never writes. Called by the checkout and by the start-up index.

use std::cmp::Ordering;
use std::fs::{File, Metadata};
use std::io;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::registry::Address;
use crate::rules::amount;

/// No data file comes near this (the largest has 2.5 MB); what is larger is not read into memory.
pub(in crate::store) const READ_CAP_BYTES: u64 = 64 << 20;

/// The two data folders of a registry.
pub(in crate::store) const DATA_FOLDERS: [&str; 2] = ["modules", "providers"];

/// What changes when a file or folder changes. Times in nanoseconds since 1970; `changed` and `inode` are 0 where the
/// system has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct Stat {
    pub(in crate::store) size: u64,
    pub(in crate::store) modified: i64,
    pub(in crate::store) changed: i64,
    pub(in crate::store) inode: u64,
}

impl Stat {
    pub(in crate::store) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let total = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
            Self {
                size: metadata.size(),
                modified: total(metadata.mtime(), metadata.mtime_nsec()),
                changed: total(metadata.ctime(), metadata.ctime_nsec()),
                inode: metadata.ino(),
            }
        }
        #[cfg(not(unix))]
        {
            let modified = metadata.modified().map_or(0, nanoseconds);
            Self { size: metadata.len(), modified, changed: 0, inode: 0 }
        }
    }

    /// Whether a later change must show in these values: the last one is older than the coarsest clock of a file
    /// system. A file changed twice within one tick looks the same after both.
    pub(in crate::store) fn settled(&self, now: i64) -> bool {
        const COARSEST_TICK: Duration = Duration::from_secs(2);
        self.modified.saturating_add(COARSEST_TICK.as_nanos() as i64) < now
    }
}

/// Nanoseconds since 1970 on the clock that stamps files, to compare with [`Stat::modified`] and for nothing else.
pub(in crate::store) fn file_clock() -> i64 {
    nanoseconds(SystemTime::now())
}

fn nanoseconds(time: SystemTime) -> i64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i64)
}

/// Reads a regular file into `buffer` (cleared first) and gives its stat of before the reading.
///
/// # Errors
/// It is a link, no regular file, over [`READ_CAP_BYTES`], or was exchanged meanwhile.
pub(in crate::store) fn read_regular(path: &Path, buffer: &mut Vec<u8>) -> io::Result<Stat> {
    buffer.clear();
    let named = Stat::of(&regular(path)?);
    let mut file = File::open(path)?;
    let stat = Stat::of(&file.metadata()?);
    if stat.inode != named.inode {
        return Err(io::Error::other("it was replaced while it was being opened"));
    }
    buffer.reserve(stat.size as usize + 1);
    (&mut file).take(READ_CAP_BYTES + 1).read_to_end(buffer)?;
    if buffer.len() as u64 > READ_CAP_BYTES {
        return Err(too_large());
    }
    // A file that grew or shrank meanwhile must not be taken for known next time.
    Ok(if buffer.len() as u64 == stat.size { stat } else { Stat { modified: i64::MAX, ..stat } })
}

/// Reads a whole file that the user named, such as a certificate or a share. Follows links.
///
/// # Errors
/// `Unreadable`: it is not there, not a regular file, or larger than the limit.
pub(crate) fn read_small(path: &Path, limit_bytes: u64) -> Result<Vec<u8>, crate::store::Error> {
    read_named(path, limit_bytes).map_err(|cause| crate::store::Error::from_read(path, cause))
}

/// The content for [`read_small`]. A pipe may never begin and a device may never end, so both are refused before
/// opening. The open file is checked again, because the path may lead to another file by then.
pub(in crate::store) fn read_named(path: &Path, limit_bytes: u64) -> io::Result<Vec<u8>> {
    let check = |metadata: &Metadata| {
        if !metadata.is_file() {
            return Err(not_regular());
        }
        // The length of a virtual file, such as one in `/proc`, is not known.
        if metadata.len() > limit_bytes { Err(over(limit_bytes)) } else { Ok(()) }
    };
    check(&path.metadata()?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    check(&metadata)?;
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    file.take(limit_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit_bytes { Err(over(limit_bytes)) } else { Ok(bytes) }
}

/// Reads standard input to its end.
///
/// # Errors
/// `Unreadable`: it cannot be read, or is larger than the limit.
pub(crate) fn read_input(limit_bytes: u64) -> Result<Vec<u8>, crate::store::Error> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(limit_bytes + 1).read_to_end(&mut bytes);
    let read = read.and_then(|_| {
        let too_long = bytes.len() as u64 > limit_bytes;
        if too_long {
            Err(io::Error::other(format!("it is over {}", amount::limit(limit_bytes))))
        } else {
            Ok(())
        }
    });
    read.map_err(|cause| crate::store::Error::from_read(Path::new("standard input"), cause))?;
    Ok(bytes)
}

/// The metadata of a regular file of readable size; links are not followed.
pub(in crate::store) fn regular(path: &Path) -> io::Result<Metadata> {
    let metadata = path.symlink_metadata()?;
    check_regular(&metadata)?;
    Ok(metadata)
}

pub(in crate::store) fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_symlink() {
        return Err(not_followed());
    }
    if !metadata.is_file() {
        return Err(not_regular());
    }
    if metadata.len() > READ_CAP_BYTES { Err(too_large()) } else { Ok(()) }
}

pub(in crate::store) fn not_followed() -> io::Error {
    io::Error::other("it is a symbolic link, and those are not followed")
}

fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file")
}

pub(in crate::store) fn too_large() -> io::Error {
    over(READ_CAP_BYTES)
}

fn over(limit_bytes: u64) -> io::Error {
    io::Error::other(format!("it is over {}", amount::limit(limit_bytes)))
}

/// Whether a path below the root is one of a data file, reachable or not.
pub(in crate::store) fn is_data_path(path: &str) -> bool {
    // As the registry's own tools have it, `.JSON` is another ending.
    (path.starts_with("providers/") || path.starts_with("modules/")) && path.strip_suffix(".json").is_some()
}

/// The address whose own file this is. `None` for a path that the registry's tools skip, and for a file in another
/// folder than its address says (a wrong shard), which the address could not lead back to.
pub(in crate::store) fn address_of(path: &str) -> Option<Address> {
    let address = Address::from_path(path)?;
    let mut shard = path.split('/').nth(1)?.chars();
    (shard.next() == Some(address.shard())).then_some(address)
}

/// The order of the addresses behind the paths, made out of the paths alone: providers first, then part by part. Lists in
/// this order need next to no sorting to become rows.
pub(in crate::store) fn path_order(a: &str, b: &str) -> Ordering {
    let rank = |byte: u8| if byte == b'/' { 0 } else { byte };
    let (a, b) = (a.strip_suffix(".json").unwrap_or(a), b.strip_suffix(".json").unwrap_or(b));
    match a.bytes().zip(b.bytes()).enumerate().find(|(_, (a, b))| a != b) {
        Some((0, (a, b))) => b.cmp(&a),
        Some((_, (a, b))) => rank(a).cmp(&rank(b)),
        None => a.len().cmp(&b.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_paths_and_their_addresses() {
        let cases = [
            ("providers/h/hashicorp/aws.json", true, true),
            ("modules/h/hashicorp/consul/aws.json", true, true),
            ("providers/a/altinity/altinity/kubectl.json", true, false),
            ("providers/x/hashicorp/aws.json", true, false),
            ("providers/h/hashicorp/aws.json.bak", false, false),
            ("keys/h/hashicorp/a.json", false, false),
        ];
        for (path, data, reachable) in cases {
            assert_eq!(is_data_path(path), data, "{path}");
            assert_eq!(address_of(path).is_some(), reachable, "{path}");
        }
    }

    /// The given limit applies, whether it is smaller or larger than the limit for data files.
    #[test]
    fn a_named_file_is_read_up_to_its_own_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("share.jsonl");
        let file = File::create(&path).unwrap();
        // Creates a sparse file, which takes no blocks on the disk.
        let file_of = |bytes: u64| file.set_len(bytes).unwrap();
        file_of(65 << 20);
        assert_eq!(read_small(&path, 1 << 30).unwrap().len(), 65 << 20);
        assert_eq!(read_small(&path, 65 << 20).unwrap().len(), 65 << 20);
        for (bytes, limit_bytes, words) in [
            (65 << 20, (65 << 20) - 1, "it is over"),
            (65 << 20, 64 << 20, "it is over 64 MiB"),
            (1025, 1024, "it is over 1 KiB"),
            (1, 0, "it is over"),
        ] {
            file_of(bytes);
            let error = read_small(&path, limit_bytes).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        file_of(1024);
        assert_eq!(read_small(&path, 1024).unwrap().len(), 1024);
    }

    /// Links are followed, also to things that are not regular files.
    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_not_read() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
        assert!(made.success());
        for (link, target) in [
            ("good", at("file")),
            ("zero", "/dev/zero".into()),
            ("to-pipe", at("pipe")),
            ("to-folder", folder.path().into()),
            ("to-zero", at("zero")),
            ("dangling", at("nowhere")),
        ] {
            symlink(target, at(link)).unwrap();
        }
        assert_eq!(read_small(&at("good"), 100).unwrap(), b"text");
        for name in ["zero", "to-zero", "pipe", "to-pipe", "to-folder"] {
            let error = read_small(&at(name), 100).unwrap_err().to_string();
            assert!(error.contains("it is not a regular file"), "{name}: {error}");
        }
        assert!(read_small(&at("dangling"), 100).is_err());
        // The file reports a length of 0 but has content.
        if let Ok(bytes) = read_small(Path::new("/proc/self/stat"), 10_000) {
            assert!(!bytes.is_empty());
            assert!(read_small(Path::new("/proc/self/stat"), 3).is_err());
        }
    }

    #[test]
    fn paths_are_ordered_as_their_addresses() {
        let paths = [
            "providers/a/a-b/x.json",
            "providers/a/a/x.json",
            "providers/a/a/x-y.json",
            "modules/a/a/x/y.json",
            "modules/a/a-b/x/y.json",
            "modules/a/a/x-1/y.json",
        ];
        for (a, b) in paths.iter().flat_map(|a| paths.iter().map(move |b| (a, b))) {
            let addresses = Address::from_path(a).unwrap().cmp(&Address::from_path(b).unwrap());
            assert_eq!(path_order(a, b), addresses, "{a} {b}");
        }
    }

    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.json");
        std::fs::write(&file, "{}").unwrap();
        let mut buffer = b"old".to_vec();
        assert_eq!(read_regular(&file, &mut buffer).unwrap().size, 2);
        assert_eq!(buffer, b"{}");
        assert!(read_regular(folder.path(), &mut buffer).unwrap_err().to_string().contains("regular"));
        #[cfg(unix)]
        {
            let link = folder.path().join("b.json");
            std::os::unix::fs::symlink(&file, &link).unwrap();
            assert!(read_regular(&link, &mut buffer).unwrap_err().to_string().contains("symbolic link"));
        }
    }

    #[test]
    fn a_fresh_file_is_not_settled() {
        let stat = Stat { modified: 10_000_000_000, ..Stat::default() };
        assert!(
            !stat.settled(10_000_000_000) && !stat.settled(12_000_000_000) && stat.settled(12_000_000_001)
        );
        assert!(!Stat { modified: i64::MAX, ..stat }.settled(i64::MAX - 1));
    }
}
