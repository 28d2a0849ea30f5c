//! `releases.atom`: every entry with its raw tag and time, and the repository's number.
//!
//! The reader refuses what is no such feed: pages, document types, custom entities, cut-off documents, entries without a
//! readable id. A feed lists bare tags and prereleases too and says nothing of either; it never proves absence.

use std::collections::BTreeSet;

use http::HeaderValue;
use http::header::ACCEPT;
use jiff::Timestamp;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, Event};

use crate::registry::{Feed, FeedEntry, Repository};
use crate::remote::Remote;
use crate::remote::http::{
    Answer, Call, Error, Fetched, Http, RawText, Validator, encode_path, encode_query,
};
use crate::settings::Lane;

/// Ten entries with the longest notes that GitHub takes, escaped.
const LIMIT_BYTES: u64 = 16 << 20;
const DEEPEST: usize = 32;
const PAGE: &str = "an HTML page instead of a feed";

impl Remote {
    /// Reads the first page of the release feed.
    pub(crate) async fn feed(
        &self,
        repository: &Repository,
        validator: Option<&Validator>,
    ) -> Result<Fetched<Feed>, Error> {
        let answer = self.http.call(&Call { validator, ..call(repository, None) }).await?;
        if answer.is_not_modified() {
            return Ok(Fetched::NotModified);
        }
        Ok(Fetched::New { value: read(&self.http, &answer)?, validator: answer.validator() })
    }

    /// Adds up to `pages` further pages to `feed`, while every entry so far is unknown to the caller.
    pub(crate) async fn feed_pages(
        &self,
        repository: &Repository,
        mut feed: Feed,
        unknown: impl Fn(&FeedEntry) -> bool,
        pages: usize,
    ) -> Result<Feed, Error> {
        let mut seen: BTreeSet<Box<str>> = feed.entries.iter().map(|entry| entry.tag.clone()).collect();
        let mut fresh = feed.entries.iter().all(&unknown);
        for _ in 0..pages {
            let Some(last) = feed.entries.last().filter(|_| fresh) else { break };
            let answer = self.http.call(&call(repository, Some(&last.tag))).await?;
            let page = read(&self.http, &answer)?;
            fresh = page.entries.iter().all(&unknown);
            let before = feed.entries.len();
            feed.entries.extend(page.entries.into_iter().filter(|entry| seen.insert(entry.tag.clone())));
            feed.repository_id = feed.repository_id.or(page.repository_id);
            if feed.entries.len() == before {
                break;
            }
        }
        Ok(feed)
    }
}

fn call(repository: &Repository, after: Option<&str>) -> Call<'static> {
    let page = after.map(|tag| format!("?after={}", encode_query(tag))).unwrap_or_default();
    let (owner, name) = (encode_path(&repository.owner), encode_path(&repository.name));
    let url = format!("https://github.com/{owner}/{name}/releases.atom{page}");
    let headers = vec![(ACCEPT, HeaderValue::from_static("application/atom+xml"))];
    Call { headers, ..Call::get(Lane::Feed, url, LIMIT_BYTES) }
}

fn read(http: &Http, answer: &Answer) -> Result<Feed, Error> {
    if answer.media_type() == "text/html" {
        return Err(Error::unreadable(PAGE));
    }
    let text = std::str::from_utf8(&answer.body).map_err(|_| Error::unreadable("the feed is not UTF-8"))?;
    parse(text).map_err(|why| http.unreadable(why))
}

#[derive(Debug, Default)]
struct EntryText {
    id: String,
    updated: String,
}

#[derive(Debug, Default)]
struct FeedState {
    feed: Feed,
    /// Names of the open elements.
    path: Vec<String>,
    entry: EntryText,
    done: bool,
}

/// Reads a feed's text. The error says why it is not a feed.
fn parse(text: &str) -> Result<Feed, RawText> {
    let mut reader = Reader::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    reader.config_mut().expand_empty_elements = true;
    let mut state = FeedState::default();
    loop {
        match reader.read_event().map_err(|error| format!("the feed is not XML: {error}"))? {
            Event::Start(start) => state.open(start.local_name().as_ref())?,
            Event::End(_) => state.close()?,
            Event::Text(text) => state.take(&text),
            Event::CData(text) => state.take(&text),
            Event::GeneralRef(reference) => state.take(&resolved(&reference)?),
            Event::DocType(kind) if kind.trim_start().to_ascii_lowercase().starts_with("html") => {
                return Err(PAGE.into());
            }
            Event::DocType(_) => return Err("a feed with a document type".into()),
            Event::Eof => break,
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
    if state.done { Ok(state.feed) } else { Err("the feed is cut off".into()) }
}

impl FeedState {
    fn open(&mut self, name: &str) -> Result<(), RawText> {
        if self.path.is_empty() && (self.done || name != "feed") {
            let page = name.eq_ignore_ascii_case("html");
            let why = if page { PAGE } else { "the document is not a feed" };
            return Err(why.into());
        }
        if self.path.len() >= DEEPEST {
            return Err("the feed is nested too deeply".into());
        }
        if self.path.len() == 1 && name == "entry" {
            self.entry = EntryText::default();
        }
        self.path.push(name.to_owned());
        Ok(())
    }

    fn close(&mut self) -> Result<(), RawText> {
        // The reader itself has seen to it that the names fit.
        let closed = self.path.pop();
        match (self.path.len(), closed.as_deref()) {
            (0, _) => self.done = true,
            (1, Some("entry")) => {
                let (id, entry) = std::mem::take(&mut self.entry).finish()?;
                self.feed.repository_id = self.feed.repository_id.or(Some(id));
                self.feed.entries.push(entry);
            }
            _ => {}
        }
        Ok(())
    }

    fn take(&mut self, text: &str) {
        let [_, entry, name] = &self.path[..] else { return };
        match (entry.as_str(), name.as_str()) {
            ("entry", "id") => self.entry.id.push_str(text),
            ("entry", "updated") => self.entry.updated.push_str(text),
            _ => {}
        }
    }
}

impl EntryText {
    fn finish(self) -> Result<(u64, FeedEntry), RawText> {
        // The tag is everything after the number: it may hold slashes itself.
        let parts = self.id.trim().split_once(":Repository/").and_then(|(_, rest)| rest.split_once('/'));
        let parts = parts.and_then(|(number, tag)| Some((number.parse::<u64>().ok()?, tag)));
        let Some((id, tag)) = parts.filter(|(_, tag)| !tag.is_empty()) else {
            return Err(format!("`{}` is not an id of a feed entry", self.id).into());
        };
        let updated = self.updated.trim().parse::<Timestamp>();
        let updated = updated.map_err(|_| format!("`{}` is not a time", self.updated))?;
        Ok((id, FeedEntry { tag: tag.into(), updated }))
    }
}

/// One of XML's own five entities, or a character by its number; no others.
fn resolved(reference: &BytesRef<'_>) -> Result<String, RawText> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Ok(character.to_string());
    }
    match resolve_predefined_entity(reference) {
        Some(text) => Ok(text.into()),
        None => Err(format!("a feed with the entity `{}`", &**reference).into()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(tag: &str, updated: &str) -> String {
        format!(
            r#"<entry><id>tag:github.com,2008:Repository/467856408/{tag}</id><updated>{updated}</updated>
<link rel="alternate" type="text/html" href="https://github.com/o/r/releases/tag/x"/><title>t</title>
<content type="html">&lt;p&gt;a &amp;amp; b&#39;s <id>not this</id>&lt;/p&gt;</content>
<author><name>someone</name></author><media:thumbnail height="30" width="30" url="https://x"/></entry>"#
        )
    }

    fn document(entries: &str) -> String {
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="en-US">
<id>tag:github.com,2008:https://github.com/o/r/releases</id><title>Release notes from r</title>
<updated>2026-01-01T00:00:00Z</updated>{entries}</feed>
"#
        )
    }

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn entries_are_read_with_raw_tags() {
        let text = document(
            &[
                entry("v1.2.0+meta", "2026-02-28T13:28:32-05:00"),
                entry("mod/sub/v1", "2026-01-02T00:00:00Z"),
                entry("a&amp;b&#x2b;c", "2026-01-01T00:00:00Z"),
            ]
            .concat(),
        );
        let feed = parse(&text).unwrap();
        assert_eq!(feed.repository_id, Some(467_856_408));
        let read: Vec<(&str, Timestamp)> = feed.entries.iter().map(|e| (&*e.tag, e.updated)).collect();
        assert_eq!(
            read,
            [
                ("v1.2.0+meta", time("2026-02-28T18:28:32Z")),
                ("mod/sub/v1", time("2026-01-02T00:00:00Z")),
                ("a&b+c", time("2026-01-01T00:00:00Z")),
            ]
        );
        assert_eq!(parse(&document("")).unwrap(), Feed::default());
    }

    #[test]
    fn what_is_no_feed_is_refused() {
        let good = entry("v1", "2026-01-01T00:00:00Z");
        let cases = [
            ("<!DOCTYPE html><html><body>Rate limit &middot; GitHub</body></html>".to_owned(), "HTML page"),
            ("<html></html>".to_owned(), "HTML page"),
            ("<rss></rss>".to_owned(), "not a feed"),
            (String::new(), "cut off"),
            ("plain".to_owned(), "cut off"),
            (format!("<!DOCTYPE feed [<!ENTITY x \"y\">]>{}", document(&good)), "document type"),
            (document("<entry><id>&x;</id></entry>"), "entity `x`"),
            (document(&good).replace("</feed>", ""), "cut off"),
            (document(&good).replace("</entry>", ""), "not XML"),
            (document(&good) + "<feed></feed>", "not a feed"),
            (document(&entry("v1", "yesterday")), "not a time"),
            (document("<entry><updated>2026-01-01T00:00:00Z</updated></entry>"), "not an id"),
            (document(&entry("", "2026-01-01T00:00:00Z")), "not an id"),
            (document(&"<a>".repeat(50)), "too deeply"),
        ];
        for (text, part) in cases {
            match parse(&text) {
                Err(why) => assert!(why.contains(part), "{why:?} / {part}"),
                other => panic!("{other:?} for {text}"),
            }
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let text = document(&entry("v1", "2026-01-01T00:00:00Z"));
        for end in 0..text.trim_end().len() {
            assert!(parse(&text[..end]).is_err(), "cut at {end}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "\\PC{0,200}") {
            let _ = parse(&text);
            let _ = parse(&document(&text));
        }

        #[test]
        fn any_markup_is_survived(parts in proptest::collection::vec(
            prop::sample::select(vec!["<feed>", "</feed>", "<entry>", "</entry>", "<id>", "</id>", "<updated/>", "&lt;",
                "&#0;", "&#x110000;", "&", "<![CDATA[x]]>", "<!--", "-->", "<?x?>", "<", ">", "a", "Repository/1/v1"]), 0..30)
        ) {
            let _ = parse(&parts.concat());
        }
    }
}
