//! The world over real sockets: a plain HTTP/1.1 client written here, git itself, and an HTTP/2 client over TLS.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::digest::sha256;
use crate::fault::{Fault, FaultKind, Lane};
use crate::signer::{Signer, key_id};
use crate::wire::exchange::json_lines;
use crate::{Addresses, Links, Options, Server, World, checkout};

const WORLD: &str = r#"
clock = "2026-11-21T12:00:00Z"
[[provider]]
address = "acme/rocket"
owner = "Acme"
targets = ["linux_amd64"]
stored = ["1.2.0", "1.1.0", "1.0.0"]
tags = [{ name = "deep/v2.0.0+x", annotated = true }]
repository = { id = 42 }
[[module]]
address = "acme/old/aws"
stored = ["v1.0.0"]
repository = { moved_to = "acme/terraform-aws-new" }
[[module]]
address = "acme/empty/aws"
repository = { empty = true }
[user]
token = "canary"
"#;

async fn start() -> Server {
    Server::start(World::parse(WORLD).unwrap(), Options { links: Links::Own, ..Options::default() })
        .await
        .unwrap()
}

pub(super) struct Answer {
    pub(super) status: u16,
    head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// One request on a connection of its own; the body ends with the connection.
pub(super) async fn ask(method: &str, url: &str, headers: &str, body: &str) -> io::Result<Answer> {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).await?;
    let request = format!(
        "{method} /{path} HTTP/1.1\r\nhost: {host}\r\nuser-agent: git/2 test\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head[9..12].parse().unwrap();
    Ok(Answer { status, head, body: bytes[end + 4..].to_vec() })
}

async fn get(url: &str) -> Answer {
    ask("GET", url, "", "").await.unwrap()
}

/// What git prints, or its error.
pub(super) async fn real_git(arguments: &[&str]) -> Result<String, String> {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    tokio::task::spawn_blocking(move || {
        let mut git = checkout::git(&std::env::temp_dir());
        let output = git.args(arguments).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn real_git_reads_the_refs_in_both_protocols() {
    let server = start().await;
    let web = server.addresses().web.clone();
    let url = format!("{web}/acme/terraform-provider-rocket.git");
    let (tag, commit) = server.look(|world| {
        let tag = world.repositories["acme/terraform-provider-rocket"].tag("deep/v2.0.0+x").unwrap();
        (hex::encode(tag.oid), hex::encode(tag.peeled.unwrap()))
    });
    let mut answers = Vec::new();
    for version in ["protocol.version=2", "protocol.version=0"] {
        let text = real_git(&["-c", version, "ls-remote", "--symref", &url]).await.unwrap();
        assert!(text.starts_with("ref: refs/heads/main\tHEAD\n"), "{text}");
        assert!(
            text.contains(&format!(
                "{tag}\trefs/tags/deep/v2.0.0+x\n{commit}\trefs/tags/deep/v2.0.0+x^{{}}\n"
            )),
            "{text}"
        );
        assert_eq!(text.matches("refs/tags/v1.").count(), 3);
        answers.push(text);
    }
    assert_eq!(answers[0], answers[1]);
    let moved =
        real_git(&["ls-remote", "--tags", "--refs", &format!("{web}/acme/terraform-aws-old")]).await.unwrap();
    assert!(moved.ends_with("\trefs/tags/v1.0.0\n"), "{moved}");
    assert_eq!(real_git(&["ls-remote", &format!("{web}/acme/terraform-aws-empty")]).await.unwrap(), "");
    let missing = real_git(&["ls-remote", &format!("{web}/acme/nothing")]).await.unwrap_err();
    assert!(
        missing.contains("Authentication failed") || missing.contains("terminal prompts disabled"),
        "{missing}"
    );
    let known = url.replace("http://", "http://x-access-token:canary@").replace("rocket", "nothing");
    let missing = real_git(&["ls-remote", &known]).await.unwrap_err();
    assert!(missing.contains("not found"), "{missing}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn real_git_clones_a_repository() {
    let server = start().await;
    let web = &server.addresses().web;
    let folder = tempfile::tempdir().unwrap();
    let clone = async |name: &str, place: &str| {
        let place = folder.path().join(place).display().to_string();
        let url = format!("{web}/acme/{name}");
        let answer = real_git(&["clone", "--quiet", "--", &url, &place]).await;
        answer.map(|_| place)
    };
    let place = clone("terraform-provider-rocket", "rocket").await.unwrap();
    real_git(&["-C", &place, "fsck", "--strict"]).await.unwrap();
    assert_eq!(real_git(&["-C", &place, "tag"]).await.unwrap(), "deep/v2.0.0+x\nv1.0.0\nv1.1.0\nv1.2.0\n");
    // What is there already is sent again rather than negotiated.
    real_git(&["-C", &place, "fetch", "--quiet", "--refetch", "--tags"]).await.unwrap();
    let moved = clone("terraform-aws-old", "moved").await.unwrap();
    real_git(&["-C", &moved, "checkout", "--quiet", "v1.0.0"]).await.unwrap();
    clone("terraform-aws-empty", "empty").await.unwrap();
    // A world may be told a tag's id; the object behind it does not exist.
    server.edit(|world| {
        world.repository_mut("acme", "terraform-provider-rocket").unwrap().tags[0].oid = [7; 20];
    });
    let refused = clone("terraform-provider-rocket", "told").await.unwrap_err();
    assert!(refused.contains(&format!("not our ref {}", "07".repeat(20))), "{refused}");
    server.stop().await;
}

#[tokio::test]
async fn ls_refs_may_be_posted_first() {
    let server = start().await;
    let body = "0014command=ls-refs\n00010009peel\n001aref-prefix refs/tags/\n0000";
    let headers = "git-protocol: version=2\r\ncontent-type: application/x-git-upload-pack-request\r\n";
    let post = async |path: &str, headers: &str| {
        ask("POST", &format!("{}/{path}", server.addresses().web), headers, body).await.unwrap()
    };
    let answer = post("ACME/Terraform-Provider-Rocket/git-upload-pack", headers).await;
    assert_eq!((answer.status, answer.text().matches("refs/tags/").count()), (200, 4));
    let without = post("acme/terraform-provider-rocket/git-upload-pack", "").await;
    assert_eq!((without.status, without.body.len()), (200, 0));
    let moved = post("acme/terraform-aws-old.git/git-upload-pack", headers).await;
    assert_eq!(moved.status, 301);
    assert!(moved.header("location").unwrap().ends_with("/acme/terraform-aws-new.git/git-upload-pack"));
    let missing = post("acme/nothing/git-upload-pack", headers).await;
    assert_eq!((missing.status, missing.header("www-authenticate")), (401, Some("Basic realm=\"GitHub\"")));
    server.stop().await;
}

#[tokio::test]
async fn downloads_go_through_another_host() {
    let server = start().await;
    let file = "terraform-provider-rocket_1.2.0_linux_amd64.zip";
    let base = format!("{}/acme/terraform-provider-rocket/releases/download", server.addresses().web);
    let answer = get(&format!("{base}/v1.2.0/{file}")).await;
    assert_eq!(answer.status, 302);
    let place = answer.header("location").unwrap();
    assert!(place.starts_with(&server.addresses().object) && !place.starts_with(&server.addresses().web));
    let zip = get(place).await;
    let sums = get(&format!("{base}/v1.2.0/terraform-provider-rocket_1.2.0_SHA256SUMS")).await;
    let sums = get(sums.header("location").unwrap()).await.text();
    assert!(sums.contains(&format!("{}  {file}\n", hex::encode(sha256(&zip.body)))), "{sums}");
    let part = ask("GET", place, "range: bytes=-22\r\n", "").await.unwrap();
    assert_eq!((part.status, &part.body[..4]), (206, &b"PK\x05\x06"[..]));
    assert_eq!(get(&format!("{base}/v9.9.9/{file}")).await.status, 404);
    server.stop().await;
}

#[tokio::test]
async fn feeds_know_what_the_caller_has() {
    let server = start().await;
    let url = format!("{}/acme/terraform-provider-rocket/releases.atom", server.addresses().web);
    let first = get(&url).await;
    assert!(first.text().contains("Repository/42/deep/v2.0.0+x</id>"));
    let known = format!("if-none-match: {}\r\n", first.header("etag").unwrap());
    assert_eq!(ask("GET", &url, &known, "").await.unwrap().status, 304);
    server.edit(|world| {
        world.repository_mut("acme", "terraform-provider-rocket").unwrap().remove_tag("v1.0.0");
    });
    assert_eq!(ask("GET", &url, &known, "").await.unwrap().status, 200);
    assert_eq!((server.counts().of(Lane::Feed), server.counts().not_modified), (3, 1));
    let moved = get(&url.replace("provider-rocket", "aws-old")).await;
    assert_eq!(moved.status, 301);
    assert_eq!(get(&url.replace("rocket", "nothing")).await.status, 404);
    server.stop().await;
}

#[tokio::test]
async fn rest_has_pages_redirects_limits_and_validators() {
    let server = start().await;
    let api = server.addresses().api.clone();
    let token = "authorization: Bearer canary\r\n";
    let page =
        ask("GET", &format!("{api}/repos/acme/terraform-provider-rocket/releases?per_page=2"), token, "")
            .await
            .unwrap();
    let list: serde_json::Value = serde_json::from_slice(&page.body).unwrap();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["tag_name"]), (2, &"v1.2.0".into()));
    assert_eq!(list[0]["assets"].as_array().unwrap().len(), 4);
    let link = page.header("link").unwrap();
    assert!(link.contains("releases?per_page=2&page=2>; rel=\"next\""), "{link}");
    assert_eq!(page.header("x-ratelimit-remaining"), Some("4999"));
    let known = format!("{token}if-none-match: {}\r\n", page.header("etag").unwrap());
    let again =
        ask("GET", &format!("{api}/repos/acme/terraform-provider-rocket/releases?per_page=2"), &known, "")
            .await
            .unwrap();
    assert_eq!((again.status, again.header("x-ratelimit-remaining")), (304, Some("4999")));
    let moved = get(&format!("{api}/repos/acme/terraform-aws-old/releases?page=1")).await;
    assert_eq!((moved.status, moved.header("x-ratelimit-limit")), (301, Some("60")));
    let followed = get(moved.header("location").unwrap()).await;
    assert_eq!((followed.status, followed.text()), (200, "[]".to_owned()));
    let wrong = ask("GET", &format!("{api}/user"), "authorization: Bearer wrong\r\n", "").await.unwrap();
    assert_eq!(wrong.status, 401);
    server.edit(|world| world.limits.anonymous_per_hour = 2);
    assert_eq!(get(&format!("{api}/repos/acme/x")).await.status, 403);
    server.stop().await;
}

#[tokio::test]
async fn faults_strike_as_often_as_they_say() {
    let server = start().await;
    let url = format!("{}/acme/terraform-provider-rocket/releases.atom", server.addresses().web);
    let mut fault = Fault::new(&[Lane::Feed, Lane::Git], FaultKind::Status(429))
        .at("acme/terraform-provider-rocket")
        .times(1);
    fault.retry_after = Some(60);
    server.edit(|world| world.faults.push(fault));
    let struck = get(&url).await;
    assert_eq!((struck.status, struck.header("retry-after")), (429, Some("60")));
    assert!(struck.text().contains("<title>Rate limit · GitHub</title>"));
    let whole = get(&url).await;
    assert_eq!(whole.status, 200);
    for kind in [FaultKind::Truncate(100), FaultKind::Reset] {
        server.edit(|world| world.faults = vec![Fault::new(&[Lane::Feed], kind.clone()).times(1)]);
        if let Ok(answer) = ask("GET", &url, "", "").await {
            let length: usize = answer.header("content-length").unwrap().parse().unwrap();
            assert!(answer.body.len() < length, "{kind:?}");
        }
    }
    server.edit(|world| world.faults = vec![Fault::new(&[Lane::Feed], FaultKind::Short(100))]);
    let short = get(&url).await;
    assert_eq!((short.body.len(), &short.body[..]), (100, &whole.body[..100]));
    assert_eq!(server.counts().faults, 4);
    server.stop().await;
}

#[tokio::test]
async fn the_record_blanks_tokens_and_leaves_out_answers_of_faults() {
    let server = start().await;
    server.edit(|world| world.faults.push(Fault::new(&[Lane::Feed], FaultKind::Html)));
    let addresses = server.addresses().clone();
    let token = "authorization: Bearer canary\r\n";
    ask("GET", &format!("{}/user", addresses.api), token, "").await.unwrap();
    get(&format!("{}/acme/x/releases.atom", addresses.web)).await;
    let exchanges = server.exchanges();
    assert!(exchanges[0].carries("canary") && exchanges[0].authorized() && !exchanges[1].carries("canary"));
    let lines = json_lines(&exchanges);
    assert!(!lines.contains("canary"), "{lines}");
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["url"], "https://api.github.com/user");
    assert_eq!(lines[0]["response"]["body"]["login"], "maintainer");
    assert_eq!((&lines[1]["fault"], lines[1].get("response")), (&200.into(), None));
    server.stop().await;
}

#[tokio::test]
async fn the_registry_serves_its_files() {
    let server = start().await;
    let base = server.addresses().served.clone();
    let versions: serde_json::Value =
        serde_json::from_slice(&get(&format!("{base}/v1/providers/Acme/rocket/versions")).await.body)
            .unwrap();
    assert_eq!(versions["versions"][0]["version"], "1.2.0");
    let one = format!("{base}/v1/providers/acme/rocket/1.1.0/download/linux/amd64");
    let package: serde_json::Value = serde_json::from_slice(&get(&one).await.body).unwrap();
    assert!(package["packages"]["linux_amd64"]["hashes"][1].as_str().unwrap().starts_with("h1:"));
    assert_eq!(get(&one.replace("linux", "plan9")).await.status, 404);
    assert_eq!(package["signing_keys"], serde_json::json!({ "gpg_public_keys": null }));
    assert_eq!(
        get(&format!("{base}/v1/modules/acme/old/aws/versions")).await.text(),
        "{\"modules\":[{\"versions\":[{\"version\":\"1.0.0\"}]}]}"
    );
    server.stop().await;
}

/// Of a namespace and of one provider of it, and the mirror of HashiCorp's that OpenTofu signs.
const KEYS: &str = r#"
clock = "2026-11-21T12:00:00Z"
key = [
    { name = "acme", on_file = ["acme", "opentofu"] },
    { name = "rocket", on_file = ["acme/rocket"] },
    { name = "other", on_file = ["acme/other"] },
]
[[provider]]
address = "acme/rocket"
targets = ["linux_amd64"]
stored = ["1.0.0"]
signed_by = "acme"
[[provider]]
address = "hashicorp/mirror"
targets = ["linux_amd64"]
stored = ["1.0.0"]
[[module]]
address = "acme/old/aws"
stored = ["v1.0.0"]
"#;

#[tokio::test]
async fn the_served_registry_has_the_keys_and_names_the_hosts_that_it_is_told_to() {
    for links in [Links::Canonical, Links::Own] {
        let options = Options { links, ..Options::default() };
        let server = Server::start(World::parse(KEYS).unwrap(), options).await.unwrap();
        let Addresses { served, web, .. } = server.addresses().clone();
        let json = async |path: &str| -> serde_json::Value {
            serde_json::from_slice(&get(&format!("{served}/v1/{path}")).await.body).unwrap()
        };
        let base = if links == Links::Own { web.as_str() } else { "https://github.com" };
        let one = json("providers/acme/rocket/1.0.0/download/linux/amd64").await;
        let release = format!("{base}/acme/terraform-provider-rocket/releases/download/v1.0.0/");
        for (field, file) in [
            ("download_url", "terraform-provider-rocket_1.0.0_linux_amd64.zip"),
            ("shasums_url", "terraform-provider-rocket_1.0.0_SHA256SUMS"),
            ("shasums_signature_url", "terraform-provider-rocket_1.0.0_SHA256SUMS.sig"),
        ] {
            assert_eq!(one[field], format!("{release}{file}"));
        }
        let ids = |answer: &serde_json::Value| {
            let keys = answer["signing_keys"]["gpg_public_keys"].as_array().unwrap().clone();
            keys.into_iter()
                .map(|key| {
                    assert_eq!(
                        key_id(key["ascii_armor"].as_str().unwrap()).as_deref(),
                        key["key_id"].as_str()
                    );
                    key["key_id"].as_str().unwrap().to_owned()
                })
                .collect::<Vec<_>>()
        };
        let id = |name: &str| {
            let created = jiff::Timestamp::from_second(1_577_836_800).unwrap();
            key_id(std::str::from_utf8(&Signer::new(name, created, None).file()).unwrap()).unwrap()
        };
        assert_eq!(ids(&one), [id("acme"), id("rocket")]);
        let mirror = json("providers/hashicorp/mirror/1.0.0/download/linux/amd64").await;
        assert_eq!(ids(&mirror), [id("acme")]);
        let module = json("modules/acme/old/aws/1.0.0/download").await;
        let location = module["location"].as_str().unwrap();
        assert!(location.starts_with(&format!("git::{base}/acme/terraform-aws-old?ref=")), "{location}");

        // One key that cannot be read, and the registry's generator makes no document.
        server.edit(|world| world.files.insert("keys/a/acme/odd.asc".into(), "odd".into()));
        let refused = get(&format!("{served}/v1/providers/acme/rocket/1.0.0/download/linux/amd64")).await;
        assert_eq!(refused.status, 404);
        server.stop().await;
    }
}

#[tokio::test]
#[expect(
    clippy::disallowed_types,
    reason = "a client that is not the program's own, to see TLS and HTTP/2 from outside"
)]
async fn tls_offers_http2() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::start(World::parse(WORLD).unwrap(), Options { tls: true, ..Options::default() })
        .await
        .unwrap();
    let pem = server.addresses().ca_pem.clone().unwrap();
    let authority = reqwest::Certificate::from_pem(pem.as_bytes()).unwrap();
    let client: reqwest::Client =
        reqwest::Client::builder().tls_certs_only([authority]).user_agent("test").no_proxy().build().unwrap();
    let url = format!("{}/acme/terraform-provider-rocket/releases.atom", server.addresses().web);
    let answer = client.get(&url).send().await.unwrap();
    assert_eq!((answer.version(), answer.status().as_u16()), (reqwest::Version::HTTP_2, 200));
    server.edit(|world| world.faults.push(Fault::new(&[Lane::Feed], FaultKind::Reset).times(1)));
    let broken = match client.get(&url).send().await {
        Ok(answer) => answer.bytes().await.is_err(),
        Err(_) => true,
    };
    assert!(broken);
    assert_eq!(client.get(&url).send().await.unwrap().status().as_u16(), 200);
    server.stop().await;
}
