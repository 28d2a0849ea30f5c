//! Lays out the summary of a changed version as lines of one width: its name and facts, the warnings, the grid of its
//! platforms with a legend, and a rule. A grid that is broader than the width continues below.

use ratatui::text::Line;

use crate::desk::telling::summary::{VersionSummary, legend};
use crate::rules::diff::{Block, PlatformMark, PlatformTable};
use crate::rules::review::Against;
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::text;
use crate::tui::base::theme::Role;
use crate::tui::widgets::strip::{Cut, Paint, Strip};

/// The most cells of the name of a system or an architecture.
const LONGEST_NAME: usize = 12;
/// The most architectures beside each other.
const MOST_COLUMNS: usize = 8;
/// Cells before the text: the cursor's.
const MARGIN: u16 = 3;

/// A part of a line. Marks and rules get their signs when they are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(Role, String),
    /// In so many cells.
    Cell(Role, String, usize),
    /// The second value tells whether the file of a pull request is compared: its author wrote what it lists.
    Mark(PlatformMark, bool),
    Rule,
}

/// One line of a summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SummaryLine(Vec<Part>);

impl SummaryLine {
    fn text(role: Role, text: impl Into<String>) -> Self {
        Self(vec![Part::Text(role, text.into())])
    }

    fn width(&self) -> usize {
        let cells = |part: &Part| match part {
            Part::Text(_, content) => text::width(content),
            Part::Cell(.., cells) => *cells,
            Part::Mark(..) => 1,
            Part::Rule => 0,
        };
        self.0.iter().map(cells).sum()
    }

    /// Draws the line; the cursor stands in its margin.
    pub(crate) fn draw(&self, paint: &Paint<'_>, width: u16, under: bool) -> Line<'static> {
        let mut strip = Strip::new(paint, width);
        strip.gap(1).cell(Role::Key, if under { paint.glyphs.cursor() } else { "" }, 1, Cut::End).gap(1);
        for part in &self.0 {
            match part {
                Part::Text(role, text) => strip.put(*role, text),
                Part::Cell(role, text, cells) => strip.cell(*role, text, *cells, Cut::End),
                Part::Mark(mark, is_claim) => {
                    let (role, sign) = sign(*mark, *is_claim, paint.glyphs);
                    strip.put(role, sign)
                }
                Part::Rule => {
                    let room = strip.room();
                    strip.put(Role::Rule, &paint.glyphs.rule().repeat(room))
                }
            };
        }
        strip.line()
    }
}

/// The sign of a mark and its role. A tick says that something was verified, and nothing that only an author claims has one.
fn sign(mark: PlatformMark, is_claim: bool, glyphs: Glyphs) -> (Role, &'static str) {
    match mark {
        PlatformMark::Hashed if is_claim => (Role::Dim, "h"),
        PlatformMark::Hashed => (Role::Fine, glyphs.pick("✓", "v")),
        PlatformMark::Listed => (Role::Dim, glyphs.pick("·", ".")),
        PlatformMark::Same => (Role::Dim, "="),
        PlatformMark::Filled => (Role::Notice, "h"),
        PlatformMark::Added => (Role::Notice, "+"),
        PlatformMark::Lost => (Role::Warning, glyphs.pick("−", "-")),
        PlatformMark::Changed => (Role::Act, glyphs.pick("✗", "X")),
        PlatformMark::Odd => (Role::Act, "!"),
    }
}

/// The lines of a summary in a pane of this width.
pub(crate) fn lay_out(summary: &VersionSummary, block: &Block, width: u16) -> Vec<SummaryLine> {
    let room = room(width);
    let mut lines: Vec<SummaryLine> = wrapped(Role::Title, &block.title, room).collect();
    let facts = summary.facts.iter().map(|fact| vec![Part::Text(Role::Text, fact.clone())]);
    lines.extend(flow(facts, room));
    for (tone, warning) in &summary.warnings {
        let parts = text::wrap(warning, room.saturating_sub(2));
        lines.extend(parts.into_iter().enumerate().map(|(at, part)| {
            let sign = if at == 0 { "! " } else { "  " };
            SummaryLine::text(Role::meant(*tone), format!("{sign}{part}"))
        }));
    }
    if let Some(grid) = &block.grid {
        let words = (summary.against.is_some(), |mark| legend(mark, summary.against));
        lines.extend(grid_lines(&grid.table, words, room));
    }
    lines.push(SummaryLine(vec![Part::Rule]));
    lines
}

/// The platforms that a version of a file lists. Nothing is called verified, since only the file was read.
pub(crate) fn stored(paint: &Paint<'_>, table: &PlatformTable, width: u16) -> Vec<Line<'static>> {
    let words = (true, |mark| legend(mark, Some(Against::Base)));
    drawn(paint, &grid_lines(table, words, room(width)), width)
}

/// Platforms with a legend of their own.
pub(crate) fn platforms(
    paint: &Paint<'_>,
    table: &PlatformTable,
    legend: fn(PlatformMark) -> &'static str,
    width: u16,
) -> Vec<Line<'static>> {
    drawn(paint, &grid_lines(table, (false, legend), room(width)), width)
}

/// The grid of platforms about which a sentence above says one thing; `None` if a name is no platform.
pub(crate) fn alike(
    paint: &Paint<'_>,
    platforms: &[&str],
    mark: PlatformMark,
    width: u16,
) -> Option<Vec<Line<'static>>> {
    let table = PlatformTable::alike(platforms, mark)?;
    Some(drawn(paint, &rows(&table, false, room(width)), width))
}

fn drawn(paint: &Paint<'_>, lines: &[SummaryLine], width: u16) -> Vec<Line<'static>> {
    lines.iter().map(|line| line.draw(paint, width, false)).collect()
}

/// The cells behind the margin.
fn room(width: u16) -> usize {
    usize::from(width.saturating_sub(MARGIN)).max(1)
}

fn wrapped(role: Role, content: &str, room: usize) -> impl Iterator<Item = SummaryLine> {
    text::wrap(content, room).into_iter().map(move |part| SummaryLine::text(role, part))
}

/// Puts items beside each other while there is room; a longer one is broken at blanks.
fn flow(items: impl Iterator<Item = Vec<Part>>, room: usize) -> Vec<SummaryLine> {
    const GAP: usize = 3;
    let mut lines: Vec<SummaryLine> = Vec::new();
    for item in items {
        let item = SummaryLine(item);
        match lines.last_mut() {
            Some(last) if last.width() + GAP + item.width() <= room => {
                last.0.push(Part::Text(Role::Text, " ".repeat(GAP)));
                last.0.extend(item.0);
            }
            _ if item.width() > room => match &item.0[..] {
                [Part::Text(role, content)] => lines.extend(wrapped(*role, content, room)),
                _ => lines.push(item),
            },
            _ => lines.push(item),
        }
    }
    lines
}

/// The heads and the rows of a grid, without a legend. `is_claim`: an author wrote what it lists.
fn rows(grid: &PlatformTable, is_claim: bool, room: usize) -> Vec<SummaryLine> {
    let longest = |names: &[String]| names.iter().map(|name| text::width(name)).max().unwrap_or(0);
    let label = longest(&grid.systems).min(LONGEST_NAME) + 2;
    let cell = longest(&grid.architectures).clamp(1, LONGEST_NAME) + 2;
    let columns = (room.saturating_sub(label) / cell).clamp(1, MOST_COLUMNS);
    let mut lines = Vec::new();
    for (part, names) in grid.architectures.chunks(columns).enumerate() {
        let heads = names.iter().map(|name| Part::Cell(Role::Dim, name.clone(), cell - 2));
        let heads = heads.flat_map(|head| [head, Part::Text(Role::Text, "  ".to_owned())]);
        let mut line = vec![Part::Cell(Role::Text, String::new(), label)];
        line.extend(heads);
        lines.push(SummaryLine(line));
        for (system, name) in grid.systems.iter().enumerate() {
            let mut line = vec![
                Part::Cell(Role::Text, name.clone(), label - 2),
                Part::Text(Role::Text, "  ".to_owned()),
            ];
            for at in 0..names.len() {
                let mark = grid.mark(system, part * columns + at);
                let blank = || Part::Text(Role::Text, " ".to_owned());
                line.push(mark.map_or_else(blank, |mark| Part::Mark(mark, is_claim)));
                line.push(Part::Text(Role::Text, " ".repeat(cell - 1)));
            }
            lines.push(SummaryLine(line));
        }
    }
    lines
}

/// The rows of a grid with the legend beside or below them.
fn grid_lines(
    grid: &PlatformTable,
    (is_claim, legend): (bool, impl Fn(PlatformMark) -> &'static str),
    room: usize,
) -> Vec<SummaryLine> {
    let mut lines = rows(grid, is_claim, room);
    let legend: Vec<Vec<Part>> = grid
        .marks()
        .into_iter()
        .map(|mark| vec![Part::Mark(mark, is_claim), Part::Text(Role::Dim, format!(" {}", legend(mark)))])
        .collect();
    let longest = legend.iter().map(|entry| SummaryLine(entry.clone()).width()).max().unwrap_or(0);
    let beside = lines.iter().map(SummaryLine::width).max().unwrap_or(0) + 2;
    if beside + longest > room || legend.len() > lines.len() {
        lines.extend(flow(legend.into_iter(), room));
        return lines;
    }
    // Beside the heads only where each line is needed.
    let first = (lines.len() - legend.len()).min(1);
    for (line, entry) in lines[first..].iter_mut().zip(legend) {
        line.0.push(Part::Text(Role::Text, " ".repeat(beside - line.width())));
        line.0.extend(entry);
    }
    lines
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::desk::telling::Tone;
    use crate::registry::{Document, Kind};
    use crate::rules::diff::{BlockKind, Lines, compare};
    use crate::rules::memory::Divider;
    use crate::rules::review::Against;
    use crate::tui::base::layout::Size;
    use crate::tui::base::theme::Themes;
    use crate::tui::keymap::{Bindings, Context, ViewId};

    /// The block of a version that is new, with these platforms; one of them has a host of its own.
    fn block(platforms: &[String]) -> Block {
        let target = |(at, platform): (usize, &String)| {
            let (os, arch) = platform.split_once('_').unwrap();
            let (host, h1) = (if at == 1 { "a.b" } else { "github.com" }, if at == 0 { "h1:x" } else { "" });
            format!(
                r#"{{"os":"{os}","arch":"{arch}","filename":"{platform}","download_url":"https://{host}/o/p/r/{platform}","shasum":"aa","h1":"{h1}"}}"#
            )
        };
        let targets: Vec<String> = platforms.iter().enumerate().map(target).collect();
        let text = format!(r#"{{"versions":[{{"version":"1.0.0","targets":[{}]}}]}}"#, targets.join(","));
        let new = Document::from_root(Document::parse(text.as_bytes()).unwrap().root().clone());
        let old = Document::empty();
        let lines = Lines::build(Kind::Provider, &old, &new, &compare(Kind::Provider, &old, &new));
        lines.blocks.into_iter().find(|block| block.kind == BlockKind::Version).unwrap()
    }

    fn drawn(platforms: &[String], glyphs: Glyphs, width: u16) -> Vec<String> {
        drawn_against(None, platforms, glyphs, width)
    }

    fn drawn_against(
        against: Option<Against>,
        platforms: &[String],
        glyphs: Glyphs,
        width: u16,
    ) -> Vec<String> {
        let (theme, bindings) = (Themes::default().find("mono").unwrap(), Bindings::default());
        let paint = Paint {
            theme: &theme,
            glyphs,
            now: Timestamp::UNIX_EPOCH,
            size: Size::new(width, 24),
            divider: Divider::default(),
            motion: true,
            bindings: &bindings,
            view: Context::View(ViewId::Changes),
        };
        let summary = VersionSummary {
            block: 1,
            facts: vec![
                "protocols 5.0".into(),
                "signature not checked yet".into(),
                "from github.com/o/p".into(),
            ],
            against,
            warnings: vec![(Tone::Warning, "2 platforms lost since 0.9.0: linux_386 and linux_arm".into())],
        };
        let lines = lay_out(&summary, &block(platforms), width);
        let text = |line: &SummaryLine| {
            let line = line.draw(&paint, width, false);
            line.spans.iter().map(|span| span.content.as_ref()).collect::<String>().trim_end().to_owned()
        };
        lines.iter().map(text).collect()
    }

    /// Nobody has verified what the author of a pull request lists.
    #[test]
    fn a_pull_request_has_no_ticks() {
        let platforms = names(&["linux_amd64", "linux_arm64"]);
        let text = |against| drawn_against(against, &platforms, Glyphs::Unicode, 60).join("\n");
        assert!(text(None).contains("✓ zh and h1 verified"), "{}", text(None));
        let claimed = text(Some(Against::Base));
        assert!(claimed.contains("h listed with h1") && !claimed.contains('✓'), "{claimed}");
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_conclusion_stands_above_the_grid_and_its_legend_beside_it() {
        let platforms = names(&["darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm"]);
        assert_eq!(
            drawn(&platforms, Glyphs::Unicode, 60),
            [
                "   version 1.0.0 (4 targets, 1 unlike the others)",
                "   protocols 5.0   signature not checked yet",
                "   from github.com/o/p",
                "   ! 2 platforms lost since 0.9.0: linux_386 and linux_arm",
                "           amd64  arm    arm64    ✓ zh and h1 verified",
                "   darwin  ✓             !        · listed, not hashed",
                "   linux   ·      ·               ! unlike the others",
                &format!("   {}", "─".repeat(57)),
            ]
        );
        // Without room beside the grid the legend comes below.
        let ascii = drawn(&platforms, Glyphs::Ascii, 46);
        assert_eq!(
            ascii[6..],
            [
                "           amd64  arm    arm64",
                "   darwin  v             !",
                "   linux   .      .",
                "   v zh and h1 verified   . listed, not hashed",
                "   ! unlike the others",
                &format!("   {}", "-".repeat(43)),
            ]
        );
    }

    /// A cell that is cut away would count as shown.
    #[test]
    fn every_platform_stands_whole_in_the_grid_at_every_width() {
        let platforms: Vec<String> = (0..40).map(|at| format!("system{}_arch{}", at % 4, at / 4)).collect();
        for width in 24..130 {
            let lines = drawn(&platforms, Glyphs::Ascii, width);
            assert!(lines.iter().all(|line| text::width(line) <= usize::from(width)), "{width}");
            let cells = lines.iter().filter(|line| line.starts_with("   system"));
            let signs: usize = cells
                .map(|line| line[3..].split_whitespace().skip(1).take_while(|sign| sign.len() == 1).count())
                .sum();
            // A legend beside the grid has signs of its own.
            assert!(signs >= 40, "{width}: {signs}\n{}", lines.join("\n"));
            let heads: Vec<&str> = lines
                .iter()
                .flat_map(|line| line.split_whitespace())
                .filter(|word| word.starts_with("arch"))
                .collect();
            assert_eq!(heads.len(), 10, "{width}\n{}", lines.join("\n"));
            let broad = lines.iter().filter(|line| line.contains("arch0")).count();
            assert_eq!(broad, 1, "{width}");
        }
    }
}
