//! What is read out a page at a time: the list, or a text. Remembers how far it was read.

use jiff::Timestamp;

use crate::line::listing::Listing;
use crate::line::spoken;
use crate::print::output::Line;
use crate::registry::Address;
use crate::rules::plan::{PieceId, PlannedFile};

/// Lines of a page.
pub(crate) const PAGE: usize = 20;

/// What `next` goes on with.
#[derive(Debug, Default)]
pub(crate) enum Sheet {
    #[default]
    Nothing,
    /// The list, from this row on.
    List {
        at: usize,
    },
    Text {
        lines: Vec<Line>,
        at: usize,
        review: Option<Reviewed>,
    },
}

/// The changes of a planned file as it was when its text was made: a later build of it has others, and nobody heard those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reviewed {
    pub(crate) address: Address,
    pub(crate) pieces: Vec<PieceId>,
}

impl Reviewed {
    pub(crate) fn of(file: &PlannedFile) -> Self {
        let pieces = file.pieces.iter().map(|piece| piece.id.clone()).collect();
        Self { address: file.address.clone(), pieces }
    }
}

/// A page, and what was read to its end by it.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) lines: Vec<Line>,
    /// A planned file that was read out in full.
    pub(crate) reviewed: Option<Reviewed>,
    /// Nothing comes after it.
    pub(crate) ended: bool,
}

impl Page {
    fn of(line: Line) -> Self {
        Self { lines: vec![line], reviewed: None, ended: true }
    }
}

impl Sheet {
    pub(crate) fn text(lines: Vec<Line>) -> Self {
        Self::Text { lines, at: 0, review: None }
    }

    /// The text of a planned file: read to its end it counts as looked at.
    pub(crate) fn review(lines: Vec<Line>, reviewed: Reviewed) -> Self {
        Self::Text { lines, at: 0, review: Some(reviewed) }
    }

    /// The page that it stands at.
    pub(crate) fn page(&mut self, listing: Option<Listing<'_>>, now: Timestamp) -> Page {
        match self {
            Self::Nothing => Page::of(spoken::error("nothing has been read out yet")),
            Self::List { at } => {
                let Some(listing) = listing else {
                    return Page::of(spoken::error("the registry is not read yet"));
                };
                let mut lines = if *at == 0 { vec![Line::of(listing.title())] } else { Vec::new() };
                lines.extend(listing.rows(*at, *at + PAGE, now));
                lines.push(place(*at, listing.len()));
                Page { lines, reviewed: None, ended: *at + PAGE >= listing.len() }
            }
            Self::Text { lines, at, review } => {
                let to = (*at + PAGE).min(lines.len());
                let mut page = lines[*at..to].to_vec();
                let ended = to == lines.len();
                if lines.len() > PAGE {
                    page.push(place(*at, lines.len()));
                }
                // Pages are turned one by one, so whoever hears the last heard them all.
                Page { lines: page, reviewed: if ended { review.take() } else { None }, ended }
            }
        }
    }

    /// Goes on, or back, by a page.
    pub(crate) fn turn(&mut self, listing: Option<Listing<'_>>, now: Timestamp, forward: bool) -> Page {
        let (at, length) = match self {
            Self::Nothing => return self.page(listing, now),
            Self::List { at } => (at, listing.map_or(0, |listing| listing.len())),
            Self::Text { lines, at, .. } => (at, lines.len()),
        };
        let told = match (forward, *at) {
            (true, from) if from + PAGE >= length => Some("this is the end"),
            (true, _) => {
                *at += PAGE;
                None
            }
            (false, 0) => Some("this is the start"),
            (false, from) => {
                *at = from.saturating_sub(PAGE);
                None
            }
        };
        match told {
            Some(text) => Page::of(Line::of(format!("{text}; list reads the list out"))),
            None => self.page(listing, now),
        }
    }
}

/// `1 to 20 of 412; next for more`.
fn place(at: usize, length: usize) -> Line {
    let to = (at + PAGE).min(length);
    Line::of(match (length, to == length) {
        (0, _) => "nothing is listed; filter alone shows everything again".to_owned(),
        (_, true) => format!("{} to {to} of {length}; this is the end", at + 1),
        (_, false) => format!("{} to {to} of {length}; next", at + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(page: &Page) -> String {
        let lines: Vec<String> = page.lines.iter().map(Line::shown).collect();
        format!("{} .. {}", lines[0], lines[lines.len() - 1])
    }

    #[test]
    fn a_text_is_reviewed_when_its_last_page_was_read() {
        let now = Timestamp::UNIX_EPOCH;
        let lines: Vec<Line> = (1..=45).map(|number| Line::of(number.to_string())).collect();
        let reviewed = Reviewed { address: Address::provider("a", "b"), pieces: vec![PieceId("p".into())] };
        let mut sheet = Sheet::review(lines, reviewed.clone());
        let first = sheet.page(None, now);
        assert_eq!((heard(&first).as_str(), &first.reviewed), ("1 .. 1 to 20 of 45; next", &None));
        let second = sheet.turn(None, now, true);
        assert_eq!((heard(&second).as_str(), &second.reviewed), ("21 .. 21 to 40 of 45; next", &None));
        assert_eq!(heard(&sheet.turn(None, now, false)), "1 .. 1 to 20 of 45; next");
        sheet.turn(None, now, true);
        let last = sheet.turn(None, now, true);
        assert_eq!(heard(&last), "41 .. 41 to 45 of 45; this is the end");
        assert_eq!(last.reviewed, Some(reviewed));
        assert!(heard(&sheet.turn(None, now, true)).starts_with("this is the end"));
        assert_eq!(sheet.page(None, now).reviewed, None, "it is told once");
    }

    #[test]
    fn a_short_text_has_no_pages() {
        let mut sheet = Sheet::text(vec![Line::of("a"), Line::of("b")]);
        assert_eq!(heard(&sheet.page(None, Timestamp::UNIX_EPOCH)), "a .. b");
        assert!(heard(&sheet.turn(None, Timestamp::UNIX_EPOCH, false)).starts_with("this is the start"));
        assert!(heard(&Sheet::Nothing.turn(None, Timestamp::UNIX_EPOCH, true)).starts_with("error: nothing"));
    }
}
