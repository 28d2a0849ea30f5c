#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use super::*;

/// A folder with programs in it that do what their scripts say.
struct Stage(tempfile::TempDir);

impl Stage {
    fn new(programs: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, script) in programs {
            let path = folder.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Self(folder)
    }

    fn desktop(&self, variables: &[(&str, &str)], browser: Option<&str>) -> Desktop {
        let path = format!("{}:/usr/bin:/bin", self.0.path().display());
        let here = self.0.path().to_str().unwrap();
        let mut all = vec![("PATH", path.as_str()), ("HERE", here)];
        all.extend_from_slice(variables);
        Desktop::new(&Environment::made_up(self.0.path(), &all), browser)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }
}

const PAGE: &str = "https://github.com/a/b";

#[tokio::test]
async fn a_browser_is_found_and_its_trouble_is_told() {
    let stage = Stage::new(&[
        ("good", "printf '%s\\n' \"$@\" >\"$HERE/opened\""),
        ("bad", "echo 'no display' >&2; exit 3"),
        ("xdg-open", "printf 'xdg %s' \"$@\" >\"$HERE/opened\""),
    ]);
    let open =
        async |variables: &[(&str, &str)], browser| stage.desktop(variables, browser).browse(PAGE).await;
    assert_eq!(open(&[("BROWSER", "nowhere:good --tab")], None).await, Ok("good".into()));
    assert_eq!(stage.read("opened"), format!("--tab\n{PAGE}\n"));
    assert_eq!(open(&[("BROWSER", "bad")], Some("good -u %s -x")).await, Ok("good".into()));
    assert_eq!(stage.read("opened"), format!("-u\n{PAGE}\n-x\n"));
    assert_eq!(open(&[("BROWSER", "bad")], None).await, Err("`bad` failed with code 3: no display".into()));
    if cfg!(target_os = "linux") {
        assert_eq!(open(&[("DISPLAY", ":0")], None).await, Ok("xdg-open".into()));
        assert_eq!(stage.read("opened"), format!("xdg {PAGE}"));
        assert!(!stage.desktop(&[], None).has_browser(), "without a desktop there is none");
    }
    let desktop = stage.desktop(&[("BROWSER", "good")], None);
    assert!(desktop.browse("file:///etc/passwd").await.is_err());
    // A line for the shell, and a name that would be one too.
    let quoted = "good \"%s\"";
    assert_eq!(open(&[("BROWSER", quoted)], None).await, Ok("good".into()));
    for name in ["$(touch x)", "`x`", "a\";x;\"", "a'b", "a b", "a\nb", "a&b"] {
        let page = format!("https://github.com/acme/{name}");
        let desktop = stage.desktop(&[("BROWSER", quoted)], None);
        assert!(desktop.browse(&page).await.is_err_and(|why| why.contains("not passed on")), "{name}");
    }
}

#[tokio::test]
async fn the_clipboard_of_where_the_person_is() {
    let stage = Stage::new(&[
        ("wl-copy", "cat >\"$HERE/copied\""),
        ("tmux", "echo \"$*\" >\"$HERE/said\"; cat >\"$HERE/copied\""),
        ("xclip", "exit 1"),
    ]);
    if cfg!(target_os = "linux") {
        let desktop = stage.desktop(&[("WAYLAND_DISPLAY", "wayland-0")], None);
        assert_eq!(desktop.copy("a/b").await, Ok("wl-copy".into()));
        assert_eq!(stage.read("copied"), "a/b");
        let desktop = stage.desktop(&[("DISPLAY", ":0")], None);
        assert_eq!(desktop.copy("a/b").await, Err("`xclip` failed with code 1".into()));
    }
    let far = [("SSH_TTY", "/dev/pts/1"), ("WAYLAND_DISPLAY", "wayland-0")];
    assert!(!stage.desktop(&far, None).has_clipboard(), "over SSH only the terminal reaches it");
    let desktop = stage.desktop(&[("TMUX", "/tmp/tmux,1,0"), ("SSH_TTY", "/dev/pts/1")], None);
    assert_eq!(desktop.copy("c").await, Ok("tmux".into()));
    assert_eq!((stage.read("said").as_str(), stage.read("copied").as_str()), ("load-buffer -w -\n", "c"));
    assert!(!stage.desktop(&[], None).has_clipboard());
}

#[tokio::test]
async fn an_editor_gets_a_copy_that_it_cannot_write() {
    let stage = Stage::new(&[
        ("ed1", "basename \"$2\" >\"$HERE/name\"; ls -l \"$2\" >\"$HERE/mode\"; cat \"$2\" >\"$HERE/seen\""),
        ("fails", "exit 7"),
        ("killed", "kill -9 $$"),
        ("pages", "cat >\"$HERE/seen\""),
    ]);
    let show = async |viewer, variables: &[(&str, &str)]| {
        stage.desktop(variables, None).show(viewer, "providers/n/new/relic.json", b"{}\n").await
    };
    assert_eq!(show(Viewer::Editor, &[("EDITOR", "fails"), ("VISUAL", "ed1 -R")]).await, Ok(()));
    assert_eq!(stage.read("name"), "relic.json\n");
    assert!(stage.read("mode").starts_with("-r--r--r--"), "{}", stage.read("mode"));
    assert_eq!(stage.read("seen"), "{}\n");
    // One for the shell, as git takes it too.
    assert_eq!(show(Viewer::Editor, &[("EDITOR", "X='y z' ed1 -R")]).await, Ok(()));
    assert_eq!(show(Viewer::Pager, &[("PAGER", "pages")]).await, Ok(()));
    assert_eq!(stage.read("seen"), "{}\n");
    assert_eq!(show(Viewer::Editor, &[("EDITOR", "fails")]).await, Err("`fails` failed with code 7".into()));
    assert_eq!(
        show(Viewer::Editor, &[("EDITOR", "killed")]).await,
        Err("`killed` was killed by signal 9".into())
    );
    let gone = show(Viewer::Editor, &[("EDITOR", "no-such-editor -x")]).await.unwrap_err();
    assert!(gone.starts_with("`no-such-editor` cannot be started: "), "{gone}");
}

/// The text comes back, its file was ours alone, and nothing of it or of us is left.
#[tokio::test]
async fn an_editor_writes_a_text() {
    let stage = Stage::new(&[
        (
            "ed1",
            "f=\"$1\"; echo \"$f\" >\"$HERE/path\"; ls -ld \"$f\" \"$(dirname \"$f\")\" >\"$HERE/mode\"; env >\"$HERE/env\"; \
             cat \"$f\" >\"$HERE/seen\"; printf 'two\\n' >>\"$f\"",
        ),
        ("crlf", "printf 'a\\r\\nb\\r\\n' >\"$1\""),
        ("replaces", "printf x >\"$1.new\"; mv \"$1.new\" \"$1\""),
        ("fails", "echo other >\"$1\"; echo \"$1\" >\"$HERE/path\"; exit 7"),
        ("removes", "rm \"$1\""),
        ("much", "head -c 300000 /dev/zero >\"$1\""),
        ("latin", "printf '\\344' >\"$1\""),
        ("nothing", ": >\"$1\""),
    ]);
    let edit = async |editor, text: &str| {
        let ours = [("GH_TOKEN", "canary"), ("my_token_file", "canary"), ("BUMPDESK_THEME", "canary")];
        let variables = [&[("EDITOR", editor)], &ours[..]].concat();
        stage.desktop(&variables, None).edit(text).await
    };
    let is_gone = || !Path::new(stage.read("path").trim()).parent().expect("a folder").exists();
    assert_eq!(edit("ed1", "one").await, Ok("one\ntwo".into()));
    assert_eq!(stage.read("seen"), "one\n");
    let modes: Vec<String> = stage.read("mode").lines().map(|line| line[..10].to_owned()).collect();
    assert_eq!(modes, ["drwx------", "-rw-------"]);
    assert!(
        !stage.read("env").contains("canary") && stage.read("env").contains("HERE="),
        "{}",
        stage.read("env")
    );
    assert!(is_gone());
    assert_eq!(edit("ed1", "").await, Ok("two".into()));
    assert_eq!(edit("crlf", "").await, Ok("a\r\nb".into()));
    assert_eq!(edit("replaces", "one").await, Ok("x".into()));
    assert_eq!(edit("nothing", "one").await, Ok(String::new()));
    assert_eq!(edit("fails", "one").await, Err("`fails` failed with code 7".into()));
    assert!(is_gone(), "also after a failure");
    for (editor, why) in [("removes", "left no file"), ("much", "more than 256 KiB"), ("latin", "not UTF-8")]
    {
        assert!(edit(editor, "one").await.is_err_and(|found| found.contains(why)), "{editor}");
    }
    let gone = edit("no-such-editor -x", "one").await.unwrap_err();
    assert!(gone.starts_with("`no-such-editor` cannot be started: "), "{gone}");
}
