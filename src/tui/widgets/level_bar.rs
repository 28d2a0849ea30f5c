//! The levels of a list in one line: the number of rows of each, and a bar of which each has its share.
//!
//! ```text
//!  10 act ━━━━━ 14 look ━━━━━━━ 12 wait ━━━━━━ 25 fine ━━━━━━━━━━━━
//! ```

use ratatui::buffer::Buffer;

use crate::desk::list::Tally;
use crate::rules::Level;
use crate::rules::amount::grouped;
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Area;
use crate::tui::base::text::width;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Paint, lay};

/// A longer bar says nothing more.
const LONGEST: usize = 40;

/// One level of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelPart {
    pub(crate) level: Level,
    /// The cells that are drawn and can be clicked.
    pub(crate) area: Area,
    /// Count, word and bar.
    text: String,
}

/// The levels that have rows, the gravest first. Without room for a bar of all of them the words stand alone.
pub(crate) fn parts(tally: &Tally, glyphs: Glyphs, area: Area) -> Vec<LevelPart> {
    let counts = Level::ALL.map(|level| (level, tally.of_level(level)));
    let counts: Vec<(Level, u32)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    let word = |(level, count): &(Level, u32)| format!("{} {}", grouped(*count), level.name());
    let words: Vec<String> = counts.iter().map(word).collect();
    // A blank stands before each word and before each bar.
    let used: usize = words.iter().map(|word| width(word) + 2).sum();
    let bars = shares(&counts, usize::from(area.width).saturating_sub(used).min(LONGEST));
    let mut at = area.x;
    let part = |(((level, _), word), cells): ((&(Level, u32), String), usize)| {
        let text = if cells == 0 { word } else { format!("{word} {}", glyphs.bar()[0].repeat(cells)) };
        let part = Area { x: at + 1, width: width(&text) as u16, height: area.height.min(1), ..area };
        at = part.right();
        LevelPart { level: *level, area: part.intersection(area), text }
    };
    counts.iter().zip(words).zip(bars).map(part).collect()
}

/// Shares out cells by the largest remainder. Each count gets at least one; without a cell for each there are none.
fn shares(counts: &[(Level, u32)], cells: usize) -> Vec<usize> {
    let Some(free) = cells.checked_sub(counts.len()) else { return vec![0; counts.len()] };
    let all = counts.iter().map(|(_, count)| *count as usize).sum::<usize>().max(1);
    let exact = |count: u32| free * count as usize;
    let mut shares: Vec<usize> = counts.iter().map(|(_, count)| 1 + exact(*count) / all).collect();
    let left = cells - shares.iter().sum::<usize>();
    let mut places: Vec<usize> = (0..counts.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(exact(counts[*place].1) % all));
    for place in places.into_iter().take(left) {
        shares[place] += 1;
    }
    shares
}

/// Draws the line.
pub(crate) fn view(tally: &Tally, paint: &Paint<'_>, area: Area, buffer: &mut Buffer) {
    for part in parts(tally, paint.glyphs, area) {
        lay(buffer, part.area, &[paint.line(part.area.width, Role::of(part.level), &part.text)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::base::layout::assert_apart;

    #[test]
    fn every_level_with_rows_has_a_cell_and_all_cells_are_given() {
        for counts in
            [[10, 14, 12, 25], [1, 1, 1, 26_958], [0, 0, 27_449, 0], [1, 0, 0, 90_000], [3, 3, 3, 3]]
        {
            let tally = Tally { levels: counts, ..Tally::default() };
            let present = counts.iter().filter(|count| **count > 0).count();
            for columns in 0..200 {
                let area = Area::new(3, 5, columns, 1);
                let parts = parts(&tally, Glyphs::Unicode, area);
                assert_eq!(parts.len(), present);
                let areas: Vec<Area> = parts.iter().map(|part| part.area).collect();
                assert_apart(area, &areas);
                let bars: Vec<usize> = parts.iter().map(|part| part.text.matches('━').count()).collect();
                let words: usize = parts.iter().zip(&bars).map(|(part, bar)| width(&part.text) - bar).sum();
                let is_drawn = bars.iter().sum::<usize>() > 0;
                assert_eq!(is_drawn, bars.iter().all(|bar| *bar > 0), "{counts:?} {columns}: {bars:?}");
                let room = usize::from(columns).saturating_sub(words + present);
                let wanted = if is_drawn { room.min(LONGEST) } else { 0 };
                assert_eq!(bars.iter().sum::<usize>(), wanted, "{counts:?} {columns}");
            }
        }
    }

    #[test]
    fn shares_go_by_the_largest_remainder() {
        let of = |counts: [u32; 4], cells| {
            let counts: Vec<(Level, u32)> = Level::ALL.into_iter().zip(counts).collect();
            shares(&counts, cells)
        };
        assert_eq!(of([10, 14, 12, 25], 30), [5, 7, 6, 12]);
        assert_eq!(of([1, 1, 1, 26_958], 30), [1, 1, 1, 27]);
        assert_eq!(of([1, 1, 1, 1], 3), [0; 4]);
    }
}
