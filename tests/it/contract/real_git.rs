//! Real bare repositories with a world's tags, and the world brought in line with them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;

use bumpdesk::demo::World;
use bumpdesk::demo::world::Oid;
use bumpdesk::demo::world::Presence;
use bumpdesk::demo::world::Repository;

/// Makes `<root>/<owner>/<name>.git` for every repository that is there, and the file of renames. The world takes over the
/// ids that git gave, in its registry files too, so that both answer the same.
pub(super) fn make(world: &mut World, root: &Path, renames: &Path) {
    let mut ids: HashMap<String, String> = HashMap::new();
    for (key, repository) in &mut world.repositories {
        if repository.presence == Presence::Here {
            fill(repository, &root.join(format!("{key}.git")), &mut ids);
        }
    }
    for bytes in world.files.values_mut() {
        let mut text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        for (old, new) in &ids {
            if text.contains(&**old) {
                text = text.replace(&**old, new);
            }
        }
        *bytes = text.into();
    }
    let lines = world.redirects.iter().fold(String::new(), |text, (old, new)| format!("{text}{old} {new}\n"));
    std::fs::write(renames, lines).expect("a file");
}

const WHO: &str = "Somebody <somebody@example.com> 1750000000 +0000";

/// Makes one repository: each tag on a commit of its own.
fn fill(repository: &mut Repository, folder: &Path, ids: &mut HashMap<String, String>) {
    let name = folder.to_str().expect("UTF-8");
    git(None, &["-c", "init.defaultBranch=main", "init", "--quiet", "--bare", "--template=", name], "");
    if repository.empty {
        return;
    }
    let mut stream = String::new();
    for (index, tag) in repository.tags.iter().enumerate() {
        let message = format!("{}\n", tag.name);
        let data = format!("data {}\n{message}", message.len());
        let mark = index + 1;
        let _ = write!(stream, "commit refs/heads/main\nmark :{mark}\ncommitter {WHO}\n{data}\n");
        let _ = match tag.peeled {
            Some(_) => write!(stream, "tag {}\nfrom :{mark}\ntagger {WHO}\n{data}\n", tag.name),
            None => write!(stream, "reset refs/tags/{}\nfrom :{mark}\n\n", tag.name),
        };
    }
    if repository.tags.is_empty() {
        let _ = write!(stream, "commit refs/heads/main\ncommitter {WHO}\ndata 0\n\n");
    }
    git(Some(folder), &["fast-import", "--quiet"], &stream);
    let format = "--format=%(objectname) %(*objectname) %(refname:lstrip=2)";
    let listed = git(Some(folder), &["for-each-ref", format, "refs/tags"], "");
    assert_eq!(listed.lines().count(), repository.tags.len(), "git took all tags of {name}");
    for line in listed.lines() {
        let [id, peeled, name] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let tag = repository.tags.iter_mut().find(|tag| &*tag.name == name).expect("a tag of ours");
        ids.insert(hex(&tag.oid), id.to_owned());
        tag.oid = oid(id);
        tag.peeled = tag.peeled.map(|_| oid(peeled));
    }
}

fn git(folder: Option<&Path>, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new("git");
    if let Some(folder) = folder {
        command.arg("--git-dir").arg(folder);
    }
    let mut child = command
        .args(arguments)
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("git starts");
    // Nothing is printed before the input is read whole, so neither side waits for the other.
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("git reads");
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn hex(oid: &Oid) -> String {
    oid.iter().fold(String::with_capacity(40), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn oid(hex: &str) -> Oid {
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
    std::array::from_fn(|index| byte(index * 2))
}
