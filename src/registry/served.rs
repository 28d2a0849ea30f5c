//! What the registry's own API serves to clients, as they decode it (`registry.md#what-the-registry-serves`).

/// The download document of one platform of a version. A field that is not there is empty, as clients read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServedDocument {
    pub(crate) protocols: Vec<String>,
    pub(crate) os: String,
    pub(crate) arch: String,
    pub(crate) filename: String,
    pub(crate) download_url: String,
    pub(crate) shasums_url: String,
    pub(crate) shasums_signature_url: String,
    pub(crate) shasum: String,
    /// Keys in armor, in the order in which clients try them.
    pub(crate) keys: Vec<String>,
    /// `None`: the field is not there, and clients compare nothing with it.
    pub(crate) packages: Option<Vec<ServedPackage>>,
}

/// One platform of `packages`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServedPackage {
    /// `linux_amd64`.
    pub(crate) platform: String,
    /// Each with its scheme: `zh:…`, `h1:…`.
    pub(crate) hashes: Vec<String>,
    /// Bytes; `None`: the field is not there.
    pub(crate) size: Option<i128>,
}
