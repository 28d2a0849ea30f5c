//! Plain English for a tired maintainer: no phrase that somebody stumbled over, and no abbreviation that no page explains.
//!
//! The test reads every literal of the program, the text of `--help` (the doc comments of `src/cli`), and every page: the
//! manual, the front page, the pages about the registry and about GitHub. A phrase is refused wherever its words stand one
//! after the other; `*` is any one word.

use std::path::Path;

use super::source::{Fault, Source};
use super::tree::TextFile;

/// Refused phrases, each with its replacement.
const REFUSED: &[(&str, &str)] = &[
    // Words of another language in English clothes.
    ("not built yet", "leave it out"),
    ("writing is not armed", "READ-ONLY"),
    ("anew", "again, or: a new one"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("far side", "server"),
    ("far sides", "servers"),
    ("going on", "continues, or: resumed"),
    ("goes on", "continues"),
    ("go on", "continue"),
    ("under way", "running, or: at the same time"),
    ("shortly before", "recently"),
    ("meanwhile ends", "running downloads finish"),
    ("nobody knows", "is not known"),
    ("nobody looked", "was not looked for"),
    ("nobody asks", "clients ask for none"),
    ("somebody has to", "needs attention"),
    ("is felt as", "feels"),
    ("look after", "check"),
    ("looked after", "checked, or: done"),
    ("turn round", "invert, or: negate"),
    ("turns it round", "negates it"),
    ("take away", "remove"),
    ("takes away", "removes"),
    ("taken away", "removed"),
    ("takes it away", "removes it"),
    ("takes them away", "removes them"),
    ("take * away", "remove"),
    ("takes * away", "removes"),
    ("take it out", "remove it"),
    ("leave * away", "leave out"),
    ("leave it away", "leave it out"),
    ("fall over", "fail on"),
    ("fell over", "failed on"),
    ("came about", "could be made"),
    ("broke off", "was lost, or: was cut off"),
    ("could not be had", "could not be read"),
    ("cure itself", "resolve by itself"),
    ("cure themselves", "resolve by themselves"),
    ("is to be said", "has the same result"),
    ("of no use", "cannot be used"),
    ("by its own word", "by its own flags"),
    ("else than", "other than"),
    ("another * than", "a different .. from"),
    ("no more with", "not again with"),
    ("so much as", "even"),
    ("stands in front", "comes before"),
    ("stand in front", "come before"),
    ("stands behind", "comes after"),
    ("stand behind", "come after"),
    ("stands before", "comes before"),
    ("stand before", "come before"),
    ("stands on top", "is on top, or: comes first"),
    ("stands above", "comes before, or: is above"),
    ("for the reason named", "see why"),
    ("are in the plan now", "were added to the plan"),
    ("stands in no", "is not in any"),
    ("lies in", "is in"),
    ("behind a field", "after a field"),
    ("the defaults count", "the defaults apply"),
    ("keys count", "keys apply"),
    ("handed on", "passed on"),
    ("passed over", "skipped"),
    ("without news", "unchanged"),
    ("all of it together", "all of it"),
    ("there already", "already there, or: already exists"),
    // Present for what is happening now.
    ("a survey runs", "a survey is running"),
    ("nothing runs", "nothing is running"),
    ("still runs", "is still running"),
    ("what runs", "what is running"),
    ("no verification runs", "no verification is running"),
    ("was verified yet", "has been verified yet"),
    ("was started yet", "has been started yet"),
    ("ran yet", "has run yet"),
    // One spelling.
    ("canceled", "cancelled"),
    ("canceling", "cancelling"),
    ("color theme", "theme"),
    ("an url", "a URL"),
    ("e.g", "such as"),
    ("i.e", "that is"),
    ("etc", "and so on"),
    // More than was checked.
    ("nothing is claimed beyond", "deeper checks not done"),
    ("ever more rarely", "rarer"),
];

/// `X is no Y`, where Y is one of these, is English.
const NO: &[&str] =
    &["longer", "more", "such", "use", "good", "other", "different", "need", "way", "longer,"];

/// Capitals that a page explains, or that everybody who keeps a registry reads daily.
const CAPITALS: &[&str] = &[
    "API", "ASCII", "CA", "CI", "CRLF", "DMCA", "ECDSA", "HTML", "HTTP", "ID", "JSON", "NUL", "OSC", "PEM",
    "PGP", "REST", "RFC", "SHA", "SSH", "TLS", "TOML", "URL", "UTC", "UTF", "XML", "ZIP", "US", "MB", "KB",
    "GB", "LANG", "POST", "GHOST", "CR", "LF", "II", "ELF", "PE",
];

/// Clipped words. A word in full is as long as it has to be.
const CLIPPED: &[(&str, &str)] = &[
    ("tgt", "target"),
    ("tgts", "targets"),
    ("ver", "version"),
    ("vers", "versions"),
    ("cfg", "configuration"),
    ("conf", "configuration"),
    ("pkg", "package"),
    ("pkgs", "packages"),
    ("prov", "provider"),
    ("ns", "namespace"),
    ("addr", "address"),
    ("dir", "folder"),
    ("dirs", "folders"),
    ("env", "environment"),
    ("msg", "message"),
    ("err", "error"),
    ("num", "number"),
    ("approx", "about"),
    ("incl", "including"),
    ("resp", "answer"),
    ("req", "request"),
    ("reqs", "requests"),
    ("sig", "signature"),
    ("sigs", "signatures"),
    ("deps", "dependencies"),
    ("param", "parameter"),
    ("params", "parameters"),
    ("args", "arguments"),
    ("opts", "options"),
    ("secs", "seconds"),
    ("mins", "minutes"),
    ("hrs", "hours"),
    ("vs", "against"),
    ("w/o", "without"),
    ("unavail", "not available"),
];

/// Clipped words that a help page explains, and the file with that explanation: they stand where there is no room, on the screen.
const EXPLAINED: &[(&str, &str, &str)] = &[
    ("ver", "src/tui/widgets/legend.rs", "\"ver, tgt\", \"versions, targets"),
    ("tgt", "src/tui/widgets/legend.rs", "\"ver, tgt\", \"versions, targets"),
];

/// One piece of text that reaches people.
struct Piece<'a> {
    path: &'a str,
    line: usize,
    text: String,
}

/// A word as it is written, without what surrounds it.
struct Word<'a> {
    text: &'a str,
    /// Counted from the text's first line.
    line: usize,
    /// It stands for something else: a placeholder, a name in backticks.
    is_quoted: bool,
    /// A sentence or a part of one ends here.
    ends: bool,
}

pub(super) fn check(sources: &[Source], files: &[TextFile]) -> Vec<Fault> {
    let told: Vec<Piece<'_>> =
        sources.iter().flat_map(of_source).chain(files.iter().filter_map(of_page)).collect();
    assert!(told.len() > 3_000, "the program has more to say than {} texts", told.len());
    for (clipped, path, explanation) in EXPLAINED {
        let file = sources.iter().find(|source| source.path == *path);
        assert!(
            file.is_some_and(|source| source.raw.contains(explanation)),
            "`{clipped}` has lost its explanation"
        );
    }
    faults(&told)
}

fn of_source(source: &Source) -> Vec<Piece<'_>> {
    if !source.path.starts_with("src/") || source.is_test() {
        return Vec::new();
    }
    let told = |line, text: &str| Piece { path: &source.path, line, text: text.to_owned() };
    let product = source.product_lines();
    let literals = source.literals_at().into_iter().map(|(at, text)| (source.line_of(at), text));
    let mut found: Vec<Piece<'_>> =
        literals.filter(|(line, _)| *line <= product).map(|(line, text)| told(line, text)).collect();
    if source.path.starts_with("src/cli/") {
        let lines = source.raw.lines().take(product).enumerate();
        found.extend(lines.filter_map(|(at, line)| Some(told(at + 1, line.trim().strip_prefix("///")?))));
    }
    found
}

fn of_page(file: &TextFile) -> Option<Piece<'_>> {
    let path = Path::new(&file.path);
    let is_page = path.extension().is_some_and(|it| it == "md")
        && (file.path == "README.md" || path.starts_with("src"));
    is_page.then(|| Piece { path: &file.path, line: 1, text: file.text.clone() })
}

fn faults(told: &[Piece<'_>]) -> Vec<Fault> {
    let all: Vec<(&Piece<'_>, Vec<Word<'_>>)> = told.iter().map(|told| (told, words(&told.text))).collect();
    // A word in capitals that is also written in small letters is a word; another one is an abbreviation.
    let known: std::collections::BTreeSet<&str> = all
        .iter()
        .flat_map(|(_, words)| words)
        .filter(|word| word.text.bytes().all(|byte| byte.is_ascii_lowercase()))
        .map(|word| word.text)
        .collect();
    let mut found = Vec::new();
    for (told, words) in &all {
        let mut say = |word: &Word<'_>, text: String| {
            found.push(Fault { file: told.path.to_owned(), line: told.line + word.line, text });
        };
        for (at, word) in words.iter().enumerate() {
            let rest = &words[at..];
            if let Some((refused, better)) = REFUSED.iter().find(|(refused, _)| begins(rest, refused)) {
                say(word, format!("`{refused}`; better: {better}"));
            }
            let is_there = at > 0 && words[at - 1].text.ends_with("there");
            if begins(rest, "is no *") && !is_there && !NO.contains(&rest[2].text) {
                say(word, format!("`is no {0}`; better: is not a {0}", rest[2].text));
            }
            if told.text.trim().contains(' ')
                && !is_of_others(told.path)
                && let Some(why) = abbreviation(word, told.path, &known)
            {
                say(word, why);
            }
        }
    }
    found
}

/// Returns true for texts of GitHub in the demo world, and for statements to the database.
fn is_of_others(path: &str) -> bool {
    path.starts_with("src/demo/") || path.starts_with("src/store/state/")
}

fn abbreviation(word: &Word<'_>, path: &str, known: &std::collections::BTreeSet<&str>) -> Option<String> {
    let text = word.text;
    if word.is_quoted {
        return None;
    }
    if let Some((clipped, full)) = CLIPPED.iter().find(|(clipped, _)| *clipped == text) {
        let is_explained = EXPLAINED.iter().any(|(it, ..)| it == clipped) && path.starts_with("src/tui/");
        return (!is_explained).then(|| format!("`{clipped}` is clipped; better: {full}"));
    }
    let is_short = (2..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_known = CAPITALS.contains(&text) || known.contains(text.to_lowercase().as_str());
    (is_short && !is_known)
        .then(|| format!("nothing explains `{text}`: write it out, or put it into `CAPITALS`"))
}

/// Returns true if the words begin with a phrase, all in one part of a sentence.
fn begins(words: &[Word<'_>], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.len() >= phrase.len()
        && words.iter().zip(&phrase).all(|(word, part)| *part == "*" || word.text.eq_ignore_ascii_case(part))
        && !words[..phrase.len() - 1].iter().any(|word| word.ends)
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut found: Vec<Word<'_>> = Vec::new();
    let (mut is_fenced, mut is_quoted) = (false, false);
    for (line, text) in text.lines().enumerate() {
        if text.starts_with("```") {
            is_fenced = !is_fenced;
        }
        if text.trim().is_empty() || text.starts_with(['|', '#', '-']) {
            is_quoted = false;
            if let Some(last) = found.last_mut() {
                last.ends = true;
            }
        }
        // What a literal breaks its own lines with is not a word.
        for written in text.split("\\n").flat_map(str::split_whitespace) {
            let opens = is_quoted;
            is_quoted ^= written.matches('`').count() % 2 == 1;
            let word = written.trim_matches(|c: char| !c.is_alphanumeric());
            if word.is_empty() {
                // A dash, a bar, a brace: what comes before it is said.
                if written != "\\"
                    && let Some(last) = found.last_mut()
                {
                    last.ends = true;
                }
                continue;
            }
            let (before, after) = written.split_once(word).unwrap_or_default();
            if before.contains(['(', '"'])
                && let Some(last) = found.last_mut()
            {
                last.ends = true;
            }
            let stands_for = opens
                || is_fenced
                || before.contains(['`', '{', '<', '$', '-', '/', '%'])
                || after.starts_with(['`', '}', ':']);
            found.push(Word {
                text: word,
                line,
                is_quoted: stands_for,
                ends: after.contains([',', '.', ';', ':', '!', '?', ')', '"']),
            });
        }
    }
    found
}

#[test]
fn awkward_words_are_found() {
    let planted = |path: &'static str, text: &str| {
        faults(&[
            Piece { path, line: 1, text: text.to_owned() },
            Piece {
                path: "src/rules/a.rs",
                line: 1,
                text: "file name word text path or not known bad".into(),
            },
        ])
    };
    for (text, better) in [
        ("the rest goes on", "`goes on`; better: continues"),
        ("two Far Sides do not answer", "`far sides`; better: servers"),
        ("paused; going on", "`going on`; better: continues, or: resumed"),
        ("`{text}` is no address", "`is no address`; better: is not a address"),
        ("leave names away", "`leave * away`; better: leave out"),
        ("it has another size than the list", "`another * than`; better: a different .. from"),
        ("one line\nto go\non with", "`go on`; better: continue"),
        ("1 job was canceled", "`canceled`; better: cancelled"),
        ("3 tgt, 2 missing", "`tgt` is clipped; better: target"),
        ("wait for the ETA of it", "nothing explains `ETA`: write it out, or put it into `CAPITALS`"),
    ] {
        let found: Vec<String> = planted("src/jobs/a.rs", text).into_iter().map(|fault| fault.text).collect();
        assert_eq!(found, [better], "{text}");
    }
    for fine in [
        "there is no address `{text}`",
        "it is no longer there; and it is no more than one",
        "go; on the next day it continues",
        "a BAD FILE at the PATH, over HTTP",
        "set `GH_TOKEN` or `ETA`, {READ} or $TTL",
        "write `ns:hashicorp`",
    ] {
        assert_eq!(planted("src/jobs/a.rs", fine), [], "{fine}");
    }
    assert_eq!(planted("src/tui/a.rs", "+2 ver +3 tgt"), [], "the help page of the screen explains them");
    let source = Source::new(
        "src/cli/a.rs",
        "/// Begins anew.\nfn f() { say(\"it is \\\n     mended\") }\n#[cfg(test)]\nmod tests {\n    const A: &str = \"anew\";\n}",
    );
    let lines: Vec<usize> = faults(&of_source(&source)).iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [3, 1]);
}
