use std::path::Path;

use ratatui::style::{Color, Modifier};

use super::colour::{Rgb, oklab};
use super::depth::{SIXTEEN, look};
use super::themes::BUILT_IN;
use super::*;
use crate::settings::{ColorDepth, ThemeText};
use crate::tui::Themes;

/// The grounds on which the screens put a role's text. That they put it on no other is measured over all frames.
pub(in crate::tui) fn grounds(ink: Role) -> &'static [Role] {
    match ink {
        Role::Bar | Role::Tab => &[Role::Bar],
        Role::Title | Role::Warning => &[Role::Text, Role::Cursor, Role::Popup, Role::Bar],
        _ => &[Role::Text, Role::Cursor, Role::Popup],
    }
}

fn seen(colour: Option<Color>) -> Rgb {
    colour.and_then(look).expect("a colour that is known")
}

/// Every ink of a theme with every paper that it may stand on.
fn pairs(theme: &Theme) -> Vec<(Role, Rgb, Rgb)> {
    Role::ALL
        .into_iter()
        // A line between panes is no text.
        .filter(|role| *role != Role::Rule && theme.style(*role).fg.is_some())
        .flat_map(|role| {
            let ink = seen(theme.style(role).fg);
            let papers = grounds(role).iter().chain([&role]).filter_map(|ground| theme.style(*ground).bg);
            papers.map(move |paper| (role, ink, seen(Some(paper)))).collect::<Vec<_>>()
        })
        .collect()
}

fn coloured() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name).filter(|name| *name != "mono")
}

fn own(name: &str, text: &str) -> ThemeText {
    ThemeText { name: name.into(), path: Path::new("/c").join(format!("{name}.toml")), text: Ok(text.into()) }
}

#[test]
fn every_theme_is_there_and_every_role_has_a_name() {
    let themes = Themes::default();
    assert_eq!(themes.problems, [""; 0]);
    for name in BUILT_IN.map(|(name, _)| name) {
        assert_eq!(themes.find(name).expect("a theme").name, name);
    }
    for (place, role) in Role::ALL.into_iter().enumerate() {
        assert_eq!(role as usize, place);
        assert_eq!(Role::from_name(role.name()), Some(role));
    }
    // The roots say every role.
    for (name, text) in BUILT_IN {
        let sheet = file::read(text, name).expect("it is right");
        if sheet.inherits.is_none() {
            assert_eq!(sheet.roles.len(), Role::ALL.len(), "{name}");
        }
    }
}

#[test]
fn text_is_read_on_every_ground_it_stands_on() {
    for (depth, slack) in [(ColorDepth::True, 0.0), (ColorDepth::Indexed, 0.0)] {
        let themes = Themes::new(&[], depth);
        for name in coloured() {
            let least = if name == "high-contrast" && depth == ColorDepth::True { 7.0 } else { 4.5 - slack };
            for (role, ink, paper) in pairs(&themes.find(name).expect("a theme")) {
                let found = ink.contrast(paper);
                assert!(found >= least, "{name} {role:?}, {depth:?}: {found:.2}, {ink:?} on {paper:?}");
            }
        }
    }
}

#[test]
fn fewer_colours_are_the_nearest_ones() {
    for name in coloured() {
        let whole = Themes::default().find(name).expect("a theme");
        let indexed = Themes::new(&[], ColorDepth::Indexed).find(name).expect("a theme");
        let sixteen = Themes::new(&[], ColorDepth::Sixteen).find(name).expect("a theme");
        for role in Role::ALL {
            let (fine, less, least) = (whole.style(role), indexed.style(role), sixteen.style(role));
            for (one, two) in [(fine.fg, less.fg), (fine.bg, less.bg)] {
                assert_eq!(one.is_some(), two.is_some());
                if let (Some(one), Some(two)) = (one, two) {
                    assert!(matches!(two, Color::Indexed(16..)), "{name} {role:?}: {two:?}");
                    let apart = seen(Some(one)).distance(seen(Some(two)));
                    assert!(apart < 0.12, "{name} {role:?}: {apart:.3} between {one:?} and {two:?}");
                }
            }
            for colour in [least.fg, least.bg].into_iter().flatten() {
                assert!(SIXTEEN.iter().any(|(known, _)| *known == colour), "{name} {role:?}: {colour:?}");
            }
            // The same colour with more or less light, or plain ink.
            if let (Some(one), Some(two)) = (fine.fg, least.fg)
                && let (Some(one), Some(two)) =
                    (seen(Some(one)).lightness_and_hue().1, seen(Some(two)).lightness_and_hue().1)
            {
                let turn = (one - two).abs();
                assert!(turn.min(360.0 - turn) <= 40.0, "{name} {role:?}: {one:.0} and {two:.0} degrees");
            }
        }
        for (role, ink, paper) in pairs(&sixteen) {
            assert!(ink.contrast(paper) >= 3.0, "{name} {role:?} in 16: {ink:?} on {paper:?}");
        }
        let cursor = sixteen.style(Role::Cursor);
        assert!(cursor.bg != sixteen.style(Role::Text).bg, "{name}: the cursor's row is seen");
        assert!(cursor.add_modifier.contains(Modifier::REVERSED));
    }
}

#[test]
fn without_colours_everything_is_mono() {
    let themes = Themes::new(&[], ColorDepth::None);
    for name in BUILT_IN.map(|(name, _)| name) {
        let theme = themes.find(name).expect("a theme");
        assert!(
            Role::ALL.iter().all(|role| theme.style(*role).fg.is_none() && theme.style(*role).bg.is_none())
        );
        assert!(theme.style(Role::Cursor).add_modifier.contains(Modifier::REVERSED));
    }
}

/// How red-blind and green-blind eyes see light (Machado, Oliveira and Fernandes, 2009, full strength).
const EYES: [[[f64; 3]; 3]; 2] = [
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
];

fn apart_for(eyes: &[[f64; 3]; 3], one: Rgb, two: Rgb) -> f64 {
    let see = |colour: Rgb| {
        let light = colour.linear();
        oklab(eyes.map(|row| (0..3).map(|at| row[at] * light[at]).sum::<f64>().clamp(0.0, 1.0)))
    };
    let (one, two) = (see(one), see(two));
    (0..3).map(|axis| (one[axis] - two[axis]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn the_colour_blind_theme_keeps_what_differs_apart() {
    const APART: [Role; 5] = [Role::Act, Role::Look, Role::Fine, Role::Wait, Role::Dim];
    let nearest = |name: &str| {
        let theme = Themes::default().find(name).expect("a theme");
        let mut least = f64::MAX;
        for (place, one) in APART.into_iter().enumerate() {
            for two in &APART[place + 1..] {
                for eyes in &EYES {
                    least = least.min(apart_for(eyes, seen(theme.style(one).fg), seen(theme.style(*two).fg)));
                }
            }
        }
        let (added, removed) = (theme.style(Role::Added).fg, theme.style(Role::Removed).fg);
        EYES.iter().map(|eyes| apart_for(eyes, seen(added), seen(removed))).fold(least, f64::min)
    };
    assert!(nearest("colour-blind") >= 0.12, "{:.3}", nearest("colour-blind"));
    assert!(nearest("dark") < 0.1, "the test sees a theme that is not made for it");
}

#[test]
fn a_theme_of_ones_own_says_only_what_differs() {
    let mine = own(
        "mine",
        "inherits = \"light\"\n[palette]\nred = \"#880000\"\n[roles]\nkey = { fg = \"#004466\" }\n",
    );
    let child = own("child", "inherits = \"mine\"\n[roles]\nact = { fg = \"red\", underline = true }\n");
    let plain = own("plain", "");
    let themes = Themes::new(&[child, mine, plain], ColorDepth::True);
    assert_eq!(themes.problems, [""; 0]);
    let (mine, child) = (themes.find("mine").expect("mine"), themes.find("child").expect("child"));
    let light = themes.find("light").expect("light");
    assert_eq!(
        mine.style(Role::Removed).fg,
        Some(Color::Rgb(0x88, 0, 0)),
        "the palette changes all its users"
    );
    assert_eq!(mine.style(Role::Key).fg, Some(Color::Rgb(0, 0x44, 0x66)));
    assert_eq!(mine.style(Role::Text), light.style(Role::Text));
    assert_eq!(child.style(Role::Act).fg, Some(Color::Rgb(0x88, 0, 0)));
    assert!(child.style(Role::Act).add_modifier.contains(Modifier::UNDERLINED));
    let dark = themes.find("dark").expect("dark");
    assert_eq!(themes.find("plain").expect("plain").style(Role::Text), dark.style(Role::Text));
    assert_eq!(themes.after("mono").name, "child");
    assert_eq!(themes.after("plain").name, "dark");
    assert_eq!(themes.after("no such").name, "dark");
}

/// `old-roles.toml` was written when statuses had nine roles.
#[test]
fn a_theme_with_the_older_roles_still_loads() {
    let old = include_str!("old-roles.toml");
    let themes = Themes::new(
        &[own("old", old), own("newer", &format!("{old}act = {{ fg = \"blue\" }}\n"))],
        ColorDepth::True,
    );
    assert_eq!(themes.problems, [""; 0]);
    let theme = themes.find("old").expect("old");
    let ink = |role: Role| theme.style(role).fg;
    let rgb = |red, green, blue| Some(Color::Rgb(red, green, blue));
    assert_eq!(ink(Role::Act), rgb(0xff, 0x66, 0x66), "by `wrong`");
    assert_eq!(ink(Role::Look), rgb(0xff, 0xcc, 0x00), "by `waits`");
    assert_eq!(ink(Role::Wait), rgb(0x66, 0xaa, 0xff), "by `late`");
    assert_eq!(ink(Role::Key), rgb(0x00, 0xdd, 0xdd));
    let newer = themes.find("newer").expect("newer");
    assert_eq!(newer.style(Role::Act).fg, rgb(0x66, 0xaa, 0xff), "the new name wins");
    let wrong = Themes::new(&[own("x", "[roles]\nlost = 3\nwaits = { fg = 1 }\n")], ColorDepth::True);
    assert_eq!(wrong.problems.len(), 2, "{:?}", wrong.problems);
}

#[test]
fn mistakes_are_named_with_place_and_nearest_word() {
    let cases: &[(&str, &[&str])] = &[
        ("[role]\n", &["`/c/x.toml:1:2`: there is no key `role`; write `roles`"]),
        ("\n[roles]\n curser = {}\n", &["`/c/x.toml:3:2`: there is no role `curser`; write `cursor`"]),
        (
            "[palette]\ngrey = \"#888\"\n[roles]\nkey = { fg = 3, blod = true, bold = 1 }\ntext = \"ink\"\n",
            &[
                "`/c/x.toml:2:8`: `grey` is not a colour; write \"#rrggbb\"",
                "`/c/x.toml:4:14`: `fg` must be a colour of the palette or \"#rrggbb\"",
                "`/c/x.toml:4:17`: a role has no `blod`; write `bold`",
                "`/c/x.toml:4:37`: `bold` must be true or false",
                "`/c/x.toml:5:8`: `text` must be a table such as { fg = \"ink\", bold = true }",
            ],
        ),
        (
            "[roles]\nkey = { fg = \"yelow\" }\n",
            &["`/c/x.toml:2:14`: there is no colour `yelow` in the palette; write `yellow`"],
        ),
        ("[roles\n", &["`/c/x.toml:1:7`: "]),
        ("inherits = 1\n", &["`/c/x.toml:1:12`: `inherits` must be the name of a theme in quotes"]),
        ("inherits = \"drak\"\n", &["`/c/x.toml:1:12`: there is no theme `drak` to inherit; write `dark`"]),
        ("inherits = \"x\"\n", &["`/c/x.toml:1:12`: themes inherit each other in a circle: x, x"]),
    ];
    for (text, wanted) in cases {
        let themes = Themes::new(&[own("x", text)], ColorDepth::True);
        assert_eq!(themes.problems.len(), wanted.len(), "{text}: {:?}", themes.problems);
        for (problem, wanted) in themes.problems.iter().zip(*wanted) {
            assert!(problem.starts_with(wanted), "{text}: {problem}");
        }
        assert!(themes.find("x").is_none() && themes.find("dark").is_some());
    }
    let circle = [own("a", "inherits = \"b\""), own("b", "inherits = \"a\"")];
    let themes = Themes::new(&circle, ColorDepth::True);
    assert!(
        themes.problems[0].ends_with("themes inherit each other in a circle: a, b, a"),
        "{:?}",
        themes.problems
    );
    let themes = Themes::new(&[own("dark", "")], ColorDepth::True);
    assert!(themes.problems[0].contains("give the file another name"), "{:?}", themes.problems);
    let unread = ThemeText { text: Err("it is over 64 KiB".into()), ..own("big", "") };
    let themes = Themes::new(&[unread], ColorDepth::True);
    assert_eq!(themes.problems, ["`/c/big.toml` cannot be read: it is over 64 KiB"]);
    assert_eq!(themes.missing("ligth"), "there is no theme `ligth`; write `light`");
}
