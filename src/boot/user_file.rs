//! Files that people write for the console, read as text: what they mean is the console's to say.

use std::path::{Path, PathBuf};

use crate::boot::Environment;
use crate::boot::config::MOST_BYTES;
use crate::rules::amount;

/// A file of the user's, with its text or why it could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFile {
    pub(crate) path: PathBuf,
    pub(crate) text: Result<String, String>,
}

/// The key file `keys.toml` of the configuration folder; `None` if there is none.
pub(crate) fn keys_file(environment: &Environment) -> Option<UserFile> {
    let path = environment.folders.as_ref()?.config.join("keys.toml");
    let text = read_text(&path, MOST_BYTES).transpose()?;
    Some(UserFile { path, text })
}

/// The text of a file; `None` if there is none.
///
/// # Errors
/// Why it cannot be read. A pipe is not tried: nobody may ever write into it.
#[expect(clippy::disallowed_methods, reason = "the one reader of the configuration")]
pub(super) fn read_text(path: &Path, most_bytes: u64) -> Result<Option<String>, String> {
    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata.map_err(|error| error.to_string())?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if metadata.file_type().is_fifo() || metadata.file_type().is_socket() {
            return Err("it is a pipe or a socket, not a file".to_owned());
        }
    }
    if metadata.len() > most_bytes {
        return Err(format!("it is over {}", amount::limit(most_bytes)));
    }
    std::fs::read_to_string(path).map(Some).map_err(|error| error.to_string())
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test writes the files that are read, and makes a pipe"
)]
mod tests {
    use super::*;

    #[test]
    fn a_key_file_is_read_or_says_why_not() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::made_up(folder.path(), &[]);
        assert_eq!(keys_file(&environment), None);
        let path = folder.path().join("config/keys.toml");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        for (bytes, wanted) in [
            (b"[diff]\n".to_vec(), Ok("[diff]\n")),
            (vec![0xff, 0xfe], Err("UTF-8")),
            (vec![b'#'; 1 + MOST_BYTES as usize], Err("over 1 MiB")),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let read = keys_file(&environment).unwrap();
            assert_eq!(read.path, path);
            match (read.text, wanted) {
                (Ok(text), Ok(wanted)) => assert_eq!(text, wanted),
                (Err(why), Err(wanted)) => assert!(why.contains(wanted), "{why}"),
                other => panic!("{other:?}"),
            }
        }
    }
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        assert_eq!(read_text(&path, MOST_BYTES), Err("it is a pipe or a socket, not a file".to_owned()));
    }
}
