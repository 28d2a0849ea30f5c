//! Compact JSON whose strings hold nothing that a terminal would obey.

use std::io;

use serde_json::ser::Formatter;

use crate::rules::plain_text::is_plain;

/// Compact output; what is not plain text becomes a `\u` escape. The meaning of the JSON stays the same.
pub(crate) struct Plain;

impl Formatter for Plain {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c| !is_plain(c)) {
            let (before, behind) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut letters = behind.chars();
            let mut units = [0; 2];
            for unit in letters.next().unwrap_or_default().encode_utf16(&mut units) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = letters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    proptest::proptest! {
        #[test]
        fn only_the_spelling_changes(text in ".*|\\PC*|[\u{0}-\u{2100}]*") {
            let mut bytes = Vec::new();
            text.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Plain)).unwrap();
            let json = String::from_utf8(bytes).unwrap();
            proptest::prop_assert!(json.chars().all(is_plain));
            proptest::prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
