//! Where a line stands, as a JSON path with names: `versions[1] 3.70.0 > targets[2] linux_amd64 > shasum`.

use std::fmt::Write as _;

use crate::rules::diff::outline::key_of;
use crate::rules::diff::{BlockKind, LineMark, Lines};

const VERSION_OPENS: &str = "    {";
const TARGET_OPENS: &str = "        {";

impl Lines {
    /// The path of a line: its block's, then the key that it holds. Empty for the braces of the root.
    pub(crate) fn breadcrumb(&self, line: u32) -> String {
        let Some(target) = self.lines.get(line as usize) else { return String::new() };
        let mut parts = Vec::new();
        let block = self.named_block(target.block);
        let (mut path, mut first) = (block.0, block.1);
        if block.2 {
            (path, first) = self.inside_run(&path, first, line);
        }
        if !path.is_empty() {
            parts.push(path);
        }
        parts.extend(self.keys(first, line));
        // The block of a root field is named by the key itself.
        parts.dedup();
        parts.join(" > ")
    }

    /// Path and first line of the innermost block that stands for one thing, and whether it is a run of versions.
    fn named_block(&self, block: u32) -> (String, u32, bool) {
        let mut at = block;
        while at != 0 {
            let Some(block) = self.blocks.get(at as usize) else { break };
            let is_run = block.kind == BlockKind::Unchanged;
            if is_run || !block.path.contains(" to ") {
                return (block.path.clone(), block.first, is_run);
            }
            at = block.parent;
        }
        (String::new(), 0, false)
    }

    /// Names the version, and the target, of a line inside a run of unchanged versions by counting what opens before it.
    fn inside_run(&self, path: &str, first: u32, line: u32) -> (String, u32) {
        let base: usize = path
            .strip_prefix("versions[")
            .and_then(|rest| rest.split(']').next())
            .and_then(|place| place.parse().ok())
            .unwrap_or_default();
        let (mut versions, mut targets, mut version_at, mut start) = (0usize, 0usize, first, first);
        for at in first..=line {
            match self.side_text(at, line) {
                Some(VERSION_OPENS) => {
                    versions += 1;
                    targets = 0;
                    (version_at, start) = (at, at);
                }
                Some(TARGET_OPENS) => {
                    targets += 1;
                    start = at;
                }
                // Behind the last target, the version's own lines go on.
                Some("      ]" | "      ],") => start = version_at,
                _ => {}
            }
        }
        let version = self.value_below(version_at, line, "      \"version\": ");
        let mut path = format!("versions[{}] {version}", base + versions.saturating_sub(1));
        if start != version_at {
            let (os, arch) = (
                self.value_below(start, line, "          \"os\": "),
                self.value_below(start, line, "          \"arch\": "),
            );
            let _ = write!(path, " > targets[{}] {os}_{arch}", targets.saturating_sub(1));
        }
        (path.trim_end().to_owned(), start)
    }

    /// The keys that lead from a block's first line to a line: the line's own, or the list's that it is an item of.
    fn keys(&self, first: u32, line: u32) -> Option<String> {
        let text = self.side_text(line, line)?;
        if let Some(key) = key_of(text) {
            return Some(key.to_owned());
        }
        let closes = text.trim_start().starts_with([']', '}']);
        let indent = indent_of(text);
        // An item of a list of plain values: the key stands above it, less indented.
        let mut items = 0;
        for at in (first..line).rev() {
            let Some(above) = self.side_text(at, line) else { continue };
            if indent_of(above) == indent && key_of(above).is_none() {
                items += 1;
            }
            let holds = indent_of(above) + 2 == indent || (closes && indent_of(above) == indent);
            if holds && let Some(key) = key_of(above) {
                return Some(if closes { key.to_owned() } else { format!("{key}[{items}]") });
            }
            if indent_of(above) + 2 < indent {
                return None;
            }
        }
        None
    }

    /// A line's text if it belongs to the same side as another: the old file's for a removed line, else the new file's.
    fn side_text(&self, at: u32, of: u32) -> Option<&str> {
        let (line, of) = (self.lines.get(at as usize)?, self.lines.get(of as usize)?);
        let other = match of.mark {
            LineMark::Removed => LineMark::Added,
            LineMark::Same | LineMark::Added => LineMark::Removed,
        };
        (line.mark != other).then(|| self.text(line))
    }

    /// The plain text value of the first line that begins so, from a line on, within one object.
    fn value_below(&self, from: u32, of: u32, start: &str) -> &str {
        let closes = match start.len() - start.trim_start().len() {
            6 => "    }",
            _ => "        }",
        };
        for at in from..self.lines.len() as u32 {
            let Some(text) = self.side_text(at, of) else { continue };
            if let Some(value) = text.strip_prefix(start) {
                return value.trim_end_matches(',').trim_matches('"');
            }
            if text.starts_with(closes) {
                break;
            }
        }
        ""
    }
}

fn indent_of(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
