//! The documents that the registry's API serves, as clients decode them (`registry.md#what-the-registry-serves`).

/// The download document of one platform of a version. Missing fields are empty, as clients read them.
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
    /// Armored keys, in the order in which clients try them.
    pub(crate) keys: Vec<String>,
    /// The hashes of all platforms. `None` if the field is missing; then clients compare nothing with it.
    pub(crate) packages: Option<Vec<ServedPackage>>,
}

/// One platform of `packages`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServedPackage {
    /// The platform's name, such as `linux_amd64`.
    pub(crate) platform: String,
    /// The hashes, each with its scheme: `zh:…`, `h1:…`.
    pub(crate) hashes: Vec<String>,
    /// The archive's size in bytes; `None` if the field is missing.
    pub(crate) size: Option<i128>,
}
