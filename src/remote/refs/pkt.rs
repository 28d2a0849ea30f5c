//! Git's pkt-lines and the two forms in which servers list refs. Pure; takes any bytes and never panics.

use crate::registry::Tag;
use crate::remote::http::{RawText, clean};

const TAGS: &str = "refs/tags/";
/// The most tags that are read. This is far more than any repository of the registry has: its longest list has 2,504
/// versions. Each tag takes a kilobyte of memory, and a hundred bytes of the state until its entry is judged.
pub(super) const MOST_TAGS: usize = 50_000;
pub(super) const TOO_MANY: &str =
    "it lists more than 50,000 tags, which are not read; the longest list in the registry has 2,504";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packet<'a> {
    Data(&'a [u8]),
    Flush,
    Delimiter,
    End,
}

/// The answer to `info/refs`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Advertisement {
    /// Version 2: capabilities alone. The object format, if one is named.
    Capabilities { object_format: Option<String> },
    /// Version 0 or 1: the refs themselves.
    Refs(Vec<Tag>),
}

/// One pkt-line with this text.
pub(super) fn line(text: &str) -> String {
    format!("{:04x}{text}", text.len() + 4)
}

/// Splits bytes into packets.
#[derive(Debug)]
pub(super) struct Packets<'a> {
    rest: &'a [u8],
}

impl<'a> Packets<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next packet; `None` at the end of the bytes.
    pub(super) fn next(&mut self) -> Result<Option<Packet<'a>>, RawText> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let Some((head, rest)) = self.rest.split_first_chunk::<4>() else {
            return Err(cut_off());
        };
        let length = std::str::from_utf8(head)
            .ok()
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|text| usize::from_str_radix(text, 16).ok())
            .ok_or_else(|| format!("`{}` is not a pkt-line", quote(self.rest)))?;
        let (packet, rest) = match length {
            0 => (Packet::Flush, rest),
            1 => (Packet::Delimiter, rest),
            2 => (Packet::End, rest),
            3 => return Err("a pkt-line of length 3".into()),
            _ => {
                let (data, rest) = rest.split_at_checked(length - 4).ok_or_else(cut_off)?;
                if let Some(message) = data.strip_prefix(b"ERR ") {
                    return Err(format!("git says: {}", quote(message)).into());
                }
                (Packet::Data(data), rest)
            }
        };
        self.rest = rest;
        Ok(Some(packet))
    }
}

/// The tags out of an answer to `ls-refs`. One malformed line fails them all, as in the registry's own parser.
pub(super) fn listed(body: &[u8]) -> Result<Vec<Tag>, RawText> {
    let mut packets = Packets::new(body);
    let mut tags = Vec::new();
    loop {
        match packets.next()? {
            Some(Packet::Data(data)) => push(&mut tags, tag(data)?)?,
            Some(Packet::Flush) => return Ok(tags),
            Some(Packet::Delimiter | Packet::End) => return Err("a misplaced pkt-line".into()),
            None => return Err(cut_off()),
        }
    }
}

/// Reads what `info/refs` answered with, in any version.
pub(super) fn advertised(body: &[u8]) -> Result<Advertisement, RawText> {
    let mut packets = Packets::new(body);
    let mut first = packets.next()?;
    if matches!(first, Some(Packet::Data(data)) if data.starts_with(b"# service=")) {
        if packets.next()? != Some(Packet::Flush) {
            return Err("no end after the service line".into());
        }
        first = packets.next()?;
    }
    match first {
        Some(Packet::Data(data)) if trimmed(data) == b"version 2" => capabilities(packets),
        Some(Packet::Data(data)) if trimmed(data) == b"version 1" => {
            let first = packets.next()?;
            refs(first, packets)
        }
        first => refs(first, packets),
    }
}

fn capabilities(mut packets: Packets<'_>) -> Result<Advertisement, RawText> {
    let mut object_format = None;
    let mut lists_refs = false;
    while let Some(Packet::Data(data)) = packets.next()? {
        let text = String::from_utf8_lossy(trimmed(data));
        lists_refs |= text == "ls-refs" || text.starts_with("ls-refs=");
        if let Some(format) = text.strip_prefix("object-format=") {
            object_format = Some(format.to_owned());
        }
    }
    if !lists_refs {
        return Err("the server offers no ls-refs".into());
    }
    Ok(Advertisement::Capabilities { object_format })
}

fn refs(first: Option<Packet<'_>>, mut packets: Packets<'_>) -> Result<Advertisement, RawText> {
    let mut tags = Vec::new();
    let mut packet = first;
    loop {
        match packet {
            // Capabilities follow the first name after a NUL.
            Some(Packet::Data(data)) => {
                let name = data.split(|&byte| byte == 0).next().unwrap_or_default();
                take(&mut tags, tag(name)?)?;
            }
            Some(Packet::Flush) => return Ok(Advertisement::Refs(tags)),
            Some(Packet::Delimiter | Packet::End) => return Err("a misplaced pkt-line".into()),
            None => return Err(cut_off()),
        }
        packet = packets.next()?;
    }
}

fn push(tags: &mut Vec<Tag>, tag: Option<Tag>) -> Result<(), RawText> {
    if tag.is_some() && tags.len() == MOST_TAGS {
        return Err(TOO_MANY.into());
    }
    tags.extend(tag);
    Ok(())
}

/// Adds a tag to the list. A line `NAME^{}` names the commit of the annotated tag in the line before.
fn take(tags: &mut Vec<Tag>, tag: Option<Tag>) -> Result<(), RawText> {
    let Some(name) = tag.as_ref().and_then(|tag| tag.name.strip_suffix("^{}")) else {
        return push(tags, tag);
    };
    if let Some(annotated) = tags.last_mut().filter(|before| &*before.name == name) {
        annotated.peeled = tag.as_ref().map(|tag| tag.oid.clone());
    }
    Ok(())
}

/// `<id> <name>[ attributes]`; `None` for a ref that is no tag.
fn tag(data: &[u8]) -> Result<Option<Tag>, RawText> {
    let malformed = || RawText::from(format!("`{}` is not a line of refs", quote(data)));
    let text = String::from_utf8_lossy(trimmed(data));
    let mut fields = text.split(' ');
    let (Some(oid), Some(name)) = (fields.next(), fields.next()) else {
        return Err(malformed());
    };
    if !is_id(oid) {
        return Err(malformed());
    }
    match name.strip_prefix(TAGS) {
        Some("") => Err(malformed()),
        Some(name) => {
            let peeled = fields.find_map(|field| field.strip_prefix("peeled:")).filter(|id| is_id(id));
            Ok(Some(Tag { name: name.into(), oid: oid.into(), peeled: peeled.map(Into::into) }))
        }
        None if name.is_empty() || name.contains(TAGS) => Err(malformed()),
        None => Ok(None),
    }
}

fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn trimmed(data: &[u8]) -> &[u8] {
    data.strip_suffix(b"\n").unwrap_or(data)
}

fn quote(bytes: &[u8]) -> String {
    clean(&String::from_utf8_lossy(&bytes[..bytes.len().min(60)]))
}

fn cut_off() -> RawText {
    "git's answer is cut off".into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    fn tags(list: &[(&str, &str)]) -> Vec<Tag> {
        list.iter()
            .map(|(name, oid)| Tag { name: (*name).into(), oid: (*oid).into(), peeled: None })
            .collect()
    }

    fn peeled(mut list: Vec<Tag>, name: &str, commit: &str) -> Vec<Tag> {
        list.iter_mut().find(|tag| &*tag.name == name).unwrap().peeled = Some(commit.into());
        list
    }

    /// Tested in both forms. Other refs in between do not count.
    #[test]
    fn a_list_of_too_many_tags_is_not_read() {
        for (count, is_read) in [(MOST_TAGS, true), (MOST_TAGS + 1, false), (3 * MOST_TAGS, false)] {
            let mut body = line(&format!("{A} refs/heads/main\n"));
            for number in 0..count {
                body.push_str(&line(&format!("{A} refs/tags/v{number}\n")));
            }
            body.push_str("0000");
            let listed = listed(body.as_bytes());
            assert_eq!(listed.as_ref().map(Vec::len).ok(), is_read.then_some(count));
            assert_eq!(advertised(body.as_bytes()).is_ok(), is_read);
            if let Err(error) = listed {
                assert!(error.contains("more than 50,000 tags"), "{error:?}");
            }
        }
    }

    #[test]
    fn ls_refs_answers_are_read() {
        let long = "c".repeat(64);
        let body = [
            line(&format!("{A} refs/tags/v1.0.0\n")),
            line(&format!("{B} refs/tags/mod/v2+x peeled:{A}\n")),
            line(&format!("{B} refs/heads/main\n")),
            line(&format!("{B} HEAD symref-target:refs/heads/main\n")),
            line(&format!("{long} refs/tags/sha256")),
            "0000".into(),
        ]
        .concat();
        let expected = peeled(tags(&[("v1.0.0", A), ("mod/v2+x", B), ("sha256", &long)]), "mod/v2+x", A);
        assert_eq!(listed(body.as_bytes()).unwrap(), expected);
        assert_eq!(listed(b"0000").unwrap(), []);
    }

    /// A text after `peeled:` that is not an id, or a peeled line without its tag, does not set a commit.
    #[test]
    fn the_commit_behind_a_tag_is_an_id_or_not_known() {
        for (attributes, commit) in [
            (format!(" peeled:{A}"), Some(A)),
            (format!(" symref-target:x peeled:{A}"), Some(A)),
            (" peeled:".to_owned(), None),
            (format!(" peeled:{}", &A[1..]), None),
            (" unborn".to_owned(), None),
        ] {
            let body = line(&format!("{B} refs/tags/v1{attributes}\n")) + "0000";
            let found = listed(body.as_bytes()).unwrap();
            assert_eq!((found[0].peeled.as_deref(), found[0].commit()), (commit, commit.unwrap_or(B)));
        }
        let body = [
            line(&format!("{A} refs/tags/v1^{{}}\n")),
            line(&format!("{B} refs/tags/v2\n")),
            line(&format!("{A} refs/tags/v1^{{}}\n")),
            "0000".into(),
        ]
        .concat();
        assert_eq!(advertised(body.as_bytes()).unwrap(), Advertisement::Refs(tags(&[("v2", B)])));
    }

    #[test]
    fn one_malformed_line_fails_them_all() {
        let good = line(&format!("{A} refs/tags/v1\n"));
        let cases = [
            line(&format!("{A} refs/tags/\n")),
            line(&format!("{A}\n")),
            line(&format!("{} refs/tags/v2\n", &A[1..])),
            line(&format!("{} refs/tags/v2\n", A.replace('a', "g"))),
            line(&format!("{A} x/refs/tags/v2\n")),
            line(&format!("{A}  refs/tags/v2\n")),
            line("ERR access denied\n"),
            "0001".into(),
            "0003".into(),
            "zzzz".into(),
            "+004".into(),
            "<!DOCTYPE html>".into(),
            "ffff".into(),
            String::new(),
        ];
        for bad in cases {
            // The empty case is the truncated one: no flush follows.
            let end = if bad.is_empty() { "" } else { "0000" };
            assert!(listed(format!("{good}{bad}{end}").as_bytes()).is_err(), "{bad}");
        }
        assert!(listed(format!("{good}00").as_bytes()).is_err());
    }

    #[test]
    fn advertisements_of_all_versions_are_read() {
        let service = line("# service=git-upload-pack\n") + "0000";
        let v0 = [
            line(&format!("{A} HEAD\0multi_ack symref=HEAD:refs/heads/main\n")),
            line(&format!("{A} refs/heads/main\n")),
            line(&format!("{B} refs/tags/v1\n")),
            line(&format!("{A} refs/tags/v1^{{}}\n")),
            "0000".into(),
        ]
        .concat();
        let refs = Advertisement::Refs(peeled(tags(&[("v1", B)]), "v1", A));
        assert_eq!(advertised((service.clone() + &v0).as_bytes()).unwrap(), refs);
        assert_eq!(advertised((service.clone() + &line("version 1\n") + &v0).as_bytes()).unwrap(), refs);
        let v2 =
            [line("version 2\n"), line("ls-refs=unborn\n"), line("object-format=sha256\n"), "0000".into()];
        let capabilities = Advertisement::Capabilities { object_format: Some("sha256".into()) };
        assert_eq!(advertised(v2.concat().as_bytes()).unwrap(), capabilities);
        assert_eq!(advertised((service.clone() + &v2.concat()).as_bytes()).unwrap(), capabilities);
        let empty = line(&format!("{} capabilities^{{}}\0agent=git/2\n", "0".repeat(40))) + "0000";
        assert_eq!(advertised((service.clone() + &empty).as_bytes()).unwrap(), Advertisement::Refs(vec![]));
        assert_eq!(advertised((service.clone() + "0000").as_bytes()).unwrap(), Advertisement::Refs(vec![]));
        for bad in [service.as_str(), "", "<html>", &line("version 2\n")] {
            assert!(advertised(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = listed(&bytes);
            let _ = advertised(&bytes);
        }

        #[test]
        fn any_text_in_packets_is_survived(texts in proptest::collection::vec("[a-f0-9 /\\x00\nrefstag^{}]{0,80}", 0..8)) {
            let body: String = texts.iter().map(|text| line(text)).chain(["0000".to_owned()]).collect();
            let _ = listed(body.as_bytes());
            let _ = advertised(body.as_bytes());
        }

        #[test]
        fn what_was_written_is_read(names in proptest::collection::vec("[a-zA-Z0-9._/+@-]{1,40}", 0..20)) {
            let lines = names.iter().map(|name| line(&format!("{A} refs/tags/{name}\n")));
            let body: String = lines.chain(["0000".to_owned()]).collect();
            let read: Vec<String> = listed(body.as_bytes()).unwrap().iter().map(|tag| tag.name.to_string()).collect();
            prop_assert_eq!(read, names);
            // Cut anywhere, it fails instead of listing less.
            for end in 0..body.len() {
                prop_assert!(listed(&body.as_bytes()[..end]).is_err());
            }
        }
    }
}
