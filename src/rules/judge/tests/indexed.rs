//! Indexed versions against their sums of today.

use crate::registry::Observed;
use crate::registry::ReleaseFacts;
use crate::rules::judge::tests::TWO;
use crate::rules::judge::tests::ago;
use crate::rules::judge::tests::check;
use crate::rules::judge::tests::info;
use crate::rules::judge::tests::no_sums;
use crate::rules::judge::tests::provider;
use crate::rules::judge::tests::provider_with;
use crate::rules::judge::tests::sum;
use crate::rules::judge::tests::sums;
use crate::rules::judge::tests::sums_lines;
use crate::rules::judge::tests::sums_text;
use crate::rules::judge::tests::zip;

#[test]
fn sums_that_differ() {
    let one = || provider(&["1.0.0"]);
    let zero = "0".repeat(64);
    let changed = info(&[(&zip("1.0.0", TWO[0]), &format!("sha256:{zero}"), 60)]);
    let equal = info(&[(&zip("1.0.0", TWO[0]), &format!("sha256:{}", sum(&zip("1.0.0", TWO[0]))), 60)]);
    let upper = TWO.map(|platform| zip("1.0.0", platform));
    let upper = upper.map(|file| format!("{}  {file}\n", sum(&file).to_uppercase())).concat();
    check(vec![
        ("equal", one().probed("1.0.0", sums("1.0.0", &TWO)), "current by git tags: "),
        (
            "equal digest",
            one().probed("1.0.0", ReleaseFacts { info: equal, ..sums("1.0.0", &TWO) }),
            "current by git tags: ",
        ),
        (
            "other digest",
            one().probed("1.0.0", ReleaseFacts { info: changed, ..sums("1.0.0", &TWO) }),
            "drifted by SHA256SUMS: 1 of 2 stored checksums differ from upstream; assets are newer than the index entry by 20 days",
        ),
        (
            "a file no longer listed",
            one().probed("1.0.0", sums("1.0.0", &TWO[..1])),
            "drifted by SHA256SUMS: 1 of 2",
        ),
        ("the same sums in capitals", one().probed("1.0.0", sums_text(&upper)), "current by git tags: "),
    ]);
}

#[test]
fn sums_and_targets_that_are_gone() {
    let one = || provider(&["1.0.0"]);
    let zero = "0".repeat(64);
    let lost = provider_with(&[("1.1.0", &TWO[..1]), ("1.0.0", &TWO)])
        .probed("1.1.0", sums("1.1.0", &TWO))
        .probed("1.0.0", sums("1.0.0", &TWO));
    let aged = {
        let mut release = sums_text(&sums_lines("1.0.0", &zero));
        if let Observed::Known { at, .. } = &mut release.sums {
            *at = ago(25 * 60);
        }
        release
    };
    check(vec![
        (
            "platforms lost",
            lost,
            "partial by SHA256SUMS: 1.1.0: indexed with 1 of 2 targets, 1 platforms lost against 1.0.0",
        ),
        (
            "drift before partial",
            provider_with(&[("1.0.0", &TWO[..1])]).probed("1.0.0", sums_text(&sums_lines("1.0.0", &zero))),
            "drifted by SHA256SUMS: 1 of 1 stored checksums differ from upstream; partial: 1 of 2 targets",
        ),
        (
            "sums gone",
            one().probed("1.0.0", no_sums(Observed::Unasked)),
            "gone-upstream by SHA256SUMS: its SHA256SUMS is gone",
        ),
        (
            "tag and sums gone",
            one().tags(&[]).probed("1.0.0", no_sums(Observed::Unasked)),
            "gone-upstream by git tags: no tags at all",
        ),
        (
            "drift, ignored",
            one().probed("1.0.0", sums_text(&sums_lines("1.0.0", &zero))).ignores(Some("1.0.0"), 60),
            "current by git tags: ",
        ),
        (
            "sums that an earlier survey read",
            one().release("v1.0.0", sums_text(&sums_lines("1.0.0", &zero))),
            "drifted by SHA256SUMS: 2 of 2",
        ),
        ("sums read too long ago", one().probed("1.0.0", aged), "current by git tags: "),
    ]);
}
