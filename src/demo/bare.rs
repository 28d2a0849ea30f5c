//! Writes a world's repositories as real bare git repositories with the same refs and object ids, for a server that is
//! not ours to answer from.

#![expect(
    clippy::disallowed_methods,
    reason = "the demo world writes its own files: it shares nothing with `store`"
)]

use std::fmt::Write as _;
use std::io;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::object::Object;
use crate::world::{Presence, Repository, Tag, World};

/// Writes every repository that is there to `<root>/<owner>/<name>.git`, names in lower case. Gives back what could not
/// be written: tags whose name git refuses, or whose id the world was told rather than made.
///
/// # Errors
/// A file cannot be written.
pub fn write(world: &World, root: &Path) -> io::Result<Vec<String>> {
    let mut left_out = Vec::new();
    for (key, repository) in &world.repositories {
        if repository.presence == Presence::Here {
            write_one(repository, &root.join(format!("{key}.git")), &mut left_out)?;
        }
    }
    Ok(left_out)
}

/// One line for each renamed repository: the old name, the new name.
pub fn renames(world: &World) -> String {
    world.redirects.iter().fold(String::new(), |mut text, (old, new)| {
        let _ = writeln!(text, "{old} {new}");
        text
    })
}

fn write_one(repository: &Repository, folder: &Path, left_out: &mut Vec<String>) -> io::Result<()> {
    for part in ["objects", "refs/heads", "refs/tags"] {
        std::fs::create_dir_all(folder.join(part))?;
    }
    std::fs::write(folder.join("HEAD"), "ref: refs/heads/main\n")?;
    std::fs::write(folder.join("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n")?;
    if repository.empty {
        return Ok(());
    }
    store(folder, &Object::empty_tree())?;
    let head = Object::commit(repository.seed, "HEAD", "");
    store(folder, &head)?;
    let mut refs = format!(
        "# pack-refs with: peeled fully-peeled sorted \n{} refs/heads/main\n",
        hex::encode(head.oid())
    );
    let mut tags: Vec<&Tag> = repository.tags.iter().collect();
    tags.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    for tag in tags {
        if !is_ref_name(&tag.name) || !store_tag(repository, tag, folder)? {
            left_out.push(format!("{} {}", repository.full_name(), tag.name));
            continue;
        }
        let _ = writeln!(refs, "{} refs/tags/{}", hex::encode(tag.oid), tag.name);
        if let Some(peeled) = tag.peeled {
            let _ = writeln!(refs, "^{}", hex::encode(peeled));
        }
    }
    std::fs::write(folder.join("packed-refs"), refs)
}

/// Stores the objects of a tag, if it is one that the world made.
fn store_tag(repository: &Repository, tag: &Tag, folder: &Path) -> io::Result<bool> {
    let objects = Object::of_tag(repository.seed, tag);
    objects.iter().try_for_each(|object| store(folder, object))?;
    Ok(!objects.is_empty())
}

/// Writes one object below a `.git` folder, loose.
pub(crate) fn store(folder: &Path, object: &Object) -> io::Result<()> {
    let name = hex::encode(object.oid());
    let parent = folder.join("objects").join(&name[..2]);
    std::fs::create_dir_all(&parent)?;
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&object.bytes())?;
    std::fs::write(parent.join(&name[2..]), packer.finish()?)
}

/// The names that git takes (git-check-ref-format).
pub(crate) fn is_ref_name(name: &str) -> bool {
    !name.is_empty()
        && name != "@"
        && !name.contains("..")
        && !name.contains("@{")
        && !name.ends_with('.')
        && !name.chars().any(|letter| letter.is_ascii_control() || " ~^:?*[\\".contains(letter))
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.') && part.strip_suffix(".lock").is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::{git, run};

    #[test]
    fn real_git_finds_the_same_ids() {
        let world = World::parse(
            "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"O/n/t\"\nstored = [\"v1.0.0\", \"0.9.0\"]\nretagged = [\"0.9.0\"]\n\
             repository = { moved_to = \"P/q\" }\ntags = [{ name = \"deep/v2+x\", annotated = true }, \"bad..name\"]\n",
        )
        .unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(write(&world, folder.path()).unwrap(), ["P/q bad..name"]);
        assert_eq!(renames(&world), "o/terraform-t-n p/q\n");
        let place = folder.path().join("p/q.git");
        let text = String::from_utf8(run(git(&place).args(["ls-remote", "--tags", "."])).unwrap()).unwrap();
        let repository = &world.repositories["p/q"];
        let tag = repository.tag("deep/v2+x").unwrap();
        let line =
            |name: &str| format!("{}\trefs/tags/{name}\n", hex::encode(repository.tag(name).unwrap().oid));
        let peeled = format!("{}\trefs/tags/deep/v2+x^{{}}\n", hex::encode(tag.peeled.unwrap()));
        assert_eq!(text, [line("0.9.0"), line("deep/v2+x"), peeled, line("v1.0.0")].concat());
        run(git(&place).args(["fsck", "--strict"])).unwrap();
    }
}
