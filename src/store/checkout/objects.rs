//! Reading a commit through git: the list of its files, and blobs in bulk through one `cat-file` process.

use std::ffi::OsStr;
use std::io;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::process::{ChildStdout, Stdio};

use hex::FromHex;

use crate::store::files::READ_CAP_BYTES;
use crate::store::git::{Answer, Git, listen};
use crate::store::{Error, files};

/// A hundred million bytes of paths is twenty registries.
const TREE_CAP_BYTES: u64 = 100 << 20;

/// A blob id. Registries are SHA-1 repositories.
pub(in crate::store) type RawId = [u8; 20];

/// A data file of a commit.
#[derive(Clone, Debug)]
pub(in crate::store) struct TreeEntry {
    pub(in crate::store) path: Box<str>,
    pub(in crate::store) id: RawId,
    /// A regular file; links and submodules are not.
    pub(in crate::store) regular: bool,
}

/// What git answered for one name.
pub(in crate::store) enum Blob<'a> {
    Bytes(&'a [u8]),
    Missing,
    TooLarge,
}

/// The data files of a commit, in git's order. Paths that are not UTF-8 come with replacement characters.
pub(in crate::store) fn entries(git: &Git, commit: &str) -> Result<Vec<TreeEntry>, Error> {
    let doing = "list the tree";
    let arguments = ["ls-tree", "-r", "-z", "--full-tree", commit, "--", "providers", "modules"];
    let output = git.run(doing, &arguments.map(OsStr::new), TREE_CAP_BYTES)?;
    let mut entries = Vec::new();
    for record in output.split(|byte| *byte == 0).filter(|record| !record.is_empty()) {
        let record = String::from_utf8_lossy(record);
        let parsed = record.split_once('\t').and_then(|(facts, path)| {
            let mut words = facts.split(' ');
            let (mode, _type, id) = (words.next()?, words.next()?, words.next()?);
            Some((mode.starts_with("100"), raw_id(id)?, path))
        });
        let Some((regular, id, path)) = parsed else {
            return Err(
                git.failed(doing, "its answer has an unexpected form (only SHA-1 repositories are read)")
            );
        };
        if files::is_data_path(path) {
            entries.push(TreeEntry { path: path.into(), id, regular });
        }
    }
    Ok(entries)
}

/// The bytes of one file of a commit; `None` if it has none there.
pub(super) fn read(git: &Git, commit: &str, path: &str) -> Result<Option<Vec<u8>>, Error> {
    let name = format!("{commit}:{path}");
    let mut found = Ok(None);
    read_blobs(git, std::iter::once(&*name), &mut |_, blob| match blob {
        Blob::Bytes(bytes) => found = Ok(Some(bytes.to_vec())),
        Blob::Missing => {}
        Blob::TooLarge => found = Err(Error::from_read(std::path::Path::new(path), files::too_large())),
    })?;
    found
}

/// The bytes of an object by its id.
pub(super) fn object(git: &Git, kind: &str, id: &str) -> Option<Vec<u8>> {
    raw_id(id)?;
    let asked = git.ask("read an object", &["cat-file", kind, id].map(OsStr::new), READ_CAP_BYTES);
    match asked.ok()? {
        Answer::Output(bytes) => Some(bytes),
        Answer::Failed { .. } => None,
    }
}

/// Hands the blobs of all `names` (ids, or `commit:path`) to `on_blob`, with the position of the name, in order and with
/// one buffer for all. Anything but a blob counts as missing.
pub(in crate::store) fn read_blobs<'a>(
    git: &Git,
    names: impl Iterator<Item = &'a str> + Send,
    on_blob: &mut dyn FnMut(usize, Blob<'_>),
) -> Result<(), Error> {
    let doing = "read blobs";
    let mut command = git.command();
    command.args(["cat-file", "--batch", "--buffer"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|cause| git.not_run(doing, &cause))?;
    let complaint = listen(&mut child);
    let stdin = child.stdin.take().expect("stdin is piped");
    let stdout = child.stdout.take().expect("stdout is piped");
    let read = std::thread::scope(|scope| {
        // Names go in on their own thread: git stops reading them while its output is not taken.
        let asked = scope.spawn(move || ask_all(stdin, names));
        let read = receive(stdout, on_blob);
        if read.is_err() {
            let _gone = child.kill();
        }
        asked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).and(read)
    });
    let status = child.wait().map_err(|cause| git.failed(doing, cause.to_string()))?;
    let complaint = complaint.join().unwrap_or_default();
    match read {
        Ok(()) if status.success() => Ok(()),
        Err(cause) if complaint.is_empty() => Err(git.failed(doing, cause.to_string())),
        Ok(()) if complaint.is_empty() => {
            Err(git.failed(doing, format!("it ended with {status}: it gave no reason")))
        }
        _ => Err(git.failed(doing, complaint)),
    }
}

fn ask_all<'a>(stdin: impl Write, names: impl Iterator<Item = &'a str>) -> io::Result<()> {
    let mut stdin = BufWriter::new(stdin);
    for name in names {
        // A name with a line feed would be two questions.
        let name = if name.contains('\n') { "-" } else { name };
        writeln!(stdin, "{name}")?;
    }
    stdin.flush()
}

/// Reads answers until git closes its output, which it does after the last name.
fn receive(stdout: ChildStdout, on_blob: &mut dyn FnMut(usize, Blob<'_>)) -> io::Result<()> {
    let mut stdout = BufReader::with_capacity(256 << 10, stdout);
    let mut header = Vec::new();
    let mut body = Vec::new();
    for at in 0.. {
        header.clear();
        if (&mut stdout).take(64 << 10).read_until(b'\n', &mut header)? == 0 {
            return Ok(());
        }
        let Some((kind, size)) = parse_header(&header) else {
            on_blob(at, Blob::Missing);
            continue;
        };
        body.clear();
        let wanted = kind == "blob" && size <= READ_CAP_BYTES;
        let mut rest = (&mut stdout).take(size + 1);
        if wanted {
            rest.read_to_end(&mut body)?;
            if body.len() as u64 != size + 1 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            on_blob(at, Blob::Bytes(&body[..size as usize]));
        } else {
            io::copy(&mut rest, &mut io::sink())?;
            on_blob(at, if kind == "blob" { Blob::TooLarge } else { Blob::Missing });
        }
    }
    Ok(())
}

/// `<id> <type> <size>`; `None` for `<name> missing` and the like.
fn parse_header(header: &[u8]) -> Option<(&str, u64)> {
    let text = std::str::from_utf8(header).ok()?.trim_end();
    let mut words = text.rsplit(' ');
    let size = words.next()?.parse().ok()?;
    let kind = words.next().filter(|kind| matches!(*kind, "blob" | "tree" | "commit" | "tag"))?;
    words.next().and_then(raw_id)?;
    words.next().is_none().then_some((kind, size))
}

/// The bytes of a 40-digit id.
pub(in crate::store) fn raw_id(hex: &str) -> Option<RawId> {
    RawId::from_hex(hex).ok()
}

/// The 40 digits of an id.
pub(in crate::store) fn hex_id(id: &RawId) -> Box<str> {
    let mut text = [0; 40];
    hex::encode_to_slice(id, &mut text).expect("two digits a byte");
    std::str::from_utf8(&text).expect("digits are ASCII").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_headers() {
        let text = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
        assert_eq!(&*hex_id(&raw_id(text).unwrap()), text);
        assert_eq!(raw_id("e69d"), None);
        assert_eq!(raw_id(&"g".repeat(40)), None);
        assert_eq!(parse_header(format!("{text} blob 12\n").as_bytes()), Some(("blob", 12)));
        assert_eq!(parse_header(format!("{text} missing\n").as_bytes()), None);
        assert_eq!(parse_header(format!("x {text} blob 12\n").as_bytes()), None);
    }
}
