//! Temporary files for bodies that are too large for memory, under one total cap.
//!
//! A spooled file has no name from the start (on Windows: until it is closed), so that nothing is left behind, not even by
//! a kill. Written in chunks while a body arrives, then read; never opened twice. Called by `jobs`.

use std::fs::File;
use std::io;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::Error;
use crate::store::atomic::make_private_folder;

/// Where bodies are spooled, and how much of them there may be at once. Clones share the cap.
#[derive(Clone, Debug)]
pub struct Spool {
    folder: PathBuf,
    cap_bytes: u64,
    used_bytes: Arc<AtomicU64>,
}

/// One body. Reading starts wherever the last write, read or seek ended: rewind first.
#[derive(Debug)]
pub(crate) struct SpoolFile {
    file: File,
    size_bytes: u64,
    spool: Spool,
}

impl Spool {
    /// Makes the folder if need be.
    pub fn new(folder: &Path, cap_bytes: u64) -> Result<Self, Error> {
        make_private_folder(folder).map_err(|cause| Error::from_write(folder, cause))?;
        Ok(Self { folder: folder.to_path_buf(), cap_bytes, used_bytes: Arc::default() })
    }

    /// An empty file.
    pub(crate) fn file(&self) -> Result<SpoolFile, Error> {
        let file =
            tempfile::tempfile_in(&self.folder).map_err(|cause| Error::from_write(&self.folder, cause))?;
        Ok(SpoolFile { file, size_bytes: 0, spool: self.clone() })
    }

    /// The bytes of all files that are open now.
    pub fn used_bytes(&self) -> u64 {
        self.used_bytes.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) -> Result<(), Error> {
        let take = |used: u64| used.checked_add(bytes).filter(|used| *used <= self.cap_bytes);
        match self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => Ok(()),
            Err(_) => Err(Error::SpoolFull { path: self.folder.clone(), cap_bytes: self.cap_bytes }),
        }
    }
}

impl SpoolFile {
    /// Appends a chunk.
    ///
    /// # Errors
    /// `SpoolFull`, `DiskFull` or `Write`; the file is then good for nothing more than to be dropped.
    pub(crate) fn append(&mut self, chunk: &[u8]) -> Result<(), Error> {
        self.spool.take(chunk.len() as u64)?;
        self.size_bytes += chunk.len() as u64;
        self.file.write_all(chunk).map_err(|cause| Error::from_write(&self.spool.folder, cause))
    }
}

impl Read for SpoolFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for SpoolFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for SpoolFile {
    fn drop(&mut self) {
        self.spool.used_bytes.fetch_sub(self.size_bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_come_back_and_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(&folder.path().join("bodies"), 10).unwrap();
        let mut file = spool.file().unwrap();
        file.append(b"01234").unwrap();
        file.append(b"567").unwrap();
        assert_eq!((file.size_bytes, spool.used_bytes()), (8, 8));
        if cfg!(unix) {
            assert_eq!(std::fs::read_dir(folder.path().join("bodies")).unwrap().count(), 0);
        }
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "01234567");
        file.seek(SeekFrom::End(-2)).unwrap();
        assert_eq!(file.read(&mut [0; 9]).unwrap(), 2);
    }

    #[test]
    fn the_cap_holds_for_all_files_together() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path(), 10).unwrap();
        let mut first = spool.file().unwrap();
        first.append(b"0123456").unwrap();
        let mut second = spool.clone().file().unwrap();
        assert!(matches!(second.append(b"0123"), Err(Error::SpoolFull { cap_bytes: 10, .. })));
        drop(first);
        second.append(b"0123").unwrap();
        assert_eq!(spool.used_bytes(), 4);
    }
}
