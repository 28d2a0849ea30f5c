//! Files that nobody should be able to hurt us with: each is told with place and remedy, and soon.

use crate::rules::lock::{LOCK_BYTES_MAX, LockMistake, read};

const SOURCE: &str = "provider \"registry.opentofu.org/acme/rocket\"";

/// `2:3: text`.
fn told(text: &[u8]) -> Vec<String> {
    let mistakes = read(text).expect_err("it is not read");
    let one = |mistake: &LockMistake| {
        assert!(
            mistake.remedy.ends_with('.') && mistake.remedy.starts_with(char::is_uppercase),
            "{mistake:?}"
        );
        format!("{}:{}: {}", mistake.at.line, mistake.at.column, mistake.text)
    };
    mistakes.iter().map(one).collect()
}

#[test]
fn what_clients_would_not_read_has_a_place() {
    let within = |inside: &str| format!("{SOURCE} {{\n{inside}\n}}\n");
    let called = |source: &str| format!("provider \"{source}\" {{\n  version = \"1.0.0\"\n}}\n");
    for (text, wanted) in [
        ("x = 1\n".to_owned(), "1:1: `x` is outside any block"),
        ("resource \"a\" \"b\" {\n}\n".to_owned(), "1:1: `resource` is not a block of a lock file"),
        ("provider {\n}\n".to_owned(), "1:1: a provider block has one label in quotes, its source"),
        ("provider a {\n}\n".to_owned(), "1:1: a provider block has one label in quotes, its source"),
        ("provider \"a\" \"b\" {\n}\n".to_owned(), "1:1: a provider block has one label"),
        (called("aws"), "1:1: `aws` is not a source of a provider"),
        (called("hashicorp/aws"), "1:1: `hashicorp/aws` is not a source of a provider"),
        (called("a/b/c/d"), "1:1: `a/b/c/d` is not a source"),
        (called("registry.opentofu.org//aws"), "1:1: `registry.opentofu.org//aws` is not a source"),
        (called("registry.opentofu.org/a b/c"), "1:1: `registry.opentofu.org/a b/c` is not a source"),
        (
            called("registry.opentofu.org/Acme/rocket"),
            "1:1: `registry.opentofu.org/Acme/rocket` has capitals",
        ),
        (called("registry.opentofu.org/-/x"), "1:1: `registry.opentofu.org/-/x` is not a source"),
        (
            called("registry.opentofu.org/acme/pl_ain"),
            "1:1: `registry.opentofu.org/acme/pl_ain` is not a source",
        ),
        (
            called("registry.opentofu.org/acme/pl--ain"),
            "1:1: `registry.opentofu.org/acme/pl--ain` is not a source",
        ),
        (
            called("registry.opentofu.org/acme/-plain"),
            "1:1: `registry.opentofu.org/acme/-plain` is not a source",
        ),
        (
            called("registry.opentofu.org/acme/pl.ain"),
            "1:1: `registry.opentofu.org/acme/pl.ain` is not a source",
        ),
        (
            called("registry.opentofu.org/acme/terraform-provider-plain"),
            "1:1: `registry.opentofu.org/acme/terraform-provider-plain`: the name of a provider does not begin",
        ),
        (
            called("registry.opentofu.org:443/acme/plain"),
            "1:1: `registry.opentofu.org:443/acme/plain` names the port",
        ),
        (
            called("terraform.io/builtin/terraform"),
            "1:1: `terraform.io/builtin/terraform` is a part of the client",
        ),
        (within(""), "1:1: the block of `registry.opentofu.org/acme/rocket` has no `version`"),
        (within("  version = 1"), "2:13: `version` is a number"),
        (within("  version = null"), "2:13: `version` is null"),
        (within("  version = \"${x}\""), "2:13: `version` is a template"),
        (within("  version = <<E\n1.0.0\nE"), "2:13: `version` is a template"),
        (within("  version = [\"1.0.0\"]"), "2:13: `version` is a list"),
        (within("  version = file(\"x\")"), "2:13: `version` is an expression"),
        (within("  version = \"v1.0.0\""), "2:13: `v1.0.0` is not a version in normal form"),
        (within("  version = \"1.0\""), "2:13: `1.0` is not a version in normal form"),
        (within("  version = \"latest\""), "2:13: `latest` is not a version in normal form"),
        (within("  version = \"1.0.0\"\n  hashes = \"x\""), "3:12: `hashes` is a text"),
        (within("  version = \"1.0.0\"\n  hashes = {}"), "3:12: `hashes` is an object"),
        (
            within("  version = \"1.0.0\"\n  hashes = [\n    true,\n  ]"),
            "4:5: one of the hashes is a boolean",
        ),
        (within("  version = \"1.0.0\"\n  hashes = [[\"x\"]]"), "3:13: one of the hashes is a list"),
        (within("  version = \"1.0.0\"\n  hash = []"), "3:3: `hash` is not a field of a provider's lock"),
        (
            within("  version = \"1.0.0\"\n  x {}"),
            "3:3: the block of `registry.opentofu.org/acme/rocket` holds a block `x`",
        ),
        (within("  version = \"1.0.0\"\n  version = \"1.0.0\""), "3:3: "),
        (format!("{SOURCE} {{\n  version = \"1.0.0\"\n"), "2:21: "),
        (format!("{SOURCE} {{\n  version = \"1.0.0\n}}\n"), "2:"),
        ("\0".to_owned(), "1:1: "),
        ("PK\u{3}\u{4}".to_owned(), "1:"),
    ] {
        let told = told(text.as_bytes());
        assert!(told.len() == 1 && told[0].starts_with(wanted), "{text}: {told:?}");
    }
}

/// Parentheses change nothing for clients: around a value and around a hash.
#[test]
fn parentheses_are_looked_through() {
    let inside =
        "version = ((\"1.0.0\"))\n  constraints = (\">= 1.0.0\")\n  hashes = ([(\"h1:a\"), \"zh:b\"])";
    let file = read(format!("{SOURCE} {{\n  {inside}\n}}\n").as_bytes()).expect("a lock file");
    let [block] = &file.blocks[..] else { panic!("{file:?}") };
    assert_eq!(block.version.text, "1.0.0");
    assert_eq!(block.constraints.as_ref().map(|it| &*it.text), Some(">= 1.0.0"));
    let hashes: Vec<&str> = block.hashes.iter().map(|hash| &*hash.text).collect();
    assert_eq!(hashes, ["h1:a", "zh:b"]);
}

/// What stands in quotes, and clients want otherwise.
#[test]
fn hashes_and_constraints_have_a_form() {
    let within = |inside: &str| format!("{SOURCE} {{\n{inside}\n}}\n");
    for (text, wanted) in [
        (within("  version = \"1.0.0\"\n  hashes = []"), "3:12: `hashes` is an empty list"),
        (within("  version = \"1.0.0\"\n  hashes = [\"abc\"]"), "3:13: the hash `abc` has no scheme"),
        (within("  version = \"1.0.0\"\n  hashes = [\"h1:a\", \":x\"]"), "3:21: the hash `:x` has no scheme"),
        (within("  version = \"1.0.0\"\n  hashes = [\"\"]"), "3:13: the hash `` has no scheme"),
        (within("  version = \"1.0.0\"\n  constraints = \"garbage\""), "3:17: `garbage` is not a constraint"),
        (
            within("  version = \"1.0.0\"\n  constraints = \"~> 5.0, >= 5.0\""),
            "3:17: `constraints` is not in normal form",
        ),
        (
            within("  version = \"1.0.0\"\n  constraints = \">=1.0.0\""),
            "3:17: `constraints` is not in normal",
        ),
    ] {
        let told = told(text.as_bytes());
        assert!(told.len() == 1 && told[0].starts_with(wanted), "{text}: {told:?}");
    }
}

#[test]
fn every_mistake_is_told_in_order_and_not_more_than_twenty() {
    let block = |name: &str, inside: &str| {
        format!("provider \"registry.opentofu.org/acme/{name}\" {{\n  version = \"1.0.0\"\n{inside}}}\n")
    };
    let text = block("a", "  x = 1\n  y = 2\n") + &block("b", "") + &block("b", "") + "z = 1\n";
    assert_eq!(
        told(text.as_bytes()),
        [
            "3:3: `x` is not a field of a provider's lock",
            "4:3: `y` is not a field of a provider's lock",
            "9:1: `registry.opentofu.org/acme/b` has a block on line 6 already",
            "12:1: `z` is outside any block",
        ]
    );
    let many: Vec<String> = (0..100).map(|place| format!("x{place} = 1\n")).collect();
    assert_eq!(told(many.concat().as_bytes()).len(), 20);
}

#[test]
fn bytes_that_are_no_text() {
    assert_eq!(told(b"# ok\nx = \"\xff\"\n"), ["2:6: it is not UTF-8 here"]);
    assert_eq!(told(b"\xff\xfe#\0")[0], "1:1: it is not UTF-8 here");
    // Clients do not look into comments.
    assert!(read(b"# ok\n  # gr\xfcn\n// \xff\n").is_ok());
    assert_eq!(told(b"# gr\xfcn\nx = \"\xff\"\n"), ["2:6: it is not UTF-8 here"]);
    let large = vec![b'#'; LOCK_BYTES_MAX + 1];
    assert_eq!(told(&large), ["1:1: it has 262145 bytes, and at most 262144 are read"]);
    // A comment that is as long as that is a lock file without locks.
    assert!(read(&large[1..]).is_ok());
}

/// None of these takes the stack down or longer than a blink, whatever it ends with.
#[test]
fn deep_and_wide_files_end() {
    let half = LOCK_BYTES_MAX / 2;
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{a=", "}"), ("\"${", "}\""), ("!", ""), ("a{", "}"), ("f(", ")")]
    {
        for depth in [60, 70, 5_000, half / open.len() - 100] {
            let text = format!("x = {}1{}\n", open.repeat(depth), close.repeat(depth));
            assert!(read(text.as_bytes()).is_err(), "{open} {depth}");
            let text = format!("{SOURCE} {{\n  hashes = {}", open.repeat(depth));
            assert!(read(text.as_bytes()).is_err(), "{open} {depth}");
        }
    }
    let blocks = "a{\n".repeat(80_000);
    assert!(read(blocks.as_bytes()).is_err());
    let hash = format!("    \"zh:{}\",\n", "0".repeat(64));
    let count = (LOCK_BYTES_MAX - 200) / hash.len();
    let wide = format!("{SOURCE} {{\n  version = \"1.0.0\"\n  hashes = [\n{}  ]\n}}\n", hash.repeat(count));
    let file = read(wide.as_bytes()).expect("it is read");
    assert_eq!(file.blocks[0].hashes.len(), count);
    assert_eq!(file.blocks[0].hashes[count - 1].at.line, count + 3);
    let others: Vec<String> = (0..3_500)
        .map(|place| format!("provider \"example.org/a/p{place}\" {{\n  version = \"1.0.0\"\n}}\n"))
        .collect();
    assert_eq!(read(others.concat().as_bytes()).expect("it is read").skipped.len(), 3_500);
}

/// Thousands of places on one line are counted on from each other.
#[test]
fn places_on_a_long_line() {
    let hashes: String = (0..10_000).map(|_| "\"ü:x\", ").collect();
    let text = format!("{SOURCE} {{\n  version = \"1.0.0\"\n  hashes = [{hashes}]\n}}\n");
    let file = read(text.as_bytes()).expect("it is read");
    let places: Vec<(usize, usize)> =
        file.blocks[0].hashes.iter().map(|hash| (hash.at.line, hash.at.column)).collect();
    let wanted: Vec<(usize, usize)> = (0..10_000).map(|place| (3, 13 + 7 * place)).collect();
    assert_eq!(places, wanted);
    // Of mistakes only those that are told are looked for; they come in the order of the file.
    let numbers = "1, ".repeat(10_000);
    let text = format!("{SOURCE} {{\n  hashes = [{numbers}]\n}}\n");
    let told = told(text.as_bytes());
    assert_eq!((told.len(), &*told[0]), (20, "2:13: one of the hashes is a number"));
    assert!(told[19].starts_with("2:70: "), "{told:?}");
}

/// Objects are read in the square of their fields: a file of them is not.
#[test]
fn wide_objects_are_not_read() {
    for separator in ["=", ":"] {
        let fields: Vec<String> = (0..20_000).map(|place| format!("a{place}{separator}1\n")).collect();
        let fields = fields.concat();
        for text in [format!("x = {{\n{fields}}}\n"), format!("x = f([{{\n{fields}}}])\n")] {
            assert_eq!(
                told(text.as_bytes()),
                ["1:1: it has more than 12000 equal signs and colons, which no lock file has"]
            );
        }
    }
}

proptest::proptest! {
    #[test]
    fn no_text_is_fatal(text in "[ -~\\n\\r\\t\"{}\\[\\]$%<ü\u{feff}]{0,200}", at in 0usize..200) {
        let _ = read(text.as_bytes());
        // Nor does a cut-off block take anything down.
        let whole = format!("{SOURCE} {{\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:{text}\",\n  ]\n}}\n");
        let _ = read(&whole.as_bytes()[..at.min(whole.len())]);
        let _ = read(whole.as_bytes());
    }
}
