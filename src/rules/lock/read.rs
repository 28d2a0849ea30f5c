//! Reads a lock file. What the client would not read is a mistake with line, column and remedy, and every mistake is told;
//! a file with one is not checked at all.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::parser::parse_body;
use hcl_edit::structure::{Attribute, Block, BlockLabel, Structure};

use crate::registry::{Address, Version};
use crate::rules::lock::{HOST, LockBlock, LockFile, Place, SkippedBlock, Spanned, constraints};

/// No lock file comes near this: two hundred providers have less than half of it.
pub(crate) const LOCK_BYTES_MAX: usize = 256 << 10;
/// Equal signs and colons in one file. Fields are compared each with each while an object is read, and every field has one of
/// these; the hashes of the largest lock file have fewer.
const SIGNS_MAX: usize = 12_000;
/// Mistakes that are told of one file.
const MISTAKES_MAX: usize = 20;

/// Something that the client would not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LockMistake {
    pub(crate) at: Place,
    /// A sentence, lower case, without a full stop.
    pub(crate) text: String,
    /// A sentence that starts with a verb.
    pub(crate) remedy: String,
}

/// Reads the bytes of a lock file.
///
/// # Errors
/// The mistakes in the order of the file, twenty at most.
pub(crate) fn read(bytes: &[u8]) -> Result<LockFile, Vec<LockMistake>> {
    let start = Place { line: 1, column: 1 };
    let fail = |at, text: String, remedy: &str| vec![LockMistake { at, text, remedy: remedy.to_owned() }];
    if bytes.len() > LOCK_BYTES_MAX {
        let text = format!("it has {} bytes, and at most {LOCK_BYTES_MAX} are read", bytes.len());
        return Err(fail(start, text, "Name the file `.terraform.lock.hcl` of one configuration."));
    }
    // Clients pass over a byte order mark.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = &*text_of(bytes).map_err(|(good, at)| {
        let at = Lines::of(&good).place(&good, at);
        fail(at, "it is not UTF-8 here".to_owned(), "Save it as UTF-8.")
    })?;
    if text.bytes().filter(|byte| matches!(byte, b'=' | b':')).count() > SIGNS_MAX {
        let text = format!("it has more than {SIGNS_MAX} equal signs and colons, which no lock file has");
        return Err(fail(start, text, "Name the file `.terraform.lock.hcl` of one configuration."));
    }
    let body = parse_body(text).map_err(|error| {
        let (line, column) = (error.location().line(), error.location().column());
        let at = Place { line, column };
        fail(
            at,
            error.message().to_owned(),
            "Run `tofu init` to have the file written again, or fix the place.",
        )
    })?;
    let mut reader = Reader {
        text,
        lines: Lines::of(text),
        file: LockFile::default(),
        seen: BTreeMap::new(),
        mistakes: Vec::new(),
    };
    for structure in &body {
        reader.take(structure);
        if reader.is_full() {
            break;
        }
    }
    let Reader { mut mistakes, file, .. } = reader;
    if mistakes.is_empty() {
        return Ok(file);
    }
    mistakes.sort_by_key(|mistake| mistake.at);
    mistakes.truncate(MISTAKES_MAX);
    Err(mistakes)
}

/// The bytes as text. Clients pass over what is not UTF-8 in a comment.
///
/// # Errors
/// Something else is not UTF-8: the text as far as it can be read, and where that is.
fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, (String, usize)> {
    let is_comment = |line: &[u8]| {
        let line = line.trim_ascii_start();
        line.starts_with(b"#") || line.starts_with(b"//")
    };
    let mut before = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let (Err(error), false) = (std::str::from_utf8(line), is_comment(line)) {
            let good = String::from_utf8_lossy(&bytes[..before + error.valid_up_to()]).into_owned();
            let at = good.len();
            return Err((good, at));
        }
        before += line.len();
    }
    Ok(String::from_utf8_lossy(bytes))
}

/// Where the lines of a text begin: places are asked for thousands of times.
struct Lines {
    begin: Vec<usize>,
    /// The last place that was asked for, in bytes, and its column: on a long line the next one is counted from there.
    last: Cell<(usize, usize)>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let begin = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { begin, last: Cell::new((0, 1)) }
    }

    fn place(&self, text: &str, at: usize) -> Place {
        let line = self.begin.partition_point(|begin| *begin <= at);
        let begin = self.begin.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let (last, known) = self.last.get();
        let (from, before) = if (begin..=at).contains(&last) { (last, known) } else { (begin, 1) };
        let column = before + text.get(from..at).map_or(0, |between| between.chars().count());
        self.last.set((at, column));
        Place { line, column }
    }
}

struct Reader<'a> {
    text: &'a str,
    lines: Lines,
    file: LockFile,
    /// Sources that have a block, and where.
    seen: BTreeMap<String, Place>,
    mistakes: Vec<LockMistake>,
}

impl Reader<'_> {
    fn place(&self, span: Option<Range<usize>>) -> Place {
        self.lines.place(self.text, span.map_or(0, |span| span.start))
    }

    /// Whether as many mistakes are known as are told.
    fn is_full(&self) -> bool {
        self.mistakes.len() >= MISTAKES_MAX
    }

    fn wrong(&mut self, at: Place, text: impl Into<String>, remedy: impl Into<String>) {
        self.mistakes.push(LockMistake { at, text: text.into(), remedy: remedy.into() });
    }

    fn take(&mut self, structure: &Structure) {
        match structure {
            Structure::Attribute(attribute) => {
                let at = self.place(attribute.span());
                let name = attribute.key.as_str();
                let text = format!("`{name}` is outside any block");
                self.wrong(at, text, "Remove it: a lock file holds only `provider` blocks.");
            }
            Structure::Block(block) => match block.ident.as_str() {
                "provider" => self.take_provider(block),
                // Kept free for later; clients pass over it.
                "module" => {}
                other => {
                    let (at, text) =
                        (self.place(block.span()), format!("`{other}` is not a block of a lock file"));
                    self.wrong(at, text, "Remove it: a lock file holds only `provider` blocks.");
                }
            },
        }
    }

    fn take_provider(&mut self, block: &Block) {
        let at = self.place(block.span());
        let [BlockLabel::String(source)] = block.labels.as_slice() else {
            let remedy = format!("Write `provider \"{HOST}/NAMESPACE/NAME\" {{`.");
            return self.wrong(at, "a provider block has one label in quotes, its source", remedy);
        };
        let source = source.as_str();
        if let Some(first) = self.seen.get(source) {
            let text = format!("`{source}` has a block on line {} already", first.line);
            return self.wrong(at, text, "Remove one of the two; `tofu init` tells which version is wanted.");
        }
        self.seen.insert(source.to_owned(), at);
        let parts: Vec<&str> = source.split('/').collect();
        let in_full = || format!("Write it in full, such as `{HOST}/hashicorp/aws`.");
        let [host, namespace, name] = parts[..] else {
            return self.wrong(at, format!("`{source}` is not a source of a provider"), in_full());
        };
        if host.is_empty() || host.contains(char::is_whitespace) || !is_label(namespace) || !is_label(name) {
            return self.wrong(at, format!("`{source}` is not a source of a provider"), in_full());
        }
        if let Some(short) = host.strip_suffix(":443") {
            let text = format!("`{source}` names the port that every host has, and clients want it without");
            return self.wrong(at, text, format!("Write `{short}/{namespace}/{name}`."));
        }
        if (host, namespace) == ("terraform.io", "builtin") {
            let text = format!("`{source}` is a part of the client, and has no lock");
            return self.wrong(at, text, "Remove the block.");
        }
        if let Some(bare) = name.strip_prefix("terraform-") {
            let bare = bare.strip_prefix("provider-").unwrap_or(bare);
            let text = format!("`{source}`: the name of a provider does not begin with `terraform-`");
            return self.wrong(at, text, format!("Write `{host}/{namespace}/{bare}`."));
        }
        if source.chars().any(char::is_uppercase) {
            let text = format!("`{source}` has capitals, and clients want a source in lower case");
            return self.wrong(at, text, format!("Write `{}`.", source.to_lowercase()));
        }
        let Some(fields) = self.fields(block, source) else { return };
        let (Some(version), constraints, hashes) = fields else {
            let text = format!("the block of `{source}` has no `version`");
            return self.wrong(at, text, "Add the version that is locked, or remove the block.");
        };
        if host != HOST {
            self.file.skipped.push(SkippedBlock { source: source.to_owned(), at });
            return;
        }
        if let Some(normal) = not_normal(&version.text) {
            let text = format!("`{}` is not a version in normal form", version.text);
            return self.wrong(version.at, text, normal);
        }
        let address = Address::provider(namespace, name);
        self.file.blocks.push(LockBlock { address, version, constraints, hashes, at });
    }

    /// Version, constraints and hashes of a block; `None`: something in it is wrong, and told.
    fn fields(
        &mut self,
        block: &Block,
        source: &str,
    ) -> Option<(Option<Spanned>, Option<Spanned>, Vec<Spanned>)> {
        let before = self.mistakes.len();
        let (mut version, mut constraints, mut hashes) = (None, None, Vec::new());
        for structure in &block.body {
            if self.is_full() {
                break;
            }
            match structure {
                Structure::Attribute(attribute) => match attribute.key.as_str() {
                    "version" => version = self.string(attribute),
                    "constraints" => constraints = self.constraints(attribute),
                    "hashes" => hashes = self.hashes(attribute),
                    other => {
                        let text = format!("`{other}` is not a field of a provider's lock");
                        let at = self.place(attribute.span());
                        self.wrong(at, text, "Write `version`, `constraints` or `hashes`.");
                    }
                },
                Structure::Block(inner) => {
                    let text = format!("the block of `{source}` holds a block `{}`", inner.ident.as_str());
                    let at = self.place(inner.span());
                    self.wrong(at, text, "Remove it: a provider's lock has only fields.");
                }
            }
        }
        (self.mistakes.len() == before).then_some((version, constraints, hashes))
    }

    fn string(&mut self, attribute: &Attribute) -> Option<Spanned> {
        let at = self.place(attribute.value.span());
        let value = bare(&attribute.value);
        if let Expression::String(text) = value {
            return Some(Spanned { text: text.as_str().to_owned(), at });
        }
        let (name, what) = (attribute.key.as_str(), kind(value));
        self.wrong(at, format!("`{name}` is {what}"), format!("Write a text in quotes: `{name} = \"…\"`."));
        None
    }

    /// Clients take none but those in normal form.
    fn constraints(&mut self, attribute: &Attribute) -> Option<Spanned> {
        let spanned = self.string(attribute)?;
        if spanned.text.is_empty() {
            return Some(spanned);
        }
        let (text, remedy) = match constraints(&spanned.text) {
            Ok(normal) if normal == spanned.text => return Some(spanned),
            Ok(normal) => ("`constraints` is not in normal form".to_owned(), format!("Write `{normal}`.")),
            Err(_) => (
                format!("`{}` is not a constraint", shortened(&spanned.text)),
                "Write constraints such as `>= 1.2.0, != 1.3.0`.".to_owned(),
            ),
        };
        self.wrong(spanned.at, text, remedy);
        None
    }

    /// Clients take no list without a hash, and no hash without a scheme.
    fn hashes(&mut self, attribute: &Attribute) -> Vec<Spanned> {
        let Expression::Array(array) = bare(&attribute.value) else { return self.strings(attribute) };
        if array.is_empty() {
            let at = self.place(attribute.value.span());
            self.wrong(at, "`hashes` is an empty list", "Remove it, or write at least one hash.");
        }
        let spanned = self.strings(attribute);
        for hash in &spanned {
            if !self.is_full() && hash.text.find(':').is_none_or(|place| place == 0) {
                let text = format!("the hash `{}` has no scheme", shortened(&hash.text));
                self.wrong(hash.at, text, "Write it with its scheme in front, such as `h1:` or `zh:`.");
            }
        }
        spanned
    }

    fn strings(&mut self, attribute: &Attribute) -> Vec<Spanned> {
        let Expression::Array(array) = bare(&attribute.value) else {
            let (at, what) = (self.place(attribute.value.span()), kind(bare(&attribute.value)));
            let name = attribute.key.as_str();
            self.wrong(
                at,
                format!("`{name}` is {what}"),
                format!("Write a list of strings: `{name} = [\"…\"]`."),
            );
            return Vec::new();
        };
        let mut spanned = Vec::with_capacity(array.len());
        for item in array {
            if self.is_full() {
                break;
            }
            let at = self.place(item.span());
            match bare(item) {
                Expression::String(text) => spanned.push(Spanned { text: text.as_str().to_owned(), at }),
                other => {
                    let text = format!("one of the hashes is {}", kind(other));
                    self.wrong(at, text, "Write each hash as a text in quotes.");
                }
            }
        }
        spanned
    }
}

/// A part of a source as clients take it: letters and digits, and single dashes between them.
fn is_label(part: &str) -> bool {
    !part.is_empty()
        && !part.starts_with('-')
        && !part.ends_with('-')
        && !part.contains("--")
        && part.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
}

/// What stands where a text should.
fn kind(value: &Expression) -> &'static str {
    match value {
        Expression::Null(_) => "null",
        Expression::Bool(_) => "a boolean",
        Expression::Number(_) => "a number",
        Expression::String(_) => "a text",
        Expression::Array(_) => "a list",
        Expression::Object(_) => "an object",
        Expression::StringTemplate(_) | Expression::HeredocTemplate(_) => "a template",
        _ => "an expression",
    }
}

/// What stands in parentheses that change nothing.
fn bare(value: &Expression) -> &Expression {
    match value {
        Expression::Parenthesis(inner) => bare(inner.inner()),
        other => other,
    }
}

/// The beginning of a text that may be long.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    let more = if text.chars().count() > SHOWN { "…" } else { "" };
    text.chars().take(SHOWN).chain(more.chars()).collect()
}

/// What to write instead of a version that is not in normal form.
fn not_normal(text: &str) -> Option<String> {
    match Version::parse(text) {
        Err(_) => Some("Write the version that is locked, such as `1.2.3`.".to_owned()),
        Ok(version) if version.padded() == text => None,
        Ok(version) => Some(format!("Write `{}`.", version.padded())),
    }
}
