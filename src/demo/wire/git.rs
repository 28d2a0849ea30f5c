//! git's smart HTTP protocol as far as `ls-remote` and `clone` need it: the advertisement in v0 and v2, and the v2 commands
//! `ls-refs` and `fetch`. A fetch gets the whole repository, whatever the caller has.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use sha1::{Digest, Sha1};

use crate::forge::objects::read_oid;
use crate::forge::{Forge, Hosted, MAIN};
use crate::object::Object;
use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply};
use crate::world::{Lookup, Oid, Repository};

const AGENT: &str = "agent=git/github-demo-world";

/// Answers `info/refs` or `git-upload-pack` of a repository; `name` may end in `.git`.
pub(crate) fn answer(site: &Site<'_>, call: &Call, (owner, name): (&str, &str), service: &str) -> Reply {
    let source = match admit(site, call, (owner, name), service) {
        Ok(source) => source,
        Err(reply) => return *reply,
    };
    let v2 =
        call.header("git-protocol").is_some_and(|versions| versions.split(':').any(|one| one == "version=2"));
    if service == "info/refs" {
        return advertise(source, call, v2);
    }
    if call.method != http::Method::POST {
        return Reply::text(405, "Method Not Allowed");
    }
    let body = if v2 { command(source, &unpacked(call)) } else { Vec::new() };
    Reply::new(200, "application/x-git-upload-pack-result", body).with("cache-control", "no-cache")
}

fn admit<'a>(
    site: &'a Site<'_>,
    call: &Call,
    (owner, name): (&str, &str),
    service: &str,
) -> Result<Source<'a>, Box<Reply>> {
    let token = call.token();
    let refused =
        || Reply::text(401, "Repository not found.").with("www-authenticate", "Basic realm=\"GitHub\"");
    if token.is_some() && !site.accepts(token.as_deref()) {
        return Err(refused().into());
    }
    let plain = name.strip_suffix(".git").unwrap_or(name);
    if let Some(hosted) = site.world.forge.find(owner, plain) {
        return Ok(Source::Hosted(&site.world.forge, hosted));
    }
    match site.world.lookup(owner, plain) {
        Lookup::Here(repository) => Ok(Source::Upstream(repository)),
        Lookup::Moved(repository) => {
            let suffix = &name[plain.len()..];
            let query = if call.query.is_empty() { String::new() } else { format!("?{}", call.query) };
            let place = format!("{}/{}{suffix}/{service}{query}", site.web(), repository.full_name());
            Err(Reply::text(301, "").with("location", place).into())
        }
        Lookup::Blocked => Err(Reply::text(451, "Repository unavailable due to DMCA takedown.").into()),
        Lookup::Absent if token.is_some() => Err(Reply::text(404, "Repository not found.").into()),
        Lookup::Absent => Err(refused().into()),
    }
}

/// git packs request bodies over one KiB.
fn unpacked(call: &Call) -> Cow<'_, [u8]> {
    if call.header("content-encoding") != Some("gzip") {
        return Cow::Borrowed(&call.body);
    }
    let mut plain = Vec::new();
    match flate2::read::GzDecoder::new(&*call.body).take(1 << 20).read_to_end(&mut plain) {
        Ok(_) => Cow::Owned(plain),
        Err(_) => Cow::Borrowed(&[]),
    }
}

fn advertise(source: Source<'_>, call: &Call, v2: bool) -> Reply {
    if call.parameter("service").as_deref() != Some("git-upload-pack") {
        return Reply::text(403, "Please upgrade your git client.");
    }
    let mut out = Vec::new();
    packet(&mut out, &["# service=git-upload-pack\n"]);
    out.extend(b"0000");
    if v2 {
        for line in [
            "version 2\n",
            AGENT,
            "ls-refs=unborn\n",
            "fetch=shallow wait-for-done filter\n",
            "server-option\n",
            "object-format=sha1\n",
        ] {
            let end = if line == AGENT { "\n" } else { "" };
            packet(&mut out, &[line, end]);
        }
        out.extend(b"0000");
    } else {
        advertise_v0(&mut out, source);
    }
    Reply::new(200, "application/x-git-upload-pack-advertisement", out).with("cache-control", "no-cache")
}

fn advertise_v0(out: &mut Vec<u8>, source: Source<'_>) {
    let mut offers = format!(
        "\0multi_ack thin-pack side-band side-band-64k ofs-delta shallow no-progress include-tag object-format=sha1 {AGENT}"
    );
    let refs = source.refs();
    if refs.is_empty() {
        packet(out, &[&"0".repeat(40), " capabilities^{}", &offers, "\n"]);
    } else {
        offers.push_str(" symref=HEAD:refs/heads/main");
    }
    for (index, line) in refs.iter().enumerate() {
        let first = if index == 0 { offers.as_str() } else { "" };
        packet(out, &[&hex::encode(line.oid), " ", &line.name, first, "\n"]);
        if let Some(peeled) = line.peeled {
            packet(out, &[&hex::encode(peeled), " ", &line.name, "^{}\n"]);
        }
    }
    out.extend(b"0000");
}

/// Answers one v2 command.
fn command(source: Source<'_>, body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let Some(lines) = packets(body) else {
        packet(&mut out, &["ERR bad packet framing"]);
        return out;
    };
    match lines.first() {
        Some(&"command=ls-refs") => ls_refs(&mut out, source, &lines),
        Some(&"command=fetch") => fetch(&mut out, source, &lines),
        Some(other) => packet(&mut out, &["ERR this world knows no ", other]),
        None => {}
    }
    out
}

fn ls_refs(out: &mut Vec<u8>, source: Source<'_>, lines: &[&str]) {
    let peel = lines.contains(&"peel");
    let symrefs = lines.contains(&"symrefs");
    let prefixes: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("ref-prefix ")).collect();
    let wanted = |name: &str| prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix));
    for line in source.refs() {
        if !wanted(&line.name) {
            continue;
        }
        let oid = hex::encode(line.oid);
        let head = if symrefs && line.name == "HEAD" { " symref-target:refs/heads/main" } else { "" };
        match line.peeled.filter(|_| peel) {
            Some(peeled) => {
                packet(out, &[&oid, " ", &line.name, head, " peeled:", &hex::encode(peeled), "\n"]);
            }
            None => packet(out, &[&oid, " ", &line.name, head, "\n"]),
        }
    }
    out.extend(b"0000");
}

/// The most that a packet of the side band holds besides its length and the band's number.
const MOST_IN_BAND: usize = 65_515;

fn fetch(out: &mut Vec<u8>, source: Source<'_>, lines: &[&str]) {
    let names: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("want ")).collect();
    let wanted: Vec<Oid> = names.iter().filter_map(|name| read_oid(name)).collect();
    let objects = source.objects(&wanted);
    if let Some(unknown) =
        names.iter().find(|name| read_oid(name).is_none_or(|oid| !objects.contains_key(&oid)))
    {
        return packet(out, &["ERR upload-pack: not our ref ", unknown]);
    }
    if !lines.contains(&"done") {
        packet(out, &["acknowledgments\n"]);
        packet(out, &["NAK\n"]);
        return out.extend(b"0000");
    }
    packet(out, &["packfile\n"]);
    for piece in pack(objects.values()).chunks(MOST_IN_BAND) {
        out.extend(format!("{:04x}\u{1}", piece.len() + 5).as_bytes());
        out.extend(piece);
    }
    out.extend(b"0000");
}

/// A pack of whole objects (gitformat-pack).
fn pack<'a>(objects: impl ExactSizeIterator<Item = &'a Object>) -> Vec<u8> {
    let mut out = b"PACK\0\0\0\x02".to_vec();
    out.extend((objects.len() as u32).to_be_bytes());
    for object in objects {
        let mut rest = object.content.len();
        let mut byte = (object.kind as u8) << 4 | (rest & 0xf) as u8;
        rest >>= 4;
        while rest > 0 {
            out.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        out.push(byte);
        let mut packer = ZlibEncoder::new(&mut out, Compression::fast());
        packer.write_all(&object.content).expect("memory takes every byte");
        packer.finish().expect("memory takes every byte");
    }
    let sum = Sha1::digest(&out);
    out.extend(sum);
    out
}

struct Ref<'a> {
    name: Cow<'a, str>,
    oid: Oid,
    peeled: Option<Oid>,
}

/// The head commit of a repository.
pub(crate) fn head(repository: &Repository) -> Oid {
    Object::commit(repository.seed, "HEAD", "").oid()
}

/// What git is answered from.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Upstream(&'a Repository),
    Hosted(&'a Forge, &'a Hosted),
}

impl<'a> Source<'a> {
    /// All refs in git's order: HEAD, then by name.
    fn refs(self) -> Vec<Ref<'a>> {
        match self {
            Self::Upstream(repository) if repository.empty => Vec::new(),
            Self::Upstream(repository) => {
                let head = head(repository);
                let mut tags: Vec<_> = repository.tags.iter().collect();
                tags.sort_unstable_by(|a, b| a.name.cmp(&b.name));
                let tags = tags.into_iter().map(|tag| Ref {
                    name: format!("refs/tags/{}", tag.name).into(),
                    oid: tag.oid,
                    peeled: tag.peeled,
                });
                [plain("HEAD", head), plain("refs/heads/main", head)].into_iter().chain(tags).collect()
            }
            Self::Hosted(_, hosted) => {
                let main = hosted.branches.get(MAIN).map(|tip| plain("HEAD", *tip));
                let branches =
                    hosted.branches.iter().map(|(name, tip)| plain(format!("refs/heads/{name}"), *tip));
                let pulls = hosted
                    .pulls
                    .iter()
                    .map(|pull| plain(format!("refs/pull/{}/head", pull.number), pull.head));
                main.into_iter().chain(branches).chain(pulls).collect()
            }
        }
    }

    /// The objects that these need, and perhaps more.
    fn objects(self, wanted: &[Oid]) -> BTreeMap<Oid, Object> {
        match self {
            Self::Upstream(repository) => Object::all_of(repository),
            Self::Hosted(forge, _) => {
                let found = forge.objects.reachable(wanted.iter().copied());
                found.into_iter().map(|(oid, object)| (oid, object.clone())).collect()
            }
        }
    }
}

fn plain<'a>(name: impl Into<Cow<'a, str>>, oid: Oid) -> Ref<'a> {
    Ref { name: name.into(), oid, peeled: None }
}

/// Appends a packet: four hex digits of length, themselves included, then the parts.
fn packet(out: &mut Vec<u8>, parts: &[&str]) {
    let length = 4 + parts.iter().map(|part| part.len()).sum::<usize>();
    out.extend(format!("{length:04x}").as_bytes());
    for part in parts {
        out.extend(part.as_bytes());
    }
}

/// The texts of all packets, without line ends; delimiters and flushes are left out. `None` for broken framing.
fn packets(body: &[u8]) -> Option<Vec<&str>> {
    let mut lines = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let length = usize::from_str_radix(std::str::from_utf8(rest.get(..4)?).ok()?, 16).ok()?;
        if length < 4 {
            rest = &rest[4..];
            continue;
        }
        let line = std::str::from_utf8(rest.get(4..length)?).ok()?;
        lines.push(line.strip_suffix('\n').unwrap_or(line));
        rest = &rest[length..];
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    fn repository(text: &str) -> Repository {
        let world = World::parse(&format!(
            "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"o/n/t\"\n{text}"
        ))
        .unwrap();
        world.repositories["o/terraform-t-n"].clone()
    }

    #[test]
    fn ls_refs_filters_and_peels() {
        let repository = repository("tags = [\"v2\", { name = \"v1\", annotated = true }]");
        let body = b"0014command=ls-refs\n00010009peel\n001aref-prefix refs/tags/\n0000";
        let answer = String::from_utf8(command(Source::Upstream(&repository), body)).unwrap();
        let (v1, v2) = (repository.tag("v1").unwrap(), repository.tag("v2").unwrap());
        let wanted = format!(
            "006a{} refs/tags/v1 peeled:{}\n003a{} refs/tags/v2\n0000",
            hex::encode(v1.oid),
            hex::encode(v1.peeled.unwrap()),
            hex::encode(v2.oid)
        );
        assert_eq!(answer, wanted);
        assert!(packets(answer.as_bytes()).is_some(), "{answer}");
    }

    #[test]
    fn an_empty_repository_has_no_refs() {
        let repository = repository("repository = { empty = true }");
        assert_eq!(command(Source::Upstream(&repository), b"0014command=ls-refs\n0000"), b"0000");
        let mut out = Vec::new();
        advertise_v0(&mut out, Source::Upstream(&repository));
        assert!(
            String::from_utf8(out)
                .unwrap()
                .contains("0000000000000000000000000000000000000000 capabilities^{}\0")
        );
    }

    #[test]
    fn broken_framing_is_answered_not_feared() {
        let repository = repository("");
        for body in [&b"00"[..], b"zzzz", b"ffffx", b"0014comm\xff\xfe\xfd"] {
            assert!(
                String::from_utf8(command(Source::Upstream(&repository), body)).unwrap().contains("ERR"),
                "{body:?}"
            );
        }
    }
}
