//! What is odd about a SHA256SUMS document: things that the registry or a client stumbles over, or that tell how it was made.

use crate::registry::version::trim_v;
use crate::rules::Finding;

/// From this size on the registry's tool does not read the document.
const LIMIT_BYTES: usize = 32 << 10;

/// One oddity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// Clients fall over a blank line between others.
    BlankLines,
    CrLf,
    /// Hex digits in capitals: the registry takes them as they stand, and refuses them where it hashes archives.
    UpperCase,
    /// It lists its own signature, which cannot be true: signing comes after. GoReleaser 2.15 does so.
    OwnSignature,
    /// `*name`, as `sha256sum --binary` writes: the registry finds no such file.
    BinaryMarks,
    /// `./name`: the registry finds no such file.
    Paths,
    /// Lines that are not a sum and a name; how many.
    OtherLines(usize),
    /// A name stands there twice, with different sums; the last one counts.
    Twice(String),
    TooLong(usize),
    /// It is a page of HTML.
    Page,
    /// Bytes that are no text.
    NoText,
}

/// The oddities of a document as served, each once, in the order of the enum.
pub(crate) fn oddities(text: &str) -> Vec<Oddity> {
    let mut found = Vec::new();
    if text.trim_start().starts_with('<') {
        return vec![Oddity::Page];
    }
    let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or(text).split('\n').collect();
    let bare = |line: &&str| line.trim().is_empty();
    let fields = |line: &str| {
        let mut fields = line.split_whitespace().map(str::to_owned);
        let pair = (fields.next()?, fields.next()?);
        fields.next().is_none().then_some(pair)
    };
    let pairs: Vec<(String, String)> = lines.iter().filter_map(|line| fields(line)).collect();
    let is_hex = |sum: &str| sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut add = |holds: bool, oddity: Oddity| {
        if holds {
            found.push(oddity);
        }
    };
    add(!text.is_empty() && lines.iter().any(bare), Oddity::BlankLines);
    add(text.contains("\r\n"), Oddity::CrLf);
    let upper =
        |(sum, _): &(String, String)| is_hex(sum) && sum.bytes().any(|byte| byte.is_ascii_uppercase());
    add(pairs.iter().any(upper), Oddity::UpperCase);
    let is_own = |(_, name): &(String, String)| {
        let name = name.to_ascii_lowercase();
        name.contains("sha256sums") && [".sig", ".asc", ".gpg"].iter().any(|end| name.ends_with(end))
    };
    add(pairs.iter().any(is_own), Oddity::OwnSignature);
    add(pairs.iter().any(|(_, name)| name.starts_with('*')), Oddity::BinaryMarks);
    add(pairs.iter().any(|(_, name)| name.starts_with("./")), Oddity::Paths);
    let strange = lines.iter().filter(|line| !bare(line));
    let strange = strange.filter(|line| fields(line).is_none_or(|(sum, _)| !is_hex(&sum))).count();
    add(strange > 0, Oddity::OtherLines(strange));
    let mut sorted: Vec<(&str, &str)> =
        pairs.iter().map(|(sum, name)| (name.as_str(), sum.as_str())).collect();
    sorted.sort_unstable();
    let twice =
        sorted.windows(2).find(|two| two[0].0 == two[1].0 && !two[0].1.eq_ignore_ascii_case(two[1].1));
    if let Some(two) = twice {
        add(true, Oddity::Twice(two[0].0.to_owned()));
    }
    add(text.len() >= LIMIT_BYTES, Oddity::TooLong(text.len()));
    add(text.contains(['\0', char::REPLACEMENT_CHARACTER]), Oddity::NoText);
    found
}

impl Oddity {
    /// What it is and what it costs, as a sentence without a full stop.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::BlankLines => "SHA256SUMS has blank lines, on which clients fail when they lock hashes".into(),
            Self::CrLf => "SHA256SUMS has Windows line ends (CRLF)".into(),
            Self::UpperCase => "SHA256SUMS has hex digits in capitals, which the registry compares as they are".into(),
            Self::OwnSignature => {
                "SHA256SUMS lists its own signature, as GoReleaser 2.15 does (registry issue 3974): the signature may \
                 be over another text; 2.14.3 does not"
                    .into()
            }
            Self::BinaryMarks => "SHA256SUMS marks names with `*`: the registry finds no such files".into(),
            Self::Paths => "SHA256SUMS writes names with `./`: the registry finds no such files".into(),
            Self::OtherLines(1) => "SHA256SUMS has a line that is not a SHA-256 and a name".into(),
            Self::OtherLines(count) => format!("SHA256SUMS has {count} lines that are not a SHA-256 and a name"),
            Self::Twice(name) => format!("SHA256SUMS lists {name} twice, with different sums; the last one counts"),
            Self::TooLong(bytes) => {
                format!("SHA256SUMS has {bytes} bytes: the registry reads less than {LIMIT_BYTES}")
            }
            Self::Page => "SHA256SUMS is an HTML page".into(),
            Self::NoText => "SHA256SUMS is not text".into(),
        }
    }

    /// The rule under which findings name it.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Self::BlankLines => "sums-blank-lines",
            Self::CrLf => "sums-crlf",
            Self::UpperCase => "sums-upper-case",
            Self::OwnSignature => "sums-list-signature",
            Self::BinaryMarks | Self::Paths => "sums-names",
            Self::OtherLines(_) | Self::Page | Self::NoText => "sums-lines",
            Self::Twice(_) => "sums-twice",
            Self::TooLong(_) => "sums-too-long",
        }
    }

    pub(crate) fn finding(&self, version: &str) -> Finding {
        let finding = match self {
            Self::CrLf | Self::UpperCase | Self::OtherLines(_) => Finding::note(self.rule(), self.text()),
            _ => Finding::warning(self.rule(), self.text()),
        };
        finding.on(trim_v(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oddities_of_documents() {
        let sum = "0a".repeat(32);
        let line = |name: &str| format!("{sum}  {name}\n");
        let plain = line("a.zip") + &line("b.zip");
        let long = line("notes.txt").repeat(500);
        let cases: [(&str, String, Vec<Oddity>); 16] = [
            ("plain", plain.clone(), vec![]),
            ("empty", String::new(), vec![]),
            ("no newline at the end", plain.trim_end().to_owned(), vec![]),
            ("blank between", format!("{}\n{}", line("a.zip"), line("b.zip")), vec![Oddity::BlankLines]),
            ("blank at the end", format!("{plain}\n"), vec![Oddity::BlankLines]),
            ("crlf", plain.replace('\n', "\r\n"), vec![Oddity::CrLf]),
            ("capitals", plain.replace("0a", "0A"), vec![Oddity::UpperCase]),
            (
                "own signature",
                format!("{plain}{}", line("x_1.0.0_SHA256SUMS.sig")),
                vec![Oddity::OwnSignature],
            ),
            ("another signature", format!("{plain}{}", line("a.zip.sig")), vec![]),
            ("binary", format!("{sum} *a.zip\n"), vec![Oddity::BinaryMarks]),
            ("paths", line("./a.zip"), vec![Oddity::Paths]),
            ("words", format!("{plain}hello\nand so on\n"), vec![Oddity::OtherLines(2)]),
            ("twice", format!("{plain}{}  a.zip\n", "1b".repeat(32)), vec![Oddity::Twice("a.zip".into())]),
            ("long", long.clone(), vec![Oddity::TooLong(long.len())]),
            ("page", "<!DOCTYPE html>\n".to_owned(), vec![Oddity::Page]),
            ("bytes", "\u{fffd}\0\n".to_owned(), vec![Oddity::OtherLines(1), Oddity::NoText]),
        ];
        for (name, text, wanted) in cases {
            assert_eq!(oddities(&text), wanted, "{name}");
        }
        assert_eq!(Oddity::CrLf.finding("v1.0.0").version.as_deref(), Some("1.0.0"));
    }
}
