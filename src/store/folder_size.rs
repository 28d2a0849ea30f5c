//! How much a folder of ours holds. Follows no link and stops counting at a number of files that none of ours has.

use std::fs;
use std::path::Path;

const MOST_FILES: u64 = 100_000;

/// Files below a folder and their bytes; nothing where it is not there.
pub(crate) fn folder_size(folder: &Path) -> (u64, u64) {
    let (mut files, mut bytes) = (0, 0);
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                waiting.push(entry.path());
            } else if metadata.is_file() {
                files += 1;
                bytes += metadata.len();
            }
            if files >= MOST_FILES {
                return (files, bytes);
            }
        }
    }
    (files, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(folder_size(&folder.path().join("nowhere")), (0, 0));
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/one"), "12345").unwrap();
        fs::write(folder.path().join("two"), "123").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
        assert_eq!(folder_size(folder.path()), (2, 8));
    }
}
