use proptest::prelude::*;

use super::*;

fn words(heard: &[Heard]) -> String {
    let parts: Vec<String> = heard
        .iter()
        .map(|heard| match heard {
            Heard::Event(Event::Key(event)) => {
                let mut text = String::new();
                for (modifier, word) in [(KeyModifiers::CONTROL, "ctrl-"), (KeyModifiers::ALT, "alt-")] {
                    if event.modifiers.contains(modifier) {
                        text.push_str(word);
                    }
                }
                match event.code {
                    KeyCode::Char(letter) => text.push(letter),
                    code => text.push_str(&format!("{code:?}").to_lowercase()),
                }
                text
            }
            Heard::Event(Event::Paste(text)) => format!("paste({text})"),
            Heard::Event(Event::Mouse(mouse)) => {
                format!("{:?}@{},{}", mouse.kind, mouse.column, mouse.row)
            }
            other => format!("{other:?}"),
        })
        .collect();
    parts.join(" ")
}

#[test]
fn what_terminals_send() {
    let cases: &[(&[u8], &str)] = &[
        (b"jG", "j G"),
        ("é日🙂".as_bytes(), "é 日 🙂"),
        (b"\r\t\x7f\x03\x1f\0", "enter tab backspace ctrl-c ctrl-7 ctrl- "),
        (b"\x1b[A\x1b[B\x1bOC\x1bOD\x1b[H\x1bOF", "up down right left home end"),
        (b"\x1b[5~\x1b[6~\x1b[1~\x1b[8~\x1b[3~", "pageup pagedown home end delete"),
        (b"\x1bOQ\x1b[12~\x1b[1;1Q\x1b[[B\x1b[24~", "f(2) f(2) f(2) f(2) f(12)"),
        (b"\x1b[Z\x1b[1;5A\x1b[1;3D", "backtab ctrl-up alt-left"),
        (b"\x1b[97;5u\x1b[27;5;97~\x1b[27u\x1b[13;1:1u", "ctrl-a ctrl-a esc enter"),
        (b"\x1bx\x1b\r", "alt-x alt-enter"),
        (b"\x1b\x1bj", "esc alt-j"),
        // Answers, asked for or not, known or not.
        (b"\x1b]11;rgb:1414/1717/1c1c\x07j", "Ground(Dark) j"),
        (b"\x1b]11;rgb:fb/fa/f7\x1b\\j", "Ground(Light) j"),
        (b"\x1b]11;rgba:ffff/ffff/ffff/8080\x07", "Ground(Light)"),
        (b"\x1b]11;#fbfaf7\x07\x1b]11;#000\x07", "Ground(Light) Ground(Dark)"),
        (b"\x1b]11;rgb:zz/1/1\x07\x1b]11;rgb:\x07\x1b]11;#12345\x07\x1b]10;rgb:f/f/f\x07j", "j"),
        (b"\x1b[?997;1n\x1b[?997;2n\x1b[?997;9n", "Ground(Dark) Ground(Light)"),
        (b"\x1b[?62;22;52c\x1b[>41;367;0c", "Answered"),
        (b"\x1b[12;40R\x1b[0n\x1b[?2031;1$y\x1b[I\x1b[O\x1b[8;40;120t", ""),
        (b"\x1bP1+r544e=787465\x1b\\\x1b_Gi=1;OK\x1b\\\x1b^x\x1b\\j", "j"),
        // Broken ones.
        (b"\x1b]11;rgb:ff\x1b[Aj", "up j"),
        (b"\x1b[1;\x1b[Bj", "down j"),
        (b"\x1b]abc\x18j\x1b[12\rj", "j enter j"),
        (b"\xff\xc3j\x80k\xe2\x28", "j k ("),
        // A paste is text, whatever is in it.
        (b"\x1b[200~rm -rf\n\x1b[A\x1b[201~j", "paste(rm -rf\n\u{1b}[A) j"),
        (b"\x1b[200~\x1b[201~", "paste()"),
        // The mouse: buttons and wheel; letting go, moving and other buttons mean nothing.
        (b"\x1b[<0;5;7M\x1b[<0;5;7m\x1b[<64;1;1M\x1b[<65;1;1M", "Down(Left)@4,6 ScrollUp@0,0 ScrollDown@0,0"),
        (b"\x1b[<2;5;7M\x1b[<35;5;7M\x1b[<0;0;7M\x1b[<0;5M\x1b[<0;99999;1M", ""),
        (b"\x1b[M %'j", "Down(Left)@4,6 j"),
    ];
    for (bytes, wanted) in cases {
        let shown = String::from_utf8_lossy(bytes);
        let mut decoder = Decoder::default();
        assert_eq!(words(&decoder.feed(bytes)), wanted.trim_start(), "{shown:?}");
        assert!(decoder.bytes.is_empty(), "{shown:?} leaves {:?}", decoder.bytes);
    }
}

#[test]
fn what_is_not_finished_waits_and_then_ends() {
    let cases: &[(&[u8], Option<u64>, &str)] = &[
        (b"", None, ""),
        (b"j", None, ""),
        (b"\x1b", Some(ESC_MS), "esc"),
        (b"\x1b[", Some(KEY_MS), ""),
        (b"\x1b[1;", Some(KEY_MS), ""),
        (b"\x1bO", Some(KEY_MS), ""),
        (b"\xe6\x97", Some(KEY_MS), ""),
        (b"\x1b]11;rgb:ffff/f", Some(STRING_MS), ""),
        (b"\x1b[?62;2", Some(STRING_MS), ""),
        (b"\x1b[200~half", Some(PASTE_MS), "paste(half)"),
        (b"\x1b[200~half\x1b[20", Some(PASTE_MS), "paste(half\u{1b}[20)"),
    ];
    for (bytes, patience, wanted) in cases {
        let mut decoder = Decoder::default();
        decoder.feed(bytes);
        assert_eq!(decoder.patience(), patience.map(Duration::from_millis), "{bytes:?}");
        assert_eq!(words(&decoder.expire()), *wanted, "{bytes:?}");
        assert_eq!(words(&decoder.feed(b"j")), "j", "{bytes:?}");
    }
}

#[test]
fn what_never_ends_is_not_kept() {
    let mut decoder = Decoder::default();
    for start in [&b"\x1b]52;c;"[..], b"\x1b[200~", b"\x1b[1", b"\x1bP"] {
        decoder.feed(start);
        for _ in 0..2_000 {
            decoder.feed(&[b'1'; 1_000]);
            assert!(decoder.bytes.len() <= MOST_STRING + 1_000);
        }
        assert!(decoder.paste.as_ref().is_none_or(|paste| paste.len() <= MOST_PASTE));
        decoder.feed(b"\x1b[201~\x1b\\");
        decoder.expire();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Any bytes, in any pieces, give the same events.
    #[test]
    fn pieces_make_no_difference(
        parts in proptest::collection::vec(
            prop_oneof![
                Just(b"\x1b[A".to_vec()), Just(b"\x1b]11;rgb:ff/ff/ff\x07".to_vec()), Just(b"\x1b[200~".to_vec()),
                Just(b"\x1b[201~".to_vec()), Just(b"\x1b".to_vec()), Just(b"\x1b\\".to_vec()), Just(b"j".to_vec()),
                proptest::collection::vec(any::<u8>(), 1..4),
            ],
            0..20,
        ),
    ) {
        let bytes = parts.concat();
        let mut whole = Decoder::default();
        let mut wanted = whole.feed(&bytes);
        wanted.extend(whole.expire());
        let mut single = Decoder::default();
        let mut found: Vec<Heard> = bytes.iter().flat_map(|byte| single.feed(&[*byte])).collect();
        found.extend(single.expire());
        prop_assert_eq!(wanted, found);
    }
}
