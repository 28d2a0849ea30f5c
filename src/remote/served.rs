//! The registry's own API: its list of versions and the download document of one version. Also the versions that its
//! search site lists. Uses lane `served`, without the token.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::registry::{Address, Kind, ServedDocument, ServedPackage};
use crate::remote::Remote;
use crate::remote::http::{Call, Error, Http, encode_path};
use crate::settings::Lane;

const SERVED: &str = "https://registry.opentofu.org/v1";
/// The search API. search.opentofu.org shows it, and Renovate reads versions from it
/// (`registry.md#what-the-registry-serves`).
const SEARCH: &str = "https://api.opentofu.org/registry/docs";
/// The longest list, of 2,504 versions with their platforms, has less than 2 MB.
const LIMIT_BYTES: u64 = 16 << 20;

#[derive(Deserialize)]
struct Version {
    version: String,
}

#[derive(Deserialize)]
struct Provider {
    versions: Vec<Version>,
}

#[derive(Deserialize)]
struct Modules {
    modules: Vec<Provider>,
}

/// The index document of an entry in the search API.
#[derive(Deserialize)]
struct Indexed {
    versions: Vec<IndexedVersion>,
}

#[derive(Deserialize)]
struct IndexedVersion {
    /// The version with its leading `v`.
    id: String,
}

/// The document as clients decode it: `null` means the same as a missing field.
#[derive(Default, Deserialize)]
#[serde(default)]
struct DocumentBody {
    protocols: Option<Vec<Option<String>>>,
    os: Option<String>,
    arch: Option<String>,
    filename: Option<String>,
    download_url: Option<String>,
    shasums_url: Option<String>,
    shasums_signature_url: Option<String>,
    shasum: Option<String>,
    signing_keys: Option<SigningKeys>,
    packages: Option<BTreeMap<String, Package>>,
    /// A module's.
    location: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SigningKeys {
    gpg_public_keys: Option<Vec<Key>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Key {
    ascii_armor: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Package {
    hashes: Option<Vec<Option<String>>>,
    package_size: Option<i64>,
}

impl DocumentBody {
    fn document(self) -> ServedDocument {
        let texts = |list: Option<Vec<Option<String>>>| {
            list.unwrap_or_default().into_iter().map(Option::unwrap_or_default).collect()
        };
        let keys = self.signing_keys.unwrap_or_default().gpg_public_keys.unwrap_or_default();
        let packages = self.packages.map(|packages| {
            let package = |(platform, package): (String, Package)| ServedPackage {
                platform,
                hashes: texts(package.hashes),
                size: package.package_size.map(i128::from),
            };
            packages.into_iter().map(package).collect()
        });
        ServedDocument {
            protocols: texts(self.protocols),
            os: self.os.unwrap_or_default(),
            arch: self.arch.unwrap_or_default(),
            filename: self.filename.unwrap_or_default(),
            download_url: self.download_url.unwrap_or_default(),
            shasums_url: self.shasums_url.unwrap_or_default(),
            shasums_signature_url: self.shasums_signature_url.unwrap_or_default(),
            shasum: self.shasum.unwrap_or_default(),
            keys: keys.into_iter().map(|key| key.ascii_armor.unwrap_or_default()).collect(),
            packages,
        }
    }
}

impl Remote {
    /// Reads the versions of an entry that the registry's API lists, in its spelling.
    pub(crate) async fn served_versions(&self, address: &Address) -> Result<Vec<String>, Error> {
        let place = format!("{}/versions", place(address));
        let list = match address.kind() {
            Kind::Provider => read::<Provider>(&self.http, place).await?.versions,
            Kind::Module => {
                let read = read::<Modules>(&self.http, place).await?;
                read.modules.into_iter().flat_map(|module| module.versions).collect()
            }
        };
        Ok(list.into_iter().map(|one| one.version).collect())
    }

    /// Reads the versions of an entry that the search site lists, in its spelling with a leading `v`.
    pub(crate) async fn searched_versions(&self, address: &Address) -> Result<Vec<String>, Error> {
        let url = format!("{SEARCH}/{}/index.json", below(address));
        let index: Indexed = read(&self.http, url).await?;
        Ok(index.versions.into_iter().map(|version| version.id).collect())
    }

    /// Reads the download document of a version for a platform (`os`, `arch`). It returns `None` for a module, whose
    /// document names a place in git.
    pub(crate) async fn served_download(
        &self,
        address: &Address,
        version: &str,
        platform: Option<(&str, &str)>,
    ) -> Result<Option<ServedDocument>, Error> {
        // Paths are lower case, whatever a version is written like (`registry.md#what-the-registry-serves`).
        let version = encode_path(&version.to_ascii_lowercase());
        let below = match platform {
            Some((os, arch)) => format!("/{}/{}", encode_path(os), encode_path(arch)),
            None => String::new(),
        };
        let url = format!("{}/{version}/download{below}", place(address));
        let read: DocumentBody = read(&self.http, url).await?;
        if platform.is_some() {
            return Ok(Some(read.document()));
        }
        if read.location.is_none() {
            return Err(Error::unreadable("a download document that names no place"));
        }
        Ok(None)
    }
}

fn place(address: &Address) -> String {
    format!("{SERVED}/{}", below(address))
}

/// The path of an entry, `providers/ns/name` or `modules/ns/name/system`.
fn below(address: &Address) -> String {
    let kind = match address.kind() {
        Kind::Provider => "providers",
        Kind::Module => "modules",
    };
    let address = address.to_string().to_ascii_lowercase();
    let parts: Vec<String> = address.split('/').map(encode_path).collect();
    format!("{kind}/{}", parts.join("/"))
}

async fn read<T: DeserializeOwned>(http: &Http, url: String) -> Result<T, Error> {
    let answer = http.call(&Call::get(Lane::Served, url, LIMIT_BYTES)).await?;
    http.json(&answer.body)
}
