//! The manual: a page a topic, good to read as Markdown, printed by `bumpdesk help TOPIC`.
//!
//! Text and names only. A page without a row in [`TOPICS`], a topic with a command's name (commands print their own help), a
//! capture that is stale and a link that leads nowhere are found by `tests/it/pages`. Called by `cli`.

/// One page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    /// Its Markdown, as it lies in the repository.
    source: &'static str,
}

/// All pages, in the order in which one would read them.
pub(crate) const TOPICS: &[Topic] = &[
    Topic { name: "getting-started", source: include_str!("getting-started.md") },
    Topic { name: "tour", source: include_str!("tour.md") },
    Topic { name: "commands", source: include_str!("commands.md") },
    Topic { name: "statuses", source: include_str!("statuses.md") },
    Topic { name: "surveys", source: include_str!("surveys.md") },
    Topic { name: "availability", source: include_str!("availability.md") },
    Topic { name: "stranded-tags", source: include_str!("stranded-tags.md") },
    Topic { name: "filters", source: include_str!("filters.md") },
    Topic { name: "changes", source: include_str!("changes.md") },
    Topic { name: "reviews", source: include_str!("reviews.md") },
    Topic { name: "verification", source: include_str!("verification.md") },
    Topic { name: "backfills", source: include_str!("backfills.md") },
    Topic { name: "lock-files", source: include_str!("lock-files.md") },
    Topic { name: "jobs-and-log", source: include_str!("jobs-and-log.md") },
    Topic { name: "worlds", source: include_str!("worlds.md") },
    Topic { name: "line-mode", source: include_str!("line-mode.md") },
    Topic { name: "json", source: include_str!("json.md") },
    Topic { name: "exit-codes", source: include_str!("exit-codes.md") },
    Topic { name: "token", source: include_str!("token.md") },
    Topic { name: "configuration", source: include_str!("configuration.md") },
    Topic { name: "files", source: include_str!("files.md") },
    Topic { name: "themes", source: include_str!("themes.md") },
    Topic { name: "key-table", source: include_str!("key-table.md") },
    Topic { name: "programs", source: include_str!("programs.md") },
    Topic { name: "troubles", source: include_str!("troubles.md") },
    Topic { name: "contributing", source: include_str!("contributing.md") },
];

impl Topic {
    /// The page's heading.
    pub(crate) fn title(&self) -> &'static str {
        self.source.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// The page as it is read, without the marks that tests go by.
    pub(crate) fn text(&self) -> String {
        let lines = self.source.lines().filter(|line| !line.starts_with("<!--"));
        lines.flat_map(|line| [line, "\n"]).collect()
    }
}
