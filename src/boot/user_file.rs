//! Files that people write for the console, read as text: what they mean is the console's to say.

use std::fs::{Metadata, OpenOptions};
use std::io;
use std::io::Read;
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
/// The reason why the file cannot be read. Only regular files are opened, after links are followed: a pipe may never
/// get a writer, and a device may never end.
#[expect(clippy::disallowed_methods, reason = "the one reader of the configuration")]
pub(super) fn read_text(path: &Path, most_bytes: u64) -> Result<Option<String>, String> {
    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata.map_err(|error| error.to_string())?,
    };
    check(&metadata, most_bytes)?;
    let read = || {
        let file = OpenOptions::new().read(true).open(path)?;
        // The path may lead to another file since the first check.
        let checked = file.metadata().map(|metadata| check(&metadata, most_bytes))?;
        let mut text = String::new();
        file.take(most_bytes + 1).read_to_string(&mut text)?;
        Ok(checked.map(|()| text))
    };
    let text = read().map_err(|error: io::Error| error.to_string())??;
    if text.len() as u64 > most_bytes { Err(over(most_bytes)) } else { Ok(Some(text)) }
}

fn check(metadata: &Metadata, most_bytes: u64) -> Result<(), String> {
    if !metadata.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    if metadata.len() > most_bytes { Err(over(most_bytes)) } else { Ok(()) }
}

fn over(most_bytes: u64) -> String {
    format!("it is over {}", amount::limit(most_bytes))
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
    fn nothing_but_a_file_is_read_behind_any_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
        assert!(made.success());
        std::fs::write(at("file"), "text").unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (name, target) in [
            ("config.toml", "/dev/zero".into()),
            ("keys.toml", at("pipe")),
            ("theme.toml", at("socket")),
            ("folder.toml", folder.path().to_owned()),
            ("twice.toml", at("config.toml")),
        ] {
            std::os::unix::fs::symlink(target, at(name)).unwrap();
            assert_eq!(
                read_text(&at(name), MOST_BYTES),
                Err("it is not a regular file".to_owned()),
                "{name}"
            );
        }
        assert_eq!(read_text(&at("pipe"), MOST_BYTES), Err("it is not a regular file".to_owned()));
        std::os::unix::fs::symlink(at("file"), at("good.toml")).unwrap();
        assert_eq!(read_text(&at("good.toml"), MOST_BYTES), Ok(Some("text".to_owned())));
        // The system reports a length of 0 for this file.
        if cfg!(target_os = "linux") {
            assert!(read_text(Path::new("/proc/self/maps"), 3).is_err());
        }
    }
}
