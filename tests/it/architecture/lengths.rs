//! How long things may grow: files, functions, and the few types and files with a limit of their own.

use super::source::Fault;
use super::source::Source;
use super::source::is_word;

const FILE_LINES: usize = 400;
const FUNCTION_LINES: usize = 60;
/// The impure loop of the console stays small enough to be read at one sitting.
const RUNTIME: (&str, usize) = ("src/tui/runtime.rs", 250);
/// The root of the console's state: what one screen needs alone belongs to that screen.
const MODEL_FIELDS: usize = 14;

pub(super) fn check(source: &Source) -> Vec<Fault> {
    let mut faults = Vec::new();
    let limit = if source.path == RUNTIME.0 { RUNTIME.1 } else { FILE_LINES };
    let lines = source.product_lines();
    if lines > limit {
        faults
            .push(source.fault(lines, format!("{lines} lines before the tests, {limit} at most: split it")));
    }
    for function in functions(&source.code) {
        if function.lines > FUNCTION_LINES {
            let text = format!("`{}` has {} lines, {FUNCTION_LINES} at most", function.name, function.lines);
            faults.push(source.fault(function.line, text));
        }
    }
    if source.path.starts_with("src/tui/")
        && let Some((line, fields)) = model_fields(&source.code)
        && fields > MODEL_FIELDS
    {
        faults.push(source.fault(line, format!("`Model` has {fields} fields, {MODEL_FIELDS} at most")));
    }
    faults
}

struct Function<'a> {
    name: &'a str,
    line: usize,
    /// From `fn` to the closing brace, without lines that are blank or only comment.
    lines: usize,
}

fn functions(code: &str) -> Vec<Function<'_>> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if at > 0 && is_word(bytes[at - 1]) {
            continue;
        }
        let length = bytes[at + 3..].iter().take_while(|&&byte| is_word(byte)).count();
        let name = &code[at + 3..at + 3 + length];
        if let Some(end) = body_end(bytes, at)
            && length > 0
        {
            let lines = code[at..end].lines().filter(|line| !line.trim().is_empty()).count();
            found.push(Function { name, line: super::source::line_of(code, at), lines });
        }
    }
    found
}

/// Where the body of what starts here closes; `None` if it has none.
fn body_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut braces, mut others) = (0_i32, 0_i32);
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => others += 1,
            b')' | b']' => others -= 1,
            b'{' => braces += 1,
            b'}' => {
                braces -= 1;
                if braces == 0 {
                    return Some(at + 1);
                }
            }
            b';' if braces == 0 && others == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The line of `struct Model` and the number of its fields, in formatted code.
fn model_fields(code: &str) -> Option<(usize, usize)> {
    let start = code.find("struct Model {")?;
    let end = body_end(code.as_bytes(), start)?;
    let is_field = |line: &&str| line.starts_with("    ") && !line.starts_with("     ") && line.contains(':');
    let fields = code[start..end].lines().filter(is_field).count();
    Some((super::source::line_of(code, start), fields))
}

#[test]
fn long_files_and_functions_are_found() {
    let long = "const A: u8 = 0;\n".repeat(401);
    assert_eq!(check(&Source::new("src/a.rs", &long)).len(), 1);
    assert_eq!(check(&Source::new("src/a.rs", &long[..long.len() / 401 * 400])), []);
    let loop_of_251 = "const A: u8 = 0;\n".repeat(251);
    assert_eq!(check(&Source::new("src/tui/runtime.rs", &loop_of_251)).len(), 1);

    let body = |lines: usize| format!("fn f(a: [u8; 2]) {{\n{}}}\n", "    g(\"}\");\n".repeat(lines));
    let faults = check(&Source::new("src/a.rs", &format!("\n{}", body(59))));
    assert_eq!((faults[0].line, faults[0].text.as_str()), (2, "`f` has 61 lines, 60 at most"));
    assert_eq!(check(&Source::new("src/a.rs", &body(58))), []);
    let nested = format!("trait T {{\n    fn g();\n}}\nimpl A {{\n    async {}}}\n", body(60));
    assert_eq!(check(&Source::new("src/a.rs", &nested)).len(), 1);
}

#[test]
fn a_model_that_knows_everything_is_found() {
    let model = |fields: usize| format!("pub struct Model {{\n{}}}\n", "    pub a: A,\n".repeat(fields));
    assert_eq!(check(&Source::new("src/tui/model.rs", &model(15))).len(), 1);
    assert_eq!(check(&Source::new("src/tui/model.rs", &model(14))), []);
}
