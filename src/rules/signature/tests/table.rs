//! The matrix of versions and keys, and the preview of a new key.

use crate::registry::keys::KeyFile;
use crate::rules::signature::tests::{CHANGED, SUMS, acme, file, key_id, now, ring, signature};
use crate::rules::signature::{Check, Column, Fares, KeyRing, Mark, Matrix, Release, preview};

/// A ring's results for versions, each signed by a named key.
fn results(ring: &KeyRing, versions: &[(&str, &str)]) -> Vec<(String, Result<Check, String>)> {
    let check = |(version, by): &(&str, &str)| {
        let result = match *by {
            "" => Err("the signature could not be fetched".to_owned()),
            by => Ok(ring.check(SUMS, signature(by), now())),
        };
        ((*version).to_owned(), result)
    };
    versions.iter().map(check).collect()
}

#[test]
fn the_matrix_says_since_when() {
    type Case = (&'static [(&'static str, &'static str)], &'static [&'static str]);
    let cases: [Case; 6] = [
        (&[("1.0.0", "rsa2048"), ("1.1.0", "rsa2048")], &["both versions have good signatures"]),
        (
            &[("0.9.0", "rsa2048"), ("0.64.0", "other"), ("0.65.0", "other"), ("0.10.0", "rsa2048")],
            &["2 versions fail since 0.64.0"],
        ),
        (&[("2.3.2", "other"), ("2.4.0", "rsa2048")], &["1 version fails up to 2.3.2"]),
        (&[("1.0.0", "rsa2048"), ("1.1.0", "other"), ("1.2.0", "rsa2048")], &["1 version fails: 1.1.0"]),
        (&[("1.0.0", ""), ("1.1.0", "rsa2048")], &["1 version is unchecked up to 1.0.0"]),
        (&[("1.0.0", "armored")], &["the only version fails"]),
    ];
    for (versions, wanted) in cases {
        let ring = ring(&["rsa2048"]);
        assert_eq!(Matrix::new(&ring, results(&ring, versions)).text(), wanted, "{versions:?}");
    }
}

#[test]
fn the_matrix_has_a_column_for_each_key() {
    let ring = ring(&["rsa2048", "expired"]);
    let versions =
        [("1.0.0", "expired"), ("1.1.0", "rsa2048"), ("1.2.0", "other"), ("1.3.0", "two"), ("1.4.0", "")];
    let matrix = Matrix::new(&ring, results(&ring, &versions));
    let on_file = |name: &str| Column { key_id: key_id(name), file: Some(format!("keys/a/acme/{name}.asc")) };
    let stranger = Column { key_id: key_id("other"), file: None };
    assert_eq!(matrix.columns, [on_file("rsa2048"), on_file("expired"), stranger]);
    let rows: Vec<(&str, &[Option<Mark>])> =
        matrix.rows.iter().map(|row| (row.version.as_str(), &row.cells[..])).collect();
    let wanted: [(&str, &[Option<Mark>]); 5] = [
        ("1.4.0", &[None, None, None]),
        ("1.3.0", &[Some(Mark::Good), None, None]),
        ("1.2.0", &[None, None, Some(Mark::Unknown)]),
        ("1.1.0", &[Some(Mark::Good), None, None]),
        ("1.0.0", &[None, Some(Mark::Caveat), None]),
    ];
    assert_eq!(rows, wanted);
    let fares: Vec<Fares> = matrix.stretches.iter().map(|stretch| stretch.fares).collect();
    assert_eq!(fares, [Fares::Unknown, Fares::Installs, Fares::Fails, Fares::Installs, Fares::Warns]);
}

/// Story S9: the provider has no key, an old version was signed by another key than the one that is proposed.
#[test]
fn a_first_key_stops_what_others_signed() {
    let releases = [("2.4.0", "rsa2048"), ("2.3.3", "rsa2048"), ("2.2.0", "other")]
        .map(|(version, by)| Release { version, files: Ok((SUMS, signature(by))) });
    let seen = preview(&acme(), &[], &file("rsa2048"), &releases, now().into());
    assert_eq!(seen.verified_by_it, ["2.4.0", "2.3.3"]);
    assert_eq!(seen.stops.len(), 1);
    assert_eq!((&*seen.stops[0].version, &seen.stops[0].signed_by[..]), ("2.2.0", &[key_id("other")][..]));
    assert_eq!(seen.text(), "verifies 2 of 3 versions; 2.2.0 installs today without a check and would fail");
    // A good signature that no client reads verifies nothing.
    let armored = [Release { version: "2.5.0", files: Ok((SUMS, signature("armored"))) }];
    let seen = preview(&acme(), &[], &file("rsa2048"), &armored, now().into());
    assert_eq!(seen.text(), "verifies 0 of 1 version; 2.5.0 installs today without a check and would fail");
    // With the old key on file the new one mends the rest.
    let seen = preview(&acme(), &[file("other")], &file("rsa2048"), &releases, now().into());
    assert_eq!(
        (seen.stops.len(), &seen.starts[..], &seen.goes_on[..]),
        (0, &["2.4.0".into(), "2.3.3".into()][..], &["2.2.0".into()][..])
    );
    assert_eq!(seen.text(), "verifies 2 of 3 versions; 2.4.0, 2.3.3 fail today and would install");
}

#[test]
fn previews_tell_what_is_not_known_and_what_is_in_vain() {
    let releases = [
        Release { version: "1.1.0", files: Err("its signature could not be fetched".into()) },
        Release { version: "1.0.0", files: Ok((CHANGED, signature("expired"))) },
        Release { version: "0.9.0", files: Ok((SUMS, signature("expired"))) },
    ];
    let seen = preview(&acme(), &[], &file("expired"), &releases, now().into());
    assert_eq!(
        seen.text(),
        "verifies 1 of 3 versions; 1.0.0 installs today without a check and would fail; 1.1.0 is not known"
    );
    let elsewhere = KeyFile { path: "keys/a/acme/terraform-provider-rocket/x.asc".into(), ..file("expired") };
    let seen = preview(&acme(), &[], &elsewhere, &releases[2..], now().into());
    assert_eq!(seen.text(), "verifies 1 of 1 version; clients do not look for keys in that place");
    // An unreadable key file stops everything.
    let seen = preview(&acme(), &[], &file("words"), &releases[1..], now().into());
    assert_eq!((seen.stops.len(), seen.verified_by_it.len()), (2, 0));
}
