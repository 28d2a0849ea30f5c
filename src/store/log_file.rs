//! The log: a file of JSON lines that is only ever appended to, moved to `NAME.1` when it grows over its cap.
//!
//! Every write is one whole line, as tracing gives it. Never flushed to the disk by force: a log is no journal. Handed to
//! tracing by `jobs`.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::store::Error;
use crate::store::atomic::{make_private_folder, private};

/// An open log file. There are at most two of them on disk, so at most twice the cap and a line.
#[derive(Debug)]
pub(crate) struct LogFile {
    path: PathBuf,
    file: File,
    size_bytes: u64,
    cap_bytes: u64,
}

impl LogFile {
    /// Opens or makes the file, private to the user, and the folder above.
    pub(crate) fn open(path: &Path, cap_bytes: u64) -> Result<Self, Error> {
        let failed = |cause| Error::from_write(path, cause);
        make_private_folder(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
        let file = append_to(path).map_err(failed)?;
        let size_bytes = file.metadata().map_err(failed)?.len();
        Ok(Self { path: path.to_path_buf(), file, size_bytes, cap_bytes })
    }

    /// Begins a new file. When the old one cannot be moved (Windows, while another console has it open), it goes on
    /// growing: a log that is too long is better than none.
    fn rotate(&mut self) -> io::Result<()> {
        if std::fs::rename(&self.path, before(&self.path)).is_ok() {
            self.file = append_to(&self.path)?;
        }
        self.size_bytes = 0;
        Ok(())
    }
}

impl Write for LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.size_bytes > 0 && self.size_bytes.saturating_add(line.len() as u64) > self.cap_bytes {
            self.rotate()?;
        }
        let written = self.file.write(line)?;
        self.size_bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The lines of a log, oldest first, those of the file before it included: at most this many bytes from the end. There are
/// none where there is no log.
///
/// # Errors
/// The file is there and cannot be read.
pub(crate) fn read_log(path: &Path, limit_bytes: u64) -> Result<Vec<String>, Error> {
    let mut text = Vec::new();
    for part in [path, &before(path)] {
        let room = limit_bytes.saturating_sub(text.len() as u64);
        match read_end(part, room) {
            Ok((mut bytes, is_whole)) => {
                bytes.append(&mut text);
                text = bytes;
                if !is_whole {
                    break;
                }
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => return Err(Error::from_read(part, cause)),
        }
    }
    Ok(String::from_utf8_lossy(&text).lines().map(ToOwned::to_owned).collect())
}

/// The end of a file, from a line's beginning on, and whether that is all of it.
fn read_end(path: &Path, limit_bytes: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut file = File::open(path)?;
    let size_bytes = file.metadata()?.len();
    let skipped = size_bytes.saturating_sub(limit_bytes);
    file.seek(io::SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(limit_bytes).read_to_end(&mut bytes)?;
    if skipped > 0 {
        let first = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
        bytes.drain(..first);
    }
    Ok((bytes, skipped == 0))
}

fn before(path: &Path) -> PathBuf {
    let mut old = OsString::from(path);
    old.push(".1");
    PathBuf::from(old)
}

fn append_to(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    private(&mut options).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_is_moved_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs/bumpdesk.log");
        let mut log = LogFile::open(&path, 10).unwrap();
        for line in ["one\n", "two\n", "three\n", "a line over the cap\n", "four\n"] {
            log.write_all(line.as_bytes()).unwrap();
        }
        let old = folder.path().join("logs/bumpdesk.log.1");
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "a line over the cap\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "four\n");
        drop(log);
        let mut log = LogFile::open(&path, 10).unwrap();
        log.write_all(b"five\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "four\nfive\n");
        log.write_all(b"six\n").unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "four\nfive\n");
    }

    #[test]
    fn the_end_of_a_log_is_read_by_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bumpdesk.log");
        assert_eq!(read_log(&path, 100).unwrap(), [""; 0]);
        let mut log = LogFile::open(&path, 10).unwrap();
        for line in ["one\n", "two\n", "three\n"] {
            log.write_all(line.as_bytes()).unwrap();
        }
        for (limit, wanted) in
            [(100, &["one", "two", "three"][..]), (11, &["two", "three"]), (6, &["three"]), (5, &[])]
        {
            assert_eq!(read_log(&path, limit).unwrap(), wanted, "{limit}");
        }
    }
}
