//! As much YAML as workflow files are written in: mappings and lists by indentation, plain and quoted scalars, block scalars
//! (`|`, `>`), and short lists in brackets. Every scalar is a text. What is beyond that is an error, never another meaning.

use serde_json::{Map, Value};

/// A line without its indentation and its comment; blank ones are kept for block scalars alone.
#[derive(Clone, Debug)]
struct Line {
    indent: usize,
    text: String,
    number: usize,
}

/// Reads a whole document.
///
/// # Errors
/// The text says where it is beyond what is read here.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let raw: Vec<&str> = text.lines().collect();
    let mut reader = Reader { raw: &raw, at: 0 };
    let value = match reader.peek()? {
        Some(first) => reader.block(first.indent)?,
        None => Value::Null,
    };
    match reader.peek()? {
        Some(line) => Err(wrong(&line, "an indentation that belongs to nothing")),
        None => Ok(value),
    }
}

fn wrong(line: &Line, what: &str) -> String {
    format!("line {}: {what}", line.number)
}

struct Reader<'a> {
    raw: &'a [&'a str],
    at: usize,
}

impl Reader<'_> {
    /// The next line that is not blank, which stays the next one.
    fn peek(&mut self) -> Result<Option<Line>, String> {
        while let Some(raw) = self.raw.get(self.at) {
            let content = without_comment(raw);
            if !content.trim().is_empty() {
                let indent = content.len() - content.trim_start().len();
                let line = Line { indent, text: content.trim().to_owned(), number: self.at + 1 };
                if raw[..indent].contains('\t') {
                    return Err(wrong(&line, "a tabulator in the indentation"));
                }
                return Ok(Some(line));
            }
            self.at += 1;
        }
        Ok(None)
    }

    fn block(&mut self, indent: usize) -> Result<Value, String> {
        let Some(first) = self.peek()? else { return Ok(Value::Null) };
        if is_item(&first.text) { self.list(indent) } else { self.mapping(indent, None) }
    }

    fn list(&mut self, indent: usize) -> Result<Value, String> {
        let mut items = Vec::new();
        while let Some(line) = self.peek()?.filter(|line| line.indent == indent && is_item(&line.text)) {
            let rest = line.text[1..].trim_start().to_owned();
            if rest.is_empty() {
                return Err(wrong(&line, "an item without a value beside its dash"));
            }
            let inner = indent + line.text.len() - rest.len();
            self.at += 1;
            items.push(match key_of(&rest) {
                Some(_) => self.mapping(inner, Some(Line { indent: inner, text: rest, ..line }))?,
                None => scalar(&rest).map_err(|what| wrong(&line, &what))?,
            });
        }
        Ok(Value::Array(items))
    }

    /// `first`: the part of an item's line behind its dash.
    fn mapping(&mut self, indent: usize, first: Option<Line>) -> Result<Value, String> {
        let mut fields = Map::new();
        let mut given = first;
        loop {
            let line = match given.take() {
                Some(line) => line,
                None => match self.peek()?.filter(|line| line.indent == indent) {
                    Some(line) => {
                        self.at += 1;
                        line
                    }
                    None => return Ok(Value::Object(fields)),
                },
            };
            let Some((key, rest)) = key_of(&line.text) else {
                return Err(wrong(&line, "neither a key nor an item"));
            };
            let value = match rest {
                "" => match self.peek()? {
                    Some(next) if next.indent > indent => self.block(next.indent)?,
                    // The items of a key may stand below it without an indentation of their own.
                    Some(next) if next.indent == indent && is_item(&next.text) => self.list(indent)?,
                    _ => Value::Null,
                },
                "|" | "|-" | ">" | ">-" => Value::String(self.text(indent, rest)),
                _ => scalar(rest).map_err(|what| wrong(&line, &what))?,
            };
            if fields.insert(key.to_owned(), value).is_some() {
                return Err(wrong(&line, &format!("the key `{key}` for the second time")));
            }
        }
    }

    /// A block scalar: all lines that are indented deeper, as they stand.
    fn text(&mut self, indent: usize, style: &str) -> String {
        let depth = |raw: &str| raw.len() - raw.trim_start().len();
        let mut lines = Vec::new();
        while let Some(raw) = self.raw.get(self.at) {
            if !raw.trim().is_empty() && depth(raw) <= indent {
                break;
            }
            lines.push(*raw);
            self.at += 1;
        }
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        let own = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| depth(line)).min();
        let plain = lines.iter().map(|line| line.get(own.unwrap_or(0)..).unwrap_or(""));
        let joined = plain.collect::<Vec<_>>().join(if style.starts_with('>') { " " } else { "\n" });
        if style.ends_with('-') { joined } else { joined + "\n" }
    }
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// `key: rest`, where it is that.
fn key_of(text: &str) -> Option<(&str, &str)> {
    if text.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    match text.split_once(": ") {
        Some((key, rest)) => Some((key, rest.trim())),
        None => text.strip_suffix(':').map(|key| (key, "")),
    }
    .filter(|(key, _)| !key.is_empty())
}

fn scalar(text: &str) -> Result<Value, String> {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']').ok_or("a list in brackets that does not end on its line")?;
        let parts = inner.split(',').map(str::trim).filter(|part| !part.is_empty());
        return parts.map(scalar).collect::<Result<Vec<_>, _>>().map(Value::Array);
    }
    if text == "{}" {
        return Ok(Value::Object(Map::new()));
    }
    if text.starts_with(['{', '&', '*', '!', '%', '@', '`']) {
        return Err(format!("`{text}` is more YAML than this world reads"));
    }
    let quoted = |mark: char| {
        let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
        Some(inner).filter(|_| text.len() > 1)
    };
    if let Some(inner) = quoted('\'') {
        return Ok(inner.replace("''", "'").into());
    }
    if let Some(inner) = quoted('"') {
        return Ok(inner.replace("\\\"", "\"").replace("\\\\", "\\").into());
    }
    if text.starts_with(['\'', '"']) {
        return Err("a quoted text that does not end on its line".to_owned());
    }
    Ok(text.into())
}

/// A comment begins with a `#` at the start or behind a blank, outside of quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, letter) in line.char_indices() {
        if let Some(mark) = quote {
            quote = Some(mark).filter(|mark| *mark != letter);
        } else if letter == '#' && before.is_whitespace() {
            return &line[..at];
        } else if (letter == '\'' || letter == '"') && (before.is_whitespace() || before == '[') {
            // Inside a word it is an apostrophe.
            quote = Some(letter);
        }
        before = letter;
    }
    line
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_workflows_are_written_in() {
        let text = "# a note\nname: It's one # and why\non:\n  workflow_dispatch:\n    inputs: {}\nlist:\n- a\n- 'b: #c'\n\
                    steps:\n  - uses: x@1 # v1\n    with:\n      n: \"1\"\n  - run: |\n      one # stays\n\n        two\n    env: [a, b]\n";
        assert_eq!(
            read(text).unwrap(),
            json!({
                "name": "It's one",
                "on": { "workflow_dispatch": { "inputs": {} } },
                "list": ["a", "b: #c"],
                "steps": [
                    { "uses": "x@1", "with": { "n": "1" } },
                    { "run": "one # stays\n\n  two\n", "env": ["a", "b"] },
                ],
            })
        );
        assert_eq!(read("").unwrap(), Value::Null);
    }

    #[test]
    fn what_is_beyond_it_is_said() {
        for (text, place) in [
            ("a: b\n  c: d\n", "line 2"),
            ("a: {b: c}\n", "line 1"),
            ("a: &x 1\n", "line 1"),
            ("a: 1\na: 2\n", "line 2"),
            ("a:\n  - b\n  c\n", "line 3"),
            ("a: [b\n", "line 1"),
            ("a: 'b\n", "line 1"),
            ("just words\n", "line 1"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(place), "{text}: {error}");
        }
    }
}
