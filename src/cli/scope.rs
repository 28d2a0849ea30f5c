//! From the words of the command line to addresses that the registry has.

use crate::jobs::{Failure, FailureKind};
use crate::registry::{Address, Catalog};
use crate::rules::mistake::nearest;

/// Reads addresses and finds them; the failure names the nearest spelling.
pub(crate) fn addresses(words: &[String], catalog: &Catalog) -> Result<Vec<Address>, Failure> {
    words.iter().map(|word| address(word, catalog)).collect()
}

/// Reads one address and finds it.
pub(crate) fn address(word: &str, catalog: &Catalog) -> Result<Address, Failure> {
    let address = Address::parse(word).map_err(|error| usage(word, error.to_string(), None))?;
    if catalog.find(&address).is_some() {
        return Ok(address);
    }
    let cause = format!("the registry has no {} `{address}`", address.kind().word());
    let known: Vec<String> = catalog.rows.iter().map(|row| row.address.to_string()).collect();
    let hint = match nearest(&address.to_string(), known.iter().map(String::as_str)) {
        Some(near) => format!("Write `{near}` if you mean that."),
        None => "Run `bumpdesk list --filter WORD` to find the spelling.".into(),
    };
    Err(usage(word, cause, Some(hint)))
}

fn usage(word: &str, cause: String, hint: Option<String>) -> Failure {
    Failure { kind: FailureKind::Usage, doing: format!("looking for `{word}`"), causes: vec![cause], hint }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Row, Shape};

    #[test]
    fn unknown_addresses_name_the_nearest() {
        let row = |text: &str| Row {
            address: Address::parse(text).unwrap(),
            blob: "".into(),
            dirty: false,
            shape: Shape::default(),
        };
        let catalog = Catalog::new(vec![row("hashicorp/aws"), row("a/vpc/aws")], Vec::new());
        assert!(address("HashiCorp/AWS", &catalog).is_ok());
        assert!(address("module a/vpc/aws", &catalog).is_ok());
        for (word, hint) in
            [("hashicorp/asw", "Write `hashicorp/aws`"), ("zzzzzz/qqqqqqqq", "Run `bumpdesk list")]
        {
            let failure = address(word, &catalog).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Usage);
            assert!(failure.hint.unwrap().starts_with(hint), "{word}");
        }
        assert!(
            addresses(&["aws".into()], &catalog).unwrap_err().causes[0].starts_with("`aws` is no address")
        );
    }
}
