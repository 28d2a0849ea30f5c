//! The user's own themes: the texts of `themes/*.toml` in the configuration folder. What is in them is the console's to read.
#![expect(clippy::disallowed_methods, reason = "with the configuration the one reader of its folder")]

use std::fs;

use crate::boot::Environment;
use crate::boot::user_file::read_text;
use crate::settings::ThemeText;

/// Larger files are no themes, and more of them nobody cycles through.
const MOST_BYTES: u64 = 64 << 10;
const MOST_THEMES: usize = 100;

/// Reads all of them, in the order of their names. A folder that is not there has none.
pub(crate) fn read(environment: &Environment) -> Vec<ThemeText> {
    let Some(folders) = &environment.folders else { return Vec::new() };
    let Ok(entries) = fs::read_dir(folders.config.join("themes")) else { return Vec::new() };
    let mut themes: Vec<ThemeText> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .take(MOST_THEMES)
        .map(|path| ThemeText {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            text: read_text(&path, MOST_BYTES).and_then(|text| text.ok_or_else(|| "it is gone".to_owned())),
            path,
        })
        .collect();
    themes.sort_by(|one, two| one.name.cmp(&two.name));
    themes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_themes_are_read() {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::made_up(home.path(), &[]);
        assert!(read(&environment).is_empty());
        let folder = home.path().join("config/themes");
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [("b.toml", "b"), ("a.toml", "a"), ("notes.txt", "n"), ("big.toml", "")] {
            fs::write(folder.join(name), text).unwrap();
        }
        fs::write(folder.join("big.toml"), vec![b'#'; 70_000]).unwrap();
        let found = read(&environment);
        let names: Vec<&str> = found.iter().map(|theme| theme.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "big"]);
        assert_eq!(found[0].text.as_deref(), Ok("a"));
        assert_eq!(found[2].text.as_deref(), Err(&"it is over 64 KiB".to_owned()));
    }
}
