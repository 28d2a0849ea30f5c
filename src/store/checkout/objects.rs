//! Reading a commit through git: the list of its files, and blobs in bulk through one `cat-file` process.

use std::ffi::OsStr;
use std::io;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

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

/// Reads single files of a commit. One git process answers for all of them, since starting git takes longer than reading
/// a file. It ends with the last clone of this reader.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader(Arc<Mutex<Option<Running>>>);

/// A `cat-file` process that answers one name after the other.
#[derive(Debug)]
struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Reader {
    /// The bytes of one file of a commit; `None` if it has none there.
    pub(super) fn read(&self, git: &Git, commit: &str, path: &str) -> Result<Option<Vec<u8>>, Error> {
        let name = format!("{commit}:{path}");
        let mut found = Ok(None);
        let mut on_blob = |_, blob: Blob<'_>| match blob {
            Blob::Bytes(bytes) => found = Ok(Some(bytes.to_vec())),
            Blob::Missing => {}
            Blob::TooLarge => {
                found = Err(Error::from_read(std::path::Path::new(path), files::too_large()));
            }
        };
        // A process of its own tells why git fails.
        if self.ask(git, &name, &mut on_blob).is_err() {
            read_blobs(git, std::iter::once(&*name), &mut on_blob)?;
        }
        found
    }

    fn ask(&self, git: &Git, name: &str, on_blob: &mut dyn FnMut(usize, Blob<'_>)) -> io::Result<()> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // It is put back only after a whole answer, so the next answer is the one to the next name.
        let mut running = kept.take().map_or_else(|| Running::start(git), Ok)?;
        writeln!(running.stdin, "{}", one_line(name))?;
        let mut body = Vec::new();
        let blob = next_blob(&mut running.stdout, &mut body)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        on_blob(0, blob);
        *kept = Some(running);
        Ok(())
    }
}

impl Running {
    fn start(git: &Git) -> io::Result<Self> {
        let mut command = git.command();
        command.args(["cat-file", "--batch"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Ok(Self { child, stdin, stdout })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be gone already, and is waited for in any case.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
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
        writeln!(stdin, "{}", one_line(name))?;
    }
    stdin.flush()
}

/// A name with a line feed would be two questions.
fn one_line(name: &str) -> &str {
    if name.contains('\n') { "-" } else { name }
}

/// Reads answers until git closes its output, which it does after the last name.
fn receive(stdout: ChildStdout, on_blob: &mut dyn FnMut(usize, Blob<'_>)) -> io::Result<()> {
    let mut stdout = BufReader::with_capacity(256 << 10, stdout);
    let mut body = Vec::new();
    let mut at = 0;
    while let Some(blob) = next_blob(&mut stdout, &mut body)? {
        on_blob(at, blob);
        at += 1;
    }
    Ok(())
}

/// Reads the answer to one name into `body`; `None` if git closed its output.
fn next_blob<'b>(stdout: &mut impl BufRead, body: &'b mut Vec<u8>) -> io::Result<Option<Blob<'b>>> {
    body.clear();
    if stdout.by_ref().take(64 << 10).read_until(b'\n', body)? == 0 {
        return Ok(None);
    }
    let header = parse_header(body).map(|(kind, size)| (kind == "blob", size));
    let Some((is_blob, size)) = header else { return Ok(Some(Blob::Missing)) };
    body.clear();
    let mut rest = stdout.take(size + 1);
    if !is_blob || size > READ_CAP_BYTES {
        io::copy(&mut rest, &mut io::sink())?;
        return Ok(Some(if is_blob { Blob::TooLarge } else { Blob::Missing }));
    }
    rest.read_to_end(body)?;
    if body.len() as u64 != size + 1 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(Blob::Bytes(&body[..size as usize])))
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
    use crate::store::checkout::tests::{AWS, DEEP, Sample};

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

    /// One process answers all questions in order, whatever it has for them; one that ended is replaced.
    #[test]
    fn one_process_answers_for_many_files() {
        let sample = Sample::git();
        let git = Git::new(&sample.root().join(".git"));
        let reader = Reader::default();
        let read = |path: &str| reader.clone().read(&git, "HEAD", path).unwrap().map(|bytes| bytes.len());
        let process = || reader.0.lock().unwrap().as_ref().unwrap().child.id();
        assert_eq!(read(AWS), Some(AWS.len() + 10));
        let first = process();
        assert_eq!([read("no.json"), read("providers"), read("two\nlines")], [None, None, None]);
        assert_eq!((read(DEEP), process()), (Some(DEEP.len() + 10), first));
        let kill = || {
            let mut running = reader.0.lock().unwrap();
            let child = &mut running.as_mut().unwrap().child;
            child.kill().unwrap();
            child.wait().unwrap();
        };
        kill();
        assert_eq!(read(AWS), Some(AWS.len() + 10));
        assert_eq!(read(DEEP), Some(DEEP.len() + 10));
        assert_ne!(process(), first);
        let nowhere = Git::new(&sample.root().join("no.git"));
        let error = Reader::default().read(&nowhere, "HEAD", AWS).unwrap_err().to_string();
        assert!(error.contains("not a git repository"), "{error}");
    }
}
