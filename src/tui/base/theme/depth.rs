//! Fewer colours than a theme has: each becomes the nearest of those that there are and that can still be read.

use ratatui::style::{Color, Modifier, Style};

use crate::settings::ColorDepth;
use crate::tui::base::theme::Theme;
use crate::tui::base::theme::colour::Rgb;
use crate::tui::base::theme::role::Role;

/// The contrast that ink keeps: what text needs among 256 colours, and what large signs need among 16, whose true values
/// only the terminal knows.
const KEEP_INDEXED: f64 = 4.5;
const KEEP_SIXTEEN: f64 = 3.0;

/// The sixteen as most terminals have them.
pub(super) const SIXTEEN: [(Color, Rgb); 16] = [
    (Color::Black, Rgb(0, 0, 0)),
    (Color::Red, Rgb(205, 0, 0)),
    (Color::Green, Rgb(0, 205, 0)),
    (Color::Yellow, Rgb(205, 205, 0)),
    (Color::Blue, Rgb(0, 0, 238)),
    (Color::Magenta, Rgb(205, 0, 205)),
    (Color::Cyan, Rgb(0, 205, 205)),
    (Color::Gray, Rgb(229, 229, 229)),
    (Color::DarkGray, Rgb(127, 127, 127)),
    (Color::LightRed, Rgb(255, 0, 0)),
    (Color::LightGreen, Rgb(0, 255, 0)),
    (Color::LightYellow, Rgb(255, 255, 0)),
    (Color::LightBlue, Rgb(92, 92, 255)),
    (Color::LightMagenta, Rgb(255, 0, 255)),
    (Color::LightCyan, Rgb(0, 255, 255)),
    (Color::White, Rgb(255, 255, 255)),
];

/// The theme in the colours that there are. Without any it is `mono`, which `Themes` knows.
pub(super) fn reduce(theme: Theme, depth: ColorDepth) -> Theme {
    if matches!(depth, ColorDepth::True | ColorDepth::None) {
        return theme;
    }
    let grounds = [Role::Text, Role::Cursor, Role::Popup].map(|role| theme.style(role).bg);
    let paper =
        |colour: Color| if depth == ColorDepth::Indexed { indexed(colour, &[]) } else { grey(colour) };
    let papers: Vec<Color> = grounds.into_iter().flatten().map(paper).collect();
    let mut styles = theme.styles;
    for (role, style) in Role::ALL.into_iter().zip(&mut styles) {
        let bg = style.bg.map(paper);
        let own = match bg {
            // A line between panes is no text.
            _ if role == Role::Rule => Vec::new(),
            Some(bg) => vec![bg],
            None => papers.clone(),
        };
        let fg = style.fg.map(|fg| match depth {
            ColorDepth::Indexed => indexed(fg, &own),
            _ => sixteen(fg, &own),
        });
        *style = Style { fg, bg, ..*style };
    }
    let mut theme = Theme { styles, ..theme };
    show_cursor(&mut theme);
    theme
}

/// A cursor whose paper became that of the text is turned round instead, the whole row in one ink.
fn show_cursor(theme: &mut Theme) {
    let text = theme.style(Role::Text);
    let cursor = &mut theme.styles[Role::Cursor as usize];
    if cursor.bg.is_some() && cursor.bg == text.bg {
        *cursor = Style { bg: None, fg: text.fg, ..*cursor }.add_modifier(Modifier::REVERSED);
    }
}

/// What a colour looks like, as far as that is known.
pub(super) fn look(colour: Color) -> Option<Rgb> {
    match colour {
        Color::Rgb(red, green, blue) => Some(Rgb(red, green, blue)),
        Color::Indexed(index @ 16..=231) => {
            let level = |digit: u8| if digit == 0 { 0 } else { 55 + 40 * digit };
            let index = index - 16;
            Some(Rgb(level(index / 36), level(index / 6 % 6), level(index % 6)))
        }
        Color::Indexed(index @ 232..=255) => {
            let value = 8 + 10 * (index - 232);
            Some(Rgb(value, value, value))
        }
        named => SIXTEEN.iter().find(|(colour, _)| *colour == named).map(|(_, look)| *look),
    }
}

/// Whether ink is read on all of these papers as well as on paper in true colour, or well enough.
fn is_read(ink: Rgb, papers: &[Color], keep: f64) -> bool {
    papers.iter().filter_map(|paper| look(*paper)).all(|paper| ink.contrast(paper) >= keep)
}

/// The nearest of the 240 colours with fixed values.
fn indexed(colour: Color, papers: &[Color]) -> Color {
    let Some(wanted) = look(colour) else { return colour };
    let mut all: Vec<(i64, u8, Rgb)> = (16..=255)
        .filter_map(|index| {
            let look = look(Color::Indexed(index))?;
            Some((apart(wanted, look), index, look))
        })
        .collect();
    all.sort_unstable_by_key(|(apart, index, _)| (*apart, *index));
    let readable = all.iter().find(|(_, _, look)| is_read(*look, papers, KEEP_INDEXED));
    readable.or(all.first()).map_or(colour, |(_, index, _)| Color::Indexed(*index))
}

/// A distance that is cheap and near enough to what is seen: green weighs most, red more the redder both are.
fn apart(one: Rgb, two: Rgb) -> i64 {
    let mean = i64::midpoint(i64::from(one.0), i64::from(two.0));
    let [red, green, blue] =
        [(one.0, two.0), (one.1, two.1), (one.2, two.2)].map(|(a, b)| i64::from(a) - i64::from(b));
    (((512 + mean) * red * red) >> 8) + 4 * green * green + (((767 - mean) * blue * blue) >> 8)
}

/// Black or white, whichever is nearer: papers of other colours leave no ink to be read on them.
fn grey(colour: Color) -> Color {
    let dark = look(colour).is_some_and(|look| look.lightness_and_hue().0 < 0.5);
    if dark { Color::Black } else { Color::White }
}

/// Of the sixteen: the one with the nearest hue that is read, or the ink of plain text.
fn sixteen(colour: Color, papers: &[Color]) -> Color {
    let Some(wanted) = look(colour) else { return colour };
    let (lightness, hue) = wanted.lightness_and_hue();
    let rank = |candidate: Rgb| {
        let (light, other) = candidate.lightness_and_hue();
        let turn = match (hue, other) {
            (Some(one), Some(two)) => {
                let turn = (one - two).abs();
                Some(turn.min(360.0 - turn))
            }
            (None, None) => Some(0.0),
            _ => None,
        };
        // A hue away by more than half the way to the next one is another colour.
        turn.filter(|turn| *turn <= 40.0).map(|turn| turn / 180.0 + (light - lightness).abs())
    };
    let known = SIXTEEN.iter().filter(|(_, look)| is_read(*look, papers, KEEP_SIXTEEN));
    let best = known
        .filter_map(|(colour, look)| rank(*look).map(|rank| (rank, *colour)))
        .min_by(|(one, _), (two, _)| one.total_cmp(two));
    best.map_or_else(|| plain(papers), |(_, colour)| colour)
}

/// Black or white, whichever is read better.
fn plain(papers: &[Color]) -> Color {
    let dark = papers.iter().filter_map(|paper| look(*paper)).all(|paper| paper.lightness_and_hue().0 < 0.5);
    if dark { Color::White } else { Color::Black }
}
