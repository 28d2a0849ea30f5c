//! `releases.atom`: ten entries a page, newest first by their own date, bare tags among them.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::wire::answer::Site;
use crate::wire::call::{Call, Reply, encode};
use crate::wire::trouble;
use crate::world::{FeedEntry, Lookup, Repository};

/// Answers a feed request.
pub(crate) fn answer(site: &Site<'_>, call: &Call, owner: &str, name: &str) -> Reply {
    let repository = match site.world.lookup(owner, name) {
        Lookup::Here(repository) => repository,
        Lookup::Moved(repository) => {
            let query = if call.query.is_empty() { String::new() } else { format!("?{}", call.query) };
            let place = format!("{}/{}/releases.atom{query}", site.web(), repository.full_name());
            return Reply::text(301, "").with("location", place);
        }
        Lookup::Blocked => return trouble::page(451, "Repository unavailable due to DMCA takedown"),
        Lookup::Absent => return trouble::page(404, "Page not found"),
    };
    let text = page(repository, call.parameter("after").as_deref(), site.world.limits.feed_entries);
    let reply = Reply::new(200, "application/atom+xml; charset=utf-8", text);
    site.validated(call, reply)
}

/// One page of the feed: the newest entries, or those after a tag.
fn page(repository: &Repository, after: Option<&str>, size: usize) -> String {
    let entries = repository.feed();
    let start = match after {
        None => 0,
        Some(tag) => entries.iter().position(|entry| entry.tag == tag).map_or(entries.len(), |at| at + 1),
    };
    let shown = &entries[start..entries.len().min(start + size)];
    let url = repository.url();
    let mut out = String::with_capacity(800 + shown.len() * 900);
    let _ = write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:media=\"http://search.yahoo.com/mrss/\" xml:lang=\"en-US\">\n  \
         <id>tag:github.com,2008:{url}/releases</id>\n  \
         <link type=\"text/html\" rel=\"alternate\" href=\"{url}/releases\"/>\n  \
         <link type=\"application/atom+xml\" rel=\"self\" href=\"{url}/releases.atom\"/>\n  \
         <title>Release notes from {}</title>\n",
        repository.name
    );
    if let Some(newest) = shown.first() {
        let _ = writeln!(out, "  <updated>{}</updated>", seconds(newest));
    }
    for entry in shown {
        write_entry(&mut out, repository, &url, entry);
    }
    out.push_str("</feed>\n");
    out
}

fn write_entry(out: &mut String, repository: &Repository, url: &str, entry: &FeedEntry<'_>) {
    let _ = write!(out, "  <entry>\n    <id>tag:github.com,2008:Repository/{}/", repository.id);
    escape(out, entry.tag);
    let _ = write!(
        out,
        "</id>\n    <updated>{}</updated>\n    <link rel=\"alternate\" type=\"text/html\" href=\"{url}/releases/tag/{}\"/>\n    <title>",
        seconds(entry),
        encode(entry.tag),
    );
    escape(out, entry.title);
    out.push_str("</title>\n    <content type=\"html\">&lt;p&gt;Changes since the last one.&lt;/p&gt;</content>\n    <author>\n      <name>");
    escape(out, &repository.owner);
    out.push_str(
        "</name>\n    </author>\n    <media:thumbnail height=\"30\" width=\"30\" \
         url=\"https://avatars.githubusercontent.com/u/1?s=60&amp;v=4\"/>\n  </entry>\n",
    );
}

/// The feed knows seconds, not fractions.
fn seconds(entry: &FeedEntry<'_>) -> jiff::Timestamp {
    jiff::Timestamp::from_second(entry.updated.as_second()).unwrap_or(entry.updated)
}

fn escape(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
}

/// A weak validator of a body.
pub(crate) fn etag(body: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("W/\"{:016x}\"", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    fn world() -> World {
        let tags: Vec<String> =
            (1..=23).map(|n| format!("{{ name = \"v0.{n}.0\", at = \"-{n}d\" }}")).collect();
        World::parse(&format!(
            "clock = \"2026-11-21T12:00:00Z\"\n[[module]]\naddress = \"o/n/t\"\nrepository = {{ id = 42 }}\ntags = [{}, {{ name = \"a/v1+<b>&\", at = \"-1h\" }}]\n",
            tags.join(", ")
        ))
        .unwrap()
    }

    #[test]
    fn entries_are_escaped_and_tags_stand_whole() {
        let world = world();
        let text = page(&world.repositories["o/terraform-t-n"], None, 10);
        assert!(text.contains("<id>tag:github.com,2008:Repository/42/a/v1+&lt;b&gt;&amp;</id>\n    <updated>2026-11-21T11:00:00Z</updated>"), "{text}");
        assert!(
            text.contains("href=\"https://github.com/o/terraform-t-n/releases/tag/a/v1%2B%3Cb%3E%26\""),
            "{text}"
        );
        assert_eq!(text.matches("<entry>").count(), 10);
        assert!(text.contains("Repository/42/v0.9.0<") && !text.contains("Repository/42/v0.10.0<"));
    }

    #[test]
    fn pages_follow_the_last_tag() {
        let world = world();
        let repository = &world.repositories["o/terraform-t-n"];
        let second = page(repository, Some("v0.9.0"), 10);
        assert!(second.contains("Repository/42/v0.10.0<") && second.contains("Repository/42/v0.19.0<"));
        assert_eq!(page(repository, Some("v0.19.0"), 10).matches("<entry>").count(), 4);
        assert_eq!(page(repository, Some("unknown"), 10).matches("<entry>").count(), 0);
    }
}
