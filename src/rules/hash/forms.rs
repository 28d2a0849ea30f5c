//! h1 in its two forms, from entries whose contents were hashed (`registry.md#hashes`).
//!
//! The form of a zip is what the registry stores and what the client computes of an archive: every entry, folders too, a
//! doubled name twice with the last content. The form of a directory is what the client computes of what it unpacked.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::rules::archive::{EntryFault, Listing, PROGRAM, shown};
use crate::rules::executable::Executable;

pub(super) type Sum = Result<[u8; 32], EntryFault>;

/// Why an archive cannot be unpacked, so that no installed package has an h1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInstallable {
    #[error("the archive is empty")]
    Empty,
    #[error("the name `{0}` leads out of the package")]
    Outside(String),
    #[error("the name `{0}` is not one that a file can have")]
    Name(String),
    #[error("`{0}` is a file and a folder at once")]
    FileAndFolder(String),
    /// Root may do what the permissions forbid; nobody else.
    #[error(
        "`{path}` is unpacked without the permission to read it, or to write it a second time, unless by root"
    )]
    Permission {
        path: String,
        /// The listing of the directory that root unpacks, with its prefix.
        as_root: String,
    },
    #[error("`{name}`: {fault}")]
    Entry { name: String, fault: EntryFault },
}

/// The form of a zip; the first fault of an entry that takes part.
pub(super) fn zip_form(listing: &Listing, sums: &[Sum]) -> Result<String, (usize, EntryFault)> {
    let mut places: Vec<usize> = (0..listing.len()).collect();
    let entries = listing.entries();
    let name = |place: usize| listing.name(&entries[place]);
    places.sort_by(|&a, &b| name(a).cmp(name(b)).then(a.cmp(&b)));
    let mut whole = Sum256::default();
    for group in places.chunk_by(|&a, &b| name(a) == name(b)) {
        let last = group[group.len() - 1];
        let sum = sums[last].map_err(|fault| (last, fault))?;
        for _ in group {
            whole.line(&sum, name(last));
        }
    }
    Ok(whole.finish())
}

/// The form of the directory that the client unpacks an archive to, on a system with slashes.
pub(super) fn directory_form(listing: &Listing, sums: &[Sum]) -> Result<String, NotInstallable> {
    if listing.is_empty() {
        return Err(NotInstallable::Empty);
    }
    let mut nodes = Vec::with_capacity(listing.len());
    for (entry, sum) in listing.entries().iter().zip(sums) {
        let name = listing.name(entry);
        let path = unpacked_path(name)?;
        let content = if entry.is_folder {
            None
        } else if path.is_empty() {
            return Err(NotInstallable::Name(shown(name)));
        } else {
            let fault = |fault| NotInstallable::Entry { name: shown(name), fault };
            if path.contains(&b'\n') {
                return Err(NotInstallable::Name(shown(name)));
            }
            Some((sum.map_err(fault)?, entry.owner))
        };
        nodes.push((path, content));
    }
    // A slash sorts before everything, so that what lies in a folder follows it at once. The sort is stable: of two files of
    // one name the later one in the archive stays.
    nodes.sort_by(|a, b| in_tree(&a.0).cmp(in_tree(&b.0)));
    let mut files = Vec::with_capacity(nodes.len());
    let mut roots_alone = None;
    let mut groups = nodes.chunk_by(|a, b| a.0 == b.0).peekable();
    while let Some(group) = groups.next() {
        let (path, content) = &group[group.len() - 1];
        let Some((sum, owner)) = content else {
            if group.iter().any(|(_, content)| content.is_some()) {
                return Err(NotInstallable::FileAndFolder(shown(path)));
            }
            continue;
        };
        let has_inside = groups.peek().is_some_and(|next| {
            next[0].0.strip_prefix(path.as_slice()).is_some_and(|rest| rest.starts_with(b"/"))
        });
        if has_inside || group.iter().any(|(_, content)| content.is_none()) {
            return Err(NotInstallable::FileAndFolder(shown(path)));
        }
        // All but the last are opened to be written once more.
        let is_kept =
            |(_, content): &(_, Option<(_, u8)>)| content.is_some_and(|(_, owner)| owner & 0o6 == 0o6);
        if owner & 0o4 == 0 || !group[..group.len() - 1].iter().all(is_kept) {
            roots_alone.get_or_insert_with(|| shown(path));
        }
        files.push((path, sum));
    }
    files.sort();
    let mut whole = Sum256::default();
    for (path, sum) in files {
        whole.line(sum, path);
    }
    let h1 = whole.finish();
    match roots_alone {
        Some(path) => Err(NotInstallable::Permission { path, as_root: h1 }),
        None => Ok(h1),
    }
}

/// The files in the top folder of an unpacked archive that are called as a provider's binary is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binaries(Vec<Binary>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Binary {
    name: String,
    /// The system in its header; `None` if the header is not known here.
    executable: Option<Executable>,
}

impl Binaries {
    pub(super) fn of(listing: &Listing) -> Self {
        let mut found: Vec<Binary> = Vec::new();
        let files = listing.entries().iter().enumerate().filter(|(_, entry)| !entry.is_folder);
        for (place, entry) in files {
            let Ok(path) = unpacked_path(listing.name(entry)) else { continue };
            if !path.starts_with(PROGRAM.as_bytes()) || path.contains(&b'/') {
                continue;
            }
            let name = String::from_utf8_lossy(&path).into_owned();
            // If two files have the same name, the later one in the archive replaces the earlier one.
            found.retain(|binary| binary.name != name);
            found.push(Binary { name, executable: listing.head(place).and_then(Executable::read) });
        }
        Self(found)
    }

    /// Returns true if a client finds a binary for the provider with this name. `foo-bar` is not a binary of `foo`.
    pub(crate) fn has(&self, provider: &str) -> bool {
        self.first(provider).is_some()
    }

    /// The header of the file that a client starts for the provider with this name.
    pub(crate) fn executable(&self, provider: &str) -> Option<&Executable> {
        self.first(provider)?.executable.as_ref()
    }

    /// The first binary in the order of names, which is the one that clients choose.
    fn first(&self, provider: &str) -> Option<&Binary> {
        let begin = format!("{PROGRAM}{}", provider.to_ascii_lowercase());
        let is_for = |binary: &&Binary| {
            let rest = binary.name.strip_prefix(&begin);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
        };
        self.0.iter().filter(is_for).min_by(|a, b| a.name.cmp(&b.name))
    }
}

/// A path as it sorts.
fn in_tree(path: &[u8]) -> impl Iterator<Item = u8> {
    path.iter().map(|&byte| if byte == b'/' { 0 } else { byte })
}

/// The path below the package's folder that an entry is unpacked to; empty for that folder itself.
fn unpacked_path(name: &[u8]) -> Result<Vec<u8>, NotInstallable> {
    const PART_BYTES: usize = 255;
    // Of 4,095, what clients unpack to has at least some sixty: `.terraform/providers/HOST/NAMESPACE/NAME/VERSION/PLATFORM/`.
    const PATH_BYTES: usize = 4095 - 60;
    if name.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| part == b"..") {
        return Err(NotInstallable::Outside(shown(name)));
    }
    let mut path = Vec::with_capacity(name.len());
    for part in name.split(|&byte| byte == b'/').filter(|part| !part.is_empty() && *part != b".") {
        if part.len() > PART_BYTES || part.contains(&0) {
            return Err(NotInstallable::Name(shown(name)));
        }
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(part);
    }
    if path.len() > PATH_BYTES { Err(NotInstallable::Name(shown(name))) } else { Ok(path) }
}

/// The sum over lines of sums.
#[derive(Default)]
struct Sum256(Sha256);

impl Sum256 {
    fn line(&mut self, sum: &[u8; 32], name: &[u8]) {
        self.0.update(hex::encode(sum).as_bytes());
        self.0.update(b"  ");
        self.0.update(name);
        self.0.update(b"\n");
    }

    fn finish(self) -> String {
        format!("h1:{}", STANDARD.encode(self.0.finalize()))
    }
}
