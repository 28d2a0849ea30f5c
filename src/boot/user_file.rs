//! Files that people write for the console, read as text: what they mean is the console's to say.

use std::path::PathBuf;

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
#[expect(clippy::disallowed_methods, reason = "the one reader of the configuration")]
pub(crate) fn keys_file(environment: &Environment) -> Option<UserFile> {
    let path = environment.folders.as_ref()?.config.join("keys.toml");
    let text = match std::fs::metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => Err(error.to_string()),
        Ok(metadata) if metadata.len() > MOST_BYTES => {
            Err(format!("it is over {}", amount::limit(MOST_BYTES)))
        }
        Ok(_) => std::fs::read_to_string(&path).map_err(|error| error.to_string()),
    };
    Some(UserFile { path, text })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test writes the files that are read")]
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
}
