//! Where a derived world's files come from: a folder, or a revision of a git repository.

#![expect(
    clippy::disallowed_methods,
    reason = "the demo world reads the registry that it is derived from by itself: it shares nothing with `store`"
)]

use std::io;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Stdio};

use crate::checkout::{git, run};

/// No file of the registry comes near this size.
const MOST_BYTES: u64 = 64 << 20;

/// The two folders with entries.
const FOLDERS: [&str; 2] = ["providers", "modules"];

type Visit<'a> = &'a mut dyn FnMut(&str, &[u8]);

/// Shows the JSON files of the registry, or those of some files and folders alone, in the order of paths.
///
/// # Errors
/// The path is no registry, the revision is not there, or something cannot be read.
pub(crate) fn each(
    path: &Path,
    reference: Option<&str>,
    only: &[String],
    visit: Visit<'_>,
) -> io::Result<()> {
    let all = FOLDERS.map(str::to_owned);
    let wanted = if only.is_empty() { &all[..] } else { only };
    let work_tree = FOLDERS.iter().any(|folder| path.join(folder).is_dir());
    match reference {
        Some(reference) => revision(path, reference, wanted, visit),
        None if work_tree => wanted.iter().try_for_each(|name| folder_or_file(path, name, visit)),
        None if path.join("HEAD").is_file() => revision(path, "HEAD", wanted, visit),
        None => Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("`{}` is not a registry: it has neither `providers` nor `modules`", path.display()),
        )),
    }
}

fn folder_or_file(root: &Path, name: &str, visit: Visit<'_>) -> io::Result<()> {
    let file = root.join(name);
    if !file.is_file() {
        return folder(root, name, visit);
    }
    visit(name, &std::fs::read(file)?);
    Ok(())
}

fn folder(root: &Path, name: &str, visit: Visit<'_>) -> io::Result<()> {
    let mut entries = match std::fs::read_dir(root.join(name)) {
        Ok(entries) => entries.collect::<io::Result<Vec<_>>>()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (kind, file_name) = (entry.file_type()?, entry.file_name());
        let Some(file_name) = file_name.to_str() else { continue };
        let path = format!("{name}/{file_name}");
        if kind.is_dir() && path.matches('/').count() < 8 {
            folder(root, &path, visit)?;
        } else if kind.is_file() && is_entry(&path) && entry.metadata()?.len() <= MOST_BYTES {
            visit(&path, &std::fs::read(entry.path())?);
        }
    }
    Ok(())
}

fn revision(path: &Path, reference: &str, wanted: &[String], visit: Visit<'_>) -> io::Result<()> {
    let commit = format!("{reference}^{{commit}}");
    run(git(path).args(["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])).map_err(|_| {
        let message = format!("`{reference}` is not a revision of `{}`", path.display());
        io::Error::new(io::ErrorKind::NotFound, message)
    })?;
    let listing = run(git(path).args(["ls-tree", "-r", "-z", "--full-tree", reference, "--"]).args(wanted))?;
    let listing = String::from_utf8(listing).map_err(io::Error::other)?;
    let files: Vec<(String, String)> = listing
        .split('\0')
        .filter_map(|line| {
            let (about, path) = line.split_once('\t')?;
            let oid = about.rsplit(' ').next()?;
            is_entry(path).then(|| (oid.to_owned(), path.to_owned()))
        })
        .collect();
    if files.is_empty() && wanted == FOLDERS {
        let message = format!("`{reference}` of `{}` is not a registry: it has no entries", path.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let mut child =
        git(path).args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("git gave no pipes"));
    };
    let asked: Vec<String> = files.iter().map(|(oid, _)| oid.clone()).collect();
    let writer = std::thread::spawn(move || ask(input, &asked));
    let read = receive(BufReader::with_capacity(1 << 20, output), &files, visit);
    if read.is_err() {
        let _ = child.kill();
    }
    let _ = child.wait();
    let _ = writer.join();
    read
}

fn ask(mut input: ChildStdin, oids: &[String]) -> io::Result<()> {
    for oid in oids {
        writeln!(input, "{oid}")?;
    }
    Ok(())
}

/// The registry's own tools compare with case.
fn is_entry(path: &str) -> bool {
    path.strip_suffix(".json").is_some()
}

/// `<oid> blob <size>`, the bytes, a line end; for each file in turn.
fn receive(mut output: impl BufRead, files: &[(String, String)], visit: Visit<'_>) -> io::Result<()> {
    let mut head = String::new();
    let mut bytes = Vec::new();
    for (_, path) in files {
        head.clear();
        output.read_line(&mut head)?;
        let size: Option<u64> = head.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok());
        let Some(size) = size.filter(|size| *size <= MOST_BYTES) else {
            return Err(io::Error::other(format!("git gave no contents for `{path}`")));
        };
        bytes.clear();
        output.by_ref().take(size).read_to_end(&mut bytes)?;
        output.read_exact(&mut [0])?;
        visit(path, &bytes);
    }
    Ok(())
}
