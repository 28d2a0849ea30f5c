//! Version constraints in the normal form that a lock file wants: `>= 5.0.0, ~> 5.0, != 5.1.0`.

use crate::rules::client::ClientVersion;

/// In the order in which clients write those of one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Above,
    AtLeast,
    Exactly,
    /// `~> 1.2.0`: below 1.3.
    SamePatch,
    /// `~> 1.2`: below 2.
    SameMinor,
    AtMost,
    Below,
    Not,
}

/// As they are written; one that another begins with comes behind it.
const WRITTEN: [(&str, Operator); 8] = [
    ("~>", Operator::SameMinor),
    (">=", Operator::AtLeast),
    ("<=", Operator::AtMost),
    ("!=", Operator::Not),
    (">", Operator::Above),
    ("<", Operator::Below),
    ("=", Operator::Exactly),
    ("", Operator::Exactly),
];

/// Puts constraints into normal form: one blank behind each operator, versions in full (but for `~> 1.2`), each once, in the
/// order of the versions, and those of one version in the order of their operators.
///
/// # Errors
/// The text is no list of constraints: which part is not, and why.
pub(crate) fn constraints(text: &str) -> Result<String, String> {
    let mut all = text.split(',').map(|part| read(part.trim())).collect::<Result<Vec<_>, String>>()?;
    all.sort_by(|(operator, version), (other, of)| version.order(of).then(operator.cmp(other)));
    let mut all: Vec<String> = all.iter().map(|(operator, version)| written(*operator, version)).collect();
    // Equal ones stand side by side.
    all.dedup();
    Ok(all.join(", "))
}

/// Whether a version is within constraints that were read before; one that no client reads is within none.
pub(crate) fn admits(constraints: &str, version: &str) -> bool {
    let Some(version) = ClientVersion::parse(version) else { return false };
    constraints.split(',').all(|part| {
        let Ok((operator, bound)) = read(part.trim()) else { return false };
        let order = version.order(&bound);
        let same = |numbers: usize| version.numbers[..numbers] == bound.numbers[..numbers];
        match operator {
            Operator::Above => order.is_gt(),
            Operator::AtLeast => order.is_ge(),
            Operator::Exactly => order.is_eq(),
            Operator::SamePatch => order.is_ge() && same(2),
            Operator::SameMinor => order.is_ge() && same(1),
            Operator::AtMost => order.is_le(),
            Operator::Below => order.is_lt(),
            Operator::Not => order.is_ne(),
        }
    })
}

fn written(operator: Operator, version: &ClientVersion<'_>) -> String {
    match operator {
        // An exact version stands by itself.
        Operator::Exactly => version.normal(),
        Operator::SameMinor => format!("~> {}", version.short()),
        Operator::SamePatch => format!("~> {}", version.normal()),
        other => {
            let sign = WRITTEN.iter().find(|(_, operator)| *operator == other).map_or("", |(sign, _)| sign);
            format!("{sign} {}", version.normal())
        }
    }
}

fn read(part: &str) -> Result<(Operator, ClientVersion<'_>), String> {
    let read = WRITTEN.iter().find_map(|(sign, operator)| Some((part.strip_prefix(sign)?, *operator)));
    let version =
        read.and_then(|(text, operator)| Some((operator, ClientVersion::parse(text.trim_start())?)));
    match version {
        Some((Operator::SameMinor, version)) if version.written == 3 => Ok((Operator::SamePatch, version)),
        Some(read) => Ok(read),
        None => {
            Err(format!("`{part}` is not a constraint: write an operator and a version, such as `>= 1.2.0`"))
        }
    }
}
