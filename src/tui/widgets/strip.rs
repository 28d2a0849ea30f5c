//! One line of exact width, built from cleaned and cut texts. Every text of every screen passes through here,
//! so that no text from outside reaches a cell uncleaned.

use jiff::Timestamp;
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::desk::ability::NextStep;
pub(crate) use crate::desk::table::Cut;
use crate::desk::telling::Message;
use crate::rules::amount::grouped;
use crate::rules::memory::Divider;
use crate::tui::base::glyphs::Glyphs;
use crate::tui::base::layout::{Area, Size, Window};
use crate::tui::base::text;
use crate::tui::base::theme::{Role, Theme};
use crate::tui::keymap::{Bindings, Bound, Command, Context};

/// The fewest cells of a title beside the text at the right end of its rule.
const LEAST_TITLE: usize = 14;

/// The settings that every line is drawn with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) glyphs: Glyphs,
    pub(crate) now: Timestamp,
    /// The size of the whole window.
    pub(crate) size: Size,
    /// The divider between the panes of the current view.
    pub(crate) divider: Divider,
    /// True if moving bars are drawn.
    pub(crate) motion: bool,
    /// The current keys, for sentences that name one.
    pub(crate) bindings: &'a Bindings,
    pub(crate) view: Context,
}

impl Paint<'_> {
    /// The key of a command in the current view: `x`.
    pub(crate) fn key(&self, command: impl Into<Command>) -> String {
        self.bindings.first(self.view, command)
    }

    /// The key on this screen that takes a step; `None` if the step is taken elsewhere.
    pub(crate) fn key_here(&self, step: &NextStep) -> Option<String> {
        let takes = |bound: &Bound| bound.place.takes(step.ability.into());
        let shows = |bound: &Bound| matches!(bound.place.command, Command::Show(_));
        let is_here = self.bindings.within(self.view).any(|bound| takes(bound) && !shows(bound));
        is_here.then(|| self.key(step.ability))
    }

    /// A message of the desk as text, with the keys on this screen that take its next steps.
    pub(crate) fn text_of(&self, message: &Message) -> String {
        message.text_with(|step| self.key_here(step))
    }

    /// The cells of the current view, and how its panes share them.
    pub(crate) fn window(&self) -> Window {
        Window { size: self.size, divider: self.divider }
    }

    pub(crate) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// The style of a text. Backgrounds lie under whole areas, so a text has no background of its own.
    fn ink(&self, role: Role) -> Style {
        Style { bg: None, ..self.theme.style(role) }
    }

    /// A line of one text.
    pub(crate) fn line(&self, width: u16, role: Role, text: &str) -> Line<'static> {
        Strip::new(self, width).put(role, text).line()
    }

    /// A rule across.
    pub(crate) fn rule(&self, width: u16) -> Line<'static> {
        Line::styled(self.glyphs.rule().repeat(usize::from(width)), self.style(Role::Rule))
    }

    /// A rule with a short text near its right end.
    pub(crate) fn rule_with(&self, width: u16, text: &str) -> Line<'static> {
        let cells = text::width(text) + 4;
        if text.is_empty() || cells + 4 > usize::from(width) {
            return self.rule(width);
        }
        let mut strip = Strip::new(self, width);
        strip.put(Role::Rule, &self.glyphs.rule().repeat(usize::from(width) - cells));
        strip.gap(1).put(Role::Dim, text).gap(1);
        let room = strip.room();
        strip.put(Role::Rule, &self.glyphs.rule().repeat(room)).line()
    }

    /// The rule above a pane that is named by one text.
    pub(crate) fn named_rule(
        &self,
        width: u16,
        is_focused: bool,
        right: &[&str],
        name: &str,
    ) -> Line<'static> {
        self.pane_rule(width, is_focused, right, |strip, role| {
            strip.put(role, name);
        })
    }

    /// The rule above a pane: its title, which `title` puts in place with the given role of its name, and texts near the right end,
    /// of which empty ones are left out. A pane with the keys has the accent.
    pub(crate) fn pane_rule(
        &self,
        width: u16,
        is_focused: bool,
        right: &[&str],
        title: impl FnOnce(&mut Strip<'_>, Role),
    ) -> Line<'static> {
        let right: Vec<&str> = right.iter().copied().filter(|text| !text.is_empty()).collect();
        let right = right.join("  ");
        let (name, rule) = if is_focused { (Role::Accent, Role::Accent) } else { (Role::Title, Role::Rule) };
        let mut strip = Strip::new(self, width);
        strip.put(rule, self.glyphs.rule()).gap(1);
        // A blank and a cell of the rule stand at both sides of the text, and at least a cell of it beside the title.
        let tail = if right.is_empty() { 0 } else { text::width(&right) + 3 };
        let tail = if tail + LEAST_TITLE > strip.room() { 0 } else { tail };
        strip.width -= (tail + 2).min(strip.room());
        title(&mut strip, name);
        strip.width = usize::from(width);
        strip.gap(1);
        let fill = strip.room().saturating_sub(tail);
        strip.put(rule, &self.glyphs.rule().repeat(fill));
        if tail > 0 {
            strip.gap(1).put(Role::Dim, &right).gap(1);
        }
        let room = strip.room();
        strip.put(rule, &self.glyphs.rule().repeat(room)).line()
    }

    /// `2 more lines (J)`, beside a pane that has lines below its window; empty if it has none.
    pub(crate) fn hidden(&self, lines: usize) -> String {
        match lines {
            0 => String::new(),
            lines => format!(
                "{} more {} ({})",
                grouped(lines),
                if lines == 1 { "line" } else { "lines" },
                self.key(Command::OtherDown)
            ),
        }
    }

    /// A rule that names the number of hidden lines in the pane beside or above it.
    pub(crate) fn rule_over(&self, width: u16, hidden: usize) -> Line<'static> {
        self.rule_with(width, &self.hidden(hidden))
    }

    /// Lines of a long text, broken at blanks.
    pub(crate) fn wrapped(&self, width: u16, role: Role, text: &str) -> Vec<Line<'static>> {
        let clean = text::clean(text, self.glyphs);
        text::wrap(&clean, usize::from(width)).iter().map(|part| self.line(width, role, part)).collect()
    }
}

/// A line under construction.
pub(crate) struct Strip<'a> {
    paint: &'a Paint<'a>,
    spans: Vec<Span<'static>>,
    used: usize,
    width: usize,
}

impl<'a> Strip<'a> {
    pub(crate) fn new(paint: &'a Paint<'a>, width: u16) -> Self {
        Self { paint, spans: Vec::new(), used: 0, width: usize::from(width) }
    }

    /// The cells that are left.
    pub(crate) fn room(&self) -> usize {
        self.width - self.used
    }

    fn push(&mut self, style: Style, text: String) {
        self.used += text::width(&text);
        self.spans.push(Span::styled(text, style));
    }

    /// Adds a text; its end is cut if there is no room.
    pub(crate) fn put(&mut self, role: Role, text: &str) -> &mut Self {
        let clean = text::clean(text, self.paint.glyphs);
        let cut = text::elide_end(&clean, self.room(), self.paint.glyphs);
        if !cut.is_empty() {
            self.push(self.paint.ink(role), cut.into_owned());
        }
        self
    }

    /// Adds a text in a field of this many cells.
    pub(crate) fn cell(&mut self, role: Role, text: &str, cells: usize, cut: Cut) -> &mut Self {
        let cells = cells.min(self.room());
        let clean = text::clean(text, self.paint.glyphs);
        let short = match cut {
            Cut::Middle => text::elide_middle(&clean, cells, self.paint.glyphs),
            Cut::End | Cut::Right => text::elide_end(&clean, cells, self.paint.glyphs),
        };
        let free = " ".repeat(cells - text::width(&short));
        let text = if cut == Cut::Right { format!("{free}{short}") } else { format!("{short}{free}") };
        self.push(self.paint.ink(role), text);
        self
    }

    /// Adds blanks.
    pub(crate) fn gap(&mut self, cells: usize) -> &mut Self {
        let cells = cells.min(self.room());
        if cells > 0 {
            self.push(Style::default(), " ".repeat(cells));
        }
        self
    }

    /// Adds a text at the right end, if there is room for all of it.
    pub(crate) fn right(&mut self, role: Role, text: &str) -> &mut Self {
        let clean = text::clean(text, self.paint.glyphs);
        let cells = text::width(&clean);
        if cells < self.room() {
            self.gap(self.room() - cells);
            self.push(self.paint.ink(role), clean.into_owned());
        }
        self
    }

    /// Adds a key and its effect.
    pub(crate) fn key(&mut self, key: &str, word: &str) -> &mut Self {
        self.put(Role::Key, key).put(Role::Text, " ").put(Role::Text, word)
    }

    pub(crate) fn line(&mut self) -> Line<'static> {
        Line::from(std::mem::take(&mut self.spans))
    }
}

/// Lays lines into an area from its top; lines below the area are left out.
pub(crate) fn lay(buffer: &mut Buffer, area: Area, lines: &[Line<'_>]) {
    let area = area.intersection(buffer.area);
    for (y, line) in (area.y..area.bottom()).zip(lines) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

/// Gives a whole area one style.
pub(crate) fn ground(buffer: &mut Buffer, area: Area, style: Style) {
    buffer.set_style(area.intersection(buffer.area), style);
}

/// A wall from top to bottom, in an area of one column. It begins in the rule that names the panes.
pub(crate) fn wall(buffer: &mut Buffer, area: Area, paint: &Paint<'_>) {
    let glyph = |y| if y == area.y { paint.glyphs.fork() } else { paint.glyphs.wall() };
    let lines: Vec<Line<'_>> =
        (area.y..area.bottom()).map(|y| Line::styled(glyph(y), paint.style(Role::Rule))).collect();
    lay(buffer, area, &lines);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::base::theme::Themes;
    use crate::tui::keymap::ViewId;

    #[test]
    fn a_strip_never_grows_over_its_width_and_cleans_what_it_takes() {
        let theme = Themes::default().find("mono").expect("it is there");
        let bindings = Bindings::default();
        let paint = Paint {
            theme: &theme,
            glyphs: Glyphs::Ascii,
            now: Timestamp::UNIX_EPOCH,
            size: Size::new(80, 24),
            divider: Divider::default(),
            motion: true,
            bindings: &bindings,
            view: Context::View(ViewId::Inventory),
        };
        for width in 0..40 {
            let line = Strip::new(&paint, width)
                .gap(1)
                .cell(Role::Wait, "^ BEHIND", 10, Cut::End)
                .cell(Role::Text, "terraform-shoreline-cluster/日本語", 15, Cut::Middle)
                .put(Role::Text, "\u{1b}[31mred\u{202e}")
                .right(Role::Text, "right")
                .line();
            let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
            assert!(text::width(&text) <= usize::from(width), "{width}: {text}");
            assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        }
    }
}
