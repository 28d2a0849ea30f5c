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
use bumpdesk::surface::demo::wire::tls;
use bumpdesk::surface::registry::digest;
use bytes::Bytes;
use futures_util::stream;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

const REPOSITORY: &str = "/acme/terraform-provider-rocket/releases/download/v1.0.0";
pub(crate) const ADDRESS: &str = "acme/rocket@1.0.0";
const CHUNK_BYTES: usize = 64 << 10;

/// One archive of the release.
pub(crate) struct Target {
    pub(crate) zip: Bytes,
    pub(crate) h1: String,
}

/// A running upstream.
pub(crate) struct Upstream {
    pub(crate) base: String,
    pub(crate) ca_pem: String,
    served: Arc<Served>,
    folder: tempfile::TempDir,
    names: Vec<String>,
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
    /// Serves the archives, over a line of so many bytes a second if one is given; closed until it is opened.
    pub(crate) async fn start(targets: &[Target], bytes_per_s: Option<f64>) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let (files, names) = release(targets, folder.path());
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
        Self { base, ca_pem: identity.ca_pem, served, folder, names }
    }

    pub(crate) fn open(&self) {
        self.served.is_open.send_replace(true);
    }

    /// Archives that were asked for so far.
    pub(crate) fn asked(&self) -> usize {
        self.served.asked.load(Ordering::Relaxed)
    }

    /// The URLs of all archives.
    pub(crate) fn urls(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|name| format!("{}{REPOSITORY}/{name}", self.base))
    }

    /// The command that verifies the release, as somebody would give it, with folders of its own.
    pub(crate) fn verify(&self, run: usize) -> Command {
        let folder = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
        command.args(["verify", ADDRESS, "--json", "--no-token", "--registry"]).arg(folder.join("registry"));
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

/// The files of the release by path; beside them writes the registry that lists them.
fn release(targets: &[Target], folder: &Path) -> (BTreeMap<String, Bytes>, Vec<String>) {
    let (mut files, mut names, mut sums, mut listed) =
        (BTreeMap::new(), Vec::new(), String::new(), Vec::new());
    for (place, target) in targets.iter().enumerate() {
        let (os, arch) = (["linux", "darwin", "windows", "freebsd"][place % 4], format!("arm{place}"));
        let name = format!("terraform-provider-rocket_1.0.0_{os}_{arch}.zip");
        let shasum = digest(&target.zip);
        let _ = writeln!(sums, "{shasum}  {name}");
        listed.push(serde_json::json!({
            "os": os,
            "arch": arch,
            "filename": name,
            "download_url": format!("https://github.com{REPOSITORY}/{name}"),
            "shasum": shasum,
            "h1": target.h1,
            "size": target.zip.len(),
        }));
        files.insert(format!("{REPOSITORY}/{name}"), target.zip.clone());
        names.push(name);
    }
    let sums_path = format!("{REPOSITORY}/terraform-provider-rocket_1.0.0_SHA256SUMS");
    let entry = serde_json::json!({
        "versions": [{
            "version": "1.0.0",
            "protocols": ["5.0"],
            "shasums_url": format!("https://github.com{sums_path}"),
            "shasums_signature_url": format!("https://github.com{sums_path}.sig"),
            "targets": listed,
        }],
    });
    files.insert(sums_path, sums.into());
    let path: PathBuf = folder.join("registry/providers/a/acme");
    std::fs::create_dir_all(&path).expect("a folder");
    let text = serde_json::to_string_pretty(&entry).expect("JSON");
    std::fs::write(path.join("rocket.json"), text).expect("it is written");
    (files, names)
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
