//! An upstream on loopback that serves a release, over TLS and HTTP/2 as the real one does, and a registry that lists it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bumpdesk::surface::registry::digest;
use bytes::Bytes;
use demo::wire::tls;
use futures_util::stream;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

const RELEASES: &str = "/acme/terraform-provider-rocket/releases/download";
pub(crate) const ENTRY: &str = "acme/rocket";
const CHUNK_BYTES: usize = 64 << 10;

/// One archive of a release.
pub(crate) struct Target {
    pub(crate) zip: Bytes,
    /// As the registry has it; empty: neither h1 nor size is stored.
    pub(crate) h1: String,
}

/// A running upstream.
pub(crate) struct Upstream {
    pub(crate) base: String,
    pub(crate) ca_pem: String,
    served: Arc<Served>,
    folder: tempfile::TempDir,
    /// Of all archives.
    paths: Vec<String>,
}

struct Served {
    files: BTreeMap<String, Bytes>,
    link: Option<Link>,
    /// Archives that were asked for.
    asked: AtomicUsize,
    /// Whether archives are handed out.
    is_open: watch::Sender<bool>,
}

/// A line that all connections share.
struct Link {
    bytes_per_s: f64,
    free_at: Mutex<Instant>,
}

impl Link {
    /// Waits until so many bytes have had their time on the line.
    async fn carry(&self, bytes: usize) {
        let at = {
            let mut free_at = self.free_at.lock().await;
            *free_at =
                (*free_at).max(Instant::now()) + Duration::from_secs_f64(bytes as f64 / self.bytes_per_s);
            *free_at
        };
        tokio::time::sleep_until(at).await;
    }
}

impl Upstream {
    /// Serves the archives in each of so many releases, over a line of so many bytes a second if one is given; closed until it
    /// is opened.
    pub(crate) async fn start(targets: &[Target], releases: usize, bytes_per_s: Option<f64>) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let (files, paths) = registry(targets, releases, folder.path());
        let identity = tls::identity().expect("a certificate");
        std::fs::write(folder.path().join("ca.pem"), &identity.ca_pem).expect("it is written");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("https://127.0.0.1:{}", listener.local_addr().expect("a port").port());
        let link = bytes_per_s.map(|bytes_per_s| Link { bytes_per_s, free_at: Mutex::new(Instant::now()) });
        let (is_open, _) = watch::channel(false);
        let served = Arc::new(Served { files, link, asked: AtomicUsize::new(0), is_open });
        let listener = tls::TlsListener::new(listener, identity.acceptor).expect("a port");
        let router = Router::new().fallback(answer).with_state(Arc::clone(&served));
        tokio::spawn(axum::serve(listener, router).into_future());
        Self { base, ca_pem: identity.ca_pem, served, folder, paths }
    }

    pub(crate) fn open(&self) {
        self.served.is_open.send_replace(true);
    }

    /// Archives that were asked for so far.
    pub(crate) fn asked(&self) -> usize {
        self.served.asked.load(Ordering::Relaxed)
    }

    /// Where it may be written to.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The URLs of all archives.
    pub(crate) fn urls(&self) -> impl Iterator<Item = String> {
        self.paths.iter().map(|path| format!("{}{path}", self.base))
    }

    /// A command about it, as somebody would give it, with folders of its own.
    pub(crate) fn command(&self, run: usize, words: &[&str]) -> Command {
        let folder = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.args(words).args(["--json", "--no-token", "--registry"]).arg(folder.join("registry"));
        command.arg("--ca-file").arg(folder.join("ca.pem"));
        for side in ["api", "graphql", "web", "served", "search"] {
            command.args([format!("--{side}-url"), self.base.clone()]);
        }
        let own = folder.join(format!("run-{run}"));
        command.arg("--state-dir").arg(own.join("state")).arg("--cache-dir").arg(own.join("cache"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }
}

/// The files of all releases by path, and the paths of the archives; beside them writes the registry that lists them.
fn registry(targets: &[Target], releases: usize, folder: &Path) -> (BTreeMap<String, Bytes>, Vec<String>) {
    let (mut files, mut paths, mut versions) = (BTreeMap::new(), Vec::new(), Vec::new());
    let shasums: Vec<String> = targets.iter().map(|target| digest(&target.zip)).collect();
    for version in (0..releases).rev().map(|patch| format!("1.0.{patch}")) {
        let at = |name: &str| format!("{RELEASES}/v{version}/{name}");
        let (mut sums, mut listed) = (String::new(), Vec::new());
        for (place, (target, shasum)) in targets.iter().zip(&shasums).enumerate() {
            let (os, arch) = (["linux", "darwin", "windows", "freebsd"][place % 4], format!("arm{place}"));
            let name = format!("terraform-provider-rocket_{version}_{os}_{arch}.zip");
            let _ = writeln!(sums, "{shasum}  {name}");
            let mut one = serde_json::json!({
                "os": os,
                "arch": arch,
                "filename": name,
                "download_url": format!("https://github.com{}", at(&name)),
                "shasum": shasum,
            });
            if !target.h1.is_empty() {
                (one["h1"], one["size"]) = (target.h1.as_str().into(), target.zip.len().into());
            }
            listed.push(one);
            files.insert(at(&name), target.zip.clone());
            paths.push(at(&name));
        }
        let sums_path = at(&format!("terraform-provider-rocket_{version}_SHA256SUMS"));
        versions.push(serde_json::json!({
            "version": version,
            "protocols": ["5.0"],
            "shasums_url": format!("https://github.com{sums_path}"),
            "shasums_signature_url": format!("https://github.com{sums_path}.sig"),
            "targets": listed,
        }));
        files.insert(sums_path, sums.into());
    }
    let path: PathBuf = folder.join("registry/providers/a/acme");
    std::fs::create_dir_all(&path).expect("a folder");
    let text = serde_json::to_string_pretty(&serde_json::json!({ "versions": versions })).expect("JSON");
    std::fs::write(path.join("rocket.json"), text).expect("it is written");
    (files, paths)
}

async fn answer(State(served): State<Arc<Served>>, uri: Uri) -> Response {
    let Some(file) = served.files.get(uri.path()).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if Path::new(uri.path()).extension().is_some_and(|extension| extension == "zip") {
        served.asked.fetch_add(1, Ordering::Relaxed);
        let _ = served.is_open.subscribe().wait_for(|is_open| *is_open).await;
    }
    let length = file.len();
    let body = Body::from_stream(stream::unfold((served, file), carried));
    ([(header::CONTENT_TYPE, "application/octet-stream")], [(header::CONTENT_LENGTH, length)], body)
        .into_response()
}

/// The next piece of a file, once the line has carried it.
async fn carried(
    (served, mut rest): (Arc<Served>, Bytes),
) -> Option<(Result<Bytes, std::convert::Infallible>, (Arc<Served>, Bytes))> {
    if rest.is_empty() {
        return None;
    }
    let piece = rest.split_to(rest.len().min(CHUNK_BYTES));
    if let Some(link) = &served.link {
        link.carry(piece.len()).await;
    }
    Some((Ok(piece), (served, rest)))
}
