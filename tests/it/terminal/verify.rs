//! Verify in the demo: an entry whose files were re-uploaded, from the key to the end, beside one version that is as it was.

use std::time::Duration;

use super::pty::{Pty, home};

const ENTER: &str = "\r";
const ESC: &str = "\u{1b}";

#[test]
fn what_was_uploaded_again_is_found_and_read() {
    stamped!(crate::PROGRAM);
    let home = home();
    let mut pty = Pty::start(home.path(), (120, 40), &["demo", "--now", "2026-11-21T12:00:00Z"]);
    pty.see(&["survey done"]);
    pty.bytes_until_quiet(Duration::from_millis(200));
    pty.press("/emberlight/bellows\r");
    pty.see(&["filter> emberlight/bellows", "\u{2206} DRIFT"]);
    // 33 targets of which nobody knows the size, or few whose size is known: begun with or without a question.
    pty.press("V");
    pty.wait("a question or the view", |screen| {
        screen.contains("Verify all of it?") || screen.contains("[4 Verify")
    });
    if pty.text().contains("Verify all of it?") {
        pty.press("y");
    }
    pty.see(&[
        "[4 Verify 11]",
        "33 targets of 3 versions: 11 bad, 22 ok",
        "⊗ MISMATCH",
        "11 targets",
        "✓ OK",
        "re-uploaded",
    ]);
    pty.see(&["✗ MISMATCH", "ask the author to release a new version", "1–3 of 3"]);
    pty.press("!");
    pty.gone("✓ OK");
    pty.press("!");
    pty.see(&["✓ OK"]);
    pty.press(ENTER);
    pty.see(&["1–14 of 14"]);
    pty.press("j");
    pty.see(&["stored shasum", "SHA256SUMS today", "zip today"]);
    pty.press(ENTER);
    pty.see(&["the answers", "SHA256SUMS differ, ARCHIVE differ, H1 differ"]);
    pty.press(ESC);
    pty.see(&["33 targets of"]);
    pty.resize((60, 20));
    pty.see(&["33 targets: 11 bad", "⊗ MISMATCH", "re-uploaded"]);
    pty.press("8");
    pty.see(&["[8] Jobs", "verify emberlight"]);
    pty.press("q");
    let status = pty.end();
    assert_eq!((status.exit_code(), status.signal()), (0, None), "{}", pty.text());
    pty.assert_restored();
}
