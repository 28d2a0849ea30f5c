//! A pasted list of addresses as a filter that shows just these.

use crate::registry::Address;

/// The filter of a text that is nothing but addresses, in any form and with whatever stands between them in lists; `None` for
/// any other text, and for one address that is written as it stands in the list.
pub(crate) fn of_addresses(text: &str) -> Option<String> {
    let around = |c: char| "-*`'\"()[]<>;.".contains(c);
    let words = text.split(|c: char| c.is_whitespace() || c == ',').map(|word| word.trim_matches(around));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let addresses: Vec<String> =
        words.iter().map(|word| Some(Address::parse(word).ok()?.to_string())).collect::<Option<_>>()?;
    match &addresses[..] {
        [] => None,
        [one] if words[0].eq_ignore_ascii_case(one) => None,
        all => Some(all.iter().map(|address| format!("={address}")).collect::<Vec<_>>().join("|")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_addresses_become_one_term_and_other_texts_stay() {
        for (text, wanted) in [
            ("hashicorp/aws\nnewco/new\n", Some("=hashicorp/aws|=newco/new")),
            (
                "- `HashiCorp/aws`, terraform-aws-modules/vpc/aws.",
                Some("=hashicorp/aws|=terraform-aws-modules/vpc/aws"),
            ),
            ("providers/h/hashicorp/aws.json", Some("=hashicorp/aws")),
            ("hashicorp/aws", None),
            ("hashicorp/aws status:drift", None),
            ("aws null", None),
            (" , \n", None),
        ] {
            assert_eq!(of_addresses(text).as_deref(), wanted, "{text}");
        }
    }
}
