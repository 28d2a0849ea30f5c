//! A world that is hostile wherever a text comes from outside, and what must not be left of it.

use std::fmt::Write;

use demo::Options;
use unicode_width::UnicodeWidthChar;

use crate::door::Door;

/// Escape sequences, C1 controls, bidi, zero-width, combining, wide and tag characters.
pub(super) const EVIL: &str = "\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{9b}31m\u{85}\u{202e}\u{2066}\u{200b}\u{200f}\u{feff}\u{2028}e\u{301}\u{fe0f}\u{e0041}日\r\u{8}\u{7f}";

/// Whether a terminal would do more with it than fill one cell. Written apart from the rule of the program.
pub(crate) fn is_obeyed(c: char) -> bool {
    let hidden = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}');
    c.is_control() || hidden || c.width() != Some(1)
}

/// A JSON string.
fn json(text: &str) -> String {
    serde_json::to_string(text).expect("JSON")
}

/// Bidi and zero-width characters, which git takes in the name of a tag.
const IN_TAGS: &str = "\u{202e}\u{200b}日e\u{301}";

/// A provider's file with a text in every place that takes one, and in some that nobody knows.
fn provider_file(inner: &str) -> String {
    format!(
        "{{\n  \"unknown {inner}\": \"{inner}\",\n  \"versions\": [\n    {{\n      \"version\": \"1.0.0\",\n      \
         \"protocols\": [\"5.0\", \"{inner}\"],\n      \"odd {inner}\": [\"{inner}\"],\n      \"shasums_url\": \
         \"https://github.com/acme/terraform-provider-evil/releases/download/v1.0.0/{inner}_SHA256SUMS\",\n      \
         \"shasums_signature_url\": \"{inner}\",\n      \"targets\": [\n        {{\n          \"os\": \"linux{inner}\",\n          \
         \"arch\": \"{inner}\",\n          \"filename\": \"{inner}\",\n          \"download_url\": \"{inner}\",\n          \
         \"shasum\": \"{inner}\"\n        }}\n      ]\n    }},\n    {{\n      \"version\": \"0.9.0-{inner}\",\n      \"targets\": []\n    }}\n  ],\n  \
         \"warnings\": [\"beware {inner}\"],\n  \"versions_errors\": [\n    {{\n      \"version\": \"1.1.0\",\n      \
         \"message\": \"failed {inner}\",\n      \"utc_time\": \"2026-11-20T12:00:00Z\"\n    }}\n  ]\n}}"
    )
}

const FAULTS: &str = r#"
[[fault]]
on = "git"
repository = "acme/terraform-provider-page"
kind = "html"

[[fault]]
on = ["git", "feed"]
repository = "acme/terraform-provider-noise"
kind = "garbage"
"#;

pub(super) fn text() -> String {
    let evil = json(EVIL);
    let inner = &evil[1..evil.len() - 1];
    let module =
        format!("{{\n  \"versions\": [\n    {{\n      \"version\": \"v1.0.0{inner}\"\n    }}\n  ]\n}}");
    let broken = format!("{{\n  \"versions\": {evil}\n}}");
    format!(
        r#"
clock = "2026-11-21T12:00:00Z"

[[provider]]
address = "acme/evil"
targets = ["linux_amd64"]
stored = ["1.0.0"]
tags = ["v9.{IN_TAGS}", {evil}]
releases = [
  {{ tag = "v1.1.0", title = {evil}, protocols = ["6.0", {evil}] }},
  {{ tag = "v1.2.0", title = {evil}, sums_name = {evil_sums} }},
  {{ tag = "v1.3.0", extra = [{evil}] }},
  {{ tag = "v1.4.0", sums = "garbage" }},
  {{ tag = "v2.0.0{IN_TAGS}" }},
]
json = {provider_json}

[[provider]]
address = "acme/broken"
json = {broken_json}

[[provider]]
address = "acme/renamed"
targets = ["linux_amd64"]
stored = ["1.0.0"]
repository = {{ moved_to = "acme/terraform-provider-%1B%5B2J%E2%80%AEnew" }}

[[provider]]
address = "acme/page"
targets = ["linux_amd64"]
stored = ["1.0.0"]

[[provider]]
address = "acme/noise"
targets = ["linux_amd64"]
stored = ["1.0.0"]

[[module]]
address = "acme/evil/aws"
tags = ["v1.1.0", "v3.{IN_TAGS}"]
json = {module_json}

[[blacklist]]
provider = "acme/evil"
version = "1.3.0"
reason = {evil}

[file]
{odd_path} = "{{}}"
{FAULTS}
"#,
        evil = toml(EVIL),
        evil_sums = toml(&format!("near {EVIL}_SHA256SUMS")),
        provider_json = toml(&provider_file(inner)),
        broken_json = toml(&broken),
        module_json = toml(&module),
        odd_path = toml("providers/a/acme/od\u{202e}\u{1b}[2Jd/deep.json"),
    )
}

/// A basic string of TOML.
pub(super) fn toml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_ascii_graphic() || c == ' ' => quoted.push(c),
            c => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Opens on it; the registry's folder and git's branch have names of that kind too.
pub(super) async fn door() -> Door {
    let door = Door::to(&text(), "reg\u{202e}\u{1b}[2J\u{200b}istry", Options::default()).await;
    door.git(&["branch", "--move", "ma\u{202e}\u{200b}in"]);
    door
}
