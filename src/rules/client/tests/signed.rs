//! The signature.

use crate::rules::client::tests::{Case, check};
use crate::rules::client::{Fetched, Policy};
use crate::rules::signature::{Answer, Check, Client, OnFile};

#[test]
fn the_signature_under_each_policy() {
    let validation = Policy { enforces_validation: true, ..Policy::default() };
    let expiration = Policy { enforces_expiration: true, ..Policy::default() };
    let on_file = OnFile { path: "k.asc".into(), key_ids: vec!["A".into()], unreadable: None };
    let answer = Answer::NotSignedByThese { signed_by: vec!["X".into()], on_file: vec![on_file] };
    let of = |client: Client, policy: Policy| {
        let check = Check { answer: answer.clone(), client, older: None, trials: Vec::new() };
        Case::with(|case| (case.signature, case.policy) = (Ok(check), policy))
    };
    let skips = |policy: Policy| Case::with(|case| case.policy = policy);
    check(&[
        ("no key", skips(Policy::default()), &[]),
        ("no key, expiration", skips(expiration), &[]),
        (
            "no key, validation",
            skips(validation),
            &["fail signature: no key is on file, and OPENTOFU_ENFORCE_GPG_VALIDATION"],
        ),
        ("good", of(Client::Installs, validation), &[]),
        ("expired", of(Client::Warns, validation), &["warn signature: "]),
        ("expired, refused", of(Client::Warns, expiration), &["fail signature: "]),
        (
            "refused",
            of(Client::Refuses("no".into()), Policy::default()),
            &["fail signature: signed by X; only A on file; clients refuse it: no"],
        ),
        ("unknown", of(Client::Unknown("odd".into()), Policy::default()), &["not-known signature: "]),
        ("unread", Case::with(|case| case.signature = Err("429".into())), &["not-known signature: 429"]),
        (
            "gone, without a key",
            Case::with(|case| case.signature_file = Fetched::Missing),
            &["fail signature-file: failed to retrieve cryptographic signature"],
        ),
        (
            "not read, without a key",
            Case::with(|case| case.signature_file = Fetched::Unread("429".into())),
            &["not-known signature-file: SHA256SUMS.sig could not be read: 429"],
        ),
    ]);
    let mut gone = of(Client::Installs, Policy::default());
    gone.signature_file = Fetched::Missing;
    check(&[("gone", gone, &["fail signature-file: ", "not-known signature: without SHA256SUMS"])]);
}
