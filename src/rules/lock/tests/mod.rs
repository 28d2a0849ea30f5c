//! Lock files as text, as values and as checked.

mod checking;
mod hostile;
mod offering;

use super::*;
use crate::registry::Address;

const H1: &str = "h1:QExrC0UEro2jd7wMqdzv3wDtw9ef1uHZEFxBWTkq4lM=";
const H1_OTHER: &str = "h1:IVlcV610jiXAoVqGSvGXatbCC4mboZ4q+K+NBtM+cC8=";
const H1_EMPTY: &str = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

fn rocket() -> Address {
    Address::provider("acme", "rocket")
}

fn zh(letter: &str) -> String {
    format!("zh:{}", letter.repeat(64))
}

/// As a client of today writes a file: comment, blank line, block; equal signs in a column, but for the list.
#[test]
fn the_block_is_the_clients_own() {
    let text =
        block(&rocket(), "1.0.0", Some("~> 1.0, != 1.0.1"), [zh("b").as_str(), H1, H1_OTHER, &zh("a"), H1]);
    let wanted = r#"# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.

provider "registry.opentofu.org/acme/rocket" {
  version     = "1.0.0"
  constraints = "~> 1.0, != 1.0.1"
  hashes = [
    "h1:IVlcV610jiXAoVqGSvGXatbCC4mboZ4q+K+NBtM+cC8=",
    "h1:QExrC0UEro2jd7wMqdzv3wDtw9ef1uHZEFxBWTkq4lM=",
    "zh:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "zh:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
  ]
}
"#;
    assert_eq!(format!("{HEADER}\n{text}"), wanted);
    let short = "provider \"registry.opentofu.org/acme/rocket\" {\n  version = \"1.0.0\"\n}\n";
    assert_eq!(block(&rocket(), "1.0.0", None, []), short);
    let one = "provider \"registry.opentofu.org/acme/rocket\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"x\",\n  ]\n}\n";
    assert_eq!(block(&rocket(), "1.0.0", None, ["x"]), one);
    // Nothing that is put in ends its string or begins a template.
    let odd = block(&rocket(), "\"\\\n${a}%{b}$$ %", None, []);
    assert!(odd.contains(r#"version = "\"\\\n$${a}%%{b}$$ %""#), "{odd}");
}

#[test]
fn constraints_have_a_normal_form() {
    for (text, wanted) in [
        ("~>1.2", "~> 1.2"),
        ("~> 1", "~> 1.0"),
        ("~> 1.2.3", "~> 1.2.3"),
        (">= 2.2, >=3.1.0", ">= 2.2.0, >= 3.1.0"),
        ("< 4, >= 2.0,>= 2.0.0", ">= 2.0.0, < 4.0.0"),
        ("= 1.0.0", "1.0.0"),
        ("~> 5.0, >= 5.0", ">= 5.0.0, ~> 5.0"),
        ("!= 1.2.0, >= 1.2.0", ">= 1.2.0, != 1.2.0"),
        (
            "!= 1, < 1, <= 1, ~> 1.0, ~> 1.0.0, = 1, >= 1, > 1",
            "> 1.0.0, >= 1.0.0, 1.0.0, ~> 1.0.0, ~> 1.0, <= 1.0.0, < 1.0.0, != 1.0.0",
        ),
        ("~> 1.2-rc1, >= 1.2-rc1", ">= 1.2.0-rc1, ~> 1.2-rc1"),
        (">= 1.10, >= 1.9, >= 1.9.0-a", ">= 1.9.0-a, >= 1.9.0, >= 1.10.0"),
        ("1.0", "1.0.0"),
        ("!= 1.0.0-rc1", "!= 1.0.0-rc1"),
    ] {
        assert_eq!(constraints(text).as_deref(), Ok(wanted), "{text}");
        assert_eq!(constraints(wanted).as_deref(), Ok(wanted), "{text}");
    }
    for text in ["", "~>", "1.0.0,", "=> 1.0", "v1.0.0", "1.2.3.4", "^1.0", "latest", "1.0.0\" {"] {
        assert!(constraints(text).unwrap_err().contains("is not a constraint"), "{text}");
    }
}

#[test]
fn hashes_have_schemes() {
    for (hash, wanted) in [
        (H1, Ok(Scheme::H1)),
        (H1_EMPTY, Ok(Scheme::H1)),
        (&zh("0"), Ok(Scheme::Zh)),
        ("h2:whatever", Ok(Scheme::Other)),
        ("h1:short", Err("an h1 is a SHA-256 in base64, 44 characters long")),
        (
            "h1:QExrC0UEro2jd7wMqdzv3wDtw9ef1uHZEFxBWTkq4lM",
            Err("an h1 is a SHA-256 in base64, 44 characters long"),
        ),
        (&zh("A"), Err("a zh is a SHA-256 in 64 lower-case hex digits")),
        ("zh:", Err("a zh is a SHA-256 in 64 lower-case hex digits")),
        (":x", Err("there is nothing before its colon")),
        ("", Err("it has no scheme: hashes begin with `h1:` or `zh:`")),
    ] {
        assert_eq!(Scheme::of(hash), wanted, "{hash}");
    }
}

/// The texts of the hashes, and their places, of a file of one block.
#[test]
fn a_file_is_read_with_its_places() {
    let text = "# comment\nprovider \"registry.opentofu.org/acme/rocket\" {\n  version = \"1.0.0\"\n  hashes = [\"a:b\",\n    \"ü:1\", \"c:d\"]\n}\n\n\
                provider \"registry.terraform.io/hashicorp/aws\" {\n  version = \"5.0.0\"\n  constraints = \"~> 5.0\"\n}\n";
    let file = read(text.as_bytes()).unwrap();
    assert_eq!(file.blocks.len(), 1);
    let LockBlock { address, version, constraints, hashes, .. } = &file.blocks[0];
    assert_eq!((address, version.text.as_str(), constraints), (&rocket(), "1.0.0", &None));
    let at = |at: &Place| (at.line, at.column);
    assert_eq!((at(&file.blocks[0].at), at(&version.at)), ((2, 1), (3, 13)));
    let hashes: Vec<(&str, (usize, usize))> =
        hashes.iter().map(|hash| (hash.text.as_str(), at(&hash.at))).collect();
    assert_eq!(hashes, [("a:b", (4, 13)), ("ü:1", (5, 5)), ("c:d", (5, 12))]);
    let skipped: Vec<(&str, usize)> =
        file.skipped.iter().map(|skipped| (skipped.source.as_str(), skipped.at.line)).collect();
    assert_eq!(skipped, [("registry.terraform.io/hashicorp/aws", 8)]);
    // Windows line ends and a byte order mark change nothing.
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(read(windows.as_bytes()).unwrap(), file);
    assert_eq!(read(b"").unwrap(), LockFile::default());
    assert_eq!(read(HEADER.as_bytes()).unwrap(), LockFile::default());
}

proptest::proptest! {
    #[test]
    fn what_is_printed_is_read_again(
        name in "[a-z0-9]{1,12}(-[a-z0-9]{1,8})?",
        numbers in proptest::array::uniform3(0u32..2_000),
        constraint in proptest::option::of("(|>= [0-9]\\.1\\.2, ~> 12\\.[0-9]|!= 1\\.0\\.0-[a-z]{1,9})"),
        hashes in proptest::collection::btree_set("(h1|zh|h2):[ -~ü]{0,20}", 0..12),
    ) {
        let address = Address::provider("acme", &name);
        let version = format!("{}.{}.{}", numbers[0], numbers[1], numbers[2]);
        let text = block(&address, &version, constraint.as_deref(), hashes.iter().map(String::as_str));
        let file = read(format!("{HEADER}\n{text}").as_bytes()).unwrap();
        let [block] = &file.blocks[..] else { panic!("{text}") };
        proptest::prop_assert_eq!(&block.address, &address);
        proptest::prop_assert_eq!(&block.version.text, &version);
        proptest::prop_assert_eq!(block.constraints.as_ref().map(|said| said.text.clone()), constraint);
        let again: std::collections::BTreeSet<String> = block.hashes.iter().map(|hash| hash.text.clone()).collect();
        proptest::prop_assert_eq!(again.len(), block.hashes.len());
        proptest::prop_assert_eq!(again, hashes);
    }
}
