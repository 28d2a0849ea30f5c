//! Reports: one JSON line after another, each whole, so that a run that is killed leaves a report that can be read and gone on
//! with. A line that was cut off by a full disk or a power cut is taken away before the next one is written.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::store::Error;
use crate::store::atomic::{make_private_folder, private};

/// A report of some hundred thousand rows; what is larger is none of ours.
const LIMIT_BYTES: u64 = 1 << 30;

/// An open report.
#[derive(Debug)]
pub(crate) struct Report {
    path: PathBuf,
    file: File,
}

impl Drop for Report {
    /// Closing is not enough: a program that is being started at this moment has the file open too, until it runs.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Report {
    /// Opens or makes a report, and gives its whole lines. Its folder is made if need be. `mark` is how the first line of such a
    /// report begins: a file that begins in another way is left as it is.
    ///
    /// # Errors
    /// `Refused`: it holds something else. `Locked`: another process writes it. Others: it cannot be read or written.
    pub(crate) fn open(path: &Path, mark: &str) -> Result<(Self, Vec<String>), Error> {
        let fail = |cause| Error::from_write(path, cause);
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            make_private_folder(folder).map_err(|cause| Error::from_write(folder, cause))?;
        }
        // Opening a pipe could wait for ever.
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(refused(path, "it is not an ordinary file"));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        // The report contains texts from servers, so only its user may read it until they decide otherwise.
        let mut file = private(&mut options).open(path).map_err(fail)?;
        // Where a file system knows no locks, nothing is lost that was there before.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Error::Locked { path: path.to_path_buf() });
        }
        if file.metadata().map_err(fail)?.len() > LIMIT_BYTES {
            return Err(refused(path, "it is too large for a report"));
        }
        let mut bytes = vec![0; mark.len()];
        let begins = fill(&mut file, &mut bytes).map_err(fail)?;
        bytes.truncate(begins);
        if !mark.as_bytes().starts_with(&bytes) {
            return Err(refused(path, "it holds something other than a report"));
        }
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

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets what it holds: the report of another run begins.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        let cleared = self.file.set_len(0).and_then(|()| self.file.rewind());
        cleared.map_err(|cause| Error::from_write(&self.path, cause))
    }

    /// Writes one line at once. `line` holds no line break.
    ///
    /// # Errors
    /// It cannot be written; what may stand there of it is taken away again.
    pub(crate) fn append(&mut self, line: &str) -> Result<(), Error> {
        let at = self.file.stream_position().map_err(|cause| Error::from_write(&self.path, cause))?;
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(|cause| {
            let _ = self.file.set_len(at).and_then(|()| self.file.seek(SeekFrom::Start(at)));
            Error::from_write(&self.path, cause)
        })
    }
}

fn refused(path: &Path, reason: &'static str) -> Error {
    Error::Refused { path: path.display().to_string(), reason }
}

/// Reads until the buffer is full or the file ends; how many bytes these are.
fn fill(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "{\"a\"";

    #[test]
    fn what_is_no_report_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        // Each in a file of its own: a child of another test may hold the lock of the last one for a moment.
        for (place, text) in ["a letter without a line break", "{\"b\":1}\n", "\n", "{\"b"].iter().enumerate()
        {
            let path = folder.path().join(format!("letter-{place}"));
            std::fs::write(&path, text).unwrap();
            assert!(matches!(Report::open(&path, MARK), Err(Error::Refused { .. })), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), *text);
        }
        assert!(matches!(Report::open(folder.path(), MARK), Err(Error::Refused { .. })));
        // A first line that was cut off is a report of ours without anything in it.
        let path = folder.path().join("cut");
        for text in ["", "{", "{\"a\"", "{\"a\":"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Report::open(&path, MARK).unwrap().1, [""; 0], "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_its_user_reads_the_report() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reports/deep/report");
        Report::open(&path, MARK).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(mode(&folder.path().join("reports")), 0o700);
    }

    #[test]
    fn one_process_writes_a_report() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let (held, _) = Report::open(&path, MARK).unwrap();
        assert!(matches!(Report::open(&path, MARK), Err(Error::Locked { .. })));
        drop(held);
        assert!(Report::open(&path, MARK).is_ok());
    }

    #[test]
    fn lines_stay_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/report.jsonl");
        let (mut report, lines) = Report::open(&path, MARK).unwrap();
        assert!(lines.is_empty());
        report.append("{\"a\":1}").unwrap();
        drop(report);
        std::fs::write(&path, "{\"a\":1}\n{\"b\":").unwrap();
        let (mut report, lines) = Report::open(&path, MARK).unwrap();
        assert_eq!(lines, ["{\"a\":1}"]);
        report.append("{\"c\":2}").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"c\":2}\n");
        report.clear().unwrap();
        report.append("{}").unwrap();
        assert_eq!(std::fs::read_to_string(report.path()).unwrap(), "{}\n");
    }
}
