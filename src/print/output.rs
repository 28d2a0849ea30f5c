//! The output of a command: data to standard output, talk to standard error.
//!
//! Every piece of text passes the sanitiser here, once, so that no command can forget it. A closed pipe is remembered and
//! ends the command quietly.

use std::io;
use std::io::Write;

use serde::Serialize;

use crate::boot::{Environment, Ui};
use crate::desk::{objects, telling};
use crate::print::wrap::{Piece, wrapped};
use crate::rules::Level;
use crate::rules::plain_text::visible;

/// The colour of a piece of text; a hint that nothing depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    Red,
    Yellow,
    Blue,
    Cyan,
    Green,
    Grey,
    Bold,
}

impl Color {
    pub(crate) fn of(level: Level) -> Self {
        match level {
            Level::Act => Self::Red,
            Level::Look => Self::Yellow,
            Level::Wait => Self::Blue,
            Level::Fine => Self::Green,
        }
    }

    /// The colour of what the desk tells; none for text without a meaning of its own.
    pub(crate) fn of_tone(tone: telling::Tone) -> Option<Self> {
        match tone {
            telling::Tone::Plain => None,
            telling::Tone::Quiet => Some(Self::Grey),
            telling::Tone::Fine => Some(Self::Green),
            telling::Tone::Notice | telling::Tone::Late => Some(Self::Blue),
            telling::Tone::Warning => Some(Self::Yellow),
            telling::Tone::Error | telling::Tone::Wrong | telling::Tone::Lost => Some(Self::Red),
            telling::Tone::Of(level) => Some(Self::of(level)),
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Red => "31",
            Self::Yellow => "33",
            Self::Blue => "34",
            Self::Cyan => "36",
            Self::Green => "32",
            Self::Grey => "90",
            Self::Bold => "1",
        }
    }
}

/// One line of text for people.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pieces: Vec<(String, Option<Color>)>,
    /// The cell below which the line continues if the terminal is too narrow; `None` leaves it to the terminal.
    hang: Option<usize>,
}

impl Line {
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self::default().text(text)
    }

    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.pieces.push((text.into(), None));
        self
    }

    pub(crate) fn color(mut self, color: Color, text: impl Into<String>) -> Self {
        self.pieces.push((text.into(), Some(color)));
        self
    }

    /// In the colour of what the desk tells.
    pub(crate) fn toned(self, tone: telling::Tone, text: impl Into<String>) -> Self {
        match Color::of_tone(tone) {
            Some(color) => self.color(color, text),
            None => self.text(text),
        }
    }

    /// Prose: on a terminal it is broken between words, and goes on below this cell.
    pub(crate) fn hanging(self, cell: usize) -> Self {
        Self { hang: Some(cell), ..self }
    }

    /// Without colour, as it would be seen.
    #[cfg(test)]
    pub(crate) fn shown(&self) -> String {
        self.pieces.iter().map(|(text, _)| visible(text)).collect()
    }
}

/// The two streams and the way to write them.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about two streams, no modes")]
pub(crate) struct Output<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    pub(crate) json: bool,
    pub(crate) ui: Ui,
    pub(crate) to_terminal: bool,
    pub(crate) stderr_is_terminal: bool,
    /// The width of the terminal that standard output goes to; `None` if nothing limits a line.
    pub(crate) columns: Option<usize>,
    closed: bool,
    failed: Option<io::Error>,
    /// Width of the progress line that stands on standard error.
    standing: usize,
}

impl<'a> Output<'a> {
    pub(crate) fn new(
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
        environment: &Environment,
        ui: Ui,
        json: bool,
    ) -> Self {
        Self {
            out,
            err,
            json,
            ui,
            to_terminal: environment.stdout_is_terminal,
            stderr_is_terminal: environment.stderr_is_terminal,
            columns: None,
            closed: false,
            failed: None,
            standing: 0,
        }
    }

    /// The cells of a line for pictures made of text; `None` if sentences stand in their place.
    pub(crate) fn cells(&self) -> Option<usize> {
        (!self.ui.plain).then(|| self.columns.unwrap_or(usize::MAX))
    }

    /// Returns true if nothing reads standard output any more, or if it cannot be written.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns true if a write failed for a reason other than a closed pipe.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// The error of a write that failed for another reason than a closed pipe.
    pub(crate) fn take_error(&mut self) -> Option<io::Error> {
        self.failed.take()
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.closed = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failed = Some(error);
            }
        }
    }

    /// A line of data. Where both streams are the same terminal, it must not stand behind the line of progress.
    pub(crate) fn line(&mut self, line: &Line) {
        if self.closed {
            return;
        }
        if self.to_terminal {
            self.clear_standing();
        }
        let pieces: Vec<Piece<'_, Color>> =
            line.pieces.iter().map(|(text, color)| (visible(text), *color)).collect();
        let text: String = match (line.hang, self.columns) {
            (Some(hang), Some(columns)) => {
                let lines = wrapped(&pieces, hang, columns);
                lines.iter().map(|pieces| self.painted(pieces)).collect()
            }
            _ => self.painted(&pieces),
        };
        let result = self.out.write_all(text.as_bytes());
        self.keep(result);
    }

    /// One line of the stream, its end included.
    fn painted(&self, pieces: &[Piece<'_, Color>]) -> String {
        let mut text = String::new();
        for (piece, color) in pieces {
            match color.filter(|_| self.ui.color) {
                Some(color) => {
                    text.push_str("\u{1b}[");
                    text.push_str(color.code());
                    text.push('m');
                    text.push_str(piece);
                    text.push_str("\u{1b}[0m");
                }
                None => text.push_str(piece),
            }
        }
        let end = text.trim_end_matches(' ').len();
        text.truncate(end);
        text.push('\n');
        text
    }

    /// Lines of data.
    pub(crate) fn lines(&mut self, lines: &[Line]) {
        for line in lines {
            self.line(line);
        }
    }

    /// An object of data; `kind` is its `type`.
    pub(crate) fn object<T: Serialize>(&mut self, kind: &'static str, body: &T) {
        if self.closed {
            return;
        }
        let result = objects::write(self.out, kind, body);
        self.keep(result);
    }

    /// Bytes that must arrive as they are, such as a patch. A terminal gets them line by line, made plain.
    pub(crate) fn exact(&mut self, text: &str) {
        if self.to_terminal {
            for line in text.lines() {
                self.line(&Line::of(line));
            }
        } else if !self.closed {
            let result = self.out.write_all(text.as_bytes());
            self.keep(result);
        }
    }

    /// Prints words at the start of a line that the user ends: the typed text stands after them.
    pub(crate) fn ask(&mut self, text: &str) {
        self.clear_standing();
        if !self.closed {
            let result = self.out.write_all(visible(text).as_bytes());
            self.keep(result);
        }
        self.flush();
    }

    /// Prints a line on standard error. It is not an error if nothing reads it.
    pub(crate) fn note(&mut self, text: &str) {
        self.clear_standing();
        let _ = writeln!(self.err, "{}", visible(text));
        let _ = self.err.flush();
    }

    /// Rewrites the one standing line of progress.
    pub(crate) fn stand(&mut self, text: &str) {
        let text = visible(text);
        let width = text.chars().count();
        let blanks = self.standing.saturating_sub(width);
        let _ = write!(self.err, "\r{text}{:blanks$}", "");
        let _ = self.err.flush();
        self.standing = width;
    }

    /// Takes the standing line away. Blanks instead of an erase sequence, so that no escape byte is needed.
    pub(crate) fn clear_standing(&mut self) {
        if self.standing > 0 {
            let _ = write!(self.err, "\r{:width$}\r", "", width = self.standing);
            let _ = self.err.flush();
            self.standing = 0;
        }
    }

    pub(crate) fn flush(&mut self) {
        if !self.closed {
            let result = self.out.flush();
            self.keep(result);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn ui() -> Ui {
        Ui::default()
    }

    /// Lines as a terminal of so many columns gets them. None of them is wider, and no word is lost.
    pub(crate) fn fitted(lines: &[Line], columns: usize) -> String {
        let printed = |columns| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let mut output = Output::new(&mut out, &mut err, &Environment::made_up("/", &[]), ui(), false);
            output.columns = columns;
            output.lines(lines);
            String::from_utf8(out).unwrap()
        };
        let text = printed(Some(columns));
        for line in text.lines() {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= columns, "{columns}: {line}");
        }
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
        assert_eq!(letters(&text), letters(&printed(None)), "{columns}");
        text
    }

    struct Closed(io::ErrorKind);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn outside_text_is_made_plain() {
        let line = Line::of("tag ").color(Color::Red, "v1\u{1b}[2J\u{202e}").text("  ");
        for (color, wanted) in
            [(false, "tag v1\\u{1b}[2J\\u{202e}\n"), (true, "tag \u{1b}[31mv1\\u{1b}[2J\\u{202e}\u{1b}[0m\n")]
        {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let environment = Environment::made_up("/", &[]);
            let mut output = Output::new(&mut out, &mut err, &environment, Ui { color, ..ui() }, false);
            output.line(&line);
            output.note("a\u{1b}b\nc");
            assert_eq!(String::from_utf8(out).unwrap(), wanted);
            assert_eq!(String::from_utf8(err).unwrap(), "a\\u{1b}b\\nc\n");
        }
    }

    #[test]
    fn a_closed_pipe_is_quiet_and_a_full_disk_is_not() {
        for (kind, is_kept) in [(io::ErrorKind::BrokenPipe, false), (io::ErrorKind::StorageFull, true)] {
            let (mut out, mut err) = (Closed(kind), Vec::new());
            let mut output = Output::new(&mut out, &mut err, &Environment::made_up("/", &[]), ui(), false);
            output.line(&Line::of("a"));
            output.line(&Line::of("b"));
            assert!(output.is_closed());
            assert_eq!(output.take_error().is_some(), is_kept);
        }
    }

    #[test]
    fn the_standing_line_leaves_nothing_behind() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut output = Output::new(&mut out, &mut err, &Environment::made_up("/", &[]), ui(), false);
        output.stand("12345");
        output.stand("123");
        output.note("done");
        assert_eq!(String::from_utf8(err).unwrap(), "\r12345\r123  \r   \rdone\n");
    }

    #[test]
    fn a_line_does_not_stand_behind_the_progress() {
        for (terminal, wanted) in [(true, "\r12345\r     \r"), (false, "\r12345")] {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let environment = Environment { stdout_is_terminal: terminal, ..Environment::made_up("/", &[]) };
            let mut output = Output::new(&mut out, &mut err, &environment, ui(), false);
            output.stand("12345");
            output.line(&Line::of("acme/rocket"));
            assert_eq!(String::from_utf8(err).unwrap(), wanted);
        }
    }
}
