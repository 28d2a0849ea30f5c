//! The files that bumps changed on each of the last 30 days, one cell a day. A day without any is a hole.
//!
//! ```text
//! files bumped, 30 days ▂▃▂▅▃▁▂▆▃▂▂▁▇▃▂▂▄▃▂▁ ▂▃▅▂▃▂▁▁▂
//! ```

use ratatui::buffer::Buffer;

use crate::desk::telling::list::{BUMPED, SHALLOW};
use crate::rules::activity::{Activity, DAYS};
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::Area;
use crate::tui::base::text::width;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Paint, Strip, lay};

/// Draws the days at the right end, behind the longest words that fit; nothing where there is no room for all days.
pub(crate) fn view(activity: &Activity, paint: &Paint<'_>, area: Area, buffer: &mut Buffer) {
    let mut strip = Strip::new(paint, area.width);
    match &activity.files {
        None => strip.right(Role::Dim, SHALLOW),
        Some(files) => {
            let room = usize::from(area.width);
            let Some(words) = BUMPED.into_iter().find(|words| width(words) + 1 + DAYS < room) else { return };
            strip.gap(room - width(words) - 1 - DAYS).put(Role::Dim, words).gap(1);
            strip.put(Role::Text, &days(files, paint.glyphs))
        }
    };
    lay(buffer, area, &[strip.line()]);
}

/// One sign a day. The busiest day has the highest one, and a day with a single file the lowest.
fn days(files: &[u32; DAYS], glyphs: Glyphs) -> String {
    let levels = glyphs.spark();
    let most = u64::from(files.iter().copied().max().unwrap_or(0));
    let sign = |count: &u32| match u64::from(*count) {
        0 => " ",
        count => levels[(count * levels.len() as u64).div_ceil(most) as usize - 1],
    };
    files.iter().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_day_is_the_highest_and_only_a_stalled_one_is_a_hole() {
        let drawn = |counts: &[u32], glyphs| {
            let mut files = [0; DAYS];
            files[..counts.len()].copy_from_slice(counts);
            days(&files, glyphs)[..].trim_end().to_owned()
        };
        assert_eq!(drawn(&[1, 2, 3, 4, 5, 6, 7, 0, 1], Glyphs::Unicode), "▁▂▃▄▅▆▇ ▁");
        assert_eq!(drawn(&[1, 2, 3, 4, 5, 0, 5], Glyphs::Ascii), ".:-=# #");
        assert_eq!(drawn(&[1, 10_000, 9_999, u32::MAX], Glyphs::Unicode), "▁▁▁▇");
        assert_eq!(drawn(&[3, 3], Glyphs::Unicode), "▇▇");
        assert_eq!(days(&[0; DAYS], Glyphs::Unicode), " ".repeat(30));
        assert_eq!(days(&[9; DAYS], Glyphs::Ascii).len(), 30);
    }
}
