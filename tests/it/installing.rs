//! A client of the demo world that knows nothing but what `demo --serve --self-urls` printed: an HTTP client of its own and
//! git, both of which trust the world's authority alone. It installs as tofu and terraform do.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use pgp::composed::{Deserializable, DetachedSignature, SignedPublicKey};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// A world that the binary serves. It goes with its value.
pub(crate) struct Served {
    child: Child,
    /// The first line of `--json`.
    pub(crate) addresses: Value,
}

impl Served {
    pub(crate) fn start(options: &[&str]) -> Self {
        let mut child = binary(options).spawn().expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let addresses = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        Self { child, addresses }
    }

    /// One of the addresses, or the path of a file.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.addresses[name].as_str().unwrap_or_else(|| panic!("{name} in {}", self.addresses))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Told to end it takes its folder with it.
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}

fn binary(options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bumpdesk"));
    command.args(["demo", "--serve"]).args(options).env_clear();
    command.env("PATH", std::env::var_os("PATH").expect("a path"));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

struct Client(reqwest::Client);

impl Client {
    fn trusting(ca_file: &str) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let pem = std::fs::read(ca_file).expect("the authority's certificate");
        let authority = reqwest::Certificate::from_pem(&pem).expect("a certificate");
        let client = reqwest::Client::builder()
            .tls_certs_only([authority])
            .user_agent("test")
            .https_only(true)
            .no_proxy();
        Self(client.build().expect("a client"))
    }

    /// Where a request ends, and the body; no host but this machine may be asked.
    async fn get(&self, url: &str) -> Vec<u8> {
        assert!(url.starts_with("https://127.0.0.1:"), "{url}");
        let answer = self.0.get(url).send().await.unwrap_or_else(|error| panic!("{url}: {error}"));
        assert!(answer.url().as_str().starts_with("https://127.0.0.1:"), "{}", answer.url());
        assert_eq!(answer.status().as_u16(), 200, "{url}");
        answer.bytes().await.expect("a body").to_vec()
    }

    async fn json(&self, url: &str) -> Value {
        serde_json::from_slice(&self.get(url).await).expect("JSON")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_and_modules_come_from_the_world_alone() {
    let world = Served::start(&["--self-urls", "--json"]);
    let client = Client::trusting(world.text("ca_file"));

    let config = std::fs::read_to_string(world.text("cli_config_file")).expect("a configuration");
    let services = client.json(&format!("{}/.well-known/terraform.json", world.text("served"))).await;
    let service = |name: &str| {
        let path = services[name].as_str().unwrap_or_else(|| panic!("{name} in {services}"));
        let url = format!("{}{path}", world.text("served"));
        for host in ["registry.opentofu.org", "registry.terraform.io"] {
            let (_, block) = config.split_once(&format!("host \"{host}\" {{")).expect("a block");
            assert!(block.split('}').next().expect("one").contains(&format!("= \"{url}\"")), "{config}");
        }
        url
    };
    let (providers, modules) = (service("providers.v1"), service("modules.v1"));

    let versions = client.json(&format!("{providers}stonewharf/sundial/versions")).await;
    let newest = versions["versions"][0]["version"].as_str().expect("a version");
    let place = format!("{providers}stonewharf/sundial/{newest}/download/linux/amd64");
    let package = client.json(&place).await;
    let text = |name: &str| package[name].as_str().unwrap_or_else(|| panic!("{name} in {package}"));
    let sums = client.get(text("shasums_url")).await;
    let key = package["signing_keys"]["gpg_public_keys"][0]["ascii_armor"].as_str().expect("a key");
    let (key, _) = SignedPublicKey::from_string(key).expect("a key");
    let signature = client.get(text("shasums_signature_url")).await;
    let signature = DetachedSignature::from_bytes(&signature[..]).expect("a signature");
    signature.verify(&key, &sums).expect("it signs the sums");
    let line = format!("{}  {}\n", text("shasum"), text("filename"));
    assert!(String::from_utf8_lossy(&sums).contains(&line));
    let zip = client.get(text("download_url")).await;
    assert_eq!(hex::encode(Sha256::digest(&zip)), text("shasum"));
    let zip = zip::ZipArchive::new(std::io::Cursor::new(zip)).expect("a zip");
    let program = format!("terraform-provider-sundial_v{newest}");
    assert!(zip.file_names().any(|name| name.is_ok_and(|name| name == program)));

    let listed = client.json(&format!("{modules}saltmarsh/network/aws/versions")).await;
    let newest = listed["modules"][0]["versions"][0]["version"].as_str().expect("a version");
    let download = client.json(&format!("{modules}saltmarsh/network/aws/{newest}/download")).await;
    let source = download["location"].as_str().and_then(|text| text.strip_prefix("git::")).expect("git");
    let (url, reference) = source.split_once("?ref=").expect("a reference");
    assert!(url.starts_with(&format!("{}/", world.text("web"))), "{url}");
    let folder = tempfile::tempdir().expect("a folder");
    git(folder.path(), world.text("ca_file"), &["clone", "--quiet", "--", url, "module"]);
    git(&folder.path().join("module"), world.text("ca_file"), &["checkout", "--quiet", reference]);
}

/// git as the clients start it, with the world's authority in place of the system's.
fn git(folder: &Path, ca_file: &str, words: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "http.proxy="]).args(words).env_clear();
    command.env("PATH", std::env::var_os("PATH").expect("a path"));
    command.env("GIT_SSL_CAINFO", ca_file).env("GIT_TERMINAL_PROMPT", "0");
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.output().expect("there is a git");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// People get a page: what to type, with the registry's folder. Without `--self-urls` it says what is lacking for tofu.
#[test]
fn people_are_told_how_to_come_to_the_world() {
    for (options, told, is_silent_of) in [
        (&["--self-urls"][..], &["TF_CLI_CONFIG_FILE=", "SSL_CERT_FILE=", "GIT_SSL_CAINFO="][..], "{\""),
        (&[], &["BUMPDESK_CA_FILE=", "--serve --self-urls"], "TF_CLI_CONFIG_FILE"),
        (&["--http"], &["BUMPDESK_WEB_URL=http://127.0.0.1:"], "CA_FILE"),
    ] {
        let mut child = binary(options).spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let mut page = String::new();
        while !page.contains("tofu or terraform") || !page.ends_with(".\n") {
            page.push_str(&lines.next().expect("a line").expect("text"));
            page.push('\n');
        }
        let world = Served { child, addresses: Value::Null };
        for words in told {
            assert!(page.contains(words), "{words}: {page}");
        }
        assert!(!page.contains(is_silent_of), "{page}");
        let (_, rest) = page.split_once("BUMPDESK_REGISTRY=").expect("the registry");
        let registry = Path::new(rest.lines().next().expect("a line"));
        assert!(registry.join("providers/s/stonewharf/sundial.json").is_file(), "{page}");
        drop(world);
        assert!(!registry.exists(), "the folder goes with the world");
    }
}
