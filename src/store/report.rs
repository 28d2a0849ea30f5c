//! Reports: one JSON line after another, each whole, so that a run that is killed leaves a report that can be read and gone on
//! with. A line that was cut off by a full disk or a power cut is taken away before the next one is written.

use std::fs::File;
use std::fs::OpenOptions;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use crate::store::Error;

/// A report of several million rows; what is larger is none of ours.
const LIMIT_BYTES: u64 = 4 << 30;

/// An open report.
#[derive(Debug)]
pub struct Report {
    path: PathBuf,
    file: File,
}

impl Report {
    /// Opens or makes a report, and gives its whole lines. Its folder is made if need be.
    ///
    /// # Errors
    /// It cannot be read or written, or is too large to be one of ours.
    pub fn open(path: &Path) -> Result<(Self, Vec<String>), Error> {
        let fail = |cause| Error::from_write(path, cause);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|cause| Error::from_write(folder, cause))?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fail)?;
        if file.metadata().map_err(fail)?.len() > LIMIT_BYTES {
            return Err(fail(std::io::Error::other("it is too large for a report")));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(fail)?;
        }
        file.seek(SeekFrom::Start(whole as u64)).map_err(fail)?;
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let lines = text.lines().map(str::to_owned).collect();
        Ok((Self { path: path.to_path_buf(), file }, lines))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets what it holds: the report of another run begins.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn clear(&mut self) -> Result<(), Error> {
        let cleared = self.file.set_len(0).and_then(|()| self.file.rewind());
        cleared.map_err(|cause| Error::from_write(&self.path, cause))
    }

    /// Writes one line at once. `line` holds no line break.
    ///
    /// # Errors
    /// It cannot be written; what may stand there of it is taken away again.
    pub fn append(&mut self, line: &str) -> Result<(), Error> {
        let at = self.file.stream_position().map_err(|cause| Error::from_write(&self.path, cause))?;
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|cause| {
            let _ = self.file.set_len(at).and_then(|()| self.file.seek(SeekFrom::Start(at)));
            Error::from_write(&self.path, cause)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/report.jsonl");
        let (mut report, lines) = Report::open(&path).unwrap();
        assert!(lines.is_empty());
        report.append("{\"a\":1}").unwrap();
        drop(report);
        std::fs::write(&path, "{\"a\":1}\n{\"b\":").unwrap();
        let (mut report, lines) = Report::open(&path).unwrap();
        assert_eq!(lines, ["{\"a\":1}"]);
        report.append("{\"c\":2}").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"c\":2}\n");
        report.clear().unwrap();
        report.append("{}").unwrap();
        assert_eq!(std::fs::read_to_string(report.path()).unwrap(), "{}\n");
    }
}
